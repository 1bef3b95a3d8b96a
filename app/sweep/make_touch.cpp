#include "app/sweep/make_touch.h"

#include <cmath>

#include "app/paper/file/selection.h"
#include "app/paper/touch/touch_page.h"
#include "app/param/reading.h"
#include "app/sweep/page_at.h"
#include "app/sweep/steady.h"

namespace sweep {
namespace {

std::optional<double> number_in(const param::Values& values, const std::string& id) {
  for (const auto& [name, value] : values) {
    if (name == id) return param::whole<double>(value);
  }
  return {};
}

// Where the knobs stand before they move; the first place for what is no number.
std::size_t first_of(const Sweep& sweep, const std::vector<param::Values>& settings) {
  const std::string& id = sweep.tracks.front().id;
  const auto wanted = number_in(sweep.base, id);
  std::size_t best = 0;
  double least = INFINITY;
  for (std::size_t k = 0; k < settings.size(); ++k) {
    const auto here = number_in(settings[k], id);
    if (settings[k] == sweep.base) return k;
    if (!wanted || !here || !(std::abs(*here - *wanted) < least)) continue;
    least = std::abs(*here - *wanted);
    best = k;
  }
  return best;
}

std::string knobs_of(const Job& job, const words::Words& w) {
  const auto state = job.lab->make();
  param::List list = state->list();
  std::string names;
  for (const Track& track : job.sweep.tracks) {
    names += (names.empty() ? "" : " · ") + w(list.find(track.id)->info.label);
  }
  return names;
}

// One knob's value alone: its name stands before the slider.
std::string label_of(const Job& job, const param::Values& values, const std::string& knobs,
                     const words::Words& w) {
  const std::string all = caption(job.sweep, *job.lab, values, w), named = knobs + " = ";
  return all.starts_with(named) ? all.substr(named.size()) : all;
}

// Every frame in the room that any of them needs.
std::shared_ptr<const paper::SheetRoom> room_of_all(const std::vector<lab::Page>& pages,
                                                    const paper::TouchPage& touch) {
  const auto room = std::make_shared<paper::SheetRoom>();
  for (const bool second : {false, true}) {
    float height = 0;
    for (std::size_t k = 0; k < pages.size(); ++k) {
      paper::PaperOptions options = touch.frames[k].options;
      if (second) options.room = room;
      const paper::SheetRoom one = paper::room_of(pages[k], {}, touch.views, options);
      height = std::max(height, one.height);
      if (!second) room->widen(one);
    }
    room->height = second ? height : 0;
  }
  return room;
}

}  // namespace

std::string make_touch(const Job& job, const std::vector<std::string>& figures, int count,
                       const MakePage& make, const core::Cancel& cancel, const Report& report) {
  check(job.sweep, *job.lab);
  const words::Words w(job.options.language);
  Pages pages(job, make);
  Steady steady;
  std::vector<param::Values> settings;
  std::vector<lab::Page> shown;
  paper::TouchPage touch;
  touch.views = job.views;
  touch.knob = knobs_of(job, w);
  for (int k = 0; k < count; ++k) {
    cancel.poll();
    settings.push_back(values_at(job.sweep, *job.lab, static_cast<double>(k) / (count - 1)));
    const auto page = pages.at(settings.back());
    lab::Page one;
    one.figures = paper::select(*page, figures.empty() ? shown_ids(job, *page) : figures);
    one.notes = page->notes;
    one.made_up = page->made_up;
    steady.add(one.figures);
    shown.push_back(std::move(one));
    if (report) report(k + 1, count);
  }
  touch.first = first_of(job.sweep, settings);
  for (std::size_t k = 0; k < shown.size(); ++k) {
    steady.apply(shown[k].figures);
    paper::PaperOptions options = options_at(job, settings[k]);
    options.above.clear();
    options.session = job.options.session.empty() ? "" : session_at(job, settings[k]);
    touch.frames.push_back({{}, std::move(options), label_of(job, settings[k], touch.knob, w)});
  }
  const auto room = room_of_all(shown, touch);
  for (std::size_t k = 0; k < shown.size(); ++k) {
    paper::TouchFrame& frame = touch.frames[k];
    frame.options = paper::with_notes(std::move(frame.options), shown[k]);
    frame.options.room = room;
    frame.figures = std::move(shown[k].figures);
  }
  return paper::touch_page(touch, cancel.without_progress());
}

}  // namespace sweep
