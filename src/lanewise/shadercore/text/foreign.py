"""Instructions of other languages, written in this one with the operands of the statement.

The lines are those of `substitutes`: the result and the sources are put in the place of r0 to r3, and registers that the
statement does not name in the place of those that are needed in between.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.shadercore.isa.table import ABS, BY_NAME, COMPONENTS, NEG_ABS, NEGATE, NONE
from lanewise.shadercore.text import lanes
from lanewise.shadercore.text.operands import Fault, read_dest, read_source
from lanewise.shadercore.text.substitutes import LINES, NAMES, SENTENCES, rows, substitute, with_operands

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.shadercore.isa.table import Op
    from lanewise.shadercore.text.operands import Operand

_LETTERS = "".join(COMPONENTS)
_TEXTS = {NONE: "{}", NEGATE: "-{}", ABS: "abs({})", NEG_ABS: "-abs({})"}
_SATURATED = ("sat", "saturate", "saturated", "clamp", "clamped", "clamp01")
_CONDITIONS = (
    *("eq", "ne", "lt", "le", "gt", "ge", "e", "l", "g", "z", "nz", "a", "ae", "b", "be", "c", "nc", "s", "ns", "o", "no"),
    *("nle", "nlt", "nge", "ngt", "hi", "hs", "lo", "ls", "mi", "pl", "cs", "cc", "al", "mp", "r", "x", "lr", "n", "al"),
    *("eqz", "nez", "ltz", "lez", "gtz", "gez", "ltu", "geu", "gtu", "leu", "neq"),
)
_ARM = ("eq", "ne", "hi", "hs", "lo", "ls", "mi", "pl", "cs", "cc", "le", "lt", "ge", "gt")
_TYPES = (
    "f",
    "f32",
    "f16",
    "float",
    "s",
    "ss",
    "ps",
    "sd",
    "pd",
    "pp",
    "rn",
    "rz",
    "vs",
    "e32",
    "e64",
    "lo",
    "hi",
    "full",
    "xyzw",
    *("f64", "ftz", "approx", "rm", "rp", "rni", "wide", "uniform"),
)
_COMPUTING = ("add", "mul", "min", "max", "slt", "sge")  # with numbers, not with patterns
_INTEGERS = frozenset([f"{kind}{bits}" for kind in "sub" for bits in (8, 16, 32, 64)] + ["i", "i32", "u", "iu"])
_PACKED = ("ps", "ss", "pd", "sd")  # of x86
_MOVES = ("movaps", "movups", "movss", "movapd", "movsd", "movd", "movq", "vmovaps", "vmovups", "vmovss", "fmov", "mv")
_FLAGS = ("cmp", "test", "tst", "fcmp", "ucomiss", "comiss", "cmpl", "cmps")


class Reference(Record):
    """An operand of a line of `substitutes`: its register, the components, whether it is negated, and whether absolute."""

    register: str
    components: str
    negated: bool
    absolute: bool


def _reference(text: str) -> Reference:
    negated = text.startswith("-")
    rest = text.removeprefix("-")
    absolute = rest.startswith("abs(")
    register, _, components = rest.removeprefix("abs(").removesuffix(")").partition(".")
    return Reference(register, components, negated, absolute)


def rewritten(
    name: str, suffix: str, texts: Sequence[str], components: str, reads: Callable[[str], bool], unused: Sequence[str] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(lines, registers that they need in between) for an instruction of `substitutes` with operands; empty where they do not
    fit. `components` are those of a result that names none, `unused` the registers that the program does not name."""
    name = name.lower()
    lines = LINES.get(NAMES.get(name, name), ())
    if not lines or not texts:
        return (), ()
    try:
        dest = read_dest(texts[0], 1, may_be_zero=False)
        sources = [read_source(text, 1) for text in texts[1:]]
    except Fault:
        return (), ()
    parsed = [
        (head, [_reference(part) for part in rest.split(", ")]) for head, _, rest in (line.partition(" ") for line in lines)
    ]
    named = {each.register for _, parts in parsed for each in parts}
    if dest.file not in "rxo" or len(sources) != len(named & {"r1", "r2", "r3"}):
        return (), ()
    by_component = all(each.components == "x" for _, parts in parsed for each in parts)
    final = parsed[-1][1][0].components
    width = components or ("xyzw" if by_component and not all(source.named for source in sources) else final)
    written = "".join(COMPONENTS[n] for n in dest.components) if dest.named else width
    taken = [f"{each.file}{each.number}" for each in (dest, *sources)]
    free = [name for name in (*unused, *[f"r{n}" for n in range(8) if f"r{n}" not in unused]) if name not in taken]
    same = any((source.file, source.number) == (dest.file, dest.number) for source in sources)
    results = {parts[0].register for _, parts in parsed[:-1]}
    needed = [each for each in ("r0", "r4") if each in results and (each == "r4" or same or not by_component)]
    if len(free) < len(needed):
        return (), ()
    scratch = dict(zip(needed, free, strict=False))
    target = f"{dest.file}{dest.number}"

    def shown(each: Reference, *, last: bool) -> str:
        if not each.register[:1].isalpha():
            return each.register
        if each.register in ("r0", "r4"):
            chosen = target if last else scratch.get(each.register, target)
            parts = written if by_component or last else each.components
            text, modifier = f"{chosen}.{parts}", NONE
        else:
            source = sources[int(each.register[1:]) - 1]
            text, modifier = _source(source, each.components, written if by_component else ""), source.modifier
        if each.absolute:
            modifier = ABS
        if each.negated:
            modifier ^= NEGATE
        return _TEXTS[modifier].format(f"({text})" if text.startswith("-") and modifier in (NEGATE, NEG_ABS) else text)

    found: list[str] = []
    try:
        for number, (head, parts) in enumerate(parsed):
            last = number == len(parsed) - 1
            ending = "_sat" if last and suffix and not head.endswith("_sat") else ""
            operands = [shown(each, last=last and place == 0) for place, each in enumerate(parts)]
            found.append(f"{head}{ending} {', '.join(operands)}")
    except IndexError:
        return (), ()
    return (tuple(found), tuple(scratch.values())) if all(map(reads, found)) else ((), ())


