"""No module of `src` needs itself: the graph of imports at run time, those inside functions too, has no cycle.

Imports for types alone (`if TYPE_CHECKING`) are not run and do not count.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from corpus import REPOSITORY
from lanewise.graph.order import reverse_postorder, strongly_connected
from sources import imports_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

SOURCES = REPOSITORY / "src"
FOR_TYPES = re.compile(r"^( *)if TYPE_CHECKING:\n(?:\n|\1 +.*\n)+", re.MULTILINE)
IMPORTS = re.compile(r"^ *(?P<code>import [\w.]+.*|from [\w.]+ import (?:\([^)]*\)|[\w*].*))$", re.MULTILINE)


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCES).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(imports: Iterable[ast.Import | ast.ImportFrom], modules: set[str]) -> set[str]:
    """The modules among `modules` that statements import."""
    found: set[str] = set()
    for statement in imports:
        if isinstance(statement, ast.Import):
            names = {alias.name for alias in statement.names}
        else:
            assert not statement.level and statement.module, "imports are absolute"
            module = statement.module
            inner = {f"{module}.{alias.name}" for alias in statement.names}
            names = (inner & modules) | ({module} if inner - modules else set[str]())
        found |= names & modules
    return found


def import_lines(source: str) -> str:
    """All lines that may be imports, also those of strings, without those for types alone."""
    return "\n".join(match["code"] for match in IMPORTS.finditer(FOR_TYPES.sub("", source)))


def cycles(imports: Mapping[str, set[str]]) -> list[list[str]]:
    def following(module: str) -> list[str]:
        return sorted(imports[module])

    order = reverse_postorder(sorted(imports), following)
    return [sorted(group) for group in strongly_connected(order, following) if len(group) > 1]


def test_statements_that_count():
    source = """
import os, a.b
from a import b, thing
if TYPE_CHECKING:
    from a import types
else:
    from a import other
def function():
    try:
        from a.late import name
    except ImportError:
        match name:
            case None:
                import a.again
    finally:
        import a.end
    if typing.TYPE_CHECKING:
        import a.types
"""
    modules = {"a", "a.b", "a.types", "a.other", "a.late", "a.again", "a.end", "a.unused"}
    assert imported(imports_of(source), modules) == {"a", "a.b", "a.other", "a.late", "a.again", "a.end"}


def test_cycles_are_found():
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}) == [["b", "c"], ["d", "e"]]


def test_no_module_imports_itself():
    """Lines that may be imports are enough where there is no cycle of them; parsing all modules takes seconds."""
    sources = {module_name(path): path.read_text("utf-8") for path in sorted(SOURCES.rglob("*.py"))}
    assert len(sources) > 200
    modules = set(sources)

    def found(names: Iterable[str], code: Callable[[str], str]) -> list[list[str]]:
        among = {*names}
        return cycles({name: imported(imports_of(code(sources[name])), modules) & among - {name} for name in among})

    assert all(found(names, str) == [] for names in found(sources, import_lines))


def test_lines_that_may_be_imports():
    source = (
        "if TYPE_CHECKING:\n    from a import b\n\n    import c\nelse:\n    import d\n\n\n"
        "def f():\n    from e import (\n    g,\n    h)\n    '\n    import i\n    '\n"
    )
    assert import_lines(source) == "import d\nfrom e import (\n    g,\n    h)\nimport i"
