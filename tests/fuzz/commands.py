"""Command lines that read a kind of file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.packages import packages
from lanewise.tools.run import LINE

if TYPE_CHECKING:
    from collections.abc import Mapping

# Placeholders in command lines: data for the inputs of the seed (several arguments), the mutant, an output, a folder for
# outputs, the mutant on standard input, files of `support`, a file beside the mutant.
FILE, OUT, FOLDER, STDIN, DATA = "{file}", "{out}", "{folder}", "{stdin}", "{data}"
INPUTS, PROGRAM, UNIT_FILE = "{inputs}", "{in}/program.scb", "{in}/pass.v.pica"


# Programs other than `lanewise`, by the first word of a command line: what Python runs for them.
OTHER_PROGRAMS: Mapping[str, tuple[str, ...]] = {
    "picasso": ("-c", "from lanewise.__main__ import picasso; picasso()"),
    "shadertest": ("-m", "lanewise", "test"),
}


# Runs without data for all inputs and constants, where they would be an error.
ZEROS = (
    ("--default", "0")
    if any(option.key == "default" for package in packages() for option in (*LINE.options, *package.manual("run").options))
    else ()
)
PICA_RUN = (INPUTS, "--uniforms", DATA + "/uniforms.json", "--budget", "3000")
_PICA = (
    ("asm", FILE, "-o", OUT),
    ("asm", FILE, "--check", "--format", "json"),
    ("check", FILE),
    ("check", FILE, "--stats"),
    ("check", FILE, "--format", "sarif"),
    ("fmt", FILE),
    ("fmt", FILE, "--diff"),
    ("inspect", FILE, "--listing"),
    ("graph", FILE),
    ("graph", FILE, "--format", "svg", "-o", OUT + ".svg"),
    ("run", FILE, *PICA_RUN, "-o", OUT + ".npz"),
    ("run", FILE, "--count", "1", "--budget", "3000"),
    ("run", FILE, *PICA_RUN, "--trace", "0"),
    ("run", FILE, "--mesh", DATA + "/tetra.obj", *PICA_RUN[1:]),
    ("translate", FILE, "--to", "c", "--numbers", "float", "--batch", "-o", OUT),
    ("translate", FILE, "--to", "glsl", "--format", "json"),
)
PICASSO = (
    *_PICA,
    ("asm", FILE, "-o", OUT, "-H", OUT + ".h", "--words", OUT + ".w"),
    ("asm", FILE, "--picasso-compat", "-o", OUT),
    ("asm", FILE, "-n", "--layout", "official", "-o", OUT),
    ("convert", FILE, "--to", "nihstro", "-o", OUT),
    ("picasso", FILE, "-o", OUT, "-h", OUT + ".h"),
    ("picasso", FILE, DATA + "/pass.v.pica", "-o", OUT),
    ("run", DATA + "/vertex.v.pica", FILE, "-i", "position=0,0;1,1;2,2", "-i", "color=1", *PICA_RUN[1:], "--indices", "0,1,2"),
    ("check", DATA + "/vertex.v.pica", FILE, "--link"),
    ("asm", STDIN, "-o", OUT),
)
NIHSTRO = (
    *_PICA,
    ("convert", FILE, "--to", "picasso", "-o", OUT),
    ("asm", FILE, "-g", "--layout", "nihstro", "-o", OUT),
    ("fmt", STDIN, "--dialect", "nihstro"),
)
SHBIN = (
    ("dis", FILE),
    ("dis", FILE, "-o", OUT),
    ("dis", FILE, "--dialect", "nihstro", "-o", OUT),
    ("dis", FILE, "--listing"),
    ("dis", FILE, "--format", "json"),
    ("dis", FILE, "-o", FOLDER + "/"),
    ("check", FILE),
    ("check", FILE, "--stats", "--format", "json"),
    ("inspect", FILE),
    ("inspect", FILE, "--format", "json"),
    ("inspect", FILE, "--listing"),
    ("inspect", FILE, "--output-maps"),
    ("inspect", "--scan", FILE, "--extract", FOLDER),
    ("convert", FILE, "--to", "nihstro", "-o", FOLDER + "/"),
    ("convert", FILE, "--to", "picasso", "-o", FOLDER + "/"),
    ("graph", FILE),
    ("graph", FILE, "--format", "json"),
    ("run", FILE, *PICA_RUN, "-o", OUT + ".npz"),
    ("run", FILE, *PICA_RUN, "--format", "json"),
    ("run", FILE, *PICA_RUN, "--trace", "0"),
    ("run", FILE, *PICA_RUN, "--indices", "0,1,0", "--topology", "triangles"),
    ("asm", FILE, "-o", OUT),
    ("translate", FILE, "--to", "c", "--numbers", "float", "--batch"),
    ("translate", FILE, "--to", "cpp", "-o", OUT),
    ("inspect", STDIN),
)
WORDS = (
    ("dis", FILE, "--words"),
    ("dis", FILE, "--words", "--descriptors", DATA + "/descriptors.bin", "-o", OUT),
    ("dis", DATA + "/words.bin", "--words", "--descriptors", FILE),
    ("check", "--words", FILE),
    ("check", "--words", FILE, "--descriptors", DATA + "/descriptors.bin"),
    ("check", "--words", DATA + "/words.bin", "--descriptors", FILE),
    ("inspect", "--words", FILE),
    ("inspect", "--words", DATA + "/words.bin", "--descriptors", FILE),
    ("inspect", "--words", FILE, "--descriptors", FILE, "--format", "json"),
    ("dis", FILE, "--words", "--listing"),
    ("inspect", FILE),
    ("inspect", "--scan", FILE),
    ("dis", FILE, "--words", "--dialect", "nihstro", "--descriptors", DATA + "/descriptors.bin"),
    ("graph", "--words", FILE, "--entry", "1"),
    ("run", "--words", FILE, "--descriptors", DATA + "/descriptors.bin", "--budget", "3000", *ZEROS),
    (
        "run",
        "--words",
        FILE,
        "--descriptors",
        DATA + "/descriptors.bin",
        "--geometry",
        "point",
        "-i",
        "v0=1",
        "--budget",
        "3000",
        *ZEROS,
    ),
    ("check", "--words", FILE, "--descriptors", DATA + "/descriptors.bin", "--data", DATA + "/data.json"),
)
_SC_RUN = ("-i", "v0=1,2,3;4,5,6", *ZEROS)
_SC_COMMON = (
    ("check", FILE),
    ("check", FILE, "--device", "document", "--stats"),
    ("inspect", FILE),
    ("inspect", FILE, "--listing", "--format", "json"),
    ("run", FILE, *_SC_RUN, "-o", OUT + ".npz"),
    ("run", FILE, *_SC_RUN, "--device", "document", "--bits"),
    ("run", FILE, "--count", "20", *ZEROS),
    ("time", FILE, "--vertices", "40"),
    ("time", FILE, "--svg", OUT, "--vcd", OUT + ".vcd"),
    ("time", FILE, "--device", "document", "--json"),
    ("graph", FILE),
    ("graph", FILE, "--order", "--each", "--format", "json"),
    ("graph", FILE, "--device", "document", "-o", OUT + ".svg"),
    ("run", FILE, *_SC_RUN, "--trace", "1"),
    ("run", FILE, *_SC_RUN, "--trace", "0", "--trace-format", "table"),
    ("run", FILE, *_SC_RUN, "--trace", "1", "--explain", "o0.x"),
    ("run", FILE, *_SC_RUN, "--trace", "1", "--device", "document", "--registers", "--trace-format", "json"),
    ("run", FILE, *_SC_RUN, "--trace", "0", "-o", OUT + ".vcd"),
    ("translate", FILE, "--to", "c", "-o", OUT),
    ("translate", FILE, "--to", "wgsl", "--device", "document"),
)
SC = (
    *_SC_COMMON,
    ("fmt", "--check", FILE),
    ("fmt", "--diff", "--indent", "tab", FILE),
    ("rtl", FILE, "--bench", FOLDER, "-i", "v0=1,2,3", *ZEROS),
    ("time", FILE, "--reordered", OUT, "--stream", "float3,d3dcolor", "--memory-latency", "9"),
    ("asm", FILE, "-o", OUT, "--constants", OUT + ".mif", "--header", OUT + ".h"),
    ("asm", FILE, "-o", OUT),
    ("asm", FILE, "-o", OUT, "--to", "vhdl"),
    ("asm", FILE, "-o", OUT + ".v", "--width", "32", "--depth", "600", "--fill", "1"),
    ("asm", FILE, "--check", "--format", "json"),
    ("asm", STDIN, "-o", OUT, "--dialect", "shadercore"),
)
SC_FORMS = (
    *_SC_COMMON,
    ("dis", FILE, "-o", OUT),
    ("dis", FILE, "--isa", "shadercore"),
    ("dis", FILE, "--to", "coe", "-o", OUT),
    ("dis", FILE, "--from", "words"),
    ("dis", FILE, "--from", "hex"),
    ("dis", FILE, "--from", "mif"),
    ("dis", FILE, "--to", "mem", "--width", "256", "--depth", "99", "-o", OUT),
    ("dis", FILE, "--to", "mif", "-o", OUT, "--header", OUT + ".h"),
    ("rtl", FILE, "--bench", FOLDER, "--count", "2", *ZEROS),
    ("dis", FILE, "--from", "c"),
    ("inspect", "--scan", FILE, "--extract", FOLDER),
    ("check", FILE, "--from", "words"),
)
D3D_RUN = ("-i", "v0=1,2,3", "--turns", "60", *ZEROS)
_D3D_COMMON = (
    ("check", FILE),
    ("check", FILE, "--stats", "--format", "json"),
    ("inspect", FILE),
    ("inspect", FILE, "--listing"),
    ("run", FILE, *D3D_RUN, "-o", OUT + ".npz"),
    ("run", FILE, "--count", "2", "--turns", "60", "--rule", "rtl", *ZEROS),
    ("run", FILE, "--count", "1", "--turns", "60"),
    ("run", FILE, *D3D_RUN, "--rule", "d3d9", "--format", "json"),
    ("compile", FILE, "-o", OUT),
    ("compile", FILE, "-o", OUT, "--device", "document", "--report"),
    ("compile", FILE, "--stage", "program"),
    ("compile", FILE, "--decl", "v0=float3", "--check"),
    ("dis", FILE, "-o", OUT),
    ("graph", FILE),
    ("graph", FILE, "-o", OUT + ".svg", "--bool", "b0=true"),
    ("run", FILE, *D3D_RUN, "--trace", "0"),
    ("run", FILE, *D3D_RUN, "--trace", "0", "--explain", "position.x", "--format", "json"),
    ("run", FILE, *D3D_RUN, "--registers"),
    ("translate", FILE, "--to", "c", "-o", OUT),
    ("translate", FILE, "--to", "glsl", "--rule", "d3d9"),
)
D3D = (
    *_D3D_COMMON,
    ("asm", FILE, "-o", OUT),
    ("asm", FILE, "-o", OUT, "--to", "c"),
    ("asm", FILE, "--check"),
    ("asm", STDIN, "--dialect", "direct3d9", "-o", OUT),
    ("asm", FILE, "-o", OUT, "-D", "A=c1", "-I", DATA),
    ("fmt", FILE),
    ("fmt", FILE, "--diff", "--indent", "tab"),
)
D3D_STREAM = (
    *_D3D_COMMON,
    ("dis", FILE),
    ("dis", FILE, "--symbols"),
    ("dis", FILE, "--style", "microsoft"),
    ("dis", FILE, "--to", "hex", "-o", OUT),
    ("inspect", FILE, "--format", "json"),
    ("inspect", "--scan", FILE, "--extract", FOLDER),
    ("dis", STDIN),
)
PASS_FILE = DATA + "/pass.v.pica"
GIVEN = ("-i", "color=1,1,1", "-u", "scale=1,1,1,1")
TRACED = ("run", PASS_FILE, "-i", "position=1", "-i", "color=1", "-u", "scale=1,1,1,1", "--trace", "0")
LOG_FORMAT = "pc={pc:x} {dst} {x:x} {y:x} {z:x} {w:x} c={cmp.x},{cmp.y}"
VALUES = (
    ("run", PASS_FILE, "-i", "position=" + FILE, *GIVEN, "-o", OUT + ".npz"),
    ("run", PASS_FILE, "-i", "position=" + FILE + ":position", *GIVEN),
    ("run", PASS_FILE, "-i", "position=1,2,3", "-i", "color=1", "-u", "scale[0]=" + FILE),
    ("run", DATA + "/transform.sc", "-i", "v0=" + FILE, "-c", "c0=1", *ZEROS),
    ("run", DATA + "/transform.sc", "-i", "v0=1", "-c", "c0=" + FILE, *ZEROS),
    ("run", DATA + "/lit.vsa", "-i", "v0=" + FILE, "--turns", "60", *ZEROS),
    ("run", PASS_FILE, "-i", "position=0,0;1,1;2,2", *GIVEN, "--indices", FILE),
)
