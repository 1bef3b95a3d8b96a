// A number of a tensor, worked out of the tensors that it is made of; those can be picked in turn,
// down to the embedding and the position.
#include "app/labs/shared/derivation/position_derivation.h"
#include "app/labs/translation/page.h"
#include "core/model/layer/norm_moments.h"

namespace lab::translation {
namespace {

using core::model::Scheme;

// One number on its way into words.
class Unfolding {
 public:
  Unfolding(const Scene& scene, Derivation& lines)
      : scene_(scene),
        w_(scene.w),
        place_(scene.model.place),
        names_(scene.model.names()),
        next_(scene.model.names(core::model::Sublayer::feed_forward)),
        picked_(picked_number(scene)),
        lines_(lines),
        i_(picked_.row),
        j_(picked_.col) {}

  void explain() {
    switch (picked_.tensor.vector) {
      case TensorId::query: return projection("query", "q", Role::query, names_.given());
      case TensorId::key: return projection("key", "k", Role::key, names_.looked_at());
      case TensorId::value: return projection("value", "v", Role::value, names_.looked_at());
      case TensorId::input: return input();
      case TensorId::normed: return norm(names_.stream(), names_.norm());
      case TensorId::given: return with_course();
      case TensorId::heads: return heads();
      case TensorId::output:
        return affine("y", names_.prefix() + "heads", names_.prefix() + "output.",
                      w_("o: the heads concatenated"), "o");
      case TensorId::sum: return sum(names_);
      case TensorId::after: return norm(names_.before_norm(), names_.norm());
      case TensorId::second_normed: return norm(next_.before_norm(), next_.norm());
      case TensorId::up: return up();
      case TensorId::active: return active();
      case TensorId::down:
        return affine("y", next_.prefix() + "active", next_.prefix() + "down.",
                      w_("f: the activation's output"), "f");
      case TensorId::second_sum: return sum(next_);
      case TensorId::second_after: return norm(next_.before_norm(), next_.norm());
      case TensorId::result: return last_norm();
    }
  }

 private:
  const core::model::TransformerForm& form() const { return scene_.model.form().layer; }
  const core::model::PositionForm& positions() const { return scene_.model.form().positions; }

  Matrix traced(const std::string& name) const { return row_matrix(scene_.reading().traced(name)); }
  bool has(const std::string& name) const {
    return scene_.reading().looked.trace.find(name) != nullptr;
  }
  double value() const { return to_double(traced(picked_.tensor.name)(i_, j_)); }
  std::string cell(std::string_view letter) const {
    return fmt::format("{}[{},{}]", letter, i_, j_);
  }

  // The tensor of that name, as people find it.
  std::string found(const std::string& name) const {
    if (name == "encoder.out") {
      return w_("x is the encoder's output: its last layer's last tensor.");
    }
    for (const TensorOf& one : tensors_of(scene_)) {
      if (one.name != name) continue;
      return w_.format("x is the tensor \"{}\" of this layer: pick one of its components.",
                       one.symbol);
    }
    return w_("x is the output of the layer below.");
  }

  // --- products

  Projected projected(const char* letter, const Matrix& x, const Matrix& weight,
                      const Matrix& bias) const {
    Projected number;
    number.product.left = x.row(i_);
    number.product.right = weight.col(j_);
    number.product.left_color = Role::text;
    number.product.left_name = "x";
    number.product.right_name = "W";
    number.product.most = number.product.first = 12;
    number.product.term_name = [](std::size_t k) { return fmt::format("x[{}]", k); };
    if (bias.size() > 0) number.bias = to_double(bias(0, j_));
    number.name = cell(letter);
    number.dot = "x·W";
    number.whole = number.bias ? "x·W + b" : "x·W";
    return number;
  }
  Matrix bias_of(const std::string& scope) const {
    const auto& layout = scene_.learned().model->translator.layout();
    return layout.find(scope + "bias") ? parameter(scene_, scope + "bias") : Matrix();
  }

  void affine(const char* letter, const std::string& from, const std::string& scope,
              const std::string& what, const std::string& letter_of_x) {
    Projected number =
        projected(letter, traced(from), parameter(scene_, scope + "weight"), bias_of(scope));
    number.product.left_name = letter_of_x;
    number.product.term_name = [letter_of_x](std::size_t k) {
      return fmt::format("{}[{}]", letter_of_x, k);
    };
    number.dot = letter_of_x + "·W";
    number.whole = number.bias ? number.dot + " + b" : number.dot;
    explain_projected(number, lines_);
    lines_.say(what);
  }

