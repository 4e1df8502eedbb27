"""Names in a translation: those of the file as identifiers of the language, each once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lanewise.core.record import Record

if TYPE_CHECKING:
    from collections.abc import Container

    from lanewise.translating.languages import Language


class Member(Record):
    """A member of a structure: registers from `first` on."""

    name: str
    first: int
    size: int


def identifier(text: str, language: Language, taken: set[str], words: Container[str] = ()) -> str:
    """A legal name that is not taken, nor one of some more words; it is taken then."""
    found = re.sub(r"_+", "_", re.sub(r"[^A-Za-z0-9_]", "_", text)).strip("_")
    if not found or found[0].isdigit():
        found = f"x{found}"
    if found in language.keywords or found in words or (language.reserved and re.match(language.reserved, found)):
        found = f"{found}_"
        if found.startswith(("gl_", language.prefix, language.prefix.upper())):
            found = f"x_{found}"
    name, number = found, 2
    while name in taken:
        name, number = f"{found}_{number}", number + 1
    taken.add(name)
    return name
