# Everything a person or CI does here. `make demo` and `make test` set the machine up by themselves.
#   PYTHON=python3.12 make test     another interpreter (3.11 or newer); use it with VENV=.venv312
#   PYTEST_ARGS="-k replay" make pytest

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --no-print-directory
unexport PYTHONDONTWRITEBYTECODE # the tests start many Pythons: each would compile everything (`make clean` tidies up)

PYTHON ?=
VENV ?= .venv
WORKERS ?= 2
PYTEST_ARGS ?=
DEMO_ARGS ?=
BENCH_ARGS ?=

BIN := $(VENV)/bin
READY := $(VENV)/.ready
LOCK := requirements/dev.txt
CLIENTS := tests/clients/node
CLIENTS_READY := $(CLIENTS)/node_modules/.ready

.PHONY: help
help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: $(READY) $(CLIENTS_READY) ## make the virtual environment and install everything locked

$(BIN)/python:
	@python="$(PYTHON)"
	fits() { "$$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }
	if [ -z "$$python" ]; then
	  for candidate in python3.11 python3 python3.12 python3.13; do
	    if fits "$$candidate"; then python=$$candidate; break; fi
	  done
	fi
	if [ -z "$$python" ] || ! fits "$$python"; then
	  echo "Diorama needs Python 3.11 or newer$${python:+, and $$python is not}. Install one, or say which: make PYTHON=/path/to/python3.11" >&2
	  exit 1
	fi
	if ! "$$python" -c 'import ensurepip' >/dev/null 2>&1; then
	  echo "$$python cannot make virtual environments; installing Debian's python3-venv" >&2
	  if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
	    echo "Install the venv package of your system's Python (Debian: python3-venv), then run make again." >&2
	    exit 1
	  fi
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3-venv >&2
	fi
	echo "Making $(VENV) with $$("$$python" --version)"
	"$$python" -m venv "$(VENV)"

$(READY): $(BIN)/python $(LOCK) pyproject.toml
	@echo "Installing the locked dependencies into $(VENV)"
	$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r $(LOCK)
	$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

$(CLIENTS_READY): $(CLIENTS)/package-lock.json $(CLIENTS)/package.json
	@mkdir -p $(@D)
	if command -v npm >/dev/null; then
	  echo "Installing the locked JavaScript clients into $(CLIENTS)"
	  npm ci --silent --prefix $(CLIENTS)
	else
	  echo "There is no npm here: the tests of JavaScript clients will be skipped" >&2
	fi
	touch $@

.PHONY: demo
demo: $(READY) ## the main job in a minute: several agents on real scenarios, a table of scores
	@$(BIN)/diorama demo $(DEMO_ARGS)

.PHONY: test
test: lint types layers pytest ## all that CI checks: style, types, layers, tests

.PHONY: lint
lint: $(READY) ## ruff: style and format
	@$(BIN)/ruff check .
	$(BIN)/ruff format --check .

.PHONY: format
format: $(READY) ## rewrite the files as ruff wants them
	@$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: types
types: $(READY) ## mypy --strict
	@$(BIN)/mypy

.PHONY: layers
layers: $(READY) ## import-linter: who may import whom
	@$(BIN)/lint-imports

.PHONY: pytest
pytest: $(READY) $(CLIENTS_READY) ## the tests, on WORKERS processes
	@$(BIN)/pytest -n $(WORKERS) --dist worksteal $(PYTEST_ARGS)

.PHONY: golden
golden: $(READY) ## rewrite the golden digests after an intended change of behaviour
	@$(BIN)/python -m tests.test_golden

.PHONY: pages
pages: $(READY) ## rewrite the documentation pages that show program output
	@$(BIN)/python -m tests.test_pages

.PHONY: soak
soak: $(READY) ## long load and endurance tests (not part of `make test`)
	@$(BIN)/pytest -m soak -s $(PYTEST_ARGS)

.PHONY: bench
bench: $(READY) ## measure this machine
	@$(BIN)/diorama bench $(BENCH_ARGS)

.PHONY: lock
lock: $(READY) ## resolve the dependencies again and pin them with hashes; UPGRADE=1 for newer versions
	@$(BIN)/python -m piptools compile --quiet $(if $(UPGRADE),--upgrade) --all-extras \
	  --build-deps-for editable --generate-hashes --allow-unsafe --strip-extras --newline lf \
	  --no-header --no-annotate --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options \
	  --output-file $(LOCK) pyproject.toml
	sed -i -e '/^#/d' -e '/^--/d' -e '/^$$/d' $(LOCK)
	echo "$(LOCK): $$(grep -c '==' $(LOCK)) packages"

.PHONY: clean
clean: ## remove what can be made again (the virtual environment, caches, built files)
	rm -rf "$(VENV)" .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist
	rm -rf $(CLIENTS)/node_modules .cache/diorama
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
