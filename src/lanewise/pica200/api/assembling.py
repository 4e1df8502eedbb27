"""Sources to bytes: read, lay out, encode, put into a container."""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, NOTE, WARNING, Diagnostic, Related, has_errors, text_form
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.sniff import begins_with_version
from lanewise.core.source import Span
from lanewise.pica200.container.shbin import write_shbin
from lanewise.pica200.isa.encoder import Encoded, encode_program
from lanewise.pica200.isa.layout import lay_out
from lanewise.pica200.isa.module import GEOMETRY, STRUCTURE, Mark
from lanewise.pica200.isa.table import END, OPS, SEMANTICS, merge_bits
from lanewise.pica200.text.dialect import Options
from lanewise.pica200.text.dialects import dialect_of, dialects, dialects_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lanewise.pica200.container.shbin import Shbin
    from lanewise.pica200.isa.module import Module, Unit
    from lanewise.pica200.isa.program import Program
    from lanewise.pica200.isa.table import Op
    from lanewise.pica200.text.dialect import Dialect
    from lanewise.pica200.text.naming import Naming


_OF_NO_CONSEQUENCE = ("V105", "V106")
_OF_ONE_WORD = frozenset(("V042", "V110"))  # errors of the layout that damage one word
_DUMMY = SEMANTICS.index("dummy")


class Assembly(Record):
    """Result of assembling. Everything but `data` is there as far as it got.

    What the hardware makes of the program is for `api.checking` to say.
    """

    data: bytes | None
    "Bytes of the SHBIN; None if any diagnostic is an error."
    program: Program
    "Operations by address; damaged ones stand for statements with errors."
    encoded: Encoded
    "Machine words and operand descriptors."
    module: Module
    "The link before it had addresses."
    diagnostics: tuple[Diagnostic, ...]
    "Findings about the sources, in their order."
    notes: tuple[Diagnostic, ...] = ()
    "Findings of no consequence: constants that were rounded, padding that was inserted."
    doubt: str = ""
    "`Module.doubt`, for rules about the undamaged part of a program with errors."


def assemble_sources(
    sources: Iterable[tuple[str, str]],
    *,
    compatible: bool = False,
    padding: bool = True,
    dialect: str = "",
    entry: str = "",
    geometry: bool = False,
    layout: str = "",
    read: Callable[[str], str] | None = None,
    folders: Sequence[str] = (),
    names: Naming | None = None,
) -> Assembly:
    """Assemble (name, text) pairs of one language into one SHBIN.

    `dialect` is the name of a row of `text.dialects`; without it the names' suffixes say the language, the first row if none
    does. `layout` is one of `container.layout.LAYOUTS` (default picasso). Raises ValueError for another dialect.

    For picasso sources: `compatible` takes what picasso takes, as it takes it; `padding=False` inserts no NOPs (picasso's
    --no-nop). For nihstro sources: `entry` is the label at which they begin (default `main`), `geometry` says that they are
    geometry shaders, `read(path)` gives the text of an included file or raises OSError, `folders` are searched for such files
    after that of the file that includes. `names`, which `Dialect.names` of the language made, gets the names of the sources.
    """
    given = list(sources)
    language, *others = dialects_of([name for name, _ in given], dialect)
    foreign = "" if dialect else next((name for name, text in given if begins_with_version(text)), "")
    refused = _direct3d9(foreign) if foreign else _mixed(given) if others else None
    options = Options(
        compatible=compatible,
        padding=padding,
        entry=entry,
        geometry=geometry,
        read=read,
        folders=tuple(folders),
        names=names,
    )
    if refused is not None:
        return _assembled(dialects()[0], (), options, layout, [refused])
    unreadable = [] if compatible else [finding for name, text in given for finding in text_form(name, text)]
    if unreadable:
        return _assembled(language, (), options, layout, unreadable)
    return _assembled(language, given, options, layout)


def assemble_in(dialect: Dialect, sources: Iterable[tuple[str, str]], options: Options, layout: str = "") -> Assembly:
    """Assemble (name, text) pairs of a language into one SHBIN, in a `layout` as `assemble_sources` has it."""
    return _assembled(dialect, list(sources), options, layout)


