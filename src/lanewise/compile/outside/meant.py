"""Places and fixes of the messages of compilers of other projects, which name a line and no fix.

A row has a pattern of a message and what to write instead. What follows from another message of the same line is left out.
"""

from __future__ import annotations

import re

from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.core.text.likeness import closest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

GLSL, HLSL = "glsl", "hlsl"
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_TYPE = r"' ?[^']*?(?:(\d)-component vector of (\w+)|(\d)X(\d) matrix of \w+|(float|int|uint|bool|double))[^']*'"
_FUNCTION = re.compile(r"^[ \t]*(?!return\b|else\b)\w+[ \t]+(\w+)[ \t]*\(", re.MULTILINE)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_SHORT = 2  # letters of names that are not compared
_MOST_TEXT = 20_000  # characters of an output that is searched
_MOST_MESSAGE, _MOST_SOURCE = 1_000, 200_000  # longer ones are left as they are
_MOST_EXPLAINED = 40


class _Case(Record):
    """A message: its match, the lines of its source, the number of its line, and the language."""

    match: re.Match[str]
    lines: Sequence[str]
    number: int
    language: str

    @property
    def line(self) -> str:
        return self.lines[self.number - 1] if 0 < self.number <= len(self.lines) else ""

    @property
    def name(self) -> str:
        """The name that the message is about; empty for none."""
        return self.match.groupdict().get("name") or self.match.groupdict().get("other") or ""


# Types and functions of another language, with what has their meaning here.
_VECTORS = {
    **{f"{kind}{n}": f"vec{n}" for kind in ("float", "half", "fixed", "min16float", "vec") for n in range(2, 5)},
    **{f"{kind}{n}": f"ivec{n}" for kind in ("int", "short") for n in range(2, 5)},
    **{f"uint{n}": f"uvec{n}" for n in range(2, 5)},
    **{f"{kind}{n}x{n}": f"mat{n}" for kind in ("float", "half", "mat") for n in range(2, 5)},
    **{f"vec{n}f": f"vec{n}" for n in range(2, 5)},
    **dict.fromkeys(("half", "fixed", "min16float", "f32", "real", "number"), "float"),
}
_WORDS: Mapping[str, Mapping[str, str]] = {
    GLSL: {
        **{name: f"write {meant}" for name, meant in _VECTORS.items() if name != meant},
        "saturate": "write clamp(x, 0.0, 1.0)",
        "lerp": "write mix",
        "mul": "write a * b in the place of mul(a, b)",
        "frac": "write fract",
        "rsqrt": "write inversesqrt",
        "rsq": "write inversesqrt",
        "rcp": "write 1.0 / x",
        "atan2": "write atan, which has a form of two arguments",
        "fmod": "write mod(x, y), which rounds down; x - y * trunc(x / y) rounds to zero",
        "fabs": "write abs",
        "powf": "write pow",
        "sqrtf": "write sqrt",
        **dict.fromkeys(("dFdx", "dFdy", "fwidth"), "remove it: derivatives are for fragment shaders"),
        "ddx": "remove it: derivatives are for fragment shaders",
        "ddy": "remove it: derivatives are for fragment shaders",
        "texture2D": "write texture; of a vertex shader pass the value in, for example as `in vec4 texel;`",
        "tex2D": "write texture; of a vertex shader pass the value in, for example as `in vec4 texel;`",
        "tex2Dlod": "write textureLod; of a vertex shader pass the value in, for example as `in vec4 texel;`",
        **dict.fromkeys(("var", "let", "auto"), "write the type, such as float or vec4"),
        **dict.fromkeys(("string", "char", "print", "printf", "console"), "remove it: shaders have no text"),
    },
    HLSL: {
        **{
            meant: f"write {name}"
            for name, meant in _VECTORS.items()
            if name.startswith(("float", "int", "uint")) and meant not in (name, "float")
        },
        "mix": "write lerp",
        "fract": "write frac",
        "inversesqrt": "write rsqrt",
        "mod": "write fmod",
        "texture": "pass the value in, for example as `float4 texel : TEXCOORD1`",
        "gl_Position": "return the position with the semantic SV_Position",
        **dict.fromkeys(("in", "out", "attribute", "varying"), "make it a parameter of the entry function, with a semantic"),
    },
}


