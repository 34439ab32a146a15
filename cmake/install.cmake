# Installing: the headers, both libraries, a CMake package and pkg-config files. All of it finds its
# parts relative to itself, so that an installed tree can be moved.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/penstock)

install(TARGETS penstock penstock_static penstock_cpp EXPORT penstock)
install(FILES include/penstock.h include/penstock_ops.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY frontends/cpp/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp")
install(EXPORT penstock NAMESPACE penstock:: FILE penstockTargets.cmake DESTINATION ${package_dir})

configure_package_config_file(cmake/penstockConfig.cmake.in penstockConfig.cmake
    INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may break programs.
write_basic_package_version_file(penstockConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/penstockConfig.cmake
              ${PROJECT_BINARY_DIR}/penstockConfigVersion.cmake
        DESTINATION ${package_dir})

set(pc_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_prefix ${pc_dir} ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_prefix ${pc_prefix})
file(RELATIVE_PATH pc_libdir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH pc_includedir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
set(pc_libraries "")
foreach(library IN LISTS kernel_libraries)
    if(TARGET ${library})
        string(APPEND pc_libraries " ${sleef_link_options}")
    else()
        string(APPEND pc_libraries " -l${library}")
    endif()
endforeach()
configure_file(cmake/penstock.pc.in penstock.pc @ONLY)
configure_file(cmake/penstock-cpp.pc.in penstock-cpp.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/penstock.pc ${PROJECT_BINARY_DIR}/penstock-cpp.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
