"""OpenSpiel's games through Shimmy, and PettingZoo's hanabi, which wraps OpenSpiel's.

A twin is a replay of the history with other hidden facts. Shimmy's `render` prints OpenSpiel's whole state; it is for
spectators and not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from importlib import import_module
from typing import Any

from riverbed_env.testing.leaks import Secret
from riverbed_lab.speed.peers import known_noise_silenced

from .cases import Case, Env, Rng, Secrets, Twin
from .openspiel_worlds import (
    CHANCE,
    State,
    StateKnows,
    actions_of,
    adapter,
    chances_of,
    history_differs,
    knowing,
    make_openspiel,
    openspiel_channels,
    openspiels_own,
    permuted,
    pick,
    redrawn,
    replayed,
    replayed_by_others,
    searched,
    seat_of,
    state_of,
    steps_of,
    with_state,
)

_PACKAGES = {"open_spiel": "pyspiel", "shimmy": "shimmy", "pettingzoo": "pettingzoo"}
_CARDS = frozenset(range(52))
_SHIPS: dict[str, Any] = {
    "board_width": 4, "board_height": 4, "num_shots": 8, "ship_sizes": "[2;2]", "ship_values": "[1;1]",
}  # fmt: skip
_DEALT = "private cards or dice drawn again, the history replayed; kept if the player's knowledge is the same"
_PERMUTED = "hidden cards exchanged in the history, which is replayed; kept if the player's knowledge is the same"
_BY_OTHERS = "the player's moves replayed, the other's random; kept if the player's moves have the same results"
_SHIPS_ANEW = "the other's ships placed again, the shots replayed; kept if OpenSpiel's information state is the same"
_ROLES = "other roles, the same signals, messages and votes; kept if the player's knowledge is the same"
_WHO_IS_ASKED = (
    "out of turn, agent_selection shows when the other's try failed, because the other acts again; counted as known, "
    "since a turn-based environment can't hide who acts"
)
_NUMBER_OF_MOVES = (
    "OpenSpiel's string, which Shimmy doesn't return, contains the number of all moves, the other's failed tries "
    "included, although obstype is 'reveal-nothing': open_spiel/games/dark_hex/dark_hex.cc, line 222, always appends "
    "history_.size(), while phantom_ttt.cc checks obs_type_ first"
)
_DARK_HEX = {(when, "information state string"): _NUMBER_OF_MOVES for when in ("in turn", "out of turn")}


def cases() -> list[Case]:
    """The games: poker and dice, cards, hidden moves, hidden roles."""
    of_leduc = redrawn(leduc_knows, lambda number: number < 2)
    of_hearts = permuted(hearts_knows, hearts_hidden, first=1)
    of_gin = permuted(gin_knows, gin_hidden)
    of_roles = redrawn(roles_known, lambda number: number == 0)
    phantoms = replayed_by_others(phantom_knows)
    no_strings = ("information_state_string",)
    return [
        _case("kuhn_poker", kuhn_knows, redrawn(kuhn_knows), _DEALT, 0.9, secrets=_kuhn_secrets),
        _case("leduc_poker", leduc_knows, of_leduc, _DEALT, 0.9, secrets=_leduc_secrets),
        _case("liars_dice", hand_knows, redrawn(hand_knows), _DEALT, 0.6),
        _case("tiny_bridge_2p", hand_knows, redrawn(hand_knows), _DEALT, 0.6),
        _case("bridge", bridge_knows, permuted(bridge_knows, bridge_hidden), _PERMUTED, 0.06,
              use_double_dummy_result=False),
        _case("hearts", hearts_knows, of_hearts, _PERMUTED, 0.06),
        _case("gin_rummy", gin_knows, of_gin, f"{_PERMUTED}; none after knocking", 0.05),
        _hanabi("PettingZoo hanabi_v5", _pettingzoo_hanabi, lambda: _pettingzoo_hanabi(render_mode="rgb_array")),
        _hanabi("OpenSpiel hanabi", lambda: make_openspiel("hanabi")),
        _goofspiel(),
        _case("phantom_ttt", phantom_knows, phantoms, _BY_OTHERS, remark=_WHO_IS_ASKED),
        _case("dark_hex", phantom_knows, phantoms, _BY_OTHERS, remark=_WHO_IS_ASKED, explained=_DARK_HEX),
        _case("battleship", openspiels_own, _other_ships(), _SHIPS_ANEW, 0.2, left_out=no_strings, **_SHIPS),
        _case("social_deduction", roles_known, of_roles, _ROLES, 0.04, players=7, imposters=2),
    ]  # fmt: skip


def _case(
    game: str, state_knows: StateKnows, twin: Twin, how: str, moments: float = 0.3, *, remark: str = "",
    secrets: Secrets | None = None, explained: dict[tuple[str, str], str] | None = None, left_out: tuple[str, ...] = (),
    **config: Any,
) -> Case:  # fmt: skip
    options = f"with {', '.join(f'{name}={value}' for name, value in config.items())}" if config else ""
    return Case(
        name=f"OpenSpiel {game}", packages=_PACKAGES, make=lambda: make_openspiel(game, **config),
        knows=knowing(state_knows), twin=twin, how=how, varied=history_differs,
        channels=lambda: openspiel_channels(*left_out), explained=explained or {}, secrets=secrets, moments=moments,
        remark="; ".join(words for words in (options, remark) if words),
    )  # fmt: skip


# --- poker and dice ------------------------------------------------------------------------------------------------


def kuhn_knows(state: State, player: int) -> Any:
    """The player's card and the bets; both cards after a showdown."""
    cards, bets = chances_of(state), [action for _, action in actions_of(state)]
    shown = state.is_terminal() and not (1 in bets and bets[-1] == 0)
    return cards[player], bets, cards if shown else []


