"""What a statement that cannot be read is meant to be: rewritings by habits and typing errors, each of which is tried.

A rewriting is offered only if the statement reads without a finding then, so that its edit assembles. Asked only about
statements with errors.
"""

from __future__ import annotations

import re

from lanewise.core.diagnostics import NOTE, Alternative, Edit
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.problems import LONGEST_NAME, MOST_SUGGESTIONS, Problem, Suggestions
from lanewise.pica200.isa.table import COMPARISONS, SETEMIT
from lanewise.pica200.text.picasso.directives import DIRECTIVES, SEMANTICS
from lanewise.pica200.text.picasso.operands import Poisoned
from lanewise.pica200.text.picasso.syntax import MNEMONICS, begins_like_register, is_identifier

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from lanewise.core.source import Span
    from lanewise.pica200.text.picasso.reader import Reader

MOST_TRIES = 200  # readings of rewritten statements in a run
MOST_DECLARATIONS = 40  # readings of all declarations of a file
MOST_MEANINGS = 3  # that are offered for one statement
_LONGEST = 400  # characters of a statement that is looked at

# Mnemonics of other languages; the first that reads is the likeliest. Sources: GLSL, HLSL, Direct3D 9, ARB, nihstro.
_MNEMONICS = {
    "dot": ("dp4", "dp3"),
    "dot3": ("dp3",),
    "dot4": ("dp4",),
    "fma": ("mad",),
    "madd": ("mad",),
    "mla": ("mad",),
    "muladd": ("mad",),
    "floor": ("flr",),
    "rsqrt": ("rsq",),
    "inversesqrt": ("rsq",),
    "invsqrt": ("rsq",),
    "recip": ("rcp",),
    "reciprocal": ("rcp",),
    "exp": ("ex2",),
    "exp2": ("ex2",),
    "log": ("lg2",),
    "log2": ("lg2",),
    "move": ("mov",),
    "ret": ("end",),
    "return": ("end",),
    "exit": ("end",),
    "loop": ("for",),
    "rep": ("for",),
    "repeat": ("for",),
    "if": ("ifc", "ifu"),
    "jmp": ("jmpc", "jmpu"),
    "jump": ("jmpc", "jmpu"),
    "goto": ("jmpc", "jmpu"),
    "bra": ("jmpc", "jmpu"),
    "mova.x": ("mova",),
}
_ENDS = ("endif", "endloop", "endrep", "endfor", "endproc", "endp", "endfunc", "endwhile", "next", "fi")
_DIRECTIVES = {
    **dict.fromkeys([f".{word}" for word in _ENDS], (".end",)),
    ".vec4": (".fvec",),
    ".float4": (".fvec",),
    ".float": (".fvec",),
    ".vec": (".fvec",),
    ".mat4": (".fvec",),
    ".uniform": (".fvec", ".ivec", ".bool"),
    ".int": (".ivec",),
    ".int4": (".ivec",),
    ".ivec4": (".ivec",),
    ".boolean": (".bool",),
    ".const": (".constf", ".consti"),
    ".constant": (".constf", ".consti"),
    ".def": (".constf",),
    ".defi": (".consti",),
    ".procedure": (".proc",),
    ".func": (".proc",),
    ".function": (".proc",),
    ".input": (".in",),
    ".attribute": (".in",),
    ".output": (".out",),
    ".varying": (".out",),
    ".define": (".alias",),
    ".name": (".alias",),
    ".geometry": (".gsh",),
    ".start": (".entry",),
}
_COMPARED = {
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
    "==": "eq",
    "!=": "ne",
    "=": "eq",
    "=<": "le",
    "=>": "ge",
    "<>": "ne",
    "less": "lt",
    "lte": "le",
    "leq": "le",
    "lessequal": "le",
    "greater": "gt",
    "gte": "ge",
    "geq": "ge",
    "greaterequal": "ge",
    "equal": "eq",
    "equals": "eq",
    "neq": "ne",
    "notequal": "ne",
    "nequal": "ne",
}
_SEMANTICS = {
    "colour": ("color",),
    "color0": ("color",),
    "diffuse": ("color",),
    "col": ("color",),
    "texcoord": ("texcoord0",),
    "texture": ("texcoord0",),
    "texture0": ("texcoord0",),
    "uv": ("texcoord0",),
    "uv0": ("texcoord0",),
    "uv1": ("texcoord1",),
    "tex0": ("texcoord0",),
    "tex1": ("texcoord1",),
    "normal": ("normalquat",),
    "quaternion": ("normalquat",),
    "quat": ("normalquat",),
    "pos0": ("position",),
    "position0": ("position",),
    "gl_position": ("position",),
    "viewdir": ("view",),
    "viewvector": ("view",),
}
_LETTERS = "[xyzwrgbastpq]{1,4}"
_INDEX = r"[\w.]+(?:\s*\+\s*\w+)?"

