"""The leak kit on other libraries' games: PettingZoo's classics, RLCard's and OpenSpiel's."""
