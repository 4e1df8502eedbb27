"""Provenance of a value: the steps of a trace that produced one component.

The trace is walked backward from the last write.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.record import Record
from lanewise.pica200.sem.components import AL, Component, flags_used
from lanewise.pica200.sem.flow import RestoreAl, StartAl, StepAl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.engine.trace import TraceStep
    from lanewise.pica200.sem.flow import Question

_PRESET = ("v", "c", "i")


class Cause(NamedTuple):
    """A step, and those of the components it wrote that count."""

    step: TraceStep
    components: tuple[Component, ...]


class Decision(NamedTuple):
    """A question of the flow with its answer.

    `set_by` are the numbers of the steps that set the flags it reads.
    """

    step: TraceStep
    question: Question
    answer: bool
    set_by: tuple[int, ...]


class Provenance(Record):
    """The steps that produced a component."""

    component: Component
    "The component, as it is at the end."
    causes: tuple[Cause, ...]
    "Steps in the order of execution."
    given: tuple[Component, ...]
    "Components of inputs and uniforms that it depends on."
    unwritten: tuple[Component, ...]
    "Components that were never written, perhaps the component itself."
    decisions: tuple[Decision, ...]
    "Questions of the flow up to the last of the steps; in the whole run if there are no steps."

    @property
    def cell(self) -> Component:
        """The old name of `component`."""
        warnings.warn("Provenance.cell is deprecated: use Provenance.component", DeprecationWarning, stacklevel=2)
        return self.component


def provenance_of(steps: Sequence[TraceStep], component: Component) -> Provenance:
    """The backward slice of a trace from the final value of a component.

    A value depends on the sources of its instruction, component by component as the instruction uses them, and on their index
    registers. The path through the program is not part of it: see `decisions`. An EMIT exchanges the banks of outputs, so a
    component not written since the EMIT before is followed to its write two EMITs earlier.
    """
    wanted: dict[Component, None] = {component: None}
    causes: list[Cause] = []
    for step in reversed(steps):
        if "emit" in step.result:
            wanted = {_in_other_bank(left): None for left in wanted}
        # The flow moves aL after the instruction, so going backward it comes first.
        hits: list[Component] = []
        for sources in (sources_of_al(step), step.made):
            found = [written for written in sources if written in wanted]
            for written in found:
                del wanted[written]
            wanted.update({source: None for written in found for source in sources[written]})
            hits += found
        if hits:
            causes.append(Cause(step, tuple(hits)))
    last = causes[0].step.number if causes else len(steps)
    ordered = sorted(wanted)
    return Provenance(
        component=component,
        causes=tuple(reversed(causes)),
        given=tuple(left for left in ordered if left.file in _PRESET),
        unwritten=tuple(left for left in ordered if left.file not in _PRESET),
        decisions=tuple(_decisions([step for step in steps if step.number < last])),
    )


def _in_other_bank(component: Component) -> Component:
    other = {"o": "bank", "bank": "o"}.get(component.file, component.file)
    return component._replace(file=other)


def sources_of_al(step: TraceStep) -> dict[Component, tuple[Component, ...]]:
    """The sources of aL where the flow of a step changed it."""
    sources: tuple[Component, ...] = ()
    changed = False
    for action in step.actions:
        match action:
            case StartAl(register):
                sources, changed = (Component("i", register, 1),), True
            case StepAl(register):
                sources, changed = (*(sources if changed else (AL,)), Component("i", register, 2)), True
            case RestoreAl():
                sources, changed = (AL,), True
            case _:
                pass
    return {AL: sources} if changed else {}


def _decisions(steps: Sequence[TraceStep]) -> list[Decision]:
    found: list[Decision] = []
    setters: dict[Component, int] = {}
    for step in steps:
        setters.update({component: step.number for component in step.made if component.file == "cmp"})
        for question, answer in step.answers:
            set_by = {setters[component] for component in flags_used(question) if component in setters}
            found.append(Decision(step, question, answer, tuple(sorted(set_by))))
    return found
