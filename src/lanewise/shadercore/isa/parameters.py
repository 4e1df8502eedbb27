"""Parameters of ShaderCore devices, but for those of single instructions (`isa.paces`).

A row is a parameter with the values of `document`, the device of the specification, and of `rtl`, the public hardware, and the
evidence for each. Short names of sources: SC is ShaderCore.vhd, ALU is FloatALU.vhd, CNV and CMP its units FloatALU_CNV.vhd and
FloatALU_CMP.vhd of code-tom-code/FPGAGPUTesting; `reference N` is section N of the project's reference for ShaderCore, where
measured means run with GHDL.
"""

from __future__ import annotations

from lanewise.core.evidence import CLASSES, entries
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.shadercore.isa.table import BY_NAME, QUADS

if TYPE_CHECKING:
    from collections.abc import Mapping

STATED = "stated"  # by the specification
CORRECTED = "corrected"  # the specification has an error here
CHOSEN = "chosen"  # the specification leaves it open; the row has our answer and the reason
KINDS = (STATED, CORRECTED, CHOSEN)

TIME, REGISTERS, MEANING = "time", "registers", "meaning"
GROUPS = (TIME, REGISTERS, MEANING)
INSTRUCTIONS = "instructions"  # the group of `isa.paces`
NOT_DEFINED = "none"  # how None is written

Value = str | int | None  # one of the answers; a number of cycles, or None where it is not defined


class Parameter(Record):
    """A parameter of a device, with its values on `document` and `rtl`."""

    key: str
    "The name of the parameter."
    group: str
    "The heading under which it is listed, one of `GROUPS`."
    topic: str
    "The question that it answers, as a heading."
    answers: Mapping[str, str]
    "The values with their meaning; empty for a number."
    document: Value
    "The value on the device of the specification."
    kind: str
    "The evidence for `document`, one of `KINDS`."
    reason: str
    "The reason for `document`, with its place in the specification."
    rtl: Value
    "The value on the public hardware."
    known: str
    "The evidence for `rtl`, one of `CLASSES`."
    source: str
    "The lines of the hardware, or the section of the reference, that `rtl` is from."
    least: int = 0
    "The least number, where values are numbers."
    most: int = 0
    "The greatest number, where values are numbers."
    may_be_none: bool = False
    "A number may be None: not defined."
    ops: tuple[str, ...] = ()
    "Instructions that the parameter concerns by themselves."
    unit: str = "cycle"
    "The unit of a number, in the singular."
    default: str = ""
    "What holds where a number is None, in words; empty: the number is not defined."

    @property
    def differs(self) -> bool:
        return self.document != self.rtl

    def describe(self, value: Value) -> str:
        """The meaning of a value."""
        if isinstance(value, str):
            return self.answers[value]
        if value is None:
            return f"as {self.default}" if self.default else "not defined"
        return f"{value} {self.unit}{'' if value == 1 else 's'}"

    def parse(self, text: str) -> Value:
        """The value that a text means. Raises ValueError."""
        if self.answers:
            if text in self.answers:
                return text
        elif self.may_be_none and text == NOT_DEFINED:
            return None
        elif text.isascii() and text.isdigit() and len(text) < 6 and self.least <= int(text) <= self.most:
            return int(text)
        reason = "; 16 lanes pass the four units in 4 cycles" if self.least == QUADS else ""
        values = self.values.replace("a whole number", "a whole number of cycles", 1) if self.unit == "cycle" else self.values
        raise ValueError(f"{self.key} cannot be '{text}': it is {values}{reason}{self._meant(text)}")

    def _meant(self, text: str) -> str:
        """The fix for a truth, for cycles where there is a choice, and for a number with a unit; empty for another text."""
        if self.answers:
            value = self.document if text.lower() in _TRUE else self.rtl if text.lower() in _FALSE else None
            if value is not None:
                return f"; write {self.key}={value}"
            digit = {"0": "zero", "1": "one", "2": "two"}.get(text, "")
            if digit in self.answers:
                return f"; write {self.key}={digit}"
            return f"; its cycles are {self.key}_latency={text}" if text.isdigit() and self.key in self.ops else ""
        number = text.strip().lower().rstrip("abcdefghijklmnopqrstuvwxyz ").removesuffix(".0")
        fits = number != text and number.isascii() and number.isdigit() and len(number) < 6
        return f"; write {self.key}={number}" if fits and self.least <= int(number) <= self.most else ""

    @property
    def values(self) -> str:
        """The values in words, for messages."""
        if self.answers:
            return " or ".join(self.answers)
        return f"a whole number from {self.least} to {self.most}" + (f", or {NOT_DEFINED}" if self.may_be_none else "")


