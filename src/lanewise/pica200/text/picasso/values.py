"""Directives that give values: constants, arrays of constants, presets. Source: conformance rules 10, 11, 31, 35, 44."""

from __future__ import annotations

from lanewise.core.diagnostics import WARNING, Related
from lanewise.core.numbers.floats import exact_float24, float32_bits, float_from_bits, float_from_float24, host_float24
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.numbers import ROUNDING_FIX, read_decimal, read_float, rounded
from lanewise.core.text.problems import Problem
from lanewise.pica200.isa.program import Constant, Uniform
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, REGISTER_END, register_name
from lanewise.pica200.isa.uniforms import COUNT
from lanewise.pica200.text.picasso.arguments import alias_name, poison, words_of
from lanewise.pica200.text.picasso.operands import Alias, Poisoned
from lanewise.pica200.text.picasso.syntax import MAX_CONSTANTS, Quirk, begins_like_register, is_identifier, is_register

if TYPE_CHECKING:
    from lanewise.pica200.text.picasso.reader import Reader

ARRAY = "constfa"  # the kind of an open block that collects elements
_INFINITIES = (float("inf"), float("-inf"))
_TRUTH = {"true": 1, "on": 1, "1": 1, "false": 0, "off": 0, "0": 0}
_PRESET = {  # kind: first register, end, in words
    "fvec": (FLOAT, INTEGER, "a float uniform (c0-c95)"),
    "ivec": (INTEGER, INTEGER + COUNT["ivec"], "an integer uniform (i0-i3)"),
    "bool": (BOOLEAN, REGISTER_END, "a boolean uniform (b0-b15)"),
}


def read_values(reader: Reader, kind: str, text: str) -> tuple[int, ...]:
    """The four values after an opening parenthesis, as words or bytes. Raises Problem."""
    parts = text.split(",", 3)
    if len(parts) < 3:
        count = len([part for part in parts if part.strip(" \t)")])
        raise Problem("P010", f"expected four values, found {count or 'none'}", "write (x, y, z, w)")
    if len(parts) < 4 or ")" not in parts[3]:
        fix = "close the parenthesis" if len(parts) == 4 else "write (x, y, z, w)"
        raise Problem("P017", "expected four values in parentheses", fix)
    last, _, after = parts[3].partition(")")
    if after.strip():
        reader.quirk(Quirk(code="P023", message=f"'{after.strip()}' after the parenthesis is ignored", fix="remove it"))
    texts = [part.strip() for part in (*parts[:3], last)]
    if "" in texts and not reader.compatible:
        raise Problem("P010", f"expected four values, found {4 - texts.count('') or 'none'}", "write (x, y, z, w)")
    if "," in last:
        digits = [each.strip().lstrip("-") for each in (*texts[:3], *last.split(","))]
        pairs = list(zip(digits[::2], digits[1::2], strict=False))
        fix = "write (x, y, z, w)"
        if kind == "fvec" and len(digits) == 8 and all(each.isdigit() for each in digits):
            signs = ["-" if each.strip()[:1] == "-" else "" for each in (*texts[:3], *last.split(","))][::2]
            numbers = ", ".join([f"{sign}{a}.{b}" for sign, (a, b) in zip(signs, pairs, strict=True)])
            fix = f"write ({numbers}): decimals have a point, values a comma between them"
        reader.quirk(Quirk(code="P018", message="more than four values: the rest is ignored", fix=fix))
        texts[3] = last.partition(",")[0].strip()
    if kind != "fvec":
        return tuple(_byte(reader, value) for value in texts)
    words: list[int] = []
    others: list[tuple[str, float, int]] = []  # than the numbers that float24 has, of which nothing is to be said
    known = reader.numbers
    for each in texts:
        word = known.get(each)
        if word is None:
            value, length = read_float(each)
            word = exact_float24(value) if 0 < length == len(each) and each[:2] not in ("0x", "0X") else None
            if word is None:
                word = _float(reader, each, value, length)
                others.append((each, value, word))
            else:
                known[each] = word
        words.append(word)
    message = rounded(others) if others else ""
    if message:
        reader.note(Quirk(code="V105", message=message, fix=ROUNDING_FIX))
    return tuple(words)


