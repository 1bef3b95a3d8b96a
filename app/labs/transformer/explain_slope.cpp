// A gradient unfolded: what hands it on from above, in the numbers of this pass.
#include "app/labs/shared/derivation/model_derivation.h"
#include "app/labs/transformer/page.h"

namespace lab::transformer {
namespace {

// In thousandths, so that it can be read.
constexpr double kThousand = 1000;

class Walking {
 public:
  explicit Walking(const Scene& scene)
      : scene_(scene),
        spot_(scene.picked_spot()),
        t_(scene.shown()),
        i_(scene.row(t_)),
        j_(scene.col(t_)),
        d_(scene.w) {}

  Explanation explain() {
    const double value = t_.of(head())(i_, j_);
    const auto& w = scene_.w;
    if (std::isnan(value)) {
      d_.picked(fmt::format("∂[{},{}]", i_, j_), "0");
      d_.say(w("masked: the loss does not depend on it"));
    } else {
      d_.about_picked(fmt::format("∂[{},{}]", i_, j_), kThousand * value, 4);
      d_.say(
          w("∂ is the gradient of the loss by this number, in thousandths of a nat: a change "
            "of it by 1 would change the loss by so many, were all straight"));
      from_above();
    }
    return {"∂ " + tensor_title(scene_, t_), d_.take()};
  }

 private:
  const Pass& pass() const { return spot_.pass; }
  const Pass& walked() const { return *spot_.pass.slopes; }
  Index head() const { return t_.of_heads ? scene_.head() : 0; }
  Index group() const { return pass().heads() / pass().key_heads(); }
  MatrixD value(Part part) const { return tensor(spot_, part).of(head()); }
  MatrixD behind(Part part) const { return slope(spot_, part).of(head()); }
  MatrixD given() const { return pass().tokens(spot_.given()); }

  // Σ of what is left and of gradients, these in thousandths.
  void sum(std::string_view formula, const VectorD& left, const VectorD& slopes,
           std::string_view why) {
    d_.next(std::string(formula));
    d_.products({.left = left,
                 .right = kThousand * slopes,
                 .left_color = Role::text,
                 .right_color = Role::accent,
                 .digits = 0});
    d_.say(scene_.w(why));
  }

  // y = x W: of W by x, of x by W.
  void matrix(const MatrixD& x, const MatrixD& slopes) {
    sum(fmt::format("Σ x[k,{}] ∂y[k,{}]", i_, j_), x.col(i_), slopes.col(j_),
        N_("over the tokens: a matrix is used by all of them, and each adds its share"));
  }
  void through(const MatrixD& slopes, const MatrixD& weight, const char* name) {
    sum(fmt::format("Σ {}[{},k] ∂y[{},k]", name, j_, i_), weight.row(j_).transpose(),
        slopes.row(i_).transpose(),
        N_("over the features of what it goes into: the same matrix, walked the other way"));
  }

  void from_above() {
    switch (spot_.info().kind) {
      case Kind::attention: return attention();
      case Kind::forward: return forward();
      case Kind::output: return output();
      default: return handed();
    }
  }

  void handed() {
    const bool turns = pass().form.positions.scheme == Scheme::complex;
    if (!turns && (t_.part == Part::embedded || t_.part == Part::positions)) {
      d_.say(scene_.w("A sum hands its gradient on to all that was added, unchanged."));
      return;
    }
    if (t_.part == Part::table) {
      d_.say(
          scene_.w("The table's row is used wherever the word is read, and once more in the "
                   "output layer: all of it is added up."));
      return;
    }
    d_.say(
        scene_.w("What uses it hands this back, along the residual line and through the parts; "
                 "it is added up where lines part."));
  }

  MatrixD parameter(const char* name) const {
    return pass().parameter(spot_.in_sub() + name + ".weight");
  }

  void attention() {
    const MatrixD looked = pass().tokens(spot_.looked_at());
    switch (t_.part) {
      case Part::output_weight: return matrix(value(Part::heads), behind(Part::result));
      case Part::query_weight:
        if (turned()) return handed();
        return matrix(given(), behind(Part::queries));
      case Part::key_weight:
        if (turned()) return handed();
        return matrix(looked, behind(Part::keys));
      case Part::value_weight: return matrix(looked, behind(Part::values));
      case Part::heads: return through(behind(Part::result), parameter("output"), "W_O");
      case Part::values: return of_values();
      case Part::weights: return of_weights();
      case Part::scores: return of_scores();
      case Part::queries: return of_queries();
      case Part::keys: return of_keys();
      default: return passed_by_sum();
    }
  }
  bool turned() const { return pass().form.positions.scheme == Scheme::rotary && !spot_.cross(); }

  // The sum above hands its gradient on as it is.
  void passed_by_sum() {
    d_.next(fmt::format("∂(x + f(x))[{},{}]", i_, j_));
    d_.say(scene_.w("A sum hands its gradient on to all that was added, unchanged."));
  }

  // For all heads of queries that share this head of keys, one behind the other.
  template <class Of>
  VectorD of_group(Index rows, Of of) const {
    const Index shared = j_ / pass().d_k();
    VectorD all(group() * rows);
    for (Index k = 0; k < group(); ++k) all.segment(k * rows, rows) = of(shared * group() + k);
    return all;
  }

  void of_values() {
    const MatrixD outputs = behind(Part::heads);
    const Tensor weights = tensor(spot_, Part::weights);
    const Index d_k = pass().d_k(), n = outputs.rows();
    sum(fmt::format("Σ w[k,{}] ∂o[k]", i_),
        of_group(n, [&](Index h) -> VectorD { return pass().head(spot_.mixed(), h).col(i_); }),
        of_group(n, [&](Index h) -> VectorD { return outputs.col(h * d_k + j_ % d_k); }),
        N_("over the queries, each by its weight on this token; o is what a head makes"));
  }

