#!/usr/bin/env bash
# Puts the pinned Z3 into a cache folder that all build folders share: the headers and the library
# of the wheel that PyPI carries, unpacked, without Python around it. Prints the folder; does nothing
# more when it is there. cmake/FindZ3.cmake looks in the same place.
set -euo pipefail

version=5.4.0.0
wheel=z3_solver-$version-py3-none-manylinux_2_27_x86_64.whl
sha256=0549ffad554178a59480ba41b5279cfbb27053ed5a2da269ae1a48214d5db34b

cache=${XDG_CACHE_HOME:-$HOME/.cache}/reprieve
folder=$cache/z3-$version
if [ -f "$folder/include/z3.h" ] && [ -f "$folder/lib/libz3.so.5.4" ]; then
  echo "$folder"
  exit 0
fi

[ "$(uname -sm)" = "Linux x86_64" ] || {
  echo "error: the pinned wheel is for Linux on x86_64; build with -DREPRIEVE_Z3=debian" >&2
  exit 2
}
echo "==> fetching Z3 $version from PyPI (z3-solver)" >&2
mkdir -p "$cache"
work=$(mktemp -d "$cache/z3.XXXXXX") # in the same file system, so that the move at the end is atomic
trap 'rm -rf "$work"' EXIT
fetched=false
for python in python3 /usr/bin/python3; do
  if "$python" -m pip download --quiet --no-deps --only-binary=:all: --platform manylinux_2_27_x86_64 \
      --dest "$work" "z3-solver==$version"; then
    fetched=true
    break
  fi
done
$fetched || { echo "error: Z3 $version is not to be had from PyPI; build with -DREPRIEVE_Z3=debian" >&2; exit 2; }
echo "$sha256  $work/$wheel" | sha256sum --check --quiet >&2 || {
  echo "error: $wheel is not the file that was pinned" >&2
  exit 2
}
"$python" -m zipfile -e "$work/$wheel" "$work/unpacked"
mkdir "$work/z3"
mv "$work/unpacked/z3/include" "$work/z3/include"
mkdir "$work/z3/lib"
mv "$work/unpacked/z3/lib/libz3.so.5.4" "$work/z3/lib/"
ln -s libz3.so.5.4 "$work/z3/lib/libz3.so"
[ -d "$folder" ] || mv "$work/z3" "$folder" || [ -f "$folder/include/z3.h" ] # another one was faster
echo "$folder"