def _assembled(
    dialect: Dialect, sources: Sequence[tuple[str, str]], options: Options, layout: str = "", refused: Sequence[Diagnostic] = ()
) -> Assembly:
    """What sources give; `refused` is what there is to say instead of the findings of their reader."""
    module, diagnostics = dialect.read(sources, options)
    diagnostics = list(refused) or _without_semantics(module, diagnostics)
    if not refused and has_errors(diagnostics):
        from lanewise.pica200.text.foreign import foreign

        other = foreign(dialect, sources, options, diagnostics)
        if other is not None:
            return _assembled(dialect, (), options, layout, [other])
    policy = dialect.layout(options)
    program, findings = lay_out(module._replace(padding=module.padding and options.padding), policy)
    # Names that a broken line failed to define would be reported as missing too: they come once the lines are fixed.
    unfinished = has_errors(diagnostics)
    fatal = any(finding.is_error and finding.code not in _OF_ONE_WORD for finding in findings)
    doubt = STRUCTURE if refused or fatal or any(finding.code == "P058" for finding in diagnostics) else module.doubt
    found = [finding for finding in findings if not (unfinished and finding.code in ("V042", "V043", "V044"))]
    found += [] if unfinished else _misnamed(module)
    if not (unfinished or options.compatible):
        found += [*_borrowed_entries(module), *_without_outputs(module), *_geometry_first(module)]
    if not has_errors((*diagnostics, *found)):
        found += _lost_constants(module)
    if module.descriptors and not policy.merges:
        encoded, findings = encode_program(program, module.descriptors, merges=False, reads=_pinned_bits)
    else:
        encoded, findings = encode_program(program, module.descriptors, merges=policy.merges)
    found += findings
    entered = not any(finding.code == "V044" for finding in found)
    found += _endless(module, program, encoded) if entered and not (unfinished or options.compatible) else []
    if has_errors(findings):
        doubt = STRUCTURE
    diagnostics += dialect.phrased(found)
    data = None
    if not has_errors(diagnostics):
        shbin, findings = contain(program, encoded, module, layout)
        diagnostics += findings
        if shbin is not None:
            data = write_shbin(shbin)
    notes = tuple([finding for finding in diagnostics if finding.code in _OF_NO_CONSEQUENCE])
    told = tuple([finding for finding in diagnostics if finding.code not in _OF_NO_CONSEQUENCE])
    return Assembly(data=data, program=program, encoded=encoded, module=module, diagnostics=told, notes=notes, doubt=doubt)


