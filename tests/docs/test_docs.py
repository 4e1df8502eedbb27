"""The docs are true: their commands run, their output is what is printed, their Python works, their links lead somewhere."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import shutil
from pathlib import Path
from typing import cast

import pytest

from corpus import REPOSITORY
from lanewise.core.diagnostics import has_errors
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.tools import cli
from together import together

_GENERATED = ("reference/", "project/")  # folders of docs that the site writes
PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    *sorted(
        page.relative_to(REPOSITORY).as_posix()
        for page in (REPOSITORY / "docs").rglob("*.md")
        if page.relative_to(REPOSITORY / "docs").parts[0] + "/" not in _GENERATED
    ),
]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SAVED = re.compile(r"[Ss]ave\s[^`]*`([\w.-]+)`")  # in the paragraph in front of a block that the reader saves
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")


def blocks(page: str, *kinds: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = _BLOCK.findall((REPOSITORY / page).read_text())
    return [(kind, text) for kind, text in found if kind in kinds]


def sequence(page: str) -> list[tuple[str, str, str]]:
    """The blocks of a page, each with the paragraph in front of it and its language."""
    text = (REPOSITORY / page).read_text()
    found: list[tuple[str, str, str]] = []
    end = 0
    for match in _BLOCK.finditer(text):
        found.append((text[end : match.start()].rstrip().rpartition("\n\n")[2], match[1], match[2]))
        end = match.end()
    return found


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what the docs name, as the current folder."""
    shutil.copytree(REPOSITORY / "examples", tmp_path / "examples")
    shutil.copytree(REPOSITORY / "tests" / "golden", tmp_path / "tests" / "golden")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def printed(command: str) -> str:
    program, *arguments = shlex.split(command)
    assert program == "lanewise"
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        cli.main(arguments)
    out.seek(0)
    return out.read()


def matches(expected: list[str], found: list[str]) -> bool:
    """Whether the lines agree; `...` stands for any number of lines."""
    if not expected:
        return not found
    if expected[0] == "...":
        return any(matches(expected[1:], found[n:]) for n in range(len(found) + 1))
    return bool(found) and expected[0].rstrip() == found[0].rstrip() and matches(expected[1:], found[1:])


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "console")])
def test_console_blocks(page: str, tree: Path):
    for before, kind, text in sequence(page):
        saved = _SAVED.search(before)
        if saved and kind != "console":
            Path(saved[1]).write_text(text)
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:] if kind == "console" else ():
            command, _, expected = part.partition("\n")
            found = printed(command)
            assert matches(expected.splitlines(), found.splitlines()), f"$ {command}\n{found}"


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")])
def test_python_blocks(page: str, tree: Path, capsys: pytest.CaptureFixture[str]):
    found = blocks(page, "python", "text")
    names: dict[str, object] = {"__name__": "__main__"}  # a page is one session
    for n, (kind, text) in enumerate(found):
        if kind == "python":
            exec(compile(text, page, "exec"), names)
            out = capsys.readouterr().out
            if n + 1 < len(found) and found[n + 1][0] == "text":
                assert out == found[n + 1][1]


@together("page", PAGES)
def test_shader_blocks_assemble(page: str):
    for _, text in blocks(page, "pica"):
        result = assemble_sources([(page, text)])
        assert not has_errors(result.diagnostics), result.diagnostics
    for _, text in blocks(page, "nihstro"):
        result = assemble_sources([(page, text)], dialect="nihstro")
        assert not has_errors(result.diagnostics), result.diagnostics


@together("page", PAGES)
def test_links(page: str):
    for link in _LINK.findall((REPOSITORY / page).read_text()):
        if page == "docs/index.md" and link.startswith(_GENERATED):
            continue  # tests/docs/test_site.py has these
        assert ((REPOSITORY / page).parent / link).exists(), link


_SHAPES = {"fuzz": "fuzz --against", "verdict": "vectors --report, --supervise", "log": "run --trace N --against LOG"}


@pytest.mark.parametrize("shape", _SHAPES)
def test_keys_of_comparisons_are_on_the_page(shape: str):
    """Every key of the shapes about emulators, under its heading."""
    text = (REPOSITORY / "docs" / "json.md").read_text()
    section = text.partition(f"### {_SHAPES[shape]}\n")[2].partition("\n### ")[0]
    schema: object = json.loads((REPOSITORY / "src" / "lanewise" / "schemas" / f"{shape}.json").read_text())
    assert set(_properties(schema)) - set(re.findall(r"`(\w+)`", section)) == {"schema", "isa", "diagnostics"}


def _properties(part: object) -> list[str]:
    """The names of the keys of a schema, at any depth."""
    if isinstance(part, list):
        rows = cast("list[object]", part)
        return [name for row in rows for name in _properties(row)]
    if not isinstance(part, dict):
        return []
    keys = cast("dict[str, object]", part)
    found = keys.get("properties")
    names = list(cast("dict[str, object]", found)) if isinstance(found, dict) else []
    return [*names, *[name for value in keys.values() for name in _properties(value)]]


def test_ci_calls_the_command_of_the_readme():
    commands = [text.strip() for _, text in blocks("README.md", "sh")]
    assert commands[1] in (REPOSITORY / ".ci" / "run").read_text().splitlines()


def test_the_main_job_of_the_readme(tree: Path):
    """The part of the first command after the installation."""
    command = blocks("README.md", "sh")[0][1].strip().rpartition("&& ")[2]
    assert "vertex" in printed(command.removeprefix(".venv/bin/"))


def test_the_picture_of_the_homebrew_tutorial_is_what_it_draws(tmp_path: Path):
    page = (REPOSITORY / "docs/tutorials/homebrew.md").read_text(encoding="utf-8")
    source, scene = (page.split(f"```{language}\n", 1)[1].split("```", 1)[0] for language in ("pica", "json"))
    shader, uniforms, drawn = tmp_path / "lit.v.pica", tmp_path / "scene.json", tmp_path / "lit.svg"
    shader.write_text(source.replace("-r0\n", "r0\n"), encoding="utf-8")
    uniforms.write_text(scene, encoding="utf-8")
    mesh = str(REPOSITORY / "examples/tetra.obj")
    assert cli.main(["run", str(shader), "--mesh", mesh, "--uniforms", str(uniforms), "--draw", str(drawn)]) == 0
    assert drawn.read_text(encoding="utf-8") == (REPOSITORY / "docs/pictures/tutorial-lit.svg").read_text(encoding="utf-8")
