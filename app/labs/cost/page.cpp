#include "app/labs/cost/page.h"
#include "app/labs/shared/text/text.h"
#include "core/enum_array.h"

namespace lab::cost {
namespace {

using Readouts = std::vector<Readout>;

void add_layers(const Scene& scene, Readouts& list) {
  const auto& [p, w, measured] = scene;
  const double operations = core::layer_operations(p.layer, p.size());
  const auto path = core::layers_to_meet(p.layer, p.size(), p.dilation);
  const auto crossing =
      crossover_at(LayerKind::self_attention, LayerKind::recurrent, p, Against::length);
  const double scores = p.bytes * core::layer_memory(LayerKind::self_attention, p.size(), p.heads);
  list = {
      {"operations", w.format("{}, multiply-adds", scene.name(p.layer)), operations,
       short_count(operations), w("Of the chosen layer, by order of growth")},
      {"path", w.format("{}, longest path", scene.name(p.layer)), path ? to_double(*path) : -1,
       path ? grouped(*path) : w("never"),
       w("Layers (recurrent: steps) until one position has seen both ends; -1: never")},
      {"crossover", w("self-attention = recurrent at n"), crossing->at, significant(crossing->at),
       w("Below this length self-attention takes fewer multiply-adds than recurrence, above it "
         "more")},
      {"score_bytes", w("all scores"), scores, bytes_text(scores),
       w("h·n² numbers, if every head's scores are held at once")}};
}

void add_kernels(const Scene& scene, Readouts& list) {
  const auto& [p, w, measured] = scene;
  const Index pairs = kernel_pairs(Kernel::sparse, p.kernels(), p.n);
  const double kept = to_double(pairs);
  const double all = to_double(kernel_pairs(Kernel::dense, p.kernels(), p.n));
  list.push_back({"pairs", w("pairs of the pattern"), kept, grouped(pairs),
                  w("How many query-key pairs the sparse pattern keeps, in each head")});
  list.push_back(
      {"density", w("density"), kept / all, percent(kept / all), w("The share of all n² pairs")});
  list.push_back({"fewer", w("fewer multiply-adds"), all / kept, significant(all / kept, 4) + " ×",
                  w("Dense over sparse, counted")});
}

void add_times(const Scene& scene, Readouts& list) {
  const Index n = scene.timed_length();
  if (n == 0) return;
  const auto& w = scene.w;
  static constexpr core::EnumArray<Kernel, const char*> kIds{{"dense", "causal", "sparse"}};
  for (const Kernel kernel : kKernels) {
    const std::string id = kIds[kernel], name = scene.kernel_name(kernel);
    const Series& series = scene.measured->of(kernel);
    if (const Timing* timing = series.at(n)) {
      list.push_back({"time_" + id, w.format("{}, n = {}", name, grouped(n)), timing->seconds,
                      time_text(timing->seconds),
                      w("Time of one call on this machine now, the fastest of several")});
    }
    if (series.fit) {
      list.push_back({"exponent_" + id, w.format("{}, exponent", name), series.fit->exponent,
                      fixed(series.fit->exponent, 2),
                      w("How the measured time grows: as n to this power, by least squares over "
                        "the longest lengths")});
    }
  }
}

void add_notes(const Scene& scene, Page& page) {
  const auto& w = scene.w;
  if (!scene.measured) {
    page.note(w("\"Measure now\" times the kernels on this machine."));
    return;
  }
  if (!scene.measured->whole) page.note(w("Measuring ..."));
  if (scene.measured->left_out > 0) {
    page.note(
        w.format("Measurements skipped: {}. One call would take too long or need half a gigabyte.",
                 scene.measured->left_out));
  }
  page.note(
      w("Times are measured on this machine now and differ from run to run; all other numbers of "
        "this page are reproducible."));
}

// What is explained, in the small TeX of figure/formula.h.
std::string formula(const Scene& scene) {
  const auto& p = scene.p;
  const LayerFacts& own = facts(p.layer);
  switch (p.explain) {
    case Explained::operations: return std::string(own.operations.tex);
    case Explained::crossover:
      return fmt::format("{} = {}", own.operations.tex, facts(p.other).operations.tex);
    case Explained::steps: return p.layer == LayerKind::recurrent ? "n" : "1";
    case Explained::path: return std::string(path_facts(p.layer, p.dilation).layers.tex);
    case Explained::memory: return std::string(own.memory.tex);
    case Explained::kernel:
    case Explained::time: break;
  }
  return fmt::format("\\text{{{}}} \\cdot h \\cdot d_k", scene.w("pairs"));
}

// The figures of one theme.
std::vector<Figure> figures_of(const Scene& scene, Lead theme) {
  switch (theme) {
    case Lead::table: return {table_figure(scene)};
    case Lead::crossings: return {operations_figure(scene)};
    case Lead::kernels:
      if (!scene.measured) return {kernel_figure(scene)};
      return {kernel_figure(scene), time_figure(scene), rates_figure(scene)};
    case Lead::memory: return {memory_figure(scene)};
    case Lead::paths: break;
  }
  return {path_figure(scene)};
}

// The chosen figure first. Kernels and memory share a row while nothing is measured, so they stay
// together then.
std::vector<Figure> figures(const Scene& scene) {
  std::vector<Lead> order = {scene.p.lead};
  if (!scene.measured && scene.p.lead == Lead::kernels) order.push_back(Lead::memory);
  if (!scene.measured && scene.p.lead == Lead::memory) order.push_back(Lead::kernels);
  for (const Lead next : {Lead::table, Lead::crossings, Lead::kernels, Lead::memory, Lead::paths}) {
    if (std::find(order.begin(), order.end(), next) == order.end()) order.push_back(next);
  }
  std::vector<Figure> all;
  for (const Lead theme : order) {
    for (Figure& figure : figures_of(scene, theme)) all.push_back(std::move(figure));
  }
  return all;
}

Page make_page(const Scene& scene) {
  const auto& [p, w, measured] = scene;
  Page page;
  page.figures = figures(scene);
  add_layers(scene, page.readouts);
  add_kernels(scene, page.readouts);
  if (measured) add_times(scene, page.readouts);
  page.formula = formula(scene);
  page.explanation = explain(scene);
  page.cards = cards("cost", w);
  add_notes(scene, page);
  page.status = w.format("n = {} · d {} · heads {} · k {} · r {}", grouped(p.n), grouped(p.d),
                         p.heads, p.k, grouped(p.r));
  return page;
}

// Who is told of unfinished measurements; it changes nothing of what is measured.
struct Report {
  std::function<void(const Measured&)> report;
  bool operator==(const Report&) const { return true; }
};

// Kept while what is measured stays the same, so that turning another knob does not time anew.
std::shared_ptr<const Measured> measured(const Parameters& p, const Context& context) {
  if (p.measurement == 0) return nullptr;
  const Report report{[&p, &context](const Measured& partial) {
    if (!context.publish || partial.whole) return;
    context.publish(make_page({p, context.words, std::make_shared<const Measured>(partial)}));
  }};
  // The number of a measurement only tells it from others.
  return context.stage(
      "measured",
      [](int /*measurement*/, const KernelSizes& sizes, const Report& to, const Run& run) {
        return measure(sizes, run, to.report);
      },
      p.measurement, p.kernels(), report);
}

}  // namespace

std::string Scene::kernel_name(Kernel kernel) const {
  if (kernel == Kernel::dense) return w("dense");
  return kernel == Kernel::causal ? w("dense, causal") : w("sparse");
}

Index Scene::timed_length() const {
  if (!measured) return 0;
  Index best = 0;
  for (const Series& series : measured->series) {
    for (const Timing& timing : series.timings) {
      if (best == 0 || (timing.n <= p.n && timing.n > best)) best = timing.n;
    }
  }
  return best;
}

Page compute(const Parameters& p, const Context& context) {
  return make_page({p, context.words, measured(p, context)});
}

}  // namespace lab::cost
