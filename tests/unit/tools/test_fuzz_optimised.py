"""`lanewise fuzz --target pica200-opt`: programs beside their smaller forms."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from documents import checked
from lanewise.core.finding import Finding
from lanewise.core.fuzzing import Origin
from lanewise.pica200.api.services import fuzz_optimised
from lanewise.pica200.isa.table import ARITHMETIC
from lanewise.pica200.opt import driver
from lanewise.pica200.opt.editing import Edit
from lanewise.pica200.opt.operations import Candidate, Move
from lanewise.pica200.opt.proof import StructuralProof
from lanewise.tools import fuzz

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest

    from lanewise.pica200.opt.values import Values


def test_programs_and_their_smaller_forms(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    arguments = ["--target", "pica200-opt", "--seed", "1", "--programs", "2", "-o", str(tmp_path)]
    assert fuzz.main([*arguments, "--piece", "2"]) == 0
    text = capsys.readouterr().out
    assert "programs were shortened" in text
    assert "no difference" in text
    assert fuzz.main([*arguments, "--piece", "1", "--format", "json"]) == 0  # the same digest
    document = checked(capsys.readouterr().out)
    assert f"digest {document['digest']}" in text
    assert document["differences"] == 0


def test_each_program_is_assembled_and_most_are_shortened():
    found = [fuzz_optimised.compare(8, number, "native") for number in range(4)]
    assert not [one.difference for one in found if one.difference is not None]
    assert sum([not one.reason for one in found]) >= 3
    assert {fuzz_optimised.case(8, number).geometry for number in range(4)} == {False, True}


def test_a_wrong_move_is_found_and_reduced(monkeypatch: pytest.MonkeyPatch):
    """A move that removes what it likes, and a proof that agrees."""

    def any_word(values: Values) -> Iterator[Candidate]:
        for pc in values.resolved:
            if values.context.kind(pc) == ARITHMETIC:
                yield Candidate("", Finding(message="it is there", fix="remove it", pc=pc), Edit((pc,)))
                return

    def agrees(*_: object) -> bool:
        return True

    monkeypatch.setattr(driver, "MOVES", (Move(name="any", code="", find=any_word, title="any word"),))
    monkeypatch.setattr(StructuralProof, "keeps", agrees)
    number = next(n for n in range(20) if fuzz_optimised.compare(1, n, "native").difference is not None)
    small = fuzz_optimised.reduce(1, number, "native", Origin("fuzz-1", "lanewise fuzz"), lambda: None)
    assert small.words <= 4
    assert "; Again: lanewise opt fuzz-1" in small.source
    assert json.dumps(small.difference._asdict())
