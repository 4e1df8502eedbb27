"""Contents of a core's memories as files for tools: the words of a program, the constants, in `forms.TARGETS`.

A core has 512 words of 64 bits for the program and 1024 of 32 bits for constants, c0.x first (reference 3 and 4). A row of a
memory has half a machine word, low half first, or 1, 2 or 4 of them, the first in its low bits. `images` reads the texts.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.shadercore.isa.codec import Inst, encode
from lanewise.shadercore.isa.table import FILES, NOP, SLOTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lanewise.shadercore.isa.program import Program

WIDTHS = (32, 64, 128, 256)
MOST_BITS = 1 << 20  # of a memory: 16384 machine words, half a megabyte as text
WORD = 64  # bits of a machine word
_USUAL_WIDTH = {"vhdl": 256}  # bits of a row (reference 1: four words); elsewhere a machine word
_WIDEST_IN_C = 64
_COMPONENTS = 4


class Shape(Record):
    """The rows of a memory that a program is written for."""

    width: int = 0
    "Bits of a row, one of `WIDTHS`; 0: as usual in the form."
    depth: int = 0
    "Rows of the memory, all of them in the file; 0: those of the program only, in a MIF the slots of a core."
    fill: int | None = None
    "The machine word after the program; None: NOP."


class Memory(Record):
    """The contents of a memory."""

    rows: tuple[int, ...]
    "The rows from address 0 on that have something, the first machine word of each in its low bits."
    width: int
    "Bits of a row."
    part: int
    "Bits of a machine word or of a constant."
    depth: int
    "Rows of the whole memory."
    fill: tuple[int, ...]
    "The rows that repeat at all other addresses."
    whole: bool
    "Each form has all rows; otherwise only a MIF."


def usual_width(target: str) -> int:
    """The bits of a row in a form."""
    return _USUAL_WIDTH.get(target, WORD)


def program_memory(program: Program, target: str = "", shape: Shape | None = None) -> Memory:
    """The words of a program in rows for a form. Raises ValueError for a shape that it does not fit."""
    shape = shape or Shape()
    width = shape.width or usual_width(target)
    if width not in WIDTHS:
        meant = f"{8 * width}" if 8 * width in WIDTHS and width > 1 else f"{', '.join(map(str, WIDTHS[:-1]))} or {WIDTHS[-1]}"
        raise ValueError(f"width {width}: use {meant}: a row is counted in bits, a machine word has {WORD}")
    if target == "c" and width > _WIDEST_IN_C:
        raise ValueError(f"width {width}: C has no integer of {width} bits, use 32 or 64")
    filler = encode(Inst(op=NOP)) if shape.fill is None else shape.fill
    if not 0 <= filler < 1 << WORD:
        raise ValueError(f"fill {filler:#x}: a machine word has {WORD} bits")
    rows = _rows(program.words, width, filler)
    fill = _rows([filler] * max(1, width // WORD), width, filler)
    depth = shape.depth or max(SLOTS * WORD // width, len(rows))
    if depth < len(rows):
        raise ValueError(f"depth {depth}: the program has {len(rows)} rows of {width} bits: use {len(rows)} or more")
    if depth % len(fill):
        raise ValueError(f"depth {depth}: a machine word has two rows of {width} bits, use an even number")
    if depth * width > MOST_BITS:
        raise ValueError(f"depth {depth}: a memory has at most {MOST_BITS // width} rows of {width} bits")
    return Memory(rows=tuple(rows), width=width, part=WORD, depth=depth, fill=tuple(fill), whole=bool(shape.depth))


def _rows(words: Sequence[int], width: int, filler: int) -> list[int]:
    """Machine words in rows; the last row is filled."""
    if width < WORD:
        return [word >> low & (1 << width) - 1 for word in words for low in range(0, WORD, width)]
    count = width // WORD
    padded = [*words, *[filler] * (-len(words) % count)]
    return [sum([word << WORD * n for n, word in enumerate(padded[at : at + count])]) for at in range(0, len(padded), count)]


def constant_memory(program: Program) -> Memory:
    """The components of the constants that a program comes with, from c0.x to the last of them; 0 where none is given."""
    count = max([constant.number + 1 for constant in program.constants], default=0)
    words = [0] * (_COMPONENTS * count)
    for number, values in program.constants:
        words[_COMPONENTS * number : _COMPONENTS * number + _COMPONENTS] = values
    return Memory(rows=tuple(words), width=32, part=32, depth=_COMPONENTS * FILES["c"].size, fill=(0,), whole=False)


def write_memory(memory: Memory, target: str, name: str) -> bytes:
    """A memory in one of `forms.TARGETS`; `name` is that of the array, ROM or constant. Raises KeyError for another target."""
    if target == "bin":
        return b"".join([row.to_bytes(memory.width // 8, "little") for row in _listed(memory)])
    return ("\n".join(_WRITERS[target](memory, name)) + "\n").encode()


def _filling(memory: Memory) -> list[int]:
    """The rows after those that have something."""
    return list(memory.fill) * ((memory.depth - len(memory.rows)) // len(memory.fill))


def _listed(memory: Memory) -> list[int]:
    """The rows of a form that lists them one by one."""
    return [*memory.rows, *(_filling(memory) if memory.whole else ())]


def _as_mem(memory: Memory, name: str) -> Iterator[str]:
    """The words as text for $readmemh."""
    return (_hex(memory, row) for row in _listed(memory))


def _hex(memory: Memory, row: int) -> str:
    return f"{row:0{memory.width // 4}X}"


def _as_c(memory: Memory, name: str) -> Iterator[str]:
    suffix = "ULL" if memory.width == _WIDEST_IN_C else "U"
    rows = _listed(memory)
    yield "#include <stdint.h>"
    yield ""
    yield f"const uint{memory.width}_t {c_name(name)}[{len(rows)}] = {{"
    yield from (f"    0x{_hex(memory, row)}{suffix}," for row in rows)
    yield "};"


def _compact(memory: Memory) -> tuple[list[int], str]:
    """The rows of a form that can say what all others are, and the digits of those; none where the rows are all."""
    rest = _filling(memory) if memory.whole else []
    if len(set(memory.fill)) > 1:
        return [*memory.rows, *rest], ""
    return list(memory.rows), _hex(memory, memory.fill[0]) if rest else ""


def _as_vhdl(memory: Memory, name: str) -> Iterator[str]:
    rows, others = _compact(memory)
    digits = min(memory.part, memory.width) // 4
    title = vhdl_name(name)
    depth = memory.depth if memory.whole else len(rows)

    def literal(text: str) -> str:
        """A literal for each machine word, the first of them last."""
        return " & ".join([f'x"{text[at : at + digits]}"' for at in range(0, len(text), digits)])

    entries = [f"    {n} => {literal(_hex(memory, row))}" for n, row in enumerate(rows)]
    if others:
        entries.append(f"    others => {literal(others)}")
    yield "library ieee;"
    yield "use ieee.std_logic_1164.all;"
    yield ""
    yield f"package {title}_rom is"
    yield f"  type {title}_rows is array (0 to {depth - 1}) of std_logic_vector({memory.width - 1} downto 0);"
    yield f"  constant {title} : {title}_rows := ("
    yield ",\n".join(entries)
    yield "  );"
    yield f"end package {title}_rom;"


def _as_verilog(memory: Memory, name: str) -> Iterator[str]:
    """A ROM whose data come a clock edge after the address."""
    rows, others = _compact(memory)
    depth = memory.depth if memory.whole else len(rows)
    width = memory.width
    yield f"module {vhdl_name(name)}_rom ("
    yield "  input wire clk,"
    yield f"  input wire [{max(1, (depth - 1).bit_length()) - 1}:0] address,"
    yield f"  output reg [{width - 1}:0] data"
    yield ");"
    yield f"  reg [{width - 1}:0] rows [0:{depth - 1}];"
    if others:
        yield "  integer n;"
    yield "  initial begin"
    yield from (f"    rows[{n}] = {width}'h{_hex(memory, row)};" for n, row in enumerate(rows))
    if others:
        yield f"    for (n = {len(rows)}; n < {depth}; n = n + 1) rows[n] = {width}'h{others};"
    yield "  end"
    yield "  always @(posedge clk) data <= rows[address];"
    yield "endmodule"


def _as_coe(memory: Memory, name: str) -> Iterator[str]:
    rows = _listed(memory)
    yield "memory_initialization_radix=16;"
    yield "memory_initialization_vector="
    for n, row in enumerate(rows, 1):
        yield f"{_hex(memory, row)}{',' if n < len(rows) else ';'}"


def _as_mif(memory: Memory, name: str) -> Iterator[str]:
    """A memory initialization file of Intel's tools, for the whole memory."""
    rows, others = _compact(memory._replace(whole=True))
    count = len(rows)
    yield f"DEPTH = {max(memory.depth, count)};"
    yield f"WIDTH = {memory.width};"
    yield "ADDRESS_RADIX = HEX;"
    yield "DATA_RADIX = HEX;"
    yield "CONTENT BEGIN"
    yield from (f"  {n:03X} : {_hex(memory, row)};" for n, row in enumerate(rows))
    if count + 1 < memory.depth:
        yield f"  [{count:03X}..{memory.depth - 1:03X}] : {others};"
    elif count < memory.depth:
        yield f"  {count:03X} : {others};"
    yield "END;"


