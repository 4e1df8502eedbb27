"""Operands of the Direct3D 9 language.

`-c[a0.x+4].w`, `r0_bx2`, `1-t0.a`, `oT0.xy`, and numbers."""

from __future__ import annotations

from itertools import pairwise

from lanewise.core.diagnostics import Edit, PortableError
from lanewise.core.numbers.floats import float32_bits
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.direct3d9.isa.program import Dest, Source, make_dest, make_source
from lanewise.direct3d9.isa.table import ADDR, ALL, COMPLEMENT, IDENTITY, LOOP, NONE, NOT, VERTEX, exists, register_name
from lanewise.direct3d9.text.lexer import NAME, NUMBER, STOP, Lexer, Line, Token
from lanewise.direct3d9.text.names import NEGATED, SUFFIXES, find_register, placed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.direct3d9.isa.table import Version
    from lanewise.direct3d9.text.notes import Notes

_LETTERS = {"x": 0, "y": 1, "z": 2, "w": 3, "r": 0, "g": 1, "b": 2, "a": 3}
AL_TOKEN = 0xF0E40800
_A0_TOKEN = 0xB0000000
_RELATIVE = 1 << 13
_REGISTERS = (
    "r0",
    "v0",
    "c0",
    "a0",
    "t0",
    "i0",
    "b0",
    "aL",
    "p0",
    "s0",
    "l0",
    "vPos",
    "vFace",
    "oPos",
    "oFog",
    "oPts",
    "oD0",
    "oT0",
    "o0",
    "oC0",
    "oDepth",
)
_ALONE = ("a0", "p0")  # the only register of its file


class Fault(PortableError):
    """A syntax error: code, message, fix, place. `edits` are the fix where it is mechanical."""

    code: str
    message: str
    fix: str
    token: Token
    edits: tuple[Edit, ...]

    def __init__(self, code: str, message: str, fix: str, token: Token, edits: tuple[Edit, ...] = ()) -> None:
        super().__init__(message)
        self.code, self.message, self.fix, self.token, self.edits = code, message, fix, token, edits


def replacing(token: Token, text: str, start: int = 0, length: int | None = None) -> tuple[Edit, ...]:
    """The edit that writes a text in place of a token, or of a part of it; none for a token that a macro gave."""
    if not token.own:
        return ()
    size = len(token.text) - start if length is None else length
    return (
        Edit(
            Span(file=token.line.file, line=token.line.number, column=token.column + start, length=size, text=token.line.text),
            text,
        ),
    )


def behind(token: Token, text: str) -> tuple[Edit, ...]:
    """The edit that writes a text directly after a token; none for a token that a macro gave."""
    return replacing(token, text, len(token.text), 0)


