"""Which registers of two shaders are the same thing: by name and semantic where both have names, else by number."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.lift import flow_uniform, operands
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, GEOMETRY_MODES, INTEGER, REGISTER_END, TEMPORARY, register_name
from lanewise.pica200.sem.instruction import computes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.isa.program import Interface
    from lanewise.pica200.proof.code import Code

# Registers that a shader reads and an application writes, by kind: what one is called, its first number, the number after its
# last.
_KINDS = (
    ("input", 0, TEMPORARY),
    ("uniform", FLOAT, INTEGER),
    ("integer uniform", INTEGER, BOOLEAN),
    ("boolean uniform", BOOLEAN, REGISTER_END),
)
# What goes by the registers of inputs, and of uniforms.
_OUTSIDE = (
    "put the AttrInfo_AddLoader lines of the program in the order of the registers",
    "write headers of registers (asm -H) and numbers in the program anew",
)
_FEW = 4
_ALONE = 1000  # added to a register of the second program that is none of the first


class Matching(Record):
    """`numbers` maps registers of the second program to those of the first, registers that are not matched to numbers past all.

    `unmatched` are sentences about what is read and not matched, `presets` about constants that the files preset to other
    values, `alone` about what one program reads only, and the other ignores.
    """

    numbers: tuple[int, ...]
    unmatched: tuple[str, ...]
    presets: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()


def match(
    codes: tuple[Code, Code], interfaces: tuple[Interface, Interface], names: tuple[str, str], *, constants: bool
) -> Matching:
    """Match the registers of two programs. `names` are those of the programs; `constants` of files are taken as known."""
    numbers = [*range(REGISTER_END)]
    unmatched: list[str] = []
    ignored: list[str] = []
    named = [_named(interface) for interface in interfaces]
    read = [read_registers(code) for code in codes]
    for kind, first, end in _KINDS:
        mine, other = ({n: name for n, name in each.items() if first <= n < end} for each in named)
        if not mine or not other:
            continue
        for each, program in ((mine, names[0]), (other, names[1])):
            if len({*each.values()}) < len(each) and mine != other:
                unmatched.append(f"a name of {program} is that of more than one {kind}")
        registers = {name: n for n, name in mine.items()}
        alone: list[list[int]] = [[], []]  # registers of each program that are read and not in the other
        for register in range(first, end):
            name = other.get(register)
            partner = register if name is None and register not in mine else registers.get(name) if name is not None else None
            numbers[register] = _ALONE + register if partner is None else partner
            if name is not None and partner is None and register in read[1]:
                alone[1].append(register)
        there = {*other.values()}
        alone[0] = [register for register, name in mine.items() if name not in there and register in read[0]]
        found = [_listed(kind, each, alone[n], names[n]) for n, each in enumerate((mine, other))]
        # Where both have some, a name of one may be another of the other.
        (ignored if not all(alone) and _moved(numbers, range(first, end), alone[1], {*mine} | read[0]) else unmatched).extend(
            [*found[0], *found[1]]
        )
    presets = () if constants else tuple(other_presets((codes[0], codes[1]._replace(numbers=tuple(numbers))), names))
    unmatched += _outputs(codes, names)
    if interfaces[0].geometry and interfaces[1].geometry:
        modes = [(each.geometry_mode, each.array_start, each.vertex_count) for each in interfaces]
        if modes[0] != modes[1]:
            shown = " and ".join([GEOMETRY_MODES[mode] if mode < 3 else str(mode) for mode, _, _ in modes])
            unmatched.append(f"the geometry shaders have different modes or vertex counts: {shown}")
    return Matching(numbers=tuple(numbers), unmatched=tuple(unmatched), presets=presets, alone=tuple(ignored))


def _moved(numbers: list[int], registers: range, alone: Sequence[int], taken: set[int]) -> bool:
    """Give registers that only the second program has numbers that nothing has. Whether there are as many."""
    free = [n for n in registers if n not in taken and n not in numbers]
    if len(free) < len(alone):
        return False
    for register, number in zip(alone, free, strict=False):
        numbers[register] = number
    return True


def other_registers(matching: Matching, interfaces: tuple[Interface, Interface], names: tuple[str, str]) -> list[str]:
    """Sentences about names that are other registers in the second program, where a program outside sees the difference."""
    found: list[str] = []
    named = [_named(interface) for interface in interfaces]
    for kind, first, end in _KINDS:
        moved = [
            (name[0], register_name(matching.numbers[register]), register_name(register))
            for register, name in sorted(named[1].items(), key=lambda each: matching.numbers[each[0]])
            if first <= register < end and name[1] == 0 and matching.numbers[register] not in {register, _ALONE + register}
        ]
        if moved:
            listed = ", ".join([f"{name} is {mine} and {other}" for name, mine, other in moved[:_FEW]])
            more = ", ..." if len(moved) > _FEW else ""
            found.append(f"{kind}s by their names, in {names[0]} and {names[1]}: {listed}{more}; {_OUTSIDE[bool(first)]}")
    return found


def transposed(interfaces: tuple[Interface, Interface], names: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """The first register and the number of registers, in the second program, of matrices that are the other way round there.
    Raises ValueError for a name that is not that of a matrix of both."""
    found: list[tuple[int, int]] = []
    for name in names:
        rows = [
            [row for row in interface.uniforms if row.name == name and FLOAT <= row.first < INTEGER] for interface in interfaces
        ]
        if not all(rows) or rows[0][0].size != rows[1][0].size or not 2 <= rows[0][0].size <= 4:
            raise ValueError(f"'{name}' is not a uniform of 2 to 4 registers in both programs")
        found.append((rows[1][0].first, rows[1][0].size))
    return tuple(found)


def read_registers(code: Code) -> set[int]:
    """The inputs and uniforms that instructions name; all float uniforms where one is indexed."""
    found: set[int] = set()
    for word in code.words:
        inst = decode(word)
        if computes(inst):
            number = inst.field("desc")
            for source in operands(inst, code.descriptors[number] if number < len(code.descriptors) else 0).sources:
                found.add(source.register)
                if source.relative:
                    found.update(range(FLOAT, INTEGER))
        elif (uniform := flow_uniform(inst)) is not None:
            found.add(uniform)
    return found


def _named(interface: Interface) -> dict[int, tuple[str, int]]:
    """The name of each register that the file names, with its place in an array; none where they are not those of a source."""
    if interface.stripped:
        return {}
    found: dict[int, tuple[str, int]] = {}
    for uniform in (*interface.inputs, *interface.uniforms):
        for offset in range(uniform.size):
            found.setdefault(uniform.first + offset, (uniform.own_name, offset))
    return found


def _listed(kind: str, named: Mapping[int, tuple[str, int]], registers: Sequence[int], program: str) -> list[str]:
    """A sentence for each name of some registers that only one program has."""
    found: dict[str, list[int]] = {}
    for register in registers:
        found.setdefault(named[register][0], []).append(register)
    ranges = {
        name: ", ".join([register_name(n) for n in each])
        if len(each) < 3
        else f"{register_name(each[0])} to {register_name(each[-1])}"
        for name, each in found.items()
    }
    return [f"{kind} {name} ({range_}) is only in {program}" for name, range_ in ranges.items()]


def other_presets(codes: tuple[Code, Code], names: tuple[str, str] = ("the first", "the second")) -> list[str]:
    """Constants that both programs read and that are preset to other values: the programs are equal only while an application
    overwrites them.

    The numbers of registers are those of the second program's `numbers`.
    """
    numbers: Sequence[int] = codes[1].numbers or range(REGISTER_END)
    read = [read_registers(code) for code in codes]
    found: list[str] = []
    mine = codes[0].constants
    other = {numbers[register]: values for register, values in codes[1].constants.items()}
    read_there = {numbers[register] for register in read[1]}
    for register in sorted({*mine, *other}):
        if mine.get(register) != other.get(register) and register in read[0] and register in read_there:
            where = register_name(register if register < _ALONE else register - _ALONE)
            if register in mine and register in other:
                found.append(f"{where} is preset to other values in {names[1]} than in {names[0]}")
            else:
                found.append(f"{where} is preset only in {names[0] if register in mine else names[1]}")
    return found


def _outputs(codes: tuple[Code, Code], names: tuple[str, str]) -> list[str]:
    wired = [[each.name for each in code.outputs] for code in codes]
    return [f"output {name} is only in {names[n]}" for n in range(2) for name in wired[n] if name not in wired[1 - n]]
