// A step of training taken apart: its stages mirror each other, and end where the step itself does.
#include <doctest/doctest.h>

#include <cmath>

#include "core/task/sequence/slow_step.h"

namespace slow_step_test {

using namespace core::task;
using core::Index;

namespace {

PairFit fit_of(TranslatorForm::Kind kind) {
  TranslatorForm form;
  form.kind = kind;
  form.transformer.layer = {.d_model = 8, .feed_forward = {.width = 12}};
  form.recurrent.encoder_hidden = form.recurrent.decoder.hidden = 8;
  return PairFit({.kind = Kind::copy, .letters = 5, .shortest = 3, .longest = 3}, form,
                 {.schedule = {.rate = 0.02, .warmup = 4}, .batch = 8});
}

}  // namespace

TEST_CASE("the stages of a step come to what the step comes to") {
  for (const auto kind : {TranslatorForm::Kind::transformer, TranslatorForm::Kind::recurrent}) {
    const PairFit fit = fit_of(kind);
    PairFit::State state = fit.begin(1);
    for (int k = 0; k < 3; ++k) fit.step(state, 1);
    const SlowStep slow = slow_step(fit, state);
    PairFit::State after = state;
    fit.step(after, 1);
    CHECK(slow.loss == doctest::Approx(after.loss).epsilon(1e-5));
    CHECK(slow.gradient_norm == doctest::Approx(after.gradient_norm).epsilon(1e-4));
    CHECK(slow.rate == after.rate);
    CHECK(slow.clipped_to <= 1 + 1e-9);
    CHECK(slow.batch == fit.pairs_of(3));

    // The update of each parameter is what the step really added.
    Index k = 0;
    for (const auto& p : fit.model()->translator.layout().parameters()) {
      double sum = 0;
      for (Index i = p.slot.offset; i < p.slot.offset + p.slot.size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        sum += std::pow(static_cast<double>(after.values[at] - state.values[at]), 2);
      }
      CAPTURE(p.name);
      // Adam divides by the gradient's size: a gradient near 0 is mostly rounding.
      if (slow.norms(slow.norms.rows() - 2, k) > 1e-4) {
        CHECK(slow.norms.bottomRows(1)(0, k) == doctest::Approx(std::sqrt(sum)).epsilon(1e-2));
      }
      ++k;
    }
  }
}

TEST_CASE(
    "backward walks the parts of forward in the opposite order, and gradients only arise there") {
  for (const auto kind : {TranslatorForm::Kind::transformer, TranslatorForm::Kind::recurrent}) {
    const PairFit fit = fit_of(kind);
    const SlowStep slow = slow_step(fit, fit.begin(1));
    using Stage = SlowStage::Kind;
    CHECK(slow.stages.front().kind == Stage::batch);
    CHECK(slow.stages.back().kind == Stage::update);
    std::vector<const SlowStage*> forward, backward;
    for (std::size_t k = 0; k < slow.stages.size(); ++k) {
      const SlowStage& stage = slow.stages[k];
      if (stage.kind == Stage::forward) forward.push_back(&stage);
      if (stage.kind == Stage::backward) backward.insert(backward.begin(), &stage);
      if (stage.kind == Stage::forward || stage.kind == Stage::loss) {
        CHECK(slow.norms.row(static_cast<Index>(k)).isZero(0));
      }
    }
    REQUIRE(forward.size() == backward.size());
    REQUIRE(forward.size() > 4);
    for (std::size_t k = 0; k < forward.size(); ++k) {
      CHECK(forward[k]->part == backward[k]->part);
      CHECK(forward[k]->token == backward[k]->token);
      CHECK(forward[k]->operations == backward[k]->operations);
    }
    if (kind == TranslatorForm::Kind::recurrent) {
      // Three letters and the end.
      CHECK(std::count_if(forward.begin(), forward.end(),
                          [](const SlowStage* s) { return s->token >= 0; }) == 4);
    }
  }
}

}  // namespace slow_step_test
