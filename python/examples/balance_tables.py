"""Which decks are ahead: a simulation read by Polars and by DuckDB, and the balance report's cards."""

from __future__ import annotations

import sys

import polars as pl

import cardwright as cw


def main(pairs: int = 400) -> None:
    """Plays every deck against every other one, and prints three tables."""
    game = cw.Game()
    result = cw.simulate(game, cw.Plan(game, ["easy"], pairs=pairs))
    duels = result.polars()
    scores = (
        pl.concat(
            [
                duels.select(deck=pl.col("deck1"), won=(pl.col("winner") == 1).cast(pl.Float64)),
                duels.select(deck=pl.col("deck2"), won=(pl.col("winner") == 2).cast(pl.Float64)),
            ]
        )
        .group_by("deck")
        .agg(pl.col("won").mean().round(3), pl.len().alias("duels"))
        .sort("won", descending=True)
    )
    print(scores)
    table = result.duckdb().sql(
        "select card, sum(played) / sum(opening + drawn) as played, "
        "count(*) filter (opening + drawn > 0) as duels from cards group by card order by played limit 8"
    )
    print(table)
    report = cw.balance(game, "easy", pairs=90, card_pairs=0)
    print(pl.DataFrame([{"deck": deck["name"], **(deck["score"] or {})} for deck in report.decks]))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