  void of_weights() {
    const Index d_k = pass().d_k();
    const MatrixD outputs = behind(Part::heads), values = value(Part::values);
    const MatrixD factors = pass().head(spot_.in_sub() + "factors", head());
    const double factor = factors.size() > 0 ? factors(i_, j_) : 1;
    sum(fmt::format("Σ {}V[{},c] ∂o[{},c]", factors.size() > 0 ? "C " : "", j_, i_),
        factor * values.row(j_).segment(head() / group() * d_k, d_k).transpose(),
        outputs.row(i_).segment(head() * d_k, d_k).transpose(),
        N_("over the features of the head: what the value of this key would change in its output"));
  }

  void of_scores() {
    const VectorD weights = pass().head(spot_.in_sub() + "weights", head()).row(i_).transpose();
    const std::vector<MatrixD> all = slope(spot_, Part::weights).matrices;
    VectorD slopes = all[to_size(head())].row(i_).transpose();
    for (double& one : slopes) one = std::isnan(one) ? 0 : one;
    const double mean = kThousand * weights.dot(slopes);
    d_.next(fmt::format("w[{0},{1}] (∂w[{0},{1}] - Σ w ∂w)", i_, j_));
    d_.about(fmt::format("{}·({} - {})", fixed(weights[j_], 6),
                         bracketed(fixed(kThousand * slopes[j_], 4)), bracketed(fixed(mean, 4))));
    d_.about("Σ w ∂w", mean, 4);
    d_.products({.left = weights,
                 .right = kThousand * slopes,
                 .left_color = Role::text,
                 .right_color = Role::accent,
                 .digits = 0});
    d_.say(scene_.w("Softmax: a score raises its own weight and lowers all others."));
  }

  void of_queries() {
    if (pass().form.positions.scheme == Scheme::relative && !spot_.cross()) return handed();
    const Index d_k = pass().d_k(), h = j_ / d_k;
    const MatrixD keys = value(Part::keys);
    VectorD slopes = slope(spot_, Part::scores).matrices[to_size(h)].row(i_).transpose();
    for (double& one : slopes) one = std::isnan(one) ? 0 : one;
    sum(fmt::format("Σ K[k,{}] / √{} ∂s[{},k]", h / group() * d_k + j_ % d_k, d_k, i_),
        keys.col(h / group() * d_k + j_ % d_k) / std::sqrt(to_double(d_k)), slopes,
        N_("over the keys, by the gradients of this query's scores"));
  }

  void of_keys() {
    const Index d_k = pass().d_k();
    const MatrixD queries = value(Part::queries);
    const std::vector<MatrixD> scores = slope(spot_, Part::scores).matrices;
    const Index n = queries.rows();
    sum(fmt::format("Σ Q[k] / √{} ∂s[k,{}]", d_k, i_),
        of_group(n,
                 [&](Index h) -> VectorD {
                   return queries.col(h * d_k + j_ % d_k) / std::sqrt(to_double(d_k));
                 }),
        of_group(n,
                 [&](Index h) -> VectorD {
                   VectorD column = scores[to_size(h)].col(i_);
                   for (double& one : column) one = std::isnan(one) ? 0 : one;
                   return column;
                 }),
        N_("over the queries that look at this key, by the gradients of their scores"));
  }

  void forward() {
    switch (t_.part) {
      case Part::up_weight: return matrix(given(), behind(Part::up));
      case Part::down_weight: return matrix(value(Part::active), behind(Part::result));
      case Part::active: return through(behind(Part::result), parameter("down"), "W_2");
      case Part::up: return active();
      default: return passed_by_sum();
    }
  }

  void active() {
    const double u = value(Part::up)(i_, j_);
    const double above = kThousand * behind(Part::active)(i_, j_);
    const double own = kThousand * t_.of(0)(i_, j_);
    d_.next("∂f · f'(u)");
    if (above == 0) return handed();
    d_.about(fmt::format("{}·{}", bracketed(fixed(above, 6)), bracketed(fixed(own / above, 6))));
    d_.about("u", u, 5);
    if (pass().form.layer.feed_forward.function == Activation::relu) {
      d_.say(scene_.w("ReLU hands on all of it where u is above 0, and nothing where it is not."));
    }
  }

  void output() {
    const double m = to_double(spot_.texts.m());
    const MatrixD shares = tensor(spot_, Part::result).of(0);
    const bool next = spot_.texts.next[to_size(i_)] == j_;
    if (t_.part == Part::logits) {
      d_.is("", next ? "= 1000 (p - 1) / m" : "= 1000 p / m");
      d_.about(next ? fmt::format("1000·({} - 1) / {}", fixed(shares(i_, j_), 7), m)
                    : fmt::format("1000·{} / {}", fixed(shares(i_, j_), 7), m));
    } else if (next) {
      d_.next("-1000 / (m p)");
      d_.about(fmt::format("-1000 / ({}·{})", m, fixed(shares(i_, j_), 7)));
    } else {
      d_.say(scene_.w("The loss looks at the probability of the right word alone."));
    }
    if (next)
      d_.say(scene_.w.format("\"{}\" is the right next word.", spot_.texts.words[to_size(j_)]));
  }

  const Scene& scene_;
  Spot spot_;
  Tensor t_;
  Index i_, j_;
  Derivation d_;
};

}  // namespace

Explanation explain_slope(const Scene& scene) { return Walking(scene).explain(); }

}  // namespace lab::transformer
