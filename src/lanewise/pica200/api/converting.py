"""A program in another language: a file or sources as nihstro or picasso source. Every answer has been assembled again and compared."""

from __future__ import annotations

from lanewise.core.diagnostics import WARNING, Diagnostic, has_errors
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.disassembling import Disassembly, Source, disassemble, program_of
from lanewise.pica200.container.build import build
from lanewise.pica200.container.shbin import sections
from lanewise.pica200.isa.encoder import encode_program
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.isa.program import Encoding, Uniform
from lanewise.pica200.isa.table import UNKNOWN, register_name
from lanewise.pica200.sem.normal import normal
from lanewise.pica200.text.nihstro.printer import OURS
from lanewise.pica200.text.nihstro.syntax import SAYS
from lanewise.pica200.text.nihstro.writer import Writer
from lanewise.pica200.text.picasso.syntax import MNEMONICS
from lanewise.pica200.text.spelling import live_selectors

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

    from lanewise.pica200.api.assembling import Assembly
    from lanewise.pica200.container.shbin import Shbin
    from lanewise.pica200.isa.program import Interface, Program

# The instructions that a language has a mnemonic or other words for.
INSTRUCTIONS: Mapping[str, Container[str]] = {"picasso": MNEMONICS, "nihstro": SAYS}
# nihstro's sharing needs more descriptors than picasso's: then the table is written.
_NEEDS_PINS = ("V030", "V031")


def convert_file(shbin: Shbin, to: str, stem: str = "shader", data: bytes | None = None) -> Disassembly:
    """Sources of a file in the language `to`. Picasso sources give the same bytes, nihstro sources the same operations.

    Instructions that the language lacks are among its findings, with the offsets of their words. Raises ValueError for another
    language, RuntimeError if the sources are not right, which is a bug.
    """
    program = program_of(shbin)
    start = next(section.offset for section in sections(shbin) if section.name == "code")
    lacking = _lacking(program, to, lambda pc: Span(f"{stem}.shbin", offset=start + 4 * pc))
    made = disassemble(shbin, stem, data) if to == "picasso" else _nihstro(program, stem)
    return made._replace(findings=lacking)


def convert_assembly(assembly: Assembly, to: str, stem: str = "shader") -> Disassembly:
    """Sources in the language `to` for what was assembled without errors: the same operations and the same interface.

    Raises as `convert_file`.
    """
    program = assembly.program
    labels = _names(assembly)
    lacking = _lacking(program, to, lambda pc: assembly.module.end)
    if to == "picasso":
        lost: list[str] = []
        shared = program._replace(
            operations=tuple([live_selectors(o) if "src" in o.op.operands else o for o in program.operations]),
            interfaces=tuple([_for_picasso(interface, lost) for interface in program.interfaces]),
            encoding=None,
        )
        encoded, findings = encode_program(shared)
        if assembly.module.descriptors or has_errors(findings):  # words may name descriptors of a pinned table
            encoded = assembly.encoded
        shbin = build(shared, encoded.words, encoded.descriptors)
        return disassemble(shbin, stem, None, labels, [interface.private for interface in shared.interfaces])._replace(
            lost=tuple(lost), findings=lacking
        )
    words, descriptors = assembly.encoded
    program = program._replace(labels=labels, encoding=Encoding(words, descriptors, {}))
    return _nihstro(program, stem)._replace(findings=lacking)


def _lacking(program: Program, to: str, locate: Callable[[int], Span]) -> tuple[Diagnostic, ...]:
    """Findings about instructions that the language `to` has no mnemonic for. Raises ValueError for an unknown language.

    `locate` gives the place of a word where the program knows none.
    """
    if to not in INSTRUCTIONS:
        raise ValueError(f"no dialect {to!r}: {', '.join(INSTRUCTIONS)}")
    known = INSTRUCTIONS[to]
    found: list[Diagnostic] = []
    for pc, operation in enumerate(program.operations):
        name = operation.op.name
        if operation.op is not UNKNOWN and name not in known:
            message = f"{to} has no instruction {name}: it is written as .word, which lanewise alone reads"
            fix = f"write {name} with other instructions before converting"
            found.append(Diagnostic("P073", WARNING, message, operation.span or locate(pc), (), fix))
    return tuple(found)


