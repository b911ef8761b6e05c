"""Shares of a plan on whatever runs functions: processes here, Dask, Ray, or an array job.

The seam is `play_share`: a function of a plan, a number and nothing else, that returns bytes. Whoever has
``submit`` as in `concurrent.futures` can run it. A share may be played twice, anywhere, at any time: the bytes
are the same, and are those of ``cardwright sim run --shard``.

As a program it ends with exit code 4 if shares are missing in the end::

    python -m cardwright.cluster plan.json --folder result --processes 4
    python -m cardwright.cluster plan.json --folder result --dask tcp://scheduler:8786
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import sys
import tempfile
import zipfile
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from cardwright import _engine, _given
from cardwright._engine import Game, Plan, engine
from cardwright._errors import CardwrightError, GameError, MissingPairs, PlanError
from cardwright._lab import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright._lab import Progress

__all__ = ["Executor", "Job", "Processes", "dask", "play_share", "ray", "run"]

ATTEMPTS = 4
"""So often a share may fail before it is given up."""
LOSSES = 20
"""So often it may be lost with the process that played it, which is hardly ever its own fault."""
MISSING = 4
"""The exit code where shares are missing."""


class Executor(Protocol):
    """Whatever runs functions and gives futures."""

    def submit(self, fn: Callable[..., bytes], /, *args: Any) -> Future[bytes]:
        """Runs a function somewhere, some time."""


@dataclass(frozen=True, repr=False)
class Job:
    """What a worker needs to know to play any share of a plan."""

    plan: str
    """The plan's text."""
    of: int
    """How many shares there are."""
    content: str
    """The digest of the package's files."""
    path: str | None
    """Where the package lies, if it is a folder or a file; workers may have it there, too."""
    engine: tuple[str, str, int]
    """The engine of who began; every other one is refused."""

    def __repr__(self) -> str:
        return f"<Job in {self.of} shares>"


class NeedsPackage(CardwrightError):
    """A worker does not have the package: it is to be sent along."""


_engine_here = engine
_games: dict[str, Game] = {}


def content_of(game: Game) -> str:
    """The digest of all files that decide how a game is played, and how its computer plays."""
    digest = hashlib.blake2b(digest_size=16)
    for name, text in sorted(game.files().items()):
        # Decks stand in the plan, card by card.
        if not name.lower().endswith(".o8d"):
            for part in (name.encode(), text):
                digest.update(len(part).to_bytes(8, "little"))
                digest.update(part)
    return digest.hexdigest()


def package_of(game: Game) -> bytes:
    """The files of a game, packed to be sent."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in sorted(game.files().items()):
            archive.writestr(name, text)
    return packed.getvalue()


def _game(job: Job, package: bytes | None) -> Game:
    """The game of a job: one that is known here, the demo game, one at its path, or the one that was sent."""
    if job.content in _games:
        return _games[job.content]

    def sent() -> Game:
        if package is None:
            raise NeedsPackage(f"the package {job.content} is not here")
        with zipfile.ZipFile(io.BytesIO(package)) as archive:
            return Game(files={name: archive.read(name) for name in archive.namelist()}, allow_errors=True)

    def at_path() -> Game:
        return Game(job.path, allow_errors=True)

    for find in [Game, at_path] if package is None else [sent]:
        try:
            game = find()
        except (GameError, OSError):
            continue
        if content_of(game) == job.content:
            _games[job.content] = game
            return game
    return sent()


def play_share(job: Job, number: int, package: bytes | None = None) -> bytes:
    """Plays a share: the bytes of its file. This is all that a worker ever does."""
    here = _engine_here()
    if here != job.engine:
        raise PlanError(
            f"this worker has {_called(here)}, and the plan was begun with {_called(job.engine)}: "
            "install the same version of cardwright on all workers"
        )
    return _engine._share(_game(job, package), Plan.parse(job.plan), number, job.of)


def _called(engine: tuple[str, str, int]) -> str:
    version, rules, levels = engine
    return f"cardwright {version} (rules {rules}, levels {levels})"


def run(
    game: Game,
    plan: Plan,
    folder: str | os.PathLike[str],
    executor: Executor | Any | None = None,
    *,
    shares: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Plays a plan in shares, and joins them in the folder: the result is that of ``cardwright sim``.

    Shares that are there are verified and not played again, so a run that was interrupted goes on, and two
    drivers may share a folder. A share that fails four times is given up: the rest is summed up, and
    `MissingPairs` names what is missing. The executor may be a `distributed.Client` itself.
    """
    _given.plan_of(game, plan, executor, shares, progress)
    folder = _given.path("folder", folder)
    mine = [player for player in plan.players if player.startswith("python:")]
    if mine:
        raise PlanError(f"{mine[0]} is a function of this process, and plays here only: leave the executor out")
    if hasattr(executor, "get_executor"):
        executor = dask(executor)
    with _Run(game, plan, folder, executor, shares, progress) as driver:
        return driver.run()


