"""Files of GLSL and WGSL: one vertex shader with its inputs, uniforms and outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, register_name
from lanewise.pica200.translate.presets import numbers
from lanewise.translating.languages import BOOL, VECTOR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.translate.emit import Part
    from lanewise.pica200.translate.support import Support
    from lanewise.translating.names import Member

_DEPTH = "    // The depth of the PICA200 is -z / w, from 0 to 1."


def glsl_file(support: Support, parts: Sequence[Part]) -> list[str]:
    """The lines of a vertex shader of GLSL, behind its version."""
    part = parts[0]
    vector, exact = support.language.type(VECTOR), support.language.exact
    position = _position(support, part)
    flat = "flat " if exact else ""
    lines = ["precision highp float;", "precision highp int;", ""]
    lines += [f"in {vector} {member.name};  // v{member.first}" for member in part.names.inputs]
    lines += [f"{flat}out {vector} {member.name};  // o{member.first}" for member in part.names.outputs]
    lines += [f"uniform {vector} c[96];", "uniform ivec4 i[4];", "uniform uint b;  // b0 is bit 0", ""]
    lines += _preset(support, part)
    lines += _places(part, "const int {name} = {first};")
    lines += support.text()
    lines += _functions(support, part, "void {name}() {{", "{kind} {name} = {value};", "{kind} {name} = {value};")
    lines += ["void main() {", *[f"    {member.name} = {vector}(0);" for member in part.names.outputs], "    run();"]
    if position:
        name = position.name
        lines.append(_DEPTH)
        if exact:
            lines.append(f"    vec4 at = uintBitsToFloat(uvec4({_float_bits(name)}));")
            name = "at"
        lines.append(f"    gl_Position = vec4({name}.xy, -2.0 * {name}.z - {name}.w, {name}.w);")
    return [*lines, "}"]


def wgsl_file(support: Support, parts: Sequence[Part]) -> list[str]:
    """The lines of a vertex shader of WGSL."""
    part = parts[0]
    vector, exact = support.language.type(VECTOR), support.language.exact
    position = _position(support, part)
    text = support.text()
    flat = "@interpolate(flat) " if exact else ""
    lines = ["struct Inputs {"]
    lines += [f"    @location({n}) {member.name}: {vector},  // v{member.first}" for n, member in enumerate(part.names.inputs)]
    if not part.names.inputs:
        lines.append("    @builtin(vertex_index) vertex_index: u32,")
    lines += ["}", "", "struct Uniforms {", f"    c: array<{vector}, 96>,", "    i: array<vec4<i32>, 4>,"]
    lines += ["    b: u32,  // b0 is bit 0", "}", "", "struct Outputs {", "    @builtin(position) clip: vec4<f32>,"]
    lines += [
        f"    @location({n}) {flat}{member.name}: {vector},  // o{member.first}" for n, member in enumerate(part.names.outputs)
    ]
    lines += ["}", "", "@group(0) @binding(0) var<uniform> u: Uniforms;"]
    lines += ["var<private> given: Inputs;", "var<private> made: Outputs;", ""]
    lines += _preset(support, part)
    lines += _places(part, "const {name}: {kind} = {first};")
    if any("pica_infinity()" in line for line in text):
        lines += ["", "fn pica_infinity() -> f32 {", "    var bits = 0x7F800000u;", "    return bitcast<f32>(bits);", "}"]
    lines += text
    lines += _functions(
        support, part, "fn {name}() {{", "var<private> {name}: {kind} = {value};", "var {name}: {kind} = {value};"
    )
    lines += ["@vertex", f"fn {part.name}(vertex: Inputs) -> Outputs {{", "    given = vertex;", "    run();"]
    if position:
        name = f"made.{position.name}"
        lines.append(_DEPTH)
        if exact:
            lines.append(f"    let at = bitcast<vec4<f32>>(vec4<u32>({_float_bits(name)}));")
            name = "at"
        lines.append(f"    made.clip = vec4<f32>({name}.x, {name}.y, -{name}.z, {name}.w);")
    return [*lines, "    return made;", "}"]


def _functions(support: Support, part: Part, head: str, shared: str, own: str) -> list[str]:
    """The procedures and `run`; the forms are those of heads, of variables that functions share, and of a function's own."""
    lines = [""]
    if part.shared and part.registers:
        lines += [*_variables(support, part.registers, shared), ""]
    for body in (*part.procedures, part.main._replace(name="run")):
        local = [*(part.registers if body.name == "run" and not part.shared else ()), *body.local]
        lines += [
            head.format(name=body.name),
            *[f"    {line}" for line in _variables(support, local, own)],
            *body.lines,
            "}",
            "",
        ]
    return lines


def _variables(support: Support, variables: Sequence[tuple[str, str]], form: str) -> list[str]:
    vector = support.language.type(VECTOR)
    zeros = {BOOL: "false", VECTOR: f"{vector}({'0u' if support.language.exact else '0.0'})"}
    return [form.format(name=name, kind=support.language.type(kind), value=zeros.get(kind, "0")) for name, kind in variables]


def _position(support: Support, part: Part) -> Member | None:
    """The output that is the position; its words become floats."""
    for output in part.subject.interface.outputs:
        if output.semantic == 0:
            if support.language.exact:
                support.functions.setdefault("to_float_bits")
            return part.names.of(part.names.outputs, output.register)[0]
    return None


def _float_bits(name: str) -> str:
    return ", ".join([f"pica_to_float_bits({name}.{letter})" for letter in "xyzw"])


def _preset(support: Support, part: Part) -> list[str]:
    """Comments about the values that the file presets, which the application uploads."""
    lines: list[str] = []
    comment = support.language.comment
    for register, values in part.subject.interface.constants:
        member, _ = part.names.of(part.names.uniforms, register)
        texts = [str(value) for value in values] if register >= INTEGER else numbers(support, values)
        own = f" ({member.name})" if member.name != register_name(register) else ""
        lines.append(comment(f"{register_name(register)}{own} is {', '.join(texts)}"))
    return [comment("The file presets these uniforms; the application sets them:"), *lines, ""] if lines else []


def _places(part: Part, constant: str) -> list[str]:
    """The places of uniforms in the arrays, as constants."""
    text = "\n".join(part.lines)
    found: list[str] = []
    for member in part.names.uniforms:
        first = member.first - (BOOLEAN if member.first >= BOOLEAN else INTEGER if member.first >= INTEGER else FLOAT)
        if f"[{member.name}" in text or f">> {member.name} " in text or f"pica_at({member.name} " in text:
            found.append(constant.format(name=member.name, first=first, kind="u32" if member.first >= BOOLEAN else "i32"))
    return found
