"""Lines of picasso and of other languages in nihstro's: what they are here, with registers that are free.

Asked only about lines with errors; each rewriting is tried by the caller.
"""

from __future__ import annotations

import re

from lanewise.core.cached import lru_cache
from lanewise.core.diagnostics import ERROR, Diagnostic, Edit
from lanewise.core.numbers.floats import float32_bits, host_float24
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.core.text.numbers import read_float
from lanewise.pica200.isa.table import COMPONENTS
from lanewise.pica200.text.nihstro.syntax import COMPUTING
from lanewise.pica200.text.rewriting import properties

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.core.text.problems import Problem
    from lanewise.pica200.text.nihstro.reader import Reader

_COUNT = {"c": 96, "i": 4, "b": 16, "v": 16, "o": 7, "r": 16}
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_FLAGS = re.compile(r"\bcmp\.(?=[xy]\b)")


def free(reader: Reader, letter: str, size: int = 1) -> str:
    """Registers that no alias has and the text does not name: the first, or a range; empty without them."""
    taken = set(_numbers(reader.text, letter))
    for alias in reader.operands.aliases.values():
        if alias.letter == letter:
            taken.update(range(alias.register, alias.register + alias.size))
    last = _COUNT[letter]
    ordered = range(last - size, -1, -1) if letter in "rc" and size == 1 else range(last - size + 1)
    start = next((n for n in ordered if not taken & {*range(n, n + size)}), -1)
    if start < 0:
        return ""
    return f"{letter}{start}" + (f"-{letter}{start + size - 1}" if size > 1 else "")


@lru_cache(len(_COUNT))
def _numbers(text: str, letter: str) -> frozenset[int]:
    """The numbers of the registers of a letter that a text names."""
    return frozenset(map(int, re.findall(rf"\b{letter}(\d{{1,2}})\b", text, re.ASCII)))


def directives(reader: Reader, word: str, rest: str) -> Iterator[list[str]]:
    """Groups of rewritings of a directive of picasso, in a file that is none of picasso."""
    if re.search(r"^[^\S\n]*\.proc\b", reader.text, re.MULTILINE | re.IGNORECASE):
        return
    lower, text = word.lower(), rest.strip()
    letter = {".fvec": "c", ".ivec": "i", ".bool": "b"}.get(lower)
    one = re.fullmatch(r"([A-Za-z_]\w*)(?:\[(\d+)\])?", text)
    if letter and one is not None:
        place = free(reader, letter, int(one[2] or 1))
        yield [f".alias {one[1]} {place}"] if place else []
    named = re.fullmatch(r"([A-Za-z_]\w*)(?:\s+(v\d+))?", text)
    if lower == ".in" and named is not None:
        place = named[2] or _next(reader, "v")
        yield [f".alias {named[1]} {place}"] if place else []
    output = re.fullmatch(r"([A-Za-z_]\w*)\s+([A-Za-z]\w*)(\.[xyzw]+)?(?:\s+(o\d+)(\.[xyzw]+)?)?", text)
    if lower == ".out" and output is not None:
        place = output[4] or _next(reader, "o")
        yield [f".alias {output[1]} {place}{output[3] or output[5] or ''} as {output[2]}"] if place else []
    valued = re.fullmatch(
        rf"([A-Za-z_]\w*)\s*,?\s*(?:([ci]\d+)\b)?\s*(?:\bas\b|=)?\s*\(?\s*({_NUMBER}(?:\s*,\s*{_NUMBER}){{0,3}})\s*\)?", text
    )
    if lower in (".alias", ".define", ".equ", ".set", ".const", ".constant") and valued is not None:
        values = [value.strip() for value in valued[3].split(",")]
        values = values * 4 if len(values) == 1 else [*values, "0.0", "0.0"][:4]
        place = valued[2] or free(reader, "c")
        yield [f".alias {valued[1]} {place} as ({', '.join(values)})"] if place else []
    ranged = re.fullmatch(r"([A-Za-z_]\w*)\s+([cibv])(\d+)\s*(?:\.\.+|:|to|,)\s*\2?(\d+)", text)
    if lower == ".alias" and ranged is not None:
        yield [f".alias {ranged[1]} {ranged[2]}{ranged[3]}-{ranged[2]}{ranged[4]}"]
    sized = re.fullmatch(r"([A-Za-z_]\w*)\[(\d+)\]\s+([cibv])(\d+)", text)
    if lower == ".alias" and sized is not None and int(sized[2]):
        yield [f".alias {sized[1]} {sized[3]}{sized[4]}-{sized[3]}{int(sized[4]) + int(sized[2]) - 1}"]
    constant = re.fullmatch(rf"([A-Za-z_]\w*)\s*\(\s*({_NUMBER}(?:\s*,\s*{_NUMBER}){{3}})\s*\)", text)
    if lower in (".constf", ".consti") and constant is not None:
        place = free(reader, "c" if lower == ".constf" else "i")
        yield [f".alias {constant[1]} {place} as ({constant[2]})"] if place else []


