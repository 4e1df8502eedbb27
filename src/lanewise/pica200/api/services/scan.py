"""SHBINs and shader caches inside other files, for `lanewise inspect --scan`."""

from __future__ import annotations

from pathlib import PurePath

from lanewise.core.diagnostics import WARNING, InputError
from lanewise.core.document import columns
from lanewise.core.record import TYPE_CHECKING, cast
from lanewise.core.service import Answer, Inside
from lanewise.core.text.counting import counted
from lanewise.pica200.api.services.caches import as_json, shbin_of
from lanewise.pica200.api.services.summary import summarise
from lanewise.pica200.container.caches import damage_at, damage_found, scan_caches
from lanewise.pica200.container.scan import scan as find

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.service import Request
    from lanewise.pica200.container.caches import Cache
    from lanewise.pica200.container.scan import Found


def scan(request: Request) -> Answer:
    """The SHBINs and shader caches at any place of a file; of equal programs the first is written."""
    source, data = request.sources[0], request.searched
    found = find(data, source.name, request.progress)
    caches = scan_caches(data, request.progress)
    if not found and not caches:
        damage = damage_at(data, 0)
        text = f"{damage}." if damage else "nothing that begins with DVLB can be read as an SHBIN."
        return Answer(data={"found": [], "caches": []}, text=text, failed=True)
    folder = request.text("extract")
    stem = "stdin" if source.name == "<stdin>" else PurePath(source.name).stem
    different: dict[bytes, Inside] = {}
    written: dict[int, str] = {}
    findings = [finding for at, cache in caches for finding in damage_found(at, cache, source.name)]
    if folder:
        inside = [
            Inside(f"{stem}_{one.offset:08x}.shbin", one.offset, data[one.offset : one.offset + one.size]) for one in found
        ]
        for program in [program for _, cache in caches for program in cache.programs]:
            try:
                content = shbin_of(program, source.name)
            except InputError as error:  # of one program, which does not keep the others
                findings += [finding._replace(severity=WARNING) for finding in error.diagnostics]
            else:
                inside.append(Inside(f"{stem}_{program.name.replace('/', '_')}.shbin", program.offset, content))
        written = {one.offset: different.setdefault(one.data, one).name for one in inside}
    lines: list[str] = []
    if found:
        rows = [("offset", "size", "layout", "words", "descriptors", "shaders")]
        for one in found:
            file = summarise(one.shbin, source.name, one.size)
            stages = " ".join(shader.stage for shader in file.shaders)
            rows.append((f"0x{one.offset:X}", str(one.size), file.layout, str(file.words), str(file.descriptors), stages))
        lines += columns(rows)
    if caches:
        rows = [("offset", "cache", "program", "words", "descriptors", "entry")]
        for _, cache in caches:
            rows += [
                (
                    f"0x{one.offset:X}",
                    cache.kind,
                    one.name,
                    str(len(one.words)),
                    str(len(one.descriptors)),
                    "-" if one.entry is None else str(one.entry),
                )
                for one in cache.programs
            ]
        lines += columns(rows)
    lines += [f"wrote {PurePath(folder) / one.name}" for one in different.values()]
    again = len(written) - len(different)
    if again:
        lines.append(f"{again} more with the same bytes as one of these: not written again")
    shown = {
        "found": [_data(one, _path(folder, written, one.offset)) for one in found],
        "caches": [_cache(at, cache, source.name, folder, written) for at, cache in caches],
    }
    remarks: list[str] = []
    if found:
        count = "an SHBIN is" if len(found) == 1 else f"{len(found)} SHBINs are"
        remarks.append(f"{count} inside this file, the first at 0x{found[0].offset:X}")
    if caches:
        remarks.append(f"{counted(len(caches), 'shader cache')} of Azahar inside this file, the first at 0x{caches[0][0]:X}")
    return Answer(
        data=shown,
        text="\n".join(lines) + "\n",
        first=tuple(findings),
        remarks=tuple(remarks),
        files=tuple([(one.name, one.data) for one in different.values()]),
        inside=tuple(different.values()),
    )


def _path(folder: str, written: Mapping[int, str], offset: int) -> str | None:
    """The file that was written for the program at an offset."""
    return str(PurePath(folder) / written[offset]) if offset in written else None


def _cache(at: int, cache: Cache, name: str, folder: str, written: Mapping[int, str]) -> dict[str, object]:
    """A cache as plain values, each program with the file that was written for it."""
    shown = as_json(cache, cache.end - at, name)
    paths = [_path(folder, written, one.offset) for one in cache.programs]
    programs = cast("list[dict[str, object]]", shown["programs"])
    return {"offset": at, **shown, "programs": [{**row, "file": path} for row, path in zip(programs, paths, strict=True)]}


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
