"""Entry points of other distributions: code that somebody installed. Nothing of the working folder is one."""

from __future__ import annotations

import os
import sys
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.core.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.metadata import EntryPoint


class Origin(Record):
    """An entry point, and the name and version of its distribution."""

    entry: EntryPoint
    distribution: str


def origins(group: str) -> Iterator[Origin]:
    """Every entry point of a group, by name, but for those of distributions in the working folder: files there are not
    installed."""
    here = _here()
    rows: dict[str, Origin] = {}
    for distribution in distributions():
        try:
            if os.path.realpath(str(distribution.locate_file(""))) == here:
                continue
            for entry in distribution.entry_points:
                if entry.group == group:
                    rows.setdefault(entry.name, Origin(entry, f"{distribution.metadata['Name']} {distribution.version}"))
        except Exception:  # metadata that nothing can read has no entry points
            continue
    yield from [rows[name] for name in sorted(rows)]


def raised(error: BaseException) -> str:
    """An error as a reason. A module that lies in the working folder is told apart from one that is missing."""
    if isinstance(error, ModuleNotFoundError) and error.name is not None:
        root = error.name.partition(".")[0]
        if Path(f"{root}.py").is_file() or Path(root).is_dir():
            return f"its module '{root}' lies in the working folder, from which nothing is imported"
    return f"{type(error).__name__}: {error}"


def colon_of(entry: EntryPoint) -> str:
    """The line of an entry point whose module and object are separated by a dot in place of a colon; empty for any other."""
    module, point, name = entry.value.rpartition(".")
    if ":" in entry.value or not point:
        return ""
    try:
        there = find_spec(entry.value) is not None
    except (ImportError, ValueError):
        there = False
    return "" if there else f'{entry.name} = "{module}:{name}"'


def _here() -> str:
    """The working folder; empty for one that was removed."""
    try:
        return os.path.realpath(os.curdir)
    except OSError:
        return ""


class SafePath:
    """While it is entered, nothing is imported from the working folder, which `python -m` puts first."""

    def __enter__(self) -> None:
        self._before = sys.path
        here = _here()
        sys.path = [each for each in sys.path if each and not (here and os.path.realpath(each) == here)]

    def __exit__(self, *_: object) -> None:
        sys.path = self._before


__all__ = ["Origin", "SafePath", "colon_of", "origins", "raised"]
