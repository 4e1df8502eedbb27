"""The tests themselves: unit tests are where the source is, and no test depends on how busy the machine is."""

from __future__ import annotations

import ast
import re
import textwrap
from itertools import pairwise
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from corpus import REPOSITORY
from effort import EXHAUSTIVE, sample
from installed import PACKAGES
from lanewise.core.record import MOST_BY_POSITION
from tested_by import ELSEWHERE, main, of_its_own, paths_for
from together import together

if TYPE_CHECKING:
    from collections.abc import Sequence

TESTS = REPOSITORY / "tests"
SOURCE = REPOSITORY / "src" / "lanewise"
UNIT = TESTS / "unit"
# Functions that measure wall time; those who call them may print it.
CLOCKS = {"perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns"}


def test_unit_tests_mirror_the_source():
    folders = {path.parent.relative_to(UNIT) for path in UNIT.rglob("test_*.py")}
    assert folders
    assert {str(folder) for folder in folders if not (SOURCE / folder / "__init__.py").is_file()} == set()


MODULES = [PurePosixPath(path.relative_to(SOURCE).as_posix()) for path in SOURCE.rglob("*.py") if path.name != "__init__.py"]


def test_every_module_has_its_tests_where_a_stranger_looks():
    """In the folder of `tests/unit` of its name, or where a row of its own or of its folder says."""
    without = [module for module in MODULES if not of_its_own(module)]
    assert {str(module) for module in without if not {str(module), str(module.parent)} & {*ELSEWHERE}} == set()
    assert len(MODULES) > 500
    for module in MODULES:
        assert all((TESTS / path).exists() for path in paths_for(module)), module


def test_rows_of_tests_elsewhere_are_true():
    for place, paths in ELSEWHERE.items():
        assert (SOURCE / place).exists(), place
        for path in paths:
            assert (TESTS / path).is_file() or any((TESTS / path).rglob("test_*.py")), f"{place}: {path} has no tests"
            assert not path.startswith(f"unit/{place}/"), f"{place}: {path} is where it is looked for anyway"


def test_the_paths_for_a_module_are_found_in_one_step(capsys: pytest.CaptureFixture[str]):
    main([str(SOURCE / "pica200" / "api" / "pipeline.py"), str(SOURCE / "core" / "text" / "suggestions.py")])
    assert capsys.readouterr().out.splitlines() == [
        "tests/unit/pica200/api tests/engines tests/property",
        "tests/unit/core/text/test_suggestions.py tests/unit/core/text tests/golden tests/property",
    ]


# Folders whose docstrings begin with what there is or what is done ("The terms of ...", "Return ..."), not with a clause.
PLAIN = (
    "arrays",
    "compile",
    "core",
    "dap",
    "debugger",
    "direct3d9",
    "distributed",
    "drawing",
    "graph",
    "llvm",
    "lsp",
    "optimising",
    "pica200/container",
    "pica200/engine",
    "pica200/ir",
    "pica200/isa",
    "pica200/opt",
    "pica200/proof",
    "pica200/sem",
    "pica200/translate",
    "pica200/vectors",
    "proving",
    "shadercore",
    "ssa",
    "tools",
    "translating",
)
NOUN_CLAUSE = re.compile(r"(What|Whether no|Th(at|ose) (of|that|which))\b")
MAY_BEGIN = re.compile(r"[\"'][\s\\]*" + NOUN_CLAUSE.pattern)  # a text literal of a module; few modules are parsed then


def noun_clauses(text: str) -> list[str]:
    """The docstrings of a module that begin with such a clause."""
    if not MAY_BEGIN.search(text):
        return []
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = [ast.get_docstring(node) or "" for node in nodes_of(text) if isinstance(node, documented)]
    return [text for text in docstrings if NOUN_CLAUSE.match(text)]


@together("folder", PLAIN)
def test_docstrings_begin_with_a_noun_or_a_verb(folder: str):
    found = {str(path): noun_clauses(path.read_text("utf-8")) for path in sorted((SOURCE / folder).rglob("*.py"))}
    assert found
    assert {path: texts for path, texts in found.items() if texts} == {}


def test_noun_clauses_are_found():
    text = '"""Whatever."""\ndef a():\n    """What a word reads."""\nclass B:\n    """Those of a C, whether or not."""'
    assert noun_clauses(text) == ["What a word reads.", "Those of a C, whether or not."]


# The lines of a record, with its indentation.
RECORD = re.compile(
    r"^( *)(?:@dataclass.*\n *class .*|class .*\b(?:Record|NamedTuple)\b.*)\n(?:(?:\1 .*)?\n)*",
    re.MULTILINE,
)


def undocumented(text: str) -> list[str]:
    """The fields of a module's records of more than four fields that have no line of documentation below them."""
    found: list[str] = []
    for match in RECORD.finditer(text):
        (record,) = ast.parse(textwrap.dedent(match[0])).body
        assert isinstance(record, ast.ClassDef)
        fields = [node for node in record.body if isinstance(node, ast.AnnAssign)]
        documented = {
            before
            for before, node in pairwise(record.body)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        }
        if len(fields) > MOST_BY_POSITION:
            found += [f"{record.name}.{ast.unparse(field.target)}" for field in fields if field not in documented]
    return found


