"""A program in another language: a file or sources as sources of any language. Every answer has been assembled again and
compared."""

from __future__ import annotations

from lanewise.core.diagnostics import WARNING, Diagnostic, has_errors
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.pica200.api.assembling import assemble_in
from lanewise.pica200.api.disassembling import disassemble, program_of
from lanewise.pica200.container.build import build
from lanewise.pica200.container.shbin import sections
from lanewise.pica200.isa.encoder import encode_program
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.isa.program import Encoding
from lanewise.pica200.isa.table import UNKNOWN
from lanewise.pica200.text.dialects import dialect_named

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.core.service import Disassembly
    from lanewise.pica200.api.assembling import Assembly
    from lanewise.pica200.container.shbin import Shbin
    from lanewise.pica200.isa.program import Interface, Program
    from lanewise.pica200.text.dialect import Dialect


def convert_file(shbin: Shbin, to: str, stem: str = "shader", data: bytes | None = None, *, quiet: bool = False) -> Disassembly:
    """Sources of a file in the language `to`: with the same bytes if the language is lossless, otherwise with the same
    operations.

    Instructions that the language lacks are among its findings, with the offsets of their words, and notes where the language's
    original tool makes another program of the sources; `quiet` is as in `disassemble`. Raises ValueError for another language,
    RuntimeError if the sources are not right, which is a bug.
    """
    language = _writable(to)
    program = program_of(shbin)
    start = next(section.offset for section in sections(shbin) if section.name == "code")
    lacking = _lacking(program, language, lambda pc: Span(file=f"{stem}.shbin", offset=start + 4 * pc))
    if language.lossless:
        found = disassemble(shbin, stem, data, dialect=language, quiet=quiet)
    else:
        found = _same_operations(program, language, stem)
    return found._replace(findings=(*found.findings, *lacking), comment=language.comment)


def convert_assembly(assembly: Assembly, to: str, stem: str = "shader") -> Disassembly:
    """Sources in the language `to` for what was assembled without errors: the same operations and the same interface.

    Its findings begin with the warnings of the assembler.

    Raises as `convert_file`.
    """
    language = _writable(to)
    program = assembly.program
    labels = _names(assembly)
    warnings = [finding for finding in assembly.diagnostics if finding.severity == WARNING]
    lacking = _lacking(program, language, lambda pc: assembly.module.end)
    shared, lost = language.adapt(program) if language.adapt is not None else (program, ())
    if language.lossless:
        encoded, findings = encode_program(shared)
        if assembly.module.descriptors or has_errors(findings):  # words may name descriptors of a pinned table
            encoded = assembly.encoded
        shbin = build(shared, encoded.words, encoded.descriptors)
        private = [interface.private for interface in shared.interfaces]
        found = disassemble(shbin, stem, None, labels, private, language)
    else:
        words, descriptors = assembly.encoded
        shared = shared._replace(labels=labels, encoding=Encoding(words, descriptors, {}))
        found = _same_operations(shared, language, stem)
    return found._replace(lost=(*lost, *found.lost), findings=(*warnings, *found.findings, *lacking), comment=language.comment)


def _writable(to: str) -> Dialect:
    """A language that programs can be written in. Raises ValueError."""
    language = dialect_named(to)
    if language.drafts is None:
        raise ValueError(f"programs cannot be written in {language.title}")
    return language


def _lacking(program: Program, language: Dialect, locate: Callable[[int], Span]) -> tuple[Diagnostic, ...]:
    """Findings about instructions that a language has no mnemonic for. `locate` gives the place of a word where the program
    knows none."""
    known = language.instructions()
    found: list[Diagnostic] = []
    for pc, operation in enumerate(program.operations):
        name = operation.op.name
        if operation.op is not UNKNOWN and name not in known:
            message = f"{language.title} has no instruction {name}: it is written as .word, which lanewise alone reads"
            fix = f"write {name} with other instructions before converting"
            found.append(
                Diagnostic(code="P073", severity=WARNING, message=message, span=operation.span or locate(pc), notes=(), fix=fix)
            )
    return tuple(found)


def _names(assembly: Assembly) -> dict[str, int]:
    """What places are called, entries first: of several names for a place the first one is used."""
    program = assembly.program
    units = [unit for unit in assembly.module.units if not unit.is_library]
    entries = {unit.entry: interface.entry for unit, interface in zip(units, program.interfaces, strict=True)}
    procedures = {procedure.name: procedure.start for procedure in program.procedures}
    return {
        **{name: at for name, at in entries.items() if procedures.get(name, program.labels.get(name)) == at},
        **procedures,
        **program.labels,
    }


def _same_operations(program: Program, language: Dialect, stem: str) -> Disassembly:
    """The first draft that assembles to the operations and the interface of a program. Raises RuntimeError."""
    why = f"{language.title} has no sources for it"
    for draft in language.drafts(program, stem) if language.drafts is not None else ():
        if not draft.made.sources:
            return draft.made
        again = assemble_in(language, draft.made.sources, draft.options, language.container)
        why = _difference(program, again, lossy=bool(draft.made.lost))
        if not why:
            doubts = tuple([finding for finding in again.diagnostics if finding.code == "P071"])
            found = draft.doubted if doubts and draft.doubted is not None else draft.made
            return found._replace(findings=doubts)
    raise RuntimeError(f"the {language.title} source of {stem} {why}")


def _difference(before: Program, again: Assembly, *, lossy: bool) -> str:
    """Why an assembly is not the program; nothing if it is. What is `lossy` may lack parts of its interface."""
    errors = [finding.message for finding in again.diagnostics if finding.is_error]
    if errors:
        return f"does not assemble: {errors[:3]}"
    if before.encoding is None:
        return ""
    from lanewise.pica200.sem.normal import normal

    ours, theirs = [
        list(map(normal, lift([word or 0 for word in words], descriptors)))
        for words, descriptors, *_ in (before.encoding, again.encoded)
    ]
    if ours != theirs:
        place = next((pc for pc, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]), len(ours))
        return f"is another program from word {place:#x} on"
    if not lossy and list(map(_essence, before.interfaces)) != list(map(_essence, again.program.interfaces)):
        return "has another interface"
    return ""


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
