"""Compiled shaders from Python, and `lanewise compile`."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import lanewise as lw
from corpus import REPOSITORY
from direct3d9_cases import table
from lanewise.core.diagnostics import InputError
from lanewise.tools.cli import main

EXAMPLES = REPOSITORY / "examples" / "direct3d9"
OPTIONS: dict[str, dict[str, Any]] = {"skin.vsa": {"arrays": {"c10": (12, 3)}}}


def data(name: str) -> tuple[dict[str, NDArray[np.float64]], dict[str, NDArray[np.float64]]]:
    """Inputs and constants of an example: 40 lanes."""
    rng = np.random.default_rng(4)
    if name == "skin.vsa":
        bones = rng.integers(0, 4, (40, 2)).astype(np.float64)
        inputs = {"position": rng.uniform(-1, 1, (40, 3)), "blendweight": rng.uniform(0, 1, (40, 2)), "blendindices": bones}
        return inputs, {"c0": np.eye(4), "c10": rng.uniform(-1, 1, (12, 4))}
    inputs = {"v0": rng.uniform(-1, 1, (40, 4)), "v1" if name != "tone.psa" else "t0": rng.uniform(0, 1, (40, 4))}
    if name == "lit.vsa":
        inputs["v2"] = rng.uniform(0, 1, (40, 4))
    return inputs, {"c0": rng.uniform(0.2, 1, (9, 4))}


@pytest.mark.parametrize("device", ["document", "rtl"])
@pytest.mark.parametrize("name", ["lit.vsa", "skin.vsa", "spot.vsa", "tone.psa"])
def test_the_examples_compile_and_give_what_the_shader_gives(name: str, device: str):
    shader = lw.load(EXAMPLES / name, isa="direct3d9")
    compiled = shader.compile(device, **OPTIONS.get(name, {}))
    inputs, constants = data(name)
    expected = shader.run(inputs, uniforms=constants, rule=device).outputs
    found = compiled.run(inputs, uniforms=constants).outputs
    exact = name in ("skin.vsa", "tone.psa") or device == "document"
    for key in found:
        if exact:
            np.testing.assert_array_equal(found[key].view(np.uint32), expected[key].view(np.uint32))
        else:
            ieee = shader.run(inputs, uniforms=constants, rule="ieee").outputs
            np.testing.assert_allclose(found[key], ieee[key], rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("name", ["lit.vsa", "skin.vsa", "spot.vsa", "tone.psa"])
def test_the_examples_are_legal(name: str):
    assert main(["check", str(EXAMPLES / name)]) == 0


def test_a_program_is_saved_with_its_interface(tmp_path: Path):
    compiled = lw.load(EXAMPLES / "lit.vsa", isa="direct3d9").compile("rtl")
    beside = compiled.save(tmp_path / "lit.scb")
    described = json.loads(beside.read_text())
    assert [row["meaning"] for row in described["outputs"]] == ["position", "color", "texcoord"]
    assert described["constants"][0]["register"] == "c9"
    assert len((tmp_path / "lit.scb").read_bytes()) == 32 + 8 * described["slots"]
    assert not list(tmp_path.glob(".*"))


def test_both_files_are_saved_or_neither(tmp_path: Path):
    """The interface has a name of 254 characters; a link with the temporary name of older versions is not written to."""
    compiled = lw.load(EXAMPLES / "lit.vsa", isa="direct3d9").compile("rtl")
    program, victim = tmp_path / ("n" * 249 + ".scb"), tmp_path / "victim"
    victim.write_text("keep")
    (tmp_path / ".lit.scb.tmp").symlink_to(victim)
    compiled.save(tmp_path / "lit.scb")
    compiled.save(program)
    assert victim.read_text() == "keep"
    program.unlink()
    program.mkdir()
    with pytest.raises(OSError, match="it is a folder"):
        compiled.save(program)
    assert len(list(tmp_path.iterdir())) == 6  # two programs with their interfaces, the link and its target


def test_what_cannot_be_compiled_raises():
    with pytest.raises(InputError, match="L005"):
        lw.load(EXAMPLES / "skin.vsa", isa="direct3d9").compile("rtl")
    with pytest.raises(ValueError, match="is not a register name"):
        lw.load(EXAMPLES / "skin.vsa", isa="direct3d9").compile("rtl", arrays={"x": 4})


def test_the_report_says_what_each_instruction_costs(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    out = tmp_path / "tone.scb"
    assert main(["compile", str(EXAMPLES / "tone.psa"), "-o", str(out), "--report", "--format", "json"]) == 0
    described = json.loads(capsys.readouterr().out)
    report = described["report"]
    assert report["slots"]["optimised"] == described["slots"] == sum(line["slots"] for line in report["lines"])
    assert report["slots"]["optimised"] <= report["slots"]["table"] < report["slots"]["public"]
    assert report["cycles"]["optimised"] <= 0.7 * report["cycles"]["public"]
    assert report["lines"][0]["instruction"].startswith("mul r0.xyz")
    assert out.with_suffix(".json").is_file()
    assert main(["compile", str(EXAMPLES / "tone.psa"), "-o", str(out), "--report"]) == 0
    assert "public" in capsys.readouterr().out


def test_a_baseline_that_does_not_fit_is_said_to(capsys: pytest.CaptureFixture[str]):
    assert main(["compile", str(EXAMPLES / "skin.vsa"), "--array", "c10=12/3", "--check", "--report"]) == 0
    said = capsys.readouterr().out
    assert "table" in said and "does not fit" in said and "512" in said
    report = lw.load(EXAMPLES / "skin.vsa", isa="direct3d9").compile("rtl", **OPTIONS["skin.vsa"]).report
    assert set(report.slots) | set(report.refused) == {"optimised", "table", "public"}


@pytest.mark.parametrize("stage", ["trace", "code", "schedule", "program"])
def test_every_stage_prints(stage: str, capsys: pytest.CaptureFixture[str]):
    assert main(["compile", str(EXAMPLES / "tone.psa"), "--stage", stage]) == 0
    assert "mul" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["skin.vsa"], 1, "L005"),
        (["skin.vsa", "--array", "c10=300"], 2, "--array"),
        (["tone.psa", "--int", "i0=1"], 1, "L010"),
        (["tone.psa", "--int", "x"], 2, "--int"),
        (["tone.psa", "--bound", "i0=256"], 2, "0 to 255"),
        (["tone.psa", "--bool", "b0=2"], 2, "--bool"),
        (["tone.psa", "--decl", "v0=float5"], 2, "--decl"),
        (["tone.psa", "--device", "none"], 2, "device"),
        (["nothing.vsa"], 1, "cannot read"),
        (["tone.psa", "--decl", "v0=float3,v0=float2"], 2, "v0 is given twice"),
        (["../transform.sc"], 2, "is for ShaderCore already"),
        (["../transform.v.pica"], 2, "is for PICA200"),
        (["../tetra.obj"], 1, "is an OBJ model, not a shader that is compiled"),
        (["tone.psa", "--bound", "i0=4"], 1, "L010"),
    ],
)
def test_wrong_use_is_one_line(arguments: list[str], code: int, says: str, capsys: pytest.CaptureFixture[str]):
    assert main(["compile", str(EXAMPLES / arguments[0]), "--check", *arguments[1:]]) == code
    error = capsys.readouterr().err
    assert says in error
    assert "Traceback" not in error


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("ps_2_0\ndcl t0\nmov oC0, t0\nmov oC8, t0\n", "V302"),
        ("vs_2_0\ndcl_position v0\nmov oPos, v1\n", "V314"),
        ("ps_2_0\nmov oC0, c40\n", "V302"),
    ],
)
def test_what_check_calls_an_error_is_not_compiled(source: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "x.vsa"
    path.write_text(source)
    assert main(["compile", str(path), "-o", str(tmp_path / "x.scb")]) == 1
    assert f"error[{code}]" in capsys.readouterr().err
    assert not (tmp_path / "x.scb").exists()
    with pytest.raises(InputError) as failure:
        lw.load(path, isa="direct3d9").compile("rtl")
    assert [finding.code for finding in failure.value.diagnostics] == [code]


def test_all_that_needs_textures_is_named_at_once():
    source = "ps_2_0\ndef c0, 1, 1, 1, 1\ndcl t0.xy\ndcl_2d s0\ntexkill t0\ntexld r0, t0, s0\nmul r0, r0, c0\nmov oC0, r0\n"
    with pytest.raises(InputError) as failure:
        lw.Direct3DShader.from_source(source).compile("rtl")
    killed, sampled = failure.value.diagnostics
    assert (killed.code, sampled.code) == ("L001", "L001")
    declared, moved = sampled.fix.split("`")[1::2]
    followed = source.replace("dcl_2d s0", declared).replace("texkill t0\n", "").replace("texld r0, t0, s0", moved)
    assert lw.Direct3DShader.from_source(followed).compile("rtl").program.words


LOOP = "vs_2_0\ndcl_position v0\nmov r0, v0\nloop aL, i3\nadd r0, r0, c[aL+20]\nendloop\nmov oPos, r0\n"


@pytest.mark.parametrize("known", [{"bounds": {"i3": 6}}, {"bounds": {"i3": (6, 1)}}, {"integers": {"i3": 4}}, {}])
def test_a_body_that_reads_the_counter_needs_its_start_and_step(known: dict[str, Any]):
    with pytest.raises(InputError) as failure:
        lw.Direct3DShader.from_source(LOOP).compile("document", arrays={"c20": 16}, **known)
    (finding,) = failure.value.diagnostics
    assert finding.code == "L006"
    assert ",START,STEP" in finding.fix


def test_start_and_step_are_those_that_were_compiled():
    shader = lw.Direct3DShader.from_source(LOOP)
    constants = {f"c{n}": [n + 0.1] * 4 for n in range(16, 40)}
    inputs: dict[str, list[float]] = {"position": [1, 2, 3, 1]}
    compiled = shader.compile("document", arrays={"c20": 16}, bounds={"i3": (6, 1, 2)})
    expected = shader.run(inputs, uniforms=constants, integers={"i3": [4, 1, 2]}, rule="document").outputs["position"]
    found = compiled.run(inputs, uniforms=constants, integers={"i3": [4, 1, 2]}).outputs["position"]
    np.testing.assert_array_equal(found, expected)
    assert compiled.interface["numbers"]["i3"]["most"] == 6  # type: ignore[index]
    for values, says in (
        (
            [4, 0, 1],
            ["start of i3 is 0, and the program was compiled for 1", "step of i3 is 1, and the program was compiled for 2"],
        ),
        ([7, 1, 2], ["count of i3 is 7, and the program was compiled for at most 6"]),
    ):
        with pytest.raises(InputError) as failure:
            compiled.run(inputs, uniforms=constants, integers={"i3": values})
        assert [(d.code, d.message) for d in failure.value.diagnostics] == [("B203", text) for text in says]


def test_known_values_are_those_of_the_run():
    source = "vs_2_0\ndcl_position v0\nmov r0, v0\nrep i1\nadd r0, r0, v0\nendrep\nif b2\nadd r0, r0, v0\nendif\nmov oPos, r0\n"
    compiled = lw.Direct3DShader.from_source(source).compile("document", integers={"i1": 2}, booleans={"b2": True})
    inputs: dict[str, list[float]] = {"position": [1, 1, 1, 1]}
    assert (
        compiled.run(inputs, integers={"i1": [2, 5, 5]}, booleans={"b2": True}).outputs["position"][0, 0] == 4
    )  # no aL: start does not matter
    for known in ({"integers": {"i1": 3}}, {"booleans": {"b2": False}}):
        with pytest.raises(InputError) as failure:
            compiled.run(inputs, **known)  # type: ignore[arg-type]
        assert [d.code for d in failure.value.diagnostics] == ["B203"]


def test_accuracy_is_measured_with_the_values_that_were_compiled(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "loop.vsa"
    path.write_text(LOOP.replace("mov oPos, r0", "if b0\nmul r0, r0, c19\nendif\nmov oPos, r0"))
    fixed = ["--int", "i3=3,2,1", "--bool", "b0=1"]
    for known in (fixed, ["--bound", "i3=1,3,2", "--bool", "b0=0"]):
        argv = [
            "compile",
            str(path),
            "--device",
            "document",
            "--array",
            "c20=16",
            *known,
            "--accuracy",
            "--check",
            "--format",
            "json",
        ]
        assert main(argv) == 0
        rows = json.loads(capsys.readouterr().out)["accuracy"]
        assert [(row["name"], row["disagree"], row["error"]) for row in rows if row["name"] == "ordinary"] == [
            ("ordinary", 0, 0.0)
        ]


@pytest.mark.parametrize(("version", "differs"), [("vs_3_0", True), ("vs_2_0", False)])
def test_accuracy_of_sincos_is_that_against_the_function(
    version: str, differs: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Shader model 3 means the functions, of which a compiled program has a series; shader model 2 means the series."""
    path = tmp_path / "angle.vsa"
    constants = (
        "def c8, -1.55009923e-06, -2.17013894e-05, 0.00260416674, 0.000260416674\ndef c9, -0.020833334, -0.125, 1, 0.5\n"
    )
    sources = "" if differs else ", c8, c9"
    outputs = "dcl_position o0\n" if differs else constants
    path.write_text(
        f"{version}\n{outputs}dcl_position v0\nmov r0, v0\nsincos r0.xy, v0.x{sources}\nmov {'o0' if differs else 'oPos'}, r0\n"
    )
    assert main(["compile", str(path), "--device", "document", "--accuracy", "--check", "--format", "json"]) == 0
    (ordinary,) = [row for row in json.loads(capsys.readouterr().out)["accuracy"] if row["name"] == "ordinary"]
    assert (ordinary["error"] > 0) is differs


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ("6,1,2", []),
        ("7,1,2", ["count of i3 is 7, and the program was compiled for at most 6"]),
        ("4,0,2", ["start of i3 is 0, and the program was compiled for 1"]),
        ("4,1", ["step of i3 is 0, and the program was compiled for 2"]),
        (
            "7,-1,1",
            [
                "count of i3 is 7, and the program was compiled for at most 6",
                "start of i3 is -1, and the program was compiled for 1",
                "step of i3 is 1, and the program was compiled for 2",
            ],
        ),
        ("4", ["start of i3 is 0, and the program was compiled for 1", "step of i3 is 0, and the program was compiled for 2"]),
    ],
)
def test_a_saved_program_refuses_the_values_that_the_object_refuses(
    values: str, says: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    compiled = lw.Direct3DShader.from_source(LOOP).compile("document", arrays={"c20": 16}, bounds={"i3": (6, 1, 2)})
    compiled.save(tmp_path / "loop.scb")
    constants = {f"c{n}": [n + 0.1] * 4 for n in range(16, 40)}
    row = [int(part) for part in values.split(",")]
    loaded = lw.load(tmp_path / "loop.scb", isa="shadercore")
    argv = ["run", str(tmp_path / "loop.scb"), "--device", "document", "--input", "position=1,2,3", "--default", "0"]
    status = main([*argv, "--const", f"i3={values}"])
    err = capsys.readouterr().err
    assert status == (1 if says else 0), err
    assert all(f"error[B203]: {text}" in err for text in says)
    assert err.count("error[") == len(says)
    inputs: dict[str, list[float]] = {"position": [1, 2, 3]}
    runs = (
        lambda: compiled.run(inputs, uniforms=constants, integers={"i3": row}).outputs["position"],
        lambda: loaded.run(inputs, {**constants, "i3": row}, device="document").outputs["position"],
    )
    if not says:
        np.testing.assert_array_equal(runs[0](), runs[1]())
        return
    for run in runs:
        with pytest.raises(InputError) as failure:
            run()
        assert [(d.code, d.message) for d in failure.value.diagnostics] == [("B203", text) for text in says]


def test_start_and_step_of_a_saved_program_matter_only_where_it_reads_the_counter(tmp_path: Path):
    source = LOOP.replace("c[aL+20]", "c20")
    compiled = lw.Direct3DShader.from_source(source).compile("document", bounds={"i3": (6, 1, 2)})
    compiled.save(tmp_path / "loop.scb")
    assert compiled.interface["numbers"]["i3"].keys() == {"register", "is", "most"}  # type: ignore[index]
    constants = {"c20": [1, 1, 1, 1], "i3": [4, 7, 9]}
    found = lw.load(tmp_path / "loop.scb", isa="shadercore").run({"position": [1, 2, 3]}, constants, device="document")
    np.testing.assert_array_equal(found.outputs["position"], [[5, 6, 7, 5]])


@pytest.mark.parametrize(("value", "code"), [(4.5, "B003"), ([], "B003"), (float("nan"), "B003"), ([-1, 1, 2], "B007")])
def test_a_count_of_a_saved_program_is_a_whole_number(value: object, code: str, tmp_path: Path):
    compiled = lw.Direct3DShader.from_source(LOOP).compile("document", arrays={"c20": 16}, bounds={"i3": (6, 1, 2)})
    compiled.save(tmp_path / "loop.scb")
    with pytest.raises(InputError) as failure:
        lw.load(tmp_path / "loop.scb", isa="shadercore").run({"position": [1, 2, 3]}, {"i3": value}, defaults=0)  # type: ignore[dict-item]
    assert [d.code for d in failure.value.diagnostics] == [code]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"i3": [4, 1, 2], "b2": 1}, []),
        ({}, []),
        ({"i3": [3, 1, 2]}, ["count of i3 is 3, and the program was compiled for 4"]),
        (
            {"i3": [4, 0, 2], "b2": 0},
            ["start of i3 is 0, and the program was compiled for 1", "b2 is false, and the program was compiled for true"],
        ),
    ],
)
def test_a_saved_program_refuses_other_values_than_those_that_are_compiled_in(
    given: dict[str, Any], says: list[str], tmp_path: Path
):
    source = LOOP.replace("mov oPos", "if b2\nadd r0, r0, v0\nendif\nmov oPos")
    compiled = lw.Direct3DShader.from_source(source).compile(
        "document", arrays={"c20": 16}, integers={"i3": (4, 1, 2)}, booleans={"b2": True}
    )
    compiled.save(tmp_path / "known.scb")
    loaded = lw.load(tmp_path / "known.scb", isa="shadercore")
    inputs: dict[str, list[float]] = {"position": [1, 2, 3]}
    constants = {f"c{n}": [n] * 4 for n in range(20, 36)}
    integers, booleans = ({name: value for name, value in given.items() if name[0] == kind} for kind in "ib")
    runs = (
        lambda: compiled.run(inputs, uniforms=constants, integers=integers, booleans=booleans).outputs["position"],
        lambda: loaded.run(inputs, {**constants, **given}, device="document").outputs["position"],
    )
    for run in runs:
        if not says:
            np.testing.assert_array_equal(run(), [[98, 100, 102, 98]])
            continue
        with pytest.raises(InputError) as failure:
            run()
        assert [(d.code, d.message) for d in failure.value.diagnostics] == [("B203", text) for text in says]


