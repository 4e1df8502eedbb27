"""What the playground's page asks, answered: `Desk`, lanewise in the browser. It runs in Pyodide, without NumPy, and imports
nothing that needs a server.

A question is a JSON object with a number `id` and a text `ask`; its answer is some messages `{"id", "pane", "value"}` and a
last one, `{"id", "done"}` or `{"id", "error"}`: the protocol of the studio's server, so that both pages share their panes.
"""

from __future__ import annotations

import base64
import binascii
import json
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from lanewise.api.findings import CLASSES, explained, findings
from lanewise.arrays.data import run_data
from lanewise.arrays.words import Words
from lanewise.core.diagnostics import InputError, in_order, to_json
from lanewise.core.document import Fixed, Heading, Items, Paragraph, Table
from lanewise.core.extras import NOT_INSTALLED, missing_library
from lanewise.core.service import InputFailure, UsageError
from lanewise.core.source import decode_text
from lanewise.core.text.formatting import indent_named
from lanewise.packages import language_of, package_of, packages, recognise, unknown_file

from lanewise_studio.panes.graph import graph
from lanewise_studio.panes.proofs import opt
from lanewise_studio.panes.steps import explain, seek, time
from lanewise_studio.panes.words import inspected
from lanewise_studio.program import broken, sentence
from lanewise_studio.reading import Reading
from lanewise_studio.state import File, State, plain_state, read_state, refused
from lanewise_studio.stop import Stop
from lanewise_studio.subject import subject_of
from lanewise_studio.tables import tables
from starter import starter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.document import Block
    from lanewise.core.service import Request, Value

    from lanewise_studio.subject import Subject

    Plain = dict[str, object]
    Panes = Iterator[tuple[str, object]]

MOST_VERTICES = 64
MOST_OPENED = 1 << 20  # bytes of a binary
DATA = ".toml"
_INDENT = indent_named("4")
_HERE = "this page"
_NO_COMPILER = "L900"

# What the page cannot do, and the command that does it on the user's machine.
LIMITS = (
    (f"runs of more than {MOST_VERTICES} vertices, and fast ones", "lanewise run FILE --data FILE.toml"),
    ("the primitives of geometry shaders, and textures", "lanewise run FILE FILE.g.pica --data FILE.toml --indices all"),
    ("compiling GLSL, HLSL and Slang", "lanewise compile FILE"),
    ("meshes, pictures, colours of triangles", "lanewise studio FILE MESH"),
    ("proofs that two programs are equal", "lanewise diff FILE OTHER"),
    ("completion and renaming", "lanewise lsp, in an editor"),
)


class Trial(Reading):
    """A program with a data file of `lanewise run --data`, if there is one."""

    def __init__(self, state: State) -> None:
        """Raises InputError where the program cannot be read."""
        self.data = next((file.name for file in state.files if file.name.endswith(DATA)), "")
        super().__init__(*_apart(state), Stop())

    def request(self, command: str = "run", values: Mapping[str, Value] | None = None) -> Request:
        own: dict[str, Value] = {"format": "json", **({"data": self.data} if self.data else {})}
        if command == "run":
            own["engine"] = "reference"  # also where another one is installed
        return self.program.request(command, {**own, **(values or {})})

    @cached_property
    def subject(self) -> Subject:
        return subject_of(self.loaded, self.program)

    @cached_property
    def findings(self) -> Sequence[Diagnostic]:
        """Those of `check`."""
        service = self.loaded.check
        return in_order(service(self.program.request("check")).findings) if service is not None else ()

    @property
    def command(self) -> str:
        """The command that does the same on the user's machine."""
        options = "".join([f" --{key} {value}" for key, value in self.program.values("run").items() if isinstance(value, str)])
        data = f" --data {self.data}" if self.data else ""
        return f"lanewise run {' '.join([source.name for source in self.program.sources])}{data}{options}"


