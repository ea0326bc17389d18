package main

import (
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"
	fwk "k8s.io/kube-scheduler/framework"
	kubescheduler "k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
)

// preemptVerb is appended to an extender's url, as kube-scheduler appends its preemptVerb.
const preemptVerb = "preempt"

// extender is the real HTTPExtender (who is asked, and whether it is interested) whose answer may
// come from the request instead of the network. It remembers the answer that the evaluator used.
type extender struct {
	fwk.Extender
	spec   extenderSpec
	called bool
	answer map[string]*extenderv1.Victims // the evaluator deletes from this very map; nil: it failed
}

func newExtenders(specs []extenderSpec) ([]*extender, error) {
	made := make([]*extender, 0, len(specs))
	for i, spec := range specs {
		said := 0
		for _, present := range []bool{spec.Answer != nil, spec.Error != nil, spec.URL != nil} {
			if present {
				said++
			}
		}
		if said != 1 {
			return nil, fmt.Errorf("extenders[%d]: one of answer, error and url is needed", i)
		}
		settings := &config.Extender{
			Ignorable:        spec.Ignorable,
			NodeCacheCapable: spec.NodeCacheCapable,
			HTTPTimeout:      metav1.Duration{Duration: time.Duration(spec.TimeoutMilliseconds) * time.Millisecond},
		}
		if spec.URL != nil {
			settings.URLPrefix = *spec.URL
		}
		if spec.SupportsPreemption == nil || *spec.SupportsPreemption {
			settings.PreemptVerb = preemptVerb
		}
		for _, name := range spec.ManagedResources {
			settings.ManagedResources = append(settings.ManagedResources, config.ExtenderManagedResource{Name: name})
		}
		real, err := kubescheduler.NewHTTPExtender(settings)
		if err != nil {
			return nil, fmt.Errorf("extenders[%d]: %w", i, err)
		}
		made = append(made, &extender{Extender: real, spec: spec})
	}
	return made, nil
}

func (e *extender) Name() string {
	if e.spec.Name != "" {
		return e.spec.Name
	}
	return e.Extender.Name()
}

// ProcessPreemption is what the evaluator calls.
func (e *extender) ProcessPreemption(pod *v1.Pod, given map[string]*extenderv1.Victims, nodes fwk.NodeInfoLister) (map[string]*extenderv1.Victims, error) {
	var answer map[string]*extenderv1.Victims
	var err error
	if e.spec.URL != nil {
		answer, err = e.Extender.ProcessPreemption(pod, given, nodes)
	} else {
		answer, err = e.script(given, nodes)
	}
	if err != nil {
		return nil, fmt.Errorf("extender %s: %w", e.Name(), err)
	}
	e.called, e.answer = true, answer
	return answer, nil
}

// script answers as data says, for the nodes that it was asked about. Victims are looked up on their
// node as HTTPExtender.convertPodUIDToPod does; they need not be among those given.
func (e *extender) script(given map[string]*extenderv1.Victims, nodes fwk.NodeInfoLister) (map[string]*extenderv1.Victims, error) {
	if e.spec.Error != nil {
		return nil, fmt.Errorf("%s", *e.spec.Error)
	}
	answer := map[string]*extenderv1.Victims{}
	for name, said := range e.spec.Answer {
		if _, ok := given[name]; !ok {
			continue
		}
		node, err := nodes.Get(name)
		if err != nil {
			return nil, err
		}
		victims := &extenderv1.Victims{NumPDBViolations: said.Violations}
		for _, wanted := range said.Victims {
			pod := podOn(node, wanted)
			if pod == nil {
				return nil, fmt.Errorf("claims to preempt pod %s on node %s, but the pod is not found on that node", wanted, name)
			}
			victims.Pods = append(victims.Pods, pod)
		}
		answer[name] = victims
	}
	return answer, nil
}

func podOn(node fwk.NodeInfo, name string) *v1.Pod {
	for _, info := range node.GetPods() {
		if pod := info.GetPod(); podName(pod) == name {
			return pod
		}
	}
	return nil
}

func podName(pod *v1.Pod) string { return pod.Namespace + "/" + pod.Name }

// handle is the framework as the evaluator sees it, with the request's extenders.
type handle struct {
	fwk.Handle
	extenders []fwk.Extender
}

func (h *handle) Extenders() []fwk.Extender { return h.extenders }
