"""Geometry shaders: emitted vertices, banks, buffer, winding, modes, what is kept between runs; against primitives worked out
by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import lanewise as lw
from engines.shaders import ZEROS, descriptor, vector, word
from lanewise.core.numbers.floats import float_from_float24
from lanewise.pica200.api.file import assemble_texts
from lanewise.pica200.engine.geometry import Chunks, assemble, chunks_of, counted_chunks, float_count
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from lanewise.pica200.sem.profile import Profile


@pytest.fixture(params=["reference", "llvm"], autouse=True)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every test on each engine: `auto` takes the one or the other however few the runs are."""
    limit = 0 if request.param == "llvm" else 1 << 62
    monkeypatch.setattr("lanewise.pica200.engine.run.BREAK_EVEN", limit)
    monkeypatch.setattr("lanewise.pica200.engine.geometry_batch.BREAK_EVEN", limit)
    return request.param


END, EMIT = word("end"), word("emit")

VERTEX = """.entry vmain
.out opos position
.out oclr color
.in position
.in color
.proc vmain
    mov opos, position
    mov oclr, color
    end
.end
"""


def send(*slots: str, clr: str = "v1") -> str:
    """Lines that emit o0 = the register of each slot 0, 1, 2, and finish a primitive with the last."""
    lines: list[str] = []
    for number, register in enumerate(slots):
        lines += [
            f"mov pos, {register}",
            f"mov clr, {clr}",
            f"setemit {number}" + (", prim" if number == len(slots) - 1 else ""),
            "emit",
        ]
    return "\n".join(lines)


def pipeline(body: str, *, mode: str = "point c0", vertex: str = VERTEX, head: str = "") -> lw.pica200.Pipeline:
    geometry = f".gsh {mode}\n.entry gmain\n{head}\n.out pos position\n.out clr color\n.proc gmain\n{body}\nend\n.end\n"
    return assemble_texts([("a.v.pica", vertex), ("b.g.pica", geometry)]).pipeline


def corners(result: lw.pica200.Primitives, key: str = "position") -> list[list[float]]:
    """x of the three corners of each primitive."""
    return result.outputs[key][..., 0].tolist()


def points(count: int) -> dict[str, Any]:
    """Vertices whose x counts from 1, and whose colour is x / 8."""
    x = np.arange(1, count + 1)[:, np.newaxis]
    return {"position": x, "color": x / 8}


# Words of SETEMIT and EMIT


def emitted(
    words: Sequence[int], *, descriptors: Sequence[int] = (descriptor(),), inputs: dict[int, Any], profile: Profile = HARDWARE
):
    """The records of all EMITs of one run."""
    machine = Reference(words, descriptors, 0, profile=profile, geometry=True).start(
        inputs, [ZEROS] * 96, [ZEROS] * 4, [False] * 16
    )
    found: list[Any] = []
    while not machine.finished:
        step = machine.step()
        if "emit" in step.result:
            found.append(step.result["emit"])
    return found


def test_outputs_have_two_banks():
    """Azahar PR 2338, on a console: what is not written since the EMIT before is as it was two EMITs ago."""
    full, yzw, x, y = descriptor(), descriptor(0b0111), descriptor(0b1000), descriptor(0b0100)
    a, b = vector(1, 2, 3, 4), vector(5, 6, 7, 8)
    words = [
        word("setemit"),
        word("mov", src1=0),
        EMIT,
        word("mov", src1=0, desc=1),
        word("mov", src1=1, desc=2),
        EMIT,
        word("mov", src1=1, desc=3),
        EMIT,
        END,
    ]
    first, second, third = emitted(words, descriptors=(full, yzw, x, y), inputs={0: a, 1: b})
    assert first.vertex.outputs[0] == a
    assert second.vertex.outputs[0] == vector(5, 2, 3, 4)
    assert third.vertex.outputs[0] == vector(1, 6, 3, 4)  # x, z, w of the first vertex, not of the second
    assert [vertex.vertex.written[0] for vertex in (first, second, third)] == [15, 15, 15]


