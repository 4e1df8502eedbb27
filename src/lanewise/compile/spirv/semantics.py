"""The meaning of inputs and outputs: by the semantics of HLSL and Cg, or the name of an output.

An output's name is taken apart: its last part after a dot, without the prefixes that shaders use (`out_`, `v_`, `fs_`, ...), in
lower case and without underscores. What remains must be the name of a semantic or one of its aliases. A location never decides,
unless an option says what each one means.
"""

from __future__ import annotations

import re

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# Components of each semantic: 3dbrew, GPUREG_SH_OUTMAP_Oi.
SEMANTICS: Mapping[str, int] = {
    "position": 4,
    "normalquat": 4,
    "color": 4,
    "texcoord0": 2,
    "texcoord0w": 1,
    "texcoord1": 2,
    "texcoord2": 2,
    "view": 3,
}
# The numbering of `--output-locations`.
LOCATIONS: Mapping[int, str] = {
    0: "normalquat",
    1: "color",
    2: "texcoord0",
    3: "texcoord0w",
    4: "texcoord1",
    5: "texcoord2",
    6: "view",
}

# Names of outputs for light that a pixel shader computes, which a target with these semantics does not have.
PER_PIXEL = re.compile(r"norm|nrm|tangent|world|frag|light|shadow|depth", re.IGNORECASE)

# The position is what gl_Position is: an output such as `fragPosition` is something else.
_ALIASES: Mapping[str, tuple[str, ...]] = {
    "normalquat": ("quat", "quaternion", "nq", "normquat", "tangentquat"),
    "color": ("colour", "col", "clr", "color0", "colour0", "col0", "clr0", "vertexcolor", "vertexcolour", "diffusecolor"),
    "texcoord0": (
        "texcoord",
        "tex",
        "tex0",
        "tc",
        "tc0",
        "uv",
        "uv0",
        "texcoords",
        "texcoords0",
        "texturecoord",
        "texturecoord0",
        "multitexcoord0",
    ),
    "texcoord0w": ("tex0w", "tc0w", "uv0w", "texcoordw"),
    "texcoord1": ("tex1", "tc1", "uv1", "texcoords1", "texturecoord1", "multitexcoord1"),
    "texcoord2": ("tex2", "tc2", "uv2", "texcoords2", "texturecoord2", "multitexcoord2"),
    "view": ("viewvec", "viewvector", "viewdir", "viewdirection"),
}
_BY_NAME = {alias: name for name, aliases in _ALIASES.items() for alias in (name, *aliases)}
_PREFIXES = (
    "vertex",
    "varying",
    "frag",
    "vary",
    "vert",
    "out",
    "var",
    "vs",
    "fs",
    "ps",
    "my",
    "the",
    "our",
    "v",
    "o",
    "f",
    "a",
    "p",
    "s",
)


def semantic_of(name: str) -> str:
    """The semantic that a name says; empty where it says none."""
    words = name.rpartition(".")[2]
    plain = words.replace("_", "").lower()
    return _search(plain, 3)


def _search(plain: str, depth: int) -> str:
    """The semantic of a name in lower case, without up to `depth` prefixes."""
    found = _BY_NAME.get(plain, "")
    if found or not depth:
        return found
    for prefix in _PREFIXES:
        if plain.startswith(prefix) and len(plain) > len(prefix):
            found = _search(plain[len(prefix) :], depth - 1)
            if found:
                return found
    return ""


# Usages of Direct3D 9 (D3DDECLUSAGE), by the semantics of HLSL (Microsoft, "Semantics") and those that Cg has besides (Cg
# reference manual, profiles vp30, vp40, arbvp1 and vs_3_0). Numbered attributes are those of NVIDIA's vertex programs.
_USAGES: Mapping[str, tuple[str, ...]] = {
    "position": ("sv_position", "hpos"),
    "blendweight": ("blendweights",),
    "blendindices": ("blendindex",),
    "normal": (),
    "psize": ("psiz", "pointsize"),
    "texcoord": ("tex", "texunit"),
    "tangent": (),
    "binormal": (),
    "tessfactor": (),
    "positiont": (),
    "color": ("col", "colour"),
    "fog": ("fogc", "fogcoord"),
    "depth": (),
}
_BY_USAGE = {alias: name for name, aliases in _USAGES.items() for alias in (name, *aliases)}
_ONE_NAME: Mapping[str, tuple[str, int]] = {"diffuse": ("color", 0), "specular": ("color", 1)}
_ATTRIBUTES: tuple[tuple[str, int], ...] = (
    ("position", 0),
    ("blendweight", 0),
    ("normal", 0),
    ("color", 0),
    ("color", 1),
    ("fog", 0),
    ("psize", 0),
    ("blendindices", 0),
    *[("texcoord", number) for number in range(8)],
)
_SEMANTIC = re.compile(r"([A-Za-z_]+)(\d{0,3})")


def usage_of(semantic: str, further: int = 0) -> str:
    """The usage that a semantic of HLSL, Cg or Direct3D 9 says, such as `position`, `color` or `texcoord0`; empty where it says
    none. `further` is added to its index: a row of a matrix."""
    parts = _SEMANTIC.fullmatch(semantic)
    if parts is None:
        return ""
    name, index = parts[1].lower(), int(parts[2] or 0)
    if name in _ONE_NAME and not parts[2]:
        usage, index = _ONE_NAME[name]
    elif name == "attr" and parts[2] and index < len(_ATTRIBUTES):
        usage, index = _ATTRIBUTES[index]
    else:
        usage = _BY_USAGE.get(name, "")
    index += further
    return f"{usage}{index if index or usage == 'texcoord' else ''}" if usage else ""
