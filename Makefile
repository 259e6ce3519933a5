# tablectl: everything that is built, checked and shown here is a target of this file.
# `make demo` and `make test` need Debian's python3 (3.11 or newer), pip and make; they set up the rest.

PYTHON  ?= python3
VENV    := .venv
BIN     := $(VENV)/bin
LOCKS   := .locks
# What the browser tests need: Debian's Chromium, the display's typeface (a wider one does not fit its boxes), and
# a library that Playwright's driver loads.
BROWSER_DEBS := chromium fonts-dejavu-core fonts-dejavu-extra libatomic1
CHROME  := $(and $(wildcard /usr/bin/chromium),$(wildcard /usr/lib/*/libatomic.so.1),\
	$(wildcard /usr/share/fonts/truetype/dejavu/DejaVuSansCondensed.ttf))
# What judges the services; for the trials of an installation besides (make test-long): fresh systems.
UNIT_DEBS := systemd
TRIAL_DEBS := debootstrap dpkg-dev
ROOT    := $(filter 0,$(shell id -u))
# What the emulated Raspberry Pi needs: QEMU, and what its card is made with.
PI_DEBS := qemu-system-arm device-tree-compiler cpio kmod e2fsprogs python3-venv
QEMU    := $(and $(wildcard /usr/bin/qemu-system-aarch64),$(wildcard /usr/bin/fdtput),$(wildcard /usr/bin/cpio),\
	$(wildcard /usr/sbin/modprobe /sbin/modprobe),$(wildcard /usr/sbin/mke2fs /sbin/mke2fs))

# BROWSER=0 leaves the browser tests out; otherwise they run wherever there is a Chromium.
BROWSER ?= 1
# PI=0 leaves the emulated Raspberry Pi out.
PI      ?= 1
# HEADLESS=1 lets `make demo` print its table of results instead of showing the display.
HEADLESS ?= 0
# Clean hands of `make accuracy` at four boards; a few make a quick trial. `make limits` has a number of its own.
HANDS ?= 10000
# Rulebooks that `make mutate` takes; all of them by default.
BOOKS ?=

# What a table under the felt needs besides: pins, a PN532, flashing its boards. `make lock` puts it into table.txt.
TABLE_EXTRAS := pi nfc firmware

# Where the tests keep pictures of every state of the display.
SHOTS ?= dist/screenshots

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-long lint mutate messages format lock bench accuracy limits firmware screenshots clean browser units trials pi \
	install uninstall deb

help: ## what can be made here
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.run ## a simulated table with a dealer who errs, on the display (HEADLESS=1: a table of results)
	@$(BIN)/tablectl demo $(if $(filter-out 0,$(HEADLESS)),--headless)

test: lint browser units pi ## every check: style, types, directions, tests
	@$(tests) "not long and not pi$(left_out)"
	@$(if $(pi_tests),$(on_pi) "pi and not long")

test-long: $(VENV)/.dev browser units trials pi ## the emulated Pi, then the campaigns that take minutes to hours
	@$(if $(pi_tests),$(on_pi) pi)
	@$(tests) "long and not pi$(left_out)"

lint: $(VENV)/.dev ## ruff, mypy, import-linter
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

mutate: $(VENV)/.dev ## flips every verdict, condition and step of the rulebooks; each must fail a test (BOOKS="nl pl")
	@PYTHONPATH=tests/core:tests/rules $(BIN)/python tests/rules/mutate.py $(BOOKS)

messages: $(VENV)/.dev ## bring new texts into the catalogues of all languages; names what is not translated
	@$(BIN)/python tests/locale/catalogues.py

format: $(VENV)/.dev ## put the code in its one form
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

bench: $(VENV)/.dev ## the figures: latency, throughput, start-up, memory
	@$(BIN)/python tests/bench/figures.py

accuracy: $(VENV)/.dev ## the big campaign, hours; goes on where it was interrupted; fills README's table (HANDS=10000)
	@$(BIN)/python -m tablectl.bench.big --hands $(HANDS) --folder .accuracy --readme README.md

limits: HANDS := 300
limits: $(VENV)/.dev ## which physical effect holds the figures back, hours; goes on, fills README's table (HANDS=300)
	@$(BIN)/tablectl bench limits --noise heavy --hands $(HANDS) --seed 9202 --folder .accuracy --readme README.md

firmware: $(VENV)/.run ## what a reader board needs, with SHA-256 sums, into dist/firmware
	@$(BIN)/tablectl firmware build dist/firmware

screenshots: $(VENV)/.dev browser ## README's pictures of a simulated table, and every state of the display in every language
	@$(BIN)/python tests/shell/display/pictures.py .github
	@$(tests) shots
	@echo "README: .github; every state: $(SHOTS)"

install: ## onto this machine, as root: /opt/tablectl, services, udev rules; starts nothing (DESTDIR=… into a folder)
	@DESTDIR='$(DESTDIR)' PYTHON='$(PYTHON)' sh systemd/install.sh install

uninstall: ## away again, as root; configuration, journal and backups stay (PURGE=1: not even they)
	@DESTDIR='$(DESTDIR)' PURGE='$(PURGE)' sh systemd/install.sh uninstall

deb: ## dist/tablectl_VERSION_ARCH.deb with all it needs, for Debian and Raspberry Pi OS (ARCH=arm64, amd64)
	@ARCH='$(ARCH)' PYTHON='$(PYTHON)' sh systemd/deb/build.sh

clean: ## remove what was made here, the environment included
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .benchmarks .import_linter_cache dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ---- tests -------------------------------------------------------------------------------------------------

browser_tests = $(and $(filter-out 0,$(BROWSER)),$(or $(CHROME),$(ROOT)))
# Side by side, a file at a time: JOBS=0 is one after the other.
JOBS ?= auto
left_out = $(if $(browser_tests),, and not browser)$(if $(unit_tests),, and not systemd)$(if $(ROOT),, and not trial)
unit_tests = $(or $(shell command -v systemd-analyze),$(ROOT))
tests = TABLECTL_SHOTS=$(SHOTS) $(BIN)/python -m pytest -n $(JOBS) --dist loadfile -m

# Nothing runs beside the emulated Pi: it needs every core.
pi_tests = $(and $(filter-out 0,$(PI)),$(ROOT))
on_pi = $(BIN)/python -m pytest tests/pi -m

browser: $(VENV)/.dev
ifeq ($(filter-out 0,$(BROWSER)),)
	@echo "browser tests left out: BROWSER=0"
else ifneq ($(CHROME),)
	@:
else ifeq ($(ROOT),)
	@echo "browser tests left out: as root: apt-get install $(BROWSER_DEBS)"
else
	@echo "installing Chromium for the browser tests ($(VENV)/chromium.log) …"
	@{ apt-get update && DEBIAN_FRONTEND=noninteractive \
	   apt-get install -y --no-install-recommends $(BROWSER_DEBS); } >$(VENV)/chromium.log 2>&1 \
	   || { tail -n 5 $(VENV)/chromium.log; \
	        echo "Chromium could not be installed; 'make test BROWSER=0' leaves the browser tests out"; exit 1; }
endif

units:
ifneq ($(shell command -v systemd-analyze),)
	@:
else ifeq ($(ROOT),)
	@echo "tests of the services left out: as root: apt-get install $(UNIT_DEBS)"
else
	@$(call apt,$(UNIT_DEBS))
endif

trials:
ifeq ($(ROOT),)
	@echo "trials of an installation left out: they need root"
else ifeq ($(shell command -v debootstrap),)
	@$(call apt,$(TRIAL_DEBS))
endif

pi:
ifeq ($(filter-out 0,$(PI)),)
	@echo "the emulated Pi is left out: PI=0"
else ifeq ($(ROOT),)
	@echo "the emulated Pi is left out: it needs root, and $(PI_DEBS)"
else ifeq ($(QEMU),)
	@echo "installing QEMU for the emulated Pi …"
	@$(call apt,$(PI_DEBS)) || { echo "QEMU could not be installed; 'make test PI=0' leaves the emulated Pi out"; exit 1; }
endif

apt = { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $(1); } >/dev/null

# ---- the environment ---------------------------------------------------------------------------------------
# Stamps under .venv say what is installed. Everything comes from a lock file and is checked by its hash.

$(VENV)/.run: $(LOCKS)/run.txt pyproject.toml | $(VENV)/.made
	@$(install) $(LOCKS)/run.txt
	@touch $@

$(VENV)/.dev: $(LOCKS)/dev.txt pyproject.toml | $(VENV)/.made
	@$(install) $(LOCKS)/dev.txt
	@touch $@ $(VENV)/.run

# Debian's python3 comes without ensurepip, so the environment is made without pip and filled from outside.
define install
echo "installing what tablectl needs …"; \
pip() { if [ -x $(BIN)/pip ]; then $(BIN)/python -m pip "$$@"; else $(PYTHON) -m pip --python $(BIN)/python "$$@"; fi; }; \
install() { \
	pip install -qq --disable-pip-version-check --require-hashes -r "$$1" && \
	pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .; \
}; install
endef

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "tablectl needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>/dev/null || echo missing)."; \
		echo "Name another one: make PYTHON=/usr/bin/python3.11 …"; exit 1; }
	@$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 || { \
		$(PYTHON) -m pip --version >/dev/null 2>&1 || { \
			echo "tablectl needs pip for '$(PYTHON)'; on Debian: apt-get install python3-pip"; exit 1; }; \
		rm -rf $(VENV) && $(PYTHON) -m venv --without-pip $(VENV); }
	@touch $@

# ---- lock files --------------------------------------------------------------------------------------------

compile = $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes \
	--quiet --custom-compile-command "make lock"
build   = --group pyproject.toml:build

lock: $(VENV)/.dev ## resolve the dependencies anew
	@$(BIN)/python -m pip install --quiet uv
	@mkdir -p $(LOCKS)
	@$(compile) pyproject.toml $(build) --output-file $(LOCKS)/run.txt --upgrade
	@$(compile) pyproject.toml $(build) --extra dev --constraint $(LOCKS)/run.txt --output-file $(LOCKS)/dev.txt --upgrade
	@$(compile) pyproject.toml $(addprefix --extra ,$(TABLE_EXTRAS)) --constraint $(LOCKS)/dev.txt \
		--output-file $(LOCKS)/table.txt --upgrade
	@$(compile) $(build) --constraint $(LOCKS)/run.txt --output-file $(LOCKS)/build.txt --upgrade
