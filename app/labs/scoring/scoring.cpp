#include "app/labs/scoring/page.h"
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
          "about 0.84. Divided by 8 the variance is 1 again, and the favourite gets 0.25."),
       "view=width"},
      {"saturated", N_("Saturated"),
       N_("At width 1024 scores have a deviation of 32: the largest of 16 weights is above 0.95 on "
          "average, and the Jacobian less than a quarter of what it is after division, so little "
          "gradient comes back."),
       "view=width | d=1024 | divided=false"},
      {"narrow", N_("Two numbers are not normal"),
       N_("At width 2 the density of q·k has a peak, exp(-|z|)/2. Only for wide vectors does the "
          "sum become normal."),
       "view=width | d=2 | rows=1024"},
  };
}

}  // namespace

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
