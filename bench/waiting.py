"""The times that a user waits for, with ratios from one run: `python bench/waiting.py [GROUP ...] [--format json]`.

All times are processor time, the least of several rounds in which what is compared takes turns. Processes are beside bare
Python (`python -c pass`) or `import numpy`; the rest is in its own unit, with bare Python of the same run in the heading. `ask`
is the most that is wanted (of `fuzz`: the least). GROUP is a group of rows; without any, all are measured
(some ten minutes, most of them `opt` of 400 instructions).
"""

from __future__ import annotations

import argparse
import asyncio
import compileall
import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import lanewise as lw
from lanewise.core.engines import LLVM
from lanewise.llvm.beside import BESIDE
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.file import assemble_texts
from lanewise_bench.cases import CASES, arrays_of, numbers, shader_of
from lanewise_bench.measure import PROFILES
from measuring import cpu_seconds, program
from test_small_calls import us

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SCRIPT = [sys.executable, "-c", "from lanewise.__main__ import lanewise; lanewise()"]  # as the installed script
BARE = [sys.executable, "-c", "pass"]
NUMPY = [sys.executable, "-c", "import numpy"]
RUN = ".in place v0\n.out pos position\n.proc main\n    mul pos, place, place\n    end\n.end\n"
FUZZED = 120  # programs
_PROCESSES = 3


class Row(NamedTuple):
    """A row of the table."""

    name: str
    "What is waited for."
    value: float
    "As measured."
    unit: str
    "Unit of both numbers."
    ask: float
    "The most that is wanted."


