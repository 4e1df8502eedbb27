"""Random programs as C, compiled many at a time, compared with the reference engine. `python -m translations --help`."""

from __future__ import annotations

import argparse
import ctypes
import json
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from lanewise.pica200.engine.random_programs import Case, base_profile, case, vertex
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.isa.program import Interface
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER
from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.sem.profile import profiles
from lanewise.pica200.translate.computed import Subject
from lanewise.pica200.translate.emit import Part, part_of
from lanewise.pica200.translate.languages import LANGUAGES
from lanewise.pica200.translate.program import file_of, translate
from lanewise.pica200.translate.support import Support
from lanewise.translating.support import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lanewise.pica200.api.interface import Binding
    from lanewise.pica200.engine.reference import Words
    from lanewise.pica200.sem.profile import Profile

    Primitive = tuple[list[tuple[int, ...]], bool]

LANES = 16
BATCH = 17  # times the vertices of a program, so that there are more than a block of 256
BUDGET = 2_000  # steps of the reference; vertices that need more are left out
MOST_WORDS = 3_000  # of a translated program, where procedures are copied
# Contraction would round a * b + c once, and -ffast-math has no NaN.
FLAGS = ("-std=c11", "-ffp-contract=off", "-fno-fast-math", "-shared", "-fPIC", "-w")
# libm's own functions of floats are up to one step off; those of doubles, rounded once more, are those of the reference.
_CORRECT = (("exp2f(", "(float)exp2("), ("log2f(", "(float)log2("))
_FIXED = {"index_wrap": "uniforms", "index_files": "ignored", "mad_rounding": "twice", "initial_state": "zero"}
_EXACT = {"precision": "exact"}
# By file of uniforms, the last first: its first register, its first byte among all uniforms, the bytes of each.
_FILES = ((BOOLEAN, 96 * 16 + 4 * 4, 1), (INTEGER, 96 * 16, 4), (FLOAT, 0, 16))
_FLOAT = {
    "precision": "float32",
    "subnormal_arithmetic": "keep",
    "subnormal_floor": "keep",
    "negative_zero": "ieee",
    "nan_pattern": "kept",
}


class Compared(NamedTuple):
    """Counts: programs, vertices, and why others were left out; differences as lines."""

    programs: int
    lanes: int
    left_out: Counter[str]
    structured: int
    differences: list[str]


@dataclass
class State:
    """What a campaign has done."""

    done: int = 0
    programs: int = 0
    lanes: int = 0
    structured: int = 0
    left_out: dict[str, int] = field(default_factory=dict[str, int])
    differences: list[str] = field(default_factory=list[str])

    def add(self, numbers: int, found: Compared) -> None:
        self.done += numbers
        self.programs += found.programs
        self.lanes += found.lanes
        self.structured += found.structured
        self.left_out = dict(Counter(self.left_out) + found.left_out)
        self.differences += found.differences[:20]


def compiler() -> str:
    """The C compiler, or an empty text."""
    return shutil.which("gcc") or shutil.which("clang") or ""


def profile_of(profile: Profile, number: int) -> Profile:
    """A profile that translations have, as near to this one as possible; for nine programs of ten a preset.

    Programs of one profile are in one file, so that every tenth of a hundred has the profile of the first of these.
    """
    if number % 10:
        profile = profiles["azahar" if profile.rounding == "float32" else "hardware"]
    own = _FLOAT if profile.rounding == "float32" else _EXACT
    found = profile.replace(**_FIXED, **own)
    return found.replace(dot_order="left") if found.dot_order == "once" else found


def subject(one: Case, name: str) -> Subject:
    return Subject(
        name=name,
        words=one.words,
        descriptors=one.descriptors,
        interface=Interface(name=name),
        inputs=(),
        uniforms=(),
        comment=_nothing,
        label=_nothing,
    )


def _nothing(address: int) -> str:
    return ""


def build(text: str, folder: Path, flags: Sequence[str], command: str) -> ctypes.CDLL:
    """A library of a C source."""
    source, library = folder / "shaders.c", folder / f"shaders{time.monotonic_ns()}.so"
    for old, new in _CORRECT:
        text = text.replace(old, new)
    source.write_text(text)
    subprocess.run([command, *FLAGS, *flags, str(source), "-o", str(library), "-lm"], check=True)
    return ctypes.CDLL(str(library))


def uniforms(one: Case, profile: Profile) -> bytes:
    """All uniforms in the order of the registers."""
    canonical = number_rule(profile).canonical
    floats = [canonical(word) for row in one.floats for word in row]
    return (
        b"".join([word.to_bytes(4, "little") for word in floats])
        + bytes([byte for row in one.integers for byte in row])
        + bytes(map(int, one.booleans))
    )


