"""A file as source that assembles to the same bytes. Every answer has been assembled again and compared."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Disassembly, Source
from lanewise.core.text.quoting import quote
from lanewise.pica200.api.assembling import assemble_sources, contain
from lanewise.pica200.container.build import interfaces
from lanewise.pica200.container.flat import flatten
from lanewise.pica200.container.shbin import write_shbin
from lanewise.pica200.container.tables import name
from lanewise.pica200.isa.lift import lift
from lanewise.pica200.isa.program import Encoding, Program
from lanewise.pica200.text.picasso.writer import NotPlain, Writer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.api.assembling import Assembly
    from lanewise.pica200.container.shbin import Shbin
    from lanewise.pica200.isa.program import Uniform


def program_of(shbin: Shbin) -> Program:
    """The program of a file, with everything that the file fixes pinned."""
    words, descriptors = shbin.words, shbin.descriptors
    encoding = Encoding(tuple(words), tuple(descriptors), flatten(shbin))
    return Program(lift(words, descriptors), interfaces(shbin), labels_of(shbin), (), encoding)


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
) -> Disassembly:
    """Disassembly for an SHBIN: plain picasso where picasso wrote it, otherwise with directives that only lanewise knows.

    `stem` begins the names of the sources; `labels` are names of addresses for a file that has none, `private`
    names of constants, for each shader. Raises RuntimeError if
    the sources do not give the bytes back, which is a bug.
    """
    data = write_shbin(shbin) if data is None else data
    program = program_of(shbin)
    if labels:
        program = program._replace(labels={**labels, **program.labels})
    if private:
        named = [interface._replace(private=names) for interface, names in zip(program.interfaces, private, strict=True)]
        program = program._replace(interfaces=tuple(named))
    return _plain(program, stem, data) or _extended(program, shbin, stem, data)


def _named(program: Program, stem: str, sheets: list[tuple[str, str]]) -> list[Source]:
    named: list[Source] = []
    for suffix, text in sheets:
        geometry = program.interfaces[int(suffix[1:] or 0)].geometry if suffix != ".shared" and program.interfaces else False
        named.append(
            Source(f"{stem}{suffix}.{'g' if geometry else 'v'}.pica" if suffix != ".shared" else f"{stem}.shared.pica", text)
        )
    return named


def _plain(program: Program, stem: str, data: bytes) -> Disassembly | None:
    """Sources that picasso knows too: with its padding left to it, with all padding written out, without padding."""
    for implicit, padding in ((True, True), (False, True), (False, False)):
        try:
            sources = _named(program, stem, Writer(program, implicit=implicit).files_text())
        except NotPlain:
            return None
        for compatible in (False, True):
            if assemble_sources(sources, compatible=compatible, padding=padding).data == data:
                arguments = ("--no-nop",) * (not padding) + ("--picasso-compat",) * compatible
                return _headed(sources, stem, plain=True, arguments=arguments)
    return None


def _extended(program: Program, shbin: Shbin, stem: str, data: bytes) -> Disassembly:
    encoding = program.encoding
    assembly: Assembly | None = None
    for pinned, bare in ((False, False), (True, False), (True, True)):
        sources = _named(program, stem, Writer(program, extended=True, pinned=pinned, bare=bare).files_text())
        assembly = assemble_sources(sources)
        module = assembly.module
        if assembly.data is None or encoding is None or assembly.encoded != (encoding.words, encoding.descriptors):
            continue
        if len([unit for unit in module.units if not unit.library]) != len(program.interfaces):
            continue
        fields = _fields(assembly, shbin)
        sources = [Source(file, _with_fields(text, fields.get(n, []))) for n, (file, text) in enumerate(sources)]
        if assemble_sources(sources).data == data:
            return _headed(sources, stem, plain=False, arguments=())
    errors = [d.message for d in assembly.diagnostics if d.is_error][:3] if assembly else []
    raise RuntimeError(f"the disassembly of {stem} does not assemble to the same bytes: {errors}")


def _fields(assembly: Assembly, shbin: Shbin) -> Mapping[int, list[str]]:
    """The `.shbin` lines for what the file says beyond what the sources say, by number of the source."""
    layout = flatten(shbin)["layout"]
    default, _ = contain(assembly.program, assembly.encoded, assembly.module._replace(container={"layout": layout}))
    if default is None:
        raise RuntimeError("the layout cannot be built")
    before = flatten(default)
    if layout != b"picasso":
        before["layout"] = b"picasso"
    shared = 1 if assembly.module.units and assembly.module.units[0].library else 0
    lines: dict[int, list[str]] = {}
    for key, value in flatten(shbin).items():
        if before.get(key) == value:
            continue
        number, _, rest = key.removeprefix("dvle").partition(".")
        mine = key.startswith("dvle") and number.isdigit()
        sheet = int(number) + shared if mine else 0
        text = quote(value) if isinstance(value, bytes) else str(value) if -1 <= value < 10 else f"{value:#x}"
        lines.setdefault(sheet, []).append(f".shbin {f'dvle.{rest}' if mine else key} {text}")
    return lines


def _with_fields(text: str, lines: list[str]) -> str:
    return text + "\n" + "\n".join(lines) + "\n" if lines else text


def _headed(sources: list[Source], stem: str, *, plain: bool, arguments: tuple[str, ...]) -> Disassembly:
    """Each source with a comment that says how it is put together again."""
    names = " ".join(source.name for source in sources)
    if plain:
        options = " ".join(argument for argument in arguments if argument != "--picasso-compat")
        command = f"lanewise-picasso {options + ' ' if options else ''}-o {stem}.shbin {names}"
        head = f"; assemble with picasso or lanewise: {command}\n\n"
    else:
        head = f"; has directives that only lanewise knows: lanewise asm -o {stem}.shbin {names}\n\n"
    return Disassembly(tuple(Source(name, head + text) for name, text in sources), plain, arguments)
