"""Places and fixes of what other compilers say."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lanewise.compile.outside.meant import defined
from lanewise.compile.outside.messages import messages
from lanewise.compile.outside.sources import entry_of
from lanewise.core.diagnostics import Diagnostic, InputError
from lanewise.core.service import SourceFile
from lanewise.tools import cli

HEAD = "#version 330\nin vec3 position;\nuniform mat4 m;\nvoid main() {\n"
VECTOR = "of type ' uniform 4X4 matrix of float' and a right operand of type ' in 3-component vector of float'"


def told(line: str, *said: str, language: str = "glsl") -> list[Diagnostic]:
    """The findings about line 5 of a shader."""
    name = f"a.{language}"
    text = "".join(f"{name}:5: error: {each}\n" for each in said)
    return messages("glslc", text, {name: name}, {name: f"{HEAD}{line}\n}}\n"}, language)


@pytest.mark.parametrize(
    ("line", "said", "marked", "fix"),
    [
        (" gl_Position = vec4(positon, 1.0);", "'positon' : undeclared identifier", "positon", "did you mean position?"),
        (" double d = 1.0;", "'double' : Reserved word", "double", "write float"),
        (" x = dFdx(y);", "'dFdx' : no matching overloaded function found", "dFdx", "remove it: derivatives"),
        (" buffer B { vec4 c; };", "'' : syntax error, unexpected IDENTIFIER", "", "write `uniform` in the place of `buffer`"),
        (" float4 q;", "'float4' : undeclared identifier", "float4", "write vec4"),
        (" x = lerp(a, b, c);", "'lerp' : no matching overloaded function found", "lerp", "write mix"),
        (" for (i = 0; i < 3; i++) {}", "'i' : undeclared identifier", "i", "declare it: `for (int i = ...`"),
        (" y = 1.0;", "'y' : undeclared identifier", "y", "declare it with its type: `float y = ...`"),
        (" y = normal;", "'normal' : undeclared identifier", "normal", "declare it before main: `in vec4 normal;` for"),
        (" gl_Position = m * position;", f"'*' : wrong operand types: no operation '*' exists {VECTOR}", "*", "write vec4("),
        (
            " position.x = 1.0;",
            "'assign' : l-value required \"position\" (can't modify shader input)",
            "position",
            "an input is",
        ),
        (" x = position.w;", "'w' : vector swizzle selection out of range", "w", "name components that the vector has"),
        (" color = (vec4)1.0;", "'' : syntax error, unexpected RIGHT_PAREN", "", "write a conversion as a call"),
        (" c = vec4(1.0;", "'' : syntax error, unexpected SEMICOLON", "", "balance the parentheses"),
        (" color = vec4(1.0); // out vec4 fragColor;", "'color' : undeclared identifier", "color", "declare it with its type"),
        ("int main()", "'int' : entry point cannot return a value", "", "write `void main()`"),
        (" if (n) x = 1.0;", "'' : boolean expression expected", "", "compare: `x != 0` is a condition"),
    ],
)
def test_a_message_has_a_place_and_a_fix(line: str, said: str, marked: str, fix: str):
    [found] = told(line, said)
    span = found.span
    assert found.fix[: len(fix)] == fix
    assert span.line == 5 and (span.text[span.column - 1 : span.column - 1 + span.length] if marked else "") == marked


def entry(text: str, language: str, wanted: str) -> str:
    return entry_of(SourceFile("a", text.encode(), "a"), text, language, wanted)


def test_vertex_shaders_that_are_not_one():
    two = (
        "float4 A(float3 p : POSITION) : SV_Position { return 1; }\nfloat4 B(float3 p : POSITION) : SV_POSITION { return 1; }\n"
    )
    with pytest.raises(InputError) as caught:
        entry(two, "hlsl", "")
    assert caught.value.diagnostics[0].fix == "name one: `--entry-point A`"
    assert entry(two, "hlsl", "B") == "B"
    assert entry(two.replace("B(", "main("), "hlsl", "") == "main"
    with pytest.raises(InputError, match="in GLSL it is the function main"):
        entry(HEAD, "glsl", "main2")
    assert entry(HEAD, "glsl", "main") == "main"


def test_a_name_that_a_definition_replaces():
    (found,) = told("const int BONES = 18;", "'' : syntax error, unexpected INTCONSTANT")
    (other,) = told("int BONES;", "'' : syntax error, unexpected INTCONSTANT")
    assert defined(found, ["A=2"]) == found and defined(other, ["BONES=12"]).fix == "leave out the definition of BONES"
    found = defined(found, ["A=2", "BONES=12"])
    assert found.message.endswith("BONES is defined as 12, which the preprocessor writes here")
    assert (found.span.column, found.span.length) == (11, 5)
    assert found.fix.startswith("write `#ifndef BONES`, `#define BONES 18` and `#endif` on lines of their own in its place, or")


@pytest.mark.parametrize(
    ("given", "wanted", "fix"),
    [
        ("in 3-component vector of float", "gl_Position 4-component vector of float Position", "write vec4(VALUE, 1.0)"),
        ("temp 4-component vector of float", "temp 3-component vector of float", "write .xyz after the value"),
        ("in 3-component vector of float", "temp float", "write one component of the value, such as .x"),
        ("temp float", "temp int", "write int(VALUE)"),
        ("const float", "smooth out 4-component vector of float", "write vec4(VALUE)"),
    ],
)
def test_types_that_differ(given: str, wanted: str, fix: str):
    [found] = told(" a = b;", f"'=' : cannot convert from ' {given}' to ' {wanted}'")
    assert found.fix[: len(fix)] == fix


def test_a_missing_semicolon_is_in_the_line_before():
    name = "a.vert"
    source = f"{HEAD} gl_Position = vec4(1.0) // x\n\n}}\n"
    said = f"{name}:7: error: '' : syntax error, unexpected RIGHT_BRACE, expecting COMMA or SEMICOLON\n"
    [found] = messages("glslc", said, {name: name}, {name: source}, "glsl")
    assert (found.span.line, found.span.column, found.fix) == (5, 25, "end line 5 with `;`")


def test_what_follows_from_another_message_is_not_said():
    after = ("'constructor' : not enough data provided for construction", "'assign' : cannot convert from ' a' to ' b'")
    assert len(told(" gl_Position = vec4(q, 1.0);", "'q' : undeclared identifier", *after)) == 1


def test_hlsl_has_its_own_words():
    [found] = told("uniform mat4 m;", "'declaration' : Expected", language="hlsl")
    assert (found.fix, found.span.column) == ("write float4x4 in the place of mat4", 9)


@pytest.mark.parametrize(
    ("source", "said", "line", "fix"),
    [
        (
            "void mian() {\n}\n",
            "a.vert: error: Linking vertex stage: Missing entry point: Each stage",
            1,
            "rename mian to main",
        ),
        (
            "\nfloat4 vs() : SV_Position { return 1; }\n",
            "a.vert: warning: Linking vertex stage: Entry point not found\n1 warning generated.",
            2,
            "name it: --entry-point vs",
        ),
        (
            "float g() { return 1.0; }\nfloat f(float x) { return f(x); }\n",
            "a.vert: error: Linking vertex stage: Recursion detected:\na.vert:     f(f1; calling f(f1;",
            2,
            "write it as a loop: shaders have no recursion",
        ),
        (
            "// ddx\nvoid main() {\n x = ddx(y); }\n",
            "shaderc: internal error: failed to optimize\nDerivative instructions require Fragment or GLCompute: DPdx\n",
            3,
            "remove it: only fragment shaders have it",
        ),
    ],
)
def test_messages_without_a_line(source: str, said: str, line: int, fix: str):
    language = "hlsl" if "SV_" in source else "glsl"
    [found] = messages("glslc", said, {"a.vert": "a.vert"}, {"a.vert": source}, language)
    assert (found.is_error, found.span.line, found.fix) == (True, line, fix)


def test_long_outputs_take_no_time():
    for text in ("x" * 1_000_000, "/*" * 100_000, "a b(" * 50_000):
        assert not messages("glslc", text, {}, {"a.vert": text}, "glsl")


@pytest.mark.skipif(shutil.which("glslc") is None, reason="glslc is not installed")
def test_a_loop_that_never_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "a.vert"
    source.write_text(f"{HEAD} vec3 p = position;\n while (true) p *= 1.5;\n gl_Position = vec4(p, 1.0);\n}}\n")
    assert cli.main(["compile", str(source), "--target", "shadercore", "--check"]) == 1
    assert "gl_Position is never written: a loop before it never ends" in capsys.readouterr().err
