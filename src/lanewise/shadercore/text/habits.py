"""Registers, usages, directives and statements of other languages, with what is written in their place."""

from __future__ import annotations

from types import MappingProxyType

from lanewise.core.record import TYPE_CHECKING
from lanewise.shadercore.text import lanes
from lanewise.shadercore.text.substitutes import NO_JUMPS, substitute

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_TEMPORARIES = "write r0-r7 or x0-x6, which are the registers to compute with"
_OUTPUTS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("opos", "gl_position", "outpos", "sv_position"), "o0, declared as `.output o0 position`"),
        **dict.fromkeys(("od0", "oc0", "outclr", "gl_frontcolor"), "o1, declared as `.output o1 color`"),
        "od1": "an output declared as `.output o3 color1`",
        **{f"ot{n}": f"o2, declared as `.output o2 texcoord{n or ''}`" for n in range(4)},
        "outtc0": "o2, declared as `.output o2 texcoord`",
        **dict.fromkeys(("ofog", "opts", "gl_pointsize"), "an output declared with its usage, such as `.output o3 psize`"),
    }
)
_FIXED = {
    **dict.fromkeys(("zero", "0x0", "wzr", "xzr"), "write 0"),
    "one": "write -(-1), which is 1.0 on every device",
    **dict.fromkeys(("pc", "ip", "sp", "lr", "fp", "ra"), "write r0-r7: the core has no calls and no stack"),
}
_FILES = {
    "a": "the core has no address registers: name each register",
    "i": "the core has no integer registers: write a constant c#, a float",
    "b": "the core has no booleans: write a constant c#, 1.0 or 0.0",
    "p": "the core has no predicates: `slt` and `sge` give 1.0 or 0.0",
    "u": "write a constant c0-c255",
    "k": "write a constant c0-c255",
    **dict.fromkeys("stfdgmqw", _TEMPORARIES),
}
_X86 = frozenset([f"{wide}{name}" for wide in ("e", "r", "") for name in ("ax", "bx", "cx", "dx", "si", "di")])
_USAGES = {
    **dict.fromkeys(("pos", "sv_position", "vertex", "positiont", "gl_position"), "position"),
    **dict.fromkeys(("uv", "uv0", "tex", "tex0", "texcoords", "st", "texturecoordinate"), "texcoord"),
    **dict.fromkeys(("uv1", "tex1"), "texcoord1"),
    **dict.fromkeys(("colour", "col", "rgba", "diffuse", "sv_target", "sv_target0", "clr", "color0"), "color"),
    "specular": "color1",
    **dict.fromkeys(("nrm", "norm", "normals"), "normal"),
    **dict.fromkeys(("tangent", "tan"), "texcoord1"),
    **dict.fromkeys(("binormal", "bitangent"), "texcoord2"),
    **dict.fromkeys(("weight", "weights", "boneweight", "boneweights"), "blendweight"),
    **dict.fromkeys(("index", "indices", "boneindex", "bones", "joints"), "blendindices"),
    **dict.fromkeys(("pointsize", "gl_pointsize"), "psize"),
}
_NAMES = frozenset(
    ("position", "texcoord", "color", "colour", "normal", "blendweight", "blendindices", "psize", "fog", "uv", "vertex", "pos")
)


def register(text: str) -> str:
    """The fix for a name that is not a register; empty for one that no other language has."""
    head, _, components = text.strip().partition(".")
    name = head.strip().lower().lstrip("-")
    letters = name.rstrip("0123456789")
    digits = name[len(letters) :]
    shown = f".{components}" if components else ""
    if name in _OUTPUTS:
        return f"write {_OUTPUTS[name]}"
    if name in _FIXED:
        return _FIXED[name]
    if lanes.identity(text):
        return lanes.identity(text)
    if name in _X86:
        return _TEMPORARIES
    if head.strip() != head and letters in ("r", "v", "c", "x", "o") and digits:
        return f"write {name}{shown} without a blank"
    if name.startswith(("abs ", "abs\t")):
        return f"write abs({text.strip()[4:].strip()})"
    if name.startswith(("neg ", "sat ")):
        return f"write -{text.strip()[4:].strip()}" if name[0] == "n" else "write _sat after the name of the instruction"
    if digits and letters in ("r", "v", "c", "x", "o") and digits.lstrip("0") != digits:
        return f"write {letters}{digits.lstrip('0') or '0'}{shown}"
    other = lanes.other(text.strip())
    if other != text.strip() and not other.endswith("."):
        return f"write {other}{'' if '.' in other else '.x'}: registers to compute with are r0-r7 and x0-x6"
    if digits and letters in _FILES and name != "1":
        return _FILES[letters]
    if name in _NAMES or letters in _NAMES:
        return "registers have no names: write v0 for what `.input v0 position` declares, o0 for an output"
    if letters == name and len(name) == 1 and name in "xyzw":
        return f"write a register before the component, such as r0.{name}"
    return ""


