# Everything needs only Python 3.11 or later, make and the package registries. The virtual environment is .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
GAMES ?= 20000
WORKERS ?= 2
PYTEST := $(BIN)/python -m pytest

.PHONY: run test test-fast lint types format warm speed card mutants clean

run: $(STAMP)  ## the main job: team win rates at every player count, about two minutes
	$(BIN)/riverbed benchmark --games $(GAMES) --out results/benchmark

test: $(STAMP) lint types  ## everything: style, types, the suite compiled, parts of it uncompiled and bounds-checked
	@echo "== uncompiled: rules and drawn positions as plain Python"
	NUMBA_DISABLE_JIT=1 $(PYTEST) -q -n $(WORKERS) tests/riverbed_hunt/rules \
		tests/riverbed_hunt/test_deals.py tests/riverbed_hunt/test_legality.py tests/riverbed_hunt/test_full_state.py \
		tests/referee/test_lockstep.py tests/referee/test_sight.py tests/golden tests/docs -m "not slow and not compiled"
	@echo "== compiling ahead"
	$(BIN)/riverbed warm
	@echo "== bounds-checked"
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -q tests/riverbed_hunt/test_random_play.py -m "not slow"
	@echo "== compiled: the whole suite"
	$(PYTEST) -n $(WORKERS) tests

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
	$(BIN)/pip install -q -c constraints.txt -e ".[peers]"
	$(BIN)/riverbed speed --out results/speed

card: $(STAMP)  ## write the generated pages anew
	$(BIN)/riverbed card --write docs/games/riverbed_hunt.md

mutants: $(STAMP)  ## alter the rules one at a time and see whether the tests catch it, about half an hour
	$(BIN)/python tests/mutants/run.py --workers $(WORKERS)

$(STAMP): pyproject.toml constraints.txt
	@echo "setting up $(VENV) (about a minute)"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -m pip install -q -c constraints.txt -e ".[dev]"
	@touch $(STAMP)

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
