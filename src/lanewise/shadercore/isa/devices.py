"""Parameters of the two ShaderCore devices.

`document` is the device of the specification, `rtl` the public hardware.

A row is a parameter with the values of both devices and the evidence for each. Other devices have the same parameters, to try a
different value. Short names of sources: SC is ShaderCore.vhd, ALU is FloatALU.vhd, CNV and CMP its units FloatALU_CNV.vhd and
FloatALU_CMP.vhd of code-tom-code/FPGAGPUTesting; `reference N` is section N of the project's reference for ShaderCore, where
measured means run with GHDL.
"""

from __future__ import annotations

from types import MappingProxyType

from lanewise.core.evidence import CLASSES, MEASURED, UNKNOWN
from lanewise.core.record import TYPE_CHECKING, Record, TypeVar
from lanewise.core.text import suggestions
from lanewise.shadercore.isa.table import BY_NAME, QUADS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.shadercore.isa.table import Op

STATED = "stated"  # by the specification
CORRECTED = "corrected"  # the specification has an error here
CHOSEN = "chosen"  # the specification leaves it open; the row has our answer and the reason
KINDS = (STATED, CORRECTED, CHOSEN)

TIME, REGISTERS, MEANING = "time", "registers", "meaning"
GROUPS = (TIME, REGISTERS, MEANING)
NOT_DEFINED = "none"  # how None is written

Value = str | int | None  # one of the answers; a number of cycles, or None where it is not defined
T = TypeVar("T")


class Parameter(Record):
    """A parameter of a device, with its values on `document` and `rtl`.

    `answers` are the values with what they mean; empty for a number of `unit` from `least` to `most`, or None where
    `may_be_none`: not defined. `document` is of kind `kind` (`KINDS`) because of `reason`; `rtl` is `known` (`CLASSES`) from
    `source`. `ops` are the instructions that the parameter concerns by themselves. `unit` is what a number counts.
    """

    key: str
    group: str
    topic: str
    answers: Mapping[str, str]
    document: Value
    kind: str
    reason: str
    rtl: Value
    known: str
    source: str
    least: int = 0
    most: int = 0
    may_be_none: bool = False
    ops: tuple[str, ...] = ()
    unit: str = "cycle"

    @property
    def differs(self) -> bool:
        return self.document != self.rtl

    def describe(self, value: Value) -> str:
        """The meaning of a value."""
        if isinstance(value, str):
            return self.answers[value]
        return "not defined" if value is None else f"{value} {self.unit}{'' if value == 1 else 's'}"

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
        raise ValueError(f"{self.key} cannot be '{text}': it is {self.values}{reason}")

    @property
    def values(self) -> str:
        """The values in words, for messages."""
        if self.answers:
            return " or ".join(self.answers)
        return f"a whole number from {self.least} to {self.most}" + (f", or {NOT_DEFINED}" if self.may_be_none else "")


def value_text(value: Value) -> str:
    """A value as `Parameter.parse` takes it."""
    return NOT_DEFINED if value is None else str(value)


_OVERVIEW = "Device ISA Overview: every four cycles one instruction is submitted, a quad each cycle"
_SILENT = "the specification does not mention it"
_CACHE = "VertexStreamCache.vhd:1-10,105-150,205-215; the cycles of 462 waves with 20,653 misses, GHDL"

