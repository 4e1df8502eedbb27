"""What commands cost as sources grow: no shape of a source is quadratic. `nox -s scaling [-- SHAPE ...]`.

Each shape is written with 10^4 and 10^5 lines (one: 10^5 words in a line), far more than a program can hold, so that most end
in findings. The exponent is what the processor time of a command grows by, above that of an empty source; each may be at most
`MOST`. What is measured is time of the process, so that others on the machine count little; what seems too much is measured
`ROUNDS` times, and the least counts. Linux only (`wait4`, `prlimit`).

First a shape has a fifth of these lines. Where time grows by less than `CLEAR` there, it does by less than `MOST` with all: of
a line and a square, the square is a fifth of the line there, as much as the line at the large size, and the exponent 1.27. So
the large source, which takes most of the time, is left to shapes that are not clear, or with `--all` to all.
"""

from __future__ import annotations

import math
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

SMALL, LARGE = 10_000, 100_000
FEW, SEVERAL = 5_000, 20_000  # of which the second has a fifth of the lines of the large one
MOST, CLEAR = 1.3, 1.1
MOST_MEMORY = 600  # MB
_ALLOWED = 4 << 30  # bytes: a command that wants more ends, and the machine goes on
ROUNDS = 3
BELOW = 0.2  # seconds above an empty source, of the large one: too little for an exponent
COMMANDS = ("asm", "check", "fmt")


class Shape(NamedTuple):
    """A kind of source. In a line {k} is its number, {before} that of the one before, {last} the number of the last one, {r} a
    register number below 16, {c} one below 96."""

    suffix: str
    each: str  # what is repeated: a line or several
    head: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()
    closing: str = ""  # half of the lines: what closes the other half
    in_a_line: bool = False  # `each` is repeated in one line

    def lines(self, count: int) -> list[str]:
        """The lines of the source for a size."""
        repeated = count // (2 if self.closing else 1 + self.each.count("\n"))
        numbers = [{"k": k, "before": max(k - 1, 0), "r": k % 16, "c": k % 96} for k in range(repeated)]
        body = [self.each.format(**number) for number in numbers]
        tail = [line.format(last=max(repeated - 1, 0)) for line in self.tail]
        return [
            *self.head,
            *(["".join(body)] if self.in_a_line else body),
            *[self.closing] * (repeated if self.closing else 0),
            *tail,
        ]


_PICASSO = (".out o position", ".in i", ".proc main")
_END = ("mov o, i", "end", ".end")
_WHOLE = (*_PICASSO, *_END)
SHAPES = {
    "labels": Shape(".pica", "label_{k}: mov r0, i", _PICASSO, _END),
    "labels alone": Shape(".pica", "label_{k}:", _PICASSO, _END),
    "jumps to one label": Shape(".pica", "jmpu b0, there", _PICASSO, ("there:", *_END)),
    "the same label": Shape(".pica", "there:", _PICASSO, _END),
    "aliases": Shape(".pica", ".alias name{k} r{r}", (), _WHOLE),
    "a chain of aliases": Shape(
        ".pica", ".alias name{k} name{before}", (".alias name0 r1",), (*_PICASSO, "mov r0, name{last}", *_END)
    ),
    "constants": Shape(".pica", ".constf c{k}({k}, 0, 1, 2)", (), _WHOLE),
    "equal constants": Shape(".pica", ".constf c{k}(1, 0, 1, 2)", (), _WHOLE),
    "values that are set": Shape(".pica", ".setf c{c}({k}, 0, 1, 2)", (), _WHOLE),
    "uniforms": Shape(".pica", ".fvec one{k}", (), _WHOLE),
    "procedures": Shape(".pica", ".proc p{k}\n.end", (), _WHOLE),
    "a chain of calls": Shape(".pica", ".proc p{k}\ncall p{before}\n.end", (), (*_PICASSO, "call p{last}", *_END)),
    "nesting": Shape(".pica", "ifu b0", _PICASSO, _END, ".end"),
    "ends without a beginning": Shape(".pica", ".end"),
    "instructions": Shape(".pica", "mad r0, r1, r2, r3", _PICASSO, _END),
    "unknown instructions": Shape(".pica", "moov{k} r0, r1", _PICASSO, _END),
    "unknown names, alike": Shape(".pica", "mov r0, colour_{k}", _PICASSO, _END),
    "broken lines": Shape(".pica", "!!"),
    "comments": Shape(".pica", "; nothing", (), _WHOLE),
    "one long line": Shape(".pica", "mov r0, ", _PICASSO, _END, in_a_line=True),
    "one long name": Shape(".pica", "abcdefghij", _PICASSO, _END, in_a_line=True),
    "brackets": Shape(".pica", "mov r0, c0[[", _PICASSO, _END, in_a_line=True),
    "nihstro, labels": Shape(".vsh", "label_{k}: mov r0, v0", ("main:",), ("end",)),
    "nihstro, aliases": Shape(".vsh", ".alias name{k} c{c}", (), ("main:", "end")),
    "nihstro, nesting": Shape(".vsh", "if b0", ("main:",), ("end",), "endif"),
    "nihstro, broken lines": Shape(".vsh", "!!", ("main:",)),
    "ShaderCore, instructions": Shape(".sc", "add r{r}.x, r0.x, r0.y"),
    "ShaderCore, constants": Shape(".sc", ".const c{r} ({k}, 0, 1, 2)"),
    "ShaderCore, broken lines": Shape(".sc", "!!"),
    "ShaderCore, unknown names": Shape(".sc", "add r0.x, colour_{k}, r0.y"),
    "Direct3D 9, instructions": Shape(".vsa", "mad r0, r1, r2, r3", ("vs_3_0",)),
    "Direct3D 9, labels": Shape(".vsa", "label l{k}", ("vs_3_0",)),
    "Direct3D 9, constants": Shape(".vsa", "def c{c}, {k}, 0, 1, 2", ("vs_3_0",)),
    "Direct3D 9, nesting": Shape(".vsa", "if b0", ("vs_3_0",), (), "endif"),
    "Direct3D 9, broken lines": Shape(".vsa", "!!", ("vs_3_0",)),
}


