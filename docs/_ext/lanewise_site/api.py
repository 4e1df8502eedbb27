"""A page for each public name of `lanewise`, with types, from the source."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import lanewise
from lanewise.core.objects import internal_names
from lanewise.packages import PACKAGES
from lanewise_site.examples import ROOT
from lanewise_site.markup import escape, fence, page, table
from lanewise_site.repository import rewritten

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

_FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"\w+")
_WIDTH = 100
_EXAMPLES = "python-examples.md"
_PACKAGES = f"(?:{'|'.join([package.name for package in PACKAGES])})"


@cache
def _tree(path: str) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(Path(path).read_text(encoding="utf-8"))


@cache
def modules() -> dict[str, ModuleType]:
    """The module of each public name: `lanewise`, and the package of an instruction set for names that only it has."""
    packages = [package.name for package in PACKAGES]
    found: dict[str, ModuleType] = {name: lanewise for name in lanewise.__all__ if name not in packages}
    for package in packages:
        module: ModuleType = getattr(lanewise, package)
        found |= dict.fromkeys(module.__all__, module)
    return found


def _value(name: str) -> object:
    value: object = getattr(modules()[name], name)
    return getattr(value, "__wrapped__", value) if inspect.ismodule(value) else value


def pages() -> dict[str, str]:
    found = {f"reference/api/{name}.md": _page(f"{module.__name__}.{name}", _value(name)) for name, module in modules().items()}
    parts = [
        "`import lanewise as lw` gives these names, and `lw.pica200`, `lw.shadercore` and `lw.direct3d9` those of one "
        "instruction set. Names that are not listed may change. [Python and NumPy](../../python.md) shows how they are used; "
        "tests run its examples."
    ]
    for module in dict.fromkeys(modules().values()):
        listed = [name for name, home in modules().items() if home is module]
        parts += [f"## `{module.__name__}`", *_tables(listed, "###" if module is lanewise else "")]
    found["reference/api/index.md"] = page("Python API", *parts, orphan=False)
    return found


def _tables(listed: list[str], heading: str) -> list[str]:
    """The tables of names of a module by kind, each under a heading, or one table where there is no heading."""
    kinds: dict[str, list[tuple[str, str]]] = {}
    for name in listed:
        value = _value(name)
        kind = (
            "Modules"
            if inspect.ismodule(value)
            else "Classes"
            if inspect.isclass(value)
            else "Functions"
            if callable(value)
            else "Values"
        )
        kinds.setdefault(kind if heading else "", []).append((name, _first(inspect.getdoc(value) or "")))
    parts: list[str] = []
    for kind in ("", "Functions", "Classes", "Values", "Modules"):
        if kind in kinds:
            rows = [(f"[`{name}`]({name}.md)", escape(first)) for name, first in kinds[kind]]
            parts += [*([f"{heading} {kind}"] if heading else []), table(("name", "what"), rows)]
    return parts


def _first(doc: str) -> str:
    return " ".join(doc.partition("\n\n")[0].split())


def _page(path: str, value: object) -> str:
    name = path.rpartition(".")[2]
    parts: list[str] = []
    if inspect.ismodule(value):
        parts = [_doc(inspect.getdoc(value) or "")]
        tree = _tree(inspect.getsourcefile(value) or "")
        listed: list[str] = getattr(value, "__all__", [])
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and (not listed or node.name in listed):
                parts += _function(f"{path}.{node.name}", [node], heading="##")
        outside = [
            n
            for n in listed
            if not any(isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == n for node in tree.body)
        ]
        for other in outside:
            inner: object = getattr(value, other)
            if callable(inner) and inspect.getsourcefile(inner):
                parts += _any(f"{path}.{other}", inner, "##")
    else:
        parts = _any(path, value, "")
    shown = examples(name)
    if shown:
        parts += ["## Examples", *shown]
    return page(f"`{path}`", *parts, above="[Python API](index.md)")


def _any(path: str, value: object, heading: str) -> list[str]:
    if not callable(value) or not hasattr(value, "__qualname__"):  # presets may be called, to say how they are named
        return [f"A value of type `{type(value).__name__}`.", _doc(inspect.getdoc(type(value)) or "")]
    file = inspect.getsourcefile(value) or ""
    name = getattr(value, "__name__", "")
    body = _tree(file).body
    if inspect.isclass(value):
        node = next(n for n in ast.walk(_tree(file)) if isinstance(n, ast.ClassDef) and n.name == name)
        return ([f"{heading} `{path}`"] if heading else []) + _class(path, node, value)
    functions = [n for n in ast.walk(ast.Module(body, [])) if isinstance(n, ast.FunctionDef) and n.name == name]
    return _function(path, functions, heading)


def _doc(text: str) -> str:
    """A docstring as Markdown: indented examples are code."""
    parts: list[str] = []
    for block in re.split(r"\n{2,}", textwrap.dedent(text).strip()):
        if block.startswith("    "):
            parts.append(fence(textwrap.dedent(block), "python"))
        else:
            parts.append(escape(block))
    return "\n\n".join(parts)


def _signature(node: ast.FunctionDef, *, method: bool) -> str:
    """The signature as Python writes it, over several lines if it is long."""
    arguments = node.args
    listed: list[str] = []
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    for n, (argument, default) in enumerate(zip(positional, defaults, strict=True)):
        if method and n == 0 and argument.arg in ("self", "cls"):
            continue
        listed.append(_parameter(argument, default))
        if arguments.posonlyargs and argument is arguments.posonlyargs[-1]:
            listed.append("/")
    if arguments.vararg:
        listed.append("*" + _parameter(arguments.vararg, None))
    elif arguments.kwonlyargs:
        listed.append("*")
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        listed.append(_parameter(argument, default))
    if arguments.kwarg:
        listed.append("**" + _parameter(arguments.kwarg, None))
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"{node.name}({', '.join(listed)}){result}"
    if len(line) <= _WIDTH:
        return line
    return f"{node.name}(\n" + "".join([f"    {part},\n" for part in listed]) + f"){result}"


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    text = argument.arg + (f": {ast.unparse(argument.annotation)}" if argument.annotation else "")
    if default is None:
        return text
    value = ast.unparse(default)
    return f"{text} = {value if len(value) < 40 else '...'}"


def _marks(node: ast.FunctionDef) -> list[str]:
    return [ast.unparse(mark) for mark in node.decorator_list]


def _function(path: str, nodes: list[ast.FunctionDef], heading: str, *, method: bool = False) -> list[str]:
    """A function: its overloads if it has some, else its signature, and its documentation."""
    name = path.rpartition(".")[2]
    overloads = [node for node in nodes if any("overload" in mark for mark in _marks(node))]
    shown = overloads or nodes[-1:]
    signatures = "\n".join([f"{mark}def {_signature(node, method=method)}" for node in shown for mark in _static(node)])
    doc = next((text for node in reversed(nodes) if (text := ast.get_docstring(node))), "")
    parts = [f"{heading} `{name}`"] if heading else []
    types = [_page_of(used) for used in _types(ast.unparse(kind) for node in shown for kind in _annotations(node))]
    return [*parts, fence(signatures, "python"), *([f"Types: {', '.join(types)}."] if types else []), _doc(doc)]


def _annotations(node: ast.FunctionDef) -> list[ast.expr]:
    """The types of its parameters and of its result."""
    given = node.args
    arguments = [*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg]
    found = [*[each.annotation for each in arguments if each is not None], node.returns]
    return [each for each in found if each is not None]


def _types(annotations: Iterable[str]) -> list[str]:
    """The classes with pages that types name, in their order."""
    words = [word for text in annotations for word in _WORD.findall(text)]
    return [word for word in dict.fromkeys(words) if word in modules() and inspect.isclass(_value(word))]


def _page_of(name: str) -> str:
    return f"[`{name}`]({name}.md)"


def _type(text: str) -> str:
    """A type for a cell of a table, with the pages of the classes that it names."""
    used = _types([text])
    return _page_of(text) if used == [text] else f"`{text}`" + (f" ({', '.join(map(_page_of, used))})" if used else "")


def _static(node: ast.FunctionDef) -> list[str]:
    marks = [mark for mark in _marks(node) if mark in ("staticmethod", "classmethod")]
    return [f"@{marks[0]}\n" if marks else ""]


def _class(path: str, node: ast.ClassDef, value: type) -> list[str]:
    """Its documentation, its attributes and properties, its methods, and the names of what it has from classes that have no
    page."""
    public = [base for base in map(ast.unparse, node.bases) if base in modules()]
    parts = [_doc(ast.get_docstring(node) or "")]
    if public:
        parts.append("Has all of " + ", ".join(map(_page_of, public)) + ".")
    internal = internal_names(value)
    functions = {name: nodes for name, nodes in _public_functions(node).items() if name not in internal}
    properties = {name: nodes[0] for name, nodes in functions.items() if any("property" in mark for mark in _marks(nodes[0]))}
    declared = {name: found for name, found in _annotated(node).items() if name not in internal}
    attributes = {**declared, **{name: _of_property(found) for name, found in properties.items()}}
    if attributes:
        rows = [(f"`{name}`", kind, meaning) for name, (kind, meaning) in attributes.items()]
        plain = all(not meaning for _, _, meaning in rows)
        head = ("name", "type") if plain else ("name", "type", "meaning")
        parts += ["## Attributes", table(head, [row[: len(head)] for row in rows])]
    methods = {name: nodes for name, nodes in functions.items() if name not in properties}
    if methods:
        parts.append("## Methods")
    for name, nodes in methods.items():
        parts += _function(f"{path}.{name}", nodes, "###", method=True)
    known = {*functions, *attributes, *dir(tuple)}
    inherited = [
        name
        for name in dir(value)
        if not name.startswith("_") and name not in {*known, *internal} and callable(getattr(value, name, None))
    ]
    if inherited and not public:
        parts.append("Also: " + ", ".join([f"`{name}()`" for name in inherited]) + ".")
    return parts


def _annotated(node: ast.ClassDef) -> dict[str, tuple[str, str]]:
    """The type and the meaning of each attribute that a class declares; the meaning is a string after the declaration."""
    found: dict[str, tuple[str, str]] = {}
    for item, after in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and not item.target.id.startswith("_"):
            doc = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            default = f" = `{ast.unparse(item.value)}`" if item.value is not None and len(ast.unparse(item.value)) < 40 else ""
            found[item.target.id] = _type(ast.unparse(item.annotation)) + default, escape(" ".join(str(doc).split()))
    return found


def _public_functions(node: ast.ClassDef) -> dict[str, list[ast.FunctionDef]]:
    """Methods and properties with their overloads, without setters."""
    found: dict[str, list[ast.FunctionDef]] = {}
    functions = [item for item in node.body if isinstance(item, ast.FunctionDef) and not item.name.startswith("_")]
    for function in functions:
        if not any("setter" in mark for mark in _marks(function)):
            found.setdefault(function.name, []).append(function)
    return found


def _of_property(node: ast.FunctionDef) -> tuple[str, str]:
    """The type and the meaning of a property."""
    kind = _type(ast.unparse(node.returns)) if node.returns else ""
    return kind, escape(" ".join((ast.get_docstring(node) or "").split()))


@cache
def _pages_with_python() -> dict[str, str]:
    return {
        path.name: "\n".join(_FENCE.findall(path.read_text(encoding="utf-8"))) for path in sorted((ROOT / "docs").glob("*.md"))
    }


@cache
def sections() -> dict[str, str]:
    """The section of docs/python-examples.md about each name in its heading: text, code and what it prints."""
    text = (ROOT / "docs" / _EXAMPLES).read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for section in text.split("\n## ")[1:]:
        heading, _, body = section.partition("\n\n")
        found |= {name: body.strip() for name in re.findall(r"\w+", heading) if name in modules()}
    return found


def examples(name: str) -> list[str]:
    """What a page says of examples of a name: one of them, and the pages that have others. Tests run all of these."""
    use = re.compile(rf"\blw\.(?:{_PACKAGES}\.)?{name}\b")
    pages_with = [
        f"[{page_name.removesuffix('.md')}](../../{page_name})"
        for page_name, code in _pages_with_python().items()
        if use.search(code) and page_name != _EXAMPLES
    ]
    shown: list[str] = []
    if name in sections():
        shown = [
            rewritten(f"docs/{_EXAMPLES}", sections()[name]),
            f"Part of a session: [Python by example](../../{_EXAMPLES}).",
        ]
    elif name in _names_of(_pages_with_python()[_EXAMPLES]):
        pages_with.insert(0, f"[Python by example](../../{_EXAMPLES})")
    return [*shown, *([f"Examples that tests run: {', '.join(pages_with)}."] if pages_with else [])]


def _names_of(code: str) -> set[str]:
    return set(re.findall(rf"\blw\.(?:{_PACKAGES}\.)?(\w+)", code))