def _source(source: Operand, components: str, written: str) -> str:
    """A source of the statement, with those of its components that a line reads; `written` are those of the result where each
    is computed alike. Raises IndexError where it has fewer."""
    if source.file not in "rvcxo":
        return source.file
    name = f"{source.file}{source.number}"
    if written or (source.named and len(source.components) == 1):
        return f"{name}.{''.join(COMPONENTS[n] for n in source.components)}" if source.named else f"{name}.{written}"
    given = source.components if source.named else range(4)
    return f"{name}.{''.join(COMPONENTS[given[_LETTERS.index(letter)]] for letter in components)}"


_CLEARS = ("xor", "eor", "pxor", "xorps", "veor")  # of a register with itself


def fix_of(
    head: str,
    operands: Sequence[str],
    ops: Mapping[str, Op],
    reads: Callable[[str], bool],
    usage: Callable[[Op], str],
    unused: Sequence[str] = (),
) -> tuple[str, str]:
    """(fix, the line that replaces the statement) for an unknown instruction of another language; empty for any other name.

    `ops` are the instructions of the device, `reads` says whether a line can be read, `usage` how an instruction is written,
    `unused` are registers that the program does not name.
    """
    if head.lower().partition(".")[0] in lanes.SHARING:
        return "remove it: the core has no memory that lanes share; outputs are o0 to o7", ""
    operands = [lanes.other(lanes.virtual(each)) for each in operands]
    base, suffix, components = _parted(head.lower(), ops)
    if base == "clamp" and list(operands[2:]) == ["0", "1"]:
        base, operands = "sat", operands[:2]
    register, point, named = head.partition(".")
    if operands and point and register[:1].lower() in "rxo" and register[1:].isdigit() and operands[0].startswith("="):
        line = f"mov {register}.{named}, {' '.join((operands[0][1:].strip(), *operands[1:])).strip()}"
        read = reads(line)
        return (
            f"write `{line}`" if read else "write one instruction for each operation: `mov r0.x, v0.x`",
            line if read else "",
        )
    if base in ops and base != head.lower():
        written = head.lower().replace(".", "_")
        before = next((each for each in ("v_", "s_", "f32_", "v", "f", "") if written.removeprefix(each).startswith(base)), "")
        left = [] if written in _MOVES else written.removeprefix(before).removeprefix(base).strip("_").split("_")
        if any("[" in each for each in operands):
            return SENTENCES["ld"], ""
        if head.lower().endswith("ss"):
            components = components or "x"
        if left == ["x2"] and reads(line := f"{base} {', '.join(operands)}"):
            return f"write `{line}`, then `add {operands[0]}, {operands[0]}, {operands[0]}`", ""
        whole = not _INTEGERS.isdisjoint(left)
        if not {*_SATURATED, *_TYPES, *_INTEGERS, components, ""}.issuperset(left) and left[-1:] != [base]:
            return f"write {usage(ops[base])}: an instruction has no suffix but _sat; signs and abs( ) are with sources", ""
        if ops[base].sources == 2 and len(operands) == 2:  # the destination is a source too, as on x86
            operands = [operands[0], *operands]
        kind = ": numbers are float32, there are no integers" if whole and ops[base].name in _COMPUTING else ""
        if base not in BY_NAME or not operands:
            return f"write `{base}{suffix}`{kind}", ""
        for letters in (components, _LETTERS):
            line = " ".join((f"{base}{suffix}", ", ".join(_with_components(operands, letters))))
            if reads(line):
                return f"write `{line}`{kind}", "" if kind else line
        return f"write `{base}{suffix}`{kind}", ""
    if base in _CLEARS and len({*operands}) == 1 and reads(line := f"mov {operands[0]}, 0"):
        return f"write `{line}`", line
    lines, scratch = rewritten(base, suffix, operands, components, reads, unused)
    if lines:
        return _rewriting(lines, scratch, unused), lines[0] if len(lines) == 1 else ""
    if base in _FLAGS and len(operands) == 2:
        a, b = operands
        s = next((f"r{n}.x" for n in range(8) if not any(each.lstrip("-").startswith(f"r{n}") for each in operands)), "x0.x")
        return (
            f"the core has no flags: write `slt {s}, {a}, {b}`, 1.0 where {a} < {b}, else 0.0, or `sge {s}, {a}, {b}`, "
            f"the reverse; and in the place of a jump compute both values: b + {s} * (a - b) selects one of them"
        ), ""
    if base in ("ret", "return", "exit", "halt", "hlt", "stop") and not operands:
        return "write `end`, which ends the program", "end"
    if base in ("max3", "min3", "med3") and len(operands) == 4:
        d, a, b, c = operands
        kinds = ("max", "min") if base == "med3" else (base[:3], base[:3])
        return f"write `{kinds[0]} {d}, {a}, {b}`, then `{kinds[1]} {d}, {d}, {c}`", ""
    equal = {"setp.eq": "seq", "setp.ne": "sne"}.get(".".join(head.lower().split(".")[:2]), "")
    selected = (
        _rewriting(*rewritten(equal, "", operands, "", reads, unused), unused) if equal else lanes.chosen(head, operands, reads)
    )
    if selected:
        return selected, ""
    if base not in LINES and base not in NAMES and _is_jump(base):
        return SENTENCES["jmp"], ""
    if head[:3].lower() in BY_NAME and head[3:].lower() in _ARM:
        return (
            f"the core has no flags: conditions are 1.0 or 0.0 of `slt` and `sge`; `{head[:3].lower()}` both values to "
            "registers, and select: b + s * (a - b) is a where s is 1.0"
        ), ""
    if base == "cmp" and len(operands) == 3:
        d, a, b = operands
        return f"write `slt {d}, {a}, {b}`, 1.0 where {a} < {b}, else 0.0, or `sge {d}, {a}, {b}`, the reverse", ""
    free = next((name for name in (*unused, "r7", "r6", "r5", "r4") if not any(name in each for each in operands)), "x0")
    return rows(base, operands, free) or with_operands(substitute(base), operands, free), ""


