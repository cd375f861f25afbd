# Sourced by tools/gpu-node: flows and heat conduction by the whole program, figures of all that was measured, and their
# comparison with the last ones. Awk alone reads JSON here, as Solenoid writes it, an entry a line: a bare machine has no
# Python.

# number_in FILE GROUP KEY: a number of a group at the top of a summary.json.
number_in() {
  awk -v group="\"$2\":" -v key="\"$3\":" '
    $1 == group { inside = 1 }
    inside && $1 == key { sub(/,$/, "", $2); print $2; exit }
    /^  }/ { inside = 0 }' "$1"
}

# phases_in FILE: the phases of a run by time, as "steps 1.2 s, output .3 s".
phases_in() {
  awk '/^  "phases":/ { inside = 1; next }
    /^  }/ { inside = 0 }
    inside { split($0, part, "\""); value = $NF; sub(/,$/, "", value); printf "%s\t%s\n", value, part[2] }' "$1" |
    LC_ALL=C sort -k1,1gr | awk -F '\t' '{ printf "%s%s %.2f s", (NR > 1 ? ", " : ""), $2, $1 } END { print "" }'
}

# step_ms FILE: the median time of a step in the later half of a history.csv [ms].
step_ms() {
  awk -F , 'NR > 1 { wall[NR - 2] = $NF; count = NR - 1 }
    END { for (k = int(count / 2); k < count; ++k) if (k > 0) printf "%.6g\n", 1000 * (wall[k] - wall[k - 1]) }' "$1" |
    LC_ALL=C sort -g | awk '{ value[NR] = $1 } END { if (NR) print value[int((NR + 1) / 2)] }'
}

# add_figure NAME VALUE: to be written by write_figures; less is better.
figure_names=() figure_values=()
add_figure() {
  [[ ${2:-} =~ ^[0-9.e+-]+$ ]] || return
  figure_names+=("$1") figure_values+=("$2")
}

# add_figures_of_bench FILE MESH: microseconds of each benchmark.
add_figures_of_bench() {
  local name value
  while IFS=$'\t' read -r name value; do add_figure "$2 $name [us]" "$value"; done < <(
    awk '/"name":/ { split($0, part, "\""); name = part[4] }
      /"seconds":/ { value = $2; sub(/,$/, "", value); printf "%s\t%.4g\n", name, 1e6 * value }' "$1")
}

# run_flow NAME SQUARE_OR_CUBE EDGES STEPS STEP SET...: the flow below a lid on such a mesh, which Gmsh makes once.
run_flow() {
  local name=$1 shape=$2 edges=$3 steps=$4 step=$5 sets=() word results=$folder/flows/$1
  shift 5
  sets=("mesh.file=\"$shape.geo\"" "mesh.size=$(awk "BEGIN { printf \"%.17g\", 1 / $edges }")" "time.step=$step"
    "time.end=$(awk "BEGIN { printf \"%.17g\", $steps * $step }")" "$@")
  local options=()
  for word in "${sets[@]}"; do options+=(--set "$word"); done
  stage "$name" 300 mpirun --quiet -n 1 "$folder/bin/solenoid" run "$root/tools/node/lid.toml" --no-report \
    --output "$results" "${options[@]}" || return
  local ms
  ms=$(step_ms "$results/history.csv")
  add_figure "$name [ms a step]" "$ms"
  show_phases "$ms ms a step" "$results"
}

# run_heat NAME SET...: conduction in the crankshaft.
run_heat() {
  local name=$1 options=() word results=$folder/flows/$1
  shift
  for word in "$@"; do options+=(--set "$word"); done
  stage "$name" 300 mpirun --quiet -n 1 "$folder/bin/solenoid" run "$root/cases/crankshaft/case.toml" --no-report \
    --output "$results" "${options[@]}" || return
  local ms
  ms=$(number_in "$results/summary.json" phases solve | awk '{ print 1000 * $1 }')
  add_figure "$name [ms]" "$ms"
  show_phases "solve $ms ms" "$results"
}

show_phases() {
  say "  $1, $(number_in "$2/summary.json" mesh cells) cells; $(phases_in "$2/summary.json")" | tee -a "$log"
}

# write_figures FILE DEVICE COMMIT
write_figures() {
  local i
  {
    printf '{\n  "device": %s,\n  "commit": %s,\n  "figures": {' "$(json_string "$2")" "$(json_string "$3")"
    for ((i = 0; i < ${#figure_names[@]}; i++)); do
      printf '%s\n    %s: %s' "$([ $i -eq 0 ] || echo ,)" "$(json_string "${figure_names[i]}")" "${figure_values[i]}"
    done
    printf '\n  }\n}\n'
  } >"$1"
}

# last_figures DEVICE: the file of docs/benchmarks/data.tar.xz with the last figures of that device, on standard output.
last_figures() {
  local file
  for file in $(tar -tf "$root/docs/benchmarks/data.tar.xz" 2>/dev/null | grep '/device-.*\.json$' | sort -r); do
    if tar -xOf "$root/docs/benchmarks/data.tar.xz" "$file" | grep -qF "\"device\": $(json_string "$1"),"; then
      tar -xOf "$root/docs/benchmarks/data.tar.xz" "$file"
      return
    fi
  done
}

# compare_figures OLD NEW: says which figures of a file of figures are worse than those of another by more than 10 %.
compare_figures() {
  awk '
    /^    "/ {
      split($0, part, "\""); name = part[2]; value = $NF; sub(/,$/, "", value)
      if (NR == FNR) { old[name] = value; next }
      if (!(name in old)) next
      ++both
      if (value + 0 > 1.1 * old[name]) { ++slower; printf "  slower: %s %.4g, was %.4g\n", name, value, old[name] }
    }
    END { printf "%d figures beside the last ones of this device, %d slower by more than 10 %%\n", both + 0, slower + 0 }' "$1" "$2"
}
