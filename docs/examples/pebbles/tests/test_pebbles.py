from riverbed_env.testing.conformance import GameTests


class TestPebbles(GameTests):
    game_id = "pebbles_v0"
