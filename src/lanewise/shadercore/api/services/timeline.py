"""SVG timeline of a ShaderCore program.

A row for each instruction, with its four quads over the cycles and its stalls."""

from __future__ import annotations

from lanewise.core.markup import FONT, both_schemes, escape, svg_head
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.text.counting import counted
from lanewise.shadercore.api.services.waits import why
from lanewise.shadercore.isa.table import QUADS
from lanewise.shadercore.text.printer import line_of_inst

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.shadercore.isa.timing import Issue, Timing

# Sizes in pixels. A picture is cut into bands of so many cycles, each with the rows that issue in it, so that a long program
# stays as wide as a screen.
_CYCLE, _BAR, _ROW, _GAP = 7, 5, 28, 46
_LABEL, _NUMBER, _MARGIN = 300, 36, 16
_LONGEST = 130  # cycles of a band
_LETTER, _SMALL_LETTER = 7.2, 6.0

_INK, _FAINT, _GROUND, _STRIPE, _GRID = "#1c2733", "#66727f", "#ffffff", "#f5f7f9", "#dfe4e9"
_COLOURS = {
    "CMP": "#4477aa",
    "ADD": "#228833",
    "MUL": "#c08a1e",
    "SPEC": "#aa3377",
    "CNV": "#2b9ec4",
    "SHFT": "#7a5c3e",
    "BIT": "#e0705a",
    "NONE": "#9aa5b1",
}
_OTHER_PIPE = "#667711"
_STALLS = {"o": "#f2c14e", "i": "#e4572e"}
_STALL_NAMES = {"o": "waits for the write port", "i": "waits for a source"}
_STYLE = f"""
text {{ font: {FONT}; fill: {_INK}; white-space: pre; }}
.faint {{ fill: {_FAINT}; }}
.small {{ font-size: 10px; }}
""".strip()

_DARK = {
    _INK: "#e6e9ef",
    _FAINT: "#98a2b3",
    _GROUND: "#14181f",
    _STRIPE: "#1b212b",
    _GRID: "#333c4a",
    "#4477aa": "#6d9fd2",
    "#228833": "#4cb85e",
    "#aa3377": "#d667a5",
    "#7a5c3e": "#b8926c",
}
"""The colour of a dark scheme for each that is too dark or too light in it."""


class _Band(Record):
    """Rows that are drawn over one stretch of cycles, from `first` up to `last`."""

    issues: tuple[Issue, ...]
    first: int
    last: int


