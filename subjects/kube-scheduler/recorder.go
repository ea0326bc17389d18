package main

import (
	"context"
	"sync"

	v1 "k8s.io/api/core/v1"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// recorder is the DefaultPreemption plugin as the evaluator calls it back. It changes nothing but
// the random offset, and notes what passes by: Evaluator.Preempt itself reports only the winner.
type recorder struct {
	*defaultpreemption.DefaultPreemption
	sampling *sampling  // nil: every node is tried and every candidate kept
	only     *candidate // not nil: nothing is tried, this is the one candidate

	asked      bool // whether eligibility was decided, and how
	eligible   bool
	reason     string
	candidates map[string]*extenderv1.Victims // of the dry run, when the evaluator looked at them

	mu    sync.Mutex // the dry run has many workers
	nodes map[string]dryRun
}

// dryRun is what SelectVictimsOnNode answered for one node.
type dryRun struct {
	pods       []*v1.Pod
	violations int
	status     *fwk.Status
}

func (r *recorder) note(node string, pods []*v1.Pod, violations int, status *fwk.Status) {
	r.mu.Lock()
	r.nodes[node] = dryRun{pods, violations, status}
	r.mu.Unlock()
}

// replay answers SelectVictimsOnNode from a candidate that is known already.
func (c *candidate) replay(node string) ([]*v1.Pod, int, *fwk.Status) {
	if node != c.name {
		return nil, 0, fwk.NewStatus(fwk.Unschedulable)
	}
	return c.victims.Pods, int(c.victims.NumPDBViolations), nil
}

func (r *recorder) GetOffsetAndNumCandidates(nodes int32) (int32, int32) {
	if r.sampling == nil {
		return 0, nodes + 1 // one more than there can be: the dry run never stops early
	}
	_, wanted := r.DefaultPreemption.GetOffsetAndNumCandidates(nodes)
	if planted("offset-not-taken") {
		return 0, wanted
	}
	return r.sampling.Offset % nodes, wanted
}

func (r *recorder) PodEligibleToPreemptOthers(ctx context.Context, pod *v1.Pod, nominatedNodeStatus *fwk.Status) (bool, string) {
	r.asked = true
	r.eligible, r.reason = r.DefaultPreemption.PodEligibleToPreemptOthers(ctx, pod, nominatedNodeStatus)
	return r.eligible, r.reason
}

func (r *recorder) CandidatesToVictimsMap(candidates []preemption.Candidate) map[string]*extenderv1.Victims {
	victims := r.DefaultPreemption.CandidatesToVictimsMap(candidates)
	if r.candidates == nil {
		r.candidates = make(map[string]*extenderv1.Victims, len(victims))
		for node, found := range victims {
			r.candidates[node] = found
		}
	}
	return victims
}

// candidate is one node for Evaluator.SelectCandidate.
type candidate struct {
	name    string
	victims *extenderv1.Victims
}

func (c *candidate) Name() string                 { return c.name }
func (c *candidate) Victims() *extenderv1.Victims { return c.victims }
func (c *candidate) NumPodGroupDisruptions() int  { return 0 } // asked for since 1.37
