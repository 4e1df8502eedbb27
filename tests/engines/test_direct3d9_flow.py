"""Direct3D 9 shaders on both engines: flow, predication, addresses, aliasing, what is written and what is not. Results are
worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from direct3d9_runs import close, row, run, shader_of
from lanewise.arrays.words import Words
from lanewise.core.diagnostics import InputError
from lanewise.direct3d9.sem.numbers import rule_of
from together import together


def codes(source: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        _ = shader_of(source).flow
    return [finding.code for finding in caught.value.diagnostics]


# Sources and destinations


def test_sources_are_read_before_anything_is_written():
    text = "vs_2_0\ndcl_position v0\nmov r0, v0\nmul r0.xy, r0.yx, r0.x\nmov oPos, r0\n"
    assert row(text, {"position": [3, 5, 7, 9]}) == [15, 9, 7, 9]
    text = "vs_2_0\ndcl_position v0\nmov r0, v0\ncrs r0.xyz, r0, c0\nmov oPos, r0\n"
    assert row(text, {"position": [1, 2, 3, 4]}, uniforms={"c0": [4, 5, 6]}) == [-3, 6, -3, 4]


def test_swizzle_then_abs_then_negation():
    text = "vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, -v0_abs.wzyx\n"
    assert row(text, {"position": [1, -2, 3, -4]}) == [-4, -3, -2, -1]


def test_saturation_is_of_the_result():
    text = "vs_3_0\ndcl_position v0\ndcl_position o0\nmad_sat o0, v0, c0, c1\n"
    found = row(text, {"position": [1, 2, 3, 4]}, uniforms={"c0": [1, -1, 0.25, 1], "c1": [0.5, 0, 0, 0]})
    assert found == [1, 0, 0.75, 1]


def test_partial_precision_changes_nothing():
    text = "ps_2_0\ndcl t0\nmul_pp r0, t0, c0\nnrm_pp r1, r0\nmov oC0, r0\nmov oC1, r1\n"
    data, constants = {"texcoord": [1 / 3, 2 / 3, 1 / 7, 1]}, {"c0": [3, 5, 7, 9]}
    full, partial = (run(source, data, uniforms=constants) for source in (text.replace("_pp", ""), text))
    assert {name: grid.tolist() for name, grid in full.items()} == {name: grid.tolist() for name, grid in partial.items()}


def test_components_that_are_not_written_stay():
    text = "vs_2_0\ndcl_position v0\nmov r0, v0\nmov r0.y, c0\nmov oPos, r0\nmov oT3.x, r0\n"
    found = run(text, {"position": [1, 2, 3, 4]}, uniforms={"c0": [9, 8, 7, 6]})
    assert found["position"].tolist() == [[1, 8, 3, 4]]
    assert found["texcoord3"].tolist() == [[1, 0, 0, 0]]


def test_components_that_are_not_given_are_0_0_0_1_and_whole_inputs_zeros_on_request():
    text = "vs_2_0\ndcl_position v0\ndcl_color v1\nmov oPos, v0\nmov oD0, v1\n"
    found = run(text, {"position": [[5, 6], [7, 8]]}, defaults=0)
    assert found["position"].tolist() == [[5, 6, 0, 1], [7, 8, 0, 1]]
    assert found["color"].tolist() == [[0, 0, 0, 0]] * 2


# Single instructions


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ((1, 1, 0, 0), (1, 1, 1, 1)),  # any power of 0 is 1
        ((0, 1, 0, 2), (1, 0, 0, 1)),  # the surface looks away
        ((1, 0, 0, 2), (1, 1, 0, 1)),
        ((-1, 1, 0, 2), (1, 0, 0, 1)),
        ((0.5, 0.5, 9, 2), (1, 0.5, 0.25, 1)),
        ((0.5, 2, 0, 1000), (1, 0.5, 2.0**127.9961, 1)),  # the exponent ends at 127.9961
        ((0.5, 2, 0, -1000), (1, 0.5, 2.0**-127.9961, 1)),
    ],
)
def test_lit(source: tuple[float, ...], expected: tuple[float, ...]):
    found = row("vs_1_1\ndcl_position v0\nlit oPos, v0\n", {"position": source})
    assert close(found, expected)
    assert found[0] == found[3] == 1


def test_pow_of_a_negative_base_is_of_its_size():
    text = "vs_2_0\ndcl_position v0\npow oPos, v0.x, v0.y\n"
    assert row(text, {"position": [-8, 2]}) == [64] * 4
    assert row(text, {"position": [-4, -0.5]}) == [0.5] * 4


def test_pow_of_0_to_the_0():
    text = "vs_2_0\ndcl_position v0\npow oPos, v0.x, v0.y\n"
    assert all(map(math.isnan, row(text, {"position": [0, 0]})))  # 0 * -inf
    assert row(text, {"position": [0, 0]}, rule="d3d9") == [1] * 4
    assert row(text, {"position": [0, 0]}, rule=rule_of("ieee").set("pow_zero=one")) == [1] * 4


def test_nrm_divides_w_too_and_leaves_zeros():
    text = "vs_2_0\ndcl_position v0\nnrm r0, v0\nmov oPos, r0\n"
    assert row(text, {"position": [2, 0, 0, 0.5]}) == [1, 0, 0, 0.25]
    assert row(text, {"position": [0, 0, 0, 0]}) == [0, 0, 0, 0]


def test_sincos_leaves_components_alone():
    text = "vs_3_0\ndcl_position v0\ndcl_position o0\nmov r0, c0\nsincos r0.y, v0.x\nmov o0, r0\n"
    found = row(text, {"position": [1.0]}, uniforms={"c0": [5, 6, 7, 8]})
    assert close(found, [5, math.sin(1), 7, 8], 2e-3)
    text = text.replace("r0.y", "r0.xy")
    found = row(text, {"position": [-3.0]}, uniforms={"c0": [5, 6, 7, 8]})
    assert close(found, [math.cos(3), -math.sin(3), 7, 8], 2e-3)


def test_m3x2_uses_two_rows_of_three():
    text = "vs_2_0\ndcl_position v0\nmov r0, c9\nm3x2 r0.xy, v0, c3\nmov oPos, r0\n"
    constants = {"c3": [[1, 2, 3, 100], [4, 5, 6, 100], [7, 8, 9, 100]], "c9": [-1, -2, -3, -4]}
    assert row(text, {"position": [1, 10, 100, 1000]}, uniforms=constants) == [321, 654, -3, -4]


def test_expp_and_logp_of_vs_1_1():
    text = "vs_1_1\ndcl_position v0\nexpp oPos, v0.x\n"
    assert row(text, {"position": [2.5]}) == [4, 0.5, float(np.float32(2**2.5)), 1]
    assert row(text, {"position": [-0.25]}) == [0.5, 0.75, float(np.float32(2**-0.25)), 1]
    text = "vs_1_1\ndcl_position v0\nlogp oPos, v0.x\n"
    assert row(text, {"position": [-8]}) == [3] * 4
    parts = rule_of("ieee").set("logp=parts")
    assert row(text, {"position": [1]}, rule=parts) == [0, 1, 0, 1]  # what the drivers of [W] gave
    assert row(text, {"position": [-12]}, rule=parts) == [3, 1.5, float(np.float32(math.log2(12))), 1]
    assert row(text, {"position": [0]}, rule=parts)[::2] == [-math.inf, -math.inf]
    assert row(text.replace("vs_1_1", "vs_2_0"), {"position": [-8]}, rule=parts) == [3] * 4


def test_scalars_without_a_replicate_swizzle():
    text = "vs_1_1\ndcl_position v0\nrcp oPos, v0\n"
    assert row(text, {"position": [2, 4, 8, 16]}) == [1 / 16] * 4
    assert row(text, {"position": [2, 4, 8, 16]}, rule=rule_of("ieee").set("scalar=x")) == [0.5] * 4


def test_what_the_functions_give_of_0():
    text = "vs_2_0\ndcl_position v0\nrcp r0.x, v0.x\nrsq r0.y, v0.x\nlog r0.z, v0.x\nrcp r0.w, v0.y\nmov oPos, r0\n"
    data = {"position": Words(np.array([0, 0x80000000]))}
    assert row(text, data) == [math.inf, math.inf, -math.inf, -math.inf]
    largest = float(np.finfo(np.float32).max)
    rule = rule_of("d3d9").set("rcp_zero=largest,rsq_zero=largest,log_zero=largest")
    assert row(text, data, rule=rule) == [largest, largest, -largest, -largest]


def test_0_times_infinity():
    text = "vs_2_0\ndcl_position v0\nmul r0, v0, c0\ndp4 r0.w, v0, c0\nmov oPos, r0\n"
    data = {"position": [0, math.inf, -0.0, math.nan]}
    constants = {"c0": [math.inf, -0.0, math.nan, 0]}
    assert all(map(math.isnan, row(text, data, uniforms=constants)))
    found = run(text, data, uniforms=constants, rule="d3d9")["position"]
    assert found.view(np.uint32).tolist() == [[0, 0, 0, 0]]


def test_min_and_max_of_a_nan():
    text = "vs_2_0\ndcl_position v0\nmin oPos, v0, c0\nmax oT0, v0, c0\n"
    data, constants = {"position": [math.nan, 1, 2, 3]}, {"c0": [5, math.nan, 1, 4]}
    found = run(text, data, uniforms=constants)
    assert found["position"].tolist()[0][::2] == [5, 1] and math.isnan(found["position"][0, 1])
    found = run(text, data, uniforms=constants, rule="document")
    assert found["position"].tolist() == [[5, 1, 1, 3]]
    assert found["texcoord"].tolist() == [[5, 1, 2, 4]]


# Addresses


def test_mov_to_a0_rounds_down_and_mova_to_nearest():
    constants = {f"c{n}": [n] for n in range(20)}
    old = "vs_1_1\ndcl_position v0\nmov a0.x, v0.x\nmov oPos, c[a0.x + 10]\n"
    new = "vs_2_0\ndcl_position v0\nmova a0.x, v0.x\nmov oPos, c[a0.x + 10]\n"
    for value, floor, nearest in ((-2.4, 7, 8), (-1.6, 8, 8), (1.6, 11, 12), (2.5, 12, 12), (3.5, 13, 14), (-0.5, 9, 10)):
        assert row(old, {"position": [value]}, uniforms=constants)[0] == floor
        assert row(new, {"position": [value]}, uniforms=constants)[0] == nearest
    assert row(old, {"position": [1.6]}, uniforms=constants, rule=rule_of("ieee").set("mov_a0=nearest"))[0] == 12
    for tie, found in (("even", [10, 12]), ("up", [10, 13]), ("away", [9, 13])):
        rule = rule_of("ieee").set(f"mova_tie={tie}")
        assert [row(new, {"position": [value]}, uniforms=constants, rule=rule)[0] for value in (-0.5, 2.5)] == found


def test_an_index_of_no_constant_reads_0():
    text = (
        "vs_2_0\ndcl_position v0\nmova a0, v0\nmov r0.x, c[a0.x]\nmov r0.y, c[a0.y]\nmov r0.z, c[a0.z]\n"
        "mov r0.w, c[a0.w + 3]\nmov oPos, r0\n"
    )
    constants = {f"c{n}": [n + 1.0] * 4 for n in range(10)}
    assert row(text, {"position": [-1, 4, 9000, -3]}, uniforms=constants) == [0, 5, 0, 1]
    assert row(text, {"position": [math.nan, math.inf, -math.inf, 1e30]}, uniforms=constants) == [0, 0, 0, 0]


def test_inputs_and_outputs_by_index():
    text = """vs_3_0
        dcl_texcoord0 v0
        dcl_texcoord1 v1
        dcl_texcoord2 v2
        dcl_position o0
        dcl_texcoord0 o1
        dcl_texcoord1 o2
        defi i0, 3, 0, 1, 0
        loop aL, i0
            mov o[aL], v[aL]
        endloop
    """
    found = run(text, {"texcoord0": [1, 1, 1, 1], "texcoord1": [2, 2, 2, 2], "texcoord2": [3, 3, 3, 3]})
    assert [found[name][0, 0] for name in ("position", "texcoord", "texcoord1")] == [1, 2, 3]


# Loops


def test_a_loop_with_a_negative_step():
    """[W] loop_index_test: i0 = (2, 10, -3) reads c[11] and c[8]."""
    text = "vs_2_0\nmov r0, c0\nloop aL, i0\nadd r0, r0, c[aL + 1]\nendloop\nmov oPos, r0\n"
    constants = {"c11": [1, 0, 0, 0], "c8": [0, 1, 0, 0]}
    assert row(text, uniforms=constants, integers={"i0": [2, 10, -3]}) == [1, 1, 0, 0]


def test_a_rep_of_0_turns_and_of_255():
    text = "vs_2_0\ndef c0, 1, 0, 0, 0\nmov r0, c1\nrep i0\nadd r0, r0, c0.x\nendrep\nmov oPos, r0\n"
    assert row(text, integers={"i0": 0}) == [0] * 4
    assert row(text, integers={"i0": 255}) == [255] * 4


def test_defi_goes_before_the_run():
    text = "vs_2_0\ndef c0, 1, 0, 0, 0\ndefi i0, 3, 0, 0, 0\nmov r0, c1\nrep i0\nadd r0, r0, c0.x\nendrep\nmov oPos, r0\n"
    assert row(text, integers={"i0": 200}, uniforms={"c0": [5]}) == [3] * 4


def test_al_is_that_of_the_inmost_loop_and_seen_in_a_subroutine():
    text = """vs_2_0
        defi i0, 2, 10, 10, 0
        defi i1, 2, 1, 1, 0
        mov r0, c99
        loop aL, i0
            loop aL, i1
                call l0
            endloop
            call l0
        endloop
        mov oPos, r0
        ret
        label l0
        add r0, r0, c[aL]
        ret
    """
    constants = {"c1": [1], "c2": [10], "c10": [100], "c20": [1000]}
    assert row(text, uniforms=constants)[0] == 1 * 2 + 10 * 2 + 100 + 1000


def test_break_in_an_if_in_a_nested_loop():
    text = """vs_2_x
        dcl_position v0
        def c0, 1, 10, 100, 0
        defi i0, 3, 0, 0, 0
        defi i1, 5, 0, 0, 0
        mov r0, c0.w
        rep i0
            mov r1, c0.w
            rep i1
                add r1.x, r1.x, c0.x
                if_gt r1.x, v0.x
                    break
                endif
                add r0.x, r0.x, c0.x
            endrep
            add r0.y, r0.y, c0.x
        endrep
        mov oPos, r0
    """
    found = run(text, {"position": [[0], [2], [4], [9]]})["position"]
    assert found[:, 0].tolist() == [0, 6, 12, 15]
    assert found[:, 1].tolist() == [3, 3, 3, 3]


@pytest.mark.parametrize(
    ("ask", "turns"),
    [
        ("breakc_ge r0.x, v0.x", [1, 2, 3, 8]),
        ("break_ge r0.x, v0.x", [1, 2, 3, 8]),
        ("setp_ge p0, r0, v0\nbreakp p0.x", [1, 2, 3, 8]),
        ("setp_lt p0, r0, v0\nbreakp !p0.x", [1, 2, 3, 8]),
        ("break", [1, 1, 1, 1]),
    ],
)
def test_each_kind_of_break(ask: str, turns: list[float]):
    ask = ask.replace("breakc_", "break_")
    text = (
        f"vs_2_x\ndcl_position v0\ndef c0, 1, 0, 0, 0\nmov r0, c0.y\nrep i0\nadd r0.x, r0.x, c0.x\n{ask}\nendrep\n"
        "mov oPos, r0\n"
    )
    assert run(text, {"position": [[1], [2], [3], [100]]}, integers={"i0": 8})["position"][:, 0].tolist() == turns


# Branches and calls


def test_branches_of_booleans():
    text = "vs_2_0\nmov r0, c0\nif b0\nmov r0.x, c1\nelse\nmov r0.y, c1\nendif\nif !b1\nmov r0.z, c1\nendif\nmov oPos, r0\n"
    constants = {"c1": [1, 1, 1, 1]}
    assert row(text, uniforms=constants) == [0, 1, 1, 0]
    assert row(text, uniforms=constants, booleans={"b0": True, "b1": True}) == [1, 0, 0, 0]
    assert row("vs_2_0\ndefb b0, true\n" + text.removeprefix("vs_2_0\n"), uniforms=constants) == [1, 0, 1, 0]


def test_the_arm_that_is_not_taken_leaves_nothing():
    """NaN and infinities of the other arm do not show, and lanes go their own ways."""
    text = """vs_2_x
        dcl_position v0
        if_gt v0.x, c0.x
            rcp r0, c0.x
            mul r0, r0, c0.x
            mov r1, c1
        else
            mov r1, c2
        endif
        mov oPos, r1
    """
    found = run(text, {"position": [[1], [-1], [0], [math.nan]]}, uniforms={"c1": [1], "c2": [2]})["position"]
    assert found[:, 0].tolist() == [1, 2, 2, 2]


def test_comparisons_of_a_nan():
    for name, expected in (("gt", 0), ("eq", 0), ("ge", 0), ("lt", 0), ("ne", 1), ("le", 0)):
        text = f"vs_2_x\ndcl_position v0\nmov r0, c1\nif_{name} v0.x, c0.x\nmov r0, c2\nendif\nmov oPos, r0\n"
        assert row(text, {"position": [math.nan]}, uniforms={"c2": [1]})[0] == expected


def test_callnz_with_a_predicate_that_does_not_hold():
    text = """vs_2_x
        dcl_position v0
        mov r0, c0
        setp_gt p0, v0, c0
        callnz l0, !p0.x
        callnz l1, p0.y
        mov oPos, r0
        ret
        label l0
        add r0.x, r0.x, c1.x
        ret
        label l1
        add r0.y, r0.y, c1.x
        ret
    """
    found = run(text, {"position": [[1, 1], [-1, 1], [1, -1], [-1, -1]]}, uniforms={"c1": [1]})["position"]
    assert found[:, :2].tolist() == [[0, 1], [1, 1], [0, 0], [1, 0]]


def test_callnz_of_a_boolean():
    text = "vs_2_0\nmov r0, c0\ncallnz l0, b3\nmov oPos, r0\nret\nlabel l0\nmov r0, c1\nret\n"
    assert row(text, uniforms={"c1": [7]}, booleans={"b3": True})[0] == 7
    assert row(text, uniforms={"c1": [7]})[0] == 0


def test_a_ret_ends_a_routine_for_the_lanes_that_meet_it():
    text = """vs_2_x
        dcl_position v0
        def c0, 0, 1, 0, 0
        defi i0, 4, 0, 0, 0
        mov oPos, c0.x
        mov r0, c0.x
        mov r1, c0.x
        rep i0
            call l0
            add r1.x, r1.x, c0.y
        endrep
        add oPos, r0, r1.yyyx
        if_eq v0.x, c0.x
            ret
        endif
        mov oT0, c0.y
        ret
        label l0
        rep i0
            if_ge r0.x, v0.x
                ret
            endif
            add r0.x, r0.x, c0.y
        endrep
        add r0.y, r0.y, c0.y
        ret
    """
    found = run(text, {"position": [[0], [3], [6], [100]]})
    # x counts turns of the inner loop until v0.x, y the calls that were not left early, w the calls
    assert found["position"].tolist() == [[0, 0, 0, 4], [3, 0, 0, 4], [6, 1, 0, 4], [16, 4, 0, 4]]
    assert found["texcoord"][:, 0].tolist() == [0, 1, 1, 1]


def test_ret_before_the_end_of_main():
    assert row("vs_2_0\nmov oPos, c0\nret\nmov oPos, c1\n", uniforms={"c0": [1], "c1": [2]})[0] == 1


# Predication


def test_setp_is_of_single_components():
    text = (
        "vs_2_x\ndcl_position v0\nmov r0, c9\nsetp_gt p0, v0, c0\nsetp_lt p0.y, v0, c0\n(p0) mov r0, c1\n"
        "(!p0) add r0, r0, c1.y\nmov oPos, r0\n"
    )
    constants = {"c1": [1, 2, 3, 4]}
    # p0 is (1, 0, 0, 1): of y it is v0.y < 0
    assert row(text, {"position": [5, 5, -5, 5]}, uniforms=constants) == [1, 2, 2, 4]


def test_a_predicated_write_keeps_what_is_not_written():
    text = (
        "vs_2_x\ndcl_position v0\nmov r0, v0\nsetp_ge p0, v0, c0\n(!p0.x) mov r0.xz, c1\n(p0.wzyx) mov r0.y, c1\nmov oPos, r0\n"
    )
    text = text.replace("(p0.wzyx)", "(p0.z)")
    found = run(text, {"position": [[-1, 2, 3, 4], [1, 2, -3, 4]]}, uniforms={"c1": [9, 9, 9, 9]})["position"]
    assert found.tolist() == [[9, 9, 9, 4], [1, 2, -3, 4]]


def test_mova_and_setp_under_a_predicate():
    text = """vs_2_x
        dcl_position v0
        mova a0.x, c5.x
        setp_gt p0.x, v0.x, c0.x
        (p0.x) mova a0.x, c6.x
        (p0.x) setp_gt p0.y, c6.x, c0.x
        mov r0, c[a0.x]
        (p0.y) mov r0.y, c6.x
        mov oPos, r0
    """
    constants = {"c5": [1], "c6": [2], "c1": [100], "c2": [200]}
    found = run(text, {"position": [[1], [-1]]}, uniforms=constants)["position"]
    assert found[:, :2].tolist() == [[200, 2], [100, 0]]


# What cannot be


@together(
    ("body", "code"),
    [
        ("else\n", "R301"),
        ("if b0\n", "R301"),
        ("endif\n", "R301"),
        ("loop aL, i0\nendrep\n", "R301"),
        ("if b0\nelse\nelse\nendif\n", "R301"),
        ("if b0\nret\nlabel l0\nret\nendif\n", "R301"),
        ("if b0\n" * 200 + "endif\n" * 200, "R301"),
        ("break\n", "R302"),
        ("call l0\nret\nlabel l0\nbreak\nret\n", "R302"),
        ("call l3\n", "R303"),
        ("ret\nlabel l0\ncall l0\nret\n", "R303"),
        ("ret\nlabel l0\nret\nlabel l0\nret\n", "R303"),
        ("mov r0, b0\nmov r0, i0\n", "R304"),
        ("if i0\nendif\n", "R304"),
    ],
)
def test_structure(body: str, code: str):
    found = codes("vs_2_x\n" + body)
    assert code in found


def test_a_shader_that_runs_too_long_is_stopped_by_both_engines():
    text = "vs_3_0\ndcl_position o0\nrep i0\nrep i0\nrep i0\nadd r0, r0, c0\nendrep\nendrep\nendrep\nmov o0, r0\n"
    shader = shader_of(text)
    for engine in ("reference", "llvm"):
        with pytest.raises(InputError) as caught:
            shader.run(integers={"i0": 40}, engine=engine, turns=500, defaults=0)
        assert caught.value.diagnostics[0].code == "R305"
    small = shader.run(integers={"i0": 4}, uniforms={"c0": [1, 0, 0, 0]}, turns=4 + 16 + 64)
    assert small.outputs["position"][0, 0] == 64
    with pytest.raises(InputError):
        shader.run(integers={"i0": 4}, turns=4 + 16 + 64 - 1, defaults=0)


def test_calls_that_double_are_refused():
    routines = "".join(f"label l{n}\ncall l{n + 1}\ncall l{n + 1}\nret\n" for n in range(30)) + "label l30\nmov r0, c0\nret\n"
    with pytest.raises(InputError) as caught:
        shader_of("vs_3_0\ncall l0\nret\n" + routines).run(defaults=0)
    assert caught.value.diagnostics[0].code == "R305"


def test_counts_are_0_to_255():
    text = "vs_2_0\nrep i0\nmov r0, c0\nendrep\nmov oPos, c0\n"
    for count in (256, -1):
        with pytest.raises(InputError) as caught:
            shader_of(text).run(integers={"i0": count})
        assert caught.value.diagnostics[0].code == "R306"


def test_lanes_that_are_not_there_prolong_nothing():
    """17 lanes: the second wave has 15 lanes of zeros, which would go on for 200 turns."""
    text = (
        "vs_2_x\ndcl_position v0\ndef c0, 1, 0, 0, 0\nmov r0, c0.y\nrep i0\nadd r0.x, r0.x, c0.x\nbreak_ge v0.x, c0.x\n"
        "endrep\nmov oPos, r0\n"
    )
    found = run(text, {"position": [[1.0]] * 17}, integers={"i0": 200}, turns=1)["position"]
    assert found[:, 0].tolist() == [1] * 17
