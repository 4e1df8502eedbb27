"""The options that PICA200 adds to `lanewise asm`, read at every start of the assembler; `api.services.manuals` has the other
commands."""

from __future__ import annotations

from lanewise.core.service import FLAG, TEXT, Manual, Option

NIHSTRO = (
    Option(("-e", "--entry"), TEXT, "nihstro: the label where the program begins (default: main)", "LABEL"),
    Option(("-g", "--geometry"), FLAG, "nihstro: the sources are geometry shaders (.gsh files always are)"),
)
ASM = Manual(
    (
        Option(
            ("-H", "--header"), TEXT, "also write a C header with the registers of the shared uniforms, as picasso does", "FILE"
        ),
        Option(("--words",), TEXT, "also write the raw instruction words, 4 bytes each", "FILE"),
        Option(("--descriptors",), TEXT, "also write the raw operand descriptors, 4 bytes each", "FILE"),
        Option(("-n", "--no-nop"), FLAG, "insert no padding NOPs, warn instead"),
        Option(
            ("--picasso-compat",),
            FLAG,
            "accept what picasso accepts and give its bytes, also where they do not mean what the source says",
        ),
        *NIHSTRO,
        Option(("--layout",), TEXT, "layout of the SHBIN (default: picasso)", "", ("picasso", "official", "nihstro")),
    ),
    examples="""
  lanewise asm light.v.pica -o light.shbin
  lanewise asm light.vsh -o light.shbin --layout nihstro
  lanewise asm ball.v.pica ball.g.pica common.pica -o ball.shbin -H ball_shbin.h
  cpp light.v.pica | lanewise asm - -o light.shbin
  lanewise asm broken.v.pica --check --format json""",
    forms={".shbin": "", ".bin": ""},
)
