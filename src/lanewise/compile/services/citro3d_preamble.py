"""The preamble of a program as functions of a C header: the same numbers as `pica200.engine.preamble`, bit for bit.

typedef struct NAME_uniforms { ... } NAME_uniforms;
NAME_prepare(const NAME_uniforms *u, C3D_FVec out[])     what the registers are
NAME_upload(const NAME_uniforms *u)                      the same, set
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from lanewise.compile.vector import code as v
from lanewise.compile.vector.walk import statements
from lanewise.core.numbers.binary import dot_in_order
from lanewise.core.numbers.floats import float32_bits, float_from_bits
from lanewise.pica200.sem.numbers import rules_of
from lanewise.pica200.sem.profile import HARDWARE
from lanewise.pica200.sem.vector_numbers import LN2, LOGARITHMS, POWERS, SQRT_HALF, Words
from lanewise.pica200.translate import float24
from lanewise.pica200.translate.languages import PicaC
from lanewise.translating.functions import Library
from lanewise.translating.names import identifier

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.compile.vector.code import Operand, Program, Ref, Statement

INCLUDES = ("<math.h>", "<stdbool.h>", "<stdint.h>", "<string.h>")
_LETTERS = "xyzw"
_WIDTH = 4
_COMPARED = {v.LT: "<", v.LE: "<=", v.EQ: "==", v.NE: "!="}
# A compiler that joins a product and a sum rounds once where two roundings are meant.
_TWICE = (
    "#if defined(__GNUC__) && !defined(__clang__)",
    "#pragma GCC push_options",
    '#pragma GCC optimize("fp-contract=off")',
    "#elif defined(__clang__)",
    "#pragma STDC FP_CONTRACT OFF",
    "#endif",
)
_AGAIN = ("#if defined(__GNUC__) && !defined(__clang__)", "#pragma GCC pop_options", "#endif")


def preamble_functions(preamble: Program, name: str, register: int, *, exact: bool) -> list[str]:
    """The structure and functions of a preamble that computes registers from `register` on."""
    numbers = _Float24(name) if exact else _Float32(name)
    writer = _Writer(preamble, name, numbers)
    body = list(writer.function())
    rows = len(preamble.outputs)
    return [
        "",
        "/* Work on uniforms only, which is done before a draw. */",
        *writer.structure(),
        "",
        *_TWICE,
        *numbers.functions(),
        "",
        *body,
        *_AGAIN,
        "",
        f"/* Sets c{register}{f' to c{register + rows - 1}' if rows > 1 else ''}: call it whenever one of these uniforms"
        " changes. */",
        f"static inline void {name}_upload(const {name}_uniforms *u)",
        "{",
        f"\tC3D_FVec out[{rows}];",
        f"\t{name}_prepare(u, out);",
        f"\tfor (int n = 0; n < {rows}; n++)",
        f"\t\tC3D_FVUnifSet(GPU_VERTEX_SHADER, {register} + n, out[n].x, out[n].y, out[n].z, out[n].w);",
        "}",
    ]


class _Numbers(ABC):
    """The operations of a format as expressions."""

    type: str

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def known(self, value: float) -> str: ...

    @abstractmethod
    def taken(self, text: str) -> str:
        """A float of the application."""

    @abstractmethod
    def given(self, text: str) -> str:
        """A float for the application."""

    @abstractmethod
    def negate(self, text: str) -> str: ...

    @abstractmethod
    def operate(self, op: str, a: Sequence[str]) -> str:
        """An operation on one lane."""

    @abstractmethod
    def dot(self, a: Sequence[str], b: Sequence[str]) -> str: ...

    @abstractmethod
    def functions(self) -> list[str]:
        """The functions that these expressions call."""

    def logic(self, op: str, a: Sequence[str]) -> str:
        """A junctor or a selection."""
        one, zero = self.known(1.0), self.known(0.0)
        if op == v.SELECT:
            return f"({a[0]} == {one} ? {a[1]} : {a[2]})"
        if op == v.NOT:
            return f"({a[0]} == {one} ? {zero} : {one})"
        joined = " && " if op == v.AND else " || "
        return f"({joined.join([f'{each} == {one}' for each in a])} ? {one} : {zero})"


class _Float32(_Numbers):
    type = "float"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.used: dict[str, None] = {}

    def known(self, value: float) -> str:
        single = float_from_bits(float32_bits(value))
        if math.isnan(single):
            return "NAN"
        return f"{'-' if single < 0 else ''}INFINITY" if math.isinf(single) else f"{single!r}f"

    def taken(self, text: str) -> str:
        return text

    given = taken

    def negate(self, text: str) -> str:
        return f"-{text}"

    def call(self, function: str, *texts: str) -> str:
        self.used.setdefault(function)
        return f"{self.name}_{function}({', '.join(texts)})"

    def add(self, a: str, b: str) -> str:
        return f"({a} + {b})"

    def mul(self, a: str, b: str) -> str:
        return self.call("mul", a, b)

    def constant(self, value: float) -> str:
        return self.known(value)

    def dot(self, a: Sequence[str], b: Sequence[str]) -> str:
        return dot_in_order(self, "left", a, b)

    def operate(self, op: str, a: Sequence[str]) -> str:
        if op in _COMPARED:
            return f"({a[0]} {_COMPARED[op]} {a[1]} ? 1.0f : 0.0f)"
        match op:
            case v.ADD:
                return self.add(a[0], a[1])
            case v.MUL:
                return self.mul(a[0], a[1])
            case v.MAD:
                return self.add(self.mul(a[0], a[1]), a[2])
            case v.MIN | v.MAX:
                return f"({a[0]} {'<' if op == v.MIN else '>'} {a[1]} ? {a[0]} : {a[1]})"
            case v.FLOOR | v.TRUNC:
                return f"{op}f({a[0]})"
            case v.RCP:
                return f"1.0f / ({a[0]})"
            case v.RSQ:
                return f"1.0f / sqrtf({a[0]})"
            case v.EXP2 | v.LOG2:
                return self.call(op, a[0])
            case _:
                return self.logic(op, a)

    def functions(self) -> list[str]:
        found: list[str] = []
        for each in self.used:
            arguments, body = _FUNCTIONS[each]
            found += ["", f"static inline float {self.name}_{each}({arguments})", "{", *body.split("\n"), "}"]
        return found


def _terms(terms: Sequence[float]) -> str:
    """The coefficients of a series, and its sum for x."""
    values = [repr(term) for term in terms]
    rows = "".join([f"\t\t{', '.join(values[n : n + 4])},\n" for n in range(0, len(values), 4)])
    return f"""\tstatic const double terms[{len(terms)}] = {{
{rows}\t}};
\tdouble total = 0.0;
\tfor (int n = {len(terms) - 1}; n >= 0; n--)
\t\ttotal = total * x + terms[n];"""


# By operation the arguments and the body of its function.
_FUNCTIONS = {
    "mul": (
        "float a, float b",
        """\tconst float product = a * b;
