#!/usr/bin/env bash
# Hunts each fault that an upstream release had (kind historic of mutants/registry.cpp) with libFuzzer from an
# empty corpus, and prints what it took as a table. Fails when one is not found within the seconds of
# processor time, or when its case does not become small.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'EOF'
usage: fuzz/historic.sh [SEEDS] [SECONDS] [PRESET]

  SEEDS    how many times each fault is hunted, from another seed each time (default: 5)
  SECONDS  of processor time for each hunt (default: 60)
  PRESET   fuzz-fast (default) or fuzz; kubernetes_1_37_fuzzer must be built
EOF
}
case ${1:-} in -h|--help) usage; exit 0 ;; esac
seeds=${1:-5} seconds=${2:-60} program=build/${3:-fuzz-fast}/bin/kubernetes_1_37_fuzzer
[[ $seeds =~ ^[1-9][0-9]*$ && $seconds =~ ^[1-9][0-9]*$ ]] || { usage >&2; exit 2; }
[ -x "$program" ] || { echo "error: $program is not built: ./dev fuzz kubernetes_1_37_fuzzer 1" >&2; exit 2; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Each entry of the table ends in "}"; its name is the first text in it.
mapfile -t faults < <(
  awk 'BEGIN {RS = "}"} /kHistoric,/ && match($0, /\{"[a-z0-9-]+"/) {print substr($0, RSTART + 2, RLENGTH - 3)}' \
    mutants/registry.cpp)
[ ${#faults[@]} -gt 0 ] || { echo "error: mutants/registry.cpp names no historic fault" >&2; exit 2; }

failed=0
echo "| fault | found | processor time, at most | inputs, at most | smallest case, at most |"
echo "|---|---|---|---|---|"
for fault in "${faults[@]}"; do
  found=0 slowest=0 inputs=0 nodes=0 pods=0
  for ((seed = 1; seed <= seeds; ++seed)); do
    rm -rf "$folder/corpus" "$folder/log"
    mkdir "$folder/corpus"
    user=$(
      ulimit -c 0 -t "$seconds"
      export REPRIEVE_MUTANT=$fault REPRIEVE_FUZZ_FINDINGS='' TIMEFORMAT=%U
      { time "$program" -seed="$seed" -print_final_stats=1 -artifact_prefix="$folder/" "$folder/corpus" \
        >"$folder/log" 2>&1; } 2>&1 | grep -oE '^[0-9]+\.[0-9]+$' || true
    )
    case=$(sed -n 's/^The smallest case: \([0-9]*\) nodes, \([0-9]*\) pods$/\1 \2/p' "$folder/log")
    [ -n "$case" ] || continue
    found=$((found + 1))
    read -r n p <<<"$case"
    executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/log")
    ((n > nodes)) && nodes=$n
    ((p > pods)) && pods=$p
    ((executed > inputs)) && inputs=$executed
    slowest=$(awk -v a="$slowest" -v b="$user" 'BEGIN {print (a > b ? a : b)}')
  done
  echo "| $fault | $found of $seeds | $slowest s | $inputs | $nodes nodes, $pods pods |"
  ((found == seeds && nodes <= 3 && pods <= 6)) || failed=1
done
exit $failed
