package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// request is one line of the subject protocol (docs/SUBJECTS.md). Objects stay raw until they are
// looked up in the decoder's memory of objects seen before.
type request struct {
	ID        json.RawMessage   `json:"id"`
	Policy    json.RawMessage   `json:"policy"`
	Preemptor string            `json:"preemptor"`
	Objects   []json.RawMessage `json:"objects"`
	Extenders []extenderSpec    `json:"extenders"`
	Timing    *timingRequest    `json:"timing"`
}

// extenderSpec is an extender of the request: scripted (answer or error), or asked over HTTP (url).
type extenderSpec struct {
	Name                string                    `json:"name"`
	Ignorable           bool                      `json:"ignorable"`
	SupportsPreemption  *bool                     `json:"supportsPreemption"` // absent: true
	NodeCacheCapable    bool                      `json:"nodeCacheCapable"`
	ManagedResources    []string                  `json:"managedResources"`
	Answer              map[string]extenderAnswer `json:"answer"`
	Error               *string                   `json:"error"`
	URL                 *string                   `json:"url"`
	TimeoutMilliseconds int64                     `json:"timeoutMilliseconds"` // of a url; absent: kube-scheduler's 5 s
}

// extenderAnswer is what a scripted extender says about one node: a list of pods, or an object with
// the victims and the number of violations.
type extenderAnswer struct {
	Victims    []string `json:"victims"`
	Violations int64    `json:"violations"`
}

func (a *extenderAnswer) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '[' {
		return json.Unmarshal(data, &a.Victims)
	}
	type plain extenderAnswer
	return unmarshalKnown(data, (*plain)(a))
}

// unmarshalKnown refuses fields that the target does not have, so that a misspelt one is not ignored.
func unmarshalKnown(data []byte, target any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	return decoder.Decode(target)
}

const (
	outcomeFits        = "fits"
	outcomeIneligible  = "ineligible"
	outcomeNominated   = "nominated"
	outcomeNoCandidate = "no-candidate"
	outcomeError       = "error"

	statusFits          = "fits"
	statusCandidate     = "candidate"
	statusUnschedulable = "unschedulable"
	statusUnresolvable  = "unresolvable"
)

// nodeResult is what happened to one node.
type nodeResult struct {
	name       string
	status     string
	reasons    []string
	victims    []string // "namespace/name", in the scheduler's order
	violations int64
}

// response is one answer. Nodes are in input order.
type response struct {
	outcome   string
	reason    string
	nominated []string
	cleared   []string
	nodes     []nodeResult
	timing    *timingResult
}

// errorResponse is the answer to a question that cannot be decided.
func errorResponse(format string, args ...any) *response {
	return &response{outcome: outcomeError, reason: fmt.Sprintf(format, args...)}
}

// appendTo writes the response as one line of JSON with its newline; `id` is JSON or empty.
func (r *response) appendTo(out []byte, id json.RawMessage) []byte {
	out = append(out, `{"id":`...)
	if len(id) == 0 {
		out = append(out, "null"...)
	} else {
		out = append(out, id...)
	}
	out = append(out, `,"outcome":`...)
	out = appendString(out, r.outcome)
	if r.reason != "" {
		out = append(out, `,"reason":`...)
		out = appendString(out, r.reason)
	}
	if r.outcome == outcomeError {
		return append(out, "}\n"...)
	}
	out = append(out, `,"nominated":`...)
	out = appendStrings(out, r.nominated)
	out = append(out, `,"cleared":`...)
	out = appendStrings(out, r.cleared)
	out = append(out, `,"nodes":{`...)
	for i := range r.nodes {
		if i > 0 {
			out = append(out, ',')
		}
		out = r.nodes[i].appendTo(out)
	}
	out = append(out, '}')
	if r.timing != nil {
		text, _ := json.Marshal(r.timing)
		out = append(out, `,"timing":`...)
		out = append(out, text...)
	}
	return append(out, "}\n"...)
}

func (n *nodeResult) appendTo(out []byte) []byte {
	out = appendString(out, n.name)
	out = append(out, `:{"status":`...)
	out = appendString(out, n.status)
	switch n.status {
	case statusCandidate:
		out = append(out, `,"victims":`...)
		out = appendStrings(out, n.victims)
		out = append(out, `,"violations":`...)
		out = strconv.AppendInt(out, n.violations, 10)
	case statusUnschedulable, statusUnresolvable:
		out = append(out, `,"reasons":`...)
		out = appendStrings(out, n.reasons)
	}
	return append(out, '}')
}

func appendStrings(out []byte, values []string) []byte {
	out = append(out, '[')
	for i, value := range values {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendString(out, value)
	}
	return append(out, ']')
}

// appendString appends a JSON string. Names and reasons are nearly always plain ASCII.
func appendString(out []byte, value string) []byte {
	for i := 0; i < len(value); i++ {
		if c := value[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			text, _ := json.Marshal(value)
			return append(out, text...)
		}
	}
	out = append(out, '"')
	out = append(out, value...)
	return append(out, '"')
}
