"""The rows of compilers: packages by their names, and what the command offers and refuses by them."""

from __future__ import annotations

import pytest

from lanewise.compile.shadercore.pairs import PAIRS, Pair, sources, targets
from lanewise.packages import packages
from lanewise.tools import cli, compile


def test_a_row_names_two_packages():
    names = {package.name for package in packages()}
    assert all({pair.source, pair.target} <= names for pair in PAIRS)
    assert len(set(PAIRS)) == len(PAIRS)


def test_another_row_is_offered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    assert (targets(), sources("shadercore"), sources("pica200")) == (["shadercore"], ["direct3d9"], [])
    assert cli.main(["compile", "x.vsa", "--target", "pica200"]) == 2
    assert "choose from 'shadercore'" in capsys.readouterr().err
    monkeypatch.setattr("lanewise.compile.shadercore.pairs.PAIRS", (*PAIRS, Pair("shadercore", "pica200")))
    assert (targets(), sources("pica200")) == (["shadercore", "pica200"], ["shadercore"])
    assert "{shadercore,pica200}" in compile.parser().format_help()
