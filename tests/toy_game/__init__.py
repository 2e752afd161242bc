"""Ford: a small fifth game, registered as a game of one's own would be.

Each of 2 or 3 players holds a hidden stone of 1 to 6. In turn they raise the water by one or two steps, or call: the
stones are shown, and the caller scores if their sum is below the water, else the last player who raised it does. Nobody
may raise it above the highest sum their own stone leaves possible. After five rounds the highest score wins.

Its golden hashes are written by

    python -c "import conftest; from golden import hashes; hashes.write('ford_v0')"

with the project's folder and its tests on the path.
"""

from riverbed_env import register_game

register_game("ford_v0", "toy_game.game:FORD", env="toy_game.env", registry_id="toy/Ford-v0")
