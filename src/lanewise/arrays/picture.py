"""Pictures that samplers read: nearest and bilinear filtering of a two-dimensional array of texels.

The rule is Direct3D 9's (Bilinear Texture Filtering, Nearest-Point Sampling, Texture Addressing Modes): texels have their
centres at .5, (0, 0) is the top left corner and (1, 1) the bottom right. Coordinates and weights are computed in binary64 and
the color is rounded once to float32, so a weight has all bits of the coordinate; `weight_bits` rounds it to fewer, as texture
units do.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np

from lanewise.arrays.words import FILL, MASKED, is_masked
from lanewise.core import files
from lanewise.core.extras import extra
from lanewise.core.service import InputFailure

if TYPE_CHECKING:
    from os import PathLike
    from typing import Any, Self

    from numpy.typing import NDArray

    Texels = NDArray[np.float32]

    class Request(Protocol):
        """The request of a texture instruction: coordinates of (pixels, 2 or more)."""

        @property
        def coordinates(self) -> NDArray[np.float32]: ...


POINT, LINEAR = "point", "linear"
FILTERS = (POINT, LINEAR)
WRAP, MIRROR, CLAMP, BORDER = "wrap", "mirror", "clamp", "border"
ADDRESSES = (WRAP, MIRROR, CLAMP, BORDER)
SUFFIXES = (".png", ".bmp", ".tga", ".jpg", ".jpeg", ".dds", ".gif", ".webp", ".tif", ".tiff")
_MOST_TEXELS = 1 << 26
_FARTHEST = float(1 << 52)  # texels; beyond, a coordinate has no fraction


class Picture:
    """A picture for a sampler: texels, filter and addressing.

    `texels` is an array of (height, width, 4): bytes are 0 to 1 in steps of 1/255, 16-bit numbers in steps of 1/65535,
    floating-point numbers are as they are; with 3 components alpha is 1, with 1 or none the color is grey. `filter` is `point`
    or `linear`, `address` `wrap`, `mirror`, `clamp` or `border` (of zeros), or two of them for u and v. The defaults are those
    of Direct3D 9's samplers. `weight_bits` rounds the weights of `linear` to a fixed-point number of so many bits, 0: does not.
    Raises ValueError for another filter or addressing, or a wrong shape.
    """

    texels: NDArray[Any]
    name: str
    filter: str
    weight_bits: int
    address: tuple[str, ...]

    def __init__(
        self,
        texels: object,
        filter: str = POINT,
        address: str | tuple[str, str] = WRAP,
        *,
        weight_bits: int = 0,
        name: str = "picture",
    ) -> None:
        self.texels, self.name = _texels(texels), name
        self.filter, self.weight_bits = filter, weight_bits
        self.address = (address, address) if isinstance(address, str) else tuple(address)
        if filter not in FILTERS:
            raise ValueError(f"unknown filter '{filter}': use {' or '.join(FILTERS)}")
        if len(self.address) != 2 or not set(self.address) <= set(ADDRESSES):
            raise ValueError(
                f"unknown addressing '{'/'.join(self.address)}': use {', '.join(ADDRESSES)}, or two of them for u and v"
            )
        if not 0 <= weight_bits <= 23:
            raise ValueError(f"weight_bits is {weight_bits}, expected 0 to 23")

    @classmethod
    def read(
        cls,
        path: str | PathLike[str] | bytes,
        filter: str = POINT,
        address: str | tuple[str, str] = WRAP,
        *,
        weight_bits: int = 0,
    ) -> Self:
        """The picture of a file, or of its bytes: PNG and whatever else Pillow reads, in sRGB or linear as it is. Raises
        InputFailure, OSError, ValueError."""
        if isinstance(path, bytes):
            return cls(read_texels(path, "picture"), filter, address, weight_bits=weight_bits)
        return cls(
            read_texels(files.read(path, "picture"), str(path)), filter, address, weight_bits=weight_bits, name=str(path)
        )

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in texels."""
        return self.texels.shape[1], self.texels.shape[0]

    def __repr__(self) -> str:
        width, height = self.size
        return f"<Picture {self.name}: {width} x {height}, {self.filter}, {'/'.join(dict.fromkeys(self.address))}>"

    def __call__(self, request: Request) -> Texels:
        """The colors for a texture instruction, (pixels, 4)."""
        return self.sample(request.coordinates)

    def sample(self, coordinates: object) -> Texels:
        """The colors at (pixels, 2 or more) coordinates; of more than two the first two count. NaN is 0."""
        uv = np.asarray(cast("Any", coordinates), np.float64)
        with np.errstate(invalid="ignore", over="ignore"):
            columns = [
                np.nan_to_num(uv[:, n], nan=0.0, posinf=np.inf, neginf=-np.inf) * size for n, size in enumerate(self.size)
            ]
        columns = [np.clip(column, -_FARTHEST, _FARTHEST) for column in columns]
        if self.filter == POINT:
            x, y = (np.floor(column).astype(np.int64) for column in columns)
            return self._fetch(x, y).astype(np.float32)
        lows: list[NDArray[np.int64]] = []
        weights: list[NDArray[np.float64]] = []
        for column in columns:
            low = np.floor(column - 0.5)
            weight = column - 0.5 - low
            if self.weight_bits:
                weight = np.floor(weight * (1 << self.weight_bits) + 0.5) / (1 << self.weight_bits)
            lows.append(low.astype(np.int64))
            weights.append(weight[:, None])
        (x, y), (u, v) = lows, weights
        above = self._fetch(x, y) * (1 - u) + self._fetch(x + 1, y) * u
        below = self._fetch(x, y + 1) * (1 - u) + self._fetch(x + 1, y + 1) * u
        return (above * (1 - v) + below * v).astype(np.float32)

    def _fetch(self, x: NDArray[np.int64], y: NDArray[np.int64]) -> NDArray[np.float64]:
        """Texels by numbers that may be outside."""
        width, height = self.size
        column, row = _inside(x, width, self.address[0]), _inside(y, height, self.address[1])
        raw = self.texels[row, column]
        found = raw.astype(np.float64) / (np.iinfo(raw.dtype).max if raw.dtype.kind == "u" else 1.0)
        for number, size, address in ((x, width, self.address[0]), (y, height, self.address[1])):
            if address == BORDER:
                found[(number < 0) | (number >= size)] = 0.0
        return found


