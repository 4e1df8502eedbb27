"""Lexers by the names that code blocks of the documentation have."""

from __future__ import annotations

from typing import Any, ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Text

from lanewise import highlighting


class Plain(RegexLexer):
    """A language that is not coloured."""

    name: ClassVar[str] = "plain"
    tokens: ClassVar[dict[str, list[tuple[str, Any]]]] = {"root": [(r".+|\n", Text)]}


def lexers() -> dict[str, type]:
    return {
        "pica": highlighting.PicassoLexer,
        "picasso": highlighting.PicassoLexer,
        "nihstro": highlighting.NihstroLexer,
        "shadercore": highlighting.ShaderCoreLexer,
        "direct3d9": highlighting.Direct3D9Lexer,
        "ssa": Plain,
        "tiny": Plain,  # the instruction set that a how-to makes
    }
