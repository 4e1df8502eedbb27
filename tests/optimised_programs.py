"""What `lanewise opt` makes of programs of others and of random ones, beside the programs themselves, bit for bit.

    python -m optimised_programs direct3d9 FOLDER...     # Direct3D 9 shaders in all files below the folders
    python -m optimised_programs direct3d9               # random ones
    python -m optimised_programs shadercore
    python -m optimised_programs toy

Shaders are found as assembly in any text, also in strings of other languages, as tables of words and as binaries; equal ones
count once.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lanewise.arrays.words import Words
from lanewise.core.diagnostics import InputError
from lanewise.direct3d9.api.services.fuzz import case_of
from lanewise.direct3d9.api.shader import Direct3DResult, Direct3DShader
from lanewise.direct3d9.check.context import AnalysisContext
from lanewise.direct3d9.container.scan import scan
from lanewise.direct3d9.isa.program import Inst, make_inst, make_source
from lanewise.direct3d9.isa.slots import shader_cost
from lanewise.direct3d9.isa.table import BY_NAME, CONST, TEXTURING
from lanewise.direct3d9.opt.shader import RULES, optimised_shader
from lanewise.shadercore.engine.run import run_waves
from lanewise.shadercore.isa.codec import encode
from lanewise.shadercore.isa.devices import DEVICES
from lanewise.shadercore.isa.program import Program
from lanewise.shadercore.isa.table import FILES
from lanewise.shadercore.opt.program import optimised_program
from lanewise.shadercore.sem.steps import exports
from lanewise.shadercore.vectors import suite
from toy_isa import machine as toy
from toy_isa.optimising import program as toy_program
from toy_isa.optimising import shorter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from lanewise.direct3d9.engine.data import Fetch
    from lanewise.direct3d9.isa.program import Item, Shader

_VERSION = re.compile(rb"\b[vp]s[._][123][._][01x]\b")
_WORDS = re.compile(rb"0[xX]fff[ef]0[123]0[0-4]\b[^{}]{1,60000}?0[xX]0*ffff\b")
_LITERAL = re.compile(rb'\s*"((?:[^"\\]|\\.)*)"(?:\s*/\*.*?\*/|\s*//[^\n]*)*')
_BLANK = re.compile(rb"//[^\n]*|;[^\n]*|/\*.*?\*/|\s", re.DOTALL)
FEW = 16  # lanes with textures, which only the reference engine has
FIRST = 200  # the first constant of those that are textures
_HEAD = 3000  # bytes before the version of a source
_PATTERNS = (
    0,
    1 << 31,
    1,
    0x00800000,
    0x3F800000,
    0xBF800000,
    0x3F000000,
    0x40000000,
    0x7F7FFFFF,
    0x7F800000,
    0xFF800000,
    0x7FC00000,
)


class Compared(NamedTuple):
    """A program beside its smaller form: what it cost, and where both differ, if they do."""

    before: int
    after: int
    difference: str = ""
    left_out: str = ""


def shaders(paths: Iterable[Path]) -> Iterator[Direct3DShader]:
    """The different shaders in files of any kind."""
    known: set[tuple[int, ...]] = set()
    for path in paths:
        data = path.read_bytes().replace(b"\r\n", b"\n")
        for found in _in_file(data, path.name):
            if tuple(found.words) not in known:
                known.add(tuple(found.words))
                yield found


def _in_file(data: bytes, name: str) -> Iterator[Direct3DShader]:
    streams = [found.data for found in scan(data).shaders]
    for match in _WORDS.finditer(data):
        words = re.findall(rb"0[xX]([0-9a-fA-F]+)", re.sub(rb"/\*.*?\*/|//[^\n]*", b"", match[0], flags=re.DOTALL))
        streams.append(b"".join([int(word, 16).to_bytes(8, "little")[:4] for word in words]))
    for text in _texts(data):
        try:
            yield Direct3DShader.from_source(text, name)
        except InputError:
            continue
    for stream in streams:
        try:
            yield Direct3DShader.from_bytes(stream, name)
        except InputError:
            continue


def _texts(data: bytes) -> Iterator[str]:
    """What may be assembly: a file that begins with a version, and strings that do."""
    for match in _VERSION.finditer(data):
        at = match.start()
        if data[at - 1 : at] != b'"':
            if at < _HEAD and not _BLANK.sub(b"", data[:at]):
                yield data.decode("latin-1")
            continue
        end = data.find(b'"', at)
        if b"\n" in data[at:end]:  # a string of several lines
            yield data[at:end].decode("latin-1")
            continue
        parts: list[bytes] = []
        at -= 1
        while (literal := _LITERAL.match(data, at)) is not None:
            parts.append(literal[1])
            at = literal.end()
        text = b"".join(parts).replace(b"\\n", b"\n").replace(b"\\t", b"\t").decode("latin-1")
        if "\n" in text:
            yield text


def _grid(rng: np.random.Generator, count: int) -> NDArray[np.uint32]:
    """Patterns: mostly numbers around 1, with boundary values and any bits between them."""
    numbers = rng.normal(0, 2, (count, 4)).astype(np.float32).view(np.uint32)
    kind = rng.random((count, 4))
    some = np.asarray(_PATTERNS, np.uint32)[rng.integers(0, len(_PATTERNS), (count, 4))]
    raw = rng.integers(0, 1 << 32, (count, 4), np.uint32)
    return np.where(kind < 0.08, some, np.where(kind < 0.1, raw, numbers))


def _sampler(fetch: Fetch) -> NDArray[np.float32]:
    """A colour that depends on every bit of the coordinates."""
    words = fetch.coordinates.view(np.uint32)
    mixed = (words * np.uint32(2654435761)) ^ np.roll(words, 1, axis=1) >> np.uint32(7)
    return (mixed >> np.uint32(8)).astype(np.float32) / np.float32(1 << 24)


def _without_samplers(shader: Shader) -> Direct3DShader:
    """A shader whose textures are sums of the coordinates that they are read at, so that it can be compiled."""
    context = AnalysisContext(shader)
    items: list[Item] = []
    for item in shader.items:
        items.append(item)
        if isinstance(item, Inst) and item.op.role == TEXTURING and len(item.sources) > 1 and item.dest is not None:
            read = [c for c in range(4) if context.reads(item, 0) >> c & 1] or [0]
            sampler = item.sources[1].number
            factor, term = (make_source(CONST, FIRST + 2 * sampler + n) for n in range(2))
            swizzle = [read[c % len(read)] for c in range(4)]
            word = item.sources[0].word & ~(0xFF << 16) | sum([c << 16 + 2 * n for n, c in enumerate(swizzle)])
            first = item.sources[0]._replace(word=word)
            sources = first, factor, term
            items[-1] = make_inst(
                BY_NAME["mad"], shader.version, item.dest, sources, predicate=item.predicate, place=item.place
            )
    return Direct3DShader("without samplers", shader._replace(items=tuple(items)))


def compare_shader(shader: Direct3DShader, count: int, seed: int = 0) -> Compared:
    """A Direct3D 9 shader beside its smaller form under each rule of the proofs: on a few lanes with textures, then on all
    lanes, compiled."""
    before = shader_cost(shader.shader).total
    try:
        found = optimised_shader(shader.shader)
    except ValueError as error:
        return Compared(before, before, left_out=str(error))
    if found is None:
        return Compared(before, before, left_out="cannot be proved to equal itself")
    after = shader_cost(shader.shader._replace(items=found.items)).total
    if not found.steps:
        return Compared(before, after)
    pair = shader.shader, shader.shader._replace(items=found.items)
    problem = _difference([Direct3DShader("one", each) for each in pair], FEW, seed)
    if problem is None:
        problem = _difference([_without_samplers(each) for each in pair], count, seed)
    return Compared(before, after) if problem is None else Compared(before, after, **problem)


def _difference(pair: Sequence[Direct3DShader], count: int, seed: int) -> dict[str, str] | None:
    """Where two shaders differ, or why they do not run; None where they are equal."""
    rng = np.random.default_rng(seed)
    inputs = {port.register: Words(_grid(rng, count)) for port in pair[0].inputs}
    uniforms = {f"c{n}": Words(_grid(rng, 1)) for n in range(256)}
    integers = {f"i{n}": [int(word) for word in rng.integers(0, 4, 3)] for n in range(16)}
    booleans = {f"b{n}": bool(rng.integers(0, 2)) for n in range(16)}
    for rule in RULES:
        ran: list[Direct3DResult] = []
        for each in pair:
            own = {port.register for port in each.inputs}
            try:
                result = each.run(
                    {name: words for name, words in inputs.items() if name in own},
                    uniforms,
                    integers=integers,
                    booleans=booleans,
                    samplers=dict.fromkeys(range(16), _sampler),
                    rule=rule,
                    count=count,
                    defaults=0,
                )
            except (InputError, ValueError) as error:
                return {"left_out": f"does not run: {error}"}
            ran.append(result)
        first, second = ran
        alive = np.ones(count, bool) if first.killed is None else ~first.killed
        if first.killed is not None and second.killed is not None and not np.array_equal(first.killed, second.killed):
            return {"difference": f"pixels that are stopped under {rule.describe()}"}
        for name, words in first.bits.items():
            unequal = np.argwhere((words != second.bits[name]).reshape(count, -1) & alive[:, None])
            if len(unequal):
                return {"difference": f"{name} of lane {unequal[0][0]} under {rule.describe()}"}
    return None


def compare_program(number: int, count: int, seed: int) -> Compared:
    """A random ShaderCore program beside its smaller form, on a device of each kind in turn."""
    rng = random.Random(f"{seed} {number}")
    insts = suite.random_program(rng, rng.randrange(4, 40), few=rng.random() < 0.7)
    device = list(DEVICES.values())[number % len(DEVICES)]
    program = Program(words=tuple([encode(inst) for inst in insts]))
    try:
        found = optimised_program(program, device)
    except ValueError as error:
        return Compared(len(insts), len(insts), left_out=str(error))
    before, after = len(insts), len(found.program.words)
    if not found.steps:
        return Compared(before, after)
    grids = np.random.default_rng(number)
    size = FILES["v"].size
    inputs = {(n, c): grid for n in range(size) for c, grid in enumerate(_grid(grids, count).T)}
    constants = {(n, c): int(word) for n in range(FILES["c"].size) for c, word in enumerate(_grid(grids, 1)[0])}
    first, second = (run_waves(each.insts, device, constants, inputs, count) for each in (program, found.program))
    for place in exports(device):
        if not np.array_equal(first[place], second[place]):
            return Compared(before, after, f"{place} on {device.describe()}")
    return Compared(before, after)


def compare_toy(number: int, count: int, seed: int) -> Compared:
    """A random toy program beside its smaller form."""
    rng = random.Random(f"{seed} {number}")
    insts = random_toy(rng)
    found = shorter(insts)
    left = toy_program(found.items)
    for _ in range(count if found.steps else 0):
        registers = [rng.choice((0, 1, toy.MASK, rng.getrandbits(32))) for _ in range(toy.INPUTS)]
        registers += [0] * (toy.REGISTERS - toy.INPUTS)
        first, second = _toy_end(insts, registers), _toy_end(left, registers)
        if first != second:
            return Compared(len(insts), len(left), f"{first} and {second} for {registers}")
    return Compared(len(insts), len(left))


def random_toy(rng: random.Random) -> list[toy.Inst]:
    """A program of jumps forward, but for one in eight."""
    count = rng.randrange(4, 24)
    insts: list[toy.Inst] = []
    for n in range(count):
        op = rng.choice(toy.OPS[:7])
        low = 0 if rng.random() < 0.125 else n + 1
        operand = {"register": rng.randrange(8), "number": rng.randrange(4), "label": rng.randrange(low, count + 1)}
        insts.append(toy.Inst(op, operand[op.operand]))
    return [*insts, toy.Inst(toy.BY_NAME["halt"])]


def _toy_end(insts: Sequence[toy.Inst], registers: Sequence[int]) -> Sequence[int] | None:
    try:
        return toy.ended(insts, registers)[toy.INPUTS :]
    except OverflowError:
        return None


def compared(kind: str, folders: Sequence[Path], count: int, vertices: int, seed: int) -> Iterator[tuple[str, Compared]]:
    """Each program by its name."""
    if kind == "direct3d9" and folders:
        paths = sorted([path for folder in folders for path in folder.rglob("*") if path.is_file()])
        for number, shader in enumerate(shaders(paths)):
            yield f"{number} {shader.name}", compare_shader(shader, vertices, seed)
        return
    for number in range(count):
        if kind == "direct3d9":
            yield str(number), compare_shader(Direct3DShader(str(number), case_of(seed, number).shader), vertices, number)
        else:
            yield str(number), (compare_program if kind == "shadercore" else compare_toy)(number, vertices, seed)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="optimised_programs", description=__doc__)
    parser.add_argument("kind", choices=("direct3d9", "shadercore", "toy"))
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--count", type=int, default=2000, help="random programs (default: 2000)")
    parser.add_argument("--vertices", type=int, default=10_000, help="of each program (default: 10000)")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(argv)
    counts: Counter[str] = Counter()
    start = time.monotonic()
    for name, found in compared(asked.kind, asked.folders, asked.count, asked.vertices, asked.seed):
        counts["programs"] += 1
        counts["shorter"] += found.after < found.before
        counts["before"] += found.before
        counts["after"] += found.after
        if found.difference:
            counts["different"] += 1
            print(f"DIFFERENT {name}: {found.difference}", flush=True)
        if found.left_out:
            counts[f"left out: {found.left_out[:60]}"] += 1
        if counts["programs"] % 100 == 0:
            print(f"{time.monotonic() - start:.0f} s: {dict(counts)}", flush=True)
    print(f"{asked.kind}, {asked.vertices} vertices each: {dict(counts)} in {time.monotonic() - start:.0f} s")
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
