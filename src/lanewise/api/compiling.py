"""Compile Direct3D 9 shaders for ShaderCore in Python.

`Direct3DShader.compile` returns a `Compiled`:

shader = lw.load("skin.vsa")
compiled = shader.compile("rtl", arrays={"c10": (12, 3)})
compiled.save("skin.scb")                      # also writes skin.json
compiled.run({"position": vertices, ...}, {"c0": matrix}).outputs["position"]
"""

from __future__ import annotations

import json
import warnings
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from lanewise.arrays.frames import inputs_of
from lanewise.arrays.results import Result, renamed
from lanewise.compile.shadercore.direct3d9 import CONSTANTS, OPTIMISED, STRATEGIES, Options, compile_shader, named_arrays
from lanewise.compile.shadercore.interface import ELEMENTS
from lanewise.compile.shadercore.tracer import Array, Bound
from lanewise.compile.targets import targets
from lanewise.core import writing
from lanewise.core.diagnostics import InputError
from lanewise.core.extras import require_numpy
from lanewise.core.later import Later
from lanewise.core.objects import Content, checked
from lanewise.core.suffixes import refused
from lanewise.core.text.suggestions import near
from lanewise.direct3d9.api import shader as direct3d9_api
from lanewise.direct3d9.api.effect import EffectOf
from lanewise.direct3d9.api.shader import Outputs
from lanewise.direct3d9.sem.numbers import rule_of
from lanewise.shadercore.api.devices import device as device_of
from lanewise.shadercore.api.interface import holds_something_else
from lanewise.shadercore.api.program import ShaderCoreProgram
from lanewise.shadercore.container.header import write_binary
from lanewise.shadercore.engine.run import engine_for
from lanewise.shadercore.isa.devices import Device
from lanewise.shadercore.package import FILE
from lanewise.shadercore.text.printer import print_program

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
    from typing import Any, Self, TypedDict, Unpack

    from numpy.typing import NDArray

    from lanewise.arrays.frames import Frame
    from lanewise.compile.shadercore import direct3d9
    from lanewise.compile.shadercore.interface import Place
    from lanewise.compile.shadercore.report import Report
    from lanewise.compile.shadercore.tracer import Three
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.program import Drawing
    from lanewise.direct3d9.api import effect as direct3d9_effect
    from lanewise.shadercore.isa.program import Program


if TYPE_CHECKING:

    class Known(TypedDict, total=False):
        """What is known of a shader beside its tokens: the arguments of `compile_direct3d9`."""

        integers: Mapping[str, int | Sequence[int]]
        bounds: Mapping[str, int | Sequence[int]]
        booleans: Mapping[str, bool]
        arrays: Mapping[str, int | tuple[int, int]]
        elements: Mapping[str, str]
        strategy: str
        manner: str


class Direct3DShader(direct3d9_api.Direct3DShader):
    """A Direct3D 9 shader that compiles for ShaderCore."""

    @classmethod
    def of(cls, shader: direct3d9_api.Direct3DShader) -> Self:
        """The same shader, as its package gives it."""
        return cls(shader.name, shader.shader, shader.findings)

    def compile(self, device: str | Device = "rtl", **known: Unpack[Known]) -> Compiled:
        """The shader as a program for ShaderCore; `known` as of `compile_direct3d9`. Raises InputError.

        `lanewise.compile(shader, target="pica200")` compiles it for the PICA200.
        """
        strange = next((name for name in known if name not in _ARGUMENTS), "")
        if strange:
            raise TypeError(f"compile() has no argument '{strange}': {_instead(strange, known)}")
        if isinstance(device, str) and device != "shadercore" and device in [row.name for row in targets()]:
            raise ValueError(f"{device} is not a ShaderCore device: write lanewise.compile(shader, target='{device}')")
        return compile_direct3d9(self, device, **known)


