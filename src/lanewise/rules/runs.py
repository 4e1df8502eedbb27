"""Runs of exact rows on the compiled engine, by `python -m rules_sweep`: on how many numbers, under which profile, and when.

A run is of an equation with its condition and its laws, so one of a row that has changed since is not the row's.
"""

from __future__ import annotations

from lanewise.core.evidence import entries
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.rules.expression import written

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.rules.expression import Test
    from lanewise.rules.row import Rule


class Run(Record):
    """A row on the numbers of a profile: none was wrong."""

    profile: str
    "The profile, which says the format of the numbers."
    numbers: int
    "How many numbers, or tuples of numbers, were tried."
    date: str
    "The day, as YYYY-MM-DD."
    commit: str
    "The commit of this project that ran."


def stated(rule: Rule) -> str:
    """The statement of a row, by which its runs are found."""
    where = " and ".join(map(tested, rule.where))
    parts = [f"{written(rule.pattern)} = {written(rule.replacement)}"]
    parts += [f"where {where}"] if where else []
    parts += [f"laws {', '.join(rule.laws)}"] if rule.laws else []
    return "; ".join(parts)


def tested(test: Test) -> str:
    """The text of a test of a condition."""
    names = [written(each) for each in test.operands]
    return f"{test.what}({names[0]})" if len(names) == 1 else f" {test.what} ".join(names)


def runs_of(text: str) -> dict[str, tuple[Run, ...]]:
    """The runs of a text, by statements. Raises ValueError."""
    found: dict[str, tuple[Run, ...]] = {}
    for statement, lines in entries(text):
        for line in lines:
            profile, _, rest = line.partition(": ")
            count, date, commit = rest.split(", ")
            run = Run(profile=profile, numbers=int(count), date=date, commit=commit)
            found[statement] = (*found.get(statement, ()), run)
    return found


def runs_text(runs: Mapping[str, tuple[Run, ...]]) -> str:
    """Runs as the text that `runs_of` reads."""
    lines: list[str] = []
    for statement, found in runs.items():
        lines.append(statement)
        lines += [f"    {run.profile}: {run.numbers}, {run.date}, {run.commit}" for run in found]
    return "".join([f"{line}\n" for line in lines])


