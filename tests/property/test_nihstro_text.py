"""Whatever nihstro text comes in, findings come out: no exception. What the printer writes, the reader reads as the same
thing."""

from __future__ import annotations

import random

from hypothesis import example, given
from hypothesis import strategies as st

from effort import examples
from lanewise.core.diagnostics import render, render_compiler_style, to_json
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.converting import convert_assembly
from lanewise.pica200.isa.encoder import encode_program
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.isa.program import Condition, Dest, Emission, Encoding, Interface, Operation, Program, Source, Target
from lanewise.pica200.isa.table import BY_NAME
from lanewise.pica200.sem.normal import normal
from lanewise.pica200.text.nihstro.printer import Names, Printer
from lanewise.pica200.text.nihstro.syntax import MNEMONICS
from lanewise.pica200.text.nihstro.writer import Writer

TOKENS = [
    *MNEMONICS,
    ".alias",
    ".include",
    ".version",
    ".entry",
    ".gsh",
    ".symbol",
    ".word",
    ".opdesc",
    "main",
    "a",
    "b",
    "as",
    "until",
    "position",
    "color",
    "c0-c3",
    "c3-c0",
    "o0.xy",
    "point",
    "fixed",
    "r0",
    "r0.xy",
    "v0",
    "v15",
    "c95",
    "c96",
    "o7",
    "i0",
    "b15",
    "-r1.xyzw",
    "c0[a0+3].x",
    "a0.xy",
    "aL",
    "lcnt",
    "[",
    "]",
    "(",
    ")",
    "(1,2,3,4)",
    ",",
    ":",
    ";",
    "#",
    "//",
    "!b0",
    "cc.x",
    "!cc.y",
    "cc.xy",
    "&&",
    "||",
    "0x10",
    "5",
    "-1",
    "1e99",
    "inf",
    '"x"',
    '"a.inc"',
    '"b.inc"',
    '"',
    "==",
    "<",
    "a:",
    "main:",
    "prim",
    "inv",
    "\t",
    " ",
    ".",
    "..",
    "_x",
    "gl_x",
]
FILES = {"a.inc": '.alias a c0\nmain:\n.include "b.inc"', "b.inc": 'nop\n.include "a.inc"\n.alias b v0'}


def _read(path: str) -> str:
    if path not in FILES:
        raise FileNotFoundError(2, "No such file", path)
    return FILES[path]


def _assemble(text: str) -> None:
    for name, layout in (("x.vsh", "nihstro"), ("x.gsh", "picasso")):
        result = assemble_sources([(name, text)], layout=layout, read=_read)
        assert (result.data is None) == any(d.is_error for d in result.diagnostics)
        for finding in result.diagnostics:
            assert finding.span.file
            assert finding.message
            assert finding.fix or not finding.is_error
            render(finding, colour=True)
            render_compiler_style(finding)
            to_json(finding)
        if result.data is not None:
            convert_assembly(result, "nihstro")  # compares the program itself, and raises
            convert_assembly(result, "picasso")


@examples(100, 2000)
@given(st.text(max_size=200))
@example("main:\n\x00\nend")
@example('.include "a.inc"')
@example("main:\nmov r0, r²\nend\n")
@example("main:\nadd r0, r1, \\u0660\nend\n")
@example('.include "\x01"\n.include ""')
@example("main:\nmov r0, c0[99999999999999999999]\n")
@example(".alias k i0 as (" + "9" * 5000 + ", 0, 0, 0)")
def test_any_text(text: str):
    _assemble(text)


@examples(50, 3000)
@given(st.lists(st.lists(st.sampled_from(TOKENS), max_size=7).map(" ".join), max_size=14).map("\n".join))
def test_any_tokens(text: str):
    _assemble(text)
    _assemble(".alias m c0-c3\nmain:\n" + text + "\nend\n")


