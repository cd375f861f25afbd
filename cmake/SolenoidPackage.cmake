# cpack: a package of the component `program` for Debian and Ubuntu. It depends on the packages of the linked libraries,
# and on Gmsh's, which the program loads itself; packages for plotting are recommended.
set(CPACK_PACKAGE_NAME solenoid)
set(CPACK_PACKAGE_VENDOR "the Solenoid developers")
set(CPACK_PACKAGE_CONTACT "The Solenoid developers <solenoid@packages.invalid>" CACHE STRING "Who answers for packages: Name <address>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "incompressible flow, heat and waves on unstructured meshes")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Solenoid computes incompressible flow, heat conduction and waves on meshes
of triangles or tetrahedra, with MPI, on one core or many. The fluxes out
of every cell sum to zero bit for bit. Cases are text files, meshes are
made by Gmsh, and results are read by ParaView.")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-matplotlib, python3-numpy, python3-vtk9")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gmsh, paraview")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)

set(CPACK_DEBIAN_PACKAGE_DEPENDS "openmpi-bin, python3")
find_program(SOLENOID_DPKG_QUERY dpkg-query)
if(SOLENOID_FILES AND SOLENOID_DPKG_QUERY)
  get_filename_component(library ${GMSH_RUNTIME_LIBRARY} REALPATH)
  execute_process(COMMAND ${SOLENOID_DPKG_QUERY} --search ${library} OUTPUT_VARIABLE owner ERROR_QUIET)
  if(owner MATCHES "^([^:, ]+)")
    string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", ${CMAKE_MATCH_1}")
  endif()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/DebianFiles.cmake)
set(CPACK_SOLENOID_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
include(CPack)