RUNS = runs_of("""
mul(x, 1) = x; where arithmetic(x)
    hardware: 16777216, 2026-11-29, eece9bce
    azahar: 4294967296, 2026-11-29, d8fd0816
mul(x, -1) = -x; where arithmetic(x)
    hardware: 16777216, 2026-11-29, eece9bce
    azahar: 4294967296, 2026-11-29, d8fd0816
add(x, 0) = x; where arithmetic(x); laws unsigned zero
    hardware: 16777216, 2026-11-29, eece9bce
add(x, x) = mul(x, 2)
    hardware: 16777216, 2026-11-29, eece9bce
    azahar: 4294967296, 2026-11-29, d8fd0816
mul(A, mul(B, x)) = mul([A * B], x); where power_up(A) and power_up(B)
    hardware: 100663296, 2026-11-29, eece9bce
mul(A, mul(B, x)) = mul([A * B], x); where power_down(A) and power_down(B); laws scaled once
    hardware: 100663296, 2026-11-29, eece9bce
mad(x, 1, y) = add(x, y); laws two roundings
    hardware: 100663296, 2026-11-29, eece9bce
mul(-x, -y) = mul(x, y)
    hardware: 100663296, 2026-11-29, eece9bce
mul(-x, y) = mul(x, -y)
    hardware: 100663296, 2026-11-29, eece9bce
add(x, y) = add(y, x)
    hardware: 100663296, 2026-11-29, eece9bce
mul(x, y) = mul(y, x)
    hardware: 100663296, 2026-11-29, eece9bce
floor(floor(x)) = floor(x)
    hardware: 16777216, 2026-11-29, eece9bce
    azahar: 4294967296, 2026-11-29, d8fd0816
trunc(trunc(x)) = trunc(x)
    hardware: 16777216, 2026-11-29, eece9bce
    azahar: 4294967296, 2026-11-29, d8fd0816
floor(trunc(x)) = trunc(x)
    hardware: 16777216, 2026-11-29, eece9bce
    azahar: 4294967296, 2026-11-29, d8fd0816
flush(flush(x)) = flush(x)
    hardware: 16777216, 2026-11-29, eece9bce
    azahar: 4294967296, 2026-11-29, d8fd0816
max(x, x) = x
    hardware: 16777216, 2026-11-29, eece9bce
    azahar: 4294967296, 2026-11-29, d8fd0816
min(x, x) = x
    hardware: 16777216, 2026-11-29, eece9bce
    azahar: 4294967296, 2026-11-29, d8fd0816
max(-max(-x, x), max(-x, x)) = max(-x, x); laws second
    hardware: 16777216, 2026-11-29, eece9bce
    azahar: 4294967296, 2026-11-29, d8fd0816
max(x, -x) = max(-x, x); laws unsigned zero, second, finite maximum
    hardware: 16777216, 2026-11-29, eece9bce
mul(x, x) = x; where truth(x)
    hardware: 100663296, 2026-11-29, eece9bce
floor(x) = x; where truth(x)
    hardware: 100663296, 2026-11-29, d8fd0816
trunc(x) = x; where truth(x)
    hardware: 100663296, 2026-11-29, d8fd0816
both(x, x) = x
    hardware: 100663296, 2026-11-29, eece9bce
either(x, x) = x
    hardware: 100663296, 2026-11-29, eece9bce
both(x, 1) = x
    hardware: 100663296, 2026-11-29, eece9bce
both(x, 0) = 0
    hardware: 100663296, 2026-11-29, eece9bce
either(x, 1) = 1
    hardware: 100663296, 2026-11-29, eece9bce
either(x, 0) = x
    hardware: 100663296, 2026-11-29, eece9bce
invert(invert(x)) = x
    hardware: 100663296, 2026-11-29, eece9bce
invert(eq(x, y)) = ne(x, y)
    hardware: 100663296, 2026-11-29, eece9bce
invert(ne(x, y)) = eq(x, y)
    hardware: 100663296, 2026-11-29, eece9bce
select(x, y, y) = y
    hardware: 100663296, 2026-11-29, eece9bce
select(1, x, y) = x
    hardware: 100663296, 2026-11-29, eece9bce
select(0, x, y) = y
    hardware: 100663296, 2026-11-29, eece9bce
select(x, y, select(x, z, w)) = select(x, y, w)
    hardware: 100663296, 2026-11-29, d8fd0816
select(x, select(x, y, z), w) = select(x, y, w)
    hardware: 100663296, 2026-11-29, d8fd0816
lt(x, x) = 0
    hardware: 16777216, 2026-11-29, d8fd0816
    azahar: 4294967296, 2026-11-29, df0aa4a0
select(invert(x), y, z) = select(x, z, y)
    hardware: 100663296, 2026-11-29, eece9bce
select(x, 1, 0) = x
    hardware: 100663296, 2026-11-29, eece9bce
select(lt(x, 0), -x, x) = max(-x, x); laws second, finite maximum
    hardware: 16777216, 2026-11-29, eece9bce
    azahar: 4294967296, 2026-11-29, d8fd0816
select(lt(x, 0), x, -x) = min(x, -x); laws second
    hardware: 16777216, 2026-11-29, eece9bce
    azahar: 4294967296, 2026-11-29, df0aa4a0
select(lt(0, x), x, -x) = max(x, -x); laws second, finite maximum
    hardware: 16777216, 2026-11-29, eece9bce
select(lt(0, x), -x, x) = min(-x, x); laws second
    hardware: 16777216, 2026-11-29, eece9bce
select(x, -y, y) = mul(mad(x, -2, 1), y); where free(x) and arithmetic(y)
    hardware: 100663296, 2026-11-29, eece9bce
select(x, 0, 1) = invert(x); where free(x)
    hardware: 100663296, 2026-11-29, eece9bce
select(x, A, 0) = mul(x, A); where free(x) and 0 < A and finite(A)
    hardware: 104857600, 2026-11-29, eece9bce
select(x, A, B) = mad(x, [A - B], B); where free(x) and finite(A) and finite(B)
    hardware: 100663296, 2026-11-29, eece9bce
""")


__all__ = ["RUNS", "Run", "runs_of", "runs_text", "stated", "tested"]
