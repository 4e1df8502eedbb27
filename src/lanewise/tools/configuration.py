"""Configuration files: `lanewise.toml`, or `[tool.lanewise]` of a `pyproject.toml`.

The nearest one counts, in the folder of a file or above it, and it counts alone. `lanewise asm` reads none: what it writes
depends on its command line only.
"""

from __future__ import annotations

import os

from lanewise.core import files
from lanewise.core.record import TYPE_CHECKING, Record, cast
from lanewise.core.service import STDIO, InputFailure, UsageError
from lanewise.core.text.formatting import indent_named
from lanewise.core.text.problems import Suggestions
from lanewise.packages import languages, packages
from lanewise.tools.console import reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lanewise.core.service import Value
    from lanewise.tools.patterns import Patterns
    from lanewise.tools.units import Building, LinkUnit, UnitReader

NAME, PROJECT = "lanewise.toml", "pyproject.toml"
SECTION = "tool.lanewise"
_COMPILE_FLAGS = {"optimise": "O", "output-locations": "output-locations", "strict": "strict"}
_COMPILE_TEXTS = ("entry-point", "glsl-compiler")
_PREAMBLES = ("float32", "exact")
_FROM_FILES = (
    "profile",
    "device",
)  # settings that are names or TOML files, relative to the folder of the configuration


class Settings(Record):
    """The settings for a file."""

    path: str = ""
    "Configuration file; empty where there is none."
    select: tuple[str, ...] = ()
    "Codes or beginnings of codes to report; empty for all."
    ignore: tuple[str, ...] = ()
    "Codes or beginnings of codes to leave out."
    per_file_ignores: tuple[tuple[Patterns, tuple[str, ...]], ...] = ()
    "The same for files of a pattern, relative to the folder of `path`."
    exclude: Patterns | None = None
    "Files that commands for folders leave out, relative to the folder of `path`; None for none."
    dialect: str = ""
    "Language of sources; empty to recognise it."
    indent: str = ""
    "Indentation of `lanewise fmt`; empty for the default."
    options: Mapping[str, str] = {}
    "Values for options of the instruction sets, such as profile, by key."
    compile: Mapping[str, Value] = {}
    "Values for sources that are compiled, as requests have them."
    units: tuple[LinkUnit, ...] = ()
    "Sources of programs."
    build: Building | None = None
    "Table of `lanewise build`; None without one."

    def relative(self, path: str) -> str:
        """A path as its patterns see it, with /; empty for one outside of the folder."""
        try:
            found = os.path.relpath(path, os.path.dirname(self.path) or ".").replace(os.sep, "/")
        except ValueError:  # another drive
            return os.path.basename(path)
        return os.path.basename(path) if found.startswith("../") else found

    def excludes(self, path: str) -> bool:
        """Whether `exclude` has a file."""
        return self.exclude is not None and self.exclude.match(self.relative(path))

    def excludes_folder(self, path: str) -> bool:
        """Whether `exclude` has a folder."""
        return self.exclude is not None and self.exclude.match_folder(self.relative(path))

    def units_with(self, path: str) -> tuple[LinkUnit, ...]:
        """The units of several files that have a file."""
        if not self.units or path == STDIO:
            return ()
        name = _normal(path)
        return tuple([unit for unit in self.units if len(unit.files) > 1 and name in map(_normal, unit.files)])

    def ignored_in(self, path: str) -> tuple[str, ...]:
        """The codes that are not reported for a file."""
        if not self.per_file_ignores:
            return ()
        name = self.relative(path)
        return tuple([code for patterns, codes in self.per_file_ignores if patterns.match(name) for code in codes])


NO_SETTINGS = Settings()
_CHOOSING = ("select", "ignore", "per_file_ignores", "exclude")


def _near(path: str) -> str:
    try:
        return os.path.relpath(path)
    except (OSError, ValueError):  # no current folder, another drive
        return path


def _normal(path: str) -> str:
    return os.path.normcase(os.path.abspath(path))


