"""`Shader.run`: what goes into which register, what comes out, and what is said about values that do not fit."""

import re
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.api import findings
from lanewise.core.numbers.floats import float24_from_float
from lanewise.pica200.engine import reads as reads_module
from lanewise.pica200.engine.reads import reads
from together import together

CODES = findings.findings()

COPY = """.fvec one
.fvec rows[4]
.ivec turns
.bool flags[2]
.constf half(0.5, 0.25, 0.0, 0.0)
.out outpos position
.out outclr color
.in place
.in tint
.proc main
    mov outpos, place
    mov outclr, tint
    end
.end
"""
READS = """.fvec a
.fvec table[4]
.ivec turns
.bool fancy
.out outpos position
.out outclr color.xyz
.in place
.proc main
    for turns
        add r1, table[aL], r1
    .end
    ifu fancy
        add r1, a, r1
    .end
    mov outpos, place
    mov outclr.xyz, r1
    end
.end
"""


def codes(error: pytest.ExceptionInfo[lw.InputError]) -> list[str]:
    found = [d.code for d in error.value.diagnostics]
    assert set(found) <= CODES.keys()
    return found


def message(error: pytest.ExceptionInfo[lw.InputError]) -> str:
    assert len(error.value.diagnostics) == 1, error.value
    return f"{error.value.diagnostics[0].message} {error.value.diagnostics[0].fix}"


def copied(value: Any, **options: Any) -> np.ndarray[Any, Any]:
    """What a shader sees of an input."""
    return lw.assemble(COPY).vertex.run({"place": value, "tint": 0}, **options).outputs["position"]


def seen(register: str, uniforms: dict[str, Any], declarations: str = "") -> list[float]:
    """What a shader sees of a float uniform."""
    source = f"{declarations}\n.out o position\n.proc main\nmov o, {register}\nend\n.end\n"
    return lw.assemble(source).vertex.run(uniforms=uniforms, defaults=0).outputs["position"][0].tolist()


# Inputs


@together(
    ("value", "rows"),
    [
        (2, [[2, 0, 0, 1]]),
        ([2], [[2, 0, 0, 1]]),
        ([2, 3], [[2, 3, 0, 1]]),
        ([1, 2, 3], [[1, 2, 3, 1]]),
        ([1, 2, 3, 4], [[1, 2, 3, 4]]),
        ([[1], [2]], [[1, 0, 0, 1], [2, 0, 0, 1]]),
        ([[1, 2], [3, 4]], [[1, 2, 0, 1], [3, 4, 0, 1]]),
        (np.eye(4, dtype=np.int8)[:2], [[1, 0, 0, 0], [0, 1, 0, 0]]),
        (np.array([[True, False]]), [[1, 0, 0, 1]]),
    ],
)
def test_shapes_of_inputs(value: Any, rows: list[list[float]]):
    assert copied(value).tolist() == rows


def test_one_vector_is_for_all_vertices():
    shader = lw.assemble(COPY).vertex
    result = shader.run({"place": [[1, 2], [3, 4], [5, 6]], "tint": [[7, 8, 9]]})
    assert result.lanes == 3
    assert result.outputs["color"].tolist() == [[7, 8, 9, 1]] * 3
    assert shader.run({"v0": [1, 2], "v1": [3, 4]}, count=5).outputs["position"].tolist() == [[1, 2, 0, 1]] * 5


def test_count_takes_the_first_vertices():
    assert copied([[1], [2], [3]], count=2)[:, 0].tolist() == [1, 2]
    assert copied([[1], [2], [3]], count=0).shape == (0, 4)
    assert copied(np.zeros((0, 3))).shape == (0, 4)
    for count in (4, -1, 1 << 40):
        with pytest.raises(lw.InputError) as error:
            copied([[1], [2], [3]], count=count)
        assert codes(error) == ["B008"]


