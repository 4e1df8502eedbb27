"""Files are opened by `core.files` and written by `core.writing`: over the syntax trees of all modules, and while commands run."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from corpus import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = (REPOSITORY / "src", REPOSITORY / "studio" / "src")
DOOR = {"src/lanewise/core/files.py", "src/lanewise/core/writing.py"}
_MODULE = {"files", "door"}  # names of `core.files` where it is imported
_CALLS = {"read_text", "read_bytes", "write_text", "write_bytes", "fdopen", "fromfile", "tofile", "memmap", "savetxt", "loadtxt", "genfromtxt", "mkstemp", "scandir", "listdir", "iterdir", "rglob", "glob"}  # fmt: skip
_OPENERS = {"os", "io", "codecs", "gzip", "bz2", "lzma", "tarfile", "zipfile", "Image", "archive"}
_NUMPY = {"load", "save", "savez", "savez_compressed"}
_MODE = re.compile(r"[rwxabt+]{1,3}")
_SUSPECT = re.compile(rf"\bopen *[(,)]|\b(np|numpy)\.({'|'.join(_NUMPY)})\b|\b({'|'.join((*_CALLS, 'mmap', 'shutil'))})\b")

# Where a file is opened otherwise: (file, call) and the reason.
ALLOWED = {
    # bytes that the door has read
    ("src/lanewise/arrays/npz.py", "archive.open"): "members of an archive in memory",
    ("src/lanewise/arrays/picture.py", "Image.open"): "bytes in memory",
    ("studio/src/lanewise_studio/app.py", "read_bytes"): "the page, which is installed with the studio",
    ("studio/src/lanewise_studio/evaluation.py", "np.save"): "into memory",
    # files of lanewise itself
    ("src/lanewise/distributed/versions.py", "rglob"): "the modules of lanewise",
    ("src/lanewise/distributed/versions.py", "read_bytes"): "the modules of lanewise",
    ("src/lanewise/llvm/generation.py", "os.scandir"): "the modules of lanewise",
    ("src/lanewise/llvm/generation.py", "read_bytes"): "the modules of lanewise",
    ("src/lanewise/tools/bench_cases.py", "read_text"): "a resource of the package",
    ("src/lanewise/tools/grammars.py", "read_text"): "a resource of the package",
    ("src/lanewise/tools/schema.py", "iterdir"): "resources of the package",
    ("src/lanewise/tools/schema.py", "read_text"): "a resource of the package",
    ("src/lanewise/tools/vectors.py", "read_bytes"): "a resource of the package",
    # private folders
    ("src/lanewise/llvm/cache.py", "glob"): "the cache, whose owner and mode are checked",
    ("src/lanewise/llvm/cache.py", "iterdir"): "the cache",
    ("src/lanewise/llvm/cache.py", "os.open"): "the cache: a kernel is read in microseconds, regular files only",
    ("src/lanewise/llvm/cache.py", "os.fdopen"): "the cache: a temporary file",
    ("src/lanewise/llvm/cache.py", "tempfile.mkstemp"): "the cache: a temporary file",
    ("src/lanewise/compile/outside/compilers.py", "write_text"): "a temporary folder that a compiler reads",
    ("src/lanewise/compile/outside/compilers.py", "read_bytes"): "a temporary folder that a compiler wrote to",
    ("src/lanewise/compile/outside/compilers.py", "glob"): "the folder of the installed library of Slang",
    ("src/lanewise/compile/outside/compilers.py", "shutil"): "looks for a compiler on PATH",
    ("src/lanewise/compile/outside/slang_library.py", "write_bytes"): "a temporary folder; it runs without lanewise",
    ("src/lanewise/distributed/record.py", "os.open"): "a record is locked and has lines added, and is opened without links",
    ("studio/src/lanewise_studio/keys.py", "os.open"): "a private launch file",
    ("studio/src/lanewise_studio/keys.py", "os.fdopen"): "a private launch file",
    ("studio/src/lanewise_studio/keys.py", "shutil"): "removes the folder of the launch file",
    # not files
    ("src/lanewise/llvm/image.py", "mmap.mmap"): "memory for machine code",
    ("src/lanewise/llvm/caches.py", "glob"): "/sys",
    ("src/lanewise/tools/console.py", "os.open"): "the null device, for a stream whose reader has gone",
    ("src/lanewise/tools/dap.py", "os.fdopen"): "standard input",
    ("src/lanewise/tools/evidence.py", "iterdir"): "whether a folder is empty",
    # presets of the studio
    ("studio/src/lanewise_studio/presets.py", "glob"): "presets",
    ("studio/src/lanewise_studio/presets.py", "read_text"): "presets",
    ("studio/src/lanewise_studio/presets.py", "read_bytes"): "presets",
    ("studio/src/lanewise_studio/presets.py", "write_text"): "presets",
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
    if ast.unparse(node.func) == "mmap.mmap":
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
        "Image.open", "Path.open", "iterdir", "mmap.mmap", "np.fromfile", "np.load", "open", "os.open", "read_bytes", "read_text", "shutil",
    ]  # fmt: skip
    assert list(opened_in(ast.parse(quiet))) == []
