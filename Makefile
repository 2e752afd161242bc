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
GAMES_PLAYED := riverbed_hunt river_rats deep_river riverside
RULES := $(foreach game,$(GAMES_PLAYED),tests/$(game)/rules)
AGENT_TESTS := $(foreach game,$(GAMES_PLAYED),$(wildcard tests/agents/test_$(game)*.py))
# Before the whole suite: the jobs share the processors, the longest first, and each game's kernels and agents are
# compiled by one of them instead of by both workers of the suite.
AHEAD := ahead-riverbed_hunt uncompiled $(foreach game,river_rats riverside deep_river,ahead-$(game)) types
# A job's output is shown when it is done, so that those of two don't mix; its exit code is that of the command.
WHOLE = said=$$({ $(1); } 2>&1); code=$$?; printf '%s\n' "== $@" "$$said"; exit $$code

.PHONY: run benchmarks test uncompiled bounds browser test-fast lint types format warm speed card notebooks mutants \
	fuzz memory faults soak dist lock dependencies audit oldest newest clean

run: $(STAMP)  ## one role learns from nothing for two minutes; tables and a report with its curve
	$(BIN)/riverbed train experiments/configs/demo.toml --report --overwrite --out results/run

test: $(STAMP) browser lint  ## everything: style, types, the suite compiled, parts of it uncompiled
	@echo "== types, plain Python, and game by game: compiling and the agents' tests (a quarter of an hour in all on two \
cores; what a job says is shown when it is done)"
	@printf '%s\n' $(AHEAD) | xargs -n 1 -P $(WORKERS) $(MAKE) --no-print-directory
	@echo "== compiled: the rest of the suite"
	$(PYTEST) -n $(WORKERS) --dist worksteal tests $(addprefix --ignore=,$(AGENT_TESTS))

uncompiled: $(STAMP)  ## rules, drawn positions and random play as plain Python, which checks every index
	@$(call WHOLE,NUMBA_DISABLE_JIT=1 $(PYTEST) -q $(RULES) tests/riverbed_hunt/test_deals.py \
		tests/riverbed_hunt/test_legality.py tests/riverbed_hunt/test_full_state.py \
		$(wildcard tests/referee/test_lockstep*.py) tests/referee/test_sight.py tests/golden tests/docs \
		$(foreach game,$(GAMES_PLAYED),tests/$(game)/test_random_play.py) \
		-m "not slow and not compiled")

ahead-%: $(STAMP)
	@$(call WHOLE,$(BIN)/riverbed warm --no-agents --game $*_v0 && $(PYTEST) -q $(wildcard tests/agents/test_$**.py))

bounds: $(STAMP)  ## random play compiled with every index checked: more games than plain Python plays
	@printf '%s\n' $(foreach game,riverbed_hunt riverside river_rats deep_river,bounds-$(game)) \
		| xargs -n 1 -P $(WORKERS) $(MAKE) --no-print-directory

bounds-%: $(STAMP)
	@$(call WHOLE,NUMBA_BOUNDSCHECK=1 $(PYTEST) -q tests/$*/test_random_play.py -m "not slow")

benchmarks: $(STAMP)  ## the tables of the published agents of all four games, some minutes each
	$(BIN)/riverbed benchmark --games $(GAMES) --out results/benchmark
	$(BIN)/riverbed benchmark --game river_rats_v0 --variants --games 4000 --out results/river_rats
	$(BIN)/riverbed benchmark --game deep_river_v0 --agent search --others greedy --games 2000 --out results/deep_river
	$(BIN)/riverbed benchmark --game riverside_v0 --variants --games 4000 --out results/riverside

test-fast: $(STAMP)  ## the suite without its slow tests
	$(PYTEST) -q -n $(WORKERS) tests -m "not slow"

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

warm: $(STAMP)  ## compile ahead
	$(BIN)/riverbed warm

