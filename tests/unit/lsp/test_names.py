"""Rename: the program must stay what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from corpus import Row, name_of, needs_shared, rows
from editors.matrix import SAMPLES
from effort import sample
from lanewise.core.editing import edited
from lanewise.core.occurrences import GIVEN
from lanewise.lsp.documents import Documents, Rules, View
from lanewise.lsp.names import Refused, callables, incoming, outgoing, renamable, renamed, sites
from together import together

if TYPE_CHECKING:
    from pathlib import Path

PICASSO = """.fvec scale
.in position v0
.out pos position
.alias twice r1
.alias thrice r2
.constf half(0.5, 0.5, 0.5, 0.5)
.proc main
    add twice, position, position
    add thrice, twice, position
    mul pos, scale, half
    end
.end
"""


def opened(text: str, uri: str = "file:///a.v.pica") -> tuple[Documents, View]:
    documents = Documents(lambda _: Rules())
    documents.put(uri, text, 1)
    view = documents.analyse(uri)
    assert view is not None
    documents.views[uri] = view
    return documents, view


def rename(text: str, name: str, other: str, uri: str = "file:///a.v.pica") -> str:
    documents, view = opened(text, uri)
    edits = renamed(documents, view, text.index(name), other)
    return edited(text, edits.get(view.name, ()))


@pytest.mark.parametrize("name", ["scale", "position", "pos ", "twice", "half", "main"])
def test_every_place_is_renamed(name: str):
    name = name.strip()
    place = f".out {name}" if name == "pos" else name
    documents, view = opened(PICASSO)
    edits = renamed(documents, view, PICASSO.index(place) + place.index(name), "another")
    found = sites(documents, view, PICASSO.index(place) + place.index(name))
    assert found is not None
    assert len(edits[view.name]) == len(found[1])
    assert {
        PICASSO.split("\n")[edit.span.line - 1][edit.span.column - 1 :][: edit.span.length] for edit in edits[view.name]
    } == {name}


@together(
    ("name", "other", "reason"),
    [
        ("twice", "thrice", "cannot be renamed to thrice"),  # taken
        ("twice", "r5", "cannot be renamed to r5"),
        ("twice", "a b", "not a name"),
        ("twice", "", "not a name"),
        ("twice", "7up", "cannot be renamed to 7up"),
        ("twice", "half", "cannot be renamed to half"),
        ("scale", "scale[2]", "cannot be renamed"),
        ("add", "sub", "only names that the source declares"),
        ("v0", "v1", "only names that the source declares"),
    ],
)
def test_names_that_would_change_the_program_are_refused(name: str, other: str, reason: str):
    with pytest.raises(Refused, match=reason):
        rename(PICASSO, name, other)


def test_there_is_no_name_in_a_comment():
    documents, view = opened("; twice\n" + PICASSO)
    with pytest.raises(Refused, match="no name here"):
        renamable(view, 3)
    assert renamed(documents, view, view.text.index("twice", 9), "twice") == {}


def test_programs_with_errors_can_be_renamed_in():
    broken = PICASSO.replace("mul pos", "mull pos")
    assert rename(broken, "twice", "two_times") == broken.replace("twice", "two_times")


@needs_shared
@pytest.mark.parametrize("tool", ["picasso", "nihstro"])
def test_the_corpus_keeps_its_words(tool: str):
    """The first names of each kind in programs of the corpus."""
    found = [row for part in ("hand", "gen") for row in rows(tool, part) if row.data is not None and len(row.files) == 1]
    assert found
    for row in sample(found, 1):
        check(row)


def check(row: Row) -> None:
    name, text = row.sources()[0]
    uri = f"file:///{name_of(row)}/{name}"
    documents, view = opened(text, uri)
    first = {each.kind: each for each in reversed(view.occurrences) if each.definition and each.kind in GIVEN}
    for each in first.values():
        offset, _ = view.positions.bounds(each.span)
        try:
            assert renamed(documents, view, offset, "lw_renamed_1")
        except (
            Refused
        ) as refused:  # the entry is named outside of the source too, and `#line` may name a file that is not there
            assert "entry point" in str(refused) or "No such file" in str(refused), (name_of(row), each)


def test_samples_of_other_languages():
    text = SAMPLES["direct3d9"].source
    assert rename(text, "SCALE", "FACTOR", "file:///a.vsa") == text.replace("SCALE", "FACTOR")
    with pytest.raises(Refused):
        rename(text, "SCALE", "r0", "file:///a.vsa")


def test_calls_go_through_included_files(tmp_path: Path):
    part, whole = tmp_path / "half.inc", tmp_path / "a.vsa"
    part.write_text("label l0\nadd r0, r0, r0\nret\n")
    text = f'vs_2_0\ndcl_position v0\nmov r0, v0\ncall l0\nmov oPos, r0\nret\n#include "{part.name}"\n'
    documents, view = opened(text, whole.as_uri())
    included = documents.included(documents.put(part.as_uri(), part.read_text(), 1))
    assert included is not None
    for named, offset in ((view, text.index("l0")), (included, 6)):
        (called,) = callables(documents, named, offset)
        assert (called.name, called.uri, called.selection_range.start.line) == ("l0", part.as_uri(), 0)
        assert called.data == {"uri": whole.as_uri(), "symbol": "register l0"}
    (caller,) = incoming(documents, view, "register l0")
    assert (caller.from_.name, caller.from_.uri, [place.start.line for place in caller.from_ranges]) == (
        "a.vsa",
        whole.as_uri(),
        [3],
    )
    (callee,) = outgoing(documents, view, "")
    assert (callee.to.uri, [place.start.line for place in callee.from_ranges]) == (part.as_uri(), [3])