def _identifier(case: _Case) -> str:
    """The fix for a name that is not declared, or not a function that takes these arguments."""
    name = case.name
    known = _WORDS.get(case.language, {}).get(name)
    if known:
        return known
    text = _COMMENT.sub(" ", "\n".join(case.lines))
    calls = re.search(rf"\b{re.escape(name)}\s*\(", case.line) is not None
    outputs = re.findall(r"\b(?:out|varying)\s+\w+\s+(\w+)\s*;", text)
    outputs = [each for each in outputs if name.lower() in each.lower() or each.lower() in name.lower()]
    if outputs and re.match(rf"\s*{re.escape(name)}(?:\.\w+)?\s*=[^=]", case.line):
        return f"did you mean {outputs[0]}?"
    defined = _FUNCTION.findall(text)
    if name in defined:
        return f"give {name} arguments of the types and in the number of its definition"
    names = defined if calls else [each for each in _IDENTIFIER.findall(text) if each != name]
    near = closest(name, list(dict.fromkeys(names))) if len(name) > _SHORT else []
    if near:
        return f"did you mean {near[0]}?"
    if re.search(rf"\bfor\s*\(\s*{re.escape(name)}\s*=", case.line):
        return f"declare it: `for (int {name} = ...`"
    if re.match(rf"\s*{re.escape(name)}\s*=[^=]", case.line):
        return f"declare it with its type: `float {name} = ...`"
    if calls:
        return f"define {name} above, or use a function of the language"
    if case.language == GLSL:
        return (
            f"declare it before main: `in vec4 {name};` for a value of each vertex, `uniform vec4 {name};` for one of the draw"
        )
    return "declare it: a parameter with a semantic for a value of each vertex, a variable outside of functions for a uniform"


def _semicolon(case: _Case) -> str:
    """The fix for a statement without end; empty where that is not what is wrong."""
    for number in range(min(case.number - 1, len(case.lines)), 0, -1):
        before = _COMMENT.sub("", case.lines[number - 1]).strip()
        if not before:
            continue
        if before[-1] not in ";{}(,+-*/=&|<>?:" and not before.startswith("#"):
            return f"end line {number} with `;`"
        break
    return ""


_OF_TYPES = frozenset((*_VECTORS, *_VECTORS.values(), "var", "let", "auto"))


def _syntax(case: _Case) -> str:
    for word in _IDENTIFIER.findall(case.line):
        known = _WORDS.get(case.language, {}).get(word)
        if known and word in _OF_TYPES:
            return f"{known} in the place of {word}"
    code = _COMMENT.sub("", case.line)
    if re.search(r"\b(?:readonly\s+|writeonly\s+)?buffer\s+\w+\s*\{", code):
        return "write `uniform` in the place of `buffer`, or pass the data in as inputs: the targets have no storage buffers"
    if re.search(r"\(\s*(?:float|int|uint|[iub]?vec\d|mat\d)\s*\)", code) and case.language == GLSL:
        return "write a conversion as a call, such as `vec4(x)` for `(vec4)x`"
    if code.count("(") != code.count(")"):
        return f"balance the parentheses: the line has {code.count('(')} `(` and {code.count(')')} `)`"
    if re.search(r"\w\s*\*\s*\w+\s*=|=\s*&", code):
        return "shaders have no pointers: name the variable"
    if " if " in code and " else " in code:
        return "write a choice as `condition ? a : b`"
    if re.search(r"[\w)\]]\s*\}", code):
        return "end the statement before `}` with `;`"
    before = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), "\n".join(case.lines[: case.number - 1]))
    if before.rstrip().endswith("}") and before.count("{") == before.count("}") and code.rstrip().endswith(";"):
        return f"it is outside of functions: remove the `}}` of line {before.rstrip().count(chr(10)) + 1}"
    joined = re.search(r"[\w)\]]\s+(return|for|while|if)\b", code)
    if joined is not None:
        return f"end the statement before `{joined[1]}` with `;`"
    return _semicolon(case) or "each statement ends with `;`, and each `{` has its `}`"


def _end_of_file(case: _Case) -> str:
    text = _COMMENT.sub("", "\n".join(case.lines))
    missing = text.count("{") - text.count("}")
    if missing > 0:
        return f"close {missing} more brace{'s' if missing > 1 else ''} with `}}`"
    return _syntax(case)


