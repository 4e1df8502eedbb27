"""Direct3D 9 options, values and examples of the commands."""

from __future__ import annotations

from lanewise.core.service import FLAG, INTEGER, NEARNESS, NOTHING_ADDED, TEXT, TEXTS, Manual, Option
from lanewise.direct3d9.options import PREPROCESSOR, TARGETS, WORDS

_FROM = Option(
    names=("--from",),
    kind=TEXT,
    help="the form of FILE: file or words, hex, c, or source (default: recognised)",
    metavar="",
    choices=("file", "words", "hex", "c", "source"),
)
_READING = (_FROM, *PREPROCESSOR)
_INT = Option(names=("--int",), kind=TEXTS, help="an integer constant for loops", metavar="iN=COUNT,START,STEP")
_BOOL = Option(names=("--bool",), kind=TEXTS, help="a boolean constant", metavar="bN=TRUTH")

_DIRECT3D8 = Option(
    names=("--direct3d8",), kind=FLAG, help="read a shader of version 1 by the rules of Direct3D 8, which has no dcl"
)
_PROGRAM = Option(
    names=("--program",), kind=TEXT, help="shader of an effect, by name or number; FILE:NAME says the same", metavar="NAME|N"
)

_RULE = (
    Option(
        names=("--rule",),
        kind=TEXT,
        help="the number rule (default: ieee)",
        metavar="",
        choices=("ieee", "d3d9", "document", "rtl", "rtl-compiled"),
    ),
    Option(
        names=("--device",),
        kind=TEXT,
        help="the rule of a ShaderCore: document, rtl, or a TOML file based on one of them",
        metavar="NAME",
    ),
    Option(
        names=("--set",), kind=TEXTS, help="another answer to an open question; commas between several", metavar="FIELD=VALUE"
    ),
)

_MANUALS = {
    "dis": Manual(
        (
            *_READING,
            _PROGRAM,
            Option(
                names=("--to",),
                kind=TEXT,
                help="write the words in another form instead of a source",
                metavar="KIND",
                choices=TARGETS,
            ),
            Option(names=("--name",), kind=TEXT, help="with --to c: the name of the array", metavar="NAME"),
            Option(
                names=("--style",),
                kind=TEXT,
                help="lossless (default) assembles to the same words, microsoft is for reading",
                metavar="",
                choices=("lossless", "microsoft"),
            ),
            Option(names=("--symbols",), kind=FLAG, help="name constants as the constant table does"),
        ),
        examples="""
  lanewise dis light.vso
  lanewise dis light.vso --symbols             with the names of its constant table
  lanewise dis light.vso --style microsoft     a listing as Microsoft's disassembler gives it
  lanewise dis water.fxb:Water/P0/pixel        one shader of an effect; without a name all of them""",
        forms={".vsa": "", ".psa": "", ".vso": "to=bin", ".pso": "to=bin", ".bin": "to=bin", **WORDS},
    ),
    "check": Manual(
        (*_READING, _PROGRAM, _DIRECT3D8),
        examples="""
  lanewise check light.vsa                         what is not legal in the version of a shader
  lanewise check water.vso --direct3d8             by the rules of Direct3D 8
  lanewise check light.vsa --stats                 and the slots and registers that it uses""",
    ),
    "inspect": Manual(
        (*_READING, _PROGRAM, _DIRECT3D8),
        examples="""
  lanewise inspect light.vso                           slots, registers, constants
  lanewise inspect water.fxb                           techniques, passes, parameters and shaders of an effect
  lanewise inspect --scan effect.fxb --extract shaders  and a file for each of its shaders""",
    ),
    "fmt": Manual(
        values="""
  Only blanks change, so macros and included files do not matter: a formatted source is the same program with all of them.""",
        examples="""
  lanewise fmt shaders/*.vsa --check""",
    ),
    "vectors": Manual(
        (
            Option(
                names=("--rule",),
                kind=TEXT,
                help="the number rule (default: ieee)",
                metavar="",
                choices=("ieee", "d3d9", "document", "rtl"),
            ),
            Option(
                names=("--set",),
                kind=TEXTS,
                help="another answer to an open question; commas between several",
                metavar="FIELD=VALUE",
            ),
        ),
        examples="""
  lanewise vectors direct3d9 --rule d3d9 -o vectors""",
    ),
    "opt": Manual(
        (
            *_READING,
            _PROGRAM,
            _DIRECT3D8,
            *_RULE,
            Option(names=("--source",), kind=FLAG, help="write a source: the statements of FILE, or a new text for a binary"),
        ),
        values="""
  Without --rule each step is proved under ieee and under d3d9, where 0 times anything is 0.""",
        examples="""
  lanewise opt light.vso -o small.vso              fewer instruction slots
  lanewise opt light.vsa -o small.vsa --report     the source with its names and comments, and each step""",
        forms={".vsa": "source", ".psa": "source", ".vso": "", ".pso": ""},
    ),
    "diff": Manual(
        (
            *_READING,
            _PROGRAM,
            _DIRECT3D8,
            _INT,
            _BOOL,
            Option(
                names=("--bound",),
                kind=TEXTS,
                help="the largest iteration count; may be repeated",
                metavar="iN=COUNT,START,STEP",
            ),
            Option(
                names=("--array",),
                kind=TEXTS,
                help="the size of an array of constants; may be repeated",
                metavar="cN=COUNT[/STRIDE]",
            ),
            Option(
                names=("--output",),
                kind=TEXTS,
                help="what an output is on the PICA200; may be repeated",
                metavar="NAME=SEMANTIC",
            ),
            *_RULE,
            Option(
                names=("--searches",),
                kind=INTEGER,
                help="how often to search for a difference where there is no proof (default: 24)",
                metavar="N",
            ),
            *NEARNESS,
        ),
        examples="""
  lanewise diff old.vso new.vso                    two shaders, by their own meaning
  lanewise diff old.psa new.psa --rule d3d9        where 0 times anything is 0
  lanewise diff fxc.vso other.vso --ulp 4 --range '*=0.5..2'   how far apart they can be
  lanewise diff light.vso light.shbin              a shader and its program for the PICA200
  lanewise diff skin.vso skin.shbin --array c26=66/3   with the options that it was compiled with""",
    ),
    "translate": Manual(
        (*_READING, _PROGRAM, _DIRECT3D8, *_RULE),
        examples="""
  lanewise translate light.vso --to c -o light.c           one vertex, exact under the rule ieee
  lanewise translate glow.psa --to glsl --rule d3d9        a fragment shader; the application has the function of textures
  lanewise translate skin.vsa --to cpp --set sincos=series""",
        values="""
  Numbers are float32 patterns, in integers of 32 bits, with the bits of `lanewise run` under the same rule.""",
    ),
    "graph": Manual(
        (*_READING, _PROGRAM, _DIRECT3D8, _INT, _BOOL),
        examples="""
  lanewise graph spot.vsa -o spot.svg
  lanewise graph light.vso --bool b0=true --int i0=4,0,1    without the branches that these values rule out""",
    ),
    "isa": Manual(
        examples="""
  lanewise isa direct3d9 texld              an instruction in every version
  lanewise isa direct3d9 --evidence         open questions and their answers in a run
  lanewise isa direct3d9 --evidence pow     those about an instruction, one of them by its name, or some by words""",
    ),
}

