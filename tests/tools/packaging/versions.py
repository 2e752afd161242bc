"""`make oldest`, `make newest`: the tests that dependencies matter to, with the oldest or newest that are allowed.

They run in an environment outside the repository with the lower bounds of pyproject.toml, or what is newest. PyTorch is
that of constraints.txt in both, since other builds take gigabytes: the oldest isn't tested here.
"""

import argparse
import re
import tempfile
import tomllib
from pathlib import Path

from installations import Environment
from packages_kit import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = ("reports", "training", "draw", "web", "torchrl", "ray", "rllib", "openspiel", "corpus")
TESTING = ("hypothesis", "psutil", "pytest")  # of the extra dev
PARTS = (
    *("tests/golden", "tests/deep_river/rules", "tests/conformance", "tests/learner", "tests/training", "tests/web"),
    *("tests/frames", "tests/integrations", "tests/rllib", "tests/cluster", "tests/corpus"),
    *("tests/experiments/test_report.py", "tests/agents/test_policies.py"),
)
PAGE = "tests/web/test_page_sources.py"  # of Node alone
BOUND = re.compile(r"([\w.-]+(?:\[\w+\])?)>=([\w.]+)((?:,<[\w.]+)?)")


def requirements(which: str) -> list[str]:
    """What base, the tested extras and the tests need, at their lower bounds or above."""
    optional = PROJECT["optional-dependencies"]
    lines = [*PROJECT["dependencies"], *(line for extra in EXTRAS for line in optional[extra])]
    lines += [line for line in optional["dev"] if line.startswith(TESTING)]
    bounds = {match[1]: match for line in lines if (match := BOUND.match(line)) and match[1] != "torch"}
    if which == "oldest":
        return [f"{name}=={match[2]}" for name, match in bounds.items()]
    return [match[0] for match in bounds.values()]


def main() -> None:
    """Install and test."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("which", choices=("oldest", "newest"))
    which = parser.parse_args().which
    newest = ["--upgrade", "--upgrade-strategy", "eager"] if which == "newest" else []
    with tempfile.TemporaryDirectory(prefix="riverbed-") as folder:
        environment = Environment(Path(folder), Path(folder) / "kernels", work=ROOT)
        environment.pip("-c", ROOT / "constraints.txt", "torch")
        environment.pip(*newest, "-c", ROOT / "constraints.txt", *requirements(which))
        environment.pip("--no-deps", "-e", ROOT)  # Ray's workers then import what the tests import
        print(environment.must("python --version; python -m pip list"), flush=True)
        environment.must(["python", "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--ignore={PAGE}", *PARTS])


if __name__ == "__main__":
    main()
