"""The report of `lanewise run` about a result, for every instruction set: tables, plain data, an `.npz`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.arrays.outputs import LETTERS
from lanewise.core.diagnostics import to_json
from lanewise.core.numbers.floats import float_from_bits, float_from_float24
from lanewise.core.origins import placed
from lanewise.core.plain import plain_number
from lanewise.core.service import Answer, UsageError, schema_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.arrays.results import Result
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.origins import Origins
    from lanewise.core.view import View

_NUMBERS: Mapping[str, Callable[[int], float]] = {
    "float24": float_from_float24,
    "float32": float_from_bits,
    "int32": lambda word: (word & 0xFFFFFFFF ^ 1 << 31) - (1 << 31),
}
SHOWN = 20  # lanes without --all
_GAP, _GROUP_GAP = "  ", "    "
_PLURALS = {"vertex": "vertices"}
_DIGITS = {"float24": (6, 6), "float32": (7, 8), "int32": (0, 8)}  # decimal digits of a number, hexadecimal ones of a pattern


def answered(
    view: View,
    result: Result,
    program: str,
    *,
    before: Sequence[Diagnostic] = (),
    after: Sequence[Diagnostic] | None = None,
    remarks: Sequence[str] = (),
    origins: Origins | None = None,
) -> Answer:
    """The answer of `lanewise run`: `before` are findings about the input, `after` those about the result (default: its
    warnings), which get the places of the values that they are about.

    Raises UsageError for registers that the engine does not keep.
    """
    last = tuple(placed(result.warnings if after is None else after, origins or {}))
    output, registers, failed = view.output, view.registers, bool(result.faults)
    if registers:
        try:
            _ = result.registers
        except ValueError as error:
            raise UsageError(f"--registers: {error}") from None
    files = ((output, as_npz(result, registers=registers)),) if output else ()
    if view.as_json:
        data = {"program": program, **as_data(result, registers=registers)}
        data["diagnostics"] = [to_json(finding) for finding in (*before, *last)]
        return Answer(data=data, files=files, failed=failed, result=result)
    text = table(result, everything=view.everything, bits=view.bits) + "\n"
    if registers:
        text += "\n" + register_table(result, everything=view.everything, bits=view.bits) + "\n"
    return Answer(text=text, first=tuple(before), last=last, remarks=tuple(remarks), files=files, failed=failed, result=result)


def table(result: Result, *, everything: bool = False, bits: bool = False) -> str:
    """The outputs in columns, patterns below their format: a component that the program did not write is `-`; a lane that
    stopped says why."""
    shown = result.lanes if everything else min(result.lanes, SHOWN)
    groups = [[[result.format if bits and result.ports else "", result.unit, *map(str, range(shown))]]]
    for port in result.ports:
        numbers = (result.bits if bits else result.outputs)[port.name][:shown]
        there = None if result.written is None else result.written[port.name][:shown]
        columns: list[list[str]] = []
        for place, letter in enumerate(port.components or " "):
            cells = [cell(value, result.format, bits=bits) for value in numbers[:, place].tolist()]
            if there is not None:
                cells = [text if known else "-" for text, known in zip(cells, there[:, place].tolist(), strict=True)]
            columns.append(["", letter, *cells])
        groups.append(titled(columns, port.name if port.register == port.name else f"{port.name} ({port.register})"))
    if result.killed is not None:
        states = ["killed" if killed else "live" for killed in result.killed[:shown].tolist()]
        groups.append([["", "state", *states]])
    lines = table_lines(groups)
    for fault in result.faults:
        if fault.lane < shown:
            lines[fault.lane + 2] += f"{_GAP}stopped: {fault.fault.code}"
    if len(groups) == 1 and not result.faults:
        lines = ["the program has no outputs"]
    units = _PLURALS.get(result.unit, f"{result.unit}s")
    if shown < result.lanes:
        lines.append(f"... {result.lanes - shown} more {units} (--all shows them, -o FILE.npz writes them)")
    if not result.lanes:
        lines.append(f"no {units}")
    return "\n".join(line.rstrip() for line in lines)


def register_table(result: Result, *, everything: bool = False, bits: bool = False) -> str:
    """The registers at the end: a line for each lane and register. Raises ValueError where the engine has none."""
    registers = result.registers
    lanes = max((len(array) for array in registers.values()), default=0)  # of a wave, where lanes run together
    shown = lanes if everything else min(lanes, SHOWN)
    most = max((array.shape[1] for array in registers.values()), default=0)
    rows = [[result.unit if lanes == result.lanes else "lane", "register", *LETTERS[:most]]]
    numbers = {
        name: array[:shown].tolist() if bits else _numbers(result, name, array[:shown]) for name, array in registers.items()
    }
    for lane in range(shown):
        for name, values in numbers.items():
            form = result.register_formats.get(name, result.format)
            cells = [cell(value, form, bits=bits) for value in values[lane]]
            rows.append([str(lane), name, *cells, *[""] * (most - len(cells))])
    lines = table_lines([[["", *column] for column in zip(*rows, strict=True)]])[1:]
    if shown < lanes:
        lines.append(f"... {lanes - shown} more (--all shows them)")
    return "\n".join(line.rstrip() for line in lines)


def cell(value: float, form: str, *, bits: bool) -> str:
    """A number of a format as a table shows it, or its pattern."""
    digits, pattern = _DIGITS.get(form, (0, 8))
    if bits:
        return f"0x{int(value) & 0xFFFFFFFF:0{pattern}X}"
    return f"{value:.{digits}g}" if digits else str(value)


def _numbers(result: Result, register: str, patterns: NDArray[Any]) -> list[list[float]]:
    """The numbers that patterns of a register are: unsigned integers in formats other than float32, float24 and int32."""
    number = _NUMBERS.get(result.register_formats.get(register, result.format))
    rows: list[list[int]] = patterns.tolist()
    return [[number(word) for word in row] for row in rows] if number is not None else [[*row] for row in rows]


def titled(columns: list[list[str]], title: str) -> list[list[str]]:
    """The columns of an output, wide enough together for its title, which is over the first."""
    if not columns:
        return [[title, *[""] * 0]]
    widths = [max(map(len, column)) for column in columns]
    lacking = len(title) - sum(widths) - len(_GAP) * (len(widths) - 1)
    if lacking > 0:
        columns[0] = [cell.rjust(widths[0] + lacking) for cell in columns[0]]
    columns[0][0] = title
    return columns


def table_lines(groups: Sequence[list[list[str]]]) -> list[str]:
    """The columns side by side, numbers to the right; a title takes the width of its whole group."""
    parts: list[list[str]] = []
    for columns in groups:
        widths = [max(map(len, column[1:])) for column in columns]
        rows = [
            _GAP.join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
            for row in list(zip(*columns, strict=True))[1:]
        ]
        parts.append([columns[0][0].ljust(len(rows[0])), *rows])
    return [_GROUP_GAP.join(row) for row in zip(*parts, strict=True)]


def document(result: Result) -> dict[str, object]:
    """A result of Python as the command prints it."""
    findings = [to_json(finding) for finding in result.warnings]
    return {"schema": schema_name("run"), "isa": result.isa, **as_data(result), "diagnostics": findings}


def as_data(result: Result, *, registers: bool = False) -> dict[str, object]:
    """Everything as plain values, by `lanewise schema run`, without findings. Numbers that JSON has no way to write are the
    texts NaN, Infinity, -Infinity."""
    more: dict[str, object] = {}
    if result.killed is not None:
        more["killed"] = result.killed.tolist()
    if registers:
        more["registers"] = {
            name: {
                "format": result.register_formats.get(name, result.format),
                "values": _textual(_numbers(result, name, array)),
                "bits": array.tolist(),
            }
            for name, array in result.registers.items()
        }
    return {
        "variant": result.variant,
        "engine": result.engine,
        "lanes": result.lanes,
        "unit": result.unit,
        "format": result.format,
        "inputs_without_data": list(result.zeroed),
        "outputs": {
            port.name: {
                "register": port.register,
                "components": port.components,
                "values": plain(result.outputs[port.name]),
                "bits": result.bits[port.name].tolist(),
                **({"written": result.written[port.name].tolist()} if result.written is not None else {}),
            }
            for port in result.ports
        },
        **more,
        "faults": [
            {
                "lane": lane.lane,
                "code": lane.fault.code,
                "message": lane.fault.message,
                "word": lane.fault.pc,
                "step": lane.fault.step,
            }
            for lane in result.faults
        ],
    }


def plain(array: NDArray[Any]) -> list[Any]:
    """The numbers of an array as lists; those that JSON has no way to write are text."""
    rows = array.tolist()
    return _textual(rows) if array.dtype.kind == "f" else rows


def _textual(rows: list[Any]) -> list[Any]:
    return [_textual(row) if isinstance(row, list) else plain_number(row) for row in rows]  # pyright: ignore[reportUnknownArgumentType]


def as_npz(result: Result, *, registers: bool = False) -> bytes:
    """An `.npz` of arrays by the names of outputs; the same as patterns as NAME_bits; the numbers of the lanes that stopped as
    `faults`; for pixels whether they were discarded as `killed`; with `registers` their patterns at the end as
    register_NAME."""
    import numpy as np

    from lanewise.arrays.npz import npz_bytes

    arrays: dict[str, NDArray[Any]] = {port.name: result.outputs[port.name] for port in result.ports}
    arrays |= {f"{port.name}_bits": result.bits[port.name] for port in result.ports}
    arrays["faults"] = np.array([fault.lane for fault in result.faults], np.int64)
    if result.killed is not None:
        arrays["killed"] = result.killed
    if registers:
        arrays |= {f"register_{name}": array for name, array in result.registers.items()}
    return npz_bytes(arrays)
