"""A program whose path shows: each mark turns the components of r0 and adds a uniform of its own, in whole numbers that are
exact in every format, so the number and the order of marks show and rounding does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.table import IDENTITY
from lanewise.pica200.vectors.building import C, Code, R, descriptor
from lanewise.pica200.vectors.draft import Draft
from lanewise.pica200.vectors.running import FLAGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.vectors.model import Vector
    from lanewise.pica200.vectors.data import Numbers

MARKS = 7
FACTOR = C + 20
_TURNED = 0x6C  # yzwx
BOOLEANS = 0b10  # b1 is set


def _uniforms_of(word: int) -> list[int]:
    inst = decode(word)
    names = ("src1", "src2", "src3")[: inst.op.source_count]
    return [inst.field(name) for name in names if inst.field(name) >= C]


class Path(Code):
    """A program whose path shows in o0."""

    marks: int

    def __init__(self, numbers: Numbers) -> None:
        super().__init__()
        self.numbers = numbers
        self.marks = 0
        self.mov(R + 1, FACTOR)

    def flags(self) -> None:
        """cmp.x is true, cmp.y is false."""
        self.add("cmp", src1=FACTOR, src2=R + 1, cmpx=0, cmpy=1)

    def mark(self) -> int:
        """A step that shows."""
        self.marks = self.marks % MARKS + 1
        return self.add("add", descriptor(selectors=(IDENTITY, _TURNED)), dst=R, src1=C + self.marks, src2=R)

    def finish(self) -> None:
        self.mov(0, R)
        self.end()

    def draft(
        self,
        name: str,
        ops: tuple[str, ...],
        shows: str,
        *hazards: str,
        integers: Mapping[int, Vector] | None = None,
        booleans: int = 0,
    ) -> Draft:
        job = self.job({}, self.uniforms(), integers, booleans)
        job = job._replace(state=tuple([number for number in job.state if number >= FLAGS]))
        return Draft(name=name, group="flow", ops=ops, shows=shows, job=job, hazards=hazards)

    def uniforms(self) -> dict[int, Vector]:
        read = {row - C for word in self.words for row in _uniforms_of(word)}
        if any(inst.op.format.has("idx") and inst.field("idx") for inst in map(decode, self.words)):
            read |= {*range(1, MARKS + 1)}
        found = {n: self.numbers.vector(n, n * n, 10 - n, 1) for n in range(1, MARKS + 1) if n in read}
        return found | {FACTOR - C: self.numbers.vector(3, 1, 2, 5)}

    # Blocks: the instruction first, its end when its body is there.

    def open(self, name: str, *, taken: bool = True, register: int = 0) -> int:
        """An IF, LOOP or CALL; conditions hold if `taken`, with the flags of `flags` and booleans of register 1 set."""
        if name == "for":
            return self.add("for", reg=register)
        if name in ("ifu", "callu", "jmpu"):
            return self.add(name, reg=1 if taken else 2)
        if name in ("ifc", "callc", "jmpc", "breakc"):
            return self.add(name, condop=2, refx=int(taken))
        return self.add(name)

    def close(self, at: int, *, num: int = 0) -> None:
        """The block that begins at `at` ends here."""
        if decode(self.words[at]).op.name == "for":
            self.patch(at, dst=self.here - 1)
        else:
            self.patch(at, dst=self.here, num=num)
