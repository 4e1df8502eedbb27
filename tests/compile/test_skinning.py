"""Arrays of matrices that an address chooses from: elements by the constant table, and help for what does not fit."""

from __future__ import annotations

import struct

from direct3d9_cases import table
from lanewise.compile.shadercore.direct3d9 import Options, compile_shader, named_arrays
from lanewise.compile.shadercore.tracer import Array
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.shadercore.isa.devices import RTL

BONES = struct.pack("<6HI", 3, 3, 4, 3, 72, 0, 0)  # float4x3[72], by columns
BONE = "def c1, 3, 0, 1, 0\ndcl_position v0\ndcl_blendindices v3\nmul r0, v3, c1.x\nmova a0, r0\n" + "".join(
    [f"dp4 r1.{'xyz'[n]}, v0, c[a0.x+{26 + n}]\n" for n in range(3)]
)


def shader(text: str, *, named: bool = True) -> Direct3DShader:
    words = ", ".join([f"{word:#x}" for word in table([("Bones", 2, 26, 216, 0)], BONES)[1:]])
    return Direct3DShader.from_source("vs_2_0\n" + (f".comment {words}\n" if named else "") + text, "bone.vsa")


def help_of(found: Direct3DShader, options: Options | None = None) -> tuple[str, str]:
    known = options or Options(arrays=named_arrays(found.constants, ()))
    (finding, *_) = compile_shader(found.shader, RTL, known, name="bone.vsa").diagnostics
    return finding.code, finding.fix


def test_elements_of_a_constant_table_are_its_matrices():
    found = shader(BONE + "mov r1.w, v0.w\nmov oPos, r1\n")
    (array,) = named_arrays(found.constants, ())
    assert (array.first, array.size, array.stride) == (26, 216, 3)
    assert help_of(found) == ("L003", "--array c26=48/3 would fit")
    bare = shader(BONE + "mov oPos, r1\n", named=False)
    assert help_of(bare, Options())[1].startswith("give --array c26=COUNT/3 (elements of 3 registers)")


def test_offsets_of_whole_matrices_are_the_step_of_an_array():
    """An array whose elements the options do not say is searched from every register: far too long."""
    found = shader(BONE + "mov r1.w, v0.w\nmov oPos, r1\n", named=False)
    assert help_of(found, Options(arrays=(Array(26, 36),)))[1].startswith("--array c26=36/3 would fit, where each address is a")
    apart = shader(BONE.replace("c[a0.x+27]", "c[a0.x+30]") + "mov r1.w, v0.w\nmov oPos, r1\n", named=False)
    assert "/3" not in help_of(apart, Options(arrays=(Array(26, 216),)))[1]


def test_a_shader_that_fits_with_no_array_is_told_what_to_change():
    """The lines after the bone are longer than the device by themselves."""
    long = "".join([f"mad r1, r1, c{n % 20 + 2}, r1\n" for n in range(60)])
    code, fix = help_of(shader(BONE + "mov r1.w, v0.w\n" + long + "mov oPos, r1\n"))
    assert code == "L003"
    assert fix.startswith("no size of the array at c26 is small enough")


def test_an_array_that_ends_within_an_element():
    """A size counts registers: four bones of three rows are twelve, and an address beyond them reads 0."""
    found = shader(BONE + "mov r1.w, v0.w\nmov oPos, r1\n", named=False)
    [finding] = compile_shader(found.shader, RTL, Options(arrays=(Array(26, 4),)), name="bone.vsa").diagnostics
    assert (finding.code, finding.fix) == ("L013", "write --array c26=12/3 for 4 elements, or another multiple of 3")
    assert not compile_shader(found.shader, RTL, Options(arrays=(Array(26, 12, 3),)), name="bone.vsa").diagnostics
