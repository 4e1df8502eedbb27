"""A vertex shader of a SPIR-V module as a program of components: `lower`."""

from __future__ import annotations

from math import inf

from lanewise.compile.spirv import module as spirv
from lanewise.compile.spirv.binary import Malformed
from lanewise.compile.spirv.chains import APART, JOINED, SOURCE
from lanewise.compile.spirv.context import LARGEST, MOST_OPERATIONS, Context, State
from lanewise.compile.spirv.emit import Emitter
from lanewise.compile.spirv.finish import finished, frozen
from lanewise.compile.spirv.flow import Flow
from lanewise.compile.spirv.interface import Interface, OutputPlace
from lanewise.compile.spirv.joins import TooLarge
from lanewise.compile.spirv.module import Module
from lanewise.compile.spirv.operations import OPERATIONS
from lanewise.compile.spirv.outputs import OTHERS, Outputs, unknown_name
from lanewise.compile.spirv.scopes import Scopes
from lanewise.compile.spirv.semantics import SEMANTICS, usage_of
from lanewise.compile.spirv.values import Content, Known, Opaque, Pointer, Value
from lanewise.compile.vector.code import Operate, Program, Store, Truth
from lanewise.compile.vector.walk import operands_of, statements
from lanewise.core.diagnostics import ERROR, NOTE, WARNING, Diagnostic, has_errors, in_order
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet
    from typing import TypeVar

    from lanewise.compile.spirv.binary import Instruction
    from lanewise.compile.spirv.module import EntryPoint
    from lanewise.compile.vector.code import Count, Flag, Input, Uniform

    _Row = TypeVar("_Row", Input, Uniform, Flag, Count)


_KEYWORDS = {"input": "in|attribute", "uniform": "uniform"}  # which declare a variable in a source


class Options(Record):
    """The options of the user beside a module."""

    entry: str = ""
    "The name of the entry point; empty where there is only one."
    outputs: Mapping[str, str] = {}
    "Semantics of outputs, and usages of inputs, by name; `none` leaves an output out."
    output_locations: Mapping[int, str] = {}
    "Semantics by location (`semantics.LOCATIONS`); a location that is not here says nothing."
    semantics: Mapping[str, int] = SEMANTICS
    "The semantics of the target, with their components."
    unnamed: bool = False
    "The target takes outputs without a semantic too."
    constants: Mapping[int, float] = {}
    "Values of specialization constants by SpecId."
    variables: bool = False
    "The program has scopes for a debugger."
    exact: int = LARGEST
    "The target's whole numbers are exact up to here."
    strict: bool = False
    "Matrices are multiplied in the order of the source; otherwise a vector by one after the other, where that is shorter."
    joined: bool = False
    "Products of matrices of uniforms are computed first: a preamble does that."


class Lowered(Record):
    """The program of a vertex shader, None where there are errors; and all findings."""

    program: Program | None
    "None where there are errors."
    diagnostics: tuple[Diagnostic, ...]
    "All findings."
    reassociated: tuple[Span, ...] = ()
    "Where products of matrices are not in the order of the source."
    rewritten: tuple[tuple[str, Span], ...] = ()
    "Allowed rewrite rules by name, with where they were used."
    alike: tuple[Span, ...] = ()
    "Of these products, those that are the same for all vertices, so that a preamble computes them."


def lower(module: Module, options: Options | None = None) -> Lowered:
    """Lower the vertex shader of a module."""
    options = options or Options()
    if options.constants:  # arrays may be as long as they say
        module = Module(module.name, module.header, list(module.instructions), options.constants)
        module.build()
    if options.variables:
        from lanewise.compile.spirv.expressions import placed  # for debuggers only

        placed(module)
    entry = _entry(module, options)
    if isinstance(entry, Diagnostic):
        return Lowered(program=None, diagnostics=(entry,))
    if options.strict or options.joined:
        return _lowered(module, options, entry, SOURCE if options.strict else JOINED)
    free = _lowered(module, options, entry, APART)
    if not free.reassociated:
        return free
    plain = _lowered(module, options, entry, SOURCE)
    return free if free.program is not None and _operations(free) < _operations(plain) else plain


def _operations(found: Lowered) -> float:
    """How many operations a program has; one that is too large has most."""
    body = found.program.body if found.program is not None else ()
    return sum([isinstance(s, Operate) for s in statements(body)]) if body else inf


