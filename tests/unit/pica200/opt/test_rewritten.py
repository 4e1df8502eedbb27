"""Rewrite rules on instructions, and instructions that are one after a value is in another register."""

from __future__ import annotations

from lanewise.pica200.opt.driver import Options
from together import together
from unit.pica200.opt.test_driver import HEAD, POSITION, optimised

TWO = ".constf two(2, -2, -1, 0)\n"
# Code after the position, with the instructions that are left of it.
RULES = {
    "product with 1": ("add r1, m[0], inclr\nmul r1, one, r1\nmul outclr, inclr, r1", ["add", "mul"]),
    "product with -1": ("add r1, m[0], inclr\nmul r1, two.z, r1\nadd outclr, half, r1", ["add", "add"]),
    "maximum of one number": ("add r1, m[0], inclr\nmax r1, r1, r1\nadd outclr, half, r1", ["add", "add"]),
    "maximum of a maximum": ("add r1, m[0], inclr\nmax r1, half, r1\nmax outclr, one, r1", ["add", "max"]),
    "minimum of a minimum": ("add r1, m[0], inclr\nmin r1, one, r1\nmin outclr, half, r1", ["add", "min"]),
    "floor of a floor": ("flr r1, inclr\nflr outclr, r1", ["flr"]),
    "magnitude of a magnitude": (
        "add r1, m[0], inclr\nmax r2, -r1, r1\nmax r2, -r2, r2\nadd outclr, half, r2",
        ["add", "max", "add"],
    ),
}
# Code that stays: what an input holds is not known to be arithmetic, a component has another operand, something else reads.
KEPT = {
    "product with 1 of an input": ("mul outclr, one, inclr", ["mul"]),
    "one component": ("add r1, m[0], inclr\nmul r1, two, r1\nmul outclr, inclr, r1", ["add", "mul", "mul"]),
    "register that changed": (
        "add r1, m[0], inclr\nmax r2, r1, r1\nrcp r1, inclr\nmul outclr, r1, r2",
        ["add", "max", "rcp", "mul"],
    ),
}
PAIRS = {
    "result": (
        "mul r1.xy, half, inclr\nrcp r2.x, inclr\nmul r2.z, half, inclr\nmax outclr, r1.xyxy, r2.xxzz",
        ["mul", "rcp", "max"],
    ),
    "operand": (
        "add r1, m[0], inclr\nadd r4, one, r1.z\nmul r4, half, r4\nrsq r4, r4.x\nmul r5, half, r1\nmul outclr, r5.xyxy, r4",
        ["add", "add", "mul", "rsq", "mul"],
    ),
}
# No component is free, the operand is read elsewhere too, one reads the other.
APART = {
    "full": ("mul r1.xy, half, inclr\nrcp r3, inclr\nmul r3, half, inclr\nmax outclr, r1.xyxy, r3", ["mul", "mul", "max"]),
    "operand read twice": (
        "add r1, m[0], inclr\nadd r4, one, r1.z\nmul r5.x, half, r4\nmul r6.xy, half, r1\nmul r7, r6.xyxy, r5.x\n"
        "max outclr, r4, r7",
        ["add", "add", "mul", "mul", "mul", "max"],
    ),
    "chain": ("mul r1.x, half, inclr\nmul r2.y, half, r1.x\nmax outclr, r1.x, r2.y", ["mul", "mul", "max"]),
}

# Two comparisons of r1 with constants, what is between, and what the conditions test; whether one is enough.
COMPARISONS = {
    "two flags": ("cmp one, eq, gt, r1.xx", "nop", "cmp one, le, lt, r1.xx", "cmp.x", "cmp.y", True),
    "the same flag": ("cmp one, eq, gt, r1.xx", "nop", "cmp one, le, lt, r1.yy", "cmp.y", "!cmp.y", True),
    "a register that changed": ("cmp one, eq, gt, r1.xx", "rcp r1, inpos", "cmp one, le, lt, r1.xx", "cmp.x", "cmp.x", False),
    "another register": ("cmp one, eq, gt, r1.xx", "nop", "cmp half, le, lt, r1.xx", "cmp.x", "cmp.x", False),
    "both flags": ("cmp one, eq, gt, r1.xx", "nop", "cmp one, le, lt, r1.xx", "cmp.x && cmp.y", "cmp.x", False),
}


def left(code: str) -> list[str]:
    """The instructions after the position, when all constants are known."""
    _, found = optimised(f"{POSITION}\n{code}", Options(constants=True), head=HEAD.replace(".proc", TWO + ".proc"))
    return [operation.op.name for operation in found.program.operations[4:-1]]


@together("name", [*RULES, *KEPT])
def test_rules(name: str):
    code, expected = (RULES | KEPT)[name]
    assert left(code) == expected


@together("name", [*PAIRS, *APART])
def test_pairs(name: str):
    code, expected = (PAIRS | APART)[name]
    assert left(code) == expected


def test_a_step_names_the_rule():
    _, found = optimised(f"{POSITION}\nflr r1, inclr\nflr outclr, r1", Options())
    assert [step.reason for step in found.steps] == ["`floor(floor(x))` is `floor(x)` here (floor of a floor)"]
    assert [step.fix for step in found.steps] == ["write `flr` in line 15, and remove the one in line 14"]


def test_a_step_names_the_registers():
    _, found = optimised(f"{POSITION}\n{PAIRS['operand'][0]}", Options())
    (step,) = found.steps
    assert step.reason == "r4.x is computed like r5.xy, in lines 16 and 18"
    assert step.fix == "compute it as r5.z, by one `mul` in line 16, and write r1.z in line 15"


@together("name", COMPARISONS)
def test_comparisons(name: str):
    first, between, second, one, other, found = COMPARISONS[name]
    lines = [
        POSITION,
        "rsq r1, inclr.x",
        "rsq r1.y, inclr.y",
        "mov r2, inpos",
        *(first, f"ifc {one}", between, "mov r2, -inpos", ".end"),
        *(second, f"ifc {other}", "mov r2.x, -inpos.y", ".end"),
        "mov outclr, r2",
    ]
    steps = [step.move for step in optimised("\n".join(lines), Options())[1].steps]
    assert ("compared" in steps) is found