class CompiledResult(Result):
    """The result of a run of a compiled shader: what leaves the core, by the usages and registers of the shader.

    Components that are not exported are 0. `device` is the one that it ran on.
    """

    isa: Literal["shadercore"] = "shadercore"
    unit = "vertex"

    def __init__(
        self,
        lanes: int,
        outputs: Outputs,
        bits: Outputs,
        device: Device,
        warnings: Sequence[Diagnostic],
        engine: str,
        registers: Callable[[], Mapping[str, NDArray[Any]]] | None = None,
    ) -> None:
        super().__init__(
            lanes,
            outputs,
            bits,
            warnings=warnings,
            registers=registers,
            engine=engine,
            variant=device.describe(),
            ports=outputs.shown(),
        )
        self.device = device

    def _former(self) -> Mapping[str, NDArray[Any]]:
        warnings.warn("the result of Compiled.run as a dict is deprecated: use its outputs", DeprecationWarning, stacklevel=3)
        return self.outputs

    def __getitem__(self, key: str) -> NDArray[Any]:
        return self._former()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._former())

    def __len__(self) -> int:
        return len(self._former())

    def __contains__(self, key: object) -> bool:
        return key in self._former()

    def keys(self) -> KeysView[str]:
        """The names of the outputs, as when this was a dict."""
        return self._former().keys()

    def values(self) -> ValuesView[NDArray[Any]]:
        """The arrays of the outputs, as when this was a dict."""
        return self._former().values()

    def items(self) -> ItemsView[str, NDArray[Any]]:
        """The outputs by name, as when this was a dict."""
        return self._former().items()


class Direct3DEffect(EffectOf[Direct3DShader]):
    """An effect whose shaders compile for ShaderCore, too."""

    @classmethod
    def of(cls, effect: direct3d9_effect.Direct3DEffect) -> Self:
        """The same effect, as its package gives it."""
        return cls(effect.name, effect.data, effect.effect, Direct3DShader, effect.diagnostics)


