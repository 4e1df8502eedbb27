"""Files are opened by `core.files` and written by `core.writing`: over the syntax trees of all modules, and while commands
run."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from corpus import REPOSITORY
from lanewise.tools.cli import COMMANDS
from pica200_frames import triangle

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SOURCES = (REPOSITORY / "src", REPOSITORY / "studio" / "src")
DOOR = {"src/lanewise/core/files.py", "src/lanewise/core/writing.py"}
_MODULE = {"files", "door"}  # names of `core.files` where it is imported
_CALLS = {
    "read_text",
    "read_bytes",
    "write_text",
    "write_bytes",
    "fdopen",
    "fromfile",
    "tofile",
    "memmap",
    "savetxt",
    "loadtxt",
    "genfromtxt",
    "mkstemp",
    "scandir",
    "listdir",
    "iterdir",
    "rglob",
    "glob",
}
_OPENERS = {"os", "io", "codecs", "gzip", "bz2", "lzma", "tarfile", "zipfile", "Image", "archive"}
_NUMPY = {"load", "save", "savez", "savez_compressed"}
_MODE = re.compile(r"[rwxabt+]{1,3}")
_WORDS = {*_CALLS, *_NUMPY, "open"}
_SUSPECT = re.compile(rf"\bopen *[(,)]|\b(np|numpy)\.({'|'.join(_NUMPY)})\b|\b({'|'.join((*_CALLS, 'mmap', 'shutil'))})\b")

# Where a file is opened otherwise: (file, call) and the reason.
ALLOWED = {
    # bytes that the door has read
    ("src/lanewise/arrays/npz.py", "archive.open"): "members of an archive in memory",
    ("src/lanewise/arrays/picture.py", "Image.open"): "bytes in memory",
    ("studio/src/lanewise_studio/evaluation.py", "np.save"): "into memory",
    # files of lanewise itself
    ("src/lanewise/distributed/versions.py", "rglob"): "the modules of lanewise",
    ("src/lanewise/distributed/versions.py", "read_bytes"): "the modules of lanewise",
    ("src/lanewise/llvm/generation.py", "os.scandir"): "the modules of lanewise",
    ("src/lanewise/llvm/generation.py", "os.open"): "the folder of lanewise",
    ("src/lanewise/llvm/generation.py", "read_bytes"): "the modules of lanewise",
    ("src/lanewise/tools/grammars.py", "read_text"): "a resource of the package",
    ("src/lanewise/tools/schema.py", "iterdir"): "resources of the package",
    ("src/lanewise/tools/schema.py", "read_text"): "a resource of the package",
    ("src/lanewise/tools/frame.py", "read_bytes"): "a resource of the package",
    ("src/lanewise/tools/vectors.py", "read_bytes"): "a resource of the package",
    # private folders
    ("src/lanewise/llvm/cache.py", "glob"): "the cache, whose owner and mode are checked",
    ("src/lanewise/llvm/cache.py", "iterdir"): "the cache",
    ("src/lanewise/llvm/cache.py", "os.open"): "the cache: a kernel is read in microseconds, regular files only",
    ("src/lanewise/llvm/cache.py", "os.fdopen"): "the cache: a temporary file",
    ("src/lanewise/llvm/cache.py", "tempfile.mkstemp"): "the cache: a temporary file",
    ("src/lanewise/compile/outside/compilers.py", "glob"): "the folder of the installed library of Slang",
    ("src/lanewise/compile/outside/slang_library.py", "write_bytes"): "a temporary folder; it runs without lanewise",
    ("studio/src/lanewise_studio/keys.py", "shutil"): "removes the folder of the launch file",
    # not files
    ("src/lanewise/llvm/image.py", "mmap.mmap"): "memory for machine code",
    ("src/lanewise/llvm/caches.py", "glob"): "/sys",
    ("src/lanewise/tools/console.py", "os.open"): "the null device, for a stream whose reader has gone",
    ("src/lanewise/tools/dap.py", "os.fdopen"): "standard input",
    ("src/lanewise/tools/evidence.py", "iterdir"): "whether a folder is empty",
}


def opened_in(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Whatever may open a file in a module, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from [
                ("open", node.lineno) for each in (node.func, *node.args) if isinstance(each, ast.Name) and each.id == "open"
            ]
            yield from _called(node)
        elif isinstance(node, ast.ImportFrom) and node.module in ("shutil", "io", "os", "mmap"):
            yield from [(f"{node.module}.{name.name}", node.lineno) for name in node.names if name.name in (*_CALLS, "open")]
            if node.module == "shutil":
                yield "shutil", node.lineno
        elif isinstance(node, ast.Attribute):
            if node.attr not in _WORDS and not (isinstance(node.value, ast.Name) and node.value.id == "shutil"):
                continue  # to unparse all takes long
            owner = ast.unparse(node.value)
            if owner == "shutil":
                yield "shutil", node.lineno
            elif (node.attr in _CALLS and owner not in _MODULE) or (owner in ("np", "numpy") and node.attr in _NUMPY):
                yield f"{owner}.{node.attr}" if owner in ("os", "np", "mmap", "tempfile") else node.attr, node.lineno
            elif node.attr == "open" and owner in _OPENERS:
                yield f"{owner}.open", node.lineno


def _called(node: ast.Call) -> Iterator[tuple[str, int]]:
    if not isinstance(node.func, ast.Attribute):
        return
    if node.func.attr == "mmap" and ast.unparse(node.func) == "mmap.mmap":
        yield "mmap.mmap", node.lineno
    if node.func.attr == "open" and ast.unparse(node.func.value) not in _OPENERS:
        modes = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        if any(_MODE.fullmatch(mode) for mode in modes):
            yield "Path.open", node.lineno


def suspects() -> Iterator[tuple[str, str]]:
    """The modules with a word that may open a file: parsing takes longer than reading."""
    for folder in SOURCES:
        for path in sorted(folder.rglob("*.py")):
            name, text = path.relative_to(REPOSITORY).as_posix(), path.read_text("utf-8")
            if name not in DOOR and _SUSPECT.search(text):
                yield name, text


def test_files_are_opened_in_one_place():
    found = {(name, call): line for name, text in suspects() for call, line in opened_in(ast.parse(text))}
    assert {f"{file}:{line}: {call}" for (file, call), line in found.items() if (file, call) not in ALLOWED} == set()
    assert set(ALLOWED) - set(found) == set(), "nothing opens a file there now: remove the row"


def test_what_opens_a_file_is_found():
    text = """