def _lowered(module: Module, options: Options, entry: EntryPoint, order: str) -> Lowered:
    numbers: frozenset[tuple[int, tuple[int, ...]]] = frozenset()
    while True:
        attempt = _Attempt(module, options, entry, numbers, order)
        try:
            program = attempt.program()
        except Malformed as error:
            found = in_order(attempt.context.diagnostics.values())
            # What cannot be followed after something that was refused is no news.
            diagnostics = tuple(found) if has_errors(found) else (*found, error.diagnostic(module.name))
            return Lowered(program=None, diagnostics=diagnostics)
        except TooLarge:
            message = (
                f"the shader has more than {MOST_OPERATIONS} operations when its loops are unrolled and its functions inlined"
            )
            return Lowered(
                program=None,
                diagnostics=(
                    Diagnostic(
                        code="S012",
                        severity=ERROR,
                        message=message,
                        span=attempt.place(),
                        notes=(),
                        fix="compute less, or index uniforms instead of local arrays in long loops",
                    ),
                ),
            )
        more = attempt.numbers(program) - numbers
        if not more:
            break
        numbers |= more
    found = in_order(attempt.context.diagnostics.values())
    spans, unknown = attempt.context.spans, Span(file=module.name)
    rewritten = tuple([(name, spans[line] if line >= 0 else unknown) for name, line in attempt.emitter.rewritten])
    chains = attempt.context.chains
    return Lowered(
        program=None if has_errors(found) else program,
        diagnostics=tuple(found),
        reassociated=tuple(chains.taken),
        rewritten=rewritten,
        alike=tuple(chains.alike),
    )


def _entry(module: Module, options: Options) -> EntryPoint | Diagnostic:
    """The vertex shader that is meant."""
    found = [entry for entry in module.entries if entry.model == spirv.VERTEX]
    named = [entry for entry in found if not options.entry or entry.name == options.entry]
    if len(named) == 1:
        return named[0]
    if not found:
        models = {
            4: "a fragment shader",
            5: "a compute shader",
            3: "a geometry shader",
            1: "a tessellation shader",
            2: "a tessellation shader",
        }
        has = (
            ", ".join(dict.fromkeys([models.get(entry.model, "another shader") for entry in module.entries]))
            or "no entry point"
        )
        message, fix = f"the module has no vertex shader: it has {has}", "compile a vertex shader"
    else:
        names = ", ".join([entry.name for entry in found])
        message = f"unknown entry point '{options.entry}'" if options.entry else "the module has several vertex shaders"
        fix = f"use one of {names}"
    return Diagnostic(code="S002", severity=ERROR, message=message, span=Span(file=module.name), notes=(), fix=fix)


