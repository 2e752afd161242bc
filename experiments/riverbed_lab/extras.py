"""The extras of the package: what each is for, and which modules say that it is there."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec


@dataclass(frozen=True)
class Extra:
    """An extra: what it is for, in words, and the modules that are imported from what it installs."""

    about: str
    modules: tuple[str, ...]

    @property
    def missing(self) -> list[str]:
        """Which of its modules aren't installed; none is imported to find out."""
        return [module for module in self.modules if find_spec(module) is None]


EXTRAS = {
    "reports": Extra(
        "evaluate, benchmark, report: tables, figures and Parquet files", ("matplotlib", "pyarrow", "scipy")
    ),
    "training": Extra("train, league, exploit", ("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "scipy")),
    "leaks": Extra("the statistical attack of riverbed_env.testing.leaks", ("sklearn",)),
    "notebooks": Extra("running the notebooks", ("ipykernel", "nbclient", "nbformat")),
    "peers": Extra("speed and leaks: other libraries' games", ("rlcard", "pyspiel")),
}


def extra_of(module: str | None) -> str | None:
    """The extra that installs a module; None where none does."""
    top = (module or "").partition(".")[0]
    return next((name for name, extra in EXTRAS.items() if top in extra.modules), None)


def need(*extras: str) -> None:
    """ModuleNotFoundError where something of these extras isn't installed: said before any work is done."""
    for extra in extras:
        for module in EXTRAS[extra].missing:
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)