def packed(given: bytes, members: Iterable[tuple[int, int]]) -> bytes:
    """The structure of uniforms, of all of them in the order of the registers: `members` have a first register and a size."""
    found = b""
    for first, size in members:
        file, start, width = next(each for each in _FILES if first >= each[0])
        at = start + (first - file) * width
        found += given[at : at + size * width]
    return found


def places_of(bindings: Iterable[Binding]) -> list[tuple[int, int]]:
    """The first register and the size of members."""
    first = {"c": FLOAT, "i": INTEGER, "b": BOOLEAN}
    return [(first[each.register[0]] + int(each.register[1:]), each.size) for each in bindings]


class Shader:
    """A function of a library. Without `uniforms`, its members, the structure has them all."""

    def __init__(
        self,
        library: ctypes.CDLL,
        name: str,
        inputs: Sequence[int],
        outputs: Sequence[int],
        uniforms: Sequence[tuple[int, int]] | None = None,
    ) -> None:
        self._function = getattr(library, name)
        self._batch = getattr(library, f"{name}_batch", None)
        self._inputs = inputs
        self._outputs = outputs
        self._uniforms = uniforms

    @classmethod
    def of_part(cls, library: ctypes.CDLL, part: Part) -> Self:
        names = part.names
        inputs, outputs = ([member.first for member in members] for members in (names.inputs, names.outputs))
        return cls(library, part.name, inputs, outputs, [(member.first, member.size) for member in names.uniforms])

    def run(self, inputs: Mapping[int, tuple[int, ...]], given: bytes) -> tuple[int, dict[int, tuple[int, ...]]]:
        """The number of the fault, 0 for none, and the outputs."""
        words = [word for register in self._inputs for word in inputs.get(register, (0, 0, 0, 0))]
        into = (ctypes.c_uint32 * (4 * len(self._outputs) + 4))()
        code = self._function((ctypes.c_uint32 * max(1, len(words)))(*words), self._packed(given), into)
        values = list(into)
        return code, {register: tuple(values[4 * n : 4 * n + 4]) for n, register in enumerate(self._outputs)}

    def _packed(self, given: bytes) -> bytes:
        return given if self._uniforms is None else packed(given, self._uniforms)

    def run_batch(
        self, vertices: Sequence[Mapping[int, tuple[int, ...]]], given: bytes
    ) -> tuple[int, list[dict[int, tuple[int, ...]]]] | None:
        """The fault and the outputs of vertices in arrays; None where the library has no function for them."""
        if self._batch is None:
            return None
        column = ctypes.c_uint32 * len(vertices)
        columns = [
            column(*[vertex.get(register, (0, 0, 0, 0))[lane] for vertex in vertices])
            for register in self._inputs
            for lane in range(4)
        ]
        results = [column() for _ in range(4 * len(self._outputs))]
        sides = [(ctypes.c_void_p * max(1, len(side)))(*map(ctypes.addressof, side)) for side in (columns, results)]
        code = self._batch(ctypes.c_size_t(len(vertices)), sides[0], self._packed(given), sides[1])
        found = [
            {
                register: tuple([results[4 * place + lane][n] for lane in range(4)])
                for place, register in enumerate(self._outputs)
            }
            for n in range(len(vertices))
        ]
        return code, found


