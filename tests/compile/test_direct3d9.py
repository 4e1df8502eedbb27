"""Direct3D 9 shaders compiled for ShaderCore: the same bits as the shader under the device's own rule; costs, interface,
refusals."""

from __future__ import annotations

import pytest

from compile.direct3d9_programs import compiled, differences, refusal, shader_of
from lanewise.compile.shadercore.direct3d9 import OPTIMISED, STRATEGIES, TABLE, Options, compile_shader
from lanewise.compile.shadercore.tracer import Array, Bound
from lanewise.shadercore.isa.devices import DEVICES, DOCUMENT, RTL, Device
from lanewise.shadercore.isa.table import ONE, C
from together import together

BOTH = pytest.mark.parametrize("device", DEVICES.values(), ids=DEVICES)


def vertex(body: str, version: str = "vs_3_0", *, outputs: str = "") -> str:
    """A vertex shader with inputs v0 to v2, of which the body makes r0."""
    if version.startswith("vs_3"):
        return f"{version}\ndcl_position v0\ndcl_normal v1\ndcl_texcoord v2\ndcl_position o0\n{outputs}{body}\nmov o0, r0\n"
    return f"{version}\ndcl_position v0\ndcl_normal v1\ndcl_texcoord v2\n{body}\nmov oPos, r0\n"


# Costs


@pytest.mark.parametrize(
    ("body", "slots"),
    [
        ("dp4 oPos.x, v0, c0", 7),
        ("dp3 oPos.x, v0, c0", 5),
        ("crs oPos.xyz, v0, v1", 9),
        ("lrp oPos, v0, v1, v2", 12),
        ("mad oPos, v0, c0, v1", 8),
        ("m4x4 oPos, v0, c0", 28),
        ("m3x3 oPos.xyz, v0, c0", 15),
        ("sub oPos, v0, v1", 4),
        ("abs oPos, v0", 4),
        ("slt oPos, v0, v1", 4),
        ("dst oPos, v0, v1", 4),
        ("frc oPos, v0", 4),
        ("add_sat oD0, v0, v1", 4),
    ],
)
@pytest.mark.parametrize("strategy", [OPTIMISED, TABLE])
@BOTH
def test_an_instruction_costs_what_the_table_says(body: str, slots: int, strategy: str, device: Device):
    source = f"vs_2_0\ndcl_position v0\ndcl_normal v1\ndcl_texcoord v2\n{body}\n"
    assert compiled(source, device, strategy=strategy).slots == slots + 1


def test_the_public_compiler_costs_what_was_read_of_it():
    """Reference 5: mad.xyzw 12 slots, 16 with the destination a source, m4x4 60, dp3 9; two NOPs and END behind."""
    for body, slots in (("mad r0, v0, c0, v1", 12), ("m4x4 r0, v0, c0", 60), ("dp3 r0.x, v0, c0", 9)):
        source = f"vs_3_0\ndcl_position v0\ndcl_normal v1\ndcl_position o0\n{body}\nmov o0, r0\n"
        assert compiled(source, RTL, strategy="public").slots == slots + 4 + 3
    source = "vs_3_0\ndcl_position v0\ndcl_normal v1\ndcl_position o0\nmov r0, v1\nmad r0, r0, v0, v1\nmov o0, r0\n"
    assert compiled(source, RTL, strategy="public").slots == 4 + 16 + 4 + 3


@BOTH
def test_limits_one_after_the_other_are_saturation(device: Device):
    source = "vs_1_1\ndef c9, 0, 1, 0, 0\ndcl_position v0\n{}\n"
    for body in ("max r0, v0, c9.x\nmin oPos, r0, c9.y", "min r0, c9.y, v0\nmax oPos, c9.x, r0"):
        assert compiled(source.format(body), device).slots == 4 + 1


# Meaning

