"""Inputs are not written and outputs not read, whatever names them, in both languages."""

from __future__ import annotations

import pytest

from lanewise.core.diagnostics import ERROR, WARNING
from lanewise.pica200.api.assembling import Assembly, assemble_sources
from together import together

PICASSO = """.fvec tint, rows[4]
.in pos v0
.out out position o0
.alias input pos
.alias inputs v0.xyz
.alias output out
.alias outputs o0.xyzw
.proc main
    LINE
    end
.end
"""
NIHSTRO = """.alias pos v0
.alias input pos
.alias inputs v0.xyzw
.alias out o0 as position
.alias tint c0
main:
    LINE
    end
"""
READ = ["mov r0, NAME", "add r0, tint, NAME", "mad r0, r1, r2, NAME.xyzw", "dp4 r0, tint, -NAME", "mova a0.xy, NAME.xy"]


def assembled(dialect: str, line: str, *, compatible: bool = False) -> Assembly:
    text = (PICASSO if dialect == "picasso" else NIHSTRO).replace("LINE", line)
    return assemble_sources([("x", text)], dialect=dialect, compatible=compatible)


def codes(assembly: Assembly) -> list[tuple[str, str]]:
    return [(finding.code, finding.severity) for finding in assembly.diagnostics if finding.severity in (ERROR, WARNING)]


@pytest.mark.parametrize(
    ("dialect", "name"),
    [("picasso", name) for name in ("o0", "out", "output", "outputs", "out[0]")] + [("nihstro", "o0"), ("nihstro", "out")],
)
def test_outputs_are_not_read(dialect: str, name: str):
    for line in READ:
        assert codes(assembled(dialect, line.replace("NAME", name))) == [("V010", ERROR)], line


@together(
    ("dialect", "name"),
    [("picasso", name) for name in ("v0", "pos", "input", "inputs", "pos[0]")]
    + [("nihstro", name) for name in ("v0", "pos", "input", "inputs")],
)
def test_inputs_are_not_written(dialect: str, name: str):
    for line in ("mov NAME, tint", "mul NAME.xy, tint.xy, r0.xy", "rcp NAME.x, r0.x"):
        assert codes(assembled(dialect, line.replace("NAME", name))) == [("V011", ERROR)], line


@pytest.mark.parametrize(
    ("line", "plain", "code"),
    [
        ("mov pos, tint", "mov o0, tint", "V011"),
        ("mov inputs, tint", "mov o0.xyz, tint", "V011"),
        ("mul r0, tint, out.z", "mul r0, tint, v0.z", "V010"),
        ("mov r0, -outputs.yx", "mov r0, -v0.yxxx", "V010"),
    ],
)
def test_with_compatibility_they_are_warnings_with_the_bytes_of_picasso(line: str, plain: str, code: str):
    compatible = assembled("picasso", line, compatible=True)
    assert codes(compatible) == [(code, WARNING)]
    assert compatible.data == assembled("picasso", plain).data


@pytest.mark.parametrize(("line", "shown"), [("mov pos, tint", "pos (v0) writes o0"), ("mov r0, out.z", "out.z (o0) reads v0")])
def test_the_message_names_the_register(line: str, shown: str):
    assert shown in assembled("picasso", line).diagnostics[0].message


def test_an_output_is_no_input_of_a_declaration():
    """`.in` with the name of an output, and `.out` with that of an input, are as wrong as with the registers."""
    for line in (".in second out", ".out second color pos"):
        assert codes(assemble_sources([("x", PICASSO.replace(".proc main", line + "\n.proc main").replace("LINE", "nop"))]))[
            0
        ] == ("V034", ERROR)
