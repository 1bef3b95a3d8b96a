#include "app/labs/masks/page.h"
#include "app/labs/shared/text/text.h"

namespace lab::masks {
namespace {

// How many tokens there are: what the ranges of query and key follow.
void describe_mask(Parameters& p, param::List& list) {
  list.group(N_("Mask"));
  list.stack(
      p.stack, "stack", N_("Mask"),
      N_("Which pairs of query and key are kept: patterns joined one after another, from the top"),
      catalogue(), kMostItems);
}

// Folded away while nothing painted takes part.
void describe_painting(Parameters& p, param::List& list) {
  const bool painted = p.has_painted();
  list.group(N_("Painting"));
  list.flag(p.paint, "paint", N_("Paint"),
            N_("Drag on the mask to paint pairs, with Shift or the right button to erase them; "
               "needs the pattern Painted"),
            {.active = painted});
  list.integer(p.brush, "brush", N_("Brush"), N_("The width of a stroke, in drawn cells"),
               {.unit = N_("cells"),
                .min = 1,
                .max = 64,
                .scale = param::Scale::log,
                .active = p.painting()});
  list.painted({&p.painted, kLongest, kLongest}, "painted", N_("Painted pairs"),
               N_("Rows with their keys: 0:3-7,9 is query 0 with the keys 3 to 7 and 9"),
               {.active = painted});
}

void describe_layers(Parameters& p, param::List& list, int tokens) {
  const bool reach = tokens <= kMostReach;
  list.group(N_("Layers"));
  list.flag(p.alternate, "alternate", N_("Take turns"),
            N_("Each layer uses one item of the mask in turn, instead of all joined: local, then "
               "atrous, then local again"),
            {.active = p.stack.size() > 1});
  list.integer(p.layers, "layers", N_("Layers"),
               N_("The number of layers after which reach is shown: which keys have reached a "
                  "query; when layers take turns, the mask of the last one is shown"),
               {.min = 1, .max = kMostLayers, .active = reach || p.alternates()});
  list.flag(p.residual, "residual", N_("Residual"),
            N_("x + attention(x): a token keeps its own state, whether or not the mask lets it see "
               "itself"),
            {.active = reach});
}

void describe_content(Parameters& p, param::List& list) {
  describe_sequence(p, kLongest, list,
                    N_("The number of tokens; for a text, at most its first n. The computation "
                       "follows the kept pairs, not n²"));
  list.integer(p.width, "d", N_("Head width d"),
               N_("Dimensions of a query, key or value; scores are divided by √d"),
               {.min = 1, .max = 128, .scale = param::Scale::log});
  list.real(p.temperature, "temperature", N_("Temperature"),
            N_("Divides the scores: high makes the weights equal, low leaves only the largest"),
            {.min = 0.05, .max = 20, .step = 0.01, .scale = param::Scale::log});
  describe_seed(
      p.seed, N_("Chooses the vectors of the tokens, and the random keys of BigBird and of blocks"),
      list);
}

void describe_picks(Parameters& p, param::List& list, int tokens) {
  list.group(N_("Look at"));
  describe_pair(p.query, p.key, tokens, list);
  list.group(N_("Display"));
  list.choice(p.shown, "shown", N_("Under the mask"),
              N_("The softmax weights of the kept scores, or the scores themselves"),
              {{"weights", N_("weights")}, {"scores", N_("scores")}});
  list.choice(p.pool, "pool", N_("Zoomed out"),
              N_("When many cells share a pixel: whether any is kept, with the largest weight, or "
                 "the share kept, with the mean weight"),
              {{"max", N_("max")}, {"mean", N_("mean")}});
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  const int tokens = p.token_count(kLongest);
  describe_mask(p, list);
  describe_painting(p, list);
  describe_layers(p, list, tokens);
  describe_content(p, list);
  describe_picks(p, list, tokens);
  list.essential({"stack", "paint", "text", "layers", "query", "key", "shown"});
}

Lab lab() { return from_text("masks", live(describe, compute)); }

}  // namespace lab::masks