class _Run:
    """One driver at work."""

    def __init__(
        self,
        game: Game,
        plan: Plan,
        folder: Path,
        executor: Executor | None,
        shares: int | None,
        progress: Progress | None,
    ) -> None:
        self.own = None if executor is not None else Processes()
        self.executor: Executor = executor or self.own or Processes()
        workers = int(getattr(self.executor, "workers", 0) or getattr(self.executor, "_max_workers", 0) or 8)
        self.of = max(1, min(plan.blocks, shares or 16 * workers))
        self.window = 2 * workers
        self.game, self.plan, self.folder = game, plan, folder
        self.parts = folder / "parts"
        self.progress = progress
        self.job = Job(
            plan=plan.text,
            of=self.of,
            content=content_of(game),
            path=None if game.path is None else str(game.path),
            engine=_engine_here(),
        )
        self.package: bytes | None = None
        self.failures: dict[int, list[str]] = {}
        self.losses: dict[int, int] = {}
        self.given_up: dict[int, str] = {}
        self.done = 0

    def __enter__(self) -> _Run:
        return self

    def __exit__(self, *_: object) -> None:
        if self.own is not None:
            self.own.shutdown()

    def run(self) -> Result:
        self.parts.mkdir(parents=True, exist_ok=True)
        waiting = deque(range(self.of))
        going: dict[Future[bytes], int] = {}
        try:
            while waiting or going:
                while waiting and len(going) < self.window:
                    number = waiting.popleft()
                    # Somebody else may have finished it meanwhile.
                    if self.is_there(number):
                        self.tell(number)
                    else:
                        going[self.submit(number)] = number
                if not going:
                    continue
                finished, _ = wait(going, timeout=1.0, return_when=FIRST_COMPLETED)
                for future in finished:
                    number = going.pop(future)
                    if self.take(number, future):
                        self.tell(number)
                    elif number not in self.given_up:
                        waiting.append(number)
        except BaseException:
            for future in going:
                future.cancel()
            raise
        return self.merge()

    def submit(self, number: int) -> Future[bytes]:
        try:
            return self.executor.submit(play_share, self.job, number, self.package)
        except BrokenExecutor as error:
            # It is told as if the share had failed.
            failed: Future[bytes] = Future()
            failed.set_exception(error)
            return failed

    def part(self, number: int) -> Path:
        return self.parts / self.plan.part(number, self.of)

    def is_there(self, number: int) -> bool:
        """Whether a share was finished; one that is damaged is played again."""
        try:
            text = self.part(number).read_bytes()
        except FileNotFoundError:
            return False
        return _engine._is_whole(self.plan, number, self.of, text) if text else False

    def take(self, number: int, future: Future[bytes]) -> bool:
        """Keeps what came of a share, if something did."""
        error = None if future.cancelled() else future.exception()
        if future.cancelled() or isinstance(error, BrokenExecutor) or _is_loss(error):
            self.losses[number] = self.losses.get(number, 0) + 1
            if self.losses[number] >= LOSSES:
                self.given_up[number] = f"its process was lost {LOSSES} times"
            return False
        if isinstance(error, NeedsPackage):
            if self.package is None:
                self.package = package_of(self.game)
                return False
        elif error is None:
            text = future.result()
            try:
                whole = _engine._is_whole(self.plan, number, self.of, text)
            except PlanError as other:
                error = other
            else:
                if whole:
                    self.keep(number, text)
                    return True
                error = PlanError("what came back is damaged")
        seen = self.failures.setdefault(number, [])
        seen.append(str(error) or repr(error))
        if len(seen) >= ATTEMPTS:
            self.given_up[number] = f"it failed {ATTEMPTS} times, the last time so: {seen[-1]}"
        return False

    def keep(self, number: int, text: bytes) -> None:
        """Writes a share under another name first: what has the right name is whole."""
        handle, name = tempfile.mkstemp(dir=self.parts, prefix=f".{number}-", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, self.part(number))
        except OSError as error:
            Path(name).unlink(missing_ok=True)
            message = f"cannot write to “{self.parts}”: {os.strerror(error.errno or 0)}; the same call goes on"
            raise OSError(error.errno, message) from error

    def tell(self, number: int) -> None:
        pairs = self.plan.pairs_of(number, self.of)
        if pairs is not None:
            self.done += pairs[1] + 1 - pairs[0]
        if self.progress is not None:
            self.progress(self.done, self.plan.pairs, f"share {number} of {self.of}")

    def merge(self) -> Result:
        # Other drivers may have cut the plan otherwise, or still be at work: only whole parts of this cut count.
        parts = [self.part(number) for number in range(self.of) if number not in self.given_up]
        text, missing = _engine._merge(self.game, self.plan, list(parts), folder=self.folder)
        result = Result(text, self.folder)
        if missing is None:
            return result
        lines = [missing]
        for number, why in sorted(self.given_up.items()):
            pairs = self.plan.pairs_of(number, self.of)
            span = f"pairs {pairs[0]}–{pairs[1]}" if pairs else "no pairs"
            lines.append(f"share {number} of {self.of} ({span}): {why}")
        raise MissingPairs("\n  ".join(lines), result)


