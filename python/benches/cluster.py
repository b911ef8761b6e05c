"""Dask on this machine: what it costs beside threads, and what kills change (nothing).

    target/peers/bin/pip install distributed==2026.8.0
    target/peers/bin/python python/benches/cluster.py [PAIRS [ROUNDS]]

Rates without kills: the best of three runs each, taken in turn, on the cluster's three workers and on threads, one
for each core. Then rounds in each of which a worker is killed by signal 9 at some time: all files are compared with
those of one core.
"""

import os
import random
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

import dask as dask_settings
from distributed import Client, LocalCluster

import cardwright as cw
from cardwright import cluster

FILES = ("summary.json", "duels.parquet", "cards.parquet")


def main(pairs=1920, rounds=20):
    game, folder, chance = cw.Game(), Path(tempfile.mkdtemp()), random.Random(1)
    plan = cw.Plan(game, ["easy", "novice"], decks=["Harbour Lights", "Night School"], pairs=pairs)

    def timed(work):
        began = time.perf_counter()
        result = work()
        return time.perf_counter() - began, [(result.folder / name).read_bytes() for name in FILES]

    took, alone = timed(lambda: cw.simulate(game, plan, folder=folder / "alone", threads=1))
    print(f"{pairs} pairs on one core: {pairs / took:.0f} pairs/s")
    dask_settings.config.set({"distributed.scheduler.allowed-failures": 10})
    with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as local, Client(local) as client:
        workers = cluster.dask(client)
        # So that every worker has loaded the package.
        warm = cw.Plan(game, ["random"], pairs=640)
        cluster.run(game, warm, folder / "warm", workers, shares=20)
        here, there = [], []
        for number in range(3):
            took, files = timed(lambda: cw.simulate(game, plan, folder=folder / "threads"))
            here.append(took)
            place = folder / f"dask{number}"
            took, other = timed(lambda place=place: cluster.run(game, plan, place, workers, shares=30))
            there.append(took)
            assert files == other == alone
        ratio = min(here) / min(there)
        print(f"threads {pairs / min(here):.0f} pairs/s, Dask {pairs / min(there):.0f}: {ratio:.2f} of it")
        same = killed = 0
        for number in range(rounds):
            # A worker that is killed while it begins is not begun again by its nanny.
            try:
                client.wait_for_workers(3, timeout=10)
            except TimeoutError:
                local.scale(0)
                local.scale(3)
                client.wait_for_workers(3, timeout=30)

            def kill():
                nonlocal killed
                worker = chance.choice(list(local.workers.values()))
                if worker.process is not None and worker.process.pid:
                    os.kill(worker.process.pid, signal.SIGKILL)
                    killed += 1

            timer = threading.Timer(chance.random() * min(there), kill)
            timer.start()
            place = folder / f"round{number}"
            _, files = timed(lambda place=place: cluster.run(game, plan, place, workers, shares=30))
            timer.join()
            same += files == alone
        print(f"{rounds} rounds, {killed} workers killed: {same} with the same bytes as one core")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
