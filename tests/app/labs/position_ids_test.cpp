#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "app/labs/position_ids/page.h"
#include "trying.h"

namespace position_ids_test {

using namespace lab::position_ids;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index;

namespace {

using Made = Trial<Parameters>;
Parameters preset(std::string_view id) {
  return lab::trying::preset<Parameters>("position_ids", id).p;
}

}  // namespace

TEST_CASE("At 8192 in bfloat16: the counts of every definition") {
  Made made;
  const Parameters p;
  const Model model = made.model(p);
  const IdFacts& facts = *model.facts;
  // 256 + 5 * 128 = 896; 8192 becomes a value of its own with the ids just below it.
  CHECK(counted(facts, Definition::exact).value == 896);
  CHECK(lab::percent(counted(facts, Definition::exact).share, 2) == "10.94 %");
  CHECK(counted(facts, Definition::distinct).value == 897);
  // 256, and of [256, 512) every other number takes no tie: 64 more.
  CHECK(counted(facts, Definition::alone).value == 320);
  CHECK(counted(facts, Definition::alone_exact).value == 320);
  CHECK(counted(facts, Definition::colliding).value == 8192 - 320);
  CHECK(counted(facts, Definition::equal_neighbors).value == 8192 - 897);
  // The first run is 0 to 256: 257 ids.
  CHECK(counted(facts, Definition::beyond).value == 639);
  CHECK(counted(facts, Definition::beyond).share == doctest::Approx(639.0 / 7935));
  CHECK(counted(facts, Definition::largest).value == 33);
}

TEST_CASE("Exact beyond the first run, counted id by id, in any format and length") {
  for (const auto& listed : lab::listed_formats()) {
    for (const Index n : {16, 17, 258, 300, 5000}) {
      const core::RoundedIds ids(listed.format);
      const auto exact = [&](Index id) { return ids(id) == static_cast<double>(id); };
      Index run = 0, beyond = 0;
      while (run < n && exact(run)) ++run;
      for (Index id = run; id < n; ++id) beyond += exact(id);
      const Counted count = counted(core::id_facts(n, listed.format), Definition::beyond);
      CAPTURE(listed.name);
      CAPTURE(n);
      CHECK(count.value == static_cast<double>(beyond));
      if (run < n) {
        CHECK(count.share == static_cast<double>(beyond) / static_cast<double>(n - run));
      }
    }
  }
  Made made;
  Parameters p;
  p.length = 258, p.start = 200, p.id = 10, p.other = 5;
  p.definition = Definition::beyond, p.explained = Explained::definition;
  CHECK(says(made.page(p), "= 257 - 257"));
  CHECK(says(made.page(p), "= 0 / (258 - 257)"));
}

TEST_CASE("Presets: bfloat16 and float16") {
  Made made;
  {
    const Model m = made.model(preset("first_look"));
    for (const Index id : {531, 532, 533}) CHECK(m.rounded(id) == 532);
    CHECK(m.sharers.count == 3);
    CHECK(m.rounded(301) == 300);
  }
  {
    const Model m = made.model(preset("first_collision"));
    CHECK(*m.facts->first_collision == 257);
    CHECK(m.rounded(257) == 256);
    CHECK(m.rounded(259) == 260);
    CHECK(m.rounded.sharers(258, 512).count == 1);
    CHECK(m.rounded.sharers(260, 512).count == 3);
  }
  {
    const Model m = made.model(preset("llama_4k"));
    CHECK(m.facts->exact == 2048 + 1024);
    const auto bf16 = core::id_facts(4096, core::kBFloat16);
    CHECK(4096.0 / static_cast<double>(bf16.exact) == doctest::Approx(5.3).epsilon(0.01));
  }
  {
    const Model m = made.model(preset("llama_32k"));
    CHECK(m.facts->exact == 1152);
    CHECK(m.facts->largest_group == 129);
  }
  {
    const Parameters p = preset("llama_128k");
    const Model m = made.model(p);
    CHECK(m.facts->distinct == 1409);
    CHECK(1000 * m.facts->share(m.facts->distinct) == doctest::Approx(11).epsilon(0.05));
    CHECK(m.rounded.rank(m.rounded(p.end() - 1)) - m.rounded.rank(m.rounded(p.start)) < 10);
  }
  {
    const Model m = made.model(preset("float16_ends"));
    CHECK(m.rounded(65519) == 65504);
    CHECK(std::isinf(m.rounded(65520)));
    CHECK(m.facts->not_finite == 131072 - 65520);
    CHECK(std::isnan(m.matrices->seen->value(100, 90)));  // two infinite ids
    CHECK(std::isinf(m.matrices->seen->value(100, 10)));
  }
  {
    const Model m = made.model(preset("million"));
    CHECK(m.facts->distinct == 1793);
    CHECK(core::spacing(core::kBFloat16, 1 << 19) == 4096);
  }
}

TEST_CASE("Presets: eight bits, truncation, saturation, chance, a format of one's own") {
  Made made;
  {
    const Model m = made.model(preset("eight_bits"));
    CHECK(*m.facts->first_inexact == 17);
    CHECK(m.rounded(464) == 448);
    CHECK(std::isnan(m.rounded(465)));
  }
  {
    const Model m = made.model(preset("wider_range"));
    CHECK(*m.facts->first_inexact == 9);
    CHECK(core::max_finite(core::kFp8E5m2) == 57344);
  }
  {
    const Model m = made.model(preset("truncated"));
    for (Index id = 512; id < 560; ++id) {
      CHECK(m.rounded.sharers(id, 8192).count == 4);
      CHECK(m.rounded(id) <= static_cast<double>(id));
    }
  }
  {
    const Parameters p = preset("stochastic");
    const Model m = made.model(p);
    bool swapped = false;
    for (Index id = p.start + 1; id < p.end(); ++id) swapped |= m.rounded(id) < m.rounded(id - 1);
    CHECK(swapped);
  }
  {
    const Model m = made.model(preset("saturating"));
    for (Index id = 449; id < 999; ++id) CHECK(m.rounded(id) == 448);
  }
  {
    Parameters p = preset("flushed");
    for (Index id = 0; id < 8; ++id) CHECK(made.model(p).rounded(id) == 0);
    CHECK(made.model(p).rounded(8) == 8);
    p.format.subnormals = true;
    for (Index id = 0; id < 9; ++id) CHECK(made.model(p).rounded(id) == static_cast<double>(id));
  }
  {
    const Model m = made.model(preset("own_format"));
    CHECK(m.rounded(240) == 240);
    CHECK(m.rounded(247) == 240);
    CHECK(std::isinf(m.rounded(248)));
  }
}

TEST_CASE("The matrix sees the differences of rounded ids, pooled with their true extremes") {
  Made made;
  for (const bool causal : {true, false}) {
    for (const bool chance : {true, false}) {
      Parameters p;
      p.start = 500, p.width = 150, p.causal = causal;
      if (chance) p.rounding.rounding = core::Rounding::stochastic;
      const Model m = made.model(p);
      CHECK(m.matrices->seen->value(33, 21) == static_cast<float>(m.rounded(521) - m.rounded(533)));
      const Index n = m.matrices->seen->rows(), level = 3, size = Index{1} << level;
      const Index blocks = (n + size - 1) / size;
      for (const auto& source : {m.matrices->seen, m.matrices->error}) {
        for (const core::Pool pool : {core::Pool::max, core::Pool::mean}) {
          std::vector<float> cells(static_cast<std::size_t>(blocks * blocks));
          source->pooled(level, {0, 0, blocks, blocks}, pool, cells.data(), {});
          for (Index r = 0; r < blocks; ++r) {
            for (Index c = 0; c < blocks; ++c) {
              double largest = 0, sum = 0, count = 0;
              for (Index i = r * size; i < std::min(n, (r + 1) * size); ++i) {
                for (Index j = c * size; j < std::min(n, (c + 1) * size); ++j) {
                  const float value = source->value(i, j);
                  if (core::is_masked(value)) continue;
                  const auto x = static_cast<double>(value);
                  largest = std::max(largest, std::abs(x));
                  sum += x;
                  ++count;
                }
              }
              const float cell = cells[static_cast<std::size_t>(r * blocks + c)];
              CHECK(core::is_masked(cell) == (count == 0));
              if (count == 0) continue;
              const double want = pool == core::Pool::max ? largest : sum / count;
              const double got = static_cast<double>(cell);
              CHECK((pool == core::Pool::max ? std::abs(got) : got) ==
                    doctest::Approx(want).epsilon(1e-5));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("Neighbouring groups have other colours, ids of one group the same") {
  for (const auto& listed : lab::listed_formats()) {
    const core::RoundedIds ids(listed.format);
    for (Index id = 1; id < 3000; ++id) {
      const double a = ids(id - 1), b = ids(id);
      if (!std::isfinite(b)) {
        CHECK(core::is_masked(group_color(ids, id)));
      } else {
        CHECK((a == b) == (group_color(ids, id - 1) == group_color(ids, id)));
      }
    }
  }
}

TEST_CASE("Explanations end in the numbers of the page") {
  Made made;
  Parameters p;
  const lab::Page page = made.page(p);
  CHECK(says(page, "532"));
  CHECK(says(page, "2^(9 - 7)"));
  CHECK(says(page, "Ids 531 to 533 share it"));
  CHECK(readout(page, "group") == 3);
  p.explained = Explained::definition;
  CHECK(says(made.page(p), "256 + 128 + 128 + 128 + 128 + 128"));
  CHECK(says(made.page(p), "10.94 %"));
  p.definition = Definition::alone;
  CHECK(says(made.page(p), "256 + 64"));
  p.explained = Explained::distance;
  // Key minus query: r(521) - r(533) = 520 - 532.
  CHECK(says(made.page(p), "520 - 532"));
  CHECK(says(made.page(p), "= -12"));
  p.id = 532, p.other = 531;
  CHECK(says(made.page(p), "distance 0"));
}

TEST_CASE("Picks set the id, the pair, the length and the count") {
  Made made;
  const lab::Page page = made.page({});
  CHECK(plot_of(page, "stairs").x_param == "id");
  CHECK(plot_of(page, "seen").y_param == "id");
  CHECK(plot_of(page, "seen").x_param == "other");
  CHECK(plot_of(page, "distinct").x_param == "length");
  CHECK(plot_of(page, "distinct").click ==
        figure::Assignments{{"definition", "distinct"}, {"explain", "definition"}});
  const auto& table = std::get<figure::Table>(plot_of(page, "definitions").marks.front());
  CHECK(table.picks[2] == figure::Assignments{{"definition", "alone"}, {"explain", "definition"}});
  CHECK(table.marked == 0);
}

TEST_CASE("The smallest and the largest context are sound") {
  Made made;
  Parameters p;
  p.length = kShortest, p.start = 15, p.id = 0, p.other = 15;
  CHECK(readout(made.page(p), "exact") == 16);
  for (const auto rounding : {core::Rounding::nearest_even, core::Rounding::stochastic}) {
    p.length = p.width = kLongest, p.start = 1, p.id = kLongest - 1;
    p.rounding.rounding = rounding;
    CHECK(readout(made.page(p), "exact") == 1792);
    p.id -= 5;
    CHECK(readout(made.page(p), "exact") == 1792);
  }
}

TEST_CASE("What did not change is not computed again") {
  Made made;
  Parameters p;
  (void)made.page(p);
  p.id = 540, p.other = 3, p.vertical = Vertical::error;
  (void)made.page(p);
  CHECK(made.memo.runs("curves") == 1);
  CHECK(made.memo.runs("facts") == 1);
  CHECK(made.memo.runs("window") == 1);
  p.length = 4096;
  (void)made.page(p);
  CHECK(made.memo.runs("curves") == 1);
  CHECK(made.memo.runs("facts") == 2);
}

}  // namespace position_ids_test
