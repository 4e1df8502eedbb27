"""Golden files: each source says in its first line how to run it; `pytest --bless` rewrites what is expected.

Sources are in picasso's language (.pica) or in nihstro's (.vsh, .gsh). `; RUN: check` (there `// RUN: check`) expects the
findings of `lanewise asm --check`; `; RUN: listing` those and the listing of the words; `; RUN: compat` is `check` with
--picasso-compat; `; RUN: lint` expects the findings of `lanewise check`; `; RUN: dis` the source that the disassembler makes
of it; `; RUN: convert` the source in the other language, and in its own again; `; RUN: format` the source as `lanewise fmt`
writes it.
Files that end with .vsa are Direct3D 9: their listing has the words with what the printer makes of each.
Files that end with .sc are ShaderCore's: their listing has the words with what the printer makes of each, their lint is of the
device rtl.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from direct3d9_findings import check_direct3d9
from lanewise.api.loading import format_source
from lanewise.core.diagnostics import render
from lanewise.direct3d9.isa.program import Inst
from lanewise.direct3d9.text.printer import Names, instruction_text, print_shader
from lanewise.direct3d9.text.reader import read_source_text as read_direct3d9
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.checking import Reading, check_sources
from lanewise.pica200.api.converting import convert_assembly
from lanewise.pica200.api.disassembling import disassemble
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.text.dialects import DIALECTS
from lanewise.pica200.text.picasso.listing import listing_lines
from lanewise.shadercore.api.checking import check_shadercore
from lanewise.shadercore.isa.devices import RTL
from lanewise.shadercore.text.printer import line_of, print_program
from lanewise.shadercore.text.reader import read_source_text

HERE = Path(__file__).parent
SOURCES = sorted(path for path in HERE.iterdir() if path.suffix in (".pica", ".vsh", ".gsh", ".sc", ".vsa"))


def read_here(name: str) -> str:
    return (HERE / name).read_text()


def what_comes_out(path: Path) -> str:
    text = path.read_text()
    how = text.splitlines()[0].partition(" RUN: ")[2]
    if path.suffix == ".sc":
        return what_comes_out_of_shadercore(path.name, text, how)
    if path.suffix == ".vsa":
        return what_comes_out_of_direct3d9(path.name, text, how)
    known = ("check", "compat", "listing", "lint", "dis", "convert", "format")
    assert how in known, f"{path.name}: the first line says how to run it"
    if how == "format":
        return format_source(path.name, text)
    if how == "lint":
        return (
            "\n\n".join(render(finding) for finding in check_sources([(path.name, text)], Reading(read=read_here)).findings)
            + "\n"
        )
    result = assemble_sources([(path.name, text)], compatible=how == "compat", read=read_here)
    parts = [render(finding) for finding in result.diagnostics]
    if how == "listing":
        parts.append("\n".join(listing_lines(result.encoded.words, result.encoded.descriptors)))
    if how == "dis" and result.data is not None:
        shbin, _ = read_shbin(result.data, path.name)
        assert shbin is not None
        parts += [source.text.rstrip() for source in disassemble(shbin, path.stem, result.data).sources]
    if how == "convert":
        parts += [
            f"---- {source.name}\n{source.text.rstrip()}"
            for to in DIALECTS
            for source in convert_assembly(result, to.name, path.stem).sources
        ]
    return "\n\n".join(parts) + "\n"


def what_comes_out_of_direct3d9(name: str, text: str, how: str) -> str:
    assert how in ("check", "listing", "lint", "format"), f"{name}: the first line says how to run it"
    if how == "format":
        return format_source(name, text)
    if how == "lint":
        return "\n\n".join(render(finding) for finding in check_direct3d9(text.encode(), name, read_here)) + "\n"
    result = read_direct3d9(text, name, read_here)
    parts = [render(finding) for finding in result.diagnostics]
    if how == "listing":
        assert result.shader is not None
        again = print_shader(result.shader)
        assert read_direct3d9(again, name).shader is not None
        names = Names(result.shader.version)
        rows = [f"{' '.join(f'{word:08X}' for word in item.words)}" for item in result.shader.items]
        texts = [instruction_text(item, names) if isinstance(item, Inst) else "" for item in result.shader.items]
        parts += ["\n".join(f"{row}  {line or ''}".rstrip() for row, line in zip(rows, texts, strict=True)), again.rstrip()]
    return "\n\n".join(parts) + "\n"


def what_comes_out_of_shadercore(name: str, text: str, how: str) -> str:
    assert how in ("check", "listing", "lint"), f"{name}: the first line says how to run it"
    if how == "lint":
        return "\n\n".join(render(finding) for finding in check_shadercore(text.encode(), name, RTL).findings) + "\n"
    result = read_source_text(text, name)
    parts = [render(finding) for finding in result.diagnostics]
    if how == "listing":
        assert result.program is not None
        lines = print_program(result.program).splitlines()
        head = lines[: len(lines) - len(result.program.words)]
        parts.append("\n".join([*head, *(f"{word:016X}  {line_of(word)}" for word in result.program.words)]))
    return "\n\n".join(parts) + "\n"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_golden(path: Path, bless: bool):
    expected = path.with_suffix(".expected")
    found = what_comes_out(path)
    if bless:
        expected.write_text(found)
    assert expected.read_text() == found


def test_every_source_is_expected():
    assert SOURCES
    assert {path.stem for path in SOURCES} == {path.stem for path in HERE.glob("*.expected")}
