"""`lanewise run` for ShaderCore programs: vertices in waves of 16 lanes, as a device computes them."""

from __future__ import annotations

import json
import math
import struct
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from lanewise.arrays.values import read_value
from lanewise.core.diagnostics import InputError, to_json
from lanewise.core.document import columns
from lanewise.core.engines import ENGINES
from lanewise.pica200.api.services.run_report import npz_bytes
from lanewise.shadercore.api.interface import interface_beside
from lanewise.shadercore.api.program import ShaderCoreProgram, read_shadercore
from lanewise.shadercore.isa.program import usage_name, used_outputs
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    STDIO,
    UsageError,
    add_format,
    make_parser,
    print_findings,
    read_bytes,
    write_bytes,
)
from lanewise.tools.devices import add_device, device_of
from lanewise.tools.shadercore_files import add_from
from lanewise.tools.streams import add_streams, read_indices, read_streams

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from lanewise.arrays.words import Words
    from lanewise.shadercore.api.results import WaveResult

SHOWN = 20

_EPILOG = """values:
  1,2,3            one vector; for an input, the same for every vertex
  1,2,3;4,5,6      rows: one for each vertex
  data.npy         data.npz:key      table.csv      table.csv:x,y,z
  words:0x3F800000 raw float32 patterns; in front of any of the above

Components of an input that are not given are not written: they keep 0, or what --initial says. A program that was
compiled comes with its constants and with names of its inputs, in a .json file beside it; components that are not
given are those of (0, 0, 0, 1) then, and --const i0=4 or b0=1 gives the numbers that it reads.

examples:
  lanewise run light.sc --input position="0,0,0;1,2,3" --const c0=1,0,0,0
  lanewise run light.scbin --input v0=verts.npy --device document --format json
  lanewise run light.sc --input position=0,1,2 --set rsq_gate=fixed,rcp_sigma=fixed --bits
  lanewise run light.sc --stream position=float3:mesh.bin:0:4 --stream color=d3dcolor:mesh.bin:3:4
  lanewise run light.sc --stream position=float3:mesh.bin --indices tris.u16 -o out.npz

Exit codes: 0 fine, 1 the input has errors or the program never ends, 2 wrong usage."""


def parser() -> argparse.ArgumentParser:
    made = make_parser(
        "lanewise run",
        "Run a ShaderCore program on vertex data, in waves of 16 lanes.",
        _EPILOG,
        "lanewise run --isa shadercore --help",
    )
    made.add_argument(
        "file", metavar="FILE", help="a source (.sc), a file with a header, or words in any form; - is standard input"
    )
    made.add_argument(
        "-i", "--input", action="append", default=[], metavar="NAME=VALUE", help="data for an input, by usage or v0-v7"
    )
    made.add_argument(
        "-c",
        "--const",
        action="append",
        default=[],
        metavar="cN=VALUE",
        help="a constant, rows from there on; goes before those of the source",
    )
    made.add_argument("--initial", action="append", default=[], metavar="REG=VALUE", help="what a register holds before the first wave: r0.x=1, or 16 "
                      "numbers for the lanes; r0=1,2,3,4, or 16 rows (default: 0)")  # fmt: skip
    add_streams(made)
    made.add_argument("--count", type=int, metavar="N", help="how many vertices (default: as many as the inputs have)")
    add_device(made)
    made.add_argument(
        "--engine",
        choices=ENGINES,
        default="auto",
        help="who computes the vertices; the answer is the same (default: %(default)s)",
    )
    made.add_argument("--threads", type=int, default=1, metavar="N", help="on how many threads (default: %(default)s)")
    add_from(made)
    made.add_argument("--isa", choices=("shadercore",), help="for files that do not show what they are")
    made.add_argument("--bits", action="store_true", help="show patterns instead of numbers")
    made.add_argument("--all", action="store_true", help="show all vertices, not only the first ones")
    made.add_argument(
        "-o", "--output", metavar="FILE.npz", help="write all outputs, float32 under their names; - is standard output"
    )
    add_format(made)
    return made


