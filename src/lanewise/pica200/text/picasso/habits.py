"""Statements that are written as in other languages, or with one mistake that is often made: what is wrong, and the edit.

Asked only about statements with errors, with the whole statement and the file that it is in.
"""

from __future__ import annotations

import re

from lanewise.core.diagnostics import ERROR, NOTE, Edit
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.problems import Problem
from lanewise.pica200.isa.table import BOOLEAN, REGISTER_END
from lanewise.pica200.text.picasso.advice import advise, index
from lanewise.pica200.text.picasso.arguments import poison
from lanewise.pica200.text.picasso.constants import named
from lanewise.pica200.text.picasso.indices import behind, held
from lanewise.pica200.text.picasso.meant import explain
from lanewise.pica200.text.picasso.syntax import INDEX_REGISTERS, MNEMONICS, Quirk, begins_like_register

if TYPE_CHECKING:
    from lanewise.core.diagnostics import Related
    from lanewise.core.source import Span
    from lanewise.pica200.text.picasso.reader import Reader

_UNKNOWN = "unknown register '"
_COMMENTED = re.compile(r"\s*\.[^;]*;\s*([A-Za-z_$][\w$]*)", re.ASCII)
_OF_A_BOOLEAN = {"ifc": "ifu", "callc": "callu", "jmpc": "jmpu"}
_OF_FLAGS = {other: name for name, other in _OF_A_BOOLEAN.items()}


def understood(reader: Reader, statement: str, problem: Problem) -> Problem:
    """The problem with a statement in the place of the one that reading found: the same one where nothing is known of it."""
    comment = _comment(reader.line) if any(mark in reader.line for mark in _MARKS) else None
    if comment is not None:
        place = reader.pointed(problem.message, problem.start, problem.length)
        begin = len(reader.line) - len(reader.line.lstrip())
        read = reader.line[place.column - 1 : place.column - 1 + place.length].strip()
        if read and problem.code not in ("P010", "P011") and place.column + place.length <= begin + comment.start + 1:
            reader.report(problem)
        reader.argument, reader.labelled, reader.offset = -1, 0, 0
        return comment
    found = _habit(reader, statement, problem)
    if not found.edits:
        explain(reader, statement, found)
    if not found.edits:
        advise(reader, statement, found)
    if not found.edits and found.message.startswith(_UNKNOWN) and found.fix.startswith("declare it"):
        name = found.message[len(_UNKNOWN) :].rstrip("'")
        found.fix = _in_a_comment(reader, name) or found.fix
        poison(reader, name)
    return found


def _in_a_comment(reader: Reader, name: str) -> str:
    """The fix for a name that follows the `;` of a declaration; empty for another one."""
    if reader.commented is None:
        found = [(n, _COMMENTED.match(line)) for n, line in enumerate(reader.text.split("\n"), 1) if ";" in line]
        reader.commented = {match[1]: n for n, match in reversed(found) if match is not None}
    number = reader.commented.get(name, 0)
    end = f"write a comma for the `;` in line {number}, after which all is a comment, or declare {name} on a line of its own"
    return end if number else ""


def reconsider(reader: Reader, statement: str, reported: int) -> None:
    """Give the first error about a statement that picasso accepts the edits of what it may be meant to be. One finding is left
    where that removes all; `reported` is the number of findings before them."""
    found = [each for each in reader.diagnostics[reported:] if each.severity == ERROR]
    if not found or (found[0].edits and found[0].code != "P023") or found[0].code == "P031":
        return
    first = found[0]
    comment = _comment(reader.line) if any(mark in reader.line for mark in _MARKS) else None
    if comment is not None:
        del reader.diagnostics[reported:]
        reader.argument, reader.labelled, reader.offset = -1, 0, 0
        reader.report(comment)
        return
    if first.code == "V010":
        from lanewise.pica200.text.picasso.outputs_read import kept_in_a_temporary

        reader.diagnostics[reader.diagnostics.index(first)] = kept_in_a_temporary(reader, first)
        return
    problem = Problem(first.code, first.message, first.fix)
    explain(reader, statement, problem)
    if not problem.edits:
        advise(reader, statement, problem)
    if problem.edits or problem.fix != first.fix:
        changed = first._replace(fix=problem.fix, edits=problem.edits, alternatives=problem.alternatives)
        reader.diagnostics[reported:] = [changed, *[each for each in reader.diagnostics[reported:] if each.severity == NOTE]]


