"""Names of registers in a translation: those of the file as identifiers of the language, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.record import Record
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, SEMANTICS
from lanewise.translating.names import Member, identifier

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.pica200.isa.program import Interface, Uniform
    from lanewise.translating.languages import Language

FLOATS = 96


class Names(Record):
    """The members of inputs, outputs and uniforms, in the order of registers."""

    inputs: tuple[Member, ...]
    outputs: tuple[Member, ...]
    uniforms: tuple[Member, ...]

    def of(self, members: Sequence[Member], register: int) -> tuple[Member, int]:
        """The member that a register is in, and its place in it. Raises KeyError."""
        for member in members:
            if member.first <= register < member.first + member.size:
                return member, register - member.first
        raise KeyError(register)


def names_of(
    interface: Interface,
    inputs: Iterable[Uniform],
    uniforms: Iterable[Uniform],
    read: Iterable[int],
    written: Iterable[int],
    used: frozenset[int],
    language: Language,
    *,
    whole: bool,
) -> Names:
    """`inputs` and `uniforms` are those that the file names; `read`, `written` and `used` the v and o registers and the
    uniforms that the program uses. `whole`: all uniforms are members, not only those that are used."""
    taken: set[str] = set()
    together = not language.members
    mine = _covered(inputs, taken, language, 0, 16)
    inside = {register for member in mine for register in range(member.first, member.first + member.size)}
    for number in sorted(set(read) - inside):
        mine.append(Member(identifier(f"v{number}", language, taken), number, 1))
    split = [
        Member(member.name if member.size == 1 else identifier(f"{member.name}_{n}", language, taken), member.first + n, 1)
        for member in sorted(mine, key=lambda each: each.first)
        for n in range(member.size)
    ]
    outputs: dict[int, str] = {}
    if not together:
        taken = set()
    for output in interface.outputs:
        if output.register not in outputs:
            outputs[output.register] = identifier(output.name or _semantic(output.semantic, taken), language, taken)
    for number in written:
        if number not in outputs:
            outputs[number] = identifier(f"o{number}", language, taken)
    if not together:
        taken = set()
    given = list(uniforms)
    members: list[Member] = []
    for first, count, letter in ((FLOAT, FLOATS, "c"), (INTEGER, 4, "i"), (BOOLEAN, 16, "b")):
        members += _filled(_covered(given, taken, language, first, first + count), first, count, letter, used, language, taken)
    if not whole:
        members = [each for each in members if not used.isdisjoint(range(each.first, each.first + each.size))]
    return Names(tuple(split), tuple([Member(name, number, 1) for number, name in sorted(outputs.items())]), tuple(members))


def _semantic(number: int, taken: set[str]) -> str:
    name = SEMANTICS[number]
    return f"{name}_out" if name in taken else name


def _covered(given: Iterable[Uniform], taken: set[str], language: Language, low: int, end: int) -> list[Member]:
    """The named registers of a file; of names for one register the first counts."""
    found: list[Member] = []
    used: set[int] = set()
    for uniform in given:
        registers = range(uniform.first, uniform.last + 1)
        if low <= uniform.first and uniform.last < end and not used & set(registers):
            used |= set(registers)
            found.append(Member(identifier(uniform.name, language, taken), uniform.first, uniform.size))
    return sorted(found, key=lambda each: each.first)


def _filled(
    members: Sequence[Member], first: int, count: int, letter: str, used: frozenset[int], language: Language, taken: set[str]
) -> list[Member]:
    """The members with others for the registers between them: one for each that is used, one for several that are not."""
    found: list[Member] = []
    at = first
    for member in [*members, Member("", first + count, 0)]:
        if member.first > at:
            while at < member.first:
                size = 1 if at in used else next((n for n in range(at, member.first) if n in used), member.first) - at
                found.append(Member(identifier(f"{letter}{at - first}", language, taken), at, size))
                at += size
        if member.size:
            found.append(member)
        at = member.first + member.size
    return found
