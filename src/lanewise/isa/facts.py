"""What is known of the PICA200, what is only inferred, and what nobody knows: the choices behind the default behaviour.

Each row is a question that the specification leaves open or that a test has settled, with the answer this package takes. C and
a number is the open contradiction of that number in the project's references. Short names of sources: 3dbrew is its page GPU/Shader
Instruction Set; fp-tests and dph-tests are programs of aroulin/3ds-gpu-tests that check themselves on a console.
"""

from __future__ import annotations

from typing import NamedTuple

MEASURED = "measured"
INFERRED = "inferred"
UNKNOWN = "unknown"
CLASSES = (MEASURED, INFERRED, UNKNOWN)


class Fact(NamedTuple):
    """A question about the hardware: `topic`; the `choice` taken here; how well it is known (`CLASSES`); `source`.

    `key` names the fact for programs. `alternatives` are the other answers that somebody gives or that would be possible.
    `ops` are the rows whose result depends on it; empty: it concerns no instruction of its own.
    """

    key: str
    topic: str
    choice: str
    known: str
    source: str
    alternatives: tuple[str, ...] = ()
    ops: tuple[str, ...] = ()


_DOTS = ("dp3", "dp4", "dph", "dphi")
_MADS = ("mad", "madi")
_ARITHMETIC = ("add", "mul", *_DOTS, "dst", "dsti", *_MADS)
_SPECIAL = ("ex2", "lg2", "rcp", "rsq")
_SELECTING = ("min", "mov", "sge", "sgei", "slt", "slti", "litp")

