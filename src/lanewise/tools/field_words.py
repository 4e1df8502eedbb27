"""Words of the field for commands, options and values that have another name here, for errors about unknown ones.

A row is the text that follows "did you mean", then what other tools call it.
"""

from __future__ import annotations

from itertools import pairwise

from lanewise.core.paths import join_command
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence


def _table(text: str) -> Mapping[str, tuple[str, ...]]:
    """The meanings of each word of a text of rows `meant: word word ...` in the order of the rows."""
    found: dict[str, tuple[str, ...]] = {}
    for line in text.strip().splitlines():
        meant, _, words = line.partition(": ")
        for word in words.split():
            found[word] = (*found.get(word, ()), meant)
    return found


# The first word of what is meant is a command.
COMMANDS = _table("""
asm: assemble assembler as picasso nihstro link ld
dis: disasm disassemble disassembler decompile objdump
build: make ninja cmake rebuild
check: lint linter validate validator verify analyze analyse val vet
check --explain CODE: explain
check --fix: fix autofix
check --stats: stats statistics cost
compile: glslc glslang glslangvalidator dxc fxc slangc shaderc cc
fmt: beautify pretty
opt: optimize optimise optimizer minify shrink
run: simulate sim emulate exec execute eval evaluate interpret
run --trace N: trace
run --draw FILE: draw render picture
run --why: why
diff: verify compare cmp equiv equivalent prove
debug: gdb lldb step
graph: cfg dot flowgraph
inspect: info show dump nm readelf reflect reflection list strings symbols size
inspect --scan: scan extract find
frame FILE: replay apitrace renderdoc qrenderdoc capture glretrace
frame convert FILE --only N -o OUT.ctf: trim
isa ISA --decode WORD: decode
isa ISA: instructions opcodes reference explain
translate: transpile cross
convert: transpile
time: cycles perf profile timing mca
test --points: grade mark marks score grading
bench: benchmark
studio: gui ui serve playground view viewer
lsp: language-server server
dap: debug-adapter
man: manual docs doc
--version: version
""")

# The first word of what is meant is an option of the command: what a command lacks is left out.
OPTIONS = _table("""
--format json: json
--format sarif: sarif
--config TOML: configuration conf settings
-o FILE: out out-file output-file outfile destination
--to KIND: emit output-format target-format
--force: overwrite clobber
--level error: quiet silent errors-only no-warnings
--level LEVEL: severity min-severity threshold
--ignore CODES: disable suppress exclude wno no-warn
--select CODES: enable only rules
--fix: autofix apply fixit
--explain CODE: describe rule help-code
--hints: suggestions advice
--stats: statistics cost
-I DIR: include-dir include-path incdir
-D NAME: macro defines
--entry LABEL: main entrypoint start-label
--entry-point NAME: entry entrypoint main
-g: geometry-shader gs
--picasso-compat: compat compatible legacy permissive
--listing: addresses list
--isa: arch march mcpu machine architecture
--dialect: lang language syntax flavor flavour
--language: lang dialect source-language
--target: arch march mcpu architecture
--stage: emit print dump ir
--mesh FILE: model obj geometry-file
-i NAME=...: attrib vertex
--data FILE: inputs values
--uniform NAME=VALUE: camera projection matrix model modelview mvp constant
--draw FILE: render image png svg picture
--trace N: step steps log vertex lane vertex-number vertex-index
--screen WxH: size width height resolution viewport
--scale N: zoom
--cull MODE: culling backface backface-culling front-face cull-face
--indices VALUE: index faces elements ebo index-buffer
--topology NAME: primitive mode strip fan draw-mode
--buffer FILE: vbo vertex-buffer
--geometry-uniform NAME=VALUE: geo-uniform guniform uniform-geometry
--uniforms FILE: constants params scene
--bits: hex raw
--why: diagnose reason
--count N: vertices number lanes vertex-count num-vertices
--trace 0 -o FILE.vcd: vcd waveform wave fst
--budget N: max-steps fuel step-limit limit
--profile NAME: preset emulator hardware p
--engine: backend jit interpreter
--threads N: jobs parallel
--workers N: jobs parallel threads
--words CODE: code raw-words raw
--descriptors DESC: opdescs opdesc operand-descriptors swizzles desc
--data FILE: state
--entry N: pc start-address
--programs K: count n iterations runs cases
--minutes N: hours time duration seconds max-time
--only OPS: ops opcodes instructions include mnemonics
--without OPS: exclude skip except ignore-ops
--seed S: s
--target NAME: isa
--report RESULTS: answers results compare judge
--supervise COMMAND: against command peer
--timeout SECONDS: time-limit deadline
--check: dry-run noop syntax-only
--diff: dry-run preview
--report: verbose statistics summary
--name NAME: filter k only test grep match
--list: collect-only co list-tests dry-run
--format junit: junit junitxml junit-xml xml
--points: grade marks score weights
--sampler 0=FILE.png: texture tex image
--evidence: sources source why
--device-template: template
--decode WORD: word disasm
""")

