#include "app/figure/layout/minus.h"

namespace figure::parts {

bool is_minus(std::string_view text, std::size_t at) {
  if (text[at] != '-' || at + 1 >= text.size()) return false;
  const bool digit = text[at + 1] >= '0' && text[at + 1] <= '9';
  constexpr std::string_view kBefore = " ([:,;=";
  return digit && (at == 0 || kBefore.find(text[at - 1]) != std::string_view::npos);
}

std::string with_minus(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    out += is_minus(text, at) ? std::string("−") : std::string(1, text[at]);
  }
  return out;
}

}  // namespace figure::parts
