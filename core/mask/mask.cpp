#include "core/mask/mask.h"

#include <algorithm>
#include <string>

namespace core {
namespace {

void require(bool good, const char* expected, Index came) {
  if (!good) {
    throw InputError(std::string("mask: expected ") + expected + ", got " + std::to_string(came));
  }
}

}  // namespace

Mask Mask::none(Index n, Index m) {
  require(n >= 0, "n >= 0", n);
  require(m >= 0, "m >= 0", m);
  return Mask(n, m);
}

Mask Mask::causal(Index n, Index m) {
  Mask mask = none(n, m);
  mask.end_shift_ = m - n + 1;
  return mask;
}

Mask Mask::local(Index n, Index m, Index reach) {
  require(reach >= 0, "reach >= 0", reach);
  Mask mask = none(n, m);
  mask.begin_shift_ = std::max(-n, -reach);
  mask.end_shift_ = std::min(m, reach + 1);
  return mask;
}

Mask Mask::key_padding(Index n, Index m, Index valid) {
  Mask mask = none(n, m);
  require(valid >= 0 && valid <= m, "a number of valid keys from 0 to m", valid);
  mask.keys_ = valid;
  return mask;
}

Mask Mask::query_padding(Index n, Index m, Index valid) {
  Mask mask = none(n, m);
  require(valid >= 0 && valid <= n, "a number of valid queries from 0 to n", valid);
  mask.queries_ = valid;
  return mask;
}

Mask Mask::dense(BoolMatrix allowed) {
  Mask mask(allowed.rows(), allowed.cols());
  mask.bits_ = std::make_shared<const BoolMatrix>(std::move(allowed));
  return mask;
}

KeyRange Mask::range(Index i) const {
  KeyRange r = band(i);
  const bool* row = bits(i);
  if (!row) return r;
  while (r.begin < r.end && !row[r.begin]) ++r.begin;
  while (r.end > r.begin && !row[r.end - 1]) --r.end;
  return r;
}

KeyRange Mask::band(Index i) const {
  if (i >= queries_) return {};
  return {std::max<Index>(0, i + begin_shift_), std::min(keys_, i + end_shift_)};
}

Index Mask::kept() const {
  Index sum = 0;
  for (Index i = 0; i < n_; ++i) {
    const KeyRange r = range(i);
    if (!bits_) {
      sum += r.size();
    } else {
      for (Index j = r.begin; j < r.end; ++j) sum += (*bits_)(i, j);
    }
  }
  return sum;
}

Mask operator&(const Mask& a, const Mask& b) {
  if (a.n_ != b.n_ || a.m_ != b.m_) {
    throw InputError("mask: expected masks of one shape, got " + std::to_string(a.n_) + " by " +
                     std::to_string(a.m_) + " and " + std::to_string(b.n_) + " by " +
                     std::to_string(b.m_));
  }
  Mask both = a;
  both.begin_shift_ = std::max(a.begin_shift_, b.begin_shift_);
  both.end_shift_ = std::min(a.end_shift_, b.end_shift_);
  both.queries_ = std::min(a.queries_, b.queries_);
  both.keys_ = std::min(a.keys_, b.keys_);
  if (a.bits_ && b.bits_) {
    both.bits_ = std::make_shared<const BoolMatrix>(*a.bits_ && *b.bits_);
  } else if (b.bits_) {
    both.bits_ = b.bits_;
  }
  return both;
}

}  // namespace core
