"""The generated pages of the site: one for everything that a table has, and links that lead somewhere. `nox -s docs` builds
them."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from lanewise_site import (
    api,
    check,
    containers,
    direct3d9_programs,
    figures,
    files_direct3d9,
    files_pica200,
    idioms,
    implementations,
    records,
    repository,
    search,
)
from lanewise_site.commands import option_anchor
from lanewise_site.instructions import address, instructions, opcodes
from lanewise_site.markup import encoding, escape
from lanewise_site.meaning import meaning
from lanewise_site.pages import pages
from lanewise_site.trials import trial

import direct3d9_effects
import lanewise
from corpus import REPOSITORY
from lanewise.api.findings import findings
from lanewise.core.package import IsaPackage
from lanewise.direct3d9.isa.choices import CHOICES as DIRECT3D9_CHOICES
from lanewise.direct3d9.isa.program import make_dest, make_source
from lanewise.direct3d9.isa.table import CONSTBOOL, SAMPLER
from lanewise.packages import packages
from lanewise.pica200.isa.facts import CHOICES
from lanewise.shadercore.isa.devices import PARAMETERS
from lanewise.tools import schema
from lanewise.tools.cli import COMMANDS, main
from lanewise.tools.manual import manuals


@cache
def every() -> dict[str, str]:
    """The generated pages, once for each process that runs a test of them."""
    return pages()


_LINK = re.compile(r"\]\((?!https?:|mailto:|path:)([^)#\s]+)(#[^)\s]*)?\)")
_FENCED = re.compile(r"^(`{3,}).*?^\1$", re.MULTILINE | re.DOTALL)


def resolved(page: str, target: str) -> str:
    """The path of a link from the top of docs/."""
    parts: list[str] = [] if target.startswith("/") else list(PurePosixPath(page).parent.parts)
    for part in target.strip("/").split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def test_every_row_of_every_table_has_a_page():
    wanted = {f"reference/findings/{code}.md" for code in findings()}
    wanted |= {f"reference/profile/{key}.md" for key in CHOICES}
    wanted |= {f"reference/device/{row.key}.md" for row in PARAMETERS}
    wanted |= {f"reference/choice/{row.key}.md" for row in DIRECT3D9_CHOICES}
    wanted |= {f"reference/commands/{command.name}.md" for command in COMMANDS}
    wanted |= {f"reference/schemas/{name}.md" for name in schema.names()}
    wanted |= {f"reference/api/{name}.md" for name in api.modules()}
    for package in packages():
        wanted |= {address(package.name, str(row["name"])) + ".md" for row in instructions(package)}
    folders = {str(PurePosixPath(path).parent) for path in wanted}
    found = {path for path in every() if str(PurePosixPath(path).parent) in folders and not path.endswith("/index.md")}
    assert found == wanted


@pytest.mark.parametrize("package", packages(), ids=lambda package: package.name)
def test_the_grid_has_every_opcode_once(package: IsaPackage):
    text = every()[f"reference/{package.name}/index.md"]
    rows = instructions(package)
    cells = re.findall(r'<td class="tone\d" data-words="[^"]* 0x([0-9a-f]{2})"><a href="([\w-]+)\.html"', text)
    shown = {int(opcode, 16): page for opcode, page in cells}
    assert len(shown) == len(cells)
    expected = {
        opcode: address(package.name, str(row["name"])).rpartition("/")[2]
        for row in rows
        for opcode in opcodes(package.name, row)
    }
    assert shown == {opcode: page for opcode, page in expected.items() if opcode < 0x100}
    beyond = re.search(r'<p class="lw-beyond">.*</p>', text)
    assert sorted(page for opcode, page in expected.items() if opcode >= 0x100) == sorted(
        re.findall(r'href="([\w-]+)\.html"', beyond[0] if beyond else "")
    )


def test_every_public_name_has_an_example():
    assert [name for name in api.modules() if not api.examples(name)] == []
    assert "## Examples\n\nRaw patterns" in every()["reference/api/Words.md"]


def test_fields_of_a_record_are_shown_with_their_lines():
    page = every()["reference/api/Diagnostic.md"]
    assert "| name | type | meaning |" in page
    assert "| `span` | `Span` | Place that the finding is about. |" in page


# Rows without code: they compute nothing, or say what other instructions use.
_DECLARED = {"nop", "unused", "end", "label", "dcl", "def", "defi", "defb", "phase"}


@pytest.mark.parametrize("package", packages(), ids=lambda package: package.name)
def test_instructions_have_their_meaning_as_code(package: IsaPackage):
    for row in instructions(package):
        name = str(row["name"])
        code = meaning(package.name, row)
        assert bool(code) != (package.name != "pica200" and name in _DECLARED), name
        for listing in re.findall(r"```python\n(.*?)```", "\n\n".join(code), re.DOTALL):
            assert ast.parse(listing).body, name


def test_every_direct3d9_instruction_has_an_example_without_findings():
    for program in direct3d9_programs.PROGRAMS:
        assert list(lanewise.Direct3DShader.from_source(program).check()) == [], program
    package = next(package for package in packages() if package.name == "direct3d9")
    with_versions = {str(row["name"]) for row in instructions(package) if row["versions"]}
    assert set(direct3d9_programs.lines()) == with_versions


def test_the_code_of_an_instruction_is_that_of_each_device():
    document, rtl = "\n\n".join(meaning("shadercore", {"name": "add"})).split("### On `rtl`")
    assert "def _add_nearest" in document
    assert "def _add_floor" not in document
    assert "def _add_floor" in rtl
    assert "`self._flushes` is True" in rtl
    assert "### On" not in "\n\n".join(meaning("shadercore", {"name": "min"}))


def test_every_option_of_every_command_has_an_anchor():
    for manual in manuals():
        text = every()[f"reference/commands/{manual.name}.md"]
        for _, rows in manual.groups:
            for row in rows:
                if row.names[0].startswith("-"):
                    assert f'<a id="{option_anchor(manual.name, max(row.names, key=len))}"></a>' in text


_FILES = {
    "shbin": files_pica200.SHBIN,
    "cache-opengl": files_pica200.OPENGL,
    "cache-vulkan": files_pica200.VULKAN,
    "direct3d9": (*files_direct3d9.TOKENS, *files_direct3d9.TABLES),
    "effect-fx": files_direct3d9.FX,
    "effect-mgfx": files_direct3d9.MGFX,
    "effect-xnb": (*files_direct3d9.XNB, *files_direct3d9.DXBC),
}


@pytest.mark.parametrize("name", _FILES)
def test_every_field_of_a_file_has_an_anchor(name: str):
    anchors = re.findall(r'<a id="([\w-]+)"></a>', every()[f"reference/containers/{name}.md"])
    assert len(set(anchors)) == len(anchors)
    assert anchors == [records.anchor(record.name, field) for record in _FILES[name] for field in records.names(record)]


def test_every_container_has_pages_of_its_fields():
    for package in packages():
        for container in package.containers:
            for _, name in containers.LINKS[package.name, container.name]:
                assert f"reference/containers/{name}.md" in every()


def test_the_fields_of_tokens_are_those_that_shaders_have():
    dest = make_dest(CONSTBOOL, 5, mask=0b1010, modifiers=3, shift=-2, relative=0)
    found = {field: dest.word >> low & (1 << width) - 1 for low, width, field, _ in _token("Destination token")}
    assert found == {
        "1": 1,
        "file": CONSTBOOL & 7,
        "shift": 14,
        "modifiers": 3,
        "mask": 0b1010,
        "-": 0,
        "rel": 1,
        "high": CONSTBOOL >> 3,
        "number": 5,
    }
    source = make_source(SAMPLER, 7, swizzle=0b00_01_10_11, modifier=11)
    found = {field: source.word >> low & (1 << width) - 1 for low, width, field, _ in _token("Source token")}
    assert found == {
        "1": 1,
        "file": SAMPLER & 7,
        "modifier": 11,
        "w": 0,
        "z": 1,
        "y": 2,
        "x": 3,
        "-": 0,
        "rel": 0,
        "high": SAMPLER >> 3,
        "number": 7,
    }


def _token(name: str):
    return next(word.rows for word in files_direct3d9.TOKENS if word.name == name)


def test_the_parts_of_effects_are_those_that_files_have():
    data = direct3d9_effects.water()
    header = _numbers(data, files_direct3d9.FX[0])
    assert header["tag"] == direct3d9_effects.FX
    assert _numbers(data[8 + header["start"] :], files_direct3d9.FX[1])["techniques"] == 2
    inside = direct3d9_effects.dxbc(direct3d9_effects.stream(direct3d9_effects.VERTEX))
    assert _numbers(inside, files_direct3d9.DXBC[0])["chunks"] == 2
    wrapped = direct3d9_effects.xnb(data)
    assert _numbers(wrapped, files_direct3d9.XNB[0])["size"] == len(wrapped)


def _numbers(data: bytes, record: records.Parts) -> dict[str, int]:
    """The fields of a record whose place and size are known."""
    found: dict[str, int] = {}
    at = 0
    for size, field, _ in record.rows:
        if not isinstance(size, int):
            break
        found[field] = int.from_bytes(data[at : at + size], "little")
        at += size
    return found


def test_links_of_generated_pages_lead_to_pages():
    committed = {
        path.relative_to(REPOSITORY / "docs").as_posix() for path in (REPOSITORY / "docs").rglob("*") if path.is_file()
    }
    generated = {name for name in committed if name.startswith(("reference/", "project/"))}
    known = (committed - generated) | set(every())
    dead = [
        (page, target)
        for page, text in every().items()
        for target, _ in _LINK.findall(_FENCED.sub("", text))
        if resolved(page, target) not in known
    ]
    assert not dead


def test_links_of_the_front_page_lead_to_pages():
    text = (REPOSITORY / "docs" / "index.md").read_text(encoding="utf-8")
    targets = [resolved("index.md", target) for target, _ in _LINK.findall(text)]
    listed = re.findall(
        r"^([a-z0-9/-]+|README)$", "\n".join(re.findall(r"```{toctree}\n(.*?)```", text, re.DOTALL)), re.MULTILINE
    )
    assert len(listed) > 40
    for target in [*targets, *[f"{name}.md" for name in listed]]:
        assert target in every() or (REPOSITORY / "docs" / target).is_file(), target


def test_the_front_page_lists_every_page():
    """Sphinx warns of a page that is in no tree, and `nox -s docs` fails then."""
    docs = REPOSITORY / "docs"
    committed = {path.relative_to(docs).as_posix().removesuffix(".md") for path in docs.rglob("*.md")}
    committed = {name for name in committed if not name.startswith(("reference/", "project/"))}
    trees = re.findall(r"```{toctree}\n(.*?)```", (docs / "index.md").read_text(encoding="utf-8"), re.DOTALL)
    listed = {line for tree in trees for line in tree.splitlines() if line and not line.startswith(":")}
    assert committed - listed - set(repository.REPLACED) - {"index"} == set(), "add it to a tree of docs/index.md"


def test_drawings_are_up_to_date():
    assert {path.name: path.read_text(encoding="utf-8") for path in figures.FOLDER.glob("*.svg")} == figures.drawings(), (
        "run python -m lanewise_site.figures in docs/_ext"
    )


def test_the_drawing_of_waves_has_the_times_of_the_model():
    source = "\n".join([".input v0 position", ".output o0 position", *[text for text, *_ in figures.WAVES]])
    timing = lanewise.shadercore.ShaderCoreProgram.from_source(source).time("document")
    found = re.findall(r"^\d+ +(\d+) +(\d+) +(\d*) +(\S.*?)(?:  .*)?$", timing.table(), re.MULTILINE)
    assert found == [(str(issue), str(latency), str(stall or ""), text) for text, issue, latency, stall in figures.WAVES]


def test_links_of_the_repository_become_links_of_the_site():
    text = (
        "[a](diagnostics.md#v070) [b](../README.md#tour) [c](pica200.md#rcp) [d](../examples/toon.v.pica) [e](graph.md#x)\n"
        "```text\n[f](pica200.md)\n```\n"
    )
    assert repository.rewritten("docs/language.md", text) == (
        "[a](/reference/findings/V070.md) [b](/project/readme.md#tour) [c](/reference/pica200/rcp.md) "
        "[d](/reference/examples/toon-v-pica.md) [e](/graph.md#x)\n```text\n[f](pica200.md)\n```\n"
    )


def test_the_checker_of_a_built_site(tmp_path: Path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "index.html").write_text(
        '<a href="sub/a.html#here">x</a><a href="https://example.org/">y</a><script src="a.js"></script>'
    )
    (tmp_path / "a.js").write_text("")
    (tmp_path / "sub" / "a.html").write_text('<p id="here"></p><a href="../index.html">x</a>')
    assert check.check(tmp_path) == ([], {"https://example.org/"})
    (tmp_path / "sub" / "a.html").write_text(
        '<a href="../gone.html">x</a><img src="https://example.org/x.png"><img src="x.png"><a href="#no">y</a>'
    )
    (tmp_path / "x.css").write_text("a { background: url(//example.org/x.png) }")
    assert check.check(tmp_path)[0] == [
        "index.html: dead anchor sub/a.html#here",
        "sub/a.html: fetches https://example.org/x.png",
        "sub/a.html: x.png is missing",
        "sub/a.html: dead link ../gone.html",
        "sub/a.html: dead anchor #no",
        "x.css: fetches url(//...",
    ]


KNOWN_OF_THE_DEVICE = {"exp", "log", "rsq"}  # the public hardware lacks two, and has one that is wrong: findings say so

RUN = {"madi", "sgei", "breakc", "callc", "jmpu", "rcp"}


def test_instructions_have_a_program_to_try(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each has the instruction among its words, and no finding that is not about the instruction itself."""
    without: set[str] = set()
    for package in packages():
        for row in instructions(package) if package.name != "direct3d9" else []:
            name = str(row["name"])
            file, text = trial(package.name, name)
            if not file:
                without.add(name)
                continue
            path = tmp_path / file
            path.write_text(text, encoding="utf-8")
            words = lanewise.load(path).words
            assert any(_is(package.name, int(word), row) for word in words), name
            if name in RUN:
                assert main(["run", str(path), "--default", "0", "--engine", "reference"]) == 0, capsys.readouterr().err
            assert main(["check", str(path)]) == (package.name == "shadercore" and name in KNOWN_OF_THE_DEVICE), name
    assert without == {"emit", "setemit", "end", "unused"}


