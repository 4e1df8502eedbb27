"""The record of `lanewise build`: digests of what each program was built from and of what was written, so that only changed
programs are built."""

from __future__ import annotations

import hashlib
import json
import os

from lanewise.core import files
from lanewise.core.nesting import json_value
from lanewise.core.record import TYPE_CHECKING, Record, cast
from lanewise.core.service import InputFailure
from lanewise.core.source import decode_text
from lanewise.tools.console import DiskFiles, json_bytes, write_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NAME, VERSION = ".lanewise-build.json", 1


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Inputs:
    """The files that a program is built from: those that are read are noted with their digests."""

    def __init__(self, scope: files.Scope, disk: DiskFiles | None = None, noted: dict[str, str] | None = None) -> None:
        self._scope, self._disk = scope, disk or DiskFiles(follow=scope.follow)
        self.digests: dict[str, str] = {} if noted is None else noted

    def note(self, path: str, data: bytes) -> bytes:
        self.digests[path] = digest(data)
        return data

    def included(self, path: str) -> str:
        """The text of an included file. Raises OSError."""
        return decode_text(self.note(path, self._scope.read(path, "include")))

    def read(self, path: str) -> bytes:
        """The bytes of a file that an option names. Raises InputFailure."""
        return self.note(path, self._disk.read(path))

    def exists(self, path: str) -> bool:
        return self._disk.exists(path)

    def within(self, path: str) -> Inputs:
        return Inputs(self._scope, self._disk.within(path), self.digests)


class Entry(Record):
    """A program that was built."""

    key: str
    "Digest of its options and of all else that is not a file."
    inputs: Mapping[str, str]
    "Digests of the files that it was built from, by path in the folder of the configuration."
    outputs: Mapping[str, str]
    "Digests of what was written."


class BuildRecord:
    """The entries of the programs of a configuration in `folder`, in a file of its folder for outputs. A file that cannot be
    read, or that something else wrote, has no entries: all is built again."""

    def __init__(self, folder: str, output: str) -> None:
        self._folder = folder
        self.path: str = os.path.join(output, NAME)
        self.entries: dict[str, Entry] = {}
        try:
            self._before = files.read(self.path, "record")
            self.entries = _entries(json_value(decode_text(self._before)))
        except (OSError, ValueError, RecursionError):
            self._before = b""

    def stale(self, name: str, key: str) -> str:
        """Why a program is built again, in a few words; empty for one that is up to date."""
        known = self.entries.get(name)
        if known is None:
            return "not built before"
        if known.key != key:
            return "its options or lanewise have changed"
        for path, expected in (*known.inputs.items(), *known.outputs.items()):
            found = self._digest(path)
            if found != expected:
                return f"{path} has changed" if found else f"{path} is missing"
        return ""

    def _digest(self, path: str) -> str:
        try:
            return digest(files.read(os.path.join(self._folder, path), files.STREAM))
        except (OSError, ValueError):
            return ""

    def outputs(self, name: str) -> tuple[str, ...]:
        """The files that a program is known to have."""
        return tuple([os.path.join(self._folder, path) for path in self.entries[name].outputs])

    def put(self, name: str, key: str, inputs: Mapping[str, str], outputs: Iterable[tuple[str, bytes]]) -> None:
        """Enter a program that was built."""
        written = {self._relative(path): digest(data) for path, data in outputs}
        self.entries[name] = Entry(key, {self._relative(path): value for path, value in inputs.items()}, written)

    def write(self, names: Iterable[str]) -> None:
        """Write the entries of these programs, which are all that there are. Raises InputFailure."""
        kept = {name: self.entries[name]._asdict() for name in names if name in self.entries}
        data = json_bytes({"version": VERSION, "programs": kept})
        if data != self._before and (kept or self._before):
            make_folder_of(self.path)
            write_bytes(self.path, data)
            self._before = data

    def _relative(self, path: str) -> str:
        try:
            return os.path.relpath(path, self._folder or ".").replace(os.sep, "/")
        except ValueError:  # another drive
            return os.path.abspath(path)


def _entries(value: object) -> dict[str, Entry]:
    """The entries of a record. Raises ValueError for what is not one."""
    table = cast("dict[str, object]", value if isinstance(value, dict) else {})
    programs = table.get("programs") if table.get("version") == VERSION else None
    found: dict[str, Entry] = {}
    for name, entry in cast("dict[str, object]", programs if isinstance(programs, dict) else {}).items():
        row = cast("dict[str, object]", entry if isinstance(entry, dict) else {})
        key, inputs, outputs = row.get("key"), _digests(row.get("inputs")), _digests(row.get("outputs"))
        if not isinstance(key, str) or not inputs or not outputs:
            raise ValueError(f"not a program: {name}")
        found[name] = Entry(key, inputs, outputs)
    return found


def _digests(value: object) -> dict[str, str]:
    """Digests by path; empty for what is not a table of texts."""
    table = cast("dict[str, object]", value if isinstance(value, dict) else {})
    return {path: text for path, text in table.items() if isinstance(text, str)}


def key_of(parts: Mapping[str, object]) -> str:
    """The digest of what a program depends on beside files: plain values."""
    return digest(json.dumps(parts, sort_keys=True).encode())


def make_folder_of(path: str) -> None:
    """Create the folder of an output. Raises InputFailure."""
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    except OSError as error:
        raise InputFailure(f"cannot write {path}: {files.reason(error)}") from None


__all__ = ["NAME", "BuildRecord", "Entry", "Inputs", "digest", "key_of", "make_folder_of"]
