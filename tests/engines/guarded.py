"""Kernels under guard pages: every buffer of a kernel lies between pages that nobody may touch, at the end of its own or at the
beginning.

    python -m engines.guarded 200

runs so many programs, in the folder `tests`. An access outside ends the process (test_memory.py runs this as one of its own);
an access within the first or last page of a buffer but beside it is seen by a pattern there, or because the other placing shows
it.
"""

from __future__ import annotations

import ctypes
import faulthandler
import mmap
import random
import sys
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from engines.kernels import CHANGED, Intercepted, InterceptedGeometryRunner, InterceptedRunner, buffers, counted
from engines.shaders import descriptor, word
from engines.threaded import always
from lanewise.core.engines import LLVM, REFERENCE
from lanewise.pica200.engine.binding import Column, Columns, Inputs, Uniforms
from lanewise.pica200.engine.differential import compare
from lanewise.pica200.engine.differential_geometry import GeometryDifference, compare_geometry, geometry_case
from lanewise.pica200.engine.random_programs import EDGES, case
from lanewise.pica200.engine.run import Runner
from lanewise.pica200.isa.table import FLOAT as C
from lanewise.pica200.isa.table import TEMPORARY as R
from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.sem.profile import HARDWARE, profiles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engines.kernels import Buffer, Site
    from lanewise.pica200.sem.profile import Profile

PAGE = mmap.PAGESIZE
FILLING = 0xA5
_libc = ctypes.CDLL(None, use_errno=True)
_libc.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
_NONE, _READ = 0, 1  # PROT_NONE, PROT_READ


