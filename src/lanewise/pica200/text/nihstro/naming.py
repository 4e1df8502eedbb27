"""The names in statements of the nihstro language, for editors: which tokens of a line are names, and what they are."""

from __future__ import annotations

from lanewise.core.occurrences import (
    ALIAS,
    CONSTANT,
    DIRECTIVE,
    FILE,
    INPUT,
    INSTRUCTION,
    LABEL,
    MODIFIER,
    OUTPUT,
    REGISTER,
    SEMANTIC,
    UNIFORM,
    Occurrence,
)
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.problems import Problem
from lanewise.pica200.text.naming import Naming, Use, shown_register
from lanewise.pica200.text.nihstro.directives import DIRECTIVES, SEMANTICS
from lanewise.pica200.text.nihstro.lexer import NAME, tokens
from lanewise.pica200.text.nihstro.operands import INDEX_REGISTERS, is_register, register_of
from lanewise.pica200.text.nihstro.syntax import COMPUTING, MNEMONICS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.text.nihstro.lexer import Token
    from lanewise.pica200.text.nihstro.operands import Alias
    from lanewise.pica200.text.nihstro.reader import Reader

_DECLARES = {"v": INPUT, "o": OUTPUT, "r": ALIAS}
_WORDS = frozenset(("if", "until", "as", "prim", "inv"))


