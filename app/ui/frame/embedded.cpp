#include "app/ui/frame/embedded.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {

namespace {

constexpr float kBetween = 24, kEdge = 12, kLeastKnob = 180, kMostKnob = 380;  // at 100 %
constexpr float kUsualKnob = 64;  // high, until one was drawn

}  // namespace

void Embedded::choose_figure() {
  const auto* page = program_.pages.page();
  if (!page || page->page.figures.empty()) return;
  const auto& figures = page->page.figures;
  const bool there = std::any_of(figures.begin(), figures.end(), [&](const figure::Figure& one) {
    return one.id == parts_->figure;
  });
  if (!there && !parts_->figure.empty() && !std::exchange(said_figure_, true)) {
    std::vector<std::string> ids;
    for (const figure::Figure& one : figures) ids.push_back(one.id);
    const words::Words& w = program_.words();
    program_.messages.say(w.format(N_("--embed: expected one of the figures {}, got {}"),
                                   w.list(ids), parts_->figure),
                          true);
  }
  page_.show_alone(there ? parts_->figure : figures.front().id);
}

void Embedded::choose_knobs(const std::vector<std::string>& at_hand) {
  if (parts_->knobs.empty()) {
    knobs_ = at_hand;
  } else {
    knobs_.clear();
    param::List all = program_.desk.list();
    for (const std::string& id : parts_->knobs) {
      if (all.find(id)) {
        knobs_.push_back(id);
      } else if (!std::exchange(said_knobs_, true)) {
        program_.messages.say(
            program_.words().format(N_("--embed: expected knobs of this lab, got {}"), id), true);
      }
    }
  }
  if (knobs_.size() > kMostKnobs) knobs_.resize(kMostKnobs);
  heights_.resize(knobs_.size(), gui_.px(kUsualKnob));
}

// Side by side where there is room for them, else one under the other.
bool Embedded::beside(float width) const {
  const float gap = gui_.px(kBetween);
  return width + gap >= static_cast<float>(knobs_.size()) * (gui_.px(kLeastKnob) + gap);
}

void Embedded::draw_knobs(const Rect& area, const LessonView::DrawKnob& knob) {
  const float gap = gui_.px(kBetween);
  const auto count = static_cast<float>(knobs_.size());
  const bool beside = this->beside(area.w);
  const float wide = std::min(beside ? (area.w + gap) / count - gap : area.w, gui_.px(kMostKnob));
  const float whole = beside ? count * wide + (count - 1) * gap : wide;
  float x = area.x + std::max(0.0f, (area.w - whole) / 2), y = area.y;
  for (std::size_t k = 0; k < knobs_.size(); ++k) {
    const float height = knob(knobs_[k], x, y, wide);
    if (height != heights_[k]) gui_.wake_in(0);
    heights_[k] = height;
    beside ? x += wide + gap : y += height;
  }
}

void Embedded::draw(const Rect& screen, const LessonView::DrawKnob& knob,
                    const std::vector<std::string>& at_hand) {
  choose_figure();
  choose_knobs(at_hand);
  const float edge = gui_.px(kEdge);
  float height = 0;
  for (const float one : heights_) {
    height = beside(screen.w - 2 * edge) ? std::max(height, one) : height + one;
  }
  height = knobs_.empty() ? 0 : std::min(std::round(height + edge), screen.h / 2);
  page_.draw({screen.x, screen.y, screen.w, screen.h - height});
  if (knobs_.empty()) return;
  draw_knobs({screen.x + edge, screen.y + screen.h - height, screen.w - 2 * edge, height}, knob);
}

}  // namespace ui