def main(argv: list[str], content: bytes | None = None) -> int:
    """`content`: what is in the file, if it has been read already."""
    options = parser().parse_args(argv)
    as_json = options.format == "json"
    if options.threads < 1:
        raise UsageError("--threads is at least 1")
    if options.count is not None and options.count < 1:
        raise UsageError(f"--count {options.count}: at least 1")
    if options.output is not None and options.output != STDIO and not options.output.lower().endswith(".npz"):
        raise UsageError(f"-o {options.output}: outputs are written as .npz")
    if as_json and options.output == STDIO:
        raise UsageError("--format json and -o - both want standard output: name a file")
    device = device_of(options)
    try:
        data = read_bytes(options.file) if content is None else content
        program = read_shadercore(data, "<stdin>" if options.file == STDIO else options.file, options.form)
        program = program.with_interface(interface_beside(options.file))
        if not as_json:
            print_findings(program.diagnostics)
            if program.beside is not None:
                print(f"lanewise run: constants and names of inputs are those of {program.beside.path}", file=sys.stderr)
        result = program.run(
            _values(options.input, "--input", "NAME"),
            _values(options.const, "--const", "cN"),
            device=device,
            engine=options.engine,
            threads=options.threads,
            count=options.count,
            streams=read_streams(options.stream),
            indices=read_indices(options.indices),
            initial=_initial(_values(options.initial, "--initial", "REG")),
        )
    except InputError as error:
        print_findings(error.diagnostics, options.format, sys.stdout if as_json else None)
        return INPUT_HAS_ERRORS
    said = result.warnings[len(program.diagnostics) :]
    if options.output is not None:
        _save(options.output, result)
    if as_json:
        print(json.dumps(_data(program, result), indent=2))
    else:
        print_findings(said)
        if options.output != STDIO:
            print(_table(program, result, bits=options.bits, everything=options.all))
    return OK


def _values(texts: Sequence[str], option: str, what: str) -> dict[str, NDArray[Any] | Words]:
    """Values of an option by name. Raises UsageError, InputFailure."""
    found: dict[str, NDArray[Any] | Words] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise UsageError(f"{option} {text}: write {what}=VALUE")
        if name in found:
            raise UsageError(f"{option} {name} is given twice")
        found[name] = read_value(value, f"{option} {name}")
    return found


def _initial(values: dict[str, NDArray[Any] | Words]) -> dict[str, NDArray[Any] | Words]:
    """Single numbers as such: the command line has them as vectors of one."""
    from lanewise.arrays.words import Words as Patterns

    def single(value: NDArray[Any] | Words) -> NDArray[Any] | Words:
        array = value.array if isinstance(value, Patterns) else value
        if array.shape != (1,):
            return value
        return Patterns(array[0]) if isinstance(value, Patterns) else array[0]

    return {name: single(value) for name, value in values.items()}


def _save(path: str, result: WaveResult) -> None:
    """Raises InputFailure."""
    write_bytes(path, npz_bytes({name: result.outputs[name] for name in result.outputs}))


def _shown(program: ShaderCoreProgram, result: WaveResult) -> list[tuple[int, int, NDArray[np.uint32]]]:
    """(output, component, patterns) of the outputs that the program writes."""
    written = used_outputs(program.insts)
    found: list[tuple[int, int, NDArray[np.uint32]]] = []
    for name in result.bits:
        number = int(program.outputs[name][1:])
        if number in written:
            array = result.bits[name]
            found += [(number, n, array[:, n]) for n in range(array.shape[1])]
    return sorted(found, key=lambda row: row[:2])


def _data(program: ShaderCoreProgram, result: WaveResult) -> dict[str, object]:
    outputs: list[dict[str, object]] = []
    for number, component, patterns in _shown(program, result):
        numbers = [_number(value) for value in patterns.tolist()]
        outputs.append({
            "register": _name(number, component),
            "usage": usage_name(program.program.outputs[number]),
            "values": [value if math.isfinite(value) else None for value in numbers],
            "bits": [f"0x{value:08X}" for value in patterns.tolist()],
        })  # fmt: skip
    unset = [finding.message.split()[3] for finding in result.warnings if finding.code == "B202"]
    return {
        "device": result.device.describe(),
        "vertices": result.vertices,
        "inputs_without_data": [name.rstrip(",") for name in unset],
        "outputs": outputs,
        "diagnostics": [to_json(finding) for finding in result.warnings],
    }


def _number(bits: int) -> float:
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def _name(number: int, component: int) -> str:
    return f"o{number}.{'xyzw'[component]}"


def _table(program: ShaderCoreProgram, result: WaveResult, *, bits: bool, everything: bool) -> str:
    listed = _shown(program, result)
    if not listed:
        return "the program writes no output that leaves the core"
    shown = result.vertices if everything else min(result.vertices, SHOWN)
    rows = [["vertex", *(_name(number, component) for number, component, _ in listed)]]
    for vertex in range(shown):
        values = [int(patterns[vertex]) for _, _, patterns in listed]
        rows.append([str(vertex), *(f"0x{value:08X}" if bits else f"{_number(value):.7g}" for value in values)])
    lines = columns(rows)
    if shown < result.vertices:
        lines.append(f"... {result.vertices - shown} more vertices (--all shows them)")
    return "\n".join(lines)