STRAIGHT = {
    "aliases": "mov r0, v0\nmul r0.xy, r0.yx, r0.x\nadd r0.zw, r0.wz, r0.xy",
    "partial writes": "mov r0, v0\nmov r0.yw, v1.xz\nmax r0.x, r0.y, c0.x\nmin r0.z, r0.w, c0.y",
    "modifiers": "mad r0, -v0, v1_abs, -v2_abs\nadd r0, r0, -c1",
    "saturate": "add_sat r0, v0, v1\nmul_sat r0.x, r0, c0",
    "limits": (
        "def c9, 0, 1, 2, -0\nmax r0, v0, c9.x\nmin r0, r0, c9.y\nmin r1.xyz, c9.y, v1\nmax r1.xyz, r1, c9.x\n"
        "max r2.xy, v2, c9.x\nmin r3.xy, r2, c9.y\nadd r2.xy, r2, r3\nmin r4.x, v0.x, c9.z\nmax r4.x, r4.x, c9.w\n"
        "add r0.xyz, r0, r1\nadd r0.xy, r0, r2\nadd r0.x, r0.x, r4.x"
    ),
    "sums": (
        "dp3 r0.x, v0, c0\ndp4 r0.y, v0, c1\nm4x3 r1.xyz, v1, c4\nm3x2 r2.xy, v2, c8\nadd r0.zw, r1.x, r2.y\n"
        "crs r3.xyz, r1, v0\nadd r0.xyz, r0, r3"
    ),
    "comparisons": "slt r0, v0, v1\nsge r1, v1, v2\nadd r0, r0, r1\nsgn r1.x, v0.x, r2, r3\nmov r0.x, r1.x",
    "fractions": "frc r0, v0\nlrp r0.xy, r0, v1, v2\ndst r1, v0, v1\nadd r0, r0, r1",
    "sincos": "frc r1.x, v0.x\nsincos r0.xy, r1.x\nmov r0.zw, v0",
}


@BOTH
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("body", STRAIGHT.values(), ids=STRAIGHT)
def test_straight_code_gives_the_same_bits(body: str, strategy: str, device: Device):
    assert not differences(vertex(body), device, strategy=strategy)


FLOW = {
    "if": "mov r0, v0\nif_gt v0.x, v1.x\nmov r0, v1\nadd r0.x, r0.x, v2.x\nendif",
    "if else": "if_lt v0.x, v1.x\nmul r0, v0, v1\nelse\nadd r0, v0, v2\nendif",
    "nested ifs": (
        "mov r0, v0\nif_ge v0.x, v1.x\nif_ne v0.y, v1.y\nmov r0, v1\nelse\nmov r0.xy, v2\nendif\nmul r0.w, r0.w, v1.w\nendif"
    ),
    "equal": "mov r0, v0\nif_eq v0.x, v1.x\nmov r0, v1\nendif\nif_le v0.y, v1.y\nadd r0.y, r0.y, v2.y\nendif",
    "setp": "mov r0, v0\nsetp_gt p0, v0, v1\n(p0) mov r0, v1\n(!p0.x) add r0.y, r0.y, v2.y\n(p0.z) mov r0.w, v2.x",
    "partial predicates": "mov r0, v0\nsetp_lt p0.xz, v0, v1\n(p0) mul r0.xyz, r0, v2\nif p0.x\nmov r0.w, v2.w\nendif",
    "rep": "defi i0, 3, 0, 0, 0\nmov r0, v0\nrep i0\nmad r0, r0, v1, v2\nendrep",
    "rep 0": "defi i0, 0, 0, 0, 0\nmov r0, v0\nrep i0\nmov r0, v1\nendrep",
    "loop": "defi i0, 4, 2, 3, 0\nmov r0, v0\nloop aL, i0\nadd r0, r0, c[aL+5]\nendloop",
    "backwards": "defi i0, 2, 10, -3, 0\nmov r0, v0\nloop aL, i0\nadd r0, r0, c[aL+1]\nendloop",
    "nested loops": (
        "defi i0, 2, 1, 1, 0\ndefi i1, 2, 8, 2, 0\nmov r0, v0\nloop aL, i0\nadd r0, r0, c[aL]\nloop aL, i1\n"
        "mad r0, r0, v1, c[aL]\nendloop\nendloop"
    ),
    "breaks": "defi i0, 4, 0, 1, 0\nmov r0, v0\nloop aL, i0\nbreak_gt r0.x, v1.x\nadd r0, r0, c[aL]\nendloop",
    "break in an if": (
        "defi i0, 3, 0, 1, 0\nmov r0, v0\nrep i0\nif_lt r0.x, v1.x\nadd r0.x, r0.x, v2.x\nif_gt r0.y, v1.y\nbreak\nendif\n"
        "endif\nmul r0.y, r0.y, v2.y\nendrep"
    ),
    "breakp": "defi i0, 3, 0, 1, 0\nmov r0, v0\nrep i0\nsetp_ge p0.x, r0.x, v1.x\nbreakp p0.x\nadd r0, r0, v2\nendrep",
    "call": "mov r0, v0\ncall l0\ncall l0\nmov o0, r0\nret\nlabel l0\nmad r0, r0, v1, v2\nret",
    "early return": (
        "mov r0, v0\ncall l0\nmov o0, r0\nret\nlabel l0\nif_gt r0.x, v1.x\nmov r0, v1\nret\nendif\nadd r0, r0, v2\nret"
    ),
    "callnz p": "mov r0, v0\nsetp_gt p0.x, v0.x, v1.x\ncallnz l0, !p0.x\nmov o0, r0\nret\nlabel l0\nadd r0, r0, v2\nret",
    "aL in a subroutine": (
        "defi i0, 2, 3, 2, 0\nmov r0, v0\nloop aL, i0\ncall l0\nendloop\nmov o0, r0\nret\nlabel l0\nadd r0, r0, c[aL]\nret"
    ),
    "return out of a loop": (
        "defi i0, 3, 0, 1, 0\nmov r0, v0\ncall l0\nmov o0, r0\nret\nlabel l0\nrep i0\nadd r0, r0, v1\nif_lt r0.x, v2.x\nret\n"
        "endif\nendrep\nmov r0.y, v2.y\nret"
    ),
    "defb": "defb b0, true\nmov r0, v0\nif b0\nmov r0, v1\nelse\nmov r0, v2\nendif",
}


