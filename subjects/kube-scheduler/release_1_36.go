//go:build kubernetes_1_36

// What differs between releases of Kubernetes: this file for 1.36, release_1_37.go for 1.37 and later.
package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

const (
	policyRelease  = "1.36"        // of policies that this scheduler can follow
	policyCharging = "everyBudget" // filterPodsWithPDBViolation charges every budget that selects the pod
)

// releaseOptions are options of the framework that other releases do not have.
func releaseOptions(*snapshot) []frameworkruntime.Option { return nil }

// SelectVictimsOnNode is the real one; what it finds is noted.
func (r *recorder) SelectVictimsOnNode(ctx context.Context, state fwk.CycleState, preemptor *v1.Pod, node fwk.NodeInfo,
	budgets []*policyv1.PodDisruptionBudget) ([]*v1.Pod, int, *fwk.Status) {
	name := node.Node().Name
	if r.only != nil {
		return r.only.replay(name)
	}
	pods, violations, status := r.DefaultPreemption.SelectVictimsOnNode(ctx, state, preemptor, node, budgets)
	r.note(name, pods, violations, status)
	return pods, violations, status
}

// onPreemptPod puts `note` in the place of the API calls that evict a victim.
func onPreemptPod(executor *preemption.Executor, note func()) {
	executor.PreemptPod = func(context.Context, preemption.Candidate, preemption.ExecutorPreemptor, *v1.Pod, string) error {
		note()
		return nil
	}
}
