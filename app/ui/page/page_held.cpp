// What is held, on the figures of a page.
#include <imgui.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/session/compare.h"
#include "app/ui/page/held_values.h"
#include "app/ui/page/page_view.h"
#include "app/ui/page/values_at.h"
#include "app/words/sentence.h"
#include "core/types.h"

namespace ui {

namespace {

using Figures = std::vector<figure::Figure>;

std::shared_ptr<const Figures> seen_of(const Figures& all, const std::vector<std::string>& unseen) {
  const auto covered = [&](const auto& one) {
    return std::find(unseen.begin(), unseen.end(), one.id) != unseen.end();
  };
  auto seen = std::make_shared<Figures>();
  std::remove_copy_if(all.begin(), all.end(), std::back_inserter(*seen), covered);
  for (figure::Figure& one : *seen) std::erase_if(one.plots, covered);
  return seen;
}

}  // namespace

// Only a page of the lab that is shown is compared, and never with itself.
LayoutKey::Held PageView::held_key() {
  const std::shared_ptr<const state::Computed> was =
      std::exchange(compared_.page, program_.holding.page());
  const bool before = !compared_.page && presented_ && presented_->before.page;
  if (before) compared_.page = presented_->before.page;
  const state::Computed* page = program_.pages.page();
  if (compared_.page &&
      (compared_.page.get() == page || compared_.page->made_from.lab != page->made_from.lab ||
       compared_.page->language != page->language)) {
    compared_.page = nullptr;
  }
  compared_.ghost = {};
  if (!compared_.page) return {};
  const Figures& all = compared_.page->page.figures;
  std::vector<std::string> unseen = before ? presented_->before.unseen : std::vector<std::string>{};
  if (unseen.empty()) {
    compared_.figures = {compared_.page, &all};
  } else if (compared_.page != was || unseen != compared_.unseen) {
    compared_.figures = seen_of(all, unseen);
  }
  compared_.unseen = std::move(unseen);
  const bool drag = before || program_.holding.is_drag();
  const session::Holds& holds = program_.holding.holds();
  const figure::CellsShown cells = drag ? figure::CellsShown::live : holds.cells;
  compared_.ghost = {.held = compared_.figures.get(),
                     .split = cells == figure::CellsShown::split,
                     .at = holds.split,
                     .before = before,
                     .now = gui_.words()("Now"),
                     .then = gui_.words()("Held")};
  return {compared_.page.get(), drag, cells, differences_.poll(), before};
}

// A ghost that lasts as long as a drag changes no heatmap and says nothing.
void PageView::stand_beside() {
  if (compared_.page && !laid_.key.held.drag) {
    const auto find = [this](const auto& live, const auto& held) {
      return differences_.of(live, held);
    };
    for (std::size_t i = 0; i < laid_.shown.size(); ++i) {
      laid_.placed[i].beside =
          session::beside(page_->page.figures[laid_.shown[i]], *compared_.figures,
                          laid_.key.held.cells, find, gui_.words());
    }
  }
  differences_.forget_others();
  name_ghosts();
}

// Where no strip over the page says what is held, the figures do; of a drag nothing is said.
void PageView::name_ghosts() {
  const LayoutKey::Held& held = laid_.key.held;
  const bool strip = strip_ && alone_.empty() && !presented_;
  if (!compared_.page || strip || (held.drag && !held.before)) return;
  const session::Holds& holds = program_.holding.holds();
  const session::Hold* hold = held.before ? nullptr : holds.now();
  const words::Words& w = gui_.words();
  const std::string then = !hold                ? std::string()
                           : hold->name.empty() ? program_.holding.differs(*hold)
                                                : hold->name;
  for (std::size_t i = 0; i < laid_.shown.size(); ++i) {
    const Figures& figures = *compared_.figures;
    std::vector<std::string> lines;
    if (!held.before) {
      lines = session::held_legend(figure_at(i), figures, held.cells, then, w);
    } else {
      // Marks that stayed as they were have no ghost.
      const figure::Rect probe{0, 0, gui_.px(640), gui_.px(480)};
      const std::string look =
          session::look_of_ghosts(figure::layout(figure_at(i), probe, {}, options()).ghosts, w);
      if (!look.empty()) lines = {w.format(N_("{}: before the answer"), look)};
      if (session::draws_corners(figure_at(i), figures)) {
        lines.push_back(w("in the corner of a cell: before the answer"));
      }
    }
    if (lines.empty()) continue;
    auto named = std::make_shared<figure::Figure>(figure_at(i));
    for (const std::string& line : lines)
      named->footer.push_back({line, figure::Role::dim, figure::TextStyle::small});
    laid_.placed[i].beside = std::move(named);
    laid_.placed[i].names_ghosts = true;
  }
}

const figure::Plot* PageView::held_plot(const figure::Plot& live) const {
  const figure::Plot* held =
      compared_.page ? figure::find_plot(*compared_.figures, live.id) : nullptr;
  return held && figure::apart(live, *held) == figure::Apart::none ? held : nullptr;
}

// The values at a place of what the page itself shows, whatever is drawn of it.
std::vector<std::string> PageView::tip_at(std::size_t index, const figure::PlotFrame& frame,
                                          figure::Point at) const {
  const figure::Figure& live = page_->page.figures[laid_.shown[index]];
  const figure::Drawing& drawing = laid_.placed[index].drawing;
  const auto place = static_cast<std::size_t>(frame.index);
  const words::Words& w = gui_.words();
  try {
    // A held plot that stands beside tells of itself alone.
    if (place >= live.plots.size()) {
      return values_at(figure_at(index).plots[place], drawing, frame, at, w);
    }
    const figure::Plot& plot = live.plots[place];
    auto lines = values_at(plot, drawing, frame, at, w);
    // After an answer its words have said both numbers.
    const figure::Plot* held = laid_.key.held.before ? nullptr : held_plot(plot);
    return held ? with_held(std::move(lines), plot, *held, drawing, frame, at, w) : lines;
  } catch (const core::InputError& e) {
    return gui_.wrap(words::translated(e, w), figure::TextStyle::label, gui_.px(320));
  }
}

// Drags the divider of a heatmap. True where the pointer is its.
bool PageView::divide(std::size_t index, figure::Point local, bool held) {
  const figure::Rect& box = laid_.placed[index].box;
  const figure::Divider* under = nullptr;
  for (const figure::Divider& divider : laid_.placed[index].drawing.dividers) {
    if (divider.grip.contains(local)) under = &divider;
  }
  if (under && held && ImGui::IsMouseClicked(0)) {
    const figure::Rect& a = under->area;
    pointer_.divided = figure::Rect{box.x + a.x, box.y + a.y, a.w, a.h};
    gui_.keyboard().focus("", false);
    pointer_.press.reset();
    pointer_.moved = true;  // its end is no click
  }
  if (pointer_.divided && !ImGui::IsMouseDown(0)) {
    pointer_.divided.reset();
    program_.desk.end_gesture();
    return true;
  }
  const bool hovered = under && ImGui::IsWindowHovered();
  if (!pointer_.divided && !hovered) return false;
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (pointer_.divided && held && pointer_.divided->w > 0) {
    program_.holding.set_split((ImGui::GetIO().MousePos.x - pointer_.divided->x) /
                               pointer_.divided->w);
    gui_.wake_in(0);
  }
  if (!pointer_.divided) {
    gui_.tooltip_now({gui_.words()("Left of the line: now. Right of it: held."),
                      gui_.words()("Drag it to move the border.")});
  }
  return true;
}

}  // namespace ui