def test_the_record_of_a_step_shows_setemit_and_emit():
    words = [word("setemit", vertex=2, primitive=1, winding=1), EMIT, END]
    machine = Reference(words, (), 0, geometry=True).start({}, [ZEROS] * 96, [ZEROS] * 4, [False] * 16)
    setting = machine.step().result.get("setemit")
    assert setting is not None
    assert (setting.vertex, setting.primitive, setting.invert) == (2, True, True)
    record = machine.step().result.get("emit")
    assert record is not None
    assert record.emission == setting
    assert record.primitive is not None


def test_emit_does_nothing_in_a_vertex_shader():
    machine = Reference([word("setemit"), EMIT, END], (), 0).start({}, [ZEROS] * 96, [ZEROS] * 4, [False] * 16)
    assert [machine.step().result for _ in range(3)] == [{}, {}, {}]


def test_a_fourth_vertex_is_held_or_dropped_with_its_flag():
    words = [word("setemit", vertex=3, primitive=1), EMIT, END]
    (held,) = emitted(words, inputs={})
    assert held.held and held.primitive is not None
    (dropped,) = emitted(words, inputs={}, profile=HARDWARE.replace(emit_slots="3"))
    assert not dropped.held and dropped.primitive is None


# Pipelines


def test_point_mode_takes_as_many_vertices_as_it_reads(engine: str):
    shader = pipeline(send("v0", "v2", "v4"))
    result = shader.run(points(7))
    assert result.engine == engine
    assert corners(result) == [[1, 2, 3], [4, 5, 6]]
    assert corners(result, "color") == [[0.125] * 3, [0.5] * 3]
    assert (result.triangles, result.left_over, result.runs.tolist()) == (2, 1, [0, 1])
    assert result.outputs["position"].shape == (2, 3, 4)
    assert result.bits["position"].dtype == np.uint32
    assert result.written["color"].all()
    assert repr(shader) == "<Pipeline a.v.pica -> b.g.pica (point)>"


def test_point_mode_with_indices_and_a_number_of_vertices():
    shader = pipeline(send("v0", "v2", "v0"))
    assert corners(shader.run(points(4), [3, 0, 0, 2])) == [[4, 1, 4], [1, 3, 1]]
    assert corners(shader.run(points(4), [3, 0, 0, 2], vertices_per_primitive=4)) == [[4, 1, 4]]


def test_the_vertex_shaders_outputs_are_packed_in_the_order_of_their_registers():
    vertex = """.entry vmain
.out second color o4
.out first position o1
.in position
.in color
.proc vmain
mov first, position
mov second, color
end
.end"""
    assert corners(pipeline(send("v0", "v1", "v2"), vertex=vertex).run(points(2))) == [[1, 0.125, 2]]


def test_buffer_is_not_cleared():
    """A strip of the shader's own: after the first primitive each new vertex takes one slot and sends all three."""
    body = (
        send("v0", "v2", "v4")
        + "\nmov pos, v6\nmov clr, v1\nsetemit 0, prim\nemit\nmov pos, v0\nmov clr, v1\nsetemit 1, prim\nemit"
    )
    assert corners(pipeline(body).run(points(4))) == [[1, 2, 3], [4, 2, 3], [4, 1, 3]]


def test_buffer_is_kept_from_run_to_run():
    """Each run sends its one vertex with those of the runs before; those that never were are zero."""
    body = "mov pos, v0\nmov clr, v1\nsetemit 0, prim\nemit\nmov pos, v0\nmov clr, v1\nsetemit 1\nemit"
    result = pipeline(body).run(points(3))
    assert corners(result) == [[1, 0, 0], [2, 1, 0], [3, 2, 0]]
    assert result.written["position"][:, 2].any() == np.False_


