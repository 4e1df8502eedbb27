"""What a statement that cannot be read is meant to be: rewritings by habits and typing errors, each of which is tried.

A rewriting is offered only if the statement reads without a finding then, so that its edit assembles. Asked only about
statements with errors.
"""

from __future__ import annotations

import re

from lanewise.core.diagnostics import NOTE, Alternative, Edit
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.table import ARITHMETIC, COMPARISONS, LOOP, SETEMIT
from lanewise.pica200.text.picasso.arguments import poison
from lanewise.pica200.text.picasso.below import declared_below, once
from lanewise.pica200.text.picasso.directives import DIRECTIVES, SEMANTICS
from lanewise.pica200.text.picasso.faults import MIRRORED
from lanewise.pica200.text.picasso.meant_directives import ENDS, WORDS, declared, rewritten
from lanewise.pica200.text.picasso.operands import ROLES
from lanewise.pica200.text.picasso.reading_as import begin_of, read_as
from lanewise.pica200.text.picasso.syntax import INSTEAD, MNEMONICS, begins_like_register, is_identifier, saturating
from lanewise.pica200.text.rewriting import BRACKETS, DASHES, LETTERS, OPERANDS, PLACES, TYPESET, near, subtractions, typeset

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.core.source import Span
    from lanewise.core.text.problems import Problem
    from lanewise.pica200.text.picasso.reader import Reader

MOST_TRIES = 200  # readings of rewritten statements in a run
MOST_DECLARATIONS = 40  # readings of all declarations of a file
MOST_MEANINGS = 3  # that are offered for one statement
_LONGEST = 400  # characters of a statement that is looked at