def _float(reader: Reader, text: str, value: float, length: int) -> int:
    """The word of a number, `length` characters of its text, with what is to be said about it."""
    bits = float32_bits(value)
    word = host_float24(bits)
    if length < len(text) or not length:
        _refuse_lost(reader, text)
        rest = f": '{text[length:].strip()}' is no part of a number" if length else ""
        reader.quirk(Quirk(code="P019", message=f"'{text}' is read as {value:g}{rest}", fix="write a number"))
    elif len(text) in (8, 10) and text[:2] in ("0x", "0X") and text[2:].isalnum() and "p" not in text.lower():
        pattern = int(text, 16)
        meant = float_from_float24(pattern) if len(text) == 8 else float_from_bits(pattern)
        if meant != value:
            message = (
                f"'{text}' is the number {value:.9g}, not the float{24 if len(text) == 8 else 32} of these bits, {meant:.9g}"
            )
            reader.warn(Quirk(code="V115", message=message, fix=f"write {meant:.9g}, or {value:.9g} if that is meant"))
    elif bits & 0x7FFFFFFF > 0x7F800000:  # NaN
        reader.quirk(
            Quirk(
                code="V060",
                message=f"'{text}' is stored as infinity",
                fix="float24 constants cannot be NaN here; compute it: rsq of -1",
            )
        )
    elif word >> 16 & 0x7F == 0x7F and word & 0xFFFF:
        reader.quirk(
            Quirk(
                code="V061",
                message=f"'{text}' is stored as a NaN pattern",
                fix="the largest float24 is 3.689e19; write inf for infinity",
            )
        )
    elif word >> 16 & 0x7F == 0 and word & 0xFFFF:
        reader.quirk(
            Quirk(
                code="V062",
                message=f"'{text}' is stored as the subnormal {float_from_float24(word):g}",
                fix="the smallest normal float24 is 2.168e-19",
            )
        )
    elif word & 0x7FFFFF == 0x7F0000 and value not in _INFINITIES:
        reader.warn(
            Quirk(
                code="V068",
                message=f"'{text}' is stored as infinity",
                fix="the largest float24 is 3.689e19; write inf for infinity",
            )
        )
    elif word & 0x7FFFFF == 0 and value:
        reader.warn(Quirk(code="V068", message=f"'{text}' is stored as 0", fix="the smallest normal float24 is 2.168e-19"))
    return word


def _refuse_lost(reader: Reader, text: str) -> None:
    """Raise Poisoned for a name whose declaration failed, such as a `#define`, which is reported."""
    alias = reader.operands.aliases.get(text.lstrip("-"))
    if alias is not None and alias.register < 0 and not reader.compatible:
        raise Poisoned


def _byte(reader: Reader, text: str) -> int:
    value, length = read_decimal(text)
    if not length or length < len(text):
        _refuse_lost(reader, text)
        reader.quirk(Quirk(code="P019", message=f"'{text}' is read as {value}", fix="write a decimal integer"))
    elif -128 <= value < 0:
        reader.warn(
            Quirk(code="V063", message=f"'{value}' is stored as {value & 0xFF}: integers are unsigned", fix="write 0 to 255")
        )
    if not -128 <= value <= 255:
        reader.quirk(
            Quirk(
                code="V063",
                message=f"'{value}' does not fit in a byte: {value & 0xFF} is stored",
                fix="write 0 to 255: x = 255 is 256 rounds; more are two loops inside each other",
            )
        )
    return value & 0xFF


