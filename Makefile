# Every target does its own set-up in .venv from a bare Python 3.11; `make help` lists the targets.
#
# Variables: PYTHON names the interpreter that .venv is made from, PYTEST_ARGS adds arguments to pytest,
# JOBS is the number of test processes.

# The first of these that really runs and is new enough; empty when there is none.
PYTHON ?= $(shell for python in python3.11 python3; do \
  $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$python && break; done)
JOBS ?= 2
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
NOTEBOOKS := $(wildcard notebooks/*.ipynb)
SOURCES := ome_select notebooks tests docs

# Jupyter takes its folders from platformdirs instead of its own old rules, which would warn; kernels are those of .venv,
# and no packages of the user's own reach them.
export JUPYTER_PLATFORM_DIRS := 1
export JUPYTER_PREFER_ENV_PATH := 1
export PYTHONNOUSERSITE := 1
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq

.DEFAULT_GOAL := help
.PHONY: help venv notebooks test lab bench check fix docs pages store clean

help: ## Show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/\1|\2/' | \
	  while IFS='|' read -r target text; do printf '  make %-10s %s\n' "$$target" "$$text"; done

venv: $(STAMP) ## Set up .venv with pinned versions, the project itself editable

$(STAMP): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "make: no Python 3.11 or newer found; install one, or name it: make PYTHON=/path/to/python3.11" >&2; exit 2; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "make: $(PYTHON) is older than Python 3.11 or does not run; name another: make PYTHON=/path/to/python3.11" >&2; exit 2; }
	@echo "Setting up $(VENV) (about a minute the first time)"
	@test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV)
	@# The build backend comes first, so that the project is built with the pinned one.
	@$(PIP) install --no-compile -c constraints.txt hatchling
	@$(PIP) install --no-compile --no-build-isolation -c constraints.txt -e '.[notebooks,docs,test,dev]'
	@# What the command line imports is compiled here, so that it starts fast even where Python may write no caches.
	@$(BIN)/python -m compileall -q ome_select $(VENV)/lib/python3*/site-packages/click $(VENV)/lib/python3*/site-packages/yaml
	@touch $@

notebooks: $(STAMP) ## The main job: run every notebook, then list the scenarios that passed and failed
	@$(BIN)/python notebooks/run.py $(NOTEBOOK_ARGS)

test: $(STAMP) ## Run all tests: the package, the notebooks, the wheel
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadscope --benchmark-disable --cov \
	  --nbval --nbval-current-env --nbval-cell-timeout=120 tests $(NOTEBOOKS) $(PYTEST_ARGS)

lab: $(STAMP) ## Open JupyterLab on the tutorials
	@$(BIN)/jupyter lab --notebook-dir=. notebooks

bench: $(STAMP) ## Run the benchmarks and print their times
	@$(BIN)/python -m pytest tests/benchmarks --benchmark-only --benchmark-columns=min,median,mean,rounds $(PYTEST_ARGS)

check: $(STAMP) ## Check formatting, lint and types
	@$(BIN)/ruff format --check $(SOURCES)
	@$(BIN)/ruff check $(SOURCES)
	@$(BIN)/mypy

fix: $(STAMP) ## Format, and repair what lint can repair
	@$(BIN)/ruff format $(SOURCES)
	@$(BIN)/ruff check --fix $(SOURCES)

docs: $(STAMP) ## Build the documentation site into build/docs
	@$(BIN)/python -m sphinx -W --keep-going -q docs build/docs
	@echo "build/docs/index.html"

# Streams in one piece, no times, no version of Python: storing twice on two machines gives the same bytes.
pages: $(STAMP) ## Run the commands that docs/ and the README show and store what they print (read the diff, too)
	@$(BIN)/python -m tests.transcripts

store: $(STAMP) ## Run the notebooks in place and store their outputs (read the diff before you commit it)
	@$(BIN)/python -m nbconvert --log-level=ERROR --to notebook --execute --inplace \
	  --ExecutePreprocessor.kernel_name=python3 --ExecutePreprocessor.timeout=120 \
	  --ExecutePreprocessor.record_timing=False \
	  --NotebookExporter.preprocessors=nbconvert.preprocessors.CoalesceStreamsPreprocessor \
	  --ClearMetadataPreprocessor.enabled=True --ClearMetadataPreprocessor.clear_cell_metadata=False \
	  "--ClearMetadataPreprocessor.preserve_nb_metadata_mask={'kernelspec', ('language_info', 'name')}" $(NOTEBOOKS)

clean: ## Remove .venv and everything that the other targets made
	rm -rf $(VENV) build dist docs/notebooks .benchmarks .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
