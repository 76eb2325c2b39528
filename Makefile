# The commands of the README. Each says what it does, makes .venv if need be, and is quick the second time.
PYTHON ?= python3

.PHONY: help lab test check fuzz slow bench docs lite slides build clean

help:
	@echo "make lab      JupyterLab on the first notebook   (make lab CHECK=1: start it, ask it over HTTP, stop it)"
	@echo "make test     all checks and tests, in a real browser too"
	@echo "make check    the quick part of it: types, style, contracts and what is computed, without a browser"
	@echo "make fuzz     new random examples for the tests that draw some, ten minutes long   (make fuzz MINUTES=60)"
	@echo "make slow     twelve explorers on a busy machine and in a slow browser, in every host; takes the whole machine for minutes"
	@echo "make bench    the table of measured times"
	@echo "make docs     the documentation site, in docs/_build/html"
	@echo "make lite     JupyterLab without a server, in build/lite/site   (make lite PYODIDE=FOLDER: without any network)"
	@echo "make slides   the lessons of the course as slides, in build/slides"
	@echo "make build    the front end, after editing TypeScript"
	@echo "make clean    remove everything the commands above made"

lab:
	@$(PYTHON) scripts/lab.py $(if $(CHECK),--check)

test:
	@$(PYTHON) scripts/run_tests.py

check:
	@$(PYTHON) scripts/run_tests.py --check

slow:
	@$(PYTHON) scripts/run_tests.py tests/hosts/slow_machine.py -o faulthandler_timeout=3600

fuzz:
	@$(PYTHON) scripts/run_tests.py --fuzz $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED))

bench:
	@$(PYTHON) scripts/environment.py test
	@.venv/bin/python -m benchmarks $(ARGS)

docs:
	@$(PYTHON) scripts/environment.py docs
	@.venv/bin/python scripts/docs.py --links

lite:
	@$(PYTHON) scripts/environment.py lab
	@.venv/bin/python scripts/lite.py $(if $(PYODIDE),--pyodide "$(PYODIDE)")

slides:
	@$(PYTHON) scripts/environment.py lab
	@.venv/bin/python scripts/slides.py

build:
	@$(PYTHON) scripts/environment.py lab

clean:
	@$(PYTHON) scripts/clean.py
