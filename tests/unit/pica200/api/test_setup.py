"""Why nothing is visible whatever the values are: where stages begin and what they send, and how the position is wired."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import lanewise as lw
from lanewise.pica200 import Pipeline

if TYPE_CHECKING:
    from pathlib import Path

PROJECTION = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0.5, 0], [0, 0, -1, 0]])
CORNERS = [[-0.5, -0.5, -1], [0.5, -0.5, -1], [0, 0.5, -1]]
VERTEX = """.fvec projection[4]
.out outpos position
.in inpos
.proc main
    dp4 outpos.x, projection[0], inpos
    dp4 outpos.y, projection[1], inpos
    dp4 outpos.z, projection[2], inpos
    dp4 outpos.w, projection[3], inpos
    end
.end
"""
COLOUR = ".out outclr color\n.in inpos\n.proc main\n    mov outclr, inpos.xxxx\n    end\n.end\n"
GEOMETRY = """.gsh point c4
.entry gmain
.out outpos position
.proc gmain
    setemit 0
    mov outpos, v0
    emit
    setemit 1
    mov outpos, v1
    emit
    setemit 2, prim
    mov outpos, v2
    emit
    end
.end
"""


def reasons(folder: Path, *texts: str) -> list[tuple[str, str, str]]:
    """Code, message and fix of each reason that the corners are not visible. Sources are read as picasso does it, which takes
    more."""
    paths = [folder / f"{letter}.pica" for letter, _ in zip("vg", texts, strict=False)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    file = lw.assemble(paths, compatible=True)
    pipeline = Pipeline(file.vertex, file.geometry if len(texts) > 1 else None)
    values = {"projection": PROJECTION} if any("projection" in text for text in texts) else {}
    size = 3 if len(texts) > 1 else None
    result = pipeline.run({"inpos": CORNERS}, [0, 1, 2], values, vertices_per_primitive=size)
    found = result.visibility(cull="none")
    assert bool(found.reasons) == (not found.visible)
    return [(reason.code, reason.message, reason.fix) for reason in found.reasons]


def test_what_is_right_has_no_reason(tmp_path: Path):
    assert reasons(tmp_path, VERTEX) == []
    assert reasons(tmp_path, VERTEX, GEOMETRY) == []
    flat = VERTEX.replace("position\n", "position.xyz\n").replace("    dp4 outpos.w, projection[3], inpos\n", "")
    assert reasons(tmp_path, flat.replace("dp4 outpos.z, projection[2], inpos", "mov outpos.z, -inpos.y")) == []


@pytest.mark.parametrize(
    ("texts", "code", "message", "fix"),
    [
        ((VERTEX, GEOMETRY.replace("    emit\n", "")), "stage", "the geometry shader has no `emit`", "`setemit` and `emit`"),
        ((VERTEX, GEOMETRY.replace(", prim", "")), "stage", "has the primitive flag", "`setemit 2, prim` at "),
        (
            (VERTEX, GEOMETRY.replace("    setemit 2", "    call early\n    setemit 2") + "\n.proc early\n    end\n.end\n"),
            "stage",
            "`end` in a called procedure, at line ",
            "remove it",
        ),
        ((COLOUR,), "wired", "no output is the position", "`.out NAME position`"),
        (
            (VERTEX.replace(" position", " position.xy"),),
            "wired",
            "position.zw is wired to no output",
            "the whole output",
        ),
        (
            (VERTEX.replace("position\n", "position.xyz\n").replace("outpos.z, projection[2]", "outpos.z, projection[3]"),),
            "wired",
            "position.w is wired to no output: the rasterizer takes 1",
            "the whole output",
        ),
        (
            (COLOUR.replace(".in", ".out outpos position\n.in"),),
            "wired",
            "no instruction writes the position, o1",
            "every path",
        ),
    ],
)
def test_stage_entry_and_wiring_come_before_values(tmp_path: Path, texts: tuple[str, ...], code: str, message: str, fix: str):
    first, *rest = reasons(tmp_path, *texts)
    assert first[0] == code
    assert message in first[1]
    assert fix in first[2]
    if code != "wired":
        assert not rest, "there are no triangles, and the cause is known"


def test_a_geometry_shader_that_begins_at_the_vertex_shader_is_named_before_missing_values(tmp_path: Path):
    borrowed = GEOMETRY.replace(".entry gmain\n", "")
    with pytest.raises(lw.InputError) as caught:
        reasons(tmp_path, VERTEX, borrowed)
    first, *rest = caught.value.diagnostics
    assert first.code == "B014" and "v.pica:5:5, word 0: it runs that again" in first.message and ".entry NAME" in first.fix
    assert [each.code for each in rest] == ["B005"]
    plain = VERTEX.replace("dp4 outpos.x, projection[0], inpos", "mov outpos, inpos")
    plain = "".join(line for line in plain.splitlines(keepends=True) if "projection" not in line)
    ((code, message, _),) = reasons(tmp_path, plain, borrowed)
    assert code == "entry" and message.startswith("the geometry shader begins where the vertex shader does")


def test_a_vertex_shader_of_both_stages_alone_names_the_stage_that_it_lacks(tmp_path: Path):
    ((_, _, fix), *_) = reasons(tmp_path, COLOUR.replace("color", "dummy"))
    assert fix.endswith("or give the geometry shader that makes one with --geometry")
