"""How a language is coloured: `Lexicon`, rules from the tables of the language. Grammars of editors and Pygments lexers are
made from it.

The patterns are regular expressions that Python and Oniguruma (TextMate) read alike. At each place the first rule that fits is
taken, and every character is in some rule: the last ones of `REST` take what is left.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable

# What a piece of text may be, each with its TextMate scope (without the name of the language) and its Pygments token.
KINDS = {
    "comment": ("comment.line", "Comment.Single"),
    "block comment": ("comment.block", "Comment.Multiline"),
    "string": ("string.quoted.double", "Literal.String"),
    "number": ("constant.numeric", "Literal.Number"),
    "value": ("constant.language", "Keyword.Constant"),
    "preprocessor": ("keyword.control.directive", "Comment.Preproc"),
    "directive": ("storage.type.directive", "Keyword.Declaration"),
    "version": ("storage.modifier.version", "Keyword.Namespace"),
    "instruction": ("support.function.instruction", "Keyword"),
    "flow": ("keyword.control.flow", "Keyword.Reserved"),
    "procedure": ("entity.name.function", "Name.Function"),
    "label": ("entity.name.label", "Name.Label"),
    "semantic": ("support.constant.semantic", "Name.Attribute"),
    "register": ("variable.language.register", "Name.Builtin"),
    "components": ("variable.other.property.components", "Name.Property"),
    "modifier": ("storage.modifier", "Keyword.Type"),
    "name": ("variable.other", "Name"),
    "operator": ("keyword.operator", "Operator"),
    "punctuation": ("punctuation.separator", "Punctuation"),
    "text": ("", "Text"),
}


class Rule(Record):
    """A pattern and what it is: one kind, or one for each group where the groups are the whole match. With `end`, everything up
    to that pattern, over several lines."""

    pattern: str
    kinds: tuple[str, ...]
    end: str = ""


class Lexicon(Record):
    """The rules of a language, and what editors ask of one.

    All patterns are for the regular expressions of JavaScript too, without flags inside.
    """

    rules: tuple[Rule, ...]
    "Tried in order; the first that matches counts."
    comment: str
    "Text that begins a comment."
    word: str
    "Pattern of a whole name."
    block_comment: tuple[str, str] | None = None
    "Texts that begin and end a comment of several lines; None where there are none."
    opens: str = ""
    "Pattern of a line after which the indentation grows."
    closes: str = ""
    "Pattern of a line that is less indented itself."
    first_line: str = ""
    "Pattern of the beginning of a file whose name does not show the language."


REST = (
    Rule(r"[A-Za-z_][A-Za-z_0-9$]*", ("name",)),
    Rule(r"&&|\|\||[=!<>]=|[-+*/<>=!&|]", ("operator",)),
    Rule(r"[,:()\[\]]", ("punctuation",)),
    Rule(r"[ \t\r\f\v\n]+", ("text",)),
    Rule(r"[^\n]", ("text",)),
)


def one_of(words: Iterable[str], before: str = r"(?<![\w$.])", after: str = r"(?![\w$])", *, any_case: bool = False) -> str:
    """A pattern of these words and no longer ones, the longest first."""
    listed = "|".join(sorted({word.replace(".", r"\.") for word in words}, key=lambda word: (-len(word), word)))
    return f"{before}{'(?i:' if any_case else '(?:'}{listed}){after}"


__all__ = ["KINDS", "REST", "Lexicon", "Rule", "one_of"]
