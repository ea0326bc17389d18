// What `reprieve prove` says of a case, whose decision is certified, and of policies.
#pragma once

#include <cstdint>
#include <string>

#include "reprieve/model/policy.h"

namespace reprieve::cli {

struct PolicyOptions {
  std::string effort = "default";
  std::string output = "table";
  std::string junit;        // a file; empty: none
  std::string write_cases;  // a folder; empty: none
  std::uint32_t time_s = 600;
  std::uint32_t memory_mb = 4000;
  std::uint32_t seed = 0;
};

/// A case or a policy. `certificate`: the file of one that is to be checked against a case; empty: one is
/// made. Exit code 0 of a case: certified, and the decision is the best choice; 1: there is a better one, or
/// something is left open.
int prove_file(const std::string& path, const std::string& certificate, const PolicyOptions& options);

/// Whether prove_policy() is meant: the name of a built-in policy.
bool is_policy_name(const std::string& name);

/// The invariants of a policy, each proved or refuted for it. Exit code 0: all proved.
int prove_policy(const Policy& policy, const PolicyOptions& options);
int prove_policy(const std::string& name, const PolicyOptions& options);

/// The smallest clusters on which two policies differ. Exit code 0: none up to the bounds.
int prove_differ(const std::string& before, const std::string& after, const PolicyOptions& options);

}  // namespace reprieve::cli
