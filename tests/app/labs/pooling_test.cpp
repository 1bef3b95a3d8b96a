#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "pooling_rig.h"

namespace pooling_test {

using namespace pooling_rig;  // NOLINT: the box under test

TEST_CASE(
    "generated points lie on the function when there is no noise, in order, as the seed says") {
  Made m = made({{"noise", "0"}, {"n", "200"}});
  const auto data = m.model().data;
  CHECK(std::is_sorted(data->x.begin(), data->x.end()));
  CHECK(data->x.minCoeff() >= 0);
  CHECK(data->x.maxCoeff() < 5);
  for (Index i = 0; i < data->size(); i += 9) {
    CHECK(data->y(i) == 2 * std::sin(data->x(i)) + std::pow(data->x(i), 0.8));
  }
  m.set({{"noise", "0.5"}});
  CHECK(m.model().data->x == data->x);  // other noise leaves the keys alone
  const core::VectorD noise = m.model().data->y - data->y;
  CHECK(noise.mean() == doctest::Approx(0).epsilon(0.1).scale(1));
  CHECK(std::sqrt(noise.squaredNorm() / 200) == doctest::Approx(0.5).epsilon(0.15));
  m.set({{"seed", "3"}});
  CHECK(m.model().data->x != data->x);
}

TEST_CASE("rows, curve and readouts are the naive functions' own") {
  for (const char* id : {"gaussian", "boxcar", "epanechnikov", "triangular", "narrow", "wide",
                         "empty", "outlier", "clicked", "trained", "untrained", "average"}) {
    CAPTURE(id);
    Made m = preset(id);
    const Model model = m.model();
    const lab::Page page = m.page();
    const Data& data = *model.data;
    const auto& [kernel, bandwidth] = model.weighing;
    const core::Pooled naive =
        std::isinf(bandwidth)
            ? core::parametric_pooling(model.pooled->queries, data.x, data.y, 0)
            : core::nadaraya_watson(model.pooled->queries, data.x, data.y, kernel, bandwidth);
    const figure::Heatmap& map = mark_of<figure::Heatmap>(plot_of(page, "attention"));
    REQUIRE(map.source->rows() == naive.weights.rows());
    REQUIRE(map.source->cols() == naive.weights.cols());
    Index empty = 0;
    double error = 0;
    for (Index i = 0; i < naive.weights.rows(); ++i) {
      for (Index j = 0; j < naive.weights.cols(); ++j) {
        CHECK(std::abs(static_cast<double>(map.source->value(i, j)) - naive.weights(i, j)) < 1e-7);
      }
      empty += naive.empty[static_cast<std::size_t>(i)];
      const double off = naive.prediction(i) - truth(model.pooled->queries(i));
      error += off * off / static_cast<double>(naive.weights.rows());
    }
    CHECK(readout(page, "empty") == static_cast<double>(empty));
    CHECK(readout(page, "prediction") ==
          doctest::Approx(naive.prediction(m.p.query)).epsilon(1e-9));
    if (!naive.empty[static_cast<std::size_t>(m.p.query)]) {
      CHECK(readout(page, "neighbours") ==
            doctest::Approx(1 / naive.weights.row(m.p.query).squaredNorm()).epsilon(1e-9));
    }
    if (data.known) CHECK(readout(page, "truth_error") == doctest::Approx(error).epsilon(1e-9));
    // The curve, at a place that is a query.
    const Fit& fit = *model.fit;
    const core::Pooled start = core::nadaraya_watson(fit.x.head(1), data.x, data.y, kernel,
                                                     std::isinf(bandwidth) ? 1e9 : bandwidth);
    if (!start.empty[0]) CHECK(fit.y(0) == doctest::Approx(start.prediction(0)).epsilon(1e-9));
    // Every point predicted from all but itself, by hand.
    double left_out = 0;
    for (Index i = 0; i < data.size(); ++i) {
      core::VectorD x(data.size() - 1), y(data.size() - 1);
      x << data.x.head(i), data.x.tail(data.size() - 1 - i);
      y << data.y.head(i), data.y.tail(data.size() - 1 - i);
      const double f = core::nadaraya_watson(data.x.segment(i, 1), x, y, kernel,
                                             std::isinf(bandwidth) ? 1e9 : bandwidth)
                           .prediction(0);
      left_out += (f - data.y(i)) * (f - data.y(i)) / static_cast<double>(data.size());
    }
    CHECK(readout(page, "left_out_error") == doctest::Approx(left_out).epsilon(1e-7));
  }
}

TEST_CASE("pooled cells are the largest or the mean of their own") {
  Made m = preset("gaussian");
  const auto source = m.model().pooled->cells;
  for (const figure::Pool pool : {figure::Pool::max, figure::Pool::mean}) {
    core::Matrix cells(4, 4);
    source->pooled(4, {0, 0, 4, 4}, pool, cells.data(), {});
    for (Index r = 0; r < 4; ++r) {
      for (Index c = 0; c < 4; ++c) {
        double sum = 0, largest = 0, count = 0;
        for (Index i = 16 * r; i < std::min<Index>(50, 16 * (r + 1)); ++i) {
          for (Index j = 16 * c; j < std::min<Index>(50, 16 * (c + 1)); ++j, ++count) {
            const auto value = static_cast<double>(source->value(i, j));
            sum += value;
            largest = std::max(largest, value);
          }
        }
        const double wanted = pool == figure::Pool::max ? largest : sum / count;
        CHECK(static_cast<double>(cells(r, c)) == doctest::Approx(wanted).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("narrow: the curve runs close to most points, by one to three neighbours") {
  for (int seed = 0; seed < 10; ++seed) {
    Made m = preset("narrow");
    m.set({{"seed", std::to_string(seed)}});
    const Model model = m.model();
    int close = 0, few = 0;
    for (Index j = 0; j < model.data->size(); ++j) {
      const core::PoolingRow row(model.data->x(j), model.data->x, model.data->y,
                                 model.weighing.kernel, model.weighing.bandwidth);
      close += std::abs(row.prediction() - model.data->y(j)) < m.p.noise / 2;
    }
    for (const auto& row : *model.pooled->rows) few += row.neighbors() < 3.5;
    CAPTURE(seed);
    CHECK(2 * close > model.data->size());
    CHECK(few > 25);
  }
}

TEST_CASE("boxcar, epanechnikov: the curve of the one jumps, that of the other does not") {
  for (int seed = 0; seed < 10; ++seed) {
    const auto jump = [seed](std::string_view id) {
      Made m = preset(id);
      m.set({{"seed", std::to_string(seed)}});
      const core::VectorD y = m.model().fit->y;
      return (y.tail(y.size() - 1) - y.head(y.size() - 1)).cwiseAbs().maxCoeff();
    };
    CAPTURE(seed);
    CHECK(jump("boxcar") > 3 * jump("epanechnikov"));
  }
}

TEST_CASE("outlier: it pulls the curve up near it and not far away") {
  Made m = preset("outlier");
  const auto with = m.model();
  m.p.points[5][1] = 3.3;
  const auto without = m.model();
  CHECK((with.fit->y - without.fit->y).maxCoeff() > 2);
  CHECK(std::abs(with.fit->y(0) - without.fit->y(0)) < 0.01);
}

TEST_CASE("clicked points: added, moved, none, one, equal ones") {
  Made m = preset("clicked");
  const lab::Page page = m.page();
  CHECK(plot_of(page, "data").points_param == "points");
  std::size_t grips = 0;
  for (const auto& mark : plot_of(page, "data").marks) {
    const auto* handle = std::get_if<figure::Handle>(&mark);
    if (!handle || handle->points_param.empty()) continue;
    ++grips;
    // Each handle is the point it moves.
    CHECK(handle->x == m.p.points[handle->point][0]);
    CHECK(handle->y == m.p.points[handle->point][1]);
  }
  CHECK(grips == m.p.points.size());
  m.p.points = {};
  for (const char* method : {"average", "kernel", "parametric"}) {
    m.set({{"method", method}});
    CHECK(m.page().notes.front() == "There are no points yet: click in the plot.");
    CHECK_FALSE(has_figure(m.page(), "attention"));
  }
  m.p.points = {{2, 3}};
  m.set({{"method", "parametric"}});
  CHECK(m.page().notes.front() == "Training needs at least two points.");
  CHECK(readout(m.page(), "prediction") == 3);
  m.p.points = {{2, 3}, {2, 5}, {2, 4}};
  m.set({{"method", "kernel"}, {"bandwidth", "0.001"}});
  CHECK(readout(m.page(), "prediction") == doctest::Approx(4));
  m.set({{"method", "parametric"}});
  CHECK(m.model().training->states.back().w == 0.3);  // no distance, no slope
}

TEST_CASE("a hundred thousand points: all of them, against the plain sum at one query") {
  Made m = preset("large");
  const Model model = m.model();
  REQUIRE(model.data->size() == 100'000);
  const core::Pooled naive = core::parametric_pooling(
      model.pooled->queries.segment(25, 1), model.data->x, model.data->y, model.state().w);
  CHECK(model.pooled->row(25).prediction() == doctest::Approx(naive.prediction(0)).epsilon(1e-10));
  CHECK(naive.weights.cols() == 100'000);
  CHECK(model.training->states.back().loss < model.training->states.front().loss);
}

TEST_CASE("a hundred thousand points: what the fast sums leave out is as little as is said") {
  Made m = preset("large");
  const Model model = m.model();
  const Data& data = *model.data;
  for (const Index at : {0, 17, 300, 600}) {
    const core::Pooled naive =
        core::parametric_pooling(model.fit->x.segment(at, 1), data.x, data.y, model.state().w);
    CHECK(std::abs(model.fit->y(at) - naive.prediction(0)) < 1e-11 * data.y.cwiseAbs().maxCoeff());
  }
}

}  // namespace pooling_test
