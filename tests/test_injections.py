"""Hostile names on every surface, judged by a reader of the surface's own format.

Names come from files (their own names, which any byte but `/` and NUL can be in), from containers (symbols of an SHBIN,
techniques of an effect) and from sources. The hover of an editor and other Markdown is judged in unit/core/test_document.py,
messages of the language server in unit/lsp/test_server.py, addresses and settings of VS Code in editors/vscode/test.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import struct
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from xml.etree import ElementTree

import pytest

import direct3d9_effects
import lanewise as lw
from dap_client import Client
from dap_tours import TOON
from direct3d9_cases import table as constant_table
from lanewise.core.diagnostics import visible
from lanewise.core.html import code, table, title, unfolding
from lanewise.core.service import Request, SourceFile
from lanewise.packages import recognise
from lanewise.tools import cli
from pica200_caches import STATE, opengl, parts_of
from unit.tools.test_pytest_plugin import PLUGIN

if TYPE_CHECKING:
    from collections.abc import Callable

pytest_plugins = ["pytester"]

EXAMPLES = Path(__file__).parents[1] / "examples"
HOSTILE = 'a*\n#include "x"\n::error::y\n=cmd|1\r\x1b[2J\u202e\u2028<script>&`"\'[l](command:c)]]>--> end\\'
LATIN = HOSTILE.encode().decode("latin-1")  # in a file of bytes
PLAIN = "shader_"  # what generated code calls both
NAMES = {".v.pica": "toon.v.pica", ".vsh": "lanterns.vsh", ".sc": "transform.sc"}
IDENTIFIER = re.compile(r"[A-Za-z_][\w.$]*")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copies of examples under a harmless and under a hostile name, with a mistake in a source of that name too."""
    if os.name == "nt":
        pytest.skip("the names of files of this system have no such characters: run it on Linux or macOS")
    made = tmp_path_factory.mktemp("names")
    for suffix, name in NAMES.items():
        for stem in (PLAIN, HOSTILE):
            shutil.copy(EXAMPLES / name, made / f"{stem}{suffix}")
            shutil.copy(EXAMPLES / name, made / f"{stem}wrong{suffix}")
            with (made / f"{stem}wrong{suffix}").open("a", encoding="utf-8") as file:
                file.write("\n[l](command:c) <b>\n")
    return made


@pytest.fixture
def printed(folder: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., str]:
    """What a command prints, or writes to `out` where that is among its arguments."""
    monkeypatch.chdir(folder)

    def run(*arguments: str) -> str:
        Path("out").unlink(missing_ok=True)
        cli.main([*arguments])
        shown = capfdbinary.readouterr()
        return (Path("out").read_bytes() if Path("out").exists() else shown.out + shown.err).decode()

    return run


def terminal(text: str) -> None:
    """A terminal obeys control characters, and shows others in another order."""
    assert text
    assert {c for c in text if not c.isprintable()} <= {"\n", "\t"}


def lines(text: str) -> None:
    """A name does not begin a line: readers of logs and builds take lines."""
    terminal(text)
    assert [line for line in text.splitlines() if line.startswith(("#include", "::", "=cmd"))] == []


def workflow_commands(text: str) -> None:
    """The runner of GitHub takes lines that begin with `::`: https://github.com/actions/runner, ActionCommand.cs."""
    terminal(text)
    for line in text.splitlines():
        found = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        assert found, line
        fields = dict(each.split("=", 1) for each in found[2].split(","))
        file = re.sub("%(3A|2C|0A|0D|25)", lambda match: chr(int(match[1], 16)), fields.pop("file", ""))
        assert file in {"", *[visible(f"{HOSTILE}{end}{suffix}", "") for suffix in NAMES for end in ("", "wrong")]}
        assert set(fields) <= {"line", "col", "endColumn", "title"}


def sarif(text: str) -> None:
    """Messages of SARIF have links, 3.11.6: `[text](target)`, unless a backslash is before the bracket."""
    found: list[Any] = [json.loads(text)]
    texts: list[str] = []
    while found:
        item = found.pop()
        if isinstance(item, dict):
            members = cast("dict[str, Any]", item)
            texts += [str(members["text"])] if "text" in members else []
            found += members.values()
        elif isinstance(item, list):
            found += cast("list[Any]", item)
    assert texts
    assert [one for one in texts if re.search(r"(?<!\\)\[[^][]*(?<!\\)\]\(", one)] == []


