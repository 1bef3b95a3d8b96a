#include "core/precision/position_ids.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/refuse.h"

namespace core {
namespace {

using precision::Layout;

constexpr Index kMostIds = Index{1} << 52;

void require_ids(const char* where, Index n, RoundingRule rule) {
  if (n < 0 || n > kMostIds) refuse(where, "between 0 and 2^52 ids", std::to_string(n));
  if (rule.rounding == Rounding::stochastic) {
    refuse(where, "a rounding that needs no random bits", "stochastic");
  }
}

// The groups of 0 .. n-1 by their codes. The code after the largest finite one is that of infinity,
// or of NaN under nan_only.
class Groups {
 public:
  Groups(Index n, const Format& format, RoundingRule rule)
      : n_(n), layout_(format), rounder_(format, rule) {}

  const Layout& layout() const { return layout_; }
  Code code(Index id) const { return rounder_.code(static_cast<double>(id)); }
  // Empty (last < first) where no id has this code.
  IdGroup of(Code code) const {
    const Index begin = first_reaching(code);
    return {begin, first_reaching(code + 1) - 1,
            code <= layout_.largest ? layout_.magnitude(code) : rounder_(4 * last_value() + 4)};
  }
  double last_value() const { return layout_.magnitude(layout_.largest); }

 private:
  // Rounding is monotone: the least id whose code is this or a later one; n for none.
  Index first_reaching(Code wanted) const {
    Index low = 0, high = n_;
    while (low < high) {
      const Index middle = low + (high - low) / 2;
      if (code(middle) < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  Index n_;
  Layout layout_;
  Rounder rounder_;
};

// Adds groups up, in the order of their ids.
class Tally {
 public:
  explicit Tally(Index n) { facts_.n = n; }

  // `count` groups like this one, the first of them.
  void add(const IdGroup& group, Index count = 1) {
    const Index size = group.size();
    if (size <= 0 || count <= 0) return;
    sizes_[size] += count;
    facts_.distinct += count;
    facts_.largest_group = std::max(facts_.largest_group, size);
    const Index alone = size == 1 ? count : 0, exact = group.holds_exact() ? count : 0;
    facts_.alone += alone;
    facts_.exact += exact;
    facts_.alone_and_exact += std::min(alone, exact);
    if (std::isfinite(group.value)) {
      const double low = static_cast<double>(group.first), high = static_cast<double>(group.last);
      facts_.max_error =
          std::max({facts_.max_error, std::fabs(group.value - low), std::fabs(group.value - high)});
    } else {
      facts_.not_finite += size * count;
    }
    if (size > 1 && !facts_.first_collision) facts_.first_collision = group.first + 1;
    if (!facts_.first_inexact) note_inexact(group);
  }

  // The groups since the last call were those of values in [low, high).
  void end_binade(double low, double high, double spacing) {
    IdBinade binade{low, high, spacing, 0, {}};
    for (const auto& [size, count] : sizes_) {
      binade.sizes.push_back({size, count});
      binade.distinct += count;
    }
    if (binade.distinct > 0) facts_.binades.push_back(binade);
    sizes_.clear();
  }

  const IdFacts& facts() const { return facts_; }

 private:
  void note_inexact(const IdGroup& group) {
    if (static_cast<double>(group.first) != group.value) {
      facts_.first_inexact = group.first;
    } else if (group.size() > 1) {
      facts_.first_inexact = group.first + 1;
    }
  }

  IdFacts facts_;
  std::map<Index, Index> sizes_;
};

// How many ids, from 0 on, keep their value and share it with none whatever the rounding: those
// below 2^(t+1) and below the largest number. None if the smallest steps are larger than 1.
Index plain_ids(Index n, const Format& format) {
  if (min_positive(format) > 1) return 0;
  const double end =
      std::min(std::ldexp(1.0, format.mantissa_bits + 1), std::ceil(max_finite(format)));
  return end >= static_cast<double>(n) ? n : static_cast<Index>(end);
}

// The groups of codes first .. last, all of one binade with a spacing of at least 2. Those of one
// parity are alike, but for the lowest, whose neighbour below is nearer, and the topmost, where the
// ids may end.
void add_codes(const Groups& groups, Tally& tally, Code first, Code last) {
  constexpr Code kTop = 3;
  Code code = first;
  if (last - first > 2 * kTop) {
    const auto inner = static_cast<Index>(last - first - kTop);
    tally.add(groups.of(first));
    tally.add(groups.of(first + 1), (inner + 1) / 2);
    tally.add(groups.of(first + 2), inner / 2);
    code = last - kTop + 1;
  }
  for (; code <= last; ++code) tally.add(groups.of(code));
}

// [low, high) and spacing of the values that stand together with those of `code`.
struct Span {
  double low, high, spacing;
};

Span span_of(const Format& format, double value) {
  const bool fine = min_positive(format) <= 1;
  const double together = fine ? std::ldexp(1.0, format.mantissa_bits + 1)
                               : min_normal(format).value_or(2 * max_finite(format));
  if (value < together) return {0, together, fine ? 1 : spacing(format, 0)};
  const double low = std::ldexp(1.0, std::ilogb(value));
  return {low, 2 * low, spacing(format, value)};
}

void end_binade(Tally& tally, const Format& format, double value) {
  const Span span = span_of(format, value);
  tally.end_binade(span.low, span.high, span.spacing);
}

}  // namespace

bool IdGroup::holds_exact() const {
  return value >= static_cast<double>(first) && value <= static_cast<double>(last) &&
         value == std::floor(value);
}

IdFacts id_facts(Index n, const Format& format, RoundingRule rule) {
  require_format(format);
  require_ids("id_facts", n, rule);
  const Groups groups(n, format, rule);
  const Layout& layout = groups.layout();
  Tally tally(n);
  const Index plain = plain_ids(n, format);
  tally.add({0, 0, 0}, plain);
  Code code = plain > 0 ? groups.code(plain - 1) + 1 : 0;
  if (plain < n) {
    const Code last = groups.code(n - 1), finite = std::min(last, layout.largest);
    const double end_of_plain = span_of(format, 0).high;
    if (plain > 0 && groups.last_value() < end_of_plain) {
      // Nothing but the largest number is left, and what saturates to it.
      tally.add(groups.of(layout.largest));
      code = layout.largest + 1;
    }
    if (plain > 0) end_binade(tally, format, 0);
    while (code <= finite) {
      const Code top = std::min((code / layout.leading + 1) * layout.leading - 1, finite);
      add_codes(groups, tally, code, top);
      end_binade(tally, format, layout.magnitude(top));
      code = top + 1;
    }
    if (last > layout.largest) tally.add(groups.of(last));
  } else {
    end_binade(tally, format, 0);
  }
  return tally.facts();
}

IdFacts id_facts_by_listing(Index n, const Format& format, RoundingRule rule) {
  require_format(format);
  require_ids("id_facts_by_listing", n, rule);
  const Rounder round(format, rule);
  Tally tally(n);
  std::optional<double> binade;
  for (Index first = 0; first < n;) {
    const double value = round(static_cast<double>(first));
    Index end = first + 1;
    const auto joins = [&](double other) {
      return other == value || (std::isnan(other) && std::isnan(value));
    };
    while (end < n && joins(round(static_cast<double>(end)))) ++end;
    const bool finite = std::isfinite(value);
    if (binade && (!finite || span_of(format, value).low != span_of(format, *binade).low)) {
      end_binade(tally, format, *binade);
    }
    tally.add({first, end - 1, value});
    binade = finite ? std::optional(value) : std::nullopt;
    first = end;
  }
  if (binade) end_binade(tally, format, *binade);
  return tally.facts();
}

IdGroup id_group(Index id, Index n, const Format& format, RoundingRule rule) {
  require_format(format);
  require_ids("id_group", n, rule);
  if (id < 0 || id >= n) {
    refuse("id_group", "an id from 0 to " + std::to_string(n - 1), std::to_string(id));
  }
  const Groups groups(n, format, rule);
  return groups.of(groups.code(id));
}

std::vector<Index> exact_ids_per_binade(Index n, const Format& format) {
  require_format(format);
  require_ids("exact_ids_per_binade", n, {});
  std::vector<Index> out;
  if (n == 0) return out;
  const double last = static_cast<double>(n - 1);
  for (Span span = span_of(format, 0); span.low <= last;) {
    const double top = std::min(last, std::nextafter(span.high, 0));
    const Index step = static_cast<Index>(span.spacing);
    Index count = count_between(format, span.low, top);
    // Where numbers are closer than 1, only the integers count.
    if (step <= 1) {
      count = static_cast<Index>(std::min(std::floor(top), std::floor(max_finite(format)))) + 1;
    }
    if (count > 0) out.push_back(count);
    span = span_of(format, span.high);
  }
  return out;
}

DistanceFacts distance_facts(Index n, const Format& format, RoundingRule rule,
                             const Cancel& cancel) {
  require_format(format);
  require_ids("distance_facts", n, rule);
  const Rounder round(format, rule);
  DistanceFacts facts;
  std::map<double, Index> errors;
  Index finite = 0, same = 0;
  double before = -1;
  for (Index id = 0; id < n; ++id) {
    if (id % 65536 == 0) cancel.poll();
    const double exact = static_cast<double>(id), value = round(exact);
    if (!std::isfinite(value)) continue;
    ++finite;
    ++errors[value - exact];
    same = value == before ? same + 1 : 0;
    facts.seem_equal += same;
    before = value;
  }
  const auto pairs_of = [](Index count) { return count * (count + 1) / 2; };
  facts.pairs = pairs_of(n);
  facts.undefined = facts.pairs - pairs_of(finite);
  if (errors.empty()) return facts;
  facts.max_error = errors.rbegin()->first - errors.begin()->first;
  // Pairs of errors at most 1 apart: those of one error, and those with a smaller one in reach.
  Index near = 0, reach = 0;
  auto low = errors.begin();
  for (const auto& [error, count] : errors) {
    for (; low->first < error - 1; ++low) reach -= low->second;
    facts.exact += pairs_of(count);
    near += count * reach;
    reach += count;
  }
  facts.wrong_by_more = pairs_of(finite) - facts.exact - near;
  return facts;
}

}  // namespace core
