#include "app/labs/shared/derivation/model_derivation.h"

namespace lab {
namespace {

double inner(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

double Projected::value() const { return inner(product.left, product.right) + bias.value_or(0); }

void explain_projected(const Projected& number, Derivation& lines) {
  lines.begin(number.name, number.whole);
  const std::string sum = lines.product(number.dot, number.product);
  if (!number.bias) return;
  lines
      .about_picked(number.name,
                    fmt::format("{} + {}", bracketed(sum), bracketed(fixed(*number.bias, 5))))
      .about_result(number.value(), 5);
}

Projected output_logit(std::vector<double> y, std::vector<double> column, bool tied,
                       std::optional<double> bias) {
  Projected logit;
  logit.product.left = std::move(y);
  logit.product.right = std::move(column);
  logit.product.left_color = Role::text;
  logit.product.right_color = Role::query;
  logit.product.left_name = "y";
  logit.product.right_name = tied ? "e" : "W";
  logit.bias = bias;
  logit.name = "z";
  logit.dot = tied ? "y·e" : "y·W";
  logit.whole = bias ? logit.dot + " + b" : logit.dot;
  return logit;
}

void explain_outcome(const Outcome& outcome, Derivation& lines) {
  lines.weight("P", outcome.row);
  explain_projected(outcome.logit, lines);
  lines.normalizer(outcome.row);
}

void explain_head_weight(const core::model::HeadAttention& look, Index key, Labels names,
                         Derivation& lines) {
  const SoftmaxRow row{.scores = look.scores(),
                       .picked = to_size(key),
                       .name = [names = std::move(names)](std::size_t j) { return (*names)[j]; },
                       .allowed = look.allowed};
  lines.weight("w", row);
  if (look.allowed.empty() || look.allowed[row.picked]) {
    const double added = look.added.size() == 0 ? 0 : look.added(key);
    const std::string scaled = !look.scale        ? fmt::format(" / √{}", look.query.size())
                               : *look.scale == 1 ? ""
                                                  : " " + significant(*look.scale, 9);
    lines.begin("s", fmt::format("q·k{}{}", scaled, added == 0 ? "" : " + b"));
    const std::string sum = lines.product("q·k", {.left = look.query, .right = look.keys.row(key)});
    const std::string plus = added == 0 ? "" : fmt::format(" + {}", bracketed(fixed(added, 5)));
    lines.about_picked("s", bracketed(sum) + scaled + plus).about_result(row.scores[row.picked], 5);
  }
  lines.normalizer(row);
}

Matrix parameter_of(const core::model::Layout& layout, const float* values, std::string_view name) {
  const core::model::Slot slot = layout.find(name)->slot;
  return Eigen::Map<const Matrix>(values + slot.offset, slot.rows, slot.cols);
}

}  // namespace lab
