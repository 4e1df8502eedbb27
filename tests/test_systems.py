"""What a system lacks is asked for before it is used: every such call in the sources, with its guard."""

from __future__ import annotations

import ast
from functools import cache

import pytest

from corpus import REPOSITORY
from in_pyodide import lacking
from together import together
from windows_lacks import LACKING, MODULES

# File, name, and what stands in the file before a system without it gets there.
GUARDED = {
    ("bench/lanewise_bench/report.py", "os.getloadavg"): 'if hasattr(os, "getloadavg")',
    ("src/lanewise/compile/outside/running.py", "resource"): "except ImportError",
    ("src/lanewise/core/searching.py", "mmap.MADV_DONTNEED"): 'hasattr(mmap, "MADV_DONTNEED")',
    ("src/lanewise/core/vectors/process.py", "os.killpg"): 'if os.name == "posix":',
    ("src/lanewise/core/vectors/process.py", "signal.SIGKILL"): 'if os.name == "posix":',
    ("src/lanewise/distributed/record.py", "fcntl"): "except ImportError:",
    ("src/lanewise/llvm/beside.py", "os.register_at_fork"): 'if hasattr(os, "register_at_fork"):',
    ("src/lanewise/llvm/cache.py", "os.geteuid"): 'if os.name == "nt":  # folders of a user',
    ("src/lanewise/llvm/image.py", "mmap.MAP_ANONYMOUS"): 'if sys.platform != "linux":',
    ("src/lanewise/llvm/image.py", "mmap.MAP_PRIVATE"): 'if sys.platform != "linux":',
    ("src/lanewise/llvm/image.py", "mmap.PROT_EXEC"): 'if sys.platform != "linux":',
    ("src/lanewise/llvm/image.py", "mmap.PROT_READ"): 'if sys.platform != "linux":',
    ("src/lanewise/tools/timeout.py", "signal.ITIMER_REAL"): 'hasattr(signal, "setitimer")',
    ("src/lanewise/llvm/crew.py", "os.register_at_fork"): 'hasattr(os, "register_at_fork")',
    ("src/lanewise/llvm/crew.py", "os.sched_getaffinity"): 'hasattr(os, "sched_getaffinity")',
    ("src/lanewise/tools/timeout.py", "signal.SIGALRM"): 'hasattr(signal, "setitimer")',
    ("src/lanewise/tools/timeout.py", "signal.setitimer"): 'hasattr(signal, "setitimer")',
    ("studio/src/lanewise_studio/app.py", "signal.SIGTTIN"): 'if os.name == "posix" and',
    ("studio/src/lanewise_studio/background.py", "signal.pthread_sigmask"): 'if not hasattr(signal, "pthread_sigmask"):',
}


def posix_names(text: str) -> set[str]:
    """What a module uses that Windows lacks: attributes of modules, and modules that are imported."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Attribute(value=ast.Name(id=module), attr=name) if name in LACKING.get(module, ()):
                found.add(f"{module}.{name}")
            case ast.ImportFrom(module=str(module), level=0):
                names = LACKING.get(module, frozenset())
                found |= {f"{module}.{each.name}" for each in node.names if each.name in names}
                found |= {module} & MODULES
            case ast.Import():
                found |= {each.name for each in node.names} & MODULES
            case _:
                pass
    return found


@cache
def used() -> dict[tuple[str, str], str]:
    """The names by file, with the text of the file. Only files that have one, or the import of one, are parsed."""
    words = {f"import {module}" for module in MODULES} | {f"from {module} import" for module in {*LACKING, *MODULES}}
    words |= {f"{module}.{name}" for module, names in LACKING.items() for name in names}
    found: dict[tuple[str, str], str] = {}
    for folder in ("src/lanewise", "studio/src/lanewise_studio", "bench/lanewise_bench"):
        for path in sorted((REPOSITORY / folder).rglob("*.py")):
            text = path.read_text("utf-8")
            if any(word in text for word in words):
                found |= {(path.relative_to(REPOSITORY).as_posix(), name): text for name in posix_names(text)}
    return found


def test_every_call_that_windows_lacks_is_listed():
    assert {*used()} == {*GUARDED}


@together("place", GUARDED, ids=" ".join)
def test_it_has_its_guard(place: tuple[str, str]):
    assert GUARDED[place] in used()[place]


def test_the_words_are_found():
    text = "import fcntl\nfrom signal import SIGALRM\nimport os\nos.fork()\nos.path.join('fork')\n"
    assert posix_names(text) == {"fcntl", "signal.SIGALRM", "os.fork"}


@pytest.mark.parametrize(
    ("error", "place", "needed"),
    [
        (ModuleNotFoundError("No module named 'numpy'", name="numpy.linalg"), "/src/lanewise/arrays/values.py", "numpy"),
        (ModuleNotFoundError("No module named 'lanewise.x'", name="lanewise.x"), "/tests/test_x.py", ""),
        (AttributeError("module 'os' has no attribute 'mkfifo'"), "/tests/test_x.py", "POSIX"),
        (AttributeError("module 'os' has no attribute 'geteuid'"), "/src/lanewise/llvm/cache.py", ""),
        (RuntimeError("can't start new thread"), "/lib/threading.py", "threads"),
        (OSError(138, "emscripten does not support processes."), "/lib/subprocess.py", "processes"),
        (OSError(2, "no such file"), "/tests/test_x.py", ""),
    ],
)
def test_what_pyodide_lacks_is_not_a_fault_and_what_lanewise_forgets_is(error: Exception, place: str, needed: str):
    assert lacking(error, place) == needed
