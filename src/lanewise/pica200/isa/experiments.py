"""Test programs for the open questions C1 to C16: rows beside `isa.facts`.

No row has run on a console yet. A row is a cell of the kit: a shader whose probe leaves a number in r0.x, which differs between
the hypotheses. The kit compares it with the exact words that the hypotheses give (`api.evidence.programs`) and shows the match
as a colour.

A probe uses the registers r0 to r5 and c0 to c79; c80 is (0, 1, -1, 0.5).
"""

from __future__ import annotations

from lanewise.core.numbers.floats import float24_from_float, float_from_float24
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

RUN = "never run on a console"
VERTEX, GEOMETRY = "vertex", "geometry"
Words = tuple[int, int, int, int]


class Experiment(Record):
    """A cell of the kit."""

    name: str
    "Key of the experiment, in lower case with hyphens."
    question: str
    "Number of the question, C1 to C16."
    about: str
    "Topic of the question."
    method: str
    "How the program decides it."
    fields: tuple[str, ...]
    "Fields of a profile that its colour depends on, that of the question first; hypotheses are all their combinations."
    probe: str
    "Statements in picasso's language."
    constants: Mapping[int, Words] = {}
    "Float24 words of c registers, by number."
    table: bool = False
    "Each of c0 to c79 that is not in `constants` has its number plus 1 in x, which shows the register that an index reads."
    stage: str = VERTEX
    "VERTEX or GEOMETRY."
    before: str = ""
    "Procedures before those of `probe`."
    read: int | None = None
    "Power of two at which the number is read out bit by bit; None: it is compared."
    words: int = 0
    "Words that the program is padded to; 0 for none."
    upper: bool = False
    "The procedure `upper` of `before` is sent to word 512 on."
    risk: str = ""
    "Harm that may come of it besides a colour; empty for none."
    evidence: str = RUN
    "Where it has run; RUN until a console has shown it."


class Undecidable(Record):
    """An answer, or a difference between answers, that no program on a console can show, with the reason."""

    question: str
    field: str
    what: str
    reason: str


def _words(x: float, y: float = 0.0, z: float = 0.0, w: float = 0.0) -> Words:
    return float24_from_float(x), float24_from_float(y), float24_from_float(z), float24_from_float(w)


INFINITY, NAN, NEGATIVE = 0x7F0000, 0x7F8000, 0x800000
_SUBNORMAL = 0x008000
# Whether r1.x is zero; cmp does not flush subnormals (measured).
_IS_ZERO = """
mov r2, c80
cmp r1.xx, eq, eq, r2.xx
mov r0, c80.yyyy
ifc cmp.x
    mov r0, c80.xxxx
.end
"""
# r0.x is 1 for a set flag x and 2 for a set flag y, added.
_FLAGS = """
mov r0, c80.xxxx
mov r3, c80.yyyy
ifc cmp.x
    add r0, c80.yyyy, r0
.end
ifc cmp.y
    add r0, r3, r0
    add r0, r3, r0
.end
"""
_ROUNDED = 1 + 2**-9 + 3 * 2**-8  # what 1 + 2^-9 times 1 + 3 * 2^-8 is, less one and a half units of its last place
_FACTORS = {0: _words(1 + 2**-9, 1 + 3 * 2**-8, -_ROUNDED)}

# The inputs of C14 as words, with the powers of two of the results: ordinary numbers, and for each operation two at which a
# result that is rounded once differs from one that is rounded to float32 first, toward zero and to nearest.
_PRECISION = (
    ("rcp", (0x408000, 0x41C000, 0x3F5EB8), (-2, -3, -1)), ("rcp", (0x3F00B5, 0x3F00DE), (-1, -1)),
    ("rsq", (0x400000, 0x408000, 0x424000), (-1, -1, -2)), ("rsq", (0x3F01A2, 0x3F00D1), (-1, -1)),
    ("ex2", (0x3E0000, 0x3D3333, 0xC05999), (0, 0, -3)), ("ex2", (0x3E0029, 0x3E016A), (0, 0)),
    ("lg2", (0x408000, 0x3FB333, 0x424000), (0, -1, 1)), ("lg2", (0x4001A4, 0x4001B3), (0, 0)),
)  # fmt: skip
_NUMBERS = tuple([(op, word, power) for op, words, powers in _PRECISION for word, power in zip(words, powers, strict=True)])

