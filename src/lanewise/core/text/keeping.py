"""Lines of sources, kept with what their reader read of them for the next reading: most lines stay while a text is edited.

A reader keeps a line that it has read without findings and that changes nothing for the lines after it. What such a line gives
follows from its text and from the lines before it that do change something: those are the *environment* (`Lines`) in which it
is kept. A line that is found again at another number is moved there, with its names.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.occurrences import Occurrence

Read = TypeVar("Read")  # what the reader of a language makes of a line

MOST_KEPT = 1 << 17  # lines, in all environments


class Kept(Generic[Read]):
    """A line as it was read last: its text, what the reader has read of it, and its names."""

    __slots__ = ("_names", "_number", "read", "text")
    text: str
    read: Read
    _names: tuple[Occurrence, ...]

    def __init__(self, text: str, read: Read, names: tuple[Occurrence, ...]) -> None:
        self.text, self.read, self._names = text, read, names
        self._number = 0  # the line to which the names have yet to be moved

    @property
    def names(self) -> tuple[Occurrence, ...]:
        """The names in it, in their order."""
        if self._number:
            self._names = tuple([name.in_line(self._number) for name in self._names])
            self._number = 0
        return self._names

    def at(self, number: int, read: Read) -> Kept[Read]:
        """The same in a line of another number, where `read` is made of it."""
        found = Kept(self.text, read, self._names)
        found._number = number
        return found


class Lines(Generic[Read]):
    """The lines that are kept in one environment, by their text, and by the number at which each was last: lines may have the
    same text."""

    def __init__(self, store: Store[Read]) -> None:
        self._store = store
        self._texts: dict[str, Kept[Read]] = {}
        self._placed: dict[int, Kept[Read]] = {}
        self._following: dict[str, Lines[Read]] = {}

    def after(self, statement: str) -> Lines[Read]:
        """The environment after one more statement that may change what lines give."""
        found = self._following.get(statement)
        if found is None:
            found = self._following[statement] = Lines(self._store)
            self._store.counted += 1
        return found

    def find(self, text: str, number: int) -> Kept[Read] | None:
        """A line that was read before, as it is at this number."""
        placed = self._placed.get(number)
        if placed is not None and placed.text == text:
            return placed
        known = self._texts.get(text)
        if known is None:
            return None
        found = known.at(number, self._store.moved(known.read, number))
        self._place(number, found)
        return found

    def keep(self, text: str, number: int, read: Read, names: Sequence[Occurrence]) -> None:
        """Keep a line that was read without findings."""
        found = self._texts[text] = Kept(text, read, tuple(names))
        self._store.counted += 1
        self._place(number, found)

    def _place(self, number: int, kept: Kept[Read]) -> None:
        self._store.counted += number not in self._placed
        self._placed[number] = kept


class Store(Generic[Read]):
    """All lines of a language that are kept. `moved` gives what was read of a line as it is in a line of another number."""

    moved: Callable[[Read, int], Read]
    counted: int

    def __init__(self, moved: Callable[[Read, int], Read]) -> None:
        self.moved = moved
        self.counted = 0
        self._beginning: Lines[Read] = Lines(self)

    def beginning(self) -> Lines[Read]:
        """The environment in front of all sources. Where too much is kept, nothing is."""
        if self.counted > MOST_KEPT:
            self.counted, self._beginning = 0, Lines(self)
        return self._beginning


__all__ = ["Kept", "Lines", "Store"]
