"""Vertices in memory to vectors of lanes and back.

Sixteen vertices of four components are four vectors of four vertices each; transposing every 4 x 4 piece of them gives the four
components, with the vertices in another order: lane `4 * q + j` is vertex `4 * j + q` (for 16 lanes). All inputs are brought
into that order and outputs out of it, so other modules do not depend on it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lanewise.llvm.text import Name, Text

_LINE = 64  # bytes of a line of a cache
NONTEMPORAL = "!0 = !{i32 1}\n"  # what stores that bypass caches refer to
PACKED, ROWS, ONE = "packed", "rows", "one"


class Layout(NamedTuple):
    """Memory layout of an input: rows of `components` float32.

    They are contiguous (`packed`), at a stride (`rows`), or one for all (`one`)."""

    kind: str
    components: int


BLOCK = 16  # lanes that are brought into order together; wider vectors are several blocks, one after the other


def vertex_of_lane(width: int) -> list[int]:
    block = min(width, BLOCK)
    group = block // 4
    return [first + group * (lane % 4) + lane // 4 for first in range(0, width, block) for lane in range(block)]


def lane_of_vertex(width: int) -> list[int]:
    places = vertex_of_lane(width)
    return [places.index(vertex) for vertex in range(width)]


def as_block(text: Text, lanes: Name) -> Name:
    """An i1 for each lane of half a block as those of a block whose second half has none."""
    half = lane_of_vertex(text.width)
    places = [half[vertex] if vertex < text.width else text.width for vertex in vertex_of_lane(BLOCK)]
    return text.shuffle("i1", text.width, lanes, "zeroinitializer", places)


def transposed(text: Text, rows: list[Name]) -> list[Name]:
    """Each 4 x 4 piece of four vectors, transposed: rows to components, or components to rows."""
    width = text.width

    def mixed(element: str, size: int, a: Name, b: Name, high: bool) -> Name:
        # Elements of each 128 bits in turn from the lower or the upper half.
        piece = 4 if element == "float" else 2
        places: list[int] = []
        for start in range(0, size, piece):
            first = start + (piece // 2 if high else 0)
            for step in range(piece // 2):
                places += [first + step, size + first + step]
        return text.shuffle(element, size, a, b, places)

    x, y, z, w = rows
    halves = [
        mixed("float", width, x, y, False),
        mixed("float", width, z, w, False),
        mixed("float", width, x, y, True),
        mixed("float", width, z, w, True),
    ]
    wide = f"<{width // 2} x double>"
    pairs = [text.new(f"bitcast {text.f32} {half} to {wide}") for half in halves]
    quads = [
        mixed("double", width // 2, pairs[0], pairs[1], False),
        mixed("double", width // 2, pairs[0], pairs[1], True),
        mixed("double", width // 2, pairs[2], pairs[3], False),
        mixed("double", width // 2, pairs[2], pairs[3], True),
    ]
    return [text.new(f"bitcast {wide} {one} to {text.f32}") for one in quads]


def load_input(text: Text, layout: Layout, base: Name, stride: Name, start: Name) -> list[Name]:
    """The components that the data has, as vectors of lanes. `start` is the number of the first vertex, `stride` in bytes."""
    if layout.kind == ONE:
        found: list[Name] = []
        for component in range(layout.components):
            at = text.new(f"getelementptr float, ptr {base}, i64 {component}")
            found.append(text.splat("float", text.load("float", at, 4)))
        return found
    if layout.components == 4:
        if layout.kind == PACKED and text.loader:
            return _loaded(text, text.new(f"getelementptr float, ptr {base}, i64 {text.new(f'mul i64 {start}, 4')}"))
        return transposed(text, load_rows(text, layout, base, stride, start))
    if layout.kind == PACKED:
        return _packed(text, layout.components, base, start)
    first = text.new(f"getelementptr i8, ptr {base}, i64 {text.new(f'mul i64 {start}, {stride}')}")
    return _gathered(text, layout.components, first, stride)


def four(text: Text) -> str:
    """The type of four vectors of lanes."""
    return f"{{ {', '.join([text.f32] * 4)} }}"


def _loaded(text: Text, at: Name) -> list[Name]:
    """The components of packed rows of four, by a function."""
    kind = four(text)
    found = text.new(f"call {kind} {text.loader}(ptr {at})")
    return [text.new(f"extractvalue {kind} {found}, {n}") for n in range(4)]


def load_rows(text: Text, layout: Layout, base: Name, stride: Name, start: Name) -> list[Name]:
    """Rows of four components as four vectors, in the order in which `store_rows` takes them."""
    if layout.kind == PACKED:
        at = text.new(f"getelementptr float, ptr {base}, i64 {text.new(f'mul i64 {start}, 4')}")
        _prefetch(text, at, 4)
        return [_row(text, at, n) for n in range(4)]
    first = text.new(f"getelementptr i8, ptr {base}, i64 {text.new(f'mul i64 {start}, {stride}')}")
    rows = _rows_of_four(text, first, stride)
    group = min(text.width, BLOCK) // 4
    # Vertices of the same row of each block are in one vector.
    places = [
        [row for block in range(0, text.width, 4 * group) for row in range(block + n * group, block + (n + 1) * group)]
        for n in range(4)
    ]
    return [_joined(text, [rows[place] for place in mine])[0] for mine in places]


def _prefetch(text: Text, at: Name, components: int) -> None:
    """Ask for the lines that are read later. That never faults; past the end of the data it is for nothing."""
    if not text.ahead:
        return
    for line in range(0, 4 * components * text.width, _LINE):
        place = text.new(f"getelementptr i8, ptr {at}, i64 {text.ahead + line}")
        kind = ("i32 immarg", "0"), ("i32 immarg", "3"), ("i32 immarg", "1")  # to read, into all caches, data
        text.call("void", "llvm.prefetch.p0", ("ptr", place), *kind)


def _packed(text: Text, components: int, base: Name, start: Name) -> list[Name]:
    width = text.width
    at = text.new(f"getelementptr float, ptr {base}, i64 {text.new(f'mul i64 {start}, {components}')}")
    _prefetch(text, at, components)
    parts = [text.load(text.f32, text.new(f"getelementptr float, ptr {at}, i64 {n * width}"), 4) for n in range(components)]
    order = vertex_of_lane(width)
    if components == 1:
        return [text.shuffle("float", width, parts[0], "poison", order)]
    found: list[Name] = []
    for component in range(components):
        places = [components * vertex + component for vertex in order]
        near = text.shuffle("float", width, parts[0], parts[1], [place if place < 2 * width else 0 for place in places])
        if components == 3:
            near = text.shuffle(
                "float",
                width,
                near,
                parts[2],
                [lane if place < 2 * width else place - width for lane, place in enumerate(places)],
            )
        found.append(near)
    return found


def _row(text: Text, at: Name, number: int) -> Name:
    """A fourth of each block of packed rows of four, `number` 0 to 3."""
    block = min(text.width, BLOCK)
    places = [start * 4 + number * block for start in range(0, text.width, block)]
    parts = [text.load(f"<{block} x float>", text.new(f"getelementptr float, ptr {at}, i64 {place}"), 4) for place in places]
    return text.whole("float", parts)


def _rows_of_four(text: Text, first: Name, stride: Name) -> list[Name]:
    rows: list[Name] = []
    at = first
    for vertex in range(text.width):
        rows.append(text.load("<4 x float>", at, 4))
        if vertex + 1 < text.width:
            at = text.new(f"getelementptr i8, ptr {at}, i64 {stride}")
    return rows


def _joined(text: Text, rows: list[Name]) -> list[Name]:
    """Vectors of four components of one vertex each, joined to full ones in the order of the vertices."""
    size = 4
    while size < text.width:
        rows = [text.shuffle("float", size, a, b, range(2 * size)) for a, b in zip(rows[::2], rows[1::2], strict=True)]
        size *= 2
    return rows


def _gathered(text: Text, components: int, first: Name, stride: Name) -> list[Name]:
    width = text.width
    numbers = ", ".join([f"i64 {vertex}" for vertex in vertex_of_lane(width)])
    step = text.splat("i64", stride)
    offsets = text.long_op("mul", step, f"<{numbers}>")
    found: list[Name] = []
    for component in range(components):
        start = text.new(f"getelementptr float, ptr {first}, i64 {component}")
        places = text.new(f"getelementptr i8, ptr {start}, {text.i64} {offsets}")
        found.append(gather(text, places))
    return found


def rows_by_lane(text: Text, base: Name, numbers: Name) -> list[Name]:
    """The four components of a row for each lane: those from number `numbers`, an i32, of the float32 at `base`.

    It takes a load for each lane, where a gather takes one for each lane and component; what has no instruction for gathers, or
    a slow one (12 cycles for 8 lanes on Zen 3), takes a third of the time.
    """
    place = text.variable(text.i32)
    # Volatile, so that it stays in memory: an element of a vector costs more than a load.
    text.add(f"  store volatile {text.i32} {numbers}, ptr {place}")
    rows: list[Name] = []
    for lane in range(text.width):
        number = text.new(f"load volatile i32, ptr {text.new(f'getelementptr i32, ptr {place}, i64 {lane}')}")
        at = text.new(f"getelementptr float, ptr {base}, i64 {text.new(f'zext i32 {number} to i64')}")
        rows.append(text.load("<4 x float>", at, 4))
    return transposed(text, [_joined(text, rows[first::4])[0] for first in range(4)])


def gather(text: Text, places: Name, kind: str = "", mask: Name = "splat (i1 true)") -> Name:
    """The float32 at an address for each lane, or the i32 where `kind` is `text.i32`, 0 in lanes that are not in `mask`."""
    kind = kind or text.f32
    name = f"llvm.masked.gather.v{text.width}{'i' if kind == text.i32 else 'f'}32.v{text.width}p0"
    addresses = f"<{text.width} x ptr>"
    rest = (text.i1, mask), (kind, text.integer(0) if kind == text.i32 else text.number(0.0))
    if aligned_by_operand():
        return text.call(kind, name, (addresses, places), ("i32 immarg", "4"), *rest)
    return text.call(kind, name, (f"{addresses} align 4", places), *rest)


@cache
def aligned_by_operand() -> bool:
    """Whether the alignment of a gather is its second operand, as before LLVM 22; it is an attribute of the addresses since."""
    from llvmlite.binding import llvm_version_info

    return llvm_version_info[0] < 22


def store_output(text: Text, components: list[Name], base: Name, start: Name, bypass: Name = "") -> None:
    """Four components to packed rows of four; `bypass` as for `store_rows`."""
    if text.storer:
        at = text.new(f"getelementptr float, ptr {base}, i64 {text.new(f'mul i64 {start}, 4')}")
        past = text.new(f"zext i1 {bypass} to i64") if bypass else "0"
        given = ", ".join([f"{text.f32} {component}" for component in components])
        text.add(f"  call void {text.storer}(ptr {at}, i64 {past}, {given})")
        return
    store_rows(text, transposed(text, components), base, start, bypass)


def store_rows(text: Text, rows: list[Name], base: Name, start: Name, bypass: Name = "") -> None:
    """Four vectors of rows of four, as `load_rows` gives them, to packed rows.

    Where the i1 `bypass` holds, stores bypass the caches: then the place is a multiple of 64 bytes, and the module has
    `NONTEMPORAL`.
    """
    at = text.new(f"getelementptr float, ptr {base}, i64 {text.new(f'mul i64 {start}, 4')}")
    block = min(text.width, BLOCK)
    parts = [
        (part, text.new(f"getelementptr float, ptr {at}, i64 {(4 * first + number) * block}"))
        for number, row in enumerate(rows)
        for first, part in enumerate(text.parts("float", row, block))
    ]
    kind = f"<{block} x float>"
    if not bypass:
        for part, place in parts:
            text.store(kind, part, place, 4)
        return
    around, through, stored = map(text.fresh_label, ("around", "through", "stored"))
    text.add(f"  br i1 {bypass}, label %{around}, label %{through}")
    for label, hint in ((around, f", align {4 * block}, !nontemporal !0"), (through, ", align 4")):
        text.label(label)
        for part, place in parts:
            text.add(f"  store {kind} {part}, ptr {place}{hint}")
        text.add(f"  br label %{stored}")
    text.label(stored)


def store_bytes(text: Text, values: Name, base: Name, start: Name) -> None:
    """A byte for each lane, in the order of the vertices."""
    kind = f"<{text.width} x i8>"
    turned = text.shuffle("i8", text.width, values, "poison", lane_of_vertex(text.width))
    text.store(kind, turned, text.new(f"getelementptr i8, ptr {base}, i64 {start}"), 1)
