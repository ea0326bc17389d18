package main

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/labels"
	fwk "k8s.io/kube-scheduler/framework"
)

// timingRequest asks for the time of the dry run and the selection beside the decision.
type timingRequest struct {
	Repetitions int `json:"repetitions"`
}

// timingResult has one entry for each number of workers.
type timingResult struct {
	PotentialNodes int           `json:"potentialNodes"`
	Candidates     int           `json:"candidates"`
	Runs           []timingOfRun `json:"runs"`
}

type timingOfRun struct {
	Workers            int     `json:"workers"`
	FilterNanoseconds  int64   `json:"filterNanoseconds"`  // PreFilter and Filter on every node, by one worker
	PreemptNanoseconds []int64 `json:"preemptNanoseconds"` // DryRunPreemption over all potential nodes, then SelectCandidate
}

const (
	maxTimingRepetitions = 100000
	defaultParallelism   = 16 // of kube-scheduler
)

// measure times Evaluator.DryRunPreemption and SelectCandidate on one snapshot.
func (s *scheduler) measure(ctx context.Context, q *question, workers, repetitions int, into *timingResult) error {
	s.load(ctx, q.cluster, q.preemptor)
	defer s.framework.SetPodNominator(s.emptyQueue)
	plugin, err := s.preemptionFor(ctx, q.sampling)
	if err != nil {
		return err
	}
	begin := time.Now()
	filtered, err := s.filter(ctx, q)
	if err != nil {
		return err
	}
	run := timingOfRun{Workers: workers, FilterNanoseconds: time.Since(begin).Nanoseconds()}
	nodes, err := filtered.NodesForStatusCode(s.snapshot.NodeInfos(), fwk.Unschedulable)
	if err != nil {
		return err
	}
	into.PotentialNodes = len(nodes)
	if len(nodes) > 0 && !filtered.fits() {
		budgets, err := plugin.Evaluator.PdbLister.List(labels.Everything())
		if err != nil {
			return err
		}
		r := &recorder{DefaultPreemption: plugin, sampling: q.sampling}
		offset, wanted := r.GetOffsetAndNumCandidates(int32(len(nodes)))
		for range repetitions {
			begin := time.Now()
			candidates, _, err := plugin.Evaluator.DryRunPreemption(ctx, filtered.state, q.preemptor, nodes, budgets, offset, wanted)
			plugin.Evaluator.SelectCandidate(ctx, candidates)
			run.PreemptNanoseconds = append(run.PreemptNanoseconds, time.Since(begin).Nanoseconds())
			if err != nil && len(candidates) == 0 {
				return err
			}
			into.Candidates = len(candidates)
		}
	}
	into.Runs = append(into.Runs, run)
	return nil
}
