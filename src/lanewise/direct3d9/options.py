"""Direct3D 9 options of `lanewise asm`.

The assembler imports this module at every start; `api.services.manuals` has the other commands."""

from __future__ import annotations

from lanewise.core.service import INCLUDE, TEXT, TEXTS, Manual, Option

TARGETS = ("bin", "hex", "c")
PREPROCESSOR = (
    Option(
        names=("-D", "--define"),
        kind=TEXTS,
        help="a macro of the source, as #define gives it (default text: 1)",
        metavar="NAME[=TEXT]",
    ),
    INCLUDE,
)
WORDS = {".hex": "to=hex", ".c": "to=c", ".h": "to=c"}
ASM = Manual(
    (
        *PREPROCESSOR,
        Option(
            names=("--to",),
            kind=TEXT,
            help="the form of the words: bin (default), hex (one per line), c (an array); lanewise reads all of them",
            metavar="KIND",
            choices=TARGETS,
        ),
        Option(
            names=("--name",),
            kind=TEXT,
            help="with --to c: the name of the array (default: the name of the source)",
            metavar="NAME",
        ),
    ),
    examples="""
  lanewise asm light.vsa -o light.vso
  lanewise asm light.vsa --to c -o light.h
  lanewise asm light.vsa -D LIGHTS=4 -D FOG -I shaders/include
  lanewise asm - --dialect direct3d9 --to hex -o - < light.vsa""",
    values="""
  A source whose first statement is a version, such as vs_2_0 or ps.1.4, is Direct3D 9 whatever its suffix.
  The default output is the name of the source with .vso, .pso, or the suffix of --to.
  `lanewise check` reports what is illegal in the version.""",
    forms={".vso": "", ".pso": "", ".fxo": "", ".bin": "", **WORDS},
)
