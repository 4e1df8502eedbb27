"""Paths and command lines as systems write them.

What depends on the system is an argument with the present one as default, so that tests ask for each: `paths` is a module such
as `ntpath`, `windows` a boolean.
"""

from __future__ import annotations

import os

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

WINDOWS = os.name == "nt"


def beside(path: str, name: str, paths: ModuleType = os.path) -> str:
    """The path of a file that another one names, relative to its folder. `/` and `\\` separate folders in a name: sources
    travel between systems."""
    return paths.join(paths.dirname(path), name.replace("\\", "/"))


def uri_of(path: str, *, windows: bool = WINDOWS) -> str:
    """The address of an absolute path, as RFC 8089 has it: `file:///C:/a%20b`, `file://host/share/x`."""
    from urllib.parse import quote

    if not windows:
        return f"file://{quote(path)}"
    path = path.replace("\\", "/")
    return f"file:{quote(path)}" if path.startswith("//") else f"file:///{quote(path, safe='/:')}"


def path_of_uri(uri: str, *, windows: bool = WINDOWS) -> str:
    """The path of a `file:` address; of editors some escape the colon of a drive: `file:///c%3A/x`. A text that is no address
    is a path already."""
    from urllib.parse import unquote, urlsplit

    if not uri.startswith("file:"):
        return uri
    parts = urlsplit(uri)
    path = unquote(parts.path)
    if not windows:
        return path
    if parts.netloc:
        path = f"//{parts.netloc}{path}"
    elif path[2:3] == ":":
        path = path[1:]
    return path.replace("/", "\\")


def split_command(text: str, *, windows: bool = WINDOWS) -> list[str]:
    """The words of a command line; on Windows a backslash is a letter of a path. Raises ValueError for an open quotation
    mark."""
    import shlex

    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    if windows:
        lexer.escape, lexer.quotes = "", '"'
    return list(lexer)


def join_command(words: Sequence[str], *, windows: bool = WINDOWS) -> str:
    """A command line of words, as the shell of the system reads it."""
    if windows:
        from subprocess import list2cmdline

        return list2cmdline(words)
    import shlex

    return shlex.join(words)


__all__ = ["WINDOWS", "beside", "join_command", "path_of_uri", "split_command", "uri_of"]
