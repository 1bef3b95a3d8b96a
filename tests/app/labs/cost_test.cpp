#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>

#include "app/labs/cost/kernels.h"
#include "app/labs/cost/layers.h"
#include "app/labs/cost/page.h"
#include "core/mask/patterns/patterns.h"
#include "core/mask/reach.h"
#include "trying.h"

namespace cost_test {

using namespace lab::cost;  // NOLINT: the box under test
using namespace lab::trying;

namespace {

using Made = Trial<Parameters>;
Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }
Made preset(std::string_view id) { return lab::trying::preset<Parameters>("cost", id); }

// The line of that name in a plot.
const figure::Line& line_of(const figure::Plot& plot, std::string_view label) {
  for (const auto& mark : plot.marks) {
    if (const auto* line = std::get_if<figure::Line>(&mark); line && line->label == label) {
      return *line;
    }
  }
  FAIL("no line " << label << " in " << plot.id);
  std::abort();
}

}  // namespace

TEST_CASE("what the table tells as people read it, it has as numbers too") {
  Made m = made({{"n", "300"}, {"d", "640"}, {"k", "5"}, {"r", "17"}, {"bytes", "2"}});
  const lab::Page page = m.page();
  const auto& table = mark_of<figure::Table>(plot_of(page, "table"));
  REQUIRE(table.rows.size() == 5);
  const auto numbers = [&](const std::string& name) -> std::vector<double> {
    for (const auto& one : table.numbers) {
      if (one.name == name) return one.values;
    }
    FAIL("no " << name);
    return {};
  };
  const std::vector<double> operations = numbers("multiply-adds");
  REQUIRE(operations.size() == 5);
  CHECK(operations[0] == 300.0 * 300 * 640);
  CHECK(operations[1] == 300.0 * 640 * 640);
  CHECK(numbers("times self-attention's")[1] == 640.0 / 300);
  CHECK(numbers("sequential steps") == std::vector<double>{1, 300, 1, 1, 1});
  CHECK(numbers("numbers held besides")[1] == 640);
  CHECK(numbers("memory held besides (bytes)")[1] == 1280);
  CHECK(table.rows[0][1][1].text == "= 57.6 M");
  for (const auto& one : table.numbers) {
    CHECK(one.name.find_first_not_of(" ()',-abcdefghijklmnopqrstuvwxyz") == std::string::npos);
  }
}

TEST_CASE("the table's curves are the table's formulas, at every length and width") {
  Made m = made({{"n", "300"}, {"d", "640"}, {"k", "5"}, {"r", "17"}});
  const lab::Page page = m.page();
  const auto& over_n = plot_of(page, "operations_n");
  const auto& over_d = plot_of(page, "operations_d");
  const auto formula = [](const std::string& kind, double n, double d) {
    if (kind == "self-attention") return n * n * d;
    if (kind == "recurrent") return n * d * d;
    if (kind == "convolution") return 5 * n * d * d;
    if (kind == "separable convolution") return 5 * n * d + n * d * d;
    return std::min(17.0, n) * n * d;
  };
  for (const char* kind : {"self-attention", "recurrent", "convolution", "separable convolution",
                           "restricted attention"}) {
    CAPTURE(kind);
    const figure::Line& first = line_of(over_n, kind);
    for (std::size_t k = 0; k < first.x.size(); ++k) {
      CHECK(first.y[k] == formula(kind, first.x[k], 640));
    }
    CHECK(first.x.front() == 1);
    CHECK(first.x.back() == kLongestSequence);
    const figure::Line& second = line_of(over_d, kind);
    for (std::size_t k = 0; k < second.x.size(); ++k) {
      CHECK(second.y[k] == formula(kind, 300, second.x[k]));
    }
    CHECK(second.x.back() == kWidest);
  }
}

TEST_CASE("every crossing lies on both of its curves and its formula gives its place") {
  for (const char* axis : {"length", "width"}) {
    for (const LayerKind a : kLayers) {
      for (const LayerKind b : kLayers) {
        Made m = made({{"n", "900"}, {"d", "600"}, {"k", "4"}, {"r", "100"}});
        m.p.explain = Explained::crossover;
        m.p.layer = a;
        m.p.other = b;
        m.p.against = std::string(axis) == "length" ? Against::length : Against::width;
        const auto crossing = crossover_at(a, b, m.p, m.p.against);
        const std::string formula = crossover_formula(a, b, m.p, m.p.against);
        CAPTURE(formula);
        // The formula, worked out here.
        const double n = 900, d = 600, k = 4, r = 100;
        const std::pair<const char*, double> known[] = {
            {"d", d},         {"k·d", k * d},   {"k + d", k + d}, {"r", r},
            {"n", n},         {"n / k", n / k}, {"n - k", n - k}, {"k / (k - 1)", k / (k - 1)},
            {"r / k", r / k}, {"r - k", r - k}};
        bool found = formula.empty();
        CHECK(formula.empty() == !crossing.has_value());
        for (const auto& [text, value] : known) {
          if (formula != text) continue;
          found = true;
          CHECK(crossing->at == doctest::Approx(value).epsilon(1e-12));
        }
        CHECK(found);
        const lab::Page page = m.page();
        CHECK_FALSE(page.explanation.lines.empty());
        if (a != b && !crossing) CHECK(says(page, "makes these equal"));
      }
    }
  }
}

