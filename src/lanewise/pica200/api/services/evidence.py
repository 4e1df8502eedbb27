"""`lanewise evidence` for the PICA200: the plan, the kit, and what its results settle."""

from __future__ import annotations

from lanewise.core.diagnostics import InputError
from lanewise.core.document import Fixed, Heading, Items, Paragraph, Table
from lanewise.core.package import Experiments
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Answer, UsageError
from lanewise.core.text.counting import counted
from lanewise.pica200.isa.facts import CHOICES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.document import Block
    from lanewise.pica200.api.evidence.results import Results, Settled, Unexplained


def plan(questions: Sequence[str]) -> Answer:
    """The plan of some questions, of all without names. Raises UsageError for an unknown one."""
    from lanewise.pica200.api.evidence import plan as plans

    wanted = [question.upper() for question in questions]
    for question in wanted:
        if question not in plans.QUESTIONS:
            raise UsageError(f"unknown question '{question}': use {plans.QUESTIONS[0]} to {plans.QUESTIONS[-1]}")
    return Answer(data=plans.as_data(wanted), page=tuple(plans.plan(wanted)), schema="evidence")


def kit() -> Mapping[str, bytes]:
    """The files of the kit by path."""
    from lanewise.pica200.api.evidence.kit import kit as files

    return files()


def imported(data: bytes, name: str) -> Answer:
    """What a result file settles; `files` has the profile, named after the file. Raises InputError."""
    from lanewise.pica200.api.evidence.results import read_results, rows, settle

    results = read_results(data, name)
    if not results.colours:
        from lanewise.core.diagnostics import ERROR, Diagnostic
        from lanewise.core.source import Span

        raise InputError(
            [
                Diagnostic(
                    code="C016",
                    severity=ERROR,
                    message="the file has no picture",
                    span=Span(file=name),
                    notes=(),
                    fix="run the kit until its screen says done",
                )
            ]
        )
    settled = settle(results.colours)
    console = results.console or "a console"
    source = (
        f"lanewise evidence kit {results.kit or 'without a digest'} on {console}, result file "
        f"{name.replace(chr(92), '/').rpartition('/')[2]}"
    )
    pasted = rows(settled, source)
    toml = settled.profile.to_toml(
        f"{source}\nFields that are not settled have the value of the preset, or the first one that the results leave."
    )
    return Answer(
        data=_data(results, settled, pasted, toml),
        page=tuple(_page(results, settled, pasted, toml)),
        first=results.findings,
        files=(("profile.toml", toml.encode()),),
        schema="evidence",
    )


def _page(results: Results, settled: Settled, pasted: Sequence[str], toml: str) -> list[Block]:
    blocks: list[Block] = [
        Heading(1, "What the results settle"),
        Paragraph(
            f"{results.console or 'A console'}, kit {results.kit or 'unknown'}: {counted(len(results.colours), 'picture')}, "
            f"{len(settled.missing)} missing."
        ),
    ]
    fields = [
        (
            field,
            values[0] if len(values) == 1 else "-" if values else "contradictory",
            " ".join(values) if len(values) > 1 else "",
            CHOICES[field].default,
        )
        for field, values in settled.left.items()
    ]
    blocks.append(
        Table(("field", "settled", "still possible", "until now"), tuple(fields))
        if fields
        else Paragraph("No field is settled.")
    )
    if settled.numbers:
        blocks.append(Items(tuple([(name, f"0x{word:06X}") for name, word in settled.numbers.items()])))
    if settled.unexplained:
        blocks += [
            Heading(2, "What no hypothesis explains"),
            Items(tuple([(f"{each.picture} ({each.question})", _seen(each)) for each in settled.unexplained])),
        ]
    if settled.missing:
        blocks.append(Paragraph(f"Missing: {', '.join(settled.missing)}."))
    if pasted:
        blocks += [Heading(2, "Rows for src/lanewise/pica200/isa/facts.py"), Fixed(tuple(pasted))]
    return [*blocks, Heading(2, "Profile, for --profile FILE"), Fixed(tuple(toml.splitlines()))]


def _seen(each: Unexplained) -> str:
    """The colour of a picture that no hypothesis gives, with the number in it and what it contradicts."""
    text = each.colour + (f": the number is 0x{each.word:06X}" if each.word is not None else "")
    return text + (f": contradicts other pictures in {', '.join(each.disputes)}, which stays open" if each.disputes else "")


def _data(results: Results, settled: Settled, pasted: Sequence[str], toml: str) -> dict[str, object]:
    return {
        "kit": results.kit,
        "console": results.console,
        "pictures": dict(results.colours),
        "settled": settled.fields,
        "possible": {field: list(values) for field, values in settled.left.items()},
        "numbers": dict(settled.numbers),
        "unexplained": [each._asdict() for each in settled.unexplained],
        "missing": list(settled.missing),
        "rows": list(pasted),
        "profile": toml,
    }


EXPERIMENTS = Experiments(plan, kit, imported)
