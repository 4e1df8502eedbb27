"""Pipe, latency and issue interval of each instruction, as device parameters: `mul_pipe`, `mul_latency`, `mul_interval`.

The rows follow from the table of instructions; a number that nothing reads has none: instructions that compute nothing have no
pipe, and nothing follows END.
"""

from __future__ import annotations

from types import MappingProxyType

from lanewise.core.evidence import MEASURED, UNKNOWN
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.shadercore.isa.parameters import CHOSEN, INSTRUCTIONS, STATED, Parameter
from lanewise.shadercore.isa.table import END, OPS, PIPES, QUADS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lanewise.shadercore.isa.table import Op

PIPE, LATENCY, INTERVAL = "pipe", "latency", "interval"
ASPECTS = (PIPE, LATENCY, INTERVAL)
LONGEST = 256  # cycles of a latency or an interval
EMPTY = "NONE"  # the pipe of what computes nothing
_OWN_INTERVAL = "issue_interval, or special_interval in the pipe SPEC"


class Pace(Record):
    """The time of an instruction on a device: its pipe, the cycles to its result (None: as `unimplemented_latency`), and the
    cycles to the next issue (None: as `issue_interval`, or `special_interval` in the pipe SPEC)."""

    pipe: str
    latency: int | None
    interval: int | None


def _pace(op: Op) -> Pace:
    return Pace(op.pipe, op.latency or op.rtl_latency if op.built else None, None)


PACES = tuple([_pace(op) for op in OPS])  # those of both devices, which agree


def _rows(op: Op, pace: Pace) -> list[Parameter]:
    """The parameters of an instruction, in the order of `ASPECTS`."""
    name = op.name.upper() if op.name != "unused" else "opcode 14"
    stated = "Shader ISA: the table of instructions"
    slow = "marked NotImpl; as " + ("RCP" if op.built else "unimplemented_latency")
    rows: list[Parameter] = []
    if op.dests:
        rows.append(
            Parameter(
                key=f"{op.name}_{PIPE}",
                group=INSTRUCTIONS,
                topic=f"Pipe of {name}",
                answers=_ANSWERS,
                document=pace.pipe,
                kind=STATED,
                reason=stated,
                rtl=pace.pipe,
                known=MEASURED,
                source="SC:520-536,833; reference 2",
                ops=(op.name,),
            )
        )
    rows.append(
        Parameter(
            key=f"{op.name}_{LATENCY}",
            group=INSTRUCTIONS,
            topic=f"Latency of {name}",
            answers={},
            document=pace.latency,
            kind=STATED if op.latency else CHOSEN,
            reason=stated if op.latency else slow,
            rtl=pace.latency,
            known=MEASURED,
            source="SC:520-536,833; reference 2",
            least=1,
            most=LONGEST,
            may_be_none=not op.built,
            ops=(op.name,),
            default="" if op.built else "unimplemented_latency",
        )
    )
    if op is not END:
        rows.append(
            Parameter(
                key=f"{op.name}_{INTERVAL}",
                group=INSTRUCTIONS,
                topic=f"Cycles from {name} to the next instruction",
                answers={},
                document=None,
                kind=CHOSEN,
                reason="no instruction is named as an exception",
                rtl=None,
                known=MEASURED,
                source="SC:1754; reference 3",
                least=QUADS,
                most=LONGEST,
                may_be_none=True,
                ops=(op.name,),
                default=_OWN_INTERVAL,
            )
        )
    return rows


_ANSWERS: Mapping[str, str] = MappingProxyType({pipe: f"the pipe {pipe}" for pipe in PIPES if pipe != EMPTY})
# By key: the parameter, the number of its instruction, and one of `ASPECTS`.
PACE_PARAMETERS: Mapping[str, tuple[Parameter, int, str]] = MappingProxyType(
    {row.key: (row, op.opcode, row.key.rpartition("_")[2]) for op in OPS for row in _rows(op, PACES[op.opcode])}
)


def added_rows(op: Op, pace: Pace) -> list[Parameter]:
    """The parameters of an instruction that a device adds. `pace` is what its file gives."""
    return [
        row._replace(kind=CHOSEN, reason="added by the device", known=UNKNOWN, source="added by the device")
        for row in _rows(op, pace)
    ]


def pace_parameters(name: str) -> list[Parameter]:
    """The parameters of an instruction."""
    return [PACE_PARAMETERS[key][0] for key in [f"{name}_{aspect}" for aspect in ASPECTS] if key in PACE_PARAMETERS]


# Words that mean a part of a name, in lower case; the rest of a name is as it is written.
_WORDS: Mapping[str, str] = MappingProxyType(
    {
        word: meant
        for meant, words in {
            "latency": "latencies delay cycles time",
            "interval": "throughput pace rate issue",
            "pipe": "unit pipeline port",
            "mov": "move copy",
            "add": "addition sum plus adder sub",
            "mul": "multiply multiplication product times multiplier",
            "min": "minimum",
            "max": "maximum",
            "rcp": "reciprocal divide division inverse",
            "rsq": "rsqrt sqrt root",
            "frc": "fraction fract frac",
            "exp": "exponential exp2",
            "log": "logarithm log2",
            "sgn": "sign",
            "shft": "shift scale",
        }.items()
        for word in words.split()
    }
)
_FILL = frozenset(("of", "the", "a", "an", "for", "to", "in", "op", "opcode", "instruction"))


def meant(name: str, keys: Iterable[str]) -> str:
    """The key whose words a name has in another order or with other words for the same: `latency_of_multiply` is
    `mul_latency`. Empty where there is none."""
    words = {word for word in name.lower().replace("-", "_").replace(" ", "_").split("_") if word} - _FILL
    for found in (words, {_WORDS.get(word, word) for word in words}):
        for key in keys:
            if set(key.split("_")) - _FILL == found:
                return key
    return ""
