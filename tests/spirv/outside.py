"""GLSL to SPIR-V by the compilers outside: glslangValidator and glslc."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from spirv.random_glsl import BLOCK

O0, O = "O0", "O"  # noqa: E741
TIME = 60  # seconds, for a compiler that hangs


class Refused(Exception):
    """The compiler has refused the source; the text is its output."""


def missing() -> str:
    """Why nothing can be compiled here; empty if it can."""
    return "" if shutil.which("glslangValidator") else "glslangValidator is not here: apt-get install glslang-tools"


def compiled(text: str, form: str, level: str) -> bytes:
    """The binary of a source, with names. Raises Refused."""
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder) / "shader.vert", Path(folder) / "shader.spv"
        source.write_text(text, encoding="utf-8")
        commands: list[list[str]] = []
        output = ""
        # spirv-opt in glslc refuses a loose uniform bool, that in glslang does not.
        loose_bool = form != BLOCK and "uniform bool" in text
        if level == O and not loose_bool and shutil.which("glslc"):
            commands.append(
                ["glslc", *([] if form == BLOCK else ["--target-env=opengl"]), "-O", "-g", "-o", str(made), str(source)]
            )
        commands.append(
            [
                "glslangValidator",
                "-V" if form == BLOCK else "-G",
                *(["-Os"] if level == O else []),
                "-o",
                str(made),
                str(source),
            ]
        )
        for command in commands:
            done = subprocess.run(command, capture_output=True, text=True, timeout=TIME, check=False)
            output = done.stdout + done.stderr
            if not done.returncode and made.exists():
                return made.read_bytes()
        raise Refused(output)
