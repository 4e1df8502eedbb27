"""A whole program around an instruction, short enough to be changed in the playground."""

from __future__ import annotations

from lanewise.pica200.isa.table import BY_NAME as PICA200
from lanewise.shadercore.isa.table import BY_NAME as SHADERCORE

_HEAD = """\
.fvec given
.constf numbers(0.0, 1.0, 0.5, 2.0)
{declared}
.in first
.in second
.out outpos position
.out outclr color

.proc main
    mov outpos, first
    mov r0, second
"""
_TAIL = """\
    mov outclr, r0
    end
.end
"""
_TWICE = "\n.proc twice\n    add r0, r0, r0\n.end\n"
_COMPARED = "    cmp given, gt, lt, r0\n"
# The lines for what is not arithmetic: declarations, instructions, procedures.
_FLOW = {
    "nop":    ("", "    nop\n", ""),
    "cmp":    ("", _COMPARED + "    ifc cmp.x\n        mov r0, numbers.yyyy\n    .end\n", ""),
    "ifc":    ("",
               _COMPARED + "    ifc cmp.x && !cmp.y\n        mov r0, numbers.yyyy\n    .else\n        mov r0, numbers.xxxx\n"
                           "    .end\n", ""),
    "ifu":    (".bool flag\n", "    ifu flag\n        mov r0, numbers.yyyy\n    .end\n", ""),
    "for":    (".ivec turns\n", "    for turns\n        add r0, given, r0\n    .end\n", ""),
    "break":  (".ivec turns\n", "    for turns\n        add r0, given, r0\n        break\n    .end\n", ""),
    "breakc": (".ivec turns\n",
               "    for turns\n        add r0, given, r0\n        cmp numbers.wwww, lt, lt, r0\n        breakc cmp.x\n"
               "    .end\n", ""),
    "call":   ("", "    call twice\n", _TWICE),
    "callc":  ("", _COMPARED + "    callc cmp.x, twice\n", _TWICE),
    "callu":  (".bool flag\n", "    callu flag, twice\n", _TWICE),
    "jmpc":   ("", _COMPARED + "    jmpc cmp.x, over\n    add r0, r0, r0\nover:\n", ""),
    "jmpu":   (".bool flag\n", "    jmpu flag, over\n    add r0, r0, r0\nover:\n", ""),
    "mova":   (".fvec table[4]\n", "    mova a0.x, first.x\n    mov r0, table[a0.x]\n", ""),
}  # fmt: skip
_SCALAR = {"ex2", "lg2", "rcp", "rsq"}  # they read one component of their source
_UNTRIED = {
    "emit",
    "setemit",
    "end",
    "unused",
}  # geometry shaders are two files; `end` is in every program; `unused` computes nothing


def trial(isa: str, name: str) -> tuple[str, str]:
    """The name of a file and its text; both empty where an instruction has no program of its own."""
    if name in _UNTRIED or isa not in {"pica200", "shadercore"}:
        return "", ""
    return (f"{name}.v.pica", _pica200(name)) if isa == "pica200" else (f"{name}.sc", _shadercore(name))


def _pica200(name: str) -> str:
    return whole(*(_FLOW.get(name) or ("", _arithmetic(name), "")))


def whole(declared: str, lines: str, procedures: str = "") -> str:
    """A PICA200 program with some lines in it that read `first`, `second` and `given`, and compute r0."""
    return _HEAD.format(declared=declared) + lines + _TAIL + procedures


def _arithmetic(name: str) -> str:
    """One instruction. Its wide source, which may be a uniform, is the first or in the forms with `i` the last; that of mad is
    the second."""
    row = PICA200[name]
    sources = {1: ("first.xxxx" if name in _SCALAR else "first",), 2: ("given", "r0"), 3: ("first", "given", "r0")}[
        row.source_count
    ]
    if name != row.base:
        sources = {2: ("r0", "given"), 3: ("first", "r0", "given")}[row.source_count]
    return f"    {row.base} r0, {', '.join(sources)}\n"


def _shadercore(name: str) -> str:
    sources = ", ".join(("v0.x", "v1.x")[: SHADERCORE[name].sources])
    line = f"    {name} r0.x, {sources}\n    mov o1.x, r0.x\n" if sources else f"    {name}\n    mov o1.x, v1.x\n"
    head = ".input v0 position\n.input v1 color\n.output o0 position\n.output o1 color\n    mov o0.xyzw, v0.xyzw\n"
    return f"{head}{line}    mov o1.yzw, v1.yzw\n    end\n"


__all__ = ["trial"]
