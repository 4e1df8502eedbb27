"""Facts about the PICA200 with their evidence, and the choices for a run.

Each row is a question that the specification leaves open or that a test has settled. A row with several answers is a choice:
its key is a field of `sem.profile.Profile`, the first answer is the one of the preset `hardware`, and two columns have the
answers of two emulators' interpreters where they differ. C and a number is the open contradiction of that number in the
project's references. Short names of sources: 3dbrew is its page GPU/Shader Instruction Set; fp-tests and dph-tests are programs
of aroulin/3ds-gpu-tests that check themselves on a console; Azahar is its video_core/shader/shader_interpreter.cpp and
video_core/pica_types.h, Panda3DS its src/core/PICA/shader_interpreter.cpp and include/PICA/float_types.hpp.
"""

from __future__ import annotations

from lanewise.core.evidence import CLASSES, entries
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

# The emulators, with the revisions whose interpreters the columns were read in; programs run on those, too.
EMULATORS: Mapping[str, str] = {
    "azahar": "azahar-emu/azahar a2d16d4 (2026-08-21)",
    "panda3ds": "wheremyfoodat/Panda3DS 4563584 (2026-08-06)",
}


# The rows of these list the instructions that round first; functions of one number round too.
_OF_ALL_NUMBERS = frozenset(("rounding", "overflow"))


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

    def concerns(self, opcodes: AbstractSet[str], *, geometry: bool) -> bool:
        """Whether a program with these instructions can show it."""
        asked = not self.ops or self.key in _OF_ALL_NUMBERS or not opcodes.isdisjoint(self.ops)
        return asked and (geometry or not self.geometry)

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


# Products of all four components: a row of a matrix moves what it transforms.
FOUR_PRODUCTS = frozenset(("dp4",))
_DOTS = ("dp3", "dp4", "dph", "dphi")
_MADS = ("mad", "madi")
_GROUPS: Mapping[str, tuple[str, ...]] = {
    "DOTS": _DOTS,
    "MADS": _MADS,
    "ARITHMETIC": ("add", "mul", *_DOTS, "dst", "dsti", *_MADS),
    "SPECIAL": ("ex2", "lg2", "rcp", "rsq"),
    "CALLS": ("call", "callc", "callu"),
    "BREAKS": ("break", "breakc"),
    "JUMPS": ("jmpc", "jmpu"),
}
_LABELS = (*[known.capitalize() for known in CLASSES], "Azahar", "Panda3DS", "Instructions")


def _facts(text: str) -> tuple[Fact, ...]:
    """The rows of a text: the key and the topic, then `value = meaning` for each answer, `= meaning` for the only one; the
    certainty of the first answer with its source; what emulators answer, and the rest of a fact. Raises ValueError for any
    other line."""
    found: list[Fact] = []
    for head, lines in entries(text):
        key, _, topic = head.partition(" ")
        answers: dict[str, str] = {}
        given: dict[str, str] = {}
        others: list[str] = []
        for line in lines:
            label, colon, rest = line.partition(": ")
            if colon and label in _LABELS:
                given[label] = rest
            elif colon and label == "Other":
                others.append(rest)
            elif line == "Geometry shaders.":
                given[line] = line
            else:
                value, equals, meaning = line.partition("= ")
                if not equals:
                    raise ValueError(f"{key}: unknown line '{line}'")
                answers[value.rstrip()] = meaning
        known = next(known for known in CLASSES if known.capitalize() in given)
        ops = [_GROUPS.get(name, (name,)) for name in given.get("Instructions", "").split()]
        fact = Fact(
            key=key,
            topic=topic,
            answers=answers,
            known=known,
            source=given[known.capitalize()],
            azahar=given.get("Azahar", ""),
            panda3ds=given.get("Panda3DS", ""),
            others=tuple(others),
            ops=tuple([name for group in ops for name in group]),
            geometry="Geometry shaders." in given,
        )
        found.append(fact)
    return tuple(found)


