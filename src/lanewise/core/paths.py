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


# Names that Windows gives to devices in every folder and with any suffix, except that the newest versions do so with the bare
# name alone.
_DEVICES = frozenset(
    (
        "con",
        "prn",
        "aux",
        "nul",
        "conin$",
        "conout$",
        *[f"{port}{number}" for port in ("com", "lpt") for number in "123456789¹²³"],
    )
)
_FORBIDDEN = frozenset('<>:"|?*')


ESCAPES = "\a\b\t\n\v\f\r"  # what a backslash and a letter are in a string of Python, and hardly in a name


def misspelt(path: str, *, windows: bool = WINDOWS) -> str:
    """Why no new file gets this name: it has a backslash, or what one and a letter become. A sentence; empty for others."""
    letter = next((letter for letter in path if letter in ESCAPES), "")
    if letter:
        return f"the name has the character {letter!r}: write / for \\"
    if windows or "\\" not in path:
        return ""
    return f"\\ is a letter of a name here, and / is between folders on each system: write {path.replace(chr(92), '/')}"


def is_device(name: str) -> bool:
    """Whether Windows takes a name of a file for a device: `NUL`, `aux.vsa`, `com1 .txt`."""
    return name.partition(".")[0].rstrip(" ").lower() in _DEVICES


def unwritable(path: str) -> str:
    """Why Windows writes no file by this name, or another file, in a sentence; empty for others.

    A bare name of a device means the device, as /dev/null does elsewhere: `NUL`, `CON`, `\\\\.\\NUL`.
    """
    import ntpath

    drive, rest = ntpath.splitdrive(path)
    names = [name for name in rest.replace("\\", "/").split("/") if name not in ("", ".", "..")]
    if path.lower() in _DEVICES or drive.startswith(("\\\\?\\", "\\\\.\\")):  # `\\?\C:\nul.` is what its letters say
        return ""
    for name in names:
        if is_device(name):
            return f"'{name}' is a device on Windows, with any suffix and in any folder: choose another name"
        if name.endswith((".", " ")):
            return f"'{name}' ends with a dot or a blank, which Windows leaves out: choose another name"
        wrong = next((letter for letter in name if letter in _FORBIDDEN or letter < " "), "")
        if wrong:
            return f"'{name}' has {wrong!r}, which Windows does not allow in the name of a file: choose another name"
    return ""


def uri_of(path: str, *, windows: bool = WINDOWS) -> str:
    """The address of an absolute path, as RFC 8089 has it: `file:///C:/a%20b`, `file://host/share/x`."""
    from urllib.parse import quote

    if not windows:
        return f"file://{quote(path)}"
    if path.startswith("\\\\?\\"):  # for paths of any length
        path = path[4:] if path[4:8] != "UNC\\" else f"\\\\{path[8:]}"
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


__all__ = ["WINDOWS", "beside", "is_device", "join_command", "path_of_uri", "split_command", "unwritable", "uri_of"]