def test_numbers_are_rounded_once_toward_zero():
    number = 1 + 2.0**-16 - 2.0**-40
    assert copied(np.array([[number]]))[0, 0] == 1.0
    assert copied(np.array([[number]]).astype(np.float32))[0, 0] == 1 + 2.0**-16
    assert copied([[np.nan, np.inf, 2.0**64, 2.0**-70]], keep_faults=True)[0].tolist()[1:] == [np.inf, np.inf, 2.0**-70]


def test_raw_words():
    words = np.array([[0x3F0001, 0x000001, 0xC00000]], np.uint32)
    shader = lw.assemble(COPY).vertex
    result = shader.run({"place": lw.Words(words), "tint": words})
    assert result.bits["position"].tolist() == [[0x3F0001, 0x000001, 0xC00000, 0x3F0000]]
    assert result.bits["position"].dtype == np.uint32
    assert result.bits["color"].tolist() == [[float24_from_float(number) for number in (0x3F0001, 1, 0xC00000, 1)]]
    assert seen("c0", {"c0": lw.Words(np.array([0x400000]))}) == [2, 0, 0, 0]
    for bad, code in (([0x1000000], "B007"), ([-1], "B007"), ([1.0], "B003")):
        with pytest.raises(lw.InputError) as error:
            shader.run({"place": lw.Words(np.array([bad])), "tint": 0})
        assert codes(error) == [code]
    assert repr(lw.Words(words)) == "Words(shape=(1, 3))"


@pytest.mark.parametrize(
    ("value", "code", "says"),
    [
        (np.zeros((2, 5)), "B002", r"shape \(2, 5\), expected \(vertices, 1 to 4\)"),
        (np.zeros((2, 0)), "B002", r"shape \(2, 0\)"),
        (np.zeros((2, 2, 2)), "B002", r"shape \(2, 2, 2\)"),
        ([[1, 2], [3]], "B003", "not an array of numbers"),
        ("abc", "B003", "is text"),
        ([[1j]], "B003", "complex"),
        ([[None]], "B003", "has no value in row 0"),
    ],
)
def test_inputs_that_do_not_fit(value: Any, code: str, says: str):
    with pytest.raises(lw.InputError) as error:
        copied(value)
    assert codes(error) == [code]
    assert "'place'" in message(error)
    assert re.search(says, message(error))


def test_inputs_of_different_lengths():
    with pytest.raises(lw.InputError) as error:
        lw.assemble(COPY).vertex.run({"place": np.zeros((3, 3)), "tint": np.zeros((4, 3))})
    assert codes(error) == ["B008"]
    assert "place has 3, tint has 4" in message(error)


def test_names_that_are_not_there():
    shader = lw.assemble(COPY).vertex
    with pytest.raises(lw.InputError) as error:
        shader.run({"plaec": 1, "TINT": 1, "v16": 1, "c0": 1}, {"row": 1, "c96": 1, "i4": 1, "b16": 1, "v0": 1, "rows[4]": 1})
    assert codes(error) == ["B001"] * 10
    text = str(error.value)
    assert "unknown input 'plaec'" in text
    assert "did you mean place?" in text
    assert "did you mean tint?" in text
    assert "did you mean rows?" in text
    assert "its registers are rows[0] to rows[3]" in text
    bare = lw.assemble(".out o position\n.proc main\nmov o, v0\nend\n.end\n", compatible=True).vertex
    with pytest.raises(lw.InputError, match="that the program reads, v0: the file names none"):
        bare.run({"position": 1})


def test_one_register_under_two_names():
    shader = lw.assemble(COPY).vertex
    with pytest.raises(lw.InputError) as error:
        shader.run({"place": 1, "v0": 2, "tint": 1}, {"rows": np.eye(4), "rows[1]": 1, "c4": [1, 2]})
    assert codes(error) == ["B006"] * 3
    assert "'place' and 'v0' are both v0" in str(error.value)
    assert "'rows' and 'rows[1]' both give c2" in str(error.value)


