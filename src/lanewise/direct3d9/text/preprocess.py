"""A small C preprocessor for Direct3D 9 sources.

It has #define, #undef, #ifdef, #ifndef, #if, #else, #endif, #include and #line.

Macros may have arguments; a call is on one line. For more use cpp, whose output is also read.
"""

from __future__ import annotations

from os.path import normpath

from lanewise.core.diagnostics import ERROR, Diagnostic, PortableError, text_form
from lanewise.core.including import Includes, NotIncluded
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.direct3d9.text.lexer import NAME, NUMBER, TEXT, Lexer, Line, Token

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lanewise.direct3d9.text.notes import Notes

_DEEPEST = 32  # open conditions, macros that use each other
_LONGEST = 200_000  # tokens that macros give
COMMAND_LINE = "<command line>"  # the file of macros that a call or a command defines
_CONDITIONS = ("if", "ifdef", "ifndef", "else", "elif", "endif")
DIRECTIVES = (*_CONDITIONS, "define", "undef", "include", "line", "pragma")


class Setting(Record):
    """Settings of a call or a command for a source: macros, (name, text) each, and the folders that are searched for included
    files."""

    defines: tuple[tuple[str, str], ...] = ()
    folders: tuple[str, ...] = ()


NO_SETTING = Setting()


def setting_of(defines: Iterable[str], folders: Iterable[str]) -> Setting:
    """The setting of `NAME=TEXT`, or `NAME` for 1, and folders."""
    parts = [text.partition("=") for text in defines]
    return Setting(tuple([(name, text if equals else "1") for name, equals, text in parts]), tuple(folders))


class Macro(Record):
    """`parameters` is None for a macro that is called without parentheses."""

    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]


