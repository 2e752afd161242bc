"""The leak kit tried on other libraries' games: PettingZoo's classics and OpenSpiel's, as far as they can be driven."""
