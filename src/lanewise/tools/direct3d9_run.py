"""`lanewise run` for Direct3D 9 shaders: vertices or pixels, under the number rule that is asked for."""

from __future__ import annotations

import json
import math
import sys
from typing import TYPE_CHECKING

import numpy as np

from lanewise.arrays.values import read_value
from lanewise.core.diagnostics import InputError, to_json
from lanewise.core.document import columns
from lanewise.core.engines import ENGINES
from lanewise.direct3d9.api.shader import read_direct3d9
from lanewise.direct3d9.engine.data import MOST_TURNS
from lanewise.direct3d9.isa.choices import CHOICES
from lanewise.direct3d9.isa.table import CONSTBOOL, CONSTINT
from lanewise.direct3d9.sem.rules import IEEE, NAMES, rule_of
from lanewise.pica200.api.services.run_report import npz_bytes
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    STDIO,
    InputFailure,
    UsageError,
    add_format,
    make_parser,
    print_findings,
    read_bytes,
    read_included,
    write_bytes,
)
from lanewise.tools.devices import read_device

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.direct3d9.api.shader import Direct3DResult, Direct3DShader
    from lanewise.direct3d9.sem.rules import Rule

SHOWN = 20
_TRUTH = {"true": True, "1": True, "on": True, "yes": True, "false": False, "0": False, "off": False, "no": False}

_EPILOG = (
    """values:
  1,2,3            one vector; for an input, the same for every lane
  1,2,3;4,5,6      rows: one for each lane, or each register of a constant
  data.npy         data.npz:key      table.csv      table.csv:x,y,z
  words:0x3F800000 raw float32 patterns; in front of any of the above

Components of an input that are not given are those of (0, 0, 0, 1); constants are 0, what the shader defines itself goes before.
Inputs and outputs are called by their usage (position, texcoord1) or register (v0, t1, oPos, oC0).

number rules:
  ieee      IEEE 754 binary32, to nearest
  d3d9      the same with 0 times anything 0, as the hardware of Direct3D 9 has it
  document, rtl, or --device FILE.toml: a ShaderCore, word for word; EXP and LOG of rtl give 0

--set answers what is left open: """
    + ", ".join(choice.key for choice in CHOICES)
    + """;
and the fields of a device. lanewise isa direct3d9 --evidence says what is known of each.

examples:
  lanewise run light.vso --input position="0,0,0;1,2,3" --const c0="1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1"
  lanewise run skin.vsa -i v0=verts.npy --int i0=4,0,3 --bool b0=true --rule d3d9 --format json
  lanewise run glow.psa -i t0=0.5,0.5 --sampler 0=1,0.5,0.25,1 --rule rtl --bits
  lanewise run light.vso -i position=1,2,3 --set rcp_zero=largest,scalar=x
  lanewise run light.vso -i position=verts.npy --device document -o out.npz

Exit codes: 0 fine, 1 the input has errors or loops run too long, 2 wrong usage."""
)


def parser() -> argparse.ArgumentParser:
    made = make_parser(
        "lanewise run", "Run a Direct3D 9 shader over vertices or pixels.", _EPILOG, "lanewise run --isa direct3d9 --help"
    )
    made.add_argument(
        "file", metavar="FILE", help="a token stream, or a source that begins with its version; - is standard input"
    )
    made.add_argument("-i", "--input", action="append", default=[], metavar="NAME=VALUE", help="data for an input")
    made.add_argument(
        "-c",
        "--const",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="constants: cN, a name of the shader's table, bumpN",
    )
    made.add_argument(
        "--int", action="append", default=[], metavar="iN=COUNT,START,STEP", help="an integer constant, for loops"
    )
    made.add_argument("--bool", action="append", default=[], metavar="bN=TRUTH", help="a boolean constant")
    made.add_argument(
        "--sampler", action="append", default=[], metavar="N=VALUE", help="what a sampler gives: a color, or one for each pixel"
    )
    made.add_argument("--count", type=int, metavar="N", help="how many lanes (default: as many as the inputs have)")
    made.add_argument("--rule", choices=NAMES, help=f"the number rule (default: {IEEE})")
    made.add_argument(
        "--device", metavar="NAME", help="the rule of a ShaderCore: document, rtl, or a TOML file that begins with one of them"
    )
    made.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="another answer to an open question; commas between several",
    )
    made.add_argument(
        "--engine", choices=ENGINES, default="auto", help="who computes; the answer is the same (default: %(default)s)"
    )
    made.add_argument(
        "--turns", type=int, default=MOST_TURNS, metavar="N", help="the most turns that loops may take (default: %(default)s)"
    )
    made.add_argument("--isa", choices=("direct3d9",), help="for files that do not show what they are")
    made.add_argument("--bits", action="store_true", help="show patterns instead of numbers")
    made.add_argument("--all", action="store_true", help="show all lanes, not only the first ones")
    made.add_argument(
        "-o", "--output", metavar="FILE.npz", help="write all outputs, float32 under their names; - is standard output"
    )
    add_format(made)
    return made


