"""Random vertex shaders in GLSL, small enough for the PICA200, and random data for them.

Each is made of what shaders have: loops by integer uniforms and by known counts, nested, with `continue`, `break` and early `return`; conditions by uniforms and by
values; functions with `in`, `out` and `inout`; arrays of uniforms with indices that differ by vertex; local arrays; matrices, their columns and parts; swizzles on both
sides; `switch`; the functions of GLSL. What is undefined in GLSL (an index outside, a root of something negative) is avoided by how expressions are written.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    Array = NDArray[Any]

FLOATS = ("float", "vec2", "vec3", "vec4")
LITERALS = ("0.0", "1.0", "0.5", "2.0", "-1.0", "0.25", "3.0", "0.1", "-0.75", "1.5", "0.3333", "-2.0")
LANES = "xyzw"
OUTPUTS = (
    ("color", "vec4"), ("texcoord0", "vec2"), ("texcoord1", "vec2"), ("texcoord2", "vec2"), ("view", "vec3"), ("normalquat", "vec4"),
)  # fmt: skip
LOOSE, BLOCK = "loose", "block"


class Uniform(NamedTuple):
    """A uniform: its type, how many elements (0: not an array), the numbers that it has."""

    type: str
    elements: int = 0
    low: float = -1.5
    high: float = 1.5


class Shader(NamedTuple):
    """A source and what it is given. `form`: uniforms are loose (OpenGL) or in a block (Vulkan)."""

    text: str
    inputs: Mapping[str, str]
    uniforms: Mapping[str, Uniform]
    form: str = LOOSE

    def data(self, count: int, seed: int, nan: bool = True) -> tuple[dict[str, Array], dict[str, Array]]:
        """Inputs for `count` vertices and uniforms: float24 numbers, some of them 0 or 1, some inputs NaN."""
        return random_data(self.inputs, self.uniforms, count, seed, nan)


def shape(kind: str) -> tuple[int, ...]:
    """The array of a type: `M[row, column]` for matrices."""
    if kind.startswith("mat"):
        columns, _, rows = kind[3:].partition("x")
        return int(rows or columns), int(columns)
    return (int(kind[-1]),) if kind[-4:-1].endswith("vec") else ()


def float24(values: Array) -> Array:
    """The numbers cut to 16 fraction bits."""
    bits = values.astype(np.float32).view(np.uint32) & np.uint32(0xFFFFFF80)
    return bits.view(np.float32).astype(np.float64)


def random_data(
    inputs: Mapping[str, str], uniforms: Mapping[str, Uniform], count: int, seed: int, nan: bool = True
) -> tuple[dict[str, Array], dict[str, Array]]:
    rng = np.random.default_rng(seed)

    def numbers(size: tuple[int, ...], low: float, high: float, plain: float) -> Array:
        values = float24(rng.uniform(low, high, size))
        return np.where(rng.random(size) < plain, rng.choice([0.0, 1.0, -1.0, 0.5, 2.0], size), values)

    given: dict[str, Array] = {}
    for name, kind in inputs.items():
        values = numbers((count, *shape(kind)), -2.0, 2.0, 0.05)
        given[name] = np.where(rng.random(values.shape) < 0.003, np.nan, values) if nan else values
    settings: dict[str, Array] = {}
    for name, uniform in uniforms.items():
        size = ((uniform.elements,) if uniform.elements else ()) + shape(uniform.type)
        if uniform.type == "bool":
            settings[name] = np.asarray(rng.random(size) < 0.5)
        elif uniform.type in {"int", "uint"}:
            settings[name] = np.asarray(rng.integers(int(uniform.low), int(uniform.high) + 1, size))
        else:
            settings[name] = numbers(size, uniform.low, uniform.high, 0.1)
    return given, settings


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


class Generator:
    """Writes one shader. `size` is about how many operations it has."""

    def __init__(self, seed: int, size: int = 40, form: str = "") -> None:
        self.random = Random(seed)
        self.left = self.random.randint(size // 4, size)
        chosen = BLOCK if self.random.random() < 0.3 else LOOSE
        self.form = form or chosen
        self.scope: list[Variable] = []
        self.functions: list[Function] = []
        self.lines: list[str] = []
        self.indent = 0
        self.number = 0
        self.loops = 0  # how many are around this statement
        self.inside = ""  # the type that the function returns; empty: main
        self.switch = 0
        self.pair = False  # whether there is the struct
        self.inputs = self._inputs()
        self.uniforms = self._uniforms()
        self.outputs = self.random.sample(OUTPUTS, self.random.randint(1, 3))

    # Interfaces

    def _inputs(self) -> dict[str, str]:
        return {f"a{number}": self.random.choice(FLOATS) for number in range(self.random.randint(1, 4))}

    def _uniforms(self) -> dict[str, Uniform]:
        found: dict[str, Uniform] = {}
        chance = self.random.random
        for number in range(self.random.randint(1, 3)):
            found[f"u{number}"] = Uniform(self.random.choice(FLOATS))
        for number in range(self.random.randint(0, 2)):
            found[f"m{number}"] = Uniform(
                self.random.choice(["mat4", "mat4", "mat3", "mat2", "mat4x3", "mat2x4"]), 0, -1.0, 1.0
            )
        if chance() < 0.5:
            found["t0"] = Uniform(self.random.choice(FLOATS), self.random.randint(2, 6))
        if chance() < 0.15:
            found["t1"] = Uniform("mat4", self.random.randint(2, 3), -1.0, 1.0)
        for number in range(self.random.choice([0, 1, 1, 2])):
            found[f"n{number}"] = Uniform("int", 0, 0, self.random.choice([1, 3, 5]))
        for number in range(self.random.choice([0, 1, 1, 2])):
            found[f"on{number}"] = Uniform("bool")
        return found

    def text(self) -> Shader:
        for name, kind in self.inputs.items():
            self.scope.append(Variable(name, kind, fixed=True))
        for name, uniform in self.uniforms.items():
            below = int(uniform.high) + 1 if uniform.type == "int" else 0
            self.scope.append(Variable(name, uniform.type, uniform.elements, fixed=True, below=below))
        if self.random.random() < 0.4:
            self._line("struct Pair { vec3 first; float second; };")
            self.pair = True
        for _ in range(self.random.choice([0, 0, 1])):
            kind, name = self.random.choice(FLOATS), self._fresh("g")
            self._line(f"{kind} {name} = {self._constant(kind)};")
            self.scope.append(Variable(name, kind))
        for _ in range(self.random.choice([0, 0, 1, 2, 3])):
            self._function()
        self._main()
        head = ["#version 450"]
        head += [f"layout(location={number}) in {kind} {name};" for number, (name, kind) in enumerate(self.inputs.items())]
        head += [f"layout(location={number}) out {kind} {name};" for number, (name, kind) in enumerate(self.outputs)]
        members = [
            f"{uniform.type} {name}{f'[{uniform.elements}]' if uniform.elements else ''};"
            for name, uniform in self.uniforms.items()
        ]
        if self.form == BLOCK:
            head += ["layout(set=0, binding=0) uniform Settings {", *(f"  {member}" for member in members), "};"]
        else:
            place = 0
            for member, uniform in zip(members, self.uniforms.values(), strict=True):
                head.append(f"layout(location={place}) uniform {member}")
                place += max(1, uniform.elements)
        return Shader("\n".join([*head, *self.lines]) + "\n", self.inputs, self.uniforms, self.form)

    # Statements

    def _line(self, text: str) -> None:
        self.lines.append("  " * self.indent + text)

    def _fresh(self, letter: str = "x") -> str:
        self.number += 1
        return f"{letter}{self.number}"

    def _function(self) -> None:
        name = self._fresh("f")
        returns = self.random.choice([*FLOATS, "void"])
        parameters = tuple(
            (self.random.choice(["in", "in", "out", "inout"]), self.random.choice([*FLOATS, "float"]))
            for _ in range(self.random.randint(1, 3))
        )
        if returns == "void":
            parameters = (*parameters, ("inout", "vec3"))
        depth, before = len(self.scope), self.left
        spelled = [f"{how} {kind} p{number}" for number, (how, kind) in enumerate(parameters)]
        self._line(f"{returns} {name}({', '.join(spelled)}) {{")
        self.indent += 1
        self.left = self.random.randint(4, 10)
        for number, (how, kind) in enumerate(parameters):
            if how == "out":
                self._line(f"p{number} = {self.expression(kind, 1)};")
            self.scope.append(Variable(f"p{number}", kind))
        self.inside = returns
        self._statements(self.random.randint(1, 3))
        if returns != "void":
            self._line(f"return {self.expression(returns, 2)};")
        self.inside = ""
        self.indent -= 1
        self._line("}")
        self.left = before
        del self.scope[depth:]
        self.functions.append(Function(name, returns, parameters))

    def _main(self) -> None:
        self._line("void main() {")
        self.indent += 1
        self.inside = "main"
        for name, kind in self.outputs:
            self._line(f"{name} = {kind}(0.0);")
        self._line("gl_Position = vec4(0.0, 0.0, 0.0, 1.0);")
        for _ in range(self.random.randint(1, 3)):
            self._declare()
        while self.left > 0:
            self._statement()
            if self.random.random() < 0.15:
                break
        self._use_all()
        for name, kind in (*self.outputs, ("gl_Position", "vec4")):
            how = self.random.choice(["=", "+=", "+=", "+="])
            self._line(f"{name} {how} {self.expression(kind, 2)};")
        self.indent -= 1
        self._line("}")

    def _use_all(self) -> None:
        """Add what variables hold at the end to outputs: what nothing uses is not compiled."""
        for variable in self.scope:
            if variable.fixed or variable.type not in FLOATS or self.random.random() < 0.2:
                continue
            name, kind = self.random.choice([*self.outputs, ("gl_Position", "vec4")])
            lanes = min(int(kind[3]), max(1, len(shape(variable.type)) and shape(variable.type)[0]))
            value = variable.name + (f"[{self._index(variable.elements)}]" if variable.elements else "")
            self._line(f"{name}.{LANES[:lanes]} += {value}{'' if variable.type == 'float' else '.' + LANES[:lanes]};")

    def _statements(self, count: int) -> None:
        depth = len(self.scope)
        for _ in range(count):
            self._statement()
        del self.scope[depth:]

    def _block(self, head: str, count: int, *before: str) -> None:
        self._line(f"{head} {{")
        self.indent += 1
        for line in before:
            self._line(line)
        self._statements(count)
        self.indent -= 1

    def _statement(self) -> None:
        kinds: list[tuple[float, Callable[[], None]]] = [
            (3, self._declare), (6, self._assign), (2.5, self._if), (1.5, self._for), (0.4, self._while), (0.6, self._switch), (0.6, self._array),
            (1.0 if self.functions else 0, self._call), (0.8 if self.inside else 0, self._leave),
            (0.4, self._struct), (0.3, self._float_loop), (0.3, self._endless), (0.4, self._integers), (0.4, self._copy), (0.3, self._component),
            (0.4 if self.inside == "main" else 0, self._output),
        ]  # fmt: skip
        self.left -= 1
        if self.indent > 4 or self.left < 0:
            kinds = kinds[:2]
        self.random.choices([statement for _, statement in kinds], [weight for weight, _ in kinds])[0]()

    def _declare(self) -> None:
        kind = self.random.choices([*FLOATS, "int", "bool", "mat3", "mat2", "mat4"], [4, 2, 3, 3, 1, 1, 0.8, 0.6, 0.4])[0]
        name = self._fresh()
        self._line(f"{kind} {name} = {self.expression(kind, 3)};")
        self.scope.append(Variable(name, kind))

    def _array(self) -> None:
        """A local array, written element by element, and by an index that is known only when it runs."""
        kind, count = self.random.choice(["float", "vec2", "vec3", "vec4"]), self.random.randint(2, 4)
        name = self._fresh()
        if self.random.random() < 0.3:
            items = ", ".join(self._constant(kind) for _ in range(count))
            self._line(f"const {kind} {name}[{count}] = {kind}[{count}]({items});")
            self.scope.append(Variable(name, kind, count, fixed=True))
            return
        items = ", ".join(self.expression(kind, 1) for _ in range(count))
        self._line(f"{kind} {name}[{count}] = {kind}[{count}]({items});")
        self.scope.append(Variable(name, kind, count))
        if self.random.random() < 0.5:
            self._line(f"{name}[{self._index(count)}] {self.random.choice(['=', '+='])} {self.expression(kind, 2)};")

    def _constant(self, kind: str) -> str:
        lanes = shape(kind)
        if not lanes:
            return self.random.choice(LITERALS)
        return f"{kind}({', '.join(self.random.choice(LITERALS) for _ in range(lanes[0]))})"

    def _assign(self) -> None:
        targets = [variable for variable in self.scope if not variable.fixed]
        if not targets:
            self._declare()
            return
        variable = self.random.choice(targets)
        name, kind = variable.name, variable.type
        if variable.elements:
            name += f"[{self._index(variable.elements)}]"
        if kind.startswith("mat"):
            name += f"[{self.random.randrange(shape(kind)[1])}]"
            kind = f"vec{shape(kind)[0]}"
        if kind == "int":
            self._line(f"{name} = {self.expression(kind, 2)};")
            return
        if kind == "bool":
            self._line(f"{name} = {self.expression(kind, 2)};")
            return
        if kind != "float" and self.random.random() < 0.4:
            lanes = LANES[: int(kind[3])]
            chosen = self.random.sample(lanes, self.random.randint(1, len(lanes)))
            name += "." + "".join(chosen)
            kind = FLOATS[len(chosen) - 1]
        how = self.random.choice(["=", "=", "+=", "-=", "*="])
        self._line(f"{name} {how} {self.expression(kind, 3)};")

    def _if(self) -> None:
        self._block(f"if ({self.expression('bool', 2)})", self.random.randint(1, 3))
        if self.random.random() < 0.3:
            self._block(f"}} else if ({self.expression('bool', 2)})", self.random.randint(1, 2))
        if self.random.random() < 0.5:
            self._block("} else", self.random.randint(1, 2))
        self._line("}")

    def _for(self) -> None:
        if self.loops >= 2:
            self._assign()
            return
        counts = [variable for variable in self.scope if variable.type == "int" and variable.name.startswith("n")]
        name = self._fresh("i")
        if counts and self.random.random() < 0.6:
            bound = self.random.choice(counts)
            limit, below = bound.name, bound.below
        else:
            limit = str(self.random.choice([0, 1, 2, 3, 4, 4]))
            below = int(limit)
        start = self.random.choice([0, 0, 0, 1])
        form = self.random.choice(["<", "<", "<", "<=", "step", "down"])
        if form == "<":
            head = f"for (int {name} = {start}; {name} < {limit}; {name}++)"
        elif form == "<=":
            head, below = f"for (int {name} = {start}; {name} <= {limit}; ++{name})", below + 1
        elif form == "step":
            head = f"for (int {name} = {start}; {name} < {limit}; {name} += 2)"
        else:
            head = f"for (int {name} = {limit} - 1; {name} >= 0; {name}--)"
        self.loops += 1
        switch, self.switch = self.switch, 0
        self.scope.append(Variable(name, "int", fixed=True, below=max(1, below)))
        self._block(head, self.random.randint(1, 3))
        self.scope.pop()
        self.loops -= 1
        self.switch = switch
        self._line("}")

    def _while(self) -> None:
        """A loop by a condition, with a count so that it ends."""
        if self.loops >= 2:
            self._assign()
            return
        name = self._fresh("i")
        self._line(f"int {name} = 0;")
        self.loops += 1
        switch, self.switch = self.switch, 0
        self.scope.append(Variable(name, "int", fixed=True, below=8))
        if self.random.random() < 0.5:
            self._block(f"while ({name} < {self.random.randint(1, 5)} && {self.expression('bool', 1)})", 2, f"{name}++;")
            self._line("}")
        else:
            self._block("do", 2, f"{name} += 1;")
            self._line(f"}} while ({name} < {self.random.randint(1, 4)});")
        self.scope.pop()
        self.loops -= 1
        self.switch = switch
        self.scope.append(Variable(name, "int", fixed=True, below=8))

    def _struct(self) -> None:
        """A struct, of which a part is set."""
        if not self.pair:
            self._declare()
            return
        name = self._fresh("s")
        self._line(f"Pair {name} = Pair({self.expression('vec3', 2)}, {self.expression('float', 2)});")
        if self.random.random() < 0.5:
            self._line(f"{name}.first.{self.random.choice(['x', 'zy', 'xyz'])} *= {self.expression('float', 1)};")
        if self.random.random() < 0.3:
            self._line(f"if ({self.expression('bool', 1)}) {name} = Pair({name}.first.zxy, 0.5);")
        self.scope += [Variable(f"{name}.first", "vec3"), Variable(f"{name}.second", "float")]

    def _float_loop(self) -> None:
        """A loop by a number with a fraction."""
        if self.loops >= 2:
            self._assign()
            return
        name = self._fresh("t")
        self.loops += 1
        switch, self.switch = self.switch, 0
        self.scope.append(Variable(name, "float", fixed=True))
        step = self.random.choice(["0.25", "0.5", "0.375"])
        self._block(f"for (float {name} = 0.0; {name} < {self.random.choice(['1.0', '0.5', '1.25'])}; {name} += {step})", 2)
        self.scope.pop()
        self.loops -= 1
        self.switch = switch
        self._line("}")

    def _endless(self) -> None:
        """A loop that only `break` ends, with a counter from outside that is used after it too."""
        if self.loops >= 2:
            self._assign()
            return
        name = self._fresh("k")
        self._line(f"int {name} = {self.random.randint(0, 1)};")
        self.loops += 1
        switch, self.switch = self.switch, 0
        self.scope.append(Variable(name, "int", fixed=True))
        how = self.random.choice(["while (true)", f"for (; ; {name}++)", f"for (int j = 0; j < 3; j++, {name} += 2)"])
        before = [f"if ({name} > {self.random.randint(1, 3)}) break;"]
        if how.startswith("while"):
            before.append(f"{name}++;")
        self._block(how, 2, *before)
        self.loops -= 1
        self.switch = switch
        self._line("}")

    def _integers(self) -> None:
        """Vectors of integers, and integers that change."""
        name, lanes = self._fresh("v"), self.random.randint(2, 4)
        self._line(f"ivec{lanes} {name} = ivec{lanes}(clamp({self._vector(lanes, 1)}, -3.0, 3.0) * 2.0);")
        if self.random.random() < 0.5:
            self._line(
                f"{name} = {self.random.choice(['max', 'min'])}({name}, ivec{lanes}({self._int(1)})) + {name}.{'yxwz'[:lanes] if lanes != 3 else 'zxy'};"
            )
        if self.random.random() < 0.5:
            self._line(f"{name}.x {self.random.choice(['+=', '-=', '*='])} {self.random.randint(1, 3)};")
        changed = self._fresh()
        self._line(f"vec{lanes} {changed} = vec{lanes}({name}) * 0.5;")
        self.scope.append(Variable(changed, f"vec{lanes}"))
        self.scope += [Variable(f"{name}.{lane}", "int", fixed=True) for lane in LANES[:lanes]]

    def _copy(self) -> None:
        """A copy of an array, of which an element is set."""
        tables = [variable for variable in self.scope if variable.elements and variable.type in FLOATS]
        if not tables:
            self._array()
            return
        table = self.random.choice(tables)
        name = self._fresh()
        self._line(f"{table.type} {name}[{table.elements}] = {table.name};")
        self._line(f"{name}[{self._index(table.elements)}] = {self.expression(table.type, 1)};")
        self.scope.append(Variable(name, table.type, table.elements))

    def _component(self) -> None:
        """A component by an index that is known only when it runs."""
        found = [
            variable for variable in self.scope if not variable.fixed and not variable.elements and variable.type[:3] == "vec"
        ]
        if not found:
            self._assign()
            return
        variable = self.random.choice(found)
        index = self._index(int(variable.type[3]))
        self._line(f"{variable.name}[{index}] {self.random.choice(['=', '+='])} {self._float(1)};")

    def _output(self) -> None:
        """An output that is set in part, and read."""
        name, kind = self.random.choice([*self.outputs, ("gl_Position", "vec4")])
        lanes = self.random.sample(LANES[: int(kind[3])], self.random.randint(1, 2))
        part = "".join(lanes)
        self._line(f"{name}.{part} {self.random.choice(['=', '+=', '-='])} {self.expression(FLOATS[len(part) - 1], 2)};")
        if self.random.random() < 0.4:
            copied = self._fresh()
            self._line(f"{kind} {copied} = {name};")
            self.scope.append(Variable(copied, kind))

    def _switch(self) -> None:
        self._line(f"switch ({self.expression('int', 1)}) {{")
        self.indent += 1
        self.switch += 1
        labels = self.random.sample(range(5), self.random.randint(1, 3))
        for label in labels:
            self._line(f"case {label}: {{")
            self._statements(self.random.randint(1, 2))
            self._line("}")
            if self.random.random() < 0.75:
                self._line("break;")
        if self.random.random() < 0.6:
            self._line("default: {")
            self._statements(1)
            self._line("}")
        self.switch -= 1
        self.indent -= 1
        self._line("}")

    def _call(self) -> None:
        function = self.random.choice(self.functions)
        text = self._called(function)
        if text is None:
            self._assign()
        elif function.returns == "void":
            self._line(f"{text};")
        else:
            name = self._fresh()
            self._line(f"{function.returns} {name} = {text};")
            self.scope.append(Variable(name, function.returns))

    def _called(self, function: Function) -> str | None:
        arguments: list[str] = []
        used: set[str] = set()
        for how, kind in function.parameters:
            if how == "in":
                arguments.append(self.expression(kind, 1))
                continue
            places = [
                variable.name for variable in self.scope
                if variable.type == kind and not variable.fixed and not variable.elements and variable.name not in used
            ]  # fmt: skip
            if not places:
                return None
            place = self.random.choice(places)
            used.add(place)
            arguments.append(place)
        return f"{function.name}({', '.join(arguments)})"

    def _leave(self) -> None:
        """`break`, `continue` or `return`, under a condition."""
        words = ["break", "continue", "continue"] if self.loops and not self.switch else ["continue"] if self.loops else []
        if self.inside in {"main", "void"}:
            words.append("return")
        elif self.inside:
            words.append(f"return {self.expression(self.inside, 1)}")
        self._line(f"if ({self.expression('bool', 1)}) {self.random.choice(words)};")

    # Expressions

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
            return self.random.choice([
                f"({one} * {self._float(1)})", f"({one} + {other})", f"({one} - {other})", f"matrixCompMult({one}, {other})",
                f"inverse({one} * 0.2 + {kind}(1.5))", f"outerProduct({self._vector(rows, 0)}, {self._vector(columns, 0)})", f"transpose({one})",
            ])  # fmt: skip
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


def shader(seed: int, size: int = 40, form: str = "") -> Shader:
    """The shader of a seed; `form`: LOOSE or BLOCK, by default what the seed says."""
    return Generator(seed, size, form).text()
