"""Agents by their specs: installed ones by name, saved policies by file, any other by module or file, with parameters.

A spec is `name` or `name:key=value,key=value` for an installed agent, `path/policy.npz` for a saved policy (with
`:greedy=true` for its likeliest actions), `package.module:attribute` or `path/file.py:attribute` for any other, with
`:key=value,…` behind it where that takes parameters.
"""

from __future__ import annotations

import contextlib
import difflib
import importlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import OptionError

from .agents import UNIFORM, Agent, CompiledAgent, Memory, Streams, Vectors, identifier
from .policies import SUFFIX, load_policy

FUNCTION_ARGUMENTS = 4  # of a plain function: observation, mask, memory, rng


@dataclass(frozen=True)
class PythonAgent:
    """An agent that is called from Python: another one under the name of its spec, or a function over arrays."""

    name: str
    act: Callable[..., npt.NDArray[np.int64]]
    memory_size: int = 0
    about: str = ""
    folders: tuple[Path, ...] = ()
    by_view: bool = False


@dataclass(frozen=True)
class OneByOne:
    """`act` over a plain function of one game, `choose(observation, mask, memory, rng) -> action`."""

    choose: Callable[..., int]

    def __call__(self, observations: Vectors, masks: Vectors, memory: Memory, rng: Streams) -> npt.NDArray[np.int64]:
        """One action for each game; see `Agent`."""
        rows = zip(observations, masks, memory, rng)
        return np.array([self.choose(*row) for row in rows], np.int64)


def _installed(game: str) -> dict[str, EntryPoint]:
    """The installed agents that play a game, by name: those entered as "game.name", and as "name" for any game."""
    found = {}
    for entry in entry_points(group="riverbed.agents"):
        whose, _, name = entry.name.rpartition(".")
        if whose in ("", game):
            found[name] = entry
    return found


def load_entry(entry: EntryPoint) -> Any:
    """What an entry point leads to; OptionError, with the package it came with, where that can't be loaded."""
    try:
        return entry.load()
    except Exception as error:  # whatever another's package raises when it is imported
        package = f" of package {entry.dist.name}" if entry.dist is not None else ""
        raise OptionError(
            f"{entry.name}{package} can't be loaded from {entry.value}: {type(error).__name__}: {error}"
        ) from error


def agent_names(game: str) -> list[str]:
    """The names of all installed agents of a game ("riverbed_hunt"): entry points of the group "riverbed.agents"."""
    return sorted({*_installed(game), UNIFORM.name})


def find_agent(spec: str, game: str) -> Agent:
    """An agent of a game ("riverbed_hunt") by its spec, which is its name; OptionError where there is none.

    What a spec leads to may be an agent (an object with `act`), a factory (a class or function that can be called
    without arguments and gives an agent; its keyword parameters of kind int, float, bool and str are those of the
    spec) or a plain function of one game, `choose(observation, mask, memory, rng) -> action`.
    """
    source, attribute, words = _split(spec)
    is_policy = source.endswith(SUFFIX)
    if attribute and (is_policy or source in agent_names(game)):
        raise OptionError(f"agent {spec!r}: parameters are written key=value, not {attribute!r}")
    if is_policy:
        return _load_policy(spec, source, words, game)
    found = _load_other(spec, source, attribute) if attribute else _load_installed(source, game)
    return _named(_make(spec, found, words), spec)


def _load_policy(spec: str, source: str, words: str, game: str) -> Agent:
    """A saved policy by the path of its file, `policy.npz`, or `policy.npz:greedy=true`."""
    from riverbed_env.registry import find_game

    def policy(greedy: bool = False) -> Agent:
        return load_policy(Path(source), find_game(game), name=spec, greedy=greedy)

    return policy(**_read(spec, _parameters(policy), words))  # type: ignore[arg-type]


def policy_file(spec: str) -> Path | None:
    """The file of a saved policy, from its spec; None for specs of other agents."""
    source, _, _ = _split(spec)
    return Path(source) if source.endswith(SUFFIX) else None


def agent_parameters(name: str, game: str) -> dict[str, object]:
    """The parameters of an installed agent with their defaults; none where it isn't made by a factory."""
    found = _load_installed(name, game)
    return {} if _is_agent(found) else {name: given.default for name, given in _parameters(found).items()}


def _split(spec: str) -> tuple[str, str, str]:
    """Source, attribute ("" for an installed agent) and parameters of a spec, as written."""
    source, _, rest = spec.partition(":")
    first, _, more = rest.partition(":")
    return (source, "", rest) if not rest or "=" in first else (source, first, more)