PARAMETERS = (
    # Time
    Parameter(
        "issue_interval",
        TIME,
        "Cycles from one instruction to the next",
        {},
        4,
        STATED,
        _OVERVIEW,
        8,
        MEASURED,
        "SC:1754; reference 3",
        QUADS,
        64,
    ),
    Parameter(
        "special_interval",
        TIME,
        "Cycles from RCP or RSQ to the next instruction",
        {},
        4,
        CHOSEN,
        "no exception is named: the pipe takes a quad each cycle like all pipes",
        15,
        MEASURED,
        "SC:1754; reference 3",
        QUADS,
        64,
    ),
    Parameter(
        "unimplemented_latency",
        TIME,
        "Latency of EXP, LOG and opcode 14",
        {},
        14,
        CHOSEN,
        "marked NotImpl; they count as the pipe SPEC does for RCP",
        1,
        MEASURED,
        "SC:520-536,833; reference 2",
        1,
        64,
        ops=("exp", "log", "unused"),
    ),
    Parameter(
        "start_delay",
        TIME,
        "Cycles from the issue of an instruction until its first quad starts",
        {},
        0,
        CHOSEN,
        "none are named between submitting a quad and the pipe's latency",
        5,
        MEASURED,
        "SC:1675-1735; reference 3",
        0,
        64,
    ),
    Parameter(
        "read_delay",
        TIME,
        "Cycles from the end of the latency until a result can be read",
        {},
        0,
        STATED,
        "the latency is all there is",
        6,
        MEASURED,
        "SC:714-761; reference 3",
        0,
        64,
    ),
    Parameter(
        "hazard_fields",
        TIME,
        "Source fields that an instruction waits for",
        {"used": "those of the operands that it has", "both": "both, whatever the instruction: an unused r0.x waits for r0.x"},
        "used",
        CHOSEN,
        "an instruction cannot wait for an operand that it does not have",
        "both",
        MEASURED,
        "SC:714-761; reference 1",
    ),
    Parameter(
        "write_port",
        TIME,
        "Results written in one cycle",
        {
            "free": "nothing waits for it",
            "window": "an instruction waits while an earlier write would fall into its own four cycles, or the one before",
        },
        "free",
        CHOSEN,
        _SILENT,
        "window",
        MEASURED,
        "O-stall; reference 3",
    ),
    Parameter(
        "drain_delay",
        TIME,
        "Cycles that END waits beyond the latency of the last write's last quad",
        {},
        0,
        STATED,
        "END waits for all writes to flush",
        7,
        MEASURED,
        "waitForWritesToComplete; reference 3",
        0,
        64,
        ops=("end",),
    ),
    Parameter(
        "drain_least",
        TIME,
        "Cycles that END waits at least",
        {},
        0,
        STATED,
        "END waits for writes, and there are none",
        1,
        MEASURED,
        "waitForWritesToComplete; reference 3",
        0,
        64,
        ops=("end",),
    ),
    Parameter(
        "setup_cycles",
        TIME,
        "Cycles before the first instruction of a wave",
        {},
        None,
        CHOSEN,
        _SILENT,
        4,
        MEASURED,
        "reference 3",
        0,
        4096,
        True,
    ),
    Parameter(
        "batch_cycles",
        TIME,
        "Cycles to take the next vertices",
        {},
        None,
        CHOSEN,
        _SILENT,
        1,
        MEASURED,
        "getVertexBatch; reference 3",
        0,
        4096,
        True,
    ),
    Parameter(
        "export_cycles",
        TIME,
        "Cycles to export a vertex",
        {},
        None,
        CHOSEN,
        _SILENT,
        11,
        MEASURED,
        "SC:1851-1984; reference 3",
        0,
        4096,
        True,
    ),
    Parameter(
        "export_end",
        TIME,
        "Cycles after the export of a wave's vertices",
        {},
        None,
        CHOSEN,
        _SILENT,
        1,
        MEASURED,
        "SC:1851-1984; reference 3: 177 cycles for 16 vertices",
        0,
        4096,
        True,
    ),
    Parameter(
        "fetch_cycles",
        TIME,
        "Cycles to fetch one DWORD of one vertex from the cache",
        {},
        None,
        CHOSEN,
        _SILENT,
        7,
        MEASURED,
        "SC:1395-1525, VertexStreamCache.vhd:150-310; reference 3: 16 cases",
        0,
        4096,
        True,
    ),
    Parameter(
        "fetch_write",
        TIME,
        "Cycles to write one fetched DWORD of four vertices",
        {},
        None,
        CHOSEN,
        _SILENT,
        1,
        MEASURED,
        "SC:1395-1525; reference 3: 16 cases",
        0,
        4096,
        True,
    ),
    Parameter(
        "fetch_color",
        TIME,
        "The same for a D3DCOLOR, which becomes four components",
        {},
        None,
        CHOSEN,
        _SILENT,
        9,
        MEASURED,
        "SC:1395-1525; reference 3: 16 cases",
        0,
        4096,
        True,
    ),
    Parameter(
        "fetch_miss",
        TIME,
        "Cycles that a DWORD takes longer if the cache lacks it, besides the latency of the memory",
        {},
        None,
        CHOSEN,
        _SILENT,
        12,
        MEASURED,
        "VertexStreamCache.vhd:150-310; 462 waves at six latencies with 20,653 misses, GHDL",
        0,
        4096,
        True,
    ),
    Parameter(
        "memory_latency",
        TIME,
        "Cycles from a request of the vertex cache until the line is there",
        {},
        None,
        CHOSEN,
        _SILENT,
        None,
        UNKNOWN,
        "the memory controller and the memory are those of the board",
        0,
        4096,
        True,
    ),
    Parameter(
        "cache_line",
        TIME,
        "DWORDs of a line of the vertex cache; lines are counted from the base of their stream",
        {},
        None,
        CHOSEN,
        _SILENT,
        8,
        MEASURED,
        _CACHE,
        1,
        64,
        True,
        unit="DWORD",
    ),
    Parameter(
        "cache_sets",
        TIME,
        "Sets of the vertex cache: a line goes to the set of its number, modulo this",
        {},
        None,
        CHOSEN,
        _SILENT,
        32,
        MEASURED,
        _CACHE,
        1,
        1024,
        True,
        unit="set",
    ),
    Parameter(
        "cache_ways",
        TIME,
        "Lines that a set of the vertex cache holds",
        {},
        None,
        CHOSEN,
        _SILENT,
        4,
        MEASURED,
        _CACHE,
        1,
        64,
        True,
        unit="line",
    ),
    Parameter(
        "cache_stream_sets",
        TIME,
        "Sets by which the lines of a stream are shifted from those of the stream before",
        {},
        None,
        CHOSEN,
        _SILENT,
        4,
        MEASURED,
        _CACHE,
        0,
        1024,
        True,
        unit="set",
    ),
    Parameter(
        "cache_drops",
        TIME,
        "Line that a full set of the vertex cache drops",
        {
            "none": "not defined",
            "oldest": "the one that was read from memory first",
            "unused": "the one whose last use is longest ago",
        },
        "none",
        CHOSEN,
        _SILENT,
        "oldest",
        MEASURED,
        _CACHE,
    ),
    Parameter(
        "cache_kept",
        TIME,
        "Vertex cache when a wave of a draw begins",
        {"none": "not defined", "kept": "has the lines of the wave before", "empty": "is empty"},
        "none",
        CHOSEN,
        _SILENT,
        "kept",
        MEASURED,
        "SC:1240-1290: only a command empties it; 462 waves, GHDL",
    ),
    Parameter(
        "cache_base",
        TIME,
        "Where the data of a vertex stream may begin",
        {"none": "not defined", "any": "at any DWORD", "line": "at a line of the vertex cache, or other data are read"},
        "none",
        CHOSEN,
        _SILENT,
        "line",
        MEASURED,
        "VertexStreamCache.vhd:180-190; MemoryController.vhd:605 drops the low bits of an address; GHDL",
    ),
    Parameter(
        "cache_reach",
        TIME,
        "DWORDs of a vertex stream that the vertex cache can read",
        {
            "none": "not defined",
            "all": "all that an index can name",
            "20_bits": "the first 2^20; an address beyond them reads one of those",
        },
        "none",
        CHOSEN,
        _SILENT,
        "20_bits",
        MEASURED,
        "VertexStreamCache.vhd:187 shifts 22 bits within 22 bits; GHDL",
    ),
    # Registers
    Parameter(
        "one_register",
        REGISTERS,
        "Value of the register 1",
        {"fixed": "1.0", "zero": "0.0; -(-1) and abs(-1) are 1.0"},
        "fixed",
        STATED,
        "ShaderCore Registers",
        "zero",
        MEASURED,
        "SC:941-953 has no case for it; reference 2",
    ),
    Parameter(
        "minus_one",
        REGISTERS,
        "Value of the register -1",
        {"0xBF800000": "-1.0"},
        "0xBF800000",
        CORRECTED,
        "the table prints -1.0f or 0xCF800000, which is -2^32",
        "0xBF800000",
        MEASURED,
        "reference 2",
    ),
    Parameter(
        "x7x",
        REGISTERS,
        "The register x7.x",
        {
            "normal": "as every other",
            "cleared": "idle write slots clear lanes 0-3; an instruction that names it as a source never issues",
        },
        "normal",
        STATED,
        "8 special registers, readable and writable",
        "cleared",
        MEASURED,
        "SC:480-486,1620; reference 3",
    ),
    Parameter(
        "constant_ports",
        REGISTERS,
        "Constants that one instruction can read",
        {"two": "any two", "one": "one component of one; the second source gets the value of the first"},
        "two",
        CHOSEN,
        "no restriction is named",
        "one",
        MEASURED,
        "SC:763-781; reference 3",
    ),
    Parameter(
        "nop_dest",
        REGISTERS,
        "A destination of NOP, opcode 14 or END",
        {"ignored": "is ignored: nothing is written", "zero": "gets 0.0"},
        "ignored",
        STATED,
        "they have 0 destination arguments",
        "zero",
        MEASURED,
        "ALU:296-304; reference 2",
        ops=("nop", "unused", "end"),
    ),
    Parameter(
        "between_waves",
        REGISTERS,
        "Registers when a wave begins",
        {"zero": "0", "kept": "the values of the previous wave"},
        "zero",
        CHOSEN,
        _SILENT + "; 0 makes results repeatable",
        "kept",
        MEASURED,
        "block memories keep their contents; reference 4",
    ),
    Parameter(
        "missing_components",
        REGISTERS,
        "Components of an input that its vertex stream does not have",
        {"defaults": "0, 0, 0, 1", "kept": "are not written: they keep what the register held"},
        "defaults",
        CHOSEN,
        _SILENT + "; Direct3D 9, whose shaders the core runs, fills elements this way",
        "kept",
        MEASURED,
        "SC:1395-1525; reference 4",
    ),
    Parameter(
        "idle_lanes",
        REGISTERS,
        "Inputs of lanes without a vertex in the last quad that has one",
        {"kept": "keep what the register held", "fetched": "get what the quad, DWORD or wave before has fetched"},
        "kept",
        CHOSEN,
        _SILENT + "; lanes are independent",
        "fetched",
        MEASURED,
        "currentFetchRegisters, SC:1426-1470; reference 3",
    ),
    Parameter(
        "d3dcolor",
        REGISTERS,
        "Components of a D3DCOLOR",
        {"n/255": "n / 255, to nearest", "n/256": "n / 256, but 1.0 for 255"},
        "n/255",
        CHOSEN,
        _SILENT + "; Direct3D 9 defines it so",
        "n/256",
        MEASURED,
        "UNORM8ToFloat.vhd:650-671, whose table differs from its comments; reference 4",
    ),
    Parameter(
        "exports",
        REGISTERS,
        "Outputs that leave the core",
        {"all": "o0 to o7", "fixed": "o0.xyzw, o2.xy, o1.xyzw, in this order, and no other"},
        "all",
        STATED,
        "ShaderCore Registers: Output Reg",
        "fixed",
        MEASURED,
        "SC:1884-1955; reference 4",
    ),
    # Meaning
    Parameter(
        "add",
        MEANING,
        "Rounding of ADD",
        {
            "nearest": "to nearest, ties to even",
            "floor": (
                "no guard bits: the smaller operand is cut toward minus infinity; 2^k and the negated number just below it "
                "give 2^(k-23)"
            ),
        },
        "nearest",
        CHOSEN,
        "float32 arithmetic without further details is IEEE 754's",
        "floor",
        MEASURED,
        "ALU:862-1111; reference 2",
        ops=("add",),
    ),
    Parameter(
        "mul",
        MEANING,
        "Rounding of MUL",
        {"nearest": "to nearest, ties to even", "zero": "toward zero"},
        "nearest",
        CHOSEN,
        "as for ADD",
        "zero",
        MEASURED,
        "ALU:1113-1243; reference 2",
        ops=("mul",),
    ),
    Parameter(
        "subnormals",
        MEANING,
        "Subnormal numbers in ADD and MUL",
        {"kept": "are numbers", "flushed": "count as 0, and results below 2^-126 are 0"},
        "kept",
        CHOSEN,
        "as for ADD",
        "flushed",
        MEASURED,
        "ALU:862-1243; reference 2",
        ops=("add", "mul", "shft"),
    ),
    Parameter(
        "nan",
        MEANING,
        "NaN that ADD, MUL, FRC, RCP and RSQ make",
        {"one": "0x7FC00000", "signed": "0x7FFFFFFF; MUL and RCP with the sign; ADD passes a NaN on"},
        "one",
        CHOSEN,
        "as for ADD; one pattern makes results repeatable",
        "signed",
        MEASURED,
        "ALU; reference 2",
        ops=("add", "mul", "rcp", "frc", "rsq"),
    ),
    Parameter(
        "compare",
        MEANING,
        "Subnormal numbers and NaN in SLT, SGE and SGN",
        {
            "ieee": "subnormals are numbers; SGN of NaN is NaN",
            "raw": "subnormals and zeros are equal among themselves; SGN of NaN is 1.0, of a subnormal 0.0",
        },
        "ieee",
        CHOSEN,
        "as for ADD",
        "raw",
        MEASURED,
        "CMP:111-170; reference 2",
        ops=("slt", "sge", "sgn"),
    ),
    Parameter(
        "rcp",
        MEANING,
        "RCP",
        {"exact": "correctly rounded", "table": "a table of 16 lines and one refinement"},
        "exact",
        STATED,
        "1.0f / x",
        "table",
        MEASURED,
        "ALU:60-68,664-860; reference 2b",
        ops=("rcp",),
    ),
    Parameter(
        "rcp_sigma",
        MEANING,
        "The refinement of RCP in a wave",
        {
            "fixed": "each lane's own",
            "stale": "one term comes from a later quad of the same unit: up to 15 units of the last place",
        },
        "fixed",
        STATED,
        "lanes are independent",
        "stale",
        MEASURED,
        "ALU:797; reference 2b",
        ops=("rcp",),
    ),
    Parameter(
        "rsq",
        MEANING,
        "RSQ",
        {"exact": "correctly rounded", "table": "32 lines, 11.5 bits; the sign is ignored"},
        "exact",
        STATED,
        "1.0f / sqrt(x)",
        "table",
        MEASURED,
        "ALU:432-662; reference 2b",
        ops=("rsq",),
    ),
    Parameter(
        "rsq_gate",
        MEANING,
        "The product of RSQ in a wave",
        {"fixed": "each lane's own", "stale": "quads 1-3 use that of quad 0 of the same unit: errors up to 100 percent"},
        "fixed",
        STATED,
        "lanes are independent",
        "stale",
        MEASURED,
        "ALU:566; reference 2b",
        ops=("rsq",),
    ),
    Parameter(
        "exp_log",
        MEANING,
        "EXP and LOG",
        {"exact": "correctly rounded", "zero": "not implemented: 0.0"},
        "exact",
        STATED,
        "2.0f ^ x and log2(x); marked NotImpl",
        "zero",
        MEASURED,
        "SC:834,892; reference 2",
        ops=("exp", "log"),
    ),
    Parameter(
        "stray_special",
        MEANING,
        "A result of SPEC that nothing waits for (EXP, LOG, or RCP and RSQ to NULL)",
        {"lost": "is lost", "lands": "is written to the destination of a NOP, opcode 14, EXP, LOG or END that meets it"},
        "lost",
        CHOSEN,
        _SILENT,
        "lands",
        MEASURED,
        "reference 2b, effect 1",
        ops=("rcp", "exp", "log", "rsq"),
    ),
    Parameter(
        "frc",
        MEANING,
        "FRC",
        {"exact": "x - floor(x), rounded once", "fixed": "in 23 bits after the point, cut off; 0 where |x| < 2^-23"},
        "exact",
        STATED,
        "calculates the fractional part",
        "fixed",
        MEASURED,
        "CNV:162-186; reference 2",
        ops=("frc",),
    ),
    Parameter(
        "rnd23",
        MEANING,
        "Opcode 15",
        {"signed": "to a signed integer of 23 bits, ties to even", "unsigned": "to an unsigned integer of 24 bits, ties up"},
        "signed",
        STATED,
        "RND_SINT23NE",
        "unsigned",
        MEASURED,
        "CNV:89-117; reference 2",
        ops=("rnd_sint23ne",),
    ),
    Parameter(
        "rnd16",
        MEANING,
        "RND_SINT16NE",
        {"even": "ties to even", "away": "ties away from zero; from -32767 to above -32768 the result is 0x7FFF"},
        "even",
        STATED,
        "round-to-nearest, NE",
        "away",
        MEASURED,
        "CNV:119-151; reference 2",
        ops=("rnd_sint16ne",),
    ),
    Parameter(
        "unorm",
        MEANING,
        "CNV_UNORM16 and CNV_UNORM8",
        {"nearest": "x * 65535 and x * 255, to nearest", "cut": "x * 65536 and x * 256, cut off"},
        "nearest",
        CHOSEN,
        "UNORM means n / 65535 and n / 255",
        "cut",
        MEASURED,
        "CNV:202-238; reference 2",
        ops=("cnv_unorm16", "cnv_unorm8"),
    ),
    Parameter(
        "half",
        MEANING,
        "CNV_F_TO_HALF and CNV_HALF_TO_F",
        {
            "nearest": "to nearest, ties to even, subnormal numbers too",
            "cut": "cut off; subnormal float16 numbers come out wrong",
        },
        "nearest",
        CHOSEN,
        "as for ADD",
        "cut",
        MEASURED,
        "CNV:253-282; reference 2",
        ops=("cnv_f_to_half", "cnv_half_to_f"),
    ),
    Parameter(
        "u32",
        MEANING,
        "Rounding of CNV_U32_TO_F",
        {"nearest": "to nearest, ties to even", "zero": "toward zero"},
        "nearest",
        CHOSEN,
        "as for ADD",
        "zero",
        MEASURED,
        "CNV; reference 2",
        ops=("cnv_u32_to_f",),
    ),
)

