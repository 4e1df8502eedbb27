"""What is wrong with an instruction, in words, and how it is meant.

Loaded for sources with errors only.
"""

from __future__ import annotations

from lanewise.core.cached import lru_cache
from lanewise.core.diagnostics import ERROR, Diagnostic, Edit
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.core.text.numbers import read_float
from lanewise.core.text.problems import Problem
from lanewise.pica200.isa.table import COMPARISONS, EXCHANGED, JUMP, SETEMIT
from lanewise.pica200.text.picasso.arguments import poison
from lanewise.pica200.text.picasso.directives import DIRECTIVES
from lanewise.pica200.text.picasso.operands import Poisoned
from lanewise.pica200.text.picasso.syntax import (
    CONSTANT,
    INSTEAD,
    MNEMONICS,
    SATURATION,
    Quirk,
    begins_like_register,
    is_identifier,
    saturating,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.text.problems import Suggestions
    from lanewise.pica200.isa.table import Op
    from lanewise.pica200.text.picasso.reader import Reader

MIRRORED = {name: COMPARISONS[n] for name, n in zip(COMPARISONS, EXCHANGED, strict=True)}
_DEFINED = 2  # a name and what it stands for
_PREPROCESSOR = ("define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif", "pragma", "error")
_CLOSE = INSTEAD["endif"]
_COMMENTS = ("--", "'", "@", "!", "%", "*", "rem", "dnl", '"', "<!--")  # of other languages, where an instruction begins


def preprocessed(reader: Reader, statement: str) -> None:
    """Report a line of the C preprocessor, of one kind once in a file (P008). Raises Problem and Poisoned."""
    word, *rest = statement[1:].split()
    if word not in _PREPROCESSOR:
        return
    message = f"#{word} is a line of the C preprocessor, which has not run"
    output = f"{reader.file.split('.')[0] or 'light'}.shbin"
    fix = f"run it first: `cpp {reader.file} | lanewise asm - -o {output}`"
    reader.incomplete = reader.incomplete or (word == "include" and not reader.compatible)
    name = "".join(rest).strip('"<>')
    if word == "include" and name and name[-2:].lower() != ".h":
        fix = f"put the lines of {name} in its place, as picasso's language has no include; or {fix}"
    if reader.compatible:
        reader.warn(Quirk(code="P008", message=message, fix=fix))
    elif word == "define":
        if rest and not begins_like_register(rest[-1]):
            poison(reader, rest[0])
        simple = len(rest) == _DEFINED and "(" not in rest[0]
        if simple and begins_like_register(rest[1]):
            fix = f"write `.alias {rest[0]} {rest[1]}`"
        elif simple and read_float(rest[1])[1]:
            fix = f"{_of_number(reader, *rest)}, or {fix}"
        else:
            fix += "; or name a register: `.alias NAME REGISTER`"
        raise Problem("P008", message, fix)
    elif not any(each.code == "P008" and each.span.file == reader.file for each in reader.diagnostics):
        raise Problem("P008", message, fix)
    raise Poisoned


def _of_number(reader: Reader, name: str, number: str) -> str:
    """The fix of a `#define` of a number: a constant where operands name it, else the number in its place."""
    if name in _operands(reader.text):
        values = ", ".join([number.rstrip("fF")] * 4)
        return f"write `.constf {name}({values})` in its place"
    return f"write {number} in place of {name}"


@lru_cache(1)
def _operands(text: str) -> frozenset[str]:
    """The words of the instructions of a file, without those of indices, which are numbers."""
    lines = [line.partition(";")[0].strip() for line in text.split("\n")]
    code = " ".join([line for line in lines if line[:1] not in {"", ".", "#"}])
    closed, bracket, after = code.rpartition("]")
    begin, *indices = (closed + bracket).split("[")
    code = "".join([begin, *[each.partition("]")[2] for each in indices], after])
    return frozenset("".join([letter if letter.isalnum() or letter in "_$" else " " for letter in code]).split())


def unknown_instruction(word: str, suggestions: Suggestions) -> Problem:
    lower = word.lower()
    mark = next((each for each in _COMMENTS if lower.startswith(each)), "")
    if mark and (not mark.isalpha() or lower == mark):
        return Problem(
            "P008", f"'{word[: len(mark)]}' does not begin a comment", "begin comments with `;`", 0, len(mark), (), ";"
        )
    fix, other = SATURATION if saturating(lower) else INSTEAD.get(lower, ""), ""
    if fix in (f"write {fix[6:]}", f"write `{fix[7:-1]}`"):  # another word for the same
        other = fix[6:].strip("`")
    elif fix == _CLOSE:
        other = ".end"
    if not fix and f".{lower}" in DIRECTIVES:
        other = f".{lower}"
        fix = f"did you mean {other}?"
    if not fix:
        other = suggestions.nearest(lower, MNEMONICS)
        fix = f"did you mean {other}?" if other else "see `lanewise isa pica200`"
    return Problem(
        "P001", f"unknown instruction '{word}'", fix, 0, len(word), (), other if other and " " not in other else None
    )


def usage(op: Op, given: Sequence[str] = ()) -> str:
    """The fix for an instruction with other operands, those that are given in it: write `add r0, r1, SRC2`."""
    parts, known = form(op).partition(" ")[2].split(", "), [text for text in given if text]
    if op.kind == SETEMIT or not op.operands:
        return f"write `{form(op)}`"
    if op.name == "cmp" and len(known) == 2:
        known = [known[0], "lt", "lt", known[1]]
    parts = ["cmp.x" if each == "COND" else each for each in parts]
    return f"write `{op.name} {', '.join([*known[: len(parts)], *parts[len(known) :]])}`"


def form(op: Op) -> str:
    """An instruction with its operands: `add DST, SRC1, SRC2`."""
    sources = 0
    parts: list[str] = []
    for i, kind in enumerate(op.operands):
        if kind == "src":
            sources += 1
            parts.append(f"SRC{sources}" if op.operands.count("src") > 1 else "SRC")
        elif kind == "cmp":
            parts.append("OPX" if i == 1 else "OPY")
        elif kind != "block":
            parts.append(
                {
                    "dst": "DST",
                    "adr": "a0.x|a0.y|a0.xy",
                    "cond": "COND",
                    "bool": "b0-b15",
                    "int": "i0-i3",
                    "target": "LABEL" if op.kind == JUMP else "PROC",
                    "vertex": "VTX[, prim][ inv]",
                    "word": "0xWORD",
                }[kind]
            )
    return f"{op.name} {', '.join(parts)}".rstrip()


def wrong_count(reader: Reader, op: Op, arguments: list[str]) -> Problem:
    kinds, count = op.operands, len(arguments)
    if count < len(kinds):
        for n, argument in enumerate(arguments):
            first, *rest = argument.split() or [""]
            if rest and first[-1:] not in "+-!&|" and rest[0][:1] not in "+&|[.":
                reader.argument = n
                parts = [each for text in arguments for each in text.split()]
                return Problem("P010", f"missing comma between '{first}' and '{rest[0]}'", usage(op, parts), 0, len(argument))
        reader.argument = count if count else -1
        why = ": one operator is for x, one for y" if op.operands.count("cmp") == 2 and count == len(kinds) - 1 else ""
        return Problem("P010", f"{op.name} has {len(kinds)} operands, found {count}{why}", usage(op, arguments))
    reader.argument = len(kinds)
    fix = usage(op, arguments) if kinds else f"{op.name} has no operands"
    if op.name == "mov" and count == 3:
        fix += f", or an instruction with two sources: `add {', '.join(arguments)}`"
    if any("(" in argument for argument in arguments):
        fix = CONSTANT
    return Problem("P011", f"{op.name} has {len(kinds) or 'no'} operand{'s' if len(kinds) != 1 else ''}, found {count}", fix)


def wrong_flow_count(reader: Reader, op: Op, given: int, arguments: Sequence[str]) -> Problem:
    """As `wrong_count`, for an instruction without sources that takes `given` operands."""
    found = len(arguments)
    if found == 1 == given - 1 and is_identifier(arguments[0]) and arguments[0] not in reader.operands.aliases:
        arguments = ["cmp.x" if op.operands[0] == "cond" else "b0-b15", arguments[0]]  # it is the target
    many = "" if given == 1 else "s"
    if found > given:
        reader.argument = given
        return Problem("P011", f"{op.name} has {given or 'no'} operand{many}, found {found}", usage(op, arguments))
    return Problem("P010", f"{op.name} has {given} operand{many}, found {found}", usage(op, arguments))


def exchange(reader: Reader, op: Op, arguments: list[str], fix: str) -> tuple[tuple[Edit, ...], str]:
    """The edits that exchange the first two sources of an instruction, and mirror its operators; and the fix with its line."""
    kinds = op.operands
    first, second = [i for i, kind in enumerate(kinds) if kind == "src"][:2]
    new = {first: arguments[second].strip(), second: arguments[first].strip()}
    for i, kind in enumerate(kinds):
        if kind == "cmp":
            new[i] = MIRRORED[arguments[i].strip().lower()]
    edits: list[Edit] = []
    line = ", ".join([new.get(i, text.strip()) for i, text in enumerate(arguments)])
    for i, text in sorted(new.items()):
        if text != arguments[i].strip():
            start, end = reader.argument_place(i)
            edits.append(
                Edit(
                    Span(
                        file=reader.file,
                        line=reader.number,
                        column=start + 1,
                        length=end - start,
                        text=reader.line.rstrip("\r\n"),
                    ),
                    text,
                )
            )
    said = fix.partition(" and mirror")[0]  # as the line does
    words = "exchange the sources" if op.source_count == 2 else "exchange the first two sources"
    return tuple(edits), said.replace(words, f"{words}: `{op.name} {line}`", 1)


def not_a_text(name: str, text: str) -> Diagnostic:
    """The one finding about a binary file: its lines would only fill the screen."""
    line = text.count("\n", 0, text.index("\0")) + 1
    fix = "pass the source; `lanewise run` and `lanewise dis` read an SHBIN, whose name ends in .shbin"
    return Diagnostic(
        code="P058",
        severity=ERROR,
        message="binary file: it contains a zero byte",
        span=Span(file=name, line=line),
        notes=(),
        fix=fix,
    )