speed: $(STAMP)  ## our speed beside other libraries'
	$(BIN)/riverbed speed --out results/speed
	$(BIN)/python experiments/studies learning_speed --out results/speed

card: $(STAMP)  ## write the generated pages anew
	$(foreach game,$(GAMES_PLAYED),$(BIN)/riverbed card --game $(game)_v0 --write docs/games/$(game).md &&) true

notebooks: $(STAMP)  ## execute the notebooks and write their outputs anew, about two minutes
	$(BIN)/python tests/notebooks/notebooks_kit.py

mutants: $(STAMP)  ## alter the rules one at a time and see whether the tests catch it, a quarter to half an hour a game
	$(foreach game,$(GAMES_PLAYED),$(BIN)/python tests/mutants/run.py --game $(game) --workers $(WORKERS) &&) true

fuzz: $(STAMP)  ## every public interface called in any order, MINUTES of it or RIVERBED_FUZZ examples of each; damaged files
	$(BIN)/python tests/fuzz/run.py --minutes $(MINUTES)
	LOADER_EXAMPLES=12 $(PYTEST) -q tests/loaders/test_loaders.py

memory: $(STAMP)  ## a million games through every door, and memory stays as it is; some minutes
	$(BIN)/python tests/memory/run.py

faults: $(STAMP)  ## kills, signals, full and read-only disks on the real command line, some hours; as root for the disks
	$(BIN)/python tests/faults/run.py

soak: $(STAMP)  ## everything at full load for an hour: memory, open files and threads must stay as they are
	$(BIN)/riverbed soak --minutes 60 --workers $(WORKERS) --out results/soak

browser:  ## Debian's Chromium, for the tests that open the report; without it they are skipped
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
		&& echo "installing Chromium" && apt-get update -qq && apt-get install -y -qq chromium >/dev/null; } \
		|| echo "no Chromium here: the tests that open the report in a browser will be skipped"

# All that is locked comes first and brings nothing along, so that nothing else chooses PyTorch's build and each file is
# checked against its hash. PyTorch then finds what it needs, and adds what its build needs beside.
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

dist: $(TOOLS)  ## build sdist and wheel, check them, install each in empty environments and play there; some minutes
	rm -rf dist
	$(TOOLS_BIN)/python -m build -q --outdir dist .
	$(TOOLS_BIN)/twine check --strict dist/*
	$(PYTHON) tests/packaging/installations.py dist

lock: $(TOOLS)  ## pin what pyproject.toml wants; `make lock NEWEST=--upgrade` takes the newest of everything
	$(TOOLS_BIN)/uv pip compile pyproject.toml -q $(NEWEST) --extra dev --extra peers -c constraints.txt \
		--no-emit-package torch $(LOCKED) -o requirements.lock
	$(TOOLS_BIN)/uv pip compile -q $(NEWEST) --group tools $(LOCKED) -o requirements-tools.lock
	$(MAKE) --no-print-directory dependencies

dependencies: $(STAMP)  ## write docs/dev/dependencies.md anew and check all licences
	$(BIN)/python tests/packaging/dependencies.py

audit: $(TOOLS)  ## ask the public database for known vulnerabilities of all that is pinned; needs a network
	$(TOOLS_BIN)/pip-audit --disable-pip --require-hashes -r requirements.lock
	$(TOOLS_BIN)/pip-audit --disable-pip --no-deps -r constraints.txt

oldest: requirements.lock  ## the oldest versions that pyproject.toml allows, in an environment of their own
	$(PYTHON) tests/packaging/versions.py oldest

newest: requirements.lock  ## the newest versions there are, in an environment of their own
	$(PYTHON) tests/packaging/versions.py newest

# Maintainers' tools, apart from what the library needs.
$(TOOLS): requirements-tools.lock
	$(PYTHON) -m venv .venv-tools
	$(TOOLS_BIN)/python -m pip install -q --require-hashes --no-deps -r requirements-tools.lock
	@touch $(TOOLS)

clean:
	rm -rf $(VENV) .venv-tools build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
