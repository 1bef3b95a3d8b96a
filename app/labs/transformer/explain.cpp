// The picked number unfolded: what it is made of, in the numbers of this pass.
#include "app/labs/transformer/explain.h"
#include "app/labs/shared/derivation/position_derivation.h"
#include "core/position/relative/alibi.h"
#include "core/position/relative/t5.h"

namespace lab::transformer {
namespace {

class Unfolding : PickedCell {
 public:
  explicit Unfolding(const Scene& scene) : PickedCell(scene, scene.picked()) {}

  Explanation explain() {
    write();
    return {tensor_title(scene_, t_), d_.take()};
  }

 private:
  void write() {
    if (t_.learned) return drawn();
    switch (spot_.block) {
      case Kind::input: return input();
      case Kind::attention: return attention();
      case Kind::norm:
        if (t_.part == Part::moments) return moments();
        return t_.part == Part::sum ? sum() : norm(spot_.before_norm(), spot_.norm());
      case Kind::feed_forward:
        if (t_.part == Part::up) return linear("u", "x", "W_1", "b_1");
        return t_.part == Part::active ? active() : linear("y", "f", "W_2", "b_2");
      case Kind::output: return t_.part == Part::logits ? logits() : probabilities();
      case Kind::out: return out();
    }
  }

  core::model::PassTerms terms(Index column) const {
    return *core::model::value_terms(pass(), spot_, t_.part, i_, column);
  }
  // A sum of products, and what is left of it.
  void sum_of(const char* letter, std::string formula, Color left = Role::text,
              Color right = Role::text) {
    const auto [x, w] = terms(j_);
    d_.about_picked(cell(letter), value(), 4).next(std::move(formula));
    products(x, w, left, right);
  }

  // y = x W + b, how they are called.
  void linear(const char* y, const char* x, const char* weight, const char* bias) {
    if (core::model::is_rotated(spot_, t_.part)) return rotated(y, weight);
    sum_of(y, fmt::format("Σ {}[{},c] {}[c,{}]", x, i_, weight, j_), Role::text,
           role_of(t_.part).value_or(Role::text));
    d_.say(w_.format("{} begins at 0 and adds nothing yet.", bias));
    if (role_of(t_.part) && spot_.has_course()) course(terms(j_));
  }

  void rotated(const char* letter, const char* weight) {
    const Index pair = j_ / 2 * 2;
    const auto [x, w] = terms(pair);
    const double b = x.dot(terms(pair + 1).right);
    const RopeNumber number{x.dot(w), b, i_, j_, pass().d_k(), pass().form.positions.base};
    d_.about_picked(cell(letter), value(), 4);
    d_.is("", number.first() ? "= a cos φ - b sin φ" : "= a sin φ + b cos φ");
    d_.about(number.sum_text());
    d_.say(w_.format("RoPE turns numbers {} and {} of token {} by φ", pair, pair + 1, i_));
    d_.is("φ", "≈ " + number.angle_text()).about(number.angle(), 6);
    d_.begin("a", fmt::format("Σ x[{},c] {}[c,{}]", i_, weight, pair));
    products(x, w, Role::text, *role_of(t_.part));
    d_.about(number.a, 4);
  }

  // A parameter: nothing lies behind it but the seed.
  void drawn() {
    const core::model::Parameter* found = pass().layout.find(t_.name);
    d_.about_picked(cell(t_.symbol), value(), 4);
    d_.say(w_.format(
        "a parameter, \"{}\"; before training its {} numbers are drawn about 0, with seed {}",
        t_.name, found->slot.size(), scene_.p.seed));
    const double s = found->start.scale;
    d_.is(w_("deviation"), equated(s, significant(s, 4)));
  }