# Rewritings of operands: (what is there, what is meant). All places of a statement are rewritten together.
_OPERANDS: tuple[tuple[str, str], ...] = (
    (r"\bcc\.(?=[xy]\b)", "cmp."),
    (r"\bnot\s+", "!"),
    (r"!\s+", "!"),
    (r",(?:\s*,)+", ","),
    (r"(?<=\w)\.\s+(?=[-\w])", ", "),
    (r"(?<=[\w\]])\s+\.(?=[A-Za-z])", "."),
    (rf"\b([A-Za-z_]\w*)\(({_INDEX})\)", r"\1[\2]"),
    (rf"\.({_LETTERS})(\[[^\]]*\])", r"\2.\1"),
    (r"((?:^|,)\s*)\+\s*", r"\1"),
    (r"-\s+(?=[A-Za-z_])", "-"),
    (r"\(\s*(-?\w[\w.\[\]+]*)\s*\)", r"\1"),
    (rf"\](?={_LETTERS}\s*(?:,|$))", "]."),
    (r"\b([vrcobi])[oO]\b", r"\g<1>0"),
    (r"\b([vrcobi])[lI]\b", r"\g<1>1"),
    (rf"\[({_INDEX})(?=\s*(?:,|$))", r"[\1]"),
    (rf"\[({_INDEX})\.({_LETTERS})(?=\s*(?:,|$))", r"[\1].\2"),
    (r"^(\d)\s+(?=prim|inv)", r"\1, "),
    (r"(?<=[\w\]])\s*;?\s*\)$", ""),
)
# Rewritings of one place: each place is a reading.
_PLACES: tuple[tuple[str, str], ...] = (
    (rf"(?<=[\w\]])\s*,\s*(?={_LETTERS}\s*(?:,|$))", "."),
    (r"(?<=[\w\]])\s+(?=[-A-Za-z_])", ", "),
)
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_DASHES = str.maketrans(  # what documents have in the place of a minus, a blank and a comma
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys("\u00a0\u2009\u202f", " "),
        "\u200b": "",
        "\uff0c": ",",
        "\u201a": ",",
    }
)
_HEADS: Sequence[tuple[str, str]] = (  # rewritings of what follows a directive with a name
    (r"^(\S+?)\s*(?::=|=|,|:|\bas\b)\s*(\S.*)$", r"\1 \2"),
    (r"^([vorcib]\d+(?:\.\w+)?)\s*,?\s+([A-Za-z_]\w*)$", r"\2 \1"),
    (r"^(\w+)\s+([A-Za-z_]\w*)$", r"\2 \1"),
)


_OF_A_WORD = frozenset(("V019", "V021", "V022", "V037"))  # findings about a word, not about what a source says with it


def meanings(reader: Reader, statement: str) -> list[str]:
    """The statements that one without its labels may be meant to be, the likeliest first; empty if nothing is known of it."""
    if len(statement) > _LONGEST or not _in_place(reader):
        return []
    groups = _directives(reader, statement) if statement[0] == "." else _instructions(reader, statement)
    for group in groups:
        found = [new for new in dict.fromkeys(group) if new != statement and _reads(reader, new)]
        if found:
            return found[:MOST_MEANINGS]
    return []


def explain(reader: Reader, statement: str, problem: Problem) -> None:
    """Give a problem with a statement the edits of what may be meant, and the statement that is read in its place."""
    if (problem.code[0] != "P" and problem.code not in _OF_A_WORD) or problem.code in ("P005", "P007"):  # labels
        return
    found = meanings(reader, statement)
    if not found:
        return
    if problem.replacement is None or _replaced(reader, problem) not in found[:1]:
        problem.fix = f"write `{_shown(found[0])}`"
    problem.edits = _edits(reader, statement, found[0])
    problem.alternatives = tuple(Alternative(f"write `{_shown(new)}`", _edits(reader, statement, new)) for new in found[1:])
    problem.meant = found[0]


def _replaced(reader: Reader, problem: Problem) -> str:
    """The statement that the replacement of a problem gives."""
    span = reader.pointed(problem.message, problem.start, problem.length)
    line, at = reader.line, span.column - 1
    return (line[:at] + (problem.replacement or "") + line[at + span.length :]).partition(";")[0].strip()


