"""The public interface as lines of text: names of Python with signatures and types, options, JSON shapes, codes, records.

`python -m public_api` in `tests` writes `docs/public-api.txt`, that of the last release; `--diff` prints what differs.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import lanewise
from corpus import REPOSITORY
from lanewise.core import package, service
from lanewise.core.objects import internal_names
from lanewise.packages import codes
from lanewise.tools.completions import interfaces

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

FILE = REPOSITORY / "docs" / "public-api.txt"
CHANGELOG = REPOSITORY / "CHANGELOG.md"
MODULES = ("lanewise", "lanewise.pica200", "lanewise.shadercore", "lanewise.direct3d9", "lanewise.distributed")
# What plug-ins make and are given: instruction sets, languages and containers of other distributions.
RECORDS = {
    package: ("Container", "FrameServices", "IsaPackage", "Language", "Loaded", "Program", "Reference", "Variant"),
    service: ("Answer", "Disassembly", "Manual", "Option", "Report", "Request", "Source", "SourceFile"),
}
_HEAD = "# The public interface of the last release (docs/stability.md), by tests/public_api.py\n"


def lines() -> list[str]:
    """The whole interface, sorted."""
    return sorted({*_python(), *_records(), *_options(), *_shapes(), *[f"code {code}" for code in codes()]})


def text() -> str:
    return _HEAD + "".join([f"{line}\n" for line in lines()])


def _python() -> Iterator[str]:
    for name in MODULES:
        module = import_module(name)
        for listed in module.__all__:
            value: Any = getattr(module, listed)
            yield from _value(f"{name}.{listed}", getattr(value, "__wrapped__", value) if inspect.ismodule(value) else value)


def _records() -> Iterator[str]:
    for module, names in RECORDS.items():
        for name in names:
            yield from _class(f"{module.__name__}.{name}", [_node(Path(str(module.__file__)), name)], ())


def _value(path: str, value: Any) -> Iterator[str]:
    if inspect.isclass(value):
        bases = [base for base in value.__mro__ if base.__module__.startswith("lanewise")]
        nodes = [_node(Path(inspect.getsourcefile(base) or ""), base.__name__) for base in reversed(bases)]
        yield f"{path}: class"
        yield from _class(path, nodes, internal_names(value))
    elif inspect.isfunction(value):
        value = inspect.unwrap(value)
        node = _tree(Path(inspect.getsourcefile(value) or ""))
        functions = [each for each in ast.walk(node) if isinstance(each, ast.FunctionDef) and each.name == value.__name__]
        overloads = [each for each in functions if any("overload" in ast.unparse(mark) for mark in each.decorator_list)]
        for each in overloads or functions[:1]:
            yield f"{path}{_signature(each)}"
    else:
        yield f"{path}: {'module' if inspect.ismodule(value) else type(value).__name__}"


def _class(path: str, nodes: Iterable[ast.ClassDef], internal: Collection[str]) -> Iterator[str]:
    """The members of a class, whose bases come first."""
    found: dict[str, str] = {}
    for key, _, shown in [line.partition("|") for node in nodes for line in _members(node)]:
        if shown != key or key not in found:  # a value in place of one whose type is declared
            found[key] = shown
    yield from [f"{path}.{shown}" for key, shown in found.items() if key not in internal]


def _members(node: ast.ClassDef) -> Iterator[str]:
    """The public members of a class: `name|line`, with attributes that `__init__` sets."""
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and _shown(item.target.id):
            yield f"{item.target.id}|{item.target.id}: {ast.unparse(item.annotation)}"
        elif isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name) and _shown(item.targets[0].id):
            kind = f": {type(item.value.value).__name__}" if isinstance(item.value, ast.Constant) else ""
            yield f"{item.targets[0].id}|{item.targets[0].id}{kind}"
        elif isinstance(item, ast.FunctionDef):
            marks = [ast.unparse(mark) for mark in item.decorator_list]
            if item.name == "__init__":
                yield f"__init__|{_signature(item)}"
                yield from _attributes(item)
            elif _shown(item.name) and any("property" in mark for mark in marks):
                yield f"{item.name}|{item.name}: {ast.unparse(item.returns) if item.returns is not None else ''}"
            elif _shown(item.name) and not any("setter" in mark for mark in marks):
                yield f"{item.name}|{item.name}{_signature(item)}"


def _attributes(function: ast.FunctionDef) -> Iterator[str]:
    types = {each.arg: ast.unparse(each.annotation) for each in _arguments(function) if each.annotation is not None}
    for item in ast.walk(function):
        pairs: list[tuple[ast.expr, ast.expr | None, str]] = []
        if isinstance(item, ast.AnnAssign):
            pairs = [(item.target, None, ast.unparse(item.annotation))]
        elif isinstance(item, ast.Assign):
            for target in item.targets:
                both = isinstance(target, ast.Tuple) and isinstance(item.value, ast.Tuple)
                parts = target.elts if isinstance(target, ast.Tuple) else [target]
                values = cast("ast.Tuple", item.value).elts if both else [item.value] * len(parts)
                pairs += [(part, value, "") for part, value in zip(parts, values, strict=True)]
        for target, value, annotation in pairs:
            if isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self" and _shown(target.attr):
                known = annotation or (types.get(value.id, "") if isinstance(value, ast.Name) else "")
                yield f"{target.attr}|{target.attr}{f': {known}' if known else ''}"


def _arguments(function: ast.FunctionDef) -> list[ast.arg]:
    given = function.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs]


def _signature(function: ast.FunctionDef) -> str:
    result = f" -> {ast.unparse(function.returns)}" if function.returns is not None else ""
    given = ast.unparse(function.args)
    for first in ("self, ", "cls, ", "self", "cls"):
        given = given.removeprefix(first)
    return f"({given}){result}"


def _shown(name: str) -> bool:
    return not name.startswith("_")


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _node(path: Path, name: str) -> ast.ClassDef:
    return next(each for each in ast.walk(_tree(path)) if isinstance(each, ast.ClassDef) and each.name == name)


def _options() -> Iterator[str]:
    for command in interfaces():
        yield f"command {command.name}"
        for row in command.rows:
            for name in row.names:
                yield f"option {command.name} {name}"


def _shapes() -> Iterator[str]:
    """The keys of each JSON Schema, with those that are always there."""
    for path in sorted((REPOSITORY / "src/lanewise/schemas").glob("*.json")):
        yield from _keys(path.stem, json.loads(path.read_text(encoding="utf-8")))


def _keys(place: str, schema: object) -> Iterator[str]:
    if isinstance(schema, list):
        for item in cast("Sequence[object]", schema):
            yield from _keys(place, item)
    if not isinstance(schema, dict):
        return
    table = cast("Mapping[str, Any]", schema)
    required = cast("Sequence[str]", table.get("required", ()))
    for key, value in cast("Mapping[str, Any]", table.get("properties", {})).items():
        const = f" = {value['const']}" if key == "schema" and "const" in value else ""
        yield f"json {place}.{key}{const}{'' if key in required else ' (optional)'}"
        yield from _keys(f"{place}.{key}", value)
    for key in ("items", "additionalProperties", "anyOf", "oneOf", "allOf"):
        yield from _keys(f"{place}[]" if key == "items" else place, table.get(key))
    for name, value in cast("Mapping[str, Any]", table.get("$defs", {})).items():
        yield from _keys(f"{place}#{name}", value)


def differences(before: str, after: str) -> list[str]:
    """The lines that only one has, with `-` or `+`."""
    old, new = ({*part.splitlines()} for part in (before, after))
    return [*[f"- {line}" for line in sorted(old - new)], *[f"+ {line}" for line in sorted(new - old)]]


def unnamed(changes: Sequence[str], changelog: str) -> list[str]:
    """The changes that no code in the part of the changelog before the last release names: by the last part of the name, and,
    of a signature, by a parameter that changed."""
    part = changelog.partition("\n## Unreleased\n")[2].partition("\n## ")[0]
    named = {word for code in re.findall(r"`+([^`\n]+)`+", part) for word in re.findall(r"[\w-]+", code)}
    named |= {*re.findall(r"\b[A-Z]\d{3}\b", part)}
    return [change for change in changes if not _words(change) & named]


def _words(change: str) -> set[str]:
    """The words by which a change may be named."""
    line = change[2:]
    if line.startswith(("option ", "command ", "code ", "json ")):
        word = line.removesuffix(" (optional)").partition(" = ")[0].rpartition(" ")[2]
        return {word.rpartition(".")[2].partition("#")[0].removesuffix("[]"), word.lstrip("-"), word}
    path = re.split(r"[(:]", line, maxsplit=1)[0]
    return {path.rpartition(".")[2] or path.split(".")[-2]}


def main(arguments: Sequence[str]) -> int:
    if arguments == ["--diff"]:
        print("\n".join(differences(FILE.read_text(encoding="utf-8"), text())))
        return 0
    FILE.write_text(text(), encoding="utf-8")
    print(f"{FILE}: {len(lines())} lines of lanewise {lanewise.__version__}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
