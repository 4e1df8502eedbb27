"""Shader caches of emulators for commands: one program by number or hash, or all of them."""

from __future__ import annotations

from functools import cached_property

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.document import Heading, Paragraph, Table
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Answer, Report, Request
from lanewise.core.source import Span
from lanewise.core.text.counting import counted
from lanewise.pica200.api.file import read_file
from lanewise.pica200.api.raw import contained
from lanewise.pica200.api.services.members import MemberFile, WholeFile, refuse_linking
from lanewise.pica200.container.caches import TITLES, VERSIONS, read_cache
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.container.shbin import ConstantEntry, write_shbin
from lanewise.pica200.isa.codec import decode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.package import Loaded
    from lanewise.pica200.container.caches import Cache, CachedProgram


def members(request: Request) -> Mapping[str, str]:
    """The names of the programs of a cache. Raises InputError."""
    return CacheFile(request).names


def read(request: Request) -> Loaded:
    """The program of a cache that `program` names, the only one, or the cache. Raises InputError, UsageError."""
    refuse_linking(request, "shader cache")
    loaded = CacheFile(request)
    wanted = request.text("program")
    if wanted:
        return loaded.one(next(program for program in loaded.cache.programs if program.name == wanted))
    return loaded.one(loaded.cache.programs[0]) if len(loaded.cache.programs) == 1 and request.command != "inspect" else loaded


def shbin_of(program: CachedProgram, name: str) -> bytes:
    """The SHBIN of a program: entry point, output map, booleans and integers are those of its state. Raises InputError."""
    words = program.words or (0,)
    entry = program.entry or 0
    if entry >= len(words):
        raise InputError(
            [
                Diagnostic(
                    code="C018",
                    severity=ERROR,
                    message=f"the entry point of {program.name} is word {entry}, and it has {len(words)} words",
                    span=Span(file=name, offset=program.offset),
                    notes=(),
                    fix="name another program of the cache",
                )
            ]
        )
    used = [decode(word) for word in words]
    highest = max([inst.field("desc") for inst in used if "src" in inst.op.operands], default=-1) if used else -1
    descriptors = (*program.descriptors, *(0,) * (highest + 1 - len(program.descriptors)))
    data = contained(words, descriptors, entry=entry, name=name, outputs=dict(program.outputs))
    shbin, findings = read_shbin(data, name)
    if shbin is None:
        raise InputError(findings)
    constants: list[ConstantEntry] = []
    if program.booleans is not None:
        constants += [
            ConstantEntry(0, number, bytes([program.booleans >> number & 1]).ljust(16, b"\0")) for number in range(16)
        ]
    for number, word in enumerate(program.integers or ()):
        constants.append(ConstantEntry(1, number, word.to_bytes(4, "little").ljust(16, b"\0")))
    wired = sum({1 << output.register for output in shbin.dvles[0].outputs})
    dvle = shbin.dvles[0]._replace(constants=tuple(constants), input_mask=0, output_mask=wired or shbin.dvles[0].output_mask)
    return write_shbin(shbin._replace(dvles=(dvle,)))


class CachedFile(MemberFile):
    """A program of a cache as a file."""

    def __init__(self, request: Request, program: CachedProgram) -> None:
        name = f"{request.name}:{program.name}"
        super().__init__(request, program.name, read_file(shbin_of(program, name), name), default="shader")


class CacheFile(WholeFile):
    """A cache of which no program was named."""

    asked = "give the program of the cache by number or hash"

    @cached_property
    def cache(self) -> Cache:
        """The cache. Raises InputError."""
        cache, findings = read_cache(bytes(self.request.sources[0].data), self.name)
        if cache is None:
            raise InputError(findings)
        return cache

    @property
    def names(self) -> Mapping[str, str]:
        return {program.name: program.name for program in self.cache.programs}

    def one(self, program: CachedProgram) -> CachedFile:
        return CachedFile(self.request, program)

    def check(self, request: Request) -> Report:
        """The findings of all programs."""
        reports = [self._checked(program, request) for program in self.cache.programs]
        return Report(
            tuple([finding for report in reports for finding in report.findings]),
            stats=tuple([cost for report in reports for cost in report.stats]),
        )

    def _checked(self, program: CachedProgram, request: Request) -> Report:
        try:
            return self.one(program).check(request)
        except InputError as error:  # of one program, which does not keep the others
            return Report(error.diagnostics)

    def inspect(self, request: Request) -> Answer:
        """The programs with their states."""
        self.refuse_listing(request)
        cache = self.cache
        size = len(request.sources[0].data)
        if request.as_json:
            return Answer(data={"cache": as_json(cache, size, request.name)})
        others = "".join([f", {counted(count, name.removesuffix('s'))}" for name, count in cache.others.items()])
        return Answer(
            page=(
                Heading(1, request.name),
                Paragraph(
                    f"{TITLES[cache.kind]}, version {VERSIONS[cache.kind]}, {size} bytes: "
                    f"{counted(len(cache.programs), 'vertex program')}{others}. No float uniforms: a run needs them, or "
                    "`--default 0`."
                ),
                Table(
                    ("number", "hash", "offset", "words", "descriptors", "entry", "booleans", "outputs"),
                    tuple([_row(*each) for each in enumerate(cache.programs)]),
                ),
                Paragraph(f"`{request.name}:0` or `{request.name}:HASH` is one of them, for every command."),
            )
        )


def _row(number: int, program: CachedProgram) -> tuple[str, ...]:
    booleans = "-" if program.booleans is None else f"0x{program.booleans:04X}"
    outputs = ", ".join([f"{register}={semantic}" for register, semantic in program.outputs])
    return (
        str(number),
        program.name,
        f"0x{program.offset:X}",
        str(len(program.words)),
        str(len(program.descriptors)),
        "-" if program.entry is None else str(program.entry),
        booleans,
        outputs or "-",
    )


def as_json(cache: Cache, size: int, name: str) -> dict[str, object]:
    """A cache as plain values."""
    return {
        "name": name,
        "kind": cache.kind,
        "version": VERSIONS[cache.kind],
        "size": size,
        "others": dict(cache.others),
        "programs": [
            {
                "name": program.name,
                "offset": program.offset,
                "words": len(program.words),
                "descriptors": len(program.descriptors),
                "entry": program.entry,
                "booleans": program.booleans,
                "integers": list(program.integers) if program.integers is not None else None,
                "outputs": dict(program.outputs),
            }
            for program in cache.programs
        ],
    }