class Desk:
    """The last program without errors of a page. `examples` are what the page offers to open."""

    def __init__(self, examples: Sequence[Mapping[str, object]] = ()) -> None:
        self._examples = examples
        self._trial: Trial | None = None
        self._works: Mapping[str, Callable[[Mapping[str, Any]], Panes]] = {
            "evaluate": self._evaluate,
            "trace": lambda ask: _one("time", time(self._read, _whole(ask, "thread"), _whole(ask, "first"))),
            "explain": lambda ask: _one(
                "explain", explain(self._read, _whole(ask, "thread"), _whole(ask, "position"), _text(ask, "place"))
            ),
            "seek": lambda ask: _one("seek", seek(self._read, _whole(ask, "thread"), _whole(ask, "position"), ask)),
            "opt": lambda _: _one("opt", opt(*_apart(self._read.state), Stop())),
            "format": self._format,
            "convert": self._convert,
            "assemble": self._assemble,
            "open": self._open,
            "reference": _reference,
        }

    def hello(self) -> str:
        """What the page is told first."""
        own = tables()
        languages = cast("list[Plain]", own["languages"])
        lexicons = cast("Plain", own["lexicons"])
        return _json(
            {
                "hello": {
                    **own,
                    "files": [],
                    "meshes": [],
                    "examples": [*self._examples],
                    "limits": LIMITS,
                    "mostVertices": MOST_VERTICES,
                    "languages": [*languages, {"isa": "", "name": "toml", "title": "TOML", "suffixes": [DATA]}],
                    "lexicons": {**lexicons, "toml": _TOML},
                }
            }
        )

    def answer(self, text: str) -> Iterator[str]:
        """The messages that answer one of the page; the page may stop asking for more of them after any."""
        ask: dict[str, Any] = json.loads(text)
        number = ask.get("id")
        work = self._works.get(str(ask.get("ask")))
        try:
            if work is None:
                raise refused(f"{_HERE} does not do '{ask.get('ask')}'")
            for name, value in work(ask):
                yield _json({"id": number, "pane": name, "value": value})
        except (InputFailure, UsageError) as error:
            yield _json({"id": number, "error": [to_json(finding) for finding in sentence(error).diagnostics]})
        except InputError as error:
            yield _json({"id": number, "error": [to_json(finding) for finding in error.diagnostics]})
        except Exception as error:  # a library that is not there, or a bug of lanewise: the page says so and goes on
            missing = missing_library(error, f"`{ask.get('ask')}` of this program")
            if missing is not None:
                yield _json({"id": number, "error": [to_json(missing._replace(fix="do it with lanewise on your machine"))]})
            else:
                yield _json({"id": number, "fault": f"internal error: {type(error).__name__}: {error}"})
        else:
            yield _json({"id": number, "done": True})

    @property
    def _read(self) -> Trial:
        if self._trial is None:
            raise refused("no program has been read", "correct the errors of the source first")
        return self._trial

    def _evaluate(self, ask: Mapping[str, Any]) -> Panes:
        state = read_state(ask.get("state"))
        try:
            trial = Trial(state)
        except InputError as error:
            pane = broken(*_apart(state), error)
            found = cast("Sequence[Plain]", pane["diagnostics"])
            yield "source", {**pane, "diagnostics": [_here(finding) for finding in found]}
            return
        self._trial = trial
        yield (
            "source",
            {
                "ok": True,
                **trial.program.described(),
                "stage": trial.subject.stage,
                "entry": trial.program.entry,
                "entries": [*trial.subject.entries],
                "offers": _offers(trial),
                "diagnostics": [to_json(finding) for finding in trial.findings],
            },
        )
        yield "words", inspected(trial)
        yield "graph", _graph(trial)
        if not trial.data and trial.subject.stage != "geometry":
            yield "starter", {"name": f"data{DATA}", "text": starter(trial.subject)}
            return
        yield "run", _run(trial)

    def _format(self, ask: Mapping[str, Any]) -> Panes:
        trial, name = self._read, _text(ask, "file")
        text = decode_text(trial.program.memory.read(name))
        match = recognise(name, text.encode())
        if match is None or match.language is None or match.language.format is None:
            raise refused(f"{match.title if match is not None else name} has no formatter")
        yield "format", {"file": name, "text": match.language.format(name, text, trial.program.memory.included, _INDENT)}

    def _convert(self, ask: Mapping[str, Any]) -> Panes:
        trial = self._read
        package, language = language_of(_text(ask, "to"))
        if package.name != trial.loaded.isa or language.write is None:
            raise refused(f"{trial.program.package.title} programs are not written as {language.title}")
        found = language.write(trial.loaded, trial.program.request("convert"))
        yield (
            "convert",
            {
                "to": language.name,
                "title": language.title,
                "sources": [{"name": source.name, "text": source.text} for source in found.sources],
                "remarks": [
                    *[f"not kept: {lost}" for lost in found.lost],
                    *([f"assemble it with {' '.join(found.arguments)}"] if found.arguments else []),
                ],
            },
        )

    def _assemble(self, ask: Mapping[str, Any]) -> Panes:
        trial = self._read
        answer = trial.program.package.assemble(trial.program.request("asm"))
        if answer.failed or not answer.files:
            raise InputError(answer.first) if answer.first else refused("there is nothing to save")
        name, data = answer.files[0]
        yield "file", {"name": name, "data": base64.b64encode(data).decode()}

    def _open(self, ask: Mapping[str, Any]) -> Panes:
        """A binary of the user's machine, as its disassembly."""
        name = _text(ask, "name").replace("\\", "/").rpartition("/")[2]
        try:
            content = base64.b64decode(_text(ask, "data"), validate=True)
        except (binascii.Error, ValueError):
            raise refused(f"{name} did not arrive whole") from None
        if len(content) > MOST_OPENED:
            raise refused(f"{name} has more than {MOST_OPENED >> 20} MiB", f"use `lanewise dis {name}` on your machine")
        match = recognise(name, content)
        if match is None:
            raise unknown_file(name, content)
        state = State(files=(File(name, data=content),))
        reading = Opened(state, {}, Stop())
        language = reading.program.package.languages[0]
        if language.write is None:
            files = [File(f"{name}{language.suffixes[0]}", reading.loaded.text)]
        else:
            written = language.write(reading.loaded, reading.program.request("dis"))
            files = [File(source.name, source.text) for source in written.sources]
        yield "open", {"state": plain_state(state._replace(files=tuple(files)))}