def test_an_input_without_data_is_named():
    with pytest.raises(lw.InputError) as error:
        lw.assemble(COPY).vertex.run({"place": 1})
    assert codes(error) == ["B004"]
    assert "tint (v1)" in message(error)
    assert error.value.diagnostics[0].span.line == 12
    with pytest.raises(lw.InputError) as error:
        lw.assemble(".out o position\n.proc main\nmov o, v7\nend\n.end\n").vertex.run()
    assert "v7, which has no name" in message(error)


def test_an_input_that_is_never_read_may_be_left_out():
    source = COPY.replace("mov outclr, tint", "mov outclr, place")
    assert lw.assemble(source).vertex.run({"place": 3}).outputs["color"].tolist() == [[3, 0, 0, 1]]


# Uniforms


@together(
    ("register", "given", "expected"),
    [
        ("c0", {"one": 3}, [3, 0, 0, 0]),
        ("c0", {"one": [3, 4]}, [3, 4, 0, 0]),
        ("c0", {"one": [[3, 4, 5]]}, [3, 4, 5, 0]),
        ("c0", {"one[0]": [3, 4, 5, 6]}, [3, 4, 5, 6]),
        ("c0", {"C0": [3, 4, 5, 6]}, [3, 4, 5, 6]),
        ("c3", {"rows": np.arange(16).reshape(4, 4)}, [8, 9, 10, 11]),
        ("c3", {"rows": np.arange(16)}, [8, 9, 10, 11]),
        ("c3", {"rows": np.arange(12).reshape(4, 3)}, [6, 7, 8, 0]),
        ("c1", {"rows": [[1, 2]]}, [1, 2, 0, 0]),
        ("c4", {"rows[3]": [5]}, [5, 0, 0, 0]),
        ("c9", {"c8": np.arange(8)}, [4, 5, 6, 7]),
        ("c9", {"c8": [[1], [2]]}, [2, 0, 0, 0]),
        ("c95", {"c95": 7}, [7, 0, 0, 0]),
    ],
)
def test_float_uniforms(register: str, given: dict[str, Any], expected: list[float]):
    assert seen(register, given, ".fvec one\n.fvec rows[4]") == expected


@together(
    ("given", "code", "says"),
    [
        ({"one": np.zeros(5)}, "B002", r"'one' \(c0\) has shape \(5,\), expected 1 to 4 numbers"),
        ({"one": np.zeros((2, 4))}, "B002", "expected at most 1 row, got 2"),
        ({"one": np.zeros((1, 5))}, "B002", r"\(1, 5\)"),
        ({"one": []}, "B002", r"\(0,\)"),
        ({"rows": 3}, "B002", r"'rows' \(c1-c4\) has shape \(\), expected \(4, 1 to 4\) or 16 numbers"),
        ({"rows": [1, 2, 3, 4]}, "B002", "or 16 numbers"),
        ({"rows": np.zeros((5, 4))}, "B002", "at most 4 rows, got 5"),
        ({"c94": np.zeros((3, 4))}, "B002", "has 3 rows, which extend past c95"),
        ({"one": "x"}, "B003", "text"),
        ({"turns": [1, 2]}, "B002", "expected 3 or 4 integers"),
        ({"turns": [1, 2, 256]}, "B007", "0 to 255"),
        ({"turns": [1, 2, -1]}, "B007", "unsigned"),
        ({"turns": [1, 2, 0.5]}, "B007", "0.5"),
        ({"turns": [1, 2, np.nan]}, "B007", "nan"),
        ({"turns": [[1, 2, 3], [1, 2, 3]]}, "B002", "at most 1 row,"),
        ({"turns": lw.Words(np.array([1, 2, 3]))}, "B003", "not hold float24 words"),
        ({"flags": 2}, "B003", "true, false"),
        ({"flags": [True, False, True]}, "B002", "at most 2 rows"),
        ({"flags": [[True]]}, "B002", "one boolean"),
    ],
)
def test_uniforms_that_do_not_fit(given: dict[str, Any], code: str, says: str):
    with pytest.raises(lw.InputError) as error:
        lw.assemble(COPY).vertex.run({"place": 1, "tint": 1}, given)
    assert codes(error) == [code]
    assert re.search(says, message(error))


