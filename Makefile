# tablectl: everything that is built, checked and shown here is a target of this file.
# `make demo` and `make test` need Debian's python3 (3.11 or newer), pip and make; they set up the rest.

PYTHON  ?= python3
VENV    := .venv
BIN     := $(VENV)/bin
LOCKS   := .locks
ROOT    := $(filter 0,$(shell id -u))

# BROWSER=0 leaves the browser tests out; otherwise they run wherever they can. PI=1 lets `make test` end with a short run
# on the emulated Raspberry Pi: some four minutes more.
BROWSER ?= 1
PI      ?= 0
# HEADLESS=1 lets `make demo` print its table of results instead of showing the display.
HEADLESS ?= 0
# Clean hands of `make accuracy` at four boards; a few make a quick trial. `make limits` has a number of its own.
HANDS ?= 10000
# `make soak`: hours at the table.
HOURS   ?= 24
SEED    ?= 1
# Rulebooks that `make mutate` takes; all of them by default.
BOOKS ?=

# What a table under the felt needs besides: pins, a PN532, flashing its boards. `make lock` puts it into table.txt.
TABLE_EXTRAS := pi nfc firmware

# Where the tests keep pictures of every state of the display.
SHOTS ?= dist/screenshots

# Parts of the tests that rest on packages of Debian; each a target of its own, see below.
PARTS := browser draws units trials pi

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-long lint audit mutate messages format lock bench accuracy limits soak firmware hardware screenshots \
	install uninstall deb clean $(PARTS)

help: ## what can be made here
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.run ## a simulated table with a dealer who errs, on the display (HEADLESS=1: a table of results)
	@$(BIN)/tablectl demo $(if $(filter-out 0,$(HEADLESS)),--headless)

test: lint browser draws units $(if $(filter 1,$(PI)),pi) ## every check: style, types, directions, tests
	@$(tests) "not long and not pi$(left_out)"
	@$(if $(filter 1,$(PI)),$(if $(call can,pi),$(on_pi) "pi and not long"))

test-long: browser draws units trials pi ## the emulated Pi, then the campaigns that take minutes to hours
	@$(if $(call can,pi),$(on_pi) pi)
	@$(tests) "long and not pi$(left_out)"

lint: $(VENV)/.dev ## ruff, mypy, import-linter
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

audit: $(VENV)/.audit ## known weaknesses of every locked package; asks a service on the network, and fails without one
	@$(BIN)/python tests/locks/known.py $(LOCKS)/*.txt

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

soak: $(VENV)/.run ## a day and a night at one table, faults included, in about an hour (HOURS=24, SEED=1)
	@$(BIN)/tablectl bench soak --hours $(HOURS) --seed $(SEED)

firmware: $(VENV)/.run ## what a reader board needs, with SHA-256 sums, into dist/firmware
	@$(BIN)/tablectl firmware build dist/firmware

hardware: draws ## schematics, netlists, bills of materials, antennas, drawings, enclosures, into dist/hardware
	@$(BIN)/python -m hardware.build dist/hardware

screenshots: browser ## README's pictures of a simulated table, and every state of the display in every language
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

# What each of PARTS needs of Debian, and the files that show that it is there. Root gets it installed; anybody else is
# told what was left out.

# Debian's Chromium, the display's typeface (a wider one does not fit its boxes), a library that Playwright's driver loads.
browser_DEBS := chromium fonts-dejavu-core fonts-dejavu-extra libatomic1
browser_FILES := /usr/bin/chromium /usr/lib/*/libatomic.so.1 /usr/share/fonts/truetype/dejavu/DejaVuSansCondensed.ttf
browser_IS := the display in a browser
browser_MARKS := browser
browser_OFF := $(filter 0,$(BROWSER))
# What simulates the antennas and draws the enclosures.
draws_DEBS := ngspice openscad xvfb xauth
draws_FILES := /usr/bin/ngspice /usr/bin/openscad /usr/bin/xvfb-run /usr/bin/xauth
draws_IS := simulated antennas and drawn enclosures
draws_MARKS := ngspice openscad
# What judges the services.
units_DEBS := systemd
units_FILES := /usr/bin/systemd-analyze
units_IS := the services by systemd-analyze
units_MARKS := systemd
# Fresh systems to install the product on.
trials_DEBS := debootstrap dpkg-dev
trials_FILES := /usr/sbin/debootstrap /usr/bin/dpkg-architecture
trials_IS := trials of an installation
trials_MARKS := trial
trials_OFF := $(if $(ROOT),,no root)
# QEMU, and what the card of the emulated Raspberry Pi is made with.
pi_DEBS := qemu-system-arm device-tree-compiler cpio kmod e2fsprogs python3-venv
pi_FILES := /usr/bin/qemu-system-aarch64 /usr/bin/fdtput /usr/bin/cpio /sbin/modprobe /sbin/mke2fs
pi_IS := the emulated Raspberry Pi
pi_OFF := $(if $(ROOT),,no root)

lacks = $(strip $(foreach each,$($(1)_FILES),$(if $(wildcard $(each)),,$(each))))
can = $(if $($(1)_OFF),,$(if $(call lacks,$(1)),$(ROOT),yes))
left_out = $(foreach part,$(PARTS),$(if $(call can,$(part)),,$(foreach mark,$($(part)_MARKS), and not $(mark))))

# Side by side, a file at a time: JOBS=0 is one after the other.
JOBS ?= auto
tests = TABLECTL_SHOTS=$(SHOTS) $(BIN)/python -m pytest -n $(JOBS) --dist loadfile -m
# Nothing runs beside the emulated Pi: it needs every core.
on_pi = $(BIN)/python -m pytest tests/pi -m

$(PARTS): $(VENV)/.dev
	@$(if $(call can,$@),$(if $(call lacks,$@),$(install_debs),:),echo "left out: $($@_IS) (as root: apt-get install $($@_DEBS))")

define install_debs
echo "installing what the tests need for $($@_IS) ($(VENV)/$@.log) …"; \
{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $($@_DEBS); } \
	>$(VENV)/$@.log 2>&1 || { tail -n 5 $(VENV)/$@.log; echo "$($@_DEBS) could not be installed$($@_ELSE)"; exit 1; }
endef
browser_ELSE := ; 'make test BROWSER=0' leaves the browser out

# ---- the environment ---------------------------------------------------------------------------------------
# Stamps under .venv say what is installed. Everything comes from a lock file and is checked by its hash.

$(VENV)/.run: $(LOCKS)/run.txt pyproject.toml | $(VENV)/.made
	@$(install) $(LOCKS)/run.txt
	@touch $@

$(VENV)/.dev: $(LOCKS)/dev.txt pyproject.toml | $(VENV)/.made
	@$(install) $(LOCKS)/dev.txt
	@touch $@ $(VENV)/.run

$(VENV)/.audit: $(LOCKS)/audit.txt | $(VENV)/.dev
	@$(install) $(LOCKS)/audit.txt
	@touch $@

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
	@$(compile) $(build) --group pyproject.toml:audit --constraint $(LOCKS)/dev.txt --output-file $(LOCKS)/audit.txt \
		--upgrade
