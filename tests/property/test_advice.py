"""A sample of `bench/advice.py` on sources of this repository: advice leads back, and no mistake is silent."""

from __future__ import annotations

from advice import BACK, OTHER, SILENT, measured, shares, source_of
from effort import times
from habits import HABITS
from property.test_edits_of_mistakes import PICASSO, correct


def test_advice_leads_back():
    given = [source for text in correct(PICASSO) if (source := source_of("a.v.pica", text)) is not None]
    found = {
        habit.name: measured(habit, given, times(1, 20), 1) for habit in HABITS if habit.enough and PICASSO in habit.languages
    }
    rows = {name: shares(cases) for name, cases in found.items() if cases}
    assert len(rows) > 50
    assert not [name for name, row in rows.items() if row[SILENT]]
    assert sum(row[OTHER] for row in rows.values()) / len(rows) <= 0.02
    assert sum(row[BACK] for row in rows.values()) / len(rows) >= 0.85