class Cost(NamedTuple):
    """What one run took."""

    seconds: float  # of the processor
    memory: float  # MB, at most
    code: int


def main(arguments: list[str]) -> int:
    asked = [name for name in arguments if name != "--all"]
    unknown = [name for name in asked if name not in SHAPES]
    if unknown:
        print(f"no such shape: {', '.join(unknown)}; there are {', '.join(SHAPES)}")
        return 2
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="lanewise-") as place:
        folder = Path(place)
        for name in asked or SHAPES:
            shape = SHAPES[name]
            parts: list[str] = []
            for command in COMMANDS:
                text = "" if "--all" in arguments else _clear(folder, command, shape)
                fault, text = ("", text) if text else _judged(folder, command, shape)
                wrong += bool(fault)
                parts.append(f"{command} {text}{f' ({fault})' if fault else ''}")
            print(f"{name}: {', '.join(parts)}", flush=True)
    print(f"{wrong} wrong")
    return 1 if wrong else 0


def _clear(folder: Path, command: str, shape: Shape) -> str:
    """The exponents of time and memory of smaller sources with what the larger one takes, if these are clear; else empty."""
    counts = (0, FEW, SEVERAL)
    nothing, few, several = costs = [_cost(folder, command, shape, count) for count in counts]
    exponent, memory = _exponent(costs, counts), several.memory - nothing.memory
    grows = math.log(max(memory, 1) / max(few.memory - nothing.memory, 1)) / math.log(SEVERAL / FEW)
    whole = nothing.memory + max(memory, 1) * (LARGE / SEVERAL) ** max(grows, 1)
    if exponent > CLEAR or whole > MOST_MEMORY or not {several.code} <= {0, 1}:
        return ""
    return f"^{exponent:.2f} {several.seconds:.2f} s {several.memory:.0f} MB of {SEVERAL:,}"


def _judged(folder: Path, command: str, shape: Shape) -> tuple[str, str]:
    """What is wrong with what a command costs, and the exponent with the time and memory of the large source."""
    counts = (0, SMALL, LARGE)
    costs = [_cost(folder, command, shape, count) for count in counts]
    for _ in range(ROUNDS - 1):
        if _exponent(costs, counts) <= MOST:
            break
        costs = [min(cost, _cost(folder, command, shape, count)) for count, cost in zip(counts, costs, strict=True)]
    exponent, large = _exponent(costs, counts), costs[-1]
    text = (
        f"{large.seconds:.2f} s {large.memory:.0f} MB"
        if exponent == 0
        else f"^{exponent:.2f} {large.seconds:.2f} s {large.memory:.0f} MB"
    )
    faults = {
        f"exit code {large.code}": large.code not in {0, 1},
        f"more than {MOST_MEMORY} MB": large.memory > MOST_MEMORY,
        f"more than {MOST}": exponent > MOST,
    }
    return next((fault for fault, there in faults.items() if there), ""), text


def _exponent(costs: list[Cost], counts: tuple[int, int, int]) -> float:
    """By what power the time grows from the small to the large source; 0 where the large one costs next to nothing."""
    nothing, small, large = (cost.seconds for cost in costs)
    if large - nothing < BELOW * counts[2] / LARGE:
        return 0.0
    # A small source that costs next to nothing must not make an exponent of noise.
    least = BELOW / 10 * counts[1] / SMALL
    return math.log((large - nothing) / max(small - nothing, least)) / math.log(counts[2] / counts[1])


def _cost(folder: Path, command: str, shape: Shape, count: int) -> Cost:
    path = folder / f"source{shape.suffix}"
    path.write_text("\n".join(shape.lines(count)) + "\n", encoding="utf-8")
    options = {"asm": ["-o", str(folder / "out.bin")], "check": [], "fmt": ["--check"]}[command]
    process = subprocess.Popen(
        [sys.executable, "-m", "lanewise", command, str(path), *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    resource.prlimit(process.pid, resource.RLIMIT_AS, (_ALLOWED, _ALLOWED))
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, process.returncode)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
