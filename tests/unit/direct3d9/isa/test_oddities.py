"""Every row of the table of oddities is what happens."""

from __future__ import annotations

from direct3d9_findings import check_direct3d9
from lanewise.core.diagnostics import NOTE
from lanewise.direct3d9.isa.oddities import ILLEGAL, LEGAL, ODDITIES, PRINTED, REFUSED, WORDS, Oddity
from lanewise.direct3d9.text.printer import Names, instruction_text
from lanewise.direct3d9.text.reader import read_source_text
from together import together


@together("row", ODDITIES, ids=lambda row: row.topic)
def test_what_is_said_happens(row: Oddity):
    read = read_source_text(row.example, "x")
    assert (read.shader is None) is (row.outcome == REFUSED), read.diagnostics
    if read.shader is None:
        return
    found = [d for d in check_direct3d9(row.example.encode(), "x") if d.severity != NOTE]
    if row.outcome == LEGAL:
        assert not found
    elif row.outcome == ILLEGAL:
        assert found
    elif row.outcome == WORDS:
        assert " ".join(f"{word:08X}" for word in read.shader.insts[-1].words) == row.expected
    else:
        assert row.outcome == PRINTED
        assert instruction_text(read.shader.insts[-1], Names(read.shader.version)) == row.expected


def test_topics_are_told_apart():
    assert len({row.topic for row in ODDITIES}) == len(ODDITIES)
