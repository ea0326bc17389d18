// Reads what kubectl prints, and hand-written manifests, into a Cluster; and case files.
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/manifest/error.h"
#include "reprieve/model/case.h"
#include "reprieve/model/cluster.h"
#include "reprieve/model/decision.h"

namespace reprieve::manifest {

/// The expected decision of a case file; an absent field is not compared.
struct Expectation {
  struct Candidate {
    std::vector<std::string> victims;
    std::int64_t violations = 0;
    bool operator==(const Candidate&) const = default;
  };
  std::optional<Outcome> outcome;
  std::optional<std::string> reason;                  // of kIneligible
  std::optional<std::vector<std::string>> nominated;  // the whole final tie
  std::optional<NodeCriterion> decided_by;
  std::optional<std::vector<std::string>> cleared;
  std::map<std::string, Candidate> candidates;              // by node; nodes not listed are not compared
  std::map<std::string, NodeStatus> nodes;                  // by node
  std::map<std::string, std::vector<std::string>> reasons;  // by node, as sets

  bool operator==(const Expectation&) const = default;
};

/// The PreemptionCase document of a case file: the preemptor, the policies and what is expected.
struct CaseSpec {
  std::string name;
  std::string description;  // metadata.annotations["reprieve.dev/description"], may be empty
  std::string preemptor;
  Policy policy;  // spec.policy, `kubernetes` when absent
  std::vector<Extender> extenders;
  std::optional<Expectation> expect;              // for spec.policy
  std::map<std::string, Expectation> expect_for;  // by built-in policy name

  bool operator==(const CaseSpec&) const = default;
};

/// Everything that was read from one or more files.
struct Input {
  Cluster cluster;
  std::optional<CaseSpec> case_spec;       // at most one PreemptionCase document
  std::optional<Policy> policy;            // at most one PreemptionPolicy document
  std::vector<Warning> warnings;           // sorted by message
  Location preemptor_place;                // of case_spec's preemptor
  std::vector<std::string> finished_pods;  // "namespace/name" of the Succeeded and Failed ones
};

/// Reads files, folders (every *.yaml, *.yml, *.json in them, sorted by name, recursively) and "-"
/// (standard input), in the order given. JSON or YAML is told from the content, not the name.
/// Duplicate objects are a warning when identical, else an error; inside one case file always an
/// error. Applies the API server's and the scheduler's defaults; drops Succeeded and Failed pods.
std::expected<Input, Error> read_files(const std::vector<std::string>& paths);

/// The same from memory; `file` is the name used in errors.
std::expected<Input, Error> read_text(std::string_view text, const std::string& file);

/// Where in `input.cluster.pods` the preemptor of its PreemptionCase document is; an error, with the
/// place in the file, when there is no such document or the preemptor is absent, has finished or
/// already runs on a node.
std::expected<std::size_t, Error> find_preemptor(const Input& input);

/// The Case that an Input asks (policy by the spec); an error when it has no PreemptionCase document
/// or the preemptor is absent or already runs on a node.
std::expected<Case, Error> to_case(const Input& input);

}  // namespace reprieve::manifest
