"""Devices of other distributions: a wheel with one is a name for `--device`, and broken ones are errors that name it."""

from __future__ import annotations

import sys
import zipfile
from importlib.metadata import Distribution
from typing import TYPE_CHECKING

import pytest

from lanewise.core.service import UsageError
from lanewise.shadercore.api.services.devices import device_named
from lanewise.tools.cli import main
from lanewise.tools.console import DiskFiles

if TYPE_CHECKING:
    from pathlib import Path

MODULE = """
MYCORE = '''
[instructions.fma]
opcode = 32
pipe = "MUL"
latency = 6
meaning = "a * b + c"
'''
BROKEN = "[instructions.mul]\\nlatency = 0\\n"
NUMBER = 3
PATH = __import__("pathlib").Path("mycore.toml")
"""
ENTRIES = """[lanewise.devices]
mycore = of_mycore:MYCORE
broken = of_mycore:BROKEN
number = of_mycore:NUMBER
path = of_mycore:PATH
nothing = of_mycore:NOTHING
missing = of_nowhere:DEVICE
dotted = of_mycore.MYCORE
rtl = of_mycore:BROKEN
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder into which a wheel with the devices is installed."""
    wheel = tmp_path / "of_mycore-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("of_mycore.py", MODULE)
        archive.writestr("of_mycore-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: of-mycore\nVersion: 1.0\n")
        archive.writestr("of_mycore-1.0.dist-info/entry_points.txt", ENTRIES)
    folder = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    found = [Distribution.at(folder / "of_mycore-1.0.dist-info")]
    monkeypatch.setattr("lanewise.core.entry_points.distributions", lambda: found)
    monkeypatch.syspath_prepend(folder)  # type: ignore[no-untyped-call]
    monkeypatch.delitem(sys.modules, "of_mycore", raising=False)
    monkeypatch.chdir(tmp_path)
    return folder


def test_a_device_of_a_wheel(site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert device_named("rtl", (), DiskFiles()).name == "rtl"
    assert "of_mycore" not in sys.modules
    device = device_named("mycore", ("fma_latency=9",), DiskFiles())
    assert (device.name, device.cycles("fma_latency")) == ("mycore", 9)
    (tmp_path / "a.sc").write_text("fma r0.x, v0.x, v0.y, v0.z\nend\n")
    assert main(["asm", "a.sc", "--device", "mycore"]) == 0
    assert main(["time", "a.scb", "--device", "mycore"]) == 0
    assert "fma r0.x, v0.x, v0.y, v0.z" in capsys.readouterr().out
    (tmp_path / "lanewise.toml").write_text('device = "mycore"\n')
    assert main(["time", "a.sc"]) == 2
    assert "device is 'mycore': use document, rtl" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("dotted", 'write `dotted = "of_mycore:MYCORE"` in its pyproject.toml, and install it again'),
        ("broken", "of of-mycore 1.0 cannot be used: broken: mul_latency cannot be '0'"),
        ("number", "expected the text of a device file, found int"),
        ("path", "write `.read_text()` behind the path"),
        ("nothing", "has no attribute 'NOTHING'"),
        ("missing", "No module named 'of_nowhere'"),
        ("mycor", "unknown device 'mycor': use document or rtl"),
    ],
)
def test_broken_ones(site: Path, name: str, reason: str):
    with pytest.raises(UsageError) as caught:
        device_named(name, (), DiskFiles())
    assert reason in str(caught.value)


def test_files_in_the_working_folder_are_not_installed(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "of_nowhere.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)  # type: ignore[no-untyped-call]
    with pytest.raises(UsageError, match="its module 'of_nowhere' lies in the working folder"):
        device_named("missing", (), DiskFiles())
    monkeypatch.chdir(site)
    with pytest.raises(UsageError, match="unknown device 'mycore'"):
        device_named("mycore", (), DiskFiles())


FUNCTIONS = """
def sad(a, b):
    return sum(abs((a >> n & 255) - (b >> n & 255)) for n in (0, 8, 16, 24))

def wrong(a):
    return -1

MYCORE = ('''
[instructions.sad]
opcode = 33
pipe = "BIT"
latency = 4
[instructions.wrong]
opcode = 34
pipe = "BIT"
latency = 4
''', {"sad": sad, "wrong": wrong})
BROKEN = (MYCORE[0], {"sad": sad})
NUMBER = (MYCORE[0], {"sad": sad, "wrong": 3})
"""
PROGRAM = ".input v0 position\n.output o0 position\nsad r0.x, v0.x, v0.y\nmov o0.xyz, r0.x\n{}\nend\n"


def test_meanings_that_are_functions_of_a_wheel(site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """All but compiled code has them: assembler, check, the reference engine, time, diff, the page."""
    (site / "of_mycore.py").write_text(FUNCTIONS)
    (tmp_path / "a.sc").write_text(PROGRAM.format("mov o0.w, r0.x"))
    (tmp_path / "b.sc").write_text(PROGRAM.format("sad o0.w, v0.x, v0.y"))
    (tmp_path / "c.sc").write_text(PROGRAM.format("sad o0.w, v0.y, v0.x"))
    (tmp_path / "w.sc").write_text("wrong o0.x, v0.x\nend\n")

    def run(*argv: str) -> tuple[int, str]:
        code = main([*argv, "--device", "mycore"])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    assert run("asm", "a.sc")[0] == 0
    assert "sad r0.x, v0.x, v0.y" in run("dis", "a.scb")[1]
    assert run("check", "a.sc")[0] == 0
    assert run("time", "a.scb")[0] == 0
    code, text = run("run", "a.scb", "--input", "position=words:0x01020304,0x01010101,0,0", "--bits", "--format", "json")
    assert code == 0
    assert '"engine": "reference"' in text
    assert "\n          6,\n" in text, "|4-1| + |3-1| + |2-1| + |1-1|"
    assert run("diff", "a.sc", "b.sc")[0] == 0, "the same of the same"
    assert run("diff", "a.sc", "c.sc", "--waves", "1")[0] == 3, "nothing else is known of it"
    assert "a Python function of the installed device mycore" in run("isa", "shadercore", "sad")[1]
    code, text = run("run", "a.scb", "-i", "position=1,2,3,4", "--engine", "llvm")
    assert (code, "sad is a Python function of the installed device mycore, which is not compiled" in text) == (2, True)
    code, text = run("translate", "a.sc", "--to", "c")
    assert code == 2
    assert "give the instruction a meaning as an expression" in text
    code, text = run("run", "w.sc", "-i", "v0=1", "--default", "0")
    assert (code, "wrong of the device mycore gave -1, expected a pattern of 32 bits" in text) == (1, True)
    for name, reason in (("broken", "a new instruction needs meaning"), ("number", "the meaning of 'wrong' is not a function")):
        with pytest.raises(UsageError, match=reason):
            device_named(name, (), DiskFiles())
