"""Every rule for ShaderCore with cases that it finds and cases that it does not, as golden files; see `test_goldens`.

Behind `; CASE bad` or `; CASE good` stand `--device NAME`, `--set FIELD=VALUE` and, in a good one, `--ignore CODES` of what
else it shows.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from check.test_goldens import expanded
from lanewise.api.findings import findings as codes
from lanewise.core.diagnostics import NOTE, render
from lanewise.shadercore.api.checking import check_shadercore
from lanewise.shadercore.check.rules import RULES, check_rules
from lanewise.shadercore.isa.devices import Device, find_device

CODES = codes()

HERE = Path(__file__).parent
FILES = sorted((HERE / "rules").glob("*.sc"))
OF_THE_ASSEMBLER = ["V201", "V202", "V203"]


class Case(NamedTuple):
    bad: bool
    device: Device
    ignored: tuple[str, ...]
    title: str
    text: str


def cases_of(path: Path) -> list[Case]:
    found: list[Case] = []
    for part in path.read_text().split("; CASE ")[1:]:
        head, _, text = part.partition("\n")
        words, _, title = head.partition(": ")
        kind, *options = words.split()
        assert kind in ("bad", "good"), head
        given = dict(zip(options[::2], options[1::2], strict=True))
        device = find_device(given.pop("--device", "rtl"))
        device = device.set(given.pop("--set")) if "--set" in given else device
        ignored = tuple(given.pop("--ignore", "").split(",")) if "--ignore" in given else ()
        assert not given, head
        found.append(Case(kind == "bad", device, ignored, title, expanded(text)))
    return found


def shown(path: Path) -> str:
    parts: list[str] = []
    for case in cases_of(path):
        report = check_shadercore(case.text.encode(), f"{path.stem}.sc", case.device)
        assert not report.ignored
        findings = report.findings
        codes = {finding.code for finding in findings}
        if case.bad:
            assert path.stem in codes, f"{case.title}: {codes}"
        else:
            assert path.stem not in codes, case.title
            serious = [f for f in findings if f.severity != NOTE and f.code not in case.ignored]
            assert not serious, f"{case.title}: {serious}"
        parts.append(f"=== {'bad' if case.bad else 'good'}: {case.title}")
        parts += [render(finding) for finding in findings if finding.code not in case.ignored]
    return "\n\n".join(parts) + "\n"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden(path: Path, bless: bool):
    expected = path.parent / f"{path.stem}.sc.expected"
    found = shown(path)
    if bless:
        expected.write_text(found)
    assert expected.read_text() == found


def test_every_rule_has_both_cases():
    assert {path.stem for path in FILES} == {rule.code for rule in RULES} | set(OF_THE_ASSEMBLER)
    for path in FILES:
        assert {case.bad for case in cases_of(path)} == {True, False}, path.name


def test_every_rule_that_asks_a_device_is_silent_on_one_that_answers_otherwise():
    check_rules()
    for rule in RULES:
        if not rule.key:
            continue
        titles = [case for case in cases_of(HERE / "rules" / f"{rule.code}.sc") if case.device.value(rule.key) != rule.value]
        assert titles or rule.key == "hazard_fields", rule
        assert f"`{rule.key}`" in CODES[rule.code].evidence, f"{rule.code} does not say which answer it goes by"


def test_a_rule_for_no_device_is_refused():
    with pytest.raises(ValueError, match="no device can be"):
        check_rules((RULES[0]._replace(value="sometimes"),))
