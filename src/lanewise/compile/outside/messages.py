"""Messages of compilers of other projects as findings."""

from __future__ import annotations

import re

from lanewise.compile.outside.meant import explained, of_other_stages, recursion
from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic, has_errors
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# glslc: light.vert:6: error: 'q' : undeclared identifier
_GLSLC = re.compile(r"^(?P<file>.*?):(?:(?P<line>\d+):)? (?P<kind>error|warning): (?P<text>.*)$")
# glslang: ERROR: light.vert:6: 'q' : undeclared identifier
_GLSLANG = re.compile(r"^(?P<kind>ERROR|WARNING): (?:(?P<file>.*?):(?P<line>\d+): )?(?P<text>.*)$")
# slangc until 2025: light.slang(6): error 30015: undefined identifier 'q'.
_SLANG = re.compile(r"^(?P<file>.*?)\((?P<line>\d+)\): (?P<kind>error|warning)(?: \d+)?: (?P<text>.*)$")
# slangc since: error[E30015]: undefined identifier, then a line with the place and one with the reason
_RUST = re.compile(r"^(?P<kind>error|warning)(?:\[\w+\])?: (?P<text>.*)$")
_RUST_PLACE = re.compile(r"^\s*--> (?P<file>.*?):(?P<line>\d+):(?P<column>\d+)$")
_RUST_REASON = re.compile(r"^\s*\|\s*\^+\s*(?P<text>\S.*)$")
# What says nothing of its own: counts, and consequences of other messages.
_EMPTY = re.compile(
    r"\d+ compilation errors|compilation terminated|Missing entry point: Each stage|\(version, profile\) forced to "
    r"be|^Missing module\.$|nor is `-fvk-b-shift` used|"
    r"^Linking vertex stage:\s*$|"
    r"is implicitly a global shader parameter, not a global variable|"
    r"has no output with the 'SV_Position' system value semantic"  # POSITION is one, and S011 says if there is none
)


_NO_ENTRY, _NO_MAIN = "Entry point not found", "Missing entry point"  # the one is a warning, though there is no module


def messages(
    compiler: str, said: str, names: Mapping[str, str], texts: Mapping[str, str], language: str = ""
) -> list[Diagnostic]:
    """The findings in the output of a compiler. `names` are those of files, or of folders with their slash, for messages, by
    the names that it was given; `texts` their sources, of a language."""
    lines = {name: text.split("\n") for name, text in texts.items()}
    first = next(iter(texts), "")
    found: list[Diagnostic] = []
    lost: list[Diagnostic] = []  # what is said where nothing else is
    for kind, file, number, text in _read(said):
        name = names.get(file, "") or _shown(file, names) or first
        source = lines.get(name, [])
        shown = source[number - 1].rstrip("\r") if 0 < number <= len(source) else ""
        error = kind.lower() == "error" or _NO_ENTRY in text
        finding = Diagnostic(
            code="L901" if error else "L902",
            severity=ERROR if error else WARNING,
            message=f"{compiler}: {_plain(text)}",
            span=Span(file=name, line=number, text=shown),
        )
        kept = lost if _EMPTY.search(text) else found
        if finding not in kept:
            kept.append(finding)
    if not has_errors(found):
        found += [each for each in lost if _NO_MAIN in each.message]
    for search in (of_other_stages, recursion):
        placed = search(said, texts.get(first, ""))
        if placed is not None:
            number, text, fix = placed
            span = Span(file=first, line=number, text=lines[first][number - 1].rstrip("\r"))
            found = [each for each in found if each.span.line or each.severity != ERROR]
            found.append(Diagnostic(code="L901", severity=ERROR, message=f"{compiler}: {text}", span=span, fix=fix))
    return explained(found, lines, language)


def _shown(file: str, names: Mapping[str, str]) -> str:
    """The name of an included file, in the folder as the user named it."""
    folder = next((folder for folder in names if folder.endswith("/") and file.startswith(folder)), "")
    return names[folder] + file[len(folder) :] if folder else file


def _read(said: str) -> Iterator[tuple[str, str, int, str]]:
    """The kind, file, line and text of each message."""
    waiting = said.replace("\r\n", "\n").split("\n")
    for at, line in enumerate(waiting):
        old = _SLANG.match(line) or _GLSLC.match(line)
        if old is not None and not line.startswith(("ERROR:", "WARNING:")):
            yield old["kind"], old["file"], int(old["line"] or 0), old["text"]
            continue
        new = _RUST.match(line)
        if new is not None:
            place, reason = None, None
            for after in waiting[at + 1 : at + 6]:
                if _RUST.match(after):
                    break
                place = place or _RUST_PLACE.match(after)
                reason = reason or _RUST_REASON.match(after)
            text = new["text"] if reason is None else reason["text"]
            yield new["kind"], place["file"] if place is not None else "", int(place["line"]) if place is not None else 0, text
            continue
        other = _GLSLANG.match(line)
        if other is not None:
            yield other["kind"], other["file"] or "", int(other["line"] or 0), other["text"]


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(".")