def usage(word: str) -> str:
    """The usage that a word of another language means; empty for an unknown one."""
    name = word.lower().strip(",:;\"'")
    kind = name.rstrip("0123456789")
    if kind == "texcoord" and name != kind:
        return "texcoord3"  # there are four
    return _USAGES.get(name) or _USAGES.get(kind, "")


_REMOVED = "remove it: a program has no sections, versions or alignment, and begins with its first instruction"
_DATA = "write constants with .const: `.const c0 (1.0, 0, 0, 0)`"
_DIRECTIVES = {
    **dict.fromkeys((".data", ".section", ".version", ".shader", ".vertex", ".align", ".org", ".model", ".code"), _REMOVED),
    **dict.fromkeys((".type", ".size", ".arch", ".cpu", ".syntax", ".vsh", ".vs", ".nodvle", ".extern", ".func"), _REMOVED),
    **dict.fromkeys((".db", ".dw", ".dd", ".byte", ".float", ".single", ".double", ".long", ".quad", ".vec4", ".equ"), _DATA),
    **dict.fromkeys((".set", ".define", ".let"), "write the register or number in each place: there are no names"),
    **dict.fromkeys((".include", ".incbin", ".import"), "copy the lines of the other file here: a program is one file"),
    **dict.fromkeys(
        (".macro", ".endm", ".rept", ".endr", ".if", ".else", ".endif"), "write the lines out: there are no macros"
    ),
    **dict.fromkeys((".visible", ".entry", ".target", ".address_size", ".weak", ".loc", ".file", ".pragma"), _REMOVED),
    ".param": "declare what a vertex brings with `.input v0 position`; uniforms are c0-c255, without a declaration",
    **dict.fromkeys((".shared", ".local", ".tex"), "keep values in r0-r7 and x0-x6: the core has no memory and no textures"),
    **dict.fromkeys((".temp", ".tmp", ".reg", ".temporary"), "remove it: r0-r7 and x0-x6 need no declaration"),
}


def directive(name: str) -> str:
    """The fix for a directive of another assembler; empty for an unknown one."""
    return _DIRECTIVES.get(name, "")


_GLSL = "this is GLSL or HLSL, which `lanewise compile FILE --target shadercore` compiles; here each line is one instruction"
_C_LIKE = (
    "void",
    "in",
    "out",
    "uniform",
    "attribute",
    "varying",
    "precision",
    "layout",
    "return",
    "struct",
    "cbuffer",
    "const",
)
_TYPES = ("float", "vec2", "vec3", "vec4", "mat3", "mat4", "float2", "float3", "float4", "float4x4", "int", "half4", "bool")
_OF_COMMENTS = ("/*", "*/", "*", "(*", "%", "!", "'", "--", "<!--", "||", "\\", "{-")
_STATEMENTS = {
    **dict.fromkeys(("li", "la", "lui", "movi", "mvi", "ldi", "vmov"), "write `mov r0.x, c0.x`, with the number in .const"),
    **dict.fromkeys(
        ("itof", "i2f", "utof", "u2f", "uitofp", "sitofp", "cvtsi2ss", "scvtf", "ucvtf"),
        "write `cnv_u32_to_f r0.x, r1.x`: r1.x has an unsigned integer in its bits",
    ),
    **dict.fromkeys(
        ("f2i", "f2u", "ftou", "cvttss2si", "fcvtzs"), "write `rnd_sint16ne r0.x, r1.x`, an integer in the low bits"
    ),
    **dict.fromkeys(
        ("syscall", "svc", "trap", "brk", "wait", "sync", "barrier", "bar", "membar", "fence", "s_waitcnt"),
        "remove it: lanes run in step, to `end`",
    ),
    **dict.fromkeys(("s_endpgm", "endpgm"), "write `end`, which ends the program"),
    **dict.fromkeys(
        ("shfl", "vote", "ballot", "redux", "match", "ds_permute", "ds_swizzle"),
        "remove it: a lane does not see the values of others; compute with those of its own vertex, or give what is needed as "
        "an input",
    ),
    "s2r": lanes.INPUT,
    **dict.fromkeys(("imad", "iadd", "iadd3", "imul"), "write mul and add: numbers are float32, there are no integers"),
    **dict.fromkeys(("section", "segment", "global", "extern", "bits", "org", "align", "shader", "version"), _REMOVED),
    **dict.fromkeys(("clampf", "smoothstep"), "write it as mul, add, min and max; `lanewise compile` does so for GLSL"),
    **dict.fromkeys(("temp", "temps", "address", "alias"), "remove it: r0-r7 and x0-x6 need no declaration"),
    **dict.fromkeys(
        ("param", "params", "attrib"), "inputs are `.input v0 position`, uniforms c0-c255, numbers `.const c0 (1, 0, 0, 0)`"
    ),
    **dict.fromkeys(
        ("let", "local", "proc", "func", "sub", "fn", "def"), "remove it: a program is one list of instructions, without names"
    ),
    **dict.fromkeys(
        ("lwc1", "swc1", "fsw", "vldr", "vstr", "vld1", "vst1"),
        "the core has no memory: inputs are v0 to v7, constants c0 to c255",
    ),
    **dict.fromkeys(
        ("popcnt", "clz", "ctz", "bfi", "bfe", "ror", "rol", "rev", "bitreverse", "rotl", "rotr"),
        "the core has `and`, `or` and shifts by 8, 16 and 24 on patterns only: compute it before, and give it as an input",
    ),
    **dict.fromkeys(
        ("tanh", "sinh", "cosh", "asin", "acos", "atan2", "erf"),
        "write it as mul and add of a polynomial; `lanewise compile` computes it for GLSL",
    ),
    **dict.fromkeys(("loadi", "const", "constant"), _DATA),
    "{": _GLSL,
    "}": _GLSL,
}


