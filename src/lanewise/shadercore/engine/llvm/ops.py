"""ShaderCore operations as LLVM IR on vectors of 16 patterns.

Bit for bit the results of `shadercore.sem.numbers.WaveOps`.

A value is the name of a `<16 x i32>`, lane 4 * quad + unit of a wave. Any generator may use them, wherever it is in its own
control flow: a word is a few instructions without branches, or a call of a routine. `rcp` and `rsq` of a device with stale
terms look at all 16 lanes, also those that the generator has masked off, as the hardware does. The module must run in the mode
`MODE` (`target.wrapper`).

    routines = Routines(target)
    text = Text(target.width, rounds=target.rounds)
    ops = VectorOps(text, device, routines)
    total = ops.add(a, ops.mul(b, c))
    ir = routines.module(text.declared) + ...  # and what `text` has
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from lanewise.llvm import patterns as p
from lanewise.llvm.text import Name
from lanewise.shadercore.engine.llvm import ieee, rtl
from lanewise.shadercore.isa.table import LANES, QUADS
from lanewise.shadercore.sem.algebra import WaveAlgebra
from lanewise.shadercore.sem.functions import table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.llvm.routines import Routines
    from lanewise.llvm.text import Text
    from lanewise.shadercore.isa.devices import Device

MODE = "nearest"
_UNITS = LANES // QUADS


class VectorOps(WaveAlgebra[Name]):
    """The operations for one device, written to `text`."""

    text: Text
    device: Device
    routines: Routines

    def __init__(self, text: Text, device: Device, routines: Routines) -> None:
        """Chooses a rule for each operation by the device's parameters, once. Raises ValueError for vectors that are not
        waves."""
        if text.width != LANES:
            raise ValueError(f"a wave has {LANES} lanes, not {text.width}")
        on = device.choose
        self.text, self.device, self.routines = text, device, routines
        self._flushes = on("subnormals", {"kept": False, "flushed": True})
        self._signed_nan = on("nan", {"one": False, "signed": True})
        self._raw = on("compare", {"ieee": False, "raw": True})
        self._one_bits = on("one_register", {"fixed": p.ONE, "zero": 0})
        self._cut_add = on("add", {"nearest": False, "floor": True})
        self._cut_mul = on("mul", {"nearest": False, "zero": True})
        self._fixed = on("frc", {"exact": False, "fixed": True})
        self._unsigned = on("rnd23", {"signed": False, "unsigned": True})
        self._away = on("rnd16", {"even": False, "away": True})
        self._cut_unorm = on("unorm", {"nearest": False, "cut": True})
        self._cut_half = on("half", {"nearest": False, "cut": True})
        self._cut_u32 = on("u32", {"nearest": False, "zero": True})
        self._no_exp_log = on("exp_log", {"exact": False, "zero": True})
        self._exact_rcp, self._exact_rsq = (on(key, {"exact": True, "table": False}) for key in ("rcp", "rsq"))
        self._stale_rcp, self._stale_rsq = (on(key, {"fixed": False, "stale": True}) for key in ("rcp_sigma", "rsq_gate"))
        self._made_nan = p.SIGNED_NAN if self._signed_nan else p.ONE_NAN

    # Values

    def constant(self, bits: int, lanes: int = LANES) -> Name:
        """A pattern in every lane."""
        assert lanes == LANES
        return self.text.integer(bits)

    def one_register(self, lanes: int = LANES) -> Name:
        return self.constant(self._one_bits, lanes)

    def xor(self, a: Name, bits: int) -> Name:
        return self.text.ixor(a, self.text.integer(bits))

    def mask(self, a: Name, bits: int) -> Name:
        return p.bits_of(self.text, a, bits)

    def set(self, a: Name, bits: int) -> Name:
        return p.with_bits(self.text, a, bits)

    def saturate(self, a: Name) -> Name:
        text = self.text
        return text.imin(text.imax(a, text.integer(0)), text.integer(p.ONE))

    # Words on two values, lane by lane

    def add(self, a: Name, b: Name) -> Name:
        if self._cut_add:
            nan = self._made_nan
            return self._two(f"add_floor.{nan:x}", lambda text, x, y: rtl.add(text, x, y, nan), a, b)
        return self._nearest("fadd", a, b)

    def mul(self, a: Name, b: Name) -> Name:
        if self._cut_mul:
            signed = self._signed_nan
            return self._two(f"mul_zero.{signed:d}", lambda text, x, y: rtl.mul(text, x, y, signed_nan=signed), a, b)
        return self._nearest("fmul", a, b)

    def _nearest(self, op: str, a: Name, b: Name) -> Name:
        if self._flushes:
            return self._two(f"{op}_flushed", lambda text, x, y: ieee.arithmetic_flushed(text, op, x, y), a, b)
        return ieee.arithmetic(self.text, op, a, b)

    def min(self, a: Name, b: Name) -> Name:
        return self._two("min", lambda text, x, y: ieee.choose(text, x, y, "slt"), a, b)

    def max(self, a: Name, b: Name) -> Name:
        return self._two("max", lambda text, x, y: ieee.choose(text, x, y, "sgt"), a, b)

    def less(self, a: Name, b: Name) -> Name:
        return self._one_where((rtl if self._raw else ieee).less(self.text, a, b))

    def at_least(self, a: Name, b: Name) -> Name:
        return self._one_where((rtl if self._raw else ieee).at_least(self.text, a, b))

    def _one_where(self, condition: Name) -> Name:
        return p.constant(self.text, condition, p.ONE, self.text.integer(0))

    def bit_or(self, a: Name, b: Name) -> Name:
        return self.text.ior(a, b)

    def bit_and(self, a: Name, b: Name) -> Name:
        return self.text.iand(a, b)

    # Words on one value

    def shift_left(self, a: Name, places: int) -> Name:
        return self.text.shift_left(a, places)

    def shift_right(self, a: Name, places: int) -> Name:
        return self.text.shift_right(a, places)

    def scale(self, a: Name, power: int) -> Name:
        """`a * 2**power`, power from -4 to 4."""
        body = ieee.scale_flushed if self._flushes else ieee.scale
        return self._one(f"{body.__name__}.{power}", lambda text, x: body(text, x, power), a)

    def sign(self, a: Name) -> Name:
        return ieee.sign(self.text, a, raw=self._raw)

    def fraction(self, a: Name) -> Name:
        body, nan = (rtl if self._fixed else ieee).fraction, self._made_nan
        return self._one(f"frc_{'fixed' if self._fixed else 'exact'}.{nan:x}", lambda text, x: body(text, x, nan), a)

    def round23(self, a: Name) -> Name:
        if self._unsigned:
            return self._one("round23_unsigned", rtl.round23, a)
        return self._one("round23_signed", lambda text, x: p.bits_of(text, ieee.integer(text, x, 23), 0x7FFFFF), a)

    def round16(self, a: Name) -> Name:
        if self._away:
            return self._one("round16_away", rtl.round16, a)
        return self._one("round16_even", lambda text, x: p.bits_of(text, ieee.integer(text, x, 16), 0xFFFF), a)

    def unorm(self, a: Name, bits: int) -> Name:
        body = (rtl if self._cut_unorm else ieee).unorm
        return self._one(f"unorm{bits}_{'cut' if self._cut_unorm else 'nearest'}", lambda text, x: body(text, x, bits), a)

    def to_half(self, a: Name) -> Name:
        return self._one("to_half_cut", rtl.to_half, a) if self._cut_half else self._one("to_half", ieee.to_half, a)

    def from_half(self, a: Name) -> Name:
        return self._one("from_half_cut", rtl.from_half, a) if self._cut_half else self._one("from_half", ieee.from_half, a)

    def from_unsigned(self, a: Name) -> Name:
        return self._one("u32_cut", rtl.from_unsigned, a) if self._cut_u32 else self._one("u32", ieee.from_unsigned, a)

    def exp2(self, a: Name) -> Name:
        return self.constant(0) if self._no_exp_log else self._one("exp2", ieee.exp2, a)

    def log2(self, a: Name) -> Name:
        return self.constant(0) if self._no_exp_log else self._one("log2", ieee.log2, a)

    def rcp(self, a: Name) -> Name:
        """The reciprocals of a whole wave."""
        if self._exact_rcp:
            return ieee.rcp(self.text, a)
        stale = self._stale_rcp
        return self._one(f"rcp_table.{stale:d}", lambda text, x: rtl.rcp(text, x, self.routines, stale=stale), a)

    def rsq(self, a: Name) -> Name:
        """1 / sqrt of a whole wave."""
        if self._exact_rsq:
            return self._one("rsq", ieee.rsq, a)
        stale = self._stale_rsq
        return self._one(f"rsq_table.{stale:d}", lambda text, x: rtl.rsq(text, x, self.routines, stale=stale), a)

    def installed(self, operation: str, values: Sequence[Name]) -> Name:
        """The results of a table; functions are not compiled (`engine.run`)."""
        bits, results = table_of(operation)
        name = blake2b(operation.encode(), digest_size=8).hexdigest()
        index = self.text.shift_right(values[0], 32 - bits)
        return self.routines.look_up(self.text, f"table.{name}", results, index)

    # What a wave does besides

    def quads_from(self, a: Name, b: Name, moved: Sequence[tuple[int, int]]) -> Name:
        """`a`, but in each quad of a pair (quad, other) what quad `other` of `b` has."""
        places = list(range(LANES))
        for quad, other in moved:
            places[_UNITS * quad : _UNITS * (quad + 1)] = range(LANES + _UNITS * other, LANES + _UNITS * (other + 1))
        return self.text.shuffle("i32", LANES, a, b, places)

    def _one(self, name: str, body: Callable[[Text, Name], Name], a: Name) -> Name:
        return self.routines.call(self.text, name, lambda text, given: body(text, given[0]), a)

    def _two(self, name: str, body: Callable[[Text, Name, Name], Name], a: Name, b: Name) -> Name:
        return self.routines.call(self.text, name, lambda text, given: body(text, given[0], given[1]), a, b)