  void projection(const char* name, const char* letter, Role role, const std::string& from) {
    const std::string scope = names_.prefix() + name + ".";
    const Matrix weight = parameter(scene_, scope + "weight"), bias = bias_of(scope);
    Projected number = projected(letter, traced(from), weight, bias);
    number.product.right_color = role;
    const bool rotates =
        positions().scheme == Scheme::rotary && place_.part != Part::cross && role != Role::value;
    if (rotates) {
      rotated(letter, number, traced(from), weight, bias);
    } else {
      explain_projected(number, lines_);
    }
    lines_.say(found(from));
  }

  // RoPE: both numbers of the pair, and the angle of their rotation.
  void rotated(const char* letter, Projected number, const Matrix& x, const Matrix& weight,
               const Matrix& bias) {
    const Index pair = j_ / 2 * 2;
    const auto plain = [&](Index column) {
      const double sum = to_double(x.row(i_).cast<double>().dot(weight.col(column).cast<double>()));
      return sum + (bias.size() > 0 ? to_double(bias(0, column)) : 0);
    };
    const RopeNumber number_of_pair{plain(pair), plain(pair + 1),      i_,
                                    j_,          scene_.model.width(), positions().base};
    lines_.about_picked(cell(letter), value(), 4);
    lines_.is("", number_of_pair.first() ? "= a·cos φ - b·sin φ" : "= a·sin φ + b·cos φ");
    lines_.about(number_of_pair.sum_text());
    lines_.is("φ", "≈ " + number_of_pair.angle_text()).about(number_of_pair.angle(), 6);
    number.name = "a";
    number.product.right = weight.col(pair);
    if (number.bias) number.bias = to_double(bias(0, pair));
    explain_projected(number, lines_);
    lines_.say(
        w_("RoPE rotates this component with its neighbour by the position's angle; b is computed "
           "the same way from the next column."));
  }

  void heads() {
    const Index width = scene_.model.width(), head = j_ / width;
    const Index group = form().heads / form().key_heads;
    const std::string prefix = names_.prefix();
    const bool scaled = has(prefix + "mixed");
    const Matrix weights =
        head_matrix(scene_.reading().traced(prefix + (scaled ? "mixed" : "weights")), head);
    const Matrix values = traced(prefix + "values");
    const Labels names = scene_.keys(place_.part);
    const Product product{.left = weights.row(i_),
                          .right = values.col(head / group * width + j_ % width),
                          .left_color = Role::accent,
                          .right_color = Role::value,
                          .most = 16,
                          .first = 12,
                          .left_name = "w",
                          .right_name = "v",
                          .term_name = [names](std::size_t k) { return (*names)[k]; }};
    lines_.product(cell("o"), product);
    lines_.say(w_.format("A component of head {}: the weighted sum over the tokens it attends to.",
                         head + 1));
    if (scaled) lines_.say(w_("w is the weight times URPE's learned factor of the distance."));
  }

  // --- sums and norms

  void sum(const core::model::SublayerNames& of) {
    lines_.about_picked(cell("y"), value(), 4);
    if (!form().residual) {
      lines_.next("f(x)");
      return;
    }
    lines_.next("x + f(x)");
    lines_.about(fmt::format("{} + {}", bracketed(fixed(to_double(traced(of.stream())(i_, j_)), 5)),
                             bracketed(fixed(to_double(traced(of.made())(i_, j_)), 5))));
    lines_.say(found(of.stream()));
    lines_.say(w_("f(x) is the part's output: the tensor before this one."));
  }

  void norm(const std::string& from, const std::string& scope) {
    const VectorD row = traced(from).row(i_).transpose().cast<double>();
    const auto [mean, variance, scale] = core::model::norm_moments(row);
    const double gain = to_double(parameter(scene_, scope + "gain")(0, j_));
    const double shift = to_double(parameter(scene_, scope + "shift")(0, j_));
    const auto six = [](double of) { return bracketed(fixed(of, 6)); };
    lines_.about_picked(cell("y"), value(), 4);
    lines_.next("(x - μ) / √(σ² + ε) · γ + β");
    lines_.about(fmt::format("({} - {}) / {} · {} + {}", six(row(j_)), six(mean), fixed(scale, 6),
                             six(gain), six(shift)));
    lines_.about("μ", mean, 6);
    lines_.is("√(σ² + ε)", fmt::format("≈ √({} + 0.00001)", fixed(variance, 6)));
    lines_.about(scale, 6);
    lines_.say(w_.format(
        "μ and σ² are mean and variance of the {} components of this token; γ and β are learned.",
        row.size()));
    lines_.say(found(from));
  }

  void last_norm() {
    norm(fmt::format("{}.{}.out", names_.side(), place_.layer), names_.side() + ".norm.");
  }

  // --- the feed-forward network

  void up() {
    const std::string from = next_.given(), scope = next_.prefix() + "up.";
    explain_projected(
        projected("u", traced(from), parameter(scene_, scope + "weight"), bias_of(scope)), lines_);
    lines_.say(found(from));
  }