def statement(head: str, rest: str, reads: Callable[[str], bool], unused: Sequence[str] = ()) -> str:
    """The fix for a line that begins with no instruction; empty for an unknown one. `unused` are registers that the program
    does not name."""
    name = head.lower()
    if name.startswith("%") and rest.startswith("="):
        return "this is SPIR-V or LLVM as text: `lanewise compile` takes the binary module, and GLSL or HLSL"
    call, opening, inside = name.partition("(")
    if opening and rest.rstrip(" ;").endswith(")") and reads(line := f"{call} {inside}{f' {rest}'.rstrip(' ;')[:-1]}"):
        return f"write `{line}`: operands have no parentheses"
    if name.startswith(_OF_COMMENTS):
        return "begin comments with ;, // or #"
    if name.startswith(("vs_", "ps_")) and name[3:4].isdigit():
        return "this is Direct3D 9 assembly: `lanewise compile FILE.vsa --target shadercore` compiles it"
    if name.startswith("@"):
        words = rest.split(None, 1)
        if words and substitute(words[0].partition(".")[0]) == NO_JUMPS:
            return NO_JUMPS
        return (
            lanes.predicated(head, rest, reads, unused)
            or "the core has no predicates: compute both values, and select with `slt` or `sge`"
        )
    if name in ("input", "output", "const", "word"):
        return f"write .{name} {rest}: directives begin with a dot"
    words = rest.split()
    if (
        len(words) > 1
        and words[0] == "="
        and "." in rest
        and words[1].lstrip("-")[:1] in "rvcxo"
        and words[1].lstrip("-")[1:2].isdigit()
    ):
        return f"write {' '.join(words[1:])} in the place of {head}: there are no names"
    if name in ("inc", "dec", "clr", "sqr", "neg1") and len(words) == 1:
        given = {"inc": "add {0}, {0}, -(-1)", "dec": "add {0}, {0}, -1", "clr": "mov {0}, 0", "sqr": "mul {0}, {0}, {0}"}
        return f"write `{given.get(name, 'mov {0}, -{0}').format(words[0])}`"
    if name in ("sqr", "square", "pow2") and len(words) == 2:
        return f"write `mul {words[0]} {words[1]}, {words[1]}`"
    if name in ("swap", "xchg", "exch") and len(words) == 2:
        a, b = words[0].rstrip(","), words[1]
        letters = a.partition(".")[2] or "x"
        free = next(each for each in [f"{name}.{letters}" for name in (*unused, "r7", "r6", "r5")] if each not in (a, b))
        return f"write `mov {free}, {a}`, then `mov {a}, {b}`, then `mov {b}, {free}`" + (
            "" if free.partition(".")[0] in unused else f" ({free}: any free register)"
        )
    if len(words) > 1 and words[0].lower() in ("equ", "=", ".equ", "set"):
        return f"write `.const c0 ({words[1]}, 0, 0, 0)`, and c0.x for {head}: there are no names"
    if name.startswith("%"):
        return "write the lines out: there are no macros"
    code = f"{name} {rest}"
    if (name in _C_LIKE or name in _TYPES) and any(mark in code for mark in ";(){}="):
        return _GLSL
    if name.partition("(")[0] in _C_LIKE or (name in _C_LIKE and rest):
        return _GLSL
    return _STATEMENTS.get(name) or _STATEMENTS.get(name.partition(".")[0], "")
