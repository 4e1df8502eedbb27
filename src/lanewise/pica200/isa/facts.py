"""Facts about the PICA200 with their evidence, and the choices for a run.

Each row is a question that the specification leaves open or that a test has settled. A row with several answers is a choice:
its key is a field of `sem.profile.Profile`, the first answer is the one of the preset `hardware`, and two columns have the
answers of two emulators' interpreters where they differ. C and a number is the open contradiction of that number in the
project's references. Short names of sources: 3dbrew is its page GPU/Shader Instruction Set; fp-tests and dph-tests are programs
of aroulin/3ds-gpu-tests that check themselves on a console; Azahar is its video_core/shader/shader_interpreter.cpp and
video_core/pica_types.h, Panda3DS its src/core/PICA/shader_interpreter.cpp and include/PICA/float_types.hpp.
"""

from __future__ import annotations

from lanewise.core.evidence import INFERRED, MEASURED, UNKNOWN
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

# The emulators, with the revisions whose interpreters the columns were read in; programs run on those, too.
EMULATORS: Mapping[str, str] = {
    "azahar": "azahar-emu/azahar a2d16d4 (2026-08-21)",
    "panda3ds": "wheremyfoodat/Panda3DS 4563584 (2026-08-06)",
}


class Fact(Record):
    """A question about the hardware, its answers and their evidence."""

    key: str
    "Field of a profile, for questions with more than one answer."
    topic: str
    "The question in a few words."
    answers: Mapping[str, str]
    "Meaning of each short value; the first is the best known."
    known: str
    "Certainty of the first answer, of `core.evidence`."
    source: str
    "Source of the first answer."
    azahar: str = ""
    "Value of Azahar's interpreter where it differs; empty where it does not."
    panda3ds: str = ""
    "Value of Panda3DS's interpreter where it differs; empty where it does not."
    others: tuple[str, ...] = ()
    "Answers that other programs give or that would be possible, and that lanewise does not implement."
    ops: tuple[str, ...] = ()
    "Names of the rows whose result depends on it; empty where it concerns no particular instruction."
    geometry: bool = False
    "Only geometry shaders can show it."

    @property
    def choice(self) -> str:
        """The meaning of the first answer."""
        return next(iter(self.answers.values()))

    @property
    def default(self) -> str:
        """The value of the first answer; empty if there is only one."""
        return next(iter(self.answers))

    @property
    def is_choice(self) -> bool:
        return len(self.answers) > 1

    def value(self, preset: str) -> str:
        """The value of a preset: `hardware`, `azahar` or `panda3ds`."""
        return {"azahar": self.azahar, "panda3ds": self.panda3ds}.get(preset, "") or self.default


def _settled(answer: str) -> Mapping[str, str]:
    """The only answer of a row without a choice."""
    return {"": answer}


_DOTS = ("dp3", "dp4", "dph", "dphi")
_MADS = ("mad", "madi")
_ARITHMETIC = ("add", "mul", *_DOTS, "dst", "dsti", *_MADS)
_SPECIAL = ("ex2", "lg2", "rcp", "rsq")
_CALLS = ("call", "callc", "callu")
_BREAKS = ("break", "breakc")
_JUMPS = ("jmpc", "jmpu")

ZERO_TIMES_INFINITY = Fact(
    key="inf_times_zero",
    topic="0 * inf",
    answers=_settled("0, inside mul, mad and dot products alike; NaN * 0 is NaN"),
    known=MEASURED,
    source="3dbrew; fp-tests 20, 21",
    ops=("mul", *_DOTS, *_MADS),
)