def _is(isa: str, word: int, row: dict[str, Any]) -> bool:
    return word & row["mask"] == row["value"] if isa == "pica200" else word & 0x1F == row["opcode"]


def test_questions_of_users_find_their_page():
    """All are in the first three; and each page that is asked for exists."""
    found = {**every(), **search.committed(REPOSITORY / "docs")}
    index = search.build(found)
    questions = search.questions()
    assert len(questions) == 63
    assert [page for pages in questions.values() for page in pages if f"{page}.md" not in found] == []
    missed = {
        query: first
        for query, pages in questions.items()
        if not set(pages) & set(first := [section.page for section in search.find(index, query, 3)])
    }
    assert missed == {}
    without = search.Index(index.sections, index.words, {})
    lost = [query for query, pages in questions.items() if not set(pages) & {s.page for s in search.find(without, query, 3)}]
    assert len(lost) > len(missed), "synonyms find pages that nothing else finds"
    assert [section.page for section in search.find(index, "V079", 1)] == ["reference/findings/V079"]
    assert search.find(index, "") == search.find(index, "the of") == []


def test_pages_of_other_instruction_sets_have_bits_and_what_implementations_do():
    rcp = every()["reference/direct3d9/rcp.md"]
    assert "## Tokens" in rcp and "Destination token, 0x" in rcp and "## Cards and other implementations" in rcp
    assert "| 15 to 0 |" not in rcp and "<td>15 to 0</td><td>opcode</td><td>0000000000000110</td>" in rcp
    assert "<td>4 to 0</td><td>opcode</td><td>00110</td>" in every()["reference/shadercore/rcp.md"]
    for fact in implementations.facts():
        for name in fact.instructions:
            assert escape(fact.where) in every()[f"reference/{fact.isa}/{name}.md"], (fact.isa, name)


