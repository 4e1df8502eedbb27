"""`Plan`: what runs and kernels need to know of a program.

A plan comes from `plan`, or from the cache on disk (`kept`); then the analyses that code is generated from are made when they
are first asked for, so this module imports none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.pica200.ir.passes import Lanes, Live
    from lanewise.pica200.ir.ssa import Function, Node, Written
    from lanewise.pica200.sem.components import Component
    from lanewise.pica200.sem.profile import Profile


MOST_UNROLLED_STEPS = 2_000  # of a plan without its loops; a smaller budget might be spent


class Site(NamedTuple):
    """An EMIT: its setting, or None where lanes may differ in it or it is not known; likewise the mask written of each
    output."""

    setting: int | None
    written: Mapping[int, int | None]


class Emission(Record):
    """Emissions of a geometry shader."""

    outputs: tuple[int, ...]
    "Numbers of the o registers that are wanted."
    sites: tuple[Site, ...]
    "Its EMITs, those of a block in order."
    first: Mapping[int, int]
    "Number of the first EMIT of each block."
    most: int | None
    "Maximum number of EMITs for one vector of lanes; None if unknown."
    leaves: bool
    "The setting at the end of a run matters for the next."
    fed: range
    "Numbers of the c registers with separate values for each run."
    kept: bool
    "An index below c0 can read what another run has left in a temporary."

    @property
    def open_masks(self) -> tuple[int, ...]:
        """The outputs of which some EMIT's mask depends on the lane."""
        return tuple(n for n in self.outputs if any(site.written[n] is None for site in self.sites))


class Analysis(Record):
    """The input of code generation."""

    function: Function
    "SSA form of the program."
    needs: Live
    "Its live values."
    lanes: Lanes
    "Where lanes may differ."
    copied: Mapping[int, int]
    "Outputs that are copies of an input: the number of each with that of the input."
    computed: frozenset[Node]
    "Components of inputs that are needed for more than a copy."


class Plan(Record):
    """A program to compile."""

    analysis: Callable[[], Analysis]
    "Input of code generation, computed when it is first asked for."
    profile: Profile
    "Rules of the run."
    outputs: tuple[int, ...]
    "Numbers of the o registers whose values are wanted."
    written: Mapping[int, Written]
    "Components of each output that are written always, and sometimes."
    unsure: Mapping[int, int]
    "Masks by output of the components that only some paths write."
    inputs: Mapping[int, tuple[int, ...]]
    "Components that are needed of each v register."
    uniforms: frozenset[int]
    "Numbers of the c registers that it reads without an index."
    gathers: bool
    "It reads c registers by an index."
    seen: frozenset[Node]
    "Leaves whose subnormals can be observed."
    steps: int
    "Instructions of all blocks, each counted once."
    loops: bool
    "A block may be executed more than once for a vector of lanes."
    counts: tuple[int, ...]
    "Numbers of the integer uniforms that loops read."
    booleans: tuple[tuple[int, bool], ...]
    "Known boolean uniforms, each with its value."
    emission: Emission | None = None
    "Of a geometry shader, in place of outputs after END; None for a vertex shader."

    @property
    def function(self) -> Function:
        return self.analysis().function

    @property
    def needs(self) -> Live:
        return self.analysis().needs

    @property
    def lanes(self) -> Lanes:
        return self.analysis().lanes

    @property
    def entering(self) -> frozenset[Component]:
        """The components whose value before the program counts: what it may read before it writes."""
        return self.needs.begin[0]
