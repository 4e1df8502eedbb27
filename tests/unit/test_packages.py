"""What a file is: recognised by content and suffix, and refused with the reasons of every reader."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from corpus import CONFORMANCE, REPOSITORY, needs_shared
from lanewise import packages
from lanewise.core.code import Code
from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic, InputError
from lanewise.core.package import CERTAIN, NO, POSSIBLE, Container, IsaPackage, Language
from lanewise.core.service import SourceFile
from lanewise.core.source import Span
from lanewise.pica200.package import PICA200

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from lanewise.core.service import Request

# The package, and the language or container, of files with these suffixes.
KINDS = {
    ".pica": ("pica200", "picasso"),
    ".vsh": ("pica200", "nihstro"),
    ".gsh": ("pica200", "nihstro"),
    ".sc": ("shadercore", "shadercore"),
    ".vsa": ("direct3d9", "direct3d9"),
    ".psa": ("direct3d9", "direct3d9"),
    ".shbin": ("pica200", "shbin"),
}
PICASSO = b".out position position\n.in vertex\n.proc main\n    mov position, vertex\n    end\n.end\n"
NIHSTRO = b"// a comment\nmain:\n    nop\n    end\n"
SHADERCORE = b".input v0 position\n.output o0 position\nmul o0.xyzw, v0.xyzw, v0.xyzw\nend\n"
DIRECT3D9 = b"vs_1_1\ndcl_position v0\nmov oPos, v0\n"


def kind_of(match: packages.Match | None) -> tuple[str, str] | None:
    if match is None:
        return None
    inner = match.language or match.container
    return match.package.name, inner.name if inner is not None else ""


def claims(data: bytes) -> set[tuple[str, str]]:
    """The languages and containers that are CERTAIN of a content."""
    text = None if b"\0" in data else data.decode("latin-1")
    return {
        *[
            (package.name, container.name)
            for package in packages.packages()
            for container in package.containers
            if container.recognises(data) == CERTAIN
        ],
        *[
            (package.name, language.name)
            for package, language in packages.languages()
            if text is not None and language.recognises(text) == CERTAIN
        ],
    }


def wrong(files: Iterable[Path]) -> list[str]:
    """The files that another reader claims, or that are recognised as something else."""
    found: list[str] = []
    for path in files:
        kind, data = KINDS[path.suffix], path.read_bytes()
        others = claims(data) - {kind}
        if others:
            found.append(f"{path}: claimed by {others}")
        if kind_of(packages.recognise(path.name, data)) != kind:
            found.append(f"{path}: {kind_of(packages.recognise(path.name, data))}")
    return found


def files_in(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.suffix in KINDS and path.is_file()]


@pytest.mark.parametrize("folder", ["examples", "tests"])
def test_no_file_of_this_repository_is_claimed_by_another_reader(folder: str):
    files = files_in(REPOSITORY / folder)
    assert len({path.suffix for path in files}) >= 4
    assert not wrong(files)


@needs_shared
def test_no_file_of_the_corpus_is_claimed_by_another_reader():
    files = files_in(CONFORMANCE)
    assert len(files) > 1000
    assert not wrong(files)


@needs_shared
def test_direct3d9_texts_and_streams_are_claimed_by_direct3d9_only():
    rows: list[dict[str, Any]] = json.loads((CONFORMANCE / "direct3d9.json").read_text())["rows"]
    texts = [row["text"].encode() for row in rows if row["text"].startswith(("vs_", "ps_"))]
    streams = [b"".join(int(word, 16).to_bytes(4, "little") for word in row["words"]) for row in rows if row["words"]]
    assert len(texts) > 900 and len(streams) > 900
    for data in (*texts, *streams):
        assert claims(data) == {("direct3d9", "direct3d9")}
        match = packages.recognise("file", data)
        assert match is not None and match.package.name == "direct3d9"


# Certain content, then the suffix, then possible content.


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("x.vsh", PICASSO, ("pica200", "picasso")),
        ("x.sc", PICASSO, ("pica200", "picasso")),
        ("x.v.pica", DIRECT3D9, ("direct3d9", "direct3d9")),
        ("x.pica", SHADERCORE, ("shadercore", "shadercore")),
        ("x.vsa", b"DVLB" + bytes(4), ("pica200", "shbin")),
        ("x.shbin", PICASSO, ("pica200", "picasso")),
    ],
)
def test_certain_content_goes_before_the_suffix(name: str, data: bytes, kind: tuple[str, str]):
    assert claims(data) == {kind}
    assert kind_of(packages.recognise(name, data)) == kind


def test_the_suffix_goes_before_possible_content():
    assert kind_of(packages.recognise("x", NIHSTRO)) == ("pica200", "nihstro")
    assert kind_of(packages.recognise("x.sc", NIHSTRO)) == ("shadercore", "shadercore")
    assert kind_of(packages.recognise("x.v.pica", NIHSTRO)) == ("pica200", "picasso")


def test_possible_content_decides_last():
    assert kind_of(packages.recognise("x", NIHSTRO)) == ("pica200", "nihstro")
    assert packages.recognise("x", b"int main(void) { return 0; }\n") is None
    assert kind_of(packages.recognise("x", b"float4 main() : COLOR { return 1; }\n")) == (
        "direct3d9",
        "direct3d9",
    )  # C313: HLSL
    assert packages.recognise("x", b"") is None


def test_suffixes_have_any_case():
    assert kind_of(packages.recognise("X.VSH", b"")) == ("pica200", "nihstro")
    assert kind_of(packages.recognise("x.G.Pica", b"")) == ("pica200", "picasso")


@pytest.mark.parametrize("reverse", [False, True])
def test_the_longest_suffix_wins(monkeypatch: pytest.MonkeyPatch, reverse: bool):
    long = invented("two", NO)
    long = long._replace(languages=(long.languages[0]._replace(suffixes=(".v.one",)),))
    both = (invented("one", NO), long)
    monkeypatch.setattr(packages, "PACKAGES", both[::-1] if reverse else both)
    assert kind_of(packages.recognise("x.v.one", b"")) == ("two", "two")
    assert kind_of(packages.recognise("x.one", b"")) == ("one", "one")


def invented(name: str, certainty: int, code: str = "P990") -> IsaPackage:
    """A package with one language, `.x`, which answers the same for every text."""

    def recognises(_: str) -> int:
        return certainty

    language = Language(
        name=name,
        title=name,
        suffixes=(f".{name}",),
        recognises=recognises,
        read=PICA200.languages[0].read,
        write=None,
        format=None,
        mnemonics=lambda: (),
    )
    row = Code(code=code, title="invented", meaning="Nothing.", why="Nothing.", fix="Nothing.", evidence="none")
    return PICA200._replace(name=name, title=name, languages=(language,), containers=(), codes=lambda: (row,))


def test_two_certain_packages_leave_it_to_the_suffix(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(packages, "PACKAGES", (invented("one", CERTAIN), invented("two", CERTAIN)))
    assert packages.recognise("x", b"text") is None
    assert kind_of(packages.recognise("x.two", b"text")) == ("two", "two")


def test_two_possible_packages_leave_it_open(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(packages, "PACKAGES", (invented("one", POSSIBLE), invented("two", POSSIBLE)))
    assert packages.recognise("x", b"text") is None
    monkeypatch.setattr(packages, "PACKAGES", (invented("one", POSSIBLE), invented("two", NO)))
    assert kind_of(packages.recognise("x", b"text")) == ("one", "one")


def test_of_two_certain_languages_of_one_package_the_suffix_chooses(monkeypatch: pytest.MonkeyPatch):
    one = invented("one", CERTAIN)
    other = one.languages[0]._replace(name="other", suffixes=(".other",))
    monkeypatch.setattr(packages, "PACKAGES", (invented("two", POSSIBLE), one._replace(languages=(*one.languages, other))))
    assert packages.recognise("x", b"text") is None
    assert kind_of(packages.recognise("x.other", b"text")) == ("one", "other")


def test_of_two_possible_languages_of_one_package_the_first_is_chosen(monkeypatch: pytest.MonkeyPatch):
    one = invented("one", POSSIBLE)
    other = one.languages[0]._replace(name="other", suffixes=(".other",))
    monkeypatch.setattr(packages, "PACKAGES", (invented("two", NO), one._replace(languages=(*one.languages, other))))
    assert kind_of(packages.recognise("x", b"text")) == ("one", "one")
    assert kind_of(packages.recognise("x.other", b"text")) == ("one", "other")


def test_an_unknown_file_is_refused_with_the_reason_of_every_reader():
    data = b"QK\x03\x04 neither of them"
    assert packages.recognise("x", data) is None
    (finding,) = packages.unknown_file("x", data).diagnostics
    assert (finding.code, finding.severity) == ("C001", "error")
    containers = [container for package in packages.packages() for container in package.containers]
    assert len(finding.notes) == len(containers) == 6
    for container, note in zip(containers, finding.notes, strict=True):
        assert note.startswith(f"not {container.title}: ")
        assert len(note) > len(f"not {container.title}: "), "a reason"
    for _, language in packages.languages():
        assert language.title in (finding.fix or "")


@pytest.mark.parametrize(
    ("message", "note"),
    [("the lid is shut", "not a box: the lid is shut"), ("not a box: it is round", "not a box: it is round")],
)
def test_a_container_without_doubts_gives_its_first_error(monkeypatch: pytest.MonkeyPatch, message: str, note: str):
    def read(_: Request) -> Any:
        warning = Diagnostic(code="C002", severity=WARNING, message="a dent", span=Span(file="x"))
        raise InputError((warning, Diagnostic(code="C001", severity=ERROR, message=message, span=Span(file="x"))))

    def refuses(_: bytes) -> int:
        return NO

    box = Container(
        name="box", title="a box", suffixes=(".box",), recognises=refuses, read=read, write=PICA200.containers[0].write
    )
    monkeypatch.setattr(packages, "PACKAGES", (PICA200._replace(languages=(), containers=(box,)),))
    (finding,) = packages.unknown_file("x", b"data\0").diagnostics
    assert finding.notes == (note,)


def test_a_code_given_twice_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(packages, "PACKAGES", (invented("one", NO), invented("two", NO)))
    with pytest.raises(ValueError, match="P990"):
        packages.codes()
    monkeypatch.setattr(packages, "PACKAGES", (invented("one", NO), invented("two", NO, "P991")))
    assert {"P990", "P991"} <= set(packages.codes())


def test_unknown_names_are_refused_with_those_that_there_are():
    with pytest.raises(ValueError, match="pica200, shadercore, direct3d9"):
        packages.package_of("gcn")
    with pytest.raises(ValueError, match="picasso, nihstro, shadercore, direct3d9"):
        packages.language_of("glsl")


def sources(**files: bytes) -> list[SourceFile]:
    return [SourceFile(name, data) for name, data in files.items()]


def test_a_language_that_all_sources_have_in_common():
    library = b".fvec shared[4]\n.nodvle\n"  # possibly picasso's, certainly not nihstro's
    assert packages.common_language(PICA200, sources(main=PICASSO, library=library)) == "picasso"
    assert packages.common_language(PICA200, sources(one=NIHSTRO, two=NIHSTRO)) == "nihstro"
    assert packages.common_language(PICA200, sources(one=PICASSO, two=NIHSTRO)) == ""
    assert packages.common_language(PICA200, sources(one=PICASSO, two=b"; only a comment\n")) == ""
