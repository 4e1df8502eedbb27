"""The options that PICA200 adds to `lanewise asm`, read at every start of the assembler; `api.services.manuals` has the other
commands."""

from __future__ import annotations

from lanewise.core.service import FLAG, INCLUDE, TEXT, Manual, Option

NIHSTRO = (
    Option(
        names=("-e", "--entry"), kind=TEXT, help="nihstro: the label where the program begins (default: main)", metavar="LABEL"
    ),
    Option(names=("-g", "--geometry"), kind=FLAG, help="nihstro: the sources are geometry shaders (.gsh files always are)"),
)
ASM = Manual(
    (
        Option(
            names=("-H", "--header"),
            kind=TEXT,
            help="also write a C header with the registers of the shared uniforms, as picasso does",
            metavar="FILE",
        ),
        Option(names=("--words",), kind=TEXT, help="also write the raw instruction words, 4 bytes each", metavar="FILE"),
        Option(
            names=("--descriptors",), kind=TEXT, help="also write the raw operand descriptors, 4 bytes each", metavar="FILE"
        ),
        Option(names=("-n", "--no-nop"), kind=FLAG, help="insert no padding NOPs, warn instead"),
        Option(
            names=("--picasso-compat",),
            kind=FLAG,
            help="accept what picasso accepts and give its bytes, also where they do not mean what the source says",
        ),
        *NIHSTRO,
        INCLUDE,
        Option(
            names=("--layout",),
            kind=TEXT,
            help="layout of the SHBIN (default: picasso)",
            metavar="",
            choices=("picasso", "official", "nihstro"),
        ),
    ),
    examples="""
  lanewise asm light.v.pica -o light.shbin
  lanewise asm light.vsh -o light.shbin --layout nihstro -I shaders/include
  lanewise asm ball.v.pica ball.g.pica common.pica -o ball.shbin -H ball_shbin.h
  cpp light.v.pica | lanewise asm - -o light.shbin
  lanewise asm broken.v.pica --check --format json""",
    forms={".shbin": "", ".bin": ""},
)
