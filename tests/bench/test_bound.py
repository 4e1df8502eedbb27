"""Bounds of machine code: counted by hand, and counted again by brute force from what kernels are emitted."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from lanewise.llvm.target import host
from lanewise_bench.bound import CHAIN, ISSUE, MEMORY, PORTS, Bound, bound, busy, uses_of
from lanewise_bench.cases import CASES
from lanewise_bench.machine import Clock, Instruction, instruction, pieces, rounds, traced
from lanewise_bench.measure import Bench
from lanewise_bench.processors import CORES, KINDS, core_of, kind_of
from together import together

ZEN3, ZEN4 = (next(core for core in CORES if core.name == name) for name in ("Zen 3", "Zen 4"))


def _code(text: str) -> list[Instruction]:
    return [instruction(line.strip()) for line in text.strip().splitlines()]


def _bound(text: str, vectors: int = 8) -> Bound:
    return bound([_code(text)] * vectors, ZEN3)


@together(
    ("text", "kind", "loads", "stores", "reads", "writes"),
    [
        ("vaddps\t%ymm1, %ymm2, %ymm3", "add", False, False, ("v1", "v2"), ("v3",)),
        ("vfmadd213ps\t%ymm1, %ymm2, %ymm3", "fma", False, False, ("v1", "v2", "v3"), ("v3",)),
        ("vandps\t32(%rsp), %ymm2, %ymm3", "logic", True, False, ("sp", "32(%rsp)", "v2"), ("v3",)),
        ("vmovaps\t%ymm3, 32(%rsp)", "none", False, True, ("v3", "sp"), ("32(%rsp)",)),
        ("vmovups\t(%rsi,%r12), %ymm3", "none", True, False, ("si", "r12"), ("v3",)),
        ("vmovaps\t%ymm1, %ymm2", "move", False, False, ("v1",), ("v2",)),
        ("vxorps\t%xmm9, %xmm9, %xmm9", "move", False, False, (), ("v9",)),
        ("vbroadcastss\t4096(%rdx), %ymm1", "none", True, False, ("d",), ("v1",)),
        ("vbroadcastss\t%xmm0, %ymm1", "half", False, False, ("v0",), ("v1",)),
        ("vmovmskps\t%ymm1, %eax", "to integer", False, False, ("v1",), ("a",)),
        ("vcmpnltps\t%ymm3, %ymm1, %ymm0", "compare", False, False, ("v3", "v1"), ("v0",)),
        ("mulps\t%xmm1, %xmm2", "mul", False, False, ("v1", "v2"), ("v2",)),
        ("addq\t$16, %rbx", "scalar", False, False, ("b",), ("b",)),
        ("addq\t$16, 8(%rdi)", "scalar", True, True, ("di",), ()),
        ("leaq\t1(%r12), %r14", "address", False, False, ("r12",), ("r14",)),
        ("prefetcht0\t4096(%rsi,%r12)", "prefetch", False, False, ("si", "r12"), ()),
        ("vptest\t%ymm0, %ymm1", "test", False, False, ("v0", "v1"), ()),
        ("jne\t.LBB0_5", "branch", False, False, (), ()),
    ],
)
def test_instructions(text: str, kind: str, loads: bool, stores: bool, reads: tuple[str, ...], writes: tuple[str, ...]):
    found = instruction(text)
    assert (found.kind, found.loads, found.stores, found.reads, found.writes) == (kind, loads, stores, reads, writes)


@together(
    ("text", "reason", "cycles"),
    [
        # Twelve sums for two pipes.
        ("\n".join(f"vaddps %ymm14, %ymm15, %ymm{n}" for n in range(12)), PORTS, 6.0),
        # Sums and comparisons share their pipes; products have others.
        ("vaddps %ymm14, %ymm15, %ymm0\nvcmpltps %ymm14, %ymm15, %ymm1\nvmulps %ymm14, %ymm15, %ymm2", PORTS, 1.0),
        # Four bitwise operations fill all pipes, whatever else there is of the same.
        ("\n".join(f"vandps %ymm14, %ymm15, %ymm{n}" for n in range(8)), PORTS, 2.0),
        # A store takes the third operand of both pipes: measured, 6 cycles for eight and two.
        ("\n".join([*(f"vfmadd213ps %ymm14, %ymm15, %ymm{n}" for n in range(8)), *["vmovaps %ymm14, (%rax)"] * 2]), PORTS, 6.0),
        ("\n".join([*(f"vmulps %ymm14, %ymm15, %ymm{n}" for n in range(4)), "vmovaps %ymm14, (%rax)"]), PORTS, 2.0),
        # What is only renamed needs no pipe, but its place.
        ("\n".join(f"vmovaps %ymm14, %ymm{n}" for n in range(12)), ISSUE, 2.0),
        # A comparison and its branch are one operation.
        ("cmpq %rax, %rcx\njne .L1\n" + "\n".join(f"vmovaps %ymm14, %ymm{n}" for n in range(11)), ISSUE, 2.0),
        # From one vector to the next: three cycles each.
        ("vaddps %ymm0, %ymm1, %ymm0\nvaddps %ymm0, %ymm1, %ymm0", CHAIN, 6.0),
        # Through a place on the stack.
        ("vmovaps %ymm0, 64(%rsp)\nvaddps 64(%rsp), %ymm1, %ymm0", CHAIN, 3.0),
    ],
)
def test_bounds_counted_by_hand(text: str, reason: str, cycles: float):
    found = _bound(text)
    assert (found.reason, found.most) == (reason, pytest.approx(cycles))  # pyright: ignore[reportUnknownMemberType]


@pytest.mark.parametrize(
    ("text", "cycles"),
    [
        # Measured on a Zen 4: vectors of 512 bits take two cycles of each pipe.
        ("\n".join(f"vaddps %zmm14, %zmm15, %zmm{n}" for n in range(12)), 12.0),
        ("vaddps %zmm14, %zmm15, %zmm0\nvmaxps %zmm14, %zmm15, %zmm1", 2.0),
        ("vmulps %zmm14, %zmm15, %zmm0\nvcmpltps %zmm14, %zmm15, %k1", 2.0),
        ("vaddps %zmm14, %zmm15, %zmm0\nvcmpltps %zmm14, %zmm15, %k1", 1.0),
        ("vpermt2ps %zmm14, %zmm15, %zmm0\nvextractf32x8 $1, %zmm14, %ymm1", 2.0),
        ("\n".join(f"vunpcklps %zmm14, %zmm15, %zmm{n}" for n in range(12)), 8.0),
        ("\n".join([*(f"vfmadd213ps %zmm14, %zmm15, %zmm{n}" for n in range(8)), *["vmovaps %zmm14, (%rax)"] * 2]), 11.0),
        ("\n".join(f"vmovaps (%rax), %zmm{n}" for n in range(8)), 8.0),
    ],
)
def test_bounds_of_512_bits_counted_by_hand(text: str, cycles: float):
    assert bound([_code(text)] * 2, ZEN4).cycles[PORTS] == pytest.approx(cycles)  # pyright: ignore[reportUnknownMemberType]


def test_a_chain_is_hidden_by_what_a_window_holds():
    """A quotient after another, fresh in each vector: with much else between, several are under way at once."""
    quotients = ["vdivss %xmm0, %xmm1, %xmm2", *["vdivss %xmm2, %xmm1, %xmm2"] * 9]
    short = bound([_code("\n".join(quotients))] * 12, ZEN3).cycles[CHAIN]
    long = bound([_code("\n".join(quotients + ["nop"] * 290))] * 12, ZEN3).cycles[CHAIN]
    assert short < 10 and 60 < long <= 100  # ten of ten cycles; a window of 256 holds 25 vectors, or less than one


def test_memory():
    code = [_code("vmovaps (%rax), %ymm0")] * 4
    assert bound(code, ZEN3, 512).cycles[MEMORY] == 512 / ZEN3.fill
    assert bound(code, ZEN3).cycles[MEMORY] == 0


def test_every_core_knows_every_kind():
    for core in CORES:
        assert {*KINDS, "load", "store", "vector load", "vector store"} - {"move"} == core.uses.keys(), core.name
        assert core.wide.keys() <= core.uses.keys()
    assert core_of("znver3", "avx2") == (ZEN3, True)
    assert core_of("znver9", "avx2") == (ZEN3, False)
    assert core_of("znver4", "avx512") == (ZEN4, True)
    assert core_of("generic", "neon") is None
    assert kind_of("vpmovmskb") == "to integer"
    assert kind_of("vpackssdw") == "shuffle"
    assert (kind_of("vextractf128"), kind_of("vextracti64x2"), kind_of("vpextrd")) == ("extract", "extract", "to integer")


def test_the_vectors_of_a_trace():
    assert rounds([9, 1, 2, 3, 1, 2, 2, 3, 1, 3, 4], 3) == [[1, 2, 3], [1, 2, 2, 3]]


@pytest.mark.skipif(host().family != "x86", reason="machine code of x86")
def test_bounds_of_emitted_loops():
    """By brute force over all sets of pipes, from the same code."""
    bench = Bench("native", stream=False, vertices=128)
    assert bench.core is not None
    core, _ = bench.core
    data = bench.data(CASES[0], "hardware")
    found, again = bench.limit(data), bench.limit(data)
    assert found is not None and again is not None
    assert found.bound == again.bound
    assert 0 < found.ns < 1e3
    kernel = bench.kernel(data)
    code = bench.machine_code(data)
    run = rounds(traced(code, bench.target, kernel.arguments), 128 // found.width)
    cycles: Counter[str] = Counter()
    for one in (one for vector in run for piece in vector for one in code.code[piece]):
        for uses in uses_of(one, core):
            for pipes, spent in uses.pipes.items():
                cycles[pipes] += spent  # pyright: ignore[reportArgumentType]
    each = sorted({pipe for pipes in cycles for pipe in pipes})
    sets = [set(some) for size in range(1, 5) for some in combinations(each, size)]
    most = max(sum(spent for pipes, spent in cycles.items() if some.issuperset(pipes)) / len(some) for some in sets)
    assert found.bound.cycles[PORTS] == pytest.approx(most / len(run))  # pyright: ignore[reportUnknownMemberType]
    assert busy(cycles)[1] == pytest.approx(most)  # pyright: ignore[reportUnknownMemberType]
    assert found.bound.most == max(found.bound.cycles.values())
    assert found.bound.spills <= found.bound.instructions / 2


@pytest.mark.skipif(host().family != "x86", reason="machine code of x86")
def test_what_runs_is_recorded_and_nothing_else_changes():
    text = """
kernel:
\tmovl\t$5, %eax
\tcmpl\t$5, %eax
.LBB0_1:
\tje\t.LBB0_3
.LBB0_2:
\tmovl\t$1, (%rdi)
.LBB0_3:
\tmovl\t%eax, 4(%rdi)
\tretq
.Lfunc_end0:
\t.globl\trun
run:
\tjmp\tkernel
"""
    place = np.zeros(2, np.int32)
    assert traced(pieces(text), host(), place.ctypes.data) == [0, 1, 3]  # flags are as they were
    assert place.tolist() == [0, 5]
    assert 0.05 < Clock(host(), 0.0).cycle_ns < 50
