"""The panes of a recorded frame: the list of its draws, one draw with its set-up, and a small picture of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
from lanewise.core.diagnostics import InputError
from lanewise.core.elsewhere import elsewhere
from lanewise.core.service import InputFailure, Request, UsageError
from lanewise.drawing.picture import Look, draw
from lanewise.drawing.raster import grid, nearest
from lanewise.drawing.scene import Scene
from lanewise.drawing.visibility import NOTHING, visibility
from lanewise.pica200 import ShaderFile
from lanewise.pica200.api.frame_review import hash_of, numbers_text, stages_of
from lanewise.pica200.api.placing import placement_of
from lanewise.pica200.api.services.frame_pages import changes, draw_as_json
from lanewise.pica200.frame.registers import PASSING, name_of, rows
from lanewise.pica200.frame.setup import setup_of
from lanewise.pica200.frame.state import GEOMETRY, VERTEX
from lanewise.pica200.frame.vertices import DEFAULT, TOPOLOGIES, topology_of

from lanewise_studio.places import control, finding_json
from lanewise_studio.program import Program
from lanewise_studio.state import DrawChoice, State, plain_state, read_state, refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.api.frame_review import Reviewed
    from lanewise.pica200.frame.draws import Draw
    from lanewise.pica200.frame.state import UnitState, Vector
    from numpy.typing import NDArray

    from lanewise_studio.recorded import Known, Recorded
    from lanewise_studio.state import File

WIDTH, HEIGHT = 128, 96  # of a small picture, at most
_MOST_PICTURED = 100_000  # vertices of a draw with a small picture
_MOST_UNIFORMS = 96
_CULLING, _DIM = 0x40, 0x11E
_CULLS = ("none", "front", "back", "none")  # libctru, gpu/enums.h, GPU_CULLMODE
_OTHER = "fragments and textures"


def listed(frame: Recorded, known: Known) -> dict[str, object]:
    """The draws of a file with their counts and findings. Raises InputError."""
    names = _names(known)
    draws: list[dict[str, object]] = []
    before: Reviewed | None = None
    for each in frame.reviewed:
        row = draw_as_json(each, before, names)
        draws.append(
            {
                key: row[key]
                for key in (
                    "number",
                    "frame",
                    "in_frame",
                    "kind",
                    "topology",
                    "vertices",
                    "different",
                    "size",
                    "programs",
                    "changed",
                )
            }
            | {"findings": [_finding(finding) for finding in each.findings]}
        )
        before = each
    file = frame.file
    return {
        "file": frame.name,
        "layout": file.recording.layout,
        "frames": file.frames.frames,
        "missing": dict(file.recording.notes),
        "total": len(frame.draws),
        "draws": draws,
        "findings": [finding_json(finding) for finding in file.findings],
    }


def _finding(finding: Diagnostic) -> dict[str, object]:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "fix": elsewhere(finding.fix, control),
    }


def _names(known: Known) -> dict[str, list[str]]:
    """The names of sources by the names of programs."""
    return {identity: [" + ".join([file.name for file in files])] for identity, files in known.items()}


def shown(frame: Recorded, number: int, known: Known) -> dict[str, object]:
    """A draw: the state in which the page shows it, or why there is none, its attributes, and its registers by topic with what
    they were in the draw before. Raises InputError for a draw that does not exist."""
    each = frame.reviewed_draw(number)
    before = frame.reviewed_draw(number - 1) if number else None
    found: dict[str, object] = {
        **draw_as_json(each, before, _names(known)),
        "file": frame.name,
        "where": str(each.draw.where),
        "changes": changes(each, before),
        "attributes": _attributes(each),
        "topics": _topics(each.draw, before.draw if before is not None else None, each),
        "findings": [_finding(finding) for finding in each.findings],
        "state": None,
    }
    try:
        found["state"] = plain_state(_state(frame, each.draw, known))
    except InputError as error:
        found["refused"] = [finding_json(finding) for finding in error.diagnostics]
    return found


def _state(frame: Recorded, drawn: Draw, known: Known) -> State:
    culls, mode = drawn.known[_CULLING] & 1, drawn.registers[_CULLING] & 3
    topology = topology_of(drawn)
    files, entry = _sources(drawn, known) or (frame.sources(drawn.number), "")
    return State(
        files=files,
        entry=entry,
        cull=_CULLS[mode] if culls else "none",
        topology=topology if topology in TOPOLOGIES[:3] else "triangles",
        screen=_screen(drawn),
        draw=DrawChoice(frame.name, drawn.number),
    )


def _sources(drawn: Draw, known: Known) -> tuple[tuple[File, ...], str] | None:
    """The known sources of a draw, and which of several vertex shaders in them it runs; None where the words of a stage are not
    known, or begin elsewhere."""
    files: dict[str, File] = {}
    for stage in stages_of(drawn):
        for file in known.get(hash_of(stage.unit), ()):
            if files.setdefault(file.name, file) != file:
                return None
        if hash_of(stage.unit) not in known:
            return None
    try:
        state = read_state({"files": [file.plain() for file in files.values()]})
        program = Program(state, {}).load().program
    except (InputError, InputFailure, UsageError):
        return None
    if not isinstance(program, ShaderFile):
        return None
    entries: dict[str, str] = {}
    for stage in stages_of(drawn):
        shaders = [shader for shader in program.programs if shader.stage == stage.name]
        fits = [shader for shader in shaders if shader.interface.entry == stage.entry]
        if not fits or (
            stage.name == "geometry" and fits[0] is not shaders[0]
        ):  # the first geometry shader is the one that runs
            return None
        named = sum([shader.name == fits[0].name for shader in program.programs]) == 1
        entries[stage.name] = (fits[0].name if named else str(program.programs.index(fits[0]))) if len(shaders) > 1 else ""
    return tuple(files.values()), entries["vertex"]


def _screen(drawn: Draw) -> str:
    """The screen that a target has the size of, or its size; targets of the console lie on their side."""
    if not drawn.known[_DIM]:
        return ""
    size = drawn.registers[_DIM] & 0x7FF, (drawn.registers[_DIM] >> 12 & 0x3FF) + 1
    usual = {(240, 400): "top", (240, 320): "bottom"}
    return usual.get(size, f"{max(size[0], 1)}x{size[1]}")


# Attributes and registers


def _attributes(each: Reviewed) -> list[dict[str, object]]:
    """Where each attribute comes from; `default` ones with their value."""
    listed_ = cast("list[dict[str, object]]", draw_as_json(each, None)["attributes"])
    return [
        {**row, "value": _vector(each.draw.defaults[feed.attribute]) if feed.source == DEFAULT else ""}
        for feed, row in zip(each.feeds, listed_, strict=True)
    ]


def _vector(vector: Vector | None) -> str:
    return "?" if vector is None else numbers_text(vector)


def _topics(drawn: Draw, before: Draw | None, each: Reviewed) -> list[dict[str, object]]:
    """Registers, uniforms and default attributes by topic; of what nothing is known of, only the fragment side is left out."""
    topics: dict[str, list[dict[str, object]]] = {}
    for number in range(len(drawn.registers)):
        row = rows().get(number)
        changed = before is not None and (drawn.registers[number], drawn.known[number]) != (
            before.registers[number],
            before.known[number],
        )
        if number in PASSING or (row is None and not changed) or not (drawn.known[number] or changed):
            continue
        topics.setdefault(row.topic if row is not None else _OTHER, []).append(
            {
                "name": name_of(number),
                "number": f"0x{number:03X}",
                "value": _word(drawn, number),
                "before": _word(before, number) if changed and before is not None else None,
                "about": row.about if row is not None else "",
                "fields": [
                    {"name": name, "value": _field(drawn, number, low, high), "before": _field(before, number, low, high)}
                    for name, low, high in (row.fields if row is not None else ())
                ],
            }
        )
    for title, new, old in _units(drawn, before, each):
        values = [*_uniforms(new, old)]
        if values:
            topics.setdefault(title, []).extend(values)
    values = [
        _value(f"attribute {number}", vector, before.defaults[number] if before is not None else vector)
        for number, vector in enumerate(drawn.defaults)
        if vector is not None
    ]
    if values:
        topics.setdefault("defaults", []).extend(values)
    return [
        {"topic": topic, "changed": sum([row["before"] is not None for row in listed_]), "rows": listed_}
        for topic, listed_ in sorted(topics.items(), key=lambda item: not any(row["before"] is not None for row in item[1]))
    ]


def _units(drawn: Draw, before: Draw | None, each: Reviewed) -> Iterator[tuple[str, UnitState, UnitState | None]]:
    for stage in each.stages:
        if stage.base == VERTEX:
            yield "vertex uniforms", drawn.vertex, before.vertex if before is not None else None
        elif stage.base == GEOMETRY:
            yield "geometry uniforms", drawn.geometry, before.geometry if before is not None else None


def _uniforms(new: UnitState, old: UnitState | None) -> Iterator[dict[str, object]]:
    for number, vector in enumerate(new.uniforms[:_MOST_UNIFORMS]):
        if vector is not None:
            yield _value(f"c{number}", vector, old.uniforms[number] if old is not None else vector)


def _value(name: str, new: Vector | None, old: Vector | None) -> dict[str, object]:
    return {
        "name": name,
        "number": "",
        "value": _vector(new),
        "before": _vector(old) if new != old else None,
        "about": "",
        "fields": [],
    }


def _word(drawn: Draw, number: int) -> str:
    return f"0x{drawn.registers[number]:08X}" if drawn.known[number] else "?"


def _field(drawn: Draw | None, number: int, low: int, high: int) -> str | None:
    """A field as a number; `?` where a byte of it is not known."""
    if drawn is None:
        return None
    needed = sum([1 << byte for byte in range(low // 8, high // 8 + 1)])
    if drawn.known[number] & needed != needed:
        return "?"
    value = drawn.registers[number] >> low & (1 << high - low + 1) - 1
    return f"0x{value:X}" if high - low >= 16 else str(value)


# Small pictures


class Small(NamedTuple):
    """A small picture: (height, width, 4) red, green, blue and coverage; where it covers nothing, what most triangles are lost
    to, as `visibility` names it."""

    pixels: NDArray[np.uint8]
    lost: str = ""


def thumbnail(frame: Recorded, number: int) -> Small:
    """A draw as it was recorded. Raises InputError where there is none."""
    drawn = frame.drawn(number)
    data = drawn.program.data
    if data is not None and len(data.vertices) > _MOST_PICTURED:
        raise refused(f"more than {_MOST_PICTURED:,} vertices")
    try:
        answer = drawn.scene(Request("run", frame.file.request.sources, {"default": "0"}))
    except (InputFailure, UsageError, ValueError) as error:
        raise refused(str(error)) from None
    scene = answer.scene
    if not isinstance(scene, Scene):
        raise refused("no triangles")
    return picture(scene, cull=answer.cull or "none", screen=_screen(frame.draw(number)))


def edited(frame: Recorded, number: int, scene: Scene, *, cull: str, screen: str) -> Small:
    """The same of a draw whose triangles are others, in its target, viewport and scissor. Raises InputError."""
    return picture(scene._replace(placement=placement_of(setup_of(frame.draw(number)))), cull=cull, screen=screen)


def picture(scene: Scene, *, cull: str, screen: str) -> Small:
    """A small picture of a scene in its target, or on a screen where nothing is known of that. Raises InputError where
    triangles cover each other too often."""
    pixels = _pixels(scene, cull, screen)
    if pixels[..., 3].any():
        return Small(pixels)
    found = visibility(scene, cull=cull, screen="" if scene.placement is not None else screen)
    return Small(pixels, next(iter(found.lost), "" if found.triangles else NOTHING))


def _pixels(scene: Scene, cull: str, screen: str) -> NDArray[np.uint8]:
    try:
        drawing = draw(scene, Look(screen="" if scene.placement is not None else screen, cull=cull, scale=1))
    except ValueError as error:
        raise refused(str(error)) from None
    width, height = drawing.width, drawing.height
    scale = min(WIDTH / width, HEIGHT / height)
    wide, high = max(1, round(width * scale)), max(1, round(height * scale))
    drawing = drawing._replace(width=wide, height=high, points=drawing.points * [wide / width, high / height])
    pixels = np.zeros((high, wide, 4), np.uint8)
    if not len(drawing.points):
        return pixels
    if not grid(drawing, 1):
        raise refused("the triangles cover each other too often")
    seen = nearest(drawing, 0, len(drawing.points), 1)
    there = seen.piece >= 0
    colour = scene.outputs.get(scene.volume.colour)
    if scene.volume.blending and colour is not None and colour.shape[-1] == 4:  # not seen, as `visibility` says
        transparent = (colour[..., 3] == 0.0).all(axis=1)
        there[there] = ~transparent[drawing.source[seen.piece[there]]]
    colours = np.einsum("pv,pvk->pk", seen.weights[there], drawing.colours[seen.piece[there]][..., :3])
    pixels[there, :3] = np.rint(np.clip(np.nan_to_num(colours), 0.0, 1.0) * 255).astype(np.uint8)
    pixels[there, 3] = 255
    return pixels


__all__ = ["HEIGHT", "WIDTH", "Small", "edited", "listed", "picture", "shown", "thumbnail"]
