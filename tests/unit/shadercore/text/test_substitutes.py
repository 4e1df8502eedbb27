"""What is said about instructions of other languages: the lines assemble, and compute what the instruction does."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable, Sequence

import pytest

from lanewise.shadercore.engine.reference import Core
from lanewise.shadercore.isa.devices import DOCUMENT
from lanewise.shadercore.isa.table import BY_NAME, LANES
from lanewise.shadercore.text.reader import read_source_text
from lanewise.shadercore.text.substitutes import LINES, NAMES, SENTENCES, substitute
from lanewise.tools import cli
from together import together

Vector = Sequence[float]


def dot(a: Vector, b: Vector, count: int) -> float:
    return sum(x * y for x, y in zip(a[:count], b[:count], strict=True))


# What each row computes of r1, r2 and r3.
FORMULAS: dict[str, Callable[[Vector, Vector, Vector], Vector]] = {
    "sub": lambda a, b, _: [a[0] - b[0]],
    "mad": lambda a, b, c: [a[0] * b[0] + c[0]],
    "dp2": lambda a, b, _: [dot(a, b, 2)],
    "dp2add": lambda a, b, c: [dot(a, b, 2) + c[0]],
    "dp3": lambda a, b, _: [dot(a, b, 3)],
    "dp4": lambda a, b, _: [dot(a, b, 4)],
    "dph": lambda a, b, _: [dot(a, b, 3) + b[3]],
    "crs": lambda a, b, _: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]],
    "nrm": lambda a, _, __: [x / math.sqrt(dot(a, a, 3)) for x in a[:3]],
    "lrp": lambda a, b, c: [a[0] * (b[0] - c[0]) + c[0]],
    "cmp": lambda a, b, c: [b[0] if a[0] >= 0 else c[0]],
    "clamp": lambda a, b, c: [min(max(a[0], b[0]), c[0])],
    "mod": lambda a, b, _: [a[0] - b[0] * math.floor(a[0] / b[0])],
    "seq": lambda a, b, _: [float(a[0] == b[0])],
    "sne": lambda a, b, _: [float(a[0] != b[0])],
    "length": lambda a, _, __: [math.sqrt(dot(a, a, 3))],
    "div": lambda a, b, _: [a[0] / b[0]],
    "sqrt": lambda a, _, __: [math.sqrt(a[0]) if a[0] > 0 else math.nan],
    "pow": lambda a, b, _: [abs(a[0]) ** b[0]],
    "abs": lambda a, _, __: [abs(a[0])],
    "neg": lambda a, _, __: [-a[0]],
    "sat": lambda a, _, __: [min(max(a[0], 0.0), 1.0)],
    "flr": lambda a, _, __: [math.floor(a[0])],
    "ceil": lambda a, _, __: [math.ceil(a[0])],
    "slt_swapped": lambda a, b, _: [float(a[0] > b[0])],
    "sge_swapped": lambda a, b, _: [float(a[0] <= b[0])],
    "frc": lambda a, _, __: [a[0] - math.floor(a[0])],
    "exp": lambda a, _, __: [2.0 ** a[0]],
    "log": lambda a, _, __: [math.log2(a[0]) if a[0] > 0 else math.nan],
    "rcp": lambda a, _, __: [1 / a[0]],
    "rsq": lambda a, _, __: [1 / math.sqrt(a[0]) if a[0] > 0 else math.nan],
    "itof": lambda a, _, __: [float(bits(a[0]))],
    "mov": lambda a, _, __: [a[0]],
}


def bits(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]


def number(pattern: int) -> float:
    return struct.unpack("<f", struct.pack("<I", pattern))[0]


def test_every_row_has_a_formula():
    assert FORMULAS.keys() == LINES.keys()


@together("name", LINES)
def test_the_lines_compute_the_instruction(name: str):
    result = read_source_text("\n".join([*LINES[name], "end"]), "x.sc")
    assert result.program is not None, result.diagnostics
    rng = random.Random(name)
    values = [[[number(bits(rng.uniform(-4, 4))) for _ in range(4)] for _ in range(3)] for _ in range(LANES)]
    initial = {("r", 1 + n, c): [bits(values[lane][n][c]) for lane in range(LANES)] for n in range(3) for c in range(4)}
    core = Core(result.program.insts, DOCUMENT, initial=initial)
    core.run()
    for lane in range(LANES):
        for component, wanted in enumerate(FORMULAS[name](*values[lane])):
            found = number(core.value(("r", 0, component))[lane])
            assert (math.isnan(found) and math.isnan(wanted)) or found == pytest.approx(wanted, rel=1e-5, abs=1e-5), lane


def test_no_name_is_an_instruction_of_the_core():
    assert not (NAMES.keys() | SENTENCES.keys()) & BY_NAME.keys()
    assert set(NAMES.values()) <= LINES.keys()
    assert not NAMES.keys() & SENTENCES.keys()


@together(
    ("line", "fix"),
    [
        ("mad r0.x, r1.x, r2.x, r3.x", "write `mul r0.x, r1.x, r2.x`, then `add r0.x, r0.x, r3.x`"),
        ("sub_sat r0.x, r1.x, r2.x", "write `add_sat r0.x, r1.x, -r2.x`"),
        ("MAD_pp r0.x, r1.x", "write `mul r0.x, r1.x, r2.x`, then `add r0.x, r0.x, r3.x`"),
        ("floor r0.x, r1.x", "write `frc r0.x, r1.x`, then `add r0.x, r1.x, -r0.x`"),
        ("if_gt r0.x, r1.x", "the core has no jumps"),
        ("dcl_position v0", "write .input v0 position"),
        ("rcp_x r0.x, r1.x", "write `rcp r0.x, r1.x`"),
        ("sub r0.x, v0.x, -v0.y", "write `add r0.x, v0.x, v0.y`"),
        ("abs r1.xy, -v0.zw", "write `mov r1.xy, abs(v0.zw)`"),
        ("mul.sat r0.x, v0.x, v0.y", "write `mul_sat r0.x, v0.x, v0.y`"),
        ("fsubsat r0.x, v0.x, v0.y", "write `add_sat r0.x, v0.x, -v0.y`"),
        ("mul.xyz r0, v0, c1", "write `mul r0.xyz, v0.xyz, c1.xyz`"),
        (
            "dp3 o0.x, r0, c1.yzw",
            "write `mul r1.xyz, r0.xyz, c1.yzw`, then `add r1.x, r1.x, r1.y`, then `add o0.x, r1.x, r1.z` (r1 is free",
        ),
        ("mad r0.x, v0.x, v0.y, r0.x", "write `mul r1.x, v0.x, v0.y`, then `add r0.x, r1.x, r0.x` (r1 is free)"),
        ("clamp r0.x, v0.x, 0, 1", "write `mov_sat r0.x, v0.x`"),
        ("cmp r0.x, v0.x", "the core has no flags: write `slt r1.x, r0.x, v0.x`"),
        ("jlt there", "the core has no jumps"),
        ("rep r0.x", "the core has no loops: repeat the instructions"),
        ("ret", "write `end`"),
        ("r1.x = v0.x", "write `mov r1.x, v0.x`"),
        ("addd r0.x, r1.x", "did you mean add?"),
        ("xyzzy", "see `lanewise isa shadercore`"),
    ],
)
def test_the_fix_of_an_unknown_instruction(line: str, fix: str):
    (finding,) = [found for found in read_source_text(f"{line}\nend\n", "x.sc").diagnostics if found.code == "P201"]
    assert finding.fix.startswith(fix)


@together(
    ("line", "code", "fix"),
    [
        ("and r0.x, v0.x, 0x7FFFFFFF", "P205", "write c0.x, with the bits as `.const c0 (0x7FFFFFFF, 0, 0, 0)`"),
        ("and r0.x, v0.x, 0xFF", "P205", "write c0.x, with the bits as `.const c0 (0x000000FF, 0, 0, 0)`"),
        ("shft r0.x, v0.x, 3", "P203", "for another factor write `mul r0.x, v0.x, c0.x`, and the factor in .const"),
        ("shft r0.x, v0.x, c4.y", "P203", "for another factor write `mul r0.x, v0.x, c4.y`"),
        ("bshftl8 r0.x, v0.x, 8", "P203", "write `bshftl8 r0.x, v0.x`: the distance is in the name"),
        ("mov_sat r0.x, v0.x, -1", "P203", "write `mov_sat r0.x, v0.x`, where a is v0.x: it computes a"),
        (".input position v2", "P210", "write .input v2 position"),
        (".output color1 o3", "P210", "write .output o3 color1"),
        (".input position v8", "P205", "use v and a number from 0 to 7"),
        ("again:\n    jmp again", "P201", "the core has no loops: repeat the instructions"),
        ("jmp again\nagain:", "P201", "the core has no jumps: compute both values"),
    ],
)
def test_the_fix_of_a_line(line: str, code: str, fix: str):
    found = read_source_text(f"{line}\nend\n", "x.sc").diagnostics
    assert [finding.fix for finding in found if finding.code == code and fix in finding.fix]
    assert {finding.code for finding in found if finding.severity == "error"} <= {code}


def test_a_constant_that_is_not_read_is_a_warning():
    """Programs of others have constants there. Registers are silent: the hardware waits for them."""
    program, found = read_source_text("mov r0.x, v0.x, c4.x\nmov r1.x, v0.x, r0.x\nend\n", "x.sc")[:2]
    assert program is not None
    assert [(f.code, f.severity, f.span.line) for f in found if f.code == "P203"] == [("P203", "warning", 1)]


@together(
    ("operand", "code", "fix"),
    [
        ("2.5", "P205", "write c0.x, with `.const c0 (2.5, 0, 0, 0)`"),
        ("1.0", "P205", "write -(-1)"),
        ("-0.5f", "P205", "write c0.x, with `.const c0 (-0.5, 0, 0, 0)`"),
        ("#1", "P204", "write -(-1) in the place of #1"),
        ("#2", "P204", "write c0.x, with `.const c0 (2, 0, 0, 0)`"),
        ("r8.x", "P205", "write r1, which is free, in the place of r8"),
        ("saturate(v0.x)", "P204", "write v0.x, and the instruction with _sat"),
        ("sqrt(v0.x)", "P204", "compute sqrt in an instruction before this one"),
        ("(v0.x", "P204", "balance the parentheses"),
        ("-|v0.x|", "P204", "write -abs(v0.x)"),
        ("c[3].x", "P204", "write c3.x"),
        ("v0.r", "P204", "write v0.x"),
        ("1-v0.x", "P204", "compute it in an instruction before this one"),
    ],
)
def test_the_fix_of_an_operand(operand: str, code: str, fix: str):
    [found] = read_source_text(f"add r0.x, v0.x, {operand}\nend\n", "x.sc").diagnostics
    assert (found.code, found.fix[: len(fix)]) == (code, fix)


def test_the_reference_says_it_too(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["isa", "shadercore", "dp3"]) == 2
    assert "unknown ShaderCore instruction 'dp3': write `mul r0.xyz, r1.xyz, r2.xyz`, then" in capsys.readouterr().err
    assert substitute("mov") == ""
