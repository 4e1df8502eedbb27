"""ShaderCore options of `lanewise asm`.

The assembler imports this module at every start; `api.services.manuals` has the other commands."""

from __future__ import annotations

from lanewise.core.service import INTEGER, TEXT, Manual, Option

TO = (
    Option(
        names=("--to",),
        kind=TEXT,
        help="machine words without a header: bin (8 bytes each), hex (a word a line), c (an array), vhdl (a ROM of "
        "256-bit rows), verilog (a ROM), coe (Xilinx), mem ($readmemh), mif (Intel)",
        metavar="KIND",
    ),
    Option(
        names=("--name",),
        kind=TEXT,
        help="the name of the array or ROM, and in a C header (default: the name of the file)",
        metavar="NAME",
    ),
)
SHAPE = (
    Option(
        names=("--width",),
        kind=INTEGER,
        help="with --to: bits of a row, 32 (half a machine word, low half first), 64, 128 or 256 (the first word lowest)",
        metavar="BITS",
    ),
    Option(names=("--depth",), kind=INTEGER, help="with --to: rows of the whole memory, all of them in the file", metavar="N"),
    Option(
        names=("--fill",),
        kind=TEXT,
        help="with --to: the machine word after the program, such as 0 or 0x1400280C0 (default: nop)",
        metavar="WORD",
    ),
)
BESIDE = (
    Option(
        names=("--constants",),
        kind=TEXT,
        help="also write the constants, from c0.x on, in the form of the suffix (.coe, .mem, .mif, .c, .vhd, .hex, .bin) or "
        "of --to",
        metavar="FILE",
    ),
    Option(
        names=("-H", "--header"),
        kind=TEXT,
        help="also write a C header with the places of inputs, outputs and constants",
        metavar="FILE",
    ),
)
DEVICE_FILE = Option(
    names=("--device",),
    kind=TEXT,
    help="the TOML file of a device that adds instructions",
    metavar="FILE",
)
WORDS = {  # as `container.forms` has them: a module less at every start
    ".bin": "to=bin",
    ".hex": "to=hex",
    ".c": "to=c",
    ".h": "to=c",
    ".vhd": "to=vhdl",
    ".vhdl": "to=vhdl",
    ".v": "to=verilog",
    ".coe": "to=coe",
    ".mem": "to=mem",
    ".mif": "to=mif",
}
TARGETS = tuple(dict.fromkeys([said.partition("=")[2] for said in WORDS.values()]))
ASM = Manual(
    (TO[0]._replace(choices=TARGETS), TO[1], *SHAPE, *BESIDE, DEVICE_FILE),
    examples="""
  lanewise asm light.sc
  lanewise asm light.sc --device mycore.toml
  lanewise asm light.sc --to vhdl -o light_rom.vhd
  lanewise asm light.sc -o rom.mif --width 128 --depth 256 --fill 0
  lanewise asm light.sc --to coe --constants light_constants.coe --header light.h
  lanewise asm - --dialect shadercore --to hex -o -""",
    values="""
  The file (.scb) has a header of 32 bytes, then the machine words; the suffix of -o says --to too. It does not hold the \
constants of the source, which
  --constants writes.""",
    forms={".scb": "", ".scbin": "", **WORDS},
)
