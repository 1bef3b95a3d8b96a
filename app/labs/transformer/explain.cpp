// The picked number unfolded: what it is made of, in the numbers of this pass.
#include "app/labs/shared/derivation/position_derivation.h"
#include "app/labs/transformer/page.h"
#include "core/position/relative/alibi.h"
#include "core/position/relative/t5.h"

namespace lab::transformer {
namespace {

// One picked cell on its way into words.
class Unfolding {
 public:
  explicit Unfolding(const Scene& scene)
      : scene_(scene),
        spot_(scene.picked_spot()),
        t_(scene.picked()),
        i_(scene.row(t_)),
        j_(scene.col(t_)),
        d_(scene.w) {}

  Explanation explain() {
    write();
    return {tensor_title(scene_, t_), d_.take()};
  }

 private:
  const Pass& pass() const { return spot_.pass; }
  double value() const { return t_.of(head())(i_, j_); }
  Index head() const { return t_.of_heads ? scene_.head() : 0; }
  std::string cell(std::string_view letter) const {
    return fmt::format("{}[{},{}]", letter, i_, j_);
  }
  MatrixD sub(const char* name) const { return pass().tokens(spot_.in_sub() + name); }

  void write() {
    const Part part = t_.part;
    switch (spot_.info().kind) {
      case Kind::input: return input(part);
      case Kind::attention: return attention(part);
      case Kind::norm:
        if (part == Part::moments) return moments();
        return part == Part::sum
                   ? sum()
                   : norm(pass().tokens(spot_.before_norm()), spot_.norm_parameters());
      case Kind::forward: return forward(part);
      case Kind::output: return output(part);
      case Kind::out:
      case Kind::none: return out();
    }
  }

  // A sum of products, and what is left of it: x[i,:] W[:,j].
  void products(std::string name, std::string_view formula, std::vector<double> left,
                std::vector<double> right, Color left_color = Role::text,
                Color right_color = Role::text) {
    d_.about_picked(std::move(name), value(), 4);
    d_.next(std::string(formula));
    d_.products({.left = std::move(left),
                 .right = std::move(right),
                 .left_color = left_color,
                 .right_color = right_color,
                 .digits = 0});
  }
  void no_bias(std::string_view letter) {
    d_.say(scene_.w.format("{} begins at 0 and adds nothing yet.", letter));
  }

  // A parameter: nothing lies behind it but the seed.
  void drawn(std::string name, const std::string& parameter) {
    const core::model::Parameter* found = pass().layout.find(parameter);
    d_.about_picked(std::move(name), value(), 4);
    d_.say(
        scene_.w.format("a parameter, \"{}\"; before training its {} numbers are drawn about 0, "
                        "with seed {}",
                        parameter, found->slot.size(), scene_.p.seed));
    const double s = found->start.scale;
    d_.is(scene_.w("deviation"), equated(s, significant(s, 4)));
  }

  void input(Part part) {
    const auto& ids = spot_.info().decoder ? spot_.texts.target : spot_.texts.source;
    if (part == Part::table) return drawn(cell("E"), "embedding");
    const MatrixD embedded = pass().tokens(spot_.side() + ".embedded");
    const MatrixD placed = pass().tokens(spot_.side() + ".placed");
    if (part != Part::embedded && scheme() == Scheme::complex) {
      if (part == Part::positions) return turned_less(embedded);
      explain_rotated(cell("x"), turned_number(embedded, ids[to_size(i_)]), scene_.w, d_);
      return embedding(embedded(i_, j_), ids[to_size(i_)]);
    }
    if (part == Part::positions) return position(placed(i_, j_) - embedded(i_, j_));
    if (part == Part::result) {
      d_.about_picked(cell("x"), value(), 4);
      d_.is("", scene_.w("= embedding + position"));
      d_.about(fmt::format("{} + {}", fixed(embedded(i_, j_), 5),
                           bracketed(fixed(placed(i_, j_) - embedded(i_, j_), 5))));
    }
    embedding(embedded(i_, j_), ids[to_size(i_)]);
    if (part == Part::result) position(placed(i_, j_) - embedded(i_, j_));
  }

