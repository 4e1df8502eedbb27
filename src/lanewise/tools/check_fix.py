"""Edits of findings, applied to sources: `lanewise check --fix` and `--diff`."""

from __future__ import annotations

from lanewise.core.diagnostics import has_errors, visible
from lanewise.core.editing import chosen, edited
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import STDIO
from lanewise.core.source import decode_text, encode_text
from lanewise.tools.console import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.service import Report, Request, SourceFile
    from lanewise.tools.check import Checked

_MOST_ROUNDS = 100  # an edit may make way for another; edits that undo each other end sooner


class Fixed(Record):
    """The changes to a program: the findings whose edits were applied, its report afterwards, and what became of its
    words."""

    findings: tuple[Diagnostic, ...]
    report: Report
    words: str = ""


class Fixer:
    """The texts of sources while edits are applied to them. Nothing is written; `changed` has what is to be."""

    def __init__(self, stdin: str = "") -> None:
        self._stdin = stdin or "<stdin>"
        self._before: dict[str, bytes] = {}
        self._texts: dict[str, str] = {}
        self._scope: Callable[[str], str] | None = None  # gives the texts of included files

    def source(self, source: SourceFile) -> SourceFile:
        """A source as it is by now."""
        self._before.setdefault(source.name, source.data)
        text = self._texts.get(source.name)
        return source if text is None else source._replace(data=encode_text(text, source.data))

    def read_included(self, path: str) -> str:
        """The text of an included file as it is by now. Raises OSError."""
        if path in self._texts or self._scope is None:
            return self._texts[path]
        return self._scope(path)

    def fix(self, request: Request, check: Callable[[Request], Checked], wanted: Callable[[Diagnostic], bool]) -> Fixed:
        """Apply the edits of the wanted findings of a program, and of those that there are then, until there are none.

        A warning that errors have hidden is reported and left: its edit would change a line for a reason that the user has not
        seen.
        """
        sources = request.sources
        if request.read_included != self.read_included:
            self._scope = request.read_included
        request.read_included = self.read_included
        before = now = self._checked(request, sources, check)
        shown = (
            {(finding.code, finding.message) for finding in now.report.findings} if has_errors(now.report.findings) else None
        )
        done: list[Diagnostic] = []
        refused: set[tuple[str, str, int]] = set()
        for _ in range(_MOST_ROUNDS):
            offered = [
                finding
                for finding in now.report.findings
                if wanted(finding)
                and _key(finding) not in refused
                and (shown is None or finding.is_error or (finding.code, finding.message) in shown)
            ]
            together, _ = chosen(offered)
            if not together:
                break
            for group in ([together] if len(together) > 1 else []) + [[finding] for finding in together]:
                kept = dict(self._texts)
                after = self._checked(request, sources, check) if self._apply(group) else None
                if after is not None and _removed(group, now, after):
                    done += group
                    now = after
                    break
                self._texts = kept
                if len(group) == 1:
                    refused.add(_key(group[0]))
        else:
            now = self._checked(request, sources, check)
        return Fixed(tuple(done), now.report, _words(before.words, now.words) if done else "")

    def _checked(self, request: Request, sources: Sequence[SourceFile], check: Callable[[Request], Checked]) -> Checked:
        request.sources = tuple([self.source(source) for source in sources])
        return check(request)

    def _apply(self, findings: Sequence[Diagnostic]) -> bool:
        """Whether the edits fit into the texts."""
        _, by_file = chosen(findings)
        try:
            for name, edits in by_file.items():
                self._texts[name] = edited(self._text(name), edits)
        except (ValueError, OSError):
            return False
        return bool(by_file)

    def _text(self, name: str) -> str:
        """The text of a file by its name in findings. Raises OSError."""
        if name not in self._texts and name not in self._before:
            self.read_included(name)  # for its limits and its project
            self._before[name] = read_bytes(name, kind="include")
        return self._texts[name] if name in self._texts else decode_text(self._before[name])

    @property
    def changed(self) -> list[tuple[str, bytes]]:
        """Names of changed files, `-` for standard input, with what is in them then."""
        return [
            (STDIO if name == self._stdin else name, encode_text(text, self._before[name]))
            for name, text in self._texts.items()
            if text != decode_text(self._before[name])
        ]

    def stdin(self) -> bytes:
        """Standard input as it is by now."""
        before = self._before.get(self._stdin, b"")
        text = self._texts.get(self._stdin)
        return before if text is None else encode_text(text, before)

    def diff(self) -> str:
        """The changes as a unified diff."""
        from difflib import unified_diff

        lines: list[str] = []
        for name, data in self.changed:
            shown = self._stdin if name == STDIO else name
            texts = (decode_text(self._before[shown]), decode_text(data))
            before, after = ([f"{line}\n" for line in text.removesuffix("\n").split("\n")] for text in texts)
            lines += unified_diff(before, after, visible(shown, ""), visible(f"{shown} (fixed)", ""))
        return "".join(lines)


def _key(finding: Diagnostic) -> tuple[str, str, int]:
    return finding.code, finding.message, finding.span.line


def _removed(group: Sequence[Diagnostic], before: Checked, after: Checked) -> bool:
    """Whether edits have done what they are for: their findings are gone, and a program without errors still has none."""
    if not has_errors(before.report.findings) and has_errors(after.report.findings):
        return False
    left = [(finding.code, finding.message) for finding in after.report.findings]
    there = [(finding.code, finding.message) for finding in before.report.findings]
    return all(left.count(pair) < there.count(pair) for pair in {(finding.code, finding.message) for finding in group})


def _words(before: list[int] | None, after: list[int] | None) -> str:
    """The words of a program before and after, in a sentence."""
    if after is None:
        return ""
    if before is None:
        return f"{len(after)} words, without errors now"
    if before == after:
        return f"{len(after)} words, unchanged"
    if len(before) == len(after):
        return f"{len(after)} words, {sum(a != b for a, b in zip(before, after, strict=True))} of them changed"
    return f"{len(before)} words before, {len(after)} after"


def summary(name: str, fixed: Fixed) -> list[str]:
    """Lines on what was done to a program."""
    lines = [f"fixed {finding.span}: {finding.message} [{finding.code}]" for finding in fixed.findings]
    return [*lines, *([f"{name}: {fixed.words}"] if fixed.words else [])]


__all__ = ["Fixed", "Fixer", "summary"]
