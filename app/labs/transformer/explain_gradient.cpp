// A gradient unfolded: what hands it on from above, in the numbers of this pass.
#include "app/labs/transformer/explain.h"

namespace lab::transformer {
namespace {

// In thousandths, so that it can be read.
constexpr double kThousand = 1000;

class Gradient : PickedCell {
 public:
  explicit Gradient(const Scene& scene) : PickedCell(scene, scene.shown()) {}

  Explanation explain() {
    if (std::isnan(value())) {
      d_.picked(fmt::format("∂[{},{}]", i_, j_), "0");
      d_.say(w_("masked: the loss does not depend on it"));
    } else {
      d_.about_picked(fmt::format("∂[{},{}]", i_, j_), kThousand * value(), 4);
      d_.say(
          w_("∂ is the gradient of the loss by this number, in thousandths of a nat: a change of "
             "it by 1 would change the loss by so many, were all straight"));
      from_above();
    }
    return {"∂ " + tensor_title(scene_, t_), d_.take()};
  }

 private:
  // Gradients are written in thousandths.
  void thousandths(const VectorD& left, const VectorD& gradients) {
    products(left, kThousand * gradients, Role::text, Role::accent);
  }

  void from_above() {
    const auto terms = core::model::gradient_terms(pass(), spot_, t_.part, head(), i_, j_);
    if (terms) {
      d_.next(formula());
      thousandths(terms->left, terms->right);
      d_.say(w_(over_what()));
    } else if (t_.part == Part::scores) {
      scores();
    } else if (t_.part == Part::up) {
      active();
    } else if (spot_.block == Kind::output) {
      output();
    } else if (t_.part == Part::result &&
               (spot_.block == Kind::attention || spot_.block == Kind::feed_forward)) {
      // The sum above hands its gradient on as it is.
      d_.next(fmt::format("∂(x + f(x))[{},{}]", i_, j_));
      unchanged();
    } else {
      handed();
    }
  }

  // Where it is a sum of products: which, and over what.
  std::string formula() const {
    const Index d_k = pass().d_k(), shared = j_ / d_k * pass().key_heads() / pass().heads();
    switch (t_.part) {
      case Part::heads: return fmt::format("Σ W_O[{},k] ∂y[{},k]", j_, i_);
      case Part::active: return fmt::format("Σ W_2[{},k] ∂y[{},k]", j_, i_);
      case Part::values: return fmt::format("Σ w[k,{}] ∂o[k]", i_);
      case Part::weights:
        return fmt::format("Σ {}V[{},c] ∂o[{},c]",
                           pass().has(spot_.prefix() + "factors") ? "C " : "", j_, i_);
      case Part::queries:
        return fmt::format("Σ K[k,{}] / √{} ∂s[{},k]", shared * d_k + j_ % d_k, d_k, i_);
      case Part::keys: return fmt::format("Σ Q[k] / √{} ∂s[k,{}]", d_k, i_);
      default: return fmt::format("Σ x[k,{}] ∂y[k,{}]", i_, j_);
    }
  }
  std::string_view over_what() const {
    switch (t_.part) {
      case Part::heads:
      case Part::active: return N_("over the features of its output: the same matrix, backwards");
      case Part::values:
        return N_("over the queries, each by its weight on this token; o is what a head makes");
      case Part::weights:
        return N_(
            "over the features of the head: what the value of this key would change in its output");
      case Part::queries: return N_("over the keys, by the gradients of this query's scores");
      case Part::keys:
        return N_("over the queries that attend to this key, by the gradients of their scores");
      default:
        return N_("over the tokens: a matrix is used by all of them, and each adds its share");
    }
  }

  void handed() {
    const bool turns = scheme() == Scheme::complex;
    if (!turns && (t_.part == Part::embedded || t_.part == Part::positions)) return unchanged();
    if (t_.part == Part::table) {
      d_.say(
          w_("The table's row is used wherever the word is read, and once more in the output "
             "layer: all of it is added up."));
      return;
    }
    d_.say(
        w_("What uses it hands this back, along the residual connection and through the parts; it "
           "is added up where lines part."));
  }
  void unchanged() { d_.say(w_("A sum hands its gradient on to all that was added, unchanged.")); }
  void scores() {
    const VectorD weights = pass().head(spot_.prefix() + "weights", head()).row(i_);
    VectorD gradients = pass().weight_gradients(spot_.prefix(), head()).row(i_);
    if (spot_.causal()) gradients.tail(gradients.size() - i_ - 1).setZero();
    const double mean = kThousand * weights.dot(gradients);
    d_.next(fmt::format("w[{0},{1}] (∂w[{0},{1}] - Σ w ∂w)", i_, j_));
    d_.about(fmt::format("{}·({} - {})", fixed(weights[j_], 6),
                         bracketed(fixed(kThousand * gradients[j_], 4)),
                         bracketed(fixed(mean, 4))));
    d_.about("Σ w ∂w", mean, 4);
    thousandths(weights, gradients);
    d_.say(w_("Softmax: a score raises its own weight and lowers all others."));
  }

  void active() {
    const double u = own(Part::up);
    const double by = kThousand * gradient(spot_, Part::active).of(0)(i_, j_);
    d_.next("∂f · f'(u)");
    if (by == 0) return handed();
    d_.about(fmt::format("{}·{}", bracketed(fixed(by, 6)),
                         bracketed(fixed(kThousand * value() / by, 6))));
    d_.about("u", u, 5);
    if (pass().form.layer.feed_forward.function == Activation::relu) {
      d_.say(w_("ReLU hands on all of it where u is above 0, and nothing where it is not."));
    }
  }

  void output() {
    const double m = to_double(spot_.texts.m());
    const std::string p = fixed(own(Part::result), 7);
    const bool next = spot_.texts.ids.next[to_size(i_)] == j_;
    if (t_.part == Part::logits) {
      d_.is("", next ? "= 1000 (p - 1) / m" : "= 1000 p / m");
      d_.about(next ? fmt::format("1000·({} - 1) / {}", p, m) : fmt::format("1000·{} / {}", p, m));
    } else if (next) {
      d_.next("-1000 / (m p)");
      d_.about(fmt::format("-1000 / ({}·{})", m, p));
    } else {
      d_.say(w_("The loss looks at the probability of the right word alone."));
    }
    if (next) d_.say(w_.format("\"{}\" is the right next word.", spot_.texts.words[to_size(j_)]));
  }
};

}  // namespace

Explanation explain_gradient(const Scene& scene) { return Gradient(scene).explain(); }

}  // namespace lab::transformer