def test_an_interface_without_start_and_step_is_read(tmp_path: Path):
    compiled = lw.Direct3DShader.from_source(LOOP).compile("document", arrays={"c20": 16}, bounds={"i3": (6, 1, 2)})
    compiled.save(tmp_path / "loop.scb")
    beside = tmp_path / "loop.json"
    described = json.loads(beside.read_text())
    assert {key: described["numbers"]["i3"][key] for key in ("most", "start", "step")} == {"most": 6, "start": 1, "step": 2}
    inputs, constants = {"position": [1, 2, 3]}, {"c20": [[n] * 4 for n in range(20, 36)], "i3": [4, 1, 2]}
    expected = lw.load(tmp_path / "loop.scb", isa="shadercore").run(inputs, constants, device="document").outputs["position"]
    for key in ("step", "start", "most"):
        del described["numbers"]["i3"][key]
        beside.write_text(json.dumps(described))
        loaded = lw.load(tmp_path / "loop.scb", isa="shadercore")
        np.testing.assert_array_equal(loaded.run(inputs, constants, device="document").outputs["position"], expected)
    del described["known"]
    beside.write_text(json.dumps(described))
    assert lw.load(tmp_path / "loop.scb", isa="shadercore").run(inputs, constants, device="document").lanes == 1
    for key, row in (("i3", {"exact": "one"}), ("i3", 3), ("b2", {"value": 1}), ("b2", {}), ("c4", {"exact": 1})):
        beside.write_text(json.dumps({**described, "known": {key: row}}))
        with pytest.raises(InputError, match="C209"):
            lw.load(tmp_path / "loop.scb", isa="shadercore")
    described["numbers"]["i3"]["start"] = "one"
    beside.write_text(json.dumps(described))
    with pytest.raises(InputError, match="C209"):
        lw.load(tmp_path / "loop.scb", isa="shadercore")


