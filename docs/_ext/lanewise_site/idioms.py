"""Idioms of public shaders, on the pages of the instructions that they are made of."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from lanewise_site.markup import fence
from lanewise_site.trials import whole

_DATA = Path(__file__).with_suffix(".toml")


class Idiom(NamedTuple):
    """A few instructions that belong together."""

    title: str
    "What they compute."
    code: str
    "The lines, in picasso's language."
    seen: str
    "Public programs that have them."

    @property
    def instructions(self) -> set[str]:
        """The names of its instructions."""
        return {line.split()[0] for line in self.code.splitlines() if line.strip()[-1:] != ":"} - {".end"}

    @property
    def program(self) -> str:
        """A whole program with the lines in it."""
        return whole(".fvec matrix[4]\n.bool flag", "".join([f"    {line}\n" for line in self.code.splitlines()]))


@cache
def idioms() -> tuple[Idiom, ...]:
    rows = tomllib.loads(_DATA.read_text(encoding="utf-8"))["idiom"]
    return tuple([Idiom(row["title"], row["code"].strip("\n"), row["seen"]) for row in rows])


def section(isa: str, name: str) -> list[str]:
    """The part of a page about idioms; empty for an instruction that is in none."""
    found = [idiom for idiom in idioms() if name in idiom.instructions] if isa == "pica200" else []
    parts = [f"{idiom.title}, as in {idiom.seen}:\n\n{fence(idiom.code, 'picasso')}" for idiom in found]
    return ["## Idioms of public shaders", *parts] if parts else []
