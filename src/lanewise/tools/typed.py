"""Command lines as chats, documents and other shells make them: what is wrong with an argument, and what to type.

Asked only about command lines that fail, but for `attached`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_DASHES = {
    **dict.fromkeys("\u2010\u2011", "hyphen"),
    "\u2012": "figure dash",
    "\u2013": "en dash",
    "\u2014": "em dash",
    "\u2015": "bar",
    "\u2212": "minus",
}
_INPUTS = ("position", "normal", "color", "texcoord", "tangent", "weights", "bones", "v", "uv")  # usual names
_ELSEWHERE = {  # options of other tools
    **dict.fromkeys(("head", "n", "limit", "max-rows", "nrows", "rows", "num"), "write --count {} for the first vertices"),
    **dict.fromkeys(("precision", "digits", "decimals"), "numbers are shown as exactly as they need; --bits shows their bits"),
    **dict.fromkeys(("dtype", "float32", "float64", "float24"), "numbers are those of the --profile"),
    **dict.fromkeys(("gpu", "cuda"), "programs run on the processor: leave it out"),
}
_FLAGS = ("--all", "--bits", "--check", "--fix", "--hints", "--list", "--points", "--registers", "--report", "--why")
_PLURAL = ("--inputs", "--values", "--arrays", "--points")
_NUMBERS = re.compile(r"[-+.\d][-+.\deE,;]*")
_WITH_INPUTS = ("lanewise run --help", "lanewise debug --help")  # the end of what they say
_QUOTES = re.compile("[\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb]")


def meant(argv: Iterable[str], said: str) -> str:
    """The message about the first argument that is not what was typed or meant; empty where there is none. `said` is what the
    command says."""
    given = list(argv)
    for place, argument in enumerate(given):
        if os.path.lexists(argument):
            continue
        after = given[place + 1] if place + 1 < len(given) else ""
        named = argument.lstrip("-").rstrip("0123456789") in _INPUTS  # or nothing else is meant
        unlike = said.startswith(f"unknown option {argument}{'' if named else ';'}") and said.endswith(_WITH_INPUTS)
        if unlike and not named and argument.lstrip("-") in _ELSEWHERE:
            return f"unknown option {argument}: {_ELSEWHERE[argument.lstrip('-')].format(after or 'N')}"
        if unlike and _NUMBERS.fullmatch(after):
            return f'unknown option {argument}: write --input "{argument.lstrip("-")}={after}" for the values of an input'
        option, equals, attached_value = argument.partition("=")
        value = attached_value if equals else after
        if (
            option in _PLURAL
            and said.startswith(f"unknown option {option}")
            and said.endswith(_WITH_INPUTS)
            and _is_input(value)
        ):
            shown = value if "=" in value else f"NAME={value}"
            return f'unknown option {option}: write --input "{shown}"' + (
                ", with the name of the input" if shown != value else ""
            )
        dash = _DASHES.get(argument[:1])
        if dash:
            rest = argument.lstrip("-" + "".join(_DASHES))
            fix = f"{'--' if len(rest.partition('=')[0]) > 1 else '-'}{rest}"
            return f"'{argument}' begins with U+{ord(argument[0]):04X} ({dash}), not with a hyphen: write {fix}"
        if _QUOTES.search(argument):
            plain = _QUOTES.sub("", argument)
            return f"'{argument}' has typographic quotes, which a shell does not take for quotes: write \"{plain}\""
        if len(argument) > 1 and argument[0] == argument[-1] == "'":
            return f'{argument} has its quotes still, as cmd.exe has only double ones: write "{argument[1:-1]}"'
        if f"cannot read {argument}:" not in said:
            continue
        if re.fullmatch(r"[A-Za-z_]\w*(\[\d+\])?=.+", argument):
            return f'{argument} is not a file: write --input "{argument}", or --uniform for a uniform'
        before = given[place - 1] if place else ""
        if before in _FLAGS and not re.search(r"[./\\]", argument):
            return f"{before} takes no value: leave {argument} out"
        if argument.lstrip()[:1] in "{[":
            return f"{argument[:40]} is a text, expected a file: write it into one, such as values.json"
        if re.search(r"[*?][^/\\]*$", argument) and "=" not in argument:
            folder = Path(argument).parent
            return f"{argument} is not expanded by this shell, or fits no file: name the files, or their folder, {folder}"
        if re.fullmatch(r"/[a-zA-Z?]", argument):
            return f"'{argument}' is not an option: write {'--help' if argument == '/?' else f'-{argument[1:]}'}"
    return ""


def _is_input(value: str) -> bool:
    """Whether a value is of one input, not of a data file."""
    return bool(value) and value[:1] != "-" and not value.lower().endswith((".json", ".toml"))


def attached(argv: Sequence[str]) -> str:
    """The message about a short option with `=` before its value, which would be a part of the value; empty without one."""
    found = next((each for each in argv if re.match(r"-[A-Za-z]=", each)), "")
    return f"{found}: write {found[:2]} {found[3:]}" if found else ""


__all__ = ["attached", "meant"]
