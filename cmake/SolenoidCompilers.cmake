# Language standards, warnings, and the CUDA toolkit if requested.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)  # an installed program finds its libraries where the build found them

find_program(SOLENOID_CCACHE ccache)
if(SOLENOID_CCACHE)  # clones share compiled files
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${SOLENOID_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${launcher})
endif()

if(SOLENOID_CUDA AND SOLENOID_CUDA_ON_HOST)
  message(FATAL_ERROR "SOLENOID_CUDA compiles for NVIDIA GPUs and SOLENOID_CUDA_ON_HOST does without: choose one.")
endif()
if(SOLENOID_CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    find_program(SOLENOID_NVCC nvcc PATHS /usr/local/cuda/bin $ENV{CUDA_HOME}/bin)
    if(NOT SOLENOID_NVCC)
      message(FATAL_ERROR "The cuda preset needs nvcc: install the CUDA toolkit or put nvcc on PATH, or build the preset cpu.")
    endif()
    set(CMAKE_CUDA_COMPILER ${SOLENOID_NVCC})
  endif()
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80 90)
  endif()
  enable_language(CUDA)
  foreach(kind STANDARD EXTENSION)  # CMake 3.25 does not know C++20 for nvcc 13
    if(NOT DEFINED CMAKE_CUDA20_${kind}_COMPILE_OPTION)
      set(CMAKE_CUDA20_${kind}_COMPILE_OPTION "-std=c++20")
    endif()
  endforeach()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
  find_package(CUDAToolkit REQUIRED)
endif()

# Compiler options of every target of the project.
add_library(solenoid_options INTERFACE)
target_include_directories(solenoid_options INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/solenoid>)
target_compile_features(solenoid_options INTERFACE cxx_std_20)
# Vectorised, Eigen's sums and alignment would depend on the target processor.
target_compile_definitions(solenoid_options INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX EIGEN_DONT_VECTORIZE
  $<$<BOOL:${SOLENOID_CUDA}>:SOLENOID_CUDA> $<$<BOOL:${SOLENOID_CHECKED}>:SOLENOID_CHECKED>)
if(SOLENOID_CUDA_ON_HOST)  # not for installed programs: the stand-in for CUDA is not installed
  target_compile_definitions(solenoid_options INTERFACE $<BUILD_INTERFACE:SOLENOID_CUDA> $<BUILD_INTERFACE:SOLENOID_CUDA_ON_HOST>)
  target_include_directories(solenoid_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/tests/cuda_on_host>)
endif()
# No contraction of multiply-adds: sums are the same for any inlining, and kernels agree with the host. Warnings are for
# this build alone; programs that use an installed Solenoid get C++20 for nvcc as an option, since CMake 3.25 does not
# know it for nvcc 13.
target_compile_options(solenoid_options INTERFACE
  "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow>>"
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off;-fno-math-errno;-fopenmp-simd>
  "$<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-pass-failed>>"  # where -O1 leaves `omp simd` as it is
  "$<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>>"  # false alarms on std::string (GCC bug 105651)
  # Loops that gain by vectors are marked; elsewhere vectors cost a tenth of the compilation and gain nothing.
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,11>>:-fvect-cost-model=very-cheap>
  $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda;--expt-relaxed-constexpr;--fmad=false>
  "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CUDA>:-lineinfo;-Xcompiler=-Wall,-Wextra,-ffp-contract=off,-fopenmp-simd>>"
  "$<INSTALL_INTERFACE:$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;-Xcompiler=-ffp-contract=off,-fopenmp-simd>>")
if(SOLENOID_CPU_LEVEL)  # Eigen would fuse its own multiply-adds
  target_compile_options(solenoid_options INTERFACE $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:-march=${SOLENOID_CPU_LEVEL};-mno-fma>>)
endif()
if(SOLENOID_SANITIZE)
  # The address sanitizer detects bad pointers; the pointer checks of the other one would only make the build four times
  # longer.
  target_compile_options(solenoid_options INTERFACE
    $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=address,undefined;-fno-sanitize=null,alignment,vptr,object-size;-fno-omit-frame-pointer;-O1;-g1>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)  # GCC's own advice: sanitizers cause false alarms
  target_link_options(solenoid_options INTERFACE -fsanitize=address,undefined)
endif()
