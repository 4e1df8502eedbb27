"""What the PICA200 adds to commands: options, values, examples."""

from __future__ import annotations

from lanewise.core.service import FLAG, INCLUDE, INTEGER, NEARNESS, NOTHING_ADDED, OPTIONAL, TEXT, TEXTS, Manual, Option
from lanewise.pica200.options import NIHSTRO

_PROFILE = (
    Option(
        names=("--profile",),
        kind=TEXT,
        help="the rules of the hardware: hardware (default), azahar, panda3ds, or a TOML file of fields",
        metavar="NAME|FILE.toml",
    ),
    Option(
        names=("--set",),
        kind=TEXTS,
        help="a field of the profile, such as rounding=nearest; commas between several",
        metavar="FIELD=VALUE",
    ),
)
_RAW = (
    Option(
        names=("--words",),
        kind=OPTIONAL,
        help="a dump: the file of instruction words, as little-endian bytes, hexadecimal text or a JSON array; no FILE then",
        metavar="CODE",
        alone=True,
    ),
    Option(
        names=("--descriptors",),
        kind=TEXT,
        help="with --words: the file of operand descriptors, as words or 8-byte pairs",
        metavar="DESC",
        needs="words",
    ),
)
_DATA = Option(
    names=("--data",),
    kind=TEXT,
    help="the program, the outputs and the values of a dump as JSON or TOML (lanewise/data/1)",
    metavar="FILE",
)
_START = Option(
    names=("-e", "--entry"),
    kind=TEXT,
    help="with --words: the number of the word where the program begins (default: 0)",
    metavar="N",
    needs="words",
)
_STAGE = Option(names=("-g", "--geometry"), kind=FLAG, help="with --words: the program is a geometry shader", needs="words")
_PROGRAM = Option(
    names=("--program",),
    kind=TEXT,
    help="shader of the file, by name or number (default: the only vertex shader)",
    metavar="NAME|N",
)
_OF_CACHE = Option(
    names=("--program",),
    kind=TEXT,
    help="program of a shader cache, by hash or number; FILE:NAME says the same",
    metavar="NAME|N",
)
_OF_DRAWS = (
    Option(
        names=("--source",),
        kind=TEXTS,
        help="with a recorded draw: a source of its programs (may be repeated), for its lines and names; an edited one takes "
        "their place",
        metavar="FILE",
    ),
    Option(
        names=("--sources",),
        kind=TEXT,
        help="with a recorded draw: the folder in which those sources are found by their words",
        metavar="DIR",
    ),
)
# Every command that reads sources has it, because findings of any of them advise it.
_COMPATIBLE = Option(names=("--picasso-compat",), kind=FLAG, help="accept what picasso accepts, as it accepts it")

# What commands that take an assembly source take for one that is compiled first; `lanewise compile` has its own
# (`compile.services.manuals`).
COMPILED = (
    Option(
        names=("-D", "--define"),
        kind=TEXTS,
        help="a macro of the source, as #define gives it (default text: 1)",
        metavar="NAME[=TEXT]",
    ),
    INCLUDE,
    Option(names=("--entry-point",), kind=TEXT, help="HLSL, Slang, SPIR-V: the name of the vertex shader", metavar="NAME"),
    Option(
        names=("--constant",),
        kind=TEXTS,
        help="GLSL, HLSL, Slang, SPIR-V: the value of a specialization constant, by its number or name; may be repeated",
        metavar="ID=VALUE",
    ),
    Option(
        names=("--semantic",),
        kind=TEXTS,
        help="GLSL, HLSL, Slang, SPIR-V: what an output is, or the usage of an input; may be repeated",
        metavar="NAME=SEMANTIC",
    ),
    Option(
        names=("--output-locations",),
        kind=FLAG,
        help="GLSL, HLSL, Slang, SPIR-V: take the semantics of outputs from their locations",
    ),
    Option(names=("--strict",), kind=FLAG, help="GLSL, HLSL, Slang, SPIR-V: multiply matrices in the order of the source"),
    Option(
        names=("--preamble",),
        kind=OPTIONAL,
        help="GLSL, HLSL, Slang, SPIR-V: compute what depends on uniforms only before the draw; `exact`: as the GPU would",
        metavar="exact",
        value="exact|float32",
    ),
    Option(
        names=("--glsl-compiler",),
        kind=TEXT,
        help="the compiler that turns GLSL, HLSL or Slang into SPIR-V",
        metavar="",
        choices=("glslc", "glslang", "slangc", "slangpy"),
    ),
)
_SOURCES = {".pica": "", ".vsh": "", ".gsh": ""}
_COMPILING = ("check", "convert", "debug", "diff", "graph", "inspect", "opt", "run", "time")

