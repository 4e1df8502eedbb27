"""Plans as JSON, to keep in the cache on disk: all of a plan but its analyses, or the reason why there is none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lanewise.llvm import cache
from lanewise.pica200.engine.llvm.planned import Emission, Plan, Site
from lanewise.pica200.ir.ssa import Unsupported, Written
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.sem import flow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.pica200.engine.llvm.planned import Analysis
    from lanewise.pica200.ir.ssa import Geometry
    from lanewise.pica200.sem.profile import Profile


def identity(
    words: Sequence[int], descriptors: Sequence[int], entry: int, profile: Profile, geometry: Geometry | None = None
) -> str:
    """The part of the names of files that stands for a program and its profile."""
    return cache.name(tuple(words), tuple(descriptors), entry, profile, geometry)


def asked(words: Sequence[int], profile: Profile, *, geometry: bool = False) -> tuple[int, ...]:
    """The numbers of the boolean uniforms that instructions test."""
    insts = [decode(word) for word in flow.code_memory(words, profile, flow.memory_size(geometry=geometry))]
    return tuple(sorted({inst.field("reg") for inst in insts if "bool" in inst.op.operands}))


def name_of(program: str, booleans: Mapping[int, bool]) -> str:
    """The name of the plan of a program for these boolean uniforms."""
    return cache.name("plan", program, sorted(booleans.items()))


def to_json(plan: Plan | Unsupported) -> bytes:
    if isinstance(plan, Unsupported):
        return json.dumps({"unsupported": plan.reason}).encode()
    emission = plan.emission
    found = {
        "outputs": plan.outputs,
        "written": _pairs(plan.written),
        "unsure": _pairs(plan.unsure),
        "inputs": _pairs(plan.inputs),
        "uniforms": sorted(plan.uniforms),
        "gathers": plan.gathers,
        "seen": sorted(plan.seen, key=repr),
        "steps": plan.steps,
        "loops": plan.loops,
        "counts": plan.counts,
        "booleans": plan.booleans,
        "emission": emission
        and {
            "outputs": emission.outputs,
            "sites": [(site.setting, _pairs(site.written)) for site in emission.sites],
            "first": _pairs(emission.first),
            "most": emission.most,
            "leaves": emission.leaves,
            "fed": (emission.fed.start, emission.fed.stop),
            "kept": emission.kept,
        },
    }
    return json.dumps(found, separators=(",", ":")).encode()


def from_json(text: bytes, profile: Profile, analysis: Callable[[], Analysis]) -> Plan | Unsupported | None:
    """The plan; `analysis` makes its analyses when they are needed. None for other data."""
    try:
        data = json.loads(text)
        return Unsupported(str(data["unsupported"])) if "unsupported" in data else _plan(data, profile, analysis)
    except (ValueError, KeyError, TypeError):
        return None


def _plan(data: Mapping[str, Any], profile: Profile, analysis: Callable[[], Analysis]) -> Plan:
    return Plan(
        analysis=analysis,
        profile=profile,
        outputs=tuple(data["outputs"]),
        written={n: Written(*masks) for n, masks in data["written"]},
        unsure=dict(data["unsure"]),
        inputs={n: tuple(components) for n, components in data["inputs"]},
        uniforms=frozenset(data["uniforms"]),
        gathers=data["gathers"],
        seen=frozenset(tuple(leaf) for leaf in data["seen"]),
        steps=data["steps"],
        loops=data["loops"],
        counts=tuple(data["counts"]),
        booleans=tuple((number, value) for number, value in data["booleans"]),
        emission=_emission(data["emission"]) if data["emission"] else None,
    )


def _emission(data: Mapping[str, Any]) -> Emission:
    return Emission(
        outputs=tuple(data["outputs"]),
        sites=tuple(Site(setting, dict(written)) for setting, written in data["sites"]),
        first=dict(data["first"]),
        most=data["most"],
        leaves=data["leaves"],
        fed=range(*data["fed"]),
        kept=data["kept"],
    )


def _pairs(values: Mapping[int, object]) -> list[tuple[int, object]]:
    return list(values.items())
