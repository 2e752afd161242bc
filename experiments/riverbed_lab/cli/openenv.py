"""Command `openenv`: games for trainers of language models, over OpenEnv's protocol."""

from typing import Annotated

from typer import Option

from riverbed_env.registry import find_game

from ..extras import need
from . import console as shell


def openenv(
    game: shell.GameOption = shell.DEFAULT_GAME,
    players: shell.PlayersOption = None,
    opponents: Annotated[str, Option(help="Who plays the other seats.")] = "rule_based",
    role: Annotated[str | None, Option(help="The role that is played.", show_default="any")] = None,
    reward: Annotated[str, Option(help="win, worth or belief.")] = "win",
    history: Annotated[str, Option(help="Messages: complete, or changes in a chat that grows.")] = "complete",
    sessions: Annotated[int, Option(help="Games at once.", min=1)] = 64,
    set_: shell.SetOption = None,
    host: Annotated[str, Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, Option(help="The port.", min=0, max=65535)] = 8000,
) -> None:
    """Serve games in words to trainers of language models, by OpenEnv's protocol; Ctrl-C ends it."""
    need("openenv")
    import uvicorn

    from ..seat_env.openenv import seat_app

    options = shell.read_options(find_game(game), set_)
    play = {"game": game, "players": players, "opponents": opponents, "role": role}
    app = seat_app(sessions, **play, reward=reward, history=history, **options)
    uvicorn.run(app, host=host, port=port, log_level="warning")
