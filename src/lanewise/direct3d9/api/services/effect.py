"""Effect files for commands: one shader by name, or all of them."""

from __future__ import annotations

import math
import struct
from functools import cached_property

from lanewise.core.diagnostics import ERROR, Diagnostic, visible
from lanewise.core.document import Heading, Paragraph, Table
from lanewise.core.members import no_such
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Answer, Disassembly, Report, Request, SourceFile, failure
from lanewise.core.source import Span
from lanewise.direct3d9.api.effect import EffectOf, find, no_stream
from lanewise.direct3d9.api.services.loaded import LoadedShader
from lanewise.direct3d9.api.services.loaded import wrap as wrap_shader
from lanewise.direct3d9.container.effects import read_effect
from lanewise.direct3d9.container.fx2 import bases, number_texts
from lanewise.direct3d9.container.stream import read_stream
from lanewise.direct3d9.isa.constants import BASE_NAMES
from lanewise.direct3d9.isa.effect import CLASSES
from lanewise.direct3d9.isa.slots import shader_cost
from lanewise.direct3d9.isa.table import NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Never

    from lanewise.core.debugging import Debuggee
    from lanewise.core.document import Block
    from lanewise.core.package import Loaded, Program
    from lanewise.direct3d9.api.effect import Direct3DEffect
    from lanewise.direct3d9.container.effects import ReadEffect
    from lanewise.direct3d9.isa.effect import Effect, EffectShader, Parameter, State

_SHOWN_NUMBERS = 16


def members(request: Request) -> Mapping[str, str]:
    """The names of the shaders of an effect, each with that of its shader. Raises InputError."""
    return LoadedEffect(request).effect.names


def load(request: Request) -> Loaded:
    """The shader of an effect that `program` names, the only one, or the effect. Raises InputError."""
    _ = request.only("Direct3D 9 shaders")
    loaded = LoadedEffect(request)
    named = request.text("program")
    if named:
        return loaded.one(find(loaded.effect, named))
    effect = loaded.reading.effect
    only = effect.shaders if effect is not None and not effect.techniques and len(effect.shaders) == 1 else ()
    return loaded.one(only[0]) if only and only[0].stream else loaded  # a DXBC container is its shader


def wrap(program: Program, request: Request) -> Loaded:
    """A public object as a file for services: an effect, or a shader. Raises TypeError for one of another instruction set."""
    if isinstance(program, EffectOf):
        source = SourceFile(program.name, program.data, program.name)
        return LoadedEffect(Request(request.command, (source,), request.values, files=request.files))
    return wrap_shader(program, request)


