"""What a vertex or run leaves is an output wherever the next one can read it: at END and at a fault.

Each case is two programs of which every vertex or run alone gives the same: only the next one shows that they differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

import lanewise as lw
from effort import EXHAUSTIVE
from lanewise.pica200.engine.witness import Pair, Side
from lanewise.pica200.engine.witness_data import data
from lanewise.pica200.isa.codec import decode, encode
from lanewise.pica200.isa.table import BY_NAME
from lanewise.pica200.proof.code import code_of
from lanewise.pica200.proof.structure import Prover
from lanewise.pica200.sem.profile import HARDWARE
from together import together

if TYPE_CHECKING:
    from lanewise.pica200.proof.code import Code
    from lanewise.pica200.sem.profile import Profile

HEAD = """.fvec m[4]
.ivec n
.ivec k
.bool flag
.constf zero(0.0, 0.0, 0.0, 0.0)
.in pos v0
.in col v1
.out outp position
.out outc color
.proc main
"""
NOP, UNKNOWN_WORD, EMPTY_BREAK = BY_NAME["nop"].match[1], 0x40000000, BY_NAME["break"].match[1]
MISSING = 0x4C00007F | 0x10 << 21  # mov with an operand descriptor that the table does not have
KEPT = HARDWARE.replace(initial_state="kept")
# How both programs stop where the text has `nop`; `jump` is past the last word.
STOPS = {
    "end": BY_NAME["end"].match[1],
    "unknown word": UNKNOWN_WORD,
    "empty break": EMPTY_BREAK,
    "missing descriptor": MISSING,
}


class Case(NamedTuple):
    """Two programs that leave other values in something, which they begin with reading."""

    name: str
    reads: str
    first: str
    second: str
    geometry: bool = False
    profile: Profile = KEPT

    def codes(self, stop: int | None = NOP) -> tuple[Code, Code]:
        """Both programs, stopped by a word, or past the last word."""
        one, other = (self._code(leaves, stop) for leaves in (self.first, self.second))
        return one, other

    def in_runs(self) -> Case:
        """The same programs as geometry shaders."""
        reads = f"{self.reads}\nsetemit 0\nemit"
        return self._replace(reads=reads, geometry=True, profile=self.profile.replace(initial_state="zero"))

    def _code(self, leaves: str, stop: int | None) -> Code:
        text = (".gsh\n" if self.geometry else "") + HEAD + self.reads + "\n" + leaves + "\nnop\nend\n.end\n"
        file = lw.assemble(text)
        code = code_of(file.program, file.programs[0].interface)
        words = code.words
        words = words[: words.index(NOP)] if stop is None else tuple([stop if word == NOP else word for word in words])
        return code._replace(words=words)


OUT = "mov outp, {0}\nmov outc, pos"
FLAGS = "mov r1, zero\nifc {0}\nmov r1, pos\n.end\nmov outp, r1\nmov outc, pos"
EMIT = "mov outp, {0}\nmov outc, pos\nsetemit 0\nemit"
LOOP = "for {0}\nadd r5, r5, pos\n.end"
VERTEX = (
    Case("a temporary", OUT.format("r3"), "mov r3, pos", "mov r3, -pos"),
    Case("a component of a temporary", OUT.format("r3"), "mov r3, pos", "mov r3.xyw, pos"),
    Case("a0.x", OUT.format("m[a0.x]"), "mova a0.x, pos", "mova a0.x, col"),
    Case("a0.y", OUT.format("m[a0.y]"), "mova a0.xy, pos", "mova a0.x, pos"),
    Case("a flag", FLAGS.format("cmp.x"), "cmp zero, lt, lt, pos", "cmp zero, ge, lt, pos"),
    Case("another flag", FLAGS.format("cmp.y"), "cmp zero, lt, lt, pos", "cmp zero, lt, gt, pos"),
    Case("aL after a loop", OUT.format("m[aL]"), LOOP.format("n"), LOOP.format("k")),
    Case("aL of a loop that is left", OUT.format("m[aL]"), "for n\nbreak\n.end", "for n\nmov r6, r6\n.end"),
    Case("aL in a loop", OUT.format("m[aL]"), "for n\nnop\n.end", "for k\nnop\n.end"),
    Case(
        "aL in a loop that has gone on",
        OUT.format("m[aL]"),
        "for n\nifu flag\nnop\n.end\n.end",
        "for k\nifu flag\nnop\n.end\n.end",
    ),
    Case(
        "aL of the loop outside",
        OUT.format("m[aL]"),
        "for n\nfor k\nmov r6, r6\n.end\nnop\n.end",
        "for n\nmov r6, r6\nnop\n.end",
        profile=KEPT.replace(al_restore="kept"),
    ),
    Case("a value of one path", OUT.format("r3"), "ifu flag\nmov r3, pos\n.else\nmov r3, col\n.end", "mov r3, pos"),
    Case("a value that was kept", OUT.format("r3"), "add r3, r3, pos", "add r3, r4, pos"),
    Case("one value in place of two", OUT.format("r3"), "mov r3, r4\nadd r4, r4, pos", "mov r3, r4\nadd r4, r3, -pos"),
)
RUNS = HARDWARE
CLEARED = HARDWARE.replace(keep_registers_between_invocations="cleared")
SENT = "mov outp, pos\nmov outc, pos\nemit"
GEOMETRY = (
    *[case.in_runs() for case in VERTEX],
    Case("the setting of EMIT", SENT, "setemit 1", "setemit 2", True, RUNS),
    Case("the setting of EMIT in cleared runs", SENT, "setemit 1, primitive", "setemit 1", True, CLEARED),
    Case("the setting of EMIT of one path", SENT, "setemit 1", "ifu flag\nsetemit 1\n.end", True, RUNS),
    Case("an output after the last EMIT", "mov outc, pos\nsetemit 0\nemit", "mov outp, pos", "mov outp, col", True, RUNS),
    Case(
        "an output of the other bank",
        "mov outc, pos\nsetemit 0\nemit\nmov outc, pos\nsetemit 1\nemit",
        "mov outp, pos",
        "mov r9, pos",
        True,
        RUNS,
    ),
)


def _stops(case: Case) -> list[str]:
    """How the programs of a case can stop: a loop or a block has to end within the program, and BREAK in a loop is no fault."""
    flow = case.first + case.second
    found = [stop for stop in STOPS if stop != "empty break" or "for" not in flow]
    return found if "for" in flow or "if" in flow else [*found, "past the end"]


CASES = [
    pytest.param(case, stop, id=f"{'run' if case.geometry else 'vertex'}: {case.name} at {stop}")
    for number, case in enumerate(VERTEX + GEOMETRY)
    for stop in ("end", *(_stops(case)[1:] if EXHAUSTIVE else [_stops(case)[1:][number % 2]]))
]


@pytest.mark.parametrize(("case", "stop"), CASES)
def test_what_the_next_one_reads_is_an_output(case: Case, stop: str):
    first, second = case.codes(STOPS.get(stop))
    reason = Prover(first, [case.profile]).compare(second)
    assert reason is not None
    pair = Pair(Side(first, case.profile), Side(second, case.profile))
    rounds = (data(f"{n}", 6, case.profile, overwritten=False) for n in range(12))
    assert any(pair.replay(given) for given in rounds), reason


@together("case", [case for case in VERTEX if "for" not in case.first])
def test_a_vertex_that_starts_with_zeros_reads_nothing_of_the_one_before(case: Case):
    first, second = case.codes(STOPS["end"])
    assert Prover(first, [HARDWARE.replace(initial_state="zero")]).compare(second) is None


@pytest.mark.parametrize("case", [case for case in VERTEX + GEOMETRY if "for" not in case.first])
def test_what_does_not_end_leaves_nothing(case: Case):
    first, second = (_endless(code) for code in case.codes())
    assert Prover(first, [case.profile]).compare(second) is None


def _endless(code: Code) -> Code:
    """The program with two words in place of `nop` and `end` that jump to themselves and back."""
    jump = decode(BY_NAME["jmpu"].match[1])
    at = code.words.index(NOP)
    words = [*code.words]
    words[at] = encode(jump.replace(dst=at))
    words[at + 1] = encode(jump.replace(dst=at, num=1))
    return code._replace(words=tuple(words))
