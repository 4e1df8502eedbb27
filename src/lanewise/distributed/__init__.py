"""Work that outgrows one process, on Dask: campaigns of numbered pieces, and shaders over chunked arrays.

    import lanewise as lw
    totals = lw.distributed.fuzz(programs=100_000, seed=7, workers=4, record="fuzz.record")
    positions = lw.distributed.map_vertices(shader, {"position": chunks}, uniforms)["position"]

`pip install 'lanewise[distributed]'` installs Dask. Names are imported when they are first used.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from lanewise.distributed.campaign import Campaign, CampaignError, Outcome, Piece, Totals
    from lanewise.distributed.fuzzing import fuzz
    from lanewise.distributed.sweeping import sweep
    from lanewise.distributed.versions import Identity, identity
    from lanewise.distributed.vertices import map_vertices

__all__ = [
    "Campaign",
    "CampaignError",
    "Identity",
    "Outcome",
    "Piece",
    "Totals",
    "fuzz",
    "identity",
    "map_vertices",
    "sweep",
]

_HOMES = {
    "Campaign": "campaign",
    "CampaignError": "campaign",
    "Identity": "versions",
    "Outcome": "campaign",
    "Piece": "campaign",
    "Totals": "campaign",
    "fuzz": "fuzzing",
    "identity": "versions",
    "map_vertices": "vertices",
    "sweep": "sweeping",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        use = f": use `dask.distributed.{name}`" if name in ("Client", "LocalCluster", "Worker") else ""
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{use}", name=name)
    from lanewise.core.public import public

    return public(globals(), _HOMES[name], name)


def __dir__() -> list[str]:
    return [*__all__, *[name for name in globals() if name[:2] == "__"]]
