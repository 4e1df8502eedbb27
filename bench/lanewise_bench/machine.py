"""Machine code of a kernel for x86: its instructions, and which of them run.

`traced` puts a record of its number before every piece of code that runs as a whole, and runs that; nothing else of the code
changes, neither registers nor flags.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.core.record import Record
from lanewise.llvm.target import assembly, compile_object, initialize, load_object
from lanewise.pica200.engine.llvm.repeat import Sampled
from lanewise_bench.processors import kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.llvm.target import Loaded, Target

_LABEL = re.compile(r"(\.L\w+|\w+):")
_OPERAND = re.compile(r"[^,(]*\([^)]*\)|[^,]+")
_REGISTER = re.compile(r"%[a-z]+\d*[a-z]*")
_VECTOR = re.compile(r"%[xyz]mm(\d+)")
_PARTS = re.compile(r"%(?:[er]?([abcd])[xhl]|[er]?([sd]i|[sb]p)l?|(r\d+)[dwb]?)$")  # names of parts of integer registers
_READS_ONLY = re.compile(r"(cmp|test|v?p?test|v?u?comis|j|prefetch|push|call|ret)")
_WRITES_WHOLE = re.compile(r"(v(?!f)|mov|lea|set|k|sqrt|cvt|pshuf|round|rcp|rsqrt)")  # its target is no operand
_RECORDS = 1 << 20  # of a trace, at most


class Instruction(Record):
    """An instruction, with what it depends on."""

    text: str
    "As LLVM prints it, without comments."
    kind: str
    "Of `processors.KINDS`."
    width: int
    "Bits of the widest vector register; 0 for instructions on integers."
    loads: bool
    "Whether it reads memory."
    stores: bool
    "Whether it writes memory."
    reads: tuple[str, ...]
    "Registers that it reads, and places on the stack."
    writes: tuple[str, ...]
    "Those that it writes."
    spills: bool
    "Whether it has a vector on the stack."


def instruction(text: str) -> Instruction:
    mnemonic, _, rest = text.partition("\t") if "\t" in text else text.partition(" ")
    operands = [operand.strip() for operand in _OPERAND.findall(rest) if operand.strip()]
    kind = kind_of(mnemonic)
    widths = [{"x": 128, "y": 256, "z": 512}[name[1]] for name in re.findall(r"%[xyz]mm", rest)]
    width = max(widths, default=0)
    last = operands[-1] if operands else ""
    writes_last = bool(operands) and not _READS_ONLY.match(mnemonic)
    in_memory = [operand for operand in operands if "(" in operand and kind != "address"]
    stores = writes_last and "(" in last and kind not in ("prefetch", "address")
    loads = any(operand is not last or not stores for operand in in_memory) and kind != "prefetch"
    moves = re.match(r"v?mov(?!msk)", mnemonic) is not None
    if stores and not moves and kind == "scalar" and len(operands) > 1 and not mnemonic.startswith("set"):
        loads = True  # it changes what is there
    zeroes = re.match(r"v?p?xor", mnemonic) and len(operands) > 1 and len(set(operands)) == 1
    if moves and width:
        other = any(operand.startswith("%") and not _VECTOR.match(operand) for operand in operands)
        if not in_memory and other:
            kind = "to integer" if _VECTOR.match(operands[0]) else "from integer"
        elif not in_memory and kind == "scalar":
            kind = "move"
        elif kind == "scalar":
            kind = "none"
    elif zeroes or (moves and not in_memory and all(operand.startswith("%") for operand in operands) and len(mnemonic) < 5):
        kind = "move"
    elif (moves and not width and in_memory) or (kind == "half" and (stores or ("broadcast" in mnemonic and in_memory))):
        kind = "none"
    if mnemonic in ("vzeroupper", "nop", "sfence", "endbr64"):
        kind = "none"
    reads: list[str] = []
    for operand in operands:
        if operand is last and writes_last and "(" not in operand and _WRITES_WHOLE.match(mnemonic):
            continue
        if operand is last and stores:
            reads += _names(operand)
            continue
        reads += _names(operand)
        if "%rsp" in operand and "(" in operand and kind != "address":
            reads.append(operand)
    writes = [last] if stores and "%rsp" in last else [] if stores or not writes_last else _names(last)
    if zeroes:
        reads = []
    return Instruction(
        text=text,
        kind=kind,
        width=width,
        loads=loads,
        stores=stores,
        reads=tuple(reads),
        writes=tuple(writes),
        spills=bool(width) and any("%rsp" in operand or "%rbp" in operand for operand in in_memory),
    )


def _names(operand: str) -> list[str]:
    found: list[str] = []
    for name in _REGISTER.findall(operand):
        if vector := _VECTOR.match(name):
            found.append(f"v{vector[1]}")
        elif part := _PARTS.match(name):
            found.append(part[1] or part[2] or part[3])
        else:
            found.append(name)
    return found


class Pieces(NamedTuple):
    """The code of `kernel`, cut after jumps and before labels; `lines` is the whole module, with the first line of each piece
    in `starts`."""

    lines: Sequence[str]
    starts: Sequence[int]
    code: Sequence[Sequence[Instruction]]


def pieces(text: str) -> Pieces:
    """Cut the assembly of a module."""
    lines = text.splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("kernel:")) + 1
    end = next(n for n in range(first, len(lines)) if lines[n].startswith(".Lfunc_end"))
    starts: list[int] = []
    code: list[list[Instruction]] = []
    fresh = True
    for number in range(first, end):
        line = lines[number].partition("#")[0].rstrip()
        if _LABEL.match(line):
            fresh = True
        elif line.startswith("\t") and not line.startswith("\t."):
            if fresh:
                starts.append(number)
                code.append([])
            found = instruction(line.strip())
            code[-1].append(found)
            fresh = found.kind == "branch"
    return Pieces(lines, starts, code)


def traced(found: Pieces, target: Target, arguments: int) -> list[int]:
    """The numbers of pieces in the order in which they run in one call of the kernel: fewer than `_RECORDS` of them."""
    records = np.empty(_RECORDS, np.int32)
    place = np.array([records.ctypes.data], np.uint64)
    at = place.ctypes.data
    before = dict(zip(found.starts, range(len(found.starts)), strict=True))
    lines: list[str] = []
    for number, line in enumerate(found.lines):
        if number in before:
            lines += [
                "leaq -128(%rsp), %rsp",  # what lies below the stack may be in use
                "pushq %rax",
                f"movabsq {at}, %rax",
                f"movl ${before[number]}, (%rax)",
                "leaq 4(%rax), %rax",
                f"movabsq %rax, {at}",
                "popq %rax",
                "leaq 128(%rsp), %rsp",
            ]
        lines.append(line)
    loaded = _assembled(lines, target)
    Sampled.once(loaded.address, arguments)
    return records[: (int(place[0]) - records.ctypes.data) // 4].tolist()


def rounds(trace: Sequence[int], vectors: int) -> list[Sequence[int]]:
    """The pieces of each vector but the last, from a trace of so many.

    A vector is what comes between two runs of the first piece that runs as often as there are vectors.
    """
    counts: dict[int, int] = {}
    for piece in trace:
        counts[piece] = counts.get(piece, 0) + 1
    head = next(piece for piece in trace if counts[piece] in (vectors, vectors + 1) and vectors > 1)
    places = [n for n, piece in enumerate(trace) if piece == head]
    return [trace[start:end] for start, end in pairwise(places)]


def emitted(ir: str, target: Target) -> Pieces:
    return pieces(assembly(ir, target))


_CYCLES, _TURNS = 64, 1000


class Clock:
    """A chain of additions that take a cycle each: its time is that of cycles."""

    def __init__(self, target: Target, at_least: float) -> None:
        chain = ["addq $1, %rdx"] * _CYCLES
        code = [".text", ".globl run", "run:", f"movl ${_TURNS}, %ecx", "1:", *chain, "decl %ecx", "jnz 1b", "retq"]
        loaded = _assembled(code, target)
        self.sampled = Sampled(loaded.address, 0, at_least, loaded)

    @property
    def cycle_ns(self) -> float:
        return 1e9 * self.sampled.best / (_CYCLES * _TURNS)


def _assembled(lines: Sequence[str], target: Target) -> Loaded:
    """Assembler text in memory, with its function `run`."""
    import llvmlite.binding as llvm

    initialize()
    llvm.initialize_native_asmparser()
    quoted = [line.replace("\\", "\\\\").replace('"', "\\22").replace("\t", " ") for line in lines]
    left_out = ".note.GNU-stack", ".file"
    ir = "\n".join(f'module asm "{line}"' for line in quoted if not any(name in line for name in left_out))
    return load_object(compile_object(ir, target), target)
