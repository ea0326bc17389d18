// Command kube-scheduler decides preemption with the real kube-scheduler: its plugins, its framework
// and its evaluator, fed from requests of the subject protocol instead of an API server.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"runtime/pprof"
	"sync/atomic"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/component-base/version"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
)

const usage = `usage: kube-scheduler [flags] < requests > responses

Decides preemption with the real kube-scheduler: one JSON request a line on standard input, one
response a line on standard output, in the same order (the subject protocol of Reprieve).

`

// release is the Kubernetes release that this program was built with ("v1.37.2").
func release() string { return version.Get().GitVersion }

func main() {
	flags := flag.NewFlagSet("kube-scheduler", flag.ExitOnError)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), usage)
		flags.PrintDefaults()
	}
	showVersion := flags.Bool("version", false, "print the Kubernetes release that was built in, and the policy it follows")
	parallel := flags.Int("parallel", 1, "decide this many requests at a time; answers keep their order")
	verbose := flags.Int("v", -1, "print the scheduler's own log to standard error, at this level")
	profile := flags.String("cpuprofile", "", "write a CPU profile of this program to a file")
	_ = flags.Parse(os.Args[1:])
	if flags.NArg() > 0 || *parallel < 1 {
		flags.Usage()
		os.Exit(2)
	}
	if *showVersion {
		fmt.Printf("kube-scheduler %s (policy kubernetes-%s)\n", release(), policyRelease)
		return
	}
	if *profile != "" {
		file, err := os.Create(*profile)
		if err != nil {
			fmt.Fprintln(os.Stderr, "error:", err)
			os.Exit(2)
		}
		_ = pprof.StartCPUProfile(file)
		defer pprof.StopCPUProfile()
	}
	setUpKubernetes(*verbose)
	if err := serve(context.Background(), os.Stdin, os.Stdout, *parallel); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// crashes counts panics in goroutines that the scheduler started: those cannot be recovered here.
var crashes atomic.Int64

// setUpKubernetes turns off what a scheduler in a cluster needs and a question on a pipe does not.
func setUpKubernetes(verbosity int) {
	// Cases are small and their garbage is short-lived.
	debug.SetGCPercent(400)
	logs := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(logs)
	if verbosity < 0 {
		klog.SetLogger(klog.New(nil))
		utilruntime.ErrorHandlers = nil // the default ones sleep, to keep the log short
	} else {
		_ = logs.Set("v", fmt.Sprint(verbosity))
	}
	utilruntime.ReallyCrash = false
	utilruntime.PanicHandlers = append(utilruntime.PanicHandlers, func(context.Context, any) { crashes.Add(1) })
	// The metrics must exist; as they are not registered, counting costs nothing.
	metrics.InitMetrics()
}

// worker decides one request at a time.
type worker struct {
	decoder   *decoder
	scheduler *scheduler
	parallel  *scheduler // with kube-scheduler's default number of workers; made for the first timing
}

func newWorker(ctx context.Context) (*worker, error) {
	made, err := newScheduler(ctx, 1)
	return &worker{decoder: newDecoder(), scheduler: made}, err
}

// answer never fails: whatever is wrong with the line is said in the response.
func (w *worker) answer(ctx context.Context, line []byte, out []byte) []byte {
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		return errorResponse("the line is not a request: %v", err).appendTo(out, idOf(line))
	}
	before := crashes.Load()
	response := w.decide(ctx, &r)
	if crashes.Load() != before {
		response = errorResponse("the scheduler panicked")
	}
	return response.appendTo(out, r.ID)
}

// idOf finds the id of a line that is JSON but not a request.
func idOf(line []byte) json.RawMessage {
	var r struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(line, &r)
	return r.ID
}

func (w *worker) decide(ctx context.Context, r *request) (answer *response) {
	defer func() {
		if problem := recover(); problem != nil {
			answer = errorResponse("the scheduler panicked: %v", problem)
			// Whatever the panic left half done is not used again.
			if fresh, err := newScheduler(ctx, 1); err == nil {
				w.scheduler = fresh
			}
		}
	}()
	q, err := w.decoder.understand(r)
	if err != nil {
		return errorResponse("%v", err)
	}
	answer = w.scheduler.decide(ctx, q)
	if r.Timing != nil && answer.outcome != outcomeError {
		if answer.timing, err = w.measure(ctx, q, r.Timing.Repetitions); err != nil {
			return errorResponse("timing: %v", err)
		}
	}
	return answer
}

func (w *worker) measure(ctx context.Context, q *question, repetitions int) (*timingResult, error) {
	if repetitions < 1 || repetitions > maxTimingRepetitions {
		return nil, fmt.Errorf("repetitions must be between 1 and %d", maxTimingRepetitions)
	}
	if w.parallel == nil {
		var err error
		if w.parallel, err = newScheduler(ctx, defaultParallelism); err != nil {
			return nil, err
		}
	}
	result := &timingResult{}
	if err := w.scheduler.measure(ctx, q, 1, repetitions, result); err != nil {
		return nil, err
	}
	return result, w.parallel.measure(ctx, q, defaultParallelism, repetitions, result)
}

// serve answers every line until the input ends.
func serve(ctx context.Context, in io.Reader, out io.Writer, parallel int) error {
	if parallel > 1 {
		return serveParallel(ctx, in, out, parallel)
	}
	w, err := newWorker(ctx)
	if err != nil {
		return err
	}
	var buffer []byte
	return eachLine(in, func(line []byte) error {
		buffer = w.answer(ctx, line, buffer[:0])
		_, err := out.Write(buffer)
		return err
	})
}

// eachLine calls `use` with every line that is not empty; the line is valid until it returns.
func eachLine(in io.Reader, use func(line []byte) error) error {
	reader := bufio.NewReaderSize(in, 1<<20)
	var long []byte
	for {
		part, err := reader.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			long = append(long, part...)
			continue
		}
		line := part
		if len(long) > 0 {
			long = append(long, part...)
			line = long
		}
		if len(trimmed(line)) > 0 {
			if problem := use(trimmed(line)); problem != nil {
				return problem
			}
		}
		long = long[:0]
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func trimmed(line []byte) []byte {
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return line
}

// serveParallel keeps the order of answers: each line's place in the queue is a channel.
func serveParallel(ctx context.Context, in io.Reader, out io.Writer, parallel int) error {
	idle := make(chan *worker, parallel)
	for range parallel {
		w, err := newWorker(ctx)
		if err != nil {
			return err
		}
		idle <- w
	}
	waiting := make(chan chan []byte, parallel)
	written := make(chan error, 1)
	go func() {
		var failed error
		for answer := range waiting {
			text := <-answer
			if failed == nil {
				_, failed = out.Write(text)
			}
		}
		written <- failed
	}()
	err := eachLine(in, func(line []byte) error {
		copied := append([]byte(nil), line...)
		answer := make(chan []byte, 1)
		w := <-idle
		waiting <- answer
		go func() {
			answer <- w.answer(ctx, copied, nil)
			idle <- w
		}()
		return nil
	})
	close(waiting)
	return errors.Join(err, <-written)
}
