"""Small vertex programs of the PICA200 as meanings, value by value, with an evaluator that knows no assembler.

A program is steps on the vectors r0 and r1. Numbers are exact fractions; each of them is a float24 in the
programs that are used.
The two plain texts, of picasso and of nihstro, are the frame into which `pica200_habits` puts one step in another way.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import NamedTuple

LETTERS = "xyzw"
Vector = tuple[Fraction, ...]
PICASSO, NIHSTRO = "picasso", "nihstro"
# Inputs p and q are whole numbers, w powers of two, idx indices; uniforms u[2], m[4] and k are whole numbers.
INPUTS = ("p", "q", "w", "idx")
ARRAY_BEGIN = 2  # m follows u
UNIFORMS = {"u": (0, 2), "m": (ARRAY_BEGIN, 4), "k": (6, 1)}  # first register, registers
LANES = 16


class Read(NamedTuple):
    """Components of a vector, with a sign."""

    name: str
    "r0 to r3, an input, or k."
    parts: tuple[int, ...]
    "Components, 0 for x."
    negative: bool = False
    "All of them are negated."


class Step(NamedTuple):
    """One step: what its destination becomes."""

    kind: str
    "A key of `KINDS`."
    to: int
    "The vector that is written: r0 or r1."
    parts: tuple[int, ...]
    "Its components that are written, in order."
    a: Read
    "First operand, with a component for each that is written."
    b: Read
    "Second operand: r0 to r3."
    number: int = 0
    "Iterations, row, offset or width, as the kind has it."
    values: tuple[int, ...] = ()
    "Four literals."


class Given(NamedTuple):
    """What one vertex reads."""

    inputs: dict[str, Vector]
    "By name."
    uniforms: dict[str, tuple[Vector, ...]]
    "Registers by name."


class Meant(NamedTuple):
    """A program."""

    steps: tuple[Step, ...]
    "In order."
    given: tuple[Given, ...]
    "One for each vertex."
    outputs: tuple[tuple[Vector, Vector], ...]
    "r0 and r1 of each vertex at the end."


KINDS = ("move", "add", "sub", "mul", "max", "rcp", "dot", "literal", "row", "transform", "lookup", "loop", "choose")
_FOLLOW = ("r0", "r1", "r2", "r3")


# Meaning


class Inexact(Exception):
    """A number is not a float24, or is a result that the hardware may round."""


def held(value: Fraction) -> Fraction:
    """The value, which must be a float24 of moderate size. Raises Inexact."""
    low = value.denominator
    if low & low - 1 or low > 1 << 12 or abs(value.numerator) >= 1 << 16:
        raise Inexact
    return value


def _read(state: dict[str, Vector], read: Read) -> list[Fraction]:
    return [-state[read.name][part] if read.negative else state[read.name][part] for part in read.parts]


def _results(step: Step, state: dict[str, Vector], given: Given) -> list[Fraction]:
    """The values of the components that a step writes."""
    a, b, kind = _read(state, step.a), _read(state, step.b), step.kind
    if kind == "dot":
        products = [held(x * y) for x, y in zip(a, b, strict=True)]
        return [held(sum(products, Fraction(0)))] * len(step.parts)
    if kind == "literal":
        return [Fraction(step.values[part]) for part in step.parts]
    if kind in ("row", "lookup"):
        row = step.number + (int(state["idx"][0]) if kind == "lookup" else 0)
        return [given.uniforms["m"][row][part] for part in step.a.parts]
    if kind == "transform":
        return [sum((held(x * y) for x, y in zip(row, a, strict=True)), Fraction(0)) for row in given.uniforms["m"]]
    old = [state[f"r{step.to}"][part] for part in step.parts]
    if kind == "loop":
        return [x + step.number * y for x, y in zip(old, a, strict=True)]
    if kind == "choose":
        first, second = state["p"][step.number], state["q"][step.number]
        return a if first < second else b
    if kind == "rcp":
        return [1 / x for x in a]
    if kind == "move":
        return a
    pairs = list(zip(a, b, strict=True))
    if kind == "mul":
        return [x * y for x, y in pairs]
    return [x + y if kind == "add" else x - y if kind == "sub" else max(x, y) for x, y in pairs]


def evaluated(steps: tuple[Step, ...], given: Given) -> tuple[Vector, Vector]:
    """r0 and r1 at the end. Raises Inexact."""
    state = dict(given.inputs)
    state |= {"k": given.uniforms["k"][0], "r0": state["p"], "r1": state["q"], "r2": state["q"], "r3": state["p"]}
    for step in steps:
        name = f"r{step.to}"
        found = list(state[name])
        for part, value in zip(step.parts, _results(step, state, given), strict=True):
            found[part] = held(value)
        state[name] = tuple(found)
    return state["r0"], state["r1"]


# Drawing


def _step(rng: random.Random, kind: str) -> Step:
    parts = tuple(sorted(rng.sample(range(4), rng.randint(1, 4))))
    if kind in ("literal", "transform"):
        parts = (0, 1, 2, 3)
    width = rng.randint(2, 4) if kind == "dot" else len(parts)
    of_a = tuple([rng.randrange(4) for _ in range(width)])
    of_b = tuple([rng.randrange(4) for _ in range(width)])
    if kind == "dot" and rng.random() < 0.7:
        of_a = of_b = (0, 1, 2, 3)[:width]
    elif rng.random() < 0.4:
        of_a = parts if len(parts) == width else of_a
        of_b = of_a
    if kind == "transform":
        of_a = of_b = (0, 1, 2, 3)
    names = ("w",) if kind == "rcp" else ("r0", "r1", "p") if kind == "transform" else (*_FOLLOW, "p", "q", "k")
    number = {"loop": rng.randint(1, 5), "choose": rng.randrange(4), "row": rng.randrange(4), "lookup": rng.randrange(4)}
    return Step(
        kind=kind,
        to=rng.randrange(2),
        parts=parts,
        a=Read(rng.choice(names), of_a, kind in ("move", "add") and rng.random() < 0.3),
        b=Read(rng.choice(_FOLLOW), of_b),
        number=width if kind == "dot" else number.get(kind, 0),
        values=(*tuple([rng.randint(-9, 9) for _ in range(3)]), rng.choice((0, 1, 100, 4096, 131073, 1000001))),
    )


def _vector(rng: random.Random, low: int, high: int) -> Vector:
    return tuple([Fraction(rng.randint(low, high)) for _ in range(4)])


def drawn(rng: random.Random, count: int = 3) -> Meant:
    """A program of a few steps, with 16 vertices on which every number is exact."""
    while True:
        steps = tuple([_step(rng, rng.choice(KINDS)) for _ in range(count)])
        if any(abs(value) > 1 << 16 for step in steps for value in step.values if step.kind == "literal"):
            steps = tuple([step for step in steps if step.kind != "literal"][: count - 1])
        uniforms = {name: tuple([_vector(rng, -3, 3) for _ in range(size)]) for name, (_, size) in UNIFORMS.items()}
        last = 3 - max((step.number for step in steps if step.kind == "lookup"), default=0)
        given: list[Given] = []
        for _ in range(LANES):
            powers = tuple([Fraction(rng.choice((-1, 1)) * 2 ** rng.randint(0, 2)) for _ in range(4)])
            indices = tuple([Fraction(rng.randint(0, last)) for _ in range(4)])
            inputs = {"p": _vector(rng, -4, 4), "q": _vector(rng, -4, 4), "w": powers, "idx": indices}
            given.append(Given(inputs, uniforms))
        try:
            outputs = tuple([evaluated(steps, each) for each in given])
        except Inexact:
            continue
        if steps:
            return Meant(steps, tuple(given), outputs)


# Plain texts


def letters(parts: tuple[int, ...]) -> str:
    return "".join([LETTERS[part] for part in parts])


def spread(step: Step, parts: tuple[int, ...]) -> str:
    """Four letters, each of `parts` in the place of the component of the destination that it is for."""
    of = dict(zip(step.parts, parts, strict=True))
    return "".join([LETTERS[of.get(place, parts[0])] for place in range(4)])


def mask(step: Step) -> str:
    return f"r{step.to}.{letters(step.parts)}"


def operand(read: Read, swizzle: str) -> str:
    return f"{'-' * read.negative}{read.name}.{swizzle}"


def placed(step: Step, language: str) -> tuple[str, str]:
    """The operands of a step that works component by component."""
    if language == NIHSTRO:
        return operand(step.a, letters(step.a.parts)), operand(step.b, letters(step.b.parts))
    return operand(step.a, spread(step, step.a.parts)), operand(step.b, spread(step, step.b.parts))


class Text(NamedTuple):
    """A step as text."""

    lines: tuple[str, ...]
    "Statements."
    declared: tuple[str, ...] = ()
    "Directives that belong before the code."


def plain(step: Step, language: str, n: int) -> Text:
    """The plain text of a step, the n-th of its program."""
    kind, to = step.kind, mask(step)
    nihstro = language == NIHSTRO
    if kind in ("move", "add", "sub", "mul", "max"):
        a, b = placed(step, language)
        sign, name = ("-", "add") if kind == "sub" else ("", {"move": "mov"}.get(kind, kind))
        return Text((f"{name} {to}, {a}" + (f", {sign}{b}" if kind != "move" else ""),))
    if kind == "rcp":
        pairs = zip(step.parts, step.a.parts, strict=True)
        return Text(
            tuple(
                [f"rcp r{step.to}.{LETTERS[part]}, {step.a.name}.{LETTERS[of] * (1 if nihstro else 4)}" for part, of in pairs]
            )
        )
    if kind == "dot":
        return _dot(step, language)
    if kind == "literal":
        inside = ", ".join(map(str, step.values))
        declared = f".alias lit{n} c{20 + n} as ({inside})" if nihstro else f".constf lit{n}({inside})"
        return Text((f"mov r{step.to}, lit{n}",), (declared,))
    if kind == "row":
        swizzle = letters(step.a.parts) if nihstro else spread(step, step.a.parts)
        return Text((f"mov {to}, m[{step.number}].{swizzle}",))
    if kind == "transform":
        a = operand(step.a, "xyzw")
        rows = [f"dp4 r5.{letter}, m[{row}], {a}" for row, letter in enumerate(LETTERS)]
        return Text((*rows, f"mov r{step.to}, r5"))
    if kind == "lookup":
        index = f"a0+{step.number}" if nihstro else f"a0.x+{step.number}"
        swizzle = letters(step.a.parts) if nihstro else spread(step, step.a.parts)
        return Text(("mova a0.x, idx.x", f"mov {to}, m[{index}].{swizzle}"))
    a, b = placed(step, language)
    if kind == "loop":
        preset = f"({step.number - 1}, 0, 1, 0)"
        declared = f".alias n{n} i{n} as {preset}" if nihstro else f".consti n{n}{preset}"
        begin, end = ("loop", "endloop") if nihstro else ("for", ".end")
        return Text((f"mov r6, {operand(step.a, 'xyzw')}", f"{begin} n{n}", _loop_body(step, language), end), (declared,))
    test = LETTERS[step.number] * 2
    if nihstro:
        head, otherwise, end = (f"cmp p.{test}, r7.{test}, <, <", "if cc.x"), "else", "endif"
    else:
        head, otherwise, end = (f"cmp p.{test}, lt, lt, r7.{test}", "ifc cmp.x"), ".else", ".end"
    return Text(("mov r7, q", *head, f"mov {to}, {a}", otherwise, f"mov {to}, {b}", end))


def _loop_body(step: Step, language: str) -> str:
    swizzle = letters(step.a.parts) if language == NIHSTRO else spread(step, step.a.parts)
    own = letters(step.parts) if language == NIHSTRO else spread(step, step.parts)
    return f"add {mask(step)}, r6.{swizzle}, r{step.to}.{own}"


def _dot(step: Step, language: str) -> Text:
    wide = max(step.number, 3)
    a, b = [
        operand(read, letters((read.parts * 2)[:wide] if step.number > 2 else (*read.parts, read.parts[0])))
        for read in (step.a, step.b)
    ]
    if step.number == 2:  # with a zero as third component
        one, two = [LETTERS[part] for part in step.a.parts]
        single = 1 if language == NIHSTRO else 4
        first, second = [LETTERS[part] for part in step.b.parts]
        return Text(
            (
                f"mul r5.x, {step.a.name}.{one * single}, {step.b.name}.{first * single}",
                f"mul r5.y, {step.a.name}.{two * single}, {step.b.name}.{second * single}",
                f"add r5.x, r5.{'x' * single}, r5.{'y' * single}",
                f"mov {mask(step)}, r5.{'x' * (len(step.parts) if language == NIHSTRO else 4)}",
            )
        )
    return Text((f"dp{wide} {mask(step)}, {a}, {b}",))


def whole(texts: list[Text], language: str) -> list[str]:
    """The lines of a program around the texts of its steps."""
    declared = [line for text in texts for line in text.declared]
    lines = [f"\t{line}" for text in texts for line in text.lines]
    begin = ["\tmov r0, p", "\tmov r1, q", "\tmov r2, q", "\tmov r3, p"]
    end = ["\tmov pos, p", "\tmov col, r0", "\tmov tex, r1", "\tend"]
    if language == NIHSTRO:
        names = [f".alias {name} v{n}" for n, name in enumerate(INPUTS)]
        names += [".alias u c0-c1", ".alias m c2-c5", ".alias k c6"]
        names += [".alias pos o0 as position", ".alias col o1 as color", ".alias tex o2 as quaternion"]
        return [*names, *declared, "main:", *begin, *lines, *end]
    names = [f".in {name} v{n}" for n, name in enumerate(INPUTS)]
    names += [".fvec u[2]", ".fvec m[4]", ".fvec k", ".out pos position", ".out col color", ".out tex normalquat"]
    return [*names, *declared, ".proc main", *begin, *lines, *end, ".end"]
