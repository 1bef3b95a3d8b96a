// What a server answers to one line after another; tests/python/serve_test.py speaks to it through
// pipes.
#include "app/cli/serve/server.h"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "cli_rig.h"
#include "core/text/base64.h"

namespace serve_test {

using namespace cli_rig;  // NOLINT: as words are given
using Json = nlohmann::json;

namespace {

const words::Words kWords(words::Language::en);

Json answer(cli::Server& server, const Json& call) {
  return Json::parse(server.answer(call.dump()));
}

Json figure(const Json& more) {
  Json call = {{"id", 1},
               {"command", "export"},
               {"lab", "softmax"},
               {"figure", {"melting"}},
               {"format", "svg"}};
  if (!more.is_null()) call.update(more);
  return call;
}

}  // namespace

TEST_CASE("a call is the command line's words, and its answer the bytes of the file") {
  const Folder folder;
  cli::Server server(kWords);
  for (const std::string format : {"svg", "png", "pdf", "csv", "json", "npz"}) {
    CAPTURE(format);
    const std::string out = folder / ("a." + format);
    REQUIRE(run({"export", "softmax", "--figure", "melting", "--set", "temperature=0.5", "--width",
                 "85mm", "--no-caption", "--no-session", "-o", out}) == 0);
    const Json got = answer(server, figure({{"format", format},
                                            {"set", {{"temperature", 0.5}}},
                                            {"width", "85mm"},
                                            {"no_caption", true},
                                            {"no_session", true},
                                            {"transparent", false},
                                            {"theme", nullptr}}));
    CHECK(got["id"] == 1);
    CHECK(got["notes"].empty());
    CHECK(core::from_base64(got["base64"].get<std::string>()) == read(out));
  }
}

TEST_CASE("what was computed for one call does not change the answer to another") {
  cli::Server server(kWords);
  const Json first = answer(server, figure({}));
  const Json other = answer(server, figure({{"set", {{"temperature", 3}}}}));
  CHECK(other["base64"] != first["base64"]);
  CHECK(answer(server, figure({}))["base64"] == first["base64"]);
  CHECK(answer(server, figure({{"lang", "zh_CN"}}))["base64"] != first["base64"]);
  CHECK(answer(server, figure({}))["base64"] == first["base64"]);
}

TEST_CASE("a refusal is a sentence in the language of the server, and it goes on") {
  const words::Words chinese(words::Language::zh_CN);
  cli::Server server(kWords), other(chinese);
  const Json wrong = figure({{"set", {{"temperature", "hot"}}}});
  CHECK(answer(server, wrong)["error"] ==
        "temperature: expected a number from 0.01 to 100, got hot");
  CHECK(answer(other, wrong)["error"].get<std::string>().find("temperature：") == 0);
  CHECK(answer(server, figure({})).contains("base64"));
  CHECK(answer(server, {{"id", "x"}})["id"] == "x");
  CHECK(Json::parse(server.answer("{\"id\":1"))["id"].is_null());
  CHECK(Json::parse(server.refuse_long_line())["error"] ==
        "expected a line of at most 64 MB, got a longer one");
}

TEST_CASE(
    "what a command reports comes with the answer to its call, and not on the standard error") {
  const Folder folder;
  std::ofstream(folder / "a.attn") << R"({"attnscope":1,"lab":"masks","views":{"none":[0,1,0,1]}})";
  std::string told;
  Json got;
  {
    const Redirected redirected(STDERR_FILENO, folder / "said");
    cli::Server server(kWords);
    got = answer(server, {{"command", "export"},
                          {"lab", "masks"},
                          {"format", "json"},
                          {"session", folder / "a.attn"}});
  }
  REQUIRE(got["notes"].size() == 1);
  CHECK(got["notes"][0].get<std::string>().find("a view of \"none\"") != std::string::npos);
  CHECK(read(folder / "said").empty());
}

TEST_CASE("the standard input carries calls and is no lab's file") {
  cli::Server server(kWords);
  const Json got = answer(
      server,
      {{"command", "export"}, {"lab", "pooling"}, {"format", "svg"}, {"set", {{"file", "-"}}}});
  CHECK(got["error"] == "cannot read -: there is no such file or folder");
}

TEST_CASE("words that only a file can be asked for are no options of a call") {
  cli::Server server(kWords);
  for (const char* name : {"out", "with_json", "help", "o", "-o", ""}) {
    CAPTURE(name);
    CHECK(answer(server, figure({{name, true}}))["error"] ==
          std::string("expected an option of export, got \"") + name + "\"");
  }
}

}  // namespace serve_test
