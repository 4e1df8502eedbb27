"""Traces of Direct3D 9 shaders: what a lane reads, writes and decides, and where a value came from."""

from __future__ import annotations

import json
import pickle
import random
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from effort import times
from lanewise.arrays.words import Words
from lanewise.core.diagnostics import InputError
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.engine import trace
from lanewise.direct3d9.engine.random_programs import Options, random_case
from lanewise.direct3d9.sem.numbers import rule_of
from lanewise.graph.picture import Stop

if TYPE_CHECKING:
    from lanewise.core.trace import Step, Trace
    from lanewise.direct3d9.engine.random_programs import Case

LOOP = """vs_3_0
dcl_position v0
dcl_position o0
dcl_texcoord o1
def c8, 1, 0.5, 0, 0
mov r0, v0
mova a0.x, v0.w
loop aL, i0
add r0, r0, -c[aL+9].yxzw
break_gt r0.x, c8.x
endloop
setp_gt p0.xy, r0, c8.y
(!p0.x) add r0, r0, c[a0.x+10]
call l1
mov o0, r0
ret
label l1
mad_sat o1, r0_abs, c8.x, c8.y
ret
"""
LOOP_DATA: dict[str, Any] = {
    "inputs": {"v0": [[1, 2, 3, 2], [9, 9, 9, 0], [0, 0, 0, 1]]},
    "uniforms": {"c9": [[-1, 0, 0, 0], [-1, 1, 1, 1], [-2, 0, 0, 0], [0, 0, 0, 9], [7, 7, 7, 7]]},
    "integers": {"i0": [3, 0, 1]},
}


def traced(text: str, lane: int = 0, **data: Any) -> Trace:
    return Direct3DShader.from_source(text, "test.vsa").trace(lane=lane, **data)


def texts(found: Trace) -> list[str]:
    return [step.instruction for step in found.steps]


def reads(found: Trace, step: Step) -> list[str]:
    return [found.operand(operand).partition(" [")[0] for operand in step.operands]


def writes(found: Trace, step: Step) -> list[str]:
    return [found.write(write).partition(" [")[0] for write in step.writes]


def test_operands_are_as_the_lane_saw_them():
    text = "vs_2_0\ndcl_position v0\ndef c4, 1, 2, 3, 4\nmad r0.xz, -v0.wzyx, c4.y, v0\nrcp r1.w, r0.z\nmov oPos, r0\n"
    found = traced(text, inputs={"position": [[1, 2, 3, 4]]}, defaults=0)
    first, second, third = found.steps
    assert (first.number, first.address, first.span.line if first.span else 0) == (0, 10, 4)
    assert reads(found, first) == ["-position.wy (v0) = -4, -2", "c4.yy = 2, 2", "position.xz (v0) = 1, 3"]
    assert writes(found, first) == ["r0.xz = -7, -1"]
    assert first.made == {"r0.x": ("v0.w", "c4.y", "v0.x"), "r0.z": ("v0.y", "c4.y", "v0.z")}
    assert writes(found, second) == ["r1.w = -1"] and reads(found, second) == ["r0.z = -1"]
    assert writes(found, third) == ["position (oPos) = -7, 0, -1, 0"]
    assert found.results["position.z"] == "oPos.z" and found.last["oPos.z"].number == -1.0


def test_loops_breaks_calls_predicates_and_relative_addresses():
    found = traced(LOOP, **LOOP_DATA)
    body = ["add r0, r0, -c[aL+9].yxzw", "break_gt r0.x, c8.x", "endloop"]
    assert texts(found) == [
        "mov r0, v0",
        "mova a0.x, v0.w",
        "loop aL, i0",
        *body * 3,
        "setp_gt p0.xy, r0, c8.y",
        "(!p0.x) add r0, r0, c[a0.x+10]",
        "call l1",
        "mad_sat o1, r0_abs, c8.x, c8.y",
        "mov o0, r0",
    ]
    begin, second, end, last = found.steps[2], found.steps[6], found.steps[8], found.steps[11]
    assert (
        writes(found, begin) == ["aL = 0"]
        and begin.decisions[0].answer == "yes"
        and reads(found, begin) == ["i0.xyz = 3, 0, 1"]
    )
    assert reads(found, second)[1] == "-c10.yxzw (aL: +1 from c9) = -1, 1, -1, -1"
    assert second.state == "iteration 2 of 3 (i0), aL = 1; lanes 0, 2 of 0-2"
    assert second.data["lanes"] == [0, 2] and second.data["loops"] == [{"register": "i0", "iteration": 2, "count": 3, "aL": 1}]
    assert (end.decisions[0].question, end.decisions[0].answer, writes(found, end)) == (
        "fewer than 3 iterations?",
        "yes",
        ["aL = 2"],
    )
    assert last.decisions[0].answer == "no"
    predicated = found.steps[13]
    assert reads(found, predicated) == ["r0 = 0, 6, 2, 1", "c12 (a0.x: +2 from c10) = 0, 0, 0, 9", "p0.x = 0", "a0.x = 2"]
    assert predicated.state == "p0 = 0, 1, 0, 0" and predicated.data["predicate"] == [False, True, False, False]
    assert found.steps[15].state.startswith("in l1") and found.steps[15].data["routine"] == "l1"
    left = traced(LOOP, 1, **LOOP_DATA)  # it leaves the loop at once, and its predicate is true
    assert texts(left)[2:6] == ["loop aL, i0", *body[:2], "setp_gt p0.xy, r0, c8.y"]
    assert left.steps[4].decisions[0].answer == "yes"
    assert left.steps[6].writes == ()


