package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"

	extenderv1 "k8s.io/kube-scheduler/extender/v1"
)

func TestMain(m *testing.M) {
	setUpKubernetes(-1)
	os.Exit(m.Run())
}

// Objects as text, so that a test shows what a request carries.

func node(name, cpu string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Node","metadata":{"name":%q,"labels":{"kubernetes.io/hostname":%q}},`+
		`"status":{"allocatable":{"cpu":%q,"memory":"8Gi","pods":"10"}}}`, name, name, cpu)
}

type pod struct {
	name, on, nominated, cpu, start, labels, metadata, spec, status string
	priority                                                        int
}

func (p pod) String() string {
	if p.cpu == "" {
		p.cpu = "1"
	}
	if p.start == "" {
		p.start = "2026-01-01T00:00:00Z"
	}
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":%q,"labels":{%s}%s},`+
		`"spec":{"priority":%d,"nodeName":%q,"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":%q}}}]%s},`+
		`"status":{"startTime":%q,"nominatedNodeName":%q%s}}`,
		p.name, p.labels, p.metadata, p.priority, p.on, p.cpu, p.spec, p.start, p.nominated, p.status)
}

func budget(name, selector string, allowed int) string {
	return fmt.Sprintf(`{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":%q},`+
		`"spec":{"selector":{"matchLabels":{%s}}},"status":{"disruptionsAllowed":%d}}`, name, selector, allowed)
}

func ask(extra string, objects ...any) string {
	texts := make([]string, len(objects))
	for i, object := range objects {
		texts[i] = fmt.Sprint(object)
	}
	return fmt.Sprintf(`{"id":"t","preemptor":"default/in","objects":[%s]%s}`, strings.Join(texts, ","), extra)
}

// reply is a response as another program reads it.
type reply struct {
	ID        any      `json:"id"`
	Outcome   string   `json:"outcome"`
	Reason    string   `json:"reason"`
	Nominated []string `json:"nominated"`
	Cleared   []string `json:"cleared"`
	Nodes     map[string]struct {
		Status     string   `json:"status"`
		Reasons    []string `json:"reasons"`
		Victims    []string `json:"victims"`
		Violations int      `json:"violations"`
	} `json:"nodes"`
	Timing *timingResult `json:"timing"`
}

func replies(t *testing.T, parallel int, lines ...string) []reply {
	t.Helper()
	var out bytes.Buffer
	if err := serve(context.Background(), strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, parallel); err != nil {
		t.Fatal(err)
	}
	var found []reply
	for line := range strings.SplitSeq(strings.TrimSpace(out.String()), "\n") {
		var r reply
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		found = append(found, r)
	}
	if len(found) != len(lines) {
		t.Fatalf("%d answers to %d lines", len(found), len(lines))
	}
	return found
}

// summary is "outcome nominated/cleared node=status:victims*violations|reasons ..." in node order n1, n2, ...
func (r reply) summary() string {
	text := fmt.Sprintf("%s %v/%v", r.Outcome, r.Nominated, r.Cleared)
	if r.Outcome == outcomeError || r.Outcome == outcomeIneligible {
		text += " " + r.Reason
	}
	for i := 1; i <= len(r.Nodes); i++ {
		name := fmt.Sprintf("n%d", i)
		n := r.Nodes[name]
		text += fmt.Sprintf(" %s=%s", name, n.Status)
		if n.Status == statusCandidate {
			text += fmt.Sprintf(":%v*%d", n.Victims, n.Violations)
		} else if len(n.Reasons) > 0 {
			text += fmt.Sprintf(":%q", n.Reasons)
		}
	}
	return text
}

const terminating = `,"deletionTimestamp":"2026-01-02T00:00:00Z"`

// two equal nodes, each full with one pod of priority 1 (q on n1, r on n2), and the preemptor.
var twoFullNodes = []any{node("n1", "1"), node("n2", "1"), pod{name: "q", on: "n1", priority: 1},
	pod{name: "r", on: "n2", priority: 1}, pod{name: "in", priority: 10}}

