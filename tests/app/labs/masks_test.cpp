#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "masks_rig.h"

namespace masks_test {

using namespace masks_rig;  // NOLINT: the box under test

TEST_CASE("What an item says of a pair is what its mask has, for every pattern and pair") {
  const words::Words english;
  const param::CellSet painted = param::read_cells("0:3-7;4-9:0-2,11", kLongest, kLongest);
  for (const int n : {1, 7, 30}) {
    Made made;
    const Parameters p = with({{"input", "random"}, {"length", std::to_string(n)}});
    const auto content = make_content(p, made.context());
    PatternInputs inputs = pattern_inputs(p, *content);
    inputs.painted = &painted;
    for (const param::StackItem& item : many_items()) {
      CAPTURE(param::serialize_item(item, *catalogue()));
      CAPTURE(n);
      const SparseMask mask = pattern_mask(item, inputs);
      REQUIRE(mask.is_sound());
      REQUIRE(mask.rows() == n);
      REQUIRE(mask.cols() == n);
      Index wrong = 0;
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
          const Reason why = reason(item, i, j, inputs, mask, english);
          wrong += why.kept != mask.allowed(i, j) || why.because.empty();
        }
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("Where a formula counts an item's pairs, the mask has as many") {
  Made made;
  for (const int n : {1, 2, 12, 30, 37, 144}) {
    const Parameters p = with({{"input", "random"}, {"length", std::to_string(n)}});
    const auto content = make_content(p, made.context());
    const PatternInputs inputs = pattern_inputs(p, *content);
    for (const param::StackItem& item : many_items()) {
      const auto form = closed_form(item, n);
      if (!form) continue;
      CAPTURE(param::serialize_item(item, *catalogue()));
      CAPTURE(n);
      CHECK(pattern_mask(item, inputs).kept() == form->pairs);
    }
  }
}

TEST_CASE("A stack joins its items from the top") {
  Made made;
  const auto near = [](Index i, Index j) { return std::abs(i - j) <= 2; };
  const auto comb = [](Index i, Index j) { return std::abs(i - j) % 5 == 0; };
  const auto patch = [](Index i, Index j) { return i >= 8 && i <= 20 && j >= 4 && j <= 10; };
  const Index n = 42;
  CHECK(kept(made, "local window=2; or atrous step=5") ==
        static_cast<double>(count(n, [&](Index i, Index j) { return near(i, j) || comb(i, j); })));
  CHECK(kept(made, "local window=2; or atrous step=5; minus painted; and causal",
             {{"painted", "8-20:4-10"}}) == static_cast<double>(count(n, [&](Index i, Index j) {
          return (near(i, j) || comb(i, j)) && !patch(i, j) && j <= i;
        })));
  // The order matters: what is taken away first can come back.
  CHECK(kept(made, "full; minus painted; or causal", {{"painted", "8-20:4-10"}}) ==
        static_cast<double>(count(n, [&](Index i, Index j) { return !patch(i, j) || j <= i; })));
  CHECK(kept(made, "full; or causal; minus painted", {{"painted", "8-20:4-10"}}) ==
        static_cast<double>(count(n, [&](Index i, Index j) { return !patch(i, j); })));
  CHECK(kept(made, "painted", {{"painted", "100-200:0-9;3:4"}}) == 1);  // the rest lies outside
}

TEST_CASE("Weights are softmax over the kept keys, the error is against dense attention") {
  Made made;
  const Parameters p =
      with({{"stack", "local window=3; and causal"}, {"temperature", "0.7"}, {"query", "20"}});
  const Model m = made.model(p);
  const core::MatrixD Q = m.content->Q.cast<double>(), K = m.content->K.cast<double>(),
                      V = m.content->V.cast<double>();
  const double scale = 1 / (std::sqrt(32.0) * 0.7);
  const auto attend = [&](const Allows& rule) {
    core::MatrixD weights = core::MatrixD::Zero(42, 42);
    for (Index i = 0; i < 42; ++i) {
      double sum = 0;
      for (Index j = 0; j < 42; ++j) {
        if (rule(i, j)) sum += weights(i, j) = std::exp(scale * Q.row(i).dot(K.row(j)));
      }
      weights.row(i) /= sum;
    }
    return weights;
  };
  const auto causal = [](Index i, Index j) { return j <= i; };
  const core::MatrixD sparse = attend([&](Index i, Index j) { return j <= i && i - j <= 3; });
  const core::MatrixD dense = attend(causal);
  for (Index i = 0; i < 42; ++i) {
    for (Index j = 0; j < 42; ++j) {
      const float cell = m.weight_cells->value(i, j);
      if (j > i || i - j > 3) {
        CHECK(core::is_masked(cell));
      } else {
        CHECK(static_cast<double>(cell) == doctest::Approx(sparse(i, j)).epsilon(1e-5));
      }
    }
  }
  const lab::Page page = made.page(p);
  const double error = (sparse * V - dense * V).norm() / (dense * V).norm();
  CHECK(readout(page, "error") == doctest::Approx(error).epsilon(1e-4));
  double share = 0;
  for (Index i = 0; i < 42; ++i) {
    for (Index j = 0; j < 42; ++j) share += sparse(i, j) > 0 ? dense(i, j) / 42 : 0;
  }
  CHECK(readout(page, "kept_weight") == doctest::Approx(share).epsilon(1e-4));
  CHECK(readout(page, "macs") == readout(page, "kept") * 64);
  CHECK(readout(page, "weight_bytes") == readout(page, "kept") * 4);
  // A mask that keeps everything changes nothing.
  CHECK(readout(made.page(with({{"stack", "full"}})), "error") < 1e-6);
  CHECK(readout(made.page(with({{"stack", "full"}})), "kept_weight") == doctest::Approx(1));
}

TEST_CASE("Zoomed out, cells pool the kept pairs below them") {
  Made made;
  for (const char* stack : {"sparse k=5", "fixed l=8 c=2", "bigbird window=1 global=1 random=2"}) {
    CAPTURE(stack);
    const Parameters p = with({{"input", "random"}, {"length", "150"}, {"stack", stack}});
    const Model m = made.model(p);
    for (const auto& source : {m.mask_cells, m.weight_cells}) {
      const bool is_mask = source == m.mask_cells;
      for (const figure::Pool pool : {figure::Pool::max, figure::Pool::mean}) {
        const figure::Region region{1, 2, 9, 8};  // 16 x 16 cells each; cut at the end
        std::vector<float> out(72);
        source->pooled(4, region, pool, out.data(), {});
        for (Index r = 0; r < region.rows; ++r) {
          for (Index c = 0; c < region.cols; ++c) {
            double sum = 0, largest = 0, there = 0, all = 0;
            for (Index i = 16 * (1 + r); i < std::min<Index>(150, 16 * (2 + r)); ++i) {
              for (Index j = 16 * (2 + c); j < std::min<Index>(150, 16 * (3 + c)); ++j) {
                ++all;
                const float v = source->value(i, j);
                if (core::is_masked(v)) continue;
                ++there;
                sum += static_cast<double>(v);
                largest = std::max(largest, static_cast<double>(v));
              }
            }
            const float cell = out[static_cast<std::size_t>(r * region.cols + c)];
            if (there == 0) {
              CHECK(core::is_masked(cell));
            } else {
              const double mean = sum / (is_mask ? all : there);
              CHECK(static_cast<double>(cell) ==
                    doctest::Approx(pool == figure::Pool::max ? largest : mean).epsilon(1e-5));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("How many see, how many are seen is what the mask's rows and columns hold") {
  Made made;
  const Model m =
      made.model(with({{"stack", "fixed l=8 c=2; minus painted"}, {"painted", "12-14:0-40"}}));
  Index empty = 0, unseen = 0;
  for (Index a = 0; a < 42; ++a) {
    Index row = 0, column = 0;
    for (Index b = 0; b < 42; ++b) row += m.mask->allowed(a, b), column += m.mask->allowed(b, a);
    CHECK(m.seen->keys_of[static_cast<std::size_t>(a)] == row);
    CHECK(m.seen->queries_of[static_cast<std::size_t>(a)] == column);
    empty += row == 0;
    unseen += column == 0;
  }
  CHECK(m.seen->empty_rows == empty);
  CHECK(m.seen->unseen_keys == unseen);
  CHECK(empty == 3);
}

TEST_CASE("Reach is what boolean products of the layers' masks say, and paths walk along pairs") {
  for (const bool turns : {false, true}) {
    for (const bool residual : {false, true}) {
      Made made;
      const Parameters p = with({{"stack", "streaming sinks=1 window=3; or atrous step=7"},
                                 {"alternate", turns ? "true" : "false"},
                                 {"residual", residual ? "true" : "false"},
                                 {"layers", "5"}});
      const Model m = made.model(p);
      const auto masks = layer_masks(p, *m.composition);
      CHECK(masks.size() == (turns ? 2u : 1u));
      Eigen::MatrixXi now = Eigen::MatrixXi::Identity(42, 42);
      Eigen::MatrixXi first = Eigen::MatrixXi::Constant(42, 42, -1);
      if (residual) first.diagonal().setZero();
      for (int layer = 1; layer <= kMostLayers; ++layer) {
        const SparseMask& mask = *masks[static_cast<std::size_t>(layer - 1) % masks.size()];
        Eigen::MatrixXi step = mask.dense().cast<int>();
        if (residual) step += Eigen::MatrixXi::Identity(42, 42);
        now = (step * now).cwiseMin(1);
        for (Index k = 0; k < first.size(); ++k) {
          if (first.data()[k] < 0 && now.data()[k] > 0) first.data()[k] = layer;
        }
        CHECK(m.reached->reach.pairs[static_cast<std::size_t>(layer - 1)] == now.sum());
      }
      for (Index i = 0; i < 42; ++i) {
        for (Index j = 0; j < 42; ++j) {
          const float layer = m.reached->first(i, j);
          CHECK((core::is_masked(layer) ? -1 : static_cast<int>(layer)) == first(i, j));
          const bool shown = first(i, j) >= 0 && first(i, j) <= 5;
          CHECK(core::is_masked(m.reach_cells->value(i, j)) == !shown);
        }
      }
    }
  }
}

TEST_CASE("131,072 tokens: what is kept is computed, and no more") {
  Made made;
  const Parameters p = preset("long");
  const lab::Page page = made.page(p);
  CHECK(readout(page, "kept") == 131072.0 * 257 - 257 * 256 / 2.0);
  CHECK(readout(page, "largest_row") == 257);
  CHECK_FALSE(has_readout(page, "error"));
  CHECK_FALSE(has_readout(page, "connected"));
  CHECK(readout(page, "mask_bytes") < 4e6);
  const Model m = made.model(p);
  CHECK(core::is_masked(m.mask_cells->value(70000, 69000)));
  CHECK(m.mask_cells->value(70000, 69800) == 1);
  // Every query sees every key: too many to attend to, not too many to count.
  Parameters full = p;
  full.stack = param::read_stack("full", *catalogue(), kMostItems);
  const lab::Page all = made.page(full);
  CHECK(readout(all, "kept") == 131072.0 * 131072.0);
  CHECK(all.notes.front().find("weights and outputs are computed for at most 134,217,728") !=
        std::string::npos);
  // The scores of all pairs would be 17 billion: top k is left out, which is said.
  Parameters best = p;
  best.stack = param::read_stack("local; and top_k", *catalogue(), kMostItems);
  const lab::Page left = made.page(best);
  CHECK(readout(left, "kept") == 131072.0 * 7 - 3 * 4);
  CHECK(left.notes.front().find("Top k needs every score") == 0);
}

TEST_CASE("Painting is armed by its flag, and only where the mask has the painted pattern") {
  Made made;
  const auto heatmap = [](const lab::Page& page) {
    return std::get<figure::Heatmap>(page.figures.front().plots.front().marks.front());
  };
  Parameters p = preset("painted");
  CHECK(heatmap(made.page(p)).paint_param == "painted");
  CHECK(heatmap(made.page(p)).brush == 2);
  p.paint = false;
  CHECK(heatmap(made.page(p)).paint_param.empty());
  p.paint = true;
  p.stack = param::read_stack("causal", *catalogue(), kMostItems);
  CHECK(heatmap(made.page(p)).paint_param.empty());
}

TEST_CASE("Layers that take turns show the mask of the last of them, and the figures of reach") {
  Made made;
  Parameters p = preset("local_then_atrous");
  CHECK(has_figure(made.page(p), "field"));
  CHECK(made.model(p).mask->kept() == count(42, [](Index i, Index j) { return (i - j) % 4 == 0; }));
  p.layers = 3;
  CHECK(made.model(p).mask->kept() ==
        count(42, [](Index i, Index j) { return std::abs(i - j) <= 4; }));
  CHECK_FALSE(has_figure(made.page(preset("first_look")), "field"));
}

TEST_CASE("A row's points stand at the middle of their keys' cells, on as much axis as they need") {
  Made made;
  for (const std::string query : {"0", "20", "255"}) {
    for (const std::string stack : {"local window=3", "full"}) {
      CAPTURE(query);
      CAPTURE(stack);
      const lab::Page page =
          made.page(with({{"stack", stack}, {"input", "random"}, {"query", query}}));
      const figure::Plot& plot = plot_of(page, "row");
      const auto& points = mark_of<figure::Points>(plot);
      CHECK(plot.x.cells);
      for (std::size_t k = 0; k < points.x.size(); ++k) {
        CHECK(std::stod(points.picks[k].at(0).second) == points.x[k] - 0.5);
      }
      CHECK(plot.x.lo == std::floor(plot.x.lo));
      CHECK(plot.x.lo < points.x.front());
      CHECK(plot.x.hi > points.x.back());
      CHECK(plot.x.hi - plot.x.lo == (stack == "full" ? 256 : query == "20" ? 11 : 6));
    }
  }
}

TEST_CASE("A stage is not run again while what it depends on stays") {
  Made made;
  Parameters p = preset("document");
  made.page(p);
  p.query = 3;
  p.layers = 4;
  p.key = 9;
  made.page(p);
  for (const char* stage : {"item 0", "composition", "attention", "dense", "reach", "seen"}) {
    CAPTURE(stage);
    CHECK(made.memo.runs(stage) == 1);
  }
  CHECK(made.memo.runs("row") == 2);
  CHECK(made.memo.runs("reach cells") == 2);
}

TEST_CASE("No token, one token") {
  Made made;
  const lab::Page none = made.page(with({{"text", ""}}));
  CHECK(none.figures.empty());
  CHECK(none.notes.front() == "There is no token yet: type some text.");
  const lab::Page one = made.page(with({{"text", "word"}}));
  CHECK(readout(one, "kept") == 1);
  CHECK(readout(one, "error") == 0);
  CHECK(readout(one, "connected") == 1);
}

TEST_CASE("A stack or painted cells that are none are refused in a sentence") {
  const auto refused = [](const param::Values& values) -> std::string {
    try {
      with(values);
    } catch (const core::InputError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(
      refused({{"stack", "locale"}}).starts_with("stack: expected in item 1 one of full, causal"));
  CHECK(refused({{"stack", "local window=-1"}}) ==
        "stack: expected in item 1 for window an integer from 0 to 131072, got -1");
  CHECK(refused({{"painted", "0:131072"}}).starts_with("painted: expected cells such as"));
}

}  // namespace masks_test