FACTS = (
    # Numbers
    Fact(
        key="format",
        topic="Format of a number",
        answers=_settled("1 sign, 7 exponent and 16 mantissa bits, bias 63"),
        known=MEASURED,
        source="3dbrew: 1.0 halved 63 times is 0",
    ),
    Fact(
        key="rounding",
        topic="Rounding of results (C2)",
        answers={
            "zero": "toward zero, once per operation",
            "nearest": "to nearest, ties to even; values below 2^-62 before rounding are flushed",
            "float32": "not to float24: all values are float32, each operation rounded to nearest, ties to even",
        },
        known=UNKNOWN,
        source="citra PR 7372 cuts and repairs a game; citra PR 2873 rounds to nearest and repairs another program; neither "
        "has exact captures. Azahar and Panda3DS compute in the host's float32",
        azahar="float32",
        panda3ds="float32",
        others=(),
        ops=_ARITHMETIC,
    ),
    Fact(
        key="overflow",
        topic="Results of 2^64 and more",
        answers={
            "infinity": "infinity",
            "largest": "the largest number, as with rounding toward zero in IEEE 754 (float32: always infinity)",
        },
        known=UNKNOWN,
        source="citra PR 7372, without captures",
        ops=(*_ARITHMETIC, *_SPECIAL),
    ),
    Fact(
        key="mad_rounding",
        topic="Rounding of the product in mad",
        answers={"twice": "rounded before the addition: mad is not fused", "once": "product and sum are rounded together"},
        known=INFERRED,
        source="3dbrew states it, without a test program; Panda3DS's compiler fuses, both interpreters do not",
        ops=_MADS,
    ),
    Fact(
        key="dot_order",
        topic="Order of additions in dot products (C11)",
        answers={
            "left": "left to right: ((x + y) + z) + w, starting with the product of x",
            "from-zero": "left to right, starting with 0: differs only in the sign of a zero",
            "pairs": "in pairs, (x + y) + (z + w); dp3 left to right",
            "once": "the exact sum, rounded once",
        },
        known=UNKNOWN,
        source="Panda3DS adds from the left, Azahar too, starting with 0; the compilers of both add in pairs",
        azahar="from-zero",
        ops=_DOTS,
    ),
    Fact(
        key="dph_w",
        topic="src1.w in dph",
        answers=_settled("counts as 1.0 for any value"),
        known=MEASURED,
        source="dph-tests, case W2",
        ops=("dph", "dphi"),
    ),
    ZERO_TIMES_INFINITY,
    Fact(
        key="inf_minus_inf",
        topic="inf - inf",
        answers=_settled("NaN"),
        known=MEASURED,
        source="3dbrew",
        ops=("add", *_DOTS, *_MADS),
    ),
    Fact(
        key="negative_zero",
        topic="Sign of zero (C3)",
        answers={
            "unseen": "not visible: every zero is +0, and negating 0 gives 0",
            "ieee": "-0 exists, by the rules of IEEE 754; 0 * inf is +0",
        },
        known=INFERRED,
        source="3dbrew: rsq(rcp(-inf)) and rcp(-0) are +inf, which shows it for rcp and rsq only",
        azahar="ieee",
        panda3ds="ieee",
    ),
    Fact(
        key="zero_reciprocal",
        topic="rcp and rsq of -0",
        answers={"positive": "+inf", "signed": "-inf, where -0 exists"},
        known=MEASURED,
        source="3dbrew: rcp(-0) and rsq(-0) are +inf; Panda3DS implements it, Azahar does not",
        azahar="signed",
        ops=("rcp", "rsq"),
    ),
    Fact(
        key="nan_pattern",
        topic="Pattern of a written NaN",
        answers={
            "one": "always 0x7F8000, in float32 0x7FC00000",
            "kept": "the operand's pattern, the first one's if both are NaN, with its quiet bit set; a sign can be negated; "
            "a NaN from other operands is 0x7F8000, in float32 0xFFC00000 as on x86",
        },
        known=UNKNOWN,
        source="no NaN has been read back bit by bit; an emulator's result depends on its host, and of two NaN with different "
        "signs in mad, dp4 and dph on the order that its compiler has chosen",
        azahar="kept",
        panda3ds="kept",
    ),
    Fact(
        key="subnormal_mul",
        topic="Subnormals in mul",
        answers=_settled("flushed to +0 as inputs and as results, unless subnormal_arithmetic says otherwise"),
        known=MEASURED,
        source="3dbrew: mul(s, 2) = 0, mul(n, 0.5) = 0",
        ops=("mul",),
    ),
    Fact(
        key="subnormal_arithmetic",
        topic="Subnormals in other arithmetic",
        answers={
            "flush": "flushed to 0 as inputs and as results",
            "keep": "kept, in mul too: results lose their last places gradually",
        },
        known=INFERRED,
        source="3dbrew states it for arithmetic instructions and shows it for mul; the hosts of emulators keep the subnormals "
        "of float32",
        azahar="keep",
        panda3ds="keep",
        others=(),
        ops=(*_ARITHMETIC, *_SPECIAL),
    ),
    Fact(
        key="subnormal_floor",
        topic="Subnormals in flr (C8)",
        answers={"flush": "flushed: the result is 0, of negative ones too", "keep": "-1 for a negative subnormal"},
        known=UNKNOWN,
        source="no test",
        azahar="keep",
        panda3ds="keep",
        ops=("flr",),
    ),
    Fact(
        key="subnormal_compare",
        topic="Subnormals in cmp and max",
        answers=_settled("kept: cmp(s, 0) eq is false, max(s, 0) is s"),
        known=MEASURED,
        source="3dbrew",
        ops=("cmp", "max"),
    ),
    Fact(
        key="subnormal_mov",
        topic="Subnormals in mov (C8)",
        answers={"keep": "kept, as max keeps them", "flush": "flushed to 0"},
        known=INFERRED,
        source="3dbrew says that arithmetic flushes; not measured",
        ops=("mov",),
    ),
    Fact(
        key="subnormal_min",
        topic="Subnormals in min (C8)",
        answers={"keep": "kept, as max keeps them", "flush": "flushed to 0"},
        known=INFERRED,
        source="3dbrew measures only max",
        ops=("min",),
    ),
    Fact(
        key="subnormal_set",
        topic="Subnormals in sge and slt (C8)",
        answers={"keep": "kept, as cmp keeps them", "flush": "compared as 0"},
        known=INFERRED,
        source="3dbrew measures only cmp",
        ops=("sge", "sgei", "slt", "slti"),
    ),
    Fact(
        key="subnormal_litp",
        topic="Subnormals in litp (C8)",
        answers={"keep": "kept, as max keeps them", "flush": "flushed to 0"},
        known=INFERRED,
        source="3dbrew says that arithmetic flushes; not measured",
        ops=("litp",),
    ),
    Fact(
        key="max_zero_neg_inf",
        topic="max(0, -inf) (C1)",
        answers={"zero": "0, as src1 > src2 ? src1 : src2 gives", "-inf": "-inf: an infinite src2 is always the result"},
        known=INFERRED,
        source="fp-tests 10 expects 0 and checks itself; 3dbrew's table says -inf, and Panda3DS follows it",
        azahar="",
        panda3ds="-inf",
        ops=("max",),
    ),
    Fact(
        key="max_nan",
        topic="max and min of NaN",
        answers=_settled("the second source, whichever of the two is NaN"),
        known=MEASURED,
        source="3dbrew; fp-tests",
        ops=("max", "min"),
    ),
    Fact(
        key="compare_nan",
        topic="Comparisons with NaN",
        answers={"ne": "false, but ne is true", "none": "false, also for ne"},
        known=INFERRED,
        source="fp-tests 28-35 show it for sge and slt; cmp is not tested",
        ops=("cmp",),
    ),
    Fact(
        key="special_inputs",
        topic="rcp, rsq, lg2, ex2 at 0, infinity and negative inputs",
        answers=_settled(
            "rcp(0) = rsq(0) = +inf, rcp(inf) = rsq(inf) = 0, rsq and lg2 of negative numbers NaN, lg2(0) = -inf, ex2(-inf) = 0"
        ),
        known=MEASURED,
        source="3dbrew; fp-tests",
        ops=_SPECIAL,
    ),
    Fact(
        key="precision",
        topic="Precision of rcp, rsq, ex2, lg2 (C14)",
        answers={
            "exact": "correctly rounded, once",
            "float32": "rounded to nearest as float32, rsq after its square root too, and then to the format",
        },
        known=UNKNOWN,
        source="only steps of 1/255 have been seen; no measured table exists. Azahar and Panda3DS use 1 / x, 1 / sqrt(x), exp2 "
        "and log2 of the host in float32; a C library may be off by one place in exp2 and log2, where lanewise rounds float32 "
        "correctly: of 65,536 inputs glibc differs in 36 of exp2 and 639 of log2 (0.5 to 2), in none of rcp, rsq and flr",
        azahar="float32",
        panda3ds="float32",
        others=("an approximation of 12 to 16 bits",),
        ops=_SPECIAL,
    ),
    Fact(
        key="dst_meaning",
        topic="Meaning of dst",
        answers=_settled("(1, src1.y * src2.y, src1.z, src2.w)"),
        known=UNKNOWN,
        source="3dbrew; no test",
        ops=("dst", "dsti"),
    ),
    Fact(
        key="dsti_operands",
        topic="Meaning of dsti (C7)",
        answers={
            "wide": "as dst; only src2 is wide",
            "swapped": "src1 and src2 change places: (1, src1.y * src2.y, src2.z, src1.w)",
        },
        known=UNKNOWN,
        source='3dbrew: dsti is "DST with sources swapped"; no test',
        ops=("dsti",),
    ),
    Fact(
        key="litp_limits",
        topic="Clamp of litp",
        answers=_settled("y is kept within -127.99609375 to 127.99609375, z is 0"),
        known=MEASURED,
        source="Panda3DS tests/PICA_LITP; its interpreter computes in float32 with 127.9961, which is 2^-17 more",
        ops=("litp",),
    ),
    Fact(
        key="litp_nan",
        topic="NaN and -0 in litp (C13)",
        answers={
            "limits": "NaN in x and w: 0; in y: the upper limit; -0 in x and w: +0, the limit",
            "through": "passed on: a limit replaces only what is beyond it",
        },
        known=UNKNOWN,
        source="no test; Panda3DS uses max and clamp of C++; Azahar has no litp",
        azahar="",
        panda3ds="through",
        ops=("litp",),
    ),
    Fact(
        key="litp_flags",
        topic="Flags of litp for NaN and -0 (C13)",
        answers={
            "compare": "x >= 0: false for NaN, true for -0",
            "sign": "the sign bit is clear: true for a positive NaN, false for -0",
        },
        known=UNKNOWN,
        source="no test",
        ops=("litp",),
    ),
    Fact(
        key="litp_mask",
        topic="Flags of litp under a write mask",
        answers={"ignored": "always set", "obeyed": "cmp.x only if x is written, cmp.y only if w is"},
        known=UNKNOWN,
        source="no test; cmp sets them always (measured)",
        ops=("litp",),
    ),
    Fact(
        key="upload",
        topic="Inputs and uniforms given as numbers",
        answers={
            "zero": "rounded once toward zero; subnormals kept, NaN stays NaN",
            "nearest": "rounded once to nearest, ties to even",
            "host": "as in picasso and libctru: the mantissa of float32 is cut, wrong below 2^-62 and from 2^64 on",
        },
        known=UNKNOWN,
        source="the GPU's conversion of float32 vertex data is not known. Where values are float32, as in emulators, nothing "
        "is rounded",
    ),
    Fact(
        key="constant_subnormals",
        topic="float24 subnormals as float32",
        answers={"exact": "their value", "hidden-bit": "read with a leading 1, like other numbers: between 2^-63 and 2^-62"},
        known=INFERRED,
        source="3dbrew calls 0x00FFFF a subnormal. Matters only where values are float32",
        azahar="",
        panda3ds="hidden-bit",
    ),
    # Address registers
    Fact(
        key="index_wrap",
        topic="Sum of a register number and an index",
        answers={
            "uniforms": "the number of the c register is taken modulo 128; past c95 reads (1, 1, 1, 1)",
            "registers": "an 8-bit register number: below c0 are r15 to r0 and v15 to v0; otherwise as with uniforms",
        },
        known=MEASURED,
        source="3dbrew; Panda3DS's tests on a console, 14 vectors; its interpreter read v and r registers below c0 until PR "
        "786 (2025-07-23)",
    ),
    Fact(
        key="al_offset",
        topic="aL as an index outside -128 to 127",
        answers={"byte": "counts as 0, as the offsets of a0 do", "any": "is added unchanged"},
        known=INFERRED,
        source="3dbrew states it for every index register; the measured vectors use a0. Azahar and, since PR 786 (2025-07-23), "
        "Panda3DS do so",
    ),
    Fact(
        key="a0_offset",
        topic="a0.x and a0.y as an index outside -128 to 127",
        answers=_settled("counts as 0"),
        known=MEASURED,
        source="3dbrew; Panda3DS's tests on a console",
    ),
    Fact(
        key="index_files",
        topic="Index registers on v and r registers (errata E14)",
        answers={
            "ignored": "ignored",
            "added": "added, modulo 128, in the numbering of the words: r0 follows v15, c0 follows r15",
        },
        known=INFERRED,
        source="3dbrew; the test of aroulin/3ds-gpu-tests cannot distinguish them",
    ),
    Fact(
        key="mova_fraction",
        topic="mova of fractions (C4)",
        answers={"zero": "cut toward zero", "floor": "the next integer below", "nearest": "the nearest integer, ties to even"},
        known=INFERRED,
        source='citra PR 1079 shows it for +0.9; 3dbrew also says "rounding"',
        ops=("mova",),
    ),
    Fact(
        key="mova_range",
        topic="mova of NaN, infinity and large numbers",
        answers={
            "saturate": "NaN is 0, others the nearest 32-bit integer; such offsets then count as 0",
            "byte": "the same, and then the low 8 bits, with a sign",
        },
        known=UNKNOWN,
        source="no test; an offset past 127 counts as 0 (measured), so something must be wider than a byte",
        ops=("mova",),
    ),
    # Flags
    Fact(
        key="cmp_operators",
        topic="cmp operators 6 and 7 (C9)",
        answers={"true": "always true", "unchanged": "the flag is unchanged"},
        known=INFERRED,
        source='3dbrew: they "seem to always return true"; Azahar leaves the flag unchanged',
        azahar="unchanged",
        ops=("cmp",),
    ),
    Fact(
        key="cmp_mask",
        topic="cmp under a write mask",
        answers=_settled("both flags are written, for any mask"),
        known=MEASURED,
        source="zitrus psm.md, on an o2DS",
        ops=("cmp",),
    ),
    # Flow
    Fact(
        key="stack_check",
        topic="Ends of blocks and calls",
        answers={
            "parallel": "PC + 1 of every instruction is compared with each of the three stacks separately; LOOP's address "
            "takes precedence over IF's, then CALL's, then the instruction's own jump; CALL can pop four times",
            "sequence": "LOOP, IF and CALL one after another, each compared with the address that the one before left, the "
            "instruction's own jump first; CALL pops once",
            "nested": "all that ends at an address ends, from the inside out, and a break ends the IFs that it leaves: "
            "blocks are those of the source, as in the compilers of emulators; jumps are not compared",
        },
        known=INFERRED,
        source="3dbrew describes a study on hardware; its test programs are not public; Azahar does the same, Panda3DS goes in "
        "sequence; the compilers of both for x86-64 were compared with lanewise (docs/emulators.md)",
        azahar="",
        panda3ds="sequence",
        ops=(*_CALLS, "ifc", "ifu", "for", *_JUMPS),
    ),
    Fact(
        key="stack_depth",
        topic="Full CALL, IF and LOOP stacks",
        answers={
            "ring": "rings of 4, 8 and 4: the oldest entry is lost",
            "unlimited": "no limit, as in the compilers of emulators",
        },
        known=INFERRED,
        source="3dbrew; Panda3DS stops the program",
        ops=(*_CALLS, "ifc", "ifu", "for"),
    ),
    Fact(
        key="fourth_return",
        topic="Four returns at one address",
        answers={"lost": "the fourth does not change the address", "kept": "all four do"},
        known=INFERRED,
        source='3dbrew, "probably a hardware bug"',
        ops=_CALLS,
    ),
    Fact(
        key="jump_at_end",
        topic="jmpc and jmpu at the end of a block or procedure",
        answers={
            "lost": "the block's own address takes precedence",
            "taken": "a taken jump is not compared with any stack (stack_check: parallel)",
        },
        known=INFERRED,
        source="3dbrew; the compilers of emulators take the jump",
        ops=_JUMPS,
    ),
    Fact(
        key="loop_last_word",
        topic="Last word of a loop",
        answers=_settled("DST is the last instruction of the body"),
        known=MEASURED,
        source="citra PR 2848",
        ops=("for",),
    ),
    Fact(
        key="loop_rounds",
        topic="Iterations of a loop",
        answers={
            "x+1": "int.x + 1",
            "x+2": "int.x + 2: the loop is dropped when the count is used up, but the body runs once more",
        },
        known=MEASURED,
        source="3dbrew; citra PR 2848; Panda3DS's interpreter differs. In that last iteration a break is outside of the loop",
        azahar="",
        panda3ds="x+2",
        ops=("for",),
    ),
    Fact(
        key="loop_register",
        topic="Integer register of a loop (C16)",
        answers={"modulo": "the lower two bits of the field", "zeros": "the field's four bits; registers above i3 are zero"},
        known=UNKNOWN,
        source="the field has four bits, there are four registers",
        ops=("for",),
    ),
    Fact(
        key="al_width",
        topic="Width of aL (C5)",
        answers={
            "unbounded": "no limit; offsets past 127 then count as 0",
            "s8": "8 bits with a sign: 127 + 1 is -128",
            "s16": "16 bits with a sign, as in 3Beans",
        },
        known=UNKNOWN,
        source="no test",
        ops=("for",),
    ),
    Fact(
        key="al_break",
        topic="aL at break (C5)",
        answers={"step": "is stepped", "none": "keeps its value"},
        known=INFERRED,
        source="as Azahar; no test",
        ops=("for", *_BREAKS),
    ),
    Fact(
        key="al_last",
        topic="aL after the last iteration (C5)",
        answers={"step": "is stepped", "none": "keeps its value"},
        known=INFERRED,
        source="as Azahar and Panda3DS; no test",
        ops=("for",),
    ),
    Fact(
        key="al_restore",
        topic="aL after a nested loop (C5)",
        answers={
            "outer": "has its value from before the inner loop; after the outermost loop it keeps its value",
            "kept": "keeps the value of the inner loop",
            "start": "becomes int.y of the inner loop",
        },
        known=INFERRED,
        source="Azahar intends to restore it, but saves it after the inner loop has set it, so int.y comes back; Panda3DS "
        "keeps it; 3dbrew: aL is valid after a loop",
        azahar="start",
        panda3ds="kept",
        ops=("for", *_BREAKS),
    ),
    Fact(
        key="empty_break",
        topic="break with an empty LOOP stack",
        answers={"hang": "the GPU hangs: the run stops with R002", "nothing": "nothing happens"},
        known=INFERRED,
        source="3dbrew; Azahar does nothing. Panda3DS has neither break nor breakc: its interpreter stops at them, its "
        "compilers skip them",
        azahar="nothing",
        ops=_BREAKS,
    ),
    Fact(
        key="end_in_block",
        topic="end inside a block or procedure",
        answers=_settled("ends the program at once"),
        known=MEASURED,
        source="Panda3DS tests/PICA_LITP relies on it",
        ops=("end",),
    ),
    Fact(
        key="past_end",
        topic="PC past the last word (C12)",
        answers={"stop": "the run stops with R003", "end": "the vertex is done", "wrap": "word 0 is next"},
        known=UNKNOWN,
        source="no test. Azahar treats word 4095 as end, after executing the memory up to it",
        azahar="end",
        others=("executes what follows in memory",),
    ),
    Fact(
        key="code_limit",
        topic="Words from 512 on in a vertex shader (C15)",
        answers={
            "none": "are in the memory like others",
            "dropped": "do not reach the memory",
            "wrap": "overwrite the memory from word 0 on",
        },
        known=UNKNOWN,
        source="GBATEK: the entry point has 9 bits in the vertex unit; libctru sends no more than 512 words; Azahar and "
        "Panda3DS hold 4096",
    ),
    Fact(
        key="unknown_words",
        topic="Opcodes 10, 11, 14-17, 1C-1F",
        answers={"stop": "the run stops with R004", "nothing": "they do nothing"},
        known=UNKNOWN,
        source="undocumented; Azahar continues, Panda3DS stops",
        azahar="nothing",
    ),
    # State
    Fact(
        key="initial_state",
        topic="Registers at the start of a vertex",
        answers={
            "zero": "temporaries, outputs, flags, a0 and aL are zero",
            "kept": "they keep their values from the vertex before",
        },
        known=UNKNOWN,
        source="no test for vertex shaders; a console runs vertices on several units at once, an emulator on one. Against "
        "zero, for outputs of geometry shaders: bubble2k16/snes9x_3ds (3e5cdba) loads on consoles only geometry shaders that "
        "never write position.w, and what they draw shows; whether w is then 1 or left by other vertices is not known",
        azahar="kept",
        panda3ds="kept",
    ),
    Fact(
        key="unwritten_outputs",
        topic="Wired components that are never written (E7)",
        answers=_settled("the GPU hangs for a vertex shader, and does not for a geometry shader"),
        known=MEASURED,
        source="3dbrew, GPU/Pitfalls; pocket-stack/pocketjs PR 252. Geometry shaders: bubble2k16/snes9x_3ds (3e5cdba), "
        "source/3dsimpl.cpp and shaderfast.g.pica. Not known: a vertex shader before a geometry shader",
    ),
    Fact(
        key="repeated_outputs",
        topic="Components of outputs that a vertex shader writes twice (E7)",
        answers=_settled("the GPU can hang"),
        known=MEASURED,
        source="3dbrew, GPU/Pitfalls; Team-Yarg/bevy_3ds 31e7ed6 ends a lock-up by removing the second writes, jm8/minercat3ds "
        "ba0a266 likewise",
    ),
    # Geometry shaders
    Fact(
        key="emit_slots",
        topic="Vertices that emit can hold (C6)",
        answers={"4": "four", "3": "three; a fourth is dropped, and its primitive flag"},
        known=UNKNOWN,
        source="3dbrew, unconfirmed; picasso and zitrus accept only 0 to 2, and Azahar stops at 3",
        azahar="3",
        ops=("emit", "setemit"),
        geometry=True,
    ),
    Fact(
        key="winding_swap",
        topic="Vertices that the winding flag swaps (C6)",
        answers={"first": "0 and 1: the primitive is 1, 0, 2", "outer": "0 and 2: the primitive is 2, 1, 0"},
        known=INFERRED,
        source="citra PR 2865, compared with a console; 3Beans and Tanuki3DS reverse the order",
        ops=("setemit",),
        geometry=True,
    ),
    Fact(
        key="keep_registers_between_invocations",
        topic="Registers at the start of a geometry shader's run (C10)",
        answers={"kept": "temporaries, flags, a0 and aL keep their values from the run before", "cleared": "they are zero"},
        known=INFERRED,
        source="citra PR 3787 and 4894, from the needs of console programs; 3Beans clears them. Outputs are not all 0 either: "
        "see initial_state",
        geometry=True,
    ),
    Fact(
        key="output_banks",
        topic="Outputs that are not rewritten between two emits (E8)",
        answers=_settled("two banks change places at emit: the value of two emits ago is sent"),
        known=MEASURED,
        source="azahar-emu/azahar PR 2338, found with console programs; no hang is known",
        ops=("emit",),
        geometry=True,
    ),
    Fact(
        key="output_order",
        topic="Outputs and the words of the output map",
        answers=_settled("enabled outputs are paired with GPUREG_SH_OUTMAP_O0, O1, ... in order, without gaps"),
        known=MEASURED,
        source="3dbrew, GPU/Pitfalls",
    ),
    Fact(
        key="merged_outputs",
        topic="`dummy` outputs of a geometry shader",
        answers=_settled("carry the properties that only the vertex shader declares, in order"),
        known=INFERRED,
        source="libctru shaderProgram.c merges the tables, and outputs are paired with them in order; GLASS does the same "
        "register by register; no test",
        geometry=True,
    ),
)

# The rows that are choices, by key: the fields of a profile.
CHOICES: Mapping[str, Fact] = {fact.key: fact for fact in FACTS if fact.is_choice}