EXPERIMENTS = (
    Experiment(
        name="max-zero-neg-inf",
        question="C1",
        about="max(0, -inf)",
        method="the result is compared with 0",
        fields=("max_zero_neg_inf",),
        probe="mov r1, c0\nmax r1.x, c80.x, r1.x\nslt r0.x, r1.x, c80.x",
        constants={0: (NEGATIVE | INFINITY, 0, 0, 0)},
    ),
    Experiment(
        name="add-rounding",
        question="C2",
        about="rounding of sums",
        method="1 + 1.5 * 2^-17 - 1: what is left of one and a half times half a unit of the last place",
        fields=("rounding",),
        probe="mov r1, c0\nadd r1.x, c80.y, r1.x\nadd r0.x, c80.z, r1.x",
        constants={0: _words(1.5 * 2**-17)},
    ),
    Experiment(
        name="mul-rounding",
        question="C2",
        about="rounding of products",
        method="a product that is one and a half units above a number, less this number",
        fields=("rounding",),
        probe="mov r1, c0\nmul r1.x, c0.y, r1.x\nadd r0.x, c0.z, r1.x",
        constants=_FACTORS,
    ),
    Experiment(
        name="mad-rounding",
        question="C2",
        about="rounding inside mad",
        method="the same with one mad",
        fields=("mad_rounding", "rounding"),
        probe="mov r1, c0\nmov r2, c0.yyyy\nmad r0.x, r1.x, r2.x, c0.z",
        constants=_FACTORS,
    ),
    Experiment(
        name="overflow",
        question="C2",
        about="results of 2^64 and more",
        method="2^63 + 2^63, times 2^-63, at most 8",
        fields=("overflow", "rounding"),
        probe="mov r1, c0\nadd r1.x, c0.x, r1.x\nmul r1.x, c0.y, r1.x\nmin r0.x, c0.z, r1.x",
        constants={0: _words(2.0**63, 2.0**-62, 16.0)},
    ),
    Experiment(
        name="negative-zero-rcp",
        question="C3",
        about="the sign of zero, as rcp sees it",
        method="rcp of a negated 0 is compared with 0",
        fields=("negative_zero", "zero_reciprocal"),
        probe="mov r1, -c80.xxxx\nrcp r1.x, r1.x\nslt r0.x, r1.x, c80.x",
    ),
    Experiment(
        name="negative-zero-litp",
        question="C3",
        about="the sign of zero, as the flags of litp see it",
        method="litp of a negated 0, whose flag x is shown",
        fields=("negative_zero", "litp_flags"),
        probe="mov r1, -c80.xxxx\nlitp r2, r1\n" + _FLAGS,
    ),
    Experiment(
        name="mova-fraction",
        question="C4",
        about="mova of fractions",
        method="mova of -0.75 and of 0.75, each added to the number of a register in a table",
        fields=("mova_fraction",),
        probe="mov r1, c70\nmova a0.xy, r1.xy\nmov r0, c10[a0.x]\nmov r1, c10[a0.y]\nmul r1.x, c71.x, r1.x\n"
        "add r0.x, r0.x, r1.x",
        constants={70: _words(-0.75, 0.75), 71: _words(64.0)},
        table=True,
    ),
    Experiment(
        name="mova-range",
        question="C4",
        about="mova of numbers past a byte",
        method="mova of 300: its low byte is 44",
        fields=("mova_range",),
        probe="mov r1, c70\nmova a0.x, r1.x\nmov r0, c10[a0.x]",
        constants={70: _words(300.0)},
        table=True,
    ),
    Experiment(
        name="al-width",
        question="C5",
        about="aL past 127",
        method="aL is 120 + 20 in the second iteration of a loop; the register that it reads is shown",
        fields=("al_width", "al_offset"),
        probe="for n\n    mov r0, c10[aL]\n    nop\n.end",
        table=True,
        before=".consti n(1, 120, 20, 0)",
    ),
    Experiment(
        name="al-wrap",
        question="C5",
        about="aL past 32767",
        method="aL is 255 + 256 * 255 = 65535 after a loop",
        fields=("al_width", "al_offset", "al_last"),
        probe="for n\n    nop\n    nop\n.end\nmov r0, c10[aL]",
        table=True,
        before=".consti n(255, 255, 255, 0)",
    ),
    Experiment(
        name="al-break",
        question="C5",
        about="aL at break",
        method="breakc in the first iteration; the register that aL reads after the loop is shown",
        fields=("al_break",),
        probe="mov r1, c80\nfor n\n    cmp r1.xx, eq, eq, r1.xx\n    nop\n    breakc cmp.x\n    nop\n.end\nmov r0, c10[aL]",
        table=True,
        before=".consti n(5, 3, 1, 0)",
    ),
    Experiment(
        name="al-last",
        question="C5",
        about="aL after the last iteration",
        method="two iterations from 3; the register that aL reads after the loop is shown",
        fields=("al_last",),
        probe="for n\n    nop\n    nop\n.end\nmov r0, c10[aL]",
        table=True,
        before=".consti n(1, 3, 1, 0)",
    ),
    Experiment(
        name="al-restore",
        question="C5",
        about="aL after a nested loop",
        method="aL is 20 in the outer loop and begins with 30 in the inner one; the register that it reads after the inner "
        "loop is shown",
        fields=("al_restore", "al_last"),
        probe="for n\n    for m\n        nop\n        nop\n    .end\n    nop\n    mov r0, c10[aL]\n    nop\n.end",
        table=True,
        before=".consti n(0, 20, 0, 0)\n.consti m(1, 30, 1, 0)",
    ),
    Experiment(
        name="emit-slots",
        question="C6",
        about="the fourth vertex of emit",
        method="the triangle is sent by the emit of slot 3: nothing is drawn if there is none",
        fields=("emit_slots",),
        probe="setemit 3, prim",
        stage=GEOMETRY,
    ),
    Experiment(
        name="dsti-operands",
        question="C7",
        about="the operands of dsti",
        method="z and w of its result show which source they are from",
        fields=("dsti_operands",),
        probe="mov r2, c0\ndst r1, r2, c1\nmul r3.x, c2.x, r1.w\nadd r0.x, r1.z, r3.x",
        constants={0: _words(1, 1, 1, 2), 1: _words(1, 1, 3, 4), 2: _words(8)},
    ),
    Experiment(
        name="subnormal-flr",
        question="C8",
        about="flr of a negative subnormal",
        method="the result is -1 or 0",
        fields=("subnormal_floor", "rounding"),
        probe="flr r0.x, c0.x",
        constants={0: (NEGATIVE | _SUBNORMAL, 0, 0, 0)},
    ),
    Experiment(
        name="subnormal-mov",
        question="C8",
        about="mov of a subnormal",
        method="whether the result is 0",
        fields=("subnormal_mov", "rounding"),
        probe="mov r1, c0" + _IS_ZERO,
        constants={0: (_SUBNORMAL, 0, 0, 0)},
    ),
    Experiment(
        name="subnormal-min",
        question="C8",
        about="min of a subnormal and 1",
        method="whether the result is 0",
        fields=("subnormal_min", "rounding"),
        probe="mov r2, c80\nmin r1.x, c0.x, r2.y" + _IS_ZERO,
        constants={0: (_SUBNORMAL, 0, 0, 0)},
    ),
    Experiment(
        name="subnormal-slt",
        question="C8",
        about="slt of 0 and a subnormal",
        method="whether 0 is less than it; max, which keeps it (measured), loads it",
        fields=("subnormal_set", "rounding"),
        probe="mov r2, c80\nmax r1, c0, r2.xxxx\nslt r0.x, r2.x, r1.x",
        constants={0: (_SUBNORMAL, 0, 0, 0)},
    ),
    Experiment(
        name="subnormal-sge",
        question="C8",
        about="sge of 0 and a subnormal",
        method="whether 0 is at least it",
        fields=("subnormal_set", "rounding"),
        probe="mov r2, c80\nmax r1, c0, r2.xxxx\nsge r0.x, r2.x, r1.x",
        constants={0: (_SUBNORMAL, 0, 0, 0)},
    ),
    Experiment(
        name="subnormal-litp",
        question="C8",
        about="litp of a subnormal",
        method="whether x of the result is 0",
        fields=("subnormal_litp", "rounding"),
        probe="mov r2, c80\nmax r1, c0, r2.xxxx\nlitp r1, r1" + _IS_ZERO,
        constants={0: (_SUBNORMAL, 0, 0, 0)},
    ),
    Experiment(
        name="subnormal-add",
        question="C8",
        about="add of a subnormal and 0",
        method="whether the sum is 0",
        fields=("subnormal_arithmetic", "rounding"),
        probe="mov r2, c80\nadd r1.x, c0.x, r2.x" + _IS_ZERO,
        constants={0: (_SUBNORMAL, 0, 0, 0)},
    ),
    Experiment(
        name="cmp-operators",
        question="C9",
        about="cmp operators 6 and 7",
        method="both flags are false, then cmp with operator 6 for x and 7 for y",
        fields=("cmp_operators",),
        probe="mov r2, c80\ncmp r2.xx, ne, ne, r2.xx\nnop\n.word 0xBEE12900\n" + _FLAGS,
    ),
    Experiment(
        name="gs-registers",
        question="C10",
        about="registers at the start of a geometry shader's run",
        method="the second run draws over the first one and shows r6, which the first has set to 1",
        fields=("keep_registers_between_invocations",),
        probe="mov r0, r6\nmov r6, c80.yyyy",
        stage=GEOMETRY,
    ),
    Experiment(
        name="dot-order",
        question="C11",
        about="order of additions in dp4",
        method="1 + e + e - 1, where e is half a unit of the last place",
        fields=("dot_order", "rounding"),
        probe="mov r1, c0\ndp4 r0.x, c1, r1",
        constants={0: _words(1, 2**-17, 2**-17, -1), 1: _words(1, 1, 1, 1)},
    ),
    Experiment(
        name="past-end",
        question="C12",
        about="PC past the last word",
        method="a geometry shader of 4096 words draws green and runs off the end; word 0 begins what draws red",
        fields=("past_end",),
        probe="",
        stage=GEOMETRY,
        words=4096,
        risk="may hang: then the console must be switched off, and the kit goes on with the next cell when it is started again",
    ),
    Experiment(
        name="litp-nan",
        question="C13",
        about="NaN in litp",
        method="whether x of the result is NaN: sge of it and itself",
        fields=("litp_nan",),
        probe="mov r1, c0\nlitp r1, r1\nsge r0.x, r1.x, r1.x",
        constants={0: (NAN, NAN, NAN, NAN)},
    ),
    Experiment(
        name="litp-flags",
        question="C13",
        about="flags of litp for NaN",
        method="flag x for a NaN without a sign",
        fields=("litp_flags",),
        probe="mov r1, c0\nlitp r1, r1\n" + _FLAGS,
        constants={0: (NAN, NAN, NAN, NAN)},
    ),
    Experiment(
        name="litp-mask",
        question="C13",
        about="flags of litp under a write mask",
        method="both flags are true, then litp of negative numbers writes y only",
        fields=("litp_mask",),
        probe="mov r1, c0\ncmp r1.xx, eq, eq, r1.xx\nnop\nlitp r1.y, r1\n" + _FLAGS,
        constants={0: _words(-1, -1, -1, -1)},
    ),
    *[
        Experiment(
            name=f"{op}-{number}",
            question="C14",
            about=f"the bits of {op}({float_from_float24(word):.6g})",
            method="the mantissa of the result as colours, four bits each, in two pictures",
            fields=("precision", "rounding"),
            probe=f"mov r1, c0\n{op} r0.x, r1.x",
            constants={0: (word, 0, 0, 0)},
            read=power,
        )
        for number, (op, word, power) in enumerate(_NUMBERS)
    ],
    Experiment(
        name="code-wrap",
        question="C15",
        about="words from 512 on, as word 0 sees them",
        method="the procedure at word 0 gives 1; what is sent to word 512 gives 2",
        fields=("code_limit",),
        probe="call low\nnop",
        constants={0: _words(2.0)},
        before=".proc low\n    mov r0, c80.yyyy\n    nop\n.end\n.proc upper\n    mov r0, c0\n    nop\n.end",
        upper=True,
    ),
    Experiment(
        name="code-high",
        question="C15",
        about="words from 512 on",
        method="a call of word 512, where 2 is given; word 0 gives 1",
        fields=("code_limit", "past_end"),
        probe="mov r0, c80.xxxx\n.word 0x90080002\nnop",
        constants={0: _words(2.0)},
        before=".proc low\n    mov r0, c80.yyyy\n    nop\n.end\n.proc upper\n    mov r0, c0\n    nop\n.end",
        upper=True,
        risk="may hang: then the console must be switched off, and the kit goes on with the next cell when it is started again",
    ),
    Experiment(
        name="loop-register",
        question="C16",
        about="the integer register of a loop",
        method="a loop whose field has 5; the number of its iterations is shown",
        fields=("loop_register",),
        probe="mov r0, c80.xxxx\n.word 0xA5400800\nadd r0.x, c80.y, r0.x\nnop",
        before=".seti i1(3, 0, 1, 0)",
    ),
)

