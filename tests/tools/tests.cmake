# Read by ctest, each time anew, so that a new script is found without a build: every test of this folder by itself.
# What the generated file that includes this one sets: `tools_python`, the words before a script; `tools_environment`.
file(GLOB scripts ${CMAKE_CURRENT_LIST_DIR}/*_test.py)
foreach(script IN LISTS scripts)
  string(REGEX REPLACE ".*/([^/]+)_test\\.py$" "house_\\1" name ${script})
  add_test(${name} ${tools_python} ${script})
  set_tests_properties(${name} PROPERTIES TIMEOUT 3600 COST 100 LABELS standard ENVIRONMENT "${tools_environment}")
endforeach()
set_tests_properties(house_include_order house_commands PROPERTIES LABELS "quick;standard")
