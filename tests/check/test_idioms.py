"""Idioms of public shaders that run on consoles, in programs of our own: nothing but notes is said about them."""

from __future__ import annotations

from pathlib import Path

from lanewise.core.diagnostics import NOTE
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.checking import check_shbin, check_sources
from together import together

HERE = Path(__file__).parent / "idioms"
VERTEX = sorted(path for path in HERE.iterdir() if not path.name.endswith(".g.pica"))


def sources(path: Path) -> list[tuple[str, str]]:
    """A vertex shader, with the geometry shader that belongs to it."""
    other = path.with_name(path.name.replace(".v.pica", ".g.pica"))
    return [(each.name, each.read_text()) for each in dict.fromkeys((path, other)) if each.exists()]


@together("path", VERTEX, ids=lambda path: path.name)
def test_nothing_is_wrong(path: Path):
    """Neither with the source, nor with the file that it makes."""
    assert [d for d in check_sources(sources(path)).findings if d.severity != NOTE] == []
    made = assemble_sources(sources(path))
    assert made.data is not None
    assert [d for d in check_shbin(made.data, "x.shbin").findings if d.severity != NOTE] == []


def test_inputs_that_an_alias_names_are_not_reported():
    """V086 is about registers without a name: `.alias inpos v0` is what devkitPro's examples write."""
    path = HERE / "alias_inputs.v.pica"
    assert ".alias" in path.read_text()
    assert [d for d in check_sources(sources(path)).findings if d.code == "V086"] == []