class Guarded:
    """Some bytes between two pages without access: at the end of the pages between them (`high`), or at their beginning."""

    def __init__(self, contents: bytes, *, high: bool, writable: bool) -> None:
        room = -(-max(len(contents), 1) // PAGE) * PAGE
        self._map = mmap.mmap(-1, room + 2 * PAGE)
        whole = np.frombuffer(self._map, np.uint8)
        self._inner = whole[PAGE : PAGE + room]
        self._inner.fill(FILLING)
        start = room - len(contents) if high else 0
        self._mine = slice(start, start + len(contents))
        self._inner[self._mine] = np.frombuffer(contents, np.uint8)
        base: int = whole.ctypes.data
        self.address = base + PAGE + start
        for page, size, allowed in ((0, PAGE, _NONE), (PAGE + room, PAGE, _NONE), *([] if writable else [(PAGE, room, _READ)])):
            if _libc.mprotect(base + page, size, allowed):
                raise OSError(ctypes.get_errno(), "mprotect")

    def contents(self) -> bytes:
        """The bytes as they are now. Raises AssertionError if something beside them has changed."""
        assert np.all(self._inner[: self._mine.start] == FILLING), "written before a buffer"
        assert np.all(self._inner[self._mine.stop :] == FILLING), "written behind a buffer"
        return self._inner[self._mine].tobytes()


class Watched(Intercepted):
    """A program whose kernels see guarded copies of all their buffers, and of the argument block."""

    high = True
    runs: ClassVar = {False: 0, True: 0}  # speculative, exact

    def execute(self, site: Site, words: NDArray[np.int64]) -> None:
        self.runs[site.exact] += 1
        mine = words.copy()
        guarded: list[tuple[Guarded, Buffer]] = []
        for buffer in buffers(site, words):
            copy = Guarded(ctypes.string_at(buffer.address, buffer.size), high=self.high, writable=buffer.written)
            mine[buffer.slot] = copy.address
            guarded.append((copy, buffer))
        block = Guarded(mine.tobytes(), high=self.high, writable=True)
        site.kernel.run(block.address)
        for copy, buffer in guarded:
            after = copy.contents()
            if buffer.written:
                ctypes.memmove(buffer.address, after, len(after))
        after = np.frombuffer(block.contents(), np.int64).copy()
        counted(mine, after)
        for number in CHANGED:
            words[number] = after[number]


class Low(Watched):
    high = False


class WatchedRunner(InterceptedRunner):
    kind = Watched


class LowRunner(InterceptedRunner):
    kind = Low


class WatchedGeometryRunner(InterceptedGeometryRunner):
    kind = Watched


class LowGeometryRunner(InterceptedGeometryRunner):
    kind = Low


KINDS = (WatchedRunner, LowRunner)
GEOMETRY_KINDS = (WatchedGeometryRunner, LowGeometryRunner)

# c[a0 + 95] and c[aL + n] of wild numbers, an output that only some vertices write, and one of which nothing is known.
WILD = (
    word("mova", src1=0),
    word("mov", dst=R, src1=C + 95, idx=1),
    word("add", dst=R, src1=C, src2=R, idx=2),
    word("mov", dst=0, src1=R),
    word("cmp", src1=1, src2=2),
    word("for", dst=7),
    word("mad", dst=R, src1=R, src2=3, src3=1),
    word("mov", dst=2, src1=C + 50, idx=3),
    word("ifc", refx=1, refy=1, condop=0, dst=10),
    word("mov", dst=1, src1=C + 1, idx=1, desc=1),
    word("end"),
)
LANES = (1, 2, 15, 16, 17, 31, 33, 64, 100)


def wild_inputs(rng: random.Random, lanes: int, profile: Profile) -> Inputs:
    """v0-v3 of one to four components each: packed, one row for all, a part of wider rows, or of rows that lie far apart."""
    columns: dict[int, Column] = {}
    for register in range(4):
        components = rng.randrange(1, 5)
        kind = rng.choice(("packed", "one", "rows", "far"))
        width = {"packed": components, "one": components, "rows": components + rng.randrange(1, 5), "far": 3 * PAGE // 4}[kind]
        rows = 1 if kind == "one" else lanes
        whole = np.array([wild_number(rng) for _ in range(rows * min(width, 8))], np.float32).reshape(rows, -1)
        values = np.zeros((rows, width), np.float32)
        values[:, : whole.shape[1]] = whole
        first = rng.randrange(min(width - components, 4) + 1)
        columns[register] = Column(values[:, first : first + components], raw=False, profile=profile)
    return Inputs(Columns(columns, lanes), lanes)


def wild_number(rng: random.Random) -> float:
    if rng.random() < 0.5:
        return rng.choice(
            (-129.0, -128.0, -96.0, -1.5, -0.0, 0.0, 1.0, 31.9, 32.0, 95.0, 127.0, 128.0, 1e6, 2.0**31, 2.0**63, -(2.0**40))
        )
    return rng.choice((float("nan"), float("inf"), -float("inf"), 1e38, -1e38, 1e-20, 2.0**-62, rng.uniform(-300.0, 300.0)))


def run_wild(rng: random.Random, make: type[Runner]) -> None:
    rules = rng.choice((HARDWARE, HARDWARE.replace(rounding="nearest"), profiles["azahar"].replace(initial_state="zero")))
    lanes = rng.choice(LANES)
    inputs = wild_inputs(rng, lanes, rules)
    rule = number_rule(rules)
    plain = rng.random() < 0.7

    def number() -> int:
        return rule.from_float24(0x3F0000 + rng.getrandbits(16) if plain else rng.choice(EDGES))

    floats = tuple((number(), number(), number(), number()) for _ in range(96))
    loop = (rng.choice((0, 3, 255)), rng.choice((0, 90, 255)), rng.choice((1, 128, 255)), 0)
    uniforms = Uniforms(floats=floats, integers=(loop,) * 4, booleans=(False,) * 16, given=frozenset())
    runner = make(WILD, (descriptor(), descriptor(0b1010)), 0, rules)
    threads = rng.choice((1, 1, 3))
    found = runner.run(inputs, uniforms, (), range(3), 5000, engine=LLVM, threads=threads)
    wanted = runner.run(inputs, uniforms, (), range(3), 5000, engine=REFERENCE)
    assert found.engine == LLVM
    for register in ("o0", "o1", "o2"):
        assert np.array_equal(found.bits[register], wanted.bits[register]), register
        assert np.array_equal(found.written[register], wanted.written[register]), register


def run_short(rng: random.Random) -> None:
    """Less than a vector, by kernels without interception: they and the copies around them see the user's own arrays, which end
    where the page does."""
    lanes = rng.randrange(1, 16)
    inputs = wild_inputs(rng, lanes, HARDWARE)
    guarded: list[Guarded] = []
    columns: dict[int, Column] = {}
    for register, column in inputs.words.columns.items():
        values = column.values
        rows, components = values.shape
        stride = values.strides[0] if rows > 1 else 4 * components
        span = (rows - 1) * stride + 4 * components
        spread = np.zeros(span, np.uint8)
        for row in range(rows):
            spread[row * stride : row * stride + 4 * components] = values[row].copy().view(np.uint8)
        guarded.append(memory := Guarded(spread.tobytes(), high=rng.random() < 0.7, writable=False))
        whole = np.ctypeslib.as_array(ctypes.cast(memory.address, ctypes.POINTER(ctypes.c_uint8)), (span,))
        mine = np.ndarray((rows, components), np.float32, whole.data, 0, (stride, 4))
        columns[register] = Column(mine, raw=False, profile=HARDWARE)
    given = Inputs(Columns(columns, lanes), lanes)
    assert all(column.in_place for column in given.words.columns.values())
    one = number_rule(HARDWARE).constant(1.0)
    uniforms = Uniforms(
        floats=((one, one, one, one),) * 96, integers=((3, 0, 1, 0),) * 4, booleans=(False,) * 16, given=frozenset()
    )
    memories = [Guarded(bytes(16 * lanes), high=rng.random() < 0.7, writable=True) for _ in range(3)]
    buffers = {
        n: np.ctypeslib.as_array(ctypes.cast(memory.address, ctypes.POINTER(ctypes.c_float)), (lanes, 4))
        for n, memory in enumerate(memories)
    }
    arguments = WILD, (descriptor(), descriptor(0b1010)), 0, HARDWARE
    bound = Runner(*arguments).bind(given, uniforms, (), buffers, 5000, LLVM)
    assert bound.prepared
    bound.run()
    wanted = Runner(*arguments).run(given, uniforms, (), range(3), 5000, engine=REFERENCE)
    for n, memory in enumerate(memories):
        assert memory.contents() == wanted.outputs[f"o{n}"].tobytes(), n
        assert np.array_equal(bound.arrays[f"o{n}"], wanted.outputs[f"o{n}"], equal_nan=True)


def main() -> int:
    count = int(sys.argv[1])
    faulthandler.enable()
    always()
    rng = random.Random(7)
    for number in range(count):
        make = KINDS[number % len(KINDS)]
        # The last line before a crash says what was run.
        print(f"wild {number}", flush=True)
        run_wild(rng, make)
        if number % 4 == 0:  # each compiles a kernel
            print(f"short {number}", flush=True)
            run_short(rng)
        print(f"program {number} of seed 70", flush=True)
        found = compare(case(70, number), make=make)
        assert found.difference is None, found
        print(f"geometry shader {number} of seed 7", flush=True)
        geometry = geometry_case(7, number)
        lost = compare_geometry(geometry, make=GEOMETRY_KINDS[number % len(GEOMETRY_KINDS)])
        assert not isinstance(lost, GeometryDifference), lost
    print(f"{Watched.runs[False]} speculative and {Watched.runs[True]} exact runs")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
