"""Sources that include files."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

import lanewise as lw

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.skipif(sys.platform == "win32", reason="there are no devices as files")
@pytest.mark.parametrize(("name", "text"), [("a.vsh", '.include "{}"\n'), ("a.vsa", 'vs_2_0\n#include "{}"\n')])
def test_a_source_cannot_include_a_device_or_a_pipe(tmp_path: Path, name: str, text: str):
    os.mkfifo(tmp_path / "pipe")
    place = tmp_path / name
    for included, sentence in (("/dev/zero", "outside of the project"), ("pipe", r"a pipe \(FIFO\)")):
        place.write_text(text.format(included))
        with pytest.raises(lw.InputError, match=sentence):
            lw.load(place)
