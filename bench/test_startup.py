"""Start-up: `import lanewise` within 30 ms of bare Python, short commands within a few times bare Python.

Processor time of processes, on compiled modules as an installed package has them: what `lanewise` as a script runs, without the
imports of the script itself. `python -m` takes some 4 ms for runpy, and pip's scripts of before 2025 as much for `re`.
"""

from __future__ import annotations

import compileall
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

from measuring import program, seconds

import lanewise

# At most, in times bare Python.
COMMANDS = {"asm": 2.3, "dis": 3.3, "check": 4.0}
IMPORT_MILLISECONDS = 30.0


def _compiled() -> None:
    compileall.compile_dir(str(Path(lanewise.__file__).parent), quiet=1)


def test_import(benchmark: Any, python: str):
    _compiled()
    bare = seconds([python, "-c", "pass"])
    ours = seconds([python, "-c", "import lanewise"])
    benchmark.pedantic(lambda: None, rounds=1)
    benchmark.extra_info["milliseconds_over_bare"] = round((ours - bare) * 1e3, 2)
    print(f"\nimport lanewise: {(ours - bare) * 1e3:.1f} ms over bare Python (at most {IMPORT_MILLISECONDS:.0f})")


def processor_seconds(commands: dict[str, list[str]], repeat: int = 15) -> dict[str, float]:
    """The least processor time of each command, all in turns."""
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(repeat):
        for name, command in commands.items():
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, check=False, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            best[name] = min(best[name], after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def test_commands(benchmark: Any, python: str, tmp_path: Path):
    """`asm` of 100 lines, `dis` of their file, `check` of 40 lines."""
    _compiled()
    source, checked, binary = tmp_path / "bench.v.pica", tmp_path / "checked.v.pica", tmp_path / "bench.shbin"
    source.write_text(program(95))
    checked.write_text(program(35))
    arguments = {"asm": [str(source), "-o", str(binary)], "dis": [str(binary)], "check": [str(checked)]}
    script = [python, "-c", "from lanewise.__main__ import lanewise; lanewise()"]
    commands = {
        "bare": [python, "-c", "pass"],
        **{name: [*script, name, *given] for name, given in arguments.items()},
        "python -m lanewise asm": [python, "-m", "lanewise", "asm", *arguments["asm"]],
    }
    installed = Path(python).with_name("lanewise")
    if installed.exists():
        commands["asm by the installed script"] = [str(installed), "asm", *arguments["asm"]]
    found = processor_seconds(commands)
    benchmark.pedantic(lambda: None, rounds=1)
    for name, used in found.items():
        benchmark.extra_info[name] = round(used / found["bare"], 2)
        most = f" (at most {COMMANDS[name]})" if name in COMMANDS else ""
        print(
            f"\n{name}: {used * 1e3:.1f} ms, {used / found['bare']:.2f} x bare Python {sys.version_info[0]}.{sys.version_info[1]}{most}"
        )
