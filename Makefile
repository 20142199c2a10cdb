# make run and make test set everything up: they need Python 3.11 or later, g++ and make.
# `make help` lists the targets.

PYTHON ?= $(shell python3.11 --version >/dev/null 2>&1 && echo python3.11 || echo python3)
JOBS ?= $(shell nproc)
TIREWORLD := domains/triangle-tireworld

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
TOOLS := scikit-build-core pybind11 cmake ninja unearth

# In CI warnings are errors, and the C++ tests run under sanitizers.
WERROR := $(if $(filter true 1,$(CI)),ON,OFF)
SANITIZE ?= $(WERROR)
CMAKE_FLAGS := -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	-DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python -DASNETS_WERROR=$(WERROR)

# What the extension is made of. The folders are listed because a removed file touches them.
SOURCES := CMakeLists.txt $(shell find cpp src -type d -o -name '*.h' -o -name '*.cc')
CPP_FILES = $(shell find cpp src tests/cpp downward_patch/torchscript -name '*.h' -o -name '*.cc')

.PHONY: help run test test-cpp test-python test-slow lint format sanitize bench build checks downward clean

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 20

run: build downward  ## train a policy on three small problems; compare one that ships with LAMA
	$(BIN)/asnets train $(TIREWORLD)/domain.pddl $(TIREWORLD)/p0[123].pddl \
		-o build/tireworld.pt --stop-after 2 --restart
	$(BIN)/asnets info build/tireworld.pt
	$(BIN)/python docs/examples/rollouts.py build/tireworld.pt triangle-tireworld 4 6 8 10
	$(BIN)/asnets models
	$(BIN)/python docs/examples/compare.py blocksworld 50 1

test: lint test-cpp test-python  ## lint, C++ tests, Python tests

test-python: checks downward
	$(BIN)/python -m pytest -n $(JOBS)

test-slow: checks downward  ## the Python tests that take long
	$(BIN)/python -m pytest -m slow

test-cpp: .venv/tools
	$(BIN)/cmake -S . -B build/tests-$(SANITIZE) $(CMAKE_FLAGS) -DCMAKE_BUILD_TYPE=Debug \
		-DASNETS_TESTS=ON -DASNETS_SANITIZE=$(SANITIZE)
	$(BIN)/cmake --build build/tests-$(SANITIZE)
	$(BIN)/ctest --test-dir build/tests-$(SANITIZE) --output-on-failure

sanitize:  ## the C++ tests under AddressSanitizer and UBSan
	$(MAKE) test-cpp SANITIZE=ON

lint: checks  ## ruff, mypy, clang-format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(CPP_FILES)

format: checks  ## rewrite the sources as lint wants them
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CPP_FILES)

bench: checks downward  ## print times next to Fast Downward's, a published SSP solver's and a plain PyTorch loop's
	$(BIN)/python -m benchmarks

downward: build  ## build Fast Downward 20.06 with the policy plugin, a matter of minutes
	$(BIN)/asnets build-downward --torchscript

build: .venv/built  ## set up .venv and compile, only where something changed

checks: .venv/checks  ## the same, with what tests, lint and benchmarks need

clean:  ## remove .venv, build and caches
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment and the tools that build and check, without the package itself.
.venv/tools: constraints.txt pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) install -c constraints.txt $(TOOLS)
	@touch $@

# An editable install that keeps its build folder, so that only changed files are compiled.
INSTALL := $(PIP) install -c constraints.txt --no-build-isolation \
	-C build-dir=build/python -C cmake.define.ASNETS_WERROR=$(WERROR)
.venv/built: .venv/tools $(SOURCES)
	$(INSTALL) --editable '.[train]'
	@touch $@

# It has no say in what is compiled: only other versions make it old.
.venv/checks: constraints.txt pyproject.toml | .venv/built
	$(INSTALL) --editable '.[train,explain,test,dev,tensorboard]'
	@touch $@
