"""The pattern of a line of an execution log, such as `{pc:x}: {dst} = {x} {y} {z} {w}`.

A field is a name in braces, perhaps with a type; `{{` and `}}` are braces. Blanks match any number of blanks, at least one
between two texts; fields skip blanks in front of them, and a lone `-` in place of one is no value. `{_}` is text that does not
matter, up to what follows it. Flags may be side by side, `{cmp.x}{cmp.y}`: a digit each. A pattern that begins with a text is
looked for in the whole line, others begin at its first letter; the rest of a line is left out, which reports say unless the
pattern ends with `{_}`. A line is read from left to right without going back, so that no log takes long.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

COMPONENTS = ("x", "y", "z", "w")
STATE = ("cmp.x", "cmp.y", "a0.x", "a0.y", "aL")  # after the instruction
_FLAGS = STATE[:2]
FIELDS = ("pc", "dst", *COMPONENTS, *STATE, "vertex", "_")
TYPES = {
    "": "a number; a name for dst",
    "x": "hexadecimal: an address, or the word of a number",
    "d": "a whole number: for x to w the word of a number",
}
MOST_FIELDS = 40
_MOST_PLACES = 16  # where a pattern is tried in a line
_HEX = frozenset("0123456789abcdefABCDEF")
_DIGITS = frozenset("0123456789")
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_SPECIAL = ("nan", "infinity", "inf")


class Field(Record):
    """A field of a pattern."""

    name: str
    type: str = ""


class Miss(Record):
    """Why a line does not match: the column from 1, and what is expected there."""

    column: int
    expected: str
    fields: int = 0
    "How many fields match in front of it."


class Pattern:
    """A pattern that was read; `fields` are its fields in order."""

    text: str
    fields: tuple[Field, ...]

    def __init__(self, text: str, parts: tuple[str | Field, ...]) -> None:
        self.text, self._parts = text, parts
        self.fields = tuple([part for part in parts if isinstance(part, Field)])
        self.types: Mapping[str, str] = {field.name: field.type for field in self.fields}

    def retyped(self, types: Mapping[str, str]) -> Pattern:
        """The pattern with other types of some fields."""
        parts = [
            part._replace(type=types.get(part.name, part.type)) if isinstance(part, Field) else part for part in self._parts
        ]
        text = "".join(
            [f"{{{part.name}{':' if part.type else ''}{part.type}}}" if isinstance(part, Field) else part for part in parts]
        )
        return Pattern(text, tuple(parts))

    def match(self, line: str) -> dict[str, str] | Miss:
        """The texts of the fields by name, or why the line is another one: of the place where most of the pattern matches."""
        found = self.matched(line)
        return found if isinstance(found, Miss) else found[0]

    def matched(self, line: str) -> tuple[dict[str, str], str] | Miss:
        """The same, with the rest of the line."""
        first = self._parts[0]
        if isinstance(first, Field):
            return self._match(line, 0)
        best = Miss(1, f"'{first.strip()}'")
        place = line.find(first.strip())
        for _ in range(_MOST_PLACES):
            if place < 0:
                break
            found = self._match(line, place)
            if not isinstance(found, Miss):
                return found
            best = found if found.column > best.column else best
            place = line.find(first.strip(), place + 1)
        return best

    def _match(self, line: str, place: int) -> tuple[dict[str, str], str] | Miss:
        found: dict[str, str] = {}
        for number, part in enumerate(self._parts):
            if isinstance(part, str):
                text = part.strip()
                after = _after_blanks(line, place)
                if (part[:1].isspace() and number and after == place and place < len(line)) or not line.startswith(text, after):
                    return Miss(after + 1, f"'{text}'" if text else "a blank", len(found))
                place = after + len(text)
                continue
            if part.name == "_":
                following = self._parts[number + 1] if number + 1 < len(self._parts) else ""
                end = _end_of_skipped(line, place, following)
                if end < 0:
                    return Miss(place + 1, f"'{following.strip() if isinstance(following, str) else following.name}'")
                place = (
                    end - 1
                    if isinstance(following, str) and following[:1] == " " and end > 0 and line[end - 1 : end].isspace()
                    else end
                )
                continue
            start = _after_blanks(line, place)
            if line[start : start + 1] == "-" and not line[start + 1 : start + 2].strip().strip(",;)]"):
                place = start + 1
                continue
            place = _end_of(line, start, part)
            if part.name in _FLAGS and line[start : start + 1] in _DIGITS and self._is_field(number + 1):
                place = start + 1
            if place == start:
                return Miss(start + 1, f"{{{part.name}{':' + part.type if part.type else ''}}}", len(found))
            found[part.name] = line[start:place]
        return found, line[place:].strip()

    def _is_field(self, number: int) -> bool:
        return number < len(self._parts) and isinstance(self._parts[number], Field)


def read_pattern(text: str) -> Pattern:
    """A pattern. Raises ValueError with one sentence."""
    placed = _placed(text) if "{}" in text and "{{" not in text else ""
    if placed:
        raise ValueError(f"fields have names: '{placed}'")
    parts: list[str | Field] = []
    literal, place = "", 0
    while place < len(text):
        letter = text[place]
        if text[place : place + 2] in ("{{", "}}"):
            literal, place = literal + letter, place + 2
        elif letter == "{":
            end = text.find("}", place)
            if end < 0:
                raise ValueError(f"the brace at column {place + 1} is not closed: add a }}, or write {{{{ for a brace")
            parts += _pieces(literal)
            parts.append(_field(text[place + 1 : end], place + 1))
            literal, place = "", end + 1
        elif letter == "}":
            raise ValueError(f"the brace at column {place + 1} closes nothing: write }}}} for a brace")
        else:
            literal, place = literal + letter, place + 1
    parts += _pieces(literal)
    names = [part.name for part in parts if isinstance(part, Field)]
    twice = next((name for name in names if name != "_" and names.count(name) > 1), "")
    if twice:
        raise ValueError(f"{{{twice}}} is named twice: use {{_}} for what does not matter")
    if len(names) > MOST_FIELDS:
        raise ValueError(f"it has {len(names)} fields, at most {MOST_FIELDS} are read")
    if any(f"%{kind}" in part for part in parts if isinstance(part, str) for kind in "sdfgxu"):
        raise ValueError(_printf(text))
    if not {"pc", "dst"} & set(names):
        braced = _braced(text)
        if braced:
            raise ValueError(f"fields are in braces: '{braced}'")
        raise ValueError(
            "it names neither {pc} nor {dst}, by which lines are aligned with steps: '{pc:x}: {dst} = {x} {y} {z} {w}'"
        )
    return Pattern(text, tuple(parts))


def _braced(text: str) -> str:
    """A pattern whose fields are marked as in other languages, `$pc`, `<pc>` or not at all, with braces; empty for another."""
    import re

    known = "|".join(map(re.escape, sorted(FIELDS[:-1], key=len, reverse=True)))
    found = re.sub(rf"(?<!\w)[$<%@]?[({{]?({known})(?![\w.])[)}}]?s?>?", r"{\1}", text)
    try:
        return read_pattern(found).text if found != text else ""
    except ValueError:
        return ""


def _placed(text: str) -> str:
    """A pattern whose fields have no names, with them in their usual order; empty for another."""
    if text.count("{}") != text.count("{"):
        return ""
    for name in FIELDS[: text.count("{}")]:
        text = text.replace("{}", f"{{{name}}}", 1)
    return text


def _printf(text: str) -> str:
    """The fix for a format of printf: the same with fields, as far as their kinds say which are meant."""
    used = [field.partition(":")[0] for field in text.replace("}", "{").split("{")[1::2]]
    found, numbers, place = "", iter([name for name in "xyzw" if name not in used]), 0
    while place < len(text):
        letter = text[place]
        end = place + 1
        while letter == "%" and end < len(text) and text[end] in "-+ #0.123456789lhz":
            end += 1
        kind = text[end : end + 1] if letter == "%" else ""
        name = {"s": "dst", "x": "pc", "X": "pc", "d": "pc", "u": "pc", "i": "pc"}.get(kind)
        if kind in ("f", "g", "e", "F", "G", "E"):
            name = next(numbers, "_")
        if name and name != "_" and (name in used or f"{{{name}}}" in found):
            name = "_"
        found += f"{{{name}}}" if name else letter
        place = end + 1 if name else place + 1
    return f"fields are in braces, not those of printf: '{found}'"


# What others call the fields.
_MEANT = {
    **{name.lower(): name for name in FIELDS},
    **dict.fromkeys(("addr", "address", "ip", "offset", "word", "line", "0"), "pc"),
    **dict.fromkeys(("reg", "register", "dest", "destination", "rd", "name", "out", "1"), "dst"),
    **dict.fromkeys(("r", "v0", "value", "val", "2"), "x"),
    **dict.fromkeys(("g", "v1", "3"), "y"),
    **dict.fromkeys(("b", "v2", "4"), "z"),
    **dict.fromkeys(("a", "v3", "5"), "w"),
    **dict.fromkeys(("al", "loop", "lc"), "aL"),
    **dict.fromkeys(("lane", "v", "thread", "vtx", "index"), "vertex"),
    **dict.fromkeys(("*", "", "any", "skip", "..."), "_"),
}


# Registers as enumerations and arrays of other languages are printed: the letters of their names here.
_VARIANTS = {"o": "o", "out": "o", "output": "o", "outputs": "o", "r": "r", "temp": "r", "tmp": "r", "temporary": "r",
    "temporaries": "r", "reg": "r", "temps": "r"}  # fmt: skip


def register_meant(line: str) -> tuple[str, str]:
    """The first register of a line that is written as `Output(0)` or `r[0]`, and its name; empty texts without one."""
    import re

    for found in re.finditer(r"(?:\w+(?:\.|::))?([A-Za-z]+)(?:\((\d+)\)|\[(\d+)\]|_(\d+)\b)", line):
        letter = _VARIANTS.get(found[1].lower(), "")
        if letter:
            return found[0], f"{letter}{found[2] or found[3] or found[4]}"
    return "", ""


_ADDRESSED = (  # text, an address, text, a register, and the rest
    r"(.*?)(?<![\w.])((?:0x)?[0-9a-fA-F]+)\b(.*?)([A-Za-z]\w*(?:\.\w+)?|\d+)(?=[^\w.\[])(.*)$"
)
_VALUE = r"[-+]?(?:0x[0-9a-fA-F]+|[0-9a-fA-F]{8}\b|[0-9a-fA-F]{6}\b|[0-9.]+(?:[eE][-+]?\d+)?|nan|inf)"


def guess(line: str) -> str:
    """The pattern of a line with an address, a register and up to four values in this order; empty for another line."""
    import re

    found = re.match(_ADDRESSED, line.strip())
    if found is None or line.lstrip()[:1] in ("{", "["):
        return ""
    before, address, between, register, rest = found.groups()
    values = list(re.finditer(_VALUE, rest))
    if not 0 < len(values) <= len(COMPONENTS) or (";" in line and re.search(r"\d,\d", rest)):  # a decimal comma
        return ""
    kind = ":x" if re.search(r"[a-fA-FxX]", address) or (len(address) > 1 and address[0] == "0") else ""
    words = ":x" if any(len(value[0]) in (6, 8) and value[0].isalnum() and not value[0].isdecimal() for value in values) else ""
    text, place = "", 0
    for letter, value in zip(COMPONENTS, values, strict=False):
        text += rest[place : value.start()] + f"{{{letter}{words}}}"
        place = value.end()
    literal = [part.replace("{", "{{").replace("}", "}}") for part in (before, between)]
    mnemonic = re.match(r"([ \t]+)([A-Za-z]\w*(?:\.\w+)?)(?=[^\w.\[])(.*)$", rest)
    if mnemonic is not None and register.partition(".")[0].isalpha():  # an instruction, after which the register is
        inner = guess(f"{before}{address}{between}{mnemonic[2]}{mnemonic[3]}")
        at = inner.find("{dst}")
        return f"{inner[:at]}{{_}} {inner[at:]}" if at >= 0 else ""
    name = "{dst}" if register[0].isalpha() else "{dst:d}"
    pattern = f"{literal[0]}{{pc{kind}}}{literal[1]}{name}{text}{rest[place:]}"
    try:
        return pattern if not isinstance(read_pattern(pattern).match(line), Miss) else ""
    except ValueError:
        return ""


def _pieces(literal: str) -> list[str | Field]:
    """A text between fields as pieces without blanks inside; a blank in front of a piece stays as one blank."""
    found: list[str | Field] = []
    for word in literal.split():
        found.append((" " if found or literal[:1].isspace() else "") + word)
    if literal and not literal.strip():
        found.append(" ")
    return found


def _field(text: str, column: int) -> Field:
    name, _, kind = text.strip().partition(":")
    if name not in FIELDS:
        if '"' in name:
            raise ValueError(
                f"the brace at column {column} is one of JSON: leave --log-format out, JSON lines with pc, dst and values are "
                "read without, or write {{ and }} for a brace"
            )
        meant = _MEANT.get(name.lower(), "")
        letters = "} {".join(name) if 1 < len(name) <= len(COMPONENTS) and set(name) <= {*COMPONENTS} else ""
        fix = f"write {{{letters}}}" if letters else f"did you mean {{{meant}}}?" if meant else f"use {', '.join(FIELDS)}"
        raise ValueError(f"unknown field {{{name}}} at column {column}: {fix}")
    if kind not in TYPES:
        plain = {"x": ":x", "d": ":d"}.get(kind[-1:].lower(), "")
        known = kind[-1:].lower() in ("x", "d", "f", "g", "e", "s")
        fix = f"write {{{name}{plain}}}, without a width" if known else "use :x (hexadecimal), :d, or none"
        raise ValueError(f"unknown type ':{kind}' of {{{name}}} at column {column}: {fix}")
    return Field(name, kind)


def _after_blanks(line: str, place: int) -> int:
    while place < len(line) and line[place].isspace():
        place += 1
    return place


def _end_of_skipped(line: str, place: int, following: str | Field) -> int:
    """Where text that does not matter ends; -1 where what follows it is not there."""
    if isinstance(following, Field):
        place = _after_blanks(line, place)
        while place < len(line) and not line[place].isspace():
            place += 1
        return place
    return (
        line.find(following.strip(), place) if following.strip() else len(line) if not following else _next_blank(line, place)
    )


def _next_blank(line: str, place: int) -> int:
    place = _after_blanks(line, place)
    while place < len(line) and not line[place].isspace():
        place += 1
    return place


def _run(line: str, place: int, letters: frozenset[str]) -> int:
    while place < len(line) and line[place] in letters:
        place += 1
    return place


def _end_of(line: str, start: int, field: Field) -> int:
    """The end of a field that begins at `start`; `start` where it is not one."""
    if field.name == "dst" and not field.type:
        end = _run(line, start, _NAME)
        return _run(line, end + 1, _NAME) if end > start and line[end : end + 1] == "." else end
    sign = start + (line[start : start + 1] in ("+", "-"))
    if line[sign : sign + 2].lower() == "0x" and _run(line, sign + 2, _HEX) > sign + 2:
        return _run(line, sign + 2, _HEX)
    if field.type == "x":
        return _run(line, start, _HEX)
    if field.name in STATE and (word := next((each for each in ("true", "false") if line.startswith(each, start)), "")):
        return start + len(word)
    if field.type == "d" or field.name not in COMPONENTS:
        end = _run(line, sign, _DIGITS)
        return end if end > sign else start
    return _end_of_number(line, start, sign)


def _end_of_number(line: str, start: int, sign: int) -> int:
    for word in _SPECIAL:
        if line[sign : sign + len(word)].lower() == word:
            end = sign + len(word)
            closed = line.find(")", end) if line[end : end + 1] == "(" else -1
            return closed + 1 if closed >= 0 else end
    whole = _run(line, sign, _DIGITS)
    end = _run(line, whole + 1, _DIGITS) if line[whole : whole + 1] == "." else whole
    if end == sign or line[sign:end] == ".":
        return start
    if line[end : end + 1] in ("e", "E"):
        power = end + 1 + (line[end + 1 : end + 2] in ("+", "-"))
        last = _run(line, power, _DIGITS)
        end = last if last > power else end
    return end
