# Run at build time: writes OUTPUT, a source file with the commit of SOURCE, and leaves it alone if nothing changed; and
# DEPFILE, the files that the commit depends on: the log of HEAD, which every commit and checkout extends (or the files
# that name the commit if git keeps no log), and the sources of the program, whose changes make the commit `-dirty`.
set(commit "unknown")
set(date "")
set(inputs ${CMAKE_CURRENT_LIST_FILE})  # not empty, or ninja treats the list as missing
set(program CMakeLists.txt cmake src)

function(git result)
  execute_process(COMMAND git -C ${SOURCE} ${ARGN} OUTPUT_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  string(REPLACE "\n" ";" output "${output}")
  set(${result} "${output}" PARENT_SCOPE)
  set(status ${status} PARENT_SCOPE)
endfunction()

git(head rev-parse --short=12 HEAD)
if(status EQUAL 0)
  set(commit ${head})
  git(date log -1 --format=%cs)
  git(changed status --porcelain --untracked-files=no -- ${program})
  if(changed)
    string(APPEND commit "-dirty")
  endif()

  git(branch symbolic-ref -q HEAD)
  foreach(name logs/HEAD HEAD packed-refs ${branch})
    git(path rev-parse --git-path ${name})
    get_filename_component(path ${path} ABSOLUTE BASE_DIR ${SOURCE})
    if(EXISTS ${path})
      list(APPEND inputs ${path})
      if(name STREQUAL logs/HEAD)
        break()
      endif()
    endif()
  endforeach()
  git(files ls-files -- ${program})
  foreach(file IN LISTS files)
    if(EXISTS ${SOURCE}/${file})
      list(APPEND inputs ${SOURCE}/${file})
    endif()
  endforeach()
endif()

file(CONFIGURE OUTPUT ${OUTPUT} CONTENT
"#include \"run/result/version.hpp\"
std::string solenoid::git_commit() { return \"${commit}\"; }
std::string solenoid::commit_date() { return \"${date}\"; }
")
string(REPLACE " " "\\ " inputs "${inputs}")
string(REPLACE " " "\\ " target "${OUTPUT}")
string(REPLACE ";" " \\\n  " inputs "${inputs}")
file(WRITE ${DEPFILE} "${target}: ${inputs}\n")
