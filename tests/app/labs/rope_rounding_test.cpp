#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "app/labs/rope_rounding/page.h"
#include "trying.h"

namespace rope_rounding_test {

using namespace lab::rope_rounding;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index;

namespace {

// To `bits` bits of significand, ties to even, the range left open: written apart from core.
double to_bits(double x, int bits) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent = 0;
  const double m = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(m, bits)), exponent - bits);
}
double bf16(double x) { return to_bits(x, 8); }
double f32(double x) { return static_cast<double>(static_cast<float>(x)); }

// One table entry as a framework computes it in float32 with some steps cast to bfloat16.
struct Steps {
  RoundedSteps rounded_steps;
  int d = 128;
  double base = 10000;

  double theta(Index i) const {
    return std::pow(base, -2 * static_cast<double>(i) / static_cast<double>(d));
  }
  double angle(Index position, Index i) const {
    const double id =
        rounded_steps.id ? bf16(static_cast<double>(position)) : static_cast<double>(position);
    const double frequency = rounded_steps.frequency ? bf16(f32(theta(i))) : f32(theta(i));
    const double product = f32(id * frequency);
    return rounded_steps.product ? bf16(product) : product;
  }
  double entry(Index position, Index i, bool cosine) const {
    const double a = angle(position, i);
    const double value = f32(cosine ? std::cos(a) : std::sin(a));
    return rounded_steps.table ? bf16(value) : value;
  }
  // Of the hand that the finished cosine and sine draw.
  double error(Index position, Index i) const {
    const double exact = static_cast<double>(position) * theta(i), rotated = angle(position, i);
    if (!rounded_steps.table) return std::abs(rotated - exact);
    const double drawn = std::atan2(entry(position, i, false), entry(position, i, true));
    return std::abs(rotated + std::remainder(drawn - rotated, lab::kTurn) - exact);
  }
  double largest_error(Index n) const {
    double largest = 0;
    for (Index p = 0; p < n; ++p) {
      for (Index i = 0; i < d / 2; ++i) largest = std::max(largest, error(p, i));
    }
    return largest;
  }
  Index distinct_rows(Index n) const {
    std::set<std::vector<double>> rows;
    for (Index p = 0; p < n; ++p) {
      std::vector<double> row;
      for (Index i = 0; i < d / 2; ++i) {
        row.push_back(entry(p, i, true));
        row.push_back(entry(p, i, false));
      }
      rows.insert(std::move(row));
    }
    return static_cast<Index>(rows.size());
  }
};

using Made = Trial<Parameters>;
Parameters preset(std::string_view id) {
  return lab::trying::preset<Parameters>("rope_rounding", id).p;
}

std::string explanation(const lab::Page& page) {
  std::string text;
  for (const auto& line : page.explanation.lines) {
    text += line.left + " ";
    for (const auto& span : line.right) text += span.text;
    text += "\n";
  }
  return text;
}

// How many of positions [first, first + n) stand at the most crowded place.
Index largest_group(const Rows& rows) {
  std::vector<Index> sizes(rows.first.size());
  for (const std::int32_t first : rows.first) ++sizes[static_cast<std::size_t>(first)];
  return *std::max_element(sizes.begin(), sizes.end());
}

}  // namespace

TEST_CASE("angles and rows are those of a framework's steps, whichever of them are rounded") {
  Made made;
  for (unsigned choice = 0; choice < 16; ++choice) {
    CAPTURE(choice);
    Parameters p;
    p.rounded_steps = {(choice & 1) != 0, (choice & 2) != 0, (choice & 4) != 0, (choice & 8) != 0};
    p.d = 16, p.length = 700, p.query = 699, p.key = 690, p.pair = 3;
    const Steps steps{p.rounded_steps, p.d, p.base};
    const Model model = made.model(p);
    CHECK(model.rows->count() == steps.distinct_rows(p.length));
    CHECK(model.errors->largest == doctest::Approx(steps.largest_error(p.length)).epsilon(1e-12));
    for (const Index at : {0, 1, 257, 511, 698, 699}) {
      for (Index i = 0; i < 8; ++i) {
        const Entry e = entry_of(model, at, i);
        CHECK(e.r_angle == steps.angle(at, i));
        CHECK(e.r_cosine == steps.entry(at, i, true));
        CHECK(e.r_sine == steps.entry(at, i, false));
      }
    }
  }
}

