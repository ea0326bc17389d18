// NodeResourcesFit: room for one more pod, and for each resource that the pod asks.
// Source: pkg/scheduler/framework/plugins/noderesources/fit.go (fitsRequest).
#include "reprieve/marks/mark.h"
#include "reprieve/reference/filters/plugins.h"

namespace reprieve::reference {
namespace {

std::int64_t amount_of(const Amounts& amounts, const std::string& resource) {
  const auto entry = amounts.find(resource);
  return entry == amounts.end() ? 0 : entry->second;
}

class NodeResourcesFit final : public Plugin {
 public:
  explicit NodeResourcesFit(const Situation& situation) : asked_(asked_by(situation.preemptor)) {}

  std::string_view name() const override { return "NodeResourcesFit"; }
  std::unique_ptr<Plugin> clone() const override { return std::make_unique<NodeResourcesFit>(*this); }

  // The one plugin that names everything it finds, not only the first.
  Status filter(const NodeInfo& node) const override {
    Status status;
    const auto pods = static_cast<std::int64_t>(node.pods.size());
    if (pods + 1 > node.allowed_pods) {
      // Never unresolvable, not even on a node that allows no pods at all.
      status.code = Code::kUnschedulable;
      REPRIEVE_MARK("reference/fit/too-many-pods");
      status.failure.reasons.push_back("Too many pods");
      status.failure.shortfalls.push_back(
          {.resource = "pods", .requested = 1, .used = pods, .allocatable = node.allowed_pods});
    }
    for (const auto& [resource, requested] : asked_) {
      // What is not asked for is not looked at, however overcommitted the node is.
      if (requested == 0) {
        REPRIEVE_MARK("reference/fit/nothing-is-asked");
        continue;
      }
      const std::int64_t allocatable = amount_of(node.allocatable, resource);
      const std::int64_t used = amount_of(node.requested, resource);
      if (requested <= allocatable - used) continue;
      // Emptying the node would not do: one such resource makes the whole status unresolvable.
      if (requested > allocatable) {
        REPRIEVE_MARK("reference/fit/above-allocatable");
        status.code = Code::kUnresolvable;
      } else if (status.ok()) {
        status.code = Code::kUnschedulable;
      }
      status.failure.reasons.push_back("Insufficient " + resource);
      status.failure.shortfalls.push_back(
          {.resource = resource, .requested = requested, .used = used, .allocatable = allocatable});
    }
    return status;
  }

 private:
  Amounts asked_;
};

}  // namespace

std::unique_ptr<Plugin> make_node_resources_fit(const Situation& situation) {
  return std::make_unique<NodeResourcesFit>(situation);
}

}  // namespace reprieve::reference