def test_values_go_before_constants_of_the_file():
    constants = ".constf half(0.5, 0.25, 0.125, 2.0)"
    assert seen("half", {}, constants) == [0.5, 0.25, 0.125, 2]
    assert seen("half", {"c95": [1, 2]}, constants) == [1, 2, 0.125, 2]
    shader = lw.assemble(f"{constants}\n.out o position\n.proc main\nmov o, half\nend\n.end\n").vertex
    assert shader.run(uniforms={"c95": [1, 2, 3]}).outputs["position"].tolist() == [[1, 2, 3, 2]], "nothing is missing"


def test_loops_and_booleans():
    shader = lw.assemble(READS).vertex
    table = np.diag([1, 2, 4, 8])
    given = {"a": [100, 100, 100, 0], "table": table}
    run = shader.run
    assert run({"place": 0}, given | {"turns": (2, 1, 1), "fancy": True}).outputs["color"].tolist() == [[100, 102, 104]]
    assert run({"place": 0}, given | {"turns": [[1.0, 0, 2, 9]], "fancy": 0}).outputs["color"].tolist() == [[1, 0, 4]]
    assert run({"place": 0}, given | {"i0": [0, 3, 1], "b0": [False]}).outputs["color"].tolist() == [[0, 0, 0]]


def test_uniforms_without_a_value_are_all_named():
    shader = lw.assemble(READS).vertex
    with pytest.raises(lw.InputError) as error:
        shader.run({"place": 0})
    assert codes(error) == ["B005"] * 4
    found = [re.search(r"uniform (.*)", d.message) for d in error.value.diagnostics]
    assert [match[1] for match in found if match] == ["a (c0)", "table (c1-c4)", "turns (i0)", "fancy (b0)"]
    assert [d.span.line for d in error.value.diagnostics] == [13, 10, 9, 12]
    fixes = [d.fix.partition(";")[0] for d in error.value.diagnostics]
    assert fixes == [
        "give `--uniform a=...` (uniforms={'a': ...}): 4 numbers",
        "give `--uniform table=...` (uniforms={'table': ...}): 4 rows of 4 numbers",
        "give `--uniform turns=...` (uniforms={'turns': ...}): 3 bytes",
        "give `--uniform fancy=...` (uniforms={'fancy': ...}): true or false",
    ]


def test_what_is_missing_of_one_name_is_one_finding():
    """So are registers without a name that follow each other; those of another file do not."""
    reads = "".join(f"add r0, {name}, r0\n" for name in ("m[0]", "m[1]", "m[3]", "c20", "c21", "c30", "c95"))
    text = f".fvec m[4]\n.out o position\n.proc main\nmov r0, m[2]\n{reads}ifu b0\nnop\n.end\nmov o, r0\nend\n.end\n"
    with pytest.raises(lw.InputError) as error:
        lw.assemble(text).vertex.run(uniforms={"m[2]": [1, 2, 3, 4]})
    found = [d.message.removeprefix("no value for uniform ") for d in error.value.diagnostics]
    assert found == [
        "m[0-1, 3] (c0-c1, c3)",
        "c20-c21, which have no name",
        "c30, which has no name",
        "c95, which has no name",
        "b0, which has no name",
    ]
    assert [d.span.line for d in error.value.diagnostics] == [5, 8, 10, 11, 12]
    assert "(uniforms={'c20': ...}): 2 rows" in error.value.diagnostics[1].fix