TEST_CASE("the page's numbers are the model's: rows, phase, score and weights") {
  Made made;
  Parameters p;
  p.d = 16, p.length = 2048, p.query = 2040, p.key = 2030, p.pair = 1, p.window = 16;
  const Steps steps{p.rounded_steps, p.d, p.base};
  const lab::Page page = made.page(p);
  const Model model = made.model(p);
  CHECK(readout(page, "distinct_rows") == static_cast<double>(steps.distinct_rows(p.length)));
  CHECK(readout(page, "phase_error") ==
        doctest::Approx(steps.angle(p.query, 1) - 2040 * steps.theta(1)).epsilon(1e-12));
  // The score as the turned vectors' product, entry by entry.
  double rounded = 0, exact = 0;
  for (Index i = 0; i < p.d / 2; ++i) {
    const double a = model.q(2 * i), b = model.q(2 * i + 1), c = model.k(2 * i),
                 d = model.k(2 * i + 1);
    const auto rotated = [&](double cq, double sq, double ck, double sk) {
      return (a * cq - b * sq) * (c * ck - d * sk) + (a * sq + b * cq) * (c * sk + d * ck);
    };
    rounded += rotated(steps.entry(p.query, i, true), steps.entry(p.query, i, false),
                       steps.entry(p.key, i, true), steps.entry(p.key, i, false));
    const double m = 2040 * steps.theta(i), n = 2030 * steps.theta(i);
    exact += rotated(std::cos(m), std::sin(m), std::cos(n), std::sin(n));
  }
  const double scale = p.sharpness / std::sqrt(static_cast<double>(p.d));
  CHECK(model.rounded_score(p.query, p.key) == doctest::Approx(scale * rounded).epsilon(1e-9));
  CHECK(model.exact_score(10) == doctest::Approx(scale * exact).epsilon(1e-9));
  CHECK(readout(page, "score_error") == doctest::Approx(scale * (rounded - exact)).epsilon(1e-6));
  // Weights: rows sum to one, and the readout is the largest change.
  const Window& window = *model.window;
  double largest = 0;
  for (Index i = 0; i < window.n; ++i) {
    CHECK(window.exact.weights.row(i).sum() == doctest::Approx(1));
    CHECK(window.rounded.weights.row(i).sum() == doctest::Approx(1));
    for (Index j = 0; j <= i; ++j) {
      largest =
          std::max(largest, std::abs(window.rounded.weights(i, j) - window.exact.weights(i, j)));
    }
  }
  CHECK(readout(page, "largest_weight_change") == doctest::Approx(largest));
}

TEST_CASE("preset: ids in bfloat16 leave 897 of 8192 rows and blocks of up to 33") {
  Made made;
  const Parameters p = preset("first_look");
  const Model model = made.model(p);
  CHECK(model.rows->count() == 897);
  CHECK(largest_group(*model.rows) == 33);
  // Neighbours of one place have the same scores, so their columns of weights agree.
  const Window& window = *model.window;
  const auto& weights = window.rounded.weights;
  Index same = 0;
  for (Index j = 1; j < window.n; ++j) {
    const bool one_place = bf16(static_cast<double>(window.start + j)) ==
                           bf16(static_cast<double>(window.start + j - 1));
    if (!one_place) continue;
    ++same;
    CHECK(weights(window.n - 1, j) == doctest::Approx(weights(window.n - 1, j - 1)).epsilon(1e-9));
  }
  CHECK(same > window.n / 2);
}

TEST_CASE("presets: a rounded product leaves 7573 rows, off by up to 16 radians") {
  Made made;
  const Parameters p = preset("product");
  const lab::Page page = made.page(p);
  CHECK(readout(page, "distinct_rows") == 7573);
  CHECK(Steps{p.rounded_steps}.distinct_rows(8192) == 7573);
  const double ids = readout(made.page({}), "largest_phase_error");
  const double product = readout(page, "largest_phase_error");
  CHECK(product <= 16);
  CHECK(product > 15);
  CHECK(ids == doctest::Approx(product).epsilon(0.1));
}

TEST_CASE("preset: a rounded frequency drifts, and hardly asks where the two tokens stand") {
  Made made;
  const Parameters p = preset("frequency");
  const lab::Page page = made.page(p);
  CHECK(readout(page, "distinct_rows") == 8192);
  const double drift = readout(page, "largest_phase_error");
  CHECK(drift == doctest::Approx(Steps{p.rounded_steps}.largest_error(8192)));
  CHECK(drift > 9);
  CHECK(drift < 11);
  CHECK(readout(page, "distance_error") > 0.01);
  // By position the error is the same everywhere but for float32's own rounding.
  const ScoreCurve& curve = *made.model(p).by_position;
  const double first = curve.rounded.front() - curve.exact.front();
  for (std::size_t k = 0; k < curve.at.size(); ++k) {
    CHECK(std::abs(curve.rounded[k] - curve.exact[k] - first) < 0.01);
  }
}

