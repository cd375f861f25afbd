# Read by ctest, each time anew, so that a new folder of cases/ is found without a build: every case against its
# expected.toml, on one rank each, for two at once are done before two on both cores are; and what solenoid verify proves
# of it on 2 ranks beside one. What the generated file that includes this one sets: `cases_folder`, the folder of cases;
# `cases_test` and `verify_test`, the words of the tests but for case and ranks; `cases_environment`.
file(GLOB cases ${cases_folder}/*/*.toml)
list(FILTER cases EXCLUDE REGEX "/expected\\.toml$")
foreach(case IN LISTS cases)
  string(REGEX REPLACE ".*/([^/]+)/([^/]+)\\.toml$" "case_\\1_\\2" name ${case})
  string(REGEX REPLACE "_case$" "" name ${name})
  add_test(${name} ${cases_test} --case ${case} --ranks 1)
  set_tests_properties(${name} PROPERTIES LABELS cases TIMEOUT 3600 COST 1000
    ENVIRONMENT "${cases_environment}")
  string(REGEX REPLACE "^case_" "verify_" name ${name})
  add_test(${name} ${verify_test} --case ${case} --ranks 2)
  set_tests_properties(${name} PROPERTIES LABELS cases TIMEOUT 3600 PROCESSORS 2 COST 50
    ENVIRONMENT "${cases_environment}")
endforeach()
