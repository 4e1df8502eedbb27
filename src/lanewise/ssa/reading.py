"""Read the text of a function. What comes after a `;` is a comment; each node has the line of the text that it is in."""

from __future__ import annotations

import re
from itertools import pairwise

from lanewise.core.diagnostics import PortableError
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.ssa.function import PARAMETER, Block, Branch, Declaration, Edge, Function, Jump, Return
from lanewise.ssa.nodes import NEGATE, NONE, TYPES, Node, Ref, type_of
from lanewise.ssa.operations import OPERATIONS, result_type
from lanewise.ssa.verify import verify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.ssa.function import Exit
    from lanewise.ssa.nodes import Immediate

_TOKEN = re.compile(
    r"""\s*(?:(?P<comment>;.*)|(?P<text>"(?:[^"\\]|\\.)*")|%(?P<value>\d+)(?:\.(?P<lanes>[xyzw]{1,4}))?"""
    r"""|(?P<number>-?(?:\d+(?:\.\d*)?(?:e[-+]?\d+)?|inf\b|nan\b))|(?P<name>[A-Za-z_][\w.\[\]]*)|(?P<mark>->|[-=,():]))"""
)
_MOST_LINES, _MOST_BLOCKS = 100_000, 1000


class SyntaxFaultError(PortableError):
    """Text that is not that of a sound function: the line, from 1, and why."""

    line: int
    message: str

    def __init__(self, line: int, message: str) -> None:
        super().__init__(line, message)
        self.line, self.message = line, message


class _Token(Record):
    kind: str
    text: str
    lanes: str = ""


class _Line:
    """The tokens of a line, taken one after the other."""

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        self.tokens = list(_tokens(number, text))
        self.at = 0

    def fault(self, message: str) -> SyntaxFaultError:
        return SyntaxFaultError(self.number, message)

    @property
    def next(self) -> _Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else _Token("end", "the end of the line")

    def has(self, text: str) -> bool:
        """Take a mark or a word, if it is next."""
        found = self.next.kind in ("mark", "name") and self.next.text == text
        self.at += found
        return found

    def expect(self, text: str) -> None:
        if not self.has(text):
            raise self.fault(f"expected '{text}', found {self.next.text}")

    def take(self, kind: str, what: str) -> _Token:
        token = self.next
        if token.kind != kind:
            raise self.fault(f"expected {what}, found {token.text}")
        self.at += 1
        return token

    def name(self, what: str) -> str:
        """A name, plain or in quotes."""
        if self.next.kind == "text":
            return _unquoted(self.take("text", what).text)
        return self.take("name", what).text

    def whole(self, what: str) -> int:
        text = self.take("number", what).text
        if not text.removeprefix("-").isdigit() or len(text) > 9:
            raise self.fault(f"expected {what}, found {text}")
        return int(text)

    def immediate(self) -> Immediate:
        if self.next.kind != "number":
            return self.name("a value, a number or a name")
        text = self.take("number", "a number").text
        return int(text) if text.removeprefix("-").isdigit() and len(text) < 20 else float(text)

    def end(self) -> None:
        if self.next.kind != "end":
            raise self.fault(f"expected the end of the line, found {self.next.text}")


def _tokens(number: int, text: str) -> Iterator[_Token]:
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            raise SyntaxFaultError(number, f"unknown text: {text[at:].strip()[:20]}")
        at = match.end()
        kind = match.lastgroup or ""
        if kind == "comment":
            return
        yield _Token("value", match["value"], match["lanes"] or "") if match["value"] else _Token(kind, match[kind])


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: {"n": "\n"}.get(match[1], match[1]), text[1:-1])


def read(text: str, name: str = "") -> Function:
    """The function of a text; `name` is that of its file. Raises SyntaxFaultError, for an unsound one too."""
    lines = text.splitlines()
    if len(lines) > _MOST_LINES:
        raise SyntaxFaultError(_MOST_LINES + 1, f"the text has {len(lines)} lines, expected at most {_MOST_LINES}")
    function = _Reader([line for n, each in enumerate(lines, 1) if (line := _Line(n, each)).tokens]).function()
    for problem in verify(function):
        raise SyntaxFaultError(max(1, problem.line + 1), str(problem))
    return function._replace(lines=tuple([Span(file=name, line=n, text=each) for n, each in enumerate(lines, 1)]))


