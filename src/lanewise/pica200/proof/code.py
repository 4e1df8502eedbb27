"""A program for a proof: its words with what they are wired to, and its graph under a profile."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.graph.flow import BudgetExceeded, Node
from lanewise.pica200.ir.graph import unfold
from lanewise.pica200.isa.codec import decode, row_of
from lanewise.pica200.isa.encoder import encode_program
from lanewise.pica200.isa.lift import operands
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, SEMANTICS, TEMPORARY
from lanewise.pica200.sem import flow
from lanewise.pica200.sem.instruction import computes, resolve
from lanewise.proving.machine import Flow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.ir.graph import Graph
    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.isa.program import Interface, Program
    from lanewise.pica200.proof.asked import Asked
    from lanewise.pica200.sem.instruction import ResolvedInst

MOST_STATES = 5_000


class Wired(Record):
    """A component of an output that a later stage takes: what it is there, and where the program leaves it."""

    name: str
    register: int
    channel: int


class Code(Record):
    """Machine words with all that a proof needs to know of a shader."""

    words: tuple[int, ...]
    "Machine words."
    descriptors: tuple[int, ...]
    "Operand descriptors."
    entry: int
    "Address of the first instruction."
    geometry: bool
    "It is a geometry shader."
    outputs: tuple[Wired, ...]
    "In the order of their names."
    constants: Mapping[int, tuple[int, ...]]
    "Values that the file presets, by register."
    numbers: tuple[int, ...] = ()
    "Registers of the other program by those of inputs and uniforms (`matching`); empty where they are the same."
    counts: frozenset[int] = frozenset()
    "Integer registers with a name: the application sets their count, also where the file presets start and step."
    transposed: tuple[tuple[int, int], ...] = ()
    "Matrices whose registers here are the columns of those in the other program: the first register, and how many."

    def place(self, register: int, component: int) -> tuple[int, int]:
        """The register and component of the other program for one of a uniform."""
        for first, size in self.transposed:
            if first <= register < first + size and component < size:
                return self._number(first + component), register - first
        return self._number(register), component

    def _number(self, register: int) -> int:
        return self.numbers[register] if self.numbers else register


class Unencodable(Exception):
    """A program that has no machine words; the text is the reason."""


def code_of(program: Program, interface: Interface) -> Code:
    """A shader of a program, with its words encoded. Raises Unencodable."""
    encoded, findings = encode_program(program)
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        raise Unencodable(errors[0].message)
    return code_of_words(encoded.words, encoded.descriptors, interface)


def code_of_words(words: Sequence[int], descriptors: Sequence[int], interface: Interface) -> Code:
    """A shader of machine words."""
    wired: dict[str, Wired] = {}
    for output in interface.outputs:
        for c in range(4):
            if output.mask >> c & 1:
                semantic = SEMANTICS[output.semantic] if output.semantic < len(SEMANTICS) else str(output.semantic)
                name = f"{semantic}.{'xyzw'[c]}"
                wired.setdefault(f"{name} of o{output.register}" if name in wired else name, Wired(name, output.register, c))
    if not interface.outputs:
        wired = {f"o{n}.{'xyzw'[c]}": Wired(f"o{n}.{'xyzw'[c]}", n, c) for n in range(16) for c in range(4)}
    names = sorted(wired, key=lambda name: (name.partition(".")[0], wired[name].channel, name))
    outputs = tuple([wired[name] for name in names])
    constants = {constant.register: constant.values for constant in interface.constants}
    counts = {n for uniform in interface.uniforms for n in range(max(uniform.first, INTEGER), min(uniform.last + 1, BOOLEAN))}
    return Code(
        words=tuple(words),
        descriptors=tuple(descriptors),
        entry=interface.entry,
        geometry=interface.geometry,
        outputs=outputs,
        constants=constants,
        counts=frozenset(counts),
    )


def opcodes_of(code: Code) -> frozenset[str]:
    """The names of the rows of a program, also those that they are other encodings of."""
    rows = {row_of(word) for word in set(code.words)}
    return frozenset(name for row in rows for name in (row.name, row.base))


class Unfolded:
    """A program under a profile: its graph, its instructions resolved."""

    flow: Flow

    def __init__(self, code: Code, profile: Asked, cache: dict[tuple[int, int], ResolvedInst | None]) -> None:
        """`cache` keeps instructions of other programs under the same profile, by word and descriptor.

        Raises ValueError with the reason for programs whose graph is too large.
        """
        self.code = code
        self._profile = profile.as_profile()
        words = code.words
        size = flow.memory_size(geometry=code.geometry)
        if len(words) > size:
            words = flow.code_memory(words, self._profile, size)
        self._words = tuple(words)
        self.insts: list[Inst] = [decode(word) for word in words]
        graph = unfold(self.insts, code.entry, limit=MOST_STATES, profile=self._profile)
        if isinstance(graph, BudgetExceeded):
            raise ValueError(graph.reason)
        self.graph: Graph = graph
        self._cache = cache
        self.flow = Flow([Node(tuple(block.addresses), block.terminator) for block in graph.blocks])
        self.temporaries: set[int] = set()
        self.outputs: set[int] = set()
        # The instructions that compute, by address; None where the descriptor is missing.
        self.instructions: dict[int, ResolvedInst | None] = {}
        # The registers that their sources read; none of those that an index changes.
        self.reads: dict[int, tuple[int, ...]] = {}
        for address in {address for block in graph.blocks for address in block.addresses}:
            if not computes(self.insts[address]):
                continue
            instruction = self.instructions[address] = self._resolved(address)
            if instruction is not None:
                written = instruction.dest.register
                (self.outputs if written < TEMPORARY else self.temporaries).add(written & 0xF)
                read = tuple([source.register for source in instruction.sources])
                if not any(source.relative for source in instruction.sources):
                    self.reads[address] = read
                self.temporaries.update(n - TEMPORARY for n in read if TEMPORARY <= n < FLOAT)

    def _resolved(self, address: int) -> ResolvedInst | None:
        inst, table = self.insts[address], self.code.descriptors
        number = inst.field("desc")
        if number >= len(table):
            return None
        key = self._words[address], table[number]
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = resolve(inst, operands(inst, table[number]), self._profile)
        return found