def test_a_branch_that_a_boolean_rules_out_needs_nothing():
    given = {"table": np.eye(4), "turns": (0, 0, 0)}
    assert lw.assemble(READS).vertex.run({"place": 0}, given | {"fancy": False}).faults == ()
    with pytest.raises(lw.InputError) as error:
        lw.assemble(READS).vertex.run({"place": 0}, given | {"fancy": True})
    assert "uniform a (c0)" in message(error)


def test_an_else_part_that_a_boolean_rules_out_needs_nothing():
    source = (
        ".fvec a, b\n.bool c\n.out o position\n.proc main\nifu c\nmov r0, a\n.else\nmov r0, b\n.end\nmov o, r0\nend\n.end\n"
    )
    run = lw.assemble(source).vertex.run
    assert run(uniforms={"a": [3, 0, 0, 1], "c": True}).outputs["position"].tolist() == [[3, 0, 0, 1]]
    assert run(uniforms={"b": [4, 0, 0, 1], "c": False}).outputs["position"].tolist() == [[4, 0, 0, 1]]
    with pytest.raises(lw.InputError) as error:
        run(uniforms={"a": 3, "c": False})
    assert "uniform b (c1)" in message(error)


def test_an_indexed_array_needs_what_its_loop_reads_and_what_is_read_by_name():
    given = {"turns": (0, 3, 0), "fancy": False}
    lw.assemble(READS).vertex.run({"place": 0}, given | {"table[3]": [1, 0, 0, 0]})
    source = READS.replace("ifu fancy", "add r1, table[2], r1\nifu fancy")
    with pytest.raises(lw.InputError) as error:
        lw.assemble(source).vertex.run({"place": 0}, given | {"table[3]": [1, 0, 0, 0]})
    assert "uniform table[2] (c3)" in message(error)
    assert "`--uniform table[2]=...` (uniforms={'table[2]': ...}): 4 numbers;" in message(error)


def test_code_of_other_procedures_needs_nothing():
    source = """.fvec used
.fvec unused
.out o position
.proc main
    call helper
    end
.end
.proc helper
    mov o, used
.end
.proc never
    mov r0, unused
    end
.end
"""
    assert lw.assemble(source).vertex.run(uniforms={"used": [4, 0, 0, 1]}).outputs["position"].tolist() == [[4, 0, 0, 1]]


def test_programs_of_too_many_states_are_taken_by_addresses(monkeypatch: pytest.MonkeyPatch):
    shader = lw.assemble(READS).vertex
    exact = reads(shader.words, shader.descriptors, 0, {})
    monkeypatch.setattr(reads_module, "MOST_STATES", 3)
    rough = reads(shader.words, shader.descriptors, 0, {})
    assert exact.direct.keys() == rough.direct.keys() == {0, 0x20, 0x80, 0x88}
    assert exact.relative == rough.relative == {0x21: 1}
    assert exact.outputs == rough.outputs == {0, 1}


# Results


def test_outputs_by_semantic_register_and_name():
    source = """.out outpos position
.out outtex texcoord0 o3.zw
.out first color o1.xy
.out second color o2.w
.in place
.proc main
    mov outpos, place
    mov outtex, place
    mov first, place
    mov second, place
    mov o9.yz, place
    end
.end
"""
    result = lw.assemble(source).vertex.run({"place": [[1, 2, 3, 4], [5, 6, 7, 8]]})
    outputs = result.outputs
    assert list(outputs) == ["position", "texcoord0", "color", "color_2", "o9"]
    assert len(outputs) == 5
    assert outputs["position"].dtype == np.float32
    assert outputs["texcoord0"].tolist() == outputs["outtex"].tolist() == [[3, 4], [7, 8]]
    assert outputs["color"].tolist() == [[1, 2], [5, 6]]
    assert outputs["color_2"].tolist() == [[4], [8]]
    assert outputs["o3"].tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert outputs["o9"].tolist() == [[0, 2, 3, 0], [0, 6, 7, 0]]
    assert result.written["o9"].tolist() == [[False, True, True, False]] * 2
    assert result.written["position"].all()
    assert result.bits["color_2"].tolist() == [[float24_from_float(4)], [float24_from_float(8)]]
    assert "o9" in outputs
    assert "o8" not in outputs
    assert "position" in repr(outputs)
    with pytest.raises(KeyError, match="unknown output 'positon': did you mean position"):
        outputs["positon"]
    with pytest.raises(KeyError, match="there are position, texcoord0"):
        outputs["zzz"]


