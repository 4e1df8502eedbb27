"""Search of a table of evidence by topic: the key of a row, an instruction, or words of its text."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError
from lanewise.core.text.problems import LONGEST_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Protocol, TypeVar

    class Row(Protocol):
        """A row of evidence: its name, the question in a few words, and the instructions that depend on it."""

        @property
        def key(self) -> str: ...
        @property
        def topic(self) -> str: ...
        @property
        def ops(self) -> tuple[str, ...]: ...

    R = TypeVar("R", bound=Row)


_LEAST = 4  # letters of a word that an unknown topic may have meant; shorter ones are near to everything


def on_topic(topic: str, rows: Sequence[R], text: Callable[[R], Iterable[str]], instructions: Iterable[str]) -> list[R]:
    """The rows about a topic, in their order; all of them for an empty one. `text` is what a row says besides its key, topic
    and instructions.

    An instruction means the rows that concern it, and those that have it as a word; the key of a row means that row. Other
    words are searched in the whole row: each must begin a word of it. Raises UsageError where no row is about the topic.
    """
    words = _spaced(topic).split()
    if not words:
        return [*rows]
    listed = [*instructions]
    ends = " " if topic.strip().lower() in listed else ""
    if not ends:
        for row in rows:
            if _spaced(row.key).split() == words:
                return [row]
    found: list[R] = []
    for row in rows:
        whole = f" {_spaced(' '.join((row.key, row.topic, *row.ops, *text(row))))} "
        if all(f" {word}{ends}" in whole for word in words):
            found.append(row)
    if found:
        return found
    if ends:
        raise UsageError(f"no row of evidence concerns {topic.strip()}: without a topic, --evidence lists all rows")
    from difflib import get_close_matches

    named = [word for row in rows for word in _spaced(row.topic).split() if len(word) >= _LEAST]
    close = get_close_matches(topic[:LONGEST_NAME].lower(), dict.fromkeys([*[row.key for row in rows], *listed, *named]), 3)
    hint = f"did you mean {' or '.join(close)}?" if close else "without a topic, --evidence lists all rows"
    raise UsageError(f"no row of evidence is about '{topic}': {hint}")


def _spaced(text: str) -> str:
    """A text in lower case, with blanks for all but letters and digits."""
    return "".join([letter if letter.isalnum() else " " for letter in text.lower()])
