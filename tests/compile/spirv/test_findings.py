"""What is refused, where, and that no module makes a traceback."""

from __future__ import annotations

import struct
from random import Random
from typing import Any, cast

import pytest

from compile.spirv.running import LEVELS, LOCATIONS, SHADERS, lowered, module
from corpus import REPOSITORY
from effort import times
from lanewise.compile.spirv import flow
from lanewise.compile.spirv.binary import is_spirv, read_instructions
from lanewise.compile.spirv.codes import ROWS
from lanewise.compile.spirv.context import Context
from lanewise.compile.spirv.emit import Emitter
from lanewise.compile.spirv.lower import Options, lower
from lanewise.compile.spirv.module import Module, read_module
from lanewise.compile.spirv.semantics import semantic_of, usage_of
from lanewise.compile.vector.code import Store
from lanewise.compile.vector.verify import verify
from lanewise.core.diagnostics import ERROR, has_errors
from together import together

CODES = {row.code for row in ROWS}


def test_places():
    """A finding is at the line of the source, with its text."""
    source = (SHADERS / "refused.vert").read_text().split("\n")
    found = {(d.code, d.span.line): d for d in lower(module("refused")).diagnostics}
    expected = {
        ("S003", "texture(picture"),
        ("S008", "i.x ^ i.y"),
        ("S005", "gl_VertexID"),
        ("S004", "dvec2"),
        ("S009", "i.x * i.y"),
        ("S006", "vec4 glow"),
    }
    for code, part in expected:
        line = next(number for number, text in enumerate(source, 1) if part in text)
        assert (code, line) in found, (code, line, sorted(found))
        assert found[code, line].span.text == source[line - 1]
        assert found[code, line].span.file.endswith("refused.vert")
    assert all(d.code in CODES and (d.fix or d.severity == "note") for d in found.values())
    assert lowered("refused").program is None


def test_a_built_in_variable_is_one_finding():
    """Where it is used first; the lines of further uses are a note, so that others are seen."""
    found = module("refused")
    context = Context(found, Emitter(), cast("Any", None))
    by_line = {found.place(each).line: each for each in found.instructions if found.place(each).line}
    lines = sorted(by_line)[:7]
    for number in (*lines, *lines):
        context.report_first("gl_Nothing does not exist on the target", by_line[number], "remove the assignment")
    (one,) = context.diagnostics.values()
    assert (one.code, one.span.line) == ("S005", lines[0])
    assert one.notes == (f"it is used again in lines {', '.join(map(str, lines[1:6]))} and more",)


@pytest.mark.parametrize("name", ["particle", "skinning", "toon"])
def test_inputs_and_uniforms_have_the_lines_that_declare_them(name: str):
    """So that a finding about one that does not fit shows it."""
    parsed = read_module((REPOSITORY / f"examples/glsl/{name}.spv").read_bytes(), f"{name}.spv")
    assert isinstance(parsed, Module)
    program = lower(parsed).program
    assert program is not None
    rows = [*program.inputs, *program.uniforms, *program.flags, *program.counts]
    assert rows
    for row in rows:
        span = program.lines[row.line] if row.line >= 0 else None
        plain = row.name.rpartition(".")[2]
        assert span is not None, row.name
        assert span.text[span.column - 1 :][: span.length] == plain, (row.name, span)


def test_declarations():
    """Names in parameters, comments and other declarations of the line are not taken."""
    made = module("refused")
    made.sources.clear()
    made.sources["a.vert"] = [
        "// in vec4 p;",
        "void add(in vec4 p, out vec4 color) {}",
        "flat in vec4 pp, p; uniform mat4 M[4]; layout(location = 0) out vec4 color; void main() { color = p; }",
        "uniform bool on,",
        "    off;",
    ]
    places = [("p", "in"), ("M", "uniform"), ("color", "out"), ("on", "uniform"), ("block.off", "uniform"), ("none", "in")]
    spans = [made.declared(name, keyword) for name, keyword in places]
    assert [span and (span.line, span.column) for span in spans] == [(3, 18), (3, 34), (3, 70), (4, 14), (5, 5), None]


