"""Instruction sets of other distributions: the toy as a wheel, in every command, and wheels that are broken."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import Distribution
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from corpus import REPOSITORY
from lanewise import packages
from lanewise.core.code import Code
from lanewise.core.package import Language
from lanewise.core.service import Request
from lanewise.lsp.documents import Documents, Rules
from lanewise.lsp.server import internal
from lanewise.tools.cli import COMMANDS, main
from toy_isa.package import TOY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

SOURCE = ".toy\n    load r0\n    mul r1\n    store r7\n    halt\n"
SHADER_TEST = 'program = "mul.toy"\n[inputs]\nr0 = 5\nr1 = 7\n[[test]]\nname = "product"\noutputs = {r7 = 35}\n'
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
from lanewise.tools.cli import COMMANDS, main
for line in sys.stdin.read().splitlines():
    code = main(line.split())
    print(f"[{code}] {line}", flush=True)
"""


def commands(site: Path, lines: Sequence[str], folder: Path) -> list[tuple[int, str]]:
    """The exit code and the output of each command line, in one process that finds an instruction set in `site`."""
    ran = subprocess.run(
        [sys.executable, "-c", RUN, str(site)],
        input="\n".join(lines),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        check=False,
    )
    assert "Traceback" not in ran.stdout, ran.stdout
    parts = re.split(r"^\[(\d+)\] (.*)\n", ran.stdout, flags=re.MULTILINE)
    assert parts[2::3] == [*lines], ran.stdout
    return [(int(code), output) for output, code in zip(parts[::3], parts[1::3], strict=False)]


# Of each command: a line, its exit code, and a part of what it says.
TABLE = (
    ("asm mul.toy -o mul.toyb", 0, ""),
    ("asm mul.toy dead.toy -o x.toyb", 2, "toy programs are not linked"),
    ("build --config built.toml", 0, "product: built/product.toyb\nadd: built/add.toyb\n2 programs: 2 built"),
    ("dis mul.toyb", 0, "    mul r1\n"),
    ("dis mul.toyb --dialect toy", 0, "    mul r1\n"),
    ("dis mul.toyb --listing", 0, "1 4001 mul r1\n"),
    ("check mul.toy", 0, ""),
    ("check dead.toy --select V9", 0, ""),
    ("check dead.toy --hints --format json", 0, '"code": "H104"'),
    ("check --explain V901", 0, "register never written"),
    ("convert mul.toyb --to toy", 0, "    mul r1\n"),
    ("convert mul.toy --to nihstro", 2, "nihstro is a language of PICA200"),
    ("opt dead.toy -o dead.toyb --report", 0, "dead.toy: 6 slots before, 4 after"),
    ("translate mul.toy --to c", 0, "acc = acc * r[1];"),
    ("translate mul.toy --to wgsl", 2, "use --to c"),
    ("fmt --check mul.toy", 0, ""),
    ("inspect mul.toyb", 0, "Toy program of 4 words"),
    ("run mul.toy --input r0=5 --input r1=7", 0, "    0     0     0    35"),
    ("run mul.toyb --isa toy --input r0=6 --input r1=7", 0, "    0     0     0    42"),
    ("run mul.toy --trace 0 --input r0=5", 0, "wrote  acc = 5"),
    ("run mul.toy --mesh x.obj", 2, "--mesh is an option for PICA200, but the input is for Toy"),
    ("test mul.shadertest.toml", 0, "passed  product"),
    ("debug mul.toy --input r0=5 --headless script", 0, "mul.toy: lane 0\nstep 0, word 0, mul.toy:2: load r0"),
    ("diff dead.toy dead.toyb", 0, "dead.toy and dead.toyb are equal"),
    ("diff mul.toy add.toy", 1, "mul.toy and add.toy differ"),
    ("diff mul.toy light.v.pica", 2, "compare programs of one instruction set"),
    ("frame mul.toy", 1, "this is not a recorded frame"),
    ("graph mul.toy", 0, "      1  mul r1\n"),
    ("isa", 0, "Toy, an accumulator machine"),
    ("isa toy mul", 0, "acc = acc * REG"),
    ("fuzz --target toy", 2, "--target toy: use pica200"),
    ("vectors toy", 2, "Toy has no test vectors"),
    ("compile mul.toy --target pica200", 2, "mul.toy is for Toy: give a shader in"),
    ("time mul.toy", 2, "Toy has no timing model"),
    ("rtl mul.toy", 2, "Toy has no test bench for hardware"),
    ("evidence plan toy", 2, "unknown question 'TOY'"),
)
OF_NO_FILE = {"bench", "cache", "schema", "completions", "man"}
SERVERS = {"lsp", "dap", "studio"}  # tests/unit/lsp, tests/unit/test_toy_isa.py and studio/ have the toy


