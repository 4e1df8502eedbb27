"""`lanewise diff` of two Direct3D 9 shaders: proofs, counter-examples that are replayed, and what is neither."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from direct3d9_pairs import campaign
from effort import times
from lanewise.core.comparison import DIFFERS, EQUAL, UNKNOWN, Comparison
from lanewise.direct3d9.api.equality import compare
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.sem.numbers import rule_of
from lanewise.tools.cli import main
from together import together

HEAD = "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_position o0\ndcl_texcoord o1\ndef c20, 0, 1, 2, 3\n"


def shader(body: str, head: str = HEAD) -> Direct3DShader:
    return Direct3DShader.from_source(head + body, "shader")


def compared(first: str, second: str, rule: str = "ieee", head: str = HEAD, **options: object) -> Comparison:
    return compare(shader(first, head), shader(second, head), rule_of(rule), **options)  # pyright: ignore[reportArgumentType]


EQUALS = {
    "renamed": ("mul r0, v1, c0\nmov o1, r0", "mul r5, c0, v1\nmov o1, r5"),
    "a product in components": ("m4x4 o1, v1, c0", "dp4 o1.w, v1, c3\ndp4 o1.xz, v1, c0\ndp4 o1.y, v1, c1\ndp4 o1.z, c2, v1"),
    "a sum and a product": ("mad o1, v0, c0, v1", "mul r0, c0, v0\nadd o1, v1, r0"),
    "predicates and branches": (
        "mov r0, v1\nsetp_gt p0, v0.x, c0.x\n(p0) mov r0, c1\n(!p0) mul r0, r0, r0\nmov o1, r0",
        "if_gt v0.x, c0.x\nmov o1, c1\nelse\nmul o1, v1, v1\nendif",
    ),
    "sge and a branch": ("sge r0, v0.x, c0.x\nmov o1, r0", "if_ge v0.x, c0.x\nmov o1, c20.y\nelse\nmov o1, c20.x\nendif"),
    "a call": ("call l0\nret\nlabel l0\nmov o1, v1\nret", "mov o1, v1"),
    "a loop of known count": (
        "defi i1, 3, 0, 1, 0\nmov r0, v1\nrep i1\nadd r0, r0, c1\nendrep\nmov o1, r0",
        "add r0, v1, c1\nadd r0, r0, c1\nadd o1, c1, r0",
    ),
    "a loop with predicates": (
        "mov r0, c20.y\nloop aL, i0\nsetp_gt p0, r0.x, c5.x\nbreak_ge r0.y, c4.y\n(p0) add r0, r0, c0[aL]\n"
        "(!p0) mov r0.y, v0.y\nendloop\nmov o1, r0",
        "mov r7, c20.y\nloop aL, i0\nif_ge r7.y, c4.y\nbreak\nendif\nif_gt r7.x, c5.x\nadd r7, r7, c0[aL]\nelse\n"
        "mov r7.y, v0.y\nendif\nendloop\nmov o1, r7",
    ),
    "a loop at the beginning": ("rep i0\nadd r0, r0, c1\nendrep\nmov o1, r0", "rep i0\nadd r4, c1, r4\nendrep\nmov o1, r4"),
    "a loop in a call": (
        "mov r0, v1\ncall l0\nmov o1, r0\nret\nlabel l0\nrep i0\nadd r0, r0, c1\nif b0\nret\nendif\nendrep\nret",
        "mov r0, v1\nrep i0\nadd r0, c1, r0\nif b0\nbreak\nendif\nendrep\nmov o1, r0",
    ),
}
DIFFER = {
    "another constant": ("mul o1, v1, c0", "mul o1, v1, c1"),
    "another order of sums": ("add r0, v0, v1\nadd o1, r0, c0", "add r0, v1, c0\nadd o1, v0, r0"),
    "another comparison": (
        "if_gt v0.x, v0.y\nmov o1, v1\nelse\nmov o1, c0\nendif",
        "if_ge v0.x, v0.y\nmov o1, v1\nelse\nmov o1, c0\nendif",
    ),
    "another turn": (
        "mov r0, v1\nrep i0\nadd r0, r0, c1\nendrep\nmov o1, r0",
        "mov r0, v1\nrep i0\nadd r0, r0, c1\nbreak_gt r0.x, c2.x\nendrep\nmov o1, r0",
    ),
    "another definition": ("mov o1, c20", "def c21, 0, 1, 2, 4\nmov o1, c21"),
}


@together("name", EQUALS)
def test_equal_shaders_are_proved(name: str):
    found = compared(*EQUALS[name])
    assert found.verdict == EQUAL, found.reason
    assert found.used[0] == "rule ieee; patterns are compared bit by bit, those of NaN too"


@pytest.mark.parametrize("name", DIFFER)
def test_different_shaders_have_a_witness(name: str):
    first, second = DIFFER[name]
    found = compared(first, second)
    assert found.verdict == DIFFERS, found.reason
    assert found.example is not None and found.example.first != found.example.second
    (settings,) = found.example.vertices
    inputs: dict[str, list[float]] = {}
    for setting in settings:
        inputs.setdefault(setting.name.partition(".")[0], [0, 0, 0, 1])["xyzw".index(setting.name[-1])] = float(
            setting.values[0]
        )
    uniforms = {s.name: list(map(float, s.values)) for s in found.example.uniforms if s.name[0] == "c"}
    counts = {s.name: list(map(int, s.values)) for s in found.example.uniforms if s.name[0] == "i"}
    name, _, component = found.example.output.partition(".")
    results = [
        shader(text)
        .run(inputs, uniforms, integers=counts, engine="reference", defaults=0)
        .outputs[name][0]["xyzw".index(component)]
        for text in (first, second)
    ]
    assert results[0] != results[1]


def test_the_rule_decides():
    pair = "mul o1, v1, c20.x", "mov o1, c20.x"
    assert compared(*pair).verdict == DIFFERS
    assert compared(*pair, rule="d3d9").verdict != DIFFERS


def test_a_pixel_that_is_stopped_has_no_color():
    head = "ps_3_0\ndcl_texcoord v0\ndef c0, 0, 1, 2, 3\n"
    second = "mov r0, v0\nif_lt v0.x, c0.x\nmov r0, c0.z\nendif\ntexkill v0\nmov oC0, r0"
    assert compared("texkill v0\nmov oC0, v0", second, head=head).verdict == EQUAL
    assert compared("mov oC0, v0", second, head=head).verdict == DIFFERS


def test_textures_are_functions_of_their_coordinates():
    head = "ps_2_0\ndcl t0\ndcl_2d s0\ndcl_2d s1\n"
    first = "texld r0, t0, s0\nmul r0, r0, t0\nmov oC0, r0"
    assert compared(first, "texld r1, t0, s0\nmul r1, t0, r1\nmov oC0, r1", head=head).verdict == EQUAL
    assert compared(first, "texld r1, t0, s1\nmul r1, t0, r1\nmov oC0, r1", head=head).verdict == DIFFERS


def test_what_is_known_of_counts_and_flags():
    first, second = "if b0\nmov o1, v1\nelse\nmov o1, v0\nendif", "mov o1, v1"
    assert compared(first, second).verdict == DIFFERS
    found = compared(first, second, booleans={"b0": True})
    assert found.verdict == EQUAL and "b0 is true" in found.used
    loops = "mov r0, v1\nrep i0\nadd r0, r0, c1\nendrep\nmov o1, r0", "add r0, v1, c1\nadd o1, r0, c1"
    assert compared(*loops, integers={"i0": (2,)}).verdict == EQUAL


def test_what_cannot_be_compared_is_said():
    pixel = "ps_2_0\ndcl t0\nmov oC0, t0"
    found = compare(shader("mov o1, v1"), Direct3DShader.from_source(pixel, "p"), rule_of("ieee"))
    assert found.unmatched == ("the first shader is a vertex shader and the second shader a pixel shader",)
    found = compared("mov o1, v1", "mov o1, v1\ndcl_color o2\nmov o2, v1")
    assert found.verdict == UNKNOWN and found.unmatched == ("the second shader has the output color",)


def test_mutants_that_are_called_equal_are():
    found = [(number, kind, fault) for number, kind, _, fault in campaign(7, range(times(3, 400)))]
    assert found and not [each for each in found if each[2]]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str]:
    paths = [tmp_path / name for name in ("a.vsa", "b.vsa", "c.vsa")]
    for path, body in zip(paths, (*EQUALS["renamed"], "mov o1, c7"), strict=True):
        path.write_text(HEAD + body + "\n")
    return str(paths[0]), str(paths[1]), str(paths[2])


def test_the_command(files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]):
    one, other, third = files
    assert main(["diff", one, other]) == 0
    assert "are equal." in " ".join(capsys.readouterr().out.split())  # lines are as long as the names of files are
    assert main(["diff", one, third, "--format", "json"]) == 1
    page = json.loads(capsys.readouterr().out)
    assert page["verdict"] == "differs" and page["example"]["profile"] == "ieee"
    assert main(["diff", one, third, "--array", "c26=66/3"]) == 2
    assert "--array is for a shader and a program" in capsys.readouterr().err
    assert main(["diff", one, third, "--searches", "-1"]) == 2