class Compiled(Content):
    """A ShaderCore program compiled from a Direct3D 9 shader.

    `program` are its words with the header, `inputs` and `outputs` the registers by
    their meaning, `uniforms` the c# that the application sets, `diagnostics` the warnings."""

    isa: Literal["shadercore"] = "shadercore"
    _internal = frozenset(("made",))

    shader: direct3d9_api.Direct3DShader
    made: direct3d9.Compiled
    options: Options
    diagnostics: tuple[Diagnostic, ...]

    def _content(self) -> Hashable:
        return self.loaded, self.device.describe(), self.shader

    def __init__(
        self, shader: direct3d9_api.Direct3DShader, compiled: direct3d9.Compiled, options: Options, found: Sequence[Diagnostic]
    ) -> None:
        self.shader, self.made, self.options = shader, compiled, options
        self.diagnostics = tuple(found)
        self.program: Program = compiled.program
        self.device: Device = compiled.device
        self.inputs: tuple[Place, ...] = compiled.inputs
        self.outputs: tuple[Place, ...] = compiled.outputs
        self.uniforms: tuple[int, ...] = compiled.uniforms

    def __repr__(self) -> str:
        return f"<Compiled {self.shader.name} for {self.device.describe()}: {len(self.program.words)} slots>"

    def _repr_html_(self) -> str:
        """Its cost and its program, for notebooks."""
        from lanewise.core import html

        return html.title(self.shader.name, repr(self)[1:-1]) + html.code(self.text)

    @property
    def words(self) -> tuple[int, ...]:
        """The instructions, 64 bits each."""
        return self.program.words

    @cached_property
    def loaded(self) -> ShaderCoreProgram:
        """The program as `load_shadercore` gives it."""
        return ShaderCoreProgram(self.shader.name, self.program)

    def check(self) -> Sequence[Diagnostic]:
        """The findings of `lanewise check` about the compiled program."""
        return self.loaded.check()

    def graph(self) -> Drawing:
        """The dependences between the instructions of the compiled program."""
        return self.loaded.graph()

    @property
    def interface(self) -> dict[str, object]:
        """The interface file as plain data: registers by meaning, constants to upload with their bits and purpose."""
        from lanewise.compile.shadercore import described

        return described.interface(self.made, self.shader.constants)

    @cached_property
    def report(self) -> Report:
        """Slots and cycles of each instruction of the shader, compared with both baselines."""
        from lanewise.compile.shadercore import report as compile_report

        return compile_report.report(self.made, *compile_report.baselines(self.shader.shader, self.device, self.options))

    @property
    def text(self) -> str:
        """The program as ShaderCore assembly."""
        return print_program(self.program)

    def save(self, path: str | Path) -> Path:
        """Write the program and its interface as JSON; return the path of the interface.

        Both files are written completely, or neither.

        Raises FileExistsError where a JSON file with that name is something else: it is kept; ValueError for a path that is
        that of the interface, and for the suffix of another form: `program.save` writes those.
        """
        target = Path(path)
        beside = target.with_suffix(".json")
        if target == beside:
            raise ValueError(f"{target} is the name of the interface file: give the program another suffix, such as .scb")
        if message := refused(str(target), FILE.suffixes):
            raise ValueError(message)
        if holds_something_else(str(beside)):
            raise FileExistsError(f"{beside} is not an interface file and is kept: give the program another name")
        files = ((target, write_binary(self.program)), (beside, (json.dumps(self.interface, indent=2) + "\n").encode()))
        writing.write_files([(str(place), data) for place, data in files])
        return beside

    def run(
        self,
        inputs: Mapping[str, object] | Frame | None = None,
        uniforms: Mapping[str, object] | None = None,
        *,
        integers: Mapping[str, object] | None = None,
        booleans: Mapping[str, object] | None = None,
        count: int | None = None,
        engine: str = "auto",
        defaults: int | None = None,
        constants: Mapping[str, object] | None = None,
    ) -> CompiledResult:
        """The outputs that leave the core, for data that is given as to `Direct3DShader.run`; the program's own constants come
        by themselves.

        Arrays of (lanes, components), float32, by usage or register of the shader; 0 in components that are not exported.
        Raises InputError, also for what the shader may read and that has no value; `defaults=0` makes it 0 or false.
        `constants` is the former name of `uniforms`.
        """
        rule = rule_of(self.device)
        if constants is not None:
            renamed("constants=", "uniforms=")
            uniforms = {**constants, **(uniforms or {})}
        data = self.shader.bind(inputs, rule, constants=uniforms, integers=integers, booleans=booleans, count=count)
        counts = {number: tuple([part or 0 for part in known]) for number, known in self.options.integers.items()}
        data, found_there = self.shader.complete(
            data,
            inputs_of(inputs),
            rule,
            integers=counts,
            booleans=self.options.booleans,
            defaults=defaults,
        )
        require_numpy("a run of a compiled shader")
        import numpy as np

        from lanewise.compile.shadercore import comparing as compiled_direct3d9

        found = compiled_direct3d9.run(self.made, data, engine=engine)
        grids = {(place.file, place.number): np.zeros((data.lanes, 4), np.uint32) for place in self.outputs}
        for (file, number, component), lanes in found.items():
            grids[file, number][:, component] = lanes
        ports = [port for port in self.shader.outputs if (port.file, port.number) in grids]
        outputs = Outputs(ports, {key: grid.view(np.float32) for key, grid in grids.items()})
        chosen = engine_for(self.program.insts, self.device, engine, data.lanes)
        return CompiledResult(
            data.lanes,
            outputs,
            Outputs(ports, grids),
            self.device,
            found_there,
            chosen,
            Later(compiled_direct3d9.last_registers, self.made, self.loaded, data),
        )


_ARGUMENTS = ("integers", "bounds", "booleans", "arrays", "elements", "strategy", "manner")
# Options of `lanewise compile`, and what `compile` of a shader calls them.
_OPTIONS = {"int": "integers", "bound": "bounds", "bool": "booleans", "array": "arrays", "element": "elements"}


def _instead(name: str, known: Mapping[str, object]) -> str:
    """What to write in place of an argument that `compile` of a shader does not have."""
    if name in ("target", "to", "isa", "profile"):
        given = str(known[name])
        target = given if given in [row.name for row in targets()] else "pica200"
        return f"`lanewise.compile(shader, target={target!r})` takes it"
    if name in _OPTIONS:
        return f"it is {_OPTIONS[name]}="
    close = near(name, _ARGUMENTS)
    return f"did you mean {close[0]}=?" if close else f"it has device, {', '.join(_ARGUMENTS)}"


