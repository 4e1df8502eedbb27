"""Any words can be traced, under any preset: the trace ends as the run does, and everything it can print is printed."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from effort import examples
from lanewise.pica200.api.shader import Shader
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.isa.program import Constant, Interface, Output, Program
from lanewise.pica200.isa.table import OPS
from lanewise.pica200.sem.profile import PRESETS, profiles

# An opcode that exists, with small targets so that the flow stays inside now and then; and words as they come.
_WORDS = st.one_of(
    st.integers(0, 2**32 - 1),
    st.tuples(st.sampled_from(OPS), st.integers(0, 2**32 - 1)).map(
        lambda drawn: drawn[1] & ~drawn[0].match[0] & ~0x003F0000 & ~0x0000E07E | drawn[0].match[1]
    ),
)
_WRAPPED = ("past_end", "wrap"), ("index_files", "added"), ("initial_state", "kept"), ("unknown_words", "nothing")


def shader_of(words: list[int], descriptors: list[int]) -> Shader:
    constants = (Constant(0x88, (1,)), Constant(0x80, (2, 3, 1)), Constant(0x7F, (0x3F0000,) * 4))
    interface = Interface(name="any", outputs=(Output(semantic=0, register=0),), constants=constants)
    return Shader(
        "any", Program(operations=lift(words, descriptors), interfaces=(interface,), labels={}), interface, words, descriptors
    )


@pytest.mark.parametrize("preset", [*PRESETS, "other"])
@examples(10, 400)
@given(
    st.lists(_WORDS, min_size=1, max_size=12), st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=4), st.integers(0, 255)
)
@example([0x88000000], [0], 0)
@example([0xA7FFFFFF] * 9, [0xF], 3)
def test_any_words(preset: str, words: list[int], descriptors: list[int], number: int):
    profile = profiles["hardware"].replace(**dict(_WRAPPED)) if preset == "other" else profiles[preset]
    shader = shader_of(words, descriptors)
    inputs = {f"v{n}": [n / 2, -n, 1e30, number] for n in range(16)}
    uniforms: dict[str, Any] = {f"c{n}": [n, -n, 0.25, number] for n in range(95)}
    uniforms |= {f"i{n}": (number % 5, n, number, 0) for n in range(1, 4)} | {f"b{n}": number >> n & 1 for n in range(1, 8)}
    uniforms |= {f"b{n}": False for n in range(8, 16)}
    trace = shader.trace(inputs, uniforms, budget=60, profile=profile)
    result = shader.run(inputs, uniforms, budget=60, profile=profile, keep_faults=True)
    assert list(trace.outputs.outputs[0]) == result.bits["o0"][0].tolist()
    assert [fault for _, fault in result.faults] == ([trace.fault] if trace.fault else [])
    assert len(trace) == trace.outputs.steps
    assert trace.text().count("\nstep ") == len(trace)
    assert len(trace.table().splitlines()) == 1 + len(trace) + (trace.fault is not None)
    json.dumps(trace.to_json(), allow_nan=False)
    for letter in "xyzw":
        explanation = trace.explain(f"position.{letter}")
        assert explanation.text()
        json.dumps(explanation.to_json(), allow_nan=False)
    shader.warnings(result)


_COMPUTING = [op for op in OPS if op.source_count and op.name != ".word"]
_ARITHMETIC = st.tuples(st.sampled_from(_COMPUTING), st.integers(0, 2**32 - 1)).map(
    # descriptors 0-3, and destinations o0 or r0-r15 more often than o9
    lambda drawn: drawn[1] & ~drawn[0].match[0] & ~0x7C | drawn[0].match[1]
)


@examples(24, 1200)
@given(st.lists(_ARITHMETIC, min_size=1, max_size=20), st.lists(st.integers(0, 2**32 - 1), min_size=4, max_size=4), st.data())
def test_what_explain_leaves_out_does_not_matter(words: list[int], descriptors: list[int], data: st.DataObject):
    """A component of an input that is not among the given ones can be anything, and the output stays as it was."""
    shader = shader_of([*words, 0x88000000], [value | 1 << 3 for value in descriptors])
    uniforms: dict[str, Any] = {f"c{n}": [n / 4, 1 - n, 0.25, 3] for n in range(95)}
    inputs = [[n / 2, -n, n + 0.25, 2.0] for n in range(16)]
    before = shader.trace({f"v{n}": row for n, row in enumerate(inputs)}, uniforms)
    wrote = [number for number, mask in enumerate(before.outputs.written) if mask & 8]
    number = data.draw(st.sampled_from(wrote or [0]))
    given_cells = {str(component) for component in before.explain(f"o{number}.x").origins.given}
    changed = [
        [value if f"v{n}.{letter}" in given_cells else 77.5 for letter, value in zip("xyzw", row, strict=True)]
        for n, row in enumerate(inputs)
    ]
    after = shader.trace({f"v{n}": row for n, row in enumerate(changed)}, uniforms)
    assert after.outputs.outputs[number][0] == before.outputs.outputs[number][0]
