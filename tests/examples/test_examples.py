"""The shaders of examples/ do what they say: compared with float64 NumPy, and by hand where the numbers are exact.

float24 has 17 significant bits and results are cut: a few operations differ from float64 by a few parts in 2**16.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import lanewise as lw
from together import together

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TOLERANCE = 4 * 2.0**-16
IDENTITY = np.eye(4)

Array = NDArray[Any]


def shader(name: str) -> lw.pica200.Shader:
    return lw.load(EXAMPLES / f"{name}.v.pica").vertex


def close(found: Array, expected: Array) -> bool:
    """Within a few steps of float24, of numbers whose sums have terms of size about 1 to 16."""
    return bool(np.allclose(found, expected, rtol=TOLERANCE, atol=TOLERANCE * 4))


def points(count: int, seed: int) -> Array:
    return np.random.default_rng(seed).uniform(-4, 4, (count, 3))


def directions(count: int, seed: int) -> Array:
    found = np.random.default_rng(seed).normal(size=(count, 3))
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def with_one(vectors: Array) -> Array:
    return np.hstack((vectors, np.ones((len(vectors), 1))))


def perspective() -> Array:
    return np.array([[1.5, 0, 0, 0], [0, 1.2, 0, 0.25], [0, 0, -1.1, -0.4], [0, 0, -1, 0]])


def turned(angle: float) -> Array:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, 0, sin, 0.5], [0, 1, 0, -0.25], [-sin, 0, cos, -6], [0, 0, 0, 1]])


@together("path", sorted([*EXAMPLES.glob("*.pica"), *EXAMPLES.glob("*.vsh")]), ids=lambda path: path.name)
def test_examples_assemble_without_a_word(path: Path):
    assert lw.load(path).diagnostics == ()


def test_there_are_examples():
    assert {path.name for path in EXAMPLES.glob("*.pica")} == {
        "transform.v.pica",
        "black.v.pica",
        "lighting.v.pica",
        "skinning.v.pica",
        "toon.v.pica",
        "subdivide.v.pica",
        "subdivide.g.pica",
        "particles.v.pica",
        "particles.g.pica",
        "shrink.g.pica",
    }


def test_transform_by_hand():
    """Powers of two and small integers: nothing is rounded."""
    matrix = [[2, 0, 0, 1], [0, 0.5, 0, -3], [0, 0, -1, 0], [1, 1, 1, 1]]
    result = shader("transform").run(
        {
            "position": [[0, 0, 0], [1, 2, 3], [-0.5, 8, 0.25]],
            "color": [[1, 0, 0.5]],
            "texcoord": [[0, 1], [0.5, 0.25], [1, 0]],
        },
        {"projection": matrix},
    )
    assert result.outputs["position"].tolist() == [[1, -3, 0, 1], [3, -2, -3, 7], [0, 1, -0.25, 8.75]]
    assert result.outputs["color"].tolist() == [[1, 0, 0.5, 1]] * 3
    assert result.outputs["texcoord0"].tolist() == [[0, 1], [0.5, 0.25], [1, 0]]


def test_transform_in_float64():
    position = points(200, 1)
    result = shader("transform").run({"position": position, "color": 1, "texcoord": 0}, {"projection": perspective()})
    assert close(result.outputs["position"], with_one(position) @ perspective().T)


def lit(position: Array, normal: Array, modelview: Array, ambient: Array, direction: Array, light: Array) -> Array:
    turned_normal = normal @ modelview[:3, :3].T
    turned_normal = turned_normal / np.linalg.norm(turned_normal, axis=1, keepdims=True)
    amount = np.maximum(turned_normal @ direction.T, 0)
    return np.minimum(ambient + amount @ light, 1)


def test_lighting_by_hand():
    """Along the axes a light counts whole or not at all; 0.25 + 0.5 and 0.25 + 1, which is cut to 1."""
    result = shader("lighting").run(
        {"position": [[1, 2, 3]], "normal": [[0, 0, 1], [0, 0, 4], [0, 1, 0], [-1, 0, 0]]},
        {
            "projection": IDENTITY,
            "modelview": IDENTITY,
            "ambient": [0.25, 0, 0],
            "direction": [[0, 0, 1], [0, 1, 0]],
            "light": [[0.5, 0.5, 0.25], [1, 0.5, 0.125]],
            "lights": (1, 0, 1),
        },
    )
    assert result.outputs["position"].tolist() == [[1, 2, 3, 1]] * 4
    assert result.outputs["color"].tolist() == [[0.75, 0.5, 0.25, 1], [0.75, 0.5, 0.25, 1], [1, 0.5, 0.125, 1], [0.25, 0, 0, 1]]


@pytest.mark.parametrize("lights", [1, 3, 8])
def test_lighting_in_float64(lights: int):
    position, normal, direction = points(60, 2), directions(60, 3) * 3, directions(lights, 4)
    light = np.random.default_rng(5).uniform(0, 0.4, (lights, 3))
    ambient = np.array([0.05, 0.1, 0.15])
    result = shader("lighting").run(
        {"position": position, "normal": normal},
        {
            "projection": perspective(),
            "modelview": turned(0.7),
            "ambient": ambient,
            "direction": direction,
            "light": light,
            "lights": (lights - 1, 0, 1),
        },
    )
    expected = lit(position, normal, turned(0.7), ambient, direction, light)
    assert close(result.outputs["color"][:, :3], expected)
    assert close(result.outputs["position"], with_one(position) @ turned(0.7).T @ perspective().T)


def bones(count: int) -> Array:
    """(count, 3, 4): rows of bone matrices."""
    return np.array([turned(0.3 * n)[:3] + 0.1 * n for n in range(count)])


def test_skinning_by_hand():
    """Bone 0 leaves the point alone, bone 2 moves it by (8, 0, -4); half and half moves it by (4, 0, -2)."""
    palette = np.tile(np.eye(4)[:3], (3, 1, 1))
    palette[2, :, 3] = 8, 0, -4
    result = shader("skinning").run(
        {"position": [1, 2, 3], "texcoord": [0.5, 0.25], "bone": [[0, 2]] * 3, "weight": [[1, 0], [0, 1], [0.5, 0.5]]},
        {"projection": IDENTITY, "bones": palette.reshape(-1, 4)},
        defaults=0,
    )
    assert result.outputs["position"].tolist() == [[1, 2, 3, 1], [9, 2, -1, 1], [5, 2, 1, 1]]
    assert result.outputs["texcoord0"].tolist() == [[0.5, 0.25]] * 3


def test_skinning_in_float64():
    count = 20
    rng = np.random.default_rng(6)
    position, palette = points(80, 7), bones(count)
    bone = rng.integers(0, count, (80, 2))
    first = rng.uniform(0, 1, 80)
    weight = np.stack((first, 1 - first), axis=1)
    result = shader("skinning").run(
        {"position": position, "texcoord": 0, "bone": bone, "weight": weight},
        {"projection": perspective(), "bones": palette.reshape(-1, 4)},
        defaults=0,
    )
    moved = np.einsum("nbij,nj->nbi", palette[bone], with_one(position))
    expected = with_one(np.einsum("nb,nbi->ni", weight, moved)) @ perspective().T
    assert close(result.outputs["position"], expected)


def toon(normal: Array, sun: Array, count: int, shade: Array, paint: Array, shine: Array, glossy: bool) -> Array:
    amount = np.clip(normal @ sun, 0, 0.99)[:, np.newaxis]
    color = shade + paint * np.floor(amount * count) / count
    return np.minimum(color + (amount > shine[3]) * shine[:3] * glossy, 1)


def test_toon_by_hand():
    """Four bands: the normal's z of 0.3 is in the second, of 1 in the last; the highlight needs more than 0.75."""
    scene = {
        "projection": IDENTITY,
        "sun": [0, 0, 1, 4],
        "shade": [0.125, 0, 0],
        "paint": [0.5, 1, 0],
        "shine": [0, 0, 1, 0.75],
    }
    normal = [[0, 0, -1], [0, 0, 0.2], [0, 0, 0.3], [0, 0, 1]]
    run = shader("toon").run
    dull = run({"position": 0, "normal": normal}, scene | {"glossy": False}).outputs["color"].tolist()
    assert dull == [[0.125, 0, 0, 1], [0.125, 0, 0, 1], [0.25, 0.25, 0, 1], [0.5, 0.75, 0, 1]]
    glossy = run({"position": 0, "normal": normal}, scene | {"glossy": True}).outputs["color"].tolist()
    assert glossy == [*dull[:3], [0.5, 0.75, 1, 1]]


