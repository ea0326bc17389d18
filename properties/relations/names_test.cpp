#include "reprieve/properties/relations/names.h"

#include <set>

#include "reprieve/properties/relations/testing.h"

namespace reprieve::relations {
namespace {

using generators::Random;
using testing::expect_valid;
using testing::for_each_case;

/// What a name stood for before and stands for now must be the same object.
bool maps_to(const NameMap& map, const std::string& before, const std::string& after) {
  const auto found = map.find(before);
  return after == (found == map.end() ? before : found->second);
}

TEST(Renamed, NodesTakeEveryReferenceAlong) {
  int references = 0;
  for_each_case([&](const Case& question, Random& random) {
    const Renamed other = with_nodes_renamed(question, random);
    expect_valid(other.question);
    const NameMap& map = other.names.nodes;
    for (std::size_t i = 0; i < question.cluster.nodes.size(); ++i) {
      EXPECT_TRUE(maps_to(map, question.cluster.nodes[i].name, other.question.cluster.nodes[i].name));
      EXPECT_EQ(question.cluster.nodes[i].labels, other.question.cluster.nodes[i].labels);
    }
    for (std::size_t i = 0; i < question.cluster.pods.size(); ++i) {
      const Pod& a = question.cluster.pods[i];
      const Pod& b = other.question.cluster.pods[i];
      EXPECT_TRUE(maps_to(map, a.node_name, b.node_name));
      EXPECT_TRUE(maps_to(map, a.nominated_node_name, b.nominated_node_name));
      if (!a.affinity.required_node_affinity) continue;
      for (std::size_t t = 0; t < a.affinity.required_node_affinity->terms.size(); ++t) {
        const auto& fields = a.affinity.required_node_affinity->terms[t].match_fields;
        for (std::size_t f = 0; f < fields.size(); ++f) {
          const auto& renamed_field = b.affinity.required_node_affinity->terms[t].match_fields[f];
          EXPECT_TRUE(maps_to(map, fields[f].values.front(), renamed_field.values.front()));
          ++references;
        }
      }
    }
    for (std::size_t i = 0; i < question.cluster.csi_nodes.size(); ++i) {
      EXPECT_TRUE(maps_to(map, question.cluster.csi_nodes[i].name, other.question.cluster.csi_nodes[i].name));
      ++references;
    }
    for (std::size_t i = 0; i < question.extenders.size(); ++i) {
      if (!question.extenders[i].answer) continue;
      for (const auto& [node, victims] : *question.extenders[i].answer) {
        std::string name = node;
        if (const auto found = map.find(node); found != map.end()) name = found->second;
        EXPECT_EQ(other.question.extenders[i].answer->at(name), victims);
        ++references;
      }
    }
  });
  EXPECT_GT(references, 150);
}

TEST(Renamed, PodsStayWhatBudgetsAndExtendersMean) {
  int disrupted = 0;
  int answered = 0;
  for_each_case([&](const Case& question, Random& random) {
    const Renamed other = with_pods_renamed(question, random);
    expect_valid(other.question);
    const NameMap& map = other.names.pods;
    EXPECT_TRUE(maps_to(map, question.preemptor, other.question.preemptor));
    for (std::size_t i = 0; i < question.cluster.pods.size(); ++i) {
      EXPECT_TRUE(
          maps_to(map, full_name(question.cluster.pods[i]), full_name(other.question.cluster.pods[i])));
      for (std::size_t b = 0; b < question.cluster.budgets.size(); ++b) {
        const DisruptionBudget& before = question.cluster.budgets[b];
        if (before.namespace_ != question.cluster.pods[i].namespace_) continue;
        const bool listed = before.disrupted_pods.contains(question.cluster.pods[i].name);
        disrupted += listed ? 1 : 0;
        EXPECT_EQ(listed, other.question.cluster.budgets[b].disrupted_pods.contains(
                              other.question.cluster.pods[i].name));
      }
    }
    for (std::size_t i = 0; i < question.extenders.size(); ++i) {
      if (!question.extenders[i].answer) continue;
      for (const auto& [node, victims] : *question.extenders[i].answer) {
        const auto& after = other.question.extenders[i].answer->at(node).victims;
        for (std::size_t v = 0; v < victims.victims.size(); ++v) {
          EXPECT_TRUE(maps_to(map, victims.victims[v], after[v]));
          ++answered;
        }
      }
    }
  });
  EXPECT_GT(disrupted, 25);
  EXPECT_GT(answered, 25);
}

TEST(Renamed, NamespacesKeepWhoIsTogetherWithWhom) {
  int moved = 0;
  for_each_case([&](const Case& question, Random& random) {
    const Renamed other = with_namespaces_renamed(question, random);
    expect_valid(other.question);
    const auto& before = question.cluster.pods;
    const auto& after = other.question.cluster.pods;
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_TRUE(maps_to(other.names.pods, full_name(before[i]), full_name(after[i])));
      EXPECT_EQ(before[i].name, after[i].name);
      moved += before[i].namespace_ != after[i].namespace_ ? 1 : 0;
      for (std::size_t k = 0; k < i; ++k) {
        EXPECT_EQ(before[i].namespace_ == before[k].namespace_, after[i].namespace_ == after[k].namespace_);
      }
      for (std::size_t b = 0; b < question.cluster.budgets.size(); ++b) {
        EXPECT_EQ(before[i].namespace_ == question.cluster.budgets[b].namespace_,
                  after[i].namespace_ == other.question.cluster.budgets[b].namespace_);
      }
      for (std::size_t c = 0; c < question.cluster.claims.size(); ++c) {
        EXPECT_EQ(before[i].namespace_ == question.cluster.claims[c].namespace_,
                  after[i].namespace_ == other.question.cluster.claims[c].namespace_);
      }
    }
    for (const Namespace& name_space : other.question.cluster.namespaces) {
      EXPECT_EQ(name_space.labels.at("kubernetes.io/metadata.name"), name_space.name);
    }
  });
  EXPECT_GT(moved, 500);
}

TEST(Renamed, NoNamespaceIsCalledWhatNoneCanBeCalled) {
  Case question = generators::generate(1, {});
  Pod& pod = question.cluster.pods.front();
  PodAffinityTerm term;
  term.namespaces = {"topology.kubernetes.io/zone", "Other", std::string(64, 'a'), "-", ""};
  term.topology_key = "zone";
  term.namespace_selector.emplace().match_labels = {{"kubernetes.io/metadata.name", pod.namespace_}};
  pod.affinity.required_pod_affinity = {term};
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    Random random(seed);
    const Renamed other = with_namespaces_renamed(question, random);
    const Pod& renamed_pod = other.question.cluster.pods.front();
    const PodAffinityTerm& renamed_term = renamed_pod.affinity.required_pod_affinity.front();
    EXPECT_EQ(renamed_term.namespaces, term.namespaces);
    EXPECT_EQ(renamed_term.namespace_selector->match_labels.begin()->second, renamed_pod.namespace_);
    EXPECT_EQ(renamed_pod.namespace_.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
              std::string::npos);
  }
}

