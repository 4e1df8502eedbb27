"""Operands that no rewriting makes right: what to do instead, by their place and form.

Asked only about statements with errors, where nothing is offered as an edit.
"""

from __future__ import annotations

import re

from lanewise.core.diagnostics import Edit, Related
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.module import END_FOR
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, LOOP, REGISTER_END, TEMPORARY
from lanewise.pica200.text.picasso.syntax import INDEX_REGISTERS, MNEMONICS, is_identifier

if TYPE_CHECKING:
    from lanewise.core.source import Span
    from lanewise.core.text.problems import Problem
    from lanewise.pica200.text.picasso.reader import Reader

# (kind of the operand, form, fix): the first that fits. A fix takes groups of the form.
_FORMS = tuple(
    (kind, re.compile(form, re.IGNORECASE | re.ASCII), fix)
    for kind, form, fix in (
        (
            "cond",
            r"(lt|le|gt|ge|eq|ne)",
            r"compare first, `cmp A, \1, \1, B`, and write `cmp.x`: flags are the results of `cmp`",
        ),
        (
            "cond",
            r"!?(cmp\.[xy])\s*(?:&&?|and)\s*!?(\w+)",
            r"put one block into the other: `ifc \1`, then `ifu \2`, each with `.end`",
        ),
        (
            "bool",
            r"!?(\w+)\s*(?:&&?|and)\s*!?(\w+)",
            r"put one block into the other: `ifu \1`, then `ifu \2`, each with `.end`",
        ),
        ("bool", r"!?(\w+)\s*(?:\|\|?|or)\s*!?(\w+)", r"set one boolean in the application: an instruction tests one"),
        ("src", r"-?cmp(?:\.\w+)?", "use `slt` or `sge` for a 1 or 0: flags are read by ifc, callc, jmpc and breakc"),
        ("src", r"-?(?:a0|a1|aL)(?:\.\w+)?", "keep the number in a temporary too: index registers are read in brackets only"),
        (
            "int",
            r"(?:a0|a1|aL)(?:\.\w+)?",
            "write `for i0`, or the name of an `.ivec`: aL counts by itself",
        ),
        ("src", r"[!~](-?[\w.]+)", r"subtract it from 1, for 1 and 0: `add DST, ones, -\1`, with ones a constant of 1"),
        ("src", r"(\w+)\.[0-3]+", "write .x, .y, .z and .w: components are letters"),
        ("dst", r"(\w+)\.\w*\d\w*", "write the letters of the components, xyzw, and a number by a `mov` of its own"),
        ("src", r"(\w+)\.\w*[01]\w*", "write the components first, and the number by a second `mov` with another mask"),
        ("src", r"(\w+)\.([xyzwrgba]+)\.\w+", r"write the components once: \1.\2"),
        ("dst", r"(\w+)\[.*\]", r"write \1 by its number, in one instruction for each place: only sources have an index"),
        ("dst", r"(\w+)\.([xyzwrgba]+)\.\w+", r"write the components once: \1.\2"),
    )
)
_OF_KIND = (  # first register, end: what it is
    (FLOAT, INTEGER, "a float uniform, which arithmetic reads"),
    (INTEGER, BOOLEAN, "an integer uniform, which `for` reads"),
    (BOOLEAN, REGISTER_END, "a boolean uniform, which ifu, callu and jmpu read"),
)
_FIRST = {"c": FLOAT, "i": INTEGER, "b": BOOLEAN, "r": TEMPORARY}
_WANTED = {"int": "ivec", "bool": "bool"}


def advise(reader: Reader, statement: str, problem: Problem) -> None:
    """Give a problem with an operand a fix that fits it, where one is known."""
    words = statement.split(None, 1)
    op = MNEMONICS.get(words[0].lower())
    if op is None or len(words) < 2 or reader.argument < 0:
        return
    arguments = [text.strip() for text in words[1].split(",")]
    at = reader.argument
    if at >= min(len(arguments), len(op.operands)):
        return
    text, kind = arguments[at], op.operands[at]
    if problem.code in ("V001", "V011", "V019"):
        _other_kind(reader, op.name, kind, text, problem)
    if problem.code in ("P020", "P025", "P033", "V018"):
        for each, form, fix in _FORMS:
            found = form.fullmatch(text) if each == kind else None
            if found is not None:
                problem.fix, problem.replacement = found.expand(fix), None
                return


