"""The compiled engine beside the JITs of two emulators, in turns in one process: ns of thread CPU time a vertex, minimum and
median.

Each format has its floor (`lanewise bench --help`), with what it is the time of. A case counts as reached where it is at most
1.3 times that; elsewhere Azahar's JIT takes so many times as long: as many times as before, less an eighth. What is asked for
is printed beside it.
"""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, NamedTuple

import pytest

from lanewise.pica200.engine.llvm.repeat import seconds_of
from lanewise.pica200.engine.llvm.tiers import BEST
from lanewise_bench.copying import MOVED, aligned
from lanewise_bench.measure import PROFILES, Bench, prepared
from peers import PEERS, PROGRAMS, VARIABLE, Peer, Public, given

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise_bench.floors import Floors

# What is asked of every program, by format.
ASKED = {"hardware": 12.0, "rounding=nearest": 4.5, "azahar": 20.0}
# By level of the processor: seven eighths of the least that was measured of each, with both numbers of vertices, in two runs
# there. It is asserted where the level has a table; docs/engines.md has both, and where the rest goes.
REACHED = {
    # Emerald Rapids, quiet, 22 November 2026.
    "avx512": {
        "simple_tri": (6.7, 4.6, 7.2),
        "textured_cube": (13.9, 7.0, 21.7),
        "fragment_light": (11.4, 7.0, 13.7),
        "normal_mapping": (9.3, 5.3, 16.1),
        "cube_lighting_16": (32.4, 14.1, 50.4),
        "loop16": (8.4, 3.6, 14.7),
        "branchy": (8.2, 4.1, 12.0),
    },
    # Zen 3, where others worked too, 29 November 2026.
    "avx2": {
        "simple_tri": (8.2, 4.8, 11.1),
        "textured_cube": (13.1, 5.5, 20.3),
        "fragment_light": (8.5, 4.9, 12.9),
        "normal_mapping": (9.7, 3.9, 13.8),
        "cube_lighting_16": (29.0, 11.5, 36.8),
        "loop16": (9.6, 3.5, 15.2),
        "branchy": (9.2, 4.9, 12.7),
    },
}
_SHOWN = {"hardware": "toward zero", "rounding=nearest": "nearest", "azahar": "float32"}
_ROUNDS, _SAMPLE = 11, 2e-3
pytestmark = pytest.mark.skipif(
    not all(path.is_file() for path in PEERS.values()),
    reason=f"{VARIABLE} names no folder with lib/azahar.so and lib/panda3ds.so",
)


class _Taken(NamedTuple):
    """Samples of what was measured, in ns a vertex."""

    run: Callable[[int], float]
    times: int
    samples: list[float]

    @classmethod
    def of(cls, run: Callable[[int], float]) -> _Taken:
        """`run` gives the ns of a vertex for so many runs."""
        run(1)
        start = time.thread_time()
        run(1)
        return cls(run, max(1, int(_SAMPLE / max(time.thread_time() - start, 1e-7))), [])

    def sample(self) -> None:
        self.samples.append(self.run(self.times))

    def __str__(self) -> str:
        return f"{min(self.samples):7.2f} {statistics.median(self.samples):7.2f}"


def _shape(found: Floors) -> str:
    """Width and spills of a kernel."""
    limit = found.limit
    return f", width {limit.width}, {limit.bound.spills:.0f} of {limit.bound.instructions:.0f} spill" if limit else ""


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench("native", stream=False)


@pytest.fixture(scope="module")
def peers() -> dict[str, Peer]:
    return {name: Peer(path) for name, path in PEERS.items()}


@pytest.mark.parametrize("vertices", [4096, 65_536])
@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_vertices_a_second(program: Public, vertices: int, bench: Bench, peers: dict[str, Peer], judged: bool):
    data = given(program, vertices)
    taken = {name: _Taken.of(lambda times, peer=peer: peer.ns(data, program, times)) for name, peer in peers.items()}
    floors: dict[str, Floors] = {}
    for name, rules in PROFILES.items():
        ready = prepared(data.shader, *data.bound(rules), rules, in_place=True)
        moving = [one.sampled for one in ready.copiers(bench.target, _SAMPLE) if one.kind == MOVED]
        floors[name] = bench.floors(ready, bench.kernel(ready), 1e9 * min(seconds_of(moving, _ROUNDS)) / vertices)
        data.shader.runner(rules).compiled.tier = BEST
        outputs = {f"o{n}": aligned(vertices) for n in ready.outputs}
        batch = data.shader.batch(data.named, data.uniforms, profile=rules, out=outputs)
        assert batch.engine == "llvm"

        def run(times: int, one: Callable[[], object] = batch.run) -> float:
            start = time.thread_time_ns()
            for _ in range(times):
                one()
            return (time.thread_time_ns() - start) / times / vertices

        taken[name] = _Taken.of(run)
    for _ in range(_ROUNDS):
        for one in taken.values():
            one.sample()
    jit = min(taken["Azahar"].samples)
    print(f"\n{program.name}, {vertices} vertices: ns min and median; " + ", ".join(f"{name} {taken[name]}" for name in peers))
    failed: list[str] = []
    known = REACHED.get(bench.target.level, {}).get(program.name, (0.0,) * len(ASKED))
    least = dict(zip(ASKED, known, strict=True))
    for name, found in floors.items():
        ns = min(taken[name].samples)
        reached = found.reached(ns)
        print(
            f"  {_SHOWN[name]:12} {taken[name]}  Azahar / it {jit / ns:6.1f}  floor {found.floor:6.2f} "
            f"({ns / found.floor:.2f} x) by "
            f"{found.reason}{_shape(found)}, results {found.results:6.2f}, moving {found.moving:5.2f}"
            f"{'  reached' if reached else '  as asked' if jit / ns >= ASKED[name] else f'  asked {ASKED[name]:.0f}'}"
        )
        if jit / ns < least[name] and not reached:
            failed.append(f"{_SHOWN[name]}: {jit / ns:.1f} times, before {least[name]}")
    if judged and failed:
        pytest.fail("; ".join(failed), pytrace=False)
