# Sourced by tools/gpu-node: `pack`, the packages that Solenoid is built on as one relocatable archive.

# List FILE...: the files and the targets of links among them, one per line, relative to /usr.
with_targets() {
  local file
  for file in "$@"; do
    while [ -L "$file" ]; do
      say "${file#/usr/}"
      file=$(realpath -s "$(dirname "$file")/$(readlink "$file")")
    done
    if [ -f "$file" ]; then say "${file#/usr/}"; fi
  done
}

# Shared libraries that the programs and libraries under FOLDER need, except those of any system with g++: a path each,
# or the words "not found".
needed_libraries() {
  find "$1" \( -name '*.so*' -o -path '*/bin/*' \) -type f -exec ldd {} + 2>/dev/null |
    sed -nE 's/^\s*\S+ => (\/\S+|not found).*/\1/p' |
    grep -vE '/(libc|libm|libdl|librt|libpthread|libresolv|libstdc\+\+|libgcc_s)\.so' | sort -u
}

# Makes the links by whose names programs ask for the shared libraries under FOLDER: links of development may bypass them.
link_names_of_libraries() {
  local file name
  find "$1" -name '*.so*' -type f | while read -r file; do
    name=$(objdump -p "$file" | awk '$1 == "SONAME" { print $2 }')
    [ -z "$name" ] || [ -e "${file%/*}/$name" ] || ln -s "${file##*/}" "${file%/*}/$name" || return 1
  done
}

