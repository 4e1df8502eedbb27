"""Pages as values: headings, paragraphs, tables, fixed text. One page prints on a terminal and as Markdown."""

from __future__ import annotations

from lanewise.core.diagnostics import visible
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

WIDTH = 100  # of lines on a terminal
_NAME_WIDTH = 14  # the longest name of a point on the same line as its text
_NARROWEST = 40  # a last column is never wrapped to less than this
_BOLD, _RESET = "\x1b[1m", "\x1b[0m"


class Heading(Record):
    """A title; `level` 1 is the page's own."""

    level: int
    text: str


class Paragraph(Record):
    """Running text. Words in backquotes are code."""

    text: str


class Fixed(Record):
    """Lines whose columns matter: diagrams, source text."""

    lines: tuple[str, ...]


class Table(Record):
    """Rows under a head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Items(Record):
    """A list of points, each a name and a text; the name may be empty."""

    points: tuple[tuple[str, str], ...]


Block = Heading | Paragraph | Fixed | Table | Items


def deeper(blocks: Iterable[Block]) -> list[Block]:
    """The blocks with each heading one level further down."""
    return [Heading(block.level + 1, block.text) if isinstance(block, Heading) else block for block in blocks]


def as_text(blocks: Iterable[Block], *, colour: bool = False) -> str:
    """The page for a terminal."""
    parts: list[str] = []
    for block in map(_visible, blocks):
        match block:
            case Heading(level, text):
                parts.append(f"{_BOLD}{text}{_RESET}" if colour else text if level > 1 else f"{text}\n{'=' * len(text)}")
            case Paragraph(text):
                parts.append("\n".join(f"  {line}" for line in wrap(_bare(text), WIDTH - 2)))
            case Fixed(lines):
                parts.append("\n".join(f"  {line}".rstrip() for line in lines))
            case Table(head, rows):
                parts.append("\n".join(f"  {line}" for line in columns((head, *rows), WIDTH - 2)))
            case Items(points):
                parts.append(_points(points))
    return "\n\n".join(parts) + "\n"


def _visible(block: Block) -> Block:
    match block:
        case Heading(level, text):
            return Heading(level, visible(text, ""))
        case Paragraph(text):
            return Paragraph(visible(text))
        case Fixed(lines):
            return Fixed(tuple([visible(line) for line in lines]))
        case Table(head, rows):
            return Table(head, tuple([tuple([visible(cell) for cell in row]) for row in rows]))
        case Items(points):
            return Items(tuple([(visible(name), visible(text)) for name, text in points]))


def _bare(text: str) -> str:
    return text.replace("`", "")


def _points(points: Sequence[tuple[str, str]]) -> str:
    """Names in a column; names that are too long for it are above their text."""
    width = max((len(name) for name, _ in points), default=0)
    if width <= _NAME_WIDTH:
        return "\n".join(f"  {line}" for line in columns(points, WIDTH - 2))
    texts = [[name, *(f"    {line}" for line in wrap(_bare(text), WIDTH - 6))] for name, text in points]
    return "\n".join(f"  {line}" for lines in texts for line in lines)


def wrap(text: str, width: int) -> list[str]:
    """The lines of a text. textwrap is slow to import, and words with single spaces need none of it."""
    words = text.split()
    if text.isprintable() and text == " ".join(words) and all(len(word) <= width for word in words):
        lines: list[str] = []
        for word in words:
            if lines and len(lines[-1]) + 1 + len(word) <= width:
                lines[-1] += f" {word}"
            else:
                lines.append(word)
        return lines
    import textwrap

    return textwrap.wrap(text, width, break_on_hyphens=False)  # names of files and options stay whole


def columns(rows: Sequence[Sequence[str]], width: int = 0, gap: int = 2) -> list[str]:
    """Rows as lines with aligned columns. The last column is wrapped so that lines keep to `width`, where that is possible."""
    count = max(map(len, rows), default=0)
    widths = [max(len(_bare(row[i])) for row in rows if i < len(row)) + gap for i in range(count - 1)]
    lead = sum(widths)
    lines: list[str] = []
    for row in rows:
        cells = [_bare(cell) for cell in row] + [""] * (count - len(row))
        last = wrap(cells[-1], max(width - lead, _NARROWEST)) if width else [cells[-1]]
        before = "".join(cell.ljust(size) for cell, size in zip(cells, widths, strict=False))
        lines.append((before + "".join(last[:1])).rstrip())
        lines += [" " * lead + line for line in last[1:]]
    return lines


def as_message(text: str) -> str:
    """A text for a message of an editor: VS Code makes a link of `[text](command:...)` there, and names of files and programs
    can have that form."""
    return visible(text).replace("](", "] (")


def as_markdown(blocks: Iterable[Block], *, links: bool = False) -> str:
    """The page as Markdown that shows the texts as they are: their characters are not taken for Markdown or HTML, however they
    came into a source.

    With `links`, `[text](address)` is a link: for pages whose texts are written here.
    """
    parts: list[str] = []
    for block in blocks:
        match block:
            case Heading(level, text):
                parts.append(f"{'#' * level} {_inline(text, links)}")
            case Paragraph(text):
                parts.append(_line(text, links))
            case Fixed(lines):
                parts.append(_fenced("\n".join([visible(line).rstrip() for line in lines])))
            case Table(head, rows):
                cells = [[_cell(cell, links) for cell in row] for row in (head, *rows)]
                parts.append("\n".join([_row(cells[0]), _row(["---"] * len(head)), *map(_row, cells[1:])]))
            case Items(points):
                parts.append(
                    "\n".join(
                        [
                            f"- **{_inline(name, links)}**: {_inline(text, links)}" if name else f"- {_line(text, links)}"
                            for name, text in points
                        ]
                    )
                )
    return "\n\n".join(parts) + "\n"


_MARKS = "\\*<~`"  # what Markdown takes for its own anywhere outside of code
_ENDS = ".)"  # after a number: a list


def _fenced(text: str) -> str:
    """A block of code whose fence does not end inside it."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}text\n{text}\n{fence}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(text: str, links: bool) -> str:
    # a backslash before the bar would be the one that escapes it, and code has no other way to have a bar
    return _inline(text.replace("`", "") if "\\|" in text else text, links).replace("|", "\\|")


