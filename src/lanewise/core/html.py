"""HTML of results for notebooks: escaped, without scripts or style sheets of its own, at most `MOST` characters.

Objects show themselves in a notebook by `_repr_html_`, which joins these parts.
"""

from __future__ import annotations

from lanewise.core.markup import escape
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST = 90_000  # characters of one display
ROWS = 20  # of a table of lanes
_LONGEST = 400  # characters of a cell
_TABLE = 'style="text-align: left; font-variant-numeric: tabular-nums"'
_CODE = 'style="white-space: pre; margin: 0; font-size: 90%"'


def text(value: object, most: int = _LONGEST) -> str:
    """Any text, escaped, cut after `most` characters."""
    shown = str(value)
    return escape(shown if len(shown) <= most else f"{shown[: most - 1]}…", quotes=True)


def title(shown: str, more: str = "") -> str:
    """A line of its own: what an object is, and what else is to say of it."""
    return f"<div><b>{text(shown)}</b>{' ' + text(more) if more else ''}</div>"


def code(shown: str, most: int = MOST // 2) -> str:
    """Text whose columns matter."""
    return f"<pre {_CODE}>{text(shown, most)}</pre>"


def table(head: Sequence[str], rows: Iterable[Sequence[object]], *, most: int = MOST // 2) -> str:
    """A table; the rows that do not fit into `most` characters are counted in a last line."""
    parts = [f"<table {_TABLE}><thead><tr>{''.join([f'<th>{text(cell)}</th>' for cell in head])}</tr></thead><tbody>"]
    size, left = len(parts[0]), 0
    for row in rows:
        line = f"<tr>{''.join([f'<td>{text(cell)}</td>' for cell in row])}</tr>"
        if left or size + len(line) > most:
            left += 1
            continue
        size += len(line)
        parts.append(line)
    if left:
        parts.append(f'<tr><td colspan="{len(head)}">… {left} more</td></tr>')
    return "".join([*parts, "</tbody></table>"])


def unfolding(steps: Iterable[tuple[str, str]], most: int = MOST * 3 // 4) -> str:
    """Lines that unfold: (line, lines below it). Those that do not fit are counted at the end."""
    parts: list[str] = []
    size, left = 0, 0
    for line, below in steps:
        part = f"<details><summary><code>{text(line)}</code></summary>{code(below, 4000)}</details>"
        if left or size + len(part) > most:
            left += 1
            continue
        size += len(part)
        parts.append(part)
    return "".join([*parts, f"<div>… {left} more steps</div>" if left else ""])


def tables(sections: Iterable[tuple[str, Sequence[str], Sequence[Sequence[object]]]]) -> str:
    """A table for each (title, head, rows) that has rows."""
    shown = [section for section in sections if section[2]]
    share = MOST * 3 // 4 // max(len(shown), 1)
    return "".join([title(name) + table(head, rows, most=share) for name, head, rows in shown])
