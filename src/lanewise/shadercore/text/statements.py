"""Operands that a statement of the ShaderCore language may not have: those that it does not read, or overwrites first."""

from __future__ import annotations

from lanewise.core.diagnostics import NOTE, WARNING
from lanewise.core.record import TYPE_CHECKING
from lanewise.shadercore.isa.table import BY_NAME, COMPONENTS
from lanewise.shadercore.text.operands import UNREAD, Fault, read_source
from lanewise.shadercore.text.pieces import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.shadercore.isa.table import Op
    from lanewise.shadercore.text.operands import Operand
    from lanewise.shadercore.text.pieces import Token

_WORD_BITS = 32


def unread(op: Op, head: Token, operands: Sequence[Token], report: Callable[..., None]) -> None:
    """Report operands that the instruction does not read. The word has room for a constant, and programs have some there: a
    warning; registers are those for which the hardware waits. Raises Fault for other numbers."""
    wanted = op.dests + op.sources
    for operand in operands[wanted:]:
        try:
            source = read_source(operand.text, operand.column)
        except Fault as fault:
            if fault.code != "P205":
                continue
            source = None
        if source is not None and source.file in "rvxo" and op.operation == "rcp":
            a, b, dest = operands[1].text, operand.text, operands[0].text
            fix = f"write `{head.text} {dest}, {b}`, then `mul {dest}, {a}, {dest}` for {a} / {b}"
            if dest.partition(".")[0] in a:
                fix = f"for {a} / {b} give `{head.text}` of {b} another register, and multiply by that"
            message = f"{op.name} takes one source: {b} is not read, the hardware only waits for it"
            report("P203", message, fix, operand.column, len(operand.text), NOTE)
        elif source is None or source.file in UNREAD:
            have = f"`{head.text} {', '.join([token.text for token in operands[:wanted]])}`"
            fix = f"write {have}, where a is {operands[op.dests].text}: it computes {op.summary}"
            if op.operation == "scale":
                constant = operand.text if source is not None and source.file == "c" else "c0.x"
                dest, factor = operands[0].text, operands[1].text
                fix += f"; for another factor write `mul {dest}, {factor}, {constant}`, and the factor in .const"
            if op.name.startswith("bshft"):
                fix = _shifted(op.name, head.text, [token.text for token in operands])
            message = f"{op.name} takes a destination and a source: {shown(operand.text)} is one too many"
            if source is None:
                raise Fault("P203", message, fix, operand.column, len(operand.text))
            report("P203", message, fix, operand.column, len(operand.text), WARNING)


def _shifted(name: str, head: str, texts: Sequence[str]) -> str:
    """The fix of a shift with a distance, which is in the name of the instruction."""
    dest, source, distance = texts[:3]
    kind = name.rstrip("0123456789")
    here = name.removeprefix(kind)
    if distance == here:
        return f"write `{head} {dest}, {source}`: the distance is in the name"
    if f"{kind}{distance}" in BY_NAME:
        return f"write `{kind}{distance} {dest}, {source}`: the distance is in the name"
    number = int(distance) if distance.isascii() and distance.isdigit() and int(distance) < _WORD_BITS else None
    text = f"the distance is in the name, 8, 16 or 24: write `{head} {dest}, {source}` for {here}"
    if number is None:
        return text
    if number == 1 and kind.endswith("l"):
        return f"{text}; of a number write `add {dest}, {source}, {source}` for {source} << 1"
    sign, factor = ("<<", 2.0**number) if kind.endswith("l") else (">>", 2.0**-number)
    return (
        f"{text}; of a number write `mul {dest}, {source}, c0.x`, with `.const c0 ({factor!r}, 0, 0, 0)`, for {sign} {number}"
    )


def check_shorthand(head: Token, operands: Sequence[Token], dest: Operand, sources: Sequence[Operand], text: str) -> None:
    """The shorthand means lines one after the other; what would be read after it has been overwritten is an error. Raises
    Fault."""
    if dest.file == "NULL":
        return
    for n, component in enumerate(dest.components):
        before = dest.components[:n]
        if component in before:
            raise Fault(
                "P209",
                f"{dest.file}{dest.number}.{COMPONENTS[component]} is written twice",
                f"name each component once, such as {dest.file}{dest.number}.{''.join(COMPONENTS[: len(dest.components)])}",
                dest.column,
                dest.length,
            )
        for source in sources:
            read = source.components[n if len(source.components) > 1 else 0]
            if (source.file, source.number) == (dest.file, dest.number) and read in before:
                from lanewise.shadercore.text import meant

                register = f"{dest.file}{dest.number}.{COMPONENTS[read]}"
                raise Fault(
                    "P209",
                    f"{register} is overwritten before it is read for .{COMPONENTS[component]}",
                    meant.elsewhere(head.text, operands, dest, sources, text),
                    source.column,
                    source.length,
                )
