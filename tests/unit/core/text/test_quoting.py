"""Texts of TOML, as Python reads them."""

from __future__ import annotations

import tomllib

from lanewise.core.text.quoting import toml_text
from together import together

TEXTS = [
    "",
    "plain",
    'a "quote" and \\',
    "line\nline\n",
    "'''",
    "''",
    "\x1b[2J\r\x00\x7f",
    "héllo 🎲",
    "\u2028\U000e0001",
    "\ttab",
]


@together("text", TEXTS)
@together("lines", [False, True])
def test_a_text_comes_back(text: str, lines: bool):
    assert tomllib.loads(f"a = {toml_text(text, lines=lines)}\nb = 1") == {"a": text, "b": 1}


def test_a_text_without_lines_is_one_line_that_is_printed():
    assert all(toml_text(text).isprintable() for text in TEXTS)


def test_half_a_character_is_replaced():
    assert tomllib.loads(f"a = {toml_text(chr(0xD800))}") == {"a": "\ufffd"}
