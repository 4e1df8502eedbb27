"""Passes of functions in SSA form, as texts: input, pass, output."""

from __future__ import annotations

from collections.abc import Sequence

from lanewise.ssa.nodes import Node
from lanewise.ssa.passes import PASSES, folded, tidied
from lanewise.ssa.reading import read
from lanewise.ssa.text import text_of
from lanewise.ssa.verify import verify
from together import together

HEAD = "function f -> o\n"


def sums(node: Node, sources: Sequence[Sequence[float]]) -> Sequence[float] | None:
    """What known sums and comparisons give."""
    if node.op == "add":
        return [a + b for a, b in zip(*sources, strict=True)]
    return [float(sources[0][0] < sources[1][0])] if node.op == "lt" else None


EVERY = {**PASSES, "constants": lambda function: folded(function, sums), "all": lambda function: tidied(function, sums)}  # pyright: ignore

TABLE = {
    "a value that nothing reads": (
        """
block 0:
  %0 = const 1.0
  %1 = add %0, %0
  return %0
""",
        "dead",
        """
block 0:
  %0 = const 1.0
  return %0
""",
    ),
    "a parameter that only goes round": (
        """
block 0:
  %0 = const 0.0
  jump block 1(%0, %0)
block 1(%1: number, %2: number):
  %3 = input a
  %4 = add %1, %3.x
  %5 = mul %2, %3.y
  %6 = lt %4, %3.z
  branch %6, block 1(%4, %5), block 2
block 2:
  return %4
""",
        "dead",
        """
block 0:
  %0 = const 0.0
  jump block 1(%0)
block 1(%1: number):
  %2 = input a
  %3 = add %1, %2.x
  %4 = lt %3, %2.z
  branch %4, block 1(%3), block 2
block 2:
  return %3
""",
    ),
    "a parameter that gets one value": (
        """
block 0:
  %0 = input a
  %1 = lt %0.x, %0.y
  branch %1, block 1, block 2
block 1:
  jump block 3(-%0.x)
block 2:
  jump block 3(-%0.x)
block 3(%2: number):
  return -%2
""",
        "copies",
        """
block 0:
  %0 = input a
  %1 = lt %0.x, %0.y
  branch %1, block 1, block 2
block 1:
  jump block 3
block 2:
  jump block 3
block 3:
  return %0.x
""",
    ),
    "lanes of a pack": (
        """
block 0:
  %0 = input a
  %1 = input b
  %2 = pack %0.y, -%1.x, -%1.z
  %3 = mul %2.zy, %2.xx
  %4 = pack %3.y, %3.y
  return %4.x
""",
        "copies",
        """
block 0:
  %0 = input a
  %1 = input b
  %2 = mul -%1.zx, %0.yy
  return %2.y
""",
    ),
    "a truth value of 1.0 and 0.0": (
        """
block 0:
  %0 = input a
  %1 = set_ne %0, %0.wzyx
  %2 = is_one %1.y
  %3 = one_if %2
  %4 = is_one %3
  branch %4, block 1(%0.x), block 1(%0.y)
block 1(%5: number):
  return %5
""",
        "copies",
        """
block 0:
  %0 = input a
  %1 = ne %0.y, %0.z
  branch %1, block 1(%0.x), block 1(%0.y)
block 1(%2: number):
  return %2
""",
    ),
    "the opposite of 1.0 and 0.0 has no truth value of its own": (
        """
block 0:
  %0 = input a
  %1 = set_lt %0.x, %0.y
  %2 = is_one -%1
  %3 = one_if %2
  return %3
""",
        "copies",
        """
block 0:
  %0 = input a
  %1 = set_lt %0.x, %0.y
  %2 = is_one -%1
  %3 = one_if %2
  return %3
""",
    ),
    "sums commute, and what dominates is seen": (
        """
block 0:
  %0 = input a
  %1 = add %0.x, %0.y
  %2 = lt %1, %0.z
  branch %2, block 1, block 2
block 1:
  %3 = add %0.y, %0.x
  %4 = min %0.x, %0.y
  jump block 3(%3, %4)
block 2:
  %5 = min %0.y, %0.x
  %6 = min %0.x, %0.y
  jump block 3(%5, %6)
block 3(%7: number, %8: number):
  %9 = mad %7, %8, %1
  %10 = mad %8, %7, %1
  %11 = add %9, %10
  return %11
""",
        "common",
        """
block 0:
  %0 = input a
  %1 = add %0.x, %0.y
  %2 = lt %1, %0.z
  branch %2, block 1, block 2
block 1:
  %3 = min %0.x, %0.y
  jump block 3(%1, %3)
block 2:
  %4 = min %0.y, %0.x
  %5 = min %0.x, %0.y
  jump block 3(%4, %5)
block 3(%6: number, %7: number):
  %8 = mad %6, %7, %1
  %9 = add %8, %8
  return %9
""",
    ),
    "constants of other signs are others": (
        """
block 0:
  %0 = const 0.0
  %1 = const -0.0
  %2 = const 0.0
  %3 = add %0, %1
  %4 = add %3, %2
  return %4
""",
        "common",
        """
block 0:
  %0 = const 0.0
  %1 = const -0.0
  %2 = add %0, %1
  %3 = add %2, %0
  return %3
""",
    ),
    "known sums": (
        """
block 0:
  %0 = const 1.0, 2.0
  %1 = add %0, -%0.yx
  %2 = rcp %0.x
  %3 = add %1.x, %2
  return %3
""",
        "constants",
        """
block 0:
  %0 = const 1.0, 2.0
  %1 = const -1.0, 1.0
  %2 = rcp %0.x
  %3 = add %1.x, %2
  return %3
""",
    ),
    "blocks that only go on, and that nothing else leads to": (
        """
block 0:
  %0 = input a
  jump block 1(%0.x)
block 1(%1: number):
  %2 = lt %1, %0.y
  branch %2, block 2, block 3
block 2:
  jump block 4(%1)
block 3:
  jump block 4(%0.z)
block 4(%3: number):
  return %3
block 5:
  jump block 4(%0.w)
""",
        "blocks",
        """
block 0:
  %0 = input a
  %1 = lt %0.x, %0.y
  branch %1, block 1(%0.x), block 1(%0.z)
block 1(%2: number):
  return %2
""",
    ),
    "blocks that only lead to each other": (
        """
block 0:
  %0 = input a
  return %0.x
block 1(%1: number):
  jump block 2(%1)
block 2(%2: number):
  jump block 1(%2)
""",
        "copies",
        """
block 0:
  %0 = input a
  return %0.x
""",
    ),
    "a known branch": (
        """
block 0:
  %0 = input a
  %1 = known 0
  branch %1, block 1, block 2
block 1:
  return %0.x
block 2:
  return %0.y
""",
        "blocks",
        """
block 0:
  %0 = input a
  return %0.y
""",
    ),
    "a loop that does nothing for ever stays": (
        """
block 0:
  jump block 1
block 1:
  jump block 2
block 2:
  jump block 1
""",
        "blocks",
        """
block 0:
  jump block 1
block 1:
  jump block 1
""",
    ),
    "all of them: a loop of known turns keeps its head": (
        """
block 0:
  %0 = input a
  %1 = const 0.0
  %2 = const 1.0
  %3 = add %2, %2
  jump block 1(%1, %0, %2)
block 1(%4: number, %5: number4, %6: number):
  %7 = lt %4, %3
  branch %7, block 2, block 3
block 2:
  %8 = add %5, %0
  %9 = add %4, %6
  %10 = add %9, %1
  jump block 1(%9, %8, %6)
block 3:
  return %5.x
""",
        "all",
        """
block 0:
  %0 = input a
  %1 = const 0.0
  %2 = const 1.0
  %3 = const 2.0
  jump block 1(%1, %0)
block 1(%4: number, %5: number4):
  %6 = lt %4, %3
  branch %6, block 2, block 3
block 2:
  %7 = add %5, %0
  %8 = add %4, %2
  jump block 1(%8, %7)
block 3:
  return %5.x
""",
    ),
}


@together("name", TABLE)
def test_a_pass(name: str):
    before, applied, after = TABLE[name]
    head = HEAD if "return" in before else "function f\n"
    function = EVERY[applied](read(head + before.lstrip()))
    assert not verify(function)
    assert text_of(function._replace(lines=())) == head + after.lstrip()


def test_every_pass_has_a_text():
    assert {applied for _, applied, _ in TABLE.values()} == EVERY.keys()
