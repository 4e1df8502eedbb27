"""Sources while they are being written: damaged, cut off, with edits done and names changed. ShaderCore and Direct3D 9."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from check.test_direct3d9_rules import CASES
from check.test_shadercore_goldens import FILES, cases_of
from damage import analysed, damaged, editor_of, elsewhere
from effort import times
from lanewise.core.diagnostics import ERROR, Edit
from lanewise.core.editing import edited
from lanewise.core.occurrences import GIVEN

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("shadercore", "direct3d9")
_TIMED = ("V222", "V223")  # which instructions collide or wait changes with every other one


@cache
def corpus(language: str) -> list[str]:
    """Sources with and without findings: the cases of all rules, the golden files, the examples."""
    patterns = ("tests/golden/shadercore*.sc", "examples/*.sc")
    if language == "direct3d9":
        patterns = ("tests/golden/direct3d9*.vsa", "examples/direct3d9/*.?sa", "examples/*.?sa")
    files = [path.read_text(encoding="latin-1") for pattern in patterns for path in sorted(ROOT.glob(pattern))]
    if language == "direct3d9":
        return [*files, *(text for case in CASES for text in (case[1], case[3]))]
    return [*files, *(case.text for path in FILES for case in cases_of(path))]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_damaged_operation_adds_nothing_elsewhere(language: str):
    rng = random.Random(7)
    texts = corpus(language)
    for text in rng.sample(texts, times(16, len(texts))):
        for changed, line, whole, found in damaged(language, text, rng, times(3, 60)):
            assert elsewhere(found, line) <= elsewhere(whole), changed
            assert found.loaded is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_edit_removes_its_finding_and_adds_none(language: str):
    rng = random.Random(8)
    texts = corpus(language)
    shown: Counter[str] = Counter()
    for text in rng.sample(texts, times(20, len(texts))):
        for source in (text, *[changed for changed, *_ in damaged(language, text, rng, times(1, 20))]):
            shown += _edits_are_right(language, source)
    assert sum(shown.values()) > times(4, 150)


def _edits_are_right(language: str, text: str) -> Counter[str]:
    """Do each edit by itself; the codes of the findings that have some."""
    analysis = analysed(language, text)
    before = _findings(analysis)
    broken = any(code[0] == "P" and severity == ERROR for code, _, severity in before)
    done: Counter[str] = Counter()
    for finding in analysis.findings:
        if not finding.edits:
            continue
        after = _findings(analysed(language, edited(text, finding.edits)))
        key = finding.code, finding.message, finding.severity
        assert after[key] < before[key], (text, finding)
        more = {key[0] for key in after - before if key[0] not in _TIMED}
        # where a statement cannot be read, findings that depend on it are not there before
        assert not {code for code in more if not broken or code[0] == "P"}, (text, finding)
        done[finding.code] += 1
    return done


def _findings(analysis: object) -> Counter[tuple[str, str, str]]:
    return Counter((one.code, one.message, one.severity) for one in (*analysis.findings, *analysis.ignored))  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType, reportUnknownVariableType]


@pytest.mark.parametrize("language", LANGUAGES)
def test_any_prefix_can_be_analysed(language: str):
    rng = random.Random(9)
    editor = editor_of(language)
    texts = corpus(language)
    whole: dict[int, float] = {}
    for _ in range(times(70, 10_000)):
        number = rng.randrange(len(texts))
        text = texts[number]
        prefix = text[: rng.randrange(len(text) + 1)]
        analysis = analysed(language, prefix)
        line, column = prefix.count("\n") + 1, len(prefix) - prefix.rfind("\n")
        editor.complete(analysis, "x", prefix, line, column)
        editor.signature(analysis, "x", prefix, line, column)
        editor.remarks(analysis, list(editor.inlays))
        if places := list(analysis.occurrences):
            editor.describe(analysis, rng.choice(places))
        if times(0, 1):  # time is measured in the sweep only
            if number not in whole:
                whole[number] = _took(language, text)
            assert _took(language, prefix) < 3 * max(whole[number], 0.002), prefix


def _took(language: str, text: str) -> float:
    """The processor time of an analysis in seconds, the least of several."""

    def once() -> float:
        start = time.thread_time()
        analysed(language, text)
        return time.thread_time() - start

    return min(once() for _ in range(3))


def with_names(text: str) -> str:
    """A Direct3D 9 source with a macro for each of its registers, one with a parameter, and one that names another."""
    lines = text.split("\n")
    first = next(number for number, line in enumerate(lines) if re.match(r"\s*[vp]s[_.]", line))
    body = "\n".join(lines[first + 1 :])
    names = sorted(set(re.findall(r"\b(?:c|r|v|t|s|oT)\d+\b", body)))
    heads = ["#define PICK(n, m) \\", "  c[n + m]", "#define SAME(x) x"]
    for number, name in enumerate(names):
        body = re.sub(rf"\b{name}\b(?!_)", f"SAME(Name{number})" if number % 3 == 0 else f"Name{number}", body)
        heads.append(f"#define Name{number} {name}")
    heads += ["#define Other Name0", "#ifdef Name0", "#endif", "#undef Other"]
    return "\n".join([*lines[: first + 1], *heads, body])


def test_a_renamed_name_keeps_the_words():
    rng = random.Random(10)
    texts = [text for text in corpus("direct3d9") if re.match(r"\s*[vp]s[_.]", text) and "#" not in text and len(text) < 2000]
    renamed = 0
    for text in rng.sample(texts, times(12, len(texts))):
        source = with_names(text)
        analysis = analysed("direct3d9", source)
        if analysis.loaded is None:
            continue
        words = list(analysis.loaded.words)
        given = [one for one in analysis.occurrences if one.kind in GIVEN and one.register.lower() != one.name.lower()]
        for symbol in dict.fromkeys(one.symbol for one in given):
            places = [one for one in given if one.symbol == symbol]
            assert any(one.definition for one in places), symbol
            again = analysed("direct3d9", edited(source, [Edit(one.span, "zq_fresh") for one in places]))
            assert again.loaded is not None, (source, symbol)
            assert list(again.loaded.words) == words, (source, symbol)
            renamed += 1
    assert renamed > 40