def _without_semantics(module: Module, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """The findings without those on semantics of a vertex shader whose outputs all go to a geometry shader.

    Only a geometry shader with `dummy` outputs shares its table of semantics with the vertex shader.
    """
    found = [finding for finding in diagnostics if finding.code == "V039"]
    followers = [unit for unit in module.units if unit.geometry] if found else []
    if not followers or any(output.semantic == _DUMMY for unit in followers for output in unit.outputs):
        return diagnostics
    fed = [output.span for unit in module.units if not unit.geometry for output in unit.outputs]
    lines = {(span.file, span.line) for span in fed if span is not None}
    return [finding for finding in diagnostics if finding not in found or (finding.span.file, finding.span.line) not in lines]


def _pinned_bits(op: Op, mask: int) -> int:
    """The bits by which an instruction finds its descriptor in a pinned table: picasso's, but for `cmp` only those that it
    reads."""
    from lanewise.pica200.sem.influence import descriptor_bits_read

    bits = merge_bits(op, mask)
    return bits & descriptor_bits_read(op) if "cmp" in op.operands else bits


def _mixed(sources: Sequence[tuple[str, str]]) -> Diagnostic:
    """Sources of two languages: their labels and registers do not know each other."""
    first = dialect_of(sources[0][0])
    other = next((name for name, _ in sources if dialect_of(name) != first), sources[0][0])
    message = f"{other} is in another language than {sources[0][0]}"
    fix = "convert one with `lanewise convert`, or use `--dialect` if a suffix is misleading"
    return Diagnostic(code="P066", severity=ERROR, message=message, span=Span(file=other, line=1, column=0), notes=(), fix=fix)


def _direct3d9(name: str) -> Diagnostic:
    """A source that is for other hardware, and would be a screen full of findings."""
    message = f"{name} is a Direct3D 9 source: it begins with a version"
    fix = "use lanewise asm, check, dis or inspect, or `--dialect` if it is for the PICA200"
    return Diagnostic(code="P315", severity=ERROR, message=message, span=Span(file=name, line=1, column=0), notes=(), fix=fix)


def _misnamed(module: Module) -> list[Diagnostic]:
    """Shaders whose stage is not what the file's name says."""
    found: list[Diagnostic] = []
    marks = {mark.span.file: mark.span for mark in reversed(module.items) if isinstance(mark, Mark) and mark.kind == GEOMETRY}
    for unit in module.units:
        name = unit.name.lower()
        if not unit.is_library and unit.geometry and name.endswith(".v.pica"):
            place = marks.get(unit.name, unit.span)
            cause = "`.gsh`" if place.text[place.column - 1 :].lower().startswith(".gsh") else "`setemit` and `emit`"
            found.append(
                Diagnostic(
                    code="V091",
                    severity=WARNING,
                    message="this file makes a geometry shader, but its name says vertex shader",
                    span=place,
                    notes=(),
                    fix=f"remove {cause}: a vertex shader gives one vertex for each; or name the file .g.pica",
                )
            )
        elif not unit.is_library and not unit.geometry and name.endswith(".g.pica"):
            found.append(
                Diagnostic(
                    code="V091",
                    severity=WARNING,
                    message="this file makes a vertex shader, but its name says geometry shader",
                    span=unit.span,
                    notes=(),
                    fix="add `.gsh point c0` at its top and `setemit` before each `emit`, or name it .v.pica",
                )
            )
    return found


def _borrowed_entries(module: Module) -> list[Diagnostic]:
    """Geometry shaders without `.entry` that begin at `main` of a vertex shader."""
    stages = {unit.name: unit.geometry for unit in module.units if not unit.is_library}
    if len(set(stages.values())) < 2:
        return []
    from lanewise.pica200.isa.cures import own_entries, procedures_by_file

    procedures = procedures_by_file(module)
    found: list[Diagnostic] = []
    for unit in module.units:
        lender = next((other for other, marks in procedures.items() if any(mark.name == unit.entry for mark in marks)), "")
        named = unit.entry_span is not unit.span
        if unit.is_library or not unit.geometry or named or lender in ("", unit.name) or stages.get(lender, True):
            continue
        own = own_entries(module, unit)
        fix, edits = own[0] if own else ("add `.entry gmain`, the name of its own procedure: `.proc gmain`", ())
        message = f"the geometry shader has no entry: it begins at '{unit.entry}' of {lender}, the vertex shader"
        found.append(
            Diagnostic(
                code="V112",
                severity=ERROR,
                message=message,
                span=unit.span,
                fix=fix,
                edits=edits,
                alternatives=tuple(own[1:]),
            )
        )
    return found


def _without_outputs(module: Module) -> list[Diagnostic]:
    """Files without outputs and an entry of their own, beside one that has both: procedures of the other one are meant."""
    shaders = [unit for unit in module.units if not unit.is_library]
    if len(shaders) < 2 or not any(unit.outputs for unit in shaders):
        return []
    from lanewise.pica200.isa.cures import procedures_by_file

    procedures = procedures_by_file(module)
    return [
        Diagnostic(
            code="V087",
            severity=WARNING,
            message=f"{unit.name} has neither `{unit.entry}` nor outputs, and becomes a second shader",
            span=unit.span,
            fix="begin a file of shared procedures with `.nodvle`",
        )
        for unit in shaders
        if not (unit.geometry or unit.outputs or any(mark.name == unit.entry for mark in procedures.get(unit.name, ())))
        and unit.entry_span is unit.span
    ]


def _geometry_first(module: Module) -> list[Diagnostic]:
    """A note where a geometry shader is before the vertex shader of the link: applications take DVLE 0 for the latter."""
    units = [unit for unit in module.units if not unit.is_library]
    vertex = next((unit for unit in units if not unit.geometry), None)
    if vertex is None or not units[0].geometry:
        return []
    first = units[0]
    message = f"DVLE 0 is the geometry shader, {first.span.file}: the vertex shader is DVLE {units.index(vertex)}"
    fix = f"name {vertex.span.file} first: applications take DVLE 0 as the vertex shader"
    related = (Related(vertex.span, "the vertex shader is here"),)
    return [Diagnostic(code="V127", severity=NOTE, message=message, span=first.span, notes=(), fix=fix, related=related)]


def _endless(module: Module, program: Program, encoded: Encoded) -> list[Diagnostic]:
    """The warning about a program without a single `end`; `lanewise check` looks at each path."""
    shaders = [unit for unit in module.units if not unit.is_library]
    ends = [op.match for op in OPS if op.kind == END]
    if not shaders or not encoded.words or any(word & mask == value for word in encoded.words for mask, value in ends):
        return []
    message = "the program has no `end`: execution continues past its last word"
    place = next((operation.span for operation in reversed(program.operations) if operation.span is not None), module.end)
    fix = "write `end` at the end of the entry procedure"
    return [Diagnostic(code="V079", severity=WARNING, message=message, span=place, notes=(), fix=fix)]


def _lost_constants(module: Module) -> list[Diagnostic]:
    """Constants of a library are in no shader's table, so nobody loads them."""
    message = "constants of a .nodvle file are never loaded: a library has no constant table"
    fix = "move them to the file of the shader, or pass a uniform"
    return [
        Diagnostic(code="V089", severity=WARNING, message=message, span=unit.span, notes=(), fix=fix)
        for unit in module.units
        if unit.is_library and unit.constants
    ]


def contain(program: Program, encoded: Encoded, module: Module, layout: str = "") -> tuple[Shbin | None, list[Diagnostic]]:
    """The container for a program, with the `.shbin` fields of its sources applied. `layout` is what it has without them."""
    from lanewise.pica200.container.build import build
    from lanewise.pica200.container.layout import LAYOUTS, PICASSO

    changes = dict(module.container)
    chosen = changes.get("layout")
    named = chosen.decode("latin-1") if isinstance(chosen, bytes) else layout or PICASSO
    shbin = build(program, encoded.words, encoded.descriptors, named if named in LAYOUTS else PICASSO)
    units = [unit for unit in module.units if not unit.is_library]
    for n, unit in enumerate(units):
        changes |= {f"dvle{n}{key.removeprefix('dvle')}": value for key, value in unit.container.items()}
    if not changes:
        return shbin, _other_entries(program, units, named) if layout else []
    from lanewise.pica200.container.flat import apply

    try:
        return apply(shbin, changes), []
    except (KeyError, ValueError) as error:
        text = str(error.args[0])
        key = next((key for key in module.places if key.removeprefix("dvle") in text), "")
        message = f"a .shbin field cannot be set: {text}"
        return None, [
            Diagnostic(
                code="P057",
                severity=ERROR,
                message=message,
                span=module.places.get(key, module.end),
                notes=(),
                fix="use the keys that `lanewise dis` prints",
            )
        ]


def _other_entries(program: Program, units: Sequence[Unit], layout: str) -> list[Diagnostic]:
    """Notes about entries where the tool of a layout writes something else; a warning where it writes no such file."""
    from lanewise.pica200.container.build import entry_of_tool
    from lanewise.pica200.container.layout import NIHSTRO

    found: list[Diagnostic] = []
    if layout == NIHSTRO and len(units) > 1:
        message = "nihstro's layout holds one shader: without padding, the tables of a second one could be misaligned"
        found.append(
            Diagnostic(
                code="C007",
                severity=WARNING,
                message=message,
                span=units[1].span,
                notes=(),
                fix="remove `--layout` for several shaders",
            )
        )
    for unit, interface in zip(units, program.interfaces, strict=True):
        written = entry_of_tool(program, interface, layout)
        if written != interface.entry:
            place = f"the offset of the name '{unit.entry}' among the symbols"
            message = f"nihstro itself writes {written} as the entry, {place}; lanewise writes the word {interface.entry}"
            fix = f"make {unit.entry} the first label, at the first instruction, for nihstro"
            found.append(Diagnostic(code="P071", severity=NOTE, message=message, span=unit.entry_span, notes=(), fix=fix))
    return found
