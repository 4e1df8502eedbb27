"""The languages that programs are translated to: what differs between them in text."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from lanewise.core.diagnostics import visible
from lanewise.core.record import Record
from lanewise.translating.keywords import C_FUNCTIONS, C_WORDS, CPP_WORDS, GLSL_WORDS, WGSL_WORDS
from lanewise.translating.operators import bare, is_simple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Types of `functions`, and two more: a number in the chosen format, and four of them.
U32, I32, F32, BOOL, NUMBER, VECTOR = "U32", "I32", "F32", "BOOL", "NUMBER", "VECTOR"


class Row(Record):
    """A language: the name for `--to`, its title, the suffix of its files; `is_library`: a file has functions to call, for any
    number of shaders of any stage, and not one vertex shader to run."""

    name: str
    title: str
    suffix: str
    is_library: bool = False


class Language:
    """C; others replace what differs. An instruction set derives from them what it has besides, and sets `prefix`, with which
    its functions begin, and `reserved`, a pattern of names that its texts use.

    `number` is the type of its numbers: patterns in integers (U32), or F32.
    """

    row: Row = Row("c", "C", ".c", is_library=True)
    types: ClassVar[Mapping[str, str]] = {U32: "uint32_t", I32: "int32_t", F32: "float", BOOL: "bool"}
    vectors: ClassVar[Mapping[str, str]] = {U32: "{}vec4", F32: "{}vec4"}  # with the prefix
    prefix = ""
    reserved = ""
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
        "float_bits": "{prefix}float_bits({})",
        "infinity": "INFINITY",
    }
    # The heads of a loop and of statements that are done once, and the end of the latter.
    loop = "for (;;) {"
    once: str = "do {"
    once_end: str = "} while (false);"
    breaks_once = False  # whether what is done once is a loop with a `break` at its end
    cases_end = False  # whether a case of a `switch` is a block that ends by itself
    keywords = C_WORDS
    functions: frozenset[str] = C_FUNCTIONS  # which a shader cannot have the name of

    linkage = "static inline "
    seldom = ""  # the linkage of functions that are called seldom, where it is another one

    def __init__(self, number: str = U32) -> None:
        self.number = number

    def type(self, kind: str) -> str:
        if kind == VECTOR:
            return self.vectors[self.number].format(self.prefix)
        return self.types[self.number if kind == NUMBER else kind]

    # Functions

    def comment(self, text: str) -> str:
        """A comment that ends with its line, which names of files and lines of sources could go on with or leave."""
        line = visible(text, "").rstrip()
        return f"// {line} ." if line.endswith(("\\", "??/")) else f"// {line}"

    def function(self, name: str, arguments: Sequence[tuple[str, str]], result: str, *, seldom: bool = False) -> str:
        """The head of a function; `seldom`: it is out of the way of what is done often."""
        given = ", ".join([f"{self.type(kind)} {argument}" for argument, kind in arguments])
        linkage = self.seldom if seldom and self.seldom else self.linkage
        return f"{linkage}{self.type(result)} {self.prefix}{name}({given})"

    def variable(self, kind: str, name: str, value: str) -> str:
        return f"{self.type(kind)} {name} = {value};"

    def counted(self, counter: str, count: str) -> str:
        return f"for ({self.types[U32]} {counter} = 0{self.unsigned}; {counter} < {count}; {counter}++)"

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
        return self.built_ins[name].format(*texts, prefix=self.prefix)

    def cast(self, kind: str, text: str) -> str:
        return f"({self.types[kind]}){text if is_simple(text) else f'({text})'}"

    def table(self, name: str, values: Sequence[int]) -> list[str]:
        return [f"static const uint32_t {self.prefix}{name.lower()}[{len(values)}] = {{", *_rows(values), "};"]

    def word(self, name: str, value: int, digits: int, note: str) -> str:
        """The declaration of a constant of 32 bits."""
        return f"#define {name} 0x{value:0{digits}X}u  // {note}"

    def state(self, name: str) -> str:
        """A variable that functions share."""
        return f"s->{name}"


class Cpp(Language):
    row: Row = Row("cpp", "C++", ".hpp", is_library=True)
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

    def word(self, name: str, value: int, digits: int, note: str) -> str:
        return f"inline constexpr std::uint32_t {name} = 0x{value:0{digits}X}u;  // {note}"

    def state(self, name: str) -> str:
        return f"s.{name}"


class Glsl(Language):
    row: Row = Row("glsl", "GLSL ES 3.00", ".vert")
    types: ClassVar[Mapping[str, str]] = {U32: "uint", I32: "int", F32: "float", BOOL: "bool"}
    vectors: ClassVar[Mapping[str, str]] = {U32: "uvec4", F32: "vec4"}
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
    functions: frozenset[str] = frozenset(())

    def cast(self, kind: str, text: str) -> str:
        return f"{self.types[kind]}({text})"

    def table(self, name: str, values: Sequence[int]) -> list[str]:
        return [
            f"const uint {self.prefix}{name.lower()}[{len(values)}] = uint[{len(values)}](",
            *_rows(values, self.unsigned, last=True),
            ");",
        ]

    def word(self, name: str, value: int, digits: int, note: str) -> str:
        return f"const uint {name} = 0x{value:0{digits}X}u;  // {note}"

    def state(self, name: str) -> str:
        return name


class Wgsl(Glsl):
    row: Row = Row("wgsl", "WGSL", ".wgsl")
    types: ClassVar[Mapping[str, str]] = {U32: "u32", I32: "i32", F32: "f32", BOOL: "bool"}
    vectors: ClassVar[Mapping[str, str]] = {U32: "vec4<u32>", F32: "vec4<f32>"}
    float_suffix = "f"
    loop = "loop {"
    once: str = "loop {"
    once_end: str = "}"
    breaks_once = True
    cases_end = True
    built_ins: ClassVar[Mapping[str, str]] = {
        **Glsl.built_ins,
        "truncated": "i32({})",
        "float_bits": "bitcast<u32>({})",
        "infinity": "{prefix}infinity()",
    }
    keywords = WGSL_WORDS

    def function(self, name: str, arguments: Sequence[tuple[str, str]], result: str, *, seldom: bool = False) -> str:
        given = ", ".join([f"{argument}: {self.type(kind)}" for argument, kind in arguments])
        return f"fn {self.prefix}{name}({given}) -> {self.type(result)}"

    def variable(self, kind: str, name: str, value: str) -> str:
        return f"var {name}: {self.type(kind)} = {value};"

    def counted(self, counter: str, count: str) -> str:
        return f"for (var {counter} = 0u; {counter} < {count}; {counter}++)"

    def choice(self, test: str, yes: str, no: str) -> str:
        return f"select({bare(no)}, {bare(yes)}, {bare(test)})"

    def table(self, name: str, values: Sequence[int]) -> list[str]:
        return [
            f"var<private> {self.prefix}{name.lower()}: array<u32, {len(values)}> = array<u32, {len(values)}>(",
            *_rows(values, self.unsigned, last=True),
            ");",
        ]

    def word(self, name: str, value: int, digits: int, note: str) -> str:
        return f"const {name}: u32 = 0x{value:0{digits}X}u;  // {note}"


LANGUAGES: dict[str, type[Language]] = {each.row.name: each for each in (Language, Cpp, Glsl, Wgsl)}


def _rows(values: Sequence[int], suffix: str = "u", *, last: bool = False) -> list[str]:
    rows = [", ".join([f"0x{value:08X}{suffix}" for value in values[n : n + 8]]) for n in range(0, len(values), 8)]
    return [f"    {row}{'' if last and n == len(rows) - 1 else ','}" for n, row in enumerate(rows)]
