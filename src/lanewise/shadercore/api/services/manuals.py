"""ShaderCore options, values and examples of the commands."""

from __future__ import annotations

from lanewise.core.service import FLAG, INTEGER, NEARNESS, NOTHING_ADDED, TEXT, TEXTS, Manual, Option
from lanewise.shadercore.options import BESIDE, DEVICE_FILE, SHAPE, TARGETS, TO, WORDS

# Choices are spelled out, as every command asks every package for them: tests compare them with the tables.
FROM = Option(
    names=("--from",),
    kind=TEXT,
    help="how FILE holds the machine words (default: recognised)",
    metavar="",
    choices=("file", "words", "hex", "c", "coe", "mif", "vhdl", "verilog", "source"),
)
DEVICE = (
    Option(
        names=("--device",),
        kind=TEXT,
        help="document, rtl (default), or a TOML file that begins with one of them",
        metavar="NAME",
    ),
    Option(
        names=("--set",),
        kind=TEXTS,
        help="another value for a device parameter, such as issue_interval=4 or mul_latency=3; commas between several",
        metavar="FIELD=VALUE",
    ),
)
INDICES = Option(
    names=("--indices",),
    kind=TEXT,
    help="16-bit vertex indices: 0,1,2,2,1,3, or a file: .npy, a table, or raw little-endian 16-bit words in .u16, .bin, .idx",
    metavar="VALUE",
)
DATA = (
    Option(
        names=("--initial",),
        kind=TEXTS,
        help="the value of a register before the first wave: r0.x=1 or 16 numbers for the lanes, r0=1,2,3,4 or 16 rows "
        "(default: 0)",
        metavar="REG=VALUE",
    ),
    Option(
        names=("--stream",),
        kind=TEXTS,
        help="a vertex stream: an input by usage or v0-v7; float1 to float4 or d3dcolor (0xAARRGGBB); a file of "
        "raw bytes; OFFSET of the element (0-63, default 0) and STRIDE of a vertex (0-63, 0: all read the same; default: "
        "the size of the type); BASE, the offset of the first vertex; all in DWORDs",
        metavar="NAME=TYPE:FILE[:OFFSET[:STRIDE[:BASE]]]",
    ),
    INDICES,
)

