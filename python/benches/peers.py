"""How fast duels step from Python, beside other packages of the index, in one run on one machine.

    python3 -m venv target/peers
    target/peers/bin/pip install pettingzoo==1.27.0 open_spiel==2.0.2 essence-wars==0.12.0 rlcard==1.2.0
    target/peers/bin/pip install ./python           # an optimized wheel; that of `cargo xtask python` is for tests
    target/peers/bin/python python/benches/peers.py

Every engine plays random games, each action drawn in Python (for many games at once: by NumPy) from what the engine
gives. A step is an action with more than one alternative where the engine tells, else any action. Wall time, the best
of five rounds; the figures of one run belong together.
"""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import cardwright as cw
from cardwright.pettingzoo import env

ROUNDS, LANES = 5, 1024


def best(act, seconds=1.0):
    """Steps a second of the fastest round; `act` makes some and says how many."""
    rates = []
    for _ in range(ROUNDS):
        began, steps = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            steps += act()
        rates.append(steps / (time.perf_counter() - began))
    return max(rates)


def vec_duels(threads):
    vec = cw.VecDuels(
        cw.Game(), LANES, decks=["Harbour Lights", "Night School"], threads=threads, seed=1, takebacks=True
    )
    chance = np.random.default_rng(1)

    def act():
        for _ in range(20):
            options = vec.obs[:, 5]
            vec.step((chance.random(LANES) * np.maximum(options, 1)).astype(np.int64))
        return 20 * LANES

    return best(act)


def essence_vector():
    import essence_wars

    games = essence_wars.PyParallelGames(LANES)
    games.reset_all(1)
    chance = np.random.default_rng(1)

    def act():
        for _ in range(5):
            mask = games.action_mask_batch()
            # The action with the highest of random numbers, among those that are legal.
            actions = (chance.random(mask.shape, dtype=np.float32) * mask).argmax(axis=1)
            _, over = games.step_batch(actions.astype(np.uint16))
            games.observe_batch()
            for lane in np.flatnonzero(over):
                games.reset_single(int(lane), int(chance.integers(2**31)))
        return 5 * LANES

    return best(act)


def essence_single():
    import essence_wars

    game, seeds = essence_wars.PyGame(), iter(range(10**9))

    def act():
        game.reset(next(seeds))
        steps = 0
        while not game.is_done():
            game.step(game.random_action())
            steps += 1
        return steps

    return best(act)


def duel_single():
    """The same loop over our `Duel`: every answer is a call."""
    game, chance, seeds = cw.Game(), random.Random(1), iter(range(10**9))

    def act():
        duel = game.duel("Harbour Lights", "Night School", seed=next(seeds))
        steps = 0
        while number := duel.number_of_options:
            duel.answer(int(chance.random() * number))
            steps += number > 1
        return steps

    return best(act)


def aec():
    table = env(cw.Game(), decks=["Harbour Lights", "Night School"])
    chance, seeds = random.Random(1), iter(range(10**9))

    def act():
        table.reset(seed=next(seeds))
        steps = 0
        for _ in table.agent_iter():
            seen, _, over, cut, _ = table.last()
            if over or cut:
                table.step(None)
            else:
                allowed = np.flatnonzero(seen["action_mask"])
                table.step(int(allowed[int(chance.random() * len(allowed))]))
                steps += 1
        return steps

    return best(act)


def rlcard_uno():
    import rlcard

    table = rlcard.make("uno", config={"seed": 1})
    chance = random.Random(1)

    def act():
        state, _ = table.reset()
        steps = 0
        while not table.is_over():
            state, _ = table.step(chance.choice(list(state["legal_actions"])))
            steps += 1
        return steps

    return best(act)


def crazy_eights():
    import pyspiel

    game, chance = pyspiel.load_game("crazy_eights"), random.Random(1)

    def act():
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(actions, odds)[0])
            else:
                actions = state.legal_actions()
                steps += len(actions) > 1
                state.information_state_tensor() if game.get_type().provides_information_state_tensor else None
                state.apply_action(chance.choice(actions))
        return steps

    return best(act)


def import_time():
    """Milliseconds of `import cardwright` beyond those of NumPy, the best of ten."""

    def once(code):
        timed = f"import time; import numpy; began = time.perf_counter(); {code}; print(time.perf_counter() - began)"
        words = [sys.executable, "-P", "-c", timed]
        return min(float(subprocess.run(words, capture_output=True, check=True).stdout) for _ in range(10))

    return 1000 * once("import cardwright")


def main():
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    print(f"{cores} cores; steps a second")
    for name, measure in [
        ("VecDuels(1024), one thread", lambda: vec_duels(1)),
        (f"VecDuels(1024), {cores} threads", lambda: vec_duels(cores)),
        ("essence-wars, PyParallelGames(1024)", essence_vector),
        ("Duel, an answer a call", duel_single),
        ("essence-wars, PyGame", essence_single),
        ("OpenSpiel, crazy_eights", crazy_eights),
        ("PettingZoo AEC", aec),
        ("RLCard, uno", rlcard_uno),
    ]:
        try:
            print(f"{name:<38} {measure():>12,.0f}", flush=True)
        except ImportError as missing:
            print(f"{name:<38} {missing}")
    print(f"{'import, beyond NumPy':<38} {import_time():>9.1f} ms")
    module = Path(cw._engine.__file__)
    print(f"{'the engine on disk':<38} {module.stat().st_size / 2**20:>9.1f} MiB")


if __name__ == "__main__":
    main()
