"""No input, uniform, index or program makes a kernel touch memory outside its buffers: `engines.guarded` in a process of its
own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from effort import times

pytestmark = pytest.mark.skipif(os.name == "nt", reason="guard pages are made with mprotect")
TESTS = Path(__file__).parents[1]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Python with the modules of the tests and those that are imported here."""
    paths = [str(TESTS), *(path for path in sys.path if path)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "LANEWISE_CACHE": "off"}
    return subprocess.run([sys.executable, *arguments], check=False, capture_output=True, text=True, env=environment)


def test_kernels_stay_within_their_buffers():
    programs = times(4, 60)
    done = run("-m", "engines.guarded", str(programs))
    assert done.returncode == 0, f"{done.stdout[-200:]}\n{done.stderr[-3000:]}"
    speculative, _, _, exact, *_ = done.stdout.splitlines()[-1].split()
    assert int(speculative) >= 2 * programs
    assert int(exact) >= programs


@pytest.mark.parametrize("high", [False, True])
def test_guards_end_a_process_that_touches_them(high: bool):
    place = "buffer.address + 24" if high else "buffer.address - 1"
    lines = f"""import ctypes
from engines.guarded import Guarded
buffer = Guarded(bytes(24), high={high}, writable=True)
ctypes.memset(buffer.address, 1, 24)
assert buffer.contents() == bytes([1] * 24)
print("alive", flush=True)
ctypes.string_at({place}, 1)
print("alive still")"""
    done = run("-c", lines)
    assert done.stdout == "alive\n", done.stderr
    assert done.returncode < 0


def test_what_is_written_beside_a_buffer_is_seen():
    lines = """import ctypes
from engines.guarded import Guarded
buffer = Guarded(bytes(24), high=False, writable=True)
ctypes.memset(buffer.address, 1, 25)
buffer.contents()"""
    done = run("-c", lines)
    assert "written behind a buffer" in done.stderr
    readable = lines.replace("writable=True", "writable=False")
    assert run("-c", readable).returncode < 0
