"""Devices that never end are refused, wherever a file is read; the null device is an empty file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import lanewise as lw
from lanewise.tools import cli

ENDLESS = Path("/dev/zero")
EXAMPLE = Path(__file__).parents[3] / "examples" / "transform.v.pica"

pytestmark = pytest.mark.skipif(
    not ENDLESS.is_char_device() or not os.access(ENDLESS, os.R_OK), reason="no /dev/zero that this user may read"
)


@pytest.mark.parametrize(
    "argv",
    [
        ["check", "/dev/zero"],
        ["dis", "/dev/zero"],
        ["inspect", "/dev/zero"],
        ["asm", "/dev/zero", "-o", "x"],
        ["run", str(EXAMPLE), "-i", "position=/dev/zero"],
        ["run", str(EXAMPLE), "--uniforms", "/dev/zero"],
        ["fmt", "/dev/zero"],
        ["inspect", "--scan", "/dev/zero"],
    ],
)
def test_commands(argv: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(argv) in (1, 2)
    assert "cannot read /dev/zero: it is a device, which may have no end" in capsys.readouterr().err


def test_standard_input():
    with ENDLESS.open("rb") as endless:
        found = subprocess.run(
            [sys.executable, "-c", "from lanewise.tools import cli; raise SystemExit(cli.main(['check', '-']))"],
            stdin=endless,
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
    assert found.returncode == 1
    assert "it is a device, which may have no end" in found.stderr


def test_python():
    with pytest.raises(OSError, match="device"):
        lw.load(ENDLESS)


def test_the_null_device_is_an_empty_file(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["check", "/dev/null"]) == 1
    assert "device" not in capsys.readouterr().err
