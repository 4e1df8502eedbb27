"""The compiled engine on every operation with every kind of number, and on data in every layout, by threads and in batches."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

import lanewise as lw
from effort import EXHAUSTIVE, times
from engines.both import same
from engines.compiled_runs import X_IS_TRUE, counted
from engines.shaders import PLAIN, word
from lanewise.core.engines import LLVM, REFERENCE
from lanewise.pica200.engine.binding import Column, Columns, Inputs, Uniforms
from lanewise.pica200.engine.random_programs import EDGES, EDGES_FLOAT32
from lanewise.pica200.engine.run import Runner
from lanewise.pica200.isa.table import FLOAT, OPS, WIDE_SOURCE
from lanewise.pica200.sem.profile import HARDWARE, profiles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.pica200.isa.table import Op

C = FLOAT
END = word("end")
TINY = 2.0**-70  # a subnormal float24

PROFILES = {
    "zero": HARDWARE,
    "nearest": HARDWARE.replace(rounding="nearest"),
    "azahar": profiles["azahar"],
    "panda3ds": profiles["panda3ds"],
    "float32": HARDWARE.replace(rounding="float32", subnormal_arithmetic="keep", subnormal_floor="keep"),
}
COMPUTING = [op for op in OPS if "src" in op.operands]


# Every operation under two of the profiles in turn, in an exhaustive run under all.
UNDER = [
    pytest.param(op, rules, id=f"{op.name}-{rules}")
    for number, op in enumerate(COMPUTING)
    for turn, rules in enumerate(PROFILES)
    if EXHAUSTIVE or (turn - number) % len(PROFILES) < 2
]


@pytest.mark.parametrize(("op", "rules"), UNDER)
def test_every_operation_on_edge_inputs(op: Op, rules: str):
    profile = PROFILES[rules].replace(initial_state="zero")
    wide = profile.rounding == "float32"
    edges = EDGES_FLOAT32 if wide else EDGES
    pairs = np.array(
        list(product(edges, edges))[:: times(7, 1)] if op.source_count > 1 else [(edge, edge) for edge in edges], np.uint32
    )
    first, second = pairs[:, 0], pairs[:, 1]
    vectors = {0: first, 1: second, 2: np.roll(first, 7)}
    bound = {n: np.stack([values, np.roll(values, 1), np.roll(values, 2), values], axis=1) for n, values in vectors.items()}
    fields = {f"src{n}": n - 1 for n in range(1, op.source_count + 1)}
    words = [word(op.name, **fields, **({"dst": 0} if op.format.has("dst") else {})), END]
    if op.base == "cmp":
        words = [
            w
            for c in range(6)
            for w in (
                word("cmp", **fields, cmpx=c, cmpy=5 - c),
                word("ifc", dst=4 * c + 3, num=1, **X_IS_TRUE),
                word("mov", dst=c, src1=0),
                word("mov", dst=c + 6, src1=1),
            )
        ]
        words.append(END)
    if op.base == "mova":
        words = [word("mova", src1=0), word("mov", dst=0, src1=C + 30, idx=1), word("mov", dst=1, src1=C + 30, idx=2), END]
    columns_of = {
        n: Column(array.view(np.float32) if wide else array, raw=not wide, profile=profile) for n, array in bound.items()
    }
    inputs = Inputs(Columns(columns_of, len(pairs)), len(pairs))
    floats = tuple((0x3F0000 + n, n, 0, 1) for n in range(96))
    uniforms = Uniforms(floats=floats, integers=((0, 0, 0, 0),) * 4, booleans=(False,) * 16, given=frozenset())
    runner = Runner(words, (PLAIN, PLAIN), 0, profile)
    wanted = runner.run(inputs, uniforms, (), range(16), 100, engine=REFERENCE)
    found = runner.run(inputs, uniforms, (), range(16), 100, engine=LLVM)
    assert found.engine == LLVM
    same(wanted, found)


@pytest.mark.one_of(5)
@pytest.mark.parametrize("name", ["mov", "add", "mad", "max", "sgei", "dphi", "madi"])
@pytest.mark.parametrize("edge", EDGES[:24])
def test_edges_in_uniforms(name: str, edge: int):
    op = next(op for op in OPS if op.name == name)
    wide = WIDE_SOURCE[op.format.name]
    fields = {f"src{n}": (C if n == wide else n) for n in range(1, op.source_count + 1)}
    rng = np.random.default_rng(edge)
    bound = {n: np.array(EDGES, np.uint32)[rng.integers(0, len(EDGES), (50, 4))] for n in (1, 2, 3)}
    inputs = Inputs(Columns({n: Column(array, raw=True, profile=HARDWARE) for n, array in bound.items()}, 50), 50)
    uniforms = Uniforms(
        floats=((edge, 0x3F0000, edge, 0),) * 96, integers=((0, 0, 0, 0),) * 4, booleans=(False,) * 16, given=frozenset()
    )
    runner = Runner([word(name, dst=0, **fields), END], (PLAIN,), 0, HARDWARE)
    same(*(runner.run(inputs, uniforms, (), range(16), 100, engine=engine) for engine in (REFERENCE, LLVM)))


# Data: threads, batches, layouts

SOURCE = """.fvec mvp[4], light
.ivec rounds
.in position v0
.in normal v1
.out pos position
.out clr color
.proc main
    dp4 pos.x, mvp[0], position
    dp4 pos.y, mvp[1], position
    dp4 pos.z, mvp[2], position
    dp4 pos.w, mvp[3], position
    mov r0, normal
    cmp light.xx, lt, ge, r0.xy
    ifc cmp.x
        for rounds
            mad r0, r0, r0, normal
        .end
    .else
        rsq r0, r0.z
    .end
    max clr, light, r0
    end
