"""Random games of every game over all its options break no invariant and come to an end."""

from pathlib import Path
from typing import Any

import pytest
from conformance.options import GAMES, game_name, named
from random_games import batch_of, check_all, check_forced_decisions, play_out
from repetitions import repetitions

from riverbed_env.games.riverbed_hunt.content.pack import load_pack
from riverbed_env.kernels.compile import compiled
from riverbed_env.testing.conformance.options import Options, cap_of

OWN_PACKS = Path(__file__).parents[1] / "referee" / "packs"
CHECK_PACK, OTHERWISE = OWN_PACKS / "deep_river" / "check.toml", OWN_PACKS / "riverside" / "otherwise.toml"
HUNTERS, SHIPS = range(4, 10), range(1, 7) if compiled() else (1, 3)  # players
MODES = ("standard", "expert", "advanced", "first_game")  # of River Rats, by the number of players
FORCED = ("public", "all", "none")
TABLES: dict[str, list[Options]] = {
    "riverbed_hunt": [
        *({"num_players": count, "layout": each.name} for count in HUNTERS for each in load_pack().layouts(count)),
        *({"num_players": count, "auto_forced": forced} for count in HUNTERS for forced in ("all", "none")),
        *(
            {"num_players": count, "talk": "claims", "talk_speakers": speakers, "talk_budget": 1 + count % 3}
            for count, speakers in zip(HUNTERS, ("table", "active") * 3, strict=True)
        ),
    ],
    "river_rats": [
        {"num_players": count, "mode": mode, "prediction": ("exactly", "at_least_form")[count % 2]}
        for count, mode in enumerate(MODES, 1)
    ],
    "deep_river": [
        {},
        {"auto_forced": "all"},
        {"pack": CHECK_PACK, "auto_forced": "none"},
        {"tiles": "tttDttt", "faces": "111"},
        {"tiles": "dddDddd", "pack": CHECK_PACK},
        {"max_turns": 7, "view": "now"},
        {"first": "eel", "rewards": "zero_sum"},
    ],
    "riverside": [
        {
            "num_players": count,
            "extension": count % 2 == 0,
            "pack": OTHERWISE if count in (2, 3, 5) else "default",
            "auto_forced": FORCED[count % 3],
        }
        for count in SHIPS
    ],
}


def tables(*, of_forced: bool) -> list[Any]:
    """The games' tables as parameters; for tests of forced decisions without what they say of these."""
    found = {}
    for game_id in GAMES:
        for options in TABLES.get(game_name(game_id), [{}]):
            kept = {name: value for name, value in options.items() if name != "auto_forced" or not of_forced}
            found[f"{game_name(game_id)}-{named(kept)}"] = pytest.param(game_id, kept)
    return [pytest.param(*each.values, id=name) for name, each in found.items()]


@pytest.mark.parametrize(("game_id", "options"), tables(of_forced=False))
def test_random_games_are_sound_at_every_step_and_end(game_id: str, options: Options) -> None:
    batch = batch_of(game_id, repetitions(8, uncompiled=1), **options)
    for step in play_out(batch, 1000 + batch.num_players):
        if game_name(game_id) != "riverside" or step % repetitions(3, uncompiled=10) == 0:
            check_all(batch)
    check_all(batch)
    assert cap_of(game_id) in options or not batch.truncated.any()


@pytest.mark.parametrize("auto_forced", ["public", "all"])
@pytest.mark.parametrize(("game_id", "options"), tables(of_forced=True))
def test_decisions_taken_for_the_players_change_nothing(game_id: str, options: Options, auto_forced: str) -> None:
    quick, slow = (batch_of(game_id, 1, **options, auto_forced=forced) for forced in (auto_forced, "none"))
    for seed in range(repetitions(5, uncompiled=1)):
        check_forced_decisions(quick, slow, seed)
