"""Files around a function of one lane: types, inputs, uniforms, outputs; the application gives patterns of 32 bits.

A `Shader` is the same for every language; `FRAMES` has by the name of a language what writes its file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.translating.languages import BOOL, I32, U32, VECTOR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.translating.languages import Language

LETTERS = "xyzw"


class Field(Record):
    """An input or an output of four components, and what is said about it."""

    name: str
    note: str


class Array(Record):
    """An array of uniforms: vectors of patterns (U32) or of integers (I32), or truths (BOOL), with what is said about it."""

    name: str
    kind: str
    size: int
    note: str


class Preset(Record):
    """A uniform that the file presets: the array, the place, the values as text."""

    array: str
    place: int
    values: tuple[str, ...]


class Shader(Record):
    """A function of one lane, with all that the file around it declares."""

    name: str
    "The function, and the prefix or namespace of its types."
    inputs: tuple[Field, ...]
    "Vectors of four patterns of 32 bits, in the order of their locations."
    outputs: tuple[Field, ...]
    "Vectors of four patterns of 32 bits, in the order of their locations."
    arrays: tuple[Array, ...]
    "Uniforms that the application sets."
    presets: tuple[Preset, ...]
    "Uniforms whose values the file has."
    variables: tuple[tuple[str, str], ...]
    "The names of the function's variables with their types (`translating.languages`)."
    functions: tuple[str, ...]
    "Lines of the number functions that the body calls."
    lines: tuple[str, ...]
    "Lines of the body, which sets the outputs."
    position: str = ""
    "The output that becomes the position of a vertex; empty for none."
    samples: bool = False
    "The body calls the application's function of textures."
    fragment: bool = False
    "It is a shader of pixels."
    kills: bool = False
    "It may discard a pixel, which is the truth `killed` of its outputs."


class Frame:
    """C: a function of structures."""

    dot = "->"

    def __init__(self, language: Language) -> None:
        self.language = language

    def input(self, text: str) -> str:
        return f"in{self.dot}{text}"

    def output(self, text: str) -> str:
        return f"out{self.dot}{text}"

    def uniform(self, text: str) -> str:
        return f"u{self.dot}{text}"

    def truth(self, array: str, number: int) -> str:
        """A uniform that is a truth."""
        return self.uniform(f"{array}[{number}]")

    def killed(self) -> str:
        """The truth that says whether the pixel is stopped."""
        return self.output("killed")

    def sample(self, result: str, arguments: Sequence[str]) -> str:
        """The statement that asks the application's function of textures; `result` is a vector."""
        return f"sample(user, {', '.join(arguments)}, &{result});"

    def argument(self, name: str) -> str:
        """A vector as an argument of that function."""
        return f"&{name}"

    def variables(self, shader: Shader) -> list[str]:
        zeros = {VECTOR: "{0}", BOOL: "false"}
        return [f"    {self.language.variable(kind, name, zeros.get(kind, '0'))}" for name, kind in shader.variables]

    def includes(self) -> list[str]:
        return ["#include <stdbool.h>", "#include <stdint.h>", "#include <string.h>"]

    def vector(self) -> list[str]:
        kind, prefix = self.language.types[U32], self.language.prefix
        integer = self.language.types[I32]
        return [
            f"typedef struct {prefix}vec4 {{",
            f"    {kind} x, y, z, w;",
            f"}} {prefix}vec4;",
            "",
            f"typedef struct {prefix}int4 {{",
            f"    {integer} x, y, z, w;",
            f"}} {prefix}int4;",
        ]

    def type(self, shader: Shader, what: str) -> str:
        return f"{shader.name}_{what}"

    def structure(self, shader: Shader, what: str, fields: Sequence[str]) -> list[str]:
        name = self.type(shader, what)
        return [f"typedef struct {name} {{", *(fields or ["    char nothing;"]), f"}} {name};", ""]

    def structures(self, shader: Shader) -> list[str]:
        prefix = self.language.prefix
        kinds = {U32: f"{prefix}vec4", I32: f"{prefix}int4", BOOL: self.language.types[BOOL]}
        lines: list[str] = []
        for what, fields in (("inputs", shader.inputs), ("outputs", shader.outputs)):
            rows = [f"    {prefix}vec4 {name};{self.note(note)}" for name, note in fields]
            rows += [f"    {self.language.types[BOOL]} killed;"] if what == "outputs" and shader.kills else []
            lines += self.structure(shader, what, rows)
        arrays = [f"    {kinds[kind]} {name}[{count}];{self.note(note)}" for name, kind, count, note in shader.arrays]
        return lines + self.structure(shader, "uniforms", arrays)

    def note(self, text: str) -> str:
        return f"  {self.language.comment(text)}" if text else ""

    def constants(self, shader: Shader) -> list[str]:
        head = f"static inline void {self.type(shader, 'constants')}({self.type(shader, 'uniforms')} *u) {{"
        return ["// The values that the file presets.", *self._constants(head, shader)]

    def _constants(self, head: str, shader: Shader) -> list[str]:
        if not shader.presets:
            return [head, f"    {self.unused('u')}", "}"]
        rows = [
            f"    u{self.dot}{preset.array}[{preset.place}]{f'.{letter}' if len(preset.values) > 1 else ''} = {value};"
            for preset in shader.presets
            for letter, value in zip(LETTERS, preset.values, strict=False)
        ]
        return [head, *rows, "}"]

    def unused(self, name: str) -> str:
        return f"(void){name};"

    def sampler(self, shader: Shader) -> list[str]:
        """The type of the application's function of textures."""
        vector = f"{self.language.prefix}vec4"
        given = f"const {vector} *at, const {vector} *dx, const {vector} *dy, {vector} *color"
        return [
            "// Samples a texture: by the kind of the instruction and the sampler, at coordinates; kind 4 has gradients.",
            f"typedef void {self.type(shader, 'sample')}(void *user, {self.language.types[U32]} kind, "
            f"{self.language.types[U32]} sampler, {given});",
            "",
        ]

    def head(self, shader: Shader) -> list[str]:
        sample = f", {self.type(shader, 'sample')} *sample, void *user" if shader.samples else ""
        arguments = f"const {self.type(shader, 'inputs')} *in, const {self.type(shader, 'uniforms')} *u"
        return [f"void {shader.name}({arguments}, {self.type(shader, 'outputs')} *out{sample}) {{"]

    def clear(self) -> str:
        return "memset(out, 0, sizeof *out);"

    def main(self, shader: Shader) -> list[str]:
        text = "\n".join(shader.lines)
        unused = [f"    {self.unused(name)}" for name in ("in", "u") if f"{name}{self.dot}" not in text]
        return [*self.head(shader), *self.variables(shader), *unused, f"    {self.clear()}", *shader.lines, "}"]

    def file(self, shader: Shader) -> list[str]:
        lines = [*self.includes(), "", *self.vector(), "", *self.structures(shader)]
        if shader.samples:
            lines += self.sampler(shader)
        return [*lines, *self.constants(shader), *shader.functions, "", *self.main(shader)]


