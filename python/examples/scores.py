"""Measures a player by the protocol of the page "Scores to beat": against each level, by pairs of duels.

    python scores.py easy                          # a level
    python scores.py "cmd:python bot.py"           # a bot, which is a program
    python scores.py policy.npz                    # what ppo.py has learnt
    python scores.py mine:choose --levels novice   # a function of a module of yours

A score is the share of duels that were won; a draw is half of one. In both duels of a pair the decks, the shuffles and
the chance of effects are the same, and the players exchange their seats.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import cardwright as cw

DECKS = ["Harbour Lights", "Night School"]
SEED = 2026
PAIRS = {"random": 200, "plain": 200, "novice": 200, "easy": 200, "normal": 100, "hard": 40, "expert": 10}
"""How many pairs against each level: fewer against those that think for long."""


def player(name: str, game: cw.Game) -> Any:
    """The player of this name."""
    if name.endswith(".npz"):
        # The example beside this one, also where Python does not look into a script's own folder.
        sys.path.insert(0, str(Path(__file__).parent))
        from ppo import Policy

        policy = Policy(game, 0)
        policy.load(Path(name))
        return policy
    module, found, member = name.partition(":")
    if found and module != "cmd":
        sys.path.insert(0, "")
        return getattr(import_module(module), member)
    return name


def main() -> None:
    """Measures, and prints a line of the table for each level."""
    parser = argparse.ArgumentParser(description="Measures a player by the protocol of the page “Scores to beat”.")
    parser.add_argument("player", nargs="?", default="plain")
    parser.add_argument("--levels", nargs="+", choices=list(PAIRS), default=["random", "plain", "novice", "easy"])
    parser.add_argument("--small", action="store_true", help="a few pairs only, to see that it runs")
    options = parser.parse_args()
    game = cw.Game()
    print(f"| {options.player} against | score | pairs |\n|---|---|---|")
    for level in options.levels:
        pairs = 2 if options.small else PAIRS[level]
        match = cw.arena(game, player(options.player, game), level, decks=DECKS, pairs=pairs, seed=SEED)
        print(f"| `{level}` | {match.score:.3f} [{match.low:.3f}, {match.high:.3f}] | {pairs} |", flush=True)
    print(f"Saltmarsh {game.fingerprint[:12]}, encoding {cw.ENCODING}, Cardwright {cw.__version__}")


if __name__ == "__main__":
    main()
