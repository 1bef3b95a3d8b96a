#include "app/labs/relative/thin.h"

#include <algorithm>
#include <cmath>

namespace lab::relative {
namespace {

using core::Index;

// Where the k-th of `count` stretches begins.
Index stretch_begin(Index k, Index count, Index first, Index last, bool log) {
  const double share = static_cast<double>(k) / static_cast<double>(count);
  const auto low = static_cast<double>(first), high = static_cast<double>(last) + 1;
  const double at = log ? low * std::pow(high / low, share) : low + share * (high - low);
  return static_cast<Index>(std::floor(at + 1e-9));
}

}  // namespace

figure::Line thin_line(Index first, Index last, bool log, const std::function<double(Index)>& y) {
  figure::Line line;
  const auto add = [&](Index x, double value) {
    line.x.push_back(static_cast<double>(x));
    line.y.push_back(value);
  };
  if (last - first + 1 <= kMostPoints) {
    for (Index x = first; x <= last; ++x) add(x, y(x));
    return line;
  }
  const Index count = kMostPoints / 2;
  for (Index k = 0; k < count; ++k) {
    const Index begin = stretch_begin(k, count, first, last, log);
    const Index end = k + 1 == count ? last + 1 : stretch_begin(k + 1, count, first, last, log);
    if (begin >= end) continue;
    Index low = begin, high = begin;
    double least = y(begin), most = least;
    for (Index x = begin + 1; x < end; ++x) {
      const double value = y(x);
      if (value < least) least = value, low = x;
      if (value > most) most = value, high = x;
    }
    add(std::min(low, high), low < high ? least : most);
    if (low != high) add(std::max(low, high), low < high ? most : least);
  }
  return line;
}

}  // namespace lab::relative
