"""Directives and declarations as other languages write them, and with typing errors: what they are meant to be.

Asked only about statements with errors; each rewriting is tried by the caller.
"""

from __future__ import annotations

import re

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.problems import Problem
from lanewise.pica200.text.picasso.directive_faults import OUTPUTS
from lanewise.pica200.text.picasso.directives import DIRECTIVES, NORMALS, SEMANTICS
from lanewise.pica200.text.picasso.syntax import MNEMONICS, is_identifier
from lanewise.pica200.text.rewriting import DASHES, HEADS, near, properties

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.pica200.text.picasso.reader import Reader

_TRUTHS = {"yes": "true", "no": "false", "enabled": "true", "disabled": "false", "y": "true", "n": "false"}
_PREPROCESSED = (".include", ".incbin", ".macro", ".endm", ".rept", ".if", ".ifdef", ".ifndef", ".endif")
INSTEAD = {  # directives of other assemblers that have no other word here
    **dict.fromkeys(
        _PREPROCESSED,
        "use the C preprocessor: `#include`, `#define` and `#if`, then `cpp FILE | lanewise asm - -o OUT`",
    ),
    **dict.fromkeys(
        (".version", ".text", ".data", ".bss", ".section", ".global", ".globl", ".extern", ".align", ".org", ".arch", ".cpu"),
        "remove it: a source is one shader, without sections, and procedures are known to all files of a link",
    ),
    **dict.fromkeys((".sampler", ".texture", ".image"), "remove it: shaders of the PICA200 do not read textures"),
    **dict.fromkeys((".vertex", ".vsh", ".vs", ".fragment", ".fsh"), "remove it: a file without `.gsh` is a vertex shader"),
    **dict.fromkeys(
        (".temp", ".local", ".var", ".reg", ".register"), "remove it: r0 to r15 need no declaration; a name is `.alias NAME r0`"
    ),
    **dict.fromkeys((".let", ".set", ".equ"), "write `.alias NAME REGISTER`, or `.constf NAME(x, y, z, w)` for numbers"),
    **dict.fromkeys((".byte", ".long", ".int32", ".ascii", ".string"), "write `.constf NAME(x, y, z, w)`: there is no memory"),
}
ENDS = ("}", "endif", "endloop", "endrep", "endfor", "endproc", "endp", "endfunc", "endwhile", "next", "fi")
WORDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys([f".{word}" for word in ENDS], (".end",)),
    ".vec4": (".fvec",),
    ".float4": (".fvec",),
    ".float": (".fvec",),
    ".vec": (".fvec",),
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
    ".define": (".alias", ".constf"),
    ".name": (".alias",),
    ".geometry": (".gsh",),
    ".start": (".entry",),
    ".vec3": (".fvec",),
    ".vec2": (".fvec",),
    ".param": (".fvec", ".constf"),
    ".equ": (".alias", ".constf"),
    ".set": (".alias", ".constf"),
    ".temp": (".alias",),
    ".local": (".alias",),
    ".var": (".alias",),
}
_ROWS = {  # matrix types of other languages, with the registers of their rows
    ".mat4": 4,
    ".fmat": 4,
    ".fmat4": 4,
    ".fmatrix": 4,
    ".matrix": 4,
    ".mat": 4,
    ".mat3": 3,
    ".mat4x4": 4,
    ".mat3x3": 3,
    ".mat4x3": 3,
    ".mat3x4": 3,
    ".float4x4": 4,
    ".float3x3": 3,
    ".float4x3": 3,
    ".float3x4": 3,
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
    "quaternion": ("normalquat",),
    "quat": ("normalquat",),
    "pos0": ("position",),
    "position0": ("position",),
    "gl_position": ("position",),
    "viewdir": ("view",),
    "viewvector": ("view",),
}

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_TYPE = r"(?:u?int|bool|float|half|double|[iub]?vec|mat|matrix|float|half)\d?(?:x\d)?"
_VALUES = rf"\(\s*({_NUMBER}(?:\s*,\s*{_NUMBER}){{3}})\s*\)"
_OTHERWISE = tuple(  # (directive, its arguments as other languages have them, the line here)
    (word, re.compile(form, re.ASCII), new)
    for word, form, new in (
        (".alias", r"([\w$]+)\s+(o\d+(?:\.[xyzw]+)?)\s*(?:\bas\b|[:=,])?\s*([A-Za-z]\w*)", r".out \1 \3 \2"),
        (".alias", r"([\w$]+)\s*=?\s*result\.(\w+?)(?:\.\w+)?(?:\[0\])?", r".out \1 \2"),
        (".alias", r"([\w$]+)\s*=?\s*(?:vertex|attribute)\.\w+(?:\[\d+\])?", r".in \1"),
        (".alias", rf"([\w$]+)\s+i\d\s*(?:\bas\b|=)?\s*{_VALUES}", r".consti \1(\2)"),
        (".alias", rf"([\w$]+)\s*(?:c\d+)?\s*(?:\bas\b|=)?\s*(?:vec4|float4)?\s*{_VALUES}", r".constf \1(\2)"),
        (".alias", rf"([\w$]+)\s*(?:\bas\b|=)?\s*({_NUMBER})[fF]?", r".constf \1(\2, \2, \2, \2)"),
        (".out", r"([\w$]+)\s+(o\d+(?:\.[xyzw]+)?)\s*(?:\bas\b|[:=,])?\s*([A-Za-z]\w*)", r".out \1 \3 \2"),
        (".out", r"([\w$]+)\s+([A-Za-z]\w*)(?:\s+as\s+|\s*[:=,]\s*)(o\d+(?:\.[xyzw]+)?)", r".out \1 \2 \3"),
    )
)
_FRACTION = re.compile(r"([-+]?\d+(?:\.\d+)?)\s*/\s*(\d+(?:\.\d+)?)")


