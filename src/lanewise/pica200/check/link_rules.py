"""Rules of a link: what one stage gives the other, and what the files of a link share."""

from __future__ import annotations

from lanewise.core.diagnostics import Related
from lanewise.core.finding import Finding
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.program import Dest, Source
from lanewise.pica200.isa.table import FLOAT, GEOMETRY_MODES, INTEGER, SEMANTICS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.core.source import Span
    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.isa.program import Interface

_POINT, _VARIABLE, _FIXED = range(3)  # of `Interface.geometry_mode`
_INPUTS = 16  # v registers


def inputs_never_filled(contexts: Sequence[AnalysisContext]) -> Iterator[Finding]:
    """V122: v registers that a geometry shader reads and the vertices of a run never fill.

    In point mode the outputs of a vertex follow each other from v0 on, for as many whole vertices as there is room; in the
    other modes they are float uniforms (libctru, source/gpu/shaderProgram.c; picasso's manual, `.gsh`).
    """
    before = [context for context in contexts if not context.interface.geometry]
    counts = [len({output.register for output in context.interface.outputs}) for context in before]
    for context in contexts:
        interface = context.interface
        if not interface.geometry:
            continue
        read: dict[int, int] = {}
        for pc in sorted(context.reached):
            for register in _registers(context, pc):
                if register < _INPUTS:
                    read.setdefault(register, pc)
        if not read:
            continue
        if interface.geometry_mode != _POINT:
            first = min(read)
            mode = GEOMETRY_MODES[interface.geometry_mode]
            start = f"c{interface.array_start}" if interface.geometry_mode == _FIXED else "c1"
            yield Finding(
                message=f"v{first} is never filled: in mode {mode} the vertices are float uniforms",
                fix=f"read them from {start} on, or declare `.gsh point`",
                pc=read[first],
            )
        elif before and context.wired and all(counter.wired for counter in before):
            filled = max([_INPUTS // count * count if 0 < count <= _INPUTS else 0 for count in counts])
            late = [register for register in sorted(read) if register >= filled]
            if late:
                most = max(counts)
                outputs = "1 output" if most == 1 else f"{most} outputs"
                reach = f"vertices of {outputs} fill v0-v{filled - 1} at most" if filled else "the vertex shader has no outputs"
                yield Finding(
                    message=f"v{late[0]} is never filled: {reach}",
                    fix="declare the output in the vertex shader too, or read a register that a vertex fills",
                    pc=read[late[0]],
                    related=_last_output(before),
                )


def crossed(contexts: Sequence[AnalysisContext]) -> Iterator[Finding]:
    """V134: two outputs of a vertex whose values a geometry shader puts into each other's property.

    The registers connect the stages, names and properties do not. In point mode outputs follow each other in v0, v1 and so on.
    """
    vertices = [context.interface for context in contexts if _is_vertex(context)]
    for context in contexts if len(vertices) == 1 else ():
        if not context.interface.geometry or context.interface.geometry_mode != _POINT:
            continue
        sent = sorted(vertices[0].outputs, key=lambda output: output.register)
        if len({output.register for output in sent}) != len(sent):
            continue
        wired = {output.register: output for output in context.interface.outputs}
        found: dict[tuple[int, int], tuple[int, int]] = {}
        for pc in sorted(context.reached):
            to = next((each for each in context.operations[pc].operands if isinstance(each, Dest)), None)
            if to is None or to.register not in wired:
                continue
            for register in [each for each in _registers(context, pc) if each < min(_INPUTS, len(sent))]:
                found.setdefault((sent[register].semantic, wired[to.register].semantic), (pc, register))
        for (given, taken), (pc, register) in found.items():
            other = found.get((taken, given))
            if given < taken or other is None or (given, given) in found or (taken, taken) in found:
                continue
            this, that = sent[register], sent[other[1]]
            names = [f"{SEMANTICS[each]}" for each in (given, taken)]
            yield Finding(
                message=f"v{register} is '{this.name}' of the vertex shader, its {names[0]}, and becomes the {names[1]} here; "
                f"v{other[1]}, '{that.name}', becomes the {names[0]}",
                fix=f"declare `.out {that.name} {names[1]}` before `.out {this.name} {names[0]}` in {vertices[0].name}: v0, v1 "
                "are its outputs in the order of their registers",
                pc=pc,
                related=tuple([Related(each.span, "the output of a vertex") for each in (this, that) if each.span is not None]),
            )


def overwritten(contexts: Sequence[AnalysisContext]) -> Iterator[Finding]:
    """V123: uniforms and constants of a geometry shader in the registers that its vertices fill.

    The vertices of a run fill them again before each run: in fixed mode from the first register of the array on, in variable
    mode from c0 on, which holds their number (libctru, source/gpu/shaderProgram.c; picasso's manual, `.gsh`).
    """
    outputs = [{output.register for output in context.interface.outputs} for context in contexts if _is_vertex(context)]
    least = min([len(registers) for registers in outputs], default=1)
    for context in contexts:
        interface = context.interface
        if not interface.geometry or interface.geometry_mode == _POINT:
            continue
        fixed = interface.geometry_mode == _FIXED
        start = interface.array_start if fixed else 0
        end = start + max(1, interface.vertex_count) * least + (0 if fixed else 1)
        filled = range(FLOAT + start, min(FLOAT + end, INTEGER))
        reported: set[str] = set()
        for register in sorted(set(context.uniform_reads) & set(filled)):
            found = _holder(interface, register)
            name = found.name.partition("[")[0] if found is not None else ""
            if found is None or name in reported:
                continue
            reported.add(name)
            where = f"{name or 'a constant'} in c{register - FLOAT}"
            mode = GEOMETRY_MODES[interface.geometry_mode]
            yield Finding(
                message=f"{where} is overwritten: the vertices of a run fill c{start}-c{end - 1}",
                fix=f"let the registers of declarations begin after them: `.gsh {mode} c{end}`",
                pc=min(pc for pc in context.reached if register in _registers(context, pc)),
                topic=name or f"c{register - FLOAT}",
                related=(
                    *([Related(found.span, "it is declared here")] if found.span is not None else ()),
                    *_last_output([other for other in contexts if _is_vertex(other)]),
                ),
            )


class _Holder(Record):
    """What a shader of a link has in a float uniform."""

    name: str
    "Name with the place in an array; empty where only its value is known."
    value: tuple[int, ...]
    "Words of a constant; empty for a uniform."
    span: Span | None
    "Declaration in the source."


def other_registers(contexts: Sequence[AnalysisContext]) -> Iterator[Finding]:
    """V124: a procedure of one file, run by the shader of another, that reads what only its own file declares there.

    Procedures are shared by a link, declarations are not: each shader has its own, and a source means a register.
    """
    owners = {context.interface.name: context.interface for context in contexts}
    for context in contexts:
        begin = context.span(context.interface.entry)
        if len(owners) < 2 or begin is None or begin.file != context.interface.name:  # all code is in one file: a disassembly
            continue
        reported: set[str] = set()
        for pc in sorted(context.reached):
            span = context.span(pc)
            owner = owners.get(span.file) if span is not None else None
            if owner is None or owner is context.interface:
                continue
            for register in _registers(context, pc):
                if not FLOAT <= register < INTEGER:
                    continue
                meant, there = _holder(owner, register), _holder(context.interface, register)
                if meant is None or (there is None and not meant.value) or _same(meant, there):
                    continue
                name, number = meant.name.partition("[")[0] or f"the constant in c{register - FLOAT}", register - FLOAT
                if name in reported:
                    continue
                reported.add(name)
                stage = "geometry" if context.interface.geometry else "vertex"
                has = f"has {there.name or 'another constant'} there" if there is not None else "does not load it"
                places = [(meant, "it is declared here"), (there, f"c{number} of the {stage} shader")]
                yield Finding(
                    message=f"{meant.name or name} is c{number} in {owner.name}: {context.interface.name}, the {stage} shader "
                    f"that runs this, {has}",
                    fix="declare it at the same register in both files, or give each its own procedure",
                    pc=pc,
                    topic=f"{name} {context.interface.name}",
                    related=tuple(
                        [Related(each.span, text) for each, text in places if each is not None and each.span is not None]
                    ),
                )


def _last_output(contexts: Sequence[AnalysisContext]) -> tuple[Related, ...]:
    """The last output of some vertex shaders, as a place."""
    spans = [output.span for context in contexts for output in context.interface.outputs if output.span is not None]
    return (Related(spans[-1], "the last output of a vertex"),) if spans else ()


def _same(one: _Holder, other: _Holder | None) -> bool:
    return other is not None and (one.value == other.value if one.value else one.name == other.name)


def _holder(interface: Interface, register: int) -> _Holder | None:
    """What a shader declares in a float uniform; None for nothing."""
    name, span = _named(interface, register)
    for constant in interface.constants:
        if constant.register == register:
            return _Holder(name, constant.values, span)
    return _Holder(name, (), span) if name else None


def _named(interface: Interface, register: int) -> tuple[str, Span | None]:
    """The name of a float uniform or constant, with its place in an array, and its declaration."""
    for uniform in (*interface.uniforms, *interface.private):
        if uniform.first <= register <= uniform.last:
            place = f"[{register - uniform.first}]" if uniform.size > 1 else ""
            return uniform.name + place, uniform.span
    return "", None


def _is_vertex(context: AnalysisContext) -> bool:
    return not context.interface.geometry and context.wired


def _registers(context: AnalysisContext, pc: int) -> list[int]:
    """The registers of the sources of a word, as `Source` counts them."""
    return [operand.register for operand in context.operations[pc].operands if isinstance(operand, Source)]
