# Two commands are enough: `make demo` and `make test`. `make PYTHON=python3.12 ...` takes another
# interpreter; everything is installed into .venv, nothing outside this folder is touched.

PYTHON ?= python3
DEMO ?= order_report
SOAK ?=
FIGURES ?=
TIERS ?= fast
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest -q -n 2 --dist worksteal --junitxml=results/tests.xml

.DEFAULT_GOAL := help
.PHONY: help demo test test-all requirements check lint types layers packaging docs bench soak figures noise clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: .venv/run.stamp  ## evolve a shipped problem, print the proven gain and where it lies
	@echo "Evolving $(DEMO): one to two minutes, longer on a busy machine ..."
	@$(BIN)/se-agent run $(DEMO) --set workers=2 --set lag=2 --set budget.evaluations=6 --set budget.wall_seconds=400 --set measure.fast_seconds=0.01 --set measure.slow_seconds=0.12

test: .venv/dev.stamp  ## the fast tier of the tests; TIERS="fast hunts" takes others (tests/tiers.py)
	@$(PYTEST) $(addprefix --tier=,$(TIERS))

test-all: .venv/dev.stamp  ## all tests
	@$(PYTEST)

requirements: .venv/dev.stamp  ## rows of the memory systems that passing tests show, by seed
	@$(PYTEST) -p tests.rows -m row

check: lint types layers packaging  ## style, types, layers, and the package that we would ship

lint: .venv/dev.stamp
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: .venv/dev.stamp
	@$(BIN)/mypy

layers: .venv/dev.stamp
	@$(BIN)/lint-imports

packaging: .venv/dev.stamp
	@$(BIN)/python -m pytest -q -m packaging tests/packaging

docs: .venv/docs.stamp  ## the documentation as a site, results/site/index.html; needs no network
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build
	@echo "Look at it: python3 -m http.server -b 127.0.0.1 -d results/site 8000"

bench: .venv/dev.stamp  ## what the sandbox and the engine cost, on this machine
	@$(BIN)/python -m experiments.bench

soak: .venv/dev.stamp  ## half an hour of honest and hostile programs: does anything stay behind?
	@$(BIN)/python -m experiments.soak $(SOAK)

figures: .venv/dev.stamp  ## the long experiments; may be stopped and started again
	@$(BIN)/python -m experiments.figures $(FIGURES)

noise: .venv/dev.stamp  ## error rates of the rule on this machine, for hours; may be stopped; needs valgrind
	@command -v valgrind >/dev/null || { \
	  echo "error: there is no valgrind here: true sizes of edits cannot be counted"; \
	  echo "hint:  apt-get install valgrind   (as root)"; \
	  exit 2; } >&2
	@$(BIN)/python -m experiments.noise

clean:  ## remove .venv and caches; results stay
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is written last, so that an installation that was cut short is made again.
.venv/run.stamp: pyproject.toml .venv/made.stamp
	@echo "Installing se-agent into .venv: about a minute, in which pip says nothing ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[score,tokens,tests]'
	@touch $@

.venv/dev.stamp: pyproject.toml .venv/made.stamp
	@echo "Installing se-agent and its development tools into .venv: a minute or two, in which pip says nothing ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[score,tokens,tests,dev]'
	@touch $@ .venv/run.stamp

.venv/docs.stamp: .venv/dev.stamp
	@echo "Installing what makes the site into .venv ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[docs]'
	@touch $@

.venv/made.stamp:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "error: there is no $(PYTHON) here"; \
	  echo "hint:  apt-get install python3 python3-venv   (as root; PYTHON= chooses another)"; \
	  exit 2; } >&2
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "error: $(PYTHON) is older than 3.11"; \
	  echo "hint:  apt-get install python3.11 python3.11-venv   (as root), then add PYTHON=python3.11"; \
	  exit 2; } >&2
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "error: $(PYTHON) cannot make virtual environments: venv or ensurepip is missing"; \
	  echo "hint:  apt-get install $(notdir $(PYTHON))-venv   (as root; PYTHON= chooses another)"; \
	  exit 2; } >&2
	@echo "Making .venv: some ten seconds ..."
	@$(PYTHON) -m venv .venv
	@touch $@
