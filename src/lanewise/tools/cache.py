"""`lanewise cache`: the machine code that the compiled engine keeps on disk."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from lanewise.tools.console import OK, add_format, make_parser, print_json, print_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

_EPILOG = """The kernels of all versions of lanewise are counted and cleared; each version reads only its folder.
LANEWISE_CACHE names another folder; LANEWISE_CACHE=off disables the cache. LANEWISE_CPU=x86-64-v2, x86-64-v3 or
x86-64-v4 compiles kernels for that level of x86-64, native (the default) for this processor.

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

    place, kernels, unfinished = cache.folder(), cache.kept(), cache.unfinished()
    files = [*kernels, *cache.plans(), *unfinished]
    own = sum(path.parent == place for path in kernels)
    size = _size(files)
    if refusal := cache.refusal():
        print(f"lanewise cache: the folder is not used: {refusal}", file=sys.stderr)
    cleared = cache.clear() if options.clear else 0
    if options.format == "json":
        left = cache.kept()
        kept = {
            "folder": str(place) if place else None,
            "kernels": len(left),
            "of_this_version": sum(path.parent == place for path in left),
            "bytes": _size([*left, *cache.plans(), *cache.unfinished()]),
            "cleared": cleared,
        }
        print_json("cache", kept)
        return OK
    if place is None:
        print(f"{cache.missing()}: no kernels are kept")
        return OK
    what = _count(len(kernels), "kernel")
    if unfinished:
        what += f" and {_count(len(unfinished), 'unfinished file')}"
    if options.clear:
        print_text(f"{what} deleted, {size / 1024:.0f} KiB\n{place}\n")
    else:
        of_others = f", {len(kernels) - own} of them of other versions" if len(kernels) > own else ""
        print_text(f"{what}, {size / 1024:.0f} KiB{of_others}\n{place}\n")
    return OK


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _size(files: Sequence[Path]) -> int:
    """In bytes; a file that another process has deleted counts nothing."""
    found = 0
    for path in files:
        try:
            found += path.stat().st_size
        except OSError:
            continue
    return found
