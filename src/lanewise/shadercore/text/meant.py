"""Fixes of statements of the ShaderCore language that cannot be read, with their own operands and numbers."""

from __future__ import annotations

from lanewise.core.cached import lru_cache
from lanewise.core.record import TYPE_CHECKING
from lanewise.shadercore.isa.program import REGISTERS, usage_byte
from lanewise.shadercore.isa.table import COMPONENTS, FILES
from lanewise.shadercore.text import habits
from lanewise.shadercore.text.operands import LEAST_FREE, free_registers
from lanewise.shadercore.text.pieces import HEXADECIMAL, float_bits

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from lanewise.shadercore.isa.table import Op
    from lanewise.shadercore.text.operands import Operand
    from lanewise.shadercore.text.pieces import Token

_BRACKETS = str.maketrans(dict.fromkeys("(){}[]<>=,;:", " "))
_WORDS = {
    "inf": "0x7F800000",
    "infinity": "0x7F800000",
    "-inf": "0xFF800000",
    "nan": "0x7FC00000",
    "true": "1.0",
    "false": "0.0",
    "pi": "3.1415927",
}
_SCALARS = 8  # constants that are left for single numbers
_LARGEST = 3.4028235677973366e38  # half a unit above the largest float32
_QUOTES = ("'", '"')
_DIGITS = 8  # of float32, in hexadecimal


def with_components(head: str, operands: Sequence[Token], read: Sequence[Operand]) -> str:
    """The fix for operands without components: the statement with those of the others, or with all four."""
    dest, *sources = read
    widths = [len(each.components) for each in sources if each.named and each.file in "rvcxo"]
    width = len(dest.components) if dest.named else max(widths, default=len(COMPONENTS))
    letters = "".join([COMPONENTS[n] for n in dest.components]) if dest.named else COMPONENTS[:width]
    texts = [token.text if each.named else _named(token.text, letters) for token, each in zip(operands, read, strict=False)]
    fix = f"write `{_joined(head, texts)}`"
    if dest.named or widths:
        return fix
    one = [token.text if each.named else _named(token.text, "x") for token, each in zip(operands, read, strict=False)]
    return f"{fix}, or `{_joined(head, one)}` for one component"


def fitting(head: str, operands: Sequence[Token], read: Sequence[Operand]) -> str:
    """The fix for sources with another number of components than the destination."""
    width = len(read[0].components)
    texts = [operands[0].text]
    for token, source in zip(operands[1:], read[1:], strict=False):
        count = len(source.components)
        if count in (1, width):
            texts.append(token.text)
        elif count > width:  # the first of them
            register, point, letters = token.text.rpartition(".")
            texts.append(register + point + letters[:width] + letters[count:])
        else:
            return _shorter(head, operands, read)
    return f"write `{_joined(head, texts)}`"


def _shorter(head: str, operands: Sequence[Token], read: Sequence[Operand]) -> str:
    """The fix for a source with fewer components than the destination: as many of that, and a line for the rest."""
    width = min(len(each.components) for each in read[1:] if len(each.components) > 1)
    letters = "".join(COMPONENTS[n] for n in read[0].components)
    register = operands[0].text.rpartition(".")[0]
    texts = [f"{register}.{letters[:width]}"]
    for token, source in zip(operands[1:], read[1:], strict=False):
        count = len(source.components)
        name, point, given = token.text.rpartition(".")
        texts.append(token.text if count in (1, width) else name + point + given[:width] + given[count:])
    rest = letters[width:]
    first = f"write `{_joined(head, texts)}`, then `mov {register}.{rest}, "
    return first + (
        "-(-1)`, if w is to be 1.0"
        if rest == "w"
        else f"0`, if {' and '.join(rest)} {'is' if len(rest) == 1 else 'are'} to be 0"
    )


