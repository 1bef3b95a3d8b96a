#include "app/ui/panel/sweep_bar.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>

#include "app/param/reading.h"
#include "app/words/sentence.h"

namespace ui {

namespace {

constexpr const char *kKnobMenu = "sweep.knob.menu", *kAllMenu = "sweep.all.menu",
                     *kMoreMenu = "sweep.more.menu";

std::string short_seconds(double seconds) { return figure::number_text(seconds, 3); }

}  // namespace

// Controls from left to right, in as many lines as they need.
class SweepBar::Flow {
 public:
  Flow(const Gui& gui, float x, float y, float w) : gui_(gui), x_(x), y_(y), w_(w), at_(x) {}
  // The next `width`; what belongs together is asked for together.
  Rect next(float width, float gap = 6) {
    if (at_ > x_ && at_ + width > x_ + w_) new_line();
    const Rect rect{at_, y_, std::min(width, w_), gui_.px(26)};
    at_ += width + gui_.px(gap);
    return rect;
  }
  void new_line() { at_ = x_, y_ += gui_.px(32); }
  float bottom() const { return y_ + gui_.px(26); }

 private:
  const Gui& gui_;
  float x_, y_, w_, at_;
};

void SweepBar::draw(const Rect& r) {
  if (!open()) return;
  const figure::Theme& theme = gui_.theme();
  gui_.fill(r, theme.panel);
  gui_.hline(r.x, r.right(), r.y, theme.line);
  gui_.control("sweep", r);
  const float pad = gui_.px(14);
  // In a low window it has less room than it needs.
  ImGui::SetCursorScreenPos({r.x, r.y});
  ImGui::BeginChild("sweep", {r.w, std::max(r.h, 1.0f)});
  const float top = r.y - ImGui::GetScrollY();
  transport({r.x + pad, top + gui_.px(8), r.w - 2 * pad, gui_.px(26)});
  Flow flow(gui_, r.x + pad, top + gui_.px(40), r.w - 2 * pad);
  // A track may be taken away while it is drawn.
  const std::vector<sweep::Track> tracks = sweeper_.sweep().tracks;
  const bool single = std::none_of(tracks.begin(), tracks.end(), [](auto& t) { return t.at_once; });
  if (single) {
    for (const sweep::Track& one : tracks) track(flow, one);
  } else {
    through_presets(flow);
  }
  manner(flow);
  const float needed = flow.bottom() + gui_.px(8) - top;
  extend_content(top + needed);
  ImGui::EndChild();
  if (needed != height_) gui_.wake_in(0);
  height_ = needed;
}

void SweepBar::transport(const Rect& line) {
  const words::Words& w = gui_.words();
  const bool playing = sweeper_.playing();
  const float each = gui_.px(34), gap = gui_.px(6);
  ButtonLook look;
  look.icon = playing ? Icon::pause : Icon::play;
  if (button(gui_, "sweep.play", {line.x, line.y, each, line.h}, "", look,
             playing ? w("Pause") : w("Play"))) {
    playing ? sweeper_.pause() : sweeper_.play();
  }
  ButtonLook close;
  close.kind = ButtonLook::Kind::ghost;
  close.icon = Icon::close;
  const Rect cross{line.right() - gui_.px(28), line.y, gui_.px(28), line.h};
  const std::string caption =
      sweep::caption(sweeper_.sweep(), program_.desk.lab(), program_.desk.now().values, w);
  const float room = std::min(gui_.px(260), line.w * 0.4f);
  const float caption_width = std::min(room, gui_.width(caption, TextStyle::mono) + gui_.px(4));
  const Rect track{line.x + each + gap, line.y + gui_.px(2),
                   line.w - each - cross.w - room - 4 * gap, line.h - gui_.px(4)};
  const auto result = slider(gui_, "sweep.place", track, sweeper_.place(),
                             w("Position of the sweep: drag it, or use the arrow keys"));
  if (result.moved_to) sweeper_.scrub(*result.moved_to);
  if (result.steps != 0) sweeper_.scrub(sweeper_.place() + 0.02 * result.steps);
  gui_.text_or_tip("sweep.told", track.right() + 2 * gap, line.y + line.h / 2, caption_width,
                   caption, TextStyle::mono, gui_.theme().text);
  if (button(gui_, "sweep.close", cross, "", close,
             w("End the sweep; the knobs go back to where they were (Escape)"))) {
    sweeper_.give_up();
  }
}

// "Temperature  [0.1] to [10]", with a cross where there are several.
void SweepBar::track(Flow& flow, const sweep::Track& track) {
  const words::Words& w = gui_.words();
  const param::List list = program_.desk.list();
  const auto found = std::find_if(list.items().begin(), list.items().end(),
                                  [&](const param::Parameter& p) { return p.info.id == track.id; });
  if (found == list.items().end()) return;
  const std::string name(w(found->info.label)), to(w("to"));
  const bool several = sweeper_.sweep().tracks.size() > 1;
  const float label_w = std::min(std::ceil(gui_.width(name, TextStyle::body)), gui_.px(150));
  const bool words = !param::number(*found);
  const float box_w = gui_.px(words ? 104 : 68), gap = gui_.px(6);
  const float to_w = std::ceil(gui_.width(to, TextStyle::body));
  const float all = label_w + 2 * box_w + to_w + 4 * gap + (several ? gui_.px(24) : 0);
  const Rect r = flow.next(all, 14);
  const float middle = r.y + r.h / 2;
  float x = r.x;
  gui_.text_or_tip("sweep.name." + track.id, x, middle, label_w, name, TextStyle::body,
                   gui_.theme().text);
  x += label_w + gap;
  key_box("sweep.from." + track.id, w("Where it begins"), *found, track, 0, {x, r.y, box_w, r.h});
  x += box_w + gap;
  gui_.text(x, middle, to, TextStyle::body, gui_.theme().dim);
  x += to_w + gap;
  key_box("sweep.to." + track.id, w("Where it ends"), *found, track, track.keys.size() - 1,
          {x, r.y, box_w, r.h});
  x += box_w + gui_.px(2);
  if (!several) return;
  ButtonLook look;
  look.kind = ButtonLook::Kind::ghost;
  look.icon = Icon::close;
  if (button(gui_, "sweep.remove." + track.id, {x, r.y, gui_.px(24), r.h}, "", look,
             w("Stop sweeping this knob"))) {
    sweeper_.remove(track.id);
  }
}

void SweepBar::key_box(const std::string& id, const std::string& help, const param::Parameter& p,
                       const sweep::Track& track, std::size_t key, const Rect& box) {
  const std::string now = track.keys[key].value;
  if (param::number(p)) {
    const EditEvent event = text_box(gui_, edit_, id, box, now, {}, help);
    const bool done = event == EditEvent::applied || event == EditEvent::left;
    if (done && edit_.buffer != now && !sweeper_.set_key(track.id, key, edit_.buffer) &&
        event == EditEvent::applied) {
      open_edit(edit_, id, edit_.buffer);
    }
    return;
  }
  std::vector<std::string> ids, labels, values;
  if (const auto* choice = std::get_if<param::Choice>(&p.kind)) {
    for (const param::Option& option : choice->options) {
      values.emplace_back(option.id);
      labels.emplace_back(gui_.words()(option.label));
    }
  } else {
    values = {"false", "true"};
    labels = {gui_.words()("no"), gui_.words()("yes")};
  }
  for (const std::string& value : values) ids.push_back(id + "." + value);
  const auto chosen = std::find(values.begin(), values.end(), now) - values.begin();
  const auto picked = combo(gui_, id, ids, labels, box, static_cast<int>(chosen), help);
  if (picked) sweeper_.set_key(track.id, key, values[static_cast<std::size_t>(*picked)]);
}

// What the key frames are: the knobs as they were, and each preset's title.
void SweepBar::through_presets(Flow& flow) {
  const words::Words& w = gui_.words();
  std::vector<std::string> names;
  for (const std::string& id : sweeper_.presets()) {
    for (const lab::Preset& preset : program_.desk.lab().presets) {
      if (preset.id == id) names.emplace_back(w(preset.title));
    }
  }
  std::string text(w("as it was"));
  for (const std::string& name : names) text += " → " + name;
  if (names.empty()) text = w("from stop to stop of the lesson");
  const float width = std::min(std::ceil(gui_.width(text, TextStyle::body)), gui_.px(420));
  const Rect r = flow.next(width, 14);
  gui_.text_or_tip("sweep.keys", r.x, r.y + r.h / 2, r.w, text, TextStyle::body, gui_.theme().text);
}

// How long, how it leaves and comes to rest, how it repeats; what else moves; the export.
void SweepBar::manner(Flow& flow) {
  const words::Words& w = gui_.words();
  const sweep::Sweep now = sweeper_.sweep();
  const std::string unit(w("s"));
  const float unit_w = std::ceil(gui_.width(unit, TextStyle::body));
  const Rect time = flow.next(gui_.px(52) + gui_.px(6) + unit_w, 10);
  const std::string shown = short_seconds(now.seconds);
  const EditEvent event =
      text_box(gui_, edit_, "sweep.seconds", {time.x, time.y, gui_.px(52), time.h}, shown, {},
               w("How long it takes from end to end, in seconds"));
  gui_.text(time.x + gui_.px(58), time.y + time.h / 2, unit, TextStyle::body, gui_.theme().dim);
  if (event == EditEvent::applied || event == EditEvent::left) {
    const auto seconds = param::whole<double>(param::trimmed(edit_.buffer));
    if (seconds && edit_.buffer != shown) sweeper_.set_seconds(*seconds);
  }
  const std::vector<std::string> loops = {w("there and back"), w("over and over"), w("once")};
  constexpr sweep::Loop kLoops[] = {sweep::Loop::back, sweep::Loop::loop, sweep::Loop::once};
  const auto loop_now = std::find(std::begin(kLoops), std::end(kLoops), now.loop) - kLoops;
  const auto loop =
      combo(gui_, "sweep.loop", {"sweep.loop.back", "sweep.loop.loop", "sweep.loop.once"}, loops,
            flow.next(gui_.px(136)), static_cast<int>(loop_now), w("What happens at the end"));
  if (loop) sweeper_.set_loop(kLoops[*loop]);
  const auto ease = combo(gui_, "sweep.ease", {"sweep.ease.in_out", "sweep.ease.linear"},
                          {w("gently"), w("evenly")}, flow.next(gui_.px(96), 12),
                          now.ease == sweep::Ease::in_out ? 0 : 1, w("How it starts and stops"));
  if (ease) sweeper_.set_ease(*ease == 0 ? sweep::Ease::in_out : sweep::Ease::linear);
  const std::string more(w("More knobs…")), write(w("Export…"));
  const Rect add = flow.next(button_width(gui_, more, {}));
  if (button(gui_, "sweep.more", add, more, {},
             w("Sweep another knob as well, or use presets as key frames"))) {
    ask_for_menu("+", add);
  }
  if (button(gui_, "sweep.export", flow.next(button_width(gui_, write, {})), write, {},
             w("Save it as a film: GIF, animated PNG, MP4, WebM or a folder of frames"))) {
    program_.events.add(state::SweepExportRequest{});
  }
}

// Menus ------------------------------------------------------------------------------------------

// Its window is not the one that is drawn in: it is opened there.
void SweepBar::ask_for_menu(const std::string& of, const Rect& at) {
  knob_ = of;
  menu_at_ = at;
  gui_.wake_in(0);
}

void SweepBar::label(const std::string& knob, const Rect& label) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool over = label.contains({mouse.x, mouse.y}) && ImGui::IsWindowHovered();
  gui_.control("label." + knob, label);
  if (over && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    ask_for_menu(knob, {mouse.x, mouse.y, gui_.px(200), 0});
  }
}

