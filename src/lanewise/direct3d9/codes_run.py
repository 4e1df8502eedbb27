"""Diagnostics of running Direct3D 9 shaders. The registry is `core.codes`."""

from __future__ import annotations

from lanewise.core.code import Code

CODES_DIRECT3D9_RUN = (
    Code("R301", "block not balanced",
         "An `else` has no `if`, what ends a block does not fit what began it, a block is never closed in its routine, or blocks nest without end.",
         "Nothing says which instructions belong to the block.",
         "Close blocks in the order in which they were opened, each in the routine that it began in."),
    Code("R302", "break outside of a loop",
         "A `break`, `breakc` or `breakp` stands in no `loop` or `rep` of its routine.",
         "There is nothing to leave; a routine cannot end the loop of its caller.",
         "Put it into the loop, or return with `ret`."),
    Code("R303", "routine that cannot be called",
         "A call names a label that is not there, or one that stands before the call; or a label is there twice.",
         "Calls go forward only, so that no routine can reach itself.",
         "Add the label, or put the routine behind everything that calls it."),
    Code("R304", "instruction that cannot be run",
         "A word is no instruction of the version, or an instruction has a register that it cannot read or write.",
         "It has no meaning that could be computed.",
         "`lanewise check` says which registers an instruction can have."),
    Code("R305", "shader runs too long",
         "The turns of all loops and calls together are more than the limit.",
         "Every Direct3D 9 shader ends, but four loops of 255 turns in each other are four thousand million turns.",
         "Raise the limit (`--turns N`), or lower the counts in i#."),
    Code("R306", "count of a loop out of range",
         "The i# of a `loop` or `rep` counts fewer than 0 or more than 255 turns.",
         "Direct3D 9 allows 0 to 255, so hardware may do anything.",
         "Give i# another first component.",
         "inferred: reference 4, loop"),
    Code("R307", "sampler without data",
         "A texture instruction asks a sampler that the run has been given nothing for.",
         "lanewise has no textures: what they give is the caller's.",
         "Give the sampler an array of colors, or a function of the coordinates: `samplers={0: ...}`."),
)  # fmt: skip
