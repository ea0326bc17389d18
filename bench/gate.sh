#!/usr/bin/env bash
# Counts the instructions of a fixed set of operations (bench/instructions_main.cpp) in this tree and at the
# merge base, both with this tree's bench/ and generators, and judges the growth. Exit code 0: held, 1: an
# operation grew, 2: nothing to compare with.
#
#   bench/gate.sh [--limit PERCENT] [BASE]   BASE: a commit; else the merge base with origin/main or main, and
#                                            on that commit itself its parent
#   bench/gate.sh --prove [FILE]             this tree against itself with FILE (engine/bounded/answer.cpp) compiled
#                                            without optimisation: succeeds when the gate fails and names it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=build/gate
limit=2

say() { printf '\033[1m==> %s\033[0m\n' "$*" >&2; }
command -v valgrind >/dev/null || { echo "error: valgrind is absent (./dev setup)" >&2; exit 2; }

# count TREE NAME [CMAKE-OPTION...]: builds TREE in build/gate/NAME and leaves the dumps in build/gate/NAME-counts.
count() {
  local tree=$1 name=$2; shift 2
  say "building $name"
  cmake -S "$tree" -B "$folder/$name" -G Ninja -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG -g1" "$@" >"$folder/$name.log" 2>&1 &&
    cmake --build "$folder/$name" -j "$(nproc)" --target reprieve_instructions >>"$folder/$name.log" 2>&1 ||
    { tail -20 "$folder/$name.log" >&2; echo "error: $name cannot be built" >&2; exit 2; }
  say "counting $name"
  rm -rf "$folder/$name-counts"; mkdir -p "$folder/$name-counts"
  valgrind --tool=callgrind --instr-atstart=no --compress-strings=no --compress-pos=no \
    --callgrind-out-file="$folder/$name-counts/callgrind.out" "$folder/$name/bin/instructions" gate \
    >"$folder/$name-counts/log" 2>&1 || { tail -20 "$folder/$name-counts/log" >&2; exit 2; }
}

judge() { "$folder/change/bin/instructions_gate" "$@"; }

# The base's tree with what is measured of this one: both sides do the same.
base_tree() {
  local base=$1 tree=$folder/base-tree
  git worktree remove --force "$tree" 2>/dev/null || rm -rf "$tree"
  git worktree prune
  git worktree add --quiet --detach "$tree" "$base"
  trap 'git worktree remove --force '"$tree" EXIT
  rm -rf "$tree/bench"
  cp -r bench "$tree/bench"
  cp properties/generators/workloads.* "$tree/properties/generators/"
}

merge_base() {
  local main=main base
  git rev-parse --quiet --verify origin/main >/dev/null && main=origin/main
  base=$(git merge-base HEAD "$main")
  if [ "$base" = "$(git rev-parse HEAD)" ] && git diff --quiet HEAD; then base=$(git rev-parse HEAD~1); fi
  echo "$base"
}

mkdir -p "$folder"
case ${1:-} in
  --prove)
    file=${2:-engine/bounded/answer.cpp}
    count . change
    cmake --build "$folder/change" --target reprieve_instructions_gate >>"$folder/change.log" 2>&1
    count . slowed -DREPRIEVE_SLOWED="$file"
    say "this tree against itself must hold"
    judge "$folder/change-counts" "$folder/change-counts" "$limit"
    say "with $file slowed down the gate must fail"
    if judge "$folder/change-counts" "$folder/slowed-counts" "$limit" >"$folder/slowed.txt"; then
      cat "$folder/slowed.txt"; echo "error: the gate did not notice that $file is slower" >&2; exit 1
    fi
    cat "$folder/slowed.txt"
    grep -q "part ${file%.*}:" "$folder/slowed.txt" || { echo "error: the gate did not name ${file%.*}" >&2; exit 1; }
    say "it failed and named ${file%.*}"
    ;;
  *)
    [ "${1:-}" = --limit ] && { limit=$2; shift 2; }
    base=${1:-$(merge_base)}
    say "base: $(git log -1 --format='%h %s' "$base")"
    base_tree "$base"
    count "$folder/base-tree" base
    count . change
    cmake --build "$folder/change" --target reprieve_instructions_gate >>"$folder/change.log" 2>&1
    judge "$folder/base-counts" "$folder/change-counts" "$limit"
    ;;
esac
