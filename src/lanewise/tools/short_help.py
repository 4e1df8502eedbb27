"""The help of a command on one screen: a line for each option, those of the instruction set of FILE where one is named.

The first clause of an option's help stands in its line; `--help-all` has the whole text.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import FLAG

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.core.service import Manual, Option

WIDTH, _COLUMN = 100, 30
_EXAMPLES = 4
# Options of nearly every command, which are only named.
_COMMON = ("isa", "dialect", "config", "no-config", "follow", "timeout", "force", "format", "json", "help")
_GOES_WITH = ("with ", "GLSL,", "HLSL,")  # how the help of an option begins that goes with another one, or with some languages
_HEAD = 24  # letters before a colon that say enough alone


def short_help(
    head: tuple[str, str, str],
    own: Sequence[Option],
    owners: Sequence[tuple[str, Manual]],
    examples: str,
    codes: str,
    *,
    chosen: bool,
) -> str:
    """The text. `head` are the name of the command, what it does, and how its FILEs are written; `owners` the titles of those
    that add options, with what they add; `chosen`: they are those of a FILE, so that their options are shown."""
    name, about, files = head
    lines = [f"usage: lanewise {name} [OPTION ...] {files}".rstrip(), "", *_wrapped(about, ""), ""]
    lines += _options("options", own)
    shown: set[str] = set()
    for title, manual in owners if chosen else ():
        theirs = [option for option in manual.options if option.key not in shown]
        shown |= {option.key for option in theirs}
        lines += ["", *found] if (found := _options(f"{title} options", theirs)) else []
    common = [option.names[-1] for option in own if option.key in _COMMON and option.key != "help"]
    if common:
        lines += [f"  {line}" for line in _wrapped(f"also {', '.join(common)}", "  ")]
    most = _EXAMPLES - chosen  # the options of FILE take their room
    lines += ["", "examples:", *_examples([examples, *[manual.examples for _, manual in owners]])[:most]]
    owned = any(manual.options for _, manual in owners)
    lines += ["", *_wrapped(_more(name, files, owned, chosen), ""), f"Exit codes: {codes}."]
    return "\n".join(lines) + "\n"


def _more(name: str, files: str, owned: bool, chosen: bool) -> str:
    if chosen or not owned or not files:
        return f"`lanewise {name} --help-all` explains every option."
    return f"`lanewise {name} FILE --help` shows the options for FILE, `lanewise {name} --help-all` all, with more examples."


def _options(title: str, options: Sequence[Option]) -> list[str]:
    """A line for each option; options that go with another one share a line after it."""
    lines: list[str] = []
    going: dict[str, list[str]] = {}
    for option in options:
        if option.key in _COMMON:
            continue
        left = _left(option)
        if option.help.startswith(_GOES_WITH):
            going.setdefault(option.help.partition(":")[0], []).append(option.names[-1])
        else:
            lines.append(_row(left, _clause(option.help)))
    for other, names in going.items():
        first, *rest = _wrapped(f"{other}: {', '.join(names)}", "    ")
        lines += [f"  {first}", *rest]
    return [f"{title}:", *lines] if lines else []


def _left(option: Option) -> str:
    names = ", ".join([option.names[0], option.names[1]] if len(option.names) > 1 else option.names)
    value = option.metavar or ("|".join(option.choices) if option.choices else "")
    return names if option.kind == FLAG or not value else f"{names} {value}"


def _row(left: str, text: str) -> str:
    line = f"  {left:<{_COLUMN - 2}}" if len(left) < _COLUMN - 3 else f"  {left}  "
    line += text
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 3].rsplit(' ', 1)[0]} ..."


def _clause(text: str) -> str:
    """A text up to the end of its first clause."""
    ends = [*[text.find(mark) for mark in ("; ", " (", ", such as")], text.find(": ", _HEAD)]
    return text[: min([end for end in ends if end > 0], default=len(text))]


def _examples(texts: Iterable[str]) -> list[str]:
    """The first examples of one line, in turns from each of the texts."""
    whole = [
        [line for line in text.strip("\n").splitlines() if line.startswith("  lanewise") and line[-1] != "\\"] for text in texts
    ]
    whole = [lines for lines in whole if lines]
    found = [lines[place] for place in range(_EXAMPLES) for lines in whole if place < len(lines)]
    return [line for line in dict.fromkeys(found) if len(line) <= WIDTH][:_EXAMPLES]


def _wrapped(text: str, indent: str) -> list[str]:
    """A text in lines, those after the first with an indent."""
    lines = [""]
    for word in text.split():
        if lines[-1].strip() and len(lines[-1]) + len(word) >= WIDTH - 2:
            lines.append(indent)
        lines[-1] += word if not lines[-1].strip() else f" {word}"
    return lines