def flow_source(body: str) -> str:
    if "label" not in body:
        return vertex(body)
    return f"vs_3_0\ndcl_position v0\ndcl_normal v1\ndcl_texcoord v2\ndcl_position o0\n{body}\n"


@BOTH
@pytest.mark.parametrize("body", FLOW.values(), ids=FLOW)
def test_flow_gives_the_same_bits(body: str, device: Device):
    assert not differences(flow_source(body), device)


@BOTH
@pytest.mark.parametrize("value", [False, True])
def test_a_boolean_that_is_not_known_selects(device: Device, value: bool):
    source = vertex(
        "mov r0, v0\nif b1\nmov r0, v1\nelse\nadd r0.x, r0.x, v2.x\nendif\ncallnz l0, !b2\nmov o0, r0\nret\nlabel l0\n"
        "mul r0, r0, v2\nret"
    )
    source = source.replace("ret\nmov o0, r0", "ret")
    one = compiled(source, device)
    assert set(one.counts) == {"b1", "b2"}
    assert not differences(source, device, booleans={1: value, 2: not value})


@BOTH
def test_a_boolean_that_is_known_leaves_one_arm(device: Device):
    source = vertex("if b0\nmov r0, v1\nelse\nmov r0, v2\nendif")
    one = compiled(source, device, Options(booleans={0: True}))
    assert one.slots == 5
    assert [place.name for place in one.inputs] == ["v1"]


@BOTH
@pytest.mark.parametrize("count", [0, 1, 3, 4])
def test_a_loop_with_a_bound_runs_as_often_as_the_application_says(device: Device, count: int):
    source = vertex("mov r0, v0\nrep i2\nmad r0, r0, v1, v2\nendrep")
    options = Options(bounds={2: Bound(4)})
    assert set(compiled(source, device, options).counts) == {"i2"}
    assert not differences(source, device, options, counts={2: count})


@BOTH
@pytest.mark.parametrize("version", ["vs_1_1", "vs_2_0"])
def test_a_relative_address_reads_its_array_and_0_outside(device: Device, version: str):
    move = "mov a0.x, v2.x" if version == "vs_1_1" else "mova a0.x, v2.x"
    source = vertex(f"{move}\nadd r0, v0, c[a0.x+12]\nmul r0.xy, r0, c[a0.x+10].zw", version)
    options = Options(arrays=(Array(10, 6),))
    assert not differences(source, device, options, only=range(10, 16), numbers=(-6.0, 6.0))


