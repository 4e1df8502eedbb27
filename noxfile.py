"""One command for every check: `nox` runs tests, lint, types and layers; `nox -s bench` measures. The sessions of packages and
of pages are in `sessions`.

`nox --no-venv` uses the environment that nox itself is installed in; otherwise each session makes its own.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path

import nox

sys.path.insert(0, str(Path(__file__).parent))  # nox runs this file without its folder on the path

from sessions.common import annotated, install

for name in ("packages", "pages"):
    import_module(f"sessions.{name}")

nox.options.sessions = ["tests", "check"]
nox.options.reuse_existing_virtualenvs = True


@nox.session
def tests(session: nox.Session) -> None:
    """The test suite."""
    install(session)
    session.run("pytest", *session.posargs)


@nox.session
def check(session: nox.Session) -> None:
    """Lint, format, strict types, layers, and that every public symbol has a type (`pyright --verifytypes`)."""
    install(session)
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("pyright")
    session.run("lint-imports")
    annotated(session)


@nox.session
def exhaustive(session: nox.Session) -> None:
    """What takes too long for every change: whole sweeps instead of samples.

    The digests of functions of all 2**24 words again by the reference engine (six minutes of one core), the errors of the
    compiler's routines (ten minutes on all cores), and the test suite with every sweep complete and ten times as many examples
    of each property (about a quarter of an hour on two cores; with qemu also all words on an Arm, twenty minutes more).
    """
    install(session)
    with session.chdir("tests"):
        session.run("python", "-m", "engines.unary", *session.posargs)
        session.run("python", "-m", "engines.float32_sweep")
        session.run("python", "-m", "compile.exhaustive_routines")
    session.run("pytest", env={"LANEWISE_EXHAUSTIVE": "1"})


@nox.session
def scale(session: nox.Session) -> None:
    """Campaigns on worker processes, some of which are killed, and compiled code for rcp on all 2**24 words; three minutes on
    two cores.

    `nox -s scale -- --workers 8`, `-- --scheduler ADDRESS` or `-- --record FILE` say where that sweep runs.
    """
    install(session)
    session.run("pytest", "tests/unit/distributed", "tests/unit/tools/test_opt_each.py", "-n0", env={"LANEWISE_SCALE": "1"})
    where = session.posargs or ["--workers", str(os.cpu_count() or 1)]
    session.run("python", "-m", "lanewise.distributed.functions", "rcp", *where)


@nox.session
def interrupts(session: nox.Session) -> None:
    """Ctrl-C at several moments of every long command, each of which ends within a second; five minutes on a quiet machine."""
    install(session)
    with session.chdir("tests"):
        session.run("python", "-m", "interrupts")


@nox.session
def scaling(session: nox.Session) -> None:
    """Sources of 35 shapes with up to 10^5 lines: nothing that `asm`, `check` and `fmt` do is quadratic; three minutes."""
    install(session)
    with session.chdir("tests"):
        session.run("python", "-m", "scaling", *session.posargs)


@nox.session
def hostile(session: nox.Session) -> None:
    """Every command, server and plug-in with pipes, devices, huge and other hostile files in place of what it reads.

    Ten minutes, POSIX only; `nox -s hostile -- --kind fifo --only check` runs a part of them.
    """
    install(session)
    with session.chdir("tests"):
        session.run("python", "-m", "hostile", *session.posargs)


@nox.session
def viewers(session: nox.Session) -> None:
    """Hostile names in what shows them: Chromium, gcc, g++, glslangValidator, GTKWave and dot; ten seconds. Says what is
    missing."""
    install(session)
    session.run("pytest", "tests/test_viewers.py", "-n0", "-rs")


@nox.session
def equality(session: nox.Session) -> None:
    """100,000 mutants against wrong answers of `lanewise diff`; `nox -s equality -- --corpus FOLDER` also takes the shaders of
    a folder.

    About five hours of one core: `--pairs`, `--first` and `--seed` divide it, `--compiled` and `--reference` say how much runs
    of each. Then, for each instruction set, 2,000 pairs that are equal by how they are made, with the share called equal.
    """
    install(session)
    with session.chdir("tests"):
        session.run("python", "-m", "equality", *session.posargs)
        session.run("python", "-m", "equality", "--rewritten", "--pairs", "2000")
        session.run("python", "-m", "direct3d9_pairs", "--pairs", "2000")
        session.run("python", "-m", "shadercore_pairs", "--pairs", "2000")


@nox.session
def rules(session: nox.Session) -> None:
    """Every rewrite rule on the numbers of all profiles, and every change of one; then on the compiled engine those about one
    number on all 2^24 patterns of float24, and those that are tried on 10^8 numbers, in five minutes of one core.

    `nox -s rules -- --record FILE` goes on with a later run; `--rows TEXT`, `--tries N` and `--profile azahar` (float32: 2^32
    patterns, an hour) are options of `python -m rules_sweep`. At last `python -m rules_search` proposes rows for ten minutes.
    """
    install(session)
    session.run("pytest", "tests/unit/rules", env={"LANEWISE_EXHAUSTIVE": "1"})
    with session.chdir("tests"):
        session.run("python", "-m", "rules_sweep", *session.posargs)
        session.run("python", "-m", "rules_search")


@nox.session
def meaning(session: nox.Session) -> None:
    """10,000 programs of the PICA200, each in ten habits of other languages: what assembles and computes something else.

    Ten minutes of one core; `nox -s meaning -- --programs 1000 --seed 2 --texts mul` and other options of
    `python -m pica200_habits`.
    """
    install(session)
    with session.chdir("tests"):
        session.run("python", "-m", "pica200_habits", *session.posargs)


@nox.session
def mutations(session: nox.Session) -> None:
    """Single changes to the compilers until 20 of them change a bit of a run: `lanewise diff` finds each, and believes none.

    POSIX only; half an hour of one core. `nox -s mutations -- --wanted 40 --seed 2` and other options of
    `python -m compile_mutations`.
    """
    install(session)
    with session.chdir("tests"):
        session.run("python", "-m", "compile_mutations", *session.posargs)


@nox.session
def vectors(session: nox.Session) -> None:
    """300 single changes to meanings, flow and number rules against the quick suite, and its coverage of them.

    About twenty minutes of one core; what the quick suite misses runs on the full one. `nox -s vectors -- --changes all` and
    other options of `python -m vectors_mutation`.
    """
    install(session)
    if session.virtualenv.is_sandboxed:
        session.install("-q", "coverage")
    session.run("pytest", "tests/unit/core/vectors/test_digests.py", "-n0", env={"LANEWISE_EXHAUSTIVE": "1"})
    with session.chdir("tests"):
        session.run("python", "-m", "vectors_coverage")
        session.run("python", "-m", "vectors_mutation", *session.posargs)


@nox.session
def elsewhere(session: nox.Session) -> None:
    """What commands, editors and debuggers do in a simulated Windows: tests/simulated_windows.py hides what it lacks, standard
    streams have code page 437. Four minutes. Then the session `pyodide`."""
    install(session)
    loaded = ["-p", "simulated_windows", "-p", "lanewise.tools.pytest_plugin"]  # in this order: the second imports lanewise
    options = " ".join(["-q", "--import-mode=importlib", "--strict-markers", "-p", "no:benchmark", *loaded, "-n0"])
    folders = session.posargs or [f"tests/unit/{name}" for name in ("core", "tools", "lsp", "dap", "debugger", "api", "arrays")]
    session.run("pytest", "-o", f"addopts={options}", *folders, env={"PYTHONIOENCODING": "cp437"})
    session.notify("pyodide")


@nox.session
def cpp(session: nox.Session) -> None:
    """The C++ examples of test vectors with Catch2 and GoogleTest: needs g++ and the packages catch2 and libgtest-dev; skipped
    with a reason without them."""
    install(session)
    session.run("pytest", "tests/unit/tools/test_vectors.py", "-n0", "-rs", "-k", "frameworks", env={"LANEWISE_VECTORS": "1"})


@nox.session
def rtl(session: nox.Session) -> None:
    """ShaderCore against the public hardware description, for `nox -s rtl -- CLONE` of code-tom-code/FPGAGPUTesting; needs GHDL
    (about four minutes)."""
    install(session)
    clone = session.posargs[0] if session.posargs else os.environ.get("LANEWISE_RTL", "")
    if not clone:
        session.error("name a clone of code-tom-code/FPGAGPUTesting: nox -s rtl -- CLONE")
    session.run("pytest", "tests/conformance/test_shadercore_rtl.py", env={"LANEWISE_RTL": clone})


@nox.session
def glsl(session: nox.Session) -> None:
    """GLSL for the PICA200: the evaluator of SPIR-V against Mesa's llvmpipe, our shaders on 100,000 vertices, 2,000 random
    programs, and 500 some of whose outputs are `precise`.

    Needs glslangValidator, and Mesa's EGL for llvmpipe; a quarter of an hour on two cores. `nox -s glsl -- --programs 100` and
    other options of `python -m spirv.campaign`.
    """
    install(session)
    if session.virtualenv.is_sandboxed:
        session.install("-q", "moderngl")
    session.run("pytest", "tests/spirv", "-n0", "-rs", env={"LANEWISE_GLSL": "1"})
    with session.chdir("tests"):
        jobs = ("--jobs", str(os.cpu_count() or 1))
        session.run("python", "-m", "spirv.campaign", *jobs, *session.posargs)
        session.run("python", "-m", "spirv.campaign", *jobs, "--precise", "--programs", "500", *session.posargs)


@nox.session
def translations(session: nox.Session) -> None:
    """Translations of random programs: 100,000 of the PICA200 and 2,000 of others as C with gcc, 1,000 as GLSL and as WGSL on
    llvmpipe. Hours;
    `nox -s translations -- --count 1000` does fewer of C.

    Needs gcc, and Mesa's EGL for llvmpipe.
    """
    install(session)
    if session.virtualenv.is_sandboxed:
        session.install("-q", "moderngl", "wgpu")
    with session.chdir("tests"):
        session.run("python", "-m", "translations", *session.posargs)
        session.run("python", "-m", "translations", "--geometry", "--count", "1000")
        for kind in ("shadercore", "shadercore-lane", "direct3d9", "toy"):
            session.run("python", "-m", "translated_programs", kind)
        session.run("python", "-m", "translations_drawn", "glsl", "--most-words", "40")
        session.run("python", "-m", "translations_drawn", "wgsl", "--most-words", "40")


@nox.session
def optimised(session: nox.Session) -> None:
    """What `lanewise opt` makes of 2,000 random programs of each instruction set, and of the Direct3D 9 shaders in folders:
    `nox -s optimised -- CLONE...`. Each beside the program itself on 10,000 vertices, bit for bit. An hour on two cores."""
    install(session)
    folders = [str(Path(each).resolve()) for each in session.posargs]
    with session.chdir("tests"):
        for kind in ("direct3d9", "shadercore", "toy"):
            session.run("python", "-m", "optimised_programs", kind)
        if folders:
            session.run("python", "-m", "optimised_programs", "direct3d9", *folders)


@nox.session
def neovim(session: nox.Session) -> None:
    """The language server in Neovim, headless, with the lines of docs/editors.md; needs `nvim` (half a minute)."""
    install(session)
    session.run("pytest", "tests/editors/test_neovim.py", "-n0", "-rs", env={"LANEWISE_NEOVIM": "1"})


@nox.session
def bench(session: nox.Session) -> None:
    """Benchmarks, with the ratios that the docs state."""
    install(session)
    session.run("pytest", "bench", "-p", "benchmark", "-n0", "-s", *session.posargs)


@nox.session
def screen(session: nox.Session) -> None:
    """The screen of `lanewise debug` in a real terminal: a session in tmux, with keys, and what it shows at the end; needs
    tmux."""
    install(session)
    session.run("python", "tests/debug_in_tmux.py", external=True)


@nox.session
def frames(session: nox.Session) -> None:
    """Recorded frames of real programs against Azahar's interpreter, vertex by vertex: `nox -s frames -- FOLDER [AZAHAR]`.

    FOLDER has files of records or CiTrace, AZAHAR is a library with that interpreter (`tests/frames_judged.py` says which
    function). Without a folder nothing is run; without the library each draw is run on both engines only.
    """
    if not session.posargs:
        session.skip("name a folder of recorded frames: nox -s frames -- FOLDER [AZAHAR]")
    install(session)
    with session.chdir("tests"):
        session.run("python", "-m", "frames_judged", *session.posargs)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Mutated files for every command, for `nox -s fuzz -- MINUTES` (default: 10). Faults are shrunk and saved in
    fuzz-faults."""
    install(session)
    minutes = session.posargs[:1] or ["10"]
    with session.chdir("tests"):
        session.run(
            "python",
            "-m",
            "fuzz",
            "--minutes",
            *minutes,
            "--jobs",
            str(os.cpu_count() or 1),
            "-o",
            "../fuzz-faults",
            *session.posargs[1:],
        )
