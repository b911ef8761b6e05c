"""Duels as values: answers, copies, samples, views, records."""

import copy
import random
import signal
import threading
import time
from pathlib import Path

import pytest
from conftest import ROOT

import cardwright as cw

DECKS = ("Harbour Lights", "Night School")


def positions(game: cw.Game, seed: int, number: int) -> list[cw.Duel]:
    """Positions on the way of random duels."""
    chance = random.Random(seed)
    found = []
    while len(found) < number:
        duel = game.duel(*DECKS, seed=chance.randrange(2**32))
        while not duel.over:
            duel.answer(chance.randrange(duel.number_of_options))
            if chance.random() < 0.05 and not duel.over:
                found.append(duel.copy())
    return found[:number]


def test_three_lines_play_a_duel() -> None:
    duel = cw.Game().duel(seed=7)
    assert cw.play(duel, "easy", "novice").winner in (0, 1, 2)
    assert duel.pending is None
    assert duel.reason in ("hp", "deck", "drawn")


def test_what_is_offered_is_accepted_and_nothing_else(game: cw.Game) -> None:
    duel = game.duel(*DECKS, seed=1)
    before = duel.hash
    with pytest.raises(cw.ChoiceError, match="there is no option 99: there are"):
        duel.answer(99)
    with pytest.raises(cw.ChoiceError, match="“fly:1” is no choice"):
        duel.answer("fly:1")
    with pytest.raises(cw.ChoiceError, match="heads is not offered now; offered are"):
        duel.answer("heads")
    assert duel.hash == before
    decision = duel.pending
    assert decision is not None
    duel.answer(decision.options[0])
    other = game.duel(*DECKS, seed=1)
    other.answer(decision.options[0].key)
    assert other.hash == duel.hash


def test_a_copy_goes_on_like_the_original(game: cw.Game) -> None:
    for duel in positions(game, 2, 20):
        for other in (duel.copy(), copy.copy(duel), copy.deepcopy(duel)):
            one = duel.copy()
            for _ in range(30):
                if one.over:
                    break
                one.answer(one.number_of_options - 1)
                other.answer(other.number_of_options - 1)
            assert one.hash == other.hash


def test_a_seat_sees_what_it_knows(game: cw.Game) -> None:
    for duel in positions(game, 3, 20):
        mine, others = duel.view(1), duel.view(2)
        assert all(card.model is not None for card in mine.me.hand)
        assert len(others.other.hand) == len(mine.me.hand)
        assert mine.me.hp == others.other.hp
        assert mine.asked == duel.asked
    fresh = game.duel(*DECKS, seed=4).view(1)
    assert all(card.model is None for card in fresh.other.hand)
    assert set(fresh.me.deck) == {None}
    with pytest.raises(AttributeError):
        fresh.turn = 3  # type: ignore[misc]


def test_a_sample_looks_the_same_and_has_no_record(game: cw.Game) -> None:
    differ = 0
    for duel in positions(game, 5, 30):
        seat = duel.asked
        assert seat is not None
        sample = duel.sample(seat, 9)
        if sample is None:
            continue
        differ += sample.hash != duel.hash
        one, two = duel.view(seat), sample.view(seat)
        assert [card.model for card in one.me.hand] == [card.model for card in two.me.hand]
        assert one.me.deck == two.me.deck
        asked, answered = duel.pending, sample.pending
        assert asked is not None
        assert answered is not None
        assert asked.options == answered.options
        with pytest.raises(cw.ReplayError, match="never played"):
            sample.replay()
    assert differ > 20


