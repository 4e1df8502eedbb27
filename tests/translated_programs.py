"""Random programs of other instruction sets as C, beside the reference engines. `python -m translated_programs --help`."""

from __future__ import annotations

import argparse
import ctypes
import json
import random
import re
import subprocess
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lanewise.arrays.words import Words
from lanewise.direct3d9.engine import reference
from lanewise.direct3d9.engine.data import bind
from lanewise.direct3d9.engine.random_programs import Options, random_case
from lanewise.direct3d9.isa import interface
from lanewise.direct3d9.sem.numbers import rule_of
from lanewise.direct3d9.sem.tree import resolve
from lanewise.direct3d9.translate.lane import register
from lanewise.direct3d9.translate.program import Subject as ShaderSubject
from lanewise.direct3d9.translate.program import translate as translate_direct3d9
from lanewise.shadercore.engine.reference import Core
from lanewise.shadercore.isa.devices import DOCUMENT, RTL
from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.sem.steps import Hang
from lanewise.shadercore.translate.program import translate as translate_shadercore
from lanewise.shadercore.translate.statements import Subject
from lanewise.shadercore.vectors.suite import random_program, random_word
from lanewise.translating.support import RefusedError
from toy_isa import machine as toy
from toy_isa.translate import as_c
from translations import compiler

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.direct3d9.engine.data import Data
    from lanewise.direct3d9.engine.random_programs import Case
    from lanewise.direct3d9.sem.numbers import Rule
    from lanewise.direct3d9.sem.tree import Flow
    from lanewise.shadercore.isa.codec import Inst
    from lanewise.shadercore.isa.devices import Device

WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")
FIXED = "rcp_sigma=fixed,rsq_gate=fixed"
DEVICES = (
    RTL,
    DOCUMENT,
    RTL.set("between_waves=zero"),
    RTL.set("x7x=normal,compare=ieee"),
    DOCUMENT.set("rcp=table,rsq=table"),
)
LANE_DEVICES = (DOCUMENT, RTL.set(FIXED), RTL.set(f"{FIXED},between_waves=zero"))
WAVES = 3  # that follow each other


class Compared(NamedTuple):
    """Counts: programs, values, and why others were left out; differences as lines."""

    programs: int
    values: int
    left_out: Counter[str]
    differences: list[str]

    def plus(self, other: Compared) -> Compared:
        return Compared(
            self.programs + other.programs,
            self.values + other.values,
            self.left_out + other.left_out,
            self.differences + other.differences,
        )


def library(text: str, folder: Path, name: str, flags: Sequence[str]) -> ctypes.CDLL:
    """A library of a C source, which compiles without a warning."""
    source, built = folder / f"{name}.c", folder / f"{name}.so"
    source.write_text(text)
    command = [compiler(), "-std=c11", *WARNINGS, "-shared", "-fPIC", *flags, str(source), "-o", str(built)]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(built))


def _fields(text: str, structure: str) -> list[str]:
    """The members of a structure of arrays or vectors."""
    match = re.search(rf"typedef struct {structure} {{\n(.*?)}}", text, re.DOTALL)
    assert match is not None
    return re.findall(r"^    \w+ (\w+)(?:\[16\])?;", match[1], re.MULTILINE) if "nothing" not in match[1] else []


def _place(name: str) -> tuple[str, int, int]:
    return name[0], int(name[1]), "xyzw".index(name[3])


def _subject(insts: Sequence[Inst], name: str) -> Subject:
    return Subject(
        name=name,
        insts=insts,
        constants=[],
        comments=[""] * len(insts),
        places=[f"{name}: {n}" for n in range(len(insts))],
        notes={},
    )


def compare_shadercore(seed: int, numbers: Iterable[int], *, lanes: int = LANES, flags: Sequence[str] = ("-O1",)) -> Compared:
    """Random programs on both: waves that follow each other, or one lane after the other."""
    found = Compared(0, 0, Counter(), [])
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            rng = random.Random(f"translated {seed} {number}")
            devices = DEVICES if lanes == LANES else LANE_DEVICES
            device = devices[number % len(devices)]
            insts = random_program(rng, rng.randrange(4, 24), few=bool(number % 3))
            name = f"p{number}"
            try:
                translation = translate_shadercore(_subject(insts, name), "c", device, lanes=lanes)
            except RefusedError as error:
                found.left_out[re.sub(r".*\d+: |\b\w\d\.\w|instruction \d+", "", str(error))] += 1
                continue
            shader = library(translation.text, Path(folder), name, flags)
            one = _waves if lanes == LANES else _lanes
            found = found.plus(one(getattr(shader, name), translation.text, name, insts, device, rng))
    return found


def _given(rng: random.Random) -> dict[tuple[int, int], list[int]]:
    return {(n, c): [random_word(rng) for _ in range(LANES)] for n in range(8) for c in range(4)}


