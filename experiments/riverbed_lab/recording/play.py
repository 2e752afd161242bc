"""The games of a part, which depend on the manifest and the agents alone."""

from __future__ import annotations

import numpy as np

from riverbed_env.core.game import Game
from riverbed_env.corpus.games import Games, finished_games
from riverbed_env.corpus.manifest import Block, Manifest
from riverbed_env.players.lineups import Lineups, lineups, seating_uniforms

from ..playing.play import deal, play_seated


def seatings(game: Game, manifest: Manifest) -> Lineups:
    """Who draws from which agents. Raises OptionError for agents and roles that don't exist."""
    pools = {name: list(pool) for name, pool in manifest.pools.items()}
    everybody = {camp: list(manifest.agents) for camp in game.camps}
    return lineups(game, pools or everybody)


def play_part(game: Game, manifest: Manifest, table: Lineups, part: int) -> Games:
    """Play a part: its games of each player count, one count after the other.

    Raises RiverbedError if an agent takes an illegal action.
    """
    return Games.joined(play_block(game, manifest, table, block) for block in manifest.blocks(part) if block.games)


def play_block(game: Game, manifest: Manifest, table: Lineups, block: Block) -> Games:
    """Play the games of a block. Each seat draws an agent from the game's own stream for seatings."""
    options = {**manifest.options, "num_players": block.num_players}
    numbers = np.arange(block.first, block.first + block.games)
    roles = game.roles_of(deal(game, numbers, manifest.seed, **options))
    seats = table.draw(roles, seating_uniforms(manifest.seed, numbers, block.num_players)[:, 1:])
    played = play_seated(game, table.agents, seats, numbers, manifest.seed, logged=True, **options)
    in_manifest = np.array([manifest.agents.index(agent.name) for agent in table.agents])
    return finished_games(game, played.games, in_manifest[seats], played.actions, played.lengths)
