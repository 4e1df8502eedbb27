"""Interface of a compiled program: inputs, outputs and constants.

The usage of each v# and o#, the constants that the application sets and those of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.interface import DIRECT3D8
from lanewise.direct3d9.isa.table import USAGES, register_name
from lanewise.shadercore.isa.program import REGISTERS, usage_byte

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lanewise.direct3d9.isa.table import Version
    from lanewise.direct3d9.sem.tree import Flow

POSITION, PSIZE, TEXCOORD, COLOR, FOG, DEPTH = (
    USAGES.index(name) for name in ("position", "psize", "texcoord", "color", "fog", "depth")
)
Usage = tuple[int, int]  # number of `direct3d9.isa.table.USAGES`, index

# Where the three outputs that the hardware exports go (reference 4); others follow in o3 to o7.
_FIXED: Mapping[Usage, int] = {(POSITION, 0): 0, (COLOR, 0): 1, (TEXCOORD, 0): 2}
# Vertex elements that a stream can have, and the components that each brings.
ELEMENTS: Mapping[str, int] = {"float1": 1, "float2": 2, "float3": 3, "float4": 4, "d3dcolor": 4}


class Place(Record):
    """A register of the source with its place in the program."""

    register: int
    "The number of the v# or o#."
    file: int
    "The number of the register file in the source."
    number: int
    "The number of the register in the source."
    name: str
    "The name of the register in the source."
    usage: Usage | None
    "The usage; None: nothing that is declared."
    mask: int
    "The components that are read or written; x is bit 0."
    element: str = ""
    "The kind of an input's vertex element (`ELEMENTS`); empty: not known."

    @property
    def meaning(self) -> str:
        """`texcoord1`, or the register's name where nothing is declared."""
        return self.name if self.usage is None else usage_text(self.usage)


def usage_text(usage: Usage) -> str:
    """`texcoord1`; `position` for index 0."""
    kind, index = usage
    name = USAGES[kind] if kind < len(USAGES) else f"usage{kind}"
    return name + (str(index) if index else "")


def header_byte(usage: Usage | None) -> int:
    """The byte of the header of a ShaderCore file; 0 for what it cannot say."""
    return 0 if usage is None else usage_byte(usage_text(usage)) or 0


def input_places(flow: Flow, read: Mapping[tuple[int, int], int], elements: Mapping[int, str]) -> list[Place]:
    """A v# for each input that is read: its own number where all have one below 8, else in order. `read` are masks by (file,
    number).

    Pixel shaders have v# first, then t#. Raises ValueError for more inputs than there are registers.
    """
    usages: dict[tuple[int, int], Usage] = {}
    if flow.direct3d8:
        usages = {(isa.INPUT, n): (USAGES.index(name), index) for n, (name, index) in enumerate(DIRECT3D8)}
    usages |= {(d.file, d.number): d.usage for d in flow.declared if d.file == isa.INPUT or flow.version.kind == isa.PIXEL}
    keys = sorted(read, key=lambda key: (key[0] != isa.INPUT, key))
    if len(keys) > REGISTERS:
        raise ValueError(f"the shader reads {len(keys)} inputs, but the device has {REGISTERS}")
    own = all(file == isa.INPUT and number < REGISTERS for file, number in keys)
    found: list[Place] = []
    for order, (file, number) in enumerate(keys):
        name = register_name(flow.version, file, number) or f"v{number}"
        usage = usages.get((file, number)) if flow.version.kind == isa.VERTEX or flow.version.major >= 3 else None
        found.append(
            Place(
                register=number if own else order,
                file=file,
                number=number,
                name=name,
                usage=usage,
                mask=read[file, number],
                element=elements.get(number, ""),
            )
        )
    return found


def output_meanings(
    flow: Flow, written: Iterable[tuple[int, int, int]]
) -> dict[tuple[int, int], list[tuple[Usage | None, int]]]:
    """For each output register that is written what it means, with the mask of the components that have this meaning.

    `written` are (file, number, component). In vs_3_0 declarations say it, and one register can have several.
    """
    version = flow.version
    masks: dict[tuple[int, int], int] = {}
    for file, number, component in written:
        if is_output(version, file, number):
            masks[file, number] = masks.get((file, number), 0) | 1 << component
    found: dict[tuple[int, int], list[tuple[Usage | None, int]]] = {}
    for (file, number), mask in masks.items():
        meanings: list[tuple[Usage | None, int]] = []
        found[file, number] = meanings
        if version.kind == isa.VERTEX and version.major >= 3 and file == isa.OUTPUT:
            rest = mask
            for declared in flow.declared:
                if (declared.file, declared.number) == (file, number) and rest & declared.mask:
                    meanings.append((declared.usage, rest & declared.mask))
                    rest &= ~declared.mask
            if rest:
                meanings.append((None, rest))
        else:
            meanings.append((_old_meaning(version, file, number), mask))
    return found


def is_output(version: Version, file: int, number: int) -> bool:
    """Whether what is in a register at the end leaves the shader."""
    if version.kind == isa.VERTEX:
        return file in (isa.RASTOUT, isa.ATTROUT, isa.TEXCRDOUT)
    return (file, number) == (isa.TEMP, 0) if version.major < 2 else file in (isa.COLOROUT, isa.DEPTHOUT)


def _old_meaning(version: Version, file: int, number: int) -> Usage | None:
    """The meaning of an output, from its name."""
    if version.kind == isa.PIXEL:
        return (DEPTH, 0) if file == isa.DEPTHOUT else (COLOR, number)
    if file == isa.RASTOUT:
        return ((POSITION, 0), (FOG, 0), (PSIZE, 0))[number] if number < 3 else None
    return (COLOR if file == isa.ATTROUT else TEXCOORD, number)


def output_places(flow: Flow, written: Iterable[tuple[int, int, int]]) -> list[Place]:
    """An o# for each output. Raises ValueError for more than there are registers."""
    parts = [
        (file, number, usage, mask)
        for (file, number), meanings in sorted(output_meanings(flow, written).items())
        for usage, mask in meanings
    ]
    pixel = flow.version.kind == isa.PIXEL
    colors = {number for file, number, _, _ in parts if file != isa.DEPTHOUT} if pixel else set[int]()
    free = iter([n for n in range(1 if pixel else 3, REGISTERS) if n not in colors])
    found: list[Place] = []
    for file, number, usage, mask in parts:
        fixed = (
            _FIXED.get(usage)
            if usage is not None and not pixel
            else number
            if number in colors and file != isa.DEPTHOUT
            else None
        )
        if fixed is not None and fixed >= REGISTERS:
            name = register_name(flow.version, file, number)
            raise ValueError(f"output {name} is out of range: the device has o0 to o{REGISTERS - 1}")
        register = next(free, None) if fixed is None else fixed
        if register is None:
            raise ValueError(
                f"the shader writes {len(parts)} outputs, but only five fit besides position, color and texcoord (o0 to o2)"
            )
        found.append(
            Place(
                register=register,
                file=file,
                number=number,
                name=register_name(flow.version, file, number) or f"o{number}",
                usage=usage,
                mask=mask,
            )
        )
    return sorted(found, key=lambda place: place.register)
