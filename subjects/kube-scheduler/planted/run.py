#!/usr/bin/env python3
"""Plants mistakes in the real scheduler, and in this program, and asks whether `reprieve check` finds them.

README.md says why. A copy of Kubernetes' source gets all patches, each behind a switch, and build.sh builds the
subject from it once; REPRIEVE_PLANTED then names the one mistake that the program makes. `reprieve check` holds
it against the reference on random clusters. Each must be found within 60 s of checking, in a case of at most 3
nodes and 6 pods. Without a mistake it goes first and must not differ: otherwise a finding would prove nothing.
"""

import argparse
import hashlib
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
PROGRAM = WORK / "bin" / f"kube-scheduler-{RELEASE}"

SECONDS_LIMIT = 60
NODES_LIMIT = 3
PODS_LIMIT = 6
CONTROL_CASES = 2000

SWITCH = """package {package}

import "os"

var plantedName = os.Getenv("REPRIEVE_PLANTED")

func planted(name string) bool {{ return plantedName == name }}
"""


def fail(why):
    print(f"error: {why}", file=sys.stderr)
    sys.exit(2)


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        fail(f"{' '.join(map(str, command))}: {done.stderr or done.stdout}")
    return done.stdout


def module(go, name, version):
    """The folder of a module in Go's cache, fetched if it is not there."""
    told = run([go, "mod", "download", "-json", f"{name}@{version}"], cwd=WORK,
               env={**os.environ, "GOFLAGS": "", "GOWORK": "off"})
    return Path(json.loads(told)["Dir"])


def checkout(go):
    """What a checkout of the release would be: its source, with the staging modules in staging/."""
    tree = WORK / f"kubernetes-{VERSION}"
    source = module(go, "k8s.io/kubernetes", f"v{VERSION}")
    # Always from scratch: a run that was broken off may have left half a patch behind.
    if tree.exists():
        shutil.rmtree(tree)
    tree.mkdir()
    for part in ("pkg", "third_party", "go.mod", "go.sum"):
        run(["cp", "-r", "--no-preserve=mode", str(source / part), str(tree)])
    staging = tree / "staging" / "src" / "k8s.io"
    staging.mkdir(parents=True)
    for name in re.findall(r"^\t(k8s\.io/\S+) v0\.0\.0$", (source / "go.mod").read_text(), re.MULTILINE):
        # The scheduler's patches lie in k8s.io/kubernetes, so these are only read.
        (tree / "staging" / "src" / name).symlink_to(module(go, name, f"v0.{VERSION.split('.', 1)[1]}"))
    return tree


def plant(tree):
    """All patches, and the switch in each package that they touch."""
    for patch in sorted(HERE.glob("*.patch")):
        run(["patch", "-p1", "--no-backup-if-mismatch", "-s", "-i", str(patch)], cwd=tree)
        for name in re.findall(r"^\+\+\+ b/(\S+)$", patch.read_text(), re.MULTILINE):
            file = tree / name
            package = re.search(r"^package (\w+)$", file.read_text(), re.MULTILINE).group(1)
            (file.parent / "planted.go").write_text(SWITCH.format(package=package))


def build():
    """The program with all mistakes, each off until it is named; nothing to do when nothing changed."""
    sources = sorted([*HERE.parent.glob("*.go"), *HERE.parent.glob("go*"), HERE.parent / "build.sh",
                      *HERE.glob("*.patch"), Path(__file__)])
    stamp = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    stamped = PROGRAM.with_suffix(".stamp")
    if PROGRAM.exists() and stamped.exists() and stamped.read_text() == stamp:
        return
    WORK.mkdir(parents=True, exist_ok=True)
    go = run([str(HERE.parent / "build.sh"), "--go"]).strip()
    tree = checkout(go)
    plant(tree)
    run([str(HERE.parent / "build.sh"), "--planted", str(tree), str(PROGRAM)])
    stamped.write_text(stamp)


def mistakes():
    """The names, in the order in which they stand: patches first, then this program's own."""
    found = []
    for source in [*sorted(HERE.glob("*.patch")), *sorted(HERE.parent.glob("*.go"))]:
        found += re.findall(r'planted\("([^"]+)"\)', source.read_text())
    return found


def check(reprieve, mistake, options):
    """The report of the random stage, and the seconds from start to answer."""
    start = time.monotonic()
    done = subprocess.run([reprieve, "check", "--only", "random", "--subject", str(PROGRAM), "--against",
                           "reference", "--release", RELEASE, "-o", "json", *options],
                          env={**os.environ, "REPRIEVE_PLANTED": mistake}, capture_output=True, text=True)
    seconds = time.monotonic() - start
    if done.returncode not in (0, 1):
        fail(f"reprieve check: {done.stderr}")
    return json.loads(done.stdout)["stages"][0], seconds


def fields(details):
    """"nodes.*.victims, nominated": which fields of the two answers differ."""
    names = re.findall(r"^(\S+)$", details, re.MULTILINE)
    return ", ".join(dict.fromkeys(re.sub(r"^nodes\.[^.]+", "nodes.*", name) for name in names))


def judge(reprieve, mistake, arguments):
    """A row of the table, and whether the mistake was found as it must be."""
    report, seconds = check(reprieve, mistake, arguments)
    if not report["findings"]:
        return [mistake, "-", f"{seconds:.1f}", "-", "-", f"NOT FOUND: {report['what']}"], False
    finding = report["findings"][0]
    (WORK / f"{mistake}.yaml").write_text(finding["case"])
    nodes = len(re.findall(r"^kind: Node$", finding["case"], re.MULTILINE))
    pods = len(re.findall(r"^kind: Pod$", finding["case"], re.MULTILINE))
    good = seconds < SECONDS_LIMIT and nodes <= NODES_LIMIT and pods <= PODS_LIMIT
    return [mistake, str(finding["seed"]), f"{seconds:.1f}", str(nodes), str(pods), fields(finding["details"])], good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("mistakes", nargs="*", help="names, all unless given")
    parser.add_argument("--reprieve", default=str(ROOT / "build" / "release" / "bin" / "reprieve"))
    parser.add_argument("--threads", default="0", help="of reprieve check; 0: one for each processor")
    parser.add_argument("--seed", default="1", help="of the first random cluster")
    parser.add_argument("--build", action="store_true", help="only build, and print where the program is")
    call = parser.parse_args()
    known = mistakes()
    unknown = set(call.mistakes) - set(known)
    if unknown:
        fail(f"there is no {', '.join(sorted(unknown))}")
    if call.build:
        build()
        print(PROGRAM)
        return 0
    if not os.access(call.reprieve, os.X_OK):
        fail(f"{call.reprieve} is not built; --reprieve names another")
    arguments = ["--threads", call.threads, "--seed", call.seed]

    build()
    control, seconds = check(call.reprieve, "", [*arguments, "--cases", str(CONTROL_CASES)])
    if control["findings"]:
        fail(f"the scheduler without a mistake differs:\n{control['findings'][0]['details']}")
    print(f"Without a mistake it agrees on {control['decisions']:,} cases ({seconds:.1f} s).\n")
    print("| mistake | seed | seconds | nodes | pods | what differs |\n|---|---|---|---|---|---|", flush=True)
    held = True
    for mistake in call.mistakes or known:
        row, good = judge(call.reprieve, mistake, arguments)
        held = held and good
        print(f"| {' | '.join(row)} |", flush=True)
    if not held:
        print(f"\nFAILED: each must be found in under {SECONDS_LIMIT} s, with at most {NODES_LIMIT} nodes and "
              f"{PODS_LIMIT} pods.")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
