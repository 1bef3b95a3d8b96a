#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "app/labs/pooling/model.h"
#include "app/labs/pooling/page.h"
#include "core/io/reference_case.h"
#include "trying.h"

using namespace lab::pooling;  // NOLINT: the box under test
using core::Index;
using namespace lab::trying;

namespace {

using Made = Trial<Parameters>;
Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }
Made preset(std::string_view id) { return lab::trying::preset<Parameters>("pooling", id); }

// What the explanation says on the right of `left`, up to the next left.
std::vector<std::string> said(const lab::Page& page, const std::string& left) {
  std::vector<std::string> lines;
  bool here = false;
  for (const auto& line : page.explanation.lines) {
    if (!line.left.empty()) here = line.left == left;
    const std::string& text = line.right[0].text;
    for (const std::string sign : {"= ", "≈ "}) {
      if (here && text.starts_with(sign)) lines.push_back(text.substr(sign.size()));
    }
  }
  return lines;
}

core::VectorD column(const core::ReferenceCase& c, const char* name) {
  return c.inputs.at(name).as_vector();
}

// A file that is gone when the test ends.
class TempFile {
 public:
  TempFile(const std::string& name, const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("attnscope_" + std::to_string(::getpid()) + "_" + name)) {
    write(text);
  }
  ~TempFile() { std::filesystem::remove(path_); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  void write(const std::string& text) const { std::ofstream(path_, std::ios::trunc) << text; }
  std::string path() const { return path_.string(); }
  std::string name() const { return path_.filename().string(); }

 private:
  std::filesystem::path path_;
};

// Why there is no page, thrown or told by the page itself.
std::string refusal(Made& m) {
  try {
    const lab::Page page = m.page();
    if (!page.fault.empty()) return page.fault.in_english();
  } catch (const core::InputError& e) {
    return e.what();
  }
  return "nothing was refused";
}

// The training points of a reference case as a file.
std::string csv(const core::ReferenceCase& c) {
  std::string text = "x,y\n";
  const core::VectorD x = column(c, "x_train"), y = column(c, "y_train");
  for (Index i = 0; i < x.size(); ++i) {
    text += std::to_string(x(i)) + "," + std::to_string(y(i)) + "\n";
  }
  return text;
}

core::ReferenceFile reference() {
  std::ifstream in(ATTNSCOPE_SOURCE_DIR "/tests/reference/02_scoring_pooling.json");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return core::parse_reference_file(text, "02");
}

}  // namespace

TEST_CASE("training reproduces the reference's two runs of gradient descent") {
  int runs = 0;
  for (const auto& c : reference().cases) {
    if (!c.name.starts_with("nadaraya_watson_parametric_sgd")) continue;
    CAPTURE(c.name);
    ++runs;
    const TempFile file("sgd.csv", csv(c));
    Made m = made({{"method", "parametric"}, {"rate", "0.5"}, {"epochs", "5"}});
    m.p.file = file.path();
    m.p.w0 = c.params.at("w0").as_real();
    const Model model = m.model();
    REQUIRE(model.data->size() == 50);
    const core::VectorD loss = c.expected.at("loss_before_step").as_vector();
    const core::VectorD gradient = c.expected.at("gradient").as_vector();
    const core::VectorD after = c.expected.at("w_after_step").as_vector();
    REQUIRE(model.training->states.size() == 6);
    for (Index k = 0; k < 5; ++k) {
      const auto& state = model.training->states[static_cast<std::size_t>(k)];
      CHECK(state.loss == doctest::Approx(loss(k)).epsilon(1e-9));
      CHECK(state.gradient == doctest::Approx(gradient(k)).epsilon(1e-9));
      CHECK(model.training->states[static_cast<std::size_t>(k) + 1].w ==
            doctest::Approx(after(k)).epsilon(1e-9));
    }
    // After the last step the curve sees every point.
    const core::VectorD queries = column(c, "x_query");
    const core::VectorD wanted = c.expected.at("prediction_after_training_all_keys").as_vector();
    for (Index i = 0; i < queries.size(); ++i) {
      const core::PoolingRow row(queries(i), model.data->x, model.data->y, model.weighing.kernel,
                                 model.weighing.bandwidth);
      CHECK(row.prediction() == doctest::Approx(wanted(i)).epsilon(1e-9));
    }
  }
  CHECK(runs == 2);
}

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

