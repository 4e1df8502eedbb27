"""Sources of an optimised program: those given, with statements removed and changed; names, comments and layout stay.

What is written has been assembled again, and its program proved to have the outputs of the one given. Where the sources cannot
be edited, as with macros and included files, the program is written anew.
"""

from __future__ import annotations

from lanewise.core.diagnostics import has_errors
from lanewise.core.editing import edited
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.api.converting import convert_file
from lanewise.pica200.api.file import optimise_file
from lanewise.pica200.api.services.dis import stem_of
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.isa import cures
from lanewise.pica200.isa import module as m
from lanewise.pica200.isa.module import Mark
from lanewise.pica200.isa.program import BLOCK, Target
from lanewise.pica200.opt.proof import StructuralProof
from lanewise.pica200.opt.statements import changed, is_inserted, place, without
from lanewise.pica200.text.dialects import dialects

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.core.diagnostics import Edit
    from lanewise.core.source import Span
    from lanewise.pica200.api.assembling import Assembly
    from lanewise.pica200.api.file import Optimisation
    from lanewise.pica200.api.services.loaded import LinkedSources, PicaFile
    from lanewise.pica200.isa.program import Operation
    from lanewise.pica200.opt.driver import Optimised, Options
    from lanewise.pica200.text.dialect import Dialect

    Place = tuple[str, int, int]  # file, line, column


class Written(Record):
    """The sources of an optimised program as (name, text), with what was done, and a remark where they could not be edited."""

    sources: tuple[tuple[str, str], ...]
    found: Optimisation
    remark: str = ""


class _NotEditable(Exception):
    """The sources cannot be edited; the text is the reason."""


def edited_sources(loaded: LinkedSources, options: Options) -> Written:
    """The sources of a program after optimisation. Raises InputError."""
    assembly = loaded.assembly()
    inserted = frozenset([pc for pc, operation in enumerate(assembly.program.operations) if is_inserted(operation)])
    found, program = optimise_file(loaded.program, options._replace(keep=inserted, pack=False))
    if not found.steps:
        return Written(tuple(loaded.sources), found)
    try:
        texts = _Editor(loaded, assembly, program).texts()
    except _NotEditable as reason:
        return written_anew(loaded, options, str(reason))
    again = loaded.assembled(texts)
    if again.data is None or has_errors(again.diagnostics):
        return written_anew(loaded, options, "the edited sources do not assemble")
    proof = StructuralProof(assembly.program, assembly.encoded, constants=options.constants, given=options.given)
    if len(again.program.interfaces) != len(assembly.program.interfaces) or not proof.keeps(again.program, again.encoded):
        return written_anew(loaded, options, "the edited sources are another program")
    words = found.words[0], len(again.encoded.words)
    descriptors = found.descriptors[0], len(again.encoded.descriptors)
    return Written(tuple(texts), found._replace(words=words, descriptors=descriptors))


def written_anew(loaded: PicaFile, options: Options, why: str = "", dialect: str = "") -> Written:
    """The program as new sources, without the comments and the layout of old ones. Raises InputError."""
    found, _ = optimise_file(loaded.program, options)
    data = found.file.to_bytes()
    shbin, _ = read_shbin(data, loaded.name)
    if shbin is None:
        raise RuntimeError(f"{loaded.name}: the optimised file cannot be read")
    path = loaded.request.sources[0].path if loaded.request.sources else ""
    disassembly = convert_file(shbin, dialect or dialects()[0].name, stem_of(path), data)
    remark = f"written anew, without comments and layout: {why}" if why else ""
    return Written(tuple([(source.name, source.text) for source in disassembly.sources]), found, remark)


class _Structure(Record):
    """A block or procedure of the source."""

    opener: Operation | Mark
    "Instruction or mark that opens it."
    otherwise: Mark | None
    "Mark of its else; None without one."
    end: Mark | None
    "Mark of its end; None where its end has none."
    operations: tuple[Operation, ...]
    "Operations between the marks, those of inner blocks included."
    labels: tuple[Mark, ...]
    "Labels between the marks."