def test_toon_in_float64():
    """Away from the edges between bands, where a float24 may fall on the other side."""
    normal: Array = directions(300, 8)
    sun: Array = directions(1, 9)[0]
    shade, paint, shine = np.array([0.1, 0.1, 0.2]), np.array([0.8, 0.7, 0.5]), np.array([0.3, 0.2, 0.1, 0.9])
    amount = np.clip(normal @ sun, 0, 0.99)
    far = (np.abs(amount * 5 - np.round(amount * 5)) > 1e-3) | (amount == 0)
    far &= np.abs(amount - shine[3]) > 1e-3
    assert np.count_nonzero(far) > 250
    result = shader("toon").run(
        {"position": points(300, 10), "normal": normal},
        {"projection": IDENTITY, "sun": [*sun, 5], "shade": shade, "paint": paint, "shine": shine, "glossy": True},
    )
    assert close(result.outputs["color"][far, :3], toon(normal, sun, 5, shade, paint, shine, True)[far])


def test_lanterns_in_float64():
    """Three lights in a loop, in nihstro's language; without them the ambient light alone."""
    lanterns, colours = directions(3, 11), np.random.default_rng(12).uniform(0, 0.3, (3, 4))
    table = np.zeros((16, 4))
    table[0:6:2, :3], table[1:6:2] = lanterns, colours
    normal = directions(200, 13)
    scene = {"projection": IDENTITY, "ambient": [0.1, 0.1, 0.1, 1], "lanterns": table, "rounds": [2, 0, 2, 0]}
    run = lw.load(EXAMPLES / "lanterns.vsh").vertex.run
    lit = run({"position": 0, "normal": normal}, scene | {"dark": False}).outputs["color"]
    light = np.maximum(0, normal @ lanterns.T) @ colours + scene["ambient"]
    assert close(lit, np.minimum(1, light))
    assert not close(lit, np.minimum(1, scene["ambient"]))
    unlit = run({"position": 0, "normal": normal[:1]}, scene | {"dark": True}).outputs["color"]
    assert close(unlit, np.array([[0.1, 0.1, 0.1, 1]]))


