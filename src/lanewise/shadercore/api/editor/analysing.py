"""The analysis of a ShaderCore source for editors."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from lanewise.core.editor import Analysis, Entry, Placed
from lanewise.core.occurrences import Extent
from lanewise.core.service import InputFailure, UsageError
from lanewise.core.source import Span, decode_text
from lanewise.shadercore.api.checking import check_damaged, check_loaded
from lanewise.shadercore.api.reading import SOURCE, read_program
from lanewise.shadercore.api.services.devices import device_of
from lanewise.shadercore.api.services.loaded import ShaderCoreFile
from lanewise.shadercore.check.context import AnalysisContext
from lanewise.shadercore.isa.devices import RTL
from lanewise.shadercore.isa.program import Program
from lanewise.shadercore.isa.table import SLOTS
from lanewise.shadercore.text.notes import Notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Request
    from lanewise.shadercore.check.context import Place
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Damage
    from lanewise.shadercore.isa.timing import Timing


class State:
    """A source on a device: its program, with placeholders where it is `damage`."""

    program: Program
    damage: Sequence[Damage]
    device: Device
    context: AnalysisContext

    def __init__(self, program: Program, damage: Sequence[Damage], device: Device) -> None:
        self.program, self.damage, self.device = program, damage, device
        self.context = AnalysisContext(program, device, damage)

    @property
    def timing(self) -> Timing:
        return self.context.timing

    @cached_property
    def live(self) -> tuple[frozenset[Place], ...]:
        """By instruction: the components whose values are needed after it. Outputs that leave the core are needed at the
        end."""
        context = self.context
        now = set(context.exported)
        found: list[frozenset[Place]] = []
        for slot in range(len(context.insts) - 1, -1, -1):
            found.append(frozenset(now))
            target = context.targets[slot]
            if target is not None:
                now.discard(target)
            now.update(place for place in context.reads(slot) if place[0] != "v")
        return tuple(found[::-1])

    def slots_of(self, span: Span) -> range:
        """The slots of a statement."""
        places = self.program.places
        first = next((n for n, place in enumerate(places) if place == span), None)
        if first is None:
            return range(0)
        last = first
        while last + 1 < len(places) and places[last + 1] == span:
            last += 1
        return range(first, last + 1)


def analyse(request: Request) -> Analysis:
    """All about the source of a request, on its device. Nothing is raised: an unknown device is taken for the usual one."""
    source = request.sources[0]
    notes = Notes()
    try:
        device = device_of(request)
    except (UsageError, InputFailure):
        device = RTL
        request = request.with_values({"device": RTL.name})
    loaded = read_program(source.data, source.name, SOURCE, notes, device.added)
    if loaded.program is None:
        report = check_damaged(loaded, source.name, device)
    else:
        texts = [(source.name, decode_text(source.data))]
        report = check_loaded(loaded.program, source.name, device, loaded.diagnostics, texts, source=True)
    program = loaded.program or loaded.rest or Program(words=())
    file = None
    if loaded.program is not None and not request.has("from"):
        file = ShaderCoreFile(request, SOURCE)
    return Analysis(
        findings=report.findings,
        ignored=report.ignored,
        occurrences=tuple(notes.found),
        placed=_placed(program, loaded.damage),
        entries=_entries(program, source.name),
        loaded=file,
        state=State(program, loaded.damage, device),
    )


def _placed(program: Program, damage: Sequence[Damage]) -> tuple[Placed, ...]:
    """The words of each statement."""
    damaged = {one.slot for one in damage if one.words}
    found: list[Placed] = []
    for slot, span in enumerate(program.places):
        if found and found[-1].span == span and found[-1].damaged == (found[-1].address in damaged):
            found[-1] = found[-1]._replace(words=found[-1].words + 1)
        else:
            found.append(Placed(span, slot, 1, slot in damaged))
    return tuple(found)


def _entries(program: Program, name: str) -> tuple[Entry, ...]:
    """The one entry of a program: its first instruction."""
    if not program.places:
        return ()
    first, last = program.places[0], program.places[-1]
    return (Entry(name="", span=first, extent=Extent(name, first.line, last.line), words=len(program.words), limit=SLOTS),)
