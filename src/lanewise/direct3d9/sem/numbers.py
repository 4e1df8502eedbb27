"""Number rules of Direct3D 9 runs, and their operations on waves.

`ieee` is IEEE 754 binary32, to nearest with ties to even, subnormals kept, one NaN (0x7FC00000): the arithmetic of the
ShaderCore that the specification describes. `d3d9` is that with 0 times anything 0, as the hardware of Direct3D 9 had it.
`document`, `rtl` and every other `Device` are the ShaderCores themselves: what a shader gives when it is compiled for them,
routines and RCP, RSQ aside. `rtl-compiled` is `rtl` with these routines: the bits of the compiled program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.numbers.trigonometry import cosine, sine
from lanewise.direct3d9.isa.choices import BY_KEY, Choices, choices_of
from lanewise.direct3d9.sem.algebra import FRACTION, INFINITY, MAGNITUDE, SIGN, DeviceOps
from lanewise.direct3d9.sem.compiled import Routined
from lanewise.shadercore.isa import devices
from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.sem.numbers import Wave, WaveOps
from lanewise.shadercore.sem.routines import Routines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.shadercore.isa.devices import Device

IEEE, D3D9 = "ieee", "d3d9"
COMPILED = "-compiled"  # behind the name of a device: with the routines of compiled shaders
RTL_COMPILED = devices.RTL.name + COMPILED
NAMES = (IEEE, D3D9, *devices.DEVICES)
RULES = (*NAMES, RTL_COMPILED)
NOWHERE = -(1 << 30)  # an index that is none
FARTHEST = 20  # indices are less than 2 to this power in size: 20 < 23, so each has a fraction
_BIAS, _BITS = 127, 23

Flags = tuple[bool, ...]
Integers = tuple[int, ...]


class Rule(NamedTuple):
    """A name, the device that computes, and the answers to open questions of Direct3D 9."""

    name: str
    device: Device
    choices: Choices

    def set(self, text: str) -> Rule:
        """The same with some answers: `rcp_zero=largest,add=floor`, of choices and of the device. Raises ValueError."""
        own: dict[str, str] = {}
        rest: list[str] = []
        for part in text.split(","):
            key, _, value = (piece.strip() for piece in part.partition("="))
            if key not in BY_KEY and key in devices.BY_KEY:
                rest.append(part)
            elif key not in BY_KEY:
                raise ValueError(f"unknown choice or device field '{key}': choices are {', '.join(BY_KEY)}")
            elif key in own:
                raise ValueError(f"{key} is set twice")
            else:
                own[key] = value
        device = self.device.set(",".join(rest)) if rest else self.device
        return Rule(self.name, device, self.choices.replace(own))

    def describe(self) -> str:
        """`d3d9`, or `ieee, rcp_zero=largest`: the rule and what differs."""
        base = rule_of(self.name) if self.name in RULES else Rule(self.name, self.device, choices_of(self.name))
        differing = self.device.differences(base.device) | self.choices.differences(base.choices)
        return ", ".join([self.name, *[f"{key}={value}" for key, value in differing.items()]])


def rule_of(name: str | Device) -> Rule:
    """A rule by its name, with settings after commas (`rtl,issue_interval=4`), or that of a device. Raises ValueError;
    UsageError for a device with tables of results."""
    if not isinstance(name, str):
        devices.refuse_tables(name)
        return Rule(name.name, name, choices_of(""))
    if "," in name:
        base, _, settings = name.partition(",")
        return rule_of(base.strip()).set(settings)
    if name in (IEEE, D3D9):
        return Rule(name, devices.DOCUMENT, choices_of(name))
    if name in RULES:
        return Rule(name, devices.DEVICES[name.removesuffix(COMPILED)], choices_of(name))
    raise ValueError(f"unknown number rule '{name}': use {', '.join(RULES[:-1])} or {RULES[-1]}")


class Waves(DeviceOps[Wave, Flags, Integers]):
    """The operations of a rule on waves: one pattern, truth value or integer for each lane."""

    def __init__(self, rule: Rule, lanes: int = LANES) -> None:
        super().__init__(WaveOps(rule.device))
        self.lanes = lanes
        self._raw = rule.device.value("compare") == "raw"

    def constant(self, bits: int) -> Wave:
        return (bits,) * self.lanes

    def sine_cosine(self, angle: Wave) -> tuple[Wave, Wave]:
        return tuple(map(sine, angle)), tuple(map(cosine, angle))

    # Truth values

    def truth(self, value: bool) -> Flags:
        return (value,) * self.lanes

    def ordered(self, a: Wave, b: Wave, *, or_equal: bool) -> Flags:
        found = self.ops.at_least(a, b) if or_equal else self.ops.less(a, b)
        return tuple(map(bool, found))

    def invert(self, a: Flags) -> Flags:
        return tuple([not x for x in a])

    def both(self, a: Flags, b: Flags) -> Flags:
        return tuple([x and y for x, y in zip(a, b, strict=True)])

    def either(self, a: Flags, b: Flags) -> Flags:
        return tuple([x or y for x, y in zip(a, b, strict=True)])

    def select(self, condition: Flags, a: Wave, b: Wave) -> Wave:
        return tuple([x if on else y for on, x, y in zip(condition, a, b, strict=True)])

    # Address integers: 32 bits with a sign

    def address(self, a: Wave, how: str) -> Integers:
        return tuple([index_of(x, how, flushes=self._raw) for x in a])

    def integer(self, value: int) -> Integers:
        return (_wrapped(value),) * self.lanes

    def integer_add(self, a: Integers, b: Integers) -> Integers:
        return tuple([_wrapped(x + y) for x, y in zip(a, b, strict=True)])

    def integer_select(self, condition: Flags, a: Integers, b: Integers) -> Integers:
        return self.select(condition, a, b)

    def integer_is(self, a: Integers, value: int) -> Flags:
        return tuple([x == value for x in a])

    def look_up(self, rows: Sequence[Wave], index: Integers, outside: Wave) -> Wave:
        found = [rows[n] if 0 <= n < len(rows) else outside for n in index]
        return tuple([row[lane] for lane, row in enumerate(found)])


class CompiledWaves(Routined[Wave, Flags, Integers], Waves):
    """The operations of a rule on waves, with the routines of compiled shaders."""

    def __init__(self, rule: Rule, lanes: int = LANES) -> None:
        super().__init__(rule, lanes)
        self.device: Device = rule.device
        self.routines: Routines[Wave] = Routines(WaveOps(rule.device), rule.device, self.constant)


def waves_of(rule: Rule) -> Waves:
    """The operations of a rule."""
    return CompiledWaves(rule) if rule.choices.value("functions") == "compiled" else Waves(rule)


def index_of(a: int, how: str, *, flushes: bool) -> int:
    """The index of a pattern, see `Algebra.address`; `flushes`: a subnormal number counts as 0, as in comparisons."""
    size = a & MAGNITUDE
    if size > INFINITY or size >= (_BIAS + FARTHEST) << _BITS:
        return NOWHERE
    exponent = size >> _BITS
    if not exponent:
        return -1 if size and a & SIGN and how == "floor" and not flushes else 0
    mantissa, places = size & FRACTION | 1 << _BITS, _BIAS + _BITS - exponent
    whole, rest = mantissa >> places, mantissa & (1 << places) - 1
    if not rest:
        return -whole if a & SIGN else whole
    if how == "floor":
        return -whole - 1 if a & SIGN else whole
    half = 1 << places - 1
    up = rest > half or (rest == half and (whole & 1 if how == "even" else how == "away" or not a & SIGN))
    return -(whole + up) if a & SIGN else whole + up


def _wrapped(value: int) -> int:
    return (value + (1 << 31) & 0xFFFFFFFF) - (1 << 31)
