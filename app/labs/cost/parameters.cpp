#include "app/labs/cost/parameters.h"

#include <cmath>

#include "app/labs/shared/knobs.h"
#include "app/words/words.h"

namespace lab::cost {
namespace {

std::vector<param::Option> layer_options() {
  return {{"self_attention", N_("self-attention")},
          {"recurrent", N_("recurrent")},
          {"convolution", N_("convolution")},
          {"separable", N_("separable convolution")},
          {"restricted", N_("restricted attention")}};
}

void describe_sizes(Parameters& p, param::List& list) {
  list.group(N_("Sizes"));
  list.integer(p.n, {.id = "n",
                     .label = N_("Length n"),
                     .unit = N_("tokens"),
                     .help = N_("How many positions the layer sees"),
                     .min = 1,
                     .max = kLongestSequence,
                     .scale = param::Scale::log});
  list.integer(p.heads, {.id = "heads",
                         .label = N_("Heads h"),
                         .help = N_("They share the width d, so they cost no operations; but each "
                                    "has scores of its own in memory"),
                         .min = 1,
                         .max = 64,
                         .scale = param::Scale::log});
  list.integer(p.d, {.id = "d",
                     .label = N_("Width d"),
                     .help = N_("How many numbers describe a position; each head has d / h"),
                     .min = static_cast<double>(p.heads),
                     .max = p.heads * std::floor(static_cast<double>(kWidest) / p.heads),
                     .step = static_cast<double>(p.heads),
                     .scale = param::Scale::log});
  list.integer(p.k, {.id = "k",
                     .label = N_("Kernel k"),
                     .help = N_("How many neighbouring positions a convolution sees at once"),
                     .min = 2,
                     .max = 64,
                     .scale = param::Scale::log});
  list.integer(p.r,
               {.id = "r",
                .label = N_("Window r"),
                .unit = N_("tokens"),
                .help = N_("Restricted attention and the measured patterns: the window's reach "
                           "on each side, the stride, or the length of a block"),
                .min = 1,
                .max = 65536,
                .scale = param::Scale::log});
  list.choice(p.dilation, {{"contiguous", N_("contiguous")}, {"dilated", N_("dilated")}},
              {.id = "dilation",
               .label = N_("Convolutions"),
               .help = N_("Layer upon layer of kernels that lie next to one another, or dilated by "
                          "1, k, k², ...: how fast they reach far")});
  list.integer(p.bytes, {.id = "bytes",
                         .label = N_("Bytes a number"),
                         .help = N_("4 for float32, 2 for the 16-bit formats, 1 for those of 8"),
                         .min = 1,
                         .max = 8});
}

void describe_kernels(Parameters& p, param::List& list) {
  list.group(N_("Kernels on this machine"));
  list.choice(p.pattern,
              {{"local", N_("local window")},
               {"atrous", N_("atrous")},
               {"local_and_atrous", N_("local and atrous")},
               {"strided", N_("strided, causal")},
               {"fixed", N_("fixed, causal")},
               {"streaming", N_("sinks and window")},
               {"longformer", N_("window and a global token")}},
              {.id = "pattern",
               .label = N_("Pattern"),
               .help = N_("Which pairs the sparse kernel computes; r is its window, stride or "
                          "block")});
  list.integer(p.longest, {.id = "longest",
                           .label = N_("Longest"),
                           .unit = N_("tokens"),
                           .help = N_("Kernels are counted, and measured when asked, at 128, 256, "
                                      "512, ... up to this length"),
                           .min = 4.0 * kShortestMeasured,
                           .max = kLongestMeasured,
                           .scale = param::Scale::log});
  list.integer(p.measurement,
               {.id = "measurement",
                .label = N_("Measurement"),
                .help = N_("0: none. Any other number times the kernels on this machine now, as "
                           "another number does again; times differ from run to run"),
                .min = 0,
                .max = 999});
}

void describe_picks(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.choice(p.lead,
              {{"table", N_("table")},
               {"crossings", N_("crossings")},
               {"kernels", N_("kernels")},
               {"memory", N_("memory")},
               {"paths", N_("paths")}},
              {.id = "lead",
               .label = N_("Shown first"),
               .help = N_("Which figure stands at the top of the page; the others follow")});
  describe_explained(p.explain,
                     {{"operations", N_("operations")},
                      {"steps", N_("sequential steps")},
                      {"path", N_("longest path")},
                      {"memory", N_("memory")},
                      {"crossover", N_("crossover")},
                      {"kernel", N_("kernel")},
                      {"time", N_("time")}},
                     list);
  list.choice(
      p.layer, layer_options(),
      {.id = "layer", .label = N_("Layer"), .help = N_("The kind of layer that is looked at")});
  const bool crossover = p.explain == Explained::crossover;
  list.choice(p.other, layer_options(),
              {.id = "other",
               .label = N_("Against"),
               .help = N_("The kind whose cost it is compared with"),
               .active = crossover});
  list.choice(p.against, {{"length", N_("length n")}, {"width", N_("width d")}},
              {.id = "axis",
               .label = N_("Crossing over"),
               .help = N_("Whether n or d moves until both kinds cost the same"),
               .active = crossover});
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_sizes(p, list);
  describe_kernels(p, list);
  describe_picks(p, list);
}

}  // namespace lab::cost