# What is asked for by options that no command has, by words of their names, and what does it.
_OTHERWISE = {
    ("denormal", "subnormal", "flush", "ftz", "daz"): "units that flush subnormals are compared with --set "
    "subnormal_arithmetic=flush, in mov too with subnormal_mov=flush",
    ("tolerance", "epsilon", "eps", "rtol", "relative", "atol"): "--ulp N: numbers so many places apart are equal, 8 of "
    "float32 are a relative difference of 1e-6",
    ("infinit",): "infinities are compared as they are, only NaNs can be left out: --ignore-nan",
    ("zero", "sign"): "-0 and 0 differ; units without -0 are compared with --set negative_zero=unseen; --ignore-nan-sign is "
    "for NaNs",
}

# Values of options with a choice.
# The first word of what is meant is a value, but for its comma.
VALUES = _table("""
coe, which Vivado reads: xilinx vivado ise amd
mif, which Quartus reads: quartus altera intel ihex intel-hex intelhex intel_hex
mem, which $readmemh of Verilog reads: readmemh readmem lattice diamond radiant yosys nextpnr
c: ansi-c c99 c11
cpp: c++ cxx cc h hpp
glsl: opengl gles essl vulkan hlsl
wgsl: webgpu
json: js ndjson jsonl
jsonl: json lines ndjson
flat: binary lwv bin raw
text: txt plain human table gcc clang msvc vscode emacs terminal
github: gha actions annotations
junit: gitlab xml jenkins pytest tap
sarif: gitlab codeclimate codequality code-quality checkstyle sonar sonarqube azure
pica200: pica 3ds citra azahar n3ds nintendo
dot: graphviz gv
svg: png pdf image picture html jpg
shadercore: sc
direct3d9: d3d9 dx9 directx directx9 d3d
picasso: pica vsh
llvm: jit native compiled fast
reference: interpreter interp slow exact python
triangles: triangle tris list triangle-list triangle_list
strip: triangle-strip triangle_strip tristrip
fan: triangle-fan triangle_fan
vertex: vert vs vsh
geometry: geom gs gsh
back: cull ccw on yes true gl_back
front: gl_front
none: off false no
note: info hint notice all verbose debug
error: err fatal critical
words: dec decimal
hex: hexadecimal
verilog: systemverilog sv v vlog verilator icarus iverilog yosys
vhdl: vhd vhdl2008 vhdl-2008 ghdl nvc
cocotb: python py
auto: default any
""")

# Languages that are not written, and whose programs call C.
_CALLS_C = {"rust": "Rust", "rs": "Rust", "go": "Go", "zig": "Zig", "python": "Python", "py": "Python", "java": "Java",
    "csharp": "C#", "c#": "C#", "cs": "C#", "swift": "Swift", "nim": "Nim", "d": "D", "lua": "Lua"}  # fmt: skip

