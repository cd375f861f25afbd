# Run by cpack on the files to be packed: renames and compresses them for Debian (licence and changelog under Debian's
# names, compressed pages, zsh's completions in another folder).
file(GLOB usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr)
list(GET usr 0 usr)
set(doc ${usr}/share/doc/solenoid)
file(RPATH_REMOVE FILE ${usr}/bin/solenoid)  # its libraries are on the default path
file(READ ${CPACK_SOLENOID_LICENSE} licence)
string(REGEX MATCH "Copyright[^\n]*" copyright "${licence}")
string(REPLACE "Copyright " "" copyright "${copyright}")
string(REGEX REPLACE "^.*All rights reserved.\n\n|^[^\n]*\n\nCopyright[^\n]*\n\n" "" licence "${licence}")
string(REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REGEX REPLACE "\n$" "" licence "${licence}")
string(REPLACE "\n" "\n " licence "${licence}")
file(WRITE ${doc}/copyright
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Solenoid
Upstream-Contact: ${CPACK_PACKAGE_CONTACT}

Files: *
Copyright: ${copyright}
License: BSD-3-clause
 ${licence}
")
execute_process(COMMAND git log -1 --format=%cD WORKING_DIRECTORY ${CMAKE_CURRENT_LIST_DIR}
                OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT date)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
endif()
file(WRITE ${doc}/changelog
"solenoid (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * The version of this source.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(GLOB pages ${usr}/share/man/man1/*.1)
foreach(page ${pages} ${doc}/changelog)
  execute_process(COMMAND gzip -9nf ${page} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
if(EXISTS ${usr}/share/zsh/site-functions)
  file(RENAME ${usr}/share/zsh/site-functions ${usr}/share/zsh/vendor-completions)
endif()
execute_process(COMMAND chmod -R u=rwX,go=rX ${usr} COMMAND_ERROR_IS_FATAL ANY)
