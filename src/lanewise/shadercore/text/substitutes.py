"""How to write in the ShaderCore language what other shader languages have an instruction for.

A row has the lines that compute it: the sources are r1, r2 and r3, the result is r0, and r4 holds what is needed in between.
What cannot be written has a sentence. The names are those of Direct3D 9, picasso, nihstro and HLSL.
"""

from __future__ import annotations

from types import MappingProxyType

from lanewise.core.record import TYPE_CHECKING
from lanewise.shadercore.isa.table import BY_NAME

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SUM3 = ("add r0.x, r0.x, r0.y", "add r0.x, r0.x, r0.z")

LINES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "sub": ("add r0.x, r1.x, -r2.x",),
        "mad": ("mul r0.x, r1.x, r2.x", "add r0.x, r0.x, r3.x"),
        "dp2": ("mul r0.xy, r1.xy, r2.xy", "add r0.x, r0.x, r0.y"),
        "dp2add": ("mul r0.xy, r1.xy, r2.xy", "add r0.x, r0.x, r0.y", "add r0.x, r0.x, r3.x"),
        "dp3": ("mul r0.xyz, r1.xyz, r2.xyz", *_SUM3),
        "dp4": ("mul r0.xyzw, r1.xyzw, r2.xyzw", *_SUM3, "add r0.x, r0.x, r0.w"),
        "dph": ("mul r0.xyz, r1.xyz, r2.xyz", *_SUM3, "add r0.x, r0.x, r2.w"),
        "crs": ("mul r0.xyz, r1.yzx, r2.zxy", "mul r4.xyz, r1.zxy, r2.yzx", "add r0.xyz, r0.xyz, -r4.xyz"),
        "nrm": (
            "mul r4.xyz, r1.xyz, r1.xyz",
            "add r4.x, r4.x, r4.y",
            "add r4.x, r4.x, r4.z",
            "rsq r4.x, r4.x",
            "mul r0.xyz, r1.xyz, r4.x",
        ),
        "lrp": ("add r0.x, r2.x, -r3.x", "mul r0.x, r0.x, r1.x", "add r0.x, r0.x, r3.x"),
        "cmp": ("sge r4.x, r1.x, 0", "add r0.x, r2.x, -r3.x", "mul r0.x, r0.x, r4.x", "add r0.x, r0.x, r3.x"),
        "clamp": ("max r0.x, r1.x, r2.x", "min r0.x, r0.x, r3.x"),
        "mod": ("rcp r0.x, r2.x", "mul r0.x, r1.x, r0.x", "frc r0.x, r0.x", "mul r0.x, r0.x, r2.x"),
        "seq": ("sge r0.x, r1.x, r2.x", "sge r4.x, r2.x, r1.x", "mul r0.x, r0.x, r4.x"),
        "sne": ("slt r0.x, r1.x, r2.x", "slt r4.x, r2.x, r1.x", "add r0.x, r0.x, r4.x"),
        "length": (
            "mul r4.xyz, r1.xyz, r1.xyz",
            "add r4.x, r4.x, r4.y",
            "add r4.x, r4.x, r4.z",
            "rsq r4.x, r4.x",
            "rcp r0.x, r4.x",
        ),
        "div": ("rcp r0.x, r2.x", "mul r0.x, r1.x, r0.x"),
        "sqrt": ("rsq r0.x, r1.x", "rcp r0.x, r0.x"),  # a product would make sqrt(0) inf * 0
        "pow": ("log r0.x, abs(r1.x)", "mul r0.x, r0.x, r2.x", "exp r0.x, r0.x"),
        "abs": ("mov r0.x, abs(r1.x)",),
        "itof": ("cnv_u32_to_f r0.x, r1.x",),
        "mov": ("mov r0.x, r1.x",),
        "neg": ("mov r0.x, -r1.x",),
        "sat": ("mov_sat r0.x, r1.x",),
        "flr": ("frc r0.x, r1.x", "add r0.x, r1.x, -r0.x"),
        "ceil": ("frc r0.x, -r1.x", "add r0.x, r1.x, r0.x"),
        "slt_swapped": ("slt r0.x, r2.x, r1.x",),
        "sge_swapped": ("sge r0.x, r2.x, r1.x",),
        "frc": ("frc r0.x, r1.x",),
        "exp": ("exp r0.x, r1.x",),
        "log": ("log r0.x, r1.x",),
        "rcp": ("rcp r0.x, r1.x",),
        "rsq": ("rsq r0.x, r1.x",),
    }
)
# Other names of a row.
NAMES: Mapping[str, str] = MappingProxyType(
    {
        "subtract": "sub",
        **dict.fromkeys(("itof", "i2f", "utof", "u2f", "uitofp", "sitofp", "scvtf", "ucvtf"), "itof"),
        **dict.fromkeys(("swz", "ldc", "copy", "move", "cpy", "assign", "movaps", "movups", "vmovaps", "fmov", "mv"), "mov"),
        "sub3": "sub",
        "fmod": "mod",
        "rem": "mod",
        "step": "sge_swapped",
        "madd": "mad",
        "muladd": "mad",
        "sdiv": "div",
        "normalise": "nrm",
        "negate": "neg",
        "absolute": "abs",
        "ceiling": "ceil",
        "reciprocal": "rcp",
        "recip": "rcp",
        "mac": "mad",
        "mla": "mad",
        "fma": "mad",
        "dot": "dp3",
        "dot3": "dp3",
        "dot4": "dp4",
        "cross": "crs",
        "normalize": "nrm",
        "lerp": "lrp",
        "mix": "lrp",
        "saturate": "sat",
        "floor": "flr",
        "sgt": "slt_swapped",
        "sle": "sge_swapped",
        "frac": "frc",
        "fract": "frc",
        "ex2": "exp",
        "exp2": "exp",
        "lg2": "log",
        "log2": "log",
        "inv": "rcp",
        "invsqrt": "rsq",
        "rsqrt": "rsq",
    }
)

