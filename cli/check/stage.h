// A stage of `reprieve check`: one way of finding out whether the subject is still right.
//
// To add one: write check/stage_NAME.cpp with a function `NAME_stage()`, declare it below and put
// it into all_stages(); nothing else has to know it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/cli/check/effort.h"
#include "reprieve/model/case.h"
#include "reprieve/model/policy.h"
#include "reprieve/properties/laws/law.h"
#include "reprieve/properties/reach/reach.h"

namespace reprieve::cli {

/// A run that several processes share, each of which takes one of `count` equal parts of the seeds.
struct Shard {
  std::uint64_t index = 0;
  std::uint64_t count = 1;
};

struct CheckOptions {
  Effort effort = Effort::kUsual;
  std::optional<std::uint64_t> budget_s;  // of each stage, 0 for none; else each stage's own
  bool complete = false;                  // a stage that is cut short is a failure
  Deadline deadline;                      // of the stage that runs
  std::optional<std::uint64_t> cases;     // of the stages that generate; else each stage's own number
  std::uint64_t seed = 1;
  std::string commit;  // what the seed is derived from, if anything
  Shard shard;
  unsigned threads = 0;                     // 0: one for each processor
  std::string corpus;                       // folder; empty: where it was found, or nowhere
  std::string vectors;                      // folder; empty: none
  bool vectors_given = false;               // by --vectors: then only these
  std::string trace;                        // folder; empty: none
  std::optional<std::uint64_t> preemptors;  // of the trace; else the stage's own number
  std::string features = "all";
  std::optional<int> pods_per_node;   // of random clusters, at most; else the generator's own number
  std::optional<Policy> policy;       // every case under this one; else each stage's own choice
  std::string policy_name;            // as it was given
  std::string scope;                  // of the exhaustive stage (scope.h); empty: its own
  std::uint64_t from = 0;             // where in the scope it begins
  std::string subject = "engine";     // whom the run judges
  std::string against = "reference";  // who is held to be right
  std::optional<Release> release;     // the only one that an external program can decide
  std::vector<std::string> laws;      // only these; empty: all
  bool choice_only = false;           // compare outcome, chosen node and its victims only
  std::optional<int> time_out_ms;     // of one decision; else as below
  std::uint64_t draw = 0;             // of the laws that draw something, on the cases of the corpus
  bool fail_fast = false;             // a stage ends with the first thing it finds, which is not shrunk
  std::string out;                    // the folder of the cases that are found; empty: a new one
  std::string record_operations;      // the file that the stage operations writes its counts to; empty: none
  // Of a run that asks a program outside (live.h):
  bool keep_going = false;  // count all cases that are decided otherwise, not only find the first
  std::string record;       // the gzip file that the program's decisions are added to; empty: none
};

/// How long one decision may take unless --time-out says so: of a program outside, and of the engine and the
/// reference, which need a second for the slowest.
constexpr int kOutsideTimeOutMs = 30'000;
constexpr Amounts kOwnTimeOutMs{.quick = 20'000, .usual = 60'000, .full = 60'000};
inline int own_time_out_ms(const CheckOptions& options) {
  return options.time_out_ms.value_or(static_cast<int>(kOwnTimeOutMs.at(options.effort)));
}

/// The seeds that a stage generates from, of `cases` (or as many as were asked for) in all shards together.
struct Seeds {
  std::uint64_t first = 1;
  std::uint64_t count = 0;
};
Seeds seeds_of(const CheckOptions& options, std::uint64_t cases);
/// The seed of the case "seed-7", or the number in another name of that sort.
std::optional<std::uint64_t> number_in(std::string_view name, std::string_view before);

/// One thing that was found to be wrong, with all that is needed to see it again.
struct Finding {
  std::string title;      // "engine and reference differ on case seed-7"
  std::string details;    // both answers where they differ; several lines
  std::string case_yaml;  // the smallest case; empty when there is none
  std::optional<std::uint64_t> seed;
  std::string repeat;      // the command that shows it again
  std::string alone = {};  // the command that shows it on the case alone, without its --corpus; empty: none
  std::string file = {};   // where the case was written; empty: nowhere
};

/// How often a law was held against a decision, and what came of it.
struct LawCount {
  std::string law;
  std::uint64_t holds = 0;
  std::uint64_t broken = 0;
  std::uint64_t excused = 0;  // broken as one of its exceptions says
  std::uint64_t silent = 0;   // its premise was not met
  bool beyond = false;        // it needs a story that the subject does not tell
};

enum class Verdict { kHeld, kFailed, kSkipped };

struct StageReport {
  Verdict verdict = Verdict::kHeld;
  std::string what;               // "98 files, 392 decisions", or why it was skipped or failed
  std::uint64_t decisions = 0;    // compared
  std::uint64_t compared = 0;     // other things than decisions; a stage that compared nothing is a failure
  reach::Reach reach;             // by whoever is held to be right
  std::vector<LawCount> laws;     // of the stages that hold them
  std::vector<std::string> gaps;  // what was not covered, one sentence each
  std::vector<Finding> findings;
  double seconds = 0;
  bool cut = false;          // its time was over before it was done
  bool wrong_input = false;  // what it was given cannot be read: no verdict, exit code 2
};

/// A case of a stage, found again by its name.
struct Located {
  Case question;
  std::string repeat;  // the command that holds the stage to it
  std::optional<std::uint64_t> seed;
  std::uint64_t draw = 0;  // of a law
};

class Stage {
 public:
  virtual ~Stage() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view question() const = 0;  // what it settles, in one sentence
  virtual StageReport run(const CheckOptions& options) const = 0;
  /// Seconds after which it begins nothing new, unless it was told how much to do.
  virtual Amounts budget_s() const = 0;
  /// Whether the shards of a run divide it among them; else the first one runs it alone.
  virtual bool is_divided() const { return false; }
  /// The case of that name under the policy of that name, out of those that the run asks about; `law` is the
  /// one that is held against it, null for a decision. Nothing when the stage does not know it.
  virtual std::optional<Located> locate(const CheckOptions& /*options*/, std::string_view /*name*/,
                                        std::string_view /*policy*/, const laws::Law* /*law*/) const {
    return std::nullopt;
  }
};

std::unique_ptr<Stage> corpus_stage();
std::unique_ptr<Stage> vectors_stage();
std::unique_ptr<Stage> manifests_stage();
std::unique_ptr<Stage> exhaustive_stage();
std::unique_ptr<Stage> random_stage();
std::unique_ptr<Stage> laws_stage();
std::unique_ptr<Stage> fuzz_stage();
std::unique_ptr<Stage> trace_stage();
std::unique_ptr<Stage> live_stage();
std::unique_ptr<Stage> theorems_stage();
std::unique_ptr<Stage> operations_stage();
std::unique_ptr<Stage> certificates_stage();

/// In the order in which they run: what is quick and certain first.
std::vector<std::unique_ptr<Stage>> all_stages();

/// Says in the report that the deadline came first, when it did: `done` of `all` cases.
void note_deadline(StageReport& report, std::uint64_t done, std::uint64_t all);

/// A report that says why the stage did not run.
StageReport skipped(std::string why);
/// A report of a stage that could not do its work.
StageReport broken(std::string why);
/// The same, because a file that it was given is none of its sort.
StageReport unreadable(std::string why);

}  // namespace reprieve::cli
