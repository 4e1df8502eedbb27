"""The analysis of a Direct3D 9 source for editors."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from lanewise.core.editor import Analysis, Entry, Placed
from lanewise.core.occurrences import Extent, Names
from lanewise.direct3d9.api.editor.liveness import live_after
from lanewise.direct3d9.api.reading import SOURCE, of_direct3d8, read_shader
from lanewise.direct3d9.api.services.check import check
from lanewise.direct3d9.api.services.loaded import LoadedShader
from lanewise.direct3d9.check.context import AnalysisContext
from lanewise.direct3d9.container.tables import constants_of
from lanewise.direct3d9.isa.program import Inst
from lanewise.direct3d9.isa.slots import cost, cubes_of, limits, shader_cost
from lanewise.direct3d9.isa.table import find_version
from lanewise.direct3d9.text.notes import Notes
from lanewise.direct3d9.text.preprocess import setting_of
from lanewise.direct3d9.text.symbols import symbols_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Request
    from lanewise.core.source import Span
    from lanewise.direct3d9.api.reading import Reading
    from lanewise.direct3d9.isa.program import Damage, Item, Shader
    from lanewise.direct3d9.isa.table import Version
    from lanewise.direct3d9.text.notes import Statement


class State:
    """A source: its shader, or what can be read of it, and its statements; `addresses` are those of their words."""

    shader: Shader
    damage: Sequence[Damage]
    statements: Sequence[Statement]
    addresses: Sequence[int]

    def __init__(
        self, shader: Shader, damage: Sequence[Damage], statements: Sequence[Statement], addresses: Sequence[int]
    ) -> None:
        self.shader, self.damage, self.statements, self.addresses = shader, damage, statements, addresses

    @property
    def version(self) -> Version:
        return self.shader.version

    @cached_property
    def context(self) -> AnalysisContext:
        return AnalysisContext(self.shader, self.damage)

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The number of each instruction, by its `id`."""
        return {id(inst): n for n, inst in enumerate(self.context.insts)}

    @cached_property
    def live(self) -> list[dict[tuple[int, int], int]] | None:
        """By instruction: the components (x is bit 0) of r#, a0, p0 and, in ps_1_x, t# that are needed after it; None where
        blocks are not balanced."""
        return None if self.context.flow_damaged else live_after(self.context)

    @cached_property
    def symbols(self) -> dict[tuple[int, int], tuple[str, int]]:
        """The names of the constant table of a source that has one: (register file, first number) to (name, count)."""
        table = constants_of(self.shader).table
        return symbols_of(table) if table is not None else {}

    @cached_property
    def slots(self) -> list[tuple[int, int]]:
        """By instruction: the number of its first slot, and how many it takes; texture slots count as well."""
        cubes, version = cubes_of(self.shader), self.version
        found: list[tuple[int, int]] = []
        at = 0
        for inst in self.context.insts:
            size = 0 if inst.coissue and version.major < 2 else cost(inst, version, cubes).total
            found.append((at, size))
            at += size
        return found


def analyse(request: Request) -> Analysis:
    """All about the source of a request and the files that it includes. Nothing is raised."""
    source = request.sources[0]
    notes = Notes()
    setting = setting_of(request.texts("define"), request.texts("include"))
    reading = read_shader(source.data, source.name, SOURCE, request.read_included, setting, notes)
    if request.flag("direct3d8"):
        reading = of_direct3d8(reading, source.name)
    report = check(reading, source.name, stats=False)
    shader = reading.shader or reading.rest
    loaded = None
    if reading.shader is not None and not request.has("from"):
        loaded = LoadedShader(source, SOURCE, request.read_included, setting, direct3d8=request.flag("direct3d8"))
        loaded.reading = reading
    if shader is None:
        return Analysis(
            findings=report.findings, ignored=report.ignored, occurrences=Names(notes.occurrences), state=_version(source.data)
        )
    placed = _placed(reading, notes.statements)
    addresses = {id(one): place.address for one, place in placed}
    state = State(shader, reading.damage, notes.statements, [addresses.get(id(one), -1) for one in notes.statements])
    return Analysis(
        findings=report.findings,
        ignored=report.ignored,
        occurrences=Names(notes.occurrences),
        placed=tuple([place for _, place in placed]),
        entries=_entries(shader, [place.span for _, place in placed]),
        loaded=loaded,
        state=state,
    )


def _version(data: bytes) -> Version | None:
    """The version of a source of which nothing else can be read."""
    words = data[:200].split()
    return find_version(words[0].decode("latin-1")) if words else None


def _placed(reading: Reading, statements: Sequence[Statement]) -> list[tuple[Statement, Placed]]:
    """The words of each statement, as offsets into the token stream. A damaged one has about as many as it would have."""
    found: list[tuple[Statement, Placed]] = []
    damage = {(one.place.file, one.place.line, one.place.column): one.words for one in reading.damage}
    at = 1
    for one in statements:
        words = _size(one.item) if one.item is not None else damage.get((one.span.file, one.span.line, one.span.column), 0)
        if words:
            found.append((one, Placed(one.span, at, words, one.damaged)))
        at += words
    return found


def _size(item: Item) -> int:
    return len(item.words)


def _entries(shader: Shader, spans: Sequence[Span]) -> tuple[Entry, ...]:
    """The one entry of a shader, with the slots that it uses."""
    if not spans:
        return ()
    first = next((item.place for item in shader.items if isinstance(item, Inst) and item.place is not None), spans[0])
    here = [span.line for span in spans if span.file == spans[0].file]
    most = limits(shader.version)
    limit = most.arithmetic + (most.texture or 0) if most.arithmetic is not None else 0
    return (
        Entry(
            name="",
            span=first,
            extent=Extent(spans[0].file, min(here), max(here)),
            words=shader_cost(shader).total,
            limit=limit,
        ),
    )