class _Editor:
    """Edits of the sources of a program."""

    def __init__(self, loaded: LinkedSources, assembly: Assembly, program: Optimised) -> None:
        self._loaded, self._made, self._program = loaded, assembly, program
        self._dialect: Dialect = loaded.languages[0]
        self._known = {name for name, _ in loaded.sources}
        self._edits: dict[str, list[Edit]] = {name: [] for name in self._known}
        self._shared: dict[Place, int] = {}
        for operation in assembly.program.operations:
            if operation.span is not None and not is_inserted(operation):
                self._shared[place(operation.span)] = self._shared.get(place(operation.span), 0) + 1

    def texts(self) -> list[tuple[str, str]]:
        """The edited sources. Raises _NotEditable."""
        before, after = self._made.program.operations, self._program.program.operations
        addresses = {origin: pc for pc, origin in enumerate(self._program.origins)}
        if len(addresses) < len(self._program.origins):
            raise _NotEditable("a loop is unrolled")
        gone: set[Place] = set()
        for origin, old in enumerate(before):
            if is_inserted(old):
                continue
            if origin not in addresses:
                span = self._own(old)
                gone.add(place(span))
                self._add(without(span))
            elif _plain(after[addresses[origin]]) != _plain(old):
                span = self._own(old)
                self._add((self._changed(after[addresses[origin]], span),))
        for structure in _structures(self._made.module.items):
            self._close(structure, gone)
        try:
            return [(name, edited(text, self._edits[name])) for name, text in self._loaded.sources]
        except ValueError:
            raise _NotEditable("two statements overlap") from None

    def _own(self, operation: Operation) -> Span:
        """The statement of an operation, and of no other."""
        span = operation.span
        if span is None or not span.line or span.file not in self._known:
            raise _NotEditable("a statement is not in the files given")
        if self._shared.get(place(span), 0) > 1:
            raise _NotEditable(f"the statement in line {span.line} gives several words")
        return span

    def _add(self, edits: Sequence[Edit]) -> None:
        for edit in edits:
            if edit.span.file not in self._known:
                raise _NotEditable("a statement is not in the files given")
            self._edits[edit.span.file].append(edit)

    def _close(self, structure: _Structure, gone: set[Place]) -> None:
        """Remove the marks of a block whose statements are gone."""

        def is_gone(operation: Operation) -> bool:
            return operation.span is not None and place(operation.span) in gone

        opener = structure.opener
        whole = (
            is_gone(opener)
            if not isinstance(opener, Mark)
            else (
                bool(structure.operations)
                and all(is_gone(operation) or is_inserted(operation) for operation in structure.operations)
            )
        )
        marks = (structure.otherwise, structure.end)
        if whole:
            mine = (opener, *marks, *structure.labels) if isinstance(opener, Mark) else marks
            for mark in mine:
                if isinstance(mark, Mark):
                    self._add(cures.without(mark.span))
        elif structure.otherwise is not None and not isinstance(opener, Mark):
            line = structure.otherwise.span.line
            later = [
                operation for operation in structure.operations if operation.span is not None and operation.span.line > line
            ]
            if later and all(map(is_gone, later)):
                self._add(cures.without(structure.otherwise.span))

    def _changed(self, operation: Operation, span: Span) -> Edit:
        """A statement with another operation. Raises _NotEditable."""
        found = changed(self._dialect, self._made.program.interfaces, operation, span)
        if found is None:
            raise _NotEditable(f"{self._dialect.title} has no statement for {operation.op.name} in line {span.line}")
        return found


def _plain(operation: Operation) -> tuple[object, ...]:
    """What the text of an operation says: without the address of a target, which is a name there."""
    operands = tuple([None if isinstance(operand, Target) else operand for operand in operation.operands])
    return operation.op.name, operands


def _structures(items: Sequence[Operation | Mark]) -> Iterator[_Structure]:
    """The blocks and procedures of sources, inner ones first."""
    opened: list[tuple[Operation | Mark, list[Mark], list[Operation], list[Mark]]] = []
    for item in items:
        if isinstance(item, Mark):
            if item.kind == m.PROC:
                opened.append((item, [], [], []))
            elif item.kind == m.LABEL:
                for _, _, _, labels in opened:
                    labels.append(item)
            elif item.kind == m.ELSE and opened:
                opened[-1][1].append(item)
            elif item.kind in (m.END_PROC, m.END_IF, m.END_FOR) and opened:
                opener, otherwise, operations, labels = opened.pop()
                yield _Structure(
                    opener=opener,
                    otherwise=otherwise[0] if otherwise else None,
                    end=item,
                    operations=tuple(operations),
                    labels=tuple(labels),
                )
            continue
        for _, _, operations, _ in opened:
            operations.append(item)
        if item.operands and item.operands[-1] is BLOCK:
            opened.append((item, [], [], []))


__all__ = ["Written", "edited_sources", "written_anew"]
