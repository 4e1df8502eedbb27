"""`lanewise inspect --scan` for Direct3D 9 shaders: what is inside a file, each different stream written once, an index of where it was."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from lanewise.core.document import columns
from lanewise.core.record import Record
from lanewise.direct3d9.container.stream import read_stream
from lanewise.direct3d9.container.tables import constants_of
from lanewise.direct3d9.isa.slots import shader_cost
from lanewise.direct3d9.isa.table import DECLARATION, DEFINITION
from lanewise.tools.console import write_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from lanewise.direct3d9.container.scan import Found

_SUFFIXES = {"vs": ".vso", "ps": ".pso"}


class Stream(Record):
    """A stream that was found, at one or several offsets. `name` is made of its version and of its content."""

    name: str
    data: bytes
    version: str
    offsets: tuple[int, ...]
    instructions: int
    slots: int
    constants: tuple[str, ...]


def streams(found: Sequence[Found]) -> list[Stream]:
    """What was found, each different stream once, in the order of first offsets."""
    offsets: dict[bytes, list[int]] = {}
    for one in found:
        offsets.setdefault(one.data, []).append(one.offset)
    versions = {one.data: one.version for one in found}
    return [_stream(data, versions[data].name, _SUFFIXES[versions[data].kind], tuple(at)) for data, at in offsets.items()]


def _stream(data: bytes, version: str, suffix: str, offsets: tuple[int, ...]) -> Stream:
    shader = read_stream(data).shader
    if shader is None:
        raise AssertionError("a stream that was found begins with a version")
    table = constants_of(shader).table
    names = tuple([constant.name for constant in table.constants]) if table is not None else ()
    count = sum(inst.op.role not in (DECLARATION, DEFINITION) for inst in shader.insts)
    name = f"{version}_{hashlib.sha256(data).hexdigest()[:16]}{suffix}"
    return Stream(name, data, version, offsets, count, shader_cost(shader).total, names)


def as_json(stream: Stream, file: str | None) -> dict[str, object]:
    return {
        "version": stream.version,
        "size": len(stream.data),
        "offsets": list(stream.offsets),
        "instructions": stream.instructions,
        "slots": stream.slots,
        "constants": list(stream.constants),
        "file": file,
    }


def lines(found: Sequence[Stream]) -> list[str]:
    """A table of what was found."""
    rows = [("offset", "size", "version", "instructions", "slots", "constants")]
    for one in found:
        more = f" (+{len(one.offsets) - 1})" if len(one.offsets) > 1 else ""
        named = ", ".join(one.constants[:8]) + (" ..." if len(one.constants) > 8 else "")
        shown = "".join(c if c.isprintable() else "?" for c in named)
        rows.append(
            (f"0x{min(one.offsets):X}{more}", str(len(one.data)), one.version, str(one.instructions), str(one.slots), shown)
        )
    return columns(rows)


def write_streams(found: Sequence[Stream], folder: Path, source: str, stem: str) -> list[str]:
    """Write each stream into a folder that is there, and an index: the paths. Each file is whole or not there. Raises InputFailure."""
    paths: list[str] = []
    entries: list[dict[str, object]] = []
    for one in found:
        path = str(folder / one.name)
        write_bytes(path, one.data)
        paths.append(path)
        entries.append(as_json(one, one.name))
    index = str(folder / f"{stem}_direct3d9.json")
    write_bytes(index, (json.dumps({"source": source, "shaders": entries}, indent=2) + "\n").encode())
    return [*paths, index]
