"""What a page asks, one at a time: `Desk` keeps the state of a room and answers with panes."""

from __future__ import annotations

import base64
import binascii
import time
from typing import TYPE_CHECKING, Any, cast

from lanewise.arrays.mesh import SUFFIXES, read_mesh
from lanewise.core.diagnostics import InputError
from lanewise.core.service import InputFailure, UsageError
from lanewise.pica200.api.interface import RunError

from lanewise_studio import background, saving
from lanewise_studio.attempts import tried
from lanewise_studio.controls import controls, values_of
from lanewise_studio.evaluation import Evaluation
from lanewise_studio.frames import Shown, pack, unpack
from lanewise_studio.panes import compare, data, frames, look, mesh, steps, waves
from lanewise_studio.panes.because import because
from lanewise_studio.panes.graph import graph
from lanewise_studio.panes.words import words
from lanewise_studio.places import finding_json
from lanewise_studio.presets import Presets
from lanewise_studio.program import Memory, broken, sentence
from lanewise_studio.recorded import frame_of, is_frame
from lanewise_studio.state import plain_state, read_camera, read_state, refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise_studio.recorded import Known
    from lanewise_studio.saving import Restored
    from lanewise_studio.state import State
    from lanewise_studio.stop import Stop
    from lanewise_studio.subject import Hot

    Plain = dict[str, object]
    Send = Callable[[Plain | bytes], None]

MOST_UPLOADED = 64 << 20  # bytes of all files of a room
USUAL_PANES = ("source", "words", "data", "mesh", "graph")


class Ask:
    """A message of the page: its number, what is asked, its arguments; `send` answers, `stop` says that it is no longer
    wanted."""

    def __init__(self, number: int, kind: str, message: Mapping[str, object], send: Send, stop: Stop) -> None:
        self.number, self.kind, self.message, self.stop = number, kind, message, stop
        self._send = send

    def pane(self, name: str, value: object) -> None:
        self._send({"id": self.number, "pane": name, "value": value})

    def frame(self, head: Mapping[str, object], arrays: Mapping[str, Any]) -> bytes:
        """Send a frame, and give it."""
        packed = pack({"id": self.number, **head}, arrays)
        self._send(packed)
        return packed

    def whole(self, key: str, usual: int = 0) -> int:
        """A number of the message. Raises InputError."""
        value = self.message.get(key, usual)
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 1 << 31:
            raise refused(f"{key} is not a whole number of 32 bits")
        return value

    @property
    def stage(self) -> str:
        """The stage of a program of two that is meant: `vertex`, or empty for the last. Raises InputError."""
        stage = self.text("stage")
        if stage not in ("", "vertex"):
            raise refused(f"unknown stage '{stage}'", "use vertex, or leave it out")
        return stage

    def text(self, key: str) -> str:
        value = self.message.get(key, "")
        if not isinstance(value, str):
            raise refused(f"{key} is not a text")
        return value