class Tokens:
    """The tokens of a source, and how far they have been read."""

    here: Token

    def __init__(self, tokens: list[Token], notes: Notes | None = None) -> None:
        if tokens and tokens[-1].folded:
            tokens = [*tokens[:-1], *Lexer().tokens(tokens[-1].line)]
        last = tokens[-1] if tokens else Token(kind=STOP, text="", line=Line("", 0, ""), column=0, length=0)
        self.notes = notes
        self._stop = Token(kind=STOP, text="", line=last.line, column=last.column + last.length, length=1, first=True)
        self._tokens = [*tokens, self._stop]
        self._at = 0
        self._outputs: tuple[list[int], dict[str, str]] | None = None
        self.here = self._tokens[0]  # the next token; one of the kind `STOP` after the last

    def unfold(self) -> None:
        """Put all tokens of the next one's line in its place."""
        self._tokens[self._at : self._at + 1] = Lexer().tokens(self.here.line)
        self.here = self._tokens[self._at]

    def peek(self, ahead: int = 1) -> Token:
        if self.here.folded:
            self.unfold()
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else self._stop

    def outputs(self) -> tuple[list[int], dict[str, str]]:
        """Of a source of version 3: the output registers that it does not name, and those that it declares, by statement."""
        if self._outputs is None:
            lines = {token.line.number: token.line.text for token in self._tokens}.values()
            words: list[str] = []
            for line in lines:
                text = line.partition("//")[0].partition(";")[0].lower()
                words += "".join(each if each.isalnum() or each == "_" else " " for each in text).split()
            named = set(words)
            declared = {each: after for each, after in pairwise(words) if each.startswith("dcl_") and after.startswith("o")}
            self._outputs = [n for n in range(12) if f"o{n}" not in named], declared
        return self._outputs

    @property
    def before(self) -> Token:
        """The token that was read last; the first one before any."""
        return self._tokens[max(0, self._at - 1)]

    def take(self) -> Token:
        if self.here.folded:
            self.unfold()
        token = self.here
        if token is not self._stop:
            self._at += 1
            self.here = self._tokens[self._at]
        return token

    def took(self, text: str) -> bool:
        """Whether the next token is this one; it is then taken."""
        if self.here.text == text:
            self.take()
            return True
        return False

    def rest_of_line(self) -> int:
        """The number of tokens up to the first one of the next line."""
        if self.here.folded:
            self.unfold()
        at = self._at + 1
        while at < len(self._tokens) and not self._tokens[at].first:
            at += 1
        return at - self._at

    @property
    def ends(self) -> bool:
        """Whether the line that is folded in the next token ends a statement: what follows continues none, as `[` does."""
        return self._tokens[self._at + 1].kind in (NAME, STOP)

    def skip(self) -> None:
        """Take the next token, folded or not: there is one."""
        self._at += 1
        self.here = self._tokens[self._at]

    def since(self, start: Token) -> list[Token]:
        """The tokens from one that has been read to here."""
        first = next((n for n in range(self._at - 1, -1, -1) if self._tokens[n] is start), self._at)
        return self._tokens[first : self._at] or [start]

    def skip_line(self, start: Token) -> None:
        """Skip to the first token of the next line after `start`, possibly the current token. A comma at the end continues a
        line."""
        if self.here is start:
            self.take()
        while self.here.kind != STOP and (not self.here.first or self.before.text == ","):
            self.take()


def _registers(version: Version) -> str:
    """The registers of a version: `r#, v#, c# or oPos`."""
    names: list[str] = []
    for name in _REGISTERS:
        found = find_register(version, name)
        if found is not None and exists(version, found[0]):
            names.append(name.replace("0", "#") if name not in _ALONE else name)
    return f"{', '.join(names[:-1])} or {names[-1]}"


_MOST = {"oD": 1, "oT": 7, "oC": 3}  # numbers of outputs
# Outputs by other names, of pixel and of vertex shaders.
_OUTPUTS: tuple[Mapping[str, str], ...] = (
    dict.fromkeys(("od", "ot", "o", "ocol", "ocolor", "gl_fragcolor", "fragcolor", "opos", "sv_target", "outcolor"), "oC"),
    {
        **dict.fromkeys(("oc", "ocol", "ocolor", "outcolor", "color", "gl_frontcolor"), "oD"),
        **dict.fromkeys(("o", "otex", "outtex", "otexcoord", "texcoord"), "oT"),
        **dict.fromkeys(("oposition", "outpos", "gl_position", "sv_position", "position"), "oPos"),
    },
)


# What the outputs of earlier vertex shaders are in version 3: a usage, and which of the free registers has it.
_USAGES = {
    "opos": ("position", 0),
    "od0": ("color", 1),
    **{f"ot{n}": (f"texcoord{n or ''}", 2 + n) for n in range(8)},
    "od1": ("color1", 10),
    "ofog": ("fog", 11),
}


def _output(name: str, tokens: Tokens) -> str:
    """The fix for an output of earlier versions in a vertex shader of version 3."""
    usage, at = _USAGES.get(name.lower(), ("", 0))
    free, declared_by = tokens.outputs()
    if not usage or at >= len(free):
        return "declare an output, such as dcl_position o0, and use it"
    declared = declared_by.get(f"dcl_{usage}") or declared_by.get(f"dcl_{usage}0")
    return f"write {declared}" if declared else f"write o{free[at]}, and `dcl_{usage} o{free[at]}` after the version"


