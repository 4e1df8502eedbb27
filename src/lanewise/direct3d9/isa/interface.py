"""Inputs and outputs of a Direct3D 9 shader.

Names are from `dcl` or from the fixed purpose of registers.

A name is a usage with its index: `position`, `texcoord1`; index 0 may be left out or written. Registers have their own names as
well (`v0`, `oT1`).
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.operands import KILLED
from lanewise.direct3d9.isa.table import USAGES, register_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.direct3d9.isa.program import Shader
    from lanewise.direct3d9.isa.table import Version

SCALARS = ((isa.RASTOUT, 1), (isa.RASTOUT, 2), (isa.DEPTHOUT, 0))  # oFog, oPts, oDepth: one component, x


# What v0, v1, ... usually are in Direct3D 8: the registers of its fixed functions, by their usages in Direct3D 9
# (D3DVSDE_POSITION = 0 to D3DVSDE_NORMAL2 = 16 of d3d8types.h; Microsoft, Map between D3D9 and D3D8 declarations). An
# application may declare others.
DIRECT3D8 = (
    ("position", 0),
    ("blendweight", 0),
    ("blendindices", 0),
    ("normal", 0),
    ("psize", 0),
    ("color", 0),
    ("color", 1),
    *[("texcoord", n) for n in range(8)],
    ("position", 1),
)


class Port(Record):
    """An input or output."""

    usage: str
    "The usage by its name; empty: not known."
    ordinal: int
    "The index of the usage."
    file: int
    "The number of the register file."
    number: int
    "The number of the register."
    mask: int
    "The components that it has; x is bit 0."
    register: str
    "The name of the register."

    @property
    def name(self) -> str:
        """`position`, `texcoord1`; the register without a known usage."""
        return f"{self.usage}{self.ordinal or ''}" if self.usage else self.register

    @property
    def names(self) -> tuple[str, ...]:
        """All that it may be called, in lower case."""
        own = self.register.lower()
        return (f"{self.usage}{self.ordinal}", *((self.usage,) if not self.ordinal else ()), own) if self.usage else (own,)

    @property
    def components(self) -> tuple[int, ...]:
        return tuple(n for n in range(4) if self.mask >> n & 1)


def _port(version: Version, file: int, number: int, usage: str = "", index: int = 0, mask: int = isa.ALL) -> Port:
    return Port(
        usage=usage,
        ordinal=index,
        file=file,
        number=number,
        mask=mask,
        register=register_name(version, file, number) or f"file{file}_{number}",
    )


def _declared(shader: Shader, file: int) -> list[Port]:
    """The ports that `dcl` gives a usage, in order; one register may be two, with separate masks (vs_3_0)."""
    found: list[Port] = []
    for inst in shader.insts:
        if inst.op.role == isa.DECLARATION and inst.dest is not None and inst.payload and inst.dest.file == file:
            usage, index = inst.payload[0] & 0x1F, inst.payload[0] >> 16 & 0xF
            name = USAGES[usage] if usage < len(USAGES) else ""
            found.append(_port(shader.version, file, inst.dest.number, name, index, inst.dest.mask))
    return found


def _uses(shader: Shader, file: int, *, written: bool) -> list[int]:
    """The numbers of the registers of a file that instructions read or write, in order; relative addresses may mean others
    too."""
    found: set[int] = set()
    for inst in shader.insts:
        if inst.op.role == isa.DECLARATION:
            continue
        if written:
            if inst.dest is not None and inst.dest.file == file:
                found.add(inst.dest.number)
            continue
        found.update(source.number for source in inst.sources if source.file == file)
        if inst.op.role == isa.TEXTURING and inst.dest is not None and inst.dest.file == file:
            found.add(inst.dest.number)  # texture coordinates of ps_1_x, and what texkill tests
    return sorted(found)


def inputs(shader: Shader) -> tuple[Port, ...]:
    """The inputs that a shader declares or reads, in the order of their registers."""
    version = shader.version
    if version.kind == isa.VERTEX or version.major >= 3:
        found = _declared(shader, isa.INPUT)
        there = {port.number for port in found}
        usual = DIRECT3D8 if shader.direct3d8 else ()
        for n in _uses(shader, isa.INPUT, written=False):
            if n not in there:
                usage, index = usual[n] if n < len(usual) else ("", 0)
                found.append(_port(version, isa.INPUT, n, usage, index))
    else:
        found = [_port(version, isa.INPUT, n, "color", n) for n in _pixel_inputs(shader, isa.INPUT)]
        found += [_port(version, isa.TEXTURE, n, "texcoord", n) for n in _pixel_inputs(shader, isa.TEXTURE)]
    if version.kind == isa.PIXEL:
        found += [_port(version, isa.MISC, n) for n in _uses(shader, isa.MISC, written=False)]
    return tuple(sorted(found, key=lambda port: (port.file, port.number)))


def _pixel_inputs(shader: Shader, file: int) -> list[int]:
    return sorted({*_uses(shader, file, written=False), *(port.number for port in _declared(shader, file))})


def outputs(shader: Shader) -> tuple[Port, ...]:
    """The outputs that a shader declares or writes, in the order of their registers."""
    version = shader.version
    if version.kind == isa.VERTEX and version.major >= 3:
        found = _declared(shader, isa.OUTPUT)
        there = {port.number for port in found}
        found += [_port(version, isa.OUTPUT, n) for n in _uses(shader, isa.OUTPUT, written=True) if n not in there]
        return tuple(sorted(found, key=lambda port: (port.number, port.mask)))
    if version.kind == isa.VERTEX:
        rast = ("position", "fog", "psize")
        found = [
            _port(version, isa.RASTOUT, n, rast[n] if n < 3 else "", 0, _mask(isa.RASTOUT, n))
            for n in _uses(shader, isa.RASTOUT, written=True)
        ]
        found += [_port(version, isa.ATTROUT, n, "color", n) for n in _uses(shader, isa.ATTROUT, written=True)]
        found += [_port(version, isa.TEXCRDOUT, n, "texcoord", n) for n in _uses(shader, isa.TEXCRDOUT, written=True)]
        return tuple(found)
    if version.major < 2:
        found = [_port(version, isa.TEMP, 0, "color", 0)]
    else:
        found = [_port(version, isa.COLOROUT, n, "color", n) for n in _uses(shader, isa.COLOROUT, written=True)]
    unnamed = any(inst.op.dest is not None and inst.op.dest.depth for inst in shader.insts)
    if unnamed or _uses(shader, isa.DEPTHOUT, written=True):
        found.append(_port(version, isa.DEPTHOUT, 0, "depth", 0, 1))
    return tuple(found)


def _mask(file: int, number: int) -> int:
    return 1 if (file, number) in SCALARS else isa.ALL


def kills(shader: Shader) -> bool:
    """Whether a shader has a texkill."""
    return any(inst.op.dest == KILLED for inst in shader.insts)


def find(ports: Sequence[Port], name: str) -> list[Port]:
    """The ports that a name means: none, one, or those that share it."""
    wanted = name.lower()
    return [port for port in ports if wanted in port.names]
