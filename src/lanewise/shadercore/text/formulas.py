"""Statements that are formulas, or have numbers as operands, in other languages: the lines that compute them here.

r0.x = v0.x * v0.y + 2      `mul r0.x, v0.x, v0.y`, then `add r0.x, r0.x, c0.x` with `.const c0 (2, 0, 0, 0)`
addi r0.x, v0.x, 4          `add r0.x, v0.x, c0.x` with `.const c0 (4, 0, 0, 0)`
"""

from __future__ import annotations

import re

from lanewise.core.diagnostics import PortableError
from lanewise.core.record import TYPE_CHECKING
from lanewise.shadercore.isa.table import BY_NAME
from lanewise.shadercore.text.foreign import rewritten
from lanewise.shadercore.text.operands import number_text
from lanewise.shadercore.text.substitutes import LINES, NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Reads = Callable[[str], bool]

_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fFhH]?"
_ASSIGNED = re.compile(r"([rxo]\d)(?:\.([xyzw]{1,4}))?\s*(:=|<-|<=|[-+*/]?=)\s*(.+)")
_TOKEN = re.compile(rf"\s*(0x[0-9a-fA-F]+|{_NUMBER}|[A-Za-z_][\w.]*|[<>]=?|[-+*/(),])")
_PRIORITIES = (("<", "<=", ">", ">="), ("+", "-"), ("*", "/"))
_OPERATIONS = {"+": "add", "-": "sub", "*": "mul", "/": "div", "<": "slt", ">=": "sge", ">": "sgt", "<=": "sle"}
_NUMBERED = {**{f"{name}i": name for name in ("add", "sub", "mul", "min", "max", "slt", "mov")}, "li": "mov", "ldi": "mov"}
_SHIFTS = ("shl", "sal", "asl", "lsl", "sll", "shr", "sra", "asr", "lsr", "srl")
_ALONE = {  # the instruction, and its sources; empty for the operand itself
    "inc": ("add", ("", "1")),
    "dec": ("add", ("", "-1")),
    **dict.fromkeys(("clr", "clear", "zero", "reset"), ("mov", ("0",))),
}
_FUSED = re.compile(r"vf(n?)m(add|sub)(132|213|231)[sp][sd]")
_ORDERS = {"132": (0, 2, 1), "213": (1, 0, 2), "231": (1, 2, 0)}  # of the operands: two factors, and what is added


def written(head: str, rest: str, operands: Sequence[str], reads: Reads, free: Sequence[str]) -> str:
    """The fix for a statement whose instruction is unknown; empty for what is neither a formula nor has such a name. `free` are
    registers that the program does not name: a constant, and those to compute with."""
    if len(rest) > _LONGEST:
        return ""
    try:
        return _written(head, rest, operands, _Work(reads, free))
    except (_Unread, IndexError):
        return ""


def _written(head: str, rest: str, operands: Sequence[str], work: _Work) -> str:
    """Raises _Unread, IndexError."""
    formula = _ASSIGNED.fullmatch(f"{head} {rest}".strip().rstrip(";").strip())
    if formula is not None:
        register, letters, mark, value = formula.groups()
        target = f"{register}.{letters or 'xyzw'}"
        return work.formula(target, f"{target} {mark[0]} ({value})" if mark in ("+=", "-=", "*=", "/=") else value)
    name, saturated, _ = head.lower().partition("_sat")
    meant = _NUMBERED.get(name, "")
    if meant and operands and re.fullmatch(rf"#?([-+]?{_NUMBER}|0x[0-9a-fA-F]+)", operands[-1]):
        texts = [*operands[:-1], operands[-1].removeprefix("#")]
        work.compute(meant, texts, "_sat" if saturated else "")
        return work.sentence()
    if name.rstrip("i") in _SHIFTS and len(operands) == 3 and operands[2].lstrip("#").isdecimal():
        return _shifted(name.rstrip("i"), operands, int(operands[2].lstrip("#")), work)
    if name in _ALONE and len(operands) == 1:
        target = operands[0] if "." in operands[0] else f"{operands[0]}.xyzw"
        work.compute(_ALONE[name][0], [target, *[each or target for each in _ALONE[name][1]]])
        return work.sentence()
    fused = _FUSED.fullmatch(name)
    if fused is not None and len(operands) == 3:
        a, b, c = [_component(operands[at]) for at in _ORDERS[fused[3]]]
        a = f"-{a}" if fused[1] else a
        work.compute("mad", [_component(operands[0]), a, b, f"-{c}" if fused[2] == "sub" else c])
        return work.sentence()
    return ""


def _shifted(name: str, operands: Sequence[str], count: int, work: _Work) -> str:
    """The fix of a shift by a number: of the bits where the core has it, and of a number as a product."""
    left = name in _SHIFTS[:5]
    work.compute("mul", [operands[0], operands[1], f"{2.0 ** (count if left else -count):.9g}"])
    product = work.sentence().removeprefix("write ")
    if count in (8, 16, 24):
        return f"write `bshft{'l' if left else 'r'}{count} {operands[0]}, {operands[1]}` for bits; for a number {product}"
    return f"write {product}, which multiplies a number by 2^{count if left else -count}; bits are shifted by 8, 16 or 24 only"


def _component(text: str) -> str:
    """An operand of a scalar, with its component."""
    return text if "." in text else f"{text}.x"


class _Unread(PortableError):
    """A formula that is not read."""


