"""A mnemonic is named where an instruction is encoded, computed or spelt; all others ask the columns of its row.

String literals that are mnemonics are counted in the modules of each ISA, docstrings left out. An ISA is a row of `ISAS`; what
else may name an instruction is a row of its exceptions, with a reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from lanewise.direct3d9.isa import table as direct3d9
from lanewise.pica200.isa import table as pica200
from sources import facts

CHOSEN = "programs are made of chosen instructions"
SOURCE = Path(__file__).resolve().parents[2] / "src" / "lanewise"


class Exemption(NamedTuple):
    """Files (a pattern) that may have some literals which are mnemonics; all of them where none are given."""

    files: str
    mnemonics: str
    reason: str


class Isa(NamedTuple):
    """`files` are patterns of what is looked at, `homes` of tables, meanings and languages; `limits`: most files with a
    mnemonic, those that choose instructions for programs left out."""

    name: str
    mnemonics: frozenset[str]
    files: tuple[str, ...]
    homes: tuple[str, ...]
    exemptions: tuple[Exemption, ...]
    limits: dict[str, int]


PICA200 = Isa(
    "pica200",
    frozenset(op.name for op in pica200.OPS),
    ("pica200/*",),
    ("pica200/isa/table.py", "pica200/sem/*", "pica200/text/*"),
    (
        Exemption("pica200/isa/facts.py", "", "a row of evidence names the instructions that it is about"),
        Exemption("pica200/isa/experiments.py", "", "test programs are made of chosen instructions"),
        Exemption("pica200/isa/layout.py", "nop", "the instruction that pads"),
        Exemption("pica200/isa/encoder.py", "mad", "a flag of a descriptor, not an instruction"),
        Exemption("pica200/engine/random_programs.py", "", CHOSEN),
        Exemption("pica200/engine/differential_geometry.py", "", CHOSEN),
        Exemption("pica200/opt/random_sources.py", "", CHOSEN),
        Exemption("pica200/vectors/*", "", CHOSEN),
        Exemption("pica200/engine/reduce.py", "nop", "what an instruction is replaced by"),
        Exemption(
            "pica200/api/services/reference.py", "for nop end", "3dbrew's other name for FOR, and the lines around an example"
        ),
        Exemption("*", "dst", "an operand kind, a field, and a part of a result"),
        Exemption("*", "cmp", "the file of the two flags, an operand kind, and a part of a result"),
        Exemption("pica200/engine/*", "emit setemit end", "parts of a result and of a record, and where a program ends"),
        Exemption("pica200/ir/*", "emit setemit end", "operations of a trace, and the end of a graph"),
        Exemption("pica200/proof/*", "emit setemit", "parts of a result"),
        Exemption("pica200/proof/rounding.py", "add mul max min rcp", "operations of the algebra"),
        Exemption("pica200/translate/*", "add mul mad rcp rsq", "operations of the algebra"),
        Exemption("pica200/translate/*", "setemit emit", "parts of a result, and the function of one"),
        Exemption("pica200/translate/c_files.py", "end", "a variable of a loop in C"),
        Exemption("pica200/api/depth_warnings.py", "add", "the instruction that loses a small operand beside a large one"),
        Exemption("pica200/api/*", "emit setemit end", "keys of reports"),
        Exemption("pica200/ir/*", "add mul max min rcp rsq", "operations of the algebra"),
        Exemption("pica200/engine/llvm/*", "add mul sge slt", "instructions and predicates of LLVM"),
        Exemption("pica200/engine/llvm/*", "max min rcp rsq", "operations of the algebra"),
    ),
    {"dp3": 6, "for": 7},
)
DIRECT3D9 = Isa(
    "direct3d9",
    frozenset(op.name for op in direct3d9.OPS),
    ("direct3d9/*", "compile/*"),
    ("direct3d9/isa/table.py", "direct3d9/sem/*", "direct3d9/text/*"),
    (
        Exemption("direct3d9/isa/choices.py", "", "a row of evidence names the instructions that it is about"),
        Exemption("direct3d9/isa/interface.py", "texcoord", "the semantic of that name"),
        Exemption("direct3d9/engine/random_programs.py", "", CHOSEN),
        Exemption("direct3d9/opt/*", "", "what a move looks for, and writes instead"),
        Exemption("direct3d9/proof/terms.py", "dsx dsy", "what looks at other pixels, for a message"),
        Exemption("direct3d9/translate/lane.py", "", "kinds of texture instructions, and what looks at other pixels"),
        Exemption("direct3d9/engine/llvm/ops.py", "slt", "a predicate of LLVM"),
        Exemption("direct3d9/api/services/reference.py", "breakc ifc setp dcl tex", "spellings with a comparison or a usage"),
        Exemption("compile/*", "", "the compiler's operations, and how it spells them in either instruction set"),
    ),
    {"sincos": 7, "crs": 5, "dp2add": 6, "texm3x2pad": 4, "endloop": 4, "breakp": 4},
)
# Another ISA is another row here.
ISAS = (PICA200, DIRECT3D9)


@cache
def named(isa: str) -> tuple[tuple[str, str], ...]:
    return tuple(_named(next(each for each in ISAS if each.name == isa)))


def _named(isa: Isa) -> Iterator[tuple[str, str]]:
    """(file, mnemonic) of everything that is looked at. Text without a mnemonic between quotes or braces is not parsed."""
    literal = re.compile(rf"""["'}}](?:{"|".join(map(re.escape, sorted(isa.mnemonics)))})["'{{]""")
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if any(fnmatch(name, pattern) for pattern in isa.files) and literal.search(path.read_text("utf-8")):
            for mnemonic in sorted(facts(path).strings & isa.mnemonics):
                yield name, mnemonic


def at_home(isa: Isa, file: str) -> bool:
    return any(fnmatch(file, pattern) for pattern in isa.homes)


def covers(exemption: Exemption, file: str, mnemonic: str) -> bool:
    return fnmatch(file, exemption.files) and (not exemption.mnemonics or mnemonic in exemption.mnemonics.split())


@pytest.mark.parametrize("isa", ISAS, ids=lambda isa: isa.name)
def test_mnemonics_are_named_at_home(isa: Isa):
    strangers = [
        f"{file}: {mnemonic}"
        for file, mnemonic in named(isa.name)
        if not at_home(isa, file) and not any(covers(exemption, file, mnemonic) for exemption in isa.exemptions)
    ]
    assert not strangers, "ask a column of the instruction's row instead of its name"


@pytest.mark.parametrize("isa", ISAS, ids=lambda isa: isa.name)
def test_every_exemption_is_needed(isa: Isa):
    found = [(file, mnemonic) for file, mnemonic in named(isa.name) if not at_home(isa, file)]
    for exemption in isa.exemptions:
        assert exemption.reason
        used = {mnemonic for file, mnemonic in found if covers(exemption, file, mnemonic)}
        assert used, exemption
        assert used >= set(exemption.mnemonics.split()), exemption


@pytest.mark.parametrize(
    ("isa", "mnemonic"), [(isa, name) for isa in ISAS for name in isa.limits], ids=lambda part: getattr(part, "name", part)
)
def test_a_mnemonic_is_in_few_files(isa: Isa, mnemonic: str):
    chosen = [exemption for exemption in isa.exemptions if exemption.reason == CHOSEN]
    files = [
        file
        for file, name in named(isa.name)
        if name == mnemonic and not any(covers(exemption, file, name) for exemption in chosen)
    ]
    assert 0 < len(files) <= isa.limits[mnemonic], files


def test_docstrings_do_not_count_and_literals_do(tmp_path: Path):
    module = tmp_path / "module.py"
    module.write_text('"""dp3"""\ndef f(x: str = "mad") -> str:\n    """for"""\n    return {"cmp": f"{x}"}[x]\n')
    assert facts(module).strings == {"mad", "cmp"}
