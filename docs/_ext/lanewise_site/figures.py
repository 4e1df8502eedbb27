"""The drawings of docs/drawings, as SVG: `python -m lanewise_site.figures` writes them.

They have classes in place of colours. The style in a file is for pages that show it as a picture; the site puts the drawing
into the page, with the colours of its theme.
"""

from __future__ import annotations

import html
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(__file__).resolve().parents[2] / "drawings"
_WIDTH = 760
_STYLE = """<style>
svg { color-scheme: light dark; background: light-dark(#fff, #14181f); }
text { fill: light-dark(#1d2330, #e6e9ef); font: 13px sans-serif; }
.small { font-size: 11px; } .mono { font-family: monospace; } .mid { text-anchor: middle; }
.ink { stroke: light-dark(#1d2330, #e6e9ef); fill: none; }
.fill { fill: light-dark(#f2f4f7, #222937); stroke: light-dark(#8a93a3, #6d7787); }
.hot { fill: none; stroke: #c4562f; } .hotfill { fill: #c4562f; fill-opacity: .22; stroke: #c4562f; }
.cool { fill: #2e7db3; fill-opacity: .22; stroke: #2e7db3; } .green { fill: #2f8f5b; fill-opacity: .22; stroke: #2f8f5b; }
</style>"""


class Figure(NamedTuple):
    """A drawing: its file, its height, what it says to those who do not see it, and the function that draws it."""

    name: str
    height: int
    about: str
    draw: Callable[[Drawing], None]


