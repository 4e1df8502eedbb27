"""Habits of people who write shaders for the PICA200: one token of a correct source is changed as each of them has it.

A kind says where it is seen, and whether what it leaves is enough to tell what was there. These marks were set before the
measure of `advice.py` was first run.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

PICASSO, NIHSTRO = "picasso", "nihstro"
BOTH = (PICASSO, NIHSTRO)
Change = tuple[int, int, str]  # of a text: first character, character after the last, what is there instead


class Habit(NamedTuple):
    """A kind of mistake."""

    name: str
    "What is written."
    languages: tuple[str, ...]
    "Languages that it is seen in."
    enough: bool
    "What it leaves says what was there."
    source: str
    "Where it is from."
    places: Callable[[str, str], Iterator[Change]]
    "The changes of a text in a language that are this mistake."


class Mistake(NamedTuple):
    """A text with one mistake."""

    text: str
    "The whole source."
    line: int
    "Line of the change, from 1."
    was: str
    "What was there."
    now: str
    "What is there."


def mistake(habit: Habit, text: str, language: str, rng: random.Random) -> Mistake | None:
    """The text with one mistake of a kind in a place that is drawn; None where it has no place for it."""
    places = list(habit.places(text, language))
    if not places:
        return None
    start, end, new = rng.choice(places)
    line = text.count("\n", 0, start) + 1
    return Mistake(text=text[:start] + new + text[end:], line=line, was=text[start:end], now=new)


# Places


def _lines(text: str, language: str) -> Iterator[tuple[int, str]]:
    """Each line without its comment, and where it begins."""
    at = 0
    for line in text.split("\n"):
        code = line.rstrip("\r").partition(";")[0]
        if language == NIHSTRO:
            code = code.partition("//")[0].partition("#")[0]
        elif code.lstrip().startswith("#"):
            code = ""
        yield at, code.rstrip()
        at += len(line) + 1


def _found(pattern: str, new: str | Callable[[re.Match[str]], str]) -> Callable[[str, str], Iterator[Change]]:
    """Each match of a pattern in the code of a line; group 1 is what changes, where there is one."""
    expression = re.compile(pattern)

    def places(text: str, language: str) -> Iterator[Change]:
        for at, code in _lines(text, language):
            for match in expression.finditer(code):
                group = 1 if expression.groups else 0
                made = new(match) if callable(new) else match.expand(new)
                if made != match[group]:
                    yield at + match.start(group), at + match.end(group), made

    return places


def _either(*parts: Callable[[str, str], Iterator[Change]]) -> Callable[[str, str], Iterator[Change]]:
    def places(text: str, language: str) -> Iterator[Change]:
        for part in parts:
            yield from part(text, language)

    return places


_OPS = r"(?:mov|add|mul|mad|dp3|dp4|dph|max|min|rcp|rsq|flr|slt|sge|ex2|lg2|mova|cmp)"
_HEAD = rf"^\s*(?:\w+:\s*)?{_OPS}\b"
_REGISTER = r"(?<![\w.])[vorc]\d+\b"


def _names(text: str, language: str) -> set[str]:
    """Names of registers, constants and uniforms of at least four letters that a source declares."""
    found: set[str] = set()
    for _, code in _lines(text, language):
        match = re.match(r"\s*\.(?:alias|fvec|in|out|constf|bool|ivec|consti)\s+(.*)", code)
        if match:
            listed = match[1].split(",") if re.match(r"\s*\.(?:fvec|bool|ivec)", code) else [match[1]]
            found |= {m[1] for each in listed if (m := re.match(r"\s*([A-Za-z_]\w{3,})", each))}
    return found


def _name_used(change: Callable[[str], str]) -> Callable[[str, str], Iterator[Change]]:
    """A declared name where an instruction uses it, spelt otherwise; not as another declared name."""

    def places(text: str, language: str) -> Iterator[Change]:
        names = _names(text, language)
        for at, code in _lines(text, language):
            if not re.match(_HEAD, code):
                continue
            for match in re.finditer(r"(?<![\w.])[A-Za-z_]\w*", code):
                name = match[0]
                if name in names and change(name) != name and change(name) not in names:
                    yield at + match.start(), at + match.end(), change(name)

    return places


def _transposed(word: str) -> str:
    """Two neighbours exchanged, in the middle."""
    middle = max(0, len(word) // 2 - 1)
    return word[:middle] + word[middle + 1] + word[middle] + word[middle + 2 :] if len(word) > 1 else word


def _doubled(word: str) -> str:
    return word + word[-1]


def _other_case(word: str) -> str:
    """`outPos` for `outpos`, `inpos` for `inPos`."""
    if word != word.lower():
        return word.lower()
    for head in ("out", "in", "my"):
        if word.startswith(head) and len(word) > len(head) + 1:
            return head + word[len(head)].upper() + word[len(head) + 1 :]
    return word[:1].upper() + word[1:]


def _whole_constants(text: str, language: str) -> Iterator[Change]:
    """A name whose components are all one number, in an instruction: the number."""
    values: dict[str, tuple[str, ...]] = {}
    number = r"[-+]?\d[\d.eE+-]*"
    for _, code in _lines(text, language):
        made = re.match(rf"\s*\.constf\s+(\w+)\s*\(\s*({number})\s*,\s*({number})\s*,\s*({number})\s*,\s*({number})\s*\)", code)
        if made:
            values[made[1]] = made.groups()[1:]
        named = re.match(r"\s*\.alias\s+(\w+)\s+(\w+)\.([xyzw])\3*\s*$", code)
        if named and named[2] in values:
            values[named[1]] = (values[named[2]]["xyzw".index(named[3])],) * 4
    for at, code in _lines(text, language):
        if not re.match(_HEAD, code):
            continue
        for match in re.finditer(r"(?<=[, ])(\w+)(\.[xyzw]+)?(?=\s*(?:,|$))", code):
            had = values.get(match[1])
            if had is None:
                continue
            letters = match[2][1:] if match[2] else "xyzw"
            chosen = {had["xyzw".index(letter)] for letter in letters}
            if len(chosen) == 1:
                yield at + match.start(), at + match.end(), chosen.pop()


def _second_source(text: str, language: str) -> Iterator[Change]:
    """A uniform or constant as first of two sources, exchanged with the other."""
    floats = set(_declared(text, language, "fvec", "constf"))
    for at, code in _lines(text, language):
        match = re.match(r"\s*(?:add|mul|dp4|dp3|max|min)\s+[^,]+,\s*(([^,]+?)\s*,\s*([^,]+?))\s*$", code)
        if match and re.split(r"[.\[]", match[2])[0] in floats and re.split(r"[.\[]", match[3])[0] not in floats:
            yield at + match.start(1), at + match.end(1), f"{match[3]}, {match[2]}"


def _declared(text: str, language: str, *words: str) -> set[str]:
    """Names that directives declare, and what is named after them."""
    names: set[str] = set()
    for _, code in _lines(text, language):
        match = re.match(r"\s*\.(\w+)\s+(.*)", code)
        if match and match[1] in words:
            listed = [match[2]] if match[1].startswith("const") else match[2].split(",")
            names |= {found[0] for each in listed if (found := re.match(r"\w+", each.strip()))}
        elif match and match[1] == "alias":
            parts = re.match(r"(\w+)\s+(\w+)", match[2])
            if parts and (parts[2] in names or (parts[2][0] == "c" and "fvec" in words)):
                names.add(parts[1])
    return names


def _boolean_tests(text: str, language: str) -> Iterator[Change]:
    """`ifc` for a boolean uniform."""
    yield from _found(r"^\s*(ifu)\s+\w", "ifc")(text, language)


def _comments(mark: str, closing: str = "") -> Callable[[str, str], Iterator[Change]]:
    """A comment that begins with another mark."""

    def places(text: str, language: str) -> Iterator[Change]:
        at = 0
        for line in text.split("\n"):
            start = line.find(";")
            if start >= 0 and line[start + 1 :].strip(" ;-=*\r") and (mark != "#" or not line[:start].strip()):
                if closing:
                    body = line[start + 1 :].rstrip("\r")
                    yield at + start, at + start + 1 + len(body), f"{mark}{body} {closing}"
                else:
                    yield at + start, at + start + 1, mark
            at += len(line) + 1

    return places


def _removed_line(pattern: str) -> Callable[[str, str], Iterator[Change]]:
    """A line that is forgotten."""
    expression = re.compile(pattern)

    def places(text: str, language: str) -> Iterator[Change]:
        for at, code in _lines(text, language):
            if expression.fullmatch(code):
                end = text.find("\n", at)
                yield at, len(text) if end < 0 else end + 1, ""

    return places


def _same_letters(match: re.Match[str]) -> str:
    return match[1].translate(str.maketrans("xyzw", "rgba"))


_MISSPELT = _found(rf"^\s*(?:\w+:\s*)?({_OPS})\b", lambda m: _transposed(m[1]))
_REVERSED = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
_WORDS = {"lt": "less", "le": "lte", "gt": "greater", "ge": "gte", "eq": "equal", "ne": "neq"}
_SIGNS = {sign: word for word, sign in _REVERSED.items()}
_OTHER_SEMANTICS = {
    "color": "colour",
    "texcoord0": "texcoord",
    "position": "pos0",
    "normalquat": "quaternion",
    "view": "viewdir",
}


def _semantic(change: Callable[[str], str]) -> Callable[[str, str], Iterator[Change]]:
    word = r"(position|normalquat|quaternion|color|texcoord0w|texcoord0|texcoord1|texcoord2|view)\b"
    return _either(
        _found(rf"^\s*\.out\s+\S+\s+{word}", lambda m: change(m[1])), _found(rf"\sas\s+{word}", lambda m: change(m[1]))
    )


_TYPED = "peers.md of the references; the mistakes of tests/check/peers.pica"
_CASES = "../shared/findings/2026-11-23/meaning.md"
_D3D = "Direct3D 9 assembly: vs_2_0 reference"
_GLSL = "GLSL and HLSL"
_OTHERS = "the other language of the PICA200: picasso's manual, nihstro's manual"
_TYPING = "typing errors: transposition, doubling, omission, shift (Damerau 1964)"
_PASTE = "text that is pasted from a web page or a document"

HABITS: tuple[Habit, ...] = (
    # Instructions
    Habit("sub for add with a sign", BOTH, True, _D3D, _found(r"^\s*(add(\s+[^,]+,[^,]+,\s*)-)", r"sub\2")),
    Habit(
        "log and exp for lg2 and ex2",
        (PICASSO,),
        True,
        _OTHERS,
        _found(r"^\s*(lg2|ex2)\b", lambda m: {"lg2": "log", "ex2": "exp"}[m[1]]),
    ),
    Habit("move for mov", BOTH, True, "assemblers of processors", _found(r"^\s*(mov)\s", "move")),
    Habit("letters of a mnemonic transposed", BOTH, True, _TYPING, _MISSPELT),
    Habit("last letter of a mnemonic doubled", BOTH, True, _TYPING, _found(rf"^\s*({_OPS})\b", lambda m: _doubled(m[1]))),
    Habit("fma and madd for mad", BOTH, True, _GLSL, _either(_found(r"^\s*(mad)\b", "fma"), _found(r"^\s*(mad)\b", "madd"))),
    Habit("dot for dp3 and dp4", BOTH, False, _GLSL, _found(r"^\s*(dp[34])\b", "dot")),
    Habit(
        "rsqrt, inversesqrt, recip",
        BOTH,
        True,
        _GLSL,
        _either(_found(r"^\s*(rsq)\b", "rsqrt"), _found(r"^\s*(rsq)\b", "inversesqrt"), _found(r"^\s*(rcp)\b", "recip")),
    ),
    Habit("floor for flr", BOTH, True, _GLSL, _found(r"^\s*(flr)\b", "floor")),
    Habit("mov for mova", (PICASSO,), True, _CASES, _found(r"^\s*(mova)\s", "mov")),
    Habit("ret for end", BOTH, True, _D3D, _found(r"^\s*(end)$", "ret")),
    # Flow
    Habit("loop for for", (PICASSO,), True, _OTHERS, _found(r"^\s*(for)\s", "loop")),
    Habit("rep for for", (PICASSO,), True, _D3D, _found(r"^\s*(for)\s", "rep")),
    Habit("if for ifu and ifc", (PICASSO,), True, _OTHERS, _found(r"^\s*(ifu|ifc)\s", "if")),
    Habit(
        "ifu and ifc for if",
        (NIHSTRO,),
        True,
        _OTHERS,
        _either(_found(r"^\s*(if)\s+!?\w+$", "ifu"), _found(r"^\s*(if)\s+!?cc", "ifc")),
    ),
    Habit("ifc for a boolean uniform", (PICASSO,), True, _CASES, _boolean_tests),
    Habit("ifu for flags", (PICASSO,), True, _CASES, _found(r"^\s*(ifc)\s", "ifu")),
    Habit("jmp for jmpc and jmpu", (PICASSO,), True, _OTHERS, _found(r"^\s*(jmp[cu])\s", "jmp")),
    Habit("endif, endloop, endproc for .end", (PICASSO,), True, _OTHERS, _found(r"^\s+(\.end)$", "endif")),
    Habit("endproc for the .end of a procedure", (PICASSO,), True, _OTHERS, _found(r"^(\.end)$", ".endproc")),
    Habit(".end for endif and endloop", (NIHSTRO,), True, _OTHERS, _found(r"^\s*(endif|endloop)$", ".end")),
    Habit("else without its point", (PICASSO,), True, _OTHERS, _found(r"^\s*(\.else)$", "else")),
    Habit("the .end of a block is missing", (PICASSO,), True, _TYPED, _removed_line(r"\s+\.end")),
    Habit("the .end of a procedure is missing", (PICASSO,), True, _TYPED, _removed_line(r"\.end")),
    Habit("end is missing", (PICASSO,), True, _TYPED, _removed_line(r"\s+end")),
    Habit("cc.x for cmp.x", (PICASSO,), True, _OTHERS, _found(r"^\s*\w+\s+[^;]*\b(cmp)\.[xy]", "cc")),
    Habit("cmp.x for cc.x", (NIHSTRO,), True, _OTHERS, _found(r"\b(cc)\.[xy]", "cmp")),
    Habit("not for !", BOTH, True, "Pascal, Python", _found(r"^\s*(?:if\w*|jmp\w*|call\w*|break\w*)\s+(!)", "not ")),
    Habit("comparison as a sign", (PICASSO,), True, _GLSL, _found(r"^\s*cmp\s+[^,]+,\s*(\w\w)\b", lambda m: _REVERSED[m[1]])),
    Habit(
        "comparison as a longer word",
        (PICASSO,),
        True,
        "shell, Python, SQL",
        _found(r"^\s*cmp\s+[^,]+,\s*(\w\w)\b", lambda m: _WORDS[m[1]]),
    ),
    Habit("comparison as letters", (NIHSTRO,), True, _OTHERS, _found(r"^\s*cmp\s[^<>=!]*([<>=!]+)", lambda m: _SIGNS[m[1]])),
    Habit(
        "operators of cmp at the end",
        (PICASSO,),
        True,
        _OTHERS,
        _found(
            r"^\s*cmp\s+([^,]+,\s*\w\w\s*,\s*\w\w\s*,\s*[^,]+)$",
            lambda m: "{0}, {3}, {1}, {2}".format(*[p.strip() for p in m[1].split(",")]),
        ),
    ),
    Habit(
        "operators of cmp in the middle",
        (NIHSTRO,),
        True,
        _OTHERS,
        _found(
            r"^\s*cmp\s+([^,]+,[^,]+,\s*[<>=!]+\s*,\s*[<>=!]+)$",
            lambda m: "{0}, {2}, {3}, {1}".format(*[p.strip() for p in m[1].split(",")]),
        ),
    ),
    # Names
    Habit("letters of a name transposed", BOTH, True, _TYPING, _name_used(_transposed)),
    Habit("last letter of a name missing", BOTH, True, _TYPING, _name_used(lambda name: name[:-1])),
    Habit("other case of a name", BOTH, True, "languages that ignore case", _name_used(_other_case)),
    Habit(
        "upper-case register letter",
        BOTH,
        True,
        "ARM, HLSL register()",
        _found(rf"{_HEAD}.*?({_REGISTER})", lambda m: m[1].upper()),
    ),
    Habit("o for 0 in a register", BOTH, True, _TYPING, _found(rf"{_HEAD}.*?(?<![\w.])([vrc]0)\b", lambda m: m[1][0] + "o")),
    Habit(
        "register past the last",
        BOTH,
        False,
        _TYPED,
        _found(rf"{_HEAD}.*?((?<![\w.])r\d)\b", lambda m: f"r{int(m[1][1:]) + 20}"),
    ),
    Habit("input in the place of the destination", BOTH, False, _TYPED, _found(rf"{_HEAD}\s+(r\d+)\b", "v0")),
    Habit("output in the place of a source", BOTH, False, _TYPED, _found(rf"{_HEAD}\s+[^,]+,.*?\b(r\d+)\b", "o0")),
    # Operands
    Habit("comma is missing", BOTH, True, _TYPING, _found(rf"{_HEAD}\s+[^,\s]+(,)\s", "")),
    Habit("two commas", BOTH, True, _TYPING, _found(rf"{_HEAD}[^,]+(,)", ",,")),
    Habit("comma at the end", BOTH, True, _TYPING, _found(rf"{_HEAD}.*\w()$", ",")),
    Habit("point for comma", BOTH, True, _TYPING, _found(rf"{_HEAD}\s+[^,\s]+(,)\s", ".")),
    Habit("operand is missing", BOTH, False, _TYPED, _found(rf"{_HEAD}.*(,[^,]+)$", "")),
    Habit("one operand more", BOTH, False, _TYPED, _found(rf"{_HEAD}.*,\s*[^,]+()$", ", r1")),
    Habit("bracket is not closed", BOTH, True, _TYPING, _found(rf"{_HEAD}.*?(\])", "")),
    Habit("parentheses for brackets", BOTH, True, "Fortran, BASIC", _found(rf"{_HEAD}.*?(\[(\w+)\])", r"(\2)")),
    Habit("index after the components", BOTH, True, _TYPED, _found(rf"{_HEAD}.*?((\[[^\]]+\])(\.[xyzw]+))", r"\3\2")),
    Habit("index past the end", BOTH, False, _TYPED, _found(rf"{_HEAD}.*?\[(3)\]", "4")),
    Habit("array without an index", BOTH, False, _CASES, _found(rf"{_HEAD}.*?(\[\d\])", "")),
    Habit("point before components is missing", BOTH, True, _TYPING, _found(rf"{_HEAD}.*?\w(\.)[xyzw]+", "")),
    Habit("comma before components", BOTH, True, _TYPING, _found(rf"{_HEAD}\s+\w+(\.)[xyzw]+", ",")),
    Habit("space before components", BOTH, True, _TYPING, _found(rf"{_HEAD}.*?\w(\.)[xyzw]+", " .")),
    Habit("component that is none", BOTH, False, _TYPED, _found(rf"{_HEAD}.*?\.[xyzw]*([xyzw])\b", "k")),
    Habit("last component doubled", BOTH, True, _TYPED, _found(rf"{_HEAD}.*?\.([xyzw]{{4}})\b", lambda m: _doubled(m[1]))),
    Habit("components as colours", (NIHSTRO,), True, _GLSL, _found(rf"{_HEAD}.*?\.([xyzw]+)\b", _same_letters)),
    Habit("write mask in another order", BOTH, True, _TYPED, _found(rf"{_HEAD}\s+\w+\.(xy|xyz|zw|yz)\b", lambda m: m[1][::-1])),
    Habit(
        "plus in front of an operand",
        BOTH,
        True,
        "languages with a unary plus",
        _found(rf"{_HEAD}.*,\s*((?<![-+])\b[a-z]\w*)", r"+\1"),
    ),
    Habit("operand in parentheses", BOTH, True, _GLSL, _found(rf"{_HEAD}.*,\s*(-?[a-z][\w.]*)$", r"(\1)")),
    Habit("space after a sign", BOTH, True, _GLSL, _found(rf"{_HEAD}.*,\s*(-)\w", "- ")),
    Habit("uniform as the second source", (PICASSO,), True, _TYPED, _second_source),
    Habit("number for the constant that has it", (PICASSO,), True, _GLSL, _whole_constants),
    Habit("dash of a document for minus", BOTH, True, _PASTE, _found(r"(-)(?=[\w.])", "\u2212")),
    Habit("no-break space", BOTH, True, _PASTE, _found(rf"{_HEAD}.*,( )", "\u00a0")),
    # Comments
    Habit("// comment", (PICASSO,), True, _CASES, _comments("//")),
    Habit("# comment", (PICASSO,), True, "shell, Python, GNU as", _comments("#")),
    Habit("/* */ comment", (PICASSO,), True, "C", _comments("/*", "*/")),
    # Declarations
    Habit(
        "directive without its point",
        BOTH,
        True,
        "MASM, NASM",
        _found(r"^\s*(\.)(?:proc|alias|out|fvec|constf|in|bool|entry)\s", ""),
    ),
    Habit(
        "letters of a directive transposed",
        BOTH,
        True,
        _TYPING,
        _found(r"^\s*\.(proc|alias|out|fvec|constf|bool|ivec|entry)\s", lambda m: _transposed(m[1])),
    ),
    Habit("label for .proc", (PICASSO,), True, _OTHERS, _found(r"^\s*(\.proc\s+(\w+))$", r"\2:")),
    Habit(".proc for a label", (NIHSTRO,), True, _OTHERS, _found(r"^\s*((\w+):)$", r".proc \2")),
    Habit("label without its colon", BOTH, True, _TYPING, _found(r"^\s*\w+(:)$", "")),
    Habit(
        "semantic misspelt",
        BOTH,
        True,
        _TYPING,
        _semantic(lambda word: word[:-2] + word[-1] if not word[-1].isdigit() else word[:-3] + word[-2:]),
    ),
    Habit("semantic of another interface", BOTH, True, _GLSL, _semantic(lambda word: _OTHER_SEMANTICS.get(word, word))),
    Habit(
        "name and property of .out exchanged",
        (PICASSO,),
        True,
        "HLSL declarations: type, then name",
        _found(r"^\s*\.out\s+((\w+)\s+([a-z]\w+))$", r"\3 \2"),
    ),
    Habit("as is missing", (NIHSTRO,), True, _OTHERS, _found(r"^\s*\.alias\s+\S+\s+\S+\s(as\s)", "")),
    Habit("as in .alias", (PICASSO,), True, _OTHERS, _found(r"^\s*\.alias\s+\w+(\s+)\S+$", " as ")),
    Habit("equals sign in .alias", BOTH, True, "languages with assignments", _found(r"^\s*\.alias\s+\w+(\s+)", " = ")),
    Habit("comma in .alias", BOTH, True, _CASES, _found(r"^\s*\.alias\s+\w+()\s", ",")),
    Habit(
        "name and register of .alias exchanged",
        BOTH,
        True,
        "assemblers: source, destination",
        _found(r"^\s*\.alias\s+((\w+)\s+([vorc]\d+))$", r"\3 \2"),
    ),
    Habit("#define for .alias", (PICASSO,), True, "C", _found(r"^\s*(\.alias)\s+\w+\s+v\d+$", "#define")),
    Habit("constant without parentheses", (PICASSO,), True, _D3D, _found(r"^\s*\.constf\s+\w+\s*(\(([^)]*)\))", r" \2")),
    Habit(
        "equals sign in .constf", (PICASSO,), True, "languages with assignments", _found(r"^\s*\.constf\s+\w+(\s*)\(", " = ")
    ),
    Habit("comma after the name of .constf", (PICASSO,), True, _D3D, _found(r"^\s*\.constf\s+\w+(\s*)\(", ", ")),
    Habit("braces of a constant", (PICASSO,), True, "C, HLSL", _found(r"^\s*\.constf\s+\w+\s*(\(([^)]*)\))", r"{\2}")),
    Habit("f after a number", BOTH, True, "C, HLSL", _found(r"^\s*\.(?:constf|alias)\s.*\W(-?\d+\.\d+)", r"\1f")),
    Habit("three values of a constant", (PICASSO,), False, _GLSL, _found(r"^\s*\.constf\s.*(,[^,]*)\)$", "")),
    Habit(
        "vec4, float4 for .fvec",
        (PICASSO,),
        True,
        _GLSL,
        _either(_found(r"^\s*(\.fvec)\s", ".vec4"), _found(r"^\s*(\.fvec)\s", ".float4")),
    ),
    Habit("uniform for .fvec", (PICASSO,), True, _GLSL, _found(r"^\s*(\.fvec)\s", ".uniform")),
    Habit("parentheses of a size", (PICASSO,), True, "Fortran, BASIC", _found(r"^\s*\.fvec\s.*?(\[(\d+)\])", r"(\2)")),
    Habit(
        "name of a called procedure misspelt",
        (PICASSO,),
        True,
        _TYPING,
        _found(r"^\s*call\w*\s+(?:.*,\s*)?(\w{4,})$", lambda m: _transposed(m[1])),
    ),
    Habit("entry misspelt", (PICASSO,), True, _TYPING, _found(r"^\s*\.entry\s+(\w{4,})$", lambda m: _transposed(m[1]))),
    Habit("setemit without its comma", (PICASSO,), True, _TYPING, _found(r"^\s*setemit\s+\d(,)\s", "")),
)
