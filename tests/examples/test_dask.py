"""Chunks of a vertex array on dask's workers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "dask_chunks.py"


def test_chunks_give_the_same_bits():
    pytest.importorskip("dask.array")
    pytest.importorskip("distributed")
    done = subprocess.run([sys.executable, str(EXAMPLE)], capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout == "100000 vertices, equal to one run: True\n", done.stderr
