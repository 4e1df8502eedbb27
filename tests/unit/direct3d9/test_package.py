"""The Direct3D 9 package: which files it recognises, and what a loaded file offers."""

from __future__ import annotations

import struct
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from lanewise.core.diagnostics import InputError
from lanewise.core.evidence import CLASSES
from lanewise.core.package import CERTAIN, NO, POSSIBLE
from lanewise.core.program import binary
from lanewise.core.service import Request, SourceFile, UsageError
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.container.stream import write_stream
from lanewise.direct3d9.package import CONTAINER, DIRECT3D9, LANGUAGE
from lanewise.direct3d9.text.reader import read_source_text
from together import together

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = "// copies\nvs_2_0\ndcl_position v0\nmov oPos, v0\n"


def packed(*words: int) -> bytes:
    return struct.pack(f"<{len(words)}I", *words)


def stream() -> bytes:
    shader = read_source_text(SOURCE, "x").shader
    assert shader is not None
    return write_stream(shader)


def request(data: bytes, **values: str | bool) -> Request:
    return Request("check", (SourceFile("light.bin", data, "light.bin"),), values)


@together(
    ("data", "expected"),
    [
        (stream(), CERTAIN),
        (packed(0xFFFE0200), CERTAIN),
        (packed(0xFFFF0300, 0x0000FFFF), CERTAIN),
        (packed(0xFFFF0300, 0x0002FFFE, 1, 2), CERTAIN),
        (packed(0xFFFE0200, 0x80000001), POSSIBLE),
        (packed(0xFFFE0200, 0x00007777), POSSIBLE),
        (packed(0xFFFE0707, 0x0000FFFF), NO),
        (b"DXBC" + bytes(28), NO),
        (b"// words\n0xFFFE0200\n0000FFFF\n", CERTAIN),
        (b"fffe0200\n0000ffff\n", CERTAIN),
        (b"00000000\nFFFE0200\n", NO),
        (b"const BYTE a[] = { 0, 2, 254, 255, 255, 255, 0, 0 };", CERTAIN),
        (b"const DWORD a[] = { 0xFFFE0200, 0x0000FFFF };", CERTAIN),
        (b"int main() { return 0; }", NO),
        (b"DVLB" + bytes(28), NO),
        (SOURCE.encode(), NO),
        (b"", NO),
    ],
)
def test_files_are_recognised_by_their_first_words(data: bytes, expected: int):
    assert CONTAINER.recognises(data) == expected


@pytest.mark.parametrize(("text", "expected"), [(SOURCE, CERTAIN), ("ps.1.4\n", CERTAIN), ("mov r0, c0\n", NO), ("", NO)])
def test_sources_are_recognised_by_their_version(text: str, expected: int):
    assert LANGUAGE.recognises(text) == expected


def test_a_file_of_words_offers_its_tokens_their_places_and_a_disassembly():
    loaded = CONTAINER.read(request(stream()))
    assert binary(loaded, CONTAINER) == stream() == packed(*loaded.words)
    assert loaded.text.startswith("vs_2_0\n")
    assert [place.offset for place in loaded.source_map if place is not None] == list(range(0, len(stream()), 4))
    assert (loaded.program.isa, loaded.program.name) == (loaded.isa, loaded.name) == ("direct3d9", "light.bin")
    assert loaded.time is None and loaded.graph is not None and loaded.trace is not None


def test_a_source_offers_its_text_and_the_line_of_each_token():
    loaded = LANGUAGE.read(request(SOURCE.encode()))
    assert loaded.text == SOURCE
    lines = [None if place is None else place.line for place in loaded.source_map]
    assert lines == [None, 3, 3, 3, 4, 4, 4, None]
    assert len(lines) == len(loaded.words)


def test_bytes_behind_the_last_word_are_written_again():
    data = stream() + b"ab"
    assert binary(CONTAINER.read(request(data)), CONTAINER) == data


def test_a_broken_file_is_an_error_for_all_but_check():
    loaded = DIRECT3D9.load(request(b"DXBC" + bytes(28)))
    for name in ("words", "text", "source_map", "program"):
        with pytest.raises(InputError, match="C310"):
            getattr(loaded, name)
    assert loaded.check is not None
    assert [finding.code for finding in loaded.check(request(b"")).findings] == ["C310"]


def test_the_form_of_a_file_can_be_named():
    with pytest.raises(InputError, match="C311"):
        _ = DIRECT3D9.load(request(stream(), **{"from": "hex"})).words
    assert len(DIRECT3D9.load(request(stream(), **{"from": "words"})).words) == len(stream()) // 4


def test_one_shader_is_loaded():
    file = SourceFile("a", stream())
    for files, message in (((), "name a FILE"), ((file, file), "Direct3D 9 shaders are not linked")):
        with pytest.raises(UsageError, match=message):
            DIRECT3D9.load(Request("run", files, {}))


def test_rules_have_evidence():
    variants = {variant.name: variant for variant in DIRECT3D9.variants()}
    assert list(variants) == ["ieee", "d3d9", "document", "rtl"]
    assert {variant.option for variant in variants.values()} == {"--rule"}
    assert variants["d3d9"].evidence.startswith(CLASSES)


def test_mnemonics_are_those_of_the_language():
    assert {"mov", "texld", "if_gt", "m4x4", "def"} <= set(LANGUAGE.mnemonics())


def test_a_file_of_another_kind_is_refused_without_the_tables():
    code = (
        "import sys; from lanewise.direct3d9.package import CONTAINER, LANGUAGE; "
        "CONTAINER.recognises(b'.proc main\\nend\\n.end\\n'), CONTAINER.recognises(b'DVLB' + bytes(60)), "
        "LANGUAGE.recognises('end'); print(*sorted(name for name in sys.modules if name.startswith('lanewise.direct3d9.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [
        "lanewise.direct3d9.package",
    ]


def test_macros_and_folders_in_python(tmp_path: Path):
    (tmp_path / "registers.vsh").write_text("#define OFFSET c4\n")
    text = "#include <registers.vsh>\nvs_1_1\ndcl_position v0\nadd oPos, v0, OFFSET\nmov oT0, c[START]\n"
    shader = Direct3DShader.from_source(text, defines={"START": 7}, include=[tmp_path])
    assert [source.number for inst in shader.shader.insts for source in inst.sources] == [0, 4, 7]
