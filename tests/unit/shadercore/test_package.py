"""What the package says of itself: recognition, manuals, languages and containers that come back the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from corpus import REPOSITORY
from lanewise.core.diagnostics import InputError
from lanewise.core.engines import ENGINES
from lanewise.core.package import CERTAIN, NO, POSSIBLE
from lanewise.core.program import binary
from lanewise.core.service import InputFailure, Request, SourceFile, UsageError
from lanewise.shadercore.api.interface import INTERFACE, VERSION, digest_of
from lanewise.shadercore.api.program import ShaderCoreProgram
from lanewise.shadercore.api.reading import SOURCE
from lanewise.shadercore.api.services.manuals import manual
from lanewise.shadercore.api.services.streams import INDEX_SUFFIXES
from lanewise.shadercore.container import header
from lanewise.shadercore.container.forms import FORMS_BY_SUFFIX, TARGETS
from lanewise.shadercore.isa.table import LANES, OPS
from lanewise.shadercore.options import ASM, WORDS
from lanewise.shadercore.package import SHADERCORE
from together import together

if TYPE_CHECKING:
    from lanewise.core.service import Value

(LANGUAGE,), (CONTAINER,) = SHADERCORE.languages, SHADERCORE.containers
TEXT = ".input v0 position\n.output o0 position\nmul r0.x, v0.x, v0.y\nmov o0.xyz, r0.x\nend\n"


class Memory:
    """Files that a test has."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def read(self, path: str) -> bytes:
        if path not in self.files:
            raise InputFailure(f"cannot read {path}")
        return self.files[path]

    def exists(self, path: str) -> bool:
        return path in self.files

    def within(self, path: str) -> Memory:
        return self


def request(
    data: bytes,
    name: str = "a.sc",
    files: dict[str, bytes] | None = None,
    language: str = "",
    values: dict[str, Value] | None = None,
) -> Request:
    return Request("load", (SourceFile(name, data, name),), values or {}, language=language, files=Memory(files or {}))


def forms() -> dict[str, bytes]:
    program = ShaderCoreProgram.from_source(TEXT, "a.sc")
    return {form: program.to_bytes(form) for form in ("file", *TARGETS)}


@together(
    ("text", "certainty"),
    [
        (TEXT, CERTAIN),
        ("; a comment\n\n  .OUTPUT O3 texcoord1\nmov o3.x, 9", CERTAIN),
        ("mov o0.x, v0.x\nend\n", POSSIBLE),
        ("end", POSSIBLE),
        (".const c0 (1, 2, 3, 4)\nmov o0.x, c0.x\nend", POSSIBLE),
        ("mov o0.x, v0.x\n", NO),
        ("mov o0.x, v77.x\nend\n", NO),
        ("vs_2_0\nmov oPos, v0\n", NO),
        (".proc main\nmov o0.x, v0.x\nend\n.end\n", NO),
        (".in position v0\n", NO),
        (".out o0 position\n", NO),
        ("main:\n\tmov o0.x, v0.x\n\tend\n", NO),
        (".input position v0\nend\n", NO),
        (".input", NO),
        (".input v0", NO),
        ("{'a': 1}", NO),
        ("end\0", NO),
        ("end\n" * 3000, NO),
        ("", NO),
        ("; end", NO),
    ],
)
def test_sources_are_recognised(text: str, certainty: int):
    assert LANGUAGE.recognises(text) == certainty


def test_sources_of_other_languages_are_not():
    examples = REPOSITORY / "examples"
    paths = [path for path in examples.rglob("*") if path.suffix in (".pica", ".vsh", ".gsh", ".vsa", ".psa")]
    assert len(paths) > 8
    for path in paths:
        assert LANGUAGE.recognises(path.read_text()) == CONTAINER.recognises(path.read_bytes()) == NO, path
    assert LANGUAGE.recognises((examples / "transform.sc").read_text()) == CERTAIN


@pytest.mark.parametrize(
    ("form", "certainty"),
    [
        ("file", CERTAIN),
        ("bin", POSSIBLE),
        ("hex", POSSIBLE),
        ("c", POSSIBLE),
        ("mem", POSSIBLE),
        ("coe", POSSIBLE),
        ("mif", POSSIBLE),
        ("vhdl", POSSIBLE),
        ("verilog", POSSIBLE),
    ],
)
def test_files_are_recognised(form: str, certainty: int):
    assert CONTAINER.recognises(forms()[form]) == certainty


def test_two_letters_do_not_make_a_file():
    data = forms()["file"]
    for other in (
        data[:-8],
        data + bytes(8),
        data[:-1],
        b"VS",
        b"VS_2_0 is a version",
        b"VS\2\0" + bytes(36),
        b"VS\0\0" + bytes(28),
        b"",
        bytes(1 << 17),
    ):
        assert CONTAINER.recognises(other) != CERTAIN, other
    assert CONTAINER.recognises(b"; words\n@0\n" + forms()["hex"]) == POSSIBLE
    assert CONTAINER.recognises(forms()["bin"][:-8]) == NO, "the last word is not END"


