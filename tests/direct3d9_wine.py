"""Wine's Direct3D 9 assembler as an outside witness, where Wine and mingw are installed.

    python tests/direct3d9_wine.py TEXTS.json OUT.json

records what it gives: TEXTS.json is a list of sources, OUT.json gets for each its words in hexadecimal, or null where it is
refused.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

COMPILER = "x86_64-w64-mingw32-gcc"
SOURCE = Path(__file__).parent / "conformance" / "d3dassemble.c"
_SECONDS = 400
_MOST_CRASHES = 30


def is_there() -> bool:
    return shutil.which("wine") is not None and shutil.which(COMPILER) is not None


def assemble(texts: Sequence[str]) -> list[list[int] | None]:
    """The words that Wine's assembler gives for each source, None where it refuses or crashes. Raises CalledProcessError,
    TimeoutExpired."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = folder / "d3dassemble.exe"
        subprocess.run([COMPILER, "-O1", "-o", str(program), str(SOURCE)], check=True, capture_output=True, timeout=_SECONDS)
        paths = [folder / f"{n}.txt" for n in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_bytes(text.encode("latin-1"))
        environment = {
            **os.environ,
            "WINEPREFIX": str(folder / "prefix"),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree,mshtml=",
        }
        waiting = paths
        for _ in range(_MOST_CRASHES):
            asked = "".join(f"Z:{path}\n" for path in waiting).encode()
            done = subprocess.run(
                ["wine", str(program)], input=asked, check=False, capture_output=True, timeout=_SECONDS, env=environment
            )
            if not done.returncode:
                break
            left = [path for path in waiting if not _answered(path)]
            waiting = left[1:]  # Wine's assembler crashed on the first of them: it refuses that
        subprocess.run(["wineserver", "-w"], check=False, capture_output=True, timeout=_SECONDS, env=environment)
        return [_words(path.with_name(f"{path.name}.words")) for path in paths]


def _answered(path: Path) -> bool:
    return any(path.with_name(f"{path.name}.{suffix}").exists() for suffix in ("words", "refused"))


def _words(path: Path) -> list[int] | None:
    if not path.exists():
        return None
    data = path.read_bytes()
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]


def main(argv: list[str]) -> int:
    if len(argv) != 2 or not is_there():
        print(f"usage: direct3d9_wine.py TEXTS.json OUT.json; wine and {COMPILER} have to be installed", file=sys.stderr)
        return 2
    texts = json.loads(Path(argv[0]).read_text(encoding="utf-8"))
    found = [None if words is None else [f"{word:08x}" for word in words] for words in assemble(texts)]
    Path(argv[1]).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
