"""Patterns of file names, as `.gitignore` has them."""

from __future__ import annotations

import re

from lanewise.core.record import Record

_MARKS = ("*", "?", "[", "!", "#")  # which `.gitignore` quotes with a backslash


class _Pattern(Record):
    """`anchored`: it has a slash, and is compared with paths, otherwise with names; `folder`: it is for folders only; `keeps`:
    it begins with !."""

    expression: re.Pattern[str]
    anchored: bool
    folder: bool
    keeps: bool


class Patterns:
    """A list of patterns; the last one that fits a path decides, and one with ! before it takes the path out again.

    A pattern without a slash is for names, of folders too: `third_party`, `*.gen.pica`. One with a slash is for paths from the
    folder of the configuration: `shaders/old`, `/build`, `**/generated/*.pica`. One that ends in a slash is for folders. Raises
    ValueError.
    """

    def __init__(self, texts: tuple[str, ...] = ()) -> None:
        self.texts = texts
        self._patterns = tuple([_read(text) for text in texts])

    def match(self, path: str) -> bool:
        """Whether a file, or a folder above it, fits; `path` has / and is relative."""
        parts = path.split("/")
        return any(self._fits(parts[: n + 1], folder=n + 1 < len(parts)) for n in range(len(parts)))

    def match_folder(self, path: str) -> bool:
        """Whether a folder fits, or one above it."""
        parts = path.split("/")
        return any(self._fits(parts[: n + 1], folder=True) for n in range(len(parts)))

    def _fits(self, parts: list[str], *, folder: bool) -> bool:
        for pattern in reversed(self._patterns):
            text = "/".join(parts) if pattern.anchored else parts[-1]
            if (folder or not pattern.folder) and pattern.expression.fullmatch(text):
                return not pattern.keeps
        return False


def _read(text: str) -> _Pattern:
    body = text.removeprefix("!")
    folder = body.endswith("/")
    stripped = body.strip("/")
    if not stripped:
        raise ValueError(f"empty pattern '{text}'")
    control = next((letter for letter in body if letter < " "), "")
    if control:
        raise ValueError(f"pattern {text!r} has the character {control!r}: write / between folders, on Windows too")
    at = body.find("\\")
    if at >= 0:
        quoted = body[at + 1 : at + 2] in _MARKS
        fix = f"{text.replace(chr(92), '/')}: / is between folders, on Windows too"
        raise ValueError(f"pattern '{text}' has a backslash: write {f'[{body[at + 1]}] for {body[at + 1]}' if quoted else fix}")
    try:
        expression = re.compile(_expression(stripped))
    except ValueError as error:
        raise ValueError(f"pattern '{text}': {error}") from None
    return _Pattern(expression, "/" in body.rstrip("/"), folder, text.startswith("!"))


def _expression(pattern: str) -> str:
    found: list[str] = []
    at = 0
    while at < len(pattern):
        if pattern.startswith("**/", at):
            found.append("(?:.*/)?")
            at += 3
        elif pattern.startswith("**", at):
            found.append(".*")
            at += 2
        elif pattern[at] == "*":
            found.append("[^/]*")
            at += 1
        elif pattern[at] == "?":
            found.append("[^/]")
            at += 1
        elif pattern[at] == "[" and "]" in pattern[at + 2 :]:
            end = pattern.index("]", at + 2)
            found.append(_class(pattern[at + 1 : end]))
            at = end + 1
        else:
            found.append(re.escape(pattern[at]))
            at += 1
    return "".join(found)


def _class(inner: str) -> str:
    """A class of characters as Python writes it: every mark in it is escaped, such as the second one of `--` or `||`, which are
    to be operations on sets."""
    at = int(inner[0] in "!^")
    found = ["[^" if at else "["]
    while at < len(inner):
        first, last = inner[at], inner[at + 2 : at + 3] if inner[at + 1 : at + 2] == "-" else ""
        if last and last < first:
            raise ValueError(f"the range {first}-{last} ends before it begins")
        found.append(f"{re.escape(first)}-{re.escape(last)}" if last else re.escape(first))
        at += 3 if last else 1
    return "".join([*found, "]"])


__all__ = ["Patterns"]
