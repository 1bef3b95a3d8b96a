#include "app/labs/scoring/page.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/papers.h"

namespace lab::scoring {
namespace {

std::vector<Preset> presets() {
  return {
      {"first_look", N_("A query among keys"),
       N_("The score grows in the direction of the key. The query points at key 0, which gets most "
          "of the weight, and the output lies near its value. Drag everything."),
       ""},
      {"long_key", N_("A long key takes all"),
       N_("Key 1 is four times as long as key 0 and points the same way. By dot product it takes "
          "0.99 of the weight although key 0 lies at the query; by Gaussian score key 0 takes "
          "0.98."),
       "score=dot | q_x=0.9 | q_y=0.9 | keys=0.9,0.9 3.6,3.6 -2,1 | values=0,-3 3,2.5 -3,1 | "
       "key=1"},
      {"gaussian", N_("The nearest key wins"),
       N_("The Gaussian score is largest at the key and falls off all round. With w = 2 each key "
          "owns the places that are nearest to it."),
       "score=gaussian | w=2 | key=3 | q_x=0.3 | q_y=-1.4"},
      {"additive", N_("A score that saturates"),
       N_("tanh holds every hidden number between -1 and 1: no score passes w_v's 2 + 2 = 4 "
          "however long the key. The field is flat where both are near their ends."),
       "score=additive | explain=score"},
      {"bilinear", N_("A learned matrix between them"),
       N_("W turns the query by a quarter before it is compared: it looks for keys to its left, "
          "not for those like itself."),
       "score=bilinear | explain=score | key=1 | q_x=2 | q_y=1"},
      {"mean", N_("A query of zero"),
       N_("Every dot product is 0, every weight 1/4, and the output is the mean of the values: "
          "average pooling."),
       "q_x=0 | q_y=0 | explain=output"},
      {"heights", N_("Height and mass"),
       N_("How heavy is somebody of 179 cm? By softmax of a Gaussian score 178 and 180 cm get "
          "0.49986 of the weight each, 175 cm 0.0003: 78.4977 kg, smooth everywhere, so it can be "
          "learned through."),
       "view=heights"},
      {"distance_share", N_("Mistaken for hardmax"),
       N_("Distances over their sum, which one document calls hardmax, listen most to whoever is "
          "farthest, 175 cm: 72.83 kg. Hardmax says 76, or with the tie shared 78.5."),
       "view=heights | method=document"},
      {"hardmax", N_("Hardmax cannot learn"),
       N_("At 178.6 cm all weight is on 178 cm. A little taller changes nothing: the slope is 0, "
          "until it jumps at 179."),
       "view=heights | method=first | height=178.6 | person=1"},
      {"why_sqrt", N_("Why divide by √d?"),
       N_("At width 64 scores spread with variance 64, and softmax gives its favourite of 16 keys "
          "about 0.84. Divided by 8 the variance is 1 again, and the favourite gets about 0.25. "
          "Drag the width, then switch the division on."),
       "view=width | divided=false"},
      {"saturated", N_("Saturated"),
       N_("At width 1024 scores have a deviation of 32: the largest of 16 weights is about 0.95 on "
          "average, and the Jacobian less than a quarter of what it is after division, so little "
          "gradient comes back."),
       "view=width | d=1024 | divided=false"},
      {"narrow", N_("The sum of two is not normal yet"),
       N_("At width 2 the density of q·k has a peak, exp(-|z|)/2, which is too high for the axes "
          "until it is divided. Only for wide vectors does the sum become normal."),
       "view=width | d=2 | rows=1024"},
  };
}

constexpr double kLargestWeight = 5;

void describe_view(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.choice(p.view, "view", N_("Part"),
              N_("Plane: five scoring functions on the same query and keys. Heights: a mass "
                 "guessed from a height, by attention and by what is mistaken for it. Width: why "
                 "scores are divided by √d"),
              {{"plane", N_("plane")}, {"heights", N_("heights")}, {"width", N_("width")}},
              {.tabs = true});
}

void describe_plane(Parameters& p, param::List& list) {
  const bool on = p.view == View::plane;
  list.group(N_("Query, keys, values"));
  list.choice(p.scoring, "score", N_("Score"),
              N_("The scoring function that is drawn over the plane and taken apart; all five "
                 "stand side by side below"),
              {kScorings.begin(), kScorings.end()}, {.active = on});
  list.real(p.q_x, "q_x", N_("Query x"), N_("Drag the query in the plane"),
            {.min = -kEdge, .max = kEdge, .active = on});
  list.real(p.q_y, "q_y", N_("Query y"), N_("Drag the query in the plane"),
            {.min = -kEdge, .max = kEdge, .active = on});
  list.points(
      {&p.keys, kMostKeys, -kEdge, kEdge, -kEdge, kEdge}, "keys", N_("Keys"),
      N_("Drag them in the plane; a click adds one, a right click or Delete takes one away"),
      {.active = on});
  list.points({&p.values, kMostKeys, -kEdge, kEdge, -kEdge, kEdge}, "values", N_("Values"),
              N_("One for each key, in their order; drag them. A key beyond the last value has "
                 "itself as its value"),
              {.active = on});
  list.integer(
      p.key, "key", N_("Key picked"),
      N_("Whose score and weight are drawn and taken apart; a click on a bar or a key chooses it"),
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
                      N_("Row: entry of the query, column: hidden number"), on, list);
  describe_entries<4>(p.w_k, {"w_k_11", "w_k_12", "w_k_21", "w_k_22"},
                      {N_("W_k 1,1"), N_("W_k 1,2"), N_("W_k 2,1"), N_("W_k 2,2")},
                      N_("Row: entry of the key, column: hidden number"), on, list);
  describe_entries<2>(
      p.w_v, {"w_v_1", "w_v_2"}, {N_("w_v 1"), N_("w_v 2")},
      N_("How much each hidden number counts: no score is larger than the sum of their sizes"), on,
      list);
  list.group(N_("Bilinear: q W k"));
  describe_entries<4>(p.bilinear, {"w_11", "w_12", "w_21", "w_22"},
                      {N_("W 1,1"), N_("W 1,2"), N_("W 2,1"), N_("W 2,2")},
                      N_("Row: entry of the query, column: entry of the key. The identity makes it "
                         "the dot product; 0 1 / -1 0 turns the query by a quarter"),
                      on, list);
  list.group(N_("Gaussian: -(w |q - k|)² / 2"));
  list.real(p.inverse_width, "w", N_("w"),
            N_("One over the width of the bell: the larger, the more the nearest key takes"),
            {.min = 0, .max = 5, .active = on});
}

void describe_heights(Parameters& p, param::List& list) {
  const bool on = p.view == View::heights;
  list.group(N_("Heights and masses"));
  list.points({&p.people, kMostPeople, kLeastHeight, kMostHeight, kLeastMass, kMostMass}, "people",
              N_("People"),
              N_("Height (the key) and mass (the value) of each. Drag them; a click adds one, a "
                 "right click or Delete takes one away"),
              {.unit = N_("cm, kg"), .active = on});
  list.real(p.height, "height", N_("Asked for"),
            N_("The query: a height whose mass is to be guessed"),
            {.unit = N_("cm"), .min = kLeastHeight, .max = kMostHeight, .active = on});
  list.real(p.bandwidth, "bandwidth", N_("Width of the bell"),
            N_("How far in height the Gaussian kernel reaches"),
            {.unit = N_("cm"), .min = 0.1, .max = 30, .scale = param::Scale::log, .active = on});
  list.choice(
      p.method, "method", N_("Weights"),
      N_("Which weights are taken apart: distances divided by their sum; one-hot at the first "
         "nearest key, or shared by all nearest; inverse distances; softmax of a Gaussian score"),
      {kMethods.begin(), kMethods.end()}, {.active = on && !p.people.empty()});
  list.integer(p.person, "person", N_("Person picked"),
               N_("Whose weight is taken apart; a click on a bar chooses it"),
               {.min = 0,
                .max = std::max(0.0, to_double(p.people.size()) - 1),
                .active = on && p.people.size() > 1});
}

void describe_width(Parameters& p, param::List& list) {
  const bool on = p.view == View::width;
  list.group(N_("Random queries and keys"));
  list.integer(p.d, "d", N_("Width d"),
               N_("How many numbers a query and a key have, each of variance 1"),
               {.min = 2, .max = kWidest, .scale = param::Scale::log, .active = on});
  list.flag(p.divided, "divided", N_("Divided by √d"),
            N_("Whether scores are divided by √d before the softmax: whose weights are shown and "
               "taken apart"),
            {.active = on});
  list.integer(
      p.rows, "rows", N_("Queries"),
      N_("How many are drawn for each width; more, and the sample nears the theory"),
      {.unit = N_("queries"), .min = 16, .max = 1024, .scale = param::Scale::log, .active = on});
  list.integer(p.row_keys, "row_keys", N_("Keys of each"),
               N_("Among how many keys softmax divides a query's weight"),
               {.unit = N_("keys"), .min = 2, .max = 64, .scale = param::Scale::log, .active = on});
  describe_seed(p.seed, N_("Another seed, other vectors"), list, on);
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

Lab lab() {
  return {
      .id = "scoring",
      .title = N_("Scores"),
      .question = N_("How well does a key answer a query, and why divide by √d?"),
      .chapter = Chapter::where_attention_comes_from,
      .about = N_(
          "A scoring function says how well a key answers a query; softmax makes weights of the "
          "scores, and the output is the mean of the values under them. Drag query, keys and "
          "values, and compare five scoring functions on the same places. Then guess a mass from a "
          "height, and see why scores of wide vectors are divided by the root of their width."),
      .sources = {papers::bahdanau_2014.at(N_("section A.1.2 (additive score)")),
                  papers::luong_2015.at(N_("section 3.1 (dot and bilinear score)")),
                  papers::vaswani_2017.at(N_("section 3.2.1 and footnote 4 (division by √d)")),
                  papers::nadaraya_1964.at(N_("regression as a weighted mean"))},
      .presets = presets(),
      .make = live(describe, compute)};
}

}  // namespace lab::scoring
