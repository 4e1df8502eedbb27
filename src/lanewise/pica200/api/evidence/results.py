"""Results of the kit: which fields of a profile a file of a console settles.

A file has a line for each picture: its name and six hexadecimal digits. A picture that was begun and has no colour hung the
console.
"""

from __future__ import annotations

from itertools import product

from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic, InputError
from lanewise.core.evidence import MEASURED
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span, decode_text
from lanewise.pica200.api.evidence.programs import BLACK, COLOURS, HANG, NOTHING, digits, outcomes, pictures, read_word
from lanewise.pica200.isa.experiments import EXPERIMENTS, UNDECIDABLE
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.sem.profile import HARDWARE, Profile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.api.evidence.programs import Picture

FIRST_LINE = "lanewise-evidence 1"
_DIGITS = frozenset("0123456789ABCDEF")
_KEYS = ("kit", "console", "begin", "cell", "end")


class Results(Record):
    """A file of the kit: the digest of its programs, what the console said of itself, the colours by picture, and what was
    odd."""

    kit: str
    console: str
    colours: Mapping[str, str]
    findings: tuple[Diagnostic, ...] = ()


class Unexplained(Record):
    """A picture that no hypothesis gives."""

    picture: str
    "Name of the picture."
    question: str
    "Number of the question, C1 to C16."
    colour: str
    "Colour that the console has shown."
    word: int | None = None
    "Number that was read out; None for a comparison."
    disputes: tuple[str, ...] = ()
    "Fields with other values in other pictures; if there are any, a hypothesis gives this picture by itself."


if TYPE_CHECKING:
    _Table = tuple[
        str, tuple[str, ...], list[tuple[str, ...]]
    ]  # a picture, its fields, the values of these that give its colour


class Settled(Record):
    """What results say: the values that are left of each field on which a picture depends, and what no hypothesis explains.

    `numbers` are the words that were read out, by experiment; `missing` are pictures that the file does not have.
    """

    left: Mapping[str, tuple[str, ...]]
    unexplained: tuple[Unexplained, ...]
    numbers: Mapping[str, int]
    missing: tuple[str, ...]

    @property
    def fields(self) -> dict[str, str]:
        """The fields with one value left."""
        return {field: values[0] for field, values in self.left.items() if len(values) == 1}

    @property
    def profile(self) -> Profile:
        """The profile `hardware` with what is settled. A field that is open keeps its value if that is possible."""
        open_fields = {
            field: values[0] for field, values in self.left.items() if values and getattr(HARDWARE, field) not in values
        }
        return HARDWARE.replace(
            **open_fields, **{field: value for field, value in self.fields.items() if field not in open_fields}
        )


def read_results(data: bytes, name: str) -> Results:
    """Read a file of the kit. Raises InputError."""
    findings: list[Diagnostic] = []

    def found(code: str, severity: str, number: int, message: str, fix: str) -> None:
        findings.append(
            Diagnostic(code=code, severity=severity, message=message, span=Span(file=name, line=number), notes=(), fix=fix)
        )

    lines = decode_text(data).splitlines()
    if not lines or lines[0].strip() != FIRST_LINE:
        first = f"the first line is '{lines[0].strip()[:60]}'" if lines else "the file is empty"
        found(
            "C015",
            ERROR,
            1,
            f"not a result file of the kit: {first}",
            f"give lanewise-evidence.txt of the SD card; it begins with '{FIRST_LINE}'",
        )
        raise InputError(findings)
    known = {picture.name for picture in pictures()}
    header = {"kit": "", "console": ""}
    colours: dict[str, str] = {}
    for number, line in enumerate(lines[1:], 2):
        key, _, rest = line.strip().partition(" ")
        if not key or key.startswith("#"):
            continue
        if key not in _KEYS:
            found("C016", ERROR, number, f"unknown line '{line.strip()[:60]}'", f"a line begins with {', '.join(_KEYS)}")
        elif key in header:
            header[key] = rest.strip()
        elif key in ("begin", "cell"):
            picture, _, colour = rest.strip().partition(" ")
            colour = colour.strip().upper()
            if picture not in known:
                found(
                    "C017",
                    WARNING,
                    number,
                    f"unknown picture '{picture[:60]}'",
                    "import the file with the version of lanewise that wrote the kit",
                )
            elif key == "begin":
                colours.setdefault(picture, HANG)
            elif len(colour) != 6 or not _DIGITS.issuperset(colour):
                found(
                    "C016",
                    ERROR,
                    number,
                    f"the colour of {picture} is '{colour[:60]}'",
                    "a colour is six hexadecimal digits, such as 00FF00",
                )
            elif colours.get(picture, HANG) not in (HANG, colour):
                found(
                    "C016",
                    ERROR,
                    number,
                    f"{picture} is {colour} here and {colours[picture]} above",
                    "keep the lines of one run",
                )
            else:
                colours[picture] = colour
    if header["kit"] and header["kit"] != digest():
        found(
            "C017",
            WARNING,
            1,
            f"the kit is {header['kit']}, that of this version is {digest()}",
            "import the file with the version of lanewise that wrote the kit",
        )
    if any(finding.is_error for finding in findings):
        raise InputError(findings)
    return Results(header["kit"], header["console"], colours, tuple(findings))


def digest() -> str:
    """A short text that changes with the programs of the kit."""
    import hashlib

    total = hashlib.sha256()
    for picture in pictures():
        total.update(b"".join([picture.name.encode(), picture.data, *[word.to_bytes(4, "little") for word in picture.upper]]))
    return total.hexdigest()[:16]


