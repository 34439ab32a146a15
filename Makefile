# The commands that people type. The build itself is CMake's: see CMakePresets.json.

JOBS ?= 2
PREFIX ?= /usr/local
export JOBS

VENV = build/venv
# The Python that build/release was configured for: frontends/python/CMakeLists.txt.
PYTHON = $(firstword $(wildcard $(VENV)/bin/python) python3)

SOURCES = git ls-files --cached --others --exclude-standard -- '*.c' '*.h' '*.cpp' '*.hpp'

.PHONY: help setup build demo test test-release test-debug test-asan test-tsan test-arm64 soak
.PHONY: conformance conformance-autograd conformance-book conformance-paddle conformance-torch
.PHONY: conformance-train
.PHONY: book-is-given
.PHONY: record-train record-format record-format-paddle record-paddle record-torch
.PHONY: bench-cpp bench-mxnet bench-torch bench-paddle bench-autograd bench-scale bench-compare check-row
.PHONY: bench-engine bench-ops bench-python bench-train bench-train-memory wheel generate format check-format install clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: build/.setup-build build/.setup-test build/.setup-venv ## install packages that are missing

build/.setup-%: tools/setup
	@tools/setup $*
	@mkdir -p build && touch $@

# Python packages for the tests and for making wheels, in an environment of their own.
build/.setup-venv: tests/frontends/python/requirements.txt \
    tests/frontends/python/requirements-d2l.txt \
    tests/frontends/python/requirements-d2l-paddle.txt build/.setup-python
	python3 -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade -r $<
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
	    -r $(word 2,$^)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade \
	    --target $(VENV)/d2l-paddle -r $(word 3,$^)
	@touch $@

build: build/.setup-build build/.setup-python ## build the libraries, the Python package, examples, tests
	cmake --preset release
	cmake --build --preset release -j $(JOBS)

# NumPy, for the comparison, is in build/venv; if that cannot be made the story goes on without.
demo: build ## build, and tell about asynchronous computation: figures, pictures in build/demo
	@[ -x $(VENV)/bin/python ] || $(MAKE) --no-print-directory build/.setup-venv || true
	@python=$(VENV)/bin/python; [ -x $$python ] || python=python3; \
	    PYTHONPATH=build/release/python $$python examples/python/story/run.py --out build/demo

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

generate: build ## write what is made from the table of operations, and lists in docs/mxnet.md, torch.md, paddle.md
	build/release/tests/generate header >build/penstock_ops.h
	build/release/tests/generate docs >build/operations.md
	for part in methods ops; do \
	    build/release/tests/generate cpp-$$part >build/$$part.hpp && \
	    mv build/$$part.hpp frontends/cpp/include/penstock/$$part.hpp || exit 1; done
	mv build/penstock_ops.h include/penstock_ops.h
	mv build/operations.md docs/operations.md
	PYTHONPATH=build/release/python $(PYTHON) tools/python_stubs.py frontends/python/penstock
	PYTHONPATH=build/release/python $(PYTHON) tools/mxnet_coverage.py docs/mxnet.md
	PYTHONPATH=build/release/python $(PYTHON) tools/dialect_coverage.py docs/torch.md docs/paddle.md
	$(PYTHON) tools/dialect_lines.py frontends/python/penstock docs/ARCHITECTURE.md

check-row: build/.setup-build build/.setup-venv ## one row in a copy of the table: all else must follow
	$(VENV)/bin/python tools/check_row.py . build/check_row $(VENV)/bin/python $(JOBS)

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

# The real MXNet, which needs an older NumPy, in an environment of its own.
REAL_MXNET = build/conformance/venv

$(REAL_MXNET)/.installed: build/.setup-python
	python3 -m venv $(REAL_MXNET)
	$(REAL_MXNET)/bin/python -m pip install --quiet --disable-pip-version-check \
	    mxnet==1.9.1 'numpy<1.24'
	@touch $@

# make conformance COUNT=100 SEED=1 for fewer programs, or for those of an earlier run.
conformance: build build/.setup-venv $(REAL_MXNET)/.installed ## random programs against MXNet 1.9.1, PyTorch, PaddlePaddle
	$(PYTHON) tests/conformance/run.py --real $(REAL_MXNET)/bin/python \
	    --package build/release/python --output build/conformance/report.txt \
	    $(addprefix --count ,$(COUNT)) $(addprefix --seed ,$(SEED))
	@$(MAKE) --no-print-directory conformance-torch
	@$(MAKE) --no-print-directory conformance-paddle