_TRUE = ("true", "1", "on", "yes", "enable", "enabled", "correct", "repaired", "ieee")
_FALSE = ("false", "0", "off", "no", "disable", "disabled", "hardware", "broken")


def value_text(value: Value) -> str:
    """A value as `Parameter.parse` takes it."""
    return NOT_DEFINED if value is None else str(value)


_SILENT = "the specification does not mention it"
_OR_NONE = f" or {NOT_DEFINED}"
_SOURCES = {"CACHE": "VertexStreamCache.vhd:1-10,105-150,205-215; the cycles of 462 waves with 20,653 misses, GHDL"}


def _parameters(group: str, text: str) -> tuple[Parameter, ...]:
    """The rows of a text: the key and the topic; `value = meaning` for each answer, or the numbers that there may be; the value
    of either device with the evidence, where `document` gives no reason the specification is silent; the instructions."""
    found: list[Parameter] = []
    for head, lines in entries(text):
        key, _, topic = head.partition(" ")
        numbers, answers, ops = "", dict[str, str](), ()
        values: dict[str, tuple[Value, str, str]] = {}
        for line in lines:
            first, _, rest = line.partition(" ")
            if first == "Instructions:":
                ops = tuple(rest.split())
            elif first in ("document", "rtl"):
                fact, _, reason = rest.partition(": ")
                value, _, known = fact.rpartition(", ")
                number = None if value == NOT_DEFINED else int(value) if value.isdigit() else value
                values[first] = (value if answers else number), known, reason
            elif rest.startswith("= "):
                answers[first] = rest[2:]
            else:
                numbers = line
        least, _, most, unit = numbers.removesuffix(_OR_NONE).split() if numbers else ("0", "", "0", "cycles")
        (document, kind, reason), (rtl, known, source) = values["document"], values["rtl"]
        parameter = Parameter(
            key=key,
            group=group,
            topic=topic,
            answers=answers,
            document=document,
            kind=kind,
            reason=reason or _SILENT,
            rtl=rtl,
            known=known,
            source=_SOURCES.get(source, source),
            least=int(least),
            most=int(most),
            may_be_none=numbers.endswith(_OR_NONE),
            ops=ops,
            unit=unit.removesuffix("s"),
        )
        found.append(parameter)
    return tuple(found)


