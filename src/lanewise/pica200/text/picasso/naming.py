"""The names in statements of the picasso language, for editors: which words of a line are names, and what they are."""

from __future__ import annotations

import re

from lanewise.core.occurrences import (
    ALIAS,
    CONSTANT,
    DIRECTIVE,
    INPUT,
    INSTRUCTION,
    LABEL,
    MODIFIER,
    OUTPUT,
    PROCEDURE,
    REGISTER,
    SEMANTIC,
    UNIFORM,
    Extent,
)
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.problems import Problem
from lanewise.pica200.isa.table import JUMP
from lanewise.pica200.text.naming import Naming, Use, procedure_symbol, shown_register
from lanewise.pica200.text.picasso.directives import DIRECTIVES, SEMANTICS
from lanewise.pica200.text.picasso.operands import Poisoned
from lanewise.pica200.text.picasso.syntax import MNEMONICS, begins_like_register, is_identifier

if TYPE_CHECKING:
    from lanewise.pica200.isa.table import Op
    from lanewise.pica200.text.picasso.operands import Alias
    from lanewise.pica200.text.picasso.reader import Reader
    from lanewise.pica200.text.picasso.syntax import Quirk

# What the first word after a directive is, where that is a name that it declares.
_DECLARES = {
    ".in": INPUT,
    ".out": OUTPUT,
    ".alias": ALIAS,
    ".constf": CONSTANT,
    ".consti": CONSTANT,
    ".constfa": CONSTANT,
    ".proc": PROCEDURE,
    ".end": CONSTANT,  # of an array of constants
    ".fvec": UNIFORM,
    ".ivec": UNIFORM,
    ".bool": UNIFORM,
}
_LISTS = (".fvec", ".ivec", ".bool")
_WORD = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
_OPERAND = re.compile(r"(?<![\w$.])-?[A-Za-z_$][\w$]*(?:\[[^\]]*\])?(?:\.[A-Za-z]*)?", re.ASCII)
_FLAG = re.compile(r"cmp\.(\w+)", re.ASCII | re.IGNORECASE)
_INDEX = {1: "a0", 2: "a0", 3: "aL"}


def _unreported(quirk: Quirk) -> None:
    """What is wrong with an operand that is read for its names."""


