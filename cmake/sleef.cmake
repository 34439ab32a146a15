# SLEEF, vectors of mathematical functions; without it there are the C library's, one by one. Found by
# pkg-config, else in the folders that CMake searches. It may lie outside of the system's folders, so
# everybody gets the file itself:
#
#   penstock::sleef      the library, if there is one; penstockConfig.cmake looks for it anew
#   sleef_include_dirs   where its header is
#   sleef_file           its file's name
#   sleef_dir            its folder, empty if that is one of the system's
#   sleef_link_options   the options of a linker for it, for pkg-config
find_package(PkgConfig)
if(PkgConfig_FOUND)
    pkg_check_modules(sleef sleef)
endif()
if(sleef_FOUND)
    list(GET sleef_LINK_LIBRARIES 0 sleef_library)
    set(sleef_include_dirs ${sleef_INCLUDE_DIRS})
else()
    find_library(PENSTOCK_SLEEF_LIBRARY sleef)
    find_path(PENSTOCK_SLEEF_INCLUDE_DIR sleef.h)
    mark_as_advanced(PENSTOCK_SLEEF_LIBRARY PENSTOCK_SLEEF_INCLUDE_DIR)
    if(PENSTOCK_SLEEF_LIBRARY AND PENSTOCK_SLEEF_INCLUDE_DIR)
        set(sleef_library ${PENSTOCK_SLEEF_LIBRARY})
        set(sleef_include_dirs ${PENSTOCK_SLEEF_INCLUDE_DIR})
    endif()
endif()

if(sleef_library)
    add_library(penstock::sleef UNKNOWN IMPORTED GLOBAL)
    set_target_properties(penstock::sleef PROPERTIES IMPORTED_LOCATION ${sleef_library})
    cmake_path(GET sleef_library FILENAME sleef_file)
    cmake_path(GET sleef_library PARENT_PATH sleef_dir)
    cmake_path(GET sleef_library STEM LAST_ONLY sleef_stem)
    string(REGEX REPLACE "^lib" "-l" sleef_link_options ${sleef_stem})
    if(sleef_dir IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
        set(sleef_dir "")
    else()
        set(sleef_link_options "-L${sleef_dir} ${sleef_link_options}")
    endif()
endif()
