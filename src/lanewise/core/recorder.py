"""Record a run of a machine with named scalar registers as a `Trace`: the package names what an instruction reads and what it
wrote."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.trace import Decision, Given, Operand, Step, Trace, Value, Write

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lanewise.core.source import Span


class Recorder:
    """The steps of one lane. `registers` are integers before the first step, `inputs` those of them that are inputs.

    `places` are the places of machine words in the source.
    """

    def __init__(self, registers: Mapping[str, int], inputs: Iterable[str] = (), places: Sequence[Span | None] = ()) -> None:
        self._held, self._places = dict(registers), places
        given = set(inputs)
        self._given = {name: Given("input" if name in given else "register", Value(n, n)) for name, n in registers.items()}
        self._steps: list[Step] = []

    def step(
        self,
        address: int,
        text: str,
        reads: Iterable[str] = (),
        writes: Mapping[str, int] | None = None,
        asked: str = "",
        answer: str = "",
    ) -> None:
        """Add a step: the registers that it read, and those that it wrote with their new values; `asked` is a question of the
        flow about what it read."""
        used = tuple(dict.fromkeys(reads))
        operands = tuple([Operand(register=name, values=(self._value(name),), places=(name,)) for name in used])
        wrote = tuple(
            [
                Write(register=name, new=(Value(new, new),), old=(self._value(name),) if name in self._held else ())
                for name, new in (writes or {}).items()
            ]
        )
        made = {write.register: used for write in wrote}
        decisions = (Decision(asked, answer, used),) if asked else ()
        span = self._places[address] if address < len(self._places) else None
        self._steps.append(
            Step(
                number=len(self._steps),
                address=address,
                instruction=text,
                span=span,
                operands=() if asked else operands,
                writes=wrote,
                made=made,
                decisions=decisions,
            )
        )
        self._held.update(writes or {})

    def trace(self, isa: str, program: str, subject: str, results: Iterable[str]) -> Trace:
        """The trace; `results` are the registers that are outputs."""
        return Trace(
            isa, program, subject, self._steps, given=self._given, results={name: name for name in results}, format="int"
        )

    def _value(self, name: str) -> Value:
        held = self._held.get(name, 0)
        return Value(held, held)
