"""Check a built site: `python -m lanewise_site.check FOLDER [LIST]`.

Every link and anchor inside it leads somewhere, and no page asks another machine for anything. The addresses outside that pages
link to are written to LIST, not fetched.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lanewise_site.playground import PLACE

# What a browser fetches by itself: element and attribute.
_FETCHED = {
    ("script", "src"),
    ("img", "src"),
    ("source", "src"),
    ("video", "src"),
    ("iframe", "src"),
    ("object", "data"),
    ("image", "href"),
    ("use", "href"),
}
_STYLES = frozenset({"stylesheet", "icon", "preload", "preconnect", "dns-prefetch", "modulepreload", "prefetch"})


class Page(HTMLParser):
    """The links, the anchors, and what a page fetches."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if "id" in found:
            self.anchors.add(found["id"])
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag == "a" and "name" in found:
            self.anchors.add(found["name"])
        if tag == "link" and _STYLES & set(found.get("rel", "").split()):
            self.fetched.append(found.get("href", ""))
        self.fetched += [value for name, value in found.items() if (tag, name) in _FETCHED]


def check(folder: Path) -> tuple[list[str], set[str]]:
    """What is wrong, a line each, and the addresses outside."""
    pages = {path.relative_to(folder).as_posix(): Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    faults: list[str] = []
    outside: set[str] = set()
    for name, page in sorted(pages.items()):
        for address in page.fetched:
            if urlsplit(address).netloc:
                faults.append(f"{name}: fetches {address}")
            elif address and not address.startswith("data:") and not _file(folder, name, address).exists():
                faults.append(f"{name}: {address} is missing")
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                outside.add(link)
                continue
            target = _file(folder, name, link) if parts.path else folder / name
            if not target.exists():
                faults.append(f"{name}: dead link {link}")
            elif parts.fragment and target.suffix == ".html" and f"/{PLACE}/" not in target.as_posix():  # there it is a program
                inside = pages[target.relative_to(folder.resolve() if target.is_absolute() else folder).as_posix()]
                if unquote(parts.fragment) not in inside.anchors:
                    faults.append(f"{name}: dead anchor {link}")
    for style in folder.rglob("*.css"):
        text = style.read_text(encoding="utf-8", errors="replace")
        faults += [
            f"{style.name}: fetches {mark}..."
            for mark in ("url(http", "url(//", 'url("http', "@import url(http", '@import "http')
            if mark in text
        ]
    return faults, outside


def _file(folder: Path, name: str, link: str) -> Path:
    """The file of a link from a page."""
    parts: list[str] = list(Path(name).parent.parts)
    for part in unquote(urlsplit(link).path).split("/"):
        if part == "..":
            if parts:
                parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return folder.joinpath(*parts)


def main(argv: list[str]) -> int:
    folder = Path(argv[0])
    faults, outside = check(folder)
    if len(argv) > 1:
        Path(argv[1]).write_text("".join([f"{address}\n" for address in sorted(outside)]), encoding="utf-8")
    for fault in faults:
        print(fault)
    print(f"{sum(1 for _ in folder.rglob('*.html'))} pages, {len(faults)} faults, {len(outside)} addresses outside")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
