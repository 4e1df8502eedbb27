"""Operands of the nihstro language: registers, names, swizzles, indices, conditions. Source: spec 004, reference/nihstro.md.

Registers are numbers of the common register space (v and o from 0x00, r 0x10, c 0x20, i 0x80, b 0x88). An operand has as many
components as its swizzle has letters, four without a swizzle.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.text.problems import Problem, Suggestions
from lanewise.pica200.isa.program import Condition
from lanewise.pica200.isa.table import BOOLEAN, COMPONENTS, FLOAT, INTEGER, REGISTER_FILES, register_name
from lanewise.pica200.text.nihstro.lexer import NAME, NUMBER

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.pica200.text.nihstro.lexer import Cursor, Token

FILES = {letter: (first, count) for letter, first, count, *_ in REGISTER_FILES}
INDEX_REGISTERS = {"a0": 1, "a1": 2, "lcnt": 3, "aL": 3}
WHOLE = (0, 1, 2, 3)
_FLAGS = "cc"
_SWIZZLES: dict[str, tuple[int, ...]] = {}  # components by the letters after a point that have been read


class Alias(Record):
    """A name for registers, with selected components."""

    letter: str
    "Letter of the register file, because outputs and inputs share numbers."
    register: int
    "First register; -1 if the declaration was wrong, so that uses are not reported again."
    size: int = 1
    "Number of registers."
    components: tuple[int, ...] = WHOLE
    "Selected components, 0 for x."
    swizzled: bool = False
    "It selects components."


class Selected(Record):
    """A register operand of the source."""

    letter: str
    "Letter of the register file."
    register: int
    "Number in the common register space, of an output from 0."
    components: tuple[int, ...]
    "Selected components, 0 for x."
    negate: bool
    "It has a minus sign."
    relative: int
    "Index of `isa.table.INDEX_NAMES`; 0 for none."
    swizzled: bool
    "The source selects components."
    indexed: bool
    "The source has brackets."
    text: str
    "Text as it is written."
    start: int
    "Column of its first character, from 0; -1 for one of `Operands.plain`."
    end: int
    "Column after its last character; -1 for one of `Operands.plain`."

    @property
    def wide(self) -> bool:
        """Whether it needs the source that has seven bits and the index register."""
        return self.register >= FLOAT or self.relative > 0

    def problem(self, code: str, message: str, fix: str, replacement: str | None = None) -> Problem:
        """A problem with this operand; `replacement` is a text that cures it in its place. Raises Unplaced."""
        if self.start < 0:
            raise Unplaced
        return Problem(code, message, fix, self.start, self.end - self.start, (), replacement)


class Poisoned(Exception):
    """The operand uses a name whose declaration was already reported."""


class Unplaced(Exception):
    """There is something to report about operands without columns."""


def register_of(name: str) -> tuple[str, int] | None:
    """(letter, number in the register space) of `r3`; None for other names.

    Raises Problem for a register past the last.
    """
    letter, digits = name[:1], name[1:]
    if letter not in FILES or not digits.isdigit() or not digits.isascii():
        return None
    first, count = FILES[letter]
    if len(digits) > 3 or int(digits) >= count:
        raise Problem("P026", f"unknown register {name}", f"use {letter}0-{letter}{count - 1}")
    return letter, first + int(digits)


def is_register(name: str) -> bool:
    """Whether a name is that of a register, or looks like one."""
    return (len(name) > 1 and name[0] in FILES and name[1:].isdigit()) or name in INDEX_REGISTERS or name == _FLAGS


def letters_of(components: tuple[int, ...]) -> str:
    return "".join(COMPONENTS[component] for component in components)


class Operands:
    """Reads operands in the names of one source. `warn` and `note` take findings that are not fatal."""

    suggestions: Suggestions
    warn: Callable[[str, str, str, int, int], None]
    note: Callable[[str, str, str, str, int, int], None]

    def __init__(
        self,
        warn: Callable[[str, str, str, int, int], None],
        note: Callable[[str, str, str, str, int, int], None],
        suggestions: Suggestions | None = None,
    ) -> None:
        self.aliases: dict[str, Alias] = {}
        self.suggestions = suggestions or Suggestions()
        self.warn, self.note = warn, note
        self.known: dict[str, Selected] = {}  # what `plain` gave

    def plain(self, written: str) -> Selected | None:
        """`[-]NAME[[NUMBER]][.SWIZZLE]` with blanks around it, as `operand` reads it; None where `operand` has more to look at,
        or to report."""
        found = self._plain(written.strip())
        if found is not None:
            self.known[written] = found
        return found

    def _plain(self, text: str) -> Selected | None:
        negate = text.startswith("-")
        name, point, letters = text[negate:].partition(".")
        offset, indexed = 0, name.endswith("]")
        if indexed:
            name, _, number = name[:-1].partition("[")
            if not (number.isdigit() and number.isascii() and len(number) < 5):
                return None
            offset = int(number)
        try:
            register = register_of(name)
        except Problem:
            return None
        alias = Alias(letter=register[0], register=register[1]) if register is not None else self.aliases.get(name)
        if alias is None or alias.register < 0 or (point and alias.swizzled) or (alias.size > 1 and not indexed):
            return None
        first, count = FILES[alias.letter]
        last = alias.register + alias.size if alias.size > 1 else first + count
        if indexed and alias.register + offset >= min(last, first + count):
            return None
        components = _SWIZZLES.get(letters) if point else alias.components
        if components is None:
            components = tuple([COMPONENTS.find(letter) for letter in letters])
            if not 0 < len(components) <= 4 or min(components) < 0:
                return None
            _SWIZZLES[letters] = components
        swizzled = alias.swizzled or bool(point)
        return Selected(
            letter=alias.letter,
            register=alias.register + offset,
            components=components,
            negate=negate,
            relative=0,
            swizzled=swizzled,
            indexed=indexed,
            text=text,
            start=-1,
            end=-1,
        )

    def operand(self, cursor: Cursor, *, written: bool = False) -> Selected:
        """`[-]NAME[[INDEX]][.SWIZZLE]`. `written`: it is a destination. Raises Problem, Poisoned."""
        start = cursor.peek().start
        negate = cursor.took("-")
        token = cursor.next()
        if token.kind != NAME:
            raise self.no_operand(token)
        alias = self.alias(token)
        offset = relative = 0
        indexed = cursor.took("[")
        if indexed:
            offset, relative = self.index(cursor)
        components, swizzled = alias.components, alias.swizzled
        if cursor.peek().text == ".":
            components, swizzled = self.swizzle(cursor, token, alias), True
        end = cursor.tokens[cursor.at - 1].end
        found = Selected(
            letter=alias.letter,
            register=alias.register + offset,
            components=components,
            negate=negate,
            relative=relative,
            swizzled=swizzled,
            indexed=indexed,
            text=cursor.line[start:end],
            start=start,
            end=end,
        )
        if indexed:
            if relative and written:
                raise found.problem(
                    "V018", f"{found.text}: a destination cannot be indexed at run time", "write to one register"
                )
            self.check_index(found, token.text, alias, offset)
        return found

    def alias(self, token: Token) -> Alias:
        """The alias of a name; a register takes precedence. Raises Problem, Poisoned."""
        name = token.text
        try:
            register = register_of(name)
        except Problem as problem:
            raise Problem(problem.code, problem.message, problem.fix, token.start, len(name)) from None
        if register is not None:
            return Alias(letter=register[0], register=register[1])
        alias = self.aliases.get(name)
        if alias is None:
            raise self.unknown(token)
        if alias.register < 0:
            raise Poisoned
        return alias

    def unknown(self, token: Token) -> Problem:
        name = token.text
        near = self.suggestions.nearest(name, self.aliases)
        if name in INDEX_REGISTERS:
            fix = "put the index register in brackets: `c0[a0]`"
        elif name == _FLAGS:
            fix = "test flags with if, jmp, call and break"
        elif name in ("cmp", "cond", "flags"):
            fix = "the flags of cmp are cc.x and cc.y: if cc.x ... endif"
        elif name[:1].lower() in FILES and name[1:].isdigit():
            fix = f"write {name.lower()}: register letters are lower-case"
        else:
            fix = f"did you mean {near}?" if near else f"declare it: .alias {name} c0, or use a register such as r0"
        meant = near if fix == f"did you mean {near}?" else name.lower() if fix.startswith(f"write {name.lower()}:") else None
        return Problem("P025", f"unknown register or name '{name}'", fix, token.start, len(name), (), meant)

    def no_operand(self, token: Token) -> Problem:
        what = f"'{token.text}' is not an operand" if token.text else "missing operand"
        fix = (
            "name the constant: .alias k c95 as (0.0, 1.0, 2.0, 3.0)"
            if token.kind == NUMBER
            else "use a register or an alias; separate operands with single commas"
        )
        return token.problem("P025", what, fix)

    def swizzle(self, cursor: Cursor, name: Token, alias: Alias) -> tuple[int, ...]:
        """`.xyz`, applied to the components of the alias. Raises Problem."""
        point = cursor.next()
        token = cursor.peek()
        if token.kind != NAME or token.start != point.end:
            raise Problem("P024", "missing component after the dot", "write `.x`, or remove the dot", point.start, 1)
        cursor.next()
        if "_" in token.text:
            from lanewise.pica200.text.nihstro.modifiers import modified

            raise modified(token, name.text)
        if len(token.text) > 4:
            raise token.problem(
                "P021",
                f".{token.text} has {len(token.text)} letters: a swizzle has at most 4",
                f"write .{token.text[:4]}",
                (),
                token.text[:4],
            )
        found: list[int] = []
        for i, letter in enumerate(token.text):
            place = COMPONENTS.find(letter)
            if place < 0:
                fix = "use the letters xyzw" if letter not in "rgbastpq" else "use the letters xyzw: nihstro has no others"
                raise Problem("P020", f"'{letter}' is not a component", fix, token.start + i, 1)
            if alias.swizzled:
                place = self.through(alias, place, name, token.start + i)
            found.append(place)
        return tuple(found)

    def through(self, alias: Alias, place: int, name: Token, column: int) -> int:
        """A component of an alias that selects some: counted by position, as nihstro does. Raises Problem where it has none."""
        letter, has = COMPONENTS[place], letters_of(alias.components)
        shown = f"{name.text} is {register_name(alias.register, written=alias.letter == 'o')}.{has}"
        if letter not in has or place >= len(has):
            why = "it has no" if letter not in has else "nihstro counts by position, so there is no"
            raise Problem(
                "P062",
                f"{shown}: {why} {letter}",
                f"write the register: {register_name(alias.register, written=alias.letter == 'o')}.{letter}",
                column,
                1,
            )
        if alias.components[place] != place:
            self.warn(
                "P062",
                f"{shown}: its component .{letter} is {COMPONENTS[alias.components[place]]}",
                "write the register with the intended component",
                column,
                1,
            )
        return alias.components[place]

    def index(self, cursor: Cursor) -> tuple[int, int]:
        """(offset, index register) of `2+a0]`, `lcnt-1]`, `1+lcnt+4]`. Raises Problem."""
        offset = relative = 0
        sign, first = 1, True
        while True:
            token = cursor.next()
            if first and token.text == "-":
                sign, token = -1, cursor.next()
            first = False
            if token.kind == NUMBER:
                if not (token.text.isdigit() and len(token.text) < 5):
                    raise token.problem("P031", f"'{token.text}' is not an offset", "write a decimal integer")
                offset += sign * int(token.text)
            elif token.text in INDEX_REGISTERS:
                if relative or sign < 0:
                    message = "an index has one index register" if relative else "an index register cannot be subtracted"
                    raise token.problem("P029", message, "write [a0+2], [2+a1] or [lcnt-1]")
                relative = INDEX_REGISTERS[token.text]
                if token.text == "aL":
                    self.note(
                        "aL",
                        "P070",
                        "nihstro itself rejects aL, although its manual describes it",
                        "write lcnt for nihstro",
                        token.start,
                        2,
                    )
            else:
                what = f"'{token.text}' is not an index register" if token.text else "unclosed bracket"
                code, fix = ("P029", "use a0, a1 or lcnt, and decimal numbers") if token.text else ("P022", "add `]`")
                raise token.problem(code, what, fix)
            token = cursor.next()
            if token.text == "]":
                return offset, relative
            if token.text not in ("+", "-"):
                code, message = (
                    ("P031", f"unexpected '{token.text}' in an index") if token.text else ("P022", "unclosed bracket")
                )
                raise token.problem(
                    code, message, "join offsets and the index register with + and -" if token.text else "add `]`"
                )
            sign = 1 if token.text == "+" else -1

    def check_index(self, found: Selected, name: str, alias: Alias, offset: int) -> None:
        """Check that an index stays in its register file. Raises Problem.

        Without an index register it must stay in its array.
        """
        first, count = FILES[alias.letter]
        if found.relative and alias.letter != "c":
            raise found.problem(
                "V014",
                f"{name} cannot be indexed: relative addressing works only on float uniforms",
                "move the table to c registers",
            )
        if not first <= found.register < first + count:
            message = f"{name} with an offset of {offset} is outside {alias.letter}0-{alias.letter}{count - 1}"
            raise found.problem("V016", message, "use an offset within the register file")
        if alias.size > 1 and found.relative and offset >= alias.size:
            self.warn(
                "V015",
                f"the offset {offset} is past the end of {name}, which has {alias.size} registers",
                f"count from the first register of {name}: the offset is 0 to {alias.size - 1}",
                found.start,
                found.end - found.start,
            )
        # `.alias NAME c4` declares no bound: nihstro's own examples index such names.
        if alias.size > 1 and not found.relative and not 0 <= offset < alias.size:
            means = register_name(found.register, written=alias.letter == "o")
            low, high = min(offset, 0), max(offset, alias.size - 1)
            start = found.register - offset - first
            self.warn(
                "V015",
                f"{name}[{offset}] is {'before the start' if offset < 0 else 'past the end'} of {name}, which has "
                f"{alias.size} registers: it means {means}",
                f"use {name}[0] to {name}[{alias.size - 1}], or declare `.alias {name} "
                f"{alias.letter}{start + low}-{alias.letter}{start + high}`",
                found.start,
                found.end - found.start,
            )

    # Uniforms and conditions

    def uniform(self, cursor: Cursor, kind: str) -> int:
        """The number n of an `i` or `b` register. Raises Problem, Poisoned."""
        found = self.operand(cursor)
        first, what = (INTEGER, "an integer uniform (i0-i3)") if kind == "i" else (BOOLEAN, "a boolean uniform (b0-b15)")
        if found.letter != kind:
            raise found.problem("V019", f"{found.text} is not {what}", f"use {what}")
        if found.swizzled or found.negate:
            raise found.problem(
                "V020",
                f"{found.text}: {'an integer' if kind == 'i' else 'a boolean'} uniform has neither sign nor components here",
                "remove them",
                found.text.lstrip("-").strip().partition(".")[0],
            )
        return found.register - first

    def condition(self, cursor: Cursor, name: str) -> Condition | tuple[int, bool]:
        """A test of the flags, or (boolean uniform, whether it is negated). Raises Problem, Poisoned."""
        if not cursor.more():
            raise Problem(
                "P010", f"{name} needs a condition", "write cc.x, !cc.y, cc.x && !cc.y or a boolean uniform", cursor.end, 1
            )
        start = cursor.peek().start
        first = self.part(cursor)
        if first[0] == "b":
            if cursor.peek().text in ("&&", "||"):
                raise Problem(
                    "P033",
                    "boolean uniform in a compound condition",
                    "nest two `if`",
                    start,
                    cursor.end - start,
                )
            return first[1], bool(first[2])
        _, flag, wanted = first
        joint = cursor.peek()
        if joint.text not in ("&&", "||"):
            if flag == 2:
                return Condition(1, wanted, wanted)
            return Condition(2 + flag, *((wanted, 1) if flag == 0 else (1, wanted)))
        cursor.next()
        place = cursor.peek().start
        letter, other, wanted2 = self.part(cursor)
        if letter == "b":
            raise Problem("P033", "boolean uniform in a compound condition", "nest two `if`", place, cursor.end - place)
        if flag == 2 or other in (2, flag):
            message = f"cc.{'xy'[flag]} is tested twice" if flag == other < 2 else "cc.xy cannot be combined"
            raise Problem("P034", message, "test cc.x and cc.y", start, cursor.tokens[cursor.at - 1].end - start)
        x, y = (wanted, wanted2) if flag == 0 else (wanted2, wanted)
        return Condition(int(joint.text == "&&"), x, y)

    def part(self, cursor: Cursor) -> tuple[str, int, int]:
        """(`cc`, 0 x, 1 y or 2 both, wanted value) or (`b`, number, negated). Raises Problem, Poisoned."""
        start = cursor.peek().start
        wanted = 1
        while cursor.took("!"):
            wanted = 1 - wanted
        token = cursor.peek()
        if token.text == _FLAGS:
            cursor.next()
            letters = cursor.peek(1).text if cursor.peek().text == "." else ""
            flag = {"x": 0, "y": 1, "xy": 2}.get(letters, -1)
            if flag < 0:
                end = cursor.peek(1).end if letters else token.end
                raise Problem(
                    "P033",
                    f"'{cursor.line[token.start : end]}' is not a condition code",
                    "use cc.x, cc.y or cc.xy",
                    token.start,
                    end - token.start,
                )
            cursor.at += 2
            return "cc", flag, wanted
        if token.kind != NAME:
            what = f"'{token.text}' is not a condition" if token.text else "missing condition"
            raise token.problem("P033", what, "write cc.x, cc.y or a boolean uniform, optionally with `!`")
        try:
            return "b", self.uniform(cursor, "b"), 1 - wanted
        except Problem as problem:
            if problem.code == "V019":
                problem.fix = "test cc.x, cc.y or a boolean uniform (b0-b15)"
            problem.length = problem.length or max(1, cursor.end - start)
            raise
