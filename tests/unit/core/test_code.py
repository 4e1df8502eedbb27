"""Tables of findings, written as text."""

from __future__ import annotations

import pytest

from lanewise.core.code import Code, by_code, rows

TEXT = """
# A comment.
P001 unknown word
    The word is unknown: nothing
        has its name.
    Why: Each word means something.
    Fix: Use another.
    Evidence: manual: words
H001 `nop`
    It does nothing.
    Why: It takes a cycle.
    Fix: Remove it.
    Unneeded.
"""


def test_rows_are_read():
    first = Code(
        code="P001",
        title="unknown word",
        meaning="The word is unknown: nothing has its name.",
        why="Each word means something.",
        fix="Use another.",
        evidence="manual: words",
    )
    second = Code(
        code="H001", title="`nop`", meaning="It does nothing.", why="It takes a cycle.", fix="Remove it.", unneeded=True
    )
    assert rows(TEXT) == (first, second)


def test_a_row_that_lacks_a_line_or_has_one_twice_is_refused():
    with pytest.raises(KeyError, match="Fix"):
        rows(TEXT.replace("    Fix: Remove it.\n", ""))
    with pytest.raises(ValueError, match="two lines of H001 are its why: Never"):
        rows(TEXT.replace("    Fix: Remove it.", "    Why: Never."))
    with pytest.raises(ValueError, match="two findings have the code P001"):
        by_code(rows(TEXT), rows(TEXT))
