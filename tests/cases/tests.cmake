# Read by ctest, each time anew, so that a new folder of cases/ is found without a build: every case against its
# expected.toml on 1 and 3 ranks. What the generated file that includes this one sets: `cases_folder`, the folder of
# cases; `cases_test`, the words of the test but for case and ranks; `cases_environment`.
file(GLOB cases ${cases_folder}/*/*.toml)
list(FILTER cases EXCLUDE REGEX "/expected\\.toml$")
foreach(case IN LISTS cases)
  string(REGEX REPLACE ".*/([^/]+)/([^/]+)\\.toml$" "case_\\1_\\2" name ${case})
  string(REPLACE "_case_on" "_on" name ${name}_on)
  foreach(ranks 1 3)
    add_test(${name}_${ranks} ${cases_test} --case ${case} --ranks ${ranks})
    math(EXPR cost "1000 / ${ranks}")
    set_tests_properties(${name}_${ranks} PROPERTIES LABELS cases TIMEOUT 3600 PROCESSORS ${ranks} COST ${cost}
      ENVIRONMENT "${cases_environment}")
  endforeach()
endforeach()
