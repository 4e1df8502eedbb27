"""States as files of shader tests: a test of some vertices that `lanewise test` runs, and the whole state in a comment."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
from lanewise.core.diagnostics import InputError
from lanewise.core.nesting import json_value
from lanewise.core.service import InputFailure

from lanewise_studio.controls import plain, tables_of
from lanewise_studio.state import State, plain_state, read_state, refused
from lanewise_studio.subject import PicaSubject

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise_studio.evaluation import Evaluation
    from lanewise_studio.state import DrawChoice

SUFFIX = ".shadertest.toml"
MARK = "# studio: "
MESH_MARK = "# mesh: "
_VERTICES = 8
_MOST = 32 << 20  # bytes of a state in a file
_MOST_MESH = 1 << 20  # bytes of a mesh in a file


class SavedFile(NamedTuple):
    """A file: its name, its text, what it needs beside it, and whether it holds its sources."""

    name: str
    text: str
    needs: str = ""
    whole: bool = False


class Restored(NamedTuple):
    """A state, and the meshes that its file holds."""

    state: State
    meshes: Mapping[str, bytes] = {}


def save(evaluation: Evaluation) -> SavedFile:
    """The file of a state. Of a recorded draw it is a test that needs nothing else, or, where a test cannot hold the draw, the
    state alone, which names the frame that it needs."""
    program, state = evaluation.program, evaluation.state
    names = [source.name for source in program.sources]
    if state.draw is not None:
        return _of_draw(evaluation, state.draw, f"{names[0].partition('.')[0]}{SUFFIX}")
    mesh_lines, needs = _mesh_lines(state.mesh.file, evaluation.files)
    lines = [
        (
            f"# A state of lanewise studio: `lanewise test` runs it on {_VERTICES} of its vertices, `lanewise studio` opens "
            "all of it."
        ),
        f"{MARK}{_packed(plain_state(state))}",
        *mesh_lines,
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
    return SavedFile(f"{names[0].partition('.')[0]}{SUFFIX}", "\n".join(lines) + "\n", needs)


def _mesh_lines(name: str, files: Mapping[str, bytes]) -> tuple[list[str], str]:
    """The line that holds a mesh of the user's, and what the file needs besides."""
    content = files.get(name)
    if not name or content is None:
        return [], ""
    if len(content) > _MOST_MESH:
        return [], f"{name} has more than {_MOST_MESH >> 20} MiB and is not in it: open {name} again beside it"
    return [f"{MESH_MARK}{_packed({'file': name, 'data': base64.b64encode(content).decode()})}"], ""


def _of_draw(evaluation: Evaluation, choice: DrawChoice, name: str) -> SavedFile:
    from lanewise.pica200.api.frame_saving import Edit, saved

    from lanewise_studio.recorded import frame_of

    frame, subject = frame_of(evaluation.files, choice.file), evaluation.subject
    drawn = f"{choice.file}:{choice.number}"
    packed = f"{MARK}{_packed(plain_state(evaluation.state))}"
    needs = f"`lanewise studio {choice.file}` opens it: the state needs the recorded frame {choice.file}"
    try:
        if not isinstance(subject, PicaSubject):
            raise refused(f"{drawn} runs programs of the PICA200")
        edit = Edit(sources=[(file.name, file.text) for file in evaluation.state.files], data=evaluation.draw_data())
        findings = frame.reviewed_draw(choice.number).findings
        text = saved(frame.draw(choice.number), drawn, subject.profile, findings, [f"{needs}."], edit)
    except (InputError, InputFailure) as error:
        reason = error.diagnostics[0].message if isinstance(error, InputError) else str(error)
        lines = [
            f"# A draw of a recorded frame: {needs}.",
            packed,
            f"# There is no test in this file: {' '.join(reason.split())}",
        ]
        return SavedFile(name, "\n".join(lines) + "\n", needs=f"{needs}; `lanewise test` does not run it: {reason}", whole=True)
    return SavedFile(name, f"{packed}\n{text}", needs=f"`lanewise test` runs it by itself; {needs}", whole=True)


def restored(text: str) -> Restored:
    """The state of a file that the studio has saved, with its mesh. Raises InputError for another."""
    rows = text.split("\n")
    line = next((each for each in rows if each.startswith(MARK)), "")
    if not line:
        raise refused(
            "this file holds no state of the studio", "open one that the studio has saved, or the program that it is about"
        )
    state = read_state(_unpacked(line.removeprefix(MARK), "state"))
    meshes: dict[str, bytes] = {}
    for each in rows:
        if each.startswith(MESH_MARK):
            value = _unpacked(each.removeprefix(MESH_MARK), "mesh")
            table = cast("dict[str, object]", value) if isinstance(value, dict) else {}
            name, data = table.get("file"), table.get("data")
            if name != state.mesh.file or not isinstance(name, str) or not isinstance(data, str):
                raise refused("the mesh in this file is damaged", "save it again")
            meshes[name] = _bytes(data, "mesh")
    return Restored(state, meshes)


def _unpacked(text: str, what: str) -> object:
    try:
        return json_value(zlib.decompressobj().decompress(_bytes(text.strip(), what, url=True), _MOST))
    except (zlib.error, ValueError, RecursionError):
        raise refused(f"the {what} in this file is damaged", "save it again") from None


def _bytes(text: str, what: str, *, url: bool = False) -> bytes:
    try:
        return base64.urlsafe_b64decode(text) if url else base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise refused(f"the {what} in this file is damaged", "save it again") from None


def _packed(value: object) -> str:
    return base64.urlsafe_b64encode(zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 9)).decode()


def _key(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else json.dumps(name)


def _toml(value: object) -> str:
    """A number, truth value, text, or list of them as TOML has it."""
    if isinstance(value, list):
        return "[" + ", ".join([_toml(each) for each in cast("list[object]", value)]) + "]"
    return json.dumps(value) if isinstance(value, (bool, str)) else repr(value)


__all__ = ["MARK", "MESH_MARK", "SUFFIX", "Restored", "SavedFile", "restored", "save"]
