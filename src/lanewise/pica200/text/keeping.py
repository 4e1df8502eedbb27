"""Plain instructions of sources, kept from one reading to the next: most lines stay while a text is edited."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from lanewise.core.occurrences import Occurrence
    from lanewise.core.source import Span
    from lanewise.pica200.isa.program import Operation

MOST_KEPT = 1 << 16  # lines, in all environments


class Kept(Record):
    """An instruction as it was read last, in a line of this number, with the names in it."""

    number: int
    operation: Operation
    names: tuple[Occurrence, ...]


class Store:
    """Everything that is kept: `environment` is that in front of all sources."""

    def __init__(self) -> None:
        self.counted: int = 0
        self.environment: Environment = Environment(self)

    def beginning(self) -> Environment:
        """The environment in front of all sources. Where too much is kept, nothing is."""
        if self.counted > MOST_KEPT:
            self.counted, self.environment = 0, Environment(self)
        return self.environment


class Environment:
    """The instructions after certain statements: after all that may change what a name means, or whether an instruction may
    be here. An instruction that is kept changes nothing itself, so that it depends on its environment and its text only."""

    lines: dict[str, Kept]

    def __init__(self, store: Store) -> None:
        self.lines = {}
        self._store = store
        self._following: dict[str, Environment] = {}

    def after(self, statement: str) -> Environment:
        """The environment after one more statement."""
        found = self._following.get(statement)
        if found is None:
            found = self._following[statement] = Environment(self._store)
            self._store.counted += 1
        return found

    def keep(self, line: str, number: int, operation: Operation, names: list[Occurrence]) -> None:
        """Keep an instruction that was read without findings."""
        self.lines[line] = Kept(number, operation, tuple(names))
        self._store.counted += 1

    def moved(self, line: str, number: int) -> Kept:
        """A kept instruction, in a line of another number than before."""
        _, operation, names = self.lines[line]
        found = self.lines[line] = Kept(
            number,
            operation._replace(span=_moved(operation.span, number)),
            tuple([name._replace(span=name.span._replace(line=number)) for name in names]),
        )
        return found


def _moved(span: Span | None, number: int) -> Span | None:
    return span._replace(line=number) if span is not None else None


STORE = Store()
