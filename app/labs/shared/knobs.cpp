#include "app/labs/shared/knobs.h"

#include "app/labs/shared/parts.h"
#include "app/labs/shared/sequence.h"

namespace lab {

using core::model::Scheme;

void describe_seed(int& seed, std::string_view help, param::List& list, bool active) {
  list.integer(seed, "seed", N_("Seed"), help, {.min = 0, .max = 9999, .active = active});
}

void describe_pool(core::Pool& pool, param::List& list) {
  list.choice(pool, "pool", N_("Zoomed out"),
              N_("When many cells share a pixel: show the largest, or their mean"),
              {{"max", N_("max")}, {"mean", N_("mean")}});
}

void describe_pair(int& query, int& key, int tokens, param::List& list) {
  const double last = std::max(0, tokens - 1);
  list.integer(query, "query", N_("Query"), N_("The query's token: a row, counted from 0"),
               {.min = 0, .max = last});
  list.integer(key, "key", N_("Key"),
               N_("The key's token: a column, counted from 0; -1 takes the strongest"),
               {.min = -1, .max = last, .unpinned = -1});
}

void describe_text(std::string& text, core::Unit& unit, bool active, param::List& list) {
  list.text(text, "text", N_("Text"),
            N_("Each token becomes a vector made from its letters: equal words have equal vectors, "
               "similar words similar ones"),
            kMostTextBytes, {.active = active});
  list.choice(unit, "unit", N_("Tokens"),
              N_("What a token is. Chinese is split by character with words, too"),
              {{"words", N_("words")}, {"characters", N_("characters")}, {"bytes", N_("bytes")}},
              {.active = active});
}

int TokenCount::of(const std::string& text, core::Unit unit, int most) {
  if (most_ != most || unit_ != unit || text_ != text) {
    tokens_ = to_int(core::count_tokens(text, unit, most));
    text_ = text;
    unit_ = unit;
    most_ = most;
  }
  return tokens_;
}

namespace {

std::vector<Scheme> schemes_that(bool (*fits)(const core::model::SchemeEntry&)) {
  std::vector<Scheme> found;
  for (const Scheme scheme : core::model::kAllSchemes) {
    if (fits(core::model::entry(scheme))) found.push_back(scheme);
  }
  return found;
}

}  // namespace

std::vector<Scheme> all_schemes() {
  return schemes_that([](const auto&) { return true; });
}
std::vector<Scheme> schemes_of_pairs() {
  return schemes_that([](const auto& scheme) { return scheme.in_encoders; });
}
std::vector<Scheme> schemes_not_learned() {
  return schemes_that([](const auto& scheme) { return !scheme.learns; });
}

std::vector<param::Option> scheme_options(const std::vector<Scheme>& schemes) {
  std::vector<param::Option> options;
  for (const Scheme scheme : schemes) {
    options.push_back({core::model::scheme_id(scheme), core::model::entry(scheme).name});
  }
  return options;
}

std::string scheme_name(Scheme scheme, const Words& w) {
  return w(core::model::entry(scheme).name);
}

void describe_positions(Scheme& positions, std::vector<Scheme> schemes, param::List& list,
                        bool active) {
  auto options = scheme_options(schemes);
  list.choice_of(positions, std::move(schemes), "positions", N_("Positions"),
                 N_("How a token's position enters: added to the embedding, by rotation, inside "
                    "each head, or added to the input of each layer's heads"),
                 std::move(options), {.active = active});
}

void describe_layer(const LayerKnobs& layer, int widest_head, int widest_inside, param::List& list,
                    bool active) {
  list.integer(layer.d_head, "d_head", N_("Width of a head"),
               N_("d_model is the heads times their width"),
               {.min = 2, .max = to_double(widest_head), .step = 2, .active = active});
  list.integer(layer.d_ff, "d_ff", N_("Feed-forward width"),
               N_("Inner width of the network after attention; 0: there is none"),
               {.min = 0, .max = to_double(widest_inside), .active = active});
  list.flag(layer.norm_first, "norm_first", N_("Norm first"),
            N_("The norm comes before each part, not after it"), {.active = active});
}

}  // namespace lab