def test_a_wheel_is_an_instruction_set_in_every_command(installed: Path, tmp_path: Path):
    (tmp_path / "mul.toy").write_text(SOURCE)
    (tmp_path / "add.toy").write_text(SOURCE.replace("mul", "add"))
    (tmp_path / "dead.toy").write_text(SOURCE.replace("    halt", "    load r7\n    store r7\n    halt"))
    (tmp_path / "light.v.pica").write_text(".proc main\n    end\n.end\n.out position position\n")
    (tmp_path / "script").write_text("continue\n")
    (tmp_path / "built.toml").write_text('[build]\noutput = "built"\nsources = ["add.toy"]\n[units]\nproduct = ["mul.toy"]\n')
    (tmp_path / "mul.shadertest.toml").write_text(SHADER_TEST)
    assert {line.split()[0] for line, _, _ in TABLE} | OF_NO_FILE | SERVERS == {command.name for command in COMMANDS}
    found = commands(installed, [line for line, _, _ in TABLE], tmp_path)
    wrong = [(row, code, text) for row, (code, text) in zip(TABLE, found, strict=True) if row[1] != code or row[2] not in text]
    assert wrong == []


def test_the_page_for_strangers_is_true(tmp_path: Path):
    """The module and the program of docs/howto/instruction-set.md, installed as it says."""
    kinds = {kind: texts[0] for kind, texts in page_for_strangers().items()}
    entry = tomllib.loads(kinds["toml"])["project"]["entry-points"]["lanewise.isa"]["tiny"]
    site, work = tmp_path / "site", tmp_path / "work"
    metadata(site, f"[lanewise.isa]\ntiny = {entry}\n", "tiny_isa")
    (site / "tiny_isa.py").write_text(kinds["python"])
    work.mkdir()
    (work / "seven.tiny").write_text(kinds["tiny"])
    (work / "wrong.tiny").write_text(".tiny\n    halve\n")
    lines = [line.removeprefix("lanewise ") for line in kinds["sh"].splitlines()]
    module: dict[str, Any] = {}
    exec(kinds["python"], module)
    file = module["TINY"].wrap(module["TinyProgram"]("a", [3, 0]), Request("load", (), {}))
    assert (file.words, file.text) == ([3, 0], ".tiny\n    add 3\n    double\n")
    more = {
        "fmt --check seven.tiny": 0,
        "convert seven.tinyb --to tiny": 0,
        "isa tiny double": 0,
        "check --explain P951": 0,
        "isa tiny halve": 2,
        "dis --listing seven.tinyb": 2,
        "asm seven.tiny wrong.tiny -o x.tinyb": 2,
        "run seven.tiny": 2,
        "check wrong.tiny": 1,
    }
    found = commands(site, [*lines, *more], work)
    output = "".join([text for _, text in found])
    assert [code for code, _ in found] == [*[0] * len(lines), *more.values()], output
    assert (work / "seven.tinyb").read_bytes() == b"TINY\x03\x00\x01"
    for part in (kinds["tiny"], "unknown line 'halve'", "unknown instruction 'halve'", "Tiny has no engine", "no listing"):
        assert part in output