def drawn(text: str, title: str = HOSTILE) -> None:
    """SVG as XML: no element or attribute that runs or loads something, and links to lines of files beside it."""
    elements = [*ElementTree.fromstring(text).iter()]
    assert elements
    for element in elements:
        assert element.tag.rpartition("}")[2] in {
            "svg",
            "title",
            "desc",
            "style",
            "rect",
            "text",
            "g",
            "a",
            "path",
            "polygon",
            "line",
            "defs",
            "marker",
            "circle",
            "tspan",
        }
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert "href" not in name or re.match(r"[\w.%~()*!'-]+(#L\d+)?$", value), value
    assert visible(title) in "".join(elements[0].itertext())


def parts(text: str, *, wgsl: bool = False) -> str:
    """What a compiler sees of C, C++, GLSL or WGSL: lines are joined, then comments are dropped."""
    if wgsl:
        return re.sub(r"//[^\n\v\f\r\x85\u2028\u2029]*", "", text)
    return re.sub(r"//[^\n\r]*|/\*.*?\*/", "", text.replace("??/", "\\").replace("\\\n", ""), flags=re.DOTALL)


def same_program(text: str, plain: str, language: str) -> None:
    assert parts(text, wgsl=language == "wgsl") == parts(plain, wgsl=language == "wgsl")
    assert '#include "x"' not in parts(text)


def rows(text: str) -> None:
    """A spreadsheet takes cells that begin with one of =+-@ for formulas: names are identifiers, and the rest are numbers."""
    head, *data = csv.reader(text.splitlines())
    assert [cell for cell in head if not IDENTIFIER.fullmatch(cell)] == []
    assert all(float(cell) is not None for row in data for cell in row)


def waves(text: str) -> None:
    """A VCD file is words: sections from `$keyword` to `$end`, names without white space."""
    words = iter(text.split())
    kinds: set[str] = set()
    for word in words:
        if word == "$enddefinitions":
            break
        section = [word, *iter(lambda: next(words), "$end")]
        assert word.startswith("$")
        assert not [part for part in section[1:] if part.startswith("$") and len(part) > 1 and part[1:].isalpha()]
        assert word != "$var" or len(section) in (5, 6), section
        kinds.add(word)
    assert {"$var", "$scope"} <= kinds


SURFACES = [
    ("inspect", terminal),
    ("inspect --listing", terminal),
    ("graph", terminal),
    ("graph --format dot", terminal),
    ("graph --format svg", drawn),
    ("dis", terminal),
    ("run --default 0", lines),
    ("run --default 0 --trace 0", lines),
    ("debug --default 0 --headless script", lines),
    ("opt", lines),
    ("test", lines),
    ("check --scan", lines),
    ("run --default 0 --trace 0 --trace-format table", terminal),
    ("check --format json", json.loads),
    ("inspect --format json", json.loads),
    ("graph --format json", json.loads),
    ("run --default 0 --format json", json.loads),
]


@pytest.mark.parametrize("suffix", NAMES)
@pytest.mark.parametrize(("words", "judge"), SURFACES, ids=[words for words, _ in SURFACES])
def test_names_of_files(words: str, judge: Callable[[str], object], suffix: str, printed: Callable[..., str]):
    command, *options = words.split()
    Path("script").write_text("step\nquit\n")
    judge(printed(command, f"{HOSTILE}{suffix}", *options))


@pytest.mark.parametrize("suffix", NAMES)
@pytest.mark.parametrize(
    ("form", "judge"), [("text", terminal), ("json", json.loads), ("github", workflow_commands), ("sarif", sarif)]
)
def test_findings_of_hostile_lines(form: str, judge: Callable[[str], object], suffix: str, printed: Callable[..., str]):
    judge(printed("check", f"{HOSTILE}wrong{suffix}", "--format", form))


@pytest.mark.parametrize("language", ["c", "cpp", "glsl", "wgsl"])
def test_generated_code(language: str, printed: Callable[..., str]):
    text, plain = [printed("translate", f"{stem}.v.pica", "--to", language) for stem in (HOSTILE, PLAIN)]
    same_program(text, plain, language)


@pytest.mark.parametrize("end", ["\\", "??/", "\\ ", "\n#include <x>"])
def test_comments_of_generated_code_end_with_their_line(end: str):
    from lanewise.pica200.translate.languages import LANGUAGES

    for name, language in LANGUAGES.items():
        text = language(exact=True).comment(f"mov r0, r1 {end}") + "\nnext();\n"
        assert parts(text, wgsl=name == "wgsl").strip() == "next();"


