"""Text of pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from effort import examples
from lanewise.core.diagnostics import visible
from lanewise.core.document import Fixed, Heading, Items, Paragraph, Table, as_markdown, as_text, wrap

if TYPE_CHECKING:
    from markdown_it.token import Token

    from lanewise.core.document import Block

# what Markdown, HTML and terminals take for their own, and pieces that have done harm
MARKS = list("`*_[]()<>!#+-=~|\\&;.:\"'x1 \r\n\t\0\x1b\x0b\x85\u2028\u202e")
PIECES = [
    "```",
    "[a](command:b)",
    "![a](https://x/y)",
    "<img src=x>",
    "<https://x>",
    "&#91;",
    "&lt;",
    "[a]: b",
    "\\|",
    "`|`",
    "\n\n",
    "\r```\r",
    "1. ",
    "    x",
]
TEXT = st.lists(st.sampled_from(MARKS + PIECES), max_size=12).map("".join)
HARM = "`a\\|[b](command:c)`` ```\r```\r![t](https://x)\r\n\n# <b>"


def parsed(blocks: list[Block]) -> list[Token]:
    """The blocks of the page as a reader of Markdown with tables and HTML takes them."""
    markdown = pytest.importorskip("markdown_it", reason="pip install markdown-it-py")
    return markdown.MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(as_markdown(blocks))


def shown(token: Token) -> str:
    """What is seen of a text, without white space, which Markdown does not keep, and backquotes, which are not shown."""
    inner = token.children or ()
    assert {one.type for one in inner} <= {"text", "code_inline", "text_special", "strong_open", "strong_close"}, inner
    return seen("".join([one.content for one in inner]))


def seen(text: str) -> str:
    return "".join(visible(text).replace("`", "").split())


def texts(tokens: list[Token]) -> list[str]:
    return [shown(token) for token in tokens if token.type == "inline"]


def kinds(tokens: list[Token]) -> list[str]:
    return [token.type for token in tokens]


@examples(36, 600)
@example(HARM)
@example("a ` [b](c)")
@example("``a` [b](c)`d")
@example("``\t")
@given(TEXT)
def test_markdown_shows_texts_as_they_are(text: str):
    around = ["paragraph_open", "inline", "paragraph_close"]
    assert as_markdown([Paragraph("a")]) == "a\n"
    paragraph = parsed([Paragraph(f"{text}.")])
    assert (kinds(paragraph), texts(paragraph)) == (around, [seen(f"{text}.")])
    heading = parsed([Heading(2, f"{text}.")])
    assert (kinds(heading), texts(heading)) == (["heading_open", "inline", "heading_close"], [seen(f"{text}.")])
    items = parsed([Items((("", f"{text}."), (f"n{text}n", f"{text}.")))])
    one = ["list_item_open", *around, "list_item_close"]
    assert kinds(items) == ["bullet_list_open", *one, *one, "bullet_list_close"]
    assert texts(items) == [seen(f"{text}."), seen(f"n{text}n:{text}.")]


@examples(36, 600)
@example(HARM)
@given(TEXT)
def test_cells_hold_any_text(text: str):
    table = parsed([Table((f"{text}.", "b"), ((f"{text}.", text), ("c", f"x{text}")))])
    assert kinds(table).count("table_open") == 1
    assert kinds(table)[-1] == "table_close"
    assert texts(table) == [seen(part) for part in (f"{text}.", "b", f"{text}.", text, "c", f"x{text}")]


@examples(36, 600)
@example([HARM])
@example(["```", "`````", "~~~"])
@given(st.lists(TEXT, max_size=3))
def test_fixed_text_stays_in_its_fence(lines: list[str]):
    (fence,) = parsed([Fixed(tuple(lines))])
    assert (fence.type, fence.info) == ("fence", "text")
    assert fence.content == "\n".join([visible(line).rstrip() for line in lines]) + "\n"


def test_a_heading_is_one_line():
    assert as_text([Heading(1, "a\n::error::b\x1b")]) == "a\\n::error::b\\x1b\n" + "=" * 17 + "\n"


def test_links_are_of_pages_that_ask_for_them():
    page: list[Block] = [Paragraph("[V070](#v070) <b>"), Table(("a",), (("[a](b.md)",),))]
    assert as_markdown(page, links=True) == "[V070](#v070) \\<b>\n\n| a |\n| --- |\n| [a](b.md) |\n"
    assert as_markdown(page) == "\\[V070](#v070) \\<b>\n\n| a |\n| --- |\n| \\[a](b.md) |\n"


def test_names_are_not_broken_at_hyphens():
    text = "a.v.pica and shaders/fresnel-test/source/vshader-with-a-long-name.v.pica --constants-known are equal"
    assert [line for line in wrap(text, 60) if line.endswith("-")] == []
    assert " ".join(wrap(text, 60)) == text