def _next(reader: Reader, letter: str) -> str:
    """The first register after those that aliases have."""
    used = {alias.register for alias in reader.operands.aliases.values() if alias.letter == letter}
    start = next((n for n in range(_COUNT[letter]) if n not in used), -1)
    return f"{letter}{start}" if start >= 0 else ""


def instructions(reader: Reader, statement: str) -> Iterator[list[str]]:
    """Groups of rewritings of an instruction of picasso."""
    word, *tail = statement.split(None, 1)
    lower, rest = word.lower(), _FLAGS.sub("cc.", tail[0]) if tail else ""
    jump = re.fullmatch(r"(.+?)\s*,\s*([A-Za-z_]\w*)", rest)
    if lower in ("jmpc", "jmpu") and jump is not None:
        yield [f"jmp {jump[2]} if {jump[1]}"]
    turned = re.fullmatch(r"(.+?)\s+(?:jmp|goto|then|jump)\s+([A-Za-z_]\w*)", rest) if lower == "if" else None
    if turned is not None:
        yield [f"jmp {turned[2]} if {turned[1]}"]
    called = re.fullmatch(r"(?:(.+?)\s*,\s*)?([A-Za-z_]\w*)", rest)
    if lower in ("call", "callc", "callu") and called is not None:
        until = _until(reader, called[2])
        yield [f"call {called[2]} until {until}" + (f" if {called[1]}" if called[1] else "")] if until else []
    if re.fullmatch(r"end\s+(if|loop)", statement.strip(), re.IGNORECASE):
        yield [re.sub(r"\s+", "", statement.strip())]
    if lower in _JUMPS and rest.strip() in ("end", "exit") and not reader.is_label(rest.strip()):
        yield ["end"]
    truth = re.fullmatch(r"\(?\s*(\w+)\s*==\s*(?:true|1|on)\s*\)?", rest, re.IGNORECASE)
    if lower in ("if", "ifu") and truth is not None:
        yield [f"if {truth[1]}"]
    index = re.fullmatch(r"(?:mova|mov|arl)\s+a([01])(?:\.([xy]))?\s*,\s*(-?[\w\[\]+]+)(?:\.([xyzw])\w*)?", statement.strip())
    if index is not None:
        yield [f"mova a0.{'xy'[int(index[1])] if index[1] == '1' else index[2] or 'x'}, {index[3]}.{index[4] or 'x'}"]
    computed = re.fullmatch(
        r"([A-Za-z_]\w*(?:\.[xyzw]+)?)\s*=\s*(-?[\w.\[\]+]+)\s*(?:([-+*])\s*(-?[\w.\[\]+]+))?;?", statement.strip()
    )
    if computed is not None:
        to, first, sign, second = computed.groups()
        name = {"*": "mul", "+": "add", "-": "add"}.get(sign or "", "mov")
        last = "" if not second else f", -{second}" if sign == "-" else f", {second}"
        yield [f"{name} {to}, {first}{last}"]
    yield from _widths(lower, rest)
    yield [re.sub(r"\ba([01])\.[xy]\b(?=[^,]*\])", r"a\1", re.sub(r"\ba0\.y\b", "a1", statement))]


_JUMPS = ("jmp", "jump", "goto", "b", "bra", "br")
_SIGNS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=", "=": "=="}


