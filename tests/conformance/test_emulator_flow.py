"""Flow under the presets `azahar` and `panda3ds` against models of those interpreters, on random programs.

The models are written from what the two shader_interpreter.cpp do, in numbers and lists, without trees, states or profiles:
another reading of the same facts. Instructions are tuples (name, ...); conditions are constants, so that a path is a list of
addresses.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from effort import times
from engines.shaders import ZEROS, word
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.sem.profile import profiles

STEPS = 200
SIZE = 16
INTEGERS = [(0, 3, 1, 0), (1, 200, 7, 0), (2, 0, 255, 0), (3, 50, 0, 0)]


class Inst(NamedTuple):
    """`name` with its fields; `holds` is whether its condition holds, which is true of what has none."""

    name: str
    dst: int = 0
    num: int = 0
    reg: int = 0
    holds: bool = True

    def encoded(self) -> int:
        match self.name:
            case "call":
                return word("call", dst=self.dst, num=self.num)
            case "for":
                return word("for", dst=self.dst, reg=self.reg)
            case "callu" | "ifu":
                return word(self.name, dst=self.dst, num=self.num, reg=0 if self.holds else 1)
            case "jmpu":
                return word(self.name, dst=self.dst, reg=0 if self.holds else 1)
            case "breakc":
                return word(self.name, condop=2, refx=0 if self.holds else 1)  # cmp.x stays false
            case _:
                return word(self.name)


Outcome = tuple[list[int], int]  # the addresses that ran, and aL after them


def azahar(program: list[Inst]) -> Outcome:
    """CALL up to four times on its own copy of the next address, then IF, then LOOP, each over what came before."""
    pc, al, path = 0, 0, list[int]()
    ifs, calls = list[tuple[int, int]](), list[tuple[int, int]]()
    loops = list[list[int]]()  # start, end, rounds to come, step, saved aL
    while len(path) < STEPS and pc < len(program):
        here, inst = pc, program[pc]
        path.append(pc)
        pc += 1
        if inst.name == "end":
            break
        if inst.name in ("call", "callu") and inst.holds:
            calls = [*calls, (inst.dst + inst.num, here + 1)][-4:]
            pc = inst.dst
        elif inst.name == "ifu":
            if inst.holds:
                ifs = [*ifs, (inst.dst, inst.dst + inst.num)][-8:]
            else:
                pc = inst.dst
        elif inst.name == "for":
            x, y, z, _ = INTEGERS[inst.reg]
            al = y
            loops = [*loops, [here + 1, inst.dst + 1, x, z, al]][-4:]
        elif inst.name == "jmpu" and inst.holds:
            pc = inst.dst
        broken = inst.name in ("break", "breakc") and inst.holds
        following = here + 1
        for pops in range(4):
            if not calls or calls[-1][0] != following:
                break
            if pops < 3:
                pc = following = calls[-1][1]
            calls.pop()
        if ifs and ifs[-1][0] == here + 1:
            pc = ifs.pop()[1]
        if loops and (broken or loops[-1][1] == here + 1):
            newest = loops[-1]
            al += newest[3]
            if not broken and newest[2]:
                newest[2] -= 1
                pc = newest[0]
            else:
                pc = newest[1]
                if len(loops) > 1:
                    al = newest[4]
                loops.pop()
    return path, al


def panda3ds(program: list[Inst]) -> Outcome | None:
    """LOOP, IF and CALL, once each, on the counter as it moves. None where the interpreter would give up."""
    pc, al, path = 0, 0, list[int]()
    ifs, calls, loops = list[tuple[int, int]](), list[tuple[int, int]](), list[list[int]]()
    while len(path) < STEPS and pc < len(program):
        inst = program[pc]
        path.append(pc)
        pc += 1
        if inst.name == "end":
            break
        if inst.name in ("break", "breakc"):
            return None
        if inst.name in ("call", "callu") and inst.holds:
            calls.append((inst.dst + inst.num, pc))
            pc = inst.dst
        elif inst.name == "ifu":
            if inst.holds:
                ifs.append((inst.dst, inst.dst + inst.num))
            else:
                pc = inst.dst
        elif inst.name == "for":
            x, al, z, _ = INTEGERS[inst.reg]
            loops.append([pc, inst.dst + 1, x + 1, z])
        elif inst.name == "jmpu" and inst.holds:
            pc = inst.dst
        if len(calls) > 4 or len(ifs) > 8 or len(loops) > 4:
            return None
        if loops and loops[-1][1] == pc:
            newest = loops[-1]
            newest[2] -= 1
            if not newest[2]:
                loops.pop()
            al += newest[3]
            pc = newest[0]
        if ifs and ifs[-1][0] == pc:
            pc = ifs.pop()[1]
        if calls and calls[-1][0] == pc:
            pc = calls.pop()[1]
    return path, al


def ours(program: list[Inst], preset: str) -> tuple[list[int], int | None]:
    """The path and aL; None for aL where an endless loop was found before the path was complete."""
    words = [inst.encoded() for inst in program]
    flags = [True] + [False] * 15
    machine = Reference(words, (), 0, profile=profiles[preset], budget=STEPS).start({}, [ZEROS] * 96, INTEGERS, flags)
    path: list[int] = []
    while not machine.finished and len(path) < STEPS:
        pc = machine.step().pc
        if pc < len(words) and machine.fault is None:
            path.append(pc)
    if (
        machine.fault is not None and machine.fault.endless and len(path) < STEPS
    ):  # found before the budget is spent: the rest repeats
        return path, None
    return path, machine.registers.loops.al


def same(found: tuple[list[int], int | None], expected: Outcome) -> bool:
    """Whether an endless loop was found on a path that does not end, or all of the path and aL are the same."""
    path, al = found
    return len(expected[0]) == STEPS and expected[0][: len(path)] == path if al is None else found == expected


def programs(seed: int, names: list[str], count: int = times(1500, 3000)) -> list[list[Inst]]:
    """Short programs whose targets lie close together, so that ends of blocks meet."""
    rng = random.Random(seed)
    made: list[list[Inst]] = []
    for _ in range(count):
        body: list[Inst] = []
        for here in range(SIZE):
            name = rng.choice(names)
            ahead = min(here + rng.randrange(1, 5), SIZE)
            target = ahead if rng.random() < 0.8 else rng.randrange(SIZE)
            holds = name in ("call", "break") or rng.random() < 0.7
            body.append(Inst(name, target, rng.randrange(4), rng.randrange(4), holds))
        made.append([*body, Inst("end")])
    return made


PLAIN = ["nop", "nop", "nop", "call", "callu", "ifu", "ifu", "for", "for", "jmpu"]


def test_azahar():
    for program in programs(1, [*PLAIN, "breakc", "break"]):
        assert same(ours(program, "azahar"), azahar(program)), program


def test_panda3ds():
    compared = 0
    for program in programs(2, PLAIN):
        expected = panda3ds(program)
        if expected is not None:
            compared += 1
            assert same(ours(program, "panda3ds"), expected), program
    assert compared > times(500, 1000)


@pytest.mark.parametrize("preset", ["azahar", "panda3ds"])
def test_the_programs_tell_the_presets_from_hardware(preset: str):
    assert sum(ours(program, preset) != ours(program, "hardware") for program in programs(2, PLAIN, 300)) > 20
