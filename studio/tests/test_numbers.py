"""Numbers in drawings are those that the page writes: the same cases as in page/test/numbers.test.ts."""

from __future__ import annotations

import json
from pathlib import Path

from lanewise_studio.numbers import short

CASES = json.loads((Path(__file__).parent / "numbers.json").read_text("utf-8"))


def test_numbers_are_those_of_the_page() -> None:
    assert [[number, short(float(number))] for number, _ in CASES] == CASES