def _waves(function: object, text: str, name: str, insts: Sequence[Inst], device: Device, rng: random.Random) -> Compared:
    assert callable(function)
    constants = {(n, c): random_word(rng) for n in range(2) for c in range(4)}
    given = (ctypes.c_uint32 * 1024)(*[constants.get((n // 4, n % 4), 0) for n in range(1024)])
    core = Core(insts, device, constants)
    fields = _fields(text, f"{name}_registers")
    state = (ctypes.c_uint32 * (LANES * max(1, len(fields))))()
    differences: list[str] = []
    for wave in range(WAVES):
        inputs = _given(rng)
        core.begin(inputs)
        try:
            core.run()
        except Hang:
            return Compared(0, 0, Counter(["hangs"]), [])
        for n, field in enumerate(fields):
            if field[0] == "v":
                state[LANES * n : LANES * (n + 1)] = inputs[_place(field)[1:]]
        function(state, given)
        for n, field in enumerate(fields):
            mine, its = tuple(state[LANES * n : LANES * (n + 1)]), core.value(_place(field))
            if mine != its:
                differences.append(f"{name} on {device.describe()}, wave {wave}, {field}: {mine} is not {its}")
    return Compared(1, WAVES * LANES * len(fields), Counter(), differences)


def _lanes(function: object, text: str, name: str, insts: Sequence[Inst], device: Device, rng: random.Random) -> Compared:
    assert callable(function)
    constants = {(n, c): random_word(rng) for n in range(2) for c in range(4)}
    given = (ctypes.c_uint32 * 1024)(*[constants.get((n // 4, n % 4), 0) for n in range(1024)])
    core, inputs = Core(insts, device, constants), _given(rng)
    core.begin(inputs)
    try:
        core.run()
    except Hang:
        return Compared(0, 0, Counter(["hangs"]), [])
    taken, gives = (_fields(text, f"{name}_{what}") for what in ("inputs", "outputs"))
    differences: list[str] = []
    its = core.exported()
    for lane in range(LANES):
        words = [inputs[int(field[1]), c][lane] for field in taken for c in range(4)]
        out = (ctypes.c_uint32 * (4 * len(gives) + 4))()
        function((ctypes.c_uint32 * (len(words) + 1))(*words), given, out)
        for n, field in enumerate(gives):
            for c in range(4):
                place = ("o", int(field[1]), c)
                if place in its and out[4 * n + c] != its[place][lane]:
                    differences.append(f"{name} on {device.describe()}, lane {lane}, {field}: {out[4 * n + c]:08x}")
        missing = [place for place, wave in its.items() if f"o{place[1]}" not in gives and wave[lane]]
        differences += [f"{name}: {place} is not given" for place in missing]
    return Compared(1, LANES * 4 * len(gives), Counter(), differences)


# Direct3D 9

RULES = (*[rule_of(name).set("sincos=series") for name in ("ieee", "d3d9")], rule_of("document"), rule_of(RTL.set(FIXED)))


def compare_direct3d9(seed: int, numbers: Iterable[int], *, flags: Sequence[str] = ("-O1",)) -> Compared:
    """Random shaders on both, without what reads other pixels; in those of pixels textures too."""
    found = Compared(0, 0, Counter(), [])
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            rng = random.Random(f"translated {seed} {number}")
            case = random_case(rng, Options(size=rng.randrange(2, 24)), LANES)
            rule, name = RULES[number % len(RULES)], f"shader{number}"
            flow, _ = resolve(case.shader)
            if flow is None:
                found.left_out["has errors"] += 1
                continue
            try:
                translation = translate_direct3d9(ShaderSubject(name, case.shader, flow, _nothing), "c", rule)
            except RefusedError as error:
                found.left_out[str(error).rpartition(": ")[2]] += 1
                continue
            shader = library(translation.text, Path(folder), name, flags)
            found = found.plus(_pixels(getattr(shader, name), translation.text, name, case, flow, rule))
    return found


def _nothing(inst: object) -> str:
    return ""


def _pixels(function: object, text: str, name: str, case: Case, flow: Flow, rule: Rule) -> Compared:
    assert callable(function)
    outputs = interface.outputs(case.shader)
    data = bind(
        flow,
        interface.inputs(case.shader),
        rule,
        inputs={each: Words(grid) for each, grid in case.inputs.items()},
        constants={each: Words(row) for each, row in case.constants.items()},
        integers=case.integers,
        booleans=case.booleans,
        samplers={},
        count=case.lanes,
    )
    wanted = tuple(dict.fromkeys((port.file, port.number) for port in outputs))
    kills = interface.kills(case.shader)
    raw = reference.run(flow, rule, data, wanted, kills=kills)
    uniforms: list[int] = []
    for field, size in _arrays(text, name):
        if field == "c":
            rows = [case.constants[f"c{n}"].tolist() if f"c{n}" in case.constants else [0] * 4 for n in range(size)]
            uniforms += [word for row in rows for word in row]
        elif field == "i":
            rows = [[*case.integers.get(f"i{n}", []), 0, 0, 0, 0][:4] for n in range(size)]
            uniforms += [value & 0xFFFFFFFF for row in rows for value in row]
        elif field == "b":
            truths = [int(case.booleans.get(f"b{n}", False)) for n in range(size)]
            uniforms += [int.from_bytes(bytes(truths[n : n + 4]), "little") for n in range(0, size, 4)]
    given = (ctypes.c_uint32 * (len(uniforms) + 1))(*uniforms)
    takes, gives = (_fields(text, f"{name}_{what}") for what in ("inputs", "outputs"))
    places = {register(flow, port.file, port.number): (port.file, port.number) for port in interface.inputs(case.shader)}
    plain = data._replace(inputs={key: data.inputs[key] for key in data.inputs})
    made = {register(flow, *place): place for place in wanted}
    differences: list[str] = []
    for lane in range(case.lanes):
        raws = [_given_input(case, places[field], field, lane, plain) for field in takes]
        out = (ctypes.c_uint32 * (4 * len(gives) + 4))()
        function((ctypes.c_uint32 * (4 * len(raws) + 1))(*[word for row in raws for word in row]), given, out)
        for n, field in enumerate(gives):
            if field == "killed":
                mine, its = [out[4 * n] & 1], [int(raw.killed[lane])] if raw.killed is not None else [0]
            else:
                mine, its = list(out[4 * n : 4 * n + 4]), raw.outputs[made[field]][lane].tolist()
            if mine != its:
                differences.append(f"{name} under {rule.describe()}, lane {lane}, {field}: {mine} is not {its}")
    return Compared(1, 4 * case.lanes * len(gives), Counter(), differences)


def _given_input(case: Case, place: tuple[int, int], field: str, lane: int, data: Data) -> list[int]:
    """What an application gives for an input: the value before it is clipped."""
    if field in case.inputs:
        return [*case.inputs[field][lane].tolist(), 0, 0, 0x3F800000][:4] if len(case.inputs[field][lane]) == 4 else []
    return data.inputs[place][lane].tolist() if place in data.inputs else [0, 0, 0, 0x3F800000]


def _arrays(text: str, name: str) -> list[tuple[str, int]]:
    match = re.search(rf"typedef struct {name}_uniforms {{\n(.*?)}}", text, re.DOTALL)
    assert match is not None
    return [(field, int(size)) for field, size in re.findall(r"^    \w+ (\w+)\[(\d+)\];", match[1], re.MULTILINE)]


# The toy


def compare_toy(seed: int, numbers: Iterable[int], *, flags: Sequence[str] = ("-O1",)) -> Compared:
    """Random programs on both; those that take too many steps are left out."""
    found = Compared(0, 0, Counter(), [])
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            rng, name = random.Random(f"translated {seed} {number}"), f"toy{number}"
            count = rng.randrange(2, 16)
            limits = {"register": toy.REGISTERS, "number": 4, "label": count + 1, "": 1}
            insts = [toy.Inst(op, rng.randrange(limits[op.operand])) for op in rng.choices(toy.OPS, k=count)]
            function = library(as_c(name, insts), Path(folder), name, flags)[name]
            for _ in range(8):
                registers = [rng.choice((0, 1, 2, rng.getrandbits(32))) for _ in range(toy.REGISTERS)]
                mine = (ctypes.c_uint32 * toy.REGISTERS)(*registers)
                try:
                    for _ in toy.steps(insts, registers):
                        pass
                except OverflowError:
                    found.left_out["endless"] += 1
                    continue
                function(mine)
                differences = [f"{name}: {[*mine]} is not {registers}"] if [*mine] != registers else []
                found = found.plus(Compared(0, toy.REGISTERS, Counter(), differences))
            found = found.plus(Compared(1, 0, Counter(), []))
    return found


def compare(kind: str, seed: int, numbers: Iterable[int], flags: Sequence[str]) -> Compared:
    if kind == "toy":
        return compare_toy(seed, numbers, flags=flags)
    if kind == "direct3d9":
        return compare_direct3d9(seed, numbers, flags=flags)
    return compare_shadercore(seed, numbers, lanes=1 if kind.endswith("lane") else LANES, flags=flags)


def main() -> None:
    parser = argparse.ArgumentParser(description="compare random programs as C with the reference engines")
    parser.add_argument("kind", choices=("shadercore", "shadercore-lane", "direct3d9", "toy"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--flags", default="-O0")
    arguments = parser.parse_args()
    found = Compared(0, 0, Counter(), [])
    for first in range(arguments.first, arguments.first + arguments.count, 50):
        numbers = range(first, min(first + 50, arguments.first + arguments.count))
        found = found.plus(compare(arguments.kind, arguments.seed, numbers, arguments.flags.split()))
        print(f"{found.programs} programs, {found.values} values, {len(found.differences)} differences", flush=True)
    print(json.dumps({**found._asdict(), "differences": found.differences[:20]}, indent=1))


if __name__ == "__main__":
    main()