_WRITERS: dict[str, Callable[[Memory, str], Iterator[str]]] = {
    "hex": _as_mem,
    "mem": _as_mem,
    "c": _as_c,
    "vhdl": _as_vhdl,
    "verilog": _as_verilog,
    "coe": _as_coe,
    "mif": _as_mif,
}


def identifier(name: str) -> str:
    """A name that C takes."""
    letters = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name)
    return letters if letters and not letters[0].isdigit() else f"_{letters}"


def c_name(name: str) -> str:
    """The name of an array in C and C++, no reserved word of either."""
    word = identifier(name)
    return f"{word}_program" if f" {word} " in _C_WORDS else word


def vhdl_name(name: str) -> str:
    """A name that VHDL takes: a letter first, no underscore twice or last, no reserved word."""
    parts = [part for part in identifier(name).split("_") if part]
    joined = "_".join(parts)
    word = joined if joined and joined[0].isalpha() else f"shader_{joined}".rstrip("_")
    return f"{word}_program" if f" {word.lower()} " in _VHDL_WORDS else word


# Reserved words of C11 (6.4.1) and C++20 (lex.key), a space around each.
_C_WORDS = (
    " "
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class co_await "
    "co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do "
    "double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace "
    "new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires restrict "
    "return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try "
    "typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq "
)
# Reserved words of VHDL-2008 (IEEE 1076, 15.10), in lower case.
_VHDL_WORDS = (
    " "
    "abs access after alias all and architecture array assert assume assume_guarantee attribute begin block body buffer bus "
    "case component configuration constant context cover default disconnect downto else elsif end entity exit fairness file "
    "for force function generate generic group guarded if impure in inertial inout is label library linkage literal loop map "
    "mod nand new next nor not null of on open or others out package parameter port postponed procedure process property "
    "protected pure range record register reject release rem report restrict restrict_guarantee return rol ror select "
    "sequence severity shared signal sla sll sra srl strong subtype then to transport type unaffected units until use "
    "variable vmode vprop vunit wait when while with xnor xor "
)
