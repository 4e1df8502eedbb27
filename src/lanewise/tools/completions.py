"""`lanewise completions`: completion of the command line in bash, zsh and fish, written from the options of every command.

Those are in a file of the package (`lanewise.tools.interfaces`).
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record, cast
from lanewise.tools.console import OK, make_parser, print_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from importlib.machinery import SourceFileLoader

SHELLS = ("bash", "zsh", "fish")
_EPILOG = """Install it once; a new shell then completes commands, options, their values and files:
  lanewise completions bash > ~/.local/share/bash-completion/completions/lanewise
  lanewise completions zsh > ~/.zfunc/_lanewise      with `fpath+=~/.zfunc` before compinit in ~/.zshrc
  lanewise completions fish > ~/.config/fish/completions/lanewise.fish

examples:
  source <(lanewise completions bash)                for this shell only"""
# The file beside this one that has the interfaces of all commands, and the signs that it is written with: between fields,
# before the name of a list of words, and for an option without a value.
FILE = "commands.txt"
SEPARATOR, LISTS, FLAG = "\t", "=", "flag"


class Row(Record):
    """An option of a command."""

    names: tuple[str, ...]
    "As written on the command line, with dashes."
    help: str
    "Line of the help."
    flag: bool
    "It has no value."
    values: tuple[str, ...]
    "Texts that its value may be; empty for any."
    file: bool
    "Its value is a file."
    metavar: str
    "Placeholder of the value."


class Interface(Record):
    """A command: its options, and the words that its arguments may be; files where there are none."""

    name: str
    help: str
    rows: tuple[Row, ...]
    words: tuple[str, ...] = ()


def parser() -> argparse.ArgumentParser:
    built = make_parser("lanewise completions", "Write a script by which a shell completes command lines of lanewise.", _EPILOG)
    built.add_argument("shell", metavar="SHELL", choices=SHELLS, help="bash, zsh or fish")
    return built


def main(argv: list[str]) -> int:
    shell = argv[0] if len(argv) == 1 and argv[0] in SHELLS else str(parser().parse_args(argv).shell)
    found = interfaces()
    print_text({"bash": bash, "zsh": zsh, "fish": fish}[shell](found))
    return OK


def interfaces() -> list[Interface]:
    """Every command with its options, as they were written when the package was made."""
    loader: SourceFileLoader = cast("SourceFileLoader", __loader__)  # importlib.resources takes as long to import as all else
    return read(loader.get_data(__file__.removesuffix("completions.py") + FILE).decode())


def read(written: str) -> list[Interface]:
    """The interfaces of a text that `lanewise.tools.interfaces` has written."""
    lists: dict[str, tuple[str, ...]] = {}

    def words(found: str) -> tuple[str, ...]:
        return lists[found] if found.startswith(LISTS) else tuple(found.split())

    found: list[tuple[str, str, tuple[str, ...], list[Row]]] = []
    for line in written.splitlines():
        fields = line.split(SEPARATOR)
        if line.startswith(LISTS):
            name, *listed = line.split(" ")
            lists[name] = (*lists.get(name, ()), *listed)
        elif fields[0]:
            name, summary, arguments = fields
            found.append((name, summary, words(arguments), []))
        else:
            _, names, kind, metavar, values, summary = fields
            found[-1][-1].append(
                Row(
                    names=tuple(names.split()),
                    help=summary,
                    flag=kind == FLAG,
                    values=words(values),
                    file=kind == "file",
                    metavar=metavar,
                )
            )
    return [Interface(name, summary, tuple(rows), arguments) for name, summary, arguments, rows in found]


# The scripts


def bash(commands: Sequence[Interface]) -> str:
    names = " ".join([command.name for command in commands])
    values: list[str] = []
    options: list[str] = []
    for command in commands:
        for row in command.rows:
            if row.flag:
                continue
            patterns = "|".join([f"{command.name}/{name}" for name in row.names])
            action = f'_lanewise_words "{" ".join(row.values)}"' if row.values else "_lanewise_files" if row.file else ":"
            values.append(f"        {patterns}) {action}; return ;;")
        listed = " ".join([name for row in command.rows for name in row.names])
        options.append(f'        {command.name}) options="{listed}"; arguments="{" ".join(command.words)}" ;;')
    return "\n".join(
        [
            "# Completion of lanewise for bash 4 and later, written by `lanewise completions bash`.",
            "_lanewise_words() {",
            '    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")',
            "}",
            "_lanewise_files() {",
            "    compopt -o filenames 2>/dev/null",
            '    mapfile -t COMPREPLY < <(compgen -f -- "$cur")',
            "}",
            "_lanewise() {",
            (
                '    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}" '
                'options="" arguments=""'
            ),
            "    COMPREPLY=()",
            "    if ((COMP_CWORD == 1)); then",
            f'        _lanewise_words "{names} --help --version"',
            "        return",
            "    fi",
            '    if [[ $cur == "=" ]]; then  # bash splits --option=value at the sign',
            '        cur=""',
            '    elif [[ $prev == "=" ]] && ((COMP_CWORD > 2)); then',
            '        prev="${COMP_WORDS[COMP_CWORD-2]}"',
            "    fi",
            '    case "$command/$prev" in',
            *values,
            "    esac",
            '    case "$command" in',
            *options,
            "    esac",
            "    if [[ $cur == -* ]]; then",
            '        _lanewise_words "$options"',
            "    elif [[ -n $arguments ]]; then",
            '        _lanewise_words "$arguments"',
            "    else",
            "        _lanewise_files",
            "    fi",
            "}",
            "complete -F _lanewise lanewise",
            "",
        ]
    )


def zsh(commands: Sequence[Interface]) -> str:
    lines = [
        "#compdef lanewise",
        "# Completion of lanewise for zsh, written by `lanewise completions zsh`.",
        "_lanewise() {",
        "    local -a commands",
        "    commands=(",
        *[f"        {_quoted(f'{command.name}:{command.help}')}" for command in commands],
        "    )",
        "    if ((CURRENT == 2)); then",
        "        _describe -t commands command commands",
        "        return",
        "    fi",
        '    local command="${words[2]}"',
        "    shift words",
        "    ((CURRENT -= 1))",
        '    case "$command" in',
    ]
    for command in commands:
        specs = [_zsh_spec(row) for row in command.rows]
        words = f"*:argument:({' '.join(command.words)})" if command.words else "*:file:_files"
        lines += [f"        ({command.name})", "            _arguments -s \\"]
        lines += [f"                {spec} \\" for spec in specs]
        lines += [f"                {_quoted(words)}", "            ;;"]
    return "\n".join([*lines, "    esac", "}", '_lanewise "$@"', ""])


def _zsh_spec(row: Row) -> str:
    summary = row.help.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
    value = (
        ""
        if row.flag
        else f":{row.metavar.replace(':', ' ')}:"
        + (f"({' '.join(row.values)})" if row.values else "_files" if row.file else " ")
    )
    names = row.names[0] if len(row.names) == 1 else f"{{{','.join(row.names)}}}"
    # an option may be given more than once; the braces are expanded by the shell, so they are outside of the quotes
    return f"'*'{names}{_quoted(f'[{summary}]{value}')}"


def fish(commands: Sequence[Interface]) -> str:
    names = " ".join([command.name for command in commands])
    lines = [
        "# Completion of lanewise for fish, written by `lanewise completions fish`.",
        f"set -l commands {names}",
        "complete -c lanewise -f",
        'complete -c lanewise -n "not __fish_seen_subcommand_from $commands" -a "--help --version"',
    ]
    lines += [
        (
            f'complete -c lanewise -n "not __fish_seen_subcommand_from $commands" -a {command.name} -d '
            f"{_quoted(command.help, fish=True)}"
        )
        for command in commands
    ]
    for command in commands:
        start = f'complete -c lanewise -n "__fish_seen_subcommand_from {command.name}"'
        lines.append(f"{start} -a {_quoted(' '.join(command.words), fish=True)}" if command.words else f"{start} -F")
        for row in command.rows:
            flags = " ".join([f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in row.names])
            value = (
                ""
                if row.flag
                else f" -xa {_quoted(' '.join(row.values), fish=True)}"
                if row.values
                else " -rF"
                if row.file
                else " -x"
            )
            lines.append(f"{start} {flags}{value} -d {_quoted(row.help, fish=True)}")
    return "\n".join([*lines, ""])


def _quoted(text: str, *, fish: bool = False) -> str:
    """A text in single quotes of a shell."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'") if fish else text.replace("'", "'\\''")
    return f"'{escaped}'"


__all__ = [
    "FILE",
    "FLAG",
    "LISTS",
    "SEPARATOR",
    "SHELLS",
    "Interface",
    "Row",
    "bash",
    "fish",
    "interfaces",
    "main",
    "read",
    "zsh",
]
