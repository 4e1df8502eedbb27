"""What is wrong with a directive that reads well: too little room, properties of other hardware.

Asked only about directives with errors.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.problems import Problem
from lanewise.pica200.isa.uniforms import COUNT
from lanewise.pica200.text.picasso.arguments import poison
from lanewise.pica200.text.picasso.misreadings import number_of
from lanewise.pica200.text.picasso.syntax import is_identifier
from lanewise.pica200.text.rewriting import near

if TYPE_CHECKING:
    from lanewise.pica200.text.picasso.reader import Reader

OUTPUTS = {  # what no output is
    **dict.fromkeys(("fog", "fogcoord"), "remove it: the fragment unit computes fog from the depth (C3D_FogLutBind)"),
    **dict.fromkeys(("psize", "pointsize", "size"), "make squares in a geometry shader: there are no points"),
    **dict.fromkeys(("depth", "z"), "write z of the position: it is the depth"),
    **dict.fromkeys(
        ("color1", "color2", "specular", "secondary"),
        "send it as a texture coordinate or a view: the rasterizer takes one color",
    ),
    **dict.fromkeys(("tangent", "binormal"), "write normalquat: a quaternion that turns (0, 0, 1) into the normal"),
}


def does_not_fit(reader: Reader, kind: str, name: str, size: int, free: int) -> Problem:
    """The problem with a uniform for which no registers are left: constants that are declared below take some too."""
    words = {"fvec": (".constf", ".constfa"), "ivec": (".consti",)}.get(kind, ()) if kind not in reader.full else ()
    lines = [line.partition(";")[0].split() for line in reader.text.split("\n")[reader.number :]] if words else []
    reader.full.add(kind)  # constants below are counted once in a file
    heads = [(line[0].lower().partition("(")[0], line[-1]) for line in lines if line]
    below = sum(word in words and (word != ".constfa" or last.endswith(")")) for word, last in heads)
    left = max(0, free - below)
    message = f"{name}[{size}] does not fit: {free} of {COUNT[kind]} registers are free for uniforms"
    if below:
        message += f", and {below} constant{'s' * (below > 1)} below take{'s' * (below == 1)} {'some' if below > 1 else 'one'}"
    fix = f"declare {name}[{left}] or less" if left and size > 1 else f"remove some: .{kind} has {COUNT[kind]} registers"
    if kind == "ivec":
        fix += "; loops of the same length share one"
    return Problem("V026", message, fix)


def refuse_values(reader: Reader, kind: str, rest: str) -> None:
    """Raise the problem with a declaration that gives its last name values, `.fvec tint(1, 0.5, 0.25, 1)`."""
    before, _, inside = rest.partition("(")
    names = before.rstrip(" \t=").strip()
    name = names.rpartition(",")[2].strip()
    if kind == "bool" or not is_identifier(name):
        return
    for each in names.split(","):
        poison(reader, each.partition("[")[0].strip())
    values = [value.strip() for value in inside.partition(")")[0].split(",")]
    if all(map(number_of, values)):  # one is that of all components
        values = values * 4 if len(values) == 1 and kind == "fvec" else [*values, *["0.0" if kind == "fvec" else "0"] * 3][:4]
    else:
        values = [*"xyzw"]
    given = f"{name}({', '.join(values)})"
    letter = kind[0]
    fix = f"write `.{kind} {names}` and `.set{letter} {given}`, or `.const{letter} {given}` for what never changes"
    reader.argument = names.count(",")
    raise Problem("P050", f"`.{kind}` takes no values", fix)


_MODES = ("point", "variable", "fixed")
_OTHER_MODES = {
    **dict.fromkeys(("triangle", "triangles", "lines", "points", "geometry", "quads", "on", "true"), "point"),
    **dict.fromkeys(("var", "strip", "polygon"), "variable"),
    **dict.fromkeys(("fix", "array", "list"), "fixed"),
}


def geometry_line(reader: Reader, rest: str) -> str:
    """The fix for a `.gsh` that cannot be read: the line, with the registers and the number that it has in their places."""
    words = [each.strip("()[],=:").lower() for each in rest.replace(",", " ").split()]
    registers = [int(each[1:]) for each in words if each[:1] == "c" and each[1:].isdigit() and int(each[1:]) < COUNT["fvec"]]
    numbers = [int(each) for each in words if each.isdigit()]
    mode = next((_OTHER_MODES.get(each, each) for each in words if each in _OTHER_MODES or each in _MODES), "")
    if not mode:
        names = [name for each in words if each.isalpha() for name in near(each, _MODES, reader.suggestions)]
        mode = names[0] if names else _MODES[min(2, len(registers) - 1 + bool(numbers))] if registers else "point"
    if mode == "point":
        return f"write `.gsh point c{[*registers, *numbers, 0][0]}`: its own uniforms begin there"
    if mode == "fixed" and len(registers) < 2:
        registers, numbers = [*registers, *numbers[: 2 - len(registers)]], numbers[2 - len(registers) :]
    count = [*numbers, 4 if mode == "fixed" else 3][0]
    if mode == "variable":
        first = [*registers, COUNT["fvec"] // 2][0]
        return f"write `.gsh variable c{first} {count}`: its own uniforms begin at c{first}, primitives have {count} vertices"
    start = min(registers) if len(registers) > 1 else 0
    first = max([start + count, *registers])
    return f"write `.gsh fixed c{first} c{start} {count}`: its own uniforms begin at c{first}, and {count} vertices at c{start}"
