// Where pages end: of all ways to part a document the one that leaves least empty and parts least
// of what belongs together. Costs are of 100, that of an empty page.
#include <algorithm>
#include <limits>

#include "app/paper/a4.h"

namespace paper::a4 {
namespace {

constexpr double kOfPage = 4, kOfKept = 1000, kOfLowering = 12;
// A last page with a few lines is worse than some that end early.
constexpr double kFewLines = 0.2, kOfFewLines = 30;

// How high items are together.
struct Extent {
  float natural = 0, least = 0;
  void add(const Item& item, bool first) {
    const float gap = first ? 0 : item.gap;
    natural += gap + item.height;
    least += gap + (item.redrawn ? item.least : item.height);
  }
};

double cost_of(const Extent& extent, bool last) {
  const auto share = [](float units) { return static_cast<double>(units / kUnitsHigh); };
  double cost = kOfPage;
  if (const float over = extent.natural - kUnitsHigh; over > 0) {
    const float room = std::max(over, extent.natural - extent.least);
    return cost + kOfLowering * static_cast<double>(over / room);
  }
  if (last) {
    const double missing = kFewLines - share(extent.natural);
    return cost + std::max(0.0, missing) / kFewLines * kOfFewLines;
  }
  const double empty = share(kUnitsHigh - extent.natural);
  return cost + 100 * empty * empty;
}

double parting(const Item& before) {
  return before.keep ? kOfKept : static_cast<double>(before.tie);
}

// The items from `first` to `end` on a page, its pictures each lowered by the same share of what
// they can give.
std::vector<Placed> page_of(const std::vector<Item>& items, std::size_t first, std::size_t end) {
  Extent extent;
  for (std::size_t k = first; k < end; ++k) extent.add(items[k], k == first);
  const float room = extent.natural - extent.least;
  const float over = std::max(0.0f, extent.natural - kUnitsHigh);
  const float share = room > 0 ? std::min(1.0f, over / room) : 0;
  std::vector<Placed> page;
  float y = 0;
  for (std::size_t k = first; k < end; ++k) {
    const Item& item = items[k];
    if (k > first) y += item.gap;
    const float lower = item.redrawn ? share * (item.height - item.least) : 0;
    page.push_back({&item, y, item.height - lower});
    y += page.back().height;
  }
  return page;
}

}  // namespace

std::vector<std::vector<Placed>> pages_of(const std::vector<Item>& items) {
  const std::size_t count = items.size();
  // For the items from k on: the least cost, and where the first page ends.
  std::vector<double> least(count + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> end_of(count + 1, count);
  least[count] = 0;
  for (std::size_t k = count; k-- > 0;) {
    Extent extent;
    for (std::size_t end = k + 1; end <= count; ++end) {
      if (items[end - 1].first && end > k + 1) break;
      extent.add(items[end - 1], end == k + 1);
      // One that is higher than a page stands alone.
      if (extent.least > kUnitsHigh && end > k + 1) break;
      const bool last = end == count || items[end].first;
      const double cost = cost_of(extent, last) + least[end] + (last ? 0 : parting(items[end - 1]));
      if (cost < least[k]) least[k] = cost, end_of[k] = end;
    }
  }
  std::vector<std::vector<Placed>> pages;
  for (std::size_t k = 0; k < count; k = end_of[k]) pages.push_back(page_of(items, k, end_of[k]));
  if (pages.empty()) pages.emplace_back();
  return pages;
}

}  // namespace paper::a4
