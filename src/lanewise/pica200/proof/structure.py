"""The prover: whether two programs are equal by structure, under each of some profiles.

    prover = Prover(code_of(program, interface))
    prover.compare(code_of(changed, interface))

is None where they are shown to be equal under the profiles of `questions`, else the reason why not. A prover is made once for a
program and asked about many others: it keeps what it knows of its own, and asks a profile only where the answers to what it has
asked are not those of a profile before.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, TEMPORARY
from lanewise.pica200.proof.asked import Asked
from lanewise.pica200.proof.code import Unfolded, opcodes_of
from lanewise.pica200.proof.machine import Leaves, Machine, Used
from lanewise.pica200.proof.matching import other_presets
from lanewise.pica200.proof.questions import profiles_asked
from lanewise.pica200.proof.terms import Terms
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.proving import walk
from lanewise.proving.terms import Effort
from lanewise.proving.walk import PATHS, Reason

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.proof.code import Code
    from lanewise.pica200.sem.instruction import ResolvedInst
    from lanewise.pica200.sem.profile import Profile

# Fields that only instructions of their rows can ask (`Fact.ops`); of others it is not sure.
_BY_OPCODE = (
    "mad_rounding",
    "dot_order",
    "subnormal_mov",
    "subnormal_min",
    "subnormal_set",
    "subnormal_litp",
    "dsti_operands",
    "litp_mask",
    "cmp_operators",
    "stack_check",
    "stack_depth",
    "fourth_return",
    "jump_at_end",
    "loop_rounds",
    "loop_register",
    "al_width",
    "al_break",
    "al_last",
    "al_restore",
    "empty_break",
)
_MOST_NODES = 300_000
# Kinds of terms: whether what is constant is computed, and whether dot products are one operation.
_KINDS = ((False, True), (False, False), (True, False))


class Assumptions(Record):
    """The assumptions that a proof may make.

    `constants`: the constants of the file are not overwritten, but for counts that have a name. `nan_patterns`: NaN are
    compared by their patterns.
    """

    constants: bool = False
    nan_patterns: bool = False


NOTHING_ASSUMED = Assumptions()


class _Context:
    """A profile with what has been worked out under it."""

    def __init__(
        self, profile: Profile, program: Code, effort: Effort, *, computing: bool, dots: bool, commuting: bool, cases: bool
    ) -> None:
        self.asked = Asked(profile)
        self._effort = effort
        self._program = program
        self._options = computing, dots, commuting, cases
        self._cache: dict[tuple[int, int], ResolvedInst | None] = {}
        self._unfolded: Unfolded | None = None
        self.strategy = PATHS  # the one that has shown the last program to be equal
        self._fresh()

    def _fresh(self) -> None:
        computing, dots, commuting, cases = self._options
        self.terms = Terms(self.asked, computing=computing, dots=dots, commuting=commuting, cases=cases, effort=self._effort)

    def compare(self, other: Code, assumptions: Assumptions, *, keeps: bool, first: str = PATHS) -> Reason | None:
        """The reason against equality. `first` is the strategy to begin with."""
        if len(self.terms.nodes) > _MOST_NODES:
            self._fresh()
        m = self.terms
        try:
            if self._unfolded is None:
                self._unfolded = Unfolded(self._program, self.asked, self._cache)
            programs = self._unfolded, Unfolded(other, self.asked, self._cache)
        except ValueError as error:
            return Reason(str(error), definite=True)
        leaves = leaves_of(m, self._program, assumptions), leaves_of(m, other, assumptions)
        used = Used.by(programs)
        one, two = (
            (unfolded.flow, Machine(m, unfolded, own, used, keeps=keeps))
            for unfolded, own in zip(programs, leaves, strict=True)
        )
        reason, strategy = walk.compare(m, (one, two), size=len(self._program.words) + len(other.words), first=first)
        if reason is None:
            self.strategy = strategy
        return reason


class _Setting(Record):
    """A profile to compare under, the first given one that it is for, and whether registers are kept with it.

    `zeroed`: where they are kept, the first given one that is the same but for that.
    """

    profile: Profile
    given: Profile
    keeps: bool
    zeroed: Profile | None


class Prover:
    """A program with which others are compared, under each of some profiles."""

    effort: Effort

    def __init__(
        self,
        program: Code,
        profiles: Sequence[Profile] | None = None,
        assumptions: Assumptions = NOTHING_ASSUMED,
        *,
        quick: bool = False,
    ) -> None:
        """`profiles`: by default those that `questions.profiles_asked` gives for the instructions of both programs.

        `quick`: show less in less time: terms of one kind, and nothing by cases.
        """
        self.program = program
        self._quick = quick
        self._assumptions = assumptions
        self._opcodes = opcodes_of(program)
        self._given = None if profiles is None else tuple(profiles)
        self._settings: dict[frozenset[str], list[_Setting]] = {}
        self._contexts: dict[tuple[Profile, bool, bool, bool], _Context] = {}
        self.effort = Effort()
        # The kind of terms and the strategy that have shown the last programs to be equal: tried first under the next profile.
        self._kind = _KINDS[0]
        self._strategy = PATHS
        self._failed: _Setting | None = None  # in which the last comparison failed

    @property
    def profile(self) -> Profile | None:
        """The profile under which the last comparison failed."""
        return None if self._failed is None else self._failed.given

    def compare(self, other: Code) -> Reason | None:
        """Compare with a program: None if the two are shown to be equal under every profile."""
        self._failed = None
        self._kind = _KINDS[0]
        self.effort.start()
        if self.program.geometry != other.geometry:
            return Reason("one is a vertex shader, the other a geometry shader", definite=True)
        if [wired.name for wired in self.program.outputs] != [wired.name for wired in other.outputs]:
            return Reason("the programs have different outputs", definite=True)
        if not self._assumptions.constants and self.program.constants != other.constants:
            presets = other_presets((self.program, other))
            if presets:
                return Reason(presets[0], definite=True)
        opcodes = self._opcodes | opcodes_of(other)
        shown: list[tuple[Mapping[str, str], bool]] = []
        for setting in self._distinct(opcodes):
            profile, _, keeps, _ = setting
            if any(_covers(asked, profile) and (kept or not keeps) for asked, kept in shown):
                continue
            reason, asked = self._under(profile, other, opcodes, keeps=keeps)
            if reason is not None:
                self._failed = setting
                return reason
            shown.append((asked, keeps))
        return None

    def explained(self, other: Code, reason: Reason) -> tuple[Profile | None, Reason]:
        """The profile to name for a comparison that has just failed, and why it did.

        What registers start with is not to blame where zeros do not help.
        """
        failed = self._failed
        if failed is None or failed.zeroed is None:
            return self.profile, reason
        found, _ = self._under(failed.profile, other, self._opcodes | opcodes_of(other), keeps=False)
        return (failed.given, reason) if found is None or self.effort.left < 0 else (failed.zeroed, found)

    def _under(
        self, profile: Profile, other: Code, opcodes: frozenset[str], *, keeps: bool
    ) -> tuple[Reason | None, Mapping[str, str]]:
        """Compare under one profile: the reason against it, and what the proof has asked of the profile."""
        # The sign of a NaN decides nothing else.
        seen = not opcodes.isdisjoint(CHOICES["litp_flags"].ops)
        sensitive = seen and profile.litp_flags == "sign" and profile.nan_pattern == "kept"
        patterns = self._assumptions.nan_patterns and profile.nan_pattern == "kept"  # or else there is one, in all registers
        commuting = not patterns and not sensitive
        reason: Reason | None = None
        context = self._context(profile, computing=False, dots=True, commuting=commuting)
        for computing, dots in sorted(_KINDS, key=lambda kind: kind != self._kind):
            first = (computing, dots) == self._kind
            if not first and (
                self._quick
                or (computing and not context.terms.constant_arguments)
                or (not dots and not context.terms.split_dots and not computing)
            ):
                continue
            context = self._context(profile, computing=computing, dots=dots, commuting=commuting)
            reason = context.compare(other, self._assumptions, keeps=keeps, first=self._strategy)
            if reason is None:
                self._strategy = context.strategy
                self._kind = computing, dots
                break
        asked = dict(context.asked.asked)
        if seen:
            asked |= {"litp_flags": profile.litp_flags}
        if seen or self._assumptions.nan_patterns:
            asked |= {"nan_pattern": profile.nan_pattern}
        return reason, asked

    def _context(self, profile: Profile, *, computing: bool, dots: bool, commuting: bool) -> _Context:
        key = profile, computing, dots, commuting
        found = self._contexts.get(key)
        if found is None:
            found = self._contexts[key] = _Context(
                profile,
                self.program,
                self.effort,
                computing=computing,
                dots=dots,
                commuting=commuting,
                cases=not self._quick,
            )
        return found

    def _distinct(self, opcodes: frozenset[str]) -> list[_Setting]:
        """The profiles that programs of some opcodes can tell apart.

        What is shown for registers of any values at the start is also shown for zeros.
        """
        known = self._settings.get(opcodes)
        if known is not None:
            return known
        irrelevant = {key: getattr(HARDWARE, key) for key in _BY_OPCODE if not opcodes.intersection(CHOICES[key].ops)}
        field = _keeping(self.program)
        found: dict[Profile, tuple[Profile, bool]] = {}
        zeroed: dict[Profile, Profile] = {}
        given = self._given or profiles_asked(opcodes, geometry=self.program.geometry)
        for profile in given:
            plain = profile._replace(**{**irrelevant, field: "kept"})
            keeps = getattr(profile, field) == "kept"
            if not keeps:
                zeroed.setdefault(plain, profile)
            if plain not in found or (keeps and not found[plain][1]):
                found[plain] = profile, keeps
        known = self._settings[opcodes] = [
            _Setting(plain, first, keeps, zeroed.get(plain) if keeps else None) for plain, (first, keeps) in found.items()
        ]
        return known


def _covers(asked: Mapping[str, str], profile: Profile) -> bool:
    """Whether a profile gives the same answers to what a proof has asked."""
    return all(getattr(profile, field) == value for field, value in asked.items())


def _keeping(program: Code) -> str:
    return "keep_registers_between_invocations" if program.geometry else "initial_state"


def leaves_of(m: Terms, code: Code, assumptions: Assumptions) -> Leaves:
    inputs, floats, integers = [*m.inputs], [*m.uniforms], [*m.integers]
    booleans = [m.node("boolean", n) for n in range(16)]
    for register, number in enumerate(code.numbers):
        if register == number:
            continue
        if register < TEMPORARY:
            inputs[register] = m.vector("input", number)
        elif FLOAT <= register < INTEGER:
            floats[register - FLOAT] = m.vector("uniform", number - FLOAT)
        elif INTEGER <= register < BOOLEAN:
            integers[register - INTEGER] = m.vector("component", number - INTEGER)
        elif register >= BOOLEAN:
            booleans[register - BOOLEAN] = m.node("boolean", number - BOOLEAN)
    for first, size in code.transposed:
        for register in range(first, first + size):
            places = [code.place(register, component) for component in range(4)]
            x, y, z, w = (m.node("uniform", number - FLOAT, component) for number, component in places)
            floats[register - FLOAT] = (x, y, z, w)
    if assumptions.constants:
        for register, values in code.constants.items():
            if FLOAT <= register < INTEGER:
                x, y, z, w = (m.word(word) for word in values)
                floats[register - FLOAT] = (x, y, z, w)
            elif INTEGER <= register < BOOLEAN:
                x, y, z, w = (m.integer(byte) for byte in values)
                count = integers[register - INTEGER][0] if register in code.counts else x
                integers[register - INTEGER] = (count, y, z, w)
            elif register >= BOOLEAN:
                booleans[register - BOOLEAN] = m.boolean(bool(values[0]))
    return Leaves(tuple(inputs), tuple(floats), tuple(integers), tuple(booleans))
