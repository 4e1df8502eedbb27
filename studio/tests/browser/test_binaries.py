"""Binaries that are opened in the page: chosen or dropped, shown as their disassembly, and turned into a source."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING

import lanewise as lw
import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from browser.studio_page import StudioPage

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.fixture
def binary(tmp_path: Path) -> Path:
    path = tmp_path / "lit.shbin"
    lw.load(EXAMPLES / "transform.v.pica").save(path)
    return path


def is_shown(studio: StudioPage) -> None:
    studio.until("lanewise.store.value.source?.listing?.file === 'lit.shbin' && lanewise.store.value.mesh !== null")
    studio.settled()
    expect(studio.page.locator(".file-tabs .tab")).to_have_text("lit.shbin")
    expect(studio.page.locator(".cm-content")).to_contain_text(".proc main")


def test_a_binary_is_chosen_and_linked_line_by_line(studio: StudioPage, binary: Path) -> None:
    studio.page.get_by_label("open a file").set_input_files(binary)
    is_shown(studio)
    row = next(row for row in studio.store("words.rows") if row["line"])
    assert row["bits"] in studio.page.locator(".cm-words").inner_text()
    studio.page.locator(f".listing li[data-address='{row['address']}']").hover()
    expect(studio.page.locator(".cm-linked")).to_contain_text(row["instruction"].split()[0])
    # nothing is typed into it
    lines = studio.page.locator(".cm-line").all_inner_texts()
    studio.page.locator(".cm-content").focus()
    studio.page.keyboard.type("x")
    assert studio.page.locator(".cm-line").all_inner_texts() == lines
    assert studio.store("state.files")[0]["text"] == ""
    # its language is known: a word has its page
    studio.page.locator(".cm-line").filter(has_text="dp4").first.locator("span").first.hover()
    expect(studio.page.locator(".cm-tooltip-hover")).to_contain_text("dp4", timeout=20_000)


def test_a_binary_is_dropped_and_edited_as_a_source(studio: StudioPage, binary: Path) -> None:
    studio.page.evaluate(
        """text => { const data = new DataTransfer(); data.items.add(new File([Uint8Array.from(atob(text), each => \
each.charCodeAt(0))], 'lit.shbin'));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })); }""",
        base64.b64encode(binary.read_bytes()).decode(),
    )
    is_shown(studio)
    words = studio.store("words.rows.length")
    color = "[...lanewise.store.value.mesh.arrays.get('position').data]"
    shown = studio.value(color)
    studio.page.get_by_role("button", name="Edit as source").click()
    studio.until("lanewise.store.value.words?.rows[0]?.file === 'lit.v.pica'")
    studio.settled()
    assert (studio.store("words.rows.length"), studio.value(color)) == (words, shown)
    studio.page.locator(".cm-content").focus()
    studio.page.keyboard.press("Control+Home")
    studio.page.keyboard.type("; mine\n")
    studio.until("lanewise.store.value.state.files[0].text.startsWith('; mine\\n')")
