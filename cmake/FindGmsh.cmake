# Finds Gmsh (no package config in Debian's 4.8): GMSH_INCLUDE_DIR with the header of its C interface, and
# GMSH_RUNTIME_LIBRARY, the file that a program loads on demand, by the name that remains without the development
# package.
find_path(GMSH_INCLUDE_DIR gmshc.h)
find_library(GMSH_LIBRARY gmsh)
set(GMSH_RUNTIME_LIBRARY ${GMSH_LIBRARY})
find_program(GMSH_OBJDUMP NAMES ${CMAKE_OBJDUMP} objdump)
if(GMSH_LIBRARY AND GMSH_OBJDUMP)
  execute_process(COMMAND ${GMSH_OBJDUMP} -p ${GMSH_LIBRARY} OUTPUT_VARIABLE header ERROR_QUIET)
  if(header MATCHES "SONAME +([^ \n]+)")
    get_filename_component(folder ${GMSH_LIBRARY} DIRECTORY)
    set(GMSH_RUNTIME_LIBRARY ${folder}/${CMAKE_MATCH_1})
  endif()
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Gmsh REQUIRED_VARS GMSH_LIBRARY GMSH_INCLUDE_DIR)
mark_as_advanced(GMSH_INCLUDE_DIR GMSH_LIBRARY GMSH_OBJDUMP)
