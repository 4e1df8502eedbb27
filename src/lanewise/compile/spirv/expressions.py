"""Which expression of the source an instruction of a module computes: `placed`, for debuggers.

Modules of glslang have lines without columns. The statements around a line are parsed (`syntax`), and an instruction is one of
their expressions only where all of it is the same down to the leaves: the kind of operation, the number of operands, the names
of variables and members, literals. Where expressions are alike, as in `a * b + a * b`, there must be as many instructions as
expressions, which are then in the order of evaluation. All else keeps its line, and is the statement.

    read_module(data)                           Module: instructions with lines
    placed(module)                              instructions whose line is an expression: `Span.column`, `length`
        expressions_of(text)    syntax          Root, Node: the trees of a source
        _Matcher.operands(id, node)             pairs of ids and operands, None where it is another operation
    lower(module, Options(variables=True))      Program.lines, Program.scopes: `Frame.expression`
    debuggee.inlined(address)[0].expression     its text, with the operands that a compiler has folded
"""

from __future__ import annotations

from lanewise.compile.spirv import module as spirv
from lanewise.compile.spirv.binary import Malformed
from lanewise.compile.spirv.spellings import FUNCTIONS, OPERATORS, UNARIES, is_type, literal_values, single
from lanewise.compile.spirv.syntax import (
    ASSIGN,
    BINARY,
    CALL,
    CAST,
    DECLARE,
    INDEX,
    MEMBER,
    NAME,
    NUMBER,
    PAREN,
    POSTFIX,
    RETURN,
    TERNARY,
    UNARY,
    expressions_of,
)
from lanewise.core.debugging import Expression, Folded
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.compile.spirv.binary import Instruction
    from lanewise.compile.spirv.module import Block, Function, Module
    from lanewise.compile.spirv.syntax import Expressions, Node, Root

_MOST_NODES = 400  # of the statements around a line
_MOST_PARTS = 64  # components of a constructor
_LARGEST_INDEX = 1 << 16
_MOST_CONVERSIONS = 4  # of a value in a row
_LETTERS = {letter: n for row in ("xyzw", "rgba", "stpq") for n, letter in enumerate(row)}
Pairs = list[tuple[int, "Node"]]
_TURNED = ("OpVectorTimesScalar", "OpMatrixTimesScalar")  # whose scalar is the second operand, wherever the source has it
_CONVERSIONS = frozenset(
    ("OpConvertFToU", "OpConvertFToS", "OpConvertSToF", "OpConvertUToF", "OpUConvert", "OpSConvert", "OpFConvert", "OpBitcast")
)
_ZERO_OR_ONE = "OpSelect"  # a number of a bool


def placed(module: Module) -> None:
    """Give the instructions of a module the places of their expressions."""
    if module.expressions:
        return
    texts = {file: expressions_of("\n".join(lines)) for file, lines in module.sources.items()}
    constants = frozenset([name for source in texts.values() for name in source.constants])
    matcher = _Matcher(module, constants)
    found: dict[int, int] = {}  # by the offset of an instruction its place
    by_line: dict[tuple[str, int, str], list[Instruction]] = {}
    for function in module.functions.values():
        name = _plain(module.name_of(function.number))
        for block in function.blocks.values():
            for each in (*block.phis, *block.body, block.end):
                if each.line >= 0 and each.name not in _SILENT:
                    span = module.lines[each.line]
                    by_line.setdefault((span.file, span.line, name), []).append(each)
    for (file, line, name), instructions in by_line.items():
        source = texts.get(file) or (texts.get("") if file == module.name else None)
        if source is None:
            continue
        roots = [root for root in source.roots if root.function == name and _covers(source, root, line)]
        try:
            for each, node in matcher.pairs(instructions, roots):
                found[each.offset] = _place(module, matcher, source, file, each, node)
        except Malformed:  # the lowering says so
            continue
    _replace(module, found)


_SILENT = frozenset(("OpVariable", "OpBranch", "OpReturn", "OpAccessChain", "OpInBoundsAccessChain"))


