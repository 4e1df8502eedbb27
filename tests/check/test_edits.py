"""Each edit of each finding about each case of the tests is done alone: the finding goes, and no other of its level comes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from check import test_goldens, test_shadercore_goldens
from check.test_direct3d9_rules import CASES
from corpus import rows
from direct3d9_findings import check_direct3d9
from edits import wrong
from effort import sample
from lanewise.pica200.api.checking import Reading, check_sources
from lanewise.shadercore.api.checking import check_shadercore
from lanewise.shadercore.isa.devices import RTL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from edits import Finder, Sources
    from lanewise.core.diagnostics import Diagnostic
    from lanewise.shadercore.isa.devices import Device

TESTS = Path(__file__).resolve().parents[1]
GOLDEN = TESTS / "golden"
Case = tuple[str, "Finder", "Sources"]  # name, what finds, sources


def _read(name: str) -> str:
    return (GOLDEN / name).read_text()


def _pica200(reading: Reading) -> Finder:
    return lambda sources: check_sources(sources, reading).findings


def _shadercore(device: Device) -> Finder:
    return lambda sources: check_shadercore(sources[0][1].encode(), sources[0][0], device).findings


def _direct3d9(sources: Sources) -> Sequence[Diagnostic]:
    return check_direct3d9(sources[0][1].encode(), sources[0][0], _read)


def of_pica200() -> Iterator[Case]:
    for path in [*test_goldens.RULES, TESTS / "check" / "peers.pica"]:
        for case in test_goldens.cases_of(path):
            reading = Reading(padding=case.padding, hints=path.stem.startswith("H"))
            yield f"{path.stem}: {case.title}", _pica200(reading), test_goldens.sources_of(case, f"{path.stem}.pica")
    for path in (*GOLDEN.glob("*.pica"), *GOLDEN.glob("*.?sh")):
        compatible = " RUN: compat" in path.read_text().partition("\n")[0]
        yield path.name, _pica200(Reading(compatible=compatible, read=_read)), [(path.name, path.read_text())]
    for tool in ("picasso", "nihstro"):
        present = [row for row in rows(tool, "bad") if all((row.folder / name).is_file() for name in row.files)]
        for row in sample(present, 10):
            yield f"{tool}/{row.name}", _pica200(Reading(dialect=tool, padding=row.padding)), row.sources()


def of_shadercore() -> Iterator[Case]:
    for path in test_shadercore_goldens.FILES:
        for case in test_shadercore_goldens.cases_of(path):
            yield f"{path.stem}: {case.title}", _shadercore(case.device), [(f"{path.stem}.sc", case.text)]
    for path in GOLDEN.glob("*.sc"):
        yield path.name, _shadercore(RTL), [(path.name, path.read_text())]


def of_direct3d9() -> Iterator[Case]:
    for code, text, _, other in CASES:
        yield code, _direct3d9, [("x.vsa", text)]
        yield code, _direct3d9, [("x.vsa", other)]
    for path in GOLDEN.glob("*.vsa"):
        yield path.name, _direct3d9, [(path.name, path.read_text())]


@pytest.mark.parametrize(("cases", "least"), [(of_pica200, 100), (of_shadercore, 10), (of_direct3d9, 10)])
def test_edits_of_cases(cases: Callable[[], Iterator[Case]], least: int):
    tried = 0
    bad: list[str] = []
    for name, found, sources in cases():
        count, faults = wrong(found, sources)
        tried += count
        bad += [f"{name}: {fault}" for fault in faults]
    assert not bad, f"{len(bad)} of {tried}:\n" + "\n".join(bad[:60])
    assert tried > least
