#include "reprieve/subjects/http_extender.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <signal.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "reprieve/engine/decide.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::subjects {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

/// An extender on a free port of this machine; it answers what `answer` makes of the question.
class Server {
 public:
  using Answer = std::function<void(const json& question, httplib::Response& response)>;

  explicit Server(Answer answer) : answer_(std::move(answer)) {
    server_.Post("/x/preempt", [this](const httplib::Request& request, httplib::Response& response) {
      const std::lock_guard lock(mutex_);
      questions_.push_back(json::parse(request.body, nullptr, false));
      content_type_ = request.get_header_value("Content-Type");
      answer_(questions_.back(), response);
    });
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::sleep_for(1ms);
  }
  explicit Server(std::string body)
      : Server([body = std::move(body)](const json&, httplib::Response& response) {
          response.set_content(body, "application/json");
        }) {}
  ~Server() {
    server_.stop();
    thread_.join();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/x/"; }
  std::vector<json> questions() {
    const std::lock_guard lock(mutex_);
    return questions_;
  }
  std::string content_type() {
    const std::lock_guard lock(mutex_);
    return content_type_;
  }

 private:
  Answer answer_;
  std::mutex mutex_;
  std::vector<json> questions_;
  std::string content_type_;
  httplib::Server server_;
  std::thread thread_;
  int port_ = 0;
};

Pod pod(std::string name, std::string on, std::int32_t priority, std::int64_t cpu) {
  Pod out;
  out.name = std::move(name);
  out.node_name = std::move(on);
  out.priority = priority;
  if (!out.node_name.empty()) out.phase = PodPhase::kRunning;
  out.containers.push_back({.name = "c", .requests = {{"cpu", {cpu, 0}}}});
  return out;
}

// Without an extender n1 is chosen and `a` evicted; a2 and b2 may stay. Only b has a uid.
Case two_full_nodes() {
  Case out;
  for (const char* name : {"n1", "n2"}) {
    Node node;
    node.name = name;
    node.allocatable = {{"cpu", {4, 0}}, {"memory", {1 << 30, 0}}, {"pods", {110, 0}}};
    out.cluster.nodes.push_back(std::move(node));
  }
  out.cluster.pods = {pod("a", "n1", 1, 3), pod("a2", "n1", 3, 1), pod("b", "n2", 2, 3),
                      pod("b2", "n2", 3, 1), pod("in", "", 10, 3)};
  out.cluster.pods[2].uid = "0-b";
  out.preemptor = "default/in";
  out.policy = kubernetes_policy(Release::k1_37);
  return out;
}

Extender at(std::string url) {
  Extender out;
  out.name = "e";
  out.url = std::move(url);
  return out;
}

Decision decide(const Extender& extender, std::chrono::milliseconds time_out = 10s) {
  Case question = two_full_nodes();
  question.extenders = {extender};
  return engine::decide(question, engine::Depth::kFull, ask_over_http(question.cluster, time_out));
}

void expect_error(const Decision& decision, const std::string& what) {
  EXPECT_EQ(decision.outcome, Outcome::kError);
  EXPECT_THAT(decision.reason, AllOf(StartsWith("extender e: "), HasSubstr(what)));
}

std::string answer(const std::string& nodes) { return R"({"NodeNameToMetaVictims":{)" + nodes + "}}"; }

const std::string kOnlyN2 = answer(R"("n2":{"Pods":[{"UID":"0-b"}],"NumPDBViolations":0})");

TEST(HttpExtender, IsAskedWithWholePodsUnlessItCachesNodes) {
  Server server(kOnlyN2);
  EXPECT_THAT(decide(at(server.url())).nominated, ElementsAre("n2"));
  ASSERT_THAT(server.questions(), SizeIs(1));
  const json question = server.questions().front();
  EXPECT_EQ(server.content_type(), "application/json");
  EXPECT_THAT(question, SizeIs(3));
  EXPECT_TRUE(question["NodeNameToMetaVictims"].is_null());
  EXPECT_EQ(question["Pod"]["metadata"]["name"], "in");
  EXPECT_EQ(question["Pod"]["metadata"]["uid"], "default/in");
  EXPECT_EQ(question["Pod"]["spec"]["priority"], 10);
  const json& victims = question["NodeNameToVictims"];
  EXPECT_THAT(victims, SizeIs(2));
  EXPECT_EQ(victims["n1"]["NumPDBViolations"], 0);
  ASSERT_THAT(victims["n1"]["Pods"], SizeIs(1));
  EXPECT_EQ(victims["n1"]["Pods"][0]["metadata"]["uid"], "default/a");
  EXPECT_EQ(victims["n2"]["Pods"][0]["metadata"]["uid"], "0-b");
  EXPECT_EQ(victims["n2"]["Pods"][0]["spec"]["nodeName"], "n2");
  EXPECT_EQ(victims["n2"]["Pods"][0]["spec"]["containers"][0]["resources"]["requests"]["cpu"], "3");
}

TEST(HttpExtender, IsAskedWithUidsWhenItCachesNodes) {
  Server server(kOnlyN2);
  Extender extender = at(server.url());
  extender.node_cache_capable = true;
  EXPECT_THAT(decide(extender).nominated, ElementsAre("n2"));
  const json question = server.questions().front();
  EXPECT_TRUE(question["NodeNameToVictims"].is_null());
  EXPECT_EQ(question["NodeNameToMetaVictims"], json::parse(R"({
    "n1":{"Pods":[{"UID":"default/a"}],"NumPDBViolations":0},
    "n2":{"Pods":[{"UID":"0-b"}],"NumPDBViolations":0}})"));
}

TEST(HttpExtender, MayAcceptEveryCandidateAsItIs) {
  Server server([](const json& question, httplib::Response& response) {
    response.set_content(json{{"NodeNameToMetaVictims", question["NodeNameToMetaVictims"]}}.dump(),
                         "application/json");
  });
  Extender extender = at(server.url());
  extender.node_cache_capable = true;
  EXPECT_THAT(decide(extender).nominated, ElementsAre("n1"));
}

TEST(HttpExtender, MayEvictPodsThatWereReprieved) {
  Server server(answer(R"("n1":{"Pods":[{"UID":"default/a2"},{"UID":"default/a"}],"NumPDBViolations":2})"));
  const Decision decision = decide(at(server.url()));
  ASSERT_EQ(decision.outcome, Outcome::kNominated) << decision.reason;
  EXPECT_THAT(decision.nodes.front().victims, ElementsAre("default/a2", "default/a"));
  EXPECT_EQ(decision.nodes.front().violations, 2);
}

// json.Decoder.Decode: one value, names in any letters, null as absent.
TEST(HttpExtender, IsReadAsLenientlyAsGoReads) {
  for (const std::string body :
       {R"({"nodenametometavictims":{"n2":{"pods":[{"uid":"0-b"}]}}})", R"({"NodeNameToMetaVictims":{"n2":
        {"Pods":[{"UID":"0-b","more":1}],"NumPDBViolations":null}},"Error":""} trailing)"}) {
    Server server(body);
    EXPECT_THAT(decide(at(server.url())).nominated, ElementsAre("n2")) << body;
  }
}