_MANUALS = {
    "convert": Manual(forms={".sc": ""}),
    "dis": Manual(
        (TO[0]._replace(metavar="", choices=TARGETS), TO[1], *SHAPE, *BESIDE, DEVICE_FILE, FROM),
        examples="""
  lanewise dis light.scb
  lanewise dis light.scb --to mif --constants constants.mif     constants of a compiled program
  lanewise dis code.bin --isa shadercore --to c
  lanewise dis rom.mif -o rom.sc                                 a memory of Intel's tools
  lanewise dis rom.txt --from hex""",
        forms={".sc": "", **WORDS},
    ),
    "check": Manual(
        (*DEVICE, FROM),
        examples="""
  lanewise check light.sc                          on the public hardware
  lanewise check light.scb --device document       on the device of the specification
  lanewise check light.sc --set constant_ports=two
                                                   with another value for a device parameter""",
    ),
    "inspect": Manual(
        (DEVICE_FILE, FROM),
        examples="""
  lanewise inspect light.scb                           slots, registers, pipes""",
    ),
    "graph": Manual(
        (
            *DEVICE,
            FROM,
            Option(names=("--each",), kind=FLAG, help="a box for each instruction, not for each expression"),
            Option(names=("--order",), kind=FLAG, help="also WAR and WAW: dependences that only keep an order"),
        ),
        examples="""
  lanewise graph light.sc -o light.svg                 dependences with their waits, on the public hardware
  lanewise graph light.sc --device document --format json
  lanewise graph light.scb --order --each              all that a new order has to keep""",
    ),
    "vectors": Manual(
        (
            Option(
                names=("--device",),
                kind=TEXT,
                help="the device: rtl (default) or document",
                metavar="",
                choices=("document", "rtl"),
            ),
            DEVICE[1],
        ),
        examples="""
  lanewise vectors shadercore -o vectors                  waves with registers, cycles and writes, on the public hardware
  lanewise vectors shadercore --device document -o vectors""",
    ),
    "opt": Manual(
        (
            *DEVICE,
            FROM,
            Option(
                names=("--source",),
                kind=FLAG,
                help="write a source: the statements of FILE in their order, or a new text for words",
            ),
        ),
        values="""
  Slots and cycles of a wave are counted on the device, and each step is proved there.""",
        examples="""
  lanewise opt light.sc -o small.scb --report              each step with its reason
  lanewise opt light.scb -o small.scb --device document    and the floor of the slots that are left""",
        forms={".sc": "source", ".scb": "", ".scbin": ""},
    ),
    "diff": Manual(
        (
            *DEVICE,
            FROM,
            Option(
                names=("--constants-known",),
                kind=FLAG,
                help="take constants of the files as known: applications do not overwrite them",
            ),
            Option(
                names=("--waves",),
                kind=INTEGER,
                help="how many waves to search for a difference where there is no proof (default: 64)",
                metavar="N",
            ),
            *NEARNESS,
        ),
        examples="""
  lanewise diff light.sc light.scb                     on the public hardware
  lanewise diff old.scb new.scb                        of two compilers: uniforms by the names in their .json
  lanewise diff old.sc new.sc --device document
  lanewise diff a.scb b.scb --ulp 4 --range position=0.5..2 --range '*=0..1'""",
    ),
    "run": Manual(
        (
            *DATA,
            Option(
                names=("--topology",),
                kind=TEXT,
                help="with --draw, --why and meshes: how vertices become triangles (default: triangles)",
                metavar="",
                choices=("triangles", "strip", "fan"),
            ),
            *DEVICE,
            Option(
                names=("--engine",),
                kind=TEXT,
                help="engine to use; all give identical results (default: auto)",
                metavar="",
                choices=("auto", "reference", "llvm"),
            ),
            Option(names=("--threads",), kind=INTEGER, help="number of threads (default: 1)", metavar="N"),
            FROM,
        ),
        values="""
  1,2,3            one vector; for an input, the same for every vertex
  1,2,3;4,5,6      rows: one for each vertex
  data.npy         data.npz:key      table.csv      table.csv:x,y,z      table.parquet
  words:0x3F800000 raw float32 patterns; before any of the above
  Missing components of an input keep 0 or the value of --initial. Inputs and constants that the program reads and that
  neither the command line nor the file gives are an error; --default 0 makes them zeros. A compiled program has a .json
  file with its constants and the names of its inputs; missing components are then (0, 0, 0, 1), and --uniform i0=4 or
  b0=1 sets the integer and boolean constants that it reads.""",
        examples="""
  lanewise run light.sc --input position="0,0,0;1,2,3" --uniform c0=1,0,0,0
  lanewise run light.scb --input v0=verts.npy --device document --format json
  lanewise run light.sc --input position=0,1,2 --set rsq_gate=fixed,rcp_sigma=fixed --bits
  lanewise run light.sc --stream position=float3:mesh.bin:0:4 --stream color=d3dcolor:mesh.bin:3:4
  lanewise run light.sc --stream position=float3:mesh.bin --indices tris.u16 -o out.npz
  lanewise run light.sc -i position=0,1,2 --trace 0 --trace-format table     every write to the register file, by cycle
  lanewise run light.sc -i position=0,1,2 --trace 0 -o wave.vcd              the same as a waveform
  lanewise run light.sc -i position=0,1,2 --trace 0 --explain position.x     where a number comes from""",
    ),
    "time": Manual(
        (
            *DEVICE,
            FROM,
            Option(
                names=("--vertices",),
                kind=INTEGER,
                help="number of vertices in the draw (default: 16, a wave, or those in the files of --stream)",
                metavar="N",
            ),
            Option(
                names=("--stream",),
                kind=TEXTS,
                help="input types for the time of the fetch: float1-4, d3dcolor, with commas, each input in a buffer of its "
                "own; or NAME=TYPE:FILE[:OFFSET[:STRIDE[:BASE]]] as for lanewise run",
                metavar="TYPES",
            ),
            INDICES,
            Option(
                names=("--memory-latency",),
                kind=INTEGER,
                help="cycles from a request of the vertex cache until the memory has answered: misses count too",
                metavar="CYCLES",
            ),
            Option(
                names=("--reordered",),
                kind=TEXT,
                help="also write the program with its slots in the faster order, as source",
                metavar="FILE",
            ),
            Option(names=("--svg",), kind=TEXT, help="also draw the timeline of the quads", metavar="FILE"),
            Option(names=("--vcd",), kind=TEXT, help="also write a waveform, one nanosecond for each cycle", metavar="FILE"),
        ),
        values="""
  `lanewise isa shadercore --evidence` explains the parameters of a device. With --stream the vertex cache is followed from
  vertex to vertex, and its misses are counted; what they cost needs --memory-latency. A faster order of the slots keeps every
  dependence: all registers hold the same at the end. A program that never ends also gives exit code 1.""",
        examples="""
  lanewise time light.sc                               the public hardware: cycles, stalls, floor
  lanewise time light.sc --device document             the device of the specification
  lanewise time light.scb --set issue_interval=4       with another value for a device parameter
  lanewise time light.vsa --target shadercore          a shader that is compiled first
  lanewise time light.sc --vertices 36 --stream float3,float3,d3dcolor --memory-latency 20
  lanewise time light.sc --stream position=float3:mesh.bin:0:4 --stream color=d3dcolor:mesh.bin:3:4 --indices tris.u16
  lanewise time light.sc --reordered fast.sc
  lanewise time light.sc --svg light.svg --vcd light.vcd
  lanewise time light.sc --json""",
    ),
    "rtl": Manual(
        (
            Option(
                names=("--entity",),
                kind=TEXT,
                help="the TOML file with the ports and handshakes of a core (default: the public entity)",
                metavar="FILE",
            ),
            Option(
                names=("--language",),
                kind=TEXT,
                help="of the bench (default: vhdl); others need --entity",
                metavar="",
                choices=("vhdl", "verilog", "cocotb"),
            ),
            Option(names=("--template",), kind=FLAG, help="print a file for --entity with comments, to start from", alone=True),
            *DATA,
            *DEVICE,
            FROM,
        ),
        values="""
  Values are those of `lanewise run`. The folder gets README.md with the command lines for GHDL, data.vhd with the program, \
its data
  and what the device expects, and bench.vhd with the bench, which has the ports of the public hardware description. It \
compares the
  cycle of every issue, stalls, every vertex that leaves the core, and all registers at the end.""",
        examples="""
  lanewise rtl light.sc --bench sim --input position="0,0,0;1,2,3" --uniform c0=1,0,0,0
  lanewise rtl light.sc --bench sim --stream position=float3:mesh.bin:0:4 --indices tris.u16
  lanewise rtl light.scb --bench sim --input position=verts.npy --device mine.toml
  lanewise rtl --template > core.toml                    the ports of a core of your own
  lanewise rtl light.sc --bench sim -i position=1,2,3 --entity core.toml --language verilog""",
    ),
    "translate": Manual(
        (
            Option(
                names=("--lanes",),
                kind=TEXT,
                help="lanes of a run: 16, a wave (C and C++; the default there), or 1, where no lane needs another one and "
                "nothing is kept between waves",
                metavar="",
                choices=("1", "16"),
            ),
            *DEVICE,
            FROM,
        ),
        examples="""
  lanewise translate light.sc --to c -o light.c                   a wave on the public hardware, exact
  lanewise translate light.sc --to glsl --device document         a vertex shader on patterns of 32 bits
  lanewise translate light.sc --to cpp --lanes 1 --set rcp_sigma=fixed,rsq_gate=fixed""",
        values="""
  Numbers are float32 patterns, in integers of 32 bits, with the bits of `lanewise run` on the same device.""",
    ),
    "isa": Manual(
        (
            *DEVICE,
            Option(
                names=("--device-template",),
                kind=FLAG,
                help="write a device as a TOML file with comments, to start from",
            ),
        ),
        examples="""
  lanewise isa shadercore                   registers, instructions, the word, differences of the two devices
  lanewise isa shadercore rcp               one instruction, by name or opcode
  lanewise isa shadercore --evidence        the parameters of the devices and their evidence
  lanewise isa shadercore --evidence rcp    those that concern an instruction, one of them by its name, or some by words
  lanewise isa shadercore --decode 0x00000001400280C0
  lanewise isa shadercore --device-template > mycore.toml
                                            the device rtl as a file, with comments
  lanewise isa shadercore --device mycore.toml
                                            the instructions, parameters and pipes of that device""",
    ),
}

_DEBUG = """
  lanewise debug light.sc --input position=0,1,2 --uniform c0=1,0,0,0
  lanewise debug light.shadertest.toml"""


def manual(command: str) -> Manual:
    """The additions to a command."""
    if command == "debug":
        unused = ("engine", "threads", "topology")
        found = _MANUALS["run"]
        return Manual(tuple([option for option in found.options if option.key not in unused]), found.values, _DEBUG)
    return _MANUALS.get(command, NOTHING_ADDED)