import shutil
from shutil import copy
with open("a") as file: pass
data = Path("a").read_bytes(), np.load(a), np.fromfile(a), os.open(a, 0), mmap.mmap(-1, 4), Image.open(a), path.open("rb")
map(Path.read_text, paths)
map(open, paths)
def work(open): return open
shutil.rmtree(a)
for each in folder.iterdir(): pass
"""
    quiet = 'reader.open("for")\npath.open(name, register=1)\nfiles.read_text(a, "source")\ntable.load(a)\n'
    assert sorted({call for call, _ in opened_in(ast.parse(text))}) == [
        "Image.open",
        "Path.open",
        "iterdir",
        "mmap.mmap",
        "np.fromfile",
        "np.load",
        "open",
        "os.open",
        "read_bytes",
        "read_text",
        "shutil",
    ]
    assert list(opened_in(ast.parse(quiet))) == []


# What opens a file of the folder is the nearest function below that is not of Python itself.
WATCHED = """
import contextlib, io, json, os, sys
from lanewise.core import files, writing
from lanewise.tools.cli import main

folder, doors = os.path.realpath("."), {files.__file__, writing.__file__}
line, opened, others = "", {}, []

def watch(event, arguments):
    if event not in ("open", "os.scandir", "os.listdir") or not isinstance(arguments[0], str):
        return
    path = os.path.realpath(arguments[0])
    if not path.startswith(folder + os.sep):
        return
    frame = sys._getframe(1)
    while frame.f_code.co_filename.startswith("<frozen") or os.path.basename(os.path.dirname(frame.f_code.co_filename)) in \
