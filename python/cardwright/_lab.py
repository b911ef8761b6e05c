"""Many duels: what `cardwright sim`, `arena` and `balance` do, with the same results to the byte."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright import _engine, _given
from cardwright._html import of_rows, short, table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardwright._engine import Game, Plan
    from cardwright._given import Who

    Progress = Callable[[int, int, str], object]


@dataclass(frozen=True, repr=False)
class Result:
    """What a plan came to."""

    text: str
    """The summary as the engine writes it."""
    folder: Path
    """Where the tables are."""

    @property
    def summary(self) -> dict[str, Any]:
        """Everything that was counted."""
        return dict(json.loads(self.text))

    @property
    def score(self) -> tuple[float, float, float]:
        """The first player's or first deck's score, and the ends of its interval, from 0 to 1."""
        summary = self.summary
        return summary["score"], summary["low"], summary["high"]

    def __repr__(self) -> str:
        score, low, high = self.score
        return short(f"<Result: {score:.3f} [{low:.3f}, {high:.3f}], {self.summary['pairs']} pairs, in {self.folder}>")

    def _repr_html_(self) -> str:
        return table(["Pairs", "Score", "Low", "High"], [(self.summary["pairs"], *self.score)])

    @property
    def duels(self) -> Path:
        """A table with a row for each duel, as a Parquet file."""
        return self.folder / "duels.parquet"

    @property
    def cards(self) -> Path:
        """A table with a row for each card of each deck and duel."""
        return self.folder / "cards.parquet"

    def polars(self, table: str = "duels") -> Any:
        """A table as a data frame of Polars, if that is installed."""
        import polars

        if table not in ("duels", "cards"):
            raise _engine._wrong("table", "“duels” or “cards”", table)
        return polars.read_parquet(self.folder / f"{table}.parquet")

    def duckdb(self) -> Any:
        """A connection of DuckDB with the views `duels` and `cards`, if that is installed."""
        import duckdb

        connection = duckdb.connect()
        for name in ("duels", "cards"):
            path = str(self.folder / f"{name}.parquet").replace("'", "''")
            connection.execute(f"create view {name} as select * from '{path}'")
        return connection


def simulate(
    game: Game,
    plan: Plan,
    *,
    folder: str | PathLike[str] | None = None,
    executor: Any = None,
    shares: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Plays a plan: on all cores, or in shares on an executor.

    The result is the same, byte by byte, as that of ``cardwright sim``. An executor is anything with
    ``submit`` as in `concurrent.futures`; `cardwright.cluster` has more to say about clusters. Without a
    folder the tables go to a new one among the temporary files.
    """
    _given.plan_of(game, plan, executor, shares, progress)
    place = Path(tempfile.mkdtemp(prefix="cardwright-")) if folder is None else _given.path("folder", folder)
    if executor is not None:
        from cardwright.cluster import run

        return run(game, plan, place, executor, shares=shares, progress=progress)
    text = _engine._simulate(game, plan, folder=place, threads=threads, progress=progress)
    return Result(text, place)


@dataclass(frozen=True, repr=False)
class Match:
    """What one player came to against another."""

    score: float
    """From 0 to 1; half is even."""
    low: float
    high: float
    """The ends of the interval, which holds 95 of 100 times."""
    elo: float | None
    pairs: int
    counts: tuple[int, ...]
    """Pairs by score: 0, ¼, ½, ¾, 1."""
    verdict: str | None
    """Of the test, if there was one: accepted, rejected, undecided."""
    data: dict[str, Any]
    """Everything, as ``cardwright arena --json`` has it."""

    def __repr__(self) -> str:
        one, two = self.data["players"]
        score = f"{self.score:.3f} [{self.low:.3f}, {self.high:.3f}]"
        return short(f"<Match: {one} against {two}: {score}, {self.pairs} pairs>")

    def _repr_html_(self) -> str:
        head = ["First", "Second", "Score", "Low", "High", "Pairs"]
        return table(head, [(*self.data["players"], self.score, self.low, self.high, self.pairs)])


