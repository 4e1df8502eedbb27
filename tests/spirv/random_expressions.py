"""Random expressions in GLSL, of variables and functions that can be named where they are."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple

from spirv.given import shape

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FLOATS = ("float", "vec2", "vec3", "vec4")
LITERALS = ("0.0", "1.0", "0.5", "2.0", "-1.0", "0.25", "3.0", "0.1", "-0.75", "1.5", "0.3333", "-2.0")
LANES = "xyzw"


class Variable(NamedTuple):
    name: str
    type: str
    elements: int = 0
    fixed: bool = False
    # An integer is known to be from 0 to below this number; 0: not known.
    below: int = 0


class Function(NamedTuple):
    name: str
    returns: str
    parameters: tuple[tuple[str, str], ...]  # how (in, out, inout) and type


class Expressions:
    """Writes expressions. `left` is about how many operations the shader may still have, `scope` what can be named."""

    def __init__(self, seed: int, size: int) -> None:
        self.random = Random(seed)
        self.left: float = self.random.randint(size // 4, size)
        self.scope: list[Variable] = []
        self.functions: list[Function] = []

    def expression(self, kind: str, depth: int) -> str:
        self.left -= 0.25 if depth else 0
        if kind == "float":
            return self._float(depth)
        if kind == "int":
            return self._int(depth)
        if kind == "bool":
            return self._bool(depth)
        if kind.startswith("mat"):
            return self._matrix(kind, depth)
        return self._vector(int(kind[3]), depth)

    def _named(self, kind: str) -> list[str]:
        return [variable.name for variable in self.scope if variable.type == kind and not variable.elements]

    def _tables(self, kind: str) -> list[Variable]:
        return [variable for variable in self.scope if variable.type == kind and variable.elements]

    def _index(self, count: int) -> str:
        """An index that is inside."""
        known = [variable.name for variable in self.scope if 0 < variable.below <= count and not variable.elements]
        way = self.random.random()
        if known and way < 0.5:
            return self.random.choice(known)
        if way < 0.7:
            return str(self.random.randrange(count))
        return f"clamp({self._int(1)}, 0, {count - 1})"

    def _float(self, depth: int) -> str:
        pick = self.random.random
        e = self._float
        if depth <= 0 or pick() < 0.2:
            names = self._named("float")
            names += [
                f"{name}.{self.random.choice(LANES[:lanes])}" for lanes in (2, 3, 4) for name in self._named(f"vec{lanes}")
            ]
            return self.random.choice(names) if names and pick() < 0.75 else self.random.choice(LITERALS)
        d = depth - 1
        lanes = self.random.randint(2, 4)
        literal = self.random.choice

        def v() -> str:
            return self._vector(lanes, d)

        forms: Sequence[tuple[float, Callable[[], str]]] = (
            (8, lambda: f"({e(d)} {literal('+-*')} {e(d)})"),
            (1, lambda: f"(- {e(d)})"),
            (1, lambda: f"({e(d)} / {literal(['2.0', '3.0', '-4.0', '0.7'])})"),
            (1, lambda: f"({e(d)} / (abs({e(d)}) + 0.5))"),
            (3, lambda: f"{literal(['min', 'max'])}({e(d)}, {e(d)})"),
            (3, lambda: f"{literal(['abs', 'floor', 'fract', 'sign', 'ceil', 'abs', 'trunc', 'round', 'radians'])}({e(d)})"),
            (1, lambda: f"clamp({e(d)}, {literal(['-1.0', '0.0', '-0.5'])}, {literal(['1.0', '2.0', '0.5'])})"),
            (1, lambda: f"mix({e(d)}, {e(d)}, {e(d)})"),
            (1, lambda: f"step({e(d)}, {e(d)})"),
            (1, lambda: f"smoothstep({literal(['-1.0', '0.0', '-0.5'])}, {literal(['1.0', '2.0', '0.5'])}, {e(d)})"),
            (1, lambda: f"sqrt(abs({e(d)}))"),
            (1, lambda: f"inversesqrt(abs({e(d)}) + 0.25)"),
            (0.7, lambda: f"{literal(['exp2', 'exp'])}(clamp({e(d)}, -4.0, 3.0))"),
            (0.7, lambda: f"{literal(['log2', 'log'])}(abs({e(d)}) + 0.25)"),
            (0.7, lambda: f"pow(abs({e(d)}) + 0.1, {literal(['2.0', '0.5', '3.0', '-1.5'])})"),
            (0.7, lambda: f"{literal(['sin', 'cos'])}({e(d)})"),
            (0.2, lambda: f"{literal(['atan', 'tan', 'tanh'])}(clamp({e(d)}, -1.2, 1.2))"),
            (0.2, lambda: f"{literal(['asin', 'acos'])}(clamp({e(d)}, -1.0, 1.0))"),
            (0.1, lambda: f"atan({e(d)}, abs({e(d)}) + 0.3)"),
            (0.7, lambda: f"mod({e(d)}, {literal(['1.0', '0.7', '2.0'])})"),
            (0.5, lambda: f"fma({e(d)}, {e(d)}, {e(d)})"),
            (3, lambda: f"dot({v()}, {v()})"),
            (1, lambda: f"length({v()})"),
            (0.5, lambda: f"distance({v()}, {v()})"),
            (1, lambda: f"({self._bool(d)} ? {e(d)} : {e(d)})"),
            (0.7, lambda: f"float({self._int(d)})"),
            (0.7, lambda: f"float({self._bool(d)})"),
            (1, lambda: self._element("float")),
            (0.5, lambda: self._returned("float")),
            (0.2, self._determinant),
            (2, lambda: f"{v()}.{self.random.choice(LANES[:lanes])}"),
            (0.4, lambda: f"{v()}[{self._index(lanes)}]"),
        )
        return self.random.choices([form for _, form in forms], [weight for weight, _ in forms])[0]()

    def _element(self, kind: str) -> str:
        tables = self._tables(kind)
        if not tables:
            return self._column(kind)
        table = self.random.choice(tables)
        return f"{table.name}[{self._index(table.elements)}]"

    def _column(self, kind: str) -> str:
        """A column of a matrix, or an element."""
        found = [variable for variable in self.scope if variable.type.startswith("mat") and not variable.elements]
        found = [variable for variable in found if kind == "float" or shape(variable.type)[0] == int(kind[3])]
        if not found:
            return self.expression(kind, 0)
        variable = self.random.choice(found)
        rows, columns = shape(variable.type)
        text = f"{variable.name}[{self._index(columns) if self.random.random() < 0.3 else self.random.randrange(columns)}]"
        return f"{text}[{self.random.randrange(rows)}]" if kind == "float" else text

    def _returned(self, kind: str) -> str:
        """A call, where the function changes nothing."""
        found = [
            function
            for function in self.functions
            if function.returns == kind and all(how == "in" for how, _ in function.parameters)
        ]
        text = self._called(self.random.choice(found)) if found else None
        return text or self.expression(kind, 0)

    def _determinant(self) -> str:
        found = [name for kind in ("mat2", "mat3", "mat4") for name in self._named(kind)]
        return f"determinant({self.random.choice(found)})" if found else self._float(0)

    def _vector(self, lanes: int, depth: int) -> str:
        pick = self.random.random
        kind = f"vec{lanes}"

        def v() -> str:
            return self._vector(lanes, depth - 1)

        if depth <= 0 or pick() < 0.2:
            names = self._named(kind)
            for other in (2, 3, 4):
                for name in self._named(f"vec{other}"):
                    names.append(f"{name}.{''.join(self.random.choice(LANES[:other]) for _ in range(lanes))}")
            if names and pick() < 0.8:
                return self.random.choice(names)
            return f"{kind}({', '.join(self._float(0) for _ in range(lanes))})"
        d = depth - 1
        e, literal = self._float, self.random.choice
        forms: Sequence[tuple[float, Callable[[], str]]] = (
            (8, lambda: f"({v()} {literal('+-*')} {v()})"),
            (3, lambda: f"({v()} * {e(d)})"),
            (1, lambda: f"({e(d)} * {v()})"),
            (0.5, lambda: f"({v()} {literal('+-')} {e(d)})"),
            (1, lambda: f"(- {v()})"),
            (0.5, lambda: f"({v()} / {literal(['2.0', '3.0'])})"),
            (0.5, lambda: f"({v()} / (abs({v()}) + 0.5))"),
            (2, lambda: f"{kind}({e(d)})"),
            (2, lambda: f"{kind}({', '.join(e(d) for _ in range(lanes))})"),
            (2, lambda: self._joined(lanes, d)),
            (2, lambda: f"{self._vector(self.random.randint(lanes, 4), d)}.{LANES[:lanes]}"),
            (2, lambda: f"{literal(['min', 'max'])}({v()}, {v()})"),
            (1, lambda: f"{literal(['min', 'max'])}({v()}, {e(d)})"),
            (1, lambda: f"clamp({v()}, 0.0, 1.0)"),
            (2, lambda: f"{literal(['abs', 'floor', 'fract', 'sign', 'ceil', 'trunc'])}({v()})"),
            (0.5, lambda: f"mix({v()}, {v()}, {e(d)})"),
            (0.5, lambda: f"mix({v()}, {v()}, {v()})"),
            (0.5, lambda: f"mix({v()}, {v()}, {self._booleans(lanes, d)})"),
            (0.5, lambda: f"step({v()}, {v()})"),
            (0.3, lambda: f"sqrt(abs({v()}))"),
            (0.2, lambda: f"{literal(['sin', 'cos'])}({v()})"),
            (0.3, lambda: f"exp2(clamp({v()}, -3.0, 3.0))"),
            (0.3, lambda: f"mod({v()}, {literal(['1.0', '2.0'])})"),
            (2, lambda: f"normalize({v()} + {kind}({', '.join(literal(['2.5', '-3.0', '0.5']) for _ in range(lanes))}))"),
            (1 if lanes == 3 else 0, lambda: f"cross({v()}, {v()})"),
            (0.4, lambda: f"reflect({v()}, {v()})"),
            (0.2, lambda: f"refract(normalize({v()} + 3.0), normalize({v()} - 2.5), {literal(['0.7', '1.4'])})"),
            (0.2, lambda: f"faceforward({v()}, {v()}, {v()})"),
            (1, lambda: f"({self._bool(d)} ? {v()} : {v()})"),
            (1, lambda: self._element(kind)),
            (0.5, lambda: self._returned(kind)),
            (0.7, lambda: self._column(kind)),
            (4, lambda: self._transformed(lanes, d)),
            (0.4, lambda: f"vec{lanes}({self._booleans(lanes, d)})"),
        )
        return self.random.choices([form for _, form in forms], [weight for weight, _ in forms])[0]()

    def _joined(self, lanes: int, depth: int) -> str:
        first = self.random.randint(1, lanes - 1)
        parts = [self.expression(FLOATS[count - 1], depth) for count in (first, lanes - first)]
        return f"vec{lanes}({', '.join(parts)})"

    def _transformed(self, lanes: int, depth: int) -> str:
        """A matrix times a vector, or the other way."""
        found: list[str] = []
        for variable in self.scope:
            if not variable.type.startswith("mat"):
                continue
            rows, columns = shape(variable.type)
            name = f"{variable.name}[{self._index(variable.elements)}]" if variable.elements else variable.name
            if rows == lanes:
                found.append(f"({name} * {self._vector(columns, depth)})")
            if columns == lanes:
                found.append(f"({self._vector(rows, depth)} * {name})")
            if rows == columns and rows > lanes:
                found.append(f"(mat{lanes}({name}) * {self._vector(lanes, depth)})")
            if rows == columns == lanes:
                found.append(f"(transpose({name}) * {self._vector(lanes, depth)})")
        return self.random.choice(found) if found else self._vector(lanes, 0)

    def _matrix(self, kind: str, depth: int) -> str:
        rows, columns = shape(kind)
        found = self._named(kind)
        larger = [name for size in range(rows, 5) for name in self._named(f"mat{size}")]
        way = self.random.random()
        if found and way < 0.3:
            return self.random.choice(found)
        if larger and way < 0.5:
            return f"{kind}({self.random.choice(larger)})"
        if found and way < 0.6:
            return f"({self.random.choice(found)} * {self.random.choice(found)})"
        if way < 0.65:
            return f"{kind}({self._float(depth - 1)})"
        if way < 0.85:
            built = [*found, *(f"{kind}({name})" for name in larger), f"{kind}({self._float(0)})"]
            one, other = self.random.choice(built), self.random.choice(built)
            return self.random.choice(
                [
                    f"({one} * {self._float(1)})",
                    f"({one} + {other})",
                    f"({one} - {other})",
                    f"matrixCompMult({one}, {other})",
                    f"inverse({one} * 0.2 + {kind}(1.5))",
                    f"outerProduct({self._vector(rows, 0)}, {self._vector(columns, 0)})",
                    f"transpose({one})",
                ]
            )
        return f"{kind}({', '.join(self._vector(rows, max(0, depth - 2)) for _ in range(columns))})"

    def _int(self, depth: int) -> str:
        pick = self.random.random
        if depth <= 0 or pick() < 0.3:
            names = self._named("int")
            return self.random.choice(names) if names and pick() < 0.7 else str(self.random.randint(0, 4))
        d = depth - 1
        i, literal = self._int, self.random.choice
        forms: Sequence[tuple[float, Callable[[], str]]] = (
            (3, lambda: f"({i(d)} {literal('+-')} {i(d)})"),
            (1, lambda: f"(min(abs({i(d)}), 9) * min(abs({i(d)}), 9))"),
            (3, lambda: f"int(clamp({self._float(d)}, -4.0, 4.0) * 2.0)"),
            (1, lambda: f"{literal(['min', 'max'])}({i(d)}, {i(d)})"),
            (0.5, lambda: f"abs({i(d)})"),
            (0.5, lambda: f"(abs({i(d)}) % {self.random.randint(2, 4)})"),
            (0.5, lambda: f"({i(d)} / {self.random.randint(2, 4)})"),
            (0.5, lambda: f"int({self._bool(d)})"),
            (0.5, lambda: f"({self._bool(d)} ? {i(d)} : {i(d)})"),
        )
        return self.random.choices([form for _, form in forms], [weight for weight, _ in forms])[0]()

    def _booleans(self, lanes: int, depth: int) -> str:
        """A vector of booleans."""
        how = self.random.choice(["lessThan", "lessThanEqual", "greaterThan", "greaterThanEqual", "equal", "notEqual"])
        return f"{how}({self._vector(lanes, depth)}, {self._vector(lanes, depth)})"

    def _bool(self, depth: int) -> str:
        pick = self.random.random
        names = self._named("bool")
        if names and pick() < 0.35:
            return self.random.choice(names)
        d = max(0, depth - 1)
        lanes = self.random.randint(2, 4)
        b, literal = self._bool, self.random.choice
        forms: Sequence[tuple[float, Callable[[], str]]] = (
            (6, lambda: f"({self._float(d)} {literal(['<', '<=', '>', '>='])} {self._float(d)})"),
            (0.7, lambda: f"({self._float(0)} {literal(['==', '!='])} {self._float(0)})"),
            (2, lambda: f"({self._int(d)} {literal(['<', '<=', '>', '>=', '==', '!='])} {self._int(d)})"),
            (1, lambda: f"(!{b(d)})" if depth > 0 else "true"),
            (2, lambda: f"({b(d)} {literal(['&&', '||', '^^'])} {b(d)})" if depth > 0 else "false"),
            (0.5, lambda: f"{literal(['isnan', 'isinf'])}({self._float(0)})"),
            (0.6, lambda: f"{literal(['any', 'all'])}({self._booleans(lanes, d)})"),
            (0.3, lambda: f"any(not({self._booleans(lanes, d)}))"),
            (0.3, lambda: f"({self._vector(lanes, 0)} {literal(['==', '!='])} {self._vector(lanes, 0)})"),
        )
        return self.random.choices([form for _, form in forms], [weight for weight, _ in forms])[0]()

    def _constant(self, kind: str) -> str:
        lanes = shape(kind)
        if not lanes:
            return self.random.choice(LITERALS)
        return f"{kind}({', '.join(self.random.choice(LITERALS) for _ in range(lanes[0]))})"

    def _called(self, function: Function) -> str | None:
        arguments: list[str] = []
        used: set[str] = set()
        for how, kind in function.parameters:
            if how == "in":
                arguments.append(self.expression(kind, 1))
                continue
            places = [
                variable.name
                for variable in self.scope
                if variable.type == kind and not variable.fixed and not variable.elements and variable.name not in used
            ]
            if not places:
                return None
            place = self.random.choice(places)
            used.add(place)
            arguments.append(place)
        return f"{function.name}({', '.join(arguments)})"
