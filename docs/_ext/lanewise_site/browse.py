"""Open pages of a built site in Chromium: `python -m lanewise_site.browse FOLDER`.

No page asks another machine for anything, none has an error in a script, none is wider than a telephone, and the opcode grid
filters. Skipped, with a line that says so, without playwright or Chromium.
"""

from __future__ import annotations

import importlib
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from lanewise_site import search
from lanewise_site.pages import pages
from lanewise_site.playground import PLACE

_EVERY = 25  # of the pages of the reference
_WIDTHS = ((1280, "light"), (390, "dark"))


def main(argv: list[str]) -> int:
    site = Path(argv[0]).resolve()
    browser = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    api = _playwright()
    if api is None or not browser:
        print("not opened in Chromium: it needs playwright from PyPI and a Chromium")
        return 0
    every = sorted([path.relative_to(site).as_posix() for path in site.rglob("*.html")])
    names = [name for name in every if not name.startswith(f"{PLACE}/")]  # it needs a server, and has tests of its own
    chosen = [
        name
        for n, name in enumerate(names)
        if not name.startswith("reference/") or n % _EVERY == 0 or name.endswith("index.html")
    ]
    faults: list[str] = []
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        for width, scheme in _WIDTHS:
            context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
            page = context.new_page()
            asked = _watched(page, faults)
            for name in chosen:
                asked.clear()
                page.goto((site / name).as_uri())
                faults += [f"{name}: asks for {address}" for address in asked if not address.startswith(("file:", "data:"))]
                wide = page.evaluate("document.documentElement.scrollWidth")
                if wide > width:
                    faults.append(f"{name}: {wide} pixels wide on a screen of {width}")
        faults += _filtered(chromium.new_page(), site)
        faults += _searched(chromium.new_page(), site)
        chromium.close()
    for fault in faults:
        print(fault)
    print(f"{len(chosen)} of {len(names)} pages opened in Chromium at {len(_WIDTHS)} sizes, {len(faults)} faults")
    return 1 if faults else 0


def _playwright() -> Any:
    try:
        return importlib.import_module("playwright.sync_api")
    except ImportError:
        return None


def _watched(page: Any, faults: list[str]) -> list[str]:
    """The addresses that a page asks for; errors of its scripts are faults."""
    asked: list[str] = []

    def request(what: Any) -> None:
        asked.append(str(what.url))

    def error(what: Any) -> None:
        faults.append(str(what))

    page.on("request", request)
    page.on("pageerror", error)
    return asked


def _filtered(page: Any, site: Path) -> list[str]:
    """The grid of the PICA200 with a word in its field."""
    page.goto((site / "reference/pica200/index.html").as_uri())
    page.fill("#filter-grid-pica200", "dp4")
    left = page.locator("td[data-words]:not(.lw-out)").all_inner_texts()
    return [] if [text.split()[0] for text in left] == ["dp4"] else [f"the grid, filtered by dp4, shows {left}"]


def _searched(page: Any, site: Path) -> list[str]:
    """The page finds what `search.find` finds, shows it above other results, and its links lead somewhere."""
    docs = Path(__file__).resolve().parents[2]
    index = search.build({**pages(), **search.committed(docs)})
    faults: list[str] = []
    for number, query in enumerate(search.questions()):
        if number == 0:
            page.goto((site / "search.html").as_uri() + "?q=" + query.replace(" ", "+"))
            page.wait_for_selector(".lw-best a")
            first = page.get_attribute(".lw-best a", "href")
            if not (site / str(first).partition("#")[0]).is_file():
                faults.append(f"search.html: {first} is missing")
        shown = page.evaluate("query => lanewiseFind(lanewiseSearch, query, 3).map(section => section[0])", query)
        wanted = [section.page for section in search.find(index, query, 3)]
        if shown != wanted:
            faults.append(f"search.html: {query!r} finds {shown}, not {wanted}")
    return faults


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
