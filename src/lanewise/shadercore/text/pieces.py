"""Pieces of a line of the ShaderCore language: words and operands with their columns, numbers."""

from __future__ import annotations

import struct

from lanewise.core.record import Record
from lanewise.shadercore.text.operands import Fault

HEXADECIMAL = frozenset("0123456789abcdefABCDEF")
_NUMBER = frozenset("0123456789+-.eE")
_MOST_SHOWN = 40


class Token(Record):
    """A piece of a line and the column, from 1, at which it begins."""

    text: str
    column: int


def float_bits(text: str) -> int | None:
    """The bits of a decimal number as float32 (of its nearest double), or of 0x and 8 digits; None for what is neither."""
    if text[:2] in ("0x", "0X"):
        return int(text[2:], 16) if len(text) == 10 and HEXADECIMAL.issuperset(text[2:]) else None
    if not text or not _NUMBER.issuperset(text):
        return None
    try:
        bits: int = struct.unpack("<I", struct.pack("<f", float(text)))[0]
        return None if bits & 0x7FFFFFFF == 0x7F800000 else bits  # 1e400 is inf before it is packed
    except (ValueError, OverflowError):
        return None


def split_operands(rest: Token) -> list[Token]:
    """The operands of a line: between commas, or, without commas, between blanks outside of parentheses."""
    text = rest.text
    commas = "," in text
    tokens: list[Token] = []
    depth = start = 0
    for at, letter in enumerate(text + (" " if not commas else ",")):
        depth += (letter == "(") - (letter == ")")
        if (at == len(text) or depth <= 0) and (letter == "," if commas else letter.isspace()):
            piece = text[start:at]
            if piece.strip() or commas:
                tokens.append(Token(piece.strip(), rest.column + start + len(piece) - len(piece.lstrip())))
            start = at + 1
    return tokens


def words_of(rest: Token) -> list[Token]:
    """The pieces of a directive's line between blanks."""
    tokens: list[Token] = []
    at = 0
    for piece in rest.text.split():
        at = rest.text.index(piece, at)
        tokens.append(Token(piece, rest.column + at))
        at += len(piece)
    return tokens


def number_of(token: Token, file: str, size: int) -> int:
    """The number of a register that has to be of one file. Raises Fault."""
    digits = token.text[1:]
    if token.text[:1].lower() != file or not digits.isascii() or not digits.isdigit() or len(digits) > 4 or int(digits) >= size:
        raise Fault(
            "P205",
            f"unknown register '{shown(token.text)}': expected {file}0-{file}{size - 1}",
            f"use {file} and a number from 0 to {size - 1}",
            token.column,
            len(token.text),
        )
    return int(digits)


def shown(text: str) -> str:
    """A text in a message: the beginning of a long one."""
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "..."
