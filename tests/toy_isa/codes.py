"""Findings of the toy, in the hundred that no other package has."""

from __future__ import annotations

from lanewise.core.code import Code

ROWS = (
    Code(
        "P901",
        "line that is not an instruction",
        "The line has no known mnemonic, or not the operand that it needs.",
        "Every line becomes one machine word.",
        "Use a mnemonic that `lanewise isa toy` lists, with its operand.",
    ),
    Code(
        "C901",
        "toy file cut short",
        "The file has half a machine word, or a word without an instruction.",
        "A machine word has 16 bits.",
        "Get the whole file.",
    ),
    Code(
        "V901",
        "register never written",
        "A register is loaded that no `store` writes and no input fills.",
        "It is 0.",
        "Store a value first, or give it as an input from r0 to r3.",
    ),
    Code("R901", "program runs too long", "A lane has made more steps than the limit.", "It may never halt.", "End the loop."),
)