TEST_CASE("a picked crossing sets what its explanation needs") {
  Made m;
  const lab::Page page = m.page();
  int crossings = 0;
  for (const auto& mark : plot_of(page, "operations_n").marks) {
    const auto* points = std::get_if<figure::Points>(&mark);
    if (!points || points->picks.front().front().second != "crossover") continue;
    ++crossings;
    Made picked = m;
    picked.set(points->picks.front());
    CHECK(picked.p.explain == Explained::crossover);
    CHECK(says(picked.page(), fmt::format("{:.6g}", points->x.front())));
  }
  // n = d, k d, k + d and r.
  CHECK(crossings == 4);
}

TEST_CASE("terms of a pattern's pairs add up to what its mask keeps") {
  for (const Pattern pattern :
       {Pattern::local, Pattern::atrous, Pattern::local_and_atrous, Pattern::strided,
        Pattern::fixed, Pattern::streaming, Pattern::longformer}) {
    CAPTURE(static_cast<int>(pattern));
    for (Index n = 1; n <= 70; n += 3) {
      for (Index r = 1; r <= 80; r += 7) {
        Index sum = 0;
        for (const PairTerm& term : pair_sum(pattern, n, r).terms) sum += term.value;
        CHECK(sum == pattern_pairs(pattern, n, r));
        CHECK(sum == make_mask(pattern, n, r).kept());
      }
    }
  }
}

TEST_CASE("the explained pairs and products are the ones that are drawn and read out") {
  for (const char* pattern :
       {"local", "atrous", "local_and_atrous", "strided", "fixed", "streaming", "longformer"}) {
    CAPTURE(pattern);
    Made m = made({{"n", "1000"}, {"r", "37"}, {"pattern", pattern}, {"explain", "kernel"}});
    const lab::Page page = m.page();
    const auto pairs = static_cast<double>(make_mask(m.p.pattern, 1000, 37).kept());
    CHECK(readout(page, "pairs") == pairs);
    CHECK(readout(page, "density") == pairs / 1e6);
    CHECK(says(page, "= " + lab::grouped(static_cast<Index>(pairs))));
    CHECK(says(page, "= " + lab::grouped(static_cast<Index>(pairs) * 8 * 64)));
  }
}

TEST_CASE("presets are explained with their numbers") {
  CHECK(says(preset("crossover").page(), "d = 512"));
  CHECK(says(preset("book").page(), "≈ 8.39 MB"));
  CHECK(says(preset("dilated").page(), "3^7 = 2,187"));
  CHECK(says(preset("dilated").page(), "3^6 = 729"));
  CHECK(says(preset("contiguous").page(), "1 + 512·2 = 1,025"));
  CHECK(says(preset("recurrence_waits").page(), "= 4,096"));
}

TEST_CASE("every kind of layer but the recurrent one takes one step") {
  const core::LayerSize size = preset("recurrence_waits").p.size();
  for (const LayerKind kind : kLayers) {
    CHECK(core::sequential_steps(kind, size) == (kind == LayerKind::recurrent ? 4096 : 1));
  }
}

TEST_CASE("factorised: two layers connect every causal pair") {
  const core::SparseMask causal = core::pattern::causal(4096, 4096);
  core::ReachOptions options;
  options.layers = 2;
  options.target = &causal;
  CHECK(core::reach_of(make_mask(Pattern::strided, 4096, 64), options).layers_to_cover() == 2);
}

