"""Operands of the ShaderCore language: `-c1.y`, `abs(v0.z)`, `r0.xyz`.

Listings of the public tools write modifiers after the register or its component (`c8_neg.x`, `c9.w_abs`) and the registers 0, 1
and -1 with their number, which is 0 (`00.x`, `10.x`, `-10.x`). Source: DriverShaderCompiler.cpp:52,79-84, read (reference 1).
"""

from __future__ import annotations

from functools import lru_cache

from lanewise.core.diagnostics import PortableError
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.shadercore.isa.table import (
    ABS,
    BY_NAME,
    COMPONENTS,
    DEST_FILES,
    END,
    FILES,
    MINUS_ONE,
    NEG_ABS,
    NEGATE,
    NONE,
    NULL_FILE,
    ONE,
    SOURCE_FILES,
    ZERO,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.source import Span
    from lanewise.shadercore.isa.table import Op
    from lanewise.shadercore.text.pieces import Token

_SUFFIXES = {"neg": NEGATE, "abs": ABS, "absneg": NEG_ABS}
_CONSTANTS = {"0": ZERO, "00": ZERO, "1": ONE, "10": ONE, "-1": MINUS_ONE, "-10": MINUS_ONE}
_NULLS = {"null": 0, **{f"null{n}": n for n in range(8)}}  # a destination of no file has room for a number, too
_MORE = {"r": " or x0-x6", "x": " or r0-r7"}  # other registers to compute with; x7.x hangs the public hardware
_SATURATES = ("saturate", "sat", "clamp", "clamp01")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"


class Operand(Record):
    """A parsed operand."""

    file: str
    "The name of its register file (`FILES`)."
    number: int
    "The number of the register."
    components: tuple[int, ...]
    "The numbers of its components; (0,) where none were written."
    modifier: int
    "`NONE` to `NEG_ABS`; `NONE` for a destination."
    column: int
    "The column at which it begins in the line, from 1."
    length: int
    "Characters of its text."
    named: bool = True
    "Its components were written, or it has none."


class Fault(PortableError):
    """An invalid operand: code, message, fix, place.

    `edits` are (column, length, text) of the line, the fix where it is mechanical; `first` is the place of an earlier
    declaration.
    """

    code: str
    message: str
    fix: str
    column: int
    length: int
    edits: tuple[tuple[int, int, str], ...]
    first: Span | None

    def __init__(
        self,
        code: str,
        message: str,
        fix: str,
        column: int,
        length: int,
        edits: tuple[tuple[int, int, str], ...] = (),
        first: Span | None = None,
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.fix, self.column, self.length = code, message, fix, column, max(1, length)
        self.edits, self.first = edits, first


def read_source(text: str, column: int) -> Operand:
    """A source. `text` is without blanks around it and begins at `column`. Raises Fault."""

    def fault(code: str, message: str, fix: str) -> Fault:
        return _fault(code, message, fix, column, text)

    negate, rest = text.startswith("-"), text
    inside = _inside(rest, "-")
    if inside is None and negate and _inside(rest[1:].lstrip(), "abs") is not None:
        rest = rest[1:].lstrip()
    inside_abs = _inside(rest, "abs")
    if inside is not None:
        modifier, rest = NEGATE, inside
        inner = _inside(rest, "abs")
        if inner is not None:
            modifier, rest = NEG_ABS, inner
    elif inside_abs is not None:
        modifier, rest = NEG_ABS if negate else ABS, inside_abs
    elif negate and text.partition(".")[0].partition("_")[0] not in _CONSTANTS:
        modifier, rest = NEGATE, text[1:].lstrip()
    else:
        modifier = NONE
    if rest[:1] == "-" and rest.partition(".")[0].partition("_")[0] not in _CONSTANTS:
        twice = rest.lstrip("-( ").rstrip(") ")
        hint = f"write {twice}" if text.count("-") == 2 and "abs" not in text else "use one of -REG, abs(REG) and -abs(REG)"
        inner = (_inside(text.removeprefix("-"), "abs") or "").lstrip("- ")
        if inner and inner[:1].isalpha():
            hint = f"write {'-' if negate else ''}abs({inner}): a sign inside changes nothing"
        raise fault("P204", f"{text} has two modifiers", hint)
    file, number, components, suffix = _register(rest, fault)
    if suffix and modifier:
        raise fault("P204", f"{text} has two modifiers", "use one of -REG, abs(REG) and -abs(REG)")
    if not FILES[file].readable:
        raise fault("P207", "NULL cannot be read", "read 0, or a register")
    named = bool(components) or file not in "rvcxo"
    return Operand(
        file=file,
        number=number,
        components=components or (0,),
        modifier=suffix or modifier,
        column=column,
        length=len(text),
        named=named,
    )


def read_dest(text: str, column: int, *, may_be_zero: bool) -> Operand:
    """A destination; `0` means NULL where it may, as test programs of the public tools write NOP. Raises Fault."""

    def fault(code: str, message: str, fix: str) -> Fault:
        return _fault(code, message, fix, column, text)

    if text.startswith(("-", "abs(", "abs (")) and text.partition(".")[0] not in _CONSTANTS:
        raise fault(
            "P204",
            "a destination cannot have a modifier",
            "write only the register; saturate with the suffix `_sat` of the instruction",
        )
    file, number, components, suffix = _register(text, fault)
    if suffix:
        raise fault(
            "P204",
            "a destination cannot have a modifier",
            "write only the register; saturate with the suffix `_sat` of the instruction",
        )
    if file == "0" and may_be_zero:
        file = "NULL"
    if not FILES[file].writable:
        raise fault("P207", f"{_name(file, number)} cannot be written", "write r0-r7, x0-x7, o0-o7 or NULL")
    return Operand(
        file=file,
        number=number,
        components=components or (0,),
        modifier=NONE,
        column=column,
        length=len(text),
        named=bool(components) or file == "NULL",
    )


UNREAD = ("c", "1", "-1")  # files that the hardware does not wait for: operands that are not read have no effect
_NUMBER = "the number "
_FIXED = {0.0: "0", 1.0: "-(-1)", -1.0: "-1"}  # register 1 reads as 0.0 on the public hardware


def number_text(text: str) -> str:
    """The operand for a number: a register of fixed value, or a constant with its declaration."""
    try:
        value = float(int(text, 0) if text.lstrip("-+")[:2].lower() in ("0x", "0b") else float(text.rstrip("fFhH")))
    except ValueError:
        return "c0.x, with `.const c0 (0.5, 0, 0, 0)`"
    shown = text.lstrip("+").rstrip("fFhH")
    if text.lstrip("-+")[:2].lower() in ("0x", "0b"):  # bits, not a value
        shown = f"0x{int(text, 0) & 0xFFFFFFFF:08X}"
        if int(text, 0):
            return f"c0.x, with the bits as `.const c0 ({shown}, 0, 0, 0)`"
    return _FIXED.get(value, "") or f"c0.x, with `.const c0 ({shown}, 0, 0, 0)`"


def _number_fix(text: str) -> str:
    return f"write {number_text(text)}: only 0, 1 and -1 can be operands"


def registers_in(text: str) -> tuple[tuple[str, int, int, str], ...]:
    """The registers of r, v, c, x and o in any text, also one that cannot be read: (file, number, where the name begins, its
    components)."""
    found: list[tuple[str, int, int, str]] = []
    at = 0
    while at < len(text):
        start = at
        while at < len(text) and (text[at].isalnum() or text[at] in "_."):
            at += 1
        name, _, components = text[start:at].lower().partition(".")
        file, digits = name[:1], name[1:].partition("_")[0]
        if (
            file
            and file in "rvcxo"
            and 0 < len(digits) < 4
            and digits.isascii()
            and digits.isdigit()
            and int(digits) < FILES[file].size
        ):
            found.append((file, int(digits), start, components))
        at += at == start
    return tuple(found)


LEAST_FREE = 3  # registers, whether free or not


@lru_cache(maxsize=1)  # of one source, which every statement with a mistake asks
def free_registers(text: str) -> tuple[str, ...]:
    """A constant that a text does not name, then the registers to compute with that it does not name; at least three."""
    used = {f"{file}{number}" for file, number, _, _ in registers_in(text)}
    constant = next((name for name in (f"c{n}" for n in range(FILES["c"].size)) if name not in used), "c255")
    found = [f"{file}{n}" for file, count in (("r", FILES["r"].size), ("x", FILES["x"].size - 1)) for n in range(count)]
    return (constant, *[name for name in found if name not in used], *found[-LEAST_FREE:])


def dest_file(operand: Operand) -> int:
    return NULL_FILE if operand.file == "NULL" else DEST_FILES.index(operand.file)


def source_file(operand: Operand) -> int:
    return SOURCE_FILES.index(operand.file)


def _inside(text: str, head: str) -> str | None:
    """The text in the parentheses after `head`, if nothing else follows; None otherwise."""
    if text[: len(head)].lower() != head or not text.endswith(")"):
        return None
    rest = text[len(head) :].lstrip()
    return rest[1:-1].strip() if rest.startswith("(") else None


def _fault(code: str, message: str, fix: str, column: int, text: str) -> Fault:
    """The finding about an operand, which names another spelling of it where that is what is wrong."""
    spelled = _spelled(text) if code != "P207" and "modifier" not in message else ""
    if message.startswith(_NUMBER) and text.startswith("-"):
        message, fix = f"{_NUMBER}{text} cannot be an operand", _number_fix(text)
    elif spelled:
        code, message, fix = "P204", f"'{text}' is not an operand", spelled
    return Fault(code, message, fix, column, len(text))


def _spelled(text: str) -> str:
    """The fix for an operand with another spelling: of absolute values, signs, indices, colours and expressions; else empty."""
    sign, bare = ("-", text[1:]) if text[:1] == "-" else ("", text)
    if text in ("=", "<-", ":=", "->", "=>", "<="):
        return f"write a comma in the place of {text}: operands are separated by commas"
    if len(bare) > 2 and bare[0] == bare[-1] == "|":
        return f"write {sign}abs({bare[1:-1].strip()})"
    if text[:1] in ("+", "$", "%", "&") or text[:2] == "-%":
        from lanewise.shadercore.text import habits, lanes

        inner = text[1:].strip()
        if inner[:1] in ("-", *_DIGITS):
            return f"write {number_text(inner)}"
        return lanes.operand(text) or habits.register(inner) or f"write {inner}"
    begins = next((word for word in text.split()[1:] if word.lower() in BY_NAME), "")
    if begins:
        return f"write one instruction on a line: `{begins}` begins the next"
    if text[:1] in ("!", "~"):
        return f"compute it before: of 1.0 and 0.0, `add r0.x, -(-1), -{text[1:].strip()}` gives the opposite"
    if ".-" in bare:
        return f"write -{bare.replace('.-', '.')}"
    head, opening, rest = bare.partition("[")
    number, closing, tail = rest.partition("]")
    if opening and closing and number.strip().isdigit() and head.lower() in ("r", "v", "c", "x", "o"):
        return f"write {sign}{head.lower()}{number.strip()}{tail or '.x'}: a register has its number without brackets"
    if opening and registers_in(head) and number.strip() in ("0", "1", "2", "3") and not tail:
        return f"write {sign}{head.lower()}.{COMPONENTS[int(number)]}: components are x, y, z and w"
    if opening:
        return _looked_up(head, number)
    register, _, letters = bare.partition(".")
    separate = _several(text.split())
    if separate:
        return separate
    if letters and not letters.lower().strip("rgbastpq") and register[:1].lower() in "rvcxo" and register[1:].isdigit():
        names = letters.lower().translate(str.maketrans("rgbastpq", "xyzwxyzw"))
        return f"write {sign}{register}.{names}: components are x, y, z and w"
    if "(" not in text and any(operator in text[1:] for operator in "*+/-<>=?&^%"):
        return "compute it in an instruction before this one: an operand is not an expression"
    return ""


def _several(words: Sequence[str]) -> str:
    """The fix of registers between blanks where one operand is read; empty for anything else."""
    if len(words) < 2 or not all(len(registers_in(word)) == 1 and word.lstrip("-")[:1].lower() in "rvcxo" for word in words):
        return ""
    names, letters = zip(*[word.lower().partition(".")[::2] for word in words], strict=True)
    if len(set(names)) == 1 and all(letters) and len("".join(letters)) <= len(COMPONENTS):
        return f"write {words[0].partition('.')[0]}.{''.join(letters)}: components follow one dot"
    return f"separate operands by commas, {', '.join(words)}; the components of an operand are from one register"


def _looked_up(head: str, index: str) -> str:
    """The fix of an operand with an address in brackets."""
    why = "the core has no address registers and no memory operands"
    index = index.partition("+")[0].strip()
    place, _, component = index.partition(".")
    if head.lower() != "c" or not registers_in(place) or place[:1].lower() not in ("r", "v", "x", "o"):
        return f"name each register: {why}"
    index = f"{place.lower()}.{component or 'x'}"
    return (
        f"{why}: select by comparing, `sge r0.x, {index}, c0.x` is 1.0 where the index is c0.x or more, and multiply with it "
        "the difference from one entry to the next; or write it in GLSL or HLSL: `lanewise compile` does this for arrays"
    )


def _of_parentheses(text: str) -> str:
    """The fix for an operand with parentheses."""
    if text.startswith("(") and text.endswith(")") and "," in text:
        numbers = [each.strip() for each in text[1:-1].split(",")]
        if len(numbers) <= len(COMPONENTS) and all(_is_number(each) for each in numbers):
            listed = ", ".join([*numbers, *["0"] * (len(COMPONENTS) - len(numbers))])
            return f"write c0.{COMPONENTS[: len(numbers)]}, with `.const c0 ({listed})`: numbers are constants"
    head, opening, rest = text.partition("(")
    inner = rest.removesuffix(")").strip()
    if not opening or text.count("(") != text.count(")"):
        return "balance the parentheses around the register: -(REG), abs(REG) or -abs(REG)"
    head = head.strip().lower()
    inner = inner.partition(",")[0].strip()
    if head in _SATURATES:
        return (
            f"write {inner}, and the instruction with _sat, which clamps its result: `mov_sat r0.x, {inner}` clamps one value"
        )
    if head in ("neg", "-"):
        return f"write -{inner}"
    if head in ("fabs", "absolute", "mod"):
        return f"write abs({inner})"
    if not head and inner.replace(".", "").isalnum():
        return f"write {inner}"
    if not head or not head.isidentifier():
        return "write a register, with -(REG), abs(REG) or -abs(REG) at most: an operand is not an expression"
    return f"compute {head} in an instruction before this one: an operand is -(REG), abs(REG) or -abs(REG) at most"


def _is_number(text: str) -> bool:
    try:
        float(text.rstrip("fF"))
    except ValueError:
        return False
    return True


def _name(file: str, number: int) -> str:
    return f"{file}{number}" if file in "rvcxo" else file


def _register(text: str, fault: Callable[[str, str, str], Fault]) -> tuple[str, int, tuple[int, ...], int]:
    """(file, number, components, modifier of a listing) of a register's name. Raises Fault."""
    if "(" in text or ")" in text:
        raise fault("P204", f"'{text}' is not an operand", _of_parentheses(text))
    head, point, tail = text.partition(".")
    if tail[:1] in _DIGITS and tail and not head.lstrip("-").strip(_DIGITS):
        raise fault("P205", f"{_NUMBER}{text} cannot be an operand", _number_fix(text))
    head, _, suffix = head.partition("_")
    tail, _, suffix2 = tail.partition("_")
    if (suffix and suffix2) or any(s and s not in _SUFFIXES for s in (suffix, suffix2)) or text.endswith("_"):
        from lanewise.shadercore.text import habits

        base, _, last = text.rpartition("_")
        if last.lower() in _SATURATES:
            fix = f"write {base}, and _sat after the name of the instruction, as in `mul_sat`"
            raise fault("P204", f"'{text}' is not an operand", fix)
        fix = habits.register(text) or "write -REG, abs(REG) or -abs(REG); _neg, _abs and _absneg are for listings"
        raise fault("P204", f"'{text}' is not an operand", fix)
    name = head.lower()
    if name in _CONSTANTS:
        file, number = SOURCE_FILES[_CONSTANTS[name]], 0
    elif name in _NULLS:
        file, number = "NULL", _NULLS[name]
    else:
        file, number = _numbered(name, text, fault)
    components = tuple([COMPONENTS.find(c) for c in tail.lower()])
    if (point and not tail) or -1 in components or len(components) > 4:
        raise fault("P206", f"'{point}{tail}' is not a component selection", _selection(head, tail))
    return file, number, components, _SUFFIXES.get(suffix or suffix2, NONE)


def _selection(register: str, tail: str) -> str:
    """The fix for components that are numbers, those of another language, or too many."""
    letters = tail.lower()
    if letters.removeprefix("s").isdigit() and all(each in "0123" for each in letters.removeprefix("s")):
        return (
            f"write {register}.{''.join([COMPONENTS[int(each)] for each in letters.removeprefix('s')])}: components are x to w"
        )
    plain = "".join([each for each in letters if each in COMPONENTS])
    if plain and plain != letters and len(letters) <= len(COMPONENTS) and set(letters) <= {*COMPONENTS, "0", "1"}:
        return f"name components only, .{plain}; the others are set by `mov` of 0, or of -(-1) for 1.0"
    return "use one to four of x, y, z, w"


def _numbered(name: str, text: str, fault: Callable[[str, str, str], Fault]) -> tuple[str, int]:
    letters = name.rstrip(_DIGITS)
    digits = name[len(letters) :]
    if not digits or letters not in ("r", "v", "c", "x", "o") or (len(digits) > 1 and digits[0] == "0") or len(digits) > 4:
        if not text.strip():
            raise fault("P204", "an operand is missing at a comma", "remove the comma, or write the operand")
        if text.startswith("="):
            raise fault("P204", f"'{text}' is not an operand", f"write {text.lstrip('= ') or 'a register'}, after a comma")
        if not name or name[0] not in _LETTERS + _DIGITS + "-":
            raise fault(
                "P204",
                f"'{text}' is not an operand",
                "write a register such as r0.x, 0, 1, -1 or NULL, optionally with -, abs( ) or -abs( )",
            )
        if name.lstrip("-")[:1] in ("", *_DIGITS):
            raise fault("P205", f"{_NUMBER}{text} cannot be an operand", _number_fix(text))
        from lanewise.shadercore.text import habits

        fix = habits.register(text) or "use r0-r7, v0-v7, c0-c255, x0-x7, o0-o7, 0, 1, -1 or NULL"
        raise fault("P205", f"unknown register '{text.partition('.')[0]}'", fix)
    size = FILES[letters].size
    if int(digits) >= size:
        raise fault(
            "P205", f"unknown register {letters}{digits}", f"use {letters}0-{letters}{size - 1}{_MORE.get(letters, '')}"
        )
    return letters, int(digits)


Registers = tuple[tuple[str, int], ...]


def effects_of(op: Op | None, operands: list[Token]) -> tuple[Registers | None, Registers | None, int]:
    """Of a statement that cannot be read: the registers that it may write and read, None for any, and how many words it would
    give."""
    if op is not None and not op.dests:
        return (None, None, 1) if op is END else ((), (), 1)
    writes: Registers | None = None
    words = 1
    if len(operands) > 1:  # the one before the cursor may be half a register
        try:
            dest = read_dest(operands[0].text, operands[0].column, may_be_zero=False)
        except Fault:
            pass
        else:
            writes, words = ((dest.file, dest.number),), len(dest.components)
    reads: list[tuple[str, int]] = []
    try:
        for token in operands[1:]:
            source = read_source(token.text, token.column)
            reads.append((source.file, source.number))
    except Fault:
        return writes, None, words
    whole = op is not None and len(operands) in (op.dests + op.sources, 3)
    return writes, tuple(reads) if whole else None, words
