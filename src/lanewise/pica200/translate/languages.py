"""The languages that programs are translated to: what differs between them in text."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from lanewise.core.diagnostics import visible
from lanewise.core.record import Record
from lanewise.pica200.translate.keywords import C_FUNCTIONS, C_WORDS, CPP_WORDS, GLSL_WORDS, WGSL_WORDS
from lanewise.pica200.translate.operators import bare, is_simple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Types of `functions`, and two more: a number in the chosen format, and four of them.
U32, I32, F32, BOOL, NUMBER, VECTOR = "U32", "I32", "F32", "BOOL", "NUMBER", "VECTOR"
_LIMIT = 127.99609375
_NAMED = {0.0: "ZERO", 1.0: "ONE", _LIMIT: "LITP_LIMIT", -_LIMIT: "MINUS_LITP_LIMIT"}


class Row(Record):
    """A language: the name for `--to`, its title, the suffix of its files; `is_library`: a file has functions to call, for any
    number of shaders of any stage, and not one vertex shader to run."""

    name: str
    title: str
    suffix: str
    is_library: bool = False


class Language:
    """C; others replace what differs. `exact`: numbers are float24 words, not float32."""

    row = Row("c", "C", ".c", is_library=True)
    types: ClassVar[Mapping[str, str]] = {U32: "uint32_t", I32: "int32_t", F32: "float", BOOL: "bool"}
    vectors: ClassVar[Mapping[bool, str]] = {True: "pica_vec4", False: "pica_vec4"}
    prefix = "pica_"
    unsigned = "u"
    float_suffix = "f"
    members = True  # inputs, outputs and uniforms are members of structures, which have names of their own
    operators = False  # whether vectors have operators
    built_ins: ClassVar[Mapping[str, str]] = {
        "truncated": "(int32_t){}",
        "sqrt": "sqrtf({})",
        "rounded_down": "floorf({})",
        "power_of_two": "exp2f({})",
        "logarithm": "log2f({})",
        "float_bits": "pica_float_bits({})",
        "infinity": "INFINITY",
    }
    # The heads of a loop and of statements that are done once, and the end of the latter.
    loop = "for (;;) {"
    once, once_end = "do {", "} while (false);"
    breaks_once = False  # whether what is done once is a loop with a `break` at its end
    cases_end = False  # whether a case of a `switch` is a block that ends by itself
    keywords = C_WORDS
    functions = C_FUNCTIONS  # which a shader cannot have the name of

    def __init__(self, *, exact: bool) -> None:
        self.exact = exact

    def type(self, kind: str) -> str:
        if kind == NUMBER:
            return self.types[U32 if self.exact else F32]
        return self.vectors[self.exact] if kind == VECTOR else self.types[kind]

    # Functions

    def comment(self, text: str) -> str:
        """A comment that ends with its line, which names of files and lines of sources could go on with or leave."""
        line = visible(text, "").rstrip()
        return f"// {line} ." if line.endswith(("\\", "??/")) else f"// {line}"

    def function(self, name: str, arguments: Sequence[tuple[str, str]], result: str) -> str:
        given = ", ".join([f"{self.type(kind)} {argument}" for argument, kind in arguments])
        return f"{self.linkage}{self.type(result)} {self.prefix}{name}({given})"

    linkage = "static inline "

    def variable(self, kind: str, name: str, value: str) -> str:
        return f"{self.type(kind)} {name} = {value};"

    def counted(self, counter: str, count: int) -> str:
        return f"for ({self.types[U32]} {counter} = 0{self.unsigned}; {counter} < {count}{self.unsigned}; {counter}++)"

    def literal(self, value: float, kind: str) -> str:
        if kind == F32:
            return f"{float(value)!r}{self.float_suffix}"
        number = int(value)
        text = str(number) if -256 < number < 256 else f"0x{number:X}"
        return f"{text}{self.unsigned}" if kind == U32 else text

    def choice(self, test: str, yes: str, no: str) -> str:
        return f"{test} ? {yes} : {no}"

    def built_in(self, name: str, texts: Sequence[str]) -> str:
        if name in ("i32", "u32"):
            return self.cast(I32 if name == "i32" else U32, texts[0])
        return self.built_ins[name].format(*texts)

    def cast(self, kind: str, text: str) -> str:
        return f"({self.types[kind]}){text if is_simple(text) else f'({text})'}"

    def table(self, name: str, values: Sequence[int]) -> list[str]:
        return [f"static const uint32_t {self.prefix}{name.lower()}[{len(values)}] = {{", *_rows(values), "};"]

    # Numbers and vectors

    def constant(self, value: float) -> str:
        """A number of the semantics."""
        return f"PICA_{_NAMED[value]}" if self.exact else f"{value!r}{self.float_suffix}"

    def declared_constant(self, value: float, word: int) -> str:
        return f"#define PICA_{_NAMED[value]} 0x{word:06X}u  // {value!r}"

    def construct(self, parts: Sequence[str]) -> str:
        return f"pica_vector({', '.join(parts)})"

    def swizzle(self, text: str, letters: str) -> str:
        """Four components of a vector in another order."""
        return f"pica_{letters}({text})"

    def swizzle_function(self, letters: str) -> list[str]:
        parts = ", ".join([f"a.{letter}" for letter in letters])
        return [f"{self.function(letters, [('a', VECTOR)], VECTOR)} {{", f"    return {self.construct([parts])};", "}"]

    def assign(self, target: str, letters: str, value: str) -> str:
        """Some components of a vector."""
        return f"pica_set_{letters}(&{target}, {value});"

    def setter(self, letters: str) -> list[str]:
        lines = [f"static inline void pica_set_{letters}(pica_vec4 *a, pica_vec4 b) {{"]
        return [*lines, *[f"    a->{letter} = b.{letter};" for letter in letters], "}"]

    def constructor(self) -> list[str]:
        kind = self.type(NUMBER)
        return [
            f"static inline pica_vec4 pica_vector({kind} x, {kind} y, {kind} z, {kind} w) {{",
            "    pica_vec4 a = {x, y, z, w};",
            "    return a;",
            "}",
        ]

    def splat(self, text: str) -> str:
        return f"pica_splat({text})"

    def reader(self, one: str) -> list[str]:
        """The function that reads a float uniform by an index."""
        return [
            self.comment("The float uniform of a number modulo 128: c0 to c95, and ones."),
            "static inline pica_vec4 pica_at(const void *u, int32_t row) {",
            f"    pica_vec4 a = {{{one}, {one}, {one}, {one}}};",
            "    if ((row & 127) < 96) {",
            "        memcpy(&a, (const char *)u + (row & 127) * sizeof a, sizeof a);",
            "    }",
            "    return a;",
            "}",
        ]

    # Places

    def passed(self, needs: Sequence[str]) -> list[str]:
        """The arguments of a procedure that needs these."""
        return [argument for need in needs for argument in (("send", "user") if need == "send" else (need,))]

    def state(self, name: str) -> str:
        """A variable that functions share."""
        return f"s->{name}"

    def emit(self, name: str) -> str:
        return f"{name}_emit(s, send, user);"

    def input(self, name: str) -> str:
        return f"in->{name}"

    def output(self, name: str) -> str:
        return f"out->{name}"

    def uniform(self, name: str, offset: int, size: int, first: int) -> str:
        return f"u->{name}[{offset}]" if size > 1 else f"u->{name}"

    def integer(self, name: str, number: int, channel: int) -> str:
        return f"u->{name}.{'xyzw'[channel]}"

    def boolean(self, name: str, number: int) -> str:
        return f"u->{name}"

    def at(self, row: str) -> str:
        return f"pica_at(u, {row})"

    def first(self, name: str, register: int) -> str:
        """The number of a uniform's first register."""
        return str(register)


