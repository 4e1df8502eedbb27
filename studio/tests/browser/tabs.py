"""Tabs of a real browser: a plugin of pytest, for the tests of the page and of the playground."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chromium import CHROMIUM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser

    from browser.studio_page import StudioPage


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import expect, sync_playwright

    from browser.studio_page import PATIENCE

    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        # WebGL by SwiftShader, pages by Chromium's own software: what it does itself where there is no GPU. With
        # --use-angle=swiftshader pages too would be drawn by an imitated GPU, which takes ten times the processor.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--enable-unsafe-swiftshader", "--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def tabs(chromium: Browser) -> Iterator[Callable[..., StudioPage]]:
    """Open an address in a tab of its own browser profile. At the end no tab may have asked for anything that is not on this
    machine, or have failed."""
    from browser.studio_page import StudioPage

    opened: list[StudioPage] = []

    def open_tab(address: str, width: int = 1280, height: int = 800, theme: str = "light") -> StudioPage:
        tab = StudioPage(chromium, address, (width, height), theme)
        opened.append(tab)
        return tab

    yield open_tab
    for tab in opened:
        tab.close()
    assert [each for tab in opened for each in tab.foreign] == []
    assert [each for tab in opened for each in tab.failures] == []
