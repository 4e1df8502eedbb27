"""Mnemonics in sources: what an instruction is like is a column of its row, so other modules name few instructions."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import lanewise
from lanewise.direct3d9.isa.table import BY_NAME

ROOT = Path(lanewise.__file__).parent
PACKAGE = ROOT / "direct3d9"

# What may name instructions: the rows, the evidence by instruction, what each computes, how each is written, its page.
HOMES = ("isa/table.py", "isa/choices.py", "sem/meaning.py", "sem/texture.py", "text/", "api/services/reference.py")
# Other literals that are mnemonics, with the reason.
EXCEPTIONS = {
    "sem/flow.py": ({"dsx", "dsy"}, "meaning: these two look at other pixels, so the walker computes them"),
    "engine/random_programs.py": (
        {
            "break", "breakc", "breakp", "call", "callnz", "dcl", "def", "defb", "defi", "else", "endif", "endloop", "endrep", "if", "ifc",
            "label", "loop", "mov", "mova", "rep", "ret", "setp", "texcoord",
        },
        "writes programs: the blocks and the moves around the instructions that it draws; texcoord is a usage",
    ),
    "engine/llvm/ops.py": ({"slt"}, "a predicate of LLVM's icmp"),
    "isa/interface.py": ({"texcoord"}, "a usage"),
}  # fmt: skip


def mnemonics(source: str) -> Counter[str]:
    """String literals of a source that are names of rows, docstrings excluded."""
    tree = ast.parse(source)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and node.body and isinstance(node.body[0], ast.Expr)
    }
    literals = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docstrings)
    return Counter(node.value for node in literals if isinstance(node.value, str) and node.value in BY_NAME)


@cache
def found_under(folder: Path) -> dict[str, Counter[str]]:
    counts = {path.relative_to(folder).as_posix(): mnemonics(path.read_text(encoding="utf-8")) for path in folder.rglob("*.py")}
    return {path: names for path, names in counts.items() if names}


def test_literals_are_counted():
    assert mnemonics('"""mov"""\nx = ("mov", "add", "mov", "dp", f"{x}nrm")\ndef f():\n    "crs"\n') == {
        "mov": 2,
        "add": 1,
        "nrm": 1,
    }


def test_mnemonics_are_in_the_table_the_meanings_and_the_language_only():
    outside = {path: set(names) for path, names in found_under(PACKAGE).items() if not path.startswith(HOMES)}
    assert outside == {path: names for path, (names, _) in EXCEPTIONS.items()}


def test_no_rule_names_an_instruction():
    assert not found_under(PACKAGE / "check")


@pytest.mark.parametrize("name", ["sincos", "crs", "dp2add", "texm3x2pad", "endloop", "breakp"])
def test_an_instruction_is_named_in_few_files(name: str):
    files = [
        path for path, names in found_under(ROOT).items() if name in names and not path.startswith(("pica200", "shadercore"))
    ]
    assert len(files) <= 4, files
