#!/usr/bin/env python3
"""Runs every mutant against every stage of `reprieve check`: which stage kills it, and in what time.

One build with the switch serves all: REPRIEVE_MUTANT names the mutant that the program does wrong. A mutant
that nobody kills is a failure, unless the registry says why no case can tell it from the right program. README.md.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs" / "KILL-MATRIX.md"

# In the order of what they cost. Each does at most what `check --quick` does, counted in cases and not in
# seconds, so that a slow machine kills the same mutants.
STAGES = ["corpus", "random", "laws", "fuzz", "manifests", "live", "trace", "operations", "certificates", "vectors",
          "exhaustive", "theorems"]
CASES = {"manifests": 1000, "random": 50000, "laws": 3000, "fuzz": 30000}
# Why a stage stays though each of its kills is another's too.
STAYS = {
    "corpus": "It needs no reference: what it expects was decided by the real kube-scheduler or written down by a "
              "person, so it also speaks where engine and reference err alike.",
    "manifests": "It alone writes text and reads it back.",
    "random": "It alone compares whole decisions on clusters that nobody thought of.",
    "laws": "It alone asks twice: updates in place, workspaces, threads, depths, and programs for which there is no "
            "reference.",
    "fuzz": "It begins with cases that were once worth keeping and changes them where random clusters do not go.",
    "exhaustive": "It leaves nothing out up to its bounds: what it does not kill needs a larger cluster or another "
                  "feature.",
    "live": "It alone asks the real kube-scheduler itself, and so judges the reference, and the program that runs "
            "kube-scheduler, too.",
    "trace": "A real cluster: what only its size or its mix of pods shows.",
    "operations": "It alone judges speed: a mutant whose answers are right and that does more work than was recorded.",
    "certificates": "It checks the optimum by evidence that is not the engine's, where the reference is too slow.",
    "vectors": "It holds the engine to what the real kube-scheduler has decided, not to the reference.",
    "theorems": "It speaks of every cluster, not of those that were drawn; the selection core alone is read.",
}
CORE = "engine/selection.h"
DEAR = ["exhaustive", "operations", "trace", "certificates", "vectors", "theorems"]
FATAL = "fatal"  # the kind of mutants that the process does not outlive
SCHEDULER = "scheduler"  # the kind of mutants of the Go program
PLANTED = ROOT / "subjects" / "kube-scheduler" / "planted" / "run.py"
TIME_OUT_S = 1800


def registry(build):
    done = subprocess.run([build / "bin" / "mutant_matrix", "--list"], capture_output=True, text=True, check=True)
    names = ("name", "file", "kind", "wrong", "seenIn", "equivalent")
    return [dict(zip(names, line.split("\t"))) for line in done.stdout.splitlines()]


def applies(stage, mutant):
    """Whether what the mutant does wrong can come up there at all."""
    kind, file = mutant["kind"], mutant["file"]
    if kind == SCHEDULER:  # of the engine's own stages none asks another program
        return stage in ("corpus", "laws", "live", "vectors")
    exact = file.startswith("engine/exact/")
    match stage:
        case "manifests":  # reads what it wrote, and decides nothing
            return kind in ("control", "manifest")
        case "exhaustive":  # no filter but resources, no updates, no manifest
            return kind in ("control", "historic", "operator")
        case "theorems":  # of the core, and of nothing else
            return file == CORE
        case "certificates":  # of `exact`
            return exact or kind == "control"
        case "live" | "vectors":  # Kubernetes' policies, each cluster new
            return not exact and kind != "snapshot" and (stage == "vectors" or kind != "manifest")
        case "trace" | "operations" | "random":  # likewise, and no manifest
            return kind not in ("snapshot", "manifest")
        case "fuzz":  # begins with manifests
            return kind != "snapshot"
    return True


def run_stage(build, mutant, stage, scale, planted):
    """'killed', 'survived', 'skipped' or what went wrong, with the seconds and what it said."""
    command = [build / "bin" / "reprieve", "check", "--quick", "--only", stage, "--threads", "1", "--budget", "0",
               "--fail-fast", "-o", "json"]
    environment = dict(os.environ)
    if mutant["kind"] == SCHEDULER:
        environment["REPRIEVE_PLANTED"] = mutant["name"]
        command += ["--release", "1.37"]
        if stage == "live":
            environment["REPRIEVE_KUBE_SCHEDULER_DIR"] = str(planted.parent)
        else:
            command += ["--subject", str(planted)]
    else:
        environment["REPRIEVE_MUTANT"] = mutant["name"]
        if mutant["kind"] == FATAL:
            command += ["--time-out", "5000"]
        if stage in CASES:
            command += ["--cases", str(max(1, int(CASES[stage] * scale)))]
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="reprieve-mutants-", ignore_cleanup_errors=True) as kept:  # its cases
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=TIME_OUT_S, check=False,
                                  env=environment | {"TMPDIR": kept})
    except subprocess.TimeoutExpired:
        return {"verdict": f"no end after {TIME_OUT_S} s", "seconds": TIME_OUT_S}
    seconds = round(time.monotonic() - began, 2)
    if done.returncode == 0:
        return {"verdict": "survived", "seconds": seconds}
    if done.returncode == 2:
        return {"verdict": "skipped", "seconds": seconds, "why": done.stderr.strip()}
    if done.returncode != 1:  # the gate itself broke
        return {"verdict": f"exit code {done.returncode}", "seconds": seconds}
    stages = json.loads(done.stdout)["stages"]
    findings = [finding for report in stages for finding in report.get("findings", [])]
    why = findings[0]["title"] if findings else stages[0].get("what", "")
    return {"verdict": "killed", "seconds": seconds, "why": why}


def judge(build, mutant, stages, first, scale, planted, before=None):
    """Asks these stages, after those `before` (a row)."""
    results = dict(before["stages"]) if before else {}
    for stage in stages:
        if not applies(stage, mutant) or (first and before and before["killers"]):
            continue
        results[stage] = run_stage(build, mutant, stage, scale, planted)
        if first and results[stage]["verdict"] == "killed":
            break
    killers = [stage for stage, result in results.items() if result["verdict"] == "killed"]
    broken = {stage: result["verdict"] for stage, result in results.items()
              if result["verdict"] not in ("killed", "survived", "skipped")}
    return {**mutant, "killers": killers, "broken": broken, "stages": results}


def planted_program(mutants):
    """The Go program with its mutants; none when nobody asks for it or it cannot be built here."""
    if not any(mutant["kind"] == SCHEDULER for mutant in mutants):
        return None
    done = subprocess.run([PLANTED, "--build"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"The mutants of the Go program are not asked: {done.stderr.strip()}", file=sys.stderr)
        return None
    return pathlib.Path(done.stdout.strip())


def sample(mutants, count):
    """Always the same ones, spread over the registry and so over its kinds."""
    count = min(count, len(mutants))
    return [mutants[i * len(mutants) // count] for i in range(count)]


def line(row):
    if row["broken"]:
        fate = "BROKEN: " + ", ".join(f"{stage}: {what}" for stage, what in row["broken"].items())
    elif row["killers"]:
        fate = ", ".join(f"{stage} {row['stages'][stage]['seconds']:.1f}s" for stage in row["killers"])
    else:
        fate = f"equivalent: {row['equivalent']}" if row["equivalent"] else "SURVIVES"
    return f"{row['name']:36} {fate}"


def is_bad(row):
    """A survivor that is not equivalent, one that is said to be and is not, or one that breaks the program."""
    return bool(row["broken"]) or bool(row["killers"]) == bool(row["equivalent"])


def markdown(rows, stages, seconds, processor):
    killed = [row for row in rows if row["killers"]]
    equivalent = [row for row in rows if row["equivalent"] and not row["killers"]]
    out = ["# Kill matrix", "",
           "*Which stage of `reprieve check` notices which wrong program?* Written by `./dev mutants --docs`; each "
           "mutant (mutants/README.md) is one small wrong change, and each stage does at most what `check --quick` "
           "does. Seconds are by the clock of the machine that wrote this, up to the first finding.", "",
           f"{len(rows)} mutants: {len(killed)} killed, {len(equivalent)} equivalent, "
           f"{len(rows) - len(killed) - len(equivalent)} survive; {len(killed) * 100 // max(1, len(rows))} % killed "
           f"within the budget of `--quick`. One run of {seconds / 60:.0f} minutes, {processor / 60:.0f} minutes of processor time.", "",
           "## Stages", "",
           "| stage | asked about | kills | alone | of these alone | why it stays |", "|---|---|---|---|---|---|"]
    for stage in stages:
        asked = [row for row in rows if stage in row["stages"]]
        concerned = sum(1 for row in rows if applies(stage, row))
        kills = [row for row in asked if stage in row["killers"]]
        alone = [row["name"] for row in kills if len(row["killers"]) == 1]
        some = ", ".join(f"`{name}`" for name in alone[:4]) + (", ..." if len(alone) > 4 else "")
        of_all = f" of {concerned}" if len(asked) < concerned else ""
        out.append(f"| {stage} | {len(asked)}{of_all} | {len(kills)} | {len(alone)} | {some or '-'} | {STAYS[stage]} |")
    if any(len([row for row in rows if stage in row["stages"]]) < sum(1 for row in rows if applies(stage, row))
           for stage in stages):
        out += ["", "Not every stage was asked about every mutant; *alone* is among those that were asked."]
    out += ["", "## Mutants", "", "A number is the seconds until the stage killed it; `.` it survived there; blank: not asked, since what "
            "is wrong cannot come up there.",
            "", f"| mutant | what is wrong | {' | '.join(stages)} |", f"|---|---|{'---|' * len(stages)}"]
    for row in rows:
        cells = []
        for stage in stages:
            result = row["stages"].get(stage)
            verdict = result["verdict"] if result else ""
            cells.append(f"{result['seconds']:.1f}" if verdict == "killed" else "." if verdict == "survived" else
                         "" if verdict in ("", "skipped") else verdict)
        wrong = row["wrong"] + (f" *Equivalent: {row['equivalent']}*" if row["equivalent"] else "")
        out.append(f"| `{row['name']}` | {wrong} | {' | '.join(cells)} |")
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(prog="./dev mutants", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, metavar="N", help="only N mutants, always the same ones")
    parser.add_argument("--mutant", action="append", default=[], metavar="NAME", help="only this one; may be repeated")
    parser.add_argument("--stage", action="append", default=[], choices=STAGES, help="only this stage; may be repeated")
    parser.add_argument("--first", action="store_true", help="leave a mutant as soon as one stage has killed it")
    parser.add_argument("--scale", type=float, default=1, metavar="X", help="X times the cases of each stage")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="mutants at a time; 2 unless given")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "mutants", metavar="DIR",
                        help="a build with mutants; build/mutants unless given")
    parser.add_argument("--docs", action="store_true", help="write docs/KILL-MATRIX.md")
    parser.add_argument("-o", "--output", choices=["table", "json"], default="table")
    options = parser.parse_args()
    mutants = registry(options.build)
    if unknown := set(options.mutant) - {mutant["name"] for mutant in mutants}:
        parser.error(f"there is no mutant {', '.join(sorted(unknown))}")
    if options.mutant:
        mutants = [mutant for mutant in mutants if mutant["name"] in options.mutant]
    if options.sample is not None:
        if options.sample < 1:
            parser.error("--sample: a whole number from 1")
        # Without those of the Go program: it takes minutes to build.
        mutants = sample([mutant for mutant in mutants if mutant["kind"] != SCHEDULER], options.sample)
    stages = [stage for stage in STAGES if not options.stage or stage in options.stage]

    def tree():
        """What a stage reads: a change during the run kills mutants that it does not kill."""
        files = [*(ROOT / "corpus").rglob("*.*"), options.build / "bin" / "reprieve"]
        return {file: file.stat().st_mtime_ns for file in files}

    began = time.monotonic()
    planted = planted_program(mutants)
    if planted is None:
        mutants = [mutant for mutant in mutants if mutant["kind"] != SCHEDULER]
    controls = [judge(options.build, {"name": "", "file": CORE, "kind": "control", "equivalent": ""}, stages, False,
                      options.scale, planted)]
    if planted:
        controls.append(judge(options.build, {"name": "", "file": "", "kind": SCHEDULER, "equivalent": ""}, stages,
                              False, options.scale, planted))
    for control in controls:
        if control["killers"] or control["broken"]:
            sys.exit(f"error: without a mutant {control['killers']} {control['broken']} found something: "
                     "nothing is proved")
    stages = [stage for stage in stages if controls[0]["stages"][stage]["verdict"] == "survived"]
    if not stages:
        sys.exit("error: no stage can run")
    before = tree()
    rows = [None] * len(mutants)
    # The dear stages last, each about every mutant, so that a run that is broken off has asked the others.
    for some in ([stage for stage in stages if stage not in DEAR], *([stage] for stage in DEAR if stage in stages)):
        concerned = [i for i, mutant in enumerate(mutants) if any(applies(stage, mutant) for stage in some)]
        with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
            for i, row in zip(concerned, pool.map(
                    lambda i: judge(options.build, mutants[i], some, options.first, options.scale, planted, rows[i]),
                    concerned)):
                rows[i] = row
                if options.output == "table":
                    print(line(row), flush=True)
        if tree() != before:
            sys.exit("error: the corpus or the program changed meanwhile: what was killed was perhaps killed by that")
        seconds = time.monotonic() - began
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = spent.ru_utime + spent.ru_stime
        if options.docs and some:
            DOCS.write_text(markdown([row for row in rows if row], stages, seconds, processor))
    rows = [row for row in rows if row]
    bad = [row for row in rows if is_bad(row)]
    if options.output == "json":
        print(json.dumps({"stages": stages, "seconds": round(seconds), "processorSeconds": round(processor),
                          "mutants": rows,
                          "failed": [row["name"] for row in bad]}, indent=2))
    else:
        killed = sum(1 for row in rows if row["killers"])
        skipped = [stage for stage in STAGES if stage not in stages and (not options.stage or stage in options.stage)]
        print(f"\n{killed} of {len(rows)} killed, in {seconds:.0f} s, {processor:.0f} s of processor time" +
              (f"; not asked: {', '.join(skipped)}" if skipped else ""))
        for row in bad:
            print("  " + line(row))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
