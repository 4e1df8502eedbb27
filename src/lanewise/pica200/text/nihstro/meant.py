"""What a line that cannot be read is meant to be: rewritings by habits and typing errors, each of which is tried.

A rewriting is offered only if the line reads without a finding then. Asked only about lines with errors.
"""

from __future__ import annotations

import re

from lanewise.core.diagnostics import NOTE, Alternative, Edit
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.problems import MOST_SUGGESTIONS, Problem, Suggestions
from lanewise.pica200.text.nihstro.advice import directives, instructions
from lanewise.pica200.text.nihstro.directives import DIRECTIVES, SEMANTICS
from lanewise.pica200.text.nihstro.lexer import Cursor, tokens
from lanewise.pica200.text.nihstro.operands import Poisoned
from lanewise.pica200.text.nihstro.syntax import COMPARISONS, INSTEAD, MNEMONICS
from lanewise.pica200.text.rewriting import BRACKETS, DASHES, HEADS, OPERANDS, PLACES, near, subtractions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.pica200.text.nihstro.reader import Reader

MOST_TRIES = 200  # readings of rewritten lines in a run
MOST_MEANINGS = 3  # that are offered for one line
_LONGEST = 400  # characters of a line that is looked at
_OF_A_WORD = frozenset(("V013", "V037"))

# Words of other languages; the first that reads is the likeliest. Sources: GLSL, HLSL, Direct3D 9, picasso.
_WORDS = {
    "sub": (),  # with a sign: `subtractions`
    "dot": ("dp4", "dp3"),
    "dp": ("dp4", "dp3"),
    "fma": ("mad",),
    "madd": ("mad",),
    "floor": ("flr",),
    "rsqrt": ("rsq",),
    "inversesqrt": ("rsq",),
    "recip": ("rcp",),
    "move": ("mov",),
    "ret": ("end",),
    "return": ("end",),
    "for": ("loop",),
    "rep": ("loop",),
    "ifc": ("if",),
    "ifu": ("if",),
}
_SIGNS = {
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "=": "==",
    "less": "<",
    "lte": "<=",
    "greater": ">",
    "gte": ">=",
    "equal": "==",
    "neq": "!=",
}
_COLOURS = str.maketrans("rgbastpq", "xyzwxyzw")
_PROPERTIES = {
    "colour": ("color",),
    **dict.fromkeys(("texcoord", "tex", "uv", "tex0", "texture"), ("texcoord0",)),
    **dict.fromkeys(("col", "color0", "diffuse"), ("color",)),
    **dict.fromkeys(("pos", "gl_position"), ("position",)),
    "normalquat": ("quaternion",),
    "pos0": ("position",),
    "viewdir": ("view",),
}
_ENDS = (  # words that end a block elsewhere
    *(
        ".end",
        "end",
        "}",
        "end_if",
        "end_loop",
        "endrep",
        "endfor",
        "end_for",
        "endwhile",
        "next",
        "fi",
        "done",
        "wend",
        "endblock",
    ),
    *(".endif", ".endloop", ".endrep", "#endif"),
)
_NAMING = ("uniform", "const", "constant", "attribute", "input", "output", "varying", "define", "name", "def", "equ", "set")
_RANGES = (
    (r"^(\S+)\s+([cib])(\d+)\s*(?:\.{2,3}|:|-|\bto\b)\s*\2?(\d+)$", r"\1 \2\3-\2\4"),
    (r"^(\S+)\s+([cib])\[\s*(\d+)\s*(?:\.{2,3}|:|-)\s*(\d+)\s*\]$", r"\1 \2\3-\2\4"),
)
_ALIAS = ((r"\s*:?=\s*(?=\()", " as "), (r"^(\S+\s+\S+)\s+(?!as\b)(\S.*)$", r"\1 as \2"), (r"(?<=[\d.])[fF]\b", ""))