void SweepBar::button_for_knobs(float x, float middle) {
  ButtonLook look;
  look.kind = ButtonLook::Kind::ghost;
  look.icon = Icon::play;
  const float size = gui_.px(28);
  const Rect r{x, std::round(middle - size / 2), size, size};
  if (button(gui_, "button.sweep", r, "", look,
             gui_.words()("Sweep: set a knob in motion (M, or a right click on its name)"))) {
    ask_for_menu("*", r);
  }
}

// Every knob that could move; those that do are marked.
void SweepBar::knob_items(Menu& menu, bool more) {
  const words::Words& w = gui_.words();
  menu.heading(more ? w("Another knob") : w("Set in motion"));
  const param::List list = program_.desk.list();
  for (const param::Parameter& p : list.items()) {
    if (!p.info.active || !sweep::why_not(p).empty()) continue;
    const std::string id(p.info.id);
    const auto& tracks = sweeper_.sweep().tracks;
    const bool moves = more && std::any_of(tracks.begin(), tracks.end(),
                                           [&](const sweep::Track& t) { return t.id == id; });
    if (!menu.item("sweep.knob." + id, w(p.info.label), moves ? "•" : "")) continue;
    if (!more) {
      sweeper_.start(id);
    } else {
      moves ? sweeper_.remove(id) : sweeper_.add(id);
    }
  }
}