class PicassoNames(Naming):
    """The names of picasso files. Its methods are called by `Reader` and `Operands`."""

    def declared(self, reader: Reader, name: str, alias: Alias) -> None:
        """A directive has given a name its meaning."""
        kind = _DECLARES.get(reader.word, ALIAS)
        shared = kind == UNIFORM and reader.space is reader.shared
        symbol = f"{kind} {name}" if shared else self.local(kind, name)
        self.declare(name, kind, symbol, shown_register(alias.register, written=alias.letter == "o"))

    def operand_read(
        self, text: str, at: int, name: str, bracket: int, point: int, alias: Alias | None, offset: int, relative: int
    ) -> None:
        """`Operands` has resolved an operand: its name is at a column of its text."""
        components = text[point + 1 :].strip() if point >= 0 else ""
        found: list[Use] = []
        if alias is not None:
            kind, symbol = self.kinds.get(name, (ALIAS, self.local(ALIAS, name)))
            number = alias.register + offset
            found.append(
                Use(
                    start=at,
                    name=name,
                    kind=kind,
                    symbol=symbol,
                    register=shown_register(number, written=alias.letter == "o"),
                    components=components,
                )
            )
        elif begins_like_register(name):
            digits = len(name) - 1 - len(name[1:].lstrip("0123456789"))  # what follows them is ignored
            name = name[: 1 + digits]
            register = name.lower()
            found.append(
                Use(
                    start=at,
                    name=name,
                    kind=REGISTER,
                    symbol=f"{REGISTER} {register}",
                    register=register,
                    components=components,
                )
            )
        if relative:
            inside = text[bracket + 1 : text.find("]", bracket)]
            word = _WORD.search(inside)
            if word is not None:
                index = _INDEX[relative]
                found.append(
                    Use(
                        start=bracket + 1 + word.start(),
                        name=word[0],
                        kind=REGISTER,
                        symbol=f"{REGISTER} {index}",
                        register=index,
                        components="xy"[relative - 1 : relative],
                    )
                )
        self.uses[text] = tuple(found)

    def label(self, reader: Reader, start: int, name: str) -> None:
        """A label is defined."""
        line = (reader.file, reader.number, reader.line.rstrip("\r"))
        self.note(line, start, name, LABEL, self.local(LABEL, name), definition=True)

    def ended(self, reader: Reader, name: str, first: int) -> None:
        """A procedure ends here."""
        self.extents[procedure_symbol(name)] = Extent(reader.file, first, reader.number)

    def statement(self, reader: Reader, statement: str) -> None:
        """A statement without labels has been read, or was refused."""
        statement = statement.rpartition(":")[2].strip()  # labels that were refused
        if statement[:1] == ".":
            self.directive(reader, statement)
        elif statement and statement[0] != "#":
            word = statement.split(None, 1)[0]
            self.instruction(reader, statement, MNEMONICS.get(word) or MNEMONICS.get(word.lower()))

    def instruction(self, reader: Reader, statement: str, op: Op | None) -> None:
        """The names of an instruction; `op` is None for one whose mnemonic is unknown."""
        line = (reader.file, reader.number, reader.line.rstrip("\r"))
        code = line[2].partition(";")[0]
        at = len(code.rstrip()) - len(statement)
        words = statement.split(None, 1)
        if op is not None:
            self.note(line, at, words[0], INSTRUCTION, f"{INSTRUCTION} {op.name}")
        if len(words) < 2:
            return
        at += len(statement) - len(words[1])
        kinds = op.operands if op is not None else ()
        for n, argument in enumerate(words[1].split(",")):
            text = argument.partition("@")[0].strip()
            start = at + len(argument) - len(argument.lstrip())
            at += len(argument) + 1
            self._argument(reader, line, start, text, kinds[n] if n < len(kinds) else "", op)

    def _argument(self, reader: Reader, line: tuple[str, int, str], start: int, text: str, kind: str, op: Op | None) -> None:
        if kind == "target":
            if is_identifier(text):
                jump = op is not None and op.kind == JUMP
                symbol = self.local(LABEL, text) if jump else procedure_symbol(text)
                self.note(line, start, text, LABEL if jump else PROCEDURE, symbol)
        elif kind == "cond":
            for flag in _FLAG.finditer(text):
                self.note(
                    line, start + flag.start(), flag[0][:3], REGISTER, f"{REGISTER} cmp", register="cmp", components=flag[1]
                )
        elif kind == "adr":
            name = text.partition(".")[0]
            if name:
                self.note(
                    line, start, name, REGISTER, f"{REGISTER} a0", written=True, register="a0", components=text[len(name) + 1 :]
                )
        elif kind in ("cmp", "vertex") or (kind == "" and op is not None):
            for word in _WORD.finditer(text):
                self.note(line, start + word.start(), word[0], MODIFIER, f"{MODIFIER} {word[0].lower()}")
        else:
            bare = text.lstrip("!") if kind == "bool" else text
            uses = self.uses.get(bare)
            if uses is None:
                uses = self._reread(reader, bare)
            self.operand(line, start + len(text) - len(bare), uses, kind == "dst")

    def _reread(self, reader: Reader, text: str) -> tuple[Use, ...]:
        """The names of an operand that was not read, as a line is wrong before it. What is wrong with it is not reported."""
        operands = reader.operands
        warn, operands.warn = operands.warn, _unreported
        try:
            operands.read(text, [], index=True)
        except (Problem, Poisoned):
            pass
        finally:
            operands.warn = warn
        return self.uses.setdefault(text, ())

    def directive(self, reader: Reader, statement: str) -> None:
        """The names of a directive that has been read, or was refused."""
        line = (reader.file, reader.number, reader.line.rstrip("\r"))
        code = line[2].partition(";")[0]
        at = len(code.rstrip()) - len(statement)
        word = statement.split(None, 1)[0]
        lower = word.lower()
        if lower not in DIRECTIVES:
            return
        self.note(line, at, word, DIRECTIVE, f"{DIRECTIVE} {lower}")
        start, rest = at + len(word), statement[len(word) :]
        if lower in _LISTS:
            for part in rest.split(","):
                self._declaration(reader, line, start, part, UNIFORM)
                start += len(part) + 1
        elif lower == ".proc":
            name = _WORD.search(rest)
            if name is not None:
                symbol = procedure_symbol(name[0])
                self.note(line, start + name.start(), name[0], PROCEDURE, symbol, definition=True)
        elif lower == ".entry":
            name = _WORD.search(rest)
            if name is not None:
                self.note(line, start + name.start(), name[0], PROCEDURE, procedure_symbol(name[0]))
        elif lower in (".constf", ".consti", ".constfa"):
            self._declaration(reader, line, start, rest.partition("(")[0], CONSTANT)
        elif lower in (".in", ".alias", ".out"):
            self._wiring(reader, line, start, rest, lower)
        elif lower in (".setf", ".seti", ".setb", ".gsh"):
            for n, operand in enumerate(_OPERAND.finditer(rest.partition("(")[0])):
                if n == (lower == ".setb") and lower in (".gsh", ".setb"):  # a mode, or a value
                    self.note(line, start + operand.start(), operand[0], MODIFIER, f"{MODIFIER} {operand[0].lower()}")
                else:
                    self._operand(reader, line, start + operand.start(), operand[0])

    def _operand(self, reader: Reader, line: tuple[str, int, str], start: int, text: str) -> None:
        uses = self.uses.get(text)
        self.operand(line, start, self._reread(reader, text) if uses is None else uses, written=False)

    def _declaration(self, reader: Reader, line: tuple[str, int, str], start: int, text: str, kind: str) -> None:
        """A name with its size, and perhaps its register."""
        for n, word in enumerate(_OPERAND.finditer(text)):
            name = word[0].partition("[")[0]
            if n == 0:
                self._defined(reader, line, start + word.start(), name, kind)
            elif begins_like_register(name):
                self._operand(reader, line, start + word.start(), name)

    def _defined(self, reader: Reader, line: tuple[str, int, str], start: int, name: str, kind: str) -> None:
        known, symbol = self.kinds.get(name, (kind, ""))
        if not symbol or known != kind:
            shared = kind == UNIFORM and reader.space is reader.shared
            symbol = f"{kind} {name}" if shared else self.local(kind, name)
        self.note(line, start, name, kind, symbol, definition=True)

    def _wiring(self, reader: Reader, line: tuple[str, int, str], start: int, rest: str, directive: str) -> None:
        """The words of `.in`, `.out` and `.alias`."""
        at = 0
        for n, word in enumerate(rest.split()):
            at = rest.index(word, at)
            if n == 0:
                if is_identifier(word):
                    self._defined(reader, line, start + at, word, _DECLARES[directive])
            elif n == 1 and directive == ".out":
                name = word.partition(".")[0]
                if name.lower() in SEMANTICS:
                    symbol = f"{SEMANTIC} {SEMANTICS[name.lower()]}"
                    self.note(line, start + at, name, SEMANTIC, symbol, components=word[len(name) + 1 :])
            elif n <= 2:
                self._operand(reader, line, start + at, word)
            at += len(word)
