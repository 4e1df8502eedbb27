"""The plan: which program would decide each open question, what each outcome means, and what no program can show."""

from __future__ import annotations

from itertools import combinations

from lanewise.core.document import Heading, Items, Paragraph, Table
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.api.evidence.programs import NAMES, outcomes, pictures
from lanewise.pica200.isa.experiments import EXPERIMENTS, RUN, UNDECIDABLE
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.document import Block

QUESTIONS = tuple(dict.fromkeys([experiment.question for experiment in EXPERIMENTS]))
ALWAYS, SOMETIMES, NEVER = "always", "for some values of other fields", "never"


class Separation(Record):
    """Whether the pictures tell two answers of a field apart, and with which pictures."""

    field: str
    answers: tuple[str, str]
    when: str
    pictures: tuple[str, ...]


def fields_of(question: str) -> tuple[str, ...]:
    """The fields of a profile that the experiments of a question are for: the first of each."""
    return tuple(dict.fromkeys([each.fields[0] for each in EXPERIMENTS if each.question == question]))


def separations(field: str) -> list[Separation]:
    """Each pair of answers of a field, by the predicted colours: with other fields as in `hardware`, or with any values."""
    found: list[Separation] = []
    for first, second in combinations(CHOICES[field].answers, 2):
        always: list[str] = []
        sometimes: list[str] = []
        for picture in pictures():
            fields = picture.experiment.fields
            if field not in fields:
                continue
            at = fields.index(field)
            table = outcomes(picture.name)
            usual = tuple([getattr(HARDWARE, name) for name in fields])
            if table[(*usual[:at], first, *usual[at + 1 :])] != table[(*usual[:at], second, *usual[at + 1 :])]:
                always.append(picture.name)
            elif any(
                colour != table[(*values[:at], second, *values[at + 1 :])]
                for values, colour in table.items()
                if values[at] == first
            ):
                sometimes.append(picture.name)
        when = ALWAYS if always else SOMETIMES if sometimes else NEVER
        found.append(Separation(field, (first, second), when, tuple(always or sometimes)))
    return found


def plan(questions: Sequence[str]) -> list[Block]:
    """The page of some questions, or of all."""
    blocks: list[Block] = [
        Heading(1, "Open questions, and the programs that would decide them"),
        Paragraph(
            f"Of every row: {RUN}. `lanewise evidence kit DIR` writes the programs as a homebrew project, `lanewise evidence "
            "import FILE` reads its results. A colour is that of a picture; grey is the background: nothing was drawn. Black "
            "matches no hypothesis. Other fields are as in the profile hardware, unless a line names them."
        ),
    ]
    for question in QUESTIONS:
        if questions and question not in questions:
            continue
        blocks += _question(question)
    return blocks


def _question(question: str) -> list[Block]:
    fields = fields_of(question)
    blocks: list[Block] = [
        Heading(2, f"{question}: {', '.join([CHOICES[field].topic.removesuffix(f' ({question})') for field in fields])}")
    ]
    blocks.append(
        Items(tuple([(f"{field}={value}", text) for field in fields for value, text in CHOICES[field].answers.items()]))
    )
    own = [experiment for experiment in EXPERIMENTS if experiment.question == question]
    read = [experiment for experiment in own if experiment.read is not None]
    for experiment in own:
        if experiment.read is not None:
            continue
        risk = f" {experiment.risk[0].upper()}{experiment.risk[1:]}." if experiment.risk else ""
        blocks += [
            Paragraph(
                f"`{experiment.name}`: {experiment.about}. Method: {experiment.method}.{risk} Evidence: {experiment.evidence}."
            ),
            Table(("colour", "means"), tuple(_meanings(experiment.name))),
        ]
    if read:
        numbers = ", ".join([f"`{each.name}` {each.about.removeprefix('the bits of ')}" for each in read])
        blocks.append(
            Paragraph(
                f"The bits of {len(read)} numbers are read out: {numbers}. Method: {read[0].method}: there is no list of "
                "answers to choose from. The import gives each word, and compares it with the rules that a profile can "
                f"have. Evidence: {read[0].evidence}."
            )
        )
    rows = [each for field in fields for each in separations(field)]
    blocks.append(
        Table(
            ("field", "answers", "told apart", "by"),
            tuple(
                [
                    (
                        each.field,
                        " and ".join(each.answers),
                        each.when,
                        ", ".join(each.pictures[:4]) + ", ..." * (len(each.pictures) > 4) or "-",
                    )
                    for each in rows
                ]
            ),
        )
    )
    blocks += [
        Paragraph(f"No picture of the kit shows {each.what}: {each.reason}.")
        for each in UNDECIDABLE
        if each.question == question
    ]
    return blocks


def _meanings(name: str) -> list[tuple[str, str]]:
    picture = next(each for each in pictures() if each.name == name)
    by_colour: dict[str, list[tuple[str, ...]]] = {}
    for values, colour in outcomes(name).items():
        by_colour.setdefault(colour, []).append(values)
    return [(NAMES.get(colour, colour), _listed(picture.experiment.fields, values)) for colour, values in by_colour.items()]


def _listed(fields: tuple[str, ...], values: Sequence[tuple[str, ...]]) -> str:
    """Combinations of values as text; a field all of whose values are there with the same others is left out."""
    for at, field in enumerate(fields):
        rest = {(*each[:at], *each[at + 1 :]) for each in values}
        if len(fields) > 1 and len(rest) * len(CHOICES[field].answers) == len(values):
            return _listed((*fields[:at], *fields[at + 1 :]), sorted(rest))
    return "; or ".join([", ".join([f"{field}={value}" for field, value in zip(fields, each, strict=True)]) for each in values])


def as_data(questions: Sequence[str]) -> Mapping[str, object]:
    """The plan as plain values."""
    return {
        "status": RUN,
        "questions": [_data(question) for question in QUESTIONS if not questions or question in questions],
        "undecidable": [each._asdict() for each in UNDECIDABLE if not questions or each.question in questions],
    }


def _data(question: str) -> dict[str, object]:
    shown = [
        {
            "name": picture.name,
            "about": picture.experiment.about,
            "method": picture.experiment.method,
            "evidence": picture.experiment.evidence,
            "fields": list(picture.experiment.fields),
            "risk": picture.experiment.risk,
            "outcomes": [
                {"values": dict(zip(picture.experiment.fields, values, strict=True)), "colour": colour}
                for values, colour in outcomes(picture.name).items()
            ],
        }
        for picture in pictures()
        if picture.experiment.question == question
    ]
    apart = [
        {"field": each.field, "answers": list(each.answers), "when": each.when, "pictures": list(each.pictures)}
        for field in fields_of(question)
        for each in separations(field)
    ]
    return {"question": question, "pictures": shown, "separations": apart}