def _load_installed(name: str, game: str) -> Any:
    """What an installed name leads to."""
    if name == UNIFORM.name:
        return UNIFORM
    installed = _installed(game)
    if name in installed:
        return load_entry(installed[name])
    names = agent_names(game)
    near = difflib.get_close_matches(name, names, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise OptionError(
        f"{game} has no agent {name!r}{hint}; there are {', '.join(names)}; "
        "others are named by package.module:attribute or path/file.py:attribute"
    )


def _load_other(spec: str, source: str, attribute: str) -> Any:
    """The attribute of a module or of a file."""
    if not source.endswith(".py") and not all(part.isidentifier() for part in source.split(".")):
        raise OptionError(f"agent {spec!r}: {source!r} is neither a package.module nor a path/file.py")
    try:
        module = _load_file(Path(source)) if source.endswith(".py") else _load_module(source)
    except (Exception, SystemExit) as error:  # whatever a file of somebody's own raises, or ends the process by
        raise OptionError(f"agent {spec!r}: {source} can't be loaded: {_in_words(error)}") from error
    if not hasattr(module, attribute):
        names = [name for name, value in vars(module).items() if not name.startswith("_") and callable(value)]
        near = difflib.get_close_matches(attribute, names, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise OptionError(f"agent {spec!r}: {source} has no {attribute!r}{hint}")
    return getattr(module, attribute)


def _in_words(error: BaseException) -> str:
    """What was raised and, where it wasn't the loading itself, in which line."""
    if isinstance(error, ImportError | SyntaxError | OSError):
        return str(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{error!r} in {last.filename}, line {last.lineno}"


@contextlib.contextmanager
def _importable(folder: Path) -> Iterator[None]:
    """Let modules of a folder be imported meanwhile, after all that is installed."""
    sys.path.append(str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def _load_module(name: str) -> ModuleType:
    with _importable(Path.cwd()):
        return importlib.import_module(name)


def _load_file(path: Path) -> ModuleType:
    """A file as a module, once a process; modules beside it can be imported by it."""
    whole = path.resolve(strict=True)
    name = identifier(f"riverbed_agent {whole}")
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, whole)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} isn't a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with _importable(whole.parent):
            spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _is_agent(found: object) -> bool:
    return hasattr(found, "act") and not inspect.isclass(found)


def _make(spec: str, found: Any, words: str) -> Any:
    """The agent that a spec leads to by way of `found`, an agent, a factory or a function; `words` are parameters."""
    if _is_agent(found):
        if words:
            raise OptionError(f"agent {spec!r} takes no parameters")
        return found
    if not callable(found):
        raise OptionError(f"agent {spec!r} is neither an agent (it has no act) nor a function")
    needed = [given.name for given in inspect.signature(found).parameters.values() if _is_needed(given)]
    if len(needed) == FUNCTION_ARGUMENTS and not inspect.isclass(found):
        if words:
            raise OptionError(f"agent {spec!r} is a function of one game and takes no parameters")
        return PythonAgent(spec, OneByOne(found), int(getattr(found, "memory_size", 0)), _first_line(found))
    if needed:
        raise OptionError(
            f"agent {spec!r} can't be made: a function of one game takes observation, mask, memory and rng, a factory "
            f"only parameters with defaults; this takes {', '.join(needed)}"
        )
    agent = found(**_read(spec, _parameters(found), words))
    if not _is_agent(agent):
        raise OptionError(f"agent {spec!r}: the factory gives {type(agent).__name__}, which has no act")
    return agent


def _is_needed(given: inspect.Parameter) -> bool:
    """Whether a function can't be called without this parameter."""
    return given.default is given.empty and given.kind not in (given.VAR_POSITIONAL, given.VAR_KEYWORD)


def _first_line(found: object) -> str:
    return (inspect.getdoc(found) or "").partition("\n")[0]


def _parameters(factory: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """The parameters of a factory that can be written in a spec: those of kind int, float, bool and str."""
    found = inspect.signature(factory).parameters
    return {name: given for name, given in found.items() if not _is_needed(given) and _kind(given) in _READ}


def _kind(given: inspect.Parameter) -> str:
    """The annotation's name; without one, that of the default's type."""
    if given.annotation is given.empty:
        return type(given.default).__name__
    return str(getattr(given.annotation, "__name__", given.annotation))


_READ: Mapping[str, Callable[[str], object]] = {
    "int": int,
    "float": float,
    "bool": lambda word: {"true": True, "false": False}[word.lower()],
    "str": str,
}


def _read(spec: str, known: Mapping[str, inspect.Parameter], words: str) -> dict[str, object]:
    """The values of "key=value,key=value"; OptionError for an unknown key or a value that isn't of its kind."""
    values: dict[str, object] = {}
    for word in words.split(",") if words else ():
        name, sign, value = word.partition("=")
        if not sign or name not in known or name in values:
            allowed = ", ".join(f"{given.name}={given.default}" for given in known.values()) or "none"
            near = difflib.get_close_matches(name, known, n=1) if name not in known else []
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            twice = " twice" if name in values else ""
            raise OptionError(f"agent {spec!r} has no parameter {name!r}{twice}{hint}; there are: {allowed}")
        try:
            values[name] = _READ[_kind(known[name])](value)
        except (ValueError, KeyError) as error:
            kind = _kind(known[name])
            raise OptionError(f"agent {spec!r}: {name} must be of kind {kind}, not {value!r}") from error
    return values


def _named(agent: Any, spec: str) -> Agent:
    """The agent under the name of its spec."""
    if isinstance(agent, CompiledAgent):
        return agent if agent.name == spec else replace(agent, name=spec)
    if isinstance(agent, Agent) and agent.name == spec:
        return agent
    about = str(getattr(agent, "about", ""))
    folders = tuple(getattr(agent, "folders", ()))
    by_view = bool(getattr(agent, "by_view", False))
    return PythonAgent(spec, agent.act, int(getattr(agent, "memory_size", 0)), about, folders, by_view)