  Scheme scheme() const { return pass().form.positions.scheme; }
  RotatedNumber turned_number(const MatrixD& embedded, std::int32_t id) const {
    const Index pair = j_ / 2 * 2;
    return {.real = embedded(i_, pair + 1),
            .imaginary = embedded(i_, pair),
            .frequency = pass().parameter("frequency")(id, j_ / 2),
            .place = i_,
            .of_real = j_ % 2 == 1};
  }
  // What turning changes.
  void turned_less(const MatrixD& embedded) {
    const double after = pass().tokens(spot_.side() + ".placed")(i_, j_);
    d_.about_picked(cell("P"), value(), 4);
    d_.is("", scene_.w("= turned - embedding"));
    d_.about(fmt::format("{} - {}", fixed(after, 5), bracketed(fixed(embedded(i_, j_), 5))));
  }

  void embedding(double value, std::int32_t id) {
    const double entry = pass().parameter("embedding")(id, j_);
    const Index d = pass().form.layer.d_model;
    const std::string name = cell("e");
    if (t_.part == Part::embedded) {
      d_.about_picked(name, value, 4);
    } else {
      d_.about(name, value, 5);
    }
    if (pass().form.scaled) {
      d_.next(fmt::format("√d_model · E[{},{}]", id, j_));
      d_.about(fmt::format("√{} · {}", d, bracketed(fixed(entry, 7))));
    } else {
      d_.next(fmt::format("E[{},{}]", id, j_));
    }
    d_.say(scene_.w.format("row {} of the table is that of the word \"{}\"", id,
                           spot_.texts.words[to_size(id)]));
  }

  void position(double value) {
    const std::string name = cell("P");
    d_.about(name, value, 5);
    if (scheme() == Scheme::sinusoidal) {
      const Index d = pass().form.layer.d_model, pair = j_ / 2 * 2;
      d_.about(fmt::format("{}({} / 10000^({}/{}))", j_ % 2 == 0 ? "sin" : "cos", i_, pair, d));
    } else if (scheme() == Scheme::learned) {
      d_.say(scene_.w("a learned table, before training drawn about 0"));
    } else {
      d_.say(scene_.w("This scheme adds nothing to embeddings: heads know the places instead."));
    }
  }

  // --- attention

  // The numbers of `letter` before they are turned, where they are.
  void projection(const char* letter, const char* name, const std::string& from, Role role) {
    const MatrixD x = pass().tokens(from);
    const MatrixD W = pass().parameter(spot_.in_sub() + name + ".weight");
    const bool turns =
        pass().form.positions.scheme == Scheme::rotary && !spot_.cross() && role != Role::value;
    if (!turns) {
      products(cell(letter), fmt::format("Σ x[{},c] W_{}[c,{}]", i_, letter, j_),
               doubles(x.row(i_)), doubles(W.col(j_)), Role::text, role);
      no_bias("b");
      return course(x, W);
    }
    const MatrixD plain = x * W;
    const Index pair = j_ / 2 * 2, within = pair % pass().d_k();
    const double theta =
        std::pow(10000.0, -to_double(within) / to_double(pass().d_k())) * to_double(i_);
    const double a = plain(i_, pair), b = plain(i_, pair + 1);
    d_.about_picked(cell(letter), value(), 4);
    d_.is("", j_ % 2 == 0 ? "= a cos φ - b sin φ" : "= a sin φ + b cos φ");
    const auto of = [](double v) { return bracketed(fixed(v, 6)); };
    d_.about(j_ % 2 == 0 ? fmt::format("{}·cos({}) - {}·sin({})", of(a), fixed(theta, 6), of(b),
                                       fixed(theta, 6))
                         : fmt::format("{}·sin({}) + {}·cos({})", of(a), fixed(theta, 6), of(b),
                                       fixed(theta, 6)));
    d_.say(scene_.w.format("RoPE turns numbers {} and {} of token {} by φ", pair, pair + 1, i_));
    d_.is("φ", fmt::format("≈ {} / 10000^({}/{})", i_, within, pass().d_k()));
    d_.about(theta, 6);
    d_.begin("a", fmt::format("Σ x[{},c] W_{}[c,{}]", i_, letter, pair));
    d_.products({.left = x.row(i_),
                 .right = W.col(pair),
                 .left_color = Role::text,
                 .right_color = role,
                 .digits = 0});
    d_.about(a, 4);
  }

