"""Direct3D 9 instructions under the rule `rtl` against what GHDL measured of the public hardware: instructions that are one of
its own."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from direct3d9_cases import SHARED
from direct3d9_runs import raw, run

VECTORS = SHARED / "vectors" / "shadercore.json"
pytestmark = pytest.mark.skipif(not VECTORS.exists(), reason="the folder ../shared is not there")

OPS = {
    "ADD": "add",
    "MUL": "mul",
    "MIN": "min",
    "MAX": "max",
    "SLT": "slt",
    "SGE": "sge",
    "SGN": "sgn",
    "FRC": "frc",
    "MOV": "mov",
}


def measured() -> dict[str, list[tuple[list[int], int]]]:
    """What the hardware description gave, by instruction: patterns in, pattern out."""
    found: defaultdict[str, list[tuple[list[int], int]]] = defaultdict(list)
    rows: list[dict[str, Any]] = json.loads(VECTORS.read_text(encoding="utf-8"))
    for row in rows:
        if row["op"] in OPS and row.get("compare") == "bits" and row["source"].startswith("GHDL"):
            found[row["op"]].append(([int(text, 16) for text in row["inputs"]], int(row["expected"], 16)))
    return found


@pytest.mark.parametrize("op", OPS)
def test_measured_results(op: str):
    vectors = measured()[op]
    assert len(vectors) >= 10
    count = len(vectors[0][0])
    grids = [np.array([[inputs[n]] for inputs, _ in vectors], np.uint32) for n in range(count)]
    declared = "".join(f"dcl_texcoord{n} v{n}\n" for n in range(count))
    operands = ", ".join(f"v{n}.x" for n in range(count)) + (", r1, r2" if op == "SGN" else "")
    text = f"vs_2_0\n{declared}{OPS[op]} r0, {operands}\nmov oPos, r0\n"
    found = run(text, {f"texcoord{n}": raw(grid) for n, grid in enumerate(grids)}, rule="rtl")["position"]
    got = np.ascontiguousarray(found[:, 0]).view(np.uint32)
    for place, (inputs, expected) in enumerate(vectors):
        assert got[place] == expected, (op, [hex(value) for value in inputs], hex(got[place]), hex(expected))
