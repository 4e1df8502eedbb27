"""Pieces of campaigns on the workers of Dask."""

from __future__ import annotations

import logging
import os
import queue
import signal
import time
from asyncio import CancelledError
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from lanewise.core.extras import extra
from lanewise.distributed import versions, worker
from lanewise.distributed.campaign import Answer, CampaignError, Outcome
from lanewise.distributed.versions import Identity, identity

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Sequence

    from lanewise.distributed.campaign import Campaign, Piece

NEEDS = f"needs Dask: {extra('distributed')}"
_CONNECTING = 10  # seconds
_LOOK = 2.0  # seconds between two looks at which workers there are
_FETCHING = 30  # seconds
_ALONE = 600.0  # seconds without any worker
_CLOSING = 0.3  # seconds: Ctrl-C ends a command within one
_LOST = "the connection to the scheduler is lost; a run with `--record` continues with `--resume`"


@contextmanager
def _asked() -> Generator[None]:
    """While a scheduler is asked: one that does not answer has gone. Raises CampaignError."""
    try:
        yield
    except (OSError, RuntimeError, CancelledError) as error:  # closed connections, time that is up, closed clients
        raise CampaignError(_LOST) from error


class _Sent(NamedTuple):
    """A piece that the scheduler has. `on` are the addresses of the workers that may do it; empty: any."""

    campaign: Campaign
    piece: Piece
    on: frozenset[str]
    future: Any


class DaskPool:
    """The workers of a client. Those of another lanewise get nothing to do."""

    def __init__(self, client: Any) -> None:
        """Raises CampaignError if there is no worker with this lanewise."""
        self._client, self._mine = client, identity()
        self._sent: dict[int, _Sent] = {}
        self._heard: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
        self._refused: dict[str, str] = {}
        self._threads: dict[str, int] = {}
        self._looked = self._with_workers = 0.0
        self._by_value()
        with _asked():
            found: dict[str, Any] = client.run(versions.probe, on_error="return")
        for address, answer in found.items():
            self._check(address, Identity(*answer) if not isinstance(answer, BaseException) else Identity("", ""))
        self._look()

    @staticmethod
    def _by_value() -> None:
        """Send `distributed.worker` by value: asking a worker for its lanewise must not need one there."""
        cloudpickle = import_module("cloudpickle")
        for module in (versions, worker):
            cloudpickle.register_pickle_by_value(module)

    def _check(self, address: str, found: Identity) -> None:
        if found != self._mine:
            self._refused[address] = (
                f"worker {address} is refused: its lanewise is {found}, this one is {self._mine}; install the same on both"
            )

    def _look(self) -> None:
        """Which workers there are. Raises CampaignError if none has this lanewise, or the scheduler has gone."""
        self._looked = time.monotonic()
        if self._client.status not in ("running", "connecting"):
            raise CampaignError(_LOST)
        with _asked():
            found: dict[str, int] = self._client.nthreads()
        self._threads = {address: count for address, count in found.items() if address not in self._refused}
        if found or not self._with_workers:
            self._with_workers = self._looked
        elif self._looked - self._with_workers > _ALONE:
            raise CampaignError("no worker is left; a run with `--record` continues with `--resume`")
        if found and not self._threads:
            raise CampaignError("\n".join([self._refused[address] for address in found]))
        for number, sent in list(self._sent.items()):
            if sent.on and sent.on.isdisjoint(found):  # the scheduler would wait for those workers
                self._forget(number)
                self.submit(sent.campaign, sent.piece, ())

    @property
    def refused(self) -> Sequence[str]:
        return list(self._refused.values())

    def threads(self) -> int:
        if time.monotonic() - self._looked > _LOOK:
            self._look()
        return sum(self._threads.values())

    def submit(self, campaign: Campaign, piece: Piece, avoid: Collection[str]) -> None:
        on = frozenset(self._threads)
        on = (on - frozenset(avoid) or on) if avoid or self._refused else frozenset[str]()
        with _asked():
            future = self._client.submit(
                worker.execute,
                tuple(self._mine),
                versions.probe,
                campaign.work,
                campaign.given,
                piece.first,
                piece.items,
                pure=False,
                workers=sorted(on) or None,
            )
        self._sent[piece.number] = _Sent(campaign, piece, on, future)

        def heard(done: object, number: int = piece.number) -> None:
            self._heard.put((number, done))

        future.add_done_callback(heard)

    def _forget(self, number: int) -> None:
        sent = self._sent.pop(number, None)
        if sent is not None:
            with suppress(Exception):
                sent.future.cancel()

    def hear(self, seconds: float) -> Answer | None:
        try:
            number, future = self._heard.get(timeout=seconds)
        except queue.Empty:
            return None
        sent = self._sent.get(number)
        if sent is None or sent.future is not future:
            return None
        del self._sent[number]
        try:
            if future.status == "finished":
                return self._answer(number, future.result(timeout=_FETCHING))
            if future.status == "error":
                return self._error(number, future.exception())
        except TimeoutError:  # the worker that has the result is gone
            pass
        except CampaignError:
            raise
        except Exception as error:
            return self._error(number, error)
        self._look()
        self.submit(sent.campaign, sent.piece, ())  # the scheduler has lost it
        return None

    def _answer(self, number: int, found: tuple[Any, ...]) -> Answer:
        kind, address, value, seconds, busy = found
        if kind == "done":
            return Answer(piece=number, worker=address, outcome=Outcome(*value), seconds=seconds, busy=busy)
        if kind == "failed":
            return Answer(piece=number, worker=address, error=value)
        self._check(address, Identity(*value))
        self._look()
        return Answer(piece=number, worker=address, refused=True)

    def _error(self, number: int, error: BaseException | None) -> Answer:
        """A worker that died; dask has tried a piece on several of them already if its settings say so."""
        last = getattr(error, "last_worker", None)
        if last is None:
            return Answer(piece=number, error=f"{type(error).__name__}: {error}")
        return Answer(
            piece=number,
            worker=str(last.address),
            error="the process died",
            tries=int(getattr(error, "allowed_failures", 0)) + 1,
        )

    def close(self) -> None:
        for number in list(self._sent):
            self._forget(number)