def _fix(version: Version, name: str, tokens: Tokens) -> str:
    """The fix for a register that a version lacks."""
    if name[:1] in "oO" and version.kind == VERTEX and version.major >= 3:
        return _output(name, tokens)
    if name[:1] in "oO" and version.kind != VERTEX and version.major < 2:
        return "write r0: at the end it is the colour"
    letters = name.lower().rstrip("0123456789")
    number = name[len(letters) :]
    meant = _OUTPUTS[version.kind == VERTEX].get(letters, "")
    if meant:
        most = _MOST.get(meant, 0)
        return f"write {meant}{(min(int(number[:3] or '0'), most)) if most else ''}"
    if letters == "t" and version.kind == VERTEX:
        return f"write v{number}, declared with dcl_texcoord{number.removeprefix('0')}: t# are inputs of pixel shaders"
    if letters == "s" and version.kind == VERTEX:
        return "vertex shaders have samplers from vs_3_0 on: `dcl_2d s0`, read by texldl; or pass the value in as an input"
    if letters == "a" and version.kind != VERTEX:
        return "name each constant: pixel shaders have no address register"
    if len(letters) > 2 and letters.isidentifier():
        return f"write a register, or name one before: `#define {name} c0`; registers are {_registers(version)}"
    return f"use {_registers(version)}"


class Operand(Record):
    """A parsed operand."""

    start: Token
    "Its first token."
    before: str
    "The modifier before the register: `-`, `!`, `1-` or empty."
    suffix: str
    "The modifier after `_`, in lower case; empty for none."
    file: int
    "The number of the register file."
    number: int
    "The number of the register, that of the index included."
    indexed: bool
    "It has a relative address."
    address: int | None
    "The word of its relative address; None without one, and in shader model 1, where it has no word."
    letters: str | None
    "The mask or swizzle in lower case; None where none was written."
    part: Token | None = None
    "The token of the letters."


def read_operand(tokens: Tokens, version: Version) -> Operand:
    """A register with its modifiers, address, mask or swizzle. Raises Fault."""
    start = tokens.here
    before = ""
    if tokens.took("-"):
        before = "-"
    elif tokens.took("!"):
        before = "!"
    elif start.kind == NUMBER and start.text == "1" and tokens.peek().text == "-":
        tokens.take()
        tokens.take()
        before = "1-"
    token = tokens.here
    if token.kind != NAME:
        shown = "the end of the source" if token.kind == STOP else f"'{token.text[:40]}'"
        if token.kind == NUMBER:
            constant = "c7" if version.kind != VERTEX and version.major == 1 else "c31"
            what = (
                f"write {constant}.x, and `def {constant}, {token.text[:40]}, 0, 0, 0` after the version: numbers are constants"
            )
        elif token.text == "|":
            name = tokens.peek().text
            what = (
                f"write {name}_abs in version 3_0; before, `abs r0, {name}` (vertex shaders) or `max r0, {name}, -{name}` first"
            )
        else:
            what = "write a register such as r0"
        raise Fault("P304", f"expected an operand, found {shown}", what, token)
    tokens.take()
    name, _, suffix = token.text.partition("_")
    found = find_register(version, name)
    if found is None or not exists(version, found[0]):
        raise Fault("P305", f"unknown register '{token.text[:40]}' in {version.name}", _fix(version, name, tokens), token)
    file, number = found
    indexed, address, offset = False, None, 0
    if tokens.here.text == "[":
        indexed, address, offset = _index(tokens, version)
        behind = tokens.here
        if behind.kind == NAME and behind.text.startswith("_") and not suffix and behind.line == token.line:
            suffix = tokens.take().text[1:]
    elif number is None:
        raise Fault("P305", f"{name} needs a number", f"write {name}0, or {name}[...] with an index", token)
    total = (number or 0) + offset
    if offset < 0 and total < 0:
        raise Fault("P308", f"index {total} is negative", "use an index of at least 0: tokens have no sign bit for it", token)
    kept = placed(file, total)
    if kept is None:
        raise Fault(
            "P305",
            f"{name.rstrip('0123456789')}{total} is out of range for a token",
            "use registers up to 2047, constants up to 8191",
            token,
        )
    if address is None and register_name(version, *kept) is None:
        raise Fault("P305", f"unknown register '{token.text[:40]}' in {version.name}", _fix(version, name, tokens), token)
    letters: str | None = None
    part: Token | None = None
    if tokens.here.text == "." and not tokens.here.first:
        tokens.take()
        part = tokens.here
        if part.kind != NAME:
            raise Fault("P306", "missing components after the dot", "write up to four of xyzw, or remove the dot", part)
        letters = tokens.take().text.lower()
        if len(letters) > 4 or any(letter not in _LETTERS for letter in letters):
            raise Fault("P306", f"'.{part.text[:40]}' is not a component selection", "use one to four of xyzw or rgba", part)
    if tokens.notes is not None:
        tokens.notes.register(version, token, len(name), kept, letters or "")
    return Operand._make((start, before, suffix.lower(), *kept, indexed, address, letters, part))


