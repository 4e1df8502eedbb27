"""What other implementations do with an instruction, and the bits of an example, for the pages of ShaderCore and Direct3D 9."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lanewise import Direct3DShader
from lanewise_site import files_direct3d9
from lanewise_site.direct3d9_programs import PROGRAMS
from lanewise_site.markup import encoding, escape, raw, table
from lanewise_site.records import drawn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise_site.records import Word

_DATA = Path(__file__).with_suffix(".toml")
_TITLES = {"shadercore": "The public compiler", "direct3d9": "Cards and other implementations"}


class Fact(NamedTuple):
    """What an implementation does: on the pages of `instructions`, with its source."""

    isa: str
    instructions: tuple[str, ...]
    text: str
    where: str


@cache
def facts() -> tuple[Fact, ...]:
    rows = tomllib.loads(_DATA.read_text(encoding="utf-8"))["fact"]
    return tuple([Fact(row["isa"], tuple(row["instructions"]), row["text"], row["where"]) for row in rows])


def section(isa: str, name: str) -> list[str]:
    """The part of a page about them; empty for an instruction of which nothing is known."""
    found = [fact for fact in facts() if fact.isa == isa and name in fact.instructions]
    rows = [(_coded(fact.text), escape(fact.where)) for fact in found]
    return [f"## {_TITLES[isa]}", table(("behaviour", "source"), rows)] if rows else []


def _coded(text: str) -> str:
    """A text with its code in backquotes."""
    parts = text.split("`")
    return "".join([f"`{part}`" if n % 2 else escape(part) for n, part in enumerate(parts)])


def bits(word: int, fields: Sequence[Mapping[str, object]]) -> dict[str, str]:
    """The bits of each field of a word."""
    found: dict[str, str] = {}
    for field in fields:
        low, width = int(str(field["low"])), int(str(field["width"]))
        found[str(field["name"])] = f"{word >> low & ((1 << width) - 1):0{width}b}"
    return found


@cache
def _tokens() -> Mapping[str, tuple[str, tuple[tuple[str, int], ...]]]:
    """A line and its tokens with what each is, for each instruction of the programs of the site."""
    found: dict[str, tuple[str, tuple[tuple[str, int], ...]]] = {}
    for program in PROGRAMS:
        lines = program.splitlines()
        for inst in Direct3DShader.from_source(program).shader.insts:
            if inst.place is None or inst.payload:
                continue
            words = [("Instruction token", inst.token)]
            words += [("Destination token", inst.dest.word)] if inst.dest is not None else []
            words += [("Source token", source.word) for source in inst.sources]
            found.setdefault(inst.op.name, (lines[inst.place.line - 1].strip(), tuple(words)))
    return found


def tokens(name: str) -> list[str]:
    """The tokens of an example of a Direct3D 9 instruction with their bits; empty where an instruction has none."""
    line, words = _tokens().get(name, ("", ()))
    if len(words) < 2:
        return []
    kinds: dict[str, Word] = {word.name: word for word in files_direct3d9.TOKENS}
    parts = [
        "## Tokens",
        f"`{line}` is {len(words)} words. [Every field](../containers/direct3d9.md) of the tokens; those of other sources "
        "are as that of the first.",
    ]
    shown = dict(reversed(words))  # of the sources the first
    for title in dict.fromkeys([title for title, _ in words]):
        fields = drawn(kinds[title])
        word = shown[title]
        picture = encoding(fields, 32, bits(word, fields))
        parts += [f"{title}, 0x{word:08X}:", raw(f'<div class="lw-scroll">{picture}</div>')]
    return parts


__all__ = ["Fact", "bits", "facts", "section", "tokens"]