def _size(match: re.Match[str], first: int) -> tuple[str, int] | None:
    """(kind, components) of a type in a message: vec, mat, or a scalar's name."""
    vector, element, rows, _, scalar = match.groups()[first : first + 5]
    if vector:
        return f"vec {element}", int(vector)
    return ("mat", int(rows)) if rows else (scalar, 1) if scalar else None


def _converted(case: _Case) -> str:
    """The fix for a value of another type than its variable."""
    given, wanted = _size(case.match, 0), _size(case.match, 5)
    if given is None or wanted is None:
        return ""
    prefix = "float" if case.language == HLSL else "vec"
    vectors = given[0].startswith("vec"), wanted[0].startswith("vec")
    if vectors == (True, True) and given[1] > wanted[1]:
        return f"write .{'xyzw'[: wanted[1]]} after the value, or declare the variable as {prefix}{given[1]}"
    if vectors == (True, True) and given[1] < wanted[1]:
        rest = "1.0" if wanted[1] - given[1] == 1 else ", ".join(["0.0"] * (wanted[1] - given[1]))
        return f"write {prefix}{wanted[1]}(VALUE, {rest}) with the value, or declare the variable as {prefix}{given[1]}"
    if vectors == (True, False) and wanted[0] != "mat":
        return f"write one component of the value, such as .x, or declare the variable as {prefix}{given[1]}"
    if vectors == (False, True) and given[0] != "mat":
        return f"write {prefix}{wanted[1]}(VALUE) with the value"
    if given[0] == "mat" and vectors[1]:
        return f"multiply the matrix by a vector of {given[1]} components"
    if given[0] == wanted[0] == "mat":
        return f"write mat{wanted[1]}(VALUE) with the matrix"
    return f"write {wanted[0]}(VALUE) with the value" if given[1] == wanted[1] == 1 else ""


def _operands(case: _Case) -> str:
    """The fix for an operator between types that it does not take."""
    operator = case.name
    left, right = _size(case.match, 1), _size(case.match, 6)
    if left is None or right is None:
        return ""
    if operator in ("&&", "||", "!"):
        return "compare numbers: `x != 0` is a condition"
    if "mat" in (left[0], right[0]) and left[1] != right[1]:
        matrix, other = (left, right) if left[0] == "mat" else (right, left)
        if other[0].startswith("vec") and other[1] == matrix[1] - 1:
            zero = "vec4(VECTOR, 1.0) for a point, vec4(VECTOR, 0.0) for a direction" if matrix[1] == 4 else "vec3(VECTOR, 1.0)"
            return f"write {zero}, or mat{other[1]}(MATRIX)"
        return "use a matrix and a vector of one size"
    if operator == "%":
        return "write mod(a, b) for floats"
    if left[0].startswith("vec") and right[0].startswith("vec") and left[1] != right[1]:
        least = min(left[1], right[1])
        return f"use vectors of one size: write .{'xyzw'[:least]} after the longer one"
    return "convert one of them, such as float(x)"


def _modified(case: _Case) -> str:
    name, kind = case.match.groups()
    what = "a uniform is" if "uniform" in kind else "an input is" if "input" in kind else "a constant is"
    return f"{what} read only: copy {name} to a local variable, and change that"


def _entry(case: _Case) -> str:
    """The fix for a module without its entry function."""
    text = _COMMENT.sub(" ", "\n".join(case.lines))
    names = list(dict.fromkeys(_FUNCTION.findall(text)))
    if case.language == HLSL:
        return f"name it: --entry-point {names[0]}" if names else "write the entry function"
    near = closest("main", names)
    return f"rename {near[0]} to main" if near else "write `void main() { ... }`, where the shader begins"


def _field(case: _Case) -> str:
    text = _COMMENT.sub(" ", "\n".join(case.lines))
    names = list(dict.fromkeys(each for each in _IDENTIFIER.findall(text) if each != case.name))
    near = closest(case.name, names) if len(case.name) > _SHORT else []
    return f"did you mean {near[0]}?" if near else "use a field of its structure"


def _only(text: str) -> Callable[[_Case], str]:
    return lambda _: text