_RUN = (
    *PREPROCESSOR,
    _PROGRAM,
    _DIRECT3D8,
    _INT,
    _BOOL,
    Option(
        names=("--sampler",),
        kind=TEXTS,
        help="the texture of a sampler: a color, one for each pixel, or a picture; by number or name",
        metavar="N=VALUE",
    ),
    *_RULE,
    Option(
        names=("--engine",),
        kind=TEXT,
        help="engine to use; all give identical results (default: auto)",
        metavar="",
        choices=("auto", "reference", "llvm"),
    ),
    Option(
        names=("--indices",),
        kind=TEXT,
        help="with --draw, --why and meshes: the vertices of the triangles, 0,1,2,2,1,3, or a file (default: each in turn)",
        metavar="VALUE",
    ),
    Option(
        names=("--topology",),
        kind=TEXT,
        help="with --draw, --why and meshes: how vertices become triangles (default: triangles)",
        metavar="",
        choices=("triangles", "strip", "fan"),
    ),
    Option(
        names=("--turns",), kind=INTEGER, help="the limit of iterations of all loops together (default: 100000)", metavar="N"
    ),
)

_DEBUG = """
  lanewise debug skin.vsa --input position=0,1,2 --uniform c0=1,0,0,0 --int i0=4,0,3
  lanewise debug glow.psa -i t0=0.5,0.5 --sampler 0=1,0.5,0.25,1 --vertices 0"""


def manual(command: str) -> Manual:
    """The options and texts of a command."""
    if command == "debug":
        unused = ("engine", "threads", "topology")
        found = _run()
        return Manual(tuple([option for option in found.options if option.key not in unused]), found.values, _DEBUG)
    return _run() if command == "run" else _MANUALS.get(command, NOTHING_ADDED)


def _run() -> Manual:
    from textwrap import fill

    from lanewise.direct3d9.isa.choices import CHOICES

    questions = fill(", ".join([choice.key for choice in CHOICES]), 114, initial_indent="  ", subsequent_indent="  ")
    values = f"""
  1,2,3            one vector; for an input, the same for every lane
  1,2,3;4,5,6      rows: one for each lane, or each register of a constant
  data.npy         data.npz:key      table.csv      table.csv:x,y,z      table.parquet
  words:0x3F800000 raw float32 patterns; before any of the above
  wall.png,linear,clamp
                   for --sampler, a picture: point (default) or linear; wrap (default), mirror, clamp or border,
                   or two of them for u and v; also an array of (height, width, 4)

  Missing components of an input are (0, 0, 0, 1). Inputs and constants that the shader reads and that neither the command
  line nor the file gives are an error; --default 0 makes them zeros. Constants that the shader defines cannot be
  replaced. The name of an input or output is its usage (position, texcoord1) or register (v0, t1, oPos, oC0).

  Number rules:
  ieee             IEEE 754 binary32, to nearest
  d3d9             the same, but 0 times anything is 0, as on Direct3D 9 hardware
  document, rtl    the instructions of a ShaderCore, also --device FILE.toml; EXP and LOG of rtl give 0
  rtl-compiled     rtl with the routines of compiled shaders for rcp, rsq, exp, log, pow, nrm: the bits of the program

  --set answers open questions and sets device parameters; `lanewise isa direct3d9 --evidence` explains the questions:
{questions}"""
    examples = """
  lanewise run light.vso --input position="0,0,0;1,2,3" --uniform c0="1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1"
  lanewise run skin.vsa -i v0=verts.npy --int i0=4,0,3 --bool b0=true --rule d3d9 --format json
  lanewise run glow.psa -i t0=0.5,0.5 --sampler 0=1,0.5,0.25,1 --rule rtl --bits
  lanewise run glow.psa -i t0=uv.csv --sampler s0=wall.png,linear,clamp
  lanewise run light.vso -i position=1,2,3 --set rcp_zero=largest,scalar=x
  lanewise run light.vso -i position=verts.npy --device document -o out.npz
  lanewise run light.vso -i position=1,2,3 --trace 0 --explain oPos.x
  lanewise run light.vso -i position=1,2,3 --registers"""
    return Manual(_RUN, values, examples)
