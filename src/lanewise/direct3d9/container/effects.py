"""Read effect files of every kind: fx_2_0, MGFX, and both inside XNB; DXBC containers with a Direct3D 9 shader.

What is wrong with a file is a finding. `read_effect` never raises.
"""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.record import Record
from lanewise.core.source import Span
from lanewise.direct3d9.container import dxbc, fx2, mgfx, xnb
from lanewise.direct3d9.container.bounded import Malformed
from lanewise.direct3d9.isa.effect import DXBC, PIXEL, VERTEX, Effect, EffectShader
from lanewise.direct3d9.isa.table import BY_TOKEN


class ReadEffect(Record):
    """The effect of a file, None where it cannot be read, and what was found."""

    effect: Effect | None
    diagnostics: list[Diagnostic]


def read_effect(data: bytes, name: str) -> ReadEffect:
    """The effect of a file. A DXBC container is one with the shader of its level 9 part, and without techniques."""
    try:
        if xnb.is_xnb(data):
            return _of_xnb(data, name)
        return _read(data, name)
    except Malformed as error:
        return _failed(error, name, 0)


def _failed(error: Malformed, name: str, begin: int) -> ReadEffect:
    finding = Diagnostic(
        code="C314",
        severity=ERROR,
        message=f"malformed effect: {error.message}",
        span=Span(file=name, offset=begin + error.offset),
        fix="check that the file is complete; lanewise inspect --scan FILE finds the shaders that are whole",
    )
    return ReadEffect(None, [finding])


def _read(data: bytes, name: str) -> ReadEffect:
    if mgfx.is_effect(data):
        return ReadEffect(mgfx.read_effect(data), [])
    if data.startswith(dxbc.TAG):
        return _of_dxbc(data, name)
    return ReadEffect(fx2.read_effect(data), [])


def _of_xnb(data: bytes, name: str) -> ReadEffect:
    found = xnb.read_xnb(data)
    if found.compression:
        tool = "xnbcli unpack" if found.compression == "LZX" else "xnbcli unpack, or build the content without compression"
        return ReadEffect(
            None,
            [
                Diagnostic(
                    code="C316",
                    severity=ERROR,
                    message=f"this XNB is compressed with {found.compression}, which lanewise does not unpack",
                    span=Span(file=name, offset=5),
                    fix=f"unpack it first, for example with {tool}",
                )
            ],
        )
    if not found.effect:
        return ReadEffect(
            None,
            [
                Diagnostic(
                    code="C317",
                    severity=ERROR,
                    message=f"this XNB holds no effect: its contents are for {found.reader}",
                    span=Span(file=name, offset=10),
                    fix="give an XNB that was built from an .fx file",
                )
            ],
        )
    try:
        inner = _read(found.effect, name)
    except Malformed as error:
        return _failed(error, name, found.offset)
    if inner.effect is None:
        return inner
    shaders = tuple([shader._replace(offset=shader.offset + found.offset) for shader in inner.effect.shaders])
    return ReadEffect(inner.effect._replace(shaders=shaders, wrapping="XNB"), inner.diagnostics)


def _of_dxbc(data: bytes, name: str) -> ReadEffect:
    place = dxbc.place_of_level9(data)
    if place is None:
        return ReadEffect(None, [no_level9(name)])
    stream = data[place[0] : place[0] + place[1]]
    version = BY_TOKEN.get(int.from_bytes(stream[:4], "little"))
    if version is None:
        raise Malformed("its chunk Aon9 does not begin with a version token", place[0])
    stage = VERTEX if version.kind == "vs" else PIXEL
    return ReadEffect(
        Effect(
            format="DXBC",
            techniques=(),
            parameters=(),
            shaders=(EffectShader(name="level9", stage=stage, kind=DXBC, code=data, stream=stream, offset=place[0]),),
        ),
        [],
    )


def no_level9(name: str) -> Diagnostic:
    """The finding about a DXBC container without a Direct3D 9 shader."""
    return Diagnostic(
        code="C310",
        severity=ERROR,
        message="this is a DXBC file: a shader for Direct3D 10 or later (shader model 4 and up)",
        span=Span(file=name, offset=0),
        fix="compile for a Direct3D 9 profile, such as vs_3_0, or for a level 9 profile, such as vs_4_0_level_9_3, which "
        "holds one inside",
    )
