"""Single changes to the code of meanings, flow and number rules, for `vectors_mutation`: finding, making and noticing them.

A change is in one place of one function: another comparison or operator, a number one larger or smaller, a negated condition,
exchanged parts. It is made by giving the function other code, so that every module that has imported it runs the change.
"""

from __future__ import annotations

import ast
import inspect
from collections import Counter, defaultdict
from copy import deepcopy
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import CodeType, FunctionType

MODULES = (
    "lanewise.pica200.sem.meaning",
    "lanewise.pica200.sem.flow",
    "lanewise.pica200.sem.numbers",
    "lanewise.core.numbers.binary",
    "lanewise.pica200.sem.registers",
    "lanewise.pica200.sem.instruction",
    "lanewise.pica200.sem.emission",
)
# Conversions that happen before a run: words of a suite are in the format of its profile.
BEFORE = ("Float32.from_float24", "Float24.from_float24")
_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
_OPERATIONS = {
    "add": "mul",
    "mul": "add",
    "max": "min",
    "min": "max",
    "both": "either",
    "either": "both",
    "rcp": "rsq",
    "exp2": "log2",
    "at_least": "at_most",
    "floor": "negate",
}
_SYMMETRIC = (
    "integer_add",
    "integer_and",
    "both",
    "either",
)  # of integers and booleans: their arguments in the other order are no change
_SYMMETRIC_BUILTINS = ("max", "min")  # likewise
_NOTICE = "_notice_changes"
T = TypeVar("T")


class Change(NamedTuple):
    """A change of the node with this number in its module, the `choice`-th that is possible there.

    `text` is the statement (of a block its first line) as it is then, with a number behind the second of a function that is so.
    """

    module: str
    function: str
    line: int
    node: int
    choice: int
    text: str

    @property
    def key(self) -> tuple[str, str]:
        return self.function, self.text


@cache
def _source(module: str) -> str:
    return inspect.getsource(import_module(module))


