package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	v1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	corev1defaults "k8s.io/kubernetes/pkg/apis/core/v1"
	schedulingv1defaults "k8s.io/kubernetes/pkg/apis/scheduling/v1"
	storagev1defaults "k8s.io/kubernetes/pkg/apis/storage/v1"
	kjson "sigs.k8s.io/json"
)

// cluster is the objects of one request that a default filter, the budgets or the priorities read, as
// the API server would have stored them, in input order.
type cluster struct {
	nodes             []*v1.Node
	pods              []*v1.Pod // neither Succeeded nor Failed: the scheduler's informer hides those
	budgets           []*policyv1.PodDisruptionBudget
	priorityClasses   []*schedulingv1.PriorityClass
	namespaces        []*v1.Namespace
	claims            []*v1.PersistentVolumeClaim
	volumes           []*v1.PersistentVolume
	storageClasses    []*storagev1.StorageClass
	storageCapacities []*storagev1.CSIStorageCapacity
	csiNodes          []*storagev1.CSINode
	csiDrivers        []*storagev1.CSIDriver
	attachments       []*storagev1.VolumeAttachment
}

// decoder turns raw objects into typed ones. Requests repeat objects (the same nodes and claims, the
// same case while it is shrunk), and nothing downstream changes an object, so what was decoded is kept.
type decoder struct {
	seen  map[string]runtime.Object
	bytes int
}

const maxSeenBytes = 8 << 20

func newDecoder() *decoder { return &decoder{seen: map[string]runtime.Object{}} }

// decode returns nil for a kind that no scheduling decision depends on.
func (d *decoder) decode(raw json.RawMessage) (runtime.Object, error) {
	if object, ok := d.seen[string(raw)]; ok {
		return object, nil
	}
	object, err := decodeObject(raw)
	if err != nil {
		return nil, err
	}
	if d.bytes += len(raw); d.bytes > maxSeenBytes {
		d.seen, d.bytes = map[string]runtime.Object{}, len(raw)
	}
	d.seen[string(raw)] = object
	return object, nil
}

func decodeObject(raw json.RawMessage) (runtime.Object, error) {
	version, kind := sniff(raw)
	object := newObject(version, kind)
	if object == nil {
		if kind == "" {
			return nil, errors.New("an object has no kind")
		}
		return nil, nil
	}
	// Case-sensitive, as the API server reads.
	if err := kjson.UnmarshalCaseSensitivePreserveInts(raw, object); err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	setDefaults(object)
	return object, nil
}

// sniff finds apiVersion and kind, without reading the rest when they come first, as they usually do.
func sniff(raw []byte) (version, kind string) {
	if rest, ok := bytes.CutPrefix(raw, []byte(`{"apiVersion":"`)); ok {
		if v, rest, ok := bytes.Cut(rest, []byte(`","kind":"`)); ok {
			if k, _, ok := bytes.Cut(rest, []byte(`"`)); ok && bytes.IndexByte(v, '"') < 0 {
				return string(v), string(k)
			}
		}
	}
	var meta metav1.TypeMeta
	_ = json.Unmarshal(raw, &meta)
	return meta.APIVersion, meta.Kind
}

func newObject(version, kind string) runtime.Object {
	switch version + " " + kind {
	case "v1 Node":
		return &v1.Node{}
	case "v1 Pod":
		return &v1.Pod{}
	case "policy/v1 PodDisruptionBudget":
		return &policyv1.PodDisruptionBudget{}
	case "scheduling.k8s.io/v1 PriorityClass":
		return &schedulingv1.PriorityClass{}
	case "v1 Namespace":
		return &v1.Namespace{}
	case "v1 PersistentVolumeClaim":
		return &v1.PersistentVolumeClaim{}
	case "v1 PersistentVolume":
		return &v1.PersistentVolume{}
	case "storage.k8s.io/v1 StorageClass":
		return &storagev1.StorageClass{}
	case "storage.k8s.io/v1 CSIStorageCapacity":
		return &storagev1.CSIStorageCapacity{}
	case "storage.k8s.io/v1 CSINode":
		return &storagev1.CSINode{}
	case "storage.k8s.io/v1 CSIDriver":
		return &storagev1.CSIDriver{}
	case "storage.k8s.io/v1 VolumeAttachment":
		return &storagev1.VolumeAttachment{}
	}
	return nil
}

