# Everything runs from .venv; each target installs what it needs there. `make` alone lists the targets.
PYTHON ?= python3
VENV := .venv
# On Windows make and its commands are those of Git Bash or MSYS2.
BINARIES := $(if $(filter Windows_NT,$(OS)),Scripts,bin)
BIN := $(VENV)/$(BINARIES)
LOWEST := .venv-lowest
LINTERS := codegen/contract/linters
OTHER_TOOLS := codegen/contract/other_tools
AXE := docs/axe
INTERPRETERS := 3.11 3.12 3.13 3.14
BENCH := .bench
# Use the node of the environment, not one of the machine.
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --loglevel=error
# Options for the vendor's word, the credential prefix and the Overlays, which are separated by spaces in OVERLAY.
OVERLAYS = $(if $(OVERLAY),--overlay $(OVERLAY))
VENDOR = $(if $(WORD),--word '$(WORD)') $(if $(CREDENTIAL_PREFIX),--credential-prefix '$(CREDENTIAL_PREFIX)')
# All tests run in one worker more than there are cores, because many wait for a process or a socket. A single test,
# `.venv/bin/pytest -k ...`, is faster without workers.
PARALLEL = --numprocesses=$(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)') --dist=worksteal
# Tests of the project and its tools. The tests of the SDK itself need only the dependency group `test`.
PROJECT_TESTS := tests/codegen tests/docs tests/repository tests/upstream
# Tests that need tools which `make test-lowest` and `make test-python` do not install.
TOOL_TESTS := $(PROJECT_TESTS) examples/test_service.py examples/test_warehouse.py \
  $(addprefix packages/observe/tests/observe_tests/,test_lists.py test_other_contract.py test_overlay.py test_paths.py)
PIP := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check
# pip refuses a file without a hash in hashes.txt. It builds nothing, because build tools have no hash there.
PINNED := --require-hashes --only-binary :all: --constraint constraints.txt --constraint hashes.txt
PACKAGES := sandbox jobs cli observe
# A directory has no hash. It is installed after what it requires, and built with the hatchling that is installed.
PROJECTS := pyproject.toml $(PACKAGES:%=packages/%/pyproject.toml)
INSTALL := install --no-deps --no-build-isolation
EDITABLE := $(INSTALL) --editable . $(PACKAGES:%=--editable packages/%)

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-lowest test-python generate generate-check adopt lint format types contract other-tools docs docs-browser docs-build docs-serve conformance vendor vendor-check word-check frozen sizes check check-release sandbox bench bench-quick soak build clean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/dev ## Install the SDK, its extras and the development tools

demo: $(VENV)/run ## Run the demo of the SDK against the sandbox
	@$(BIN)/python examples/demo.py

# `make test PACKAGE=sdk` runs those of the SDK itself, PACKAGE=project those of the repository and its tools.
TESTS_sdk := tests $(PROJECT_TESTS:%=--ignore=%)
TESTS_project := $(PROJECT_TESTS)
test: $(VENV)/dev ## Run the tests, or those of PACKAGE=sdk|sandbox|jobs|cli|observe|project
	$(BIN)/python -m pytest $(PARALLEL) $(if $(PACKAGE),$(or $(TESTS_$(PACKAGE)),packages/$(PACKAGE)))

test-lowest: $(LOWEST)/test ## Run the tests with the oldest libraries that the packages allow
	$(LOWEST)/$(BINARIES)/python -m pytest $(PARALLEL) $(TOOL_TESTS:%=--ignore=%)

# Each interpreter has an environment of its own, such as .venv-3.13.
test-python: $(VENV)/dev ## Run the tests of the SDK on another interpreter, PYTHON=python3.13
	@$(BIN)/python -m codegen.distributions --extras > $(VENV)/requirements.txt
	@environment=.venv-$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
	  python=$$environment/$(BINARIES)/python; \
	  { test -x $$python || $(PYTHON) -m venv $$environment; } && \
	  $(PIP) --python $$python install $(PINNED) --requirement $(VENV)/requirements.txt --group test && \
	  $(PIP) --python $$python $(EDITABLE) && \
	  $$python -m pytest $(PARALLEL) $(TESTS_sdk)

# With WORD or OVERLAY the result is a separate project in build/, so that this one stays neutral.
generate: $(VENV)/dev ## Generate generated/ from openapi.yaml; with [WORD=acme CREDENTIAL_PREFIX=acme_ OVERLAY=a.yaml] a private build
	$(BIN)/python -m codegen.$(if $(WORD)$(CREDENTIAL_PREFIX)$(OVERLAY),vendoring.private_build $(VENDOR) $(OVERLAYS),render.generate)

generate-check: $(VENV)/dev ## Check that generated/ is up to date with openapi.yaml
	$(BIN)/python -m codegen.render.generate --check

