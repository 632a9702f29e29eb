# Each target is one line of a tool, so that people and CI run the same thing. `make help` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help

PYTHON ?= python3
PORT ?= 3000
VENV := .venv
BUILD_VENV := .venv-build
CHECKS_VENV := .venv-checks
UV := $(BUILD_VENV)/bin/uv
BAKED := layers/registry/baked
REGISTRY ?= registry.json

export REGISTRY
export PYTHONPATH := .:local:layers/core:functions/mcp

.PHONY: help
help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-18s %s\n", $$1, $$2}'

# Set-up, once: each environment is rebuilt only when its lock file changes. The editable install puts the project's
# folders on the path and makes $(VENV)/bin/threegood.
$(VENV)/.ready: requirements/dev.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation --editable .
	touch $@

$(BUILD_VENV)/.ready: requirements/uv.txt requirements/build.txt
	$(PYTHON) -m venv $(BUILD_VENV)
	$(BUILD_VENV)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	$(UV) pip install --quiet --python $(BUILD_VENV) --require-hashes -r requirements/build.txt
	touch $@

$(CHECKS_VENV)/.ready: requirements/checks.txt $(BUILD_VENV)/.ready
	$(UV) venv --quiet --clear --python $(PYTHON) $(CHECKS_VENV)
	$(UV) pip install --quiet --python $(CHECKS_VENV) --require-hashes -r requirements/checks.txt
	touch $@