def both(name: str) -> lw.pica200.Pipeline:
    """The pipeline of two files that are linked; nothing was to be said about them."""
    file = lw.assemble([EXAMPLES / f"{name}.v.pica", EXAMPLES / f"{name}.g.pica"])
    assert file.diagnostics == ()
    return file.pipeline


def area(corners: Array) -> Array:
    """Twice the areas of triangles (n, 3, 2 or more) in the plane of x and y; negative where they run clockwise."""
    (ax, ay), (bx, by) = ((corners[:, n, :2] - corners[:, 0, :2]).T for n in (1, 2))
    return ax * by - ay * bx


def test_subdivide_by_hand():
    """Corners at (0, 0), (4, 0) and (0, 8): middles at (2, 0), (2, 4) and (0, 4); the colours are halved likewise."""
    result = both("subdivide").run(
        {"position": [[0, 0], [4, 0], [0, 8]], "color": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
        geometry_uniforms={"projection": IDENTITY},
    )
    assert result.outputs["position"][..., :2].tolist() == [
        [[0, 0], [2, 0], [0, 4]],
        [[2, 4], [2, 0], [4, 0]],
        [[2, 0], [2, 4], [0, 4]],
        [[2, 4], [0, 8], [0, 4]],
    ]
    assert result.outputs["color"][2, :, :3].tolist() == [[0.5, 0.5, 0], [0, 0.5, 0.5], [0.5, 0, 0.5]]
    assert result.written["position"].all() and result.written["color"].all()


def test_subdivide_keeps_area_and_winding():
    corners: Array = np.random.default_rng(11).integers(-64, 64, (30, 3, 2)) * 4
    result = both("subdivide").run({"position": corners.reshape(-1, 2), "color": 1}, geometry_uniforms={"projection": IDENTITY})
    assert result.triangles == 120
    parts = area(result.outputs["position"]).reshape(30, 4)
    assert np.array_equal(parts, np.repeat(area(corners)[:, np.newaxis] / 4, 4, axis=1))


def test_particles_by_hand():
    result = both("particles").run(
        {"position": [[0, 0, 0], [4, -2, 1]], "color": [[1, 0.5, 0], [0, 0, 1]]},
        uniforms={"projection": IDENTITY},
        geometry_uniforms={"size": [0.5, 0.25, 0, 0]},
    )
    assert result.outputs["position"].tolist() == [
        [[-0.5, -0.25, 0, 1], [0.5, -0.25, 0, 1], [-0.5, 0.25, 0, 1]],
        [[0.5, -0.25, 0, 1], [0.5, 0.25, 0, 1], [-0.5, 0.25, 0, 1]],
        [[3.5, -2.25, 1, 1], [4.5, -2.25, 1, 1], [3.5, -1.75, 1, 1]],
        [[4.5, -2.25, 1, 1], [4.5, -1.75, 1, 1], [3.5, -1.75, 1, 1]],
    ]
    assert result.outputs["texcoord0"][:2].tolist() == [[[0, 0], [1, 0], [0, 1]], [[1, 0], [1, 1], [0, 1]]]
    assert result.outputs["color"][:, 0].tolist() == [[1, 0.5, 0, 1]] * 2 + [[0, 0, 1, 1]] * 2
    assert result.runs.tolist() == [0, 0, 1, 1]


def test_shrink_by_hand():
    """The corners go half of the way to the middle, (1, 1, 0); what the dummy outputs carry is the vertex shader's."""
    stages = lw.assemble([str(EXAMPLES / name) for name in ("transform.v.pica", "shrink.g.pica")]).pipeline
    assert not stages.output_map.diagnostics
    made = stages.run(
        {
            "position": [[0, 0, 0], [3, 0, 0], [0, 3, 0]],
            "color": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
            "texcoord": [[n, 0.5] for n in range(3)],
        },
        uniforms={"projection": IDENTITY},
        geometry_uniforms={"rest": 0.5},
    )
    assert stages.warnings(made) == []
    expected = np.array([[[0.5, 0.5, 0, 1], [2, 0.5, 0, 1], [0.5, 2, 0, 1]]])
    assert close(made.outputs["position"], expected)
    assert made.outputs["color"].tolist() == [[[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]]]
    assert made.outputs["texcoord0"].tolist() == [[[0, 0.5], [1, 0.5], [2, 0.5]]]


def test_the_script_prints_what_numpy_says():
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "light_a_mesh.py")], capture_output=True, text=True, check=True, cwd=EXAMPLES.parent
    )
    head, *lines = done.stdout.splitlines()
    assert head.startswith("12 vertices")
    rows = np.array([[float(cell) for cell in line.replace("[", " ").replace("]", " ").split()] for line in lines])
    assert rows.shape == (12, 6)
    half = 0.5**0.5
    turn = np.array([[half, 0, half], [0, 1, 0], [-half, 0, half]])
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    normals = np.repeat([[0, 0, -1], [0, -1, 0], [-1, 0, 0], [3**-0.5] * 3], 3, axis=0)
    position = corners[np.array(faces).reshape(-1)]
    matrix = np.eye(4)
    matrix[:3, :3] = turn
    light, direction = np.array([[0.9, 0.6, 0.3], [0, 0, 0.5]]), np.array([[0, 0, 1], [0, 1, 0]])
    color = lit(position, normals, matrix, np.full(3, 0.1), direction, light)
    assert np.allclose(rows, np.hstack((position @ turn.T, color)), atol=2e-4)