def _habit(reader: Reader, statement: str, problem: Problem) -> Problem:
    """The problem with a statement, as a habit that is known explains it."""
    if statement[0] == "." or reader.argument < 0:
        return problem
    words = statement.split(None, 1)
    op = MNEMONICS.get(words[0].lower())
    if op is None or len(words) < 2:
        return problem
    arguments = [text.strip() for text in words[1].split(",")]
    if not 0 <= reader.argument < len(arguments):
        return problem
    text, kind = arguments[reader.argument], op.operands[reader.argument] if reader.argument < len(op.operands) else ""
    found = None
    if kind == "dst" and text.lower() in INDEX_REGISTERS:
        found = _address(reader, words[0], arguments)
    elif kind == "cond" and problem.code == "P033":
        found = _boolean(reader, words[0], text)
    elif kind == "bool" and text.lower().lstrip("!").startswith("cmp."):
        problem.edits = (Edit(_mnemonic(reader, words[0]), _OF_FLAGS[op.name]),)
    elif problem.code == "P030" and "[" in text:
        problem.fix = (
            index(reader, text.partition("[")[0].lstrip("-"), text.partition("[")[2].partition("]")[0])[0] or problem.fix
        )
    elif kind == "src" and problem.code == "P029":
        fix, edits = indexed(reader, text.partition("[")[2].partition("]")[0])
        problem.fix, problem.edits = fix or problem.fix, edits
    return found or problem


# Comments


def _comment(line: str) -> Problem | None:
    """The problem with a comment of another language in a line. Its place counts from the first character that is no blank."""
    code = line.partition(";")[0]
    at, mark = min(((at, mark) for mark in _MARKS if (at := _begins(code, mark)) >= 0), default=(-1, ""))
    if at < 0 or '"' in code[:at]:
        return None
    whole = mark != "/*" or code.rstrip().endswith("*/")
    start = at - (len(line) - len(line.lstrip()))
    new = ";" if whole else None
    return Problem("P008", f"'{mark}' does not begin a comment", "begin comments with `;`", start, len(mark), (), new)


_MARKS = ("//", "/*", "#", "--")  # of comments, the last two only behind a statement and a blank


def _begins(code: str, mark: str) -> int:
    """Where a comment of another language begins; -1 without one."""
    at = code.find(mark)
    if mark in ("#", "--"):
        spaced = at > 0 and code[at - 1] in " \t" and (mark == "#" or code[at + 2 : at + 3] in (" ", ""))
        return at if spaced and code[:at].strip() and code[:at].rstrip()[-1] != "," else -1
    return at


# Address registers and conditions


def _address(reader: Reader, word: str, arguments: list[str]) -> Problem:
    """The problem with an index register as the destination of an instruction other than `mova`."""
    name = arguments[0]
    if INDEX_REGISTERS[name.lower()] == 3:
        return Problem("P025", f"'{name}' is the counter of loops: it cannot be written", "use `for` with an integer uniform")
    register = ("a0.x", "a0.y")[INDEX_REGISTERS[name.lower()] - 1]
    message = f"'{name}' is an index register: only mova writes it"
    if word.lower() == "mov" and len(arguments) == 2:
        edits = (Edit(_mnemonic(reader, word), "mova"), Edit(_argument(reader, 0), register))
        return Problem("P025", message, f"write `mova {register}, {arguments[1]}`", 0, len(name), edits=edits)
    fix = f"write the result to a temporary, then `mova {register}, TEMPORARY.x`"
    return Problem("P025", message, fix, 0, len(name))


def _boolean(reader: Reader, word: str, text: str) -> Problem | None:
    """The problem with a boolean uniform as a condition of flags; None for another operand."""
    alias = reader.operands.aliases.get(text.lstrip("! "))
    bare = text.lstrip("! ")
    if not (BOOLEAN <= alias.register < REGISTER_END if alias else bare[:1] == "b" and bare[1:].isdigit()):
        return None
    message = f"'{bare}' is a boolean uniform, not a flag"
    other = _OF_A_BOOLEAN.get(word.lower())
    if other is None:
        return Problem("P033", message, "leave the loop by `jmpu`, or by `breakc` with a flag", 0, len(text))
    if text.startswith("!") and other != "jmpu":
        fix = f"write `{other} {bare}` and put the code after `.else`: {other} has no `!`"
        return Problem("P033", message, fix, 0, len(text))
    edits = (Edit(_mnemonic(reader, word), other),)
    return Problem("P033", message, f"write `{other} {text}`", 0, len(text), edits=edits)


# Indices