func with(objects []any, more ...any) []any { return append(append([]any{}, objects...), more...) }

var cases = []struct {
	name     string
	question string
	want     string
}{
	{"a node with room fits, and the others say why not",
		ask("", node("n1", "1"), node("n2", "2"), pod{name: "q", on: "n1"}, pod{name: "in", priority: 10}),
		`fits []/[] n1=unschedulable:["Insufficient cpu"] n2=fits`},
	{"every node of the final tie is nominated, in input order",
		ask("", twoFullNodes...),
		`nominated [n1 n2]/[] n1=candidate:[default/q]*0 n2=candidate:[default/r]*0`},
	{"the later start wins at the fifth level",
		ask("", node("n1", "1"), node("n2", "1"), pod{name: "q", on: "n1"},
			pod{name: "r", on: "n2", start: "2026-01-01T00:00:01Z"}, pod{name: "in", priority: 10}),
		`nominated [n2]/[] n1=candidate:[default/q]*0 n2=candidate:[default/r]*0`},
	{"a request above allocatable is unresolvable and equal priority leaves no victims",
		ask("", node("n1", "500m"), node("n2", "1"), pod{name: "q", on: "n2", priority: 10}, pod{name: "in", priority: 10}),
		`no-candidate []/[] n1=unresolvable:["Insufficient cpu"] n2=unschedulable:["No preemption victims found for incoming pod"]`},
	{"preemptionPolicy Never is ineligible",
		ask("", node("n1", "1"), pod{name: "q", on: "n1"}, pod{name: "in", priority: 10, spec: `,"preemptionPolicy":"Never"`}),
		`ineligible []/[] not eligible due to preemptionPolicy=Never. n1=unschedulable:["Insufficient cpu"]`},
	{"a lower nomination to the chosen node is cleared, an equal one counts as running",
		ask("", node("n1", "2"), pod{name: "q", on: "n1", priority: 1, cpu: "2"},
			pod{name: "low", nominated: "n1", priority: 5}, pod{name: "high", nominated: "n1", priority: 10}, pod{name: "in", priority: 10}),
		`nominated [n1]/[default/low] n1=candidate:[default/q]*0`},
	{"of a tie, the first node's nominations are cleared",
		ask("", with(twoFullNodes, pod{name: "low", nominated: "n1", priority: 5}, pod{name: "lower", nominated: "n2", priority: 4})...),
		`nominated [n1 n2]/[default/low] n1=candidate:[default/q]*0 n2=candidate:[default/r]*0`},
	{"nothing is cleared when every victim is already terminating",
		ask("", node("n1", "1"), pod{name: "q", on: "n1", metadata: terminating},
			pod{name: "low", nominated: "n1", priority: 5}, pod{name: "in", priority: 10}),
		`nominated [n1]/[] n1=candidate:[default/q]*0`},
	{"without a candidate the preemptor's own nomination is cleared",
		ask("", node("n1", "500m"), pod{name: "in", nominated: "n1", priority: 10}),
		`no-candidate []/[default/in] n1=unresolvable:["Insufficient cpu"]`},
	{"an exhausted budget counts as a violation",
		ask("", node("n1", "1"), pod{name: "q", on: "n1", labels: `"a":"b"`}, budget("b", `"a":"b"`, 0), pod{name: "in", priority: 10}),
		`nominated [n1]/[] n1=candidate:[default/q]*1`},
	{"a priority class gives the priority that a pod does not state",
		ask("", node("n1", "1"), pod{name: "q", on: "n1"},
			`{"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"high"},"value":10,"preemptionPolicy":"Never"}`,
			`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"in"},"spec":{"priorityClassName":"high",`+
				`"containers":[{"name":"c","image":"i","resources":{"limits":{"cpu":"1"}}}]}}`),
		`ineligible []/[] not eligible due to preemptionPolicy=Never. n1=unschedulable:["Insufficient cpu"]`},
	{"an extender drops a candidate and counts violations of its own",
		ask(`,"extenders":[{"name":"e","answer":{"n2":{"victims":["default/r"],"violations":3}}}]`, twoFullNodes...),
		`nominated [n2]/[] n1=unschedulable n2=candidate:[default/r]*3`},
	{"an extender's error is fatal",
		ask(`,"extenders":[{"name":"e","error":"no"}]`, twoFullNodes...),
		`error []/[] extender e: no`},
	{"an ignorable extender's error is skipped",
		ask(`,"extenders":[{"name":"e","ignorable":true,"error":"no"}]`, twoFullNodes...),
		`nominated [n1 n2]/[] n1=candidate:[default/q]*0 n2=candidate:[default/r]*0`},
	{"an empty victim list drops only that node of an ignorable extender",
		ask(`,"extenders":[{"name":"e","ignorable":true,"answer":{"n1":[],"n2":["default/r"]}}]`, twoFullNodes...),
		`nominated [n2]/[] n1=unschedulable n2=candidate:[default/r]*0`},
	{"an extender that is not interested in the pod is not asked",
		ask(`,"extenders":[{"name":"e","managedResources":["example.com/gpu"],"error":"no"}]`, twoFullNodes...),
		`nominated [n1 n2]/[] n1=candidate:[default/q]*0 n2=candidate:[default/r]*0`},
	{"when extenders drop every candidate the preemptor keeps its nomination",
		ask(`,"extenders":[{"name":"e","answer":{}}]`, node("n1", "1"), pod{name: "q", on: "n1"},
			pod{name: "in", nominated: "n1", priority: 10}),
		`no-candidate []/[] n1=unschedulable`},
	{"sampling stops at the first candidate from the offset",
		ask(`,"policy":{"spec":{"sampling":{"minPercentage":1,"minAbsolute":1,"offset":1}}}`, twoFullNodes...),
		`nominated [n2]/[] n1=unschedulable:["Insufficient cpu"] n2=candidate:[default/r]*0`},
	{"a policy that the real scheduler does not have is an error",
		ask(`,"policy":"exact"`, twoFullNodes...),
		`error []/[] this is kube-scheduler ` + release() + `: it cannot follow policy "exact"`},
	{"an object that occurs twice is an error",
		ask("", node("n1", "1"), node("n1", "1"), pod{name: "in"}),
		`error []/[] objects[1]: Node n1 occurs twice`},
	{"a preemptor that is absent is an error",
		ask("", node("n1", "1")),
		`error []/[] preemptor "default/in" is not among the objects`},
}

