"""OpenSpiel plays our duels; it is an extra, and where it is not installed the run says so."""

import random

import numpy as np
import pytest

import cardwright as cw

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: nothing of it was tested")
from open_spiel.python import policy  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    best_response,
    expected_game_score,
    exploitability,
    ismcts,
    mcts,
    outcome_sampling_mccfr,
)

from cardwright.openspiel import DuelGame  # noqa: E402


def begun(game: DuelGame, seed: int) -> "object":
    state = game.new_initial_state()
    state.apply_action(seed)
    return state


def test_random_play_ends_and_is_the_same_again() -> None:
    game = pyspiel.load_game("python_cardwright")
    assert game.get_type().provides_information_state_tensor
    ends = []
    for _ in range(2):
        chance, state = random.Random(3), begun(game, 9)
        while not state.is_terminal():
            assert state.current_player() in (0, 1)
            state.apply_action(chance.choice(state.legal_actions()))
        ends.append((state.duel.hash, state.returns()))
    assert ends[0] == ends[1]
    assert sum(ends[0][1]) == 0


def test_a_clone_goes_on_alone_and_a_resample_looks_the_same() -> None:
    game, chance = DuelGame(), random.Random(1)
    state, differ = begun(game, 4), 0
    for _ in range(60):
        if state.is_terminal():
            break
        before = state.duel.hash
        player = state.current_player()
        other = state.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(0.0, 1.0))
        assert other.observation_string(player) == state.observation_string(player)
        assert other.legal_actions() == state.legal_actions()
        differ += other.duel.hash != before
        clone = state.clone()
        clone.apply_action(clone.legal_actions()[-1])
        assert state.duel.hash == before
        state.apply_action(chance.choice(state.legal_actions()))
    assert differ > 40


def test_a_child_and_a_text_keep_the_history() -> None:
    game, chance = pyspiel.load_game("python_cardwright"), random.Random(5)
    state = begun(game, 4)
    for _ in range(20):
        child = state.child(state.legal_actions()[0])
        assert child.history() == [*state.history(), state.legal_actions()[0]]
        assert child.move_number() == state.move_number() + 1
        state.apply_action(chance.choice(state.legal_actions()))
    again = game.deserialize_state(state.serialize())
    assert again.duel == state.duel
    assert again.history() == state.history()


def test_a_player_recalls_all_that_it_has_seen_and_done() -> None:
    """And nothing that it has not: a state dealt anew has the same information state, a sibling another one."""
    game, chance = pyspiel.load_game("python_cardwright"), random.Random(7)
    state, strings, differ = begun(game, 4), set(), 0
    for _ in range(60):
        if state.is_terminal():
            break
        player = state.current_player()
        told = state.information_state_string(player)
        assert told not in strings
        strings.add(told)
        other = state.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(0.0, 1.0))
        assert other.information_state_string(player) == told
        differ += other.information_state_string(1 - player) != state.information_state_string(1 - player)
        children = [state.child(action) for action in state.legal_actions()[:3]]
        recalled = [child.information_state_string(player) for child in children]
        assert len(set(recalled)) == len(recalled)
        assert state.clone().information_state_string(player) == told
        state.apply_action(chance.choice(state.legal_actions()))
    assert differ > 20


def test_its_own_simulation_finds_nothing_wrong() -> None:
    """What OpenSpiel runs over each of its games: random play, with copies, texts and observations."""
    pyspiel.random_sim_test(pyspiel.load_game("python_cardwright"), num_sims=2, serialize=True, verbose=False)


def test_monte_carlo_regret_minimisation_runs() -> None:
    game = pyspiel.load_game("python_cardwright")
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    solver.iteration()
    assert solver.average_policy() is not None


def tiny(kinds: int, seeds: int) -> DuelGame:
    """Five cards in each deck: all are in the hands, so a duel ends at the first draw."""
    cards = cw.Game()
    fighters = [model for model in cards.models if model.kind == "character" and not model.scripted]
    deck = [fighters[at % kinds] for at in range(5)]
    return DuelGame({"seeds": seeds}, game=cards, decks=(deck, deck))


