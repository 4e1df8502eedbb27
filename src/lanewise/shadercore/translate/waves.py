"""Files of C and C++ with the function of a wave: 16 lanes, whose registers are arrays that the next wave finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.shadercore.isa.table import LANES
from lanewise.translating.languages import U32

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.shadercore.translate.languages import ShaderC

# The reciprocal of a lane squares the sigma of the latest quad, at most two quads later, that needs the table.
_RCP = """
{linkage}{word} sc_rcp_lane(const {word} *a, {word} lane) {{
    {word} quad = lane / 4u < 1u ? 2u : 3u;
    for (; quad > 0u; quad--) {{
        if (sc_rcp_tabled(a[4u * quad + lane % 4u])) {{
            break;
        }}
    }}
    return sc_rcp_with(a[lane], a[4u * quad + lane % 4u]);
}}"""
# Quads 1 to 3 get the product of quad 0 of their unit.
_RSQ = """
{linkage}{word} sc_rsq_lane(const {word} *a, {word} lane) {{
    return sc_rsq_with(a[lane], a[lane % 4u]);
}}"""
ACROSS: dict[str, tuple[str, tuple[str, ...]]] = {
    "rcp_lane": (_RCP, ("rcp_tabled", "rcp_with")),
    "rsq_lane": (_RSQ, ("rsq_with",)),
}


class Wave(Record):
    """A program of 16 lanes as text."""

    name: str
    "The identifier of the program."
    registers: tuple[tuple[str, str], ...]
    "Components of registers (`r0_x`), each with its comment, in order."
    cleared: tuple[str, ...]
    "Registers that begin every wave as 0."
    arrays: tuple[str, ...]
    "Arrays of 16 lanes inside the function."
    presets: tuple[tuple[int, int, str], ...]
    "Components of constants that the file presets: register, component, value as text."
    functions: tuple[str, ...]
    "Lines of the number functions that it calls."
    across: tuple[str, ...]
    "Names in `ACROSS` of the functions that it calls."
    lines: tuple[str, ...]
    "Lines of the body, indented."


def wave_file(language: ShaderC, wave: Wave) -> list[str]:
    """The lines of a source of C or a header of C++."""
    cpp, word, name = language.row.name == "cpp", language.types[U32], wave.name
    dot = "." if cpp else "->"
    registers = "Registers" if cpp else f"{name}_registers"
    values = f"{word} c[][4]"
    fields = [
        f"    {word} {register}[{LANES}];{f'  {language.comment(note)}' if note else ''}" for register, note in wave.registers
    ] or ["    char nothing;"]
    lines = (
        [f"struct {registers} {{", *fields, "};"] if cpp else [f"typedef struct {registers} {{", *fields, f"}} {registers};"]
    )
    lines += ["", "// The constants that the file presets."]
    lines.append(f"{language.linkage}void {'constants' if cpp else f'{name}_constants'}({values}) {{")
    lines += [f"    c[{number}][{component}] = {value};" for number, component, value in wave.presets] or [
        _unused("c", cpp=cpp)
    ]
    lines += ["}", *wave.functions]
    for function in wave.across:
        lines += ACROSS[function][0].format(linkage=language.linkage, word=word).split("\n")
    lines += ["", "// Runs a wave. The caller sets the lanes of inputs (v); registers are kept for the next wave."]
    given = f"{registers} {'&' if cpp else '*'}s, const {values}"
    lines.append(f"{'inline ' * cpp}void {'run' if cpp else name}({given}) {{")
    text = "\n".join(wave.lines)
    lines += [_unused(argument, cpp=cpp) for argument, use in (("s", f"s{dot}"), ("c", "c[")) if use not in text]
    lines += [f"    {word} {array}[{LANES}];" for array in wave.arrays]
    lines += [
        line
        for register in wave.cleared
        for line in (f"    {language.counted('n', str(LANES))} {{", f"        s{dot}{register}[n] = 0u;", "    }")
    ]
    lines += [*wave.lines, "}"]
    if not cpp:
        return ["#include <stdbool.h>", "#include <stdint.h>", "", *lines]
    guard = f"lanewise_{name}_hpp".upper()
    head = [f"#ifndef {guard}", f"#define {guard}", "", "#include <cstdint>", "", f"namespace {name} {{", ""]
    return [*head, *lines, "", f"}}  // namespace {name}", "", f"#endif  // {guard}"]


def _unused(name: str, *, cpp: bool) -> str:
    return f"    static_cast<void>({name});" if cpp else f"    (void){name};"


def presets(constants: Sequence[tuple[int, Sequence[int]]], language: ShaderC) -> tuple[tuple[int, int, str], ...]:
    """The components of constants that a file presets."""
    return tuple([(number, n, language.literal(bits, U32)) for number, values in constants for n, bits in enumerate(values)])
