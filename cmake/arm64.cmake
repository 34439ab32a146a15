# Cross-compiles for 64-bit Arm with Debian's gcc and runs the result under qemu. `make test-arm64`
# uses it; `tools/setup arm64` installs the tools and unpacks the arm64 files of cmocka to
# build/arm64-root, outside the system's own directories.
#
# The test preset arm64 leaves these out:
#   kernels/gemm_*, kernels/blas_choice,
#   ops/traps                            use x86 intrinsics, or insist on OpenBLAS
#   tests of fork                        qemu 7.2 stops when a forked child starts a thread
#   unit/alloc_fault, engine/memory_flat measure the process, whose memory is mostly qemu's
#   engine/error_scale                   its stack is smaller than arm64 allows
#   ops/fusion                           expects pushing to be faster than running
#   ops/random_programs, ops/table_isa   start themselves again, which needs a real arm64
# PENSTOCK_TEST_PROGRAMS is lowered there, for time.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

# Where Debian's cross compiler keeps the C library; qemu finds the dynamic linker there.
set(system_root /usr/aarch64-linux-gnu)
set(package_root ${CMAKE_CURRENT_LIST_DIR}/../build/arm64-root)
cmake_path(NORMAL_PATH package_root)

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${system_root})

# Libraries and headers of the machine that compiles must not be found: SLEEF, for one.
set(CMAKE_FIND_ROOT_PATH ${system_root} ${package_root})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${package_root}/usr/lib/aarch64-linux-gnu/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${package_root})
# The paths lead into the package root, so those that look like the system's own are wanted too.
set(ENV{PKG_CONFIG_ALLOW_SYSTEM_CFLAGS} 1)
set(ENV{PKG_CONFIG_ALLOW_SYSTEM_LIBS} 1)