  void input() {
    const std::int32_t id =
        (spot_.decoder ? spot_.texts.ids.target : spot_.texts.ids.source)[to_size(i_)];
    const MatrixD embedded = tokens(spot_.side() + ".embedded");
    const double placed = tokens(spot_.side() + ".placed")(i_, j_), own = embedded(i_, j_);
    const bool whole = t_.part == Part::result;
    if (t_.part != Part::embedded && scheme() == Scheme::complex) {
      if (!whole) return without_embedding(placed, own);
      explain_rotated(
          cell("x"),
          rotated_number(embedded.row(i_), pass().parameter("frequency").row(id), i_, j_), w_, d_);
      return embedding(own, id);
    }
    if (t_.part == Part::positions) return position(placed - own);
    if (whole) {
      d_.about_picked(cell("x"), value(), 4);
      d_.is("", w_("= embedding + position"));
      d_.about(fmt::format("{} + {}", fixed(own, 5), bracketed(fixed(placed - own, 5))));
    }
    embedding(own, id);
    if (whole) position(placed - own);
  }

  // What rotation changes.
  void without_embedding(double placed, double embedded) {
    d_.about_picked(cell("P"), value(), 4);
    d_.is("", w_("= rotated - embedding"));
    d_.about(fmt::format("{} - {}", fixed(placed, 5), bracketed(fixed(embedded, 5))));
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
    d_.say(w_.format("row {} of the table is that of the word \"{}\"", id,
                     spot_.texts.words[to_size(id)]));
  }

  void position(double value) {
    const std::string name = cell("P");
    d_.about(name, value, 5);
    if (scheme() == Scheme::sinusoidal) {
      d_.about(sinusoidal_text(i_, j_, pass().form.layer.d_model));
    } else if (scheme() == Scheme::learned) {
      d_.say(w_("a learned table, before training drawn about 0"));
    } else {
      d_.say(w_("This scheme adds nothing to embeddings: heads know the places instead."));
    }
  }

  // --- attention

  void attention() {
    switch (t_.part) {
      case Part::queries: return linear("Q", "x", "W_Q", "b");
      case Part::keys: return linear("K", "x", "W_K", "b");
      case Part::values: return linear("V", "x", "W_V", "b");
      case Part::heads: return weighted();
      case Part::result: return linear("y", "heads", "W_O", "b_O");
      default: return pair();
    }
  }

  // The number with the largest term of what the heads are given, with the course in it.
  void course(const core::model::PassTerms& terms) {
    Index c = 0;
    terms.left.cwiseProduct(terms.right).cwiseAbs().maxCoeff(&c);
    const double x = terms.left(c);
    const FlowCourse of = course_of(pass().layout, pass().values, spot_.side() + ".flow.",
                                    pass().head(spot_.side() + ".flow", spot_.layer),
                                    pass().form.positions.flow_delta);
    const double p = of.places(i_, c);
    d_.begin(fmt::format("x[{},{}]", i_, c), "f + p");
    d_.about(fmt::format("{} + {}", fixed(x - p, 5), bracketed(fixed(p, 5))));
    d_.about(x, 4);
    explain_course("p", of, i_, c, w_, d_);
    d_.say(
        w_("x is what comes up, f, with the course p of FLOATER at this place; the number of the "
           "largest term is worked out."));
  }

  // What the score of the picked pair is made of.
  void score(std::string name, double value) {
    const MatrixD bias = pass().head(in_part("bias"), head());
    const VectorD q = pass().head_columns(in_part("queries"), head()).row(i_);
    const VectorD k = pass().head_columns(in_part("keys"), head()).row(j_);
    d_.is(std::move(name), bias.size() > 0 ? "= q·k / √d_k + bias" : "= q·k / √d_k");
    std::string line = fmt::format("{} / √{}", fixed(q.dot(k), 4), pass().d_k());
    if (bias.size() > 0) line += fmt::format(" + {}", bracketed(fixed(bias(i_, j_), 4)));
    d_.about(std::move(line)).about(value, 4);
    d_.product("q·k", {.left = q, .right = k, .digits = 0});
    if (bias.size() > 0) distance(q);
  }

