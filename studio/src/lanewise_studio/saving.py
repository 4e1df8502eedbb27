"""States as files of shader tests: a test of some vertices that `lanewise test` runs, and the whole state in a comment."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from typing import TYPE_CHECKING, cast

import numpy as np
from lanewise.core.nesting import json_value

from lanewise_studio.controls import plain, tables_of
from lanewise_studio.state import State, plain_state, read_state, refused

if TYPE_CHECKING:
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
        (
            f"# A state of lanewise studio: `lanewise test` runs it on {_VERTICES} of its vertices, `lanewise studio` opens "
            "all of it."
        ),
        f"{MARK}{_packed(plain_state(state))}",
        f"program = {json.dumps(names[0] if len(names) == 1 else names)}",
    ]
    if state.profile:
        lines.append(f"{program.option} = {json.dumps(state.profile)}")
    lines.append("defaults = 0")
    for name, table in tables_of(evaluation.controls).items():
        if table:
            lines += ["", f"[{name}]", *[f"{_key(key)} = {_toml(value)}" for key, value in table.items()]]
    emits = evaluation.subject.emits
    chosen = (
        np.arange(evaluation.vertices) if emits else np.unique(np.linspace(0, evaluation.vertices - 1, _VERTICES).astype(int))
    )
    lines += ["", "[[test]]", f"name = {json.dumps(f'{evaluation.mesh.path}, {len(chosen)} vertices')}", "", "[test.inputs]"]
    for row in evaluation.inputs:
        given = row.values if len(row.values) > 1 else np.repeat(row.values, evaluation.vertices, axis=0)
        lines.append(f"{_key(row.register)} = {_toml(plain(given[chosen]))}")
    if not emits:
        lines += ["", "[test.outputs]"]
        result = evaluation.result
        for port in result.ports:
            array = np.asarray(result.outputs[port.name]).reshape(evaluation.vertices, -1)[chosen]
            lines.append(f"{_key(port.name)} = {_toml(plain(array))}")
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
        value: object = json_value(data)
    except (binascii.Error, zlib.error, ValueError, RecursionError):
        raise refused("the state in this file is damaged", "save it again") from None
    return read_state(value)


def _packed(value: object) -> str:
    return base64.urlsafe_b64encode(zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 9)).decode()


def _key(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else json.dumps(name)


def _toml(value: object) -> str:
    """A number, truth value, text, or list of them as TOML has it."""
    if isinstance(value, list):
        return "[" + ", ".join([_toml(each) for each in cast("list[object]", value)]) + "]"
    return json.dumps(value) if isinstance(value, (bool, str)) else repr(value)


__all__ = ["MARK", "SUFFIX", "restored", "save"]