def _shown(statement: str) -> str:
    """A statement with single blanks, as a fix has it."""
    return " ".join(statement.split())


# Candidates


def _instructions(reader: Reader, statement: str) -> Iterator[list[str]]:
    """Groups of rewritings of an instruction; those of a group are about the same part."""
    plain = statement.translate(_DASHES)
    if plain != statement:
        yield [plain]
    word, *tail = statement.split(None, 1)
    rest = statement[len(word) :]
    lower = word.lower()
    if lower not in MNEMONICS:
        if lower == "sub":
            yield _subtractions(rest)
        yield [f"{name}{rest}" for name in _MNEMONICS.get(lower, ())]
        if lower in _ENDS and not tail:
            yield [".end"]
        if f".{lower}" in DIRECTIVES or f".{lower}" in _DIRECTIVES:
            yield [f".{word}{rest}"]
        if not tail and is_identifier(word) and _is_target(reader, word):
            yield [f"{word}:"]
        yield [f"{name}{rest}" for name in _near(reader, lower, MNEMONICS)]
        yield [f".{name}{rest}" for name in _near(reader, lower, [name[1:] for name in DIRECTIVES])] if tail else []
        return
    head, rest = statement[: len(statement) - len("".join(tail))], "".join(tail)
    arguments = rest.split(",")
    if lower == "mov" and arguments[0].strip().lower() in ("a0", "a0.x", "a0.y", "a0.xy", "a1"):
        yield [f"mova{head[3:]}{rest}"]
    if lower == "cmp":
        yield from _comparisons(head, arguments)
    yield _named(reader, head, rest)
    for pattern, new in _OPERANDS:
        if re.search(pattern, rest):
            yield [head + re.sub(pattern, new, rest)]
    for pattern, new in _PLACES:
        found = [match for match in re.finditer(pattern, rest) if new != "." or not _is_name(reader, rest[match.end() :])]
        yield [head + rest[: match.start()] + new + rest[match.end() :] for match in found]


def _is_name(reader: Reader, text: str) -> bool:
    """Whether a text begins with a name that is declared."""
    return re.split(r"\W", text, maxsplit=1)[0] in reader.operands.aliases


def _subtractions(rest: str) -> list[str]:
    """A difference as a sum with the last operand negated."""
    first, comma, last = rest.rpartition(",")
    text = last.lstrip()
    lead = last[: len(last) - len(text)]
    return [f"add{first}{comma}{lead}{text[1:] if text.startswith('-') else f'-{text}'}"] if comma else []


def _comparisons(head: str, arguments: Sequence[str]) -> Iterator[list[str]]:
    """Operators of a comparison that are spelt otherwise, or in other places."""
    texts = [text.strip() for text in arguments]
    names = [_COMPARED.get(text.lower(), text) for text in texts]
    if names != texts:
        texts = names
        yield [f"{head}{', '.join(names)}"]
    known = [text for text in texts if text.lower() in COMPARISONS]
    others = [text for text in texts if text.lower() not in COMPARISONS]
    if len(others) == 2 and known and len(known) < 3:
        yield [f"{head}{others[0]}, {known[0]}, {known[-1]}, {others[1]}"]


def _named(reader: Reader, head: str, rest: str) -> list[str]:
    """An operand whose name is not known, as a name that is similar, or one with components."""
    aliases = reader.operands.aliases
    for match in re.finditer(r"(?<![\w.$])[A-Za-z_$][\w$]*", rest):
        name = match[0]
        if name in aliases or (begins_like_register(name) and name[1:].isdigit()):
            continue
        before, after = head + rest[: match.start()], rest[match.end() :]
        found: list[str] = []
        for count in range(1, 5):
            base, letters = name[:-count], name[-count:]
            if re.fullmatch(_LETTERS, letters) and (base in aliases or re.fullmatch(r"[vorc]\d+", base)):
                found.append(f"{before}{base}.{letters}{after}")
        if after[:1] == "." and found:
            found = []
        near = [other for other in aliases if other.lower() == name.lower()] or _near(reader, name, aliases)
        found += [f"{before}{other}{after}" for other in near]
        if found:
            return found
    return []


def _is_target(reader: Reader, name: str) -> bool:
    """Whether the text jumps to a name or calls it."""
    return re.search(rf"\b(?:jmp|call)\w*\b[^;\n]*\b{re.escape(name)}\b", reader.text, re.IGNORECASE) is not None


