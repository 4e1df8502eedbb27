"""Programs that are written as other languages would have them: what assembles, and whether it computes what was meant.

    python -m pica200_habits --programs 10000 --seed 1

A row of `HABITS` is one way to write one kind of step, or a change to a whole program. Each program of `pica200_meaning` is
printed in ten habits that fit it; what assembles runs on the reference engine on 16 vertices and is compared with the
meaning. `assembles` is what was expected before the first run.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.diagnostics import NOTE
from lanewise.core.numbers.floats import float24_from_float
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.checking import check_sources
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.isa.table import FLOAT, INTEGER
from pica200_meaning import (
    ARRAY_BEGIN,
    INPUTS,
    LETTERS,
    NIHSTRO,
    PICASSO,
    UNIFORMS,
    Text,
    drawn,
    letters,
    mask,
    operand,
    placed,
    plain,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lanewise.pica200.api.assembling import Assembly
    from pica200_meaning import Meant, Step, Vector

PROGRAM = "program"
_SUFFIX = {PICASSO: "x.v.pica", NIHSTRO: "x.vsh"}
REFUSED, SAME, WARNED, SILENT = "refused", "same", "other, warned", "other, silent"


class Habit(NamedTuple):
    """A way to write something."""

    name: str
    "What distinguishes it."
    language: str
    "PICASSO or NIHSTRO: which reader it is given to."
    source: str
    "The language or page that it comes from."
    kind: str
    "The kind of the step that it writes; PROGRAM for a change to all lines."
    assembles: bool
    "Whether it was expected to assemble."
    write: Callable[[Step, int], Text | None] | None = None
    "The text of a step, the n-th of its program; None where the habit does not fit it."
    change: Callable[[list[str]], list[str]] | None = None
    "The lines of a whole program, changed."


# Pieces


def _lines(*lines: str) -> Text:
    return Text(lines)


def _short(step: Step, *, rename: str = LETTERS) -> tuple[str, str, str]:
    """Destination and operands with as many letters as there are components, as GLSL and HLSL have them."""
    table = str.maketrans(LETTERS, rename)
    to = f"r{step.to}.{letters(step.parts).translate(table)}"
    a, b = [f"{'-' * read.negative}{read.name}.{letters(read.parts).translate(table)}" for read in (step.a, step.b)]
    return to, a, b


_NAME = {"move": "mov"}


def _elementwise(step: Step, to: str, a: str, b: str) -> Text:
    name = {"move": "mov", "sub": "add"}.get(step.kind, step.kind)
    return _lines(f"{name} {to}, {a}" + ("" if step.kind == "move" else f", {'-' * (step.kind == 'sub')}{b}"))


def _as(change: Callable[[str], str], language: str) -> Callable[[Step, int], Text | None]:
    """The plain text of a step with its last statement changed; None where nothing changes."""

    def write(step: Step, n: int) -> Text | None:
        text = plain(step, language, n)
        changed = change(text.lines[-1])
        return None if changed == text.lines[-1] else text._replace(lines=(*text.lines[:-1], changed))

    return write


def _declared(change: Callable[[Step, int], str], language: str = PICASSO) -> Callable[[Step, int], Text | None]:
    """The plain text of a step with another declaration."""
    return lambda step, n: plain(step, language, n)._replace(declared=(change(step, n),))


def _values(step: Step, form: str = "{}") -> list[str]:
    return [form.format(value) for value in step.values]


def _out_of_order(step: Step, n: int) -> Text | None:
    if len(step.parts) < 2:
        return None
    to, parts = letters(step.parts[::-1]), letters(step.a.parts[::-1])
    return _lines(f"mov r{step.to}.{to}, {operand(step.a, parts)}")


def _own_component(step: Step, n: int) -> Text | None:
    """A source without letters where the component of the destination is meant."""
    return (
        None
        if step.a.parts != step.parts
        else _elementwise(step, mask(step), f"{'-' * step.a.negative}{step.a.name}", placed(step, PICASSO)[1])
    )


def _alias_mask(step: Step, n: int) -> Text | None:
    _, a, _ = _short(step)
    return Text((f"mov to{n}, {a}",), (f".alias to{n} {mask(step)}",))


def _alias_source(step: Step, n: int) -> Text | None:
    if step.a.name == "k":
        return None
    return Text(
        (f"mov {mask(step)}, {'-' * step.a.negative}from{n}",), (f".alias from{n} {step.a.name}.{letters(step.a.parts)}",)
    )


def _dot_short(name: str = "") -> Callable[[Step, int], Text | None]:
    def write(step: Step, n: int) -> Text | None:
        _, a, b = _short(step)
        return _lines(f"{name or f'dp{max(step.number, 3)}'} {mask(step)}, {a}, {b}")

    return write


def _dot_wide(step: Step, n: int) -> Text | None:
    """dp4 of vectors of three components."""
    _, a, b = _short(step)
    return _lines(f"dp4 {mask(step)}, {a}, {b}") if step.number == 3 else None


def _dot_whole(step: Step, n: int) -> Text | None:
    plainly = (0, 1, 2, 3)[: step.number]
    if step.a.parts != plainly or step.b.parts != plainly or step.number < 3:
        return None
    return _lines(f"dp{step.number} {mask(step)}, {step.a.name}, {step.b.name}")


def _rows(form: str) -> Callable[[Step, int], Text | None]:
    """Four dp4, with the rows in a form."""

    def write(step: Step, n: int) -> Text | None:
        rows = [
            f"dp4 r5.{letter}, {form.format(row, row + 1, row + ARRAY_BEGIN)}, {step.a.name}"
            for row, letter in enumerate(LETTERS)
        ]
        return _lines(*rows, f"mov r{step.to}, r5")

    return write


def _rows_direct(step: Step, n: int) -> Text | None:
    """Rows as results of their destination: only where it is not the operand."""
    if step.a.name == f"r{step.to}":
        return None
    return _lines(*[f"dp4 r{step.to}.{letter}, m[{row}], {step.a.name}" for row, letter in enumerate(LETTERS)])


def _one(form: str) -> Callable[[Step, int], Text | None]:
    """One statement; {d} is the destination, {a} and {b} are the operands, {n} is the number."""

    def write(step: Step, n: int) -> Text | None:
        to, a, b = _short(step)
        return _lines(form.format(d=to, a=a, b=b, r=f"r{step.to}", n=step.number, v=step.a.name))

    return write


def _lookup(form: str, before: str = "mova a0.x, idx.x") -> Callable[[Step, int], Text | None]:
    def write(step: Step, n: int) -> Text | None:
        swizzle = plain(step, PICASSO, n).lines[-1].rpartition(".")[2]
        element = form.format(n=step.number, absolute=step.number + ARRAY_BEGIN, less=step.number - 1)
        return _lines(*([before] if before else []), f"mov {mask(step)}, {element}.{swizzle}")

    return write


def _row(form: str) -> Callable[[Step, int], Text | None]:
    def write(step: Step, n: int) -> Text | None:
        swizzle = plain(step, PICASSO, n).lines[-1].rpartition(".")[2]
        element = form.format(n=step.number, next=step.number + 1, register=step.number + ARRAY_BEGIN)
        return _lines(f"mov {mask(step)}, {element}.{swizzle}")

    return write


def _bare(language: str) -> Callable[[Step, int], Text | None]:
    def write(step: Step, n: int) -> Text | None:
        swizzle = plain(step, language, n).lines[-1].rpartition(".")[2]
        return _lines(f"mov {mask(step)}, m.{swizzle}") if step.number == 0 else None

    return write


def _swapped(step: Step, n: int) -> Text | None:
    """The source first, as in the AT&T syntax."""
    return _lines(f"mov {placed(step, PICASSO)[0]}, {mask(step)}") if not step.a.negative else None


def _two_operands(step: Step, n: int) -> Text | None:
    if step.b.name != f"r{step.to}" or step.b.parts != step.parts:
        return None
    return _lines(f"{step.kind} {mask(step)}, {placed(step, PICASSO)[0]}")


def _choose(
    head: Sequence[str], otherwise: str = ".else", end: str = ".end", *, swap: bool = False
) -> Callable[[Step, int], Text | None]:
    """A choice with other tests; {c} is the component that is compared."""

    def write(step: Step, n: int) -> Text | None:
        a, b = placed(step, PICASSO)
        if swap:
            a, b = b, a
        to, filled = mask(step), [each.format(c=LETTERS[step.number]) for each in head]
        return _lines("mov r7, q", *filled, f"mov {to}, {a}", *([otherwise] if otherwise else []), f"mov {to}, {b}", end)

    return write


def _loops(
    declaration: str, begin: str = "for n{n}", end: str = ".end", language: str = PICASSO
) -> Callable[[Step, int], Text | None]:
    """A loop with another count: {n} is the step, {count} the iterations, {last} one fewer."""

    def write(step: Step, n: int) -> Text | None:
        text = plain(step, language, n)
        lines = (text.lines[0], begin.format(n=n, count=step.number, last=step.number - 1), text.lines[2], end)
        return Text(lines, (declaration.format(n=n, count=step.number, last=step.number - 1),))

    return write


# Changes to a program


def _code(lines: list[str]) -> int:
    """The first line of the code."""
    return next(i for i, line in enumerate(lines) if line.startswith(("\tmov", "main:"))) + lines[0].startswith(".alias")


def _join(mark: str) -> Callable[[list[str]], list[str]]:
    """Two statements on one line."""

    def change(lines: list[str]) -> list[str]:
        at = _code(lines)
        return [*lines[:at], f"{lines[at]}{mark}{lines[at + 1].strip()}", *lines[at + 2 :]]

    return change


def _after(mark: str, which: str) -> Callable[[list[str]], list[str]]:
    """A comment of another language after the lines that match."""
    return lambda lines: [f"{line} {mark}" if re.match(which, line.strip()) else line for line in lines]


def _each(pattern: str, replacement: str) -> Callable[[list[str]], list[str]]:
    return lambda lines: [re.sub(pattern, replacement, line) for line in lines]


def _without(pattern: str) -> Callable[[list[str]], list[str]]:
    return lambda lines: [line for line in lines if not re.match(pattern, line.strip())]


def _instead(pattern: str, *new: str) -> Callable[[list[str]], list[str]]:
    """Other lines in the place of the first that matches."""

    def change(lines: list[str]) -> list[str]:
        at = next((i for i, line in enumerate(lines) if re.match(pattern, line.strip())), -1)
        return lines if at < 0 else [*lines[:at], *new, *lines[at + 1 :]]

    return change


def habit(
    name: str,
    language: str,
    source: str,
    kind: str,
    assembles: bool,
    write: Callable[[Step, int], Text | None] | None = None,
    change: Callable[[list[str]], list[str]] | None = None,
) -> Habit:
    """A row of the table."""
    return Habit(name=name, language=language, source=source, kind=kind, assembles=assembles, write=write, change=change)


_GLSL, _HLSL, _D3D = "GLSL 4.60 specification", "HLSL reference", "Direct3D 9 vertex shader assembly (vs_2_0)"
_C, _GAS, _X86, _FORTRAN = "C and C++", "GNU as, AT&T syntax", "x86 assembly", "Fortran and MATLAB"
_AEMSTRO, _PICASSO, _NIHSTRO, _ARB = "aemstro", "picasso manual", "nihstro examples and manual", "ARB_vertex_program"
_FINDINGS = "findings 2026-11-23, meaning.md"

_EACH = ("move", "add", "sub", "mul", "max")
HABITS: tuple[Habit, ...] = (
    # Swizzles and masks
    *[
        habit(
            f"swizzle of as many letters as the mask has, {kind}",
            PICASSO,
            _FINDINGS,
            kind,
            True,
            lambda s, n: _elementwise(s, *_short(s)),
        )
        for kind in _EACH
    ],
    *[
        habit(
            f"swizzle of as many letters as the mask has, {kind}",
            NIHSTRO,
            _NIHSTRO,
            kind,
            True,
            lambda s, n: _elementwise(s, *_short(s)),
        )
        for kind in _EACH
    ],
    habit("letters rgba", PICASSO, _GLSL, "move", True, lambda s, n: _elementwise(s, *_short(s, rename="rgba"))),
    habit("letters stpq", PICASSO, _GLSL, "move", True, lambda s, n: _elementwise(s, *_short(s, rename="stpq"))),
    habit("letters rgba", NIHSTRO, _GLSL, "move", False, lambda s, n: _elementwise(s, *_short(s, rename="rgba"))),
    habit("letters of the mask out of order", PICASSO, _GLSL, "move", True, _out_of_order),
    habit("letters of the mask out of order", NIHSTRO, _GLSL, "move", True, _out_of_order),
    habit("no letters on a source of the same components", PICASSO, _D3D, "mul", True, _own_component),
    habit("no letters on a source of the same components", NIHSTRO, _D3D, "mul", False, _own_component),
    habit(
        "four letters for a short mask",
        NIHSTRO,
        _PICASSO,
        "add",
        False,
        lambda s, n: _elementwise(s, mask(s), *placed(s, PICASSO)),
    ),
    habit("mask in an alias, short swizzle", PICASSO, _NIHSTRO, "move", True, _alias_mask),
    habit("mask in an alias, short swizzle", NIHSTRO, _NIHSTRO, "move", True, _alias_mask),
    habit("swizzle of as many letters in an alias", PICASSO, _NIHSTRO, "move", True, _alias_source),
    habit(
        "blank before the swizzle", PICASSO, _C, "move", False, _as(lambda line: re.sub(r"\.(\w+)$", r" .\1", line), PICASSO)
    ),
    habit("blank after the point", PICASSO, _C, "move", False, _as(lambda line: re.sub(r"\.(\w+)$", r". \1", line), PICASSO)),
    habit(
        "comma in the swizzle",
        PICASSO,
        _ARB,
        "move",
        False,
        _as(lambda line: re.sub(r"\.(\w)(\w)(\w)(\w)$", r".\1,\2,\3,\4", line), PICASSO),
    ),
    habit(
        "component by number",
        PICASSO,
        _C,
        "move",
        False,
        lambda s, n: (
            _lines(f"mov {mask(s)}, {s.a.name}[{s.a.parts[0]}]")
            if len(s.parts) == 1 and s.a.name == "r3" and not s.a.negative
            else None
        ),
    ),
    # Operands
    habit("sub", PICASSO, _D3D, "sub", False, _one("sub {d}, {a}, {b}")),
    habit("sub", NIHSTRO, _D3D, "sub", False, _one("sub {d}, {a}, {b}")),
    habit("minus and blank", PICASSO, _C, "sub", True, _as(lambda line: line.replace(", -", ", - "), PICASSO)),
    habit("minus and parentheses", PICASSO, _C, "sub", False, _as(lambda line: re.sub(r"-(\S+)$", r"-(\1)", line), PICASSO)),
    habit("two minus signs", PICASSO, _C, "add", False, _as(lambda line: re.sub(r", -(\S+),", r", ---\1,", line), PICASSO)),
    habit("plus sign", PICASSO, _C, "move", False, _as(lambda line: re.sub(r", (?=\w)", ", +", line), PICASSO)),
    habit("infix", PICASSO, _GLSL, "add", False, _one("{d} = {a} + {b};")),
    habit("infix as an operand", PICASSO, _GLSL, "add", False, _one("mov {d}, {a}+{b}")),
    habit("function of an operand", PICASSO, _GLSL, "max", False, _one("mov {d}, max({a}, {b})")),
    habit("two operands", PICASSO, _X86, "add", False, _two_operands),
    habit("two operands", PICASSO, _X86, "mul", False, _two_operands),
    habit("source first", PICASSO, _GAS, "move", True, _swapped),
    habit(
        "source first",
        NIHSTRO,
        _GAS,
        "move",
        True,
        lambda s, n: _lines(f"mov {s.a.name}.{letters(s.a.parts)}, {mask(s)}") if not s.a.negative else None,
    ),
    habit("commas missing", PICASSO, _GAS, "add", False, _as(lambda line: line.replace(",", ""), PICASSO)),
    habit("commas missing", NIHSTRO, _GAS, "add", False, _as(lambda line: line.replace(",", ""), NIHSTRO)),
    habit("two commas", PICASSO, _C, "add", False, _as(lambda line: line.replace(",", ",,"), PICASSO)),
    habit("comma after the mnemonic", PICASSO, _C, "add", False, _as(lambda line: line.replace("add ", "add, "), PICASSO)),
    habit("comma at the end", PICASSO, _C, "add", True, _as(lambda line: f"{line},", PICASSO)),
    habit("comma at the end", NIHSTRO, _C, "add", False, _as(lambda line: f"{line},", NIHSTRO)),
    habit("mnemonic in capitals", PICASSO, _ARB, "mul", True, _as(lambda line: line.replace("mul", "MUL"), PICASSO)),
    habit("registers in capitals", PICASSO, _ARB, "mul", False, _as(lambda line: re.sub(r"\br(?=\d)", "R", line), PICASSO)),
    habit("registers in capitals", NIHSTRO, _ARB, "mul", False, _as(lambda line: re.sub(r"\br(?=\d)", "R", line), NIHSTRO)),
    habit("saturation suffix", PICASSO, _D3D, "mul", False, _as(lambda line: line.replace("mul", "mul_sat"), PICASSO)),
    habit(
        "mask on the mnemonic",
        PICASSO,
        "MIPS MSA and AMD IL",
        "mul",
        False,
        _as(lambda line: re.sub(r"mul (r\d)\.(\w+)", r"mul.\2 \1", line), PICASSO),
    ),
    habit(
        "register number with a leading zero",
        PICASSO,
        _C,
        "mul",
        True,
        _as(lambda line: re.sub(r"\br(\d)\b", r"r0\1", line), PICASSO),
    ),
    habit(
        "brackets of registers", PICASSO, _HLSL, "mul", False, _as(lambda line: re.sub(r"\br(\d)\b", r"r[\1]", line), PICASSO)
    ),
    # Results of one component
    habit("each component of a vector at once", PICASSO, _GLSL, "rcp", True, _one("rcp {d}, {a}")),
    habit("each component of a vector at once", NIHSTRO, _GLSL, "rcp", True, _one("rcp {d}, {a}")),
    habit(
        "the component of the destination without a swizzle",
        PICASSO,
        _GLSL,
        "rcp",
        True,
        lambda s, n: (
            _lines(*[f"rcp r{s.to}.{LETTERS[part]}, {s.a.name}" for part in s.parts]) if s.a.parts == s.parts else None
        ),
    ),
    habit("division", PICASSO, _GLSL, "rcp", False, _one("div {d}, one, {a}")),
    habit("1/x as an operand", PICASSO, _GLSL, "rcp", False, _one("mov {d}, 1/{a}")),
    # Dot products
    habit("swizzles of the components that count", PICASSO, _GLSL, "dot", True, _dot_short()),
    habit("swizzles of the components that count", NIHSTRO, _GLSL, "dot", False, _dot_short()),
    habit("dp4 of three components", PICASSO, _GLSL, "dot", True, _dot_wide),
    habit("dp4 of three components", NIHSTRO, _GLSL, "dot", False, _dot_wide),
    habit("dp2", PICASSO, _D3D, "dot", False, _dot_short("dp2")),
    habit("dot", PICASSO, _GLSL, "dot", False, _dot_short("dot")),
    habit("no swizzles", PICASSO, _D3D, "dot", True, _dot_whole),
    # Matrices and arrays
    habit("mul by a matrix", PICASSO, _HLSL, "transform", True, _one("mul {r}, m, {v}")),
    habit("mul by a matrix", NIHSTRO, _HLSL, "transform", True, _one("mul {r}, m, {v}")),
    habit("mul of the row vector", PICASSO, _HLSL, "transform", False, _one("mul {r}, {v}, m")),
    habit("dp4 by a matrix", PICASSO, _FINDINGS, "transform", True, _one("dp4 {r}, m, {v}")),
    habit("dp4 by a matrix", NIHSTRO, _FINDINGS, "transform", True, _one("dp4 {r}, m, {v}")),
    habit("m4x4", PICASSO, _D3D, "transform", False, _one("m4x4 {r}, {v}, m")),
    habit("m4x4", NIHSTRO, _D3D, "transform", False, _one("m4x4 {r}, {v}, m")),
    habit("rows from one", PICASSO, _FORTRAN, "transform", True, _rows("m[{1}]")),
    habit("rows from one", NIHSTRO, _FORTRAN, "transform", True, _rows("m[{1}]")),
    habit("rows by registers", PICASSO, _D3D, "transform", True, _rows("c{2}")),
    habit("rows by registers from c0", PICASSO, _D3D, "transform", True, _rows("c{0}")),
    habit("rows by names", PICASSO, _AEMSTRO, "transform", False, _rows("m{0}")),
    habit("rows with a plus", PICASSO, _C, "transform", False, _rows("m+{0}")),
    habit("rows with a point", PICASSO, _C, "transform", False, _rows("m.{0}")),
    habit("rows without a number", PICASSO, _FINDINGS, "transform", True, _rows("m")),
    habit("rows without a number", NIHSTRO, _FINDINGS, "transform", True, _rows("m")),
    habit("rows as results", PICASSO, _PICASSO, "transform", True, _rows_direct),
    habit(
        "columns added",
        PICASSO,
        _HLSL,
        "transform",
        True,
        lambda s, n: _lines(
            f"mul r5, m[0], {s.a.name}.xxxx",
            *[f"mad r5, m[{row}], {s.a.name}.{LETTERS[row] * 4}, r5" for row in (1, 2, 3)],
            f"mov r{s.to}, r5",
        ),
    ),
    habit("element without a number", PICASSO, _C, "row", True, _bare(PICASSO)),
    habit("element without a number", NIHSTRO, _C, "row", True, _bare(NIHSTRO)),
    habit("element from one", PICASSO, _FORTRAN, "row", True, _row("m[{next}]")),
    habit("element by its register", PICASSO, _D3D, "row", True, _row("c{register}")),
    habit("element by its register in brackets", PICASSO, _D3D, "row", True, _row("m[{register}]")),
    habit("element with a float", PICASSO, _GLSL, "row", False, _row("m[{n}.0]")),
    habit("element in parentheses", PICASSO, _FORTRAN, "row", False, _row("m({n})")),
    habit("element in hexadecimal", PICASSO, _C, "row", False, _row("m[0x{n}]")),
    habit("element with a leading zero", PICASSO, _C, "row", True, _row("m[0{n}]")),
    habit("element by two indices", PICASSO, _GLSL, "row", False, _row("m[{n}][0]")),
    habit("offset first", PICASSO, _D3D, "lookup", False, _lookup("m[{n}+a0.x]")),
    habit("index a0", PICASSO, _PICASSO, "lookup", True, _lookup("m[a0+{n}]")),
    habit("blanks around the plus", PICASSO, _C, "lookup", True, _lookup("m[a0.x + {n}]")),
    habit("index by the vector", PICASSO, _GLSL, "lookup", False, _lookup("m[idx.x+{n}]", "")),
    habit("index by registers from the array's first", PICASSO, _D3D, "lookup", True, _lookup("m[a0.x+{absolute}]")),
    habit("index by registers", PICASSO, _D3D, "lookup", True, _lookup("c{absolute}[a0.x]")),
    habit("index from one", PICASSO, _FORTRAN, "lookup", False, _lookup("m[a0.x+{less}]")),
    habit("c with brackets", PICASSO, _D3D, "lookup", False, _lookup("c[a0.x+{absolute}]")),
    habit("two brackets", PICASSO, _GLSL, "lookup", False, _lookup("m[a0.x][{n}]")),
    habit("mov to the index", PICASSO, _D3D, "lookup", False, _lookup("m[a0.x+{n}]", "mov a0.x, idx.x")),
    habit("mova to a0", PICASSO, _PICASSO, "lookup", True, _lookup("m[a0.x+{n}]", "mova a0, idx.x")),
    habit("mova without a component", PICASSO, _D3D, "lookup", True, _lookup("m[a0.x+{n}]", "mova a0.x, idx")),
    habit("the other index", PICASSO, _D3D, "lookup", True, _lookup("m[a0.y+{n}]", "mova a0, idx")),
    # Literals
    habit(
        "decimals",
        PICASSO,
        _PICASSO,
        "literal",
        True,
        _declared(lambda s, n: f".constf lit{n}({', '.join(_values(s, '{}.0'))})"),
    ),
    habit(
        "suffix f", PICASSO, _C, "literal", False, _declared(lambda s, n: f".constf lit{n}({', '.join(_values(s, '{}.0f'))})")
    ),
    habit(
        "suffix f",
        NIHSTRO,
        _C,
        "literal",
        False,
        _declared(lambda s, n: f".alias lit{n} c{20 + n} as ({', '.join(_values(s, '{}.0f'))})", NIHSTRO),
    ),
    habit(
        "exponents", PICASSO, _C, "literal", True, _declared(lambda s, n: f".constf lit{n}({', '.join(_values(s, '{}e0'))})")
    ),
    habit(
        "hexadecimal",
        PICASSO,
        _C,
        "literal",
        True,
        _declared(lambda s, n: f".constf lit{n}({', '.join([f'{chr(45) * (v < 0)}0x{abs(v):x}' for v in s.values])})"),
    ),
    habit(
        "hexadecimal",
        NIHSTRO,
        _C,
        "literal",
        True,
        _declared(
            lambda s, n: f".alias lit{n} c{20 + n} as ({', '.join([f'{chr(45) * (v < 0)}0x{abs(v):x}' for v in s.values])})",
            NIHSTRO,
        ),
    ),
    habit(
        "words of float32",
        PICASSO,
        "dumps of float registers",
        "literal",
        True,
        _declared(lambda s, n: f".constf lit{n}({', '.join([_float32(v) for v in s.values])})"),
    ),
    habit(
        "words of float32",
        NIHSTRO,
        "dumps of float registers",
        "literal",
        False,
        _declared(lambda s, n: f".alias lit{n} c{20 + n} as ({', '.join([_float32(v) for v in s.values])})", NIHSTRO),
    ),
    habit(
        "words of float24",
        NIHSTRO,
        "nihstro constants",
        "literal",
        True,
        _declared(
            lambda s, n: f".alias lit{n} c{20 + n} as ({', '.join([f'0x{float24_from_float(v):06X}' for v in s.values])})",
            NIHSTRO,
        ),
    ),
    habit(
        "words of float24",
        PICASSO,
        "GPUREG_VSH_FLOATUNIFORM_DATA",
        "literal",
        True,
        _declared(lambda s, n: f".constf lit{n}({', '.join([f'0x{float24_from_float(v):06X}' for v in s.values])})"),
    ),
    habit(
        "fractions",
        PICASSO,
        _GLSL,
        "literal",
        False,
        _declared(lambda s, n: f".constf lit{n}({', '.join(_values(s, '{}/1'))})"),
    ),
    habit(
        "decimal commas",
        PICASSO,
        "German and French numbers",
        "literal",
        False,
        _declared(lambda s, n: f".constf lit{n}({', '.join(_values(s, '{},0'))})"),
    ),
    habit(
        "decimal commas, two values",
        PICASSO,
        "German and French numbers",
        "literal",
        True,
        lambda s, n: (
            Text((f"mov r{s.to}, lit{n}.xxyy",), (f".constf lit{n}({s.values[0]},0, {s.values[1]},0)",))
            if s.values[0] == s.values[1] == s.values[2] == s.values[3] == 0
            else None
        ),
    ),
    habit(
        "groups of digits by a comma",
        PICASSO,
        "English numbers",
        "literal",
        False,
        _declared(lambda s, n: f".constf lit{n}({', '.join(_values(s, '{:,}'))})"),
    ),
    habit(
        "groups of digits by an underscore",
        PICASSO,
        "Rust and Python",
        "literal",
        False,
        _declared(lambda s, n: f".constf lit{n}({', '.join(_values(s, '{:_}.0_0'))})"),
    ),
    habit("braces", PICASSO, _C, "literal", False, _declared(lambda s, n: f".constf lit{n} = {{{', '.join(_values(s))}}}")),
    habit("equals sign", PICASSO, _C, "literal", False, _declared(lambda s, n: f".constf lit{n} = ({', '.join(_values(s))})")),
    habit("vec4", PICASSO, _GLSL, "literal", False, _declared(lambda s, n: f".constf lit{n} vec4({', '.join(_values(s))})")),
    habit(
        "blanks for commas",
        PICASSO,
        _NIHSTRO,
        "literal",
        False,
        _declared(lambda s, n: f".constf lit{n}({' '.join(_values(s))})"),
    ),
    habit(
        "one value for all",
        PICASSO,
        _GLSL,
        "literal",
        False,
        lambda s, n: _declared(lambda s, n: f".constf lit{n}({s.values[0]})")(s, n) if len(set(s.values)) == 1 else None,
    ),
    habit(
        "a value for each component of a vec3",
        PICASSO,
        _GLSL,
        "literal",
        False,
        _declared(lambda s, n: f".constf lit{n}({', '.join(_values(s)[:3])})"),
    ),
    habit(
        "def",
        PICASSO,
        _D3D,
        "literal",
        False,
        lambda s, n: Text((f"def c{20 + n}, {', '.join(_values(s))}", f"mov r{s.to}, c{20 + n}")),
    ),
    habit(
        "setf of a register",
        PICASSO,
        _AEMSTRO,
        "literal",
        True,
        lambda s, n: Text((f"mov r{s.to}, c{20 + n}",), (f".setf c{20 + n}({', '.join(_values(s))})",)),
    ),
    habit(
        "setf of a register that holds a uniform",
        PICASSO,
        _D3D,
        "literal",
        True,
        lambda s, n: Text((f"mov r{s.to}, c{n}",), (f".setf c{n}({', '.join(_values(s))})",)),
    ),
    habit(
        "setf of the last registers besides constants",
        PICASSO,
        _D3D,
        "literal",
        True,
        lambda s, n: Text((f"mov r{s.to}, c95",), (f".constf other{n}(5, 6, 7, 8)", f".setf c95({', '.join(_values(s))})")),
    ),
    habit(
        "as without as",
        NIHSTRO,
        _PICASSO,
        "literal",
        False,
        _declared(lambda s, n: f".alias lit{n} c{20 + n} ({', '.join(_values(s))})", NIHSTRO),
    ),
    habit(
        "numbers as an operand",
        PICASSO,
        _GLSL,
        "literal",
        False,
        lambda s, n: _lines(*[f"mov r{s.to}.{letter}, {value}" for letter, value in zip(LETTERS, s.values, strict=True)]),
    ),
    habit(
        "numbers as an operand",
        NIHSTRO,
        _GLSL,
        "literal",
        False,
        lambda s, n: _lines(*[f"mov r{s.to}.{letter}, {value}" for letter, value in zip(LETTERS, s.values, strict=True)]),
    ),
    # Loops
    habit("the count of iterations", PICASSO, _D3D, "loop", True, _loops(".consti n{n}({count}, 0, 1, 0)")),
    habit(
        "the count of iterations",
        NIHSTRO,
        _D3D,
        "loop",
        True,
        _loops(".alias n{n} i{n} as ({count}, 0, 1, 0)", "loop n{n}", "endloop", NIHSTRO),
    ),
    habit("decimals", PICASSO, _GLSL, "loop", False, _loops(".consti n{n}({last}.0, 0, 1, 0)")),
    habit(
        "decimals",
        NIHSTRO,
        _GLSL,
        "loop",
        False,
        _loops(".alias n{n} i{n} as ({last}.0, 0, 1, 0)", "loop n{n}", "endloop", NIHSTRO),
    ),
    habit("exponents", PICASSO, _GLSL, "loop", False, _loops(".consti n{n}({last}e0, 0, 1, 0)")),
    habit("hexadecimal", PICASSO, _C, "loop", False, _loops(".consti n{n}(0x{last}, 0, 1, 0)")),
    habit("leading zeros", PICASSO, _C, "loop", True, _loops(".consti n{n}(0{last}, 00, 01, 0)")),
    habit(
        "leading zeros",
        NIHSTRO,
        _C,
        "loop",
        True,
        _loops(".alias n{n} i{n} as (0{last}, 00, 01, 0)", "loop n{n}", "endloop", NIHSTRO),
    ),
    habit("a plus sign", PICASSO, _C, "loop", True, _loops(".consti n{n}(+{last}, 0, 1, 0)")),
    habit("negative step", PICASSO, _C, "loop", True, _loops(".consti n{n}({last}, 0, -1, 0)")),
    habit(
        "count past a byte", PICASSO, _C, "loop", True, lambda s, n: _loops(f".consti n{{n}}({255 + s.number}, 0, 1, 0)")(s, n)
    ),
    habit("count only", PICASSO, _D3D, "loop", False, _loops(".consti n{n}({last})")),
    habit("seti", PICASSO, _AEMSTRO, "loop", True, _loops(".seti i{n}({last}, 0, 1, 0)", "for i{n}")),
    habit("defi", PICASSO, _D3D, "loop", False, _loops("defi i{n}, {count}, 0, 1, 0", "rep i{n}", "endrep")),
    habit("number as the count", PICASSO, _C, "loop", False, _loops("", "for {count}")),
    habit("aL before the count", PICASSO, _D3D, "loop", False, _loops(".consti n{n}({last}, 0, 1, 0)", "for aL, n{n}")),
    habit("component of the count", PICASSO, _GLSL, "loop", False, _loops(".consti n{n}({last}, 0, 1, 0)", "for n{n}.x")),
    # Choices
    habit("if with an expression", PICASSO, _GLSL, "choose", False, _choose(("if (p.{c} < r7.{c})",))),
    habit("operators of C", PICASSO, _C, "choose", False, _choose(("cmp p.{c}, <, <, r7.{c}", "ifc cmp.x"))),
    habit("operators last", PICASSO, _NIHSTRO, "choose", False, _choose(("cmp p.{c}, r7.{c}, lt, lt", "ifc cmp.x"))),
    habit("one operator", PICASSO, _X86, "choose", False, _choose(("cmp p.{c}, lt, r7.{c}", "ifc cmp.x"))),
    habit("operators in capitals", PICASSO, _ARB, "choose", True, _choose(("cmp p.{c}, LT, LT, r7.{c}", "ifc cmp.x"))),
    habit(
        "the flag of the component",
        PICASSO,
        _D3D,
        "choose",
        True,
        _choose(("cmp p, lt, lt, r7", "ifc cmp.{c}")),
    ),
    habit("no letters: components x and y", PICASSO, _D3D, "choose", True, _choose(("cmp p, lt, lt, r7", "ifc cmp.x"))),
    habit("cmp without a component", PICASSO, _GLSL, "choose", False, _choose(("cmp p.{c}, lt, lt, r7.{c}", "ifc cmp"))),
    habit("compared with 1", PICASSO, _C, "choose", False, _choose(("cmp p.{c}, lt, lt, r7.{c}", "ifc cmp.x == 1"))),
    habit("in parentheses", PICASSO, _C, "choose", False, _choose(("cmp p.{c}, lt, lt, r7.{c}", "ifc (cmp.x)"))),
    habit(
        "not, and the branches exchanged",
        PICASSO,
        _C,
        "choose",
        True,
        _choose(("cmp p.{c}, lt, lt, r7.{c}", "ifc !cmp.x"), swap=True),
    ),
    habit("not in words", PICASSO, _HLSL, "choose", False, _choose(("cmp p.{c}, lt, lt, r7.{c}", "ifc not cmp.x"), swap=True)),
    habit("and in words", PICASSO, _HLSL, "choose", False, _choose(("cmp p.{c}, lt, lt, r7.{c}", "ifc cmp.x and cmp.y"))),
    habit("one ampersand", PICASSO, _C, "choose", True, _choose(("cmp p.{c}, lt, lt, r7.{c}", "ifc cmp.x & cmp.y"))),
    habit("flags with a comma", PICASSO, _NIHSTRO, "choose", False, _choose(("cmp p.{c}, lt, lt, r7.{c}", "ifc cmp.x, cmp.y"))),
    habit("else without a point", PICASSO, _D3D, "choose", False, _choose(("cmp p.{c}, lt, lt, r7.{c}", "ifc cmp.x"), "else")),
    habit("endif", PICASSO, _D3D, "choose", False, _choose(("cmp p.{c}, lt, lt, r7.{c}", "ifc cmp.x"), ".else", "endif")),
    habit(
        "else in braces",
        PICASSO,
        _C,
        "choose",
        False,
        _choose(("cmp p.{c}, lt, lt, r7.{c}", "ifc cmp.x {{"), "}} else {{", "}}"),
    ),
    habit("if_lt", PICASSO, _D3D, "choose", False, _choose(("if_lt p.{c}, r7.{c}",))),
    habit(
        "cmp as a choice",
        PICASSO,
        _D3D,
        "choose",
        False,
        lambda s, n: _lines(
            "add r7, p, -r2", f"cmp {mask(s)}, r7.{LETTERS[s.number]}, {placed(s, PICASSO)[1]}, {placed(s, PICASSO)[0]}"
        ),
    ),
    habit(
        "slt and a product",
        PICASSO,
        _ARB,
        "choose",
        True,
        lambda s, n: _lines(
            "mov r7, q",
            f"slt r7, p.{LETTERS[s.number] * 4}, r7.{LETTERS[s.number] * 4}",
            f"add r6, {s.a.name}.{placed(s, PICASSO)[0].rpartition('.')[2]}, -{placed(s, PICASSO)[1]}",
            f"mov r8, {placed(s, PICASSO)[1]}",
            f"mad {mask(s)}, r7, r6, r8",
        ),
    ),
    # Comments, and statements on one line
    habit("two statements on a line, `; `", PICASSO, _C, PROGRAM, True, change=_join("; ")),
    habit("two statements on a line, ` ; `", PICASSO, _GAS, PROGRAM, True, change=_join(" ; ")),
    habit("two statements on a line, `; `", NIHSTRO, _C, PROGRAM, True, change=_join("; ")),
    habit("two statements on a line, blanks", PICASSO, _C, PROGRAM, False, change=_join("  ")),
    habit("two statements on a line, ` : `", PICASSO, "BASIC", PROGRAM, False, change=_join(" : ")),
    habit("`;` after each statement", PICASSO, _C, PROGRAM, True, change=_each(r"^(\t.*)$", r"\1;")),
    habit("comment by // after instructions", PICASSO, _GLSL, PROGRAM, False, change=_after("// text", "mov")),
    habit("comment by // after instructions", NIHSTRO, _GLSL, PROGRAM, True, change=_after("// text", "mov")),
    habit("comment by // with a comma", PICASSO, _GLSL, PROGRAM, False, change=_after("// text, more", "mov")),
    habit("comment by // with a colon", PICASSO, _GLSL, PROGRAM, False, change=_after("// note: mov r0, q", "mov")),
    habit("comment by // on a line", PICASSO, _GLSL, PROGRAM, False, change=_instead(r"mov r2", "\tmov r2, q", "// text")),
    habit(
        "comment by // with a colon on a line",
        PICASSO,
        _GLSL,
        PROGRAM,
        False,
        change=_instead(r"mov r2", "\tmov r2, q", "// note:"),
    ),
    *[
        habit(f"comment by // after {what}", PICASSO, _GLSL, PROGRAM, expected, change=_after("// text", what))
        for what, expected in (
            (r"end$", False),
            (r"\.end$", True),
            (r"\.else", True),
            (r"\.proc", False),
            (r"\.fvec", False),
            (r"\.in", False),
            (r"\.out", False),
            (r"\.alias", False),
            (r"\.const[fi]", False),
            (r"ifc", False),
            (r"for", False),
        )
    ],
    habit("comment by # after instructions", PICASSO, "Python and shells", PROGRAM, False, change=_after("# text", "mov")),
    habit("comment by # after instructions", NIHSTRO, "Python and shells", PROGRAM, True, change=_after("# text", "mov")),
    habit("comment by -- after instructions", PICASSO, "Lua", PROGRAM, False, change=_after("-- text", "mov")),
    habit("comment by @ after instructions", PICASSO, "GNU as for Arm", PROGRAM, False, change=_after("@ text", "mov")),
    habit("comment by @ and a number", PICASSO, "GNU as for Arm", PROGRAM, True, change=_after("@ 3", r"mov pos")),
    habit("comment by /* */", PICASSO, _C, PROGRAM, False, change=_after("/* text */", "mov")),
    habit("comment by /* */ before", PICASSO, _C, PROGRAM, False, change=_each(r"^\tmov pos", "\t/* text */ mov pos")),
    habit("comment by (* *)", PICASSO, "Pascal", PROGRAM, False, change=_after("(* text *)", "mov")),
    habit(
        "lines commented out by #",
        PICASSO,
        "Python and shells",
        PROGRAM,
        False,
        change=_instead(r"mov r2", "\tmov r2, q", "# mov r0, q"),
    ),
    habit(
        "numbers of lines by #",
        PICASSO,
        "the C preprocessor",
        PROGRAM,
        True,
        change=_instead(r"mov r2", "\tmov r2, q", '# 3 "light.pica"'),
    ),
    habit("#define", PICASSO, "the C preprocessor", PROGRAM, False, change=_instead(r"\.fvec u", "#define u c0", ".fvec u[2]")),
    # Declarations
    habit(
        "uniforms with blanks for commas",
        PICASSO,
        _NIHSTRO,
        PROGRAM,
        False,
        change=lambda lines: _without(r"\.fvec (u|m)")(_instead(r"\.fvec k", ".fvec u[2] m[4] k")(lines)),
    ),
    habit(
        "uniforms with commas",
        PICASSO,
        _PICASSO,
        PROGRAM,
        True,
        change=lambda lines: _without(r"\.fvec (u|m)")(_instead(r"\.fvec k", ".fvec u[2], m[4], k")(lines)),
    ),
    habit(
        "uniforms in another order",
        PICASSO,
        _HLSL,
        PROGRAM,
        True,
        change=lambda lines: _instead(r"\.fvec k", ".fvec u[2]")(_instead(r"\.fvec u", ".fvec k")(lines)),
    ),
    habit("a uniform with its register", PICASSO, _AEMSTRO, PROGRAM, False, change=_instead(r"\.fvec k", ".fvec k c6")),
    habit(
        "a uniform with `: register`", PICASSO, _HLSL, PROGRAM, False, change=_instead(r"\.fvec k", ".fvec k : register(c6)")
    ),
    habit("a uniform as a type and a name", PICASSO, _GLSL, PROGRAM, False, change=_instead(r"\.fvec k", "uniform vec4 k;")),
    habit("a uniform twice", PICASSO, _C, PROGRAM, False, change=_instead(r"\.fvec k", ".fvec k", ".fvec k")),
    habit(
        "a uniform by an alias of its register",
        PICASSO,
        _NIHSTRO,
        PROGRAM,
        True,
        change=_instead(r"\.fvec k", ".fvec k", ".alias mine k", ".alias again c6"),
    ),
    habit("an alias with a comma", PICASSO, _C, PROGRAM, False, change=_instead(r"\.fvec k", ".fvec k", ".alias mine, k")),
    habit(
        "an alias with an equals sign", PICASSO, _C, PROGRAM, False, change=_instead(r"\.fvec k", ".fvec k", ".alias mine = k")
    ),
    habit(
        "an alias of a register that a declaration has too",
        PICASSO,
        _D3D,
        PROGRAM,
        True,
        change=lambda lines: [
            *_instead(r"\.fvec u", ".alias k c0", ".fvec u[2]")([line for line in lines if line != ".fvec k"])
        ],
    ),
    habit("inputs without registers", PICASSO, _PICASSO, PROGRAM, True, change=_each(r"^(\.in \w+) v\d", r"\1")),
    habit("inputs with a comma", PICASSO, _C, PROGRAM, False, change=_each(r"^(\.in \w+) v", r"\1, v")),
    habit(
        "inputs in one line",
        PICASSO,
        _C,
        PROGRAM,
        False,
        change=lambda lines: _without(r"\.in [qw]|\.in idx")(_instead(r"\.in p", ".in p, q, w, idx")(lines)),
    ),
    habit(
        "inputs in one line with blanks",
        PICASSO,
        _NIHSTRO,
        PROGRAM,
        False,
        change=lambda lines: _without(r"\.in [qw]|\.in idx")(_instead(r"\.in p", ".in p q w idx")(lines)),
    ),
    habit(
        "inputs named as registers, backwards",
        PICASSO,
        _D3D,
        PROGRAM,
        False,
        change=lambda lines: _each(r"\bq\b", "v1")(
            _each(r"\bp\b", "v0")(
                _instead(r"\.in q", ".in p")(_instead(r"\.in p", ".in q")(_each(r"^(\.in \w+) v\d", r"\1")(lines)))
            )
        ),
    ),
    habit("a uniform named as a register", PICASSO, _D3D, PROGRAM, False, change=_each(r"\bk\b", "c0")),
    habit("register before name", PICASSO, _D3D, PROGRAM, False, change=_each(r"^\.in (\w+) (v\d)", r".in \2 \1")),
    habit("outputs with a comma", PICASSO, _C, PROGRAM, False, change=_each(r"^(\.out \w+) ", r"\1, ")),
    habit("semantic before name", PICASSO, _D3D, PROGRAM, False, change=_each(r"^\.out (\w+) (\w+)", r".out \2 \1")),
    habit(
        "outputs named as registers",
        PICASSO,
        _NIHSTRO,
        PROGRAM,
        False,
        change=lambda lines: _each(r"\bcol\b", "o2")(_each(r"\btex\b", "o1")(lines)),
    ),
    habit("semantic with an index", PICASSO, _HLSL, PROGRAM, False, change=_each(r"\bcolor$", "color0")),
    habit("semantic in capitals", PICASSO, _HLSL, PROGRAM, True, change=_each(r"\bposition$", "POSITION")),
    habit("semantic with a swizzle", PICASSO, _GLSL, PROGRAM, True, change=_each(r"\bcolor$", "color.rgba")),
    habit("semantic with a swizzle out of order", PICASSO, _GLSL, PROGRAM, True, change=_each(r"\bcolor$", "color.abgr")),
    habit("labels of the entry", PICASSO, _NIHSTRO, PROGRAM, False, change=_each(r"^\.proc main", "main:")),
    habit("procedure with parentheses", PICASSO, _C, PROGRAM, False, change=_each(r"^\.proc main", ".proc main()")),
    habit("procedure with a colon", PICASSO, "Python", PROGRAM, False, change=_each(r"^\.proc main", ".proc main:")),
    habit("ret in the place of end", PICASSO, _D3D, PROGRAM, False, change=_each(r"^\tend$", "\tret")),
    habit("names in capitals", PICASSO, "BASIC", PROGRAM, False, change=_each(r"mov col", "mov COL")),
    habit("continued lines", PICASSO, _C, PROGRAM, False, change=_instead(r"mov r2", "\tmov r2, \\", "q")),
    habit("continued lines after a comma", PICASSO, _C, PROGRAM, False, change=_instead(r"mov r2", "\tmov r2,", "q")),
    habit(
        "an output that is read",
        PICASSO,
        _GLSL,
        PROGRAM,
        False,
        change=_instead(r"mov tex", "\tmov tex, r1", "\tadd col, col, r7"),
    ),
    habit(
        "an output that is written twice",
        PICASSO,
        _GLSL,
        PROGRAM,
        True,
        change=_instead(r"mov col", "\tmov col, r1", "\tmov col, r0"),
    ),
    habit(
        "a line with a byte order mark",
        PICASSO,
        "Windows editors",
        PROGRAM,
        False,
        change=lambda lines: ["\ufeff" + lines[0], *lines[1:]],
    ),
    habit("lines that end in CR LF", PICASSO, "Windows editors", PROGRAM, True, change=_each(r"$", "\r")),
)


_ELSEWHERE = "the array is indexed elsewhere in the program, where its name may well mean its first element"
_BY_NUMBER = "a register that is named by its number may be any, and declarations say in the manual where they go"
# Habits that assemble to something else without a finding, each with the reason why there is no rule.
WITHOUT_RULE = {
    "source first": "a copy in the other direction is a program as good as this one",
    "mul by a matrix": _ELSEWHERE,
    "dp4 by a matrix": _ELSEWHERE,
    "rows without a number": _ELSEWHERE,
    "rows by registers from c0": _BY_NUMBER,
    "element from one": "the element after the one that is meant is in the array",
    "element by its register in brackets": "it is in the array: V015 finds the others",
    "index from one": "the element before the one that is meant is in the array",
    "index by registers from the array's first": "the offset is in the array: V015 finds the others",
    "setf of a register that holds a uniform": _BY_NUMBER,
    "an alias of a register that a declaration has too": _BY_NUMBER,
    "the count of iterations": "one iteration more is a loop as good as this one; V102 finds those that leave an array",
    "no letters: components x and y": "the components x and y are those that cmp compares",
    "component by number": "an offset on a temporary is the next register; V095 finds those that are not written",
    "each component of a vector at once": "rcp r0.xzw, w.ywy: P061 finds all but letters that repeat the first one",
    "swizzles of the components that count": "dp3 with .ww: a letter that is repeated may mean the component throughout",
    "dp4 of three components": "dp4 with .www: a letter that is repeated may mean the component throughout",
    "two statements on a line, ` ; `": "a blank before the semicolon is how comments are written, other code in them too",
}


def _float32(value: int) -> str:
    import struct

    return f"0x{struct.unpack('<I', struct.pack('<f', value))[0]:08X}"


# Running


def printed(meant: Meant, habit: Habit, at: int) -> str | None:
    """A program with its step number `at` in a habit; None where it does not fit."""
    texts: list[Text] = []
    for n, step in enumerate(meant.steps):
        text = habit.write(step, n) if habit.write is not None and n == at else plain(step, habit.language, n)
        if text is None:
            return None
        texts.append(text)
    lines = whole(texts, habit.language)
    if habit.change is not None:
        changed = habit.change(lines)
        if changed == lines:
            return None
        lines = changed
    return "\n".join(lines) + "\n"


def _computes(assembly: Assembly, meant: Meant) -> bool:
    """Whether the words compute what is meant: the application gives the inputs by register, the uniforms by name."""
    interface = assembly.program.interfaces[0]
    integers, zero = [(0, 0, 0, 0)] * 4, (0, 0, 0, 0)
    for constant in interface.constants:
        if INTEGER <= constant.register < INTEGER + 4:
            x, y, z, w = constant.values
            integers[constant.register - INTEGER] = (x, y, z, w)
    engine = Reference(*assembly.encoded, interface.entry, budget=2000)
    for given, wanted in zip(meant.given, meant.outputs, strict=True):
        floats = [zero] * 96
        for constant in interface.constants:
            if FLOAT <= constant.register < INTEGER:
                x, y, z, w = constant.values
                floats[constant.register - FLOAT] = (x, y, z, w)
        names = {uniform.name: uniform.first for uniform in (*interface.uniforms, *interface.private)}
        for name, (_, size) in UNIFORMS.items():
            first = names.get(name, -1)
            for row in range(size if first >= 0 else 0):
                floats[first - FLOAT + row] = _words(given.uniforms[name][row])
        inputs = {n: _words(given.inputs[name]) for n, name in enumerate(INPUTS)}
        lane = engine.run(inputs, floats, integers, [False] * 16)
        if lane.fault is not None or any(lane.outputs[n + 1] != _words(vector) for n, vector in enumerate(wanted)):
            return False
    return True


def _words(vector: Vector) -> tuple[int, int, int, int]:
    x, y, z, w = [float24_from_float(float(value)) for value in vector]
    return x, y, z, w


def outcome(text: str, habit: Habit, meant: Meant) -> tuple[str, str]:
    """What becomes of a text, and the codes that say so."""
    sources = [(_SUFFIX[habit.language], text)]
    assembly = assemble_sources(sources)
    if assembly.data is None:
        return REFUSED, " ".join(sorted({found.code for found in assembly.diagnostics if found.is_error}))
    codes = {found.code for found in assembly.diagnostics if found.severity != NOTE}
    if _computes(assembly, meant):
        return SAME, " ".join(sorted(codes))
    codes |= {found.code for found in check_sources(sources).findings if found.severity != NOTE}
    return (WARNED if codes else SILENT), " ".join(sorted(codes))


class Case(NamedTuple):
    """One text of one program."""

    habit: Habit
    "How it is written."
    text: str
    "The program."
    outcome: str
    "REFUSED, SAME, WARNED or SILENT."
    codes: str
    "Codes of the findings that are no notes."


def campaign(programs: int, seed: int, habits: Sequence[Habit] = HABITS, first: int = 0) -> Iterator[Case]:
    """Each program in ten habits that fit it, three of them changes to the whole program."""
    for number in range(first, first + programs):
        rng = random.Random(f"{seed} {number}")
        meant = drawn(rng)
        of_steps = [(row, at) for row in habits for at, step in enumerate(meant.steps) if row.kind == step.kind]
        of_programs = [(row, 0) for row in habits if row.kind == PROGRAM]
        rng.shuffle(of_steps)
        rng.shuffle(of_programs)
        yield from islice(_cases(meant, of_programs), 3 if of_steps else 10)
        yield from islice(_cases(meant, of_steps), 7 if of_programs else 10)


def _cases(meant: Meant, fitting: Sequence[tuple[Habit, int]]) -> Iterator[Case]:
    for row, at in fitting:
        text = printed(meant, row, at)
        if text is not None:
            found, codes = outcome(text, row, meant)
            yield Case(habit=row, text=text, outcome=found, codes=codes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--texts", default="", help="print the first silent text of each habit with this in its name")
    options = parser.parse_args()
    counts = {row: Counter[str]() for row in HABITS}
    codes = {row: Counter[str]() for row in HABITS}
    shown: set[Habit] = set()
    for case in campaign(options.programs, options.seed, first=options.first):
        counts[case.habit][case.outcome] += 1
        if case.codes:
            codes[case.habit][f"{case.outcome}: {case.codes}"] += 1
        if case.outcome == SILENT and case.habit not in shown and options.texts and options.texts in case.habit.name:
            shown.add(case.habit)
            print(case.text)
    print("refused, same, other and warned, other and silent:")
    for row, found in counts.items():
        columns = "  ".join([f"{found[key]:6}" for key in (REFUSED, SAME, WARNED, SILENT)])
        expected = "assembles" if row.assembles else "refused"
        most = ", ".join([f"{text} ({count})" for text, count in codes[row].most_common(2)])
        print(f"{columns}  {row.language:8} {row.kind:10} {expected:9}  {row.name} [{row.source}]  {most}")
    print(f"{len(HABITS)} habits, {sum(found.total() for found in counts.values())} texts")


if __name__ == "__main__":
    main()
