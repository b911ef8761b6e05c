"""Shares on whatever runs functions: the right result, or the right sentence."""

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import cardwright as cw
from cardwright import cluster

FILES = ("summary.json", "duels.parquet", "cards.parquet")
DECKS = ["Harbour Lights", "Night School"]
# 20 rounds are the campaign.
ROUNDS = int(os.environ.get("CARDWRIGHT_ROUNDS", "2"))


@pytest.fixture(scope="module")
def plan(game: cw.Game) -> cw.Plan:
    return cw.Plan(game, ["plain", "random"], decks=DECKS, pairs=320, seed=4)


@pytest.fixture(scope="module")
def alone(game: cw.Game, plan: cw.Plan, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What one core comes to."""
    folder = tmp_path_factory.mktemp("alone")
    cw.simulate(game, plan, folder=folder, threads=1)
    return contents(folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


class Here:
    """Runs everything at once, here; what it is told to do wrong it does."""

    workers = 2

    def __init__(self, wrong: Callable[[int, int], bytes | None] = lambda number, time: None) -> None:
        self.wrong = wrong
        self.seen: dict[int, int] = {}
        self.played = 0

    def submit(self, fn: Callable[..., bytes], /, *args: Any) -> Future[bytes]:
        future: Future[bytes] = Future()
        number = args[1]
        self.seen[number] = self.seen.get(number, 0) + 1
        try:
            wrong = self.wrong(number, self.seen[number])
            self.played += wrong is None
            future.set_result(fn(*args) if wrong is None else wrong)
        except Exception as error:
            future.set_exception(error)
        return future


def test_a_share_is_the_part_of_the_command_line(game: cw.Game, plan: cw.Plan, program: str, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(plan.text, encoding="utf-8")
    words = [program, "sim", "run", "plan.json", "--shard", "3/16", "-o", "parts"]
    subprocess.run(words, check=True, capture_output=True, cwd=tmp_path)
    job = cluster.Job(plan.text, 16, cluster.content_of(game), None, cw.engine())
    text = cluster.play_share(job, 3)
    assert text == (tmp_path / "parts" / "part-3-of-16.jsonl").read_bytes()


def test_processes(game: cw.Game, plan: cw.Plan, alone: dict[str, bytes], tmp_path: Path) -> None:
    with cluster.Processes(2) as processes:
        result = cw.simulate(game, plan, folder=tmp_path, executor=processes, shares=8)
        assert contents(result.folder) == alone
        # A process that is killed breaks a pool; another one takes its place.
        for pid in list(processes._pool._processes):
            os.kill(pid, signal.SIGKILL)
        shutil.rmtree(tmp_path / "parts")
        assert contents(cw.simulate(game, plan, folder=tmp_path, executor=processes, shares=8).folder) == alone


def test_what_is_finished_is_not_played_again(
    game: cw.Game, plan: cw.Plan, alone: dict[str, bytes], tmp_path: Path
) -> None:
    first = Here()
    cluster.run(game, plan, tmp_path, first, shares=10)
    assert first.played == 10
    second = Here()
    cluster.run(game, plan, tmp_path, second, shares=10)
    assert second.played == 0
    part = tmp_path / "parts" / plan.part(4, 10)
    text = part.read_bytes()
    middle = len(text) // 2
    part.write_bytes(text[:middle] + bytes([text[middle] ^ 1]) + text[middle + 1 :])
    third = Here()
    cluster.run(game, plan, tmp_path, third, shares=10)
    assert third.played == 1
    assert contents(tmp_path) == alone


def test_what_fails_is_tried_again_and_named_in_the_end(
    game: cw.Game, plan: cw.Plan, alone: dict[str, bytes], tmp_path: Path
) -> None:
    def sometimes(number: int, time: int) -> bytes | None:
        if number == 3 and time < 4:
            raise RuntimeError("the lights went out")
        return b"rubbish" if number == 5 and time < 2 else None

    cluster.run(game, plan, tmp_path / "one", Here(sometimes), shares=10)
    assert contents(tmp_path / "one") == alone

    def always(number: int, time: int) -> bytes | None:
        if number == 3:
            raise RuntimeError("the lights went out")
        return None

    with pytest.raises(cw.MissingPairs) as caught:
        cluster.run(game, plan, tmp_path / "two", Here(always), shares=10)
    words = str(caught.value)
    assert "share 3 of 10 (pairs 96–127): it failed 4 times, the last time so: the lights went out" in words
    assert caught.value.result.summary["pairs"] == 320 - 32


def test_a_worker_of_another_version_is_refused(
    game: cw.Game, plan: cw.Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Other(Here):
        def submit(self, fn: Callable[..., bytes], /, *args: Any) -> Future[bytes]:
            with monkeypatch.context() as patch:
                patch.setattr(cluster, "_engine_here", lambda: ("0.0.9", "cardwright duel 1", 1))
                return super().submit(fn, *args)

    with pytest.raises(cw.MissingPairs, match=r"this worker has cardwright 0\.0\.9 .*install the same version"):
        cluster.run(game, plan, tmp_path, Other(), shares=2)


def test_a_package_is_sent_where_it_is_missing(game: cw.Game, tmp_path: Path) -> None:
    files = game.files()
    files["definition.xml"] = files["definition.xml"].replace(b"Saltmarsh", b"Saltmarch")
    own = cw.Game(files=files)
    plan = cw.Plan(own, ["random"], decks=DECKS, pairs=64)
    with cluster.Processes(1) as processes:
        result = cluster.run(own, plan, tmp_path / "there", processes, shares=2)
    assert contents(result.folder) == contents(cw.simulate(own, plan, folder=tmp_path / "here").folder)


def test_two_drivers_on_one_folder(game: cw.Game, plan: cw.Plan, alone: dict[str, bytes], tmp_path: Path) -> None:
    pools = [ThreadPoolExecutor(1), ThreadPoolExecutor(1)]
    caught: list[BaseException] = []

    def drive(pool: ThreadPoolExecutor) -> None:
        try:
            cluster.run(game, plan, tmp_path, pool, shares=10)
        except BaseException as error:
            caught.append(error)

    drivers = [threading.Thread(target=drive, args=[pool]) for pool in pools]
    for driver in drivers:
        driver.start()
    for driver in drivers:
        driver.join()
    assert not caught
    assert contents(tmp_path) == alone
    assert not list((tmp_path / "parts").glob(".*"))


def test_a_full_disk_is_told_and_gone_on_from(
    game: cw.Game, plan: cw.Plan, alone: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync
    written = 0

    def full(handle: int) -> None:
        nonlocal written
        written += 1
        if written == 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left on device; the same call goes on"):
            cluster.run(game, plan, tmp_path, Here(), shares=10)
    assert not list((tmp_path / "parts").glob(".*"))
    rest = Here()
    cluster.run(game, plan, tmp_path, rest, shares=10)
    assert rest.played == 7
    assert contents(tmp_path) == alone


def test_a_disk_that_is_really_full(game: cw.Game, plan: cw.Plan, tmp_path: Path) -> None:
    """Files may grow to 20 KB only, as under a quota."""
    code = (
        "import resource, signal, sys, cardwright as cw\n"
        "from cardwright import cluster\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        "sys.exit(cluster.main(['plan.json', '--folder', 'out', '--processes', '1', '--shares', '4']))\n"
    )
    (tmp_path / "plan.json").write_text(plan.text, encoding="utf-8")
    (tmp_path / "go.py").write_text(f"if __name__ == '__main__':\n    {code.replace(chr(10), chr(10) + '    ')}\n")
    ran = subprocess.run([sys.executable, "go.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "error: " in ran.stderr
    assert "cannot write to" in ran.stderr
    assert "File too large" in ran.stderr


def test_a_plain_pool_is_enough(game: cw.Game, plan: cw.Plan, alone: dict[str, bytes], tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        cluster.run(game, plan, tmp_path, pool, shares=6)
    assert contents(tmp_path) == alone


def test_the_program_has_its_own_exit_code(
    game: cw.Game, plan: cw.Plan, alone: dict[str, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "plan.json"
    path.write_text(plan.text, encoding="utf-8")
    arguments = [str(path), "--folder", str(tmp_path / "out"), "--shares", "5", "--processes", "1"]
    assert cluster.main(arguments) == 0
    assert contents(tmp_path / "out") == alone
    assert "everything is in" in capsys.readouterr().out
    path.write_text(plan.text.replace('"seed": 4', '"seed": 4, "tea": 1'), encoding="utf-8")
    assert cluster.main(arguments) == 1
    assert "it is no plan" in capsys.readouterr().err


distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    import dask

    settings = {
        "distributed.scheduler.allowed-failures": 10,
        "distributed.worker.daemon": False,
        "distributed.admin.large-graph-warning-threshold": "64MB",
    }
    with (
        dask.config.set(settings),
        distributed.LocalCluster(n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None) as local,
        distributed.Client(local) as client,
    ):
        yield client


def test_dask_with_killed_workers(
    client: Any, game: cw.Game, plan: cw.Plan, alone: dict[str, bytes], tmp_path: Path
) -> None:
    chance = random.Random(1)
    for number in range(ROUNDS):
        folder = tmp_path / str(number)
        killed = threading.Timer(chance.random() * 1.5, kill_one, [client, chance])
        killed.start()
        cluster.run(game, plan, folder, cluster.dask(client), shares=20)
        killed.join()
        assert contents(folder) == alone, f"round {number}"


def kill_one(client: Any, chance: random.Random) -> None:
    workers = list(client.cluster.workers.values())
    worker = chance.choice(workers)
    if worker.process is not None and worker.process.pid:
        os.kill(worker.process.pid, signal.SIGKILL)


def test_dask_with_a_stopped_worker(
    client: Any, game: cw.Game, plan: cw.Plan, alone: dict[str, bytes], tmp_path: Path
) -> None:
    client.wait_for_workers(3)
    worker = next(iter(client.cluster.workers.values()))
    os.kill(worker.process.pid, signal.SIGSTOP)
    threading.Timer(5.0, os.kill, [worker.process.pid, signal.SIGCONT]).start()
    begun = time.monotonic()
    cluster.run(game, plan, tmp_path, cluster.dask(client), shares=20)
    assert contents(tmp_path) == alone
    assert time.monotonic() - begun < 120


def test_a_client_of_dask_is_an_executor(
    client: Any, game: cw.Game, plan: cw.Plan, alone: dict[str, bytes], tmp_path: Path
) -> None:
    client.wait_for_workers(3)
    cw.simulate(game, plan, folder=tmp_path, executor=client, shares=4)
    assert contents(tmp_path) == alone


def test_dask_with_another_version(client: Any, game: cw.Game, plan: cw.Plan, tmp_path: Path) -> None:
    client.wait_for_workers(3)

    def other() -> None:
        cluster._engine_here = lambda: ("0.0.9", "cardwright duel 1", 1)

    def usual() -> None:
        cluster._engine_here = cluster.engine

    client.run(other)
    with pytest.raises(cw.MissingPairs, match="install the same version of cardwright on all workers"):
        cluster.run(game, plan, tmp_path, cluster.dask(client), shares=2)
    client.run(usual)


@pytest.mark.skipif("ray" not in sys.modules and not shutil.which("ray"), reason="Ray is not installed")
def test_ray(game: cw.Game, plan: cw.Plan, alone: dict[str, bytes], tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False)
    try:
        cluster.run(game, plan, tmp_path, cluster.ray(), shares=8)
        assert contents(tmp_path) == alone
    finally:
        ray.shutdown()
