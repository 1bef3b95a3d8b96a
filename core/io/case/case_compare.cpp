#include "core/io/case/case_compare.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>

namespace core {
namespace {

using Kind = CaseValue::Kind;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

class Comparison {
 public:
  explicit Comparison(CaseTolerance tolerance) : tolerance_(tolerance) {}

  void compare(const CaseValue& want, const CaseValue& got, const std::string& path);
  CaseDifference finish() const;

 private:
  void object(const CaseValue& want, const CaseValue& got, const std::string& path);
  void arrays(const CaseValue& want, const CaseValue& got, const std::string& path);
  void sequences(const CaseValue& want, const CaseValue& got, const std::string& path);
  void real(double want, double got, const std::string& path, const std::string& index, bool exact);
  // A disagreement that no tolerance forgives; the first one is reported before any number.
  void other(const std::string& path, const std::string& sentence);

  CaseTolerance tolerance_;
  CaseDifference found_;
  std::string first_other_, worst_;
  double worst_excess_ = -1;
};

void Comparison::other(const std::string& path, const std::string& sentence) {
  ++found_.compared;
  ++found_.disagreed;
  if (first_other_.empty()) first_other_ = path.empty() ? sentence : path + ": " + sentence;
}

void Comparison::real(double want, double got, const std::string& path, const std::string& index,
                      bool exact) {
  ++found_.compared;
  const double difference = std::fabs(got - want);
  if (std::isfinite(difference)) found_.largest = std::max(found_.largest, difference);
  if (std::isnan(want) && std::isnan(got)) return;
  const bool bits = !exact && tolerance_.atol == 0 && tolerance_.rtol == 0;
  const double allowed = exact ? 0 : tolerance_.atol + tolerance_.rtol * std::fabs(want);
  const bool equal =
      bits ? std::bit_cast<uint64_t>(want) == std::bit_cast<uint64_t>(got) : want == got;
  // Where either is infinite or NaN the difference is, too, and only equality counts.
  if (equal || (!bits && std::isfinite(want) && difference <= allowed)) return;
  ++found_.disagreed;
  const double excess = std::isfinite(difference) ? difference - allowed : kInfinity;
  if (excess <= worst_excess_) return;
  worst_excess_ = excess;
  worst_ = path + index + ": got " + number(got) + ", want " + number(want) + ", difference " +
           number(difference) +
           (exact ? ", integers must be equal"
                  : ", allowed " + number(allowed) + " (atol " + number(tolerance_.atol) +
                        ", rtol " + number(tolerance_.rtol) + ")");
}

void Comparison::object(const CaseValue& want, const CaseValue& got, const std::string& path) {
  if (got.kind() != Kind::object) return other(path, "got " + got.describe() + ", want an object");
  for (const auto& [key, value] : want.members()) {
    const std::string inner = path.empty() ? key : path + "." + key;
    const CaseValue* computed = got.find(key);
    if (computed) {
      compare(value, *computed, inner);
    } else {
      other("", "key " + inner + " not compared");
    }
  }
}

void Comparison::arrays(const CaseValue& want, const CaseValue& got, const std::string& path) {
  if (want.kind() != got.kind() || want.shape() != got.shape()) {
    return other(path, "got " + got.describe() + ", want " + want.describe());
  }
  const bool exact = want.integers() || want.kind() == Kind::bits;
  for (size_t i = 0; i < want.data().size(); ++i) {
    std::vector<Index> index(want.shape().size());
    Index rest = static_cast<Index>(i);
    for (size_t axis = index.size(); axis-- > 0;) {
      index[axis] = rest % want.shape()[axis];
      rest /= want.shape()[axis];
    }
    real(want.data()[i], got.data()[i], path, bracketed(index), exact);
    if (want.kind() != Kind::complex) continue;
    real(want.imaginary()[i], got.imaginary()[i], path, bracketed(index) + " imaginary", exact);
  }
}

void Comparison::sequences(const CaseValue& want, const CaseValue& got, const std::string& path) {
  const bool sequence = got.kind() == Kind::list || got.kind() == Kind::array;
  if (!sequence) return other(path, "got " + got.describe() + ", want " + want.describe());
  const std::vector<CaseValue> wanted = want.items(), came = got.items();
  if (wanted.size() != came.size()) {
    return other(path, "got " + got.describe() + ", want " + want.describe());
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    compare(wanted[i], came[i], path + "[" + std::to_string(i) + "]");
  }
}

void Comparison::compare(const CaseValue& want, const CaseValue& got, const std::string& path) {
  const auto is_number = [](const CaseValue& v) {
    return v.kind() == Kind::real || v.kind() == Kind::integer;
  };
  if (want.kind() == Kind::object) return object(want, got, path);
  if (want.kind() == Kind::bits || want.kind() == Kind::complex ||
      (want.kind() == Kind::array && (got.kind() == Kind::array || want.shape().empty()))) {
    if (got.kind() != want.kind()) {
      return other(path, "got " + got.describe() + ", want " + want.describe());
    }
    return arrays(want, got, path);
  }
  if (want.kind() == Kind::list || want.kind() == Kind::array) {
    return sequences(want, got, path);
  }
  if (is_number(want) && is_number(got)) {
    return real(want.as_real(), got.as_real(), path, "", want.kind() == Kind::integer);
  }
  if (want.kind() != got.kind() || want.describe() != got.describe()) {
    return other(path, "got " + got.describe() + ", want " + want.describe());
  }
  ++found_.compared;
}

CaseDifference Comparison::finish() const {
  CaseDifference found = found_;
  found.message = first_other_.empty() ? worst_ : first_other_;
  if (found.disagreed > 1) {
    found.message += "; " + std::to_string(found.disagreed) + " of " +
                     std::to_string(found.compared) + " values disagree, largest difference " +
                     number(found.largest);
  }
  return found;
}

}  // namespace

CaseDifference compare_values(const CaseValue& want, const CaseValue& got, CaseTolerance tolerance,
                              const std::string& path) {
  Comparison comparison(tolerance);
  comparison.compare(want, got, path);
  return comparison.finish();
}

}  // namespace core
