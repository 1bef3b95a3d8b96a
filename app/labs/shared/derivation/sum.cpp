#include "app/labs/shared/derivation/sum.h"

namespace lab {
namespace {

// All terms, those that are written before the others.
std::vector<std::size_t> order_of(const std::vector<double>& values, const SumForm& form) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (values.size() <= form.most || form.which == Written::first) return order;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if ((a == form.always) != (b == form.always)) return a == form.always;
    return std::abs(values[a]) > std::abs(values[b]);
  });
  if (form.which == Written::largest_in_order) {
    std::sort(order.begin(), order.begin() + to_index(form.shown));
  }
  return order;
}

std::size_t shown_of(const std::vector<double>& values, const SumForm& form) {
  return values.size() > form.most ? form.shown : values.size();
}

}  // namespace

std::vector<std::size_t> written_of(const std::vector<double>& values, const SumForm& form) {
  std::vector<std::size_t> order = order_of(values, form);
  order.resize(shown_of(values, form));
  return order;
}

std::vector<Derivation::Term> sum_terms(const std::vector<double>& values, const SumForm& form,
                                        const std::function<std::string(std::size_t)>& what,
                                        const std::function<std::string(std::size_t)>& rest) {
  const std::vector<std::size_t> order = order_of(values, form);
  const std::size_t shown = shown_of(values, form);
  std::vector<Derivation::Term> terms;
  for (std::size_t k = 0; k < shown; ++k) {
    terms.push_back({fixed(values[order[k]], form.digits), what(order[k])});
  }
  double others = 0;
  for (std::size_t k = shown; k < order.size(); ++k) others += values[order[k]];
  if (shown < order.size()) {
    terms.push_back({fixed(others, form.digits), rest(order.size() - shown)});
  }
  return terms;
}

}  // namespace lab