class _Attempt:
    """One lowering. `numbers` are flags and counts that an earlier one has shown to be needed as numbers."""

    def __init__(
        self,
        module: Module,
        options: Options,
        entry: EntryPoint,
        numbers: frozenset[tuple[int, tuple[int, ...]]],
        order: str,
    ) -> None:
        self.module = module
        self.options = options
        self.entry = entry
        self.emitter = Emitter()
        self.interface = Interface(module, self.emitter, numbers)
        self.context = Context(module, self.emitter, self.interface, options.exact, order, free=not options.strict)
        self.flow = Flow(self.context)
        if options.variables:
            self.flow.scopes = Scopes(module, self.context)

    def place(self) -> Span:
        function = self.module.functions.get(self.entry.function)
        return self.module.lines[function.line] if function is not None and function.line >= 0 else Span(file=self.module.name)

    def program(self) -> Program:
        """The program. Raises Malformed, TooLarge."""
        module, context = self.module, self.context
        function = module.functions.get(self.entry.function)
        if function is None:
            raise Malformed("the entry point names a function that does not exist")
        if not module.has_names:
            context.diagnostics["S013", "", Span(file=module.name)] = Diagnostic(
                code="S013",
                severity=NOTE,
                message="the module has no names: inputs and uniforms are named by location",
                span=Span(file=module.name),
                notes=(),
                fix="compile without stripping names",
            )
        state = State({}, {})
        self._constants()
        outputs = self._globals(state)
        after, _ = self.flow.call(function, [], state)
        written = Outputs(context, self.options, self.place())
        placed = written.stored(outputs, after)
        interface, emitter = self.interface, self.emitter
        body = (*frozen(emitter.prologue), *frozen(emitter.main))
        if sum(isinstance(statement, Operate) for statement in statements(body)) > MOST_OPERATIONS:
            raise TooLarge
        program = finished(
            Program(
                name=self.entry.name,
                inputs=self._placed("input", self._meant(interface.inputs)),
                outputs=tuple(placed),
                uniforms=self._placed("uniform", interface.uniforms),
                flags=self._placed("uniform", interface.flags),
                counts=self._placed("uniform", interface.counts),
                variables=tuple(emitter.variables),
                body=body,
                lines=tuple(context.spans),
                scopes=tuple(context.scopes) if self.options.variables else (),
                stripped=not module.has_names,
                free=context.free,
            )
        )
        self._check_names({*written.names, *[row.name for row in program.inputs]})
        self._renamed({row.name for row in (*program.inputs, *program.uniforms, *program.flags, *program.counts)})
        return program

    def _renamed(self, kept: AbstractSet[str]) -> None:
        """Say which of the names that the program has `kept` are not those of the source."""
        for row in self.interface.renamed:
            if row.made not in kept:
                continue
            if row.lanes:
                message = (
                    f"input '{row.name}' has no name in the program: it is {row.lanes} of '{row.made}', whose location it has"
                )
                fix = f"pass it as {row.lanes} of '{row.made}'"
            else:
                own = f"{row.block}.{row.name}" if row.block else row.name
                message = f"{row.kind} '{own}' is '{row.made}' in the program: something else is called '{row.name}'"
                fix = "give it a name of its own"
            # A member of a block may have the name of another's.
            line = -1 if row.block else self._declared(row.name, row.line, row.kind)
            span = self.context.spans[line] if line >= 0 else Span(file=self.module.name)
            self.context.diagnostics["S017", message, span] = Diagnostic(
                code="S017", severity=NOTE, message=message, span=span, notes=(), fix=fix
            )

    # Constants and variables of the module

    def _constants(self) -> None:
        module, context = self.module, self.context
        for instruction in module.constants:
            name, words = instruction.name, instruction.words
            content: Content
            if name in ("OpConstantTrue", "OpSpecConstantTrue", "OpConstantFalse", "OpSpecConstantFalse"):
                content = (Known(bool(module.specialization(instruction.result, name.endswith("True")))),)
            elif name in ("OpConstant", "OpSpecConstant"):
                kind = module.type(instruction.type)
                number = module.specialization(instruction.result, spirv.number_of(kind, words))
                content = (Known(number if kind.kind == "float" else int(number)),)
            elif name in ("OpConstantComposite", "OpSpecConstantComposite"):
                parts = [context.globals.get(word) for word in words]
                content = tuple(
                    [
                        scalar
                        for part in parts
                        if part is not None and not isinstance(part, (Pointer, Opaque))
                        for scalar in part
                    ]
                )
                if len(content) != module.size(instruction.type):
                    raise Malformed("a constant has another number of components than its type", instruction.offset)
            elif name == "OpConstantNull":
                content = self._null(instruction.type)
            elif name == "OpSpecConstantOp":
                content = self._folded(instruction)
            else:
                content = context.undefined(instruction.type)
            context.globals[instruction.result] = content

    def _null(self, kind: int) -> Content:
        found: list[Known] = []
        for start, count in self.flow.chunks(kind):
            scalar = self.module.scalar(self.flow.type_at(kind, start))
            found += [Known(False if scalar.kind == "bool" else 0 if scalar.kind == "int" else 0.0)] * count
        return tuple(found)

    def _folded(self, instruction: Instruction) -> Content:
        """A constant that is computed from specialization constants."""
        from lanewise.compile.spirv.opcodes import name_of

        words = instruction.words
        if not words:
            raise Malformed("OpSpecConstantOp has no operation", instruction.offset)
        inner = instruction._replace(opcode=words[0], words=words[1:])
        if name_of(words[0]) in ("OpCompositeExtract", "OpCompositeInsert"):
            return self.flow.part(inner, State({}, {}))
        function = OPERATIONS.get(name_of(words[0]))
        if function is None:
            raise Malformed(f"{name_of(words[0])} cannot make a constant", instruction.offset)
        count = 2 if name_of(words[0]) == "OpVectorShuffle" else len(inner.words)
        values: list[Value] = []
        for word in inner.words[:count]:
            value = self.context.globals.get(word)
            if value is None or isinstance(value, (Pointer, Opaque)):
                raise Malformed(f"%{word} is not a constant", instruction.offset)
            values.append(value)
            kind = self.flow.id_types.get(word)
            if kind is not None:
                self.context.kinds[word] = self.module.scalar(kind).kind
        self.flow.check_widths(inner, values)
        return function(self.context, inner, values)

    def _globals(self, state: State) -> list[OutputPlace]:
        """Pointers to all variables of the module; what is known in those that change. Gives the outputs."""
        module, context = self.module, self.context
        outputs: dict[int, Instruction] = {}
        for number, variable in module.variables.items():
            kind = module.type(variable.type)
            storage = variable.words[0] if variable.words else -1
            if kind.kind != "pointer":
                raise Malformed("the type of a variable is not a pointer", variable.offset)
            context.globals[number] = Pointer(root=(0, number), storage=storage, base=kind.element, type=kind.element)
            if storage in (spirv.PRIVATE, spirv.OUTPUT, spirv.WORKGROUP):
                content: Content | None = context.undefined(kind.element)
                if len(variable.words) > 1:
                    content = context.globals.get(variable.words[1])
                if content is None or isinstance(content, (Pointer, Opaque)) or len(content) != module.size(kind.element):
                    raise Malformed("a variable of the module has an invalid initializer", variable.offset)
                state.memory[0, number] = content
                self.flow.variable_types[0, number] = kind.element
                if storage == spirv.OUTPUT and (not self.entry.interface or number in self.entry.interface):
                    outputs[number] = variable
        return self.interface.outputs(outputs)

    # The interface

    def _meant(self, inputs: Iterable[Input]) -> list[Input]:
        """Inputs with the usages that options say."""
        given = self.options.outputs
        return [row._replace(semantic=usage_of(given.get(row.name, "")) or row.semantic) for row in inputs]

    def _check_names(self, names: AbstractSet[str]) -> None:
        """S015: options about outputs and inputs that the shader does not have."""
        known = {*names, *[name.rpartition(".")[2] for name in names]}
        for name in self.options.outputs:
            if name not in known and name != OTHERS:
                self.context.diagnostics["S015", name, self.place()] = Diagnostic(
                    code="S015",
                    severity=WARNING,
                    message=unknown_name(name),
                    span=self.place(),
                    notes=(),
                    fix=f"use {', '.join(sorted(names - {''})) or 'none'}",
                )

    def _line(self, line: int) -> int:
        return self.context.first.get(line, -1)

    def _placed(self, kind: str, rows: Iterable[_Row]) -> tuple[_Row, ...]:
        """Rows with the lines of the source."""
        return tuple([row._replace(line=self._declared(row.name, row.line, kind)) for row in rows])

    def _declared(self, name: str, line: int, kind: str) -> int:
        """The line of a variable: that of the module, or where the source declares it."""
        own = self._line(line)
        span = self.module.declared(name, _KEYWORDS[kind]) if own < 0 else None
        if span is None:
            return own
        self.context.spans.append(span)
        return len(self.context.spans) - 1

    # What is used

    def numbers(self, program: Program) -> set[tuple[int, tuple[int, ...]]]:
        """Flags and counts that must be numbers: those that are used otherwise than as the condition of an `If` or the number
        of turns of a loop."""
        interface = self.interface
        uniforms = {each.name for each in program.uniforms}
        flags = {flag.name: key for key, flag in zip(interface.flag_keys, interface.flags, strict=True)}
        counts = {count.name: key for key, count in zip(interface.count_keys, interface.counts, strict=True)}
        both = {key for name, key in (*flags.items(), *counts.items()) if name in uniforms}
        every = list(statements(program.body))
        read = {ref.value for s in every if isinstance(s, (Operate, Store)) for operand in operands_of(s) for ref in operand}
        truths = [s for s in every if isinstance(s, Truth)]
        return both | {flags[program.flags[s.flag].name] for s in truths if s.result in read}