class Configuration:
    """The settings of files. `given` is the file of `--config`; `off` is `--no-config`."""

    def __init__(self, given: str = "", *, off: bool = False) -> None:
        self._given = given
        self._off = off
        self._folders: dict[str, Settings] = {}
        self._files: dict[str, Settings | None] = {}

    def of(self, path: str) -> Settings:
        """The settings for a file, for a file of the current folder where `path` is standard input. Raises UsageError."""
        if self._off:
            return NO_SETTINGS
        if self._given:
            found = self._read(self._given)
            if found is None:
                raise UsageError(f"--config {self._given}: the file has no [{SECTION}]")
            return found
        try:
            folder = os.path.dirname(os.path.abspath("x" if path == STDIO else path))
        except OSError:  # there is no current folder
            return NO_SETTINGS
        return self._in_folder(folder)

    def hidden(self) -> list[str]:
        """A remark for each file of those that counted which takes codes or files of one above it out of effect."""
        found: list[str] = []
        for settings in {each.path: each for each in self._folders.values()}.values() if not self._given else ():
            folder = os.path.dirname(settings.path)
            if not settings.path or os.path.lexists(os.path.join(folder, ".git")):
                continue
            above = Configuration()
            try:
                other = above._in_folder(os.path.dirname(folder)) if os.path.dirname(folder) != folder else NO_SETTINGS
            except UsageError:
                continue
            lost = [key for key in _CHOOSING if getattr(other, key) and not getattr(settings, key)]
            if lost:
                keys = " and ".join([key.replace("_", "-") for key in lost])
                fix = f"repeat {'it' if len(lost) == 1 else 'them'} in {_near(settings.path)}"
                found.append(
                    f"{keys} of {_near(other.path)} {'has' if len(lost) == 1 else 'have'} no effect on the files below "
                    f"{_near(folder)}, which has a configuration of its own: {fix}"
                )
        return found

    def _in_folder(self, folder: str) -> Settings:
        waiting: list[str] = []
        found: Settings | None = None
        while found is None:
            found = self._folders.get(folder)
            if found is not None:
                break
            waiting.append(folder)
            found = self._here(folder)
            above = os.path.dirname(folder)
            if found is None and above == folder:
                found = NO_SETTINGS
            folder = above
        for name in waiting:
            self._folders[name] = found
        return found

    def _here(self, folder: str) -> Settings | None:
        for name in (NAME, PROJECT):
            path = os.path.join(folder, name)
            try:
                found = self._read(path) if os.path.lexists(path) else None
            except (OSError, ValueError):  # a name that no file has
                return None
            if found is not None:
                return found
        return None

    def _read(self, path: str) -> Settings | None:
        if path not in self._files:
            self._files[path] = read_settings(path, found_there=path != self._given)
        return self._files[path]


def read_settings(path: str, *, found_there: bool = False) -> Settings | None:
    """The settings of a configuration file, which the user has named or which was `found_there`; None for a `pyproject.toml`
    without any. Raises UsageError."""
    try:
        data = files.read(path, "configuration")
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read the configuration {path}: {reason(error)}") from None
    project = os.path.basename(path) == PROJECT
    if project and b"lanewise" not in data:  # most of them: then the TOML reader is not needed
        return None
    if found_there and os.path.islink(path) and files.Scope([path]).refused(path):
        raise UsageError(f"{path} is a link that leaves its folder: name the file itself with --config, or use --no-config")
    from lanewise.core.settings import read_table

    try:
        found = read_table(data, path, "TOML", "settings")
    except InputFailure as error:
        raise UsageError(str(error)) from None
    table: object = found
    if project:
        tools = found.get("tool")
        table = cast("dict[str, object]", tools).get("lanewise") if isinstance(tools, dict) else None
        if table is None:
            return None
    if not isinstance(table, dict):
        raise UsageError(f"{path}: {SECTION} is not a table")
    return _Reader(path, cast("dict[str, object]", table)).settings()


def _variants() -> dict[str, tuple[str, ...]]:
    """The settings that are options of instruction sets, such as profile, with their values."""
    found: dict[str, tuple[str, ...]] = {}
    for package in packages():
        for row in package.variants():
            key = row.option.lstrip("-")
            found[key] = (*found.get(key, ()), row.name)
    return found


def _arguments(table: Mapping[str, object]) -> Iterator[str]:
    """The options of a command that a table has in place of its command line."""
    for key, value in table.items():
        if value is True:
            yield f"--{key}"
        elif isinstance(value, (list, str, int, float)):
            yield f"--{key} {','.join(map(str, cast('list[object]', value))) if isinstance(value, list) else value}"


def _settings_in_a_file(base: str, text: str) -> str:
    """The fix for settings of a device in a configuration, which names a file that has them."""
    pairs = [each.partition("=") for each in text.split(",") if each.strip()]
    lines = [
        f"{name.strip()} = {at.strip() if at.strip().isdigit() else chr(34) + at.strip() + chr(34)}" for name, _, at in pairs
    ]
    first = f'`base = "{base}"`, ' if base else ""
    return f'write `device = "core.toml"`, and in core.toml {first}`[set]`, ' + ", ".join([f"`{line}`" for line in lines])