def test_what_lacks_a_value_is_asked_for_with_start_and_step_where_the_program_depends_on_them(tmp_path: Path):
    for body, wanted in (("c[aL+20]", "count, start and step"), ("c20", "a count")):
        shader = lw.Direct3DShader.from_source(LOOP.replace("c[aL+20]", body))
        shader.compile("document", arrays={"c20": 16} if "aL" in body else {}, bounds={"i3": (6, 1, 2)}).save(
            tmp_path / "loop.scb"
        )
        with pytest.raises(InputError) as failure:
            lw.load(tmp_path / "loop.scb", isa="shadercore").run({"position": [1, 2, 3]}, {"c20": [[0] * 4] * 16})
        assert [wanted in d.fix for d in failure.value.diagnostics] == [True]


def test_the_program_and_its_interface_are_two_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["compile", str(EXAMPLES / "tone.psa"), "-o", str(tmp_path / "tone.json")]) == 2
    assert ".scb" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValueError, match="suffix"):
        lw.load(EXAMPLES / "tone.psa", isa="direct3d9").compile("rtl").save(tmp_path / "tone.json")


def test_the_interface_says_how_great_a_count_may_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "turns.vsa"
    source.write_text("vs_2_0\ndcl_position v0\nmov r0, v0\nloop aL, i1\nadd r0, r0, c[aL]\nendloop\nmov oPos, r0\n")
    assert main(["compile", str(source), "--bound", "i1=3,10,2", "--format", "json", "--check"]) == 0
    described = json.loads(capsys.readouterr().out)
    assert described["numbers"]["i1"]["is"] == "the count, as a number, at most 3; aL starts at 10, by steps of 2"
    assert described["uniforms"] == ["c10", "c12", "c14"]


