"""Do the test vectors of the PICA200 find a wrong implementation? Single changes to the code of meanings, flow and number
rules, one at a time.

    python -m vectors_mutation [--changes 300 | --changes all] [--seed 1] [--suite full] [--show]

Each change (`vectors_changes`) is made in a child process, in which the cases of the quick suite that reach it run until one
gives something else. The suites are those of the presets and of variants with other answers, so that code that only these reach
counts too. What the quick suite misses runs on the full one. What neither finds has to be equal, with the reason in
`vectors_equal`, or it is a gap of the suites.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import signal
import sys
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.vectors.comparing import differences
from lanewise.core.vectors.model import ENDLESS, FULL, QUICK
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.sem.profile import HARDWARE, profiles
from lanewise.pica200.vectors import running
from lanewise.pica200.vectors.suite import drafts
from vectors_changes import MODULES, Change, Noticing, apply, changes
from vectors_equal import EQUAL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.vectors.model import Job, Outcome
    from lanewise.pica200.sem.profile import Profile
    from lanewise.pica200.vectors.draft import Draft

SECONDS = 2  # of processor time for a case, after which the change counts as found: its program hangs


def variants() -> list[tuple[str, Profile]]:
    """The presets, hardware with every other answer, and answers together that those do not have."""
    found = list(profiles.items())
    for place in (1, 2):
        answers = {
            key: list(fact.answers)[min(place, len(fact.answers) - 1)] for key, fact in CHOICES.items() if key != "rounding"
        }
        found.append((f"answer {place}", HARDWARE.replace(**answers, rounding="nearest" if place == 1 else "zero")))
    rare = HARDWARE.replace(
        rounding="nearest",
        nan_pattern="kept",
        dot_order="once",
        mad_rounding="once",
        subnormal_arithmetic="flush",
        subnormal_floor="flush",
        subnormal_min="flush",
        negative_zero="ieee",
        al_offset="any",
        al_break="none",
        al_last="step",
        stack_depth="unlimited",
        fourth_return="kept",
        jump_at_end="taken",
    )
    odd = HARDWARE.replace(
        dot_order="once",
        mad_rounding="once",
        overflow="largest",
        subnormal_arithmetic="keep",
        subnormal_floor="keep",
        negative_zero="ieee",
    )
    return [*found, ("numbers", odd), ("rare", rare)]


_STEPS = 400  # of a random program; those that take more run for long with a change that does not matter


class Run(NamedTuple):
    """A case with what it gives under a variant."""

    name: str
    profile: Profile
    job: Job
    expected: Outcome


def outcome_of(draft: Draft, profile: Profile) -> Outcome | None:
    """What a case gives; None for a random program that does not end, as in the suite, or takes many steps."""
    drawn, usual = "random" in draft.name, running.BUDGET
    running.BUDGET = _STEPS if drawn else usual
    try:
        outcome = running.run(draft.job, profile)
    finally:
        running.BUDGET = usual
    return None if drawn and ENDLESS in outcome.status else outcome


class Suite:
    """The cases of a suite under a variant, and on which a change shows in the value of its place."""

    def __init__(self, suite: str, seed: int, variant: tuple[str, Profile], wanted: Sequence[Change]) -> None:
        self.variant, profile = variant
        self.runs: list[Run] = []
        self._showing: defaultdict[Change, list[int]] = defaultdict(list)
        self._finders: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        waiting = list(drafts([suite], seed, profile))
        random.Random(1).shuffle(waiting)
        noticing = Noticing(wanted)
        for draft in waiting:
            number_rule.cache_clear()  # what makes the rule counts too
            noticing.differing.clear()
            outcome = outcome_of(draft, profile)
            if outcome is None:
                continue
            for number in noticing.differing:
                self._showing[wanted[number]].append(len(self.runs))
            self.runs.append(Run(draft.name, profile, draft.job, outcome))
        noticing.stop()
        number_rule.cache_clear()
        gc.collect()
        gc.freeze()  # so that children share the memory

    def finder(self, change: Change) -> str:
        """The case that finds a change, as `variant: case`; empty for none."""
        showing, usual = self._showing[change], self._finders[change.module, change.function]
        if not showing:
            return ""
        likely = {*showing}.intersection(usual)
        answer = in_child(lambda: _first(change, self.runs, [*likely, *[number for number in showing if number not in likely]]))
        number, _, how = answer.partition(" ")
        if not number.isdigit():
            return answer
        usual.append(int(number))
        return f"{self.variant}: {self.runs[int(number)].name} {how}".strip()


def _first(change: Change, runs: Sequence[Run], order: Sequence[int]) -> str:
    """The number of the first case that gives something else."""
    try:
        apply(change)
        number_rule.cache_clear()
        for number in order:
            _, profile, job, expected = runs[number]
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            try:
                found = running.run(job, profile)
            except Exception as error:  # whatever a change makes of the code: it is found
                return f"{number} ({type(error).__name__})"
            if next(differences(job, expected, found, 32 if running.is_wide(profile) else 24), None) is not None:
                return str(number)
    except Exception as error:  # code that cannot be made, or rules that cannot be: found too
        return f"{type(error).__name__}: {error}"
    return ""


def in_child(work: Callable[[], str]) -> str:
    """The answer of a child process; a hang or a crash is one too."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        answer = work()
        os.write(writer, answer[:500].encode() or b"-")
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        answer = file.read().decode()
    os.waitpid(child, 0)
    return "hang" if not answer else "" if answer == "-" else answer


