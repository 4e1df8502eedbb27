"""Read compiled effects of MonoGame: MGFX, versions 3 to 11.

Sources: MonoGame, Effect.cs and Shader.cs of each version (2013 to 2025). The header has no hash before version 6; a shader's
length has 16 bits before 5, its samplers one number before 4; names of buffers and samplers and the attributes are in OpenGL's
files only before 8; samplers have a border color from 7 on; numbers of things have 8 bits before 10; shaders name their source
from 11 on. Version 9 was written with two forms of the number of parameters. Shaders are code of the platform: DirectX 11's are
DXBC containers, which may hold a Direct3D 9 shader as well.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.direct3d9.container import dxbc
from lanewise.direct3d9.container.bounded import Bytes, Malformed
from lanewise.direct3d9.isa.constants import COLUMNS, OBJECT, ROWS, SCALAR, STRUCT, VECTOR, Member, Type
from lanewise.direct3d9.isa.effect import (
    BINARY,
    DXBC,
    DXIL,
    GLSL,
    PIXEL,
    SPIRV,
    VERTEX,
    Effect,
    EffectShader,
    Parameter,
    Pass,
    State,
    Technique,
    distinct,
)

if TYPE_CHECKING:
    from collections.abc import Callable

TAG = b"MGFX"
OLDEST, NEWEST = 3, 11
_PROFILES = {0: "OpenGL", 1: "DirectX 11", 2: "DirectX 12", 3: "PlayStation 4", 80: "Vulkan"}  # ShaderProfileType
_OPENGL = 0
# EffectParameterClass is Direct3D 9's without its two classes of matrices; EffectParameterType has no void.
_KINDS = (SCALAR, VECTOR, COLUMNS, OBJECT, STRUCT)
_VOID, _BOOL, _INT, _FLOAT, _STRING = range(5)
_MOST_NUMBERS, _DEEPEST = 1 << 16, 16
_BLEND = (
    "AlphaBlendFunction",
    "AlphaDestinationBlend",
    "AlphaSourceBlend",
    "BlendFactor",
    "",
    "",
    "",
    "ColorBlendFunction",
    "ColorDestinationBlend",
    "ColorSourceBlend",
    "ColorWriteChannels",
    "ColorWriteChannels1",
    "ColorWriteChannels2",
    "ColorWriteChannels3",
    "MultiSampleMask",
)
_DEPTH = (
    "CounterClockwiseStencilDepthBufferFail",
    "CounterClockwiseStencilFail",
    "CounterClockwiseStencilFunction",
    "CounterClockwiseStencilPass",
    "DepthBufferEnable",
    "DepthBufferFunction",
    "DepthBufferWriteEnable",
    "ReferenceStencil",
    "StencilDepthBufferFail",
    "StencilEnable",
    "StencilFail",
    "StencilFunction",
    "StencilMask",
    "StencilPass",
    "StencilWriteMask",
    "TwoSidedStencilMode",
)
_RASTER = ("CullMode", "DepthBias", "FillMode", "MultiSampleAntiAlias", "ScissorTestEnable", "SlopeScaleDepthBias")
_WIDE = {"MultiSampleMask", "ReferenceStencil", "StencilMask", "StencilWriteMask", "DepthBias", "SlopeScaleDepthBias"}
_FLOATS = {"DepthBias", "SlopeScaleDepthBias"}


def is_effect(data: bytes) -> bool:
    return data.startswith(TAG)


def read_effect(data: bytes) -> Effect:
    """The effect of a file. Raises Malformed."""
    if len(data) < 6:
        raise Malformed("the header of MGFX is cut off", len(data))
    version = data[4]
    if not OLDEST <= version <= NEWEST:
        raise Malformed(f"version {version} of MGFX is unknown: {OLDEST} to {NEWEST} are read", 4)
    if version != 9:
        return _Reader(data, version, lambda r: r.word() if version >= 10 else r.byte()).effect()
    try:
        return _Reader(data, version, Bytes.number7).effect()
    except Malformed as first:
        try:
            return _Reader(data, version, lambda r: int.from_bytes(r.take(2), "little")).effect()
        except Malformed:
            raise first from None


class _Reader:
    """Reads one effect of a version; `parameters` reads a number of parameters."""

    def __init__(self, data: bytes, version: int, parameters: Callable[[Bytes], int]) -> None:
        self.r, self.version, self._parameters = Bytes(data, 5), version, parameters
        self.profile = self.r.byte()
        self.named = version >= 8 or self.profile == _OPENGL
        if version >= 6:
            self.r.word()  # a hash of what follows
        self._depth = 0

    def effect(self) -> Effect:
        for _ in range(self._number("constant buffers", 4)):
            self._buffer()
        raw = [self._shader(n) for n in range(self._number("shaders", 7))]
        parameters = self._all_parameters()
        techniques: list[tuple[str, list[tuple[str, int, int, tuple[State, ...]]]]] = []
        for _ in range(self._number("techniques", 3)):
            name = self.r.text7()
            self._annotations()
            techniques.append((name, [self._pass(len(raw)) for _ in range(self._number("passes", 6))]))
        self._end()
        return self._named(raw, parameters, techniques)

    def _number(self, what: str, size: int) -> int:
        return self.r.count(self.r.word() if self.version >= 10 else self.r.byte(), size, what)

    def _annotations(self) -> None:
        """A number, which is written without what it counts."""
        self._number("annotations", 0)

    def _buffer(self) -> None:
        if self.named:
            self.r.text7()
        self.r.take(2)
        wide = 4 if self.version >= 10 else 1
        count = self._number("parameters of a buffer", wide + 2)
        self.r.take((wide + 2) * count)

    def _shader(self, number: int) -> EffectShader:
        r = self.r
        stage = VERTEX if r.byte() else PIXEL
        source = entry = ""
        if self.version >= 11:
            source, entry = r.text7(), r.text7()
        size = r.word() if self.version >= 5 else int.from_bytes(r.take(2), "little")
        at = r.at
        code = r.take(size)
        for _ in range(r.byte()):
            r.take(3 if self.version >= 4 else 2)
            if r.byte():
                r.take(3 + (4 if self.version >= 7 else 0) + 1 + 12)
            if self.named:
                r.text7()
            r.byte()
        r.take(r.byte())
        for _ in range(r.byte() if self.named else 0):
            r.text7()
            r.take(4)
        kind, stream = _code(code, at)
        where = source.replace("\\", "/").rpartition("/")[2]
        return EffectShader(
            name=f"shader{number}",
            stage=stage,
            kind=kind,
            code=code,
            stream=stream,
            offset=at,
            entry=f"{where}: {entry}" if where else entry,
        )

    def _all_parameters(self) -> list[Parameter]:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Malformed("parameters are nested too deep", self.r.at)
        found = [self._parameter() for _ in range(self.r.count(self._parameters(self.r), 6, "parameters"))]
        self._depth -= 1
        return found

    def _parameter(self) -> Parameter:
        r = self.r
        at = r.at
        kind, base, name, semantic = r.byte(), r.byte(), r.text7(), r.text7()
        self._annotations()
        rows, columns = r.byte(), r.byte()
        elements, members = self._all_parameters(), self._all_parameters()
        if kind >= len(_KINDS):
            raise Malformed(f"unknown class {kind} of a parameter: there are 0 to {len(_KINDS) - 1}", at)
        words: tuple[int, ...] = ()
        if not elements and not members:
            if base == _STRING:
                raise Malformed(f"the parameter '{name}' is a string, which MGFX cannot hold", at)
            words = r.words(rows * columns) if base in (_BOOL, _INT, _FLOAT) else ()
        for element in elements:
            words = (*words, *element.default)[:_MOST_NUMBERS]
        typed = elements[0].type.members if elements else tuple([Member(each.name, each.type) for each in members])
        return Parameter(
            name=name,
            semantic=semantic,
            type=Type(kind=_KINDS[kind], base=base, rows=rows, columns=columns, elements=len(elements), members=typed),
            default=words,
        )

    def _pass(self, shaders: int) -> tuple[str, int, int, tuple[State, ...]]:
        r = self.r
        name = r.text7()
        self._annotations()
        used = [r.word() if self.version >= 10 else r.byte() for _ in range(2)]
        none = 0xFFFFFFFF if self.version >= 10 else 255
        for number in used:
            if number != none and number >= shaders:
                raise Malformed(f"a pass uses shader {number} of {shaders}", r.at)
        states = tuple([State(label, 0, self._state(label)) for row in (_BLEND, _DEPTH, _RASTER) if r.byte() for label in row])
        vertex, pixel = [-1 if number == none else number for number in used]
        return name, vertex, pixel, tuple([state for state in states if state.name])

    def _state(self, name: str) -> str:
        from lanewise.direct3d9.container.fx2 import number_text

        if name in _WIDE:
            return number_text(self.r.word(), _FLOAT if name in _FLOATS else _INT)
        return str(self.r.byte())

    def _end(self) -> None:
        """The letters of the header again from version 10 on; nothing, or the padding of what holds it, before."""
        r = self.r
        if self.version >= 10:
            if r.take(4) != TAG:
                raise Malformed("the letters MGFX are not at its end", r.at - 4)
        elif any(r.data[r.at :]):
            raise Malformed(f"{len(r.data) - r.at} bytes are left after the techniques", r.at)

    def _named(
        self,
        raw: list[EffectShader],
        parameters: list[Parameter],
        techniques: list[tuple[str, list[tuple[str, int, int, tuple[State, ...]]]]],
    ) -> Effect:
        """Each shader under the name of the first pass that has it, others under their number."""
        names: dict[int, str] = {}
        found: list[Technique] = []
        for title, (_, passes) in zip(distinct([name for name, _ in techniques], "technique"), techniques, strict=True):
            plain: list[Pass] = []
            for name, (_, vertex, pixel, states) in zip(distinct([each[0] for each in passes], "pass"), passes, strict=True):
                used = [
                    names.setdefault(number, f"{title}/{name}/{stage}") if number >= 0 else ""
                    for number, stage in ((vertex, VERTEX), (pixel, PIXEL))
                ]
                plain.append(Pass(name=name, vertex=used[0], pixel=used[1], states=states))
            found.append(Technique(title, tuple(plain)))
        shaders = [shader._replace(name=names.get(n, shader.name)) for n, shader in enumerate(raw)]
        profile = _PROFILES.get(self.profile, f"platform {self.profile}")
        return Effect(
            format=f"MGFX {self.version}, {profile}",
            techniques=tuple(found),
            parameters=tuple(parameters),
            shaders=tuple(shaders),
        )


def _code(code: bytes, at: int) -> tuple[str, bytes]:
    """The kind of a shader's code, and the Direct3D 9 shader in it."""
    if code.startswith(dxbc.TAG):
        return (DXIL if dxbc.has_chunk(code, b"DXIL") else DXBC), dxbc.level9(code)
    if code[:4] == b"\x03\x02\x23\x07":
        return SPIRV, b""
    text = code.rstrip(b"\0")
    printable = bool(text) and all(32 <= byte < 127 or byte in (9, 10, 13) for byte in text[:1024])
    return (GLSL if printable else BINARY), b""


__all__ = ["NEWEST", "OLDEST", "ROWS", "TAG", "is_effect", "read_effect"]