@checked
def compile_direct3d9(
    shader: direct3d9_api.Direct3DShader,
    device: str | Device = "rtl",
    *,
    integers: Mapping[str, int | Sequence[int]] | None = None,
    bounds: Mapping[str, int | Sequence[int]] | None = None,
    booleans: Mapping[str, bool] | None = None,
    arrays: Mapping[str, int | tuple[int, int]] | None = None,
    elements: Mapping[str, str] | None = None,
    strategy: str = OPTIMISED,
    manner: str | None = None,
) -> Compiled:
    """Compile a shader. `integers`, `booleans`: values of i# (a count, or count, start, step) and b#; `bounds`: the most that
    the count in an i# can be, with start and step in a shader that reads aL; `arrays`: by the first c# how many registers a
    relative address may reach, with a stride if only every so many-th begins an element (the constant table gives those that it
    names); `elements`: the kind of each v# (`float1` to `float4`, `d3dcolor`).

    Raises InputError where it cannot be compiled or has an error of `lanewise check`, ValueError for a device, register,
    strategy or kind of element that does not exist, and for a count out of range.
    """
    if manner is not None:
        warnings.warn("manner= is deprecated: use strategy=", DeprecationWarning, stacklevel=2)
        strategy = manner
    if strategy not in STRATEGIES:
        raise ValueError(f"unknown strategy '{strategy}': use {', '.join(STRATEGIES)}")
    for name, kind in (elements or {}).items():
        if kind not in ELEMENTS:
            raise ValueError(f"{name}: unknown vertex element '{kind}': use {', '.join(ELEMENTS)}")
    chosen = device_of(device)
    known = [_array(name, size) for name, size in (arrays or {}).items()]
    options = Options(
        integers={_number(name, "i"): _three(name, values) for name, values in (integers or {}).items()},
        bounds={_number(name, "i"): Bound(*_three(name, values)) for name, values in (bounds or {}).items()},
        booleans={_number(name, "b"): bool(value) for name, value in (booleans or {}).items()},
        arrays=named_arrays(shader.constants, known),
        elements={_number(name, "v"): kind for name, kind in (elements or {}).items()},
    )
    illegal = [finding for finding in shader.check() if finding.is_error]
    if illegal:
        raise InputError(illegal)
    result = compile_shader(shader.shader, chosen, options, name=shader.name, strategy=strategy)
    if result.compiled is None:
        raise InputError(result.diagnostics)
    return Compiled(shader, result.compiled, options, result.diagnostics)


def _number(name: str, file: str) -> int:
    if isinstance(cast("object", name), int):
        raise TypeError(f"{name} is not a register name: write '{file}{name}'")
    if name[:1].lower() != file or not name[1:].isdigit():
        raise ValueError(f"'{name}' is not a register name: write {file}0, {file}1 and so on")
    return int(name[1:])


def _three(name: str, values: int | Sequence[int]) -> Three:
    listed: Any = (values,) if isinstance(values, int) or not hasattr(values, "__len__") else values
    strange = [value for value in listed if not hasattr(value, "__index__") or isinstance(value, bool)]
    if strange:
        raise TypeError(f"{name}: expected whole numbers (count, start, step), found {strange[0]!r}")
    given: tuple[int, ...] = tuple(listed)
    if not 1 <= len(given) <= 3:
        raise ValueError(f"{name}: expected one to three numbers (count, start, step), found {len(given)}")
    return _count(name, given[0]), given[1] if len(given) > 1 else None, given[2] if len(given) > 2 else None


def _count(name: str, count: int) -> int:
    if not 0 <= count <= 255:
        raise ValueError(f"{name}: the count is {count}, expected 0 to 255")
    return count


def _array(name: str, size: int | tuple[int, int]) -> Array:
    pair: Any = (size, 1) if isinstance(size, int) else size
    if not isinstance(pair, (tuple, list)) or len(cast("list[Any]", pair)) != 2:
        raise TypeError(f"{name}: expected a number of registers, or (registers, stride), found {size!r}")
    first, (count, stride) = _number(name, "c"), cast("tuple[int, int]", pair)
    if count < 1 or stride < 1 or first + count > CONSTANTS:
        raise ValueError(f"{name}: the array is outside of c0 to c{CONSTANTS - 1}, or its stride is below 1")
    return Array(first, count, stride)
