"""Generate the reference pages: `python -m lanewise.tools.pages [FOLDER]`.

The default folder is docs/. Without FOLDER the interfaces of all commands are written into the package too, where the
completions read them.

The tests compare the pages with the output of this module, so a change of a table changes a page.
"""

from __future__ import annotations

import sys

from lanewise.api.findings import page
from lanewise.compile.spirv import accuracy
from lanewise.core import writing
from lanewise.core.document import Heading, Paragraph, as_markdown
from lanewise.core.record import TYPE_CHECKING
from lanewise.packages import packages
from lanewise.rules import page as rewriting
from lanewise.tools import completions, direct3d9_table, interfaces

if TYPE_CHECKING:
    from lanewise.core.document import Block
    from lanewise.core.package import IsaPackage

_MADE = "This page is generated from the source by `python -m lanewise.tools.pages`."


def rules() -> str:
    """docs/rules.md: every rule of `lanewise check`."""
    blocks: list[Block] = [
        Heading(1, "Rules of lanewise check"),
        Paragraph("The rules of `lanewise check` for programs that assemble. " + _MADE),
    ]
    for package in packages():
        section = package.reference().rules if package.reference is not None else None
        blocks += section() if section is not None else []
    return as_markdown(blocks, links=True)


def rewrites() -> str:
    """docs/rewrites.md: the rewrite rules of the compilers and the prover."""
    title, *rest = rewriting.page()
    return as_markdown([title, Paragraph(_MADE), *rest], links=True)


def reference_of(package: IsaPackage) -> str | None:
    """docs/ISA.md: everything about an instruction set on one page."""
    document = package.reference().document if package.reference is not None else None
    if document is None:
        return None
    title, *rest = document()
    return as_markdown([title, Paragraph(_MADE), *rest], links=True)


def pages() -> dict[str, str]:
    """The text of every page by its file name in docs/."""
    references = {f"{package.name}.md": text for package in packages() if (text := reference_of(package)) is not None}
    return {
        "diagnostics.md": page(),
        "direct3d9-table.md": direct3d9_table.page(),
        "glsl-functions.md": accuracy.page(),
        "rewrites.md": rewrites(),
        "rules.md": rules(),
        **references,
    }


def main(argv: list[str]) -> int:
    """Write the pages into a folder. Exit code 0, or 2 for an argument that is not a folder."""
    from pathlib import Path

    if len(argv) > 1 or (argv and argv[0].startswith("-")):
        print("usage: python -m lanewise.tools.pages [FOLDER]", file=sys.stderr)
        return 2

    folder = Path(argv[0] if argv else "docs")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        writing.write(folder / name, text.encode())
        print(folder / name)
    if not argv:
        path = Path(__file__).with_name(completions.FILE)
        writing.write(path, interfaces.text(interfaces.interfaces()).encode())
        print(path)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
