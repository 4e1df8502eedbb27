"""The text of functions in SSA form, read back, and what is wrong with others."""

from __future__ import annotations

import pytest

from lanewise.ssa.building import Builder
from lanewise.ssa.function import Declaration, Return
from lanewise.ssa.nodes import NEGATE, Ref
from lanewise.ssa.reading import SyntaxFaultError, read
from lanewise.ssa.text import text_of
from together import together

LOOP = """function "two words" -> o.x, "o\\\\ \\"q\\"\\n"
input a lanes=4 register=-1
output o semantic=position mask=3
block 0:
  %0 = input a
  %1 = const 1.0, -0.0, inf
  %2 = uniform "my rows", 2
  jump block 1(-%0.x, %1.zyx)
block 1(%3: number, %4: number3):
  %5 = is_one %3
  branch %5, block 1(-%3, %4), block 2
block 2:
  return %3, -%4.y
"""


def test_a_text_is_read_and_printed():
    function = read(LOOP, "x.ssa")
    assert text_of(function._replace(lines=())) == LOOP
    assert function.results == ("o.x", 'o\\ "q"\n')
    assert function.declarations[1] == Declaration("output", "o", (("semantic", "position"), ("mask", 3)))
    assert function.nodes[5].sources == (Ref(3),)
    assert function.lines[function.nodes[5].line].line == 10
    assert "; x.ssa:10" in text_of(function)


def test_numbers_of_values_and_blocks_are_names():
    text = "function f -> o\n; a comment\nblock 7:\n  %30 = const 1.5 ; one\n\n  jump block 2(%30)\n"
    text += "block 2(%4: number):\n  return %4\n"
    again = text_of(read(text)._replace(lines=()))
    assert "block 1(%1: number):" in again
    assert text_of(read(again)._replace(lines=())) == again


def test_a_builder_gives_a_function():
    b = Builder()
    value = b.op("input", immediates=("a",))
    other = b.packed([b.selected(value, [1]), b.selected(value, [0])])
    whole = b.packed([b.selected(value, [n]) for n in range(4)])
    assert (other, whole) == (Ref(0, 0, "yx"), value)
    b.leave(Return((b.op("dot", other, b.packed([b.selected(value, [2]), other._replace(modifier=NEGATE, lanes="x")])),)))
    text = text_of(b.function("f", (), ("o",)))
    assert "%1 = pack %0.z, -%0.x\n  %2 = dot %0.yx, %1\n  return %2" in text


WRONG = {
    "": (1, "there is no function"),
    "block 0:\n  return\n": (1, "there is no function"),
    "function f\nblock 0:\n": (2, "the block has no exit"),
    "function f\nblock 0:\n  return %0\n": (3, "%0 is not defined before"),
    "function f\nblock 0:\n  %0 = add %0, %0\n  return\n": (3, "%0 is not defined before"),
    "function f\nblock 0:\n  %0 = const 1.0\n  %0 = const 1.0\n  return\n": (4, "%0 is defined twice"),
    "function f\nblock 0:\n  %0.x = const 1.0\n  return\n": (3, "a definition has no lanes"),
    "function f\nblock 0:\n  %0 = sin 1.0\n  return\n": (3, "unknown operation 'sin'"),
    "function f\nblock 0:\n  %0 = const\n  return\n": (3, "const has 0 immediates, expected 1"),
    "function f\nblock 0:\n  %0 = const 1.0,\n  return\n": (3, "expected a value, such as %0, found the end of the line"),
    "function f\nblock 0:\n  %0 = const 1, 2, 3, 4, 5\n  return\n": (3, "const has 5 lanes, expected 1 to 4"),
    "function f\nblock 0:\n  %0 = const a\n  return\n": (3, "const has the immediate 'a', expected float"),
    "function f\nblock 0:\n  %0 = undefined 9\n  return\n": (3, "undefined has 9 lanes"),
    "function f\nblock 0:\n  %0 = const 1, 2\n  %1 = rcp %0.z\n  return\n": (4, "%0.z: it has 2 lanes"),
    "function f\nblock 0:\n  %0 = const 1, 2\n  %1 = add %0, %0.x\n  return\n": (4, "source 2 of add is a number, expected"),
    "function f\nblock 0:\n  %0 = known 1\n  %1 = add %0, %0\n  return\n": (4, "source 1 of add is a truth, expected numbers"),
    "function f\nblock 0:\n  %0 = known 1\n  %1 = one_if -%0\n  return\n": (4, "which has no sign and no lanes"),
    "function f\nblock 0:\n  %0 = const 1\n  %1 = dot %0, %0\n  return\n": (4, "dot has sources of 1 lane, expected 2 to 4"),
    "function f\nblock 0:\n  %0 = const 1\n  %1 = table %0, 1, 2\n  return\n": (4, "table has 2 numbers, expected rows of 4"),
    "function f\nblock 0:\n  %0 = const 1\n  branch %0, block 0, block 0\n": (4, "%0 is a number, expected a truth"),
    "function f\nblock 0:\n  return\n  jump block 0\n": (3, "return is the exit of a block, but more follows"),
    "function f\nblock 0:\n  jump block 3\n": (3, "unknown block 3"),
    "function f\nblock 0:\n  jump block 1\nblock 1(%0: number):\n  return\n": (3, "block 1 is entered with 0 values, expected"),
    "function f\nblock 0:\n  %0 = const 1, 2\n  jump block 1(%0)\nblock 1(%1: number):\n  return\n": (4, "%0 is a number2"),
    "function f\nblock 0(%0: number):\n  return\n": (1, "the entry has parameters"),
    "function f\nblock 0:\n  return\nblock 0:\n  return\n": (4, "block 0 is there twice"),
    "function f -> o\nblock 0:\n  return\n": (3, "0 results are returned, expected 1"),
    "function f\nblock 0:\n  jump block 1(%0)\nblock 1(%0: matrix):\n  return\n": (4, "unknown type 'matrix'"),
    "function f\nblock 0:\n  %0 = const 1 2\n  return\n": (3, "expected the end of the line, found 2"),
    "function f\nblock 0:\n  return ?\n": (3, "unknown text: ?"),
    "function f\ninput a lanes\nblock 0:\n  return\n": (2, "expected '=', found the end of the line"),
    "function f\ninput a lanes=inf\nblock 0:\n  return\n": (2, "expected a whole number, found inf"),
    "function f -> o\nblock 0:\n  return %0\nblock 1:\n  %0 = const 1\n  return %0\n": (3, "%0 is of block 1, which some path"),
    "function f\nblock 1.5:\n  return\n": (2, "expected the number of the block, found 1.5"),
    "function f\nblock 0:\n  go\n": (3, "expected jump, branch or return"),
    "function f\nblock 0:\n  %0 = known 1\n  branch %0, block 1, block 2\nblock 1:\n  %1 = known 1\n  jump block 2\nblock 2:\n"
    "  branch %1, block 0, block 2\n": (9, "%1 is of block 1, which some path to block 2 does not come through"),
}  # fmt: skip


@together("text", WRONG)
def test_what_is_wrong_is_said(text: str):
    with pytest.raises(SyntaxFaultError) as caught:
        read(text)
    line, message = WRONG[text]
    assert message in caught.value.message
    assert caught.value.line == line
