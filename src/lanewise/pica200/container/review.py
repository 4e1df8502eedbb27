"""Warnings about a file that was read: what can be kept but does not make sense to the console's loader.

Sources of the rules: 3dbrew SHBIN; libctru shbin.c (how the loader uses the fields).
"""

from __future__ import annotations

from itertools import islice

from lanewise.core.diagnostics import WARNING, Diagnostic
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.core.text.counting import counted
from lanewise.pica200.container import layout as at
from lanewise.pica200.container import tables
from lanewise.pica200.container.shbin import sections
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.lift import flow_uniform
from lanewise.pica200.isa.table import FLOAT, GEOMETRY, INTEGER, TEMPORARY, register_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lanewise.pica200.container.shbin import Dvle, Section, Shbin

MOST_WARNINGS = 64
_LEAST_READ = 2  # uniforms that are read, for a remark on their names


def review(shbin: Shbin, name: str, most: int = MOST_WARNINGS) -> list[Diagnostic]:
    """The first `most` warnings about a file, in the order of its headers. Spans hold byte offsets."""
    return list(islice(_warnings(shbin, name), most))


def _warning(code: str, name: str, offset: int, message: str, fix: str) -> Diagnostic:
    return Diagnostic(code=code, severity=WARNING, message=message, span=Span(file=name, offset=offset), fix=fix)


def _warnings(shbin: Shbin, name: str) -> Iterator[Diagnostic]:
    placed = {section.name: section for section in sections(shbin)}
    for section in placed.values():
        if section.size and section.offset % 4 and not section.name.endswith(("symbols", "files")):
            yield _warning(
                "C007",
                name,
                section.offset,
                f"{section.name} is at {section.offset:#x}, which is not a multiple of 4",
                "assemble the program again; loaders read aligned words there",
            )
    read: frozenset[int] = frozenset()
    yield from oversize("code", len(shbin.words), name, placed["code"].offset)
    yield from oversize("descriptors", len(shbin.descriptors), name, placed["descriptors"].offset)
    for i, dvle in enumerate(shbin.dvles):
        if dvle.main >= max(1, len(shbin.words)):
            yield _warning(
                "C012",
                name,
                placed[f"dvle{i}"].offset + 8,
                f"object {i} starts at word {dvle.main}, but the code has {len(shbin.words)}",
                "correct the entry; nihstro-assemble writes the offset of the entry label's name there, "
                "so make the entry the first label",
            )
        yield from _names(dvle, i, name, placed)
        yield from _entries(dvle, i, name, placed)
        if dvle.uniforms:
            yield from _shifted(dvle, i, name, placed[f"dvle{i}.uniforms"].offset, read := read or _read(shbin.words))


def oversize(what: str, count: int, name: str, offset: int) -> Iterator[Diagnostic]:
    """A warning if `code` or `descriptors` has more words than any unit holds."""
    most = GEOMETRY.code_words if what == "code" else GEOMETRY.descriptors
    if count > most:
        yield _warning(
            "C014",
            name,
            offset,
            f"{what} has {count} words, but the largest unit holds {most}",
            "check that this is the right file; split the program if it is",
        )


def _names(dvle: Dvle, number: int, name: str, placed: Mapping[str, Section]) -> Iterator[Diagnostic]:
    for table, size, entries in (
        ("labels", at.LABEL.size, dvle.labels),
        ("uniforms", at.UNIFORM.size, dvle.uniforms),
    ):
        for k, entry in enumerate(entries):
            if tables.name(dvle.symbols, entry.symbol) is not None:
                continue
            found = tables.symbol(dvle.symbols, entry.symbol)
            if found is None and entry.symbol >= len(dvle.symbols):
                reason = f"offset {entry.symbol:#x} is outside the {len(dvle.symbols)} bytes of names"
            elif found is None:
                reason = f"name at offset {entry.symbol:#x} is not terminated"
            else:
                reason = f"{found[:40]!r} is not an identifier"
            yield _warning(
                "C008",
                name,
                placed[f"dvle{number}.{table}"].offset + k * size,
                f"entry {k} of dvle{number}.{table} has no usable name: {reason}",
                "give the entry a name of letters, digits, _, . and $"
                + (f"; until then it is shown as unnamed{k}" if table == "uniforms" else ""),
            )


