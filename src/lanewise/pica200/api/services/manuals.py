"""What the PICA200 adds to commands: options, values, examples."""

from __future__ import annotations

from lanewise.core.service import FLAG, INTEGER, NOTHING_ADDED, OPTIONAL, TEXT, TEXTS, Manual, Option
from lanewise.pica200.options import NIHSTRO

_PROFILE = (
    Option(
        ("--profile",),
        TEXT,
        "the rules of the hardware: hardware (default), azahar, panda3ds, or a TOML file of fields",
        "NAME|FILE.toml",
    ),
    Option(("--set",), TEXTS, "one field of the profile, such as rounding=nearest", "FIELD=VALUE"),
)
_RAW = (
    Option(
        ("--words",),
        OPTIONAL,
        "a dump: the file of instruction words, as little-endian bytes, hexadecimal text or a JSON array; no FILE then",
        "CODE",
        alone=True,
    ),
    Option(
        ("--descriptors",),
        TEXT,
        "with --words: the file of operand descriptors, as words or 8-byte pairs",
        "DESC",
        needs="words",
    ),
)
_DATA = Option(("--data",), TEXT, "the program, the outputs and the values of a dump as JSON or TOML (lanewise/data/1)", "FILE")
_START = Option(
    ("-e", "--entry"), TEXT, "with --words: the number of the word where the program begins (default: 0)", "N", needs="words"
)
_STAGE = Option(("-g", "--geometry"), FLAG, "with --words: the program is a geometry shader", needs="words")
_PROGRAM = Option(("--program",), TEXT, "shader of the file, by name or number (default: the only vertex shader)", "NAME|N")
_OF_CACHE = Option(("--program",), TEXT, "program of a shader cache, by hash or number; FILE:NAME says the same", "NAME|N")
# Every command that reads sources has it, because findings of any of them advise it.
_COMPATIBLE = Option(("--picasso-compat",), FLAG, "accept what picasso accepts, as it accepts it")

