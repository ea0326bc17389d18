package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// sampling limits how many candidates the dry run looks for, from an explicit offset.
type sampling struct {
	MinPercentage int32 `json:"minPercentage"`
	MinAbsolute   int32 `json:"minAbsolute"`
	Offset        int32 `json:"offset"`
}

// policyObject is a PreemptionPolicy manifest. The real scheduler has no knobs but sampling, so every
// other field must say what this release does anyway.
type policyObject struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Metadata   json.RawMessage `json:"metadata"`
	Spec       struct {
		Release    *string         `json:"release"`
		Victims    *string         `json:"victims"`
		Budgets    json.RawMessage `json:"budgets"`
		Charging   *string         `json:"charging"`
		Violations *string         `json:"violations"`
		Importance []string        `json:"importance"`
		NodeOrder  []string        `json:"nodeOrder"`
		Sampling   json.RawMessage `json:"sampling"`
	} `json:"spec"`
}

// readPolicy accepts what this release can do and returns its sampling, nil for "look at every node".
func readPolicy(raw json.RawMessage) (*sampling, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if raw[0] == '"' {
		var name string
		if err := json.Unmarshal(raw, &name); err != nil {
			return nil, err
		}
		if name != "kubernetes" && name != "kubernetes-"+policyRelease {
			return nil, fmt.Errorf("this is kube-scheduler %s: it cannot follow policy %q", release(), name)
		}
		return nil, nil
	}
	var object policyObject
	if err := unmarshalKnown(raw, &object); err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	spec := object.Spec
	must := func(field string, value *string, want string) error {
		if value != nil && *value != want {
			return fmt.Errorf("policy: kube-scheduler %s has spec.%s %q, not %q", release(), field, want, *value)
		}
		return nil
	}
	mustList := func(field string, value []string, want ...string) error {
		if value != nil && !slices.Equal(value, want) {
			return fmt.Errorf("policy: kube-scheduler %s has spec.%s [%s]", release(), field, strings.Join(want, ", "))
		}
		return nil
	}
	for _, err := range []error{
		must("release", spec.Release, policyRelease),
		must("victims", spec.Victims, "greedy"),
		must("charging", spec.Charging, policyCharging),
		must("violations", spec.Violations, "classified"),
		mustList("importance", spec.Importance, "priority", "startTime"),
		mustList("nodeOrder", spec.NodeOrder, "pdbViolations", "highestPriority", "prioritySum", "victimCount", "latestStart"),
	} {
		if err != nil {
			return nil, err
		}
	}
	if len(spec.Budgets) > 0 && string(spec.Budgets) != `"bestEffort"` {
		return nil, fmt.Errorf("policy: kube-scheduler %s has spec.budgets \"bestEffort\"", release())
	}
	if len(spec.Sampling) == 0 || string(spec.Sampling) == `"none"` {
		return nil, nil
	}
	found := sampling{MinPercentage: 10, MinAbsolute: 100} // as SetDefaults_DefaultPreemptionArgs
	if err := unmarshalKnown(spec.Sampling, &found); err != nil {
		return nil, fmt.Errorf("policy: spec.sampling: %w", err)
	}
	if found.Offset < 0 {
		return nil, fmt.Errorf("policy: spec.sampling.offset is negative")
	}
	return &found, nil
}
