"""Constants in fewer registers: which share one, which stay, and where nothing moves."""

from __future__ import annotations

import numpy as np

from lanewise.api.loading import assemble
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.engine.float24 import decode

if TYPE_CHECKING:
    from lanewise.pica200.api.file import Optimisation, ShaderFile

HEAD = """.fvec m[4]
.out outpos position
.out outclr color
.in inpos
.in inclr
"""
POSITION = "\n".join([f"    dp4 outpos.{c}, m[{n}], inpos" for n, c in enumerate("xyzw")])


def source(constants: str, code: str) -> str:
    return f"{HEAD}{constants}\n.proc main\n{POSITION}\n{code}\n    end\n.end\n"


def optimised(constants: str, code: str, *, known: bool = True) -> tuple[ShaderFile, Optimisation]:
    file = assemble(source(constants, code))
    return file, file.optimise(constants_known=known)


def table(file: ShaderFile) -> dict[int, tuple[float, ...]]:
    """The constants by the numbers of their registers."""
    constants = file.vertex.interface.constants
    return {one.register - 0x20: tuple(decode(np.array(one.values, np.uint32), np.float64).tolist()) for one in constants}


def same(file: ShaderFile, found: Optimisation) -> bool:
    """Whether the outputs are the same on some vertices, with the constants of each file."""
    inputs = {"inpos": [[1, 2, 3, 1], [-1, 0.5, 7, 2]], "inclr": [[0.1, 0.2, 0.3, 0.4], [5, -6, 7, -8]]}
    uniforms = {"m": [[1, 0, 0, 2], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}
    one, other = (each.vertex.run(inputs=inputs, uniforms=uniforms) for each in (file, found.file))
    return all((one.bits[name] == other.bits[name]).all() for name in one.bits)


def test_equal_components_share_a_register():
    file, found = optimised(".constf a(0.5, 0, 0, 0)\n.constf b(1, 0.5, 2, 3)", "mul r0, a.x, inclr\nadd outclr, b.xyzw, r0")
    assert found.constants == (2, 1)
    assert list(table(found.file).values()) == [(1, 0.5, 2, 3)]
    assert same(file, found)


def test_the_other_sign():
    file, found = optimised(".constf a(-1, 2, -3, 4)\n.constf b(1, -2, 3, -4)", "mul r0, a, inclr\nadd outclr, b, r0")
    assert found.constants == (2, 1)
    assert same(file, found)
    (negated,) = [
        operation
        for operation in found.file.program.operations
        if any(getattr(each, "negate", False) for each in operation.operands)
    ]
    assert negated.op.name in ("mul", "add")


def test_a_swizzle():
    file, found = optimised(".constf a(1, 2, 3, 4)\n.constf b(4, 3, 2, 1)", "mul r0, a, inclr\nadd outclr, b, r0")
    assert found.constants == (2, 1)
    assert same(file, found)


def test_scalars_are_packed():
    constants = "\n".join([f".constf k{n}({n + 2}, 0, 0, 0)" for n in range(5)])
    code = "mul r0, k0.x, inclr\nadd r0, k1.x, r0\nmul r0, k2.x, r0\nadd r0, k3.x, r0\nmul outclr, k4.x, r0"
    file, found = optimised(constants, code)
    assert found.constants == (5, 2)
    assert same(file, found)


def test_unused_ones_go():
    file, found = optimised(".constf a(1, 2, 3, 4)\n.constf b(5, 6, 7, 8)\n.consti n(1, 0, 1, 0)", "mul outclr, a, inclr")
    assert found.constants == (3, 1)
    assert same(file, found)
    assert found.steps[-1].fix.count("never read") == 2


def test_what_reads_alone_does_not_fit_together():
    """Two full vectors, each read as a whole."""
    _, found = optimised(".constf a(1, 2, 3, 4)\n.constf b(5, 6, 7, 8)", "mul r0, a, inclr\nadd outclr, b, r0")
    assert found.constants == (2, 2)
    assert not found.steps


def test_reads_of_a_register_go_apart():
    """The x of one register and the yzw of another: what is read by different instructions need not stay together."""
    constants = ".constf a(1, 2, 3, 4)\n.constf b(5, 1, 2, 3)\n.constf c(6, 7, 8, 5)"
    file, found = optimised(constants, "mul r0, a, inclr\nadd r0, b.x, r0\nadd r0, b.yzww, r0\nadd outclr, c, r0")
    assert found.constants == (3, 2)
    assert same(file, found)


def test_signed_zeros_are_two_values():
    _, found = optimised(".constf a(0, 0, 0, 0)\n.constf b(1, 2, 3, 0)", "add r0, a, inclr\nmul outclr, b, r0")
    assert found.constants == (2, 1)
    _, found = optimised(".constf a(-0, 0, -0, 0)\n.constf b(1, 2, 3, 0)", "add r0, a, inclr\nmul outclr, b, r0")
    assert found.constants == (2, 2)


def test_only_where_they_are_known():
    _, found = optimised(".constf a(1, 2, 3, 4)\n.constf b(1, 2, 3, 4)", "mul r0, a, inclr\nadd outclr, b, r0", known=False)
    assert not found.steps
    assert found.constants == (2, 2)


def test_an_index_may_read_any_of_them():
    code = "mova a0.x, inpos\nmul r0, m[a0.x], inclr\nadd r0, a, r0\nadd outclr, b, r0"
    _, found = optimised(".constf a(1, 2, 3, 4)\n.constf b(1, 2, 3, 4)", code)
    assert found.constants == (2, 2)


def test_a_name_in_the_table_of_uniforms_stays():
    """nihstro lists constants among the uniforms: an application may look for the name. Others are read from there."""
    text = """.alias m c0-c3
.alias named c10 as (1.0, 2.0, 3.0, 4.0)
.alias inclr v1
.alias outpos o0 as position
.alias outclr o1 as color
main:
    mul outclr, named, inclr
    mov outpos, inclr
    nop
    end
endmain:
"""
    file = assemble(text, dialect="nihstro")
    named = {uniform.name for uniform in file.vertex.interface.uniforms}
    found = file.optimise(constants_known=True)
    assert found.constants[1] == found.constants[0]
    assert {uniform.name for uniform in found.file.vertex.interface.uniforms} == named


def test_packed_components_are_computed_by_one_instruction():
    """What reads components of different registers can be one instruction when they are in one."""
    file, found = optimised(
        ".constf a(2, 0, 0, 0)\n.constf b(3, 0, 0, 0)", "mul outclr.x, a.x, inclr.x\nmul outclr.yzw, b.x, inclr"
    )
    assert found.words[1] < found.words[0]
    assert same(file, found)


def test_the_result_is_proved_equal():
    file, found = optimised(".constf a(-0.5, 2, 0, 0)\n.constf b(0.5, 0, 0, 0)", "mul r0, a.x, inclr\nadd outclr, b.x, r0")
    assert found.constants == (2, 1)
    assert file.vertex.equivalent(found.file.vertex, constants_known=True)