BY_KEY: Mapping[str, Parameter] = MappingProxyType({parameter.key: parameter for parameter in PARAMETERS})


class Device(Record):
    """A value for each of `PARAMETERS`, in their order. Make another with `replace` or `set`."""

    name: str
    values: tuple[Value, ...]

    def value(self, key: str) -> str:
        """The answer of a parameter that has answers. Raises KeyError; TypeError for a number of cycles."""
        value = self.values[_PLACE[key]]
        if not isinstance(value, str):
            raise TypeError(f"{key} is a number of cycles, not an answer")
        return value

    def cycles(self, key: str) -> int:
        """The value of a parameter that is a number. Raises KeyError; TypeError for an answer, ValueError where it is not
        defined."""
        value = self.defined_cycles(key)
        if value is None:
            raise ValueError(f"{self.name} does not define {key}")
        return value

    def defined_cycles(self, key: str) -> int | None:
        """`cycles`, None where it is not defined."""
        value = self.values[_PLACE[key]]
        if isinstance(value, str):
            raise TypeError(f"{key} is an answer, not a number of cycles")
        return value

    def choose(self, key: str, choices: Mapping[str, T]) -> T:
        """Choose by the answer of this device. Raises KeyError, ValueError unless `choices` has all answers of the parameter
        and no other."""
        if choices.keys() != BY_KEY[key].answers.keys():
            raise ValueError(f"{key} is {BY_KEY[key].values}, not {' or '.join(choices)}")
        return choices[self.value(key)]

    def replace(self, changes: Mapping[str, str]) -> Device:
        """The same but for these values, as `set` takes them. Raises ValueError for what does not exist or cannot be
        together."""
        values = list(self.values)
        for key, text in changes.items():
            value = _found(key).parse(text)
            values[_PLACE[key]] = value
        result = Device(self.name, tuple(values))
        conflict = impossible(result)
        if conflict:
            raise ValueError(conflict)
        return result

    def set(self, text: str) -> Device:
        """`replace` for a text such as `one_register=fixed,issue_interval=4`. Raises ValueError."""
        changes: dict[str, str] = {}
        for part in text.split(","):
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals or not key:
                raise ValueError(f"'{part.strip()}' is not a setting: write FIELD=VALUE, such as issue_interval=4")
            if key in changes:
                raise ValueError(f"{key} is set twice")
            changes[key] = value
        return self.replace(changes)

    def differences(self, other: Device) -> dict[str, str]:
        """The values that are not the other's, as texts by their keys."""
        pairs = zip(BY_KEY, self.values, other.values, strict=True)
        return {key: value_text(mine) for key, mine, theirs in pairs if mine != theirs}

    def describe(self) -> str:
        """`rtl`, or `rtl, issue_interval=4`: the device that it is nearest to, and what differs."""
        near = min(DEVICES.values(), key=lambda device: len(self.differences(device)))
        return ", ".join((near.name, *(f"{key}={value}" for key, value in self.differences(near).items())))

    def latency(self, op: Op) -> int:
        """Cycles from an instruction's start to its result. Without a unit it is `unimplemented_latency`."""
        return op.latency or op.rtl_latency if op.built else self.cycles("unimplemented_latency")

    def interval(self, op: Op) -> int:
        """Cycles from the issue of an instruction to that of the next, at least."""
        return self.cycles("special_interval" if op.is_special else "issue_interval")


