"""Instructions that compute what a statement of another language says: formulas, functions that the instruction set lacks,
comparisons, sources in places that cannot read them. Each is tried, so that the fix assembles.

Asked only about statements with errors.
"""

from __future__ import annotations

import re
import struct

from lanewise.core.diagnostics import Edit
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.text.problems import Problem
from lanewise.pica200.isa.program import Source
from lanewise.pica200.isa.table import ARITHMETIC, BOOLEAN, FLOAT, INTEGER, REGISTER_END, YES
from lanewise.pica200.isa.verify import sources_fault
from lanewise.pica200.text.formulas import Formula, formula, split
from lanewise.pica200.text.picasso.advice import counted
from lanewise.pica200.text.picasso.constants import constant_of, named, values_of
from lanewise.pica200.text.picasso.faults import MIRRORED
from lanewise.pica200.text.picasso.functions import ALSO, COMPARED, LINES, MODIFIERS, OF_ONE, OPERATORS
from lanewise.pica200.text.picasso.operands import Poisoned
from lanewise.pica200.text.picasso.reading_as import read_as
from lanewise.pica200.text.picasso.recovery import CLOSES, OPENS
from lanewise.pica200.text.picasso.syntax import MNEMONICS, begins_like_register

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.source import Span
    from lanewise.pica200.text.picasso.reader import Reader

_TEMPORARIES = 16
_MOST_LINES = 12  # of what is offered
_LETTERS = "xyzw"
_VECTORS = re.compile(r"(?:vec|float|half)[234]?", re.ASCII)
_NUMBERS = {"inf": "inf", "pi": "3.14159265", "m_pi": "3.14159265", "tau": "6.28318531"}
_JUMPS = ("jmp", "jump", "goto", "bra", "br", "b")  # without a condition
_CHAINS = ("add", "mul", "min", "max")  # of more than two sources
_DEST = r"[A-Za-z_$][\w$]*(?:\.[xyzwrgbastpq]{1,4})?"
_TYPE = r"(?:(?:let|var|const|auto|mov|highp|mediump|(?:vec|float|half|int)[234]?)\s+)?"
_ASSIGNED = re.compile(rf"{_TYPE}({_DEST})\s*(?:([-+*/]?)=|:=|<-)\s*([^=].*?);?", re.ASCII)
_TESTED = re.compile(r"([^<>=!&|]+?)\s*(<=|>=|==|!=|=<|=>|<>|<|>|=)\s*([^<>=!&|]+?)", re.ASCII)
_BOOLEAN = re.compile(  # a name, whether it is inverted, and what it is compared with
    r"\(?\s*(!|not\s)?\s*([A-Za-z_][\w.]*)\s*(?:(==|!=)\s*(true|false|on|off|0|1))?\s*\)?\s*\{?", re.IGNORECASE | re.ASCII
)
_WORD_OF_FLOAT = re.compile(r"\b0x([0-9a-f]{8})\b", re.IGNORECASE)
_SUFFIXED = re.compile(
    rf"(-?[A-Za-z_$][\w$]*?(?:\[[^\]]*\])?(?:\.[xyzwrgba]{{1,4}})?)[._]({'|'.join(MODIFIERS)})", re.ASCII | re.IGNORECASE
)
_NUMBER_DECLARED = re.compile(r"\.constf [\w$]+\(([^,]+)(?:, \1){3}\)", re.ASCII)
_WIDTHS = {"m4x4": ("xyzw", "dp4"), "m4x3": ("xyz", "dp4"), "m3x3": ("xyz", "dp3"), "m3x4": ("xyzw", "dp3")}


class Composed(Record):
    """What is written in the place of a statement."""

    lines: tuple[str, ...]
    "The instructions."
    declared: tuple[str, ...]
    "Constants that they need, as declarations."
    names: tuple[str, ...] = ()
    "Names of registers among what is declared."
    said: str = ""
    "What the statement is, where that is more than that it cannot be read."


class _Cannot(Exception):
    """Nothing is known of a part."""


