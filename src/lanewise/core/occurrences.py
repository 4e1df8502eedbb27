"""Occurrences: where the names of a source stand, and what they name. Editors find definitions by them, rename, highlight and
explain.

The readers of the languages make them, in the code that resolves the names.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
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
    """A name in a source.

    `span` covers the name alone: not its index, its components or its sign. `symbol` is the same text in all occurrences of one
    thing, in every file of a program, and in no others: `procedure main`, `alias main/scale`, `register r0`, `instruction mad`.
    `definition` says that the source declares it here, `written` that the program writes it here. `register` is the register
    that it stands for (`c4`), empty for none; `components` are those that are used (`xyz`), in the order of the source.
    `extent` is what the definition covers, such as a procedure from its first line to its last; None for all but definitions.
    """

    name: str
    kind: str
    span: Span
    symbol: str
    definition: bool = False
    written: bool = False
    register: str = ""
    components: str = ""
    extent: Extent | None = None


class Extent(Record):
    """Lines of a file, from 1; `last` is one of them."""

    file: str
    first: int
    last: int
