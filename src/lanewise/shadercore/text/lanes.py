"""Registers and conditions of languages in which each lane knows itself: PTX, and the GPUs and shaders that have predicates."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_IDENTITIES = (
    *("laneid", "warpid", "tid", "ntid", "ctaid", "nctaid", "clock", "threadidx", "blockidx", "blockdim", "lane", "thread_id"),
    *("gl_vertexid", "gl_vertexindex", "gl_instanceid", "gl_instanceindex", "gl_subgroupinvocationid", "gl_globalinvocationid"),
    *("sv_vertexid", "sv_instanceid", "sv_dispatchthreadid", "sv_groupindex", "vertex_index", "vertexid", "instanceid"),
    *("vid", "lane_id", "mhartid", "hartid", "gl_localinvocationindex", "gl_localinvocationid", "vertex_id", "instance_id"),
)
SHARING = ("atom", "atomic", "red", "suld", "sust")
INPUT = (
    "the hardware gives no lane its number: write v7.x, declare `.input v7 texcoord3`, and give the numbers as data: "
    '`--input "texcoord3=0;1;2;3"`'
)
_COMPARISONS = {
    "lt": "slt {0}, {1}, {2}",
    "ge": "sge {0}, {1}, {2}",
    "gt": "slt {0}, {2}, {1}",
    "le": "sge {0}, {2}, {1}",
}
_LETTERS = "xyzw"
_VIRTUAL = ("f", "fd", "r", "rd", "rs", "h")
_WIDE = ("xmm", "ymm", "zmm", "q", "d")
_SCALARS = ("s", "f", "fa", "fs", "ft", "st", "w")
_R, _X = 32, 28  # components of r0 to r7, and of x0 to x6


def identity(name: str) -> str:
    """The fix for a register that has the number of the lane, of the vertex or of the instance; empty for others."""
    return INPUT if name.lower().partition(".")[0].lstrip("%$") in _IDENTITIES else ""


def virtual(name: str) -> str:
    """The component of a register for a virtual register such as `%f1`, also with a sign; the name where it is another."""
    sign, mark, rest = name.rpartition("%")
    letters = rest.rstrip("0123456789")
    digits = rest[len(letters) :]
    if not mark or sign not in ("", "-", "!") or not digits or len(digits) > 2:
        return name
    number = int(digits)
    if letters in _VIRTUAL and number < _R + _X:
        file, number = ("r", number) if number < _R else ("x", number - _R)
    elif letters == "p" and number < len(_LETTERS):
        file, number = "x", number + _X - len(_LETTERS)
    else:
        return name
    return f"{sign}{file}{number // len(_LETTERS)}.{_LETTERS[number % len(_LETTERS)]}"


def other(name: str) -> str:
    """A register for one of x86, ARM, RISC-V or MIPS: `xmm1` is r1, `s5` and `fa5` are r1.y; the name where it is another."""
    sign = "-" if name.startswith("-") else ""
    plain = name.removeprefix("-").removeprefix("$").lower()
    letters = plain.rstrip("0123456789")
    digits = plain[len(letters) :]
    if not digits or len(digits) > 2:
        return name
    number = int(digits)
    if letters in _WIDE and number < (_R + _X) // len(_LETTERS):
        return f"{sign}{f'r{number}' if number < _R // len(_LETTERS) else f'x{number - _R // len(_LETTERS)}'}"
    if letters in _SCALARS:
        return virtual(f"{sign}%f{number}")
    return name


def operand(text: str) -> str:
    """The fix for an operand that is such a register; empty for others."""
    component = virtual(text)
    if component == text:
        return identity(text)
    return f"write {component}: registers are r0-r7 and x0-x6, and each component is one value"


def chosen(head: str, operands: Sequence[str], reads: Callable[[str], bool]) -> str:
    """The fix for a comparison into a predicate, or a selection by one, of PTX, DXBC or SPIR-V; empty where it does not fit."""
    name, *parts = head.lower().split(".")
    condition = ""
    lines: tuple[str, ...] = ()
    if name in ("setp", "set") and parts and len(operands) == 3:
        comparison = _COMPARISONS.get(parts[0].removesuffix("u") if len(parts[0]) == 3 else parts[0], "")
        if comparison:
            lines = (comparison.format(*operands),)
    elif name in ("selp", "movc", "select") and len(operands) == 4:
        dest, a, b, condition = operands if name == "selp" else (operands[0], *operands[2:], operands[1])
        if dest not in (b, condition):
            lines = (f"add {dest}, {a}, {_negative(b)}", f"mul {dest}, {dest}, {condition}", f"add {dest}, {dest}, {b}")
    if not lines or not all(map(reads, lines)):
        return ""
    return f"write {_then(lines)}{'' if len(lines) == 1 else f', with {condition} of `slt` or `sge`'}"


def predicated(head: str, rest: str, reads: Callable[[str], bool], unused: Sequence[str]) -> str:
    """The lines for a statement under a predicate, such as `@r0.x mov o0.x, v0.x`; empty where they cannot be given."""
    negated = head[1:2] == "!"
    predicate = head[1 + negated :]
    predicate = virtual(f"%{predicate}" if predicate[:1] == "p" else predicate)
    name, _, tail = rest.strip().partition(" ")
    name = name.partition(".")[0]
    operands = [virtual(each.strip()) for each in tail.split(",")]
    dest = operands[0]
    named = " ".join((predicate, *operands)).lower()
    scratch = next((each for each in (*unused, *[f"r{n}" for n in range(7, -1, -1)]) if each not in named), "")
    letters = dest.partition(".")[2]
    if not scratch or not letters:
        return ""
    held = f"{scratch}.{letters}"
    lines = (
        " ".join((name, ", ".join((held, *operands[1:])))),
        *(
            (f"add {dest}, {dest}, -{held}", f"mul {dest}, {dest}, {predicate}", f"add {dest}, {dest}, {held}")
            if negated
            else (f"add {held}, {held}, -{dest}", f"mul {held}, {held}, {predicate}", f"add {dest}, {dest}, {held}")
        ),
    )
    if not all(map(reads, lines)):
        return ""
    free = f"{scratch} is free" if scratch in unused else f"{scratch}: any free register"
    return f"the core has no predicates: write {_then(lines)} ({free}; {predicate} is 1.0 or 0.0)"


def _negative(source: str) -> str:
    return source[1:] if source.startswith("-") else f"-{source}"


def _then(lines: Sequence[str]) -> str:
    return ", then ".join(f"`{line}`" for line in lines)