class Cpp(Language):
    row = Row("cpp", "C++", ".hpp", is_library=True)
    linkage = "inline "
    keywords = CPP_WORDS
    built_ins: ClassVar[Mapping[str, str]] = {
        **Language.built_ins,
        "truncated": "std::int32_t({})",
        "sqrt": "std::sqrt({})",
        "rounded_down": "std::floor({})",
        "power_of_two": "std::exp2({})",
        "logarithm": "std::log2({})",
        "infinity": "std::numeric_limits<float>::infinity()",
    }
    types: ClassVar[Mapping[str, str]] = {U32: "std::uint32_t", I32: "std::int32_t", F32: "float", BOOL: "bool"}

    def cast(self, kind: str, text: str) -> str:
        return f"{self.types[kind]}({text})"

    def table(self, name: str, values: Sequence[int]) -> list[str]:
        return [f"inline constexpr std::uint32_t {self.prefix}{name.lower()}[{len(values)}] = {{", *_rows(values), "};"]

    def declared_constant(self, value: float, word: int) -> str:
        return f"inline constexpr std::uint32_t PICA_{_NAMED[value]} = 0x{word:06X}u;  // {value!r}"

    def assign(self, target: str, letters: str, value: str) -> str:
        return f"pica_set_{letters}({target}, {value});"

    def setter(self, letters: str) -> list[str]:
        lines = [f"inline void pica_set_{letters}(pica_vec4 &a, pica_vec4 b) {{"]
        return [*lines, *[f"    a.{letter} = b.{letter};" for letter in letters], "}"]

    def constructor(self) -> list[str]:
        kind = self.type(NUMBER)
        return [
            f"inline pica_vec4 pica_vector({kind} x, {kind} y, {kind} z, {kind} w) {{",
            "    return pica_vec4{x, y, z, w};",
            "}",
        ]

    def reader(self, one: str) -> list[str]:
        return [
            self.comment("The float uniform of a number modulo 128: c0 to c95, and ones."),
            "inline pica_vec4 pica_at(const Uniforms &u, std::int32_t row) {",
            f"    pica_vec4 a{{{one}, {one}, {one}, {one}}};",
            "    if ((row & 127) < 96) {",
            "        std::memcpy(&a, reinterpret_cast<const char *>(&u) + (row & 127) * sizeof a, sizeof a);",
            "    }",
            "    return a;",
            "}",
        ]

    def passed(self, needs: Sequence[str]) -> list[str]:
        return list(needs)

    def state(self, name: str) -> str:
        return f"s.{name}"

    def emit(self, name: str) -> str:
        return "emit(s, send);"

    def input(self, name: str) -> str:
        return f"in.{name}"

    def output(self, name: str) -> str:
        return f"out.{name}"

    def uniform(self, name: str, offset: int, size: int, first: int) -> str:
        return super().uniform(name, offset, size, first).replace("->", ".")

    def integer(self, name: str, number: int, channel: int) -> str:
        return super().integer(name, number, channel).replace("->", ".")

    def boolean(self, name: str, number: int) -> str:
        return f"u.{name}"


