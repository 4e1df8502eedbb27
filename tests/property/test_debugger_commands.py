"""Any line is a command of the debugger or an error that says what is wrong; the session goes on."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from debugger_sessions import CALLS, session
from effort import examples
from lanewise.debugger.commands import BY_NAME, Commands

TOKENS = [
    "r0.x",
    "position",
    "position.y",
    "o0",
    "offset[1]",
    "aL",
    "a0.x",
    "cmp.x",
    "[",
    "]",
    "(",
    ")",
    "+",
    "-",
    "*",
    "/",
    "<",
    "==",
    "and",
    "not",
    "nan",
    "inf",
    "1e400",
    "0x" + "f" * 80,
    "0",
    "3",
    "-1",
    "15",
    "@4",
    "@x",
    "{",
    "}",
    "if",
    "hit",
    "log",
    "=",
    ",",
    "changed",
    "changes",
    "written",
    "differs",
    "azahar",
    "number",
    "hex",
    "isnan(",
    "é",
    "\t",
    "%s",
]
COMMANDS = Commands(session(CALLS, input=("position=1,2,3,1",), uniform=("offset=1,0,0,0",)))


@examples(36, 600)
@given(st.sampled_from(sorted(BY_NAME)), st.lists(st.sampled_from(TOKENS), max_size=7), st.booleans())
def test_any_line(name: str, tokens: list[str], spaced: bool) -> None:
    done = COMMANDS.do(f"{name} {(' ' if spaced else '').join(tokens)}")
    assert done.error is None or (done.error.message and done.error.fix)
    assert all(isinstance(line, str) for line in done.lines)
    if len(COMMANDS.session.breakpoints) > 20:
        COMMANDS.session.breakpoints.clear()


@examples(30, 500)
@given(st.text(max_size=40))
def test_any_text(text: str) -> None:
    for name in ("", "print ", "break 15 if ", "break 15 log ", "data ", "set "):
        COMMANDS.do(name + text)
