# Files that launch kernels: nvcc compiles them if Solenoid is built for NVIDIA GPUs. Installed too, for programs with
# their own kernels.
function(solenoid_kernels)
  if(SOLENOID_CUDA AND ARGN)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
  elseif(SOLENOID_CUDA_ON_HOST AND ARGN)  # marks the files for nvcc, so that none is forgotten
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_DEFINITIONS SOLENOID_LAUNCHES_KERNELS)
  endif()
endfunction()
