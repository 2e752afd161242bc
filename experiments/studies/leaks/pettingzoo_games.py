"""PettingZoo's classics: card games, which wrap RLCard, and rock, paper, scissors.

A twin is a copy whose hidden cards are dealt again, or whose hidden choice is different.
"""

from __future__ import annotations

from importlib import import_module
from math import comb
from typing import Any

from riverbed_env.testing.leaks import Secret, copy_env
from riverbed_lab.speed.peers import known_noise_silenced

from .cases import Case, Env, Rng

_PACKAGES = {"pettingzoo": "pettingzoo", "rlcard": "rlcard", "pygame-ce": "pygame"}
_KEPT_OF_THE_STOCK = 10
_HAND_SHOWN = (
    "observe() shows every agent the acting player's hand: rlcard/envs/gin_rummy.py, line 51, always takes "
    "get_current_player()"
)
_MASK_SHOWN = (
    "observe() gives the acting player's mask, whose discards are its hand: "
    "pettingzoo/classic/rlcard_envs/rlcard_base.py, line 82, takes next_legal_moves for every agent"
)


def cases() -> list[Case]:
    """Poker, gin rummy through PettingZoo's base class, and rock, paper, scissors."""
    pokers = [_poker("leduc_holdem_v4"), _poker("texas_holdem_v4", 3), _poker("texas_holdem_no_limit_v6", 3)]
    return [*pokers, _gin(), _rps()]


# --- poker ---------------------------------------------------------------------------------------------------------


def _poker(module: str, players: int = 0) -> Case:
    options = {"num_players": players} if players else {}

    def make(**more: Any) -> Env:
        with known_noise_silenced():
            return import_module(f"pettingzoo.classic.{module}").env(**options, **more)

    return Case(
        name=f"PettingZoo {module}" + (f", {players} players" if players else ""),
        packages=_PACKAGES,
        make=make,
        knows=poker_knows,
        twin=poker_twin,
        how="copy; the others' cards and the deck dealt again, half the time without the next cards for the table",
        varied=_poker_varied,
        moments=0.6,
        make_drawn=lambda: make(render_mode="rgb_array", screen_height=200),
        secrets=_rank_of_the_other if module.startswith("leduc") else _ace_of_the_next,
        remark="observe() gives every agent the acting agent's mask, but the documentation says zeros; bets are public",
    )


def poker_game(env: Env) -> Any:
    """The RLCard game inside an environment."""
    return env.unwrapped.env.game


def _seat(env: Env, agent: str) -> int:
    return list(env.possible_agents).index(agent)


def _hand(player: Any) -> list[Any]:
    """The cards of a hand; in Leduc hold'em it is a single card, not a list."""
    return list(player.hand) if isinstance(player.hand, list) else [player.hand]


def _on_the_table(game: Any) -> list[Any]:
    if hasattr(game, "public_card"):
        return [] if game.public_card is None else [game.public_card]
    return list(game.public_cards)


def _words(cards: list[Any]) -> list[str]:
    return sorted(card.get_index() for card in cards)


def _in_play(player: Any) -> bool:
    return "folded" not in str(player.status).lower()


def poker_knows(env: Env, agent: str) -> Any:
    """The agent's cards, those on the table, chips, who has folded, all bets; the hands shown at a showdown."""
    game, seat = poker_game(env), _seat(env, agent)
    left = [player for player in game.players if _in_play(player)]
    shown = [_words(_hand(player)) for player in left] if game.is_over() and len(left) > 1 else []
    return {
        "own": _words(_hand(game.players[seat])),
        "table": [card.get_index() for card in _on_the_table(game)],
        "chips": [int(player.in_chips) for player in game.players],
        "in play": [_in_play(player) for player in game.players],
        "bets": [(int(who), str(bet)) for who, bet in env.unwrapped.env.action_recorder],
        "shown": shown,
    }


def poker_twin(env: Env, agent: str, rng: Rng) -> Env | None:
    """Deal the others' cards and the deck again; half the time the next cards for the table stay the same."""
    other = copy_env(env)
    game, seat = poker_game(other), _seat(env, agent)
    to_come = (1 if hasattr(game, "public_card") else 5) - len(_on_the_table(game))
    kept = to_come if rng.random() < 0.5 else 0
    deck = game.dealer.deck
    loose = len(deck) - kept
    others = [player for player in game.players if player.player_id != seat]
    cards = deck[:loose] + [card for player in others for card in _hand(player)]
    cards = [cards[place] for place in rng.permutation(len(cards))]
    for player in others:
        count = len(_hand(player))
        dealt, cards = cards[:count], cards[count:]
        player.hand = dealt if isinstance(player.hand, list) else dealt[0]
    deck[:loose] = cards
    return other


def _poker_varied(one: Env, two: Env) -> list[str]:
    games = poker_game(one), poker_game(two)
    hands = [[_words(_hand(player)) for player in game.players] for game in games]
    decks = [[card.get_index() for card in game.dealer.deck] for game in games]
    return [name for name, held in (("hands", hands), ("deck", decks)) if held[0] != held[1]]


def _unseen(env: Env, agent: str) -> list[Any]:
    """The cards an agent doesn't see."""
    game, seat = poker_game(env), _seat(env, agent)
    others = [card for player in game.players if player.player_id != seat for card in _hand(player)]
    return others + list(game.dealer.deck)


def _rank_of_the_other(env: Env, agent: str) -> dict[str, Secret]:
    """All unseen cards are equally likely, because random bets carry no information about cards."""
    ranks = "JQK"
    unseen = [card.rank for card in _unseen(env, agent)]
    other = next(player for player in poker_game(env).players if player.player_id != _seat(env, agent))
    chances = [unseen.count(rank) / len(unseen) for rank in ranks]
    return {"the other's rank": Secret(ranks.index(other.hand.rank), chances)}


