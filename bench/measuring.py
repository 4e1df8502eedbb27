"""Programs and times that benchmarks share. They state ratios from one run, because bare seconds mean nothing on another
machine."""

from __future__ import annotations

import random
import resource
import subprocess
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]


def program(instructions: int, seed: int = 1) -> str:
    """A vertex shader of this many plain instructions."""
    rng = random.Random(seed)
    lines = [
        f"\t{rng.choice(['add', 'mul', 'max', 'min', 'dp4'])} r{rng.randrange(16)}.{rng.choice(['xyz', 'xyzw', 'xy'])}, "
        f"c{rng.randrange(90)}, r{rng.randrange(16)}"
        for _ in range(instructions)
    ]
    return ".out pos position\n.proc main\n" + "\n".join(lines) + "\n\tmov pos, r0\n\tend\n.end\n"


def seconds(command: list[str], repeat: int = 15) -> float:
    """The best wall time of a command."""
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        best = min(best, time.perf_counter() - start)
    return best


def cpu_seconds(commands: list[list[str]], repeat: int = 15) -> list[float]:
    """The least processor time of each command; they are run in turns."""
    best = [float("inf")] * len(commands)
    for _ in range(repeat):
        for number, command in enumerate(commands):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
            best[number] = min(best[number], spent)
    return best