def test_an_output_that_is_not_written_is_zero():
    source = (
        ".out a position\n.out b color\n.in place\n.bool c\n.proc main\nmov a, place\nifu c\nmov b, place\n.end\nend\n.end\n"
    )
    result = lw.assemble(source).vertex.run({"place": 3}, {"c": False})
    assert result.outputs["color"].tolist() == [[0, 0, 0, 0]]
    assert not result.written["color"].any()


ENDLESS = """.in place
.out outpos position
.out outclr color
.constf zeros(0.0, 0.0, 0.0, 0.0)
.proc main
    mov outpos, place
again:
    mov r0, zeros
    cmp r0, lt, lt, place
    jmpc cmp.x, again
    mov outclr, place
    end
.end
"""


def test_vertices_that_never_end_are_named_and_the_others_are_there():
    shader = lw.assemble(ENDLESS, name="spin.v.pica").vertex
    data = [[0], [1], [-2], [3]]
    with pytest.raises(lw.pica200.RunError) as error:
        shader.run({"place": data}, budget=100)
    result = error.value.result
    assert [(lane, fault.code, fault.step) for lane, fault in result.faults] == [(1, "R010", 7), (3, "R010", 7)]
    assert result.outputs["color"][:, 0].tolist() == [0, 0, -2, 0]
    assert result.outputs["position"][:, 0].tolist() == [0, 0, -2, 0]
    assert not result.written["position"][[1, 3]].any()
    assert [d.code for d in error.value.diagnostics] == ["R010"]
    text = str(error.value)
    assert "2 vertices (1, 3) stopped" in text
    assert shader.describe_faults(result.faults[::-1])[0].message == error.value.diagnostics[0].message
    assert "spin.v.pica:" in text
    assert shader.run({"place": data}, budget=100, keep_faults=True).faults == result.faults
    assert shader.run({"place": [[-1]]}, budget=7).faults == ()


HANGING = """.out outpos position
.ivec turns
.in place
.proc main
    mov outpos, place
    cmp place, lt, lt, place.yyyy
    call deep
    end
.end
.proc deep
    for turns
        ifc cmp.x
again:
            jmpc cmp.x, again
            nop
        .end
        nop
    .end
.end
"""


def test_a_hang_says_where_it_was_and_changes_no_other_vertex():
    shader = lw.assemble(HANGING, name="hang.v.pica").vertex
    data = np.array([[2, 1], [1, 2], [4, 3], [5, 6]], np.float32)
    with pytest.raises(lw.pica200.RunError) as error:
        shader.run({"place": data}, {"turns": [3, 0, 1]}, budget=200)
    result = error.value.result
    (finding,) = error.value.diagnostics
    assert [lane for lane, _ in result.faults] == [1, 3]
    assert {fault.step for _, fault in result.faults} == {7}
    assert (finding.code, finding.span.file, finding.span.line) == ("R010", "hang.v.pica", 14)
    pc = result.faults[0].fault.pc
    for part in ("2 vertices (1, 3)", f"at word {pc}", "after 7 steps", "CALL until", "IF until", "LOOP of i0 from"):
        assert part in finding.message
    alone = shader.run({"place": data[[0, 2]]}, {"turns": [3, 0, 1]}, budget=200)
    assert alone.faults == ()
    for key in alone.bits:
        assert np.array_equal(result.bits[key][[0, 2]], alone.bits[key])
        assert np.array_equal(result.written[key][[0, 2]], alone.written[key])


