"""The folder of an evaluation: `plan.json` identifies it, `parts` holds the finished rows.

A part is written whole or not at all, so an interrupted run resumes after the last part.
"""

import hashlib
import inspect
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from riverbed_env import players
from riverbed_env.core.batch import options_by_deal
from riverbed_env.core.files import read_json, write_json, write_whole
from riverbed_env.core.game import Game
from riverbed_env.core.packs import pack_hash as hash_of
from riverbed_env.core.schema import NOTHING_ELSE, of_kind
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import Agent, CompiledAgent
from riverbed_env.registry import find_game

from .. import playing
from ..config_files import read_as
from ..files import code_version, digest, writable_folder
from ..locks import locked
from ..playing.plan import Plan, check
from ..playing.rows import write_table

PLAN = "plan.json"
PLAYING = (Path(players.__file__).parent, Path(playing.__file__).parent)
OF_AGENTS = (".py", ".toml", ".npz", ".npy", ".pt", ".safetensors")  # suffixes of sources and of weights
OPTION_OF = {"deals": "games"}  # a field's name on the command line


@dataclass(frozen=True)
class Identity:
    """What identifies the rows of a folder: the plan, the content pack's hash, the code's version, and its sources.

    `sources` is a hash of the rules, the agents and the code that seats them: all that decides how a game ends. `files`
    has that of each of the agents' files, so that a changed one can be named.
    """

    __pydantic_config__ = NOTHING_ELSE

    plan: Plan
    pack: str
    code: str
    sources: str
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def origin(self) -> Mapping[str, str | int]:
        """The columns that all its rows share."""
        return {
            "environment": self.plan.environment, "pack": self.pack, "code": self.code, "seed": self.plan.seed
        }  # fmt: skip

    def as_plain(self) -> dict[str, Any]:
        """The identity as read back from JSON."""
        plain: dict[str, Any] = json.loads(json.dumps(asdict(self), default=str))
        return plain


def identify(game: Game, plan: Plan, agents: Sequence[Agent]) -> Identity:
    """The identity of an evaluation with today's sources."""
    of_agents = list(dict.fromkeys(path for agent in agents for path in sources_of(agent)))
    sources = digest(dict.fromkeys([*library_of(game), *of_agents]))
    names = sorted({path.name for path in of_agents})
    files = {name: digest(path for path in of_agents if path.name == name) for name in names}
    return Identity(plan, pack_hash(game, plan), code_version(), sources, files)


def pack_hash(game: Game, plan: Plan) -> str:
    """The hash of the content pack of a plan, of a split that of all its packs; "" for games without packs."""
    every = options_by_deal(game, plan.options_of(plan.setups[0]))
    first, *others = [hash_of(game.make_params(**each)[1]) for each in every]
    return hashlib.sha256(",".join([first, *others]).encode()).hexdigest()[: len(first)] if others else first


def library_of(game: Game) -> list[Path]:
    """The sources of the rules, and those that seat agents and play games."""
    return [path for folder in (*game.folders, *PLAYING) for path in sorted(folder.rglob("*.py"))]


def sources_of(agent: Agent) -> list[Path]:
    """The files of an agent, if known: sources and weights in its folders, or the file of its `act`."""
    folders: Iterable[Path] = getattr(agent, "folders", ())
    files = [path for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in OF_AGENTS]
    if files:
        return files
    acting: Any = agent if isinstance(agent, CompiledAgent) else agent.act
    choose = getattr(acting, "choose", acting)  # of a compiled agent or a function of one game; else `act` itself
    source = getattr(choose, "py_func", choose)
    if not (inspect.isroutine(source) or inspect.isclass(source)):
        source = type(source)
    file = inspect.getsourcefile(inspect.unwrap(source))
    return [Path(file)] if file and Path(file).is_file() else []


class Folder:
    """The folder of one evaluation; created on opening, or checked if it exists.

    Raises OptionError if it holds rows of another evaluation, and says what differs. `notes` are messages for the user.
    """

    def __init__(self, path: Path, identity: Identity) -> None:
        with locked(path):
            self._open(path, identity)

    def _open(self, path: Path, identity: Identity) -> None:
        self.path = path
        self.parts = path / "parts"
        self.identity = identity
        self.notes: list[str] = []
        there = load(path) if (path / PLAN).exists() else None
        if not any(self.parts.glob("*.parquet")):
            write_json(path / PLAN, identity.as_plain())
        elif there is None:
            raise OptionError(f"{path} holds parts of an evaluation but no {PLAN}; choose another folder with --out")
        else:
            self._compare(there)
            if there.plan.labels != identity.plan.labels:
                write_json(path / PLAN, {**there.as_plain(), "plan": identity.as_plain()["plan"]})
        writable_folder(self.parts)
        for half_written in self.parts.glob(".*.part"):
            half_written.unlink(missing_ok=True)

    def _compare(self, there: Identity) -> None:
        old, new = there.as_plain(), self.identity.as_plain()
        differ = [
            f"{OPTION_OF.get(name, name)} {in_words(old['plan'][name])} there, {in_words(new['plan'][name])} asked for"
            for name in new["plan"]
            if old["plan"][name] != new["plan"][name] and name != "labels"  # labels change the report only
        ]
        if old["pack"] != new["pack"]:
            differ.append(f"content pack {old['pack']} there, {new['pack']} now")
        if old["sources"] != new["sources"]:
            new_files = self.identity.files.items() if there.files else ()
            changed = [name for name, hashed in new_files if there.files.get(name) != hashed]
            codes = "" if there.code == self.identity.code else f" (code {there.code} there, {self.identity.code} now)"
            differ.append(f"{', '.join(changed) or 'rules, agents or seating'} changed since{codes}")
        if differ:
            raise OptionError(
                f"{self.path} holds another evaluation: {'; '.join(differ)}. Choose another folder with --out, or "
                "delete this one to start over"
            )
        if there.code != self.identity.code:
            self.notes.append(
                f"{self.path} was started with code version {there.code}, now it is {self.identity.code}; rules, "
                "agents and seating are the same, so it resumes"
            )

    def part(self, cell: int, chunk: int) -> Path:
        """The file of a chunk of a cell."""
        return self.parts / f"{cell:04}-{chunk:05}.parquet"

    def finished(self) -> set[tuple[int, int]]:
        """Cell and chunk of every finished part."""
        names = (path.stem.partition("-") for path in self.parts.glob("*.parquet"))
        return {(int(cell), int(chunk)) for cell, _, chunk in names if cell.isdecimal() and chunk.isdecimal()}

    def parts_of(self, cell: int) -> list[Path]:
        """The finished parts of a cell, in order."""
        return sorted(self.parts.glob(f"{cell:04}-*.parquet"))

    def write(self, cell: int, chunk: int, rows: Any) -> None:
        """Write a finished chunk."""
        write_whole(self.part(cell, chunk), lambda partial: write_table(rows, partial))


def in_words(value: object) -> str:
    """The value of a setting, several as a list."""
    return ", ".join(map(str, value)) or "none" if isinstance(value, list | tuple) else str(value)


def load(path: Path) -> Identity:
    """The identity of the evaluation in a folder; raises OptionError if there is none that can be played."""
    file = path / PLAN
    if not file.exists():
        raise OptionError(f"{path} holds no evaluation: there is no {PLAN}")
    read = read_json(file, "plan")
    with read_as(file, "plan of an evaluation"):
        identity = of_kind(Identity, read, str(file))
        check(find_game(identity.plan.environment), identity.plan)
    return identity