@pytest.mark.parametrize(("swap", "expected"), [("first", [2, 1, 3]), ("outer", [3, 2, 1])])
def test_winding(swap: str, expected: list[float]):
    shader = pipeline(send("v0", "v2", "v4").replace("prim", "prim inv"))
    profile = HARDWARE.replace(winding_swap=swap)
    assert corners(shader.run(points(3), profile=profile)) == [expected]
    for topology in ("triangles", "strip", "fan"):
        assert corners(shader.run(points(3), profile=profile, topology=topology)) == [[1, 2, 3]]


def test_the_topology_holds_for_what_a_geometry_shader_sends():
    """As strips, three vertices of each run go on where those of the run before have ended (citra PR 2865)."""
    result = pipeline(send("v0", "v2", "v4")).run(points(6), topology="strip")
    assert corners(result) == [[1, 2, 3], [3, 2, 4], [3, 4, 5], [5, 4, 6]]
    assert result.runs.tolist() == [0, 1, 1, 1]


ONCE = """
    ifu b15
        mov r0, v2
    .else
        mov r0, v0
        mov r1, v4
    .end
    nop
"""


def test_b15_is_true_after_the_first_run_and_temporaries_are_kept():
    shader = pipeline(ONCE + send("r0", "r1", "v4"))
    assert corners(shader.run(points(6))) == [[1, 3, 3], [5, 3, 6]]
    cleared = HARDWARE.replace(keep_registers_between_invocations="cleared")
    assert corners(shader.run(points(6), profile=cleared)) == [[1, 3, 3], [5, 0, 6]]
    assert corners(shader.run(points(6))) == [[1, 3, 3], [5, 3, 6]]  # and false again before the first of the next


def test_flags_and_address_registers_are_kept():
    head = ".fvec table[2] c4"
    body = "ifu b15\nnop\n.else\nmova a0.x, v4\nnop\n.end\nmov r0, c4[a0.x]\n" + send("r0", "v2", "v4")
    shader = pipeline(body, head=head)
    rows = [[10, 0, 0, 0], [20, 0, 0, 0]]
    data = {"position": [[1], [2], [1], [4], [5], [6]], "color": 1}
    assert corners(shader.run(data, uniforms={"c4": rows[0], "c5": rows[1]})) == [[20, 2, 1], [20, 5, 6]]
    cleared = HARDWARE.replace(keep_registers_between_invocations="cleared")
    assert corners(shader.run(data, uniforms={"c4": rows[0], "c5": rows[1]}, profile=cleared)) == [[20, 2, 1], [10, 5, 6]]


def test_fixed_mode():
    """From c8 on: position and colour of each of three vertices."""
    shader = pipeline(send("c8", "c10", "c12", clr="c13"), mode="fixed c20 c8 3")
    result = shader.run(points(4), [0, 1, 2, 3, 2, 1])
    assert corners(result) == [[1, 2, 3], [4, 3, 2]]
    assert corners(result, "color") == [[0.375] * 3, [0.25] * 3]


def test_variable_mode():
    """c0 is the count; two whole vertices are c1-c4, of the others only the position follows."""
    shader = pipeline(send("c0", "c5", "c6", clr="c4"), mode="variable c20 2")
    result = shader.run(points(6), [4, 0, 1, 2, 3, 3, 5, 4, 3])
    # The second primitive leaves c6 as the first has left it.
    assert corners(result) == [[4, 3, 4], [3, 4, 4]]
    assert corners(result, "color") == [[0.25] * 3, [0.625] * 3]


def test_a_list_in_variable_mode_that_ends_too_early():
    """No run takes its vertices, so nobody can say which c registers they would have been."""
    shader = pipeline(send("c0", "c5", "c6", clr="c4"), mode="variable c20 2")
    result = shader.run(points(6), [4, 0, 1, 2])
    assert (result.triangles, result.left_over) == (0, 3)
    (warning,) = shader.warnings(result)
    assert (warning.code, warning.span.file) == ("R008", "b.g.pica")
    assert warning.message == "no primitive is complete: 3 vertices are given; the count before them is 4"