class Files:
    """Sources in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, text: str) -> str:
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def assembled(self, name: str, text: str) -> str:
        data = assemble_sources([(name, text)]).data
        assert data is not None
        path = self.folder / name
        path.write_bytes(data)
        return str(path)


def processes(files: Files, rounds: int) -> list[Row]:
    """Short commands beside bare Python."""
    source, checked = files.write("bench.v.pica", program(95)), files.write("checked.v.pica", program(35))
    other, binary = files.write("other.v.pica", program(35) + "; the same\n"), files.assembled("bench.shbin", program(95))
    units = [files.write("unit.v.pica", program(8)), *[files.write(f"part{n}.v.pica", _part(n)) for n in range(49)]]
    listed = files.write("units.shlist", "\n".join(units))
    subprocess.run([*SCRIPT, "fmt", source], check=True, capture_output=True)
    commands: dict[str, tuple[list[str], float]] = {
        "asm of 100 lines": (["asm", source, "-o", str(files.folder / "o.shbin")], 2.2),
        "dis": (["dis", binary], 3.3),
        "check of 40 lines": (["check", checked, "--level", "error"], 4.0),
        "fmt": (["fmt", "--check", source], 3.3),
        "diff of equal programs": (["diff", checked, other], 5.0),
        "completions": (["completions", "bash"], 2.5),
    }
    out = ["-o", str(files.folder / "linked.shbin")]
    commands_of_lists = [[*SCRIPT, "asm", units[0], *out], [*SCRIPT, "asm", listed, *out]]
    found = cpu_seconds([BARE, *[[*SCRIPT, *given] for given, _ in commands.values()], *commands_of_lists], rounds)
    bare, one, fifty = found[0], *found[-2:]
    rows = [
        Row(name, spent / bare, "x bare Python", ask)
        for spent, (name, (_, ask)) in zip(found[1:], commands.items(), strict=False)
    ]
    return [*rows, Row("asm of 50 files in one process", fifty / one, "x asm of one", 3.0)]


def _part(number: int) -> str:
    """A source of eight instructions that is linked to others."""
    return (
        program(8, number)
        .replace(".out pos position\n", "")
        .replace("main", f"part{number}")
        .replace("\tmov pos, r0\n\tend\n", "\tnop\n")
    )


def running(files: Files, rounds: int) -> list[Row]:
    """`run` beside NumPy."""
    source = files.write("run.v.pica", RUN)
    command = [*SCRIPT, "run", source, "-i", "place=1,2,3;4,5,6;7,8,9"]
    numpy, ours = cpu_seconds([NUMPY, command], rounds)
    return [Row("run of 3 vertices", ours / numpy, "x import numpy", 1.2)]


def compiling(files: Files, rounds: int) -> list[Row]:
    """`compile` of GLSL without the compiler outside: of the SPIR-V that it writes."""
    module = files.folder / "toon.spv"  # where no configuration of a project is read
    module.write_bytes((EXAMPLES / "glsl" / module.name).read_bytes())
    out = ["-o", str(files.folder / "compiled.shbin")]
    bare, spirv = cpu_seconds([BARE, [*SCRIPT, "compile", str(module), *out]], max(3, rounds // 3))
    return [Row("compile of SPIR-V (GLSL without the compiler outside)", spirv, f"s ({spirv / bare:.0f} x bare Python)", 0.15)]


def optimising(files: Files, rounds: int) -> list[Row]:
    """`opt` of random sources, and `diff` of pairs that differ."""
    asks = {100: 0.5, 200: 1.5, 400: 4.0}
    names = {count: files.write(f"opt{count}.v.pica", program(count)) for count in asks}
    found = [cpu_seconds([[*SCRIPT, "opt", names[count]]], 2 if count < 400 else 1)[0] for count in asks]
    return [Row(f"opt of {count} instructions", each, "s", ask) for (count, ask), each in zip(asks.items(), found, strict=True)]


def differing(files: Files, rounds: int) -> list[Row]:
    """`diff` of pairs that differ: in each vertex, in some, in one of some millions."""
    text = (EXAMPLES / "lighting.v.pica").read_text()
    first = files.write("lighting.v.pica", text)
    rows: list[Row] = []
    pairs = {
        "in each vertex": text.replace("mul r1.xyz, r1, r2", "add r1.xyz, r1, r2"),
        "where a light is behind": text.replace("max r2, zeros, r2", "mov r2, r2"),
        "for NaN": text.replace("min outclr.xyz, ones, r3", "mov r15, ones\n\tmin outclr.xyz, r3, r15"),
    }
    for name, changed in pairs.items():
        second = files.write(f"changed{len(rows)}.v.pica", changed)
        rows.append(Row(f"diff of a pair that differs {name}", _unjudged([*SCRIPT, "diff", first, second]), "s", 1.0))
    return rows


def _unjudged(command: list[str]) -> float:
    """Seconds of a command that finds a difference, or does not know: an error is none."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.stderr.startswith("error"):
        raise SystemExit(done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def fuzzing(files: Files, rounds: int) -> list[Row]:
    """Programs a second of `fuzz`, of which the start is a part."""
    few, many = (
        cpu_seconds([[*SCRIPT, "fuzz", "--seed", "7", "--programs", str(count), "-o", str(files.folder)]], 2)[0]
        for count in (1, 1 + FUZZED)
    )
    return [Row("fuzz", FUZZED / (many - few), "programs a core second", 50)]


def directives(files: Files, rounds: int) -> list[Row]:
    """Microseconds of a line, of 2,000 beyond 200.

    Of values, which a shader has 96 of, beyond ten too, each in its register: the others are refused, each with its finding.
    """
    kinds: dict[str, Callable[[int], str]] = {
        ".setf": lambda n: f".setf k({n}.5, 0.25, {n % 7}.0, 1.0)",
        ".constf": lambda n: f".constf k{n}({n}.5, 0.25, {n % 7}.0, 1.0)",
        ".alias": lambda n: f".alias n{n} c{n % 90}",
        "label": lambda n: f"l{n}:",
        "mov": lambda n: f"\tmov r{n % 16}.x, c{n % 90}",
    }
    fitting: dict[str, Callable[[int], str]] = {
        ".setf that fits": lambda n: kinds[".setf"](n).replace("k(", f"c{n}("),
        ".constf that fits": kinds[".constf"],
    }
    counts = {"mov": (100, 500), **dict.fromkeys(fitting, (10, 90))}
    rows: list[Row] = []
    for kind, line in {**kinds, **fitting}.items():
        took: dict[int, float] = {}
        for count in counts.get(kind, (200, 2_000)):
            body = "\n".join([line(n) for n in range(count)])
            above, below = ("", body) if kind in ("label", "mov") else (body, "")
            text = f".fvec k\n.out pos position\n{above}\n.proc main\n{below}\n\tmov pos, r0\n\tend\n.end\n"
            took[count] = us(partial(assemble_sources, [("bench.v.pica", text)]), 1, 5)
        (few, short), (many, long) = took.items()
        rows.append(Row(f"{kind}, a line of asm", (long - short) / (many - few), "us", 15))
    return rows


def calls(files: Files, rounds: int) -> list[Row]:
    """Runs of few vertices, and the first of more, of a compiled shader."""
    case = next(case for case in CASES if case.name == "simple_transform")
    shader = shader_of(case)
    rng = np.random.default_rng(2)
    uniforms: dict[str, Any] = {f"c{n}": rng.uniform(-1, 1, 4).astype(np.float32) for n in range(96)}
    uniforms |= {f"i{n}": np.array([3, 0, 1, 0]) for n in range(4)} | {f"b{n}": np.array(False) for n in range(16)}

    def inputs(count: int) -> dict[str, Any]:
        return {binding.register: rng.uniform(-1, 1, (count, 4)).astype(np.float32) for binding in shader.inputs}

    batches = {count: shader.batch(inputs(count), uniforms) for count in (1, 16)}
    rows = [Row(f"Batch.run of {count}", us(batch.run), "us", 1.0) for count, batch in batches.items()]
    data = inputs(16)
    rows.append(Row("shader.run of 16, all uniforms", us(lambda: shader.run(data, uniforms, engine="llvm"), 20), "us", 40))
    return [*rows, *_first_runs()]


def _first_runs() -> list[Row]:
    """Compile and first run of 1,024 vertices, the quickest and the slowest of seven cases in three formats: cold, and with its
    kernel on the disk. Each format has processes, the best of which counts for each case; they have run another program
    before."""
    took: tuple[dict[str, float], dict[str, float]] = ({}, {})
    for profile in PROFILES:
        for _ in range(_PROCESSES):
            with tempfile.TemporaryDirectory() as folder:
                for found in took:
                    command = [sys.executable, __file__, "--first-runs", profile]
                    environment = {**os.environ, "LANEWISE_CACHE": folder}
                    printed = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
                    for case, spent in zip(*[iter(printed.split())] * 2, strict=True):
                        name = f"{case}, {profile}"
                        found[name] = min(found.get(name, float("inf")), float(spent))
    names = "compile and first run of 1,024, cold", "the same, cached"
    return [
        Row(f"{name}: the {which} ({case})", found[case], "ms", ask)
        for name, found, ask in zip(names, took, (15.0, 2.0), strict=True)
        for which, case in (("quickest", min(found, key=found.__getitem__)), ("slowest", max(found, key=found.__getitem__)))
    ]


def print_first_runs(profile: str) -> None:
    """Milliseconds of the first run of each case, of the whole process: compilation may be on another thread.

    A run after it has the kernel compiled and kept.
    """
    assemble_texts([("warm.v.pica", RUN)]).vertex.run({"place": np.ones((1024, 4))}, engine=LLVM, profile=PROFILES[profile])
    for case in CASES:
        shader = shader_of(case)
        data = arrays_of(shader, 1024)
        rng = np.random.default_rng(3)
        floats = {each.name: numbers(rng, each.size, 4) for each in shader.uniforms if each.register.startswith("c")}
        uniforms = {**floats, **case.integers, **case.booleans}
        run = partial(shader.run, data, uniforms, engine=LLVM, profile=PROFILES[profile], defaults=0)
        gc.collect()  # objects of the cases before are not waited for: a millisecond in one of them
        start = time.process_time()
        run()
        print(case.name, (time.process_time() - start) * 1e3)
        run()
        BESIDE.settle()


def editing(files: Files, rounds: int) -> list[Row]:
    """The language server: from a change to its findings, 95th percentile."""
    import test_lsp

    rows: list[Row] = []
    for (lines, ask), sources in zip(test_lsp.ASKS.items(), (test_lsp.SOURCES, test_lsp.LONG), strict=True):
        for language, source in sources.items():
            found = sorted(asyncio.run(test_lsp.measure(language, source)))
            rows.append(Row(f"editor, {lines} lines of {language}", found[len(found) * 95 // 100] * 1e3, "ms", ask))
    return rows


GROUPS: dict[str, Callable[[Files, int], list[Row]]] = {
    "processes": processes,
    "running": running,
    "compiling": compiling,
    "optimising": optimising,
    "differing": differing,
    "fuzzing": fuzzing,
    "directives": directives,
    "calls": calls,
    "editing": editing,
}


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(GROUPS)}")
    parser.add_argument("--rounds", type=int, default=15, help="rounds of processes (default: %(default)s)")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--first-runs", choices=PROFILES, help=argparse.SUPPRESS)
    asked = parser.parse_args(argv)
    if asked.first_runs:
        print_first_runs(asked.first_runs)
        return
    compileall.compile_dir(str(Path(lw.__file__).parent), quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        files = Files(Path(folder))
        rows = [row for name in asked.groups or GROUPS for row in GROUPS[name](files, asked.rounds)]
    bare = cpu_seconds([BARE], asked.rounds)[0]
    if asked.format == "json":
        print(json.dumps({"bare_python_ms": round(bare * 1e3, 2), "rows": [row._asdict() for row in rows]}, indent=1))
        return
    print(f"| waited for (bare Python {bare * 1e3:.1f} ms) | measured | ask | |\n|---|---|---|---|")
    for row in rows:
        print(f"| {row.name} | {row.value:.3g} | {row.ask:g} | {row.unit} |")


if __name__ == "__main__":
    main()