def arena(
    game: Game,
    one: Who,
    two: Who,
    *,
    decks: Sequence[str] | None = None,
    pairs: int | None = None,
    seed: int = 1,
    sprt: tuple[float, float] | None = None,
    playouts: int | None = None,
    threads: int | None = None,
    bot_ms: int | None = None,
    progress: Progress | None = None,
) -> Match:
    """Measures which of two players is better, in pairs of duels with the seats exchanged.

    A player is a level (``easy``, ``normal@500``), ``cmd:PROGRAM`` for a bot, or a function or an object with `choose`:
    it is given a duel that its seat cannot tell from the true one, and returns the place of an option. It is asked
    where there is a choice, on one thread unless `threads` says otherwise; where nothing can be dealt anew without
    looking `plain` answers for it. In reports it has its name, as ``python:NAME``.
    """
    text = _engine._arena(
        game,
        one,
        two,
        decks=decks,
        pairs=pairs,
        seed=seed,
        sprt=sprt,
        playouts=playouts,
        threads=threads,
        bot_ms=bot_ms,
        progress=progress,
    )
    data = json.loads(text)
    return Match(
        score=data["score"],
        low=data["low"],
        high=data["high"],
        elo=data["elo"],
        pairs=data["pairs"],
        counts=tuple(data["counts"]),
        verdict=data["sprt"]["verdict"] if data["sprt"] else None,
        data=data,
    )


@dataclass(frozen=True, repr=False)
class Report:
    """What a game's duels say about its decks and cards."""

    data: dict[str, Any]
    """Everything, as ``cardwright balance --json`` has it."""
    page: str
    """A page for the browser that needs nothing else."""

    def __repr__(self) -> str:
        return short(f"<Report: {len(self.decks)} decks, {len(self.cards)} cards>")

    def _repr_html_(self) -> str:
        return of_rows(self.decks) + of_rows(self.cards)

    @property
    def decks(self) -> list[dict[str, Any]]:
        """A row for each deck."""
        return list(self.data["decks"])

    @property
    def cards(self) -> list[dict[str, Any]]:
        """A row for each card."""
        return list(self.data["cards"])

    @property
    def what_if(self) -> dict[str, Any] | None:
        """What the changes that were asked about would do, with and without them on the same seeds."""
        found: dict[str, Any] | None = self.data["what_if"]
        return found

    @property
    def target(self) -> dict[str, Any] | None:
        """The changes that were found, and what they do on fresh seeds."""
        found: dict[str, Any] | None = self.data["target"]
        return found

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the page into a file."""
        _given.path("path", path).write_text(self.page, encoding="utf-8")


def balance(
    game: Game,
    player: Who = "easy",
    *,
    decks: Sequence[str] | None = None,
    pairs: int | None = None,
    card_pairs: int | None = None,
    seed: int = 1,
    playouts: int | None = None,
    what_if: str | PathLike[str] | Sequence[Mapping[str, object]] | None = None,
    target: str | None = None,
    threads: int | None = None,
    bot_ms: int | None = None,
    progress: Progress | None = None,
) -> Report:
    """Tells which decks and cards are too strong between players of this kind, and how sure that is.

    Changes to the game are played on the same seeds as the game without them: ``what_if`` is the path of a patch, or
    its changes, as ``[{"card": "Crumb", "property": "bp", "to": 300}]``. With a ``target`` such as ``"50±3"`` a few
    small changes are looked for that bring every matchup, and going first, as near to even as that.
    """
    file = what_if if isinstance(what_if, (str, PathLike)) else None
    changes = None
    if what_if is not None and not isinstance(what_if, (str, PathLike)):
        wanted = "a path, or a list of changes, each a dict of text and numbers"
        _given.of_type("what_if", wanted, what_if, list, tuple)
        for one in what_if:
            _given.of_type("what_if", wanted, one, dict)
            for value in one.values():
                _given.of_type("what_if", wanted, value, str, int, float)
        changes = json.dumps({"change": [dict(one) for one in what_if]})
    text, page = _engine._balance(
        game,
        player,
        decks=decks,
        pairs=pairs,
        card_pairs=card_pairs,
        seed=seed,
        playouts=playouts,
        what_if=file,
        changes=changes,
        target=target,
        threads=threads,
        bot_ms=bot_ms,
        progress=progress,
    )
    return Report(json.loads(text), page)
