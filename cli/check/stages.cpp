#include <fmt/format.h>

#include <algorithm>

#include "reprieve/cli/arguments.h"
#include "reprieve/cli/check/stage.h"
#include "reprieve/cli/output/progress.h"

namespace reprieve::cli {

std::vector<std::unique_ptr<Stage>> all_stages() {
  std::vector<std::unique_ptr<Stage>> stages;
  stages.push_back(corpus_stage());
  stages.push_back(vectors_stage());
  stages.push_back(manifests_stage());
  stages.push_back(exhaustive_stage());
  stages.push_back(random_stage());
  stages.push_back(laws_stage());
  stages.push_back(fuzz_stage());
  stages.push_back(trace_stage());
  stages.push_back(live_stage());
  stages.push_back(theorems_stage());
  stages.push_back(certificates_stage());
  stages.push_back(operations_stage());
  return stages;
}

Seeds seeds_of(const CheckOptions& options, std::uint64_t cases) {
  const std::uint64_t all = options.cases.value_or(cases);
  const Shard& shard = options.shard;
  // The first `all % count` shards take one more. No product overflows.
  const std::uint64_t each = all / shard.count;
  const std::uint64_t more = all % shard.count;
  return {.first = options.seed + each * shard.index + std::min(shard.index, more),
          .count = each + (shard.index < more ? 1 : 0)};
}

std::optional<std::uint64_t> number_in(std::string_view name, std::string_view before) {
  if (!name.starts_with(before)) return std::nullopt;
  return read_number(name.substr(before.size()));
}

void note_deadline(StageReport& report, std::uint64_t done, std::uint64_t all) {
  if (done >= all || report.verdict == Verdict::kFailed) return;
  report.cut = true;
  report.gaps.push_back(
      fmt::format("{} of {} cases: its time was over", with_commas(all - done), with_commas(all)));
}

StageReport skipped(std::string why) {
  StageReport report;
  report.verdict = Verdict::kSkipped;
  report.what = std::move(why);
  return report;
}

StageReport broken(std::string why) {
  StageReport report;
  report.verdict = Verdict::kFailed;
  report.what = std::move(why);
  return report;
}

StageReport unreadable(std::string why) {
  StageReport report = broken(std::move(why));
  report.wrong_input = true;
  return report;
}

}  // namespace reprieve::cli
