"""Learns to play by proximal policy optimisation (PPO), with NumPy alone: the learner of the page "Scores to beat".

    python ppo.py                              # 12 minutes against `novice`, a line every minute, then its score
    python ppo.py --minutes 60 --output me.npz
    python ppo.py --load me.npz --minutes 0    # measures a saved policy

A policy scores each option by its row of `option_features` and by what the seat sees, and takes options by these
scores: there are as many outputs as options, whatever the game. Many duels are stepped at once with `VecDuels`. The
reward is that of the duel, at its end; nothing else is given.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import cardwright as cw

DECKS = ["Harbour Lights", "Night School"]
Floats = NDArray[np.float32]
WIDTH, SECOND = 128, 32
"""Numbers in the hidden layers of a score."""
KINDS, SIDES, PLACES = 32, 3, 16


class Eyes:
    """Makes the numbers of an observation small enough to learn from."""

    def __init__(self, game: cw.Game) -> None:
        names, about = cw.encoding(game)
        self.whole, self.about = len(names), len(about)
        self.models = len(game.models) + 1
        use = [at for at, name in enumerate(names) if self._is_used(name)]
        self.use, self.scale = np.array(use), np.array([self._scale(names[at]) for at in use], np.float32)
        self.question, self.phase = names.index("question"), names.index("phase")
        self.length = len(use) + len(cw.QuestionKind) + 1 + len(cw.Phase)

    @staticmethod
    def _is_used(name: str) -> bool:
        """What a learner of some minutes can make something of: not which card a number stands for."""
        numbers = ("card", "ability", "against", "keywords", "back-up 0", "back-up 1", "back-up 2", "back-up 3")
        if name in {"seat", "phase", "question", "source"} or "deck top" in name:
            return False
        if ": " in name:
            return name.startswith(("my hand: ", "my list: "))
        return not (" character " in name and name.endswith(numbers)) and not name.endswith(("skips", "keywords"))

    @staticmethod
    def _scale(name: str) -> float:
        large = {"hp": 1 / 1000, "bp": 1 / 500, "deck": 1 / 20, "turn": 1 / 20, "options": 1 / 10}
        return large.get(name.rpartition(" ")[2], 1.0 if " character " in name or ": " in name else 1 / 5)

    def see(self, obs: NDArray[np.int16]) -> Floats:
        """Numbers about a position, one row for each."""
        numbers = np.clip(obs[:, self.use] * self.scale, -5, 5)
        question = np.eye(len(cw.QuestionKind) + 1, dtype=np.float32)[obs[:, self.question]]
        phase = np.eye(len(cw.Phase), dtype=np.float32)[obs[:, self.phase]]
        return np.concatenate([numbers, question, phase], axis=1, dtype=np.float32)


def parts(rows: NDArray[np.int16], models: int) -> tuple[NDArray[np.intp], Floats]:
    """An option's row as places in a table, one for each thing that it names, and as numbers."""
    kind, _, model, side, place, bp, sp, number = (rows[:, at] for at in range(rows.shape[1]))
    starts = np.cumsum([0, KINDS, models, SIDES])
    # A place on the other side is another place; what kind of option it is tells what a number means.
    where = np.stack(
        [
            starts[0] + np.clip(kind, 0, KINDS - 1),
            starts[1] + np.clip(model, 0, models - 1),
            starts[2] + np.clip(side, 0, SIDES - 1),
            starts[3] + np.clip(place, 0, PLACES - 1) + PLACES * (side == 2),
        ],
        axis=1,
    )
    return where.astype(np.intp), np.stack([bp / 500, sp / 5, number / 5], axis=1).astype(np.float32)


