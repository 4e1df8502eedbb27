"""Completion and signatures of Direct3D 9 sources."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lanewise.core.editor import Completion, Signature
from lanewise.core.occurrences import DIRECTIVE, INSTRUCTION, MACRO, MODIFIER, REGISTER
from lanewise.core.text.cursor import begins, cursor_at
from lanewise.direct3d9.api.editor.analysing import State
from lanewise.direct3d9.api.editor.describing import DIRECTIVES, describe, symbol_of
from lanewise.direct3d9.api.services.reference import op_page
from lanewise.direct3d9.check.context import AnalysisContext
from lanewise.direct3d9.check.register_rules import limit_of
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.operands import FLOAT
from lanewise.direct3d9.isa.program import Shader
from lanewise.direct3d9.isa.table import (
    BY_VERSION_NAME,
    DECLARATION,
    SAMPLER_TYPES,
    USAGES,
    Version,
    column_of_files,
    exists,
    find_version,
    has,
    operand_names,
    sources_in,
)
from lanewise.direct3d9.text.lexer import NAME, STOP, Lexer, Line, Token
from lanewise.direct3d9.text.names import MNEMONICS, RESULTS, SHIFTS, SUFFIXES, find_register, mnemonic_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.core.editor import Analysis
    from lanewise.core.occurrences import Occurrence
    from lanewise.core.text.cursor import Cursor
    from lanewise.direct3d9.isa.operands import Files
    from lanewise.direct3d9.isa.table import Op

_SELECTIONS = ("x", "y", "z", "w", "xy", "xyz", "xyzw")
_MOST_LISTED = 32  # registers of a file
_DECLARE = next(op for op in isa.OPS if op.role == DECLARATION)
_PREFIXES = {"oPos": "oPos", "oDepth": "oDepth", "aL": "aL", "vPos": "vPos"}  # files that are one register


class _Place:
    """The part of a statement before the cursor: the instruction, the number of the operand, and the tokens of the line."""

    def __init__(self, cursor: Cursor, opened: bool) -> None:
        lexer = Lexer()
        if opened:
            lexer.opened = Token(kind=STOP, text="/*", line=Line("", 0, ""), column=1, length=2)
        self.tokens = lexer.tokens(Line(cursor.file, cursor.line, cursor.before))
        code = cursor.before
        self.comment = lexer.opened is not None or ";" in code or "//" in code
        at = next((n for n, token in enumerate(self.tokens) if token.kind == NAME), -1)
        if self.tokens and self.tokens[0].text == "(":
            close = next((n for n, token in enumerate(self.tokens) if token.text == ")"), -1)
            at = close + 1 if 0 <= close < len(self.tokens) - 1 else -1
        self.head = self.tokens[at] if at >= 0 else None
        self.rest = self.tokens[at + 1 :] if at >= 0 else []
        behind = self.head is not None and (bool(self.rest) or cursor.before[-1:].isspace())
        self.operand = self._commas() if behind else -1

    def _commas(self) -> int:
        depth = count = 0
        for token in self.rest:
            depth += (token.text in ("[", "(")) - (token.text in ("]", ")"))
            count += token.text == "," and depth <= 0
        return count


def _open_comment(text: str, line: int) -> bool:
    """Whether a block comment is open at the beginning of a line."""
    lexer = Lexer()
    if "/*" not in text:
        return False
    for number, one in enumerate(text.split("\n")[: line - 1], 1):
        lexer.tokens(Line("", number, one))
    return lexer.opened is not None


def complete(analysis: Analysis, file: str, text: str, line: int, column: int) -> list[Completion]:
    """The completions at a place."""
    cursor = cursor_at(file, text, line, column)
    version = _version(analysis, text)
    stripped = cursor.before.lstrip()
    if stripped.startswith("#"):
        return list(_preprocessor(analysis, cursor, stripped))
    if version is None:
        word = cursor.word(".")
        return [
            Completion(
                text=name,
                kind=DIRECTIVE,
                span=cursor.span(len(word)),
                detail=f"{'vertex' if name[0] == 'v' else 'pixel'} shader",
            )
            for name in begins(word, BY_VERSION_NAME)
        ]
    place = _Place(cursor, _open_comment(text, cursor.line))
    if place.comment:
        return []
    if place.operand < 0:
        return list(_heads(analysis, cursor, version))
    if place.head is None:
        return []
    op = _op(place.head.text)
    return list(_operand(analysis, cursor, version, op, place)) if op is not None else []


def signature(analysis: Analysis, file: str, text: str, line: int, column: int) -> Signature | None:
    """The operands of the instruction at a place, in the version of the source."""
    cursor = cursor_at(file, text, line, column)
    version = _version(analysis, text)
    place = _Place(cursor, _open_comment(text, cursor.line))
    if version is None or place.comment or place.head is None or place.operand < 0:
        return None
    op = _op(place.head.text)
    if op is None:
        return None
    about = [_files_text(op.dest.files, version)] if op.dest is not None else []
    about += [f"{kind.name}: {_files_text(kind.files, version)}" for kind in sources_in(op, version)]
    parts = list(zip(operand_names(op, version), about, strict=True))
    if op.role != DECLARATION and op.payload:
        number = (
            "a decimal number, or its bits as 0x and 8 digits"
            if op.dest == FLOAT
            else "an integer"
            if op.payload > 1
            else "true or false"
        )
        parts += [(name, number) for name in ("x", "y", "z", "w")[: op.payload]]
    if not has(op, version) or not parts:
        return None
    label = f"{place.head.text.lower()} {', '.join([name for name, _ in parts])}"
    return Signature(label, tuple(parts), place.operand, partial(op_page, op))


def _version(analysis: Analysis, text: str) -> Version | None:
    """The version of a source, also of one that has changed."""
    state = analysis.state
    if isinstance(state, State):
        return state.version
    if isinstance(state, Version):
        return state
    for line in text.split("\n"):
        words = line.split()
        if words and not words[0].startswith((";", "//", "#")):
            return find_version(words[0])
    return None


def _op(head: str) -> Op | None:
    name = head.lower()
    if name.partition("_")[0] == _DECLARE.name:
        return _DECLARE
    parts = name.split("_")
    found = MNEMONICS.get("_".join(parts[:2])) or MNEMONICS.get(parts[0])
    return found.op if found is not None else None


def _files_text(files: Files, version: Version) -> str:
    """The registers that an operand may be."""
    names = files[column_of_files(version)].split()
    return ", ".join([name if name in _PREFIXES else f"{name}#" for name in names]) or "none in this version"


def _heads(analysis: Analysis, cursor: Cursor, version: Version) -> Iterator[Completion]:
    """Instructions that the version has, declarations, directives, macros."""
    word = cursor.word()
    dotted = cursor.before[: len(cursor.before) - len(word)].endswith(".")
    if dotted:
        for name in begins(f".{word}", [name for name in DIRECTIVES if name.startswith(".")]):
            yield Completion(text=name, kind=DIRECTIVE, span=cursor.span(len(word) + 1), detail=DIRECTIVES[name][1])
        return
    span = cursor.span(len(word))
    names = [
        name for name, one in MNEMONICS.items() if has(one.op, version) and mnemonic_of(one.op, one.control, version) == name
    ]
    for name in begins(word, names):
        op = MNEMONICS[name].op
        yield Completion(
            text=name,
            kind=INSTRUCTION,
            span=span,
            detail=_detail(op, version),
            about=partial(op_page, op),
            snippet=_snippet(op, name, version),
            order=int("_" in name),
        )
    base, underline, _ = word.lower().rpartition("_")
    if underline and base in names and MNEMONICS[base].op.dest is not None:
        kinds = [*RESULTS] + ([*SHIFTS] if version.kind == isa.PIXEL and version.major < 2 else [])
        for name in begins(word, [f"{base}_{kind}" for kind in kinds if _modifies(kind, version)]):
            yield Completion(text=name, kind=INSTRUCTION, span=span, detail="a modifier of the result", order=2)
    op = _DECLARE
    if has(op, version):
        bare = version.kind == isa.PIXEL and version.major == 2
        usages = () if bare else USAGES
        samplers = SAMPLER_TYPES[2:] if exists(version, isa.SAMPLER) else ()
        for kind in usages:
            for name in begins(word, (f"{op.name}_{kind}",)):
                yield Completion(
                    text=name,
                    kind=INSTRUCTION,
                    span=span,
                    detail="declare a register with its usage",
                    about=partial(op_page, op),
                    snippet=f"{name}${{1:}} ${{2:v0}}",
                    order=1,
                )
        for kind in samplers:
            for name in begins(word, (f"{op.name}_{kind}",)):
                yield Completion(
                    text=name,
                    kind=INSTRUCTION,
                    span=span,
                    detail="declare a sampler",
                    about=partial(op_page, op),
                    snippet=f"{name} ${{1:s0}}",
                    order=1,
                )
        for name in begins(word, (op.name,) if bare else ()):
            yield Completion(
                text=name,
                kind=INSTRUCTION,
                span=span,
                detail="declare a texture coordinate or colour",
                about=partial(op_page, op),
                snippet=f"{op.name} ${{1:t0}}",
                order=1,
            )
    yield from _macros(analysis, cursor, word)


def _modifies(kind: str, version: Version) -> bool:
    if kind == "sat":
        return version.kind == isa.PIXEL or version.major >= 3
    return version.kind == isa.PIXEL and (version.major >= 2 or kind not in RESULTS) and kind != "centroid"


def _detail(op: Op, version: Version) -> str:
    kinds = [*([op.dest] if op.dest is not None else []), *sources_in(op, version)]
    return ", ".join([kind.name for kind in kinds])


def _snippet(op: Op, name: str, version: Version) -> str:
    """An instruction with places for its operands, and the end of the block that it opens."""
    kinds = [*([op.dest] if op.dest is not None else []), *sources_in(op, version)]
    places: list[str] = []
    for n, kind in enumerate(kinds, 1):
        files = kind.files[column_of_files(version)].split()
        first = files[0] if files else "r"
        places.append(f"${{{n}:{first if first in _PREFIXES else f'{first}0'}}}")
    places += [f"${{{len(kinds) + n}:{'0.0' if op.dest == FLOAT else '0'}}}" for n in range(1, op.payload + 1)]
    line = f"{name} {', '.join(places)}".strip()
    if op.part == isa.OPENS:
        closer = next((one.name for one in isa.OPS if one.part == isa.CLOSES and one.block == op.block), "")
        return f"{line}\n    $0\n{closer}"
    return line if places else ""


def _operand(analysis: Analysis, cursor: Cursor, version: Version, op: Op, place: _Place) -> Iterator[Completion]:
    """Registers that an operand may be, those of the source first; components after a dot; modifiers after `_`."""
    kinds = [*([op.dest] if op.dest is not None else []), *sources_in(op, version)]
    if place.operand >= len(kinds):
        return
    word = cursor.word()
    before = cursor.before[: len(cursor.before) - len(word)]
    writes = place.operand == 0 and op.dest is not None
    span = cursor.span(len(word))
    if before.endswith("."):
        for letters in begins(word, _SELECTIONS):
            yield Completion(text=letters, kind=MODIFIER, span=span, order=len(letters))
        return
    register, underline, _ = word.rpartition("_")
    if underline and not writes and find_register(version, register) is not None:
        for name in begins(word, [f"{register}_{suffix}" for suffix in SUFFIXES if suffix and _reads_as(suffix, version)]):
            yield Completion(text=name, kind=REGISTER, span=span, detail="a modifier of the source")
        return
    context = (
        analysis.state.context if isinstance(analysis.state, State) else AnalysisContext(Shader(version=version, items=()))
    )
    files = kinds[place.operand].files[column_of_files(version)].split()
    if "[" in before[before.rfind(",") + 1 :]:
        files = ["a", "aL"] if version.kind == isa.VERTEX else ["aL"]
    used = {one.register: one for one in analysis.occurrences if one.register and one.kind != MACRO}
    for name in begins(word, dict.fromkeys([*_of_files(used, files, version), *_registers(context, files)])):
        detail = _about(used, name) or _symbol(analysis, version, name)
        yield Completion(
            text=name,
            kind=REGISTER,
            span=span,
            detail=detail,
            about=_page(analysis, used.get(name)),
            order=int(name not in used),
        )
    if "c" in files and version.kind == isa.VERTEX and not writes and not word:
        yield Completion(
            text="c[a0.x]",
            kind=REGISTER,
            span=span,
            detail="a constant by an address register",
            snippet="c[a0.${1:x}+${2:0}]",
            order=2,
        )
    yield from _macros(analysis, cursor, word)


def _reads_as(suffix: str, version: Version) -> bool:
    if SUFFIXES[suffix] == isa.ABS:
        return version.major >= 3
    return version.kind == isa.PIXEL and version.major < 2 and (suffix in ("bias", "bx2") or version.order == (1, 4))


def _page(analysis: Analysis, one: Occurrence | None):
    return partial(describe, analysis, one) if one is not None else None


def _of_files(names: dict[str, Occurrence], files: Sequence[str], version: Version) -> list[str]:
    """Of the registers of a source, those in some files."""
    wanted = {
        found[0]
        for letter in files
        if (found := find_register(version, letter if letter in _PREFIXES else f"{letter}0")) is not None
    }
    return [name for name in names if (found := find_register(version, name)) is not None and found[0] in wanted]


def _registers(context: AnalysisContext, files: Sequence[str]) -> Iterator[str]:
    for letter in files:
        if letter in _PREFIXES:
            yield letter
            continue
        found = find_register(context.version, f"{letter}0")
        limit = limit_of(context, found[0]) if found is not None else 0
        for number in range(min(_MOST_LISTED, limit if limit is not None else _MOST_LISTED)):
            yield f"{letter}{number}"


def _about(used: dict[str, Occurrence], name: str) -> str:
    """The line that declares a register."""
    one = used.get(name)
    return one.span.text.split(";")[0].split("//")[0].strip() if one is not None and one.definition else ""


def _symbol(analysis: Analysis, version: Version, name: str) -> str:
    """The name of a register in the constant table."""
    found = find_register(version, name)
    if found is None or found[1] is None or not isinstance(analysis.state, State):
        return ""
    return symbol_of(analysis.state, found[0], found[1])


def _macros(analysis: Analysis, cursor: Cursor, word: str) -> Iterator[Completion]:
    defined = {one.name: one for one in analysis.occurrences if one.kind == MACRO and one.definition}
    for name in begins(word, defined):
        one = defined[name]
        if one.span.line != cursor.line or one.span.file != cursor.file:
            yield Completion(
                text=name,
                kind=MACRO,
                span=cursor.span(len(word)),
                detail=one.span.text.strip(),
                about=partial(describe, analysis, one),
                order=1,
            )


def _preprocessor(analysis: Analysis, cursor: Cursor, stripped: str) -> Iterator[Completion]:
    """Directives after `#`, and names after those that take one."""
    word = cursor.word()
    head, blank, _ = stripped[1:].lstrip().partition(" ")
    if not blank:
        for name in begins(f"#{word}", [name for name in DIRECTIVES if name.startswith("#")]):
            snippet = {"#include": '#include "${1:file}"', "#define": "#define ${1:NAME} ${2:c0}"}.get(name, "")
            length = len(word) + 1 if cursor.before.endswith(f"#{word}") else len(word)
            yield Completion(
                text=name if length > len(word) else name[1:],
                kind=DIRECTIVE,
                span=cursor.span(length),
                detail=DIRECTIVES[name][1],
                about=None,
                snippet=snippet if length > len(word) else "",
            )
    elif f"#{head.lower()}" in ("#ifdef", "#ifndef", "#undef", "#if", "#elif"):
        yield from _macros(analysis, cursor, word)
