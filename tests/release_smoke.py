"""Smoke tests of an installed lanewise: `python release_smoke.py EXAMPLES`, without pytest and without the repository in the
path.

Each command on an example, both engines, the public names, and files that a package must have. Ends with a line of versions.
"""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
import tempfile
from pathlib import Path


def main(examples: Path) -> None:
    import numpy as np

    import lanewise as lw
    from lanewise.tools.cli import COMMANDS

    home = Path(str(lw.__file__)).resolve()
    assert sys.prefix in str(home), f"{home} is not of the environment {sys.prefix}"
    assert importlib.metadata.version("lanewise") == lw.__version__
    assert (home.parent / "py.typed").exists(), "py.typed is missing"
    for name in lw.__all__:
        if name != "distributed":  # an extra
            getattr(lw, name)
    for package in (lw.pica200, lw.shadercore, lw.direct3d9):
        for name in package.__all__:
            getattr(package, name)

    shader = lw.load(examples / "transform.v.pica").vertex
    vertices = {"position": np.eye(3), "color": [1, 0.5, 0.25], "texcoord": [0, 1]}
    runs = [shader.run(vertices, {"projection": np.eye(4)}, engine=engine) for engine in ("reference", "llvm")]
    assert np.array_equal(runs[0].bits["position"], runs[1].bits["position"])

    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        toon, wave = examples / "toon.v.pica", examples / "transform.sc"
        run(["asm", toon, "-o", out / "toon.shbin"])
        run(["dis", out / "toon.shbin"])
        run(["check", toon, "--level", "warning"])
        for name in ("skinning.v.pica", "direct3d9/skin.vsa", "transform.sc"):  # kernels that gather
            run(["run", examples / name, "--engine", "llvm", "--count", "100", "--default", "0"])
        run(["diff", toon, out / "toon.shbin"])
        run(["opt", toon, "-o", out / "small.shbin"])
        run(["translate", toon, "--to", "c", "-o", out / "toon.c"])
        run(["time", wave])
        run(["compile", examples / "glsl" / "toon.spv", "-o", out / "glsl.shbin"])
        run(["compile", examples / "direct3d9" / "tone.psa", "-o", out / "tone.scb"])
        run(["graph", toon, "-o", out / "toon.svg"])
        run(["test", examples / "toon.shadertest.toml"])
        run(["man"])
        shown = run(["inspect", out / "toon.shbin", "--format", "json"])
        assert json.loads(shown)["schema"].startswith("lanewise/")
        for command in COMMANDS:
            if command.name not in ("lsp", "dap"):  # they need an extra or an editor
                run([command.name, "--help"])
    versions = ", ".join([f"{name} {importlib.metadata.version(name)}" for name in ("lanewise", "numpy", "llvmlite")])
    print(f"smoke tests passed on Python {sys.version.split()[0]}: {versions}")


def run(arguments: list[object]) -> str:
    """The output of a command of the environment; a failure ends the tests."""
    program = Path(sys.prefix) / "bin" / "lanewise"
    done = subprocess.run([str(program), *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"lanewise {arguments}: {done.stdout}{done.stderr}"
    return done.stdout


if __name__ == "__main__":
    main(Path(sys.argv[1]))