def test_outputs_of_a_module_without_names_are_given_by_location():
    stripped = read_module((REPOSITORY / "tests/spirv/shaders/wave.O.spv").read_bytes(), "wave.O.spv")
    assert isinstance(stripped, Module)
    found = [d for d in lower(stripped).diagnostics if d.code == "S006"]
    assert [d.message for d in found] == ["the outputs at locations 1 and 2 have no semantic"]
    assert "--semantic 1=" in found[0].fix
    made = lower(stripped, Options(outputs={"1": "color", "2": "texcoord0", "3": "view"}))
    assert made.program is not None
    assert [output.semantic for output in made.program.outputs] == ["position", "color", "texcoord0"]
    assert [d.fix for d in made.diagnostics if d.code == "S015"] == ["use 1, 2, gl_Position, v0, v1"]


def test_a_normal_for_a_pixel_shader_is_light_in_the_vertex_shader():
    data = (REPOSITORY / "examples/glsl/toon.spv").read_bytes()
    renamed = read_module(data.replace(b"color\0\0\0", b"fnorm\0\0\0"), "a.spv")
    assert isinstance(renamed, Module)
    (found,) = [d for d in lower(renamed).diagnostics if d.code == "S006"]
    assert "'fnorm'" in found.message
    assert found.fix.startswith("compute the light in this shader and write it to `color`")
    assert found.fix.endswith("`--semantic fnorm=SEMANTIC`, or `--semantic fnorm=none` to leave it out")
    assert lower(renamed, Options(outputs={"fnorm": "none"})).program is not None


def test_a_store_of_an_output_has_a_line():
    """It is the statement that writes the output, also where a value is copied and nothing computed."""
    parsed = read_module((REPOSITORY / "tests/spirv/lines/scopes.spv").read_bytes(), "scopes.spv")
    assert isinstance(parsed, Module)
    made = lower(parsed).program
    assert made is not None
    stores = {statement.variable: statement for statement in made.body if isinstance(statement, Store)}
    lines = {output.name: stores[output.variable].line for output in made.outputs}
    assert {name: made.lines[line].text.strip() if line >= 0 else "" for name, line in lines.items()} == {
        "position": "gl_Position = projection * p;",
        "color": "color = vec4(n, step);",
        "texcoord0": "texcoord0 = pair.low + vec2(total, ends[2]);",
    }


@pytest.mark.parametrize("level", LEVELS)
def test_an_output_without_a_semantic(level: str):
    found = [d for d in lower(module("functions", level)).diagnostics if d.code == "S006"]
    assert [d.message for d in found] == ["outputs 'r0', 'r1' and 'r2' have no semantic"]
    assert "texcoord0" in found[0].notes[0]
    assert "--semantic r0=" in found[0].fix
    options = Options(outputs={"r0": "color", "r1": "view", "r9": "color"}, output_locations={2: "normalquat"})
    made = lower(module("functions", level), options)
    assert made.program is not None
    assert [(output.name, output.semantic, output.mask) for output in made.program.outputs] == [
        ("position", "position", 15),
        ("r0", "color", 15),
        ("r1", "view", 7),
        ("r2", "normalquat", 15),
    ]
    assert [d.code for d in made.diagnostics if d.code != "S014"] == ["S015"]
    given = lower(module("functions", level), Options(outputs={"*": "any", "r1": "view"}))
    assert given.program is not None
    assert [(output.name, output.semantic) for output in given.program.outputs] == [
        ("position", "position"),
        ("r0", "normalquat"),
        ("r1", "view"),
        ("r2", "color"),
    ]
    (note,) = [d for d in given.diagnostics if d.code in ("S006", "S015")]
    assert (note.severity, note.message) == ("note", "without a semantic: 'r0' is normalquat and 'r2' is color")
    twice = lower(module("functions", level), options._replace(outputs={"r0": "color", "r1": "color"}))
    assert "S007" in [d.code for d in twice.diagnostics]


