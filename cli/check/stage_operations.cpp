// How much work a decision is, counted and not timed: the nodes on which an eviction is tried, and the steps
// of the exact search, on a fixed set of workloads. What a bound no longer leaves out shows here at once;
// what the same work costs in instructions, `./dev gate-instructions` knows.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "reprieve/cli/check/live.h"
#include "reprieve/cli/check/stage.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/parallel.h"
#include "reprieve/engine/decide.h"
#include "reprieve/engine/snapshot.h"
#include "reprieve/manifest/policy.h"
#include "reprieve/properties/generators/workloads.h"
#include "reprieve/subjects/place.h"

namespace reprieve::cli {

namespace {

constexpr int kNodes = 500;
constexpr int kPodsPerNode = 30;
constexpr int kBudgets = 20;
constexpr int kPending = 10;
/// More than by so much of what was recorded, and by more than so many, is a failure.
constexpr double kGrowth = 0.05;
constexpr std::uint64_t kSlack = 3;
/// Less than this share of it: a bound leaves out more than it did, and may be wrong; or the record is old.
constexpr double kStale = 0.5;

struct Work {
  std::string name;
  std::uint64_t count = 0;
};

struct Row {
  generators::Workload workload;
  Policy policy;
};

/// "uniform, kubernetes-1.37: nodes tried".
Work count(const Row& row) {
  const Cluster cluster = generators::workload_cluster({.workload = row.workload,
                                                        .seed = 1,
                                                        .nodes = kNodes,
                                                        .pods_per_node = kPodsPerNode,
                                                        .budgets = kBudgets,
                                                        .pending = kPending});
  const bool exact = row.policy.victims == VictimSearch::kExact;
  const engine::Snapshot snapshot(cluster, row.policy.release);
  engine::Workspace workspace;
  const subjects::Place here(subjects::Doing::kDecide, "engine", to_string(row.workload), row.policy.name);
  Work work{
      fmt::format("{}, {}: {}", to_string(row.workload), row.policy.name, exact ? "steps" : "nodes tried"),
      0};
  for (const Pod& pod : cluster.pods) {
    if (!pod.node_name.empty()) continue;
    (void)decide(snapshot, full_name(pod), row.policy, {}, engine::Depth::kAnswer, workspace);
    work.count += exact ? workspace.searched() : workspace.tried();
  }
  return work;
}

class OperationsStage final : public Stage {
 public:
  std::string_view name() const override { return "operations"; }
  std::string_view question() const override {
    return "Does a decision try no more nodes, and search no further, than was recorded?";
  }
  Amounts budget_s() const override { return {.quick = 5, .usual = 20, .full = 20}; }

  StageReport run(const CheckOptions& options) const override {
    if (asks_outside(options) || options.subject != "engine")
      return skipped("it counts what the engine does, which a program outside does not tell");
    if (options.policy) return skipped("the counts that are recorded are those of kubernetes and exact");
    if (options.corpus.empty()) return skipped("no corpus folder found, beside which the record would be");
    const std::string file =
        (std::filesystem::path(options.corpus).parent_path() / "bench" / "operations.json").string();
    std::ifstream in(file);
    const bool records = !options.record_operations.empty();
    if (!in && !records) return skipped(fmt::format("there is no record: {}", file));
    nlohmann::ordered_json recorded;
    if (!records) {
      recorded = nlohmann::ordered_json::parse(in, nullptr, false);
      if (!recorded.is_object()) return unreadable(fmt::format("{} is no JSON object", file));
    }

    std::vector<Row> rows;
    for (const generators::Workload workload : generators::kWorkloads) {
      for (const Policy& policy : {kubernetes_policy(Release::k1_37), *manifest::find_policy("exact")})
        rows.push_back({workload, policy});
    }
    std::vector<std::optional<Work>> counted(rows.size());
    Progress progress("operations", rows.size());
    for_batches(
        rows.size(), 1, thread_count(options.threads), progress,
        [&](unsigned, std::uint64_t at, std::uint64_t) {
          counted[at] = count(rows[at]);
          return true;
        },
        options.deadline);
    return records ? record(counted, options.record_operations) : judge(counted, recorded, file);
  }

 private:
  static StageReport record(const std::vector<std::optional<Work>>& counted, const std::string& file) {
    nlohmann::ordered_json all;
    for (const auto& work : counted) {
      if (work) all[work->name] = work->count;
    }
    std::ofstream out(file);
    out << all.dump(2) << '\n';
    out.close();
    if (!out) return unreadable(fmt::format("cannot write {}", file));
    StageReport report;
    report.compared = all.size();
    report.what = fmt::format("{} counts recorded in {}", all.size(), file);
    return report;
  }

  static void add_finding(StageReport& report, std::string title, const std::string& changes,
                          const std::string& file) {
    if (changes.empty()) return;
    report.verdict = Verdict::kFailed;
    report.findings.push_back({.title = std::move(title),
                               .details = changes + fmt::format("If that is meant: reprieve check --only "
                                                                "operations --record-operations {}\n",
                                                                file),
                               .case_yaml = {},
                               .seed = {},
                               .repeat = "reprieve check --only operations"});
  }

  static StageReport judge(const std::vector<std::optional<Work>>& counted,
                           const nlohmann::ordered_json& recorded, const std::string& file) {
    StageReport report;
    std::string grown;
    std::string shrunk;
    for (const auto& work : counted) {
      if (!work) continue;
      const auto known = recorded.find(work->name);
      if (known == recorded.end() || !known->is_number_unsigned()) {
        report.gaps.push_back(fmt::format("{}: not in {}", work->name, file));
        continue;
      }
      ++report.compared;
      const auto before = known->get<std::uint64_t>();
      const auto limit = before + kSlack + static_cast<std::uint64_t>(kGrowth * static_cast<double>(before));
      const std::string change = fmt::format("  {:<50} {:>12} -> {:>12}\n", work->name, with_commas(before),
                                             with_commas(work->count));
      if (work->count > limit) grown += change;
      if (static_cast<double>(work->count + kSlack) < kStale * static_cast<double>(before)) shrunk += change;
    }
    report.what = fmt::format("{} counts on {} nodes x {} pods", report.compared, kNodes, kPodsPerNode);
    add_finding(report, "the engine does more for the same decisions than was recorded", grown, file);
    add_finding(report, "the engine does less than half of what was recorded: a bound that is too tight?",
                shrunk, file);
    note_deadline(report,
                  static_cast<std::uint64_t>(
                      std::ranges::count_if(counted, [](const auto& w) { return w.has_value(); })),
                  counted.size());
    return report;
  }
};

}  // namespace

std::unique_ptr<Stage> operations_stage() { return std::make_unique<OperationsStage>(); }

}  // namespace reprieve::cli