_CONSTRUCTOR = "give a constructor as many components as its type has, such as vec4(position, 1.0) for a vec3"
# What other compilers say, and what to do. The first group is the name that is underlined.
_ROWS: tuple[tuple[re.Pattern[str], Callable[[_Case], str]], ...] = tuple(
    (re.compile(pattern), fix)
    for pattern, fix in (
        (r"'(?P<name>\w+)' : (?:undeclared identifier|unknown variable)|undefined identifier '(?P<other>\w+)'", _identifier),
        (r"'(?P<name>\w+)' : no matching overloaded function found", _identifier),
        (r"syntax error, unexpected end of file", _end_of_file),
        (r"syntax error, unexpected", _syntax),
        (r"'(.+)' : Expected", _syntax),
        (rf"cannot convert from {_TYPE} to {_TYPE}", _converted),
        (
            rf"'(?P<name>\S+)' : wrong operand types: no operation .* of type {_TYPE} and a right operand of type {_TYPE}",
            _operands,
        ),
        (r"l-value required \"(?P<name>\w+)\" \((.*)\)", _modified),
        (r"'(?P<name>\w+)' : vector swizzle (?:selection out of range|too long)", _only("name components that the vector has")),
        (r"'(?P<name>\w+)' : vector swizzle selectors not", _only("use letters of one set: xyzw, rgba or stpq")),
        (r"'(?P<name>\w+)' : unknown swizzle selection", _only("name components: x, y, z, w")),
        (r"'(?P<name>\w+)' : no such field in structure", _field),
        (r"'constructor' : (?:not enough data|too many arguments)", _only(_CONSTRUCTOR)),
        (r"boolean expression expected", _only("compare: `x != 0` is a condition")),
        (r"'(?P<name>\w+)' : redefinition", _only("give one of them another name, or remove it")),
        (
            r"'(?P<name>double|half|long|short)' : Reserved word",
            _only("write float: the targets compute with numbers of float32"),
        ),
        (r"'(?P<name>\w+)' : Reserved word", _only("use another name: the language reserves this one")),
        (r"'(?P<name>double)[\w -]*' : not supported", _only("write float: the targets compute with numbers of float32")),
        (r"'(\w+) (?:floating-point )?suffix' : required", _only("write numbers without a suffix, or with f")),
        (r"style initializers' : not supported", _only("write a constructor, such as `float[3](1.0, 2.0, 3.0)`")),
        (r"'return' : void function cannot", _only("write `return;`, or give the function a type")),
        (r"'return' : cannot convert return value", _only("return a value of the type of the function")),
        (r"version not supported", _only("write #version 330, or another of 110 to 460, or 300 es")),
        (r"'(?P<name>#version)' : must occur first", _only("move it to the first line of the file")),
        (r"'(?P<name>discard)' : not supported in this stage", _only("remove it: only fragment shaders discard")),
        (r"mul\(\) matrix size mismatch", _only("use a matrix and a vector of one size: float4(p, 1) with a float4x4")),
        (r"entry point cannot return a value", _only("write `void main()`")),
        (r"Recursion detected", _only("write the function as a loop: shaders have no recursion")),
        (r"(Missing entry point|Entry point not found)", _entry),
        (r"(?P<name>\w+) deprecated in version|'(?P<other>attribute|varying)' : not supported", _only("write in and out")),
    )
)
# Messages that follow from one before in their line.
_AFTER = re.compile(
    r"'(?:assign|=|constructor|return)' : |syntax error, |: no matching overloaded function found|boolean expression expected"
    r"|function does not return a value|: '(?:declaration|struct member declarations"
    r"|function parameter list)' : Expected|wrong operand types|type conversion on return values"
)


def defined(finding: Diagnostic, defines: Sequence[str]) -> Diagnostic:
    """The finding about a line with a name that a definition of the command line or the configuration replaces."""
    text = _COMMENT.sub(lambda match: " " * len(match[0]), finding.span.text)
    for define in defines if finding.severity == ERROR else ():
        name, _, value = define.partition("=")
        at = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) if name else None
        if at is None or text.lstrip().startswith("#"):
            continue
        constant = re.search(rf"\bconst\s+\w+\s+{re.escape(name)}\s*=\s*([^;]+);", text)
        fix = f"leave out the definition of {name}"
        if constant is not None:
            lines = f"`#ifndef {name}`, `#define {name} {constant[1].strip()}` and `#endif`"
            fix = f"write {lines} on lines of their own in its place, or {fix}"
        message = f"{finding.message}: {name} is defined as {value or '1'}, which the preprocessor writes here"
        return finding._replace(message=message, span=finding.span.at(at.start() + 1, len(name)), fix=fix)
    return finding


