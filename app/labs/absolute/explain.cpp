// Why what is picked in the lower half is what it is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/labs/absolute/page.h"

namespace lab::absolute {
namespace {

using figure::Role;

constexpr std::size_t kMostTerms = 16;  // written out; beyond, the largest few and the rest
constexpr std::size_t kLargestTerms = 10;

struct Part {
  double value;
  std::string what;
};

// The terms with printed values that add up; the smallest of many are one line.
std::string add_sum(const Scene& scene, std::vector<Part> terms, Lines& lines, int digits = 4) {
  double rest = 0;
  std::size_t left_out = 0;
  if (terms.size() > kMostTerms) {
    std::stable_sort(terms.begin(), terms.end(), [](const Part& a, const Part& b) {
      return std::abs(a.value) > std::abs(b.value);
    });
    left_out = terms.size() - kLargestTerms;
    for (std::size_t k = kLargestTerms; k < terms.size(); ++k) rest += terms[k].value;
    terms.resize(kLargestTerms);
  }
  std::vector<double> values;
  for (const Part& term : terms) values.push_back(term.value);
  if (left_out > 0) values.push_back(rest);
  const PrintedSum sum = printed_sum(values, digits);
  for (std::size_t k = 0; k < terms.size(); ++k) {
    lines.push_back(
        {"", {dim(k == 0 ? "  " : "+ "), plain(sum.parts[k]), dim("  " + terms[k].what)}});
  }
  if (left_out > 0) {
    lines.push_back({"",
                     {dim("+ "), plain(sum.parts.back()),
                      dim("  " + scene.w.format("… {} smaller terms", left_out))}});
  }
  lines.push_back({"", {plain("= " + sum.sum)}});
  return sum.sum;
}

Explanation no_row(const Scene& scene, std::string title) {
  return {std::move(title),
          {{"", {sentence(scene.w("the picked position has no row in the table"))}}}};
}

// cos(t θ_i), one a frequency.
std::vector<Part> cosines(const VectorD& theta, double t) {
  std::vector<Part> terms;
  for (Index i = 0; i < theta.size(); ++i) {
    terms.push_back({std::cos(t * theta(i)), fmt::format("cos({:.4g}) [{}]", t * theta(i), i)});
  }
  return terms;
}

std::vector<Part> products(const VectorD& a, const VectorD& b) {
  std::vector<Part> terms;
  for (Index c = 0; c < a.size(); ++c) {
    terms.push_back({a(c) * b(c), fmt::format("{:.2f}·{:.2f} [{}]", a(c), b(c), c)});
  }
  return terms;
}

std::string cell(const char* name, Index i, Index j) {
  return fmt::format("{}[{},{}]", name, i, j);
}

std::string entry_reason(const Scene& scene) {
  const Parameters& p = scene.p;
  if (scene.model.shift->fit) return scene.w("least squares over all rows of the table");
  const Column to = column_of(p, p.map_row), from = column_of(p, p.map_column);
  if (to.i != from.i || to.second != from.second) {
    return scene.w("two frequencies never mix: exactly 0");
  }
  return to.sine == from.sine ? scene.w("the same kind: cos(kθ)")
         : to.sine            ? scene.w("from cosine to sine: sin(kθ)")
                              : scene.w("from sine to cosine: -sin(kθ)");
}

// The entry of a rotation from its angle.
void add_entry(const Scene& scene, Lines& lines) {
  const Parameters& p = scene.p;
  const Column to = column_of(p, p.map_row), from = column_of(p, p.map_column);
  if (scene.model.shift->fit || to.i != from.i || to.second != from.second) return;
  const bool turns = !p.grid() || to.second == (p.axis_order == core::AxisOrder::height_first);
  if (!turns) {
    lines.push_back({"", {sentence(scene.w("y stays: this half is not turned"))}});
    return;
  }
  const double theta = scene.table().theta(to.i), angle = p.offset * theta;
  const std::string name = to.sine == from.sine ? "cos" : to.sine ? "sin" : "-sin";
  lines.push_back({"", {plain(fmt::format("= {}(kθ{})", name, to.i))}});
  lines.push_back({"", {plain(fmt::format("= {}({} · {:.6g})", name, p.offset, theta))}});
  lines.push_back({"", {plain(fmt::format("= {}({})", name, fixed(angle, 6)))}});
}

double other_similarity(const Scene& scene, Index& other) {
  const Table& table = scene.table();
  other = scene.p.grid() ? Index{scene.p.other_y} * scene.p.grid_width + scene.p.other_x
                         : Index{scene.p.other};
  return table.has(other) ? table.row(scene.model.position).dot(table.row(other)) : 0;
}

Explanation explain_separation(const Scene& scene) {
  const Collisions& c = *scene.model.collisions;
  const Table& table = scene.table();
  const Index t = scene.p.lag;
  Explanation result{scene.w("The distance of two encodings"), {}};
  Lines& lines = result.lines;
  if (!table.sinusoidal && !scene.p.grid()) {
    if (t > c.distance.size()) return no_row(scene, std::move(result.title));
    Index closest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (Index k = 0; k + t < table.filled; ++k) {
      const double distance = (table.P.row(k + t) - table.P.row(k)).norm();
      if (distance < least) {
        least = distance;
        closest = k;
      }
    }
    lines.push_back({fmt::format("|Δ{}|", t), {{"= " + fixed(least, 4), Role::accent}}});
    lines.push_back({"",
                     {sentence(scene.w.format("of positions {} and {}, the closest {} apart:",
                                              closest, closest + t, t))}});
    const VectorD delta = (table.P.row(closest + t) - table.P.row(closest)).transpose();
    lines.push_back({"", {plain("= √Σ (a - b)²")}});
    std::vector<Part> terms;
    for (Index k = 0; k < delta.size(); ++k) {
      terms.push_back({delta(k) * delta(k), fmt::format("({:.3f})²  [{}]", delta(k), k)});
    }
    const std::string sum = add_sum(scene, std::move(terms), lines);
    lines.push_back({"", {plain(fmt::format("√{} = {}", sum, fixed(least, 4)))}});
    return result;
  }
  const double distance = core::encoding_distance(table.theta, static_cast<double>(t));
  lines.push_back({fmt::format("|Δ{}|", t), {{"= " + short_number(distance), Role::accent}}});
  lines.push_back({"", {plain("= |PE(p+t) - PE(p)|")}});
  lines.push_back({"", {plain("= √Σ 4 sin²(tθ/2)")}});
  std::vector<Part> terms;
  for (Index i = 0; i < table.theta.size(); ++i) {
    const double half = std::sin(static_cast<double>(t) * table.theta(i) / 2);
    terms.push_back({4 * half * half, fmt::format("4sin²({:.4g}) [{}]",
                                                  static_cast<double>(t) * table.theta(i) / 2, i)});
  }
  const std::string sum = add_sum(scene, std::move(terms), lines, distance < 0.01 ? 10 : 4);
  lines.push_back({"", {plain(fmt::format("√{} = {}", sum, short_number(distance)))}});
  return result;
}

// One of the four terms as products over the d_k numbers of query and key.
void add_term(const Scene& scene, Lines& lines) {
  const Pairs& pairs = *scene.model.pairs;
  const Index i = scene.model.query, j = scene.model.key;
  const MatrixD nothing = MatrixD::Zero(1, pairs.X.cols());
  const auto word = [&](Index k) -> MatrixD { return pairs.X.row(k); };
  const auto place = [&](Index k) -> MatrixD { return pairs.P.row(k); };
  const bool query_word =
      scene.p.term == Term::content_content || scene.p.term == Term::content_position;
  const bool key_word =
      scene.p.term == Term::content_content || scene.p.term == Term::position_content;
  const MatrixD left = query_word ? pairs.input(word(i), nothing) : pairs.input(nothing, place(i));
  const MatrixD right = key_word ? pairs.input(word(j), nothing) : pairs.input(nothing, place(j));
  const VectorD q = (left * pairs.W_q).transpose(), k = (right * pairs.W_k).transpose();
  lines.push_back({query_word ? (key_word ? "x·x" : "x·p") : (key_word ? "p·x" : "p·p"),
                   {plain("= Σ "),
                    {query_word ? "(xW_q)" : "(pW_q)", Role::query},
                    {key_word ? "(xW_k)" : "(pW_k)", Role::key}}});
  add_sum(scene, products(q, k), lines, 3);
}

}  // namespace

Explanation explain_shift(const Scene& scene) {
  const Parameters& p = scene.p;
  const MatrixD& map = scene.model.shift->map;
  Explanation result{scene.w("The picked entry of the map"), {}};
  Lines& lines = result.lines;
  lines.push_back({cell("M", p.map_row, p.map_column),
                   {{"= " + fixed(map(p.map_row, p.map_column), 6), Role::accent}}});
  lines.push_back({"", {sentence(entry_reason(scene))}});
  add_entry(scene, lines);
  if (!scene.has_row()) return result;
  const VectorD before = scene.table().row(scene.model.position);
  lines.push_back(
      {"",
       {sentence(scene.w.format("its row makes number {} of the moved encoding:", p.map_row))}});
  lines.push_back({fmt::format("[{}]", p.map_row), {plain("= Σ M PE")}});
  std::vector<Part> terms;
  for (Index c = 0; c < p.width; ++c) {
    if (map(p.map_row, c) == 0) continue;
    terms.push_back({map(p.map_row, c) * before(c),
                     fmt::format("{:.2f}·{:.2f} [{}]", map(p.map_row, c), before(c), c)});
  }
  if (terms.empty()) terms.push_back({0, "0"});
  add_sum(scene, std::move(terms), lines);
  const Index to = scene.model.position + p.offset;
  const bool inside = !p.grid() || (p.grid_x + p.offset >= 0 && p.grid_x + p.offset < p.grid_width);
  if (inside && scene.table().has(to)) {
    lines.push_back({fmt::format("PE[{},{}]", to, p.map_row),
                     {plain("= " + fixed(scene.table().row(to)(p.map_row), 6))}});
  }
  return result;
}

Explanation explain_similarity(const Scene& scene) {
  Explanation result{scene.w("The picked product of two encodings"), {}};
  Index other = 0;
  const double value = scene.has_row() ? other_similarity(scene, other) : 0;
  if (!scene.has_row() || !scene.table().has(other)) return no_row(scene, std::move(result.title));
  const Index p = scene.model.position;
  Lines& lines = result.lines;
  lines.push_back({cell("s", p, other), {{"= " + fixed(value, 4), Role::accent}}});
  if (scene.table().sinusoidal) {
    const auto t = static_cast<double>(other - p);
    lines.push_back({"", {plain("= Σ cos((q - p) θ)")}});
    lines.push_back({"q - p", {plain(fmt::format("= {} - {} = {}", other, p, other - p))}});
    add_sum(scene, cosines(scene.table().theta, t), lines);
    lines.push_back(
        {"",
         {sentence(scene.w("sin a sin b + cos a cos b = cos(a - b): only the distance is left"))}});
    return result;
  }
  if (scene.p.grid()) {
    lines.push_back({"", {plain("= Σ cos(Δx θ) + Σ cos(Δy θ)")}});
    const int dx = scene.p.other_x - scene.p.grid_x, dy = scene.p.other_y - scene.p.grid_y;
    std::vector<Part> terms;
    for (const auto& [distance, name] : {std::pair{dx, "x"}, std::pair{dy, "y"}}) {
      for (const Part& part : cosines(scene.table().theta, distance)) {
        terms.push_back({part.value, part.what + " " + name});
      }
    }
    add_sum(scene, std::move(terms), lines);
    return result;
  }
  lines.push_back({"", {plain("= Σ PE(p)[c] PE(q)[c]")}});
  add_sum(scene, products(scene.table().row(p), scene.table().row(other)), lines);
  return result;
}

Explanation explain_distance(const Scene& scene) {
  if (scene.p.show == Show::collisions) return explain_separation(scene);
  const Decay& decay = *scene.model.decay;
  const Index t = scene.p.lag;
  Explanation result{scene.w("The product at a distance"), {}};
  if (t >= decay.mean.size()) return no_row(scene, std::move(result.title));
  Lines& lines = result.lines;
  lines.push_back({fmt::format("t = {}", t), {{"= " + fixed(decay.mean(t), 4), Role::accent}}});
  if (decay.exact) {
    lines.push_back({"", {plain("= Σ cos(tθ)")}});
    add_sum(scene, cosines(scene.table().theta, static_cast<double>(t)), lines);
  } else {
    const Table& table = scene.table();
    lines.push_back(
        {"",
         {sentence(scene.w.format("the mean of {} pairs, from {:.4f} to {:.4f}:",
                                  table.P.rows() - t, decay.least(t), decay.largest(t)))}});
    std::vector<Part> terms;
    const auto count = static_cast<double>(table.P.rows() - t);
    for (Index k = 0; k + t < table.P.rows(); ++k) {
      const double product = table.P.row(k).dot(table.P.row(k + t));
      terms.push_back({product / count, fmt::format("{:.2f}/{} p={}", product, count, k)});
    }
    add_sum(scene, std::move(terms), lines);
  }
  lines.push_back({scene.w("envelope"),
                   {plain("= " + fixed(decay.envelope(t), 4)),
                    dim("  " + scene.w("the largest still to come"))}});
  return result;
}

Explanation explain_score(const Scene& scene) {
  const Pairs& pairs = *scene.model.pairs;
  const Index i = scene.model.query, j = scene.model.key;
  const core::AbsoluteTerms& t = pairs.terms;
  Explanation result{scene.w("The picked score"), {}};
  Lines& lines = result.lines;
  lines.push_back({cell("s", i, j), {{"= " + fixed(pairs.scores(i, j)), Role::accent}}});
  lines.push_back({"", {plain("= (x·x + x·p + p·x + p·p) / √d_k")}});
  const PrintedSum sum = printed_sum({t.content_content(i, j), t.content_position(i, j),
                                      t.position_content(i, j), t.position_position(i, j)});
  lines.push_back({"", {dim("  "), plain(sum.parts[0]), dim("  x·x")}});
  lines.push_back({"", {dim("+ "), plain(sum.parts[1]), dim("  x·p")}});
  lines.push_back({"", {dim("+ "), plain(sum.parts[2]), dim("  p·x")}});
  lines.push_back({"", {dim("+ "), plain(sum.parts[3]), dim("  p·p")}});
  lines.push_back(
      {"", {plain(fmt::format("= {} / √{} = {}", sum.sum, pairs.d_k, fixed(pairs.scores(i, j))))}});
  add_term(scene, lines);
  lines.push_back({"",
                   {sentence(scene.w.format("weight after the softmax: {:.3f}; words alone: {:.3f}",
                                            pairs.weights(i, j), pairs.content_weights(i, j)))}});
  return result;
}

Explanation explain_order(const Scene& scene) {
  const Order& order = *scene.model.order;
  const Index i = scene.model.query, j = scene.model.key;
  const auto place = [&](Index home) {
    return std::find(order.moved.begin(), order.moved.end(), home) - order.moved.begin();
  };
  Explanation result{
      scene.w.format("The weight of \"{}\" for \"{}\"", scene.word(j), scene.word(i)), {}};
  Lines& lines = result.lines;
  lines.push_back({cell("w", i, j),
                   {plain("= " + fixed(order.before(i, j), 6)),
                    dim("  " + scene.w.format("at places {} and {}", i, j))}});
  lines.push_back({cell("w'", place(i), place(j)),
                   {plain("= " + fixed(order.after_at_home(i, j), 6)),
                    dim("  " + scene.w.format("at places {} and {}", place(i), place(j)))}});
  lines.push_back(
      {"w' - w",
       {{"= " + short_number(order.after_at_home(i, j) - order.before(i, j)), Role::accent}}});
  const Pairs& pairs = *scene.model.pairs;
  const VectorD row = order.before.row(i).transpose();
  lines.push_back({"",
                   {sentence(scene.w.format("the first output number of \"{}\" before, Σ w x:",
                                            scene.word(i)))}});
  std::vector<Part> terms;
  for (Index k = 0; k < pairs.n(); ++k) {
    terms.push_back({row(k) * pairs.X(k, 0),
                     fmt::format("{:.2f}·{:.2f} {}", row(k), pairs.X(k, 0), scene.word(k))});
  }
  add_sum(scene, std::move(terms), lines);
  lines.push_back(
      {"", {sentence(scene.w.format("after: {}", fixed(order.output_after(i, 0), 4)))}});
  lines.push_back({"",
                   {sentence(scene.p.with_position
                                 ? scene.w("the words met other positions, so their scores changed")
                                 : scene.w("the same words meet: the same scores, elsewhere"))}});
  return result;
}

Explanation explain(const Scene& scene) {
  switch (scene.explained()) {
    case Explain::shift:
      return explain_shift(scene);
    case Explain::similarity:
      return explain_similarity(scene);
    case Explain::distance:
      return explain_distance(scene);
    case Explain::score:
      return explain_score(scene);
    case Explain::order:
      return explain_order(scene);
    case Explain::cell:
      break;
  }
  return explain_cell(scene);
}

}  // namespace lab::absolute
