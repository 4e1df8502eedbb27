"""`lanewise run` for ShaderCore programs: vertices in waves of 16 lanes, as a device computes them."""

from __future__ import annotations

import json
import math
import struct
import sys
from typing import TYPE_CHECKING, cast

import numpy as np

from lanewise.core.diagnostics import to_json
from lanewise.engine.binding import Words
from lanewise.engine.wave import Core, Hang, run_vertices
from lanewise.isa.shadercore import FILES
from lanewise.isa.shadercore_program import usage_byte, usage_name, used_inputs, used_outputs
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    InputFailure,
    UsageError,
    add_format,
    make_parser,
    print_findings,
    read_bytes,
)
from lanewise.tools.devices import add_device, device_of
from lanewise.tools.document import columns
from lanewise.tools.shadercore_files import SUFFIX, add_from, load_bytes
from lanewise.tools.vertex_data import read_value

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from lanewise.isa.shadercore_devices import Register
    from lanewise.isa.shadercore_program import Program

SHOWN = 20

_EPILOG = """values:
  1,2,3            one vector; for an input, the same for every vertex
  1,2,3;4,5,6      rows: one for each vertex
  data.npy         data.npz:key      table.csv      table.csv:x,y,z
  words:0x3F800000 raw float32 patterns; in front of any of the above

Components of an input that are not given are not written, as on the hardware: they keep 0.

examples:
  lanewise run light.sc --input position="0,0,0;1,2,3" --const c0=1,0,0,0
  lanewise run light.scbin --input v0=verts.npy --device document --format json
  lanewise run light.sc --input position=0,1,2 --set rsq_gate=fixed,rcp_sigma=fixed --bits

Exit codes: 0 fine, 1 the input has errors or the program never ends, 2 wrong usage."""


def parser() -> argparse.ArgumentParser:
    made = make_parser("lanewise run", "Run a ShaderCore program on vertex data, in waves of 16 lanes.", _EPILOG)
    made.add_argument("file", metavar="FILE", help="a source (.sc), a file with a header, or words in any form")
    made.add_argument(
        "-i", "--input", action="append", default=[], metavar="NAME=VALUE", help="data for an input, by usage or v0-v7"
    )
    made.add_argument(
        "-c", "--const", action="append", default=[], metavar="cN=VALUE", help="a constant; goes before those of the source"
    )
    made.add_argument("--count", type=int, metavar="N", help="how many vertices (default: as many as the inputs have)")
    add_device(made)
    add_from(made)
    made.add_argument("--isa", choices=("shadercore",), help="for files that do not show what they are")
    made.add_argument("--bits", action="store_true", help="show patterns instead of numbers")
    made.add_argument("--all", action="store_true", help="show all vertices, not only the first ones")
    add_format(made)
    return made


def asks_for_shadercore(argv: Sequence[str]) -> bool:
    """Whether a command line of `lanewise run` names a ShaderCore program: by its suffix, `--isa` or `--from`."""
    if any(argument in ("--isa=shadercore", "--from") or argument.startswith("--from=") for argument in argv):
        return True
    pairs = list(zip(["", *argv], argv, strict=False))
    return ("--isa", "shadercore") in pairs or any(
        argument.lower().endswith((SUFFIX, ".scbin")) and before not in ("-o", "--output") for before, argument in pairs
    )


def main(argv: list[str]) -> int:
    options = parser().parse_args(argv)
    device = device_of(options)
    loaded = load_bytes(read_bytes(options.file), options.file, options.form)
    program = loaded.program
    if program is None:
        print_findings(loaded.diagnostics, options.format, sys.stdout if options.format == "json" else None)
        return INPUT_HAS_ERRORS
    rows = _inputs(program, options.input)
    count = _count({register: len(values) for register, values in rows.items()}, options.count)
    given = {
        (register, component): [values[vertex if len(values) > 1 else 0][component] for vertex in range(count)]
        for register, values in rows.items()
        for component in range(len(values[0]))
    }
    core = Core(program.insts, device, _constants(program, options.const))
    try:
        outputs = run_vertices(core, given, count)
    except Hang as hang:
        raise InputFailure(f"{options.file} never ends on {device.describe()}: {hang}") from None
    unset = sorted(used_inputs(program.insts) - rows.keys())
    if unset and options.format == "text":
        print_findings(loaded.diagnostics)
        names = ", ".join(f"v{n}" for n in unset)
        print(f"lanewise run: no data for {names}, which the program reads: 0 in all lanes", file=sys.stderr)
    shown = [place for place in outputs if place[1] in used_outputs(program.insts)]
    if options.format == "json":
        data = {
            "device": device.describe(),
            "vertices": count,
            "inputs_without_data": [f"v{n}" for n in unset],
            "outputs": [_output(program, place, outputs[place]) for place in shown],
            "diagnostics": [to_json(finding) for finding in loaded.diagnostics],
        }
        print(json.dumps(data, indent=2))
    else:
        print(_table(program, shown, outputs, count, bits=options.bits, everything=options.all))
    return OK


