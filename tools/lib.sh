# Sourced by the commands of tools/: the choice of the preset, the build, and the environment of mpirun.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$*"; }
complain() { printf '%s\n' "tools/${0##*/}: $*" >&2; }

# Puts nvcc on PATH, also from CUDA's default prefix; fails if there is none.
find_nvcc() {
  command -v nvcc >/dev/null && return
  [ -x /usr/local/cuda/bin/nvcc ] && PATH=$PATH:/usr/local/cuda/bin
}

# Whether clang and its runtime for fuzz targets are installed.
can_fuzz() {
  command -v clang++ >/dev/null &&
    clang++ -fsanitize=fuzzer,address,undefined -x c++ -o /dev/null - 2>/dev/null \
      <<<'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'
}

gpu_visible() { command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q '^GPU '; }

# Sets `preset`: $SOLENOID_PRESET if set, else cuda if there are both the compiler and a GPU, else cpu.
choose_preset() {
  preset=${SOLENOID_PRESET:-cpu}
  if find_nvcc && [ -z "${SOLENOID_PRESET:-}" ] && gpu_visible; then preset=cuda; fi
}

# is_built PRESET [TARGET]: whether nothing is left to build.
is_built() { [[ $(ninja -C "$root/build/$1" -n "${2:-all}" 2>&1) == *'ninja: no work to do.'* ]]; }

# build PRESET [TARGET [OPTIONS]]: configures once, with CMake's OPTIONS, then builds. Silent if nothing is out of date;
# shows the configuration's log if it fails.
build() {
  local preset=$1 target=${2:-all} folder=$root/build/$1 log=$root/build/$1-configure.log
  if [ ! -f "$folder/build.ninja" ]; then
    say "Configuring (preset $preset) ..."
    mkdir -p "$root/build"
    if ! (cd "$root" && cmake --preset "$preset" "${@:3}") >"$log" 2>&1; then
      cat "$log" >&2
      complain "the configuration of the preset '$preset' failed; its log is above and in build/$preset-configure.log"
      return 1
    fi
  fi
  is_built "$preset" "$target" && return
  say "Building (preset $preset) ..."
  if ! cmake --build "$folder" --target "$target"; then
    complain "the build of the preset '$preset' failed; the compiler's messages are above"
    return 1
  fi
}

# Open MPI's slots for ranks: the physical cores among those that this process may use.
count_cores() {
  local allowed physical
  allowed=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)
  physical=$(lscpu -p=CORE,SOCKET 2>/dev/null | grep -v '^#' | sort -u | wc -l)
  if [ "$physical" -gt 0 ] && [ "$physical" -lt "$allowed" ]; then echo "$physical"; else echo "$allowed"; fi
}

# A container's system-call filter may forbid a rank to read another's memory, Open MPI's fast path on one machine.
in_container() {
  [ -e /.dockerenv ] || [ -e /run/.containerenv ] || [[ $(</proc/self/status) =~ Seccomp:[[:space:]]+[12] ]]
}

# mpi_environment RANKS: sets one thread per rank by default, and the variables that mpirun needs on this machine.
mpi_environment() {
  export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
  if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  fi
  if [ "$1" -gt "$(count_cores)" ]; then
    export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
  elif [ "$OMP_NUM_THREADS" -gt 1 ]; then
    export OMPI_MCA_hwloc_base_binding_policy=none
  fi
  if in_container; then export OMPI_MCA_btl_vader_single_copy_mechanism=none; fi
  export OMPI_MCA_mtl=${OMPI_MCA_mtl:-^ofi,psm,psm2}  # all ranks are local: searching for a network takes 0.2 s
}
