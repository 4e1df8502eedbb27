"""The rewrite rules as a page and as data."""

from __future__ import annotations

from lanewise.core.document import Heading, Items, Paragraph, Table
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.counting import counted
from lanewise.rules.expression import written
from lanewise.rules.row import ALLOWED, CHECKS, CLASSES, CLIENTS, EXACT, FACTS, LAWS
from lanewise.rules.runs import RUNS, stated, tested
from lanewise.rules.table import beliefs, rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.document import Block
    from lanewise.rules.row import Belief, Rule

_ABOUT = (
    "For developers of the compilers and the prover, and for users who want to know why a program has fewer operations than "
    "its source. A row says that its pattern is its replacement wherever its condition and its laws hold. Lower-case names are "
    "values, upper-case ones numbers that are known, `[A * B]` is computed where the result is exact. Rows are in "
    "`rules/table.py`; `lanewise isa --rewrites` prints this page."
)
_SEARCH = (
    "`python -m rules_search` in `tests` grows terms of up to three operations and compares what they give for hard "
    "numbers; what no row rewrites is tried under all presets and shown to the prover. Its operations are `add`, `mul`, "
    "`max`, `min`, `lt`, `le`, `floor`, `rcp`, `rsq`, `exp2` and `log2`. Not `mad`: under the law *two roundings* it is "
    "a product and a sum, so the rows of those are its rows. Not `dot`: in which order it adds is an open question about "
    "the hardware, and without an order nothing is exact but the exchange of its operands. No proposal fits an operation "
    "of the public shaders that were looked at; those that one may write are rows."
)
_NAN = (
    "What a row may do to NaN: GLSL 4.60, 4.7.1, asks for no NaN to be made and for no operation on NaN to give NaN, under "
    "`precise` and `invariant` too; HLSL asks for it under `precise` and `/Gis` only. Rows that are also for `precise` are "
    "NaN for the same numbers as their pattern. The others give what their pattern gives, but for rounding, where all that it "
    "computes is finite; where it computes an infinity or NaN they give any number. `--strict` leaves them out. Exact rows "
    "are NaN where their pattern is."
)
_BOUNDS = (
    (
        "`low(x)`, `high(x)`",
        "the least and the greatest number that `x` can be, which is never NaN, and never -0 where that is 0",
    ),
    ("`least(x)`, `greatest(x)`", "the least and the greatest number that `x` can be, where it is not NaN"),
)


def page() -> list[Block]:
    """All rules, beliefs and names."""
    return [
        Heading(1, "Rewrite rules"),
        Paragraph(_ABOUT),
        Heading(2, "Overview"),
        Paragraph("The rows by the operation that their pattern begins with, each with the first of them."),
        _overview(),
        Heading(2, "Exact rules"),
        Paragraph(f"{_first(CLASSES[EXACT])}. {_sum(EXACT)}"),
        *_table(EXACT),
        Heading(2, "Allowed rules"),
        Paragraph(f"{_first(CLASSES[ALLOWED])}. {_sum(ALLOWED)}"),
        Paragraph(_NAN),
        *_table(ALLOWED),
        Heading(2, "Algebra that stays in code"),
        Items(tuple([(rule.name, rule.code) for rule in rules() if rule.code])),
        Heading(2, "Search"),
        Paragraph(_SEARCH),
        Heading(2, "Not rules"),
        Paragraph(
            "Equations that people think are right, each with numbers that refute it on the hardware; those among the allowed "
            "rules are used where GLSL and HLSL permit them."
        ),
        Table(
            ("name", "equation", "wrong for", "what happens"),
            tuple([(each.name, _equation(each), _values(each), each.why) for each in beliefs()]),
        ),
        Heading(2, "Names"),
        Paragraph("Laws of a target's numbers, which a profile or a device decides:"),
        Items(tuple(LAWS.items())),
        Paragraph("Facts about values and numbers, in conditions:"),
        Items((*[(f"`{name}`", text) for name, text in FACTS.items()], *_BOUNDS)),
        Paragraph("Who uses a row:"),
        Items(tuple(CLIENTS.items())),
        Paragraph("How a row is known:"),
        Items(tuple([(name, text) for name, text in CHECKS.items() if name])),
    ]


