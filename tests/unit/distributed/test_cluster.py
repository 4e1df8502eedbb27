"""Campaigns on Dask: in this process by default, on worker processes in `nox -s scale`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from asyncio import CancelledError
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pytest

import lanewise as lw
import pieces
from documents import checked
from lanewise.core.fuzzing import digest_of
from lanewise.distributed import fuzzing
from lanewise.distributed.campaign import Campaign, CampaignError, digest_text, run
from lanewise.distributed.cluster import DaskPool, local_cluster
from lanewise.distributed.fuzzing import ended_if_it_hangs, pool_of, service
from lanewise.distributed.record import RecordFile
from lanewise.distributed.versions import Identity, identity
from lanewise.tools import cli

if TYPE_CHECKING:
    from collections.abc import Iterator

TESTS = Path(__file__).parents[2]
ITEMS = 100
DIGEST = f"{sum(map(pieces.part, range(ITEMS))) % (1 << 128):032x}"
processes = pytest.mark.skipif(not os.environ.get("LANEWISE_SCALE"), reason="starts worker processes: nox -s scale")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(1, threads_per_worker=2, processes=False, dashboard_address=":0", silence_logs=60) as cluster,
        distributed.Client(cluster, set_as_default=False) as found,
    ):
        yield found


def test_pieces_on_a_worker(client: Any, tmp_path: Path):
    one = Campaign(work="pieces:fails", options={}, first=0, last=ITEMS, size=10)
    with RecordFile.create(tmp_path / "record", one) as record:
        found = run(one, DaskPool(client), record)
    (failed,) = found.failed
    assert (failed.piece.number, found.counts["items"], found.pieces) == (0, ITEMS - 10, 9)
    assert len(failed.reasons) == 3
    assert all("ArithmeticError: seven" in reason for reason in failed.reasons)
    with RecordFile.resume(tmp_path / "record", one)[0] as record:
        assert {done.worker for done in record.done.values()} == set(client.nthreads())


def test_random_programs_have_one_digest(client: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):

    def shared(*arguments: Any, **options: Any) -> _Shared:
        return _Shared(client)

    monkeypatch.setattr("distributed.Client", shared)  # a cluster of this process has no port
    found: list[str] = []
    for extra in (["--piece", "3"], ["--piece", "2", "--scheduler", "tcp://here:1"]):
        assert cli.main(["fuzz", "--programs", "4", "--seed", "5", "--format", "json", *extra]) == 0
        data = checked(capsys.readouterr().out)
        assert (data["programs"], data["findings"]) == (4, [])
        found.append(data["digest"])
    programs = service("pica200")
    assert found == [digest_text(sum(digest_of(programs.compare(5, number, "native")) for number in range(4)))] * 2


class _Shared:
    """A client that stays open."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def close(self, timeout: float = 0) -> None:
        pass


def test_a_worker_with_another_lanewise_is_refused(client: Any, monkeypatch: pytest.MonkeyPatch):
    mine, other = identity(), Identity("9.9", "ffff")
    (address,) = client.nthreads()
    sentence = (
        f"worker {address} is refused: its lanewise is {mine}, this one is 9.9 \\(source ffff\\); install the same on both"
    )
    sentence = sentence.replace(str(mine), str(mine).replace("(", "\\(").replace(")", "\\)"))
    with monkeypatch.context() as patch:
        patch.setattr("lanewise.distributed.cluster.identity", lambda: other)
        with pytest.raises(CampaignError, match=sentence):
            DaskPool(client)
    pool = DaskPool(client)
    pool._mine = other  # pyright: ignore[reportPrivateUsage]  # as if the worker had come later
    with pytest.raises(CampaignError, match=sentence):
        run(Campaign(work="pieces:counts", options={}, first=0, last=5, size=5), pool)


@pytest.mark.parametrize("error", [TimeoutError(), OSError("closed"), RuntimeError("closed"), CancelledError()])
@pytest.mark.parametrize("call", ["run", "nthreads", "submit"])
def test_a_scheduler_that_has_gone_is_a_sentence(client: Any, call: str, error: BaseException, monkeypatch: pytest.MonkeyPatch):
    def gone(*_values: object, **_named: object) -> object:
        raise error

    monkeypatch.setattr(client, call, gone)
    with pytest.raises(CampaignError, match="the connection to the scheduler is lost; a run with `--record` continues"):
        run(Campaign(work="pieces:counts", options={}, first=0, last=5, size=5), DaskPool(client))