def test_semantics_of_hlsl_are_those_of_inputs_and_outputs():
    """COLOR1 and FOG do not exist; TEXCOORD5 does not either, but the name of the output says what it is."""
    made = lower(module("semantics"))
    assert made.program is not None
    assert {row.name: row.semantic for row in made.program.inputs} == {
        "place": "position",
        "up": "normal",
        "tint": "color",
        "picks_0": "texcoord2",
        "picks_3": "texcoord5",
    }
    assert {row.name: row.semantic for row in made.program.outputs} == {
        "a": "position",
        "b": "color",
        "uv[0]": "texcoord0",
        "uv[1]": "texcoord1",
        "view": "view",
    }
    (left_out,) = made.diagnostics
    assert (left_out.code, left_out.severity) == ("S020", "warning")
    assert left_out.message.startswith("outputs 'c' (COLOR1) and 'fog' (FOG) are left out")
    given = lower(module("semantics"), Options(outputs={"c": "normalquat", "fog": "none", "up": "color1", "nothing": "color"}))
    assert given.program is not None
    assert {row.name: row.semantic for row in given.program.inputs}["up"] == "color1"
    assert {row.name: row.semantic for row in given.program.outputs}["c"] == "normalquat"
    assert [d.message for d in given.diagnostics] == ["the shader has no output and no input 'nothing'"]


@together(
    ("semantic", "usage"),
    [
        ("SV_Position", "position"),
        ("POSITION0", "position"),
        ("HPOS", "position"),
        ("COLOR", "color"),
        ("COL1", "color1"),
        ("SPECULAR", "color1"),
        ("TEXCOORD", "texcoord0"),
        ("TEX7", "texcoord7"),
        ("ATTR2", "normal"),
        ("ATTR9", "texcoord1"),
        ("ATTR16", ""),
        ("ATTR", ""),
        ("FOGC", "fog"),
        ("BLENDINDICES", "blendindices"),
        ("InstMatrix", ""),
        ("SV_VertexID", ""),
        ("", ""),
    ],
)
def test_usages(semantic: str, usage: str):
    assert usage_of(semantic) == usage


def test_too_many_outputs_are_one_finding():
    """All of them lack a meaning, and there are more than the target takes."""
    options = Options(semantics={"position": 4, "color": 4, "view": 3})
    (found,) = [d for d in lower(module("functions"), options).diagnostics if d.severity == ERROR]
    assert found.code == "S006"
    assert found.message == (
        "too many outputs for 2 semantics: the shader writes 3 besides the position, and outputs 'r0', 'r1' and 'r2' have no "
        "semantic"
    )
    assert "--semantic r0=none" in found.fix


@together(
    ("name", "semantic"),
    [
        ("color", "color"),
        ("outclr", "color"),
        ("v_color", "color"),
        ("fragColor", "color"),
        ("OUT_COLOR", "color"),
        ("ourColor", "color"),
        ("out.var.TEXCOORD0", "texcoord0"),
        ("outTexcoord0", "texcoord0"),
        ("vTexCoord", "texcoord0"),
        ("outtc1", "texcoord1"),
        ("v_uv2", "texcoord2"),
        ("texcoord0w", "texcoord0w"),
        ("outNormalQuat", "normalquat"),
        ("outview", "view"),
        ("normal", ""),
        ("fragPosition", ""),
        ("outside", ""),
        ("", ""),
        ("texcoord7", ""),
    ],
)
def test_semantics(name: str, semantic: str):
    assert semantic_of(name) == semantic


def test_both_byte_orders():
    data = (SHADERS / "functions.O.spv").read_bytes()
    swapped = b"".join([data[at : at + 4][::-1] for at in range(0, len(data), 4)])
    assert is_spirv(data) and is_spirv(swapped)
    (little, first), (big, second) = read_instructions(data), read_instructions(swapped)
    assert first == second
    assert (little.big_endian, big.big_endian) == (False, True)
    a, b = read_module(data), read_module(swapped)
    assert isinstance(a, Module) and isinstance(b, Module)
    options = Options(output_locations=LOCATIONS, semantics=dict.fromkeys([*LOCATIONS.values(), "position"], 4))
    assert lower(a, options).program == lower(b, options).program