def chosen(count: str, seed: int) -> list[Change]:
    """So many changes that are not equal, the share of a module by how many it has; or all, with those that are."""
    found = [change for module in MODULES for change in changes(module)]
    stale = EQUAL.keys() - {change.key for change in found}
    if stale:
        raise SystemExit(f"vectors_equal has rows of changes that there are not: {sorted(stale)}")
    print(f"{len(found)} changes are possible, of which {len(EQUAL)} are equal", flush=True)
    if count == "all":
        return found
    random.Random(seed).shuffle(found)  # before the equal ones go, so that another row of them does not change the draw
    return [change for change in found if change.key not in EQUAL][: int(count)]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--changes", default="300", help="how many, or `all`")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--suite", choices=(QUICK, FULL, "only-quick"), default=QUICK)
    parser.add_argument("--least", type=float, default=0.95, help="the share that the first suite has to find")
    parser.add_argument("--show", action="store_true", help="print every change with what finds it")
    options = parser.parse_args()
    left = chosen(options.changes, options.seed)
    count, first = len(left), Counter[str]()
    by_module: Counter[tuple[str, str]] = Counter()
    suites = {QUICK: (QUICK, FULL), FULL: (FULL,)}.get(options.suite, (QUICK,))
    for suite in suites:
        for variant in variants():
            if not left:
                break
            ready, missed = Suite(suite, 1, variant, left), list[Change]()
            for change in left:
                found = ready.finder(change)
                if not found:
                    missed.append(change)
                    continue
                first[suite] += 1
                by_module[change.module, suite] += 1
                if change.key in EQUAL:
                    first["wrong"] += 1
                    print(f"NOT EQUAL {change.module}:{change.line} {change.key}: {found}", flush=True)
                if options.show:
                    print(f"{suite} {found}\t{change.module}:{change.line}\t{change.key}", flush=True)
            left = missed
            print(f"{suite}, {ready.variant}: {len(ready.runs)} cases; {len(left)} changes left", flush=True)
        for change in left:
            print(
                f"{suite} misses{' (equal)' if change.key in EQUAL else ''}\t{change.module}:{change.line}\t{change.key}",
                flush=True,
            )
    gaps = [change for change in left if change.key not in EQUAL]
    for change in left:
        by_module[change.module, "equal" if change.key in EQUAL else "gap"] += 1
    for module in MODULES:
        print(f"{module}: " + ", ".join([f"{by_module[module, what]} {what}" for what in (*suites, "equal", "gap")]))
    share = first[suites[0]] / (count - len(left) + len(gaps))
    print(
        f"{first[suites[0]]} of {count - len(left) + len(gaps)} found by {suites[0]} ({share:.1%}); {len(left) - len(gaps)} "
        f"equal, {len(gaps)} found by nothing"
    )
    return 0 if share >= options.least and not gaps and not first["wrong"] else 1


if __name__ == "__main__":
    sys.exit(main())
