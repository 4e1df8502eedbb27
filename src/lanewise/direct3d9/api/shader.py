"""Direct3D 9 shaders in Python: `Direct3DShader`.

`lanewise.load` returns it for a stream or a source.

shader = lw.load("light.vso")
result = shader.run({"position": vertices}, {"c0": matrix}, rule="d3d9")
result.outputs["position"]
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from functools import cached_property, partial
from os import fspath
from typing import TYPE_CHECKING, Literal

from lanewise.arrays import results
from lanewise.arrays.frames import inputs_of, of_label, uniforms_of
from lanewise.arrays.lists import broadcast, float32_numbers, table
from lanewise.arrays.results import Result
from lanewise.core.diagnostics import ERROR, VERTEX, About, Diagnostic, InputError, has_errors
from lanewise.core.files import Scope
from lanewise.core.later import Later
from lanewise.core.missing import zeros_requested
from lanewise.core.objects import checked
from lanewise.core.program import ProgramServices
from lanewise.core.ranges import COUNT, STEPS, count_or_none, whole
from lanewise.core.source import Span
from lanewise.direct3d9.api.reading import SOURCE, Reading, of_direct3d8, read_shader
from lanewise.direct3d9.api.volume import VOLUME
from lanewise.direct3d9.container.tables import constants_of
from lanewise.direct3d9.engine.data import MOST_ITERATIONS, Named, bind
from lanewise.direct3d9.engine.missing import missing
from lanewise.direct3d9.engine.pictures import check_pictures, stage_of, with_pictures
from lanewise.direct3d9.engine.reads import reads
from lanewise.direct3d9.engine.run import WHOLE_NUMBERS, registers_at_end, run_shader
from lanewise.direct3d9.isa import interface
from lanewise.direct3d9.isa.constants import SET_PREFIXES
from lanewise.direct3d9.sem.numbers import Rule, rule_of
from lanewise.direct3d9.sem.tree import resolve
from lanewise.direct3d9.text.preprocess import Setting
from lanewise.direct3d9.text.printer import Names
from lanewise.direct3d9.text.symbols import symbols_of
from lanewise.drawing.drawable import Drawable

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence
    from os import PathLike
    from typing import Any, Self

    import numpy as np
    from numpy.typing import NDArray

    from lanewise.arrays.frames import Frame
    from lanewise.core.trace import Trace
    from lanewise.direct3d9.api.reading import Reading
    from lanewise.direct3d9.engine.data import Data, Raw
    from lanewise.direct3d9.engine.reads import Reads
    from lanewise.direct3d9.isa.constants import Constant
    from lanewise.direct3d9.isa.interface import Port
    from lanewise.direct3d9.isa.program import Shader
    from lanewise.direct3d9.sem.tree import Flow
    from lanewise.drawing.volume import Volume
    from lanewise.graph.picture import Picture
    from lanewise.shadercore.isa.devices import Device

_MOST_READS = 64  # sets of i# and b# of a shader that are kept


class Outputs(Mapping[str, "NDArray[Any]"]):
    """Arrays of (lanes, components) by usage (`position`, `texcoord1`) or by register (`oPos`, `o1`, four components).

    Iterates over the usages, and the registers that have none.
    """

    def __init__(self, ports: Sequence[Port], registers: Mapping[tuple[int, int], NDArray[Any]]) -> None:
        self._ports, self._registers = ports, registers

    def __getitem__(self, key: str) -> NDArray[Any]:
        found = interface.find(self._ports, key)
        if not found:
            raise KeyError(f"unknown output '{key}': use {', '.join(self) or 'none'}")
        grid = self._registers[found[0].file, found[0].number]
        by_register = key.lower() == found[0].register.lower() and (found[0].file, found[0].number) not in interface.SCALARS
        return grid if by_register else grid[:, list(found[0].components)]

    def shown(self) -> list[results.Port]:
        """The outputs as tables show them."""
        found: list[results.Port] = []
        for name in self:
            port = interface.find(self._ports, name)[0]
            whole = self[name].shape[1] == len(results.LETTERS)
            letters = results.LETTERS if whole else "".join([results.LETTERS[part] for part in port.components])
            found.append(results.Port(name, port.register, letters))
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(port.name for port in self._ports))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{key!r}: {self[key]!r}" for key in self) + "}"


class Direct3DResult(Result, Drawable):
    """The result of a run. `outputs` are float32, `bits` the same as patterns (uint32). `killed` has the pixels stopped by
    texkill, None for a shader without one. `engine` is the one that ran it, and `reason` why that was not `llvm`, if it was not
    asked for. `warnings` are about constants that a relative address may reach and that have no value (B018)."""

    isa: Literal["direct3d9"] = "direct3d9"
    register_formats: Mapping[str, str] = WHOLE_NUMBERS
    volume: Volume | None = VOLUME

    rule: Rule
    reason: str
    killed: NDArray[np.bool_] | None
    unit: str

    def __init__(
        self,
        lanes: int,
        outputs: Outputs,
        bits: Outputs,
        killed: NDArray[np.bool_] | None,
        rule: Rule,
        engine: str,
        reason: str,
        warnings: Sequence[Diagnostic] = (),
        *,
        ports: Sequence[results.Port] | None = None,
        unit: str = "vertex",
        zeroed: Sequence[str] = (),
        registers: Callable[[], Mapping[str, NDArray[np.uint32]]] | None = None,
        functions: Sequence[object] = (),
    ) -> None:
        """`functions` are those in place of samplers, which `registers` calls."""
        super().__init__(
            lanes, outputs, bits, warnings=warnings, registers=registers, engine=engine, variant=rule.describe(), ports=ports
        )
        self.killed, self.rule, self.reason, self.unit = killed, rule, reason, unit
        self.zeroed: tuple[str, ...] = tuple(zeroed)
        self._functions = tuple(functions)

    def __getstate__(self) -> dict[str, object]:
        """The attributes. What makes registers stays behind where it calls a function that cannot be pickled, such as a local
        one."""
        if not self._functions or _pickles(self._functions):
            return self.__dict__
        lost = Later(_no_registers) if self._registers is None else None
        return {**self.__dict__, "_functions": (), "_make_registers": lost}

    @property
    def words(self) -> Mapping[str, NDArray[Any]]:
        """The former name of `bits`."""
        results.renamed("Direct3DResult.words", "Direct3DResult.bits")
        return self.bits


class Direct3DShader(ProgramServices):
    """A shader that was read.

    `shader` are its tokens, `inputs` and `outputs` its ports by usage and register, `constants` those of its constant table,
    `diagnostics` the findings of reading it. `lanewise.Direct3DShader` compiles for other instruction sets, too.
    """

    isa: Literal["direct3d9"] = "direct3d9"
    _internal = frozenset(("bind", "complete", "complete_data", "flow", "of", "of_reading", "picture", "symbols"))

    name: str
    shader: Shader
    findings: tuple[Diagnostic, ...]
    diagnostics: tuple[Diagnostic, ...]
    constants: tuple[Constant, ...]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]

    def _content(self) -> Hashable:
        ports = tuple([(port.name, port.register) for port in (*self.inputs, *self.outputs)])
        return tuple(self.words), ports  # the same words have other ports by the rules of Direct3D 8

    def __init__(self, name: str, shader: Shader, diagnostics: Sequence[Diagnostic] = ()) -> None:
        self.name, self.shader, self.findings = name, shader, tuple(diagnostics)
        found = constants_of(shader)
        self.diagnostics = (*diagnostics, *found.diagnostics)
        self.constants = found.table.constants if found.table is not None else ()
        self.inputs, self.outputs = interface.inputs(shader), interface.outputs(shader)
        self._named = [_named(constant) for constant in self.constants]
        self._reads: dict[object, Reads] = {}

    @classmethod
    def from_source(
        cls,
        text: str,
        name: str = "<string>",
        *,
        defines: Mapping[str, object] | None = None,
        include: Sequence[str | PathLike[str]] = (),
    ) -> Self:
        """A shader of assembly that begins with its version, such as `vs_2_0`.

        `defines` are macros with their texts, `include` the folders that are searched for included files after that of the
        file that includes. Raises InputError.
        """
        return cls.from_bytes(text.encode(), name, SOURCE, defines=defines, include=include)

    @classmethod
    def from_bytes(
        cls,
        data: bytes,
        name: str,
        form: str | None = None,
        read: Callable[[str], str] | None = None,
        *,
        defines: Mapping[str, object] | None = None,
        include: Sequence[str | PathLike[str]] = (),
    ) -> Self:
        """The shader of a source, or of words in a form (default: recognised).

        `read` gives the text of an included file (default: reads it from the project of `name` and the folders of `include`);
        `defines` and `include` are as for `from_source`. Raises InputError.
        """
        macros = tuple([(macro, str(value)) for macro, value in (defines or {}).items()])
        folders = tuple([fspath(folder) for folder in include])
        included = read or Scope([name], folders).included
        return cls.of_reading(read_shader(data, name, form, included, Setting(macros, folders)), name)

    @classmethod
    def of_reading(cls, reading: Reading, name: str) -> Self:
        """The shader of a file that was read. Raises InputError where the file has errors."""
        if reading.shader is None or has_errors(reading.diagnostics):
            raise InputError(reading.diagnostics)
        return cls(name, reading.shader, reading.diagnostics)

    def as_direct3d8(self) -> Self:
        """The same shader by the rules of Direct3D 8: inputs need no dcl and are named by the registers that its fixed
        functions use.

        v0 is `position`, v3 `normal`, v5 `color`, v7 `texcoord`. Raises InputError for a version that Direct3D 8 does not have.
        """
        read = of_direct3d8(Reading(shader=self.shader, diagnostics=list(self.findings), source=False), self.name)
        return type(self).of_reading(read, self.name)

    def __getstate__(self) -> dict[str, object]:
        """The attributes without what is found again."""
        return {**{key: value for key, value in self.__dict__.items() if key != "flow"}, "_reads": {}}

    def __repr__(self) -> str:
        return f"<Direct3DShader {self.name}: {self.shader.version.name}>"

    def _repr_html_(self) -> str:
        """The interface, for notebooks."""
        from lanewise.core import html

        def letters(port: Port) -> str:
            return "".join(["xyzw"[n] for n in port.components])

        names = ["name", "register", "components"]
        constants = [(row.name, row.register_name, row.registers, row.type.name) for row in self.constants]
        return html.title(self.name, f"Direct3D 9 shader, {self.shader.version.name}") + html.tables(
            (
                ("Inputs", names, [(port.name, port.register, letters(port)) for port in self.inputs]),
                ("Outputs", names, [(port.name, port.register, letters(port)) for port in self.outputs]),
                ("Constants", ["name", "register", "registers", "type"], constants),
            )
        )

    @cached_property
    def flow(self) -> Flow:
        """Its blocks, loops and routines. Raises InputError where they do not fit together."""
        flow, findings = resolve(self.shader, self.name)
        if flow is None:
            raise InputError(findings)
        return flow

    @checked
    def run(
        self,
        inputs: Mapping[str, object] | Frame | None = None,
        uniforms: Mapping[str, object] | None = None,
        *,
        integers: Mapping[str, object] | None = None,
        booleans: Mapping[str, object] | None = None,
        samplers: Mapping[int, object] | Mapping[str, object] | None = None,
        rule: str | Rule | Device = "ieee",
        count: int | None = None,
        engine: str = "auto",
        turns: int = MOST_ITERATIONS,
        defaults: int | None = None,
        progress: Callable[[int, int], None] | None = None,
        constants: Mapping[str, object] | None = None,
    ) -> Direct3DResult:
        """Run the shader over lanes: vertices or pixels.

        `inputs`: arrays of (lanes, 1 to 4) or one row for all, by usage or register; missing components are
        (0, 0, 0, 1). `uniforms`: one or more rows by c# or by the name that the
        constant table has for registers; a row is a register, so of a column-major matrix a column; up to four whole numbers by
        i#, a truth value by b#, which `integers` and `booleans` take too. Definitions of the shader override them. `constants`
        is the former name of `uniforms`. `samplers`: by number or by the name of the constant table an array of colors, (lanes,
        4) or (4,), a `Picture` or an array of (height, width, 4), or a function of a `Fetch`. `rule` is a number rule (`ieee`,
        `d3d9`, `document`, `rtl`), a device, or a `Rule` with choices; `engine` is `reference`, `llvm` or `auto`; `turns` the
        limit of iterations of all loops of a wave. What the shader may read and neither the call nor the file gives is an
        error; `defaults=0` makes it 0 or false. The reference engine calls `progress` with the number of lanes done and of all.

        Raises InputError for wrong data, KeyError or ValueError for a rule or engine that does not exist, ValueError for a
        number out of range.
        """
        chosen = rule if isinstance(rule, Rule) else rule_of(rule)
        values = _uniforms(uniforms, constants)
        data = self.bind(
            inputs,
            chosen,
            constants=values,
            integers=integers,
            booleans=booleans,
            samplers=samplers,
            count=count,
            turns=turns,
        )
        named = inputs_of(inputs, self._other_inputs)
        data, warnings = self.complete(data, named, chosen, defaults=defaults)
        warnings = (*warnings, *check_pictures(self.shader, data.samplers, self.name))
        wanted = tuple(dict.fromkeys((port.file, port.number) for port in self.outputs))
        kills = interface.kills(self.shader)
        raw, used, reason = run_shader(self.flow, chosen, data, wanted, kills=kills, engine=engine, progress=progress)
        given = self._given(named)
        unset = [port.name for port in self.inputs if port not in given] if zeros_requested(defaults) else []
        result = self._result(raw, data, chosen, used, reason, warnings, list(dict.fromkeys(unset)))
        result.of_inputs(inputs)
        found = partial(_run_warnings, tuple(warnings), self, inputs, named, values)
        result.warn(found, partial(found, result))
        return result

    @checked
    def trace(
        self,
        inputs: Mapping[str, object] | Frame | None = None,
        uniforms: Mapping[str, object] | None = None,
        *,
        lane: int = 0,
        integers: Mapping[str, object] | None = None,
        booleans: Mapping[str, object] | None = None,
        samplers: Mapping[int, object] | Mapping[str, object] | None = None,
        rule: str | Rule | Device = "ieee",
        count: int | None = None,
        turns: int = MOST_ITERATIONS,
        defaults: int | None = None,
        constants: Mapping[str, object] | None = None,
    ) -> Trace:
        """Trace one lane, step by step, with its wave of 16 lanes.

        The data are given as to `run`. A run that cannot end is no error here: the trace has the steps until then, and the
        finding; it ends after 20,000 steps. Raises InputError for wrong data and a lane that does not exist, ValueError as
        `run`.
        """
        from lanewise.direct3d9.engine.trace import trace_lane

        of_label(inputs, lane, self.name)
        chosen, data, warnings = self.complete_data(
            inputs,
            uniforms,
            integers=integers,
            booleans=booleans,
            samplers=samplers,
            rule=rule,
            count=count,
            turns=turns,
            defaults=defaults,
            constants=constants,
        )
        if not 0 <= whole("lane", lane, (-COUNT[1], COUNT[1])) < data.lanes:
            fix = f"use 0 to {data.lanes - 1}" if data.lanes > 1 else "use 0, or give rows for more lanes"
            raise InputError(
                [
                    Diagnostic(
                        code="B008",
                        severity=ERROR,
                        message=f"lane {lane} does not exist",
                        about=(About(VERTEX, ""),),
                        span=Span(file=self.name),
                        notes=(),
                        fix=fix,
                    )
                ]
            )
        names = Names(self.shader.version, self.symbols)
        return trace_lane(
            self.shader,
            self.flow,
            chosen,
            data,
            lane,
            names,
            inputs=self.inputs,
            outputs=self.outputs,
            program=self.name,
            diagnostics=warnings,
        )

    def complete_data(
        self,
        inputs: Mapping[str, object] | Frame | None = None,
        uniforms: Mapping[str, object] | None = None,
        *,
        integers: Mapping[str, object] | None = None,
        booleans: Mapping[str, object] | None = None,
        samplers: Mapping[int, object] | Mapping[str, object] | None = None,
        rule: str | Rule | Device = "ieee",
        count: int | None = None,
        turns: int = MOST_ITERATIONS,
        defaults: int | None = None,
        constants: Mapping[str, object] | None = None,
    ) -> tuple[Rule, Data, Sequence[Diagnostic]]:
        """The number rule of a trace, its data by registers, and warnings about them. Raises InputError, ValueError as
        `run`."""
        chosen = rule if isinstance(rule, Rule) else rule_of(rule)
        data = self.bind(
            inputs,
            chosen,
            constants=_uniforms(uniforms, constants),
            integers=integers,
            booleans=booleans,
            samplers=samplers,
            count=count,
            turns=turns,
        )
        data, warnings = self.complete(data, inputs_of(inputs, self._other_inputs), chosen, defaults=defaults)
        return chosen, data, (*warnings, *check_pictures(self.shader, data.samplers, self.name))

    def bind(
        self,
        inputs: Mapping[str, object] | Frame | None,
        rule: Rule,
        *,
        constants: Mapping[str, object] | None = None,
        integers: Mapping[str, object] | None = None,
        booleans: Mapping[str, object] | None = None,
        samplers: Mapping[int, object] | Mapping[str, object] | None = None,
        count: int | None = None,
        turns: int = MOST_ITERATIONS,
    ) -> Data:
        """The data of a run by registers. Raises InputError, ValueError for a number out of range."""
        count, turns = count_or_none(count), whole("turns", turns, STEPS)
        return bind(
            self.flow,
            self.inputs,
            rule,
            inputs=inputs_of(inputs, self._other_inputs),
            constants=constants or {},
            integers=integers or {},
            booleans=booleans or {},
            samplers=with_pictures(samplers or {}, self._named),
            named=self._named,
            count=count,
            iterations=turns,
        )

    def complete(
        self,
        data: Data,
        inputs: Mapping[str, object],
        rule: Rule,
        *,
        integers: Mapping[int, Sequence[int]] | None = None,
        booleans: Mapping[int, bool] | None = None,
        defaults: int | None = None,
    ) -> tuple[Data, tuple[Diagnostic, ...]]:
        """The data of a run with zeros where `defaults` asks for them, and warnings about what a relative address may reach.

        `inputs` are those that were bound; `integers` and `booleans` are known otherwise. Raises InputError with what is read
        and not given.
        """
        if zeros_requested(defaults):
            given = {(port.file, port.number) for port in self._given(inputs)}
            zeros = broadcast(table([(0, 0, 0, 0)], "u", 4), (data.lanes, 4)).copy()
            missing_inputs = {(port.file, port.number): zeros for port in self.inputs if (port.file, port.number) not in given}
            return data._replace(inputs={**missing_inputs, **data.inputs}), ()
        known = data._replace(integers={**(integers or {}), **data.integers}, booleans={**(booleans or {}), **data.booleans})
        found = missing(self._read(rule, known), known, self.inputs, self._given(inputs), self._named, self.name)
        if found.errors:
            raise InputError(found.errors)
        return data, found.warnings

    def _elsewhere(self, name: str) -> str:
        from lanewise.arrays.elsewhere import of_program

        return of_program(name, "shader.run(inputs, uniforms)")

    def _other_inputs(self, name: str) -> list[str] | None:
        """None for a name to which data is given, and otherwise those that there are."""
        return None if interface.find(self.inputs, name) else [port.name for port in self.inputs]

    def _given(self, inputs: Mapping[str, object]) -> set[Port]:
        return {port for name in inputs for port in interface.find(self.inputs, name)}

    def _read(self, rule: Rule, data: Data) -> Reads:
        """The registers that the shader may read with these i# and b#; kept, as runs often have the same ones."""
        choices, integers, booleans = rule.choices, data.integers, data.booleans
        key = choices, tuple(sorted(integers.items())), tuple(sorted(booleans.items()))
        if key not in self._reads:
            if len(self._reads) >= _MOST_READS:
                self._reads.clear()
            self._reads[key] = reads(self.flow, choices, integers, booleans)
        return self._reads[key]

    @property
    def words(self) -> tuple[int, ...]:
        """The tokens, 32 bits each."""
        return tuple(self.shader.words)

    def picture(
        self,
        *,
        integers: Mapping[str, object] | None = None,
        booleans: Mapping[str, object] | None = None,
        title: str = "",
    ) -> Picture:
        """The control-flow graph, for the printers of `lanewise.graph`; known values of i# and b# rule branches out. Raises
        InputError."""
        from lanewise.direct3d9.api.picture import flow_picture

        known = self.bind(None, rule_of("ieee"), integers=integers, booleans=booleans)
        return flow_picture(
            self.shader,
            self.flow,
            Names(self.shader.version, self.symbols),
            title=title,
            integers=known.integers,
            booleans=known.booleans,
        )

    @cached_property
    def symbols(self) -> Mapping[tuple[int, int], tuple[str, int]]:
        """The names of the constant table: (register file, first number) to (name, count)."""
        table = constants_of(self.shader).table
        return symbols_of(table) if table is not None else {}

    def stage(self, sampler: int | str) -> int:
        """The number of a sampler: `0`, `s0`, or a name of the constant table. Raises InputError for another name."""
        return stage_of(sampler, self._named)

    def check(self) -> tuple[Diagnostic, ...]:
        """The findings of `lanewise check` in the order of places, without those that comments suppress."""
        from lanewise.core.diagnostics import in_order
        from lanewise.core.ignoring import is_ignored
        from lanewise.direct3d9.api.checking import check_shader

        found = in_order([*self.diagnostics, *check_shader(self.shader, self.name)])
        return tuple([finding for finding in found if not is_ignored(finding)])

    def _result(
        self,
        raw: Raw,
        data: Data,
        rule: Rule,
        engine: str,
        reason: str,
        warnings: Sequence[Diagnostic],
        zeroed: Sequence[str],
    ) -> Direct3DResult:
        numbers = {key: float32_numbers(grid) for key, grid in raw.outputs.items()}
        outputs, bits = Outputs(self.outputs, numbers), Outputs(self.outputs, raw.outputs)
        return Direct3DResult(
            data.lanes,
            outputs,
            bits,
            raw.killed,
            rule,
            engine,
            reason,
            warnings,
            registers=Later(registers_at_end, self.flow, rule, data),
            ports=outputs.shown(),
            unit="vertex" if self.shader.version.kind == "vs" else "pixel",
            zeroed=zeroed,
            functions=[value for value in data.samplers.values() if callable(value)],
        )


