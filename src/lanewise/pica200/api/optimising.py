"""Files of the PICA200 to smaller files with the same outputs: `smaller`."""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.pica200.api.assembling import contain
from lanewise.pica200.container import tables
from lanewise.pica200.container.build import constant_entry
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.container.shbin import write_shbin
from lanewise.pica200.isa.program import Dest, Interface, Operation, Program
from lanewise.pica200.isa.table import BY_NAME
from lanewise.pica200.opt.driver import Options, optimise
from lanewise.pica200.opt.encoding import encoded_of, only_too_many, shared
from lanewise.pica200.opt.proof import StructuralProof

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.pica200.api.assembling import Assembly
    from lanewise.pica200.container.shbin import ConstantEntry, Dvle, LabelEntry, Shbin
    from lanewise.pica200.isa.encoder import Encoded
    from lanewise.pica200.opt.driver import Optimised

_UNKNOWN_SIZE = 0xFFFFFFFF


def optimised_program(program: Program, options: Options) -> Optimised:
    """A program with fewer words, each step proved. Raises ValueError for one that cannot be encoded."""
    encoded, errors = encoded_of(program)
    if encoded is None:
        raise ValueError("; ".join([finding.message for finding in errors]))
    return optimise(program, StructuralProof(program, encoded, constants=options.constants, given=options.given), options)


def with_shared_descriptors(assembly: Assembly) -> Assembly | None:
    """Sources that do not assemble because they need too many operand descriptors, with descriptors shared as the hardware
    allows; None for other errors, and where that does not help."""
    errors = [finding for finding in assembly.diagnostics if finding.is_error]
    if not errors or not only_too_many(errors) or assembly.module.descriptors:
        return None
    program = assembly.program
    encoded, _ = encoded_of(program)
    if encoded is None:
        found = shared(program)
        if found is None or not all(_same(program, found.program, pc) for pc in found.exchanged):
            return None
        program, encoded = found.program, found.encoded
    shbin, findings = contain(program, encoded, assembly.module)
    if shbin is None:
        return None
    kept = tuple([finding for finding in (*assembly.diagnostics, *findings) if not finding.is_error])
    return assembly._replace(data=write_shbin(shbin), program=program, encoded=encoded, diagnostics=kept)


def _same(first: Program, second: Program, pc: int) -> bool:
    """Whether an instruction of two programs does the same, proved for it alone: the first program cannot be encoded as a
    whole."""
    pair: list[tuple[Program, Encoded]] = []
    for program in (first, second):
        operation = program.operations[pc]
        dest, *sources = operation.operands
        if not isinstance(dest, Dest):
            return False
        code = (operation._replace(operands=(Dest(0, dest.mask), *sources), descriptor=-1), Operation(op=BY_NAME["end"]))
        alone = Program(operations=code, interfaces=(Interface(name="alone", entry_end=2),), labels={})
        encoded, _ = encoded_of(alone)
        if encoded is None:
            return False
        pair.append((alone, encoded))
    return StructuralProof(*pair[0]).keeps(*pair[1])


class Smaller(Record):
    """A container with fewer words, and how it was found."""

    data: bytes
    "Bytes of the SHBIN."
    found: Optimised
    "The program with its steps."
    words: tuple[int, int]
    "Machine words before and after."
    descriptors: tuple[int, int]
    "Operand descriptors before and after."
    constants: tuple[int, int]
    "Constants of the file before and after."


def smaller(data: bytes, name: str, program: Program, options: Options) -> Smaller:
    """An SHBIN with fewer words: names, constants and all other fields of the container stay. Raises InputError."""
    try:
        found = optimised_program(program, options)
    except ValueError as error:
        raise InputError([Diagnostic(code="V040", severity=ERROR, message=str(error), span=Span(file=name))]) from None
    shbin, findings = read_shbin(data, name)
    if shbin is None:
        raise InputError(findings)
    container = replaced(shbin, found)
    return Smaller(
        data=write_shbin(container),
        found=found,
        words=(len(shbin.words), len(container.words)),
        descriptors=(len(shbin.descriptors), len(container.descriptors)),
        constants=(_count(shbin), _count(container)),
    )


def _count(shbin: Shbin) -> int:
    return sum([len(dvle.constants) for dvle in shbin.dvles])


def replaced(shbin: Shbin, found: Optimised) -> Shbin:
    """A container with the words of an optimised program; what names addresses is moved."""
    addresses = _addresses(len(shbin.words), found.origins)
    if not found.steps and len(found.encoded.descriptors) >= len(shbin.descriptors):
        return shbin

    def label(entry: LabelEntry) -> LabelEntry:
        word = _at(addresses, entry.word)
        size = entry.size if entry.size == _UNKNOWN_SIZE else _at(addresses, entry.word + entry.size) - word
        return entry._replace(word=word, size=size)

    packed = any(step.move == "constants" for step in found.steps)
    dvles = tuple(
        [
            dvle._replace(
                main=_at(addresses, dvle.main),
                endmain=_at(addresses, dvle.endmain),
                labels=tuple([label(entry) for entry in dvle.labels]),
                constants=tuple(_constants(dvle, interface)) if packed else dvle.constants,
            )
            for dvle, interface in zip(shbin.dvles, found.program.interfaces, strict=True)
        ]
    )
    return shbin._replace(words=found.encoded.words, descriptors=found.encoded.descriptors, seconds=(), dvles=dvles)


def _constants(dvle: Dvle, interface: Interface) -> Iterator[ConstantEntry]:
    """The constants of a shader, those that are gone left out. Entries that are not constants stay."""
    kept = {constant.register: constant for constant in interface.constants}
    for entry in dvle.constants:
        old = tables.constant(entry)
        if old is None or kept.get(old.register) == old:
            yield entry
        elif old.register in kept:
            yield constant_entry(kept[old.register])


def _addresses(size: int, origins: Sequence[int]) -> list[int]:
    """The new address of each address of a program, its end too: that of the first word that was there or after it."""
    found = [len(origins)] * (size + 1)
    last = -1
    for pc, origin in enumerate(origins):
        for address in range(last + 1, origin + 1):
            found[address] = pc
        last = max(last, origin)
    return found


def _at(addresses: Sequence[int], address: int) -> int:
    return addresses[address] if address < len(addresses) else address


__all__ = ["optimised_program", "replaced", "smaller"]
