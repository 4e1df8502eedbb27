"""Commands of other debuggers, GDB and LLDB above all: the one that does what is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.text.suggestions import near

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

# What other debuggers call the commands.
ELSEWHERE: Mapping[str, str] = {
    word: meant
    for meant, words in {
        "continue": "run start cont go resume process",
        "over": "next nexti ni step-over",
        "step": "stepi si step-in stepin into",
        "out": "finish fin step-out stepout return up",
        "back": "reverse-step rs reverse-stepi reverse-next step-back",
        "reverse": "reverse-continue rc",
        "goto": "jump j seek",
        "break": "br breakpoint bp tbreak hbreak",
        "registers or breakpoints": "info show",
        "registers": "regs reg register state vars variables locals",
        "print": "x inspect examine eval output echo memory po",
        "watch": "display",
        "data": "rwatch awatch watchpoint",
        "where": "bt backtrace stack frame",
        "words": "disas disassemble dis asm code",
        "thread": "lane vertex v t wave",
        "until": "find search",
        "explain": "trace origin provenance",
        "again": "restart rerun",
        "quit": "exit bye kill",
    }.items()
    for word in words.split()
}
# The same by two words, of which the second may be cut short.
_PAIRS = {
    "info": "registers breakpoints locals:registers args:registers variables:registers all-registers:registers frame:where "
    "stack:where program:where line:list source:list threads watchpoints:breakpoints display:registers functions:words",
    "register": "read:registers write:set",
    "frame": "variable:registers info:where select:where",
    "breakpoint": "set:break list:breakpoints delete:delete",
    "thread": "backtrace:where list:threads step-over:over step-in:step",
    "process": "launch:continue continue:continue",
    "memory": "read:print",
}
_PRINTING = ("p", "print", "x", "output", "display", "inspect")


def meant(name: str, rest: str, known: Collection[str]) -> str:
    """The fix for a command that is not `known`, with what follows it."""
    base, slash, form = name.lower().partition("/")
    if slash and base in _PRINTING and rest and "i" not in form:
        value = rest.lstrip("$&*")
        return f"write print {value}{' hex' if 'x' in form else ''}"
    if slash and base in ("x", "disas", "disassemble"):
        return "write words"
    if base.startswith("cond") and len(rest.split(" ", 1)) == 2:
        return f"write break PLACE if {rest.split(' ', 1)[1]}"
    second = pair(base, rest)
    if second:
        return f"write {second}"
    close = [ELSEWHERE[base]] if base in ELSEWHERE else near(name, known)
    return f"did you mean {' or '.join(close)}?" if close else "help lists the commands"


def pair(name: str, rest: str) -> str:
    """The command that two words mean; empty for none."""
    word = rest.partition(" ")[0].lower()
    rows = [row.partition(":") for row in _PAIRS.get(name, "").split()] if word else []
    return next((found or whole for whole, _, found in rows if whole.startswith(word)), "")


__all__ = ["ELSEWHERE", "meant", "pair"]