def rewritten(reader: Reader, statement: str) -> Iterator[list[str]]:
    """Groups of rewritings of a directive."""
    plain = statement.translate(DASHES)
    if plain != statement:
        yield [plain]
    word, *tail = statement.split(None, 1)
    lower, rest = word.lower(), statement[len(word) :]
    if "[" in rest:
        yield [re.sub(r"\s+\[\s*", "[", statement)]
        yield [re.sub(r"\s*\[\d*\]", "", statement)] if lower in (".in", ".out") else []
    if lower in _ROWS and (names := re.findall(r"[A-Za-z_$][\w$]*", re.sub(r"\[.*?\]", "", rest))):
        yield [f".fvec {', '.join([f'{name}[{_ROWS[lower]}]' for name in names])}"]
    span = re.fullmatch(r"\s*([A-Za-z_$][\w$]*)\s+([cib])(\d+)\s*-\s*\2?(\d+)", rest) if lower == ".alias" else None
    if span is not None and int(span[3]) < int(span[4]):  # nihstro's range
        kind = {"c": ".fvec", "i": ".ivec", "b": ".bool"}[span[2]]
        array = f"{kind} {span[1]}[{int(span[4]) - int(span[3]) + 1}]"
        yield [f"{array} {span[2]}{span[3]}"]
        yield [array]
    for directive, form, new in _OTHERWISE:
        other = form.fullmatch(rest.strip()) if directive == lower else None
        if other is not None:
            line = other.expand(new)
            yield [line]
            yield [f".out {text}" for group in _outputs(reader, line[5:]) for text in group] if line[:5] == ".out " else []
    if lower in (".setf", ".seti") and (name := re.match(r"\s*([A-Za-z_$][\w$]*)\s*\(", rest)):
        yield [f".const{lower[-1]}{rest}"] if name[1] not in reader.operands.aliases else []
    placed = re.fullmatch(r"\s*c(\d+)\s*-\s*c?(\d+)\s*,?\s+([A-Za-z_]\w*)", rest) if lower == ".uniform" else None
    if placed is not None and int(placed[1]) <= int(placed[2]):
        yield [f".fvec {placed[3]}[{int(placed[2]) - int(placed[1]) + 1}] c{placed[1]}"]
    if lower not in DIRECTIVES:
        known = WORDS.get(lower, ())
        if lower == ".uniform":
            known = _kinds(reader, rest) or known
        yield [name if name == ".end" else f"{name}{rest}" for name in known]
        close = [] if lower in INSTEAD or lower in WORDS else near(lower, DIRECTIVES, reader.suggestions)
        yield [f"{name}{rest}" for name in close]
        for name in (*known, *close):
            for group in _arguments(reader, name, rest.strip()):
                yield [f"{name} {text}" for text in group]
        return
    head = statement[: len(statement) - len("".join(tail))]
    for group in _arguments(reader, lower, "".join(tail)):
        yield [f"{head}{text}" for text in group]