def _entries(dvle: Dvle, number: int, name: str, placed: Mapping[str, Section]) -> Iterator[Diagnostic]:
    def place(table: str, k: int, size: int) -> int:
        return placed[f"dvle{number}.{table}"].offset + k * size

    for k, uniform in enumerate(dvle.uniforms):
        if tables.registers(uniform) is None:
            yield _warning(
                "C009",
                name,
                place("uniforms", k, at.UNIFORM.size),
                f"uniform {k} of object {number} has indices {uniform.first:#x} to {uniform.last:#x}, which are not "
                "registers of one class",
                "use 0-0xF for v, 0x10-0x6F for c, 0x70-0x73 for i, 0x78-0x87 for b",
            )
    for k, constant in enumerate(dvle.constants):
        if tables.constant(constant) is None:
            yield _warning(
                "C010",
                name,
                place("constants", k, at.CONSTANT.size),
                f"constant {k} of object {number} has type {constant.type} and register {constant.register}",
                "use type 0 (bool, b0-b15), 1 (int, i0-i3) or 2 (float, c0-c95)",
            )
    for k, output in enumerate(dvle.outputs):
        if tables.output(output) is None:
            yield _warning(
                "C011",
                name,
                place("outputs", k, at.OUTPUT.size),
                f"output {k} of object {number} has semantic {output.type}, register {output.register} and mask "
                f"{output.mask:#x}",
                "use semantics 0-9, registers o0-o15 and a mask of 1 to 0xF (bit 0 is x)",
            )


def _read(words: Sequence[int]) -> frozenset[int]:
    """The registers that words read."""
    found: set[int] = set()
    for inst in map(decode, words):
        found.update([inst.field(f"src{place + 1}") for place in range(inst.op.source_count)])
        uniform = flow_uniform(inst)
        if uniform is not None:
            found.add(uniform)
    return frozenset(found)


def _shifted(dvle: Dvle, number: int, name: str, offset: int, read: frozenset[int]) -> Iterator[Diagnostic]:
    """The warning about indices that are 16 off: no uniform that is read has a name, and 16 registers on, all have."""
    entries = [(k, tables.registers(entry)) for k, entry in enumerate(dvle.uniforms)]
    ranges = [(k, range(found[0], found[1] + 1)) for k, found in entries if found is not None]
    constants = {found.register for found in map(tables.constant, dvle.constants) if found is not None}
    wanted = {register for register in read if FLOAT <= register < INTEGER} - constants
    if len(wanted) < _LEAST_READ or any(not wanted.isdisjoint(registers) for _, registers in ranges):
        return
    for by in (tables.INDEX_SHIFT, -tables.INDEX_SHIFT):
        home = range(TEMPORARY) if by > 0 else range(FLOAT, INTEGER)
        moved = [
            (k, registers)
            for k, registers in ranges
            if registers[0] in home and (len(registers) > 1 or registers[0] not in read or by < 0)
        ]
        first = FLOAT if by > 0 else -tables.INDEX_SHIFT
        if moved and wanted <= {register + first for _, registers in moved for register in registers}:
            k, registers = moved[0]
            called = tables.name(dvle.symbols, dvle.uniforms[k].symbol) or f"unnamed{k}"
            indices = f"{dvle.uniforms[k].first:#x} to {dvle.uniforms[k].last:#x}"
            meant = f"{register_name(registers[0] + first)} to {register_name(registers[-1] + first)}"
            more = f", and so {counted(len(moved) - 1, 'other', 'others')}" if len(moved) > 1 else ""
            yield _warning(
                "C009",
                name,
                offset + k * at.UNIFORM.size,
                f"uniform '{called}' of object {number} has indices {indices}, and the program reads {meant}, "
                f"without a name{more}",
                f"write indices that are 0x10 {'higher' if by > 0 else 'lower'}: in this table c0 is 0x10, v0 is 0",
            )
            return