def test_run_takes_the_constants_that_lie_beside_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "half.vsa"
    source.write_text(
        "vs_2_0\ndcl_position v0\ndcl_tangent v1\ndef c7, 0.5, 0.25, 2, 3\nmul r0, v0, c7\nif b0\nadd r0, r0, v1\nendif\n"
        "mov oPos, r0\n"
    )
    program = tmp_path / "half.scb"
    assert main(["compile", str(source), "-o", str(program), "--device", "document"]) == 0
    arguments = ["run", str(program), "--device", "document", "--input", "position=2,4,6", "--input", "tangent=1,1,1,1"]
    assert main([*arguments, "--const", "b0=1"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[2].split() == ["0", "2", "2", "13", "4"]  # w: 1 * 3 + 1
    assert "half.json" in said.err
    loaded = lw.load(program, isa="shadercore")
    found = loaded.run({"position": [2, 4, 6], "tangent": [1, 1, 1, 1]}, {"b0": 0}, device="document").outputs["position"]
    np.testing.assert_array_equal(found, [[1, 1, 12, 3]])


def test_an_interface_that_is_broken_is_a_finding_and_any_other_json_is_not_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    program = tmp_path / "lit.scb"
    lw.load(EXAMPLES / "lit.vsa", isa="direct3d9").compile("rtl").save(program)
    beside = tmp_path / "lit.json"
    described = json.loads(beside.read_text())
    described["constants"][0]["bits"] = ["0x1"]
    beside.write_text(json.dumps(described))
    assert main(["run", str(program), "--input", "position=1,2,3"]) == 1
    assert "C209" in capsys.readouterr().err
    beside.write_text('{"kind": "another"}')
    assert main(["run", str(program), "--input", "v0=1,2,3", "--default", "0"]) == 0


def test_the_interface_of_another_program_is_not_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    program = tmp_path / "lit.scb"
    lw.load(EXAMPLES / "lit.vsa", isa="direct3d9").compile("rtl").save(program)
    assert main(["dis", str(program), "--to", "hex", "-o", str(tmp_path / "lit.hex")]) == 0
    assert lw.load(tmp_path / "lit.hex", isa="shadercore").beside is not None  # the same words in another form
    source = tmp_path / "lit.sc"
    source.write_text(".input v1 color\nadd o0.x, v1.x, c9.w\nend\n")
    loaded = lw.load(source, isa="shadercore")
    assert (loaded.beside, [(d.code, d.severity) for d in loaded.diagnostics]) == (None, [("C210", "note")])
    assert main(["asm", str(source), "-o", str(program)]) == 0
    assert main(["run", str(program), "--input", "v1=1", "--default", "0"]) == 0
    said = capsys.readouterr()
    assert "warning[C210]" in said.err
    assert said.out.splitlines()[2].split()[1] == "1"  # c9 is 0, not lit.json's 16


def test_an_interface_of_a_later_version_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    program = tmp_path / "lit.scb"
    lw.load(EXAMPLES / "lit.vsa", isa="direct3d9").compile("rtl").save(program)
    beside = tmp_path / "lit.json"
    beside.write_text(json.dumps(json.loads(beside.read_text()) | {"version": 2}))
    assert main(["run", str(program)]) == 1
    assert "unsupported version 2" in capsys.readouterr().err


def test_a_json_file_of_somebody_else_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    beside = tmp_path / "lit.json"
    beside.write_text('{"c0": [1, 2, 3, 4]}')
    assert main(["compile", str(EXAMPLES / "lit.vsa"), "-o", str(tmp_path / "lit.scb")]) == 2
    assert "lit.json is not an interface file" in capsys.readouterr().err
    with pytest.raises(FileExistsError, match="is kept"):
        lw.load(EXAMPLES / "lit.vsa", isa="direct3d9").compile("rtl").save(tmp_path / "lit.scb")
    assert (beside.read_text(), sorted(tmp_path.iterdir())) == ('{"c0": [1, 2, 3, 4]}', [beside])


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"strategy": "fast"}, "unknown strategy 'fast'"),
        ({"elements": {"v0": "float9"}}, "unknown vertex element 'float9'"),
        ({"integers": {"i0": 300}}, "i0: the count is 300, expected 0 to 255"),
        ({"integers": {"i0": (1, 2, 3, 4)}}, "i0: expected one to three numbers"),
        ({"bounds": {"i0": -1}}, "i0: the count is -1, expected 0 to 255"),
        ({"arrays": {"c250": 10}}, "c250: the array is outside of c0 to c255"),
        ({"arrays": {"c10": (4, 0)}}, "c10: the array"),
    ],
)
def test_options_that_mean_nothing_raise(options: dict[str, Any], says: str):
    with pytest.raises(ValueError, match=says):
        lw.load(EXAMPLES / "lit.vsa", isa="direct3d9").compile("rtl", **options)