class _Fault(PortableError):
    """An invalid line: message, fix, place, notes."""

    def __init__(self, message: str, fix: str, token: Token, notes: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message, self.fix, self.token, self.notes = message, fix, token, notes


class Preprocessor:
    """The tokens of a source and its included files, with findings."""

    def __init__(
        self, read: Callable[[str], str] | None = None, setting: Setting = NO_SETTING, notes: Notes | None = None
    ) -> None:
        self.notes = notes
        self.found: list[Diagnostic] = []
        self.tokens: list[Token] = []
        self.macros: dict[str, Macro] = {}
        self.incomplete: bool = False  # a file that may define names was not read
        self._includes = Includes(read, setting.folders)
        self._given = 0  # tokens that macros gave so far
        self._open: list[str] = []  # files that are being read, each included by the one before
        for name, text in setting.defines:
            self._define_outside(name, text)

    def source(self, text: str, name: str) -> None:
        """Add a source."""
        self._open.append(normpath(name) if name else name)
        lexer = Lexer()
        taken: list[tuple[Token, bool, bool]] = []  # of open conditions: where, is this part read, was one read before
        file, offset = name, 1
        lines = text.split("\n")
        at = 0
        while at < len(lines):
            number = first = at
            raw = lines[at].rstrip("\r")
            at += 1
            while raw.endswith("\\") and at < len(lines) and lexer.opened is None and raw.lstrip().startswith("#"):
                raw = raw[:-1] + " " + lines[at].rstrip("\r")
                at += 1
            line = Line(file, number + offset, raw)
            if self.notes is not None and at > first + 1:
                self.notes.joined(line, lines[first:at])
            if lexer.opened is None and raw.lstrip().startswith("#"):
                try:
                    moved = self._directive(line, raw, taken, lexer)
                except _Fault as fault:
                    self._report(fault)
                    continue
                if moved is not None and self.notes is None:  # an editor is where the text is, wherever that came from
                    offset, file = moved[0] - at, moved[1] or file
                continue
            tokens = self.notes.tokens(lexer, line) if self.notes is not None and not self.macros else lexer.tokens(line)
            if all(read for _, read, _ in taken):
                try:
                    self.tokens += self._expanded(tokens, frozenset(), 0) if self.macros else tokens
                except _Fault as fault:
                    self._report(fault)
        for where, _, _ in taken:
            self._report(_Fault("condition without #endif", "add `#endif`", where))
        if lexer.opened is not None:
            self.found.append(
                Diagnostic(
                    code="P311",
                    severity=ERROR,
                    message="unterminated comment",
                    span=lexer.opened.span,
                    fix="close it with `*/`",
                )
            )
        self._open.pop()

    def _report(self, fault: _Fault) -> None:
        self.found.append(
            Diagnostic(
                code="P312", severity=ERROR, message=fault.message, span=fault.token.span, notes=fault.notes, fix=fault.fix
            )
        )

    def _directive(self, line: Line, raw: str, taken: list[tuple[Token, bool, bool]], lexer: Lexer) -> tuple[int, str] | None:
        """Process a directive; return the line number and file of the next line if #line sets them. Raises _Fault."""
        start = raw.index("#")
        tokens = lexer.tokens(line._replace(text=" " * (start + 1) + raw[start + 1 :]))
        tokens = [token._replace(line=line) for token in tokens]
        head = Token(kind="#", text="#", line=line, column=start + 1, length=1)
        if not tokens:
            return None
        word = tokens[0]
        name = word.text.lower()
        if self.notes is not None:
            self.notes.directive(word, start)
        if name in _CONDITIONS:
            self._condition(name, tokens, taken)
            return None
        if not all(read for _, read, _ in taken):
            return None
        if name == "define":
            self._define(tokens[1:], word)
        elif name == "undef":
            if len(tokens) != 2:
                raise _Fault("#undef needs a name", "write #undef NAME", word)
            self.macros.pop(tokens[1].text, None)
            if self.notes is not None:
                self.notes.mention(tokens[1])
        elif name == "include":
            self._include(tokens[1:], word, raw)
        elif name == "line" or word.kind == NUMBER:
            numbers = tokens if word.kind == NUMBER else tokens[1:]
            if not numbers or not numbers[0].text.isdigit() or len(numbers[0].text) > 9:
                raise _Fault("#line needs a number", 'write #line 10, or #line 10 "file.vsh"', word)
            file = numbers[1].text[1:-1] if len(numbers) > 1 and numbers[1].kind == TEXT else ""
            return int(numbers[0].text), file
        elif name != "pragma":
            raise _Fault(
                f"unknown directive #{word.text[:40]}",
                "use #define, #undef, #if, #ifdef, #ifndef, #else, #endif, #include or #line; run cpp first for others, and "
                "begin comments with ; or //",
                head,
            )
        return None

    def _condition(self, name: str, tokens: list[Token], taken: list[tuple[Token, bool, bool]]) -> None:
        word, rest = tokens[0], tokens[1:]
        if name in ("else", "elif", "endif"):
            if not taken:
                raise _Fault(f"#{name} without #if", "remove it", word)
            where, _, before = taken.pop()
            if name == "else":
                taken.append((where, not before, True))
            elif name == "elif":
                value = not before and self._value(rest, word)
                taken.append((where, value, before or value))
            return
        if len(taken) >= _DEEPEST:
            raise _Fault(f"more than {_DEEPEST} conditions are open", "close some with #endif", word)
        taken.append((word, False, True))  # as long as it is not known
        if name == "if":
            value = self._value(rest, word)
        else:
            if len(rest) != 1 or rest[0].kind != NAME:
                raise _Fault(f"#{name} needs a name", f"write #{name} NAME", word)
            value = (rest[0].text in self.macros) == (name == "ifdef")
            if self.notes is not None:
                self.notes.mention(rest[0])
        taken[-1] = (word, value, value)

    def _value(self, tokens: list[Token], word: Token) -> bool:
        """Of #if: a number, `defined NAME`, or `!` before one of them. Raises _Fault."""
        texts = [token.text for token in tokens]
        wanted = True
        while texts and texts[0] == "!":
            wanted, texts = not wanted, texts[1:]
        if texts and texts[0] == "defined":
            names = [text for text in texts[1:] if text not in ("(", ")")]
            if len(names) == 1:
                if self.notes is not None:
                    self.notes.mention(
                        next(
                            token for token in tokens if (token.text == names[0] and token.kind == NAME) or token is tokens[-1]
                        )
                    )
                return (names[0] in self.macros) == wanted
        elif texts:
            given = self._expanded(tokens[-len(texts) :], frozenset(), 0)
            if len(given) == 1 and given[0].kind == NUMBER and given[0].text.isdigit() and len(given[0].text) < 20:
                return (int(given[0].text) != 0) == wanted
        raise _Fault("unsupported #if condition", "write #if NUMBER, #if defined NAME or #ifdef NAME, or run cpp first", word)

    def _define(self, tokens: list[Token], word: Token) -> None:
        if not tokens or tokens[0].kind != NAME:
            raise _Fault("#define needs a name", "write #define NAME c4, or #define NAME(n) c[a0.x+n]", word)
        name, rest = tokens[0], tokens[1:]
        parameters: tuple[str, ...] | None = None
        names: list[Token] = []
        if rest and rest[0].text == "(" and rest[0].column == name.column + name.length:
            close = next((n for n, token in enumerate(rest) if token.text == ")"), 0)
            inside = rest[1:close]
            names = inside[::2]
            commas = inside[1::2]
            if (
                not close
                or any(t.kind != NAME for t in names)
                or any(t.text != "," for t in commas)
                or (inside and len(inside) % 2 == 0)
            ):
                raise _Fault("macro parameters must be names in parentheses", f"write #define {name.text}(a, b) ...", name)
            parameters = tuple([token.text for token in names])
            rest = rest[close + 1 :]
        self.macros[name.text] = Macro(parameters, tuple(rest))
        if self.notes is not None and name.line.file != COMMAND_LINE:
            self.notes.macro(name, names if parameters is not None else None, rest)

    def _define_outside(self, name: str, text: str) -> None:
        """A macro from outside of the source, by the rules of #define: `NAME` or `NAME(a, b)`."""
        shown = f"{name}={text}"
        line = Line(COMMAND_LINE, 0, shown)
        head = Token(kind=NAME, text=name, line=line, column=1, length=len(shown), first=True)
        lexer = Lexer()
        try:
            if not any(token.kind == NAME for token in lexer.tokens(line._replace(text=name))[:1]):
                raise _Fault(f"{name[:40] or shown[:40]!r} is not a macro name", "write NAME=TEXT, or NAME for 1", head)
            body = lexer.tokens(line._replace(text=f"{name} {text}"))
            self._define([token._replace(line=line) for token in body], head)
        except _Fault as fault:
            self._report(fault)

    def _include(self, tokens: list[Token], word: Token, raw: str) -> None:
        name = tokens[0] if tokens else word
        here = name.kind == TEXT
        if here and len(tokens) == 1 and len(name.text) > 2:
            file = name.text[1:-1]
        elif name.text == "<" and tokens[-1].text == ">" and len(tokens) > 2:
            file = raw[name.column : tokens[-1].column - 1]
        else:
            raise _Fault("#include needs a file name in quotes", 'write #include "common.vsh"', word)
        try:
            found = self._includes.find(file, self._open, angled=not here)
        except NotIncluded as error:
            self.incomplete = True
            fix = self._includes.fix(error, file, self._open[-1])
            looked = tuple([f"looked for {path}" for path in error.looked]) if error.missing and len(error.looked) > 1 else ()
            raise _Fault(str(error), fix, name, looked) from None
        if self.notes is not None:
            self.notes.included(name, found.path, raw)
        unreadable = text_form(found.path, found.text)
        if unreadable:
            self.found += unreadable
        else:
            self.source(found.text, found.path)

    def _expanded(self, tokens: list[Token], hidden: frozenset[str], depth: int) -> list[Token]:
        """Tokens with macros replaced; a macro is not replaced inside of itself. Raises _Fault."""
        out: list[Token] = []
        at = 0
        while at < len(tokens):
            token = tokens[at]
            at += 1
            macro = self.macros.get(token.text) if token.kind == NAME and token.text not in hidden else None
            if macro is None:
                out.append(token)
                continue
            length = token.length
            body: list[Token] = list(macro.body)
            if macro.parameters is not None and (at >= len(tokens) or tokens[at].text != "("):
                out.append(token)
                continue
            if self.notes is not None:
                self.notes.macro_use(token)
            if macro.parameters is not None:
                values, at = self._arguments(tokens, at, token)
                if len(values) != len(macro.parameters) and not (len(macro.parameters) == 0 and values == [[]]):
                    raise _Fault(
                        f"{token.text} has {len(macro.parameters)} parameters, found {len(values)}",
                        f"write {token.text}({', '.join(macro.parameters)})",
                        token,
                    )
                given = {
                    name: self._expanded(value, hidden, depth + 1)
                    for name, value in zip(macro.parameters, values, strict=False)
                }
                body = [one for part in macro.body for one in (given.get(part.text, [part]) if part.kind == NAME else [part])]
            self._given += len(body)
            if self._given > _LONGEST or depth > _DEEPEST:
                raise _Fault("macro expansion is too large", "check the macro definitions", token)
            placed = [
                part._replace(line=token.line, column=token.column, length=length, first=token.first and n == 0)
                for n, part in enumerate(body)
            ]
            out += self._expanded(placed, hidden | {token.text}, depth + 1)
        return out

    def _arguments(self, tokens: list[Token], at: int, name: Token) -> tuple[list[list[Token]], int]:
        """The arguments of a call whose ( is at `at`; where it ends. Raises _Fault."""
        values: list[list[Token]] = [[]]
        depth = 0
        for n in range(at, len(tokens)):
            text = tokens[n].text
            depth += (text in ("(", "[")) - (text in (")", "]"))
            if depth == 0:
                return values, n + 1
            if n == at:
                continue
            if text == "," and depth == 1:
                values.append([])
            else:
                values[-1].append(tokens[n])
        raise _Fault(f"unclosed arguments of {name.text}", "add `)` on the same line", name)