class _Work:
    """The lines of one statement while they are made."""

    def __init__(self, reads: Reads, free: Sequence[str]) -> None:
        self._reads, self._constant, self._free = reads, free[0], list(free[1:])
        self._lines: list[str] = []
        self._numbers: list[str] = []
        self._tokens: list[str] = []
        self._letters = "x"

    def formula(self, target: str, text: str) -> str:
        """The fix for `target = text`."""
        self._letters = target.partition(".")[2]
        try:
            self._tokens = self._split(text)
            result = self._level(0, target)
            if self._tokens:
                raise _Unread
            if result != target:
                self.compute("mov", [target, result])
        except (_Unread, IndexError):
            return _EACH
        return self.sentence()

    def _split(self, text: str) -> list[str]:
        found, at = list[str](), 0
        while at < len(text.rstrip()):
            token = _TOKEN.match(text, at)
            if token is None:
                raise _Unread
            found.append(token[1])
            at = token.end()
        return found

    def _level(self, level: int, target: str = "") -> str:
        """Read operations of a priority and above: the operand with the result. `target`: where the last one goes."""
        if level == len(_PRIORITIES):
            return self._atom(target)
        left = self._level(level + 1, target)
        while self._tokens and self._tokens[0] in _PRIORITIES[level]:
            mark = self._tokens.pop(0)
            right = self._level(level + 1)
            last = not self._tokens
            left = self._apply(_OPERATIONS[mark], [left, right], target if last else "")
        return left

    def _apply(self, name: str, operands: list[str], target: str) -> str:
        """Compute an operation into the target, or a free register."""
        if name == "div" and _is_number(operands[0], 1):
            name, operands = "rcp", [operands[1]]
        elif name == "div" and _is_number(operands[1]) and float(_plain(operands[1])):
            name, operands[1] = "mul", f"{1 / float(_plain(operands[1])):.9g}"
        place = target or self._temporary()
        self.compute(name, [place, *operands])
        return place

    def _temporary(self) -> str:
        return f"{self._free.pop(0)}.{self._letters}"

    def _atom(self, target: str) -> str:
        token = self._tokens.pop(0)
        if token == "-":
            inner = self._atom("")
            return inner[1:] if inner.startswith("-") else f"-{inner}"
        if token == "(":
            inner = self._level(0, "")
            if self._tokens.pop(0) != ")":
                raise _Unread
            return inner
        if self._tokens[:1] != ["("]:
            register = token[:1] in "rvcxo" and token[1:2].isdigit()
            if not register and not _is_number(token) and token[:2] != "0x":
                raise _Unread
            return token if not register or "." in token else f"{token}.{self._letters}"
        self._tokens.pop(0)
        arguments = [self._level(0)]
        while self._tokens[0] == ",":
            self._tokens.pop(0)
            arguments.append(self._level(0))
        if self._tokens.pop(0) != ")":
            raise _Unread
        name = token.lower().rpartition(".")[2]
        if name in ("abs", "fabs") and not arguments[0].startswith("-"):
            return f"abs({arguments[0]})"
        if name in _WIDE:  # sums of products of whole registers
            arguments = [each.partition(".")[0] if each.endswith(f".{self._letters}") else each for each in arguments]
        return self._apply(name, arguments, target if not self._tokens else "")

    def compute(self, name: str, operands: Sequence[str], suffix: str = "") -> None:
        """Add the lines of an instruction, those of `substitutes` among them. Raises _Unread."""
        texts = [self._number(each) if _is_number(each) or each.lower().startswith("0x") else each for each in operands]
        line = f"{name}{suffix} {', '.join(texts)}"
        if name in BY_NAME and self._reads(line):
            self._lines.append(line)
            return
        lines, scratch = rewritten(name, suffix, texts, "", self._reads) if NAMES.get(name, name) in LINES else ((), ())
        if not lines:
            raise _Unread
        for each in scratch:
            free = self._free.pop(0)
            lines = tuple([line.replace(f"{each}.", f"{free}.") for line in lines])
        self._lines += lines

    def _number(self, text: str) -> str:
        """The operand for a number: a register of fixed value, or a component of the free constant."""
        value = str(int(text, 16)) if text.lower().startswith("0x") else _plain(text)
        fixed = number_text(value)
        if not fixed.startswith("c0."):
            return fixed
        if value not in self._numbers:
            self._numbers.append(value)
        if len(self._numbers) > _COMPONENTS:
            raise _Unread
        return f"{self._constant}.{'xyzw'[self._numbers.index(value)]}"

    def sentence(self) -> str:
        constant = ", ".join([*self._numbers, *["0"] * (_COMPONENTS - len(self._numbers))])
        above = f", with `.const {self._constant} ({constant})` above" if self._numbers else ""
        return f"write {', then '.join(f'`{line}`' for line in self._lines)}{above}"


def _plain(text: str) -> str:
    return text.rstrip("fFhH")


def _is_number(text: str, value: float | None = None) -> bool:
    found = re.fullmatch(rf"[-+]?{_NUMBER}", text) is not None
    return found and (value is None or float(_plain(text)) == value)


_COMPONENTS, _LONGEST = 4, 200
_WIDE = ("dot", "dot3", "dot4", "dp3", "dp4", "length", "normalize", "normalise", "cross")
_EACH = "write one instruction for each operation: `mul r0.x, v0.x, v0.y`, then `add r0.x, r0.x, v0.z`"
