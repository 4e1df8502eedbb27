"""Kernels in memory: from the cache on disk, or compiled now."""

from __future__ import annotations

import ctypes
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


FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_kept: list[Loaded] = []


def load_function(ir: str, target: Target) -> Callable[[int], None]:
    """A function of one pointer, for all runs: its code stays in memory until the process ends.

    Threads that ask for it at the same time get one each, and a cache keeps only one of those.
    """
    loaded = load_kernel(cache.name("function", ir, target.key), lambda: ir, target)
    _kept.append(loaded)
    return FUNCTION(loaded.address)