("pathlib",) \\
            or os.path.basename(frame.f_code.co_filename) in ("pathlib.py", "os.py"):
        frame = frame.f_back
    opened[line] = opened.get(line, 0) + 1
    if frame.f_code.co_filename not in doors:
        others.append([line, os.path.relpath(path, folder), os.path.basename(frame.f_code.co_filename), frame.f_code.co_name])

lines = json.load(sys.stdin)
sys.addaudithook(watch)
codes = {}
for line in lines:
    out, err = io.TextIOWrapper(io.BytesIO(), write_through=True), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        codes[line] = [main(line.split()), err.getvalue()]
line = ""
print(json.dumps([codes, opened, others]))
"""
LINES = (
    "asm transform.v.pica -o a.shbin",
    "build",
    "dis a.shbin -o b.v.pica",
    "check .",
    "check --scan a.shbin",
    "check a.vsh --fix",
    "convert transform.v.pica --to nihstro -o c.vsh",
    "opt --each a.shbin -o smaller --record opt.record",
    "translate transform.v.pica -o e.c",
    "fmt .",
    "inspect a.shbin",
    "frame convert a.ctf -o b.ctf",
    "inspect --scan a.shbin --extract found",
    "run transform.v.pica --data frame.json --engine reference -o out.csv --draw out.svg",
    "run toon.v.pica --mesh tetra.obj --default 0 --profile own.toml --engine reference",
    "run cutout.psa --sampler s0=colors.npy --default 0 --engine reference",
    "test toon.shadertest.toml",
    "debug transform.v.pica --data frame.json --headless toon.debug",
    "diff a.shbin transform.v.pica",
    "graph a.shbin -o g.svg",
    "vectors --header -o .",
    "compile toon.spv -o i.shbin",
    "time transform.sc --svg t.svg",
    "rtl transform.sc --default 0 --bench bench",
)
# Commands that are only read, in the syntax trees: they serve until they are ended, take long, or open no file.
UNWATCHED = {"bench", "cache", "lsp", "dap", "studio", "isa", "schema", "completions", "man", "fuzz", "evidence"}


def test_commands_open_files_through_the_door_only(tmp_path: Path):
    pytest.importorskip("numpy", reason="pictures and reports of the optimiser need NumPy: pip install numpy")
    examples = REPOSITORY / "examples"
    for name in (
        "transform.v.pica",
        "toon.v.pica",
        "toon.shadertest.toml",
        "toon.debug",
        "frame.json",
        "tetra.obj",
        "cutout.psa",
        "transform.sc",
        "glsl/toon.spv",
    ):
        shutil.copy(examples / name, tmp_path)
    for name, text in {
        "lanewise.toml": '[units]\na = ["a.vsh"]\n',
        "x.inc": "; nothing\n",
        "a.vsh": '.include "x.inc"\nmain:\n    end\n',
        "own.toml": "",
    }.items():
        (tmp_path / name).write_text(text)
    import numpy as np

    (tmp_path / "a.ctf").write_bytes(triangle().citrace())
    np.save(tmp_path / "colors.npy", np.ones((2, 2, 4), np.uint8))
    environment = {**os.environ, "LANEWISE_CACHE": str(tmp_path.parent / "kernels"), "PYTHONPATH": str(REPOSITORY / "src")}
    run = subprocess.run(
        [sys.executable, "-c", WATCHED],
        cwd=tmp_path,
        env=environment,
        input=json.dumps(LINES),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    codes, opened, others = json.loads(run.stdout)
    # `check` finds something in the empty shader
    assert {line: err for line, (code, err) in codes.items() if code and not line.startswith("check")} == {}
    assert others == []
    assert set(LINES) - set(opened) == set()
    assert {line.split()[0] for line in LINES} | UNWATCHED == {command.name for command in COMMANDS}
