"""The tables `[units]` and `[build]` of a configuration: which sources are one program, and what is built of them."""

from __future__ import annotations

import os

from lanewise.core import files
from lanewise.core.record import TYPE_CHECKING, Record, cast
from lanewise.core.service import FLAG, INTEGER, OPTIONAL, STDIO, TEXTS, UsageError
from lanewise.core.text.problems import Suggestions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.core.service import Option, Value

# Options of a command line that say how a command runs, not what it writes.
_OF_COMMANDS = frozenset(
    ("check", "format", "force", "follow", "help", "help-all", "config", "no-config", "timeout", "report", "stage", "accuracy")
)
_PATHS = ("FILE", "DIR")  # placeholders of values that are paths


class LinkUnit(Record):
    """Sources of one program: an entry of `[units]`."""

    name: str
    "Key in the table."
    files: tuple[str, ...]
    "Paths of the sources in their order, in the folder of the configuration."
    path: str
    "Configuration file."
    options: Mapping[str, Value] = {}
    "Values of options of `lanewise asm` or `compile`, for `lanewise build`."


class Building(Record):
    """The table `[build]`. Paths are in the folder of the configuration."""

    output: str
    "Folder of the outputs that no unit names."
    headers: str = ""
    "Folder of the headers that no unit names; empty for the default of the command."
    sources: tuple[str, ...] = ()
    "Files and folders whose programs are built too."


def unit_options() -> dict[str, tuple[Option, ...]]:
    """The options that a unit may have, by key: those of `lanewise asm` and of `lanewise compile`."""
    from importlib import import_module

    from lanewise.packages import packages

    # By name: these commands read the configuration, of which this is a part.
    asm, compile = (import_module(f"lanewise.tools.{name}") for name in ("asm", "compile"))
    assembling = [*asm.OPTIONS, *[option for package in packages() for option in package.manual("asm").options]]
    compiling = [row.option for row in compile.rows_of().values()]
    found: dict[str, tuple[Option, ...]] = {}
    for option in (*assembling, *compiling):
        if option.key not in _OF_COMMANDS:
            found[option.key] = (*found.get(option.key, ()), option)
    return found


class UnitReader:
    """Checks both tables of the configuration file `path`. `texts(key, value)` is the list of texts of a key, `error(message)`
    an error about the file. Raises UsageError."""

    def __init__(self, path: str, texts: Callable[[str, object], tuple[str, ...]], error: Callable[[str], UsageError]) -> None:
        self._path, self._folder = path, os.path.dirname(path)
        self._texts, self._error = texts, error

    def units(self, given: object) -> tuple[LinkUnit, ...]:
        """The programs of `[units]`."""
        if not isinstance(given, dict):
            raise self._error('units is not a table: write [units] and a line such as light = ["light.v.pica", "light.g.pica"]')
        found: list[LinkUnit] = []
        for name, value in cast("dict[str, object]", given).items():
            key = f"units.{name}"
            table = cast("dict[str, object]", value) if isinstance(value, dict) else {"sources": value}
            wrong = next((each for each in table if each not in unit_options() and each != "sources"), "")
            if wrong:
                raise self._unknown(f"{key}.{wrong}", wrong, ("sources", *unit_options()))
            names = self._texts(key, table.get("sources", []))
            paths = tuple([self._inside(key, each) for each in names])
            if not names or len(set(map(_normal, paths))) < len(names):
                raise self._error(f"{key}: expected different sources, found {len(set(names))} of {len(names)}")
            options = {each: self._option(key, each, table[each]) for each in table if each != "sources"}
            output = options.get("output")
            other = next((unit for unit in found if output and unit.options.get("output") == output), None)
            if other is not None:
                folder, file = os.path.split(str(table["output"]))
                own = (f"{folder}/" if folder else "") + name + os.path.splitext(file)[1]
                raise self._error(f'{key}.output is that of units.{other.name}: give one of them another, such as "{own}"')
            found.append(LinkUnit(name, paths, self._path, options))
        return tuple(found)

    def building(self, given: object) -> Building:
        """The table `[build]`."""
        if not isinstance(given, dict):
            raise self._error('build is not a table: write [build] and a line such as output = "build"')
        table = cast("dict[str, object]", given)
        for key in table:
            if key not in Building._fields:
                raise self._unknown(f"build.{key}", key, Building._fields)
        sources = self._texts("build.sources", table.get("sources", []))
        pattern = next((each for each in sources if "*" in each or "?" in each), "")
        if pattern:
            folder = pattern[: pattern.index("*" if "*" in pattern else "?")].rpartition("/")[0] or "."
            raise self._error(
                f'build.sources: "{pattern}" is a pattern: write the folder, "{folder}", and exclude = [...] at the top'
            )
        return Building(
            self._folder_of("output", table.get("output", "build")),
            self._folder_of("headers", table["headers"]) if "headers" in table else "",
            tuple([self._folder if each == "." else self._inside("build.sources", each) for each in sources]),
        )

    def _folder_of(self, key: str, value: object) -> str:
        if not isinstance(value, str):
            shown = {"output": "build", "headers": "include"}.get(key, "FOLDER")
            raise self._error(f'build.{key} is not a text: write the folder, build.{key} = "{shown}"')
        return self._folder if value == "." else self._inside(f"build.{key}", value)

    def _option(self, unit: str, key: str, value: object) -> Value:
        """The value of an option, with paths in the folder of the file."""
        known = unit_options()
        name = f"{unit}.{key}"
        if key not in known:
            raise self._unknown(name, key, ("sources", *known))
        kinds = dict.fromkeys([option.kind for option in known[key]])
        if isinstance(value, bool) and kinds.keys() & {FLAG, OPTIONAL}:
            return "" if value and OPTIONAL in kinds else value
        if isinstance(value, int) and not isinstance(value, bool) and INTEGER in kinds:
            return value
        if isinstance(value, list) and TEXTS in kinds and key != "output":
            texts = self._texts(name, cast("list[object]", value))
        elif isinstance(value, str) and kinds.keys() - {FLAG, INTEGER}:
            texts = (value,)
        else:
            expected = {FLAG: "true or false", INTEGER: "a number", TEXTS: "a list of texts"}
            raise self._error(f"{name} is not {' or '.join([expected.get(kind, 'a text') for kind in kinds])}")
        if any(option.metavar in _PATHS for option in known[key]) or (key == "device" and texts[0].lower().endswith(".toml")):
            texts = tuple([each if each == STDIO and key == "header" else self._inside(name, each) for each in texts])
        return texts[0] if isinstance(value, str) else texts

    def _inside(self, key: str, name: str) -> str:
        try:
            return files.inside(self._folder, name)
        except ValueError as error:
            raise self._error(f"{key}: {error}; write paths in the folder of this file, with /") from None

    def _unknown(self, name: str, key: str, known: tuple[str, ...]) -> UsageError:
        near = Suggestions().nearest(key, known)
        listed = ", ".join(known[:3]) + (", or an option of `lanewise asm` or `lanewise compile`" if len(known) > 3 else "")
        return self._error(f"unknown key '{name}': " + (f"did you mean {near}?" if near else f"use {listed}"))


def _normal(path: str) -> str:
    return os.path.normcase(os.path.abspath(path))


__all__ = ["Building", "LinkUnit", "UnitReader", "unit_options"]