# The registry: REGISTRY names its file; the vocabulary is in the folder vocabulary beside it.
# Its signature is in registry.sig beside it: baking verifies that, and needs no private key. It is baked again when a file
# has changed, was added or removed. The times of files do not show which ones were baked, so a file beside the layer lists them.
REGISTRY_FILES := $(sort $(REGISTRY) $(wildcard $(basename $(REGISTRY)).sig $(dir $(REGISTRY))vocabulary/*))
FILES_BAKED := layers/registry/files-baked
ifneq ($(REGISTRY_FILES),$(shell cat $(FILES_BAKED) 2>/dev/null))
OTHER_FILES := anew
endif

$(BAKED)/manifest.json: $(REGISTRY_FILES) $(VENV)/.ready $(wildcard threegood/*.py threegood/*/*.py functions/mcp/sources/*.py functions/mcp/sources/*/*.py) $(OTHER_FILES)
	$(VENV)/bin/python -m threegood bake $(REGISTRY) --out $(BAKED)
	@echo $(REGISTRY_FILES) > $(FILES_BAKED)

.PHONY: bake anew
bake: $(BAKED)/manifest.json ## validate the registry, verify its signature, bake both into the layer [REGISTRY=registry.json]

.PHONY: sign
sign: $(VENV)/.ready ## sign the registry: writes registry.sig beside it [KEY=FILE or AGENT=1 CURATOR="Your Name" EXPIRES=365d]
	$(VENV)/bin/python -m threegood sign $(REGISTRY) $(if $(KEY),--key "$(KEY)") $(if $(AGENT),--agent) \
	  $(if $(CURATOR),--curator "$(CURATOR)") $(if $(EXPIRES),--expires $(EXPIRES))

# Running

.PHONY: serve stdio
serve: bake ## run it locally: http://127.0.0.1:PORT/mcp, DynamoDB embedded [PORT=3000 AUTH=dev RENAME=1]
	$(VENV)/bin/python -m threegood_local.http_server --port $(PORT) $(if $(AUTH),--auth "$(AUTH)") $(if $(RENAME),--rename)

stdio: ## the same server over stdin and stdout
	@$(MAKE) --no-print-directory bake >&2
	@$(VENV)/bin/python -m threegood_local.stdio

# Tests and benchmarks

.PHONY: test check fuzz load eval clients bench bench-quick bench-instructions bench-matching bench-tokens fixture conformance
fixture: $(VENV)/.ready ## the conformance fixture on its own [PORT=3001]
	$(VENV)/bin/python -m tests.conformance.serve $(if $(filter command line environment,$(origin PORT)),--port $(PORT))

conformance: bake ## the official suite, both requirement sets, and other referees [WRITE=1 renews docs/conformance.md]
	$(VENV)/bin/python -m tests.conformance.run $(if $(WRITE),--write)

# Each version of a client gets an environment of its own. CI runs the versions that matter most; its machine sets the
# variable CI for every target, so only one on the command line counts.
clients: bake $(BUILD_VENV)/.ready ## what real clients can do over HTTP and stdio [CLIENTS=fastmcp,mcp-use CI=1 WRITE=1]
	$(VENV)/bin/python -m tests.clients.matrix.run $(if $(CLIENTS),--clients "$(CLIENTS)") $(if $(filter command,$(origin CI)),--ci) $(if $(WRITE),--write)

# The gate prints no queries, so CI's logs do not reveal them.
eval: bake ## matching quality, last line JSON [QUERIES=FILE.jsonl BARE=1 CONFUSIONS=40 GATE=1 RECORD=1 WRITE=1 renews docs/matching.md]
	$(VENV)/bin/python -m tests.eval.run $(if $(QUERIES),--queries "$(QUERIES)") $(if $(BARE),--bare) $(if $(GATE),--gate --confusions 0) $(if $(RECORD),--record) $(if $(WRITE),--write) $(if $(CONFUSIONS),--confusions $(CONFUSIONS))

bench: $(VENV)/.ready $(BUILD_VENV)/.ready ## cold start, warm path, memory beside peers, last line JSON [WRITE=1 renews docs/performance BENCH_ARGS=]
	$(VENV)/bin/python -m bench.serving.run $(if $(WRITE),--write) $(BENCH_ARGS)

bench-quick: $(VENV)/.ready $(BUILD_VENV)/.ready ## the same, in under two minutes, without the peers [BENCH_ARGS=]
	$(VENV)/bin/python -m bench.serving.run --quick $(BENCH_ARGS)

bench-instructions: $(VENV)/.ready $(BUILD_VENV)/.ready ## instructions per warm request against a budget, if valgrind is here [RECORD=1]
	$(VENV)/bin/python -m bench.instructions.run $(if $(RECORD),--record)

bench-matching: $(VENV)/.ready ## matching at 60 to 100,000 categories [SIZES=60,1000 WRITE=1 renews docs/matching.md]
	$(VENV)/bin/python -m bench.matching.run $(if $(SIZES),--sizes $(SIZES)) $(if $(WRITE),--write)

bench-tokens: bake $(BUILD_VENV)/.ready ## tokens of tool results with each TOOL_TEXT, last line JSON
	$(VENV)/bin/python -m bench.tokens.texts | \
	  $(UV) run --quiet --no-project --isolated --with bpe-openai==0.1.4 python -m bench.tokens.count

# The packages of fuzzing and of load lie in folders of their own, for the interpreter of the tests.
.fuzz/.ready: requirements/fuzz.txt $(VENV)/.ready $(BUILD_VENV)/.ready
	rm -rf .fuzz/packages
	$(UV) pip install --quiet --python $(VENV)/bin/python --target .fuzz/packages --only-binary :all: --require-hashes -r requirements/fuzz.txt
	touch $@

fuzz: bake ## fuzz events, registry files and baked files; last line JSON [SECONDS=3600, of all together]
	@if $(MAKE) --no-print-directory .fuzz/.ready; then $(VENV)/bin/python -m tests.fuzz.run $(if $(SECONDS),--seconds $(SECONDS)); \
	  else echo "UNMEASURED fuzzing: atheris cannot be installed for this Python"; fi

.load/.ready: requirements/load.txt $(VENV)/.ready $(BUILD_VENV)/.ready
	rm -rf .load/packages
	$(UV) pip install --quiet --python $(VENV)/bin/python --target .load/packages --only-binary :all: --require-hashes -r requirements/load.txt
	touch $@

load: bake .load/.ready ## load on emulated environments and the local server; last line JSON [REQUESTS=100000 ENVIRONMENTS=4]
	$(VENV)/bin/python -m bench.load.run $(if $(REQUESTS),--requests $(REQUESTS)) $(if $(ENVIRONMENTS),--environments $(ENVIRONMENTS))

test: bake ## all tests
	$(VENV)/bin/python -m pytest

check: $(VENV)/.ready $(BUILD_VENV)/.ready $(CHECKS_VENV)/.ready ## format, lint, types, import rules, templates, known vulnerabilities
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(VENV)/bin/cfn-lint template.yaml deployments/*.yaml
	AWS_DEFAULT_REGION=us-east-1 $(SAM) validate --lint
	$(CHECKS_VENV)/bin/bandit --quiet --recursive layers/core functions threegood local/mcpcore_local
	$(CHECKS_VENV)/bin/checkov --config-file .checkov.yaml --file template.yaml deployments/*.yaml
	$(CHECKS_VENV)/bin/python requirements/audit.py layers/*/requirements.txt

# Building and shipping
# ARCH, RUNTIME_PYTHON and UV are for the dependencies layer: sam hands the environment on to its Makefile. Only a build
# for the template's own Python can be deployed; another is for running the artifact on a machine without it.
ARCH ?= arm64
RUNTIME_PYTHON ?= 3.13
BUILD_DIR ?= .aws-sam/build
DYNAMODB_PORT ?= 8000
# Where a container finds this machine: on the engine's own bridge under Linux, on loopback under Docker Desktop.
DYNAMODB_HOST ?= $(if $(filter Linux,$(shell uname)),172.17.0.1,127.0.0.1)
SAM = env -u PYTHONPATH SAM_CLI_TELEMETRY=0 ARCH=$(ARCH) RUNTIME_PYTHON=$(RUNTIME_PYTHON) UV=$(abspath $(UV)) $(BUILD_VENV)/bin/sam
LOCK = UV_PYTHON_DOWNLOADS=never $(UV) pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --no-header $(LOCK_ARGS)

.PHONY: build engine sam-local deploy wheels licenses sbom lock
build: bake $(BUILD_VENV)/.ready ## what is deployed, made without a container [ARCH=arm64|x86_64 RUNTIME_PYTHON=3.13]
	$(SAM) build --build-dir $(BUILD_DIR) --parameter-overrides Architecture=$(ARCH)
	$(VENV)/bin/python -m threegood prebuild $(BUILD_DIR)/McpFunction --baked $(BAKED)
	$(VENV)/bin/python -m threegood verify --allow-unsigned $(BUILD_DIR)/RegistryLayer/registry
# Lambda cannot keep .pyc files, so a cold start without them compiles all that it imports; only the same Python makes
# them. unchecked-hash: the times that Python would compare do not come through a zip.
	@for python in $${PYENV_ROOT:-$$HOME/.pyenv}/versions/$(RUNTIME_PYTHON).*/bin/python python$(RUNTIME_PYTHON); do \
	  "$$python" -c "" 2>/dev/null || continue; \
	  exec "$$python" -I -m compileall -q --invalidation-mode unchecked-hash -s $(BUILD_DIR) $(BUILD_DIR); \
	done; echo "build: no Python $(RUNTIME_PYTHON) here to make .pyc files with; cold starts will take 1.6 to 2 times as long" >&2

engine: $(BUILD_VENV)/.ready
	@$(BUILD_VENV)/bin/python -c "import docker; docker.from_env().ping()" 2>/dev/null || { \
	  echo "make sam-local needs a container engine, and none answers: start Docker, or use make serve, which needs none" >&2; exit 1; }

sam-local: engine build ## sam local start-api, DynamoDB embedded; needs a container engine [PORT=3000 ARCH=...]
	@printf '{"Parameters": {"SESSIONS_TABLE": "%s", "AWS_ENDPOINT_URL_DYNAMODB": "%s"}}' \
	  three-good-sources-sessions http://host.docker.internal:$(DYNAMODB_PORT) > .aws-sam/local.json
	$(VENV)/bin/python -m threegood_local.dynamodb --host $(DYNAMODB_HOST) --port $(DYNAMODB_PORT) & trap "kill $$!" EXIT; \
	$(SAM) local start-api --template $(BUILD_DIR)/template.yaml --parameter-overrides Architecture=$(ARCH) --port $(PORT) \
	  --warm-containers EAGER --env-vars .aws-sam/local.json --add-host host.docker.internal:host-gateway $(SAM_LOCAL_ARGS)

# Not shown, because secrets may be among the parameters. SAM takes the last --parameter-overrides alone.
DEPLOY = --config-file $(CURDIR)/samconfig.toml --template $(BUILD_DIR)/template.yaml --parameter-overrides Architecture=$(ARCH)
# The stack that DEPLOY_ARGS names, or else the one of samconfig.toml.
STACK = $(shell echo '$(DEPLOY_ARGS)' | sed -nE 's/.*(--stack-name)[ =]([^ ]+).*/\1 \2/p')
deploy: build ## build, deploy, print how to connect, call every tool [ARCH=... UNSIGNED=1 PARAMETERS="LogLevel=DEBUG ..." DEPLOY_ARGS=...]
	@$(if $(UNSIGNED),,$(VENV)/bin/python -m threegood verify $(BUILD_DIR)/RegistryLayer/registry > /dev/null || { \
	  echo "make deploy: the registry is not signed as it is: run make sign, or deploy it so by UNSIGNED=1" >&2; exit 1; })
	@revision=$$($(BUILD_VENV)/bin/python -I deployments/revision.py $(DEPLOY) $(PARAMETERS) $(DEPLOY_ARGS)) && \
	  $(SAM) deploy $(DEPLOY) $$revision $(PARAMETERS) $(DEPLOY_ARGS)
	@$(SAM) list stack-outputs $(STACK) --output json > .aws-sam/outputs.json
	@sed -nE 's/.*"OutputValue": "((https|claude).*)".*/  \1/p' .aws-sam/outputs.json
	$(VENV)/bin/python -m threegood smoke --outputs .aws-sam/outputs.json --baked $(BAKED)

wheels: $(VENV)/.ready ## the wheels mcpcore and mcpcore-local, in dist/
	$(VENV)/bin/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist ./layers/core ./local

licenses: $(BUILD_VENV)/.ready ## list the licences of the packages that are shipped in docs/licenses.md
	$(UV) venv --quiet --clear --python $(PYTHON) .licenses
	$(UV) pip install --quiet --python .licenses --require-hashes --requirements layers/dependencies/requirements.txt \
	  --requirements layers/authorization/requirements.txt
	sed '/^|/,$$d' docs/licenses.md > .licenses/licenses.md
	$(BUILD_VENV)/bin/pip-licenses --python .licenses/bin/python --from meta --format markdown >> .licenses/licenses.md
	mv .licenses/licenses.md docs/licenses.md

# The lock files of two layers are all that is shipped beside the project's own code. Reproducible: no time, no serial number.
sbom: $(BUILD_VENV)/.ready ## what is shipped, as a software bill of materials (CycloneDX), in dist/
	mkdir -p dist
	cat layers/*/requirements.txt | $(BUILD_VENV)/bin/cyclonedx-py requirements - --pyproject layers/core/pyproject.toml \
	  --mc-type library --output-reproducible --output-format JSON --output-file dist/sbom.cdx.json

lock: $(BUILD_VENV)/.ready ## renew the lock files from the .in files [LOCK_ARGS=--upgrade]
	$(LOCK) --python-version 3.11 requirements/uv.in --output-file requirements/uv.txt
	$(LOCK) --python-version 3.11 requirements/build.in --output-file requirements/build.txt
	$(LOCK) --python-version 3.11 requirements/fuzz.in --output-file requirements/fuzz.txt
	$(LOCK) --python-version 3.11 requirements/load.in --output-file requirements/load.txt
	$(LOCK) --python-version 3.11 requirements/checks.in --output-file requirements/checks.txt
	$(LOCK) --python-version 3.13 layers/dependencies/requirements.in --output-file layers/dependencies/requirements.txt
	$(LOCK) --python-version 3.13 layers/authorization/requirements.in --output-file layers/authorization/requirements.txt
	$(LOCK) --python-version 3.11 requirements/dev.in --output-file requirements/dev.txt
	$(LOCK) --python-version 3.11 tests/clients/fastmcp.in --output-file tests/clients/fastmcp.txt
	$(LOCK) --python-version 3.11 tests/conformance/referees.in --output-file tests/conformance/referees.txt
	$(LOCK) --python-version 3.12 tests/threegood/trust/aics/requirements.in --output-file tests/threegood/trust/aics/requirements.txt
	$(LOCK) --python-version 3.13 bench/peers/runtime.in --output-file bench/peers/runtime.txt
	$(LOCK) --python-version 3.13 bench/peers/awslabs.in --output-file bench/peers/awslabs.txt
	$(LOCK) --python-version 3.13 bench/peers/sdk.in --output-file bench/peers/sdk.txt
	$(LOCK) --python-version 3.13 --override bench/peers/fastmcp.override bench/peers/fastmcp.in --output-file bench/peers/fastmcp.txt
