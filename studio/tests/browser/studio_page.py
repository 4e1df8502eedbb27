"""A tab of a browser that shows the studio or the playground, as tests use it."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlparse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.sync_api import Browser, ConsoleMessage, Locator, Route, WebSocket

PATIENCE = 60.0  # seconds until something that must happen has to have happened


class StudioPage:
    """One browser profile with one tab. `foreign` are requests that left the machine, `failures` what the page could not do."""

    def __init__(self, browser: Browser, address: str, size: tuple[int, int], theme: str) -> None:
        self.foreign: list[str] = []
        self.failures: list[str] = []
        self._context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if theme == "dark" else "light",
            accept_downloads=True,
        )
        self._context.route("**/*", self._guard)
        self.page = self._context.new_page()
        self.page.on("websocket", self._socket)
        self.page.on("pageerror", lambda error: self.failures.append(str(error)))
        self.page.on("console", self._console)
        self.page.goto(address)
        self.page.wait_for_url(lambda url: "/enter" not in url)  # the page that takes a key goes on by itself
        self.until("lanewise.store.value.mesh !== null")

    def close(self) -> None:
        self._context.close()

    def _guard(self, route: Route) -> None:
        if self._loopback(route.request.url):
            route.continue_()
        else:
            route.abort()

    def _socket(self, socket: WebSocket) -> None:
        self._loopback(socket.url)

    def _loopback(self, address: str) -> bool:
        parts = urlparse(address)
        if parts.scheme in {"data", "blob"} or parts.hostname in {"127.0.0.1", "localhost"}:
            return True
        self.foreign.append(address)
        return False

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.failures.append(message.text)

    def value(self, expression: str) -> Any:
        """A value of the page, by way of JSON."""
        text = self.page.evaluate(
            f"JSON.stringify({expression}, (key, value) => ArrayBuffer.isView(value) ? [...value] : value)"
        )
        return None if text is None else json.loads(text)

    def store(self, key: str) -> Any:
        return self.value(f"lanewise.store.value.{key}")

    def until(self, condition: str, patience: float = PATIENCE) -> float:
        """Wait until an expression is true; the seconds that it took. Raises AssertionError."""
        started = time.monotonic()
        while not self.page.evaluate(f"(() => {{ try {{ return !!({condition}) }} catch {{ return false }} }})()"):
            if time.monotonic() - started > patience:
                raise AssertionError(
                    f"{condition} did not become true; the page says {self.page.locator('footer.foot').inner_text()!r}"
                )
            self.page.wait_for_timeout(10)
        return time.monotonic() - started

    def settled(self) -> None:
        """Wait until nothing is being asked and nothing is about to be."""
        self.until("lanewise.quiet()")

    def load(self, state: Mapping[str, object]) -> None:
        self.page.evaluate("state => lanewise.actions.load(state)", state)
        self.until("lanewise.store.value.mesh !== null")
        self.settled()

    def tab(self, name: str) -> None:
        """Choose a tab, in a narrow window its pane first."""
        tab = self.page.locator(f"[data-tab={name}]")
        if not tab.is_visible():
            pane: str = tab.evaluate("tab => tab.closest('section.pane').id")
            self.page.locator(f".pane-bar [aria-controls='{pane}']").click()
        tab.click()

    def uniform(self, name: str) -> Locator:
        return self.page.locator(f"[data-uniform='{name}']")

    @property
    def canvas(self) -> Locator:
        return self.page.locator(".stage canvas")

    def canvas_place(self, vertex: int) -> tuple[float, float]:
        """Where a vertex is on the canvas, in pixels of the page."""
        box = self.canvas.bounding_box()
        place = self.value(f"lanewise.view.project({vertex})")
        assert box is not None and place is not None
        return box["x"] + place[0], box["y"] + place[1]