def test_every_form_is_the_same_program():
    made = forms()
    words = SHADERCORE.load(request(TEXT.encode())).words
    for form in ("file", "bin", "hex", "c", "mem", "coe", "mif", "vhdl", "verilog"):
        loaded = CONTAINER.read(request(made[form], "a"))
        assert loaded.words == words, form
        assert len(loaded.source_map) == len(words)
        assert LANGUAGE.recognises(loaded.text) != NO
        assert binary(loaded, CONTAINER)[header.HEADER_SIZE :] == made["bin"]
    loaded = CONTAINER.read(request(made["file"], "dir/a.scb"))
    assert binary(loaded, CONTAINER) == made["file"]
    assert LANGUAGE.write is not None
    (source,) = LANGUAGE.write(loaded, request(b"", "dir/a.scb")).sources
    assert source.name == "a.sc"
    again = LANGUAGE.read(request(source.text.encode()))
    assert (again.isa, again.name, again.text) == ("shadercore", "a.sc", source.text)
    assert binary(again, CONTAINER) == made["file"]
    assert [span.line for span in again.source_map if span is not None][-1] == len(source.text.splitlines())


def test_the_request_says_how_words_are_kept():
    source = TEXT.encode()
    assert SHADERCORE.load(request(source, "a", language="shadercore")).words
    assert SHADERCORE.load(request(source, "a", values={"from": "source"})).words
    with pytest.raises(InputError):
        _ = SHADERCORE.load(request(source, "a")).words
    with pytest.raises(InputError):
        _ = SHADERCORE.load(request(source, "a.sc", values={"from": "hex"})).program
    with pytest.raises(UsageError, match="programs are not linked"):
        SHADERCORE.load(Request("check", (SourceFile("a", b""), SourceFile("b", b"")), {}))
    with pytest.raises(UsageError, match="programs are not linked"):
        SHADERCORE.load(request(source, values={"link": True}))
    with pytest.raises(UsageError, match="name a FILE"):
        SHADERCORE.load(Request("check", (), {}))


def test_errors_come_when_something_is_asked_for():
    loaded = SHADERCORE.load(request(b"mov r9.x, 0\n"))
    for service in (loaded.disassemble, loaded.inspect, loaded.graph, loaded.run, loaded.trace, loaded.time):
        assert service is not None
        with pytest.raises(InputError):
            service(request(b""))
    assert loaded.check is not None
    assert [finding.code for finding in loaded.check(request(b"")).findings] == ["P205"]


def test_the_public_object_has_the_interface_beside_it():
    words = ShaderCoreProgram.from_source(TEXT).program.words
    interface: dict[str, object] = {
        "kind": INTERFACE,
        "version": VERSION,
        "program": digest_of(words),
        "constants": [],
        "outputs": [],
        "numbers": {},
        "inputs": [{"meaning": "texcoord2", "register": "v0"}],
    }

    def load(**changes: object) -> ShaderCoreProgram:
        beside = json.dumps({**interface, **changes}).encode()
        program = SHADERCORE.load(request(TEXT.encode(), "dir/a.sc", {str(Path("dir/a.json")): beside})).program
        assert isinstance(program, ShaderCoreProgram)
        assert program.isa == "shadercore"
        return program

    found = load()
    assert found.beside is not None
    assert found.beside.inputs == {"texcoord2": 0}
    assert [finding.code for finding in load(program="0" * 16).diagnostics] == ["C210"]
    assert load(kind="something else").beside is None
    with pytest.raises(InputError, match="C209"):
        load(version=99)


def test_choices_and_numbers_in_manuals_are_those_of_the_tables():
    assert {suffix: f"to={form}" for suffix, form in FORMS_BY_SUFFIX.items()} == WORDS
    commands = ("asm", "dis", "check", "inspect", "run", "time", "isa", "graph")
    options = {
        (command, option.key): option
        for command in commands
        for option in (ASM if command == "asm" else manual(command)).options
    }
    assert {option.choices for (_, key), option in options.items() if key == "from"} == {(*header.FORMS, SOURCE)}
    assert options["run", "engine"].choices == ENGINES
    assert options["dis", "to"].choices == (*TARGETS,)
    for target in TARGETS:
        assert f"{target} (" in f"{options['asm', 'to'].help} (" or f"{target}," in options["asm", "to"].help
    assert f"default: {LANES}, a wave" in options["time", "vertices"].help
    for suffix in INDEX_SUFFIXES:
        assert suffix in options["run", "indices"].help


def test_mnemonics_and_codes():
    assert list(LANGUAGE.mnemonics()) == [op.name for op in OPS]
    assert "V204" in {row.code for row in SHADERCORE.codes()}
