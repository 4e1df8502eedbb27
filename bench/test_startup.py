"""Start-up: `import lanewise` within 30 ms of bare Python, `lanewise asm` of a 100-line shader within 3 times bare Python, `lanewise run` of
three vertices within 1.3 times `import numpy`.

Both are measured on compiled modules, as an installed package has them.
"""

from __future__ import annotations

import compileall
import sys
from pathlib import Path
from typing import Any

from measuring import cpu_seconds, program, seconds

import lanewise

TIMES_BARE = 3.0
IMPORT_MILLISECONDS = 30.0
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


def test_asm(benchmark: Any, python: str, tmp_path: Path):
    _compiled()
    source = tmp_path / "bench.v.pica"
    source.write_text(program(95))
    bare = seconds([python, "-c", "pass"])
    arguments = ["asm", str(source), "-o", str(tmp_path / "bench.shbin")]
    ours = seconds([python, "-m", "lanewise", *arguments])
    script = Path(python).with_name("lanewise")
    if script.exists():  # what pip makes of the entry point; some versions of it import `re` before anything else
        print(f"\nlanewise asm as installed: {seconds([str(script), *arguments]) / bare:.2f} x bare Python")
    benchmark.pedantic(lambda: None, rounds=1)
    benchmark.extra_info["times_bare_python"] = round(ours / bare, 2)
    print(
        f"\nlanewise asm, 100 lines: {ours / bare:.2f} x bare Python {sys.version_info[0]}.{sys.version_info[1]} (at most {TIMES_BARE})"
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