# What only other stages have, in the words of the validator of SPIR-V.
_OTHER_STAGE = re.compile(r"\b(?:instructions|OpKill|OpDemoteToHelper\w{0,40}) requires? (?:\w{1,20} or )?Fragment\b")
_OF_FRAGMENTS = re.compile(r"\b(ddx|ddy|fwidth|dFdx|dFdy|clip|discard)(?:_coarse|_fine|Coarse|Fine)?\b")


def of_other_stages(said: str, source: str) -> tuple[int, str, str] | None:
    """(line, text, fix) of what only fragment shaders do, where a validator refuses a module for it."""
    if not _OTHER_STAGE.search(said[:_MOST_TEXT]):
        return None
    code = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)
    used = _OF_FRAGMENTS.search(code)
    if used is None:
        return None
    line = code[: used.start()].count("\n") + 1
    return line, f"'{used[0]}' : not supported in a vertex shader", "remove it: only fragment shaders have it"


_CALLING = re.compile(r"Recursion detected:\s{0,8}\n(?:\S{0,200}: )?\s{0,8}(\w{1,80})\([^\n]{0,200}? calling (\w{1,80})\(")


def recursion(said: str, source: str) -> tuple[int, str, str] | None:
    """(line, text, fix) of a function that calls itself, of which compilers name no line."""
    match = _CALLING.search(said[:_MOST_TEXT])
    defined = re.search(rf"^[ \t]*\w+[ \t]+{match[1]}[ \t]*\(", source, re.MULTILINE) if match is not None else None
    if match is None or defined is None:
        return None
    line = source[: defined.end()].count("\n") + 1
    return line, f"Recursion detected: {match[1]} calls {match[2]}", "write it as a loop: shaders have no recursion"


def explained(found: Sequence[Diagnostic], sources: Mapping[str, Sequence[str]], language: str) -> list[Diagnostic]:
    """The findings of a compiler with their columns and fixes, without those that follow from one before in their line."""
    errors: set[tuple[str, int]] = set()
    kept: list[Diagnostic] = []
    for each in found:
        place = each.span.file, each.span.line
        if place in errors and each.span.line and _AFTER.search(each.message):
            continue
        if each.severity == ERROR:
            errors.add(place)
        lines = sources.get(each.span.file, ())
        short = len(each.message) < _MOST_MESSAGE and sum(map(len, lines)) < _MOST_SOURCE
        kept.append(_explained(each, lines, language) if short and len(kept) < _MOST_EXPLAINED else each)
    return kept


def _explained(finding: Diagnostic, lines: Sequence[str], language: str) -> Diagnostic:
    for pattern, fix in _ROWS:
        match = pattern.search(finding.message)
        if match is None:
            continue
        case = _Case(match, lines, finding.span.line, language)
        text = fix(case)
        name = case.name or (text.rpartition(" in the place of ")[2] if fix is _syntax else "")
        member = r"\.\s*" if " swizzle " in match[0] or " field " in match[0] else r"(?<!\w)"
        at = re.search(rf"{member}(?P<name>{re.escape(name)})(?!\w)", case.line) if name else None
        span = finding.span.at(at.start("name") + 1, len(name)) if at is not None and finding.span.line else finding.span
        function = re.match(r"(?:rename|name it: --entry-point) (\w+)", text)
        if function is not None and not span.line:
            number, line = next((n, line) for n, line in enumerate(lines, 1) if re.search(rf"\b{function[1]}\s*\(", line))
            at = re.search(rf"\b{function[1]}\b", line)
            span = Span(file=span.file, line=number, column=at.start() + 1 if at else 0, length=len(function[1]), text=line)
        before = re.match(r"end line (\d+) with", text)
        if before is not None:
            number = int(before[1])
            line = lines[number - 1].rstrip("\r")
            span = Span(file=span.file, line=number, column=len(_COMMENT.sub("", line).rstrip()) + 1, length=1, text=line)
        return finding._replace(span=span, fix=finding.fix or text)
    return finding