class ShaderOfEffect(LoadedShader):
    """A shader of an effect as a file. Findings of its check are about places in the effect."""

    def __init__(self, request: Request, shader: EffectShader) -> None:
        whole = request.sources[0]
        path = f"{whole.path.rpartition('.')[0] or 'shader'}_{file_name(shader.name)}"
        source = SourceFile(f"{whole.name}:{shader.name}", shader.stream, path)
        super().__init__(source, "bin", request.read_included, direct3d8=request.flag("direct3d8"))
        self._file, self._part = whole.name, shader

    def check(self, request: Request) -> Report:
        report = super().check(request)
        return report._replace(findings=self._placed(report.findings), ignored=self._placed(report.ignored))

    def _placed(self, findings: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
        note = f"in the shader {self._part.name}"
        return tuple(
            [
                finding._replace(
                    span=Span(file=self._file, offset=self._part.offset + max(0, finding.span.offset)),
                    notes=(*finding.notes, note),
                )
                for finding in findings
            ]
        )


class LoadedEffect:
    """An effect of which no shader was named."""

    request: Request
    source: SourceFile

    isa = NAME
    scene = None
    difference = None

    def __init__(self, request: Request) -> None:
        self.request, self.source = request, request.sources[0]

    @cached_property
    def reading(self) -> ReadEffect:
        """The effect with the findings of reading it."""
        return read_effect(self.source.data, self.source.name)

    @property
    def effect(self) -> Effect:
        """The effect. Raises InputError if there is none."""
        if self.reading.effect is None:
            raise failure(self.reading.diagnostics)
        return self.reading.effect

    @property
    def name(self) -> str:
        return self.source.name

    def one(self, shader: EffectShader) -> LoadedShader:
        """A shader as a file. Raises InputError for one without Direct3D 9 code."""
        if not shader.stream:
            raise failure([no_stream(shader, self.name)])
        return ShaderOfEffect(self.request, shader)

    @cached_property
    def readable(self) -> list[EffectShader]:
        """The shaders with Direct3D 9 code. Raises InputError if there are others only."""
        found = [shader for shader in self.effect.shaders if shader.stream]
        if self.effect.shaders and not found:
            raise failure([no_stream(self.effect.shaders[0], self.name)])
        return found

    @property
    def only(self) -> LoadedShader:
        """The shader where there is one only. Raises InputError."""
        if len(self.readable) != 1:
            self._refuse()
        return self.one(self.readable[0])

    def _refuse(self) -> Never:
        names = [shader.name for shader in self.readable]
        if not names:
            raise failure(
                [
                    Diagnostic(
                        code="C315",
                        severity=ERROR,
                        message="this effect holds no shader",
                        span=Span(file=self.name, offset=0),
                        fix="lanewise inspect shows its contents",
                    )
                ]
            )
        listed = no_such("", names, self.name).diagnostics[0].fix
        raise failure(
            [
                Diagnostic(
                    code="C312",
                    severity=ERROR,
                    message=f"this effect holds {len(names)} shaders: name one",
                    span=Span(file=self.name, offset=0),
                    fix=listed,
                )
            ]
        )

    @property
    def words(self) -> Sequence[int]:
        """The tokens of all shaders with Direct3D 9 code, one after the other."""
        return [word for shader in self.readable for word in self.one(shader).words]

    @property
    def text(self) -> str:
        return "\n".join([f"; {visible(shader.name, '')}\n{self.one(shader).text}" for shader in self.readable])

    @property
    def source_map(self) -> Sequence[Span | None]:
        places = [(shader.offset, len(self.one(shader).words)) for shader in self.readable]
        return [Span(file=self.name, offset=at + 4 * n) for at, count in places for n in range(count)]

    @property
    def program(self) -> Direct3DEffect:
        from lanewise.direct3d9.api.effect import Direct3DEffect

        return Direct3DEffect.from_bytes(self.source.data, self.name)

    @property
    def graph(self) -> Callable[[Request], Answer] | None:
        return self.only.graph

    @property
    def run(self) -> Callable[[Request], Answer] | None:
        return self.only.run

    @property
    def trace(self) -> Callable[[Request], Answer] | None:
        return self.only.trace

    @property
    def debug(self) -> Callable[[Request], Debuggee] | None:
        return self.only.debug

    @property
    def time(self) -> Callable[[Request], Answer] | None:
        return self.only.time

    def check(self, request: Request) -> Report:
        """The findings about all shaders with Direct3D 9 code, with the cost of each."""
        if self.reading.effect is None:
            return Report(tuple(self.reading.diagnostics))
        reports = [self.one(shader).check(request) for shader in self.readable]
        others = len(self.effect.shaders) - len(reports)
        remark = f"{self.name}: {others} shaders without Direct3D 9 code are not checked"
        return Report(
            tuple([finding for report in reports for finding in report.findings]),
            tuple([finding for report in reports for finding in report.ignored]),
            tuple([stats for report in reports for stats in report.stats]),
            (remark,) if others else (),
        )

    def disassemble(self, request: Request) -> Answer:
        """The sources of all shaders with Direct3D 9 code. Raises UsageError for words or a listing of more than one."""
        if (request.text("to") or request.flag("listing")) and len(self.readable) != 1:
            self._refuse()
        answers = [self.one(shader).disassemble(request) for shader in self.readable]
        if len(answers) == 1:
            return answers[0]
        sources = [source for answer in answers if answer.sources is not None for source in answer.sources.sources]
        lost = [text for answer in answers if answer.sources is not None for text in answer.sources.lost]
        data = {
            "shaders": [{"name": shader.name, **answer.data} for shader, answer in zip(self.readable, answers, strict=True)]
        }
        first = () if request.as_json else tuple([finding for answer in answers for finding in answer.first])
        return Answer(data=data, first=first, sources=Disassembly(sources=tuple(sources), lost=tuple(dict.fromkeys(lost))))

    def inspect(self, request: Request) -> Answer:
        """Techniques, passes, parameters and shaders."""
        if request.flag("listing"):
            return self.only.inspect(request)
        return Answer(data=as_json(self.effect, self.name), page=tuple(page(self.effect, self.name)))


def file_name(name: str) -> str:
    """A name of a shader as part of a file's name."""
    return "".join([c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in name])[:128]


def _number_texts(parameter: Parameter) -> list[str]:
    return number_texts(parameter.default, parameter.type)


def _number(word: int, base: int) -> float | int | bool | None:
    """A word as a number of its type; None for one that is not finite."""
    if BASE_NAMES[base : base + 1] == ("float",):
        value = float(struct.unpack("<f", struct.pack("<I", word))[0])
        return value if math.isfinite(value) else None
    return bool(word) if BASE_NAMES[base : base + 1] == ("bool",) else word - (1 << 32) if word >> 31 else word


def _plain(parameter: Parameter) -> dict[str, object]:
    kind = parameter.type
    found: dict[str, object] = {
        "name": parameter.name,
        "semantic": parameter.semantic,
        "type": parameter.type_name,
        "class": CLASSES[kind.kind] if kind.kind < len(CLASSES) else kind.kind,
        "rows": kind.rows,
        "columns": kind.columns,
        "elements": kind.elements,
        "default": [
            _number(word, base) for word, base in zip(parameter.default, bases(kind, len(parameter.default)), strict=False)
        ],
        "text": parameter.text,
        "states": [state._asdict() for state in parameter.states],
        "annotations": [_plain(each) for each in parameter.annotations],
    }
    if kind.members:
        found["members"] = [
            {"name": member.name, "type": member.type.name, "elements": member.type.elements} for member in kind.members
        ]
    return found


def as_json(effect: Effect, name: str) -> dict[str, object]:
    """The contents of an effect as plain values."""
    return {
        "file": {
            "name": name,
            "isa": NAME,
            "format": effect.format,
            "in": effect.wrapping,
            "techniques": [
                {
                    "name": technique.name,
                    "annotations": [_plain(each) for each in technique.annotations],
                    "passes": [
                        {
                            "name": each.name,
                            "vertex": each.vertex,
                            "pixel": each.pixel,
                            "states": [state._asdict() for state in each.states],
                            "annotations": [_plain(note) for note in each.annotations],
                        }
                        for each in technique.passes
                    ],
                }
                for technique in effect.techniques
            ],
            "parameters": [_plain(parameter) for parameter in effect.parameters],
            "shaders": [_plain_shader(shader) for shader in effect.shaders],
        },
        "diagnostics": [],
    }


def _plain_shader(shader: EffectShader) -> dict[str, object]:
    found: dict[str, object] = {
        "name": shader.name,
        "stage": shader.stage,
        "code": shader.kind,
        "version": None,
        "slots": None,
        "size": len(shader.stream or shader.code),
        "offset": shader.offset,
        "source": shader.entry,
    }
    read = read_stream(shader.stream).shader if shader.stream else None
    if read is not None:
        found |= {"version": read.version.name, "slots": shader_cost(read).total}
    return found


def _states(states: Sequence[State]) -> str:
    return ", ".join([f"{state.name}{f'[{state.number}]' if state.of_stage else ''}={state.value}" for state in states])


def page(effect: Effect, name: str) -> list[Block]:
    """The contents of an effect as a page."""
    passes = sum(len(technique.passes) for technique in effect.techniques)
    inside = f" in an {effect.wrapping}" if effect.wrapping else ""
    counts = [
        (len(effect.techniques), "technique"),
        (passes, "pass"),
        (len(effect.parameters), "parameter"),
        (len(effect.shaders), "shader"),
    ]
    plural = {"pass": "passes"}
    listed = ", ".join([f"{n} {what if n == 1 else plural.get(what, what + 's')}" for n, what in counts])
    blocks: list[Block] = [Heading(1, name), Paragraph(f"Effect, {effect.format}{inside}: {listed}.")]
    rows = [
        (technique.name, each.name, each.vertex or "-", each.pixel or "-", _states(each.states))
        for technique in effect.techniques
        for each in technique.passes
    ]
    if rows:
        blocks += [
            Heading(2, "Techniques"),
            Table(("technique", "pass", "vertex shader", "pixel shader", "states"), tuple(rows)),
        ]
    if effect.parameters:
        table = tuple([_row(parameter) for parameter in effect.parameters])
        blocks += [Heading(2, "Parameters"), Table(("name", "type", "semantic", "default", "annotations"), table)]
    if effect.shaders:
        shown = [_plain_shader(shader) for shader in effect.shaders]
        lines = tuple(
            [
                (
                    str(one["name"]),
                    str(one["version"] or one["code"]),
                    "" if one["slots"] is None else str(one["slots"]),
                    str(one["size"]),
                    str(one["source"]),
                )
                for one in shown
            ]
        )
        blocks += [Heading(2, "Shaders"), Table(("name", "version", "slots", "bytes", "source"), lines)]
    return blocks


def _row(parameter: Parameter) -> tuple[str, str, str, str, str]:
    numbers = _number_texts(parameter)
    default = ", ".join(numbers[:_SHOWN_NUMBERS]) + (f", ... ({len(numbers)})" if len(numbers) > _SHOWN_NUMBERS else "")
    elements = f"[{parameter.type.elements}]" if parameter.type.elements else ""
    notes = ", ".join([f"{each.name}={each.text or ', '.join(_number_texts(each))}" for each in parameter.annotations])
    return (
        parameter.name,
        parameter.type_name + elements,
        parameter.semantic,
        parameter.text or _states(parameter.states) or default,
        notes,
    )
