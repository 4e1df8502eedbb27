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

from lanewise.shadercore.engine.reference import Core
from lanewise.shadercore.isa.codec import encode
from lanewise.shadercore.isa.devices import DOCUMENT, RTL
from lanewise.shadercore.isa.table import LANES
from lanewise.shadercore.sem.steps import Hang
from lanewise.shadercore.translate.program import translate as translate_shadercore
from lanewise.shadercore.translate.statements import Subject
from lanewise.shadercore.vectors.suite import random_program, random_word
from lanewise.translating.support import RefusedError
from translations import compiler

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
    words = [encode(inst) for inst in insts]
    return Subject(name, words, [], [""] * len(words), [f"{name}: {n}" for n in range(len(words))], {})


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


def compare(kind: str, seed: int, numbers: Iterable[int], flags: Sequence[str]) -> Compared:
    return compare_shadercore(seed, numbers, lanes=1 if kind.endswith("lane") else LANES, flags=flags)


def main() -> None:
    parser = argparse.ArgumentParser(description="compare random programs as C with the reference engines")
    parser.add_argument("kind", choices=("shadercore", "shadercore-lane"))
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
