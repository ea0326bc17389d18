// reprieve prove: the registry of theorems, decided anew.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "reprieve/cli/command.h"
#include "reprieve/cli/commands/prove_files.h"
#include "reprieve/cli/output/document.h"
#include "reprieve/cli/output/message.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/output/table.h"
#include "reprieve/manifest/write.h"
#include "reprieve/smt/theorems/cross_check.h"
#include "reprieve/smt/theorems/markdown.h"
#include "reprieve/smt/theorems/witness.h"

namespace reprieve::cli {
namespace {

namespace fs = std::filesystem;

struct ProveOptions {
  std::vector<std::string> names;
  bool list = false;
  bool markdown = false;
  bool contrasts = false;
  bool second_opinion = false;
  std::string effort = "default";
  std::string output = "table";
  std::string write_cases;
  std::string export_folder;
  std::string certificate, junit, bounds;
  std::uint64_t sample = 1000;
  std::vector<std::string> differ;
  std::uint32_t time_s = 600;
  std::uint32_t memory_mb = 4000;
  std::uint32_t seed = 0;
};

constexpr std::uint32_t kSecondOpinionTimeMs = 30'000;  // of a processor's, for each query

const char* kind_of(const smt::Theorem& theorem) {
  return !theorem.holds                          ? "refuted statement"
         : theorem.kind == smt::Kind::kUnbounded ? "theorem"
                                                 : "bounded theorem";
}

std::string scope_of(const smt::Theorem& theorem, const smt::Bounds& bounds) {
  return theorem.kind == smt::Kind::kUnbounded ? "every cluster" : smt::to_string(bounds);
}

std::vector<const smt::Theorem*> chosen(const std::vector<std::string>& names, std::string& unknown) {
  std::vector<const smt::Theorem*> list;
  for (const std::string& name : names) {
    const smt::Theorem* theorem = smt::find_theorem(name);
    if (theorem)
      list.push_back(theorem);
    else if (unknown.empty())
      unknown = name;
  }
  if (names.empty()) {
    for (const smt::Theorem& theorem : smt::theorems()) list.push_back(&theorem);
  }
  return list;
}

int list_theorems(const std::vector<const smt::Theorem*>& list, const std::string& output) {
  Table table({"NAME", "KIND", "EXPECTED", "ABOUT"});
  nlohmann::ordered_json items = nlohmann::ordered_json::array();
  for (const smt::Theorem* theorem : list) {
    const char* expected = theorem->holds ? "proved" : "refuted";
    table.add({theorem->name, kind_of(*theorem), expected, theorem->about});
    items.push_back({{"name", theorem->name},
                     {"kind", kind_of(*theorem)},
                     {"expected", expected},
                     {"sentence", theorem->sentence},
                     {"formal", theorem->formal},
                     {"about", theorem->about},
                     {"contrast", theorem->contrast}});
  }
  fmt::print("{}", output == "json" ? render({{"theorems", items}}, Format::kJson) : table.to_string());
  return kHeld;
}

bool write_file(const fs::path& path, const std::string& text) {
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  std::ofstream out(path);
  out << text;
  out.close();
  return static_cast<bool>(out);
}

// One statement, or its contrast, as it was decided.
struct Line {
  const smt::Theorem* theorem;
  bool contrast;
  smt::Proof proof;
  std::string case_file;
  std::optional<smt::CrossCheck> second;

