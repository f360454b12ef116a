# `make` alone lists what there is. Everything runs in .venv, which make makes itself.
PYTHON ?= python3
BIN := .venv/bin
SOURCES := lazyboy_jupyter tests scripts spikes
WORKERS ?= 2
export QUESTION
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.DEFAULT_GOAL := help
.PHONY: help lab test test-full test-local-model check ui bench format clean

help:  ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 26

lab: .venv/lab  ## open JupyterLab on the quickstart; HEADLESS=1 prints its guide, QUESTION="…" asks another
ifdef HEADLESS
	@$(BIN)/python scripts/run_quickstart.py notebooks/quickstart.ipynb
else
	$(BIN)/jupyter lab notebooks/quickstart.ipynb
endif

test: .venv/dev check  ## everything CI runs: make check, the tests, the notebooks
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup --no-loadscope-reorder
	$(BIN)/python -m pytest --nbval-lax -W default notebooks

test-full: .venv/dev  ## the long forms of the slow suites
	LAZYBOY_TEST_FULL=1 $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup --no-loadscope-reorder

test-local-model: .venv/dev  ## five questions to a real small model: LOCAL_MODEL=openai-compatible:NAME@http://HOST/v1
	$(BIN)/python -m pytest -s tests/local_model

check: .venv/dev  ## style, types, layers, of Python and of TypeScript
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports
	PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix labextension run --silent check
	PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix labextension run --silent test

ui: .venv/dev  ## build the widgets' page code anew
	PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix labextension install --silent
	PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix labextension run build

bench: .venv/dev  ## the benchmarks of the README and of ARCHITECTURE.md
	$(BIN)/python -m tests.benchmarks

format: .venv/dev  ## put the code into its standard form
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

clean:  ## remove the environment and all caches
	rm -rf .venv build dist labextension/node_modules lazyboy_jupyter/widgets/static .mypy_cache .ruff_cache .import_linter_cache .hypothesis

.venv/lab: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'lazyboy-jupyter needs Python 3.11 or later: make $(MAKECMDGOALS) PYTHON=python3.12'; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[lab]' 'nbclient>=0.10'
	@touch $@

.venv/dev: .venv/lab
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	for version in 7.3 7.4; do $(BIN)/python -m pip install --quiet --no-deps --upgrade \
	  --target .venv/kernels/ipykernel-$$version "ipykernel==$$version.*" || exit 1; done
	@touch $@