@pytest.mark.parametrize("suffix", [".v.pica", ".vsh"])
def test_disassembled_sources(suffix: str, printed: Callable[..., str]):
    stem = HOSTILE if suffix == ".vsh" else f"{HOSTILE}2"
    binary = f"{stem.replace(chr(92), '')}.shbin"
    printed("asm", f"{PLAIN}{suffix}", "-o", binary, "--force")
    text = printed("dis", binary, "-o", "-", "--dialect", "nihstro" if suffix == ".vsh" else "picasso")
    program = [line for line in text.splitlines() if not re.match(r"\s*(;|//|$)", line)]
    assert [line for line in program if "include" in line or line.startswith(("::", "=", "#"))] == []


def test_timelines(printed: Callable[..., str]):
    drawn(printed("time", f"{HOSTILE}.sc", "--svg", "out"))
    waves(printed("time", f"{HOSTILE}.sc", "--vcd", "out"))


def test_columns_of_tables(printed: Callable[..., str]):
    Path("out.csv").unlink(missing_ok=True)
    printed("run", f"{HOSTILE}.v.pica", "--default", "0", "-o", "out.csv")
    rows(Path("out.csv").read_text())


def test_symbols_of_containers_are_identifiers(printed: Callable[..., str]):
    name = "u" * 40
    Path("s.v.pica").write_text(f".fvec {name}[2]\n.in position\n.out o position\n.proc main\n mov o, {name}[1]\n end\n.end\n")
    printed("asm", "s.v.pica", "-o", "s.shbin", "--force")
    data = Path("s.shbin").read_bytes()
    assert name.encode() in data
    Path("s.shbin").write_bytes(data.replace(name.encode(), HOSTILE.encode()[:40]))
    (shader,) = json.loads(printed("inspect", "s.shbin", "--format", "json"))["file"]["shaders"]
    assert [bool(IDENTIFIER.fullmatch(row["name"])) for row in shader["uniforms"]] == [True]
    for words in (["inspect"], ["check"], ["dis"], ["graph"], ["translate", "--to", "c"]):
        text = printed(words[0], "s.shbin", *words[1:])
        terminal(text)
        assert '\n#include "x"' not in text


def test_techniques_of_effects(printed: Callable[..., str]):
    data = direct3d9_effects.water()
    for name, harm in ((b"Flat", b"\n*/\x1b"), (b"Choices", b'\n"<b>*/'), (b"Tint", b"=c|\r"), (b"Water", b"\n.dw\\")):
        assert name + b"\0" in data
        data = data.replace(name + b"\0", harm + b"\0")
    Path("effect.fxo").write_bytes(data)
    for words in (["inspect"], ["inspect", "--listing"], ["dis", "-o", "-"]):
        terminal(printed(words[0], "effect.fxo", *words[1:]))
    match = recognise("effect.fxo", data)
    assert match is not None
    listing = match.read(Request("load", (SourceFile("effect.fxo", data),), {})).text.splitlines()
    assert [line for line in listing if line.startswith((".dw", "*/", '"'))] == []
    json.loads(printed("inspect", "effect.fxo", "--format", "json"))


def test_names_of_modules(printed: Callable[..., str]):
    data = (Path(__file__).parent / "spirv" / "shaders" / "tangent.O0.spv").read_bytes()
    for name, harm in ((b"texcoord1", b'*/\n#x"|=\\'), (b"projection", b'=1\n`"#x"*/'), (b"tangent", b'-1"\r\x1b#\\')):
        assert len(name) == len(harm)
        assert name in data
        data = data.replace(name, harm)
    Path("module.spv").write_bytes(data)
    header = printed("compile", "module.spv", "--output-locations", "-o", "module.shbin", "--header", "out", "--force")
    known = r"|#pragma once|#include <citro3d\.h>|#define \w+ \w+"
    assert [line for line in parts(header).splitlines() if not re.fullmatch(known, line.strip())] == []
    printed("run", "module.spv", "--output-locations", "--engine", "reference", "--default", "0", "-o", "module.csv", "--force")
    rows(Path("module.csv").read_text())
    terminal(printed("graph", "module.spv", "--output-locations"))


