#include "app/labs/cost/page.h"
#include "app/labs/shared/papers.h"

namespace lab::cost {
namespace {

std::vector<Preset> presets() {
  return {
      {"first_look", N_("Twice the width"),
       N_("1,024 tokens of width 512: self-attention takes twice the multiply-adds of recurrence, "
          "but one step instead of 1,024 and a path of 1."),
       ""},
      {"crossover", N_("Where attention overtakes"),
       N_("n²·d and n·d² are equal at n = d, here 512: shorter sequences are cheaper for "
          "self-attention, longer ones for recurrence."),
       "lead=crossings | explain=crossover"},
      {"sentence", N_("A sentence"),
       N_("70 tokens of width 1,024, as in translation: self-attention takes 15 times fewer "
          "multiply-adds than recurrence."),
       "n=70 | d=1024 | heads=16 | r=16"},
      {"book", N_("A book"),
       N_("131,072 tokens: all scores of 8 heads would fill 550 GB, with a streaming softmax 8.39 "
          "MB. Restricted to a window of 256 they are 1.07 GB."),
       "n=131072 | r=256 | lead=memory | explain=memory | longest=32768"},
      {"dilated", N_("Seven layers reach across"),
       N_("Kernels of 3 next to one another need 512 layers until one position has seen both ends "
          "of "
          "1,024; dilated by 1, 3, 9, ... seven do."),
       "lead=paths | layer=convolution | explain=path"},
      {"contiguous", N_("Layer upon layer"),
       N_("Kernels next to one another: each layer adds two positions, so both ends of 1,024 meet "
          "after 512 layers."),
       "lead=paths | layer=convolution | explain=path | dilation=contiguous"},
      {"recurrence_waits", N_("What cannot run at once"),
       N_("A recurrent layer takes 4,096 steps, each of which waits for the one before; every "
          "other kind takes one."),
       "n=4096 | lead=paths | layer=recurrent | explain=steps"},
      {"window", N_("A window costs what it keeps"),
       N_("64 keys on each side of 4,096 tokens: 524,224 of 16,777,216 pairs, 32 times fewer "
          "multiply-adds, and twice as many for twice the length, not four times."),
       "n=4096 | r=129 | lead=kernels | explain=kernel | longest=16384"},
      {"factorised", N_("The square root of n"),
       N_("4,096 tokens and a stride of 64, its root: 43 times fewer pairs than all and 22 times "
          "fewer than the causal half, and two layers still connect every causal pair."),
       "n=4096 | pattern=strided | lead=kernels | explain=kernel | longest=16384"},
      {"on_this_machine", N_("On this very machine"),
       N_("Raise \"Measurement\" to 1: the time of dense attention grows about as n², that of the "
          "window about as n."),
       "n=4096 | lead=kernels | explain=time | longest=4096"},
  };
}

}  // namespace

Lab lab() {
  return {
      .id = "cost",
      .title = N_("What it costs"),
      .question = N_("What does attention cost, and when is something else cheaper?"),
      .chapter = Chapter::sparsity,
      .about = N_(
          "The best-known table of the Transformer paper, with numbers: how many multiply-adds a "
          "layer takes, how many of its steps must wait for one another, and how many layers it "
          "takes until one position has seen both ends of a sequence. Move n and d and watch the "
          "kinds overtake one "
          "another; click a crossing to have it worked out. Below, attention alone: what a sparse "
          "pattern leaves to do, and, when you ask, how long this machine really takes."),
      .sources = {papers::vaswani_2017.at(N_("section 4, Table 1")),
                  papers::child_2019.at(N_("section 4.3")),
                  papers::beltagy_2020.at(N_("section 3.1")), papers::xiao_2023.at(N_("section 3")),
                  papers::dao_2022.at(N_("section 3.1: exact attention in tiles"))},
      .presets = presets(),
      .make = live(describe, compute)};
}

}  // namespace lab::cost