TEST_CASE("restricted attention is one thing in operations, path, memory and the local pattern") {
  for (const int n : {1, 2, 3, 16, 41}) {
    for (const int r : {1, 2, 3, 8, 16, 17, 64}) {
      CAPTURE(n);
      CAPTURE(r);
      const core::SparseMask mask = make_mask(Pattern::local, n, r);
      Index largest = 0;
      for (Index i = 0; i < n; ++i) {
        largest = std::max(largest, mask.kept(i));
        // r positions centred on the query, as far as the sequence has them.
        for (Index j = 0; j < n; ++j) {
          CHECK(mask.allowed(i, j) == (j >= i - r / 2 && j < i - r / 2 + r));
        }
      }
      const core::LayerSize size = {n, 8, 3, r};
      const double operations = core::layer_operations(LayerKind::restricted, size);
      const auto row = std::min(r, n);
      CHECK(operations == 8.0 * n * row);
      CHECK(operations <= core::layer_operations(LayerKind::self_attention, size));
      CHECK(core::layer_memory(LayerKind::restricted, size, 2) == 2.0 * n * row);
      CHECK(largest <= row);
      CHECK((largest == row || n <= r));

      core::ReachOptions options;
      options.layers = 48;
      options.keep = true;
      const core::Reach reach = core::reach_of(mask, options);
      std::optional<Index> met;
      for (std::size_t layer = 0; layer < reach.after.size() && !met; ++layer) {
        for (Index i = 0; i < n; ++i) {
          if (!reach.after[layer](i, 0) || !reach.after[layer](i, n - 1)) continue;
          met = static_cast<Index>(layer) + 1;
        }
      }
      CHECK(met == core::layers_to_meet(LayerKind::restricted, size));
    }
  }
}

TEST_CASE("dense attention is counted one way, wherever it stands") {
  Made m = made({{"n", "700"}, {"d", "96"}, {"heads", "4"}});
  const double table = core::layer_operations(LayerKind::self_attention, m.p.size());
  CHECK(kernel_operations(Kernel::dense, m.p.kernels(), 700) == table);
  m.set({{"explain", "kernel"}});
  CHECK(says(m.page(), "= " + lab::grouped(static_cast<Index>(table))));
  m.set({{"explain", "operations"}});
  CHECK(says(m.page(), "= " + lab::grouped(static_cast<Index>(table))));
  // A window that holds all positions is dense.
  m.set({{"r", "1500"}});
  CHECK(kernel_operations(Kernel::sparse, m.p.kernels(), 700) == table);
  CHECK(core::layer_operations(LayerKind::restricted, m.p.size()) == table);
}

TEST_CASE("a window of one sees nothing but itself") {
  Made m = made({{"r", "1"}, {"layer", "restricted"}, {"explain", "path"}});
  CHECK(readout(m.page(), "path") == -1);
  CHECK(readout(m.page(), "pairs") == 1024);
  CHECK(says(m.page(), "never meet"));
  m.set({{"n", "1"}});
  CHECK(readout(m.page(), "path") == 1);
}

TEST_CASE("what so many layers see holds all positions, and with one layer fewer it does not") {
  for (const char* layer : {"convolution", "separable", "restricted"}) {
    for (const char* dilation : {"contiguous", "dilated"}) {
      for (const char* n : {"2", "3", "27", "28", "729", "1000", "4096"}) {
        Made m = made(
            {{"n", n}, {"r", "10"}, {"layer", layer}, {"dilation", dilation}, {"explain", "path"}});
        const lab::Page page = m.page();
        const auto layers = static_cast<Index>(readout(page, "path"));
        const bool window = std::string(layer) == "restricted";
        const Dilation how = window ? Dilation::contiguous : m.p.dilation;
        const Index size = window ? m.p.r : m.p.k;
        CHECK(core::convolution_field(size, layers, how) >= m.p.n);
        CHECK((layers == 1 || core::convolution_field(size, layers - 1, how) < m.p.n));
        CHECK(says(page, "= " + lab::grouped(core::convolution_field(size, layers, how))));
      }
    }
  }
}

TEST_CASE("nothing is measured until it is asked for, and then once for each number") {
  Made m = made({{"longest", "512"}});
  CHECK_FALSE(has_figure(m.page(), "times"));
  CHECK(m.memo.runs("measured") == 0);
  m.set({{"measurement", "1"}});
  const lab::Page page = m.page();
  CHECK(has_figure(page, "times"));
  CHECK(has_figure(page, "rates"));
  CHECK(m.memo.runs("measured") == 1);
  // Looking elsewhere does not time anew; another number does.
  m.set({{"n", "256"}, {"layer", "recurrent"}, {"explain", "time"}});
  const double before = readout(m.page(), "time_dense");
  CHECK(m.memo.runs("measured") == 1);
  CHECK(readout(m.page(), "time_dense") == before);
  m.set({{"measurement", "2"}});
  m.page();
  CHECK(m.memo.runs("measured") == 2);
}