NO_JUMPS = (
    "the core has no jumps: compute both values and select one with sge or slt; `lanewise compile` does so for GLSL, "
    "HLSL and Direct3D 9"
)
NO_LOOPS = (
    "the core has no loops: repeat the instructions as often as they are to run; `lanewise compile` does so for GLSL, "
    "HLSL and Direct3D 9"
)
_NO_ADDRESSES = "the core has no address registers: name each register"
_LONG = "the core has no such unit, and the lines are many: `lanewise compile` computes it for GLSL, HLSL and Direct3D 9"
_SELECTION = (
    "the core has no selection: with s of `sge s.x, c.x, 0`, which is 1.0 or 0.0, `add r0.x, a.x, -b.x`, then "
    "`mul r0.x, r0.x, s.x`, then `add r0.x, r0.x, b.x` gives a where c >= 0, and b elsewhere"
)
_ROWS = "write a dp4 or dp3 for each row, each as mul and add"
SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(
            (
                "if",
                "if_eq",
                "if_ge",
                "if_gt",
                "if_le",
                "if_lt",
                "if_ne",
                "ifc",
                "ifu",
                "else",
                "endif",
                "call",
                "callc",
                "callu",
                "callnz",
                "jmp",
                "jmpc",
                "jmpu",
                "break",
                "breakc",
                "break_eq",
                "break_ge",
                "break_gt",
                "break_le",
                "break_lt",
                "break_ne",
                "breakp",
                "ret",
                "label",
                "setp",
                *("b", "beq", "bne", "blt", "bge", "br", "bra", "branch", "goto", "jump", "switch", "return"),
            ),
            NO_JUMPS,
        ),
        **dict.fromkeys(("loop", "endloop", "rep", "endrep", "for", "do", "while"), NO_LOOPS),
        **dict.fromkeys(("mova", "arl"), _NO_ADDRESSES),
        **dict.fromkeys(("lit", "litp", "dst", "sin", "cos", "sincos", "tan", "atan"), _LONG),
        **dict.fromkeys(("m3x2", "m3x3", "m3x4", "m4x3", "m4x4"), _ROWS),
        **dict.fromkeys(("select", "sel", "selp", "csel", "movc", "cmov"), _SELECTION),
        **dict.fromkeys(
            ("ld", "ldr", "lds", "load", "lw", "st", "str", "store", "sw", "push", "pop", "lea"),
            "the core has no loads and stores: inputs are v0 to v7, constants c0 to c255, outputs o0 to o7, which mov copies",
        ),
        **dict.fromkeys(
            ("tex", "texld", "texldl", "texldb", "texldp", "sample", "texture", "texkill", "kil", "kill", "discard", "clip"),
            "the core computes vertices: it has no textures and no pixels to discard",
        ),
        **dict.fromkeys(
            ("emit", "setemit", "emitvertex", "endprimitive", "cut"),
            "the core has no geometry shaders: a vertex ends with `end`",
        ),
        **dict.fromkeys(
            ("shl", "shr", "lsl", "lsr", "asr", "sll", "srl", "sra"),
            "write bshftl8, bshftl16, bshftl24, bshftr8, bshftr16 or bshftr24: the core shifts by these only",
        ),
        **dict.fromkeys(
            ("xor", "eor"),
            "of 1.0 and 0.0, write `add r0.x, r1.x, -r2.x`, then `mov r0.x, abs(r0.x)` (r0 is the result, r1 and r2 are the "
            "sources); of bits, the core has `and` and `or` only",
        ),
        **dict.fromkeys(("nand", "nor"), "the core has `and` and `or` only; of 1.0 and 0.0, add -(-1) to the negative"),
        "not": "of 1.0 and 0.0, write `add r0.x, -(-1), -r1.x`, 1 - r1.x; of bits, the core has `and` and `or` only",
        **dict.fromkeys(
            ("cnv_unorm8_to_f", "cnv_unorm8_to_float", "unorm8", "unpack"),
            "write `cnv_u32_to_f r0.x, r1.x`, then `mul r0.x, r0.x, c0.x` with `.const c0 (0.003921569, 0, 0, 0)`",
        ),
        **dict.fromkeys(
            ("cnv_f_to_u32", "cnv_f_to_s32", "f_to_u32"), "write `rnd_sint16ne r0.x, r1.x`, an integer in the low bits"
        ),
        **dict.fromkeys(
            ("round", "rnd", "rint", "nearbyint", "trunc", "fix", "int", "ftoi", "cvt"),
            "to round to a float32, write `add r0.x, r1.x, c0.x` with `.const c0 (0.5, 0, 0, 0)`, then `frc r2.x, r0.x`, "
            "then `add r0.x, r0.x, -r2.x` (r0 is the result, r1 is the source); rnd_sint16ne gives an integer in the low bits",
        ),
        "def": "write .const c0 (1.0, 0.5, 0.0, 1.0)",
        "dcl": "write .input v0 position or .output o0 position",
    }
)