  void active() {
    const double u = to_double(traced(next_.prefix() + "up")(i_, j_));
    lines_.about_picked(cell("f"), value(), 4);
    if (form().feed_forward.gated) {
      lines_.say(
          w_("A gate times the component before: the gate is the activation of its own product."));
    } else if (form().feed_forward.function == core::model::Activation::relu) {
      lines_.next("max(u, 0)");
      lines_.about(fmt::format("max({}, 0)", fixed(u, 5)));
    } else {
      lines_.next("f(u)");
    }
    lines_.about(cell("u"), u, 5);
  }

  // --- where the layer begins

  void input() {
    if (place_.part == Part::cross || place_.layer > 0) return below();
    placed();
  }

  // The tensor is one of another place, whose own explanation goes on.
  void below() {
    lines_.about_picked(cell("x"), value(), 4);
    lines_.say(place_.part == Part::cross
                   ? w_("It is the output of this layer's self-attention: set \"Attention\" to the "
                        "decoder and go on there.")
                   : w_.format("It is the output of layer {}: set the layer and go on there.",
                               place_.layer));
  }

  std::int32_t id() const {
    const auto& encoded = scene_.reading().encoded;
    if (place_.part == Part::encoder) return encoded.source[to_size(i_)];
    return i_ == 0 ? core::task::Vocabulary::kStart : scene_.reading().token(i_ - 1);
  }

  void placed() {
    const double embedded = to_double(traced(fmt::format("{}.embedded", names_.side()))(i_, j_));
    const Scheme scheme = positions().scheme;
    if (scheme == Scheme::complex) {
      const Matrix all = traced(fmt::format("{}.embedded", names_.side()));
      explain_rotated(
          cell("x"),
          rotated_number(all.row(i_).cast<double>(),
                         parameter(scene_, "frequency").row(id()).cast<double>(), i_, j_),
          w_, lines_);
    } else if (scheme == Scheme::learned || scheme == Scheme::sinusoidal) {
      lines_.about_picked(cell("x"), value(), 4);
      lines_.next("e + P");
      lines_.about(fmt::format("{} + {}", bracketed(fixed(embedded, 5)),
                               bracketed(fixed(value() - embedded, 5))));
      position(value() - embedded);
    } else {
      lines_.about_picked(cell("x"), value(), 4);
      lines_.next("e");
    }
    const double entry = to_double(parameter(scene_, "embedding")(id(), j_));
    if (scene_.model.form().scaled) {
      lines_.is("e", fmt::format("≈ √{}·{}", form().d_model, bracketed(fixed(entry, 7))));
      lines_.about(embedded, 5);
    }
    lines_.say(w_.format("e is component {} of row {} of the learned table, the row of \"{}\".", j_,
                         id(), token_name(scene_.learned(), id(), w_)));
  }

  void position(double value) {
    lines_.about("P", value, 5);
    if (positions().scheme == Scheme::learned) {
      lines_.say(w_.format(
          "P is component {} of row {} of a learned table, the row of the position.", j_, i_));
      return;
    }
    lines_.about(sinusoidal_text(i_, j_, form().d_model, positions().base));
  }

  void with_course() {
    const std::string from = names_.norm_first() ? names_.after_norm() : names_.stream();
    const double x = to_double(traced(from)(i_, j_));
    const Matrix courses = traced(fmt::format("{}.flow", names_.side()));
    const Index length = courses.rows() / scene_.model.layers(place_.part);
    const float* numbers = scene_.learned().numbers();
    const auto& layout = scene_.learned().model->translator.layout();
    const FlowCourse course = course_of(
        layout, std::vector<double>(numbers, numbers + layout.size()),
        fmt::format("{}.flow.", names_.side()),
        courses.middleRows(place_.layer * length, length).cast<double>(), positions().flow_delta);
    lines_.about_picked(cell("y"), value(), 4);
    lines_.next("x + p");
    lines_.about(
        fmt::format("{} + {}", bracketed(fixed(x, 5)), bracketed(fixed(course.places(i_, j_), 5))));
    explain_course("p", course, i_, j_, w_, lines_);
    lines_.say(found(from));
  }

  const Scene& scene_;
  const Words& w_;
  const Place& place_;
  core::model::SublayerNames names_, next_;  // of the attention, of the network that follows
  PickedNumber picked_;
  Derivation& lines_;
  Index i_, j_;
};

}  // namespace

std::string number_title(const Scene& scene) {
  const PickedNumber picked = picked_number(scene);
  const Part part = scene.model.place.part;
  const Labels rows = picked.tensor.of_keys ? scene.keys(part) : scene.queries(part);
  return scene.w.format("{}: component {} of \"{}\"", picked.tensor.symbol, picked.col,
                        (*rows)[to_size(picked.row)]);
}

void explain_number(const Scene& scene, Derivation& lines) { Unfolding(scene, lines).explain(); }

}  // namespace lab::translation
