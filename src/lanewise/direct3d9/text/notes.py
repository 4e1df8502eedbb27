"""Notes of preprocessor and reader for editors: the names of a source, its statements, and where they are.

The names that a source gives itself are those of macros and their parameters; registers, samplers and labels among them, have
those of the version.
"""

from __future__ import annotations

from operator import attrgetter

from lanewise.core.occurrences import (
    DIRECTIVE,
    FILE,
    INSTRUCTION,
    LABEL,
    MACRO,
    MODIFIER,
    PARAMETER,
    REGISTER,
    SAMPLER,
    SEMANTIC,
    Extent,
    Occurrence,
)
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.core.text.keeping import Store
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.operands import BOOLEAN, FLOAT, INTEGER
from lanewise.direct3d9.isa.program import Inst
from lanewise.direct3d9.isa.table import COMPARISONS, register_name
from lanewise.direct3d9.text.lexer import NAME, Line
from lanewise.direct3d9.text.names import SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.text.keeping import Kept, Lines
    from lanewise.direct3d9.isa.program import Item
    from lanewise.direct3d9.isa.table import Op, Version
    from lanewise.direct3d9.text.lexer import Lexer, Token
    from lanewise.direct3d9.text.names import Mnemonic

_DEFINITIONS = (FLOAT, INTEGER, BOOLEAN)
_KINDS = {isa.SAMPLER: SAMPLER, isa.LABEL: LABEL}  # of registers by their file


class Statement(Record):
    """A statement of a source: its place, and its item; None for one that cannot be read or gives no words."""

    span: Span
    item: Item | None
    damaged: bool


class Read(Record):
    """A line that is one instruction: what follows from its text and the version where there are no macros."""

    version: Version
    start: Token
    "Its first token, folded."
    inst: Inst
    statement: Statement
    "As the statement of the source that the instruction is."


def moved(read: Read, number: int) -> Read:
    """A line of another number."""
    version, start, inst, (span, _, damaged) = read
    place = inst.place.in_line(number) if inst.place is not None else None
    inst = inst._make((*inst[:-1], place))
    start = start._make((start.kind, start.text, Line(start.line.file, number, start.line.text), *start[3:]))
    return Read(version, start, inst, Statement(span.in_line(number), inst, damaged))


STORE = Store(moved)


class Noted:
    """An occurrence that is still being looked at: `Occurrence` without its extent."""

    __slots__ = ("components", "definition", "kind", "name", "register", "span", "symbol", "written")
    name: str
    kind: str
    span: Span
    symbol: str
    definition: bool
    written: bool
    register: str
    components: str

    def __init__(self, name: str, kind: str, span: Span, symbol: str, definition: bool, register: str, components: str) -> None:
        self.name, self.kind, self.span, self.symbol = name, kind, span, symbol
        self.definition, self.written, self.register, self.components = definition, False, register, components

    def finished(self, ends: dict[tuple[str, int], int]) -> Occurrence:
        """The occurrence; that of a label with the lines of its subroutine."""
        span = self.span
        extent = None
        if ends and self.definition and self.kind == LABEL and (span.file, span.line) in ends:
            extent = Extent(span.file, span.line, ends[span.file, span.line])
        return Occurrence(
            name=self.name,
            kind=self.kind,
            span=span,
            symbol=self.symbol,
            definition=self.definition,
            written=self.written,
            register=self.register,
            components=self.components,
            extent=extent,
        )


