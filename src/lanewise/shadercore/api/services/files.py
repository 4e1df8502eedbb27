"""Files of ShaderCore programs: suffixes, and words in other forms."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.shadercore.container.header import write_text, write_words

if TYPE_CHECKING:
    from lanewise.shadercore.isa.program import Program

SUFFIXES = {"": ".scb", "bin": ".bin", "hex": ".hex", "c": ".c", "vhdl": ".vhd", "coe": ".coe", "mem": ".mem"}


def converted(program: Program, target: str, name: str) -> bytes:
    """The machine words as one of `TARGETS`; `name` is that of the array or ROM."""
    return write_words(program) if target == "bin" else write_text(program, target, name).encode()
