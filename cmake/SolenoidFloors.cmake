# solenoid_floor(NAME ON lower-floors… ROOMS folders… SOURCES host .cpp… KERNELS .cpp that launch kernels… LINK
# packages…)
# One static library per floor of the house, installed as Solenoid::NAME: its own files and those of its rooms. KERNELS
# are compiled by nvcc in the cuda preset, by the C++ compiler otherwise.
function(solenoid_floor name)
  cmake_parse_arguments(floor "" "" "ON;ROOMS;SOURCES;KERNELS;LINK" ${ARGN})
  add_library(solenoid_${name} STATIC)
  foreach(room IN LISTS floor_ROOMS)
    add_subdirectory(${room})
    foreach(kind SOURCES KERNELS)
      get_property(files DIRECTORY ${room} PROPERTY solenoid_${kind})
      list(TRANSFORM files PREPEND ${room}/)
      list(APPEND floor_${kind} ${files})
    endforeach()
  endforeach()
  solenoid_sources(solenoid_${name} ${floor_SOURCES})
  solenoid_sources(solenoid_${name} KERNELS ${floor_KERNELS})
  target_link_libraries(solenoid_${name} PUBLIC solenoid_options)
  foreach(lower IN LISTS floor_ON)
    target_link_libraries(solenoid_${name} PUBLIC solenoid_${lower})
  endforeach()
  foreach(package IN LISTS floor_LINK)
    target_link_libraries(solenoid_${name} PUBLIC ${package})
  endforeach()
  solenoid_export(${name})
endfunction()

# solenoid_room(SOURCES host .cpp… KERNELS .cpp that launch kernels…): registers the files of a room with its floor.
function(solenoid_room)
  cmake_parse_arguments(room "" "" "SOURCES;KERNELS" ${ARGN})
  set_property(DIRECTORY PROPERTY solenoid_SOURCES ${room_SOURCES})
  set_property(DIRECTORY PROPERTY solenoid_KERNELS ${room_KERNELS})
endfunction()

# solenoid_export(NAME): other projects link solenoid_NAME as Solenoid::NAME, from this build or an installation.
function(solenoid_export name)
  add_library(Solenoid::${name} ALIAS solenoid_${name})
  set_target_properties(solenoid_${name} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS solenoid_${name} EXPORT SolenoidTargets)
endfunction()

# solenoid_program(NAME sources…): an executable on top of the house.
function(solenoid_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE solenoid_app)
  if(SOLENOID_SANITIZE)
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/keep_libraries.c)
  endif()
endfunction()