def add(reader: Reader, constants: list[Constant], name: str = "") -> None:
    """Append to the table of the file's shader; `name` is that of constants. Raises Problem when it is full."""
    unit = reader.make_unit()
    if len(unit.constants) + len(constants) > MAX_CONSTANTS:
        raise Problem(
            "V064", f"more than {MAX_CONSTANTS} constants and presets", "remove some, or set them from the application"
        )
    for each in constants if name else ():
        earlier = reader.numbered.get(each.register)
        if earlier is not None:
            place = register_name(each.register)
            message = f"{place} is preset and holds the constant {name}: the loader applies the last value"
            related = (Related(earlier, f"{place} is preset here"),)
            reader.report(Problem("V067", message, f"preset a register below {place}", related=related), WARNING)
    unit.constants.extend(constants)
    reader.preset.update([each.register for each in constants])


def constant(kind: str, reader: Reader, rest: str) -> None:
    """`.constf NAME(x, y, z, w)` and `.consti`."""
    reader.make_unit()
    name, opened, inside = rest.partition("(")
    name = name.strip()
    try:
        if not opened:
            raise Problem("P010", "values without parentheses", f"write {reader.word} NAME(x, y, z, w)")
        stored = read_values(reader, kind, inside)
        if not is_identifier(name) and is_identifier(name.rstrip("=,: ")) and not reader.compatible:
            raise Problem("P051", f"'{name}' is not an identifier", f"write {reader.word} {name.rstrip('=,: ')}(x, y, z, w)")
        if not is_identifier(name):
            what = (
                f"'{name}' is not an identifier: this constant cannot be referenced"
                if name
                else "constant without a name: it cannot be referenced"
            )
            fix = (
                "write .constfa for an element of the array"
                if reader.blocks and reader.blocks[-1].kind == ARRAY
                else f"write `{reader.word} NAME(x, y, z, w)`; an array is `.constfa NAME[]`"
            )
            reader.warn(Quirk(code="P051", message=what, fix=fix))
        if name in reader.operands.aliases:
            alias_name(reader, name, Alias(register=0))
        register = reader.space.constant(kind, 1)
        if register < 0:
            raise Problem(
                "V026",
                f"no register left for the constant {name}",
                f"remove some: {COUNT[kind]} registers hold uniforms and constants",
            )
        add(reader, [Constant(register, stored)], name)
        reader.declares = True
        alias_name(reader, name, Alias(register=register, size=1), constant=True)
        reader.make_unit().private.append(Uniform(name=name, first=register, last=register, symbol=None, span=reader.span()))
    except (Problem, Poisoned):
        poison(reader, name)
        raise


def array(reader: Reader, rest: str) -> None:
    """`.constfa NAME[n]` starts an array; `.constfa (x, y, z, w)` adds an element."""
    if reader.blocks and reader.blocks[-1].kind == ARRAY:
        _element(reader, rest)
        return
    if reader.blocks and reader.blocks[-1].kind == "broken":
        return
    reader.make_unit()
    usage = "write .constfa NAME[] or NAME[SIZE], then lines .constfa (x, y, z, w), then .end"
    text = rest.strip()
    if text.startswith("("):
        raise Problem("P052", "element outside an array", usage)
    bracket = text.find("[")
    name = text[:bracket].strip() if bracket >= 0 else text
    size = 0
    try:
        if bracket < 0:
            raise Problem("P052", f"{name or 'an array'} needs brackets", usage)
        close = text.find("]", bracket)
        if close < 0:
            raise Problem("P022", "unclosed bracket", "add `]`")
        if text[close + 1 :].strip():
            raise Problem("P011", f"unexpected '{text[close + 1 :].strip()}'", usage)
        if not is_identifier(name):
            raise Problem(
                "P050", f"'{name}' is not a valid array name", "use letters, digits, `_` and `$`, not starting with a digit"
            )
        inside = text[bracket + 1 : close].strip()
        if inside:
            size, _ = read_decimal(inside)
            if size < 1:
                raise Problem("P048", f"'{inside}' is not a size for {name}", "write a size of at least 1, or leave it out")
    except (Problem, Poisoned):
        poison(reader, name)
        reader.open("broken")
        raise
    reader.open(ARRAY, name)
    reader.array, reader.elements = (name, size), []