@together(
    ("length", "at", "word", "message"),
    [
        (18, 0, "", "cut off"),
        (16, 0, "", "cut off"),
        (-4, 0, "", "no OpFunctionEnd"),
        (0, 0, "", "not a SPIR-V module"),
        (None, 4, "00000200", "version 2.0"),
        (None, 4, "00070100", "version 1.7"),
        (None, 12, "05000000", "bound"),
        (None, 20, "00000000", "length of"),
        (None, 20, "1100ffff", "length of"),
    ],
)
def test_damage(length: int | None, at: int, word: str, message: str):
    data = (SHADERS / "functions.O.spv").read_bytes()[:length]
    found = read_module(data[:at] + bytes.fromhex(word) + data[at + len(word) // 2 :])
    assert isinstance(found, list)
    assert (found[0].code, found[0].is_error) == ("S001", True)
    assert message in found[0].message


def test_versions():
    data = (SHADERS / "functions.O.spv").read_bytes()
    for minor in range(7):
        assert isinstance(read_module(data[:4] + bytes([0, minor, 1, 0]) + data[8:]), Module)


def mutant(random: Random, data: bytes) -> bytes:
    """A module with some words changed: a byte, a small number, another word of it; or cut."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        at = random.randrange(len(changed) // 4) * 4
        how = random.random()
        if how < 0.4:
            changed[at + random.randrange(4)] = random.randrange(256)
        elif how < 0.7:
            changed[at : at + 4] = random.randrange(200).to_bytes(4, "little")
        elif how < 0.97:
            other = random.randrange(len(changed) // 4) * 4
            changed[at : at + 4] = changed[other : other + 4]
        elif at > 20:
            del changed[at:]
    return bytes(changed)


def test_mutants():
    """Whatever a module says, the answer is a program that is right by the rules of programs, or findings."""
    random = Random(7)
    modules = [path.read_bytes() for path in sorted(SHADERS.glob("*.spv"))]
    options = Options(output_locations=LOCATIONS, semantics=dict.fromkeys([*LOCATIONS.values(), "position"], 4))
    programs = 0
    for _ in range(times(150, 20_000)):
        found = read_module(mutant(random, random.choice(modules)))
        if isinstance(found, list):
            assert has_errors(found)
            continue
        made = lower(found, options)
        if made.program is None:
            assert has_errors(made.diagnostics)
        else:
            programs += 1
            verify(made.program)
    assert programs > 10


def test_several_entry_points():
    found = module("functions")
    entry = found.entries[0]
    found.entries.append(entry._replace(name="other"))
    assert [d.code for d in lower(found).diagnostics] == ["S002"]
    assert "use one of main, other" in lower(found).diagnostics[0].fix
    options = Options(output_locations=LOCATIONS, semantics=dict.fromkeys([*LOCATIONS.values(), "position"], 4))
    assert lower(found, options._replace(entry="other")).program is not None
    found.entries[:] = [entry._replace(model=4)]
    assert "fragment" in lower(found).diagnostics[0].message


def test_no_position():
    found = module("functions")
    located = tuple([number for number, words in found.decorations.items() if 30 in words])
    found.entries[:] = [found.entries[0]._replace(interface=located)]
    made = lower(found, Options(output_locations=LOCATIONS, semantics=dict.fromkeys([*LOCATIONS.values(), "position"], 4)))
    assert [(d.code, d.message) for d in made.diagnostics] == [("S011", "gl_Position is never written")]


def test_no_position_in_hlsl():
    found = module("functions")
    found.languages = {5}
    located = tuple([number for number, words in found.decorations.items() if 30 in words])
    found.entries[:] = [found.entries[0]._replace(interface=located)]
    made = lower(found, Options(output_locations=LOCATIONS, semantics=dict.fromkeys([*LOCATIONS.values(), "position"], 4)))
    [finding] = made.diagnostics
    assert (finding.message, finding.fix) == ("the position is never written", "return it with the semantic SV_Position")


def test_no_names():
    """Inputs are named by their registers, and a note says why."""
    found = module("functions")
    found.names.clear()
    made = lower(found, Options(output_locations=LOCATIONS, semantics=dict.fromkeys([*LOCATIONS.values(), "position"], 4)))
    assert made.program is not None
    assert [(each.name, each.register) for each in made.program.inputs] == [("v0", 0), ("v1", 1)]
    assert [(d.code, d.severity) for d in made.diagnostics] == [("S013", "note")]


@pytest.mark.parametrize("level", LEVELS)
def test_names_that_are_changed(level: str):
    """What applications must call otherwise than the source does is said."""
    made = lowered("names", level)
    assert made.program is not None
    assert [each.name for each in made.program.inputs] == ["position", "tint"]
    assert {"tint_2", "lit", "lit_2"} < {each.name for each in (*made.program.uniforms, *made.program.flags)}
    source = (SHADERS / "names.vert").read_text().split("\n")
    notes = {d.message.partition(":")[0]: d for d in made.diagnostics}
    assert sorted(notes) == [
        "input 'weight' has no name in the program",
        "uniform 'other.lit' is 'lit_2' in the program",
        "uniform 'scene.tint' is 'tint_2' in the program",
    ]
    assert {(d.code, d.severity) for d in notes.values()} == {("S017", "note")}
    shared = notes["input 'weight' has no name in the program"]
    assert shared.span.text == source[3]
    assert shared.fix == "pass it as w of 'position'"


def test_recursion():
    """A call of the function that it is in."""
    found = module("functions")
    own, callee = (
        found.entries[0].function,
        next(number for number, function in found.functions.items() if len(function.parameters) == 1),
    )
    function = found.functions[callee]
    block = function.blocks[function.first]
    call = next(
        each
        for each in found.functions[own].blocks[found.functions[own].first].body
        if each.name == "OpFunctionCall" and each.words[0] == callee
    )
    again = call._replace(result=0, words=(callee, *function.parameters))
    found.functions[callee] = function._replace(
        blocks={**function.blocks, function.first: block._replace(body=(*block.body, again))}
    )
    assert "S010" in [d.code for d in lower(found).diagnostics]


@pytest.mark.parametrize("level", LEVELS)
def test_too_large(level: str, monkeypatch: pytest.MonkeyPatch):
    """What is larger than any target is given up while it is inlined and unrolled, with a place."""
    monkeypatch.setattr(flow, "MOST_OPERATIONS", 4)
    made = lower(module("functions", level), Options(output_locations=LOCATIONS))
    assert made.program is None
    (found,) = made.diagnostics
    assert (found.code, found.severity) == ("S012", "error")
    assert "16384 operations" in found.message
    assert found.fix


def test_what_is_followed_counts_soon(monkeypatch: pytest.MonkeyPatch):
    """Blocks are followed at most as often as a target has operations, and at most twice as many are made of which some are
    dropped."""
    found = module("loops")
    for most, codes in ((32, ["S012"]), (64, [])):
        monkeypatch.setattr(flow, "MOST_OPERATIONS", most)
        assert [each.code for each in lower(found, Options(output_locations=LOCATIONS)).diagnostics] == codes


def test_built_in_variables_that_nothing_uses():
    """glslang declares some in every module for OpenGL."""
    for name in ("loops", "tests", "arrays"):
        built_in = [words[11][0] for words in module(name).decorations.values() if 11 in words]
        assert 5 in built_in  # VertexId
        assert lowered(name).diagnostics == ()


def test_uniforms_without_names():
    found = module("loops")
    found.names.clear()
    options = Options(output_locations=LOCATIONS, semantics=dict.fromkeys([*LOCATIONS.values(), "position"], 4))
    made = lower(found, options).program
    assert made is not None
    assert [each.name for each in (*made.inputs, *made.uniforms, *made.counts)] == ["v0", "u0", "u10", "u9", "u8"]


def errors(*body: tuple[int, ...], before: tuple[tuple[int, ...], ...] = ()) -> list[str]:
    """The errors of a vertex shader with some instructions.

    %20 is its input, a vec4, %21 is 1, %22 is 0.5, %23 is (1, 1, 1, 1). Types are %4 float, %5 vec4, %6 mat4, %9 int.
    """
    rows: list[tuple[int, ...]] = [
        (17, 1), (11, 30, *spelled("GLSL.std.450")), (14, 0, 1), (15, 0, 1, *spelled("main"), 40, 41),
        (71, 41, 11, 0), *before[:1],
        (19, 2), (33, 3, 2), (22, 4, 32), (23, 5, 4, 4), (24, 6, 5, 4), (32, 7, 1, 5), (32, 8, 3, 5), (21, 9, 32, 1),
        (59, 7, 40, 1), (59, 8, 41, 3),
        (43, 9, 21, 1), (43, 4, 22, 0x3F000000), (43, 4, 25, 0x3F800000), (44, 5, 23, 25, 25, 25, 25), *before[1:],
        (54, 2, 1, 0, 3), (248, 10), (61, 5, 20, 40), *body, (62, 41, 20), (253,), (56,),
    ]  # fmt: skip
    words = [0x07230203, 0x00010000, 0, 60, 0]
    for row in rows:
        words += [len(row) << 16 | row[0], *row[1:]]
    parsed = read_module(struct.pack(f"<{len(words)}I", *words), "made.spv")
    found = lower(parsed).diagnostics if isinstance(parsed, Module) else parsed
    return [each.message for each in found if each.severity == ERROR]


def spelled(text: str) -> tuple[int, ...]:
    data = text.encode() + b"\0" * (4 - len(text) % 4)
    return struct.unpack(f"<{len(data) // 4}I", data)


def test_the_shader_of_these_tests_has_no_findings():
    assert errors((129, 5, 50, 20, 20)) == []


@together(
    ("body", "before", "text"),
    [
        (((144, 5, 50, 20, 22),), (), "a matrix has 1 components: expected columns of 4"),
        (((12, 6, 50, 30, 34, 20),), (), "OpExtInst has a result of another size than its type"),
        (((12, 4, 50, 30, 33, 22),), (), "a matrix has 1 components: expected 4, 9 or 16"),
        (((12, 5, 50, 30, 68, 20, 20),), (), "a cross product is of vectors of three components"),
        (((12, 5, 50, 30, 40, 20, 22),), (), "operands have different sizes"),
        (((202, 9, 50, 21, 21, 22),), (), "OpBitFieldSExtract works on bits"),
        ((), ((71, 40, 31, 3),), "input 'v_40' has components 3 to 6 of its location: expected 0 to 3"),
        (((129, 5, 50, 20, 20), (128, 9, 50, 21, 21)), (), "%50 is defined twice"),
        (((249, 11), (248, 11), (245, 4, 50, 20, 10)), (), "OpPhi has a result of another size than its type"),
        (((59, 24, 50, 7, 23),), ((71, 41, 30, 0), (32, 24, 7, 4)), "a variable has an initial value of another size"),
        ((), ((71, 41, 30, 0), (52, 9, 50, 128, 21)), "OpIAdd has too few operands"),
        ((), ((71, 41, 30, 0), (52, 9, 50, 128, 21, 23)), "operands of OpIAdd have different sizes"),
        (
            ((61, 26, 50, 28),),
            ((71, 41, 30, 0), (43, 9, 24, 0x40000000), (28, 26, 5, 24), (32, 27, 1, 26), (59, 27, 28, 1)),
            "input 'v_28' has 1073741824 registers: expected at most 1024",
        ),
    ],
)  # fmt: skip
def test_operands_of_other_sizes_are_findings(
    body: tuple[tuple[int, ...], ...], before: tuple[tuple[int, ...], ...], text: str
):
    """Modules that tests/fuzz has found: each was an internal error."""
    assert [text in message for message in errors(*body, before=before)] == [True]


def test_loops_in_loops_that_are_tried_too_often_are_a_finding(monkeypatch: pytest.MonkeyPatch):
    parsed = module("loops")
    assert "S012" not in [found.code for found in lower(parsed).diagnostics]
    monkeypatch.setattr(flow, "_MOST_STEPS", 100)
    assert [found.code for found in lower(parsed).diagnostics if found.severity == ERROR] == ["S012"]
