"""Values of constants in nihstro: float24, rounded as in nihstro, bytes, booleans.

Ours: float24 words, `inf`.
"""

from __future__ import annotations

from lanewise.core.diagnostics import NOTE, Diagnostic
from lanewise.core.numbers.floats import float32_bits, float_from_float24, host_float24
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.numbers import ROUNDING_FIX, read_integer, rounded
from lanewise.core.text.problems import Problem
from lanewise.pica200.isa.program import Constant, Uniform
from lanewise.pica200.text.nihstro.lexer import NUMBER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.text.nihstro.lexer import Cursor
    from lanewise.pica200.text.nihstro.operands import Selected
    from lanewise.pica200.text.nihstro.reader import Reader

ALIAS_USAGE = ".alias NAME REGISTER, .alias NAME c0-c3, .alias NAME o0 as PROPERTY or .alias NAME c0 as (x, y, z, w)"


def preset(reader: Reader, cursor: Cursor, name: str, place: Selected) -> None:
    """The value of a constant, after `as`. Raises Problem."""
    start = cursor.peek().start
    values = _values(cursor)
    if place.letter == "b":
        text, column = values[0]
        if len(values) > 1 or text not in ("0", "1"):
            raise Problem(
                "P053",
                f"'{text}' is not a boolean" if len(values) == 1 else "a boolean has one value",
                "write 0 or 1",
                column,
                max(1, len(text)),
            )
        stored: tuple[int, ...] = (int(text),)
    else:
        count = len(place.components)
        if len(values) != count:
            code = "P017" if len(values) < count else "P018"
            named = f"{place.text} has {count} component{'s' if count > 1 else ''}"
            fix = (
                "write (x, y, z, w)"
                if count == 4
                else f"give as many values as components, or use {place.text.partition('.')[0]} without components"
            )
            raise Problem(
                code, f"{named}, found {len(values)} value{'s' if len(values) > 1 else ''}", fix, start, cursor.end - start
            )
        reader.mask(place)
        words = [0, 0, 0, 0]
        for component, (text, column) in zip(place.components, values, strict=True):
            words[component] = _float(reader, text, column) if place.letter == "c" else _byte(text, column)
        stored = tuple(words)
        _note_rounding(reader, place, values, stored)
    cursor.finish(f"write {ALIAS_USAGE}")
    if any(constant.register == place.register for constant in reader.unit.constants):
        reader.warn(
            "V067",
            f"{place.text} already has a value: the loader applies the last one",
            "remove one",
            place.start,
            place.end - place.start,
        )
    reader.unit.constants.append(Constant(place.register, stored))
    reader.unit.private.append(Uniform(name=name, first=place.register, last=place.register, symbol=None, span=reader.span()))


def _note_rounding(reader: Reader, place: Selected, values: Sequence[tuple[str, int]], words: Sequence[int]) -> None:
    """A note for the values of a float constant that are stored as others."""
    if place.letter != "c":
        return
    given = [
        (text, float(text), words[n]) for n, (text, _) in zip(place.components, values, strict=True) if text[:2].lower() != "0x"
    ]
    message = rounded(given)
    if message:
        reader.diagnostics.append(
            Diagnostic(code="V105", severity=NOTE, message=message, span=reader.span(), notes=(), fix=ROUNDING_FIX)
        )


def _values(cursor: Cursor) -> list[tuple[str, int]]:
    """`(x, y, z, w)` or a single value: texts with their columns. Raises Problem."""
    if not cursor.took("("):
        return [_value(cursor)]
    found = [_value(cursor)]
    while cursor.took(","):
        found.append(_value(cursor))
    cursor.expect(")", "separate the values with commas and close the parenthesis")
    return found


def _value(cursor: Cursor) -> tuple[str, int]:
    start = cursor.peek().start
    sign = "-" if cursor.took("-") else ""
    if not sign:
        cursor.took("+")
    token = cursor.peek()
    if token.kind != NUMBER and token.text != "inf":
        message = f"'{token.text}' is not a number" if token.text else "missing number"
        raise token.problem("P019", message, "write a number such as 0.5")
    cursor.next()
    return sign + token.text, start


def _float(reader: Reader, text: str, column: int) -> int:
    """A number as a float24: float32, then the mantissa cut, as nihstro does; out of range it is infinity or zero."""
    if text[:2].lower() == "0x":  # ours: the word itself
        word, length = read_integer(text)
        if length < len(text) or not 0 <= word <= 0xFFFFFF:
            raise Problem(
                "P055", f"'{text}' is not a float24 word", "write 24 bits, such as 0x3F0000 for 1.0", column, len(text)
            )
        reader.note(
            "0x", "P070", "nihstro itself does not read float24 words", "write a decimal for nihstro", column, len(text)
        )
        if word & 0x7FFFFF > 0x7F0000:
            fix = "the largest float24 is 3.689e19; write inf for infinity"
            reader.warn("V061", f"'{text}' is the pattern of a NaN", fix, column, len(text))
        elif word & 0xFFFF and not word >> 16 & 0x7F:
            message = f"'{text}' is the subnormal {float_from_float24(word):g}, which arithmetic treats as 0"
            reader.warn("V062", message, "the smallest normal float24 is 2.168e-19", column, len(text))
        return word
    try:
        value = float(text) if "_" not in text else None
    except ValueError:
        value = None
    if value is None:
        raise Problem("P019", f"'{text}' is not a number", "write a number such as 0.5 or 1e-3", column, len(text))
    word = host_float24(float32_bits(value))
    exponent = word >> 16 & 0x7F
    sign = word & 0x800000
    if exponent == 0x7F and not text.endswith("inf"):
        reader.warn(
            "V068",
            f"'{text}' is stored as infinity",
            "the largest float24 is 3.689e19; nihstro stores a small number instead",
            column,
            len(text),
        )
        return sign | 0x7F0000
    if exponent == 0 and value:
        reader.warn("V068", f"'{text}' is stored as 0", "the smallest normal float24 is 2.168e-19", column, len(text))
        return sign
    return word


def _byte(text: str, column: int) -> int:
    if not text.lstrip("-").isdigit():
        raise Problem("P019", f"'{text}' is not an integer", "write 0 to 255", column, len(text))
    value, _ = read_integer("-" * text.startswith("-") + (text.lstrip("-").lstrip("0") or "0"))
    if not 0 <= value <= 255:
        raise Problem("V063", f"{text} does not fit in a byte", "write 0 to 255", column, len(text))
    return value
