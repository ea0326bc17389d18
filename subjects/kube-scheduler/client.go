package main

import (
	"context"
	"sync"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"
)

// client is an API server to which the scheduler can only say which nominations it clears: the one
// patch that is left once PreemptPod (the eviction itself) is taken out. All else answers as an empty
// cluster does.
type client struct {
	kubernetes.Interface
	core coreClient
}

func newClient() *client {
	empty := fake.NewClientset()
	return &client{Interface: empty, core: coreClient{CoreV1Interface: empty.CoreV1(), log: &patchLog{}}}
}

func (c *client) CoreV1() corev1.CoreV1Interface { return &c.core }

type coreClient struct {
	corev1.CoreV1Interface
	log *patchLog
}

func (c *coreClient) Pods(namespace string) corev1.PodInterface {
	return &podClient{PodInterface: c.CoreV1Interface.Pods(namespace), namespace: namespace, log: c.log}
}

type podClient struct {
	corev1.PodInterface
	namespace string
	log       *patchLog
}

func (c *podClient) Patch(_ context.Context, name string, _ types.PatchType, _ []byte, _ metav1.PatchOptions, _ ...string) (*v1.Pod, error) {
	c.log.add(c.namespace + "/" + name)
	return &v1.Pod{}, nil
}

// patchLog holds the pods that were patched. Preemption is asynchronous, hence the lock.
type patchLog struct {
	mu   sync.Mutex
	pods []string
}

func (l *patchLog) add(pod string) {
	l.mu.Lock()
	l.pods = append(l.pods, pod)
	l.mu.Unlock()
}

// take returns the pods patched since the last call.
func (l *patchLog) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	pods := l.pods
	l.pods = nil
	return pods
}