TEST(Renamed, AnAnswerThatNamesAPodThatIsNotThereStillDoes) {
  Case question;
  question.cluster.pods = {Pod{.namespace_ = "other", .name = "here"}, Pod{.name = "high"}};
  question.preemptor = "default/high";
  question.extenders.emplace_back().answer.emplace()["n1"].victims = {"default/here"};
  int moved = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Renamed other = with_namespaces_renamed(question, random);
    const std::string& answered = other.question.extenders.front().answer->begin()->second.victims.front();
    EXPECT_EQ(answered, other.question.cluster.pods[1].namespace_ + "/here");
    moved += answered != "default/here" ? 1 : 0;
  }
  EXPECT_GT(moved, 10);
}

TEST(Renamed, LabelsKeepWhoIsLikeWhom) {
  int changed = 0;
  for_each_case([&](const Case& question, Random& random) {
    const Case other = with_labels_renamed(question, random);
    expect_valid(other);
    changed += other != question ? 1 : 0;
    const auto& before = question.cluster.pods;
    const auto& after = other.cluster.pods;
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(before[i].labels.size(), after[i].labels.size());
      for (std::size_t k = 0; k < i; ++k) {
        EXPECT_EQ(before[i].labels == before[k].labels, after[i].labels == after[k].labels);
      }
    }
    // "app" is renamed alike in every place.
    std::set<std::string> app_now;
    for (std::size_t i = 0; i < question.cluster.budgets.size(); ++i) {
      const auto& selector = question.cluster.budgets[i].selector;
      if (!selector || selector->match_labels.size() != 1 || !selector->match_labels.contains("app"))
        continue;
      app_now.insert(other.cluster.budgets[i].selector->match_labels.begin()->first);
    }
    EXPECT_LE(app_now.size(), 1U);
    EXPECT_FALSE(app_now.contains("app"));
  });
  EXPECT_GT(changed, 495);
}