def test_an_explanation_follows_values_to_inputs_and_constants():
    found = traced(LOOP, **LOOP_DATA).explain("texcoord.x")
    text = found.text()
    assert text.startswith("texcoord.x (o1.x) = 0.5 [3f000000], lane 0\n")
    assert "  from  -c10.y (aL: +1 from c9) = -1 [bf800000]\n" in text
    assert "given:\n  input position.xw (v0) = 1, 2 [3f800000 40000000]\n" in text
    assert "  constant c8.xy = 1, 0.5 [3f800000 3f000000]\n" in text and "  uniform c12.x = 0 [00000000]\n" in text
    assert "break_gt r0.x, c8.x: r0.x > c8.x? no" in text
    assert [cause.step.number for cause in found.causes] == [0, 1, 2, 3, 5, 6, 8, 9, 12, 13, 15]
    with pytest.raises(InputError, match="texcoord"):
        traced(LOOP, **LOOP_DATA).explain("texcoord")
    unset = traced("vs_2_0\nmov oPos.xy, r3.z\n").explain("position.x")
    assert unset.unset == ("r3.z",)


def test_names_of_the_constant_table():
    shader = Direct3DShader.from_source("vs_2_0\ndcl_position v0\nm4x4 oPos, v0, c4\n")
    shader.__dict__["symbols"] = {(2, 4): ("World", 4)}
    found = shader.trace({"v0": [1, 2, 3, 1]}, {"c4": np.eye(4)})
    (step,) = found.steps
    assert step.instruction == "m4x4 oPos, v0, World"
    assert reads(found, step)[1:3] == ["World (c4) = 1, 0, 0, 0", "World[1] (c5) = 0, 1, 0, 0"]
    assert step.made["oPos.y"] == ("v0.x", "c5.x", "v0.y", "c5.y", "v0.z", "c5.z", "v0.w", "c5.w")
    assert "uniform World[1] (c5) = 0, 1, 0, 0" in found.explain("position.y").text()


def test_textures_kills_and_neighbours():
    text = "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ndsx r1, v0.x\ntexkill v0\ntexldp r0, v0, s0\nmov oC0, r0\n"
    asked: list[np.ndarray[Any, Any]] = []

    def sampler(fetch: Any) -> np.ndarray[Any, Any]:
        asked.append(fetch.coordinates)
        return fetch.coordinates

    found = traced(text, 1, inputs={"v0": [[0.5, 1, 1, 2], [-1, 2, 3, 4]]}, samplers={0: sampler})
    assert len(asked) == 1, "a sampler is asked once"
    assert found.steps[0].notes == ("pixel 1 minus pixel 0",)
    assert (found.steps[1].decisions[0].answer, found.last["killed"].number) == ("yes", 1)
    assert found.steps[2].notes == ("s0 at (-0.25, 0.5, 0.75, 4) gives (-0.25, 0.5, 0.75, 4)",)
    (sample,) = found.to_json()["steps"][2]["samples"]  # pyright: ignore[reportIndexIssue, reportUnknownVariableType]
    assert sample["result"] == [0xBE800000, 0x3F000000, 0x3F400000, 0x40800000]
    alive = traced(text, 0, inputs={"v0": [[0.5, 1, 1, 2], [-1, 2, 3, 4]]}, samplers={0: sampler})
    assert alive.steps[1].decisions[0].answer == "no" and "killed" not in alive.results