class NihstroNames(Naming):
    """The names of nihstro sources. Its methods are called by `Reader` and its directives."""

    def declared(self, name: str, alias: Alias, *, valued: bool) -> None:
        """`.alias` has given a name its meaning; `valued` says that it is a constant."""
        kind = _DECLARES.get(alias.letter, CONSTANT if valued else UNIFORM)
        self.declare(name, kind, self.local(kind, name), shown_register(alias.register, written=alias.letter == "o"))

    def statement(self, reader: Reader, line: str, *, plain: bool) -> None:
        """A line has been read, or was refused; `plain` says that it is an instruction whose operands commas separate."""
        place = (reader.file, reader.number, line)
        if plain:
            self._plain(reader, place)
            return
        found = reader.found
        first, rest = found[0], found[1:]
        if first.text == ".":
            self._directive(reader, place, first, rest)
        elif rest and rest[0].text == ":":
            if first.kind == NAME:
                self.note(place, first.start, first.text, LABEL, self.local(LABEL, first.text), definition=True)
        elif first.kind == NAME:
            self._code(reader, place, first, rest)

    def _plain(self, reader: Reader, place: tuple[str, int, str]) -> None:
        line = place[2]
        at = len(line) - len(line.lstrip())
        for mark in (";", "#", "//"):
            line = line.partition(mark)[0]
        words = line.split(None, 1)
        self.note(place, at, words[0], INSTRUCTION, f"{INSTRUCTION} {COMPUTING[words[0]].name}")
        at = len(line) - len(words[1])
        for n, text in enumerate(words[1].split(",")):
            uses = self.uses.get(text)
            if uses is None:
                uses = self.uses[text] = self._uses(reader, tokens(text))
            self.operand(place, at, uses, n == 0)
            at += len(text) + 1

    def _uses(self, reader: Reader, found: Sequence[Token]) -> tuple[Use, ...]:
        """The names among the tokens of operands."""
        uses: list[Use] = []
        for n, token in enumerate(found):
            if token.kind != NAME or (n and found[n - 1].text == "." and n > 1):
                continue
            name, components = token.text, ""
            point = n + 1
            while point < len(found) and found[point].text != "." and found[n + 1].text == "[" and found[point - 1].text != "]":
                point += 1
            if point + 1 < len(found) and found[point].text == "." and found[point + 1].kind == NAME:
                components = found[point + 1].text
            if name in INDEX_REGISTERS or name == "cc":
                register = "cmp" if name == "cc" else "aL" if INDEX_REGISTERS[name] == 3 else "a0"
                letters = components if name == "cc" else {"a0": "x", "a1": "y"}.get(name, "")
                uses.append(
                    Use(
                        start=token.start,
                        name=name,
                        kind=REGISTER,
                        symbol=f"{REGISTER} {register}",
                        register=register,
                        components=letters,
                    )
                )
            elif is_register(name):
                try:
                    register = name if register_of(name) is not None else ""
                except Problem:
                    register = ""
                if register:
                    uses.append(
                        Use(
                            start=token.start,
                            name=name,
                            kind=REGISTER,
                            symbol=f"{REGISTER} {register}",
                            register=register,
                            components=components,
                        )
                    )
            elif name in reader.operands.aliases:
                kind, symbol = self.kinds.get(name, (ALIAS, self.local(ALIAS, name)))
                alias = reader.operands.aliases[name]
                register = shown_register(alias.register, written=alias.letter == "o")
                uses.append(
                    Use(start=token.start, name=name, kind=kind, symbol=symbol, register=register, components=components)
                )
            elif name in _WORDS:
                uses.append(Use(start=token.start, name=name, kind=MODIFIER, symbol=f"{MODIFIER} {name}"))
        return tuple(uses)

    def _code(self, reader: Reader, place: tuple[str, int, str], first: Token, rest: Sequence[Token]) -> None:
        word = first.text.lower()
        if word in MNEMONICS:
            op = COMPUTING.get(word)
            self.note(place, first.start, first.text, INSTRUCTION, f"{INSTRUCTION} {op.name if op is not None else word}")
        else:
            op = None
        if word in ("jmp", "call"):
            label = True
            for n, token in enumerate(rest):
                if label and token.kind == NAME:
                    self.note(place, token.start, token.text, LABEL, self.local(LABEL, token.text))
                elif token.text == "if":
                    self.operand(place, 0, self._uses(reader, rest[n:]), written=False)
                    return
                elif token.kind == NAME:
                    self.note(place, token.start, token.text, MODIFIER, f"{MODIFIER} {token.text}")
                label = token.text == "until"
            return
        written = op is not None and ("dst" in op.operands or ("adr" in op.operands and any(t.text == "," for t in rest)))
        self.operand(place, 0, self._uses(reader, rest), written)

    def _directive(self, reader: Reader, place: tuple[str, int, str], point: Token, rest: Sequence[Token]) -> None:
        if not rest or rest[0].text.lower() not in DIRECTIVES or rest[0].start != point.end:
            return
        word = rest[0].text.lower()
        self.note(place, point.start, f".{rest[0].text}", DIRECTIVE, f"{DIRECTIVE} .{word}")
        found = rest[1:]
        if word == "entry" and found and found[0].kind == NAME:
            self.note(place, found[0].start, found[0].text, LABEL, self.local(LABEL, found[0].text))
        elif word == "alias" and found and found[0].kind == NAME:
            name = found[0].text
            kind, symbol = self.kinds.get(name, (ALIAS, self.local(ALIAS, name)))
            self.note(place, found[0].start, name, kind, symbol, definition=True)
            given = next((n for n, token in enumerate(found) if token.text == "as" and n), len(found))
            self.operand(place, 0, self._uses(reader, found[1:given]), written=False)
            for token in found[given:]:
                if token.text == "as":
                    self.note(place, token.start, token.text, MODIFIER, f"{MODIFIER} as")
                elif token.text in SEMANTICS and kind == OUTPUT:
                    self.note(place, token.start, token.text, SEMANTIC, f"{SEMANTIC} {SEMANTICS[token.text]}")
        elif word == "gsh" and found:
            self.note(place, found[0].start, found[0].text, MODIFIER, f"{MODIFIER} {found[0].text}")
            self.operand(place, 0, self._uses(reader, found[1:]), written=False)

    def included(self, reader: Reader, token: Token, path: str) -> None:
        """The name of a file that is included; `path` is where it is, or would be."""
        self.note((reader.file, reader.number, reader.line), token.start + 1, token.text[1:-1], FILE, f"{FILE} {path}")

    def occurrences(self) -> tuple[Occurrence, ...]:
        """As `Naming` has them; a label that its source lacks is that of the first source that has it, as the layout resolves
        it."""
        found = super().occurrences()
        defined = {place.symbol for place in found if place.definition and place.kind == LABEL}
        elsewhere: dict[str, str] = {}
        for place in found:
            if place.definition and place.kind == LABEL:
                elsewhere.setdefault(place.name, place.symbol)
        return tuple(
            [
                place._replace(symbol=elsewhere.get(place.name, place.symbol))
                if place.kind == LABEL and place.symbol not in defined
                else place
                for place in found
            ]
        )
