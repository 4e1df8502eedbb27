"""Expressions of GLSL, HLSL and Slang as trees: `expressions_of`.

A text is read for its statements only: what is not an expression, an initialiser or a condition has no tree, and neither has a
statement with a macro or a directive in it, since the compiler sees another text there.
"""

from __future__ import annotations

import re

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MOST_DEPTH = 64  # of parentheses in each other
_MOST_JOINED = 160  # operators of a statement in a row: trees are walked recursively
MOST_TOKENS = 1 << 16  # of a source
(NAME, NUMBER, CALL, INDEX, MEMBER, UNARY, POSTFIX, BINARY, TERNARY, ASSIGN, DECLARE, CAST, PAREN, RETURN) = (
    "name",
    "number",
    "call",
    "index",
    "member",
    "unary",
    "postfix",
    "binary",
    "ternary",
    "assign",
    "declare",
    "cast",
    "paren",
    "return",
)
_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\")"
    r"|(?P<word>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[eE][+-]\d|[\w.])*)"
    r"|(?P<mark><<=|>>=|\+\+|--|&&|\|\||\^\^|::|[-+*/%<>=!&|^]=|<<|>>|\S)",
    re.DOTALL,
)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w*)[ \t]*((?:[^\n\\]|\\\r?\n|\\)*)", re.MULTILINE)
_DEFINED = re.compile(r"(\w+)(\()?")
_TYPE = re.compile(r"(?:float|half|double|fixed|int|uint|bool|min16float|min16int|min16uint)(?:[1-4](?:x[1-4])?)?")
_DIRECT = "#"  # a directive among the tokens
# The operators of GLSL 4.60, 5.1, from the weakest; C and HLSL have the same order.
_LEVELS = tuple(map(str.split, ("||", "^^", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %")))
_STRENGTH = {operator: strength for strength, row in enumerate(_LEVELS) for operator in row}
_ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="))
_UNARY = frozenset(("-", "+", "!", "~", "++", "--"))
_CONDITIONS = frozenset(("if", "while", "switch"))
_PLAIN = frozenset(("else", "do", "discard", "break", "continue", "default"))


class Token(Record):
    """A token: its text and its place, from 1."""

    text: str
    line: int
    column: int
    at: int


class Node(Record):
    """An expression."""

    kind: str
    "The kind: `name`, `binary`, and so on."
    text: str
    "Its operator, name or literal."
    children: tuple[Node, ...]
    "Its operands."
    first: int
    "The number of its first token."
    last: int
    "The number of its last token."

    @property
    def inner(self) -> Node:
        """The expression without parentheses around it."""
        node = self
        while node.kind == PAREN:
            node = node.children[0]
        return node

    def nodes(self) -> Iterator[Node]:
        """The expression and all in it that is read, in the order in which they are computed."""
        children = self.children
        if self.kind in (ASSIGN, DECLARE):
            target, value = children
            yield from value.nodes()
            children = (target,) if self.text != "=" else target.children
        for child in children:
            yield from child.nodes()
        yield self


class Root(Record):
    """A whole expression of a statement, and the function that it is in; `is_step`: it is done after the body of its loop."""

    node: Node
    function: str
    is_step: bool = False


class Expressions(Record):
    """The expressions of a source."""

    text: str
    tokens: tuple[Token, ...]
    roots: tuple[Root, ...]
    constants: frozenset[str]
    "The names that are declared as constants, or defined as a number."

    def shown(self, node: Node) -> str:
        """The text of an expression in one line."""
        last = self.tokens[node.last]
        return " ".join(self.text[self.tokens[node.first].at : last.at + len(last.text)].split())


class _NotOne(Exception):
    """A text that is not an expression."""


def expressions_of(text: str, defined: Sequence[str] = ()) -> Expressions:
    """The expressions of a source. `defined`: macros that it does not define itself."""
    tokens, macros, constants = _read(text, set(defined))
    roots: list[Root] = []
    function, depth, begin = "", 0, 0
    for number, token in enumerate(tokens):
        if token.text not in ";{}":
            continue
        segment = range(begin, number)
        if token.text == "{":
            if not depth:
                function = next((tokens[at].text for at in segment if tokens[at + 1].text == "("), "")
            depth += 1
        if depth and not any(tokens[at].text in macros or tokens[at].text == _DIRECT for at in segment):
            parser = _Parser(tokens, begin, number)
            roots += [Root(node, function, at in parser.steps) for at, node in enumerate(parser.statement())]
        if token.text == "}":
            depth = max(0, depth - 1)
        begin = number + 1
    constants |= {tokens[at].text for at in _constants(tokens)}
    return Expressions(text, tuple(tokens), tuple(roots), frozenset(constants))


def _constants(tokens: Sequence[Token]) -> Iterator[int]:
    """The names that declarations with `const` give a value."""
    depth, inside = 0, False
    for at, token in enumerate(tokens):
        if token.text == "const" and not depth:
            inside = True
        elif token.text in ("(", "[", "{"):
            depth += 1
        elif token.text in (")", "]", "}"):
            depth = max(0, depth - 1)
            inside = inside and token.text != "}"
        elif token.text == ";":
            inside = False
        elif token.text == "=" and inside:
            before = at - 1
            while before > 0 and tokens[before].text == "]":  # the length of an array
                while before > 0 and tokens[before].text != "[":
                    before -= 1
                before -= 1
            yield before
        if token.text == "{":  # blocks of statements are not parentheses
            depth -= 1


def _read(text: str, macros: set[str]) -> tuple[list[Token], set[str], set[str]]:
    """The tokens, the names of macros, and of macros that are one number."""
    tokens: list[Token] = []
    numbers: set[str] = set()
    starts = [0, *[match.end() for match in re.finditer("\n", text)]]
    directives = {match.start(): match for match in _DIRECTIVE.finditer(text)}
    at, line = 0, 1
    while at < len(text) and len(tokens) < MOST_TOKENS:
        while line < len(starts) and starts[line] <= at:
            line += 1
        directive = directives.get(at) if at == starts[line - 1] else None
        if directive is not None:
            if directive[1] == "define" and (named := _DEFINED.match(directive[2])) is not None:
                body = directive[2][named.end() :].strip()
                plain = not named[2] and re.fullmatch(r"\.?\d[\w.]*", body) is not None
                (numbers if plain else macros).add(named[1])
            tokens.append(Token(_DIRECT, line, 1, at))
            at = directive.end()
            continue
        match = _TOKEN.match(text, at)
        if match is None:
            break
        if match["space"] is None:
            tokens.append(Token(match[0], line, at - starts[line - 1] + 1, at))
        elif "\n" in match[0] and not match[0].startswith("/*"):
            at = text.index("\n", at) + 1  # a directive may follow
            continue
        at = match.end()
    return tokens, macros, numbers


class _Parser:
    """The expressions of the tokens from one place up to another."""

    def __init__(self, tokens: Sequence[Token], begin: int, end: int) -> None:
        self.tokens, self.at, self.end = tokens, begin, end
        self.depth = self.joined = 0
        self.steps: set[int] = set()  # the expressions at the end of the head of a loop

    # Statements

    def statement(self) -> list[Node]:
        """The expressions of a statement; what cannot be read has none."""
        found: list[Node] = []
        try:
            while self.at < self.end:
                self._piece(found)
        except _NotOne:
            pass
        return found

    def _piece(self, found: list[Node]) -> None:
        self.joined = 0
        word = self._peek()
        if word in _CONDITIONS:
            self.at += 1
            self._take("(")
            found.append(self._expression())
            self._take(")")
        elif word == "for":
            self.at += 1
            self._take("(")
        elif word in _PLAIN or word in (")", ":"):
            if word == ")":  # the end of the head of a loop
                self.steps |= set(range(len(found)))
            self.at += 1
        elif word == "case":
            self.at += 1
            self._ternary()
        elif word == "return":
            first = self.at
            self.at += 1
            if self.at < self.end:
                value = self._expression()
                found.append(Node(kind=RETURN, text="return", children=(value,), first=first, last=value.last))
        elif word == "[":  # an attribute of HLSL
            while self._next() != "]":
                pass
        elif self._is_declaration():
            self._declaration(found)
        else:
            value = self._expression()
            self._ends()
            found.append(value)

    def _ends(self, *others: str) -> None:
        """An expression has ended: nothing follows, but the end of the head of a loop."""
        if self._peek() not in ("", ")", *others):
            raise _NotOne

    def _is_declaration(self) -> bool:
        """Whether a type and a name are next."""
        at = self.at
        if not _is_word(self._text(at)):
            return False
        at += 1
        if self._text(at) == "[":
            while at < self.end and self._text(at) != "]":
                at += 1
            at += 1
        return _is_word(self._text(at))

    def _declaration(self, found: list[Node]) -> None:
        while _is_word(self._text(self.at + 1)) or self._text(self.at + 1) == "[":
            if self._text(self.at + 1) == "[":
                mark = self.at
                self.at += 1
                while self._next() != "]":
                    pass
                if not _is_word(self._peek()):
                    self.at = mark
                    break
            else:
                self.at += 1
        while True:
            first = self.at
            name = self._next()
            if not _is_word(name):
                raise _NotOne
            while self._peek() == "[":
                while self._next() != "]":
                    pass
            if self._peek() == "=":
                self.at += 1
                target = Node(kind=NAME, text=name, children=(), first=first, last=first)
                value = self._assignment()
                self._ends(",")
                found.append(Node(kind=DECLARE, text="=", children=(target, value), first=first, last=value.last))
            if self._peek() != ",":
                return
            self.at += 1

    # Expressions

    def _expression(self) -> Node:
        node = self._assignment()
        while self._peek() == ",":
            node = self._joined(BINARY, node, self._assignment)
        return node

    def _assignment(self) -> Node:
        self._deeper()
        node = self._ternary()
        if self._peek() in _ASSIGNMENTS:
            node = self._joined(ASSIGN, node, self._assignment)
        self.depth -= 1
        return node

    def _ternary(self) -> Node:
        condition = self._binary(0)
        if self._peek() != "?":
            return condition
        self.at += 1
        yes = self._expression()
        self._take(":")
        no = self._assignment()
        return Node(kind=TERNARY, text="?", children=(condition, yes, no), first=condition.first, last=no.last)

    def _binary(self, strength: int) -> Node:
        self._deeper()
        node = self._unary()
        while _STRENGTH.get(self._peek(), -1) >= strength:
            above = _STRENGTH[self._peek()] + 1
            node = self._joined(BINARY, node, lambda above=above: self._binary(above))
        self.depth -= 1
        return node

    def _joined(self, kind: str, left: Node, right: Callable[[], Node]) -> Node:
        text = self._next()
        self._more()
        other = right()
        return Node(kind=kind, text=text, children=(left, other), first=left.first, last=other.last)

    def _unary(self) -> Node:
        first, word = self.at, self._peek()
        if word in _UNARY:
            self._deeper()
            self.at += 1
            operand = self._unary()
            self.depth -= 1
            return Node(kind=UNARY, text=word, children=(operand,), first=first, last=operand.last)
        if word == "(" and _TYPE.fullmatch(self._text(first + 1)) and self._text(first + 2) == ")":
            self._deeper()
            self.at += 3
            operand = self._unary()
            self.depth -= 1
            return Node(kind=CAST, text=self._text(first + 1), children=(operand,), first=first, last=operand.last)
        return self._postfix()

    def _postfix(self) -> Node:
        node = self._primary()
        while True:
            self._more()
            word, first = self._peek(), node.first
            if word == "(" and node.kind == NAME:
                self.at += 1
                arguments = self._arguments()
                node = Node(kind=CALL, text=node.text, children=arguments, first=first, last=self.at - 1)
            elif word == "[":
                self.at += 1
                index = self._expression()
                self._take("]")
                node = Node(kind=INDEX, text="[", children=(node, index), first=first, last=self.at - 1)
            elif word == ".":
                self.at += 1
                name = self._next()
                if not _is_word(name):
                    raise _NotOne
                node = Node(kind=MEMBER, text=name, children=(node,), first=first, last=self.at - 1)
            elif word in ("++", "--"):
                self.at += 1
                node = Node(kind=POSTFIX, text=word, children=(node,), first=first, last=self.at - 1)
            else:
                return node

    def _arguments(self) -> tuple[Node, ...]:
        found: list[Node] = []
        if self._peek() == "void":
            self.at += 1
        while self._peek() != ")":
            found.append(self._assignment())
            if self._peek() != ")":
                self._take(",")
                if self._peek() == ")":
                    raise _NotOne
        self.at += 1
        return tuple(found)

    def _primary(self) -> Node:
        first, word = self.at, self._next()
        if word == "(":
            inner = self._expression()
            self._take(")")
            return Node(kind=PAREN, text="(", children=(inner,), first=first, last=self.at - 1)
        kind = NAME if _is_word(word) else NUMBER if word[:1].isdigit() or (word[:1] == "." and len(word) > 1) else ""
        if not kind:
            raise _NotOne
        return Node(kind=kind, text=word, children=(), first=first, last=first)

    # Tokens

    def _text(self, at: int) -> str:
        return self.tokens[at].text if at < self.end else ""

    def _peek(self) -> str:
        return self._text(self.at)

    def _next(self) -> str:
        if self.at >= self.end:
            raise _NotOne
        self.at += 1
        return self.tokens[self.at - 1].text

    def _take(self, text: str) -> None:
        if self._next() != text:
            raise _NotOne

    def _more(self) -> None:
        self.joined += 1
        if self.joined > _MOST_JOINED:
            raise _NotOne

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise _NotOne


def _is_word(text: str) -> bool:
    return text[:1].isalpha() or text[:1] == "_"


__all__ = [
    "ASSIGN",
    "BINARY",
    "CALL",
    "CAST",
    "DECLARE",
    "INDEX",
    "MEMBER",
    "NAME",
    "NUMBER",
    "PAREN",
    "POSTFIX",
    "RETURN",
    "TERNARY",
    "UNARY",
    "Expressions",
    "Node",
    "Root",
    "Token",
    "expressions_of",
]
