"""Controls for uniforms: what kind each wants by its name and size, and the value that it has until the page gives one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from lanewise.arrays.data import array_of
from lanewise.core.plain import plain_number
from lanewise.core.record import Record
from lanewise.core.service import InputFailure
from lanewise.drawing.camera import BINDINGS, MATRICES, ROWS, matrix_named
from lanewise.drawing.camera_matrices import matrix

from lanewise_studio.state import refused
from lanewise_studio.subject import BOOLEAN, FLOAT, GEOMETRY, INTEGER, SAMPLER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.drawing.camera import Camera
    from lanewise.drawing.volume import Volume
    from numpy.typing import NDArray

    from lanewise_studio.program import Memory
    from lanewise_studio.subject import Uniform

MATRIX, COLOUR, VECTOR, TRUTH, WHOLE, ARRAY = "matrix", "colour", "vector", "boolean", "integer", "array"

_TABLES = {FLOAT: "uniforms", INTEGER: "integers", BOOLEAN: "booleans", SAMPLER: "samplers"}  # of data files
_MEANINGS = {
    MATRIX: "a matrix, one row in each register",
    COLOUR: "a colour: red, green, blue and alpha from 0 to 1",
    VECTOR: "x, y, z and w",
    TRUTH: "true or false",
    WHOLE: "whole numbers from 0 to 255, for loops",
    ARRAY: "an array, one element in each register",
}
_COLOUR = re.compile(r".*(colou?r|ambient|diffuse|specular|emissi|tint|paint|material|rgba?|fogcol).*|.*light")
_NUMBER = re.compile(r".*(power|shininess|exponent|intensity|factor|amount|strength|scale|bias|range).*")
_DIRECTION = re.compile(r".*(direction|dir|lightvec|toward|halfangle|half).*|sun")
# Values of vectors that are no colours and no directions, by their names: the first that fits.
_VECTORS: tuple[tuple[re.Pattern[str], tuple[float, ...]], ...] = (
    (re.compile(r".*(eye|cam(era)?|view(er)?)_?pos(ition)?.*"), (1.66, 1.25, 2.43, 1.0)),  # of the camera that nobody has moved
    (re.compile(r".*light_?pos(ition)?.*"), (2.0, 3.0, 4.0, 1.0)),
    (re.compile(r".*randparam.*"), (17.0, 37.0, 65535.0, 1.0 / 65535)),  # 3ds-examples, graphics/gpu/particles/source/main.c
    (re.compile(r".*randseed.*"), (45.0, 47.564, 46.15, 45.9875)),  # the same
    (re.compile(r".*(offset|translat|pos(ition)?s?$|origin|scroll|_?time$).*"), (0.0, 0.0, 0.0, 0.0)),
)
_ANOTHER = re.compile("[1-9]")  # of several lights, not the first
_PALETTE = re.compile(r".*(bone|joint|skin|palette|matri|mtx|pose).*|c\d+")


class Control(Record):
    """A uniform with its control."""

    uniform: Uniform
    "The uniform."
    kind: str
    "Which control it has."
    value: NDArray[Any]
    "Rows of numbers."
    camera: str
    "The matrix of the camera that it follows; empty for none."
    given: bool
    "Whether the page gives its value."
    whole: NDArray[Any] = np.eye(4)
    "The four rows of that matrix."
    turned: bool = False
    "Whether a register has a column of it."

    def plain(self) -> dict[str, object]:
        """For the page."""
        shown: object = plain(self.value)
        if self.kind == TRUTH:
            shown = bool(self.value.reshape(-1)[0])
        low, high = (0, 255) if self.kind == WHOLE else (0.0, 1.0) if self.kind == COLOUR else (-4.0, 4.0)
        row = self.uniform
        return {
            "name": row.name,
            "register": row.register,
            "registers": row.registers,
            "kind": self.kind,
            **({"components": row.components} if row.components < 4 else {}),
            "value": shown,
            "camera": self.camera,
            "given": self.given,
            "known": bool(row.known),
            **({"source": "page" if self.given else row.source} if row.source else {}),
            **({"stage": row.stage, "label": row.label} if row.stage else {}),
            "least": low,
            "greatest": high,
            "help": self.help,
        }

    @property
    def help(self) -> str:
        """What the uniform is: its type, its registers, and where its value comes from."""
        row = self.uniform
        if row.kind == SAMPLER:
            return (
                f"texture in {row.register}; the colour that it has everywhere; {'set on this page' if self.given else 'white'}"
            )
        kind = row.kind if row.kind in (BOOLEAN, INTEGER) else "float"
        number = f"{row.registers} {kind} vectors" if row.registers > 1 else kind if kind == BOOLEAN else f"{kind} vector"
        last = f"{row.register[0]}{int(row.register[1:]) + row.registers - 1}"
        where = f"{row.register} to {last}" if row.registers > 1 else row.register
        if self.camera:
            source = f"follows the camera: {self.camera}{', a column in each register' if self.turned else ''}"
        elif self.given:
            source = "set on this page"
        elif row.source:
            source = "the draw has this value" if row.source == "draw" else "never written in the recording, taken as 0"
        else:
            source = "the program gives this value" if row.known else "a value of the studio, by name and type"
        return f"{number} in {where}{f' of the {row.stage} shader' if row.stage else ''}; {_MEANINGS[self.kind]}; {source}"


def controls(
    uniforms: Sequence[Uniform],
    given: Mapping[str, object],
    camera: Camera,
    volume: Volume | None,
    size: tuple[int, int],
    memory: Memory,
    *,
    transposed: bool = False,
) -> list[Control]:
    """A control for each uniform; `transposed`: matrices of the camera have a column in each register. Raises InputError for
    values that are none, and for names that do not exist."""
    names = [name for row in uniforms for name in _names(row)]
    for name in given:
        if name not in names:
            raise refused(
                f"unknown uniform '{name}'",
                f"use {', '.join([row.name for row in uniforms]) or 'none: the program has no uniforms'}",
            )
    matrices = [row for row in uniforms if row.registers in ROWS and row.kind not in (BOOLEAN, INTEGER)]
    alone = len(matrices) == 1
    rows = [_control(row, _value_of(row, given), camera, volume, size, memory, alone=alone) for row in uniforms]
    return [
        row._replace(value=row.whole.T[: row.uniform.registers], turned=True) if transposed and row.camera else row
        for row in rows
    ]


def _names(row: Uniform) -> tuple[str, ...]:
    """The names by which a state gives a value; registers are those of the vertex shader."""
    return (row.name,) if row.stage == GEOMETRY else (row.name, row.register)


def _value_of(row: Uniform, given: Mapping[str, object]) -> object:
    return next((given[name] for name in _names(row) if name in given), None)


def _control(
    row: Uniform, value: object, camera: Camera, volume: Volume | None, size: tuple[int, int], memory: Memory, *, alone: bool
) -> Control:
    kind, bound = _kind(row, alone=alone)
    follows = volume is not None and kind == MATRIX
    if isinstance(value, dict):
        bound = str(cast("dict[str, object]", value).get("camera", ""))
        if bound not in BINDINGS or volume is None or row.registers not in ROWS:
            raise refused(
                f"{row.name} cannot follow '{bound}' of the camera", f"give rows of numbers, or a matrix: {', '.join(BINDINGS)}"
            )
        follows = True
    elif value is not None:
        return Control(uniform=row, kind=kind, value=_array(row, value, memory), camera="", given=True)
    elif row.known:
        return Control(uniform=row, kind=kind, value=np.array(row.known), camera="", given=False)
    elif row.source == "missing":
        columns = 3 if row.kind == INTEGER else 4
        empty = np.zeros(1) if row.kind == BOOLEAN else np.zeros((row.registers, columns))
        return Control(uniform=row, kind=kind, value=empty, camera="", given=False)
    if follows and bound and volume is not None:
        whole = matrix(bound, camera, volume, size)
        return Control(uniform=row, kind=kind, value=whole[: row.registers], camera=bound, given=value is not None, whole=whole)
    return Control(uniform=row, kind=kind, value=_usual(row, kind), camera="", given=False)


def _kind(row: Uniform, *, alone: bool) -> tuple[str, str]:
    """The kind of control, and the matrix of the camera that the name means."""
    if row.kind == BOOLEAN:
        return TRUTH, ""
    if row.kind == INTEGER:
        return WHOLE, ""
    if row.kind == SAMPLER:
        return COLOUR, ""
    name = row.label.lower().replace("_", "")
    if row.registers in ROWS:
        bound = matrix_named(row.label, row.register, alone=alone)
        vector = any(pattern.fullmatch(name) for pattern in (_COLOUR, _DIRECTION, *[pattern for pattern, _ in _VECTORS]))
        if bound or not vector:
            return MATRIX, bound
    if row.registers > 1:
        return ARRAY, ""
    return (COLOUR if _COLOUR.fullmatch(name) and not _NUMBER.fullmatch(name) else VECTOR), ""


def _usual(row: Uniform, kind: str) -> NDArray[Any]:
    """The value of a uniform that nothing is known of: a light from above, a colour that is not black, an identity, bones at
    rest."""
    name = row.name.lower()
    if row.kind == SAMPLER:
        return np.ones((1, 4))
    if kind == TRUTH:
        return np.zeros(1)
    if kind == WHOLE:
        return np.array([[1, 0, 1]])  # a loop of the PICA200 runs twice, one of Direct3D 9 once
    if kind == MATRIX:
        return np.eye(4)[: row.registers]
    if kind == ARRAY and row.registers % 4 == 0 and any(pattern.fullmatch(name.replace("_", "")) for _, pattern in MATRICES):
        return np.eye(4)[np.arange(row.registers) % 4]
    if kind == ARRAY and _PALETTE.fullmatch(name):  # matrices of three rows, or of four
        return np.eye(4)[np.arange(row.registers) % (4 if row.registers % 3 else 3)]
    if "power" in name or "shininess" in name:
        return np.full((row.registers, 4), 16.0)
    if kind != COLOUR and _DIRECTION.fullmatch(name):
        side = (
            -1.0 if _ANOTHER.search(name) else 1.0
        )  # so that something is lit, whether a direction is to the light or from it
        found = np.tile([side * 0.3651, side * 0.5477, side * 0.7303, 0.0], (row.registers, 1))
        found[1:] = [0.0, 1.0, 0.0, 0.0]
        return found
    placed = next((value for pattern, value in _VECTORS if pattern.fullmatch(name)), None)
    if placed is not None and kind in (VECTOR, ARRAY):
        return np.tile(placed, (row.registers, 1))
    found = np.zeros((row.registers, 4))
    if kind == COLOUR or _COLOUR.fullmatch(name):
        found[0] = _colour(name)
        found[1:] = [0.2, 0.2, 0.4, 1.0]
    else:
        found[:] = [1.0, 1.0, 1.0, 1.0] if row.registers == 1 else [0.0, 0.0, 0.0, 1.0]
    return found


def _colour(name: str) -> list[float]:
    """The colour of a material or a light: of several lights the first is bright."""
    if "emissi" in name:
        return [0.1, 0.1, 0.1, 1.0]
    if "amb" in name:
        return [0.2, 0.2, 0.2, 1.0]
    return [0.2, 0.2, 0.4, 1.0] if "light" in name and _ANOTHER.search(name) else [0.9, 0.8, 0.6, 1.0]


def _array(row: Uniform, value: object, memory: Memory) -> NDArray[Any]:
    try:
        array = np.asarray(array_of(value, row.name, memory), np.float64)
    except InputFailure as error:
        raise refused(str(error)) from None
    if row.kind == BOOLEAN:
        if array.size != 1:
            raise refused(f"{row.name} is a boolean uniform: give true or false")
        return array.reshape(1)
    rows = np.atleast_2d(array)
    if rows.ndim != 2 or not 1 <= rows.shape[1] <= 4 or len(rows) > max(row.registers, 1):
        raise refused(f"{row.name} has {row.registers} registers of 4 components: the value has the shape {array.shape}")
    return rows


def values_of(rows: Sequence[Control]) -> dict[str, Any]:
    """The values as runs take them, by register where a name may be no name for a run."""
    found: dict[str, Any] = {}
    for control in rows:
        row, value = control.uniform, control.value
        if row.by_register:
            found |= _rows(row, value)
        elif row.kind == BOOLEAN:
            found[row.name] = bool(value.reshape(-1)[0])
        elif row.kind == INTEGER:
            found[row.name] = [int(number) for number in value.reshape(-1)]
        else:
            found[row.name] = value if row.registers > 1 else value.reshape(-1)
    return found


def _rows(row: Uniform, value: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """The rows of a uniform by register."""
    first = int(row.register[1:])
    return {f"{row.register[0]}{first + number}": line for number, line in enumerate(value)}


def tables_of(rows: Sequence[Control]) -> dict[str, dict[str, object]]:
    """The values as data files have them, in the tables `uniforms`, `integers`, `booleans` and `samplers`."""
    tables: dict[str, dict[str, object]] = {name: {} for name in _TABLES.values()}
    values = values_of(rows)
    for control in rows:
        row = control.uniform
        if row.by_register:
            tables[_TABLES[row.kind]] |= {name: plain(line) for name, line in _rows(row, control.value).items()}
            continue
        value = values[row.name]
        name = row.register if row.kind == SAMPLER else row.name
        tables[_TABLES[row.kind]][name] = plain(cast("NDArray[Any]", value)) if row.kind in (FLOAT, SAMPLER) else value
    return tables


def plain(array: NDArray[Any]) -> list[object]:
    """An array as lists, in which what is not finite is a text."""
    if array.ndim > 1:
        return [plain(each) for each in array]
    return [plain_number(float(number)) for number in array]


__all__ = ["Control", "controls", "plain", "tables_of", "values_of"]
