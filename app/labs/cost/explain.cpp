// Why a count of the table is what it is, how a pattern's pairs were counted, and what its times
// come from.
#include "app/labs/cost/page.h"

namespace lab::cost {
namespace {

std::string text(std::string_view formula) { return std::string(formula); }

// "a / b = 2".
void add_ratio(double a, double b, Derivation& d) {
  d.is("", fmt::format("{} / {} {}", whole(a), whole(b), equated(a / b, significant(a / b, 4))));
}

void say_window(const Scene& scene, Derivation& d) {
  if (scene.p.layer != LayerKind::restricted || scene.p.r <= scene.p.n) return;
  d.say(scene.w.format("A neighbourhood cannot have more than n positions: r counts as {}.",
                       grouped(scene.p.n)));
}

Explanation explain_operations(const Scene& scene) {
  const auto& [p, w, measured] = scene;
  const double own = core::layer_operations(p.layer, p.size());
  Derivation d(w);
  d.say(w(facts(p.layer).why));
  say_window(scene, d);
  d.begin("ops", text(facts(p.layer).operations.text))
      .next(filled(facts(p.layer).operations.numbers, p))
      .result(whole(own));
  d.say(
      w("This is the paper's order of growth with constant 1: projections and constant factors are "
        "left out, so compare kinds, not programs."));
  if (p.layer != LayerKind::self_attention) {
    d.say(w("Beside self-attention"));
    add_ratio(own, core::layer_operations(LayerKind::self_attention, p.size()), d);
  }
  return {w.format("{}: multiply-adds", scene.name(p.layer)), d.take()};
}

Explanation explain_steps(const Scene& scene) {
  const auto& [p, w, measured] = scene;
  const bool waits = p.layer == LayerKind::recurrent;
  Derivation d(w);
  d.say(waits ? w("The state at position t needs the state at t - 1, so the n steps of one layer "
                  "run one after another, however many processors there are.")
              : w("Every position is computed from the layer's input alone, so all of them can be "
                  "computed at once."));
  d.begin(w("steps"), waits ? "n" : "1").result(grouped(core::sequential_steps(p.layer, p.size())));
  return {w.format("{}: sequential steps", scene.name(p.layer)), d.take()};
}

// How many positions so many layers see: what a window of `size` adds to each layer.
std::string field(const Parameters& p, int size, Index layers) {
  const bool dilated = is_convolution(p.layer) && p.dilation == Dilation::dilated;
  return fmt::format("{} = {}",
                     dilated ? fmt::format("{}^{}", size, layers)
                             : fmt::format("1 + {}·{}", grouped(layers), grouped(size - 1)),
                     grouped(core::convolution_field(
                         size, layers, dilated ? Dilation::dilated : Dilation::contiguous)));
}

Explanation explain_path(const Scene& scene) {
  const auto& [p, w, measured] = scene;
  const PathFacts& path = path_facts(p.layer, p.dilation);
  const auto layers = core::layers_to_meet(p.layer, p.size(), p.dilation);
  const std::string title = w.format("{}: longest path", scene.name(p.layer));
  Derivation d(w);
  if (!layers) {
    d.say(w("Each position sees nothing but itself: the ends never meet."));
    return {title, d.take()};
  }
  if (p.layer == LayerKind::restricted && p.r == 1) {
    d.begin("L", "1").say(w("At least one layer is counted."));
    return {title, d.take()};
  }
  d.say(w(path.why));
  d.begin("L", text(path.layers.text)).next(filled(path.layers.numbers, p));
  const bool convolution = is_convolution(p.layer);
  if (convolution && p.dilation == Dilation::dilated) {
    d.about(fmt::format("⌈{}⌉", significant(core::path_order(p.layer, p.size()), 9)));
  }
  d.result(grouped(*layers));
  if (p.n == 1) d.say(w("At least one layer is counted."));
  if (convolution || p.layer == LayerKind::restricted) {
    d.say(w("What this many layers see, and one fewer"));
    for (const Index count : {*layers, *layers - 1}) {
      d.is("", field(p, convolution ? p.k : p.r, count));
    }
    d.say(
        w("Both ends meet in one position, somewhere in the middle when windows look to both "
          "sides; a signal from one end to the other then takes about twice as many layers."));
  }
  return {title, d.take()};
}

void add_bytes(double numbers, int bytes, Derivation& d) {
  const double all = numbers * bytes;
  const bool few = all < 1000;  // written to the last byte
  d.line("", {plain(fmt::format("{} · {} B {} ", whole(numbers), bytes, few ? "=" : "≈")),
              accented(bytes_text(all))});
}

Explanation explain_memory(const Scene& scene) {
  const auto& [p, w, measured] = scene;
  const double numbers = core::layer_memory(p.layer, p.size(), p.heads);
  const std::string title = w.format("{}: memory", scene.name(p.layer));
  Derivation d(w);
  if (numbers == 0) {
    d.say(w("A convolution reads its input in place: it holds nothing else."));
    d.picked("M", "0");
    return {title, d.take()};
  }
  d.say(p.layer == LayerKind::recurrent ? w("One state of d numbers is carried along.")
                                        : w("A score for each allowed pair, in every head: heads "
                                            "share the width d but not their scores."));
  say_window(scene, d);
  d.begin("M", text(facts(p.layer).memory.text))
      .next(filled(facts(p.layer).memory.numbers, p))
      .next(whole(numbers));
  add_bytes(numbers, p.bytes, d);
  if (p.layer == LayerKind::self_attention) {
    const double rows = 2.0 * p.heads * p.n;
    d.say(
        w("A streaming softmax never holds all scores: for each row and head it keeps the largest "
          "score and the sum, 2·h·n numbers"));
    d.is("", fmt::format("2·{}·{} = {}", p.heads, grouped(p.n), whole(rows)));
    add_bytes(rows, p.bytes, d);
  }
  return {title, d.take()};
}

Explanation explain_crossover(const Scene& scene) {
  const auto& [p, w, measured] = scene;
  const LayerFacts &own = facts(p.layer), &other = facts(p.other);
  const std::string title = w.format("{} against {}", scene.name(p.layer), scene.name(p.other));
  Derivation d(w);
  if (p.layer == p.other) {
    d.say(w("These are the same kind: choose another."));
    return {title, d.take()};
  }
  d.is("", text(own.operations.text) + " = " + text(other.operations.text));
  d.say(w("Both divided by n·d")).is("", text(own.each) + " = " + text(other.each));
  if (p.layer == LayerKind::restricted || p.other == LayerKind::restricted) {
    d.say(w("where r is at most n: up to n = r, restricted attention is self-attention."));
  }
  const std::string letter = p.against == Against::length ? "n" : "d";
  if (const auto crossing = crossover_at(p.layer, p.other, p, p.against)) {
    const std::string ops = whole(crossing->operations);
    d.begin(letter, crossover_formula(p.layer, p.other, p, p.against));
    d.line("", {accented(equated(crossing->at, significant(crossing->at)))});
    d.say(w("There both cost"));
    d.is("ops", equated(crossing->operations, ops).starts_with('=')
                    ? "= " + ops
                    : "≈ " + significant(crossing->operations));
  } else {
    d.say(w.format("No {} makes these equal at the other sizes set: one kind is always cheaper.",
                   letter));
  }
  d.say(w.format("With n = {} and d = {}", grouped(p.n), grouped(p.d)));
  const double a = core::layer_operations(p.layer, p.size());
  const double b = core::layer_operations(p.other, p.size());
  d.is("", text(own.operations.text) + " = " + whole(a));
  d.is("", text(other.operations.text) + " = " + whole(b));
  add_ratio(a, b, d);
  return {title, d.take()};
}

void add_timing(const Scene& scene, Kernel kernel, Index n, Derivation& d) {
  const Timing* timing = scene.measured->of(kernel).at(n);
  if (!timing) return;
  const auto& w = scene.w;
  const double macs = kernel_cost(kernel, scene.p.kernels(), n).macs;
  d.line("", {dim(scene.kernel_name(kernel))}).about_picked("t", time_text(timing->seconds));
  d.line("", {dim(w.format("the fastest of {}; median {}, slowest {}", timing->samples,
                           time_text(timing->median), time_text(timing->slowest)))});
  d.is("", fmt::format("{} / {}", whole(macs), time_text(timing->seconds)));
  d.about(w.format("{:.3g} G multiply-adds per second", macs / timing->seconds * 1e-9));
}

// The least squares behind an exponent.
void add_fit(const Scene& scene, Kernel kernel, Derivation& d) {
  const auto& fit = scene.measured->of(kernel).fit;
  if (!fit) return;
  d.line(
      "",
      {dim(scene.w.format("{}, the longest {} lengths", scene.kernel_name(kernel), fit->count))});
  d.is("", "Σ(x-x̄)(y-ȳ) / Σ(x-x̄)²")
      .about(fmt::format("{} / {}", fixed(fit->sxy, 5), fixed(fit->sxx, 5)));
  d.line("", {accented("≈ " + fixed(fit->exponent)), dim(" ± " + fixed(fit->error))});
}

Explanation explain_kernel(const Scene& scene) {
  const auto& [p, w, measured] = scene;
  const KernelSizes sizes = p.kernels();
  const PairSum pairs = pair_sum(p.pattern, p.n, p.r);
  Derivation d(w);
  d.say(w.format("Pairs that the pattern keeps: {}", w(pattern_name(p.pattern))));
  if (!pairs.letters.empty()) d.line("", {dim(pairs.letters)});
  for (const PairTerm& term : pairs.terms) {
    d.is(term.symbols, fmt::format("{} = {}", term.numbers, grouped(term.value)));
  }
  d.picked(w("pairs"), grouped(pattern_pairs(p.pattern, p.n, p.r)));
  d.say(
      w("Each pair takes d_k multiply-adds for its score in each of h heads, d in all: "
        "pairs·h·d_k. Its value takes as many again, not counted in the table either."));
  for (const Kernel kernel : kKernels) {
    d.line("", {dim(scene.kernel_name(kernel))});
    d.is("", fmt::format("{}·{}·{}", grouped(kernel_pairs(kernel, sizes, p.n)), sizes.heads,
                         sizes.d_head()));
    d.result(whole(kernel_operations(kernel, sizes, p.n)));
  }
  const double dense = kernel_operations(Kernel::dense, sizes, p.n),
               sparse = kernel_operations(Kernel::sparse, sizes, p.n), ratio = dense / sparse;
  d.begin(w("Dense over sparse"), fmt::format("{} / {}", whole(dense), whole(sparse)));
  d.line("", {accented(equated(ratio, significant(ratio, 4)))});
  return {w.format("Attention over {} tokens, counted", grouped(p.n)), d.take()};
}

Explanation explain_time(const Scene& scene) {
  const auto& w = scene.w;
  const Index n = scene.timed_length();
  Derivation d(w);
  if (n == 0) {
    d.say(w("\"Measure now\" times the kernels on this machine, afresh each time."));
    return {w("Nothing measured yet"), d.take()};
  }
  d.say(w("Scores and values together: 2·pairs·d multiply-adds."));
  for (const Kernel kernel : kKernels) add_timing(scene, kernel, n, d);
  d.say(w("Exponents: the slope of y = ln t over x = ln n, by least squares"));
  for (const Kernel kernel : kKernels) add_fit(scene, kernel, d);
  return {w.format("Attention over {} tokens, measured", grouped(n)), d.take()};
}

}  // namespace

Explanation explain(const Scene& scene) {
  switch (scene.p.explain) {
    case Explained::operations: return explain_operations(scene);
    case Explained::steps: return explain_steps(scene);
    case Explained::path: return explain_path(scene);
    case Explained::memory: return explain_memory(scene);
    case Explained::crossover: return explain_crossover(scene);
    case Explained::kernel: return explain_kernel(scene);
    case Explained::time: return explain_time(scene);
  }
  return {};
}

}  // namespace lab::cost
