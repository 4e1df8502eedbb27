"""Sources for the compilers of other projects: their versions and entry points, and the names of their files."""

from __future__ import annotations

import re
from pathlib import Path

from lanewise.compile.outside.effects import has_techniques, vertex_shaders
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError, listed
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span

if TYPE_CHECKING:
    from lanewise.core.service import SourceFile

_VERSION = re.compile(r"^[ \t]*#[ \t]*version[ \t]+(\d+)(?:[ \t]+(es|core|compatibility))?", re.MULTILINE)
_VULKAN = re.compile(r"\bset\s*=|\b(?:push_constant|gl_VertexIndex|gl_InstanceIndex|input_attachment_index)\b")
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b", re.MULTILINE)
_ATTRIBUTED = re.compile(r"\[\s*shader\s*\(\s*\"vertex\"\s*\)\s*\]\s*[\w<>,\s]+?\b(\w+)\s*\(")
_POSITIONS = re.compile(r"\b(\w+)\s*\([^()]*\)\s*:\s*(?:SV_)?POSITION\b", re.IGNORECASE)
_ENTRIES = re.compile(r"\b(main|vertexMain|VSMain|vs_main|VS_Main|mainVS|main_vs|vsMain|vert|VS)\s*\(")


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?(?:\*/|\Z)|//[^\n]*", " ", text, flags=re.DOTALL)


def is_modern(text: str) -> bool:
    """Whether SPIR-V is defined for the version of a GLSL source: 330 and later, and 310 and later of ES."""
    found = _VERSION.search(text)
    if found is None or found[2] == "compatibility":
        return False
    return int(found[1]) >= (310 if found[2] == "es" else 330)


def is_vulkan(text: str) -> bool:
    """Whether a source of GLSL has what only Vulkan's has."""
    return _VULKAN.search(without_comments(text)) is not None


def including(text: str) -> str:
    """GLSL for glslang, which takes #include only where the source asks for the extension; the numbers of lines stay."""
    if not _INCLUDE.search(text) or "GL_GOOGLE_include_directive" in text:
        return text
    version = _VERSION.search(text)
    at = 0 if version is None else text.find("\n", version.end()) + 1
    if version is not None and at == 0:
        return text
    return f"{text[:at]}#extension GL_GOOGLE_include_directive : enable\n#line {text.count(chr(10), 0, at) + 1}\n{text[at:]}"


def _several(source: SourceFile, names: list[str], what: str) -> InputError:
    fix = f"name one: `--entry-point {names[0]}`{', or its technique and pass' if what == 'effect' else ''}"
    message = f"the {what} has {len(names)} vertex shaders: {listed(names)}"
    return InputError([Diagnostic(code="L907", severity=ERROR, message=message, span=Span(file=source.name), fix=fix)])


def _no_function(source: SourceFile, wanted: str) -> Diagnostic:
    return Diagnostic(
        code="L907",
        severity=ERROR,
        message=f"there is no vertex shader '{wanted}': in GLSL it is the function main",
        span=Span(file=source.name),
        fix="leave --entry-point out, or rename the function to main",
    )


def entry_of(source: SourceFile, text: str, language: str, wanted: str) -> str:
    """The name of the vertex shader in a source: `main` in GLSL. `wanted` is a function, or a technique or pass of an effect.
    Raises InputError for an effect with several."""
    if language == "glsl":
        if wanted not in ("", "main"):
            raise InputError([_no_function(source, wanted)])
        return "main"
    shaders = vertex_shaders(text) if language == "hlsl" else []
    for shader in shaders:
        if wanted in shader.names:
            return shader.entry
    names = list(dict.fromkeys([shader.entry for shader in shaders]))
    if len(names) > 1 and not wanted:
        raise _several(source, names, "effect")
    if not (names or wanted) and language == "hlsl" and has_techniques(text):
        finding = Diagnostic(
            code="L903",
            severity=ERROR,
            message="this is not a vertex shader: no pass of the effect names one",
            span=Span(file=source.name),
            fix="name a function: `--entry-point NAME`",
        )
        raise InputError([finding])
    code = without_comments(text)
    returning = list(dict.fromkeys(_POSITIONS.findall(code))) if language == "hlsl" and not (names or wanted) else []
    if len(returning) > 1 and "main" not in returning:
        raise _several(source, returning, "source")
    found = _ATTRIBUTED.search(code) or _ENTRIES.search(code)
    return wanted or (names[0] if names else found[1] if found is not None else "main")


def safe_name(source: SourceFile, language: str) -> str:
    """A name for the file that the compiler reads, which its messages have."""
    name = re.sub(r"[^\w.-]", "_", Path(source.path).name).lstrip("-.") if source.path not in ("", "-") else ""
    suffix = {"glsl": ".vert", "hlsl": ".hlsl", "slang": ".slang"}[language]
    return name if name.endswith(suffix) else f"{name or 'shader'}{suffix}"
