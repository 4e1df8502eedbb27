"""Direct3D 9 vertex shaders as vector programs: what instructions become, what is refused, and the bits of the semantics in
float24."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from compile.direct3d9_bounds import outside, plain_data
from compile.direct3d9_vectors import compared, data_of, data_of_case, program_of, random_shader, shader_of
from effort import sample, times
from lanewise.compile.direct3d9 import Array, Bound, Options, lower
from lanewise.compile.direct3d9.float24 import run24
from lanewise.compile.vector import code
from lanewise.direct3d9.isa import interface
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.program import COISSUE, Inst
from lanewise.direct3d9.sem.tree import resolve
from together import together

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.compile.vector.code import Program, Statement

BEGIN = "vs_2_0\ndcl_position v0\ndcl_normal v1\ndcl_texcoord v2\n"


def vertex(body: str) -> str:
    return f"{BEGIN}{body}\nmov oPos, v0\n"


def statements(body: Sequence[Statement]) -> Iterator[Statement]:
    """Those of a block and of all blocks in it."""
    for statement in body:
        yield statement
        match statement:
            case code.If():
                yield from statements((*statement.yes, *statement.no))
            case code.For() | code.Scope() | code.Loop():
                yield from statements(statement.body)
            case _:
                pass


def operations(program: Program) -> list[str]:
    """The operations of a program with their lanes: `mul3`."""
    return [f"{s.op}{len(s.operands[-1])}" for s in statements(program.body) if isinstance(s, code.Operate)]


# Operations


@together(
    ("body", "expected"),
    [
        ("mad oD0, v1, c0, v2", ["mul4", "add4"]),
        ("add oD0.xyz, v1, -v2.yzxw", ["add3"]),
        ("m4x4 oD0, v1, c0", ["dot4"] * 4),
        ("crs r0.xyz, v1, v2\nmov oD0, r0.xyzz", ["mul3", "mul3", "add3"]),
        ("nrm r0, v1\nmov oD0, r0", ["dot3", "rsq1", "mul4"]),
        ("rsq oD0, v1.x", ["max1", "rsq1"]),
        ("dp3 r0.x, v1, v1\nrsq oD0, r0.x", ["dot3", "rsq1"]),  # a sum of squares has no sign
        ("frc oD0.xy, v1", ["floor2", "add2"]),
        ("sge oD0, v1, v2", ["le4"]),
        ("dst oD0, v1, v2", ["mul1"]),
        ("mov oD0, c0", []),
        ("lrp oD0, v1, c0, v2", ["add4", "mul4", "add4"]),
        ("sgn oD0, v1, r0, r1", ["lt4", "lt4", "add4"]),
        ("pow oD0, v1.x, v2.y", ["max1", "log21", "mul1", "exp21"]),
        ("mova a0.x, v1.x\nmov oD0, c[a0.x+4]", ["add1", "floor1"]),
    ],
)
def test_components_that_do_the_same_are_one_operation(body: str, expected: list[str]):
    options = Options(arrays=(Array(4, 8),)) if "a0" in body else None
    assert operations(program_of(vertex(body), options)) == expected


def test_what_nothing_needs_is_not_computed():
    assert operations(program_of(vertex("lit r0, v1\nmov oD0, r0.y"))) == ["max1"]
    assert operations(program_of(vertex("mul r0, v1, c0\nadd r0, r0, c1\nmov oD0.xy, r0.zw"))) == ["mul2", "add2"]
    program = program_of(vertex("dp4 oD1, v1, c0\nmov oD0, v2"))
    assert ([port.name for port in program.inputs], program.uniforms) == (["position", "texcoord"], ())
    assert operations(program_of(vertex("lit r0.xw, v1\nmov oD0, r0.x"))) == []


def test_signs_of_the_components_of_a_register_are_their_own():
    """A register may hold a value and its negative: a later read of both takes each with its sign."""
    text = vertex("mov r0, v1.x\nmov r0.y, -r0.x\nmov oD0, r0")
    program = program_of(text)
    stores = [s for s in program.body if isinstance(s, code.Store) and program.variables[s.variable].name == "oD0"]
    assert [ref.negated for ref in stores[-1].operand] == [False, True, False, False]
    assert not compared(shader_of(text), program, data_of(shader_of(text), 1)).different


# Control flow


def test_control_flow_is_kept():
    text = vertex("mov r0, v1\nif b2\nadd r0, r0, v2\nelse\nmul r0, r0, c0\nendif\nrep i1\nadd r0, r0, c1\nendrep\nmov oD0, r0")
    program = program_of(text)
    kinds = [type(s).__name__ for s in program.body if isinstance(s, (code.If, code.For))]
    assert kinds == ["If", "For"]
    assert [(flag.name, flag.register) for flag in program.flags] == [("b2", 2)]
    assert [(count.name, count.register, count.most) for count in program.counts] == [("i1", 1, 255)]


def test_what_is_defined_is_known():
    text = vertex(
        "defb b0, true\ndefi i0, 3, 0, 1, 0\nmov r0, v1\nif b0\nadd r0, r0, v2\nendif\nrep i0\nadd r0, r0, c1\nendrep\n"
        "mov oD0, r0"
    )
    program = program_of(text)
    assert not program.flags
    assert [s.turns for s in statements(program.body) if isinstance(s, code.For)] == [3]
    assert not any(isinstance(s, code.If) for s in program.body)


def test_a_loop_counter_needs_start_and_step():
    text = vertex("mov r0, v1\nloop aL, i0\nadd r0, r0, c[aL+8]\nendloop\nmov oD0, r0")
    refused = lower(shader_of(text))
    assert [(d.code, d.fix) for d in refused.diagnostics] == [("L304", "give all three numbers: --bound i0=COUNT,START,STEP")]
    options = Options(bounds={0: Bound(4, 0, 1)}, arrays=(Array(8, 4),))
    loop = next(s for s in program_of(text, options).body if isinstance(s, code.For))
    assert (loop.turns, loop.start, loop.step) == (code.CountOf(0), 0, 1)
    assert not compared(shader_of(text), program_of(text, options), data_of(shader_of(text), 3)).different


def test_a_component_that_one_path_does_not_store_is_zero():
    text = vertex("if b0\nmov r0.x, v1\nendif\nmov oD0, r0.x")
    program = program_of(text)
    first = next(s for s in program.body if isinstance(s, code.Store))
    assert (program.variables[first.variable].name, first.mask) == ("r0", 1)
    assert not compared(shader_of(text), program, data_of(shader_of(text), 5)).different


# Constants


def test_constants_keep_their_numbers():
    program = program_of(vertex("mul oD0, v1, c90\nadd oT0.xy, v2, c200"))
    assert [(u.name, u.register) for u in program.uniforms] == [("c90", 90), ("c200", 0)]


def test_an_array_that_does_not_fit_beside_the_others_moves_them():
    """There is room for 90 registers in a row only if those that are read in the middle go elsewhere."""
    text = vertex("mova a0.x, v1.x\nadd r0, c[a0.x+100], c40\nadd r0, r0, c80\nmov oD0, r0")
    program = program_of(text, Options(arrays=(Array(100, 90),)))
    assert [(u.name, u.register) for u in program.uniforms] == [("c40", 90), ("c80", 91), ("c100", 0)]


@pytest.mark.parametrize(
    ("body", "fix"),
    [
        ("mov oD0, c[a0.x+22]", "c22=COUNT, at most --array c22=74 as c95 is the last register"),
        (
            "m4x3 r0.xyz, v0, c[a0.x+26]\nmov oD0, r0.x",
            "c26=COUNT/3, at most --array c26=69/3 as c95 is the last register (elements of 3 registers: one address reads "
            "c26 to c28)",
        ),
        (
            "mul r0, v0, c[a0.x+30]\nadd oD0, r0, c[a0.x+31]",
            "c30=COUNT/2, at most --array c30=66/2 as c95 is the last register (elements of 2 registers: one address reads "
            "c30 to c31)",
        ),
        ("def c20, 1, 2, 3, 4\nmov oD0, c[a0.x+4]", "c4=COUNT, at most --array c4=16 as c20 is another constant"),
        (
            "mov oD0, c[a0.x+4]\nmov oT0.xy, c6",
            "c4=COUNT, at most --array c4=2 if c6, which is read without an address, is not part of it",
        ),
        ("mov oD0, c[a0.x]", "c0=COUNT, at most --array c0=94 as the program has 2 other constants"),
        ("mov oD0, c[a0.x+99]", "c99=COUNT"),
        ("m4x3 r0.xyz, v0, c[a0.x+94]\nmov oD0, r0.x", "c94=COUNT/3 (elements of 3 registers: one address reads c94 to c96)"),
    ],
)
def test_an_array_of_unknown_size_is_refused_with_the_most_that_it_can_be(body: str, fix: str):
    """The size that the fix gives compiles, and one register more than that of the hardware does not."""
    shader = shader_of(vertex(f"mova a0.x, v1.x\n{body}").replace("vs_2_0", "vs_2_sw"))
    found = lower(shader)
    assert found.program is None
    assert [(d.code, d.severity, d.fix) for d in found.diagnostics] == [
        ("L305", "error", f"give the number of registers: --array {fix}")
    ]
    most = re.search(r"at most --array c(\d+)=(\d+)(?:/(\d))?", fix)
    if most:
        array = Array(int(most[1]), int(most[2]), int(most[3] or 1))
        assert lower(shader, Options(arrays=(array,))).program is not None


def test_what_the_counters_of_known_loops_reach_is_known():
    """One array for addresses that share registers; of loops whose numbers are defined, given, or have a bound."""
    body = "mov r0, v1\nloop aL, i0\nmul r1, r0, c[aL+8]\nadd r0, r1, c[aL+9]\nendloop\nmov oD0, r0"
    shader = shader_of(vertex(body))
    for text, options in (
        (f"defi i0, 4, 0, 2, 0\n{body}", Options()),
        (body, Options(integers={0: (4, 0, 2)})),
        (body, Options(bounds={0: Bound(4, 0, 2)})),
    ):
        program = program_of(vertex(text), options)
        assert [(u.name, u.rows, u.register) for u in program.uniforms] == [("c8", 8, 8)]
        if text != body:
            assert not compared(shader_of(vertex(text)), program, data_of(shader_of(vertex(text)), 3)).different
    down = program_of(vertex(body), Options(integers={0: (3, 4, -2)}))
    assert [(u.name, u.rows) for u in down.uniforms] == [("c8", 6)]
    apart = program_of(vertex(body.replace("aL+9", "aL+20")), Options(integers={0: (2, 0, 1)}))
    assert [(u.name, u.rows) for u in apart.uniforms] == [("c8", 2), ("c20", 2)]
    before = lower(shader, Options(integers={0: (3, 0, -8)}))
    assert [d.code for d in before.diagnostics] == ["L305"], "aL reaches what is before c0"
    defined = lower(shader_of(vertex(f"def c12, 1, 2, 3, 4\n{body}")), Options(integers={0: (4, 0, 2)}))
    assert [d.code for d in defined.diagnostics] == ["L305"], "aL reaches a number of the shader"


def test_too_many_constants_name_the_array_that_would_fit():
    text = vertex("mova a0.x, v1.x\nm4x3 r0.xyz, v0, c[a0.x+26]\nmov oD0, r0.x")
    found = lower(shader_of(text), Options(arrays=(Array(26, 216, 3),)))
    assert [(d.code, d.fix) for d in found.diagnostics] == [
        ("L306", "make the array smaller, to at most --array c26=69/3; its elements have 3 registers")
    ]
    assert lower(shader_of(text), Options(arrays=(Array(26, 69, 3),))).program is not None


def test_a_table_of_the_shader_is_not_a_uniform():
    text = vertex("def c4, 1, 2, 3, 4\ndef c5, 5, 6, 7, 8\nmova a0.x, v1.x\nmov oD0, c[a0.x+4]")
    program = program_of(text)
    assert not program.uniforms
    assert [s.rows for s in program.body if isinstance(s, code.Table)] == [((1, 2, 3, 4), (5, 6, 7, 8))]
    assert not compared(shader_of(text), program, data_of(shader_of(text), 7)).different


# Inputs and outputs


def wired(text: str, options: Options | None = None) -> list[tuple[str, str, int]]:
    return [(output.name, output.semantic, output.mask) for output in program_of(text, options).outputs]


def test_outputs_have_the_semantics_of_the_hardware():
    assert wired(BEGIN + "mov oPos, v0\nmov oD0, v1\nmov oT0.xy, v2\nmov oT1.xy, v2\nmov oT2.x, v2.x") == [
        ("oPos", "position", 15),
        ("oD0", "color", 15),
        ("oT0", "texcoord0", 3),
        ("oT1", "texcoord1", 3),
        ("oT2", "texcoord2", 1),
    ]


def test_the_third_component_of_the_first_coordinates_has_a_place():
    assert wired(BEGIN + "mov oPos, v0\nmov oT0.xyz, v2")[1:] == [
        ("oT0_texcoord0", "texcoord0", 3),
        ("oT0_texcoord0w", "texcoord0w", 1),
    ]


def test_outputs_of_shader_model_3_are_what_they_are_declared_to_be():
    text = (
        "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_texcoord o1.xy\ndcl_texcoord1 o1.zw\ndcl_normal o2\nmov o0, v0\n"
        "mov o1, v0\nmov o2, v0"
    )
    assert wired(text) == [
        ("o0", "position", 15),
        ("o1_texcoord0", "texcoord0", 3),
        ("o1_texcoord1", "texcoord1", 3),
        ("o2", "normalquat", 15),
    ]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("mov oD1, v1", "color1 (oD1) is left out: there is one color"),
        ("mov oFog, v1.x", "fog (oFog) is left out: fog is computed from the depth"),
        ("mov oPts, v1.x", "psize (oPts) is left out: there are no point sprites"),
        ("mov oT5.xy, v1", "texcoord5 (oT5) is left out: the hardware has no such output"),
        ("mov oT1, v1", "zw of texcoord1 (oT1) is left out: texcoord1 has 2 components"),
        ("mov oT0, v1", "z of texcoord (oT0) is left out: texcoord0w is one component, and has w"),
    ],
)
def test_what_the_hardware_has_no_place_for_is_left_out(body: str, message: str):
    found = lower(shader_of(vertex(body)))
    assert found.program is not None
    assert [(d.code, d.severity, d.message) for d in found.diagnostics] == [("L307", "warning", message)]


def test_an_option_says_what_an_output_is():
    text = vertex("mov oD1.xyz, v1\nmov oT4, v2")
    assert wired(text, Options(outputs={"color1": "view", "oT4": "none"}))[1:] == [("oD1", "view", 7)]
    assert not lower(shader_of(text), Options(outputs={"color1": "view", "oT4": "none"})).diagnostics


@pytest.mark.parametrize(
    ("body", "options", "code"),
    [
        ("mov oD0, v1\nmov oD1, v1", Options(outputs={"oD1": "color"}), "L309"),
        ("mov oD0, v1", Options(outputs={"oD0": "colour"}), "L309"),
        ("mov oD0, v1", Options(outputs={"oD1": "none"}), "L310"),
        ("mov oD0, v1", Options(bounds={1: Bound(3)}), "L310"),
        ("mov oD0, v1", Options(booleans={1: True}), "L310"),
        ("mova a0.x, v1.x\nmov oD0, c[a0.x+99]", Options(), "L305"),
        ("add r0, c100, c101\n" + "\n".join(f"add r0, r0, c{n}" for n in range(100)) + "\nmov oD0, r0", Options(), "L306"),
        ("mov oD0, v16", Options(), "L302"),
    ],
)
def test_what_cannot_be_is_refused(body: str, options: Options, code: str):
    found = lower(shader_of(vertex(body).replace("vs_2_0", "vs_2_sw")), options)
    assert found.program is None
    assert [d.code for d in found.diagnostics] == [code]
    assert all(d.fix for d in found.diagnostics)


def test_textures_and_pixel_shaders_are_refused():
    sampled = "vs_3_0\ndcl_position v0\ndcl_2d s0\ndcl_position o0\ntexldl r0, v0, s0\nmov o0, r0"
    for text in (sampled, "ps_2_0\ndcl v0\nmov oC0, v0"):
        assert [d.code for d in lower(shader_of(text)).diagnostics] == ["L301"]


def test_calls_in_place_are_bounded():
    levels = "\n".join(f"label l{n}\ncall l{n + 1}\ncall l{n + 1}\nret" for n in range(12))
    text = f"vs_2_x\ndcl_position v0\nmov oPos, v0\ncall l0\nret\n{levels}\nlabel l12\nadd r0, r0, v0\nret"
    assert [d.code for d in lower(shader_of(text)).diagnostics] == ["L303"]


@pytest.mark.parametrize(
    ("body", "message"),
    [("mov oD0, v1", "the position is never written"), ("mov oPos.xyz, v0", "w of the position is never written")],
)
def test_a_shader_without_a_position_is_reported(body: str, message: str):
    found = lower(shader_of(BEGIN + body))
    assert [(d.code, d.message) for d in found.diagnostics] == [("L308", message)]


def test_paired_instructions_of_a_damaged_file():
    """The bit that pairs two instructions is for pixel shaders; in a vertex shader it does no harm."""
    shader = shader_of(vertex("lrp oD0, v1, v2, c0\nmov oT0.xy, v1"))
    items = [
        item._replace(token=item.token | COISSUE) if isinstance(item, Inst) and item.op.name == "mov" else item
        for item in shader.items
    ]
    paired = shader._replace(items=tuple(items))
    found = lower(paired)
    assert found.program is not None
    assert not compared(paired, found.program, data_of(paired, 1)).different


# Bits

BODIES = (
    "lit oD0, v1",
    "exp oD0, v1.w",
    "log oD0, v1.x",
    "expp oD0, v1.x",
    "logp oD0, -v1.y",
    "abs oD0, -v1",
    "sgn oD0, v1, r0, r1",
    "dst oD0, v1, v2",
    "sincos r0.xy, v1.x, c0, c1\nmov oD0, r0.xyxy",
    "nrm r0, v1\nmov oD0, r0",
    "lrp oD0, v1, v2, c0",
    "pow oD0, v1.x, v2.y",
    "rcp oD0, v1.x",
    "min oD0, v1, v2",
    "max oD0, -v1, v2",
    "slt oD0, v1, v2",
    "m3x3 oD0.xyz, v1, c4",
    "mova a0, v1\nmov oD0, c[a0.w+8]",
    "crs r0.xyz, v1, v2\nmov oD0, r0.xyzx",
)


@pytest.mark.parametrize("body", BODIES, ids=[body.split()[0] for body in BODIES])
def test_instructions_give_the_bits_of_their_meaning(body: str):
    shader = shader_of(vertex(body))
    found = compared(
        shader, program_of(vertex(body), Options(arrays=(Array(8, 8),)) if "mova" in body else None), data_of(shader, 11, 32)
    )
    assert not found.different
    assert found.lanes > 2


@pytest.mark.parametrize("seed", sample(range(400), 16))
def test_random_shaders_give_the_bits_of_their_semantics(seed: int):
    for number in range(times(1, 4)):
        case, options = random_shader(1000 * number + seed)
        found = lower(case.shader, options)
        assert found.program is not None, found.diagnostics
        assert not compared(case.shader, found.program, data_of_case(case)).different


# Numbers


@pytest.mark.parametrize("body", BODIES, ids=[body.split()[0] for body in BODIES])
def test_float24_is_near_the_numbers(body: str):
    """The measure itself is measured: in float64, by the rules of Direct3D 9 and none of the hardware's."""
    shader = shader_of(vertex(body))
    flow, _ = resolve(shader)
    assert flow is not None
    data = plain_data(data_of(shader, 17, 16), 18)
    words = run24(flow, data, [(isa.ATTROUT, 0)]).outputs
    found, lanes = outside(flow, data, words)
    assert not found
    assert lanes > 3
    wrong = {key: [[word ^ 1 << 8 for word in row] for row in rows] for key, rows in words.items()}
    assert "mova" in body or outside(flow, data, wrong)[0], "a mistake of 2^-8 would not be found"


@pytest.mark.parametrize("seed", sample(range(1000), 8))
def test_random_shaders_in_float24_are_near_the_numbers(seed: int):
    case, _ = random_shader(seed, 16)
    flow, _ = resolve(case.shader)
    assert flow is not None
    data = plain_data(data_of_case(case), seed)
    data = data._replace(constants={**data.constants, **{n: row for n, row in flow.constants.items() if _is_plain(row)}})
    flow = flow._replace(constants={n: data.constants[n] for n in flow.constants})
    keys = [(port.file, port.number) for port in interface.outputs(case.shader)]
    assert not outside(flow, data, run24(flow, data, keys).outputs)[0]


def _is_plain(row: Sequence[int]) -> bool:
    return all(0x3000 < bits >> 16 & 0x7FFF < 0x5000 or not bits for bits in row)
