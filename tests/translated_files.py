"""Shaders of files as C beside the reference engine. `python -m translated_files FILE...`"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import lanewise as lw
from lanewise.core.diagnostics import InputError
from lanewise.pica200.api.translating import translated
from lanewise.pica200.engine.random_programs import EDGES
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.sem.profile import profiles
from lanewise.pica200.translate.support import RefusedError
from translations import Shader, build, compiler, places_of, same

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.api.shader import Shader as Pica
    from lanewise.pica200.sem.profile import Profile

BUDGET = 20_000


def words(rng: random.Random, profile: Profile, edges: float = 0.1) -> tuple[int, int, int, int]:
    """A vector: mostly numbers of ordinary size; a part of `edges` are those at which arithmetic changes its rule."""
    from lanewise.pica200.sem.numbers import number_rule

    rule = number_rule(profile)

    def word() -> int:
        found = (
            rng.choice(EDGES)
            if rng.random() < edges
            else rng.getrandbits(1) << 23 | rng.randrange(56, 68) << 16 | rng.getrandbits(16)
        )
        return rule.from_float24(found)

    return word(), word(), word(), word()


def compare_file(
    shader: Pica, numbers: str, lanes: int, seed: int = 1, flags: Sequence[str] = ("-O1",), *, finite: bool = False
) -> tuple[int, list[str], bool]:
    """The vertices compared, differences, and whether the text is structured; uniforms are random but for those that the file
    presets. `finite`: of the code for finite numbers, where all results are; zeros of both signs are equal."""
    rng = random.Random(f"{seed} {shader.name}")
    profile = profiles["hardware" if numbers == "float24" else "azahar"].replace(initial_state="zero")
    found = translated([shader], "c", numbers=numbers, finite=finite, profile=profile, file="shader.shbin")
    edges = 0 if finite else 0.1
    layout = found.shaders[0]
    program = Reference(shader.words, shader.descriptors, shader.interface.entry, profile=profile, budget=BUDGET)
    floats = [words(rng, profile, edges) for _ in range(96)]
    integers = [(rng.randrange(4), rng.randrange(30), rng.randrange(4), 0) for _ in range(4)]
    booleans = [rng.random() < 0.5 for _ in range(16)]
    for register, values in shader.interface.constants:
        if register >= 136:
            booleans[register - 136] = bool(values[0])
        elif register >= 128:
            x, y, z, w = values
            integers[register - 128] = (x, y, z, w)
        else:
            x, y, z, w = (program.algebra.from_float24(word) for word in values)
            floats[register - 32] = (x, y, z, w)
    canonical = [[program.algebra.canonical(word) for word in row] for row in floats]
    given = (
        b"".join([word.to_bytes(4, "little") for row in canonical for word in row])
        + bytes([byte for row in integers for byte in row])
        + bytes(map(int, booleans))
    )
    differences: list[str] = []
    compared = 0
    with tempfile.TemporaryDirectory() as folder:
        library = build(found.text, Path(folder), flags, compiler())
        function = Shader(
            library,
            layout.name,
            [int(binding.register[1:]) for binding in layout.inputs],
            [int(binding.register[1:]) for binding in layout.outputs],
            places_of(layout.uniforms),
        )
        for lane in range(lanes):
            inputs = {number: words(rng, profile, edges) for number in range(16)}
            wanted = program.run(inputs, floats, integers, booleans)
            if wanted.fault is not None and wanted.fault.endless:
                continue
            _, outputs = function.run(inputs, given)
            if finite:
                if any(_is_special(word) for register in outputs for word in wanted.outputs[register]):
                    continue
                outputs = {register: _unsigned_zeros(own) for register, own in outputs.items()}
            compared += 1
            for register, own in outputs.items():
                expected = _unsigned_zeros(wanted.outputs[register]) if finite else wanted.outputs[register]
                if not same(own, expected, exact=numbers == "float24"):
                    differences.append(
                        f"{shader.file} {shader.name}, {numbers}, vertex {lane}, o{register}: {own}, not "
                        f"{wanted.outputs[register]}"
                    )
                    break
    return compared, differences, layout.structured


def _is_special(word: int) -> bool:
    """Whether a float32 is an infinity or NaN."""
    return word & 0x7F800000 == 0x7F800000


def _unsigned_zeros(words: Sequence[int]) -> tuple[int, ...]:
    return tuple([word if word & 0x7FFFFFFF else 0 for word in words])


def main(paths: Sequence[str]) -> None:
    shaders = vertices = structured = 0
    differences: list[str] = []
    seen: set[tuple[object, ...]] = set()
    for path in paths:
        try:
            file = lw.load(path)
        except (InputError, ValueError) as error:
            print(f"{path}: {str(error)[:100]}")
            continue
        for shader in file.programs:
            key = (shader.words, shader.descriptors, shader.interface.entry, shader.stage)
            if shader.stage != "vertex" or key in seen:
                continue
            seen.add(key)
            try:
                for numbers in ("float24", "float"):
                    compared, found, whole = compare_file(shader, numbers, 64)
                    vertices += compared
                    differences += found
                shaders += 1
                structured += whole
                if not whole:
                    print(f"{path} {shader.name}: numbered blocks")
            except RefusedError as error:
                print(f"{path} {shader.name}: {error}")
    print(f"{shaders} shaders, {structured} structured, {vertices} vertices, {len(differences)} differences")
    print("\n".join(differences[:20]))


if __name__ == "__main__":
    main(sys.argv[1:])
