from riverbed_env import find_game
from riverbed_env.kit import copy_records
from riverbed_env.testing.hidden import Disclosure, HiddenWorlds, LeakTests, redraw_future, streams


def twin(games, params, seat, rng, parts):
    world = copy_records(games)
    redraw_future(world[0], rng, "agents")
    return world


def told(one, two, agent):
    return Disclosure.NOTHING


class TestPebblesLeaks(LeakTests):
    worlds = HiddenWorlds(
        find_game("pebbles_v0"),
        twin=twin,
        told=told,
        touches=streams("agents"),  # the fields that a twin may differ in
        needed=streams("agents"),  # those that twins must have differed in
        in_state=False,  # state() shows nothing of them
        moments=0.5,  # of a player's decisions
    )