def register_for(message: str, source: str) -> str:
    """The fix for a register to compute with, `unknown register r8`, that there is not: one that the program does not name,
    another for each such register; empty where there are too few."""
    name = message.rpartition(" ")[2].strip("'").lower()
    prefix = name.rstrip("0123456789")
    free, beyond, others = _registers(source)
    missing = [*beyond, *(others.get(prefix, ()) if prefix not in FILES else ())][: len(free)]
    if name not in missing:
        return ""
    return f"write {free[missing.index(name)]}, which is free, in the place of {name}: there are r0-r7 and x0-x6"


@lru_cache(1)
def _registers(source: str) -> tuple[Sequence[str], Sequence[str], Mapping[str, Sequence[str]]]:
    """Registers that a program does not name; r and x with numbers that there are not; and other names with numbers, by what is
    before these. No more names than registers."""
    free = free_registers(source)[1:-LEAST_FREE]
    beyond, others = list[str](), dict[str, list[str]]()
    words = "".join([each if each.isalnum() else " " for each in source.lower()]).split()
    for word in dict.fromkeys(words):
        file = word.rstrip("0123456789")
        digits = word[len(file) :]
        if 0 < len(digits) < _DIGITS:
            missing = beyond if file in ("r", "x") and int(digits) >= FILES[file].size else others.setdefault(file, [])
            if len(missing) < len(free):
                missing.append(word)
    return free, beyond, others


def elsewhere(head: str, operands: Sequence[Token], dest: Operand, sources: Sequence[Operand], text: str) -> str:
    """The fix for a statement that overwrites what it reads: another register, which the source `text` does not name."""
    taken = [f"r{each.number}" for each in (dest, *sources) if each.file == "r"]
    named = "".join([each if each.isalnum() else " " for each in text.lower()]).split()
    names = [name for name in (f"r{n}" for n in range(FILES["r"].size)) if name not in taken]
    free = next((name for name in names if name not in named), names[0])
    letters = "".join([COMPONENTS[n] for n in dest.components])
    line = _joined(head, [f"{free}.{letters}", *[token.text for token in operands[1:]]])
    unless = f", if {free} is not read later" if free in named else ""
    rest = "".join([letter for letter in COMPONENTS if letter not in letters])
    own = f"{dest.file}{dest.number}"
    still = f".{rest} {'is' if len(rest) == 1 else 'are'} still in {own}"
    use = f"read .{letters} from {free} after it: {still}" if rest else "use that"
    return f"write to another register, `{line}`, and {use}{unless}"


def destination_of(head: str, operands: Sequence[Token], source: str) -> str:
    """The fix for a destination that cannot be written: where the other end of the statement can be, the operands turned; else
    a register in its place."""
    texts = [token.text for token in operands]
    turned = [texts[-1], *texts[:-1]]
    last = texts[-1].strip().lower()
    if len(texts) > 1 and last[:1] in "orx" and last[1:].partition(".")[0].isdigit() and _width(turned[0]) == _width(texts[0]):
        return f"write `{_joined(head, turned)}`: the destination comes first"
    if last[:1] in "orx" and last[1:].partition(".")[0].isdigit():
        return "write the destination first: r0-r7, x0-x6 or o0-o7"
    letters = texts[0].strip().partition(".")[2]
    free = next((name for name in (f"r{n}" for n in range(FILES["r"].size)) if f"{name}." not in source.lower()), "r0")
    line = _joined(head, [f"{free}.{letters or 'x'}", *texts[1:]])
    return f"write to another register, `{line}`, and read that after it"


def _width(text: str) -> int:
    return len(text.strip().partition(".")[2])