def _widths(word: str, rest: str) -> Iterator[list[str]]:
    """Groups of rewritings of an instruction with sources of as many components as it reads."""
    arguments = [text.strip() for text in rest.split(",")]
    first = 0 if word == "cmp" else 1
    if word == "cmp":  # picasso has the operators between the sources
        tests = [each for each in arguments if each.lower() in _SIGNS or each in _SIGNS.values()]
        arguments = [each for each in arguments if each not in tests] + tests
    widths = COMPUTING[word].widths if word in COMPUTING else ()
    if not widths or len(arguments) < first + len(widths):
        return
    found = list(arguments)
    for place, width in enumerate(widths, first):
        letters = COMPONENTS[:width] if width < len(COMPONENTS) else ""
        base, point, own = found[place].rpartition(".")
        name, own = (base, own) if point and own.isalpha() else (found[place], "")
        own = own * 2 if len(own) == 1 and len(letters) == 2 else own[: len(letters)]
        found[place] = f"{name}.{own or letters}" if letters else name
    if word == "cmp":
        tests = [_SIGNS.get(each.lower(), each) for each in found[2:]]
        found = [*found[:2], *(tests * 2 if len(tests) == 1 else tests)]
    yield [f"{word} {', '.join(found)}"]


def _until(reader: Reader, name: str) -> str:
    """The label at which the code that begins at a label ends, by its name."""
    labels = re.findall(r"^[^\S\n]*([A-Za-z_]\w*)\s*:", reader.text, re.MULTILINE)
    return next(
        (each for each in labels if each.lower() in (f"{name}_end".lower(), f"end_{name}".lower(), f"{name}end".lower())), ""
    )


def returning(name: str) -> str:
    """The fix for a call that does not say where it returns."""
    return f"write `call {name} until {name}_end`, and the label `{name}_end:` after the last instruction of {name}"


# (code, part of the fix without advice, form of the place, fix): the first that fits. A fix takes groups of the form.
_FORMS = tuple(
    (code, general, re.compile(form, re.ASCII), fix)
    for code, general, form, fix in (
        (
            "P025",
            "",
            r"a([01])",
            r"write `mova a0.x, SOURCE.x`: only mova writes index registers, and brackets read them: c0[a\1]",
        ),
        (
            "P025",
            "",
            r"(vec[234]|float[234])",
            r"declare `.alias NAME c95 as (x, y, z, w)`, and write NAME: operands have no functions",
        ),
        ("V022", "", r"!(\w+)", r"write `if \1`, `nop`, `else`, and the code after it"),
        (
            "V037",
            "",
            r"(?:normals?|nrm)",
            "light in this shader, or write quaternion for fragment lighting: one that turns (0, 0, 1) into the normal",
        ),
        ("V019", "boolean", r"[\w.]+", r"compare first, `cmp A.xy, B.xy, <, <`, then `if cc.x`: if reads flags and booleans"),
    )
)


_INDEX = re.compile(
    r"(?P<before>\d+\s*\+)?\s*(?:(?:int|floor)\s*\()?\s*(?P<name>[A-Za-z_]\w*)(?:\.(?P<letter>[xyzw])\w*)?\s*\)?\s*(?P<after>[+-]\s*\d+)?\s*"
)
_SET = re.compile(r"^\s*(?:\w+\s*:)?\s*mova\b", re.MULTILINE)


def _copied_index(found: re.Match[str] | None) -> tuple[str, str]:
    """The `mova` of a register in brackets, and what is in them then; empty for what is no register."""
    if found is None:
        return "", ""
    offset = found["after"] or (f"+{found['before'].rstrip('+ ')}" if found["before"] else "")
    return f"mova a0.x, {found['name']}.{found['letter'] or 'x'}", f"a0{''.join(offset.split())}"


def _indexed(reader: Reader, problem: Problem) -> None:
    """The `mova` that brackets with another register need; an edit where no other one is in the source."""
    begin = reader.line.rfind("[", 0, problem.start) + 1
    end = reader.line.find("]", begin)
    line, new = _copied_index(_INDEX.fullmatch(reader.line, begin, end) if end > 0 else None)
    if not line:
        return
    problem.fix = f"write `{line}` above, and [{new}]"
    statement = reader.line.lstrip()
    if not _SET.search(reader.text) and re.match(r"[a-z]\w*\s", statement):
        lead = reader.line[: len(reader.line) - len(statement)]
        problem.edits = (
            Edit(reader.span(len(lead), 1)._replace(length=0), f"{line}\n{lead}"),
            Edit(reader.span(begin, end - begin), new),
        )


