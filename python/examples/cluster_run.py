"""A plan on a cluster: three workers of Dask, one of which is killed on the way."""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path

from distributed import Client, LocalCluster

import cardwright as cw
from cardwright import cluster


def main() -> None:
    """Plays 640 pairs in 20 shares, kills a worker, and compares with one core."""
    game = cw.Game()
    plan = cw.Plan(game, ["plain", "random"], decks=["Harbour Lights", "Night School"], pairs=640)
    folder = Path(tempfile.mkdtemp())
    killed = False

    with (
        LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as local,
        Client(local) as client,
    ):

        def progress(done: int, pairs: int, what: str) -> None:
            nonlocal killed
            if not killed and done > pairs // 3:
                killed = True
                os.kill(next(iter(local.workers.values())).process.pid, signal.SIGKILL)

        result = cluster.run(game, plan, folder / "cluster", cluster.dask(client), shares=20, progress=progress)
    alone = cw.simulate(game, plan, folder=folder / "alone", threads=1)
    assert result.duels.read_bytes() == alone.duels.read_bytes()
    score, low, high = result.score
    print(f"score {score:.3f} [{low:.3f}, {high:.3f}], the same bytes as on one core")


if __name__ == "__main__":
    main()
