"""Options that front ends and the PICA200 add to `lanewise compile`."""

from __future__ import annotations

from lanewise.compile.shadercore.strategies import STRATEGIES
from lanewise.core.service import FLAG, NOTHING_ADDED, OPTIONAL, TEXT, TEXTS, Manual, Option
from lanewise.direct3d9.options import PREPROCESSOR
from lanewise.shadercore.api.services.manuals import DEVICE
from lanewise.shadercore.options import BESIDE, SHAPE, TARGETS, WORDS

DIRECT3D9 = Manual(
    (
        Option(
            names=("--int",),
            kind=TEXTS,
            help="the value of an integer constant; may be repeated",
            metavar="iN=COUNT,START,STEP",
        ),
        Option(names=("--bool",), kind=TEXTS, help="the value of a boolean constant; may be repeated", metavar="bN=0|1"),
        *PREPROCESSOR,
        Option(
            names=("--direct3d8",), kind=FLAG, help="read a shader of version 1 by the rules of Direct3D 8, which has no dcl"
        ),
        Option(
            names=("--bound",), kind=TEXTS, help="the largest iteration count; may be repeated", metavar="iN=COUNT,START,STEP"
        ),
        Option(
            names=("--array",),
            kind=TEXTS,
            help="the size of an array of constants; may be repeated",
            metavar="cN=COUNT[/STRIDE]",
        ),
        Option(names=("--decl",), kind=TEXT, help="the types of the inputs: float1 to float4, d3dcolor", metavar="vN=TYPE,..."),
    ),
    values="""
  Facts that the shader does not contain:
  --int i0=4,0,1      the value of an integer constant that no defi gives: count, start of aL, step
  --bound i0=8        an upper bound of its count; the program reads the actual count from a constant
  --bound i0=8,0,1    the same with start and step of aL, which a shader that reads aL needs
  --bool b0=1         a boolean constant; without it both branches are computed and the program reads it from a constant
  --array c10=24      c10 to c33 are an array for relative addresses; reads outside of it give 0
  --array c10=24/3    the same with elements of three registers, such as matrices of three rows
  --decl v0=float3,v1=d3dcolor   the vertex elements; missing components are (0, 0, 0, 1)""",
)
_OUTPUTS = (
    Option(
        names=("--semantic",),
        kind=TEXTS,
        help="what an output is, as --output says it too, or the usage of an input, such as uv=texcoord; may be repeated",
        metavar="NAME=SEMANTIC",
    ),
    Option(
        names=("--output-locations",),
        kind=FLAG,
        help="take the semantics of outputs from their locations: 0 normalquat, 1 color, 2 texcoord0, 3 texcoord0w, 4 "
        "texcoord1, 5 texcoord2, 6 view",
    ),
)
_STRICT = Option(
    names=("--strict",),
    kind=FLAG,
    help="compute as the source says; without it, where nothing says precise or invariant, (A * B) * v is computed as "
    "A * (B * v) if that is shorter, or with --preamble the other way round, and rules such as 1.0 / sqrt(x) as "
    "inversesqrt(x) are used (lanewise isa --rewrites)",
)
_CONSTANT = Option(
    names=("--constant",),
    kind=TEXTS,
    help="the value of a specialization constant (constant_id in GLSL), by its number or name; may be repeated",
    metavar="ID=VALUE",
)
_ENTRY = Option(
    names=("--entry", "--entry-point"),
    kind=TEXT,
    help="HLSL, Slang, SPIR-V: the name of the vertex shader (default: found by its attribute, or a usual name)",
    metavar="NAME",
)
_OUTSIDE = (
    Option(
        names=("--glsl-compiler",),
        kind=TEXT,
        help="the compiler that turns the source into SPIR-V (default: the first that is installed)",
        metavar="",
        choices=("glslc", "glslang", "slangc", "slangpy"),
    ),
    *PREPROCESSOR,
    Option(names=("-O0",), kind=FLAG, help="that compiler does not optimise (default)"),
    Option(names=("-O",), kind=FLAG, help="that compiler optimises"),
)
_VALUES = """
  --output NAME=SEMANTIC   what an output is: position, normalquat, color, texcoord0, texcoord0w, texcoord1, texcoord2, view;
                           without it the name says so, as in color, outTexcoord0, vNormalquat. May be repeated"""


def outside(command: str) -> Manual:
    """Return the options and examples that GLSL, HLSL and Slang add to a command."""
    if command != "compile":
        return NOTHING_ADDED
    return Manual(
        (*_OUTSIDE, _ENTRY, _CONSTANT, *_OUTPUTS, _STRICT),
        values=_VALUES,
        examples="""
  lanewise compile light.vert -o light.shbin
  lanewise compile light.vert --to picasso -o light.v.pica
  lanewise compile skin.vert -D BONES=20 -I shaders/include --report""",
    )


def functions(command: str) -> Manual:
    """Return the options and examples that functions in SSA form add to a command."""
    return (
        Manual(
            (_OUTPUTS[0],),
            examples="""
  lanewise compile light.vert --stage ssa > light.ssa
  lanewise compile light.ssa -o light.shbin""",
        )
        if command == "compile"
        else NOTHING_ADDED
    )