adopt: $(VENV)/dev ## Make an Overlay of a deployment's own DOCUMENT=openapi.json [WORD=acme CREDENTIAL_PREFIX=acme_ INTO=acme.overlay.json]
	@test -n '$(DOCUMENT)' || { echo 'DOCUMENT is missing: make adopt DOCUMENT=acme-openapi.json'; exit 2; }
	@$(BIN)/python -m codegen.adopt '$(DOCUMENT)' $(VENDOR) $(if $(INTO),--into '$(INTO)')

vendor: $(VENV)/dev ## Copy the runtime packages into DEST=../service/src/service/_vendor [WORD= CREDENTIAL_PREFIX= OVERLAY= SANDBOX=1 FORCE=1]
	@test -n '$(DEST)' || { echo 'DEST is missing: make $@ DEST=../service/src/service/_vendor'; exit 2; }
	$(BIN)/python -m codegen.vendoring.vendor '$(DEST)' $(VENDOR) $(if $(filter 0,$(OVERLAY)),--no-overlay,$(OVERLAYS)) $(if $(SANDBOX),$(if $(filter 0,$(SANDBOX)),--no-sandbox,--sandbox)) $(if $(FORCE),--force)

vendor-check: $(VENV)/dev ## Check that the copy in DEST= was not edited and is up to date
	@test -n '$(DEST)' || { echo 'DEST is missing: make $@ DEST=../service/src/service/_vendor'; exit 2; }
	$(BIN)/python -m codegen.vendoring.vendor '$(DEST)' --check

word-check: $(VENV)/dev ## Run all tests under another vendor's word (about three minutes)
	$(BIN)/python -m tests.codegen.under_another_word $(PARALLEL)

frozen: $(VENV)/dev ## Build a program with PyInstaller, with the packages installed and vendored, and run it
	$(BIN)/python -m tests.codegen.frozen

lint: $(VENV)/dev ## Check style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/dev ## Fix style and formatting where it can be done automatically
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/dev ## Check types with mypy and pyright, both strict, also in the samples of the documents
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/python -m docs.blocks

contract: $(VENV)/dev $(LINTERS)/node_modules ## Check openapi.yaml against the project's conventions, and with three general linters
	@$(BIN)/python -m codegen.contract.lint
	$(BIN)/openapi-spec-validator openapi.yaml
	$(NPM) exec --prefix $(LINTERS) -- redocly lint --config $(LINTERS)/redocly.yaml openapi.yaml
	$(NPM) exec --prefix $(LINTERS) -- spectral lint --fail-severity=hint --ruleset $(LINTERS)/spectral.yaml openapi.yaml

# Elsewhere the tests that need these tools are skipped.
other-tools: $(VENV)/dev $(OTHER_TOOLS)/node_modules $(VENV)/openapi-generator ## Check that tools of other projects accept openapi.yaml: generators, validators and a mock server
	$(BIN)/python -m pytest tests/codegen/contract/test_other_tools.py tests/codegen/overlay_document/test_strangers.py

docs: docs-build ## Check that the documents are up to date
	$(BIN)/python docs/check.py

docs-browser: docs-build $(AXE)/node_modules ## Check the documentation site in a browser
	DOCS_SITE=build/documentation/site $(BIN)/python -m pytest tests/docs/site

docs-build: $(VENV)/dev ## Build the documentation site into build/documentation/site
	$(BIN)/python -m docs.site

docs-serve: $(VENV)/dev ## Build the documentation site and serve it
	$(BIN)/python -m docs.site --serve

conformance: $(VENV)/dev ## Check the responses of the sandbox against the contract with schemathesis
	PYTHONPATH=packages/sandbox/tests:. $(BIN)/python -m sandbox_tests.conformance

LOWER ?=
sizes: $(VENV)/dev ## Compare the tokens of the code with their ceilings; LOWER=1 lowers the ceilings to 10 % above the present sizes
	@$(BIN)/python -m codegen.sizes $(if $(LOWER),--lower)

check: lint types generate-check contract docs sizes ## Run the checks that each change must pass, besides the tests

check-release: $(VENV)/dev ## Run the further checks of a release: old versions, other interpreters, other tools (half an hour)
	@$(MAKE) --keep-going test-lowest word-check other-tools frozen conformance docs-browser $(INTERPRETERS:%=test-python-%)

# pyenv puts commands on the PATH that run only the version that is switched on.
test-python-%: $(VENV)/dev
	@export PYENV_VERSION=$*; python$* -c 'import venv' 2>/dev/null || { echo "Python $* is not on this machine"; exit 0; }; \
	  $(MAKE) test-python PYTHON=python$*

sandbox: $(VENV)/run ## Serve the sandbox until Ctrl-C, with 300 sessions in it
	@$(BIN)/python -m agent_session_platform_sandbox --sessions 300

bench: $(BENCH)/ready ## Run the benchmarks: the SDK beside other clients, rate limits, large bodies (about ten minutes)
	$(BIN)/python -m benchmarks.compare $(BENCH)
	$(BIN)/python -m benchmarks.limits
	$(BIN)/python -m benchmarks.bodies

bench-quick: $(BENCH)/ready ## Compare the SDK with other clients once (about a minute)
	$(BIN)/python -m benchmarks.compare $(BENCH) --quick