def leduc_knows(state: State, player: int) -> Any:
    """The player's card, the open card and the bets; both private cards after a showdown."""
    cards, bets = chances_of(state), [action for _, action in actions_of(state)]
    shown = state.is_terminal() and bets[-1] != 0
    return cards[player], cards[2:], bets, cards[:2] if shown else []


def hand_knows(state: State, player: int) -> Any:
    """Liar's dice and tiny bridge: the player's dice or hand and the bids; all hands at the end."""
    hands = chances_of(state)
    return hands[player], actions_of(state), hands if state.is_terminal() else []


def _kuhn_secrets(env: Env, agent: str) -> dict[str, Secret]:
    cards, seat = chances_of(state_of(env)), seat_of(env, agent)
    return {"the other's card": Secret(cards[1 - seat], [0.0 if card == cards[seat] else 0.5 for card in range(3)])}


def _leduc_secrets(env: Env, agent: str) -> dict[str, Secret]:
    cards, seat = chances_of(state_of(env)), seat_of(env, agent)
    ranks = [card // 2 for card in range(6) if card != cards[seat] and card not in cards[2:]]
    chances = [ranks.count(rank) / len(ranks) for rank in range(3)]
    return {"the other's rank": Secret(cards[1 - seat] // 2, chances)}


# --- cards ---------------------------------------------------------------------------------------------------------


def _dealt(state: State, player: int, first: int = 0) -> list[int]:
    """The 13 cards dealt to a player; the deal goes round the table card by card."""
    return sorted(chances_of(state)[first + player : first + 52 : 4])


def _bridge_dummy(state: State) -> int | None:
    """The dummy's seat, None before the opening lead. The opening leader sits right after the declarer."""
    plays = [who for who, action in actions_of(state) if action < 52]
    return (plays[0] + 1) % 4 if plays else None


def bridge_knows(state: State, player: int) -> Any:
    """The player's hand, the calls and plays; the dummy's hand after the opening lead."""
    dummy = _bridge_dummy(state)
    return _dealt(state, player), actions_of(state), [] if dummy is None else _dealt(state, dummy)


def bridge_hidden(state: State, player: int) -> frozenset[int]:
    """The cards that the player hasn't seen."""
    _, actions, dummy = bridge_knows(state, player)
    return _CARDS.difference(_dealt(state, player), dummy, [action for _, action in actions])


def _hearts_passed(state: State) -> tuple[int, dict[int, list[int]], list[tuple[int, int]]]:
    """By how many seats cards are passed, the cards each seat passed, and the plays."""
    way, actions = chances_of(state)[0], actions_of(state)
    count = 12 if way else 0
    passed = {seat: sorted(card for who, card in actions[:count] if who == seat) for seat in range(4)}
    return way, passed, actions[count:]


def hearts_knows(state: State, player: int) -> Any:
    """The player's hand, the direction, cards passed and received, all counts of passed cards, plays, current player.

    The first leader is known to hold the two of clubs.
    """
    way, passed, plays = _hearts_passed(state)
    counts = [len(cards) for cards in passed.values()]
    received = passed[(player - way) % 4] if sum(counts) == 12 else []
    return _dealt(state, player, 1), way, passed[player], counts, received, plays, state.current_player()


def hearts_hidden(state: State, player: int) -> frozenset[int]:
    """The cards that the player wasn't dealt and didn't receive, and that nobody played."""
    own, _, _, _, received, plays, _ = hearts_knows(state, player)
    return _CARDS.difference(own, received, [card for _, card in plays])


_KNOCK, _HANDS = 55, 20


def _gin_cards(state: State, player: int) -> tuple[list[int], int]:
    """The cards that the player was dealt and then drew, in order, and the first upcard."""
    own, drawer = [], 0
    dealt = 0
    for who, action in steps_of(state):
        if who != CHANCE:
            drawer = who
            continue
        owner = dealt // 10 if dealt < _HANDS else drawer
        if owner == player and dealt != _HANDS:
            own.append(action)
        dealt += 1
    return own, chances_of(state)[_HANDS]


def gin_knows(state: State, player: int) -> Any:
    """The player's cards, the first upcard and all moves, but not the cards others drew; after a knock, all cards."""
    own, upcard = _gin_cards(state, player)
    actions = actions_of(state)
    knocked = any(action == _KNOCK for _, action in actions)
    return own, upcard, actions, chances_of(state) if knocked else []


def gin_hidden(state: State, player: int) -> frozenset[int]:
    """The cards that the player never held and that never lay open."""
    own, upcard, actions, revealed = gin_knows(state, player)
    return frozenset() if revealed else _CARDS.difference(own, [upcard], [action for _, action in actions])


# --- hanabi --------------------------------------------------------------------------------------------------------

_COLOURS, _RANKS, _COPIES = "RYGWB", "12345", (3, 2, 2, 2, 1)


def _hanabi(name: str, make: Callable[[], Env], make_drawn: Callable[[], Env] | None = None) -> Case:
    return Case(
        name=name,
        packages=_PACKAGES,
        make=make,
        knows=knowing(hanabi_knows),
        twin=searched(hanabi_knows, _other_own_hand),
        how="some cards of the player's hand drawn again from the unseen, the history replayed; kept if all hints fit",
        varied=history_differs,
        channels=openspiel_channels,
        make_drawn=make_drawn,
        moments=0.15,
        remark="measured with the default observation_type; 'seer' shows the player's hand, as its name says",
    )


def _pettingzoo_hanabi(**options: Any) -> Env:
    with known_noise_silenced():
        return import_module("pettingzoo.classic.hanabi_v5").env(**options)


def _hanabi_history(state: State) -> tuple[list[list[tuple[int, int]]], list[Any]]:
    """Each hand as cards with the number of the step that dealt them, and the public events.

    A card is its colour times 5 plus its rank; new cards go to the end of the hand. The event of a hint says which
    cards it touches; that of a play or discard holds the card.
    """
    hands: list[list[tuple[int, int]]] = [[] for _ in range(state.num_players())]
    events: list[Any] = []
    mover = None
    for number, (who, action) in enumerate(steps_of(state)):
        if who == CHANCE:
            owner = next(seat for seat, hand in enumerate(hands) if len(hand) < 5) if mover is None else mover
            hands[owner].append((action, number))
            continue
        mover = who
        words = state.action_to_string(who, action).strip("()").split()
        if words[0] in ("Play", "Discard"):
            events.append((who, action, hands[who].pop(int(words[1]))[0]))
        else:
            other = (who + int(words[2])) % len(hands)
            events.append((who, action, other, [_is_hinted(card, words[4]) for card, _ in hands[other]]))
    return hands, events


def _is_hinted(card: int, hint: str) -> bool:
    return hint in (_COLOURS[card // 5], _RANKS[card % 5])


def hanabi_knows(state: State, player: int) -> Any:
    """The others' hands and the public events; the player's own hand once the game is over."""
    hands, events = _hanabi_history(state)
    seen = [[card for card, _ in hand] for seat, hand in enumerate(hands) if seat != player]
    return seen, events, hands[player] if state.is_terminal() else []


def _other_own_hand(state: State, player: int, rng: Rng, attempt: int) -> State | None:
    hands, events = _hanabi_history(state)
    seen = [card for seat, hand in enumerate(hands) if seat != player for card, _ in hand]
    gone = Counter(seen + [event[2] for event in events if len(event) == 3])
    unseen = [card for card in range(25) for _ in range(_COPIES[card % 5] - gone[card])]
    mixed = [unseen[place] for place in rng.permutation(len(unseen))]
    slots = [step for _, step in hands[player]]
    count = int(rng.integers(1, len(slots) + 1))
    chosen = dict(zip([slots[place] for place in rng.permutation(len(slots))[:count]], mixed, strict=False))
    return replayed(state, lambda number, who, action, now: chosen.get(number, action))


# --- hidden moves --------------------------------------------------------------------------------------------------


def phantom_knows(state: State, player: int) -> Any:
    """The player's tries, which of them hit a free cell, and the current player."""
    taken: set[int] = set()
    own = []
    for who, cell in actions_of(state):
        if who == player:
            own.append((cell, cell not in taken))
        taken.add(cell)
    return own, state.current_player()


def _other_ships() -> Twin:
    def propose(state: State, player: int, rng: Rng, attempt: int) -> State | None:
        ships = 4

        def change(number: int, who: int, action: int, now: State) -> int:
            return pick(now.legal_actions(), rng) if who != player and number < ships else action

        return replayed(state, change)

    return searched(openspiels_own, propose)


def _goofspiel() -> Case:
    return Case(
        name="OpenSpiel goofspiel (imp_info, 5 cards)",
        packages=_PACKAGES,
        make=lambda: make_openspiel("goofspiel", imp_info=True, num_cards=5, points_order="descending"),
        knows=knowing(goofspiel_knows),
        twin=_goofspiel_twin,
        how="the other's past bids changed so that the same player wins each trick, and its hidden bid of this trick",
        varied=history_differs,
        channels=openspiel_channels,
        moments=0.5,
    )


def _bids(state: State, player: int) -> list[int]:
    return [action for _, action in actions_of(state, player)]


def goofspiel_knows(state: State, player: int) -> Any:
    """The player's bids, and who won each trick; the prizes have a known order."""
    own, other = _bids(state, player), _bids(state, 1 - player)
    return own, [(mine > theirs) - (mine < theirs) for mine, theirs in zip(own, other, strict=True)]


def _goofspiel_twin(env: Env, agent: str, rng: Rng) -> Env | None:
    """Another order of the other's bids with the same results, and another bid for the trick under way."""
    state, player = state_of(env), seat_of(env, agent)
    own, results = goofspiel_knows(state, player)
    for _ in range(200):
        cards = rng.permutation(5).tolist()
        bids, rest = cards[: len(own)], cards[len(own) :]
        if [(mine > theirs) - (mine < theirs) for mine, theirs in zip(own, bids, strict=True)] == results:
            return _with_bids(env, agent, own, bids, rest[0])
    return None


def _with_bids(env: Env, agent: str, own: list[int], bids: list[int], pending: int) -> Env | None:
    player = seat_of(env, agent)
    state = state_of(env).get_game().new_initial_state()
    for mine, theirs in zip(own, bids, strict=True):
        state.apply_actions([mine, theirs] if player == 0 else [theirs, mine])
    other = with_state(env, state)
    waiting = adapter(other).simultaneous_actions
    for name in waiting:
        if name != agent:
            waiting[name] = pending
    return other if history_differs(env, other) else None


# --- hidden roles --------------------------------------------------------------------------------------------------


def roles_known(state: State, player: int) -> Any:
    """Whether the player is an imposter, signals, messages and votes; all roles for an imposter and at the end."""
    roles, *signals = chances_of(state)
    imposter = bool(roles >> player & 1)
    return imposter, roles if imposter or state.is_terminal() else None, signals, actions_of(state)
