# solenoid_sources(TARGET [KERNELS] [OPTION option] files…)
# Adds source files to a target; KERNELS launch kernels: nvcc compiles them in the cuda preset. With SOLENOID_BATCHES
# the compiler gets many of them at a time, as one file that includes them, and parses common headers once: half the
# time of a whole build, or less. Files of a batch share their unnamed namespaces, so names there must differ within a
# floor. A build without batches proves that each file includes what it uses, and that none shadows a name.
function(solenoid_sources target)
  cmake_parse_arguments(of "KERNELS" "OPTION" "" ${ARGN})
  set(files ${of_UNPARSED_ARGUMENTS})
  if(SOLENOID_BATCHES AND (target STREQUAL solenoid_tests OR NOT SOLENOID_BATCHES STREQUAL tests))
    solenoid_batches(files ${target} ${files})
  endif()
  target_sources(${target} PRIVATE ${files})
  if(of_KERNELS)
    solenoid_kernels(${files})
  endif()
  if(of_OPTION)
    set_property(SOURCE ${files} APPEND PROPERTY COMPILE_OPTIONS ${of_OPTION})
  endif()
endfunction()

# solenoid_batches(OUT TARGET files…): sets OUT to files that include these, each named after its first one. Generated
# files (absolute paths) stay alone.
function(solenoid_batches out target)
  set(size 24)
  if(target STREQUAL solenoid_tests)  # its files have many short local names
    set(size 8)
  endif()
  set(files ${ARGN})
  set(made ${ARGN})
  list(FILTER files EXCLUDE REGEX "^/")
  list(FILTER made INCLUDE REGEX "^/")
  set(batches ${made})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/batches/${target})
  file(RELATIVE_PATH to_sources ${folder} ${CMAKE_CURRENT_SOURCE_DIR})  # the same in any clone, for ccache
  while(files)
    list(SUBLIST files 0 ${size} batch)
    list(REMOVE_ITEM files ${batch})
    list(GET batch 0 first)
    list(TRANSFORM batch REPLACE ".+" "#include \"${to_sources}/\\0\"")
    list(JOIN batch "\n" content)
    get_filename_component(first ${first} NAME_WE)
    set(file ${folder}/${first}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${content}\n" @ONLY)
    list(APPEND batches ${file})
    set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow>)
  endwhile()
  set(${out} ${batches} PARENT_SCOPE)
endfunction()
