// One function for each alternative of a variant: std::visit(Match{...}, variant).
#pragma once

namespace param {

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;

}  // namespace param
