"""`lanewise inspect --scan` for Direct3D 9 shaders.

Each different shader of a file once, with an index of offsets."""

from __future__ import annotations

import hashlib
import json
from pathlib import PurePath

from lanewise.core.document import columns
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import Answer, Inside
from lanewise.direct3d9.container.scan import scan as find
from lanewise.direct3d9.container.stream import read_stream
from lanewise.direct3d9.container.tables import constants_of
from lanewise.direct3d9.isa.slots import shader_cost
from lanewise.direct3d9.isa.table import DECLARATION, DEFINITION, PIXEL, VERTEX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Request
    from lanewise.direct3d9.container.scan import Found

_SUFFIXES = {VERTEX: ".vso", PIXEL: ".pso"}
_NONE = "Direct3D 9: no version token is followed by instructions and an end token."


def scan(request: Request) -> Answer:
    """The shaders and the DXBC containers inside a file; `files` are for the folder of `--extract`."""
    source, folder = request.sources[0], request.text("extract")
    found = find(request.searched, request.progress)
    different = streams(found.shaders)
    paths: list[str | None] = [str(PurePath(folder) / one.name) if folder else None for one in different]
    data: dict[str, object] = {
        "direct3d9": [as_json(one, path) for one, path in zip(different, paths, strict=True)],
        "dxbc": found.dxbc,
        "dxbc_with_direct3d9": sorted({one.dxbc for one in found.shaders if one.dxbc is not None}),
    }
    later = f"{len(found.dxbc)} DXBC container{'' if len(found.dxbc) == 1 else 's'}"
    if not different:
        without = f" It has {later} without a Direct3D 9 shader: the code for Direct3D 10 and later is not read."
        return Answer(data=data, text=_NONE + (without if found.dxbc else ""), failed=True)
    text = lines(different)
    if found.dxbc:
        inside = len({one.dxbc for one in found.shaders} - {None})
        holds = f"{inside} of them with a Direct3D 9 shader, listed above; " if inside else ""
        text.append(f"{later}, the first at 0x{found.dxbc[0]:X}: {holds}code for Direct3D 10 and later is not read")
    files = extracted(different, source.name) if folder else ()
    text += [f"wrote {PurePath(folder) / path}" for path, _ in files]
    inside = tuple([Inside(one.name, one.offsets[0], one.data) for one in different]) if folder else ()
    return Answer(data=data, text="\n".join(text) + "\n", files=files, inside=inside)


class Stream(Record):
    """A shader that was found, at one or several offsets."""

    name: str
    "The name of its file: the version, a hash of the bytes, and the suffix."
    data: bytes
    "All bytes of the shader."
    version: str
    "The version by its name, such as vs_2_0."
    offsets: tuple[int, ...]
    "The offsets in the scanned file, in bytes, ascending."
    instructions: int
    "Instructions without declarations and definitions."
    slots: int
    "Instruction slots, as `lanewise check --stats` counts them."
    constants: tuple[str, ...]
    "Names in its constant table; empty without a table."


def streams(found: Sequence[Found]) -> list[Stream]:
    """Each different shader once, by first offset."""
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
    return Stream(
        name=name,
        data=data,
        version=version,
        offsets=offsets,
        instructions=count,
        slots=shader_cost(shader).total,
        constants=names,
    )


def as_json(stream: Stream, file: str | None) -> dict[str, object]:
    """A shader that was found as plain values; `file` is where it is written, if it is."""
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
    """A table of the shaders that were found."""
    rows = [("offset", "size", "version", "instructions", "slots", "constants")]
    for one in found:
        more = f" (+{len(one.offsets) - 1})" if len(one.offsets) > 1 else ""
        named = ", ".join(one.constants[:8]) + (" ..." if len(one.constants) > 8 else "")
        shown = "".join(c if c.isprintable() else "?" for c in named)
        rows.append(
            (f"0x{min(one.offsets):X}{more}", str(len(one.data)), one.version, str(one.instructions), str(one.slots), shown)
        )
    return columns(rows)


def extracted(found: Sequence[Stream], name: str) -> tuple[tuple[str, bytes], ...]:
    """The files of shaders that were found in the file `name`, and an index of them."""
    stem = "stdin" if name == "<stdin>" else PurePath(name).stem
    index = {"source": name, "shaders": [as_json(one, one.name) for one in found]}
    return (*[(one.name, one.data) for one in found], (f"{stem}_direct3d9.json", (json.dumps(index, indent=2) + "\n").encode()))
