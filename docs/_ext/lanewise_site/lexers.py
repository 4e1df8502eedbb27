"""Lexers by the names that code blocks of the documentation have."""

from __future__ import annotations

from lanewise import highlighting


def lexers() -> dict[str, type]:
    return {
        "pica": highlighting.PicassoLexer,
        "picasso": highlighting.PicassoLexer,
        "nihstro": highlighting.NihstroLexer,
        "shadercore": highlighting.ShaderCoreLexer,
        "direct3d9": highlighting.Direct3D9Lexer,
    }
