package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// question is a request, understood.
type question struct {
	cluster   *cluster
	preemptor *v1.Pod
	sampling  *sampling
	extenders []*extender
}

// understand reads everything of a request but its id and timing.
func (d *decoder) understand(r *request) (*question, error) {
	how, err := readPolicy(r.Policy)
	if err != nil {
		return nil, err
	}
	asked, err := newExtenders(r.Extenders)
	if err != nil {
		return nil, err
	}
	found, err := d.read(r.Objects)
	if err != nil {
		return nil, err
	}
	q := &question{cluster: found, sampling: how, extenders: asked}
	for _, pod := range found.pods {
		if podName(pod) == r.Preemptor {
			q.preemptor = pod
		}
	}
	switch {
	case q.preemptor == nil:
		return nil, fmt.Errorf("preemptor %q is not among the objects", r.Preemptor)
	case q.preemptor.Spec.NodeName != "":
		return nil, fmt.Errorf("preemptor %q already runs on a node", r.Preemptor)
	case len(q.preemptor.Spec.ResourceClaims) > 0:
		return nil, fmt.Errorf("preemptor %q has resource claims, which this program does not run", r.Preemptor)
	}
	return q, nil
}

// decide runs a scheduling cycle up to and including preemption, as schedule_one.go does:
// PreFilter, Filter on every node with nominated pods counted in, then Evaluator.Preempt.
func (s *scheduler) decide(ctx context.Context, q *question) *response {
	if len(q.cluster.nodes) == 0 {
		return &response{outcome: outcomeNoCandidate, cleared: ownNomination(q.preemptor)} // ErrNoNodesAvailable
	}
	s.load(ctx, q.cluster, q.preemptor)
	defer s.framework.SetPodNominator(s.emptyQueue)

	filtered, err := s.filter(ctx, q)
	if err != nil {
		return errorResponse("%v", err)
	}
	if filtered.fits() {
		return &response{outcome: outcomeFits, nodes: filtered.results(nil)}
	}
	return s.preempt(ctx, q, filtered)
}

func ownNomination(preemptor *v1.Pod) []string {
	if preemptor.Status.NominatedNodeName == "" {
		return nil
	}
	return []string{podName(preemptor)}
}

// filterResult is the scheduler's diagnosis. As a NodeToStatusReader it lists potential nodes in input
// order where the real one walks a map.
type filterResult struct {
	*framework.NodeToStatus
	state    fwk.CycleState
	nodes    []*v1.Node
	feasible sets.Set[string]
	order    map[string]int
}

func (f *filterResult) fits() bool { return len(f.feasible) > 0 }

func (f *filterResult) NodesForStatusCode(nodes fwk.NodeInfoLister, code fwk.Code) ([]fwk.NodeInfo, error) {
	found, err := f.NodeToStatus.NodesForStatusCode(nodes, code)
	found = slices.Clone(found) // may be the snapshot's own list
	sortByNode(found, f.order)
	return found, err
}

