"""Comparison of an answer with what is expected: the parts that both have, lane by lane, component by component."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.text.counting import counted
from lanewise.core.vectors.model import ENDED, STATUS, Job, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from lanewise.core.vectors.model import Lanes, Vector, Write


CORNERS = 3  # of a primitive


class Tolerance(Record):
    """Words that count as equal besides equal ones: NaN of any pattern or only of any sign; numbers so many words of the format
    apart."""

    any_nan: bool = False
    nan_sign: bool = False
    ulp: int = 0


EXACT = Tolerance()


class Difference(Record):
    """A place where an answer is not as expected."""

    what: str
    "Part of the outcome, such as `status` or `cycles 0`."
    lane: int
    "Lane or vertex, from 0; -1 where it is about none."
    register: int
    "Number of the register; -1 where the difference is not in a register."
    component: int
    "0 to 3; -1 where the difference is not in a register."
    expected: int
    "Word, status or count of the expected outcome."
    found: int
    "The same of the answer."

    def text(self, name: str) -> str:
        """A line; `name` is that of the register."""
        if self.what == "status":
            found = STATUS[self.found] if self.found < len(STATUS) else str(self.found)
            return f"lane {self.lane}: expected {STATUS[self.expected]}, found {found}"
        if self.what.startswith("value"):
            return f"{self.what}: expected {self.expected:#010x}, found {self.found:#010x}"
        if self.register < 0:
            return f"{self.what}: expected {self.expected}, found {self.found}"
        if self.what == "written":
            return f"{name} of lane {self.lane}: expected write mask {self.expected:#x}, found {self.found:#x}"
        place = f"vertex {self.lane}" if self.what == "primitives" else f"lane {self.lane}"
        return f"{name}.{'xyzw'[self.component]} of {place}: expected {self.expected:#010x}, found {self.found:#010x}"


def differences(job: Job, expected: Outcome, found: Outcome, bits: int, tolerance: Tolerance = EXACT) -> Iterator[Difference]:
    """All differences, in order. Lanes that are not expected to end are compared by their status only."""
    if len(found.status) != len(expected.status):
        yield Difference(
            what="number of lanes", lane=-1, register=-1, component=-1, expected=len(expected.status), found=len(found.status)
        )
        return
    ended = [status == ENDED for status in expected.status]
    for lane, (one, other) in enumerate(zip(expected.status, found.status, strict=True)):
        if (one == ENDED) != (other == ENDED):
            yield Difference(what="status", lane=lane, register=-1, component=-1, expected=one, found=other)
            ended[lane] = False
    yield from _registers(
        "outputs", expected.outputs, found.outputs, ended, bits, tolerance, required=True, masks=expected.written
    )
    for register, masks in expected.written.items():
        for lane, (one, other) in enumerate(zip(masks, found.written.get(register, masks), strict=False)):
            if ended[lane] and one != other:
                yield Difference(what="written", lane=lane, register=register, component=0, expected=one, found=other)
    yield from _registers("state", expected.state, found.state, ended, bits, tolerance, required=False)
    yield from _primitives(job, expected, found, ended, bits, tolerance)
    if found.cycles:
        for n, one in enumerate(expected.cycles):
            other = found.cycles[n] if n < len(found.cycles) else 0
            if one != other:
                yield Difference(what=f"cycles {n}", lane=-1, register=-1, component=-1, expected=one, found=other)
    if found.writes and found.writes != expected.writes:
        place = next((n for n, pair in enumerate(zip(expected.writes, found.writes, strict=False)) if pair[0] != pair[1]), -1)
        if place < 0:
            yield Difference(
                what="number of writes",
                lane=-1,
                register=-1,
                component=-1,
                expected=len(expected.writes),
                found=len(found.writes),
            )
        else:
            yield _written(place, expected.writes[place], found.writes[place])


def incomplete(job: Job, expected: Outcome, found: Outcome, name: Callable[[int], str]) -> str:
    """The parts that an answer lacks, and what to write; empty for a complete one. `name` is that of a register."""
    if len(found.status) != job.lanes:
        given, lanes = counted(len(found.status), "lane"), counted(job.lanes, "lane")
        return f"the answer has the status of {given}, and the job has {lanes}: answer a status for each of job.lanes"
    if any((one == ENDED) != (other == ENDED) for one, other in zip(expected.status, found.status, strict=False)):
        return ""
    lacking = [name(register) for register in expected.outputs if register not in found.outputs]
    if lacking:
        asked = ", ".join(map(name, expected.outputs))
        others = [name(register) for register in found.outputs if register not in expected.outputs]
        more = f", and has {', '.join(others)}, which the job does not ask for" if others else ""
        fix = "answer each under the number that job.outputs has, with zeros where the program writes nothing"
        return f"the answer lacks {', '.join(lacking)}{more}: job.outputs are {asked}: {fix}"
    if expected.primitives is not None and found.primitives is None:
        return (
            "the answer lacks primitives: the job is of a geometry shader: answer those that it emits, 0 where there are none"
        )
    return ""


def _written(number: int, one: Write, other: Write) -> Difference:
    """The first part in which two writes differ."""
    for part, mine, theirs in (
        ("cycle", one.cycle, other.cycle),
        ("quad", one.quad, other.quad),
        ("place", one.place, other.place),
    ):
        if mine != theirs:
            return Difference(what=f"write {number}, {part}", lane=-1, register=-1, component=-1, expected=mine, found=theirs)
    lane = next(n for n, pair in enumerate(zip(one.lanes, other.lanes, strict=True)) if pair[0] != pair[1])
    return Difference(
        what=f"value of write {number} in lane {4 * one.quad + lane}",
        lane=-1,
        register=-1,
        component=-1,
        expected=one.lanes[lane],
        found=other.lanes[lane],
    )


def _registers(
    what: str,
    expected: Mapping[int, Lanes],
    found: Mapping[int, Lanes],
    ended: list[bool],
    bits: int,
    tolerance: Tolerance,
    *,
    required: bool,
    masks: Mapping[int, tuple[int, ...]] | None = None,
) -> Iterator[Difference]:
    """Components that the program has not written are not compared."""
    for register, lanes in expected.items():
        given = found.get(register)
        if given is None:
            if required:
                yield Difference(what="missing output", lane=-1, register=-1, component=-1, expected=register, found=0)
            continue
        for lane, (one, other) in enumerate(zip(lanes, given, strict=False)):
            if ended[lane]:
                mask = masks[register][lane] if masks and register in masks else 0xF
                yield from _vector(what, lane, register, one, other, bits, tolerance, mask)


def _vector(
    what: str, lane: int, register: int, one: Vector, other: Vector, bits: int, tolerance: Tolerance, mask: int = 0xF
) -> Iterator[Difference]:
    for component in range(4):
        if mask & 8 >> component and not equal(one[component], other[component], bits, tolerance):
            yield Difference(
                what=what, lane=lane, register=register, component=component, expected=one[component], found=other[component]
            )


def _primitives(
    job: Job, expected: Outcome, found: Outcome, ended: list[bool], bits: int, tolerance: Tolerance
) -> Iterator[Difference]:
    if expected.primitives is None or not all(ended):
        return
    given = found.primitives
    if given is None:
        yield Difference(
            what="missing primitives", lane=-1, register=-1, component=-1, expected=len(expected.primitives), found=0
        )
        return
    if len(given) != len(expected.primitives):
        yield Difference(
            what="number of primitives", lane=-1, register=-1, component=-1, expected=len(expected.primitives), found=len(given)
        )
        return
    for number, (one, other) in enumerate(zip(expected.primitives, given, strict=True)):
        if one.run != other.run:
            yield Difference(
                what=f"run of primitive {number}", lane=-1, register=-1, component=-1, expected=one.run, found=other.run
            )
        if one.inverted != other.inverted:
            yield Difference(
                what=f"winding of primitive {number}",
                lane=-1,
                register=-1,
                component=-1,
                expected=one.inverted,
                found=other.inverted,
            )
        for corner, (vectors, theirs) in enumerate(zip(one.vertices, other.vertices, strict=True)):
            for register, vector, answer in zip(job.outputs, vectors, theirs, strict=False):
                yield from _vector("primitives", CORNERS * number + corner, register, vector, answer, bits, tolerance)


def nan_remark(first: Difference, bits: int) -> str:
    """The end of the text of a difference between two NaNs; empty for others."""
    if first.component < 0 or first.what == "written" or not equal(first.expected, first.found, bits, Tolerance(any_nan=True)):
        return ""
    if equal(first.expected, first.found, bits, Tolerance(nan_sign=True)):
        return "; both are NaN, only the sign differs: --ignore-nan-sign"
    return "; both are NaN: --ignore-nan"


def equal(one: int, other: int, bits: int, tolerance: Tolerance = EXACT) -> bool:
    """Whether two words of numbers are equal."""
    if one == other:
        return True
    mantissa, sign = (23, 1 << 31) if bits == 32 else (16, 1 << 23)
    size, infinity = sign - 1, sign - (1 << mantissa)
    if one & size > infinity and other & size > infinity:
        return tolerance.any_nan or (tolerance.nan_sign and (one ^ other) & size == 0)
    if tolerance.ulp and one & size <= infinity and other & size <= infinity:
        first, second = ((word if word < sign else sign - word) for word in (one, other))
        return abs(first - second) <= tolerance.ulp
    return False
