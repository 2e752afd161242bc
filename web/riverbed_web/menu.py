"""What a page offers who opens a table: games with their options, packs and agents."""

import inspect
import re
from typing import Any

from riverbed_env.core.card import CardSections
from riverbed_env.core.game import Game
from riverbed_env.kernels.vocab import FORCED_NAMES
from riverbed_env.players.installed import agent_parameters, list_agents, usual_agent
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game, game_ids

from .opening import OWN_FIELDS, ROLES, Menu


def games_offered(menu: Menu) -> list[dict[str, Any]]:
    """All games, as docs/guides/web.md describes them."""
    return [_offered(find_game(game), menu) for game in game_ids()]


def _offered(game: Game, menu: Menu) -> dict[str, Any]:
    parameters = inspect.signature(game.make_params).parameters
    sections = game.load_card().card_sections(game, game.make_params()[1])
    return {
        "id": game.id,
        "title": game.title,
        "about": _about(sections),
        "min_players": game.min_players,
        "max_players": game.max_players,
        "default_players": game.default_players,
        "options": [
            {"name": name, "default": given.default, **_told(name, game, sections)}
            for name, given in parameters.items()
            if name not in OWN_FIELDS
        ],
        "packs": [{"name": name, "contents": contents} for name, contents in menu.packs_of(game).items()],
        "agents": [_agent(name, game) for name in menu.agents_of(game)],
        "default_agent": usual_agent(game.name),
    }


def _about(sections: CardSections) -> str:
    """What a game is, in two sentences."""
    return f"{'. '.join(' '.join(sections.summary.split()).split('. ')[:2]).rstrip('.')}."


_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_LITERAL = re.compile(r'`(?:None|"([^"]*)")`')


def _told(name: str, game: Game, sections: CardSections) -> dict[str, Any]:
    """What an option means, and its values if they are a few words; None is one of them where it is allowed."""
    if name == ROLES:
        return {"values": ["random", *game.roles], "about": "the first person's role; the table tells everybody"}
    if name == "auto_forced":
        return {"values": list(FORCED_NAMES), "about": "which decisions with one answer are taken for the player"}
    allowed, meaning = sections.options.get(name, ("", ""))
    few = allowed and not _LITERAL.sub("", allowed).strip(", ")
    values = [found[1] for found in _LITERAL.finditer(allowed)] if few else None
    about = _LINK.sub(r"\1", meaning).replace("`None`", "not given").replace("`", "")
    return {"values": values, "about": about}


def _agent(name: str, game: Game) -> dict[str, Any]:
    installed = name in list_agents(game.name)
    given = agent_parameters(name, game.name) if installed else {}
    return {
        "name": name,
        "about": str(getattr(find_agent(name, game.id), "about", "")),
        "parameters": [{"name": parameter, "default": default} for parameter, default in given.items()],
    }
