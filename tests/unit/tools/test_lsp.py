"""`lanewise lsp` as a command."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import pytest

from lanewise.tools import lsp
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from pathlib import Path


def test_without_the_extra_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def missing(_: str) -> None:
        return None

    monkeypatch.setattr(lsp, "find_spec", missing)
    assert main(["lsp"]) == 2
    assert capsys.readouterr().err == f"lanewise lsp: error: {lsp.INSTALL}\n"
    assert "pip install 'lanewise[editor]'" in lsp.INSTALL


def test_a_terminal_is_not_an_editor(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal())
    assert main(["lsp"]) == 2
    assert "editors start it" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["-1", "70000", "x"])
def test_ports(port: str, capsys: pytest.CaptureFixture[str]):
    assert main(["lsp", "--tcp", port]) == 2
    assert "--tcp" in capsys.readouterr().err


def test_the_configuration_is_that_of_commands(tmp_path: Path):
    (tmp_path / "lanewise.toml").write_text(
        'ignore = ["V096"]\ndialect = "picasso"\nindent = "tab"\nexclude = ["old/*"]\ndevice = "document"\n'
    )
    (tmp_path / "old").mkdir()
    for name in ("a.v.pica", "old/b.v.pica", "c.txt"):
        (tmp_path / name).write_text("nop\n")
    host = lsp.host()
    rules = host.rules(str(tmp_path / "a.v.pica"))
    assert (rules.dialect, rules.indent, rules.options) == ("picasso", "tab", {"device": "document"})
    assert (rules.reported("V096"), rules.reported("V095")) == (False, True)
    assert list(host.sources(str(tmp_path))) == [str(tmp_path / "a.v.pica")]
    assert list(host.sources(str(tmp_path / "nowhere"))) == []
    (tmp_path / "lanewise.toml").write_text("")
    assert not host.rules(str(tmp_path / "a.v.pica")).reported("V096")
    host.forget()
    assert host.rules(str(tmp_path / "a.v.pica")).reported("V096")
