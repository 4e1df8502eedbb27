"""Sources that include files."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import lanewise as lw
from lanewise.core import source


def test_included_files_are_regular_and_of_a_bounded_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    small = tmp_path / "small.vsh"
    small.write_bytes(b"\xef\xbb\xbfnop\n")
    assert source.read_included(str(small)) == "nop\n"
    monkeypatch.setattr(source, "MOST_INCLUDED", 6)
    with pytest.raises(OSError, match="larger than"):
        source.read_included(str(small))
    with pytest.raises(OSError, match="not a regular file"):
        source.read_included(str(tmp_path))
    with pytest.raises(FileNotFoundError):
        source.read_included(str(tmp_path / "none"))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no devices as files")
@pytest.mark.parametrize(("name", "text"), [("a.vsh", '.include "{}"\n'), ("a.vsa", 'vs_2_0\n#include "{}"\n')])
def test_a_source_cannot_include_a_device_or_a_pipe(tmp_path: Path, name: str, text: str):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for included in ("/dev/zero", str(pipe)):
        place = tmp_path / name
        place.write_text(text.format(included))
        with pytest.raises(lw.InputError, match="not a regular file"):
            lw.load(place)