def _is_loss(error: BaseException | None) -> bool:
    """Whether a worker died with a share, as clusters call it."""
    return type(error).__name__ in {
        "KilledWorker",
        "CancelledError",
        "FutureCancelledError",
        "WorkerCrashedError",
        "NodeDiedError",
        "CommClosedError",
    }


class Processes:
    """Processes on this machine; one that is killed is replaced."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1
        self._pool = self._new()

    def _new(self) -> ProcessPoolExecutor:
        # A forked process would inherit locks of threads that it does not have.
        return ProcessPoolExecutor(self.workers, mp_context=get_context("spawn"))

    def submit(self, fn: Callable[..., bytes], /, *args: Any) -> Future[bytes]:
        """Runs a function in one of them."""
        try:
            return self._pool.submit(fn, *args)
        except BrokenExecutor:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = self._new()
            return self._pool.submit(fn, *args)

    def shutdown(self) -> None:
        """Ends them."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()


class _Dask:
    """The workers of a client of Dask."""

    def __init__(self, client: Any) -> None:
        self._executor = client.get_executor(pure=False, retries=3)
        self.workers = max(1, len(client.scheduler_info(n_workers=-1)["workers"]))

    def submit(self, fn: Callable[..., bytes], /, *args: Any) -> Future[bytes]:
        future: Future[bytes] = self._executor.submit(fn, *args)
        return future


def dask(client: Any) -> Executor:
    """The workers of a `distributed.Client`. Give each one thread: a share keeps one core busy."""
    return _Dask(client)


class _Ray:
    """Tasks of Ray; actors would be played at most once."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self.workers = max(1, int(ray.cluster_resources().get("CPU", 1)))

    def submit(self, fn: Callable[..., bytes], /, *args: Any) -> Future[bytes]:
        future: Future[bytes] = self._ray.remote(fn).options(max_retries=3).remote(*args).future()
        return future


def ray() -> Executor:
    """The tasks of Ray, which has been initialized."""
    import ray

    return _Ray(ray)


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays a plan that ``cardwright sim plan`` has written, on processes or a cluster."""
    parser = argparse.ArgumentParser(prog="python -m cardwright.cluster", description=main.__doc__)
    parser.add_argument("plan", type=Path, help="the plan, as `cardwright sim plan` writes it")
    parser.add_argument("--game", help="folder or .o8g of the game; the demo game if left out")
    parser.add_argument("--folder", type=Path, required=True, help="where parts and the result go")
    parser.add_argument("--shares", type=int, help="how many shares the plan is cut into")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--processes", type=int, help="so many processes on this machine (all cores if left out)")
    where.add_argument("--dask", metavar="ADDRESS", help="the scheduler of a Dask cluster")
    where.add_argument("--ray", metavar="ADDRESS", help="a Ray cluster; “auto” finds it")
    options = parser.parse_args(arguments)
    try:
        plan = Plan.parse(options.plan.read_text(encoding="utf-8"))
        executor: Executor
        if options.dask:
            from distributed import Client

            executor = dask(Client(options.dask))
        elif options.ray:
            import ray as engine_of_ray

            engine_of_ray.init(address=options.ray)
            executor = ray()
        else:
            executor = Processes(options.processes)
        result = run(Game(options.game), plan, options.folder, executor, shares=options.shares)
    except MissingPairs as error:
        print(f"error: {error}", file=sys.stderr)
        return MISSING
    except (CardwrightError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    score, low, high = result.score
    print(f"plan {plan.id}: score {score:.3f} [{low:.3f}, {high:.3f}]; everything is in {result.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
