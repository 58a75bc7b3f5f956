# Every target makes .venv and installs what it needs; Python 3.11 and make are all that a machine must have.
# .venv/.small: what `make run` needs is installed. .venv/.ready: all that the other targets need, too.
PYTHON ?= python3
VENV ?= .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
SMALL := $(VENV)/.small
READY := $(VENV)/.ready
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
BENCH := $(VENV)/.bench
TESTS ?= tests
OTHER_PYTHONS ?= 3.12 3.13
CORE ?= tests/contracts tests/test_skeleton.py tests/test_imports.py tests/test_frozen.py tests/tape tests/sim/test_guard.py
STRANGERS ?= interop or browser

.PHONY: run test pythons interop soak bench lint validate wheel clean

run: $(or $(wildcard $(READY)),$(SMALL))        ## open the studio on the default scene, an office floor (no display: it prints the address)
	$(BIN)/understudy

test: $(READY)       ## the whole package's tests
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder --max-worker-restart 0 -m "not interop and not browser and not soak" $(TESTS)

pythons:             ## the tests of the core with each other Python that this machine has
	@for version in $(OTHER_PYTHONS); do \
	    found=; for python in python$$version "$$HOME"/.pyenv/versions/$$version.*/bin/python; do \
	        if [ -z "$$found" ] && "$$python" -c "" 2>/dev/null; then found="$$python"; fi; \
	    done; \
	    echo "Python $$version: $${found:-not on this machine}"; \
	    [ -z "$$found" ] || $(MAKE) --no-print-directory test VENV=.venv-$$version PYTHON="$$found" TESTS="$(CORE)" || exit 1; \
	done

interop: $(READY)    ## programs that we did not write: Chromium, gpsd, nqc, pip packages
	$(BIN)/python -m pytest -m "$(STRANGERS)"

soak: $(READY)       ## long runs: flat memory, flat speed; then the whole package's tests with every index checked
	$(BIN)/python -m pytest -m soak --timeout 0
	$(MAKE) test UNDERSTUDY_BOUNDSCHECK=1

bench: $(BENCH)      ## every benchmark; prints RESULT lines
	$(BIN)/python benchmarks/run_all.py

lint: $(READY)       ## ruff and mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

validate: $(READY)   ## every scene and robot that ships is right; the experiments of the SEAR dissertation, as plots in docs/validation
	$(BIN)/understudy check examples/*.toml examples/*/*.toml examples/*.map docs/validation/*.toml
	$(BIN)/python docs/validation.py

wheel: $(READY)
	$(BIN)/python -m build --wheel

clean:
	rm -rf .venv .venv-* build dist *.egg-info

define venv
$(PYTHON) -c "import sys; sys.exit('understudy needs Python 3.11 or newer; set PYTHON=...' if sys.version_info < (3, 11) else 0)"
$(PYTHON) -m venv $(VENV)
endef

$(SMALL): pyproject.toml setup.py requirements-run.txt
	$(venv)
	$(PIP) -e .
	$(PIP) --no-deps -r requirements-run.txt
	$(BIN)/python -c "open('$@', 'w').close()"

$(READY): pyproject.toml setup.py
	$(venv)
	$(PIP) -e ".[all,dev]"
	$(BIN)/python -c "open('$@', 'w').close()"

$(BENCH): $(READY)
	$(PIP) -e ".[bench]"
	$(BIN)/python -c "open('$@', 'w').close()"

DOCS := $(VENV)/.docs
.PHONY: docs
docs: $(DOCS)        ## the documentation site, in site/: open site/index.html; fails if a link leads nowhere
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

$(DOCS): $(READY)
	$(PIP) -e ".[docs]"
	$(BIN)/python -c "open('$@', 'w').close()"
