"""Result of a comparison of two programs: `Comparison`, for any instruction set."""

from __future__ import annotations

from lanewise.core.document import Heading, Items, Paragraph, Table
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.document import Block

EQUAL, DIFFERS, UNKNOWN = "equal", "differs", "unknown"


class Setting(Record):
    """A register of a counter-example: its names, its components as text, and as machine words in hexadecimal."""

    name: str
    register: str
    values: tuple[str, ...]
    bits: tuple[str, ...] = ()


class Example(Record):
    """Values for which two programs differ, as the reference engine has computed it."""

    vertices: tuple[tuple[Setting, ...], ...]
    "Inputs of each vertex in order: the last one differs; the others matter only where registers are kept."
    uniforms: tuple[Setting, ...]
    "Uniforms of both programs, the same for all vertices."
    output: str
    "Name of the first output that differs, with its component."
    first: str
    "Value that the first program gives the output."
    second: str
    "Value that the second program gives the output."
    profile: str
    "Name of the profile or device whose rules the run follows."
    start: tuple[Setting, ...] = ()
    "Registers that another program has left, where those matter."


class Ulps(Record):
    """How far apart results are, in units in the last place."""

    asked: int
    "How far apart they may be."
    proved: int | None
    "The most that they can be; None: there is no bound."
    found: int | None
    "The greatest difference that a search has found, which is no bound; None: there was no search."
    output: str
    "The output of `found`, or of `proved` without a search; empty where all are the same."
    reason: str
    "Why there is no bound; empty where there is one."


_INSTEAD = {
    **dict.fromkeys(("equal", "is_equal", "same", "result", "status", "proved", "ok"), "`verdict == 'equal'`"),
    **dict.fromkeys(("differences", "difference", "diff", "counterexample", "counter_example", "witness"), "`example`"),
}


class Comparison:
    """Whether two programs are equal for all inputs; true if they are.

    `verdict` is `equal`, `differs` or `unknown`. `used` is what the proof rests on; `unmatched` are names and values that only
    one program has, with which nothing is equal; `reason` is how far the proof came, `example` values for which they differ.
    With `ulps` equal means: not further apart than that asks.
    """

    verdict: str
    names: tuple[str, str]
    used: tuple[str, ...]
    unmatched: tuple[str, ...]
    reason: str
    example: Example | None
    ulps: Ulps | None

    def __init__(
        self,
        verdict: str,
        names: tuple[str, str],
        *,
        used: Sequence[str] = (),
        unmatched: Sequence[str] = (),
        reason: str = "",
        example: Example | None = None,
        ulps: Ulps | None = None,
    ) -> None:
        self.verdict, self.names, self.ulps = verdict, names, ulps
        self.used, self.unmatched, self.reason, self.example = tuple(used), tuple(unmatched), reason, example

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            instead = _INSTEAD.get(name, "")
            raise AttributeError(f"a Comparison has no attribute '{name}'{instead and ': use '}{instead}", name=name, obj=self)

    def __bool__(self) -> bool:
        return self.verdict == EQUAL

    def __eq__(self, other: object) -> bool:
        """Whether it is the same comparison. Raises TypeError for a truth value or a verdict."""
        if isinstance(other, (bool, str)):
            what = "a Comparison is true if the programs are equal, and has a verdict"
            raise TypeError(f"{what}: `if comparison:`, or `comparison.verdict == 'equal'`")
        return self is other

    def __hash__(self) -> int:
        return object.__hash__(self)

    def with_premises(self, premises: Sequence[str]) -> Comparison:
        """The same with more that the proof rests on, in front."""
        return Comparison(
            self.verdict,
            self.names,
            used=(*premises, *self.used),
            unmatched=self.unmatched,
            reason=self.reason,
            example=self.example,
            ulps=self.ulps,
        )

    def __repr__(self) -> str:
        return f"<Comparison of {self.names[0]} and {self.names[1]}: {self.verdict}>"

    def __str__(self) -> str:
        from lanewise.core.document import as_text

        return as_text(self.page())

    def page(self) -> tuple[Block, ...]:
        """The comparison as text."""
        first, second = self.names
        blocks: list[Block] = []
        asked = f"{self.ulps.asked} ulp" if self.ulps is not None and self.ulps.proved != 0 else ""
        within, beyond = (f" within {asked}", f" by more than {asked}") if asked else ("", "")
        if self.verdict == EQUAL:
            blocks.append(Paragraph(f"{first} and {second} are equal{within}."))
        elif self.verdict == DIFFERS:
            blocks.append(Paragraph(f"{first} and {second} differ{beyond}."))
        else:
            blocks.append(Paragraph(f"It is unknown whether {first} and {second} are equal{within}."))
        if self.ulps is not None:
            blocks.append(Paragraph(_ulps_text(self.ulps)))
        if self.unmatched:
            blocks += [Heading(2, "Not matched"), Items(tuple([("", line) for line in self.unmatched]))]
        if self.reason:
            blocks.append(Paragraph(f"{self.reason[0].upper()}{self.reason[1:]}."))
        if self.used:
            blocks += [Heading(2, "Proof"), Items(tuple([("", line) for line in self.used]))]
        if self.example is not None:
            blocks += _shown(self.example, self.names)
        return tuple(blocks)

    def to_json(self) -> dict[str, object]:
        """The document that `lanewise diff --format json` prints, without its envelope."""
        found = self.example
        example: dict[str, object] | None = None
        if found is not None:
            example = {
                "vertices": [[setting._asdict() for setting in settings] for settings in found.vertices],
                "uniforms": [setting._asdict() for setting in found.uniforms],
                "output": found.output,
                "first": found.first,
                "second": found.second,
                "profile": found.profile,
                "start": [setting._asdict() for setting in found.start],
            }
        document: dict[str, object] = {
            "verdict": self.verdict,
            "first": self.names[0],
            "second": self.names[1],
            "used": list(self.used),
            "unmatched": list(self.unmatched),
            "reason": self.reason,
            "example": example,
        }
        return document | ({} if self.ulps is None else {"ulp": self.ulps._asdict()})


