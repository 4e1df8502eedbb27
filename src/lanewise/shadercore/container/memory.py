"""Contents of a core's memories as files for tools: the words of a program, the constants, in `header.TARGETS`.

A core has 512 words of 64 bits for the program and 1024 of 32 bits for constants, c0.x first (reference 3 and 4).
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.shadercore.isa.codec import Inst, encode
from lanewise.shadercore.isa.table import FILES, NOP, SLOTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lanewise.shadercore.isa.program import Program

# The form of a file by its suffix.
FORMS_BY_SUFFIX = {
    ".bin": "bin",
    ".hex": "hex",
    ".c": "c",
    ".h": "c",
    ".vhd": "vhdl",
    ".vhdl": "vhdl",
    ".coe": "coe",
    ".mem": "mem",
    ".mif": "mif",
}
_COMPONENTS = 4


class Memory(Record):
    """The contents of a memory."""

    words: tuple[int, ...]
    "The words from address 0 on."
    bits: int
    "Bits of a word."
    depth: int
    "Words of the whole memory."
    filler: int
    "The word at all other addresses."
    row: int
    "Words in a row of a VHDL ROM; the first of them is the last in the row."


def program_memory(program: Program) -> Memory:
    """The words of a program; a VHDL ROM has rows of four (reference 1). What is behind them is NOP."""
    return Memory(words=program.words, bits=64, depth=SLOTS, filler=encode(Inst(op=NOP)), row=4)


def constant_memory(program: Program) -> Memory:
    """The components of the constants that a program comes with, from c0.x to the last of them; 0 where none is given."""
    count = max([constant.number + 1 for constant in program.constants], default=0)
    words = [0] * (_COMPONENTS * count)
    for number, values in program.constants:
        words[_COMPONENTS * number : _COMPONENTS * number + _COMPONENTS] = values
    return Memory(words=tuple(words), bits=32, depth=_COMPONENTS * FILES["c"].size, filler=0, row=1)


def write_memory(memory: Memory, target: str, name: str) -> bytes:
    """A memory in one of `header.TARGETS`; `name` is that of the array, ROM or constant. Raises KeyError for another target."""
    if target == "bin":
        return b"".join([word.to_bytes(memory.bits // 8, "little") for word in memory.words])
    return ("\n".join(_WRITERS[target](memory, name)) + "\n").encode()


def _as_mem(memory: Memory, name: str) -> Iterator[str]:
    """The words as text for $readmemh."""
    return (_hex(memory, word) for word in memory.words)


def _hex(memory: Memory, word: int) -> str:
    return f"{word:0{memory.bits // 4}X}"


def _as_c(memory: Memory, name: str) -> Iterator[str]:
    suffix = "ULL" if memory.bits == 64 else "U"
    yield "#include <stdint.h>"
    yield ""
    yield f"const uint{memory.bits}_t {c_name(name)}[{len(memory.words)}] = {{"
    yield from (f"    0x{_hex(memory, word)}{suffix}," for word in memory.words)
    yield "};"


def _as_vhdl(memory: Memory, name: str) -> Iterator[str]:
    words, row = memory.words, memory.row
    rows = [(*words[n : n + row], *(memory.filler,) * row)[:row] for n in range(0, len(words), row)]
    title = vhdl_name(name)
    yield "library ieee;"
    yield "use ieee.std_logic_1164.all;"
    yield ""
    yield f"package {title}_rom is"
    yield f"  type {title}_rows is array (0 to {len(rows) - 1}) of std_logic_vector({memory.bits * row - 1} downto 0);"
    yield f"  constant {title} : {title}_rows := ("
    for n, each in enumerate(rows):
        yield (
            f"    {n} => "
            + " & ".join(f'x"{_hex(memory, word)}"' for word in reversed(each))
            + ("," if n + 1 < len(rows) else "")
        )
    yield "  );"
    yield f"end package {title}_rom;"


def _as_coe(memory: Memory, name: str) -> Iterator[str]:
    yield "memory_initialization_radix=16;"
    yield "memory_initialization_vector="
    for n, word in enumerate(memory.words, 1):
        yield f"{_hex(memory, word)}{',' if n < len(memory.words) else ';'}"


def _as_mif(memory: Memory, name: str) -> Iterator[str]:
    """A memory initialization file of Intel's tools, for the whole memory."""
    count = len(memory.words)
    yield f"DEPTH = {max(memory.depth, count)};"
    yield f"WIDTH = {memory.bits};"
    yield "ADDRESS_RADIX = HEX;"
    yield "DATA_RADIX = HEX;"
    yield "CONTENT BEGIN"
    yield from (f"  {n:03X} : {_hex(memory, word)};" for n, word in enumerate(memory.words))
    if count + 1 < memory.depth:
        yield f"  [{count:03X}..{memory.depth - 1:03X}] : {_hex(memory, memory.filler)};"
    elif count < memory.depth:
        yield f"  {count:03X} : {_hex(memory, memory.filler)};"
    yield "END;"


_WRITERS: dict[str, Callable[[Memory, str], Iterator[str]]] = {
    "hex": _as_mem,
    "mem": _as_mem,
    "c": _as_c,
    "vhdl": _as_vhdl,
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
