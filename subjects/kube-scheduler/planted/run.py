#!/usr/bin/env python3
"""Plants one bug at a time in the real scheduler and asks whether `reprieve check` finds it.

README.md says why. For each patch: a copy of Kubernetes' source gets the patch, build.sh builds the
subject from it by path, and `reprieve check` holds it against the reference on random clusters. The
bug must be found within 60 s of checking, in a case of at most 3 nodes and 6 pods. The unpatched copy
goes first and must not differ: otherwise a finding would prove nothing.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
WORK = ROOT / "build" / "planted"
VERSION = "1.37.2"  # the patches are against this source
RELEASE = "1.37"

SECONDS_LIMIT = 60
NODES_LIMIT = 3
PODS_LIMIT = 6
CONTROL_CASES = 2000


def fail(why):
    print(f"error: {why}", file=sys.stderr)
    sys.exit(2)


def module(name, version):
    """The folder of a module in Go's cache, fetched if it is not there."""
    done = subprocess.run(["go", "mod", "download", "-json", f"{name}@{version}"], cwd=WORK,
                          env={**os.environ, "GOFLAGS": "", "GOWORK": "off"}, capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"go mod download {name}@{version}: {done.stderr or done.stdout}")
    return Path(json.loads(done.stdout)["Dir"])


def checkout():
    """What a checkout of the release would be: its source, with the staging modules in staging/."""
    tree = WORK / f"kubernetes-{VERSION}"
    source = module("k8s.io/kubernetes", f"v{VERSION}")
    # Always from scratch: a run that was broken off may have left a patch behind.
    if tree.exists():
        shutil.rmtree(tree)
    tree.mkdir()
    for part in ("pkg", "third_party", "go.mod", "go.sum"):
        subprocess.run(["cp", "-r", "--no-preserve=mode", str(source / part), str(tree)], check=True)
    staging = tree / "staging" / "src" / "k8s.io"
    staging.mkdir(parents=True)
    for name in re.findall(r"^\t(k8s\.io/\S+) v0\.0\.0$", (source / "go.mod").read_text(), re.MULTILINE):
        # The scheduler's patches lie in k8s.io/kubernetes, so these are only read.
        (tree / "staging" / "src" / name).symlink_to(module(name, f"v0.{VERSION.split('.', 1)[1]}"))
    return tree


def build(tree, output):
    done = subprocess.run([str(HERE.parent / "build.sh"), str(tree), str(output)], capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"build.sh {tree}: {done.stderr}")


def check(reprieve, program, options):
    """The report of the random stage, and the seconds from start to answer."""
    start = time.monotonic()
    done = subprocess.run([reprieve, "check", "--only", "random", "--subject", str(program), "--against",
                           "reference", "--release", RELEASE, "-o", "json", *options],
                          capture_output=True, text=True)
    seconds = time.monotonic() - start
    if done.returncode not in (0, 1):
        fail(f"reprieve check: {done.stderr}")
    return json.loads(done.stdout)["stages"][0], seconds


def fields(details):
    """"nodes.*.victims, nominated": which fields of the two answers differ."""
    names = re.findall(r"^(\S+)$", details, re.MULTILINE)
    return ", ".join(dict.fromkeys(re.sub(r"^nodes\.[^.]+", "nodes.*", name) for name in names))


def judge(reprieve, tree, patch, arguments):
    """A row of the table, and whether the bug was found as it must be."""
    subprocess.run(["patch", "-p1", "--no-backup-if-mismatch", "-s", "-i", str(patch)], cwd=tree, check=True)
    program = WORK / patch.stem
    try:
        build(tree, program)
    finally:
        subprocess.run(["patch", "-R", "-p1", "--no-backup-if-mismatch", "-s", "-i", str(patch)], cwd=tree, check=True)
    report, seconds = check(reprieve, program, arguments)
    if not report["findings"]:
        return [patch.stem, "-", f"{seconds:.1f}", "-", "-", f"NOT FOUND: {report['what']}"], False
    finding = report["findings"][0]
    (WORK / f"{patch.stem}.yaml").write_text(finding["case"])
    nodes = len(re.findall(r"^kind: Node$", finding["case"], re.MULTILINE))
    pods = len(re.findall(r"^kind: Pod$", finding["case"], re.MULTILINE))
    good = seconds < SECONDS_LIMIT and nodes <= NODES_LIMIT and pods <= PODS_LIMIT
    return [patch.stem, str(finding["seed"]), f"{seconds:.1f}", str(nodes), str(pods), fields(finding["details"])], good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("patches", nargs="*", help="names, all of this folder unless given")
    parser.add_argument("--reprieve", default=str(ROOT / "build" / "release" / "bin" / "reprieve"))
    parser.add_argument("--threads", default="0", help="of reprieve check; 0: one for each processor")
    parser.add_argument("--seed", default="1", help="of the first random cluster")
    call = parser.parse_args()
    patches = sorted(HERE.glob("*.patch"))
    unknown = set(call.patches) - {patch.stem for patch in patches}
    if unknown:
        fail(f"there is no patch {', '.join(sorted(unknown))}")
    if not shutil.which("go"):
        fail("go is not on the PATH")
    if not os.access(call.reprieve, os.X_OK):
        fail(f"{call.reprieve} is not built; --reprieve names another")
    arguments = ["--threads", call.threads, "--seed", call.seed]

    WORK.mkdir(parents=True, exist_ok=True)
    tree = checkout()
    build(tree, WORK / "unpatched")
    control, seconds = check(call.reprieve, WORK / "unpatched", [*arguments, "--cases", str(CONTROL_CASES)])
    if control["findings"]:
        fail(f"the unpatched scheduler differs:\n{control['findings'][0]['details']}")
    print(f"The unpatched scheduler agrees on {control['decisions']:,} cases ({seconds:.1f} s).\n")
    print("| patch | seed | seconds | nodes | pods | what differs |\n|---|---|---|---|---|---|", flush=True)
    held = True
    for patch in patches:
        if call.patches and patch.stem not in call.patches:
            continue
        row, good = judge(call.reprieve, tree, patch, arguments)
        held = held and good
        print(f"| {' | '.join(row)} |", flush=True)
    if not held:
        print(f"\nFAILED: each must be found in under {SECONDS_LIMIT} s, with at most {NODES_LIMIT} nodes and "
              f"{PODS_LIMIT} pods.")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
