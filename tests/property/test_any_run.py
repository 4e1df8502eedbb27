"""Any words as a geometry shader: the trace of a run ends as the run does, prints, and explains what was emitted."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lanewise as lw
from effort import examples
from engines.shaders import word
from lanewise.pica200.api.shader import Shader
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.isa.program import Constant, Interface, Output, Program
from lanewise.pica200.isa.table import OPS
from lanewise.pica200.sem.profile import PRESETS, profiles

VERTEX = lw.assemble(".out p position\n.out c color\n.in a\n.in b\n.proc main\nmov p, a\nmov c, b\nend\n.end\n").vertex
_COMPUTING = [op for op in OPS if op.source_count and op.name != ".word"]
_EMITS = st.tuples(st.integers(0, 3), st.integers(0, 3)).map(
    lambda drawn: word("setemit", vertex=drawn[0], primitive=drawn[1] & 1, winding=drawn[1] >> 1)
)
_WORDS = st.one_of(
    st.just(word("emit")),
    _EMITS,
    st.tuples(st.sampled_from(_COMPUTING), st.integers(0, 2**32 - 1)).map(
        # descriptors 0-3, and destinations o0 or r0-r15 more often than o9
        lambda drawn: drawn[1] & ~drawn[0].match[0] & ~0x7C | drawn[0].match[1]
    ),
    st.integers(0, 2**32 - 1),
)
_DESCRIPTORS = st.lists(st.integers(0, 2**32 - 1), min_size=4, max_size=4)


def pipeline_of(words: list[int], descriptors: list[int], mode: int) -> lw.pica200.Pipeline:
    constants = (Constant(0x88, (1,)), Constant(0x80, (2, 3, 1)), Constant(0x7F, (0x3F0000,) * 4))
    interface = Interface(
        name="any",
        geometry=True,
        outputs=(Output(semantic=0, register=0), Output(semantic=2, register=1)),
        constants=constants,
        geometry_mode=mode,
        array_start=4,
        vertex_count=2,
    )
    return lw.pica200.Pipeline(
        VERTEX,
        Shader(
            "any",
            Program(operations=lift(words, descriptors), interfaces=(interface,), labels={}),
            interface,
            words,
            descriptors,
        ),
    )


@pytest.mark.parametrize("preset", [*PRESETS, "cleared"])
@examples(12, 300)
@given(
    st.lists(_WORDS, min_size=1, max_size=14),
    _DESCRIPTORS,
    st.sampled_from(["point", "point", "variable", "fixed"]),
    st.integers(0, 2),
)
def test_any_words(preset: str, words: list[int], descriptors: list[int], mode: str, number: int):
    profile = (
        profiles["hardware"].replace(keep_registers_between_invocations="cleared") if preset == "cleared" else profiles[preset]
    )
    drawn = pipeline_of([*words, word("end")], descriptors, ["point", "variable", "fixed"].index(mode))
    inputs = {"a": [[1, 2], [3, 4], [5, 6], [7, 8]], "b": [0.5, -0.25, 2, 1]}
    indices = {"point": [0, 1, 2, 3, 3, 1] * 4, "variable": [2, 0, 1, 3, 3, 2, 1, 2, 1, 3], "fixed": [0, 1, 2, 3, 3, 1]}[mode]
    uniforms: dict[str, Any] = {f"c{n}": [n, -n, 0.25, 1] for n in range(95)}
    uniforms |= {f"i{n}": (number, n, 1, 0) for n in range(1, 4)} | {f"b{n}": n % 2 for n in range(1, 15)}
    options: dict[str, Any] = {"geometry_uniforms": uniforms, "budget": 40, "profile": profile}
    options |= {"vertices_per_primitive": 8} if mode == "point" else {}
    try:
        result = drawn.run(inputs, indices, keep_faults=True, **options)
    except lw.InputError:
        assert mode != "point"  # the others have nothing in v registers
        return
    drawn.warnings(result)
    trace = drawn.trace(inputs, indices, number=number, **options)
    assert trace.run is not None
    rows = [row for row in range(result.triangles) if result.runs[row] == number]
    assert len(rows) == len(trace.run.primitives)
    for row, sent in zip(rows, trace.run.primitives, strict=True):
        assert sent.record.primitive is not None
        order = (1, 0, 2) if sent.record.emission.invert and profile.winding_swap == "first" else (2, 1, 0)
        order = order if sent.record.emission.invert else (0, 1, 2)
        assert [list(sent.record.primitive[place].outputs[0]) for place in order] == result.bits["o0"][row].tolist()
    faults = [fault.fault for fault in result.faults if (fault.stage, fault.number) == ("geometry", number)]
    assert faults == ([trace.fault] if trace.fault else [])
    assert trace.text().count("\nstep ") == len(trace)
    trace.table()
    json.dumps(trace.to_json(), allow_nan=False)
    for vertex in trace.run.emitted[:4]:
        explanation = trace.explain(f"color.y@{vertex.number}")
        assert explanation.text()
        json.dumps(explanation.to_json(), allow_nan=False)


_STRAIGHT = st.lists(
    st.one_of(
        st.just(word("emit")),
        st.just(word("setemit")),
        st.tuples(st.sampled_from(_COMPUTING), st.integers(0, 2**32 - 1)).map(
            lambda drawn: drawn[1] & ~drawn[0].match[0] & ~0x7C | drawn[0].match[1]
        ),
    ),
    min_size=2,
    max_size=20,
)


@examples(25, 700)
@given(_STRAIGHT, _DESCRIPTORS)
def test_what_explain_leaves_out_does_not_matter(words: list[int], descriptors: list[int]):
    """Other values in the v registers that are not among the given ones leave an emitted component as it was, across the
    banks."""
    drawn = pipeline_of([*words, word("emit"), word("end")], [value | 1 << 3 for value in descriptors], 0)
    uniforms: dict[str, Any] = {f"c{n}": [n / 4, 1 - n, 0.25, 3] for n in range(95)}
    rows = [[n / 2, -n, n + 0.25, 2.0] for n in range(16)]

    def traced(values: list[list[float]]) -> Any:
        data = {"a": values[0::2], "b": values[1::2]}
        return drawn.trace(data, geometry_uniforms=uniforms, vertices_per_primitive=8)

    before = traced(rows)
    for number in range(len(before.run.emitted)):
        explanation = before.explain(f"o0.x@{number}")
        kept = {str(cell) for cell in explanation.origins.given}
        changed = [
            [value if f"v{n}.{letter}" in kept else 77.5 for letter, value in zip("xyzw", row, strict=True)]
            for n, row in enumerate(rows)
        ]
        assert traced(changed).explain(f"o0.x@{number}").word == explanation.word