# Values of `compile --stage`, and the stages of a pipeline that such an option of other compilers takes.
STAGES = _table("""
ssa: ir mir llvm optimised optimized
program: asm assembly
picasso: asm assembly
""")
# What an option of other tools is here, an option that the command has, and its names.
_DATA = ("input", "inputs", "uniform", "uniforms", "data", "i", "u", "initial")
_SENTENCES = (
    ("the files go to the folder of --bench", "--bench", ("o", "output", "out", "output-dir", "dir")),
    ("the README.md that is written beside the bench has the commands of simulators", "--bench", ("simulator", "sim", "tool")),
    ("leave it out: times do not depend on values", "--memory-latency", _DATA),
    ("`lanewise time FILE` counts cycles", "--trace", ("cycles", "timing", "time", "profile-cycles", "clocks")),
    (
        "words are little-endian in .bin and .scb, and numbers without an order of bytes in .mem, .mif and .coe",
        "--fill",
        ("endian", "endianness", "byte-order", "big-endian", "little-endian", "swap", "be", "le"),
    ),
    (
        "words are little-endian in jobs and answers: exchange their bytes in the peer",
        "--startup",
        ("endian", "endianness", "byte-order", "big-endian", "little-endian", "swap", "be", "le"),
    ),
    (
        "words of a binary are little-endian: `objcopy -I binary -O binary --reverse-bytes=4 IN OUT` reverses others",
        "--words",
        ("endian", "endianness", "byte-order", "big-endian", "little-endian", "swap", "be", "le", "EL", "EB"),
    ),
    (
        "leave it out: all of a file is disassembled",
        "--symbols",
        ("d", "D", "disassemble", "disassemble-all", "j", "section", "M", "m", "b", "C", "S", "l", "x", "no-show-raw-insn"),
    ),
    (
        "leave it out: headers, tables and names are all shown",
        "--scan",
        ("a", "s", "t", "S", "W", "r", "n", "headers", "all", "sections", "syms", "symbols", "file-headers", "section-headers"),
    ),
    (
        "a file of commands is given by --headless FILE",
        "--headless",
        ("x", "ex", "command", "commands", "batch", "script", "eval"),
    ),
    ("leave it out: values are options of `lanewise debug` itself, --input and --uniform", "--headless", ("args",)),
    (
        "type `break 0x4` there, or write it into a file of commands: --headless FILE",
        "--headless",
        ("break", "b", "breakpoint", "bp", "tbreak"),
    ),
    (
        "a draw is FILE:N, such as `lanewise run FILE:0`; `lanewise frame FILE` lists them",
        "--memory",
        ("call", "calls", "eid", "event", "draw", "drawcall", "n", "index", "range", "dc"),
    ),
    (
        "`lanewise run FILE:N --draw OUT.png` draws one draw, --why says what hides it",
        "--memory",
        ("pixel", "histogram", "state", "texture", "screenshot", "image", "thumb", "thumbs", "dump"),
    ),
    (
        "without --findings a run stops after the first cause; --findings N goes on to N",
        "--startup",
        ("stop-on-first", "continue", "keep-going", "k", "fail-fast", "x", "exitfirst", "max-findings", "all"),
    ),
    ("programs are made of --seed S alone, without a corpus", "--startup", ("corpus", "max-len", "max_len", "dict")),
    ("start it several times, with other seeds", "--startup", ("j",)),
    (
        "--supervise ./peer asks a program, --report ANSWERS judges answers",
        "--supervise",
        ("run", "check", "test", "exec", "cmd"),
    ),
    (
        "the header is C++17; programs in other languages read lines of JSON, --form jsonl",
        "--supervise",
        ("lang", "language", "c", "rust", "python"),
    ),
    (
        "the words have the format of --profile: 24 bits, 32 bits for azahar and panda3ds",
        "--supervise",
        ("bits", "precision", "width"),
    ),
)
# How simulators take values of generics, in front of a name in capital letters.
_GHDL = "after `ghdl -r`, as the README.md beside the bench has it"
_OF_SIMULATORS = {
    "--generic": _GHDL,
    "-g": _GHDL,
    "-G": "after `verilator`, or as -P after `iverilog`",
    "-P": "after `iverilog`, or as -G after `verilator`",
}
SHADERS = ("vertex", "vert", "vs", "fragment", "frag", "fs", "ps", "pixel", "geometry", "geom", "gs", "compute", "comp", "cs")


def commands(word: str) -> str:
    """Commands that an unknown one may mean, as a text to put after "did you mean"; empty for a word without a row."""
    return " or ".join(COMMANDS.get(word.lower(), ()))


def option(word: str, known: Collection[str]) -> str:
    """The same for an unknown option, of those that the command has."""
    meant = OPTIONS.get(word.lstrip("-").lower(), ())
    return " or ".join([text for text in meant if text.split()[0] in known])


# Options of glslang, glslc, fxc and dxc that have no counterpart.
_OF_COMPILERS = {
    **dict.fromkeys(("-S", "-fshader-stage"), "every shader is a vertex shader"),
    **dict.fromkeys(("--std", "-std"), "#version of the source says it"),
    **dict.fromkeys(("-V", "-G", "--target-env", "--spirv-val", "-spirv"), "SPIR-V is made as it is needed"),
    **dict.fromkeys(("-Zi", "-Od", "-Qembed_debug", "-gVS"), "lines of the source are always kept"),
    "-Wall": "all warnings are printed",
}


# Fields of profiles and number rules that are taken for options.
_FIELDS = (
    "rounding", "overflow", "mad_rounding", "dot_order", "negative_zero", "zero_reciprocal", "nan_pattern", "precision",
    "stack_check", "stack_depth", "mova_range", "mova_fraction", "index_wrap", "initial_state", "compare_nan", "litp_nan",
    "loop_rounds", "loop_register", "winding_swap",
)  # fmt: skip