def _covers(source: Expressions, root: Root, line: int) -> bool:
    return source.tokens[root.node.first].line <= line <= source.tokens[root.node.last].line


def _plain(name: str) -> str:
    """The name of a function in the source."""
    return name.partition("(")[0].lstrip("@").rpartition("::")[2]


def _place(module: Module, matcher: _Matcher, source: Expressions, file: str, each: Instruction, node: Node) -> int:
    """The index of the place of an expression in the module."""
    first, last = source.tokens[node.first], source.tokens[node.last]
    text = module.lines[each.line].text if first.line == module.lines[each.line].line else _line(source.text, first.at)
    end = last.column + len(last.text) if last.line == first.line else len(text.rstrip()) + 1
    span = Span(file=file, line=first.line, column=first.column, length=max(1, end - first.column), text=text)
    index = len(module.lines)
    module.lines.append(span)
    inner = node.children[0].inner if node.kind == RETURN else node
    folded = [
        Folded(source.shown(operand.inner), tuple(map(single, matcher.numbers(number))))
        for number, operand in matcher.operands_of(each, node)
        if matcher.is_constant(number) and literal_values(operand) is None
    ]
    returned = node.kind == RETURN or matcher.returned.get(each.result, 0) > 0
    module.expressions[index] = Expression(source.shown(inner), tuple(folded), is_result=returned, size=matcher.size(each))
    return index


def _line(text: str, at: int) -> str:
    end = text.find("\n", at)
    return text[text.rfind("\n", 0, at) + 1 : end if end >= 0 else len(text)].rstrip("\r")


def _replace(module: Module, found: Mapping[int, int]) -> None:
    def changed(each: Instruction) -> Instruction:
        line = found.get(each.offset)
        return each if line is None else each._replace(line=line)

    def block(each: Block) -> Block:
        return each._replace(phis=tuple(map(changed, each.phis)), body=tuple(map(changed, each.body)), end=changed(each.end))

    for number, function in module.functions.items():
        module.functions[number] = function._replace(blocks={label: block(each) for label, each in function.blocks.items()})