class Policy:
    """Scores options, and tells how likely the seat is to win."""

    def __init__(self, game: cw.Game, seed: int) -> None:
        self.eyes, self.chance = Eyes(game), np.random.default_rng(seed)
        table = KINDS + self.eyes.models + SIDES + 2 * PLACES
        sizes = {
            "seen": (self.eyes.length, WIDTH), "seen bias": (WIDTH,), "table": (table, WIDTH), "numbers": (3, WIDTH),
            "second": (WIDTH, SECOND), "second bias": (SECOND,), "score": (SECOND,),
            "value seen": (self.eyes.length, WIDTH), "value bias": (WIDTH,), "value": (WIDTH,),
        }  # fmt: skip
        self.weights: dict[str, Floats] = {}
        for name, size in sizes.items():
            spread = 0.0 if "bias" in name or name in {"score", "value"} else 1.4 / np.sqrt(max(size[0], 8))
            spread = 0.1 if name in {"table", "numbers"} else spread
            self.weights[name] = (self.chance.standard_normal(size) * spread).astype(np.float32)
        self.weights["score"] = (self.chance.standard_normal(SECOND) * 0.05).astype(np.float32)

    def forward(
        self, seen: Floats, rows: tuple[NDArray[np.intp], Floats], of: NDArray[np.intp]
    ) -> tuple[Floats, Floats, dict[str, Any]]:
        """The scores of all options, one below the other (`of` is whose each is), and the values of the positions."""
        w = self.weights
        first = np.maximum((seen @ w["seen"])[of] + w["seen bias"] + self._named(rows), 0)
        second = np.maximum(first @ w["second"] + w["second bias"], 0)
        hidden = np.maximum(seen @ w["value seen"] + w["value bias"], 0)
        return second @ w["score"], np.tanh(hidden @ w["value"]), {"first": first, "second": second, "hidden": hidden}

    def _named(self, rows: tuple[NDArray[np.intp], Floats]) -> Floats:
        where, numbers = rows
        table = self.weights["table"]
        named: Floats = numbers @ self.weights["numbers"]
        for at in range(where.shape[1]):
            named += table[where[:, at]]
        return named

    def backward(
        self,
        seen: Floats,
        rows: tuple[NDArray[np.intp], Floats],
        of: NDArray[np.intp],
        kept: dict[str, Any],
        scores: Floats,
        values: Floats,
    ) -> dict[str, Floats]:
        """The slopes of the weights, from those of the scores and of the values before their `tanh`."""
        w, slope = self.weights, {}
        slope["score"] = scores @ kept["second"]
        second = np.outer(scores, w["score"]) * (kept["second"] > 0)
        slope["second"], slope["second bias"] = kept["first"].T @ second, second.sum(axis=0)
        first = (second @ w["second"].T) * (kept["first"] > 0)
        where, numbers = rows
        slope["numbers"], slope["table"] = numbers.T @ first, np.zeros_like(w["table"])
        for at in range(where.shape[1]):
            _add(slope["table"], where[:, at], first)
        summed = np.zeros((len(seen), WIDTH), first.dtype)
        _add(summed, of, first)
        slope["seen"], slope["seen bias"] = seen.T @ summed, summed.sum(axis=0)
        slope["value"] = values @ kept["hidden"]
        hidden = np.outer(values, w["value"]) * (kept["hidden"] > 0)
        slope["value seen"], slope["value bias"] = seen.T @ hidden, hidden.sum(axis=0)
        return slope

    def choose(self, duel: cw.Duel) -> int:
        """The place of the option that it likes best: this is how it plays in `cardwright.arena`."""
        obs, mask = np.zeros(self.eyes.whole, np.int16), np.zeros(128, np.int8)
        features = np.zeros((128, self.eyes.about), np.int16)
        assert duel.asked is not None
        cw.observe(duel, duel.asked, obs, mask, features, takebacks=False)
        places = np.flatnonzero(mask)
        rows = parts(features[places], self.eyes.models)
        scores, _, _ = self.forward(self.eyes.see(obs[None]), rows, np.zeros(len(places), np.intp))
        return int(places[scores.argmax()])

    def save(self, path: Path, game: cw.Game) -> None:
        """Writes the weights, and which game and encoding they are for."""
        # A name with blanks is no name of an argument; a file of NumPy takes it.
        parts: dict[str, Any] = {"encoding": np.array(cw.ENCODING), "game": np.array(game.fingerprint)}
        parts |= {f"w {name}": value for name, value in self.weights.items()}
        np.savez_compressed(path, **parts)

    def load(self, path: Path) -> None:
        """Reads what `save` has written."""
        with np.load(path) as file:
            if int(file["encoding"]) != cw.ENCODING:
                raise SystemExit(f"{path} was learnt with another encoding: learn it again")
            self.weights = {name: file[f"w {name}"] for name in self.weights}


def _add(to: Floats, places: NDArray[np.intp], what: Floats) -> None:
    """Adds rows to rows of a table; those of one place are summed."""
    order = np.argsort(places, kind="stable")
    named, starts = np.unique(places[order], return_index=True)
    to[named] += np.add.reduceat(what[order], starts, axis=0)


def shares(scores: Floats, of: NDArray[np.intp], positions: int) -> Floats:
    """How likely each option is to be taken, among those of its position."""
    highest = np.full(positions, -np.inf, np.float32)
    np.maximum.at(highest, of, scores)
    weight = np.exp(scores - highest[of])
    shared: Floats = (weight / np.bincount(of, weight, positions)[of]).astype(np.float32)
    return shared