def _line(text: str, links: bool) -> str:
    """A text at the start of a line, where it could be a heading, a list, a quotation, a rule."""
    line = _inline(text, links)
    digits = len(line) - len(line.lstrip("0123456789"))
    if line[:1] in ("#", "-", "+", ">", "=", "|", ":"):
        return f"\\{line}"
    return f"{line[:digits]}\\{line[digits:]}" if digits and line[digits : digits + 1] in (*_ENDS,) else line


def _inline(text: str, links: bool) -> str:
    """A text on one line; words in backquotes are code, and a backquote without another one is a character."""
    parts = visible(text.replace("\n", " "), keep="\t").split("`")
    if len(parts) % 2 == 0:
        last = parts.pop()
        parts[-1] += f"`{last}"
    shown = _escape(parts[0], links)
    code = ""
    for n in range(1, len(parts), 2):
        code += parts[n]
        if parts[n + 1] or n + 2 == len(parts):  # spans without a character between them are one
            shown += (f"`{code}`" if code.strip() else code) + _escape(parts[n + 1], links)
            code = ""
    return shown.strip()


def _escape(text: str, links: bool) -> str:
    for mark in _MARKS:
        text = text.replace(mark, f"\\{mark}")
    if not links:  # an address would be a link too, and take with it the backslashes and backquotes up to the next space
        text = text.replace("[", "\\[").replace("://", "\\://")
        text = _kept(".", text, lambda before, _: before[-3:].lower() != "www")
    text = _kept(
        "_", text, lambda before, after: before[-1:].isalnum() and after[:1].isalnum()
    )  # inside of a word it is no emphasis
    return _kept("&", text, lambda _, after: not (after[:1].isalnum() or after[:1] == "#"))  # otherwise the name of a character


def _kept(mark: str, text: str, plain: Callable[[str, str], bool]) -> str:
    """The text with a backslash before each mark but those between texts where it is plain."""
    first, *rest = text.split(mark)
    for piece in rest:
        first += (mark if plain(first, piece) else f"\\{mark}") + piece
    return first
