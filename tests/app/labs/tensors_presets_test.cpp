// One's own tensors: every claim of the presets.
#include <doctest/doctest.h>

#include <cmath>

#include "tensors_rig.h"

namespace tensors_presets_test {

using namespace tensors_rig;

namespace {

double total(const std::vector<float>& row) {
  double sum = 0;
  for (const float weight : row) sum += core::is_masked(weight) ? 0 : static_cast<double>(weight);
  return sum;
}

}  // namespace

TEST_CASE("preset: weights from q and k are the file's own, and without the mask they are not") {
  const Model given = made({{"view", "head"}}).model();
  for (const auto& [id, same] : {std::pair{"vectors", true}, {"no_mask", false}}) {
    Made m = preset(id);
    for (int layer = 0; layer < 2; ++layer) {
      for (int head = 0; head < 4; ++head) {
        const auto stored = given.given->head({layer, 0, head});
        const auto computed = m.model().given->head({layer, 0, head});
        for (Index i = 0; i < given.n(); ++i) {
          const auto a = stored->row(i), b = computed->row(i);
          float largest = 0;
          for (std::size_t j = 0; j < a.size(); ++j) {
            largest = std::max(largest, std::abs(a[j] - (core::is_masked(b[j]) ? 0 : b[j])));
          }
          CAPTURE(layer);
          CAPTURE(head);
          CAPTURE(i);
          const bool last = i == given.n() - 1;
          CHECK((largest < 5e-6F) == (same || last));
        }
      }
    }
  }
}

TEST_CASE("preset: every head at once is two layers of four") {
  const Model model = preset("model").model();
  CHECK(model.given->layers == 2);
  CHECK(model.given->heads == 4);
  CHECK(model.sheet->maps.size() == 8);
  CHECK(model.checked->faults.sound());
}

TEST_CASE("preset: the second layer's head looks behind the last time the letter stood there") {
  const Model model = preset("far_back").model();
  const auto& tokens = model.tokens->keys;
  REQUIRE(model.n() == 48);
  for (std::size_t k = 16; k < tokens.size(); ++k) CHECK(tokens[k] == tokens[k - 16]);
  CHECK(model.statistics->heads[1].distance == doctest::Approx(14.6).epsilon(0.003));
  const auto head = model.given->head({1, 0, 0});
  int behind = 0;
  for (Index i = 16; i < 48; ++i) {
    const auto row = head->row(i);
    const auto at = std::max_element(row.begin(), row.end()) - row.begin();
    behind +=
        at > 0 && tokens[static_cast<std::size_t>(at - 1)] == tokens[static_cast<std::size_t>(i)];
  }
  CHECK(behind > 24);
}

TEST_CASE("preset: sampled statistics look at every eighth query and say so") {
  Made m = preset("sampled");
  CHECK(m.model().statistics->rows == 12);
  CHECK(m.model().n() == 96);
  CHECK(m.model().statistics->faults.rows == 12 * 8);
  CHECK(notes(m.page(), "Sampled: of each head, 12 of 96 queries"));
}

TEST_CASE("preset: no head looks like the mean") {
  const Model mean = preset("mean").model();
  for (int head = 0; head < 4; ++head) {
    const auto own = mean.given->head({1, 0, head});
    double off = 0;
    for (Index i = 0; i < mean.n(); ++i) {
      const auto a = mean.shown->rows->row(i), b = own->row(i);
      for (std::size_t j = 0; j < a.size(); ++j) off = std::max(off, std::abs(double(a[j] - b[j])));
    }
    CHECK(off > 0.2);
  }
  CHECK(total(mean.row) == doctest::Approx(1).epsilon(1e-5));
}

TEST_CASE("preset: a difference has both signs and rows that add up to nothing") {
  const Model model = preset("difference").model();
  float lo = 0, hi = 0;
  for (Index i = 0; i < model.n(); ++i) {
    const auto row = model.shown->rows->row(i);
    CHECK(std::abs(total(row)) < 1e-5);
    for (const float cell : row) lo = std::min(lo, cell), hi = std::max(hi, cell);
  }
  CHECK(lo < -0.1F);
  CHECK(hi > 0.1F);
}

TEST_CASE("preset: hidden tokens go, and what is left adds up to one") {
  const Model model = preset("hidden").model();
  const auto hidden = core::heads::among(model.tokens->keys, model.look.hidden);
  CHECK(std::count(hidden.begin(), hidden.end(), true) == 1);
  CHECK(model.checked->first == doctest::Approx(0.356).epsilon(0.003));
  for (Index i = 1; i < model.n(); ++i) {
    const auto row = model.shown->rows->row(i);
    if (std::all_of(row.begin(), row.end(), core::is_masked)) continue;
    CHECK(total(row) == doctest::Approx(1).epsilon(1e-5));
    for (std::size_t j = 0; j < row.size(); ++j) CHECK((!hidden[j] || core::is_masked(row[j])));
  }
}

TEST_CASE("preset: only queries of the result and keys of the sum") {
  const Model model = preset("sentences").model();
  const auto& tokens = model.tokens->keys;
  const auto sign =
      static_cast<Index>(std::find(tokens.begin(), tokens.end(), "=") - tokens.begin());
  REQUIRE(sign < model.m());
  for (Index i = 0; i < model.n(); ++i) {
    const auto row = model.shown->rows->row(i);
    for (Index j = 0; j < model.m(); ++j) {
      if (i <= sign || j > sign) CHECK(core::is_masked(row[static_cast<std::size_t>(j)]));
    }
    if (i > sign) CHECK(total(row) == doctest::Approx(1).epsilon(1e-5));
  }
}

TEST_CASE("preset: nine tenths of the weight by the fewest keys") {
  const Model model = preset("share").model();
  for (Index i = 0; i < model.n(); ++i) {
    const auto whole = model.shown->whole->row(i), row = model.shown->rows->row(i);
    float smallest = 1;
    for (const float weight : row) {
      if (!core::is_masked(weight)) smallest = std::min(smallest, weight);
    }
    CHECK(total(row) >= 0.9 * total(whole) - 1e-6);
    CHECK(total(row) - static_cast<double>(smallest) < 0.9 * total(whole));
  }
}

TEST_CASE("preset: weights that were saved in training have dropout on them") {
  Made m = preset("dropout");
  const lab::Page page = m.page();
  CHECK(readout(page, "rows_not_one") > 0.5 * readout(page, "rows"));
  CHECK(readout(page, "rows_nan") == 0);
  const Model sound = made({{"sample", "training"}}).model(), model = m.model();
  Index kept = 0, dropped = 0;
  for (Index layer = 0; layer < model.given->layers; ++layer) {
    for (Index i = 0; i < model.n(); ++i) {
      const auto row = model.given->head({layer, 1, 0})->row(i),
                 before = sound.given->head({layer, 0, 0})->row(i);
      for (std::size_t j = 0; j < row.size(); ++j) {
        if (before[j] == 0) continue;
        ++(row[j] == 0 ? dropped : kept);
        if (row[j] != 0) CHECK(row[j] == doctest::Approx(before[j] / 0.9F));
      }
    }
  }
  const double share = double(dropped) / double(dropped + kept);
  CHECK(share > 0.07);
  CHECK(share < 0.13);
}

}  // namespace tensors_presets_test