_PLACE: Mapping[str, int] = MappingProxyType({parameter.key: place for place, parameter in enumerate(PARAMETERS)})
DOCUMENT = Device("document", tuple(parameter.document for parameter in PARAMETERS))
RTL = Device("rtl", tuple(parameter.rtl for parameter in PARAMETERS))
DEVICES: Mapping[str, Device] = MappingProxyType({device.name: device for device in (DOCUMENT, RTL)})


def find_device(name: str) -> Device:
    """A device by its name. Raises ValueError."""
    if name in DEVICES:
        return DEVICES[name]
    raise ValueError(f"unknown device '{name}': use {' or '.join(DEVICES)}, or a TOML file")


def impossible(device: Device) -> str:
    """The reason why the values of a device contradict each other, with the fix; empty if they do not."""
    if device.cycles("special_interval") < device.cycles("issue_interval"):
        return (
            "special_interval is less than issue_interval: an instruction cannot follow RCP sooner than another one; "
            "raise special_interval or lower issue_interval"
        )
    for key, stale in (("rcp", "rcp_sigma"), ("rsq", "rsq_gate")):
        if device.value(key) == "exact" and device.value(stale) == "stale":
            return f"{key}=exact has no table with stale terms: set {stale}=fixed too, or {key}=table"
    for key, cut in (("add", "floor"), ("mul", "zero")):
        if device.value(key) == cut and device.value("subnormals") == "kept":
            return f"{key}={cut} cannot keep subnormal numbers: set {key}=nearest too, or subnormals=flushed"
    for key, rest in (("export_cycles", ("export_end",)), ("fetch_cycles", ("fetch_write", "fetch_color"))):
        for other in rest:
            if (device.defined_cycles(key) is None) != (device.defined_cycles(other) is None):
                return f"{key} and {other} are parts of one time: define both, or set both to {NOT_DEFINED}"
    return _impossible_cache(device)


