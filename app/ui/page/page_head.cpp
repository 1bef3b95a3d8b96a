#include "app/ui/page/page_head.h"

#include <algorithm>
#include <cmath>

#include "app/lesson/library.h"
#include "app/lesson/text/text.h"
#include "app/ui/controls/widgets.h"

namespace ui {

namespace {

constexpr float kLowPage = 560;  // units; figures come first on a page that is lower

}  // namespace

float PageHead::draw(float x, float y, float w, float room) {
  low_ = room < gui_.px(kLowPage);
  if (std::exchange(lab_, program_.desk.lab().id) != program_.desk.lab().id) unfolded_.reset();
  y = question(x, y + gui_.px(4), w);
  // A lesson has its own words.
  if (introduces() && offers_) y = introduction(x, y, w);
  if (introduces() || !low_) y = lessons(x, y, w);
  return jumps(x, tabs(x, y, w), w) + gui_.px(10);
}

bool PageHead::introduces() const { return unfolded_.value_or(program_.looks.introduces && !low_); }

// On a low page for this lab only; else for every lab, and for the next time.
void PageHead::collapse(bool collapsed) {
  unfolded_.reset();
  if (low_) {
    unfolded_ = !collapsed;
  } else {
    program_.looks.introduces = !collapsed;
  }
}

// With the arrow that folds the introduction away.
float PageHead::question(float x, float y, float w) {
  const words::Words& words = gui_.words();
  const lab::Lab& lab = program_.desk.lab();
  const std::string text = words(hides_question_ ? lab.title : lab.question);
  const float arrow = gui_.px(28), room = w - arrow - gui_.px(8);
  const auto lines = gui_.wrap(text, TextStyle::panel, room);
  const float pitch = std::round(gui_.line(TextStyle::panel) * 1.3f);
  float middle = y + gui_.px(14);
  for (const std::string& line : lines) {
    gui_.text(x, middle, line, TextStyle::panel, gui_.theme().text);
    middle += pitch;
  }
  middle -= pitch;
  gui_.control("page.question", {x, y, room, middle + pitch / 2 - y});
  ButtonLook look;
  look.kind = ButtonLook::Kind::ghost;
  look.icon = introduces() ? Icon::up : Icon::down;
  if (button(gui_, "button.introduction", {x + w - arrow, y, arrow, gui_.px(28)}, "", look,
             words("Show or hide the introduction"))) {
    collapse(introduces());
  }
  const float end = x + gui_.width(lines.back(), TextStyle::panel);
  return badge(x, middle + pitch / 2 + gui_.px(3), room, end, middle);
}

// Beside the question where there is room, else under it.
float PageHead::badge(float x, float y, float w, float question_end, float middle) {
  const state::Computed* page = program_.pages.page();
  if (!page || page->page.made_up.empty()) return y;
  const figure::Theme& theme = gui_.theme();
  const std::string& text = page->page.made_up;
  const float pad = gui_.px(9), height = gui_.px(22), gap = gui_.px(14);
  const float width = std::ceil(gui_.width(text, TextStyle::label)) + 2 * pad;
  const bool beside = question_end + gap + width <= x + w;
  const Rect rect = beside
                        ? Rect{question_end + gap, std::round(middle - height / 2), width, height}
                        : Rect{x, y + gui_.px(2), std::min(width, w), height};
  gui_.fill(rect, mix(theme.window, theme.accent, 0.16f), height / 2);
  gui_.text_or_tip("page.made_up", rect.x + pad, rect.y + height / 2, rect.w - 2 * pad + 1, text,
                   TextStyle::label, theme.text);
  gui_.control("page.made_up", rect);
  return beside ? y : rect.bottom() + gui_.px(3);
}

float PageHead::introduction(float x, float y, float w) {
  const float height = gui_.paragraph(x, y, w, gui_.words()(program_.desk.lab().about),
                                      TextStyle::body, gui_.theme().dim);
  gui_.control("page.introduction", {x, y, w, height});
  return y + height + gui_.px(4);
}

// The lessons of this page, as buttons in rows.
float PageHead::lessons(float x, float y, float w) {
  const std::vector<std::string> names = lesson::of_lab(program_.desk.lab().id);
  if (!offers_ || names.empty()) return y;
  const words::Words& words = gui_.words();
  const std::string head = words("Lessons of this page");
  const float h = gui_.px(27), gap = gui_.px(6);
  y += gui_.px(6);
  gui_.text(x, y + h / 2, head, TextStyle::label, gui_.theme().dim);
  float at = x + gui_.width(head, TextStyle::label) + gui_.px(12);
  for (const std::string& name : names) {
    const lesson::Lesson& one = lesson::shipped(name, words.language());
    const bool done = program_.learned.of(name).done;
    const std::string label = (done ? "✓ " : "") + one.title;
    const float width = std::min(button_width(gui_, label, {}), w);
    if (at > x && at + width > x + w) at = x, y += h + gap;
    const Rect rect{at, y, width, h};
    const std::string help =
        fmt::format("{}\n{}", lesson::plain(lesson::text_of(one.about, {}, words)),
                    words.format(N_("{} min"), one.minutes));
    if (button(gui_, "open_lesson." + name, rect, label, {}, help)) {
      program_.events.add(state::LessonRequest{name});
    }
    at += width + gap;
  }
  return y + h + gui_.px(4);
}

float PageHead::tabs(float x, float y, float w) {
  const param::List all = program_.desk.list();
  for (const param::Parameter& p : all.items()) {
    if (!p.info.tabs) continue;
    const std::string id(p.info.id);
    const auto& choice = std::get<param::Choice>(p.kind);
    std::vector<std::string> ids, labels;
    for (const param::Option& option : choice.options) {
      ids.push_back(fmt::format("choice.{}.{}", id, option.id));
      labels.push_back(gui_.words()(option.label));
    }
    const TabsResult result =
        ui::tabs(gui_, ids, labels, {x, y, w, 0}, choice.get(), gui_.words()(p.info.help));
    if (result.chosen && *result.chosen != choice.get()) {
      const auto& option = choice.options[static_cast<std::size_t>(*result.chosen)];
      program_.knobs.set(id, std::string(option.id));
    }
    y += result.height;
  }
  return y;
}

// What the page offers to set; where a training stopped, that stands beside the word of it.
lab::Offer PageHead::offer() const {
  const state::Computed* page = program_.pages.page();
  const auto trainings = program_.trainings.all();
  const bool stopped = std::any_of(trainings.begin(), trainings.end(), [](const auto& run) {
    return run.state == worker::RunState::stopped;
  });
  return page && !stopped ? page->page.offer : lab::Offer();
}

// Buttons that open other labs, the one that leads back from where one of them led, and what the
// page offers; in rows.
float PageHead::jumps(float x, float y, float w) {
  const words::Words& words = gui_.words();
  const state::Computed* page = program_.pages.page();
  const std::string back = program_.jumps.came_from();
  const std::vector<lab::Jump> all = page ? page->page.jumps : std::vector<lab::Jump>();
  const lab::Offer offered = offer();
  if (back.empty() && all.empty() && offered.sets.empty()) return y;
  const float h = gui_.px(27), gap = gui_.px(6);
  float at = x;
  y += gui_.px(8);
  const auto add = [&](const std::string& id, const std::string& label, const std::string& help,
                       const ButtonLook& look) {
    const float width = std::min(button_width(gui_, label, look), w);
    if (at > x && at + width > x + w) at = x, y += h + gap;
    const Rect rect{at, y, width, h};
    at += width + gap;
    return button(gui_, id, rect, label, look, help);
  };
  bool go_back = false;
  const lab::Jump* chosen = nullptr;
  if (!back.empty()) {
    ButtonLook look;
    look.kind = ButtonLook::Kind::accent;
    const auto from = std::find_if(program_.desk.labs().begin(), program_.desk.labs().end(),
                                   [&](const lab::Lab& one) { return one.id == back; });
    go_back = add("jump.back", words.format(N_("Back to {}"), words(from->title)),
                  words("The lab that led here, as you left it"), look);
  }
  const bool taken = !offered.sets.empty() && add("page.offer", offered.label, offered.help, {});
  for (const lab::Jump& jump : all) {
    const std::string place = jump.figure.empty() ? "" : "." + jump.figure;
    if (add("jump." + jump.lab + place, jump.label, jump.help, {})) chosen = &jump;
  }
  if (chosen) {
    program_.jumps.jump(*chosen);
  } else if (taken) {
    program_.knobs.apply(offered.sets);
  } else if (go_back) {
    program_.jumps.back();
  }
  return y + h;
}

}  // namespace ui