def main(argv: list[str], content: bytes | None = None) -> int:
    """`content`: what is in the file, if it has been read already."""
    options = parser().parse_args(argv)
    rule = _rule(options)
    if options.output is not None and options.output != STDIO and not options.output.lower().endswith(".npz"):
        raise UsageError(f"-o {options.output}: outputs are written as .npz")
    if options.format == "json" and options.output == STDIO:
        raise UsageError("--format json and -o - both want standard output: name a file")
    if options.turns < 1:
        raise UsageError("--turns is at least 1")
    data = read_bytes(options.file) if content is None else content
    try:
        shader = read_direct3d9(data, "<stdin>" if options.file == STDIO else options.file, read=read_included)
        result = shader.run(
            _values(options.input, "--input"),
            constants=_values(options.const, "--const"),
            integers={name: _integers(value, f"--int {name}") for name, value in _pairs(options.int, "--int")},
            booleans={name: _boolean(value, f"--bool {name}") for name, value in _pairs(options.bool, "--bool")},
            samplers={
                _stage(name): read_value(value, f"--sampler {name}") for name, value in _pairs(options.sampler, "--sampler")
            },
            rule=rule,
            count=options.count,
            engine=options.engine,
            turns=options.turns,
        )
    except InputError as error:
        print_findings(error.diagnostics, options.format, sys.stdout if options.format == "json" else None)
        return INPUT_HAS_ERRORS
    given = {name.lower() for name, _ in _pairs(options.input, "--input")}
    if options.output is not None:
        _save(options.output, shader, result)
    unset = list(dict.fromkeys(port.name for port in shader.inputs if not given & set(port.names)))
    if options.format == "json":
        print(json.dumps(_as_json(shader, result, unset), indent=2))
        return OK
    print_findings(shader.diagnostics)
    if unset:
        print(f"lanewise run: no data for {', '.join(unset)}: 0, 0, 0, 1 in all lanes", file=sys.stderr)
    idle = _idle(shader, options)
    if idle:
        print(f"lanewise run: the shader does not read {', '.join(idle)}, or defines it itself", file=sys.stderr)
    if options.engine == "llvm" and result.reason:
        print(f"lanewise run: the reference engine ran it: {result.reason}", file=sys.stderr)
    if options.output != STDIO:
        print(_table(shader, result, bits=options.bits, everything=options.all))
    return OK


def _save(path: str, shader: Direct3DShader, result: Direct3DResult) -> None:
    """Raises InputFailure."""
    killed = {} if result.killed is None else {"killed": result.killed}
    write_bytes(path, npz_bytes({port.name: result.outputs[port.name] for port in shader.outputs} | killed))


def _idle(shader: Direct3DShader, options: argparse.Namespace) -> list[str]:
    """The i# and b# of the command line that change nothing: a wrong number is seen at once."""
    flow = shader.flow
    read = {(source.file, source.number) for inst in flow.insts for source in inst.sources}
    found: list[str] = []
    for option, texts, file, own in (
        ("--int", options.int, CONSTINT, flow.integers),
        ("--bool", options.bool, CONSTBOOL, flow.booleans),
    ):
        for name, _ in _pairs(texts, option):
            digits = name[1:]
            if name[:1].lower() in "ib" and digits.isdigit() and (int(digits) in own or (file, int(digits)) not in read):
                found.append(name)
    return found