def _inside(number: NDArray[np.int64], size: int, address: str) -> NDArray[np.int64]:
    if address == WRAP:
        return number % size
    if address == MIRROR:
        lap = number % (2 * size)
        return np.where(lap < size, lap, 2 * size - 1 - lap)
    return np.clip(number, 0, size - 1)


def _texels(value: object) -> NDArray[Any]:
    """(height, width, 4) of uint8, uint16 or float32. Raises ValueError."""
    if is_masked(value):
        raise ValueError(f"a picture {MASKED}: {FILL}")
    try:
        array: NDArray[Any] = np.asarray(cast("Any", value))
    except ValueError:
        raise ValueError("a picture is not an array of numbers: give rows of equal length") from None
    if array.ndim == 2:
        array = array[:, :, None]
    if array.ndim != 3 or array.shape[2] not in (1, 3, 4) or not array.size or array.shape[0] * array.shape[1] > _MOST_TEXELS:
        shape = np.shape(array)
        channels = "channels come last, `numpy.moveaxis(picture, 0, -1)`" if shape[:1] in ((1,), (3,), (4,)) else ""
        one = "give one of them, `pictures[0]`" if len(shape) > 3 else ""
        fix = one or channels or "give (height, width, 4), (height, width, 3) or (height, width)"
        raise ValueError(f"a picture has the shape {shape}: {fix}")
    if array.dtype.kind not in "fiub":
        raise ValueError(f"a picture of {array.dtype} is not numeric")
    if array.dtype.str.lstrip("|<>=") not in ("u1", "u2"):
        array = array.astype(np.float32)
    one = np.iinfo(array.dtype).max if array.dtype.kind == "u" else 1
    if array.shape[2] < 4:
        color = np.repeat(array, 3, axis=2) if array.shape[2] == 1 else array
        array = np.concatenate([color, np.full((*array.shape[:2], 1), one, array.dtype)], axis=2)
    return np.ascontiguousarray(array)


def read_texels(data: bytes, name: str) -> NDArray[Any]:
    """The texels of the bytes of a picture file. Raises InputFailure."""
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError:
        raise InputFailure(f"cannot read {name}: pictures need Pillow: {extra('picture')}") from None
    try:
        with Image.open(io.BytesIO(data)) as image:
            width, height = image.size
            if width * height > _MOST_TEXELS:
                raise InputFailure(f"{name} has {width} x {height} texels: at most {_MOST_TEXELS} can be read")
            if image.mode.startswith("I;16"):
                return np.asarray(image, np.uint16)
            return np.asarray(image.convert("RGBA"), np.uint8)
    except InputFailure:
        raise
    except UnidentifiedImageError:
        raise InputFailure(f"{name} is not a picture, or of a kind that Pillow does not read: use PNG") from None
    except Exception as error:  # whatever a reader of damaged files raises
        raise InputFailure(f"cannot read {name} as a picture: {error}") from None


__all__ = ["ADDRESSES", "FILTERS", "SUFFIXES", "Picture", "read_texels"]