def unknown_directive(reader: Reader, word: str, rest: str = "") -> Problem:
    """The problem with a directive that the language does not have."""
    near = "" if reader.word in INSTEAD else reader.suggestions.nearest(reader.word, DIRECTIVES)
    fix = f"did you mean {near}?" if near else INSTEAD.get(reader.word) or f"use one of {' '.join(DIRECTIVES)}"
    output = f"{reader.file.split('.')[0] or 'light'}.shbin"
    if reader.word in _PREPROCESSED:
        fix = fix.replace("FILE", reader.file).replace("OUT", output)
    name = rest.strip().strip("\"'<>")
    if reader.word == ".include" and name.lower().endswith(".pica"):
        link = f"`lanewise asm {reader.file} {name} -o {output}`"
        fix = f"link its procedures: begin {name} with `.nodvle`, remove this line, and write {link}; or {fix}"
    return Problem("P003", f"unknown directive '{word}'", fix, 0, len(word), (), near or None)


def _below(reader: Reader) -> str:
    """The text after the line at hand, without comments."""
    return "\n".join([line.partition(";")[0] for line in (reader.lines or [])[reader.number :]])


def _exchanged(reader: Reader, rest: str) -> bool:
    """Whether the second word of a declaration is a name that is used below, and the first is not."""
    return [_used(reader, word) for word in rest.split()[:2]] == [False, True]


def _used(reader: Reader, word: str) -> bool:
    """Whether a name is used below the line at hand."""
    return re.search(rf"(?<![\w.]){re.escape(word)}\b", _below(reader)) is not None


def _kinds(reader: Reader, rest: str) -> tuple[str, ...]:
    """The directive for uniforms as their names are used below; empty if they are not."""
    below = _below(reader)
    for name in re.findall(r"[A-Za-z_]\w*", rest):
        use = re.search(rf"^[^;\n]*?\b(\w+)\s[^;\n]*(?<![\w.]){name}\b", below, re.MULTILINE)
        if use is not None:
            word = use[1].lower()
            op = MNEMONICS.get(word)
            kinds = op.operands if op is not None else ()
            return (".ivec",) if "int" in kinds else (".bool",) if "bool" in kinds else (".fvec",)
    return ()


def _arguments(reader: Reader, word: str, rest: str) -> Iterator[list[str]]:
    """Groups of rewritings of the arguments of a directive."""
    if word in (".constf", ".consti", ".setf", ".seti"):
        name = re.match(r"[A-Za-z_$][\w$]*", rest)
        if word[:4] == ".set" and name is not None and name[0] not in reader.operands.aliases:
            return  # of a constant: `.const`
        after = reader.line.partition(";")
        listed = re.fullmatch(rf"[^()]*\(\s*{_NUMBER}(?:\s*;\s*{_NUMBER})+\s*\)?\s*", reader.line.strip())
        yield from _constants(word, rest + re.sub(";", ",", after[1] + after[2]).rstrip() if listed else rest)
    elif word == ".setb":
        words = re.findall(r"[\w.\[\]$]+", rest)
        yield [f"{words[0]} {_TRUTHS.get(words[1].lower(), words[1])}"] if len(words) == 2 else []
    elif word in (".fvec", ".ivec", ".bool"):
        yield from _uniforms(reader, word, rest)
    elif word in (".alias", ".in", ".out"):
        exchanged = word != ".out" or _exchanged(reader, rest)
        typed = re.sub(rf"^{_TYPE}\s+(?=[A-Za-z_])", "", rest)
        yield [typed] if typed != rest else []
        if word == ".in":
            semantic = re.fullmatch(r"([\w$]+)\s*:?\s*[A-Z]+\d?", rest)
            yield [semantic[1]] if semantic is not None else []
            names = [each for each in re.split(r"[\s,]+", rest) if each]
            yield [re.sub(r"\.[xyzwrgba]{1,4}\b", "", rest)]
            yield ["\n.in ".join(names)] if len(names) > 1 and all(map(is_identifier, names)) else []
        if word == ".out":
            yield from _masks(reader, rest)
        if not exchanged:
            yield from _outputs(reader, rest)
        for pattern, new in HEADS if exchanged else HEADS[:1]:
            yield [re.sub(pattern, new, rest)]
    elif word in (".proc", ".entry", ".end", ".else"):
        name = re.match(r"[\w$]*", rest)
        yield [name[0] if name and word in (".proc", ".entry") else ""]


