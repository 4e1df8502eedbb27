"""Command lines of authors of homebrew with one mistake each: what is said, and that the command works once it is followed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from corpus import REPOSITORY
from lanewise.tools.cli import main

EXAMPLES = REPOSITORY / "examples"
TRIPLE = "run triple.v.pica --input"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("lighting.v.pica", "toon.v.pica", "tetra.json", "tetra.obj", "exercises/solutions/triple.v.pica"):
        shutil.copy(EXAMPLES / name, ".")
    return tmp_path


def arguments(line: str) -> list[str]:
    """The arguments of a command line: words, or what is between double quotes."""
    parts = line.split('"')
    return [each for n, part in enumerate(parts) for each in (part.split() if n % 2 == 0 else [part])]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("line", "said", "right"),
    [
        (
            "run lighting.v.pica --mesh tetra.obj --uniform tetra.json",
            "the file has the values of several: --uniforms tetra.json",
            "run lighting.v.pica --mesh tetra.obj --uniforms tetra.json",
        ),
        (f"{TRIPLE} position=1 2 3", '--input "position=1,2,3"', f'{TRIPLE} "position=1,2,3"'),
        (f"{TRIPLE} position=1,2,3 4,5,6", '--input "position=1,2,3;4,5,6"', f'{TRIPLE} "position=1,2,3;4,5,6"'),
        ("run --input position=1 2 -3 triple.v.pica", '--input "position=1,2,-3"', f'{TRIPLE} "position=1,2,-3"'),
        (f"{TRIPLE} position=1,2,3 -o a.shbin", "`lanewise asm triple.v.pica -o a.shbin` ", "asm triple.v.pica -o a.shbin"),
        (f"{TRIPLE} position=1,2,3 -o a.h", "`lanewise asm triple.v.pica -H a.h` writes", "asm triple.v.pica -H a.h"),
        (f"{TRIPLE} position=1,2,3 -o a.svg", "--draw a.svg draws a picture", f"{TRIPLE} position=1,2,3 --draw a.svg"),
        ("asm toon.v.pica -o toon.v.pica", "use .shbin, .bin, such as toon.shbin", "asm toon.v.pica -o toon.shbin"),
        ("opt toon.v.pica -o toon.v.pica", "such as toon.new.v.pica", "opt toon.v.pica -o toon.new.v.pica"),
    ],
)
def test_a_mistake_and_its_fix(line: str, said: str, right: str, capsys: pytest.CaptureFixture[str]):
    assert main(arguments(line)) == 2
    assert said in capsys.readouterr().err
    assert main(arguments(right)) == 0, capsys.readouterr().err
