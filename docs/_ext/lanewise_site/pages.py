"""Every generated page: `python -m lanewise_site.pages FOLDER` writes them, conf.py does so when the site is built."""

from __future__ import annotations

import sys
from pathlib import Path

from lanewise_site import api, commands, containers, examples, findings, instructions, parameters, repository

_INDEX = """# Reference

Written from the tables of lanewise when the site is built.

- **Instruction sets**: [PICA200](pica200/index.md), [ShaderCore](shadercore/index.md), [Direct3D 9](direct3d9/index.md): \
opcode grids, and a page for each instruction
- **Open questions**: [profile fields](profile/index.md) of the PICA200, [device parameters](device/index.md) of ShaderCore, \
[choices](choice/index.md) of Direct3D 9
- **[Findings](findings/index.md)**: each code that lanewise reports
- **[Commands](commands/index.md)** and the [JSON Schemas](schemas/index.md) of their output
- **[Python API](api/index.md)**
- **[Files](containers/index.md)**, field by field
- **[Examples](examples/index.md)**

```{toctree}
:hidden:
:maxdepth: 1

pica200/index
shadercore/index
direct3d9/index
profile/index
device/index
choice/index
findings/index
commands/index
schemas/index
api/index
containers/index
examples/index
```
"""


def pages() -> dict[str, str]:
    """The text of each page by its path in docs/."""
    found: dict[str, str] = {"reference/index.md": _INDEX}
    for module in (instructions, parameters, findings, containers, commands, api, examples, repository):
        for path, text in module.pages().items():
            if path in found:
                raise ValueError(f"two pages at {path}")
            found[path] = text
    return found


def write(folder: Path) -> int:
    """Write the pages that changed, and remove those that are gone; how many there are."""
    found = pages()
    for top in ("reference", "project"):
        for old in (folder / top).rglob("*.md"):
            if old.relative_to(folder).as_posix() not in found:
                old.unlink()
    for path, text in found.items():
        target = folder / path
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
    return len(found)


if __name__ == "__main__":
    print(write(Path(sys.argv[1])), "pages")
