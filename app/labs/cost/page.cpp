#include "app/labs/cost/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace lab::cost {
namespace {

std::string_view kernel_message(Kernel kernel) {
  if (kernel == Kernel::dense) return N_("dense");
  return kernel == Kernel::causal ? N_("dense, causal") : N_("sparse");
}

void add_layers(const Scene& scene, std::vector<Readout>& result) {
  const auto& [p, w, measured] = scene;
  const auto size = p.size();
  const double operations = core::layer_operations(p.layer, size);
  result.push_back({"operations", w.format("{}, multiply-adds", scene.name(p.layer)), operations,
                    short_count(operations), w("Of the chosen layer, by the order of its growth")});
  const auto path = core::layers_to_meet(p.layer, size, p.dilation);
  result.push_back({"path", w.format("{}, longest path", scene.name(p.layer)),
                    static_cast<double>(path), grouped(path),
                    w("Layers until the first and the last position interact")});
  const auto crossing =
      crossover_at(LayerKind::self_attention, LayerKind::recurrent, p, Against::length);
  result.push_back({"crossover", w("self-attention = recurrent at n"), crossing->at,
                    fmt::format("{:.6g}", crossing->at),
                    w("Below this length self-attention takes fewer multiply-adds than recurrence, "
                      "above it more")});
  const double scores = p.bytes * core::layer_memory(LayerKind::self_attention, size, p.heads);
  result.push_back({"score_bytes", w("all scores"), scores, bytes_text(scores),
                    w("h·n² numbers, if every head's scores are held at once")});
}

void add_kernels(const Scene& scene, std::vector<Readout>& result) {
  const auto& [p, w, measured] = scene;
  const core::MaskedCost sparse = kernel_cost(Kernel::sparse, p, p.n);
  const double all = kernel_cost(Kernel::dense, p, p.n).pairs;
  result.push_back({"pairs", w("pairs of the pattern"), sparse.pairs,
                    grouped(kernel_pairs(Kernel::sparse, p, p.n)),
                    w("How many queries and keys the sparse pattern pairs, in each head")});
  result.push_back({"density", w("density"), sparse.pairs / all,
                    percent_text(sparse.pairs / all) + " %", w("The share of all n² pairs")});
  result.push_back({"fewer", w("fewer multiply-adds"), all / sparse.pairs,
                    fmt::format("{:.4g} ×", all / sparse.pairs), w("Dense over sparse, counted")});
}

void add_times(const Scene& scene, std::vector<Readout>& result) {
  const Index n = scene.timed_length();
  if (n == 0) return;
  const auto& w = scene.w;
  static constexpr const char* kIds[] = {"dense", "causal", "sparse"};
  for (const Kernel kernel : kKernels) {
    const std::string id = kIds[static_cast<int>(kernel)];
    const Series& series = scene.measured->of(kernel);
    if (const Timing* timing = series.at(n)) {
      result.push_back({"time_" + id, w.format("{}, n = {}", scene.kernel_name(kernel), grouped(n)),
                        timing->seconds, time_text(timing->seconds),
                        w("Time of one call on this machine now, the fastest of several")});
    }
    if (series.fit) {
      result.push_back({"exponent_" + id, w.format("{}, exponent", scene.kernel_name(kernel)),
                        series.fit->exponent, fmt::format("{:.2f}", series.fit->exponent),
                        w("How the measured time grows: as n to this power, by least squares over "
                          "the longest lengths")});
    }
  }
}

std::vector<Card> cards(const words::Words& w) {
  return {{w("Self-attention costs O(n²)."),
           w("Its time is O(n²·d); O(n²) is how many scores a head has. Restricted attention takes "
             "O(r·n·d)."),
           "Vaswani et al. 2017, Table 1"},
          {w("Self-attention is cheaper than recurrence when n is much smaller than d."),
           w("n²·d < n·d² as soon as n < d: the two cross at n = d, not far below."),
           "Vaswani et al. 2017, section 4"},
          {w("A convolutional network needs O(n / k) layers to connect both ends."),
           w("With kernels next to one another, ⌈(n-1)/(k-1)⌉. Dilated by 1, k, k², ... it takes "
             "⌈log_k n⌉, which is what the table says."),
           "Vaswani et al. 2017, section 4"},
          {w("Multi-head attention costs no more because the heads run in parallel."),
           w("It costs no more because each head has width d / h: h·n²·(d / h) = n²·d, in whatever "
             "order. In memory the h heads do have h times the scores."),
           "Vaswani et al. 2017, section 3.2.2"},
          {w("The n² memory of attention cannot be avoided."),
           w("Only if all scores are held at once. A streaming softmax keeps a maximum and a sum "
             "for each row and is exact."),
           "Dao et al. 2022, section 3.1"},
          {w("A sparse mask makes attention faster."),
           w("A mask alone hides pairs that were computed. Time falls when the kernel leaves them "
             "out: measure the two here."),
           "Child et al. 2019, section 5.4"}};
}

void add_notes(const Scene& scene, Page& page) {
  const auto& w = scene.w;
  if (!scene.measured) {
    page.notes.emplace_back(w("Raise \"Measurement\" to time the kernels on this machine."));
    return;
  }
  if (!scene.measured->whole) page.notes.emplace_back(w("Still measuring."));
  if (scene.measured->left_out > 0) {
    page.notes.push_back(w.format(
        "{} measurements are left out: a call there would take too long or half a gigabyte.",
        scene.measured->left_out));
  }
  page.notes.emplace_back(
      w("Times are measured on this machine now and differ from run to run; all other numbers of "
        "this page are the same everywhere."));
}

// What is explained, in the small TeX of figure/formula.h.
std::string formula(const Scene& scene) {
  const auto& p = scene.p;
  const LayerFacts& own = facts(p.layer);
  switch (p.explain) {
    case Explained::operations:
      return std::string(own.tex);
    case Explained::crossover:
      return fmt::format("{} = {}", own.tex, facts(p.other).tex);
    case Explained::steps:
      return p.layer == LayerKind::recurrent ? "n" : "1";
    case Explained::path:
      return path_tex(p.layer, p.dilation);
    case Explained::memory:
      return memory_tex(p.layer);
    case Explained::kernel:
    case Explained::time:
      break;
  }
  return fmt::format("\\text{{{}}} \\cdot h \\left(d_k + d_v\\right)", scene.w("pairs"));
}

void add_lead(const Scene& scene, Lead lead, std::vector<figure::Figure>& figures) {
  switch (lead) {
    case Lead::table:
      figures.push_back(table_figure(scene));
      break;
    case Lead::crossings:
      figures.push_back(operations_figure(scene));
      break;
    case Lead::kernels:
      figures.push_back(kernel_figure(scene));
      if (!scene.measured) break;
      figures.push_back(time_figure(scene));
      figures.push_back(rates_figure(scene));
      break;
    case Lead::memory:
      figures.push_back(memory_figure(scene));
      break;
    case Lead::paths:
      figures.push_back(path_figure(scene));
      break;
  }
}

// The chosen figure first. Kernels and memory share a row while nothing is measured, so they stay
// together then.
void add_figures(const Scene& scene, std::vector<figure::Figure>& figures) {
  const Lead lead = scene.p.lead;
  std::vector<Lead> order = {lead};
  if (!scene.measured && lead == Lead::kernels) order.push_back(Lead::memory);
  if (!scene.measured && lead == Lead::memory) order.push_back(Lead::kernels);
  for (const Lead next : {Lead::table, Lead::crossings, Lead::kernels, Lead::memory, Lead::paths}) {
    if (std::find(order.begin(), order.end(), next) == order.end()) order.push_back(next);
  }
  for (const Lead each : order) add_lead(scene, each, figures);
}

Page make_page(const Scene& scene) {
  const auto& p = scene.p;
  Page page;
  add_figures(scene, page.figures);
  add_layers(scene, page.readouts);
  add_kernels(scene, page.readouts);
  if (scene.measured) add_times(scene, page.readouts);
  page.formula = formula(scene);
  page.explanation = explain(scene);
  page.cards = cards(scene.w);
  add_notes(scene, page);
  page.status = scene.w.format("n = {} · d {} · {} heads · k {} · r {}", grouped(p.n), grouped(p.d),
                               p.heads, p.k, grouped(p.r));
  return page;
}

// Kept while what is measured stays the same, so that turning another knob does not time anew.
std::shared_ptr<const Measured> measured(const Parameters& p, const Context& context) {
  if (p.measurement == 0) return nullptr;
  const auto report = [&](const Measured& partial) {
    if (!context.publish || partial.whole) return;
    context.publish(make_page({p, context.words, std::make_shared<const Measured>(partial)}));
  };
  return context.memo.get("measured",
                          std::tuple(p.measurement, p.pattern, p.longest, p.d, p.heads, p.r),
                          [&] { return measure(p, context.threads, context.cancel, report); });
}

}  // namespace

std::string Scene::kernel_name(Kernel kernel) const { return w(kernel_message(kernel)); }

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

figure::Color kernel_color(Kernel kernel) {
  constexpr int kColors[] = {0, 4, 9};
  return figure::Color::of_head(kColors[static_cast<int>(kernel)]);
}

std::string time_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} µs", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

std::string bytes_text(double bytes) {
  const std::string text = short_count(bytes);
  return text + (text.find(' ') == std::string::npos ? " B" : "B");
}

Page compute(const Parameters& p, const Context& context) {
  context.cancel.poll();
  return make_page({p, context.words, measured(p, context)});
}

}  // namespace lab::cost
