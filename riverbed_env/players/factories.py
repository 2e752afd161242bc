"""Make an agent from the target of a spec: an agent, a factory with parameters, or a function of one game."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from riverbed_env.core.keys import KEYS, is_secret
from riverbed_env.errors import OptionError, did_you_mean

from .agents import Agent, CompiledAgent, OneByOne, PythonAgent, plays_in_words

FUNCTION_ARGUMENTS = 4  # of a plain function: observation, mask, memory, rng


def is_agent(target: object) -> bool:
    """Whether an object is an agent: an instance with `act`."""
    return hasattr(target, "act") and not inspect.isclass(target)


def make_agent(spec: str, target: Any, words: str) -> Any:
    """Make the agent of a spec. target: an agent, a factory or a function of one game; words: its parameters as text.

    Raises OptionError if the target is none of these or doesn't take the parameters.
    """
    if is_agent(target):
        if words:
            raise OptionError(f"agent {spec!r} takes no parameters")
        return target
    if not callable(target):
        raise OptionError(f"agent {spec!r} is neither an agent (it has no act) nor a function")
    required = [given.name for given in inspect.signature(target).parameters.values() if _is_required(given)]
    if len(required) == FUNCTION_ARGUMENTS and not inspect.isclass(target):
        if words:
            raise OptionError(f"agent {spec!r} is a function of one game and takes no parameters")
        about = (inspect.getdoc(target) or "").partition("\n")[0]
        return PythonAgent(spec, OneByOne(target), int(getattr(target, "memory_size", 0)), about)
    if required:
        raise OptionError(
            f"agent {spec!r} can't be made: a function of one game takes observation, mask, memory and rng; a factory "
            f"takes only parameters with defaults; this one requires {', '.join(required)}"
        )
    agent = target(**read_parameters(spec, parameters_of(target), words))
    if not is_agent(agent):
        raise OptionError(f"agent {spec!r}: the factory returned {type(agent).__name__}, which has no act")
    return agent


def _is_required(given: inspect.Parameter) -> bool:
    return given.default is given.empty and given.kind not in (given.VAR_POSITIONAL, given.VAR_KEYWORD)


def parameters_of(factory: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """The parameters of a factory that a spec can set: those of type int, float, bool or str."""
    parameters = inspect.signature(factory).parameters
    return {name: given for name, given in parameters.items() if not _is_required(given) and _type(given) in _READ}


def _type(given: inspect.Parameter) -> str:
    """The name of a parameter's type: its annotation, else the type of its default."""
    if given.annotation is given.empty:
        return type(given.default).__name__
    return str(getattr(given.annotation, "__name__", given.annotation))


_READ: Mapping[str, Callable[[str], object]] = {
    "int": int,
    "float": float,
    "bool": lambda word: {"true": True, "false": False}[word.lower()],
    "str": str,
}


def read_parameters(
    spec: str, known: Mapping[str, inspect.Parameter], words: str, *, commas: bool = False
) -> dict[str, object]:
    """Read "key=value,key=value". Raises OptionError for an unknown or repeated key or a value of the wrong type.

    commas: what follows a comma and begins with no known key belongs to the value before it.
    """
    values: dict[str, object] = {}
    for word in _with_commas(words, known) if commas else words.split(",") if words else ():
        name, sign, value = word.partition("=")
        if not sign or name not in known or name in values:
            if is_secret(name) and name not in known:
                raise OptionError(f"agent {spec.partition(':')[0]!r} has no parameter {name!r}: {KEYS}")
            allowed = ", ".join(f"{given.name}={given.default}" for given in known.values()) or "none"
            hint = did_you_mean(name, known) if name not in known else ""
            twice = " twice" if name in values else ""
            raise OptionError(f"agent {spec!r} has no parameter {name!r}{twice}{hint}; there are: {allowed}")
        kind = _type(known[name])
        try:
            values[name] = _READ[kind](value)
        except (ValueError, KeyError) as error:
            raise OptionError(f"agent {spec!r}: {name} must be of type {kind}, not {value!r}") from error
    return values


def _with_commas(words: str, known: Mapping[str, object]) -> list[str]:
    """The words "key=value" of parameters whose values may hold commas."""
    parts: list[str] = []
    for word in words.split(",") if words else ():
        key, sign, _ = word.partition("=")
        if parts and not (sign and (key in known or key.isidentifier())):
            parts[-1] += f",{word}"
        else:
            parts.append(word)
    return parts


def renamed(agent: Any, spec: str) -> Agent:
    """The agent under the name of its spec."""
    if isinstance(agent, CompiledAgent):
        return agent if agent.name == spec else replace(agent, name=spec)
    if plays_in_words(agent):
        agent.name = spec  # its own seat, with all that it counts
    if isinstance(agent, Agent) and agent.name == spec:
        return agent
    about = str(getattr(agent, "about", ""))
    folders = tuple(getattr(agent, "folders", ()))
    by_view = bool(getattr(agent, "by_view", False))
    return PythonAgent(spec, agent.act, int(getattr(agent, "memory_size", 0)), about, folders, by_view)
