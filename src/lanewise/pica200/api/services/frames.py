"""Frames for commands: one draw by number, or all of them."""

from __future__ import annotations

from functools import cached_property

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError, has_errors
from lanewise.core.document import Heading, Paragraph
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Answer, InputFailure, Report, Request, SourceFile, UsageError
from lanewise.core.source import Span
from lanewise.core.text.counting import counted
from lanewise.pica200.api.services.frame_pages import (
    draw_as_json,
    draws_table,
    page_of,
    salvaged,
    sentence,
    sources_page,
    state_page,
)
from lanewise.pica200.api.services.loaded import own
from lanewise.pica200.api.services.members import MemberFile, WholeFile, refuse_linking
from lanewise.pica200.frame.citrace import header_of, read_citrace, write_citrace
from lanewise.pica200.frame.citrace import recognises as is_citrace
from lanewise.pica200.frame.draws import draws_of
from lanewise.pica200.frame.isolate import isolated
from lanewise.pica200.frame.recording import Initial, Load, Place, Recording, Submit
from lanewise.pica200.frame.records import read_records
from lanewise.pica200.frame.records import recognises as are_records
from lanewise.pica200.frame.setup import setup_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Never

    from lanewise.core.comparison import Comparison
    from lanewise.core.document import Block
    from lanewise.core.package import Loaded
    from lanewise.core.service import Drawn
    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.api.frame_review import Reviewed
    from lanewise.pica200.api.services.loaded import PicaFile
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.frame.draws import Draw, Frames

_EDITED = "the sources of --source have other words than the recording: they run in its place, on its data"
_CHECKED_EDITED = (
    "the sources of --source have other words than the recording: findings of programs are of the sources, findings of the "
    "set-up of the recording"
)
_OF_SOURCES = ("include", "picasso-compat", "no-nop", "hints", "stats")  # options that say the same of the sources of a draw
_NUMBERS = "`FILE:0` is draw 0 with its data{}, for every command."
_OF_FRAMES = ", and `FILE:1/0` the first draw of frame 1"
_MOST_SENT = 512
_UNNAMED, _UNSET = "V086", "F004"
_STAGES = ("vertex", "geometry")


def recognises(data: bytes) -> bool:
    """Whether the first bytes are those of a file of frames."""
    return is_citrace(data) or are_records(data)


def doubts(data: bytes) -> str:
    """Why bytes are no frames; empty for those that are."""
    if not recognises(data):
        return "it begins neither with CiTr nor with a record of a host (FRAM, GXCM, MEML, LIST)"
    return "the header is cut" if is_citrace(data) and header_of(data) is None else ""


def members(request: Request) -> Mapping[str, str]:
    """The names of the draws of a file, and of the stages of those with a geometry shader. Raises InputError, also for a file
    without draws: with what is wrong with it."""
    file = FrameFile(request)
    if not file.draws:
        file.unnamed()
    return file.names


def read(request: Request) -> Loaded:
    """The draw of a file that `program` names, or the file. Raises InputError, UsageError."""
    refuse_linking(request, "recorded frame")
    loaded = FrameFile(request)
    wanted = request.text("program")
    if not wanted:
        return loaded
    if wanted in loaded.targets:
        return TargetFile(request, loaded.targets[wanted])
    number, _, stage = wanted.partition("/")
    return loaded.drawn(loaded.draws[int(number)], stage)