  // The number with the largest term of what the heads are given, with the course in it.
  void course(const MatrixD& x, const MatrixD& weight) {
    if (!spot_.has_course()) return;
    Index c = 0;
    x.row(i_).transpose().cwiseProduct(weight.col(j_)).cwiseAbs().maxCoeff(&c);
    const FlowCourse of = course_of(pass().layout, pass().values, spot_.side() + ".flow.",
                                    pass().head(spot_.side() + ".flow", spot_.layer),
                                    pass().form.positions.flow_delta);
    const double p = of.places(i_, c);
    d_.begin(fmt::format("x[{},{}]", i_, c), "f + p");
    d_.about(fmt::format("{} + {}", fixed(x(i_, c) - p, 5), bracketed(fixed(p, 5))));
    d_.about(x(i_, c), 4);
    explain_course("p", of, i_, c, scene_.w, d_);
    d_.say(
        scene_.w("x is what comes up, f, with the course p of FLOATER at this place; the number of "
                 "the largest term is worked out."));
  }

  // q and k of the picked pair in the picked head.
  std::vector<double> query() const {
    const MatrixD q = sub("queries");
    const Index d_k = pass().d_k();
    return doubles(q.middleCols(head() * d_k, d_k).row(i_));
  }
  std::vector<double> key() const {
    const MatrixD k = sub("keys");
    const Index d_k = pass().d_k(), group = pass().heads() / pass().key_heads();
    return doubles(k.middleCols(head() / group * d_k, d_k).row(j_));
  }

  // What the score of the picked pair is made of.
  void score(std::string name, double value) {
    const MatrixD bias = pass().head(spot_.in_sub() + "bias", head());
    const std::vector<double> q = query(), k = key();
    const double dot = std::inner_product(q.begin(), q.end(), k.begin(), 0.0);
    d_.is(std::move(name), bias.size() > 0 ? "= q·k / √d_k + bias" : "= q·k / √d_k");
    std::string line = fmt::format("{} / √{}", fixed(dot, 4), pass().d_k());
    if (bias.size() > 0) line += fmt::format(" + {}", bracketed(fixed(bias(i_, j_), 4)));
    d_.about(std::move(line));
    d_.about(value, 4);
    d_.product("q·k", {.left = q, .right = k, .digits = 0});
    if (bias.size() > 0) distance(q);
  }

  // What is added to the scaled score of the picked pair.
  void distance(const std::vector<double>& q) {
    const auto& w = scene_.w;
    const core::model::PositionForm& form = pass().form.positions;
    const Index places = std::abs(j_ - i_);
    if (form.scheme == Scheme::alibi) {
      const double slope = core::alibi_slopes(pass().heads())(head());
      d_.begin(w("bias"), fmt::format("-m·|j - i| = -{}·{}", significant(slope), places));
      d_.say(w.format("m is the slope of head {}: nothing of it is learned", head() + 1));
    } else if (form.scheme == Scheme::t5) {
      const core::T5Buckets bucket({.bidirectional = !spot_.causal(),
                                    .buckets = form.buckets,
                                    .max_distance = form.farthest});
      d_.begin(w("bias"), fmt::format("b[{},{}]", bucket(j_ - i_), head()));
      d_.say(
          w.format("{} places apart are bucket {} of the learned table, which has a number for "
                   "each head and begins at 0",
                   j_ - i_, bucket(j_ - i_)));
    } else if (form.scheme == Scheme::relative) {
      const Index clipped = std::clamp(j_ - i_, -form.clip, form.clip);
      const MatrixD table = pass().parameter(spot_.side() + ".distance");
      d_.begin(w("bias"), fmt::format("q·a[{}] / √{}", clipped, pass().d_k()));
      const std::string dot = d_.product(
          "q·a", {.left = q, .right = table.row(clipped + form.clip), .right_name = "a"});
      d_.is(w("bias"), fmt::format("≈ {} / √{}", bracketed(dot), pass().d_k()));
      d_.say(w("a is the learned key of this distance, the same for all heads"));
    }
  }

  void attention(Part part) {
    const std::string given = spot_.given(), looked = spot_.looked_at();
    switch (part) {
      case Part::query_weight: return drawn(cell("W_Q"), spot_.in_sub() + "query.weight");
      case Part::key_weight: return drawn(cell("W_K"), spot_.in_sub() + "key.weight");
      case Part::value_weight: return drawn(cell("W_V"), spot_.in_sub() + "value.weight");
      case Part::output_weight: return drawn(cell("W_O"), spot_.in_sub() + "output.weight");
      case Part::queries: return projection("Q", "query", given, Role::query);
      case Part::keys: return projection("K", "key", looked, Role::key);
      case Part::values: return projection("V", "value", looked, Role::value);
      case Part::scores:
      case Part::weights: return pair(part);
      case Part::heads: return weighted();
      default: break;
    }
    products(cell("y"), fmt::format("Σ heads[{},c] W_O[c,{}]", i_, j_),
             doubles(sub("heads").row(i_)),
             doubles(pass().parameter(spot_.in_sub() + "output.weight").col(j_)));
    no_bias("b_O");
  }