@contextmanager
def dask_pool(scheduler: str | None, workers: int | None) -> Generator[DaskPool]:
    """The workers of a scheduler, or so many processes here. Raises CampaignError."""
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise CampaignError(f"a campaign on several processes {NEEDS}") from None
    if scheduler is not None:
        with _quiet(), _closing(_client(distributed, scheduler)) as pool:
            yield pool
        return
    with (
        local_cluster(distributed, workers or 1) as cluster,
        _closing(distributed.Client(cluster, set_as_default=False)) as pool,
    ):
        yield pool


def _client(distributed: Any, scheduler: str) -> Any:
    """A client of a scheduler. Raises CampaignError."""
    try:
        import_module("distributed.comm").get_address_host_port(
            scheduler
        )  # a client of a wrong address complains when it is collected
    except ValueError as error:
        raise CampaignError(f"scheduler {scheduler}: {error}: give an address such as tcp://10.0.0.1:8786") from None
    try:
        return distributed.Client(scheduler, timeout=_CONNECTING, set_as_default=False)
    except (OSError, ValueError) as error:
        raise CampaignError(f"scheduler {scheduler}: no answer ({error}): start one with `dask scheduler`") from None


@contextmanager
def _quiet() -> Generator[None]:
    """Dask logs a lost connection with tracebacks; a campaign reports it in a sentence."""
    log = logging.getLogger("distributed.client")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)


@contextmanager
def _closing(client: Any) -> Generator[DaskPool]:
    pool = None
    try:
        pool = DaskPool(client)
        yield pool
    finally:
        if pool is not None:
            pool.close()
        with suppress(Exception):
            client.close(timeout=_CLOSING)


@contextmanager
def local_cluster(distributed: Any, workers: int) -> Generator[Any]:
    """Worker processes here. The death of one is the failure of its piece, and it starts again. Raises CampaignError if they do
    not start."""
    dask = import_module("dask")
    settings = {
        "distributed.scheduler.allowed-failures": 0,
        "distributed.worker.daemon": True,
        "distributed.admin.log-length": 0,
        "distributed.deploy.lost-worker-timeout": "10 minutes",  # on a busy machine a process takes long to start again
        "distributed.comm.timeouts.connect": "10s",
    }
    with dask.config.set(settings):
        cluster = distributed.LocalCluster.__new__(distributed.LocalCluster)  # kept also where Ctrl-C ends its start
        started = False
        try:
            try:
                cluster.__init__(
                    n_workers=workers,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=":0",
                    silence_logs=60,
                )
            except (OSError, RuntimeError) as error:  # processes that end or do not answer while they start
                reason = " ".join(str(error).split()) or "no answer"
                raise CampaignError(
                    f"no worker processes: {reason}: ask for fewer with `--workers`, or leave it out for this process alone"
                ) from None
            started = True
            yield cluster
        finally:
            with suppress(Exception):  # its loop reports what it was starting
                cluster.loop.asyncio_loop.set_exception_handler(_nothing)
            _end(cluster)
            if started:
                with suppress(Exception):
                    cluster.close(timeout=_CLOSING)
            cluster.shutdown_on_close = (
                False  # a function that Dask runs at exit closes it again, which fails for workers that have ended
            )


def _nothing(loop: object, context: object) -> None:
    """Ignore messages of a loop about tasks that were ended with their cluster."""


def _end(cluster: Any) -> None:
    """End the processes now: what they are doing is not wanted. Those that Dask is starting end with this process."""
    for nanny in getattr(cluster, "workers", {}).values():
        with suppress(Exception):
            nanny.auto_restart = False
            os.kill(nanny.process.process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
