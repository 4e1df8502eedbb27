"""Statements as lines of a language; an instruction set gives the lines of words and actions, and the text of questions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from lanewise.translating.operators import bare
from lanewise.translating.structure import Again, Dispatcher, Do, GoTo, If, Leave, Loop, Once, Stop, Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.translating.languages import Language
    from lanewise.translating.structure import Statement


class Writer(ABC):
    """Statements to `lines`. `result`: the function that is written gives the number of a fault, 0 for none."""

    def __init__(self, language: Language) -> None:
        self._syntax = language
        self.lines: list[str] = []
        self.result = False

    @abstractmethod
    def word(self, address: int, depth: int) -> None:
        """Write the lines of an item."""

    @abstractmethod
    def action(self, action: object, depth: int) -> None:
        """Write the lines of an action."""

    @abstractmethod
    def truth(self, question: object) -> str:
        """A question as an expression."""

    @abstractmethod
    def inverted(self, text: str) -> str:
        """A truth that holds where another does not."""

    @abstractmethod
    def numbered(self) -> None:
        """Called where the variable `block` is needed, an integer that begins as 0."""

    def line(self, depth: int, text: str, comment: str = "") -> None:
        line = "    " * depth + text
        self.lines.append(f"{line:<56}  {self._syntax.comment(comment)}" if comment else line)

    def block(self, body: Sequence[Statement], depth: int) -> None:
        for statement in body:
            self._statement(statement, depth)

    def _statement(self, statement: Statement, depth: int) -> None:
        match statement:
            case Word(address):
                self.word(address, depth)
            case Do(actions):
                for action in actions:
                    self.action(action, depth)
            case If(question, yes, no):
                self._if(question, yes, no, depth)
            case Loop(body):
                self.line(depth, self._syntax.loop)
                self.block(body, depth + 1)
                self.line(depth, "}")
            case Once(body):
                self.line(depth, self._syntax.once)
                self.block(body, depth + 1)
                if self._syntax.breaks_once and not (body and isinstance(body[-1], Leave)):
                    self.line(depth + 1, "break;")
                self.line(depth, self._syntax.once_end)
            case Leave():
                self.line(depth, "break;")
            case Again():
                self.line(depth, "continue;")
            case Stop(code):
                self.line(depth, f"return {int(code[1:]) if code else 0};" if self.result else "return;")
            case Dispatcher(blocks):
                self._dispatcher(blocks, depth)
            case GoTo(block):
                self.line(depth, f"block = {block};")

    def _if(self, question: object, yes: Sequence[Statement], no: Sequence[Statement], depth: int, word: str = "if") -> None:
        condition = self.truth(question)
        match yes, no:
            case (GoTo(one),), (GoTo(other),):
                self.line(depth, f"block = {self._syntax.choice(condition, str(one), str(other))};")
                return
            case _:
                pass
        if not yes:
            condition, yes, no = self.inverted(condition), no, ()
        conditions = [condition]
        while len(yes) == 1 and not no and isinstance(yes[0], If) and not (yes[0].yes and yes[0].no):
            inner = self.truth(yes[0].question)
            conditions.append(inner if yes[0].yes else self.inverted(inner))
            yes = yes[0].yes or yes[0].no
        self.line(depth, f"{word} ({' && '.join(conditions) if len(conditions) > 1 else bare(condition)}) {{")
        self.block(yes, depth + 1)
        match no:
            case ():
                self.line(depth, "}")
            case (If(other, inner_yes, inner_no),) if not _chooses(inner_yes, inner_no):
                self._if(other, inner_yes, inner_no, depth, "} else if")
            case _:
                self.line(depth, "} else {")
                self.block(no, depth + 1)
                self.line(depth, "}")

    def _dispatcher(self, blocks: Sequence[Sequence[Statement]], depth: int) -> None:
        ends = self._syntax.cases_end
        self.numbered()
        self.line(depth, self._syntax.loop)
        self.line(depth + 1, "switch (block) {")
        for number, body in enumerate(blocks):
            last = number == len(blocks) - 1
            label = f"case {number}" if not last else "default"
            self.line(depth + 1, f"{label}: {{" if ends else f"{label}:")
            self.block(body, depth + 2)
            if ends:
                self.line(depth + 1, "}")
            elif not (body and isinstance(body[-1], Stop)):
                self.line(depth + 2, "break;")
        self.line(depth + 1, "}")
        self.line(depth, "}")


def _chooses(yes: Sequence[Statement], no: Sequence[Statement]) -> bool:
    """Whether both sides of a branch only name a block, which is one statement."""
    return len(yes) == len(no) == 1 and isinstance(yes[0], GoTo) and isinstance(no[0], GoTo)
