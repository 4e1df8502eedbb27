"""The vectors, inputs, outputs and uniforms of translations of the PICA200, by language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.translating.languages import F32, NUMBER, U32, VECTOR, Cpp, Glsl, Language, Wgsl
from lanewise.translating.operators import is_simple

if TYPE_CHECKING:
    from collections.abc import Sequence

_LIMIT = 127.99609375
_NAMED = {0.0: "ZERO", 1.0: "ONE", _LIMIT: "LITP_LIMIT", -_LIMIT: "MINUS_LITP_LIMIT"}


class PicaC(Language):
    """C. `exact`: numbers are float24 words, not float32."""

    prefix = "pica_"
    seldom = "PICA_COLD static "
    reserved = r"pica_|PICA_|gl_|__|r\d+$|n\d+$|saved\d+$|[rvocib]$|a0|cmp_|aL$|u$|in$|out$|given$|made$|state$|shader$"

    def __init__(self, *, exact: bool) -> None:
        super().__init__(U32 if exact else F32)
        self.exact = exact

    def constant(self, value: float) -> str:
        """A number of the semantics."""
        return f"PICA_{_NAMED[value]}" if self.exact else f"{value!r}{self.float_suffix}"

    def declared_constant(self, value: float, word: int) -> str:
        return self.word(f"PICA_{_NAMED[value]}", word, 6, repr(value))

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

    def is_ordinary(self, text: str) -> str:
        """Whether a number is neither 0 nor NaN."""
        return f"islessgreater({text}, {self.constant(0.0)})"

    def has_nan(self, a: str, b: str) -> str:
        """Whether a number is NaN."""
        return f"isunordered({a}, {b})"

    def infinities(self, name: str) -> str:
        """The function that does a vertex of a shader again where a product is NaN."""
        return f"{name}_infinities"

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


class PicaCpp(Cpp, PicaC):
    def is_ordinary(self, text: str) -> str:
        return f"std::{super().is_ordinary(text)}"

    def has_nan(self, a: str, b: str) -> str:
        return f"std::{super().has_nan(a, b)}"

    def infinities(self, name: str) -> str:
        return "infinities"

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


class PicaGlsl(Glsl, PicaC):
    seldom = ""

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


class PicaWgsl(Wgsl, PicaGlsl):
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


LANGUAGES: dict[str, type[PicaC]] = {each.row.name: each for each in (PicaC, PicaCpp, PicaGlsl, PicaWgsl)}