def _directives(reader: Reader, statement: str) -> Iterator[list[str]]:
    """Groups of rewritings of a directive."""
    plain = statement.translate(_DASHES)
    if plain != statement:
        yield [plain]
    word, *tail = statement.split(None, 1)
    lower, rest = word.lower(), statement[len(word) :]
    if lower not in DIRECTIVES:
        known = _DIRECTIVES.get(lower, ())
        yield [name if name == ".end" else f"{name}{rest}" for name in known]
        yield [f"{name}{rest}" for name in _near(reader, lower, DIRECTIVES)]
        for name in (*known, *_near(reader, lower, DIRECTIVES)):
            for group in _arguments(reader, name, rest.strip()):
                yield [f"{name} {text}" for text in group]
        return
    head = statement[: len(statement) - len("".join(tail))]
    for group in _arguments(reader, lower, "".join(tail)):
        yield [f"{head}{text}" for text in group]


def _arguments(reader: Reader, word: str, rest: str) -> Iterator[list[str]]:
    """Groups of rewritings of the arguments of a directive."""
    if word in (".constf", ".consti", ".setf", ".seti"):
        yield from _constants(rest)
    elif word in (".fvec", ".ivec", ".bool"):
        yield [re.sub(r"\((\d+)\)", r"[\1]", rest)]
        yield [re.sub(r"\[(\d+)\s*(?=,|$)", r"[\1]", rest)]
        yield [re.sub(r"(?<=\w)\s+(?=\d+\s*(?:,|$))", "[", re.sub(r"(?<=\s)(\d+)(?=\s*(?:,|$))", r"\1]", rest))]
        yield [re.sub(r"(?<=[\w\]])\s+(?=[A-Za-z_])", ", ", rest)]
        yield [re.sub(r"^(?:vec4|float4|mat4|int|bool)\s+", "", rest)]
    elif word in (".alias", ".in", ".out"):
        for pattern, new in _HEADS:
            yield [re.sub(pattern, new, rest)]
        if word == ".out":
            yield from _outputs(reader, rest)
    elif word in (".proc", ".entry", ".end", ".else"):
        name = re.match(r"[\w$]*", rest)
        yield [name[0] if name and word in (".proc", ".entry") else ""]


def _constants(rest: str) -> Iterator[list[str]]:
    """A constant with other brackets and signs around its values, or with three values."""
    name = re.match(r"\s*([A-Za-z_$][\w$]*)\s*[=,:]?\s*(?:vec4|float4|vec3|float3)?\s*", rest)
    if name is None:
        return
    inside = re.sub(r"(?<=[\d.])[fF]\b", "", rest[name.end() :])
    if not re.fullmatch(rf"\s*[({{\[<]?\s*{_NUMBER}(?:\s*[,\s]\s*{_NUMBER})*\s*,?\s*[)}}\]>]?\s*", inside):
        return
    values = re.findall(_NUMBER, inside)
    if len(values) == 4:
        yield [f"{name[1]}({', '.join(values)})"]
    elif len(values) == 3:
        yield [f"{name[1]}({', '.join([*values, last])})" for last in ("0.0", "1.0")]
    elif len(values) == 1:
        yield [f"{name[1]}({', '.join(values * 4)})"]


def _outputs(reader: Reader, rest: str) -> Iterator[list[str]]:
    """An output with another word for its property."""
    words = re.match(r"(\S+\s+)([A-Za-z_]\w*)(.*)$", rest)
    if words is None:
        return
    kind = words[2].lower()
    if kind not in SEMANTICS:
        yield [f"{words[1]}{name}{words[3]}" for name in (*_SEMANTICS.get(kind, ()), *_near(reader, kind, SEMANTICS))]


def _near(reader: Reader, name: str, known: Collection[str]) -> list[str]:
    """The known names that are similar to one, the most similar first."""
    if not 0 < len(name) <= LONGEST_NAME or not reader.suggestions.left(known):
        return []
    from difflib import get_close_matches

    reader.suggestions.compared += len(known)
    exchanged = [other for other in known if sorted(other) == sorted(name) and other != name]
    return [*exchanged, *[other for other in get_close_matches(name, known, MOST_MEANINGS) if other not in exchanged]]


# Readings


def _in_place(reader: Reader) -> bool:
    """Whether the line that is read is that of its number in the text: a preprocessor may have counted otherwise."""
    texts = reader.lines
    if texts is None:
        texts = reader.lines = reader.text.split("\n")
    return 0 < reader.number <= len(texts) and texts[reader.number - 1] == reader.line


