#!/usr/bin/env python3
"""Decides each theorem at the bounds of the night, one after the other, and writes docs/PROOF-TIMES.md.

What was measured stays in build/nightly/proof-times.json, so that a run about some NAMEs writes the page of all.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPRIEVE = ROOT / "build" / "release" / "bin" / "reprieve"
KEPT = ROOT / "build" / "nightly" / "proof-times.json"
PAGE = ROOT / "docs" / "PROOF-TIMES.md"

HEAD = """# How long the proofs of the night take

Written by `nightly/proof_times.py`: `reprieve prove NAME --effort nightly` for each theorem of
[THEOREMS.md](THEOREMS.md), by itself. Seconds are a processor's, of Z3 and of what builds its terms, and so
they hardly depend on what else the machine does; memory is the most that the process held. What is refuted is
refuted at the fewest pods that show it. On an unknown verdict the night fails.

"""


def decide(name, seconds):
    """One theorem in a process of its own: what it answers, and what it used."""
    command = [REPRIEVE, "prove", name, "--effort", "nightly", "--time", str(seconds), "-o", "json"]
    with subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE) as process:
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    theorem = json.loads(text)["theorems"][0]
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True, capture_output=True,
                            check=False).stdout.strip() or "unknown"
    return {"commit": commit, "scope": theorem["scope"], "verdict": theorem["verdict"], "asExpected": theorem["asExpected"],
            "paths": theorem["paths"], "queries": theorem["queries"],
            "seconds": round(usage.ru_utime + usage.ru_stime, 2), "megabytes": round(usage.ru_maxrss / 1024)}


def page(names, kept):
    text = HEAD + "| theorem | for | verdict | paths | queries | seconds | MB |\n|---|---|---|---|---|---|---|\n"
    known = [(name, kept[name]) for name in names if name in kept]
    for name, at in known:
        verdict = at["verdict"] if at["asExpected"] else f"**{at['verdict']}**"
        text += (f"| {name} | {at['scope']} | {verdict} | {at['paths']:,} | {at['queries']:,} | "
                 f"{at['seconds']:.1f} | {at['megabytes']} |\n")
    commits = ", ".join(sorted({at["commit"] for _, at in known}))
    decided = sum(at["asExpected"] for _, at in known)
    text += f"\n{decided} of {len(names)} as expected, in {sum(at['seconds'] for _, at in known):.0f} s; measured at {commits}"
    missing = [name for name in names if name not in kept]
    return text + (f"; not run: {', '.join(missing)}.\n" if missing else ".\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="*", help="theorems to decide anew; all when none is given")
    parser.add_argument("--time", type=int, default=3600, help="seconds for each, by the clock (3600)")
    parser.add_argument("--page-only", action="store_true", help="write the page from what was measured")
    options = parser.parse_args()
    listed = json.loads(subprocess.run([REPRIEVE, "prove", "--list", "-o", "json"], cwd=ROOT, text=True,
                                       capture_output=True, check=True).stdout)
    names = [theorem["name"] for theorem in listed["theorems"]]
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    for name in [] if options.page_only else options.name or names:
        kept[name] = decide(name, options.time)
        print(f"{name:48} {kept[name]['verdict']:8} {kept[name]['seconds']:8.1f} s", flush=True)
        KEPT.write_text(json.dumps(kept, indent=1) + "\n")
    PAGE.write_text(page(names, kept))
    return 0 if all(kept.get(name, {}).get("asExpected") for name in names) else 1


if __name__ == "__main__":
    sys.exit(main())