class _Reader:
    """Checks the table of a configuration file. Raises UsageError."""

    def __init__(self, path: str, table: dict[str, object]) -> None:
        self._path = path
        self._table = table

    def settings(self) -> Settings:
        variants = _variants()
        known = ("select", "ignore", "per-file-ignores", "exclude", "dialect", "indent", "compile", "units", "build", *variants)
        for key, value in self._table.items():
            if key not in known:
                self._refuse_section(key, value)
                self._refuse_command(key, value)
                self._refuse_settings(key, value)
                near = Suggestions().nearest(key, known)
                raise self._error(f"unknown key '{key}': " + (f"did you mean {near}?" if near else f"use {', '.join(known)}"))
        return Settings(
            path=self._path,
            select=self._codes("select", self._table.get("select", [])),
            ignore=self._codes("ignore", self._table.get("ignore", [])),
            per_file_ignores=self._per_file(),
            exclude=self._patterns("exclude", self._texts("exclude", self._table["exclude"]))
            if "exclude" in self._table
            else None,
            dialect=self._choice("dialect", [language.name for _, language in languages()]),
            indent=self._indent(),
            options={key: self._choice(key, names) for key, names in variants.items() if key in self._table},
            compile=self._compile(),
            units=self._reader().units(self._table["units"]) if "units" in self._table else (),
            build=self._reader().building(self._table["build"]) if "build" in self._table else None,
        )

    def _refuse_section(self, key: str, value: object) -> None:
        """The header of the table of pyproject.toml, which is the whole of the other file."""
        if os.path.basename(self._path) == PROJECT or not isinstance(value, dict) or key not in SECTION.split("."):
            return
        import re

        for number, line in enumerate(files.read(self._path, "configuration").decode("utf-8", "replace").splitlines(), 1):
            found = re.match(r"\s*\[\s*((?:tool\.)?lanewise)(?:\.([^\]]+?))?\s*\]", line)
            if found is not None:
                fix = f"write [{found[2]}]" if found[2] else "delete this line, the keys of this file are at its top"
                raise UsageError(f"{self._path}:{number}: {found[0].strip()} is for {PROJECT}: {fix}")

    def _refuse_command(self, key: str, value: object) -> None:
        """A table of options of a command, which are on its command line."""
        from lanewise.tools.cli import COMMANDS

        if isinstance(value, dict) and key in [command.name for command in COMMANDS]:
            line = " ".join([f"lanewise {key}", *_arguments(cast("dict[str, object]", value))])
            raise self._error(f"unknown key '{key}': options of a command are on its command line: `{line}`")

    def _refuse_settings(self, key: str, value: object) -> None:
        """Settings of a device, which are in its own file, and a table by the name of an instruction set."""
        if key == "set" and isinstance(value, (str, dict)):
            rows = cast("dict[str, object]", value).items() if isinstance(value, dict) else ()
            text = value if isinstance(value, str) else ",".join([f"{name}={each}" for name, each in rows])
            raise self._error(f"unknown key 'set': {_settings_in_a_file('', text)}")
        if isinstance(value, dict) and key.lower() in [package.name for package in packages()]:
            lines = [f'{name} = "{each}"' for name, each in cast("dict[str, object]", value).items() if isinstance(each, str)]
            where = "write its keys at the top of the file" + (f": `{lines[0]}`" if lines else "")
            raise self._error(f"unknown key '{key}': {where}")

    def _reader(self) -> UnitReader:
        from lanewise.tools.units import UnitReader

        return UnitReader(self._path, self._texts, self._error)

    def _compile(self) -> Mapping[str, Value]:
        """The table for sources that are compiled, with the keys that requests have for it. Folders are relative to that of the
        file."""
        given = self._table.get("compile", {})
        if not isinstance(given, dict):
            raise self._error("compile is not a table: write [compile] and a line for each setting")
        table = cast("dict[str, object]", given)
        found: dict[str, Value] = {}
        for key, value in table.items():
            name = f"compile.{key}"
            if key == "define":
                found[name] = self._texts(name, value)
            elif key == "include":
                folder = os.path.dirname(self._path)
                found[name] = tuple([os.path.join(folder, each) for each in self._texts(name, value)])
            elif key == "semantics":
                if not isinstance(value, dict) or not all(
                    isinstance(each, str) for each in cast("dict[str, object]", value).values()
                ):
                    raise self._error('compile.semantics is not a table of texts: write semantics = {tint = "color"}')
                found["compile.semantic"] = tuple(
                    [f"{output}={semantic}" for output, semantic in cast("dict[str, str]", value).items()]
                )
            elif key in _COMPILE_FLAGS:
                if not isinstance(value, bool):
                    raise self._error(f"{name} is not true or false")
                found[f"compile.{_COMPILE_FLAGS[key]}"] = value
            elif key in _COMPILE_TEXTS:
                if not isinstance(value, str):
                    raise self._error(f"{name} is not a text")
                found[name] = value
            elif key == "preamble":
                if not isinstance(value, bool) and value not in _PREAMBLES:
                    raise self._error(f"{name} is not true, false or {' or '.join(map(repr, _PREAMBLES))}")
                found[name] = _PREAMBLES[0] if value is True else value or ""
            else:
                known = ("define", "include", "semantics", *_COMPILE_FLAGS, *_COMPILE_TEXTS, "preamble")
                near = Suggestions().nearest(key, known)
                raise self._error(f"unknown key '{name}': " + (f"did you mean {near}?" if near else f"use {', '.join(known)}"))
        return found

    def _error(self, message: str) -> UsageError:
        section = f" [{SECTION}]" if os.path.basename(self._path) == PROJECT else ""
        return UsageError(f"{self._path}{section}: {message}")

    def _texts(self, key: str, value: object) -> tuple[str, ...]:
        items = cast("list[object]", value) if isinstance(value, list) else [value]
        if not isinstance(value, list) or not all(isinstance(item, str) for item in items):
            text = f'"{value}"' if isinstance(value, str) and value and not {'"', "\\"} & {*value} else "..."
            raise self._error(f"{key} is not a list of texts: write {key} = [{text}]")
        return tuple([str(item) for item in items])

    def _codes(self, key: str, value: object) -> tuple[str, ...]:
        from lanewise.api.findings import findings

        found = tuple([text.strip().upper() for text in self._texts(key, value)])
        for code in found:
            if not code or not any(known.startswith(code) for known in findings()):
                raise self._error(f"{key}: unknown code '{code}'; `lanewise check --explain V` lists those that begin so")
        return found

    def _per_file(self) -> tuple[tuple[Patterns, tuple[str, ...]], ...]:
        key = "per-file-ignores"
        value = self._table.get(key, {})
        if not isinstance(value, dict):
            raise self._error(f'{key} is not a table: write {key} = {{ "old/*" = ["V070"] }}')
        rows = cast("dict[str, object]", value).items()
        return tuple([(self._patterns(key, (pattern,)), self._codes(f"{key}: {pattern}", codes)) for pattern, codes in rows])

    def _patterns(self, key: str, texts: tuple[str, ...]) -> Patterns:
        from lanewise.tools.patterns import Patterns

        try:
            return Patterns(texts)
        except ValueError as error:
            raise self._error(f"{key}: {error}") from None

    def _choice(self, key: str, names: list[str] | tuple[str, ...]) -> str:
        value = self._table.get(key, "")
        if value == "" and key not in self._table:
            return ""
        if isinstance(value, str) and key in _FROM_FILES and value.lower().endswith(".toml"):
            path = os.path.join(os.path.dirname(self._path), value)
            wrong = files.Scope([self._path]).refused(path)
            if wrong:
                raise self._error(f"{key} {value} is not read: it is outside of the project; name it with --{key}")
            return path
        if not isinstance(value, str) or value not in names:
            raise self._error(f"{key} is {value!r}: {self._meant_choice(key, value, names)}")
        return value

    def _meant_choice(self, key: str, value: object, names: Sequence[str]) -> str:
        """The fix of a value that is not one of `names`: a table with its name, settings after it, or a name of another key."""
        if isinstance(value, dict):
            named = next((each for each in cast("dict[str, object]", value).values() if each in names), names[0])
            return f'write `{key} = "{named}"` above the first [table]'
        text = str(value)
        name, comma, rest = text.partition(",")
        if comma and name in names and "=" in rest:
            return _settings_in_a_file(name, rest)
        other = next((each for each, known in _variants().items() if each != key and text in known), "")
        return f'write `{other} = "{text}"`' if other else f"use {', '.join(names)}"

    def _indent(self) -> str:
        value = self._table.get("indent", "")
        if value == "":
            return ""
        if isinstance(value, bool) or not isinstance(value, (int, str)):
            raise self._error('indent is not a number of blanks or "tab"')
        try:
            indent_named(str(value))
        except ValueError as error:
            raise self._error(f"indent: {error}") from None
        return str(value)


def chosen_codes(settings: Settings, path: str, selected: tuple[str, ...], ignored: tuple[str, ...]) -> Callable[[str], bool]:
    """Whether a code is reported for a file, by the options `--select` and `--ignore` and the settings.

    `--select` takes the place of both settings, `--ignore` adds to them.
    """
    select = selected or settings.select
    ignore = (*ignored, *(() if selected else settings.ignore), *settings.ignored_in(path))
    return lambda code: (not select or code.startswith(select)) and not (ignore and code.startswith(ignore))


__all__ = ["NO_SETTINGS", "Configuration", "Settings", "chosen_codes", "read_settings"]
