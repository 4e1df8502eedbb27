"""Names that are used before the line that declares them. Asked only about statements with errors."""

from __future__ import annotations

import re
from functools import lru_cache

from lanewise.core.diagnostics import Edit
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.table import SEMANTICS
from lanewise.pica200.text.picasso.arguments import poison
from lanewise.pica200.text.rewriting import properties

if TYPE_CHECKING:
    from lanewise.core.text.problems import Problem
    from lanewise.pica200.text.picasso.reader import Reader

_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_UNKNOWN = re.compile(r"unknown register '([A-Za-z_$][\w$]*)'")
_INPUTS = ("position", "pos", "normal", "color", "colour", "texcoord", "texcoord0", "uv", "vertex")
_LISTS = (".fvec", ".ivec", ".bool")  # which declare several names


def declared_below(reader: Reader, problem: Problem) -> bool:
    """Give a problem with an unknown name the fix that moves its declaration up: whether there is one. Other uses are not
    reported again."""
    found = _UNKNOWN.fullmatch(problem.message)
    if found is None:
        return False
    name = found[1]
    lines, declarations = _read(reader.text)
    here = lines[reader.number - 1].rstrip("\r") if 0 < reader.number <= len(lines) else None
    number = next((n for n in declarations.get(name, ()) if n > reader.number), 0)
    if not number or here != reader.line.rstrip("\r\n"):
        return False
    line = lines[number - 1].rstrip("\r")
    begin = reader.blocks[0].span if reader.blocks and reader.blocks[0].span.file == reader.file else reader.span()
    at = begin.at(1, 0)
    shown = " ".join(line.partition(";")[0].split())
    place = begin.text[begin.column - 1 : begin.column - 1 + begin.length].strip() or "this line"
    problem.fix = f"move line {number}, `{shown}`, above `{place}`: a name is known from its declaration on"
    problem.replacement = None
    old = at._replace(line=number, column=1, length=len(lines[number - 1]) + 1, text=line)
    problem.edits = (Edit(at, f"{line.strip()}\n"), Edit(old, ""))
    poison(reader, name)
    return True


def once(reader: Reader, problem: Problem) -> None:
    """Uses of an unknown name for which nothing is offered are not reported again."""
    found = _UNKNOWN.fullmatch(problem.message)
    alias = reader.operands.aliases.get(problem.fix.removeprefix("did you mean ").rstrip("?")) if found is not None else None
    if found is not None and alias is not None and alias.letter == "v" and _is_written(reader, found[1]):
        kind = next(iter(properties(found[1])), "")
        rows = reader.unit.outputs if reader.unit is not None else ()
        names = [row.name for row in rows if SEMANTICS[row.semantic] == kind and row.name]
        if names:
            problem.fix, problem.replacement = f"did you mean {names[0]}?", names[0]
    if found is not None and problem.fix.startswith("declare it with"):
        poison(reader, found[1])
        problem.fix = f"declare it with {_declaration(reader, found[1])}"


def _is_written(reader: Reader, name: str) -> bool:
    """Whether a name is the destination of the line at hand."""
    return re.match(rf"\s*(?:\w+:)?\s*\w+\s+{re.escape(name)}(?:\.\w+)?\s*,", reader.line) is not None


def _declaration(reader: Reader, name: str) -> str:
    """The declaration that fits the uses of a name: an output, an array, an attribute, or any."""
    code = "\n".join(_uses(reader.text).get(name, ()))
    here = re.escape(name)
    lower = name.lower()
    if re.search(rf"^[^\S\n]*(?:\w+:)?\s*\w+\s+{here}(?:\.\w+)?\s*,", code, re.MULTILINE):
        declared = _outputs(reader.text)
        kind = next((kind for kind in properties(name) if kind not in declared), "")
        written = len(re.findall(rf"^[^\S\n]*\w+\s+{here}", code, re.MULTILINE))
        read = len(re.findall(rf"(?<![\w.$]){here}(?![\w$])", code)) > written
        return f"`.out {name} {kind}`" if kind and not read else f"`.alias {name} r0`, a register that is free"
    indices = [int(each) for each in re.findall(rf"(?<![\w.$]){here}\s*\[\s*(\d+)\s*\]", code)]
    if indices:
        return f"`.fvec {name}[{max(indices) + 1 if max(indices) != 2 else 4}]`, a uniform"
    if lower.removeprefix("in") in _INPUTS or lower.removeprefix("a_") in _INPUTS:
        return f"`.in {name}`, an attribute"
    return f"`.fvec {name}` (a uniform), `.in {name}` (an attribute) or `.alias {name} r0` (a register)"


@lru_cache(1)
def _uses(text: str) -> dict[str, list[str]]:
    """The lines of a file, without comments and directives, in which each name is."""
    found = dict[str, list[str]]()
    for line in text.split("\n"):
        code = line.partition(";")[0]
        for name in set(_NAME.findall(code)) if code.lstrip()[:1] != "." else ():
            found.setdefault(name, []).append(code)
    return found


@lru_cache(1)
def _outputs(text: str) -> frozenset[str]:
    """The properties of the outputs that a file declares."""
    return frozenset(re.findall(r"^[^\S\n]*\.out\s+\S+\s+([a-z]+\d?)", text, re.MULTILINE))


@lru_cache(1)
def _read(text: str) -> tuple[list[str], dict[str, list[int]]]:
    """The lines of a file, and the numbers of those that declare each name."""
    lines, found = text.split("\n"), dict[str, list[int]]()
    for number, line in enumerate(lines, 1):
        for name in _declared(line) if line.lstrip()[:1] == "." else ():
            found.setdefault(name, []).append(number)
    return lines, found


def _declared(line: str) -> list[str]:
    """The names that a line declares."""
    word, _, rest = line.partition(";")[0].strip().partition(" ")
    lower = word.lower()
    if lower in _LISTS:
        return [each.partition("[")[0].split()[0] for each in rest.split(",") if each.partition("[")[0].split()]
    name = _NAME.match(rest.lstrip()) if lower in (".alias", ".in", ".out", ".constf", ".consti") else None
    return [name[0]] if name is not None else []