def unknown(flag: str, near: str, known: Collection[str] = ()) -> str:
    """The message about an option that a command does not have, of those that it has; `near` may be meant."""
    sentence = next((text for text, has, words in _SENTENCES if has in known and flag.strip("-") in words), "")
    if sentence:
        return f"unknown option {flag}: {sentence}"
    if flag in ("-o", "--output"):
        return f"unknown option {flag}: the command prints its answer, redirect it: > FILE"
    if "--points" in known and flag in _OF_TESTS:
        return f"unknown option {flag}: it is a key of the file of tests: write {_OF_TESTS[flag]} above its first [table]"
    given = next((mark for mark in _OF_SIMULATORS if flag.startswith(mark) and flag[len(mark) :][:1].isalpha()), "")
    if given:
        return f"unknown option {flag}: generics and parameters of a bench are given to the simulator, {_OF_SIMULATORS[given]}"
    if flag in ("--latency", "--interval", "--pipe"):
        return f"unknown option {flag}: write --set with the instruction, --set mul_{flag[2:]}=3"
    if flag.endswith(("-latency", "-interval", "_latency", "_interval")):
        near = f"--set {flag.lstrip('-').replace('-', '_')}=CYCLES"
    field = flag.lstrip("-").replace("-", "_")
    if field in _FIELDS and "--set" in known:
        return f"unknown option {flag}: a field is given with --set: write --set {field}=VALUE"
    if flag.partition("=")[0] in _OF_COMPILERS:
        return f"unknown option {flag}: leave it out: {_OF_COMPILERS[flag.partition('=')[0]]}"
    if flag == "--target":
        return f"unknown option {flag}: compile it first, `lanewise compile FILE {flag} NAME`, and give what that writes"
    if flag.strip("-") in ("frequency", "freq", "clock", "clk", "mhz"):
        return f"unknown option {flag}: times are in cycles: divide the frequency of the clock by them"
    return f"unknown option {flag}" + (f" (did you mean {near}?)" if near else _of_another(flag))


def _of_another(flag: str) -> str:
    """The commands that have an option, as the end of a message; empty for one that none has, and that many have."""
    from pkgutil import get_data

    name, found = "", list[str]()
    for line in (get_data("lanewise.tools", "commands.txt") or b"").decode().splitlines():  # as `completions` reads it
        first, _, rest = line.partition("\t")
        name = first or name
        if not first and flag in rest.partition("\t")[0].split():
            found.append(f"`lanewise {name}`")
    listed = " and ".join([text for text in (", ".join(found[:-1]), found[-1] if found else "") if text])
    return f": it is an option of {listed}" if flag.startswith("--") and 0 < len(found) <= _MOST_COMMANDS else ""


_FORMS = {
    **{form: form for form in ("vhd", "mem", "mif", "coe", "hex", "bin", "scb", "shbin", "c", "h", "v", "elf")},
    "vhdl": "vhd",
    "verilog": "v",
    "intel-hex": "hex",
    "binary": "bin",
    "raw": "bin",
    "readmemh": "mem",
}
_OF_ROMS = {"vhdl": "vhd", "verilog": "v", "coe": "coe", "mem": "mem", "mif": "mif"}
_OF_TESTS = {
    "--device": 'device = "document"',
    "--profile": 'profile = "hardware"',
    "--rule": 'rule = "ieee"',
    "--tolerance": "tolerance = {abs = 0.001}",
    "--ulp": "tolerance = 1",
    "--count": "count = 3",
    "--default": "defaults = 0",
    "--defaults": "defaults = 0",
}
_MOST_COMMANDS = 3  # in a message
_RAW = ("--words", "--descriptors", "--entry")


def of_raw_words(flag: str, known: Collection[str]) -> str:
    """The message about an option of raw words that a command does not have; empty for another."""
    if flag not in _RAW or _RAW[0] in known:
        return ""
    command = "lanewise dis --words CODE --descriptors DESC -o x.v.pica"
    return f"unknown option {flag}: make a source of the words, `{command}`, and give that"


def otherwise(flag: str, known: Collection[str]) -> str:
    """The message about an option that asks an implementation outside to be judged otherwise; empty for another."""
    if not {"--ulp", "--ignore-nan"} <= {*known}:
        return ""
    words = flag.strip("-").split("-")
    found = [text for parts, text in _OTHERWISE.items() if any(word.startswith(parts) for word in words)]
    return f"unknown option {flag}: {found[0]}" if found else ""


