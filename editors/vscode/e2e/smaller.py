"""Make the pictures of the end-to-end run small: `python smaller.py FOLDER` reduces their colours."""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

for path in sorted(Path(sys.argv[1]).glob("vscode-*.png")):
    with Image.open(path) as picture:
        reduced = picture.convert("RGB").quantize(240, dither=Image.Dither.NONE)
    reduced.save(path, optimize=True)
    print(f"{path}: {path.stat().st_size} bytes")
