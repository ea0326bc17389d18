// Writes a model back as Kubernetes manifests. Reading what is written gives the same model.
#pragma once

#include <string>

#include "reprieve/manifest/read.h"
#include "reprieve/model/case.h"
#include "reprieve/model/policy.h"

namespace reprieve::manifest {

/// A `v1` List of every object of the cluster, as JSON (`indent` < 0: one line).
std::string write_json(const Cluster& cluster, int indent);

/// One pod as one line of JSON, with what the API server defaults; for a program that is given whole pods.
std::string write_json(const Pod& pod);

/// A multi-document YAML stream: the PreemptionCase document, then every object. Only fields that
/// differ from their default are written, so that a person can read it.
std::string write_case_yaml(const Case& question, const CaseSpec* spec = nullptr);

/// A PreemptionPolicy manifest.
std::string write_policy_yaml(const Policy& policy);

}  // namespace reprieve::manifest
