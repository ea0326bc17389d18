#!/usr/bin/env python3
"""A subject in ten lines: CPU only, one rule. "Evict the least important pods until the preemptor fits."

It is a sensible rule, and not the one of kube-scheduler, which takes all of them off and puts back,
the most important first, whatever still fits. docs/SUBJECTS.md shows how `reprieve check` says so.
"""

import json
import sys


def cpu(pod_or_node):  # in millicores
    lists = [c.get("resources", {}).get("requests", {}) for c in pod_or_node["spec"].get("containers", [])]
    lists.append(pod_or_node.get("status", {}).get("allocatable", {}))
    texts = [str(amounts.get("cpu", "0")) for amounts in lists]
    return sum(int(text[:-1]) if text.endswith("m") else 1000 * int(text) for text in texts)


def full_name(pod):
    return f"{pod['metadata']['namespace']}/{pod['metadata']['name']}"


def decide(preemptor, nodes, pods):
    answer = {}
    for node in nodes:
        here = [p for p in pods if p["spec"].get("nodeName") == node["metadata"]["name"]]
        less = sorted((p for p in here if p["spec"]["priority"] < preemptor["spec"]["priority"]),
                      key=lambda p: (-p["spec"]["priority"], p["status"]["startTime"]))  # by importance
        victims = []
        short = sum(map(cpu, here)) + cpu(preemptor) - cpu(node)
        while short > 0 and less:
            victims.insert(0, less.pop())
            short -= cpu(victims[0])
        if short <= 0:
            answer[node["metadata"]["name"]] = victims
    return answer


for line in sys.stdin:
    asked = json.loads(line)
    pods = {full_name(o): o for o in asked["objects"] if o["kind"] == "Pod"}
    nodes = [o for o in asked["objects"] if o["kind"] == "Node"]
    found = decide(pods[asked["preemptor"]], nodes, list(pods.values()))
    answer = {"id": asked["id"], "outcome": "no-candidate"}
    if not all(found.values()):  # some node needs no victims
        answer["outcome"] = "fits"
    elif found:
        best = min(found, key=lambda n: (found[n][0]["spec"]["priority"], len(found[n])))
        answer |= {"outcome": "nominated", "nominated": [best], "nodes": {
            best: {"status": "candidate", "victims": list(map(full_name, found[best])), "violations": 0}}}
    print(json.dumps(answer), flush=True)
