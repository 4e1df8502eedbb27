"""States as files of shader tests: a test of some vertices that `lanewise test` runs, and the whole state in a comment."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from math import isnan
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from lanewise_studio.state import State, plain_state, read_state, refused
from lanewise_studio.subject import BOOLEAN, INTEGER

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lanewise_studio.evaluation import Evaluation

SUFFIX = ".shadertest.toml"
MARK = "# studio: "
_VERTICES = 8
_MOST = 32 << 20  # bytes of a state in a file


def save(evaluation: Evaluation) -> tuple[str, str]:
    """The name and the text of a file."""
    program, state = evaluation.program, evaluation.state
    names = [source.name for source in program.sources]
    lines = [
        f"# A state of lanewise studio: `lanewise test` runs it on {_VERTICES} of its vertices, `lanewise studio` opens all of it.",
        f"{MARK}{_packed(plain_state(state))}",
        f"program = {json.dumps(names[0] if len(names) == 1 else names)}",
    ]
    if state.profile:
        lines.append(f"{program.option} = {json.dumps(state.profile)}")
    lines.append("defaults = 0")
    tables: dict[str, list[str]] = {"uniforms": [], "integers": [], "booleans": []}
    for control in evaluation.controls:
        row, value = control.uniform, control.value
        if row.kind == BOOLEAN:
            tables["booleans"].append(f"{_key(row.name)} = {json.dumps(bool(value.reshape(-1)[0]))}")
        elif row.kind == INTEGER:
            tables["integers"].append(f"{_key(row.name)} = {json.dumps([int(number) for number in value.reshape(-1)])}")
        else:
            rows = [_numbers(each) for each in value] if row.registers > 1 else _numbers(value.reshape(-1))
            tables["uniforms"].append(f"{_key(row.name)} = {_toml(rows)}")
    for name, rows in tables.items():
        if rows:
            lines += ["", f"[{name}]", *rows]
    emits = evaluation.subject.emits
    chosen = (
        np.arange(evaluation.vertices) if emits else np.unique(np.linspace(0, evaluation.vertices - 1, _VERTICES).astype(int))
    )
    lines += ["", "[[test]]", f"name = {json.dumps(f'{evaluation.mesh.path}, {len(chosen)} vertices')}", "", "[test.inputs]"]
    for row in evaluation.inputs:
        given = row.values if len(row.values) > 1 else np.repeat(row.values, evaluation.vertices, axis=0)
        lines.append(f"{_key(row.register)} = {_toml([_numbers(each) for each in given[chosen]])}")
    if not emits:
        lines += ["", "[test.outputs]"]
        result = evaluation.result
        for port in result.ports:
            array = np.asarray(result.outputs[port.name]).reshape(evaluation.vertices, -1)[chosen]
            lines.append(f"{_key(port.name)} = {_toml([_numbers(each) for each in array])}")
    return f"{names[0].partition('.')[0]}{SUFFIX}", "\n".join(lines) + "\n"


def restored(text: str) -> State:
    """The state of a file that the studio has saved. Raises InputError for another."""
    line = next((each for each in text.split("\n") if each.startswith(MARK)), "")
    if not line:
        raise refused(
            "this file holds no state of the studio", "open one that the studio has saved, or the program that it is about"
        )
    try:
        unpacked = zlib.decompressobj()
        data = unpacked.decompress(base64.urlsafe_b64decode(line.removeprefix(MARK).strip()), _MOST)
        value: object = json.loads(data)
    except (binascii.Error, zlib.error, ValueError):
        raise refused("the state in this file is damaged", "save it again") from None
    return read_state(value)


def _packed(value: object) -> str:
    return base64.urlsafe_b64encode(zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 9)).decode()


def _key(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else json.dumps(name)


def _numbers(row: NDArray[Any]) -> list[float]:
    return [float(number) for number in row]


def _toml(value: object) -> str:
    """A list of numbers as TOML has it."""
    if isinstance(value, list):
        return "[" + ", ".join([_toml(each) for each in cast("list[object]", value)]) + "]"
    number = cast("float", value)
    if isnan(number):
        return '"NaN"'
    if number in (float("inf"), float("-inf")):
        return '"Infinity"' if number > 0 else '"-Infinity"'
    return repr(number)


__all__ = ["MARK", "SUFFIX", "restored", "save"]