func TestDecides(t *testing.T) {
	var lines []string
	for _, c := range cases {
		lines = append(lines, c.question)
	}
	// Many times in one process: nothing of one case may be seen by the next, and no answer is by chance.
	for round, parallel := range []int{1, 1, 3, 1, 1, 1, 1, 1, 1, 1} {
		for i, r := range replies(t, parallel, lines...) {
			if got := r.summary(); got != cases[i].want {
				t.Errorf("%s (round %d)\n got %s\nwant %s", cases[i].name, round, got, cases[i].want)
			}
		}
	}
}

func TestBudgetsAreChargedInInputOrder(t *testing.T) {
	// a and b share budget one; only b is in budget two. 1.37 stops charging b at the first budget that
	// goes below zero, so whether `two` is charged depends on the order; then c is violating or not.
	objects := func(first, second string) []any {
		return []any{node("n1", "3"), first, second,
			pod{name: "a", on: "n1", priority: 3, labels: `"one":"1"`},
			pod{name: "b", on: "n1", priority: 2, labels: `"one":"1","two":"2"`},
			pod{name: "c", on: "n1", priority: 1, labels: `"two":"2"`},
			pod{name: "in", priority: 10, cpu: "3"}}
	}
	one, two := budget("one", `"one":"1"`, 1), budget("two", `"two":"2"`, 1)
	answers := replies(t, 1, ask("", objects(one, two)...), ask("", objects(two, one)...))
	want := []int{1, 2}
	if policyCharging == "everyBudget" {
		want = []int{2, 2}
	}
	for i, r := range answers {
		if got := r.Nodes["n1"].Violations; got != want[i] {
			t.Errorf("order %d: %d violations, want %d", i, got, want[i])
		}
	}
}