# PyTorch, in an environment of its own.
REAL_TORCH = build/conformance/torch

$(REAL_TORCH)/.installed: build/.setup-python
	python3 -m venv $(REAL_TORCH)
	$(REAL_TORCH)/bin/python -m pip install --quiet --disable-pip-version-check torch==2.15.0 numpy
	@touch $@

# COUNT and SEED as above.
conformance-autograd: build build/.setup-venv $(REAL_TORCH)/.installed ## random gradients against PyTorch
	PYTHONPATH=tests/conformance $(PYTHON) -m autograd.run --real $(REAL_TORCH)/bin/python \
	    --package build/release/python $(addprefix --count ,$(COUNT)) $(addprefix --seed ,$(SEED))

# Beside PyTorch, what the book's programs import.
$(REAL_TORCH)/.installed-book: tests/frontends/python/requirements-d2l.txt $(REAL_TORCH)/.installed
	$(REAL_TORCH)/bin/python -m pip install --quiet --disable-pip-version-check \
	    torchvision==0.29.2 ipython matplotlib matplotlib-inline pandas pillow requests scipy
	$(REAL_TORCH)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r $<
	@touch $@

book-is-given:
	@[ -d "$(BOOK)" ] || { echo "The book is not part of the project: get the sources of Dive into" \
	    "Deep Learning (d2l-en, version 1.0.3; for DIALECT=paddle d2l-zh) and name their folder:" \
	    "make conformance-book BOOK=<folder>" >&2; exit 1; }

# Whose programs: torch, or paddle. ONLY=<part of a section's name> for some of them.
DIALECT = torch
REAL_BOOK = build/conformance/$(DIALECT)

conformance-book: book-is-given build build/.setup-venv $(REAL_BOOK)/.installed-book ## a book's programs on PyTorch and here: BOOK=<folder> DIALECT=torch|paddle
	PYTHONPATH=tests/conformance $(PYTHON) -m book.run --dialect $(DIALECT) --book $(BOOK) \
	    --real $(REAL_BOOK)/bin/python --package build/release/python \
	    $(if $(filter paddle,$(DIALECT)),--path $(VENV)/d2l-paddle) \
	    $(if $(ONLY),$(addprefix --only ,$(ONLY)),--docs docs/$(DIALECT).md)

conformance-torch: build build/.setup-venv $(REAL_TORCH)/.installed ## random programs, layers, optimisers against PyTorch 2.15.0
	PYTHONPATH=tests/conformance $(PYTHON) -m torch_programs.run --real $(REAL_TORCH)/bin/python \
	    --package build/release/python --output build/conformance/torch.txt \
	    $(addprefix --count ,$(COUNT)) $(addprefix --seed ,$(SEED))
	PYTHONPATH=build/release/python $(PYTHON) tests/conformance/compare_torch_layers.py \
	    --real $(REAL_TORCH)/bin/python
	PYTHONPATH=build/release/python $(PYTHON) tests/conformance/compare_torch_optim.py \
	    --real $(REAL_TORCH)/bin/python

conformance-train: build build/.setup-venv $(REAL_TORCH)/.installed ## layers and updates against PyTorch
	PYTHONPATH=tests/conformance $(PYTHON) -m train.run --real $(REAL_TORCH)/bin/python \
	    --package build/release/python

record-train: $(REAL_TORCH)/.installed ## PyTorch's answers for the tests of training
	PYTHONPATH=tests/conformance $(REAL_TORCH)/bin/python -m train.record $(FAMILIES)

record-torch: $(REAL_TORCH)/.installed build/.setup-venv ## PyTorch's answers to random programs
	$(PYTHON) tests/conformance/record_torch.py --real $(REAL_TORCH)/bin/python

record-format: $(REAL_TORCH)/.installed ## PyTorch's texts of tensors
	$(REAL_TORCH)/bin/python tests/vectors/format_torch.py

# PaddlePaddle, likewise.
REAL_PADDLE = build/conformance/paddle

$(REAL_PADDLE)/.installed: build/.setup-python
	python3 -m venv $(REAL_PADDLE)
	$(REAL_PADDLE)/bin/python -m pip install --quiet --disable-pip-version-check \
	    paddlepaddle==3.3.1 'numpy==2.4.*'
	@touch $@

# Beside it, what the book's programs import; d2l itself is in a folder of the tests' environment.
$(REAL_PADDLE)/.installed-book: $(REAL_PADDLE)/.installed
	$(REAL_PADDLE)/bin/python -m pip install --quiet --disable-pip-version-check \
	    ipython matplotlib matplotlib-inline opencv-python-headless pandas pillow requests scipy
	@touch $@