# Writes the files by which CMake finds VTK and HDF5 in the tree at $1: those of Debian state absolute paths, and insist
# on modules that are left out.
write_configs() {
  local libraries=$1/lib/$2
  mkdir -p "$libraries/cmake/VTK" "$libraries/pkgconfig" || return 1
  cat >"$libraries/cmake/VTK/VTKConfig.cmake" <<'END' || return 1
get_filename_component(libraries "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
get_filename_component(include "${libraries}/../../include/vtk-9.1" ABSOLUTE)
foreach(component ${VTK_FIND_COMPONENTS})
  if(EXISTS "${libraries}/libvtk${component}-9.1.so.1")
    if(NOT TARGET VTK::${component})
      add_library(VTK::${component} SHARED IMPORTED)
      set_target_properties(VTK::${component} PROPERTIES IMPORTED_LOCATION "${libraries}/libvtk${component}-9.1.so.1"
        INTERFACE_INCLUDE_DIRECTORIES "${include}")
    endif()
    set(VTK_${component}_FOUND TRUE)
  elseif(VTK_FIND_REQUIRED_${component})
    set(VTK_FOUND FALSE)
  endif()
endforeach()
END
  cat >"$libraries/cmake/VTK/VTKConfigVersion.cmake" <<'END' || return 1
set(PACKAGE_VERSION 9.1)
if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
END
  cat >"$libraries/pkgconfig/hdf5-openmpi.pc" <<'END'
libraries=${pcfiledir}/..

Name: HDF5
Description: the parallel one
Version: 1.10
Cflags: -I${libraries}/../../include/hdf5/openmpi
Libs: -L${libraries}/hdf5/openmpi -lhdf5
END
}

pack() {
  local archive=$1 need=(libopenmpi-dev openmpi-bin libmetis-dev libfmt-dev libcli11-dev nlohmann-json3-dev
    libeigen3-dev libgtest-dev libmuparser-dev libtomlplusplus-dev zlib1g-dev libgmsh-dev libhdf5-openmpi-dev libvtk9-dev)
  command -v dpkg-query >/dev/null || { complain "packing takes Debian or Ubuntu: there is no dpkg-query here"; return 1; }
  dpkg-query -W "${need[@]}" >/dev/null 2>&1 ||
    { complain "packing takes these packages, all of them installed: ${need[*]}"; return 1; }
  local work tree arch libs
  work=$(mktemp -d) || return 1
  # shellcheck disable=SC2064  # expands the local variable now
  trap "rm -rf '$work'" EXIT
  tree=$work/solenoid-packages arch=$(gcc -print-multiarch) libs=/usr/lib/$(gcc -print-multiarch)
  mkdir -p "$tree/bin" "$(dirname "$archive")" || return 1

  # Development files of everything but Open MPI, whose own folder, components and wrapper data follow, and of what
  # Gmsh, VTK and HDF5 have the parts that are used. Components for interconnects, batch systems and OpenSHMEM are left
  # out: one machine needs none, and they pull in large libraries.
  local files=() components component
  mapfile -t files < <(dpkg-query -L "${need[@]:2:9}" | grep -vF .pc | grep -E '^/usr/(include|lib|share/(cmake|eigen3))/')
  mapfile -t components < <(find "$libs/openmpi/lib/openmpi3" -name 'mca_*.so' | grep -vE \
    '_(ucx|ofi|openib|psm2?|flux|slurm|gridengine|jsm|simulator|monitoring|romio[0-9]*|mpi)\.|/mca_(spml|sshmem|memheap|scoll|atomic)_')
  for component in CommonCore CommonDataModel CommonExecutionModel CommonMisc IOCore IOXML IOXMLParser; do
    files+=("$libs/libvtk$component-9.1.so.1")
  done
  mapfile -t -O "${#files[@]}" files < <(
    find /usr/include/vtk-9.1 /usr/include/hdf5/openmpi -type f
    printf '%s\n' /usr/include/gmsh{,c}.h "$libs"/libgmsh.so "$libs"/hdf5/openmpi/libhdf5.so /usr/bin/pkg-config
    find "$libs/openmpi/include" "$libs"/pmix2/{lib,share} /usr/share/openmpi \( -type f -o -type l \) \
      ! -name '*.a' ! -name '*slurm*'
    printf '%s\n' "$libs"/openmpi/lib/lib{mpi,mpi_cxx,open-rte,open-pal}.so "$libs"/libmca_common_{sm,ompio}.so.* \
      "${components[@]}")
  with_targets "${files[@]}" | sort -u | tar -C /usr -c --no-recursion -T - | tar -C "$tree" -x || return 1
  cp -L /usr/bin/orterun /usr/bin/orted /usr/bin/opal_wrapper "$tree/bin/" || return 1
  ln -s orterun "$tree/bin/mpirun" && ln -s orterun "$tree/bin/mpiexec"
  ln -s opal_wrapper "$tree/bin/mpicc" && ln -s opal_wrapper "$tree/bin/mpicxx"
  link_names_of_libraries "$tree/lib" || return 1
  write_configs "$tree" "$arch" || return 1
  # System libraries that these need, such as libhwloc, are kept aside: used only if the machine lacks them, since its
  # own programs may need newer ones.
  local spare=$tree/lib/spare paths=$tree/lib/$arch:$tree/lib/$arch/openmpi/lib:$tree/lib/$arch/pmix2/lib strays
  mkdir "$spare"
  needed_libraries "$tree" | while read -r file; do
    [ -n "$(find "$tree" -name "$(basename "$file")")" ] || cp -L "$file" "$spare/"
  done
  strays=$(LD_LIBRARY_PATH=$paths:$spare needed_libraries "$tree" | grep -vF "$tree/")
  [ -z "$strays" ] || { complain "the archive lacks" $strays; return 1; }

  cat >"$tree/activate" <<END || return 1
# Source this in bash: for programs and for CMake the packages here go before the machine's own.
unset "\${!OMPI_@}" "\${!OPAL_@}" "\${!PMIX_@}"  # are for the machine's own MPI
packages=\$(cd "\$(dirname "\${BASH_SOURCE[0]}")" && pwd)
libraries=\$packages/lib/$arch
known=\$(PATH=\$PATH:/usr/sbin:/sbin ldconfig -p)
[ "\${SOLENOID_SPARE:-}" = all ] && known=''  # to try the archive where everything is installed
for spare in "\$packages"/lib/spare/*; do
  case \$known in
    *"\${spare##*/} "*) rm -f "\$libraries/\${spare##*/}" ;;
    *) ln -sf "../spare/\${spare##*/}" "\$libraries/" ;;
  esac
done
export PATH=\$packages/bin:\$PATH
export LD_LIBRARY_PATH=\$libraries:\$libraries/openmpi/lib:\$libraries/pmix2/lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}
export CMAKE_PREFIX_PATH=\$packages CMAKE_LIBRARY_PATH=\$libraries
for config in "\$libraries"/cmake/*; do export "\${config##*/}_DIR=\$config"; done  # where CMake does not know $arch
export PKG_CONFIG_PATH=\$libraries/pkgconfig
export OPAL_PREFIX=\$packages PMIX_MCA_mca_base_component_path=\$libraries/pmix2/lib/pmix
# Without warnings, one a rank, about parts of the machine's own PMIx, munge and compression that these do not match.
export OMPI_MCA_mca_base_component_show_load_errors=0 PMIX_MCA_mca_base_component_show_load_errors=0
export PMIX_MCA_gds=hash PMIX_MCA_psec=native PMIX_MCA_pcompress_base_silence_warning=1
export OMPI_MCA_plm=isolated OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader  # one machine, no ssh
END
  XZ_OPT=${XZ_OPT:--9} tar -C "$work" --owner=0 --group=0 -cJf "$archive" solenoid-packages || return 1
  say "$archive: $(du -h --apparent-size "$archive" | cut -f1)B, unpacked $(du -sh "$tree" | cut -f1)B," \
    "for $arch and a C library from $(ldd --version | sed -n '1s/.* //p') on"
}