def page_for_strangers() -> dict[str, list[str]]:
    """The blocks of the page by their languages."""
    page = (REPOSITORY / "docs" / "howto" / "instruction-set.md").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    for kind, text in re.findall(r"^```(toml|python|tiny|sh)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        found.setdefault(kind, []).append(text)
    return found


def test_the_second_module_for_strangers_is_true(tmp_path: Path):
    """Proofs, smaller programs and C of the page, given to the commands as it says."""
    kinds = page_for_strangers()
    first, second = kinds["python"]
    changes = {
        "scene = time = difference = None": "scene = time = None\n    difference = tiny_middle.difference",
        "    wrap=wrap,\n)": "    wrap=wrap,\n    optimise=tiny_middle.optimised,\n    translate=tiny_middle.translated,\n)",
        "from lanewise.core.code import rows": "import tiny_middle\nfrom lanewise.core.code import rows",
    }
    for old, new in changes.items():
        assert first.count(old) == 1
        first = first.replace(old, new)
    site, work = tmp_path / "site", tmp_path / "work"
    metadata(site, "[lanewise.isa]\ntiny = tiny_isa:TINY\n", "tiny_isa")
    (site / "tiny_isa.py").write_text(first)
    (site / "tiny_middle.py").write_text(second)
    work.mkdir()
    for name, text in zip(("seven", "long", "short"), kinds["tiny"], strict=True):
        (work / f"{name}.tiny").write_text(text)
    lines = [line.removeprefix("lanewise ") for line in kinds["sh"][1].splitlines()]
    found = commands(site, [*lines, "dis small.tinyb", "diff long.tiny seven.tiny", "translate long.tiny --to glsl"], work)
    assert [code for code, _ in found] == [0, 0, 0, 0, 0, 1, 2], found
    for (_, text), part in zip(
        found,
        (
            "are equal",
            "4 words before, 3 after",
            "note[H103]",
            "n += 1;\n    n += 2;",
            "add 3\n    double\n    add 3",
            "9",
            "--to c",
        ),
        strict=True,
    ):
        assert part in text


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
        monkeypatch.setattr("lanewise.core.entry_points.distributions", lambda: [Distribution.at(place)])

    yield install


def fails(*_: object) -> int:
    raise RuntimeError("a fault of the stranger")


def certain(text: str) -> int:
    return 2


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
    monkeypatch.setattr("lanewise.core.entry_points.distributions", lambda: [Distribution.at(place)])
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
    assert main(["run", str(path)]) == 1
    assert "the instruction set 'toy' of of_toy 1.0 cannot be used: KeyError: 'lost'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("convert mul.toyb --to toy", "mul r1"),
        ("check --explain V901", "register never written"),
        ("check --ignore V901 load.toy", ""),
        ("test mul.shadertest.toml", "passed  product"),
    ],
)
def test_a_command_looks_it_up_by_itself(
    line: str,
    part: str,
    of_others: Callable[[str, object], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    """As the first command of a process."""
    of_others("toy", TOY)
    monkeypatch.chdir(tmp_path)
    Path("mul.toy").write_text(SOURCE)
    Path("load.toy").write_text(".toy\n    load r7\n    halt\n")
    Path("mul.toyb").write_bytes(b"TOY1" + bytes.fromhex("0000014007100070"))
    Path("mul.shadertest.toml").write_text(SHADER_TEST)
    assert main(line.split()) == 0
    assert part in capsys.readouterr().out


def test_a_recogniser_that_fails_is_a_finding_and_other_files_are_read(
    of_others: Callable[[str, object], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    def recognises(text: str) -> int:
        return 2 // (not text.startswith(".toy"))

    of_others("toy", TOY._replace(languages=(LANGUAGE._replace(recognises=recognises),)))
    (tmp_path / "mul.toy").write_text(SOURCE)
    (tmp_path / "bad.v.pica").write_text("mul r0\n")
    assert main(["check", str(tmp_path / "mul.toy"), str(tmp_path / "bad.v.pica")]) == 1
    shown = capsys.readouterr().out
    assert "of of_toy 1.0 cannot be used: ZeroDivisionError" in shown and "bad.v.pica:1" in shown


def test_one_that_claims_every_text_takes_none_from_the_others(
    of_others: Callable[[str, object], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    of_others("toy", TOY._replace(languages=(LANGUAGE._replace(recognises=certain),)))
    (tmp_path / "any.unknown").write_text("load r0\n")
    (tmp_path / "light.vsa").write_text("vs_1_1\ndcl_position v0\nmov oPos, v0\n")
    assert main(["check", str(tmp_path / "any.unknown"), str(tmp_path / "light.vsa"), "--format", "json"]) == 0
    assert '"isa": null' in capsys.readouterr().out


def test_a_fault_of_it_leaves_the_findings_about_other_files(
    of_others: Callable[[str, object], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    of_others("toy", TOY._replace(languages=(LANGUAGE._replace(read=fails),)))
    (tmp_path / "mul.toy").write_text(SOURCE)
    (tmp_path / "bad.v.pica").write_text("mul r0\n")
    assert main(["check", str(tmp_path / "mul.toy"), str(tmp_path / "bad.v.pica")]) == 1
    shown = capsys.readouterr().out
    assert "cannot be used: RuntimeError: a fault of the stranger" in shown and "bad.v.pica:1" in shown


def test_an_editor_shows_a_fault_of_it(of_others: Callable[[str, object], None]):
    of_others("toy", TOY._replace(languages=(LANGUAGE._replace(read=fails),)))
    documents = Documents(lambda _: Rules())
    documents.put("file:///mul.toy", SOURCE, 1)
    view = documents.analyse("file:///mul.toy")
    assert view is not None
    assert [(found.code, found.span.line) for found in view.analysis.findings] == [("U007", 1)]
    assert "of of_toy 1.0 cannot be used: RuntimeError: a fault of the stranger" in internal(view.failure or KeyError())


@pytest.mark.parametrize(
    ("text", "part"),
    [("import sys\nsys.exit('gone')\n", "SystemExit: gone"), ("import nothing_like_it\n", "No module named 'nothing_like_it'")],
)
def test_a_module_that_ends_the_process_is_a_finding(
    text: str, part: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    place = metadata(tmp_path / "site", "[lanewise.isa]\nquits = quits_at_once:X\n")
    (tmp_path / "site" / "quits_at_once.py").write_text(text)
    monkeypatch.setattr("lanewise.core.entry_points.distributions", lambda: [Distribution.at(place)])
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    (tmp_path / "x.quits").write_text("quits\n")
    assert main(["check", str(tmp_path / "x.quits")]) == 1
    assert part in capsys.readouterr().out


def test_metadata_that_cannot_be_read_is_left_out(
    of_others: Callable[[str, object], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    broken = metadata(tmp_path / "other", "[lanewise.isa]\nno equals sign\n", "other")
    whole = metadata(tmp_path / "site", f"[lanewise.isa]\ntoy = {__name__}:MADE\n", "of_toy")
    monkeypatch.setattr(sys.modules[__name__], "MADE", TOY, raising=False)
    monkeypatch.setattr("lanewise.core.entry_points.distributions", lambda: [Distribution.at(broken), Distribution.at(whole)])
    (tmp_path / "mul.toy").write_text(SOURCE)
    assert main(["check", str(tmp_path / "mul.toy")]) == 0
    assert capsys.readouterr().out == ""


def test_a_module_in_the_working_folder_is_told_from_a_missing_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """A project in development whose installation adds its folder to the path."""
    place = metadata(tmp_path / "site", "[lanewise.isa]\ntiny = tiny_module_here:X\n")
    (tmp_path / "tiny_module_here.py").write_text("")
    (tmp_path / "x.tiny").write_text("tiny\n")
    monkeypatch.setattr("lanewise.core.entry_points.distributions", lambda: [Distribution.at(place)])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    assert main(["check", "x.tiny"]) == 1
    assert "its module 'tiny_module_here' lies in the working folder" in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps the working folder of a process")
def test_a_working_folder_that_was_removed_changes_nothing(
    of_others: Callable[[str, object], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    of_others("toy", TOY)
    (tmp_path / "mul.toy").write_text(SOURCE)
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert main(["check", str(tmp_path / "mul.toy")]) == 0
    assert capsys.readouterr().err == ""


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