UNDECIDABLE = (
    Undecidable(
        "C3",
        "negative_zero",
        "whether -0 exists, if rcp and the flags of litp ignore the sign of zero",
        "no other instruction has a result that depends on the sign of a zero, comparisons take -0 and 0 for equal, and the "
        "memory of results cannot be read: a frame buffer has no sign. That rcp and rsq ignore it is measured",
    ),
    Undecidable(
        "C5",
        "al_width",
        "8 bits with a sign, as against offsets of any size (al_offset=any)",
        "an index is a sum modulo 128, and 8 bits wrap at a multiple of it: the two address the same register for every "
        "value, and only an index shows aL. Of al_offset=any no width can be told",
    ),
    Undecidable(
        "C6",
        "winding_swap",
        "which two vertices the winding flag swaps",
        "1, 0, 2 and 2, 1, 0 are the same triangle with the same orientation, and the rasterizer has no flat shading. "
        "Fragment lighting could show it: the GPU turns the signs of the other two quaternions to that of the first vertex "
        "(azahar-emu/azahar a2d16d4, rasterizer_accelerated.cpp, says so of the hardware), and of three quaternions with "
        "obtuse angles between them each choice of the first gives another normal. The kit has no such picture: its pictures "
        "are colours of vertices",
    ),
    Undecidable(
        "C11",
        "dot_order",
        "left to right from the first product, as against from 0",
        "0 + x is x for every x but -0: they differ in the sign of a zero only (C3)",
    ),
    Undecidable("C13", "litp_nan", "whether litp gives 0 or -0 for -0", "only the sign of a zero differs (C3)"),
    Undecidable("C16", "", "the w of integer uniforms", "no instruction reads it: a loop takes x, y and z"),
)