  // What is added to the scaled score of the picked pair.
  void distance(const VectorD& q) {
    const core::model::PositionForm& form = pass().form.positions;
    const Index places = std::abs(j_ - i_);
    if (form.scheme == Scheme::alibi) {
      const double slope = core::alibi_slopes(pass().heads())(head());
      d_.begin(w_("bias"), fmt::format("-m·|j - i| = -{}·{}", significant(slope), places));
      d_.say(w_.format("m is the slope of head {}: nothing of it is learned", head() + 1));
    } else if (form.scheme == Scheme::t5) {
      const core::T5Buckets bucket({.bidirectional = !spot_.causal(),
                                    .buckets = form.buckets,
                                    .max_distance = form.farthest});
      d_.begin(w_("bias"), fmt::format("b[{},{}]", bucket(j_ - i_), head()));
      d_.say(
          w_.format("j - i = {} is in bucket {} of the learned table, which has a number for each "
                    "head and begins at 0",
                    j_ - i_, bucket(j_ - i_)));
    } else if (form.scheme == Scheme::relative) {
      const Index clipped = std::clamp(j_ - i_, -form.clip, form.clip);
      const MatrixD table = pass().parameter(spot_.side() + ".distance");
      d_.begin(w_("bias"), fmt::format("q·a[{}] / √{}", clipped, pass().d_k()));
      const std::string dot = d_.product(
          "q·a", {.left = q, .right = table.row(clipped + form.clip), .right_name = "a"});
      d_.is(w_("bias"), fmt::format("≈ {} / √{}", bracketed(dot), pass().d_k()));
      d_.say(w_("a is the learned key of this distance, the same for all heads"));
    }
  }

  void pair() {
    if (std::isnan(value()) || (spot_.causal() && j_ > i_)) {
      d_.picked(cell("w"), "0");
      d_.say(w_.format("masked: key {} comes after query {}; its weight is exactly 0", j_, i_));
      return;
    }
    if (t_.part == Part::scores) {
      d_.about_picked(cell("s"), value(), 4);
      return score(cell("s"), value());
    }
    const Labels names = spot_.key_names();
    SoftmaxRow row{.scores = pass().scores(spot_.prefix(), head()).row(i_),
                   .picked = to_size(j_),
                   .name = [names](std::size_t k) { return (*names)[k]; }};
    const double own = row.scores[row.picked];
    for (std::size_t k = 0; k < row.scores.size(); ++k) {
      row.allowed.push_back(!spot_.causal() || k <= to_size(i_));
      if (!row.allowed.back()) row.scores[k] = 0;
    }
    d_.weight(cell("w"), row);
    score("s", own);
    d_.normalizer(row);
    if (spot_.cross()) {
      d_.say(w_("No mask: a token that is written may look at every token that was read."));
    }
  }

  void weighted() {
    const Index d_k = pass().d_k(), of = j_ / d_k;
    const Index column = of * pass().key_heads() / pass().heads() * d_k + j_ % d_k;
    sum_of("o", fmt::format("Σ w[{},j] V[j,{}]", i_, column), Role::accent, Role::value);
    d_.say(
        w_.format("column {} belongs to head {}: a sum over the keys, by its weights", j_, of + 1));
    if (pass().has(in_part("mixed"))) {
      d_.say(w_("w is the weight times URPE's learned factor of the distance, which begins at 1."));
    }
  }

  // --- the rest

  void sum() {
    d_.about_picked(cell("y"), value(), 4);
    if (!spot_.adds()) {
      d_.next("f(x)");
      d_.say(w_("There is no residual connection: what the part makes is all there is."));
      return;
    }
    d_.next("x + f(x)");
    d_.about(fmt::format("{} + {}", fixed(tokens(spot_.stream())(i_, j_), 5),
                         bracketed(fixed(tokens(spot_.made())(i_, j_), 5))));
  }