def outputs(command: str) -> Manual:
    """Return the options and examples that SPIR-V adds to a command."""
    return (
        Manual(
            (_ENTRY, _CONSTANT, *_OUTPUTS, _STRICT),
            values=_VALUES,
            examples="""
  lanewise compile light.spv --output tint=color -o light.shbin""",
        )
        if command == "compile"
        else NOTHING_ADDED
    )


PREAMBLE = Option(
    names=("--preamble",),
    kind=OPTIONAL,
    help="compute what depends on uniforms only before the draw: a function in the header and the .json; in float32, or with "
    "`exact` as the GPU computes, bit for bit",
    metavar="exact",
    value="exact|float32",
)
SHBIN = "shbin"
SPIRV = "spirv"
FORMS = {SHBIN: ".shbin", "picasso": ".v.pica", "nihstro": ".vsh", SPIRV: ".spv"}
STAGES = ("spirv", "vector", "ssa", "picasso")
PICA200 = Manual(
    (
        Option(
            names=("--to",),
            kind=TEXT,
            help="what to write: shbin (default), a source as its suffix .pica or .vsh says too, or SPIR-V (.spv)",
            metavar="",
            choices=tuple(FORMS),
        ),
        Option(
            names=("--header",),
            kind=TEXT,
            help="the C header for citro3d (default: beside an SHBIN, with .h); - writes none",
            metavar="FILE",
        ),
        Option(
            names=("--avoid",),
            kind=TEXTS,
            help="an instruction that the program does without: dph, which an emulator computes as dp4",
            metavar="",
            choices=("dph",),
        ),
        PREAMBLE,
        Option(names=("--report",), kind=FLAG, help="show words, descriptors, registers and constants of each line"),
        Option(
            names=("--stage",),
            kind=TEXT,
            help="print the output of a compiler stage instead of writing a program",
            metavar="",
            choices=STAGES,
        ),
    ),
    values="""
  The header has the registers of uniforms and inputs for citro3d, and functions that set the counts of loops and flags.
  A uniform int that bounds a loop is an integer register, and a bool that decides an if is a boolean register: `lanewise run`
  takes both by name.
  --preamble adds the function NAME_prepare to the header, and NAME_upload, which an application calls before it draws, and
  writes a .json beside the SHBIN, with which `lanewise run` computes the same.""",
    examples="""
  lanewise compile light.vert --preamble -o light.shbin        work on uniforms only is done before the draw""",
    forms={
        ".shbin": "to=shbin",
        ".bin": "to=shbin",
        ".pica": "to=picasso",
        ".vsh": "to=nihstro",
        ".gsh": "to=nihstro",
        ".spv": "to=spirv",
    },
)

SHADERCORE_STAGES = ("spirv", "vector", "ssa", "trace", "code", "schedule", "program")
SHADERCORE = Manual(
    (
        *DEVICE,
        Option(
            names=("--to",),
            kind=TEXT,
            help="write machine words without a header, in this form",
            metavar="",
            choices=TARGETS,
        ),
        *SHAPE,
        BESIDE[0],
        BESIDE[1]._replace(names=("--header",)),
        Option(
            names=("--strategy", "--manner"),
            kind=TEXT,
            help="optimised (default), or a baseline: table (the sequences of the specification) or public",
            metavar="",
            choices=STRATEGIES,
        ),
        Option(
            names=("--bound",),
            kind=TEXTS,
            help="the largest iteration count of a uniform that loops count to; may be repeated",
            metavar="NAME=COUNT",
        ),
        Option(names=("--report",), kind=FLAG, help="show slots and cycles of each instruction or line, and of both baselines"),
        Option(
            names=("--accuracy",),
            kind=FLAG,
            help="run the program on random vertices and compare with the shader under IEEE 754",
        ),
        Option(
            names=("--stage",),
            kind=TEXT,
            help="print the output of a compiler stage instead of writing a program",
            metavar="",
            choices=SHADERCORE_STAGES,
        ),
    ),
    values="""
  The compiler also writes a JSON file next to the program, with its constants, inputs and outputs; `lanewise run` reads it.
  The device has no flow control: loops are unrolled, calls inlined, and branches become selections.
  GLSL and others: --output NAME=SEMANTIC says position, color or texcoord0, which the hardware exports; other outputs keep
  their names, in o3 to o7. --bound lights=4 is the most that a uniform int is which a loop counts to.""",
    examples="""
  lanewise compile light.vert --target shadercore -o light.scb
  lanewise compile light.vert --target shadercore --bound lights=4 --report
  lanewise compile light.vsa -o light.scb
  lanewise compile light.vso --device document --report
  lanewise compile skin.vsa --array c10=12/3 --decl v0=float3,v1=float2 -o skin.scb
  lanewise compile light.vso --accuracy --check
  lanewise compile light.vsa --stage program
  lanewise compile water.fxb:Water/P0/vertex         a shader of an effect""",
    forms={".scb": "", ".scbin": "", ".sc": "", **WORDS},
)
