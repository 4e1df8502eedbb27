"""Any triangles: each is visible or lost for one reason, and every drawing is well formed."""

import xml.etree.ElementTree as ET

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from effort import examples
from lanewise.arrays.results import Port, Result
from lanewise.direct3d9.api.volume import VOLUME as DIRECT3D9
from lanewise.drawing.lanes import TOPOLOGIES, scene_of_lanes
from lanewise.drawing.mesh import mesh_bytes
from lanewise.drawing.picture import Look, draw
from lanewise.drawing.svg import as_svg
from lanewise.drawing.visibility import visibility
from lanewise.drawing.volume import Volume
from lanewise.pica200.api.scene import VOLUME

NUMBERS = st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1e-30, 3e38, -3e38, np.inf, -np.inf, np.nan]) | st.floats(
    -3, 3, width=32
)


@given(
    arrays.arrays(np.float32, st.tuples(st.integers(0, 9), st.just(4)), elements=NUMBERS),
    st.sampled_from([VOLUME, DIRECT3D9]),
    st.sampled_from(TOPOLOGIES),
    st.sampled_from(["none", "back", "front"]),
)
@examples(12)
def test_any_triangles(position: NDArray[np.float32], volume: Volume, topology: str, cull: str):
    ports = (Port("position", "o0", "xyzw"), Port("color", "o1", "xyzw"))
    outputs = {"position": position, "color": position[:, ::-1].copy()}
    scene = scene_of_lanes(Result(len(position), outputs, outputs, ports=ports), volume, topology=topology)
    found = visibility(scene, cull=cull)
    assert found.visible + sum(found.lost.values()) == found.triangles == scene.triangles
    assert bool(found.reasons) == (not found.visible)
    assert all(0.0 <= share <= 1.0 for share in found.shares.values())
    assert found.text()
    for view in ("screen", "clip"):
        for wireframe in (False, True):
            root = ET.fromstring(as_svg(draw(scene, Look(view=view, cull=cull, screen="32x16")), wireframe=wireframe))
            assert "nan" not in "".join(path.get("d", "") for path in root.iter())
    for suffix in (".obj", ".ply", ".csv"):
        assert mesh_bytes(scene, suffix)[0]