class Opened(Reading):
    """A binary: it is read, never run."""

    def request(self, command: str = "run", values: Mapping[str, Value] | None = None) -> Request:
        return self.program.request(command, values)


def _apart(state: State) -> tuple[State, dict[str, bytes]]:
    """The sources of a state, and its data files."""
    data = {file.name: file.text.encode() for file in state.files if file.name.endswith(DATA)}
    sources = tuple([file for file in state.files if file.name not in data])
    if not sources:
        raise refused("the state has no source", "open a source beside the data")
    return state._replace(files=sources), data


def _here(finding: Plain) -> Plain:
    """A finding with a fix that can be followed: this page has no compiler, and none can be installed in it."""
    if finding["code"] != _NO_COMPILER:
        return finding
    name = cast("Plain", finding["span"])["file"]
    fix = f"compile it on your machine: `lanewise compile {name}`, or look at it in `lanewise studio {name}`"
    return {**finding, "message": f"{_HERE} has no compiler for GLSL, HLSL and Slang", "notes": [], "fix": fix}


def _offers(trial: Trial) -> list[str]:
    """What can be asked about a program, of what depends on its instruction set and language."""
    match, package = trial.program.match, trial.program.package
    language = match.language
    convertible = [f"convert {other.name}" for other in package.languages if other.write is not None and other is not language]
    return [
        *(["format"] if language is not None and language.format is not None else []),
        *(convertible if len(package.languages) > 1 and not match.compiled else []),
        *([] if match.compiled else ["assemble"]),
        *(["opt"] if package.optimise is not None else []),
    ]


def _graph(trial: Trial) -> Plain:
    try:
        return graph(trial)
    except ModuleNotFoundError as error:
        message = _missing(error, f"the graph of a {trial.program.package.title} program")
        return {"reason": f"{message} on this page; on your machine `lanewise graph {trial.program.name}` draws it"}


def _missing(error: ModuleNotFoundError, what: str) -> str:
    """What a library is missing for. Raises the error where it is not one that lanewise can be without."""
    finding = missing_library(error, what)
    if finding is None:
        raise error
    return finding.message


def _run(trial: Trial) -> Plain:
    """The results of all vertices; where there are none, the reason, the findings, and the command that runs the program
    elsewhere."""
    service = trial.loaded.run
    if service is None:
        return {"reason": f"{trial.program.package.title} programs are not run", "diagnostics": []}
    nothing: Plain = {"command": trial.command, "diagnostics": []}
    if not trial.data:
        return {**nothing, "reason": "a geometry shader alone is not run: link the source of a vertex shader too"}
    try:
        count = _vertices(trial)
        if count > MOST_VERTICES:
            return {
                **nothing,
                "reason": f"{count} vertices: {_HERE} runs up to {MOST_VERTICES}; on your machine `{trial.command}` runs all",
            }
        answer = service(trial.request())
    except (InputFailure, UsageError) as error:
        return _not_run(nothing, sentence(error, trial.data))
    except InputError as error:
        first = error.diagnostics[0]
        return _elsewhere(nothing, first.message) if first.code == NOT_INSTALLED else _not_run(nothing, error)
    except ModuleNotFoundError as error:
        return _elsewhere(nothing, _missing(error, f"a run of a {trial.program.package.title} program"))
    found = {key: answer.data[key] for key in ("engine", "variant", "lanes", "unit", "format", "outputs", "faults")}
    return {**nothing, **found, "diagnostics": [to_json(finding) for finding in answer.last]}


