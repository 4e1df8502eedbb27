"""Random vertex shaders in GLSL, small enough for the PICA200, and random data for them.

Each is made of what shaders have: loops by integer uniforms and by known counts, nested, with `continue`, `break` and early
`return`; conditions by uniforms and by values; functions with `in`, `out` and `inout`; arrays of uniforms with indices that
differ by vertex; local arrays; matrices, their columns and parts; swizzles on both sides; `switch`; the functions of GLSL. What
is undefined in GLSL (an index outside, a root of something negative) is avoided by how expressions are written.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from spirv.given import BLOCK, LOOSE, Shader, Uniform, shape
from spirv.random_expressions import FLOATS, LANES, Expressions, Function, Variable

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

OUTPUTS = (
    ("color", "vec4"),
    ("texcoord0", "vec2"),
    ("texcoord1", "vec2"),
    ("texcoord2", "vec2"),
    ("view", "vec3"),
    ("normalquat", "vec4"),
)


class Writer(Expressions):
    """Writes one shader. `size` is about how many operations it has."""

    def __init__(self, seed: int, size: int = 40, form: str = "") -> None:
        super().__init__(seed, size)
        chosen = BLOCK if self.random.random() < 0.3 else LOOSE
        self.form = form or chosen
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
            (3, self._declare),
            (6, self._assign),
            (2.5, self._if),
            (1.5, self._for),
            (0.4, self._while),
            (0.6, self._switch),
            (0.6, self._array),
            (1.0 if self.functions else 0, self._call),
            (0.8 if self.inside else 0, self._leave),
            (0.4, self._struct),
            (0.3, self._float_loop),
            (0.3, self._endless),
            (0.4, self._integers),
            (0.4, self._copy),
            (0.3, self._component),
            (0.4 if self.inside == "main" else 0, self._output),
        ]
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

    @contextmanager
    def _looping(self, counter: Variable) -> Generator[None]:
        """Inside of a loop: its counter can be named, and `break` is that of the loop."""
        switch, self.switch = self.switch, 0
        self.loops += 1
        self.scope.append(counter)
        yield
        self.scope.pop()
        self.loops -= 1
        self.switch = switch

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
        with self._looping(Variable(name, "int", fixed=True, below=max(1, below))):
            self._block(head, self.random.randint(1, 3))
        self._line("}")

    def _while(self) -> None:
        """A loop by a condition, with a count so that it ends."""
        if self.loops >= 2:
            self._assign()
            return
        name = self._fresh("i")
        self._line(f"int {name} = 0;")
        counter = Variable(name, "int", fixed=True, below=8)
        with self._looping(counter):
            if self.random.random() < 0.5:
                self._block(f"while ({name} < {self.random.randint(1, 5)} && {self.expression('bool', 1)})", 2, f"{name}++;")
                self._line("}")
            else:
                self._block("do", 2, f"{name} += 1;")
                self._line(f"}} while ({name} < {self.random.randint(1, 4)});")
        self.scope.append(counter)

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
        step = self.random.choice(["0.25", "0.5", "0.375"])
        with self._looping(Variable(name, "float", fixed=True)):
            self._block(f"for (float {name} = 0.0; {name} < {self.random.choice(['1.0', '0.5', '1.25'])}; {name} += {step})", 2)
        self._line("}")

    def _endless(self) -> None:
        """A loop that only `break` ends, with a counter from outside that is used after it too."""
        if self.loops >= 2:
            self._assign()
            return
        name = self._fresh("k")
        self._line(f"int {name} = {self.random.randint(0, 1)};")
        counter = Variable(name, "int", fixed=True)
        how = self.random.choice(["while (true)", f"for (; ; {name}++)", f"for (int j = 0; j < 3; j++, {name} += 2)"])
        before = [f"if ({name} > {self.random.randint(1, 3)}) break;"]
        if how.startswith("while"):
            before.append(f"{name}++;")
        with self._looping(counter):
            self._block(how, 2, *before)
        self.scope.append(counter)
        self._line("}")

    def _integers(self) -> None:
        """Vectors of integers, and integers that change."""
        name, lanes = self._fresh("v"), self.random.randint(2, 4)
        self._line(f"ivec{lanes} {name} = ivec{lanes}(clamp({self._vector(lanes, 1)}, -3.0, 3.0) * 2.0);")
        if self.random.random() < 0.5:
            self._line(
                f"{name} = {self.random.choice(['max', 'min'])}({name}, ivec{lanes}({self._int(1)})) + "
                f"{name}.{'yxwz'[:lanes] if lanes != 3 else 'zxy'};"
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

    def _leave(self) -> None:
        """`break`, `continue` or `return`, under a condition."""
        words = ["break", "continue", "continue"] if self.loops and not self.switch else ["continue"] if self.loops else []
        if self.inside in {"main", "void"}:
            words.append("return")
        elif self.inside:
            words.append(f"return {self.expression(self.inside, 1)}")
        self._line(f"if ({self.expression('bool', 1)}) {self.random.choice(words)};")


def shader(seed: int, size: int = 40, form: str = "") -> Shader:
    """The shader of a seed; `form`: LOOSE or BLOCK, by default what the seed says."""
    return Writer(seed, size, form).text()