class _Reader:
    """Blocks, nodes and values get numbers in the order of the text. Nodes read what is above them, exits what is anywhere."""

    def __init__(self, lines: list[_Line]) -> None:
        self.lines = lines
        self.places: dict[str, int] = {}  # values by their numbers in the text
        self.blocks: dict[int, int] = {}
        self.nodes: list[Node] = []

    def function(self) -> Function:
        heads = [n for n, line in enumerate(self.lines) if n and line.next.text == "block"]
        if not heads:
            raise SyntaxFaultError(1, "there is no function: expected 'function NAME' and a 'block 0:'")
        first, *declared = self.lines[: heads[0]]
        name, results = self.head(first)
        declarations = tuple(map(self.declaration, declared))
        bounds = [*heads, len(self.lines)]
        parts = [self.lines[start:stop] for start, stop in pairwise(bounds)]
        parameters: list[tuple[int, ...]] = []
        bodies: list[tuple[int, ...]] = []
        for head, *body in parts:
            parameters.append(self.block(head))
            if not body:
                raise head.fault("the block has no exit: expected jump, branch or return")
            bodies.append(tuple([self.node(line) for line in body[:-1]]))
        exits = [self.exit(part[-1]) for part in parts]
        blocks = [Block(*each) for each in zip(parameters, bodies, exits, strict=True)]
        return Function(name=name, declarations=declarations, results=results, nodes=tuple(self.nodes), blocks=tuple(blocks))

    def head(self, line: _Line) -> tuple[str, tuple[str, ...]]:
        line.expect("function")
        name, results = line.name("the name of the function"), list[str]()
        more = line.has("->")
        while more:
            results.append(line.name("the name of a result"))
            more = line.has(",")
        line.end()
        return name, tuple(results)

    def declaration(self, line: _Line) -> Declaration:
        kind, name, facts = line.name("a declaration"), line.name("a name"), list[tuple[str, int | str]]()
        while line.next.kind != "end":
            key = line.name("a fact, such as lanes=4")
            line.expect("=")
            number = line.next.kind == "number"
            facts.append((key, line.whole("a whole number") if number else line.name("a number or a name")))
        return Declaration(kind, name, tuple(facts))

    def block(self, line: _Line) -> tuple[int, ...]:
        line.expect("block")
        number = line.whole("the number of the block")
        if number in self.blocks:
            raise line.fault(f"block {number} is there twice")
        if len(self.blocks) == _MOST_BLOCKS:
            raise line.fault(f"there are more than {_MOST_BLOCKS} blocks")
        self.blocks[number] = len(self.blocks)
        found: list[int] = []
        more = line.has("(")
        while more:
            found.append(self.named(line))
            line.expect(":")
            kind = line.name("a type")
            if kind not in TYPES:
                raise line.fault(f"unknown type '{kind}': use {', '.join(TYPES)}")
            self.nodes.append(Node(op=PARAMETER, type=kind, line=line.number - 1))
            more = line.has(",")
            if not more:
                line.expect(")")
        line.expect(":")
        line.end()
        return tuple(found)

    def named(self, line: _Line) -> int:
        """The number of a value that a line defines."""
        token = line.take("value", "a value, such as %0")
        if token.text in self.places or token.lanes:
            raise line.fault(f"%{token.text} is defined twice" if token.text in self.places else "a definition has no lanes")
        self.places[token.text] = len(self.nodes)
        return len(self.nodes)

    def node(self, line: _Line) -> int:
        """The number of a node, whose sources are above it."""
        if line.next.text in ("jump", "branch", "return"):
            raise line.fault(f"{line.next.text} is the exit of a block, but more follows: expected 'block NUMBER:' after it")
        number = self.named(line)
        line.expect("=")
        name = line.name("an operation")
        row = OPERATIONS.get(name)
        if row is None or row.name == PARAMETER:
            raise line.fault(f"unknown operation '{name}'")
        sources: list[Ref] = []
        immediates: list[Immediate] = []
        more = line.next.kind != "end"
        while more:
            if line.next.kind in ("number", "text", "name"):
                immediates.append(line.immediate())
            else:
                sources.append(self.source(line))
            more = line.has(",")
        line.end()
        try:
            kind = result_type(row, [type_of(self.nodes, source) for source in sources], immediates)
        except ValueError as error:
            raise line.fault(str(error)) from None
        self.nodes.append(Node(op=name, sources=tuple(sources), immediates=tuple(immediates), type=kind, line=line.number - 1))
        return number

    def source(self, line: _Line) -> Ref:
        negated = line.has("-")
        token = line.take("value", "a value, such as %0")
        if self.places.get(token.text, len(self.nodes)) == len(self.nodes):
            raise line.fault(
                f"%{token.text} is not defined before: a block comes after those that every path to it goes through"
            )
        return Ref(self.places[token.text], NEGATE if negated else NONE, token.lanes)

    def exit(self, line: _Line) -> Exit:
        name, at = line.next.text, line.number - 1
        found: Exit
        if line.has("jump"):
            found = Jump(self.edge(line), at)
        elif line.has("branch"):
            question = self.source(line)
            line.expect(",")
            yes = self.edge(line)
            line.expect(",")
            found = Branch(question, yes, self.edge(line), at)
        elif line.has("return"):
            found = Return(self.sources(line) if line.next.kind != "end" else (), at)
        else:
            raise line.fault(f"expected jump, branch or return at the end of a block, found {name}")
        line.end()
        return found

    def sources(self, line: _Line) -> tuple[Ref, ...]:
        found = [self.source(line)]
        while line.has(","):
            found.append(self.source(line))
        return tuple(found)

    def edge(self, line: _Line) -> Edge:
        line.expect("block")
        number = line.whole("the number of a block")
        if number not in self.blocks:
            raise line.fault(f"unknown block {number}")
        arguments: tuple[Ref, ...] = ()
        if line.has("("):
            arguments = self.sources(line)
            line.expect(")")
        return Edge(self.blocks[number], arguments)