def _other_kind(reader: Reader, word: str, kind: str, text: str, problem: Problem) -> None:
    """A register of a kind that the operand does not take: what it is, where it is declared, and what to declare."""
    name = re.split(r"[.\[]", text.lstrip("-!"), maxsplit=1)[0]
    alias = reader.operands.aliases.get(name)
    if alias is not None:
        register = -1 if alias.letter else alias.register
    else:
        register = _FIRST[name[0]] + int(name[1:]) if re.fullmatch(r"[cibr]\d{1,2}", name) else -1
    own = next((what for first, end, what in _OF_KIND if first <= register < end), "")
    wanted = _WANTED.get(kind, "")
    if kind == "int" and TEMPORARY <= register < FLOAT:
        problem.fix = "declare `.ivec count`, and write `for count`: a loop takes its number of rounds from the application"
    elif problem.code == "V011" and own:
        problem.fix = f"set {name} in the application, or write the result to a temporary (r0-r15)"
    elif own and not wanted:
        problem.fix = f"{name} is {own}: declare a `.fvec` for a value"
    elif own:
        declared = next((row for row in (reader.unit.uniforms if reader.unit else ()) if row.name == name), None)
        place = declared.span if declared is not None else None
        problem.related = (Related(place, f"{name} is declared here"),) if place is not None else ()
        used = len(re.findall(rf"(?<![\w.$]){re.escape(name)}(?![\w$])", re.sub(r";[^\n]*", "", reader.text)))
        if used > 2 or declared is None or place is None or declared.size > 1:
            problem.fix = f"{name} is {own}: declare `.{wanted} NAME`, and write `{word} NAME`"
        else:
            problem.fix = f"{name} is {own}: declare it `.{wanted} {name}`"
            problem.edits = _redeclared(place, wanted)


def _redeclared(span: Span, kind: str) -> tuple[Edit, ...]:
    """The edit of a declaration of one name; none for others."""
    directive = re.match(r"\s*(\.\w+)\s+[\w$]+\s*(?:;|$)", span.text)
    return (Edit(span.at(directive.start(1) + 1, len(directive[1])), f".{kind}"),) if directive is not None else ()


# Indices

_BEGINS_COUNTING = re.compile(r"\s*(?:\(|(?:int\s+)?\w+\s*=\s*\d+\s*$)")


def index(reader: Reader, name: str, inside: str) -> tuple[str, str]:
    """The fix for the text in brackets after a name, and what is written there; empty where nothing is known of it."""
    text = inside.strip()
    lower = text.lower()
    alias = reader.operands.aliases.get(text)
    looping = any(block.kind == END_FOR for block in reader.blocks)
    if re.fullmatch(r"0x[0-9a-f]+", lower):
        return f"write {int(text, 16)}: offsets are decimal", str(int(text, 16))
    if re.fullmatch(r"\d+\.0*", text):
        return f"write {int(float(text))}: offsets are whole numbers", str(int(float(text)))
    if not text:
        return f"write the number of the register: {name}[0]", "0"
    if re.fullmatch(r"-\s*\d+", text):
        below = int(name[1:]) - int(text[1:]) if re.fullmatch(r"c\d+", name) else -1
        return f"write c{below}" if below >= 0 else f"write {name}[0] or a later one: offsets are 0 and up", ""
    parts = re.fullmatch(r"([\w.]*)([^\w.]?)(.*)", re.sub(r"\s", "", lower), re.DOTALL)
    register, sign, offset = parts.groups() if parts is not None else ("", "", "")
    if sign == "*" and (register in INDEX_REGISTERS or offset in INDEX_REGISTERS):
        factor = offset if register in INDEX_REGISTERS else register
        return f"multiply by {factor} before `mova`: an index is a register and an offset, a0.x+1", ""
    if register in INDEX_REGISTERS and (sign == "-" or offset.startswith("-")):
        return f"subtract {offset.lstrip('-')} before `mova`, or begin at a lower register: offsets are 0 and up", ""
    if register in INDEX_REGISTERS and offset in INDEX_REGISTERS:
        return "add them before `mova`: an index is one register and a number, a0.x+1", ""
    if alias is not None and INTEGER <= alias.register < BOOLEAN:
        fix = f"write {name}[aL] between `for {text}` and its `.end`: aL is the counter"
        return fix, "aL" if looping else ""
    if is_identifier(text) and alias is None:
        fix = "write a number, a0.x or a0.y (from `mova`), or aL in `for`"
        return (f"write {name}[aL]: the counter of `for`", "aL") if looping else (fix, "")
    return "", ""


def counted(reader: Reader, statement: str) -> int:
    """The rounds of a loop that a statement gives by a number; 0 without one."""
    word, *rest = statement.split(None, 1)
    op = MNEMONICS.get(word.lower())
    if not rest or (op.kind != LOOP if op is not None else word.lower() not in ("loop", "rep", "repeat")):
        return 0
    text = rest[0] + reader.line.partition(";")[2] if _BEGINS_COUNTING.match(rest[0]) else rest[0]
    ranged = re.search(r"(\d+)\s*\.\.\s*(\d+)|range\s*\(\s*(\d+)\s*\)", text)
    found = re.search(r"(<=?|\bin\b|,|^)[^\d<]*(?<![A-Za-z_])(\d+)", text[text.find("<") if "<" in text else 0 :])
    if ranged is not None:
        rounds = int(ranged[3]) if ranged[3] else int(ranged[2]) - int(ranged[1])
    else:
        rounds = int(found[2]) + (found[1] == "<=") if found is not None else 0
    return rounds if 0 < rounds <= 256 else 0
