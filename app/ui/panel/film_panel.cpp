#include "app/ui/panel/film_panel.h"

#include <cmath>

#include "app/param/reading.h"
#include "app/sweep/make.h"
#include "app/words/sentence.h"
#include "core/text/printable.h"

namespace ui {

namespace {

std::string number(double value) { return figure::number_text(value, 6); }

}  // namespace

void FilmPanel::open(const sweep::Sweep& sweep) {
  sweep_ = sweep;
  wrong_.clear(), said_.clear();
}

std::string FilmPanel::problem() const {
  if (!said_.empty()) return said_;
  try {
    sweep::Sweep sweep = sweep_;
    const state::FilmLook& look = program_.looks.film;
    sweep::frames_of(sweep, 0, look.seconds, look.fps);
  } catch (const core::InputError& error) {
    return words::translated(error, program_.words());
  }
  return {};
}

std::optional<double> FilmPanel::field(const Rect& r, const Field& field) {
  const float label_w = gui_.px(150), unit_w = gui_.px(60);
  gui_.text_in(r.x, r.y + r.h / 2, label_w - gui_.px(8), field.label, TextStyle::body,
               gui_.theme().text);
  const Rect box{r.x + label_w, r.y, std::min(r.w - label_w - unit_w, gui_.px(110)), r.h};
  gui_.text_in(box.right() + gui_.px(8), r.y + r.h / 2, unit_w, field.unit, TextStyle::label,
               gui_.theme().dim);
  BoxLook look;
  look.wrong = wrong_ == field.id;
  look.hint = field.hint;
  const std::string text = field.shown > 0 ? number(field.shown) : "";
  const EditEvent event = text_box(gui_, edit_, field.id, box, text, look, field.help);
  const bool typed =
      event == EditEvent::applied || event == EditEvent::left || event == EditEvent::changed;
  if (!typed) return std::nullopt;
  const std::string_view given = param::trimmed(edit_.buffer);
  const auto value = given.empty() ? std::optional<double>(0) : param::whole<double>(given);
  const bool fits = value && *value >= field.least && *value <= field.most &&
                    (!field.whole || *value == std::floor(*value));
  if (wrong_ == field.id) wrong_.clear(), said_.clear();
  if (given.empty() || fits) return value;
  wrong_ = field.id;
  said_ = gui_.words().format(
      field.whole ? N_("{}: expected a whole number from {} to {}, got \"{}\"")
                  : N_("{}: expected a number from {} to {}, got \"{}\""),
      field.label, number(field.least), number(field.most), core::printable(std::string(given)));
  return std::nullopt;
}

void FilmPanel::draw(const Rect& r) {
  const words::Words& w = gui_.words();
  state::FilmLook look = program_.looks.film;
  const float line = gui_.px(36), high = gui_.px(28);
  float y = r.y;
  const auto next = [&] { return Rect{r.x, std::exchange(y, y + line), r.w, high}; };
  if (const auto width = field(next(), {"film.width", w("Width"), w("pixels"), w("natural"),
                                        w("Width of the film; empty: the figures' natural width"),
                                        state::kLeastFilmWidth, state::kMostFilmWidth, true,
                                        static_cast<double>(look.width)})) {
    look.width = static_cast<int>(*width);
  }
  if (const auto fps =
          field(next(), {"film.fps", w("Frames per second"), "", number(state::FilmLook().fps),
                         w("How many frames are shown each second"), sweep::kLeastFps,
                         sweep::kMostFps, false, look.fps})) {
    look.fps = *fps > 0 ? *fps : state::FilmLook().fps;
  }
  if (const auto seconds =
          field(next(), {"film.seconds", w("Duration"), w("s"), number(sweep_.seconds),
                         w("From one end to the other; the way back takes as long again. Empty: as "
                           "set in the sweep bar"),
                         sweep::kLeastSeconds, sweep::kMostSeconds, false, look.seconds})) {
    look.seconds = *seconds;
  }
  program_.looks.film = look;
  y += gui_.px(6);
  const std::string wrong = problem();
  std::string said = wrong;
  if (wrong.empty()) {
    sweep::Sweep sweep = sweep_;
    const sweep::Frames frames = sweep::frames_of(sweep, 0, look.seconds, look.fps);
    const std::size_t count = sweep::frame_positions(sweep.loop, frames.count).size();
    said = w.format(N_("{} frames, {} s"), count,
                    figure::number_text(static_cast<double>(count) / frames.fps, 4));
  }
  const float h = gui_.paragraph(r.x, y, r.w, said, TextStyle::label,
                                 wrong.empty() ? gui_.theme().dim : gui_.theme().bad);
  gui_.control(wrong.empty() ? "film.told" : "film.fault", {r.x, y, r.w, h});
}

}  // namespace ui
