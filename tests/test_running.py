"""The test run itself: without pytest-xdist, and ended by Ctrl-C."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from corpus import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

CAUGHT = """
import os, signal

def test_a_command():
    try:
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):
            pass
    except KeyboardInterrupt:
        code = 130
    assert code == 0

def test_the_next():
    print("has run")
"""


@pytest.mark.skipif(os.name == "nt", reason="os.kill ends a process on Windows")
def test_ctrl_c_ends_the_run_without_xdist(tmp_path: Path):
    (tmp_path / "test_caught.py").write_text(CAUGHT)
    command = [sys.executable, "-m", "pytest", "-s", "-p", "no:xdist", "-p", "no:randomly", "-p", "conftest"]
    command += ["-c", str(REPOSITORY / "pyproject.toml"), f"--rootdir={tmp_path}", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(REPOSITORY / "tests"), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == pytest.ExitCode.INTERRUPTED, done.stdout + done.stderr
    assert "KeyboardInterrupt" in done.stdout
    assert "has run" not in done.stdout
