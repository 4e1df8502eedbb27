"""The functions of numbers that translated programs use, in the order of first use, as text of a language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.diagnostics import PortableError
from lanewise.translating.operators import bare

if TYPE_CHECKING:
    from lanewise.translating.functions import Library
    from lanewise.translating.languages import Language


class RefusedError(PortableError):
    """The program or its rules have no translation; the text is the reason."""

    def __init__(self, message: str, fix: str = "") -> None:
        super().__init__(message)
        self.fix = fix


class Functions:
    """The functions of a library that are used."""

    def __init__(self, library: Library, language: Language) -> None:
        self._library = library
        self._language = language
        self.used: dict[str, None] = {}

    def call(self, name: str, *texts: str) -> str:
        self.used.setdefault(name)
        return f"{self._language.prefix}{name}({', '.join(map(bare, texts))})"

    def comparison(self, name: str, a: str, b: str) -> str:
        return self.call(name, a, b)

    def text(self) -> list[str]:
        """The functions with their tables, each after what it needs and an empty line."""
        names = self._library.used(self.used)
        blocks = [self._language.table(name, values) for name, values in self._library.tables(names).items()]
        blocks += [self._library.text(name, self._language) for name in names]
        return [line for block in blocks for line in ("", *block)]
