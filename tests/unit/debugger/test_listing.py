"""Programs without a source as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import lanewise as lw
from lanewise.core.service import Request, SourceFile
from lanewise.debugger.launching import Launch
from lanewise.debugger.listing import listing, starts
from lanewise.packages import recognise

if TYPE_CHECKING:
    from pathlib import Path

PICASSO = (
    ".fvec scale\n.in place\n.out there position\n.proc main\n    mul r0, scale, place\n    mov there, r0\n    end\n.end\n"
)
DIRECT = "vs_2_0\ndcl_position v0\ndef c1, 0, 1, 2, 3\nmad r0, v0, c0, c1\nmov oPos, r0\n"
CORE = ".input v0 position\n.output o0 position\n    add r0.xyz, v0.xyz, v0.xyz\n    mov o0.xyzw, r0.xyzw\n    end\n"


def launched(folder: Path, text: str, suffix: str) -> Launch:
    """A binary of a source."""
    source, path = folder / f"a{suffix}", folder / "a.bin"
    source.write_text(text)
    lw.load(source).save(path)
    name, data = path.name, path.read_bytes()
    match = recognise(name, data)
    assert match is not None
    request = Request("debug", (SourceFile(name, data, name),), {"count": 1, "default": "0"})
    return Launch(match.read(request), request, (0,))


@pytest.mark.parametrize(
    ("text", "suffix", "language"),
    [(PICASSO, ".v.pica", "picasso"), (DIRECT, ".vsa", "direct3d9"), (CORE, ".sc", "shadercore")],
)
def test_a_binary_is_its_disassembly_with_the_place_of_each_word(tmp_path: Path, text: str, suffix: str, language: str) -> None:
    launch = launched(tmp_path, text, suffix)
    found = listing(launch.loaded, "a.bin", lambda: launch.debuggee)
    assert found.language == language and found.is_source
    lines = found.text.split("\n")
    assert len(found.places) == len(launch.words)
    for address in starts(launch.debuggee, len(launch.words)):
        span = found.places[address]
        assert span is not None and span.file == "a.bin"
        assert lines[span.line - 1].split()[0] == launch.debuggee.instruction(address).split()[0]


def test_what_does_not_assemble_to_the_same_words_is_a_list_of_instructions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    launch = launched(tmp_path, PICASSO, ".v.pica")
    other = PICASSO.replace("mul r0", "add r0")
    monkeypatch.setattr(type(launch.loaded), "text", other)
    found = listing(launch.loaded, "a.bin", lambda: launch.debuggee)
    assert not found.is_source and not found.language
    lines = found.text.split("\n")
    for address in starts(launch.debuggee, len(launch.words)):
        span = found.places[address]
        assert span is not None and lines[span.line - 1] == launch.debuggee.instruction(address)
