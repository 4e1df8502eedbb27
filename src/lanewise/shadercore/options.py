"""ShaderCore options of `lanewise asm`.

The assembler imports this module at every start; `api.services.manuals` has the other commands."""

from __future__ import annotations

from lanewise.core.service import TEXT, Manual, Option

TO = (
    Option(
        ("--to",),
        TEXT,
        "machine words without a header: bin (8 bytes each), hex (a word a line), c (an array), vhdl (a ROM of "
        "256-bit rows), coe (Xilinx), mem ($readmemh)",
        "KIND",
    ),
    Option(("--name",), TEXT, "with --to: the name of the array or ROM (default: the name of the file)", "NAME"),
)
ASM = Manual(
    TO,
    examples="""
  lanewise asm light.sc
  lanewise asm light.sc --to vhdl -o light_rom.vhd
  lanewise asm - --dialect shadercore --to hex -o -""",
    values="""
  The file (.scb) has a header of 32 bytes, then the machine words. It does not hold the constants of the source.""",
)  # fmt: skip