TEST_CASE("explanations end in what the page shows elsewhere") {
  for (const char* id :
       {"gaussian", "boxcar", "epanechnikov", "triangular", "trained", "average"}) {
    CAPTURE(id);
    Made m = preset(id);
    m.set({{"key", "24"}, {"explain", "prediction"}});
    const Model model = m.model();
    const lab::Page page = m.page();
    const auto& row = model.pooled->row(25);
    const double weight = row.weight(model.data->x(24));
    REQUIRE_FALSE(said(page, "α").empty());
    CHECK(std::stod(said(page, "α").back()) == doctest::Approx(weight).epsilon(1e-5));
    CHECK(std::stod(said(page, "f(q)").back()) ==
          doctest::Approx(readout(page, "prediction")).epsilon(1e-3));
    CHECK(std::stod(said(page, "x_j").back()) == doctest::Approx(model.data->x(24)).epsilon(1e-5));
  }
  Made m = preset("trained");
  for (const int step : {0, 3, 5}) {
    m.set({{"step", std::to_string(step)}, {"explain", "training"}});
    const lab::Page page = m.page();
    const auto states = m.model().training->states;
    const auto k = static_cast<std::size_t>(step);
    CHECK(std::stod(said(page, "Σ").back()) == doctest::Approx(states[k].loss).epsilon(1e-3));
    CHECK(std::stod(said(page, "L(w)").back()) == doctest::Approx(states[k].loss).epsilon(1e-5));
    if (step == 5) continue;
    CHECK(std::stod(said(page, "w′").back()) == doctest::Approx(states[k + 1].w).epsilon(1e-5));
  }
}

TEST_CASE("what the presets teach is so") {
  // Some 36 of the 50 points share the weight, too flat: below the truth at its top.
  Made m = preset("gaussian");
  CHECK(std::lround(readout(m.page(), "neighbours")) == 36);
  const double gaussian_error = readout(m.page(), "left_out_error");
  // Each of 50 keys has 1/50 and the curve is a straight line.
  m = preset("average");
  CHECK(readout(m.page(), "largest") == 1.0 / 50);
  CHECK(m.model().fit->y.maxCoeff() == m.model().fit->y.minCoeff());
  CHECK(m.model().fit->y(0) == doctest::Approx(m.model().data->y.mean()));
  // One to three neighbours wherever it is asked, and worse than 0.3.
  m = preset("narrow");
  CHECK(readout(m.page(), "neighbours") < 2.5);
  double neighbours = 0, most = 0;
  const auto& rows = *m.model().pooled->rows;
  for (const auto& row : rows) {
    neighbours += row.neighbours();
    most = std::max(most, row.neighbours());
  }
  CHECK(most < 3.5);
  CHECK(neighbours / static_cast<double>(rows.size()) < 2);
  const double narrow_error = readout(m.page(), "left_out_error");
  m.set({{"bandwidth", "0.3"}});
  CHECK(readout(m.page(), "left_out_error") < narrow_error);
  CHECK(readout(m.page(), "left_out_error") < gaussian_error);
  // Nearly alike.
  m = preset("wide");
  CHECK(readout(m.page(), "neighbours") > 45);
  const auto wide = m.model();
  CHECK((wide.fit->y.array() - wide.data->y.mean()).abs().maxCoeff() < 0.1);
  // Jumps of the boxcar, none of Epanechnikov's.
  const auto jump = [](Made& made_one) {
    const core::VectorD y = made_one.model().fit->y;
    return (y.tail(y.size() - 1) - y.head(y.size() - 1)).cwiseAbs().maxCoeff();
  };
  Made boxcar = preset("boxcar"), parabola = preset("epanechnikov");
  CHECK(jump(boxcar) > 3 * jump(parabola));
  // Some queries have nothing, and the page says so.
  m = preset("empty");
  const auto empty = static_cast<int>(readout(m.page(), "empty"));
  CHECK(empty > 0);
  CHECK(empty < 50);
  CHECK(m.page().notes.front().starts_with(std::to_string(empty) + " of 50 queries"));
  // w fifteen times as large, the loss about a third.
  m = preset("trained");
  const auto states = m.model().training->states;
  CHECK(std::lround(states.back().w / states.front().w) == 15);
  CHECK(states.back().loss / states.front().loss == doctest::Approx(1.0 / 3).epsilon(0.1));
  CHECK(m.model().pooled->largest > 3 * m.model().before->largest);
  // Thrown far, back in dozens of steps, and thrown once more in step 37.
  m = preset("runaway");
  m.set({{"epochs", "37"}, {"step", "37"}});
  const auto far = m.model().training->states;
  CHECK(far[1].w > 50);
  CHECK(std::abs(far[5].w - far[1].w) < 0.1 * far[1].w);
  for (std::size_t k = 1; k < 36; ++k) CHECK(far[k + 1].w < far[k].w);
  CHECK(far[36].w < 2);
  CHECK(far[37].w > 50);
  // The outlier pulls the curve up near it and not far away.
  m = preset("outlier");
  const auto with = m.model();
  m.p.points[5][1] = 3.3;
  const auto without = m.model();
  CHECK((with.fit->y - without.fit->y).maxCoeff() > 2);
  CHECK(std::abs(with.fit->y(0) - without.fit->y(0)) < 0.01);
}