def _index(tokens: Tokens, version: Version) -> tuple[bool, int | None, int]:
    """The contents of brackets: (whether a register is added, its token where it has one, the sum of the numbers). Raises
    Fault."""
    opening = tokens.take()
    total, address, register = 0, None, False
    sign = -1 if tokens.took("-") else 1
    while True:
        token = tokens.take()
        if token.kind == NUMBER:
            if not token.text.isdigit() or len(token.text) > 6:
                raise Fault("P308", f"'{token.text[:40]}' is not an index", "write an integer, such as c[4]", token)
            total += sign * int(token.text)
        elif token.kind == NAME:
            if register or sign < 0:
                raise Fault("P308", "an index has one register", "write c[a0.x+4] or c[aL+4]", token)
            register, address = True, _address(tokens, token, version)
        else:
            raise Fault("P308", "an index is a sum of numbers and one register", "write c[4], c[a0.x+4] or c[aL+4]", token)
        if tokens.took("]"):
            break
        if tokens.here.text not in ("+", "-") or tokens.here.first:
            raise Fault("P308", "unclosed bracket", "write `]`", opening, behind(tokens.before, "]"))
        sign = -1 if tokens.take().text == "-" else 1
    if register and version.major < 2:
        if address != _A0_TOKEN:
            raise Fault("P308", f"{version.name} can only index with a0.x", "write c[a0.x+4]", opening)
        return True, None, total
    return register, address, total


def _address(tokens: Tokens, token: Token, version: Version) -> int:
    """The token of an address register. Raises Fault."""
    if version.kind != VERTEX and not exists(version, LOOP):
        raise Fault("P308", f"relative addressing is not supported in {version.name}", "name the register, such as c4", token)
    found = find_register(version, token.text)
    if found is not None and found[1] is not None and tokens.notes is not None:
        letters = tokens.peek().text.lower() if tokens.here.text == "." else ""
        tokens.notes.register(version, token, len(token.text), (found[0], found[1]), letters)
    if found == (LOOP, 0):
        return AL_TOKEN
    if found is None or found[0] != ADDR or found[1] is None or version.kind != VERTEX:
        registers = "a0 or aL" if version.kind == VERTEX else "aL"
        raise Fault("P308", f"{token.text[:40]} is not an address register", f"use {registers} in {version.name}", token)
    component = tokens.peek()
    letter = component.text.lower()
    if tokens.here.text != "." or len(letter) != 1 or letter not in _LETTERS:
        edits = behind(token, ".x") if tokens.here.text in ("]", "+", "-") else ()
        raise Fault("P308", f"{token.text} needs a component", f"write {token.text}.x", token, edits)
    tokens.take()
    tokens.take()
    return _A0_TOKEN | found[1] | _LETTERS[letter] * 0x550000


def to_source(operand: Operand) -> Source:
    """The token of a source. Raises Fault."""
    modifier = SUFFIXES.get(operand.suffix, -1)
    if modifier < 0:
        raise Fault(
            "P307",
            f"unknown source modifier _{operand.suffix}",
            "write _sat after the instruction, `mov_sat` (pixel shaders and vs_3_0); elsewhere max with 0 and min with 1"
            if operand.suffix in ("sat", "saturate")
            else "use _abs, _bias, _bx2, _x2, _dz, _dw, or -, 1- or ! before the register",
            operand.start,
        )
    if operand.before == "-":
        modifier = NEGATED.get(modifier, -1)
    elif operand.before:
        modifier = -1 if modifier != NONE else COMPLEMENT if operand.before == "1-" else NOT
    if modifier < 0:
        raise Fault("P307", f"{operand.before} and _{operand.suffix} cannot be combined", "use one of them", operand.start)
    swizzle = IDENTITY
    if operand.letters is not None:
        numbers = [_LETTERS[letter] for letter in operand.letters]
        numbers += numbers[-1:] * (4 - len(numbers))
        swizzle = numbers[0] | numbers[1] << 2 | numbers[2] << 4 | numbers[3] << 6
    result = make_source(operand.file, operand.number, swizzle=swizzle, modifier=modifier, relative=operand.address)
    return result._replace(word=result.word | _RELATIVE) if operand.indexed else result


