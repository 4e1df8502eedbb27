"""The compiler from vector programs to the PICA200.

result = compile_vector(program)
if result.program is not None:
    shbin = build(result.program, result.encoded.words, result.encoded.descriptors)
for count in result.counts:
    ...  # what the application sets for a loop: an integer register, and a boolean that says whether it runs at all
"""

from __future__ import annotations

from lanewise.compile.pica200 import constants
from lanewise.compile.pica200.allocate import allocate
from lanewise.compile.pica200.emit import Emission
from lanewise.compile.pica200.fit import Fit
from lanewise.compile.pica200.groups import TEMPORARIES
from lanewise.compile.pica200.lower import Lowering
from lanewise.compile.pica200.machine import CONDITIONALS, JUMPS, ZERO, Inst, Part
from lanewise.compile.pica200.numbers import Words
from lanewise.compile.pica200.optimised import shrunk
from lanewise.compile.pica200.places import Places
from lanewise.compile.pica200.variables import Tracking, copied
from lanewise.compile.pica200.vectorise import vectorised, with_copies_joined
from lanewise.compile.vector.code import CountOf
from lanewise.compile.vector.passes import simplified
from lanewise.core.diagnostics import has_errors
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.encoder import Encoded, encode_program
from lanewise.pica200.isa.table import VERTEX
from lanewise.pica200.isa.uniforms import PREAMBLE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.compile.pica200.allocate import Allocation
    from lanewise.compile.vector.code import Program as VectorProgram
    from lanewise.core.debugging import Inlined
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.isa.program import Program


class Counted(Record):
    """The registers that an application sets for a count."""

    name: str
    "The name of the count in the program."
    register: int
    "The number of the i# that gets (count - 1, start, step)."
    start: int
    "The start of the index register."
    step: int
    "The step of the index register."
    guard: int
    "The number of the b# that is true where the count is not 0; -1: none is needed."


class Result(Record):
    """The result of compiling; `program` is None where a diagnostic is an error."""

    program: Program | None
    encoded: Encoded
    diagnostics: tuple[Diagnostic, ...]
    counts: tuple[Counted, ...] = ()


AVOIDABLE = ("dph",)
# Whether copies of uniforms and constants are used again, and whether what is alike becomes one instruction: each does well on
# other programs.
_ATTEMPTS = ((True, True), (True, False), (False, False))
_PLAIN = ((True, False), (False, False))
_BY_SHAPE = ("L101", "L108")  # findings that a program with other instructions may not have
_FEWER_MADS = (24, 8, 0)  # which reach 32 operand descriptors; vector operations may take two
_NOTHING = Encoded((), ())
_STEPS = 4  # to simplify, to compile plainly and with arithmetic in place of conditionals, to optimise


def compile_vector(
    program: VectorProgram,
    *,
    name: str = "",
    optimise: bool = True,
    avoid: frozenset[str] = frozenset(),
    progress: Callable[[int, int], None] | None = None,
) -> Result:
    """Compile a vector program. `name` is that of the shader in messages and in the file; `avoid`: instructions to do without
    (`AVOIDABLE`); `progress(done, total)` is called before each step."""
    steps = iter(range(_STEPS))

    def step() -> None:
        if progress is not None:
            progress(next(steps), _STEPS)

    if name:
        program = program._replace(name=name)
    places = Places(program)
    if has_errors(places.diagnostics):
        return Result(None, _NOTHING, tuple(places.diagnostics))
    if not optimise:
        return _compiled(program, _PLAIN, avoid)
    step()
    plain, eager = (simplified(program, Words(), eager=eager) for eager in (False, True))
    step()
    first = result = _compiled(plain, _ATTEMPTS, avoid)
    step()
    if eager != plain:
        result = min(result, _compiled(eager, _ATTEMPTS, avoid), key=_size)
    if result.program is None:
        result = first
    for mads in _FEWER_MADS:
        if result.program is None and any(finding.code in _BY_SHAPE for finding in result.diagnostics):
            result = _compiled(simplified(program, Words(), mads=mads), _ATTEMPTS, avoid)
    if result.program is None:
        return result
    step()
    smaller = shrunk(result.program, result.encoded, avoid)
    return result._replace(program=smaller.program, encoded=smaller.encoded)


def _size(result: Result) -> tuple[bool, int, int]:
    """Return a key that orders results, the best first: fewer words, then fewer instructions of flow."""
    operations = result.program.operations if result.program is not None else ()
    return result.program is None, len(result.encoded.words), sum(each.op.name in CONDITIONALS + JUMPS for each in operations)


