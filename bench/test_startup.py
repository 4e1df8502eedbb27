"""Start-up: `import lanewise` within 30 ms of bare Python, short commands within a few times bare Python, `lanewise run` of
three vertices within 1.3 times `import numpy`; whether kept kernels are of this code within a millisecond.

Processor time of processes, on compiled modules as an installed package has them: what `lanewise` as a script runs, without the
imports of the script itself. `python -m` takes some 4 ms for runpy, and pip's scripts of before 2025 as much for `re`.
"""

from __future__ import annotations

import compileall
import sys
import timeit
from pathlib import Path
from typing import Any

import pytest

import lanewise
from lanewise.llvm import cache, generation
from measuring import cpu_seconds, program, seconds

# At most, in times bare Python.
COMMANDS = {"asm": 2.3, "dis": 3.3, "check": 4.0}
IMPORT_MILLISECONDS = 30.0
GENERATION_MILLISECONDS = 1.0
TIMES_NUMPY = 1.3
RUN = ".in place v0\n.out pos position\n.proc main\n    mul pos, place, place\n    end\n.end\n"


def _compiled() -> None:
    compileall.compile_dir(str(Path(lanewise.__file__).parent), quiet=1)


def test_import(benchmark: Any, python: str):
    _compiled()
    bare = seconds([python, "-c", "pass"])
    ours = seconds([python, "-c", "import lanewise"])
    benchmark.pedantic(lambda: None, rounds=1)
    benchmark.extra_info["milliseconds_over_bare"] = round((ours - bare) * 1e3, 2)
    print(f"\nimport lanewise: {(ours - bare) * 1e3:.1f} ms over bare Python (at most {IMPORT_MILLISECONDS:.0f})")


def test_commands(benchmark: Any, python: str, tmp_path: Path):
    """`asm` of 100 lines, `dis` of their file, `check` of 40 lines."""
    _compiled()
    source, checked, binary = tmp_path / "bench.v.pica", tmp_path / "checked.v.pica", tmp_path / "bench.shbin"
    source.write_text(program(95))
    checked.write_text(program(35))
    arguments = {"asm": [str(source), "-o", str(binary)], "dis": [str(binary)], "check": [str(checked), "--level", "error"]}
    script = [python, "-c", "from lanewise.__main__ import lanewise; lanewise()"]
    commands = {
        "bare": [python, "-c", "pass"],
        **{name: [*script, name, *given] for name, given in arguments.items()},
        "python -m lanewise asm": [python, "-m", "lanewise", "asm", *arguments["asm"]],
    }
    installed = Path(python).with_name("lanewise")
    if installed.exists():
        commands["asm by the installed script"] = [str(installed), "asm", *arguments["asm"]]
    found = dict(zip(commands, cpu_seconds([*commands.values()]), strict=True))
    benchmark.pedantic(lambda: None, rounds=1)
    for name, used in found.items():
        benchmark.extra_info[name] = round(used / found["bare"], 2)
        most = f" (at most {COMMANDS[name]})" if name in COMMANDS else ""
        print(
            f"\n{name}: {used * 1e3:.1f} ms, {used / found['bare']:.2f} x bare Python "
            f"{sys.version_info[0]}.{sys.version_info[1]}{most}"
        )


def test_generation(benchmark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What says whether kept kernels are those of this code: remembered, and from the contents of all modules, as after an
    update."""
    package = Path(lanewise.__file__).parent
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(generation, "SETTLED", 0)
    cache.generation(package)
    warm = min(timeit.repeat(lambda: cache.generation(package), number=1, repeat=100))
    cold = min(timeit.repeat(lambda: generation.made(package), number=1, repeat=5))
    benchmark.pedantic(lambda: None, rounds=1)
    benchmark.extra_info["warm_milliseconds"] = round(warm * 1e3, 2)
    print(
        f"\ngeneration of kernels: {warm * 1e3:.2f} ms (at most {GENERATION_MILLISECONDS:.0f}), from contents "
        f"{cold * 1e3:.0f} ms"
    )


def test_run(benchmark: Any, python: str, tmp_path: Path):
    """Three vertices, in processor time: on the reference engine, and on llvm with a kernel from the cache."""
    _compiled()
    source = tmp_path / "bench.v.pica"
    source.write_text(RUN)
    command = [python, "-m", "lanewise", "run", str(source), "-i", "place=1,2,3;4,5,6;7,8,9"]
    numpy, auto, llvm = cpu_seconds([[python, "-c", "import numpy"], command, [*command, "--engine", "llvm"]])
    benchmark.pedantic(lambda: None, rounds=1)
    benchmark.extra_info["times_numpy"] = round(auto / numpy, 2)
    print(
        f"\nlanewise run, 3 vertices: {auto / numpy:.2f} x import numpy (at most {TIMES_NUMPY}); on llvm {llvm / numpy:.2f} x"
    )
