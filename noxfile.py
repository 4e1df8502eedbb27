"""One command for every check: `nox` runs tests, lint, types and layers; `nox -s bench` measures.

`nox --no-venv` uses the environment that nox itself is installed in; otherwise each session makes its own.
"""

from __future__ import annotations

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
def bench(session: nox.Session) -> None:
    """Benchmarks, with the ratios that the docs state."""
    install(session)
    session.run("pytest", "bench", "-p", "benchmark", "-s", *session.posargs)