def test_without_a_geometry_shader():
    shader = lw.pica200.Pipeline(lw.assemble(VERTEX).vertex)
    assert corners(shader.run(points(7))) == [[1, 2, 3], [4, 5, 6]]
    assert shader.run(points(7)).left_over == 1
    assert corners(shader.run(points(4), [0, 1, 2, 3], topology="strip")) == [[1, 2, 3], [3, 2, 4]]
    assert corners(shader.run(points(5), topology="fan")) == [[1, 2, 3], [1, 3, 4], [1, 4, 5]]
    assert shader.run(points(0)).triangles == 0
    assert repr(shader) == "<Pipeline a.v.pica>".replace("a.v.pica", "<string>")


def test_only_vertices_in_use_are_run():
    shader = lw.pica200.Pipeline(lw.assemble(VERTEX).vertex)
    seen: list[tuple[int, int]] = []
    shader.run(points(1000), [999, 3, 999, 3, 3, 3], progress=lambda done, total: seen.append((done, total)))
    assert seen and all(total == 2 for _, total in seen)


def test_uniforms_go_to_the_stages_that_have_them():
    vertex = VERTEX.replace(".out opos", ".fvec shift c0\n.fvec both c1\n.out opos").replace(
        "mov opos, position", "mov r0, shift\nadd r0, both, r0\nadd opos, position, r0"
    )
    body = "mov r0, own\nadd r0, both, r0\n" + send("v0", "r0", "v4")
    shader = pipeline(body, mode="point c8", vertex=vertex, head=".fvec own\n.fvec both")
    values = {"shift": 10, "both": 100, "own": 1}
    flat = {name: [number, 0, 0, 0] for name, number in values.items()}
    assert corners(shader.run(points(3), uniforms=flat)) == [[111, 101, 113]]
    assert corners(shader.run(points(3), uniforms=flat, geometry_uniforms={"both": [200, 0, 0, 0]})) == [[111, 201, 113]]
    assert corners(shader.run(points(3), uniforms=flat, vertex_uniforms={"both": [0] * 4})) == [[11, 101, 13]]


def test_rasterized():
    body = "mov pos, v0\nmov clr, -v1\nsetemit 0, prim\nemit"
    result = pipeline(body).run({"position": [[1, 2, 3]], "color": [[0.5, 4, 0, 1]]})
    seen = result.rasterized()
    assert seen["color"][0, 0].tolist() == [-0.5, -4, 0, -1]
    assert result.rasterized(clamp_colour=True)["color"][0, 0].tolist() == [0.5, 1, 0, 1]
    assert seen["view"].tolist() == [[[1, 1, 1]] * 3]
    assert seen["texcoord0w"].shape == (1, 3, 1)
    assert result.outputs["color"][0, 0, 1] == -4


def test_dummy_outputs_ask_for_merged_maps_and_carry_nothing():
    body = "mov pos, v0\nmov clr, v1\nmov extra, v1\nsetemit 0, prim\nemit"
    shader = pipeline(body, head=".out extra dummy")
    assert shader.geometry is not None and shader.geometry.interface.merge_outputs
    result = shader.run(points(1))
    assert set(result.outputs) == {"o0", "position", "color"}


# Mistakes


def codes(error: pytest.ExceptionInfo[lw.InputError]) -> list[str]:
    return [finding.code for finding in error.value.diagnostics]