def as_svg(timing: Timing, title: str) -> str:
    """The picture, with a background. Rows of bars are quads 0 to 3 of an instruction, from above."""
    bands = list(_bands(timing))
    widest = max((band.last - band.first for band in bands), default=0)
    width = max(
        _MARGIN * 2 + _NUMBER + _LABEL + max(widest, 40) * _CYCLE, _MARGIN * 2 + int(len(title) * _LETTER), _legend_width()
    )
    body: list[str] = []
    y = 84
    for band in bands:
        body += _band(timing, band, y)
        y += 22 + _ROW * len(band.issues) + _GAP
    foot = _foot(timing)
    height = y - _GAP + 24 + 20 * len(foot)
    for n, line in enumerate(foot):
        body.append(_text(_MARGIN, y - _GAP + 24 + 20 * n, line))
    lines = [
        *svg_head(str(width), str(height), title, _about(timing, foot)),
        both_schemes(_STYLE, _DARK),
        f'<rect width="100%" height="100%" fill="{_GROUND}"/>',
        _text(_MARGIN, 26, title, bold=True),
        *_legend(timing),
        *body,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _bands(timing: Timing) -> Iterator[_Band]:
    """Rows in order; a band ends before the row that would make it too long."""
    rows: list[Issue] = []
    first = 0
    for issue in timing.issues:
        if rows and _end(timing, issue) - first > _LONGEST:
            yield _Band(tuple(rows), first, max(_end(timing, row) for row in rows))
            rows = []
        if not rows:
            first = issue.ready
        rows.append(issue)
    if rows:
        yield _Band(tuple(rows), first, max(_end(timing, row) for row in rows))


def _end(timing: Timing, issue: Issue) -> int:
    """The cycle after the last one in which something of an instruction is drawn."""
    last = timing.starts(issue)[-1] + issue.latency
    if timing.insts[issue.number].op.name == "end" and timing.total_cycles is not None:
        last = max(last, timing.total_cycles)
    return last + 1


def _band(timing: Timing, band: _Band, y: int) -> Iterator[str]:
    left = _MARGIN + _NUMBER + _LABEL
    bottom = y + 22 + _ROW * len(band.issues)
    for n, _ in enumerate(band.issues):
        if n % 2 == 0:
            yield _rect(_MARGIN, y + 22 + n * _ROW, _NUMBER + _LABEL + (band.last - band.first) * _CYCLE, _ROW, _STRIPE)
    for cycle in range(-(-band.first // 4) * 4, band.last + 1, 4):
        x = left + (cycle - band.first) * _CYCLE
        yield f'<path d="M{x} {y + 16} V{bottom}" stroke="{_GRID}" stroke-width="{1 if cycle % 20 else 1.6}"/>'
        if cycle % 20 == 0:
            yield _text(x - len(str(cycle)) * 3, y + 12, str(cycle), "faint small")
    for n, issue in enumerate(band.issues):
        yield from _row(timing, issue, left - band.first * _CYCLE, y + 22 + n * _ROW)


def _colour(pipe: str) -> str:
    """The colour of a pipe; those that a device adds share one."""
    return _COLOURS.get(pipe, _OTHER_PIPE)


def _row(timing: Timing, issue: Issue, origin: int, y: int) -> Iterator[str]:
    """An instruction: number, text, where it waited, a mark where it issues, its quads."""
    inst = timing.insts[issue.number]
    colour = _colour(timing.device.pipe(inst.op))
    top = y + (_ROW - QUADS * (_BAR + 1)) // 2
    tall = QUADS * (_BAR + 1) - 1
    waits = f"; waits {why(issue, timing)}" if issue.stalls else ""
    label = line_of_inst(inst)
    yield f"<g><title>{escape(f'{issue.number}: {label}, issues at {issue.cycle}{waits}')}</title>"
    yield _text(_MARGIN + 4, y + 18, str(issue.number), "faint")
    yield _text(_MARGIN + _NUMBER, y + 18, _cut(label, int((_LABEL - 52) / _LETTER)))
    cycle = str(issue.cycle)
    yield _text(_MARGIN + _NUMBER + _LABEL - 12 - int(len(cycle) * _LETTER), y + 18, cycle, "faint")
    for at, letter in enumerate(issue.waited, issue.ready):
        yield _rect(origin + at * _CYCLE, top, _CYCLE, tall, _STALLS[letter])
    starts = timing.starts(issue)
    if starts[0] > issue.cycle:
        yield (
            f'<path d="M{origin + issue.cycle * _CYCLE} {y + _ROW // 2} H{origin + starts[0] * _CYCLE}" stroke="{_FAINT}" '
            'stroke-width="1" stroke-dasharray="2 2"/>'
        )
    x = origin + issue.cycle * _CYCLE
    yield f'<path d="M{x} {top - 2} V{top + tall + 2}" stroke="{_INK}" stroke-width="1.6"/>'
    for quad, start in enumerate(starts):
        yield _rect(
            origin + start * _CYCLE,
            top + quad * (_BAR + 1),
            issue.latency * _CYCLE,
            _BAR,
            colour,
            0.45 if timing.target(issue) is None else 1,
        )
    if inst.op.name == "end" and timing.run_cycles is not None and timing.drain_cycles:
        yield _rect(origin + timing.run_cycles * _CYCLE, top + tall // 2 - 1, timing.drain_cycles * _CYCLE, 3, _INK)
    yield "</g>"


def _legend(timing: Timing) -> Iterator[str]:
    used = [pipe for pipe in timing.device.pipes if timing.occupancy(pipe)]
    items = [(_colour(pipe), pipe) for pipe in used] + [
        (_STALLS[letter], name)
        for letter, name in _STALL_NAMES.items()
        if any(letter in issue.waited for issue in timing.issues)
    ]
    x = _MARGIN
    for colour, text in items:
        yield _rect(x, 42, 12, 12, colour)
        yield _text(x + 17, 52, text, "small")
        x += 17 + int(len(text) * _SMALL_LETTER) + 16
    yield _text(
        _MARGIN,
        72,
        "upright mark: issues; four bars: quads 0 to 3, from start to result, pale where nothing is written",
        "faint small",
    )


def _legend_width() -> int:
    return _MARGIN * 2 + 760


def _foot(timing: Timing) -> list[str]:
    if timing.hangs is not None:
        return [f"instruction {timing.hangs} never issues: it reads x7.x"]
    if timing.total_cycles is None:
        return ["the program has no end"]
    return [
        f"{timing.total_cycles} cycles: {timing.run_cycles} until end has issued, {timing.drain_cycles} to write what is "
        f"left (thick line); {timing.output_stalls + timing.input_stalls} of them waited"
    ]


def _about(timing: Timing, foot: list[str]) -> str:
    waiting = sum(bool(issue.waited) for issue in timing.issues)
    return f"{counted(len(timing.issues), 'instruction')}, {waiting} of which waited; {'; '.join(foot)}."


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _rect(x: float, y: float, width: float, height: float, colour: str, opacity: float = 1) -> str:
    pale = f' fill-opacity="{opacity}"' if opacity != 1 else ""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{colour}"{pale}/>'


def _text(x: float, y: float, text: str, looks: str = "", *, bold: bool = False) -> str:
    kind = (f' class="{looks}"' if looks else "") + (' style="font-weight: bold"' if bold else "")
    width = len(text) * (_SMALL_LETTER if "small" in looks else _LETTER)
    return f'<text{kind} x="{x}" y="{y}" textLength="{width:.0f}" lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
