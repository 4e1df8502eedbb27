"""`lanewise asm` imports one instruction set and, of the others, only what recognises their files; other short commands do
without slow modules too.

Starting is most of the time that a small source takes (bench/test_startup.py), and each module adds to it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from corpus import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

MOST_MODULES = 65
SLOW = {
    "typing",
    "re",
    "argparse",
    "numpy",
    "dataclasses",
    "collections",
    "enum",
    "json",
    "pathlib",
    "functools",
    "contextlib",
    "urllib.parse",
    "tomllib",
    "inspect",
    "warnings",
    "importlib",
    "ast",
    "textwrap",
}
# What a package offers, with what recognises its files, and its options of `asm`.
OFFERED = ("", ".package", ".options")
# The package of the PICA200 also has a row for each of its languages.
ROWS = {
    f"lanewise.pica200.text{module}"
    for module in ("", ".dialect", ".dialects", ".picasso", ".picasso.dialect", ".nihstro", ".nihstro.dialect")
}
COMMAND = """
import sys
before = set(sys.modules)  # an installation may import modules of its own before anything else
sys.path.insert(0, sys.argv[1])
from lanewise.tools.cli import main
code = main(sys.argv[2:])
print("MODULES", *sorted(set(sys.modules) - before))
sys.exit(code)
"""
PICASSO = ".out position position\n.in vertex\n.proc main\n    mov position, vertex\n    end\n.end\n"
NIHSTRO = ".alias vertex v0\n.alias place o0 as position\nmain:\n    mov place, vertex\n    nop\n    end\n"
SHADERCORE = ".input v0 position\n.output o0 position\nmul o0.xyzw, v0.xyzw, v0.xyzw\nend\n"
DIRECT3D9 = "vs_1_1\ndcl_position v0\nmov oPos, v0\n"


def imported(folder: Path, name: str, source: str) -> set[str]:
    """The modules that assembling a source imports, beyond those of bare Python."""
    (folder / name).write_text(source)
    modules = started(folder, "asm", name, "-o", "program")
    assert (folder / "program").stat().st_size > 0
    return modules


def started(folder: Path, *arguments: str, bare: bool = True) -> set[str]:
    """The modules that a command imports, beyond those of Python; `bare`: without installed packages."""
    command = [sys.executable, *(["-S"] if bare else []), "-c", COMMAND, str(REPOSITORY / "src"), *arguments]
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "COV"))}
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return set(run.stdout.rpartition("MODULES")[2].split())


def offered(*packages: str) -> set[str]:
    rows = ROWS if "pica200" in packages else set[str]()
    return rows | {f"lanewise.{package}{module}" for package in packages for module in OFFERED}


def of_packages(modules: set[str], *packages: str) -> set[str]:
    return {module for module in modules if module.split(".")[:2] in [["lanewise", package] for package in packages]}


def test_a_picasso_source_imports_little(tmp_path: Path):
    modules = imported(tmp_path, "pass.v.pica", PICASSO)
    ours = {module for module in modules if module.split(".")[0] == "lanewise"}
    assert "lanewise.pica200.text.picasso.reader" in ours
    assert modules & SLOW == set()
    assert len(ours) <= MOST_MODULES
    assert of_packages(modules, "shadercore", "direct3d9") <= offered("shadercore", "direct3d9")
    assert not of_packages(modules, "arrays", "llvm", "graph", "compile", "api")


@pytest.mark.parametrize(
    ("name", "source", "reader", "others"),
    [
        ("pass.vsh", NIHSTRO, "pica200.text.nihstro", ("shadercore", "direct3d9")),
        ("pass.sc", SHADERCORE, "shadercore.text.reader", ("pica200", "direct3d9")),
        ("pass.vsa", DIRECT3D9, "direct3d9.text", ("pica200", "shadercore")),
        ("pass.vsh", PICASSO, "pica200.text.picasso.reader", ("shadercore", "direct3d9")),
    ],
    ids=["nihstro", "shadercore", "direct3d9", "picasso named .vsh"],
)
def test_a_source_imports_only_its_own_instruction_set(
    tmp_path: Path, name: str, source: str, reader: str, others: tuple[str, str]
):
    modules = imported(tmp_path, name, source)
    assert f"lanewise.{reader}" in modules
    assert of_packages(modules, *others) <= offered(*others)
    assert "numpy" not in modules


@pytest.mark.parametrize(
    ("arguments", "most"),
    [
        (("--version",), 11),
        (("--help",), 11),
        (("completions", "bash"), 12),
        (("check", "pass.v.pica"), 133),
        (("check", "pass.v.pica", "--level", "warning", "--ignore", "V0"), 153),
        (("dis", "pass.shbin"), 98),
        (("dis", "pass.shbin", "-o", "again.v.pica"), 99),
        (("fmt", "--check", "pass.v.pica"), 75),
        (("diff", "pass.v.pica", "pass.shbin"), 156),
    ],
    ids=["version", "help", "completions", "check", "check with codes", "dis", "dis to a file", "fmt", "diff"],
)
def test_short_commands_import_no_slow_modules(tmp_path: Path, arguments: tuple[str, ...], most: int):
    imported(tmp_path, "pass.v.pica", PICASSO)
    (tmp_path / "program").rename(tmp_path / "pass.shbin")
    modules = started(tmp_path, *arguments)
    assert modules & SLOW == set()
    ours = [module for module in modules if module.split(".")[0] == "lanewise"]
    assert len(ours) <= most


def test_a_module_is_compiled_without_what_runs_compilers(tmp_path: Path):
    (tmp_path / "toon.spv").write_bytes((REPOSITORY / "examples" / "glsl" / "toon.spv").read_bytes())
    modules = started(tmp_path, "compile", "toon.spv", "-o", "toon.shbin")
    slow = {"typing", "pathlib", "json", "subprocess", "tempfile", "inspect", "hashlib"}
    assert modules & slow == set()
    assert "lanewise.compile.outside.modules" not in modules
    assert not of_packages(modules, "llvm", "translating")


def test_a_configuration_is_read_where_there_is_one(tmp_path: Path):
    (tmp_path / "pass.v.pica").write_text(PICASSO)
    assert "lanewise.tools.patterns" not in started(tmp_path, "check", "pass.v.pica")
    (tmp_path / "lanewise.toml").write_text('ignore = ["V100"]\n')
    assert "tomllib" in started(tmp_path, "check", "pass.v.pica")


def test_a_run_from_the_cache_imports_nothing_that_makes_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("llvmlite")
    monkeypatch.setenv("LANEWISE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "pass.v.pica").write_text(PICASSO)
    # With a number that is not ordinary a kernel is compiled for the first run.
    arguments = ("run", "pass.v.pica", "-i", "vertex=nan,2,3", "--engine", "llvm")
    making = {f"lanewise.pica200.{name}" for name in ("ir.build", "ir.passes", "engine.llvm.generate", "engine.llvm.plan")}
    assert making <= started(tmp_path, *arguments, bare=False)
    assert not {*making, "llvmlite.binding"} & started(tmp_path, *arguments, bare=False)


def test_a_run_imports_no_more_of_python_than_numpy_does(tmp_path: Path):
    """But for small modules."""
    pytest.importorskip("numpy")
    (tmp_path / "pass.v.pica").write_text(PICASSO)
    run = [sys.executable, "-c", COMMAND, str(REPOSITORY / "src"), "run", "pass.v.pica", "-i", "vertex=1,2,3;4,5,6"]
    numpy = [sys.executable, "-c", "import sys, numpy; print('MODULES', *sys.modules)"]
    ours, theirs = (
        set(
            subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
            .stdout.rpartition("MODULES")[2]
            .split()
        )
        for command in (run, numpy)
    )
    assert not {"argparse", "dataclasses", "importlib.util", "logging", "pathlib", "urllib.parse"} & ours - theirs