def _names(assembly: Assembly) -> dict[str, int]:
    """What places are called, entries first: of several names for a place the first one is used."""
    program = assembly.program
    units = [unit for unit in assembly.module.units if not unit.library]
    entries = {unit.entry: interface.entry for unit, interface in zip(units, program.interfaces, strict=True)}
    procedures = {procedure.name: procedure.start for procedure in program.procedures}
    return {
        **{name: at for name, at in entries.items() if procedures.get(name, program.labels.get(name)) == at},
        **procedures,
        **program.labels,
    }


def _for_picasso(interface: Interface, lost: list[str]) -> Interface:
    """An interface as picasso can declare it: every input that is read has a name, no name has registers of another.

    `lost` gets what changes.
    """
    inputs: dict[int, Uniform] = {}
    taken = {uniform.name for uniform in (*interface.inputs, *interface.uniforms)}
    for uniform in interface.inputs:
        if uniform.size > 1:
            lost.append(f"the array of inputs {uniform.name}: each register has a separate name")
        for offset in range(uniform.size):
            name = f"{uniform.name}_{offset}" if uniform.size > 1 else uniform.name
            register = uniform.first + offset
            if register in inputs:
                lost.append(f"the name {uniform.name}: {register_name(register)} is {inputs[register].name}")
            inputs.setdefault(register, Uniform(name, register, register, uniform.symbol))
    for register in range(16):
        if interface.input_mask >> register & 1 and register not in inputs:
            name = f"input{register}" + "_" * (f"input{register}" in taken)
            inputs[register] = Uniform(name, register, register)
    uniforms: list[Uniform] = []
    for uniform in interface.uniforms:
        other = next((u for u in uniforms if u.first <= uniform.last and uniform.first <= u.last), None)
        if other is not None:
            lost.append(f"the name {uniform.name}: it is part of {other.name}")
        else:
            uniforms.append(uniform)
    return interface._replace(inputs=tuple(inputs.values()), uniforms=tuple(uniforms), declared=())


def _nihstro(program: Program, stem: str) -> Disassembly:
    written, again = Writer(program).write(), None
    for pinned in (False, True):
        written = Writer(program, pinned=pinned).write()
        sources = tuple([Source(f"{stem}{suffix}", text) for suffix, text in written.sources])
        again = assemble_sources(sources, dialect="nihstro")
        if not any(finding.code in _NEEDS_PINS for finding in again.diagnostics):
            break
    plain = not any(OURS in source.text for source in sources)
    if sources:
        _compare(program, again, stem, bool(written.lost))
    names = " ".join(source.name for source in sources)
    has = "assemble with nihstro-assemble or lanewise" if plain else "has forms that only lanewise reads"
    flag = (
        "-g " if sources and all(interface.geometry for interface in program.interfaces) else ""
    )  # also where a file is renamed
    head = f"// {has}: lanewise asm {flag}-o {stem}.shbin {names}\n\n"
    return Disassembly(tuple([Source(name, head + text) for name, text in sources]), plain, (), written.lost)


def _compare(before: Program, again: Assembly, stem: str, lossy: bool) -> None:
    """Raise RuntimeError unless an assembly is the program. What is `lossy` may lack parts of its interface."""
    errors = [finding.message for finding in again.diagnostics if finding.is_error]
    if errors:
        raise RuntimeError(f"the nihstro source of {stem} does not assemble: {errors[:3]}")
    if before.encoding is None:
        return
    ours, theirs = [
        list(map(normal, lift([word or 0 for word in words], descriptors)))
        for words, descriptors, *_ in (before.encoding, again.encoded)
    ]
    if ours != theirs:
        place = next((pc for pc, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]), len(ours))
        raise RuntimeError(f"the nihstro source of {stem} is another program from word {place:#x} on")
    if not lossy and list(map(_essence, before.interfaces)) != list(map(_essence, again.program.interfaces)):
        raise RuntimeError(f"the nihstro source of {stem} has another interface")


def _essence(interface: Interface) -> tuple[object, ...]:
    """What of an interface decides what a shader computes, and under which names."""
    named = [
        (
            uniform.first,
            uniform.last,
            uniform.name.replace("$", ".").encode("latin-1") if uniform.symbol is None else uniform.symbol,
        )
        for uniform in (*interface.inputs, *interface.uniforms)
    ]
    outputs = [(output.semantic, output.register, output.mask) for output in interface.outputs]
    geometry = (interface.geometry, interface.geometry_mode, interface.array_start, interface.vertex_count)
    return interface.entry, geometry, sorted(named), outputs, list(interface.constants), interface.merge_outputs
