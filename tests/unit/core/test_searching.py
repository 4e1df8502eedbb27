"""Windows of a file that is searched."""

from __future__ import annotations

import os
import random
import re
import sys
from typing import TYPE_CHECKING

import pytest

from lanewise.core import files, searching
from lanewise.direct3d9.container import scan as direct3d9
from lanewise.pica200.container.scan import scan
from lanewise.tools import cli

if TYPE_CHECKING:
    from pathlib import Path

SIZE = 3 << 30
PLACES = (
    0,
    4095,
    (1 << 20) - 3,
    (5 << 20) + 2,
    (1 << 30) + 1,
    SIZE - 9,
)  # also across the end of a window, alone between holes


@pytest.fixture
def holed(tmp_path: Path) -> Path:
    """A file of 3 GiB with some bytes here and there."""
    if sys.maxsize < SIZE:
        pytest.skip("3 GiB are more than the addresses of this processor")
    path = tmp_path / "a.bin"
    with path.open("wb") as file:
        file.truncate(SIZE)
        for place in PLACES:
            file.seek(place)
            file.write(b"DVLB\1\xff\xff\2\3")
    return path


def test_every_pattern_is_in_the_window_in_which_it_begins_and_nothing_else_is_read(holed: Path):
    with memoryview(data := files.map_file(holed)):
        read = 0
        found: set[int] = set()
        for start, window in searching.windows(data, 3):
            read += len(window)
            found |= {start + match.start() for match in re.finditer(b"DVLB", window)}
        assert tuple(sorted(found)) == PLACES
        assert read < 8 << 20


@pytest.mark.parametrize("fault", [6, 22, 95])  # no data after a place; files of which the system does not know it
def test_a_system_without_holes_has_one_extent(fault: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object) -> int:
        raise OSError(fault, "")

    (tmp_path / "a").write_bytes(bytes(1 << 22))
    monkeypatch.setattr(os, "SEEK_DATA", 3, raising=False)
    monkeypatch.setattr(os, "lseek", refuse)
    data = files.map_file(tmp_path / "a")
    assert isinstance(data, searching.Mapped)
    assert data.extents == (() if fault == 6 else ((0, 1 << 22),))
    assert list(searching.windows(data, 0)) == []


@pytest.mark.parametrize("most", [1, 2, 1 << 12])
def test_many_holes_are_one_extent(most: int, holed: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(searching, "_MOST", most)
    data = files.map_file(holed)
    assert isinstance(data, searching.Mapped)
    assert len(data.extents) <= most + 1
    for place in PLACES:
        assert any(first <= place < end for first, end in data.extents)


def test_a_scan_finds_the_same_with_holes(tmp_path: Path):
    rng = random.Random(5)
    (tmp_path / "a.v.pica").write_text(".out o position\n.proc main\n mov o, v0\n end\n.end\n")
    cli.main(["asm", str(tmp_path / "a.v.pica"), "-o", str(tmp_path / "a.shbin")])
    shbin = (tmp_path / "a.shbin").read_bytes()
    shader = b"\0\2\xfe\xff\1\0\0\2\0\0\x0f\xc0\0\0\xe4\x90\xff\xff\0\0"
    path = tmp_path / "holes"
    with path.open("wb") as file:
        file.truncate(32 << 20)
        for part in (shbin, shader, shader + shbin):
            file.seek(rng.randrange(1 << 22, 1 << 23), os.SEEK_CUR)
            file.write(part)
    whole, mapped = path.read_bytes(), files.map_file(path)
    assert [one.offset for one in scan(mapped, "a")] == [one.offset for one in scan(whole, "a")]
    assert len(scan(mapped, "a")) == 2
    assert direct3d9.scan(mapped) == direct3d9.scan(whole)
    assert len(direct3d9.scan(mapped).shaders) == 2