class Glsl(Language):
    row = Row("glsl", "GLSL ES 3.00", ".vert")
    types: ClassVar[Mapping[str, str]] = {U32: "uint", I32: "int", F32: "float", BOOL: "bool"}
    vectors: ClassVar[Mapping[bool, str]] = {True: "uvec4", False: "vec4"}
    float_suffix = ""
    linkage = ""
    operators = True
    members = False
    built_ins: ClassVar[Mapping[str, str]] = {
        "truncated": "int({})",
        "sqrt": "sqrt({})",
        "rounded_down": "floor({})",
        "power_of_two": "exp2({})",
        "logarithm": "log2({})",
        "float_bits": "floatBitsToUint({})",
        "infinity": "uintBitsToFloat(0x7F800000u)",
    }
    keywords = GLSL_WORDS
    functions = frozenset(())

    def cast(self, kind: str, text: str) -> str:
        return f"{self.types[kind]}({text})"

    def table(self, name: str, values: Sequence[int]) -> list[str]:
        return [
            f"const uint {self.prefix}{name.lower()}[{len(values)}] = uint[{len(values)}](",
            *_rows(values, self.unsigned, last=True),
            ");",
        ]

    def declared_constant(self, value: float, word: int) -> str:
        return f"const uint PICA_{_NAMED[value]} = 0x{word:06X}u;  // {value!r}"

    def construct(self, parts: Sequence[str]) -> str:
        return f"{self.type(VECTOR)}({', '.join(parts)})"

    def swizzle(self, text: str, letters: str) -> str:
        return f"{text if is_simple(text) else f'({text})'}.{letters}"

    def swizzle_function(self, letters: str) -> list[str]:
        return []

    def assign(self, target: str, letters: str, value: str) -> str:
        return f"{target}.{letters} = {self.swizzle(value, letters)};"

    def setter(self, letters: str) -> list[str]:
        return []

    def constructor(self) -> list[str]:
        return []

    def splat(self, text: str) -> str:
        return f"{self.type(VECTOR)}({text})"

    def reader(self, one: str) -> list[str]:
        kind = self.type(VECTOR)
        return [
            self.comment("The float uniform of a number modulo 128: c0 to c95, and ones."),
            f"{kind} pica_at(int row) {{",
            f"    return (row & 127) < 96 ? c[min(row & 127, 95)] : {kind}({one});",
            "}",
        ]

    def passed(self, needs: Sequence[str]) -> list[str]:
        return []

    def state(self, name: str) -> str:
        return name

    def input(self, name: str) -> str:
        return name

    def output(self, name: str) -> str:
        return name

    def uniform(self, name: str, offset: int, size: int, first: int) -> str:
        return f"c[{name} + {offset}]" if size > 1 and offset else f"c[{name}]"

    def integer(self, name: str, number: int, channel: int) -> str:
        return f"i[{name}].{'xyzw'[channel]}"

    def boolean(self, name: str, number: int) -> str:
        return f"((b >> {name} & 1u) != 0u)"

    def at(self, row: str) -> str:
        return f"pica_at({row})"

    def first(self, name: str, register: int) -> str:
        return name