def composed(reader: Reader, statement: str) -> Composed | None:
    """What a statement may be written as; None where nothing is known of it, or what is known does not read."""
    if not reader.blocks or reader.file != reader.blocks[0].span.file:
        return None
    composer = _Composer(reader)
    try:
        said = composer.statement(_WORD_OF_FLOAT.sub(_number_of_word, statement))
    except (_Cannot, Problem, Poisoned):
        return None
    composer.merge()
    if not composer.lines or len(composer.lines) > _MOST_LINES or composer.lines == [statement] or not composer.reads():
        return None
    return Composed(tuple(composer.lines), tuple(composer.declared.values()), tuple(composer.named), said)


def _number_of_word(word: re.Match[str]) -> str:
    """The number that eight hexadecimal digits are as float32."""
    (value,) = struct.unpack(">f", bytes.fromhex(word[1]))
    return f"{value:.9g}" if value - value == 0 else word[0]


def edits(reader: Reader, place: Span, found: Composed) -> tuple[Edit, ...]:
    """The edits that write it in the place of a statement."""
    lead = reader.line[: len(reader.line) - len(reader.line.lstrip())]
    begin = reader.blocks[0].span
    head = begin.text[begin.column - 1 : begin.column + 4]
    above = tuple(Edit(begin._replace(length=5), "\n".join([*found.declared, head])) for _ in found.declared[:1])
    return (*above, Edit(place, f"\n{lead}".join(found.lines)))


def shown(found: Composed) -> str:
    """The fix that says what is written."""
    what = [f"`{line}`" for line in found.lines]
    fix = f"write {(', then ' if len(what) < 4 else '; ').join(what)}"
    if found.lines[-1].startswith("ifc"):
        fix += ", and `.end` where it ends"
    if found.lines[-1] == ".else":
        fix += ", and the code after it: ifu has no `!`"
    if found.lines[-1].startswith("for "):
        fix += ": a loop runs x + 1 times"
    lines = [f"`{line}`" for each in found.declared for line in each.split("\n")]
    return f"declare {' and '.join(lines)}, and {fix}" if lines else fix