class _Matcher:
    """Compares instructions of a module with expressions."""

    def __init__(self, module: Module, constants: frozenset[str]) -> None:
        self.module, self._constants = module, constants
        self.definitions: dict[int, Instruction] = {each.result: each for each in module.constants}
        self.pointers: dict[int, int] = {}  # the types of variables and parameters
        self.stores: dict[int, list[int]] = {}  # the values that are stored to a pointer
        self.returned: dict[int, int] = {}  # how often a value is the result of a function
        for number, variable in module.variables.items():
            self.definitions[number], self.pointers[number] = variable, variable.type
        for function in module.functions.values():
            self._add(function)
        self._known: dict[tuple[int, int, int, str], Pairs | None] = {}

    def _add(self, function: Function) -> None:
        kind = self.module.types.get(function.type)
        self.pointers |= dict(zip(function.parameters, kind.members if kind is not None else (), strict=False))
        for block in function.blocks.values():
            for each in (*block.phis, *block.body, block.end):
                if each.result:
                    self.definitions[each.result] = each
                if each.name == "OpVariable":
                    self.pointers[each.result] = each.type
                elif each.name == "OpStore":
                    self.stores.setdefault(each.words[0], []).append(each.words[1])
                elif each.name == "OpReturnValue":
                    self.returned[each.words[0]] = self.returned.get(each.words[0], 0) + 1

    # Pairing

    def pairs(self, instructions: Sequence[Instruction], roots: Sequence[Root]) -> list[tuple[Instruction, Node]]:
        """The instructions of a line with their expressions, those that are certain."""
        nodes: list[Node] = []
        steps: set[int] = set()  # the nodes of roots that are done later
        for root in roots:
            first = len(nodes)
            nodes += [node for node in root.node.nodes() if node.kind not in (PAREN, NUMBER)]
            if root.is_step:
                steps |= set(range(first, len(nodes)))
            if len(nodes) > _MOST_NODES:
                return []
        alike: dict[tuple[int, ...], list[Instruction]] = {}
        for each in instructions:
            matching = tuple([at for at, node in enumerate(nodes) if self._computes(each, node)])
            if matching:
                alike.setdefault(matching, []).append(each)
        found: list[tuple[Instruction, Node]] = []
        for matching, several in alike.items():
            if len(matching) == 1:
                found += [(each, nodes[matching[0]]) for each in several]
            elif len(matching) == len(several) and (steps.isdisjoint(matching) or steps.issuperset(matching)):
                found += [(each, nodes[at]) for each, at in zip(several, matching, strict=True)]
        return found

    def _computes(self, each: Instruction, node: Node) -> bool:
        pairs = self.operands_of(each, node)
        return (bool(pairs) and self._all(pairs)) or self._is_read(each, node)

    def _is_read(self, each: Instruction, node: Node) -> bool:
        """Whether an instruction reads the variable that an expression names, which has no operands."""
        return each.name == "OpLoad" and node.kind in (NAME, INDEX, MEMBER) and self._is_pointer(each.words[0], node)

    def operands_of(self, each: Instruction, node: Node) -> Pairs:
        """The operands of an instruction with those of an expression; none where it is another operation."""
        if each.name == "OpStore":
            return self._stored(each, node) or []
        if each.name == "OpReturnValue":
            return [(each.words[0], node.children[0])] if node.kind == RETURN else []
        if each.name in ("OpBranchConditional", "OpSwitch"):
            return self._operands(each.words[0], node) or []
        if node.kind in (RETURN, DECLARE) or not each.result:
            return []
        return self._operands(each.result, node) or []

    def _stored(self, each: Instruction, node: Node) -> Pairs | None:
        """The value that an assignment or initialiser stores, with its expression."""
        if node.kind not in (ASSIGN, DECLARE):
            return None
        target, value = each.words[0], each.words[1]
        left, right = node.children
        if node.kind == DECLARE:
            named = self._definition(target, "OpVariable")
            return [(value, right)] if named and self.module.name_of(target) == left.text else None
        if not self._is_pointer(target, left):
            chain = self._definition(target, "OpAccessChain", "OpInBoundsAccessChain")
            part = self._definition(value, "OpCompositeExtract")
            inner = left.inner
            if chain is None or part is None or inner.kind != MEMBER or not self._is_pointer(chain.words[0], inner.children[0]):
                return None
            value = part.words[0]  # a component of a swizzle that is assigned
        return [(value, right)] if node.text == "=" else self._operands(value, node)

    # Operands

    def _same(self, number: int, node: Node, conversions: int = _MOST_CONVERSIONS) -> bool:
        """Whether a value is that of an expression."""
        node = node.inner
        if self.is_constant(number):
            return self._is_number(number, node)
        if node.kind in (NAME, MEMBER, INDEX) and self._is_named(number, node):
            return True
        pairs = self._operands(number, node)
        if pairs and self._all(pairs):
            return True
        if node.kind == MEMBER and self._is_whole(number, node.text) and self._same(number, node.children[0]):
            return True  # a swizzle that changes nothing
        plain = self._without_conversion(number)
        return plain != number and conversions > 0 and self._same(plain, node, conversions - 1)

    def _operands(self, number: int, node: Node) -> Pairs | None:
        node = node.inner
        key = number, node.first, node.last, node.kind
        if key not in self._known:
            definition = self.definitions.get(number)
            row = _KINDS.get(node.kind)
            self._known[key] = None if definition is None or row is None else row(self, definition, node)
        return self._known[key]

    def binary(self, definition: Instruction, node: Node) -> Pairs | None:
        operator = node.text.removesuffix("=") if node.kind == ASSIGN else node.text
        left, right = node.children
        words = definition.words
        if definition.name in OPERATORS.get(operator, ()) and len(words) == 2:
            return self._turned(definition, left, right)
        if definition.name == "OpPhi" and operator in ("&&", "||") and len(words) == 4:  # the second is not always computed
            return [(words[0], left), (words[2], right)]
        return None

    def _turned(self, definition: Instruction, left: Node, right: Node) -> Pairs:
        a, b = definition.words
        straight = [(a, left), (b, right)]
        return [(b, left), (a, right)] if definition.name in _TURNED and not self._all(straight) else straight

    def _all(self, pairs: Pairs) -> bool:
        return all(self._same(number, operand) for number, operand in pairs)

    def unary(self, definition: Instruction, node: Node) -> Pairs | None:
        words = definition.words
        if definition.name not in UNARIES.get(node.text, ()):
            return None
        if node.text in ("++", "--"):
            ones = self.is_constant(words[1]) and set(self.numbers(words[1])) == {1}
            return [(words[0], node.children[0])] if ones else None
        return [(words[0], node.children[0])]

    def ternary(self, definition: Instruction, node: Node) -> Pairs | None:
        condition, yes, no = node.children
        words = definition.words
        if definition.name == "OpSelect":
            plain = self.definitions.get(words[0])
            wide = plain is not None and plain.name == "OpCompositeConstruct" and len(set(plain.words)) == 1
            return [(plain.words[0] if wide and plain is not None else words[0], condition), (words[1], yes), (words[2], no)]
        if definition.name == "OpPhi" and len(words) == 4:
            return [(words[0], yes), (words[2], no)]
        if definition.name == "OpLoad" and not self.module.name_of(words[0]):
            values = self.stores.get(words[0], [])
            return [(values[0], yes), (values[1], no)] if len(values) == 2 else None
        return None

    def call(self, definition: Instruction, node: Node) -> Pairs | None:
        words, arguments = definition.words, node.children
        if definition.name == "OpFunctionCall":
            if _plain(self.module.name_of(words[0])) != node.text or len(words) - 1 != len(arguments):
                return None
            return [(self._argument(word), operand) for word, operand in zip(words[1:], arguments, strict=True)]
        wanted = FUNCTIONS.get(node.text)
        if wanted is None:
            return self.constructor(definition, node)
        if definition.name == "OpExtInst":
            if words[1] not in wanted or self.module.sets.get(words[0]) != spirv.GLSL:
                return None
            given = words[2:]
            if node.text == "saturate":
                given = given[:1]
            return self._zipped(given, arguments)
        if definition.name not in wanted:
            return None
        if node.text == "mul" and len(arguments) == 2 and len(words) == 2:
            straight: Pairs = [(words[0], arguments[0]), (words[1], arguments[1])]
            return straight if self._all(straight) else [(words[1], arguments[0]), (words[0], arguments[1])]
        if definition.name == "OpSelect":  # mix(no, yes, condition)
            return self._zipped(words[::-1], arguments)
        return self._zipped(words, arguments)

    def _zipped(self, words: Sequence[int], arguments: Sequence[Node]) -> Pairs | None:
        return [*zip(words, arguments, strict=True)] if len(words) == len(arguments) else None

    def _argument(self, word: int) -> int:
        """The value of an argument: that which is stored to the variable of a call, if that is one."""
        values = self.stores.get(word, [])
        return values[0] if len(values) == 1 and self._definition(word, "OpVariable") else word

    def constructor(self, definition: Instruction, node: Node) -> Pairs | None:
        """The arguments of a constructor or cast, whose components an instruction puts together."""
        if definition.name not in ("OpCompositeConstruct", "OpVectorShuffle", *_CONVERSIONS) or not node.children:
            return None
        if not is_type(node.text):
            return None
        parts: list[int] = []
        if definition.name == "OpCompositeConstruct":
            self._parts(definition, parts, 1)
        elif definition.name == "OpVectorShuffle":
            a, b, *chosen = definition.words
            if a != b or chosen != list(range(len(chosen))):
                return None
            parts = [a]
        else:
            parts = [definition.words[0]]
        arguments = [child.inner for child in node.children]
        if len(parts) == len(arguments):
            return [*zip(parts, arguments, strict=True)]
        fewer = [part for at, part in enumerate(parts) if not at or part != parts[at - 1]]
        if len(arguments) == 1 and len(fewer) > 1 and not self.is_constant(fewer[0]):
            # a matrix is made larger by the ones and zeros of the unit matrix
            fewer = [part for part in fewer if not self.is_constant(part)]
            fewer = [part for at, part in enumerate(fewer) if not at or part != fewer[at - 1]]
        return [*zip(fewer, arguments, strict=True)] if len(fewer) == len(arguments) else None

    def _parts(self, definition: Instruction, parts: list[int], depth: int) -> None:
        """The values that the components of a vector, or of the columns of a matrix, are taken from."""
        is_matrix = self.module.type(definition.type).kind == "matrix"
        for word in definition.words[:_MOST_PARTS]:
            inner = self.definitions.get(word)
            if inner is not None and inner.name in (*_CONVERSIONS, "OpCompositeExtract"):
                parts.append(inner.words[0])
            elif inner is not None and inner.name == "OpVectorShuffle" and is_matrix:
                column = self.definitions.get(inner.words[0])
                extracted = column is not None and column.name == "OpCompositeExtract"
                parts.append(column.words[0] if extracted and column is not None else inner.words[0])
            elif inner is not None and inner.name == "OpCompositeConstruct" and is_matrix and depth:
                self._parts(inner, parts, depth - 1)
            else:
                parts.append(word)

    def member(self, definition: Instruction, node: Node) -> Pairs | None:
        """A swizzle or component of a value."""
        words, letters = definition.words, [_LETTERS.get(letter, -1) for letter in node.text]
        if definition.name == "OpCompositeExtract" and [*words[1:]] == letters:
            return [(words[0], node.children[0])]
        if definition.name == "OpVectorShuffle" and words[0] == words[1] and [*words[2:]] == letters:
            return [(words[0], node.children[0])]
        if definition.name == "OpCompositeConstruct" and set(letters) == {0} and len(set(words)) == 1:
            return [(words[0], node.children[0])]  # `x.xxx` of a scalar
        return None

    def index(self, definition: Instruction, node: Node) -> Pairs | None:
        if definition.name == "OpVectorExtractDynamic":
            return [(definition.words[0], node.children[0]), (definition.words[1], node.children[1])]
        return None

    def _is_whole(self, number: int, letters: str) -> bool:
        """Whether a swizzle has the components of a value in their order."""
        definition = self.definitions.get(number)
        kind = self.module.types.get(definition.type) if definition is not None else None
        if kind is None or kind.kind not in ("vector", "float", "int", "bool"):
            return False
        size = kind.length if kind.kind == "vector" else 1
        return [_LETTERS.get(letter, -1) for letter in letters] == [*range(size)]

    # Variables

    def _is_named(self, number: int, node: Node) -> bool:
        """Whether a value is read from the variable that an expression names, or is a parameter."""
        definition = self.definitions.get(number)
        if definition is None:
            return node.kind == NAME and self.module.name_of(number) == node.text
        if definition.name == "OpLoad":
            return self._is_pointer(definition.words[0], node)
        return self._is_pointer(number, node)

    def _is_pointer(self, pointer: int, node: Node) -> bool:
        """Whether a pointer is to what an expression names."""
        path: list[Node] = []
        base = node.inner
        while base.kind in (MEMBER, INDEX):
            path.append(base)
            base = base.children[0].inner
        path.reverse()
        if base.kind != NAME:
            return False
        chain = self.definitions.get(pointer)
        root, steps = pointer, ()
        if chain is not None and chain.name in ("OpAccessChain", "OpInBoundsAccessChain"):
            root, steps = chain.words[0], chain.words[1:]
        name = self.module.name_of(root)
        kind = self.module.types.get(self.pointers.get(root, 0))
        if kind is None:
            return False
        at = kind.element if kind.kind == "pointer" else self.pointers[root]
        if name != base.text:
            flat = ".".join([base.text, *[each.text for each in path]])
            if name == flat and not steps and all(each.kind == MEMBER for each in path):
                return True  # a member of a struct of inputs, which HLSL has as a variable
            if not steps or self._member(at, steps[0]) != base.text:
                return False
            at, steps = self._element(at, steps[0]), steps[1:]  # a member of a block without a name, or of $Global
        if len(steps) != len(path):
            return False
        for step, each in zip(steps, path, strict=True):
            if each.kind == INDEX:
                if not self._same(step, each.children[1]):
                    return False
            elif self.module.type(at).kind == "struct":
                if self._member(at, step) != each.text:
                    return False
            elif each.text not in _LETTERS or self._number(step) != _LETTERS[each.text]:
                return False
            at = self._element(at, step)
        return True

    def _member(self, kind: int, step: int) -> str:
        """The name of the member of a struct that a constant is the number of."""
        return self.module.member_name(kind, self._number(step)) if self.module.type(kind).kind == "struct" else ""

    def _element(self, kind: int, step: int) -> int:
        found, number = self.module.type(kind), self._number(step)
        return found.element if found.kind != "struct" else found.members[number] if 0 <= number < len(found.members) else 0

    def _number(self, step: int) -> int:
        """The whole number that a constant is; -1 for none."""
        numbers = self.numbers(step) if self.is_constant(step) else []
        return int(numbers[0]) if len(numbers) == 1 and abs(numbers[0]) < _LARGEST_INDEX else -1

    # Constants and conversions

    def _definition(self, number: int, *names: str) -> Instruction | None:
        found = self.definitions.get(number)
        return found if found is not None and found.name in names else None

    def _without_conversion(self, number: int) -> int:
        """The value that is converted, or that all components have."""
        found = self.definitions.get(number)
        if found is None:
            return number
        if found.name in _CONVERSIONS or (found.name == "OpCompositeConstruct" and len(set(found.words)) == 1):
            return found.words[0]
        if found.name == _ZERO_OR_ONE and all(map(self.is_constant, found.words[1:])):
            return found.words[0]
        return number

    def size(self, each: Instruction) -> int:
        """The number of components that an instruction computes or stores."""
        value = self.definitions.get(each.result or each.words[each.name == "OpStore"])
        kind = self.module.types.get(value.type) if value is not None else None
        if kind is None:
            return 0
        return kind.length if kind.kind == "vector" else int(kind.kind in ("float", "int", "bool"))

    def is_constant(self, number: int) -> bool:
        found = self.definitions.get(number)
        return found is not None and found.name.startswith(("OpConstant", "OpSpecConstant"))

    def numbers(self, number: int, depth: int = 4) -> list[float]:
        """The components of a constant; none of one that is not known."""
        found = self.definitions[number]
        if found.name.endswith(("True", "False")):
            return [float(found.name.endswith("True"))]
        if found.name in ("OpConstant", "OpSpecConstant"):
            try:
                value = spirv.number_of(self.module.type(found.type), found.words)
            except Malformed:
                return []
            return [float(self.module.specialization(number, value))]
        if found.name.endswith("Composite") and depth:
            parts = [self.numbers(word, depth - 1) for word in found.words[:_MOST_PARTS] if self.is_constant(word)]
            return [each for part in parts for each in part]
        return []

    def _is_number(self, number: int, node: Node) -> bool:
        """Whether an expression is a constant: literals have its value, and other expressions are of constants only."""
        values = literal_values(node)
        if values is None:
            return self._is_folded(node)
        numbers = self.numbers(number)
        several = values * len(numbers) if len(values) == 1 else values
        return bool(numbers) and list(map(single, several)) == list(map(single, numbers))

    def _is_folded(self, node: Node) -> bool:
        if node.kind == NAME:
            return node.text in self._constants
        known = node.kind != CALL or node.text in FUNCTIONS or is_type(node.text)
        return known and node.kind not in (ASSIGN, DECLARE, POSTFIX) and all(map(self._is_folded, node.children))


_KINDS = {
    BINARY: _Matcher.binary,
    ASSIGN: _Matcher.binary,
    UNARY: _Matcher.unary,
    POSTFIX: _Matcher.unary,
    TERNARY: _Matcher.ternary,
    CALL: _Matcher.call,
    CAST: _Matcher.constructor,
    MEMBER: _Matcher.member,
    INDEX: _Matcher.index,
}

__all__ = ["placed"]
