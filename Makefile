# Everything from a fresh clone with only Python (3.11 or newer), git and make:
#   make train   train a hero policy and compare it with scripted play (about four minutes);
#                SCENARIO=weir another scenario, ENV=HexDungeon-v0 another ruleset
#   make test    test what a change of the code is likely to break (about six minutes)
#   make check   prove the rest: plain Python, checked indices, pages, browsers, whole commands
#   make site    build the site into build/site; `agemonia web` shows it
#   make docs    build the site with its documentation, run the tours, and check every link
#   make package build a wheel and an sdist into dist/, and try them where there is no repository;
#                PYTHONS='python3.11 python3.13' names the Pythons that find compiled rules
#                in the wheel and try it
#   make interop test OpenSpiel, TorchRL, Tianshou, PettingZoo, Minari, BenchMARL and RLlib in
#                environments of their own
#   make lint    ruff and mypy

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

# torch goes in first, and by exact version: on Linux the newest build that a plain dependency
# resolves to may bring gigabytes of GPU libraries, and a small CPU build that lies at hand
# (PIP_FIND_LINKS, an index of your own) is only taken if it is asked for by its version.
# Another build: make TORCH="torch --index-url <address>"; nothing here needs a GPU.
TORCH ?= torch==2.13.0

STAMP := $(VENV)/.installed
TRAINS := $(VENV)/.trains
PLAYS := $(VENV)/.plays
RUN ?= runs/ppo
GAMES ?= 2000
PLAY := $(if $(SCENARIO),--scenario $(SCENARIO))
TRAINED := Agemonia-v0
ifeq ($(origin ENV),command line)  # that of the shell is something else
PLAY += --env $(ENV)
TRAINED := $(ENV)
endif

# Tests of the rules run a second time as plain Python, where NumPy checks indices. What plays too
# many games for that, and cases, run a third time, compiled with checked indices
RULES := tests/core tests/agemonia tests/hexdungeon tests/cases
LONG := tests/cases $(foreach name, action_features chance generator invariants monster odds play \
	potential properties, $(wildcard tests/agemonia/test_$(name).py tests/hexdungeon/test_$(name).py))
PYTEST := $(BIN)/python -m pytest -q -n auto --dist loadfile --no-loadscope-reorder
# Compiling first, once, both rulesets side by side, keeps the workers of the test run from doing it
EACH := printf '%s\n' Agemonia-v0 HexDungeon-v0 | xargs -P 2 -n 1

# Finished machine code for wheels, for any x86-64 processor of the last ten years, compiled by each
# of PYTHONS in an environment of its own
FINISHED := build/compiled
FINISHER := build/finisher

# The site: pages that play without a server. Built again when a file that it is made of changes,
# comes or goes: a stamp holds a sum of their names. Compiled rules depend on Python alone: packs
# are arguments of theirs, and pages call them
SITE := build/site
SITE_RULES := build/rules
PARTS := $(sort $(shell find web agemonia_env -type f -not -path '*/__pycache__/*' -not -name '*.md'))
RULE_PARTS := $(filter agemonia_env/%.py web/build_rules.py web/runtime.c, $(PARTS))
sum = $(shell echo '$(1)' | cksum)

# Frameworks that the environment of the tests does not have. RLlib wants another Gymnasium, which
# is also the oldest that we allow; BenchMARL wants another TorchRL, and a torchvision for our torch
INTEROP := build/interop
RLLIB := build/rllib
BENCHMARL := build/benchmarl
INTEROP_TESTS := tests/test_frameworks.py tests/envs/test_openspiel.py tests/envs/test_pettingzoo.py \
	tests/envs/test_game_tree.py tests/test_recording.py
PYTHONS ?= $(PYTHON)

.PHONY: train test check plain lint bench site docs package interop clean

train: $(TRAINS)
	$(BIN)/python -m agents.train_ppo --out $(RUN) $(PLAY)
	$(BIN)/python -m agents.evaluate --model $(RUN)/model.npz --games $(GAMES) --out $(RUN)

test: $(STAMP)
	$(EACH) $(BIN)/agemonia warmup --env
	$(PYTEST) -m 'not check'

check: $(STAMP)
	$(EACH) $(BIN)/agemonia warmup --env
	$(MAKE) -j2 docs plain  # the pages keep one core busy
	$(PYTEST) -m check
	export NUMBA_BOUNDSCHECK=1; $(EACH) $(BIN)/python -c 'import sys; \
		from agemonia_env.warmup import warm_up; \
		warm_up(sys.argv[1], report=print)'
	NUMBA_BOUNDSCHECK=1 $(PYTEST) $(LONG)

plain: $(STAMP)
	NUMBA_DISABLE_JIT=1 $(PYTEST) $(RULES)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(STAMP)
	$(BIN)/python -m benchmarks

site: $(SITE)/.built

$(SITE)/.built: $(SITE_RULES)/.built $(PARTS)
	$(BIN)/python web/build_site.py --out $(SITE) --rules $(SITE_RULES)
	echo '$(call sum,$(PARTS))' > $@