class Learner:
    """Plays duels with a policy, and makes it better."""

    def __init__(self, game: cw.Game, policy: Policy, options: argparse.Namespace) -> None:
        self.policy, self.options, self.chance = policy, options, policy.chance
        self.duels = cw.VecDuels(
            game, options.duels, decks=DECKS, opponent=options.opponent, threads=2, seed=options.seed
        )
        self.moments = {name: (np.zeros_like(one), np.zeros_like(one)) for name, one in policy.weights.items()}
        self.updates, self.choices, self.ended, self.won = 0, 0, 0, 0.0

    def play(self) -> dict[str, Any]:
        """Plays some steps in each duel; a step in which a duel begins is none."""
        duels, steps, n = self.duels, self.options.steps, self.options.duels
        seen, where, numbers, counts, taken, likely = [], [], [], [], [], []
        values, rewards = np.zeros((steps + 1, n), np.float32), np.zeros((steps, n), np.float32)
        ends, counted = np.zeros((steps, n), bool), np.zeros((steps, n), bool)
        for step in range(steps + 1):
            position, option = np.nonzero(duels.mask)
            asked = np.flatnonzero(duels.mask.any(axis=1))
            of = np.searchsorted(asked, position)
            eyes = self.policy.eyes.see(duels.obs[asked])
            rows = parts(duels.option_features[position, option], self.policy.eyes.models)
            scores, value, _ = self.policy.forward(eyes, rows, of)
            values[step, asked] = value
            if step == steps:
                break
            share = shares(scores, of, len(asked))
            # The largest of the scores with Gumbel's noise is an option by its share.
            noisy = np.log(share + 1e-9) + self.chance.gumbel(size=len(share)).astype(np.float32)
            order = np.lexsort((noisy, of))
            last = order[np.append(np.flatnonzero(np.diff(of[order])), len(of) - 1)]
            actions = np.zeros(n, np.int64)
            actions[asked] = option[last]
            counted[step, asked] = True
            begins = np.flatnonzero(duels.done | duels.truncated)
            counted[step, begins] = False
            keep = counted[step, asked]
            chosen = np.zeros(len(of), bool)
            chosen[last] = True
            kept = keep[of]
            seen.append(eyes[keep])
            where.append(rows[0][kept])
            numbers.append(rows[1][kept])
            counts.append(np.bincount(of[kept], minlength=len(asked))[keep])
            taken.append(chosen[kept])
            likely.append(share[last][keep])
            duels.step(actions)
            rewards[step] = duels.reward * counted[step]
            ends[step] = duels.done | duels.truncated
            over = duels.done & counted[step]
            self.ended += int(over.sum())
            self.won += float((duels.reward[over] + 1).sum() / 2)
        gain, wanted = self._gains(values, rewards, ends, counted)
        self.choices += int(counted.sum())
        return {
            "seen": np.concatenate(seen), "where": np.concatenate(where), "numbers": np.concatenate(numbers),
            "counts": np.concatenate(counts), "taken": np.concatenate(taken), "likely": np.concatenate(likely),
            "gain": gain[counted], "wanted": wanted[counted],
        }  # fmt: skip

    def _gains(
        self, values: Floats, rewards: Floats, ends: NDArray[np.bool_], counted: NDArray[np.bool_]
    ) -> tuple[Floats, Floats]:
        """How much better each answer was than expected (generalised advantage estimation)."""
        gain, after = np.zeros_like(rewards), np.zeros(rewards.shape[1], np.float32)
        for step in reversed(range(len(rewards))):
            goes_on = ~ends[step]
            surprise = rewards[step] + self.options.discount * values[step + 1] * goes_on - values[step]
            after = surprise + self.options.discount * self.options.trace * after * goes_on
            after[~counted[step]] = 0
            gain[step] = after
        return gain, gain + values[:-1]

    def learn(self, batch: dict[str, Any], left: float) -> None:
        """Some rounds through what was played, in parts; `left` of the time is left."""
        starts = np.concatenate([[0], np.cumsum(batch["counts"])])
        for _ in range(self.options.rounds):
            for part in np.array_split(self.chance.permutation(len(batch["seen"])), self.options.parts):
                counts = batch["counts"][part]
                of = np.repeat(np.arange(len(part)), counts)
                begins = np.cumsum(counts) - counts
                at = np.arange(len(of)) - begins[of] + starts[part][of]
                lesson = {name: batch[name][part] for name in ("seen", "likely", "gain", "wanted")}
                lesson |= {name: batch[name][at] for name in ("where", "numbers", "taken")}
                self._step(lesson | {"of": of}, left)

    def _step(self, part: dict[str, Any], left: float) -> None:
        seen, of, taken = part["seen"], part["of"], part["taken"]
        rows, n = (part["where"], part["numbers"]), len(seen)
        scores, values, kept = self.policy.forward(seen, rows, of)
        share = shares(scores, of, n)
        gain = (part["gain"] - part["gain"].mean()) / (part["gain"].std() + 1e-6)
        ratio = share[taken] / part["likely"]
        # No slope where the answer is already so much more or less likely than it was.
        bound = self.options.bound
        free = np.where(gain > 0, ratio < 1 + bound, ratio > 1 - bound)
        pull = -(gain * ratio * free) / n
        slope = pull[of] * (taken - share)
        # The entropy of the shares keeps it curious.
        logs = np.log(share + 1e-9)
        entropy = -np.bincount(of, share * logs, n)
        slope += self.options.curiosity * left * share * (logs + entropy[of]) / n
        value = self.options.value * (values - part["wanted"]) * (1 - values**2) / n
        slopes = self.policy.backward(seen, rows, of, kept, slope.astype(np.float32), value.astype(np.float32))
        self._adam(slopes, self.options.rate * left)

    def _adam(self, slopes: dict[str, Floats], rate: float) -> None:
        self.updates += 1
        size = np.sqrt(sum(float((one**2).sum()) for one in slopes.values()))
        shrink = min(1.0, 0.5 / (size + 1e-9))
        for name, slope in slopes.items():
            mean, square = self.moments[name]
            mean += 0.1 * (slope * shrink - mean)
            square += 0.001 * ((slope * shrink) ** 2 - square)
            hat = mean / (1 - 0.9**self.updates)
            self.policy.weights[name] -= (rate * hat / (np.sqrt(square / (1 - 0.999**self.updates)) + 1e-8)).astype(
                np.float32
            )