# What commands that take an assembly source take for one that is compiled first; `lanewise compile` has its own
# (`compile.services.manuals`).
COMPILED = (
    Option(("-D", "--define"), TEXTS, "a macro of the source, as #define gives it (default text: 1)", "NAME[=TEXT]"),
    Option(("-I", "--include"), TEXTS, "a folder to search for included files, after that of the file that includes", "DIR"),
    Option(("--entry-point",), TEXT, "HLSL, Slang, SPIR-V: the name of the vertex shader", "NAME"),
    Option(
        ("--constant",),
        TEXTS,
        "GLSL, HLSL, Slang, SPIR-V: the value of a specialization constant, by its number or name; may be repeated",
        "ID=VALUE",
    ),
    Option(("--semantic",), TEXTS, "GLSL, HLSL, Slang, SPIR-V: what an output is; may be repeated", "OUTPUT=SEMANTIC"),
    Option(("--output-locations",), FLAG, "GLSL, HLSL, Slang, SPIR-V: take the semantics of outputs from their locations"),
    Option(
        ("--glsl-compiler",),
        TEXT,
        "the compiler that turns GLSL, HLSL or Slang into SPIR-V",
        "",
        ("glslc", "glslang", "slangc", "slangpy"),
    ),
)
_SOURCES = {".pica": "", ".vsh": "", ".gsh": ""}
_COMPILING = ("check", "convert", "debug", "diff", "graph", "inspect", "opt", "run")

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
                ("-e", "--entry"),
                TEXT,
                "nihstro: the label where the program begins (default: main); with --words: the "
                "number of that word (default: 0)",
                "START",
            ),
            Option(("-g", "--geometry"), FLAG, "nihstro sources, or --words, are geometry shaders"),
            Option(("-n", "--no-nop"), FLAG, "the program is assembled without padding NOPs"),
            Option(("--hints",), FLAG, "also note instructions, constants and descriptors that the program can do without"),
            _COMPATIBLE,
        ),
        examples="""
  lanewise check light.v.pica                      every finding
  lanewise check shaders/*.pica --level warning    without notes
  lanewise check ball.v.pica lib.pica --link       one program of several files
  lanewise check lights.vsh                        nihstro's language; any SHBIN too
  lanewise check --words code.bin --descriptors desc.bin
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
                ("--source",),
                FLAG,
                "write sources instead of an SHBIN: those given, with names, comments and layout kept; of an SHBIN its "
                "disassembly",
            ),
            Option(
                ("--constants-known",),
                FLAG,
                "the application does not overwrite the constants of the file: their values may be used",
            ),
            Option(
                ("--unroll",),
                FLAG,
                "unroll loops whose counts are known, where that saves words or ends findings; counts are those of "
                "--uniform, and of the file with --constants-known",
            ),
            Option(
                ("--uniform",),
                TEXTS,
                "an integer register that the application always sets to these values: count - 1, start, step; such as "
                "i0=3,0,1",
                "NAME=VALUE",
            ),
            Option(
                ("-O3", "--search"),
                FLAG,
                "also search, among all instructions over the operands at hand, for one that does what up to five do; takes "
                "long",
            ),
            Option(
                ("--avoid",),
                TEXTS,
                "instructions that are not to be introduced, such as dph, which one emulator computes as dp4",
                "NAMES",
            ),
            Option(("--allow",), TEXTS, "findings of `lanewise check` that may be added, such as V088", "CODES"),
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
                ("--numbers",),
                TEXT,
                "float24: exact, on integers (default); float: the float32 of emulators, fast",
                "",
                ("float24", "float"),
            ),
            *_RAW,
            _START,
            _STAGE,
            _COMPATIBLE,
            Option(
                ("--profile",),
                TEXT,
                "the rules: hardware (default for float24), azahar (default for float) or panda3ds",
                "NAME",
            ),
            _PROFILE[1],
        ),
        examples="""
  lanewise translate light.v.pica --to c -o light.c        exact, as a function of C
  lanewise translate light.shbin --to cpp -o light.hpp
  lanewise translate light.shbin --to glsl --numbers float -o light.vert
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
                ("--output-maps",),
                FLAG,
                "also show the registers that wire outputs to the rasterizer, for each vertex shader "
                "alone and with each geometry shader (default: for a file with one of each)",
            ),
            *_RAW,
            _START,
            _STAGE,
            _DATA,
            _OF_CACHE,
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
            Option(("--boolean",), TEXTS, "a boolean uniform whose value is known: b0=true, glossy=false", "NAME=VALUE"),
            *_RAW,
            _START,
            _STAGE,
            _DATA,
            Option(("--limit",), INTEGER, "stop at more than N control states (address and rings)", "N"),
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
            Option(("--constants-known",), FLAG, "take constants of the files as known: applications do not overwrite them"),
            Option(("--nan-patterns",), FLAG, "compare NaN by their patterns (default: all NaN are one value)"),
            Option(("--searches",), INTEGER, "how often to search for a difference where there is no proof (default: 8)", "N"),
            _COMPATIBLE,
            Option(
                ("--profile",),
                TEXT,
                "only the rules of hardware, azahar, panda3ds or a TOML file (default: all three, and from each every other "
                "answer to one open question)",
                "NAME|FILE.toml",
            ),
            Option(("--set",), TEXTS, "one field of the profile, such as rounding=nearest", "FIELD=VALUE"),
        ),
        examples="""
  lanewise diff light.v.pica light.shbin           a source and a binary
  lanewise diff old.v.pica new.v.pica --constants-known
  lanewise diff game.shbin:main light.v.pica       one shader of a file
  lanewise diff light.v.pica - < changed.v.pica --stdin-filename changed.v.pica
  lanewise diff old.shbin new.shbin --profile hardware --format json""",
    ),
    "run": Manual(
        (
            _PROGRAM,
            *_RAW,
            _START,
            Option(("--uniforms",), TEXTS, "uniforms of a JSON or TOML file, by name", "FILE"),
            Option(
                ("--mesh",),
                TEXT,
                "OBJ, PLY, STL or GLB: its positions, normals, texture coordinates and colours go to the "
                "inputs whose names look like them; with --draw, --why and meshes its faces are the triangles",
                "FILE",
            ),
            Option(
                ("--attribute",),
                TEXTS,
                "an element of a vertex in --buffer, in order: an input by name or v0-v15 (_ skips), float, short, "
                "byte or ubyte, and 1 to 4 components; integers count by value. As AttrInfo_AddLoader",
                "NAME=TYPE*N",
            ),
            Option(
                ("--buffer",),
                TEXTS,
                "raw bytes of vertices: offset of the first, bytes from one to the next, and which attributes it holds, "
                "as BufInfo_Add has it: 0x210 is attributes 0, 1, 2 (default: 0, the size of the attributes, all of them)",
                "FILE[:OFFSET[:STRIDE[:PERMUTATION]]]",
            ),
            _COMPATIBLE,
            Option(("--budget",), INTEGER, "most steps of a vertex", "N"),
            *_PROFILE,
            Option(
                ("--engine",),
                TEXT,
                "engine to use; all give identical results (default: auto)",
                "",
                ("auto", "reference", "llvm"),
            ),
            Option(("--threads",), INTEGER, "number of threads (default: 1)", "N"),
            Option(
                ("--indices",),
                TEXT,
                "run both stages and show primitives: numbers of vertices 0,1,2,2,1,3, a file, or all; in variable mode "
                "with a count before each primitive",
                "VALUE",
            ),
            Option(
                ("--topology",),
                TEXT,
                "how vertices become triangles (default: triangles; geometry after a geometry shader)",
                "",
                ("triangles", "strip", "fan", "geometry"),
            ),
            Option(
                ("--vertices-per-primitive",),
                INTEGER,
                "vertices for a run of a geometry shader in point mode (default: as many as it reads)",
                "N",
            ),
            Option(
                ("--geometry",),
                TEXT,
                "which geometry shader (default: the only one of the file); with --words its mode: point, variable or fixed",
                "NAME|N|MODE",
            ),
            Option(("--geometry-uniform",), TEXTS, "a uniform for the geometry shader only", "NAME=VALUE"),
            Option(
                ("--rasterized",),
                FLAG,
                "show and write every semantic as the rasterizer takes it: 1 where no output is wired, colours as min(|c|, 1)",
            ),
            Option(
                ("--trace-stage",),
                TEXT,
                "with --trace: which shader (default: the last one that runs)",
                "",
                ("vertex", "geometry"),
            ),
        ),
        values="""
  1,2,3            one vector; for an input, the same for every vertex
  1,2,3;4,5,6      rows: one for each vertex, or each register of a uniform
  true             for a boolean register
  data.npy         data.npz:key      table.csv      table.csv:x,y,z
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
  lanewise run expand.v.pica expand.g.pica --input position=points.npy --indices all --geometry-uniform size=0.5
  lanewise run light.shbin --attribute position=float*3 --attribute color=ubyte*4 --buffer vertices.bin --uniforms scene.json
  lanewise run expand.v.pica expand.g.pica --input position=points.npy --indices all --trace 3 --explain position.x@1
  lanewise run --words code.bin --descriptors desc.bin --entry 8 --data frame.json
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
        (Option(("--descriptor",), TEXT, "the operand descriptor of the word that is decoded", "WORD", needs="decode"),),
        examples="""
  lanewise isa pica200                      registers, instructions, formats, limits
  lanewise isa pica200 mad                  one instruction, by name (any case)
  lanewise isa pica200 0x13                 or by the upper six bits of its words
  lanewise isa pica200 --evidence           what is measured, inferred, unknown; the fields of profiles
  lanewise isa pica200 --decode 0x4C201000  the fields of a word
  lanewise isa pica200 --decode 0x4C201000 --descriptor 0x36F""",
    ),
}

_DEBUG = """
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
        unused = ("engine", "threads", "topology", "rasterized")
        found = [option for option in _MANUALS["run"].options if option.key not in unused]
        stage = "which shader (default: the last one that runs)"
        options = [option._replace(help=stage) if option.key == "trace-stage" else option for option in found]
        return Manual(tuple(options), _MANUALS["run"].values, _DEBUG)
    return _MANUALS.get(command, NOTHING_ADDED)