class CppFrame(Frame):
    """C++: a namespace."""

    dot = "."

    def sample(self, result: str, arguments: Sequence[str]) -> str:
        return f"sample({', '.join(arguments)}, {result});"

    def argument(self, name: str) -> str:
        return name

    def variables(self, shader: Shader) -> list[str]:
        zeros = {VECTOR: "{}", BOOL: "false"}
        return [f"    {self.language.variable(kind, name, zeros.get(kind, '0'))}" for name, kind in shader.variables]

    def type(self, shader: Shader, what: str) -> str:
        return what.capitalize()

    def vector(self) -> list[str]:
        lines: list[str] = []
        for name, kind in ((f"{self.language.prefix}vec4", U32), (f"{self.language.prefix}int4", I32)):
            lines += [f"struct {name} {{", f"    {self.language.types[kind]} x, y, z, w;", "};", ""]
        return lines[:-1]

    def structure(self, shader: Shader, what: str, fields: Sequence[str]) -> list[str]:
        return [f"struct {self.type(shader, what)} {{", *fields, "};", ""]

    def constants(self, shader: Shader) -> list[str]:
        return ["// The values that the file presets.", *self._constants("inline void constants(Uniforms &u) {", shader)]

    def unused(self, name: str) -> str:
        return f"static_cast<void>({name});"

    def head(self, shader: Shader) -> list[str]:
        if not shader.samples:
            return ["inline void run(const Inputs &in, const Uniforms &u, Outputs &out) {"]
        return [
            "// sample(kind, sampler, at, dx, dy, color) samples a texture; the gradients dx and dy count where the kind is 4.",
            "template <typename Sample>",
            "inline void run(const Inputs &in, const Uniforms &u, Outputs &out, Sample &&sample) {",
        ]

    def clear(self) -> str:
        return "out = Outputs{};"

    def file(self, shader: Shader) -> list[str]:
        guard = f"lanewise_{shader.name}_hpp".upper()
        lines = [f"#ifndef {guard}", f"#define {guard}", "", "#include <cstdint>", "", f"namespace {shader.name} {{", ""]
        lines += [*self.vector(), "", *self.structures(shader), *self.constants(shader), *shader.functions, ""]
        return [*lines, *self.main(shader), "", f"}}  // namespace {shader.name}", "", f"#endif  // {guard}"]


