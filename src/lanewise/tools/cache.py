"""`lanewise cache`: the machine code that the compiled engine keeps on disk."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lanewise.tools.console import OK, add_format, make_parser, print_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

_EPILOG = """The kernels of all versions of lanewise are counted and cleared; each version reads only its folder.
LANEWISE_CACHE names another folder; LANEWISE_CACHE=off disables the cache.

examples:
  lanewise cache
  lanewise cache --clear
  LANEWISE_CACHE=/tmp/kernels lanewise cache --format json"""


def parser() -> argparse.ArgumentParser:
    parser = make_parser("lanewise cache", "Show or clear the compiled kernels on disk.", _EPILOG)
    parser.add_argument("--clear", action="store_true", help="delete all kernels")
    add_format(parser)
    return parser


def main(argv: list[str]) -> int:
    options = parser().parse_args(argv)
    from lanewise.llvm import cache

    place, files = cache.folder(), cache.kept()
    own = sum(path.parent == place for path in files)
    size = _size(files)
    cleared = cache.clear() if options.clear else 0
    if options.format == "json":
        document = {
            "folder": str(place) if place else None, "kernels": len(files) - cleared, "of_this_version": 0 if cleared else own,
            "bytes": _size(cache.kept()), "cleared": cleared,
        }  # fmt: skip
        print(json.dumps(document))
    elif place is None:
        print(f"{cache.VARIABLE} is off: no kernels are kept")
    elif options.clear:
        print_text(f"{_count(cleared)} deleted, {size / 1024:.0f} KiB\n{place}\n")
    else:
        of_others = f", {len(files) - own} of them of other versions" if len(files) > own else ""
        print_text(f"{_count(len(files))}, {size / 1024:.0f} KiB{of_others}\n{place}\n")
    return OK


def _count(kernels: int) -> str:
    return f"{kernels} kernel{'' if kernels == 1 else 's'}"


def _size(files: Sequence[Path]) -> int:
    """In bytes; a file that another process has deleted counts nothing."""
    found = 0
    for path in files:
        try:
            found += path.stat().st_size
        except OSError:
            continue
    return found
