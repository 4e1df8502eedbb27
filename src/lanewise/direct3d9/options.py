"""The options that Direct3D 9 adds to `lanewise asm`, read at every start of the assembler; `api.services.manuals` has the other commands."""

from __future__ import annotations

from lanewise.core.service import TEXT, Manual, Option

TARGETS = ("bin", "hex", "c")
ASM = Manual(
    (
        Option(("--to",), TEXT, "the form of the words: bin (default), hex (one per line), c (an array); lanewise reads all of them", "KIND", TARGETS),
        Option(("--name",), TEXT, "with --to c: the name of the array (default: the name of the source)", "NAME"),
    ),
    examples="""
  lanewise asm light.vsa -o light.vso
  lanewise asm light.vsa --to c -o light.h
  lanewise asm - --dialect direct3d9 --to hex -o - < light.vsa""",
    values="""
  A source whose first statement is a version, such as vs_2_0 or ps.1.4, is Direct3D 9 whatever its suffix.
  The default output is the name of the source with .vso, .pso, or the suffix of --to.
  `lanewise check` reports what is illegal in the version.""",
)  # fmt: skip