def _ulps_text(ulps: Ulps) -> str:
    """How far apart results are, in sentences that say what is proved and what was found."""
    place = f", in {ulps.output}" if ulps.output else ""
    proved = "" if ulps.proved is None else f"Proved: at most {ulps.proved} ulp apart{place if ulps.found is None else ''}."
    found = (
        "" if ulps.found is None else f"Searched: the greatest difference found is {ulps.found} ulp{place}; that is no bound."
    )
    lacking = f"Not proved: {ulps.reason}." if ulps.reason else ""
    return " ".join([text for text in (proved, lacking, found) if text])


_LAST_DIGITS = 64  # ulp
_MANY = 12  # uniforms, of which those that are 0 are not listed


def _shown(example: Example, names: tuple[str, str]) -> list[Block]:
    blocks: list[Block] = [Heading(2, f"{example.output}, with profile {example.profile}")]
    blocks.append(Table(("program", example.output), ((names[0], example.first), (names[1], example.second))))
    steps = _apart(example.first, example.second)
    if 0 < steps <= _LAST_DIGITS:
        text = (
            f"The results are {steps} ulp apart: each operation rounds, so sums and products in another order have other last "
            "digits. `--ulp N` compares within N ulp, `--range` gives the numbers for a proof."
        )
        blocks.append(Paragraph(text))
    if example.start:
        blocks += [Heading(2, "Registers at the start"), _table(example.start)]
    for number, settings in enumerate(example.vertices):
        title = "Inputs" if len(example.vertices) == 1 else f"Inputs of vertex {number}"
        if settings:
            blocks += [Heading(2, title), _table(settings)]
    if example.uniforms:
        many = len(example.uniforms) > _MANY
        listed = [s for s in example.uniforms if not many or any(value not in {"0", "-0"} for value in s.values)]
        blocks += [Heading(2, "Uniforms"), *([_table(listed)] if listed else [])]
        if len(listed) < len(example.uniforms):
            which = f"The {len(example.uniforms) - len(listed)} other" if listed else f"All {len(example.uniforms)}"
            blocks.append(Paragraph(f"{which} uniform registers that the programs may read are 0."))
    return blocks


def _apart(first: str, second: str) -> int:
    """The steps between two values that end with their bits, `1.5 (0x3fc00000)`; 0 for any other text."""
    words = [text.rpartition("(0x")[2].rstrip(")") for text in (first, second)]
    try:
        return abs(int(words[0], 16) - int(words[1], 16))
    except ValueError:
        return 0


def _table(settings: Sequence[Setting]) -> Table:
    rows = [(s.register, s.name if s.name != s.register else "", ", ".join(s.values), " ".join(s.bits)) for s in settings]
    return Table(("register", "name", "value", "bits"), tuple(rows))