def _vertices(trial: Trial) -> int:
    """How many vertices the data are for. Raises InputError, InputFailure."""
    data = run_data(trial.request(), trial.loaded.isa)
    arrays = [value.array if isinstance(value, Words) else value for value in data.inputs.values()]
    return max([data.count or 0, *[len(array) for array in arrays if array.ndim > 1]], default=0)


def _elsewhere(nothing: Plain, message: str) -> Plain:
    """What the page lacks and the user's machine has."""
    return {**nothing, "reason": f"{message} on this page; on your machine `{nothing['command']}` runs it"}


def _not_run(nothing: Plain, error: InputError) -> Plain:
    first = error.diagnostics[0]
    return {
        **nothing,
        "reason": f"{first.message}{f': {first.fix}' if first.fix else ''}",
        "diagnostics": [to_json(finding) for finding in error.diagnostics],
    }


def _reference(ask: Mapping[str, Any]) -> Panes:
    """A page of the reference by the name of an instruction set and an instruction, by a code, or the list of all pages."""
    isa, name = _text(ask, "isa"), _text(ask, "name")
    if not name and not isa:
        yield "index", _index()
    elif not isa:
        row = findings().get(name)
        if row is None:
            raise refused(f"unknown code '{name}'")
        yield "page", {"isa": "", "name": name, "blocks": [_plain(block) for block in explained(row)]}
    else:
        reference = package_of(isa).reference
        if reference is None:
            raise refused(f"{isa} has no reference")
        blocks, _ = reference().instruction(name) if name else reference().overview()
        yield "page", {"isa": isa, "name": name, "blocks": [_plain(block) for block in blocks]}


def _index() -> Plain:
    sets: list[Plain] = []
    for package in packages():
        if package.reference is not None:
            _, data = package.reference().overview()
            rows = cast("Sequence[Mapping[str, object]]", data["instructions"])
            sets.append(
                {"isa": package.name, "title": package.title, "names": list(dict.fromkeys([row["name"] for row in rows]))}
            )
    codes = findings()
    return {
        "sets": sets,
        "codes": [
            {
                "title": title,
                "rows": [{"code": code, "title": codes[code].title} for code in sorted(codes) if code[0] == letter],
            }
            for letter, title in CLASSES.items()
        ],
    }


def _plain(block: Block) -> Plain:
    match block:
        case Heading(level, text):
            return {"kind": "heading", "level": level, "text": text}
        case Paragraph(text):
            return {"kind": "paragraph", "text": text}
        case Fixed(lines):
            return {"kind": "fixed", "text": "\n".join(lines)}
        case Table(head, rows):
            return {"kind": "table", "head": head, "rows": rows}
        case Items(points):
            return {"kind": "items", "points": points}


def _one(name: str, value: object) -> Panes:
    yield name, value


def _whole(ask: Mapping[str, Any], key: str) -> int:
    value = ask.get(key, 0)
    if isinstance(value, bool) or not isinstance(value, int):
        raise refused(f"{key} is not a whole number")
    return value


def _text(ask: Mapping[str, Any], key: str) -> str:
    value = ask.get(key, "")
    if not isinstance(value, str):
        raise refused(f"{key} is not a text")
    return value


def _json(value: object) -> str:
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


_TOML: Plain = {
    "comment": "#",
    "rules": [
        {"pattern": pattern, "kinds": [kind], "end": ""}
        for pattern, kind in (
            (r"#[^\n]*", "comment"),
            (r"^[ \t]*\[\[?[A-Za-z_\"][^\]\n]*\]\]?", "directive"),
            (r"\"(?:[^\"\\\n]|\\.)*\"", "string"),
            (r"(?<![\w.])(?:true|false)(?!\w)", "value"),
            (r"(?<![\w.])[-+]?(?:inf|nan|0x[0-9A-Fa-f]+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?!\w)", "number"),
            (r"[A-Za-z_][\w-]*", "register"),
            (r"[=,.\[\]{}]", "punctuation"),
        )
    ],
}

__all__ = ["DATA", "LIMITS", "MOST_VERTICES", "Desk", "Trial"]
