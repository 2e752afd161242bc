"""The leak kit applied to games of PettingZoo, RLCard and OpenSpiel."""
