"""Levels take their chance from the duel's seed; calls leave no threads behind."""

import os
import pickle
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import cardwright as cw


def test_a_duel_of_levels_is_that_of_the_command_line(game: cw.Game, program: str, tmp_path: Path) -> None:
    for seed in range(4):
        record = tmp_path / f"{seed}.json"
        decks = ["--deck1", game.decks[0], "--deck2", game.decks[1]]
        players = ["--seat1", "easy", "--seat2", "novice", "--plain", "--quiet"]
        words = [program, "play", *decks, *players, "--seed", str(seed), "--record", str(record)]
        subprocess.run(words, check=True, capture_output=True, stdin=subprocess.DEVNULL)
        duel = cw.play(game.duel(*game.decks[:2], seed=seed), "easy", "novice")
        assert cw.Replay.load(record).choices == duel.replay().choices


def test_without_a_seed_chance_stays_chance(game: cw.Game) -> None:
    level, places = cw.Level("random"), dict[int, set[int]]()
    for seed in range(20):
        duel = game.duel(seed=seed)
        while (number := duel.number_of_options) > 0 and duel.turn < 6:
            place = level.choose(duel)
            assert place == level.choose(duel), "the same question is answered in the same way"
            places.setdefault(number, set()).add(place)
            duel.answer(place)
    for number in (2, 3, 4):
        assert places[number] == set(range(number))


def test_a_copy_a_sample_and_a_record_have_chance_of_their_duel(game: cw.Game) -> None:
    level, duel = cw.Level("random"), game.duel(seed=5)
    differ = 0
    for _ in range(60):
        again = duel.replay().at(game=game)
        assert level.choose(again) == level.choose(duel) == level.choose(duel.copy())
        samples = [duel.sample(duel.asked or 1, seed) for seed in range(4)]
        differ += len({level.choose(sample) for sample in samples if sample is not None}) > 1
        duel.answer(level.choose(duel))
        if duel.over:
            break
    assert differ > 10


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_reads_games_and_steps_duels(game: cw.Game) -> None:
    """A pool of threads that a call left behind has no threads in the child, which would wait for ever."""
    vec = cw.VecDuels(game, 100, threads=2, seed=1)
    cw.check(game)
    child = os.fork()
    if child == 0:
        done = 3
        try:
            cw.Game()
            cw.check()
            vec.reset(2)
            done = 0
        finally:
            os._exit(done)
    end = time.monotonic() + 120
    ended, status = 0, 0
    while ended == 0 and time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        time.sleep(0.05)
    if ended == 0:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert ended == child, "the child hangs"
    assert status == 0


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Lets Ctrl-C interrupt, also where whoever began these tests ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_a_long_thought(game: cw.Game) -> None:
    duel, level = game.duel(seed=4), cw.Level("easy")

    def is_thought_about() -> bool:
        """Returns whether a sixtieth of the playouts below takes longer than an answer without thought."""
        took = []
        for _ in range(3):  # A busy machine makes everything long, now and then.
            begun = time.process_time()
            cw.Level("expert", playouts=1_000).choose(duel)
            took.append(time.process_time() - begun)
        return min(took) > 0.05

    # Many questions take no thought: a place for a character, or what a proof settles.
    while not is_thought_about():
        duel.answer(level.choose(duel))
    main = threading.main_thread().ident
    assert main is not None
    for _ in range(20):
        timer = threading.Timer(0.3, signal.pthread_kill, (main, signal.SIGINT))
        begun, has_answered = time.monotonic(), False
        timer.start()
        try:
            cw.Level("expert", playouts=1_000_000).choose(duel)
            # More thought has settled it after all: the signal comes now, and the next question is tried.
            has_answered = True
            timer.join()
            time.sleep(1)
        except KeyboardInterrupt:
            if not has_answered:
                break
        duel.answer(level.choose(duel))
    else:
        pytest.fail("no thought was interrupted")
    assert time.monotonic() - begun < 30


def test_values_are_pickled_copied_and_compared(game: cw.Game, tmp_path: Path) -> None:
    import copy

    duel = game.duel(seed=3)
    for _ in range(40):
        duel.answer(cw.Level("easy").choose(duel))
    sample = duel.sample(1, 7)
    assert sample is not None
    sample.answer(sample.number_of_options - 1)
    level = cw.Level("normal", playouts=77)
    for value in (game, duel, sample, duel.replay(), level):
        assert pickle.loads(pickle.dumps(value)) == value == copy.copy(value) == copy.deepcopy(value)
    again = pickle.loads(pickle.dumps(duel))
    assert again.replay().choices == duel.replay().choices
    assert cw.Level("random").choose(again) == cw.Level("random").choose(duel)
    other = duel.copy()
    other.answer(0)
    assert other != duel
    assert duel != sample
    assert duel.view(1) == duel.copy().view(1)
    assert duel.view(1) != duel.view(2)
    assert level != cw.Level("normal")
    in_memory = cw.Game(files=game.files())
    assert pickle.loads(pickle.dumps(in_memory)) == in_memory
    with pytest.raises(cw.ReplayError, match="has no past"):
        pickle.dumps(cw.VecDuels(game, 1).duel(0))
    path = tmp_path / "game"
    for name, content in game.files().items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    kept = pickle.dumps(cw.Game(path))
    assert pickle.loads(kept) == cw.Game(path)
    rules = path / "Rules" / "core.rules"
    rules.write_bytes(rules.read_bytes().replace(b"300", b"400"))
    with pytest.raises(cw.GameError, match="has changed since it was pickled"):
        pickle.loads(kept)
