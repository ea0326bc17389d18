package main

import (
	"context"
	"fmt"
	"slices"

	v1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	configv1 "k8s.io/kube-scheduler/config/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	internalcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	internalqueue "k8s.io/kubernetes/pkg/scheduler/backend/queue"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// leftOut are the default plugins that are not run: they need an allocator for devices, or pod groups.
var leftOut = []string{"DynamicResources", "GangScheduling", "TopologyPlacementGenerator", "PodGroupPodsCount"}

// scheduler is the kube-scheduler's framework with its default profile and real plugins. It is made
// once; each case swaps the contents of its snapshot and listers. Not safe for use by two goroutines.
type scheduler struct {
	framework  framework.Framework
	factory    *factory
	client     *client
	snapshot   *snapshot
	plugin     *defaultpreemption.DefaultPreemption // looks at every node
	newPlugin  frameworkruntime.PluginFactory       // makes one with other arguments (sampling)
	sampled    map[sampling]*defaultpreemption.DefaultPreemption
	emptyQueue internalqueue.SchedulingQueue
}

// snapshot lets the framework keep one lister while its contents change.
type snapshot struct{ *internalcache.Snapshot }

func newScheduler(ctx context.Context, parallelism int) (*scheduler, error) {
	s := &scheduler{
		client:   newClient(),
		snapshot: &snapshot{internalcache.NewEmptySnapshot()},
		sampled:  map[sampling]*defaultpreemption.DefaultPreemption{},
	}
	s.factory = newFactory(s.client)

	profile, err := defaultProfile()
	if err != nil {
		return nil, err
	}
	registry := plugins.NewInTreeRegistry()
	s.newPlugin = registry[defaultpreemption.Name]
	registry[defaultpreemption.Name] = func(ctx context.Context, args runtime.Object, handle fwk.Handle) (fwk.Plugin, error) {
		plugin, err := s.newPlugin(ctx, args, handle)
		if err == nil {
			s.plugin = plugin.(*defaultpreemption.DefaultPreemption)
		}
		return plugin, err
	}
	options := append([]frameworkruntime.Option{
		frameworkruntime.WithClientSet(s.client),
		frameworkruntime.WithInformerFactory(s.factory),
		frameworkruntime.WithSnapshotSharedLister(s.snapshot),
		frameworkruntime.WithSharedCSIManager(nodevolumelimits.NewCSIManager(s.factory.Storage().V1().CSINodes().Lister())),
		frameworkruntime.WithParallelism(parallelism),
		frameworkruntime.WithWaitingPods(frameworkruntime.NewWaitingPodsMap()),
		frameworkruntime.WithPodsInPreBind(frameworkruntime.NewPodsInPreBindMap()),
	}, releaseOptions(s.snapshot)...)
	if s.framework, err = frameworkruntime.NewFramework(ctx, registry, profile, options...); err != nil {
		return nil, err
	}
	s.emptyQueue = s.newQueue()
	return s, nil
}

// defaultProfile is what a kube-scheduler without a configuration file runs, but for leftOut.
func defaultProfile() (*config.KubeSchedulerProfile, error) {
	var versioned configv1.KubeSchedulerConfiguration
	scheme.Scheme.Default(&versioned)
	var internal config.KubeSchedulerConfiguration
	if err := scheme.Scheme.Convert(&versioned, &internal, nil); err != nil {
		return nil, err
	}
	profile := &internal.Profiles[0]
	profile.Plugins.MultiPoint.Enabled = slices.DeleteFunc(profile.Plugins.MultiPoint.Enabled,
		func(p config.Plugin) bool { return slices.Contains(leftOut, p.Name) })
	return profile, nil
}

// preemptionFor returns the DefaultPreemption plugin with these arguments.
func (s *scheduler) preemptionFor(ctx context.Context, how *sampling) (*defaultpreemption.DefaultPreemption, error) {
	if how == nil {
		return s.plugin, nil
	}
	key := *how
	key.Offset = 0
	if plugin, ok := s.sampled[key]; ok {
		return plugin, nil
	}
	plugin, err := s.newPlugin(ctx, &config.DefaultPreemptionArgs{
		MinCandidateNodesPercentage: how.MinPercentage,
		MinCandidateNodesAbsolute:   how.MinAbsolute,
	}, s.framework)
	if err != nil {
		return nil, fmt.Errorf("policy: spec.sampling: %w", err)
	}
	if len(s.sampled) >= 64 {
		clear(s.sampled)
	}
	s.sampled[key] = plugin.(*defaultpreemption.DefaultPreemption)
	return s.sampled[key], nil
}

// newQueue makes a scheduling queue with the profile's PreEnqueue plugins, which gate pods.
func (s *scheduler) newQueue() internalqueue.SchedulingQueue {
	gates := map[string]fwk.PreEnqueuePlugin{}
	for _, plugin := range s.framework.PreEnqueuePlugins() {
		gates[plugin.Name()] = plugin
	}
	return internalqueue.NewSchedulingQueue(s.framework.QueueSortFunc(), s.factory,
		internalqueue.WithPodLister(s.factory.Core().V1().Pods().Lister()),
		internalqueue.WithPreEnqueuePluginMap(map[string]map[string]fwk.PreEnqueuePlugin{s.framework.ProfileName(): gates}))
}

// load makes the cluster what the framework sees.
func (s *scheduler) load(ctx context.Context, c *cluster, preemptor *v1.Pod) {
	set[*v1.Node](s.factory, c.nodes)
	set[*v1.Pod](s.factory, c.pods)
	set[*policyv1.PodDisruptionBudget](s.factory, c.budgets)
	set[*schedulingv1.PriorityClass](s.factory, c.priorityClasses)
	set[*v1.Namespace](s.factory, c.namespaces)
	set[*v1.PersistentVolumeClaim](s.factory, c.claims)
	set[*v1.PersistentVolume](s.factory, c.volumes)
	set[*storagev1.StorageClass](s.factory, c.storageClasses)
	set[*storagev1.CSIStorageCapacity](s.factory, c.storageCapacities)
	set[*storagev1.CSINode](s.factory, c.csiNodes)
	set[*storagev1.CSIDriver](s.factory, c.csiDrivers)
	set[*storagev1.VolumeAttachment](s.factory, c.attachments)

	s.snapshot.Snapshot = newSnapshot(c)
	s.framework.SetPodNominator(s.queueOf(ctx, c, preemptor))
}

// newSnapshot lists nodes in input order; the real list follows the cache's node tree, which a dump
// does not show. A pod on a node that is absent holds nothing.
func newSnapshot(c *cluster) *internalcache.Snapshot {
	order := make(map[string]int, len(c.nodes))
	for i, node := range c.nodes {
		order[node.Name] = i
	}
	running := make([]*v1.Pod, 0, len(c.pods))
	for _, pod := range c.pods {
		if _, ok := order[pod.Spec.NodeName]; ok && pod.Spec.NodeName != "" {
			running = append(running, pod)
		}
	}
	made := internalcache.NewSnapshot(running, c.nodes)
	// NewSnapshot, written for tests, fills the lists from a map; each getter returns the list itself.
	infos := made.NodeInfos()
	for _, list := range []func() ([]fwk.NodeInfo, error){
		infos.List, infos.HavePodsWithAffinityList, infos.HavePodsWithRequiredAntiAffinityList,
	} {
		if nodes, err := list(); err == nil {
			sortByNode(nodes, order)
		}
	}
	return made
}

func sortByNode(nodes []fwk.NodeInfo, order map[string]int) {
	slices.SortFunc(nodes, func(a, b fwk.NodeInfo) int { return order[a.Node().Name] - order[b.Node().Name] })
}

// queueOf holds the other pending pods that are nominated to a node, in input order. The real
// scheduler queues every pending pod of its own (responsibleForPod); those without a nomination
// cannot change a decision.
func (s *scheduler) queueOf(ctx context.Context, c *cluster, preemptor *v1.Pod) internalqueue.SchedulingQueue {
	var queue internalqueue.SchedulingQueue
	for _, pod := range c.pods {
		if pod == preemptor || pod.Spec.NodeName != "" || pod.Status.NominatedNodeName == "" ||
			pod.Spec.SchedulerName != s.framework.ProfileName() && !planted("foreign-nominations-queued") {
			continue
		}
		if queue == nil {
			queue = s.newQueue()
		}
		queue.Add(ctx, pod)
	}
	if queue == nil {
		return s.emptyQueue
	}
	return queue
}