def explain(reader: Reader, problem: Problem) -> tuple[Edit, ...]:
    """The edit of what the line at hand may be meant to be, with `fix`, `alternatives` and `meant` of its problem set; empty if
    nothing is known of it."""
    if (problem.code[0] != "P" and problem.code not in _OF_A_WORD) or problem.code in ("P063", "P065") or not reader.found:
        return ()
    begin, end = reader.found[0].start, reader.found[-1].end
    statement = reader.line[begin:end]
    if len(statement) > _LONGEST:
        return ()
    if reader.tries >= MOST_TRIES:
        return ()
    reader.tries += 1
    if problem.replacement is not None and not (statement.isidentifier() and reader.is_target(statement)):
        at = problem.start
        fixed = reader.line[:at] + problem.replacement + reader.line[at + problem.length : end]
        fixed = fixed[begin:].split("\n")[-1].strip()
        problem.meant = fixed if _reads(reader, fixed) else ""
        # A word of another language means more than what is spelt like it, and a name may end with components.
        general = statement.rsplit(None, 1)[-1].lower() in _PROPERTIES
        if (
            problem.meant
            and problem.code != "P025"
            and not general
            and statement.split(None, 1)[0].lower() not in (*_WORDS, *_ENDS)
        ):
            return ()
    for group in _candidates(reader, statement):
        others = [new for new in dict.fromkeys(group) if new.strip() and new != statement]
        found = [new for new in others if _reads(reader, new)][:MOST_MEANINGS]
        if found:
            problem.fix = f"write `{' '.join(found[0].split())}`"
            problem.meant = found[0]
            edits = [(Edit(reader.span(begin, len(statement)), new),) for new in found]
            problem.alternatives = tuple(
                Alternative(f"write `{' '.join(new.split())}`", edit) for new, edit in zip(found[1:], edits[1:], strict=True)
            )
            return edits[0]
    if reader.tries < MOST_TRIES and not problem.meant:
        problem.replacement = None  # there is more to do than that
    return ()


def _candidates(reader: Reader, statement: str) -> Iterator[list[str]]:
    """Groups of rewritings; those of a group are about the same part."""
    yield [statement.translate(DASHES)]
    word, *tail = statement.split(None, 1)
    rest, lower = statement[len(word) :], word.lower()
    if lower == ".proc" and tail:
        yield [f"{tail[0].strip()}:"]
    if lower in _ENDS and reader.blocks and not tail:
        yield [reader.ends_block()]
    if lower in (".else", "else:", "otherwise") or re.fullmatch(r"\}?\s*else\s*\{?", statement, re.IGNORECASE):
        yield ["else"]
    if (
        re.fullmatch(r"(?:end|\.end)\s*[-_]?\s*(?:if|loop|for|rep|while)", lower + " " + "".join(tail).lower())
        and reader.blocks
    ):
        yield [reader.ends_block()]
    if lower in ("if", "ifu", "ifc", "loop") and rest.rstrip().endswith(("{", "then", ":")):
        yield [f"{word}{rest.rstrip().removesuffix('{').removesuffix('then').removesuffix(':').rstrip()}"]
    if lower[:1] == "." and lower[1:] in _NAMING:  # of other assemblers: a name for a register
        yield [f".alias{rest}"]
        for pattern, new in (*_RANGES, *_ALIAS, *HEADS):
            yield [f".alias {re.sub(pattern, new, rest.strip())}"]
    if lower[0] == ".":
        yield from directives(reader, word, rest)
        yield from _directives(reader, word, rest)
        return
    yield from instructions(reader, statement)
    if lower not in MNEMONICS:
        if lower in ("ret", "return") and re.search(r"^[^\S\n]*call\b", reader.text, re.MULTILINE):
            return  # `end` would end the shader
        yield subtractions(rest) if lower == "sub" else [f"{name}{rest}" for name in _WORDS.get(lower, ())]
        if lower in DIRECTIVES:
            yield [f".{word}{rest}"]
        if not tail and word.isidentifier() and (reader.is_target(word) or word == reader.unit.entry):
            yield [f"{word}:"]
        if lower not in INSTEAD:
            yield [f"{name}{rest}" for name in near(lower, MNEMONICS, reader.suggestions)]
        return
    head, rest = statement[: len(statement) - len("".join(tail))], "".join(tail)
    if lower == "cmp":
        yield from _comparisons(head, rest.split(","))
    if rest.count("=") == 1 and rest.count(",") < 2:
        yield [head + re.sub(r"\s*:?=\s*", ", ", rest)]
    for pattern, new in BRACKETS:
        yield [head + re.sub(pattern, new, rest)]
    yield [head + re.sub(r"\[\s*i[0-3](\s*\+\s*\d+)?\s*\]", r"[lcnt\1]", rest)] if re.search(r"\[\s*i[0-3]", rest) else []
    for match in re.finditer(r"(?<![\w.])[A-Za-z_]\w*", rest):
        if match[0] not in reader.operands.aliases and not re.fullmatch(r"[vorcib]\d+", match[0]):
            names = near(match[0], reader.operands.aliases, reader.suggestions)
            split = [
                f"{head}{rest[: match.start()]}{match[0][:-n]}.{match[0][-n:]}{rest[match.end() :]}"
                for n in range(1, 5)
                if set(match[0][-n:]) <= set("xyzw") and len(match[0]) > n
            ]
            yield [*split, *[f"{head}{rest[: match.start()]}{name}{rest[match.end() :]}" for name in names]]
    yield [head + re.sub(r"\b(?:cmp|cond|flags)\.(?=[xy]\b)", "cc.", rest)]
    yield [head + re.sub(r"\b(?:cc|cmp|cond|flags)(?:\.[zwr])?(?![.\w])", "cc.x", rest)]
    if lower == "mova" and rest.count(",") == 1:
        yield [f"mova {rest.partition(',')[2].strip()}"]
    yield [head + re.sub(r"\.([rgbastpq]{1,4})\b", lambda m: f".{m[1].translate(_COLOURS)}", rest)]
    yield [head + re.sub(r"^(\w+)\.([xyzw]+)", lambda m: f"{m[1]}.{_mask(m[2])}", rest)]
    for pattern, new in OPERANDS:
        yield [head + re.sub(pattern, new, rest)]
    yield [head + re.sub(r"(?<=[\w\]])\s+(?=[-A-Za-z_])", ", ", rest)]
    for pattern, new in PLACES:
        yield [head + rest[: match.start()] + new + rest[match.end() :] for match in re.finditer(pattern, rest)]


