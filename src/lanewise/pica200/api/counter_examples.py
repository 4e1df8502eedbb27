"""Values for which two shaders differ, as `Comparison` shows them."""

from __future__ import annotations

from lanewise.core.comparison import Example, Setting
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, TEMPORARY, register_name
from lanewise.pica200.proof.matching import read_registers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.engine.witness import Found, Pair
    from lanewise.pica200.engine.witness_data import Data
    from lanewise.pica200.isa.program import Interface
    from lanewise.pica200.proof.code import Code


def registers_read(codes: tuple[Code, Code], given: Data) -> set[int]:
    """The registers that either program reads, by the numbers of the first; without constants that are not overwritten."""
    read: set[int] = set()
    for code in codes:
        own = read_registers(code) - (frozenset() if given.overwritten else code.constants.keys() - code.counts)
        for first, size in code.transposed:
            block = range(first, first + size)
            own |= set() if own.isdisjoint(block) else {*block}
        read |= {code.numbers[register] for register in own} if code is codes[1] else own
    return read


def example_of(pair: Pair, found: Found, codes: tuple[Code, Code], interfaces: tuple[Interface, Interface]) -> Example:
    """A difference as a counter-example, with the registers that either program reads; constants of a file that are not
    overwritten are left out."""
    given = found.data
    read = registers_read(codes, given)
    names: dict[int, str] = {}
    for code, interface in zip(codes, interfaces, strict=True):
        for uniform in (*interface.inputs, *interface.uniforms):
            for offset in range(uniform.size):
                register = uniform.first + offset
                text = uniform.name if uniform.size == 1 else f"{uniform.name}[{offset}]"
                names.setdefault(code.numbers[register] if code is codes[1] else register, text)

    def setting(register: int, words: Sequence[int], *, floats: bool) -> Setting:
        name = names.get(register, register_name(register))
        digits = 8 if found.profile.rounding == "float32" else 6
        values = [pair.number(word) for word in words] if floats else [str(word) for word in words]
        return Setting(
            name, register_name(register), tuple(values), tuple([f"0x{word:0{digits}x}" for word in words]) if floats else ()
        )

    vertices = tuple(
        [
            tuple([setting(n, given.inputs[n][lane].tolist(), floats=True) for n in sorted(read) if n < TEMPORARY])
            for lane in range(len(given.inputs[0]))
        ]
    )
    uniforms = [setting(n, given.floats[n - FLOAT], floats=True) for n in sorted(read) if FLOAT <= n < INTEGER]
    preset = codes[0].constants.keys() if not given.overwritten else ()  # start and step of a count
    uniforms += [
        setting(n, given.integers[n - INTEGER][: 1 if n in preset else 4], floats=False)
        for n in sorted(read)
        if INTEGER <= n < BOOLEAN
    ]
    for n in sorted(read):
        if BOOLEAN <= n < BOOLEAN + 16:
            uniforms.append(
                Setting(names.get(n, register_name(n)), register_name(n), (str(given.booleans[n - BOOLEAN]).lower(),))
            )
    return Example(
        vertices=vertices,
        uniforms=tuple(uniforms),
        output=found.output,
        first=found.first,
        second=found.second,
        profile=found.profile.describe(),
        start=_start(pair, given, codes),
    )


def _start(pair: Pair, given: Data, codes: tuple[Code, Code]) -> tuple[Setting, ...]:
    """What registers that either program reads hold at the start, if that is not zero."""
    start = given.start
    if start is None:
        return ()
    digits = 8 if pair.profile.rounding == "float32" else 6

    def row(register: int, words: Sequence[int]) -> Setting:
        name = register_name(register)
        return Setting(name, name, tuple([pair.number(w) for w in words]), tuple([f"0x{w:0{digits}x}" for w in words]))

    found: list[Setting] = []
    if pair.keeps:
        read = {register for code in codes for register in read_registers(code)}
        found += [row(n, start.temporaries[n - TEMPORARY]) for n in sorted(read) if TEMPORARY <= n < FLOAT]
        outputs = {wired.register for code in codes for wired in code.outputs}
        found += [row(n, start.outputs[n])._replace(name=f"o{n}", register=f"o{n}") for n in sorted(outputs)]
        found.append(Setting("a0", "a0", tuple([str(each) for each in start.a0])))
        found.append(Setting("aL", "aL", (str(start.al),)))
        found.append(Setting("cmp", "cmp", tuple([str(each).lower() for each in start.cmp])))
    if codes[0].geometry:
        found.append(Setting("setemit", "setemit", (str(start.emission.vertex),)))
    return tuple(found)