_ROLES = (" (r0 is the result, r1 is the source)", " (r0 is the result, r1 and r2 are the sources)")
# Instructions that the public hardware lacks, wholly or in most lanes.
_LACKED = {
    "rsq": "rsq is right in the first 4 vertices of 16 on rtl",
    "exp": "exp gives 0.0 on rtl",
    "log": "log gives 0.0 on rtl",
}


def with_operands(fix: str, operands: Sequence[str], free: str) -> str:
    """A sentence about r0, r1 and r2 with the operands of the statement and a free register in place of another."""
    if (
        len(operands) < 2
        or not all(each.lstrip("-").count(".") == 1 and each[-2] == "." for each in operands)
        or "r1.x" not in fix
    ):
        return fix
    marks = {"r0.x": "\0", "r1.x": "\1", "r2.x": "\2" if len(operands) > 2 else "\3"}
    for register, mark in marks.items():
        fix = fix.replace(register, mark)
    for role in _ROLES:
        fix = fix.replace(role, "")
    values = dict(zip("\0\1\2", operands, strict=False)) | {"\3": f"{free}.x"}
    return "".join([values.get(each, each) for each in fix]).replace("--", "")


def on_hardware(fix: str) -> str:
    """The end of a fix whose lines have what the public hardware lacks; empty where it has all."""
    lacked = [text for name, text in _LACKED.items() if f"`{name} " in fix]
    return f"; {' and '.join(lacked)}: there `lanewise compile` computes it from GLSL, HLSL or Direct3D 9" if lacked else ""


