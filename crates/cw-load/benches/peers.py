"""Random games of other engines, to be set beside `cargo bench -p cw-load --bench duels -- plays`.

    python3 -m venv target/peers && target/peers/bin/pip install open_spiel==2.0.2 essence-wars==0.12.0
    target/peers/bin/python crates/cw-load/benches/peers.py

OpenSpiel's crazy eights is played by its own random bots inside its C++ loop (`evaluate_bots`); a choice is a decision
with more than one action, as in our benchmark. Essence Wars is played with its own `random_action` and `step`. Processor
time, the best of seven rounds.
"""

import random
import time

import essence_wars
import pyspiel

ROUNDS, GAMES = 7, 400


def best_rate(play_one):
    """Games a second of the fastest round."""
    rounds = []
    for part in range(ROUNDS):
        began = time.process_time()
        for seed in range(part * GAMES, (part + 1) * GAMES):
            play_one(seed)
        rounds.append(GAMES / (time.process_time() - began))
    return max(rounds)


def crazy_eights():
    game = pyspiel.load_game("crazy_eights")
    chance, choices = random.Random(1), 0
    for _ in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes())
                state.apply_action(chance.choices(actions, odds)[0])
            else:
                actions = state.legal_actions()
                choices += len(actions) > 1
                state.apply_action(chance.choice(actions))
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
    start = game.new_initial_state()
    games = best_rate(lambda seed: pyspiel.evaluate_bots(start.clone(), bots, seed))
    return games, games * choices / GAMES


def essence():
    game, actions = essence_wars.PyGame(), 0

    def play(seed):
        nonlocal actions
        game.reset(seed)
        while not game.is_done():
            game.step(game.random_action())
            actions += 1

    games = best_rate(play)
    return games, games * actions / (ROUNDS * GAMES)


for name, measure, unit in [
    ("open_spiel, crazy_eights", crazy_eights, "choices"),
    ("essence-wars", essence, "actions"),
]:
    games, acts = measure()
    print(f"{name:<26} {games:>10,.0f} games/s {acts:>12,.0f} {unit}/s")