def test_every_field_of_a_record_of_more_than_four_is_documented():
    sources = {path.relative_to(SOURCE).as_posix(): path.read_text("utf-8") for path in SOURCE.rglob("*.py")}
    found = {path: undocumented(text) for path, text in sources.items()}
    assert {path: fields for path, fields in found.items() if fields} == {}


def test_undocumented_fields_are_found():
    few = "class Few(Record):\n    a: int\n    b: int\n    c: int\n    d: int\n\n    def f(self): ...\n"
    assert undocumented(few) == []
    body = '"""Five."""\n\na: int\n"One."\nb: int\nc: int = 0\n"Three."\nd: int = 0\ne: int = 0\n1\n'
    fields = textwrap.indent(body, "    ")
    expected = [f"Five.{name}" for name in "bde"]
    assert undocumented(f"class Five(Record):\n{fields}x: int\n") == expected
    assert undocumented(f"class Five(Record, Generic[T]):\n{fields}") == expected
    assert undocumented(f"@dataclass(frozen=True)\nclass Five:\n{fields}") == expected
    inside = textwrap.indent(f"class Five(Record):\n{fields}", "    ")
    assert undocumented(f"{few}if TYPE_CHECKING:\n{inside}") == expected
    assert undocumented(f"class Five:\n{fields}") == []


MADE = re.compile(r"^ +(\w+, )*made(, \w+)* [|+]?= |[(,] ?made: |\bfor made in\b")


def called_made(text: str) -> list[str]:
    """The lines of a module with a local or a parameter of that name."""
    return [line for line in text.split("\n") if "made" in line and MADE.search(line)]


@pytest.mark.parametrize("folder", ["src", "studio/src", "bench/lanewise_bench"])
def test_values_are_named_after_what_they_are(folder: str):
    sources = sorted((REPOSITORY / folder).rglob("*.py"))
    assert sources
    assert [str(path) for path in sources if called_made(path.read_text("utf-8"))] == []


def test_a_value_that_is_called_made_is_found():
    lines = (
        "made = f()",
        "shape, made = f()",
        "made, shape = f()",
        "made += 1",
        "def f(made: int): ...",
        "for made in made_by: ...",
    )
    assert all(called_made(f"if x:\n    {line}\n") for line in lines)
    assert not called_made("class C:\n    made: int = 0\n    def f(self):\n        self.made = g(made=1)\n")


def test_properties_have_no_deadline():
    assert settings.default is not None
    assert settings.default.deadline is None


def nodes_of(text: str) -> list[ast.AST]:
    return list(ast.walk(ast.parse(text)))


def clocks_in_assertions(nodes: Sequence[ast.AST]) -> list[int]:
    """The lines of assertions that ask for the wall time."""
    return [
        statement.lineno
        for statement in nodes
        if isinstance(statement, ast.Assert)
        for node in ast.walk(statement)
        if isinstance(node, (ast.Name, ast.Attribute)) and (node.id if isinstance(node, ast.Name) else node.attr) in CLOCKS
    ]


def deadlines(nodes: Sequence[ast.AST]) -> list[int]:
    """The lines of calls that set one."""
    return [
        node.lineno
        for node in nodes
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "deadline" and not (isinstance(keyword.value, ast.Constant) and keyword.value.value is None)
    ]


def test_nothing_depends_on_load():
    for path in TESTS.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "deadline" not in text and not any(clock in text for clock in CLOCKS):
            continue
        nodes = nodes_of(text)
        assert (path.name, clocks_in_assertions(nodes), deadlines(nodes)) == (path.name, [], [])


def test_what_depends_on_load_is_found():
    assert clocks_in_assertions(nodes_of("x = 1\nassert time.perf_counter() - start < 2\nassert monotonic()\nassert x")) == [
        2,
        3,
    ]
    assert deadlines(nodes_of("@settings(deadline=200)\ndef one(): pass\n@settings(deadline=None)\ndef other(): pass")) == [1]


@pytest.mark.parametrize(("size", "count"), [(0, 3), (3, 3), (2, 5), (10, 3), (11, 4), (100, 99)])
def test_samples_are_spread(size: int, count: int):
    found = sample(range(size), count)
    assert len(found) == (size if EXHAUSTIVE else min(size, count))
    assert found[:1] == list(range(size))[:1]
    gaps = {after - before for before, after in zip([*found, size], [*found[1:], size], strict=False)} - {0}
    assert len(gaps) <= 2
    assert max(gaps, default=1) - min(gaps, default=1) <= 1


def unchecked(text: str) -> list[str]:
    """The programs of `installed.PACKAGES` that begin a command in a text which does not ask whether they are there."""
    asked = {name for names in re.findall(r"\b(?:needs|missing)\(([^)]*)\)", text) for name in re.findall(r'"([^"]+)"', names)}
    return sorted({name for name in re.findall(r'\[\s*"([^"\s]+)",', text) if name in PACKAGES} - asked)


def test_no_program_is_taken_for_granted():
    assert unchecked('subprocess.run(["gcc", "-c"])') == ["gcc"]
    assert unchecked('@needs("gcc", "g++")\n["g++", "-c"]') == []
    found = {str(path.relative_to(TESTS)): unchecked(path.read_text(encoding="utf-8")) for path in TESTS.rglob("test_*.py")}
    assert {path: names for path, names in found.items() if names and path != "test_organisation.py"} == {}
