# Run at build time: writes OUTPUT, a source file that knows the commit of SOURCE, and leaves it alone when nothing changed.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT
"#include \"app/version.hpp\"
std::string solenoid::git_commit() { return \"${commit}\"; }
")
