"""The work of a worker on a piece. It is sent by value, as workers may have another lanewise, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def execute(
    wanted: tuple[str, str],
    probe: Callable[[], tuple[str, str]],
    work: str,
    options: dict[str, Any],
    first: int,
    count: int,
) -> tuple[str, str, Any, float, float]:
    """Do a piece: the kind of answer, the address of the worker, the outcome or the reason, and its seconds: all, and of the
    processor."""
    import time

    from distributed import get_worker

    address = str(get_worker().address)
    found = probe()
    if found != wanted:
        return "refused", address, found, 0.0, 0.0
    from lanewise.distributed.campaign import work_of

    start, busy = time.monotonic(), time.process_time()
    try:
        outcome = work_of(work)(options, first, count)
    except Exception as error:
        return "failed", address, f"{type(error).__name__}: {error}", 0.0, 0.0
    return "done", address, tuple(outcome), time.monotonic() - start, time.process_time() - busy
