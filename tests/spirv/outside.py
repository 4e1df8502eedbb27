"""GLSL to SPIR-V by the compilers outside: glslangValidator and glslc."""

from __future__ import annotations

import shutil
import struct
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import installed
from spirv.given import BLOCK

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

O0, O = "O0", "O"  # noqa: E741
TIME = 60  # seconds, for a compiler that hangs
# OpFOrdEqual to OpFUnordGreaterThanEqual: each ordered comparison is followed by the unordered one.
COMPARISONS = range(180, 192)


class Refused(Exception):
    """The compiler has refused the source; the text is its output."""


def missing() -> str:
    """Why nothing can be compiled here; empty if it can."""
    return installed.missing("glslangValidator")


def compiled(text: str, form: str, level: str, *, lines: bool = False) -> bytes:
    """The binary of a source, with names, and with its `lines`. Raises Refused."""
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
                *(["-g"] if lines else []),
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


def with_comparison(binary: bytes, choose: Callable[[int], int]) -> bytes:
    """A binary with the opcode of each comparison of floats (`COMPARISONS`) replaced by the one that is chosen for it."""
    words = list(struct.unpack(f"<{len(binary) // 4}I", binary))
    place = 5
    while place < len(words):
        opcode = words[place] & 0xFFFF
        if opcode in COMPARISONS:
            words[place] += choose(opcode) - opcode
        place += words[place] >> 16
    return struct.pack(f"<{len(words)}I", *words)


def turned(binary: bytes, random: Random) -> bytes:
    """A binary with some ordered comparisons made unordered and the other way round: GLSL alone gives few of the twelve."""
    return with_comparison(binary, lambda opcode: opcode ^ random.randrange(2))