def test_an_integer_may_be_a_count_alone():
    shader = lw.Direct3DShader.from_source(
        "vs_2_0\ndcl_position v0\nmov r0, v0\nrep i0\nadd r0, r0, v0\nendrep\nmov oPos, r0\n"
    )
    alone, whole = (shader.compile("document", integers={"i0": value}) for value in (3, (3, 0, 1)))
    assert alone.words == whole.words


def test_an_input_without_data_is_what_it_is_in_the_shader(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "pass.vsa"
    source.write_text("vs_2_0\ndcl_position v0\ndcl_color v1\nmov r0, v0\nadd r0, r0, v1\nmov oPos, r0\nmov oD0, v1\n")
    assert main(["compile", str(source)]) == 0
    compiled, shader = lw.load(tmp_path / "pass.scb", isa="shadercore"), lw.load(source, isa="direct3d9")
    for given in ({}, {"position": [[1, 2], [3, 4]]}):
        found, expected = (
            compiled.run(given, device="rtl", defaults=0).outputs,
            shader.run(given, rule="rtl", defaults=0).outputs,
        )
        for name in ("position", "color"):
            np.testing.assert_array_equal(found[name], expected[name])
    assert main(["run", str(tmp_path / "pass.scb"), "--input", "position=1"]) == 1
    assert "error[B004]: no data for input color (v1): the program reads it" in capsys.readouterr().err


@pytest.mark.parametrize("device", ["rtl", "document"])
@pytest.mark.parametrize("name", ["lit.vsa", "skin.vsa", "spot.vsa", "tone.psa"])
def test_the_page_says_what_the_examples_cost(name: str, device: str):
    page = (REPOSITORY / "docs" / "compiling.md").read_text()
    row = next(part for part in page[page.index(f"| {name}:") :].splitlines() if f"| {device} |" in part)
    report = lw.load(EXAMPLES / name, isa="direct3d9").compile(device, **OPTIONS.get(name, {})).report
    costs = {strategy: f"{report.slots[strategy]}, {report.cycles[strategy]}" for strategy in report.slots}
    slots, cycles, table, public = [cell.strip() for cell in row.split("|")[3:7]]
    assert f"{slots}, {cycles}" == costs["optimised"]
    assert (table, public) == (costs.get("table", "too long"), costs.get("public", "too long"))


def test_old_names_of_the_strategy_and_the_report_warn():
    shader = lw.load(EXAMPLES / "lit.vsa", isa="direct3d9")
    with pytest.warns(DeprecationWarning, match="use strategy="):
        old = shader.compile("rtl", manner="table")
    new = shader.compile("rtl", strategy="table")
    assert old.program.words == new.program.words != shader.compile("rtl").program.words
    line = new.report.lines[0]
    with pytest.warns(DeprecationWarning, match="use Line.live"):
        assert line.alive == line.live


def test_constants_and_a_header_for_drivers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Names are those of the constant table; what the compiler adds is in the constants, as in the interface file."""
    monkeypatch.chdir(tmp_path)
    text = "vs_2_0\ndcl_position v0\ndef c9, 2, 3, 4, 5\nm4x4 r0, v0, c4\nmul r0, r0, c9\nadd r0, r0, c20\nmov oPos, r0\n"
    (tmp_path / "a.vsa").write_text(text)
    assert main(["asm", "a.vsa", "-o", "plain.vso"]) == 0
    words = (tmp_path / "plain.vso").read_bytes()
    names = struct.pack(f"<{len(table([('mvp', 2, 4, 4, 0)]))}I", *table([("mvp", 2, 4, 4, 0)]))
    (tmp_path / "a.vso").write_bytes(words[:4] + names + words[4:])
    assert main(["compile", "a.vso", "-o", "a.scb", "--constants", "a.mem", "--header", "a.h"]) == 0
    header = (tmp_path / "a.h").read_text()
    assert "#define A_CONSTANT_MVP 4\n#define A_CONSTANT_C20 20\n" in header
    assert "#define A_SIZE_MVP 4\n" in header
    assert "X(9, 0x40000000U, 0x40400000U, 0x40800000U, 0x40A00000U)" in header
    memory = [int(line, 16) for line in (tmp_path / "a.mem").read_text().split()]
    described = json.loads((tmp_path / "a.json").read_text())
    assert {row["register"]: [int(bits, 16) for bits in row["bits"]] for row in described["constants"]} == {
        f"c{n}": memory[4 * n : 4 * n + 4] for n in range(len(memory) // 4) if any(memory[4 * n : 4 * n + 4])
    }
    # a disassembly of the program finds the same constants in its interface file
    assert main(["dis", "a.scb", "-o", "again.sc", "--constants", "again.mem"]) == 0
    assert (tmp_path / "again.mem").read_bytes() == (tmp_path / "a.mem").read_bytes()
    capsys.readouterr()
    assert main(["compile", "a.vso", "--header", "a.vso"]) == 2
    assert "would be overwritten" in capsys.readouterr().err
    loaded = lw.load(tmp_path / "a.scb", isa="shadercore")
    assert loaded.constants_to_bytes("mem") == (tmp_path / "a.mem").read_bytes()
    assert "#define A_OUTPUT_POSITION 0" in loaded.c_header()