@BOTH
def test_an_array_with_a_stride_reads_elements(device: Device):
    source = vertex("mova a0.x, v2.x\nadd r0, v0, c[a0.x+10]\nadd r0, r0, c[a0.x+12]", "vs_2_0")
    every, third = (compiled(source, device, Options(arrays=(Array(10, 12, stride),))).slots for stride in (1, 3))
    assert third < every


@BOTH
def test_an_address_register_written_in_a_branch(device: Device):
    source = vertex("mova a0.x, v2.x\nif_gt v0.x, v1.x\nmova a0.x, v2.y\nendif\nadd r0, v0, c[a0.x+10]")
    assert not differences(source, device, Options(arrays=(Array(10, 5),)), only=range(10, 15), numbers=(-5.0, 5.0))


@BOTH
def test_components_that_a_vertex_element_has_not_are_defaults(device: Device):
    source = vertex("mul r0, v0, v1", "vs_2_0")
    one = compiled(source, device, Options(elements={0: "float3", 1: "float2"}))
    assert {place.name: place.mask for place in one.inputs} == {"v0": 0b111, "v1": 0b11}


@BOTH
@pytest.mark.parametrize(
    "source",
    [
        "ps_1_1\ndef c0, 0.25, -0.5, 0.75, 1\nmul_x2 r0, v0, c0\nadd_d2 r1, r0, v1_bias\nmad_sat r0, r1, 1-v0, v1_bx2\n",
        "ps_1_4\nmov r1, v0\ncnd r0, r1, v0, v1\ncmp r0.xyz, -r0_bias, r1_x2, v1\n",
        "ps_2_0\ndcl v0\ndcl t0\ndp2add r0, v0, t0, c0.x\ncmp r0.xy, t0, r0, v0\nlrp r0.w, v0.x, t0.y, c1.z\nmov oC0, r0\n",
        (
            "ps_3_0\ndcl_color v0\ndcl_texcoord v1\nmov r0, v0\nif_gt v0.x, v1.x\nadd r0, r0, v1\nendif\nmov_sat oC0, r0\n"
            "mov oC1, v1\n"
        ),
    ],
)
def test_pixel_arithmetic_gives_the_same_bits(source: str, device: Device):
    assert not differences(source, device)


# The interface


def test_outputs_go_where_the_hardware_exports_them():
    source = "vs_2_0\ndcl_position v0\nmov oPos, v0\nmov oD0, c0\nmov oT0.xy, v0\nmov oT1, v0\nmov oFog, c1.x\n"
    one = compiled(source, DOCUMENT)
    assert {place.meaning: place.register for place in one.outputs} == {
        "position": 0,
        "color": 1,
        "texcoord": 2,
        "fog": 3,
        "texcoord1": 4,
    }
    old = compiled(
        "vs_3_0\ndcl_position v0\ndcl_color o3\ndcl_texcoord o7\ndcl_position o5\nmov o3, v0\nmov o5, v0\nmov o7, v0\n",
        DOCUMENT,
    )
    assert {place.name: place.register for place in old.outputs} == {"o5": 0, "o3": 1, "o7": 2}


def test_an_output_that_never_leaves_is_a_warning_on_the_hardware():
    source = "vs_2_0\ndcl_position v0\nmov oPos, v0\nmov oT1, v0\n"
    found = compile_shader(shader_of(source), RTL).diagnostics
    assert [(d.code, d.severity) for d in found] == [("L007", "warning")]
    assert not compile_shader(shader_of(source), DOCUMENT).diagnostics


def test_a_colour_that_the_hardware_converts_otherwise_is_a_note():
    shader = shader_of("vs_2_0\ndcl_position v0\ndcl_color v1\nmov oPos, v0\nmov oD0, v1\n")
    colours = Options(elements={0: "float4", 1: "d3dcolor"})
    (finding,) = compile_shader(shader, RTL, colours).diagnostics
    assert (finding.code, finding.severity) == ("L012", "note")
    assert finding.message.startswith("v1 is a D3DCOLOR: rtl converts n to n / 256")
    assert not compile_shader(shader, DOCUMENT, colours).diagnostics
    assert not compile_shader(shader, RTL.set("d3dcolor=n/255"), colours).diagnostics
    assert not compile_shader(shader, RTL, Options(elements={1: "float4"})).diagnostics


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("mov oD0, v0", "the position is never written"),
        ("mov oPos.xyw, v0", "z of the position"),
        ("", "the position is never"),
        ("mov oPos, v0", ""),
    ],
)
def test_a_position_that_is_missing_is_a_warning(body: str, says: str):
    result = compile_shader(shader_of(f"vs_2_0\ndcl_position v0\n{body}\n"), RTL)
    assert result.compiled is not None
    found = [(d.code, says in d.message) for d in result.diagnostics]
    assert found == ([("L008", True)] if says else [])


