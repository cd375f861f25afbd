# cmake --install: the program with its manual page and completions, the plotting tools, the floors as libraries with
# headers and a package config, cases and meshes. The component `program` holds the files for users; cpack packages it.
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Solenoid)

install(TARGETS solenoid EXPORT SolenoidTargets COMPONENT program)
solenoid_export(options)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/solenoid
        FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/cases ${PROJECT_SOURCE_DIR}/meshes DESTINATION ${CMAKE_INSTALL_DATADIR}/solenoid COMPONENT program
        PATTERN __pycache__ EXCLUDE PATTERN meshes/tests EXCLUDE)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/tools/plot DESTINATION ${CMAKE_INSTALL_DATADIR}/solenoid/tools COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/tools/common ${PROJECT_SOURCE_DIR}/tools/plotting
        DESTINATION ${CMAKE_INSTALL_DATADIR}/solenoid/tools COMPONENT program
        FILES_MATCHING PATTERN "*.py")
# A relative link, so that an installation can be moved; Python looks for its modules next to the link's target.
file(RELATIVE_PATH plot ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/solenoid/tools/plot)
file(CREATE_LINK ${plot} ${PROJECT_BINARY_DIR}/solenoid-plot SYMBOLIC)
install(FILES ${PROJECT_BINARY_DIR}/solenoid-plot TYPE BIN COMPONENT program)
set(pages ${PROJECT_BINARY_DIR}/pages)
file(CONFIGURE OUTPUT ${pages}/man/solenoid-plot.1 CONTENT ".so man1/solenoid.1\n")
install(FILES ${pages}/man/solenoid.1 ${pages}/man/solenoid-plot.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${pages}/bash/solenoid DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES ${pages}/zsh/_solenoid DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
install(FILES ${pages}/fish/solenoid.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(languages C CXX)
if(SOLENOID_CUDA)
  list(APPEND languages CUDA)
endif()
string(REPLACE ";" " " languages "${languages}")
string(REPLACE ";" " " vtk_components "${vtk_components}")
install(EXPORT SolenoidTargets NAMESPACE Solenoid:: DESTINATION ${package})
configure_package_config_file(cmake/SolenoidConfig.cmake.in SolenoidConfig.cmake INSTALL_DESTINATION ${package}
                              NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(SolenoidConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/SolenoidConfig.cmake ${PROJECT_BINARY_DIR}/SolenoidConfigVersion.cmake
              cmake/FindHYPRE.cmake cmake/FindMETIS.cmake cmake/SolenoidKernels.cmake DESTINATION ${package})