class GlslFrame(Frame):
    """GLSL ES: a vertex or fragment shader."""

    def input(self, text: str) -> str:
        return text

    def output(self, text: str) -> str:
        return text

    def uniform(self, text: str) -> str:
        return text

    def truth(self, array: str, number: int) -> str:
        return f"(({self.uniform(array)} >> {number}u & 1u) != 0u)"

    def killed(self) -> str:
        return "killed"

    def sample(self, result: str, arguments: Sequence[str]) -> str:
        return f"{result} = {self.language.prefix}sample({', '.join(arguments)});"

    def argument(self, name: str) -> str:
        return name

    def variables(self, shader: Shader) -> list[str]:
        zeros = {VECTOR: f"{self.language.type(VECTOR)}(0u)", BOOL: "false", U32: "0u"}
        return [f"    {self.language.variable(kind, name, zeros.get(kind, '0'))}" for name, kind in shader.variables]

    def preset(self, shader: Shader) -> list[str]:
        """Comments about the values that the file presets."""
        rows = [
            self.language.comment(f"{preset.array}[{preset.place}] is {', '.join(preset.values)}") for preset in shader.presets
        ]
        return [self.language.comment("The file presets these uniforms; the application sets them:"), *rows] if rows else []

    def file(self, shader: Shader) -> list[str]:
        vector = self.language.type(VECTOR)
        lines = ["precision highp float;", "precision highp int;", ""]
        lines += [f"{'flat ' * shader.fragment}in {vector} {name};{self.note(note)}" for name, note in shader.inputs]
        for number, (name, note) in enumerate(shader.outputs):
            qualifier = f"layout(location = {number}) " if shader.fragment else "flat "
            lines.append(f"{qualifier}out {vector} {name};{self.note(note)}")
        for name, kind, count, note in shader.arrays:
            declared = (
                f"uniform uint {name}" if kind == BOOL else f"uniform {'ivec4' if kind == I32 else vector} {name}[{count}]"
            )
            lines.append(f"{declared};{self.note(note)}")
        lines += self.preset(shader)
        if shader.samples:
            given = f"uint kind, uint sampler_, {vector} at, {vector} dx, {vector} dy"
            lines += ["", "// The application defines this function, which samples a texture."]
            lines.append(f"{vector} {self.language.prefix}sample({given});")
        lines += ["", "bool killed = false;"] if shader.kills else []
        lines += [*shader.functions, "", "void run() {", *self.variables(shader), *shader.lines, "}", "", "void main() {"]
        lines += [*[f"    {name} = {vector}(0u);" for name, _ in shader.outputs], "    run();"]
        if shader.position:
            lines.append(f"    gl_Position = uintBitsToFloat({shader.position});")
        lines += ["    if (killed) {", "        discard;", "    }"] if shader.kills else []
        return [*lines, "}"]


class WgslFrame(GlslFrame):
    """WGSL: an entry of a vertex or fragment shader."""

    def input(self, text: str) -> str:
        return f"given.{text}"

    def output(self, text: str) -> str:
        return f"made.{text}"

    def uniform(self, text: str) -> str:
        return f"u.{text}"

    def file(self, shader: Shader) -> list[str]:
        vector = self.language.type(VECTOR)
        lines = ["struct Inputs {"]
        flat = "@interpolate(flat) "
        for number, (name, note) in enumerate(shader.inputs):
            lines.append(f"    @location({number}) {flat * shader.fragment}{name}: {vector},{self.note(note)}")
        if not shader.inputs:
            lines.append(
                f"    @builtin({'position' if shader.fragment else 'vertex_index'}) nothing: "
                f"{'vec4<f32>' if shader.fragment else 'u32'},"
            )
        lines += ["}", "", "struct Uniforms {"]
        kinds = {U32: vector, I32: "vec4<i32>"}
        for name, kind, count, note in shader.arrays:
            lines.append(f"    {name}: {'u32' if kind == BOOL else f'array<{kinds[kind]}, {count}>'},{self.note(note)}")
        lines += ["}", "", "struct Outputs {"]
        if not shader.fragment:
            lines.append("    @builtin(position) clip: vec4<f32>,")
        for number, (name, note) in enumerate(shader.outputs):
            lines.append(f"    @location({number}) {'' if shader.fragment else flat}{name}: {vector},{self.note(note)}")
        lines += ["}", "", "@group(0) @binding(0) var<uniform> u: Uniforms;"]
        lines += ["var<private> given: Inputs;", "var<private> made: Outputs;"]
        lines += [*(["var<private> killed: bool;"] if shader.kills else []), *self.preset(shader)]
        if shader.samples:
            prefix = self.language.prefix
            lines += ["", "// The application defines the function that samples a texture:"]
            lines.append(
                f"// fn {prefix}sample(kind: u32, sampler_: u32, at: {vector}, dx: {vector}, dy: {vector}) -> {vector}"
            )
        stage = "fragment" if shader.fragment else "vertex"
        lines += [*shader.functions, "", "fn run() {", *self.variables(shader), *shader.lines, "}", "", f"@{stage}"]
        lines += [f"fn {shader.name}(at: Inputs) -> Outputs {{", "    given = at;", "    run();"]
        if shader.position:
            lines.append(f"    made.clip = bitcast<vec4<f32>>({self.output(shader.position)});")
        lines += ["    if (killed) {", "        discard;", "    }"] if shader.kills else []
        return [*lines, "    return made;", "}"]


FRAMES: dict[str, type[Frame]] = {"c": Frame, "cpp": CppFrame, "glsl": GlslFrame, "wgsl": WgslFrame}