void SweepBar::menus(const std::vector<param::Values>& stops) {
  const words::Words& w = gui_.words();
  if (!knob_.empty()) {
    ImGui::OpenPopup(knob_ == "*" ? kAllMenu : knob_ == "+" ? kMoreMenu : kKnobMenu);
  }
  const std::string knob = std::exchange(knob_, std::string());
  if (!knob.empty() && knob != "*" && knob != "+") menu_knob_ = knob;
  const Rect below{menu_at_.x, menu_at_.bottom() + gui_.px(4), gui_.px(230), 0};
  if (Menu menu(gui_, kKnobMenu, below); menu) {
    if (menu.item("sweep.start", w("Sweep…"), "M", sweeper_.why_not(menu_knob_).empty(),
                  w("Moves this knob from the lower to the upper end of its slider"))) {
      sweeper_.start(menu_knob_);
    }
    if (menu.item("sweep.add", w("Sweep it as well"), "",
                  open() && sweeper_.why_not(menu_knob_).empty(),
                  w("Together with the knobs that already move"))) {
      sweeper_.add(menu_knob_);
    }
  }
  if (Menu menu(gui_, kAllMenu, below); menu) knob_items(menu, false);
  const float high = std::min(more_height(!stops.empty()), menu_at_.y - gui_.px(8));
  const Rect above{menu_at_.x, menu_at_.y - high, gui_.px(260), 0};
  if (Menu menu(gui_, kMoreMenu, above); menu) {
    knob_items(menu, true);
    menu.heading(w("Key frames: presets"));
    for (const lab::Preset& preset : program_.desk.lab().presets) {
      const auto& in = sweeper_.presets();
      const bool there = std::find(in.begin(), in.end(), preset.id) != in.end();
      if (menu.item("sweep.preset." + std::string(preset.id), w(preset.title), there ? "•" : "")) {
        sweeper_.add_preset(std::string(preset.id));
      }
    }
    if (stops.size() > 1) {
      menu.heading(w("Key frames: the lesson"));
      if (menu.item("sweep.stops", w("From stop to stop"))) sweeper_.through(stops);
    }
  }
}

