"""Occurrences: where the names of a source stand, and what they name. Editors find definitions by them, rename, highlight and
explain.

The readers of the languages make them, in the code that resolves the names.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lanewise.core.source import Span

# What a name may be.
INSTRUCTION, DIRECTIVE, REGISTER = "instruction", "directive", "register"
INPUT, OUTPUT, UNIFORM, CONSTANT, ALIAS = "input", "output", "uniform", "constant", "alias"
LABEL, PROCEDURE, MACRO, PARAMETER, FILE = "label", "procedure", "macro", "parameter", "file"
SEMANTIC, SAMPLER, MODIFIER = "semantic", "sampler", "modifier"
KINDS = (
    INSTRUCTION,
    DIRECTIVE,
    REGISTER,
    INPUT,
    OUTPUT,
    UNIFORM,
    CONSTANT,
    ALIAS,
    LABEL,
    PROCEDURE,
    MACRO,
    PARAMETER,
    FILE,
    SEMANTIC,
    SAMPLER,
    MODIFIER,
)
# Names that the source gives itself: those that may be renamed.
GIVEN = frozenset((INPUT, OUTPUT, UNIFORM, CONSTANT, ALIAS, LABEL, PROCEDURE, MACRO, PARAMETER))


class Occurrence(Record):
    """A name in a source."""

    name: str
    "Text as it is written."
    kind: str
    "One of `KINDS`."
    span: Span
    "Place of the name alone: not of its index, its components or its sign."
    symbol: str
    "The same in all occurrences of one thing, in every file of a program: `procedure main`, `register r0`."
    definition: bool = False
    "The source declares it here."
    written: bool = False
    "The program writes it here."
    register: str = ""
    "Register that it stands for (`c4`); empty for none."
    components: str = ""
    "Components that are used (`xyz`), in the order of the source."
    extent: Extent | None = None
    "Lines that a definition covers, such as a procedure from its first line to its last; None for all others."

    def in_line(self, number: int) -> Occurrence:
        """The same name in another line."""
        return self._make((self.name, self.kind, self.span.in_line(number), *self[3:]))


class Names:
    """The occurrences of an analysis, worked out when they are first asked for: findings do not wait for them."""

    def __init__(self, find: Callable[[], tuple[Occurrence, ...]]) -> None:
        self._find: Callable[[], tuple[Occurrence, ...]] | None = find
        self._found: tuple[Occurrence, ...] = ()

    def __iter__(self) -> Iterator[Occurrence]:
        find = self._find
        if find is not None:
            self._found, self._find = find(), None
        return iter(self._found)


class Extent(Record):
    """Lines of a file, from 1; `last` is one of them."""

    file: str
    first: int
    last: int