def test_the_old_pixel_shaders():
    text = "ps_1_1\ntex t0\ntexbem t1, t0\nmov r0, t1\n"
    samplers = {0: [0.25, 0.5, 0, 1], 1: [1, 0.5, 0.25, 1]}
    found = traced(text, inputs={"t0": [1, 2, 3], "t1": [4, 5, 6]}, uniforms={"bump1": [1, 2, 3, 4]}, samplers=samplers)
    assert reads(found, found.steps[0]) == ["t0 = 1, 2, 3, 1"]
    assert reads(found, found.steps[1]) == ["t0.xy = 0.25, 0.5", "t1 = 4, 5, 6, 1", "bump1 = 1, 2, 3, 4"]
    pair = traced("ps_1_4\ndef c0, 1, 1, 1, 1\nmul_x2_sat r0.rgb, r1_bx2, 1-c0\n+mov r0.a, r0.b\n")
    assert texts(pair) == ["mul_x2_sat r0.xyz, r1_bx2, 1-c0 +mov r0.w, r0.z"]
    assert reads(pair, pair.steps[0]) == ["r1_bx2.xyz (r1) = -1, -1, -1", "1-c0.xyz = 0, 0, 0", "r0.z = 0"]
    ordered = traced(
        "ps_1_4\ndef c0, 1, 1, 1, 1\nmov r0.rgb, c0\n+mov r0.a, r0.b\n", rule=rule_of("ieee").set("coissue=in_order")
    )
    assert len(ordered) == 2 and ordered.last["r0.w"].number == 1.0


def test_a_pair_reads_before_either_writes():
    found = traced("ps_1_4\ndef c0, 0.25, 0.5, 0.75, 1\nmov r0.rgb, c0\nmov r0.rgb, c0.g\n+mov r0.a, r0.b\n")
    assert found.last["r0.w"].number == 0.75 and found.steps[1].data["paired"] == 13
    assert found.explain("color.w").given == ("c0.z",)
    both = traced("ps_1_4\ndef c0, 0.25, 0.5, 0.75, 1\nmov r0, c0\n+mov r0.ga, c0.r\n")
    assert [writes(both, step) for step in both.steps] == [["r0.xz = 0.25, 0.75", "r0.yw = 0.25, 0.25"]]
    assert both.last["r0.y"].number == 0.25


def test_a_run_that_cannot_end_is_traced_so_far(monkeypatch: pytest.MonkeyPatch):
    text = "vs_3_0\ndefi i0, 255, 0, 0, 0\nrep i0\nrep i0\nadd r0, r0, c0\nendrep\nendrep\n"
    found = traced(text, uniforms={"c0": [1.0, 0, 0, 0]}, turns=300)
    assert [finding.code for finding in found.diagnostics] == ["R305"] and len(found) > 500
    monkeypatch.setattr(trace, "MOST_STEPS", 50)
    short = traced(text, uniforms={"c0": [1.0, 0, 0, 0]})
    assert len(short) == 50 and "more than 50 steps" in short.diagnostics[0].message
    missing = traced("ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n", inputs={"t0": [0, 0]})
    assert [finding.code for finding in missing.diagnostics] == ["R307"]
    with pytest.raises(InputError, match="lane 3 does not exist"):
        traced(LOOP, 3, **LOOP_DATA)


def test_registers_at_the_end():
    shader = Direct3DShader.from_source(LOOP)
    for engine in ("reference", "llvm"):
        found = shader.run(**LOOP_DATA, engine=engine).registers
        assert list(found) == ["r0", "a0", "o0", "o1", "aL", "p0"]
        assert found["r0"].view(np.float32)[0].tolist() == [0, 6, 2, 10]
        assert found["a0"].view(np.int32)[:, 0].tolist() == [2, 0, 1]
        assert found["p0"].tolist() == [[0, 1, 0, 0], [1, 1, 0, 0], [0, 1, 0, 0]]
        assert found["aL"].shape == (3, 1)


def test_a_pickled_result_finds_its_registers():
    result = Direct3DShader.from_source(LOOP).run(**LOOP_DATA)
    before = pickle.loads(pickle.dumps(result))
    assert "a0" in result.registers
    for again in (before, pickle.loads(pickle.dumps(result))):
        assert again.registers["a0"].tolist() == result.registers["a0"].tolist()
        assert again.outputs["position"].tolist() == result.outputs["position"].tolist()


