"""Sweeps: any function over numbered items, as a campaign."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from lanewise.distributed.campaign import PIECE, Campaign, work_of
from lanewise.distributed.fuzzing import started

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from lanewise.distributed.campaign import Json, Outcome, Totals

    Work = Callable[[Mapping[str, Json], int, int], Outcome]


def sweep(
    work: Work | str,
    items: int,
    options: Mapping[str, Json] | None = None,
    *,
    first: int = 0,
    size: int = PIECE,
    unit: str = "items",
    findings: int | None = None,
    scheduler: str | None = None,
    workers: int | None = None,
    record: str | Path | None = None,
    resume: bool = False,
    seconds: float | None = None,
    progress: Callable[[Totals], None] | None = None,
) -> Totals:
    """Run `work(options, first, count)` over items `first` to `first + items - 1`, in pieces of `size`.

    `work` is a function of a module that workers can import, or its name `module:function`, and gives an `Outcome`; its options
    are JSON. Where it runs, the record and how it ends are as in `fuzz`. Raises ValueError, CampaignError.
    """
    campaign = Campaign(
        work=work if isinstance(work, str) else _name(work),
        options=dict(options or {}),
        first=first,
        last=first + items,
        size=size,
        unit=unit,
    )
    return started(
        campaign,
        scheduler=scheduler,
        workers=workers,
        record=record,
        resume=resume,
        seconds=seconds,
        findings=findings,
        progress=progress,
    )


def _name(work: Work) -> str:
    """The name of a function, which must mean it. Raises ValueError."""
    module, function = getattr(work, "__module__", ""), getattr(work, "__qualname__", "")
    name = f"{module}:{function}"
    if module == "__main__":
        raise ValueError(f"{function} is in the main program: put it into a module that workers can import")
    if module not in sys.modules or "<" in function or work_of(name) is not work:
        raise ValueError(f"{name} is not a function of a module: workers cannot import it by this name")
    return name
