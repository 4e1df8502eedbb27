"""Recognition of Direct3D 9 sources: the first statement is a version, for any file name."""

from __future__ import annotations

_ENDS = ("x", "sw", "a", "b")


def begins_with_version(text: str) -> bool:
    """Whether a source's first statement is a version such as `vs_2_0` or `ps.1.4`, or the token of one in `.dword`.

    Comments and lines with # may come before it.
    """
    at, end = 0, len(text)
    while at < end:
        if text[at] in " \t\r\n\ufeff":
            at += 1
        elif text[at] in ";#" or text.startswith("//", at):
            stop = text.find("\n", at)
            while text[at] == "#" and stop > 0 and text[stop - 1] == "\\":  # a definition that goes on in the next line
                stop = text.find("\n", stop + 1)
            at = end if stop < 0 else stop
        elif text.startswith("/*", at):
            stop = text.find("*/", at + 2)
            at = end if stop < 0 else stop + 2
        else:
            return version_length(text, at) > 0 or _is_version_token(text, at)
    return False


def _is_version_token(text: str, at: int) -> bool:
    """Whether `.dword 0xFFFE0200` is at `at`."""
    if text[at : at + 6].lower() != ".dword":
        return False
    token = text[at + 6 : at + 40].lstrip(" \t")[:10].lower()
    return token.startswith(("0xfffe", "0xffff")) and _word(token, 0) == 10


def version_length(text: str, at: int) -> int:
    """The length of a version's name at `at`; 0 if there is none. The numbers may be of no version that there is."""
    if text[at : at + 2].lower() not in ("vs", "ps") or text[at + 2 : at + 3] not in ("_", "."):
        return 0
    major = _word(text, at + 3)
    point = at + 3 + major
    if not 1 <= major <= 3 or not text[at + 3 : point].isdigit() or text[point : point + 1] not in ("_", "."):
        return 0
    minor = _word(text, point + 1)
    last = text[point + 1 : point + 1 + minor].lower()
    if text[point + 1 + minor : point + 2 + minor] == "_" or not (last in _ENDS or (last.isdigit() and len(last) <= 3)):
        return 0
    return point + 1 + minor - at


def _word(text: str, at: int) -> int:
    stop = at
    while stop < len(text) and text[stop].isascii() and text[stop].isalnum():
        stop += 1
    return stop - at
