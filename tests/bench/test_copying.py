"""Kernels that only move data: stores that bypass the cache are in order before the kernel returns, where the processor would
not see to it."""

from __future__ import annotations

import pytest

from lanewise.llvm.target import host
from lanewise_bench.copying import COPIED, MOVED, copying


@pytest.mark.parametrize("kind", [MOVED, COPIED])
@pytest.mark.parametrize("bypassing", [False, True])
@pytest.mark.parametrize("family", ["x86", "other"])
def test_a_fence_follows_stores_that_bypass_the_cache(kind: str, bypassing: bool, family: str):
    code = copying(host("native")._replace(family=family), 1, 2, kind, bypassing=bypassing)
    assert code.count("call void @llvm.x86.sse.sfence()") == (bypassing and family == "x86")
    assert ("!nontemporal" in code) is bypassing