def _uniforms(reader: Reader, word: str, rest: str) -> Iterator[list[str]]:
    """Uniforms with types, sizes and values as other languages have them."""
    rows = re.match(r"(mat\w*|float\dx\d)\s+([A-Za-z_]\w*)$", rest)
    yield [f"{rows[2]}[{_ROWS[f'.{rows[1]}']}]"] if rows and f".{rows[1]}" in _ROWS else []
    typed = re.sub(rf"^{_TYPE}\s+(?=[A-Za-z_])", "", rest)
    yield [typed] if typed != rest else []
    valued = re.fullmatch(r"([A-Za-z_$][\w$]*)\s*(?:=|\s|(?=\())\s*\(?\s*([-\w.,\s]*?)\s*\)?", rest)
    if valued is not None and word == ".bool" and valued[2].lower() in ("true", "false", "on", "off", "1", "0"):
        yield [f"{valued[1]}\n.setb {valued[1]} {valued[2]}"]
    yield [re.sub(r"\((\d+)\)", r"[\1]", rest)]
    yield [re.sub(r"\[(\d+)\s*(?=,|$)", r"[\1]", rest)]
    yield [re.sub(r"(?<=\w)\s+(\d+)(?=\s*(?:,|$))", r"[\1]", rest)]
    yield [re.sub(r"\[(0[xX][0-9a-fA-F]+)\]", lambda size: f"[{int(size[1], 16)}]", rest)]
    yield [re.sub(r"\[(\d+)\]\s*\[(\d+)\]", lambda size: f"[{int(size[1]) * int(size[2])}]", rest)]
    yield [re.sub(r"(?<=[\w\]])\s+(?=[A-Za-z_])", ", ", rest)]
    yield [re.sub(r"(?<=\w)-(?=\w)", "_", rest)]
    yield [re.sub(r"(?<=\w)\.[xyzwrgba]{1,4}\b", "", rest)]
    yield [re.sub(r"(?<![\w$])(\d+)([A-Za-z_]\w*)", r"\2\1", rest)]


def _masks(reader: Reader, rest: str) -> Iterator[list[str]]:
    """Outputs with their mask, property, register or name in another place."""
    yield [re.sub(r"^([\w$]+)(\.\w+)\s+(\w+)", r"\1 \3\2", rest)]
    yield [re.sub(r"\s+([xyzw]{1,4}|[rgba]{1,4})$", r".\1", rest)]
    words = rest.split()
    named = len(words) == 2 and words[0].lower() in SEMANTICS and words[1].lower() not in SEMANTICS
    if named and not _used(reader, words[0]):
        yield [f"{words[1]} {words[0]}"]
    if len(words) == 2 and re.fullmatch(r"o\d+", words[0]) and words[1].lower() in SEMANTICS:
        yield [f"out{words[1].lower()} {words[1]} {words[0]}"]
    if len(words) == 1 and words[0].lower() in SEMANTICS:
        yield [f"out{words[0].lower()} {words[0]}"]
    elif len(words) == 1:
        yield [f"{words[0]} {kind}" for kind in properties(words[0])]


def _constants(word: str, rest: str) -> Iterator[list[str]]:
    """A constant with other brackets and signs around its values, or with fewer."""
    name = re.match(r"\s*([A-Za-z_$][\w$]*)\s*[=,:]?\s*(?:vec4|float4|vec3|float3)?\s*", rest)
    if name is None:
        return
    inside = re.sub(r"(?<=[\d.])[fF]\b", "", rest[name.end() :])
    inside = _FRACTION.sub(lambda part: f"{float(part[1]) / float(part[2]):.9g}" if float(part[2]) else part[0], inside)
    inside = re.sub(r"\b(?:M_)?PI\b", "3.14159265", inside, flags=re.IGNORECASE)
    if not re.fullmatch(rf"\s*[({{\[<]?\s*{_NUMBER}(?:\s*[,\s]\s*{_NUMBER})*\s*,?\s*[)}}\]>]?\s*", inside):
        return
    values = re.findall(_NUMBER, inside)
    if len(values) == 4:
        yield [f"{name[1]}({', '.join(values)})"]
    elif word in (".consti", ".seti"):
        rounds = int(values[0]) if len(values) == 1 and values[0].isdigit() else 0
        padded = [*values, *("0", "1", "0")[len(values) - 1 :]]
        yield [f"{name[1]}({', '.join([first, *padded[1:]])})" for first in ([str(rounds - 1)] if rounds else []) + values[:1]]
    elif len(values) == 3:
        yield [f"{name[1]}({', '.join([*values, last])})" for last in ("0.0", "1.0")]
    elif len(values) == 2:
        yield [f"{name[1]}({', '.join([*values, '0.0', '0.0'])})"]
    elif len(values) == 1:
        yield [f"{name[1]}({', '.join(values * 4)})"]


