"""Effects of Direct3D 9 in Python: `Direct3DEffect`, techniques and shaders by name.

effect = lw.load_effect("water.fxb")
effect.techniques[0].passes[0].pixel          # the name of a shader
effect["Water/P0/pixel"].run({"texcoord": points})
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from lanewise.core import writing
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.members import choose, no_such
from lanewise.core.objects import Content
from lanewise.core.source import Span
from lanewise.core.suffixes import refused
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.direct3d9.container.effects import read_effect

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence
    from os import PathLike
    from typing import Self

    from lanewise.core.program import Drawing
    from lanewise.direct3d9.isa.effect import Effect, EffectShader, Parameter, Technique

S = TypeVar("S", bound=Direct3DShader)
_READERS = {
    "GLSL": "a GLSL compiler or MonoGame's DesktopGL runtime reads it",
    "SPIR-V": "spirv-dis reads it",
    "DXIL": "dxc -dumpbin reads it",
    "DXBC": "fxc /dumpbin reads it; a level 9 profile, such as vs_4_0_level_9_3, would hold a Direct3D 9 shader besides",
}


class EffectOf(Content, Generic[S]):
    """A file with techniques: `shader(name)` or `effect[name]` gives one of its shaders as `kind` makes it.

    `techniques`, `parameters` and `shaders` are what it holds; `names` those of its shaders; `diagnostics` the findings of
    reading it; `data` the file.
    """

    isa: Literal["direct3d9"] = "direct3d9"

    name: str
    data: bytes
    effect: Effect
    diagnostics: tuple[Diagnostic, ...]

    def _content(self) -> Hashable:
        return self.data

    def __init__(self, name: str, data: bytes, effect: Effect, kind: type[S], diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        self.name, self.data, self.effect, self.diagnostics, self._kind = name, data, effect, diagnostics, kind

    @property
    def format(self) -> str:
        """`fx_2_0`, `MGFX 10, DirectX 11`, `DXBC`."""
        return self.effect.format

    @property
    def techniques(self) -> tuple[Technique, ...]:
        return self.effect.techniques

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return self.effect.parameters

    @property
    def shaders(self) -> tuple[EffectShader, ...]:
        """Every shader with its code, Direct3D 9 or not."""
        return self.effect.shaders

    @property
    def names(self) -> tuple[str, ...]:
        return tuple([shader.name for shader in self.effect.shaders])

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.effect.shaders)

    def __getitem__(self, name: str) -> S:
        return self.shader(name)

    def __repr__(self) -> str:
        return f"<Direct3DEffect {self.name}: {self.format}, {len(self.techniques)} techniques, {len(self)} shaders>"

    def shader(self, name: str | int) -> S:
        """A shader by its name, parts of it that no other has, or its number. Raises InputError for an unknown one, or without
        Direct3D 9 code."""
        part = find(self.effect, choose(self.effect.names, str(name), self.name))
        if not part.stream:
            raise InputError([no_stream(part, self.name)])
        return self._kind.from_bytes(part.stream, f"{self.name}:{part.name}", "bin")

    @property
    def only(self) -> S:
        """The shader of an effect that has one with Direct3D 9 code. Raises InputError for more or none."""
        readable = [part.name for part in self.shaders if part.stream]
        if len(readable) != 1:
            raise no_such(f"this effect holds {len(readable)} shaders with Direct3D 9 code", readable, self.name)
        return self.shader(readable[0])

    @property
    def text(self) -> str:
        """The source of its only shader. Raises InputError."""
        return self.only.text

    @property
    def words(self) -> Sequence[int]:
        """The tokens of its only shader. Raises InputError."""
        return self.only.words

    def graph(self) -> Drawing:
        """The graph of its only shader. Raises InputError."""
        return self.only.graph()

    def save(self, path: str | PathLike[str]) -> None:
        """Write the file as it was read. Raises OSError, ValueError for the suffix of another form."""
        # By name: a package is above what it offers.
        if message := refused(str(path), (*import_module("lanewise.direct3d9.package").EFFECT.suffixes, ".bin")):
            raise ValueError(message)
        writing.write(path, self.data)

    def check(self) -> tuple[Diagnostic, ...]:
        """The findings of `lanewise check` on every shader with Direct3D 9 code."""
        return tuple([finding for part in self.shaders if part.stream for finding in self.shader(part.name).check()])


class Direct3DEffect(EffectOf[Direct3DShader]):
    """An effect whose shaders run."""

    @classmethod
    def from_bytes(cls, data: bytes, name: str) -> Self:
        """The effect of the bytes of a file. Raises InputError."""
        found = read_effect(data, name)
        if found.effect is None:
            raise InputError(found.diagnostics)
        return cls(name, data, found.effect, Direct3DShader, tuple(found.diagnostics))


def find(effect: Effect, name: str) -> EffectShader:
    """A shader by its name."""
    return next(shader for shader in effect.shaders if shader.name == name)


def no_stream(shader: EffectShader, name: str) -> Diagnostic:
    """C315: a shader in another language."""
    fix = f"take an effect that was built for Direct3D 9 or XNA; {_READERS.get(shader.kind, 'no tool is known that reads it')}"
    return Diagnostic(
        code="C315",
        severity=ERROR,
        message=f"{shader.name} is {shader.kind}, not Direct3D 9 code",
        span=Span(file=name, offset=shader.offset),
        fix=fix,
    )
