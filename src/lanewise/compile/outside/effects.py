"""Effects of Direct3D as text (.fx, .cgfx): the vertex shaders that their techniques name, and the source without what only
effects have. Lines stay where they are."""

from __future__ import annotations

import re

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
# Runs of characters have a limit each, so that a hostile text takes no longer than its size says.
_TECHNIQUE = re.compile(r"\b[tT]echnique(?:10|11)?\b\s*(\w*)\s*(?:<[^<>{}]{0,999}>\s*)?\{")
_PASS = re.compile(r"\b[pP]ass\b\s*(\w*)\s*(?:<[^<>{}]{0,999}>\s*)?\{")
# VertexShader = compile vs_3_0 main(); of CgFX VertexProgram; SetVertexShader(CompileShader(vs_4_0, main())) of Direct3D 10.
_COMPILED = re.compile(
    r"\b(?i:VertexShader|VertexProgram)\s*=\s*compile\s+\w+\s+(\w+)\s*\("
    r"|\bSetVertexShader\s*\(\s*CompileShader\s*\(\s*\w+\s*,\s*(\w+)\s*\("
)
_NAMED = re.compile(
    r"\b(?i:VertexShader|VertexProgram)\s*=\s*[<(]?\s*(\w+)\s*(?:\[[^;{}]{0,99}\]\s*)?[>)]?\s*;"
    r"|\bSetVertexShader\s*\(\s*(\w+)\s*\)"
)
_VARIABLE = re.compile(
    r"^[ \t]*(?:Vertex|Pixel)Shader\s+(\w+)\s*=\s*(?:compile\s+\w+\s+|CompileShader\s*\(\s*\w+\s*,\s*)(\w+)[^;{}]{0,999};",
    re.MULTILINE,
)
# VertexShader VSArray[20] = { compile vs_2_0 first(), compile vs_2_0 second() }; of which a pass takes one by its number.
_ARRAY = re.compile(r"^[ \t]*(?:Vertex|Pixel)Shader\s+(\w+)\s*\[\s*\w*\s*\]\s*=\s*\{", re.MULTILINE)
_ELEMENT = re.compile(r"\bcompile\s+\w+\s+(\w+)\s*\(|\bCompileShader\s*\(\s*\w+\s*,\s*(\w+)\s*\(")
# A constant of the file without a value is one that the application gives (Microsoft, "Variable Syntax": const, uniform);
# glslang takes it as 0.
_UNIFORM = re.compile(r"^([ \t]*(?:(?:extern|uniform|shared)[ \t]+)*)const\b(?=[^;={}]{0,999};)", re.MULTILINE)
_STATE = re.compile(r"=\s*sampler_state\s*\{")
_IMMEDIATE = re.compile(
    r"\b(SamplerState|SamplerComparisonState|DepthStencilState|BlendState|RasterizerState)\s+\w+[^;{}()]{0,99}\{"
)
_ANNOTATION = re.compile(r"<\s*(?:(?:string|float|int|bool|half)[1-4]?\s+\w+\s*=[^<>{};]{0,999};\s*)+>")
_TEXTURE = re.compile(r"^[ \t]*(?:shared\s+)?(?:texture(?:1D|2D|3D|CUBE)?|string)\s+\w+[^;(){}]{0,999};", re.MULTILINE)
_HINT = re.compile(r"\b[tT]echnique|\bsampler_state\b|\btexture\b|\bSamplerState\b|\bstring\b|<\s*string\b|\bVertexShader\b")


class Vertex(Record):
    """A vertex shader that a pass names."""

    technique: str
    shader_pass: str
    entry: str

    @property
    def names(self) -> tuple[str, ...]:
        """All that it may be called."""
        return self.entry, self.technique, f"{self.technique}/{self.shader_pass}"


def vertex_shaders(text: str) -> list[Vertex]:
    """The vertex shaders of all passes, in order."""
    code = _COMMENT.sub(_blank, text)
    variables = {match[1]: match[2] for match in _VARIABLE.finditer(code)}
    arrays = {name: [match[1] or match[2] for match in _ELEMENT.finditer(body)] for name, body in _blocks(code, _ARRAY)}
    found: list[Vertex] = []
    for technique, inside in _blocks(code, _TECHNIQUE):
        for name, body in _blocks(inside, _PASS):
            compiled = _COMPILED.search(body)
            named = _NAMED.search(body) if compiled is None else None
            entry = (compiled[1] or compiled[2]) if compiled is not None else ""
            if named is not None:
                entry = variables.get(named[1] or named[2], "")
                found += [Vertex(technique, name, each) for each in arrays.get(named[1] or named[2], ())]
            if entry:
                found.append(Vertex(technique, name, entry))
    return found


def has_techniques(text: str) -> bool:
    """Whether a text is an effect, with techniques."""
    return _TECHNIQUE.search(_COMMENT.sub(_blank, text)) is not None


def without_effects(text: str) -> str:
    """A source without techniques, states of samplers, annotations and textures of Direct3D 9; constants without a value are
    uniforms."""
    text = _UNIFORM.sub(lambda match: f"{match[1]}     ", text)
    if not _HINT.search(text):
        return text
    code = _COMMENT.sub(lambda match: match[0] if match[0].startswith('"') else _blank(match), text)
    for pattern in (_TECHNIQUE, _IMMEDIATE, _STATE, _ARRAY):
        code = _without_blocks(code, pattern)
    for pattern in (_ANNOTATION, _VARIABLE, _TEXTURE):
        code = pattern.sub(_blank, code)
    return code


def _without_blocks(code: str, pattern: re.Pattern[str]) -> str:
    """A text without blocks in braces; a sampler keeps its declaration."""
    parts: list[str] = []
    at = 0
    for match in pattern.finditer(code):
        if match.start() < at:
            continue
        end = _end(code, match.end())
        sampler = pattern is _IMMEDIATE and match[1].startswith("Sampler")
        start = match.end() - 1 if sampler else match.start()
        if pattern is _ARRAY or (pattern is _IMMEDIATE and not sampler):  # with its semicolon: an empty declaration is an error
            end = code.find(";", end) + 1 or len(code)
        parts += [code[at:start], re.sub(r"[^\n]", " ", code[start:end])]
        at = end
    return "".join([*parts, code[at:]])


def _blocks(code: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """The name and the inside of each block."""
    at = 0
    for match in pattern.finditer(code):
        if match.start() >= at:
            at = _end(code, match.end())
            yield match[1], code[match.end() : at - 1]


def _end(code: str, at: int) -> int:
    """The place behind the brace that closes the one in front of `at`."""
    depth = 1
    for match in re.compile(r"[{}]").finditer(code, at):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return match.end()
    return len(code)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])
