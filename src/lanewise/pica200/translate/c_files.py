"""Files of C and C++: types, the functions that are used, and by shader its structures and functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.pica200.isa.table import BOOLEAN, INTEGER, register_name
from lanewise.pica200.translate.presets import numbers
from lanewise.translating.languages import BOOL, I32, NUMBER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.translate.emit import Body, Part
    from lanewise.pica200.translate.languages import PicaC
    from lanewise.pica200.translate.support import Support
    from lanewise.translating.names import Member

_FLOAT_BITS = (
    "static inline uint32_t pica_float_bits(float a) {",
    "    uint32_t bits;",
    "    memcpy(&bits, &a, sizeof bits);",
    "    return bits;",
    "}",
)
_FLOATS = (
    "// A float as a float24 word, cut toward zero.",
    "PICA_UNUSED static inline uint32_t pica_from_float(float a) {",
    "    uint32_t bits;",
    "    memcpy(&bits, &a, sizeof bits);",
    "    return pica_from_float_bits(bits);",
    "}",
    "",
    "// A float24 word as a float, which is exact.",
    "PICA_UNUSED static inline float pica_to_float(uint32_t word) {",
    "    uint32_t bits = pica_to_float_bits(word);",
    "    float a;",
    "    memcpy(&a, &bits, sizeof a);",
    "    return a;",
    "}",
)
_UNUSED = (
    "#ifdef __GNUC__",
    "#define PICA_UNUSED __attribute__((unused))",
    "#else",
    "#define PICA_UNUSED",
    "#endif",
)
# What is done where an infinity or NaN comes up, kept out of the way of the rest.
_COLD = (
    "#ifndef PICA_COLD",
    "#ifdef __GNUC__",
    "#define PICA_COLD __attribute__((cold, noinline))",
    "#else",
    "#define PICA_COLD",
    "#endif",
    "#endif",
)
_FOR_USERS = ("from_float_bits", "to_float_bits", "canonical")
_RESULT = "// 0 where the shader ends, the number of the fault where it does not."
_INFINITIES = "// The same where 0 times an infinity comes up, which is 0."
_LINE = 116
_BLOCK = 256  # vertices that are done again together, where one of them has to be
# The arrays of a batch do not overlap.
_INDEPENDENT = (
    "#if defined(__GNUC__) && !defined(__clang__)",
    '#define PICA_INDEPENDENT _Pragma("GCC ivdep")',
    "#else",
    "#define PICA_INDEPENDENT",
    "#endif",
)


def c_file(support: Support, parts: Sequence[Part]) -> list[str]:
    """The lines of a source of C."""
    language, exact = support.language, support.language.exact
    if exact:
        support.functions.update(dict.fromkeys(_FOR_USERS))
    text = support.text()
    lines = ["#include <math.h>"] if not exact or any("INFINITY" in line for line in text) else []
    lines += ["#include <stdbool.h>", "#include <stdint.h>", "#include <string.h>", "", *_UNUSED, ""]
    lines += ["typedef struct pica_vec4 {", f"    {language.type(NUMBER)} x, y, z, w;", "} pica_vec4;", ""]
    lines += ["typedef struct pica_int4 {", "    uint8_t x, y, z, w;", "} pica_int4;"]
    if any(part.straight for part in parts):
        lines += ["", *_INDEPENDENT]
    if any("float_bits(" in line for line in text) and not exact:
        lines += ["", *_FLOAT_BITS]
    lines += _cold(language, text)
    lines += [
        line.replace("static inline uint32_t pica_canonical", "PICA_UNUSED static inline uint32_t pica_canonical")
        for line in text
    ]
    if exact:
        lines += ["", *_FLOATS]
    for part in parts:
        shader = _C(support, part)
        lines += ["", *shader.interface(), *shader.functions()]
        if support.batch and not shader.geometry:
            lines += ["", *shader.batch()]
    return lines


def cpp_file(support: Support, parts: Sequence[Part]) -> list[str]:
    """The lines of a header of C++."""
    language, exact = support.language, support.language.exact
    if exact:
        support.functions.update(dict.fromkeys(_FOR_USERS))
    text = support.text()
    guard = "_".join(["lanewise", *[part.name for part in parts], "hpp"]).upper()
    lines = [f"#ifndef {guard}", f"#define {guard}", ""]
    lines += ["#include <cmath>", "#include <cstdint>", "#include <cstring>", "#include <limits>"]
    lines += _cold(language, text)
    for part in parts:
        lines += [
            "",
            f"namespace {part.name} {{",
            "",
            "struct pica_vec4 {",
            f"    {language.type(NUMBER)} x, y, z, w;",
            "};",
            "",
        ]
        lines += ["struct pica_int4 {", "    std::uint8_t x, y, z, w;", "};"]
        shader = _Cpp(support, part)
        lines += ["", *shader.interface()[:-1]]
        if any("float_bits(" in line for line in text) and not exact:
            lines += ["", *_as_cpp(_FLOAT_BITS)]
        lines += text
        if exact:
            lines += ["", *_as_cpp(_FLOATS)]
        lines += ["", *shader.functions(), "", f"}}  // namespace {part.name}"]
    return [*lines, "", f"#endif  // {guard}"]


def _cold(language: PicaC, text: Sequence[str]) -> list[str]:
    """The macro that functions need which are called seldom, if the text has some."""
    return ["", *_COLD] if any(line.startswith(language.seldom) for line in text) else []


def _as_cpp(lines: Sequence[str]) -> list[str]:
    found: list[str] = []
    for line in lines:
        text = line.replace("PICA_UNUSED ", "").replace("static inline ", "inline ").replace("memcpy", "std::memcpy")
        found.append(text.replace("uint32_t", "std::uint32_t"))
    return found


def _pointers(members: Sequence[Member], kind: str) -> list[str]:
    return [f"    {kind} *{member.name}[4];" for member in members] or ["    char nothing;"]


class _C:
    """The structures and functions of a shader in C."""

    byte = "uint8_t"
    dot = "->"
    empty = "{0}"
    in_structure = ""  # the initializers of members

    def __init__(self, support: Support, part: Part) -> None:
        self.support = support
        self.part = part
        self.name = part.name
        self.geometry = part.subject.interface.geometry

    # What differs in C++

    def structure(self, what: str, fields: Sequence[str]) -> list[str]:
        name = self.type(what)
        return [f"typedef struct {name} {{", *fields, f"}} {name};"]

    def type(self, what: str) -> str:
        return f"{self.name}_{what}"

    def argument(self, need: str) -> str:
        """The declaration of an argument."""
        match need:
            case "s":
                return f"{self.type('state' if self.geometry else 'registers')} *s"
            case "in":
                return f"const {self.type('inputs')} *in"
            case "u":
                return f"const {self.type('uniforms')} *u"
            case "out":
                return f"{self.type('outputs')} *out"
            case _:
                return f"{self.type('primitive')} *send, void *user"

    def arguments(self, needs: Sequence[str]) -> str:
        return ", ".join([self.argument(need) for need in needs]) or "void"

    def head(self, body: Body) -> list[str]:
        return [f"static void {body.name}({self.arguments(body.needs)}) {{"]

    def main_head(self, needs: Sequence[str], *, seldom: bool = False) -> list[str]:
        language = self.support.language
        start = f"{language.seldom}int {language.infinities(self.name)}" if seldom else f"int {self.name}"
        arguments = self.arguments(needs)
        if not self.geometry and self.support.tests:  # numbers as float: what is cleared and written later is written once
            arguments = arguments.replace(" *", " *restrict ")
        return [f"{start}({arguments}) {{"]

    def constants_head(self) -> str:
        return f"PICA_UNUSED static inline void {self.type('constants')}({self.type('uniforms')} *u) {{"

    def unused(self, needs: Sequence[str]) -> list[str]:
        """The statements that use arguments."""
        names = [name for need in needs for name in (("send", "user") if need == "send" else (need,))]
        return [f"    (void){name};" for name in names]

    def emitter(self) -> list[str]:
        name, outputs = self.name, self.type("outputs")
        return [
            f"typedef void {self.type('primitive')}(void *user, const {outputs} vertices[3], bool inverted);",
            "",
            f"PICA_UNUSED static inline void {name}_emit({self.arguments(('s', 'send'))}) {{",
            *self.emission("send(user, s->buffer, s->invert);"),
            "}",
            "",
        ]

    def declared(self) -> list[str]:
        """The variables that functions share, in the main function."""
        return [f"    {self.type('registers')} registers = {{0}}, *s = &registers;"]

    def cleared(self, member: str) -> str:
        return (
            f"    memset({member}, 0, sizeof *{member});" if member == "out" else f"    memset(&{member}, 0, sizeof {member});"
        )

    # The shader

    def interface(self) -> list[str]:
        """The structures of inputs, uniforms and outputs."""
        names = self.part.names
        lines: list[str] = []
        for what, members in (("inputs", names.inputs), ("uniforms", names.uniforms), ("outputs", names.outputs)):
            lines += [*self.structure(what, self.fields(members, output=what == "outputs")), ""]
        return lines

    def functions(self) -> list[str]:
        """The functions, with the structures of their variables."""
        part = self.part
        lines = [*self.constants(), ""]
        if self.geometry:
            lines += [
                "// What a run leaves for the next; all zeros at first.",
                *self.structure("state", self.state_fields()),
                "",
            ]
            lines += self.emitter()
        elif part.shared and part.registers:
            lines += [*self.structure("registers", self.register_fields()), ""]
        for body in part.procedures:
            lines += [*self.head(body), *self.locals(body.local), *body.lines, "}", ""]
        if part.infinities:
            lines += [_INFINITIES, *self.main(part.infinities, seldom=True), ""]
        return [*lines, _RESULT, *self.main(part.main)]

    def main(self, main: Body, *, seldom: bool = False) -> list[str]:
        """The function of a shader."""
        needs = ("s", "in", "u", "send") if self.geometry else ("in", "u", "out")
        lines = self.main_head(needs, seldom=seldom)
        local = [*(() if self.part.shared else self.part.registers), *main.local]
        if "s" in main.needs and not self.geometry:
            lines += self.declared()
        lines += self.locals(local)
        begin = self.begin() if self.geometry else [self.cleared("out")]
        given = [need for need in needs if need not in main.needs and need != "out" and not (need == "s" and begin)]
        return [*lines, *self.unused(given), *begin, *main.lines, "    return 0;", "}"]

    # Arrays of vertices

    def batch(self) -> list[str]:
        """The function for arrays of vertices, with the structures of their columns."""
        names, straight = self.part.names, self.part.straight
        columns, results = self.type("columns"), self.type("results")
        given = [f"in_{member.name}_{letter}" for member in names.inputs for letter in "xyzw"]
        stored = [f"out_{member.name}_{letter}" for member in names.outputs for letter in "xyzw"]
        lines = ["// The components of inputs and outputs of vertices, each an array: of x, y, z and w."]
        lines += [*self.structure("columns", _pointers(names.inputs, "const float")), ""]
        lines += [*self.structure("results", _pointers(names.outputs, "float")), ""]
        if straight is not None:
            head = f"static inline int {straight.name}({self.arguments(('in', 'u', 'out')).replace(' *', ' *restrict ')}) {{"
            unused = [need for need in ("in", "u", "out") if need not in straight.needs]
            local = [*(() if self.part.shared else self.part.registers), *straight.local]
            lines += ["// Whether a vertex has to be done again.", head, "    int again = 0;", *self.locals(local)]
            lines += [*self.unused(unused), *straight.lines, "    return again;", "}", ""]
        lines += [
            "// The same for vertices in arrays that do not overlap; gives the fault of the last vertex that has one.",
            f"int {self.type('batch')}(size_t count, const {columns} *in, {self.argument('u')}, const {results} *out) {{",
        ]
        sides = (names.inputs, given, "const float", "in"), (names.outputs, stored, "float", "out")
        for members, arrays, kind, source in sides:
            places = [f"{source}->{member.name}[{n}]" for member in members for n in range(4)]
            lines += [f"    {kind} *restrict {name} = {place};" for name, place in zip(arrays, places, strict=True)]
            lines += self.unused([] if arrays else [source])
        lines.append("    int fault = 0;")
        if straight is None:
            return [*lines, *self.vertices("0", "count", f"{self.name}(&one, u, &made)", "    "), "    return fault;", "}"]
        lines += [
            f"    const {self.type('uniforms')} own = *u;",
            f"    for (size_t first = 0; first < count; first += {_BLOCK}) {{",
            f"        const size_t end = count - first < {_BLOCK} ? count : first + {_BLOCK};",
            "        int again = 0;",
            "        PICA_INDEPENDENT",
            *self.vertices("first", "end", f"{straight.name}(&one, &own, &made)", "        ", "again |="),
            "        if (again) {",
            *self.vertices("first", "end", f"{self.name}(&one, u, &made)", "            "),
            "        }",
            "    }",
        ]
        return [*lines, "    return fault;", "}"]

    def vertices(self, first: str, end: str, call: str, indent: str, sets: str = "") -> list[str]:
        """A loop over vertices."""
        names = self.part.names
        inputs = [f"{{{', '.join([f'in_{member.name}_{letter}[n]' for letter in 'xyzw'])}}}" for member in names.inputs]
        result = [f"{indent}    {sets} {call};"]
        if not sets:
            result = [f"{indent}    const int found = {call};", f"{indent}    fault = found ? found : fault;"]
        return [
            f"{indent}for (size_t n = {first}; n < {end}; n++) {{",
            f"{indent}    const {self.type('inputs')} one = {{{', '.join(inputs) or '0'}}};",
            f"{indent}    {self.type('outputs')} made = {{0}};",
            *result,
            *[
                f"{indent}    out_{member.name}_{letter}[n] = made.{member.name}.{letter};"
                for member in names.outputs
                for letter in "xyzw"
            ],
            f"{indent}}}",
        ]

    def fields(self, members: Sequence[Member], *, output: bool) -> list[str]:
        """The members of a structure, with their registers."""
        lines: list[str] = []
        for member in members:
            kind = "pica_vec4"
            if member.first >= INTEGER and not output:
                kind = self.byte if member.first >= BOOLEAN else "pica_int4"
            register = f"o{member.first}" if output else register_name(member.first)
            count = ""
            if member.size > 1:
                count, register = f"[{member.size}]", f"{register} to {register_name(member.first + member.size - 1)}"
            lines.append(f"    {kind} {member.name}{count};  // {register}")
        return lines or ["    char nothing;"]

    def constants(self) -> list[str]:
        """The function that stores the values which the file presets."""
        found: list[str] = []
        for register, values in self.part.subject.interface.constants:
            member, place = self.part.names.of(self.part.names.uniforms, register)
            target = f"u{self.dot}{member.name}{f'[{place}]' if member.size > 1 else ''}"
            if register >= BOOLEAN:
                found.append(f"    {target} = {values[0]};")
            else:
                texts = [str(value) for value in values] if register >= INTEGER else numbers(self.support, values)
                found += [f"    {target}.{letter} = {text};" for letter, text in zip("xyzw", texts, strict=True)]
        return ["// The values that the file presets.", self.constants_head(), *(found or self.unused(["u"])), "}"]

    def register_fields(self) -> list[str]:
        return [f"    {text}" for text in self.by_type(self.part.registers, self.in_structure)]

    def state_fields(self) -> list[str]:
        outputs, zero = self.type("outputs"), self.in_structure
        slots = int(self.support.profile.emit_slots)
        return [
            *self.register_fields(),
            f"    {outputs} out{zero}, bank{zero};  // EMIT swaps them",
            f"    {outputs} buffer[{slots}]{zero};",
            f"    {self.support.language.type(I32)} vertex{zero};  // of the last SETEMIT, with the next two",
            f"    bool primitive{zero}, invert{zero};",
        ]

    def by_type(self, variables: Sequence[tuple[str, str]], zero: str) -> list[str]:
        """Declarations of variables, one for each type."""
        names: dict[str, list[str]] = {}
        for name, kind in variables:
            names.setdefault(kind, []).append(f"{name}{zero}")
        return [line for kind, each in names.items() for line in _broken(f"{self.support.language.type(kind)} ", each)]

    def locals(self, variables: Sequence[tuple[str, str]]) -> list[str]:
        lines: list[str] = []
        for kind in dict.fromkeys([kind for _, kind in variables]):
            zero = " = false" if kind == BOOL else " = 0" if kind == I32 else f" = {self.empty}"
            own = [each for each in variables if each[1] == kind]
            lines += [f"    {line}" for line in self.by_type(own, zero)]
        return lines

    def emission(self, send: str) -> list[str]:
        s, slots = f"s{self.dot}", int(self.support.profile.emit_slots)
        return [
            f"    {self.type('outputs')} made = {s}out;",
            f"    {s}out = {s}bank;",
            f"    {s}bank = made;",
            f"    if ({s}vertex < {slots}) {{",
            f"        {s}buffer[{s}vertex] = made;",
            f"        if ({s}primitive) {{",
            f"            {send}",
            "        }",
            "    }",
        ]

    def begin(self) -> list[str]:
        """Lines that clear the registers at the start of a run."""
        if self.support.profile.keep_registers_between_invocations == "kept":
            return []
        vectors = [name for name, kind in self.part.registers if kind not in (BOOL, I32)]
        lines = [f"    const pica_vec4 zero = {self.empty};"] if vectors else []
        for name, kind in self.part.registers:
            value = "zero" if name in vectors else "false" if kind == BOOL else "0"
            lines.append(f"    s{self.dot}{name} = {value};")
        return [*lines, self.cleared(f"s{self.dot}out"), self.cleared(f"s{self.dot}bank")]


class _Cpp(_C):
    """The structures and functions of a shader in C++."""

    byte = "std::uint8_t"
    dot = "."
    empty = "{}"
    in_structure = "{}"

    def structure(self, what: str, fields: Sequence[str]) -> list[str]:
        return [f"struct {self.type(what)} {{", *fields, "};"]

    def type(self, what: str) -> str:
        return what.capitalize()

    def argument(self, need: str) -> str:
        match need:
            case "s":
                return f"{self.type('state' if self.geometry else 'registers')} &s"
            case "in":
                return "const Inputs &in"
            case "u":
                return "const Uniforms &u"
            case "out":
                return "Outputs &out"
            case _:
                return "Send &&send"

    def arguments(self, needs: Sequence[str]) -> str:
        return ", ".join([self.argument(need) for need in needs])

    def head(self, body: Body) -> list[str]:
        return [*_template(body.needs), f"inline void {body.name}({self.arguments(body.needs)}) {{"]

    def main_head(self, needs: Sequence[str], *, seldom: bool = False) -> list[str]:
        language = self.support.language
        start = f"{language.seldom}int {language.infinities(self.name)}" if seldom else "inline int run"
        return [*_template(needs), f"{start}({self.arguments(needs)}) {{"]

    def constants_head(self) -> str:
        return "inline void constants(Uniforms &u) {"

    def unused(self, needs: Sequence[str]) -> list[str]:
        return [f"    static_cast<void>({need});" for need in needs]

    def emitter(self) -> list[str]:
        needs = ("s", "send")
        head = f"inline void emit({self.arguments(needs)}) {{"
        return [*_template(needs), head, *self.emission("send(s.buffer, s.invert);"), "}", ""]

    def declared(self) -> list[str]:
        return ["    Registers s;"]

    def cleared(self, member: str) -> str:
        return f"    {member} = Outputs{{}};"


def _template(needs: Sequence[str]) -> list[str]:
    return ["template <typename Send>"] if "send" in needs else []


def _broken(start: str, names: Sequence[str]) -> list[str]:
    """A declaration of names as several where it is long."""
    lines: list[str] = []
    for name in names:
        if lines and len(lines[-1]) + len(name) + 2 < _LINE:
            lines[-1] += f", {name}"
        else:
            lines.append(f"{start}{name}")
    return [f"{line};" for line in lines]