// Height of the menu over the bar, which lies at the window's lower edge.
float SweepBar::more_height(bool lesson) {
  const param::List list = program_.desk.list();
  const auto knobs = std::count_if(
      list.items().begin(), list.items().end(),
      [](const param::Parameter& p) { return p.info.active && sweep::why_not(p).empty(); });
  const auto items = static_cast<float>(knobs) +
                     static_cast<float>(program_.desk.lab().presets.size()) +
                     (lesson ? 1.0f : 0.0f);
  const float line = gui_.px(28) + ImGui::GetStyle().ItemSpacing.y;
  const float heading = gui_.px(24) + ImGui::GetStyle().ItemSpacing.y;
  return items * line + (lesson ? 3 : 2) * heading + gui_.px(14);
}

bool SweepBar::key() {
  for (const char* kind : {"knob.", "choice."}) {
    if (!gui_.keyboard().focused().starts_with(kind)) continue;
    const param::List list = program_.desk.list();
    for (const param::Parameter& p : list.items()) {
      const std::string own = fmt::format("{}{}", kind, p.info.id);
      if (gui_.keyboard().focused() != own && !gui_.keyboard().focused().starts_with(own + "."))
        continue;
      sweeper_.start(std::string(p.info.id));
      return true;
    }
  }
  if (!open()) return false;
  sweeper_.playing() ? sweeper_.pause() : sweeper_.play();
  return true;
}

}  // namespace ui
