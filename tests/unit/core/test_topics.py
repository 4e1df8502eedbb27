"""Search of evidence by topic."""

from __future__ import annotations

import pytest

from lanewise.core.record import Record
from lanewise.core.service import UsageError
from lanewise.core.topics import on_topic
from together import together


class Row(Record):
    key: str
    topic: str
    ops: tuple[str, ...] = ()
    source: str = ""


ROWS = (
    Row("overflow", "Results of 2^64", ("rcp", "mul")),
    Row("past_end", "PC past the last word"),
    Row("rcp", "Reciprocals", ("rcp",)),
    Row("signs", "Sign of zero", ("add",), "3dbrew: rcp(-0); multiplied"),
    Row("end_in_block", "end inside a block"),
)
OPS = ("add", "end", "mul", "nop", "rcp")


def found(topic: str) -> list[str]:
    return [row.key for row in on_topic(topic, ROWS, lambda row: (row.source,), OPS)]


@together(
    ("topic", "keys"),
    [
        ("", [row.key for row in ROWS]),
        ("rcp", ["overflow", "rcp", "signs"]),  # the instruction, not only the row of that key
        ("RCP", ["overflow", "rcp", "signs"]),
        ("mul", ["overflow"]),  # a whole word: not "multiplied"
        ("end", ["past_end", "end_in_block"]),
        ("past_end", ["past_end"]),
        ("past-end", ["past_end"]),
        ("last word", ["past_end"]),
        ("zero sign", ["signs"]),
        ("recipro", ["rcp"]),
    ],
)
def test_rows_about_a_topic(topic: str, keys: list[str]):
    assert found(topic) == keys


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        ("rpc", "no row of evidence is about 'rpc': did you mean rcp?"),
        ("pastend", "did you mean past_end"),
        ("nop", "no row of evidence concerns nop: without a topic"),
        ("hoist", "without a topic, --evidence lists all rows"),
        ("x" * 100_000, "without a topic"),
    ],
)
def test_unknown_topics(topic: str, text: str):
    with pytest.raises(UsageError, match=text):
        found(topic)