@pytest.mark.parametrize("words", ["inspect", "inspect --listing", "dis -o -", "graph", "check", "run --default 0", "opt"])
def test_names_of_constant_tables(words: str, printed: Callable[..., str]):
    body = [
        0xFFFE0200,
        *constant_table([(LATIN, 2, 0, 4, 0), ("\n.dw 1", 2, 4, 1, 16)], creator=LATIN, target="\x1b]0;\x07"),
    ]
    body += [0x0200001F, 0x80000000, 0x900F0000, 0x03000009, 0xC0010000, 0x90E40000, 0xA0E40000, 0xFFFF]
    Path("table.vso").write_bytes(struct.pack(f"<{len(body)}I", *body))
    command, *options = words.split()
    lines(printed(command, "table.vso", *options))


def test_names_of_constant_tables_in_code(printed: Callable[..., str]):
    body = [0xFFFE0200, *constant_table([(LATIN, 2, 0, 4, 0)]), 0x02000001, 0xC00F0000, 0xA0E40001, 0xFFFF]
    Path("table.vso").write_bytes(struct.pack(f"<{len(body)}I", *body))
    json.loads(printed("inspect", "table.vso", "--format", "json"))
    for language in ("c", "cpp", "glsl", "wgsl"):
        text = printed("translate", "table.vso", "--to", language)
        assert "include <x>" not in text
        assert '#include "x"' not in parts(text, wgsl=language == "wgsl")


@pytest.mark.parametrize(
    "shown", ["inspect", "inspect --scan", "check", "check --format github", "check --scan", "graph", "dis -o -"]
)
def test_names_of_shader_caches(shown: str, printed: Callable[..., str]):
    file = lw.load(f"{PLAIN}.v.pica")
    words, descriptors = parts_of(file)
    entry = (0x1B5B324A3C623E0A, 0, STATE, [*words[:3], 0xFFFFFFFF, *words[3:]], descriptors)
    Path(f"{HOSTILE}.bin").write_bytes(opengl([entry]))
    command, *options = shown.split()
    text = printed(command, f"{HOSTILE}.bin", *options)
    terminal(text)
    assert [line for line in text.splitlines() if line.startswith(("#include", "=cmd"))] == []


def test_names_of_shader_caches_in_json(printed: Callable[..., str]):
    file = lw.load(f"{PLAIN}.v.pica")
    Path(f"{HOSTILE}.bin").write_bytes(opengl([(1, 0, STATE, *parts_of(file))]))
    json.loads(printed("inspect", f"{HOSTILE}.bin", "--format", "json"))
    printed("inspect", "--scan", f"{HOSTILE}.bin", "--extract", "extracted")
    assert [name for path in Path("extracted").iterdir() if not re.fullmatch(r"[\w.@-]+", name := path.name)] == []


def test_pictures_of_a_run(printed: Callable[..., str]):
    mesh = f"{HOSTILE.replace(chr(92), '')}.obj"
    shutil.copy(EXAMPLES / "tetra.obj", mesh)
    shutil.copy(EXAMPLES / "lighting.v.pica", f"{HOSTILE}lit.v.pica")
    source = Path(f"{HOSTILE}lit.v.pica")
    printed("run", str(source), "--mesh", mesh, "--uniforms", str(EXAMPLES / "tetra.json"), "--draw", "out.svg")
    drawn(Path("out.svg").read_text(), "2 of 4 triangles")


_HARM = "\x1b[2J\n::error::y\n=cmd|1\u202e\u2028#include"
LOGS = {
    "register": (json.dumps({"pc": 0, "dst": f"r0{_HARM}", "x": "1"}), ""),
    "value": (json.dumps({"pc": 0, "dst": "r0", "x": _HARM}), ""),
    "address": (json.dumps({"pc": _HARM}), ""),
    "state": (json.dumps({"pc": 0, "aL": _HARM}), ""),
    "key": (json.dumps({_HARM: 1}), ""),
    "not JSON": (f"{{{_HARM}", ""),
    "NaN": (f"0 o0 nan({_HARM.replace(chr(10), chr(13))}) 1", "{pc} {dst} {x} {y}"),
    "other": (_HARM, "{pc}"),
    "pattern": ("0 r0", f"{{pc}} {_HARM} {{dst}}"),
    "wrong pattern": ("0 r0", f"{{pc}} {{{_HARM}}}"),
}


@pytest.mark.parametrize(("log", "pattern"), LOGS.values(), ids=LOGS)
@pytest.mark.parametrize("name", [PLAIN, HOSTILE])
def test_logs_of_emulators(log: str, pattern: str, name: str, printed: Callable[..., str]):
    path = f"{name.replace(chr(92), '')}.log"
    Path(path).write_text(log + "\n", encoding="utf-8")
    options = ("--default", "0", "--trace", "0", "--against", path, *(("--log-format", pattern) if pattern else ()))
    lines(printed("run", f"{PLAIN}.v.pica", *options))
    text = printed("run", f"{PLAIN}.v.pica", *options, "--format", "json")
    document, _ = json.JSONDecoder().raw_decode(text[text.index("{") :])
    assert document["schema"] == ("lanewise/log/1" if "difference" in document else "lanewise/run/1")
    assert {c for c in text if not c.isprintable()} <= {"\n"}