def test_what_the_shader_defines_is_uploaded_in_its_place_and_other_patterns_beside_it():
    one = compiled(vertex("def c5, 1, 2, 3, 4\nmul r0, v0, c5\nadd r0, r0, c6\nif_gt v0.x, c6.x\nmov r0.x, v1.x\nendif"), RTL)
    uploads = {upload.number: upload for upload in one.uploads}
    assert uploads[5].values == (0x3F800000, 0x40000000, 0x40400000, 0x40800000)
    assert one.uniforms == (6,)
    assert 6 not in uploads


def test_the_hardware_is_not_asked_for_the_register_1():
    source = vertex("def c0, 1, 1, 1, 1\nadd r0, v0, c0")
    assert ONE not in {s.file for inst in compiled(source, RTL).program.insts for s in (inst.a, inst.b)}
    assert C not in {s.file for inst in compiled(source, RTL).program.insts for s in (inst.a, inst.b)}
    assert ONE in {s.file for inst in compiled(source, DOCUMENT).program.insts for s in (inst.a, inst.b)}


def test_the_header_names_usages_and_the_hash_of_the_tokens():
    program = compiled("vs_2_0\ndcl_position v0\ndcl_texcoord1 v1\nadd oPos, v0, v1\n", RTL).program
    assert program.inputs[:2] == (0, 9)
    assert program.outputs[0] == 0
    assert program.hash not in (0, 0xFFFFFFFF)


@BOTH
def test_inputs_that_an_address_names_are_those_that_are_declared(device: Device):
    source = (
        "vs_3_0\ndcl_position v0\ndcl_normal v3\ndcl_position o0\nmova a0.x, v0.x\nmov r0, v[a0.x]\n"
        "add o0, r0, v[a0.x+1].wzyx\n"
    )
    assert [place.name for place in compiled(source, device).inputs] == ["v0", "v3"]
    assert not differences(source, device, numbers=(-2.0, 18.0))


@BOTH
def test_inputs_that_an_address_names_are_those_that_are_read(device: Device):
    """v2 is not declared, but read; v1 is neither, and has what elements default to."""
    source = "vs_3_0\ndcl_position v0\ndcl_position o0\nmova a0.x, v0.x\nmov r0, v[a0.x]\nadd o0, r0, v2.wzyx\n"
    assert [place.name for place in compiled(source, device).inputs] == ["v0", "v2"]
    assert not differences(source, device, numbers=(-2.0, 5.0))


@BOTH
def test_outputs_that_an_address_names_are_those_that_are_declared(device: Device):
    source = "vs_3_0\ndcl_position v0\ndcl_normal v1\ndcl_position o0\ndcl_color o1\ndcl_texcoord o2.xy\n"
    source += "mova a0.x, v1.x\nmov o0, v0\nmov o1, v0\nmov o2.xy, v0\nmov o[a0.x].xy, v1\nmov o[a0.x+1].z, v1\n"
    one = compiled(source, device)
    assert [(place.name, place.register, place.mask) for place in one.outputs] == [("o0", 0, 15), ("o1", 1, 15), ("o2", 2, 3)]
    assert not differences(source, device, numbers=(-2.0, 4.0))


@BOTH
def test_counts_keep_off_the_constants_that_a_loop_reaches(device: Device):
    body = "defi i0, 2, 0, 1, 0\nmov r0, v0\nif b0\nmov r0, v1\nendif\nloop aL, i0\nadd r0, r0, c[aL+254]\nendloop"
    assert compiled(vertex(body), device).counts == {"b0": (253, 0)}
    assert not differences(vertex(body), device, booleans={0: True})