def advise(reader: Reader, problem: Problem) -> None:
    """Give a problem a fix that fits its place, where one is known."""
    text = reader.line[problem.start : problem.start + problem.length].strip()
    if problem.code in ("V002", "V003", "V004"):
        _copied(reader, problem, text.lstrip("- "))
    elif problem.code == "P025" and re.fullmatch(_NUMBER, text):
        problem.fix = _named(reader, text, negated=reader.line[: problem.start].rstrip().endswith("-"))
    elif problem.code == "P025" and text == "c" and (found := re.match(r"\s*\[([^\]]*)\]", reader.line[problem.start + 1 :])):
        inside = found[1].strip()
        line, new = _copied_index(_INDEX.fullmatch(inside))
        above = f"`{line}` above, and " if line and not inside.startswith(("a0", "a1", "lcnt")) else ""
        problem.fix = f"write {above}c{inside}" if inside.isdigit() else f"write {above}c0[{new if above else inside}]"
    elif problem.code == "P025" and problem.fix.startswith(_DECLARE) and not _form(problem, text):
        problem.fix = _declared(reader, problem, text)
    elif problem.code == "V011" and (
        turned := re.fullmatch(r"\s*(mov|flr|rcp|rsq|exp|log)\s+([^,]+),\s*([^,;#/]+?)\s*", reader.line)
    ):
        problem.fix = f"write `{turned[1]} {turned[3]}, {turned[2].strip()}`: the destination is first; or {problem.fix}"
    elif problem.code == "P011" and re.match(r"\.\d", text):
        problem.fix = "write .x, .y, .z or .w: components are letters"
    elif problem.code == "P029" and "[" in reader.line[: problem.start]:
        _indexed(reader, problem)
    elif problem.code == "P010" and (goal := re.fullmatch(r"\s*jmp\s+([A-Za-z_]\w*)\s*(?:(?://|#|;).*)?", reader.line)):
        place = free(reader, "b") or "b0"
        problem.fix = f"declare `.alias always {place} as true`, and write `jmp {goal[1]} if always`"
    else:
        for code, general, form, fix in _FORMS:
            found = form.fullmatch(text) if code == problem.code and general in problem.fix else None
            if found is not None:
                problem.fix, problem.replacement = found.expand(fix), None
                return


_DECLARE = "declare it:"
_INPUTS = ("position", "pos", "normal", "color", "colour", "texcoord", "uv", "inpos", "incolor", "innormal", "intexcoord")


def _form(problem: Problem, text: str) -> bool:
    """Whether a text has a fix of its own."""
    return any(code == problem.code and form.fullmatch(text) for code, _, form, _ in _FORMS)


def _declared(reader: Reader, problem: Problem, name: str) -> str:
    """The fix for an unknown name: a function, a destination, or a source."""
    start, end = problem.start, problem.start + problem.length
    before, after = reader.line[:start].split(), reader.line[end:].lstrip()
    temporary = free(reader, "r")
    if after.startswith("("):
        inside = after[1:].partition(")")[0].strip()
        if name.lower() in ("abs", "fabs") and temporary:
            alias = reader.operands.aliases.get(re.split(r"[.\[]", inside)[0])
            narrow = alias is not None and alias.letter in "rv"  # of two sources one may be a uniform
            above = f"`max {temporary}, {inside}, -{inside}`"
            if not narrow:
                above = f"`mov {temporary}, {inside}` and `max {temporary}, {temporary}, -{temporary}`"
            return f"write {above} above, and {temporary} in its place: operands have no functions"
        return "use an instruction that computes it: operands have no functions"
    if len(before) == 1 and "," in after:  # what an instruction writes
        used = set(re.findall(r"^[^\S\n]*\.alias\s+\w+\s+o\d+(?:\.\w+)?\s+as\s+(\w+)", reader.text, re.MULTILINE))
        kind = next(iter(properties(name)), "").replace("normalquat", "quaternion")
        output = free(reader, "o")
        if kind and kind not in used and output:
            return f"{_DECLARE} .alias {name} {output} as {kind}"
        return f"{_DECLARE} .alias {name} {temporary}" if temporary else problem.fix
    letter = "v" if name.lower() in _INPUTS else "c"
    place = free(reader, letter)
    return f"{_DECLARE} .alias {name} {place}, or use a register such as r0" if place else problem.fix