def _run_warnings(
    found: Sequence[Diagnostic],
    shader: Direct3DShader,
    frame: Any,
    inputs: Mapping[str, Any],
    uniforms: Mapping[str, object],
    result: Result,
    step: int = 0,
) -> list[Diagnostic]:
    """The warnings about a run and its values; with a `step` those about values only, of each such row."""
    from lanewise.arrays.announcing import thinned, thinned_frame
    from lanewise.direct3d9.api.value_warnings import value_warnings

    some = thinned(inputs, step, result.lanes) if step else inputs
    return [*(() if step else found), *value_warnings(shader, thinned_frame(frame, step, result.lanes), some, uniforms)]


def _uniforms(uniforms: Mapping[str, object] | None, constants: Mapping[str, object] | None) -> Mapping[str, object]:
    """The uniforms of a run, with those under the former name of the argument."""
    if constants is None:
        return uniforms_of(uniforms)
    results.renamed("constants=", "uniforms=")
    return {**constants, **(uniforms or {})}


def _pickles(value: object) -> bool:
    try:
        pickle.dumps(value)
    except Exception:  # a `__reduce__` may raise anything
        return False
    return True


def _no_registers() -> Mapping[str, NDArray[np.uint32]]:
    raise ValueError("a sampler is a function that cannot be pickled: read `registers` before the result is sent")


def _named(constant: Constant) -> Named:
    rows = constant.type.rows * max(constant.type.elements, 1)
    file = SET_PREFIXES[constant.set] if constant.set < len(SET_PREFIXES) else ""
    words = constant.default
    default = tuple([words[n : n + 4] for n in range(0, min(len(words), 4 * constant.registers), 4)])
    return Named(name=constant.name, file=file, first=constant.register, size=constant.registers, rows=rows, default=default)