_MANUALS = {
    "dis": Manual(
        (*_RAW, _START, _STAGE, _DATA, _OF_CACHE),
        examples="""
  lanewise dis light.shbin                     print the source
  lanewise dis ball.shbin -o ball/             one file for each shader, in the folder ball
  lanewise dis light.shbin --dialect nihstro   as nihstro source
  lanewise dis --words code.bin --descriptors desc.bin --entry 8""",
        values="""
  A file that picasso wrote becomes plain picasso source. Any other file becomes source with directives that only
  lanewise reads. Both assemble to the same bytes: the first line of each source says how. With --dialect nihstro the
  sources assemble to the same instructions, not to the same bytes; so do those in files named .vsh and .gsh.""",
        forms={".pica": "dialect=picasso", ".vsh": "dialect=nihstro", ".gsh": "dialect=nihstro"},
    ),
    "check": Manual(
        (
            *_RAW,
            _DATA,
            _OF_CACHE,
            Option(
                names=("-e", "--entry"),
                kind=TEXT,
                help="nihstro: the label where the program begins (default: main); with --words: the "
                "number of that word (default: 0)",
                metavar="START",
            ),
            Option(names=("-g", "--geometry"), kind=FLAG, help="nihstro sources, or --words, are geometry shaders"),
            Option(names=("-n", "--no-nop"), kind=FLAG, help="the program is assembled without padding NOPs"),
            *_OF_DRAWS,
            _COMPATIBLE,
        ),
        examples="""
  lanewise check light.v.pica                      every finding
  lanewise check shaders/*.pica --level warning    without notes
  lanewise check ball.v.pica lib.pica --link       one program of several files
  lanewise check lights.vsh                        nihstro's language; any SHBIN too
  lanewise check --words code.bin --descriptors desc.bin
  lanewise check frame.ctf:12 --sources source/    a recorded draw, with the lines of its source
  lanewise check light.v.pica --hints              what makes it shorter
  lanewise check light.v.pica --stats              words, instructions per vertex, registers""",
    ),
    "convert": Manual(
        (*NIHSTRO, _COMPATIBLE),
        examples="""
  lanewise convert light.v.pica --to nihstro               print it as nihstro source
  lanewise convert light.vsh --to picasso -o light.v.pica
  lanewise convert ball.v.pica ball.g.pica --to nihstro -o ball/
  lanewise convert light.shbin --to nihstro""",
        values="""
  The sources compute the same: they are assembled and compared instruction by instruction. Names of uniforms, inputs,
  constants, labels and procedures stay; comments and other aliases do not, and of an SHBIN only the names that are in
  it. What a language has no form for is written in a form that only lanewise reads, with a comment; what it cannot say
  at all is reported on standard error.""",
        forms=_SOURCES,
    ),
    "opt": Manual(
        (
            Option(
                names=("--source",),
                kind=FLAG,
                help="write sources instead of an SHBIN: those given, with names, comments and layout kept; of an SHBIN its "
                "disassembly",
            ),
            Option(
                names=("--constants-known",),
                kind=FLAG,
                help="the application does not overwrite the constants of the file: their values may be used",
            ),
            Option(
                names=("--unroll",),
                kind=FLAG,
                help="unroll loops whose counts are known, where that saves words or ends findings; counts are those of "
                "--uniform, and of the file with --constants-known",
            ),
            Option(
                names=("--uniform",),
                kind=TEXTS,
                help="an integer register that the application always sets to these values: count - 1, start, step; such as "
                "i0=3,0,1",
                metavar="NAME=VALUE",
            ),
            Option(
                names=("-O3", "--search"),
                kind=FLAG,
                help="also search, among all instructions over the operands at hand, for one that does what up to five do; "
                "takes long",
            ),
            Option(
                names=("--avoid",),
                kind=TEXTS,
                help="instructions that are not to be introduced, such as dph, which one emulator computes as dp4",
                metavar="NAMES",
            ),
            Option(
                names=("--allow",),
                kind=TEXTS,
                help="findings of `lanewise check` that may be added, such as V088",
                metavar="CODES",
            ),
            *NIHSTRO,
            _COMPATIBLE,
        ),
        examples="""
  lanewise opt light.v.pica                                what could be saved
  lanewise opt light.v.pica -o light.shbin --report        each step with its reason
  lanewise opt light.v.pica --constants-known -o light.shbin
  lanewise opt lights.v.pica --unroll --uniform i0=1,0,1 -o lights.shbin
  lanewise opt light.v.pica --source -o light.small.v.pica
  lanewise opt ball.v.pica ball.g.pica -o ball.shbin
  lanewise opt light.shbin -o small.shbin --avoid dph""",
        values="""
  A step is done if it is proved under the profiles that `lanewise diff` uses, and if `lanewise check` finds nothing new
  afterwards. Words are counted, no time is promised: there is no public cycle model of the PICA200.""",
        forms={".shbin": "", ".bin": "", **dict.fromkeys(_SOURCES, "source")},
    ),
    "translate": Manual(
        (
            _PROGRAM._replace(
                help="shader of the file, by name or number (default: all for C and C++, the only vertex shader for GLSL and "
                "WGSL)"
            ),
            Option(
                names=("--numbers",),
                kind=TEXT,
                help="float24: exact, on integers (default); float: the float32 of emulators, fast",
                metavar="",
                choices=("float24", "float"),
            ),
            Option(
                names=("--finite",),
                kind=FLAG,
                help="with --numbers float: no number is an infinity or NaN, so that nothing tests for them",
            ),
            Option(
                names=("--batch",),
                kind=FLAG,
                help="with --to c --numbers float: also a function for arrays of vertices, whose loop compilers vectorise",
            ),
            *_RAW,
            _START,
            _STAGE,
            _COMPATIBLE,
            Option(
                names=("--profile",),
                kind=TEXT,
                help="the rules: hardware (default for float24), azahar (default for float) or panda3ds",
                metavar="NAME",
            ),
            _PROFILE[1],
        ),
        examples="""
  lanewise translate light.v.pica --to c -o light.c        exact, as a function of C
  lanewise translate light.shbin --to cpp -o light.hpp
  lanewise translate light.shbin --to glsl --numbers float -o light.vert
  lanewise translate light.shbin --to c --numbers float --finite -o light.c   as fast as by hand
  lanewise translate ball.shbin:ball_vsh --to wgsl
  lanewise translate ball.v.pica ball.g.pica --to c        both shaders in one file
  lanewise translate light.shbin --to c --set rounding=nearest
  lanewise translate light.shbin --to c --format json      with the layout of the structures""",
        values="""
  float24 gives the bits of `lanewise run` under the same profile; float those of the emulator that the profile is named
  for, but for NaN and the last place of EX2 and LG2.""",
    ),
    "fmt": Manual(
        examples="""
  lanewise fmt light.v.pica light.vsh          format the files in place
  lanewise fmt --check *.pica                  list those that would change, for CI
  lanewise fmt --diff light.vsh                show what would change
  lanewise fmt - --dialect nihstro < light.vsh""",
    ),
    "inspect": Manual(
        (
            Option(
                names=("--output-maps",),
                kind=FLAG,
                help="also show the registers that wire outputs to the rasterizer, for each vertex shader "
                "alone and with each geometry shader (default: for a file with one of each)",
            ),
            *_RAW,
            _START,
            _STAGE,
            _DATA,
            _OF_CACHE,
            *_OF_DRAWS,
            _COMPATIBLE,
        ),
        examples="""
  lanewise inspect light.shbin                         shaders, inputs, outputs, uniforms, constants
  lanewise inspect light.shbin --listing               every word, with its descriptor and text
  lanewise inspect ball.shbin --output-maps            which output is what for the rasterizer
  lanewise inspect light.vsh --listing                 what a source becomes
  lanewise inspect --scan game.bin                     programs inside another file
  lanewise inspect --scan game.bin --extract shaders   and a file for each different one
  lanewise inspect 0004000000030800.bin                the programs of a shader cache of Azahar
  lanewise inspect --words code.bin --descriptors desc.bin""",
    ),
    "graph": Manual(
        (
            _PROGRAM._replace(help="shader of the file, by name or number (default: the only one, or the only vertex shader)"),
            Option(
                names=("--boolean",),
                kind=TEXTS,
                help="a boolean uniform whose value is known: b0=true, glossy=false",
                metavar="NAME=VALUE",
            ),
            *_RAW,
            _START,
            _STAGE,
            _DATA,
            Option(
                names=("--limit",), kind=INTEGER, help="stop at more than N control states (address and rings)", metavar="N"
            ),
            _COMPATIBLE,
            *_PROFILE,
        ),
        examples="""
  lanewise graph light.v.pica                          every basic block with its condition and successors
  lanewise graph light.v.pica -o light.svg             a picture, for a browser
  lanewise graph ball.shbin --program 1 -o ball.dot    for Graphviz
  lanewise graph toon.v.pica --boolean glossy=false    without what that rules out
  lanewise graph --words code.bin --descriptors desc.bin --entry 8
  lanewise graph light.shbin --format json""",
    ),
    "diff": Manual(
        (
            _PROGRAM._replace(
                help="shader of both files, by name or number (default: all, in order; FILE:NAME is one of a file)"
            ),
            Option(
                names=("--constants-known",),
                kind=FLAG,
                help="take constants of the files as known: applications do not overwrite them",
            ),
            Option(names=("--nan-patterns",), kind=FLAG, help="compare NaN by their patterns (default: all NaN are one value)"),
            Option(
                names=("--searches",),
                kind=INTEGER,
                help="how often to search for a difference where there is no proof (default: 8)",
                metavar="N",
            ),
            _COMPATIBLE,
            Option(
                names=("--profile",),
                kind=TEXT,
                help="only the rules of hardware, azahar, panda3ds or a TOML file (default: all three, and from each every "
                "other answer to one open question)",
                metavar="NAME|FILE.toml",
            ),
            Option(
                names=("--set",),
                kind=TEXTS,
                help="a field of the profile, such as rounding=nearest; commas between several",
                metavar="FIELD=VALUE",
            ),
            Option(
                names=("--transposed",),
                kind=TEXTS,
                help="a matrix uniform whose registers are its rows in one program and its columns in the other",
                metavar="NAME",
            ),
            *NEARNESS,
        ),
        examples="""
  lanewise diff light.v.pica light.shbin           a source and a binary
  lanewise diff old.v.pica new.v.pica --constants-known
  lanewise diff old.shbin new.shbin --ulp 4 --range position=-1..1 --range '*=0.5..2'
  lanewise diff game.shbin:main light.v.pica       one shader of a file
  lanewise diff light.v.pica - < changed.v.pica --stdin-filename changed.v.pica
  lanewise diff frame.ctf:3 frame.ctf:7            two recorded draws: registers, uniforms, attributes, programs
  lanewise diff old.shbin new.shbin --profile hardware --format json""",
    ),
    "run": Manual(
        (
            _PROGRAM,
            *_RAW,
            _START,
            *_OF_DRAWS,
            Option(names=("--uniforms",), kind=TEXTS, help="uniforms of a JSON or TOML file, by name", metavar="FILE"),
            Option(
                names=("--mesh",),
                kind=TEXT,
                help="OBJ, PLY, STL or GLB: its positions, normals, texture coordinates and colours go to the "
                "inputs whose names look like them; with --draw, --why and meshes its faces are the triangles",
                metavar="FILE",
            ),
            Option(
                names=("--camera",),
                kind=OPTIONAL,
                help="a camera around the mesh, as in the studio, for matrices without a value, by their names: degrees around "
                "and above, and a distance (default: 34,23, and one from which all of the mesh is visible)",
                metavar="YAW,PITCH[,DISTANCE]",
                value=r"-?[0-9.]+(,-?[0-9.]+){1,2}",
            ),
            Option(
                names=("--attribute",),
                kind=TEXTS,
                help="an element of a vertex in --buffer, in order: an input by name or v0-v15 (_ skips), float, short, "
                "byte or ubyte, and 1 to 4 components; integers count by value. As AttrInfo_AddLoader",
                metavar="NAME=TYPE*N",
            ),
            Option(
                names=("--buffer",),
                kind=TEXTS,
                help="raw bytes of vertices: offset of the first, bytes from one to the next, and which attributes it holds, "
                "as BufInfo_Add has it: 0x210 is attributes 0, 1, 2 (default: 0, the size of the attributes, all of them)",
                metavar="FILE[:OFFSET[:STRIDE[:PERMUTATION]]]",
            ),
            _COMPATIBLE,
            Option(names=("--budget",), kind=INTEGER, help="most steps of a vertex", metavar="N"),
            *_PROFILE,
            Option(
                names=("--engine",),
                kind=TEXT,
                help="engine to use; all give identical results (default: auto)",
                metavar="",
                choices=("auto", "reference", "llvm"),
            ),
            Option(names=("--threads",), kind=INTEGER, help="number of threads (default: 1)", metavar="N"),
            Option(
                names=("--indices",),
                kind=TEXT,
                help="run both stages and show primitives: numbers of vertices 0,1,2,2,1,3, a file, or all; in variable mode "
                "with a count before each primitive",
                metavar="VALUE",
            ),
            Option(
                names=("--topology",),
                kind=TEXT,
                help="how vertices become triangles (default: triangles; geometry after a geometry shader)",
                metavar="",
                choices=("triangles", "strip", "fan", "geometry"),
            ),
            Option(
                names=("--vertices-per-primitive",),
                kind=INTEGER,
                help="vertices for a run of a geometry shader in point mode (default: as many as it reads)",
                metavar="N",
            ),
            Option(
                names=("--geometry",),
                kind=TEXT,
                help="which geometry shader (default: the only one of the file); with --words its mode: point, variable or "
                "fixed",
                metavar="NAME|N|MODE",
            ),
            Option(
                names=("--geometry-uniform",), kind=TEXTS, help="a uniform for the geometry shader only", metavar="NAME=VALUE"
            ),
            Option(
                names=("--rasterized",),
                kind=FLAG,
                help="show and write every semantic as the rasterizer takes it: 1 where no output is wired, colours as "
                "min(|c|, 1)",
            ),
            Option(
                names=("--against",),
                kind=TEXT,
                help="with --trace: compare with a log of another implementation, and show the first step that differs; JSON "
                "lines, or as --log-format says",
                metavar="LOG",
            ),
            Option(
                names=("--log-format",),
                kind=TEXT,
                help="with --against: a line of the log, such as '{pc:x}: {dst} = {x} {y} {z} {w}'; also {cmp.x} {cmp.y} "
                "{a0.x} {a0.y} {aL} {vertex} {_}, with :x for hexadecimal and :d for whole numbers",
                metavar="PATTERN",
            ),
            Option(
                names=("--trace-stage",),
                kind=TEXT,
                help="with --trace: which shader (default: the last one that runs)",
                metavar="",
                choices=("vertex", "geometry"),
            ),
        ),
        values="""
  1,2,3            one vector; for an input, the same for every vertex
  1,2,3;4,5,6      rows: one for each vertex, or each register of a uniform
  true             for a boolean register
  data.npy         data.npz:key      table.csv      table.csv:x,y,z      table.parquet
  mesh:position    also mesh:normal, mesh:texcoord, mesh:color of --mesh
  words:0x3F0000   raw float24 words; before any of the above
  Components that are not given are 0, 0, 0, 1. Any option about primitives runs both stages, if the file has a geometry
  shader. Profiles answer open questions about the hardware; lanewise isa pica200 --evidence lists their fields and
  what is known of each.""",
        examples="""
  lanewise run transform.v.pica --input position="0,0,0;1,2,3" --input color=1,1,1 \\
      --input texcoord=0,0 --uniform projection="1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1"
  lanewise run light.shbin --mesh teapot.obj --uniforms scene.json -o lit.npz
  lanewise run skin.shbin --input v0=verts.npy --uniform c4=1,2,3,4 --uniform i0=3,0,1 --uniform b3=true
  lanewise run light.shbin --mesh teapot.obj --uniforms scene.json --profile azahar
  lanewise run light.shbin --mesh teapot.obj --uniforms scene.json --set rounding=nearest
  lanewise run light.shbin --mesh teapot.obj --uniforms scene.json --profile console.toml
  lanewise run skin.shbin --input v0=verts.npy --uniforms scene.json --engine llvm --threads 2 -o skinned.npz
  lanewise run light.shbin --mesh teapot.obj --uniforms scene.json --trace 17 --explain color.x
  lanewise run light.shbin --data frame.json --trace 17 --against emulator.log --log-format '{pc:x}: {dst} = {x} {y} {z} {w}'
  lanewise run expand.v.pica expand.g.pica --input position=points.npy --indices all --geometry-uniform size=0.5
  lanewise run light.shbin --attribute position=float*3 --attribute color=ubyte*4 --buffer vertices.bin --uniforms scene.json
  lanewise run expand.v.pica expand.g.pica --input position=points.npy --indices all --trace 3 --explain position.x@1
  lanewise run --words code.bin --descriptors desc.bin --entry 8 --data frame.json
  lanewise run frame.ctf:12 --source light.v.pica --trace 0       a recorded draw with the lines of its source
  lanewise run light.shbin --mesh teapot.obj --uniforms scene.json --draw teapot.svg
  lanewise run light.shbin --mesh teapot.obj --uniforms scene.json --why --screen bottom
  lanewise run light.shbin --mesh teapot.obj --uniforms scene.json -o transformed.ply
  cat light.shbin | lanewise run - --program 0 --count 3 --format json""",
    ),
    "vectors": Manual(
        _PROFILE,
        examples="""
  lanewise vectors pica200 --profile azahar -o vectors
  lanewise vectors pica200 --suite flow --suite geometry -o vectors --format json""",
    ),
    "isa": Manual(
        (
            Option(
                names=("--descriptor",),
                kind=TEXT,
                help="the operand descriptor of the word that is decoded",
                metavar="WORD",
                needs="decode",
            ),
        ),
        examples="""
  lanewise isa pica200                      registers, instructions, formats, limits
  lanewise isa pica200 mad                  one instruction, by name (any case)
  lanewise isa pica200 0x13                 or by the upper six bits of its words
  lanewise isa pica200 --evidence           what is measured, inferred, unknown; the fields of profiles
  lanewise isa pica200 --evidence rcp       the same about an instruction, a field of a profile, or words
  lanewise isa pica200 --decode 0x4C201000  the fields of a word
  lanewise isa pica200 --decode 0x4C201000 --descriptor 0x36F""",
    ),
}

_DEBUG = """
  lanewise debug light.v.pica --mesh teapot.obj --camera --default 0
  lanewise debug light.v.pica --mesh teapot.obj --uniforms scene.json --vertices 0,17
  lanewise debug expand.v.pica expand.g.pica --input position=points.npy --indices all
  lanewise debug light.shadertest.toml --test "faces the light"
  echo "break 12\\ncontinue\\nexplain color.x" | lanewise debug light.v.pica -i position=0,0,0 --default 0 --headless -"""


def manual(command: str) -> Manual:
    """What is added to a command."""
    found = _manual(command)
    return found._replace(options=(*found.options, *COMPILED)) if command in _COMPILING else found


def _manual(command: str) -> Manual:
    if command == "debug":
        unused = ("engine", "threads", "topology", "rasterized", "against", "log-format")
        found = [option for option in _MANUALS["run"].options if option.key not in unused]
        stage = "which shader (default: the last one that runs)"
        options = [option._replace(help=stage) if option.key == "trace-stage" else option for option in found]
        return Manual(tuple(options), _MANUALS["run"].values, _DEBUG)
    return _MANUALS.get(command, NOTHING_ADDED)
