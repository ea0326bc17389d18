#!/usr/bin/env python3
"""Every stage of `reprieve check` in its long form, every fuzz target and the proofs, in the hours there are.

What a night leaves stays in build/nightly: state.json (where the seeds go on), findings/ (the smallest
cases), report.md (the last night on one page). Fuzz targets keep their corpus in build/fuzz-corpus and what
they found in build/fuzz-findings.
"""
import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOME = ROOT / "build" / "nightly"
REPRIEVE = ROOT / "build" / "release" / "bin" / "reprieve"

# Shares of the night. What repeats itself (corpus, vectors) takes what it takes.
STAGES = {"corpus": 0, "vectors": 0, "manifests": 2, "exhaustive": 6, "random": 14, "laws": 14, "fuzz": 6,
          "trace": 3, "live": 10, "certificates": 3, "operations": 0}
PROOFS = 5
AGREEMENT = 4  # both solvers at 6 pods x 2 resources x 2 budgets
FUZZING = 40
OTHERS = ("theorems", "agreement", "targets")
TRACED = {"trace", "certificates"}
NEW_SEEDS = {"manifests", "random", "laws", "fuzz", "live", *TRACED}
PER_NIGHT = 10**12  # seeds: no night reaches the next one's


def run(command, time_out=None):
    return subprocess.run(command, cwd=ROOT, text=True, capture_output=True, timeout=time_out, check=False)