def _rule(options: argparse.Namespace) -> Rule:
    if options.rule and options.device:
        raise UsageError("--rule and --device both name a number rule: give one of them")
    try:
        if options.device:
            rule = rule_of(read_device(options.device) if options.device.lower().endswith(".toml") else options.device)
        else:
            rule = rule_of(options.rule or IEEE)
        return rule.set(",".join(options.set)) if options.set else rule
    except ValueError as error:
        raise UsageError(str(error)) from None


def _pairs(texts: Sequence[str], option: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"{option} {text}: write NAME=VALUE")
        if name.strip() in [before for before, _ in found]:
            raise UsageError(f"{option} {name.strip()} is given twice")
        found.append((name.strip(), value))
    return found


def _values(texts: Sequence[str], option: str) -> dict[str, object]:
    return {name: read_value(value, f"{option} {name}") for name, value in _pairs(texts, option)}


def _integers(text: str, what: str) -> list[int]:
    try:
        return [int(part, 0) for part in text.split(",")]
    except ValueError:
        raise InputFailure(f"{what}: whole numbers are needed: count, start, step") from None


def _boolean(text: str, what: str) -> bool:
    if text.strip().lower() not in _TRUTH:
        raise InputFailure(f"{what}: true or false, not '{text}'")
    return _TRUTH[text.strip().lower()]


def _stage(name: str) -> int:
    digits = name.lower().removeprefix("s")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 3):
        raise UsageError(f"--sampler {name}: write N=VALUE, N the number of the sampler")
    return int(digits)


def _as_json(shader: Direct3DShader, result: Direct3DResult, unset: Sequence[str]) -> dict[str, object]:
    outputs: list[dict[str, object]] = []
    for port in shader.outputs:
        numbers, words = result.outputs[port.register], result.words[port.register]
        for n, component in enumerate(port.components):
            column = n if numbers.shape[1] < 4 else component
            values = [float(value) for value in numbers[:, column]]
            outputs.append({
                "register": f"{port.register}.{'xyzw'[component]}",
                "usage": port.name,
                "values": [value if math.isfinite(value) else None for value in values],
                "bits": [f"0x{int(word):08X}" for word in words[:, column]],
            })  # fmt: skip
    return {
        "version": shader.shader.version.name,
        "rule": result.rule.describe(),
        "engine": result.engine,
        "lanes": result.lanes,
        "inputs_without_data": list(unset),
        "outputs": outputs,
        **({"killed": [bool(value) for value in result.killed]} if result.killed is not None else {}),
        "diagnostics": [to_json(finding) for finding in shader.diagnostics],
    }


def _table(shader: Direct3DShader, result: Direct3DResult, *, bits: bool, everything: bool) -> str:
    if not shader.outputs and result.killed is None:
        return "the shader writes no output"
    shown = result.lanes if everything else min(result.lanes, SHOWN)
    lines: list[list[str]] = [["lane", "output", *"xyzw"[:4]]]
    for lane in range(shown):
        for port in shader.outputs:
            grid: NDArray[Any] = (result.words if bits else result.outputs)[port.register]
            row = grid[lane]
            cells = [f"0x{int(value):08X}" if bits else f"{np.float32(value):.7g}" for value in row]
            parts = {c: cells[n if len(cells) < 4 else c] for n, c in enumerate(port.components)}
            lines.append([str(lane), f"{port.register} {port.name}", *[parts.get(c, "") for c in range(4)]])
        if result.killed is not None:
            lines.append([str(lane), "killed" if result.killed[lane] else "lives", "", "", "", ""])
    text = columns(lines)
    if shown < result.lanes:
        text.append(f"... {result.lanes - shown} more lanes (--all shows them)")
    return "\n".join(line.rstrip() for line in text)
