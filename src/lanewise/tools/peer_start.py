"""Commands of implementations outside that do not start: what the file is, and what starts it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.core import files
from lanewise.core.paths import join_command
from lanewise.tools.console import UsageError, reason

if TYPE_CHECKING:
    from collections.abc import Sequence

# What a command has to do that starts and does not answer.
ORDER = "read the header first, then answer each job, and flush the answer, before you read the next"
_SNIFFED = 4096
_CONTROL = frozenset(range(32)) - frozenset(b"\t\n\r\f")
# What makes a program of a source, by the ends of its name: (what it is, the command; {0}: the source, {1}: the program).
_BUILT = {
    (".cpp", ".cc", ".cxx", ".c++"): ("C++ source", "g++ -std=c++17 {2}-o {1} {0}"),
    (".c",): ("C source", "cc {2}-o {1} {0}"),
    (".rs",): ("Rust source", "rustc -o {1} {0}"),
    (".go",): ("Go source", "go build -o {1} {0}"),
    (".zig",): ("Zig source", "zig build-exe {0}"),
    (".v", ".sv", ".vhd", ".vhdl"): ("hardware description", "a simulator, which builds a program of it with a bench"),
}
_READ = {
    (".py",): ("Python", "python3"),
    (".js", ".mjs"): ("JavaScript", "node"),
    (".lua",): ("Lua", "lua"),
    (".rb",): ("Ruby", "ruby"),
    (".sh",): ("shell", "sh"),
}
_HEADER = b'#include "lanewise'


# Words that are the shell's, which does not run the command: what is meant.
_STREAMS = {
    "<": "its standard input has the jobs",
    ">": "its standard output is for answers",
    "|": "its standard output is for answers",
}
_SEQUENCES = ("&&", "||", ";", "&", "2>", "cd")


def refuse_shell(option: str, text: str, command: Sequence[str]) -> None:
    """Raise UsageError for a command that only a shell understands."""
    for word in command:
        stream = next((why for mark, why in _STREAMS.items() if word.startswith(mark) and word != "||"), "")
        if stream:
            raise UsageError(
                f"{option} {text}: no shell runs the command, and {stream}: leave `{text[text.index(word) :]}` out"
            )
        if word.startswith(_SEQUENCES[:-1]) or word.endswith(";") or command[0] == _SEQUENCES[-1]:
            joined = join_command(["sh", "-c", text])
            raise UsageError(f'{option} {text}: no shell runs the command: write {option} "{joined}"')
    if "=" in command[0] and len(command) > 1 and not Path(command[0]).exists():
        raise UsageError(f'{option} {text}: no shell runs the command: write {option} "env {text}"')
    found = [str(Path(word).expanduser()) if word.startswith("~") else os.path.expandvars(word) for word in command]
    if found != list(command):
        raise UsageError(f"{option} {text}: no shell runs the command: write {option} {join_command(found)}")


def cannot_start(option: str, text: str, command: Sequence[str], error: OSError, again: str = "") -> UsageError:
    """The error for a command that does not start; `text` is the command as given."""
    return UsageError(
        f"{option} {text}: {_why(option, command) or f'cannot start the command{again}: {_reason(command[0], error)}'}"
    )


def _reason(name: str, error: OSError) -> str:
    """Why the program of a command does not start; one that is looked for in PATH is to be installed."""
    said = reason(error)
    if "://" in name or (":" in name and name.rpartition(":")[2].isdecimal()):
        return "a command is started here, which reads jobs and writes answers; nothing is asked over a network"
    if name.lower() in ("azahar", "hardware", "panda3ds", "citra"):
        return f"no program {name} in PATH; --profile {name.lower()} says whose answers are expected, --against is your program"
    missing = isinstance(error, FileNotFoundError) and os.sep not in name and "did you mean" not in said
    return f"no program {name} in PATH: install it, or give the path of the program" if missing else said


def _why(option: str, command: Sequence[str]) -> str:
    """The fault of a command whose first word is a file here; empty where nothing is known."""
    name, *rest = command
    path = Path(name)
    if path.is_dir():
        return "a folder, not a program"
    try:
        head = files.head(name, _SNIFFED)
        runs = os.access(name, os.X_OK)
    except OSError:
        return ""
    for suffixes, (kind, build) in _BUILT.items():
        if name.lower().endswith(suffixes):
            program = path.stem
            include = "-I FOLDER_OF_THE_HEADER " if _HEADER in head else ""
            built = build.format(name, program, include)
            return f"a {kind}, not a program: build it first, `{built}`, and give {option} ./{program}"
    for suffixes, (language, interpreter) in _READ.items():
        if name.lower().endswith(suffixes):
            return f'a {language} program is started by its interpreter: {option} "{join_command([interpreter, name, *rest])}"'
    if os.sep not in name and runs and (head[:4] == b"\x7fELF" or head[:2] == b"#!"):
        return f"the program here is named with its folder, others are looked for in PATH: {option} {command_here(command)}"
    if head[:2] == b"#!":
        return "" if runs else f"the file cannot be executed: `chmod +x {name}`, and {option} {_here(name)}"
    if head and not _CONTROL.intersection(head):
        return (
            f"a text, not a program: {option} takes a command that answers jobs; a log of a run is compared by "
            f"`lanewise run --data STATE --trace 0 --against {name} --log-format FORMAT`"
        )
    if head[:4] == b"\x7fELF" and not runs:
        return f"the file cannot be executed: `chmod +x {name}`, and {option} {_here(name)}"
    return (
        ""
        if runs or head[:4] == b"\x7fELF" or head[:2] == b"MZ"
        else f"a file that is not a program: {option} takes a command that answers jobs"
    )


def command_here(command: Sequence[str]) -> str:
    """A command whose program is in the current folder, as an argument of the shell."""
    words = join_command([_here(command[0]), *command[1:]])
    return f'"{words}"' if len(command) > 1 else words


def no_answer(message: str) -> str:
    """The fix for a command that starts and does not answer: a program that wants arguments is another one."""
    if "usage" not in message.lower():
        return ORDER
    return (
        "a program that reads and writes files by its arguments is not asked here, but one that answers jobs on standard "
        "input, such as examples/vectors/peer.cpp; answers in a file are judged by --report"
    )


def _here(name: str) -> str:
    return name if os.sep in name else f"{os.curdir}{os.sep}{name}"
