"""`lanewise completions`: completion of the command line in bash, zsh and fish, written from the options of every command."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.packages import codes, languages, packages
from lanewise.tools import schema
from lanewise.tools.cli import COMMANDS
from lanewise.tools.console import OK, make_parser, print_text
from lanewise.tools.manual import parsers

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

SHELLS = ("bash", "zsh", "fish")
_EPILOG = """Install it once; a new shell then completes commands, options, their values and files:
  lanewise completions bash > ~/.local/share/bash-completion/completions/lanewise
  lanewise completions zsh > ~/.zfunc/_lanewise      with `fpath+=~/.zfunc` before compinit in ~/.zshrc
  lanewise completions fish > ~/.config/fish/completions/lanewise.fish

examples:
  source <(lanewise completions bash)                for this shell only"""
_FILE_NAMES = ("FILE", "OUT", "DIR", "TOML", ".bin")  # of metavars whose values are files


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
    shell = str(parser().parse_args(argv).shell)
    found = interfaces()
    print_text({"bash": bash, "zsh": zsh, "fish": fish}[shell](found))
    return OK


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
            file = not chosen and any(part in metavar for part in _FILE_NAMES)
            summary = (action.help or "").replace("%%", "%").partition("(default")[0].strip().rstrip(":")
            rows.append(
                Row(
                    names=tuple(action.option_strings),
                    help=summary,
                    flag=action.nargs == 0,
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


__all__ = ["SHELLS", "Interface", "Row", "bash", "fish", "interfaces", "main", "zsh"]