TEST_CASE("preset: a rounded table keeps the rows, the angles and the weights") {
  Made made;
  const lab::Page page = made.page(preset("table"));
  CHECK(readout(page, "distinct_rows") == 8192);
  CHECK(readout(page, "largest_phase_error") < 0.003);
  CHECK(readout(page, "largest_phase_error") > 0.002);
  CHECK(readout(page, "largest_weight_change") < 0.01);
  CHECK(readout(page, "largest_weight_change") > 0);
}

TEST_CASE("preset: the repair makes an error of radians vanish") {
  Made made;
  Parameters p = preset("repair");
  const lab::Page repaired = made.page(p);
  CHECK(readout(repaired, "largest_phase_error") < 0.003);  // the cast of the table
  p.repair = false;
  const lab::Page broken = made.page(p);
  CHECK(readout(broken, "largest_phase_error") > 10);
  CHECK(readout(broken, "largest_weight_change") > 20 * readout(repaired, "largest_weight_change"));
  // In double nothing is left but that: an angle is where the cast cosine and sine point.
  p.repair = true;
  p.carrier = Carrier::float64;
  const Model exact = made.model(p);
  for (const Index position : {1, 100, 8191}) {
    const Entry e = entry_of(exact, position, 1);
    CHECK(e.r_angle == e.angle);
    CHECK(std::abs(e.error()) < 0.003);
  }
}

TEST_CASE("presets: what known models' widths, bases and contexts give") {
  Made made;
  {
    const Parameters p = preset("llama_4k");
    std::set<double> rounded_steps;
    for (Index m = 0; m < p.length; ++m) rounded_steps.insert(bf16(static_cast<double>(m)));
    CHECK(rounded_steps.size() == 769);
    const Steps steps{p.rounded_steps, p.d, p.base};
    CHECK(p.d / 2 == 64);
    for (Index i = 1; i < p.d / 2; ++i) CHECK(bf16(steps.theta(i)) != steps.theta(i));
    CHECK(bf16(steps.theta(0)) == 1);
  }
  {
    const Parameters p = preset("llama_8k");
    const double error = readout(made.page(p), "largest_phase_error");
    CHECK(error <= 16);
    CHECK(error > 15);
  }
  for (const auto& [id, group, error] :
       {std::tuple("long_32k", 129, 64.0), std::tuple("long_128k", 513, 256.0)}) {
    const std::string name(id);
    CAPTURE(name);
    const Model model = made.model(preset(id));
    CHECK(largest_group(*model.rows) == group);
    CHECK(model.errors->largest == error);
  }
  const Model model = made.model(preset("long_128k"));
  for (Index k = 1; k < model.window->n; ++k) {
    CHECK(bf16(static_cast<double>(model.window->start + k)) ==
          bf16(static_cast<double>(model.window->start)));
  }
  const auto last = model.window->n - 1;
  CHECK(model.window->rounded.weights(last, 0) ==
        doctest::Approx(1.0 / static_cast<double>(model.window->n)));
}

TEST_CASE("preset: float16 ids are infinite from 65,520 on, and the page says so") {
  Made made;
  const Parameters p = preset("float16");
  const lab::Page page = made.page(p);
  const Model model = made.model(p);
  CHECK(std::isfinite(entry_of(model, 65519, 0).r_position));
  CHECK(std::isinf(entry_of(model, 65520, 0).r_position));
  CHECK(readout(page, "lost_angles") == (131072.0 - 65520) * 64);
  CHECK(readout(page, "missing_weights") > 0);
  CHECK_FALSE(page.notes.empty());
  // 2049 is the first id that float16 cannot hold.
  CHECK(entry_of(model, 2048, 0).r_position == 2048);
  CHECK(entry_of(model, 2049, 0).r_position != 2049);
}

TEST_CASE("preset: stochastic rounding is right on average and differs between neighbours") {
  Made made;
  Parameters p = preset("stochastic");
  p.d = 2, p.pair = 0;
  double sum = 0;
  constexpr int kSeeds = 400;
  for (int seed = 0; seed < kSeeds; ++seed) {
    p.rounding.seed = seed;
    sum += entry_of(made.model(p), 8179, 0).r_angle;
  }
  // Spacing 32 between 4096 and 8192: the mean of 400 is off by a standard error below 0.8.
  CHECK(std::abs(sum / kSeeds - 8179) < 4);
  const Model model = made.model(preset("stochastic"));
  std::set<double> angles;
  for (Index at = 8160; at < 8176; ++at) angles.insert(entry_of(model, at, 0).error());
  CHECK(angles.size() > 8);
}

TEST_CASE("preset: eight bits of one's own are at most half as wrong as e4m3fn") {
  Made made;
  Parameters p = preset("own");
  const auto largest = [&made](const Parameters& of) {
    const Model model = made.model(of);
    double most = 0;
    for (Index at = 0; at < 2000; ++at) {
      for (Index i = 0; i < 64; i += 7) {
        const Entry e = entry_of(model, at, i);
        most = std::max(most, std::abs(e.r_cosine - e.cosine));
      }
    }
    return most;
  };
  const double own = largest(p);
  p.format.choice = lab::FormatChoice::e4m3fn;
  CHECK(own <= 0.55 * largest(p));
}