# Mnemonics of other languages; the first that reads is the likeliest. Sources: GLSL, HLSL, Direct3D 9, ARB, nihstro.
_MNEMONICS = {
    "dot": ("dp4", "dp3"),
    "dp": ("dp4", "dp3"),
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
    **dict.fromkeys(("ret", "return", "exit", "halt", "hlt", "stop", "quit"), ("end",)),
    **dict.fromkeys(("bl", "jal", "jsr", "bsr", "gosub", "invoke"), ("call",)),
    **dict.fromkeys(("emitvertex", "emit_vertex"), ("emit",)),
    "loop": ("for",),
    "rep": ("for",),
    "repeat": ("for",),
    "if": ("ifc", "ifu"),
    **dict.fromkeys(("jmp", "jump", "goto", "bra"), ("jmpc", "jmpu")),
    **dict.fromkeys(("mova.x", "arl", "arr"), ("mova",)),
    **{f"f{name}": (name,) for name in ("add", "mul", "mad", "min", "max", "mov", "rcp", "cmp")},
    **{f"v{name}": (name,) for name in ("add", "mul", "min", "max", "mov")},
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
_OUTPUTS = (  # names of other languages, and the properties
    (r"\b(?:gl_Position|result\.position|oPos|SV_Position|(?:o|output|OUT)\.[Pp]os(?:ition)?)\b", SEMANTICS["position"]),
    (r"\b(?:gl_FrontColor|gl_FragColor|result\.color(?:\.primary)?|oD0|(?:o|output|OUT)\.[Cc]olou?r)\b", SEMANTICS["color"]),
    (r"\b(?:gl_TexCoord\[0\]|result\.texcoord(?:\[0\])?|oT0|(?:o|output|OUT)\.(?:uv|[Tt]ex\w*))(?!\w)", SEMANTICS["texcoord0"]),
)
_INPUTS = (
    (r"\b(?:gl_Vertex|a_?[Pp]osition|in_?[Pp]os(?:ition)?|vertex\.position)\b", "pos"),
    (r"\b(?:gl_Normal|a_?[Nn]ormal|in_?[Nn]ormal|vertex\.normal)\b", "norm"),
    (r"\b(?:gl_Color|a_?[Cc]olou?r|in_?[Cc]olou?r|vertex\.color)\b", "col"),
    (r"\b(?:gl_MultiTexCoord0|a_?[Tt]ex[Cc]oord0?|in_?[Tt]ex[Cc]oord0?|vertex\.texcoord(?:\[0\])?)(?!\w)", "tex"),
)
_FLAGS = ((r"\bcc\.(?=[xy]\b)", "cmp."),)


_SOURCES = frozenset(("V002", "V003", "V004"))  # findings about sources that an instruction cannot read together
_OF_A_WORD = frozenset(
    ("V012", "V019", "V020", "V021", "V022", "V037")
)  # findings about a word, not about what a source says with it


def meanings(reader: Reader, statement: str) -> list[str]:
    """The statements that one without its labels may be meant to be, the likeliest first; empty if nothing is known of it."""
    spent = reader.declared_as >= MOST_DECLARATIONS if statement[0] == "." else reader.tries >= MOST_TRIES
    if spent or len(statement) > _LONGEST or not _in_place(reader):
        return []
    reader.tries += statement[0] != "."
    if statement[0] == "#":
        groups = _preprocessed(statement)
    else:
        groups = rewritten(reader, statement) if statement[0] == "." else _instructions(reader, statement)
    for group in groups:
        found = [new for new in dict.fromkeys(group) if new.strip() and new != statement and _reads(reader, new)]
        if found:
            return found[:MOST_MEANINGS]
    return []


def explain(reader: Reader, statement: str, problem: Problem) -> None:
    """Give a problem with a statement the edits of what may be meant, and the statement that is read in its place."""
    if problem.code in _SOURCES:
        fix = problem.fix
        if _compose(reader, statement, problem, []) and "NaN" in fix:  # exchanged sources need no copy
            problem.fix += f"; or {fix.partition(', or')[0]}"
    turned = re.fullmatch(r"(mov|flr|rcp|rsq|ex2|lg2)\s+([^,]+?)\s*,\s*([^,]+)", statement) if problem.code == "V011" else None
    if turned is not None and _in_place(reader) and _reads(reader, f"{turned[1]} {turned[3]}, {turned[2]}"):
        problem.fix = f"write `{turned[1]} {turned[3]}, {turned[2]}`: the destination is first; or {problem.fix}"
    if (problem.code[0] != "P" and problem.code not in _OF_A_WORD) or problem.code in (
        "P002",
        "P005",
        "P007",
    ):  # places, labels
        return
    if problem.code == "P025" and declared_below(reader, problem):
        return
    found = meanings(reader, statement)
    if _compose(reader, statement, problem, found):
        return
    if not found:
        budget = reader.tries < MOST_TRIES and reader.declared_as < MOST_DECLARATIONS
        replaced = _replaced(reader, problem) if problem.replacement is not None and budget and _in_place(reader) else ""
        if replaced and replaced.split(None, 1)[0].lower() not in _IN_BLOCKS and not _reads(reader, replaced):
            problem.replacement = None  # there is more to do than that
        once(reader, problem)
        return
    if problem.replacement is None or _replaced(reader, problem) not in found[:1]:
        problem.fix = f"write `{_shown(found[0])}`"
    if found[0][0] == ";":
        problem.fix = "remove it: the `.end` of a procedure returns to where it was called"
    dashes = [each for each in statement if each in TYPESET] if found[0] == statement.translate(DASHES) else []
    if dashes:
        problem.fix += f": {typeset(dashes[0])}"
    problem.edits = _edits(reader, statement, found[0])
    problem.alternatives = tuple(Alternative(f"write `{_shown(new)}`", _edits(reader, statement, new)) for new in found[1:])
    problem.meant = found[0]


def _compose(reader: Reader, statement: str, problem: Problem, found: list[str]) -> bool:
    """Give a problem the instructions that compute what the statement says: not where another word, or a sign less, will do."""
    if found and not re.search(r"[(*/=|{]|[\w\])]\s*[-+]\s*[\w(]|\d\.|^for\b.*\b\d|_(?:sat|abs|bias|bx2|x2|neg)\b", statement):
        return False
    if statement[0] in ".#" or reader.tries >= MOST_TRIES or len(statement) > _LONGEST or not _in_place(reader):
        return False
    from lanewise.pica200.text.picasso.composing import composed, edits, shown

    reader.tries += 1
    new = composed(reader, statement)
    if new is None:
        return False
    begin = begin_of(reader)
    place = reader.span()._replace(column=begin + 1, length=len(statement), text=reader.line.rstrip("\r\n"))
    usage, problem.fix = problem.fix, shown(new)
    problem.edits, problem.replacement = edits(reader, place, new), None
    for name in new.names:  # its uses are right then
        poison(reader, name)
    if new.said and problem.code in ("P001", "P010"):
        problem.message, problem.start, problem.length = new.said, 0, len(statement)
    elif problem.code == "P010" and usage.startswith("write ") and "comma" not in problem.message:
        problem.fix += f"; or add the operand that is missing: {usage[6:]}"
    problem.meant = new.lines[0] if len(new.lines) == 1 and not new.declared else ""
    return True


def _replaced(reader: Reader, problem: Problem) -> str:
    """The statement that the replacement of a problem gives."""
    span = reader.pointed(problem.message, problem.start, problem.length)
    line, at = reader.line, span.column - 1
    return (line[:at] + (problem.replacement or "") + line[at + span.length :])[begin_of(reader) :].partition(";")[0].strip()


def _shown(statement: str) -> str:
    """A statement with single blanks, as a fix has it."""
    return "`, then `".join([" ".join(line.split()) for line in statement.split("\n")])


# Candidates


def _instructions(reader: Reader, statement: str) -> Iterator[list[str]]:
    """Groups of rewritings of an instruction; those of a group are about the same part."""
    plain = statement.translate(DASHES)
    if plain != statement:
        yield [plain]
    word, *tail = statement.split(None, 1)
    rest = statement[len(word) :]
    lower = word.lower()
    if lower not in MNEMONICS:
        if lower in ("sub", "fsub", "vsub"):
            yield subtractions(rest)
        if lower in ("ret", "return") and not tail and reader.blocks and _is_target(reader, reader.blocks[0].name):
            yield [f"; {statement}"]  # `end` would end the shader
        yield declared(statement)
        yield [f"{name}{rest}" for name in _MNEMONICS.get(lower, ())]
        if re.fullmatch(r"\}\s*else\s*\{?", statement, re.IGNORECASE):
            yield [".else"]
        if lower in ENDS and not tail:
            yield [".end"]
        if f".{lower}" in DIRECTIVES or f".{lower}" in WORDS:
            yield [f".{word}{rest}"]
        if not tail and is_identifier(word) and _is_target(reader, word):
            yield [f"{word}:"]
        if lower not in INSTEAD and lower not in _MNEMONICS and not saturating(lower):
            yield [f"{name}{rest}" for name in near(lower, MNEMONICS, reader.suggestions)]
        yield [f".{name}{rest}" for name in near(lower, [name[1:] for name in DIRECTIVES], reader.suggestions)] if tail else []
        return
    if statement != statement.lower():
        yield [statement.lower()]
    head, rest = statement[: len(statement) - len("".join(tail))], "".join(tail)
    arguments = rest.split(",")
    if lower == "mov" and arguments[0].strip().lower() in ("a0", "a0.x", "a0.y", "a0.xy", "a1"):
        yield [f"mova{head[3:]}{rest}"]
    if lower == "cmp":
        yield from _comparisons(head, arguments)
    if lower == "mova":
        yield [f"mov{head[4:]}{rest}"]
        yield [f"{head}{'a0.x' if re.search(r'[.][a-z]$', rest) else 'a0.xy'}, {rest}"] if len(arguments) == 1 and tail else []
    if lower == "mov" and rest[:1] == "-" and len(arguments) == 2:
        source = arguments[1].strip()
        yield [f"{head}{arguments[0][1:]}, {source[1:] if source[:1] == '-' else f'-{source}'}"]
    if MNEMONICS[lower].kind not in (ARITHMETIC, SETEMIT) and tail:
        count = len(MNEMONICS[lower].operands) - MNEMONICS[lower].opens_block
        yield [f"{head}{','.join(arguments[:count])}"] if 0 < count < len(arguments) else []
        yield [f"{head}{arguments[1].strip()}, {arguments[0].strip()}"] if count == len(arguments) == 2 else []
    if MNEMONICS[lower].kind == LOOP:
        yield [f"for {name}" for name in re.findall(r"[A-Za-z_$][\w$]*", rest)]
    for pattern, new in BRACKETS:
        yield [head + re.sub(pattern, new, rest)]
    yield _builtins(reader, head, rest)
    yield _named(reader, head, rest)
    for pattern, new in (*_FLAGS, *OPERANDS):
        if re.search(pattern, rest):
            yield [head + re.sub(pattern, new, rest)]
    for pattern, new in PLACES:
        found = [match for match in re.finditer(pattern, rest) if new != "." or not _is_name(reader, rest[match.end() :])]
        yield [head + rest[: match.start()] + new + rest[match.end() :] for match in found]


def _builtins(reader: Reader, head: str, rest: str) -> list[str]:
    """Operands by the names of other languages: outputs by their properties, inputs by theirs, elements of arrays."""
    aliases, outputs = reader.operands.aliases, reader.unit.outputs if reader.unit else []
    names = {each.semantic: each.name for each in outputs if each.name}
    for pattern, semantic in _OUTPUTS:
        if semantic in names and re.search(pattern, rest):
            return [head + re.sub(pattern, names[semantic], rest)]
    for pattern, part in _INPUTS:
        found = [each.name for each in (reader.unit.inputs if reader.unit else []) if part in each.name.lower()]
        if found and re.search(pattern, rest):
            return [head + re.sub(pattern, found[0], rest)]
    member = re.sub(
        r"\b[A-Za-z_]\w*\.([A-Za-z_]\w{2,})(?![\w(])", lambda found: found[1] if found[1] in aliases else found[0], rest
    )
    element = re.sub(
        r"\b([A-Za-z_]\w*?)\s*[.{<]?\s*(\d+)[}>]?(?![\w\]])",
        lambda found: f"{found[1]}[{found[2]}]" if found[1] in aliases and aliases[found[1]].size > 1 else found[0],
        rest,
    )
    return [head + new for new in (member, element) if new != rest]


def _is_name(reader: Reader, text: str) -> bool:
    """Whether a text begins with a name that is declared."""
    return re.split(r"\W", text, maxsplit=1)[0] in reader.operands.aliases


def _comparisons(head: str, arguments: Sequence[str]) -> Iterator[list[str]]:
    """Operators of a comparison that are spelt otherwise, or in other places."""
    texts = [text.strip() for text in arguments]
    names = [_COMPARED.get(text.lower(), text) for text in texts]
    if names != texts:
        texts = names
        yield [f"{head}{', '.join(names)}"]
    known = [text for text in texts if text.lower() in COMPARISONS] or (["lt"] if len(texts) == 2 else [])
    others = [text for text in texts if text.lower() not in COMPARISONS]
    if len(others) == 2 and known and len(known) < 3:
        (first, second), operators = others, (known[0].lower(), known[-1].lower())
        mirrored = ", ".join([MIRRORED[operator] for operator in operators])
        yield [f"{head}{first}, {', '.join(operators)}, {second}", f"{head}{second}, {mirrored}, {first}"]


def _named(reader: Reader, head: str, rest: str) -> list[str]:
    """An operand whose name is not known, as a name that is similar, or one with components."""
    aliases = reader.operands.aliases
    if not reader.suggestions.left(aliases):
        return []
    for match in re.finditer(r"(?<![\w.$])[A-Za-z_$][\w$]*", rest):
        name = match[0]
        if name in aliases or (begins_like_register(name) and name[1:].isdigit()):
            continue
        before, after = head + rest[: match.start()], rest[match.end() :]
        found: list[str] = []
        for count in range(1, 5):
            base, letters = name[:-count], name[-count:]
            if re.fullmatch(LETTERS, letters) and (base in aliases or re.fullmatch(r"[vorc]\d+", base)):
                found.append(f"{before}{base}.{letters}{after}")
        if after[:1] == "." and found:
            found = []
        others = [other for other in aliases if other.lower() == name.lower()] or near(name, aliases, reader.suggestions)
        others = [other for other in others if _may_be(reader, name, other, after)]
        if len(others) > 1:
            others = _unused_first(reader, others)
        found += [f"{before}{other}{after}" for other in others]
        if found:
            return found
    return []


def _may_be(reader: Reader, name: str, other: str, after: str) -> bool:
    """Whether an unknown name may be a typing error of another: not a word for something else, nor a name with an index of
    what has one register."""
    if name.lower() == other.lower():
        return True
    return not ({name.lower(), other.lower()} <= ROLES or (after[:1] == "[" and reader.operands.aliases[other].size < 2))


def _unused_first(reader: Reader, names: list[str]) -> list[str]:
    """Names in their order, those that only a declaration has first: the statement at hand may be their use."""
    words = re.findall(r"[A-Za-z_$][\w$]*", re.sub(r";[^\n]*", "", reader.text))
    return sorted(names, key=lambda name: words.count(name) > 1)


def _is_target(reader: Reader, name: str) -> bool:
    """Whether the text jumps to a name or calls it."""
    return re.search(rf"\b(?:jmp|call)\w*\b[^;\n]*\b{re.escape(name)}\b", reader.text, re.IGNORECASE) is not None


def _preprocessed(statement: str) -> Iterator[list[str]]:
    """`#define` as the name of a register."""
    name = re.fullmatch(r"#\s*define\s+([A-Za-z_]\w*)\s+(\S+)", statement)
    yield [f".alias {name[1]} {name[2]}"] if name else []


# Readings


def _in_place(reader: Reader) -> bool:
    """Whether the line that is read is that of its number in the text: a preprocessor may have counted otherwise."""
    texts = reader.lines
    if texts is None:
        texts = reader.lines = reader.text.split("\n")
    return 0 < reader.number <= len(texts) and texts[reader.number - 1] == reader.line


def _reads(reader: Reader, statement: str) -> bool:
    """Whether a statement reads without a finding in the place of the one at hand."""
    if statement[0] == ";":
        return True
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


def _declares(reader: Reader, statement: str) -> bool:
    """Whether a directive reads after the declarations that are above it."""
    if reader.declared_as >= MOST_DECLARATIONS or len(reader.text) > 1 << 16:
        return False
    reader.declared_as += 1
    lines = [line.partition(";")[0].strip() for line in (reader.lines or [])[: reader.number - 1]]
    lines = [line for line in lines if line[:1] == "." and line.split(None, 1)[0].lower() in _ALONE]
    other = type(reader)(compatible=reader.compatible)
    other.declared_as, other.tries = MOST_DECLARATIONS, MOST_TRIES
    other.read(reader.file, "\n".join([*lines, statement, *([".end"] if statement.startswith(".proc") else [])]))
    return not any(each.severity != NOTE and each.span.line > len(lines) for each in other.diagnostics)


_IN_BLOCKS = frozenset((".constfa", ".word", ".symbol"))  # directives that do not read by themselves
_ALONE = frozenset(DIRECTIVES) - _IN_BLOCKS - {".proc", ".end", ".else"}


# Places


def _edits(reader: Reader, old: str, new: str) -> tuple[Edit, ...]:
    """The edit that makes one statement another: the part in which they differ, from word to word."""
    begin = begin_of(reader)
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