def test_the_mesh_is_closed():
    """Every edge of the tetrahedron is in two faces, once in each direction; the normals point to where the faces look."""
    rows = [line.split() for line in (EXAMPLES / "tetra.obj").read_text().splitlines()]
    positions, normals = (np.array([row[1:] for row in rows if row and row[0] == kind], float) for kind in ("v", "vn"))
    faces = [[[int(number) - 1 for number in corner.split("/")] for corner in row[1:]] for row in rows if row and row[0] == "f"]
    edges = {(face[k][0], face[(k + 1) % 3][0]) for face in faces for k in range(3)}
    assert len(edges) == 12
    assert edges == {(b, a) for a, b in edges}
    for face in faces:
        a, b, c = (positions[corner[0]] for corner in face)
        across = np.cross(b - a, c - a)
        assert np.allclose(across / np.linalg.norm(across), normals[face[0][2]], atol=1e-7)


def test_the_picture_of_the_documentation_is_fresh(tmp_path: Path):
    """`python examples/draw_a_ring.py docs/ring.svg` writes it."""
    arguments = [sys.executable, str(EXAMPLES / "draw_a_ring.py"), str(tmp_path / "ring.svg")]
    made = subprocess.run(arguments, capture_output=True, text=True, check=True)
    assert made.stdout == "352 of 768 triangles are visible\nwrote ring.svg\n"
    found, kept = (path.read_text() for path in (tmp_path / "ring.svg", EXAMPLES.parent / "docs" / "ring.svg"))
    assert re.sub(r"[-\d.]+|#\w{6}", "", found) == re.sub(r"[-\d.]+|#\w{6}", "", kept)
    numbers = [np.array(re.findall(r"-?\d+\.?\d*", re.sub(r"#\w{6}", "", text)), float) for text in (found, kept)]
    assert np.abs(numbers[0] - numbers[1]).max() <= 0.2
