"""Vocabulary of the nihstro language: mnemonics and their instructions, valid names.

Source: spec 004; further mnemonics of the tool's parser (`lit`, `dst`, `breakc`, `setemitraw`) are observed.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.problems import Problem
from lanewise.pica200.isa import table
from lanewise.pica200.isa.table import OPS
from lanewise.pica200.text.nihstro.operands import is_register

if TYPE_CHECKING:
    from collections.abc import Mapping

SPELLING = {"ex2": "exp", "lg2": "log", "litp": "lit", "setemit": "setemitraw"}  # how nihstro itself spells an instruction
# Instructions with sources, by every spelling that is read. The manual says exp and log; nihstro refuses ex2, lg2 and litp.
COMPUTING = {
    name: op
    for op in OPS
    if op.kind == table.ARITHMETIC and op.name == op.base
    for name in (op.name, SPELLING.get(op.name, op.name))
}
# The rows behind the words of nihstro that steer, and their operands.
STEERING: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "if": (("ifc", "ifu"), ("test",)),
    "else": ((), ()),
    "endif": ((), ()),
    "loop": (("for",), ("int",)),
    "endloop": ((), ()),
    "break": (("break", "breakc"), ("test",)),
    "breakc": (("breakc",), ("test",)),
    "jmp": (("jmpc", "jmpu"), ("label", "if", "test")),
    "call": (("call", "callc", "callu"), ("label", "until", "label", "if", "test")),
    "nop": (("nop",), ()),
    "end": (("end",), ()),
    "emit": (("emit",), ()),
    "setemit": (("setemit",), ("vertex",)),
    "setemitraw": (("setemit",), ("vertex",)),
}
FLOW = frozenset(STEERING)
MNEMONICS = frozenset((*COMPUTING, *FLOW))
OPENERS = frozenset(("if", "loop", *[op.name for op in OPS if op.opens_block]))  # also as other assemblers spell them

# The rows of the instruction table that the language can express, in any spelling.
_SPELT_DIFFERENTLY = (table.BREAK, table.CALL, table.CONDITIONAL, table.JUMP, table.LOOP)
SAYS = frozenset(
    [op.name for op in COMPUTING.values()] + [op.name for op in OPS if op.kind in _SPELT_DIFFERENTLY or op.name in FLOW]
)

SCALAR = frozenset(("ex2", "lg2", "rcp", "rsq"))  # they read only the first slot and fill every component
WHOLE = frozenset(("dst", "litp"))  # each slot has a separate meaning
# What nihstro itself does not take (conformance nihstro; src/assembler.cpp of f4d8659): dph only with the vector of three
# components second, which the hardware has first; no uniform as second source of dst.
ONE_ORDER = frozenset(("dph",))
NARROW = frozenset(("dst",))

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")

_RESERVED = ("gl_", "dmp_", "_")
_WORDS = frozenset((*MNEMONICS, "until", "as"))

# Mnemonics of other assemblers that this language lacks.
INSTEAD = {
    "sub": "use add with a negated source: add r0, r1, -r2",
    "ifc": "write if cc.x ... endif",
    "ifu": "write if b0 ... endif",
    "for": "write loop i0 ... endloop",
    "jmpc": "write jmp LABEL if cc.x",
    "jmpu": "write jmp LABEL if b0",
    "callc": "write call LABEL until LABEL if cc.x",
    "callu": "write call LABEL until LABEL if b0",
    "ret": "remove it: a call returns at its until label",
    "return": "remove it: a call returns at its until label",
    "dphi": "write dph: the encoding is chosen automatically",
    "dsti": "write dst: the encoding is chosen automatically",
    "sgei": "write sge: the encoding is chosen automatically",
    "slti": "write slt: the encoding is chosen automatically",
    "madi": "write mad: the encoding is chosen automatically",
    "move": "write mov",
    "abs": "use max with the negated source: max r0, r1, -r1",
    "div": "use rcp, then mul",
    "sqrt": "use rsq, then rcp",
    "pow": "write `log r15.x, BASE.x`, then `mul r15.x, r15.x, EXPONENT.x`, then `exp DST.x, r15.x`, for each component",
    "frc": "use flr, then add with the negated floor",
    **dict.fromkeys(("goto", "jump", "b", "bra", "br"), "write jmp LABEL if COND: a jump has a condition"),
    **dict.fromkeys(("while", "repeat"), "write loop with an integer uniform, break cc.x inside, and endloop"),
    **dict.fromkeys(("mix", "lerp", "lrp"), "add the difference, scaled: add r2, r0, -r1, then mad r3, r2, t, r1"),
    **dict.fromkeys(("clamp", "saturate", "sat"), "use max with the lower bound, then min with the upper one"),
    **dict.fromkeys(
        ("normalize", "nrm"),
        "multiply by the reciprocal of the length: dp3 r1.x, r0.xyz, r0.xyz, then rsq r1.x, r1.x, then mul r0, r0, r1.xxxx",
    ),
    **dict.fromkeys(("sin", "cos", "sincos"), "use a polynomial: there is no sine"),
    **dict.fromkeys(("discard", "kil", "texkill"), "discard fragments by C3D_AlphaTest: vertex shaders cannot discard"),
    **dict.fromkeys(
        ("tex", "texld", "sample", "texture", "texture2d", "tex2d"),
        "compute without it: shaders of the PICA200 do not read textures",
    ),
}


def usable(name: str) -> str:
    """The reason why a name cannot be declared; empty if it can."""
    if is_register(name):
        return "is a register"
    if name.lower() in _WORDS:
        return "is a keyword"
    if name.startswith(_RESERVED):
        return "has a reserved prefix: gl_, dmp_ or _"
    return ""


def check_name(name: str, column: int) -> None:
    """Check that a name can be declared. Raises Problem.

    Source: reference/nihstro.md, names.
    """
    why = usable(name)
    if why:
        code = "P041" if is_register(name) else "P047"
        fix = f"choose another name, such as my_{name.lstrip('_')}"
        notes = ("nihstro accepts the alias, but reads the register",) if code == "P041" else ()
        raise Problem(code, f"'{name}' {why}", fix, column, len(name), notes)


def is_name(text: str) -> bool:
    """Letters, digits and `_`, not a digit first, and free to be declared."""
    return text.isidentifier() and text.isascii() and not usable(text)


def usage(name: str) -> str:
    """The usage of an instruction as a fix: `write add DST, SRC1, SRC2`."""
    op = COMPUTING.get(name)
    if name == "cmp":
        return "write cmp SRC1.xy, SRC2.xy, OPX, OPY"
    if name == "mova":
        return "write mova SRC.xy"
    if op is not None:
        count = op.source_count
        return f"write {name} DST, {', '.join(f'SRC{i + 1}' for i in range(count)) if count > 1 else 'SRC'}"
    return "write " + {
        "if": "if COND",
        "loop": "loop i0",
        "break": "break COND",
        "breakc": "breakc COND",
        "jmp": "jmp LABEL if COND",
        "call": "call LABEL until LABEL [if COND]",
        "setemit": "setemitraw VERTEX[, prim][, inv]",
        "setemitraw": "setemitraw VERTEX[, prim][, inv]",
    }.get(name, name)
