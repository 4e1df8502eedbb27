"""The suites of the PICA200: all groups of cases under a profile, with evidence and the profiles under which each differs."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from lanewise.core.evidence import MEASURED
from lanewise.core.vectors.making import cases_of, least_known
from lanewise.core.vectors.model import (
    ENDED,
    ENDLESS,
    FULL,
    GEOMETRY,
    MAY_ABORT,
    MAY_HANG,
    QUICK,
    Case,
    Identity,
    Question,
    Suite,
    Vectors,
)
from lanewise.core.vectors.relevant import Alternative, Alternatives
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.facts import CHOICES, FACTS, RUN_CHOICES
from lanewise.pica200.isa.table import VERTEX as VERTEX_UNIT
from lanewise.pica200.sem.profile import PRESETS, find_profile, read_profile
from lanewise.pica200.vectors import running
from lanewise.pica200.vectors.address import address
from lanewise.pica200.vectors.data import Numbers
from lanewise.pica200.vectors.draft import ENDLESS_PROGRAM, HAZARDS, MANY_WORDS, STOPS, TWO_MOVA
from lanewise.pica200.vectors.flow import flow
from lanewise.pica200.vectors.geometry import geometry
from lanewise.pica200.vectors.misreadings import HABITS, HINTS, MISREADINGS
from lanewise.pica200.vectors.mixed import random_programs, state
from lanewise.pica200.vectors.numbers import numbers_cases
from lanewise.pica200.vectors.operands import operands
from lanewise.pica200.vectors.remarks import remark
from lanewise.pica200.vectors.running import variant_profile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lanewise.core.vectors.model import Job, Outcome
    from lanewise.pica200.isa.facts import Fact
    from lanewise.pica200.sem.profile import Profile
    from lanewise.pica200.vectors.draft import Draft

SUITES = {
    QUICK: "at most 3,000 cases and 2 MB: every instruction, operand form, shape of flow and open question",
    FULL: "more of each: all masks, operators and selectors, and many random programs",
    "operands": "every instruction x operand form: registers, index registers, write masks, selectors, signs",
    "numbers": "special numbers in pairs; plain numbers where rounding decides; functions of one number",
    "address": "address registers and the bounds of indexed uniforms",
    "flow": "every shape of flow: tests, nesting, full rings, ends that coincide, odd jumps",
    "geometry": "slots, primitives, winding and banks of geometry shaders",
    "state": "registers at the start of a vertex",
    "random": "random programs on random data",
}
_GROUPS = ("operands", "numbers", "address", "flow", "geometry", "state", "random")
# Facts without a choice that are not measured, with the instructions that they are about.
_SETTLED = tuple((fact, frozenset(fact.ops)) for fact in FACTS if not fact.is_choice and fact.ops and fact.known != MEASURED)
_UPLOAD = "upload"  # a field that nothing with words depends on
_STOPPING = ("empty_break", "past_end", "unknown_words")  # with their usual answers, a lane on which they matter stops
# Fields that only special numbers and odd indices show, and that cannot undo each other: they are tried together first.
_SPECIAL = {
    **dict.fromkeys(
        (
            "overflow",
            "negative_zero",
            "nan_pattern",
            "subnormal_arithmetic",
            "subnormal_floor",
            "subnormal_mov",
            "subnormal_min",
            "subnormal_set",
            "max_zero_neg_inf",
            "compare_nan",
            "zero_reciprocal",
            "constant_subnormals",
        ),
        "numbers",
    ),
    **dict.fromkeys(("index_wrap", "al_offset", "mova_fraction", "initial_state", "cmp_operators"), "others"),
}


def _numbers_of(outcome: Outcome) -> list[int]:
    """The words of all numbers of an outcome."""
    found = [
        word
        for register, rows in outcome.outputs.items()
        for row, mask in zip(rows, outcome.written[register], strict=True)
        for word, bit in zip(row, (8, 4, 2, 1), strict=True)
        if mask & bit
    ]
    found += [word for register, rows in outcome.state.items() if register < running.FLAGS for row in rows for word in row]
    for primitive in outcome.primitives or ():
        found += [word for corner in primitive.vertices for row in corner for word in row]
    return found


def drafts(names: Sequence[str], seed: int, profile: Profile) -> Iterator[Draft]:
    """The cases of groups or of a whole suite, before they run."""
    full = FULL in names
    wanted = _GROUPS if full or QUICK in names else [name for name in _GROUPS if name in names]
    numbers = Numbers(profile)
    makers: Mapping[str, Callable[[], Iterator[Draft]]] = {
        "operands": lambda: operands(numbers, seed, full=full),
        "numbers": lambda: numbers_cases(numbers, seed, full=full),
        "address": lambda: address(numbers, seed, full=full),
        "flow": lambda: flow(numbers, seed, full=full),
        "geometry": lambda: geometry(numbers, seed, full=full),
        "state": lambda: state(numbers),
        "random": lambda: random_programs(profile, seed, 4000 if full else 200),
    }
    for name in wanted:
        yield from makers[name]()


def make(names: Sequence[str], seed: int, variant: str, progress: Callable[[int, int], None] | None = None) -> Suite:
    """A suite. Raises ValueError for an unknown variant or suite."""
    unknown = [name for name in names if name not in SUITES]
    if unknown:
        raise ValueError(f"unknown suite '{unknown[0]}': use {', '.join(SUITES)}")
    profile = variant_profile(variant)
    cases = cases_of(drafts(names, seed, profile), lambda draft, number: _case(draft, profile, number), progress)
    bits = 32 if running.is_wide(profile) else 24
    return Suite(
        Identity(isa="pica200", suite=",".join(names), seed=seed, variant=profile.describe(), bits=bits, cases=len(cases)),
        cases,
    )


def _case(draft: Draft, profile: Profile, number: int) -> Case | None:
    """The case of a draft; None for a random program that does not end, which shows little."""
    job = draft.job._replace(number=number)
    expected = running.run(job, profile)
    if "random" in draft.name and ENDLESS in expected.status:
        return None
    differs = _ALTERNATIVES.of(job, expected, profile, draft.ops)
    hazards = _hazards(draft, job, expected)
    flags = sum({flag for flag in (MAY_HANG, MAY_ABORT) if any(HAZARDS[why] & flag for why in hazards)})
    return Case(
        name=draft.name,
        group=draft.group,
        ops=draft.ops,
        shows=draft.shows,
        job=job,
        expected=expected,
        evidence=_evidence(draft, differs),
        differs=differs,
        hazards=hazards,
        flags=flags,
    )


def _evidence(draft: Draft, differs: Sequence[str]) -> str:
    """The least of what the outcome depends on."""
    settled = [fact.known for fact, ops in _SETTLED if draft.group != "random" and ops & set(draft.ops)]
    return least_known(differs, lambda key: CHOICES[key].known, settled)


def _hazards(draft: Draft, job: Job, expected: Outcome) -> tuple[str, ...]:
    """Why an implementation may hang or abort."""
    found = [*draft.hazards]
    if ENDLESS in expected.status and ENDLESS_PROGRAM not in found:
        found.append(ENDLESS_PROGRAM)
    if any("a0" in one.op.writes and "a0" in other.op.writes for one, other in pairwise(map(decode, job.code))):
        found.append(TWO_MOVA)
    if not found and any(status != ENDED for status in expected.status):
        found.append(STOPS)
    if not found and job.kind != GEOMETRY and len(job.code) > VERTEX_UNIT.code_words:
        found.append(MANY_WORDS)
    return tuple(found)


class _Profiles(Alternatives["Profile"]):
    """The presets and single answers under which a case may differ."""

    def outcome(self, job: Job, variant: Profile, base: Profile) -> Outcome | None:
        try:
            moved = running.translated(job, base, variant)
        except ValueError:
            return None
        return running.comparable(job, running.run(moved, variant), variant)

    def alternatives(self, job: Job, expected: Outcome, base: Profile, ops: Sequence[str]) -> Iterator[Alternative[Profile]]:
        """The presets; single answers; answers that only special numbers show, together and then one by one."""
        for name in PRESETS:
            if find_profile(name) != base:
                yield Alternative(name, find_profile(name))
        together: dict[str, list[tuple[str, str]]] = {}
        for key, fact in self._fields(job, expected, base, ops):
            others = [answer for answer in fact.answers if answer != getattr(base, key)]
            for number, answer in enumerate(others):
                if key in _SPECIAL:
                    together.setdefault(f"{_SPECIAL[key]} {number}", []).append((key, answer))
                else:
                    yield Alternative(f"{key}={answer}", base.replace(**{key: answer}))
        for settings in together.values():
            single = [Alternative(f"{key}={answer}", base.replace(**{key: answer})) for key, answer in settings]
            yield Alternative("", base.replace(**dict(settings)), tuple(single)) if len(single) > 1 else single[0]

    def _fields(self, job: Job, expected: Outcome, base: Profile, ops: Sequence[str]) -> Iterator[tuple[str, Fact]]:
        """The fields of a profile on which the job can depend."""
        insts = [decode(word) for word in job.code]
        used = {inst.op.name for inst in insts} | set(ops)
        words = _numbers_of(expected)
        bits = 32 if running.is_wide(base) else 24
        magnitude, infinity = (1 << bits - 1) - 1, 0x7F800000 if bits == 32 else 0x7F0000
        indexed = any(inst.op.format.has("idx") and inst.field("idx") for inst in insts)
        without = {_UPLOAD}
        if all(status == ENDED for status in expected.status):
            without |= {key for key in _STOPPING if getattr(base, key) == CHOICES[key].default}
        if all(word & magnitude for word in words) and not used & {"rcp", "rsq", "litp"}:
            without.add("negative_zero")
        if all(word & magnitude <= infinity for word in words) and "litp" not in used:
            without.add("nan_pattern")
        if not indexed:
            without |= {"index_wrap", "index_files", "al_offset"}
        if job.lanes == 1 or job.kind == GEOMETRY:
            without.add("initial_state")
        if len(job.code) <= VERTEX_UNIT.code_words:
            without.add("code_limit")
        if not running.is_wide(base):
            without.add("constant_subnormals")
        for key, fact in RUN_CHOICES.items():
            if key not in without and (job.kind == GEOMETRY or not fact.geometry) and (not fact.ops or used & set(fact.ops)):
                yield key, fact

    def base(self, job: Job, expected: Outcome, base: Profile) -> Outcome:
        return running.comparable(job, expected, base)


_ALTERNATIVES = _Profiles()


def questions() -> list[Question]:
    """The open questions: rows of `isa.facts` with several answers."""
    return [
        Question(key=key, topic=fact.topic, known=fact.known, answers=fact.answers, ops=fact.ops)
        for key, fact in RUN_CHOICES.items()
        if key != _UPLOAD
    ]


def _run(job: Job, variant: str) -> Outcome:
    return running.run(job, variant_profile(variant))


def _translate(job: Job, before: str, after: str) -> Job:
    return running.translated(job, variant_profile(before), variant_profile(after))


def _comparable(job: Job, outcome: Outcome, variant: str) -> Outcome:
    return running.comparable(job, outcome, variant_profile(variant))


def _with_answer(variant: str, setting: str) -> str:
    return variant_profile(variant).set(setting).describe()


def _of_file(data: bytes, path: str) -> str:
    return read_profile(data, path).describe()


VECTORS = Vectors(
    suites=SUITES,
    presets=PRESETS,
    make=make,
    run=_run,
    questions=tuple(questions()),
    register=running.register_name,
    translate=_translate,
    comparable=_comparable,
    with_answer=_with_answer,
    misreadings=MISREADINGS,
    hints=HINTS,
    habits=HABITS,
    remark=remark,
    of_file=_of_file,
)