PARAMETERS = (
    *_parameters(
        TIME,
        """
issue_interval Cycles from one instruction to the next
    4 to 64 cycles
    document 4, stated: Device ISA Overview: every four cycles one instruction is submitted, a quad each cycle
    rtl 8, measured: SC:1754; reference 3
special_interval Cycles from RCP or RSQ to the next instruction
    4 to 64 cycles
    document 4, chosen: no exception is named: the pipe takes a quad each cycle like all pipes
    rtl 15, measured: SC:1754; reference 3
unimplemented_latency Latency of EXP, LOG and opcode 14
    1 to 64 cycles
    document 14, chosen: marked NotImpl; they count as the pipe SPEC does for RCP
    rtl 1, measured: SC:520-536,833; reference 2
    Instructions: exp log unused
special_latency Cycles from the issue of an instruction of SPEC to a result of it that nothing waits for
    1 to 256 cycles
    document 14, chosen: such a result is lost; the latency of RCP
    rtl 14, measured: reference 2b, effect 1
    Instructions: rcp exp log rsq
start_delay Cycles from the issue of an instruction until its first quad starts
    0 to 64 cycles
    document 0, chosen: none are named between submitting a quad and the pipe's latency
    rtl 5, measured: SC:1675-1735; reference 3
read_delay Cycles from the end of the latency until a result can be read
    0 to 64 cycles
    document 0, stated: the latency is all there is
    rtl 6, measured: SC:714-761; reference 3
hazard_fields Source fields that an instruction waits for
    used = those of the operands that it has
    both = both, whatever the instruction: an unused r0.x waits for r0.x
    document used, chosen: an instruction cannot wait for an operand that it does not have
    rtl both, measured: SC:714-761; reference 1
write_port Results written in one cycle
    free = nothing waits for it
    window = an instruction waits while an earlier write would fall into its own four cycles, or the one before
    document free, chosen
    rtl window, measured: O-stall; reference 3
drain_delay Cycles that END waits beyond the latency of the last write's last quad
    0 to 64 cycles
    document 0, stated: END waits for all writes to flush
    rtl 7, measured: waitForWritesToComplete; reference 3
    Instructions: end
drain_least Cycles that END waits at least
    0 to 64 cycles
    document 0, stated: END waits for writes, and there are none
    rtl 1, measured: waitForWritesToComplete; reference 3
    Instructions: end
setup_cycles Cycles before the first instruction of a wave
    0 to 4096 cycles or none
    document none, chosen
    rtl 4, measured: reference 3
batch_cycles Cycles to take the next vertices
    0 to 4096 cycles or none
    document none, chosen
    rtl 1, measured: getVertexBatch; reference 3
export_cycles Cycles to export a vertex
    0 to 4096 cycles or none
    document none, chosen
    rtl 11, measured: SC:1851-1984; reference 3
export_end Cycles after the export of a wave's vertices
    0 to 4096 cycles or none
    document none, chosen
    rtl 1, measured: SC:1851-1984; reference 3: 177 cycles for 16 vertices
fetch_cycles Cycles to fetch one DWORD of one vertex from the cache
    0 to 4096 cycles or none
    document none, chosen
    rtl 7, measured: SC:1395-1525, VertexStreamCache.vhd:150-310; reference 3: 16 cases
fetch_write Cycles to write one fetched DWORD of four vertices
    0 to 4096 cycles or none
    document none, chosen
    rtl 1, measured: SC:1395-1525; reference 3: 16 cases
fetch_color The same for a D3DCOLOR, which becomes four components
    0 to 4096 cycles or none
    document none, chosen
    rtl 9, measured: SC:1395-1525; reference 3: 16 cases
fetch_miss Cycles that a DWORD takes longer if the cache lacks it, besides the latency of the memory
    0 to 4096 cycles or none
    document none, chosen
    rtl 12, measured: VertexStreamCache.vhd:150-310; 462 waves at six latencies with 20,653 misses, GHDL
memory_latency Cycles from a request of the vertex cache until the line is there
    0 to 4096 cycles or none
    document none, chosen
    rtl none, unknown: the memory controller and the memory are those of the board
cache_line DWORDs of a line of the vertex cache; lines are counted from the base of their stream
    1 to 64 DWORDs or none
    document none, chosen
    rtl 8, measured: CACHE
cache_sets Sets of the vertex cache: a line goes to the set of its number, modulo this
    1 to 1024 sets or none
    document none, chosen
    rtl 32, measured: CACHE
cache_ways Lines that a set of the vertex cache holds
    1 to 64 lines or none
    document none, chosen
    rtl 4, measured: CACHE
cache_stream_sets Sets by which the lines of a stream are shifted from those of the stream before
    0 to 1024 sets or none
    document none, chosen
    rtl 4, measured: CACHE
cache_drops Line that a full set of the vertex cache drops
    none = not defined
    oldest = the one that was read from memory first
    unused = the one whose last use is longest ago
    document none, chosen
    rtl oldest, measured: CACHE
cache_kept Vertex cache when a wave of a draw begins
    none = not defined
    kept = has the lines of the wave before
    empty = is empty
    document none, chosen
    rtl kept, measured: SC:1240-1290: only a command empties it; 462 waves, GHDL
cache_base Where the data of a vertex stream may begin
    none = not defined
    any = at any DWORD
    line = at a line of the vertex cache, or other data are read
    document none, chosen
    rtl line, measured: VertexStreamCache.vhd:180-190; MemoryController.vhd:605 drops the low bits of an address; GHDL
cache_reach DWORDs of a vertex stream that the vertex cache can read
    none = not defined
    all = all that an index can name
    20_bits = the first 2^20; an address beyond them reads one of those
    document none, chosen
    rtl 20_bits, measured: VertexStreamCache.vhd:187 shifts 22 bits within 22 bits; GHDL
""",
    ),
    *_parameters(
        REGISTERS,
        """
slots Slots of the program memory
    2 to 512 slots
    document 512, chosen: the public hardware has as many
    rtl 512, measured: SC:67, the instruction pointer has 9 bits
r_registers Temporaries r
    1 to 8 registers
    document 8, stated: ShaderCore Registers: 8 general purpose registers
    rtl 8, measured: SC:480-486; reference 1
x_registers Special registers x
    0 to 8 registers
    document 8, stated: ShaderCore Registers: 8 special registers
    rtl 8, measured: SC:480-486; reference 1
c_registers Constants
    1 to 256 registers
    document 256, stated: ShaderCore Registers
    rtl 256, measured: SC:22, the index of a constant has 8 bits
one_register Value of the register 1
    fixed = 1.0
    zero = 0.0; -(-1) and abs(-1) are 1.0
    document fixed, stated: ShaderCore Registers
    rtl zero, measured: SC:941-953 has no case for it; reference 2
minus_one Value of the register -1
    0xBF800000 = -1.0
    document 0xBF800000, corrected: the table prints -1.0f or 0xCF800000, which is -2^32
    rtl 0xBF800000, measured: reference 2
x7x The register x7.x
    normal = as every other
    cleared = idle write slots clear lanes 0-3; an instruction that names it as a source never issues
    document normal, stated: 8 special registers, readable and writable
    rtl cleared, measured: SC:480-486,1620; reference 3
constant_ports Constants that one instruction can read
    two = any two
    one = one component of one; the second source gets the value of the first
    document two, chosen: no restriction is named
    rtl one, measured: SC:763-781; reference 3
nop_dest A destination of NOP, opcode 14 or END
    ignored = is ignored: nothing is written
    zero = gets 0.0
    document ignored, stated: they have 0 destination arguments
    rtl zero, measured: ALU:296-304; reference 2
    Instructions: nop unused end
between_waves Registers when a wave begins
    zero = 0
    kept = the values of the previous wave
    document zero, chosen: the specification does not mention it; 0 makes results repeatable
    rtl kept, measured: block memories keep their contents; reference 4
missing_components Components of an input that its vertex stream does not have
    defaults = 0, 0, 0, 1
    kept = are not written: they keep what the register held
    document defaults, chosen: the specification does not mention it; Direct3D 9, whose shaders the core runs, fills elements
        this way
    rtl kept, measured: SC:1395-1525; reference 4
idle_lanes Inputs of lanes without a vertex in the last quad that has one
    kept = keep what the register held
    fetched = get what the quad, DWORD or wave before has fetched
    document kept, chosen: the specification does not mention it; lanes are independent
    rtl fetched, measured: currentFetchRegisters, SC:1426-1470; reference 3
d3dcolor Components of a D3DCOLOR
    n/255 = n / 255, to nearest
    n/256 = n / 256, but 1.0 for 255
    document n/255, chosen: the specification does not mention it; Direct3D 9 defines it so
    rtl n/256, measured: UNORM8ToFloat.vhd:650-671, whose table differs from its comments; reference 4
exports Outputs that leave the core
    all = o0 to o7
    fixed = o0.xyzw, o2.xy, o1.xyzw, in this order, and no other
    document all, stated: ShaderCore Registers: Output Reg
    rtl fixed, measured: SC:1884-1955; reference 4
""",
    ),
    *_parameters(
        MEANING,
        """
add Rounding of ADD
    nearest = to nearest, ties to even
    floor = no guard bits: the smaller operand is cut toward minus infinity; 2^k and the negated number just below it give
        2^(k-23)
    document nearest, chosen: float32 arithmetic without further details is IEEE 754's
    rtl floor, measured: ALU:862-1111; reference 2
    Instructions: add
mul Rounding of MUL
    nearest = to nearest, ties to even
    zero = toward zero
    document nearest, chosen: as for ADD
    rtl zero, measured: ALU:1113-1243; reference 2
    Instructions: mul
subnormals Subnormal numbers in ADD and MUL
    kept = are numbers
    flushed = count as 0, and results below 2^-126 are 0
    document kept, chosen: as for ADD
    rtl flushed, measured: ALU:862-1243; reference 2
    Instructions: add mul shft
nan NaN that ADD, MUL, FRC, RCP and RSQ make
    one = 0x7FC00000
    signed = 0x7FFFFFFF; MUL and RCP with the sign; ADD passes a NaN on
    document one, chosen: as for ADD; one pattern makes results repeatable
    rtl signed, measured: ALU; reference 2
    Instructions: add mul rcp frc rsq
compare Subnormal numbers and NaN in SLT, SGE and SGN
    ieee = subnormals are numbers; SGN of NaN is NaN
    raw = subnormals and zeros are equal among themselves; SGN of NaN is 1.0, of a subnormal 0.0
    document ieee, chosen: as for ADD
    rtl raw, measured: CMP:111-170; reference 2
    Instructions: slt sge sgn
rcp RCP
    exact = correctly rounded
    table = a table of 16 lines and one refinement
    document exact, stated: 1.0f / x
    rtl table, measured: ALU:60-68,664-860; reference 2b
    Instructions: rcp
rcp_sigma The refinement of RCP in a wave
    fixed = each lane's own
    stale = one term comes from a later quad of the same unit: up to 15 units of the last place
    document fixed, stated: lanes are independent
    rtl stale, measured: ALU:797; reference 2b
    Instructions: rcp
rsq RSQ
    exact = correctly rounded
    table = 32 lines, 11.5 bits; the sign is ignored
    document exact, stated: 1.0f / sqrt(x)
    rtl table, measured: ALU:432-662; reference 2b
    Instructions: rsq
rsq_gate The product of RSQ in a wave
    fixed = each lane's own
    stale = quads 1-3 use that of quad 0 of the same unit: errors up to 100 percent
    document fixed, stated: lanes are independent
    rtl stale, measured: ALU:566; reference 2b
    Instructions: rsq
exp_log EXP and LOG
    exact = correctly rounded
    zero = not implemented: 0.0
    document exact, stated: 2.0f ^ x and log2(x); marked NotImpl
    rtl zero, measured: SC:834,892; reference 2
    Instructions: exp log
stray_special A result of SPEC that nothing waits for (EXP, LOG, or RCP and RSQ to NULL)
    lost = is lost
    lands = is written to the destination of a NOP, opcode 14, EXP, LOG or END that meets it
    document lost, chosen
    rtl lands, measured: reference 2b, effect 1
    Instructions: rcp exp log rsq
frc FRC
    exact = x - floor(x), rounded once
    fixed = in 23 bits after the point, cut off; 0 where |x| < 2^-23
    document exact, stated: calculates the fractional part
    rtl fixed, measured: CNV:162-186; reference 2
    Instructions: frc
rnd23 Opcode 15
    signed = to a signed integer of 23 bits, ties to even
    unsigned = to an unsigned integer of 24 bits, ties up
    document signed, stated: RND_SINT23NE
    rtl unsigned, measured: CNV:89-117; reference 2
    Instructions: rnd_sint23ne
rnd16 RND_SINT16NE
    even = ties to even
    away = ties away from zero; from -32767 to above -32768 the result is 0x7FFF
    document even, stated: round-to-nearest, NE
    rtl away, measured: CNV:119-151; reference 2
    Instructions: rnd_sint16ne
unorm CNV_UNORM16 and CNV_UNORM8
    nearest = x * 65535 and x * 255, to nearest
    cut = x * 65536 and x * 256, cut off
    document nearest, chosen: UNORM means n / 65535 and n / 255
    rtl cut, measured: CNV:202-238; reference 2
    Instructions: cnv_unorm16 cnv_unorm8
half CNV_F_TO_HALF and CNV_HALF_TO_F
    nearest = to nearest, ties to even, subnormal numbers too
    cut = cut off; subnormal float16 numbers come out wrong
    document nearest, chosen: as for ADD
    rtl cut, measured: CNV:253-282; reference 2
    Instructions: cnv_f_to_half cnv_half_to_f
u32 Rounding of CNV_U32_TO_F
    nearest = to nearest, ties to even
    zero = toward zero
    document nearest, chosen: as for ADD
    rtl zero, measured: CNV; reference 2
    Instructions: cnv_u32_to_f
""",
    ),
)


def check_rows(rows: tuple[Parameter, ...], groups: tuple[str, ...] = GROUPS) -> None:
    """Raise ValueError unless every row has an answer of each device that exists, and evidence for it."""
    keys = [parameter.key for parameter in rows]
    if len(set(keys)) != len(keys):
        raise ValueError("two rows have one key")
    for parameter in rows:
        if parameter.group not in groups or parameter.kind not in KINDS or parameter.known not in CLASSES:
            raise ValueError(f"{parameter.key}: unknown group or kind of evidence")
        if not (parameter.topic and parameter.reason and parameter.source):
            raise ValueError(f"{parameter.key} lacks topic, reason or source")
        for value in (parameter.document, parameter.rtl):
            if parameter.answers and value not in parameter.answers:
                raise ValueError(f"{parameter.key}: a device answers {value}, which is not one of its answers")
            if parameter.parse(value_text(value)) != value:
                raise ValueError(f"{parameter.key}: a device has {value!r}, which is not {parameter.values}")
        if not set(parameter.ops) <= BY_NAME.keys():
            raise ValueError(f"{parameter.key} concerns instructions that do not exist")
