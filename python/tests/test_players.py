"""Functions of Python and objects with `choose` play wherever levels do."""

import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardwright as cw
from cardwright import cluster

DECKS = ["Harbour Lights", "Night School"]


def last(duel: cw.Duel) -> int:
    return duel.number_of_options - 1


def plain(duel: cw.Duel) -> int:
    return cw.Level("plain").choose(duel)


class Sometimes:
    """An object that plays, with a name of its own and chance of its own."""

    name = "sometimes last"

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, duel: cw.Duel) -> int:
        self.asked += 1
        assert duel.number_of_options > 1
        return self.asked % duel.number_of_options


def test_a_function_comes_to_what_the_level_in_it_comes_to(game: cw.Game) -> None:
    """It sees a duel that its seat cannot tell from the true one, and that is enough for who looks at the view."""
    mine = cw.arena(game, plain, "random", decks=DECKS, pairs=40, seed=2)
    level = cw.arena(game, "plain", "random", decks=DECKS, pairs=40, seed=2)
    assert (mine.counts, mine.score, mine.low, mine.high) == (level.counts, level.score, level.low, level.high)
    assert mine.low < mine.score < mine.high
    assert mine.data["players"] == ["python:plain", "random"]
    assert "python:plain against random" in repr(mine)


def test_nothing_hidden_reaches_a_function(game: cw.Game) -> None:
    """What the other holds is dealt anew for each question; what the seat sees is as it is."""
    seen: dict[int, set[str]] = {1: set(), 2: set()}
    views = []

    def spy(duel: cw.Duel) -> int:
        seat = duel.asked
        assert seat is not None
        if duel.turn == 1:
            other = duel.view(3 - seat).me.hand
            seen[seat].add(", ".join(sorted(card.model.name for card in other if card.model is not None)))
        views.append(duel.view(seat))
        return 0

    cw.arena(game, spy, "random", decks=DECKS, pairs=1)
    # In one duel as the first seat, in the other one as the second: a hand that was true would be one hand.
    assert max(len(hands) for hands in seen.values()) > 1
    assert all(any(card.model is not None for card in view.me.hand) or not view.me.hand for view in views)


def test_an_object_with_choose_plays_a_plan(game: cw.Game, tmp_path: Path) -> None:
    player = Sometimes()
    plan = cw.Plan(game, [player, "random"], decks=DECKS, pairs=40, seed=3)
    assert plan.players == ["python:sometimes last", "random"]
    result = cw.simulate(game, plan, folder=tmp_path)
    assert player.asked > 100
    score, low, high = result.score
    assert low < score < high
    assert result.summary["players"] == ["python:sometimes last", "random"]
    again = cw.simulate(game, cw.Plan(game, [Sometimes(), "random"], decks=DECKS, pairs=40, seed=3))
    assert again.text == result.text
    report = cw.balance(game, last, decks=DECKS, pairs=20, card_pairs=0)
    assert "python:last" in report.data["ran"]["command"]


def test_a_plan_keeps_its_functions_as_long_as_there_are_any(game: cw.Game, tmp_path: Path) -> None:
    plan = cw.Plan(game, [last, "random"], decks=DECKS, pairs=32)
    again = pickle.loads(pickle.dumps(plan))
    assert again == plan
    assert cw.simulate(game, again).text == cw.simulate(game, plan).text
    with pytest.raises(cw.PlanError, match="the player “last” is a function of Python, and only the plan that"):
        cw.simulate(game, cw.Plan.parse(plan.text))
    with pytest.raises(cw.PlanError, match="python:last is a function of this process, and plays here only"):
        cluster.run(game, plan, tmp_path / "out")


@pytest.mark.parametrize("answer", [None, "0", -1, 128, 1.0])
def test_an_answer_that_is_none_ends_the_work_with_its_words(game: cw.Game, answer: Any) -> None:
    def wrong(duel: cw.Duel) -> Any:
        return answer

    with pytest.raises((TypeError, ValueError), match=r"^the answer of python:wrong is to be a whole number from 0 to"):
        cw.arena(game, wrong, "random", pairs=2)
    with pytest.raises((TypeError, ValueError), match=r"^the answer of python:wrong is to be a whole number from 0 to"):
        cw.VecDuels(game, 2, opponent=wrong)


@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_function_raises_is_raised(game: cw.Game, threads: int) -> None:
    class TeaError(Exception):
        pass

    def thirsty(duel: cw.Duel) -> int:
        if duel.turn > 2:
            raise TeaError("the tea is cold")
        return 0

    plan = cw.Plan(game, ["random", thirsty], pairs=100_000)
    with pytest.raises(TeaError, match="the tea is cold"):
        cw.arena(game, "random", thirsty, pairs=100_000, threads=threads)
    with pytest.raises(TeaError, match="the tea is cold"):
        cw.simulate(game, plan, threads=threads)
    with pytest.raises(TeaError, match="the tea is cold"):
        cw.balance(game, thirsty, pairs=100_000, threads=threads)
    vec = cw.VecDuels(game, 4, opponent=thirsty, threads=threads)

    def go_on() -> None:
        for _ in range(1000):
            vec.step(vec.mask.argmax(axis=1))

    with pytest.raises(TeaError, match="the tea is cold"):
        go_on()


def test_functions_take_the_other_seat_of_many_duels(game: cw.Game) -> None:
    """Threads change nothing, and who plays as a level does comes to the same duels."""
    mine = cw.VecDuels(game, 20, opponent=plain, seed=3, threads=2)
    level = cw.VecDuels(game, 20, opponent=cw.Level("plain"), seed=3)
    chance = random.Random(1)
    for _ in range(60):
        assert mine.obs.tobytes() == level.obs.tobytes()
        assert set(mine.seat.tolist()) <= {0, 1}
        actions = [chance.choice(np.flatnonzero(row).tolist() or [0]) for row in level.mask]
        mine.step(actions)
        level.step(actions)


def test_play_takes_an_object(game: cw.Game) -> None:
    class First:
        def choose(self, duel: cw.Duel) -> int:
            return 0

    assert cw.play(game.duel(*DECKS, seed=4), First(), last) == cw.play(game.duel(*DECKS, seed=4), lambda _: 0, last)
