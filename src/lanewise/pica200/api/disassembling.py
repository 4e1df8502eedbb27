"""A file as source that assembles to the same bytes. Every answer has been assembled again and compared."""

from __future__ import annotations

from lanewise.core.diagnostics import WARNING
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Disassembly, Source
from lanewise.pica200.api.assembling import assemble_in, contain
from lanewise.pica200.container.build import interfaces
from lanewise.pica200.container.flat import flatten
from lanewise.pica200.container.layout import PICASSO
from lanewise.pica200.container.shbin import write_shbin
from lanewise.pica200.container.tables import name
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.isa.program import Encoding, Program
from lanewise.pica200.text.dialects import dialects

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.pica200.api.assembling import Assembly
    from lanewise.pica200.container.shbin import Shbin
    from lanewise.pica200.isa.program import Uniform
    from lanewise.pica200.text.dialect import Dialect


def program_of(shbin: Shbin) -> Program:
    """The program of a file, with everything that the file fixes pinned."""
    words, descriptors = shbin.words, shbin.descriptors
    encoding = Encoding(tuple(words), tuple(descriptors), flatten(shbin))
    return Program(
        operations=lift(words, descriptors),
        interfaces=interfaces(shbin),
        labels=labels_of(shbin),
        procedures=(),
        encoding=encoding,
    )


def labels_of(shbin: Shbin) -> dict[str, int]:
    """Names of addresses, from the label tables of all shaders; the first use of a name counts."""
    labels: dict[str, int] = {}
    for dvle in shbin.dvles:
        for label in dvle.labels:
            text = name(dvle.symbols, label.symbol)
            if text:
                labels.setdefault(text, label.word)
    return labels


def disassemble(
    shbin: Shbin,
    stem: str = "shader",
    data: bytes | None = None,
    labels: Mapping[str, int] | None = None,
    private: Sequence[tuple[Uniform, ...]] = (),
    dialect: Dialect | None = None,
    *,
    quiet: bool = False,
) -> Disassembly:
    """Sources that give an SHBIN's bytes back, in a lossless language (default: the first of `text.dialects`).

    `stem` begins the names of the sources; `labels` are names of addresses for a file that has none, `private`
    names of constants, for each shader. `quiet`: sources that assemble without a warning are preferred. Raises ValueError for a
    language whose sources do not give bytes back, RuntimeError if they should and do not, which is a bug.
    """
    language = dialect or dialects()[0]
    if language.drafts is None or language.set_field is None:
        raise ValueError(f"{language.title} sources do not give the bytes of a file back")
    data = write_shbin(shbin) if data is None else data
    program = program_of(shbin)
    if labels:
        program = program._replace(labels={**labels, **program.labels})
    if private:
        named = [interface._replace(private=names) for interface, names in zip(program.interfaces, private, strict=True)]
        program = program._replace(interfaces=tuple(named))
    errors: list[str] = []
    loud: Disassembly | None = None
    for draft in language.drafts(program, stem):
        found = draft.made
        assembly = assemble_in(language, found.sources, draft.options)
        errors = [finding.message for finding in assembly.diagnostics if finding.is_error]
        if draft.fields:
            if not _same_code(assembly, program):
                continue
            found = found._replace(sources=_with_fields(found.sources, _fields(assembly, shbin, language.set_field)))
            assembly = assemble_in(language, found.sources, draft.options)
        if assembly.data == data:
            if not quiet or all(finding.severity != WARNING for finding in assembly.diagnostics):
                return found
            loud = loud or found
    if loud is not None:
        return loud
    raise RuntimeError(f"the disassembly of {stem} does not assemble to the same bytes: {errors[:3]}")


def _same_code(assembly: Assembly, program: Program) -> bool:
    """Whether words, descriptors and the number of shaders are those of the file, so that fields of the container can do the
    rest."""
    encoding = program.encoding
    shaders = [unit for unit in assembly.module.units if not unit.is_library]
    return (
        assembly.data is not None
        and encoding is not None
        and assembly.encoded == (encoding.words, encoding.descriptors)
        and len(shaders) == len(program.interfaces)
    )


def _fields(assembly: Assembly, shbin: Shbin, set_field: Callable[[str, int | bytes], str]) -> Mapping[int, list[str]]:
    """Lines for what the file says beyond what the sources say, by number of the source."""
    layout = flatten(shbin)["layout"]
    default, _ = contain(assembly.program, assembly.encoded, assembly.module._replace(container={"layout": layout}))
    if default is None:
        raise RuntimeError("the layout cannot be built")
    before = flatten(default)
    if layout != PICASSO.encode():
        before["layout"] = PICASSO.encode()
    shared = 1 if assembly.module.units and assembly.module.units[0].is_library else 0
    lines: dict[int, list[str]] = {}
    for key, value in flatten(shbin).items():
        if before.get(key) == value:
            continue
        number, _, rest = key.removeprefix("dvle").partition(".")
        mine = key.startswith("dvle") and number.isdigit()
        sheet = int(number) + shared if mine else 0
        lines.setdefault(sheet, []).append(set_field(f"dvle.{rest}" if mine else key, value))
    return lines


def _with_fields(sources: Sequence[Source], fields: Mapping[int, list[str]]) -> tuple[Source, ...]:
    return tuple(
        [
            Source(file, text + "\n" + "\n".join(fields[n]) + "\n" if n in fields else text)
            for n, (file, text) in enumerate(sources)
        ]
    )