def compare(
    seed: int, numbers: Iterable[int], *, flags: Sequence[str] = ("-O1",), command: str = "", kinds: str = "both"
) -> Compared:
    """Programs of a seed on both; their profiles are made such that there is a translation."""
    left_out: Counter[str] = Counter()
    cases: dict[bool, list[tuple[int, Case, Profile]]] = {True: [], False: []}
    others: dict[tuple[int, bool], Profile] = {}
    for number in numbers:
        exact = base_profile(number).rounding != "float32"
        if kinds == "both" or (kinds == "float24") == exact:
            one = case(seed, number)
            if number % 10 == 0:
                others.setdefault((number // 100, exact), one.profile)
            profile = others[number // 100, exact] if number % 10 == 0 else one.profile
            cases[exact].append((number, one, profile_of(profile, number)))
    differences: list[str] = []
    programs = lanes = structured = 0
    with tempfile.TemporaryDirectory() as name:
        for exact, chosen in cases.items():
            by_profile: dict[Profile, list[tuple[int, Case]]] = {}
            for number, one, profile in chosen:
                by_profile.setdefault(profile, []).append((number, one))
            for profile, group in by_profile.items():
                support = Support(LANGUAGES["c"](exact=exact), profile, batch=not exact)
                made: list[tuple[int, Case, Part]] = []
                for number, one in group:
                    try:
                        part = part_of(support, subject(one, f"p{number}"))
                    except RefusedError as error:
                        left_out[_reason(error)] += 1
                        continue
                    if part.words > MOST_WORDS:
                        left_out["too long"] += 1
                        continue
                    structured += part.structured
                    made.append((number, one, part))
                if not made:
                    continue
                text = file_of(support, [part for _, _, part in made]).text
                library = build(text, Path(name), flags, command or compiler())
                for number, one, part in made:
                    programs += 1
                    compared, found, endless = _beside(Shader.of_part(library, part), one, profile, exact=exact)
                    lanes += compared
                    left_out["endless vertices"] += endless
                    differences += [f"program {seed} {number}, {each}" for each in found]
    return Compared(programs, lanes, left_out, structured, differences)


def _reason(error: RefusedError) -> str:
    return "too many states" if "states" in str(error) or "slots" in str(error) else "refused: descriptor"


def _beside(shader: Shader, one: Case, profile: Profile, *, exact: bool) -> tuple[int, list[str], int]:
    """The vertices that were compared, the differences, and the vertices that do not end."""
    given = uniforms(one, profile)
    program = Reference(one.words, one.descriptors, 0, profile=profile, budget=BUDGET)
    differences: list[str] = []
    endless = 0
    alone: list[tuple[dict[int, Words], int, dict[int, tuple[int, ...]]]] = []
    for lane in range(LANES):
        inputs = _canonical(program, vertex(one, lane % one.lanes))
        found = program.run(inputs, one.floats, one.integers, one.booleans)
        if found.fault is not None and found.fault.endless:
            endless += 1
            continue
        code, outputs = shader.run(inputs, given)
        alone.append((inputs, code, outputs))
        wanted = int(found.fault.code[1:]) if found.fault else 0
        if code != wanted:
            differences.append(f"vertex {lane}: fault {code}, not {wanted}")
        for register, words in outputs.items():
            if not same(words, found.outputs[register], exact=exact):
                differences.append(f"vertex {lane}, o{register}: {_hex(words)}, not {_hex(found.outputs[register])}")
                break
    return LANES - endless, [*differences, *_batch_differences(shader, alone * BATCH, given, exact=exact)], endless


def _batch_differences(
    shader: Shader,
    alone: Sequence[tuple[Mapping[int, Words], int, Mapping[int, tuple[int, ...]]]],
    given: bytes,
    *,
    exact: bool,
) -> list[str]:
    """Where the vertices of a batch have other faults or outputs than each has alone."""
    found = shader.run_batch([inputs for inputs, _, _ in alone], given) if alone else None
    if found is None:
        return []
    last = next((code for _, code, _ in reversed(alone) if code), 0)
    differences = [f"batch: fault {found[0]}, not {last}"] if found[0] != last else []
    for n, ((_, _, wanted), outputs) in enumerate(zip(alone, found[1], strict=True)):
        for register, words in outputs.items():
            if not same(words, wanted[register], exact=exact):
                differences.append(f"batch: vertex {n}, o{register}: {_hex(words)}, not {_hex(wanted[register])}")
    return differences[:1]


_SEND = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint32), ctypes.c_bool)


class GeometryShader(Shader):
    """A function of a library that keeps its state from run to run."""

    def __init__(
        self,
        library: ctypes.CDLL,
        name: str,
        inputs: Sequence[int],
        outputs: Sequence[int],
        uniforms: Sequence[tuple[int, int]] | None = None,
    ) -> None:
        super().__init__(library, name, inputs, outputs, uniforms)
        self._state = ctypes.create_string_buffer(16_384)

    def sent(self, inputs: Mapping[int, tuple[int, ...]], given: bytes) -> tuple[int, list[Primitive]]:
        """The number of the fault, and the primitives: by vertex the outputs that the program writes, and whether the winding
        is inverted."""
        words = [word for register in self._inputs for word in inputs.get(register, (0, 0, 0, 0))]
        found: list[Primitive] = []
        size = 4 * len(self._outputs)

        def send(user: object, vertices: Any, inverted: bool) -> None:
            rows = [tuple(vertices[vertex * size : (vertex + 1) * size]) for vertex in range(3)] if size else [()] * 3
            found.append((rows, bool(inverted)))

        code = self._function(self._state, (ctypes.c_uint32 * max(1, len(words)))(*words), given, _SEND(send), None)
        return code, found

    def of(self, outputs: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """The words of the outputs that the program writes."""
        return tuple([word for register in self._outputs for word in outputs[register]])


def compare_geometry(seed: int, numbers: Iterable[int], *, flags: Sequence[str] = ("-O1",), command: str = "") -> Compared:
    """Geometry shaders, whose runs follow each other."""
    from lanewise.pica200.engine.differential_geometry import geometry_case  # which needs NumPy

    left_out: Counter[str] = Counter()
    differences: list[str] = []
    programs = runs = structured = 0
    with tempfile.TemporaryDirectory() as name:
        for number in numbers:
            one = geometry_case(seed, number).program
            exact = one.profile.rounding != "float32"
            profile = profile_of(one.profile, 0)
            own = subject(one, f"p{number}")
            own = own._replace(interface=own.interface._replace(geometry=True))
            try:
                translated = translate([own], "c", profile, exact=exact)
            except RefusedError:
                left_out["refused"] += 1
                continue
            part = translated.parts[0]
            if part.words > MOST_WORDS:
                left_out["too long"] += 1
                continue
            shader = GeometryShader.of_part(build(translated.text, Path(name), flags, command or compiler()), part)
            structured += part.structured
            programs += 1
            program = Reference(one.words, one.descriptors, 0, profile=profile, budget=BUDGET, geometry=True)
            machine = None
            for lane in range(LANES):
                inputs = _canonical(program, vertex(one, lane % one.lanes))
                machine = program.start(inputs, one.floats, one.integers, one.booleans, machine)
                wanted: list[Primitive] = []
                while not machine.finished:
                    result = machine.step().result
                    if "emit" in result and result["emit"].primitive is not None:
                        emitted = result["emit"].primitive
                        wanted.append(([shader.of(each.outputs) for each in emitted], result["emit"].emission.invert))
                if machine.fault is not None and machine.fault.endless:
                    left_out["endless runs, and those after them"] += 1
                    break
                code, found = shader.sent(inputs, uniforms(one, profile))
                runs += 1
                fault = int(machine.fault.code[1:]) if machine.fault else 0
                if code != fault or not _all_same(found, wanted, exact=exact):
                    differences.append(f"geometry {seed} {number}, run {lane}: {code} {found}, not {fault} {wanted}"[:500])
                    break
    return Compared(programs, runs, left_out, structured, differences)


def _canonical(program: Reference, inputs: Mapping[int, Words]) -> dict[int, Words]:
    canonical = program.algebra.canonical
    return {n: (canonical(x), canonical(y), canonical(z), canonical(w)) for n, (x, y, z, w) in inputs.items()}


def _all_same(mine: Sequence[Primitive], theirs: Sequence[Primitive], *, exact: bool) -> bool:
    if len(mine) != len(theirs):
        return False
    return all(
        a[1] == b[1] and all(same(x, y, exact=exact) for x, y in zip(a[0], b[0], strict=True))
        for a, b in zip(mine, theirs, strict=True)
    )


def same(mine: Sequence[int], theirs: Sequence[int], *, exact: bool) -> bool:
    """Equal bits; in float32 any NaN for a NaN."""
    return all(a == b or (not exact and _nan(a) and _nan(b)) for a, b in zip(mine, theirs, strict=True))


def _nan(word: int) -> bool:
    return word & 0x7FFFFFFF > 0x7F800000


def _hex(words: Sequence[int]) -> str:
    return " ".join([f"{word:08x}" for word in words])


def main() -> None:
    parser = argparse.ArgumentParser(
        description="compare random programs as C with the reference engine; goes on where it stopped"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--chunk", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--state", type=Path, help="the file that says which chunks are done")
    parser.add_argument("--command", default="", help="the compiler")
    parser.add_argument("--flags", default="-O0", help="of the compiler, in whose time -O0 is a quarter of -O1")
    parser.add_argument("--kinds", default="both", choices=("both", "float24", "float"))
    parser.add_argument("--geometry", action="store_true", help="geometry shaders")
    arguments = parser.parse_args()
    state = State()
    if arguments.state and arguments.state.exists():
        state = State(**json.loads(arguments.state.read_text()))
    while state.done < arguments.count:
        first = arguments.first + state.done
        numbers = range(first, first + min(arguments.chunk, arguments.count - state.done))
        flags = arguments.flags.split()
        if arguments.geometry:
            found = compare_geometry(arguments.seed, numbers, flags=flags, command=arguments.command)
        else:
            found = compare(arguments.seed, numbers, flags=flags, command=arguments.command, kinds=arguments.kinds)
        state.add(len(numbers), found)
        if arguments.state:
            arguments.state.write_text(json.dumps(asdict(state), indent=1))
        counts = f"{state.programs} programs, {state.lanes} vertices, {len(state.differences)} differences"
        print(f"{state.done} of {arguments.count}: {counts}", flush=True)
    print(json.dumps(asdict(state), indent=1))


if __name__ == "__main__":
    main()