def settle(colours: Mapping[str, str]) -> Settled:
    """Compare colours by picture with those of all hypotheses.

    Of each picture only the combinations of values stay that give its colour; what is left of a field narrows the others, until
    nothing changes.
    """
    known = {picture.name: picture for picture in pictures()}
    tables: list[_Table] = []
    unexplained: list[Unexplained] = []
    numbers = {
        experiment.name: word
        for experiment in EXPERIMENTS
        if (word := _number(experiment.name, experiment.read, colours)) is not None
    }
    left = {field: tuple(CHOICES[field].answers) for picture in known.values() for field in picture.experiment.fields}
    for name, colour in colours.items():
        picture = known[name]
        kept = [values for values, predicted in outcomes(name).items() if _same(picture, predicted, colour)]
        if kept:
            tables.append((name, picture.experiment.fields, kept))
        else:
            unexplained.append(
                Unexplained(
                    picture=name, question=picture.experiment.question, colour=colour, word=numbers.get(picture.experiment.name)
                )
            )
    narrowed = _narrowed(tables, left)
    shown = {field for _, fields, kept in tables for field in fields if len(kept) < _combinations(fields)}
    contradicted: list[Unexplained] = []
    disputed: set[str] = set()
    for name, fields, kept in tables:
        if not _possible(fields, kept, narrowed):
            own = [field for at, field in enumerate(fields) if not any(values[at] in narrowed[field] for values in kept)]
            disputes = tuple(own or fields)
            disputed.update(disputes)
            number = numbers.get(known[name].experiment.name)
            contradicted.append(
                Unexplained(
                    picture=name, question=known[name].experiment.question, colour=colours[name], word=number, disputes=disputes
                )
            )
    if disputed:  # neither side settles them
        first = narrowed
        against = {each.picture for each in contradicted}
        narrowed = _narrowed([table for table in tables if not disputed & set(table[1])], left)
        for field in disputed:
            alone = {
                values[fields.index(field)]
                for name, fields, kept in tables
                if name in against and field in fields
                for values in kept
            }
            narrowed[field] = tuple([value for value in left[field] if value in alone or value in first[field]])
    left = narrowed
    return Settled(
        {field: values for field, values in left.items() if field in shown},
        (*unexplained, *contradicted),
        numbers,
        tuple([name for name in known if name not in colours]),
    )


def _combinations(fields: Sequence[str]) -> int:
    return len(list(product(*[CHOICES[field].answers for field in fields])))


def _narrowed(tables: Sequence[_Table], left: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """What pictures leave of each field, where what is left of one narrows the others; one that the others exclude narrows
    nothing."""
    found = dict(left)
    changed = True
    while changed:
        changed = False
        for _, fields, kept in tables:
            possible = _possible(fields, kept, found)
            for at, field in enumerate(fields if possible else ()):
                rest = tuple([value for value in found[field] if any(values[at] == value for values in possible)])
                changed |= rest != found[field]
                found[field] = rest
    return found


def _possible(
    fields: Sequence[str], kept: Sequence[tuple[str, ...]], left: Mapping[str, Sequence[str]]
) -> list[tuple[str, ...]]:
    """The combinations of values that a picture and what is left of the fields permit."""
    return [values for values in kept if all(value in left[field] for field, value in zip(fields, values, strict=True))]


def _number(name: str, power: int | None, colours: Mapping[str, str]) -> int | None:
    high, low = colours.get(f"{name}-high", HANG), colours.get(f"{name}-low", HANG)
    return None if power is None or HANG in (high, low) else read_word(high, low, power)


def _same(picture: Picture, predicted: str, colour: str) -> bool:
    """Whether a console that shows `colour` does as predicted; colours may be a little off."""
    if HANG in (predicted, colour):
        return predicted == colour
    if picture.shift is not None:
        return digits(predicted) == digits(colour)
    return nearest(colour) == predicted


def nearest(colour: str) -> str:
    """The colour of the kit that is nearest to one that was read."""

    def distance(other: str) -> int:
        return sum([abs(int(colour[at : at + 2], 16) - int(other[at : at + 2], 16)) for at in (0, 2, 4)])

    return min((*COLOURS, BLACK, NOTHING), key=distance)


def rows(settled: Settled, source: str) -> list[str]:
    """The rows of `isa/facts.py` of the fields that are settled: the answer first, measured, with the source."""
    return [_row(field, value, source) for field, value in settled.fields.items()]


def _row(field: str, value: str, source: str) -> str:
    fact = CHOICES[field]
    answers = {value: fact.answers[value], **fact.answers}
    emulators = [fact.value("azahar"), fact.value("panda3ds")]
    named = [f', azahar="{emulators[0]}"' * (emulators[0] != value), f', panda3ds="{emulators[1]}"' * (emulators[1] != value)]
    listed = ", ".join([f'"{key}": {_quoted(text)}' for key, text in answers.items()])
    rest = (
        f", others={fact.others!r}" * bool(fact.others)
        + f", ops={fact.ops!r}" * bool(fact.ops)
        + ", geometry=True" * fact.geometry
    )
    return (
        f'    Fact(key="{field}", topic={_quoted(fact.topic)}, answers={{{listed}}}, known={MEASURED.upper()}, '
        f"source={_quoted(f'{source}. Before: {fact.source}')}{''.join(named)}{rest}),"
    )


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


__all__ = [
    "FIRST_LINE",
    "UNDECIDABLE",
    "Results",
    "Settled",
    "Unexplained",
    "digest",
    "nearest",
    "read_results",
    "rows",
    "settle",
]
