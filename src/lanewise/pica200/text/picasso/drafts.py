"""Sources to try for a program: as picasso itself would read them, then with directives that only lanewise knows."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Disassembly, Source
from lanewise.core.text.quoting import quote
from lanewise.pica200.text.dialect import Draft, Options
from lanewise.pica200.text.picasso.writer import NotPlain, Writer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.pica200.isa.program import Program


def drafts(program: Program, stem: str) -> Iterator[Draft]:
    """Plain sources with picasso's padding left to it, with all padding written out, without padding; then extended ones."""
    for implicit, padding in ((True, True), (False, True), (False, False)):
        try:
            files = Writer(program, implicit=implicit).files_text()
        except NotPlain:
            break
        for compatible in (False, True):
            option = () if padding else ("--no-nop",)
            command = " ".join(["lanewise-picasso", *option, "-o"])  # which is compatible in any case
            headed = _headed(program, stem, files, f"assemble with picasso or lanewise: {command}")
            arguments = (*option, "--picasso-compat") if compatible else option
            yield Draft(headed._replace(arguments=arguments), Options(compatible=compatible, padding=padding))
    for pinned, bare in ((False, False), (True, False), (True, True)):
        files = Writer(program, extended=True, pinned=pinned, bare=bare).files_text()
        headed = _headed(program, stem, files, "has directives that only lanewise knows: lanewise asm -o")
        yield Draft(headed._replace(plain=False), fields=True)


def _headed(program: Program, stem: str, files: Sequence[tuple[str, str]], command: str) -> Disassembly:
    """Each file as a source with a comment that says how all are put together again."""
    names = [_name(program, stem, suffix) for suffix, _ in files]
    head = f"; {command} {stem}.shbin {' '.join(names)}\n\n"
    return Disassembly(sources=tuple([Source(name, head + text) for name, (_, text) in zip(names, files, strict=True)]))


def _name(program: Program, stem: str, suffix: str) -> str:
    if suffix == ".shared":
        return f"{stem}.shared.pica"
    geometry = program.interfaces[int(suffix[1:] or 0)].geometry if program.interfaces else False
    return f"{stem}{suffix}.{'g' if geometry else 'v'}.pica"


def set_field(key: str, value: int | bytes) -> str:
    """The directive that sets a field of the container."""
    text = quote(value) if isinstance(value, bytes) else str(value) if -1 <= value < 10 else f"{value:#x}"
    return f".shbin {key} {text}"
