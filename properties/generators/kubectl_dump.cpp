// The noise of a real `kubectl get -o json`: what readers must get past. Field order is kubectl's
// (alphabetical); sizes are those of an ordinary Deployment's pod.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "reprieve/properties/generators/big.h"

namespace reprieve::generators {
namespace {

using Json = nlohmann::json;  // ordered by key, as kubectl prints

std::string time_text(TimeUs time_us) {
  const std::time_t seconds = static_cast<std::time_t>(time_us / 1'000'000);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

Json resource_list(const ResourceList& list) {
  Json json = Json::object();
  for (const auto& [name, quantity] : list) {
    json[name] =
        name == "cpu" ? fmt::format("{}m", to_milli(quantity)) : fmt::format("{}", ceil_units(quantity));
  }
  return json;
}

/// managedFields of the kinds of writer that a pod or node meets in its life.
Json managed_fields(const std::string& time, const char* manager, const char* operation, const Json& fields,
                    const char* subresource) {
  Json entry = {{"apiVersion", "v1"}, {"fieldsType", "FieldsV1"}, {"fieldsV1", fields},
                {"manager", manager}, {"operation", operation},   {"time", time}};
  if (*subresource != '\0') entry["subresource"] = subresource;
  return entry;
}

Json condition(const char* type, const char* status, const char* reason, const std::string& time) {
  Json json = {{"lastProbeTime", nullptr}, {"lastTransitionTime", time}, {"status", status}, {"type", type}};
  if (*reason != '\0') json["reason"] = reason;
  return json;
}

Json probe(const char* path) {
  return {{"failureThreshold", 3},
          {"httpGet", {{"path", path}, {"port", "http"}, {"scheme", "HTTP"}}},
          {"periodSeconds", 10},
          {"successThreshold", 1},
          {"timeoutSeconds", 1}};
}

/// Which fields the controller set and which the kubelet did, as server-side apply records them.
const Json& controller_fields() {
  static const Json fields = Json::parse(R"({
    "f:metadata": {"f:generateName": {}, "f:labels": {".": {}, "f:app": {}, "f:pod-template-hash": {}},
      "f:ownerReferences": {".": {}, "k:{\"uid\":\"6d4f6a2e-0d3c-4f0e-8a4e-3f5b3b8f9f10\"}": {}}},
    "f:spec": {"f:containers": {"k:{\"name\":\"main\"}": {".": {}, "f:args": {}, "f:image": {}, "f:name": {},
      "f:ports": {".": {}, "k:{\"containerPort\":8080,\"protocol\":\"TCP\"}": {".": {}, "f:containerPort": {}}},
      "f:resources": {".": {}, "f:requests": {".": {}, "f:cpu": {}, "f:memory": {}}}}},
      "f:restartPolicy": {}, "f:schedulerName": {}, "f:terminationGracePeriodSeconds": {}}})");
  return fields;
}

const Json& kubelet_fields() {
  static const Json fields = Json::parse(R"({
    "f:status": {"f:conditions": {"k:{\"type\":\"Ready\"}": {".": {}, "f:lastTransitionTime": {}, "f:status": {}}},
      "f:containerStatuses": {}, "f:hostIP": {}, "f:phase": {}, "f:podIP": {}, "f:startTime": {}}})");
  return fields;
}

Json pod_json(const Pod& pod) {
  const std::string created = time_text(pod.creation_time_us.value_or(0));
  Json json = {{"apiVersion", "v1"}, {"kind", "Pod"}};
  const std::string app = pod.labels.contains("app") ? pod.labels.at("app") : pod.name;
  json["metadata"] = {{"annotations", {{"prometheus.io/scrape", "true"}}},
                      {"creationTimestamp", created},
                      {"generateName", app + "-"},
                      {"labels", pod.labels},
                      {"managedFields",
                       {managed_fields(created, "kube-controller-manager", "Update", controller_fields(), ""),
                        managed_fields(created, "kubelet", "Update", kubelet_fields(), "status")}},
                      {"name", pod.name},
                      {"namespace", pod.namespace_},
                      {"ownerReferences",
                       {{{"apiVersion", "apps/v1"},
                         {"blockOwnerDeletion", true},
                         {"controller", true},
                         {"kind", "ReplicaSet"},
                         {"name", app},
                         {"uid", "6d4f6a2e-0d3c-4f0e-8a4e-3f5b3b8f9f10"}}}},
                      {"resourceVersion", "18446744"},
                      {"uid", pod.uid}};
  Json containers = Json::array();
  Json statuses = Json::array();
  for (const Container& container : pod.containers) {
    containers.push_back(
        {{"args", {"--config=/etc/config/config.yaml", "--listen=:8080", "--shutdown-grace=20s"}},
         {"env", {{{"name", "LOG_LEVEL"}, {"value", "info"}}}},
         {"image", "registry.example.com/" + app + ":v1.42.0"},
         {"imagePullPolicy", "IfNotPresent"},
         {"name", container.name},
         {"ports", {{{"containerPort", 8080}, {"name", "http"}, {"protocol", "TCP"}}}},
         {"readinessProbe", probe("/ready")},
         {"resources",
          {{"limits",
            {{"memory", fmt::format("{}", ceil_units(container.requests.contains("memory")
                                                         ? container.requests.at("memory")
                                                         : Quantity{}))}}},
           {"requests", resource_list(container.requests)}}},
         {"securityContext", {{"allowPrivilegeEscalation", false}}},
         {"terminationMessagePath", "/dev/termination-log"},
         {"terminationMessagePolicy", "File"},
         {"volumeMounts", {{{"mountPath", "/etc/config"}, {"name", "config"}}}}});
    statuses.push_back(
        {{"allocatedResources", resource_list(container.requests)},
         {"containerID", "containerd://5f0c2a4e7d3b6a1908f7e6d5c4b3a29180706f5e4d3c2b1a0f9e8d7c6b5a4938"},
         {"image", "registry.example.com/" + app + ":v1.42.0"},
         {"imageID",
          "registry.example.com/app@sha256:8c9d0e1f2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5"},
         {"lastState", Json::object()},
         {"name", container.name},
         {"ready", true},
         {"resources", {{"requests", resource_list(container.requests)}}},
         {"restartCount", 0},
         {"started", true},
         {"state", {{"running", {{"startedAt", created}}}}}});
  }
  json["spec"] = {{"automountServiceAccountToken", true},
                  {"containers", containers},
                  {"dnsPolicy", "ClusterFirst"},
                  {"enableServiceLinks", true},
                  {"preemptionPolicy", "PreemptLowerPriority"},
                  {"priority", pod.priority},
                  {"restartPolicy", "Always"},
                  {"schedulerName", pod.scheduler_name},
                  {"securityContext", {{"fsGroup", 65534}, {"runAsNonRoot", true}}},
                  {"serviceAccount", app},
                  {"serviceAccountName", app},
                  {"terminationGracePeriodSeconds", 30},
                  {"tolerations",
                   {{{"effect", "NoExecute"},
                     {"key", "node.kubernetes.io/not-ready"},
                     {"operator", "Exists"},
                     {"tolerationSeconds", 300}},
                    {{"effect", "NoExecute"},
                     {"key", "node.kubernetes.io/unreachable"},
                     {"operator", "Exists"},
                     {"tolerationSeconds", 300}}}},
                  {"volumes", {{{"configMap", {{"defaultMode", 420}, {"name", app}}}, {"name", "config"}}}}};
  if (pod.node_name.empty()) {
    json["status"] = {{"conditions", {condition("PodScheduled", "False", "Unschedulable", created)}},
                      {"phase", "Pending"},
                      {"qosClass", "Burstable"}};
    return json;
  }
  json["spec"]["nodeName"] = pod.node_name;
  json["status"] = {
      {"conditions",
       {condition("PodReadyToStartContainers", "True", "", created),
        condition("Initialized", "True", "", created), condition("Ready", "True", "", created),
        condition("ContainersReady", "True", "", created), condition("PodScheduled", "True", "", created)}},
      {"containerStatuses", statuses},
      {"hostIP", "192.0.2.10"},
      {"hostIPs", {{{"ip", "192.0.2.10"}}}},
      {"phase", "Running"},
      {"podIP", "10.0.0.1"},
      {"podIPs", {{{"ip", "10.0.0.1"}}}},
      {"qosClass", "Burstable"}};
  if (pod.start_time_us) json["status"]["startTime"] = time_text(*pod.start_time_us);
  return json;
}

Json node_json(const Node& node) {
  const std::string time = time_text(1'767'225'600'000'000);
  Json images = Json::array();
  for (int i = 0; i < 20; ++i) {
    images.push_back(
        {{"names",
          {fmt::format("registry.example.com/app-{}@sha256:8c9d0e1f2a3b4c5d6e7f8091a2b3c4d5e6f70819", i),
           fmt::format("registry.example.com/app-{}:v1.42.0", i)}},
         {"sizeBytes", 104857600 + i}});
  }
  return {{"apiVersion", "v1"},
          {"kind", "Node"},
          {"metadata",
           {{"creationTimestamp", time},
            {"labels", node.labels},
            {"name", node.name},
            {"annotations", {{"node.alpha.kubernetes.io/ttl", "0"}}},
            {"managedFields", {managed_fields(time, "kubelet", "Update", kubelet_fields(), "status")}}}},
          {"spec", {{"podCIDR", "10.0.0.0/24"}, {"providerID", "example://" + node.name}}},
          {"status",
           {{"addresses", {{{"address", node.name}, {"type", "Hostname"}}}},
            {"allocatable", resource_list(node.allocatable)},
            {"capacity", resource_list(node.allocatable)},
            {"conditions",
             {condition("MemoryPressure", "False", "KubeletHasSufficientMemory", time),
              condition("DiskPressure", "False", "KubeletHasNoDiskPressure", time),
              condition("Ready", "True", "KubeletReady", time)}},
            {"images", images},
            {"nodeInfo",
             {{"architecture", "amd64"}, {"kubeletVersion", "v1.37.2"}, {"operatingSystem", "linux"}}}}}};
}

Json budget_json(const DisruptionBudget& budget) {
  Json json = {{"apiVersion", "policy/v1"}, {"kind", "PodDisruptionBudget"}};
  json["metadata"] = {{"name", budget.name}, {"namespace", budget.namespace_}};
  json["spec"] = {{"maxUnavailable", "10%"}};
  if (budget.selector) json["spec"]["selector"] = {{"matchLabels", budget.selector->match_labels}};
  json["status"] = {{"disruptionsAllowed", budget.disruptions_allowed}, {"observedGeneration", 1}};
  return json;
}

/// Writes one item of the list, indented as kubectl does below "items".
class ItemWriter {
 public:
  explicit ItemWriter(std::ostream& out) : out_(out) {
    out_ << "{\n    \"apiVersion\": \"v1\",\n    \"items\": [";
  }
  void item(const Json& json) {
    out_ << (first_ ? "\n" : ",\n");
    first_ = false;
    const std::string text = json.dump(4);
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
      out_.write("        ", 8).write(text.data() + begin, static_cast<std::streamsize>(end - begin));
      begin = end;
    }
  }
  void end() {
    out_ << "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    "
            "}\n}\n";
  }

 private:
  std::ostream& out_;
  bool first_ = true;
};

}  // namespace

void write_kubectl_dump(const Cluster& cluster, std::ostream& out) {
  ItemWriter writer(out);
  for (const Node& node : cluster.nodes) writer.item(node_json(node));
  for (const Pod& pod : cluster.pods) writer.item(pod_json(pod));
  for (const DisruptionBudget& budget : cluster.budgets) writer.item(budget_json(budget));
  for (const Namespace& space : cluster.namespaces) {
    writer.item({{"apiVersion", "v1"},
                 {"kind", "Namespace"},
                 {"metadata", {{"labels", space.labels}, {"name", space.name}}}});
  }
  writer.end();
}

}  // namespace reprieve::generators
