"""Includes of GLSL, HLSL and Slang: files are read here and copied beside the source, so that a compiler needs no path of ours.

Each directive gets the name of a copy, and its line stays where it is. What is not read becomes an `#error` with a number: it
counts only where the condition around it holds, as the directive did.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST_FILES = 256
MOST_DEEP = 64
MOST_BYTES = 1 << 23  # of all included files
MARK = "LANEWISE_NOT_INCLUDED_"
_COPY = "included-"
_NO_FILE = "no such file"
_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_INCLUDE = re.compile(r"^[ \t\v\f]*#[ \t\v\f]*(?:include|import)\b[ \t\v\f]*(.*)$", re.MULTILINE)
_NAMED = re.compile(r'(?:"([^"\n]+)"|<([^>\n]+)>)\s*$')
_MODULE = re.compile(r'\b(?:__import|import|__include|implementing)\b(\s+)([A-Za-z_][\w.]*|"[^"\n]*")(?=\s*;)')
_HINT = re.compile(r"include|import|implementing|\\")


class Copy(Record):
    """An included file: its name beside the source, the name that messages have, and both texts: as it is, and as the compiler
    gets it."""

    name: str
    shown: str
    text: str
    given: str


class Missing(Record):
    """An include that is not read: what it names, and why."""

    name: str
    reason: str


class Included(Record):
    """A source as a compiler gets it, the copies, and what was not read, by the number in its `#error`."""

    given: str
    copies: tuple[Copy, ...] = ()
    missing: tuple[Missing, ...] = ()


def resolve(
    text: str, path: str, language: str, folders: Sequence[str] = (), read: Callable[[str], str] | None = None
) -> Included:
    """The source of a path with its includes. `read` gives the text of a file and raises OSError; without it nothing is
    read."""
    resolver = _Resolver(language, folders, read)
    given = resolver.rewritten(text, str(Path(path).parent))
    return Included(given, tuple(resolver.copies.values()), tuple(resolver.missing))


class _Resolver:
    def __init__(self, language: str, folders: Sequence[str], read: Callable[[str], str] | None) -> None:
        self.language, self.folders, self.read = language, folders, read
        self.copies: dict[tuple[str, str], Copy] = {}
        self.missing: list[Missing] = []
        self._bytes = self._depth = 0

    def rewritten(self, text: str, folder: str) -> str:
        """A text with the names of copies in its directives."""
        if not _HINT.search(text):
            return text

        def directive(match: re.Match[str]) -> str:
            named = _NAMED.match(match[1])
            if named is None:
                return self._refused(match[1].strip() or "#include", "name the file in quotes")
            name = named[1] or named[2]
            found = self._found(name, [folder, *self.folders] if named[1] else [*self.folders, folder])
            return f'#include "{found.name}"' if isinstance(found, Copy) else self._refused(name, found)

        def module(match: re.Match[str]) -> str:
            word = match[0][: match.start(2) - match.start()]
            quoted, name = match[2].startswith('"'), match[2].strip('"')
            if quoted:
                copy, names = "", [name, f"{name}.slang"]
            else:  # `import a.b_c` is a/b_c.slang or a/b-c.slang
                copy = f"{name.replace('.', '/')}.slang"
                names = [copy, copy.replace("_", "-")]
            reason = ""
            for each in names:
                found = self._found(each, [folder, *self.folders], copy)
                if isinstance(found, Copy):
                    return f'{word}"{found.name}"' if quoted else match[0]
                reason = found
            if not quoted and (reason.startswith(_NO_FILE) or self.read is None):
                return match[0]  # a module of Slang's own, or the compiler says that there is none
            self.missing.append(Missing(name, reason))
            return f'{word}"{MARK}{len(self.missing) - 1}"' if quoted else f"{word}{MARK}{len(self.missing) - 1}"

        # A text in which only a comment has a directive is given without comments, too: what a comment is must not be a matter
        # of opinion.
        result = _INCLUDE.sub(directive, _plain(text))
        return _MODULE.sub(module, result) if self.language == "slang" else result

    def _found(self, name: str, folders: Sequence[str], module: str = "") -> Copy | str:
        """The copy of an included file, or why there is none. `module`: the name that it must have."""
        if self.read is None:
            return "files are not read here"
        reason = _NO_FILE + ("" if Path(name).is_absolute() else f" in {' or '.join(folders)}")
        for folder in dict.fromkeys(folders):
            path = os.path.normpath(Path(folder, name))
            key = path, module
            if key in self.copies:
                return self.copies[key]
            try:
                text = self.read(path)
            except FileNotFoundError:
                continue
            except (OSError, ValueError) as error:
                reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
                continue
            if self._depth >= MOST_DEEP:
                return f"includes are at most {MOST_DEEP} deep"
            if len(self.copies) >= MOST_FILES:
                return f"a source includes at most {MOST_FILES} files"
            self._bytes += len(text)
            if self._bytes > MOST_BYTES:
                return f"included files have at most {MOST_BYTES >> 20} MiB"
            self.copies[key] = Copy(module or _copy_name(len(self.copies), name), path, text, "")
            self._depth += 1
            self.copies[key] = self.copies[key]._replace(given=self.rewritten(text, str(Path(path).parent)))
            self._depth -= 1
            return self.copies[key]
        return reason

    def _refused(self, name: str, reason: str) -> str:
        self.missing.append(Missing(name, reason))
        return f"#error {MARK}{len(self.missing) - 1}"


def _copy_name(number: int, name: str) -> str:
    """A name for a copy, which has what a message may quote of the file's own."""
    return f"{_COPY}{number}-" + re.sub(r"[^\w.-]", "_", name.replace("\\", "/").rpartition("/")[2])[-40:]


def _plain(text: str) -> str:
    """A text without comments and continued lines, as many lines as before: a directive is then the beginning of a line."""
    first, *others = text.replace("\r\n", "\n").replace("\r", "\n").split("\\\n")
    joined, owed = [first], 0
    for part in others:
        owed += 1
        line, end, rest = part.partition("\n")
        joined += [line, end * (1 + owed), rest]
        owed = 0 if end else owed
    return _COMMENT.sub(_blank, "".join([*joined, "\n" * owed]))


def _blank(match: re.Match[str]) -> str:
    return match[0] if match[0].startswith('"') else " " + "\n" * match[0].count("\n")