\treturn product != product && a == a && b == b ? 0.0f : product; /* 0 times infinity is 0 */""",
    ),
    v.EXP2: (
        "float a",
        f"""\tif (!(a > -200.0f && a < 200.0f))
\t\treturn a != a ? a : a > 0.0f ? INFINITY : 0.0f;
\tconst double whole = floor((double)a + 0.5), x = ((double)a - whole) * {LN2!r};
{_terms(POWERS)}
\treturn (float)ldexp(total, (int)whole);""",
    ),
    v.LOG2: (
        "float a",
        f"""\tif (!(a > 0.0f && a < INFINITY))
\t\treturn a == 0.0f ? -INFINITY : a > 0.0f ? a : NAN;
\tint exponent;
\tdouble mantissa = frexp((double)a, &exponent);
\tif (mantissa < {SQRT_HALF!r}) {{
\t\tmantissa = 2.0 * mantissa;
\t\texponent--;
\t}}
\tconst double s = (mantissa - 1.0) / (mantissa + 1.0), x = s * s;
{_terms(LOGARITHMS)}
\treturn (float)(exponent + s * total);""",
    ),
}


class _Float24(_Numbers):
    type = "uint32_t"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        rules = rules_of(HARDWARE, nearest=False)
        chosen = float24.choices(rules, HARDWARE.litp_nan, HARDWARE.litp_flags, HARDWARE.mova_fraction, HARDWARE.mova_range)
        self.library = Library(float24, {**chosen, "FINITE": False})
        self.language = PicaC(exact=True)
        self.language.prefix = f"{name}_"
        self.words = Words()
        self.used: dict[str, None] = {}

    def known(self, value: float) -> str:
        return f"0x{self.words.known(value):06X}u"

    def constant(self, value: float) -> str:
        return self.known(value)

    def call(self, function: str, *texts: str) -> str:
        self.used.setdefault(function)
        return f"{self.name}_{function}({', '.join(texts)})"

    def taken(self, text: str) -> str:
        self.used |= dict.fromkeys(("canonical", "from_float_bits"))
        return f"{self.name}_taken({text})"

    def given(self, text: str) -> str:
        self.used.setdefault("to_float_bits")
        return f"{self.name}_given({text})"

    def negate(self, text: str) -> str:
        return self.call("negate", text)

    def add(self, a: str, b: str) -> str:
        return self.call("add", a, b)

    def mul(self, a: str, b: str) -> str:
        return self.call("mul", a, b)

    def dot(self, a: Sequence[str], b: Sequence[str]) -> str:
        return dot_in_order(self, HARDWARE.dot_order, a, b)

    def operate(self, op: str, a: Sequence[str]) -> str:
        if op in _COMPARED:
            return f"({self.call(op, *a)} ? {self.known(1.0)} : {self.known(0.0)})"
        if op == v.TRUNC:
            below = self.negate(self.call("floor", self.negate(a[0])))
            return f"({self.call('lt', a[0], self.known(0.0))} ? {below} : {self.call('floor', a[0])})"
        if op in (v.AND, v.OR, v.NOT, v.SELECT):
            return self.logic(op, a)
        return self.call({v.MIN: "smaller", v.MAX: "larger"}.get(op, op), *a)

    def functions(self) -> list[str]:
        names = self.library.used(self.used)
        found: list[str] = []
        for table, values in self.library.tables(names).items():
            found += ["", *self.language.table(table, values)]
        for each in names:
            found += ["", *self.library.text(each, self.language)]
        name = self.name
        if "from_float_bits" in self.used:
            found += [
                "",
                f"static inline uint32_t {name}_taken(float a)",
                "{",
                "\tuint32_t bits;",
                "\tmemcpy(&bits, &a, sizeof bits);",
                f"\treturn {name}_canonical({name}_from_float_bits(bits));",
                "}",
            ]
        return [
            *found,
            "",
            f"static inline float {name}_given(uint32_t word)",
            "{",
            f"\tconst uint32_t bits = {name}_to_float_bits(word);",
            "\tfloat a;",
            "\tmemcpy(&a, &bits, sizeof a);",
            "\treturn a;",
            "}",
        ]


class _Writer:
    """The function that computes a preamble."""

    def __init__(self, program: Program, name: str, numbers: _Numbers) -> None:
        self.program, self.name, self.numbers = program, name, numbers
        language, taken = PicaC(exact=False), set[str]()
        read = list(statements(program.body))
        rows = {s.uniform for s in read if isinstance(s, v.Row)}
        flags = {s.flag for s in read if isinstance(s, v.Truth)}
        counts = {s.turns.number for s in read if isinstance(s, v.For) and isinstance(s.turns, v.CountOf)}
        self.rows = {n: identifier(program.uniforms[n].name, language, taken) for n in sorted(rows)}
        self.flags = {n: identifier(program.flags[n].name, language, taken) for n in sorted(flags)}
        self.counts = {n: identifier(program.counts[n].name, language, taken) for n in sorted(counts)}
        self.left = {s.label for s in read if isinstance(s, v.Leave)}

    def structure(self) -> Iterator[str]:
        """The uniforms that it reads."""
        yield f"typedef struct {self.name}_uniforms {{"
        for number, member in self.rows.items():
            rows = self.program.uniforms[number].rows
            yield f"\tC3D_FVec {member}{f'[{rows}]' if rows > 1 else ''};"
        for member in self.flags.values():
            yield f"\tbool {member};"
        for number, member in self.counts.items():
            yield f"\tint {member}; /* 0 to {self.program.counts[number].most} */"
        if not self.rows and not self.flags and not self.counts:
            yield "\tint unused;"
        yield f"}} {self.name}_uniforms;"

    def function(self) -> Iterator[str]:
        kind = self.numbers.type
        yield f"static inline void {self.name}_prepare(const {self.name}_uniforms *u, C3D_FVec out[])"
        yield "{"
        stored = {s.variable for s in statements(self.program.body) if isinstance(s, v.Store)}
        stored |= {output.variable for output in self.program.outputs}
        for n in sorted(stored):
            yield f"\t{kind} x{n}[4] = {{{', '.join([self.numbers.known(0.0)] * _WIDTH)}}};"
        yield from self.block(self.program.body, "\t")
        for n, output in enumerate(self.program.outputs):
            for lane, letter in enumerate(_LETTERS):
                value = self.numbers.given(f"x{output.variable}[{lane}]") if lane in output.lanes else "0.0f"
                yield f"\tout[{n}].{letter} = {value};"
        yield "}"

    def ref(self, ref: Ref) -> str:
        text = f"v{ref.value}[{ref.lane}]"
        return self.numbers.negate(text) if ref.negated else text

    def refs(self, operand: Operand) -> list[str]:
        return [self.ref(ref) for ref in operand]

    def block(self, body: Sequence[Statement], indent: str) -> Iterator[str]:
        for s in body:
            yield from self.statement(s, indent)

    def statement(self, s: Statement, indent: str) -> Iterator[str]:
        match s:
            case v.Store(variable):
                yield from [f"{indent}x{variable}[{lane}] = {self.ref(ref)};" for lane, ref in s.pairs]
            case v.If(condition, yes, no):
                yield f"{indent}if ({self.ref(condition)} == {self.numbers.known(1.0)}) {{"
                yield from self.block(yes, f"{indent}\t")
                if no:
                    yield f"{indent}}} else {{"
                    yield from self.block(no, f"{indent}\t")
                yield f"{indent}}}"
            case v.For(label=label):
                yield from self.count(s, indent)
                yield from self.after(label, indent)
            case v.Loop(label, body) | v.Scope(label, body):
                yield f"{indent}{'for (;;) ' if isinstance(s, v.Loop) else ''}{{"
                yield from self.block(body, f"{indent}\t")
                yield f"{indent}}}"
                yield from self.after(label, indent)
            case v.Leave(label):
                yield f"{indent}goto after_{label};"
            case _:
                yield from self.value(s, indent)

    def after(self, label: int, indent: str) -> Iterator[str]:
        if label in self.left:
            yield f"{indent[:-1]}after_{label}:;"

    def count(self, s: v.For, indent: str) -> Iterator[str]:
        below = [str(s.turns)]
        if isinstance(s.turns, v.CountOf):
            below = [f"u->{self.counts[s.turns.number]}", str(self.program.counts[s.turns.number].most)]
        asked = " && ".join([f"n{s.label} < {each}" for each in below])
        yield f"{indent}for (int n{s.label} = 0; {asked}; n{s.label}++) {{"
        number = f"(float)({s.start} + {s.step} * n{s.label})"
        yield f"{indent}\tconst {self.numbers.type} v{s.counter}[1] = {{{self.numbers.taken(number)}}};"
        yield f"{indent}\t(void)v{s.counter};"
        yield from self.block(s.body, f"{indent}\t")
        yield f"{indent}}}"

    def value(self, s: Statement, indent: str) -> Iterator[str]:
        numbers = self.numbers
        match s:
            case v.Number(result, values):
                lanes = [numbers.known(value) for value in values]
            case v.Row(result=result):
                place = self.place(s)
                if s.offset is not None:
                    yield from self.indexed(s, indent)
                    place = f"r{result}"
                lanes = [numbers.taken(f"{place}.{letter}") for letter in _LETTERS]
            case v.Table(result, rows, at):
                yield from self.table(s, rows, at, indent)
                lanes = [numbers.taken(f"r{result}[{lane}]") for lane in range(_WIDTH)]
            case v.Truth(result, flag):
                lanes = [f"u->{self.flags[flag]} ? {numbers.known(1.0)} : {numbers.known(0.0)}"]
            case v.Load(result, variable):
                lanes = [f"x{variable}[{lane}]" for lane in range(_WIDTH)]
            case v.Operate(result, v.DOT, (a, b)):
                lanes = [numbers.dot(self.refs(a), self.refs(b))]
            case v.Operate(result, op, operands):
                lanes = [numbers.operate(op, lane) for lane in zip(*map(self.refs, operands), strict=True)]
            case _:
                raise AssertionError(s)
        yield f"{indent}const {numbers.type} v{result}[{len(lanes)}] = {{{', '.join(lanes)}}};"

    def place(self, s: v.Row) -> str:
        return f"u->{self.rows[s.uniform]}{f'[{s.row}]' if self.program.uniforms[s.uniform].rows > 1 else ''}"

    def at(self, ref: Ref) -> str:
        """A whole number as a float."""
        return self.numbers.given(self.ref(ref))

    def indexed(self, s: v.Row, indent: str) -> Iterator[str]:
        """A row whose number is computed: zeros outside of the uniform."""
        assert s.offset is not None
        result, rows, member = s.result, self.program.uniforms[s.uniform].rows, self.rows[s.uniform]
        yield f"{indent}C3D_FVec r{result};"
        yield f"{indent}const float i{result} = truncf({self.at(s.offset)}) + {float(s.row)}f;"
        yield f"{indent}memset(&r{result}, 0, sizeof r{result});"
        yield f"{indent}if (i{result} >= 0.0f && i{result} < {float(rows)}f)"
        yield f"{indent}\tr{result} = u->{member}{f'[(int)i{result}]' if rows > 1 else ''};"

    def table(self, s: v.Table, rows: Sequence[Sequence[float]], at: Ref, indent: str) -> Iterator[str]:
        single = _Float32(self.name)
        result = s.result
        yield f"{indent}static const float t{result}[{len(rows)}][4] = {{"
        yield from [f"{indent}\t{{{', '.join([single.known(value) for value in row])}}}," for row in rows]
        yield f"{indent}}};"
        yield f"{indent}float r{result}[4] = {{0.0f, 0.0f, 0.0f, 0.0f}};"
        yield f"{indent}const float i{result} = truncf({self.at(at)});"
        yield f"{indent}if (i{result} >= 0.0f && i{result} < {float(len(rows))}f)"
        yield f"{indent}\tmemcpy(r{result}, t{result}[(int)i{result}], sizeof r{result});"