def constant_of(text: str, taken: Container[int] = ()) -> str:
    """The fix for a `.const` with other brackets, a name, or with fewer or more numbers; empty where it has none. `taken` are
    the constants that the source declares."""
    head, _, tail = text.partition("[") if text[:2].lower() == "c[" else ("", "", "")
    words = (head + tail if tail else text).translate(_BRACKETS).split()
    before = text.partition("(")[0].strip()
    if before.isdigit() and "(" in text:  # the register by its number
        words[0] = f"c{before}"
    register = next((word.lower() for word in words if word[:1].lower() == "c" and word[1:].partition(".")[0].isdigit()), "")
    register = register.partition(".")[0]
    number_of = register[1:]
    if not register or int(number_of[:_DIGITS]) >= FILES["c"].size:
        number_of = str(next(n for n in range(FILES["c"].size) if n not in taken)) if len(words) > 1 else ""
    numbers = [each for each in map(plain, words) if float_bits(each) is not None][: len(COMPONENTS)]
    if not numbers or not number_of:
        return ""
    if len(numbers) == 1 and any(f"{kind}4(" in text.replace(" ", "").lower() for kind in ("vec", "float", "half")):
        numbers *= len(COMPONENTS)  # a constructor of one number
    return f"write .const c{number_of} ({', '.join([*numbers, *['0'] * (len(COMPONENTS) - len(numbers))])})"


def constant_for(fix: str, source: str, numbers: list[str]) -> str:
    """A fix with `.const c0 (NUMBER, 0, 0, 0)`, with a constant that the source does not name, whose components are all the
    `numbers` so far."""
    before, _, after = fix.partition("`.const c0 (")
    if not any(f"c0.x{after}" in before for after in (",", " ", "`")):  # a vector
        register = f"c{min(int(free_registers(source)[0][1:]) + _SCALARS, FILES['c'].size - 1)}"  # after those of numbers
        return fix.replace("c0.", f"{register}.", 1).replace("`.const c0 ", f"`.const {register} ")
    number, _, rest = after.partition(",")
    if number not in numbers:
        numbers.append(number)
    at, component = divmod(numbers.index(number), len(COMPONENTS))
    register = f"c{int(free_registers(source)[0][1:]) + at}"
    group = numbers[at * len(COMPONENTS) :][: len(COMPONENTS)]
    values = ", ".join([*group, *["0"] * (len(COMPONENTS) - len(group))])
    return (
        f"{before.replace('c0.x', f'{register}.{COMPONENTS[component]}')}`.const {register} ({values})`{rest.partition('`')[2]}"
    )


def declaration_of(what: str, file: str, text: str, taken: Container[int]) -> str:
    """The line of `.input` or `.output` that is meant: with the register that is named or a free one, and the usage."""
    words = [word.strip(",:;=") for word in text.split()]
    words = [word.partition(".")[0] if word[:1].lower() == file and word[1:2].isdigit() else word for word in words]
    named = [word.lower() for word in words if word[:1].lower() == file and word[1:].isdigit()]
    number = named[0][1:] if named and int(named[0][1:][:_DIGITS]) < REGISTERS else ""
    number = number or str(next((n for n in range(REGISTERS) if n not in taken), 0))
    meant = [habits.usage(word) if usage_byte(word) is None else word for word in words]
    return f".{what} {file}{number} {next((each for each in meant if each), 'position')}"


def operands_of(head: str, operands: Sequence[Token], op: Op) -> str:
    """The fix for another number of operands; empty where the operands do not say it."""
    texts = [token.text for token in operands]
    if len(texts) > 2 and texts[1][:1] in ("{", "[", "<") and texts[-1][-1:] in ("}", "]", ">"):
        numbers = [plain(each.strip("{}[]<> ")) for each in texts[1:]]
        if len(numbers) <= len(COMPONENTS) and all(float_bits(each) is not None for each in numbers):
            line = ", ".join([*numbers, *["0"] * (len(COMPONENTS) - len(numbers))])
            return f"write c0.{COMPONENTS[: len(numbers)]}, with `.const c0 ({line})`: numbers are constants"
    if op.sources == 2 and len(texts) == 2:
        for mark in ("*", "+"):
            left, found, right = texts[1].partition(mark)
            if found and left.strip() and right.strip():
                return f"write `{_joined(head, [texts[0], left.strip(), right.strip()])}`: sources are separated by commas"
        if texts[0].strip()[:1].lower() not in ("r", "x", "o"):  # source first, as in the assembly of AT&T
            return f"write `{_joined(head, [texts[1], texts[1], texts[0]])}`: the destination comes first, then two sources"
        return f"write `{_joined(head, [texts[0], texts[0], texts[1]])}` if the destination is a source too"
    if op.sources == 2 and op.dests and len(texts) == 4:
        if texts[3].lower().strip(".") in ("sat", "saturate", "clamp"):
            return f"write `{_joined(f'{head}_sat', texts[:3])}`"
        if op.name not in ("add", "mul", "min", "max", "and", "or"):
            return f"write `{_joined(head, texts[:3])}`"
        return f"write `{_joined(head, texts[:3])}`, then `{_joined(head, [texts[0], texts[0], texts[3]])}`"
    return ""