// filter is findNodesThatFitPod, except that it goes on after a node that fits.
func (s *scheduler) filter(ctx context.Context, q *question) (*filterResult, error) {
	f := &filterResult{
		NodeToStatus: framework.NewDefaultNodeToStatus(),
		state:        framework.NewCycleState(),
		nodes:        q.cluster.nodes,
		feasible:     sets.New[string](),
		order:        make(map[string]int, len(q.cluster.nodes)),
	}
	for i, node := range q.cluster.nodes {
		f.order[node.Name] = i
	}
	restricted, status, rejecting := s.framework.RunPreFilterPlugins(ctx, f.state, q.preemptor)
	if !status.IsSuccess() {
		if !status.IsRejected() {
			return nil, status.AsError()
		}
		f.SetAbsentNodesStatus(status)
		return f, nil
	}
	check := func(name string) error {
		node, err := s.snapshot.NodeInfos().Get(name)
		if err != nil {
			return nil // PreFilter, or a nomination, named a node that does not exist
		}
		status := s.framework.RunFilterPluginsWithNominatedPods(ctx, f.state, q.preemptor, node)
		switch {
		case status.Code() == fwk.Error:
			return status.AsError()
		case status.IsSuccess():
			f.feasible.Insert(name)
		default:
			f.Set(name, status)
		}
		return nil
	}
	// The nominated node is looked at first, and even when PreFilter excluded it (evaluateNominatedNode);
	// an error there is only logged.
	if nominated := q.preemptor.Status.NominatedNodeName; nominated != "" && !planted("nominated-node-not-looked-at") {
		_ = check(nominated)
	}
	if !restricted.AllNodes() {
		f.SetAbsentNodesStatus(fwk.NewStatus(fwk.UnschedulableAndUnresolvable,
			fmt.Sprintf("node(s) didn't satisfy plugin(s) %v", sets.List(rejecting))))
	}
	for _, node := range q.cluster.nodes {
		if restricted.AllNodes() || restricted.NodeNames.Has(node.Name) {
			if err := check(node.Name); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// results tells each node's story: its filter status, and over that what the dry run found.
func (f *filterResult) results(tried map[string]dryRun) []nodeResult {
	results := make([]nodeResult, 0, len(f.nodes))
	for _, node := range f.nodes {
		result := nodeResult{name: node.Name}
		if run, ok := tried[node.Name]; ok {
			result.describe(run)
		} else if f.feasible.Has(node.Name) {
			result.status = statusFits
		} else {
			status := f.Get(node.Name)
			result.status, result.reasons = statusUnresolvable, status.Reasons()
			if status.Code() == fwk.Unschedulable {
				result.status = statusUnschedulable
			}
		}
		results = append(results, result)
	}
	return results
}

func (n *nodeResult) describe(run dryRun) {
	switch {
	case !run.status.IsSuccess():
		n.status, n.reasons = statusUnschedulable, run.status.Reasons()
	case len(run.pods) == 0:
		n.status, n.reasons = statusUnschedulable, []string{fmt.Sprintf("expected at least one victim pod on node %q", n.name)}
	default:
		n.setCandidate(run.pods, int64(run.violations))
	}
}

func (n *nodeResult) setCandidate(pods []*v1.Pod, violations int64) {
	n.status, n.reasons, n.violations = statusCandidate, nil, violations
	if planted("violations-not-told") {
		n.violations = 0
	}
	n.victims = make([]string, len(pods))
	for i, pod := range pods {
		n.victims[i] = podName(pod)
	}
}

// preempt runs the real Evaluator.Preempt, with extenders and the clearing of nominations, and puts
// together what it passed by.
func (s *scheduler) preempt(ctx context.Context, q *question, filtered *filterResult) *response {
	plugin, err := s.preemptionFor(ctx, q.sampling)
	if err != nil {
		return errorResponse("%v", err)
	}
	r := &recorder{DefaultPreemption: plugin, sampling: q.sampling, nodes: make(map[string]dryRun, len(q.cluster.nodes))}
	evaluator := evaluatorFor(r, s, q.extenders)
	evictions := s.countEvictions(plugin)
	result, status := evaluator.Preempt(ctx, filtered.state, q.preemptor, filtered)

	answer := &response{nodes: filtered.results(r.nodes)}
	switch {
	case r.asked && !r.eligible:
		answer.outcome, answer.reason = outcomeIneligible, r.reason
	case status.IsSuccess():
		winner := result.NominatedNodeName
		final := r.final(q.extenders, winner)
		awaitEviction(plugin.Executor, q.preemptor, final[winner], evictions)
		answer.outcome = outcomeNominated
		answer.nominated = tie(ctx, evaluator, q.cluster.nodes, final, winner)
		answer.applyExtenders(q.extenders, final)
		if first := answer.nominated[0]; first != winner {
			s.nominate(ctx, q, filtered, plugin, &candidate{first, final[first]})
		}
		if answer.cleared = inInputOrder(q.cluster.pods, s.client.core.log.take()); planted("clearings-not-told") {
			answer.cleared = nil
		}
	case status.IsRejected():
		answer.outcome = outcomeNoCandidate
		answer.applyExtenders(q.extenders, r.final(q.extenders, ""))
		// A nil result leaves the preemptor's own nomination alone; an empty node name clears it.
		if result != nil && result.NominatedNodeName == "" {
			answer.cleared = ownNomination(q.preemptor)
		}
	default:
		return errorResponse("%s", status.Message())
	}
	return answer
}

// evaluatorFor is the plugin's evaluator with the request's extenders and the recorder in between.
func evaluatorFor(r *recorder, s *scheduler, extenders []*extender) *preemption.Evaluator {
	h := &handle{Handle: s.framework}
	for _, e := range extenders {
		h.extenders = append(h.extenders, e)
	}
	evaluator := *r.Evaluator
	evaluator.Handler, evaluator.Interface = h, r
	return &evaluator
}

// countEvictions takes the eviction itself out and counts in its place.
func (s *scheduler) countEvictions(plugin *defaultpreemption.DefaultPreemption) *atomic.Int32 {
	s.client.core.log.take()
	evictions := &atomic.Int32{}
	onPreemptPod(plugin.Executor, func() { evictions.Add(1) })
	return evictions
}

// nominate runs Evaluator.Preempt once more with one candidate. Of a tie the real scheduler took any;
// here the first in input order is the chosen one, so the nominations cleared must be those on it.
func (s *scheduler) nominate(ctx context.Context, q *question, filtered *filterResult, plugin *defaultpreemption.DefaultPreemption, chosen *candidate) {
	evaluator := evaluatorFor(&recorder{DefaultPreemption: plugin, only: chosen}, s, nil)
	evictions := s.countEvictions(plugin)
	if _, status := evaluator.Preempt(ctx, filtered.state, q.preemptor, filtered); status.IsSuccess() {
		awaitEviction(plugin.Executor, q.preemptor, chosen.victims, evictions)
	}
}

// final is the candidates that were ranked: the last extender's answer, else those of the dry run.
func (r *recorder) final(extenders []*extender, winner string) map[string]*extenderv1.Victims {
	final := r.candidates
	if final == nil && winner != "" { // a lone candidate is returned without being looked at
		run := r.nodes[winner]
		final = map[string]*extenderv1.Victims{winner: {Pods: run.pods, NumPDBViolations: int64(run.violations)}}
	}
	for _, e := range extenders {
		if e.called {
			final = e.answer
		}
	}
	return final
}

// applyExtenders overwrites the dry run's candidates with what the extenders made of them.
func (a *response) applyExtenders(extenders []*extender, final map[string]*extenderv1.Victims) {
	if !slices.ContainsFunc(extenders, func(e *extender) bool { return e.called }) {
		return
	}
	for i := range a.nodes {
		node := &a.nodes[i]
		if victims, ok := final[node.name]; ok && victims != nil {
			node.setCandidate(victims.Pods, victims.NumPDBViolations)
		} else if node.status == statusCandidate {
			node.status, node.victims, node.violations = statusUnschedulable, nil, 0
		}
	}
}

// pairTrials is how often two candidates are compared each way round before they count as unequal.
// SelectCandidate walks a map, so of equals either may win. In Go 1.26 the walk over a small map
// begins at one of eight slots, in order of insertion: of two equals the first is chosen seven times
// in eight, and a tie is missed once in 2^30, or once in 2^24 should the order not matter.
const pairTrials = 12

// tie asks the scheduler's own ordering which candidates equal the winner. In input order.
func tie(ctx context.Context, evaluator *preemption.Evaluator, nodes []*v1.Node, final map[string]*extenderv1.Victims, winner string) []string {
	best := &candidate{winner, final[winner]}
	var tied []string
	for _, node := range nodes {
		victims, ok := final[node.Name]
		if !ok {
			continue
		}
		if node.Name == winner || !planted("tie-not-asked-for") && ties(ctx, evaluator, best, &candidate{node.Name, victims}) {
			tied = append(tied, node.Name)
		}
	}
	return tied
}

func ties(ctx context.Context, evaluator *preemption.Evaluator, best, other *candidate) bool {
	for range pairTrials {
		for _, pair := range [][]preemption.Candidate{{other, best}, {best, other}} {
			if evaluator.SelectCandidate(ctx, pair).Name() == other.name {
				return true
			}
		}
	}
	return false
}

// awaitEviction waits for the goroutine that clears nominations and then evicts. It is not started
// when every victim is already terminating (Executor.prepareCandidateAsync).
func awaitEviction(executor *preemption.Executor, preemptor *v1.Pod, victims *extenderv1.Victims, evictions *atomic.Int32) {
	var wanted int32
	for _, pod := range victims.Pods {
		if pod.DeletionTimestamp == nil {
			wanted++
		}
	}
	for evictions.Load() < wanted || executor.IsPodRunningPreemption(preemptor.UID) {
		runtime.Gosched()
	}
}

func inInputOrder(pods []*v1.Pod, names []string) []string {
	if len(names) == 0 {
		return nil
	}
	wanted := sets.New(names...)
	var ordered []string
	for _, pod := range pods {
		if name := podName(pod); wanted.Has(name) {
			ordered = append(ordered, name)
		}
	}
	return ordered
}