  void pair(Part part) {
    const auto& w = scene_.w;
    const std::string letter = part == Part::weights ? "w" : "s";
    if (std::isnan(value()) || (spot_.causal() && j_ > i_)) {
      d_.picked(cell("w"), "0");
      d_.say(w.format("masked: key {} comes after query {}; its weight is exactly 0", j_, i_));
      return;
    }
    const Tensor scores = tensor(spot_, Part::scores);
    const MatrixD& s = scores.of(head());
    if (part == Part::scores) {
      d_.about_picked(cell("s"), value(), 4);
      return score(cell("s"), value());
    }
    SoftmaxRow row{.scores = s.row(i_), .picked = to_size(j_), .name = {}};
    const Labels names = spot_.key_names();
    row.name = [names](std::size_t k) { return (*names)[k]; };
    for (const double one : row.scores) row.allowed.push_back(!std::isnan(one));
    for (double& one : row.scores) {
      if (std::isnan(one)) one = 0;
    }
    d_.weight(cell("w"), row);
    score("s", s(i_, j_));
    d_.normalizer(row);
    if (spot_.cross()) {
      d_.say(w("No mask: a token that is written may look at every token that was read."));
    }
  }

  void weighted() {
    const Index d_k = pass().d_k(), group = pass().heads() / pass().key_heads();
    const Index of = j_ / d_k, value_col = of / group * d_k + j_ % d_k;
    const MatrixD weights = pass().head(spot_.mixed(), of);
    products(cell("o"), fmt::format("Σ w[{},j] V[j,{}]", i_, value_col), doubles(weights.row(i_)),
             doubles(sub("values").col(value_col)), Role::accent, Role::value);
    d_.say(scene_.w.format("column {} belongs to head {}: a sum over the keys, by its weights", j_,
                           of + 1));
    if (pass().has(spot_.in_sub() + "mixed")) {
      d_.say(
          scene_.w("w is the weight times URPE's learned factor of the distance, which begins at "
                   "1."));
    }
  }

  // --- the rest

  void sum() {
    const double made = pass().tokens(spot_.made())(i_, j_);
    d_.about_picked(cell("y"), value(), 4);
    if (!spot_.adds()) {
      d_.next("f(x)");
      d_.say(scene_.w("There is no residual line: what the part makes is all there is."));
      return;
    }
    d_.next("x + f(x)");
    d_.about(fmt::format("{} + {}", fixed(pass().tokens(spot_.stream())(i_, j_), 5),
                         bracketed(fixed(made, 5))));
  }

  void moments() {
    const std::vector<double> x = doubles(pass().tokens(spot_.before_norm()).row(i_));
    const double count = to_double(x.size());
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / count;
    const bool squared = j_ == 1;
    std::vector<Derivation::Term> terms;
    double sum = 0;
    for (const double one : x) {
      const double term = squared ? (one - mean) * (one - mean) : one;
      sum += term;
      terms.push_back({bracketed(fixed(term, 4)), ""});
    }
    if (squared) {
      d_.about_picked(fmt::format("σ[{}]", i_), value(), 4);
      d_.next("√(Σ (x - μ)² / d + ε)");
      d_.about(fmt::format("√({} / {} + 0.00001)", fixed(sum, 4), x.size()));
      d_.about("μ", mean, 6);
    } else {
      d_.about_picked(fmt::format("μ[{}]", i_), value(), 4);
      d_.next("Σ x / d");
      d_.about(fmt::format("{} / {}", bracketed(fixed(sum, 4)), x.size()));
    }
    d_.about("Σ", sum, 4);
    d_.terms(terms);
  }

