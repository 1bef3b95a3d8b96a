#include "app/labs/shared/derivation/sum.h"

#include "app/labs/shared/lists.h"

namespace lab {

std::vector<std::size_t> written_of(const std::vector<double>& values, const SumForm& form) {
  const Index count = to_index(values.size());
  const bool all = values.size() <= form.most;
  const Index shown = all ? count : to_index(form.shown);
  const auto size = [&](Index k) {
    const bool always = to_size(k) == form.always;
    return always ? std::numeric_limits<double>::infinity() : std::abs(values[to_size(k)]);
  };
  std::vector<Index> order =
      all || form.which == Written::first ? numbered(shown) : largest_first(count, size, shown);
  if (form.which == Written::largest_in_order) std::sort(order.begin(), order.end());
  return {order.begin(), order.end()};
}

std::vector<Derivation::Term> sum_terms(const std::vector<double>& values, const SumForm& form,
                                        const std::function<std::string(std::size_t)>& what,
                                        const std::function<std::string(std::size_t)>& rest) {
  const std::vector<std::size_t> written = written_of(values, form);
  std::vector<Derivation::Term> terms;
  std::vector<double> others = values;  // 0 where a term is written
  for (const std::size_t k : written) {
    terms.push_back({fixed(values[k], form.digits), what(k)});
    others[k] = 0;
  }
  if (written.size() < values.size()) {
    const double sum = std::accumulate(others.begin(), others.end(), 0.0);
    terms.push_back({fixed(sum, form.digits), rest(values.size() - written.size())});
  }
  return terms;
}

}  // namespace lab