def test_no_dask_and_no_scheduler_are_sentences(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert cli.main(["fuzz", "--programs", "1", "--workers", "2"]) == 2
    assert "needs Dask: run `pip install 'lanewise[distributed]'`" in capsys.readouterr().err


class _Starting:
    """A cluster that Ctrl-C ends while it starts, with one worker that it has."""

    shutdown_on_close = True
    made: ClassVar[list[_Starting]] = []

    def __init__(self, **options: Any) -> None:
        self.made.append(self)
        self.workers = {0: SimpleNamespace(auto_restart=True, process=SimpleNamespace(process=SimpleNamespace(pid=4711)))}
        raise KeyboardInterrupt

    def close(self, timeout: float) -> None:
        raise AssertionError("Status.init")  # as Dask's does


def test_ctrl_c_while_workers_start(monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("dask")
    killed: list[int] = []

    def kill(pid: int, how: int) -> None:
        killed.append(pid)

    monkeypatch.setattr(os, "kill", kill)
    with pytest.raises(KeyboardInterrupt), local_cluster(SimpleNamespace(LocalCluster=_Starting), 1):
        pass
    (cluster,) = _Starting.made
    assert (killed, cluster.shutdown_on_close) == ([4711], False), "nothing closes it again at exit"


@pytest.mark.parametrize(
    ("error", "reason"), [(RuntimeError("Nanny failed\nto start"), "Nanny failed to start"), (TimeoutError(), "no answer")]
)
def test_workers_that_do_not_start_are_a_sentence(
    error: Exception, reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    distributed = pytest.importorskip("distributed")

    def failing(self: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr(distributed.LocalCluster, "__init__", failing)
    assert cli.main(["fuzz", "--programs", "1", "--workers", "2"]) == 2
    assert f"no worker processes: {reason}: ask for fewer with `--workers`" in capsys.readouterr().err


def test_a_worker_whose_program_does_not_come_back_is_ended(monkeypatch: pytest.MonkeyPatch):
    killed = threading.Event()

    def kill(pid: int, how: int) -> None:
        assert pid == os.getpid()
        killed.set()

    with monkeypatch.context() as patch:
        patch.setattr(os, "kill", kill)
        with ended_if_it_hangs(0, 0.001) as alive:  # not on a worker: nothing is ended
            alive()
        patch.setattr(fuzzing, "_on_worker", lambda: True)
        with ended_if_it_hangs(1e9, 0.001) as alive:
            alive()
        assert not killed.is_set()
        with ended_if_it_hangs(0, 0.001):
            killed.wait()


def on_processes(work: str, workers: int, **options: Any) -> Any:
    with pool_of(None, workers) as pool:
        return run(Campaign(work=work, options=options, first=0, last=ITEMS, size=7), pool)


@processes
def test_one_worker_two_workers_and_one_that_is_killed(tmp_path: Path):
    assert on_processes("pieces:counts", 1).digest == DIGEST
    assert on_processes("pieces:counts", 2).digest == DIGEST
    found = on_processes("pieces:dies_once", 2, place=str(tmp_path / "died"))
    assert (tmp_path / "died").exists()
    assert (found.digest, found.counts["items"], found.failed, found.pieces) == (DIGEST, ITEMS, [], 15)


@processes
def test_a_piece_that_kills_three_workers_is_named():
    found = on_processes("pieces:dies", 2)
    (failed,) = found.failed
    assert (failed.piece.range, len(failed.reasons)) == ("35 to 41", 3)
    assert all("the process died" in reason for reason in failed.reasons)
    assert found.counts["items"] == ITEMS - 7


@processes
def test_vertices_whose_worker_is_killed():
    """Chunks that it had are computed again, with the same bits."""
    distributed, array = pytest.importorskip("distributed"), pytest.importorskip("dask.array")
    shader = lw.assemble(".in place v0\n.out pos position\n.proc main\n\tmul pos, place, place\n\tend\n.end\n").vertex
    place = np.random.default_rng(5).uniform(-4, 4, (4000, 4)).astype(np.float32)

    def slowly(block: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        time.sleep(0.05)
        return block

    slow = array.from_array(place, chunks=(100, 4)).map_blocks(slowly, dtype=np.float32)
    found = lw.distributed.map_vertices(shader, {"place": slow})["position"]
    with (
        distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=":0", silence_logs=60) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        ((victim, pid), _) = client.run(os.getpid).items()
        begun = client.compute(found)
        while not client.processing().get(victim):
            time.sleep(0.01)
        os.kill(pid, signal.SIGKILL)
        assert np.array_equal(begun.result().view(np.uint32), shader.run({"place": place}).outputs["position"].view(np.uint32))
        assert pid not in client.run(os.getpid).values()


COMMAND = """import signal, sys
from lanewise.tools import cli
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored by what a shell runs in the background
sys.exit(cli.main(["fuzz", "--format", "json", *sys.argv[1:]]))
"""


def started(record: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", COMMAND, "--record", str(record), "-o", str(record.parent), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def done_in(record: Path) -> list[int]:
    lines = record.read_bytes().split(b"\n")[1:-1] if record.exists() else []
    return [json.loads(line)["piece"] for line in lines]


@processes
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_fuzzing_that_is_cut_off_goes_on(how: signal.Signals, tmp_path: Path):
    """Of all processes, as by Ctrl-C on a terminal, or of the first only, whose workers then end too."""
    record = tmp_path / "record"
    process = started(record, "--seed", "5", "--programs", "90", "--piece", "5", "--workers", "2")
    while len(done_in(record)) < 3:
        assert process.poll() is None
        time.sleep(0.02)
    if how == signal.SIGINT:
        os.killpg(process.pid, how)
        out, _ = process.communicate()
        assert checked(out)["interrupted"]
    else:
        process.kill()
        process.communicate()
    before = done_in(record)
    process = started(record, "--resume", "--workers", "1")
    out, err = process.communicate()
    found = checked(out)
    assert (process.returncode, found["programs"], found["pieces"], found["resumed"]) == (0, 90, 18, len(before)), err
    assert sorted(done_in(record)) == list(range(18))
    assert found["digest"] == lw.distributed.fuzz(programs=90, seed=5).digest
