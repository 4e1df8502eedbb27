"""Garbage collections are put off as long as any pause lasts, and come back only where they were on."""

from __future__ import annotations

import gc

import pytest

from lanewise.lsp.collecting import Pauses


@pytest.mark.parametrize("on", [True, False])
def test_pauses_overlap(on: bool):
    before = gc.isenabled()
    pauses = Pauses()
    first, second = pauses.pause(), pauses.pause()
    try:
        (gc.enable if on else gc.disable)()
        first.__enter__()
        second.__enter__()
        assert not gc.isenabled()
        first.__exit__(None, None, None)
        assert not gc.isenabled()
        second.__exit__(None, None, None)
        assert gc.isenabled() == on
    finally:
        (gc.enable if before else gc.disable)()


def test_a_pause_ends_with_an_error():
    pauses = Pauses()
    with pytest.raises(KeyError), pauses.pause():
        raise KeyError
    assert gc.isenabled()
