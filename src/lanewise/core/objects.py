"""Manners of public objects: `PublicObject` shows what is promised in `dir`, `Content` is equal by what it holds."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable


class PublicObject:
    """An object whose `dir` leaves out what lanewise alone uses: the names in `_internal` of its classes."""

    _internal: frozenset[str] = frozenset()

    def __dir__(self) -> Iterable[str]:
        hidden = internal_names(type(self))
        return [name for name in object.__dir__(self) if name not in hidden]


class Content(PublicObject):
    """A program that is equal to another of its class with the same content, whatever their names; it is hashable."""

    def _content(self) -> Hashable:
        """Everything that the program does or is saved with, without its name and places in sources."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return other is self or (isinstance(other, Content) and type(other) is self.__class__ and other._same(self))

    def _same(self, other: Content) -> bool:
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())


def internal_names(kind: type) -> frozenset[str]:
    """The names of a class that lanewise alone uses."""
    found: set[str] = set()
    for base in kind.__mro__:
        found |= base.__dict__.get("_internal", frozenset())
    return frozenset(found)


__all__ = ["Content", "PublicObject", "internal_names"]
