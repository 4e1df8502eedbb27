"""Idioms of public shaders, on the pages of the instructions that they are made of."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from lanewise_site.markup import fence
from lanewise_site.trials import whole

_DATA = Path(__file__).with_suffix(".toml")


_CONSTANTS = "def c30, 0, 1, 2, -1"
_INPUTS = ("position", "normal", "texcoord0", "blendindices", "blendweight", "tangent")
# What is before and after the lines of an idiom for Direct3D 9, by its `head`.
_DIRECT3D9 = {
    "vs_2_0": ("\n".join([f"dcl_{usage} v{n}" for n, usage in enumerate(_INPUTS)]), "mov oPos, r0"),
    "ps_2_0": ("dcl t0\ndcl t1\ndcl_2d s0\ndcl_2d s1", "mov oC0, r0"),
}
_SHADERCORE = ".input v0 position\n.input v1 normal\n.output o0 position\n.output o1 color\n.output o2 texcoord"
_PAGES = {"texld": "tex"}  # instructions that a version of Direct3D 9 spells otherwise
_FENCES = {"pica200": "picasso", "shadercore": "shadercore", "direct3d9": "direct3d9"}


class Idiom(NamedTuple):
    """A few instructions that belong together."""

    title: str
    "What they compute."
    code: str
    "The lines, in the language of the instruction set."
    seen: str
    "Public programs that have them."
    isa: str = "pica200"
    head: str = ""
    "The shader model of lines for Direct3D 9."

    @property
    def instructions(self) -> set[str]:
        """The names of its instructions, as their pages have them."""
        names = {line.split()[0] for line in self.code.splitlines() if line.strip()[-1:] != ":"} - {".end"}
        return {_PAGES.get(name, name) for name in names}

    @property
    def program(self) -> str:
        """A whole program with the lines in it."""
        if self.isa == "direct3d9":
            before, after = _DIRECT3D9[self.head]
            return f"{self.head}\n{before}\n{_CONSTANTS}\n{self.code}\n{after}\n"
        if self.isa == "shadercore":
            return f"{_SHADERCORE}\n{self.code}\nmov o1.x, r0.x\nend\n"
        return whole(".fvec matrix[4]\n.bool flag", "".join([f"    {line}\n" for line in self.code.splitlines()]))


@cache
def idioms() -> tuple[Idiom, ...]:
    rows = tomllib.loads(_DATA.read_text(encoding="utf-8"))["idiom"]
    return tuple([Idiom(**{**row, "code": row["code"].strip("\n")}) for row in rows])


def section(isa: str, name: str) -> list[str]:
    """The part of a page about idioms; empty for an instruction that is in none."""
    found = [idiom for idiom in idioms() if idiom.isa == isa and name in idiom.instructions]
    parts = [f"{idiom.title}, as in {idiom.seen}:\n\n{fence(idiom.code, _FENCES[isa])}" for idiom in found]
    return ["## Idioms of public shaders", *parts] if parts else []
