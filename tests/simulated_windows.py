"""A pytest plug-in that shows Windows to lanewise, wherever the tests run: `pytest -p simulated_windows`, before lanewise is
imported.

The modules of lanewise get an `os`, `signal`, `mmap`, `socket` and `sys` of their own, in which what Windows lacks is missing,
`os.name` is "nt" and `sys.platform` is "win32"; modules of POSIX cannot be imported. The rest of Python stays as it is, and so
do the paths of files, which are those of the machine: tables with `ntpath` test the functions of paths
(`tests/unit/core/test_paths.py`). The environment has USERPROFILE and no HOME, standard streams are encoded in code page 437,
and a file that is open is not replaced.
"""

from __future__ import annotations

import builtins
import ctypes
import importlib.machinery
import inspect
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from windows_lacks import LACKING, MODULES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

OURS = ("lanewise", "lanewise_studio")


class _Module(ModuleType):
    """A module without some names, and with others."""

    def __init__(self, real: ModuleType, lacking: frozenset[str], instead: Mapping[str, object]) -> None:
        super().__init__(real.__name__, real.__doc__)
        self.__dict__.update(_real=real, _lacking=lacking, _instead=frozenset(instead), **instead)

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__["_lacking"]:
            raise AttributeError(f"module '{self.__name__}' of Windows has no '{name}'")
        return getattr(self.__dict__["_real"], name)

    def __setattr__(self, name: str, value: object) -> None:
        if name in self.__dict__["_instead"] or name.startswith("__"):
            super().__setattr__(name, value)
        else:
            setattr(self.__dict__["_real"], name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self.__dict__["_real"], name)

    def __dir__(self) -> list[str]:
        return [name for name in dir(self.__dict__["_real"]) if name not in self.__dict__["_lacking"]]


def _replace(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
    """As Windows replaces: not a file that this process has open."""
    place, opened = Path(target), Path("/proc/self/fd")
    if place.exists() and opened.is_dir():
        for each in opened.iterdir():
            if each.exists() and each.samefile(place):
                raise PermissionError(13, "the file is open in this process", str(place))
    os.replace(source, target)  # noqa: PTH105 (tests replace this function)


def modules() -> dict[str, ModuleType]:
    """The modules that lanewise gets."""
    import mmap
    import signal
    import socket

    instead: dict[str, Mapping[str, object]] = {
        "os": {"name": "nt", "replace": _replace, "O_BINARY": 0},
        "sys": {"platform": "win32"},
    }
    real: Sequence[ModuleType] = (os, signal, mmap, socket, sys)
    return {
        each.__name__: _Module(each, LACKING.get(each.__name__, frozenset()), instead.get(each.__name__, {})) for each in real
    }


class _Finder:
    """Finds the modules of lanewise as ever, and runs them with an `import` that gives them Windows."""

    def __init__(self) -> None:
        self._modules = modules()

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name.partition(".")[0] not in OURS:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            return spec
        loader, run = spec.loader, spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            module.__dict__["__builtins__"] = {**vars(builtins), "__import__": self._import}
            run(module)

        loader.exec_module = exec_module
        return spec

    def _import(self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        if not level and name.partition(".")[0] in MODULES:
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)
        if not level and name in self._modules:
            return self._modules[name]
        return builtins.__import__(name, globals, locals, fromlist, level)


# Tests with one of these words are about what Windows does not have.
ONLY_POSIX = (
    "mkfifo",
    "/dev/",
    "/proc/",
    "fork",
    "SIGKILL",
    "SIGALRM",
    "killpg",
    "chmod",
    "geteuid",
    "setrlimit",
    "symlink",
    "AF_UNIX",
    "bash",
    "os.link",
    "as_uri",
    "emscripten",
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests of POSIX."""
    left_out = [item for item in items if isinstance(item, pytest.Function) and any(word in _text(item) for word in ONLY_POSIX)]
    config.hook.pytest_deselected(items=left_out)
    gone = set(left_out)
    items[:] = [item for item in items if item not in gone]


def _text(item: pytest.Function) -> str:
    function: Any = item.obj
    try:
        return inspect.getsource(function)
    except OSError:
        return ""


class _Library:
    """The library kernel32, whose functions refuse: standard streams are not consoles."""

    def __init__(self, name: str) -> None:
        self.name = name

    def GetStdHandle(self, _number: int) -> int:
        return 0

    def GetConsoleMode(self, _handle: int, _place: object) -> int:
        return 0


def install() -> None:
    """Show Windows to what is imported from now on. Raises RuntimeError where lanewise is imported already."""
    if any(name.partition(".")[0] in OURS for name in sys.modules):
        raise RuntimeError("lanewise is imported already: load this plug-in before others (`nox -s elsewhere` shows how)")
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "LANG", "LC_ALL", "TERM"):
        os.environ.pop(name, None)
    ctypes.__dict__["WinDLL"] = _Library
    sys.meta_path.insert(0, _Finder())


install()
