"""Includes of GLSL, HLSL and Slang: files are read here and copied beside the source, so that a compiler needs no path of ours.

Each directive gets the name of a copy, and its line stays where it is. What is not read becomes an `#error` with a number: it
counts only where the condition around it holds, as the directive did.
"""

from __future__ import annotations

import re

from lanewise.core.including import Includes, NotIncluded
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MARK = "LANEWISE_NOT_INCLUDED_"
_COPY = "included-"
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
    """An include that is not read: what it names, why, and what to write."""

    name: str
    reason: str
    fix: str = ""


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
    resolver = _Resolver(path, language, folders, read)
    given = resolver.rewritten(text)
    return Included(given, tuple(resolver.copies.values()), tuple(resolver.missing))


class _Resolver:
    def __init__(self, path: str, language: str, folders: Sequence[str], read: Callable[[str], str] | None) -> None:
        self.language = language
        self.includes = Includes(read, folders, once=True)
        self.copies: dict[tuple[str, str], Copy] = {}
        self.missing: list[Missing] = []
        self._chain = [path]  # files that are being rewritten, each included by the one before

    def rewritten(self, text: str) -> str:
        """A text with the names of copies in its directives."""
        if not _HINT.search(text):
            return text

        def directive(match: re.Match[str]) -> str:
            named = _NAMED.match(match[1])
            if named is None:
                return self._refused(match[1].strip() or "#include", "name the file in quotes")
            name = named[1] or named[2]
            try:
                return f'#include "{self._found(name, angled=not named[1]).name}"'
            except NotIncluded as error:
                return self._refused(name, _reason(error), self.includes.fix(error, name, self._chain[-1]))

        def module(match: re.Match[str]) -> str:
            word = match[0][: match.start(2) - match.start()]
            quoted, name = match[2].startswith('"'), match[2].strip('"')
            if quoted:
                copy, names = "", [name, f"{name}.slang"]
            else:  # `import a.b_c` is a/b_c.slang or a/b-c.slang
                copy = f"{name.replace('.', '/')}.slang"
                names = [copy, copy.replace("_", "-")]
            reason, fix, elsewhere = "", "", False
            for each in names:
                try:
                    found = self._found(each, copy)
                except NotIncluded as error:
                    if not reason or not error.missing:
                        fix = self.includes.fix(error, each, self._chain[-1])
                        reason, elsewhere = _reason(error), error.missing or not (error.limit or error.path)
                else:
                    return f'{word}"{found.name}"' if quoted else match[0]
            if not quoted and elsewhere:
                return match[0]  # a module of Slang's own, or the compiler says that there is none
            self.missing.append(Missing(name, reason, fix))
            return f'{word}"{MARK}{len(self.missing) - 1}"' if quoted else f"{word}{MARK}{len(self.missing) - 1}"

        # A text in which only a comment has a directive is given without comments, too: what a comment is must not be a matter
        # of opinion.
        result = _INCLUDE.sub(directive, _plain(text))
        return _MODULE.sub(module, result) if self.language == "slang" else result

    def _found(self, name: str, module: str = "", *, angled: bool = False) -> Copy:
        """The copy of an included file. `module`: the name that it must have. Raises NotIncluded."""
        found = self.includes.find(name, self._chain, angled=angled)
        key = found.path, module
        if key not in self.copies:
            self.copies[key] = Copy(module or _copy_name(len(self.copies), name), found.path, found.text, "")
            self._chain.append(found.path)
            self.copies[key] = self.copies[key]._replace(given=self.rewritten(found.text))
            self._chain.pop()
        return self.copies[key]

    def _refused(self, name: str, reason: str, fix: str = "") -> str:
        self.missing.append(Missing(name, reason, fix))
        return f"#error {MARK}{len(self.missing) - 1}"


def _reason(error: NotIncluded) -> str:
    """Why a file is not included, after its name."""
    return f"no such file as {' or '.join(error.looked)}" if error.missing else error.reason


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
