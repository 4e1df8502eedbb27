"""Files that include others: as many as a person writes."""

from __future__ import annotations

from lanewise.core.including import MOST_FILES, MOST_TEXT
from lanewise.pica200.api.assembling import assemble_sources


def test_files_that_include_others_many_times_are_read_to_a_limit():
    """Ten lines of ten lines and so on, 20 deep: each of 20 short files."""
    read: list[str] = []

    def included(path: str) -> str:
        read.append(path)
        return f'.include "{int(path) + 1}"\n' * 10 if int(path) < 20 else "// the last\n"

    found = assemble_sources([("a.vsh", '.include "0"\nmain:\n    end\n')], dialect="nihstro", read=included).diagnostics
    assert len(read) < MOST_FILES + 200  # the lines of the files that are open
    assert {(finding.code, finding.message) for finding in found if finding.is_error} == {
        ("P064", "more than 1,000 files or 16 MiB are included")
    }


def test_a_long_file_that_is_included_many_times_is_read_to_a_limit():
    long = "// a long comment" + "\f" * (MOST_TEXT >> 4) + "\n"
    found = assemble_sources([("a.vsh", '.include "b"\n' * 20 + "main:\n    end\n")], dialect="nihstro", read=lambda _: long)
    assert {finding.code for finding in found.diagnostics if finding.is_error} == {"P064"}


def test_a_file_may_be_included_twice():
    found = assemble_sources([("a.vsh", '.include "b"\n' * 2 + "main:\n    end\n")], dialect="nihstro", read=lambda _: "\n")
    assert not [finding for finding in found.diagnostics if finding.is_error]