def _element(reader: Reader, rest: str) -> None:
    text = rest.strip()
    if not text.startswith("("):
        raise Problem("P017", "an element has four values in parentheses", "write .constfa (x, y, z, w)")
    name, size = reader.array
    if size and len(reader.elements) >= size:
        raise Problem(
            "V065", f"{name} has {size} element{'s' if size > 1 else ''}: this is one more", "increase the size of the array"
        )
    reader.elements.append(read_values(reader, "fvec", text[1:]))


def end_array(reader: Reader) -> None:
    """`.end` of an array: it gets its block of registers, the first element the lowest (rule 31)."""
    (name, size), elements = reader.array, reader.elements
    try:
        if not size and not elements:
            raise Problem("V066", f"{name} has neither a size nor elements", "add .constfa (x, y, z, w) lines")
        count = size or len(elements)
        if name in reader.operands.aliases:
            alias_name(reader, name, Alias(register=0))
        register = reader.space.constant("fvec", count)
        if register < 0:
            raise Problem(
                "V026", f"no registers left for {name}[{count}]", "remove some: 96 registers hold uniforms and constants"
            )
        padded = elements + [(0, 0, 0, 0)] * (count - len(elements))
        add(reader, [Constant(register + i, element) for i, element in enumerate(padded)], name)
        reader.declares = True
        alias_name(reader, name, Alias(register=register, size=count), constant=True)
        reader.make_unit().private.append(Uniform(name=name, first=register, last=register + count - 1))
    except (Problem, Poisoned):
        poison(reader, name)
        raise


def preset(kind: str, reader: Reader, rest: str) -> None:
    """`.setf REGISTER(x, y, z, w)` and `.seti`."""
    reader.make_unit()
    text, opened, inside = rest.partition("(")
    if not opened:
        raise Problem("P010", "values without parentheses", f"write {reader.word} REGISTER(x, y, z, w)")
    register = _preset_register(reader, kind, text.strip())
    stored = read_values(reader, kind, inside)
    _store(reader, Constant(register, stored), text.strip())


def preset_boolean(reader: Reader, rest: str) -> None:
    """`.setb REGISTER true|false|on|off|1|0`."""
    reader.make_unit()
    usage = ".setb REGISTER true|false"
    if "," in rest and len(rest.split()) < 2:
        raise Problem("P010", "a comma takes the place of a space", f"write {usage}")
    words = words_of(reader, rest, 2, 2, usage)
    register = _preset_register(reader, "bool", words[0])
    value = _TRUTH.get(words[1].lower())
    if value is None:
        raise Problem("P053", f"'{words[1]}' is not a boolean", "write true, false, on, off, 1 or 0")
    _store(reader, Constant(register, (value,)), words[0])


def _preset_register(reader: Reader, kind: str, text: str) -> int:
    findings: list[Quirk] = []
    reader.operand_at(text)
    bare = text.rstrip(",")
    if bare != text and is_register(bare):  # picasso reads past the digits of a register, and refuses a name that ends so
        reader.warn(
            Quirk(code="P023", message="the comma is ignored", fix="remove it", start=len(bare), length=len(text) - len(bare))
        )
        text = bare
    elif bare != text and not begins_like_register(bare):
        raise Problem("P025", f"unknown register '{text}'", "remove the comma", 0, len(text))
    register = reader.operands.select(text, findings).register
    first, end, what = _PRESET[kind]
    if not first <= register < end:
        raise Problem("V019", f"'{text}' is not {what}", f"use {what}", 0, len(text))
    for finding in findings:
        reader.quirk(finding)
    return register


def _store(reader: Reader, value: Constant, text: str) -> None:
    if value.register in reader.preset:
        reader.warn(Quirk(code="V067", message="register is preset twice: the loader applies the last one", fix="remove one"))
    add(reader, [value])
    if text.rstrip(",").lower() == register_name(value.register):
        reader.argument = -1
        reader.numbered[value.register] = reader.span()
    reader.declares = True