TEST_CASE(
    "a rate that changes leaves the steps before as they were, and the ones behind converge") {
  Made m = preset("lowered");
  const auto lowered = m.model().training->states;
  m.set({{"change_at", "0"}});
  const auto leaping = m.model().training->states;
  for (std::size_t k = 0; k <= 14; ++k) CHECK(lowered[k].w == leaping[k].w);
  CHECK(leaping[1].w > 20);  // thrown past its best
  const double best = lowered[24].w;
  CHECK(std::abs(best - lowered[23].w) < 0.01);
  for (std::size_t k = 13; k < 24; ++k) {
    CHECK((leaping[k].w - best) * (leaping[k + 1].w - best) < 0);
  }
  // A step is what the rate of its own makes of it.
  m = preset("lowered");
  const auto at = [&](std::size_t k, double rate) {
    return lowered[k].w - rate * lowered[k].gradient;
  };
  CHECK(lowered[14].w == at(13, 5));
  CHECK(lowered[15].w == at(14, 0.5));
}

TEST_CASE("a training that stopped goes on from its last good step with another rate") {
  Made m = made({{"method", "parametric"},
                 {"rate", "0.5"},
                 {"change_at", "5"},
                 {"rate_after", "1e9"},
                 {"epochs", "12"},
                 {"step", "12"}});
  const auto stopped = m.model();
  REQUIRE_FALSE(stopped.training->fault.empty());
  REQUIRE(stopped.training->states.size() == 6);
  CHECK(m.page().notes.back().ends_with(
      "It goes on from step 5 with another rate: let the rate change there."));
  // The button beside that word sets what the sentence says.
  using figure::Assignments;
  CHECK(m.page().offer.sets == Assignments{{"change_at", "5"}, {"rate_after", "1e+08"}});
  CHECK(
      m.page().figures.back().caption ==
      "w over 5 steps of gradient descent from 0.3 with learning rate 0.5, from step 5 on 1e+09.");
  m.set({{"rate_after", "0.25"}});
  const auto on = m.model();
  CHECK(on.training->fault.empty());
  CHECK(m.page().offer.sets.empty());
  REQUIRE(on.training->states.size() == 13);
  for (std::size_t k = 0; k <= 5; ++k) {
    CHECK(on.training->states[k].w == stopped.training->states[k].w);
  }
  CHECK(on.training->states[12].loss < on.training->states[5].loss);
}