@examples(100, 2000)
@given(st.integers(0, 2**32), st.integers(1, 6))
def test_damaged_programs(seed: int, damage: int):
    """A right program with a few characters changed."""
    rng = random.Random(seed)
    text = list(
        ".alias m c0-c3\n.alias k c95 as (0.0, 1.0, 0.5, 2.0)\n.alias p v0\n.alias o o0 as position\nmain:\n"
        "\tdp4 o.x, m[0], p\n"
        "\tif b0\n\t\tmova k.xy\n\t\tmov o.yzw, m[a0+1].yzw\n\telse\n\t\tmov o.yzw, k.xxx\n\tendif\n"
        "\tjmp main if cc.x && !cc.y\n\tend\n"
    )
    for _ in range(damage):
        text[rng.randrange(len(text))] = rng.choice(' \n\t.,;:#/[]()-+!&|0123456789abcorvxyzw_"\\')
    _assemble("".join(text))


_selector, _bit = st.integers(0, 255), st.booleans()
_narrow = st.builds(Source, st.integers(0x10, 0x1F), _selector, _bit, st.just(0))
_wide = st.builds(Source, st.integers(0x10, 0x7F), _selector, _bit, st.just(0)) | st.builds(
    Source, st.integers(0x20, 0x7F), _selector, _bit, st.integers(1, 3)
)
_dest = st.builds(Dest, st.integers(0, 0x1F), st.integers(1, 15))
_address = st.builds(Dest, st.just(0), st.sampled_from([8, 4, 12]))
_condition = st.builds(Condition, st.integers(0, 3), st.integers(0, 1), st.integers(0, 1))
_emission = st.builds(Emission, st.integers(0, 3), _bit, _bit)
_BASES = sorted({op.base for op in BY_NAME.values() if not {"target", "block"} & set(op.operands)})


@st.composite
def _operations(draw: st.DrawFn) -> Operation:
    """An operation that the language can say, of any kind but those with targets."""
    op = BY_NAME[draw(st.sampled_from(_BASES))]
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
    printer = Printer(Names(), lambda address: "", lambda address: "")
    lines = [printer.operation(operation) for operation in operations]
    assert all(lines)
    result = assemble_sources([("x.gsh", "main:\n" + "\n".join(lines) + "\nend\n")])
    assert not [d for d in result.diagnostics if d.is_error]
    assert [normal(operation) for operation in result.program.operations[:-1]] == [normal(o) for o in operations]
    lifted = lift(*encode_program(result.program, merges=False)[0])
    assert [normal(operation) for operation in lifted[:-1]] == [normal(o) for o in operations]


_targets = st.builds(Target, st.integers(0, 14), st.integers(0, 260))


@st.composite
def _flow(draw: st.DrawFn) -> Operation:
    """An instruction with any target at all."""
    op = BY_NAME[draw(st.sampled_from(["call", "callc", "callu", "ifc", "ifu", "for", "jmpc", "jmpu", "nop", "end"]))]
    made = {"cond": _condition, "bool": st.integers(0, 15), "int": st.integers(0, 15), "target": _targets, "block": _targets}
    return Operation(op=op, operands=tuple(draw(made[kind]) for kind in op.operands))  # type: ignore[arg-type]  # drawn by kind


@examples(48, 2500)
@given(st.lists(_flow(), min_size=1, max_size=12), st.integers(0, 5), _bit)
def test_any_flow_is_written(operations: list[Operation], entry: int, geometry: bool):
    """Blocks and calls that nest become structure and labels; all others are words."""
    program = Program(
        operations=tuple(operations),
        interfaces=(Interface(name="x", geometry=geometry, entry=min(entry, len(operations))),),
        labels={},
    )
    encoded, _ = encode_program(program)
    lifted = lift(*encoded)
    program = program._replace(operations=lifted, encoding=Encoding(encoded.words, encoded.descriptors, {}))
    written = Writer(program).write()
    assert not written.lost
    result = assemble_sources([(f"x{suffix}", text) for suffix, text in written.sources])
    assert not [d for d in result.diagnostics if d.is_error]
    assert [normal(operation) for operation in lift(*result.encoded)] == [normal(operation) for operation in lifted]
    assert result.program.interfaces[0].entry == program.interfaces[0].entry
