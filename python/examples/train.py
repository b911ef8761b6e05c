"""Learns a value from duels of `easy`, and measures it against `easy` itself.

    python train.py                 # 3,000 duels, then the arena: the curve of the README
    python train.py --duels 1000 --pairs 0

Duels of `easy` against itself are played, one answer in ten by chance; of one position in eight it is noted what each
seat sees. A logistic regression (NumPy, Newton's method) tells from that who won. The model is a file of a few
kilobytes: `cardwright play --seat2 "cmd:python -m cardwright.values model.json"` plays against it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import cardwright as cw
from cardwright.values import Model, Numbers, features, fit, names

DECKS = ["Harbour Lights", "Night School"]


def duel_of(game: cw.Game, places: dict[str, int], seed: int) -> tuple[Numbers, Numbers]:
    """What both seats saw in a duel, and whether they won."""
    chance, level = random.Random(seed), cw.Level("easy")
    one, two = chance.choice(DECKS), chance.choice(DECKS)
    duel = game.duel(one, two, seed=chance.randrange(2**63))
    rows, seats = [], []
    while (number := duel.number_of_options) > 0:
        if number > 1 and chance.random() < 1 / 8:
            for seat in (1, 2):
                rows.append(features(json.loads(duel.view_json(seat)), places))
                seats.append(seat)
        astray = chance.random() < 0.1
        duel.answer(chance.randrange(number) if astray else level.choose(duel, seed=chance.randrange(2**63)))
    won = np.array([0.5 if duel.winner == 0 else float(duel.winner == seat) for seat in seats])
    return np.array(rows).reshape(len(seats), len(names(list(places)))), won


def loss(model: Model, rows: Numbers, won: Numbers) -> float:
    """The log-loss on positions that it has not learnt from."""
    chance = 1 / (1 + np.exp(-(rows @ model.weights[:-1] + model.weights[-1])))
    return float(-(won * np.log(chance) + (1 - won) * np.log(1 - chance)).mean())


def main() -> None:
    """Plays, learns, measures."""
    parser = argparse.ArgumentParser(description="Learns a value from duels of easy.")
    parser.add_argument("--duels", type=int, default=3000, help="how many duels are played")
    parser.add_argument("--pairs", type=int, default=200, help="pairs in the arena for the last model; 0 for none")
    parser.add_argument("--curve-pairs", type=int, default=60, help="pairs in the arena for each other model")
    parser.add_argument("--output", type=Path, default=Path("model.json"))
    parser.add_argument("--small", action="store_true", help="a few duels only, to see that it runs")
    options = parser.parse_args()
    if options.small:
        options.duels, options.pairs, options.curve_pairs = 40, 2, 0
    game = cw.Game()
    cards = sorted({model.name for model in game.models})
    places = {card: at for at, card in enumerate(cards)}

    began = time.perf_counter()
    with ThreadPoolExecutor(2) as threads:
        # The levels think without the interpreter's lock.
        duels = list(threads.map(lambda seed: duel_of(game, places, seed), range(options.duels + options.duels // 5)))
    held = duels[options.duels :]
    rows, won = (np.concatenate(part) for part in zip(*held, strict=True))
    played = time.perf_counter() - began
    print(f"{len(duels)} duels in {played:.0f} s, {len(won)} positions of {len(held)} duels held out")

    sizes = [size for size in (100, 300, 1000, 3000, 10_000) if size < options.duels] + [options.duels]
    for size in sizes:
        began = time.perf_counter()
        learnt, known = (np.concatenate(part) for part in zip(*duels[:size], strict=True))
        model = Model(cards, fit(learnt, known), game.fingerprint)
        line = f"{size:>6} duels, {len(known):>6} positions, log-loss {loss(model, rows, won):.4f}"
        line += f", fitted in {time.perf_counter() - began:.1f} s"
        model.save(options.output)
        pairs = options.pairs if size == sizes[-1] else options.curve_pairs
        if pairs:
            bot = f"cmd:{sys.executable} -m cardwright.values {options.output}"
            match = cw.arena(game, bot, "easy", decks=DECKS, pairs=pairs)
            line += f"; against easy {match.score:.3f} [{match.low:.3f}, {match.high:.3f}] in {pairs} pairs"
        print(line, flush=True)


if __name__ == "__main__":
    main()
