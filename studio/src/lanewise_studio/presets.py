"""Presets: the shader tests of some folders, from which a page chooses, and to which it saves."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from lanewise.api.testing import read_tests
from lanewise.arrays.mesh import wanted
from lanewise.arrays.words import Words
from lanewise.core import files, writing
from lanewise.core.members import split

from lanewise_studio.program import INCLUDE
from lanewise_studio.saving import MARK, SUFFIX, Restored, restored
from lanewise_studio.state import File, State, file_of, refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.core.shadertests import ShaderTest

_VARIANTS = ("profile", "device", "rule")
_UNIFORMS = ("uniforms", "integers", "booleans", "samplers", "geometry_uniforms")


class Preset(NamedTuple):
    """A state that the studio has saved (`test` is empty), or a test of another file. `programs` are the names of its
    sources."""

    name: str
    test: str
    programs: tuple[str, ...]

    def plain(self) -> dict[str, object]:
        """For the page."""
        return {"name": self.name, "test": self.test, "programs": [*self.programs]}


class Presets:
    """The files `*.shadertest.toml` of folders, without those below. What is saved goes to the first folder."""

    def __init__(self, folders: Sequence[str | Path] = ()) -> None:
        self.folders = tuple(dict.fromkeys([Path(folder).resolve() for folder in folders]))

    @property
    def folder(self) -> str:
        """Where presets are saved; empty for nowhere."""
        return str(self.folders[0]) if self.folders else ""

    def _paths(self) -> dict[str, Path]:
        """The files by the names under which they are listed: with their folder where two are called the same."""
        found: dict[str, Path] = {}
        for folder in self.folders:
            for path in map(Path, files.walk(str(folder), wanted=lambda path: path.endswith(SUFFIX), deep=False)):
                found[path.name if path.name not in found else f"{folder.name}/{path.name}"] = path
        return found

    def listed(self) -> list[Preset]:
        """All presets. Files that are not TOML are left out: `lanewise test` says what is wrong with them."""
        return [preset for name, path in self._paths().items() for preset in _presets(name, path)]

    def opened(self, name: str, test: str) -> Restored:
        """The state of a preset, with its mesh. Raises InputError."""
        path = self._paths().get(name)
        if path is None:
            raise refused(
                f"unknown preset '{name}'", f"it is no longer among the files *{SUFFIX} of {self.folder or 'a folder'}"
            )
        try:
            text = _text(path)
            if not test:
                return restored(text)
            tests = {each.name: each for each in read_tests(path)}
            if test not in tests:
                raise refused(f"{name} has no test '{test}'", f"use {', '.join(tests)}")
            return Restored(self._state(tests[test], _variant(tomllib.loads(text), test)))
        except (OSError, ValueError) as error:
            raise refused(f"cannot read {name}: {_reason(error)}") from None

    def _state(self, test: ShaderTest, variant: tuple[str, str]) -> State:
        """The program and the uniforms of a test. Its vertices are left to the mesh, but for inputs that no mesh has."""
        named = [split(str(path), lambda each: Path(each).is_file()) for path in test.programs]
        sources = [self._inside(Path(path)) for path, _ in named]
        folders = [self._inside(Path(folder)) for folder in _texts(test, "include")]
        case, (profile, settings) = test.case, variant
        tables: list[Mapping[str, Any]] = [getattr(case, key) or {} for key in _UNIFORMS]
        given: Mapping[str, Any] = case.inputs or {}
        inputs = {name: value for name, value in given.items() if not wanted(name) and np.ndim(value) < 2}
        options: dict[str, object] = {"define": _texts(test, "define")} if "define" in test.options else {}
        return State(
            files=tuple(self._with_included(sources, folders)),
            entry=named[0][1],
            profile=profile,
            set=settings,
            options=options,
            uniforms=_numbers({name: value for table in tables for name, value in table.items()}),
            inputs=_numbers(inputs),
        )

    def _inside(self, path: Path) -> Path:
        """A path of a preset. Raises InputError for one outside of the folders."""
        if not any(path.resolve().is_relative_to(folder) for folder in self.folders):
            raise refused(f"{path.name} is outside of {self.folder}", "start `lanewise studio` in a folder that holds both")
        return path

    def _with_included(self, sources: Sequence[Path], folders: Sequence[Path]) -> Iterator[File]:
        """Sources, with the files that they include."""
        waiting, seen = [*sources], set[str]()
        while waiting:
            path = waiting.pop(0)
            if path.name in seen:
                continue
            seen.add(path.name)
            file = file_of(path.name, files.read(path, "program"))
            yield file
            places = (path.parent, *folders)
            found = [folder / name for name in INCLUDE.findall(file.text) for folder in places if (folder / name).is_file()]
            waiting += [self._inside(each) for each in found]

    def write(self, name: str, text: str, state: State) -> tuple[str, list[str]]:
        """Write a file that the studio saves to the first folder: its name, and what the tests in it lack. Raises
        InputError."""
        name = name.strip().removesuffix(SUFFIX) + SUFFIX
        if name != Path(name.replace("\\", "/")).name or name.startswith(".") or not name.isprintable():
            raise refused(f"'{name}' is not the name of a file", f"use letters and digits, such as dusk{SUFFIX}")
        try:
            path = Path(files.inside(self.folder, name))
            if path.is_symlink():
                raise refused(f"{name} is a link: the studio writes files only", "choose another name")
            if path.exists() and MARK not in _text(path):
                raise refused(f"{name} exists, and the studio has not saved it", "choose another name")
            writing.write(path, text.encode())
        except (OSError, ValueError) as error:
            raise refused(f"cannot write {name}: {_reason(error)}", "choose another name, or download the file") from None
        return name, [remark for file in state.files if (remark := self._lacking(file))]

    def _lacking(self, file: File) -> str:
        try:
            path = Path(files.inside(self.folder, file.name))
            if not path.is_file():
                return f"`lanewise test` needs {file.name} beside it"
            same = file_of(file.name, files.read(path, "program")) == file
        except (OSError, ValueError) as error:
            return f"{file.name} is not compared with the disk: {_reason(error)}"
        return "" if same else f"{file.name} on the disk is another version: `lanewise test` runs that one"


def _presets(name: str, path: Path) -> Iterator[Preset]:
    try:
        text = _text(path)
        table: dict[str, Any] = tomllib.loads(text)
    except (OSError, ValueError, RecursionError):
        return
    value = table.get("program", "")
    programs = tuple([str(each) for each in cast("list[object]", value)]) if isinstance(value, list) else (str(value),)
    if f"\n{MARK}" in text:
        yield Preset(name, "", programs)
        return
    tests = table.get("test")
    for number, test in enumerate(cast("list[object]", tests) if isinstance(tests, list) else (), 1):
        if isinstance(test, dict):
            yield Preset(name, str(cast("dict[str, object]", test).get("name", f"test {number}")), programs)


def _texts(test: ShaderTest, key: str) -> list[str]:
    """An option of the program of a test that is a list of texts."""
    value = test.options.get(key, ())
    return [str(each) for each in value] if isinstance(value, (tuple, list)) else []


def _variant(table: Mapping[str, Any], test: str) -> tuple[str, str]:
    """The profile, device or rule of a test as its file writes it, and its settings: those of `rtl,start_delay=5`. Raises
    InputError."""
    listed: list[dict[str, object]] = table["test"]
    own = next(each for number, each in enumerate(listed, 1) if each.get("name", f"test {number}") == test)
    value = next((found for key in _VARIANTS if (found := own.get(key, table.get(key))) is not None), "")
    if isinstance(value, str):
        profile, _, settings = value.partition(",")
        return profile, settings
    fields = cast("dict[str, object]", value)
    settings = [f"{key}={field}" for key, field in fields.items() if key != "preset"]
    if len(settings) > 1:
        raise refused(f"the profile of '{test}' has the settings {', '.join(settings)}", "leave one: a page has one setting")
    return str(fields.get("preset", "")), "".join(settings)


def _numbers(values: Mapping[str, Any]) -> dict[str, object]:
    """Arrays as a state has them; raw patterns are left out."""
    return {
        name: bool(array) if array.dtype == np.bool_ and array.ndim == 0 else array.tolist()
        for name, value in values.items()
        if not isinstance(value, Words) and (array := np.asarray(value)).dtype.kind in "bif"
    }


def _text(path: Path) -> str:
    """The text of a shader test. Raises OSError, UnicodeDecodeError."""
    return files.read(path, "test").decode()


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else "") or str(error)


__all__ = ["Preset", "Presets"]