def _compiled(program: VectorProgram, attempts: Sequence[tuple[bool, bool]], avoid: frozenset[str]) -> Result:
    """The shortest of some attempts."""
    best: _Attempt | None = None
    attempt: _Attempt | None = None
    for share, joined in attempts:
        if best is not None and not share:
            continue
        attempt = _Attempt(program, share=share, joined=joined, avoid=avoid)
        if has_errors(attempt.places.diagnostics):
            return Result(None, _NOTHING, tuple(attempt.places.diagnostics))
        if attempt.allocation.homes is not None and (best is None or attempt.words < best.words):
            best = attempt
    assert attempt is not None
    if best is None:
        _too_many(attempt.allocation, attempt.places)
        return Result(None, _NOTHING, tuple(attempt.places.diagnostics))
    places = best.places
    emission = Emission(program, places, best.allocation)
    emitted = emission.program()
    encoded, findings = encode_program(emitted)
    for finding in findings[:1]:
        places.diagnostics.append(finding._replace(code="L108"))
    if len(encoded.words) > VERTEX.code_words:
        past = emitted.operations[VERTEX.code_words].span
        line = program.lines.index(past) if past in program.lines else -1
        message = f"the program has {len(encoded.words)} words: a vertex shader has {VERTEX.code_words}"
        places.find("L102", message, line, "compute less, or move work to the CPU")
    found = tuple(places.diagnostics)
    if has_errors(found):
        return Result(None, encoded, found)
    if program.scopes:
        emitted = emitted._replace(inlined=_inlined(best, emission, emitted))
    return Result(emitted, encoded, found, _counts(program, places))


def _inlined(attempt: _Attempt, emission: Emission, emitted: Program) -> tuple[tuple[Inlined, ...], ...]:
    """By word what a debugger sees of the source."""
    tracking = Tracking(*attempt.tracked)
    found: list[tuple[Inlined, ...]] = []
    for operation in emitted.operations:
        inst = emission.origins.get(id(operation.span))
        mine = inst is not None and inst.op == operation.op.name
        found.append(tracking.of(inst, attempt.places.span) if mine and inst is not None else ())
    return tuple(found)


class _Attempt:
    """A program with registers, if there are enough."""

    def __init__(self, program: VectorProgram, *, share: bool, joined: bool, avoid: frozenset[str]) -> None:
        self.places = Places(program)
        lowering = Lowering(program, self.places, avoid)
        lowering.block(program.body)
        outputs: dict[int, tuple[int, int]] = {}
        for output, register in zip(program.outputs, self.places.outputs, strict=True):
            lanes = output.lanes
            cells = [lowering.cell() for _ in lanes]
            outputs |= {cell: (register, lane) for cell, lane in zip(cells, lanes, strict=True)}
            sources = [
                Part(lowering.variable(output.variable, lane)) if (output.variable, lane) in lowering.variables else Part(ZERO)
                for lane in lanes
            ]
            lowering.emit("mov", cells, sources, line=output.line)
        stored = frozenset([lowering.variable(output.variable, lane) for output in program.outputs for lane in range(4)])
        if any(uniform.name == PREAMBLE for uniform in program.uniforms):
            self._keep_counts(program)
        insts = vectorised(lowering.insts, stored) if joined else lowering.insts
        insts = Fit(lowering.cell, share=share).all(insts)
        if joined:
            insts = with_copies_joined(insts, stored)
        before = copied(insts)
        names: dict[int, int] = {}
        self.allocation = allocate(insts, lowering.cell, outputs, self.places.true, lambda: lowering.cells, names)
        self.tracked = program, lowering, before, self.allocation, names, self.places.true
        constants.place(self.allocation.insts, self.places)
        self.words = sum(inst.op[0] != "." for inst in self.allocation.insts)

    def _keep_counts(self, program: VectorProgram) -> None:
        """Give registers to counts that only a preamble reads."""
        read = {loop.counted for loop in self.places.loops}
        for number in range(len(program.counts)):
            if number not in read:
                self.places.loop(CountOf(number), 0, 1)
                self.places.guard(CountOf(number))


def _too_many(allocation: Allocation, places: Places) -> None:
    """The finding that temporaries are not enough: where the most components are needed."""
    live = allocation.live
    most = max(range(len(live.after)), key=lambda n: live.after[n].bit_count(), default=0)
    needed = live.after[most].bit_count()
    inst = allocation.insts[most] if allocation.insts else Inst("nop")
    busiest = sorted(range(len(live.after)), key=lambda n: -live.after[n].bit_count())
    spans = list(dict.fromkeys([places.span(allocation.insts[n].line).line for n in busiest if allocation.insts[n].line >= 0]))[
        :3
    ]
    where = f"line{'' if len(spans) == 1 else 's'} {', '.join(map(str, sorted(spans)))}"
    notes = (f"the most values are needed in {where}",) if spans else ()
    message = (
        f"the program needs more than the {TEMPORARIES} temporaries: {needed} components are in use at one time, and those "
        "of one operand are in one register"
    )
    places.find(
        "L101",
        message,
        inst.line,
        "compute values closer to where they are used; the hardware has no memory to keep them in",
        notes,
    )


def _counts(program: VectorProgram, places: Places) -> tuple[Counted, ...]:
    counted = [loop for loop in places.loops if loop.counted >= 0]
    return tuple(
        [
            Counted(
                name=program.counts[each.counted].name,
                register=each.register,
                start=each.start,
                step=each.step,
                guard=places.guards.get(each.counted, -1),
            )
            for each in counted
        ]
    )