def _inputs(program: Program, texts: Sequence[str]) -> dict[int, list[list[int]]]:
    """Patterns by input register: rows of components, one row for all vertices or one for each. Raises UsageError, InputFailure."""
    found: dict[int, list[list[int]]] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--input {text}: write NAME=VALUE")
        register = _register(program, name.strip())
        if register in found:
            raise UsageError(f"--input {name}: v{register} has data already")
        found[register] = _patterns(value, f"--input {name}")
    return found


def _register(program: Program, name: str) -> int:
    """The number of an input, by its register or by what it is. Raises UsageError."""
    if (
        name[:1].lower() == "v"
        and name[1:].isascii()
        and name[1:].isdigit()
        and len(name) < 4
        and int(name[1:]) < FILES["v"].size
    ):
        return int(name[1:])
    usage = usage_byte(name)
    read = used_inputs(program.insts)
    numbers = [n for n, byte in enumerate(program.inputs) if byte == usage and (byte or n in read)]
    if usage is None or len(numbers) != 1:
        listed = ", ".join(f"{usage_name(program.inputs[n])} (v{n})" for n in sorted(read))
        raise UsageError(
            f"--input {name}: the program has {'no' if not numbers else 'more than one'} such input; it reads {listed or 'none'}"
        )
    return numbers[0]


def _patterns(text: str, what: str) -> list[list[int]]:
    """Rows of float32 patterns, one to four in a row. Raises InputFailure."""
    value = read_value(text, what)
    array = np.asarray(value.array if isinstance(value, Words) else value)
    if array.ndim == 0 or array.ndim > 2 or not 1 <= array.shape[-1] <= 4 or array.shape[0] < 1:
        raise InputFailure(f"{what}: rows of one to four numbers are needed, not the shape {array.shape}")
    grid = array.reshape(-1, array.shape[-1])
    if isinstance(value, Words):
        if grid.min() < 0 or grid.max() >= 1 << 32:
            raise InputFailure(f"{what}: a word has 32 bits")
        return cast("list[list[int]]", grid.tolist())
    if grid.dtype.kind not in "fiub":
        raise InputFailure(f"{what}: numbers are needed")
    with np.errstate(over="ignore"):
        return cast("list[list[int]]", np.ascontiguousarray(grid.astype(np.float32)).view(np.uint32).tolist())


def _constants(program: Program, texts: Sequence[str]) -> dict[tuple[int, int], int]:
    """Patterns by (register, component): those of the source, and of the command line. Raises UsageError, InputFailure."""
    found = {(number, n): value for number, values in program.constants for n, value in enumerate(values)}
    for text in texts:
        name, equals, value = text.partition("=")
        digits = name.strip()[1:]
        if (
            not equals
            or name.strip()[:1].lower() != "c"
            or not digits.isascii()
            or not digits.isdigit()
            or len(digits) > 3
            or int(digits) > 255
        ):
            raise UsageError(f"--const {text}: write cN=VALUE, N from 0 to 255")
        for row, values in enumerate(_patterns(value, f"--const {name}")):
            if int(digits) + row > 255:
                raise UsageError(f"--const {name}: there are more rows than registers up to c255")
            found |= {(int(digits) + row, n): pattern for n, pattern in enumerate(values)}
    return found


def _count(sizes: dict[int, int], asked: int | None) -> int:
    """How many vertices there are. Raises UsageError."""
    several = {size for size in sizes.values() if size > 1}
    if len(several) > 1:
        raise UsageError(
            f"inputs have different numbers of rows: {', '.join(f'v{n} {size}' for n, size in sorted(sizes.items()))}"
        )
    count = asked if asked is not None else max(several, default=1)
    if count < 1 or (several and count > min(several)):
        raise UsageError(
            f"--count {count}: there {'are' if several else 'is'} {min(several, default=1)} to run"
            if count > 0
            else f"--count {count}: at least 1"
        )
    return count


def _number(bits: int) -> float:
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def _output(program: Program, place: Register, values: list[int]) -> dict[str, object]:
    numbers = [_number(value) for value in values]
    return {
        "register": _name(place),
        "usage": usage_name(program.outputs[place[1]]),
        "values": [number if math.isfinite(number) else None for number in numbers],
        "bits": [f"0x{value:08X}" for value in values],
    }


def _name(place: Register) -> str:
    return f"{place[0]}{place[1]}.{'xyzw'[place[2]]}"


def _table(
    program: Program,
    places: Sequence[Register],
    outputs: dict[Register, list[int]],
    count: int,
    *,
    bits: bool,
    everything: bool,
) -> str:
    if not places:
        return "the program writes no output that leaves the core"
    shown = count if everything else min(count, SHOWN)
    rows = [["vertex", *map(_name, places)]]
    for vertex in range(shown):
        cells = [f"0x{outputs[place][vertex]:08X}" if bits else f"{_number(outputs[place][vertex]):.7g}" for place in places]
        rows.append([str(vertex), *cells])
    lines = columns(rows)
    if shown < count:
        lines.append(f"... {count - shown} more vertices (--all shows them)")
    return "\n".join(lines)