@pytest.mark.parametrize(
    ("mode", "body", "indices", "given", "code"),
    [
        ("point c0", send("v0", "v2", "v4"), [0, 1, 3], {}, "B011"),
        ("point c0", send("v0", "v2", "v4"), [0, 1, -1], {}, "B011"),
        ("point c0", send("v0", "v2", "v4"), [0, 1, 0.5], {}, "B011"),
        ("point c0", send("v0", "v2", "v4"), ["a"], {}, "B011"),
        ("point c0", send("v0", "v2", "v4"), None, {"vertices_per_primitive": 2}, "B012"),
        ("point c0", send("v0", "v2", "v4"), None, {"vertices_per_primitive": 9}, "B012"),
        ("variable c20 2", send("v0", "c1", "c2"), [2, 0, 1], {}, "B012"),
        ("variable c20 2", send("c0", "c1", "c2", clr="c1"), [2, 0, 1], {"vertices_per_primitive": 2}, "B012"),
        ("variable c20 2", send("c0", "c1", "c2", clr="c1"), [94] + [0] * 94, {}, "B012"),
        ("variable c20 2", send("c0", "c1", "c2", clr="c1"), None, {}, "B013"),
        ("variable c20 2", send("c0", "c1", "c2", clr="c1"), [2, 0, 1, 0], {}, "B013"),
        ("fixed c20 c8 3", send("c8", "c10", "c12", clr="c8"), None, {}, "B013"),
        ("fixed c20 c8 3", send("c8", "c10", "c19", clr="c8"), [0, 1, 2], {}, "B005"),
        ("point c0", send("v0", "v2", "c4"), None, {}, "B005"),
        ("point c0", send("v0", "v2", "v4"), None, {"uniforms": {"nobody": 1}}, "B001"),
    ],
)
def test_mistakes(mode: str, body: str, indices: Any, given: dict[str, Any], code: str):
    with pytest.raises(lw.InputError) as error:
        pipeline(body, mode=mode).run(points(3), indices, **given)
    assert codes(error) == [code]


def test_a_fixed_primitive_without_indices_runs_where_the_profile_says_so():
    shader = pipeline(send("c8", "c10", "c12", clr="c9"), mode="fixed c20 c8 3")
    (listed, drawn, azahar) = (
        shader.run(points(6), indices, profile=profile)
        for indices, profile in [
            (range(6), HARDWARE),
            (None, HARDWARE.replace(fixed_by_arrays="drawn")),
            (None, lw.pica200.profiles["azahar"]),
        ]
    )
    assert corners(listed) == [[1, 2, 3], [4, 5, 6]]
    assert corners(drawn) == corners(azahar) == corners(listed)
    with pytest.raises(lw.InputError, match="fixed_by_arrays=drawn"):
        shader.run(points(6))
    assert codes_of_variable() == ["B013"]


def codes_of_variable() -> list[str]:
    """Mode variable needs the counts of a list under each profile."""
    with pytest.raises(lw.InputError) as error:
        pipeline(send("c0", "c1", "c2", clr="c1"), mode="variable c20 2").run(points(3), profile="azahar")
    return codes(error)


def test_stages_are_checked():
    file = assemble_texts(
        [
            ("a.v.pica", VERTEX),
            ("b.g.pica", ".gsh point c0\n.entry g\n.out pos position\n.proc g\nmov pos, v0\nemit\nend\n.end"),
        ]
    )
    with pytest.raises(lw.InputError) as error:
        lw.pica200.Pipeline(file.only("geometry"), file.vertex)
    assert codes(error) == ["B014"] and "exchanged" in str(error.value)
    with pytest.raises(ValueError, match="unknown topology 'lines'"):
        file.pipeline.run(points(3), topology="lines")


def test_faults_name_their_stage_and_the_rest_is_there():
    body = (
        send("v0", "v2", "v4") + "\ncmp c4, lt, lt, v0\njmpc cmp.x, away\nnop\nend\naway:\nnop\njmpu b0, away\njmpu !b0, away"
    )
    shader = pipeline(body)
    with pytest.raises(lw.pica200.PipelineError, match="geometry shader's run 1 stopped") as error:
        shader.run(points(6), uniforms={"c4": [3, 0, 0, 0], "b0": False}, budget=100)
    assert corners(error.value.result) == [[1, 2, 3]]  # a run that does not end emits nothing
    (fault,) = error.value.result.faults
    assert (fault.stage, fault.number, fault.fault.code) == ("geometry", 1, "R010")
    kept = shader.run(points(6), uniforms={"c4": [3, 0, 0, 0], "b0": False}, budget=100, keep_faults=True)
    assert kept.faults == (fault,)


