"""Whatever text comes in, findings come out: no exception. What the printer writes, the reader reads as the same thing."""

from __future__ import annotations

import random

from hypothesis import example, given
from hypothesis import strategies as st

from effort import examples, times
from lanewise.core.diagnostics import render, render_compiler_style, to_json
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.isa.codec import decode, encode
from lanewise.pica200.isa.encoder import encode_program
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.isa.program import Condition, Dest, Emission, Operation, Source
from lanewise.pica200.isa.table import BY_NAME
from lanewise.pica200.text.picasso.listing import listing_lines
from lanewise.pica200.text.picasso.printer import Names, Printer, word_of
from lanewise.pica200.text.picasso.syntax import MNEMONICS
from lanewise.pica200.text.spelling import live_selectors

TOKENS = [
    *MNEMONICS,
    ".proc",
    ".end",
    ".else",
    ".alias",
    ".fvec",
    ".ivec",
    ".bool",
    ".constf",
    ".consti",
    ".constfa",
    ".in",
    ".out",
    ".entry",
    ".nodvle",
    ".gsh",
    ".setf",
    ".seti",
    ".setb",
    ".opdesc",
    ".word",
    ".nonop",
    ".symbol",
    ".shbin",
    "main",
    "a",
    "b",
    "pos",
    "position",
    "color.xy",
    "point",
    "fixed",
    "variable",
    "r0",
    "v0",
    "v14[2]",
    "c95",
    "c96",
    "o7",
    "i0",
    "i9",
    "b15",
    "-r1.xyzw",
    "c0[a0.x+3].x",
    "a0.xy",
    "aL",
    "[",
    "]",
    "(",
    ")",
    "(1,2,3,4)",
    ",",
    ":",
    ";",
    "#",
    "@5",
    "!b0",
    "cmp.x",
    "!cmp.y",
    "&&",
    "||",
    "0x10",
    "5",
    "-1",
    "1e99",
    "nan",
    '"x"',
    '"\\x41',
    "eq",
    "lt",
    "true",
    "a:",
    "dvle.version",
    "layout",
    "dvlb.count",
    "\t",
    " ",
    "..",
    "a[4]",
    "a[",
    "$",
    "_x",
    "c4",
]


def _assemble(text: str) -> None:
    for compatible in (False, True):
        result = assemble_sources([("x.pica", text)], compatible=compatible)
        assert (result.data is None) == any(d.is_error for d in result.diagnostics)
        for finding in result.diagnostics:
            assert finding.span.file or finding.code in ("P057", "V043")
            render(finding, colour=True)
            render_compiler_style(finding)
            to_json(finding)


@examples(100, 2000)
@given(st.text(max_size=200))
@example(".proc main\n\x00\n.end")
@example("\x7fELF\x00\n.end")
@example("# 7\n")
@example(".proc main\nmov r0, r²\n.end\n")
def test_any_text(text: str):
    _assemble(text)


@examples(50, 3000)
@given(st.lists(st.lists(st.sampled_from(TOKENS), max_size=7).map(" ".join), max_size=14).map("\n".join))
def test_any_tokens(text: str):
    _assemble(text)
    _assemble(".proc main\n" + text + "\nend\n.end\n")


@examples(100, 2000)
@given(st.integers(0, 2**32), st.integers(1, 6))
def test_damaged_programs(seed: int, damage: int):
    """A right program with a few characters changed."""
    rng = random.Random(seed)
    text = list(
        ".fvec m[4]\n.constf k(0.0, 1.0, 0.5, 2.0)\n.in p\n.out o position\n.proc main\n\tdp4 o.x, m[0], p\n\tifu b0\n"
        "\t\tmova a0.x, k\n\t\tmov o.yzw, m[a0.x+1]\n\t.else\n\t\tmov o.yzw, k.x\n\t.end\n\tend\n.end\n"
    )
    for _ in range(damage):
        text[rng.randrange(len(text))] = rng.choice(' \n\t.,;:#[]()-+!@0123456789abcorvxyzw$_"\\')
    _assemble("".join(text))


_selector, _bit = st.integers(0, 255), st.booleans()
_narrow = st.builds(Source, st.integers(0x10, 0x1F), _selector, _bit, st.just(0))
_wide = st.builds(Source, st.integers(0x10, 0x7F), _selector, _bit, st.just(0)) | st.builds(
    Source, st.integers(0x20, 0x7F), _selector, _bit, st.integers(1, 3)
)
_dest = st.builds(Dest, st.integers(0, 0x1F), st.integers(1, 15))
_address = st.builds(Dest, st.just(0), st.sampled_from([8, 4, 12]))
_condition = st.builds(Condition, st.integers(0, 1), st.integers(0, 1), st.integers(0, 1)) | st.sampled_from(
    [Condition(2, 0, 1), Condition(2, 1, 1), Condition(3, 1, 0), Condition(3, 1, 1)]
)
_emission = st.builds(Emission, st.integers(0, 2), _bit, _bit)


@st.composite
def _operations(draw: st.DrawFn) -> Operation:
    """An operation that the language can say, of any kind but those with targets."""
    op = BY_NAME[
        draw(st.sampled_from(sorted({op.base for op in BY_NAME.values() if not {"target", "block"} & set(op.operands)})))
    ]
    wide = {"mad": draw(st.sampled_from([1, 2])), "dph": draw(st.integers(0, 1)), "slt": draw(st.integers(0, 1))}.get(
        op.name, 0
    )
    operands: list[object] = []
    source = 0
    for kind in op.operands:
        if kind == "src":
            operands.append(draw(_wide if source == wide else _narrow))
            source += 1
        else:
            operands.append(
                draw({"dst": _dest, "adr": _address, "cmp": st.integers(0, 5), "cond": _condition, "vertex": _emission}[kind])
            )
    return Operation(op=op, operands=tuple(operands))  # type: ignore[arg-type]  # drawn by kind


@examples(48, 2500)
@given(st.lists(_operations(), min_size=1, max_size=12))
def test_what_is_printed_is_read(operations: list[Operation]):
    printer = Printer(Names(geometry=True), lambda target: "", lambda address: "")  # setemit makes it one
    numbered = [o._replace(descriptor=0) if "src" in o.op.operands else o for o in operations]
    words = [printer.expressible(operation, word_of(operation), block=False) for operation in numbered]
    assert all(words)
    result = assemble_sources([("x.pica", ".proc main\n" + "\n".join(words) + "\nend\n.end\n")], compatible=True)
    assert not [d for d in result.diagnostics if d.is_error]
    read = [operation._replace(span=None) for operation in result.program.operations[:-1]]
    assert read == operations
    encoded, _ = encode_program(result.program)
    lifted = lift(encoded.words, encoded.descriptors)
    assert [live_selectors(o) if "src" in o.op.operands else o for o in map(_unnumbered, lifted[:-1])] == [
        live_selectors(o) if "src" in o.op.operands else o for o in operations
    ]


def _unnumbered(operation: Operation) -> Operation:
    return operation._replace(descriptor=-1)


def test_random_words():
    """Every word decodes and encodes to itself; every word has a line in a listing."""
    rng = random.Random(1)
    for _ in range(times(20_000, 1_000_000)):
        word = rng.getrandbits(32)
        assert encode(decode(word)) == word
    words = [rng.getrandbits(32) for _ in range(5_000)]
    assert len(listing_lines(words, [rng.getrandbits(32) for _ in range(128)])) == 5_001 + 2 + 128
