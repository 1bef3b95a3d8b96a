#include "app/lesson/text/fault.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/text/printable.h"

namespace lesson {
namespace {

// How many letters must be put in, taken out or replaced.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = corner + (a[i] == b[j] ? 0 : 1);
      corner = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

void refuse(const Where& where, const words::Sentence& reason) {
  words::refuse<Fault>(N_("{}, line {}: {}"), core::printable(where.file, 200), where.line, reason);
}

std::vector<std::string> nearest(std::string_view name, std::vector<std::string> known,
                                 std::size_t most) {
  // What contains the name, or is contained in it, is near however long it is.
  const auto far = [name](const std::string& one) {
    const bool part = std::min(name.size(), one.size()) > 2 &&
                      (one.find(name) != one.npos || name.find(one) != name.npos);
    return part ? std::size_t{1} : distance(name, one);
  };
  std::stable_sort(known.begin(), known.end(),
                   [&](const auto& a, const auto& b) { return far(a) < far(b); });
  if (known.size() > most) known.resize(most);
  return known;
}

void refuse_got(const Where& where, const words::Sentence& expected, std::string_view got) {
  refuse(where, words::Sentence(N_("expected {}, got \"{}\""), expected, core::printable(got)));
}

void refuse_unknown(const Where& where, const words::Sentence& expected, std::string_view got,
                    const std::vector<std::string>& known) {
  constexpr std::size_t kMost = 4;
  if (known.empty()) refuse_got(where, expected, got);
  std::string names;
  for (const std::string& one : nearest(got, known, kMost)) {
    names += (names.empty() ? "" : ", ") + one;
  }
  const auto* form = known.size() <= kMost ? N_("expected {0} (one of {1}), got \"{2}\"")
                                           : N_("expected {0} (such as {1}), got \"{2}\"");
  refuse(where, words::Sentence(form, expected, names, core::printable(got)));
}

}  // namespace lesson
