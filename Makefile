# Everything needs only Python 3.11 or later, make and the package registries. The virtual environment is .venv.

# Numba's lightest optimisation compiles a quarter faster, and the games run no slower (measured: 5 % faster).
export NUMBA_OPT ?= 1

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TOOLS_BIN := .venv-tools/bin
TOOLS := .venv-tools/.installed
# For every system and Python that pyproject.toml allows, with the hashes of all files.
LOCKED := --universal --generate-hashes --custom-compile-command "make lock"
NEWEST ?=
GAMES ?= 1500
WORKERS ?= 2
MINUTES ?= 10
PYTEST := $(BIN)/python -m pytest
PARALLEL := -n $(WORKERS) --dist worksteal
GAMES_PLAYED := $(patsubst riverbed_env/games/%/rules,%,$(wildcard riverbed_env/games/*/rules))
UNCOMPILED := $(wildcard tests/*/rules tests/*/test_random_play.py tests/referee/test_lockstep*.py) tests/golden tests/docs \
	$(wildcard tests/riverbed_hunt/test_deals.py tests/*/test_legality.py tests/*/test_full_state.py tests/referee/test_sight.py)

.PHONY: help run test check nightly uncompiled bounds notebooks browser lint types format warm benchmarks speed \
	card mutants fuzz memory faults soak verify dist lock dependencies audit oldest newest clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## */\1\t/' | expand -t 14

run: $(STAMP)  ## train one role from nothing for two minutes and report on it: results/run
	$(BIN)/riverbed train experiments/configs/demo.toml --report --overwrite --out results/run

# --- tests, in three tiers --------------------------------------------------------------------------------------------

test: $(STAMP) browser lint types  ## what a change can break, in minutes: style, types, and the tests that aren't slow
	$(BIN)/riverbed warm --no-agents
	$(PYTEST) -q $(PARALLEL) --durations=25 tests --ignore=tests/tools -m "not slow"

check: $(STAMP) browser uncompiled bounds  ## everything else: plain Python, checked bounds, slow tests, packages, notebooks
	$(PYTEST) -q $(PARALLEL) --durations=25 tests -m slow

nightly: verify mutants fuzz memory faults soak  ## the tools, which search for faults for hours

uncompiled: $(STAMP)  ## rules and random play as plain Python, which checks every index
	NUMBA_DISABLE_JIT=1 $(PYTEST) -q $(PARALLEL) $(UNCOMPILED) -m "not slow and not compiled"

bounds: $(STAMP)  ## random play compiled with every index checked: more games than plain Python plays
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -q -n $(WORKERS) --dist loadfile $(wildcard tests/*/test_random_play.py) -m "not slow"

browser:  ## install Debian's Chromium, for the tests that open a page; they are skipped without a browser
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
		&& echo "installing Chromium" && apt-get update -qq && apt-get install -y -qq chromium >/dev/null; } \
		|| echo "no Chromium here: the tests that open a page in a browser will be skipped"

lint: $(STAMP)  ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)  ## types
	$(BIN)/mypy

format: $(STAMP)  ## mend the style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# --- tools that search for faults -------------------------------------------------------------------------------------

verify: $(STAMP)  ## play engine and referee in lock-step: GAMES games of each game
	$(foreach game,$(GAMES_PLAYED),$(BIN)/python tests/tools/verify.py --game $(game)_v0 --games $(GAMES) &&) true

mutants: $(STAMP)  ## alter the rules one at a time and see whether the tests catch it, a quarter to half an hour a game
	$(foreach game,$(GAMES_PLAYED),$(BIN)/python tests/tools/mutants/run.py --game $(game) --workers $(WORKERS) &&) true

fuzz: $(STAMP)  ## call every public interface in any order for MINUTES, or RIVERBED_FUZZ examples; damage files
	$(BIN)/python tests/tools/fuzz/run.py --minutes $(MINUTES)
	LOADER_EXAMPLES=12 $(PYTEST) -q tests/tools/loaders/test_loaders.py

memory: $(STAMP)  ## play a million games through every interface and see that memory doesn't grow, some minutes
	$(BIN)/python tests/tools/memory/run.py

faults: $(STAMP)  ## kills, signals, full and read-only disks on the real command line, some hours; needs root for disks
	$(BIN)/python tests/tools/faults/run.py

soak: $(STAMP)  ## everything at full load for an hour: memory, open files and threads mustn't grow
	$(BIN)/python tests/tools/soak/run.py --minutes 60 --workers $(WORKERS) --out results/soak

# --- results and pages ------------------------------------------------------------------------------------------------

warm: $(STAMP)  ## compile everything ahead
	$(BIN)/riverbed warm

benchmarks: $(STAMP)  ## the tables of the published agents of all four games, some minutes each
	$(BIN)/riverbed evaluate --games $(GAMES) --out results/benchmark
	$(BIN)/riverbed evaluate --game river_rats_v0 --variants --games 4000 --out results/river_rats
	$(BIN)/riverbed evaluate search --reference greedy --game deep_river_v0 --games 2000 --out results/deep_river
	$(BIN)/riverbed evaluate --game riverside_v0 --variants --games 4000 --out results/riverside

speed: $(STAMP)  ## our speed beside other libraries'
	$(BIN)/riverbed speed --out results/speed
	$(BIN)/python experiments/studies learning_speed --out results/speed

card: $(STAMP)  ## write the games' pages in docs/games
	$(BIN)/python -m riverbed_lab.card

notebooks: $(STAMP)  ## execute the notebooks and write their outputs, about two minutes
	$(BIN)/python tests/notebooks/notebooks_kit.py

# --- environments and packages ----------------------------------------------------------------------------------------

# The locked packages come first, without dependencies, so that each file is checked against its hash and nothing else
# chooses PyTorch's build. PyTorch then finds what it needs, and adds what its build needs on top.
$(STAMP): pyproject.toml constraints.txt requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo \
		"Riverbed needs Python 3.11 or later, which '$(PYTHON)' isn't; name one that is: make PYTHON=python3.12 …" >&2; exit 1; }
	@echo "setting up $(VENV) (a minute or two, 2 GB of disk)"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --require-hashes --no-deps -r requirements.lock
	$(BIN)/python -m pip install -q -c constraints.txt torch
	$(BIN)/python -m pip install -q --no-deps --no-build-isolation -e .
	$(BIN)/python -m pip check
	@touch $(STAMP)

dist: $(TOOLS)  ## build sdist and wheel, install each in empty environments and play there, some minutes
	rm -rf dist
	$(TOOLS_BIN)/python -m build -q --outdir dist .
	$(TOOLS_BIN)/twine check --strict dist/*
	$(PYTHON) tests/tools/packaging/installations.py dist

lock: $(TOOLS)  ## pin what pyproject.toml wants; NEWEST=--upgrade takes the newest of everything
	$(TOOLS_BIN)/uv pip compile pyproject.toml -q $(NEWEST) --extra dev --extra peers -c constraints.txt \
		--no-emit-package torch $(LOCKED) -o requirements.lock
	$(TOOLS_BIN)/uv pip compile -q $(NEWEST) --group tools $(LOCKED) -o requirements-tools.lock
	$(MAKE) --no-print-directory dependencies

dependencies: $(STAMP)  ## write docs/dev/dependencies.md and check all licences
	$(BIN)/python tests/tools/packaging/dependencies.py

audit: $(TOOLS)  ## look up known vulnerabilities of what is pinned; needs a network
	$(TOOLS_BIN)/pip-audit --disable-pip --require-hashes -r requirements.lock
	$(TOOLS_BIN)/pip-audit --disable-pip --no-deps -r constraints.txt

oldest: requirements.lock  ## test with the oldest versions that pyproject.toml allows
	$(PYTHON) tests/tools/packaging/versions.py oldest

newest: requirements.lock  ## test with the newest versions there are
	$(PYTHON) tests/tools/packaging/versions.py newest

# Maintainers' tools, apart from what the library needs.
$(TOOLS): requirements-tools.lock
	$(PYTHON) -m venv .venv-tools
	$(TOOLS_BIN)/python -m pip install -q --require-hashes --no-deps -r requirements-tools.lock
	@touch $(TOOLS)

clean:  ## remove environments, caches and results
	rm -rf $(VENV) .venv-tools build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
