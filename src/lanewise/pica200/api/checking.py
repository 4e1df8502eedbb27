"""Files to findings: everything that lanewise can say about a program, whether it comes as source, SHBIN or words."""

from __future__ import annotations

from lanewise.core.diagnostics import has_errors, in_order
from lanewise.core.ignoring import is_ignored, unused_comments
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import Report, Stats
from lanewise.core.source import Span
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.check.cost import cost, described
from lanewise.pica200.check.rules import PROGRAM_RULES, check, contexts_of
from lanewise.pica200.isa.encoder import descriptor_word
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.isa.module import STRUCTURE
from lanewise.pica200.isa.program import Interface, Program, Source
from lanewise.pica200.isa.table import VERTEX
from lanewise.pica200.text.dialects import dialect_named, dialects_of
from lanewise.pica200.text.picasso.printer import Names, Printer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.api.assembling import Assembly
    from lanewise.pica200.check.context import AnalysisContext
    from lanewise.pica200.isa.program import Output
    from lanewise.pica200.text.dialect import Dialect
    from lanewise.pica200.text.naming import Naming

# What a file of procedures for other files cannot have by itself: a shader, and procedures of others.
_OF_A_LINK = frozenset(("V042", "V043"))
# The check says it of the instruction and of the path that matters; the assembler of the end of a block, where no NOP may be
# inserted, and of the whole program.
_SAID_BETTER = frozenset(("V040", "V079"))
# Rules that need to know which components an instruction writes: without descriptors nobody does.
_PLAIN_DESCRIPTOR = descriptor_word(0xF, (Source(0),) * 3)  # writes and reads everything in its place
_HINT = "H"  # the letter of the codes of hints
_NEED_DESCRIPTORS = frozenset(("V083", "V084", "V088", "V095", "V096", "V100"))


class Reading(Record):
    """How sources are read: the options of `assemble_sources`."""

    compatible: bool = False
    "Refuse everything that the original assembler does not take."
    padding: bool = True
    "NOPs may be inserted where the hardware needs them."
    dialect: str = ""
    "Name of the language; empty to recognise it."
    entry: str = ""
    "Procedure or label of the entry; empty for `main`, or as the source says."
    geometry: bool = False
    "The entry is that of a geometry shader."
    read: Callable[[str], str] | None = None
    "Text of an included file, raises OSError; None where sources cannot include."
    folders: tuple[str, ...] = ()
    "Folders that are searched for included files, after that of the file that includes."
    hints: bool = False
    "Look for hints of the optimiser too."


AS_NAMED = Reading()


class Examined(Record):
    """Sources that were assembled and checked: `contexts` are those of the rules, empty where these were not asked."""

    made: Assembly
    contexts: tuple[AnalysisContext, ...]
    report: Report


def check_sources(sources: Sequence[tuple[str, str]], reading: Reading = AS_NAMED, *, stats: bool = False) -> Report:
    """(name, text) pairs that are linked into one program: what the assembler says, and what the rules find, with errors in its
    undamaged part.

    Costs are counted where `stats` are asked for.
    """
    return examine(sources, reading, stats=stats).report


def examine(
    sources: Sequence[tuple[str, str]], reading: Reading = AS_NAMED, *, stats: bool = False, names: Naming | None = None
) -> Examined:
    """As `check_sources`, with what was made on the way. `names` gets the names of the sources."""
    assembly = assemble_sources(
        sources,
        compatible=reading.compatible,
        padding=reading.padding,
        dialect=reading.dialect,
        entry=reading.entry,
        geometry=reading.geometry,
        read=reading.read,
        folders=reading.folders,
        names=names,
    )
    return examined(assembly, sources, reading.dialect, stats=stats, hinted=reading.hints)


def examined(
    assembly: Assembly, sources: Sequence[tuple[str, str]], dialect: str = "", *, stats: bool = False, hinted: bool = False
) -> Examined:
    """As `examine`, of sources that have been assembled."""
    library = bool(assembly.module.units) and all(unit.is_library for unit in assembly.module.units)
    findings = [finding for finding in (*assembly.diagnostics, *assembly.notes) if not (library and finding.code in _OF_A_LINK)]
    if library or (has_errors(findings) and assembly.doubt == STRUCTURE):
        return Examined(assembly, (), _report(findings))  # what comments keep quiet is not known: the rules have not looked
    language = dialects_of([name for name, _ in sources], dialect)[0]
    if has_errors(findings):
        contexts = contexts_of(assembly.program, *assembly.encoded, declared=not assembly.doubt)
        return Examined(assembly, tuple(contexts), _report(_joined(findings, check(contexts), language)))
    procedures = {finding.span.file for finding in findings if finding.code == "V087"}  # of another shader: no shader is meant
    contexts = [each for each in contexts_of(assembly.program, *assembly.encoded) if each.interface.name not in procedures]
    report = check_contexts(contexts, findings, sources, dialect=language, stats=stats, hinted=hinted)
    return Examined(assembly, tuple(contexts), report)


def _joined(told: Sequence[Diagnostic], found: Sequence[Diagnostic], dialect: Dialect) -> list[Diagnostic]:
    """What the assembler said, and what the rules find that it did not say."""
    findings = [finding for finding in told if finding.code not in _SAID_BETTER]
    known = {(finding.code, finding.span.file, finding.span.line) for finding in findings}
    # Writes that the fix of an output that is read moves to a temporary: they are not written twice then.
    moved = {(edit.span.file, edit.span.line) for finding in findings if finding.code == "V010" for edit in finding.edits}
    for f in dialect.phrased(found):
        places = [(span.file, span.line) for span in (f.span, *[each.span for each in f.related])]
        if (f.code, *places[0]) not in known and (f.code != "V084" or moved.isdisjoint(places)):
            findings.append(f)
    return findings


