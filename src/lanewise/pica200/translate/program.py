"""Translated shaders as files: types, functions that are used, structures of the interface, the shader."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, register_name
from lanewise.pica200.translate.emit import Part, RefusedError, Subject, Translator
from lanewise.pica200.translate.languages import BOOL, F32, I32, LANGUAGES, NUMBER, U32, VECTOR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.sem.profile import Profile
    from lanewise.pica200.translate.names import Member

_SEPARATE = ("block", "next")


class Translation(Record):
    """The text of shaders in a language, and the parts that it was made of."""

    text: str
    parts: tuple[Part, ...]


def translate(subjects: Sequence[Subject], to: str, profile: Profile, *, exact: bool, title: Sequence[str] = ()) -> Translation:
    """Shaders in a language; `title` are lines for the head of the file. Raises RefusedError."""
    translator = Translator(LANGUAGES[to](exact=exact), profile)
    for subject in subjects:
        if subject.interface.geometry and to not in ("c", "cpp"):
            raise RefusedError(
                f"{subject.name} is a geometry shader, which {translator.language.row.title} has not", "use --to c or --to cpp"
            )
    if to in ("glsl", "wgsl") and len(subjects) != 1:
        raise RefusedError(
            f"{translator.language.row.title} takes one shader a file, not {len(subjects)}", "name one: FILE:NAME"
        )
    parts = tuple([translator.part(subject) for subject in subjects])
    lines = ["#version 300 es"] if to == "glsl" else []  # which has to be the first
    lines += [translator.language.comment(line) for line in title]
    lines += {"c": _c, "cpp": _cpp, "glsl": _glsl, "wgsl": _wgsl}[to](translator, parts)
    return Translation("\n".join(lines) + "\n", parts)


def _c(translator: Translator, parts: Sequence[Part]) -> list[str]:
    language, exact = translator.language, translator.language.exact
    number = language.type(NUMBER)
    if exact:
        translator.functions.update({"from_float_bits": None, "to_float_bits": None, "canonical": None})
    support = translator.support()
    lines = ["#include <math.h>"] if not exact else []
    lines += ["#include <stdbool.h>", "#include <stdint.h>", "#include <string.h>", ""]
    lines += ["typedef struct pica_vec4 {", f"    {number} x, y, z, w;", "} pica_vec4;", ""]
    lines += ["typedef struct pica_int4 {", "    uint8_t x, y, z, w;", "} pica_int4;"]
    if not exact and any("float_bits(" in line for line in support):
        lines += ["", *_C_FLOAT_BITS]
    lines += support
    if exact:
        lines += ["", *_C_FLOATS]
    for part in parts:
        lines += _c_shader(translator, part)
    return lines


_C_FLOAT_BITS = (
    "static inline uint32_t pica_float_bits(float a) {",
    "    uint32_t bits;",
    "    memcpy(&bits, &a, sizeof bits);",
    "    return bits;",
    "}",
)
_C_FLOATS = (
    "// A float as a float24 word, cut toward zero.",
    "static inline uint32_t pica_from_float(float a) {",
    "    uint32_t bits;",
    "    memcpy(&bits, &a, sizeof bits);",
    "    return pica_from_float_bits(bits);",
    "}",
    "",
    "// A float24 word as a float, which is exact.",
    "static inline float pica_to_float(uint32_t word) {",
    "    uint32_t bits = pica_to_float_bits(word);",
    "    float a;",
    "    memcpy(&a, &bits, sizeof a);",
    "    return a;",
    "}",
)


def _fields(members: Sequence[Member], letter: str) -> list[str]:
    """The members of a structure of C, with their registers."""
    lines: list[str] = []
    for member in members:
        count = f"[{member.size}]" if member.size > 1 else ""
        if letter == "o":
            kind, register = "pica_vec4", f"o{member.first}"
        elif member.first >= BOOLEAN:
            kind, register = "uint8_t", register_name(member.first)
        elif member.first >= INTEGER:
            kind, register = "pica_int4", register_name(member.first)
        else:
            kind, register = "pica_vec4", register_name(member.first)
        if member.size > 1:
            register = f"{register} to {register_name(member.first + member.size - 1)}"
        if register.startswith(("b", "i")) and member.size > 1:
            count = f"[{member.size}]"
        lines.append(f"    {kind} {member.name}{count};  // {register}")
    return lines or ["    char nothing;"]


def _locals(part: Part, zero: str, *, geometry: bool) -> list[str]:
    """Declarations of variables of C."""
    lines: list[str] = []
    if part.registers and not geometry:
        lines.append("    pica_vec4 " + ", ".join([f"r{number} = {zero}" for number in part.registers]) + ";")
    by_kind: dict[str, list[str]] = {}
    for name, kind in part.state:
        if not geometry or name in _SEPARATE or name.startswith(("n", "saved")):
            by_kind.setdefault(kind, []).append(name)
    for kind, names in by_kind.items():
        text = "bool" if kind == BOOL else "int32_t"
        value = "false" if kind == BOOL else "0"
        lines.append(f"    {text} " + ", ".join([f"{name} = {value}" for name in names]) + ";")
    return lines


def _c_shader(translator: Translator, part: Part) -> list[str]:
    name, names, geometry = part.name, part.names, part.subject.interface.geometry
    lines = [""]
    for what, members, letter in (
        ("inputs", names.inputs, "v"),
        ("uniforms", names.uniforms, "c"),
        ("outputs", names.outputs, "o"),
    ):
        lines += [f"typedef struct {name}_{what} {{", *_fields(members, letter), f"}} {name}_{what};", ""]
    lines += [*_c_constants(translator, part, f"{name}_uniforms *u", "->", "static inline void", f"{name}_constants"), ""]
    if geometry:
        lines += _c_state(translator, part)
        head = f"int {name}({name}_state *s, const {name}_inputs *in, const {name}_uniforms *u, {name}_primitive *send, void *user) {{"
    else:
        head = f"int {name}(const {name}_inputs *in, const {name}_uniforms *u, {name}_outputs *out) {{"
    lines += ["// 0 where the shader ends, the number of the fault where it does not.", head]
    lines += _locals(part, "{0}", geometry=geometry)
    unused = [
        each for each, used in (("in", "in->"), ("u", "u->"), ("u", "(u,")) if not any(used in line for line in part.lines)
    ]
    if "in" in unused:
        lines.append("    (void)in;")
    if unused.count("u") == 2:
        lines.append("    (void)u;")
    if geometry:
        lines += _c_begin(translator, part, "->")
        if not any("_emit(" in line for line in part.lines):
            lines.append("    (void)send, (void)user;")
    else:
        lines.append("    memset(out, 0, sizeof *out);")
    return [*lines, *part.lines, "    return 0;", "}"]


def _c_state(translator: Translator, part: Part) -> list[str]:
    name = part.name
    lines = ["// What a run leaves for the next; all zeros at first.", f"typedef struct {name}_state {{"]
    lines += _state_fields(translator, part, f"{name}_outputs")
    lines += [f"}} {name}_state;", ""]
    lines += [f"typedef void {name}_primitive(void *user, const {name}_outputs vertices[3], bool inverted);", ""]
    lines += [f"static inline void {name}_emit({name}_state *s, {name}_primitive *send, void *user) {{"]
    lines += _emit_body(translator, part, f"{name}_outputs", "s->", "send(user, s->buffer, s->invert);")
    return [*lines, "}", ""]


def _state_fields(translator: Translator, part: Part, outputs: str, zero: str = "") -> list[str]:
    """The members of the state; `zero` is their initializer."""
    language = translator.language
    fields: list[tuple[str, list[str], str]] = []
    if part.registers:
        fields.append(("pica_vec4", [f"r{number}" for number in part.registers], ""))
    for name, kind in part.state:
        if name not in _SEPARATE and not name.startswith(("n", "saved")):
            fields.append((language.type(kind), [name], ""))
    slots = int(translator.profile.emit_slots)
    fields += [
        (outputs, ["out", "bank"], "EMIT swaps them"),
        (outputs, [f"buffer[{slots}]"], ""),
        (language.type(I32), ["vertex"], "of the last SETEMIT, with the next two"),
        ("bool", ["primitive", "invert"], ""),
    ]
    return [
        f"    {kind} {', '.join([name + zero for name in names])};{f'  // {comment}' if comment else ''}"
        for kind, names, comment in fields
    ]


def _emit_body(translator: Translator, part: Part, outputs: str, s: str, send: str) -> list[str]:
    slots = int(translator.profile.emit_slots)
    return [
        f"    {outputs} made = {s}out;",
        f"    {s}out = {s}bank;",
        f"    {s}bank = made;",
        f"    if ({s}vertex < {slots}) {{",
        f"        {s}buffer[{s}vertex] = made;",
        f"        if ({s}primitive) {{",
        f"            {send}",
        "        }",
        "    }",
    ]


def _c_begin(translator: Translator, part: Part, dot: str) -> list[str]:
    """What a run clears."""
    if translator.profile.keep_registers_between_invocations == "kept":
        return []
    lines = ["    const pica_vec4 zero = {0, 0, 0, 0};"] if part.registers else []
    lines += [f"    s{dot}r{number} = zero;" for number in part.registers]
    lines += [
        f"    s{dot}{name} = {'false' if kind == BOOL else '0'};"
        for name, kind in part.state
        if name not in _SEPARATE and not name.startswith(("n", "saved"))
    ]
    if dot == "->":
        return [*lines, "    memset(&s->out, 0, sizeof s->out);", "    memset(&s->bank, 0, sizeof s->bank);"]
    return [*lines, "    s.out = Outputs{};", "    s.bank = Outputs{};"]


def _c_constants(translator: Translator, part: Part, argument: str, dot: str, linkage: str, name: str) -> list[str]:
    """The function that stores the values which the file presets."""
    lines = ["// The values that the file presets.", f"{linkage} {name}({argument}) {{"]
    found: list[str] = []
    for register, values in part.subject.interface.constants:
        member, place = part.names.of(part.names.uniforms, register)
        target = f"u{dot}{member.name}{f'[{place}]' if member.size > 1 else ''}"
        if register >= BOOLEAN:
            found.append(f"    {target} = {values[0]};")
        elif register >= INTEGER:
            found += [f"    {target}.{letter} = {value};" for letter, value in zip("xyzw", values, strict=True)]
        else:
            found += [
                f"    {target}.{letter} = {text};" for letter, text in zip("xyzw", _texts(translator, values), strict=True)
            ]
    return [*lines, *(found or ["    (void)u;"]), "}"]


def _texts(translator: Translator, words: Sequence[int]) -> list[str]:
    """Float constants of a file in the number format."""
    from lanewise.core.numbers.floats import float_from_float24

    language = translator.language
    if language.exact:
        return [f"0x{translator.rule.canonical(word):06X}u" for word in words]
    found: list[str] = []
    for word in words:
        value = float_from_float24(word)
        text = repr(value)
        if "n" in text:  # inf or nan
            text = "NAN" if math.isnan(value) else "INFINITY" if value > 0 else "-INFINITY"
            found.append(text)
        else:
            found.append(f"{text}{language.float_suffix}")
    return found


def _cpp(translator: Translator, parts: Sequence[Part]) -> list[str]:
    language, exact = translator.language, translator.language.exact
    number = language.type(NUMBER)
    if exact:
        translator.functions.update({"from_float_bits": None, "to_float_bits": None, "canonical": None})
    support = translator.support()
    lines = ["#pragma once", "", "#include <cmath>", "#include <cstdint>", "#include <cstring>", "#include <limits>"]
    for part in parts:
        geometry = part.subject.interface.geometry
        lines += ["", f"namespace {part.name} {{", "", "struct pica_vec4 {", f"    {number} x, y, z, w;", "};", ""]
        lines += ["struct pica_int4 {", "    std::uint8_t x, y, z, w;", "};"]
        for what, members, letter in (
            ("Inputs", part.names.inputs, "v"),
            ("Uniforms", part.names.uniforms, "c"),
            ("Outputs", part.names.outputs, "o"),
        ):
            lines += [
                "",
                f"struct {what} {{",
                *[line.replace(" uint8_t", " std::uint8_t") for line in _fields(members, letter)],
                "};",
            ]
        if any("float_bits(" in line for line in support):
            lines += [
                "",
                *[
                    line.replace("static inline ", "inline ")
                    .replace("uint32_t", "std::uint32_t")
                    .replace("memcpy", "std::memcpy")
                    for line in _C_FLOAT_BITS
                ],
            ]
        lines += support
        if exact:
            lines += [
                "",
                *[
                    line.replace("static inline ", "inline ")
                    .replace("uint32_t", "std::uint32_t")
                    .replace("memcpy", "std::memcpy")
                    for line in _C_FLOATS
                ],
            ]
        lines += ["", *_c_constants(translator, part, "[[maybe_unused]] Uniforms &u", ".", "inline void", "constants"), ""]
        if geometry:
            lines += [
                "// What a run leaves for the next.",
                "struct State {",
                *_state_fields(translator, part, "Outputs", "{}"),
                "};",
                "",
            ]
            lines += ["template <typename Send>", "inline void emit(State &s, Send &&send) {"]
            lines += [*_emit_body(translator, part, "Outputs", "s.", "send(s.buffer, s.invert);"), "}", ""]
            lines += ["// 0 where the shader ends, the number of the fault where it does not.", "template <typename Send>"]
            lines += [
                "inline int run(State &s, [[maybe_unused]] const Inputs &in, [[maybe_unused]] const Uniforms &u, [[maybe_unused]] Send &&send) {"
            ]
        else:
            lines += ["// 0 where the shader ends, the number of the fault where it does not."]
            lines += ["inline int run([[maybe_unused]] const Inputs &in, [[maybe_unused]] const Uniforms &u, Outputs &out) {"]
        lines += _locals(part, "{}", geometry=geometry)
        lines += _c_begin(translator, part, ".") if geometry else ["    out = Outputs{};"]
        lines += [*part.lines, "    return 0;", "}", "", f"}}  // namespace {part.name}"]
    return [line.replace(" int32_t", " std::int32_t").replace("    uint32_t", "    std::uint32_t") for line in lines]


def _numbers(part: Part, constant: str) -> list[str]:
    """The numbers of uniforms as constants of GLSL or WGSL."""
    text = "\n".join(part.lines)
    found: list[str] = []
    for member in part.names.uniforms:
        first = member.first - (BOOLEAN if member.first >= BOOLEAN else INTEGER if member.first >= INTEGER else FLOAT)
        used = f"[{member.name}" in text or f">> {member.name} " in text or f"pica_at({member.name} " in text
        if used:
            found.append(constant.format(name=member.name, first=first, kind="u32" if member.first >= BOOLEAN else "i32"))
    return found


def _glsl(translator: Translator, parts: Sequence[Part]) -> list[str]:
    part = parts[0]
    language, exact = translator.language, translator.language.exact
    vector = language.type(VECTOR)
    position = _position(part)
    if exact and position:
        translator.functions.setdefault("to_float_bits")
    support = translator.support()
    flat = "flat " if exact else ""
    lines = ["precision highp float;", "precision highp int;", ""]
    lines += [f"in {vector} {member.name};  // v{member.first}" for member in part.names.inputs]
    lines += [f"{flat}out {vector} {member.name};  // o{member.first}" for member in part.names.outputs]
    lines += [f"uniform {vector} c[96];", "uniform ivec4 i[4];", "uniform uint b;  // b0 is bit 0", ""]
    lines += _preset(translator, part)
    lines += _numbers(part, "const int {name} = {first};")
    lines += [
        *support,
        "",
        "void run() {",
        *_shading_locals(translator, part, "{kind} {name} = {value};"),
        *part.lines,
        "}",
        "",
    ]
    lines += ["void main() {"]
    lines += [f"    {member.name} = {vector}(0);" for member in part.names.outputs]
    lines += ["    run();"]
    if position:
        name = position.name
        lines.append("    // The depth of the PICA200 is -z / w, from 0 to 1.")
        if exact:
            lines.append(
                f"    vec4 at = uintBitsToFloat(uvec4({', '.join([f'pica_to_float_bits({name}.{letter})' for letter in 'xyzw'])}));"
            )
            name = "at"
        lines.append(f"    gl_Position = vec4({name}.xy, -2.0 * {name}.z - {name}.w, {name}.w);")
    return [*lines, "}"]


def _position(part: Part) -> Member | None:
    """The output that is the position."""
    for output in part.subject.interface.outputs:
        if output.semantic == 0:
            return part.names.of(part.names.outputs, output.register)[0]
    return None


def _preset(translator: Translator, part: Part) -> list[str]:
    """Comments about the values that the file presets, which the application uploads."""
    lines: list[str] = []
    comment = translator.language.comment
    for register, values in part.subject.interface.constants:
        member, _ = part.names.of(part.names.uniforms, register)
        texts = [str(value) for value in values] if register >= INTEGER else _texts(translator, values)
        own = f" ({member.name})" if member.name != register_name(register) else ""
        lines.append(comment(f"{register_name(register)}{own} is {', '.join(texts)}"))
    return [comment("The file presets these uniforms; the application sets them:"), *lines, ""] if lines else []


def _shading_locals(translator: Translator, part: Part, pattern: str) -> list[str]:
    language = translator.language
    vector = language.type(VECTOR)
    lines = [
        f"    {pattern.format(kind=vector, name=f'r{number}', value=f'{vector}({_zero(translator)})')}"
        for number in part.registers
    ]
    for name, kind in part.state:
        value = "false" if kind == BOOL else "0"
        lines.append(f"    {pattern.format(kind=language.type(kind), name=name, value=value)}")
    return lines


def _zero(translator: Translator) -> str:
    return "0u" if translator.language.exact else "0.0"


def _wgsl(translator: Translator, parts: Sequence[Part]) -> list[str]:
    part = parts[0]
    language, exact = translator.language, translator.language.exact
    vector = language.type(VECTOR)
    position = _position(part)
    if exact and position:
        translator.functions.setdefault("to_float_bits")
    support = translator.support()
    flat = "@interpolate(flat) " if exact else ""
    lines = ["struct Inputs {"]
    lines += [f"    @location({n}) {member.name}: {vector},  // v{member.first}" for n, member in enumerate(part.names.inputs)]
    if not part.names.inputs:
        lines.append("    @builtin(vertex_index) vertex_index: u32,")
    lines += [
        "}",
        "",
        "struct Uniforms {",
        f"    c: array<{vector}, 96>,",
        "    i: array<vec4<i32>, 4>,",
        "    b: u32,  // b0 is bit 0",
        "}",
        "",
    ]
    lines += ["struct Outputs {", "    @builtin(position) clip: vec4<f32>,"]
    lines += [
        f"    @location({n}) {flat}{member.name}: {vector},  // o{member.first}" for n, member in enumerate(part.names.outputs)
    ]
    lines += [
        "}",
        "",
        "@group(0) @binding(0) var<uniform> u: Uniforms;",
        "var<private> given: Inputs;",
        "var<private> made: Outputs;",
        "",
    ]
    lines += _preset(translator, part)
    lines += _numbers(part, "const {name}: {kind} = {first};")
    if any("pica_infinity()" in line for line in support):
        lines += ["", "fn pica_infinity() -> f32 {", "    var bits = 0x7F800000u;", "    return bitcast<f32>(bits);", "}"]
    lines += [
        *support,
        "",
        "fn run() {",
        *_shading_locals(translator, part, "var {name}: {kind} = {value};"),
        *part.lines,
        "}",
        "",
    ]
    lines += ["@vertex", f"fn {part.name}(vertex: Inputs) -> Outputs {{", "    given = vertex;", "    run();"]
    if position:
        name = f"made.{position.name}"
        lines.append("    // The depth of the PICA200 is -z / w, from 0 to 1.")
        if exact:
            lines.append(
                f"    let at = bitcast<vec4<f32>>(vec4<u32>({', '.join([f'pica_to_float_bits({name}.{letter})' for letter in 'xyzw'])}));"
            )
            name = "at"
        lines.append(f"    made.clip = vec4<f32>({name}.x, {name}.y, -{name}.z, {name}.w);")
    return [*lines, "    return made;", "}"]


__all__ = ["F32", "U32", "Translation", "translate"]