func TestABadLineIsAnsweredAndTheRunGoesOn(t *testing.T) {
	answers := replies(t, 1, `{"id":`, `{"id":"x","objects":5}`, cases[0].question)
	for i, id := range []any{nil, "x", "t"} {
		if answers[i].ID != id {
			t.Errorf("answer %d has id %v, want %v", i, answers[i].ID, id)
		}
	}
	if answers[0].Outcome != outcomeError || answers[1].Outcome != outcomeError || answers[2].Outcome != outcomeFits {
		t.Errorf("outcomes %s, %s, %s", answers[0].Outcome, answers[1].Outcome, answers[2].Outcome)
	}
}

func TestAnExtenderIsAskedOverHTTP(t *testing.T) {
	for _, cached := range []bool{false, true} {
		var asked extenderv1.ExtenderPreemptionArgs
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked = extenderv1.ExtenderPreemptionArgs{}
			_ = json.NewDecoder(r.Body).Decode(&asked)
			_ = json.NewEncoder(w).Encode(extenderv1.ExtenderPreemptionResult{NodeNameToMetaVictims: map[string]*extenderv1.MetaVictims{
				"n2": {Pods: []*extenderv1.MetaPod{{UID: "default/r"}}},
			}})
			if r.URL.Path != "/x/preempt" {
				t.Errorf("asked %s", r.URL.Path)
			}
		}))
		question := ask(fmt.Sprintf(`,"extenders":[{"name":"e","url":"%s/x","nodeCacheCapable":%v}]`, server.URL, cached), twoFullNodes...)
		if got := replies(t, 1, question)[0].summary(); got != `nominated [n2]/[] n1=unschedulable n2=candidate:[default/r]*0` {
			t.Errorf("cached %v: %s", cached, got)
		}
		if len(asked.NodeNameToVictims) == 0 == !cached || len(asked.NodeNameToMetaVictims) == 0 == cached {
			t.Errorf("cached %v: asked with %d whole and %d meta victims", cached, len(asked.NodeNameToVictims), len(asked.NodeNameToMetaVictims))
		}
		server.Close()
	}
}

func TestATimingRequestMeasuresBothParallelisms(t *testing.T) {
	r := replies(t, 1, ask(`,"timing":{"repetitions":3}`, twoFullNodes...))[0]
	if r.Outcome != outcomeNominated || r.Timing == nil || r.Timing.Candidates != 2 || r.Timing.PotentialNodes != 2 {
		t.Fatalf("%+v", r)
	}
	var workers []int
	for _, run := range r.Timing.Runs {
		workers = append(workers, run.Workers)
		if len(run.PreemptNanoseconds) != 3 {
			t.Errorf("%d measurements", len(run.PreemptNanoseconds))
		}
	}
	if !reflect.DeepEqual(workers, []int{1, defaultParallelism}) {
		t.Errorf("workers %v", workers)
	}
}

func TestAPanicInAPluginIsAnError(t *testing.T) {
	w, err := newWorker(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	w.scheduler.snapshot = nil // the next case panics where it loads its cluster
	var first, second reply
	if err := json.Unmarshal(w.answer(context.Background(), []byte(cases[0].question), nil), &first); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(w.answer(context.Background(), []byte(cases[0].question), nil), &second); err != nil {
		t.Fatal(err)
	}
	if first.Outcome != outcomeError || second.Outcome != outcomeFits {
		t.Errorf("outcomes %s, then %s", first.Outcome, second.Outcome)
	}
}