# COUNT and SEED as above.
conformance-paddle: build build/.setup-venv $(REAL_PADDLE)/.installed ## random programs against PaddlePaddle 3.3.1
	PYTHONPATH=tests/conformance $(PYTHON) -m paddle_programs.run --real $(REAL_PADDLE)/bin/python \
	    --package build/release/python --output build/conformance/paddle.txt \
	    $(addprefix --count ,$(COUNT)) $(addprefix --seed ,$(SEED))

record-paddle: $(REAL_PADDLE)/.installed build/.setup-venv ## PaddlePaddle's answers to random programs
	$(PYTHON) tests/conformance/record_paddle_programs.py --real $(REAL_PADDLE)/bin/python

record-format-paddle: $(REAL_PADDLE)/.installed ## PaddlePaddle's texts of tensors
	$(REAL_PADDLE)/bin/python tests/vectors/format_paddle.py

bench-torch: build build/.setup-venv $(REAL_TORCH)/.installed ## small operations against PyTorch
	$(PYTHON) bench/torch/run.py --real $(REAL_TORCH)/bin/python --package build/release/python

bench-paddle: build build/.setup-venv $(REAL_PADDLE)/.installed ## small operations against PaddlePaddle
	$(PYTHON) bench/paddle/run.py --real $(REAL_PADDLE)/bin/python --package build/release/python

bench-mxnet: build build/.setup-venv $(REAL_MXNET)/.installed ## small operations against MXNet 1.9.1
	$(PYTHON) bench/mxnet/run.py --real $(REAL_MXNET)/bin/python --package build/release/python

# MLX with its headers: libtorch and MXNet's are in the environments above.
BENCH_MLX = build/bench/mlx

$(BENCH_MLX)/.installed: build/.setup-python
	python3 -m venv $(BENCH_MLX)
	$(BENCH_MLX)/bin/python -m pip install --quiet --disable-pip-version-check mlx-cpu==0.32.4
	@touch $@

# What cannot be installed is left out: its column stays empty.
BENCH_CPP_PEERS = build/.setup-bench-cpp $(REAL_TORCH)/.installed $(REAL_MXNET)/.installed $(BENCH_MLX)/.installed

bench-cpp: build/.setup-build build/.setup-venv ## C++ against Eigen, xtensor, libtorch, MLX, MXNet
	@for peer in $(BENCH_CPP_PEERS); do \
	    $(MAKE) --no-print-directory $$peer || echo "$$peer cannot be made: left out"; done
	cmake --preset release -DPENSTOCK_BENCH=ON
	cmake --build --preset release -j $(JOBS)
	cmake --build --preset release -j $(JOBS) --target bench_cpp
	$(PYTHON) bench/cpp/run.py --package build/release/python

bench-autograd: build build/.setup-bench ## gradients against PyTorch, JAX, and MXNet if it is there
	[ -x build/bench/venv/bin/python ] || python3 -m venv build/bench/venv
	build/bench/venv/bin/python bench/autograd/run.py --real $(REAL_MXNET)/bin/python \
	    --package build/release/python

bench-train: build build/.setup-bench ## training against PyTorch, JAX, and MXNet if it is there
	[ -x build/bench/venv/bin/python ] || python3 -m venv build/bench/venv
	build/bench/venv/bin/python bench/train/run.py --real $(REAL_MXNET)/bin/python \
	    --package build/release/python

bench-train-memory: build build/.setup-bench ## how far memory grows in training; half an hour
	[ -x build/bench/venv/bin/python ] || python3 -m venv build/bench/venv
	build/bench/venv/bin/python bench/train/run.py --memory --real $(REAL_MXNET)/bin/python \
	    --package build/release/python --output build/bench/train_memory.json

bench-scale: build/.setup-build build/.setup-bench ## what more workers gain, and that nothing gets slower
	cmake --preset release -DPENSTOCK_BENCH=ON
	cmake --build --preset release -j $(JOBS)
	[ -x build/bench/venv/bin/python ] || python3 -m venv build/bench/venv
	build/bench/venv/bin/python bench/scale/run.py --package build/release/python

# make bench-compare BASE=<commit>, and ONLY=<pattern> for some rows. Make's own exit status is 2
# whatever went wrong: the line "Error 1" says that rows are slower.
bench-compare: build/.setup-build build/.setup-venv ## this tree's speed against that of commit BASE
	@$(PYTHON) bench/compare/run.py --base '$(BASE)' --only '$(ONLY)' --jobs $(JOBS)

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
