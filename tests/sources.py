"""What the sources of the project say, by their syntax: only this much of them is kept."""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


class Facts(NamedTuple):
    """String and bytes literals, docstrings left out."""

    strings: frozenset[str]
    bytes: frozenset[bytes]


@cache
def facts(path: Path) -> Facts:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    docstrings = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    literals = [node.value for node in nodes if isinstance(node, ast.Constant) and id(node) not in docstrings]
    return Facts(
        frozenset(value for value in literals if isinstance(value, str)),
        frozenset(value for value in literals if isinstance(value, bytes)),
    )


def imports_of(source: str) -> list[ast.Import | ast.ImportFrom]:
    """The imports that can be run, wherever they are."""
    return list(_imports(ast.parse(source).body))


def _imports(statements: Sequence[ast.AST]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Those of statements and of what they hold; expressions, which are most of a module, are not looked at."""
    for statement in statements:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            yield statement
            continue
        types = isinstance(statement, ast.If) and ast.unparse(statement.test).endswith("TYPE_CHECKING")
        for part in ("orelse",) if types else ("body", "handlers", "cases", "orelse", "finalbody"):
            yield from _imports(getattr(statement, part, ()))
