# Read by ctest, each time anew, so that a new folder of cases/ is found without a build: every case against its
# expected.toml, on one rank each, for two at once are done before two on both cores are; and `solenoid verify` of a
# folder's case.toml on 2 ranks beside one, for its variants have the same code. What the generated file that includes
# this one sets: `cases_folder`, the folder of cases; `cases_test` and `verify_test`, the words of the tests but for case
# and ranks; `cases_environment`.
set(quick case_cavity case_channel case_heat-square case_drum)
set(standard ${quick} case_annulus case_basin case_cooling-plate case_cube_exact case_duct case_heated-cavity case_mixing
  case_pipe-bend case_pond case_taylor-green case_tee case_torus case_womersley
  verify_cavity verify_channel_periodic verify_cube_exact verify_harbour verify_heat-square verify_heated-cavity verify_pond)
set(not_to_verify turbulent-step)  # its order in time takes minutes; eddies of inlets have tests of units on any ranks
set(variants_to_verify channel_periodic channel_power-law cube_exact cavity_classical tee_share)
file(GLOB cases ${cases_folder}/*/*.toml)
list(FILTER cases EXCLUDE REGEX "/expected\\.toml$")
foreach(case IN LISTS cases)
  string(REGEX REPLACE ".*/([^/]+)/([^/]+)\\.toml$" "\\1_\\2" name ${case})
  string(REGEX REPLACE "_case$" "" name ${name})
  add_test(case_${name} ${cases_test} --case ${case} --ranks 1)
  set_tests_properties(case_${name} PROPERTIES LABELS cases TIMEOUT 3600 COST 1000
    ENVIRONMENT "${cases_environment}")
  set(tests case_${name})
  list(FIND variants_to_verify ${name} variant)
  list(FIND not_to_verify ${name} left_out)
  if((case MATCHES "/case\\.toml$" AND left_out EQUAL -1) OR variant GREATER -1)
    add_test(verify_${name} ${verify_test} --case ${case} --ranks 2)
    set_tests_properties(verify_${name} PROPERTIES LABELS cases TIMEOUT 3600 PROCESSORS 2 COST 50
      ENVIRONMENT "${cases_environment}")
    list(APPEND tests verify_${name})
  endif()
  foreach(test IN LISTS tests)
    list(FIND quick ${test} in_quick)
    list(FIND standard ${test} in_standard)
    if(in_quick GREATER -1)
      set_tests_properties(${test} PROPERTIES LABELS "cases;quick;standard")
    elseif(in_standard GREATER -1)
      set_tests_properties(${test} PROPERTIES LABELS "cases;standard")
    endif()
  endforeach()
endforeach()
