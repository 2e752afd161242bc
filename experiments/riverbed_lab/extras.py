"""The extras of the package: what each is for, and how to install it."""

from dataclasses import dataclass
from importlib.util import find_spec


@dataclass(frozen=True)
class Extra:
    """An extra: its purpose in words, and the modules it installs that are imported directly."""

    about: str
    modules: tuple[str, ...]

    @property
    def missing(self) -> list[str]:
        """The modules that aren't installed; nothing is imported to find out."""
        return [module for module in self.modules if find_spec(module) is None]


EXTRAS = {
    "corpus": Extra("record, games: recorded games", ("pyarrow",)),
    "reports": Extra("evaluate, judge: tables, figures, Parquet", ("matplotlib", "pandas", "pyarrow", "scipy")),
    "training": Extra("train, distil, exploit", ("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "scipy")),
    "draw": Extra("pictures of a table in pixels (render_mode rgb_array)", ("resvg_py", "PIL")),
    "notebooks": Extra("running the notebooks", ("ipykernel", "nbclient", "nbformat")),
    "web": Extra("serve: tables in a browser", ("starlette", "uvicorn", "websockets")),
    "torchrl": Extra("TorchRL: riverbed_env.integrations.torchrl", ("torchrl", "tensordict", "torch")),
    "ray": Extra("--ray: evaluate past one machine", ("ray",)),
    "rllib": Extra("RLlib: riverbed_env.integrations.rllib", ("torch", "tree", "lz4", "ormsgpack", "pandas")),
    "mcp": Extra("mcp: seats as tools", ("mcp", "starlette", "uvicorn")),
    "openenv": Extra("OpenEnv: riverbed_lab.seat_env.openenv", ("openenv", "uvicorn")),
    "verifiers": Extra("verifiers: the taskset riverbed-verifiers", ("verifiers",)),
    "trl": Extra("TRL: riverbed_lab.seat_env.trl", ("trl",)),
    "inspect": Extra("Inspect: the task riverbed_lab/riverbed", ("inspect_ai",)),
    "openspiel": Extra("OpenSpiel: riverbed_env.integrations.openspiel", ("pyspiel",)),
    "peers": Extra("studies beside other libraries' games", ("rlcard", "pyspiel")),
}
WITH_TORCH = ("training", "notebooks", "torchrl", "rllib", "trl")


def how_to_install(name: str) -> str:
    """The command that installs an extra. The library is on no index: it is installed from its source folder."""
    first = " (first: pip install -c constraints.txt torch)" if name in WITH_TORCH else ""
    return f"pip install '.[{name}]' in the checkout{first}"


def extra_of(module: str | None) -> str | None:
    """The extra that installs a module; None if none does."""
    top = (module or "").partition(".")[0]
    return next((name for name, extra in EXTRAS.items() if top in extra.modules), None)


def need(*extras: str) -> None:
    """Raise ModuleNotFoundError if a module of these extras isn't installed, before any work is done."""
    for extra in extras:
        for module in EXTRAS[extra].missing:
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)