class Night:
    def __init__(self, hours):
        self.seconds = hours * 3600
        self.lines = []
        self.findings = []
        self.state_file = HOME / "state.json"
        self.state = json.loads(self.state_file.read_text()) if self.state_file.exists() else {"night": 0, "from": 0}
        self.state["night"] += 1
        self.began = datetime.datetime.now().replace(microsecond=0)

    def say(self, what, verdict, seconds, text):
        self.lines.append((what, verdict, seconds, text))
        print(f"{what:28} {verdict:8} {seconds:8.0f}s  {text}", flush=True)

    def keep(self, name, text):
        folder = HOME / "findings"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{self.began:%Y-%m-%d}-{self.state['night']}-{name}"
        file.write_text(text)
        self.findings.append(file.relative_to(ROOT))

    def share(self, part):
        return max(1, int(self.seconds * part / (sum(STAGES.values()) + PROOFS + AGREEMENT + FUZZING)))

    def stage(self, name):
        command = [REPRIEVE, "check", "--full", "--only", name, "-o", "json"]
        if STAGES[name] > 0:
            command += ["--budget", str(self.share(STAGES[name]))]
        if name in NEW_SEEDS:
            command += ["--seed", str(self.state["night"] * PER_NIGHT)]
            # Preemptors are drawn before the first is decided, so there are no more than a night can decide.
            command += ["--preemptors", "100000"] if name in TRACED else ["--cases", str(PER_NIGHT)]
        if name == "exhaustive":
            command += ["--from", str(self.state["from"])]
        start = time.monotonic()
        ran = run(command)
        seconds = time.monotonic() - start
        try:
            report = json.loads(ran.stdout)["stages"][0]
        except (json.JSONDecodeError, KeyError, IndexError):
            verdict = "skipped" if "cannot run" in ran.stderr else "FAILED"
            return self.say(name, verdict, seconds, ran.stderr.strip().splitlines()[-1] if ran.stderr else "died")
        verdict = "FAILED" if report["verdict"] == "failed" else report["verdict"]
        self.say(name, verdict, seconds, report["what"])
        if name == "exhaustive" and verdict == "held":
            done = report["decisions"]
            self.state["from"] = self.state["from"] + done if report["notCovered"] else 0
        for number, finding in enumerate(report["findings"], 1):
            text = f"# {finding['title']}\n# repeat: {finding['repeat']}\n"
            text += "".join(f"# {line}\n" for line in finding["details"].splitlines())
            self.keep(f"{name}-{number}.yaml", text + finding.get("case", ""))
        return None

    def proofs(self):
        start = time.monotonic()
        command = [REPRIEVE, "prove", "--effort", "nightly", "--time", str(self.share(PROOFS)), "-o", "json"]
        try:
            ran = run(command, self.share(PROOFS) * 3)
            theorems = json.loads(ran.stdout)["theorems"]
        except (subprocess.TimeoutExpired, json.JSONDecodeError, KeyError) as error:
            return self.say("theorems", "FAILED", time.monotonic() - start, f"no answer: {error}")
        wrong = [theorem for theorem in theorems if not theorem["asExpected"]]
        unknown = [theorem["name"] for theorem in wrong if theorem["verdict"] == "unknown"]
        text = f"{len(theorems) - len(wrong)} of {len(theorems)} as expected, at the bounds of the night"
        if unknown:
            text += f"; not decided in the time: {', '.join(unknown)}"
        self.say("theorems", "FAILED" if wrong else "held", time.monotonic() - start, text)
        for theorem in wrong:
            if theorem["verdict"] != "unknown":
                self.keep(f"theorem-{theorem['name']}.json", json.dumps(theorem, indent=2) + "\n")
        return None

    def agreement(self):
        """What the second solver decides, and whether it says the same (smt/README.md)."""
        start = time.monotonic()
        share = self.share(AGREEMENT)
        command = [REPRIEVE, "prove", "--second-opinion", "--bounds", "6x2x2", "--time", str(share),
                   "--seed", str(self.state["night"]), "-o", "json"]
        try:
            ran = run(command, share * 3)
            if ran.returncode == 2 and "no cvc5" in ran.stderr:
                return self.say("second opinion", "skipped", time.monotonic() - start, ran.stderr.strip())
            opinions = {theorem["name"]: theorem["secondOpinion"] for theorem in json.loads(ran.stdout)["theorems"]}
        except (subprocess.TimeoutExpired, json.JSONDecodeError, KeyError) as error:
            return self.say("second opinion", "FAILED", time.monotonic() - start, f"no answer: {error}")
        agreed, queries = (sum(each[field] for each in opinions.values()) for field in ("agreed", "queries"))
        faults = [name for name, each in opinions.items() if each["fault"]]
        text = f"agrees on {agreed} of {queries} queries" + (f"; faults: {', '.join(faults)}" if faults else "")
        return self.say("second opinion", "FAILED" if ran.returncode else "held", time.monotonic() - start, text)

    def targets(self):
        """One after the other, with sanitizers; what was found before is replayed first."""
        listed = ROOT / "build/fuzz/fuzz/targets"
        if not listed.exists():
            subprocess.run(["cmake", "--preset", "fuzz"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        names = [line.split()[0] for line in listed.read_text().splitlines()]
        for name in names:
            each = max(1, self.share(FUZZING) // len(names))
            start = time.monotonic()
            ran = run(["./dev", "fuzz", name, str(each), "fuzz"])
            last = (ran.stdout.strip() or ran.stderr.strip() or "died").splitlines()[-1]
            self.say(name, "held" if ran.returncode == 0 else "FAILED", time.monotonic() - start, last)
            if ran.returncode != 0:
                self.keep(f"{name}.log", (ROOT / "build/fuzz-findings" / name / "log").read_text(errors="replace"))

    def page(self):
        failed = [what for what, verdict, _, _ in self.lines if verdict == "FAILED"]
        commit = run(["git", "rev-parse", "--short", "HEAD"]).stdout.strip() or "unknown"
        text = f"# Night {self.state['night']}: {'FAILED: ' + ', '.join(failed) if failed else 'held'}\n\n"
        text += f"Commit {commit}, from {self.began.isoformat(' ')}, {self.seconds / 3600:g} hours asked for.\n\n"
        text += "| what | verdict | seconds | covered |\n|---|---|---|---|\n"
        for what, verdict, seconds, told in self.lines:
            told = told.replace("|", "\\|")
            text += f"| {what} | {verdict} | {seconds:.0f} | {told} |\n"
        text += "\nFindings:\n" + "".join(f"- {file}\n" for file in self.findings) if self.findings else "\nNo findings.\n"
        (HOME / "report.md").write_text(text)
        self.state_file.write_text(json.dumps(self.state) + "\n")
        print(f"\nThe page: {(HOME / 'report.md').relative_to(ROOT)}")
        return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(prog="./dev nightly", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=8.0, help="how long the night is (8)")
    parser.add_argument("--only", help="stages, 'theorems', 'agreement' or 'targets', comma-separated")
    options = parser.parse_args()
    if not options.hours > 0:
        parser.error("--hours: must be more than 0")
    only = set(options.only.split(",")) if options.only else {*STAGES, *OTHERS}
    unknown = only - {*STAGES, *OTHERS}
    if unknown:
        parser.error(f"--only: there is no {', '.join(sorted(unknown))}")
    HOME.mkdir(parents=True, exist_ok=True)
    night = Night(options.hours)
    for name in STAGES:
        if name in only:
            night.stage(name)
    if "theorems" in only:
        night.proofs()
    if "agreement" in only:
        night.agreement()
    if "targets" in only:
        night.targets()
    return night.page()


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    sys.exit(main())