FACTS = (
    # Numbers
    Fact("format", "Format of a number", "1 sign, 7 exponent and 16 mantissa bits, bias 63", MEASURED,
         "3dbrew: 1.0 halved 63 times is 0"),
    Fact("rounding", "Rounding of results (C2)", "toward zero, once per operation", UNKNOWN,
         "citra PR 7372 cuts and repairs a game; citra PR 2873 rounds to nearest and repairs another program; neither has exact captures",
         ("to nearest, ties to even",), _ARITHMETIC),
    Fact("overflow", "Results of 2^64 and more", "infinity", UNKNOWN, "citra PR 7372, without captures",
         ("the largest number, as rounding toward zero has it in IEEE 754",), (*_ARITHMETIC, *_SPECIAL)),
    Fact("mad_rounding", "Rounding of the product in mad", "rounded before the addition: mad is not fused", INFERRED,
         "3dbrew states it, without a test program", ("fused",), _MADS),
    Fact("dot_order", "Order of additions in dot products (C11)", "left to right: ((x + y) + z) + w, starting with the product of x", UNKNOWN,
         "as Azahar's interpreter adds", ("in pairs, (x + y) + (z + w), as Azahar's and Panda3DS's compilers add", "exact sum, rounded once"), _DOTS),
    Fact("dph_w", "src1.w in dph", "counts as 1.0 whatever it is", MEASURED, "dph-tests, case W2", (), ("dph", "dphi")),
    Fact("inf_times_zero", "0 * inf", "0, inside mul, mad and dot products alike; NaN * 0 is NaN", MEASURED, "3dbrew; fp-tests 20, 21",
         (), ("mul", *_DOTS, *_MADS)),
    Fact("inf_minus_inf", "inf - inf", "NaN", MEASURED, "3dbrew", (), ("add", *_DOTS, *_MADS)),
    Fact("negative_zero", "A zero's sign (C3)", "never seen: every zero is +0, and negating 0 gives 0", INFERRED,
         "3dbrew: rsq(rcp(-inf)) and rcp(-0) are +inf, which shows it for rcp and rsq only", ("-0 exists, but rcp and rsq ignore its sign",)),
    Fact("nan_pattern", "Pattern of a NaN that is written", "0x7F8000 for every NaN", UNKNOWN, "no NaN has been read back bit by bit",
         ("the pattern of the operand goes through",)),
    Fact("subnormal_mul", "Subnormals in mul", "flushed to +0 as inputs and as results", MEASURED, "3dbrew: mul(s, 2) = 0, mul(n, 0.5) = 0",
         (), ("mul",)),
    Fact("subnormal_arithmetic", "Subnormals in other arithmetic", "flushed to +0 as inputs and as results", INFERRED,
         "3dbrew says arithmetic instructions and shows mul", ("kept as inputs",),
         (*(name for name in _ARITHMETIC if name != "mul"), *_SPECIAL)),
    Fact("subnormal_compare", "Subnormals in cmp and max", "kept: cmp(s, 0) eq is false, max(s, 0) is s", MEASURED, "3dbrew", (),
         ("cmp", "max")),
    Fact("subnormal_select", "Subnormals in mov, min, sge, slt and litp (C8)", "kept, as max keeps them", INFERRED,
         "3dbrew names arithmetic as what flushes; none of these is measured", ("flushed to +0",), _SELECTING),
    Fact("subnormal_floor", "Subnormals in flr (C8)", "flushed: the result is 0, of negative ones too", UNKNOWN, "no test",
         ("-1 for a negative subnormal",), ("flr",)),
    Fact("max_zero_neg_inf", "max(0, -inf) (C1)", "0, as src1 > src2 ? src1 : src2 gives", INFERRED,
         "fp-tests 10 expects 0 and checks itself; 3dbrew's table says -inf", ("-inf",), ("max",)),
    Fact("max_nan", "max and min of NaN", "the second source, whether that one is NaN or the first", MEASURED, "3dbrew; fp-tests", (), ("max", "min")),
    Fact("compare_nan", "Comparisons with NaN", "false, but ne is true", INFERRED, "fp-tests 28-35 show it for sge and slt; cmp is not tested",
         ("ne is false too",), ("sge", "sgei", "slt", "slti", "cmp")),
    Fact("special_inputs", "rcp, rsq, lg2, ex2 at 0, infinity and negative inputs",
         "rcp(0) = rsq(0) = +inf, rcp(inf) = rsq(inf) = 0, rsq and lg2 of negative numbers NaN, lg2(0) = -inf, ex2(-inf) = 0", MEASURED,
         "3dbrew; fp-tests", (), _SPECIAL),
    Fact("precision", "Precision of rcp, rsq, ex2, lg2 (C14)", "correctly rounded (toward zero)", UNKNOWN,
         "only steps of 1/255 have been seen; no measured table exists", ("an approximation of 12 to 16 bits",), _SPECIAL),
    Fact("dst_meaning", "Meaning of dst and dsti (C7)", "(1, src1.y * src2.y, src1.z, src2.w) for both; dsti only widens src2", UNKNOWN,
         "3dbrew: dsti is \"DST with sources swapped\"; no test", ("dsti exchanges the meaning of the two sources",), ("dst", "dsti")),
    Fact("litp_limits", "Clamp of litp", "y is kept within -127.99609375 to 127.99609375, z is 0", MEASURED, "Panda3DS tests/PICA_LITP", (), ("litp",)),
    Fact("litp_nan", "NaN in litp (C13)", "x and w: 0; y: the upper limit; flags false", UNKNOWN, "no test",
         ("NaN goes through",), ("litp",)),
    Fact("litp_mask", "Flags of litp under a write mask", "always set", UNKNOWN, "no test; cmp sets them always (measured)",
         ("only for components that are written",), ("litp",)),
    Fact("upload", "Inputs and uniforms given as float32", "converted exactly, rounded once toward zero; subnormals kept, NaN stays NaN",
         UNKNOWN, "what the GPU does with float32 vertex data is not known", ("kept as float32, as emulators do", "cut to 16 mantissa bits")),
    # Address registers
    Fact("index_range", "Index registers", "an offset outside -128 to 127 counts as 0; the sum is taken modulo 128; past c95 reads (1, 1, 1, 1)",
         MEASURED, "3dbrew; Panda3DS's tests on a console, 14 vectors"),
    Fact("index_files", "Index registers on v and r registers", "ignored", INFERRED, "3dbrew; the test of aroulin/3ds-gpu-tests cannot tell",
         ("added to the number",)),
    Fact("mova_fraction", "mova of fractions (C4)", "cut toward zero", INFERRED, "citra PR 1079 shows it for +0.9; 3dbrew also says \"rounding\"",
         ("floor of negative numbers", "rounded to the nearest"), ("mova",)),
    Fact("mova_range", "mova of NaN, infinity and large numbers", "NaN is 0, others the nearest 32-bit integer; such offsets then count as 0",
         UNKNOWN, "no test; an offset past 127 counts as 0 (measured)", ("kept in 8 bits, so that it wraps",), ("mova",)),
    # Flags
    Fact("cmp_operators", "cmp operators 6 and 7 (C9)", "always true", INFERRED, "3dbrew: they \"seem to always return true\"",
         ("the flag stays as it is, as in Azahar's interpreter",), ("cmp",)),
    Fact("cmp_mask", "cmp under a write mask", "both flags are written whatever the mask", MEASURED, "zitrus psm.md, on an o2DS", (), ("cmp",)),
    # Flow
    Fact("stacks", "CALL, IF and LOOP stacks", "rings of 4, 8 and 4, compared with PC + 1 after every instruction; LOOP before IF before CALL before a jump",
         INFERRED, "3dbrew describes a study on hardware; its test programs are not public", ("host stacks without limits, as compilers of emulators use",),
         ("call", "callc", "callu", "ifc", "ifu", "for", "jmpc", "jmpu")),
    Fact("fourth_return", "Four returns at one address", "the fourth does not change the address", INFERRED, "3dbrew, \"probably a hardware bug\"",
         (), ("call", "callc", "callu")),
    Fact("loop_last_word", "Last word of a loop", "DST is the last instruction of the body", MEASURED, "citra PR 2848", (), ("for",)),
    Fact("al_width", "Width of aL (C5)", "no limit; offsets past 127 then count as 0", UNKNOWN, "no test", ("8 bits, so that it wraps",), ("for",)),
    Fact("al_break", "aL when a loop is left (C5)", "takes its step at break and at the last round too", INFERRED, "as Azahar's interpreter; no test",
         ("takes no step at break", "takes no step after the last round"), ("for", "break", "breakc")),
    Fact("al_restore", "aL after a nested loop (C5)", "becomes what it was before the inner loop; after the outermost loop it keeps its value", INFERRED,
         "as Azahar's interpreter; 3dbrew: aL is valid after a loop", ("keeps the value of the inner loop",), ("for", "break", "breakc")),
    Fact("loop_register", "Integer register of a loop (C16)", "the lower two bits of the field", UNKNOWN, "the field has four bits, there are four registers",
         ("numbers above 3 do something else",), ("for",)),
    Fact("empty_break", "break with an empty LOOP stack", "the GPU hangs: the run stops with R002", INFERRED, "3dbrew", ("nothing happens, as in Azahar",),
         ("break", "breakc")),
    Fact("end_in_block", "end inside a block or procedure", "ends the program at once", MEASURED, "Panda3DS tests/PICA_LITP relies on it", (), ("end",)),
    Fact("past_end", "PC past the last word (C12, C15)", "the run stops with R003", UNKNOWN, "Azahar takes word 4095 as end; no test",
         ("wraps to word 0", "runs what memory holds")),
    Fact("unknown_words", "Opcodes 10, 11, 14-17, 1C-1F", "the run stops with R004", UNKNOWN, "nobody documents them", ("do nothing",)),
    # State
    Fact("initial_state", "Registers at the start of a vertex", "temporaries, outputs, flags, a0 and aL are zero", UNKNOWN,
         "no test for vertex shaders; geometry shaders keep them between runs (citra PR 3787, 4894)", ("left from the vertex before",)),
)  # fmt: skip
