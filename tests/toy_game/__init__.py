"""Ford: a small fifth game, entered as anybody's own game would be, so that tests over all games prove to need no more.

Each of 2 or 3 players holds a hidden stone of 1 to 6. In turn they raise the water by one or two steps, or call: the
stones are shown, and the caller scores if they are lower than the water, else the one who raised it last does. Nobody
may raise it above the highest sum their own stone leaves possible. After some rounds the highest score wins.

`tests/conftest.py` enters it. Its golden hashes are written by

    python -c "import conftest; from golden import hashes; hashes.write('ford_v0')"

with the project's folder and its tests on the path.
"""
