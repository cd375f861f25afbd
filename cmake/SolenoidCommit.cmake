# solenoid_commit(OUTPUT): generates OUTPUT, a source file with the commit, at build time, only if the commit or a
# source has changed.
set(SOLENOID_COMMIT_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/GitCommit.cmake)
function(solenoid_commit output)
  add_custom_command(OUTPUT ${output} DEPFILE ${output}.d DEPENDS ${SOLENOID_COMMIT_SCRIPT} VERBATIM
    COMMENT "Reading the commit"
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${output} -DDEPFILE=${output}.d -P ${SOLENOID_COMMIT_SCRIPT})
endfunction()
