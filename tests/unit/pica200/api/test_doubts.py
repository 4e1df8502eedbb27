"""Programs that the assembler asks the rules of the check about: all that these warn of, and few others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from check.test_goldens import RULES, cases_of, sources_of
from corpus import REPOSITORY
from lanewise.core.diagnostics import WARNING
from lanewise.core.service import Request, SourceFile
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.checking import check_sources
from lanewise.pica200.api.doubts import doubtful
from lanewise.pica200.api.services.asm import assemble
from lanewise.tools.cli import main
from together import together

if TYPE_CHECKING:
    from pathlib import Path

HEAD = ".fvec m[4], table[8]\n.constf k(0.0, 1.0, 0.5, 2.0)\n.out o position\n.out c color\n.in p\n.in normal\n"
PLAIN = [
    path for path in sorted((REPOSITORY / "examples").glob("*.v.pica")) if path.name not in ("lighting.v.pica", "toon.v.pica")
]


def source(*lines: str) -> str:
    return f"{HEAD}.proc main\n" + "\n".join(lines) + "\n end\n.end\n"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (source("mov o, p"), "V083"),
        (source("mov o, p", "mov c.xyz, normal"), "V083"),
        (source("mov o, p", "mov c, k", "mov c.w, k.y"), "V084"),
        (source("mov o, p", "mov c, r1"), "V095"),
        (source("mov r1.xyz, p", "mov o, r1", "mov c, p"), "V095"),
        (source("mov o, p", "mova a0.x, p", "mova a0.y, p", "mov c, table[a0.x]"), "V070"),
        (source("mov o, p", "mov c, table[a0.x]"), "V095"),
        (source("mov r0, p", "rsq r0, r0", "mov o, p", "mov c, r0"), "P061"),
        (source("mov o, p", "mov c, k").replace(".out o position\n", ".alias o r3\n"), "V087"),
        (source("mov o, p", "mov c, k", "mov o5, p"), "V085"),
        (source("dp4 o.x, m[0], p", "dp4 o.y, m[1], p", "dp4 o.z, m[2], p", "dp4 o.w, m[2], p", "mov c, k"), "V131"),
        (
            source(
                *[f"dp4 o.{'xyzw'[n]}, m[{n}], p" for n in range(4)], *[f"dp4 c.{'xyzw'[n]}, m[{n}], normal" for n in range(4)]
            ),
            "V129",
        ),
        (source("mov o, p", "mov c.xyz, p").replace("color", "color.xyw"), "V125"),
    ],
)
def test_the_assembler_says_what_the_rules_warn_of(text: str, code: str):
    answer = assemble(Request("asm", (SourceFile("a.v.pica", text.encode(), "a.v.pica"),), {}))
    assert code in [finding.code for finding in answer.first]
    told = {finding.code for finding in check_sources([("a.v.pica", text)]).findings if finding.severity == WARNING}
    assert {finding.code for finding in answer.first} >= told


@together("path", [path for path in RULES if path.stem[0] == "V"], ids=lambda path: path.stem)
def test_what_a_rule_warns_of_is_doubtful(path: Path):
    """Every program of the golden files of the rules, by what these say that the check warns of."""
    expected = path.with_suffix(".expected").read_text().split("=== ")[1:]
    for case, answer in zip(cases_of(path), expected, strict=True):
        warned = set(re.findall(r"^warning\[(\w+)\]", answer, re.MULTILINE)) - {"V104"}
        assembly = assemble_sources(sources_of(case, path.name), padding=case.padding)
        if warned - {finding.code for finding in assembly.diagnostics}:
            assert doubtful(assembly.program), case.title


def test_a_run_says_it_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "a.v.pica").write_text(source("mov o, p", "mov c, k", "mov c, k.yyyy"))
    assert main(["run", str(tmp_path / "a.v.pica"), "-i", "p=1", "-i", "normal=1"]) == 0
    assert "warning[V084]" in capsys.readouterr().err


def test_picasso_says_none_of_it():
    text = source("mov o, p")
    request = Request("asm", (SourceFile("a.v.pica", text.encode(), "a.v.pica"),), {"picasso-compat": True})
    assert assemble(request).first == ()


@pytest.mark.parametrize("path", PLAIN, ids=lambda path: path.name)
def test_a_plain_program_does_without_the_rules(path: Path):
    assert PLAIN
    text = path.read_text()
    assert not doubtful(assemble_sources([(path.name, text)]).program)