def test_a_pickled_result_leaves_local_functions_behind():
    shader = Direct3DShader.from_source("ps_2_0\ndcl_2d s0\ndcl t0.xy\ntexld r0, t0, s0\nmov oC0, r0\n")

    def local(fetch: object) -> tuple[float, ...]:
        return 1, 2, 3, 4

    result = shader.run({"t0": [[0.5, 1]]}, samplers={0: local})
    with pytest.raises(ValueError, match="read `registers` before the result is sent"):
        _ = pickle.loads(pickle.dumps(result)).registers
    assert result.registers["r0"].view(np.float32).tolist() == [[1, 2, 3, 4]]
    again = pickle.loads(pickle.dumps(result))
    assert again.outputs["color"].tolist() == [[1, 2, 3, 4]]
    assert again.registers["r0"].tolist() == result.registers["r0"].tolist()


def data_of(case: Case) -> dict[str, Any]:
    return {
        "inputs": {name: Words(grid) for name, grid in case.inputs.items()},
        "uniforms": {name: Words(grid) for name, grid in case.constants.items()},
        "integers": case.integers,
        "booleans": case.booleans,
        "count": case.lanes,
        "defaults": 0,
    }


def cases(count: int) -> list[tuple[Direct3DShader, dict[str, Any], int]]:
    found: list[tuple[Direct3DShader, dict[str, Any], int]] = []
    for seed in range(count):
        rng = random.Random(seed)
        case = random_case(rng, Options(size=14), lanes=rng.choice([1, 5, 18]))
        found.append((Direct3DShader(f"random {seed}", case.shader), data_of(case), rng.randrange(case.lanes)))
    return found


def test_a_trace_ends_with_what_the_run_gives():
    for shader, data, lane in cases(times(12, 300)):
        result = shader.run(**data, engine="reference")
        found = shader.trace(**data, lane=lane)
        assert not found.diagnostics, shader.name
        for port in shader.outputs:
            for n in range(len(port.components)):
                place = found.results[f"{port.name}.{'xyzw'[n]}"]
                expected = result.bits[port.name][lane][n]
                assert (found.last[place].bits if place in found.last else 0) == expected, (shader.name, place)
        for name, grid in result.registers.items():
            for c in range(grid.shape[1] if name[:2] != "aL" else 0):
                place = f"{name}.{'xyzw'[c]}"
                known = found.last[place].bits if place in found.last else 0
                assert known == grid[lane][c], (shader.name, place)
        json.dumps([found.to_json(), *[found.explain(name).to_json() for name in found.results]], allow_nan=False)


def test_the_steps_are_a_path_through_the_graph():
    for shader, data, lane in cases(times(12, 300)):
        picture = shader.picture(integers=data["integers"], booleans=data["booleans"])
        rows = [[row.address for row in node.rows] for node in picture.nodes]
        places = {address: (number, n) for number, block in enumerate(rows) for n, address in enumerate(block)}
        found = shader.trace(**data, lane=lane).steps
        path = [
            places[at]
            for step in found
            for at in (step.address, *([int(str(step.data["paired"]))] if "paired" in step.data else []))
        ]
        assert not path or path[0][1] == 0
        for (block, row), (following, n) in pairwise(path):
            if n:
                assert (block, row + 1) == (following, n), shader.name
                continue
            assert row == len(rows[block]) - 1, shader.name
            targets = {edge.target for edge in picture.edges[block]}
            returns = any(isinstance(target, Stop) and target.text.startswith("return") for target in targets)
            assert following in targets or returns, shader.name


def test_a_value_depends_on_nothing_that_its_explanation_lacks():
    for shader, data, lane in cases(times(4, 60)):
        found = shader.trace(**data, lane=lane)
        decided = [(step.address, [asked.answer for asked in step.decisions]) for step in found.steps]
        for name in list(found.results)[:2]:
            known = set(found.explain(name).given)
            changed = dict(data)
            for kind in ("inputs", "uniforms"):
                grids = {register: words.array.copy() for register, words in data[kind].items()}
                for register, grid in grids.items():
                    rows = grid.reshape(-1, 4)
                    for c in range(4):
                        if f"{register}.{'xyzw'[c]}" not in known:
                            rows[lane if kind == "inputs" and len(rows) > 1 else 0][c] ^= 0x3F123456
                changed[kind] = {register: Words(grid) for register, grid in grids.items()}
            again = shader.trace(**changed, lane=lane)
            if [(step.address, [asked.answer for asked in step.decisions]) for step in again.steps] == decided:
                place = found.results[name]
                assert found.last.get(place) == again.last.get(place) or found.last[place].bits == again.last[place].bits, name