def test_a_vertex_that_stops_is_named_by_its_number():
    vertex = VERTEX.replace("mov opos", "cmp c9, lt, lt, position\njmpc cmp.x, again\nnop\nmov opos").replace(
        "    end", "end\nagain:\nnop\njmpu b0, again\njmpu !b0, again\nend"
    )
    shader = pipeline(send("v0", "v2", "v4"), vertex=vertex)
    with pytest.raises(lw.pica200.PipelineError, match="vertex 4 stopped") as error:
        shader.run(points(5), [4, 1, 2, 0, 1, 2], uniforms={"b0": True}, vertex_uniforms={"c9": [4, 4, 4, 4]}, budget=50)
    (fault,) = error.value.result.faults
    assert (fault.stage, fault.number) == ("vertex", 4)
    assert corners(error.value.result) == [[0, 2, 3], [1, 2, 3]]


def test_no_indices_no_primitives():
    result = pipeline(send("v0", "v2", "v4")).run(points(3), [])
    assert (result.triangles, result.outputs["position"].shape, result.left_over) == (0, (0, 3, 4), 0)
    assert lw.pica200.Pipeline(lw.assemble(VERTEX).vertex).run(points(3), []).outputs["position"].shape == (0, 3, 4)


@pytest.mark.parametrize("mode", ["point c0", "variable c20 2", "fixed c20 c8 3"])
def test_files_run_as_their_sources_do(mode: str, tmp_path: Path):
    first = {"point c0": "v0", "variable c20 2": "c1", "fixed c20 c8 3": "c8"}[mode]
    body = send(first, first, first, clr=first)
    source = f".gsh {mode}\n.entry gmain\n.out pos position\n.out clr color\n.proc gmain\n{body}\nend\n.end\n"
    file = assemble_texts([("a.v.pica", VERTEX), ("b.g.pica", source)])
    (tmp_path / "both.shbin").write_bytes(file.to_bytes())
    indices = [3, 0, 1, 2, 3, 2, 1, 0]
    expected = file.pipeline.run(points(4), indices)
    found = lw.load(tmp_path / "both.shbin").pipeline.run({"v0": points(4)["position"], "v1": 1}, indices)
    assert corners(found) == corners(expected)
    assert found.triangles == (8 if mode == "point c0" else 2)  # one vertex is all that the first one reads


# Cutting and putting together


def test_chunks():
    def cut(chunks: Chunks | int) -> Any:
        return chunks if isinstance(chunks, int) else (chunks.vertices(chunks.runs), chunks.left_over)

    assert cut(chunks_of(np.array([5, 6, 7, 8]), 3)) == ([(5, 6, 7)], 1)
    assert cut(counted_chunks(np.array([2, 5, 6, 1, 7]))) == ([(5, 6), (7,)], 0)
    assert cut(counted_chunks(np.array([2, 5, 6, 3, 7]))) == ([(5, 6)], 1)
    assert cut(counted_chunks(np.array([1, 5, 0, 2]))) == 2
    assert [float_count(mode, 4, 3, 2) for mode in range(3)] == [0, 1 + 2 * 3 + 2, 12]


@pytest.mark.parametrize(
    ("count", "topology", "triangles", "left_over"),
    [
        (7, "triangles", [[0, 1, 2], [3, 4, 5]], 1),
        (5, "strip", [[0, 1, 2], [2, 1, 3], [2, 3, 4]], 0),
        (5, "fan", [[0, 1, 2], [0, 2, 3], [0, 3, 4]], 0),
        (2, "strip", [], 2),
        (0, "geometry", [], 0),
    ],
)
def test_assembly(count: int, topology: str, triangles: list[list[int]], left_over: int):
    found = assemble(count, topology)
    assert found.corners.tolist() == triangles
    assert found.left_over == left_over


def test_the_format_is_the_profiles():
    result = pipeline(send("v0", "v2", "v4")).run(points(3), profile="azahar")
    assert corners(result) == [[1, 2, 3]]
    assert result.bits["position"][0, 0, 0] == 0x3F800000
    assert float_from_float24(0x3F0000) == 1
