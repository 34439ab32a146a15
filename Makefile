# The commands that people type. The build itself is CMake's: see CMakePresets.json.

JOBS ?= 2
PREFIX ?= /usr/local
export JOBS

VENV = build/venv
# The Python that build/release was configured for: frontends/python/CMakeLists.txt.
PYTHON = $(firstword $(wildcard $(VENV)/bin/python) python3)

SOURCES = git ls-files --cached --others --exclude-standard -- '*.c' '*.h' '*.cpp'

.PHONY: help setup build demo test test-release test-debug test-asan test-tsan test-arm64 soak
.PHONY: bench-engine bench-ops bench-python wheel generate format check-format install clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: build/.setup-build build/.setup-test build/.setup-venv ## install packages that are missing

build/.setup-%: tools/setup
	@tools/setup $*
	@mkdir -p build && touch $@

# Python packages for the tests and for making wheels, in an environment of their own.
build/.setup-venv: tests/frontends/python/requirements.txt build/.setup-python
	python3 -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade -r $<
	@touch $@

build: build/.setup-build build/.setup-python ## build the libraries, the Python package, examples, tests
	cmake --preset release
	cmake --build --preset release -j $(JOBS)

demo: build ## build, and run the demonstrations in C and Python
	build/release/examples/demo
	@if [ -f examples/python/demo.py ] && [ -d build/release/python/penstock ]; then \
	    PYTHONPATH=build/release/python $(PYTHON) examples/python/demo.py; fi

test: setup ## all tests: plain, with AddressSanitizer and UBSan, with ThreadSanitizer
	@tools/test release asan tsan

test-release test-debug test-asan test-tsan: test-%: setup
	@tools/test $*

test-release: ## the tests of one build only; also test-debug, test-asan, test-tsan

# Builds what ctest would run and no more: some tests are for x86 only, and emulation is slow.
test-arm64: build/.setup-build build/.setup-arm64 ## quick tests on 64-bit Arm, emulated by qemu
	cmake --preset arm64 --log-level=WARNING
	cmake --build --preset arm64 -j $(JOBS) --target penstock penstock_static \
	    $$(ctest --preset arm64 -N | sed -n 's|^ *Test *#[0-9]*: \([a-z0-9_]*\)/|\1_|p')
	ctest --preset arm64 -j $(JOBS)

soak: build ## long tests, and tests that measure time
	ctest --preset soak

generate: build ## write what is made from the table of operations: header, reference page, stubs
	build/release/tests/generate header >build/penstock_ops.h
	build/release/tests/generate docs >build/operations.md
	mv build/penstock_ops.h include/penstock_ops.h
	mv build/operations.md docs/operations.md
	PYTHONPATH=build/release/python $(PYTHON) tools/python_stubs.py frontends/python/penstock

bench-engine: build/.setup-build build/.setup-bench ## the engine against its peers
	cmake --preset release -DPENSTOCK_BENCH=ON
	cmake --build --preset release -j $(JOBS)
	cmake --build --preset release --target bench-engine

bench-ops: build/.setup-build build/.setup-bench ## operations against NumPy, PyTorch, JAX
	cmake --preset release -DPENSTOCK_BENCH=ON
	cmake --build --preset release -j $(JOBS)
	cmake --build --preset release --target bench-ops

bench-python: build build/.setup-bench ## the Python package against NumPy, PyTorch, JAX, MLX
	[ -x build/bench/venv/bin/python ] || python3 -m venv build/bench/venv
	build/bench/venv/bin/python bench/python/run.py --package build/release/python

wheel: build/.setup-build build/.setup-venv ## build and check an sdist and a wheel (build/wheels)
	rm -rf build/wheels
	$(VENV)/bin/python -m build --outdir build/wheels/unrepaired
	mv build/wheels/unrepaired/*.tar.gz build/wheels
	PATH=$(CURDIR)/$(VENV)/bin:$$PATH auditwheel repair -w build/wheels build/wheels/unrepaired/*.whl
	rm -r build/wheels/unrepaired
	$(VENV)/bin/python tools/check_wheel build/wheels/*.whl

format: build/.setup-format ## lay out the C sources as .clang-format says
	$(SOURCES) | xargs clang-format -i

check-format: build/.setup-format ## or only say what it would change
	$(SOURCES) | xargs clang-format --dry-run -Werror

install: build ## install to PREFIX (/usr/local); DESTDIR is honoured
	cmake --install build/release --prefix $(PREFIX)

clean: ## remove everything that was built
	rm -rf build