  // Of the second solver's undecided queries the tally judges.
  bool held() const { return proof.as_expected && (!second || second->fault.empty()); }
};

std::string second_text(const Line& line) {
  if (!line.second) return "-";
  if (!line.second->fault.empty()) return line.second->fault;
  const std::string of =
      line.second->all > line.second->queries ? fmt::format(", of {}", with_commas(line.second->all)) : "";
  if (line.second->undecided > 0)
    return fmt::format("{} undecided of {}{}", line.second->undecided, line.second->queries, of);
  return fmt::format("agrees on {}{}", line.second->queries, of);
}

nlohmann::ordered_json to_json(const Line& line) {
  const smt::Proof& proof = line.proof;
  nlohmann::ordered_json item = {{"name", line.theorem->name},
                                 {"contrast", line.contrast},
                                 {"kind", kind_of(*line.theorem)},
                                 {"scope", scope_of(*line.theorem, proof.bounds)},
                                 {"verdict", smt::to_string(proof.outcome.verdict)},
                                 {"asExpected", proof.as_expected},
                                 {"seconds", static_cast<double>(proof.time_us) / 1e6},
                                 {"paths", proof.outcome.paths},
                                 {"queries", proof.outcome.solver.queries},
                                 {"conflicts", proof.outcome.solver.conflicts}};
  if (!proof.outcome.why.empty()) item["why"] = proof.outcome.why;
  if (!line.case_file.empty()) item["case"] = line.case_file;
  if (line.second) {
    item["secondOpinion"] = {
        {"queries", line.second->queries}, {"drawnFrom", line.second->all},
        {"agreed", line.second->agreed},   {"undecided", line.second->undecided},
        {"fault", line.second->fault},     {"seconds", static_cast<double>(line.second->time_us) / 1e6}};
  }
  return item;
}

// A name that is a file's: a case or a policy. No theorem is named so.
bool names_a_file(const std::string& name) { return name.contains('.') && !smt::find_theorem(name); }

// "4x2x2"; nothing when it is none, or too much for anybody.
std::optional<smt::Bounds> bounds_of(const std::string& text) {
  smt::Bounds bounds;
  int read = 0;
  if (std::sscanf(text.c_str(), "%2dx%2dx%2d%n", &bounds.pods, &bounds.resources, &bounds.budgets, &read) !=
          3 ||
      static_cast<std::size_t>(read) != text.size() || bounds.pods < 1 || bounds.resources < 0 ||
      bounds.budgets < 0)
    return std::nullopt;
  return bounds;
}

int prove(const ProveOptions& options) {
  const PolicyOptions of_policy{.effort = options.effort,
                                .output = options.output,
                                .junit = options.junit,
                                .write_cases = options.write_cases,
                                .time_s = options.time_s,
                                .memory_mb = options.memory_mb,
                                .seed = options.seed};
  if (!options.differ.empty()) {
    if (!options.names.empty()) return fail("--differ takes two policies and no other name");
    return prove_differ(options.differ[0], options.differ[1], of_policy);
  }
  if (std::ranges::any_of(options.names,
                          [](const std::string& n) { return names_a_file(n) || is_policy_name(n); })) {
    if (options.names.size() > 1) return fail("one case or policy at a time");
    const std::string& name = options.names.front();
    return is_policy_name(name) ? prove_policy(name, of_policy)
                                : prove_file(name, options.certificate, of_policy);
  }
  if (!options.certificate.empty()) return fail("--certificate is about a case file");
  if (!options.junit.empty()) return fail("--junit is about a policy, or --differ");
  std::string unknown;
  const std::vector<const smt::Theorem*> list = chosen(options.names, unknown);
  if (!unknown.empty())
    return fail(fmt::format("there is no theorem '{}' (`reprieve prove --list` names them)", unknown));
  if (options.markdown) {
    fmt::print("{}", smt::theorems_markdown());
    return kHeld;
  }
  if (options.list) return list_theorems(list, options.output);
  const smt::SecondOpinion opinion;
  if (options.second_opinion && !opinion.available())
    return fail("--second-opinion: there is no cvc5 in PATH (`./dev setup` installs it)");

  const smt::Effort effort = options.effort == "quick"     ? smt::Effort::kQuick
                             : options.effort == "nightly" ? smt::Effort::kNightly
                                                           : smt::Effort::kDefault;
  std::optional<smt::Bounds> given;
  if (!options.bounds.empty()) {
    given = bounds_of(options.bounds);
    if (!given)
      return fail(fmt::format("--bounds: '{}' is not PODSxRESOURCESxBUDGETS, as in 4x2x2", options.bounds));
  }
  Progress progress("prove", list.size());
  smt::ProofSettings settings;
  settings.solver = {
      .time_out_ms = options.time_s * 1000, .memory_mb = options.memory_mb, .seed = options.seed};
  settings.time_ms = std::uint64_t{options.time_s} * 1000;
  settings.progress = [&](std::uint64_t paths) {
    if (paths % 64 == 0) progress.draw();
    return true;
  };
  std::vector<Line> lines;
  smt::Tally tally;
  const smt::Sample sample{.size = options.sample, .seed = options.seed};
  for (const smt::Theorem* theorem : list) {
    // All at once are asked as far as makes sense for each; what is named, exactly as is said.
    const std::optional<smt::Bounds> at =
        given && options.names.empty() ? smt::within(*theorem, *given) : given;
    for (const bool contrast : {false, true}) {
      if (contrast && !options.contrasts) continue;
      smt::Terms terms;
      const smt::Bounds asked = at ? *at : theorem->bounds(effort);
      std::optional<smt::Exported> statement;
      if (!contrast && (options.second_opinion || !options.export_folder.empty()))
        statement = smt::exported(*theorem, terms, asked, false, settings, sample);
      Line line{.theorem = theorem,
                .contrast = contrast,
                .proof = statement && statement->proof ? *statement->proof
                         : at                          ? smt::run(*theorem, terms, *at, contrast, settings)
                              : smt::run(*theorem, terms, effort, contrast, settings)};
      const auto& model = line.proof.outcome.model;
      if (!options.write_cases.empty() && model && !contrast) {
        if (const auto shown = smt::witness(*theorem, line.proof.bounds, terms, *model)) {
          line.case_file = (fs::path(options.write_cases) / (shown->question.name + ".yaml")).string();
          if (!write_file(line.case_file, manifest::write_case_yaml(shown->question, &shown->spec)))
            return fail(fmt::format("cannot write {}", line.case_file));
        }
      }
      if (statement && !options.export_folder.empty()) {
        const fs::path path = fs::path(options.export_folder) / (theorem->name + ".smt2");
        if (!write_file(path, statement->smtlib)) return fail(fmt::format("cannot write {}", path.string()));
      }
      if (statement && options.second_opinion) {
        line.second = smt::cross_check(*theorem, *statement, asked, settings, opinion, kSecondOpinionTimeMs);
        tally.add(*theorem, *line.second);
      }
      lines.push_back(std::move(line));
    }
    progress.add(1);
    progress.draw();
  }
  progress.clear();

  const auto wrong = std::ranges::count_if(lines, [](const Line& line) { return !line.held(); });
  if (options.output == "json") {
    nlohmann::ordered_json document = {{"solver", smt::Solver::version()},
                                       {"seed", options.seed},
                                       {"effort", options.effort},
                                       {"theorems", nlohmann::ordered_json::array()}};
    if (options.second_opinion) document["secondSolver"] = opinion.version();
    for (const Line& line : lines) document["theorems"].push_back(to_json(line));
    fmt::print("{}", render(document, Format::kJson));
  } else {
    Table table({"NAME", "SCOPE", "VERDICT", "TIME", "PATHS", "SECOND"});
    for (const Line& line : lines) {
      const std::string_view verdict = smt::to_string(line.proof.outcome.verdict);
      table.add({line.theorem->name + (line.contrast ? " (contrast)" : ""),
                 scope_of(*line.theorem, line.proof.bounds),
                 line.proof.as_expected ? std::string(verdict) : fmt::format("{}, WRONG", verdict),
                 fmt::format("{:.2f} s", static_cast<double>(line.proof.time_us) / 1e6),
                 with_commas(line.proof.outcome.paths), second_text(line)},
                line.held() ? Colour::kPlain : Colour::kRed);
    }
    fmt::print("{}\n{} of {} as expected, by {}{}.\n", table.to_string(), lines.size() - wrong, lines.size(),
               smt::Solver::version(), options.second_opinion ? " and " + opinion.version() : "");
    if (options.second_opinion)
      fmt::print("\n{}, 30 s for each query{}:\n{}", opinion.version(),
                 tally.holds() ? "" : ": TOO FEW DECIDED, OR A FAULT", tally.to_string());
    for (const Line& line : lines) {
      if (!line.held())
        fmt::print("\n{}: {}\n  {}\n  again: reprieve prove {} --effort {} --seed {}\n", line.theorem->name,
                   line.proof.outcome.why.empty() ? second_text(line) : line.proof.outcome.why,
                   line.contrast ? line.theorem->contrast : line.theorem->sentence, line.theorem->name,
                   options.effort, options.seed);
    }
  }
  return wrong == 0 && tally.holds() ? kHeld : kFound;
}

}  // namespace

void add_prove(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ProveOptions>();
  CLI::App* command = app.add_subcommand(
      "prove", "What holds for every cluster, decided by an SMT solver on the code that ships");
  command->footer(
      "Proved, refuted and unknown are never mixed: unknown is not as expected. Bounds stand beside each\n"
      "name. Examples:\n"
      "  reprieve prove --effort quick\n"
      "  reprieve prove engine-irreducible --second-opinion\n"
      "  reprieve prove --second-opinion --bounds 6x2x2              # all, by both solvers\n"
      "  reprieve prove fewest-violations-1.37 --write-cases cases   # the smallest cluster that shows it\n"
      "  reprieve prove case.yaml                                    # is its decision the best one?\n"
      "  reprieve prove mine.yaml --junit proofs.xml                 # what holds of a policy\n"
      "  reprieve prove --differ kubernetes-1.36 kubernetes-1.37     # the smallest cluster where they "
      "differ");
  command->add_option(
      "NAME", options->names,
      "Theorems by name, all when none is given; or one case file, whose decision is certified; or "
      "one policy, built in or a file, whose invariants are proved or refuted");
  command
      ->add_option("--differ", options->differ, "The smallest clusters on which two policies differ: OLD NEW")
      ->expected(2);
  command->add_option("--junit", options->junit,
                      "Of a policy, or --differ: write what was found as JUnit XML");
  command->add_option("--certificate", options->certificate,
                      "Of a case: check this certificate (`reprieve decide --certify=FILE` writes one)");
  command->add_flag("--list", options->list, "Names, kinds and what is expected, without proving");
  command->add_flag("--markdown", options->markdown, "docs/THEOREMS.md");
  command->add_flag("--contrasts", options->contrasts, "Decide each theorem's changed statement too");
  command->add_option("--effort", options->effort, "How far bounded theorems go")
      ->check(CLI::IsMember({"quick", "default", "nightly"}))
      ->capture_default_str();
  command->add_option("--bounds", options->bounds,
                      "Decide bounded theorems for these alone: PODSxRESOURCESxBUDGETS, as in 4x2x2; without "
                      "NAME, each no farther than at night");
  command->add_flag("--second-opinion", options->second_opinion,
                    "Ask cvc5 as well, 30 s for each query: it must contradict none, and decide each about "
                    "every cluster and 90 % of those up to bounds");
  command
      ->add_option("--sample", options->sample,
                   "Of code that is explored ask the second solver, or export, so many queries, drawn by "
                   "--seed; 0: all")
      ->capture_default_str();
  command->add_option("--export", options->export_folder,
                      "Write each theorem's queries as SMT-LIB 2 to this folder");
  command->add_option("--write-cases", options->write_cases,
                      "Write the smallest cluster of each refuted statement to this folder");
  command->add_option("--time", options->time_s, "Seconds for one theorem; past it the verdict is unknown")
      ->check(CLI::Range(1U, 4'000'000U))
      ->capture_default_str();
  command->add_option("--memory", options->memory_mb, "Megabytes for the solver")
      ->check(CLI::Range(64U, 1'000'000U))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "The solver's seed")->capture_default_str();
  command->add_option("-o,--output", options->output, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  command->callback([options, &exit_code] { exit_code = prove(*options); });
}

}  // namespace reprieve::cli