  void norm(const MatrixD& x, const std::string& parameters) {
    const VectorD row = x.row(i_).transpose();
    const double mean = row.mean(), variance = (row.array() - mean).square().mean();
    const double scale = std::sqrt(variance + kEpsilon);
    const double gain = pass().parameter(parameters + "gain")(0, j_);
    const double shift = pass().parameter(parameters + "shift")(0, j_);
    d_.about_picked(cell("y"), value(), 4);
    d_.next("(x - μ) / √(σ² + ε) · γ + β");
    d_.about(fmt::format("({} - {}) / {} · {} + {}", fixed(row(j_), 6), bracketed(fixed(mean, 6)),
                         fixed(scale, 6), significant(gain), significant(shift)));
    d_.say(scene_.w.format("mean and variance are those of the {} numbers of token {} alone",
                           row.size(), i_));
    d_.about("μ", mean, 6);
    d_.about("σ²", variance, 6);
    d_.begin("ε", "0.00001");
    d_.is("√", fmt::format("≈ √({} + 0.00001)", fixed(variance, 6)));
    d_.about(scale, 6);
  }

  void forward(Part part) {
    const std::string sub_name = spot_.in_sub();
    switch (part) {
      case Part::up_weight: return drawn(cell("W_1"), sub_name + "up.weight");
      case Part::down_weight: return drawn(cell("W_2"), sub_name + "down.weight");
      case Part::up:
        products(cell("u"), fmt::format("Σ x[{},c] W_1[c,{}]", i_, j_),
                 doubles(pass().tokens(spot_.given()).row(i_)),
                 doubles(pass().parameter(sub_name + "up.weight").col(j_)));
        return no_bias("b_1");
      case Part::active: return active(sub("up")(i_, j_));
      default: break;
    }
    products(cell("y"), fmt::format("Σ f[{},c] W_2[c,{}]", i_, j_), doubles(sub("active").row(i_)),
             doubles(pass().parameter(sub_name + "down.weight").col(j_)));
    no_bias("b_2");
  }

  void active(double u) {
    d_.about_picked(cell("f"), value(), 4);
    const std::string text = fixed(u, 5);
    switch (pass().form.layer.feed_forward.function) {
      case Activation::relu:
        d_.next("max(u, 0)");
        d_.about(fmt::format("max({}, 0)", text));
        break;
      case Activation::gelu:
        d_.next("u·Φ(u)");
        d_.say(scene_.w("Φ: the normal distribution's share below u"));
        break;
      default:
        d_.next("u / (1 + exp(-u))");
        d_.about(fmt::format("{} / (1 + exp(-({})))", bracketed(text), text));
    }
    d_.is(cell("u"), "≈ " + text);
  }

  void output(Part part) {
    const MatrixD logits = pass().tokens("decoder.logits");
    const auto& words = spot_.texts.words;
    if (part == Part::logits) {
      products(cell("z"), fmt::format("Σ out[{},c] E[{},c]", i_, j_),
               doubles(pass().tokens("decoder.out").row(i_)),
               doubles(pass().parameter("embedding").row(j_)));
      d_.say(scene_.w("The output layer is the table of embeddings once more (tied)."));
      return;
    }
    SoftmaxRow row{.scores = logits.row(i_), .picked = to_size(j_), .name = {}};
    row.name = [&words](std::size_t k) { return words[k]; };
    row.score = "z";
    d_.softmax(cell("p"), row);
    d_.about("z", logits(i_, j_), 5);
  }

  void out() {
    const TransformerNorm last = last_norm();
    if (last.normed) return norm(last.before, spot_.side() + ".norm.");
    d_.about_picked(cell("y"), value(), 4);
    d_.say(scene_.w("what the last layer leaves behind, as it is"));
  }

  struct TransformerNorm {
    bool normed;
    MatrixD before;
  };
  TransformerNorm last_norm() const {
    if (!spot_.norm_first()) return {false, {}};
    const Index last = scene_.layers(spot_.info().decoder) - 1;
    return {true, pass().tokens(fmt::format("{}.{}.out", spot_.side(), last))};
  }

  const Scene& scene_;
  Spot spot_;
  Tensor t_;
  Index i_, j_;
  Derivation d_;
};

}  // namespace

Explanation explain_tensor(const Scene& scene) { return Unfolding(scene).explain(); }

Explanation explain(const Scene& scene) {
  switch (scene.p.explain) {
    case Explained::tensor: return scene.p.backward ? explain_slope(scene) : explain_tensor(scene);
    case Explained::norm: return explain_norm(scene);
    case Explained::depth: return explain_depth(scene);
    case Explained::count: break;
  }
  return explain_count(scene);
}

}  // namespace lab::transformer
