"""Pygments lexers of the assembly languages, made from their tables (`core.lexicon`). Pygments finds them by name or suffix
once lanewise is installed.

    pygmentize -l picasso light.v.pica

This module needs Pygments; nothing else of lanewise imports it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

from pygments import lexer as pygments_lexer
from pygments.lexer import RegexLexer
from pygments.token import string_to_tokentype

from lanewise.core.lexicon import KINDS
from lanewise.core.package import CERTAIN
from lanewise.packages import packages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.lexicon import Lexicon, Rule
    from lanewise.core.package import Language


def _rule(rule: Rule) -> tuple[str, Any]:
    types: list[Any] = [string_to_tokentype(KINDS[kind][1]) for kind in rule.kinds]
    pattern = rf"{rule.pattern}(?s:.*?)(?:{rule.end}|\Z)" if rule.end else rule.pattern
    return pattern, types[0] if len(types) == 1 else cast("Any", pygments_lexer).bygroups(*types)


def tokens_of(lexicon: Lexicon) -> dict[str, list[tuple[str, Any]]]:
    """The states of a Pygments lexer."""
    return {"root": [_rule(rule) for rule in lexicon.rules]}


def _language(name: str) -> Language:
    return next(language for package in packages() for language in package.languages if language.name == name)


def _lexicon(language: Language) -> Lexicon:
    if language.lexicon is None:
        raise ValueError(f"{language.title} has no lexicon")
    return language.lexicon()


def _suffixes(language: Language) -> Sequence[str]:
    return tuple([f"*{suffix}" for suffix in language.suffixes])


class _Lexer(RegexLexer):
    """A lexer of lanewise: every character is part of a rule."""


class PicassoLexer(_Lexer):
    """Picasso: vertex and geometry shaders of the Nintendo 3DS."""

    name: ClassVar[str] = "picasso"
    _of = _language("picasso")
    aliases: ClassVar[Sequence[str]] = ("picasso", "pica")
    filenames: ClassVar[Sequence[str]] = _suffixes(_of)
    mimetypes: ClassVar[Sequence[str]] = ("text/x-picasso",)
    tokens: ClassVar[dict[str, list[tuple[str, Any]]]] = tokens_of(_lexicon(_of))

    @staticmethod
    def analyse_text(text: str) -> float:
        return _language("picasso").recognises(text) / CERTAIN


class NihstroLexer(_Lexer):
    """nihstro: vertex and geometry shaders of the Nintendo 3DS."""

    name: ClassVar[str] = "nihstro"
    _of = _language("nihstro")
    aliases: ClassVar[Sequence[str]] = ("nihstro",)
    filenames: ClassVar[Sequence[str]] = _suffixes(_of)
    mimetypes: ClassVar[Sequence[str]] = ("text/x-nihstro",)
    tokens: ClassVar[dict[str, list[tuple[str, Any]]]] = tokens_of(_lexicon(_of))

    @staticmethod
    def analyse_text(text: str) -> float:
        return _language("nihstro").recognises(text) / CERTAIN


class ShaderCoreLexer(_Lexer):
    """ShaderCore assembly."""

    name: ClassVar[str] = "ShaderCore"
    _of = _language("shadercore")
    aliases: ClassVar[Sequence[str]] = ("shadercore",)
    filenames: ClassVar[Sequence[str]] = _suffixes(_of)
    mimetypes: ClassVar[Sequence[str]] = ("text/x-shadercore",)
    tokens: ClassVar[dict[str, list[tuple[str, Any]]]] = tokens_of(_lexicon(_of))

    @staticmethod
    def analyse_text(text: str) -> float:
        return _language("shadercore").recognises(text) / CERTAIN


class Direct3D9Lexer(_Lexer):
    """Assembly of Direct3D 9 shaders."""

    name: ClassVar[str] = "Direct3D 9 assembly"
    _of = _language("direct3d9")
    aliases: ClassVar[Sequence[str]] = ("direct3d9", "d3d9asm", "vsa", "psa")
    filenames: ClassVar[Sequence[str]] = _suffixes(_of)
    mimetypes: ClassVar[Sequence[str]] = ("text/x-direct3d9-asm",)
    tokens: ClassVar[dict[str, list[tuple[str, Any]]]] = tokens_of(_lexicon(_of))

    @staticmethod
    def analyse_text(text: str) -> float:
        return _language("direct3d9").recognises(text) / CERTAIN


LEXERS = (PicassoLexer, NihstroLexer, ShaderCoreLexer, Direct3D9Lexer)

__all__ = ["LEXERS", "Direct3D9Lexer", "NihstroLexer", "PicassoLexer", "ShaderCoreLexer", "tokens_of"]
