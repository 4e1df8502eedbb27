"""`lanewise compile --target shadercore` of sources of front ends, and what other commands do with the result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from documents import checked
from lanewise.compile.services.counts import count_meant
from lanewise.shadercore.api.program import ShaderCoreProgram
from lanewise.shadercore.isa.program import usage_name
from lanewise.tools import cli

EXAMPLES = Path(__file__).parents[3] / "examples" / "glsl"
SHADERS = Path(__file__).parents[2] / "spirv" / "shaders"


def compiled(folder: Path, name: str, *options: str) -> Path:
    source, output = EXAMPLES / f"{name}.spv", folder / f"{name}.scb"
    assert cli.main(["compile", str(source), "--target", "shadercore", "-o", str(output), *options]) == 0
    return output


def loaded(path: Path) -> ShaderCoreProgram:
    program = lw.load(str(path))
    assert isinstance(program, ShaderCoreProgram)
    return program


def refused(capsys: pytest.CaptureFixture[str], name: str, *options: str) -> str:
    assert cli.main(["compile", str(EXAMPLES / f"{name}.spv"), "--target", "shadercore", "--check", *options]) != 0
    return capsys.readouterr().err


@pytest.mark.parametrize(("name", "device"), [("toon", "rtl"), ("particle", "document")])
def test_the_shader_tests_of_the_examples_pass(name: str, device: str, tmp_path: Path):
    compiled(tmp_path, name, "--device", device)
    text = (EXAMPLES / f"{name}.shadertest.toml").read_text(encoding="utf-8").replace(f"{name}.spv", f"{name}.scb")
    (tmp_path / "x.shadertest.toml").write_text(f'device = "{device}"\n{text}', encoding="utf-8")
    assert cli.main(["test", str(tmp_path / "x.shadertest.toml")]) == 0


def test_names_of_the_source(tmp_path: Path):
    program = loaded(compiled(tmp_path, "toon", "--device", "document"))
    assert program.inputs == {"position": "v0", "normal": "v1"}
    assert program.outputs == {"position": "o0", "color": "o1"}
    identity = np.eye(4)
    uniforms: dict[str, Any] = {
        "projection": identity,
        "modelview": identity,
        "sun": [0, 0, 1],
        "bands": 4,
        "shade": [0.125, 0, 0],
        "paint": [0.5, 1, 0],
    }
    given = {"position": [[1, 2, 3]], "normal": [[0, 0, 1]]}
    for glossy, color in ((False, [0.5, 0.75, 0, 1]), (True, [1, 1, 1, 1])):
        found = program.run(inputs=given, uniforms={**uniforms, "glossy": glossy}, device="document")
        assert found.outputs["color"].tolist() == [color]
        assert found.outputs["position"].tolist() == [[1, 2, 3, 1]]
    with pytest.raises(lw.InputError, match="no value for boolean constant glossy"):
        program.run(inputs=given, uniforms=uniforms)


@pytest.mark.parametrize("device", ["rtl", "document"])
@pytest.mark.parametrize("level", ["O0", "O"])
def test_whole_numbers_are_exact_as_far_as_floats_are(
    level: str, device: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    source, output = Path(__file__).parents[1] / "spirv" / "shaders" / f"large.{level}.spv", tmp_path / "large.scb"
    arguments = ["compile", str(source), "--target", "shadercore", "--device", device, "--output-locations", "-o", str(output)]
    assert cli.main(arguments) == 0
    said = capsys.readouterr().err
    assert said.count("S009") == 1
    assert "a number that is divided may exceed 131,072 here" in said
    rng = np.random.default_rng(9)
    x, y, z = (rng.integers(low, high, 2000) for low, high in ((-32768, 32769), (1, 300), (0, 128)))
    found = loaded(output).run({"v0": np.stack([x, y, z], 1).astype(np.float32)}, device=device).outputs
    some, many = 3 * x + (z & 3), 255 * x + (z & 127)
    whole = np.trunc(many / 64)
    assert np.array_equal(found["position"], np.stack([some, y, many, np.ones(2000)], 1))
    assert np.array_equal(found["color"], np.stack([np.trunc(some / y), some % y, whole, many >> 3], 1))
    assert np.array_equal(found["texcoord0"][:, 0], many % 32)
    assert np.abs(found["texcoord0"][:, 1] - np.trunc(many / 63)).max() <= 1


def test_outputs_without_a_meaning_keep_their_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    output = tmp_path / "facing.scb"
    arguments = ["compile", str(SHADERS / "facing.O0.spv"), "--target", "shadercore", "-o", str(output)]
    assert cli.main(arguments) == 0
    assert "normalquat is in o3.xyzw, which rtl does not export" in capsys.readouterr().err
    assert loaded(output).outputs == {"position": "o0", "color": "o1", "normalquat": "o3", "view": "o4"}
    assert cli.main([*arguments, "--force", "--output", "view=texcoord0", "--output", "normalquat=none"]) == 0
    program = loaded(output)
    assert program.outputs == {"position": "o0", "color": "o1", "texcoord0": "o2"}
    found = program.run(defaults=0)
    assert np.array_equal(found.outputs["view"], found.outputs["texcoord0"], equal_nan=True)


def test_words_have_lines_of_the_source(tmp_path: Path):
    output = compiled(tmp_path, "toon")
    trace = loaded(output).trace(defaults=0)
    spans = [step.span for step in trace.steps]
    assert {(span.file, span.line) for span in spans if span and span.line} >= {("toon.vert", 25), ("toon.vert", 33)}


def test_a_source_of_the_program_runs_with_the_interface(tmp_path: Path):
    binary = compiled(tmp_path, "toon")
    assert cli.main(["compile", str(EXAMPLES / "toon.spv"), "--target", "shadercore", "-o", str(tmp_path / "again.sc")]) == 0
    first, second = loaded(binary), loaded(tmp_path / "again.sc")
    assert second.words == first.words
    assert second.inputs == first.inputs
    assert "add o0.x" in (tmp_path / "again.sc").read_text(encoding="utf-8")


def test_data_and_report(capsys: pytest.CaptureFixture[str]):
    arguments = ["compile", str(EXAMPLES / "toon.spv"), "--target", "shadercore", "--check", "--report"]
    assert cli.main([*arguments, "--format", "json"]) == 0
    found = checked(capsys.readouterr().out)
    assert found["names"]["c4"] == "sun"
    assert found["numbers"]["glossy"] == {"register": "c12.x", "is": "1.0 or 0.0", "kind": "flag"}
    assert len(found["places"]) == len(found["words"]) == found["slots"] == found["report"]["slots"]["optimised"]
    assert sum(line["slots"] for line in found["report"]["lines"]) == found["slots"]
    assert cli.main(arguments) == 0
    assert "vec3 n = normalize(mat3(modelview) * normal);" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("stage", "text"),
    [
        ("spirv", "OpEntryPoint"),
        ("vector", "program "),
        ("code", "o0.x = "),
        ("schedule", "end"),
        ("program", "add o0.x"),
    ],
)
def test_stages(stage: str, text: str, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["compile", str(EXAMPLES / "particle.spv"), "--target", "shadercore", "--stage", stage]) == 0
    assert text in capsys.readouterr().out


def test_the_header_names_what_the_application_sets(tmp_path: Path):
    compiled(tmp_path, "toon", "--header", str(tmp_path / "toon.h"))
    header = (tmp_path / "toon.h").read_text(encoding="utf-8")
    for line in ("TOON_INPUT_NORMAL 1", "TOON_CONSTANT_PROJECTION 8", "TOON_SIZE_PROJECTION 4", "TOON_NUMBER_GLOSSY 48"):
        assert f"#define {line}\n" in header


def test_loops_need_bounds(capsys: pytest.CaptureFixture[str]):
    text = refused(capsys, "skinning")
    assert "L006" in text
    assert "skinning.vert:33" in text
    assert "--bound lamps=COUNT" in text
    text = refused(capsys, "skinning", "--bound", "lamps=2")
    assert "error[L003]" in text
    assert "skinning.vert:27" in text
    assert "write --bound lamps=1" in refused(capsys, "skinning", "--bound", "lmps=1")


@pytest.mark.parametrize(
    ("text", "said", "register"),
    [
        ("lamps=four", "'four' is not a number: write the most that it can be, such as lamps=8", False),
        ("lamps", "add the most that it can be, such as lamps=8", False),
        ("lamps=-1", "the count is -1, expected 0 to 255", False),
        ("lamps=300", "the count is 300, expected 0 to 255", False),
        *[(f"lamps{each}", "write lamps=4", False) for each in ("=4.0", "=0x4", ":4", " 4", "<=4", "<5", "=1..4")],
        ("lamps=4,0,1", "write lamps=4: start and step are those of the source", False),
        ("lamps=4,rows=5", "give each by itself: --bound lamps=4 --bound rows=5", False),
        ("4", "write the uniform that the loop counts to before it, NAME=4", False),
        ("lamps=4", "write i0 to i15, such as i0=4", True),
        ("i16=3,0,1", "write i0 to i15, such as i0=3,0,1", True),
        *[(each, "write i0=4,0,1", True) for each in ("i0=4;0;1", "0=4,0,1", "i0=4,0", "i0:4,0,1")],
    ],
)
def test_a_count_of_another_form(text: str, said: str, register: bool):
    found = count_meant(text, "--bound", register=register)
    assert said in found
    if found.startswith("write ") and "=" in found and "NAME" not in found and "such as" not in found:
        right = found.removeprefix("write ").partition(":")[0]
        assert count_meant(right, "--bound", register=register) == f"write {right}"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--to", "picasso"), "--to picasso: that is for PICA200, for ShaderCore use bin, hex"),
        (("--strategy", "table"), "the baselines are for Direct3D 9 shaders"),
        (("--accuracy",), "it is for Direct3D 9 shaders"),
        (("--output", "color=view"), "outputs of ShaderCore are position, color, texcoord0, none"),
        (("--avoid", "dph"), "--avoid is an option for PICA200"),
        (("--array", "c0=4"), "--array is an option for Direct3D 9"),
        (("--depth", "9"), "--depth is for memories: name a form with --to"),
    ],
)
def test_options_of_others(options: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]):
    assert message in refused(capsys, "toon", *options)


def test_rows_of_a_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "a.vsa").write_text("vs_2_0\ndcl_position v0\nmov oPos, v0\n")
    output = tmp_path / "a.mif"
    command = ["compile", str(tmp_path / "a.vsa"), "-o", str(output), "--width", "128", "--depth", "16", "--fill", "0"]
    assert cli.main(command) == 0
    text = output.read_text()
    assert text.startswith("DEPTH = 16;\nWIDTH = 128;\n")
    assert "[003..00F] : 00000000000000000000000000000000;" in text
    assert cli.main([*command[:-1], "one", "--force"]) == 2
    assert "--fill one: use a number" in capsys.readouterr().err


def test_a_source_and_its_program_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    output = compiled(tmp_path, "toon")
    assert cli.main(["diff", str(EXAMPLES / "toon.spv"), str(output)]) == 0
    assert "the program that" in capsys.readouterr().out
    words = [*loaded(output).words]
    at = next(n for n, inst in enumerate(loaded(output).insts) if inst.op.name == "mul")
    words[at] ^= 3 ^ 2  # an `add` in its place
    other = tmp_path / "other.sc"
    changed = ShaderCoreProgram.from_words(words)
    other.write_text(changed.disassemble(), encoding="utf-8")
    assert cli.main(["diff", str(other), str(EXAMPLES / "toon.spv")]) != 0


HLSL = Path(__file__).parents[1] / "spirv" / "shaders" / "semantics.O0.spv"


def test_the_header_has_the_usages_of_hlsl(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """With none of them two inputs would be positions, which V211 reports."""
    output = tmp_path / "a.scb"
    options = ["--target", "shadercore", "-o", str(output), "--output", "fog=none", "--device", "document"]
    assert cli.main(["compile", str(HLSL), *options, "--semantic", "picks_3=color1", "--semantic", "view=texcoord3"]) == 0
    program = loaded(output).program
    assert dict(zip(range(8), map(usage_name, program.inputs), strict=True)) == {
        **dict.fromkeys(range(8), "position"),
        1: "normal",
        2: "color",
        3: "texcoord2",
        6: "color1",
    }
    wanted = ["position", "color", "texcoord", "color1", "texcoord1", "texcoord3"]
    assert [usage_name(byte) for byte in program.outputs][:6] == wanted
    capsys.readouterr()
    assert cli.main(["check", str(output), "--device", "document"]) == 0
    assert "V211" not in capsys.readouterr().err


def test_inputs_without_a_usage_are_a_note(capsys: pytest.CaptureFixture[str]):
    given = ["compile", str(EXAMPLES / "particle.spv"), "--target", "shadercore", "--check"]
    cli.main(given)
    names = [line.split()[2].rstrip(";") for line in (EXAMPLES / "particle.vert").read_text().splitlines() if line[:3] == "in "]
    unknown = [name for name in names if name != "position"]
    text = capsys.readouterr().err
    assert f"note[L011]: inputs {', '.join(unknown[:-1])} and {unknown[-1]} have no usage: the header says position" in text
    cli.main([*given, *[part for n, name in enumerate(unknown) for part in ("--semantic", f"{name}=texcoord{n}")]])
    assert "L011" not in capsys.readouterr().err