def _ace_of_the_next(env: Env, agent: str) -> dict[str, Secret]:
    """The next player's hand is two of the unseen cards; it has no ace if both are among the other cards."""
    players, unseen = poker_game(env).players, _unseen(env, agent)
    following = players[(_seat(env, agent) + 1) % len(players)]
    others = sum(card.rank != "A" for card in unseen)
    chance = comb(others, 2) / comb(len(unseen), 2)
    return {
        "the next one has an ace": Secret(int(any(card.rank == "A" for card in following.hand)), [chance, 1 - chance])
    }


# --- gin rummy -----------------------------------------------------------------------------------------------------


def _gin() -> Case:
    return Case(
        name="RLCard gin-rummy in PettingZoo's RLCardBase",
        packages=_PACKAGES,
        make=make_gin,
        knows=gin_knows,
        twin=gin_twin,
        how="copy; the stock and the other's cards that weren't picked up openly dealt again; none after knocking",
        varied=_gin_varied,
        moments=0.05,
        explained={("out of turn", "observation"): _HAND_SHOWN, ("out of turn", "mask"): _MASK_SHOWN},
        remark="this PettingZoo no longer has gin_rummy_v4, which was RLCardBase('gin-rummy', 2, (5, 52))",
    )


def make_gin() -> Env:
    """RLCard's gin rummy through PettingZoo's base class for RLCard games."""
    with known_noise_silenced():
        base = import_module("pettingzoo.classic.rlcard_envs.rlcard_base").RLCardBase

    class GinRummy(base):  # type: ignore[misc, valid-type]  # PettingZoo publishes no types
        """PettingZoo's former gin_rummy_v4, with all five planes of RLCard."""

        metadata = {"name": "gin_rummy", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012
        render_mode = None

        def __init__(self) -> None:
            super().__init__("gin-rummy", 2, (5, 52))

    return GinRummy()


def gin_knows(env: Env, agent: str) -> Any:
    """The agent's hand and all moves, but not cards drawn from the stock; both hands once somebody has gone out."""
    rounds = poker_game(env).round
    own = rounds.players[_seat(env, agent)]
    out = rounds.going_out_action is not None
    return {
        "own": _words(own.hand),
        "discards": [card.get_index() for card in rounds.dealer.discard_pile],
        "moves": [(int(who), int(action.action_id)) for who, action in env.unwrapped.env.action_recorder],
        "shown": [_words(player.hand) for player in rounds.players] if out else [],
    }


def gin_twin(env: Env, agent: str, rng: Rng) -> Env | None:
    """Deal the stock and the other's cards that weren't picked up openly again; half the time the stock's top stays."""
    if poker_game(env).round.going_out_action is not None:
        return None
    other = copy_env(env)
    rounds = poker_game(other).round
    opponent = rounds.players[1 - _seat(env, agent)]
    secret = [card for card in opponent.hand if card not in opponent.known_cards]
    stock = rounds.dealer.stock_pile
    loose = max(0, len(stock) - (_KEPT_OF_THE_STOCK if rng.random() < 0.5 else 0))
    cards = stock[:loose] + secret
    cards = [cards[place] for place in rng.permutation(len(cards))]
    stock[:loose] = cards[:loose]
    opponent.hand = [*opponent.known_cards, *cards[loose:]]
    opponent.did_populate_hand()
    other.unwrapped.next_legal_moves = list(other.unwrapped.env._get_legal_actions())
    return other


def _gin_varied(one: Env, two: Env) -> list[str]:
    rounds = poker_game(one).round, poker_game(two).round
    hands = [[_words(player.hand) for player in each.players] for each in rounds]
    stocks = [[card.get_index() for card in each.dealer.stock_pile] for each in rounds]
    return [name for name, held in (("hands", hands), ("stock", stocks)) if held[0] != held[1]]


# --- rock, paper, scissors -----------------------------------------------------------------------------------------


def _rps() -> Case:
    return Case(
        name="PettingZoo rps_v2",
        packages={"pettingzoo": "pettingzoo", "pygame-ce": "pygame"},
        make=make_rps,
        knows=rps_knows,
        twin=rps_twin,
        how="copy; the first player's hidden choice is different",
        varied=lambda one, two: ["choice"] if one.unwrapped.state != two.unwrapped.state else [],
        make_drawn=lambda: make_rps(render_mode="rgb_array", screen_height=200),
        remark="raw_env.state, a dictionary in place of state(), holds the choice too",
    )


def make_rps(**options: Any) -> Env:
    """Rock, paper, scissors as an AEC environment."""
    with known_noise_silenced():
        return import_module("pettingzoo.classic.rps_v2").env(**options)


def rps_knows(env: Env, agent: str) -> Any:
    """The number of rounds played, the last five choices, and the agent's own choice of this round."""
    table = env.unwrapped
    asked = list(env.possible_agents).index(env.agent_selection)
    own = table.state[agent] if asked == 1 and agent != env.agent_selection else None
    return int(table.num_moves), [int(choice) for choice in table.history], own


def rps_twin(env: Env, agent: str, rng: Rng) -> Env | None:
    """Change the first player's choice while the second one acts."""
    first, second = env.possible_agents
    if agent != second or env.agent_selection != second:
        return None
    other = copy_env(env)
    table = other.unwrapped
    table.state[first] = (int(table.state[first]) + int(rng.integers(1, 3))) % 3
    return other