def check_assembled(
    program: Program,
    words: Sequence[int],
    descriptors: Sequence[int],
    told: Sequence[Diagnostic],
    sources: Sequence[tuple[str, str]] = (),
    *,
    dialect: Dialect,
    stats: bool = False,
    hinted: bool = False,
) -> Report:
    """A program that has been assembled without errors from `sources`; `told` is what the assembler had to say.

    Fixes are in the words of `dialect`.
    """
    contexts = contexts_of(program, words, descriptors)
    return check_contexts(contexts, told, sources, dialect=dialect, stats=stats, hinted=hinted)


def check_contexts(
    contexts: Sequence[AnalysisContext],
    told: Sequence[Diagnostic],
    sources: Sequence[tuple[str, str]],
    *,
    dialect: Dialect,
    stats: bool = False,
    hinted: bool = False,
) -> Report:
    """As `check_assembled`, with the analysis contexts of the program."""
    findings = _joined(told, [*check(contexts), *(_hints(contexts, None, dialect) if hinted else ())], dialect)
    findings += unused_comments(findings, sources, () if hinted else (_HINT,))
    return _report(findings, contexts if stats else ())


def check_shbin(data: bytes, name: str, *, stats: bool = False, hinted: bool = False) -> Report:
    """The bytes of an SHBIN. Findings are placed at byte offsets and show the instruction there."""
    from lanewise.pica200.api.disassembling import program_of
    from lanewise.pica200.container.read import read_shbin
    from lanewise.pica200.container.shbin import sections

    shbin, findings = read_shbin(data, name)
    if shbin is None:
        return _report(findings)
    start = next(section.offset for section in sections(shbin) if section.name == "code")
    program = program_of(shbin)
    contexts = contexts_of(program, shbin.words, shbin.descriptors)
    found = check(contexts, _offsets(name, start))
    found += _hints(contexts, _offsets(name, start)) if hinted else []
    return _report([*findings, *_shown(found, program, shbin.words, start)], contexts if stats else ())


def check_words(
    words: Sequence[int],
    descriptors: Sequence[int] | None,
    name: str,
    *,
    entry: int = 0,
    geometry: bool = False,
    outputs: Sequence[Output] = (),
    input_mask: int = 0,
    stats: bool = False,
    hinted: bool = False,
) -> Report:
    """Raw words that start at `entry`. Without `outputs` nothing says which are wired up, and rules about that are silent.

    Without `descriptors` nobody knows what is read and written, and rules about that are silent too.
    """
    table = (_PLAIN_DESCRIPTOR,) * VERTEX.descriptors if descriptors is None else tuple(descriptors)
    program = Program(
        operations=lift(words, table),
        interfaces=(Interface(name=name, geometry=geometry, entry=entry, outputs=tuple(outputs), input_mask=input_mask),),
        labels={},
    )
    contexts = contexts_of(program, words, table, wired=bool(outputs))
    found = check(contexts, _offsets(name, 0))
    found += _hints(contexts, _offsets(name, 0)) if hinted and descriptors is not None else []
    if descriptors is None:
        found = [finding for finding in found if finding.code not in _NEED_DESCRIPTORS]
    return _report(_shown(found, program, words, 0), contexts if stats else ())


def _hints(
    contexts: Sequence[AnalysisContext], locate: Callable[[int], Span] | None = None, dialect: Dialect | None = None
) -> list[Diagnostic]:
    """The hints, whose modules are imported only where they are asked for."""
    from lanewise.pica200.opt.hints import hints

    return hints(contexts, locate, dialect)


def check_shader(
    program: Program,
    interface: Interface,
    words: Sequence[int],
    descriptors: Sequence[int],
    name: str,
    dialect: str,
    code_offset: int,
) -> tuple[Diagnostic, ...]:
    """One shader of a program: places are in the sources, or words of the file `name` from `code_offset` on. Without a dialect
    it was read."""
    contexts = contexts_of(program._replace(interfaces=(interface,)), words, descriptors)
    found = check(contexts, None if dialect else _offsets(name, code_offset))
    if len(program.interfaces) > 1:
        of_all = {rule.code for rule in PROGRAM_RULES}
        found = [finding for finding in found if finding.code not in of_all]
    shown = dialect_named(dialect).phrased(found) if dialect else _shown(found, program, words, code_offset)
    return tuple(_report(shown).findings)


def _report(findings: Sequence[Diagnostic], contexts: Sequence[AnalysisContext] = ()) -> Report:
    """The findings in order, with the costs of some shaders."""
    ordered = in_order(findings)
    quiet = tuple(finding for finding in ordered if is_ignored(finding))
    return Report(
        tuple(finding for finding in ordered if not is_ignored(finding)),
        quiet,
        tuple([Stats(*described(cost(context))) for context in contexts]),
    )


def _offsets(name: str, start: int) -> Callable[[int], Span]:
    def locate(pc: int) -> Span:
        return Span(file=name, offset=start + 4 * pc) if pc >= 0 else Span(file=name)

    return locate


def _shown(findings: Sequence[Diagnostic], program: Program, words: Sequence[int], start: int) -> list[Diagnostic]:
    """The findings with a note that shows the word each is about, as there is no source line to show."""
    printer = Printer(Names(), lambda target: "", lambda address: "")

    def with_word(finding: Diagnostic) -> Diagnostic:
        pc = (finding.span.offset - start) // 4
        if finding.span.offset < start or pc >= len(program.operations):
            return finding
        text = printer.describe(program.operations[pc]) or f".word {words[pc]:#010x}"
        return finding._replace(notes=(f"word {pc:#x}: {text}", *finding.notes))

    return [with_word(finding) for finding in findings]
