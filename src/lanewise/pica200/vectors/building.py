"""Programs of test vectors, word by word, and the cases that come of them."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.vectors.model import GEOMETRY, VERTEX, Job
from lanewise.pica200.isa.codec import Inst, decode, encode
from lanewise.pica200.isa.table import (
    ARITHMETIC,
    BY_NAME,
    CALL,
    CONDITIONAL,
    FLOAT,
    IDENTITY,
    LOOP,
    TEMPORARY,
    UNKNOWN,
    WIDE_SOURCE,
    Descriptor,
)
from lanewise.pica200.vectors import running

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.vectors.model import Lanes, Vector

R, C = TEMPORARY, FLOAT
MOST_DESCRIPTORS = 128
INDEXED_X, INDEXED_Y, INDEXED_LOOP = 1, 2, 3


def descriptor(mask: int = 0xF, selectors: Sequence[int] = (), signs: int = 0) -> int:
    """An operand descriptor: identity for missing selectors; bit n of `signs` negates source n + 1."""
    found = Descriptor.MASK.insert(mask)
    for n in range(3):
        found |= Descriptor.SELECTOR[n].insert(selectors[n] if n < len(selectors) else IDENTITY)
        found |= Descriptor.NEGATE[n].insert(signs >> n & 1)
    return found


class Code:
    """A program being written. Methods that add an instruction give its address."""

    def __init__(self) -> None:
        self.words: list[int] = []
        self.descriptors: list[int] = []

    @property
    def here(self) -> int:
        return len(self.words)

    def described(self, value: int, *, first: bool = False) -> int:
        """The number of a descriptor. Raises ValueError if there are more than instructions can name."""
        if value not in self.descriptors:
            self.descriptors.append(value)
        number = self.descriptors.index(value)
        if number >= (32 if first else MOST_DESCRIPTORS):
            raise ValueError("too many descriptors")
        return number

    def add(self, name: str, desc: int | None = None, **fields: int) -> int:
        """An instruction; fields that are not given are 0. `desc` is a descriptor, not its number."""
        op = BY_NAME[name]
        fields["opcode"] = op.opcode
        if op.format.has("desc"):
            fields["desc"] = self.described(descriptor() if desc is None else desc, first=op.format.field("desc").width < 6)
        self.words.append(encode(Inst(op, tuple([fields.get(field.name, 0) for field in op.format.fields]))))
        return self.here - 1

    def unknown(self, opcode: int) -> int:
        self.words.append(encode(Inst(UNKNOWN, (0, opcode))))
        return self.here - 1

    def mov(self, to: int, source: int, desc: int | None = None, idx: int = 0) -> int:
        return self.add("mov", desc, dst=to, src1=source, idx=idx)

    def operate(self, name: str, to: int, sources: Sequence[int], desc: int | None = None, idx: int = 0, **fields: int) -> int:
        """An instruction that computes, with its sources in order."""
        given = {f"src{n}": register for n, register in enumerate(sources, 1)}
        if BY_NAME[name].format.has("dst"):
            given["dst"] = to
        return self.add(name, desc, idx=idx, **given, **fields)

    def patch(self, at: int, **fields: int) -> None:
        """Change fields of an instruction."""
        self.words[at] = encode(decode(self.words[at]).replace(**fields))

    def end(self) -> None:
        self.add("end")

    def job(
        self,
        inputs: Mapping[int, Lanes] | None = None,
        floats: Mapping[int, Vector] | None = None,
        integers: Mapping[int, Vector] | None = None,
        booleans: int = 0,
        *,
        outputs: Sequence[int] | None = None,
        geometry: bool = False,
        lanes: int = 0,
        entry: int = 0,
    ) -> Job:
        """The program with data. Outputs are all that it names, if none are given; state is what it writes besides."""
        inputs = inputs or {}
        insts = [decode(word) for word in self.words]
        computing = [inst for inst in insts if inst.op.kind == ARITHMETIC]
        written = {inst.field("dst") for inst in computing if inst.op.format.has("dst") and "adr" not in inst.op.operands}
        state = sorted(register for register in written if register >= R)
        if any("cmp" in inst.op.writes for inst in computing):
            state.append(running.FLAGS)
        if any("a0" in inst.op.writes for inst in computing):
            state.append(running.ADDRESS)
        if any(inst.op.kind == LOOP for inst in insts):
            state.append(running.LOOP)
        named = sorted(register for register in written if register < R) if outputs is None else outputs
        count = lanes or max([len(rows) for rows in inputs.values()], default=1)
        return Job(
            number=0,
            kind=GEOMETRY if geometry else VERTEX,
            lanes=count,
            entry=entry,
            code=tuple(self.words),
            descriptors=tuple(self.descriptors),
            floats=floats or {},
            integers=integers or {},
            booleans=booleans,
            inputs=dict(sorted(inputs.items())),
            outputs=tuple(named),
            state=tuple(state),
        )


def wide_place(name: str) -> int:
    """The number of the source that may be a uniform, counted from 0."""
    return WIDE_SOURCE[BY_NAME[name].format.name] - 1


def opens(name: str) -> bool:
    return BY_NAME[name].kind in (CONDITIONAL, LOOP, CALL)
