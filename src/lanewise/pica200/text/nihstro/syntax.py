"""The words of the nihstro language: which instruction each mnemonic is, and which names are free.

Source: spec 004; what the tool's parser knows besides (`lit`, `dst`, `breakc`, `setemitraw`) is observed.
"""

from __future__ import annotations

from lanewise.core.text.problems import Problem
from lanewise.pica200.isa import table
from lanewise.pica200.isa.table import OPS
from lanewise.pica200.text.nihstro.operands import is_register

SPELLING = {"ex2": "exp", "lg2": "log", "litp": "lit", "setemit": "setemitraw"}  # how nihstro itself spells an instruction
# Instructions with sources, by every spelling that is read. The manual says exp and log; nihstro refuses ex2, lg2 and litp.
COMPUTING = {
    name: op
    for op in OPS
    if op.kind == table.ARITHMETIC and op.name == op.base
    for name in (op.name, SPELLING.get(op.name, op.name))
}
FLOW = frozenset(
    ("nop", "end", "emit", "setemit", "setemitraw", "if", "else", "endif", "loop", "endloop", "break", "breakc", "jmp", "call")
)
MNEMONICS = frozenset((*COMPUTING, *FLOW))
OPENERS = frozenset(("if", "loop", *[op.name for op in OPS if op.opens_block]))  # also as other assemblers spell them

# The rows of the instruction table that the language can say, in whatever words.
_SPELT_DIFFERENTLY = (table.BREAK, table.CALL, table.CONDITIONAL, table.JUMP, table.LOOP)
SAYS = frozenset(
    [op.name for op in COMPUTING.values()] + [op.name for op in OPS if op.kind in _SPELT_DIFFERENTLY or op.name in FLOW]
)

# How many components the sources of an instruction have whose k-th component does not go into the k-th of the destination.
WIDTHS = {"dp3": (3, 3), "dp4": (4, 4), "dph": (3, 4), "cmp": (2, 2)}
SCALAR = frozenset(("ex2", "lg2", "rcp", "rsq"))  # they look at the first slot alone and fill every component
WHOLE = frozenset(("dst", "litp"))  # each slot has a meaning of its own

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
MIRRORED = (0, 1, 4, 5, 2, 3)  # the operator that says the same with its operands exchanged

_RESERVED = ("gl_", "dmp_", "_")
_WORDS = frozenset((*MNEMONICS, "until", "as"))

# What other assemblers have and this language has not.
INSTEAD = {
    "sub": "add with a negated source: add r0, r1, -r2",
    "ifc": "write if cc.x ... endif",
    "ifu": "write if b0 ... endif",
    "for": "write loop i0 ... endloop",
    "jmpc": "write jmp LABEL if cc.x",
    "jmpu": "write jmp LABEL if b0",
    "callc": "write call LABEL until LABEL if cc.x",
    "callu": "write call LABEL until LABEL if b0",
    "ret": "a call returns at its until label",
    "dphi": "write dph: the form is found by itself",
    "dsti": "write dst: the form is found by itself",
    "sgei": "write sge: the form is found by itself",
    "slti": "write slt: the form is found by itself",
    "madi": "write mad: the form is found by itself",
    "move": "write mov",
    "abs": "max with the negated source: max r0, r1, -r1",
    "div": "rcp, then mul",
    "sqrt": "rsq, then rcp",
    "pow": "log, mul, exp",
    "frc": "flr, then add with the negated floor",
}


def usable(name: str) -> str:
    """Why a name cannot be declared; nothing if it can."""
    if is_register(name):
        return "is a register"
    if name.lower() in _WORDS:
        return "is a word of the language"
    if name.startswith(_RESERVED):
        return "begins with gl_, dmp_ or _, which are reserved"
    return ""


def check_name(name: str, column: int) -> None:
    """Raise Problem unless a name can be declared. Source: reference/nihstro.md, names."""
    why = usable(name)
    if why:
        code = "P041" if is_register(name) else "P047"
        fix = f"choose another name, such as my_{name.lstrip('_')}"
        notes = ("nihstro takes the alias, but reads the register",) if code == "P041" else ()
        raise Problem(code, f"'{name}' {why}", fix, column, len(name), notes)


def is_name(text: str) -> bool:
    """Letters, digits and `_`, not a digit first, and free to be declared."""
    return text.isidentifier() and text.isascii() and not usable(text)


def usage(name: str) -> str:
    """How an instruction is written: `write add DST, SRC1, SRC2`."""
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