class _Composer:
    """Instructions in the making."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.lines: list[str] = []
        self.declared: dict[str, str] = {}  # what is declared, by its name
        self.named: dict[str, str] = {"always": "b0"}  # registers of what is declared, other than constants
        known = named(reader)
        self.free: list[str] = [f"r{n}" for n in range(_TEMPORARIES) if f"r{n}" not in known] if reader.files == 1 else []

    # Statements

    def statement(self, statement: str) -> str:
        """Write a statement; what it is, where that is said. Raises _Cannot."""
        word, *tail = statement.split(None, 1)
        name, rest = word.lower(), tail[0] if tail else ""
        rounds = counted(self.reader, statement)
        if rounds:
            count = "count"
            while count in self.reader.operands.aliases:
                count += "_"
            self.named[count] = "i0"
            self.declared[count] = f".consti {count}({rounds - 1}, 0, 1, 0)"
            self.lines.append(f"for {count}")
            return ""
        if name in ("ifu", "ifc", "if") and self.boolean(rest):
            return ""
        test = re.fullmatch(r"(?:ifc|if)\b\s*\(?(.+?)\)?\s*\{?", statement, re.IGNORECASE)
        if test is not None:
            return self.block(test[1])
        if name in _JUMPS and rest.strip().lower() in ("end", "exit") and not self.labelled(rest.strip()):
            self.lines.append("end")
            return ""
        if name in _JUMPS and re.fullmatch(r"[A-Za-z_$][\w$]*", rest.strip()):
            self.declared["always"] = ".bool always\n.setb always true"
            self.lines.append(f"jmpu always, {rest.strip()}")
            return ""
        if name == "cmp" or re.fullmatch(r"cmp[._]?(?:lt|le|gt|ge|eq|ne)", name):
            return self.comparison(name, rest)
        tested = re.fullmatch(r"(if|break)c?_(lt|le|gt|ge|eq|ne)", name)
        if tested is not None and len(sides := split(rest)) == 2:
            self.compare(sides[0], tested[2], sides[1])
            self.lines.append(f"{tested[1]}c cmp.x")
            return ""
        jump = re.fullmatch(r"[jb](lt|le|gt|ge|eq|ne|l|g|e)", name)
        if jump is not None:
            *sides, label = split(rest)
            if len(sides) != 2:
                raise _Cannot
            self.compare(sides[0], OPERATORS[jump[1]], sides[1])
            self.lines.append(f"jmpc cmp.x, {label}")
            return ""
        assigned = _ASSIGNED.fullmatch(statement)
        if assigned is not None and name not in MNEMONICS.keys() - {"mov"}:
            to, sign, text = assigned.groups()
            if name != "mov" and assigned.start(1) and to not in self.reader.operands.aliases and not begins_like_register(to):
                self.named[to] = self.spare()
                self.declared[to] = f".alias {to} {self.named[to]}"
            self.into(to, _formula(f"{to} {sign} ({text})" if sign else text))
            return f"'{' '.join(statement.split())}' is an assignment: an instruction begins with its name"
        arguments = split(rest)
        if not tail or not re.fullmatch(_DEST, _SUFFIXED.sub(r"\1", arguments[0])):
            raise _Cannot
        self.instruction(name, arguments)
        return ""

    def modified(self, text: str) -> str:
        """An operand with a modifier as Direct3D and Cg write them after it, `r1.x_sat`, as a formula."""
        found = _SUFFIXED.fullmatch(text)
        if found is None or (text.lstrip("-") in self.reader.operands.aliases):
            return text
        return f"{'-' * found[1].startswith('-')}{MODIFIERS[found[2].lower()].format(found[1].lstrip('-'))}"

    def instruction(self, name: str, arguments: list[str]) -> None:
        """An instruction, or the function that its name is, with formulas for sources. Raises _Cannot."""
        to, *texts = [self.modified(re.sub(r"^[#=$](?=[-+.\d])", "", text)) for text in arguments]
        if to.startswith("saturate("):
            to, name = to[9:-1], name if name.endswith("sat") else f"{name}_sat"
        op = MNEMONICS.get(name)
        if name in _WIDTHS and len(texts) == 2:
            self.rows(to, texts[1], texts[0], name)
            return
        if op is None or op.kind != ARITHMETIC or op.operands[:2] != ("dst", "src"):
            base = next((name.removesuffix(each).rstrip("._") for each in ("sat", "saturate") if name.endswith(each)), "")
            if op is None and base in MNEMONICS and base:
                self.into(to, Formula("call", "saturate", (Formula("call", base, tuple(map(_formula, texts))),)))
                return
            if op is not None or ALSO.get(name, name) not in {**LINES, **MNEMONICS}:
                raise _Cannot
            count = _count(ALSO.get(name, name))
            own = [to, *texts] if len(texts) == count - 1 else texts
            self.into(to, Formula("call", name, tuple(map(_formula, own))))
            return
        count = op.source_count
        if count == 1 == len(texts):
            node = _formula(texts[0])
            self.into(to, node if name == "mov" else Formula("call", name, (node,)))
            return
        own = [to, *texts] if len(texts) == count - 1 and count == 2 else [*texts, to] if len(texts) == count - 1 > 1 else texts
        self.into(to, Formula("call", name, tuple(map(_formula, own))))

    def block(self, test: str) -> str:
        """The beginning of a block with a comparison. Raises _Cannot."""
        sides = _TESTED.fullmatch(test.strip())
        if sides is None:
            raise _Cannot
        first, sign, second = sides.groups()
        truth = {"true": True, "1": True, "false": False, "0": False}.get(second.lower())
        flag = re.fullmatch(r"(!?)cmp\.([xy])", first, re.IGNORECASE)
        if flag is not None and truth is not None and sign in ("==", "!="):
            wanted = truth == (sign == "==")
            self.lines.append(f"ifc {'' if wanted != bool(flag[1]) else '!'}cmp.{flag[2]}")
            return ""
        self.compare(first, COMPARED[sign], second)
        self.lines.append("ifc cmp.x")
        return ""

    def boolean(self, text: str) -> bool:
        """The beginning of a block with one boolean, or with a number that is not 0: whether it is one. Raises _Cannot."""
        found = _BOOLEAN.fullmatch(text.strip())
        if found is None:
            return False
        name, alias = found[2], self.reader.operands.aliases.get(found[2])
        wanted = (found[1] or "") == ""
        if found[3]:
            wanted = wanted == ((found[3] == "==") == (found[4].lower() in ("true", "1", "on")))
        known = BOOLEAN <= alias.register < REGISTER_END if alias else re.fullmatch(r"b\d+", name)
        if not known and not found[3]:
            self.compare(name, "ne" if wanted else "eq", "0")
            self.lines.append("ifc cmp.x")
        elif known:
            if not wanted and self.divided():
                raise _Cannot
            self.lines += [f"ifu {name}"] if wanted else [f"ifu {name}", ".else"]
        return bool(self.lines)

    def labelled(self, name: str) -> bool:
        """Whether the text has a label."""
        return re.search(rf"^[^\S\n]*{re.escape(name)}\s*:", self.reader.text, re.MULTILINE) is not None

    def divided(self) -> bool:
        """Whether the block that begins here has an `.else`."""
        depth = 0
        for line in (self.reader.lines or [])[self.reader.number :]:
            word = (line.partition(";")[0].split() or [""])[0].lower()
            depth += word in OPENS or (word in MNEMONICS and MNEMONICS[word].opens_block)
            if word in (".else", "else") and not depth:
                return True
            depth -= word == ".end" or word in CLOSES
            if depth < 0:
                break
        return False

    def comparison(self, name: str, rest: str) -> str:
        """`cmp` with its operator in another place. Raises _Cannot."""
        sides = _TESTED.fullmatch(rest.strip())
        if sides is not None:
            self.compare(sides[1].rstrip(", "), COMPARED[sides[2]], sides[3].lstrip(", "))
            return ""
        texts = split(rest)
        if name == "cmp" and len(texts) == 2:
            raise _Cannot
        operators = [name[-2:]] if name != "cmp" else [each for each in texts if _operator(each)]
        others = [each for each in texts if not _operator(each)]
        if len(others) != 2 or not 0 < len(operators) < 3:
            raise _Cannot
        self.compare(others[0], _operator(operators[0]), others[1], _operator(operators[-1]))
        return ""

    def compare(self, first: str, operator: str, second: str, other: str = "") -> None:
        """A comparison, with its operands where they can be read. Raises _Cannot."""
        texts, op = [self.value(_formula(first)), self.value(_formula(second))], MNEMONICS["cmp"]
        operators = [operator, other or operator]
        if sources_fault(op, self.sources(texts)) is not None:
            if sources_fault(op, self.sources(texts[::-1])) is None:
                texts.reverse()
                operators = [MIRRORED[each] for each in operators]
            else:
                texts[1] = self.copy(texts[1])
        self.lines.append(f"cmp {texts[0]}, {', '.join(operators)}, {texts[1]}")

    # Formulas

    def into(self, to: str, node: Formula) -> None:
        """Compute a formula into a destination. Raises _Cannot."""
        kind, parts = node.kind, tuple[Formula, ...](node.parts)
        if kind in ("name", "number") or (kind == "-" and len(parts) == 1 and parts[0].kind == "name"):
            self.step("mov", to, [self.value(node)])
        elif kind == "-" and len(parts) == 1:
            self.step("mov", to, [_negated(self.value(parts[0]))])
        elif kind in ("+", "-"):
            self.sum(to, kind, parts)
        elif kind == "*":
            self.product(to, parts)
        elif kind == "/":
            divisor = parts[-1]
            if divisor.kind == "number" and _inverse(divisor.text):
                self.product(to, (parts[0], Formula("number", _inverse(divisor.text))))
            else:
                self.function(to, "div", parts)
        else:
            self.function(to, ALSO.get(node.text, node.text), parts)

    def sum(self, to: str, sign: str, parts: tuple[Formula, ...]) -> None:
        first, second = parts
        if first.kind == "*" and not self.matrix(first.parts):
            a, b = [self.value(each) for each in first.parts]
            c = self.value(second)
            self.step("mad", to, [a, b, _negated(c) if sign == "-" else c])
        elif second.kind == "*" and not self.matrix(second.parts):
            a, b = [self.value(each) for each in second.parts]
            self.step("mad", to, [_negated(a) if sign == "-" else a, b, self.value(first)])
        else:
            a, b = self.value(first), self.value(second)
            self.step("add", to, [a, _negated(b) if sign == "-" else b])

    def product(self, to: str, parts: tuple[Formula, ...]) -> None:
        rows = self.matrix(parts)
        if rows:
            vector = parts[1] if parts[0].text == rows else parts[0]
            self.rows(to, rows, self.value(vector), "m4x4" if self.reader.operands.aliases[rows].size > 3 else "m3x3")
        else:
            self.step("mul", to, [self.value(each) for each in parts])

    def matrix(self, parts: Sequence[Formula]) -> str:
        """The array of rows among the factors of a product; empty without one."""
        aliases = self.reader.operands.aliases
        names = [each.text for each in parts if each.kind == "name" and each.text in aliases]
        rows = [name for name in names if aliases[name].size in (3, 4)]
        return rows[0] if len(rows) == 1 and len(parts) == 2 else ""

    def rows(self, to: str, matrix: str, vector: str, name: str) -> None:
        """A product of a matrix and a vector."""
        letters, word = _WIDTHS[name]
        base, _, mask = to.partition(".")
        if matrix not in self.reader.operands.aliases:
            raise _Cannot
        for i, letter in enumerate(letters):
            if not mask or letter in mask:
                self.step(word, f"{base}.{letter}", [f"{matrix}[{i}]", vector])

    def function(self, to: str, name: str, parts: tuple[Formula, ...]) -> None:
        """A function of formulas. Raises _Cannot."""
        if not name or _VECTORS.fullmatch(name):
            self.vector(to, parts)
            return
        if name in ("dot", "mul") and len(parts) == 2:
            if name == "mul":
                self.product(to, parts)
                return
            name = "dp3" if any(re.search(r"\.\w{3}$", each.text) for each in parts) else "dp4"
        texts = [self.value(each) for each in parts]
        if name in _CHAINS and len(texts) > 2:
            for text in texts[2:-1]:
                texts[0] = self.temporary(name, [texts[0], text])
            texts = [*texts[:2], texts[-1]]
            self.step(name, to, [self.temporary(name, texts[:2]), texts[2]])
            return
        if name == "rcp" and len(texts) == 2:
            name = "div"
        rows = LINES.get(name)
        if rows is None:
            self.step(name, to, texts)
            return
        self.write(to, rows, texts)

    def write(self, to: str, rows: Sequence[str], texts: Sequence[str]) -> None:
        """Lines of a table. Raises _Cannot."""
        if len(texts) != _count_of(rows):
            raise _Cannot
        whole, mask = " ".join(rows), to.partition(".")[2]
        given = dict(zip("ABC", texts, strict=False)) | {"D": to}
        spare = [key for key in "TU" if re.search(rf"\b{key}\b", whole)]
        given.update({key: self.spare() for key in spare})
        masked = mask and "T." not in whole  # each component by itself
        for row in rows:
            word, rest = row.split(None, 1)
            parts: list[str] = []
            for text in rest.split(", "):
                bare = text.lstrip("-")
                name, _, letters = bare.partition(".")
                new = self.number(name) if name.isdigit() else given[name]
                if letters and name in "ABC":
                    new = self.swizzled(new, letters)
                elif letters or (masked and not parts and name in spare):
                    new = f"{new}.{letters or mask}"
                parts.append(_negated(new) if bare != text else new)
            self.step(word, parts[0], parts[1:])
        self.free += [given[key] for key in reversed(spare)]

    def vector(self, to: str, parts: tuple[Formula, ...]) -> None:
        """Values in brackets: a constant, or components one after another. Raises _Cannot."""
        numbers = [each.text for each in parts if each.kind == "number"]
        if len(numbers) == len(parts):
            self.step("mov", to, [self.constant(numbers)])
            return
        if len(parts) == 1:
            self.into(to, parts[0])
            return
        base, _, mask = to.partition(".")
        at = 0
        for each in parts:
            text = self.value(each)
            letters = text.partition(".")[2] if each.kind == "name" else "x"
            count = len(letters) or 4
            if at + count > 4:
                raise _Cannot
            here = _LETTERS[at : at + count]
            if each.kind == "name" and count > 1 and at:
                text = f"{text.partition('.')[0]}.{(_LETTERS[:at] + letters).ljust(4, letters[-1])}"
            wanted = [letter for letter in here if not mask or letter in mask]
            if wanted:
                self.step("mov", f"{base}.{''.join(wanted)}", [text])
            at += count
        if at < len(mask or _LETTERS) and mask:
            raise _Cannot

    # Operands

    def value(self, node: Formula) -> str:
        """An operand with the value of a formula. Raises _Cannot."""
        if node.kind == "name":
            if node.text in ("true", "false"):
                return self.number(str(int(node.text == "true")))
            if node.text.lower() in _NUMBERS and node.text not in self.reader.operands.aliases:
                return self.number(_NUMBERS[node.text.lower()])
            self.reader.operands.read(node.text, [], index=True)
            return node.text
        if node.kind == "number":
            return self.number(node.text)
        if node.kind == "-" and len(node.parts) == 1:
            return _negated(self.value(node.parts[0]))
        if node.kind == "call" and (not node.text or _VECTORS.fullmatch(node.text)):
            numbers = [each.text for each in node.parts if each.kind == "number"]
            if len(numbers) == len(node.parts):
                return self.constant(numbers)
        spare = self.spare()
        self.into(spare, node)
        return spare

    def number(self, text: str) -> str:
        """An operand that is a number in all components."""
        there = constant_of(self.reader, text)
        return there or self.declare("const" + text.replace("-", "m").replace("+", "").replace(".", "_"), [text] * 4)

    def constant(self, texts: Sequence[str]) -> str:
        """An operand with these values in its components. Raises _Cannot."""
        if len(texts) == 1 or (len(texts) == 4 and len(set(texts)) == 1):
            return self.number(texts[0])
        if len(texts) > 4:
            raise _Cannot
        values = [*texts, *["0.0"] * (4 - len(texts))]
        return values_of(self.reader, values) or self.declare("values", values)

    def declare(self, name: str, values: Sequence[str]) -> str:
        """A new constant: its name."""
        line = f"{name}({', '.join(values)})"
        while name in self.reader.operands.aliases or (name in self.declared and self.declared[name] != f".constf {line}"):
            name += "_"
            line = f"{name}({', '.join(values)})"
        self.declared[name] = f".constf {line}"
        return name

    def merge(self) -> None:
        """Declare some new numbers as the components of one constant."""
        found = [(name, _NUMBER_DECLARED.fullmatch(line)) for name, line in self.declared.items()]
        numbers = [(name, each[1]) for name, each in found if each is not None]
        if not 1 < len(numbers) <= len(_LETTERS):
            return
        for name, _ in numbers:
            del self.declared[name]
        values = [*[value for _, value in numbers], *["0.0"] * (len(_LETTERS) - len(numbers))]
        merged = self.declare("const" + "__".join([name.removeprefix("const").rstrip("_") for name, _ in numbers]), values)
        for (name, _), letter in zip(numbers, _LETTERS, strict=False):
            pattern = re.compile(rf"(?<![\w$.]){re.escape(name)}(?:\.[xyzw]+)?(?![\w$])")
            self.lines = [pattern.sub(f"{merged}.{letter}", line) for line in self.lines]

    def spare(self) -> str:
        """A temporary that nothing uses. Raises _Cannot without one."""
        if not self.free:
            raise _Cannot
        return self.free.pop()

    def temporary(self, name: str, texts: Sequence[str]) -> str:
        spare = self.spare()
        self.step(name, spare, texts)
        return spare

    def copy(self, text: str) -> str:
        """A temporary with the value of an operand, that has its sign."""
        bare = text.lstrip("-")
        base, point, letters = bare.partition("].") if "]" in bare else bare.partition(".")
        base, letters = (f"{base}]", letters) if point == "]." else (base, letters)
        spare = self.spare()
        self.lines.append(f"mov {spare}, {base}")
        return f"{'-' * (bare != text)}{spare}{'.' * bool(letters)}{letters}"

    def swizzled(self, text: str, letters: str) -> str:
        """An operand with its components in another order."""
        head, point, own = text.rpartition(".")
        if not point or "]" in own:
            return f"{text}.{letters}"
        full = (own + own[-1] * 4)[:4]
        return f"{head}.{''.join([full[_LETTERS.index(each)] for each in letters])}"

    def sources(self, texts: Sequence[str]) -> list[Source]:
        found: list[Source] = []
        for text in texts:
            if text.lstrip("-").partition(".")[0] in self.declared:
                found.append(Source(FLOAT, selector=0))
                continue
            selection = self.reader.operands.read(text, [], index=True)
            if selection.letter == "o" or selection.register >= INTEGER:
                raise _Cannot
            found.append(Source(selection.register, selection.selector, selection.negate, selection.relative))
        return found

    def step(self, name: str, to: str, texts: Sequence[str]) -> None:
        """An instruction, with its sources where they can be read; one for each component that an instruction of one component
        is to read. Raises _Cannot."""
        op = MNEMONICS.get(name)
        if op is None or len(texts) != op.source_count or op.operands[0] != "dst":
            raise _Cannot
        texts, sources = list(texts), self.sources(texts)
        if name in OF_ONE and sources[0].selector not in (0x00, 0x55, 0xAA, 0xFF):
            base, _, mask = to.partition(".")
            for letter in mask or _LETTERS:
                self.lines.append(f"{name} {base}.{letter}, {self.swizzled(texts[0], letter)}")
            return
        for _ in range(4):
            fault = sources_fault(op, self.sources(texts))
            if fault is None:
                self.lines.append(f"{name} {to}, {', '.join(texts)}")
                return
            turned = [*texts[1::-1], *texts[2:]]
            other = sources_fault(op, self.sources(turned)) if op.commutes == YES else fault
            if other is None or other.source > max(fault.source, 1):
                texts = turned
            else:
                texts[fault.source] = self.copy(texts[fault.source])
        raise _Cannot

    def reads(self) -> bool:
        """Whether all lines read without a finding, new constants as uniforms."""
        text = "\n".join(self.lines)
        for name in self.declared:
            text = re.sub(rf"(?<![\w$.]){re.escape(name)}(?![\w$])", self.named.get(name, "c0"), text)
        return all(line == ".else" or read_as(self.reader, line, keep=False) for line in text.split("\n"))


def _formula(text: str) -> Formula:
    node = formula(text)
    if node is None:
        raise _Cannot
    return node


def _operator(text: str) -> str:
    lower = text.lower()
    return COMPARED.get(lower) or (OPERATORS.get(lower, "") if len(lower) == 2 else "")


def _negated(text: str) -> str:
    return text[1:] if text[:1] == "-" else f"-{text}"


def _inverse(text: str) -> str:
    """The reciprocal of a number that is a power of two; empty for others."""
    value = float(text)
    return f"{1 / value:.12g}" if value and (abs(value).hex().partition("p")[0] == "0x1.0000000000000") else ""


def _count_of(rows: Sequence[str]) -> int:
    return max(index + 1 for index, key in enumerate("ABC") if any(re.search(rf"\b{key}\b", row) for row in rows))


def _count(name: str) -> int:
    """The arguments of a function."""
    rows = LINES.get(name)
    return _count_of(rows) if rows else MNEMONICS[name].source_count
