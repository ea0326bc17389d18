// The records that are parts of the object before them.
#include <cstring>

#include "reprieve/fuzz/codec/decoder.h"
#include "reprieve/fuzz/codec/exact.h"
#include "reprieve/fuzz/codec/layout_storage.h"

namespace reprieve::fuzz {
namespace {

template <class T>
T* add_part_to(std::vector<T>& parts) {
  return parts.size() < kMaxParts ? &parts.emplace_back() : nullptr;
}

bool is_pod(Kind kind) { return kind == Kind::kPod || kind == Kind::kPreemptor; }

}  // namespace

void Decoder::add_part(Kind kind, const std::uint8_t* bytes) {
  if (object_ == Kind::kNothing) return;
  RecordReader io(bytes, decoding_);
  if (is_pod(object_) && (add_pod_part(kind, io) || add_pod_term(kind, io))) return;
  switch (kind) {
    case Kind::kLabel: return add_label(io);
    case Kind::kResources: return add_resources(io);
    case Kind::kAmount: return add_amount(bytes);
    case Kind::kNumber: return add_number(bytes);
    case Kind::kNodeTerm:
    case Kind::kSelectorLabel:
    case Kind::kRequirement: return add_selector_part(kind, io);
    case Kind::kAnswer: return add_answer(io);
    case Kind::kTaint:
      if (object_ == Kind::kNode) {
        if (Taint* taint = add_part_to(cluster().nodes.back().taints)) layout::taint(io, *taint);
      }
      return;
    case Kind::kFeature:
      if (object_ == Kind::kNode) {
        if (std::string* name = add_part_to(cluster().nodes.back().declared_features))
          io.text(pools::kFeatures, *name);
      }
      return;
    case Kind::kDisrupted:
      if (object_ == Kind::kBudget) {
        std::vector<std::string> names;
        io.items(pools::kPodNames, names, layout::kDisruptedInRecord);
        cluster().budgets.back().disrupted_pods.insert(names.begin(), names.end());
      }
      return;
    case Kind::kAnnotation:
      if (object_ == Kind::kClaim) {
        std::string key, value;
        io.text(pools::kAnnotations, key);
        io.text(pools::kAnnotationValues, value);
        cluster().claims.back().annotations.insert_or_assign(std::move(key), std::move(value));
      }
      return;
    case Kind::kCsiNodeDriver:
      if (object_ == Kind::kCsiNode) {
        if (CsiNodeDriver* driver = add_part_to(cluster().csi_nodes.back().drivers))
          layout::csi_node_driver(io, *driver);
      }
      return;
    case Kind::kPolicy:
      if (object_ == Kind::kHeader) layout::policy(io, result_.policy);
      return;
    default: return;
  }
}

/// What a pod consists of; whether the record was such a part.
bool Decoder::add_pod_part(Kind kind, RecordReader& io) {
  Pod& pod = cluster().pods.back();
  switch (kind) {
    case Kind::kPodExtra: {
      std::optional<std::string> uid, scheduler;
      layout::pod_extra(io, pod, pod.scheduling_gates, uid, scheduler);
      if (uid) pod.uid = *std::move(uid);
      if (scheduler) pod.scheduler_name = *std::move(scheduler);
      if (pod.affinity.required_node_affinity) node_terms_ = &pod.affinity.required_node_affinity->terms;
      return true;
    }
    case Kind::kCondition:
      if (PodCondition* condition = add_part_to(pod.conditions)) layout::condition(io, *condition);
      return true;
    case Kind::kContainer: {
      bool init = false;
      io.flags(init);
      if (Container* container = add_part_to(init ? pod.init_containers : pod.containers)) {
        layout::container(io, *container);
        container_ = container;
      }
      return true;
    }
    case Kind::kPort:
      if (ContainerPort* port = add_part_to(container_->ports)) layout::port(io, *port);
      return true;
    case Kind::kStatus: {
      bool init = false;
      io.flags(init);
      status_ = add_part_to(init ? pod.init_container_statuses : pod.container_statuses);
      if (status_ != nullptr) layout::status(io, *status_);
      return true;
    }
    case Kind::kPodVolume:
      if (PodVolume* volume = add_part_to(pod.volumes)) layout::pod_volume(io, *volume);
      return true;
    default: return false;
  }
}

/// What a pod tolerates, is drawn to, repelled by and spread over.
bool Decoder::add_pod_term(Kind kind, RecordReader& io) {
  Pod& pod = cluster().pods.back();
  switch (kind) {
    case Kind::kToleration:
      if (Toleration* toleration = add_part_to(pod.tolerations)) layout::toleration(io, *toleration);
      return true;
    case Kind::kAffinityTerm: {
      bool anti = false;
      io.flags(anti);
      Affinity& affinity = pod.affinity;
      if (PodAffinityTerm* term =
              add_part_to(anti ? affinity.required_pod_anti_affinity : affinity.required_pod_affinity)) {
        layout::affinity_term(io, *term);
        selector_ = &term->label_selector;
        namespace_selector_ = &term->namespace_selector;
        spread_ = nullptr;
      }
      return true;
    }
    case Kind::kSpread:
      if (TopologySpreadConstraint* constraint = add_part_to(pod.topology_spread_constraints)) {
        layout::spread(io, *constraint);
        spread_ = constraint;
        selector_ = &constraint->label_selector;
        namespace_selector_ = nullptr;
      }
      return true;
    case Kind::kNodeTerm:
      if (!pod.affinity.required_node_affinity) pod.affinity.required_node_affinity.emplace();
      node_terms_ = &pod.affinity.required_node_affinity->terms;
      return false;  // goes on in add_selector_part
    default: return false;
  }
}

void Decoder::add_selector_part(Kind kind, RecordReader& io) {
  if (kind == Kind::kNodeTerm) {
    if (node_terms_ != nullptr && node_terms_->size() < kMaxParts) node_terms_->emplace_back();
    return;
  }
  if (kind == Kind::kSelectorLabel) {
    bool of_namespaces = false;
    std::string key, value;
    layout::selector_label(io, of_namespaces, key, value);
    auto* selector = of_namespaces ? namespace_selector_ : selector_;
    if (selector != nullptr && *selector)
      (*selector)->match_labels.insert_or_assign(std::move(key), std::move(value));
    return;
  }
  std::uint8_t where = 0;
  SelectorRequirement requirement;
  layout::requirement(io, where, requirement);
  std::vector<SelectorRequirement>* into = nullptr;
  if (where == layout::kOfSelector && selector_ != nullptr && *selector_)
    into = &(*selector_)->match_expressions;
  if (where == layout::kOfNamespaces && namespace_selector_ != nullptr && *namespace_selector_)
    into = &(*namespace_selector_)->match_expressions;
  if (node_terms_ != nullptr && !node_terms_->empty()) {
    if (where == layout::kOfNodes) into = &node_terms_->back().match_expressions;
    if (where == layout::kOfNodeFields) into = &node_terms_->back().match_fields;
  }
  if (into != nullptr && into->size() < kMaxParts) into->push_back(std::move(requirement));
}

void Decoder::add_label(RecordReader& io) {
  bool of_node_selector = false;
  std::string key, value;
  layout::label(io, of_node_selector, key, value);
  Labels* labels = nullptr;
  if (is_pod(object_)) {
    Pod& pod = cluster().pods.back();
    labels = of_node_selector ? &pod.node_selector : &pod.labels;
  }
  if (object_ == Kind::kNode) labels = &cluster().nodes.back().labels;
  if (object_ == Kind::kNamespace) labels = &cluster().namespaces.back().labels;
  if (object_ == Kind::kVolume) labels = &cluster().volumes.back().labels;
  if (labels != nullptr) labels->insert_or_assign(std::move(key), std::move(value));
}

void Decoder::add_answer(RecordReader& io) {
  if (object_ != Kind::kExtender || !result_.extenders.back().answer) return;
  std::string node;
  std::int64_t violations = 0;
  std::vector<std::string> victims;
  layout::answer(io, node, violations, victims);
  // Of the same node again: more victims.
  answer_ = &(*result_.extenders.back().answer)[node];
  answer_->violations = violations;
  answer_->victims.insert(answer_->victims.end(), victims.begin(), victims.end());
}

ResourceList* Decoder::list_of(List list) {
  if (object_ == Kind::kNode) return list == List::kOwn ? &cluster().nodes.back().allocatable : nullptr;
  if (!is_pod(object_)) return nullptr;
  Pod& pod = cluster().pods.back();
  const auto there = [](std::optional<ResourceList>& optional) {
    if (!optional) optional.emplace();
    return &*optional;
  };
  switch (list) {
    case List::kOwn: return &container_->requests;
    case List::kOverhead: return &pod.overhead;
    case List::kPodLevel: return there(pod.pod_level_requests);
    case List::kStatusRequests:
      return status_ != nullptr && status_->requests ? &*status_->requests : nullptr;
    case List::kStatusAllocated:
      return status_ != nullptr && status_->allocated_resources ? &*status_->allocated_resources : nullptr;
    case List::kPodStatusRequests: pod.has_status_resources = true; return there(pod.status_requests);
    case List::kPodStatusAllocated: return there(pod.status_allocated);
  }
  return nullptr;
}

void Decoder::add_resources(RecordReader& io) {
  List which = List::kOwn;
  io.choice(which, static_cast<int>(kListCount));
  if (ResourceList* list = list_of(which)) layout::resources(io, *list);
}

void Decoder::add_amount(const std::uint8_t* bytes) {
  RecordReader io(bytes, decoding_);
  List which = List::kOwn;
  std::string resource;
  io.choice(which, static_cast<int>(kListCount));
  io.text(pools::kResources, resource);
  const Quantity amount = get_amount(bytes, resource == "cpu");
  if (object_ == Kind::kClaim) {
    cluster().claims.back().storage_request = amount;
  } else if (object_ == Kind::kVolume) {
    cluster().volumes.back().capacity = amount;
  } else if (ResourceList* list = list_of(which)) {
    list->insert_or_assign(std::move(resource), amount);
  }
}

}  // namespace reprieve::fuzz