.end
"""
UNIFORMS = {"mvp": np.arange(16.0).reshape(4, 4), "light": [0.25, 0.5, 0.75, 1], "rounds": [2, 0, 1]}


def data_of(count: int) -> dict[str, NDArray[np.float32]]:
    """Numbers, and among them now and then what is not ordinary."""
    rng = np.random.default_rng(7)
    found = {name: rng.uniform(-2, 2, (count, 4)).astype(np.float32) for name in ("position", "normal")}
    for name, bad in (("position", np.nan), ("normal", np.inf), ("normal", TINY), ("position", 0.0), ("normal", -0.0)):
        found[name][rng.integers(0, count, max(count // 50, 1)), rng.integers(0, 4)] = bad
    return found


@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 31, 32, 33, 47, 100, 1000])
def test_threads_change_nothing(count: int):
    shader, data = lw.assemble(SOURCE).vertex, data_of(count)
    wanted = shader.run(data, UNIFORMS, engine="reference")
    for threads in (1, 2, 3, 8):
        same(wanted, shader.run(data, UNIFORMS, engine="llvm", threads=threads))


def test_faults_are_in_order_whatever_the_threads():
    source = (
        ".in v\n.out p position\n.proc main\nmov p, v\ncmp v.xx, gt, gt, c0.xx\njmpc cmp.x, over\nbreak\nover: nop\nend\n.end\n"
    )
    shader = lw.assemble(source.replace("cmp v.xx, gt, gt, c0.xx", "cmp c0.xx, lt, lt, v.xx")).vertex
    data = counted(200) % 7
    wanted = shader.run({"v": data}, {"c0": 0}, engine="reference", keep_faults=True)
    assert len(wanted.faults) == 29
    for threads in (1, 2, 3):
        same(wanted, shader.run({"v": data}, {"c0": 0}, engine="llvm", threads=threads, keep_faults=True))


def test_batches_change_nothing():
    """A vertex gives the same whichever others are with it."""
    shader, data = lw.assemble(SOURCE).vertex, data_of(300)
    whole = shader.run(data, UNIFORMS, engine="llvm")
    for start, stop in [(0, 1), (0, 5), (3, 19), (7, 40), (16, 32), (100, 233), (299, 300), (1, 300)]:
        part = shader.run({name: array[start:stop] for name, array in data.items()}, UNIFORMS, engine="llvm")
        for key in ("position", "color"):
            assert np.array_equal(part.bits[key], whole.bits[key][start:stop])


def _unaligned(array: NDArray[np.float32]) -> NDArray[np.float32]:
    raw = np.empty(array.nbytes + 1, np.uint8)[1:].view(np.float32).reshape(array.shape)
    raw[:] = array
    return raw


LAYOUTS: Mapping[str, Callable[[NDArray[np.float32]], NDArray[Any]]] = {
    "interleaved": lambda a: np.stack([a, a * 2, a * 3], axis=1)[:, 0],
    "rows apart": lambda a: np.repeat(a, 3, axis=0)[::3],
    "backwards": lambda a: a[::-1].copy()[::-1],
    "columns first": np.asfortranarray,
    "unaligned": _unaligned,
    "big endian": lambda a: a.astype(">f4"),
    "float64": lambda a: a.astype(np.float64),
    "structured": lambda a: np.rec.fromarrays([a, a[:, 0]], dtype=[("at", "f4", 4), ("weight", "f4")])["at"],
    "read-only": lambda a: np.frombuffer(a.tobytes(), np.float32).reshape(a.shape),
}


@pytest.mark.one_of(5)
@pytest.mark.parametrize("components", [1, 2, 3, 4])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("count", [3, 16, 45])
def test_layouts_change_nothing(layout: str, components: int, count: int):
    shader, data = lw.assemble(SOURCE).vertex, data_of(count)
    whole = {name: np.ascontiguousarray(array[:, :components]) for name, array in data.items()}
    given = {name: LAYOUTS[layout](array)[:, :components] for name, array in data.items()}
    assert all(np.array_equal(given[name], whole[name], equal_nan=True) for name in whole)
    same(shader.run(whole, UNIFORMS, engine="reference"), shader.run(given, UNIFORMS, engine="llvm"))


@pytest.mark.parametrize("components", [1, 2, 3, 4])
def test_one_row_for_all(components: int):
    shader, data = lw.assemble(SOURCE).vertex, data_of(40)
    given = {"position": data["position"], "normal": data["normal"][:1, :components]}
    same(shader.run(given, UNIFORMS, engine="reference"), shader.run(given, UNIFORMS, engine="llvm"))
    alone = {name: array[:1, :components] for name, array in data.items()}
    same(shader.run(alone, UNIFORMS, count=33, engine="reference"), shader.run(alone, UNIFORMS, count=33, engine="llvm"))


def test_no_vertices():
    shader = lw.assemble(SOURCE).vertex
    found = shader.run({"position": np.zeros((0, 4)), "normal": np.zeros((0, 4))}, UNIFORMS, engine="llvm")
    assert found.outputs["position"].shape == (0, 4)


@pytest.mark.parametrize("rounding", ["zero", "nearest"])
def test_a_subnormal_uniform_is_zero_to_arithmetic(rounding: str):
    """Nobody can tell it from zero there, so ordinary vectors need no exact kernel; but it must be zero."""
    source = """.fvec tiny
.out pos position
.out col color
.proc main
    mul pos.xy, tiny, v0
    ex2 r0, tiny
    lg2 r0, r0
    mov pos.zw, r0
    add col, tiny, v0
    end
.end
"""
    shader = lw.assemble(source).vertex
    rules = lw.pica200.profiles["hardware"].replace(rounding=rounding)
    inputs = {"v0": np.full((20, 4), 2.0**23, np.float32)}
    uniforms = {"tiny": lw.Words([0x000001, 0x80FFFF, 0x00FFFF, 0x800001])}
    found, wanted = (shader.run(inputs, uniforms, engine=engine, profile=rules) for engine in ("llvm", "reference"))
    assert found.outputs["position"][0].tolist() == [0.0, 0.0, 0.0, 0.0]
    for key in ("position", "color"):
        assert np.array_equal(found.bits[key], wanted.bits[key])