def indexed(reader: Reader, inside: str) -> tuple[str, tuple[Edit, ...]]:
    """The fix and the edits for brackets with a register in them that is not an index register; empty for other text."""
    register, plus, offset = (part.strip() for part in inside.partition("+"))
    base, _, letters = register.partition(".")
    names = named(reader)
    found = [name for name in ("a0.x", "a0.y") if f"mova {name}" in names]
    place = _inside(reader, inside)
    if base.lower() in ("a0", "a1", "al"):
        fix = "use a0.x, a0.y or aL: write one with `mova` first"
        return fix, (Edit(place, f"{found[0]}{plus}{offset}"),) if len(found) == 1 and place else ()
    if not (base in reader.operands.aliases or begins_like_register(base)) or (plus and not offset.isdigit()):
        return "", ()
    copied = f"{base}.{letters[0] if letters else 'x'}"
    there, line = held(reader, base, copied.rpartition(".")[2])
    if there:
        fix = f"write [{there}{plus}{offset}]: line {line} puts {copied} there"
        return fix, (Edit(place, f"{there}{plus}{offset}"),) if place else ()
    first = "`nop`, as two `mova` in a row hang the GPU, and " if behind(reader) else ""
    fix = f"copy it to an index register first: {first}`mova a0.x, {copied}`, then [a0.x{plus}{offset}]"
    if place is None or found or names & {"a0", "a1"}:  # a0.x may be in use
        return fix, ()
    return fix, (_before(reader, f"mova a0.x, {copied}"), Edit(place, f"a0.x{plus}{offset}"))


def explained(reader: Reader, quirk: Quirk) -> tuple[str, tuple[Edit, ...]] | None:
    """The fix and the edits for brackets that picasso reads as nothing; None where they name no register."""
    start, _ = reader.argument_place(max(reader.argument, 0))
    inside = reader.line[start + quirk.start : start + quirk.start + quirk.length]
    name = reader.line[start : start + quirk.start - 1].strip().lstrip("-")
    fix, new = index(reader, name, "" if quirk.message.startswith("[]") else inside)
    if fix:
        place = _inside(reader, inside)
        if quirk.message.startswith("[]"):
            place = _statement(reader)._replace(column=start + quirk.start + 1)
        return fix, (Edit(place, new),) if new and place else ()
    found = indexed(reader, inside)
    return found if found[0] else None


# Procedures


def second_procedure(reader: Reader, name: str, first: Related) -> Problem:
    """The problem with a second procedure of one name: where it is the entry of its file, it needs `.entry` too."""
    message = f"procedure '{name}' is already defined"
    text = reader.text.lower()
    if name != "main" or re.search(r"^[^\S\n]*\.entry\b", text, re.MULTILINE) or first.span.file == reader.file:
        entry = re.search(rf"^[^\S\n]*\.entry[^\S\n]+{re.escape(name.lower())}\b", text, re.MULTILINE)
        beside = f", this one with the `.entry {name}` of line {text.count(chr(10), 0, entry.start()) + 1}" if entry else ""
        return Problem("P043", message, f"rename one{beside}", related=(first,))
    geometry = any(word in text for word in ("setemit", ".gsh"))
    new = "gmain" if geometry else "vmain"
    fix = f"name this one {new}, and add `.entry {new}`: a file without `.entry` begins at main"
    if new in reader.procedures or len(re.findall(r"\bmain\b", re.sub(";.*", "", reader.text))) != 1:
        return Problem("P043", message, fix, related=(first,))
    span = reader.span()
    head = span._replace(column=_statement(reader).column, length=0)
    edits = (Edit(head, f".entry {new}\n{reader.line[: head.column - 1]}"), Edit(span, new))
    return Problem("P043", message, fix, related=(first,), edits=edits)


# Places


def _mnemonic(reader: Reader, word: str) -> Span:
    return _statement(reader)._replace(length=len(word))


def _statement(reader: Reader) -> Span:
    line = reader.line
    begin = len(line) - len(line.lstrip()) + reader.labelled
    return reader.span()._replace(column=begin + 1, length=0, text=line.rstrip("\r\n"))


def _before(reader: Reader, statement: str) -> Edit:
    """The edit that puts a statement before this one."""
    lead = reader.line[: len(reader.line) - len(reader.line.lstrip())]
    return Edit(_statement(reader), f"{statement}\n{lead}")


def _argument(reader: Reader, n: int) -> Span:
    start, end = reader.argument_place(n)
    return _statement(reader)._replace(column=start + 1, length=end - start)


def _inside(reader: Reader, inside: str) -> Span | None:
    """The text between the brackets of the operand that is read."""
    if reader.argument < 0:
        return None
    start, end = reader.argument_place(reader.argument)
    at = reader.line.find(f"[{inside}]", start, end)
    return _statement(reader)._replace(column=at + 2, length=len(inside)) if at >= 0 else None
