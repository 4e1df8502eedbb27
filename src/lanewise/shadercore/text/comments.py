"""Comments of the ShaderCore language: where they begin, and `--` of other languages in their place."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.shadercore.text.operands import Fault, number_text
from lanewise.shadercore.text.pieces import float_bits

if TYPE_CHECKING:
    from collections.abc import Mapping

_COMMENTS = (";", "//", "#")
_DASHES = "--"
BLOCK = "'/*' does not begin a comment: there are none that end with '*/'"


def split_comment(line: str) -> tuple[str, str]:
    """(text before the comment, comment)."""
    first, length = len(line), 0
    for mark in _COMMENTS:
        at = line.find(mark)
        if 0 <= at < first:
            first, length = at, len(mark)
    return line[:first], line[first + length :]


def block_fix(line: str, at: int) -> str:
    """The fix of a comment from `/*` on: with what is after it on the line, before which there is none."""
    text, end, rest = line[at + 2 :].partition("*/")
    code = " ".join((line[:at].strip(), rest.strip())).strip()
    if end and rest.strip():
        return f"write `{code} ; {text.strip()}`: a comment is the end of a line"
    return "begin each line of it with ;, // or #"


def block_edits(line: str, at: int) -> tuple[tuple[int, int, str], ...]:
    """The edits of a comment from `/*` to `*/` that is the end of a line; none for any other."""
    end = line.find("*/", at + 2)
    if end < 0 or line[end + 2 :].strip():
        return ()
    return ((at + 1, 2, "//"), (end + 1, 2, ""))


def dashes(code: str) -> Fault | None:
    """The finding about a comment as in VHDL, Lua or SQL, in a statement that cannot be read; None without one."""
    at = f" {code}".find(f" {_DASHES}")
    if at < 0 or code[at + 2 : at + 3].isalnum():  # an operand with two signs
        return None
    edits = ((at + 1, len(_DASHES), _COMMENTS[0]),)
    fix = f"begin comments with {', '.join(_COMMENTS[:-1])} or {_COMMENTS[-1]}"
    return Fault("P201", f"'{_DASHES}' does not begin a comment", fix, at + 1, len(_DASHES), edits)


def semicolons(code: str, comment: str, raised: Fault) -> Fault | None:
    """The finding about numbers of a constant between semicolons, which begin comments here; None for other
    statements."""
    head, opening, first = code.partition("(")
    if raised.code == "P203":
        return _operand_after(code, comment)
    if raised.code not in ("P210", "P212") or not head.strip().startswith(".const") or not opening or ")" in first:
        return None
    numbers = [each.strip() for each in [*first.split(","), *comment.partition(")")[0].replace(",", ";").split(";")]]
    text = f"{head.strip()} ({', '.join(each for each in numbers if each)})"
    return Fault("P210", "';' begins a comment: numbers are separated by commas", f"write {text}", len(code) + 1, 1)


def _operand_after(code: str, comment: str) -> Fault | None:
    """The finding about an operand after a semicolon, which begins a comment here; None where none is missing."""
    word = comment.strip()
    if not word or " " in word or word[0] not in "rvcxo01-" or not word[-1].isalnum() or not ("." in word or word.isdigit()):
        return None
    fix = f"write `{code.strip()}, {word}`"
    return Fault("P203", "';' begins a comment: operands are separated by commas", fix, len(code) + 1, 1)


def number_sign(code: str, comment: str, raised: Fault) -> Fault | None:
    """The finding about a number of other assemblers, `#1`, which is a comment here, where its operand is missing; None without
    one."""
    number = comment.split(None, 1)[0].rstrip(",") if comment[:1].strip() else ""
    if (
        raised.code not in ("P203", "P204")
        or not number.lstrip("-+").replace(".", "", 1).isalnum()
        or number.lstrip("-+")[0].isalpha()
    ):
        return None
    if code.rstrip()[-1:] not in (",", "") and raised.code != "P203":
        return None
    text = number_text(number)
    fix = f"write {text} in the place of #{number}"
    edits = ((len(code) + 1, 1 + len(number), text),) if "(" not in text or text == "-(-1)" else ()
    return Fault("P204", f"'#' begins a comment: '#{number}' is not read", fix, len(code) + 1, 1 + len(number), edits)


def macro(operand: str, macros: Mapping[str, str]) -> str:
    """The fix for an operand with the name of a #define; empty for any other."""
    word, point, components = operand.strip().lstrip("-").partition(".")
    if word not in macros:
        return ""
    value = split_comment(macros[word])[0].strip()
    sign = "-" if operand.strip().startswith("-") else ""
    if float_bits(value) is not None:
        return f"write {number_text(f'{sign}{value}')}: `#define {word}` is not read"
    return f"write {sign}{value if '.' in value else f'{value}{point}{components}'}: `#define {word}` is not read"