def to_dest(operand: Operand, modifiers: int, shift: int) -> Dest:
    """The token of a destination. Raises Fault."""
    if operand.before or operand.suffix:
        raise Fault(
            "P307",
            "a destination cannot have a modifier",
            "write only the register and its mask; put `_sat` on the instruction",
            operand.start,
        )
    mask = ALL
    if operand.letters is not None:
        numbers = [_LETTERS[letter] for letter in operand.letters]
        if numbers != sorted(set(numbers)):
            ordered = "".join(
                sorted({_LETTERS[letter]: letter for letter in operand.letters}.values(), key=lambda c: _LETTERS[c])
            )
            edits = replacing(operand.part, ordered) if operand.part is not None else ()
            message = f"'.{operand.letters}' is not a mask"
            raise Fault("P306", message, "name each component once, in the order xyzw", operand.start, edits)
        mask = sum(1 << number for number in numbers)
    result = make_dest(operand.file, operand.number, mask=mask, modifiers=modifiers, shift=shift, relative=operand.address)
    return result._replace(word=result.word | _RELATIVE) if operand.indexed else result


# Numbers

_NOT_FINITE = {"1.#inf": 0x7F800000, "1.#qnan": 0x7FC00000, "1.#ind": 0x7FC00000, "1.#snan": 0x7FA00000}


def read_float(tokens: Tokens) -> int:
    """The bits of a number as float32: decimal, or 0x and eight digits, or 1.#INF and 1.#QNAN as listings have them. Raises
    Fault."""
    negative = _sign(tokens)
    token = tokens.take()
    text = token.text.lower()
    if token.kind == NUMBER:
        if text.startswith("0x"):
            if len(text) == 10 and not negative:
                return int(text, 16)
            raise Fault("P309", f"'{token.text[:40]}' is not a float32", "write bit patterns as 0x and eight digits", token)
        bits = _NOT_FINITE.get(text)
        if bits is None and "#" not in text:
            bits = float32_bits(float(text.removesuffix("f")))
            if bits == 0x7F800000:
                raise Fault("P309", f"{token.text[:40]} is too large for float32", "use 0x7F800000 for infinity", token)
        if bits is not None:
            return bits ^ 0x80000000 if negative else bits
    raise Fault(
        "P309", f"'{token.text[:40]}' is not a number", "write a decimal number, or its bits as 0x and eight digits", token
    )


def read_integer(tokens: Tokens) -> int:
    """The bits of an integer: decimal from -2^31 to 2^32-1, or 0x and digits. Raises Fault."""
    negative = _sign(tokens)
    token = tokens.take()
    text = token.text.lower()
    if token.kind == NUMBER and len(text) <= 10 and (text.isdigit() or text.startswith("0x")):
        value = int(text, 16) if text.startswith("0x") else int(text)
        value = -value if negative else value
        if -(1 << 31) <= value < 1 << 32:
            return value & 0xFFFFFFFF
    fix = "write an integer such as 4, or 0x00000004"
    behind = tokens.here
    if behind.column == token.column + len(text) and not behind.first and behind.kind in (NUMBER, NAME):
        text += behind.text.lower()  # 800F is a number of C
    if len(text) == 8 and set("0123456789abcdef").issuperset(text):
        fix = f"write 0x{text.upper()}"
    raise Fault("P309", f"'{token.text[:40]}' is not an integer of 32 bits", fix, token)


def _sign(tokens: Tokens) -> bool:
    if tokens.took("+"):
        return False
    return tokens.took("-")
