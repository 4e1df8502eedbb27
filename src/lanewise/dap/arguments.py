"""The arguments of a request, checked as they are read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from lanewise.core.diagnostics import PortableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import NoReturn


class Refusal(PortableError):
    """A request that cannot be done: a sentence for the user. `short` is the text by which a client knows the kind, such as
    `notStopped`."""

    message: str
    short: str
    shown: bool

    def __init__(self, message: str, *, short: str = "", shown: bool = False) -> None:
        super().__init__(message)
        self.message, self.short, self.shown = message, short or message, shown


class Arguments:
    """A JSON object whose values have the kinds that are asked for; otherwise `Refusal` names the argument. `of` names it in
    messages."""

    values: Mapping[str, object]

    def __init__(self, of: str, values: object) -> None:
        self.of = of
        if values is None:
            values = {}
        if not isinstance(values, dict):
            raise Refusal(f"{of}: the arguments are {_shown(values)}, expected an object")
        self.values = cast("Mapping[str, object]", values)

    def has(self, name: str) -> bool:
        """Whether there is a value; null is none."""
        return self.values.get(name) is not None

    def text(self, name: str, default: str | None = None) -> str:
        value = self._value(name, default)
        return value if isinstance(value, str) else self._wrong(name, value, "a text")

    def integer(self, name: str, default: int | None = None) -> int:
        value = self._value(name, default)
        if isinstance(value, float) and value.is_integer():  # JSON does not tell 3.0 from 3
            value = int(value)
        return value if isinstance(value, int) and not isinstance(value, bool) else self._wrong(name, value, "a whole number")

    def flag(self, name: str, default: bool | None = False) -> bool:
        value = self._value(name, default)
        return value if isinstance(value, bool) else self._wrong(name, value, "true or false")

    def inner(self, name: str, default: Mapping[str, object] | None = None) -> Arguments:
        """An object."""
        return Arguments(f"{self.of}: {name}", self._value(name, default))

    def items(self, name: str, default: Iterable[object] | None = None) -> list[object]:
        """A list."""
        value = self._value(name, default)
        return list(cast("list[object]", value)) if isinstance(value, (list, tuple)) else self._wrong(name, value, "a list")

    def rows(self, name: str, default: Iterable[object] | None = None) -> list[Arguments]:
        """A list of objects."""
        return [Arguments(f"{self.of}: {name}[{place}]", item) for place, item in enumerate(self.items(name, default))]

    def texts(self, name: str, default: Iterable[str] | None = None) -> list[str]:
        """A list of texts."""
        found = self.items(name, default)
        return [item if isinstance(item, str) else self._wrong(name, item, "a text") for item in found]

    def integers(self, name: str, default: Iterable[int] | None = None) -> list[int]:
        """A list of whole numbers."""
        found = self.items(name, default)
        return [
            item if isinstance(item, int) and not isinstance(item, bool) else self._wrong(name, item, "a whole number")
            for item in found
        ]

    def _value(self, name: str, default: object) -> object:
        value = self.values.get(name)
        if value is not None:
            return value
        if default is None:
            raise Refusal(f"{self.of}: '{name}' is missing")
        return default

    def _wrong(self, name: str, value: object, expected: str) -> NoReturn:
        raise Refusal(f"{self.of}: '{name}' is {_shown(value)}, expected {expected}")


def _shown(value: object) -> str:
    """A value in a message, shortened."""
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= 60 else text[:57] + "..."


__all__ = ["Arguments", "Refusal"]
