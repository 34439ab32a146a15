# The kernels, compiled once for all forms of the library: for speed, with arithmetic that gives the
# same bits on every instruction set, and each file of src/kernels/cpu for the processors that its
# name says.

set(kernel_options -ffp-contract=off -fno-trapping-math -fno-math-errno)
if(NOT PENSTOCK_SANITIZE) # it sets a level of its own
    list(APPEND kernel_options -O3)
endif()
set(avx2_options -mavx2 -mfma -mf16c)
set(avx512_options -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mf16c
    -mprefer-vector-width=512)

include(cmake/sleef.cmake)
set(kernel_libraries m ${CMAKE_DL_LIBS})
if(TARGET penstock::sleef)
    list(APPEND kernel_libraries penstock::sleef)
endif()

file(GLOB kernel_sources CONFIGURE_DEPENDS src/kernels/*.c src/kernels/*/*.c)
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    list(FILTER kernel_sources EXCLUDE REGEX "/src/kernels/cpu/[^/]*avx")
endif()

add_library(penstock_kernels OBJECT ${kernel_sources})
target_include_directories(penstock_kernels PRIVATE include src)
set_target_properties(penstock_kernels PROPERTIES
    C_VISIBILITY_PRESET hidden
    POSITION_INDEPENDENT_CODE ON)
penstock_flags(penstock_kernels)

foreach(source IN LISTS kernel_sources)
    set(options ${kernel_options})
    if(source MATCHES "/floats_avx" AND NOT PENSTOCK_SANITIZE)
        # A step of a few instructions: what it costs would depend on where it lies in memory.
        list(APPEND options -funroll-loops)
    endif()
    foreach(isa avx2 avx512)
        if(source MATCHES "/src/kernels/cpu/[^/]*${isa}")
            list(APPEND options ${${isa}_options})
        endif()
    endforeach()
    set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS ${options})
    if(TARGET penstock::sleef)
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS PENSTOCK_SLEEF=1)
        set_property(SOURCE ${source} APPEND PROPERTY INCLUDE_DIRECTORIES ${sleef_include_dirs})
    endif()
endforeach()
