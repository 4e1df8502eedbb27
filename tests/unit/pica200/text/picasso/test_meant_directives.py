"""Declarations as other languages write them: what they are here, each of which assembles."""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, NOTE
from lanewise.core.editing import edited
from lanewise.pica200.api.assembling import assemble_sources
from together import together


def source(*lines: str) -> str:
    return "\n".join([".fvec projection[4]", *lines, ".out outpos position", ".in position", ""]) + (
        ".proc main\n    dp4 outpos.x, projection[0], position\n    mov outpos.yzw, position\n    end\n.end\n"
    )


def found(text: str, *, notes: bool = False) -> list[tuple[str, str, str]]:
    made = assemble_sources([("a.v.pica", text)]).diagnostics
    return [(each.code, each.severity, each.fix) for each in made if notes or each.severity != NOTE]


@together(
    ("line", "written"),
    [
        (".fvec light 4", ".fvec light[4]"),
        (".fvec light[0x4]", ".fvec light[4]"),
        (".fvec light[8][4]", ".fvec light[32]"),
        (".fvec light-dir", ".fvec light_dir"),
        (".fvec vec4 light", ".fvec light"),
        (".uniform vec4 light", ".fvec light"),
        (".bool b = true", ".bool b\n.setb b true"),
        (".consti n(8)", ".consti n(7, 0, 1, 0)"),
        (".consti n(3,0,1)", ".consti n(3, 0, 1, 0)"),
        (".constf k(1/2, 1, 1, pi)", ".constf k(0.5, 1, 1, 3.14159265)"),
        (".setb b0 = true", ".setb b0 true"),
        (".setb b0 yes", ".setb b0 true"),
        (".in normal, tangent", ".in normal\n.in tangent"),
        (".in vec3 normal", ".in normal"),
        (".in normal v3.xyz", ".in normal v3"),
        (".out color", ".out outcolor color"),
        (".out outclr", ".out outclr color"),
        (".out color outclr", ".out outclr color"),
        (".out outclr.xyz color", ".out outclr color.xyz"),
        (".out outclr color xyz", ".out outclr color.xyz"),
        (".out o1 color", ".out outcolor color o1"),
        (".alias bones c8-c15", ".fvec bones[8] c8"),
        (".alias outclr o1 as color", ".out outclr color o1"),
        (".alias outnq o1 as quaternion", ".out outnq normalquat o1"),
        (".out outclr o1.xyz as color", ".out outclr color o1.xyz"),
        (".out outclr color as o1", ".out outclr color o1"),
        (".alias outclr result.color", ".out outclr color"),
        (".alias n c95 as (0, 1, 2, 3)", ".constf n(0, 1, 2, 3)"),
        (".alias n i0 as (2, 0, 1, 0)", ".consti n(2, 0, 1, 0)"),
        (".alias two = 2.0", ".constf two(2.0, 2.0, 2.0, 2.0)"),
        (".alias also c0-c3", ".fvec also[4]"),
        (".setf k(1, 2, 3, 4)", ".constf k(1, 2, 3, 4)"),
        (".constf k(1; 2; 3; 4)", ".constf k(1, 2, 3, 4)"),
        (".in normal NORMAL0", ".in normal"),
        (".uniform c20-c23 bones", ".fvec bones[4] c20"),
        (".alias again outpos", ".out outpos position\n.alias again outpos"),
        (".setf one(1, 1, 1, 1)\n.fvec one", ".fvec one\n.setf one(1, 1, 1, 1)"),
        (".equ half, 0.5", ".constf half(0.5, 0.5, 0.5, 0.5)"),
        ("uniform mat4 view;", ".fvec view[4]"),
        ("uniform int count;", ".ivec count"),
        ("attribute vec3 normal;", ".in normal"),
        ("layout(location = 1) in vec3 normal;", ".in normal"),
        ("varying vec4 vcolor;", ".out vcolor color"),
        ("const vec4 k = vec4(1, 2, 3, 4);", ".constf k(1, 2, 3, 4)"),
        ("def c20, 1, 2, 3, 4", ".setf c20(1, 2, 3, 4)"),
        ("dcl_normal v1", ".in normal v1"),
        ("PARAM view[4] = { state.matrix.mvp }", ".fvec view[4]"),
        ("PARAM view = state.matrix.mvp", ".fvec view[4]"),
        ("PARAM tint = { 1.0, 0.5, 0.0, 1.0 }", ".constf tint(1.0, 0.5, 0.0, 1.0)"),
        ("PARAM tint = program.env[0]", ".fvec tint"),
        ("ATTRIB normal = vertex.normal", ".in normal"),
        ("OUTPUT clr = result.color.primary", ".out clr color"),
        ("OUTPUT uv = result.texcoord[1]", ".out uv texcoord1"),
    ],
)
def test_a_declaration_is_a_directive(line: str, written: str):
    text = source(line)
    first = next(each for each in assemble_sources([("a.v.pica", text)]).diagnostics if each.severity == ERROR)
    new = edited(text, first.edits)
    assert f"\n{written}" in new
    assert found(new) == []
    assert all(f"`{each}`" in first.fix or each in new for each in written.split("\n"))


