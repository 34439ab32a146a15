# How everything in this project is compiled: build type, warnings, sanitizers.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()
if(PROJECT_IS_TOP_LEVEL)
    # Line numbers in release builds cost nothing at run time. No NDEBUG here: it would silence
    # assert() in tests; the library gets it below.
    set(CMAKE_C_FLAGS_RELEASE "-O2 -g")
    set(CMAKE_C_FLAGS_DEBUG "-O0 -g")
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()
if(PENSTOCK_WERROR)
    set(CMAKE_COMPILE_WARNING_AS_ERROR ON)
endif()

if(PENSTOCK_SANITIZE STREQUAL "address")
    # -O1: more than that removes faulty accesses before they can be seen.
    set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all -O1)
elseif(PENSTOCK_SANITIZE STREQUAL "thread")
    set(sanitize -fsanitize=thread)
elseif(PENSTOCK_SANITIZE)
    message(FATAL_ERROR
            "PENSTOCK_SANITIZE is '${PENSTOCK_SANITIZE}': expected address, thread or nothing")
endif()
if(PENSTOCK_SANITIZE)
    # -g1: what reports of sanitizers tell of the source, and a fifth less to compile.
    add_compile_options(${sanitize} -fno-omit-frame-pointer -g1)
    add_link_options(${sanitize})
endif()

# The language and the warnings that C in this repository is held to.
function(penstock_warnings target)
    set_target_properties(${target} PROPERTIES
        C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes)
endfunction()

# Operations may run on the stack of whoever calls, which may be small: the compiler counts what a
# function takes of it. Sanitizers need more room than the code has.
set(frame_warning -Wframe-larger-than=8192)
function(penstock_frames target)
    if(NOT PENSTOCK_SANITIZE)
        target_compile_options(${target} PRIVATE ${frame_warning})
    endif()
endfunction()

# What is shipped is optimised as a whole, but for the kernels: a short operation is mostly calls from
# one file to another.
if(PENSTOCK_LTO AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release"
   AND NOT PENSTOCK_SANITIZE AND NOT PENSTOCK_DEBUG)
    set(PENSTOCK_WHOLE ON)
endif()
function(penstock_whole target)
    if(PENSTOCK_WHOLE)
        target_compile_options(${target} PRIVATE -flto=auto -fno-fat-lto-objects)
        target_link_options(${target} PRIVATE -flto=auto ${frame_warning})
    endif()
endfunction()

# GCC copies and clears a few words, whose number it does not know, by string instructions, which take
# some 30 cycles to begin; every call copies shapes and arguments.
include(CheckCCompilerFlag)
set(short_copies -mmemcpy-strategy=unrolled_loop:128:noalign,libcall:-1:noalign
    -mmemset-strategy=unrolled_loop:128:noalign,libcall:-1:noalign)
check_c_compiler_flag("${short_copies}" PENSTOCK_SHORT_COPIES)

# All of it for the forms of the library. PENSTOCK_DEBUG changes what a test may expect, so whoever
# links the library inside this build sees it too.
function(penstock_flags target)
    penstock_warnings(${target})
    penstock_frames(${target})
    if(PENSTOCK_SHORT_COPIES)
        target_compile_options(${target} PRIVATE ${short_copies})
    endif()
    if(PENSTOCK_DEBUG)
        target_compile_definitions(${target} PUBLIC $<BUILD_INTERFACE:PENSTOCK_DEBUG=1>)
    else()
        target_compile_definitions(${target} PRIVATE NDEBUG)
    endif()
endfunction()
