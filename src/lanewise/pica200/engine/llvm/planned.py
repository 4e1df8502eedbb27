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
    """Emissions of a geometry shader: the `outputs` wanted, and its EMITs.

    Those of a block start at its number in `first`. `most` is the maximum number of EMITs for one vector of lanes, None if
    unknown. `leaves`: whether the setting at the end of a run matters for the next. `fed`: the c registers with separate values
    for each run. `kept`: whether an index below c0 can read what another run has left in a temporary.
    """

    outputs: tuple[int, ...]
    sites: tuple[Site, ...]
    first: Mapping[int, int]
    most: int | None
    leaves: bool
    fed: range
    kept: bool

    @property
    def open_masks(self) -> tuple[int, ...]:
        """The outputs of which some EMIT's mask depends on the lane."""
        return tuple(n for n in self.outputs if any(site.written[n] is None for site in self.sites))


class Analysis(Record):
    """The input of code generation: the function, its live values, and where lanes may differ.

    `copied` are the outputs that are copies of an input; `computed` are the components of inputs that are needed for more than
    that.
    """

    function: Function
    needs: Live
    lanes: Lanes
    copied: Mapping[int, int]
    computed: frozenset[Node]


class Plan(Record):
    """A program to compile.

    `outputs` are the o registers whose values are wanted, `written` their components written always and sometimes, `unsure` the
    components that only some paths write, as masks by output. `inputs` are the components needed of each v register; `seen` the
    leaves whose subnormals can be observed. `steps` is the number of instructions of all blocks, each counted once; `loops`:
    whether a block may be executed more than once for a vector of lanes, and `counts` are the integer uniforms that loops read.
    `booleans` are the known uniforms. A plan of a geometry shader has `emission` in place of outputs after END.
    """

    analysis: Callable[[], Analysis]
    profile: Profile
    outputs: tuple[int, ...]
    written: Mapping[int, Written]
    unsure: Mapping[int, int]
    inputs: Mapping[int, tuple[int, ...]]
    uniforms: frozenset[int]
    gathers: bool
    seen: frozenset[Node]
    steps: int
    loops: bool
    counts: tuple[int, ...]
    booleans: tuple[tuple[int, bool], ...]
    emission: Emission | None = None

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