def _mask(letters: str) -> str:
    """The letters of a write mask in order."""
    return "".join([letter for letter in "xyzw" if letter in letters])


def _comparisons(head: str, arguments: Sequence[str]) -> Iterator[list[str]]:
    """Operators of a comparison that are spelt otherwise, or in other places."""
    texts = [_SIGNS.get(text.strip().lower(), text.strip()) for text in arguments]
    signs = [text for text in texts if text in COMPARISONS]
    others = [text for text in texts if text not in COMPARISONS]
    infix = re.fullmatch(r"(.+?)\s*(<=|>=|==|!=|<|>)\s*(.+)", arguments[0].strip()) if len(arguments) == 1 else None
    if infix is not None:
        others, signs = [infix[1], infix[3]], [infix[2]]
    if len(others) == 2 and len(signs) < 3:
        signs = signs or ["<"]
        both = [re.sub(r"\.([xyzw])$", r".\1\1", text) for text in others]
        yield [f"{head}{', '.join([*pair, signs[0], signs[-1]])}" for pair in (others, both)]


def _directives(reader: Reader, word: str, rest: str) -> Iterator[list[str]]:
    """Groups of rewritings of a directive."""
    if word[1:].lower() not in DIRECTIVES:
        yield [f".{name}{rest}" for name in near(word[1:].lower(), DIRECTIVES, reader.suggestions)]
        return
    if word.lower() == ".alias":
        output = re.fullmatch(r"(.*\sas\s+)([A-Za-z]\w*)", rest.strip())
        if output is not None:
            meant = [*_PROPERTIES.get(output[2].lower(), ()), *near(output[2].lower(), SEMANTICS, reader.suggestions)]
            yield [f"{word} {output[1]}{name}" for name in meant]
        for pattern, new in (*_RANGES, *_ALIAS, *HEADS):
            yield [f"{word} {re.sub(pattern, new, rest.strip())}"]


# Readings


def _reads(reader: Reader, line: str) -> bool:
    """Whether a line reads without a finding in the place of the one at hand. Nothing changes."""
    if reader.tries >= MOST_TRIES or not line or line.lower().startswith(".include"):
        return False
    reader.tries += 1
    return read_as(reader, line, keep=False)


def read_as(reader: Reader, line: str, *, keep: bool) -> bool:
    """Read a line in the place of the one at hand: whether there is nothing to report.

    `keep`: it is part of the program then.
    """
    operands = reader.operands
    owners = (reader, reader.unit, operands)
    saved = [{name: _copied(value) for name, value in vars(owner).items()} for owner in owners]
    count = len(reader.diagnostics)
    reader.names = None
    reader.suggestions = operands.suggestions = Suggestions()
    reader.suggestions.given = MOST_SUGGESTIONS
    try:
        reader.put(line)
        reader.one(Cursor(line, tokens(line)))
        clean = not any(each.severity != NOTE for each in reader.diagnostics[count:])
    except (Problem, Poisoned):
        clean = False
    kept = keep and clean
    for owner, values in zip(owners, saved, strict=True):
        for name, value in values.items():
            if not kept or name in _OF_A_LINE:
                setattr(owner, name, value)
    del reader.diagnostics[count:]
    return clean


_OF_A_LINE = frozenset(("line", "_tokens", "names", "suggestions", "reported"))


def _copied(value: object) -> object:
    """A value, or a copy of one that can change."""
    return value.copy() if isinstance(value, list | dict | set) else value  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
