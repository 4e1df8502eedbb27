"""Meanings of statements with an unknown instruction: names that are similar, each of which is tried.

Asked only about statements with errors.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.direct3d9.isa.program import Inst
from lanewise.direct3d9.isa.table import DECLARATION, DEFINITION, SAMPLER, SAMPLER_TYPES, USAGES, has, limited
from lanewise.direct3d9.text.names import MNEMONICS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.text.problems import Suggestions
    from lanewise.direct3d9.isa.program import Item
    from lanewise.direct3d9.isa.table import Version

MOST_MEANINGS = 4  # that are tried for one word
_DECLARATIONS = tuple(f"dcl_{kind}" for kind in (*USAGES, *SAMPLER_TYPES[1:]))
_TYPE = 15 << 27  # of a texture, in the word before the register of dcl


def instruction(word: str, suggestions: Suggestions, version: Version, reads: Callable[[str], bool]) -> tuple[str, bool]:
    """The name that a word at the beginning of a statement is meant to be, and whether the statement reads with it.

    Empty if nothing is similar. `reads` tries a name.
    """
    names = [*MNEMONICS, "dcl", *_DECLARATIONS]
    near = suggestions.similar(word, names, MOST_MEANINGS)
    known = [name for name in near if name not in MNEMONICS or has(MNEMONICS[name].op, version)]
    for name in known:
        if reads(name):
            return name, True
    return next(iter([*known, *near]), ""), False


def fits(version: Version, items: Sequence[Item]) -> bool:
    """Whether the rows of instructions allow their destinations: write masks, and textures of declared samplers."""
    for item in items:
        if isinstance(item, Inst) and item.dest is not None:
            role = item.op.role
            if role == DECLARATION and item.dest.file == SAMPLER and not item.payload[0] & _TYPE:
                return False
            masks = limited(item.op.masks, version)
            if role not in (DECLARATION, DEFINITION) and masks and item.dest.mask not in masks:
                return False
    return True