_CACHE_SIZES = ("cache_line", "cache_sets", "cache_ways", "cache_stream_sets")


def _impossible_cache(device: Device) -> str:
    """The same for the parameters of the vertex cache, which are all defined or none of them is."""
    defined = {key: device.defined_cycles(key) is not None for key in _CACHE_SIZES}
    defined |= {key: device.value(key) != NOT_DEFINED for key in ("cache_drops", "cache_kept", "cache_base", "cache_reach")}
    if len(set(defined.values())) > 1:
        lacking = next(key for key, there in defined.items() if not there)
        there = next(key for key, there in defined.items() if there)
        return f"{there} and {lacking} are parts of one cache: define both, or set both to {NOT_DEFINED}"
    return ""


def _found(key: str) -> Parameter:
    """The parameter of a key. Raises ValueError."""
    if key in BY_KEY:
        return BY_KEY[key]
    near = suggestions.near(key, BY_KEY)
    hint = f"did you mean {near[0]}?" if near else "lanewise isa shadercore --evidence lists them"
    raise ValueError(f"unknown device parameter '{key}': {hint}")


def check_parameters(parameters: tuple[Parameter, ...] = PARAMETERS) -> None:
    """Raise ValueError unless every row has an answer of each device that exists, and evidence for it."""
    keys = [parameter.key for parameter in parameters]
    if len(set(keys)) != len(keys):
        raise ValueError("two rows have one key")
    for parameter in parameters:
        if parameter.group not in GROUPS or parameter.kind not in KINDS or parameter.known not in CLASSES:
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
    for device in DEVICES.values():
        if impossible(device):
            raise ValueError(f"{device.name} cannot be: {impossible(device)}")
