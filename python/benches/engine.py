"""How fast `VecDuels(1024)` steps, beside the engine alone, in one run on one machine.

    cargo bench -p cw-load --bench duels --no-run      # says where the program is
    target/peers/bin/python python/benches/engine.py target/release/deps/duels-…

Both play random duels of the same two decks on one thread, and both count decisions with more than one option. The
engine (`choices` of the scripted game in `docs/benchmarks.md`) lists every option and takes one, one duel after the
other; `VecDuels` goes through all duels at each step, besides writes observation, mask and what each option is about,
for the seat that is asked, and is called from Python, where NumPy draws the actions. The engine is measured before and
after; each figure is the median of its rounds.
"""

import json
import statistics
import subprocess
import sys
import time

import numpy as np

import cardwright as cw

ROUNDS, SECONDS, LANES = 9, 0.3, 1024
DECKS = ["Harbour Lights", "Night School"]


def engine(program):
    told = subprocess.run([program, "plays", "--bench"], capture_output=True, check=True, text=True).stdout
    figures = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
    return next(one["value"] for one in figures if (one["game"], one["figure"]) == ("scripted", "choices"))


def vec_duels():
    vec = cw.VecDuels(cw.Game(), LANES, decks=DECKS, threads=1, seed=1, takebacks=True)
    chance = np.random.default_rng(1)
    rates = []
    for _ in range(ROUNDS):
        began, choices = time.perf_counter(), 0
        while time.perf_counter() - began < SECONDS:
            for _ in range(20):
                # A step of a duel that is over begins another one, and is no choice.
                choices += LANES - int(np.count_nonzero(vec.done))
                vec.step((chance.random(LANES) * vec.options).astype(np.int64))
        rates.append(choices / (time.perf_counter() - began))
    return statistics.median(rates)


def main():
    program = sys.argv[1]
    before = engine(program)
    vec = vec_duels()
    after = engine(program)
    alone = (before + after) / 2
    print(f"the engine alone {alone:12,.0f} choices a second ({before:,.0f} before, {after:,.0f} after)")
    print(f"VecDuels({LANES})   {vec:12,.0f}")
    print(f"ratio            {vec / alone:12.2f}")


if __name__ == "__main__":
    main()
