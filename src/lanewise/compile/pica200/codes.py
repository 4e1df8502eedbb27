"""Findings of compiling for the PICA200: what does not fit the hardware."""

from __future__ import annotations

from lanewise.core.code import Code

_TABLE = "3dbrew, GPU/Shader Instruction Set"

ROWS = (
    Code(
        code="L101",
        title="too many temporaries",
        meaning="More values are needed at one time than there are temporaries, in every arrangement that was tried.",
        why="There are r0 to r15 of four components each, and no memory to keep values in.",
        fix="Compute values closer to where they are used, keep fewer of them over a loop, or pass some in as inputs.",
        evidence=_TABLE,
    ),
    Code(
        code="L102",
        title="program too long for the vertex unit",
        meaning="The compiled program has more than 512 words.",
        why="The code memory of the vertex unit has 512 words.",
        fix="Compute less, use loops in place of repeated code, or move work to the CPU.",
        evidence="GBATEK: ENTRYPOINT of the vertex unit has 9 writable bits",
    ),
    Code(
        code="L103",
        title="inputs do not fit",
        meaning="A program has more inputs than there are input registers, or two at one register.",
        why="There are v0 to v15.",
        fix="Pack several inputs into one vector, or give one another location.",
        evidence=_TABLE,
    ),
    Code(
        code="L104",
        title="uniforms or constants do not fit",
        meaning="Uniforms and constants need more registers than there are, or two uniforms are at one register.",
        why="There are c0 to c95; constants of the program share them with its uniforms.",
        fix="Make arrays of uniforms smaller, or use fewer distinct numbers.",
        evidence=_TABLE,
    ),
    Code(
        code="L105",
        title="booleans do not fit",
        meaning="A program needs more booleans than there are, counting one for each count that may be 0 and one for jumps.",
        why="There are b0 to b14; b15 is reserved.",
        fix="Use fewer booleans, or make some of them numbers in a uniform.",
        evidence=_TABLE,
    ),
    Code(
        code="L106",
        title="output cannot be wired",
        meaning="An output has a semantic that the rasterizer does not take, that another output has, or there are too many "
        "outputs.",
        why="The rasterizer reads seven registers, and each semantic once.",
        fix="Use position, normalquat, color, texcoord0, texcoord0w, texcoord1, texcoord2 and view, each once.",
        evidence="3dbrew, SHBIN",
    ),
    Code(
        code="L107",
        title="loop counts do not fit",
        meaning="Loops need more integer registers than there are: one for each count with another start or step.",
        why="There are i0 to i3, which hold the number of iterations, the start and the step of a loop.",
        fix="Use the same start and step in loops with one count, or fewer counts.",
        evidence=_TABLE,
    ),
    Code(
        code="L108",
        title="too many operand descriptors",
        meaning="The compiled program needs more combinations of write mask, swizzles and signs than there are operand "
        "descriptors.",
        why="There are 128, of which mad reaches the first 32.",
        fix="Split the shader, or compute in whole vectors with the same swizzles.",
        evidence=_TABLE,
    ),
    Code(
        code="L109",
        title="conditionals or loops nested too deep",
        meaning="A loop over a count of the application is nested in more loops than the hardware's stack holds.",
        why="The stack of loops has 4 entries; the oldest would be lost.",
        fix="Move the inner loop out of the nest, or make its number of iterations a constant.",
        evidence="3dbrew, Control Flow",
    ),
)