class Wgsl(Glsl):
    row = Row("wgsl", "WGSL", ".wgsl")
    types: ClassVar[Mapping[str, str]] = {U32: "u32", I32: "i32", F32: "f32", BOOL: "bool"}
    vectors: ClassVar[Mapping[bool, str]] = {True: "vec4<u32>", False: "vec4<f32>"}
    float_suffix = "f"
    loop = "loop {"
    once, once_end = "loop {", "}"
    breaks_once = True
    cases_end = True
    built_ins: ClassVar[Mapping[str, str]] = {
        **Glsl.built_ins,
        "truncated": "i32({})",
        "float_bits": "bitcast<u32>({})",
        "infinity": "pica_infinity()",
    }
    keywords = WGSL_WORDS

    def function(self, name: str, arguments: Sequence[tuple[str, str]], result: str) -> str:
        given = ", ".join([f"{argument}: {self.type(kind)}" for argument, kind in arguments])
        return f"fn {self.prefix}{name}({given}) -> {self.type(result)}"

    def variable(self, kind: str, name: str, value: str) -> str:
        return f"var {name}: {self.type(kind)} = {value};"

    def counted(self, counter: str, count: int) -> str:
        return f"for (var {counter} = 0u; {counter} < {count}u; {counter}++)"

    def choice(self, test: str, yes: str, no: str) -> str:
        return f"select({bare(no)}, {bare(yes)}, {bare(test)})"

    def table(self, name: str, values: Sequence[int]) -> list[str]:
        return [
            f"var<private> {self.prefix}{name.lower()}: array<u32, {len(values)}> = array<u32, {len(values)}>(",
            *_rows(values, self.unsigned, last=True),
            ");",
        ]

    def declared_constant(self, value: float, word: int) -> str:
        return f"const PICA_{_NAMED[value]}: u32 = 0x{word:06X}u;  // {value!r}"

    def assign(self, target: str, letters: str, value: str) -> str:
        return f"{target} = pica_set_{letters}({target}, {value});"

    def setter(self, letters: str) -> list[str]:
        kind = self.type(VECTOR)
        parts = ", ".join([f"{'b' if letter in letters else 'a'}.{letter}" for letter in "xyzw"])
        return [f"fn pica_set_{letters}(a: {kind}, b: {kind}) -> {kind} {{", f"    return {kind}({parts});", "}"]

    def uniform(self, name: str, offset: int, size: int, first: int) -> str:
        return f"u.{super().uniform(name, offset, size, first)}"

    def integer(self, name: str, number: int, channel: int) -> str:
        return f"u.{super().integer(name, number, channel)}"

    def boolean(self, name: str, number: int) -> str:
        return f"((u.b >> {name} & 1u) != 0u)"

    def reader(self, one: str) -> list[str]:
        kind = self.type(VECTOR)
        return [
            self.comment("The float uniform of a number modulo 128: c0 to c95, and ones."),
            f"fn pica_at(row: i32) -> {kind} {{",
            "    if ((row & 127) < 96) {",
            "        return u.c[row & 127];",
            "    }",
            f"    return {kind}({one});",
            "}",
        ]

    def input(self, name: str) -> str:
        return f"given.{name}"

    def output(self, name: str) -> str:
        return f"made.{name}"


LANGUAGES: dict[str, type[Language]] = {each.row.name: each for each in (Language, Cpp, Glsl, Wgsl)}


def _rows(values: Sequence[int], suffix: str = "u", *, last: bool = False) -> list[str]:
    rows = [", ".join([f"0x{value:08X}{suffix}" for value in values[n : n + 8]]) for n in range(0, len(values), 8)]
    return [f"    {row}{'' if last and n == len(rows) - 1 else ','}" for n, row in enumerate(rows)]
