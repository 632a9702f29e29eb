# The target `packages`, of each layer of packages: what requirements.txt locks, without what trim.txt lists, in ARTIFACTS_DIR.
# SAM does not say for which processor and Python: ARCH and RUNTIME_PYTHON come through the environment, and with them
# uv takes the wheels of the function's machine, whatever machine this is. UV names the uv to use.
ARCH ?= arm64
RUNTIME_PYTHON ?= 3.13
UV ?= uv
# Amazon Linux 2023 has glibc 2.34, so wheels for 2.28 run there.
PLATFORM_arm64 := aarch64-manylinux_2_28
PLATFORM_x86_64 := x86_64-manylinux_2_28
PLATFORM := $(PLATFORM_$(ARCH))

.PHONY: packages
packages:
	@test -n "$(PLATFORM)" || { echo "$(LAYER): ARCH is arm64 or x86_64, not '$(ARCH)'" >&2; exit 1; }
	@command -v "$(UV)" >/dev/null || { echo "$(LAYER): no uv at '$(UV)'; make build brings its own" >&2; exit 1; }
	@test -f requirements.txt || { echo "$(LAYER): requirements.txt is missing; run make lock" >&2; exit 1; }
	"$(UV)" pip install --quiet --require-hashes --only-binary :all: \
		--python-version "$(RUNTIME_PYTHON)" --python-platform "$(PLATFORM)" \
		--target "$(ARTIFACTS_DIR)/python" --requirements requirements.txt
	rm -rf "$(ARTIFACTS_DIR)/python/bin" "$(ARTIFACTS_DIR)/python/.lock"
	sh trim.sh "$(ARTIFACTS_DIR)/python" "$(ARCH)" < trim.txt