TEST(Renamed, KeysThatMeanSomethingStay) {
  for_each_case([](const Case& question, Random& random) {
    const Case other = with_labels_renamed(question, random);
    for (std::size_t i = 0; i < question.cluster.nodes.size(); ++i) {
      const Labels& before = question.cluster.nodes[i].labels;
      const Labels& after = other.cluster.nodes[i].labels;
      const auto zone = before.find("topology.kubernetes.io/zone");
      if (zone != before.end()) {
        EXPECT_EQ(after.at(zone->first), zone->second);
      }
      EXPECT_FALSE(after.contains("kubernetes.io/hostname"));
    }
  });
}

TEST(Renamed, LabelsThatASelectorRefusesStay) {
  Case question;
  for (const char* key : {"failure-domain..io/zone", "Upper.io/zone", "-a.io/zone", "a-.io/zone",
                          "a.io./zone", "a/b/c", "/zone", "a.io/", ""}) {
    question.cluster.pods.assign(1, Pod{.name = "p", .labels = {{key, "x"}}});
    question.cluster.budgets.assign(1, {});
    question.cluster.budgets.front().selector =
        LabelSelector{.match_labels = {{key, "x"}}, .match_expressions = {}};
    Random random(1);
    const Case other = with_labels_renamed(question, random);
    EXPECT_EQ(other.cluster.pods.front().labels, question.cluster.pods.front().labels) << key;
    EXPECT_EQ(other.cluster.budgets.front().selector, question.cluster.budgets.front().selector) << key;
  }
}

TEST(Renaming, ThereAndBackAgainIsWhereOneWas) {
  for_each_case([](const Case& question, Random& random) {
    for (const Renamed& other : {with_nodes_renamed(question, random), with_pods_renamed(question, random),
                                 with_namespaces_renamed(question, random)}) {
      Decision decision;
      for (const Node& node : question.cluster.nodes) {
        decision.nodes.push_back({.node = node.name, .victims = {}});
        for (const Pod& pod : question.cluster.pods) decision.nodes.back().victims.push_back(full_name(pod));
      }
      decision.nominated = {question.cluster.nodes.front().name};
      const Decision there = renamed(decision, other.names);
      EXPECT_EQ(renamed(there, inverse(other.names)), decision);
      EXPECT_EQ(inverse(inverse(other.names)), other.names);
    }
  });
}

TEST(Renaming, FollowsPodsAndClaimsIntoReasons) {
  Decision decision;
  decision.nodes.push_back(
      {.node = "n1", .reasons = {"PVC a/c was not created for pod a/p (not owner)", "p a/"}});
  const Renaming names = {
      .nodes = {{"p", "x"}}, .pods = {{"a/p", "b/q"}}, .budgets = {{"a/", "y"}}, .claims = {{"a/c", "b/c"}}};
  EXPECT_EQ(renamed(decision, names).nodes[0].reasons,
            (std::vector<std::string>{"PVC b/c was not created for pod b/q (not owner)", "p a/"}));
}

}  // namespace
}  // namespace reprieve::relations