def test_the_tensor_of_an_information_state_tells_it_from_all_others() -> None:
    """Where two strings differ the tensors differ, and where they are equal the tensors are."""
    game, chance = pyspiel.load_game("python_cardwright"), random.Random(8)
    size = game.information_state_tensor_size()
    assert size == len(cw.encoding(game.cards)[0]) + 128
    strings: dict[bytes, str] = {}
    for seed in (1, 1, 1, 2):
        state = begun(game, seed)
        for _ in range(40):
            if state.is_terminal():
                break
            for player in (0, 1):
                tensor = np.asarray(state.information_state_tensor(player), np.float32)
                assert tensor.shape == (size,)
                assert set(tensor[-128:].tolist()) <= {0.0, 1.0}
                told = state.information_state_string(player)
                assert strings.setdefault(bytes([player]) + tensor.tobytes(), told) == told
            state.apply_action(chance.choice(state.legal_actions()))
    assert len(strings) == len(set(strings.values()))
    assert len(strings) > 200


def test_exploitability_of_a_tiny_game_is_found() -> None:
    """With five cards each, who has to draw first has lost, whatever anybody does: there is nothing to exploit."""
    game = tiny(2, 2)
    evenly = policy.TabularPolicy(game)
    assert 10 < len(evenly.states) < 100
    assert exploitability.exploitability(game, evenly) == 0
    for player in (0, 1):
        best = best_response.BestResponsePolicy(game, player, evenly)
        root = game.new_initial_state()
        assert best.value(root) == expected_game_score.policy_value(root, [evenly, evenly])[player]


def test_options_that_take_something_back_are_not_legal_unless_wanted() -> None:
    """A game that has them has no end of states."""
    back = {"cancel-attack", "cancel-block", "decline"}
    for takebacks in (False, True):
        game = pyspiel.load_game("python_cardwright", {"takebacks": takebacks})
        chance, state, met = random.Random(6), begun(game, 3), 0
        for _ in range(300):
            if state.is_terminal():
                break
            options = state.duel.pending.options
            legal = {options[action].kind for action in state.legal_actions()}
            met += bool(legal & back) and bool({option.kind for option in options} - back)
            state.apply_action(chance.choice(state.legal_actions()))
        assert (met > 0) == takebacks


def test_its_playthrough_is_the_same_again() -> None:
    """What OpenSpiel writes down of each of its games and compares: every state, string, tensor and option."""
    from open_spiel.python.algorithms import generate_playthrough

    texts = [generate_playthrough.playthrough("python_cardwright", [4] + [0] * 30, seed=5) for _ in range(2)]
    assert texts[0] == texts[1]
    for word in ("InformationStateTensor", "ObservationTensor", "InformationStateString", "LegalActions"):
        assert word in texts[0], word


def test_its_search_is_an_oracle_for_ours() -> None:
    """Its IS-MCTS with random playouts beats chance, and does not beat our search with as many playouts."""
    game = DuelGame(game=cw.Game())
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))

    def bot() -> ismcts.ISMCTSBot:
        return ismcts.ISMCTSBot(
            game=game,
            evaluator=evaluator,
            uct_c=0.7,
            max_simulations=20,
            max_world_samples=20,
            random_state=np.random.RandomState(2),
            use_observation_string=True,
            allow_inconsistent_action_sets=True,
        )

    won = {"random": 0, "normal@20": 0}
    for opponent in won:
        level = cw.Level(opponent)
        for seed in range(4):
            search, state = bot(), begun(game, seed)
            while not state.is_terminal():
                mine = state.current_player() == seed % 2 and len(state.legal_actions()) > 1
                # In the middle of some effects nothing can be said without looking.
                if mine and state.duel.sample(seed % 2 + 1, 1) is not None:
                    state.apply_action(search.step(state))
                else:
                    state.apply_action(level.choose(state.duel, seed=seed))
            won[opponent] += state.returns()[seed % 2] > 0
    assert won["random"] >= 3
    assert won["normal@20"] <= 2


def test_alpha_rank_agrees_about_a_ladder() -> None:
    """The level that beats the others holds all of the mass."""
    pytest.importorskip("matplotlib")
    pytest.importorskip("networkx")
    from open_spiel.python.egt import alpharank, heuristic_payoff_table

    names = ["random", "plain", "easy"]
    scores = np.full((3, 3), 0.5)
    for one in range(3):
        for two in range(one + 1, 3):
            score = cw.arena(cw.Game(), names[one], names[two], pairs=40).score
            scores[one, two], scores[two, one] = score, 1 - score
    table = heuristic_payoff_table.from_matrix_game(scores - 0.5)
    _, _, mass, _, _ = alpharank.compute([table], alpha=1e2)
    assert names[int(np.argmax(mass))] == "easy"
    assert max(mass) > 0.95
