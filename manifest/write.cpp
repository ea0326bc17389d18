// The writers of write.h: a List as kubectl prints it, and case files for people.
#include "reprieve/manifest/write.h"

#include "reprieve/manifest/write_objects.h"

namespace reprieve::manifest {

std::string write_json(const Cluster& cluster, int indent) {
  // The frame of the List is written by hand so that only one object is a tree at a time: a dump of
  // 150,000 pods would otherwise take many times its size in memory.
  const bool pretty = indent >= 0;
  const std::string newline = pretty ? "\n" + std::string(static_cast<std::size_t>(indent), ' ') : "";
  const std::string item_newline = pretty ? newline + std::string(static_cast<std::size_t>(indent), ' ') : "";
  const std::string_view colon = pretty ? ": " : ":";
  std::string out = "{";
  out.append(newline).append("\"apiVersion\"").append(colon).append("\"v1\",");
  out.append(newline).append("\"items\"").append(colon).append("[");
  bool first = true;
  for_each_object(cluster, Detail::kDefaulted, [&](const Document& object) {
    if (!first) out += ',';
    first = false;
    out += item_newline;
    append_json(out, object, indent, 2);
  });
  if (!first) out += newline;
  out.append("],");
  out.append(newline).append("\"kind\"").append(colon).append("\"List\",");
  out.append(newline).append("\"metadata\"").append(colon).append("{}");
  if (pretty) out += '\n';
  out += '}';
  return out;
}

std::string write_json(const Pod& pod) {
  std::string out;
  append_json(out, pod_document(pod, Detail::kDefaulted, true), -1);
  return out;
}

std::string write_case_yaml(const Case& question, const CaseSpec* spec) {
  std::string out;
  append_yaml(out, case_document(question, spec));
  for_each_object(question.cluster, Detail::kMinimal, [&](const Document& object) {
    out += "---\n";
    append_yaml(out, object);
  });
  return out;
}

std::string write_policy_yaml(const Policy& policy) {
  std::string out;
  append_yaml(out, policy_document(policy));
  return out;
}

}  // namespace reprieve::manifest
