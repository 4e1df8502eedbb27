"""SETEMIT and EMIT: two banks of outputs, a buffer of vertices, primitives.

Sources: 3dbrew, GPU/Shader Instruction Set (SETEMIT, EMIT); the banks: azahar PR 2338, found on a console. The profile chooses
the number of slots (`emit_slots`) and the state kept from run to run (`keep_registers_between_invocations`).
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Generic, Record
from lanewise.pica200.isa.program import Emission
from lanewise.pica200.sem.algebra import B, I, V, Vector, broadcast
from lanewise.pica200.sem.meaning import Result

if TYPE_CHECKING:
    from lanewise.pica200.isa.codec import Inst
    from lanewise.pica200.sem.algebra import Algebra
    from lanewise.pica200.sem.profile import Profile
    from lanewise.pica200.sem.registers import Registers

SENT = 3  # a primitive is always the slots 0, 1, 2


class Vertex(Record, Generic[V]):
    """The 16 outputs at an EMIT.

    `written[n]` is the mask of the components of output n that the run had written in that bank, x in bit 3.
    """

    outputs: tuple[Vector[V], ...]
    written: tuple[int, ...]


class Emitted(Record, Generic[V]):
    """Result of one EMIT: the settings in effect, the vertex, the finished primitive.

    `primitive` has the vertices 0, 1, 2 of the buffer, None where no primitive is finished. `held` is false for a vertex
    without a slot: it is dropped, and its primitive flag with it.
    """

    emission: Emission
    vertex: Vertex[V]
    held: bool
    primitive: tuple[Vertex[V], Vertex[V], Vertex[V]] | None


class Emitter(Generic[V]):
    """State of EMIT: the vertex buffer, the last SETEMIT, the bank not written to now.

    No EMIT clears the buffer.
    """

    __slots__ = ("bank", "buffer", "emission", "written")

    emission: Emission

    def __init__(self, m: Algebra[V, B, I], profile: Profile, left: Emitter[V] | None = None) -> None:
        """Start from `left`, the state after the run before, which is not changed.

        Where the profile clears registers between runs, it clears the bank too.
        """
        nothing = broadcast(m.constant(0.0))
        kept = left is not None and profile.keep_registers_between_invocations == "kept"
        self.bank: list[Vector[V]] = [*left.bank] if left is not None and kept else [nothing] * 16
        self.written: list[int] = [0] * 16
        empty: Vertex[V] = Vertex((nothing,) * 16, (0,) * 16)
        self.buffer: list[Vertex[V]] = [*left.buffer] if left is not None else [empty] * int(profile.emit_slots)
        self.emission = left.emission if left is not None else Emission(0)


def emission_of(inst: Inst) -> Emission:
    """The operands of a SETEMIT."""
    return Emission(inst.field("vertex"), bool(inst.field("primitive")), bool(inst.field("winding")))


def emit(emitter: Emitter[V], inst: Inst, registers: Registers[V, B, I]) -> Result[V, B, I]:
    """Execute a SETEMIT or an EMIT; the result is empty for other instructions."""
    if inst.op.base == "setemit":
        emitter.emission = emission_of(inst)
        return Result(setemit=emitter.emission)
    if inst.op.base != "emit":
        return Result()
    emission = emitter.emission
    vertex = Vertex(tuple(registers.outputs), tuple(registers.written))
    held = emission.vertex < len(emitter.buffer)
    if held:
        emitter.buffer[emission.vertex] = vertex
    # The banks change places: a component not written before the next EMIT has its value of two EMITs before that one.
    registers.outputs, emitter.bank = emitter.bank, registers.outputs
    registers.written, emitter.written = emitter.written, registers.written
    first, second, third = emitter.buffer[:SENT]
    return Result(emit=Emitted(emission, vertex, held, (first, second, third) if held and emission.primitive else None))