# Lines of the C preprocessor, which are comments here: the form, what to write.
_PREPROCESSED = (
    (re.compile(r"^([ \t]*)#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"].*$", re.MULTILINE), '.include "{0}"'),
    (re.compile(r"^([ \t]*)#[ \t]*define[ \t]+(\w+)[ \t]+([\w.]+)[ \t]*(?://.*)?$", re.MULTILINE), ".alias {0} {1}"),
)


def ignored(reader: Reader, problem: Problem) -> Diagnostic | None:
    """The finding about the line of the preprocessor that would declare an unknown name: it is a comment."""
    if problem.code != "P025" or not problem.message.startswith("unknown") or "did you mean" in problem.fix:
        return None
    name = reader.line[problem.start : problem.start + problem.length]
    for new, found in _preprocessed(reader.text):
        if "{1}" in new and found[2] != name:
            continue
        line = found[0].rstrip("\r")
        start = len(found[1])
        text = new.format(*found.groups()[1:])
        place = Span(
            file=reader.file,
            line=reader.text.count("\n", 0, found.start()) + 1,
            column=start + 1,
            length=len(line.rstrip()) - start,
            text=line,
        )
        word = line[start:].lstrip("# \t").partition(" ")[0]
        return Diagnostic(
            code="P003",
            severity=ERROR,
            message=f"`#` begins a comment: `#{word}` has no effect",
            span=place,
            notes=(),
            fix=f"write `{text}`",
            edits=(Edit(place, text),),
        )
    return None


@lru_cache(1)
def _preprocessed(text: str) -> list[tuple[str, re.Match[str]]]:
    """The lines of the C preprocessor in a text, each after what to write."""
    return [(new, found) for form, new in _PREPROCESSED for found in form.finditer(text)]


def _named(reader: Reader, text: str, *, negated: bool = False) -> str:
    """The fix for a number in the place of an operand."""
    name = "k" + text.replace("-", "m").replace("+", "").replace(".", "_")
    sign = "-" if negated else ""
    there = _constant(reader, text)
    if there:
        return f"write {sign}{there}: the number is in it"
    if reader.line.split()[:1] == ["loop"]:
        rounds = int(text) if text.isdigit() else 1
        place = free(reader, "i") or "i0"
        return f"declare `.alias count {place} as ({max(0, rounds - 1)}, 0, 1, 0)`, and write `loop count`: it runs x + 1 times"
    place = free(reader, "c") or "c95"
    declared = f".alias {name} {place} as ({', '.join([text] * 4)})"
    return f"declare `{declared}`, and write {sign}{name}, or {sign}{name}.xyz for three components"


def _constant(reader: Reader, text: str) -> str:
    """A component of a constant of the source that is a number, as often as the destination has components; empty without
    one."""
    word = host_float24(float32_bits(read_float(text)[0]))
    values = {each.register: each.values for each in reader.unit.constants}
    to = re.match(r"\s*(\w+)\s+[\w\[\]]+(?:\.([xyzw]+))?\s*,", reader.line)
    op = COMPUTING.get(to[1].lower()) if to else None
    for name, alias in reader.operands.aliases.items() if to and op is not None and not op.widths else ():
        found = values.get(alias.register, ()) if alias.letter == "c" and alias.size == 1 and not alias.swizzled else ()
        if word in found:
            return f"{name}.{COMPONENTS[found.index(word)] * (len(to[2]) if to and to[2] else len(COMPONENTS))}"
    return ""


def _copied(reader: Reader, problem: Problem, text: str) -> None:
    """The fix for a source that cannot be read in its place: the `mov` that it needs."""
    place = free(reader, "r")
    if place and "exchange" not in problem.fix:
        base, point, letters = text.rpartition(".") if re.search(r"\.[xyzw]{1,4}$", text) else (text, "", "")
        problem.fix = f"write `mov {place}, {base}` above, and {place}{point}{letters} in its place"
