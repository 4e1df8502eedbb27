"""A command line in a folder of its files, and all that it prints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lanewise.tools import cli

Told = Callable[..., tuple[str, int]]


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Run a command line in a folder with files: all that it prints, and its exit code."""
    monkeypatch.chdir(tmp_path)

    def run(*argv: str, **files: str) -> tuple[str, int]:
        for name, text in files.items():
            Path(name.replace("_", ".")).write_text(text)
        code = cli.main([*argv])
        out = capsys.readouterr()
        return " ".join((out.out + out.err).split()), code

    return run
