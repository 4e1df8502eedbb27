"""The engines by name, and which of them runs something."""

from __future__ import annotations

from lanewise.core.record import Record

AUTO, REFERENCE, LLVM = ENGINES = ("auto", "reference", "llvm")
_CARDS = frozenset(("cuda", "gpu", "opencl", "vulkan", "metal", "rocm", "cupy", "torch", "jax", "opengl", "webgpu", "mps"))
_COMPILED = frozenset(("jit", "cpu", "fast", "native", "numba", "numpy", "compiled", "mcjit", "c", "interpreter"))


def unknown_engine(engine: object) -> ValueError:
    """The error for an engine that does not exist."""
    name = str(engine).lower()
    fix = f"use {', '.join(ENGINES)}"
    if name in ENGINES:
        fix = f"did you mean {name}?"
    elif name.partition(":")[0] in _CARDS:
        fix = f"programs run on the processor: use {LLVM}, which `threads=` shares among cores"
    elif name in _COMPILED:
        fix = f"use {LLVM}, which compiles the program, {REFERENCE}, which interprets it, or {AUTO}"
    return ValueError(f"unknown engine {engine!r}: {fix}")


class Choice(Record):
    """The engine for a run, and why."""

    engine: str
    reason: str