def _overview() -> Table:
    """How many rows begin with each operation, the most first."""
    groups: dict[str, list[Rule]] = {}
    for rule in rules():
        if not rule.code:
            name, opening, _ = written(rule.pattern).partition("(")
            groups.setdefault(f"`{name}`" if opening and name.isidentifier() else "others", []).append(rule)
    rows = [
        (name, *[str(sum([rule.kind == kind for rule in found])) for kind in (EXACT, ALLOWED)], _equation(found[0]))
        for name, found in sorted(groups.items(), key=lambda group: (group[0] == "others", -len(group[1]), group[0]))
    ]
    return Table(("operation", "exact", "allowed", "for example"), tuple(rows))


def _first(text: str) -> str:
    return text[0].upper() + text[1:]


def _sum(kind: str) -> str:
    """How many rows there are of a class, by how they are known."""
    rows = [rule for rule in rules() if rule.kind == kind]
    by_check = [(name, sum([rule.checked == name for rule in rows])) for name in CHECKS if name]
    parts = ", ".join([f"{count} {name}" for name, count in by_check if count])
    return f"{counted(len(rows), 'row')}{': ' if parts else ''}{parts}."


def _table(kind: str) -> list[Block]:
    rows = [
        (rule.name, _equation(rule), _where(rule), ", ".join(rule.used_by), rule.checked, _tried(rule))
        for rule in rules()
        if rule.kind == kind
    ]
    head = ("name", "rule", "where", "used by", "known", "tried on")
    return [Table(head, tuple(rows)) if kind == EXACT else Table(head[:-2], tuple([row[:-2] for row in rows]))]


def _tried(rule: Rule) -> str:
    """The numbers on which a row was tried, with the profile and the day."""
    found: list[str] = []
    for run in RUNS.get(stated(rule), ()):
        power = run.numbers.bit_length() - 1
        exactly = run.numbers == 1 << power
        numbers = f"all 2^{power}" if exactly else f"{run.numbers:,}"
        found.append(f"{numbers}, `{run.profile}`, {run.date}")
    return "; ".join(found)


def _equation(row: Rule | Belief) -> str:
    return f"`{written(row.pattern)}` is `{written(row.replacement)}`"


def _where(rule: Rule) -> str:
    found = [*[f"`{tested(test)}`" for test in rule.where], *[f"law {law}" for law in rule.laws]]
    found += ["also precise"] if rule.precise else []
    return "; ".join([*found, *(["conditionals replaced at any cost"] if rule.eager else [])])


def _values(belief: Belief) -> str:
    return ", ".join([f"{name} = {value if isinstance(value, str) else format(value, 'g')}" for name, value in belief.values])


def data() -> dict[str, object]:
    """All rules and beliefs, for JSON output."""
    return {
        "rewrites": [_row(rule) for rule in rules()],
        "not_rewrites": [
            {
                "name": each.name,
                "pattern": written(each.pattern),
                "replacement": written(each.replacement),
                "values": {name: str(value) for name, value in each.values},
                "why": each.why,
            }
            for each in beliefs()
        ],
    }


def _row(rule: Rule) -> dict[str, object]:
    lists: dict[str, Sequence[str]] = {
        "where": [tested(test) for test in rule.where],
        "laws": rule.laws,
        "used_by": rule.used_by,
    }
    return {
        "name": rule.name,
        "pattern": written(rule.pattern),
        "replacement": written(rule.replacement),
        **{key: list(texts) for key, texts in lists.items()},
        "class": rule.kind,
        "checked": rule.checked,
        "runs": [run._asdict() for run in RUNS.get(stated(rule), ())],
        "code": rule.code,
        "example": rule.example,
        "source": rule.source,
        "also_precise": rule.precise,
        "eager": rule.eager,
    }


__all__ = ["data", "page"]
