"""What the sources of the project say, by their syntax: each file is parsed once in a process, and only this much of it is
kept."""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Facts(NamedTuple):
    """String and bytes literals, docstrings left out, and the imports that can be run, wherever they are."""

    strings: frozenset[str]
    bytes: frozenset[bytes]
    imports: tuple[ast.Import | ast.ImportFrom, ...]


@cache
def facts(path: Path) -> Facts:
    return facts_of(path.read_text(encoding="utf-8"))


def facts_of(source: str) -> Facts:
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
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
        tuple(_imports(tree)),
    )


def _imports(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            for other in node.orelse:
                yield from _imports(ast.Module([other], []))
        else:
            yield from _imports(node)
