"""The arguments of directives, and the names that they declare."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.problems import Problem
from lanewise.pica200.text.picasso.operands import Alias
from lanewise.pica200.text.picasso.syntax import Quirk, is_identifier, is_register

if TYPE_CHECKING:
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
        raise Problem("P011", f"unexpected '{rest.strip()}': {reader.word} has no operands", "remove it")


def alias_name(reader: Reader, name: str, alias: Alias, *, span_name: str = "") -> None:
    """Give a name its meaning in this file. Raises Problem if it has one."""
    if name in reader.operands.aliases:
        if reader.operands.aliases[name].register < 0:
            return
        raise Problem("P040", f"name '{span_name or name}' is already in use", "choose another name")
    if is_register(name):
        reader.quirk(Quirk("P041", f"name '{name}' shadows the register", "choose a name that is not a register"))
    reader.operands.aliases[name] = alias
    reader.operands.forget()


def poison(reader: Reader, name: str) -> None:
    """A declaration failed: uses of its name are not reported again."""
    if is_identifier(name):
        reader.operands.aliases.setdefault(name, Alias(-1))
