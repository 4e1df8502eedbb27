"""Pictures as samplers: filtering and addressing, compared with Mesa's and with the examples of Direct3D 9's documentation."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import lanewise as lw
from direct3d9_cases import table
from lanewise.core.diagnostics import InputError
from lanewise.core.service import InputFailure
from lanewise.tools.cli import main
from together import together

RED, GREEN, BLUE, WHITE, BLACK = [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255], [0, 0, 0, 255]
# The picture of "Bilinear Texture Filtering (Direct3D 9)": red, green, blue and white in the middle of 4 x 4 texels.
EXAMPLE: NDArray[np.uint8] = np.array(
    [[BLACK] * 4, [BLACK, RED, GREEN, BLACK], [BLACK, BLUE, WHITE, BLACK], [BLACK] * 4], np.uint8
)
PIXEL = "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n"
RECORDED = json.loads((Path(__file__).parent / "picture_mesa.json").read_text("utf-8"))["pictures"]


def colors(picture: lw.Picture, *points: tuple[float, float]) -> list[list[float]]:
    return picture.sample(np.array(points, np.float32)).tolist()


@together("entry", RECORDED)
@together("address", ["wrap", "mirror", "clamp", "border"])
@together("filter", ["point", "linear"])
def test_mesa_gives_the_same(entry: dict[str, Any], filter: str, address: str):
    picture = lw.Picture(np.array(entry["texels"], np.float32), filter, address)
    recorded = entry["colors"]
    found = picture.sample(np.array(entry["coordinates"], np.float32))[:, :2]
    tolerance = 0 if filter == "point" else 4e-7  # Mesa filters in float32
    np.testing.assert_allclose(found, np.array(recorded[f"{filter} {address}"]), rtol=0, atol=max(tolerance, 1e-9))


def test_the_examples_of_the_documentation():
    picture = lw.Picture(EXAMPLE, "linear")
    assert colors(picture, (0.5, 0.5)) == [[0.5, 0.5, 0.5, 1.0]]
    assert colors(picture, (0.5, 0.375)) == [[0.5, 0.5, 0.0, 1.0]]
    assert colors(picture, (0.375, 0.375)) == [[1.0, 0.0, 0.0, 1.0]]
    assert colors(lw.Picture(EXAMPLE), (0.375, 0.375), (0.25, 0.25)) == [[1, 0, 0, 1], [1, 0, 0, 1]]


def test_both_coordinates_have_their_addressing():
    row = lw.Picture(np.array([[0.0, 1.0, 2.0, 3.0]], np.float32), "point", ("mirror", "border"))
    assert [color[0] for color in colors(row, (-0.125, 0.5), (1.125, 0.5), (1.9, 0.5), (0.125, 1.5))] == [0, 3, 0, 0]
    assert colors(row, (0.9, 0.5)) == [[3.0, 3.0, 3.0, 1.0]], "one component is grey"
    assert colors(row, (0.9, 1.5)) == [[0.0] * 4]


def test_weights_may_have_fewer_bits():
    row = np.array([[0.0, 1.0]], np.float32)
    at = (float(np.float32(0.25 + 0.3 / 2)), 0.5)  # 0.3 of the way between the centres
    assert colors(lw.Picture(row, "linear"), at)[0][0] == pytest.approx(0.3)
    assert colors(lw.Picture(row, "linear", weight_bits=8), at)[0][0] == 77 / 256
    assert colors(lw.Picture(row, "linear", weight_bits=1), at)[0][0] == 0.5


def test_coordinates_that_are_not_numbers():
    picture = lw.Picture(EXAMPLE, "linear", "clamp")
    for filter in ("point", "linear"):
        picture = lw.Picture(EXAMPLE, filter, "clamp")
        assert np.isfinite(picture.sample(np.array([[np.nan, np.inf], [-np.inf, 3e38], [1e-42, -1e38]], np.float32))).all()
    assert colors(lw.Picture(EXAMPLE), (np.nan, 0.4)) == [[0, 0, 0, 1]]


def test_bytes_and_words_are_parts_of_one():
    assert colors(lw.Picture(np.array([[[255, 51, 0]]], np.uint8)), (0, 0)) == [[1.0, np.float32(0.2), 0.0, 1.0]]
    assert colors(lw.Picture(np.array([[65535]], np.uint16)), (0, 0)) == [[1.0] * 4]


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ((EXAMPLE, "cubic"), "unknown filter 'cubic': use point or linear"),
        ((EXAMPLE, "point", "repeat"), "unknown addressing 'repeat/repeat'"),
        ((EXAMPLE[..., :2],), "has the shape"),
        ((np.zeros((0, 2, 4)),), "has the shape"),
        ((np.array([[["a"] * 4]]),), "not numeric"),
    ],
)
def test_what_is_not_a_picture(values: tuple[object, ...], says: str):
    with pytest.raises(ValueError, match=says):
        lw.Picture(*values)  # pyright: ignore[reportArgumentType]


def png(texels: NDArray[np.uint8]) -> bytes:
    file = io.BytesIO()
    Image.fromarray(texels).save(file, "PNG")
    return file.getvalue()


def test_files(tmp_path: Path):
    path = tmp_path / "example.png"
    path.write_bytes(png(EXAMPLE))
    assert np.array_equal(lw.Picture.read(path).texels, EXAMPLE)
    assert repr(lw.Picture.read(path.read_bytes(), "linear", "clamp")) == "<Picture picture: 4 x 4, linear, clamp>"
    deep = io.BytesIO()
    Image.fromarray(np.array([[0, 65535]], np.uint16)).save(deep, "PNG")
    assert colors(lw.Picture.read(deep.getvalue()), (0.9, 0)) == [[1.0] * 4]
    for damaged in (b"", b"not a picture", png(EXAMPLE)[:60]):
        with pytest.raises(InputFailure, match="picture"):
            lw.Picture.read(damaged)


def test_a_run_samples_a_picture():
    shader = lw.Direct3DShader.from_source(PIXEL)
    points = {"t0": [[0.5, 0.375], [0.375, 0.375]]}
    result = shader.run(points, samplers={0: lw.Picture(EXAMPLE, "linear")})
    assert result.outputs["color"].tolist() == [[0.5, 0.5, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]]
    assert not result.warnings
    by_array = shader.run(points, samplers={0: EXAMPLE})
    assert by_array.outputs["color"].tolist() == [[0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]], "point, wrap"
    with pytest.raises(InputError, match="B002"):
        shader.run(points, samplers={0: np.zeros((2, 2, 5))})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ps_3_0\ndcl_texcoord v0\ndcl_2d s1\ntexldl oC0, v0, s1\n", "texldl"),
        ("ps_2_0\ndcl t0\ndcl_2d s1\ntexldb r0, t0, s1\nmov oC0, r0\n", "texldb"),
        ("ps_3_0\ndcl_texcoord v0\ndcl_2d s1\ntexldd oC0, v0, s1, v0, v0\n", "texldd"),
    ],
)
def test_instructions_with_a_level_have_a_warning(text: str, name: str):
    shader = lw.Direct3DShader.from_source(text)
    result = shader.run({"texcoord": [0.375, 0.375, 0, 0]}, samplers={1: EXAMPLE})
    assert [(finding.code, finding.message) for finding in result.warnings] == [
        ("B302", f"{name} of s1 chooses a mip level, and a picture has level 0 only")
    ]
    assert result.outputs["color"].tolist() == [[1.0, 0.0, 0.0, 1.0]]
    assert not shader.run({"texcoord": [0.375, 0.375, 0, 0]}, samplers={1: [1, 2, 3, 4]}).warnings


def test_a_cube_map_is_not_a_picture():
    shader = lw.Direct3DShader.from_source(PIXEL.replace("dcl_2d", "dcl_cube").replace("t0.xy", "t0.xyz"))
    with pytest.raises(InputError, match=r"B301.*s0 is a cube texture"):
        shader.run({"t0": [0, 0, 1]}, samplers={0: EXAMPLE})


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    program, picture, array = tmp_path / "p.psa", tmp_path / "w,all.png", tmp_path / "a.npy"
    program.write_text(PIXEL)
    picture.write_bytes(png(EXAMPLE))
    np.save(array, EXAMPLE)

    def run(value: str) -> tuple[int, list[str], str]:
        status = main(["run", str(program), "-i", "t0=0.5,0.375", "--sampler", value])
        out, err = capsys.readouterr()
        return status, out.splitlines()[-1].split()[-4:] if out else [], err

    assert run(f"s0={picture},linear,clamp,wrap") == (0, ["0.5", "0.5", "0", "1"], "")
    assert run(f"0={picture},linear") == (0, ["0.5", "0.5", "0", "1"], "")
    assert run(f"0={picture}") == (0, ["0", "1", "0", "1"], "")
    assert run(f"0={array},mirror") == run(f"0={array}") == (0, ["0", "1", "0", "1"], "")
    assert "there is no file none.png" in run("0=none.png")[2]
    assert "more than one filter" in run(f"0={picture},linear,point")[2]
    picture.write_bytes(b"text")
    assert "is not a picture" in run(f"0={picture}")[2]


def test_samplers_by_the_names_of_the_constant_table():
    words = ", ".join(f"0x{word:08X}" for word in table([("Wall", 3, 1, 1, 32)])[1:])
    shader = lw.Direct3DShader.from_source(f"ps_2_0\n.comment {words}\n" + PIXEL.partition("\n")[2].replace("s0", "s1"))
    by_number = shader.run({"t0": [0.375, 0.375]}, samplers={1: EXAMPLE}).outputs["color"].tolist()
    assert (
        shader.run({"t0": [0.375, 0.375]}, samplers={"Wall": EXAMPLE}).outputs["color"].tolist() == by_number == [[1, 0, 0, 1]]
    )
    assert shader.run({"t0": [0.375, 0.375]}, samplers={"s1": EXAMPLE}).outputs["color"].tolist() == by_number
    with pytest.raises(InputError, match=r"unknown sampler 'Floor'.*\n.*\n?.*use s0 to s15, or Wall"):
        shader.run({"t0": [0, 0]}, samplers={"Floor": EXAMPLE})


def test_without_pillow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    data = png(EXAMPLE)
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(InputFailure, match=r"pip install 'lanewise\[picture\]'"):
        lw.Picture.read(data)