def main() -> None:
    """Learns, and measures what it has learnt."""
    parser = argparse.ArgumentParser(description="Learns to play by proximal policy optimisation.")
    parser.add_argument("--minutes", type=float, default=12.0, help="how long it learns")
    parser.add_argument("--opponent", default="novice", help="the level that it learns against and is measured against")
    parser.add_argument("--pairs", type=int, default=200, help="pairs of duels in the arena, at the end")
    parser.add_argument("--output", type=Path, default=Path("policy.npz"))
    parser.add_argument("--load", type=Path, help="a policy to go on with")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--duels", type=int, default=256, help="duels at once")
    parser.add_argument("--steps", type=int, default=64, help="answers in each between two lessons")
    parser.add_argument("--rounds", type=int, default=3, help="how often a lesson goes through what was played")
    parser.add_argument("--parts", type=int, default=8, help="in so many parts")
    parser.add_argument("--rate", type=float, default=1e-3, help="how far a step goes, at the start")
    parser.add_argument("--bound", type=float, default=0.2)
    parser.add_argument("--discount", type=float, default=0.999)
    parser.add_argument("--trace", type=float, default=0.95)
    parser.add_argument("--curiosity", type=float, default=0.02)
    parser.add_argument("--value", type=float, default=0.5)
    parser.add_argument("--small", action="store_true", help="a few steps only, to see that it runs")
    options = parser.parse_args()
    if options.small:
        options.minutes, options.pairs, options.duels, options.steps = min(options.minutes, 0.02), 2, 16, 8
    game = cw.Game()
    policy = Policy(game, options.seed)
    if options.load:
        policy.load(options.load)
    learner = Learner(game, policy, options)
    began = time.perf_counter()
    told = 0
    while (passed := (time.perf_counter() - began) / 60) < options.minutes:
        learner.learn(learner.play(), max(1 - passed / options.minutes, 0.02))
        if passed >= told:
            share = learner.won / max(learner.ended, 1)
            print(f"{passed:5.1f} minutes, {learner.choices:>9,} choices: wins {share:.3f} while it tries", flush=True)
            learner.ended, learner.won, told = 0, 0.0, told + 1
    if learner.updates:
        policy.save(options.output, game)
    match = cw.arena(game, policy, options.opponent, decks=DECKS, pairs=options.pairs)
    print(f"against {options.opponent} {match.score:.3f} [{match.low:.3f}, {match.high:.3f}] in {options.pairs} pairs")


if __name__ == "__main__":
    main()