TEST(HttpExtender, LeavesNoCandidateWhenItsAnswerHasNoNode) {
  for (const std::string body : {"{}", "null", R"({"NodeNameToMetaVictims":null})", R"({"Other":1})"}) {
    Server server(body);
    const Decision decision = decide(at(server.url()));
    EXPECT_EQ(decision.outcome, Outcome::kNoCandidate) << body << decision.reason;
  }
}

TEST(HttpExtender, ANodeWithoutVictimsIsAnErrorUnlessIgnorable) {
  Server server(answer(R"("n1":{"Pods":[]},"n2":{"Pods":[{"UID":"0-b"}]})"));
  Extender extender = at(server.url());
  EXPECT_EQ(decide(extender).reason, "extender e: expected at least one victim pod on node \"n1\"");
  extender.ignorable = true;
  EXPECT_THAT(decide(extender).nominated, ElementsAre("n2"));
}

TEST(HttpExtender, ABadAnswerIsAnErrorThatNamesIt) {
  const std::vector<std::pair<std::string, std::string>> answers = {
      {"", "not JSON"},
      {"<html>", "not JSON"},
      {R"({"NodeNameToMetaVictims":{"n1")", "not JSON"},
      {"[]", "not a JSON object"},
      {R"({"NodeNameToMetaVictims":[]})", "not an object"},
      {answer(R"("n3":{"Pods":[]})"), "nodeinfo not found for node name \"n3\""},
      {answer(R"("n1":{"Pods":[{"UID":"0-b"}]})"), "claims to preempt pod (UID: 0-b) on node: n1"},
      {answer(R"("n2":{"Pods":[{"UID":"default/b"}]})"), "(UID: default/b)"},
      {answer(R"("n1":{"Pods":[{"UID":"default/in"}]})"), "(UID: default/in)"},
      {answer(R"("n1":{"Pods":[{}]})"), "claims to preempt pod"},
      {answer(R"("n1":null)"), "node n1"},
      {answer(R"("n1":{"Pods":[null]})"), "node n1"},
      {answer(R"("n1":{"Pods":{}})"), "Pods is not a list"},
      {answer(R"("n1":{"Pods":[{"UID":1}]})"), "UID is not a string"},
      {answer(R"("n1":{"Pods":[{"UID":"default/a"}],"NumPDBViolations":9223372036854775808})"), "64-bit"},
      {answer(R"("n1":{"Pods":[{"UID":"default/a"}],"NumPDBViolations":1.0})"), "64-bit"},
      {std::string(200'000, '['), "not JSON"},
  };
  for (const auto& [body, what] : answers) {
    SCOPED_TRACE(body.substr(0, 80));
    Server server(body);
    Extender extender = at(server.url());
    expect_error(decide(extender), what);
    extender.ignorable = true;
    EXPECT_THAT(decide(extender).nominated, ElementsAre("n1"));
  }
}

TEST(HttpExtender, AnyStatusBut200IsAnErrorUnlessIgnorable) {
  for (const int status : {201, 302, 404, 500}) {
    Server server([&](const json&, httplib::Response& response) {
      response.status = status;
      response.set_content(kOnlyN2, "application/json");
    });
    Extender extender = at(server.url());
    const Decision decision = decide(extender);
    expect_error(decision, "/x/preempt, code " + std::to_string(status));
    EXPECT_THAT(decision.reason, EndsWith(std::to_string(status)));
    extender.ignorable = true;
    EXPECT_THAT(decide(extender).nominated, ElementsAre("n1"));
  }
}

TEST(HttpExtender, ALateAnswerIsAnErrorUnlessIgnorable) {
  Server server([](const json&, httplib::Response& response) {
    std::this_thread::sleep_for(400ms);
    response.set_content(kOnlyN2, "application/json");
  });
  Extender extender = at(server.url());
  expect_error(decide(extender, 100ms), "no whole answer within 100 ms");
  extender.ignorable = true;
  EXPECT_THAT(decide(extender, 100ms).nominated, ElementsAre("n1"));
}

TEST(HttpExtender, AnAnswerThatTricklesIsLateToo) {
  Server server([](const json&, httplib::Response& response) {
    response.set_content_provider("application/json", [](std::size_t sent, httplib::DataSink& sink) {
      std::this_thread::sleep_for(20ms);
      if (sent > 200) sink.done();
      return sent > 200 || sink.write(" ", 1);
    });
  });
  const auto start = std::chrono::steady_clock::now();
  expect_error(decide(at(server.url()), 200ms), "no whole answer within 200 ms");
  EXPECT_LT(std::chrono::steady_clock::now() - start, 2s);
}

TEST(HttpExtender, NobodyAtTheUrlIsAnErrorUnlessIgnorable) {
  std::string url;
  {
    const Server gone("{}");
    url = gone.url();
  }
  Extender extender = at(url);
  expect_error(decide(extender), "cannot connect");
  extender.ignorable = true;
  EXPECT_THAT(decide(extender).nominated, ElementsAre("n1"));
}

TEST(HttpExtender, AUrlThatIsNoneIsAnError) {
  for (const std::string& url :
       {std::string(), std::string("127.0.0.1:1"), std::string("ftp://127.0.0.1"), std::string("http://"),
        std::string("http://127.0.0.1:99999999999"), std::string("http://127.0.0.1\r\nX: y"),
        "http://" + std::string(1'000'000, 'a')}) {
    expect_error(decide(at(url), 1s), "");
  }
}

// The connection is closed from one side, then from both, while most of the question is still to be
// written.
TEST(HttpExtender, SurvivesAnExtenderThatHangsUp) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(bind(listener, plain, length), 0);
  ASSERT_EQ(listen(listener, 1), 0);
  ASSERT_EQ(getsockname(listener, plain, &length), 0);
  std::thread rude([listener] {
    const int connection = accept(listener, nullptr, nullptr);
    shutdown(connection, SHUT_WR);
    std::this_thread::sleep_for(100ms);
    close(connection);
  });

  Case question = two_full_nodes();
  question.cluster.pods.back().labels["big"] = std::string(32 << 20, 'x');
  question.extenders = {at("http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)))};
  const auto before = signal(SIGPIPE, SIG_DFL);  // a Server ignores it for the whole process
  expect_error(engine::decide(question, engine::Depth::kFull, ask_over_http(question.cluster)),
               "the connection ended");
  signal(SIGPIPE, before);
  rude.join();
  close(listener);
}

TEST(HttpExtender, GetsWhatTheOneBeforeItLeft) {
  Server first(kOnlyN2);
  Server second(kOnlyN2);
  Case question = two_full_nodes();
  question.extenders = {at(first.url()), at(second.url())};
  EXPECT_THAT(EngineSubject().decide(question).nominated, ElementsAre("n2"));
  EXPECT_THAT(first.questions().front()["NodeNameToVictims"], SizeIs(2));
  EXPECT_THAT(second.questions().front()["NodeNameToVictims"], SizeIs(1));
}

// An extender with a memory of its own would else make the engine's two depths differ.
TEST(HttpExtender, IsAskedOnceForBothDepthsOfTheEngine) {
  int asked = 0;
  Server server([&](const json&, httplib::Response& response) {
    response.set_content(asked++ == 0 ? kOnlyN2 : "{}", "application/json");
  });
  Case question = two_full_nodes();
  question.extenders = {at(server.url())};
  EXPECT_THAT(EngineSubject().decide(question).nominated, ElementsAre("n2"));
  EXPECT_THAT(server.questions(), SizeIs(1));
  EXPECT_EQ(ReferenceSubject().decide(question).outcome, Outcome::kError);
}

}  // namespace
}  // namespace reprieve::subjects
