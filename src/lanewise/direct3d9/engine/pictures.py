"""Samplers that are pictures: which there may be, and what of a texture instruction they leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lanewise.core.diagnostics import ERROR, SAMPLER, WARNING, About, Diagnostic, InputError
from lanewise.core.extras import require_numpy
from lanewise.core.source import Span
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.operands import GRADIENT, LOD

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from lanewise.direct3d9.engine.data import Named
    from lanewise.direct3d9.isa.program import Inst, Shader

_FLAT = (isa.SAMPLER_TYPES.index("unknown"), isa.SAMPLER_TYPES.index("2d"))


def stage_of(key: int | str, named: Sequence[Named]) -> int:
    """The number of a sampler: `0`, `s0`, or a name of the constant table. Raises InputError."""
    if isinstance(key, int):
        return key
    table = {entry.name: entry.first for entry in named if entry.file == "s"}
    digits = key.lower().removeprefix("s")
    if key not in table and not (digits.isascii() and digits.isdigit() and len(digits) < 3):
        fix = f"use s0 to s15, or {', '.join(table)}" if table else "use s0 to s15"
        raise InputError(
            [
                Diagnostic(
                    code="B001",
                    severity=ERROR,
                    message=f"unknown sampler '{key}'",
                    span=Span(file=""),
                    notes=(),
                    fix=fix,
                    about=(About(SAMPLER, key),),
                )
            ]
        )
    return table[key] if key in table else int(digits)


def with_pictures(samplers: Mapping[int, object] | Mapping[str, object], named: Sequence[Named]) -> dict[int, object]:
    """The samplers of a run by number, arrays of (height, width, components) as pictures. Raises InputError for one that there
    is not, or cannot be a picture."""
    found: dict[int, object] = {}
    if samplers:
        require_numpy("a sampler")
    for key, value in samplers.items():
        stage = stage_of(key, named)
        if stage in found:
            raise InputError(
                [
                    Diagnostic(
                        code="B006",
                        severity=ERROR,
                        message=f"sampler {stage} is given twice",
                        span=Span(file=""),
                        notes=(),
                        fix="give it once",
                        about=(About(SAMPLER, str(key)),),
                    )
                ]
            )
        found[stage] = value
        if not callable(value) and _dimensions(value) == 3:
            from lanewise.arrays.picture import Picture

            try:
                found[stage] = Picture(value, name=f"sampler {stage}")
            except ValueError as error:
                raise InputError(
                    [
                        Diagnostic(
                            code="B002",
                            severity=ERROR,
                            message=f"sampler {stage}: {error}",
                            span=Span(file=""),
                            about=(About(SAMPLER, str(key)),),
                        )
                    ]
                ) from None
    return found


def _dimensions(value: object) -> int:
    """How many dimensions an array or nested lists have; 0 for those that are ragged, which are an error elsewhere."""
    import numpy as np

    try:
        return int(np.ndim(cast("Any", value)))
    except ValueError:
        return 0


def check_pictures(shader: Shader, samplers: Mapping[int, object], name: str) -> tuple[Diagnostic, ...]:
    """Warnings about instructions that choose a mip level, of which a picture has one. Raises InputError for a picture where
    another texture is declared."""
    if not samplers:
        return ()
    from lanewise.arrays.picture import Picture

    pictures = {stage for stage, value in samplers.items() if isinstance(value, Picture)}
    wrong: list[Diagnostic] = []
    warnings: dict[int, Diagnostic] = {}
    for inst in shader.insts if pictures else ():
        if (
            inst.op.role == isa.DECLARATION
            and inst.dest is not None
            and inst.dest.file == isa.SAMPLER
            and inst.dest.number in pictures
        ):
            kind = inst.payload[0] >> 27 & 0xF if inst.payload else 0
            if kind not in _FLAT:
                declared = isa.SAMPLER_TYPES[kind] if kind < len(isa.SAMPLER_TYPES) else str(kind)
                wrong.append(
                    Diagnostic(
                        code="B301",
                        severity=ERROR,
                        message=f"s{inst.dest.number} is a {declared} texture, and a picture is two-dimensional",
                        span=inst.place or Span(file=name),
                        notes=(),
                        fix=f"give a color, or in Python a function of the coordinates: samplers={{{inst.dest.number}: ...}}",
                    )
                )
        stage = _stage_with_level(inst)
        if stage in pictures and stage not in warnings:
            warnings[stage] = Diagnostic(
                code="B302",
                severity=WARNING,
                message=f"{_title(inst)} of s{stage} chooses a mip level, and a picture has level 0 only",
                span=inst.place or Span(file=name),
                notes=(),
                fix="give a picture of the level that is meant, or in Python a function of the coordinates",
            )
    if wrong:
        raise InputError(wrong)
    return tuple(warnings.values())


def _stage_with_level(inst: Inst) -> int:
    """The sampler of an instruction with a level, a bias or gradients; -1 for any other."""
    varied = inst.op.control == isa.VARIED and inst.control == isa.TEXLDB and len(inst.sources) > 1
    if not varied and LOD not in inst.op.sources and GRADIENT not in inst.op.sources:
        return -1
    return next((source.number for source in inst.sources if source.file == isa.SAMPLER), -1)


def _title(inst: Inst) -> str:
    return isa.TEXLDS[inst.control].name if inst.op.control == isa.VARIED else inst.op.name
