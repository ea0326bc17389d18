#include "reprieve/cli/compare/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "reprieve/cli/command.h"
#include "reprieve/cli/corpus.h"
#include "reprieve/cli/output/message.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/queue.h"
#include "reprieve/manifest/read.h"
#include "reprieve/properties/generators/features.h"
#include "reprieve/properties/generators/generate.h"
#include "reprieve/properties/generators/trace.h"

namespace reprieve::cli::comparison {

namespace {

using Opened = std::expected<std::unique_ptr<Source>, std::string>;

class Generated final : public Source {
 public:
  Generated(const SourceOptions& options, generators::GeneratorSettings settings)
      : options_(options), settings_(std::move(settings)) {}

  std::uint64_t size() const override { return options_.cases; }
  std::string description() const override {
    return fmt::format("{} generated clusters from seed {}", with_commas(options_.cases), options_.seed);
  }
  std::string options() const override {
    std::string text = fmt::format("--cases {} --seed {}", options_.cases, options_.seed);
    if (options_.features != SourceOptions{}.features) text += " --features=" + options_.features;
    if (options_.pods_per_node) text += fmt::format(" --pods-per-node {}", *options_.pods_per_node);
    return text;
  }
  std::unique_ptr<Reader> reader() const override { return std::make_unique<Maker>(*this); }

 private:
  struct Maker final : Reader {
    explicit Maker(const Generated& from) : source(from) {}
    Case& question(std::uint64_t number) override {
      made = generators::generate(source.options_.seed + number, source.settings_);
      return made;
    }
    const Generated& source;
    Case made;
  };

  SourceOptions options_;
  generators::GeneratorSettings settings_;
};

class Files final : public Source {
 public:
  Files(std::vector<std::string> paths, std::vector<Case> cases)
      : paths_(std::move(paths)), cases_(std::move(cases)) {}

  std::uint64_t size() const override { return cases_.size(); }
  std::string description() const override { return fmt::format("{} case files", cases_.size()); }
  std::string options() const override {
    std::string text;
    for (const std::string& path : paths_) text += (text.empty() ? "-f " : " -f ") + path;
    return text;
  }
  std::unique_ptr<Reader> reader() const override { return std::make_unique<Copier>(*this); }

 private:
  struct Copier final : Reader {
    explicit Copier(const Files& from) : source(from) {}
    Case& question(std::uint64_t number) override {
      copy = source.cases_[number];
      return copy;
    }
    const Files& source;
    Case copy;
  };

  std::vector<std::string> paths_;
  std::vector<Case> cases_;
};

/// One cluster and several preemptors: of a dump, where they are among its pods, or of a trace, where
/// they come one at a time.
class OneCluster final : public Source {
 public:
  OneCluster(Cluster cluster, std::vector<Pod> preemptors, bool resident, std::string description,
             std::string options)
      : cluster_(std::move(cluster)),
        preemptors_(std::move(preemptors)),
        resident_(resident),
        description_(std::move(description)),
        options_(std::move(options)) {}

  std::uint64_t size() const override { return preemptors_.size(); }
  std::string description() const override { return description_; }
  std::string options() const override { return options_; }
  std::unique_ptr<Reader> reader() const override { return std::make_unique<Changer>(*this); }

 private:
  /// The cluster is copied once, then only the preemptor changes.
  struct Changer final : Reader {
    explicit Changer(const OneCluster& from) : source(from) {
      question_.cluster = source.cluster_;
      if (!source.resident_) question_.cluster.pods.emplace_back();
    }
    Case& question(std::uint64_t number) override {
      const Pod& preemptor = source.preemptors_[number];
      question_.name = preemptor.name;
      question_.preemptor = full_name(preemptor);
      if (!source.resident_) question_.cluster.pods.back() = preemptor;
      return question_;
    }
    const OneCluster& source;
    Case question_;
  };

