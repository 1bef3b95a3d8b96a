#include "app/labs/scoring/page.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"

namespace lab::scoring {
namespace {

constexpr double kLargestWeight = 5;

void describe_view(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.choice(p.view, "view", N_("Part"),
              N_("Plane: five scoring functions on the same query and keys. Heights: a mass "
                 "guessed from a height, by attention and by methods mistaken for it. Width: why "
                 "scores are divided by √d"),
              {{"plane", N_("plane")}, {"heights", N_("heights")}, {"width", N_("width")}},
              {.tabs = true});
}

void describe_plane(Parameters& p, param::List& list) {
  const bool on = p.view == View::plane;
  list.group(N_("Query, keys, values"));
  list.choice(p.scoring, "score", N_("Score"),
              N_("The scoring function that is drawn over the plane and worked out; all five are "
                 "side by side below"),
              {kScorings.begin(), kScorings.end()}, {.active = on});
  list.real(p.q_x, "q_x", N_("Query x"), N_("Drag the query in the plane"),
            {.min = -kEdge, .max = kEdge, .active = on});
  list.real(p.q_y, "q_y", N_("Query y"), N_("Drag the query in the plane"),
            {.min = -kEdge, .max = kEdge, .active = on});
  list.points({&p.keys, kMostKeys, -kEdge, kEdge, -kEdge, kEdge}, "keys", N_("Keys"),
              N_("Drag them in the plane; a click adds one, a right click or Delete removes one"),
              {.active = on});
  list.points({&p.values, kMostKeys, -kEdge, kEdge, -kEdge, kEdge}, "values", N_("Values"),
              N_("One for each key, in order; drag them. A key beyond the last value has itself as "
                 "its value"),
              {.active = on});
  list.integer(p.key, "key", N_("Key picked"),
               N_("The key whose score and weight are drawn and worked out; a click on a bar or a "
                  "key chooses it"),
               {.min = 0,
                .max = std::max(0.0, to_double(p.keys.size()) - 1),
                .active = on && p.keys.size() > 1});
  describe_explained(p.explained,
                     {{"score", N_("score")}, {"weight", N_("weight")}, {"output", N_("output")}},
                     list, on && !p.keys.empty());
}

// One knob an entry.
template <std::size_t count>
void describe_entries(std::array<double, count>& entries,
                      const std::array<std::string_view, count>& ids,
                      const std::array<std::string_view, count>& labels, std::string_view help,
                      bool active, param::List& list) {
  for (std::size_t k = 0; k < count; ++k) {
    list.real(entries[k], ids[k], labels[k], help,
              {.min = -kLargestWeight, .max = kLargestWeight, .active = active});
  }
}

void describe_weights(Parameters& p, param::List& list) {
  const bool on = p.view == View::plane;
  list.group(N_("Additive: w_v · tanh(q W_q + k W_k)"));
  describe_entries<4>(p.w_q, {"w_q_11", "w_q_12", "w_q_21", "w_q_22"},
                      {N_("W_q 1,1"), N_("W_q 1,2"), N_("W_q 2,1"), N_("W_q 2,2")},
                      N_("Row: entry of the query, column: hidden unit"), on, list);
  describe_entries<4>(p.w_k, {"w_k_11", "w_k_12", "w_k_21", "w_k_22"},
                      {N_("W_k 1,1"), N_("W_k 1,2"), N_("W_k 2,1"), N_("W_k 2,2")},
                      N_("Row: entry of the key, column: hidden unit"), on, list);
  describe_entries<2>(
      p.w_v, {"w_v_1", "w_v_2"}, {N_("w_v 1"), N_("w_v 2")},
      N_("How much each hidden unit counts: no score exceeds the sum of their absolute values"), on,
      list);
  list.group(N_("Bilinear: q W k"));
  describe_entries<4>(p.bilinear, {"w_11", "w_12", "w_21", "w_22"},
                      {N_("W 1,1"), N_("W 1,2"), N_("W 2,1"), N_("W 2,2")},
                      N_("Row: entry of the query, column: entry of the key. The identity gives "
                         "the dot product; 0 1 / -1 0 rotates the query by a quarter turn"),
                      on, list);
  list.group(N_("Gaussian: -(w |q - k|)² / 2"));
  list.real(p.inverse_width, "w", N_("w"),
            N_("One over the width of the Gaussian: the larger, the more the nearest key takes"),
            {.min = 0, .max = 5, .active = on});
}

void describe_heights(Parameters& p, param::List& list) {
  const bool on = p.view == View::heights;
  list.group(N_("Heights and masses"));
  list.points({&p.people, kMostPeople, kLeastHeight, kMostHeight, kLeastMass, kMostMass}, "people",
              N_("People"),
              N_("Height (the key) and mass (the value) of each. Drag them; a click adds one, a "
                 "right click or Delete removes one"),
              {.unit = N_("cm, kg"), .active = on});
  list.real(p.height, "height", N_("Asked for"),
            N_("The query: the height for which a mass is guessed"),
            {.unit = N_("cm"), .min = kLeastHeight, .max = kMostHeight, .active = on});
  list.real(p.bandwidth, "bandwidth", N_("Width of the Gaussian"),
            N_("How far the Gaussian kernel reaches, in height"),
            {.unit = N_("cm"), .min = 0.1, .max = 30, .scale = param::Scale::log, .active = on});
  list.choice(
      p.method, "method", N_("Weights"),
      N_("Which weights are worked out: distances divided by their sum; one-hot at the first "
         "nearest key, or shared by all nearest; inverse distances; softmax of a Gaussian score"),
      {kMethods.begin(), kMethods.end()}, {.active = on && !p.people.empty()});
  list.integer(p.person, "person", N_("Person picked"),
               N_("The person whose weight is worked out; a click on a bar chooses it"),
               {.min = 0,
                .max = std::max(0.0, to_double(p.people.size()) - 1),
                .active = on && p.people.size() > 1});
}

void describe_width(Parameters& p, param::List& list) {
  const bool on = p.view == View::width;
  list.group(N_("Random queries and keys"));
  list.integer(p.d, "d", N_("Width d"), N_("Dimensions of a query and a key, each of variance 1"),
               {.min = 2, .max = kWidest, .scale = param::Scale::log, .active = on});
  list.flag(p.divided, "divided", N_("Divided by √d"),
            N_("Whether scores are divided by √d before the softmax; this decides which weights "
               "are shown and worked out"),
            {.active = on});
  list.integer(
      p.rows, "rows", N_("Queries"),
      N_("How many are drawn for each width; with more, the sample approaches the theory"),
      {.unit = N_("queries"), .min = 16, .max = 1024, .scale = param::Scale::log, .active = on});
  list.integer(p.row_keys, "row_keys", N_("Keys per query"),
               N_("Among how many keys softmax splits a query's weight"),
               {.unit = N_("keys"), .min = 2, .max = 64, .scale = param::Scale::log, .active = on});
  describe_seed(p.seed, N_("Another seed gives other vectors"), list, on);
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_view(p, list);
  describe_plane(p, list);
  describe_weights(p, list);
  describe_heights(p, list);
  describe_width(p, list);
  list.essential({"view", "score", "q_x", "q_y", "key", "explain", "height", "bandwidth", "method",
                  "person", "d", "divided", "rows"});
}

Lab lab() { return from_text("scoring", live(describe, compute)); }

}  // namespace lab::scoring