// setDefaults does what the API server does on creation, for manifests that never went through one.
func setDefaults(object runtime.Object) {
	switch o := object.(type) {
	case *v1.Node:
		corev1defaults.SetObjectDefaults_Node(o)
	case *v1.Pod:
		setNamespace(&o.ObjectMeta)
		corev1defaults.SetObjectDefaults_Pod(o)
		// The scheduler tells pods apart by their uid, which a hand-written pod lacks.
		if o.UID == "" {
			o.UID = types.UID(o.Namespace + "/" + o.Name)
		}
	case *policyv1.PodDisruptionBudget:
		setNamespace(&o.ObjectMeta)
	case *schedulingv1.PriorityClass:
		schedulingv1defaults.SetObjectDefaults_PriorityClass(o)
	case *v1.Namespace:
		corev1defaults.SetObjectDefaults_Namespace(o)
	case *v1.PersistentVolumeClaim:
		setNamespace(&o.ObjectMeta)
		corev1defaults.SetObjectDefaults_PersistentVolumeClaim(o)
	case *v1.PersistentVolume:
		corev1defaults.SetObjectDefaults_PersistentVolume(o)
	case *storagev1.StorageClass:
		storagev1defaults.SetObjectDefaults_StorageClass(o)
	case *storagev1.CSIStorageCapacity:
		setNamespace(&o.ObjectMeta)
	case *storagev1.CSIDriver:
		storagev1defaults.SetObjectDefaults_CSIDriver(o)
	}
}

func setNamespace(meta *metav1.ObjectMeta) {
	if meta.Namespace == "" {
		meta.Namespace = metav1.NamespaceDefault
	}
}

// read decodes a request's objects. Two objects of one name are an error, as in a case file.
func (d *decoder) read(objects []json.RawMessage) (*cluster, error) {
	c := &cluster{}
	names := make(map[objectName]struct{}, len(objects))
	for i, raw := range objects {
		object, err := d.decode(raw)
		if err != nil {
			return nil, fmt.Errorf("objects[%d]: %w", i, err)
		}
		if object == nil {
			continue
		}
		meta := object.(metav1.ObjectMetaAccessor).GetObjectMeta()
		if meta.GetName() == "" {
			return nil, fmt.Errorf("objects[%d]: metadata.name is missing", i)
		}
		kind := object.GetObjectKind().GroupVersionKind().Kind
		name := objectName{kind, meta.GetNamespace(), meta.GetName()}
		if _, ok := names[name]; ok {
			return nil, fmt.Errorf("objects[%d]: %s %s occurs twice", i, kind, meta.GetName())
		}
		names[name] = struct{}{}
		c.add(object)
	}
	c.admit()
	return c, nil
}

type objectName struct{ kind, namespace, name string }

func (c *cluster) add(object runtime.Object) {
	switch o := object.(type) {
	case *v1.Node:
		c.nodes = append(c.nodes, o)
	case *v1.Pod:
		if o.Status.Phase != v1.PodSucceeded && o.Status.Phase != v1.PodFailed {
			c.pods = append(c.pods, o)
		}
	case *policyv1.PodDisruptionBudget:
		c.budgets = append(c.budgets, o)
	case *schedulingv1.PriorityClass:
		c.priorityClasses = append(c.priorityClasses, o)
	case *v1.Namespace:
		c.namespaces = append(c.namespaces, o)
	case *v1.PersistentVolumeClaim:
		c.claims = append(c.claims, o)
	case *v1.PersistentVolume:
		c.volumes = append(c.volumes, o)
	case *storagev1.StorageClass:
		c.storageClasses = append(c.storageClasses, o)
	case *storagev1.CSIStorageCapacity:
		c.storageCapacities = append(c.storageCapacities, o)
	case *storagev1.CSINode:
		c.csiNodes = append(c.csiNodes, o)
	case *storagev1.CSIDriver:
		c.csiDrivers = append(c.csiDrivers, o)
	case *storagev1.VolumeAttachment:
		c.attachments = append(c.attachments, o)
	}
}

// admit fills in priorities and preemption policies from priority classes where a pod does not say,
// as the Priority admission plugin does on creation (plugin/pkg/admission/priority).
func (c *cluster) admit() {
	for i, pod := range c.pods {
		if pod.Spec.Priority != nil && pod.Spec.PreemptionPolicy != nil {
			continue
		}
		class := c.priorityClassOf(pod)
		if class == nil {
			continue
		}
		changed := *pod // shallow: the decoded pod is shared with other requests
		if changed.Spec.Priority == nil {
			changed.Spec.Priority = &class.Value
		}
		if changed.Spec.PreemptionPolicy == nil {
			changed.Spec.PreemptionPolicy = class.PreemptionPolicy
		}
		c.pods[i] = &changed
	}
}

func (c *cluster) priorityClassOf(pod *v1.Pod) *schedulingv1.PriorityClass {
	var found *schedulingv1.PriorityClass
	for _, class := range c.priorityClasses {
		if pod.Spec.PriorityClassName != "" {
			if class.Name == pod.Spec.PriorityClassName {
				return class
			}
		} else if class.GlobalDefault && (found == nil || class.Value < found.Value) {
			found = class // of several global defaults the lowest counts
		}
	}
	if pod.Spec.PriorityClassName != "" {
		for _, class := range schedulingv1defaults.SystemPriorityClasses() {
			if class.Name == pod.Spec.PriorityClassName {
				return &schedulingv1.PriorityClass{Value: class.Value}
			}
		}
	}
	return found
}
