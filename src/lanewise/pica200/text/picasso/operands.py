"""Operands of the picasso language: registers, swizzles, index registers, conditions. Source: conformance rules 5-9, 17.

Registers are numbers of one space (v and o from 0x00, r 0x10, c 0x20, i 0x80, b 0x88). picasso adds a static offset to the
number without a look at the register file, so `r15[1]` is c0; what it takes so is a `Quirk`.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.text.numbers import read_decimal, read_integer
from lanewise.core.text.problems import Problem, Suggestions
from lanewise.pica200.isa.program import Condition, Dest, Source
from lanewise.pica200.isa.table import (
    BOOLEAN,
    COMPARISONS,
    FLOAT,
    IDENTITY,
    INTEGER,
    REGISTER_END,
    TEMPORARY,
    mask_text,
    register_name,
)
from lanewise.pica200.text.picasso.syntax import INDEX_REGISTERS, LETTERS, Quirk, begins_like_register

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.pica200.text.picasso.naming import PicassoNames

# Words for different things, none of which is a typing error of another.
ROLES = frozenset(("position", "color", "texcoord", "normal", "projection", "modelview", "tangent", "view", "model"))
# letter: (number of register 0, numbers below this, what it is)
_FILES = {
    "v": (0x00, 15, "input register", "v0-v14 (picasso rejects v15 by number; v14[1] reaches it)"),
    "o": (0x00, 16, "output register", "o0-o15"),
    "r": (TEMPORARY, 16, "temporary register", "r0-r15"),
    "c": (FLOAT, 96, "float uniform", "c0-c95"),
    "i": (INTEGER, 8, "integer uniform", "i0-i3"),
    "b": (BOOLEAN, 16, "boolean uniform", "b0-b15"),
}
_HARDWARE_INTEGERS = 4
_SELECTORS: dict[str, int] = {}  # of letters that have been read


class Alias(Record):
    """A name for a register with a selector and a sign."""

    register: int
    "First register; -1 if the declaration was wrong, so that uses are not reported again."
    selector: int = IDENTITY
    "Swizzle, as in a descriptor."
    negate: bool = False
    "The name means the negated value."
    size: int = 0
    "Registers of an array; 0: unknown."
    letter: str = ""
    "Letter of the register file, because outputs and inputs share numbers."


class Selection(Record):
    """A register as an operand names it."""

    register: int
    "Number in the common register space, of an output from 0."
    selector: int
    "Swizzle, as in a descriptor."
    negate: bool
    "It has a minus sign."
    relative: int
    "Index of `isa.table.INDEX_NAMES`; 0 for none."
    swizzled: bool
    "The operand selects components."
    letter: str
    "Letter of the register file; empty where that is not known."


class Poisoned(Exception):
    """The operand uses a name whose declaration was already reported."""


def read_swizzle(letters: str, start: int) -> int:
    """The selector of up to four letters; the last one is repeated. Raises Problem.

    No letters mean `xxxx` (rule 7).
    """
    if letters in _SELECTORS:
        return _SELECTORS[letters]
    selector = component = 0
    for i, letter in enumerate(letters[:4]):
        if letter not in LETTERS:
            what = letters[i:] if letter == "_" else letter  # a modifier of Direct3D
            raise Problem("P020", f"'{what}' is not a component", "use the letters xyzw, rgba or stpq", start + i, len(what))
        component = LETTERS[letter]
        selector = selector << 2 | component
    for _ in range(len(letters), 4):
        selector = selector << 2 | component
    if len(letters) > 4:
        raise Problem(
            "P021",
            f".{letters} has {len(letters)} letters: a swizzle has at most 4",
            f"write .{letters[:4]}",
            start,
            len(letters),
            (),
            letters[:4],
        )
    _SELECTORS[letters] = selector
    return selector


def combine(outer: int, inner: int) -> int:
    """The selector of `(register.inner).outer`: result[j] = inner[outer[j]]."""
    if inner == IDENTITY:
        return outer
    result = 0
    for shift in (6, 4, 2, 0):
        component = (outer >> shift) & 3
        result = result << 2 | (inner >> (6 - 2 * component)) & 3
    return result


def mask_of(selector: int) -> int:
    """The write mask of the letters of a selector: their set (rule 8)."""
    return 8 >> (selector >> 6) | 8 >> (selector >> 4 & 3) | 8 >> (selector >> 2 & 3) | 8 >> (selector & 3)


def disorder(selector: int) -> int:
    """The number of letters of a destination that come before a smaller one (rule 8)."""
    first, second, third, last = selector >> 6, selector >> 4 & 3, selector >> 2 & 3, selector & 3
    return (first > second) + (second > third) + (third > last)


def in_order(letters: str) -> str:
    """The letters of a write mask, each once and in the order of the components."""
    return "".join(sorted(dict.fromkeys(letters), key=LETTERS.__getitem__))


def _sorted(letters: str) -> str:
    """The fix for a write mask out of order: the mask, and the swizzle of a source that exchanges components as it is meant to;
    empty for letters that are there twice."""
    mask = in_order(letters)
    if len(mask) < len(letters):
        return ""
    sources = "".join([mask[letters.index(letter)] for letter in mask])
    return f"write .{mask}; to exchange components, write .{sources} at the source too"


class Operands:
    """Reads operands in the names of one file. Findings that are not fatal go to `quirk` and `warn`."""

    suggestions: Suggestions

    def __init__(
        self, quirk: Callable[[Quirk], None], warn: Callable[[Quirk], None], suggestions: Suggestions | None = None
    ) -> None:
        self.aliases: dict[str, Alias] = {}
        self.suggestions = suggestions or Suggestions()
        self.geometry = False
        self.quirk = quirk
        self.warn = warn
        self.names: PicassoNames | None = None  # who records names, for editors
        self.short: dict[str, int] = {}  # sources with two or three letters that differ: their number
        self.short_aliases: dict[str, str] = {}  # aliases of two or three letters that differ: the letters
        self.changes: int = 0  # of names so far
        self.text = ""  # of the file
        self.past: set[str] = set()  # arrays whose end an offset has passed: the first is reported
        self.whole: dict[str, str] = {}  # sources that are arrays without an index: their names
        self.sources: dict[str, Source] = {}  # operands without findings, by their text and the blanks around it
        self.dests: dict[str, Dest] = {}

    def forget(self) -> None:
        """Names changed: what was read before may mean something else now."""
        self.changes += 1
        self.short.clear()
        self.whole.clear()
        self.sources.clear()
        self.dests.clear()

    def source(self, written: str) -> Source:
        """A source operand; blanks around it do not count. Raises Problem."""
        text = written.strip()
        findings: list[Quirk] = []
        selection = self.select(text, findings, index=True)
        found = Source(selection.register, selection.selector, selection.negate, selection.relative)
        if selection.letter == "o":
            number = selection.register
            name = register_name(number) if 0 <= number < TEMPORARY else "another register"
            findings.append(
                Quirk(
                    code="V010",
                    message=f"output used as a source: {self.shown(text, selection)} reads {name}",
                    fix="keep the value in a temporary (r0-r15)",
                )
            )
        for finding in findings:
            self.quirk(finding)
        if not findings:
            self.sources[written] = found
        return found

    def dest(self, written: str) -> Dest:
        """A destination: a register and a write mask. Raises Problem."""
        text = written.strip()
        findings: list[Quirk] = []
        selection = self.select(text, findings)
        number = selection.register
        if not 0 <= number < FLOAT:
            raise Problem("V011", f"{text} cannot be written", "write to o0-o15 or r0-r15", 0, len(text))
        if selection.letter == "v":
            findings.append(
                Quirk(
                    code="V011",
                    message=f"inputs cannot be written: {self.shown(text, selection)} writes "
                    f"{register_name(number, written=True)}",
                    fix="write to o0-o15 or r0-r15",
                )
            )
        if selection.negate:
            findings.append(Quirk(code="V012", message="sign of a destination is ignored", fix="negate a source instead"))
        clean = not findings
        for finding in findings:
            self.quirk(finding)
        if disorder(selection.selector):
            self.warn(self.out_of_order(text, selection, simple=clean))
            clean = False
        found = Dest(number, mask_of(selection.selector))
        if clean:
            self.dests[written] = found
        return found

    def out_of_order(self, text: str, selection: Selection, *, simple: bool) -> Quirk:
        """The finding about a write mask that has its letters, or those of its alias, in another order; `simple`: the text has
        no other finding."""
        fix = "sort the letters; to swap components, swizzle the source"
        name, point, letters = text.rpartition(".") if selection.swizzled else (text, "", "")
        alias = self.aliases.get(name.lstrip("-").partition("[")[0].strip())
        if point and disorder(read_swizzle(letters, 0)) and not (alias and disorder(alias.selector)):
            return Quirk(
                code="V013",
                message=f"write mask out of order: .{letters} writes the same components as sorted letters",
                fix=_sorted(letters) or fix,
                start=len(text) - len(letters),
                length=len(letters),
                replacement=in_order(letters),
            )
        number = selection.register
        whole = [other for other, each in self.aliases.items() if each == Alias(register=number, letter=selection.letter)]
        meant = f"{whole[0] if whole else register_name(number, written=True)}.{mask_text(mask_of(selection.selector))}"
        return Quirk(
            code="V013",
            message=f"write mask out of order: {text} writes {meant}, by the letters of its alias",
            fix=f"write {meant}; to swap components, swizzle the source",
            start=0,
            length=len(text),
            replacement=meant if simple else None,
        )

    def select(self, text: str, findings: list[Quirk], *, index: bool = False) -> Selection:
        """Any register operand: `-name[index].swizzle`. Raises Problem; quirks are added to `findings`."""
        try:
            return self.read(text, findings, index=index)
        except Problem as problem:
            from lanewise.pica200.text.picasso.misreadings import misread

            raise (misread(text) if problem.code in ("P020", "P025") else None) or problem from None

    def read(self, text: str, findings: list[Quirk], *, index: bool) -> Selection:
        at = 0
        negate = text.startswith("-")
        if negate:
            at = 1
        bracket = text.find("[", at)
        point = text.find(".", at)
        offset = relative = 0
        end = len(text)
        if bracket >= 0 and (point < 0 or bracket < point):
            close = text.find("]", bracket)
            if close < 0:
                raise Problem("P022", "unclosed bracket", "add `]`", bracket, end - bracket)
            offset, relative = self.index(text[bracket + 1 : close], bracket + 1, findings, index)
            point = text.find(".", close)
            name = text[at:bracket]
            stop = point if point >= 0 else end
            if text[close + 1 : stop].strip():
                findings.append(self.trailing(text, bracket, close, stop))
        else:
            name = text[at:point] if point >= 0 else text[at:]
        selector = IDENTITY
        if point >= 0:
            letters = text[point + 1 :].strip() if text[point + 1 :].isspace() else text[point + 1 :]
            selector = read_swizzle(letters, point + 1)
            if 1 < len(letters) < 4 and letters.count(letters[0]) < len(letters):
                self.short[text] = len(letters)
            if not letters:
                findings.append(
                    Quirk(
                        code="P024",
                        message="a dot without letters means .xxxx",
                        fix="write `.x`, or remove the dot",
                        start=point,
                        length=1,
                        replacement=".x",
                    )
                )
        alias = self.aliases.get(name)
        if self.names is not None:
            self.names.operand_read(text, at, name, bracket, point, alias, offset, relative)
        if alias is not None:
            if alias.size > 1 and (bracket < 0 or 0 <= point < bracket):
                self.whole[text] = name
            return self.through_alias(name, alias, selector, negate, offset, relative, findings, point >= 0)
        return self.by_number(name, at, selector, negate, offset, relative, findings, point >= 0)

    def trailing(self, text: str, bracket: int, close: int, stop: int) -> Quirk:
        """The finding about what follows a bracket: a second index, or anything."""
        rest, fix = text[close + 1 : stop].strip(), "remove it"
        if rest.startswith("[") and rest.endswith("]"):
            from lanewise.pica200.text.picasso.misreadings import added

            fix = added(text[:bracket].lstrip("-"), text[bracket + 1 : close], rest[1:-1])
        return Quirk(
            code="P023",
            message=f"'{rest}' is ignored",
            fix=fix,
            start=close + 1,
            length=stop - close - 1,
            replacement="" if fix == "remove it" else None,
        )

    def through_alias(
        self,
        name: str,
        alias: Alias,
        selector: int,
        negate: bool,
        offset: int,
        relative: int,
        findings: list[Quirk],
        swizzled: bool,
    ) -> Selection:
        if alias.register < 0:
            raise Poisoned
        register = alias.register
        if offset:
            self.crossing(register, register + offset, name, offset, findings)
        if relative and not FLOAT <= register < INTEGER:
            shown = register_name(register) if register < REGISTER_END else name
            findings.append(
                Quirk(
                    code="V014",
                    message=f"index register on {name} ({shown}) is ignored by the hardware",
                    fix="use a float uniform (c0-c95): only they have relative addressing",
                )
            )
        elif alias.size > 1 and relative and offset >= alias.size:
            self.warn(
                Quirk(
                    code="V015",
                    message=f"the offset {offset} is past the end of {name}, which has {alias.size} registers",
                    fix=f"count from the first register of {name}: the offset is 0 to {alias.size - 1}",
                )
            )
        elif alias.size and not relative and offset >= alias.size and name not in self.past:
            from lanewise.pica200.text.picasso.misreadings import past_the_end

            self.past.add(name)
            self.warn(past_the_end(self.text, name, alias, offset))
        selector = combine(selector, alias.selector)
        return Selection(
            register=register + offset,
            selector=selector,
            negate=negate != alias.negate,
            relative=relative,
            swizzled=swizzled,
            letter=alias.letter,
        )

    def shown(self, text: str, selection: Selection) -> str:
        """An operand with the register that it names, unless its text does."""
        name = text.lstrip("-").partition(".")[0].partition("[")[0]
        if name not in self.aliases or not 0 <= selection.register < TEMPORARY:
            return text
        return f"{text} ({register_name(selection.register, written=selection.letter == 'o')})"

    def crossing(self, base: int, number: int, name: str, offset: int, findings: list[Quirk]) -> None:
        """An offset that leaves the register file: the numbers go on, so it reaches another file. Raises Problem past c95."""
        if FLOAT <= base < INTEGER <= number:
            one = name in self.aliases and self.aliases[name].size <= 1 and offset < len("xyzw")
            fix = f"write {name}.{'xyzw'[offset]}: components are letters" if one else "use an offset within the register file"
            raise Problem("V016", f"{name} with an offset of {offset} is past c95", fix, 0, 0)
        if file_of(base) != file_of(number) and number < INTEGER:
            findings.append(
                Quirk(
                    code="V016",
                    message=f"{name}[{offset}] leaves the register file: it means {register_name(number)}",
                    fix="use an offset within the register file",
                )
            )

    def by_number(
        self, name: str, at: int, selector: int, negate: bool, offset: int, relative: int, findings: list[Quirk], swizzled: bool
    ) -> Selection:
        if not begins_like_register(name):
            near = self.suggestions.nearest(name.strip(), self.aliases)
            near = "" if {name.strip().lower(), near.lower()} <= ROLES else near
            if name.strip().lower() in INDEX_REGISTERS:
                fix = "put the index register in brackets: `c0[a0.x]`"
            elif len(name.split()) > 1 and "//" not in name:
                fix = "separate operands with commas"
            elif "//" in name:
                fix = "begin comments with `;`"
            else:
                fix = (
                    f"did you mean {near}?"
                    if near
                    else "declare it with `.alias`, `.fvec`, `.in` or `.out`, or use a register such as r0"
                )
            what = f"unknown register '{name}'" if name.strip() else "missing operand"
            fix = fix if name.strip() else "separate operands with single commas"
            lead = len(name) - len(name.lstrip())
            meant = near if fix == f"did you mean {near}?" else None
            raise Problem("P025", what, fix, at + lead, len(name.strip()) or len(name), (), meant)
        number, length = read_integer(name[1:])
        letter = name[0]
        if length < len(name) - 1:
            rest = name[1 + length :]
            findings.append(
                Quirk(
                    code="P023",
                    message=f"'{rest.strip() or rest}' after {name[: 1 + length]} is ignored",
                    fix="remove it",
                    start=at + 1 + length,
                    length=len(rest),
                    replacement="",
                )
            )
        if not 0 <= number <= 255:
            raise Problem("P026", f"unknown register {name}", f"use {_FILES[letter.lower()][3]}", at, len(name))
        if letter not in _FILES:
            findings.append(
                Quirk(
                    code="P027",
                    message=f"upper-case register letter is ignored: {name} is v{number}, or o{number} as a destination",
                    fix=f"write {name.lower()}",
                    start=at,
                    length=len(name),
                    replacement=name.lower() if letter != "V" else None,
                )
            )
            return Selection(
                register=number + offset, selector=selector, negate=negate, relative=relative, swizzled=swizzled, letter=""
            )
        base, count, what, known = _FILES[letter]
        if letter == "o" and self.geometry:
            count, known = 7, "o0-o6 in a geometry shader"
        if number >= count:
            raise Problem("P026", f"unknown {what} {name[: 1 + length]}", f"use {known}", at, len(name))
        if len(name) > 2 and name[1] == "0" and name[2].isdigit() and number != int(name[1 : 1 + length] or 0):
            findings.append(
                Quirk(
                    code="P028",
                    message=f"leading zero means octal: {name[: 1 + length]} is {letter}{number}",
                    fix="remove the zero",
                    start=at,
                    length=len(name),
                    replacement=f"{letter}{name[1:].lstrip('0') or '0'}" if name[1:].lstrip("0").isdigit() else None,
                )
            )
        if letter == "i" and number >= _HARDWARE_INTEGERS:
            findings.append(
                Quirk(
                    code="V017",
                    message=f"{name} means i{number & 3}: the hardware has i0-i3",
                    fix="use i0-i3",
                    start=at,
                    length=len(name),
                    replacement=f"i{number & 3}",
                )
            )
        if relative and letter in "vr":
            raise Problem(
                "V014",
                f"{name} cannot be indexed: relative addressing works only on float uniforms",
                "move the table to c registers",
                at,
                len(name),
            )
        if offset:
            self.crossing(base + number, base + number + offset, name, offset, findings)
        return Selection(
            register=base + number + offset,
            selector=selector,
            negate=negate,
            relative=relative,
            swizzled=swizzled,
            letter=letter,
        )

    def index(self, inside: str, start: int, findings: list[Quirk], allowed: bool) -> tuple[int, int]:
        """(offset, index register) of the text between brackets (rule 6). Raises Problem."""
        content = inside.strip()
        if content.isdigit() and len(content) < 5 and content.isascii():
            return int(content), 0
        relative = INDEX_REGISTERS.get(content.lower(), 0)
        if relative:
            digits = ""
        elif "+" in content:
            name, _, digits = content.partition("+")
            name, digits = name.strip(), digits.strip()
            relative = INDEX_REGISTERS.get(name.lower(), 0)
            if not relative:
                hint = (
                    f"write [{digits}+{name}]" if digits.lower() in INDEX_REGISTERS else "use a0.x, a0.y or aL, then the offset"
                )
                turned = f"{digits}+{name}" if digits.lower() in INDEX_REGISTERS else None
                raise Problem("P029", f"'{name}' is not an index register", hint, start, len(inside), (), turned)
        else:
            digits = content
        if relative and not allowed:
            raise Problem(
                "V018",
                f"relative addressing [{content}] is not possible here",
                "use a source operand that may be a uniform",
                start,
                len(inside),
            )
        if relative and not digits and "+" not in content:
            return 0, relative
        offset, length = read_decimal(digits)
        if offset < 0:
            raise Problem(
                "P030", f"negative offset {offset} cannot be encoded", "use a lower base register", start, len(inside)
            )
        if length < len(digits) or not length:
            shown = "no offset and no index register" if not relative and not length else f"offset {offset}"
            findings.append(
                Quirk(
                    code="P031",
                    message=f"[{content}] is read as {shown}",
                    fix="write a decimal offset, or INDEX or INDEX+OFFSET",
                    start=start,
                    length=len(inside),
                )
            )
        return offset, relative

    def uniform(self, text: str, kind: str) -> int:
        """The number n of an `i` or `b` register (for loops and conditions). Raises Problem."""
        if text.lower().startswith("cmp."):
            raise Problem(
                "V019", f"{text} is a flag, not a boolean uniform", "test flags with ifc, callc and jmpc", 0, len(text)
            )
        if text.isdecimal():
            turns = min(max(int(text[:4]) - 1, 0), 255)
            raise Problem(
                "V019",
                f"{text} is a number, not a register",
                f"declare `.consti count({turns}, 0, 1, 0)` and write `for count`: a loop runs x + 1 times"
                if kind == "i"
                else "name a boolean uniform: b0-b15",
                0,
                len(text),
            )
        findings: list[Quirk] = []
        selection = self.select(text, findings)
        first, end, what = (
            (INTEGER, BOOLEAN, "an integer uniform (i0-i3)")
            if kind == "i"
            else (BOOLEAN, REGISTER_END, "a boolean uniform (b0-b15)")
        )
        if not first <= selection.register < end:
            raise Problem("V019", f"{text} is not {what}", f"use {what}", 0, len(text))
        if selection.negate:
            findings.append(
                Quirk(code="V012", message=f"sign of {text} is ignored", fix="remove it", start=0, length=1, replacement="")
            )
        if selection.swizzled:
            point = text.rfind(".")
            findings.append(
                Quirk(
                    code="V020",
                    message=f"swizzle of {text} is ignored",
                    fix="remove it",
                    start=point,
                    length=len(text) - point,
                    replacement="",
                )
            )
        for finding in findings:
            self.quirk(finding)
        return selection.register - first


def file_of(number: int) -> int:
    """The register file of a number: 0 v/o, 1 r, 2 c, 3 i, 4 b."""
    return sum(number >= first for first in (TEMPORARY, FLOAT, INTEGER, BOOLEAN))


def comparison(text: str) -> int:
    """The number of a comparison operator. Raises Problem."""
    name = text.lower()
    if name in COMPARISONS[:6]:
        return COMPARISONS.index(name)
    known = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
    fix = f"write {known[text]}" if text in known else "use eq, ne, lt, le, gt or ge; cmp SRC1, OPX, OPY, SRC2"
    raise Problem("P032", f"'{text}' is not a comparison operator", fix, 0, len(text), (), known.get(text))


def condition(text: str) -> Condition:
    """A test of the flags: `cmp.x`, `!cmp.y`, two of them joined by && or || (rule 17). Raises Problem."""
    cut = min((i for i in (text.find("&"), text.find("|")) if i >= 0), default=-1)
    if cut < 0:
        flag, wanted = _flag(text, 0)
        return Condition(2 + flag, *((wanted, 1) if flag == 0 else (1, wanted)))
    sign = text[cut]
    after = cut + (2 if text[cut + 1 : cut + 2] == sign else 1)
    first, wanted1 = _flag(text[:cut], 0)
    second, wanted2 = _flag(text[after:], after)
    if first == second:
        raise Problem("P034", f"cmp.{'xy'[first]} is tested twice", "test cmp.x and cmp.y", 0, len(text))
    x, y = (wanted1, wanted2) if first == 0 else (wanted2, wanted1)
    return Condition(int(sign == "&"), x, y)


def _flag(text: str, start: int) -> tuple[int, int]:
    """(0 for cmp.x or 1 for cmp.y, wanted value)."""
    name = text.strip()
    start += len(text) - len(text.lstrip()) if name else 0
    bare = name.lstrip("!")
    wanted = 1 - (len(name) - len(bare)) % 2
    lower = bare.lower()
    if lower in ("cmp.x", "cmp.y"):
        return int(lower == "cmp.y"), wanted
    if bare.startswith((" ", "\t")):
        raise Problem(
            "P033",
            "space after !",
            f"write !{bare.strip()}",
            start,
            len(name),
            (),
            f"{'!' * (len(name) - len(bare))}{bare.strip()}",
        )
    fix = "use cmp.x or cmp.y, optionally with `!`, joined by `&&` or `||`"
    if bare[:1] == "b" and bare[1:].isdigit():
        fix = "test boolean uniforms with ifu, callu and jmpu"
    raise Problem("P033", f"'{name}' is not a condition", fix, start, max(1, len(name)))
