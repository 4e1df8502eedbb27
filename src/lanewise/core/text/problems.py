"""`Problem`: an unreadable line of any dialect, with place, message and fix. `Suggestions`: the names that it may have
meant."""

from __future__ import annotations

from lanewise.core.diagnostics import PortableError
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from lanewise.core.diagnostics import Alternative, Edit, Related

MOST_SUGGESTIONS = 20  # of a run
MOST_COMPARISONS = 100_000  # of names, in a run: some 0.2 s
LONGEST_NAME = 80  # a comparison takes the product of two lengths


class Problem(PortableError):
    """A part of a line cannot be read. `start` counts characters in the operand or line.

    `replacement` is the fix where it is a text in the place of that part; None where the fix is not mechanical. `edits` are the
    fix where it changes other parts. `related` are other places that it is about. `alternatives` are other fixes, `meant` the
    statement that is read in its place; both are set where they are found.
    """

    code: str
    message: str
    fix: str
    notes: tuple[str, ...]
    start: int
    length: int
    replacement: str | None
    related: tuple[Related, ...]
    edits: tuple[Edit, ...]

    def __init__(
        self,
        code: str,
        message: str,
        fix: str = "",
        start: int = 0,
        length: int = 0,
        notes: tuple[str, ...] = (),
        replacement: str | None = None,
        related: tuple[Related, ...] = (),
        edits: tuple[Edit, ...] = (),
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.fix, self.notes = code, message, fix, notes
        self.start, self.length = start, length
        self.replacement, self.related, self.edits = replacement, related, edits
        self.alternatives: tuple[Alternative, ...] = ()
        self.meant = ""


class Suggestions:
    """Names that the misspelt names of one run may have meant.

    There are few: a source with as many unknown names as known ones would take the square of its size. `compared` counts
    comparisons.
    """

    given: int
    compared: int

    def __init__(self) -> None:
        self.given = 0
        self.compared = 0

    def left(self, known: Collection[object]) -> bool:
        """Whether a name can still be looked up among so many."""
        return self.given < MOST_SUGGESTIONS and self.compared + len(known) <= MOST_COMPARISONS

    def nearest(self, name: str, known: Collection[str]) -> str:
        """The most similar of the known names, or empty."""
        near = self.similar(name, known, 1)
        return near[0] if near else ""

    def similar(self, name: str, known: Collection[str], most: int) -> list[str]:
        """The most similar of the known names, the nearest first; they count as one."""
        if not name or len(name) > LONGEST_NAME or not self.left(known):
            return []
        from lanewise.core.text.likeness import closest

        self.compared += len(known)
        near = closest(name, [other for other in known if 0 < len(other) <= LONGEST_NAME], most)
        self.given += bool(near)
        return near
