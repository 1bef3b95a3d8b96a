// Parameters that many labs offer, described once: the same id, range and words everywhere.
#pragma once

#include "app/labs/lab.h"
#include "core/model/positions/positions.h"
#include "core/text/tokenize.h"

namespace lab {

// --- the knobs of labs whose tokens come from a text

// "text" and "unit": what is written and what one token of it is.
void describe_text(std::string& text, core::Unit& unit, bool active, param::List& list);

// How many tokens a text has, remembered because every description asks anew.
class TokenCount {
 public:
  // At most `most`. Invalid text, which `param::parse` refuses, counts as none.
  int of(const std::string& text, core::Unit unit, int most);

 private:
  std::string text_;
  core::Unit unit_ = core::Unit::words;
  int most_ = -1;
  int tokens_ = 0;
};

// "seed", 0 to 9999; `help` says what it chooses.
void describe_seed(int& seed, std::string_view help, param::List& list, bool active = true);

// "pool": what stands for the cells that share a pixel.
void describe_pool(core::Pool& pool, param::List& list);

// "query" and "key" of `tokens` tokens; a key of -1 is not pinned.
void describe_pair(int& query, int& key, int tokens, param::List& list);

// "explain": which of the figures' values the side panel takes apart.
template <class Enum>
void describe_explained(Enum& value, std::vector<param::Option> options, param::List& list,
                        bool active = true) {
  list.choice(value, "explain", N_("Explained"),
              N_("What is worked out at the side; a click on a figure chooses it too"),
              std::move(options), {.active = active});
}

// --- the knobs of models that are made by hand

// Schemes of positions, of the table in core/model/positions/scheme.h and in its order.
std::vector<core::model::Scheme> all_schemes();
std::vector<core::model::Scheme> schemes_of_pairs();     // those that models with an encoder offer
std::vector<core::model::Scheme> schemes_not_learned();  // those without parameters of their own
std::vector<param::Option> scheme_options(const std::vector<core::model::Scheme>& schemes);
std::string scheme_name(core::model::Scheme scheme, const Words& w);

// "positions", one of these.
void describe_positions(core::model::Scheme& positions, std::vector<core::model::Scheme> schemes,
                        param::List& list, bool active);

// "d_head", "d_ff" and "norm_first".
struct LayerKnobs {
  int &d_head, &d_ff;
  bool& norm_first;
};
void describe_layer(const LayerKnobs& layer, int widest_head, int widest_inside, param::List& list,
                    bool active);

}  // namespace lab