def _reads(reader: Reader, statement: str) -> bool:
    """Whether a statement reads without a finding in the place of the one at hand."""
    if statement.endswith(":"):
        return statement[:-1] not in reader.labels
    if statement == ".else":
        return len(reader.blocks) > 1
    if statement == ".end":
        return len(reader.blocks) > 1 or (bool(reader.blocks) and not _ends_below(reader))
    if statement[0] == ".":
        return _declares(reader, statement)
    if reader.tries >= MOST_TRIES or not reader.blocks:
        return False
    reader.tries += 1
    return read_as(reader, statement, keep=False)


def _ends_below(reader: Reader) -> bool:
    """Whether an `.end` follows before the next procedure."""
    for line in (reader.lines or [])[reader.number :]:
        word = line.strip()[:5].lower()
        if word in (".end", ".proc"):
            return word == ".end"
    return False


def read_as(reader: Reader, statement: str, *, keep: bool) -> bool:
    """Read an instruction in the place of the statement at hand: whether there is nothing to report. `keep`: it is part of the
    program then; otherwise nothing changes."""
    operands, unit = reader.operands, reader.unit
    word = statement.split(None, 1)[0].lower()
    op = MNEMONICS.get(word)
    if op is None or (op.kind == SETEMIT and (unit is None or not unit.geometry)):
        return False
    line, argument, doubted, offset = reader.line, reader.argument, reader.doubted, reader.offset
    names, suggestions, blocks, count = reader.names, reader.suggestions, list(reader.blocks), len(reader.diagnostics)
    reader.names = operands.names = None
    reader.suggestions = operands.suggestions = Suggestions()
    reader.suggestions.given = MOST_SUGGESTIONS
    reader.line, reader.argument, reader.doubted = line[: _begin(reader)] + statement, -1, False
    try:
        found = reader.instruction(statement)
        clean = not any(each.severity != NOTE for each in reader.diagnostics[count:])
        if keep:
            reader.items.append(reader.as_damaged(found))
    except (Problem, Poisoned):
        clean = False
    del reader.diagnostics[count:]
    reader.line, reader.argument, reader.doubted, reader.offset = line, argument, doubted, offset
    reader.names = operands.names = names
    reader.suggestions = operands.suggestions = suggestions
    if not (keep and clean):
        reader.blocks[:] = blocks
    return clean


def declare_as(reader: Reader, statement: str) -> None:
    """Obey a directive in the place of the statement at hand, without findings."""
    operands, count = reader.operands, len(reader.diagnostics)
    line, names, doubted = reader.line, reader.names, reader.doubted
    reader.names = operands.names = None
    reader.line, reader.argument = line[: _begin(reader)] + statement, -1
    try:
        reader.directive(statement)
    except (Problem, Poisoned):
        reader.argument = -1
    del reader.diagnostics[count:]
    reader.line, reader.argument, reader.doubted = line, -1, doubted
    reader.names = operands.names = names


def _declares(reader: Reader, statement: str) -> bool:
    """Whether a directive reads after the declarations that are above it."""
    from lanewise.pica200.text.picasso.reader import Reader as Another

    if reader.declared_as >= MOST_DECLARATIONS or len(reader.text) > 1 << 16:
        return False
    reader.declared_as += 1
    lines = [line.partition(";")[0].strip() for line in (reader.lines or [])[: reader.number - 1]]
    lines = [line for line in lines if line[:1] == "." and line.split(None, 1)[0].lower() in _ALONE]
    other = Another(compatible=reader.compatible)
    other.declared_as, other.tries = MOST_DECLARATIONS, MOST_TRIES
    other.read(reader.file, "\n".join([*lines, statement, *([".end"] if statement.startswith(".proc") else [])]))
    place = len(lines) + 1
    return not any(each.severity != NOTE and each.span.line == place for each in other.diagnostics)


_ALONE = frozenset(DIRECTIVES) - {".proc", ".end", ".else", ".constfa", ".word", ".symbol"}


# Places


def _begin(reader: Reader) -> int:
    return len(reader.line) - len(reader.line.lstrip()) + reader.labelled


def _edits(reader: Reader, old: str, new: str) -> tuple[Edit, ...]:
    """The edit that makes one statement another: the part in which they differ, from word to word."""
    begin = _begin(reader)
    first = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    last = next(
        (i for i, (a, b) in enumerate(zip(reversed(old[first:]), reversed(new[first:]), strict=False)) if a != b),
        min(len(old), len(new)) - first,
    )
    while first and old[first - 1].isalnum() and old[first - 1].isascii():
        first -= 1
    while last and (old[len(old) - last].isalnum() and old[len(old) - last].isascii()):
        last -= 1
    span: Span = reader.span()
    span = span._replace(column=begin + first + 1, length=len(old) - first - last, text=reader.line.rstrip("\r\n"))
    return (Edit(span, new[first : len(new) - last]),)
