"""Functions of numbers as text of another language.

An instruction set gives them as a module, written in a small part of Python: integers of 32 bits, truth values, float32
numbers, tables; `if`, `for _ in range(n)`, assignments and calls. The type of a variable is in its first assignment. Choices in
capitals are decided here. `words` has what such modules share.
"""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence
    from types import ModuleType

    from lanewise.translating.languages import Language

U32, I32, F32, BOOL = "U32", "I32", "F32", "BOOL"

_BINARY: Mapping[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "/",
    ast.Div: "/",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.And: "&&",
    ast.Or: "||",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
_SHIFTS = frozenset(("<<", ">>"))
# Functions of the modules that each language has; the type of the result, "" for that of the argument.
_BUILT_IN: Mapping[str, str] = {
    "i32": I32,
    "u32": U32,
    "wrapped": U32,
    "truncated": I32,
    "float_bits": U32,
    "sqrt": F32,
    "rounded_down": F32,
    "power_of_two": F32,
    "logarithm": F32,
    "infinity": F32,
}


class Library:
    """The functions of a module, and of those that it imports functions of, with the choices of a profile; `seldom` names those
    that are called seldom."""

    def __init__(self, module: ModuleType, choices: Mapping[str, bool], seldom: Container[str] = ()) -> None:
        self.choices = choices
        self.seldom = seldom
        self._homes = _homes(module)
        self.functions: dict[str, ast.FunctionDef] = {name: _functions(home)[name] for name, home in self._homes.items()}

    def used(self, names: Iterable[str]) -> list[str]:
        """These functions and those that they call, each after those that it calls."""
        found: dict[str, None] = {}

        def visit(name: str) -> None:
            if name in found:
                return
            for other in _called(_live(self.functions[name].body, self.choices)):
                if other in self.functions and other not in _BUILT_IN and self.literal(other) is None:
                    visit(other)
            found[name] = None

        for name in names:
            visit(name)
        return list(found)

    def text(self, name: str, language: Language) -> list[str]:
        """The lines of a function."""
        return _Printer(self, language).function(self.functions[name])

    def literal(self, name: str) -> ast.expr | None:
        """The result of a function that always gives the same."""
        node = self.functions[name]
        body = _live(node.body[1:] if ast.get_docstring(node) else node.body, self.choices)
        match body:
            case [ast.Return(value=ast.Constant() as value)]:
                return value
            case _:
                return None

    def tables(self, names: Iterable[str]) -> dict[str, Sequence[int]]:
        """The tables that these functions read."""
        found: dict[str, Sequence[int]] = {}
        for name in names:
            for statement in _chosen(self.functions[name].body, self.choices):
                for node in ast.walk(statement):
                    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
                        found[node.value.id] = getattr(self._homes[name], node.value.id)
        return found


@cache
def _homes(module: ModuleType) -> Mapping[str, ModuleType]:
    """The module of each function that a module has or imports, with those that the other modules import."""
    found = dict.fromkeys(_functions(module), module)
    for value in vars(module).values():
        if inspect.isfunction(value) and value.__module__ != module.__name__:
            found = {**_homes(sys.modules[value.__module__]), **found}
    return found


@cache
def _functions(module: ModuleType) -> Mapping[str, ast.FunctionDef]:
    tree = ast.parse(inspect.getsource(module))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def _called(body: Sequence[ast.stmt]) -> Iterable[str]:
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield node.func.id


def _live(body: Sequence[ast.stmt], choices: Mapping[str, bool]) -> list[ast.stmt]:
    """The statements that the choices leave; nothing comes after a `return`."""
    found: list[ast.stmt] = []
    for statement in body:
        if not isinstance(statement, ast.If):
            found.append(statement)
        else:
            test = _simplified(statement.test, choices)
            if isinstance(test, bool):
                found += _live(statement.body if test else statement.orelse, choices)
            else:
                found.append(ast.If(test, statement.body, statement.orelse))
        if found and isinstance(found[-1], ast.Return):
            break
    return found


def _chosen(body: Sequence[ast.stmt], choices: Mapping[str, bool]) -> list[ast.stmt]:
    """The statements that the choices leave, at any depth."""
    found: list[ast.stmt] = []
    for statement in _live(body, choices):
        match statement:
            case ast.If(test=test, body=yes, orelse=no):
                found.append(ast.If(test, _chosen(yes, choices), _chosen(no, choices)))
            case ast.For(target=target, iter=count, body=inner):
                found.append(ast.For(target, count, _chosen(inner, choices), []))
            case _:
                found.append(statement)
    return found


def _read(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements without assignments to variables that nothing reads, and without branches over nothing."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    found = _assigning(body, read)
    return found if ast.dump(ast.Module(found, [])) == ast.dump(ast.Module(body, [])) else _read(found)


def _assigning(body: Sequence[ast.stmt], read: Container[str]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for statement in body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]) if name not in read:
                pass
            case ast.If(test=test, body=yes, orelse=no):
                one, other = _assigning(yes, read), _assigning(no, read)
                if one:
                    found.append(ast.If(test, one, other))
                elif other:
                    found.append(ast.If(ast.UnaryOp(ast.Not(), test), other, []))
            case ast.For(target=target, iter=count, body=inner):
                found.append(ast.For(target, count, _assigning(inner, read), []))
            case _:
                found.append(statement)
    return found


def _simplified(test: ast.expr, choices: Mapping[str, bool]) -> ast.expr | bool:
    """A condition without choices, or its value."""
    match test:
        case ast.Name(id=name) if name in choices:
            return choices[name]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _simplified(operand, choices)
            return not inner if isinstance(inner, bool) else test
        case ast.BoolOp(op=ast.And(), values=values):
            rest: list[ast.expr] = []
            for value in values:
                known = _simplified(value, choices)
                if known is False:
                    return False
                if not isinstance(known, bool):
                    rest.append(known)
            if not rest:
                return True
            return rest[0] if len(rest) == 1 else ast.BoolOp(ast.And(), rest)
        case _:
            return test


class _Printer:
    """A function as lines of text."""

    def __init__(self, library: Library, language: Language) -> None:
        self._library = library
        self._language = language
        self._types: dict[str, str] = {}
        self._result = ""

    def function(self, node: ast.FunctionDef) -> list[str]:
        self._result = _name(node.returns)
        self._types = {argument.arg: _name(argument.annotation) for argument in node.args.args}
        lines: list[str] = []
        doc = ast.get_docstring(node)
        if doc:
            lines.append(self._language.comment(doc.split("\n")[0]))
        body = _read(_chosen(node.body[1:] if doc else node.body, self._library.choices))
        seldom = node.name in self._library.seldom
        lines.append(self._language.function(node.name, [*self._types.items()], self._result, seldom=seldom) + " {")
        lines += self._block(body, 1)
        return [*lines, "}"]

    def _block(self, body: Sequence[ast.stmt], depth: int) -> list[str]:
        lines: list[str] = []
        for statement in body:
            lines += self._statement(statement, depth)
        return lines

    def _statement(self, node: ast.stmt, depth: int) -> list[str]:
        indent = "    " * depth
        match node:
            case ast.Return(value=ast.expr() as value):
                return [f"{indent}return {self._expression(value, self._result)};"]
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=ast.expr() as value):
                kind = self._types[name] = _name(annotation)
                return [f"{indent}{self._language.variable(kind, name, self._expression(value, kind))}"]
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return [f"{indent}{name} = {self._expression(value, self._types[name])};"]
            case ast.If(test=test, body=body, orelse=orelse):
                lines = [f"{indent}if ({self._expression(test, BOOL)}) {{", *self._block(body, depth + 1)]
                match orelse:
                    case [ast.If() as other]:
                        first, *rest = self._statement(other, depth)
                        return [*lines, f"{indent}}} else {first.lstrip()}", *rest]
                    case []:
                        return [*lines, f"{indent}}}"]
                    case _:
                        return [*lines, f"{indent}}} else {{", *self._block(orelse, depth + 1), f"{indent}}}"]
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=[count]), body=body):
                counter = "n" if name == "_" else name
                self._types[counter] = U32
                head = self._language.counted(counter, self._expression(count, U32))
                return [f"{indent}{head} {{", *self._block(body, depth + 1), f"{indent}}}"]
            case _:
                raise TypeError(f"not in the part of Python that is printed: {ast.unparse(node)}")

    def _type(self, node: ast.expr) -> str:
        """The type of an expression; empty for a literal, which has that of its place."""
        match node:
            case ast.Name(id=name):
                return self._types.get(name, "")
            case ast.Subscript():
                return U32
            case ast.Compare() | ast.BoolOp():
                return BOOL
            case ast.UnaryOp(op=op, operand=operand):
                return BOOL if isinstance(op, ast.Not) else self._type(operand)
            case ast.BinOp(left=left, op=op, right=right):
                return self._type(left) or ("" if isinstance(op, ast.LShift | ast.RShift) else self._type(right))
            case ast.IfExp(body=body, orelse=orelse):
                return self._type(body) or self._type(orelse)
            case ast.Call(func=ast.Name(id=name)):
                return _BUILT_IN.get(name) or _name(self._library.functions[name].returns)
            case _:
                return ""

    def _expression(self, node: ast.expr, kind: str) -> str:
        match node:
            case ast.Constant(value=bool() as value):
                return "true" if value else "false"
            case ast.Constant(value=int() | float() as value):
                return self._language.literal(value, kind)
            case ast.Name(id=name):
                return name
            case ast.Subscript(value=ast.Name(id=name), slice=place):
                return f"{self._language.prefix}{name.lower()}[{self._expression(place, U32)}]"
            case ast.UnaryOp(op=op, operand=operand):
                text = self._operand(operand, kind)
                return f"{'!' if isinstance(op, ast.Not) else '-'}{text}"
            case ast.BoolOp(op=op, values=values):
                sign = _BINARY[type(op)]
                return f" {sign} ".join([self._operand(value, BOOL, sign) for value in values])
            case ast.BinOp(left=left, op=op, right=right):
                sign = _BINARY[type(op)]
                own = self._type(node) or kind
                other = U32 if sign in _SHIFTS else own
                return f"{self._operand(left, own, sign)} {sign} {self._operand(right, other, sign, right=True)}"
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                sign = _BINARY[type(op)]
                own = self._type(left) or self._type(right)
                return f"{self._operand(left, own, sign)} {sign} {self._operand(right, own, sign, right=True)}"
            case ast.IfExp(test=test, body=body, orelse=orelse):
                own = self._type(node) or kind
                return self._language.choice(
                    self._operand(test, BOOL, "?"), self._operand(body, own, "?"), self._operand(orelse, own, "?")
                )
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return self._call(name, arguments)
            case _:
                raise TypeError(f"not in the part of Python that is printed: {ast.unparse(node)}")

    def _call(self, name: str, arguments: Sequence[ast.expr]) -> str:
        if name == "wrapped":
            return self._expression(arguments[0], U32)
        if name in _BUILT_IN:
            kinds = ["F32" if _BUILT_IN[name] == F32 or name in ("truncated", "float_bits") else I32 if name == "u32" else U32]
            texts = [self._expression(each, kind) for each, kind in zip(arguments, kinds, strict=False)]
            return self._language.built_in(name, texts)
        literal = self._library.literal(name)
        if literal is not None:
            return self._expression(literal, _name(self._library.functions[name].returns))
        kinds = [_name(each.annotation) for each in self._library.functions[name].args.args]
        texts = [self._expression(each, kind) for each, kind in zip(arguments, kinds, strict=True)]
        return f"{self._language.prefix}{name}({', '.join(texts)})"

    def _operand(self, node: ast.expr, kind: str, around: str = "", *, right: bool = False) -> str:
        """An expression inside another one, in parentheses where the languages differ in what binds stronger, or readers may
        doubt it."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "wrapped":
            return self._operand(node.args[0], kind, around, right=right)
        text = self._expression(node, kind)
        if isinstance(node, ast.IfExp):
            return text if text.startswith("select(") else f"({text})"
        if not isinstance(node, ast.BinOp | ast.BoolOp | ast.Compare) and not text.startswith("-"):
            return text
        own = _sign(node)
        plain = (
            (around in ("&&", "||", "?") and own in _COMPARISONS)
            or (around == own and own in ("+", "&", "|", "&&", "||") and not right)
            or (around in ("+", "-") and own in ("*", "/"))
            or (around in ("+", "-") and own in ("+", "-") and not right)
            or (around in _COMPARISONS and own in ("+", "-", "*", "/"))
        )
        return text if plain else f"({text})"


def _sign(node: ast.expr) -> str:
    """The operator of an expression; of a negation the minus."""
    match node:
        case ast.Compare(ops=[op]) | ast.BinOp(op=op) | ast.BoolOp(op=op):
            return _BINARY[type(op)]
        case _:
            return "-"


def _name(node: ast.expr | None) -> str:
    return node.id if isinstance(node, ast.Name) else ""


__all__ = ["BOOL", "F32", "I32", "U32", "Library"]
