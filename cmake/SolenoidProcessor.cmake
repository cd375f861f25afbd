# Processors that the host's code is compiled for. Wider instructions give the same results, since sums use the same
# number of lanes on any processor; but if GCC fuses a multiply-add against its options (a few at x86-64-v4), results
# differ by round-off. Not for CUDA, where kernels run elsewhere, nor for sanitizers, whose tests are not urgent.
set(SOLENOID_CPU native CACHE STRING "x86 processors to build for: those like this machine's (native), or x86-64, x86-64-v2, x86-64-v3 or x86-64-v4 and what does more")
set(levels x86-64-v4 x86-64-v3 x86-64-v2 x86-64)

# A level instead of -march=native: it has a name to report, and compiler caches recognise it on other machines.
set(SOLENOID_CPU_LEVEL "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND NOT SOLENOID_CUDA AND NOT SOLENOID_CUDA_ON_HOST AND NOT SOLENOID_SANITIZE)
  if(NOT SOLENOID_CPU STREQUAL native)
    set(SOLENOID_CPU_LEVEL ${SOLENOID_CPU})
  elseif(NOT CMAKE_CROSSCOMPILING)
    foreach(level IN LISTS levels)
      file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/CMakeFiles/has_level.cpp CONTENT
        "int main() { return __builtin_cpu_supports(\"@level@\") ? 0 : 1; }" @ONLY)
      try_run(has_level is_compiled ${PROJECT_BINARY_DIR}/CMakeFiles/has_level SOURCES ${PROJECT_BINARY_DIR}/CMakeFiles/has_level.cpp)
      if(is_compiled AND has_level EQUAL 0)
        set(SOLENOID_CPU_LEVEL ${level})
        break()
      endif()
    endforeach()
  endif()
  if(SOLENOID_CPU_LEVEL AND NOT SOLENOID_CPU_LEVEL IN_LIST levels)
    list(JOIN levels ", " known)
    message(FATAL_ERROR "SOLENOID_CPU is \"${SOLENOID_CPU}\"; expected native, ${known}.")
  endif()
endif()
if(SOLENOID_CPU_LEVEL)
  message(STATUS "For processors from level ${SOLENOID_CPU_LEVEL} on (SOLENOID_CPU)")
endif()