def bodies(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions and methods by name."""
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef):
            yield statement.name, statement
        elif isinstance(statement, ast.ClassDef):
            for inner in statement.body:
                if isinstance(inner, ast.FunctionDef):
                    yield f"{statement.name}.{inner.name}", inner


def _alternatives(node: ast.AST) -> list[ast.AST]:
    """What may be in place of a node."""
    found: list[ast.AST] = []
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        found += [ast.Compare(node.left, [other()], node.comparators) for other in _COMPARED.get(type(node.ops[0]), ())]
    elif isinstance(node, ast.BinOp) and type(node.op) in _COMPUTED:
        found.append(ast.BinOp(node.left, _COMPUTED[type(node.op)](), node.right))
    elif isinstance(node, ast.BoolOp):
        found.append(ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        found.append(node.operand)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        found += [ast.Constant(node.value + 1), ast.Constant(node.value - 1)]
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        found.append(ast.Constant(not node.value))
    elif isinstance(node, ast.IfExp):
        found.append(ast.IfExp(node.test, node.orelse, node.body))
    elif isinstance(node, ast.If):
        found.append(ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse))
    elif isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        starred = any(isinstance(each, ast.Starred) for each in node.args)
        symmetric = name in _SYMMETRIC or (isinstance(node.func, ast.Name) and node.func.id in _SYMMETRIC_BUILTINS)
        if len(node.args) == 2 and not node.keywords and not starred and not symmetric:
            found.append(ast.Call(node.func, node.args[::-1], []))
        if isinstance(node.func, ast.Attribute) and name in _OPERATIONS:
            function = ast.Attribute(node.func.value, _OPERATIONS[name], ast.Load())
            found.append(ast.Call(function, node.args, node.keywords))
    return found


def _skipped(function: ast.FunctionDef) -> set[int]:
    """Nodes that are not code: annotations, formatted texts, checks and what raises an error."""
    found: set[int] = set()
    for node in ast.walk(function):
        parts: list[ast.AST] = []
        if isinstance(node, ast.FunctionDef):
            parts += [node.args, *([node.returns] if node.returns else []), *node.decorator_list]
        elif isinstance(node, ast.AnnAssign):
            parts.append(node.annotation)
        elif (
            (isinstance(node, ast.keyword) and node.arg == "strict")
            or isinstance(node, ast.JoinedStr | ast.Raise)
            or (isinstance(node, ast.If) and any(isinstance(inner, ast.Raise) for inner in node.body))
        ):
            parts.append(node)
        for part in parts:
            found |= {id(each) for each in ast.walk(part)}
    return found


class _Exchange(ast.NodeTransformer):
    def __init__(self, target: ast.AST, other: ast.AST) -> None:
        self.target, self.other = target, other

    def visit(self, node: ast.AST) -> ast.AST:
        return ast.copy_location(self.other, node) if node is self.target else self.generic_visit(node)


def _changed(module: str, node: int, choice: int) -> ast.Module:
    tree = ast.parse(_source(module))
    target = list(ast.walk(tree))[node]
    return cast("ast.Module", ast.fix_missing_locations(_Exchange(target, _alternatives(target)[choice]).visit(tree)))


def _text(statement: ast.AST) -> str:
    """A statement, the first line of a block."""
    return ast.unparse(statement).splitlines()[0]


def changes(module: str) -> list[Change]:
    """All changes of a module."""
    tree = ast.parse(_source(module))
    numbers = {id(node): n for n, node in enumerate(ast.walk(tree))}
    found: list[Change] = []
    texts: Counter[tuple[str, str]] = Counter()
    for name, function in bodies(tree):
        if name in BEFORE:
            continue
        skipped = _skipped(function)
        for statement, node in list(_with_statements(function)):
            if id(node) in skipped:
                continue
            for choice, other in enumerate(_alternatives(node)):
                text = _text(_Exchange(node, other).visit(statement))
                _Exchange(other, node).visit(statement)
                texts[name, text] += 1
                text += f" ({texts[name, text]})" if texts[name, text] > 1 else ""
                line = getattr(node, "lineno", 0)
                found.append(Change(module, name, line, numbers[id(node)], choice, text))
    return found


def _with_statements(function: ast.FunctionDef) -> Iterator[tuple[ast.stmt, ast.AST]]:
    """The nodes of a function, each with the innermost statement that has it."""
    waiting: list[tuple[ast.stmt, ast.AST]] = [(function, child) for child in ast.iter_child_nodes(function)]
    while waiting:
        statement, node = waiting.pop(0)
        statement = node if isinstance(node, ast.stmt) else statement
        yield statement, node
        waiting += [(statement, child) for child in ast.iter_child_nodes(node)]


def apply(change: Change) -> None:
    """Make a change in this process."""
    _replace(change.module, change.function, _changed(change.module, change.node, change.choice))


def _replace(module: str, path: str, tree: ast.Module) -> None:
    """Give a function the code that it has in a changed module."""
    code = _code_of(compile(tree, import_module(module).__file__ or "", "exec"), path.split("."))
    _function(module, path).__code__ = code


def _function(module: str, path: str) -> FunctionType:
    owner: object = import_module(module)
    for part in path.split("."):
        owner = owner.__dict__[part] if isinstance(owner, type) else getattr(owner, part)
    return cast(
        "FunctionType", getattr(owner, "__wrapped__", getattr(owner, "fget", None) or getattr(owner, "__func__", owner))
    )


def _code_of(code: CodeType, path: Sequence[str]) -> CodeType:
    for name in path:
        code = next(part for part in code.co_consts if inspect.iscode(part) and part.co_name == name)
    return code


class Noticing:
    """While it is on, each changed place also computes what it would give with its changes, which have no effect yet.

    `differing` are the numbers of the changes that have given something else since it was cleared. A run in which a change has
    not is the same with it.
    """

    def __init__(self, wanted: Sequence[Change]) -> None:
        self.differing: set[int] = set()
        self._codes: list[tuple[FunctionType, CodeType]] = []
        for module in MODULES:
            tree = ast.parse(_source(module))
            places: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
            nodes = list(ast.walk(tree))
            names: set[str] = set()
            for number, change in enumerate(wanted):
                if change.module == module:
                    places[id(nodes[change.node])].append((number, change.choice))
                    names.add(change.function)
            noticing = cast("ast.Module", ast.fix_missing_locations(_Notice(places).visit(tree)))
            import_module(module).__dict__[_NOTICE] = self._notice
            for name in names:
                function = _function(module, name)
                self._codes.append((function, function.__code__))
                _replace(module, name, noticing)

    def _notice(self, value: T, changes: Sequence[tuple[int, Callable[[], object]]]) -> T:
        for number, change in changes:
            if number not in self.differing:
                try:
                    other = change()
                    if other != value or type(other) is not type(value):
                        self.differing.add(number)
                except Exception:  # a change that raises, whatever it is, gives something else
                    self.differing.add(number)
        return value

    def stop(self) -> None:
        """Give the functions their code again."""
        for function, code in self._codes:
            function.__code__ = code


class _Notice(ast.NodeTransformer):
    """Puts `value` as `_notice(value, ((number, lambda: other), ...))`."""

    def __init__(self, places: Mapping[int, Sequence[tuple[int, int]]]) -> None:
        self.places = places

    def visit(self, node: ast.AST) -> ast.AST:
        wanted = self.places.get(id(node), ())
        if not wanted:
            return self.generic_visit(node)
        others = [(number, deepcopy(_alternatives(node)[choice])) for number, choice in wanted]
        self.generic_visit(node)
        if isinstance(node, ast.If):
            node.test = _noticed(node.test, [(number, cast("ast.If", other).test) for number, other in others])
            return node
        return _noticed(cast("ast.expr", node), [(number, cast("ast.expr", other)) for number, other in others])


def _noticed(value: ast.expr, others: Sequence[tuple[int, ast.expr]]) -> ast.expr:
    nothing = ast.arguments([], [], None, [], [], None, [])
    rows: list[ast.expr] = [
        ast.Tuple([ast.Constant(number), ast.Lambda(nothing, other)], ast.Load()) for number, other in others
    ]
    return ast.Call(ast.Name(_NOTICE, ast.Load()), [value, ast.Tuple(rows, ast.Load())], [])
