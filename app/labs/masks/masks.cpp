#include "app/labs/masks/page.h"
#include "app/labs/shared/papers.h"

namespace lab::masks {
namespace {

std::vector<Preset> window_presets() {
  return {
      {"first_look", N_("A local window"),
       N_("Each word sees three to either side: 282 of 1,764 pairs, 16 %. What is not kept is not "
          "small but absent, and costs nothing."),
       ""},
      {"atrous", N_("Every fourth word"),
       N_("Only distances 0, 4, 8, … are seen. However many layers, words whose distance is no "
          "multiple of 4 never meet: the mask falls into four parts."),
       "stack=atrous step=4 | layers=4 | key=8"},
      {"document", N_("Local with atrous in one mask"),
       N_("Distances up to 4 and multiples of 4: near words and a comb of far ones. Two layers "
          "connect every pair."),
       "stack=sparse k=4 | layers=2 | key=7"},
      {"local_then_atrous", N_("A local layer, then an atrous one"),
       N_("Layers take turns. The window fetches each word's neighbours, the comb carries them "
          "everywhere: after two layers every pair is connected, with at most 9 and 11 of 42 keys "
          "a row."),
       "stack=local window=4; or atrous step=4 | alternate=true | layers=2 | key=7"},
      {"half_window", N_("Half the window is not enough"),
       N_("The same with a window of 2: in the middle it would do, but at the ends pairs are "
          "missing, such as query 3 and key 0. A window of 3, one less than the step, suffices."),
       "stack=local window=2; or atrous step=4 | alternate=true | layers=2 | query=3 | key=0"},
      {"image", N_("An image, row by row"),
       N_("144 tokens are 12 rows of 12. What is near in two dimensions lies in three bands: the "
          "row above, the own and the one below."),
       "input=smooth | length=144 | stack=grid width=12 up=1 side=1 | query=65 | key=54"},
  };
}

std::vector<Preset> model_presets() {
  return {
      {"strided", N_("Sparse Transformer, strided"),
       N_("Causal: the last six words and every sixth before them, with the stride near √42. Any "
          "earlier word is at most two layers away."),
       "stack=strided l=6 | layers=2 | query=30 | key=18"},
      {"fixed", N_("Sparse Transformer, fixed"),
       N_("Causal: the own block of eight, and the last two keys of each block, which sum it up: "
          "columns that everyone after them sees."),
       "stack=fixed l=8 c=2 | layers=2 | query=30 | key=14"},
      {"longformer", N_("Longformer: two words see all"),
       N_("A window, and two global words whose rows and columns are full. Through them every pair "
          "is at most two layers apart."),
       "stack=longformer window=3 dilation=1 global=2 | layers=2 | key=1"},
      {"bigbird", N_("BigBird: window, global, random"),
       N_("Two keys drawn for each query besides the window and one global word. Another seed "
          "draws others, and every row but the global word's gains as many."),
       "stack=bigbird window=1 global=1 random=2 | layers=2 | key=0"},
      {"streaming", N_("Sinks and a sliding window"),
       N_("What a streaming model keeps: the first four words and the last eight, never more than "
          "twelve, however long the text."),
       "stack=streaming sinks=4 window=8 | query=38 | key=1"},
      {"prefix", N_("A prefix seen by all"),
       N_("The first sentence is read in both directions, the rest is written word by word: causal "
          "with a full block in the corner."),
       "stack=prefix_lm prefix=15 | query=5 | key=12"},
      {"documents", N_("Three texts in one batch"),
       N_("Each sentence is a document of its own, and causal: no word sees another document. "
          "Blocks on the diagonal, each a triangle."),
       "stack=documents a=15 b=16 c=11 d=0; and causal | key=16"},
      {"blocks", N_("Blocks of six by six"),
       N_("Whole blocks are kept or not: the own block, the first one, which sees all and which "
          "all see, and one drawn for each row of blocks. Machines like blocks better than single "
          "pairs."),
       "stack=blocks size=6 near=0 global=1 random=1 | key=20"},
  };
}

std::vector<Preset> other_presets() {
  return {
      {"top_k", N_("The four largest scores"),
       N_("The words choose: each query keeps its four best keys. Every \"the\" keeps four of the "
          "nine, and most of the dense weight stays."),
       "stack=top_k k=4 | query=10"},
      {"painted", N_("Paint it yourself"),
       N_("A causal mask less a painted patch. Drag over the mask to hide more pairs, with Shift "
          "to give them back."),
       "stack=causal; minus painted | painted=24-34:6-14 | paint=true | brush=2 | query=28"},
      {"empty_rows", N_("Rows without a key"),
       N_("The summary columns alone leave the first six words nothing to look at. Their weights "
          "and outputs are exactly 0; no softmax could say so."),
       "stack=fixed_a2 l=8 c=2 | query=3"},
      {"padding", N_("Padded keys and queries"),
       N_("Only 30 of 42 words are real: the columns of the others are not seen, and their rows "
          "are empty."),
       "stack=key_padding valid=30; and query_padding valid=30 | query=35"},
      {"long", N_("131,072 tokens"),
       N_("A causal window of 256 keeps 34 million of 17 billion pairs: a diagonal hardly a pixel "
          "wide. Zoom in anywhere, down to single cells."),
       "input=smooth | period=64 | length=131072 | stack=local window=256; and causal | "
       "query=65536"},
  };
}

std::vector<Preset> presets() {
  std::vector<Preset> all = window_presets();
  for (auto&& more : {model_presets(), other_presets()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

// How many tokens there are: what the ranges of query and key follow.
void describe_mask(Parameters& p, param::List& list) {
  list.group(N_("Mask"));
  list.stack(p.stack, "stack", N_("Mask"),
             N_("Which pairs of query and key are kept: patterns joined one after the other, from "
                "the top"),
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
  list.integer(p.brush, "brush", N_("Brush"),
               N_("How wide a stroke is, in cells as they are drawn"),
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
            N_("Each layer uses one item of the mask, in turn, instead of all joined: local, then "
               "atrous, then local again"),
            {.active = p.stack.size() > 1});
  list.integer(p.layers, "layers", N_("Layers"),
               N_("After how many layers it is asked which keys have reached a query; when layers "
                  "take turns, the last one's mask is shown"),
               {.min = 1, .max = kMostLayers, .active = reach || p.turns()});
  list.flag(
      p.residual, "residual", N_("Residual"),
      N_("x + attention(x): a token keeps what it has, whether or not its mask lets it see itself"),
      {.active = reach});
}

void describe_content(Parameters& p, param::List& list) {
  describe_sequence(p, kLongest, list,
                    N_("The number of tokens; of a text, at most its first n. What is computed "
                       "follows the kept pairs, not n²"));
  list.integer(p.width, "d", N_("Head width d"),
               N_("Numbers in a query, key or value; scores are divided by √d"),
               {.min = 1, .max = 128, .scale = param::Scale::log});
  list.real(p.temperature, "temperature", N_("Temperature"),
            N_("Divides the scores: high makes the weights equal, low leaves the largest alone"),
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
              N_("The weights that softmax makes of the kept scores, or these scores"),
              {{"weights", N_("weights")}, {"scores", N_("scores")}});
  list.choice(p.pool, "pool", N_("Zoomed out"),
              N_("When many cells share a pixel: whether one is kept and the largest weight, or "
                 "the share that is kept and the mean weight"),
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

Lab lab() {
  return {
      .id = "masks",
      .title = N_("Masks"),
      .question = N_("Which pairs may one leave out, and what does it cost?"),
      .chapter = Chapter::sparsity,
      .about =
          N_("A mask says which keys a query may see: patterns joined by and, or and minus, from "
             "the top of the list down, one of them painted by hand if you like. What is kept "
             "decides the cost, what is dropped the error, and what several layers reach together "
             "whether it matters. Click a cell to see which pattern keeps it, and why."),
      .sources = {papers::child_2019.at(N_("section 4.3")),
                  papers::beltagy_2020.at(N_("section 3.1")),
                  papers::zaheer_2020.at(N_("section 2")), papers::xiao_2023.at(N_("section 3.2")),
                  papers::raffel_2020.at(N_("section 3.2.1")),
                  papers::parmar_2018.at(N_("section 3.2")),
                  papers::vaswani_2017.at(N_("section 4"))},
      .presets = presets(),
      .chinese = kChineseSample,
      .make = live(describe, compute)};
}

}  // namespace lab::masks
