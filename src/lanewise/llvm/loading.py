"""Kernels in memory: from the cache on disk, or compiled now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.llvm import cache
from lanewise.llvm.target import compile_object, load_object

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.llvm.target import Loaded, Target


def load_kernel(name: str, ir: Callable[[], str], target: Target) -> Loaded:
    """The kernel of that name, which `ir` generates where it is not on disk. See `cache.name`."""
    code = cache.get(name)
    if code is not None:
        try:
            return load_object(code, target)
        except RuntimeError:  # not a kernel
            pass
    code = compile_object(ir(), target)
    loaded = load_object(code, target)
    cache.put(name, code)
    return loaded
