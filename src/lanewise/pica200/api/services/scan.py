"""SHBINs inside other files, for `lanewise inspect --scan`."""

from __future__ import annotations

from pathlib import PurePath

from lanewise.core.document import columns
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Answer
from lanewise.pica200.api.services.summary import summarise
from lanewise.pica200.container.scan import scan as find

if TYPE_CHECKING:
    from lanewise.core.service import Request
    from lanewise.pica200.container.scan import Found


def scan(request: Request) -> Answer:
    """The SHBINs at any place of a file; of equal ones the first is written."""
    source, data = request.sources[0], request.searched
    found = find(data, source.name, request.progress)
    if not found:
        return Answer({"found": []}, text="nothing that begins with DVLB can be read as an SHBIN.", failed=True)
    folder = request.text("extract")
    stem = "stdin" if source.name == "<stdin>" else PurePath(source.name).stem
    names: dict[bytes, str] = {}
    written: dict[int, str] = {}
    for one in found if folder else ():
        content = data[one.offset : one.offset + one.size]
        written[one.offset] = names.setdefault(content, f"{stem}_{one.offset:08x}.shbin")
    rows = [("offset", "size", "layout", "words", "descriptors", "shaders")]
    for one in found:
        file = summarise(one.shbin, source.name, one.size)
        stages = " ".join(shader.stage for shader in file.shaders)
        rows.append((f"0x{one.offset:X}", str(one.size), file.layout, str(file.words), str(file.descriptors), stages))
    lines = [*columns(rows), *(f"wrote {PurePath(folder) / name}" for name in names.values())]
    if len(names) < len(written):
        lines.append(f"{len(written) - len(names)} more with the same bytes as one of these: not written again")
    shown = {"found": [_data(one, str(PurePath(folder) / written[one.offset]) if folder else None) for one in found]}
    inside = "an SHBIN is" if len(found) == 1 else f"{len(found)} SHBINs are"
    remark = f"{inside} inside this file, the first at 0x{found[0].offset:X}"
    return Answer(
        shown,
        text="\n".join(lines) + "\n",
        remarks=(remark,),
        files=tuple([(name, content) for content, name in names.items()]),
    )


def _data(found: Found, path: str | None) -> dict[str, object]:
    file = summarise(found.shbin, "", found.size)
    shown = {
        "offset": found.offset,
        "size": found.size,
        "layout": file.layout,
        "words": file.words,
        "descriptors": file.descriptors,
    }
    return {**shown, "shaders": [shader.stage for shader in file.shaders], "file": path}