class DrawnFile(MemberFile):
    """A draw as a file of shaders with its data; with `source` the programs of sources run on it. `before` are the draws
    before it."""

    draw: Draw
    stage: str
    before: Sequence[Draw]
    whole: str
    edited: bool

    recorded = True

    def __init__(self, request: Request, draw: Draw, stage: str, before: Sequence[Draw]) -> None:
        from lanewise.pica200.api.drawn import drawn_file

        self.draw, self.stage, self.before = draw, stage, before
        self.whole = request.name
        member = f"{draw.number}/{stage}" if stage else str(draw.number)
        program = drawn_file(draw, f"{self.whole}:{member}", stage)
        self._sources: Loaded | None = None
        self.edited = False
        self._order = ""  # what is to be said of the order of inputs
        if request.texts("source"):
            if stage:
                raise UsageError(f"--source gives the programs of a draw: write {self.whole}:{draw.number}")
            self._sources = _sourced(request)
        if self._sources is not None and request.command != "check":
            source = own(self._sources).program
            self.edited = _differ(source, program)
            self._order = _order(program, source) if self.edited else ""
            source.data, program = program.data and program.data.beside(source), source
        super().__init__(request, member, program, default="frame")

    def run(self, request: Request) -> Answer:
        answer = self._told(super().run(request))
        answer = answer._replace(first=(*self._unset(request), *answer.first))
        return answer._replace(data={**answer.data, "draw": self._as_json()}) if request.as_json else answer

    def _unset(self, request: Request) -> list[Diagnostic]:
        """The findings about inputs that the recording never set, where `--default` gives what a console does not have."""
        if not request.has("default") or request.flag("why"):
            return []
        given = [text.partition("=")[0] for text in request.texts("input")]
        return [
            finding._replace(fix=f"{finding.fix}, or give this run a value with --input: --default 0 is not what a console has")
            for finding in self._reviewed().findings
            if finding.code == _UNSET and not any(f"reads {name}," in finding.message for name in given)
        ]

    def _as_json(self) -> dict[str, object]:
        return draw_as_json(self._reviewed(), None)

    def trace(self, request: Request) -> Answer:
        return self._told(super().trace(request))

    def _told(self, answer: Answer) -> Answer:
        """The answer, with a remark on a program that is not the one of the recording."""
        return answer._replace(remarks=(*answer.remarks, *self._edits()))

    def _edits(self) -> tuple[str, ...]:
        return tuple([each for each in (_EDITED if self.edited else "", self._order) if each])

    def scene(self, request: Request) -> Drawn:
        """The triangles of the draw, with the faces that it culls."""
        drawn = super().scene(request)
        drawn = drawn._replace(remarks=(*drawn.remarks, *self._edits()))
        if self.stage:
            return drawn
        from lanewise.pica200.api.placing import placed

        return placed(drawn, setup_of(self.draw))

    def check(self, request: Request) -> Report:
        """What `check` says about the shaders, and about the set-up of the draw."""
        report = super().check(request) if self._sources is None else self._check_sources(request, self._sources)
        return report._replace(findings=(*self._reviewed().findings, *report.findings))

    def _check_sources(self, request: Request, sources: Loaded) -> Report:
        """What `check` says about the sources of the draw, with their lines."""
        if request.flag("fix") or request.flag("diff"):
            raise UsageError("--fix and --diff change sources: name them as FILE in place of the draw")
        report = unnamed_inputs_hidden(sources.check(request)) if sources.check is not None else Report(())
        same = has_errors(report.findings) or not _differ(own(sources).program, self.program)
        return report if same else report._replace(remarks=(*report.remarks, _CHECKED_EDITED))

    def _reviewed(self) -> Reviewed:
        from lanewise.pica200.api.frame_review import reviewed_of

        return reviewed_of(self.draw, self.before, self.whole)

    def difference(self, other: Loaded, requests: tuple[Request, Request]) -> Comparison:
        """Two draws with their set-up and data; the shaders where one has no data. Raises UsageError, InputError."""
        if not isinstance(other, DrawnFile) or self.stage or other.stage:
            return super().difference(other, requests)
        from lanewise.pica200.api.frame_difference import ABSENT, PROGRAMS, DrawComparison, changes_of

        changes = changes_of(self.draw, other.draw, (self.program.data, other.program.data))
        words = [change for change in changes if change.part == PROGRAMS]
        proved = words and not [change for change in words if ABSENT in (change.first, change.second)]
        programs = super().difference(other, requests) if proved else None
        return DrawComparison((self.name, other.name), changes, programs)

    def premises_beside(self, other: PicaFile) -> tuple[str, ...]:
        if isinstance(other, DrawnFile) and not self.stage and not other.stage:
            return self.premises
        number = self.draw.number
        why = f"`lanewise run {self.whole}:{number} --why` looks for faults in it"
        return (f"only programs are compared, not the state of draw {number}: {why}", *self.premises)

    def inspect(self, request: Request) -> Answer:
        """The shaders and the set-up of the draw."""
        answer = super().inspect(request)
        if request.as_json:
            return answer._replace(data={**answer.data, "draw": self._as_json()})
        if request.flag("listing") or request.flag("output-maps"):
            return answer
        found = self._reviewed()
        return answer._replace(page=(*answer.page, *page_of(found)), last=(*answer.last, *found.findings))


def unnamed_inputs_hidden(report: Report) -> Report:
    """A report on sources of a draw without V086: the draw feeds inputs by register, whether they have names or not."""
    return report._replace(findings=tuple([finding for finding in report.findings if finding.code != _UNNAMED]))


def _words(shader: Shader) -> tuple[object, ...]:
    """What makes two shaders the same program."""
    return shader.words, shader.descriptors, shader.interface.entry