class Drawing:
    """Shapes of a drawing."""

    def __init__(self, width: int, height: int, about: str) -> None:
        self.head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
            f'aria-label="{html.escape(about)}">'
        )
        self.parts: list[str] = []

    def box(self, x: float, y: float, width: float, height: float, text: str = "", kind: str = "fill", small: str = "") -> None:
        self.parts.append(f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="3"/>')
        if text:
            self.text(x + width / 2, y + height / 2 + (-2 if small else 5), text)
        if small:
            self.text(x + width / 2, y + height / 2 + 13, small, "small")

    def text(self, x: float, y: float, text: str, kind: str = "", middle: bool = True) -> None:
        anchor = ' text-anchor="middle"' if middle else ""
        self.parts.append(f'<text class="{kind}" x="{x:g}" y="{y:g}"{anchor}>{html.escape(text)}</text>')

    def line(self, *points: tuple[float, float], kind: str = "ink", arrow: bool = False) -> None:
        path = "M" + " L".join([f"{x:g} {y:g}" for x, y in points])
        self.parts.append(f'<path class="{kind}" d="{path}"/>')
        if arrow:
            (x0, y0), (x1, y1) = points[-2:]
            length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 or 1
            dx, dy = (x1 - x0) / length * 7, (y1 - y0) / length * 7
            self.parts.append(
                f'<path class="{kind}" d="M{x1 - dx - dy / 2:g} {y1 - dy + dx / 2:g} L{x1:g} {y1:g} L{x1 - dx + dy / 2:g} '
                f'{y1 - dy - dx / 2:g}"/>'
            )

    def __str__(self) -> str:
        return "\n".join([self.head, _STYLE, *self.parts, "</svg>\n"])


def float24(d: Drawing) -> None:
    """Fields of the format, beside float32, and rounding toward zero on a line of numbers."""
    for y, name, fields in (
        (16, "float24", (("sign", 1, "hotfill"), ("exponent, bias 63", 7, "cool"), ("fraction", 16, "green"))),
        (66, "float32", (("sign", 1, "hotfill"), ("exponent, bias 127", 8, "cool"), ("fraction", 23, "green"))),
    ):
        d.text(8, y + 22, name, middle=False)
        x = 76.0
        for title, bits, kind in fields:
            d.box(x, y, bits * 20, 32, "" if bits == 1 else f"{title}: {bits}", kind)
            x += bits * 20
    d.text(86, 114, "sign", "small")
    d.text(8, 150, "The numbers between 1 and 1 + 4/65536, and two results between them:", middle=False)
    d.line((60, 200), (720, 200))
    for n in range(5):
        x = 80 + n * 150
        d.line((x, 192), (x, 208))
        d.text(x, 226, "1" if n == 0 else f"1 + {n}/65536", "small")
    for x, goal in ((80 + 150 * 1.85, 230), (80 + 150 * 2.5, 380)):
        d.line((x, 172), (x, 200), kind="hot")
        d.line((x, 176), (goal + 4, 196), kind="hot", arrow=True)
    d.text(466, 182, "cut toward zero, however near the next number is", "small", middle=False)
    d.text(380, 252, "the distance of neighbours doubles at each power of two", "small")


def rings(d: Drawing) -> None:
    """The three rings and what is compared with them after each instruction."""
    d.box(16, 110, 130, 60, "next address", "cool", "PC + 1 of every word")
    for y, name, depth, entry, goal in (
        (20, "LOOP", 4, "end, start, register", "again, or on"),
        (120, "IF", 8, "end, jump", "over the else part"),
        (220, "CALL", 4, "end, back", "back to the caller"),
    ):
        d.text(236, y + 38, name)
        for n in range(depth):
            d.box(270 + n * 42, y + 14, 38, 38, "" if n else "top", "hotfill" if n == 0 else "fill")
        d.text(270 + depth * 21, y + 70, f"{depth} entries: {entry}", "small")
        d.line((146, 140), (206, y + 33), arrow=True)
        d.text(698, y + 38, goal)
        d.line((276 + depth * 42, y + 33), (636, y + 33), arrow=True)
    d.text(200, 318, "LOOP's address takes precedence over IF's, IF's over CALL's", "small")


def four_calls(d: Drawing) -> None:
    """Returns at one address: the fourth does not change where it goes."""
    d.text(20, 24, "A fifth call overwrites the oldest entry", middle=False)
    for n, name in enumerate(("main → a", "a → b", "b → c", "c → d", "d → e")):
        d.box(20 + n * 100, 36, 92, 36, name, "hotfill" if n == 0 else "fill")
    d.line((20, 36), (112, 72), kind="hot")
    d.line((112, 36), (20, 72), kind="hot")
    d.text(566, 59, "4 entries are kept", middle=False)
    d.text(20, 122, "Four procedures that end at the same word return at once", middle=False)
    for n, (name, kind) in enumerate((("1st", "green"), ("2nd", "green"), ("3rd", "green"), ("4th", "hotfill"))):
        d.box(20 + n * 130, 136, 118, 44, f"{name} return", kind, "address lost" if n == 3 else "address = its back")
        if n:
            d.line((8 + n * 130, 158), (20 + n * 130, 158), arrow=True)
    d.text(20, 206, "All four entries are popped, but the program goes on at the address of the third.", "small", middle=False)


def banks(d: Drawing) -> None:
    """Two banks of outputs, three slots of vertices."""
    d.box(16, 30, 120, 60, "shader", "cool", "mov o0, r1")
    d.box(200, 20, 130, 34, "bank A: o0 to o6", "green")
    d.box(200, 66, 130, 34, "bank B: o0 to o6", "fill")
    d.line((136, 56), (200, 37), arrow=True)
    d.text(265, 122, "each emit changes the bank", "small")
    for n in range(3):
        d.box(420, 16 + n * 40, 110, 32, f"slot {n}", "fill")
    d.line((330, 37), (420, 32), arrow=True)
    d.text(375, 22, "emit", "small")
    d.text(475, 152, "setemit chooses the slot", "small")
    d.box(620, 46, 120, 52, "primitive", "hotfill", "slots 0, 1, 2")
    d.line((530, 72), (620, 72), arrow=True)
    d.text(575, 62, "prim", "small")
    d.text(
        16,
        190,
        "An output that is not written again before the next emit has what was left in that bank: two emits ago.",
        middle=False,
    )
    d.text(
        16,
        212,
        "Slots keep their vertices, so a strip goes on by writing one slot and sending the primitive again.",
        middle=False,
    )


_QUADS = 4
# Instructions of docs/tutorials/hardware.md on the device of the specification: text, issue, latency, stall in cycles. A test
# compares them with the timing model.
WAVES = (("mul r0.x, v0.x, v0.y", 0, 5, 0), ("rcp r1.x, r0.x", 5, 14, 1), ("mov o0.x, r1.x", 19, 1, 10), ("end", 23, 1, 0))


def waves(d: Drawing) -> None:
    """When the quads of a wave issue, and what an instruction waits for."""
    step = 21
    for cycle in range(0, 25, 2):
        d.text(190 + cycle * step + step / 2, 24, str(cycle), "small")
    for n, (text, issue, latency, stall) in enumerate(WAVES):
        y = 34 + n * 46
        d.text(8, y + 22, text, "mono small", middle=False)
        if stall:
            d.box(190 + (issue - stall) * step, y + 6, stall * step, 22, "waits" if stall > 2 else "", "hotfill")
        for quad in range(_QUADS):
            if issue + quad < 27:
                d.box(190 + (issue + quad) * step, y + 6, step - 1, 22, str(quad), "cool")
        if latency > _QUADS:
            d.line((190 + issue * step, y + 34), (190 + (issue + latency) * step, y + 34), arrow=True)
            d.text(190 + (issue + latency / 2) * step, y + 45, f"quad 0's result after {latency} cycles", "small")
    d.text(8, 56 + 46 * len(WAVES), "cycles; boxes are the quads 0 to 3 of a wave", "small", middle=False)


def engine(d: Drawing) -> None:
    """Quick kernel, check, exact kernel."""
    d.box(16, 60, 130, 56, "16 vertices", "cool", "of any number")
    d.box(210, 60, 150, 56, "speculative kernel", "green", "float32, cut by the CPU")
    d.box(424, 60, 120, 56, "check", "fill", "all ordinary?")
    d.box(620, 20, 124, 50, "outputs", "cool")
    d.box(620, 130, 124, 56, "exact kernel", "hotfill", "by the definition")
    for a, b in (
        ((146, 88), (210, 88)),
        ((360, 88), (424, 88)),
        ((544, 80), (620, 48)),
        ((544, 98), (620, 150)),
        ((682, 130), (682, 70)),
    ):
        d.line(a, b, arrow=True)
    d.text(580, 52, "yes", "small")
    d.text(572, 140, "no", "small")
    d.text(285, 140, "bounds of values are computed before:", "small")
    d.text(285, 156, "only what could leave the range is checked", "small")


def proofs(d: Drawing) -> None:
    """Two programs on terms."""
    for x, name, rows in (
        (16, "old.v.pica", ("mov r0, normal", "dp3 r1, light, r0", "mov clr, r1")),
        (560, "new.v.pica", ("dp3 clr, light, normal",)),
    ):
        d.text(x + 90, 24, name)
        for n, row in enumerate(rows):
            d.box(x, 36 + n * 38, 184, 30, "", "fill")
            d.text(x + 92, 56 + n * 38, row, "mono small")
    d.box(320, 60, 120, 40, "dp3", "green")
    d.box(260, 150, 100, 36, "light", "cool")
    d.box(400, 150, 100, 36, "normal", "cool")
    d.line((360, 100), (320, 150), arrow=True)
    d.line((400, 100), (440, 150), arrow=True)
    d.line((200, 130), (316, 84), arrow=True)
    d.line((560, 52), (444, 78), arrow=True)
    d.text(380, 216, "both outputs are the same term: equal for all inputs, under every rounding", "small")


# By the first package of a layer: what its packages give, and the kind of its boxes.
_LAYERS = {
    "tools": ("commands", "fill"),
    "lsp": ("the language server, the debug adapter", "fill"),
    "debugger": ("sessions that go both ways", "fill"),
    "distributed": ("campaigns on workers", "fill"),
    "api": ("load, assemble, convert", "fill"),
    "highlighting": ("Pygments lexers", "fill"),
    "packages": ("names all packages", "fill"),
    "compile": ("front ends, targets; others' packages", "fill"),
    "direct3d9": ("an instruction set", "cool"),
    "pica200": ("an instruction set each", "cool"),
    "drawing": ("pictures of triangles", "green"),
    "proving": ("for any instruction set", "hotfill"),
    "rules": ("rewrite rules as rows", "hotfill"),
    "graph": ("flow graphs, kernels, data", "green"),
    "core": ("the standard library only", "fill"),
    "importing": ("finds modules of commands", "fill"),
}
_ROW, _GAP, _BOXES = 34, 8, 430


def layers() -> list[list[str]]:
    """The packages from the top layer down, as import-linter holds them."""
    project = tomllib.loads((FOLDER.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    contract = project["tool"]["importlinter"]["contracts"][0]
    return [[name.strip("() ") for name in row.split("|")] for row in contract["layers"]]


def house(d: Drawing) -> None:
    """The packages in layers, from `pyproject.toml`."""
    rows = layers()
    for n, names in enumerate(rows):
        y = 12 + n * (_ROW + _GAP)
        note, kind = _LAYERS[names[0]]
        width = (_BOXES + _GAP) / len(names) - _GAP
        for k, name in enumerate(names):
            d.box(16 + k * (width + _GAP), y, width, _ROW, name, kind)
        d.text(32 + _BOXES, y + 21, note, "small", middle=False)
    bottom = 12 + len(rows) * (_ROW + _GAP)
    d.line((_WIDTH - 14, 16), (_WIDTH - 14, bottom - _GAP), arrow=True)
    d.text(_WIDTH / 2, bottom + 12, "imports go down: a package imports from the rows below its own", "small")


def evidence(d: Drawing) -> None:
    """The three classes."""
    rows = (
        ("measured", "a program on the hardware, or its design in a simulator, has shown it", "green"),
        ("inferred", "it follows from other evidence: documents, two independent emulators, a study without its tests", "cool"),
        ("unknown", "an answer was chosen; a field of the profile has the others", "hotfill"),
    )
    for n, (name, about, kind) in enumerate(rows):
        d.box(16, 14 + n * 58, 120, 42, name, kind)
        d.text(152, 40 + n * 58, about, middle=False)
        if n:
            d.line((76, 14 + n * 58), (76, -2 + n * 58), arrow=True)
    d.text(640, 182, "an experiment moves a question up", "small")


FIGURES = (
    Figure("float24", 262, "float24 has a sign, 7 bits of exponent and 16 of fraction; results are cut toward zero", float24),
    Figure(
        "rings",
        326,
        "Rings of the PICA200: CALL has 4 entries, IF 8, LOOP 4; after each instruction the next address is compared with "
        "the top of each",
        rings,
    ),
    Figure(
        "four-calls",
        230,
        "Five calls that end at the same word: the ring has lost the oldest, and the fourth return at one address does not "
        "change the address",
        four_calls,
    ),
    Figure(
        "banks",
        250,
        "A geometry shader writes outputs of one bank; emit copies them to a slot and changes the bank; a primitive is slots "
        "0, 1 and 2",
        banks,
    ),
    Figure(
        "waves",
        244,
        "A wave has four quads of four lanes, one issues in each cycle; an instruction waits for its sources",
        waves,
    ),
    Figure(
        "engine",
        210,
        "Sixteen vertices run on float32 with truncation; a check finds those whose numbers are not ordinary, and only these "
        "run again on exact arithmetic",
        engine,
    ),
    Figure(
        "proofs",
        240,
        "diff executes both programs on terms; equal terms are one term, so equal outputs are the same node",
        proofs,
    ),
    Figure(
        "evidence",
        190,
        "measured: hardware has shown it; inferred: it follows from other evidence; unknown: an answer was chosen",
        evidence,
    ),
    Figure(
        "house",
        12 + len(layers()) * (_ROW + _GAP) + 26,
        "The packages of lanewise in layers, from the commands at the top to the core at the bottom; imports go down",
        house,
    ),
)


def drawings() -> dict[str, str]:
    """Every drawing by its file name."""
    found: dict[str, str] = {}
    for figure in FIGURES:
        drawing = Drawing(_WIDTH, figure.height, figure.about)
        figure.draw(drawing)
        found[f"{figure.name}.svg"] = str(drawing)
    return found


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file, text in drawings().items():
        (FOLDER / file).write_text(text, encoding="utf-8", newline="\n")
