"""Public programs show their shape at first opening: whole, and at least 30 % of the canvas's smaller side.

The programs are not in this repository: `LANEWISE_INPUTS` names a folder in which each folder with files is one program
(`nox -s scenes`). `LANEWISE_INPUTS_PICTURES` names a folder for pictures of what is shown.
"""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from browser.studio_page import StudioPage

FOLDER = os.environ.get("LANEWISE_INPUTS", "")
PICTURES = os.environ.get("LANEWISE_INPUTS_PICTURES", "")
LEAST = 0.3  # of the smaller side of the canvas
SHARE = 55 / 60  # of the programs

_PIXELS = """() => {
    lanewise.view.draw();
    const { canvas } = lanewise.view, area = lanewise.view.area(), ratio = canvas.width / canvas.clientWidth;
    const flat = document.createElement('canvas');
    flat.width = canvas.width; flat.height = canvas.height;
    const context = flat.getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    const [x, y, w, h] = [area.x, area.y, area.width, area.height].map((side) => Math.round(side * ratio));
    const { data } = context.getImageData(x, y, w, h);
    const back = [0x22, 0x26, 0x2d];
    let [left, right, top, bottom, count] = [w, -1, h, -1, 0];
    for (let at = 0; at < w * h; at += 1) {
        if (data[at * 4 + 3] === 0 || back.every((value, k) => Math.abs(data[at * 4 + k] - value) < 3)) continue;
        const [px, py] = [at % w, Math.floor(at / w)];
        left = Math.min(left, px); right = Math.max(right, px); top = Math.min(top, py); bottom = Math.max(bottom, py);
        count += 1;
    }
    return { count, left, right, top, bottom, width: w, height: h, side: Math.min(canvas.width, canvas.height) };
}"""


class Seen(NamedTuple):
    """What of a program is on the canvas, and what the page says of it."""

    shape: bool
    text: str


def programs() -> Iterator[tuple[str, list[Path]]]:
    """The programs of the folder with their files."""
    for folder, _, names in sorted(os.walk(FOLDER)):
        if names:
            yield str(Path(folder).relative_to(FOLDER)), [Path(folder, name) for name in sorted(names)]


def state_of(files: list[Path]) -> dict[str, Any]:
    """What the page loads where these files are opened."""
    rows: list[dict[str, str]] = []
    for path in files:
        data = path.read_bytes()
        binary = b"\0" in data
        rows.append(
            {"name": path.name, "text": "", "data": base64.b64encode(data).decode()}
            if binary
            else {"name": path.name, "text": data.decode("utf-8", "replace")}
        )
    return {"files": rows}


def seen(studio: StudioPage) -> Seen:
    """The shape on the canvas, judged from its pixels."""
    if studio.store("mesh") is None:
        return Seen(False, f"no picture: {studio.page.locator('.stage .overlay').inner_text()!r}")
    found = studio.page.evaluate(_PIXELS)
    wide, high = found["right"] - found["left"] + 1, found["bottom"] - found["top"] + 1
    whole = (
        min(found["left"], found["top"]) > 0 and found["right"] < found["width"] - 1 and found["bottom"] < found["height"] - 1
    )
    share = max(wide, high) / found["side"] if found["count"] else 0.0
    text = f"{share:.0%} of the canvas{'' if whole else ', cut'}: {studio.page.locator('.mesh-pane .caption').inner_text()}"
    if found["count"] == 0:
        text = f"empty: {studio.page.locator('.stage .overlay').inner_text()!r}"
    return Seen(whole and share >= LEAST and found["count"] >= found["side"], text)


@pytest.mark.skipif(not FOLDER, reason="LANEWISE_INPUTS names no folder of public programs")
def test_public_programs_show_their_shape_at_first_opening(opened: Callable[..., StudioPage]) -> None:
    studio = opened(width=1280, height=800)
    found: dict[str, Seen] = {}
    for name, files in programs():
        studio.page.evaluate("state => lanewise.actions.load(state)", state_of(files))
        studio.settled()
        studio.page.wait_for_timeout(60)  # the camera fits what has come
        studio.settled()
        found[name] = seen(studio)
        print(f"{'shape' if found[name].shape else '  -  '} {name}: {found[name].text}")
        if PICTURES:
            Path(PICTURES).mkdir(parents=True, exist_ok=True)
            studio.page.screenshot(path=Path(PICTURES, f"{name.replace('/', '-')}.png"))
    shown = sum(each.shape for each in found.values())
    print(f"{shown} of {len(found)}")
    assert shown >= SHARE * len(found), [f"{name}: {each.text}" for name, each in found.items() if not each.shape]
