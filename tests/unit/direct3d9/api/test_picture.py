"""The control-flow graph of Direct3D 9 shaders: blocks, conditions, loops, calls."""

from __future__ import annotations

import json
import random

from effort import times
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.engine.random_programs import random_case
from lanewise.direct3d9.isa.program import addresses
from lanewise.direct3d9.isa.table import CLOSES, DECLARATION, DEFINITION, FLOW, MARK, SPLITS
from lanewise.graph.dot import as_dot
from lanewise.graph.json import as_json
from lanewise.graph.picture import Picture, Stop
from lanewise.graph.svg import as_svg
from lanewise.graph.text import as_text


def graph(text: str, **known: object) -> Picture:
    return Direct3DShader.from_source(f"vs_3_0\n{text}").picture(**known)  # pyright: ignore[reportArgumentType]


def shape(picture: Picture) -> list[tuple[list[str], list[tuple[object, str]]]]:
    """The instructions of each block, and its edges: where they go, and what they say."""
    return [
        (
            [row.text for row in node.rows],
            [(edge.target.text if isinstance(edge.target, Stop) else edge.target, edge.label) for edge in edges],
        )
        for node, edges in zip(picture.nodes, picture.edges, strict=True)
    ]


def test_straight_code_is_one_block():
    picture = graph("dcl_position v0\ndef c0, 1, 2, 3, 4\nmov r0, v0\nadd r1, r0, c0\n")
    assert shape(picture) == [(["mov r0, v0", "add r1, r0, c0"], [("end", "")])]
    assert as_text(picture).startswith("1 block, 2 instructions\n\nblock 0: main, lines 4 to 5\n     10  mov r0, v0\n")
    assert shape(graph("")) == [([], [("end", "")])]


def test_branches_meet_again():
    picture = graph("if_gt r0.x, -r1.y\nmov r0, c0\nelse\nif b0\nmov r0, c1\nendif\nendif\nmov r2, r0\n")
    assert shape(picture) == [
        (["if_gt r0.x, -r1.y"], [(1, "true"), (2, "false")]),
        (["mov r0, c0"], [(4, "")]),
        (["if b0"], [(3, "true"), (4, "false")]),
        (["mov r0, c1"], [(4, "")]),
        (["mov r2, r0"], [("end", "")]),
    ]
    text = as_text(picture)
    assert "  r0.x > -r1.y\n    true -> 1\n    false -> 2\n" in text and "\n  b0\n" in text


def test_a_loop_tests_its_count_before_and_after_its_body():
    text = "loop aL, i0\nadd r0, r0, c[aL+4]\nbreakp p0.x\nendloop\nmov r1, r0\n"
    picture = graph(text)
    assert shape(picture) == [
        (["loop aL, i0"], [(1, "true"), (3, "false")]),
        (["add r0, r0, c[aL+4]", "breakp p0.x"], [(3, "true"), (2, "false")]),
        (["endloop"], [(1, "true"), (3, "false")]),
        (["mov r1, r0"], [("end", "")]),
    ]
    assert [edge.back for edge in picture.edges[2]] == [True, False]
    assert "  in loop aL, i0\n" in as_text(picture) and "aL += i0.z" in as_text(picture)
    known = graph(text, integers={"i0": [3, 1, 2]})
    assert shape(known)[0] == (["loop aL, i0"], [(1, "")])
    assert "i0 = 3, 1, 2 -> 1" in as_text(known) and "fewer than 3 iterations" in as_text(known)
    none = graph("defi i0, 0, 0, 0, 0\nrep i0\nnop\nmov r0, c0\nendrep\nmov r1, r0\n")
    assert [rows for rows, _ in shape(none)] == [["rep i0"], ["mov r1, r0"]]
    assert none.summary == "2 blocks, 2 instructions, 2 instructions unreachable"


def test_calls_have_an_edge_to_the_routine_and_one_behind_it():
    text = (
        "call l1\ncallnz l1, !b0\nmov r0, c0\nret\nlabel l1\nif b1\nret\nendif\nadd r0, r0, c1\nret\nlabel l2\nmov r0, c2\n"
        "ret\n"
    )
    picture = graph(text)
    assert shape(picture) == [
        (["call l1"], [(3, "call l1"), (1, "after the call")]),
        (["callnz l1, !b0"], [(3, "true, call l1"), (2, "false"), (2, "after the call")]),
        (["mov r0, c0"], [("end", "")]),
        (["if b1"], [(4, "true"), (5, "false")]),
        (["ret"], [("return from l1", "")]),
        (["add r0, r0, c1"], [("return from l1", "")]),
    ]
    assert [node.name for node in picture.nodes] == ["main", "", "", "l1", "", ""]
    assert picture.summary.endswith("1 instruction unreachable")
    without = graph(text, booleans={"b0": True, "b1": False})
    assert [rows for rows, _ in shape(without)] == [
        ["call l1"],
        ["callnz l1, !b0"],
        ["mov r0, c0"],
        ["if b1"],
        ["add r0, r0, c1"],
    ]
    assert shape(without)[1][1] == [(2, "")]


def test_predicates_and_names_are_shown():
    source = "vs_2_x\nsetp_lt p0, r0, c0\n(!p0.x) mov r1, c4\nif !p0.y\nmov r2, c4\nendif\n"
    shader = Direct3DShader.from_source(source)
    shader.__dict__["symbols"] = {(2, 4): ("World", 4)}
    text = as_text(shader.picture(title="light"))
    assert "(!p0.x) mov r1, World\n" in text and "\n  !p0.y\n    true -> 1\n" in text


def test_every_instruction_of_random_shaders_is_in_one_block():
    for seed in range(times(25, 400)):
        shader = Direct3DShader(f"random {seed}", random_case(random.Random(seed)).shader)
        picture = shader.picture()
        places = [row.address for node in picture.nodes for row in node.rows]
        assert places == sorted(set(places))
        known = addresses(shader.shader)
        hidden = (SPLITS, CLOSES)
        code = [
            known[id(inst)]
            for inst in shader.shader.insts
            if inst.op.role not in (DECLARATION, DEFINITION, MARK) and inst.op.part not in hidden
        ]
        assert set(places) <= {known[id(inst)] for inst in shader.shader.insts}
        if "unreachable" not in picture.summary and not any(inst.op.role == FLOW for inst in shader.shader.insts):
            assert places == code
        assert as_dot(picture).startswith("digraph") and "<svg" in str(as_svg(picture))
        assert len(json.loads(as_json(picture))["blocks"]) == len(picture.nodes)