@together(
    ("line", "fix"),
    [
        ('.include "a.pica"', "use the C preprocessor"),
        (".text", "remove it: a source is one shader"),
        (".temp x", "r0 to r15 need no declaration"),
        (".sampler s", "do not read textures"),
        (".vertex", "a file without `.gsh` is a vertex shader"),
        (".out outfog fog", "C3D_FogLutBind"),
        (".out second color1", "the rasterizer takes one color"),
        (".out outsize psize", "geometry shader"),
        (
            ".fvec k(1.0, 0.5, 0.25, 1.0)\n.alias also k",
            "write `.fvec k` and `.setf k(1.0, 0.5, 0.25, 1.0)`, or `.constf k(1.0,",
        ),
        (".fvec a, k = (1)", "write `.fvec a, k` and `.setf k(1, 1, 1, 1)`, or"),
        (".fvec k(1.0, 0.5)", "`.setf k(1.0, 0.5, 0.0, 0.0)`"),
        (".ivec n(3, 0)", "`.seti n(3, 0, 0, 0)`"),
        (".fvec k(a, 0.5)", "`.setf k(x, y, z, w)`"),
        (".ivec k (3, 0, 1, 0)", "write `.ivec k` and `.seti k(3, 0, 1, 0)`, or `.consti k(3, 0, 1, 0)`"),
        (".fvec light[94]", "declare light[92] or less"),
        (".consti n(300, 0, 1, 0)", "x = 255 is 256 rounds"),
        (".ivec n[5]", "declare n[4] or less"),
        (".constf k(,,,)", "write (x, y, z, w)"),
        (".in normal : NORMAL", "without the colon"),
        ("mov r0, position", "put it between `.proc NAME` and `.end`"),
    ],
)
def test_a_directive_that_is_none_has_a_fix(line: str, fix: str):
    ((_, severity, advice),) = found(source(line))
    assert severity == ERROR and fix in advice


def test_a_declaration_below_its_uses_is_moved_up():
    text = source() + ".constf k(1, 2, 3, 4)\n"
    text = text.replace("    end", "    mul r0, k, position\n    add r0, k, r0\n    end")
    (finding,) = assemble_sources([("a.v.pica", text)]).diagnostics
    assert finding.fix.startswith("move line 11, `.constf k(1, 2, 3, 4)`, above `.proc main`")
    assert found(edited(text, finding.edits)) == []


def test_lines_without_statements_do_not_count():
    """A fix looks through the lines of a source once, however many are blank: it took their number to the third power."""
    text = source().replace("yzw, position", "yzw, zork")
    assert found(text + ";\n" * 20_000) == found(text) != []


def test_an_index_of_one_register_is_a_component():
    ((code, _, fix),) = found(source(".constf k(1, 2, 3, 4)").replace("mov outpos.yzw, pos", "mul outpos.yzw, k[2], pos"))
    assert (code, fix) == ("V016", "write k.z: components are letters")


def test_constants_below_take_registers_too():
    text = source(".fvec light[92]", ".constf one(1, 1, 1, 1)").replace(
        "mov outpos", "mul outpos.x, one, position\n    mov outpos"
    )
    ((code, _, _),) = found(text)
    assert code == "V026"
    ((_, _, fix),) = found(source(".fvec light[93]", ".constf one(1, 1, 1, 1)"))
    assert fix == "declare light[91] or less"
    assert found(source(".fvec light[91]", ".constf one(1, 1, 1, 1)")) == []


def test_a_name_declared_twice_is_one_finding():
    """Its uses say nothing besides: either may be meant."""
    ((code, _, fix),) = found(source(".fvec position"))
    assert (code, fix) == ("P040", "choose another name, or remove this line")


def test_an_array_of_constants_that_is_not_closed_is_reported_once():
    codes = [code for code, _, _ in found(source(".constfa k[]", ".constfa (1, 2, 3, 4)"))]
    assert codes == ["P002", "P004"]


def test_a_procedure_with_brackets_is_named_by_its_name():
    text = source().replace(".proc main", ".proc main() {")
    first = next(each for each in assemble_sources([("a.v.pica", text)]).diagnostics if each.code == "P042")
    assert found(edited(text, first.edits)) == []


def test_an_unknown_name_is_reported_once():
    text = source().replace("    end", "    mov r0, colour\n    add r1, colour, r0\n    end")
    ((code, _, fix),) = found(text)
    assert code == "P025" and fix.startswith("declare it with")