def test_a_count_that_finds_no_room_is_refused():
    source = vertex("mov r0, v0\nmova a0.x, v2.x\nif b0\nadd r0, r0, v1\nendif\nmov r1, c[a0.x]")
    assert refusal(source, RTL, Options(arrays=(Array(0, 256),)))[0] == "L009"


@BOTH
def test_outputs_that_are_written_in_part_or_in_some_lanes_are_0_elsewhere(device: Device):
    source = (
        "vs_2_x\ndcl_position v0\ndcl_normal v1\nif_gt v0.x, v1.x\nmov oPos.xy, v0\nmov oD0, v1\nendif\nsetp_gt p0, v0, v1\n"
        "(p0.y) mov oT0.xy, v1\n"
    )
    one = compiled(source, device)
    assert [(place.name, place.mask) for place in one.outputs] == [("oPos", 3), ("oD0", 15), ("oT0", 3)]
    assert not differences(source, device)


@BOTH
def test_one_value_in_several_outputs_and_constants_as_outputs(device: Device):
    source = (
        "vs_2_0\ndcl_position v0\ndef c0, -0.0, 1, -1, -0.5\nmul r0, v0, v0\nmov oPos, r0\nmov oD0, -r0\nmov oT0.xy, v0\n"
        "mov oT1, c0\nmov oT2, -c0\nadd oD1, c0, c0.wwzz\n"
    )
    assert not differences(source, device)


def test_what_is_read_for_nothing_is_no_input():
    one = compiled("vs_2_0\ndcl_position v0\ndcl_normal v1\nmul r0, v0, v1\nmov r0.xyz, v0\nmov oPos.xyz, r0\n", RTL)
    assert [(place.name, place.mask) for place in one.inputs] == [("v0", 7)]


@BOTH
@pytest.mark.parametrize(
    ("source", "places"),
    [
        (
            "ps_2_0\ndcl v0\nmov oC0, v0\nmov oC1, v0.wzyx\nmov oDepth, v0.x\n",
            {"color": (0, 15), "color1": (1, 15), "depth": (2, 1)},
        ),
        (
            "ps_2_0\ndcl v0\nmov oC0, v0\nmov oC3, -v0\nmov oDepth, v0.x\n",
            {"color": (0, 15), "color3": (3, 15), "depth": (1, 1)},
        ),
        ("ps_1_4\ntexcrd r1.xyz, t0\nphase\nmov r0, v0\nadd r0.xyz, r0, r1\n", {"color": (0, 15)}),
    ],
)
def test_outputs_of_pixel_shaders(source: str, places: dict[str, tuple[int, int]], device: Device):
    assert {place.meaning: (place.register, place.mask) for place in compiled(source, device).outputs} == places
    assert not differences(source, device)


def test_one_register_with_several_declarations_is_several_outputs():
    source = (
        "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_texcoord o1.xy\ndcl_fog o1.z\ndcl_texcoord1 o1.w\nmov o0, v0\n"
        "mov o1, v0.wzyx\n"
    )
    one = compiled(source, DOCUMENT)
    assert {place.meaning: (place.register, place.mask) for place in one.outputs} == {
        "position": (0, 15),
        "texcoord": (2, 3),
        "fog": (3, 4),
        "texcoord1": (4, 8),
    }
    assert not differences(source, DOCUMENT)


# Refusals


@together(
    ("source", "code", "says", "cure"),
    [
        ("ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n", "L001", "texture", "input"),
        ("ps_2_0\ndcl t0\ntexkill t0\nmov oC0, t0\n", "L001", "texkill", "output"),
        ("ps_3_0\ndcl_texcoord v0\ndsx r0, v0\nmov oC0, r0\n", "L001", "dsx", "gradient"),
        (vertex("mova a0.x, v2.x\nmov r0, c[a0.x+20]"), "L005", "c20", "--array c20=COUNT"),
        (vertex("mov r0, v0\nrep i3\nadd r0, r0, v1\nendrep"), "L006", "i3", "--bound i3=COUNT"),
        (vertex("mov r0, c256", "vs_3_sw"), "L002", "c256", "c255"),
        (vertex("mov r0, v0\n" + "".join(f"add r0, r0, v{n}\n" for n in range(1, 10))), "L002", "10 inputs", "pack"),
        (vertex("mov r0, v33"), "L002", "unknown register v33", "lanewise check"),
        ("ps_2_0\ndcl t0\nmov oC0, t0\nmov oC8, t0\n", "L002", "oC8 is out of range", "outputs"),
        ("ps_2_0\ndcl t0\nmov oC0, t0\nmov oC256, t0\n", "L002", "oC256 is out of range", "outputs"),
    ],
)
def test_what_cannot_be_compiled_is_refused_with_a_cure(source: str, code: str, says: str, cure: str):
    found = refusal(source, RTL)
    assert found[0] == code
    assert says in found[1]
    assert cure in found[2]