TEST_CASE("a rate that throws out the first step is offered smaller itself") {
  Made m = made({{"method", "parametric"}, {"rate", "1e9"}});
  REQUIRE(m.model().training->made() == 0);
  CHECK(m.page().offer.sets == figure::Assignments{{"rate", "1e+08"}});
  CHECK(m.page().offer.label == "Rate 1e+08 from step 0 on");
}

TEST_CASE("where the rate changes stands a line, unless no step has the other rate") {
  const auto lines = [](Made& m) {
    const auto& marks = plot_of(m.page(), "w").marks;
    std::vector<std::string> labels;
    for (const auto& mark : marks) {
      const auto* rule = std::get_if<figure::Rule>(&mark);
      if (rule && !rule->label.empty()) labels.push_back(rule->label);
    }
    return labels;
  };
  Made m = preset("lowered");
  CHECK(lines(m) == std::vector<std::string>{"rate 0.5"});
  CHECK(m.page().figures.back().caption.ends_with("with learning rate 5, from step 14 on 0.5."));
  m.set({{"change_at", "24"}});
  CHECK(lines(m).empty());
  CHECK(m.page().figures.back().caption.ends_with("with learning rate 5."));
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
    CHECK(m.page().notes.front() == "There are no points yet: click into the plot.");
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

TEST_CASE("a file: its names and span; every bad one is refused in a sentence, in both languages") {
  const TempFile file("heights.csv", "height;weight\n180;75\n170;60\n175;70\n");
  Made m;
  m.p.file = file.path();
  const lab::Page page = m.page();
  CHECK(plot_of(page, "data").x.label == "height");
  CHECK(m.model().data->x(0) == 170);
  CHECK(m.model().data->y(2) == 75);
  CHECK(m.model().pooled->queries(0) == 170);
  CHECK(m.model().pooled->queries(49) == 180);
  CHECK(page.status.find(file.name()) != page.status.npos);
  CHECK_FALSE(m.model().data->known);
  // A file that changes is read again, one that does not is not.
  const int runs = m.memo.runs("data");
  m.page();
  CHECK(m.memo.runs("data") == runs);
  file.write("height;weight\n180;75\n170;60\n175;70\n190;99\n");
  CHECK(m.model().data->size() == 4);
  const auto refused = [&](const std::string& text) {
    file.write(text);
    std::string sentence = refusal(m);
    // The file with its folder comes first.
    const auto at = sentence.find(file.name());
    REQUIRE(at != std::string::npos);
    REQUIRE(sentence.front() == '/');
    return sentence.substr(at + file.name().size());
  };
  CHECK(refused("") == ": expected lines of two numbers, got none");
  CHECK(refused("1,2\n3\n") == ", line 2: expected 2 columns, got 1");
  CHECK(refused("1,2\n\n3,4\n") == ", line 2: expected 2 columns, got an empty line");
  CHECK(refused("1,2\n3,nan\n") ==
        ", line 2: expected a finite number that fits into a double, got \"nan\"");
  CHECK(refused("1,2\nx,3\n") == ", line 2: expected a number, got \"x\"");
  CHECK(refused("1,2\n\xff,3\n") == ", line 2: expected UTF-8 text, got the byte 0xff");
  CHECK(refused(std::string(70'000, '7')) ==
        ", line 1: expected at most 65536 bytes, got a longer line");
  CHECK(refused("1,2\n1e200,3\n") == ": expected numbers from -1e100 to 1e100, got 1e+200");
  m.p.file = "/no/such/file.csv";
  CHECK(refusal(m) == "cannot read /no/such/file.csv: there is no such file or folder");
  m.p.file = std::filesystem::temp_directory_path().string();
  CHECK(refusal(m).find("it is a folder") != std::string::npos);
  // One place, one row: still a page.
  for (const char* text : {"3,4\n", "3,4\n3,5\n", "1e99,1\n-1e99,-1\n"}) {
    file.write(text);
    m.p.file = file.path();
    for (const char* method : {"average", "kernel", "parametric"}) {
      m.set({{"method", method}});
      CHECK(std::isfinite(readout(m.page(), "prediction")));
    }
  }
}

TEST_CASE("columns of a file are chosen by their names, which the page tells") {
  const TempFile file("wide.csv", "name,height,weight,age\nAda,1.7,60,36\nBob,1.8,75,41\n");
  Made m;
  m.p.file = file.path();
  const auto known = [&](const lab::Page& page, const char* id) {
    const param::FoundNames& found = page.names.at(id);
    CHECK(found.of == file.path());
    std::string names;
    for (const param::Named& one : *found.names) names += one.id + "/" + one.label + " ";
    return names;
  };
  // The first two are no numbers: nothing to show, but what there is to choose from.
  lab::Page page = m.page();
  CHECK(page.fault.in_english().ends_with("line 2: expected a number, got \"Ada\""));
  CHECK(page.figures.empty());
  CHECK(known(page, "x_column") == "name/ height/ weight/ age/ ");
  CHECK(known(page, "y_column") == known(page, "x_column"));
  m.set({{"x_column", "age"}, {"y_column", "height"}});
  page = m.page();
  CHECK(page.fault.empty());
  CHECK(m.model().data->x(1) == 41);
  CHECK(m.model().data->y(1) == 1.8);
  CHECK(plot_of(page, "data").x.label == "age");
  CHECK(known(page, "x_column") == "name/ height/ weight/ age/ ");
  // One that is gone is kept, and said.
  file.write("name,height,weight\nAda,1.7,60\nBob,1.8,75\n");
  page = m.page();
  CHECK(page.fault.in_english() == file.path() + ": there is no column \"age\"");
  CHECK(known(page, "x_column") == "name/ height/ weight/ ");
  CHECK(m.p.x_column == "age");
  m.set({{"x_column", ""}, {"y_column", "weight"}});
  m.p.x_column = "height";
  CHECK(m.page().fault.empty());
  file.write("1,2,3\n4,5,6\n");
  m.set({{"x_column", ""}, {"y_column", "column 3"}});
  page = m.page();
  CHECK(m.model().data->y(1) == 6);
  CHECK(known(page, "y_column") == "column 1/column 1 column 2/column 2 column 3/column 3 ");
  m.words = words::Words(words::Language::zh_CN);
  CHECK(known(m.page(), "y_column") == "column 1/第 1 列 column 2/第 2 列 column 3/第 3 列 ");
  m.p.file.clear();
  CHECK(m.page().names.empty());
}

TEST_CASE("names of another file are not taken for this one's") {
  const TempFile one("one.csv", "a,b,c\n1,2,3\n4,5,6\n");
  const auto state = lab::find("pooling").make();
  param::assign(state->describe(), {{"file", one.path()}, {"x_column", "c"}});
  const auto names = [&] {
    const param::List list = state->list();
    for (const param::Parameter& p : list.items()) {
      if (p.info.id == "x_column") return std::get<param::Name>(p.kind);
    }
    throw std::logic_error("no x_column");
  };
  const words::Words english;
  lab::Memo memo;
  const auto computed = [&] { return state->compute({{}, english, memo, {}, 1}); };
  CHECK(names().names == nullptr);
  state->learn(computed().names);
  REQUIRE(names().names);
  CHECK(names().at() == 2);
  CHECK(state->clone()->list().find("x_column")->info.active);
  const TempFile other("other.csv", "a,b\n1,2\n4,5\n");
  param::assign(state->describe(), {{"file", other.path()}});
  CHECK(names().names == nullptr);  // until its page is there
  CHECK_NOTHROW(param::require_names(state->list()));
  state->learn(computed().names);
  CHECK(names().missing());
  CHECK_THROWS_WITH_AS(param::require_names(state->list()), "x_column: expected one of a, b, got c",
                       param::Refusal);
  CHECK(state->list().find("x_column")->info.active);
  CHECK(param::print(*state->list().find("x_column")) == "c");
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

TEST_CASE("weights are said to sum to 1 only where there are any") {
  Made m = preset("empty");
  const auto caption = [&](int query) {
    m.p.query = query;
    return m.page().figures.at(1).caption;
  };
  const auto rows = m.model().pooled->rows;
  int none = 0;
  for (int query = 0; query < 50; ++query) {
    double sum = 0;
    for (const double x : m.model().data->x)
      sum += (*rows)[static_cast<std::size_t>(query)].weight(x);
    const bool whole = caption(query).find("together they are 1.") != std::string::npos;
    CHECK(whole == (std::abs(sum - 1) < 1e-12));
    CHECK(whole != (caption(query).find("no key is in reach") != std::string::npos));
    none += !whole;
  }
  CHECK(none == static_cast<int>(readout(m.page(), "empty")));
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

namespace {

// The numbers of a line such as "≈ 0.5·(-1.25) / 3": what stands between signs.
std::vector<double> numbers(const std::string& text) {
  std::vector<double> all;
  for (const char* at = text.c_str(); *at != 0;) {
    const bool begins = std::isdigit(static_cast<unsigned char>(*at)) ||
                        (*at == '-' && std::isdigit(static_cast<unsigned char>(at[1])));
    char* end = nullptr;
    if (begins) all.push_back(std::strtod(at, &end));
    at = begins ? end : at + 1;
  }
  return all;
}

// One unit of the last of six significant digits.
double last_of_six(double value) {
  return std::pow(10.0, std::floor(std::log10(std::abs(value))) - 5);
}

}  // namespace

TEST_CASE("every line of a weight can be worked out again from the line before, as printed") {
  for (const char* kernel : {"gaussian", "epanechnikov", "triangular", "boxcar"}) {
    for (const char* h : {"0.05", "0.4", "1", "30"}) {
      CAPTURE(kernel);
      CAPTURE(h);
      Made m = made({{"kernel", kernel}, {"bandwidth", h}, {"key", "25"}});
      const lab::Page page = m.page();
      const bool gaussian = std::string(kernel) == "gaussian";
      const std::vector<std::string> u = said(page, gaussian ? "s_j" : "u");
      REQUIRE(u.size() == 3);
      const std::vector<double> of = numbers(u[1]);
      REQUIRE(of.size() >= 3);
      const double again = (of[0] - of[1]) / of[2];
      CHECK(numbers(u[2])[0] ==
            doctest::Approx(gaussian ? -again * again / 2 : again).epsilon(1e-7).scale(1e-1));
      const std::vector<std::string> alpha = said(page, "α");
      if (alpha.back() == "0") continue;
      const std::vector<double> quotient = numbers(alpha[alpha.size() - 2]);
      REQUIRE(quotient.size() == 2);
      const double weight = std::stod(alpha.back());
      CHECK(std::abs(quotient[0] / quotient[1] - weight) < 1.001 * last_of_six(weight));
      if (!gaussian) continue;
      const std::vector<double> power = numbers(alpha[1]);
      CHECK(std::exp(power.at(0)) == doctest::Approx(quotient[0]).epsilon(1e-7));
    }
  }
}

TEST_CASE("the explained step of the training can be worked out again from its line") {
  Made m = preset("runaway");
  for (const char* step : {"0", "1", "5"}) {
    m.set({{"step", step}});
    const std::vector<std::string> next = said(m.page(), "w′");
    REQUIRE(next.size() == 3);
    const std::vector<double> of = numbers(next[1]);
    REQUIRE(of.size() == 3);
    const double w = std::stod(next[2]);
    CHECK(std::abs(of[0] - of[1] * of[2] - w) < 1.001 * last_of_six(w));
  }
}
