// Weighted links between two columns of words.
#include <algorithm>
#include <cmath>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kPitch = 11;  // words closer than this are thinned out
constexpr float kWordWidth = 90, kWordGap = 10;
constexpr std::size_t kMostLinks = 4000;  // the heaviest ones; fainter ones could not be told apart
constexpr float kFaintest = 0.01f;

struct Side {
  const Labels& words;
  int marked;
  const std::string& param;
  Role role;
  float x, align;  // where words are anchored
};

void draw_words(const Side& side, const Placed& p, const Pen& pen) {
  if (!side.words) return;
  const float pitch = p.frame.py_at(1) - p.frame.py_at(0);
  const auto every =
      std::max(1, static_cast<int>(std::ceil(pen.px(kPitch) / std::max(pitch, 0.01f))));
  const int count = static_cast<int>(side.words->size());
  for (int k = 0; k < count; ++k) {
    const float y = p.frame.py_at(k + 0.5);
    if (y < p.area.y || y > p.area.bottom()) continue;
    const bool marked = k == side.marked;
    const bool hidden_by_marked = side.marked >= 0 && std::abs(k - side.marked) < every;
    const std::string& word = (*side.words)[static_cast<std::size_t>(k)];
    if (marked || (k % every == 0 && !hidden_by_marked)) {
      const TextStyle style = marked ? TextStyle::label_bold : TextStyle::label;
      pen.text({side.x, y}, pen.fit(short_name(word), style, pen.px(kWordWidth)), style,
               marked ? pen.theme()(side.role) : pen.theme().dim, side.align);
    }
    if (side.param.empty()) continue;
    const float w = side.align > 0 ? side.x - p.slot.x : p.slot.right() - side.x;
    pen.drawing().hits.push_back({{side.align > 0 ? p.slot.x : side.x, y - pitch / 2, w, pitch},
                                  p.index,
                                  {{side.param, std::to_string(k)}},
                                  word});
  }
}

bool valid(const Links::Link& link, const Links& links) {
  const auto within = [](int k, const Labels& words) {
    return words && k >= 0 && k < static_cast<int>(words->size());
  };
  return link.weight >= kFaintest && within(link.from, links.left) && within(link.to, links.right);
}

// The heaviest links, faintest first so that strong ones lie on top.
std::vector<Links::Link> heaviest(const Links& links) {
  std::vector<Links::Link> kept;
  for (const Links::Link& link : links.links) {
    if (valid(link, links)) kept.push_back(link);
  }
  const auto lighter = [](const auto& a, const auto& b) { return a.weight < b.weight; };
  if (kept.size() > kMostLinks) {
    const auto cut = kept.end() - static_cast<std::ptrdiff_t>(kMostLinks);
    std::nth_element(kept.begin(), cut, kept.end(), lighter);
    kept.erase(kept.begin(), cut);
  }
  std::stable_sort(kept.begin(), kept.end(), lighter);
  return kept;
}

}  // namespace

float link_words_width(const Links& links, bool left, const Pen& pen) {
  const Labels& words = left ? links.left : links.right;
  if (!words) return pen.px(kWordGap);
  float width = 0;
  // Words are many only when most are not written: the first thousand stand for all.
  for (std::size_t k = 0; k < std::min<std::size_t>(words->size(), 1000); ++k) {
    width = std::max(width, pen.size(short_name((*words)[k]), TextStyle::label_bold).x);
  }
  return std::min(width, pen.px(kWordWidth)) + pen.px(kWordGap);
}

void draw_links(const Links& links, const Placed& p, const Pen& pen) {
  const Rect& a = p.area;
  pen.add(draw::Clip{{a.x, a.y, a.w, a.h}});
  for (const Links::Link& link : heaviest(links)) {
    const float from = p.frame.py_at(link.from + 0.5), to = p.frame.py_at(link.to + 0.5);
    const float weight = std::clamp(link.weight, 0.0f, 1.0f), third = a.w * 0.45f;
    const Rgba color = resolve(link.color, pen.theme()).with_alpha(0.15f + 0.85f * weight);
    pen.add(draw::Curve{{a.x, from},
                        {a.x + third, from},
                        {a.right() - third, to},
                        {a.right(), to},
                        color,
                        pen.px(0.75f + 3.25f * weight)});
  }
  pen.add(draw::Unclip{});
  if (p.detail >= Detail::no_ticks) return;
  draw_words(
      {links.left, links.marked_left, links.left_param, Role::query, a.x - pen.px(kWordGap), 1}, p,
      pen);
  draw_words({links.right, links.marked_right, links.right_param, Role::key,
              a.right() + pen.px(kWordGap), 0},
             p, pen);
}

}  // namespace figure::parts
