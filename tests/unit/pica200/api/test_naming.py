"""Names of constants and aliases: data is given by them, and traces, explanations, graphs and failures show them."""

from __future__ import annotations

import numpy as np
import pytest

import lanewise as lw
from lanewise.core.diagnostics import InputError
from lanewise.graph.flow import BudgetExceeded
from lanewise.graph.text import as_text as text_of
from lanewise.pica200.api.expecting import report
from lanewise.pica200.api.picture import flow_picture

PICASSO = """.fvec mvp[4]
.alias inpos v0
.alias swapped v1.yxzw
.alias bones c20
.constf values(0.0, 1.0, -1.0, 0.1)
.alias ones values.yyyy
.alias sum r4
.alias again r4
.out outpos position
.proc main
    mov r1, r0
    add sum, ones, inpos ; again is not said here
    mul r2, values.z, sum.x
    add r2.x, bones[3].z, -again
    add r2, r2, swapped
    mov outpos, r4
    end
.end
"""
NIHSTRO = """.alias inpos v0
.alias sum r4
.alias one c95.x as (1.0)
.alias values c94 as (0.0, 1.0, -1.0, 0.1)
.alias outpos o0 as position
main:
    add sum, inpos, values.yyyy
    mov r2.x, one.x // sum
    mov outpos, sum
    end
"""
INPUTS = {"inpos": [[1, 2, 3]], "v1": [5, 6, 7]}


@pytest.fixture
def shader() -> lw.pica200.Shader:
    return lw.assemble(PICASSO, name="names.v.pica").vertex


def drawn(shader: lw.pica200.Shader) -> str:
    picture = flow_picture(shader)
    assert not isinstance(picture, BudgetExceeded)
    return text_of(picture)


def test_the_text_of_an_instruction_has_the_names_of_its_line(shader: lw.pica200.Shader):
    trace = shader.trace(INPUTS, {"bones": [[0] * 4] * 4})
    texts = [trace.instruction(step.pc) for step in trace.steps]
    assert texts[1:5] == [
        "add sum, ones, inpos",
        "mul r2, values.z, sum.x",
        "add r2.x, bones[3].z, -again",
        "add r2, r2, swapped",
    ]
    assert texts[0] == "mov r1, r0" and texts[5] == "mov outpos, r4"  # the lines say the registers


def test_what_a_step_reads_and_writes_has_names(shader: lw.pica200.Shader):
    text = shader.trace(INPUTS, {"bones": [[0] * 4] * 4}).text()
    assert "read   values.yyyy (c95) = 1, 1, 1, 1" in text
    assert "wrote  sum (r4) = 2, 3, 4, 2" in text
    assert "read   bones[3].z (c23) = 0" in text
    assert "read   -again.x (r4) = -2" in text
    assert "read   r4 = 2, 3, 4, 2" in text


def test_explanations_and_graphs_have_names(shader: lw.pica200.Shader):
    explained = shader.trace(INPUTS, {"bones": [[0] * 4] * 4}).explain("position.y").text()
    assert "constant values.y (c95) = 1" in explained and "input inpos.y (v0) = 2" in explained and "c95.y" not in explained
    assert "add sum, ones, inpos" in drawn(shader)


def test_failures_have_names(shader: lw.pica200.Shader):
    case = lw.Case(outputs={"position": [9, 9, 9, 9]}, inputs=INPUTS, uniforms={"bones": [[0] * 4] * 4})
    assert "add sum, ones, inpos" in report(shader, case, lw.mismatches(shader, case))


def test_the_line_is_beside_a_step_where_it_says_more():
    source = PICASSO.replace("mul r2, values.z, sum.x", "mul r2,  values.zzzz, sum.x").replace("mov r1, r0", "mov r1, v0[0]")
    trace = lw.assemble(source, name="names.v.pica").vertex.trace(INPUTS, {"bones": [[0] * 4] * 4})
    assert "    mov r1, inpos\n  line   mov r1, v0[0]\n" in trace.text()
    assert "line   mul" not in trace.text()  # only the components are spelled otherwise
    assert trace.table().splitlines()[0].endswith("line  source")


def test_names_of_nihstro_sources():
    shader = lw.assemble(NIHSTRO, name="names.vsh").vertex
    trace = shader.trace({"inpos": [[1, 2, 3]]})
    assert trace.instruction(trace.steps[0].pc) == "add sum, values.y, inpos"
    assert "read   values.yyyy (c94) = 1, 1, 1, 1" in trace.text() and "wrote  sum (r4) = 2, 3, 4, 2" in trace.text()
    assert trace.name("c95") == "c95"  # a name for one component is not that of the register
    assert shader.run({"inpos": [[1, 2, 3]]}, {"values": [0, 5, 0, 0]}).outputs["position"].tolist() == [[6, 7, 8, 6]]


def test_data_is_given_by_alias(shader: lw.pica200.Shader):
    found = shader.run(INPUTS, {"bones": [[1, 0, 0, 0]] * 4, "values": [0, 2, 0, 0]})
    assert np.array_equal(found.outputs["position"], [[3, 4, 5, 3]])
    by_register = shader.run({"v0": [[1, 2, 3]], "v1": 0}, {"c20": [[1, 0, 0, 0]] * 4, "c95": [0, 2, 0, 0]})
    assert np.array_equal(by_register.outputs["position"], found.outputs["position"])
    assert shader.run(INPUTS, {"bones[3]": [0, 0, 0]}).faults == ()
    assert [(binding.name, binding.register) for binding in shader.inputs] == [("inpos", "v0")]
    assert [(binding.name, binding.size) for binding in shader.uniforms] == [("mvp", 4), ("bones", 1)]


def test_an_alias_of_components_is_refused_with_its_register(shader: lw.pica200.Shader):
    with pytest.raises(InputError) as caught:
        shader.run({**INPUTS, "swapped": 1}, {"ones": 2})
    fixes = {finding.message: finding.fix for finding in caught.value.diagnostics}
    assert fixes == {
        "unknown input 'swapped'": "'swapped' is v1.yxzw, a part of a register: give v1",
        "unknown uniform 'ones'": "'ones' is c95.yyyy, a part of a register: give c95",
    }


def test_a_missing_input_is_named_by_its_alias(shader: lw.pica200.Shader):
    with pytest.raises(InputError) as caught:
        shader.run({"v1": 0}, {"bones": [[0] * 4] * 4})
    assert [finding.message for finding in caught.value.diagnostics] == ["no data for input inpos (v0): the shader reads it"]


def test_a_boolean_alias_is_known_to_graph():
    source = ".alias fancy b3\n.out o position\n.proc main\n    ifu fancy\n        mov o, v0\n    .end\n    end\n.end\n"
    shader = lw.assemble(source, name="b.v.pica").vertex
    assert "fancy?" in drawn(shader)
    assert shader.run({"v0": 1}, {"fancy": True}).outputs["position"].tolist() == [[1, 0, 0, 1]]
