"""The proof that each step of an optimisation asks for: the programs have the same outputs under the profiles that
`lanewise diff` uses."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.table import BY_NAME
from lanewise.pica200.proof.code import code_of_words
from lanewise.pica200.proof.questions import profiles_asked
from lanewise.pica200.proof.structure import Assumptions, Prover
from lanewise.pica200.sem.profile import HARDWARE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.isa.encoder import Encoded
    from lanewise.pica200.isa.program import Interface, Program
    from lanewise.pica200.proof.code import Code
    from lanewise.pica200.sem.profile import Profile


class StructuralProof:
    """Every shader of a program, proved by structure. `profiles`: those of `lanewise diff` where none are given.

    `constants`: those of the file are known; `given` are registers that an application always sets to these values. `quick`:
    show less in less time.
    """

    def __init__(
        self,
        program: Program,
        encoded: Encoded,
        *,
        constants: bool = False,
        given: Mapping[int, tuple[int, ...]] | None = None,
        profiles: Sequence[Profile] | None = None,
        quick: bool = False,
    ) -> None:
        self._program, self._encoded = program, encoded
        self._constants, self._given, self._quick = constants, given or {}, quick
        assumptions = Assumptions(constants=constants or bool(given))
        self._provers = [
            Prover(self._code(encoded, interface), profiles, assumptions, quick=quick) for interface in program.interfaces
        ]

    def measured(self, fields: Sequence[str]) -> StructuralProof:
        """The proof under the same profiles, but that each has the answers of `hardware` to some fields, which presets of
        emulators may not have."""
        answers = {field: getattr(HARDWARE, field) for field in fields}
        both = {
            profile.replace(**answers): None
            for geometry in (False, True)
            for profile in profiles_asked(frozenset(BY_NAME), geometry=geometry)
        }
        return StructuralProof(
            self._program, self._encoded, constants=self._constants, given=self._given, profiles=tuple(both), quick=self._quick
        )

    def _code(self, encoded: Encoded, interface: Interface) -> Code:
        code = code_of_words(*encoded, interface)
        if not self._given:
            return code
        known = {**(code.constants if self._constants else {}), **self._given}
        return code._replace(constants=known, counts=code.counts - self._given.keys())

    def keeps(self, program: Program, encoded: Encoded) -> bool:
        """Whether the outputs of all shaders are shown to be those of the first program."""
        return all(
            prover.compare(self._code(encoded, interface)) is None
            for prover, interface in zip(self._provers, program.interfaces, strict=True)
        )
