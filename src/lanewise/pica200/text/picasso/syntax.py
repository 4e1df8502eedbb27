"""Vocabulary of the picasso language, and wrong forms that picasso accepts."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.table import BY_NAME, JUMP, LOOP, OPS

if TYPE_CHECKING:
    from lanewise.core.source import Span
    from lanewise.pica200.isa.table import Op

# The plain instructions, and the inverted ones as synonyms (rule 13).
MNEMONICS: dict[str, Op] = {op.name: BY_NAME[op.base] for op in OPS}

# Index registers by every spelling (rule 6), lower case.
INDEX_REGISTERS = {"a0.x": 1, "a0": 1, "a0.y": 2, "a1": 2, "al": 3, "a2": 3, "lcnt": 3}

OUTSIDE = "outside"  # the name of the block of instructions before a procedure begins

MAX_BLOCKS = 32  # inside each other
MAX_CONSTANTS = 96  # entries of the table of constants and presets (rule 35)

# Fixes for what other languages write in an operand.
SATURATION = "use `max` with 0, then `min` with 1: results are not saturated"
ABSOLUTE = "use `max` with the negated source: max r0, r1, -r1"
CONSTANT = "declare the values as a constant: .constf NAME(x, y, z, w)"

# Component letters of the three alphabets (rule 7).
LETTERS = {letter: i for letters in ("xyzw", "rgba", "stpq", "XYZW", "RGBA", "STPQ") for i, letter in enumerate(letters)}


def takes_count(op: Op) -> bool:
    """Whether NUM of a flow instruction counts words: its numeric form has two numbers.

    Jumps and loops have only DST.
    """
    return op.kind not in (JUMP, LOOP)


def numeric_operands(op: Op) -> int:
    """Operand count of a flow instruction with a numeric target (lanewise extension)."""
    return len(op.operands) + takes_count(op)


class Quirk(Record):
    """A form that picasso accepts, with bytes that differ from its meaning; an error, unless compatibility is requested."""

    code: str
    "Key of the finding."
    message: str
    "As in `Diagnostic`."
    fix: str
    "As in `Diagnostic`."
    start: int = 0
    "First character of the form, from 0."
    length: int = 0
    "Characters of the form; 0 with a `start` of 0: the text that the message quotes, or the line."
    replacement: str | None = None
    "Text that fixes it in the place of the form; None where the fix is not mechanical."


class Open(Record):
    """A block that has not ended: the kind of its end mark (or `constfa`), where it began, whether `.else` was seen."""

    kind: str
    span: Span
    name: str = ""
    otherwise: bool = False


def is_identifier(text: str) -> bool:
    """Letters, digits, `_` and `$`, not a digit first."""
    return text.replace("$", "_").isidentifier() and text.isascii()


def begins_like_register(text: str) -> bool:
    """Whether picasso would try to read a register: a letter of a register file, then a digit."""
    return len(text) > 1 and text[0] in "vorcibVORCIB" and text[1] in "0123456789"


def is_register(text: str) -> bool:
    """Whether a name is that of a register and nothing else: r3."""
    return len(text) > 1 and text[0] in "vorcib" and text[1:].isdigit() and text.isascii()


def saturating(word: str) -> bool:
    """Whether a word is a mnemonic with a suffix of saturation, as `mul_sat`, `mul.sat` and `mulsat`."""
    base = next((word.removesuffix(each) for each in ("saturate", "sat", "clamp") if word.endswith(each)), "")
    return base.rstrip("._") in MNEMONICS


# What other assemblers have and this instruction set has not.
INSTEAD = {
    "sub": "use `add` with a negated source: add r0, r1, -r2",
    "jmp": "use `jmpc` or `jmpu`: jumps have a condition",
    "ret": "end the procedure with `.end`",
    "endif": "end the block with `.end`",
    "}": "end the block with `.end`",
    "else": "write `.else`",
    "endloop": "end the block with `.end`",
    "endrep": "end the block with `.end`",
    "loop": "write `for i0` ... `.end`",
    "rep": "write `for i0` ... `.end`",
    "if": "write `ifc` for flags, `ifu` for a boolean uniform; then `.else` and `.end`",
    "abs": ABSOLUTE,
    "sat": "use `max` with 0, then `min` with 1",
    "div": "use `rcp`, then `mul`",
    "sqrt": "use `rsq`, then `rcp`",
    "pow": "use `lg2`, `mul`, `ex2`",
    "frc": "use `flr`, then `add` with the negated floor",
    "lrp": "add the difference, scaled: add r2, r0, -r1, then mad r3, r2, t, r1",
    "lit": "use `max` with 0 for diffuse light, and `lg2`, `mul`, `ex2` for the power of a highlight (nihstro's lit is `litp`)",
    **dict.fromkeys(("temp", "address"), "remove it: registers need no declaration; a name for one is `.alias NAME r0`"),
    "exp": "write ex2",
    "log": "write lg2",
    "exp2": "write ex2",
    "log2": "write lg2",
    "neg": "negate the source: mov r0, -r1",
    "nrm": "multiply by the reciprocal of the length: dp3 r1, r0, r0, then rsq r1, r1.x, then mul r0, r0, r1",
    "crs": "use two products: mul r2, r0.zxyw, r1.yzxw, then mad r2, r0.yzxw, r1.zxyw, -r2",
    "dp2": "use `mul`, then `add` the components: add r0.x, r0.x, r0.y",
    "m4x4": "use `dp4` for each row",
    "m4x3": "use `dp4` for each row",
    "m3x3": "use `dp3` for each row",
    "sgn": "subtract two comparisons: sge r1, r0, zero, then sge r2, zero, r0, then add r0, r1, -r2",
    "sincos": "use a polynomial: there is no sine",
    **dict.fromkeys(("lerp", "mix"), "add the difference, scaled: add r2, r0, -r1, then mad r3, r2, t, r1"),
    **dict.fromkeys(("clamp", "saturate"), SATURATION),
    **dict.fromkeys(
        ("normalize", "normalise"),
        "multiply by the reciprocal of the length: dp3 r1, r0, r0, then rsq r1, r1.x, then mul r0, r0, r1",
    ),
    "cross": "use two products: mul r2, r0.zxyw, r1.yzxw, then mad r2, r0.yzxw, r1.zxyw, -r2",
    **dict.fromkeys(("fabs", "vabs"), ABSOLUTE),
    **dict.fromkeys(("fneg", "vneg"), "negate the source: mov r0, -r1"),
    "fdiv": "use `rcp`, then `mul`",
    "fsqrt": "use `rsq`, then `rcp`",
    **dict.fromkeys(("fract", "frac"), "use `flr`, then `add` with the negated floor"),
    "ceil": "negate twice around `flr`: flr r1, -r0, then mov r1, -r1",
    **dict.fromkeys(("select", "sel", "cmov", "csel", "movc"), "use `cmp` and `ifc`, or scale a difference by `sge` or `slt`"),
    **dict.fromkeys(
        [f"{jump}{test}" for jump in ("j", "b") for test in ("lt", "le", "gt", "ge", "eq", "ne", "l", "g", "z", "nz", "e")],
        "compare with `cmp A, OPX, OPY, B`, then `jmpc cmp.x, LABEL`: jumps read the flags of `cmp`",
    ),
    **dict.fromkeys(("sin", "cos"), "use a polynomial: there is no sine"),
    "smoothstep": "use `max` and `min` for the part between the edges, then t * t * (3 - 2 * t)",
    "seq": "multiply two comparisons: sge r2, r0, r1, then sge r3, r1, r0, then mul r2, r2, r3",
    "sne": "add two comparisons: slt r2, r0, r1, then slt r3, r1, r0, then add r2, r2, r3",
    "sgt": "exchange the sources of `slt`",
    "sle": "exchange the sources of `sge`",
    **dict.fromkeys(
        ("sample", "tex", "texld", "texture", "texture2d", "tex2d", "texturelod", "texelfetch", "txp", "txl"),
        "compute without it: shaders of the PICA200 do not read textures; C3D_TexEnv mixes them with the color",
    ),
    "while": "write `for` with an integer uniform, `breakc` with a flag of `cmp` inside, and `.end`",
    "continue": "put what is left of the loop between `ifc` and `.end`",
    **dict.fromkeys(
        ("discard", "kill", "kil", "texkill", "clip"),
        "give the vertices an alpha, and discard fragments by C3D_AlphaTest: vertex shaders cannot discard",
    ),
    **dict.fromkeys(
        ("and", "or", "xor", "not"),
        "compute with 1 and 0: `mul` is and, `max` is or, `add` with a negated source from 1 is not; registers hold floats",
    ),
    **dict.fromkeys(
        ("shl", "shr", "lsl", "lsr", "asr", "sll", "srl", "sra"), "multiply by a power of two: registers hold floats"
    ),
    **dict.fromkeys(
        ("ld", "ldr", "lw", "load", "lea", "st", "str", "sw", "store", "push", "pop"),
        "use `mov` with registers: there is no memory; arrays are uniforms, such as c0[a0.x]",
    ),
    **dict.fromkeys(("print", "printf", "echo"), "remove it, and see the values by `lanewise run --trace` or `lanewise debug`"),
}