TEST_CASE("measured times are whole, ordered, and explained by themselves") {
  Made m = made({{"longest", "1024"}, {"n", "1024"}, {"explain", "time"}, {"measurement", "1"}});
  std::vector<Index> seen;
  bool whole = false;
  const Measured measured = measure(m.p.kernels(), {{}, 2}, [&](const Measured& partial) {
    seen.push_back(partial.of(Kernel::dense).timings.back().n);
    whole = partial.whole;
  });
  CHECK(seen == std::vector<Index>{128, 256, 512, 1024});
  CHECK(whole);
  for (const Kernel kernel : kKernels) {
    const Series& series = measured.of(kernel);
    REQUIRE(series.timings.size() == 4);
    for (const Timing& timing : series.timings) {
      CHECK(timing.seconds > 0);
      CHECK(timing.seconds <= timing.median);
      CHECK(timing.median <= timing.slowest);
      CHECK(timing.samples >= 3);
    }
    REQUIRE(series.fit);
    CHECK(series.fit->count == 4);
  }
  // 64 times the pairs against 8.6 times: the dense kernel must grow faster, on any machine.
  CHECK(measured.of(Kernel::dense).fit->exponent > measured.of(Kernel::sparse).fit->exponent);
  CHECK(measured.left_out == 0);

  const lab::Page page = m.page();
  CHECK(says(page, "≈ " + lab::time_text(readout(page, "time_sparse"))));
  CHECK(says(page, fmt::format("≈ {:.3f}", readout(page, "exponent_dense"))));
}

TEST_CASE("a measurement publishes unfinished pages, and stops when nobody waits") {
  Made m = made({{"longest", "512"}, {"measurement", "1"}});
  lab::Context context = m.context();
  std::vector<std::size_t> rows;
  context.publish = [&](const lab::Page& page) {
    const auto& marks = plot_of(page, "rates").marks;
    rows.push_back(std::get<figure::Table>(marks.front()).rows.size());
    CHECK(page.notes.front() == "Measuring ...");
  };
  compute(m.p, context);
  CHECK(rows == std::vector<std::size_t>{1, 2});
  std::stop_source source;
  source.request_stop();
  CHECK_THROWS_AS(
      measure(m.p.kernels(), {core::Cancel(source.get_token()), 1}, [](const Measured&) {}),
      core::Cancelled);
}

TEST_CASE("what would take too long is left out and counted") {
  Made m = made({{"longest", "512"}, {"r", "4"}});
  const double macs = kernel_cost(Kernel::causal, m.p.kernels(), 256).macs;
  const Measured measured = measure(m.p.kernels(), {{}, 2}, [](const Measured&) {}, {.macs = macs});
  CHECK(measured.of(Kernel::dense).at(128) != nullptr);
  CHECK(measured.of(Kernel::dense).at(256) == nullptr);
  CHECK(measured.of(Kernel::causal).at(256) != nullptr);
  CHECK(measured.of(Kernel::causal).at(512) == nullptr);
  CHECK(measured.of(Kernel::sparse).at(512) != nullptr);
  CHECK(measured.left_out == 3);
  const Measured small =
      measure(m.p.kernels(), {{}, 2}, [](const Measured&) {}, {.numbers = 128.0 * 512});
  CHECK(small.of(Kernel::sparse).timings.size() == 1);
  CHECK(small.left_out == 6);
  CHECK(small.whole);
  // Any call is slower than nothing: only the shortest length is tried, once.
  const Measured impatient =
      measure(m.p.kernels(), {{}, 2}, [](const Measured&) {}, {.seconds = 0});
  for (const Kernel kernel : kKernels) {
    REQUIRE(impatient.of(kernel).timings.size() == 1);
    CHECK(impatient.of(kernel).timings.front().samples == 1);
  }
  CHECK(impatient.left_out == 6);
}

TEST_CASE("the chosen figure comes first, and none is lost") {
  const std::pair<const char*, const char*> leads[] = {{"table", "table"},
                                                       {"crossings", "operations"},
                                                       {"kernels", "kernels"},
                                                       {"memory", "memory"},
                                                       {"paths", "paths"}};
  for (const char* measurement : {"0", "1"}) {
    for (const auto& [lead, first] : leads) {
      Made m = made({{"lead", lead}, {"longest", "512"}, {"measurement", measurement}});
      const lab::Page page = m.page();
      CHECK(page.figures.front().id == first);
      CHECK(page.figures.size() == (m.p.measurement == 0 ? 5 : 7));
      // Half-width figures come in pairs.
      int half = 0;
      for (const auto& figure : page.figures) {
        if (figure.span == 12) CHECK(half % 2 == 0);
        half += figure.span == 6;
      }
      CHECK(half % 2 == 0);
    }
  }
}

TEST_CASE("sizes of one") {
  Made m = made({{"n", "1"}, {"d", "8"}, {"k", "2"}, {"r", "1"}});
  for (const char* explained : {"operations", "steps", "path", "memory", "crossover", "kernel"}) {
    for (const LayerKind kind : kLayers) {
      m.set({{"explain", explained}, {"layer", std::string(facts(kind).id)}});
      CHECK_FALSE(m.page().explanation.lines.empty());
    }
  }
  CHECK_THROWS_AS(m.set({{"n", "0"}}), core::InputError);
  CHECK_THROWS_AS(m.set({{"d", "9"}}), core::InputError);
}

}  // namespace cost_test
