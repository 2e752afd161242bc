"""Agents by their specs.

A spec is `name` or `name:key=value,key=value` for an installed agent, `path/policy.npz` for a saved policy (add
`:greedy=true` for its likeliest actions), and `package.module:attribute` or `path/file.py:attribute` for any other
(add `:key=value,…` for its parameters). `stdio:cmd=…`, `http:url=…` and the like seat somebody from outside, through
the factories of the entry-point group `riverbed.seats`; in their parameters a comma may stand in a value.
"""

import contextlib
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from riverbed_env.core.game import Game
from riverbed_env.entries import installed, load_entry
from riverbed_env.errors import OptionError, did_you_mean
from riverbed_env.kernels.compile import identifier
from riverbed_env.registry import find_game

from .agents import Agent, CompiledAgent
from .factories import make_agent, parameters_of, read_parameters, renamed
from .installed import list_agents, load_installed
from .policies import SUFFIX, load_policy

SEATS = "riverbed.seats"  # a group of entry points


def find_agent(spec: str, game: str | Game) -> Agent:
    """Find the agent that a spec names; its `name` is the spec.

    The target of a spec may be an agent (an object with `act`), a factory (a class or function that returns an agent
    when called without arguments; the spec can set its keyword parameters of type int, float, bool or str) or a plain
    function of one game, `choose(observation, mask, memory, rng) -> action`.

    Args:
        spec: `name` or `name:key=value,…` of an installed agent, `path/policy.npz`, `package.module:attribute`,
            `path/file.py:attribute`, or one that seats somebody from outside, like `stdio:cmd=…`.
        game: The game, its id ("riverbed_hunt_v1") or its plain name.

    Returns:
        The agent.

    Raises:
        OptionError: There is no such agent or game, it can't be loaded, or the spec sets a parameter that it doesn't
            have.
    """
    game = game if isinstance(game, str) else game.id
    source, attribute, words = _split(spec)
    if not attribute and source in outside():
        factory = load_entry(next(entry for entry in installed(SEATS) if entry.name == source))
        outsider: Agent = factory(game, spec, **read_parameters(spec, parameters_of(factory), words, commas=True))
        return outsider
    is_policy = source.endswith(SUFFIX)
    if attribute and (is_policy or source in list_agents(game)):
        raise OptionError(f"agent {spec!r}: parameters are written key=value, not {attribute!r}")
    if is_policy:
        return _load_policy(spec, source, words, game)
    of_file = attribute or source.endswith(".py")
    target = load_attribute(spec, source, attribute) if of_file else load_installed(source, game)
    agent = renamed(make_agent(spec, target, words), spec)
    return replace(agent, found=(find_agent, (spec, game))) if isinstance(agent, CompiledAgent) else agent


def outside() -> list[str]:
    """The names of the ways to seat somebody from outside."""
    return sorted(entry.name for entry in installed(SEATS))


def _load_policy(spec: str, source: str, words: str, game: str) -> Agent:
    """A saved policy: `policy.npz`, or `policy.npz:greedy=true`."""

    def policy(greedy: bool = False) -> Agent:
        return load_policy(Path(source), find_game(game), name=spec, greedy=greedy)

    return policy(**read_parameters(spec, parameters_of(policy), words))  # type: ignore[arg-type]


def policy_file(spec: str) -> Path | None:
    """The file of a saved policy's spec; None for specs of other agents."""
    source, _, _ = _split(spec)
    return Path(source) if source.endswith(SUFFIX) else None


def _split(spec: str) -> tuple[str, str, str]:
    """Split a spec into source, attribute ("" for an installed agent) and parameters."""
    source, _, rest = spec.partition(":")
    first, _, more = rest.partition(":")
    return (source, "", rest) if not rest or "=" in first else (source, first, more)


def load_attribute(spec: str, source: str, attribute: str) -> Any:
    """Load the attribute of a module or file, for a spec. Raises OptionError if it can't be loaded."""
    if not source.endswith(".py") and not all(part.isidentifier() for part in source.split(".")):
        raise OptionError(f"agent {spec!r}: {source!r} is neither a package.module nor a path/file.py")
    try:
        if source.endswith(".py"):
            module = _load_file(Path(source))
        else:
            with _importable(Path.cwd()):
                module = importlib.import_module(source)
    except (Exception, SystemExit) as error:  # a user's file may raise anything, or exit
        raise OptionError(f"agent {spec!r}: {source} can't be loaded: {_in_words(error)}") from error
    if not hasattr(module, attribute):
        names = [n for n, value in vars(module).items() if n[0] != "_" and (callable(value) or hasattr(value, "act"))]
        there = ", ".join(names) or "its agents, of which there are none"
        raise OptionError(f"agent {spec!r}: write {source}:NAME, one of {there}{did_you_mean(attribute, names)}")
    return getattr(module, attribute)


def _in_words(error: BaseException) -> str:
    """The error, with its line unless loading itself failed."""
    if isinstance(error, ImportError | SyntaxError | OSError):
        return str(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{error!r} in {last.filename}, line {last.lineno}"


@contextlib.contextmanager
def _importable(folder: Path) -> Iterator[None]:
    """Make a folder's modules importable for a while; installed ones take precedence."""
    sys.path.append(str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def _load_file(path: Path) -> ModuleType:
    """Load a file as a module, once per process; it can import modules beside it."""
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