def plain(text: str) -> str:
    """A number without what other languages write after one."""
    text = text.strip("\"'")
    return text.rstrip("fFhHlL") if text[:2] not in ("0x", "0X") and text[:1] in "0123456789+-." else text


def number(text: str) -> str:
    """The fix for what is not a number of a constant."""
    short = plain(text)
    above, slash, below = text.partition("/")
    if short != text and float_bits(short) is not None:
        return f"write {short}: a number has no {'quotation marks' if text[:1] in _QUOTES else 'suffix'}"
    if text.lower() in _WORDS:
        return f"write {_WORDS[text.lower()]}"
    other = _of_others(text)
    if other:
        return other
    if beyond(text):
        return "write a number that float32 has: 3.4028235e38 at most"
    digits = text[2:] if text[:2] in ("0x", "0X") else ""
    if digits and HEXADECIMAL.issuperset(digits) and len(digits) < _DIGITS:
        return f"write 0x{digits:0>8} for these bits, {int(digits, 16)} for the number; a pattern has 8 digits"
    if slash and float_bits(above.strip()) is not None and float_bits(below.strip()) is not None and float(below):
        return f"write {float(above) / float(below):.9g}: a number is not an expression"
    return "write a decimal number, or the bits as 0x and 8 digits"


def _of_others(text: str) -> str:
    """The fix for a number as Verilog, VHDL, PTX, C or another assembler writes it; empty for any other text."""
    import re

    bare = text.replace("_", "")
    if bare != text and float_bits(bare) is not None:
        return f"write {bare}: a number has no _"
    whole = re.fullmatch(r"\d*'s?d(\d+)", bare, re.IGNORECASE)
    if whole is not None:
        return f"write {int(whole[1])}, or 0x{int(whole[1]) & 0xFFFFFFFF:08X} for bits"
    if re.fullmatch(r"[+-]?0x[0-9a-f]*\.?[0-9a-f]*p[+-]?\d+", bare, re.IGNORECASE):
        return f"write {float.fromhex(bare):.9g}"
    bits = re.fullmatch(_BITS, bare, re.IGNORECASE)
    digits = next((each for each in bits.groups() if each), "") if bits is not None else ""
    two = re.fullmatch(r"(?:\d*'s?b|0b|b\")([01]+)\"?", bare, re.IGNORECASE)
    pattern = int(two[1], 2) if two is not None else int(digits, 16) if digits else -1
    return f"write 0x{pattern:08X}: bits are 0x and 8 digits" if 0 <= pattern < 1 << 32 else ""


# Bits in hexadecimal: 32'h3F800000, x"3F800000", 16#3F800000#, 0f3F800000, $3F800000, &H3F800000, 3F800000h, BF800000.
_BITS = (
    r"(?:\d*'s?h|0f|\$|&h|%h)([0-9a-f]{1,8})|\d*x\"([0-9a-f]{1,8})\"|16#([0-9a-f]{1,8})#"
    r"|([0-9a-f]{1,9})h|([0-9a-f]{8})"
)


def beyond(text: str) -> bool:
    """Whether a number is larger than any of float32."""
    try:
        return bool(text) and text[-1] in "0123456789." and abs(float(text)) > _LARGEST
    except ValueError:
        return False


def _named(text: str, letters: str) -> str:
    """An operand with components: within its parentheses, where it has some."""
    inner = text.rstrip(") ")
    return f"{inner}.{letters}{text[len(inner) :]}"


def _joined(head: str, operands: Sequence[str]) -> str:
    return f"{head} {', '.join(operands)}"
