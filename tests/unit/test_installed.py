"""Instruction sets of other distributions: the toy as a wheel, in every command, and wheels that are broken."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import Distribution
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from corpus import REPOSITORY
from lanewise import packages
from lanewise.core.code import Code
from lanewise.core.package import Language
from lanewise.tools.cli import main
from toy_isa.package import TOY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SOURCE = ".toy\n    load r0\n    mul r1\n    store r7\n    halt\n"
ENTRY = "[lanewise.isa]\ntoy = toy_isa.package:TOY\n"


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has been looked up."""
    monkeypatch.setattr(packages, "_others", [])
    monkeypatch.setattr("lanewise.installed._origins", {})


def metadata(folder: Path, entry: str = ENTRY, name: str = "toy_isa") -> Path:
    """The metadata of an installed distribution."""
    place = folder / f"{name}-1.0.dist-info"
    place.mkdir(parents=True)
    (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (place / "entry_points.txt").write_text(entry)
    return place


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of packages into which the wheel of the toy is installed: a wheel is an archive of what lies there."""
    folder = tmp_path_factory.mktemp("wheel")
    place = metadata(folder)
    wheel = folder / "toy_isa-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path in (*place.iterdir(), *(REPOSITORY / "tests" / "toy_isa").glob("*.py")):
            archive.write(path, f"{path.parent.name}/{path.name}")
    site = folder / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


RUN = """
import sys
sys.path.insert(0, sys.argv[1])
from lanewise.tools.cli import main
for line in sys.stdin.read().splitlines():
    code = main(line.split())
    print(f"[{code}] {line}", flush=True)
"""


def test_a_wheel_is_an_instruction_set_in_every_command(installed: Path, tmp_path: Path):
    (tmp_path / "mul.toy").write_text(SOURCE)
    lines = [
        "check mul.toy",
        "asm mul.toy -o mul.toyb",
        "dis mul.toyb",
        "run mul.toyb --input r0=5 --input r1=7",
        "inspect mul.toyb",
        "graph mul.toy",
        "fmt --check mul.toy",
        "run mul.toy --isa toy --input r0=6 --input r1=7",
        "run mul.toy --trace 0 --input r0=5",
        "isa toy mul",
        "isa",
        "dis mul.toyb --dialect toy",
    ]
    ran = subprocess.run(
        [sys.executable, "-c", RUN, str(installed)],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert ran.stderr == ""
    assert [line for line in ran.stdout.splitlines() if line.startswith("[")] == [f"[0] {line}" for line in lines]
    assert "    0     0     0    35" in ran.stdout and "    0     0     0    42" in ran.stdout


def test_the_page_for_strangers_is_true(tmp_path: Path):
    """The module and the program of docs/howto/instruction-set.md, installed as it says."""
    page = (REPOSITORY / "docs" / "howto" / "instruction-set.md").read_text(encoding="utf-8")
    kinds: dict[str, str] = dict(re.findall(r"^```(toml|python|tiny|sh)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
    entry = tomllib.loads(kinds["toml"])["project"]["entry-points"]["lanewise.isa"]["tiny"]
    site, work = tmp_path / "site", tmp_path / "work"
    metadata(site, f"[lanewise.isa]\ntiny = {entry}\n", "tiny_isa")
    (site / "tiny_isa.py").write_text(kinds["python"])
    work.mkdir()
    (work / "seven.tiny").write_text(kinds["tiny"])
    (work / "wrong.tiny").write_text(".tiny\n    halve\n")
    lines = [line.removeprefix("lanewise ") for line in kinds["sh"].splitlines()]
    commands = [*lines, "fmt --check seven.tiny", "run seven.tiny", "check wrong.tiny"]
    ran = subprocess.run(
        [sys.executable, "-c", RUN, str(site)], input="\n".join(commands), capture_output=True, text=True, cwd=work, check=False
    )
    codes = [line.partition("]")[0][1:] for line in ran.stdout.splitlines() if line.startswith("[")]
    assert codes == [*"0" * len(lines), "0", "2", "1"], ran.stdout + ran.stderr
    assert (work / "seven.tinyb").read_bytes() == b"TINY\x03\x00\x01"
    assert kinds["tiny"] in ran.stdout and "error[P951]: unknown line 'halve'" in ran.stdout
    assert "Tiny has no engine" in ran.stderr


def test_one_that_nothing_asks_for_is_not_imported(installed: Path, tmp_path: Path):
    (tmp_path / "plain.v.pica").write_text(".proc main\n    end\n.end\n.out position position\n")
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\nfrom lanewise.tools.cli import main\nmain(['check', 'plain.v.pica'])\n"
    )
    script += "print(sorted({'toy_isa', 'importlib.metadata', 'lanewise.installed'} & {*sys.modules}))"
    ran = subprocess.run(
        [sys.executable, "-c", script, str(installed)], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert ran.stdout.splitlines()[-1] == "[]"


@pytest.fixture
def of_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[str, object], None]]:
    """Installs an entry point whose object is made here."""
    folder = tmp_path / "site"
    module = sys.modules[__name__]

    def install(name: str, value: object) -> None:
        place = metadata(folder, f"[lanewise.isa]\n{name} = {__name__}:MADE\n", f"of_{name}")
        monkeypatch.setattr(module, "MADE", value, raising=False)
        monkeypatch.setattr("lanewise.installed.distributions", lambda: [Distribution.at(place)])

    yield install


def fails(*_: object) -> int:
    raise RuntimeError("a fault of the stranger")


def seven(text: str) -> int:
    return 7


LANGUAGE = TOY.languages[0]
BROKEN: dict[str, tuple[object, str]] = {
    "not a package": (object(), "expected an IsaPackage, found object"),
    "another name": (TOY._replace(name="other"), "it calls itself 'other'"),
    "a code that is taken": (
        TOY._replace(codes=lambda: (Code(code="P000", title="", meaning="", why="", fix=""),)),
        "ValueError: two findings have the code P000",
    ),
    "a language that is taken": (
        TOY._replace(languages=(LANGUAGE._replace(name="picasso"),)),
        "its language 'picasso' has the name of another",
    ),
    "a recogniser that raises": (
        TOY._replace(languages=(LANGUAGE._replace(recognises=fails),)),
        "RuntimeError: a fault of the stranger",
    ),
    "a recogniser that answers something": (
        TOY._replace(languages=(LANGUAGE._replace(recognises=seven),)),
        "it recognises an empty file as none of NO, POSSIBLE and CERTAIN",
    ),
}


@pytest.mark.parametrize(("value", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_broken_one_is_a_finding(
    value: object, reason: str, of_others: Callable[[str, object], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    of_others("toy", value)
    path = tmp_path / "mul.toy"
    path.write_text(SOURCE)
    assert main(["check", str(path)]) == 1
    shown = capsys.readouterr().out
    assert f"warning[U007]: the instruction set 'toy' of of_toy 1.0 cannot be used: {reason}" in shown and "C001" in shown
    assert main(["check", "--isa", "toy", str(path)]) == 2
    assert reason in capsys.readouterr().err


def test_a_module_that_is_not_there_is_a_finding(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    place = metadata(tmp_path / "site", "[lanewise.isa]\nlost = no_such_module_here:X\n")
    monkeypatch.setattr("lanewise.installed.distributions", lambda: [Distribution.at(place)])
    path = tmp_path / "x.lost"
    path.write_text("lost\n")
    assert main(["check", str(path)]) == 1
    assert "ModuleNotFoundError: No module named 'no_such_module_here'" in capsys.readouterr().out


def test_a_name_that_is_taken_is_a_finding(
    of_others: Callable[[str, object], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    of_others("pica200", TOY._replace(name="pica200"))
    path = tmp_path / "mul.toy"
    path.write_text(SOURCE)
    assert main(["check", str(path)]) == 1
    assert "its name is taken" in capsys.readouterr().out


def test_an_error_in_its_code_names_its_distribution(
    of_others: Callable[[str, object], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    def read(request: object) -> object:
        raise KeyError("lost")

    language: Language = LANGUAGE._replace(read=read)
    of_others("toy", TOY._replace(languages=(language,)))
    path = tmp_path / "mul.toy"
    path.write_text(SOURCE)
    assert main(["check", str(path)]) == 1
    assert "the instruction set 'toy' of of_toy 1.0 cannot be used: KeyError: 'lost'" in capsys.readouterr().err


def test_files_in_the_working_folder_are_not_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    metadata(tmp_path, "[lanewise.isa]\nhostile = hostile_package:X\n")
    (tmp_path / "hostile_package.py").write_text("raise SystemExit('it ran')\n")
    (tmp_path / "x.hostile").write_text("hostile\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert main(["check", "x.hostile"]) == 1
    shown = capsys.readouterr()
    assert "it ran" not in shown.out + shown.err and "U007" not in shown.out