def value(word: str, known: Sequence[str]) -> str:
    """The fix for an unknown value of an option with a choice."""
    from lanewise.core.text.likeness import closest

    meant = [text for text in VALUES.get(word.lower(), ()) if text.partition(",")[0] in known] or closest(word.lower(), known)
    listed = " or ".join([", ".join(known[:-1]), known[-1]] if len(known) > 1 else known)
    hint = f" (did you mean {meant[0]}?)" if meant else ""
    if not meant and word.lower() in _CALLS_C and {"c", "cpp", "glsl"} <= {*known}:
        hint = f": {_CALLS_C[word.lower()]} calls C, write --to c"
    if not meant and {"c", "cpp", "glsl"} <= {*known}:
        forms = [
            _OF_ROMS[form] for form in (each.partition(",")[0] for each in VALUES.get(word.lower(), ())) if form in _OF_ROMS
        ]
        form = next(iter(forms), _OF_ROMS.get(word.lower(), ""))
        if form:
            hint = f"; `lanewise asm FILE -o rom.{form}` writes the words of a program as a ROM"
    if not meant and "sarif" not in known and word.lower() in _FORMS and {"text", "json"} == {*known}:
        hint = f": it is of findings; the suffix of -o is the form of the program, -o FILE.{_FORMS[word.lower()]}"
    if not meant and word.lower() == "junit":
        hint = "; `lanewise test --format junit` reports shader tests"
    if not meant and word.lower() in ("c", "c++", "cpp", "glsl", "wgsl", "hlsl"):
        form = {"c++": "cpp", "hlsl": "glsl"}.get(word.lower(), word.lower())
        hint = f"; `lanewise translate FILE --to {form}` writes a program as {form.upper()}"
    if not meant:
        hint = hint or _variant(word.lower(), known)
    if word.lower().startswith(("vs_", "ps_", "sm_", "lib_")):
        hint = f": a machine; {word} is a version, which is the first line of assembly, and HLSL needs none"
    return f"use {listed}{hint}"


def _variant(word: str, known: Sequence[str]) -> str:
    """The option for a device or profile that is given as an instruction set, as the end of a message; empty for none."""
    from lanewise.packages import packages

    for package in packages():
        for row in package.variants() if package.name in known else ():
            if row.name == word:
                return (
                    f"; {word} is a {row.option.lstrip('-')} of {package.title}: write {package.name}, and {row.option} {word}"
                )
    return ""


_FXC = {"t": "", "e": "--entry-point", "fo": "-o", "fh": "--header", "d": "-D", "i": "-I"}
_JOINED = ("fo", "fh", "d", "i")
_ALONE = ("nologo", "zi", "zpr", "zpc", "od", "o0", "o1", "o2", "o3", "gec", "ges", "wx", "vd", "op")


def of_fxc(argv: Sequence[str], known: Collection[str]) -> str:
    """A command line with options of fxc and dxc, such as `/T vs_2_0 /E main /Fo a.cso`, as ours; empty for any other."""
    found: list[str] = []
    place, given = 0, False
    while place < len(argv):
        text = argv[place]
        place += 1
        name = text[1:].lower() if text[:1] in ("/", "-") and text not in known and text[:2] != "--" else ""
        option = next((key for key in sorted(_FXC, key=len, reverse=True) if name.startswith(key)), None) if name else None
        if name in _ALONE and text[:1] == "/":
            pass
        elif option is not None and (name == option or ((option in _JOINED or (option == "e" and given)) and "/" not in name)):
            value = text[1 + len(option) :]
            if not value and place < len(argv):
                value, place = argv[place], place + 1
            given = given or (name == option and option in ("t", "e", "fo"))
            found += [_FXC[option], value] if _FXC[option] else []
        else:
            found.append(text)
    if not given:
        return ""
    written = next((value for option, value in pairwise(found) if option == "-o"), "")
    target = " --target shadercore" if written.endswith(".scb") and "--target" not in found else ""
    return f"these are options of fxc: write lanewise compile {join_command(found)}{target}"


def stage(word: str, known: Sequence[str]) -> str:
    """The fix for an unknown value of `--stage`."""
    listed = ", ".join(known)
    if word.lower() in SHADERS:
        return f"leave it out, the shader is a vertex shader; --stage prints the output of a compiler stage: {listed}"
    meant = " or ".join([text for text in STAGES.get(word.lower(), ()) if text in known])
    return f"did you mean {meant}?" if meant else f"use {listed}"
