"""Meanings of statements with an unknown instruction: names that are similar, each of which is tried.

Asked only about statements with errors.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.direct3d9.isa.program import Inst
from lanewise.direct3d9.isa.table import DECLARATION, DEFINITION, SAMPLER, SAMPLER_TYPES, USAGES, has, limited
from lanewise.direct3d9.text.names import MNEMONICS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.text.problems import Suggestions
    from lanewise.direct3d9.isa.program import Item
    from lanewise.direct3d9.isa.table import Version

MOST_MEANINGS = 4  # that are tried for one word
_DECLARATIONS = tuple(f"dcl_{kind}" for kind in (*USAGES, *SAMPLER_TYPES[1:]))
_TYPE = 15 << 27  # of a texture, in the word before the register of dcl


_JUMPS = "compare with if_lt A, B ... endif (2_x and 3_0), or select by arithmetic: there are no jumps"
# Instructions of other assemblers, in those that there are: {d} is the result, {a}, {b} and {c} the sources, {t} a register
# that the statement does not name; {n}: {a} negated; {d1}, {a1}, {b1}: one component of them.
_DIVIDED = "write `rcp {t}.x, {b1}`, then `mul {d}, {a}, {t}.x` ({t}: a free register)"
_ROOT = "write `rsq {d1}, {a1}`, then `rcp {d1}, {d1}`"
_FLOOR = "write `frc {t}, {a}`, then `add {d}, {a}, -{t}` ({t}: a free register)"
SINCOS = "`def c30, -1.5500992e-006, -2.1701389e-005, 0.0026041667, 0.00026041668` and `def c31, -0.020833334, -0.125, 1, 0.5`"
_SINE = "`sincos {{t}}.{0}, {{a1}}"
_ANGLE = f"write {_SINE}` in version 3_0, in 2_0 {_SINE}, c30, c31` with {SINCOS}; then `mov {{{{d}}}}, {{{{t}}}}.{{0}}`"
INSTEAD = {
    **dict.fromkeys(("div", "fdiv"), _DIVIDED),
    **dict.fromkeys(("sqrt", "fsqrt"), _ROOT),
    **dict.fromkeys(("floor", "flr"), _FLOOR),
    "sin": _ANGLE.format("y"),
    "cos": _ANGLE.format("x"),
    "ceil": "write `frc {t}, {n}`, then `add {d}, {a}, {t}` ({t}: a free register)",
    **dict.fromkeys(("neg", "fneg", "negate"), "write `mov {d}, {n}`"),
    "clamp": "write `max {d}, {a}, {b}`, then `min {d}, {d}, {c}`; numbers are constants, such as `def c0, 0, 1, 0, 0`",
    **dict.fromkeys(("sat", "saturate"), "write `mov_sat {d}, {a}` (pixel shaders and vs_3_0), or max and min with constants"),
    **dict.fromkeys(("normalize", "normalise"), "write `nrm {d}, {a}` (version 2_0 and later), or dp3, rsq and mul"),
    "cross": "write `crs {d}, {a}, {b}` (version 2_0 and later), or mul and mad of swizzles",
    **dict.fromkeys(
        ("select", "sel", "cmov", "csel", "movc"),
        "write `cmp {d}, {a}, {b}, {c}` in pixel shaders; elsewhere scale by sge or slt",
    ),
    **dict.fromkeys(("jmp", "jump", "goto", "bra", "branch"), _JUMPS),
    **dict.fromkeys(
        [f"{jump}{test}" for jump in ("j", "b") for test in ("lt", "le", "gt", "ge", "eq", "ne", "l", "g", "z", "nz", "e")],
        _JUMPS,
    ),
}


_NUMBERS = {"0": "c0.x", "0.0": "c0.x", "1": "c0.y", "1.0": "c0.y"}  # with def c0, 0, 1, 0, 0


def instead(name: str, rest: str) -> str:
    """The fix for an instruction of other assemblers, with the operands of its statement; empty for any other name."""
    template = INSTEAD.get(name, "")
    base = name.removesuffix("saturate").removesuffix("sat")
    if not template and base != name and base in MNEMONICS:
        return f"write `{base}_sat{rest.partition(';')[0].partition('//')[0].rstrip()}` (pixel shaders and vs_3_0)"
    operands = [each.strip() for each in rest.partition(";")[0].partition("//")[0].split(",")]
    d, a, b, c = (given or usual for given, usual in zip([*operands, "", "", "", ""], ("r0", "a", "b", "c"), strict=False))
    b, c = _NUMBERS.get(b, b), _NUMBERS.get(c, c)
    mask = d[d.find(".") :] if "." in d else ""
    free = next(f"r{n}" for n in range(12) if all(each.lstrip("-").partition(".")[0] != f"r{n}" for each in operands))
    t = f"{free}{mask}" if "{t}." not in template else free
    ones = {f"{key}1": each if "." in each else f"{each}.x" for key, each in (("d", d), ("a", a), ("b", b))}
    return template.format(d=d, a=a, b=b, c=c, t=t, n=a[1:] if a[:1] == "-" else f"-{a}", **ones)


def instruction(word: str, suggestions: Suggestions, version: Version, reads: Callable[[str], bool]) -> tuple[str, bool]:
    """The name that a word at the beginning of a statement is meant to be, and whether the statement reads with it.

    Empty if nothing is similar. `reads` tries a name.
    """
    names = [*MNEMONICS, "dcl", *_DECLARATIONS]
    near = suggestions.similar(word, names, MOST_MEANINGS)
    known = [name for name in near if name not in MNEMONICS or has(MNEMONICS[name].op, version)]
    for name in known:
        if reads(name):
            return name, True
    return next(iter([*known, *near]), ""), False


def fits(version: Version, items: Sequence[Item]) -> bool:
    """Whether the rows of instructions allow their destinations: write masks, and textures of declared samplers."""
    for item in items:
        if isinstance(item, Inst) and item.dest is not None:
            role = item.op.role
            if role == DECLARATION and item.dest.file == SAMPLER and not item.payload[0] & _TYPE:
                return False
            masks = limited(item.op.masks, version)
            if role not in (DECLARATION, DEFINITION) and masks and item.dest.mask not in masks:
                return False
    return True