def _outputs(reader: Reader, rest: str) -> Iterator[list[str]]:
    """An output with another word for its property."""
    words = re.match(r"(\S+\s+)([A-Za-z_]\w*)(.*)$", rest)
    if words is None:
        return
    kind = words[2].lower()
    if kind not in SEMANTICS and kind not in NORMALS and kind not in OUTPUTS:
        names = (*_SEMANTICS.get(kind, ()), *near(kind, SEMANTICS, reader.suggestions))
        yield [f"{words[1]}{name}{words[3]}" for name in names]


# Declarations of languages in which they begin with a word

_QUALIFIED = re.compile(
    rf"(?:layout\s*\([^)]*\)\s*)?(uniform|attribute|varying|in|out|const|static\s+const)\s+"
    rf"(?:(?:low|medium|high)p\s+)?({_TYPE})\s+([A-Za-z_]\w*)\s*(?:\[(\d+)\])?\s*(?:=\s*(.*?))?\s*;?",
    re.ASCII,
)
_LINES = (  # lines of assemblers and of C, and what they are here
    (re.compile(r"def\s+(c\d+)\s*,\s*(.*)", re.IGNORECASE), r".setf \1(\2)"),
    (re.compile(r"defi\s+(i\d)\s*,\s*(.*)", re.IGNORECASE), r".seti \1(\2)"),
    (re.compile(r"defb\s+(b\d+)\s*,\s*(\w+)", re.IGNORECASE), r".setb \1 \2"),
    (re.compile(r"dcl_(\w+)\s+(v\d+)(?:\.\w+)?", re.IGNORECASE), r".in \1 \2"),
    (re.compile(r"PARAM\s+(\w+)\s*=?\s*(?:state\.matrix\.\w+.*)"), r".fvec \1[4]"),
    (re.compile(r"PARAM\s+(\w+)\s*\[\s*(\d+)\s*\]\s*=.*"), r".fvec \1[\2]"),
    (re.compile(rf"PARAM\s+(\w+)\s*=\s*\{{\s*({_NUMBER}(?:\s*,\s*{_NUMBER}){{3}})\s*\}}"), r".constf \1(\2)"),
    (re.compile(r"PARAM\s+(\w+)\s*=\s*(?:program|state)\..*"), r".fvec \1"),
    (re.compile(r"ATTRIB\s+(\w+)\s*=\s*vertex\..*"), r".in \1"),
    (re.compile(r"OUTPUT\s+(\w+)\s*=\s*result\.(position|color)(?:\.\w+)*"), r".out \1 \2"),
    (re.compile(r"OUTPUT\s+(\w+)\s*=\s*result\.texcoord\[([0-2])\]"), r".out \1 texcoord\2"),
    (re.compile(r"OUTPUT\s+(\w+)\s*=\s*result\.texcoord"), r".out \1 texcoord0"),
    (re.compile(r"ALIAS\s+(\w+)\s*=\s*(\w+)"), r".alias \1 \2"),
    (re.compile(r"(?:void|proc|func|function|def|sub)?\s*(main)\s*(?:\(\s*(?:void)?\s*\))?\s*[:{]?"), r".proc \1"),
    (re.compile(r"(?:void|proc|func|function|def|sub)\s+([A-Za-z_]\w*)\s*\(\s*(?:void)?\s*\)\s*[:{]?"), r".proc \1"),
)


def declared(statement: str) -> list[str]:
    """The directives that a declaration of another language is; empty for other statements."""
    found = _QUALIFIED.fullmatch(statement)
    if found is None:
        return [row.expand(new) for pattern, new in _LINES for row in [pattern.fullmatch(statement)] if row is not None]
    word, kind, name, size, value = found.groups()
    if word in ("attribute", "in"):
        return [f".in {name}"]
    if word in ("varying", "out"):
        return [f".out {name} {kind}" for kind in properties(name)]
    if word != "uniform":
        return [f".constf {new}" for group in _constants(".constf", f"{name} {value}") for new in group] if value else []
    rows = next((count for each, count in _ROWS.items() if each[1:] == kind), 1) * int(size or 1)
    directive = ".bool" if kind.startswith("b") else ".ivec" if kind.startswith(("i", "u")) else ".fvec"
    return [f"{directive} {name}[{rows}]" if rows > 1 else f"{directive} {name}"]