def test_a_record_gives_the_duel_again(game: cw.Game, tmp_path: Path) -> None:
    duel = cw.play(game.duel(*DECKS, seed=7), "easy", "novice")
    duel.replay().save(tmp_path / "a.json")
    replay = cw.Replay.load(tmp_path / "a.json")
    assert replay.at(game=game).hash == duel.hash
    middle = replay.at(10, game=game)
    assert len(middle.replay()) == 10
    assert replay.at(-1, game=game).asked == replay.choices[-1][0]
    for _, key in replay.choices[10:]:
        middle.answer(key)
    assert middle.hash == duel.hash
    assert middle.replay().text == replay.text
    with pytest.raises(cw.ReplayError, match="there is no choice 9999"):
        replay.at(9999, game=game)
    with pytest.raises(cw.ReplayError):
        cw.Replay.parse("{}")
    given_up = game.duel(*DECKS, seed=1)
    given_up.give_up(1)
    assert given_up.winner == 2
    assert given_up.reason == "gave up"
    assert given_up.replay().at(game=game).winner == 2


def test_levels_choose_by_what_they_see(game: cw.Game) -> None:
    level = cw.Level("easy")
    for duel in positions(game, 11, 40):
        seat = duel.asked
        assert seat is not None
        sample = duel.sample(seat, 3)
        if sample is not None:
            assert level.choose(duel, seed=5) == level.choose(sample, seed=5)
    thought = cw.Level("normal", playouts=60).think(positions(game, 12, 1)[0], seed=1)
    assert thought is None or thought[0]["visits"] > 0
    with pytest.raises(ValueError, match="a player is random, plain"):
        cw.Level("grandmaster")


def test_faults_are_told_with_their_places(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="cannot open the game “no-such-folder”"):
        cw.Game("no-such-folder")
    files = cw.Game().files()
    files["Rules/core.rules"] += b"\n[Rolling Pin]\naction = drow(2)\n"
    with pytest.raises(cw.GameError) as caught:
        cw.Game(files=files)
    assert "drow" in str(caught.value)
    finding = next(one for one in caught.value.findings if "drow" in one.message)
    assert finding.file == "Rules/core.rules"
    assert finding.line > 1
    assert str(finding).startswith(f"Rules/core.rules:{finding.line}:{finding.column}: error[")
    assert cw.Game(files=files, allow_errors=True).name == "Saltmarsh"
    assert not [one for one in cw.check() if one.severity == "error"]
    with pytest.raises(cw.GameError, match="did you mean “Night School”"):
        cw.Game().deck("Night Scool")


def test_a_game_of_files_is_the_same_game(game: cw.Game) -> None:
    other = cw.Game(files=game.files())
    assert other.fingerprint == game.fingerprint
    folder = cw.Game(ROOT / "games" / "saltmarsh")
    assert folder.fingerprint == game.fingerprint
    assert folder.path is not None
    assert folder.duel(*DECKS, seed=3).hash == game.duel(*DECKS, seed=3).hash
    cards = game.deck(DECKS[0])
    assert game.duel(cards, DECKS[1], seed=3).hash == game.duel(*DECKS, seed=3).hash


def test_expressions_are_those_of_python_two() -> None:
    assert cw.eval("7 / 2") == "3"
    with pytest.raises(cw.EvalError, match="ZeroDivisionError") as caught:
        cw.eval("1 / 0")
    assert caught.value.name == "ZeroDivisionError"


def test_long_work_runs_without_the_lock(game: cw.Game) -> None:
    beats = 0
    stop = threading.Event()

    def beat() -> None:
        nonlocal beats
        while not stop.wait(0.001):
            beats += 1

    thread = threading.Thread(target=beat)
    thread.start()
    told: list[tuple[int, int, str]] = []
    match = cw.arena(game, "easy", "novice", pairs=60, progress=lambda *args: told.append(args))
    stop.set()
    thread.join()
    assert match.pairs == 60
    assert beats > 3
    assert told[-1][:2] == (60, 60)


def test_control_c_ends_long_work(game: cw.Game) -> None:
    # Who is run in the background ignores this signal, unless it is said.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        cw.arena(game, "expert", "expert", pairs=100_000)
    assert time.monotonic() - begun < 60
    signal.signal(signal.SIGINT, before)
