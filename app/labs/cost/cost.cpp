#include "app/labs/cost/page.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"

namespace lab::cost {
namespace {

std::vector<param::Option> layer_options() {
  return each(kLayers, [&](const LayerKind kind) {
    return param::Option{facts(kind).id, facts(kind).name};
  });
}

// In the order of Pattern.
std::vector<param::Option> pattern_options() {
  return {{"local", N_("local window")},
          {"atrous", N_("atrous")},
          {"local_and_atrous", N_("local and atrous")},
          {"strided", N_("strided, causal")},
          {"fixed", N_("fixed, causal")},
          {"streaming", N_("sinks and window")},
          {"longformer", N_("window and a global token")}};
}

void describe_sizes(Parameters& p, param::List& list) {
  list.group(N_("Sizes"));
  list.integer(
      p.n, "n", N_("Length n"), N_("How many positions the layer sees"),
      {.unit = N_("tokens"), .min = 1, .max = kLongestSequence, .scale = param::Scale::log});
  list.integer(p.heads, "heads", N_("Heads h"),
               N_("They share the width d, so they cost no operations; but each has its own scores "
                  "in memory"),
               {.min = 1, .max = 64, .scale = param::Scale::log});
  list.integer(p.d, "d", N_("Width d"),
               N_("The dimension of a position's vector; each head has d / h"),
               {.min = to_double(p.heads),
                .max = p.heads * std::floor(to_double(kWidest) / p.heads),
                .step = to_double(p.heads),
                .scale = param::Scale::log});
  list.integer(p.k, "k", N_("Kernel k"),
               N_("How many neighbouring positions a convolution sees at once"),
               {.min = 2, .max = 64, .scale = param::Scale::log});
  list.integer(p.r, "r", N_("Window r"),
               N_("How many positions a window around a query has, including the query's own, in "
                  "restricted attention and in the windows below. In the other patterns: the "
                  "stride, the block length, or the reach of a strided window"),
               {.unit = N_("tokens"), .min = 1, .max = 65536, .scale = param::Scale::log});
  list.choice(p.dilation, "dilation", N_("Convolutions"),
              N_("Stacked layers of contiguous kernels, or of kernels dilated by 1, k, k², ...: "
                 "how fast their reach grows"),
              {{"contiguous", N_("contiguous")}, {"dilated", N_("dilated")}});
  list.integer(p.bytes, "bytes", N_("Bytes per number"),
               N_("4 for float32, 2 for the 16-bit formats, 1 for the 8-bit ones"),
               {.min = 1, .max = 8});
}

void describe_kernels(Parameters& p, param::List& list) {
  list.group(N_("Kernels on this machine"));
  list.choice(p.pattern, "pattern", N_("Pattern"),
              N_("Which pairs the sparse kernel computes; r is its window, stride or block"),
              pattern_options());
  list.integer(
      p.longest, "longest", N_("Longest"),
      N_("Operations are counted, and timed when asked, at 128, 256, 512, ... up to this length"),
      {.unit = N_("tokens"),
       .min = 4.0 * kShortestMeasured,
       .max = kLongestMeasured,
       .scale = param::Scale::log});
  list.integer(p.measurement, "measurement", N_("Measurement"),
               N_("0: none. Any other number times the kernels on this machine now, and a new "
                  "number times them again; times differ from run to run"),
               {.min = 0, .max = 999, .measures = true});
}

void describe_picks(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.choice(p.lead, "lead", N_("Shown first"),
              N_("Which figure is at the top of the page; the others follow"),
              {{"table", N_("table")},
               {"crossings", N_("crossings")},
               {"kernels", N_("kernels")},
               {"memory", N_("memory")},
               {"paths", N_("paths")}});
  describe_explained(p.explain,
                     {{"operations", N_("operations")},
                      {"steps", N_("sequential steps")},
                      {"path", N_("longest path")},
                      {"memory", N_("memory")},
                      {"crossover", N_("crossover")},
                      {"kernel", N_("kernel")},
                      {"time", N_("time")}},
                     list);
  list.choice(p.layer, "layer", N_("Layer"), N_("The kind of layer shown"), layer_options());
  const bool crossover = p.explain == Explained::crossover;
  list.choice(p.other, "other", N_("Against"), N_("The kind whose cost it is compared with"),
              layer_options(), {.active = crossover});
  list.choice(p.against, "axis", N_("Crossing over"),
              N_("Whether n or d moves until both kinds cost the same"),
              {{"length", N_("length n")}, {"width", N_("width d")}}, {.active = crossover});
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_sizes(p, list);
  describe_kernels(p, list);
  describe_picks(p, list);
  list.essential({"n", "d", "r", "pattern", "lead", "layer", "measurement"});
}

Lab lab() { return from_text("cost", live(describe, compute)); }

std::string_view pattern_name(Pattern pattern) { return pattern_options()[to_size(pattern)].label; }

}  // namespace lab::cost
