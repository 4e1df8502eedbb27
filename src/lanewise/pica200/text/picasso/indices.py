"""What the index registers hold where a line has a register as its index.

Asked only about statements with errors.
"""

from __future__ import annotations

import re

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.table import ARITHMETIC, FLOAT, TEMPORARY
from lanewise.pica200.text.picasso.syntax import MNEMONICS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.pica200.isa.table import Op
    from lanewise.pica200.text.picasso.reader import Reader

_STATEMENT = re.compile(
    r"([a-z]\w*)\s+([\w$]+)(?:\[[^\]]*\])?(?:\.(\w+))?\s*(?:,\s*([\w$]+)(?:\.(\w+))?)?", re.ASCII | re.IGNORECASE
)
_LETTERS = {"r": "x", "g": "y", "b": "z", "a": "w", "s": "x", "t": "y", "p": "z", "q": "w"}


def held(reader: Reader, base: str, letter: str) -> tuple[str, int]:
    """The index register in which a component of a register is, and the line that put it there; ("", 0) for none."""
    gone = set[str]()
    for number, op, found in _above(reader):
        if "a0" in op.writes:
            letters = [_LETTERS.get(each, each) for each in (found[5] or "xyzw").lower()]
            for at, name in enumerate("xy"):
                if name in (found[3] or "xy").lower() and name not in gone:
                    if found[4] == base and letters[min(at, len(letters) - 1)] == letter and "[" not in found[0]:
                        return f"a0.{name}", number
                    gone.add(name)
        elif _register(reader, found[2]) == _register(reader, base):
            break
    return "", 0


def behind(reader: Reader) -> bool:
    """Whether the instruction above writes an index register too."""
    return any("a0" in op.writes for _, op, _ in list(_above(reader))[:1])


def _above(reader: Reader) -> Iterator[tuple[int, Op, re.Match[str]]]:
    """The instructions above that always go before this line, from the last one on, each with its line."""
    lines = reader.text.split("\n")
    for number in range(reader.number - 1, 0, -1):
        statement = lines[number - 1].partition(";")[0].strip()
        found = _STATEMENT.match(statement)
        op = MNEMONICS.get(found[1].lower()) if found is not None else None
        if found is not None and op is not None and op.kind == ARITHMETIC:
            yield number, op, found
        elif statement:
            return


def _register(reader: Reader, name: str) -> str:
    alias = reader.operands.aliases.get(name)
    if alias is None:
        return name.lower()
    return f"r{alias.register - TEMPORARY}" if TEMPORARY <= alias.register < FLOAT and alias.letter != "o" else name


__all__ = ["behind", "held"]
