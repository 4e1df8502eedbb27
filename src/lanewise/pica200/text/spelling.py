"""Values as every dialect spells them: float24 constants as decimals, selectors without their dead slots."""

from __future__ import annotations

from lanewise.core.numbers.floats import float32_bits, float_from_float24, host_float24
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.numbers import read_float
from lanewise.pica200.isa.encoder import form
from lanewise.pica200.isa.program import Dest, Source
from lanewise.pica200.isa.table import IDENTITY, Descriptor, merge_bits

if TYPE_CHECKING:
    from lanewise.pica200.isa.program import Operation


def float_text(word: int) -> str:
    """The shortest decimal that `.constf` converts to this float24 word."""
    sign = "-" if word >> 23 else ""
    exponent, mantissa = word >> 16 & 0x7F, word & 0xFFFF
    if exponent == 0x7F and not mantissa:
        return sign + "inf"
    if exponent in (0, 0x7F) and mantissa:  # only a float32 outside of float24's range gives these patterns (rule 44)
        value = (1 + mantissa / 65536) * 2.0 ** (exponent + 64 - 127) * (-1 if sign else 1)
        for digits in range(1, 18):
            text = f"{value:.{digits}g}"
            if host_float24(float32_bits(float(text))) == word:
                return text
        return repr(value)
    value = float_from_float24(word)
    for digits in range(1, 18):
        text = f"{value:.{digits}g}"
        if host_float24(float32_bits(read_float(text)[0])) == word:
            return text if "." in text or "e" in text else text + ".0"
    return repr(value)


def is_plain_float(word: int) -> bool:
    """Whether a float24 word is a number that a source can say without surprise: no NaN, no subnormal."""
    return word & 0xFFFFFF == word and (word >> 16 & 0x7F not in (0, 0x7F) or not word & 0xFFFF)


def live_selectors(operation: Operation) -> Operation:
    """An equivalent operation with dead selector slots copied from a neighbour."""
    sources = [operand for operand in operation.operands if isinstance(operand, Source)]
    first = operation.operands[0]
    mask = first.mask if isinstance(first, Dest) else 0
    live = merge_bits(form(operation.op, sources), mask)
    operands = list(operation.operands)
    source = 0
    for i, operand in enumerate(operands):
        if isinstance(operand, Source):
            slots = Descriptor.SELECTOR[source].extract(live)
            source += 1
            operands[i] = operand._replace(selector=_fill(operand.selector, slots))
    return operation._replace(operands=tuple(operands))


def _fill(selector: int, live: int) -> int:
    parts = [(selector >> shift) & 3 if live >> shift & 3 else -1 for shift in (6, 4, 2, 0)]
    known = [part for part in parts if part >= 0]
    if not known:
        return IDENTITY
    if all(part in (-1, i) for i, part in enumerate(parts)):
        return IDENTITY
    last = known[0]
    result = 0
    for part in parts:
        last = part if part >= 0 else last
        result = result << 2 | last
    return result
