// The labs that a published model opens: with its own numbers, its folder and the text.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/labs/extrapolation/page.h"
#include "checkpoint_rig.h"

namespace checkpoint_jumps_test {

using namespace checkpoint_rig;

TEST_CASE("other labs are opened with the model's own numbers") {
  const auto jump = [](const lab::Page& page, std::string_view lab) {
    for (const lab::Jump& one : page.jumps) {
      if (one.lab == lab) return one.sets;
    }
    FAIL("no way to " << lab);
    return param::Values{};
  };
  const auto has = [](const param::Values& values, const char* id, const char* value) {
    return std::find(values.begin(), values.end(),
                     std::pair<std::string, std::string>(id, value)) != values.end();
  };
  Made llama = made({{"model", "llama"}, {"view", "positions"}});
  const lab::Page page = llama.page();
  CHECK(has(jump(page, "rope_rounding"), "d", "16"));
  CHECK(has(jump(page, "rope_rounding"), "base", "10000"));
  CHECK(has(jump(page, "rope_rounding"), "length", "16384"));
  CHECK(has(jump(page, "extrapolation"), "method", "yarn"));
  CHECK(has(jump(page, "extrapolation"), "trained", "4096"));
  CHECK(has(jump(page, "extrapolation"), "length", "16384"));
  CHECK(has(jump(page, "rotary"), "pairing", "halves"));
  CHECK(has(jump(page, "position_ids"), "length", "16384"));
  const auto of = [&](const char* folder) {
    Made m =
        made({{"folder", reference("checkpoints").string() + "/" + folder}, {"view", "positions"}});
    return m.page();
  };
  CHECK(has(jump(of("llama-linear"), "extrapolation"), "method", "interpolation"));
  CHECK(has(jump(of("llama-dynamic"), "extrapolation"), "method", "dynamic"));
  CHECK(has(jump(of("llama3"), "extrapolation"), "yarn", "paper"));
  CHECK(has(jump(of("llama3"), "extrapolation"), "attention", "off"));
  CHECK(has(jump(of("pythia"), "rotary"), "rotated", "4"));
  CHECK(has(jump(of("bloom"), "alibi_rounding"), "heads", "4"));
  CHECK(of("t5").jumps.empty());
  CHECK(of("gpt2").jumps.size() == 1);
}

TEST_CASE("longer than trained is opened with the very frequencies of the model") {
  const auto holds = [](const param::Values& opened) {
    Made m = made(opened);
    m.set({{"view", "positions"}});
    const lab::Page page = m.page();
    const auto jump = std::find_if(page.jumps.begin(), page.jumps.end(),
                                   [](const lab::Jump& one) { return one.lab == "extrapolation"; });
    REQUIRE(jump != page.jumps.end());
    auto beyond = lab::trying::made<lab::extrapolation::Parameters>(jump->sets);
    const auto shown = beyond.model();
    const auto& theta = shown.rotation(beyond.p.method).theta;
    const auto rotary = *m.model().positions().rotary;
    const VectorD wanted = rotary.frequencies(beyond.p.length);
    REQUIRE(theta.size() == wanted.size());
    CHECK((theta - wanted).cwiseQuotient(wanted).cwiseAbs().maxCoeff() < 1e-14);
    const bool yarn = beyond.p.method == lab::extrapolation::Method::yarn;
    CHECK((yarn ? shown.attention_factor : 1) == doctest::Approx(rotary.multiplier).epsilon(1e-12));
  };
  holds({{"model", "llama"}});  // yarn
  for (const std::string folder : {"llama-linear", "llama3"}) {
    CAPTURE(folder);
    holds({{"folder", (reference("checkpoints") / folder).string()}});
  }
  // A context of 8 positions is less than that lab has.
  const Folder longer(reference("checkpoints") / "llama-dynamic");
  std::string config = longer.read("config.json");
  const std::string before = "\"max_position_embeddings\": 8";
  REQUIRE(config.find(before) != std::string::npos);
  longer.write("config.json", config.replace(config.find(before), before.size(),
                                             "\"max_position_embeddings\": 64"));
  holds({{"folder", longer.path()}});
}

TEST_CASE("the labs of decoders are opened with the folder and the text") {
  const std::string folder = (reference("checkpoints") / "qwen3").string();
  Made m = made({{"folder", folder}, {"text", "5 6 7"}});
  const auto of = [](const lab::Page& page, std::string_view lab) {
    for (const lab::Jump& one : page.jumps) {
      if (one.lab == lab) return one.sets;
    }
    return param::Values{};
  };
  const auto has = [](const param::Values& values, std::string_view id, std::string_view value) {
    return std::any_of(values.begin(), values.end(),
                       [&](const auto& one) { return one.first == id && one.second == value; });
  };
  const param::Values written = of(m.page(), "decoding");
  CHECK(has(written, "from", "published"));
  CHECK(has(written, "folder", folder));
  CHECK(has(written, "prompt", "5 6 7"));
  const param::Values inside = of(m.page(), "gpt_inside");
  CHECK(has(inside, "folder", folder));
  CHECK(has(inside, "text", "5 6 7"));
  CHECK(has(inside, "view", "heads"));
  CHECK(has(inside, "layer", "1"));
  m.set({{"folder", ""}, {"model", "llama"}, {"around", "false"}, {"view", "next"}});
  m.set({{"text", "the dog"}});
  CHECK(has(of(m.page(), "decoding"), "published", "llama"));
  CHECK(has(of(m.page(), "gpt_inside"), "published", "llama"));
  CHECK(has(of(m.page(), "gpt_inside"), "view", "stream"));
  CHECK(has(of(m.page(), "decoding"), "around", "false"));
  m.set({{"model", "bert"}});
  CHECK(m.page().jumps.empty());
}

}  // namespace checkpoint_jumps_test
