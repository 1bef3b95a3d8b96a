#include "app/labs/shared/sequence.h"

#include <map>

#include "app/labs/shared/lists.h"
#include "core/random.h"
#include "core/text/embed.h"

namespace lab {
namespace {

core::Sequence kind_of(Input input) {
  switch (input) {
    case Input::repeated: return core::Sequence::repeated;
    case Input::clusters: return core::Sequence::clusters;
    case Input::smooth: return core::Sequence::smooth;
    case Input::text:
    case Input::random: break;
  }
  return core::Sequence::random;
}

// What the number of tokens depends on; empty: not on a text.
std::string text_of(const SequenceKnobs& knobs) {
  if (!knobs.is_text()) return {};
  return fmt::format("{} {}", to_int(knobs.unit), knobs.text);
}

}  // namespace

int SequenceKnobs::token_count(int most) {
  return is_text() ? std::min(counted_.of(text, unit, most), length) : length;
}

void describe_sequence(SequenceKnobs& knobs, int most, param::List& list,
                       std::string_view length_help) {
  list.group(N_("Sequence"));
  list.choice(knobs.input, "input", N_("Input"),
              N_("What the tokens are: your text, or made-up vectors: unrelated, a repeating "
                 "pattern, groups, or slowly changing"),
              {{"text", N_("text")},
               {"random", N_("random")},
               {"repeated", N_("repeated")},
               {"clusters", N_("clusters")},
               {"smooth", N_("smooth")}});
  describe_text(knobs.text, knobs.unit, knobs.is_text(), list);
  list.integer(
      knobs.length, "length", N_("Length n"), length_help,
      {.unit = N_("tokens"), .min = 1, .max = to_double(most), .scale = param::Scale::log});
  // Nobody asked for the default, which is all of a text as it grows.
  if (knobs.length != SequenceKnobs().length) list.found_ranges({"length"}, text_of(knobs));
  list.integer(knobs.period, "period", N_("Period"),
               N_("How long the pattern or group is, or over how many tokens a smooth sequence "
                  "changes. With a pattern of 1, positions are the only difference"),
               {.unit = N_("tokens"),
                .min = 1,
                .max = 512,
                .scale = param::Scale::log,
                .active = knobs.has_period()});
}

void find_length(const SequenceKnobs& knobs, Index n, bool cut, const Words& w, Page& page) {
  if (!knobs.is_text() || cut || n == 0) return;
  page.found["length"] = {.of = text_of(knobs), .range = {{1, to_double(n)}}, .in = w("the text")};
}

std::string made_up(const SequenceKnobs& knobs, bool alike, const Words& w) {
  if (knobs.input == Input::random) return w("random vectors: no two are alike");
  if (!alike) return w("untrained, random projections: the weights say nothing about the tokens");
  return knobs.is_text() ? w("untrained: only equal words and positions give structure")
                         : w("made-up vectors: only their pattern and positions give structure");
}

std::shared_ptr<const Tokens> tokens_of(const SequenceKnobs& knobs, int d_model, int seed,
                                        const Context& context) {
  const bool text = knobs.is_text();
  const auto key =
      std::tuple(knobs.input, text ? knobs.text : std::string(), text ? knobs.unit : core::Unit{},
                 knobs.length, knobs.has_period() ? knobs.period : 0, d_model, seed);
  return context.memo.get("tokens", key, [&]() -> Tokens {
    if (text) return text_tokens(knobs.text, knobs.unit, knobs.length, d_model, seed);
    return {nullptr, core::synthetic_sequence(kind_of(knobs.input), knobs.length, d_model,
                                              knobs.period, static_cast<std::uint64_t>(seed))};
  });
}

Tokens text_tokens(const std::string& text, core::Unit unit, int length, int d_model, int seed) {
  Tokens result;
  // One more than is used, to know whether there is more.
  std::vector<core::Token> tokens = core::tokenize(text, unit, length + 1);
  if (to_int(tokens.size()) > length) {
    result.cut = true;
    tokens.pop_back();
  }
  result.labels = labels(each(tokens, [](const core::Token& token) { return token.label; }));
  result.X = core::embed(tokens, d_model, static_cast<std::uint64_t>(seed));
  return result;
}

RepeatedWords repeated_words(const std::string& text, int length) {
  RepeatedWords words;
  const std::vector<core::Token> tokens = core::tokenize(text, core::Unit::words, length);
  std::map<std::string, Index> known;
  for (Index k = 0; k < length; ++k) {
    const std::string name = tokens.empty() ? "·" : tokens[to_size(k) % tokens.size()].label;
    const auto [at, fresh] = known.emplace(name, to_index(known.size()));
    if (fresh) words.names.push_back(name);
    words.ids.push_back(at->second);
  }
  words.again = to_index(std::max<std::size_t>(tokens.size(), 1)) < length;
  return words;
}

Matrix head_projection(Index rows, Index d_k, int seed, Stream stream, Index head) {
  const std::uint64_t which =
      64 * static_cast<std::uint64_t>(stream) + static_cast<std::uint64_t>(head) + 1;
  core::Random random(core::stream_seed(static_cast<std::uint64_t>(seed), which));
  const double scale = 1 / std::sqrt(to_double(rows));
  Matrix W(rows, d_k);
  for (Index k = 0; k < W.size(); ++k) W.data()[k] = to_float(scale * random.gaussian());
  return W;
}

Matrix random_projection(Index rows, Index heads, Index d_k, int seed, Stream stream) {
  Matrix W(rows, heads * d_k);
  for (Index head = 0; head < heads; ++head) {
    W.middleCols(head * d_k, d_k) = head_projection(rows, d_k, seed, stream, head);
  }
  return W;
}

}  // namespace lab
