"""Findings of the toy, in the hundred that no other package has."""

from __future__ import annotations

from lanewise.core.code import Code

ROWS = (
    Code(
        code="P901",
        title="line that is not an instruction",
        meaning="The line has no known mnemonic, or not the operand that it needs.",
        why="Every line becomes one machine word.",
        fix="Use a mnemonic that `lanewise isa toy` lists, with its operand.",
    ),
    Code(
        code="C901",
        title="toy file cut short",
        meaning="The file has half a machine word, or a word without an instruction.",
        why="A machine word has 16 bits.",
        fix="Get the whole file.",
    ),
    Code(
        code="V901",
        title="register never written",
        meaning="A register is loaded that no `store` writes and no input fills.",
        why="It is 0.",
        fix="Store a value first, or give it as an input from r0 to r3.",
    ),
    Code(
        code="R901",
        title="program runs too long",
        meaning="A lane has made more steps than the limit.",
        why="It may never halt.",
        fix="End the loop.",
    ),
)