def test_a_program_that_is_too_long_names_what_would_fit():
    source = vertex("mova a0.x, v2.x\nmov r0, c[a0.x]\nadd r0, r0, c[a0.x+1]\nmul r0, r0, c[a0.x+2]")
    options = Options(arrays=(Array(0, 200),))
    code, message, cure = refusal(source, RTL, options)
    assert code == "L003"
    assert "512" in message
    most = int(cure.partition("c0=")[2].split()[0])
    assert compiled(source, RTL, Options(arrays=(Array(0, most),))).slots <= 512


def test_the_bound_that_would_fit_is_the_largest():
    source = vertex("mov r0, v0\nrep i0\nmad r0, r0, v1, v2\nendrep")
    code, message, cure = refusal(source, RTL, Options(bounds={0: Bound(255)}))
    assert code == "L003" and "7142 slots" in message
    most = int(cure.partition("i0=")[2].split()[0])
    assert compiled(source, RTL, Options(bounds={0: Bound(most)})).slots <= 512
    assert refusal(source, RTL, Options(bounds={0: Bound(most + 1)}))[0] == "L003"


_LONG = {
    "loops": "defi i0, 255, 0, 1, 0\nmov r0, v0\n" + "rep i0\n" * 4 + "add r0, r0, v1\n" + "endrep\n" * 4,
    "empty loops": "defi i0, 255, 0, 1, 0\nmov r0, v0\n" + "rep i0\n" * 4 + "endrep\n" * 4,
    "a bound": "mov r0, v0\nrep i0\n" + "mad r0, r0, v1, v2\n" * 60 + "endrep",
}


@pytest.mark.parametrize("body", _LONG.values(), ids=_LONG)
def test_what_would_go_on_for_long_is_refused_soon(body: str):
    options = Options(bounds={0: Bound(255)}) if "defi" not in body else None
    code, message, _ = refusal(vertex(body), RTL, options)
    assert code == "L003" and "20000" in message


def _chain(count: int, body: str) -> str:
    routines = "".join(f"label l{n}\n{body.format(n + 1)}ret\n" for n in range(count))
    return f"vs_3_0\ndcl_position v0\ndcl_position o0\ncall l0\nmov o0, v0\nret\n{routines}label l{count}\nret\n"


@pytest.mark.parametrize(
    ("source", "code"),
    [(_chain(40, "call l{0}\ncall l{0}\n"), "L003"), (_chain(1500, "call l{0}\n"), "R301"), (_chain(100, "call l{0}\n"), "")],
)
def test_routines_that_call_each_other_end(source: str, code: str):
    if code:
        result = compile_shader(shader_of(source), RTL)
        assert result.compiled is None and result.diagnostics[0].code == code
    else:
        assert not differences(source, RTL)


def test_rows_of_a_matrix_are_in_an_array_that_would_fit():
    source = vertex("mova a0.xy, v2\nm4x3 r0.xyz, v0, c[a0.x+10]\nm4x3 r1.xyz, v0, c[a0.y+10]\nadd r0, r0, r1", "vs_2_0")
    code, _, cure = refusal(source, RTL, Options(arrays=(Array(10, 12),)))
    assert (code, cure.partition(",")[0]) == ("L003", "--array c10=12/3 would fit")
    assert compiled(source, RTL, Options(arrays=(Array(10, 12, 3),))).slots <= 512
    code, _, cure = refusal(source, RTL, Options(arrays=(Array(10, 13),)))  # not a size of whole matrices
    assert code == "L003"
    most = int(cure.partition("c10=")[2].split()[0])
    assert 3 <= most < 13
    assert compiled(source, RTL, Options(arrays=(Array(10, most),))).slots <= 512
