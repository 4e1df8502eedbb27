"""Random programs, optimised: their outputs are those of the programs that they were."""

from __future__ import annotations

import random
from collections import Counter

from check.test_hints import random_source
from effort import times
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.optimising import optimised_program
from lanewise.pica200.opt.driver import Options
from lanewise.pica200.opt.moves import MOVES
from lanewise.pica200.sem.profile import HARDWARE
from pica200_pairs import results

# Where the answers matter to what the moves do: the order of a sum, zeros with a sign, registers that stay, the end of blocks.
PROFILES = (
    HARDWARE,
    HARDWARE.replace(dot_order="pairs", rounding="nearest", overflow="largest"),
    HARDWARE.replace(negative_zero="ieee", zero_reciprocal="signed", initial_state="kept", dot_order="from-zero"),
    HARDWARE.replace(stack_check="sequence", al_width="s8", max_zero_neg_inf="-inf"),
)


def test_random_programs():
    """In nox -s exhaustive, thousands of them."""
    done: Counter[str] = Counter()
    for seed in range(times(4, 6_000)):
        made = assemble_sources([("a.v.pica", random_source(random.Random(seed)))])
        if made.data is None:
            continue
        constants = bool(seed % 2)
        found = optimised_program(made.program, Options(constants=constants))
        done.update(step.move for step in found.steps)
        interface, other = made.program.interfaces[0], found.program.interfaces[0]
        profile = PROFILES[seed % len(PROFILES)]
        before = results(made.encoded, interface, seed, profile, constants=constants)
        after = results(found.encoded, other, seed, profile, constants=constants)
        assert before == after, f"seed {seed}: {[step.move for step in found.steps]}"
    assert done
    assert set(done) <= {move.name for move in MOVES}