SECONDS ?= 60
soak: $(VENV)/dev ## Run a client under failures, mutated responses and cancellations for SECONDS=60 on each transport, and check for leaks
	$(BIN)/python -m benchmarks.soak $(SECONDS) httpx
	$(BIN)/python -m benchmarks.soak $(SECONDS) httpx2
	$(BIN)/python -m benchmarks.soak $(SECONDS) aiohttp

.PHONY: changes pins release
changes: $(VENV)/dev ## Report the changes of the contract since BASE=<git revision>, or by OVERLAY=a.yaml [WORD=acme]; fail if one breaks callers and EXPECTED=1 is not given
	$(BIN)/python -m codegen.changes $(BASE) $(OVERLAYS) $(VENDOR) $(if $(EXPECTED),--expected)

# It does not need $(VENV)/dev, which cannot be installed while a hash is missing.
pins: | $(BIN)/python ## Renew hashes.txt, after a change of constraints.txt or of the lowest versions in pyproject.toml
	@$(BIN)/python -m codegen.release.pins

release: $(VENV)/dev ## Check, commit, tag and build the release VERSION=1.2.3, without a push; DRY_RUN=1 only checks
	$(BIN)/python -m codegen.release.prepare "$(VERSION)" $(if $(DRY_RUN),--dry-run)

build: $(VENV)/dev ## Build the sdist and the five wheels into dist/
	$(BIN)/python -m codegen.release.distribution

clean: ## Remove .venv and everything built
	rm -rf $(VENV) .venv-* $(BENCH) $(LINTERS)/node_modules $(OTHER_TOOLS)/node_modules $(AXE)/node_modules build dist .mypy_cache .pytest_cache .ruff_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11"; exit 1; }
	@echo "Making $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)

# The pip that comes with Python may be too old to read hashes from constraints. So the pinned pip is a requirement with
# a hash.
$(VENV)/pip: $(BIN)/python constraints.txt hashes.txt
	@{ sed -n 's/^pip==.*/& \\/p' constraints.txt; sed -n '/^pip \\/,/[^\\]$$/{/^ /p;}' hashes.txt; } > $(VENV)/pip.txt
	@$(PIP) install --require-hashes --requirement $(VENV)/pip.txt
	@touch $@

# The dependencies for running; $(VENV)/dev has those for development. Each is installed again when its list changes.
$(VENV)/run: $(VENV)/pip $(PROJECTS) constraints.txt hashes.txt
	@echo "Installing the SDK into $(VENV) ..."
	@$(BIN)/python -m codegen.distributions . packages/sandbox > $(VENV)/requirements.txt
	@$(PIP) install $(PINNED) --requirement $(VENV)/requirements.txt
	@$(PIP) $(INSTALL) --editable . --editable packages/sandbox
	@touch $@

# The environment is made anew, because an old one may have other versions. A release that is older than the interpreter
# may have no wheel for it; then its sdist is built, by build tools whose hashes are not checked.
$(LOWEST)/test: $(VENV)/dev $(PROJECTS) constraints.txt hashes.txt
	@echo "Installing the oldest versions into $(LOWEST) ..."
	@$(PYTHON) -m venv --clear $(LOWEST)
	@$(BIN)/python -m codegen.release.pins --lowest > $(LOWEST)/constraints.txt
	@$(BIN)/python -m codegen.distributions --extras > $(LOWEST)/requirements.txt
	@$(PIP) --python $(LOWEST)/$(BINARIES)/python install --require-hashes --constraint $(LOWEST)/constraints.txt \
	  --constraint hashes.txt --requirement $(LOWEST)/requirements.txt --group test
	@$(PIP) --python $(LOWEST)/$(BINARIES)/python $(EDITABLE)
	@touch $@

$(LINTERS)/node_modules $(OTHER_TOOLS)/node_modules $(AXE)/node_modules: %/node_modules: $(VENV)/dev %/package-lock.json
	@echo "Installing the npm packages of $* ..."
	@$(NPM) ci --prefix $* --silent
	@touch $@

# It has a folder of its own, because it brings a Java that nothing else in the environment needs.
$(VENV)/openapi-generator: $(VENV)/dev
	@echo "Installing openapi-generator into $@ ..."
	@rm -rf $@
	@$(PIP) install $(PINNED) --target $@ --group openapi-generator
	@touch $@

# The other clients are in a separate environment, where the SDK has no extra.
$(BENCH)/ready: $(VENV)/dev benchmarks/environment.py
	@echo "Installing the other clients into $(BENCH) ..."
	@$(BIN)/python -m benchmarks.environment $(BENCH)
	@touch $@

$(VENV)/dev: $(VENV)/pip $(PROJECTS) constraints.txt hashes.txt
	@echo "Installing the development tools into $(VENV) ..."
	@$(BIN)/python -m codegen.distributions --extras > $(VENV)/requirements.txt
	@$(PIP) install $(PINNED) --requirement $(VENV)/requirements.txt --group dev
	@$(PIP) $(EDITABLE)
	@touch $@
	@touch $(VENV)/run