FACTS = _facts("""
# Numbers
format Format of a number
    = 1 sign, 7 exponent and 16 mantissa bits, bias 63
    Measured: 3dbrew: 1.0 halved 63 times is 0
rounding Rounding of results (C2)
    zero = toward zero, once per operation
    nearest = to nearest, ties to even; values below 2^-62 before rounding are flushed
    float32 = not to float24: all values are float32, each operation rounded to nearest, ties to even
    Unknown: citra PR 7372 cuts and repairs a game; citra PR 2873 rounds to nearest and repairs another program; neither has
        exact captures. Azahar and Panda3DS compute in the host's float32
    Azahar: float32
    Panda3DS: float32
    Instructions: ARITHMETIC
overflow Results of 2^64 and more
    infinity = infinity
    largest = the largest number, as with rounding toward zero in IEEE 754 (float32: always infinity)
    Unknown: citra PR 7372, without captures
    Instructions: ARITHMETIC SPECIAL
mad_rounding Rounding of the product in mad
    twice = rounded before the addition: mad is not fused
    once = product and sum are rounded together
    Inferred: 3dbrew states it, without a test program; Panda3DS's compiler fuses, both interpreters do not
    Instructions: MADS
dot_order Order of additions in dot products (C11)
    left = left to right: ((x + y) + z) + w, starting with the product of x
    from-zero = left to right, starting with 0: differs only in the sign of a zero
    pairs = in pairs, (x + y) + (z + w); dp3 left to right
    once = the exact sum, rounded once
    Unknown: Panda3DS adds from the left, Azahar too, starting with 0; the compilers of both add in pairs
    Azahar: from-zero
    Instructions: DOTS
dph_w src1.w in dph
    = counts as 1.0 for any value
    Measured: dph-tests, case W2
    Instructions: dph dphi
inf_times_zero 0 * inf
    = 0, inside mul, mad and dot products alike; NaN * 0 is NaN
    Measured: 3dbrew; fp-tests 20, 21
    Instructions: mul DOTS MADS
inf_minus_inf inf - inf
    = NaN
    Measured: 3dbrew
    Instructions: add DOTS MADS
negative_zero Sign of zero (C3)
    unseen = not visible: every zero is +0, and negating 0 gives 0
    ieee = -0 exists, by the rules of IEEE 754; 0 * inf is +0
    Inferred: 3dbrew: rsq(rcp(-inf)) and rcp(-0) are +inf, which shows it for rcp and rsq only
    Azahar: ieee
    Panda3DS: ieee
zero_reciprocal rcp and rsq of -0
    positive = +inf
    signed = -inf, where -0 exists
    Measured: 3dbrew: rcp(-0) and rsq(-0) are +inf; Panda3DS implements it, Azahar does not
    Azahar: signed
    Instructions: rcp rsq
nan_pattern Pattern of a written NaN
    one = always 0x7F8000, in float32 0x7FC00000
    kept = the operand's pattern, the first one's if both are NaN, with its quiet bit set; a sign can be negated; a NaN from
        other operands is 0x7F8000, in float32 0xFFC00000 as on x86
    Unknown: no NaN has been read back bit by bit; an emulator's result depends on its host, and of two NaN with different signs
        in mad, dp4 and dph on the order that its compiler has chosen
    Azahar: kept
    Panda3DS: kept
subnormal_mul Subnormals in mul
    = flushed to +0 as inputs and as results, unless subnormal_arithmetic says otherwise
    Measured: 3dbrew: mul(s, 2) = 0, mul(n, 0.5) = 0
    Instructions: mul
subnormal_arithmetic Subnormals in other arithmetic
    flush = flushed to 0 as inputs and as results
    keep = kept, in mul too: results lose their last places gradually
    Inferred: 3dbrew states it for arithmetic instructions and shows it for mul; the hosts of emulators keep the subnormals of
        float32
    Azahar: keep
    Panda3DS: keep
    Instructions: ARITHMETIC SPECIAL
subnormal_floor Subnormals in flr (C8)
    flush = flushed: the result is 0, of negative ones too
    keep = -1 for a negative subnormal
    Unknown: no test
    Azahar: keep
    Panda3DS: keep
    Instructions: flr
subnormal_compare Subnormals in cmp and max
    = kept: cmp(s, 0) eq is false, max(s, 0) is s
    Measured: 3dbrew
    Instructions: cmp max
subnormal_mov Subnormals in mov (C8)
    keep = kept, as max keeps them
    flush = flushed to 0
    Inferred: 3dbrew says that arithmetic flushes; not measured
    Instructions: mov
subnormal_min Subnormals in min (C8)
    keep = kept, as max keeps them
    flush = flushed to 0
    Inferred: 3dbrew measures only max
    Instructions: min
subnormal_set Subnormals in sge and slt (C8)
    keep = kept, as cmp keeps them
    flush = compared as 0
    Inferred: 3dbrew measures only cmp
    Instructions: sge sgei slt slti
subnormal_litp Subnormals in litp (C8)
    keep = kept, as max keeps them
    flush = flushed to 0
    Inferred: 3dbrew says that arithmetic flushes; not measured
    Instructions: litp
max_zero_neg_inf max(0, -inf) (C1)
    zero = 0, as src1 > src2 ? src1 : src2 gives
    -inf = -inf: an infinite src2 is always the result
    Inferred: fp-tests 10 expects 0 and checks itself; 3dbrew's table says -inf, and Panda3DS follows it
    Panda3DS: -inf
    Instructions: max
max_nan max and min of NaN
    = the second source, whichever of the two is NaN
    Measured: 3dbrew; fp-tests
    Instructions: max min
compare_nan Comparisons with NaN
    ne = false, but ne is true
    none = false, also for ne
    Inferred: fp-tests 28-35 show it for sge and slt; cmp is not tested
    Instructions: cmp
special_inputs rcp, rsq, lg2, ex2 at 0, infinity and negative inputs
    = rcp(0) = rsq(0) = +inf, rcp(inf) = rsq(inf) = 0, rsq and lg2 of negative numbers NaN, lg2(0) = -inf, ex2(-inf) = 0
    Measured: 3dbrew; fp-tests
    Instructions: SPECIAL
precision Precision of rcp, rsq, ex2, lg2 (C14)
    exact = correctly rounded, once
    float32 = rounded to nearest as float32, rsq after its square root too, and then to the format
    Unknown: only steps of 1/255 have been seen; no measured table exists. Azahar and Panda3DS use 1 / x, 1 / sqrt(x), exp2 and
        log2 of the host in float32; a C library may be off by one place in exp2 and log2, where lanewise rounds float32
        correctly: of 65,536 inputs glibc differs in 36 of exp2 and 639 of log2 (0.5 to 2), in none of rcp, rsq and flr
    Other: an approximation of 12 to 16 bits
    Azahar: float32
    Panda3DS: float32
    Instructions: SPECIAL
dst_meaning Meaning of dst
    = (1, src1.y * src2.y, src1.z, src2.w)
    Unknown: 3dbrew; no test
    Instructions: dst dsti
dsti_operands Meaning of dsti (C7)
    wide = as dst; only src2 is wide
    swapped = src1 and src2 change places: (1, src1.y * src2.y, src2.z, src1.w)
    Unknown: 3dbrew: dsti is "DST with sources swapped"; no test
    Instructions: dsti
litp_limits Clamp of litp
    = y is kept within -127.99609375 to 127.99609375, z is 0
    Measured: Panda3DS tests/PICA_LITP; its interpreter computes in float32 with 127.9961, which is 2^-17 more
    Instructions: litp
litp_nan NaN and -0 in litp (C13)
    limits = NaN in x and w: 0; in y: the upper limit; -0 in x and w: +0, the limit
    through = passed on: a limit replaces only what is beyond it
    Unknown: no test; Panda3DS uses max and clamp of C++; Azahar has no litp
    Panda3DS: through
    Instructions: litp
litp_flags Flags of litp for NaN and -0 (C13)
    compare = x >= 0: false for NaN, true for -0
    sign = the sign bit is clear: true for a positive NaN, false for -0
    Unknown: no test
    Instructions: litp
litp_mask Flags of litp under a write mask
    ignored = always set
    obeyed = cmp.x only if x is written, cmp.y only if w is
    Unknown: no test; cmp sets them always (measured)
    Instructions: litp
upload Inputs and uniforms given as numbers
    zero = rounded once toward zero; subnormals kept, NaN stays NaN
    nearest = rounded once to nearest, ties to even
    host = as in picasso and libctru: the mantissa of float32 is cut, wrong below 2^-62 and from 2^64 on
    Unknown: the GPU's conversion of float32 vertex data is not known. Where values are float32, as in emulators, nothing is
        rounded
constant_subnormals float24 subnormals as float32
    exact = their value
    hidden-bit = read with a leading 1, like other numbers: between 2^-63 and 2^-62
    Inferred: 3dbrew calls 0x00FFFF a subnormal. Matters only where values are float32
    Panda3DS: hidden-bit
# Address registers
index_wrap Sum of a register number and an index
    uniforms = the number of the c register is taken modulo 128; past c95 reads (1, 1, 1, 1)
    registers = an 8-bit register number: below c0 are r15 to r0 and v15 to v0; otherwise as with uniforms
    Measured: 3dbrew; Panda3DS's tests on a console, 14 vectors; its interpreter read v and r registers below c0 until PR 786
        (2025-07-23)
al_offset aL as an index outside -128 to 127
    byte = counts as 0, as the offsets of a0 do
    any = is added unchanged
    Inferred: 3dbrew states it for every index register; the measured vectors use a0. Azahar and, since PR 786 (2025-07-23),
        Panda3DS do so
a0_offset a0.x and a0.y as an index outside -128 to 127
    = counts as 0
    Measured: 3dbrew; Panda3DS's tests on a console
index_files Index registers on v and r registers (errata E14)
    ignored = ignored
    added = added, modulo 128, in the numbering of the words: r0 follows v15, c0 follows r15
    Inferred: 3dbrew; the test of aroulin/3ds-gpu-tests cannot distinguish them
mova_fraction mova of fractions (C4)
    zero = cut toward zero
    floor = the next integer below
    nearest = the nearest integer, ties to even
    Inferred: citra PR 1079 shows it for +0.9; 3dbrew also says "rounding"
    Instructions: mova
mova_range mova of NaN, infinity and large numbers
    saturate = NaN is 0, others the nearest 32-bit integer; such offsets then count as 0
    byte = the same, and then the low 8 bits, with a sign
    Unknown: no test; an offset past 127 counts as 0 (measured), so something must be wider than a byte
    Instructions: mova
# Flags
cmp_operators cmp operators 6 and 7 (C9)
    true = always true
    unchanged = the flag is unchanged
    Inferred: 3dbrew: they "seem to always return true"; Azahar leaves the flag unchanged
    Azahar: unchanged
    Instructions: cmp
cmp_mask cmp under a write mask
    = both flags are written, for any mask
    Measured: zitrus psm.md, on an o2DS
    Instructions: cmp
# Flow
stack_check Ends of blocks and calls
    parallel = PC + 1 of every instruction is compared with each of the three stacks separately; LOOP's address takes precedence
        over IF's, then CALL's, then the instruction's own jump; CALL can pop four times
    sequence = LOOP, IF and CALL one after another, each compared with the address that the one before left, the instruction's
        own jump first; CALL pops once
    nested = all that ends at an address ends, from the inside out, and a break ends the IFs that it leaves: blocks are those of
        the source, as in the compilers of emulators; jumps are not compared
    Inferred: 3dbrew describes a study on hardware; its test programs are not public; Azahar does the same, Panda3DS goes in
        sequence; the compilers of both for x86-64 were compared with lanewise (docs/emulators.md)
    Panda3DS: sequence
    Instructions: CALLS ifc ifu for JUMPS
stack_depth Full CALL, IF and LOOP stacks
    ring = rings of 4, 8 and 4: the oldest entry is lost
    unlimited = no limit, as in the compilers of emulators
    Inferred: 3dbrew; Panda3DS stops the program
    Instructions: CALLS ifc ifu for
fourth_return Four returns at one address
    lost = the fourth does not change the address
    kept = all four do
    Inferred: 3dbrew, "probably a hardware bug"
    Instructions: CALLS
jump_at_end jmpc and jmpu at the end of a block or procedure
    lost = the block's own address takes precedence
    taken = a taken jump is not compared with any stack (stack_check: parallel)
    Inferred: 3dbrew; the compilers of emulators take the jump
    Instructions: JUMPS
loop_last_word Last word of a loop
    = DST is the last instruction of the body
    Measured: citra PR 2848
    Instructions: for
loop_rounds Iterations of a loop
    x+1 = int.x + 1
    x+2 = int.x + 2: the loop is dropped when the count is used up, but the body runs once more
    Measured: 3dbrew; citra PR 2848; Panda3DS's interpreter differs. In that last iteration a break is outside of the loop
    Panda3DS: x+2
    Instructions: for
loop_register Integer register of a loop (C16)
    modulo = the lower two bits of the field
    zeros = the field's four bits; registers above i3 are zero
    Unknown: the field has four bits, there are four registers
    Instructions: for
al_width Width of aL (C5)
    unbounded = no limit; offsets past 127 then count as 0
    s8 = 8 bits with a sign: 127 + 1 is -128
    s16 = 16 bits with a sign, as in 3Beans
    Unknown: no test
    Instructions: for
al_break aL at break (C5)
    step = is stepped
    none = keeps its value
    Inferred: as Azahar; no test
    Instructions: for BREAKS
al_last aL after the last iteration (C5)
    step = is stepped
    none = keeps its value
    Inferred: as Azahar and Panda3DS; no test
    Instructions: for
al_restore aL after a nested loop (C5)
    outer = has its value from before the inner loop; after the outermost loop it keeps its value
    kept = keeps the value of the inner loop
    start = becomes int.y of the inner loop
    Inferred: Azahar intends to restore it, but saves it after the inner loop has set it, so int.y comes back; Panda3DS keeps
        it; 3dbrew: aL is valid after a loop
    Azahar: start
    Panda3DS: kept
    Instructions: for BREAKS
empty_break break with an empty LOOP stack
    hang = the GPU hangs: the run stops with R002
    nothing = nothing happens
    Inferred: 3dbrew; Azahar does nothing. Panda3DS has neither break nor breakc: its interpreter stops at them, its compilers
        skip them
    Azahar: nothing
    Instructions: BREAKS
end_in_block end inside a block or procedure
    = ends the program at once
    Measured: Panda3DS tests/PICA_LITP relies on it
    Instructions: end
past_end PC past the last word (C12)
    stop = the run stops with R003
    end = the vertex is done
    wrap = word 0 is next
    Unknown: no test. Azahar treats word 4095 as end, after executing the memory up to it
    Other: executes what follows in memory
    Azahar: end
code_limit Words from 512 on in a vertex shader (C15)
    none = are in the memory like others
    dropped = do not reach the memory
    wrap = overwrite the memory from word 0 on
    Unknown: GBATEK: the entry point has 9 bits in the vertex unit; libctru sends no more than 512 words; Azahar and Panda3DS
        hold 4096
unknown_words Opcodes 10, 11, 14-17, 1C-1F
    stop = the run stops with R004
    nothing = they do nothing
    Unknown: undocumented; Azahar continues, Panda3DS stops
    Azahar: nothing
# State
initial_state Registers at the start of a vertex
    zero = temporaries, outputs, flags, a0 and aL are zero
    kept = they keep their values from the vertex before
    Unknown: no test for vertex shaders; a console runs vertices on several units at once, an emulator on one. Against zero, for
        outputs of geometry shaders: bubble2k16/snes9x_3ds (3e5cdba) loads on consoles only geometry shaders that never write
        position.w, and what they draw shows; whether w is then 1 or left by other vertices is not known
    Azahar: kept
    Panda3DS: kept
unwritten_outputs Wired components that are never written (E7)
    = the GPU hangs for a vertex shader, and does not for a geometry shader
    Measured: 3dbrew, GPU/Pitfalls; pocket-stack/pocketjs PR 252. Geometry shaders: bubble2k16/snes9x_3ds (3e5cdba),
        source/3dsimpl.cpp and shaderfast.g.pica. Not known: a vertex shader before a geometry shader
repeated_outputs Components of outputs that a vertex shader writes twice (E7)
    = the GPU can hang
    Measured: 3dbrew, GPU/Pitfalls; Team-Yarg/bevy_3ds 31e7ed6 ends a lock-up by removing the second writes, jm8/minercat3ds
        ba0a266 likewise
# Around the shader
unwired_outputs Semantics that no component of an output is wired to
    = are 1.0 for the rasterizer
    Measured: Azahar, video_core/pica/output_vertex.cpp: hardware tests have shown it for attributes that games use without
        GPUREG_SH_OUTMAP_Oi. The tests are not published
shared_units What is sent to the vertex unit, and the geometry unit
    = float, integer and boolean uniforms, words, descriptors and the output mask reach the geometry unit too, while bit 0 of
        GPUREG_VSH_COM_MODE is 0 and no geometry shader is in use
    Inferred: 3dbrew states it; Azahar, video_core/pica/pica_core.cpp, and citra PR 7367 do it; no test program
mixed_draws Uniforms of the geometry unit after a draw without a geometry shader
    = are lost, and must be sent again
    Inferred: devkitPro/citro3d issues 39, 53 and 56, seen on consoles, where such draws also hang; no test program
run_boolean b15 of a geometry shader
    = is true after each run, until the booleans are sent again
    Inferred: picasso's manual and GBATEK state it; Azahar, video_core/pica/geometry_pipeline.cpp, does it; no test program
    Geometry shaders.
fixed_attributes Attributes that have a loader and a fixed value
    = take the fixed value
    Unknown: no test: Azahar's video_core/pica/vertex_loader.cpp looks for the fixed value first, citra's for a loader
    Other: the loader's data
loaded_components Components that a loader does not give
    = are 0, w is 1, also where the attribute has a fixed value
    Inferred: citra's and Azahar's vertex_loader.cpp do it and state it in a comment; no test program
half_sent_uniforms Words of a uniform that are left when its number is written again
    = are dropped
    Unknown: no test; Azahar, video_core/pica/shader_setup.cpp, keeps them for the next uniform
    Other: the first words of the next uniform
wide_uniforms Uniforms that are sent as 32-bit floats
    = are float24 in the unit, like all numbers there
    Unknown: no test of the bits that are too many; Azahar's interpreter computes with all of them
    Other: 32-bit floats, as sent
finalized_lists Commands of a list after GPUREG_FINALIZE
    = are not done
    Unknown: no test; Azahar, video_core/pica/pica_core.cpp, stops while irq_autostop is set
# Geometry shaders
emit_slots Vertices that emit can hold (C6)
    4 = four
    3 = three; a fourth is dropped, and its primitive flag
    Unknown: 3dbrew, unconfirmed; picasso and zitrus accept only 0 to 2, and Azahar stops at 3
    Azahar: 3
    Instructions: emit setemit
    Geometry shaders.
winding_swap Vertices that the winding flag swaps (C6)
    first = 0 and 1: the primitive is 1, 0, 2
    outer = 0 and 2: the primitive is 2, 1, 0
    Inferred: citra PR 2865, compared with a console; 3Beans and Tanuki3DS reverse the order
    Instructions: setemit
    Geometry shaders.
keep_registers_between_invocations Registers at the start of a geometry shader's run (C10)
    kept = temporaries, flags, a0 and aL keep their values from the run before
    cleared = they are zero
    Inferred: citra PR 3787 and 4894, from the needs of console programs; 3Beans clears them. Outputs are not all 0 either: see
        initial_state
    Geometry shaders.
fixed_by_arrays A geometry shader in mode fixed and a draw without an index list
    refused = it is not run: finding B013
    drawn = the vertices in order are cut into primitives
    Inferred: devkitPro/picasso 9781455, Manual.md, states that mode fixed goes with C3D_DrawElements alone; Azahar,
        video_core/pica/pica_core.cpp, needs an index list in mode variable only; no test program
    Azahar: drawn
    Geometry shaders.
output_banks Outputs that are not rewritten between two emits (E8)
    = two banks change places at emit: the value of two emits ago is sent
    Measured: azahar-emu/azahar PR 2338, found with console programs; no hang is known
    Instructions: emit
    Geometry shaders.
output_order Outputs and the words of the output map
    = enabled outputs are paired with GPUREG_SH_OUTMAP_O0, O1, ... in order, without gaps
    Measured: 3dbrew, GPU/Pitfalls
merged_outputs `dummy` outputs of a geometry shader
    = carry the properties that only the vertex shader declares, in order
    Inferred: libctru shaderProgram.c merges the tables, and outputs are paired with them in order; GLASS does the same register
        by register; no test
    Geometry shaders.
""")

# The rows that are choices, by key: the fields of a profile.
CHOICES: Mapping[str, Fact] = {fact.key: fact for fact in FACTS if fact.is_choice}
# Those that a run of a shader can show; the others are about draws.
RUN_CHOICES: Mapping[str, Fact] = {key: fact for key, fact in CHOICES.items() if key != "fixed_by_arrays"}
ZERO_TIMES_INFINITY = next(fact for fact in FACTS if fact.key == "inf_times_zero")
