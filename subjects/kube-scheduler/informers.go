package main

import (
	"fmt"
	"reflect"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/informers/apps"
	"k8s.io/client-go/informers/core"
	"k8s.io/client-go/informers/internalinterfaces"
	"k8s.io/client-go/informers/policy"
	"k8s.io/client-go/informers/resource"
	"k8s.io/client-go/informers/scheduling"
	"k8s.io/client-go/informers/storage"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// factory stands in for the informers that watch an API server: client-go's own generated informers
// and listers on top of stores that this program fills. A store lists its objects in input order,
// where the real one walks a map; that makes the order in which budgets are charged part of the input.
//
// One factory lives as long as its scheduler, so plugins, which fetch their listers once, need not
// be made anew for each case.
type factory struct {
	informers.SharedInformerFactory // every group that is not overridden below: never filled
	client                          kubernetes.Interface
	informers                       map[reflect.Type]*informer
}

func newFactory(client kubernetes.Interface) *factory {
	return &factory{
		SharedInformerFactory: informers.NewSharedInformerFactory(client, 0),
		client:                client,
		informers:             map[reflect.Type]*informer{},
	}
}

func (f *factory) Apps() apps.Interface             { return apps.New(f, "", nil) }
func (f *factory) Core() core.Interface             { return core.New(f, "", nil) }
func (f *factory) Policy() policy.Interface         { return policy.New(f, "", nil) }
func (f *factory) Resource() resource.Interface     { return resource.New(f, "", nil) }
func (f *factory) Scheduling() scheduling.Interface { return scheduling.New(f, "", nil) }
func (f *factory) Storage() storage.Interface       { return storage.New(f, "", nil) }

// InformerFor is where client-go's generated code asks for the one informer of a kind.
func (f *factory) InformerFor(object runtime.Object, create internalinterfaces.NewInformerFunc) cache.SharedIndexInformer {
	kind := reflect.TypeOf(object)
	if known, ok := f.informers[kind]; ok {
		return known
	}
	unused := create(f.client, 0)
	made := &informer{SharedIndexInformer: unused, store: newStore(unused.GetIndexer())}
	f.informers[kind] = made
	return made
}

// set replaces every object of T's kind.
func set[T runtime.Object](f *factory, objects []T) {
	var zero T
	if known, ok := f.informers[reflect.TypeOf(zero)]; ok {
		untyped := make([]any, len(objects))
		for i, object := range objects {
			untyped[i] = object
		}
		known.replace(untyped)
	}
}

// informer never runs; its store is filled by hand and handlers are called in the same goroutine.
type informer struct {
	cache.SharedIndexInformer
	store    *store
	handlers []cache.ResourceEventHandler
}

func (i *informer) GetStore() cache.Store                  { return i.store }
func (i *informer) GetIndexer() cache.Indexer              { return i.store }
func (i *informer) AddIndexers(added cache.Indexers) error { return i.store.AddIndexers(added) }
func (i *informer) HasSynced() bool                        { return true }

func (i *informer) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	i.handlers = append(i.handlers, handler)
	return registration{}, nil
}

func (i *informer) AddEventHandlerWithResyncPeriod(handler cache.ResourceEventHandler, _ time.Duration) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandler(handler)
}

func (i *informer) AddEventHandlerWithOptions(handler cache.ResourceEventHandler, _ cache.HandlerOptions) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandler(handler)
}

// replace tells the handlers that every old object is gone and every new one has come: the volume
// binder of 1.36 keeps a cache of its own that is fed this way.
func (i *informer) replace(objects []any) {
	old := i.store.objects
	i.store.set(objects)
	for _, handler := range i.handlers {
		for _, object := range old {
			handler.OnDelete(object)
		}
		for _, object := range objects {
			handler.OnAdd(object, true)
		}
	}
}

type registration struct {
	cache.ResourceEventHandlerRegistration
}

func (registration) HasSynced() bool { return true }

// store is a cache.Indexer over a list. Reading is safe from many goroutines; set is not.
type store struct {
	cache.Indexer // for methods that nothing here calls
	objects       []any
	byKey         map[string]any
	indexers      cache.Indexers
	mu            sync.Mutex                  // guards indices
	indices       map[string]map[string][]any // built when first asked for
}

func newStore(unused cache.Indexer) *store {
	indexers := cache.Indexers{}
	for name, function := range unused.GetIndexers() {
		indexers[name] = function
	}
	return &store{Indexer: unused, byKey: map[string]any{}, indexers: indexers, indices: map[string]map[string][]any{}}
}

func (s *store) set(objects []any) {
	s.objects = objects
	clear(s.byKey)
	clear(s.indices)
	for _, object := range objects {
		if key, err := cache.MetaNamespaceKeyFunc(object); err == nil {
			s.byKey[key] = object
		}
	}
}

func (s *store) List() []any                 { return s.objects }
func (s *store) GetIndexers() cache.Indexers { return s.indexers }
func (s *store) ListKeys() []string {
	keys := make([]string, 0, len(s.byKey))
	for key := range s.byKey {
		keys = append(keys, key)
	}
	return keys
}

func (s *store) AddIndexers(added cache.Indexers) error {
	for name, function := range added {
		s.indexers[name] = function
	}
	return nil
}

func (s *store) GetByKey(key string) (any, bool, error) {
	object, ok := s.byKey[key]
	return object, ok, nil
}

func (s *store) Get(object any) (any, bool, error) {
	key, err := cache.MetaNamespaceKeyFunc(object)
	if err != nil {
		return nil, false, err
	}
	return s.GetByKey(key)
}

func (s *store) ByIndex(name, value string) ([]any, error) {
	index, err := s.index(name)
	return index[value], err
}

func (s *store) Index(name string, object any) ([]any, error) {
	index, err := s.index(name)
	if err != nil {
		return nil, err
	}
	values, err := s.indexers[name](object)
	if err != nil {
		return nil, err
	}
	var found []any
	for _, value := range values {
		found = append(found, index[value]...)
	}
	return found, nil
}

func (s *store) IndexKeys(name, value string) ([]string, error) {
	objects, err := s.ByIndex(name, value)
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, object := range objects {
		key, err := cache.MetaNamespaceKeyFunc(object)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func (s *store) ListIndexFuncValues(name string) []string {
	index, _ := s.index(name)
	values := make([]string, 0, len(index))
	for value := range index {
		values = append(values, value)
	}
	return values
}

func (s *store) index(name string) (map[string][]any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if index, ok := s.indices[name]; ok {
		return index, nil
	}
	function, ok := s.indexers[name]
	if !ok {
		return nil, fmt.Errorf("index with name %s does not exist", name)
	}
	index := map[string][]any{}
	for _, object := range s.objects {
		values, err := function(object)
		if err != nil {
			return nil, err
		}
		for _, value := range values {
			index[value] = append(index[value], object)
		}
	}
	s.indices[name] = index
	return index, nil
}
