"""Modules of lanewise for a process that is a command: found and read with fewer steps than by Python's own finder.

Python looks for a module in all the forms that one can have, and asks for the size of each file that it reads; this takes half
of the time of an import, and a short command imports 60 to 250 modules. Here a module is `NAME.py` or `NAME/__init__.py`, and
its bytecode is the file beside it that Python wrote. Whatever is otherwise, Python does: bytecode that is missing, stale or of
another place, modules in a zip file, other programs of Python.
"""

from __future__ import annotations

import os
import sys
from _frozen_importlib import BuiltinImporter, ModuleSpec
from _frozen_importlib_external import MAGIC_NUMBER, SourceFileLoader
from _io import FileIO
from marshal import loads

TYPE_CHECKING = False  # as in core.record, which is imported by this

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType

_OURS = "lanewise."
_BYTECODE = f".{sys.implementation.cache_tag}.pyc"
_HEAD = MAGIC_NUMBER + bytes(4)  # no flags: valid for a source of this time and size
_WORD = 0xFFFFFFFF


def install() -> None:
    """Find modules of lanewise in this process by `Finder` before Python looks, where it keeps bytecode in the usual place."""
    if (
        sys.pycache_prefix is None
        and not sys.flags.optimize
        and BuiltinImporter in sys.meta_path
        and Finder not in sys.meta_path
    ):
        sys.meta_path.insert(sys.meta_path.index(BuiltinImporter), Finder)


class Loader(SourceFileLoader):
    """Loads a module from its bytecode."""

    name: str
    path: str
    bytecode: str
    head: bytes

    def __init__(self, name: str, path: str, bytecode: str, head: bytes) -> None:
        self.name, self.path, self.bytecode, self.head = name, path, bytecode, head

    def get_code(self, fullname: str) -> CodeType | None:
        try:
            with FileIO(self.bytecode) as file:
                data = file.read()
        except OSError:
            data = b""
        if data[:16] == self.head:
            code = loads(memoryview(data)[16:])
            if code.co_filename == self.path:
                return code
        return super().get_code(fullname)

    def exec_module(self, module: ModuleType) -> None:
        code = self.get_code(self.name)
        if code is None:
            super().exec_module(module)
        else:
            exec(code, module.__dict__)


class Finder:
    """Finds the modules of lanewise."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if path is None or not name.startswith(_OURS):
            return None
        folder, stem, inside = path[0], name[name.rindex(".") + 1 :], None
        file = f"{folder}{os.sep}{stem}.py"
        try:
            found = os.stat(file)
        except OSError:
            folder = f"{folder}{os.sep}{stem}"
            stem, inside = "__init__", [folder]
            file = f"{folder}{os.sep}__init__.py"
            try:
                found = os.stat(file)
            except OSError:
                return None
        bytecode = f"{folder}{os.sep}__pycache__{os.sep}{stem}{_BYTECODE}"
        head = _HEAD + (int(found.st_mtime) & _WORD).to_bytes(4, "little") + (found.st_size & _WORD).to_bytes(4, "little")
        spec = ModuleSpec(name, Loader(name, file, bytecode, head), origin=file)
        spec.submodule_search_locations = inside
        spec.cached, spec.has_location = bytecode, True
        return spec
