# All targets need Python 3.11 or later, make and a package registry. The virtual environment is .venv.

# Numba's lightest optimisation compiles a sixth faster; games run a tenth slower than with its heaviest, the default.
export NUMBA_OPT ?= 1

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PAGE_TOOLS := web/page/node_modules/.package-lock.json
TOOLS_BIN := .venv-tools/bin
TOOLS := .venv-tools/.installed
# Options of the lock files: for all systems and Pythons that pyproject.toml allows, with hashes.
LOCKED := --universal --generate-hashes --custom-compile-command "make lock"
NEWEST ?=
WORKERS ?= 2
GAMES ?= 1500
EXAMPLES ?= 500
STATES ?= 100000
MUTANTS ?= --number 300
FUZZ ?=
TRAINERS := openenv verifiers trl inspect
SEARCHES := verify mutants fuzz states
# The smallest sizes of these tools: nothing is found but a tool that doesn't start.
SMALLEST := GAMES=1 STATES=50 MUTANTS="--list --number 1" EXAMPLES=1 FUZZ="aec-deep_river"
# Tests run beside each other; more threads for matrices would wait for a core, at full load.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest
PARALLEL := -n $(WORKERS) --dist worksteal
GAMES_PLAYED := $(patsubst riverbed_env/games/%/rules,%,$(wildcard riverbed_env/games/*/rules))
# Tests that say most as plain Python, where every index is checked.
UNCOMPILED := $(wildcard tests/*/rules tests/*/test_random_play.py tests/referee/test_lockstep*.py) tests/golden tests/docs \
	$(wildcard tests/riverbed_hunt/test_deals.py tests/*/test_legality.py tests/*/test_full_state.py tests/referee/test_sight.py)

.PHONY: help run test check nightly smallest uncompiled bounds plain browser lint types format verify mutants fuzz states \
	docs card notebooks web page-tools dist lock dependencies audit oldest newest trainers clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## */\1\t/' | expand -t 14

run: $(STAMP)  ## train one role for three minutes and write a report to results/run
	$(BIN)/riverbed distil experiments/configs/demo.toml --out results/run
	$(BIN)/riverbed evaluate results/run/policy.npz --players 5 --roles profiteer --tables mirror,deviation --reference rule_based \
		--out results/run/evaluation

# --- tests, in three tiers --------------------------------------------------------------------------------------------

# The games are compiled first, since parallel tests would each compile them.
test: $(STAMP) browser page-tools lint types  ## style, types and the fast tests, in minutes
	$(BIN)/riverbed doctor --compile games
	$(PYTEST) -q $(PARALLEL) --durations=25 tests --ignore=tests/tools -m "not slow"

check: $(STAMP) browser page-tools uncompiled bounds plain smallest  ## all other tests: plain Python, checked bounds, plain Numba, slow
	$(PYTEST) -q $(PARALLEL) --durations=25 tests -m slow

nightly: $(SEARCHES)  ## the tools that search for faults, for hours

smallest: $(STAMP)  ## start each of these tools once
	$(MAKE) --no-print-directory $(SEARCHES) $(SMALLEST)

uncompiled: $(STAMP)  ## rules and random play as plain Python
	NUMBA_DISABLE_JIT=1 $(PYTEST) -q $(PARALLEL) $(UNCOMPILED) -m "not slow and not compiled"

bounds: $(STAMP)  ## random play compiled with every index checked
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -q -n $(WORKERS) --dist loadfile $(wildcard tests/*/test_random_play.py) -m "not slow"

plain: $(STAMP)  ## the Hunt's golden games as Numba alone compiles them
	RIVERBED_PLAIN_NUMBA=1 $(PYTEST) -q tests/golden/test_hashes.py -k "frozen_version and riverbed_hunt"

browser:  ## install Debian's Chromium if you are root; without a browser the tests that open a page are skipped
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
		&& echo "installing Chromium" && apt-get update -qq && apt-get install -y -qq chromium >/dev/null; } \
		|| echo "no Chromium here: the tests that open a page in a browser will be skipped"

lint: $(STAMP)  ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)  ## types
	$(BIN)/mypy

format: $(STAMP)  ## fix the style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# --- tools that search for faults -------------------------------------------------------------------------------------

verify: $(STAMP)  ## play GAMES games of each game in lock-step with its referee
	RIVERBED_VERIFY=$(GAMES) $(PYTEST) -q $(PARALLEL) tests/referee/test_lockstep.py -k many_games

mutants: $(STAMP)  ## alter the rules one at a time and count what the tests catch, some minutes a game
	$(foreach game,$(GAMES_PLAYED),$(BIN)/python tests/tools/mutants/run.py --game $(game) $(MUTANTS) --workers $(WORKERS) &&) true

fuzz: $(STAMP)  ## call all interfaces in any order, EXAMPLES times in each game
	RIVERBED_FUZZ=$(EXAMPLES) $(PYTEST) -q $(PARALLEL) tests/tools/fuzz -k "$(FUZZ)"

states: $(STAMP)  ## change STATES saved states of each game; each must be refused or be playable to its end
	RIVERBED_STATES=$(STATES) NUMBA_BOUNDSCHECK=1 $(PYTEST) -q -rP $(PARALLEL) tests/conformance -k a_changed_state

# --- pages ------------------------------------------------------------------------------------------------------------

web: $(PAGE_TOOLS)  ## build the page of tables and replays from web/page; needs node
	cd web/page && npm run --silent format && npm run --silent types && npm run --silent build

page-tools:  ## install what builds and tests the page, where there is node; without it those tests are skipped
	@command -v npm >/dev/null && $(MAKE) --no-print-directory $(PAGE_TOOLS) \
		|| echo "no node here: the tests of the page's sources will be skipped"

$(PAGE_TOOLS): web/page/package-lock.json
	cd web/page && npm ci --silent --no-fund --no-audit && touch ../../$(PAGE_TOOLS)

docs: $(STAMP)  ## build the site from docs: build/site/index.html
	NUMBA_DISABLE_JIT=1 $(BIN)/sphinx-build -W --keep-going -q -b html docs build/site

card: $(STAMP)  ## write the games' cards in docs/games
	$(BIN)/python -m riverbed_lab.card

notebooks: $(STAMP)  ## run the notebooks and write their outputs, about two minutes
	$(BIN)/python tests/notebooks/notebooks_kit.py

# --- environments and packages ----------------------------------------------------------------------------------------

# The locked packages are installed first, without dependencies, so that each file is checked against its hash and nothing
# else chooses PyTorch's build. PyTorch then adds only what its build needs besides.
$(STAMP): pyproject.toml constraints.txt requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo \
		"Riverbed needs Python 3.11 or later, and '$(PYTHON)' isn't; name another one: make PYTHON=python3.12 …" >&2; exit 1; }
	@echo "setting up $(VENV) (a minute or two, 2 GB of disk)"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --require-hashes --no-deps -r requirements.lock
	$(BIN)/python -m pip install -q -c constraints.txt torch
	$(BIN)/python -m pip install -q --no-deps --no-build-isolation -e .
	$(BIN)/python -m pip check
	@touch $(STAMP)

dist: $(TOOLS)  ## build sdist and wheel, install them in empty environments and play there, some minutes
	rm -rf dist
	$(TOOLS_BIN)/python -m build -q --outdir dist .
	$(TOOLS_BIN)/twine check --strict dist/*
	$(PYTHON) tests/tools/packaging/installations.py dist

lock: $(TOOLS)  ## pin the dependencies of pyproject.toml; NEWEST=--upgrade takes the newest versions
	$(TOOLS_BIN)/uv pip compile pyproject.toml -q $(NEWEST) --extra dev --extra peers -c constraints.txt \
		--no-emit-package torch $(LOCKED) -o requirements.lock
	$(TOOLS_BIN)/uv pip compile -q $(NEWEST) --group tools $(LOCKED) -o requirements-tools.lock
	$(MAKE) --no-print-directory dependencies

dependencies: $(STAMP)  ## write docs/dev/dependencies.md and check all licences
	$(BIN)/python tests/tools/packaging/dependencies.py

audit: $(TOOLS)  ## look up known vulnerabilities of the pinned packages; needs a network
	$(TOOLS_BIN)/pip-audit --disable-pip --require-hashes -r requirements.lock
	$(TOOLS_BIN)/pip-audit --disable-pip --no-deps -r constraints.txt

oldest: requirements.lock  ## test with the oldest versions that pyproject.toml allows
	$(PYTHON) tests/tools/packaging/versions.py oldest

newest: requirements.lock  ## test with the newest versions
	$(PYTHON) tests/tools/packaging/versions.py newest

# Doors to trainers of language models: what these packages pin excludes one another.
trainers: $(TRAINERS:%=trainers-%)  ## test each door to trainers of language models, in an environment of its own

trainers-%:
	$(PYTHON) -m venv .venv-$*
	.venv-$*/bin/python -m pip install -q -c constraints.txt '.[reports,$*]' pytest
	.venv-$*/bin/python -m pytest -q -W default tests/trainers/test_$*.py

# Maintainers' tools have an environment of their own.
$(TOOLS): requirements-tools.lock
	$(PYTHON) -m venv .venv-tools
	$(TOOLS_BIN)/python -m pip install -q --require-hashes --no-deps -r requirements-tools.lock
	@touch $(TOOLS)

clean:  ## remove environments, caches and results
	rm -rf $(VENV) .venv-tools build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
