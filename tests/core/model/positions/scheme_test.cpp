// The table of position schemes, walked: an entry that lacks something fails here.
#include "core/model/positions/scheme.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "core/enum_array.h"
#include "core/model/decoder.h"
#include "core/model/positions/scheme_cost.h"

namespace scheme_test {

using namespace core::model;
using core::Index;
using core::Matrix;

namespace {

constexpr Index kWords = 7, kHeads = 2, kWidth = 4, kLayers = 3, kLongest = 10;
constexpr Index d = kHeads * kWidth;

DecoderForm form_of(Scheme scheme) {
  return {.vocabulary = kWords,
          .layer = {.d_model = d, .heads = kHeads, .key_heads = kHeads, .norm_first = true},
          .layers = kLayers,
          .positions = {.scheme = scheme, .longest = kLongest, .clip = 2, .buckets = 6}};
}

struct Made {
  Layout layout;
  Decoder model;
  explicit Made(Scheme scheme) : model(Decoder::declare(Scope(layout), form_of(scheme))) {}

  // Parameters that a model without positions lacks, as "name rows x cols".
  std::set<std::string> own() const {
    const Made none(Scheme::none);
    std::set<std::string> names;
    for (const Parameter& p : layout.parameters()) {
      if (none.layout.find(p.name)) continue;
      names.insert(p.name + " " + std::to_string(p.slot.rows) + " x " +
                   std::to_string(p.slot.cols));
    }
    return names;
  }
  Matrix logits(const std::vector<std::int32_t>& ids) const {
    const std::vector<float> values = layout.start<float>(3);
    Tape<float> tape;
    tape.begin(values.data(), nullptr, {.differentiates = false});
    return model(tape, ids.data(), {.length = static_cast<Index>(ids.size())}).matrix();
  }
};

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_SUITE_BEGIN("position schemes");

TEST_CASE("a scheme is a file and a line: as many files as lines, of the same names") {
  const auto folder = std::filesystem::path(ATTNSCOPE_SOURCE_DIR) / "core" / "model" / "positions";
  std::set<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(folder / "schemes")) {
    files.insert(file.path().filename().string());
  }
  std::set<std::string> lines;
  const std::string list = text_of(folder / "list.inc");
  const std::regex line("ATTNSCOPE_SCHEME\\(([a-z0-9_]+)\\)\n");
  for (std::sregex_iterator at(list.begin(), list.end(), line), end; at != end; ++at) {
    lines.insert((*at)[1].str() + ".cpp");
  }
  CHECK(files == lines);
  CHECK(lines.size() == kSchemes);
  static_assert(core::kEnumerators<Scheme> == kSchemes);
  CHECK(kSchemes == 13);  // counts: what is added is meant
}

TEST_CASE("each has an id, a name, and what follows from where it acts") {
  std::set<std::string_view> ids, names;
  for (const Scheme scheme : kAllSchemes) {
    CAPTURE(scheme_id(scheme));
    const SchemeEntry& one = entry(scheme);
    CHECK(ids.insert(scheme_id(scheme)).second);
    CHECK_FALSE(one.name.empty());
    CHECK(names.insert(one.name).second);
    CHECK((one.acts == Acts::nowhere) == (scheme == Scheme::none));
    const bool by_heads =
        one.acts == Acts::queries_and_keys || one.acts == Acts::scores || one.acts == Acts::weights;
    CHECK((one.place.of<float>() != nullptr) == by_heads);
    CHECK((one.place.of<double>() != nullptr) == by_heads);
    CHECK((one.declare_added || one.declare_words) == (one.acts == Acts::embeddings));
    CHECK((one.declare_flow != nullptr) == (one.acts == Acts::layers));
    // A decoder that reads one token after another has tables where heads look up distances.
    const bool by_distance = one.acts == Acts::scores || one.acts == Acts::weights;
    CHECK((one.fill_tables != nullptr) == by_distance);
  }
}

TEST_CASE("what a model stores: names and shapes, from width, heads and lengths") {
  const std::map<Scheme, std::set<std::string>> stored{
      {Scheme::learned, {"decoder.position 10 x 8"}},
      {Scheme::t5, {"decoder.bias 6 x 2"}},
      {Scheme::relative, {"decoder.distance 5 x 4"}},
      {Scheme::urpe,
       {"decoder.0.self.factors 19 x 2", "decoder.1.self.factors 19 x 2",
        "decoder.2.self.factors 19 x 2"}},
      {Scheme::complex, {"frequency 7 x 4"}},
      {Scheme::floater,
       {"decoder.flow.start 3 x 8", "decoder.flow.in.weight 9 x 32", "decoder.flow.in.bias 1 x 32",
        "decoder.flow.out.weight 32 x 8", "decoder.flow.out.bias 1 x 8"}},
      {Scheme::transformer_xl,
       {"decoder.distance_key.weight 8 x 8", "decoder.content_bias 1 x 8",
        "decoder.position_bias 1 x 8"}},
      {Scheme::deberta,
       {"decoder.distance 4 x 8", "decoder.distance_key.weight 8 x 8",
        "decoder.distance_query.weight 8 x 8"}}};
  for (const Scheme scheme : kAllSchemes) {
    CAPTURE(scheme_id(scheme));
    const Made made(scheme);
    const auto expected = stored.find(scheme);
    CHECK(entry(scheme).learns == (expected != stored.end()));
    CHECK(made.own() == (expected == stored.end() ? std::set<std::string>() : expected->second));
  }
}

TEST_CASE("every scheme but none tells the order of equal tokens apart, or of others") {
  // Of the last token: without positions it does not matter in which order the others stand.
  const auto last_row = [](Scheme scheme, const std::vector<std::int32_t>& ids) {
    Layout layout;
    DecoderForm form = form_of(scheme);
    form.layers = 1;
    const Decoder model = Decoder::declare(Scope(layout), form);
    std::vector<float> values = layout.start<float>(3);
    // What begins as if it were not there is drawn anew.
    for (const Parameter& p : layout.parameters()) {
      if (p.slot.cols != kHeads || p.name.ends_with("bias.bias")) continue;
      for (Index k = 0; k < p.slot.size(); ++k) {
        values[static_cast<std::size_t>(p.slot.offset + k)] = 0.5F + 0.25F * static_cast<float>(k);
      }
    }
    Tape<float> tape;
    tape.begin(values.data(), nullptr, {.differentiates = false});
    const Matrix all = model(tape, ids.data(), {.length = static_cast<Index>(ids.size())}).matrix();
    return core::Vector(all.row(all.rows() - 1).transpose());
  };
  for (const Scheme scheme : kAllSchemes) {
    CAPTURE(scheme_id(scheme));
    const float change =
        (last_row(scheme, {1, 2, 3, 4}) - last_row(scheme, {3, 1, 2, 4})).cwiseAbs().maxCoeff();
    if (scheme == Scheme::none) {
      CHECK(change < 1e-6F);
    } else {
      CHECK(change > 1e-5F);
    }
  }
}

TEST_CASE("costs: every formula has a value, and each step says what it is") {
  for (const Scheme scheme : kAllSchemes) {
    CAPTURE(scheme_id(scheme));
    const CostTerms& cost = entry(scheme).cost;
    CHECK(cost.steps.empty() == (scheme == Scheme::none));
    CHECK(cost.parameters.empty() == !entry(scheme).learns);
    for (const bool causal : {false, true}) {
      const SchemeSize size{{9, 8, 2, 3}, causal};
      const SchemeCost counted = scheme_cost(scheme, size);
      CHECK((counted.operations() == 0) == (scheme == Scheme::none));
      for (const StepCost& step : counted.steps) {
        CHECK_FALSE(step.step->words.empty());
        CHECK(step.additions >= 0);
        CHECK(step.multiplications >= 0);
      }
    }
  }
}

TEST_SUITE_END();

}  // namespace scheme_test