class Desk:
    """The state of a room: the last evaluation without errors, and the files that were uploaded. One thread uses it at a
    time; `apart`, which needs the files only, another one beside it."""

    def __init__(self, files: Mapping[str, bytes], presets: Presets | None = None, known: Known | None = None) -> None:
        self.files, self.presets, self.known = dict(files), presets or Presets(), known or {}
        self._evaluation: Evaluation | None = None
        self._hot: Hot | None = None
        self._shown = Shown(-1, {})

    def answer(self, ask: Ask) -> None:
        """Send the panes that are asked for. Raises InputError, Cancelled."""
        work = self._works().get(ask.kind)
        if work is None:
            raise refused(f"unknown message '{ask.kind}'")
        try:
            work(ask)
        except (InputFailure, UsageError) as error:
            raise sentence(error) from None

    def _works(self) -> Mapping[str, Callable[[Ask], None]]:
        return {
            "evaluate": self._evaluate,
            "uniforms": self._uniforms,
            "rows": lambda ask: ask.pane(
                "rows", data.table(self.evaluation(ask).result, ask.whole("first"), ask.whole("count", 20))
            ),
            "upload": self._upload,
            "why": lambda ask: ask.pane("why", look.why(self.evaluation(ask))),
            "pick": lambda ask: ask.pane("pick", look.pick(self.evaluation(ask), ask.message)),
            "paths": self._paths,
            "trace": lambda ask: ask.pane(
                "time", steps.time(self.evaluation(ask), ask.whole("thread"), ask.whole("first"), ask.stage)
            ),
            "step": lambda ask: ask.pane(
                "step", steps.step(self.evaluation(ask), ask.whole("thread"), ask.whole("position"), ask.stage)
            ),
            "seek": lambda ask: ask.pane(
                "seek",
                steps.seek(
                    self.evaluation(ask), ask.whole("thread"), ask.whole("position"), {**ask.message, "stage": ask.stage}
                ),
            ),
            "explain": self._explain,
            "wave": lambda ask: ask.pane("wave", waves.wave(self.evaluation(ask), ask.whole("thread"), ask.stage)),
            **dict.fromkeys(("compiled", "opt", "diff"), self._background),
            "apart": self._apart,
            "compare": self._compare,
            "save": self._save,
            "open": lambda ask: ask.pane("open", _opened(saving.restored(ask.text("text")))),
            "presets": lambda ask: ask.pane("presets", [preset.plain() for preset in self.presets.listed()]),
            "preset": lambda ask: ask.pane("open", _opened(self.presets.opened(ask.text("name"), ask.text("test")))),
            "frame": lambda ask: ask.pane("frame", frames.listed(frame_of(self.files, ask.text("file")), self.known)),
            "draw": self._draw,
            "thumbnail": self._thumbnail,
            "timeline": lambda ask: ask.pane("timeline", waves.timeline(self.evaluation(ask))),
        }

    def evaluation(self, ask: Ask) -> Evaluation:
        """The last evaluation without errors, for this ask. Raises InputError."""
        found = self._evaluation
        if found is None:
            raise refused("nothing has been evaluated", "correct the errors of the source first")
        found.stop = ask.stop
        return found

    def _evaluate(self, ask: Ask) -> None:
        state = read_state(ask.message.get("state"))
        wanted = ask.message.get("panes")
        panes = [str(name) for name in cast("list[object]", wanted)] if isinstance(wanted, list) else [*USUAL_PANES]
        evaluation = self._made(ask, state)
        if evaluation is None:
            return
        makers = {"source": data.source, "words": words, "data": data.data, "graph": graph}
        failures: list[InputError] = []
        for name in panes:
            ask.stop.check()
            try:
                if name in makers:
                    ask.pane(name, makers[name](evaluation))
                elif name == "mesh":
                    self._shown = Shown(ask.number, unpack(ask.frame(*mesh.mesh(evaluation)))[1])
            except InputError as error:  # of the data: words and graph are there without
                failures.append(error)
            except (InputFailure, UsageError) as error:
                failures.append(sentence(error))
        if failures:
            raise failures[0]
        self._evaluation, self._hot = evaluation, None

    def _made(self, ask: Ask, state: State) -> Evaluation | None:
        """The evaluation of a state; None, with the findings in the pane of the source, for a source that cannot be read."""
        try:
            return Evaluation(state, self.files, ask.stop)
        except InputError as error:
            ask.pane("source", broken(tried(state, self.files), self.files, error))
            return None

    def _uniforms(self, ask: Ask) -> None:
        """The hot path: other uniforms, or another camera, on the same vertices."""
        started = time.perf_counter()
        evaluation = self.evaluation(ask)
        given = ask.message.get("uniforms", {})
        if not isinstance(given, dict):
            raise refused("uniforms is not an object")
        uniforms = {**evaluation.state.uniforms, **cast("dict[str, object]", given)}
        camera = read_camera(ask.message["camera"]) if "camera" in ask.message else evaluation.state.camera
        subject = evaluation.subject
        memory, turned = evaluation.program.memory, evaluation.transposed
        rows = controls(subject.uniforms, uniforms, camera, subject.volume, evaluation.size, memory, transposed=turned)
        values = values_of(rows)
        if self._hot is None:
            self._hot = subject.hot(evaluation.values, values)
        try:
            outputs = self._hot(values)
        except RunError as error:
            outputs = error.result.outputs
        listed = ask.message.get("arrays")
        names = [str(name) for name in cast("list[object]", listed)] if isinstance(listed, list) else None
        arrays = mesh.hot(evaluation, outputs, names)
        if names is not None and "fate" in names:
            found = evaluation.fates_of(outputs)
            if found is not None:
                arrays["fate"] = mesh.fate_numbers(found)
        seconds = time.perf_counter() - started
        head: dict[str, object] = {
            "pane": "mesh",
            "hot": True,
            "done": True,
            "seconds": seconds,
            "vertices": evaluation.vertices,
        }
        if subject.volume is not None and mesh.followed(rows):
            head["frustum"] = mesh.frustum(camera, subject.volume, evaluation.size)
        kept = self._shown.kept(ask.message.get("has"), arrays)
        changed = {name: array for name, array in arrays.items() if name not in kept}
        sent = unpack(ask.frame({**head, "kept": [*kept]}, changed))[1]
        self._shown = Shown(ask.number, {**kept, **sent})

    def _paths(self, ask: Ask) -> None:
        found, array = look.paths(self.evaluation(ask))
        ask.frame({"pane": "paths", **found}, {"path": array})

    def _background(self, ask: Ask) -> None:
        evaluation = self.evaluation(ask)
        job = background.Job(ask.kind, dict(ask.message), plain_state(evaluation.program.state), self.files).without_draws()
        ask.pane(ask.kind, background.run(job, ask.stop))

    def _apart(self, ask: Ask) -> None:
        """Vertices of a whole frame that differ between two profiles, in another process, part by part. It needs a file of the
        room only, so that panes are asked meanwhile."""
        file = ask.text("file")
        frame_of(self.files, file)  # its refusal needs no process
        job = background.Job(ask.kind, dict(ask.message), {}, {file: self.files[file]})
        ask.pane("apart", background.run(job, ask.stop, lambda value: ask.pane("apart", value)))

    def _compare(self, ask: Ask) -> None:
        evaluation = self.evaluation(ask)
        other = Evaluation(read_state(ask.message.get("other")), self.files, ask.stop)
        pane, head, arrays = compare.compare(evaluation, other, rounded=ask.message.get("rounded") is True)
        ask.frame(head, arrays)
        ask.pane("compare", {**pane, "because": because(evaluation, other) if pane["differ"] else []})

    def _save(self, ask: Ask) -> None:
        """The state as a file: for the page to download, or, with a `name`, in the folder of the presets."""
        evaluation = self.evaluation(ask)
        found = saving.save(evaluation)
        remarks = [found.needs] if found.needs else []
        if not ask.text("name"):
            ask.pane("save", {"name": found.name, "text": found.text, "remarks": remarks})
            return
        if not self.presets.folder:
            raise refused("there is no folder for presets", "download the file")
        name, lacking = self.presets.write(ask.text("name"), found.text, evaluation.state)
        ask.pane(
            "save", {"name": name, "folder": self.presets.folder, "remarks": remarks if found.whole else [*remarks, *lacking]}
        )
        ask.pane("presets", [preset.plain() for preset in self.presets.listed()])

    def _draw(self, ask: Ask) -> None:
        """A draw by its number, or by a name such as `1/12`."""
        frame = frame_of(self.files, ask.text("file"))
        name = ask.text("name")
        ask.pane("draw", frames.shown(frame, frame.number(name) if name else ask.whole("number"), self.known))

    def _thumbnail(self, ask: Ask) -> None:
        """A small picture of a draw, as it was recorded or, with a `state`, as it is edited; a sentence where there is none."""
        file, number = ask.text("file"), ask.whole("number")
        try:
            if ask.message.get("state") is None:
                small = frames.thumbnail(frame_of(self.files, file), number)
            else:
                small = self._pictured(read_state(ask.message["state"]), ask.stop)
        except (InputError, InputFailure, UsageError) as error:
            reason = error.diagnostics[0].message if isinstance(error, InputError) and error.diagnostics else str(error)
            ask.pane("thumbnail", {"file": file, "number": number, "reason": reason})
            return
        ask.frame({"pane": "thumbnail", "file": file, "number": number, "lost": small.lost}, {"pixels": small.pixels})

    def _pictured(self, state: State, stop: Stop) -> frames.Small:
        last = self._evaluation
        evaluation = last if last is not None and last.state == state else Evaluation(state, self.files, stop)
        evaluation.stop = stop
        if evaluation.scene is None:
            raise refused("no output is a position with x, y, z and w")
        if state.draw is not None:
            frame = frame_of(self.files, state.draw.file)
            return frames.edited(frame, state.draw.number, evaluation.scene, cull=state.cull, screen=state.screen)
        return frames.picture(evaluation.scene, cull=state.cull, screen=state.screen)

    def _explain(self, ask: Ask) -> None:
        position = ask.whole("position") if ask.message.get("position") is not None else None
        ask.pane("explain", steps.explain(self.evaluation(ask), ask.whole("thread"), position, ask.text("place"), ask.stage))

    def _upload(self, ask: Ask) -> None:
        """Take a mesh of the user's machine."""
        name = ask.text("name").replace("\\", "/").rpartition("/")[2]
        try:
            content = base64.b64decode(ask.text("data"), validate=True)
        except (binascii.Error, ValueError):
            raise refused(f"{name} did not arrive whole") from None
        if not name or sum(len(each) for each in self.files.values()) + len(content) > MOST_UPLOADED:
            raise refused(f"{name} is too large: at most {MOST_UPLOADED >> 20} MiB of files are kept")
        found: dict[str, object] = {"file": name, "bytes": len(content)}
        if name.lower().endswith(SUFFIXES):
            try:
                read = read_mesh(name, Memory({name: content}))
            except InputFailure as error:
                raise sentence(error, name) from None
            triangles = len(read.faces) if read.faces is not None else 0
            found |= {"vertices": len(read.arrays["position"]), "triangles": triangles, "properties": [*read.arrays]}
        elif is_frame(content):
            found["frame"] = True
        self.files[name] = content
        ask.pane("upload", found)


def _opened(found: Restored) -> dict[str, object]:
    """A state for the page, with the meshes that its file holds: the page uploads and keeps them like those that it opens."""
    meshes = [{"file": name, "data": base64.b64encode(content).decode()} for name, content in found.meshes.items()]
    return {"state": plain_state(found.state), "meshes": meshes}


def findings_of(error: InputError) -> list[object]:
    """The findings of an error, for the page."""
    return [finding_json(finding) for finding in error.diagnostics]


__all__ = ["Ask", "Desk", "findings_of"]