def test_a_field_in_two_rows_of_a_narrow_picture_has_its_bits_in_both():
    fields = [{"name": "a", "low": 0, "width": 12, "reserved": False}, {"name": "b", "low": 12, "width": 8, "reserved": False}]
    wide, narrow = encoding(fields, 20, {"b": "10100001"}).split("lw-narrow")
    assert ">10100001</text>" in wide and 'viewBox="-1 0 834 54"' in wide
    assert ">1010</text>" in narrow and ">0001</text>" in narrow and 'viewBox="-1 0 418 118"' in narrow


def test_pages_of_instructions_have_descriptors_emulators_and_idioms():
    page = every()["reference/pica200/rcp.md"]
    assert "## Descriptor" in page and "**" in page.partition("## Azahar and Panda3DS")[2].partition("## ")[0]
    assert "A case that must not divide by zero" in page
    assert '<table class="docutils lw-bits">' in page and "<td>3 to 0</td><td>mask</td><td>" in page
    assert "| [Rounding of the product in mad](../profile/mad_rounding.md) |" in every()["reference/pica200/mad.md"]
    assert "## Azahar" not in every()["reference/pica200/nop.md"]
    assert "Nothing drawn where alpha is below a limit" in every()["reference/direct3d9/texkill.md"]
    assert "A position divided by w" in every()["reference/shadercore/rcp.md"]
    for idiom in idioms.idioms():
        if idiom.isa == "direct3d9":
            assert list(lanewise.Direct3DShader.from_source(idiom.program).check()) == [], idiom.title
        else:  # parts of programs: ShaderCore warns of outputs that are not written
            program = lanewise.load(idiom.program.encode(), name="idiom.sc" if idiom.isa == "shadercore" else "idiom.v.pica")
            assert not isinstance(program, list) and len(program.words) > len(idiom.instructions), idiom.title
        assert all(f"{address(idiom.isa, name)}.md" in every() for name in idiom.instructions), idiom.title