$(SITE_RULES)/.built: $(STAMP) $(RULE_PARTS)
	$(BIN)/python web/build_rules.py --out $(SITE_RULES)
	echo '$(call sum,$(RULE_PARTS))' > $@

docs: site
	@echo 'Running the tours and writing the pages takes some minutes ...'
	$(BIN)/python -m sphinx -E -W --keep-going -q -d build/doctrees docs $(SITE)/docs
	$(BIN)/python docs/check_site.py $(SITE)/docs

package: site
	rm -rf dist
	$(BIN)/python tests/identity/pins.py --current
	rm -rf $(FINISHED)
	mkdir -p $(FINISHED)
	$(BIN)/python -c 'import numba; print(numba.__version__)' > $(FINISHED)/numba.txt
	set -e; export XDG_CACHE_HOME=$(CURDIR)/$(FINISHED) NUMBA_CPU_NAME=x86-64-v3 NUMBA_CPU_FEATURES=; \
	for python in $(PYTHONS); do \
		rm -rf $(FINISHER); $$python -m venv $(FINISHER); \
		$(FINISHER)/bin/python -m pip install -q . "numba==$$(cat $(FINISHED)/numba.txt)"; \
		(cd $(FINISHER) && $(EACH) bin/agemonia warmup --env); \
	done
	$(BIN)/python -m build --sdist --wheel --outdir dist  # of this tree, where the code is
	$(BIN)/python tests/smoke_package.py dist --compiled --train '$(TORCH)' $(addprefix --python ,$(PYTHONS))

interop: $(INTEROP)/.installed $(RLLIB)/.installed $(BENCHMARL)/.installed
	$(INTEROP)/bin/python -m pytest -q -rs $(INTEROP_TESTS)
	$(RLLIB)/bin/python -m pytest -q -rs tests/envs/test_infos.py
	AGEMONIA_RLLIB_PYTHON=$(RLLIB)/bin/python AGEMONIA_BENCHMARL_PYTHON=$(BENCHMARL)/bin/python \
		$(INTEROP)/bin/python -m pytest -q -rs tests/test_frameworks.py -k 'rllib or benchmarl'

$(INTEROP)/.installed: pyproject.toml
	test -x $(INTEROP)/bin/python || $(PYTHON) -m venv $(INTEROP)
	$(INTEROP)/bin/python -m pip install --quiet $(TORCH)
	$(INTEROP)/bin/python -m pip install --quiet pytest pytest-timeout 'minari[create,hdf5]' \
		--editable '.[marl,openspiel,pandas,tianshou,torchrl,train,video]'
	touch $@

$(RLLIB)/.installed: pyproject.toml
	test -x $(RLLIB)/bin/python || $(PYTHON) -m venv $(RLLIB)
	$(RLLIB)/bin/python -m pip install --quiet $(TORCH)
	$(RLLIB)/bin/python -m pip install --quiet 'ray[rllib]==2.60.0' 'gymnasium==1.2.2' \
		pytest pytest-timeout --editable .
	touch $@

$(BENCHMARL)/.installed: pyproject.toml
	test -x $(BENCHMARL)/bin/python || $(PYTHON) -m venv $(BENCHMARL)
	$(BENCHMARL)/bin/python -m pip install --quiet $(TORCH)
	$(BENCHMARL)/bin/python -m pip freeze | grep '^torch==' > $(BENCHMARL)/torch.txt
	$(BENCHMARL)/bin/python -m pip install --quiet --constraint $(BENCHMARL)/torch.txt benchmarl \
		--editable '.[marl]'
	touch $@

ifneq ($(shell cat $(SITE)/.built 2>&1),$(call sum,$(PARTS)))
.PHONY: $(SITE)/.built
endif
ifneq ($(shell cat $(SITE_RULES)/.built 2>&1),$(call sum,$(RULE_PARTS)))
.PHONY: $(SITE_RULES)/.built
endif

clean:
	rm -rf $(VENV) build runs .pytest_cache .mypy_cache .ruff_cache .hypothesis

# The second call is quick: the stamps are newer than pyproject.toml until that changes. What
# compiles the rules goes in first; they are compiled while torch and the rest are fetched
$(PLAYS): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -c 'import sys; sys.exit("agemonia_env needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	@echo 'Installing into $(VENV); this takes a minute or two ...'
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(TRAINS): $(PLAYS)
	@echo 'Installing torch, while the rules are compiled ...'
	$(BIN)/agemonia warmup --env $(TRAINED) & \
		$(BIN)/python -m pip install --quiet $(TORCH) && \
		$(BIN)/python -m pip install --quiet --editable '.[train]'; \
		status=$$?; wait; exit $$status
	touch $@

$(STAMP): $(TRAINS)
	@echo 'Installing what tests, documentation and laboratory need ...'
	$(BIN)/python -m pip install --quiet --editable '.[train,tensorboard,balance,league,docs,dev]'
	$(BIN)/python -m pip install --quiet --only-binary ray --editable '.[cluster]' || \
		echo 'Ray has no build for this Python or system: its tests are skipped.'
	touch $@