  void moments() {
    const VectorD x = tokens(spot_.before_norm()).row(i_);
    const double mean = x.mean();
    const bool squared = j_ == 1;
    const VectorD summed = squared ? VectorD((x.array() - mean).square()) : x;
    const std::string sum = fixed(summed.sum(), 4);
    if (squared) {
      d_.about_picked(fmt::format("σ[{}]", i_), value(), 4);
      d_.next("√(Σ (x - μ)² / d + ε)");
      d_.about(fmt::format("√({} / {} + 0.00001)", sum, x.size()));
      d_.about("μ", mean, 6);
    } else {
      d_.about_picked(fmt::format("μ[{}]", i_), value(), 4);
      d_.next("Σ x / d");
      d_.about(fmt::format("{} / {}", bracketed(sum), x.size()));
    }
    d_.is("Σ", "≈ " + sum);
    d_.terms(each(summed, [](double one) {
      return Derivation::Term{bracketed(fixed(one, 4)), ""};
    }));
  }

  // scope: of its parameters.
  void norm(const std::string& from, const std::string& scope) {
    const VectorD row = tokens(from).row(i_);
    const core::model::NormMoments of = core::model::norm_moments(row);
    d_.about_picked(cell("y"), value(), 4);
    d_.next("(x - μ) / √(σ² + ε) · γ + β");
    d_.about(fmt::format("({} - {}) / {} · {} + {}", fixed(row(j_), 6),
                         bracketed(fixed(of.mean, 6)), fixed(of.scale, 6),
                         significant(pass().parameter(scope + "gain")(0, j_)),
                         significant(pass().parameter(scope + "shift")(0, j_))));
    d_.say(w_.format("mean and variance are those of the {} numbers of token {} alone", row.size(),
                     i_));
    d_.about("μ", of.mean, 6);
    explain_scale(of, "σ²", d_);
  }

  void active() {
    const double u = own(Part::up);
    d_.about_picked(cell("f"), value(), 4);
    const std::string text = fixed(u, 5);
    switch (pass().form.layer.feed_forward.function) {
      case Activation::relu:
        d_.next("max(u, 0)");
        d_.about(fmt::format("max({}, 0)", text));
        break;
      case Activation::gelu:
        d_.next("u·Φ(u)");
        d_.say(w_("Φ: the normal distribution's share below u"));
        break;
      default:
        d_.next("u / (1 + exp(-u))");
        d_.about(fmt::format("{} / (1 + exp(-({})))", bracketed(text), text));
    }
    d_.is(cell("u"), "≈ " + text);
  }

  void logits() {
    sum_of("z", fmt::format("Σ out[{},c] E[{},c]", i_, j_));
    d_.say(w_("The output layer is the table of embeddings once more (tied)."));
  }

  void probabilities() {
    const auto& words = spot_.texts.words;
    const SoftmaxRow row{.scores = tokens("decoder.logits").row(i_),
                         .picked = to_size(j_),
                         .name = [&words](std::size_t k) { return words[k]; },
                         .score = "z"};
    d_.softmax(cell("p"), row).about("z", row.scores[row.picked], 5);
  }

  // What the stack lets out: where norms come first, its own norm of the last layer's output.
  void out() {
    if (spot_.norm_first()) {
      const Index last = scene_.layers(spot_.decoder) - 1;
      return norm(fmt::format("{}.{}.out", spot_.side(), last), spot_.side() + ".norm.");
    }
    d_.about_picked(cell("y"), value(), 4);
    d_.say(w_("what the last layer leaves behind, as it is"));
  }
};

}  // namespace

Explanation explain(const Scene& scene) {
  switch (scene.p.explain) {
    case Explained::tensor:
      return scene.p.backward ? explain_gradient(scene) : Unfolding(scene).explain();
    case Explained::norm: return explain_norm(scene);
    case Explained::depth: return explain_depth(scene);
    case Explained::count: break;
  }
  return explain_count(scene);
}

}  // namespace lab::transformer