def test_where_lanes_stop_at_one_place_in_several_ways_the_first_is_named():
    """Vertex 2 comes to the break through a call, vertices 0 and 1 past it: the message is that of the first of them."""
    text = """.out o position\n.in a\n.proc main\nmov o, a\ncmp a, gt, gt, a.yyyy\nifc cmp.x\ncall far\n.end\njmpc !cmp.x, \
there\nnop\nend
.end\n.proc far\nnop\nthere:\nbreak\nend\n.end\n"""
    with pytest.raises(lw.pica200.RunError) as error:
        lw.assemble(text).vertex.run({"a": [[0, 1], [0, 2], [1, 0]]})
    (finding,) = error.value.diagnostics
    assert finding.message.startswith("3 vertices (0, 1, 2) stopped: break outside a loop at word ")
    assert "no active CALL" in finding.message
    assert finding.notes == ("steps and rings are those of vertex 0",)
    last = error.value.result.faults[2].fault
    assert "CALL until" in last.message
    with pytest.raises(lw.pica200.RunError) as error:
        lw.assemble(text).vertex.run({"a": [[0, 1], [0, 2]]})
    assert error.value.diagnostics[0].notes == ()


def test_every_fault_says_after_how_many_steps():
    shader = lw.assemble(".out outpos position\n.in a\n.proc main\nmov outpos, a\nbreak\nend\n.end\n").vertex
    with pytest.raises(
        lw.pica200.RunError, match="vertex 0 stopped: break outside a loop at word 1: after 1 step; no active CALL"
    ):
        shader.run({"a": [1]})


def test_progress_counts_vertices():
    calls: list[tuple[int, int]] = []
    lw.assemble(COPY).vertex.run(
        {"place": np.zeros((600, 3)), "tint": 0}, progress=lambda done, total: calls.append((done, total))
    )
    assert calls == [(0, 600), (256, 600), (512, 600)]


def test_lanes_on_both_sides_of_a_block_get_their_own_data():
    data = np.arange(600 * 3).reshape(600, 3)
    assert np.array_equal(copied(data)[:, :3], data)


def test_geometry_shaders_are_refused():
    shader = lw.assemble(".gsh point c0\n.out o position\n.proc main\nmov o, v0\nend\n.end\n").only("geometry")
    with pytest.raises(lw.InputError) as error:
        shader.run()
    assert codes(error) == ["B009"]


def test_an_entry_outside_the_code_is_refused():
    data = bytearray(lw.assemble(COPY).to_bytes())
    dvle = data.find(b"DVLE")
    data[dvle + 8 : dvle + 12] = (1000).to_bytes(4, "little")
    shader = read(bytes(data))
    with pytest.raises(lw.InputError) as error:
        shader.run({"v0": 1, "v1": 1})
    assert codes(error) == ["C012"]
    assert "word 1000" in message(error)


def read(data: bytes) -> lw.pica200.Shader:
    from lanewise.pica200.api.file import read_file

    return read_file(data, "made.shbin").vertex


def test_binding_by_names_of_a_file_with_points_in_them():
    shader = lw.assemble(".fvec a$b\n.out o position\n.proc main\nmov o, a$b\nend\n.end\n")
    for one in (shader.vertex, read(shader.to_bytes())):
        for name in ("a$b", "a.b"):
            assert one.run(uniforms={name: [5, 0, 0, 1]}).outputs["position"].tolist() == [[5, 0, 0, 1]]


def test_describing_oneself():
    file = lw.assemble(COPY)
    assert repr(file) == "<ShaderFile <string>: <string> (vertex)>"
    assert repr(file.vertex) == "<Shader <string>: vertex, 2 inputs, 4 uniforms, 2 outputs>"
