"""Built-in variables of GLSL 1.x, which no compiler to SPIR-V has: attributes, matrices and outputs of the fixed functions.

Each becomes a variable that is declared in a line of the source, so that the numbers of lines stay. Its name in the module
begins with `MARK`, and `shown` gives the one that programs and applications see.
"""

from __future__ import annotations

import re

from lanewise.core.diagnostics import PortableError
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MARK = "lwgl_"
_MOST_COORDINATES = 8  # gl_MaxTextureCoords is at least 2, and 8 wherever these programs ran


class Builtin(Record):
    """A built-in variable."""

    declaration: str
    "Its qualifier and type."
    shown: str
    "Its name for applications: those of citro3d's examples, and of semantics."


# GLSL specification 1.20, 7.1 to 7.6.
BUILTINS: Mapping[str, Builtin] = {
    "Vertex": Builtin("in vec4", "position"),
    "Normal": Builtin("in vec3", "normal"),
    "Color": Builtin("in vec4", "color"),
    "SecondaryColor": Builtin("in vec4", "color1"),
    "FogCoord": Builtin("in float", "fogcoord"),
    **{f"MultiTexCoord{n}": Builtin("in vec4", f"texcoord{n}") for n in range(_MOST_COORDINATES)},
    "ModelViewMatrix": Builtin("uniform mat4", "modelView"),
    "ProjectionMatrix": Builtin("uniform mat4", "projection"),
    "ModelViewProjectionMatrix": Builtin("uniform mat4", "modelViewProjection"),
    "ModelViewMatrixInverse": Builtin("uniform mat4", "modelViewInverse"),
    "ModelViewMatrixTranspose": Builtin("uniform mat4", "modelViewTranspose"),
    "ModelViewMatrixInverseTranspose": Builtin("uniform mat4", "modelViewInverseTranspose"),
    "NormalMatrix": Builtin("uniform mat3", "normalMatrix"),
    "NormalScale": Builtin("uniform float", "normalScale"),
    "TextureMatrix": Builtin("uniform mat4", "textureMatrix"),
    "FrontColor": Builtin("out vec4", "color"),
    "TexCoord": Builtin("out vec4", "texcoord"),
}
_ARRAYS = ("TextureMatrix", "TexCoord")
# What there is no variable for, and what to write.
_REFUSED: Mapping[str, str] = {
    "BackColor": "write gl_FrontColor: there is one color",
    "BackSecondaryColor": "write gl_FrontColor: there is one color",
    "FrontSecondaryColor": "add it to gl_FrontColor: there is one color",
    "FogFragCoord": "remove it: the GPU computes fog from the depth",
    "ClipVertex": "remove it: write gl_Position only",
    **dict.fromkeys(
        ["LightSource", "LightModel"]
        + [f"{name}Product" for name in ("FrontLight", "BackLight", "FrontLightModel", "BackLightModel")],
        "declare a uniform for the light, such as `uniform vec4 lightPosition;`",
    ),
    **dict.fromkeys(("FrontMaterial", "BackMaterial"), "declare a uniform for the material, such as `uniform vec4 diffuse;`"),
    **dict.fromkeys(("Fog", "Point", "DepthRange", "ClipPlane", "TextureEnvColor"), "declare a uniform for it"),
    **dict.fromkeys([f"{kind}Plane{axis}" for kind in ("Eye", "Object") for axis in "STRQ"], "declare a uniform for the plane"),
}
_NAME = re.compile(r"\bgl_([A-Z]\w*)\b")
_TRANSFORM = re.compile(r"\bftransform\s*\(\s*(?:void\s*)?\)")
_INDEX = re.compile(r"\bgl_(TexCoord|TextureMatrix)\s*\[\s*(\d{1,3})\s*\]")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)


class Refused(PortableError):
    """Built-in variables that nothing takes the place of: the names with what to write, and the line of the first."""

    names: Mapping[str, str]
    line: int

    def __init__(self, names: Mapping[str, str], line: int) -> None:
        super().__init__(names, line)
        self.names, self.line = names, line


def without_builtins(texts: Sequence[str]) -> list[str]:
    """A source and the files that it includes with variables in place of built-in ones, declared in the source. Raises
    Refused."""
    code = [_COMMENT.sub(_blank, text) for text in texts]
    used = {name for text in code for name in _NAME.findall(text)}
    if any(_TRANSFORM.search(text) for text in code):
        used |= {"ModelViewProjectionMatrix", "Vertex"}
    refused = {f"gl_{name}": _REFUSED[name] for name in sorted(used & _REFUSED.keys())}
    if refused:
        first = next((match for match in _NAME.finditer(code[0]) if match[1] in _REFUSED), None)
        raise Refused(refused, 1 + code[0].count("\n", 0, first.start()) if first is not None else 0)
    used &= BUILTINS.keys()
    if not used:
        return list(texts)
    count = 1 + max([int(match[2]) for text in code for match in _INDEX.finditer(text)], default=_MOST_COORDINATES - 1)
    declarations = [
        f"{row.declaration} {MARK}{name}{f'[{count}]' if name in _ARRAYS else ''};"
        for name, row in BUILTINS.items()
        if name in used
    ]
    first, *others = [_renamed(text) for text in texts]
    at = _place(first)
    return [f"{first[:at]}{' '.join(declarations)} {first[at:]}", *others]


def shown(name: str) -> str:
    """The name of a variable for applications: of those that are declared here, another than in the module."""
    before, dot, last = name.rpartition(".")
    known = BUILTINS.get(last.removeprefix(MARK)) if last.startswith(MARK) else None
    if known is None and last.startswith(MARK):  # an element of an array that Slang has split
        plain = last.removeprefix(MARK).rstrip("0123456789")
        known = BUILTINS.get(plain) if plain in _ARRAYS else None
        return f"{before}{dot}{known.shown}{last[len(MARK) + len(plain) :]}" if known is not None else name
    return name if known is None else f"{before}{dot}{known.shown}"


def as_written(message: str) -> str:
    """A message of a compiler with the names of the source."""
    return message.replace(MARK, "gl_")


def _renamed(text: str) -> str:
    text = _TRANSFORM.sub(f"({MARK}ModelViewProjectionMatrix * {MARK}Vertex)", text)
    return _NAME.sub(lambda match: f"{MARK}{match[1]}" if match[1] in BUILTINS else match[0], text)


def _place(text: str) -> int:
    """Where declarations go: the beginning of the first line of code behind #version and #extension that is in no condition."""
    at = depth = 0
    found = -1
    for line in _COMMENT.sub(_blank, text).split("\n"):
        word = line.strip()
        if word.startswith("#"):
            name = word[1:].strip()
            depth += name.startswith("if") - name.startswith("endif")
            if name.startswith(("version", "extension")):
                found = -1
        elif word and not depth and found < 0:
            found = at + len(line) - len(line.lstrip())
        at += len(line) + 1
    return found if found >= 0 else len(text)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])