  Cluster cluster_;
  std::vector<Pod> preemptors_;
  bool resident_;
  std::string description_;
  std::string options_;
};

Opened open_generated(const SourceOptions& options) {
  const auto features = generators::parse_features(options.features);
  if (!features) return std::unexpected("--features: " + features.error());
  generators::GeneratorSettings settings{.features = *features};
  // Under the comparison's own policies; what is drawn for others must not change with them.
  settings.features.erase(generators::Feature::kSampling);
  if (options.pods_per_node) settings.max_pods_per_node = *options.pods_per_node;
  return std::make_unique<Generated>(options, std::move(settings));
}

Opened open_trace(const SourceOptions& options) {
  const auto trace = generators::read_trace(options.trace);
  if (!trace) return std::unexpected("--trace: " + trace.error());
  Cluster cluster = generators::fill(*trace);
  std::vector<Pod> preemptors = generators::draw_preemptors(*trace, options.seed, options.preemptors);
  std::string description =
      fmt::format("a production trace of {} nodes, {} pods and {} budgets; {} preemptors from seed {}",
                  with_commas(cluster.nodes.size()), with_commas(cluster.pods.size()),
                  with_commas(cluster.budgets.size()), with_commas(preemptors.size()), options.seed);
  return std::make_unique<OneCluster>(
      std::move(cluster), std::move(preemptors), false, std::move(description),
      fmt::format("--trace {} --preemptors {} --seed {}", options.trace, options.preemptors, options.seed));
}

Opened open_dump(const SourceOptions& options) {
  auto input = manifest::read_files(options.files);
  if (!input) return std::unexpected(manifest::to_string(input.error()));
  for (const manifest::Warning& warning : input->warnings) say("warning", manifest::to_string(warning));
  std::vector<Pod> preemptors;
  for (const std::size_t place : scheduling_queue(input->cluster)) {
    const Pod& pod = input->cluster.pods[place];
    if (options.pods.empty() || std::ranges::count(options.pods, full_name(pod)) > 0) {
      preemptors.push_back(pod);
    }
  }
  for (const std::string& name : options.pods) {
    if (std::ranges::none_of(preemptors, [&](const Pod& pod) { return full_name(pod) == name; })) {
      return std::unexpected(fmt::format("--pod: {} is not a pending pod that would be scheduled", name));
    }
  }
  if (preemptors.empty()) return std::unexpected("no pending pods in the input");
  std::string text;
  for (const std::string& file : options.files) text += (text.empty() ? "-f " : " -f ") + file;
  for (const std::string& pod : options.pods) text += " --pod " + pod;
  std::string description = fmt::format(
      "a dump of {} nodes and {} pods, {} of them pending", with_commas(input->cluster.nodes.size()),
      with_commas(input->cluster.pods.size()), with_commas(preemptors.size()));
  return std::make_unique<OneCluster>(std::move(input->cluster), std::move(preemptors), true,
                                      std::move(description), std::move(text));
}

Opened open_cases(const SourceOptions& options) {
  if (!options.pods.empty()) return std::unexpected("--pod: a case names its preemptor itself");
  std::vector<Case> cases;
  for (const std::string& path : options.files) {
    for (const std::string& file : corpus_files(path)) {
      auto read = read_corpus_case(file);
      if (!read) return std::unexpected(std::move(read.error()));
      cases.push_back(std::move(read->judged.front().question));
    }
  }
  return std::make_unique<Files>(options.files, std::move(cases));
}

/// Whether the path is a case file, or a folder of which the first file is one. Told from its beginning,
/// because a dump can be large.
bool holds_cases(const std::string& path) {
  std::error_code failed;
  if (path == "-" || !std::filesystem::exists(path, failed)) return false;
  const auto files = corpus_files(path);
  if (files.empty()) return false;
  std::string beginning(std::size_t{1} << 16, '\0');
  std::ifstream file(files.front());
  file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<std::size_t>(file.gcount()));
  return beginning.find("PreemptionCase") != std::string::npos;
}

}  // namespace

Opened open_source(const SourceOptions& options) {
  if (!options.trace.empty()) return open_trace(options);
  if (options.files.empty()) return open_generated(options);
  return std::ranges::all_of(options.files, holds_cases) ? open_cases(options) : open_dump(options);
}

}  // namespace reprieve::cli::comparison