def test_output_of_a_debugger(folder: Path):
    client = Client()
    client.request("initialize", adapterID="lanewise", clientID="tests")
    client.request("launch", program=str(folder / f"{HOSTILE}.v.pica"), **TOON)
    client.move("configurationDone")
    client.request("continue", threadId=client.stop()["threadId"])
    lines(client.output())
    for name in (f"{HOSTILE}wrong.v.pica", f"{HOSTILE}[l](command:c).v.pica"):
        refused = Client()
        refused.request("initialize", adapterID="lanewise", clientID="tests")
        message = refused.refused("launch", program=str(folder / name))
        terminal(message)
        assert "](" not in message
        assert not {c for c in refused.output() if not c.isprintable()} - {"\n"}


TESTS = """program = "toon.v.pica"
[[test]]
name = "a\\u001b[2J\\n::error::x\\u202e<b>\\u0007&"
defaults = 0
[test.outputs]
"color.y" = 1
[[test]]
name = "b\\u001b"
[test.outputs]
"no\\u001b[2J" = 1
"""


def test_names_of_shader_tests(pytester: pytest.Pytester, capfdbinary: pytest.CaptureFixture[bytes]):
    shutil.copy(EXAMPLES / "toon.v.pica", pytester.path)
    (pytester.path / "a.shadertest.toml").write_text(TESTS)
    for words in (["test"], ["test", "--list"], ["test", "--format", "csv"], ["test", "--format", "junit"]):
        cli.main([*words, "a.shadertest.toml"])
        text = capfdbinary.readouterr().out.decode()
        terminal(text)
        assert [line for line in text.splitlines() if line.lstrip().startswith("::")] == []
        if "junit" in words:
            assert next(ElementTree.fromstring(text).iter("testcase")).get("name", "").startswith("a\\x1b[2J\\n::error")
    cli.main(["test", "--format", "github", "a.shadertest.toml"])
    text = capfdbinary.readouterr().out.decode()
    terminal(text)
    assert [line.partition(",")[0] for line in text.splitlines() if "::" in line] == ["::error file=a.shadertest.toml"] * 2
    cli.main(["test", "--format", "json", "a.shadertest.toml"])
    assert json.loads(capfdbinary.readouterr().out)["tests"][0]["name"].startswith("a\x1b[2J\n::error")
    done = pytester.runpytest_inprocess("-v", *PLUGIN, "--junitxml=junit.xml", "--color=no")
    terminal(done.stdout.str())
    assert [line for line in done.stdout.lines if line.lstrip().startswith("::")] == []
    cases = [case.get("name", "") for case in ElementTree.parse(pytester.path / "junit.xml").iter("testcase")]
    assert sorted(cases)[0].startswith("a\\x1b[2J\\n::error::x")


@pytest.mark.skipif(os.name == "nt", reason="the names of files of this system have no such characters")
def test_names_of_files_of_shader_tests(pytester: pytest.Pytester):
    (pytester.path / "a\n::error::\x1b.shadertest.toml").write_text("nonsense")
    done = pytester.runpytest_inprocess(*PLUGIN, "--color=no")
    done.assert_outcomes(errors=1)
    lines(done.stdout.str())


class Page(HTMLParser):
    """Elements and attributes of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize(
    "page", [title(HOSTILE, HOSTILE), code(HOSTILE), table([HOSTILE], [[HOSTILE]]), unfolding([(HOSTILE, HOSTILE)])]
)
def test_pages_of_notebooks(page: str):
    read = Page(page)
    assert visible(HOSTILE) in read.text
    assert read.elements <= {"div", "b", "pre", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "code"}
    assert read.attributes <= {"style", "colspan"}


def test_objects_in_notebooks(folder: Path, printed: Callable[..., str]):
    for suffix in (".v.pica", ".sc"):
        program = lw.load(f"{HOSTILE}{suffix}")
        assert Page(program._repr_html_()).elements <= {"div", "b", "pre", "table", "thead", "tbody", "tr", "th", "td", "code"}  # pyright: ignore[reportPrivateUsage]: notebooks call it
