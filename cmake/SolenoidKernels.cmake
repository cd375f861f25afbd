# Files that launch kernels: nvcc compiles them where Solenoid is built for NVIDIA GPUs. Installed too, for programs with
# kernels of their own.
function(solenoid_kernels)
  if(SOLENOID_CUDA AND ARGN)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
  elseif(SOLENOID_CUDA_ON_HOST AND ARGN)  # what nvcc would compile, so that none is forgotten
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_DEFINITIONS SOLENOID_LAUNCHES_KERNELS)
  endif()
endfunction()
