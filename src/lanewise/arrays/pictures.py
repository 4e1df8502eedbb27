"""Values of `--sampler`: a color, colors, or a picture with its filter and addressing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.arrays.picture import ADDRESSES, FILTERS, SUFFIXES, Picture, read_texels
from lanewise.arrays.values import read_value
from lanewise.core.service import InputFailure

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.arrays.words import Words
    from lanewise.core.service import Files


def read_sampler(text: str, what: str, files: Files) -> NDArray[Any] | Words | Picture:
    """Read a sampler: `FILE.png,linear,clamp`, or a value as `arrays.values` reads it. Raises InputFailure."""
    path, words = text, list[str]()
    while "," in path and path.rpartition(",")[2].strip().lower() in (*FILTERS, *ADDRESSES):
        path, _, last = path.rpartition(",")
        words.insert(0, last.strip().lower())
    image = path.lower().endswith(SUFFIXES)
    head, _, more = path.partition(",")
    if not image and more and head.lower().endswith(SUFFIXES):
        unknown = more.rpartition(",")[2].strip()
        raise InputFailure(f"{what}: unknown word '{unknown}' after {head}: use {', '.join((*FILTERS, *ADDRESSES))}")
    if not image and not words:
        value = read_value(path, what, files)
        return _picture(value, path, what, [], []) if getattr(value, "ndim", 0) == 3 else value
    if image and not files.exists(path):
        raise InputFailure(
            f"{what}: there is no file {path}; write FILE.png,linear,clamp, of {', '.join((*FILTERS, *ADDRESSES))}"
        )
    texels = read_texels(files.read(path), path) if image else read_value(path, what, files)
    filters, addresses = [word for word in words if word in FILTERS], [word for word in words if word in ADDRESSES]
    if len(filters) > 1 or len(addresses) > 2:
        raise InputFailure(f"{what}: '{text}' has more than one filter, or more than two kinds of addressing")
    return _picture(texels, path, what, filters, addresses)


def _picture(texels: object, path: str, what: str, filters: list[str], addresses: list[str]) -> Picture:
    both = (addresses[0], addresses[-1]) if addresses else ("wrap", "wrap")
    try:
        return Picture(texels, filters[0] if filters else "point", both, name=path)
    except ValueError as error:
        raise InputFailure(f"{what}: {error}") from None
