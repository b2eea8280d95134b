# The two commands: `make check` runs the main job on a sample engine, `make test` the tests. Both set up .venv first.
PYTHON ?= python3.11
VENV   := .venv
BIN    := $(VENV)/bin
ENGINE ?= $(BIN)/python engines/python/engine.py
TIER   ?= gate

.DEFAULT_GOAL := check
.PHONY: check test lint slow fixtures impact pages parting beside mutate benchmarks wheel clean

$(VENV)/.ready: pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "make: $(PYTHON) is not installed; install Python 3.11, or name another with PYTHON=..." >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $@

check: $(VENV)/.ready  ## the main job, on ENGINE (the Python sample engine when none is named)
	$(BIN)/patchwork-ref check "$(ENGINE)" --tier $(TIER)

test: $(VENV)/.ready lint  ## layers, types, style, and every test that is not slow
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/patchwork-ref lint

slow: $(VENV)/.ready  ## the tests marked slow
	$(BIN)/python -m pytest -n 2 -m slow

fixtures: $(VENV)/.ready  ## regenerates the golden data
	$(BIN)/patchwork-ref fixtures build

impact: $(VENV)/.ready  ## plays every pair of readings, and keeps the figures beside the fixtures
	$(BIN)/patchwork-ref ambiguity impact --store

pages: $(VENV)/.ready  ## puts into the pages what their commands print
	$(BIN)/python docs/fill.py docs/example-ambiguity.md

parting: $(VENV)/.ready  ## the shortest games on which readings part, with the bounds below them
	$(BIN)/python -m patchwork_ref.ambiguity.assemble

beside: $(VENV)/.ready  ## rare games on which readings part, beside readings that are no ruleset's
	$(BIN)/python -m patchwork_ref.ambiguity.rare

mutate: $(VENV)/.ready  ## every mutant against the suite
	$(BIN)/patchwork-ref mutate

benchmarks: $(VENV)/.ready
	for file in benchmarks/*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

wheel: $(VENV)/.ready
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
