"""Findings about a source before a compiler is asked: it is not a vertex shader, or has what no compiler takes."""

from __future__ import annotations

import re

from lanewise.compile.outside.fixed_function import Refused, without_builtins
from lanewise.compile.outside.sources import without_comments
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError, listed
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import SourceFile

_LARGEST = 1 << 22  # bytes of a source
MOST_NOTES = 5  # and errors of a compiler: what follows is mostly a consequence
_STAGES = (".frag", ".fsh", ".fs", ".geom", ".gsh", ".tesc", ".tese", ".comp", ".psh")
_OTHER_STAGE = re.compile(
    r"\b(gl_Frag(?:Color|Coord|Data|Depth)|gl_FrontFacing|EmitVertex\s*\(|gl_GlobalInvocationID|gl_TessCoord|gl_PointCoord|mainImage\s*\()"
)
_PIXEL = r"(?:SV_Target|COLOR|SV_Depth|DEPTH)\d*"


def refuse_nonsense(source: SourceFile) -> None:
    """Raises InputError for a file that cannot be a source: the compilers describe such a file badly."""
    what = "is empty" if not source.data.strip() else "is not a text" if b"\0" in source.data else ""
    if not what and len(source.data) > _LARGEST:
        what = f"has {len(source.data) >> 20} MiB: sources have {_LARGEST >> 20} at most"
    if what:
        fix = "give a vertex shader in a text file"
        raise InputError(
            [
                Diagnostic(
                    code="L903",
                    severity=ERROR,
                    message=f"this is not a vertex shader: {source.name} {what}",
                    span=Span(file=source.name),
                    notes=(),
                    fix=fix,
                )
            ]
        )


def refuse_stage(source: SourceFile, text: str, language: str) -> None:
    """Raises InputError for a shader of another stage."""
    suffix = next((suffix for suffix in _STAGES if source.path.lower().endswith(suffix)), "")
    used = _OTHER_STAGE.search(without_comments(text)) if language == "glsl" and not suffix else None
    if not suffix and used is None:
        return
    reason = f"its suffix is {suffix}" if suffix else f"it uses {used[1].partition('(')[0].strip()}" if used is not None else ""
    word = used[1].partition("(")[0].strip() if used is not None else suffix
    place = Span(file=source.name)
    if used is not None:
        number, line = next(((n, each) for n, each in enumerate(text.split("\n"), 1) if word in each), (0, ""))
        place = Span(file=source.name, line=number, column=line.find(word) + 1, length=len(word), text=line.rstrip("\r"))
    message = f"this is not a vertex shader: {reason}"
    raise InputError([Diagnostic(code="L903", severity=ERROR, message=message, span=place, fix=_instead(word))])


def _instead(word: str) -> str:
    """The fix for what only another stage has, or for the suffix of one."""
    if word == "mainImage":
        return "this is a program for pixels, of Shadertoy: write a vertex shader, `void main() { gl_Position = ...; }`"
    if word.startswith((".g", "Emit")):
        return "give the vertex shader; geometry shaders of the PICA200 are written in picasso (.g.pica)"
    if word in (".comp", ".tesc", ".tese") or word.startswith(("gl_Global", "gl_Tess")):
        return "give a vertex shader: no target has compute or tessellation stages"
    return (
        "give the vertex shader; the texture combiners do the work of fragment shaders on the PICA200; for ShaderCore write "
        "its arithmetic as a vertex shader (.vert), with gl_Position from an input, or as Direct3D 9 assembly (.psa)"
    )


def refuse_pixels(source: SourceFile, text: str, entry: str) -> None:
    """Raises InputError for a function in HLSL that returns the colour of a pixel, and has no position among its outputs."""
    code = without_comments(text)
    found = re.search(rf"\b{re.escape(entry)}\s*\(([^()]*)\)\s*:\s*({_PIXEL})", code, re.IGNORECASE)
    if found is None or re.search(r"\bout\b[^,]*:\s*(SV_)?POSITION", found[1], re.IGNORECASE):
        return
    before = code[: found.start(2)]
    line = before.count("\n") + 1
    message = f"this is not a vertex shader: {entry} returns {found[2]}, the colour of a pixel"
    fix = (
        "for ShaderCore, `fxc /T ps_3_0 /Fo shader.pso FILE` and `lanewise compile shader.pso`; on the 3DS the texture "
        "combiners do the work of pixel shaders"
    )
    shown = text.split("\n")[line - 1].rstrip("\r")
    column = len(before) - before.rfind("\n") if shown[len(before) - before.rfind("\n") - 1 :].startswith(found[2]) else 0
    place = Span(file=source.name, line=line, column=column, length=len(found[2]), text=shown)
    raise InputError([Diagnostic(code="L903", severity=ERROR, message=message, span=place, notes=(), fix=fix)])


def without_old(source: SourceFile, texts: Sequence[str]) -> list[str]:
    """A source of GLSL 1.x and its includes without built-in variables that version 450 does not have. Raises InputError."""
    try:
        return without_builtins(texts)
    except Refused as refused:
        lines = texts[0].split("\n")
        text = lines[refused.line - 1].rstrip("\r") if refused.line else ""
        names, fixes = list(refused.names), list(dict.fromkeys(refused.names.values()))
        finding = Diagnostic(
            code="L906",
            severity=ERROR,
            message=f"{listed(names)} {'are' if len(names) > 1 else 'is'} not available: fixed functions are not there",
            span=Span(file=source.name, line=refused.line, text=text),
            notes=tuple([f"{name}: {fix}" for name, fix in refused.names.items()][:MOST_NOTES]) if len(names) > 1 else (),
            fix=fixes[0] if len(fixes) == 1 else f"replace {'each' if len(names) > 1 else 'it'} by what the notes say",
        )
        raise InputError([finding]) from None