TEST_CASE("preset: a million positions, 1793 places, errors of 2048 radians") {
  Made made;
  const Parameters p = preset("million");
  const Model model = made.model(p);
  CHECK(model.rows->count() == 1793);
  CHECK(model.errors->largest == 2048);
}

TEST_CASE("the angle is that of the hand that is drawn") {
  // In e5m2 cos(116 θ) and sin(116 θ) of this pair become 0.5 and -0.875.
  Made made;
  Parameters p = preset("table");
  p.format.choice = lab::FormatChoice::e5m2;
  p.query = 116, p.key = 115, p.pair = 2;
  const Model model = made.model(p);
  const Entry& e = model.entry;
  CHECK(e.r_cosine == 0.5);
  CHECK(e.r_sine == -0.875);
  CHECK(e.error() ==
        doctest::Approx(std::remainder(std::atan2(-0.875, 0.5) - e.angle, lab::kTurn)));
  CHECK(std::abs(e.error()) > 0.07);
  CHECK(readout(made.page(p), "phase_error") == e.error());
}

TEST_CASE("a bfloat16 table of exact angles is off by as much as its card says") {
  Made made;
  Parameters p = preset("repair");
  double largest = 0;
  for (const int at : {0, 1, 257, 2049, 5771, 8191}) {
    for (int pair = 0; pair < p.d / 2; ++pair) {
      p.query = at, p.pair = pair;
      const Entry& e = made.model(p).entry;
      const double cosine = std::cos(e.angle), sine = std::sin(e.angle);
      // The angle itself is rounded to float32.
      const double most = 0x1p-9 + at * 0x1p-24;
      CHECK(std::max(std::abs(e.r_cosine - cosine), std::abs(e.r_sine - sine)) <= most);
      largest = std::max(largest, std::abs(e.error()));
    }
  }
  CHECK(largest > 0.0025);
  CHECK(largest < 0.004);
}

TEST_CASE("where cos and sin are both 0 there is no hand, and the page says so") {
  Made made;
  Parameters p;
  p.rounded_steps = {.table = true};
  p.format = {.choice = lab::FormatChoice::custom,
              .specials = core::Specials::none,
              .exponent_bits = 2,
              .mantissa_bits = 1,
              .bias = -2};
  for (const Explained what : {Explained::phase, Explained::rows, Explained::score}) {
    p.explained = what;
    const lab::Page page = made.page(p);
    const auto every = static_cast<double>(p.length) * p.d / 2;
    CHECK(readout(page, "lost_angles") == every);
    CHECK(says(page, what == Explained::rows ? "hands without an angle: " : "0"));
    const auto& dial = plot_of(page, "dial");
    CHECK(dial.note == "there is no rounded hand: its cosine and sine are both 0");
    const std::string text = explanation(page);
    CAPTURE(text);
    CHECK(text.find("NaN rad") == std::string::npos);
    CHECK((what != Explained::phase || text.find("no length and no angle") != text.npos));
    CHECK((what != Explained::score || text.find("has no angle, and adds nothing") != text.npos));
    bool noted = false;
    for (const std::string& note : page.notes) noted |= note.find("both rounded to 0") != note.npos;
    CHECK(noted);
  }
}

TEST_CASE("each explanation names the numbers that it is about") {
  Made made;
  Parameters p;
  p.explained = Explained::phase;
  std::string text = explanation(made.page(p));
  CHECK(text.find("8179") != std::string::npos);
  CHECK(text.find("8192") != std::string::npos);  // what bfloat16 makes of it
  for (const Explained what : {Explained::rows, Explained::score, Explained::weight}) {
    p.explained = what;
    text = explanation(made.page(p));
    CHECK(text.find("nan") == std::string::npos);
    CHECK(text.size() > 100);
  }
}

TEST_CASE("extremes: two positions, width two, one bit of everything") {
  Made made;
  Parameters p;
  p.d = 2, p.length = 2, p.query = 1, p.key = 0, p.pair = 0, p.window = 128, p.reach = 4096;
  CHECK(readout(made.page(p), "distinct_rows") == 2);
  p.format.choice = lab::FormatChoice::custom;
  p.format.exponent_bits = 2, p.format.mantissa_bits = 1;
  p.rounded_steps = {true, true, true, true};
  for (const lab::Readout& r : made.page(p).readouts) CHECK_FALSE(std::isnan(double{r.value}));
}

}  // namespace rope_rounding_test
