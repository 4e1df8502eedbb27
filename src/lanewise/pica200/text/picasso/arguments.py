"""The arguments of directives, and the names that they declare."""

from __future__ import annotations

from lanewise.core.diagnostics import WARNING, Related
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.problems import Problem
from lanewise.pica200.isa.table import register_name
from lanewise.pica200.text.picasso.operands import Alias
from lanewise.pica200.text.picasso.syntax import Quirk, is_identifier, is_register

if TYPE_CHECKING:
    from lanewise.core.source import Span
    from lanewise.pica200.text.picasso.reader import Reader


def words_of(reader: Reader, rest: str, least: int, most: int, usage: str) -> list[str]:
    """The blank-separated arguments of a directive. Raises Problem when there are too few or too many."""
    words = rest.split()
    if len(words) < least:
        raise Problem("P010", f"{reader.word} needs {'more arguments' if words else 'an argument'}", f"write {usage}")
    if len(words) > most:
        place = reader.word_at(most + 1)
        raise Problem("P011", f"unexpected '{words[most]}'", f"write {usage}", place, len(words[most]))
    return words


def one_name(reader: Reader, rest: str, usage: str) -> str:
    """The single, comma-separated argument of a directive."""
    parts = [part.strip() for part in rest.split(",")]
    if not parts[0]:
        raise Problem("P010", f"{reader.word} needs a name", f"write {usage}")
    if len([part for part in parts if part]) > 1:
        raise Problem("P011", f"unexpected '{parts[1]}'", f"write {usage}")
    return parts[0]


def no_arguments(reader: Reader, rest: str) -> None:
    if rest.strip():
        raise Problem("P011", f"unexpected '{rest.strip()}': {reader.word} has no operands", "remove it", replacement="")


def alias_name(reader: Reader, name: str, alias: Alias, *, constant: bool = False) -> None:
    """Give a name its meaning in this file: `constant` says that of a constant. Raises Problem if it has one."""
    if name in reader.operands.aliases:
        if reader.operands.aliases[name].register < 0:
            return
        first = _declaration(reader, name)
        reader.operands.aliases[name] = Alias(register=-1)  # either may be meant
        reader.operands.forget()
        related = (Related(first, f"{name} is declared here first"),) if first is not None else ()
        raise Problem("P040", f"name '{name}' is already in use", "choose another name, or remove this line", related=related)
    if is_register(name):
        _check_shadowing(reader, name, alias, constant=constant)
    reader.operands.aliases[name] = alias
    reader.operands.forget()
    if reader.names is not None:
        reader.names.declared(reader, name, alias)


def _declaration(reader: Reader, name: str) -> Span | None:
    """The place where a name of this file is declared, where it is known."""
    unit = reader.unit
    rows = [*unit.uniforms, *unit.inputs, *unit.private, *unit.outputs] if unit is not None else []
    return next((row.span for row in rows if row.name == name), None)


def _check_shadowing(reader: Reader, name: str, alias: Alias, *, constant: bool) -> None:
    """A name that is a register's too: wrong, unless it means that register (`.out o0 position`) or is a constant of that
    register file."""
    meant = register_name(alias.register, written=alias.letter == "o")
    if meant == name:
        return
    message = f"name '{name}' shadows the register"
    if constant and meant[0] == name[0]:
        fix = f"choose another name; `.set{'f' if name[0] == 'c' else 'i'} {name}(x, y, z, w)` sets the register"
        reader.report(Problem("P041", f"{message}: it is the constant in {meant}", fix), WARNING)
    else:
        reader.quirk(Quirk(code="P041", message=message, fix="choose a name that is not a register"))


def poison(reader: Reader, name: str) -> None:
    """A declaration failed: uses of its name are not reported again."""
    if is_identifier(name):
        reader.operands.aliases.setdefault(name, Alias(register=-1))