def _differ(one: ShaderFile, other: ShaderFile) -> bool:
    """Whether two files have other programs."""
    return {_words(shader) for shader in one.programs} != {_words(shader) for shader in other.programs}


def _order(recorded: ShaderFile, source: ShaderFile) -> str:
    """What is to be said of the inputs of the vertex shader of sources beside the recorded one."""
    shaders = [next((each for each in file.programs if each.stage == "vertex"), None) for file in (recorded, source)]
    if shaders[0] is None or shaders[1] is None:
        return ""
    from lanewise.pica200.api.input_order import other_order

    return other_order(shaders[0], shaders[1])


def _sourced(request: Request) -> Loaded:
    """The program of the sources of `source`. Raises UsageError, InputFailure."""
    from lanewise.pica200.api.services.loaded import read_sources

    sources = [SourceFile(path, request.files.read(path), path) for path in request.texts("source")]
    values = {key: value for key, value in request.values.items() if key in _OF_SOURCES}
    asked = Request(request.command, sources, values, files=request.files, read_included=request.read_included)
    return read_sources(asked, "")


class FrameFile(WholeFile):
    """A file of frames of which no draw was named."""

    recorded = True
    asked = "give the draw of the frame by number"

    @cached_property
    def recording(self) -> Recording:
        """The stream of the file. Raises InputError."""
        source = self.request.sources[0]
        data = bytes(source.data)
        found = read_citrace(data, self.name) if is_citrace(data) else read_records(data, self.name)
        errors = [finding for finding in found.findings if finding.is_error]
        if errors:
            raise InputError(found.findings)
        return found

    @cached_property
    def frames(self) -> Frames:
        return draws_of(self.recording, self.name)

    @property
    def draws(self) -> Sequence[Draw]:
        return self.frames.draws

    @property
    def names(self) -> Mapping[str, str]:
        from lanewise.pica200.api.frame_review import uses_geometry

        found = {str(draw.number): str(draw.number) for draw in self.draws}
        found |= {f"{draw.frame}/{draw.in_frame}": str(draw.number) for draw in self.draws}
        found |= {name: name for name in self.targets}
        for draw in self.draws:
            for stage in _STAGES if uses_geometry(draw) else ():
                found[f"{draw.number}/{stage}"] = f"{draw.number}/{stage}"
        return found

    @property
    def targets(self) -> Mapping[str, Sequence[Draw]]:
        """The draws of each target of each frame: `1/target` is the first target of frame 1, `1/target1` the next."""
        found: dict[int, dict[int | None, list[Draw]]] = {}
        for draw in self.draws:
            found.setdefault(draw.frame, {}).setdefault(setup_of(draw).address, []).append(draw)
        return {f"{frame}/target{n or ''}": draws for frame, listed in found.items() for n, draws in enumerate(listed.values())}

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the file and its lists."""
        return (*self.recording.findings, *self.frames.findings)

    def listed_names(self) -> Sequence[str]:
        return [str(draw.number) for draw in self.draws]

    def unnamed(self) -> Never:
        if not self.draws:
            raise InputError(
                self.findings
                or (
                    Diagnostic(
                        code="F001",
                        severity=ERROR,
                        message="the recording has no draw",
                        span=Span(file=self.name),
                        fix="record a whole frame",
                    ),
                )
            )
        super().unnamed()

    def drawn(self, draw: Draw, stage: str = "") -> DrawnFile:
        """A draw as a file with its data. Raises InputError, UsageError."""
        return DrawnFile(self.request, draw, stage, self.draws[: draw.number])

    def check(self, request: Request) -> Report:
        """The findings about the set-up of all draws; programs are checked by draw."""
        from lanewise.pica200.api.frame_review import review

        if request.texts("source"):
            self.unnamed()
        found = [finding for each in review(self.draws, self.name) for finding in each.findings]
        return Report((*self.findings, *found), remarks=(f"`{self.name}:N` checks the shaders of draw N too",))

    def inspect(self, request: Request) -> Answer:
        """The draws with their set-up."""
        if request.texts("source"):
            self.unnamed()
        self.refuse_listing(request)
        return listed(self)


class TargetFile(FrameFile):
    """The draws of one target in a frame, in order: what a drawing shows together."""

    def __init__(self, request: Request, drawn: Sequence[Draw]) -> None:
        super().__init__(request)
        self._drawn = drawn

    def unnamed(self) -> Never:
        if self.draws and not self.request.has("draw"):
            name = f"{self.name}:{self.request.text('program')}"
            raise UsageError(f"{name}: a target is drawn, with all draws to it: add --draw out.png, or name one draw")
        super().unnamed()

    def scene(self, request: Request) -> Drawn:
        """The triangles of all draws of the target."""
        from lanewise.pica200.api.placing import together

        if request.texts("source"):
            raise UsageError("--source gives the programs of one draw: name it by number")
        files = [self.drawn(draw) for draw in self._drawn]
        scenes = [super(DrawnFile, file).scene(request) for file in files]
        return together(scenes, [setup_of(file.draw) for file in files])


# The list


def identities(loaded: Loaded) -> tuple[str, ...]:
    """The hashes by which a list names the program of a file; libctru sends the vertex unit at most 512 words of it
    (shaderProgram.c). Raises InputError."""
    from lanewise.pica200.api.frame_review import hash_of_words

    programs = {
        (shader.words[:most], shader.descriptors) for shader in own(loaded).program.programs for most in (None, _MOST_SENT)
    }
    return tuple([hash_of_words(tuple(words), tuple(descriptors)) for words, descriptors in programs])


def show(request: Request) -> Answer:
    """The draws of a file or of raw lists, or the one that is named; with `against` the vertices that differ between two
    profiles. Raises InputError, UsageError, InputFailure."""
    file = _file(request)
    if request.has("save"):
        return _saved(request, file)
    if request.has("against"):
        from lanewise.pica200.api.services.frame_profiles import compared

        return compared(request, file, _meant(file))
    return listed(file)


def _saved(request: Request, file: FrameFile) -> Answer:
    """One draw as a shader test. Raises UsageError, InputError, InputFailure."""
    from lanewise.pica200.api.frame_review import review
    from lanewise.pica200.api.frame_saving import saved
    from lanewise.pica200.api.services.profiles import profile_of

    if not request.sources[0].member and len(file.draws) != 1:
        raise UsageError(f"--save takes one draw: write {file.name}:N, N from 0 to {max(len(file.draws) - 1, 0)}")
    (draw,) = _meant(file)
    found = [*review(file.draws, file.name)][draw.number]
    setup = [sentence(found), *[f"{part}: {value}" for part, value in setup_of(draw).lines()]]
    text = saved(draw, f"{file.name}:{draw.number}", profile_of(request), found.findings, setup)
    path = request.text("save")
    return Answer(
        remarks=(f"wrote draw {draw.number} with {counted(len(found.used), 'vertex', 'vertices')} to {path}",),
        files=((path, text.encode()),),
        last=found.findings,
    )


def _meant(file: FrameFile) -> Sequence[Draw]:
    """The draw that the request names, or all. Raises InputError."""
    member = file.request.sources[0].member
    return [_chosen(file, member)] if member else file.draws


def convert(request: Request) -> Answer:
    """A file as CiTrace. Raises InputError, UsageError, InputFailure."""
    file = _file(request)
    output = request.text("output")
    if not output:
        raise UsageError("name the file to write: -o OUT.ctf")
    events = file.recording.events
    member = file.request.sources[0].member
    given = [(part.strip(), "--only") for text in request.texts("only") for part in text.split(",")]
    only = given + ([(member, "")] if member else [])
    findings = file.findings
    if only:
        from lanewise.pica200.api.frame_review import review

        kept = [_chosen(file, text, option) for text, option in only]
        events = isolated(kept)
        numbers = {draw.number for draw in kept}
        for found in review(file.draws, file.name):  # those that compare draws are not in the new file
            findings += found.findings if found.draw.number in numbers else ()
    data = write_citrace(events)
    draws = len(only) if only else len(file.draws)
    return Answer(
        text="",
        last=findings,
        remarks=(f"wrote {counted(draws, 'draw')} to {output}",),
        files=((output, data),),
    )


def _chosen(file: FrameFile, text: str, option: str = "") -> Draw:
    from lanewise.core.members import choose

    if not file.draws:
        file.unnamed()
    names = {name: value for name, value in file.names.items() if value.isdecimal()}  # no stages and targets
    return file.draws[int(choose(names, text, file.name, "draw", option))]


# Where a process sees what the GPU reads: name, first address, end, first physical address. From 0x18000000 on, an address may
# be of VRAM and physical, and from 0x30000000 on nobody knows.
_VIRTUAL = (
    ("linear memory", 0x14000000, 0x18000000, 0x20000000),
    ("VRAM", 0x1F000000, 0x1F600000, 0x18000000),
)


class ListFile(FrameFile):
    """Raw command lists with the memory that they read."""

    @cached_property
    def recording(self) -> Recording:
        """Raises UsageError, InputFailure."""
        events: list[Load | Submit] = []
        place = Place(0, 0)
        for key in ("memory", "list"):
            for text in self.request.texts(key):
                path, at, address = text.rpartition("@")
                try:
                    number = int(address, 0)
                except ValueError:
                    number = -1
                if not at or not path or not 0 <= number < 1 << 32:
                    raise UsageError(f"--{key} {text}: write FILE@ADDRESS, such as list.bin@0x20000000")
                for name, first, end, physical in _VIRTUAL:
                    if first <= number < end:
                        meant = f"{path}@{number - first + physical:#010x}"
                        wrong = f"{address} is a virtual address, of {name}"
                        raise UsageError(f"--{key} {text}: {wrong}: write {meant}, the physical one")
                data = memoryview(self.request.files.read(path))
                if number + len(data) > 1 << 32:
                    raise InputFailure(f"--{key} {text}: the file ends after the last address")
                events.append(Load(number, data, place))
                if key == "list":
                    events.append(Submit(number, len(data), place))
        return Recording(
            kind="lists",
            layout=f"{counted(len(self.request.texts('list')), 'raw command list')}; the state before is not known",
            initial=Initial(),
            events=events,
            findings=(),
        )


def _file(request: Request) -> FrameFile:
    """The file of a request, or its raw lists. Raises UsageError."""
    if request.texts("list"):
        if request.sources:
            raise UsageError("--list takes the place of FILE: leave one of them out")
        path = request.texts("list")[0].rpartition("@")[0] or "list"
        return ListFile(request.with_values({}, (SourceFile(path, b"", path),)))
    if request.texts("memory"):
        raise UsageError("--memory goes with --list")
    source = request.only("recorded frames")
    if not recognises(source.data):
        from lanewise.core.foreign import instead

        kind = instead(source.name, source.data)
        what = "this is not a recorded frame"
        raise InputError(
            [
                Diagnostic(
                    code="F001",
                    severity=ERROR,
                    message=f"{what}: {doubts(source.data)}" if kind is None else f"{what} but {kind.title}",
                    span=Span(file=source.name, offset=0),
                    fix=f"{kind.fix}; a frame is a CiTrace (.ctf)"
                    if kind is not None
                    else "give a CiTrace (.ctf), records of a host, or raw lists with --list FILE@ADDRESS",
                )
            ]
        )
    return FrameFile(request)


def listed(file: FrameFile) -> Answer:
    """All draws: target, topology, vertices, programs, what changed, findings."""
    from lanewise.pica200.api.frame_review import review

    reviewed = list(review(file.draws, file.name))
    known = _known(file.request.texts("known"))
    findings = [*file.findings, *[finding for each in reviewed for finding in each.findings]]
    before: list[Reviewed | None] = [None, *reviewed][: len(reviewed)]
    rows = [*zip(reviewed, before, strict=True)]
    page: tuple[Block, ...] = ()
    if file.request.sources[0].member:
        one = _meant(file)[0].number
        rows = rows[one : one + 1]
        findings, page = [*file.findings, *rows[0][0].findings], (*page_of(rows[0][0]),)
    if file.request.as_json:
        data = {
            "frame": {
                "name": file.name,
                "kind": file.recording.kind,
                "layout": file.recording.layout,
                "frames": file.frames.frames,
                "missing": dict(file.recording.notes),
                "registers": {} if reviewed else salvaged(file.frames.state),
                "draws": [draw_as_json(each, last, known) for each, last in rows],
            }
        }
        return Answer(data=data, last=tuple(findings), schema="frame")
    return Answer(
        page=(
            Heading(1, file.name),
            Paragraph(
                f"{file.recording.layout}: {counted(len(reviewed), 'draw')} in {counted(file.frames.frames, 'frame')}."
                + "".join([f" {name}: {reason}." for name, reason in file.recording.notes.items()])
            ),
            *([draws_table(rows)] if reviewed else []),
            *sources_page(rows, known),
            *(page or (_numbers(file) if reviewed else state_page(file.frames.state))),
        ),
        last=tuple(findings),
    )


def _numbers(file: FrameFile) -> tuple[Block, ...]:
    """How the draws are named."""
    return (Paragraph(_NUMBERS.format(_OF_FRAMES if file.frames.frames > 1 else "")),)


def _known(texts: Sequence[str]) -> dict[str, list[str]]:
    """The sources of programs, by the hash of each."""
    found: dict[str, list[str]] = {}
    for identity, _, name in [text.partition("=") for text in texts]:
        found.setdefault(identity, []).append(name)
    return found