class Notes:
    """Occurrences and statements of a source and the files that it includes, in the order in which they are read."""

    def __init__(self) -> None:
        self.found: list[Noted] = []
        self.statements: list[Statement] = []
        self._at: dict[tuple[str, int, int], int] = {}  # the number of the occurrence at a place
        self._joined: dict[tuple[str, int], list[str]] = {}  # the lines that a backslash joins
        self._bodies: list[tuple[str, tuple[str, ...], list[Token]]] = []
        self._callable: dict[str, bool] = {}  # of macros: whether they have parameters
        self._mentions: list[Token] = []
        self._last: int | None = None
        self._names: dict[str, tuple[str, str]] = {}  # of instructions with modifiers: the name without them, the symbol
        self._registers: dict[tuple[int, int], tuple[str, str, str]] = {}  # name, symbol and kind
        self._lines: dict[str, Lines[Read]] = {}  # by file
        self._files: dict[str, None] = {}  # with occurrences, in the order of the first ones
        self._recalled: list[Kept[Read]] = []  # lines that a former reading has kept

    def occurrences(self) -> tuple[Occurrence, ...]:
        """All of them, by place within a file; files are in the order in which they are read."""
        for name, parameters, body in self._bodies:
            self._body(name, parameters, body)
        self._bodies = []
        for token in self._mentions:
            if token.text in self._callable:
                self._add(token, 0, len(token.text), MACRO, f"macro {token.text}")
        self._mentions = []
        ends = self._routines()
        found = [one.finished(ends) for one in self.found]
        for kept in self._recalled:
            found += kept.names
        found.sort(key=attrgetter("span"))
        if len(self._files) > 1:
            files = {name: number for number, name in enumerate(self._files)}
            found.sort(key=lambda one: files[one.span.file])
        return tuple(found)

    # The preprocessor

    def joined(self, line: Line, pieces: Sequence[str]) -> None:
        self._joined[line.file, line.number] = [piece.rstrip("\r") for piece in pieces]

    def directive(self, word: Token, mark: int) -> None:
        """`#define` or `.end`: the mark is `mark` characters into the line."""
        column = word.column - (mark + 1)
        if 0 < column <= 40 and word.own:
            name = word.line.text[mark : word.column - 1 + len(word.text)]
            self._add(word._replace(column=mark + 1, text=name), 0, len(name), DIRECTIVE, f"directive {name.lower()}")

    def included(self, name: Token, path: str, raw: str) -> None:
        """A file that is read; the definition of its name is its beginning."""
        text = name.text[1:-1] if name.text.startswith('"') else raw[name.column :].partition(">")[0]
        self._add(name._replace(text=raw[name.column - 1 : name.column + len(text)]), 1, len(text), FILE, f"file {path}")
        if (path, 1, 1) not in self._at:
            self._at[path, 1, 1] = len(self.found)
            self._files[path] = None
            self.found.append(Noted(path, FILE, Span(file=path, line=1, column=1, length=0), f"file {path}", True, "", ""))

    def macro(self, name: Token, parameters: Sequence[Token] | None, body: list[Token]) -> None:
        symbol = f"macro {name.text}"
        register = body[0].text.lower() if len(body) == 1 and body[0].kind == NAME else ""
        self._callable[name.text] = parameters is not None
        self._add(name, 0, len(name.text), MACRO, symbol, definition=True, register=register if _is_register(register) else "")
        names = tuple([token.text for token in parameters or ()])
        for token in parameters or ():
            self._add(token, 0, len(token.text), PARAMETER, f"parameter {name.text}/{token.text}", definition=True)
        self._bodies.append((name.text, names, body))

    def mention(self, token: Token) -> None:
        """A name in #ifdef or #undef, which may be one of a macro."""
        self._mentions.append(token)

    def macro_use(self, token: Token) -> None:
        self._add(token, 0, len(token.text), MACRO, f"macro {token.text}")

    def _body(self, name: str, parameters: tuple[str, ...], body: list[Token]) -> None:
        """The names in the text of a macro: its parameters, other macros, registers."""
        for n, token in enumerate(body):
            if token.kind != NAME:
                continue
            if token.text in parameters:
                self._add(token, 0, len(token.text), PARAMETER, f"parameter {name}/{token.text}")
            elif token.text in self._callable and token.text != name:
                if not self._callable[token.text] or (n + 1 < len(body) and body[n + 1].text == "("):
                    self._add(token, 0, len(token.text), MACRO, f"macro {token.text}")
            elif _is_register(token.text.partition("_")[0].lower()) and not (n and body[n - 1].text == "."):
                register = token.text.partition("_")[0]
                self._add(token, 0, len(register), REGISTER, f"register {register.lower()}", register=register.lower())

    def tokens(self, lexer: Lexer, line: Line) -> list[Token]:
        """The tokens of a line outside of comments, where there are no macros: of a line that a former reading has kept, one
        that is folded."""
        file, number, text = line
        if lexer.opened is None:
            kept = self._lines_of(file).find(text, number)
            if kept is not None:
                return [kept.read.start]
        return lexer.tokens(line)

    def _lines_of(self, file: str) -> Lines[Read]:
        found = self._lines.get(file)
        if found is None:
            found = self._lines[file] = STORE.beginning().after(file)
        return found

    # The reader

    def recalled(self, version: Version, start: Token) -> Inst | None:
        """The instruction of a line that is folded, whose names are noted; None where it was another version's."""
        file, number, text = start.line
        kept = self._lines_of(file).find(text, number)
        if kept is None or kept.read.version != version:
            return None
        self._recalled.append(kept)
        self._files[file] = None
        self.statements.append(kept.read.statement)
        self._last = None
        return kept.read.inst

    def keep(self, version: Version, start: Token, first: int) -> None:
        """Keep the line of the last statement, an instruction that was read without findings; its names are those from `first`
        on."""
        statement = self.statements[-1]
        file, number, text = start.line
        if isinstance(statement.item, Inst) and "/*" not in text and "*/" not in text:  # a comment may reach into it, or on
            names = [noted.finished({}) for noted in self.found[first:]]
            read = Read(version, start._replace(folded=True), statement.item, statement)
            self._lines_of(file).keep(text, number, read, names)

    def version(self, token: Token) -> None:
        self._add(token, 0, len(token.text), DIRECTIVE, f"version {token.text.lower().replace('.', '_')}")

    def statement(self, first: Token, last: Token, item: Item | None) -> None:
        line = first.line
        here = last.line is line or last.line == line
        end = last.column + last.length - 1 if here else len(line.text)
        place = self._place(first, 0, max(1, end - first.column + 1))
        self.statements.append(Statement(place, item, item is None and first.text != "."))

    def instruction(self, head: Token, mnemonic: Mnemonic, name: str) -> None:
        """An instruction, and the modifiers of its result."""
        base, symbol = self._names.get(name) or self._named(mnemonic, name)
        self._add(head, 0, len(base), INSTRUCTION, symbol)
        if len(base) < len(name):
            self._add(head, len(base), len(name) - len(base), MODIFIER, f"modifier {name[len(base) :]}")
        self._last = None

    def _named(self, mnemonic: Mnemonic, name: str) -> tuple[str, str]:
        base = name
        for part in reversed(name.split("_")[1:]):
            if part in COMPARISONS or base == mnemonic.op.name:
                break
            base = base[: -len(part) - 1]
        self._names[name] = base, f"instruction {base}"
        return self._names[name]

    def declaration(self, head: Token, usage: str) -> None:
        """The declaration of the register that was read last."""
        last = self.found[self._last] if self._last is not None else None
        self.defined()
        self._add(head, 0, 3, INSTRUCTION, "instruction dcl")
        if usage:
            register = last.register if last is not None else ""
            self._add(head, 4, len(usage), SEMANTIC, f"usage {usage}", definition=True, register=register)
        rest = 4 + len(usage) + bool(usage)
        if len(head.text) > rest:
            self._add(head, rest - 1, len(head.text) - rest + 1, MODIFIER, f"modifier {head.text[rest - 1 :].lower()}")

    def register(self, version: Version, token: Token, length: int, key: tuple[int, int], letters: str) -> None:
        """A register in an operand; `length` is that of its name without a modifier."""
        name, symbol, kind = self._registers.get(key) or self._known(version, key, token.text[:length])
        if letters:
            letters = letters.translate(_RGBA)
        line = token.line
        at = line.file, line.number, token.column
        known = self._at.get(at)
        if known is None:
            if line.text.startswith(token.text, token.column - 1):
                self._last = self._append(at, token, 0, length, kind, symbol, register=name, components=letters)
                if length < len(token.text) and token.text[length + 1 :].lower() in SUFFIXES:
                    self._add(token, length, len(token.text) - length, MODIFIER, f"modifier {token.text[length:].lower()}")
            else:
                self._last = None
            return
        self._last = known
        noted = self.found[known]
        if noted.kind == MACRO and not noted.definition:
            noted.register, noted.components = name, letters

    def _known(self, version: Version, key: tuple[int, int], text: str) -> tuple[str, str, str]:
        name = register_name(version, *key) or text
        self._registers[key] = name, f"register {name.lower()}", _KINDS.get(key[0], REGISTER)
        return self._registers[key]

    def destination(self, op: Op) -> None:
        """Note that the register read last is the destination of an instruction."""
        if op.dest in _DEFINITIONS:
            self.defined()
        elif self._last is not None and op.dest is not None and op.dest.written:
            self.found[self._last].written = True

    def defined(self) -> None:
        """Note that the register read last is defined here."""
        if self._last is not None and self.found[self._last].kind != MACRO:
            self.found[self._last].definition = True

    def _routines(self) -> dict[tuple[str, int], int]:
        """The last line of each subroutine, by the file and line of its label."""
        ends: dict[tuple[str, int], int] = {}
        opened: Span | None = None
        for span, item, _ in self.statements:
            if isinstance(item, Inst) and item.op.part == isa.BEGINS:
                opened = span
            if opened is not None and span.file == opened.file and span.line >= opened.line:
                ends[opened.file, opened.line] = span.line
        return ends

    # Places

    def _add(
        self,
        token: Token,
        start: int,
        length: int,
        kind: str,
        symbol: str,
        *,
        definition: bool = False,
        register: str = "",
        components: str = "",
    ) -> int | None:
        """Note a name, a part of a token of the text; the number of its occurrence."""
        line, column = token.line, token.column + start
        if not line.text.startswith(token.text, token.column - 1):
            return None
        key = line.file, line.number, column
        known = self._at.get(key)
        if known is not None:
            return known
        return self._append(
            key, token, start, length, kind, symbol, definition=definition, register=register, components=components
        )

    def _append(
        self,
        key: tuple[str, int, int],
        token: Token,
        start: int,
        length: int,
        kind: str,
        symbol: str,
        *,
        definition: bool = False,
        register: str = "",
        components: str = "",
    ) -> int:
        number = self._at[key] = len(self.found)
        line = token.line
        self._files[line.file] = None
        place = (
            Span(file=line.file, line=line.number, column=key[2], length=length, text=line.text)
            if not self._joined
            else self._place(token, start, length)
        )
        self.found.append(Noted(token.text[start : start + length], kind, place, symbol, definition, register, components))
        return number

    def _place(self, token: Token, start: int, length: int) -> Span:
        """The place of a part of a token; of joined lines, that of the one in which it is."""
        line, column = token.line, token.column + start
        pieces = self._joined.get((line.file, line.number))
        if pieces is None:
            return Span(file=line.file, line=line.number, column=column, length=length, text=line.text)
        number = 0
        while number + 1 < len(pieces) and column > len(pieces[number]):
            column -= len(pieces[number])
            number += 1
        return Span(file=line.file, line=line.number + number, column=column, length=length, text=pieces[number])


_RGBA = str.maketrans("rgba", "xyzw")
_LETTERS = frozenset(("r", "v", "c", "a", "t", "od", "ot", "o", "i", "oc", "s", "b", "l", "p"))
_ALONE = frozenset(("opos", "ofog", "opts", "odepth", "al", "vpos", "vface"))


def _is_register(name: str) -> bool:
    """Whether a name is that of a register of some version."""
    return name in _ALONE or (name[-1:].isdigit() and name.rstrip("0123456789") in _LETTERS)
