"""Findings of compiling for the PICA200: what does not fit the hardware."""

from __future__ import annotations

from lanewise.core.code import rows

ROWS = rows("""
L101 too many temporaries
    More values are needed at one time than there are temporaries, in every arrangement that was tried.
    Why: There are r0 to r15 of four components each, and no memory to keep values in.
    Fix: Compute values closer to where they are used, keep fewer of them over a loop, or pass some in as inputs.
    Evidence: 3dbrew, GPU/Shader Instruction Set
L102 program too long for the vertex unit
    The compiled program has more than 512 words.
    Why: The code memory of the vertex unit has 512 words.
    Fix: Compute less, use loops in place of repeated code, or move work to the CPU.
    Evidence: GBATEK: ENTRYPOINT of the vertex unit has 9 writable bits
L103 inputs do not fit
    A program has more inputs than there are input registers, or two at one register.
    Why: There are v0 to v15.
    Fix: Pack several inputs into one vector, or give one another location.
    Evidence: 3dbrew, GPU/Shader Instruction Set
L104 uniforms or constants do not fit
    Uniforms and constants need more registers than there are, or two uniforms are at one register.
    Why: There are c0 to c95; constants of the program share them with its uniforms.
    Fix: Make arrays of uniforms smaller, or use fewer distinct numbers.
    Evidence: 3dbrew, GPU/Shader Instruction Set
L105 booleans do not fit
    A program needs more booleans than there are, counting one for each count that may be 0 and one for jumps.
    Why: There are b0 to b14; b15 is reserved.
    Fix: Use fewer booleans, or make some of them numbers in a uniform.
    Evidence: 3dbrew, GPU/Shader Instruction Set
L106 output cannot be wired
    An output has a semantic that the rasterizer does not take, that another output has, or there are too many outputs.
    Why: The rasterizer reads seven registers, and each semantic once.
    Fix: Use position, normalquat, color, texcoord0, texcoord0w, texcoord1, texcoord2 and view, each once.
    Evidence: 3dbrew, SHBIN
L107 loop counts do not fit
    Loops need more integer registers than there are: one for each count with another start or step.
    Why: There are i0 to i3, which hold the number of iterations, the start and the step of a loop.
    Fix: Use the same start and step in loops with one count, or fewer counts.
    Evidence: 3dbrew, GPU/Shader Instruction Set
L108 too many operand descriptors
    The compiled program needs more combinations of write mask, swizzles and signs than there are operand descriptors.
    Why: There are 128, of which mad reaches the first 32.
    Fix: Split the shader, or compute in whole vectors with the same swizzles.
    Evidence: 3dbrew, GPU/Shader Instruction Set
L109 conditionals or loops nested too deep
    A loop over a count of the application is nested in more loops than the hardware's stack holds.
    Why: The stack of loops has 4 entries; the oldest would be lost.
    Fix: Move the inner loop out of the nest, or make its number of iterations a constant.
    Evidence: 3dbrew, Control Flow
""")