def rows(name: str, operands: Sequence[str], free: str) -> str:
    """The lines of a product with a matrix, of `m4x4 o0, v0, c0`; empty for other operands."""
    if len(operands) != 3 or name[:1] != "m" or not (name[1:2] + name[3:4]).isdigit() or name[2:3] != "x":
        return ""
    dest, source, matrix = [each.partition(".")[0] for each in operands]
    if not matrix[1:].isdigit() or matrix[:1] not in ("c", "r"):
        return ""
    letters, last = "xyzw"[: int(name[1])], f"{matrix[0]}{int(matrix[1:]) + int(name[3]) - 1}"
    sums = [f"add {free}.x, {free}.x, {free}.{letter}" for letter in letters[1:-1]]
    lines = [
        f"mul {free}.{letters}, {source}.{letters}, {matrix}.{letters}",
        *sums,
        f"add {dest}.x, {free}.x, {free}.{letters[-1]}",
    ]
    return (
        f"write {', then '.join([f'`{line}`' for line in lines])}; the same for each row to {last} and "
        f"{dest}.{'xyzw'[int(name[3]) - 1]} ({free}: any free register)"
    )


def substitute(name: str) -> str:
    """How to write an instruction of another language, as a fix; empty for an unknown name."""
    if name.lower() in BY_NAME:
        return ""
    head = name.lower().partition("_")[0]
    for known in (name.lower(), "" if head in BY_NAME else head):
        if known in SENTENCES:
            return SENTENCES[known]
        lines = LINES.get(NAMES.get(known, known))
        if lines:
            sources = [name for name in ("r1", "r2", "r3") if any(f"{name}." in line for line in lines)]
            first, last = ", ".join(sources[:-1]), sources[-1]
            named = f"{first} and {last} are the sources" if first else f"{last} is the source"
            return "write " + ", then ".join(f"`{line}`" for line in lines) + f" (r0 is the result, {named})"
    return ""


def instead_of(name: str, text: str) -> str:
    """The fix for a directive of another language that has no line here; empty for others."""
    named = text.partition("(")[0].strip().partition("[")[0] or "NAME"
    if name in (".constf", ".setf", ".def"):
        return f"write .const c0 ({text.partition('(')[2].rpartition(')')[0] or '1.0, 0.0, 0.0, 0.0'}), and c0 for {named}"
    if name in (".fvec", ".uniform"):
        named = next((word.strip(",:;") for word in text.split() if word[1:].strip(",:;").isdigit() and word[:1] == "c"), "")
        if named:
            return f"remove it: {named} needs no declaration"
        named = text.partition("(")[0].strip().partition("[")[0] or "NAME"
        return f"remove it, and write c0 for {named}: constants c0 to c255 need no declaration"
    return _INSTEAD.get(name, "")


_BEGINS = "remove it: a program begins with its first instruction"
_INSTEAD = {
    **dict.fromkeys((".proc", ".entry", ".main", ".globl", ".global", ".text"), _BEGINS),
    ".end": "remove it: the instruction `end` ends a program",
    ".alias": "remove it, and write the register in place of the name",
    ".gsh": "remove it: ShaderCore has no geometry shaders",
}


def declaration(name: str, text: str) -> str:
    """`.in position v0` and `.out outpos position o0` of picasso in this language; empty for anything else."""
    directive, words = {".in": ".input", ".out": ".output"}.get(name, ""), text.split()
    register = words[-1] if words else ""
    if not directive or len(words) < 2 or register[:1] != ("v" if name == ".in" else "o") or not register[1:].isdigit():
        return ""
    return f"{directive} {register} {words[-2]}"
