"""The interfaces of all commands: their options, and the words that their arguments may be.

`python -m lanewise.tools.pages` writes them into `commands.txt` beside this file, which the completions read: asking every
command for its parser takes twenty times as long as bare Python.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.packages import codes, languages, packages
from lanewise.tools import schema
from lanewise.tools.cli import COMMANDS
from lanewise.tools.completions import FLAG, LISTS, SEPARATOR, Interface, Row, read
from lanewise.tools.manual import parsers

if TYPE_CHECKING:
    from collections.abc import Sequence

_FILE_NAMES = ("FILE", "OUT", "DIR", "TOML", ".bin")  # of metavars whose values are files
_LISTED = 12  # words that are written at the option; more are a list, which several options may have
_COLUMNS = 120


def interfaces() -> list[Interface]:
    """Every command with its options."""
    values = _known_values()
    names = tuple([command.name for command in COMMANDS])
    arguments = {"isa": tuple([package.name for package in packages()]), "schema": tuple(schema.names()), "man": names}
    found: list[Interface] = []
    for name, summary_of_command, built in parsers():
        rows: list[Row] = []
        words: tuple[str, ...] = ()
        for action in built._actions:  # pyright: ignore[reportPrivateUsage]: there is no public list
            choices = tuple(map(str, action.choices)) if action.choices is not None else ()
            if not action.option_strings:
                words = choices or words
                continue
            metavar = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
            chosen = choices or next((values[option] for option in action.option_strings if option in values), ())
            flag = action.nargs == 0
            file = not flag and not chosen and any(part in metavar for part in _FILE_NAMES)
            summary = (action.help or "").replace("%%", "%").partition("(default")[0].strip().rstrip(":")
            rows.append(
                Row(
                    names=tuple(action.option_strings),
                    help=summary,
                    flag=flag,
                    values=chosen,
                    file=file,
                    metavar=metavar,
                )
            )
        found.append(Interface(name, summary_of_command, tuple(rows), arguments.get(name, words)))
    found.append(Interface("help", "show the help of a command", (), names))
    return found


def _known_values() -> dict[str, tuple[str, ...]]:
    """The values of options whose rows take any text, by the name of the option."""
    found: dict[str, tuple[str, ...]] = {"--dialect": tuple([language.name for _, language in languages()])}
    for package in packages():
        for row in package.variants():
            found[row.option] = (*found.get(row.option, ()), row.name)
    known = tuple(codes())
    return {**found, **dict.fromkeys(("--explain", "--select", "--ignore"), known)}


def text(commands: Sequence[Interface]) -> str:
    """The interfaces as `completions.read` reads them: a line for each command and each option, after the lists of words.
    Raises ValueError for a text that would not be read back."""
    lists: dict[tuple[str, ...], str] = {}

    def words(found: tuple[str, ...]) -> str:
        if len(found) <= _LISTED:
            return " ".join(found)
        return LISTS + lists.setdefault(found, str(len(lists)))

    lines: list[str] = []
    for command in commands:
        lines.append(SEPARATOR.join([command.name, command.help, words(command.words)]))
        for row in command.rows:
            kind = FLAG if row.flag else "file" if row.file else ""
            fields = ["", " ".join(row.names), kind, row.metavar, words(row.values), row.help]
            lines.append(SEPARATOR.join(fields))
    head: list[str] = []
    for found, name in lists.items():
        line = LISTS + name
        for word in found:
            if len(line) + len(word) >= _COLUMNS:
                head.append(line)
                line = LISTS + name
            line += f" {word}"
        head.append(line)
    written = "\n".join([*head, *lines, ""])
    try:
        kept = read(written) == list(commands)
    except ValueError:
        kept = False
    if not kept:
        raise ValueError("a name, a word or a line of help has a separator of the file")
    return written


__all__ = ["interfaces", "text"]
