"""Random Direct3D 9 shaders for `lanewise fuzz`: both engines under each number rule in turn.

Every other shader runs with random answers to the open questions (`isa.choices`). The compiled programs of the same shaders are
compared in `compile.random_routes`.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from lanewise.core.diagnostics import InputError
from lanewise.core.fuzzing import Compared, Difference, Origin, RandomPrograms, Reduced
from lanewise.direct3d9.engine import differential
from lanewise.direct3d9.engine.random_programs import Case, random_case
from lanewise.direct3d9.engine.reduce import reduced
from lanewise.direct3d9.isa.choices import CHOICES
from lanewise.direct3d9.sem.numbers import NAMES, rule_of
from lanewise.direct3d9.text.printer import print_shader

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.direct3d9.sem.numbers import Rule

_SUFFIX = ".vsa"


def case_of(seed: int, number: int) -> Case:
    """The shader and the data of a number."""
    return random_case(random.Random(f"{seed} {number}"))


def rule_for(seed: int, number: int) -> Rule:
    """The number rule that a program runs under."""
    rule = rule_of(NAMES[number % len(NAMES)])
    if not number // len(NAMES) % 2:
        return rule
    rng = random.Random(f"choices {seed} {number}")
    return rule.set(",".join([f"{choice.key}={rng.choice(list(choice.answers))}" for choice in CHOICES]))


def compare(seed: int, number: int, level: str) -> Compared:
    """One shader on both engines."""
    case = case_of(seed, number)
    found, reason, results = _compared(case, rule_for(seed, number), level)
    return Compared(
        number=number, reason=reason, lanes=case.lanes, ended=0 if reason else case.lanes, difference=found, results=results
    )


def reduce(seed: int, number: int, level: str, origin: Origin, tick: Callable[[], None]) -> Reduced:
    """The fewest instructions and lanes that still differ."""
    rule = rule_for(seed, number)

    def differs(candidate: Case) -> bool:
        tick()
        return _compared(candidate, rule, level)[0] is not None

    whole = case_of(seed, number)
    small = reduced(whole, differs)
    found = _compared(small, rule, level)[0] or _compared(whole, rule, level)[0]
    if found is None:
        raise ValueError(f"program {number} of seed {seed} does not differ")
    return source_of(small, differs_under(rule), found, origin)


def written(seed: int, number: int, difference: Difference, origin: Origin) -> Reduced:
    """The whole shader as a source."""
    return source_of(case_of(seed, number), differs_under(rule_for(seed, number)), difference, origin)


def differs_under(rule: Rule) -> str:
    """The first line of the source of a finding. The rule is as `lanewise run` takes it."""
    name, *settings = rule.describe().split(", ")
    options = f"--rule {name}" + "".join(f" --set {setting}" for setting in settings)
    return f"The engines differ under lanewise run {options}"


def _compared(case: Case, rule: Rule, level: str) -> tuple[Difference | None, str, bytes]:
    """Where the engines differ, the reason why nothing was compared, and a hash of the results."""
    try:
        found, results = differential.compared(case, rule, level)
    except ValueError as error:
        return None, str(error), b""
    except InputError as error:
        return None, error.diagnostics[0].message, b""
    if found is None:
        return None, "", results
    where = f"{found.register}.{'xyzw'[found.component]} of lane {found.lane}"
    return Difference(where, f"0x{found.reference:08X}", f"0x{found.llvm:08X}", 0), "", results


def data_lines(case: Case) -> list[str]:
    """The data of a case as options of `lanewise run` would have them, a line each."""
    lines = [
        f"{name} = words:" + ";".join([",".join([f"0x{int(word):08X}" for word in row]) for row in grid])
        for name, grid in case.inputs.items()
    ]
    lines += [f"{name} = words:" + ",".join([f"0x{int(word):08X}" for word in row]) for name, row in case.constants.items()]
    return [*lines, *(f"{name} = {value}" for name, value in (*case.integers.items(), *case.booleans.items()))]


def source_of(case: Case, what: str, difference: Difference, origin: Origin) -> Reduced:
    """A case as a source; comments say `what` differs, and have the results, the data and the command that finds it again."""
    head = [
        f"{what}: {difference.where}",
        f"  reference: {difference.reference}",
        f"  compiled:  {difference.compiled}",
        f"Found by: {origin.command}",
        f"Lanes: {case.lanes}",
        *data_lines(case),
    ]
    text = "".join([f"// {line}\n" for line in head]) + print_shader(case.shader)
    return Reduced(text, _SUFFIX, len(case.shader.words), difference)


RANDOM_PROGRAMS = RandomPrograms(compare=compare, reduce=reduce, written=written, budget=0)
