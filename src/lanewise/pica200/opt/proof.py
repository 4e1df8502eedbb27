"""The proof that each step of an optimisation asks for: the programs have the same outputs under the profiles that `lanewise diff` uses."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.proof.structure import Assumptions, Prover, code_of_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.isa.encoder import Encoded
    from lanewise.pica200.isa.program import Program
    from lanewise.pica200.sem.profile import Profile


class StructuralProof:
    """Every shader of a program, proved by structure. `profiles`: those of `lanewise diff` where none are given."""

    def __init__(
        self, program: Program, encoded: Encoded, *, constants: bool = False, profiles: Sequence[Profile] | None = None
    ) -> None:
        assumptions = Assumptions(constants=constants)
        self._provers = [Prover(code_of_words(*encoded, interface), profiles, assumptions) for interface in program.interfaces]

    def keeps(self, program: Program, encoded: Encoded) -> bool:
        """Whether the outputs of all shaders are shown to be those of the first program."""
        return all(
            prover.compare(code_of_words(*encoded, interface)) is None
            for prover, interface in zip(self._provers, program.interfaces, strict=True)
        )