def _rewriting(lines: Sequence[str], scratch: Sequence[str], unused: Sequence[str] = ()) -> str:
    if not lines:
        return ""
    many = len(scratch) > 1
    free = f" ({' and '.join(scratch)}: {'any free registers' if many else 'any free register'})" if scratch else ""
    if free and {*scratch} <= {*unused}:
        free = f" ({' and '.join(scratch)} {'are' if many else 'is'} free)"
    if any(line.startswith(("exp ", "log ")) for line in lines):
        free += (
            ", for --device document: the public core gives 0.0 for exp and log, and `lanewise compile` computes them otherwise"
        )
    return "write " + ", then ".join(f"`{line}`" for line in lines) + free


def _with_components(operands: Sequence[str], components: str) -> list[str]:
    return [f"{each}.{components}" if components and each[-1:].isdigit() and "." not in each else each for each in operands]


def _parted(name: str, ops: Mapping[str, Op]) -> tuple[str, str, str]:
    """(instruction, `_sat` or nothing, components) of a name such as `mul.sat`, `mulsat`, `mul.xyz`, `fmul` and `v_mul_f32`."""

    if name in _MOVES:
        return "mov", "", ""

    def known(text: str) -> bool:
        return text in ops or text in LINES or text in NAMES or text in SENTENCES

    parts = [part for part in name.replace(".", "_").split("_") if part]
    suffix = "_sat" if any(part in _SATURATED for part in parts[1:]) else ""
    components = next(
        (part for part in parts[1:] if part and len(part) <= len(_LETTERS) and not part.strip(_LETTERS) and part != "w"), ""
    )
    for base in (name, *parts, *[part[1:] for part in parts if part[0] in "fv"]):
        if known(base):
            return base, suffix, components
        if any(known(base[: -len(ending)]) for ending in _PACKED if base.endswith(ending)):
            return base[:-2], suffix, components
        for ending in _SATURATED:
            if base.endswith(ending) and known(base[: -len(ending)]) and base != ending:
                return base[: -len(ending)], "_sat", components
    return name, suffix, components


def _is_jump(name: str) -> bool:
    for head in ("jmp", "jump", "branch", "br", "j", "b", "goto", "call"):
        if name.startswith(head) and name.removeprefix(head).strip("._") in _CONDITIONS:
            return True
    return False
